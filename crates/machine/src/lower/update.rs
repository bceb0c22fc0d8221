//! Two things that keep the order of calls from mattering where it cannot: updates that commute, and sums as one list
//! of operands.

use super::{Lower, Lowerer, place_of};
use crate::facts;
use crate::memory::access::{Access, Update};
use crate::op::{Op, Reg};
use howler_lang::arith::{self, Num};
use howler_lang::program::{BinaryOp, Conv, ExprId, ExprKind};
use howler_lang::ty::{Quals, Type};

/// Longer chains of operators are lowered pair by pair.
const MOST_LEAVES: usize = 8;

impl Lowerer<'_> {
    /// The kind of an update by which the calls that make it commute (`count++;` in two functions). Its value must
    /// not be used; `compute` is the type of a compound assignment's operation.
    pub(super) fn update_kind(&self, op: BinaryOp, lhs: ExprId, compute: Option<Type>) -> Update {
        let program = self.program;
        let num = |ty| arith::num_of(&program.types, &program.target, ty);
        let ty = program.ty(lhs);
        if program.types.quals(ty).contains(Quals::VOLATILE) {
            return Update::None;
        }
        let (Some(Num::Int { width, signed }), compute) = (num(ty), compute.map(num)) else {
            return Update::None;
        };
        match (op, compute) {
            (BinaryOp::BitOr, _) => Update::Or,
            (BinaryOp::BitXor, _) => Update::Xor,
            (BinaryOp::BitAnd, _) => Update::And,
            // `++` of a narrow type computes in int and wraps when it is stored.
            (BinaryOp::Add | BinaryOp::Sub, None) if width < 32 || !signed => Update::WrappedSum,
            (BinaryOp::Add | BinaryOp::Sub, Some(Some(Num::Int { signed: false, .. }))) => Update::WrappedSum,
            (BinaryOp::Add | BinaryOp::Sub, None) => Update::SignedSum,
            (BinaryOp::Add | BinaryOp::Sub, Some(Some(Num::Int { width: wide, signed: true })))
                if wide == width && signed =>
            {
                Update::SignedSum
            }
            _ => Update::None,
        }
    }

    /// The last instruction is the load or the store of an update of this kind.
    pub(super) fn mark_update(&mut self, kind: Update) {
        let Some(&(Op::Load { access, .. } | Op::Store { access, .. })) = self.f.ops.last() else { return };
        if kind == Update::None || self.out.accesses[access as usize].bits.is_some() {
            return;
        }
        let marked = Access { update: kind, ..self.out.accesses[access as usize] };
        let id = self.add_access(marked);
        if let Some(Op::Load { access, .. } | Op::Store { access, .. }) = self.f.ops.last_mut() {
            *access = id;
        }
    }

    /// Whether an expression is an operator whose operands may be evaluated with those around it.
    fn is_flat(&self, e: ExprId) -> bool {
        let program = self.program;
        let scalar = |e: ExprId| !facts::is_aggregate(program, program.ty(e));
        let mut e = e;
        while let ExprKind::Convert(Conv::IntToInt | Conv::IntToFloat | Conv::FloatToFloat, of) =
            program.exprs[e].kind
        {
            e = of;
        }
        match program.exprs[e].kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => false,
            ExprKind::Binary(_, a, b) => scalar(a) && scalar(b),
            _ => false,
        }
    }

    /// The operands of nested operators, in the order they are written; none if there are too many.
    fn leaves(&self, e: ExprId) -> Option<Vec<ExprId>> {
        let mut leaves = Vec::new();
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            match self.program.exprs[e].kind {
                ExprKind::Binary(_, a, b) if self.is_flat(e) => open.extend([b, a]),
                ExprKind::Convert(_, a) if self.is_flat(e) => open.push(a),
                _ => leaves.push(e),
            }
            if leaves.len() + open.len() > MOST_LEAVES {
                return None;
            }
        }
        Some(leaves)
    }

    /// `a() + b() + c()`: nothing orders the calls, whatever the tree is like (C17 6.5p3). None if it is no such chain.
    pub(super) fn chain(&mut self, e: ExprId) -> Lower<Option<Reg>> {
        let num = arith::num_of(&self.program.types, &self.program.target, self.program.ty(e));
        // Floating operators may be contracted, which is decided pair by pair.
        if !self.f.tracked
            || !self.facts.effects(e).may_call()
            || self.contract && matches!(num, Some(Num::Float(_)))
        {
            return Ok(None);
        }
        let Some(leaves) = self.leaves(e).filter(|leaves| leaves.len() > 2) else { return Ok(None) };
        let join = self.open_join(&leaves);
        if !join {
            return Ok(None);
        }
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        if self.right_first() {
            order.reverse();
        }
        let mut values = vec![crate::op::NONE; leaves.len()];
        for (position, index) in order.into_iter().enumerate() {
            if position > 0 {
                self.next_operand(join);
            }
            values[index] = self.value(leaves[index])?;
        }
        self.close_join(join, leaves.len() as u32);
        let mut values = values.into_iter();
        self.combine(e, &mut values).map(Some)
    }

    /// Applies the operators of a chain; at most as deep as it has leaves.
    fn combine(&mut self, e: ExprId, values: &mut impl Iterator<Item = Reg>) -> Lower<Reg> {
        let program = self.program;
        let pos = place_of(program, e, self.f.pos);
        let before = (std::mem::replace(&mut self.f.pos, pos), self.f.expr.replace(e));
        let value = match program.exprs[e].kind {
            ExprKind::Binary(op, a, b) if self.is_flat(e) => {
                let (x, y) = (self.combine(a, values)?, self.combine(b, values)?);
                let dst = self.reg();
                self.apply(op, (x, program.ty(a)), (y, program.ty(b)), dst)?;
                dst
            }
            ExprKind::Convert(_, a) if self.is_flat(e) => {
                let value = self.combine(a, values)?;
                self.convert_between(value, program.ty(a), program.ty(e))?
            }
            _ => values.next().unwrap_or(crate::op::NONE),
        };
        (self.f.pos, self.f.expr) = before;
        Ok(value)
    }
}
