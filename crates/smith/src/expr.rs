//! Integer expressions.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, UnaryOp};
use howler_lang::ty::Type;

use crate::maker::{Made, Maker};
use crate::safe::Op;

/// The integer types, with the words that names have for them.
pub(crate) const INTEGERS: [(Type, &str); 8] = [
    (Type::SCHAR, "schar"),
    (Type::UCHAR, "uchar"),
    (Type::SHORT, "short"),
    (Type::USHORT, "ushort"),
    (Type::INT, "int"),
    (Type::UINT, "uint"),
    (Type::LONG, "long"),
    (Type::ULONG, "ulong"),
];

impl Maker<'_> {
    pub(crate) fn int_type(&mut self) -> Type {
        self.choices.one_of("type", &INTEGERS).0
    }

    /// An expression of some integer type.
    pub(crate) fn int_expr(&mut self, depth: u32) -> Made<ExprId> {
        self.left -= 1;
        self.costs(3);
        // Where every step counts many times there is no room for much.
        if depth == 0 || self.left < 0 || self.steps < self.times().saturating_mul(100) {
            return self.int_leaf();
        }
        // Table 3.2 of the thesis.
        match self.choices.range("expression", 0..=119u32) {
            0..=39 => match self.call(depth)? {
                Some(e) => Ok(e),
                None => self.operation(depth),
            },
            40..=69 => self.operation(depth),
            70..=99 => self.int_leaf(),
            100..=105 => self.int_comma(depth),
            106..=112 => self.int_assign(depth),
            _ => self.int_cond(depth),
        }
    }

    /// A constant or a variable.
    fn int_leaf(&mut self) -> Made<ExprId> {
        self.left -= 1;
        if !self.choices.chance("constant", 1, 3)
            && let Some(lvalue) = self.readable_int()?
        {
            return Ok(self.read(&lvalue));
        }
        let ty = self.int_type();
        let bits = self.number(ty);
        self.out.constant(ty, &Value::Bits(bits))
    }

    fn operation(&mut self, depth: u32) -> Made<ExprId> {
        if self.choices.chance("unary", 1, 10) {
            let a = self.int_expr(depth - 1)?;
            return match self.choices.range("unary operator", 0..=3u32) {
                0 => self.out.unary(UnaryOp::Not, a),
                1 => self.out.unary(UnaryOp::BitNot, a),
                2 => self.out.unary(UnaryOp::Plus, a),
                _ => {
                    let ty = self.int_type();
                    self.safe(Op::Neg, ty, &[a])
                }
            };
        }
        let op = *self.choices.one_of("operator", &BinaryOp::ALL);
        let start = self.log.len();
        let a = self.int_expr(depth - 1)?;
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            // What is on the right may not happen.
            let facts = self.facts.clone();
            let b = self.int_expr(depth - 1)?;
            self.join(facts);
            return self.out.binary(op, a, b);
        }
        self.log.beside(start);
        let b = self.int_expr(depth - 1)?;
        self.log.with();
        let ty = self.int_type();
        match Op::of(op) {
            Some(op) => self.safe(op, ty, &[a, b]),
            None => self.out.binary(op, a, b),
        }
    }

    fn int_comma(&mut self, depth: u32) -> Made<ExprId> {
        let a = self.int_expr(depth - 1)?;
        let b = self.int_expr(depth - 1)?;
        self.out.comma(a, b)
    }

    fn int_cond(&mut self, depth: u32) -> Made<ExprId> {
        let c = self.int_expr(depth - 1)?;
        let before = self.facts.clone();
        let a = self.int_expr(depth - 1)?;
        let after = std::mem::replace(&mut self.facts, before);
        let b = self.int_expr(depth - 1)?;
        self.join(after);
        self.out.cond(c, a, b)
    }

    /// An assignment inside of an expression.
    pub(crate) fn int_assign(&mut self, depth: u32) -> Made<ExprId> {
        let start = self.log.len();
        let value = self.int_expr(depth - 1)?;
        // The place is found beside the value, and written when both are known.
        self.log.beside(start);
        let place = self.writable_int()?;
        self.log.with();
        let Some(place) = place else { return Ok(value) };
        for part in place.parts.clone() {
            let leaves = self.places.part(part).leaves;
            self.writes(leaves);
        }
        self.left -= 2;
        let op = [BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor];
        if self.choices.chance("compound", 1, 4) {
            let op = *self.choices.one_of("compound operator", &op);
            return self.out.compound_assign(op, place.e, value);
        }
        self.out.assign(place.e, value)
    }

    /// What holds if either of two ways was taken.
    pub(crate) fn join(&mut self, other: crate::facts::Facts) {
        let Maker { facts, sets, initial, .. } = self;
        facts.join(&other, sets, initial);
    }
}
