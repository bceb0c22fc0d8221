//! Contraction: a floating expression may be evaluated as one operation, with one rounding (C17 6.5p8). clang does so for
//! a product that is added or subtracted in the same expression, gcc where there is an instruction for it.

use super::{Lower, Lowerer};
use crate::op::{Op, Reg};
use howler_lang::arith::Num;
use howler_lang::program::{BinaryOp, ExprId, ExprKind, UnaryOp};
use howler_lang::ty::Type;

impl Lowerer<'_> {
    /// `a * b + c` and its kin with one rounding, if this run contracts here.
    pub(super) fn contracted(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Lower<Option<Reg>> {
        let ty = self.program.ty(a);
        if let Some((x, y)) = self.product(op, a, ty) {
            let (x, y, z) = (self.value(x)?, self.value(y)?, self.value(b)?);
            let z = if op == BinaryOp::Sub { self.negated(z, ty)? } else { z };
            return self.fused(x, y, z, ty).map(Some);
        }
        if let Some((x, y)) = self.product(op, b, ty) {
            let (z, x, y) = (self.value(a)?, self.value(x)?, self.value(y)?);
            let x = if op == BinaryOp::Sub { self.negated(x, ty)? } else { x };
            return self.fused(x, y, z, ty).map(Some);
        }
        Ok(None)
    }

    /// The factors of `e`, if it is a product of this type that may be added or subtracted without being rounded.
    pub(super) fn product(&self, op: BinaryOp, e: ExprId, ty: Type) -> Option<(ExprId, ExprId)> {
        if !self.contract || self.f.tracked || !matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return None;
        }
        let ExprKind::Binary(BinaryOp::Mul, x, y) = self.program.exprs[e].kind else { return None };
        let num = howler_lang::arith::num_of(&self.program.types, &self.program.target, ty);
        let same = self.program.ty(e).bare() == ty.bare();
        (same && matches!(num, Some(Num::Float(_))) && self.right_first()).then_some((x, y))
    }

    /// `lhs + x * y` or `lhs - x * y` of values that are there.
    pub(super) fn fused_onto(&mut self, op: BinaryOp, left: Reg, (x, y): (Reg, Reg), ty: Type) -> Lower<Reg> {
        let x = if op == BinaryOp::Sub { self.negated(x, ty)? } else { x };
        self.fused(x, y, left, ty)
    }

    fn negated(&mut self, a: Reg, ty: Type) -> Lower<Reg> {
        let (num, dst) = (self.num(ty)?, self.reg());
        self.emit(Op::Unary { op: UnaryOp::Neg, num, dst, a });
        Ok(dst)
    }

    fn fused(&mut self, a: Reg, b: Reg, c: Reg, ty: Type) -> Lower<Reg> {
        let (num, dst) = (self.num(ty)?, self.reg());
        self.emit(Op::Fused { num, dst, a, b, c });
        Ok(dst)
    }
}
