//! Scalar expressions.

use super::lvalue::null_based;
use super::{AccessUse, Lower, Lowerer, place_of};
use crate::facts;
use crate::memory::access::Update;
use crate::op::{NONE, Op, Reg};
use howler_lang::arith::{self, Num};
use howler_lang::fold;
use howler_lang::program::{BinaryOp, Conv, ExprId, ExprKind, UnaryOp};
use howler_lang::ty::{Quals, Type};

/// Whether accesses of operands are compared.
pub(crate) type Join = bool;

impl Lowerer<'_> {
    /// Evaluates a full expression for its value, or for the truth of a complex one; temporaries end with it.
    pub fn full(&mut self, e: ExprId, wanted: bool) -> Lower<Reg> {
        let effects = self.facts.effects(e);
        let outer = std::mem::replace(&mut self.f.tracked, effects.is_tracked());
        if effects.is_tracked() {
            self.emit(Op::SeqBegin);
        }
        let scope = effects.has_temporaries().then(|| self.open_scope());
        let value = if wanted && facts::is_wide(self.program, self.program.ty(e)) {
            self.wide_truth(e)?
        } else if facts::is_aggregate(self.program, self.program.ty(e)) {
            self.discard(e)?;
            NONE
        } else if wanted {
            self.value(e)?
        } else {
            self.discard(e)?;
            NONE
        };
        if let Some(scope) = scope {
            self.close_scope(scope);
        }
        if effects.is_tracked() {
            self.emit(Op::SeqEnd);
        }
        self.f.tracked = outer;
        self.finish_enclosed();
        Ok(value)
    }

    /// Inside a statement expression, what a full expression did is done before what follows (C17 6.8p4).
    pub fn finish_enclosed(&mut self) {
        if self.f.enclosed {
            self.emit(Op::SeqFinish);
        }
    }

    /// Evaluates a full expression and does something with its value before its temporaries end.
    pub fn full_then(&mut self, e: ExprId, then: impl FnOnce(&mut Self, Reg) -> Lower<()>) -> Lower<()> {
        let effects = self.facts.effects(e);
        let outer = std::mem::replace(&mut self.f.tracked, effects.is_tracked());
        if effects.is_tracked() {
            self.emit(Op::SeqBegin);
        }
        let scope = effects.has_temporaries().then(|| self.open_scope());
        let value = self.value_or_wide(e)?;
        then(self, value)?;
        if let Some(scope) = scope {
            self.close_scope(scope);
        }
        if effects.is_tracked() {
            self.emit(Op::SeqEnd);
        }
        self.f.tracked = outer;
        self.finish_enclosed();
        Ok(())
    }

    /// Evaluates an expression whose value nobody wants.
    pub fn discard(&mut self, e: ExprId) -> Lower<()> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.discard_here(e))
    }

    fn discard_here(&mut self, e: ExprId) -> Lower<()> {
        let program = self.program;
        let ty = program.ty(e);
        match program.exprs[e].kind {
            ExprKind::Cast(Conv::ToVoid, of) | ExprKind::Convert(Conv::ToVoid, of) => self.discard(of),
            ExprKind::Comma(a, b) => {
                self.sequenced(a)?;
                self.discard(b)
            }
            ExprKind::Call(callee, args) => self.call(e, callee, args, false).map(|_| ()),
            _ if facts::is_aggregate(program, ty) => self.aggregate(e).map(|_| ()),
            ExprKind::Convert(Conv::Load, lvalue)
                if !program.types.quals(program.ty(lvalue)).contains(Quals::VOLATILE) =>
            {
                // `x;` reads x by the letter, and compilers do not.
                let lv = self.lvalue(lvalue)?;
                self.read_and_drop(&lv)
            }
            ExprKind::Cond(c, a, b) if program.types.is_void(ty) => self.branches(c, a, b, NONE),
            // What is stored is the value that matters: a byte may be copied unset.
            ExprKind::Assign(..) => self.value(e).map(|_| ()),
            _ => {
                let value = self.dropped_value(e)?;
                if value != NONE && !program.types.is_void(ty) && value & crate::op::POOL == 0 {
                    let dst = self.reg();
                    self.emit(Op::Read { dst, src: value });
                }
                Ok(())
            }
        }
    }

    pub fn value(&mut self, e: ExprId) -> Lower<Reg> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.value_here(e, Update::None))
    }

    /// The value of an expression that is evaluated for its effects: an update whose value is not used may commute with
    /// others.
    fn dropped_value(&mut self, e: ExprId) -> Lower<Reg> {
        let update = match self.program.exprs[e].kind {
            ExprKind::Compound { op, lhs, compute, .. } => self.update_kind(op, lhs, Some(compute)),
            ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PostInc | UnaryOp::PreDec | UnaryOp::PostDec, a) => {
                self.update_kind(BinaryOp::Add, a, None)
            }
            _ => Update::None,
        };
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.value_here(e, update))
    }

    fn value_here(&mut self, e: ExprId, update: Update) -> Lower<Reg> {
        let program = self.program;
        let pos = place_of(program, e, self.f.pos);
        let before = (std::mem::replace(&mut self.f.pos, pos), self.f.expr.replace(e));
        let value = self.value_at(e, update)?;
        (self.f.pos, self.f.expr) = before;
        Ok(value)
    }

    fn value_at(&mut self, e: ExprId, update: Update) -> Lower<Reg> {
        let program = self.program;
        let expr = program.exprs[e];
        match expr.kind {
            ExprKind::Int { value, .. } => Ok(self.constant(u128::from(value))),
            ExprKind::Float(id) => Ok(self.constant(program.floats[id].bits)),
            ExprKind::EnumConst(id) => {
                let bits = program.types.enumerators[id].value.cast_unsigned();
                let Some(num) = arith::num_of(&program.types, &program.target, expr.ty) else {
                    return self.refuse("an enumeration constant of this type");
                };
                let mask = if num.width() >= 128 { !0 } else { (1 << num.width()) - 1 };
                Ok(self.constant(bits & mask))
            }
            ExprKind::SizeofType(ty) => {
                if program.types.is_vla(ty) {
                    self.type_name_bounds(ty)?;
                } else {
                    let mut bounds = Vec::new();
                    self.facts.for_each_own_bound(program, ty, &mut |bound| bounds.push(bound));
                    self.skippable(&bounds)?;
                }
                self.sizeof(ty, e)
            }
            ExprKind::SizeofExpr(of) => {
                let ty = program.ty(of);
                if program.types.is_vla(ty) {
                    self.vla_operand(of)?;
                } else {
                    let mut bounds = Vec::new();
                    self.facts.for_each_skippable(program, of, &mut |bound| bounds.push(bound));
                    self.skippable(&bounds)?;
                }
                self.sizeof(ty, e)
            }
            ExprKind::AlignofType { .. } | ExprKind::AlignofExpr { .. } => match fold::integer(program, e) {
                Some(value) => Ok(self.constant(value.cast_unsigned())),
                None => self.refuse("an alignment that is not constant"),
            },
            ExprKind::Offsetof(..) => match fold::integer(program, e) {
                Some(value) => Ok(self.constant(value.cast_unsigned())),
                None => Ok(self.unsupported("offsetof with an index that is not constant")),
            },
            ExprKind::Unary(op, a) => self.unary(e, op, a, update),
            ExprKind::Binary(op, a, b) => self.binary(e, op, a, b),
            ExprKind::Assign(a, b) => self.assign(a, b),
            ExprKind::Compound { op, lhs, rhs, compute } => self.compound(op, lhs, rhs, compute, update),
            ExprKind::Cond(c, a, b) => {
                let dst = self.reg();
                self.branches(c, a, b, dst)?;
                Ok(dst)
            }
            ExprKind::Elvis(a, b) => {
                let dst = self.reg();
                let from = program.ty(a);
                let value = self.value(a)?;
                let num = self.num(from)?;
                self.branch(a, num, value);
                let skip = self.emit(Op::JumpUnless { num, cond: value, to: 0 });
                let bad = self.bad_arms(a, b);
                self.bad_arm(bad.0);
                let converted = self.convert_between(value, from, expr.ty)?;
                self.same_bounds(from, expr.ty);
                self.emit(Op::Read { dst, src: converted });
                let end = self.emit(Op::Jump { to: 0 });
                self.land(skip);
                let other = self.value(b)?;
                self.emit(Op::Read { dst, src: other });
                self.land(end);
                Ok(dst)
            }
            ExprKind::Comma(a, b) => {
                self.sequenced(a)?;
                self.value(b)
            }
            ExprKind::Cast(conv, a) => self.cast(conv, a, expr.ty),
            ExprKind::Convert(conv, a) => {
                let value = self.conversion(conv, a, expr.ty)?;
                self.same_bounds(program.ty(a), expr.ty);
                Ok(value)
            }
            ExprKind::Call(callee, args) => self.call(e, callee, args, true),
            ExprKind::Builtin(builtin, args) => self.builtin(e, builtin, args),
            ExprKind::VaArg(list) => {
                self.type_name_bounds(expr.ty)?;
                self.va_arg(list, expr.ty)
            }
            ExprKind::StmtExpr(stmt) => {
                let dst = self.reg();
                self.statement_expression(stmt, Some(dst))?;
                Ok(dst)
            }
            ExprKind::LabelAddr(label) => self.label_value(label),
            ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Object(_) => {
                // A member or element of a value that is not an lvalue.
                let lv = self.lvalue(e)?;
                self.load(&lv)
            }
            _ => self.refuse("an expression of this kind"),
        }
    }

    /// Whether accesses here are kept to be compared with others: those of the full expression, or of one around the
    /// statement expression that it is in.
    fn is_compared(&self) -> bool {
        self.f.tracked || self.f.enclosed
    }

    /// Evaluates something that is sequenced before what follows, for its effects.
    pub fn sequenced(&mut self, e: ExprId) -> Lower<()> {
        let open = self.is_compared();
        if open {
            self.emit(Op::SeqOpen);
        }
        self.discard(e)?;
        if open {
            self.emit(Op::SeqFinish);
            self.emit(Op::SeqClose);
        }
        Ok(())
    }

    /// The value of a condition, sequenced before what follows.
    pub fn condition(&mut self, e: ExprId) -> Lower<Reg> {
        let open = self.is_compared();
        if open {
            self.emit(Op::SeqOpen);
        }
        let value = self.truth_value(e)?;
        if open {
            self.emit(Op::SeqFinish);
            self.emit(Op::SeqClose);
        }
        Ok(value)
    }

    /// A value to be tested against 0: complex values become an int.
    pub fn truth_value(&mut self, e: ExprId) -> Lower<Reg> {
        if facts::is_aggregate(self.program, self.program.ty(e)) { self.wide_truth(e) } else { self.value(e) }
    }

    /// The [`NumId`](crate::op::NumId) to test a condition with.
    pub fn truth_num(&mut self, e: ExprId) -> Lower<u8> {
        let ty = self.program.ty(e);
        if facts::is_aggregate(self.program, ty) { Ok(self.num_id(Num::INT)) } else { self.num(ty) }
    }

    fn branches(&mut self, c: ExprId, a: ExprId, b: ExprId, dst: Reg) -> Lower<()> {
        let cond = self.condition(c)?;
        let num = self.truth_num(c)?;
        let bad = self.arms(a, b);
        self.branch(c, num, cond);
        let other = self.emit(Op::JumpUnless { num, cond, to: 0 });
        self.bad_arm(bad.0);
        self.arm(a, dst)?;
        let end = self.emit(Op::Jump { to: 0 });
        self.land(other);
        self.bad_arm(bad.1);
        self.arm(b, dst)?;
        self.land(end);
        Ok(())
    }

    fn arm(&mut self, e: ExprId, dst: Reg) -> Lower<()> {
        if dst == NONE || self.program.types.is_void(self.program.ty(e)) {
            return self.discard(e);
        }
        let src = self.value(e)?;
        self.emit(Op::Read { dst, src });
        Ok(())
    }

    fn unary(&mut self, e: ExprId, op: UnaryOp, a: ExprId, update: Update) -> Lower<Reg> {
        let program = self.program;
        match op {
            UnaryOp::AddrOf => self.address_of(a),
            UnaryOp::Deref => {
                let lv = self.lvalue(e)?;
                self.load(&lv)
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.step_lvalue(op, a, update)
            }
            UnaryOp::Real | UnaryOp::Imag => {
                let of = program.ty(a);
                if facts::is_aggregate(program, of) {
                    let lv = self.lvalue(e)?;
                    return self.load(&lv);
                }
                let value = self.value(a)?;
                Ok(if op == UnaryOp::Real { value } else { self.constant(0) })
            }
            UnaryOp::Not => {
                let value = self.truth_value(a)?;
                let num = self.truth_num(a)?;
                let dst = self.reg();
                self.emit(Op::Not { num, dst, a: value });
                Ok(dst)
            }
            UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot => {
                let value = self.value(a)?;
                let num = self.num(program.ty(a))?;
                let dst = self.reg();
                self.emit(Op::Unary { op, num, dst, a: value });
                Ok(dst)
            }
        }
    }

    fn address_of(&mut self, a: ExprId) -> Lower<Reg> {
        let program = self.program;
        match program.exprs[a].kind {
            ExprKind::Function(func) => return Ok(self.function_pointer(func)),
            // `&*p` is p (C17 6.5.3.2p3), `&p[i]` is p + i.
            ExprKind::Unary(UnaryOp::Deref, p) => return self.value(p),
            _ => {}
        }
        if let Some(offset) = null_based(program, a) {
            return Ok(self.constant(u128::from(offset)));
        }
        let lv = match program.exprs[a].kind {
            // `&a[i][k]` evaluates `*(a + i)`, which is an array (C17 6.5.3.2p3).
            ExprKind::Index { base, .. } if is_found_array(program, base) => {
                let lv = self.lvalue(a)?;
                if let Some(row) = lv.row {
                    self.emit(Op::ArrayAt { base: row });
                }
                lv
            }
            _ => self.lvalue(a)?,
        };
        if lv.register {
            return self.refuse("the address of an object in a register");
        }
        Ok(lv.addr)
    }

    /// `++` and `--`.
    fn step_lvalue(&mut self, op: UnaryOp, a: ExprId, update: Update) -> Lower<Reg> {
        let program = self.program;
        let up = matches!(op, UnaryOp::PreInc | UnaryOp::PostInc);
        if facts::is_aggregate(program, program.ty(a)) {
            return Ok(self.unsupported("++ or -- of a complex value or vector"));
        }
        let lv = self.lvalue(a)?;
        let loaded = self.load(&lv)?;
        let update = if lv.register { Update::None } else { update };
        self.mark_update(update);
        let old = self.reg();
        self.emit(Op::Read { dst: old, src: loaded });
        let new = if let Some(to) = program.types.pointee(program.ty(a)) {
            let step = self.step_of(to)?;
            let one = self.constant(1);
            let num = self.num_id(Num::INT);
            let dst = self.reg();
            self.emit(Op::PtrAdd { back: !up, num, dst, base: old, index: one, step });
            dst
        } else {
            let num = self.step_num(&lv)?;
            let stored = self.num(lv.ty)?;
            let wide = self.convert_num(old, stored, num);
            let dst = self.reg();
            self.emit(Op::Step { up, num, dst, a: wide });
            self.convert_num(dst, num, stored)
        };
        self.store(&lv, new, AccessUse::PLAIN)?;
        self.mark_update(update);
        let after = matches!(op, UnaryOp::PreInc | UnaryOp::PreDec);
        if !after {
            return Ok(old);
        }
        // The value is that of the object after the store: a bit-field cuts it.
        self.reload(&lv, new)
    }

    /// The type `++` computes in: the promoted one.
    fn step_num(&mut self, lv: &super::lvalue::Lv) -> Lower<u8> {
        let num = arith::num_of(&self.program.types, &self.program.target, lv.ty);
        Ok(match num {
            // Conversion to `_Bool` of the sum makes `++` 1 and `--` its opposite.
            Some(Num::Bool) => self.num_id(Num::INT),
            Some(Num::Int { width, .. }) if width < 32 => self.num_id(Num::INT),
            Some(num) => self.num_id(num),
            None => return self.refuse("++ or -- of this type"),
        })
    }

    fn binary(&mut self, e: ExprId, op: BinaryOp, a: ExprId, b: ExprId) -> Lower<Reg> {
        let program = self.program;
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.logical(op, a, b);
        }
        let (ta, tb) = (program.ty(a), program.ty(b));
        if facts::is_aggregate(program, ta) || facts::is_aggregate(program, tb) {
            return self.wide_compare(e, op, a, b);
        }
        if self.contract
            && let Some(fused) = self.contracted(op, a, b)?
        {
            return Ok(fused);
        }
        if let Some(value) = self.chain(e)? {
            return Ok(value);
        }
        let (x, y) = self.operands(a, b)?;
        let dst = self.reg();
        self.apply(op, (x, ta), (y, tb), dst)?;
        Ok(dst)
    }

    /// Emits an operator on two values.
    pub(super) fn apply(
        &mut self,
        op: BinaryOp,
        (x, ta): (Reg, Type),
        (y, tb): (Reg, Type),
        dst: Reg,
    ) -> Lower<()> {
        let types = &self.program.types;
        match (types.pointee(ta), types.pointee(tb), op) {
            (Some(to), Some(_), BinaryOp::Sub) => {
                let step = self.step_of(to)?;
                self.same_bounds(ta, tb);
                self.emit(Op::PtrDiff { dst, a: x, b: y, step });
            }
            (
                Some(_),
                _,
                BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne,
            )
            | (
                _,
                Some(_),
                BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne,
            ) => {
                self.emit(Op::PtrCompare { op, dst, a: x, b: y });
            }
            (Some(to), None, BinaryOp::Add | BinaryOp::Sub) => {
                let (step, num) = (self.step_of(to)?, self.num(tb)?);
                self.emit(Op::PtrAdd { back: op == BinaryOp::Sub, num, dst, base: x, index: y, step });
            }
            (None, Some(to), BinaryOp::Add) => {
                let (step, num) = (self.step_of(to)?, self.num(ta)?);
                self.emit(Op::PtrAdd { back: false, num, dst, base: y, index: x, step });
            }
            (None, None, BinaryOp::Shl | BinaryOp::Shr) => {
                let (num, count) = (self.num(ta)?, self.num(tb)?);
                self.emit(Op::Shift { op, num, count, dst, a: x, b: y });
            }
            (None, None, _) => {
                let num = self.num(ta)?;
                self.emit(Op::Binary { op, num, dst, a: x, b: y });
            }
            _ => {
                self.unsupported("this operator on pointers");
            }
        }
        Ok(())
    }

    fn logical(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Lower<Reg> {
        let dst = self.reg();
        let x = self.condition(a)?;
        let num = self.truth_num(a)?;
        self.emit(Op::Truth { num, dst, a: x });
        self.branch(a, num, x);
        let skip = match op {
            BinaryOp::And => self.emit(Op::JumpUnless { num, cond: x, to: 0 }),
            _ => self.emit(Op::JumpIf { num, cond: x, to: 0 }),
        };
        let y = self.truth_value(b)?;
        let num = self.truth_num(b)?;
        self.emit(Op::Truth { num, dst, a: y });
        self.branch(b, num, y);
        self.land(skip);
        Ok(dst)
    }

    /// Two operands that are not sequenced.
    pub fn operands(&mut self, a: ExprId, b: ExprId) -> Lower<(Reg, Reg)> {
        let join = self.open_join(&[a, b]);
        let (x, y);
        if self.right_first() {
            y = self.value(b)?;
            self.next_operand(join);
            x = self.value(a)?;
        } else {
            x = self.value(a)?;
            self.next_operand(join);
            y = self.value(b)?;
        }
        self.close_join(join, 2);
        Ok((x, y))
    }

    /// Begins operands that are not sequenced; whether their accesses must be compared.
    pub fn open_join(&mut self, operands: &[ExprId]) -> Join {
        if !self.f.tracked {
            return false;
        }
        let pairs = operands.iter().enumerate().any(|(i, &a)| {
            operands[i + 1..].iter().any(|&b| self.facts.effects(a).conflicts(self.facts.effects(b)))
        });
        if pairs {
            self.emit(Op::SeqOpen);
        }
        pairs
    }

    pub fn next_operand(&mut self, join: Join) {
        if join {
            self.emit(Op::SeqNext);
        }
    }

    pub fn close_join(&mut self, join: Join, operands: u32) {
        if join {
            self.emit(Op::SeqJoin { operands });
            self.emit(Op::SeqClose);
        }
    }

    fn sizeof(&mut self, ty: Type, e: ExprId) -> Lower<Reg> {
        if self.program.types.is_vla(ty) {
            return self.vla_size(ty);
        }
        match fold::integer(self.program, e) {
            Some(size) => Ok(self.constant(size.cast_unsigned())),
            None if self.program.types.is_complete(ty) => {
                self.refuse("the size of a type of 2^60 bytes or more")
            }
            None => self.refuse("a size that is not known here"),
        }
    }
}

/// Whether an expression is the decay of an array that `*` or `[]` gave.
pub(super) fn is_found_array(program: &howler_lang::program::Program, e: ExprId) -> bool {
    matches!(program.exprs[e].kind, ExprKind::Convert(Conv::ArrayDecay, array)
        if matches!(program.exprs[array].kind, ExprKind::Index { .. } | ExprKind::Unary(UnaryOp::Deref, _)))
}
