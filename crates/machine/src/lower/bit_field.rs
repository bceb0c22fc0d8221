//! What is special about bit-fields: numbers that become one, and what is stored with one. A bit-field has a type of as many bits as it is wide (C17 6.7.2.1p10), and a floating
//! number must fit that (6.3.1.4p1), whatever type the expression around it has in a dialect.

use super::lvalue::Lv;
use super::{Lower, Lowerer, place_of};
use crate::facts;
use crate::op::Reg;
use howler_lang::arith::Num;
use howler_lang::program::{Conv, ExprId, ExprKind, Program};
use howler_lang::ty::{RecordId, RecordKind, Type, TypeKind};

impl Lowerer<'_> {
    /// What an expression converts to an integer, if it is a floating number that is converted because of where the
    /// value goes.
    pub(super) fn floating_source(&self, mut e: ExprId) -> Option<ExprId> {
        let program = self.program;
        loop {
            match program.exprs[e].kind {
                ExprKind::Convert(Conv::FloatToInt, of) => return Some(of),
                ExprKind::Convert(Conv::ComplexToReal, of) if self.is_floating(program.ty(of)) => {
                    return Some(of);
                }
                ExprKind::Convert(Conv::Same, of) => e = of,
                _ => return None,
            }
        }
    }

    /// The value of a real or complex expression.
    pub(super) fn value_or_wide(&mut self, e: ExprId) -> Lower<Reg> {
        if facts::is_wide(self.program, self.program.ty(e)) {
            return Ok(self.wide_operand(e)?.0);
        }
        self.value(e)
    }

    fn is_floating(&self, ty: Type) -> bool {
        match self.program.types.kind(ty) {
            TypeKind::Complex(elem) => self.is_floating(elem),
            TypeKind::Float(_) => true,
            _ => false,
        }
    }

    /// Whether an lvalue is a bit-field of a struct or union that is narrower than the type of the expression.
    pub(super) fn is_narrow_field(&self, lvalue: ExprId) -> bool {
        let program = self.program;
        let ExprKind::Member { base, field } = program.exprs[lvalue].kind else { return false };
        let types = &program.types;
        let Some(record) = types.as_record(program.ty(base)) else { return false };
        let bits = types.records[record].fields[field as usize].bits;
        let num = howler_lang::arith::num_of(types, &program.target, program.ty(lvalue));
        matches!((bits, num), (Some(bits), Some(Num::Int { width, .. })) if u32::from(bits) < u32::from(width))
    }

    /// The value of a floating expression as that of a bit-field; `e` is the conversion.
    pub(super) fn floating_as_field(&mut self, e: ExprId, value: (Reg, Type), lv: &Lv) -> Lower<Reg> {
        let pos = place_of(self.program, e, self.f.pos);
        let before = (std::mem::replace(&mut self.f.pos, pos), self.f.expr.replace(e));
        let converted = self.convert_to_store(value, lv);
        (self.f.pos, self.f.expr) = before;
        converted
    }

    /// Converts a value to what is stored: to a bit-field's own type first, if it is a floating number.
    pub(super) fn convert_to_store(&mut self, (value, ty): (Reg, Type), lv: &Lv) -> Lower<Reg> {
        let types = &self.program.types;
        let (value, ty) = match types.kind(ty) {
            TypeKind::Complex(elem) => (self.wide_converted((value, ty), elem)?, elem),
            _ => (value, ty),
        };
        let Some(field) = lv.bits.filter(|_| self.is_floating(ty) && types.kind(lv.ty) != TypeKind::Bool)
        else {
            return self.convert_between(value, ty, lv.ty);
        };
        let (from, to) = (self.num(ty)?, self.num(lv.ty)?);
        let part = self.num_id(Num::Int { width: field.bits.width, signed: field.bits.signed });
        let part_value = self.convert_num(value, from, part);
        Ok(self.convert_num(part_value, part, to))
    }
}

/// How many bits of the memory location of a bit-field come before it and after it (C17 3.14p3).
pub(super) fn neighbours(program: &Program, record: RecordId, field: u32) -> (u32, u32) {
    let types = &program.types;
    let at = field as usize;
    let Some(layout) = program.layouts.record(types, record) else { return (0, 0) };
    if types.records[record].kind == RecordKind::Union {
        return (0, 0);
    }
    // One without a width ends a location.
    let beside = |index: &usize| layout.fields[*index].width.is_some_and(|width| width > 0);
    let first = (0..=at).rev().take_while(beside).last().unwrap_or(at);
    let last = (at..layout.fields.len()).take_while(beside).last().unwrap_or(at);
    let start = |index: usize| layout.fields[index].bit_offset;
    let end = |index: usize| start(index) + layout.fields[index].width.map_or(0, u64::from);
    (start(at).saturating_sub(start(first)) as u32, end(last).saturating_sub(end(at)) as u32)
}
