//! Assignments and conversions.

use super::{AccessUse, Lower, Lowerer};
use crate::facts;
use crate::memory::access::Update;
use crate::op::{NONE, Op, POINTER, PointerType, Reg};
use howler_lang::arith::Num;
use howler_lang::program::{BinaryOp, Conv, ExprId, ExprKind, Program, UnaryOp};
use howler_lang::ty::{Type, TypeKind};

impl Lowerer<'_> {
    /// The value an lvalue has after `new` was stored to it, without reading it again.
    pub fn reload(&mut self, lv: &super::lvalue::Lv, new: Reg) -> Lower<Reg> {
        let Some(field) = lv.bits else { return Ok(new) };
        let whole = self.num(lv.ty)?;
        let part = self.num_id(Num::Int { width: field.bits.width, signed: field.bits.signed });
        let cut = self.convert_num(new, whole, part);
        Ok(self.convert_num(cut, part, whole))
    }

    pub fn convert_num(&mut self, a: Reg, from: u8, to: u8) -> Reg {
        if from == to {
            return a;
        }
        let dst = self.reg();
        self.emit(Op::Convert { from, to, dst, a });
        dst
    }

    pub(super) fn assign(&mut self, a: ExprId, b: ExprId) -> Lower<Reg> {
        let track = self.f.tracked;
        if track {
            self.emit(Op::SeqOpen);
        }
        let floating = if self.is_narrow_field(a) { self.floating_source(b) } else { None };
        let (lv, mut value, source);
        if self.right_first() {
            (value, source) = self.value_to_assign(b, floating)?;
            self.next_operand(track);
            lv = self.lvalue(a)?;
        } else {
            lv = self.lvalue(a)?;
            self.next_operand(track);
            (value, source) = self.value_to_assign(b, floating)?;
        }
        if track {
            self.emit(Op::SeqJoin { operands: 2 });
        }
        if let Some(of) = floating {
            value = self.floating_as_field(b, (value, self.program.ty(of)), &lv)?;
        }
        if let Some(source) = source
            && !lv.register
            && (lv.root != NONE || lv.how.has(AccessUse::PUNNED))
            && lv.bits.is_none()
        {
            let same = howler_lang::compat::compatible_unqualified(&self.program.types, lv.ty, source.ty);
            let (to_size, from_size) = (self.size(lv.ty)? as u32, self.size(source.ty)? as u32);
            self.emit(Op::Overlap { to: lv.addr, from: source.addr, to_size, from_size, same });
        }
        self.store(&lv, value, AccessUse::PLAIN)?;
        if track {
            self.emit(Op::SeqClose);
        }
        self.reload(&lv, value)
    }

    /// The value that is assigned, or what it is converted from if that is a number for a bit-field.
    fn value_to_assign(
        &mut self,
        e: ExprId,
        floating: Option<ExprId>,
    ) -> Lower<(Reg, Option<super::lvalue::Lv>)> {
        match floating {
            Some(of) => Ok((self.value_or_wide(of)?, None)),
            None => self.value_and_source(e),
        }
    }

    /// A value, and the object in memory it was read from if it is only that, converted or not.
    pub(super) fn value_and_source(&mut self, e: ExprId) -> Lower<(Reg, Option<super::lvalue::Lv>)> {
        let program = self.program;
        let mut inner = e;
        while let ExprKind::Convert(conv, of) | ExprKind::Cast(conv, of) = program.exprs[inner].kind {
            let scalar = !facts::is_aggregate(program, program.ty(of))
                && !facts::is_aggregate(program, program.ty(inner));
            match conv {
                Conv::Load if scalar => {
                    let union = matches!(program.exprs[of].kind, ExprKind::Member { .. });
                    let deref = matches!(
                        program.exprs[of].kind,
                        ExprKind::Unary(UnaryOp::Deref, _) | ExprKind::Index { .. }
                    );
                    if !(union || deref) {
                        break;
                    }
                    let lv = self.lvalue(of)?;
                    if lv.register || lv.bits.is_some() {
                        let value = self.load(&lv)?;
                        return Ok((self.converted_up(value, inner, e)?, None));
                    }
                    let value = self.load(&lv)?;
                    let value = self.converted_up(value, inner, e)?;
                    return Ok((value, Some(lv)));
                }
                Conv::IntToInt | Conv::IntToFloat | Conv::FloatToInt | Conv::FloatToFloat | Conv::Same
                    if scalar && !program.types.is_variably_modified(program.ty(inner)) =>
                {
                    inner = of
                }
                _ => break,
            }
        }
        Ok((self.value(e)?, None))
    }

    /// Applies the conversions between `inner`, whose value is known, and `outer`.
    pub(super) fn converted_up(&mut self, mut value: Reg, inner: ExprId, outer: ExprId) -> Lower<Reg> {
        let program = self.program;
        let mut chain = vec![outer];
        while let Some(&last) = chain.last()
            && last != inner
            && let ExprKind::Convert(_, of) | ExprKind::Cast(_, of) = program.exprs[last].kind
        {
            chain.push(of);
        }
        let before = self.f.expr;
        for pair in chain.windows(2).rev() {
            self.f.expr = Some(pair[0]);
            value = self.convert_between(value, program.ty(pair[1]), program.ty(pair[0]))?;
        }
        self.f.expr = before;
        Ok(value)
    }

    /// A compound assignment; `update` says whether it commutes with others.
    pub(super) fn compound(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        compute: Type,
        update: Update,
    ) -> Lower<Reg> {
        let program = self.program;
        if [program.ty(lhs), program.ty(rhs), compute].iter().any(|&ty| facts::is_wide(program, ty)) {
            return self.wide_compound_scalar(op, lhs, rhs, compute);
        }
        let track = self.f.tracked;
        if track {
            self.emit(Op::SeqOpen);
        }
        if let Some((x, y)) = self.product(op, rhs, compute) {
            let factors = (self.value(x)?, self.value(y)?);
            let lv = self.lvalue(lhs)?;
            let old = self.load(&lv)?;
            let left = self.convert_between(old, lv.ty, compute)?;
            let sum = self.fused_onto(op, left, factors, compute)?;
            let back = self.convert_to_store((sum, compute), &lv)?;
            self.store(&lv, back, AccessUse::PLAIN)?;
            return self.reload(&lv, back);
        }
        let (lv, value);
        let right_first = self.right_first();
        if right_first {
            value = self.value(rhs)?;
            self.next_operand(track);
            lv = self.lvalue(lhs)?;
        } else {
            lv = self.lvalue(lhs)?;
            self.next_operand(track);
            value = self.value(rhs)?;
        }
        // The old value is read after all calls of the right side: the operation is a single evaluation with respect
        // to them (C17 6.5.16.2p3).
        self.next_operand(track);
        let old = self.load(&lv)?;
        let update = if lv.register { Update::None } else { update };
        self.mark_update(update);
        if track {
            self.emit(Op::SeqJoin { operands: compound_join(right_first) });
        }
        let left = self.convert_between(old, lv.ty, compute)?;
        let dst = self.reg();
        self.apply(op, (left, compute), (value, program.ty(rhs)), dst)?;
        let result_ty = self.result_type(op, compute, program.ty(rhs));
        let back = self.convert_to_store((dst, result_ty), &lv)?;
        self.store(&lv, back, AccessUse::PLAIN)?;
        self.mark_update(update);
        if track {
            self.emit(Op::SeqClose);
        }
        self.reload(&lv, back)
    }

    pub(super) fn result_type(&self, op: BinaryOp, left: Type, right: Type) -> Type {
        let types = &self.program.types;
        match (types.pointee(left), types.pointee(right), op) {
            (None, Some(_), BinaryOp::Add) => right,
            _ => left,
        }
    }

    /// Converts a scalar value as an assignment would.
    pub fn convert_between(&mut self, value: Reg, from: Type, to: Type) -> Lower<Reg> {
        let types = &self.program.types;
        match (types.pointee(from), types.pointee(to)) {
            (None, None) => {
                let (from, to) = (self.num(from)?, self.num(to)?);
                Ok(self.convert_num(value, from, to))
            }
            (Some(_), Some(_)) => self.pointer_conversion(value, from, to),
            (Some(_), None) => {
                let num = self.num(to)?;
                let dst = self.reg();
                if types.kind(to) == TypeKind::Bool {
                    self.emit(Op::Truth { num: POINTER, dst, a: value });
                } else {
                    self.emit(Op::PtrToInt { num, dst, a: value });
                }
                Ok(dst)
            }
            (None, Some(_)) => {
                let num = self.num(from)?;
                let dst = self.reg();
                let to = self.pointer_type(from, to);
                self.emit(Op::IntToPtr { num, dst, a: value, to });
                Ok(dst)
            }
        }
    }

    pub(super) fn conversion(&mut self, conv: Conv, a: ExprId, to: Type) -> Lower<Reg> {
        let program = self.program;
        let from = program.ty(a);
        match conv {
            Conv::Load if facts::is_aggregate(program, to) => {
                self.refuse("an aggregate where a scalar is computed")
            }
            Conv::Load => {
                let lv = self.lvalue(a)?;
                self.load(&lv)
            }
            // Such a value need not have an address of its own (C17 6.2.4p8): in gcc it is that of the object it was
            // read from, which may change.
            Conv::ArrayDecay if is_part_of_read_value(program, a) => {
                self.refuse("the address of an array in a value that may be the object it was read from")
            }
            Conv::ArrayDecay => {
                let lv = self.lvalue(a)?;
                if let ExprKind::Index { .. } | ExprKind::Unary(UnaryOp::Deref, _) = program.exprs[a].kind {
                    self.emit(Op::ArrayAt { base: lv.addr });
                }
                self.decay(&lv)
            }
            Conv::FunctionDecay => match program.exprs[a].kind {
                ExprKind::Function(func) => Ok(self.function_pointer(func)),
                ExprKind::Unary(UnaryOp::Deref, p) => self.value(p),
                _ => self.refuse("a function designator of this kind"),
            },
            Conv::ToVoid => {
                self.discard(a)?;
                Ok(NONE)
            }
            Conv::NullToPointer => Ok(self.constant(0)),
            Conv::ComplexToReal => self.complex_to_real(a, to),
            Conv::Bits if facts::is_aggregate(program, from) => self.vector_to_scalar(a, to),
            Conv::ToBool if facts::is_aggregate(program, from) => self.wide_truth(a),
            Conv::ToBool => {
                let value = self.value(a)?;
                let num = self.num(from)?;
                let dst = self.reg();
                self.emit(Op::Truth { num, dst, a: value });
                Ok(dst)
            }
            Conv::Same | Conv::Bits => {
                let value = self.value(a)?;
                if program.types.pointee(from).is_some() && program.types.pointee(to).is_some() {
                    return self.pointer_conversion(value, from, to);
                }
                Ok(value)
            }
            Conv::IntToInt
            | Conv::IntToFloat
            | Conv::FloatToInt
            | Conv::FloatToFloat
            | Conv::PointerToPointer
            | Conv::IntToPointer
            | Conv::PointerToInt => {
                let value = self.value(a)?;
                self.convert_between(value, from, to)
            }
            Conv::RealToComplex | Conv::ComplexToComplex | Conv::Splat | Conv::ToUnion => {
                self.refuse("a conversion to an aggregate here")
            }
        }
    }

    pub(super) fn pointer_conversion(&mut self, value: Reg, from: Type, to: Type) -> Lower<Reg> {
        let index = self.pointer_type(from, to);
        let info = self.out.pointers[index as usize];
        if !info.widens
            && !info.function
            && self.align(self.program.types.pointee(from).unwrap_or(Type::CHAR)) >= info.align
        {
            return Ok(value);
        }
        let dst = self.reg();
        self.emit(Op::PtrConvert { dst, a: value, to: index });
        Ok(dst)
    }

    pub fn pointer_type(&mut self, from: Type, to: Type) -> u32 {
        let types = &self.program.types;
        let target = types.pointee(to).unwrap_or(Type::VOID);
        let source = types.pointee(from).unwrap_or(Type::VOID);
        let same = types.strip(target).bare() == types.strip(source).bare()
            || howler_lang::compat::compatible_unqualified(types, target, source);
        let function = types.is_function(target);
        let align = if types.is_void(target) || function { 1 } else { self.align(target) };
        self.out.pointers.push(PointerType { align, widens: !same, function });
        self.out.pointers.len() as u32 - 1
    }
}

/// What [`Op::SeqJoin`] is told of a compound assignment: address, value, and the read that comes after the calls.
pub(super) fn compound_join(right_first: bool) -> u32 {
    3 | if right_first { crate::op::READ_AFTER_FIRST } else { crate::op::READ_AFTER_SECOND }
}

/// Whether an array is a part of a struct or union that is a value, and of one that was read somewhere: what a call
/// returns is always an object of its own.
fn is_part_of_read_value(program: &Program, mut e: ExprId) -> bool {
    loop {
        e = match program.exprs[e].kind {
            ExprKind::Member { base, .. } => base,
            ExprKind::Index { base, .. } => match program.exprs[base].kind {
                ExprKind::Convert(Conv::ArrayDecay, array) => array,
                _ => return false,
            },
            ExprKind::Comma(..)
            | ExprKind::Assign(..)
            | ExprKind::Cond(..)
            | ExprKind::Elvis(..)
            | ExprKind::StmtExpr(_) => return true,
            _ => return false,
        };
    }
}
