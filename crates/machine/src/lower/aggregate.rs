//! Structs, unions, complex values and vectors: values that are bytes in memory.

use super::lvalue::Lv;
use super::{AccessUse, Lower, Lowerer, place_of};
use crate::facts;
use crate::op::{NONE, Op, Reg, Transfer, WideKind, WideSite};
use howler_lang::arith::Num;
use howler_lang::program::{BinaryOp, Conv, ExprId, ExprKind, Program, UnaryOp};
use howler_lang::ty::{Type, TypeKind};

impl Lowerer<'_> {
    /// Evaluates an aggregate; the result says where its bytes are.
    pub fn aggregate(&mut self, e: ExprId) -> Lower<Lv> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let pos = place_of(self.program, e, self.f.pos);
            let before = std::mem::replace(&mut self.f.pos, pos);
            let lv = self.aggregate_here(e);
            self.f.pos = before;
            lv
        })
    }

    fn aggregate_here(&mut self, e: ExprId) -> Lower<Lv> {
        let program = self.program;
        let expr = program.exprs[e];
        match expr.kind {
            ExprKind::Convert(Conv::Load, lvalue) | ExprKind::Cast(Conv::Load, lvalue) => {
                let lv = self.lvalue(lvalue)?;
                if facts::is_wide(program, lv.ty) {
                    return self.read_wide(&lv, expr.ty);
                }
                if let ExprKind::Object(object) = program.exprs[lvalue].kind
                    && program.objects[object].duration == howler_lang::program::Duration::Automatic
                    && matches!(program.types.kind(expr.ty), TypeKind::Record(_))
                    && !self.facts.is_exposed(object)
                {
                    let size = self.size(expr.ty)? as u32;
                    self.emit(Op::SomeSet { addr: lv.addr, size });
                }
                if program.types.quals(lv.ty).contains(howler_lang::ty::Quals::VOLATILE) {
                    // Reading a volatile aggregate is an access of its own.
                    let temp = self.temp(expr.ty)?;
                    let copy = Lv::named(temp, expr.ty);
                    self.copy_aggregate(&copy, &lv, AccessUse::INITIAL)?;
                    return Ok(copy);
                }
                Ok(lv)
            }
            ExprKind::Convert(Conv::Same, a) | ExprKind::Cast(Conv::Same, a) => {
                let lv = self.aggregate(a)?;
                Ok(Lv { ty: expr.ty, ..lv })
            }
            ExprKind::Convert(Conv::ToUnion, a) | ExprKind::Cast(Conv::ToUnion, a) => {
                self.made_union(a, expr.ty)
            }
            ExprKind::Convert(Conv::Bits, a) | ExprKind::Cast(Conv::Bits, a)
                if facts::is_aggregate(program, program.ty(a)) =>
            {
                let lv = self.aggregate(a)?;
                let temp = self.temp(expr.ty)?;
                let copy = Lv { ty: lv.ty, ..Lv::named(temp, expr.ty) };
                self.copy_aggregate(&copy, &lv, AccessUse::INITIAL)?;
                Ok(Lv::named(temp, expr.ty))
            }
            ExprKind::Convert(Conv::Bits, a) | ExprKind::Cast(Conv::Bits, a) => {
                self.wide(e, WideKind::Bits, &[a])
            }
            ExprKind::Convert(Conv::Splat, a) | ExprKind::Cast(Conv::Splat, a) => {
                self.wide(e, WideKind::Splat, &[a])
            }
            ExprKind::Convert(_, a) | ExprKind::Cast(_, a) => self.wide(e, WideKind::Convert, &[a]),
            ExprKind::Imaginary(a) => self.wide(e, WideKind::Parts, &[a]),
            ExprKind::Assign(a, b) => self.assign_aggregate(a, b),
            ExprKind::Compound { op, lhs, rhs, compute } => {
                self.wide_compound(op, lhs, rhs, compute).map(|(_, value)| Lv::named(value, expr.ty))
            }
            ExprKind::Call(callee, args) => {
                let addr = self.call(e, callee, args, true)?;
                Ok(Lv::named(addr, expr.ty))
            }
            ExprKind::Builtin(builtin, args) => {
                let addr = self.builtin(e, builtin, args)?;
                Ok(Lv::named(addr, expr.ty))
            }
            ExprKind::VaArg(list) => {
                let addr = self.va_arg(list, expr.ty)?;
                Ok(Lv::named(addr, expr.ty))
            }
            ExprKind::Comma(a, b) => {
                self.sequenced(a)?;
                self.aggregate(b)
            }
            ExprKind::Cond(c, a, b) => {
                if facts::is_aggregate(program, program.ty(c)) {
                    return self.wide(e, WideKind::Select, &[c, a, b]);
                }
                let temp = Lv::named(self.temp(expr.ty)?, expr.ty);
                let cond = self.condition(c)?;
                let num = self.truth_num(c)?;
                self.branch(c, num, cond);
                let other = self.emit(Op::JumpUnless { num, cond, to: 0 });
                let value = self.aggregate(a)?;
                self.copy_aggregate(&temp, &value, AccessUse::INITIAL)?;
                let end = self.emit(Op::Jump { to: 0 });
                self.land(other);
                let value = self.aggregate(b)?;
                self.copy_aggregate(&temp, &value, AccessUse::INITIAL)?;
                self.land(end);
                Ok(temp)
            }
            ExprKind::StmtExpr(stmt) => {
                let temp = self.temp(expr.ty)?;
                self.statement_expression(stmt, Some(temp))?;
                Ok(Lv::named(temp, expr.ty))
            }
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot | UnaryOp::Not, a) => {
                let ExprKind::Unary(op, _) = expr.kind else { return self.refuse("a unary operator") };
                self.wide(e, WideKind::Unary(op), &[a])
            }
            ExprKind::Binary(op, a, b) => self.wide(e, WideKind::Binary(op), &[a, b]),
            ExprKind::Unary(
                op @ (UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec),
                a,
            ) => self.wide_step(op, a, expr.ty),
            ExprKind::Elvis(a, b) => self.wide_elvis(a, b, expr.ty),
            _ => self.lvalue(e),
        }
    }

    /// The value of an lvalue that is complex or a vector: a copy, since nothing else holds it.
    fn read_wide(&mut self, lv: &Lv, ty: Type) -> Lower<Lv> {
        let copy = Lv::named(self.temp(ty)?, ty);
        self.copy_aggregate(&copy, lv, AccessUse::INITIAL)?;
        if let Some(transfer) = self.out.transfers.last_mut() {
            transfer.whole = true;
        }
        Ok(copy)
    }

    /// An operand of a complex or vector operation: a scalar, or a pointer to a copy of the value.
    pub fn wide_operand(&mut self, e: ExprId) -> Lower<(Reg, Type)> {
        let ty = self.program.ty(e);
        if !facts::is_aggregate(self.program, ty) {
            return Ok((self.value(e)?, ty));
        }
        let lv = self.aggregate(e)?;
        // These are values in temporaries of their own already.
        let own = matches!(
            self.program.exprs[e].kind,
            ExprKind::Convert(Conv::Load, _)
                | ExprKind::Binary(..)
                | ExprKind::Unary(..)
                | ExprKind::Call(..)
        );
        let addr = if own { lv.addr } else { self.read_wide(&lv, ty)?.addr };
        Ok((addr, ty))
    }

    /// Operands that are not sequenced.
    fn wide_operands(&mut self, args: &[ExprId]) -> Lower<Vec<(Reg, Type)>> {
        let join = self.open_join(args);
        let mut order: Vec<usize> = (0..args.len()).collect();
        if self.right_first() {
            order.reverse();
        }
        let mut operands = vec![(NONE, Type::VOID); args.len()];
        for (position, index) in order.into_iter().enumerate() {
            if position > 0 {
                self.next_operand(join);
            }
            operands[index] = self.wide_operand(args[index])?;
        }
        self.close_join(join, args.len() as u32);
        Ok(operands)
    }

    fn wide(&mut self, e: ExprId, kind: WideKind, args: &[ExprId]) -> Lower<Lv> {
        let ty = self.program.ty(e);
        let operands = self.wide_operands(args)?;
        let dst = self.temp(ty)?;
        self.wide_op(kind, operands, dst, ty);
        if let (WideKind::Binary(_), Some(site)) = (kind, self.out.wides.last_mut()) {
            site.integer = args.iter().any(|&arg| is_integer_operand(self.program, arg));
        }
        Ok(Lv::named(dst, ty))
    }

    fn wide_op(&mut self, kind: WideKind, args: Vec<(Reg, Type)>, dst: Reg, ty: Type) {
        let site = self.out.wides.len() as u32;
        self.out.wides.push(WideSite { kind, args: args.into_boxed_slice(), dst, ty, integer: false });
        self.emit(Op::Wide { site });
    }

    /// Whether a complex value compares unequal to 0.
    pub fn wide_truth(&mut self, e: ExprId) -> Lower<Reg> {
        let operand = self.wide_operand(e)?;
        let dst = self.reg();
        self.wide_op(WideKind::Truth, vec![operand], dst, Type::INT);
        Ok(dst)
    }

    /// A comparison of complex values: the result is an int.
    pub fn wide_compare(&mut self, e: ExprId, op: BinaryOp, a: ExprId, b: ExprId) -> Lower<Reg> {
        let operands = self.wide_operands(&[a, b])?;
        let dst = self.reg();
        self.wide_op(WideKind::Binary(op), operands, dst, self.program.ty(e));
        Ok(dst)
    }

    /// The real part of a complex value, converted.
    pub fn complex_to_real(&mut self, a: ExprId, to: Type) -> Lower<Reg> {
        let operand = self.wide_operand(a)?;
        let dst = self.reg();
        self.wide_op(WideKind::Convert, vec![operand], dst, to);
        Ok(dst)
    }

    /// The bytes of a vector as a scalar.
    pub fn vector_to_scalar(&mut self, a: ExprId, to: Type) -> Lower<Reg> {
        let operand = self.wide_operand(a)?;
        let dst = self.reg();
        self.wide_op(WideKind::Bits, vec![operand], dst, to);
        Ok(dst)
    }

    /// `real op= complex`: the result goes back to a real object.
    pub fn wide_compound_scalar(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        compute: Type,
    ) -> Lower<Reg> {
        let (lv, value) = self.wide_compound(op, lhs, rhs, compute)?;
        self.reload(&lv, value)
    }

    /// A compound assignment with a complex value or vector on either side: the lvalue and its new value.
    fn wide_compound(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, compute: Type) -> Lower<(Lv, Reg)> {
        let track = self.f.tracked;
        if track {
            self.emit(Op::SeqOpen);
        }
        let (lv, right);
        let right_first = self.right_first();
        if right_first {
            right = self.wide_operand(rhs)?;
            self.next_operand(track);
            lv = self.lvalue(lhs)?;
        } else {
            lv = self.lvalue(lhs)?;
            self.next_operand(track);
            right = self.wide_operand(rhs)?;
        }
        self.next_operand(track);
        let left = self.read_any(&lv)?;
        if track {
            self.emit(Op::SeqJoin { operands: super::assign::compound_join(right_first) });
        }
        let converted = self.wide_converted((left, lv.ty), compute)?;
        let result_ty = if facts::is_wide(self.program, compute) { compute } else { right.1 };
        let result = self.temp_or_reg(result_ty)?;
        self.wide_op(WideKind::Binary(op), vec![(converted, compute), right], result, result_ty);
        if let Some(site) = self.out.wides.last_mut() {
            let types = &self.program.types;
            site.integer =
                is_integer_operand(self.program, rhs) || types.is_integer(lv.ty) && types.is_float(compute);
        }
        let back = match lv.bits {
            Some(_) => self.convert_to_store((result, result_ty), &lv)?,
            None => self.wide_converted((result, result_ty), lv.ty)?,
        };
        self.write_any(&lv, back)?;
        if track {
            self.emit(Op::SeqClose);
        }
        Ok((lv, back))
    }

    /// `++` and `--` of a complex value or vector.
    fn wide_step(&mut self, op: UnaryOp, a: ExprId, ty: Type) -> Lower<Lv> {
        let up = matches!(op, UnaryOp::PreInc | UnaryOp::PostInc);
        let lv = self.lvalue(a)?;
        let old = self.read_any(&lv)?;
        let new = self.temp(ty)?;
        self.wide_op(WideKind::Step { up }, vec![(old, ty)], new, ty);
        self.write_any(&lv, new)?;
        let before = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
        Ok(Lv::named(if before { old } else { new }, ty))
    }

    /// `a ?: b` with a complex result.
    fn wide_elvis(&mut self, a: ExprId, b: ExprId, ty: Type) -> Lower<Lv> {
        let dst = self.temp(ty)?;
        let operand = self.wide_operand(a)?;
        let cond = self.reg();
        self.wide_op(WideKind::Truth, vec![operand], cond, Type::INT);
        let num = self.num_id(Num::INT);
        self.branch(a, num, cond);
        let other = self.emit(Op::JumpUnless { num, cond, to: 0 });
        self.wide_op(WideKind::Convert, vec![operand], dst, ty);
        let end = self.emit(Op::Jump { to: 0 });
        self.land(other);
        let value = self.aggregate(b)?;
        self.copy_aggregate(&Lv::named(dst, ty), &value, AccessUse::INITIAL)?;
        self.land(end);
        Ok(Lv::named(dst, ty))
    }

    pub(super) fn wide_converted(&mut self, (from, from_ty): (Reg, Type), to: Type) -> Lower<Reg> {
        let types = &self.program.types;
        if types.strip(from_ty).bare() == types.strip(to).bare() {
            return Ok(from);
        }
        let dst = self.temp_or_reg(to)?;
        self.wide_op(WideKind::Convert, vec![(from, from_ty)], dst, to);
        Ok(dst)
    }

    fn read_any(&mut self, lv: &Lv) -> Lower<Reg> {
        if facts::is_wide(self.program, lv.ty) {
            return Ok(self.read_wide(lv, self.program.types.strip(lv.ty).bare())?.addr);
        }
        let loaded = self.load(lv)?;
        let copy = self.reg();
        self.emit(Op::Read { dst: copy, src: loaded });
        Ok(copy)
    }

    fn write_any(&mut self, lv: &Lv, value: Reg) -> Lower<()> {
        if facts::is_wide(self.program, lv.ty) {
            let from = Lv::named(value, self.program.types.strip(lv.ty).bare());
            return self.copy_aggregate(lv, &from, AccessUse::PLAIN);
        }
        self.store(lv, value, AccessUse::PLAIN)
    }

    fn temp_or_reg(&mut self, ty: Type) -> Lower<Reg> {
        if facts::is_aggregate(self.program, ty) { self.temp(ty) } else { Ok(self.reg()) }
    }

    fn assign_aggregate(&mut self, a: ExprId, b: ExprId) -> Lower<Lv> {
        let track = self.f.tracked;
        if track {
            self.emit(Op::SeqOpen);
        }
        let (target, source);
        if self.right_first() {
            source = self.aggregate(b)?;
            self.next_operand(track);
            target = self.lvalue(a)?;
        } else {
            target = self.lvalue(a)?;
            self.next_operand(track);
            source = self.aggregate(b)?;
        }
        if track {
            self.emit(Op::SeqJoin { operands: 2 });
        }
        self.copy_aggregate(&target, &source, AccessUse::PLAIN)?;
        if track {
            self.emit(Op::SeqClose);
        }
        Ok(target)
    }

    /// `*to = *from` for aggregates of one type.
    pub fn copy_aggregate(&mut self, to: &Lv, from: &Lv, extra: AccessUse) -> Lower<()> {
        self.copy_bytes_of(to, from).map(|transfer| {
            if extra.has(AccessUse::INITIAL) {
                let access = self.out.transfers[transfer as usize].to.2;
                let mut copy = self.out.accesses[access as usize];
                copy.initial = true;
                let id = self.add_access(copy);
                self.out.transfers[transfer as usize].to.2 = id;
            }
        })?;
        if let TypeKind::Record(record) = self.program.types.kind(to.ty)
            && let Some(pads) = self.pads(record, true)
        {
            self.emit(Op::Pad { addr: to.addr, pads });
        }
        for &op in &to.after {
            self.emit(op);
        }
        Ok(())
    }

    fn copy_bytes_of(&mut self, to: &Lv, from: &Lv) -> Lower<u32> {
        let (to_access, from_access) =
            (self.lv_access(to, AccessUse::PLAIN)?, self.lv_access(from, AccessUse::PLAIN)?);
        let root = |lv: &Lv| if lv.root == NONE { lv.addr } else { lv.root };
        let transfer = self.out.transfers.len() as u32;
        self.out.transfers.push(Transfer {
            to: (to.addr, root(to), to_access),
            from: (from.addr, root(from), from_access),
            whole: false,
        });
        self.emit(Op::CopyObject { transfer });
        Ok(transfer)
    }

    /// GNU's cast to a union: the member of the operand's type is set.
    fn made_union(&mut self, a: ExprId, ty: Type) -> Lower<Lv> {
        let temp = Lv::named(self.temp(ty)?, ty);
        let from = self.program.ty(a);
        let member = Lv { ty: from, how: AccessUse::PUNNED, ..temp.clone() };
        if facts::is_aggregate(self.program, from) {
            let value = self.aggregate(a)?;
            self.copy_aggregate(&member, &value, AccessUse::INITIAL)?;
        } else {
            let value = self.value(a)?;
            self.store(&member, value, AccessUse::INITIAL)?;
        }
        Ok(temp)
    }
}

/// Whether an operand is an integer that was converted to a floating type for the operation.
fn is_integer_operand(program: &Program, e: ExprId) -> bool {
    matches!(program.exprs[e].kind, ExprKind::Convert(Conv::IntToFloat, _))
}
