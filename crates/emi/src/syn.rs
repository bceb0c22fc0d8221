//! Code in the making whose values are known: every expression is made by `build`, with all conversions of C, and then
//! executed on sets of values (*Spex*, §4.3.2). What may be undefined for one of them is not offered.

use howler_lang::arith::set::{self, Limits, ValueSet};
use howler_lang::arith::{self, Num};
use howler_lang::compose::{Composed, Composer, Value};
use howler_lang::program::{BinaryOp, ExprId, ExprKind, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::ty::Type;
use howler_machine::profile::Place;
use rustc_hash::FxHashMap;

use crate::env::Variable;

/// Expressions in the making.
pub struct Syn<'a> {
    /// Makes them.
    pub c: &'a mut Composer,
    /// How large sets become.
    pub limits: Limits,
    known: FxHashMap<ExprId, ValueSet>,
}

impl<'a> Syn<'a> {
    /// Nothing is known yet.
    pub fn new(c: &'a mut Composer) -> Syn<'a> {
        // As many values as a profile keeps of a variable: an operator looks at 256 pairs at most, and there are many.
        let limits = Limits { values: 16, ranges: 4, pairs: 256 };
        Syn { c, limits, known: FxHashMap::default() }
    }

    /// A place as an lvalue whose values are known.
    pub fn read(&mut self, variable: &Variable) -> Composed<ExprId> {
        let lvalue = self.place(&variable.place)?;
        self.know(lvalue, variable.values.clone());
        Ok(lvalue)
    }

    /// A place as an lvalue.
    pub fn place(&mut self, place: &Place) -> Composed<ExprId> {
        place.build(&mut self.c.cx(), Pos::NONE)
    }

    /// Says what an expression may be.
    pub fn know(&mut self, e: ExprId, values: ValueSet) {
        self.known.insert(e, values);
    }

    /// A constant of an arithmetic type.
    pub fn constant(&mut self, ty: Type, bits: u128) -> Composed<ExprId> {
        self.c.constant(ty, &Value::Bits(bits))
    }

    /// An operator with one operand, if it is defined for all values.
    pub fn unary(&mut self, op: UnaryOp, a: ExprId) -> Option<ExprId> {
        let e = self.c.unary(op, a).ok()?;
        self.values(e).map(|_| e)
    }

    /// An operator with two operands, if it is defined for all values.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let e = self.c.binary(op, a, b).ok()?;
        self.values(e).map(|_| e)
    }

    /// A cast, if it is defined for all values.
    pub fn cast(&mut self, ty: Type, a: ExprId) -> Option<ExprId> {
        let e = self.c.cast(ty, a).ok()?;
        self.values(e).map(|_| e)
    }

    /// The type that an integer has in an expression.
    pub fn promoted(&mut self, e: ExprId) -> Option<(Type, ValueSet)> {
        let plus = self.c.unary(UnaryOp::Plus, e).ok()?;
        let values = self.values(plus)?;
        Some((self.c.program.ty(plus), values))
    }

    /// What an expression is converted to when it is stored in a type; nothing if that may be undefined.
    pub fn stored(&self, e: ExprId, num: Num) -> Option<ValueSet> {
        let values = self.known.get(&e)?;
        let lifted = set::convert(&self.limits, values, num);
        lifted.faults.never().then_some(lifted.values)
    }

    /// The arithmetic type of an expression.
    pub fn num(&self, e: ExprId) -> Option<Num> {
        arith::num_of(&self.c.program.types, &self.c.program.target, self.c.program.ty(e))
    }

    /// All values an expression may have; nothing if it may be undefined, or is not known. Only a few nodes are between
    /// it and what is known, so this may recurse.
    pub fn values(&mut self, e: ExprId) -> Option<ValueSet> {
        if let Some(values) = self.known.get(&e) {
            return Some(values.clone());
        }
        let num = self.num(e)?;
        let values = match self.c.program.exprs[e].kind {
            ExprKind::Int { value, .. } => ValueSet::single(num, u128::from(value)),
            ExprKind::Float(id) => ValueSet::single(num, self.c.program.floats[id].bits),
            ExprKind::Convert(_, inner) | ExprKind::Cast(_, inner) => {
                let inner = self.values(inner)?;
                if inner.num() == num {
                    inner
                } else {
                    let lifted = set::convert(&self.limits, &inner, num);
                    lifted.faults.never().then_some(lifted.values)?
                }
            }
            ExprKind::Unary(op @ (UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot | UnaryOp::Not), inner) => {
                let inner = self.values(inner)?;
                let lifted = set::unary(&self.limits, op, &inner);
                lifted.faults.never().then_some(lifted.values)?
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.values(a)?, self.values(b)?);
                let lifted = set::binary(&self.limits, op, &a, &b);
                lifted.faults.never().then_some(lifted.values)?
            }
            ExprKind::Cond(cond, then, other) => {
                let cond = self.values(cond)?;
                let (then, other) = (self.values(then)?, self.values(other)?);
                match (cond.may_be(true), cond.may_be(false)) {
                    (true, false) => then,
                    (false, true) => other,
                    _ => then.join(&self.limits, &other),
                }
            }
            _ => return None,
        };
        // What is computed with fewer bits than its type has is an affair of bit-fields.
        if values.num() != num || values.is_empty() {
            return None;
        }
        self.known.insert(e, values.clone());
        Some(values)
    }
}
