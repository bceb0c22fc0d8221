//! Floating expressions whose every value is exact: of each it is known how large it may be and how fine, so that nothing is
//! ever rounded, and excess precision and contraction change nothing.

use howler_lang::arith::{self, Num};
use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, UnaryOp};
use howler_lang::ty::Type;

use super::COMPARISONS;
use crate::find::Use;
use crate::maker::{Made, Maker};

/// An expression, a multiple of 2^fine and below 2^large.
#[derive(Clone, Copy)]
struct Exact {
    e: ExprId,
    ty: Type,
    fine: i32,
    large: i32,
}

/// What the variables of a type hold at most.
fn held(ty: Type) -> (i32, i32) {
    if ty == Type::FLOAT { (-4, 12) } else { (-8, 24) }
}

fn digits(ty: Type) -> i32 {
    if ty == Type::FLOAT { 24 } else { 53 }
}

impl Maker<'_> {
    /// A value for a variable of a floating type.
    pub(crate) fn float_for(&mut self, ty: Type, depth: u32) -> Made<ExprId> {
        let exact = self.float_expr(depth)?;
        let (fine, large) = held(ty);
        if exact.fine >= fine && exact.large <= large {
            return Ok(exact.e);
        }
        // Through an integer, which is small enough.
        let whole = self.integer_part(exact)?;
        self.out.cast(Type::SCHAR, whole)
    }

    /// The integer part.
    fn integer_part(&mut self, exact: Exact) -> Made<ExprId> {
        let ty = if exact.large <= 31 { Type::INT } else { Type::LLONG };
        self.out.cast(ty, exact.e)
    }

    /// An integer: a comparison, or the integer part.
    pub(crate) fn int_from_float(&mut self, depth: u32) -> Made<ExprId> {
        let start = self.log.len();
        let a = self.float_expr(depth)?;
        if self.one_in("whole", 3) {
            return self.integer_part(a);
        }
        self.log.beside(start);
        let b = self.float_expr(depth)?;
        self.log.with();
        let op = *self.choices.one_of("comparison", &COMPARISONS);
        self.out.binary(op, a.e, b.e)
    }

    fn float_expr(&mut self, depth: u32) -> Made<Exact> {
        self.left -= 1;
        self.costs(3);
        if depth == 0 || self.left < 0 || !self.affords(100) {
            return self.float_leaf();
        }
        match self.choices.range("float expression", 0..=9u32) {
            0..=4 => self.float_binary(depth - 1),
            5 => {
                let a = self.float_expr(depth - 1)?;
                Ok(Exact { e: self.out.unary(UnaryOp::Neg, a.e)?, ..a })
            }
            6 => self.float_cond(depth - 1),
            7 => self.float_from_int(depth - 1),
            _ => self.float_leaf(),
        }
    }

    fn float_leaf(&mut self) -> Made<Exact> {
        if self.choices.chance("variable", 2, 3) {
            let wanted = |_: &Maker, ty: Type| ty == Type::FLOAT || ty == Type::DOUBLE;
            if let Some(lvalue) = self.lvalue(&wanted, Use::Read)? {
                let (fine, large) = held(lvalue.ty);
                return Ok(Exact { e: self.read(&lvalue), ty: lvalue.ty, fine, large });
            }
        }
        // So many sixteenths.
        let sixteenths = self.choices.range("sixteenths", -512..=512i64);
        let ty = self.float_type();
        let (wide, bits) = (Num::Int { width: 64, signed: true }, sixteenths.cast_unsigned());
        let num = arith::num_of(&self.out.program.types, &self.out.program.target, ty);
        let Some(num) = num else { return self.float_from_int(0) };
        let divide = |bits: u128| {
            let sixteen = arith::convert(wide, num, 16).ok()?;
            arith::binary(BinaryOp::Div, num, bits, sixteen).ok()
        };
        let value = arith::convert(wide, num, u128::from(bits)).ok().and_then(divide).unwrap_or(0);
        let e = self.out.constant(ty, &Value::Bits(value))?;
        Ok(Exact { e, ty, fine: -4, large: 6 })
    }

    fn float_from_int(&mut self, depth: u32) -> Made<Exact> {
        let e = self.int_expr(depth)?;
        let (narrow, large) =
            *self.choices.one_of("narrow", &[(Type::SCHAR, 8), (Type::SHORT, 16), (Type::USHORT, 16)]);
        let e = self.out.cast(narrow, e)?;
        let ty = self.float_type();
        Ok(Exact { e: self.out.cast(ty, e)?, ty, fine: 0, large })
    }

    fn float_binary(&mut self, depth: u32) -> Made<Exact> {
        let start = self.log.len();
        let a = self.float_expr(depth)?;
        self.log.beside(start);
        let b = self.float_expr(depth)?;
        self.log.with();
        let ty = if a.ty == Type::FLOAT && b.ty == Type::FLOAT { Type::FLOAT } else { Type::DOUBLE };
        let (op, fine, large) = match self.choices.range("float operator", 0..=2u32) {
            0 => (BinaryOp::Add, a.fine.min(b.fine), a.large.max(b.large) + 1),
            1 => (BinaryOp::Sub, a.fine.min(b.fine), a.large.max(b.large) + 1),
            _ => (BinaryOp::Mul, a.fine + b.fine, a.large + b.large),
        };
        if large - fine <= digits(ty) && large <= 60 {
            return Ok(Exact { e: self.out.binary(op, a.e, b.e)?, ty, fine, large });
        }
        // It might be rounded: the right one alone, after the left.
        Ok(Exact { e: self.out.comma(a.e, b.e)?, ..b })
    }

    fn float_cond(&mut self, depth: u32) -> Made<Exact> {
        let c = self.condition(depth)?;
        let before = self.facts.clone();
        let a = self.float_expr(depth)?;
        let after = std::mem::replace(&mut self.facts, before);
        let b = self.float_expr(depth)?;
        self.join(&after);
        let ty = if a.ty == Type::FLOAT && b.ty == Type::FLOAT { Type::FLOAT } else { Type::DOUBLE };
        let e = self.out.cond(c, a.e, b.e)?;
        Ok(Exact { e, ty, fine: a.fine.min(b.fine), large: a.large.max(b.large) })
    }
}
