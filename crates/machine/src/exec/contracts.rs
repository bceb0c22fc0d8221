//! Whether a call keeps what types and attributes promise: arguments of variable lists, nonnull, noreturn, malloc.

use super::{Exec, signed};
use crate::outcome::{Run, ub, ub_about};
use crate::ub::UbKind;
use crate::value::Value;
use howler_lang::arith;
use howler_lang::correspond;
use howler_lang::program::{AttrArg, Function};
use howler_lang::ty::{Type, TypeKind};

impl<'p> Exec<'p> {
    /// A type after the default argument promotions.
    pub(super) fn promoted(&self, ty: Type) -> Type {
        let types = &self.program.types;
        let ty = types.strip(ty).bare();
        match arith::num_of(types, &self.program.target, ty) {
            Some(arith::Num::Bool) => Type::INT,
            Some(arith::Num::Int { width, .. }) if width < 32 => Type::INT,
            Some(arith::Num::Float(arith::Format::F32)) if ty == Type::FLOAT => Type::DOUBLE,
            _ => ty,
        }
    }

    /// Whether an argument of one type may be received as another (C17 6.5.2.2p6, 7.16.1.1p2).
    pub(super) fn argument_fits(&self, wanted: Type, given: Type, value: &Value) -> bool {
        let types = &self.program.types;
        let (wanted, given) = (types.strip(wanted).bare(), types.strip(given).bare());
        if correspond::compatible_unqualified(self.program, wanted, given) {
            return true;
        }
        if let (Some(a), Some(b)) = (types.pointee(wanted), types.pointee(given)) {
            let byte = |ty: Type| {
                types.is_void(ty)
                    || matches!(types.kind(ty), TypeKind::Int(kind) if matches!(kind, howler_lang::ty::IntKind::Char | howler_lang::ty::IntKind::SChar | howler_lang::ty::IntKind::UChar))
            };
            return byte(a) && byte(b) || correspond::compatible_unqualified(self.program, a, b);
        }
        let num = |ty| arith::num_of(types, &self.program.target, ty);
        match (num(wanted), num(given)) {
            (
                Some(arith::Num::Int { width: a, signed: s }),
                Some(from @ arith::Num::Int { width: b, signed: t }),
            ) if a == b && s != t && self.same_rank(wanted, given) => {
                // One is signed, the other not: the value must be one of both types.
                signed(arith::Num::Int { width: b, signed: true }, value.to_bits()) >= 0
                    && from.width() == u32::from(a)
            }
            _ => false,
        }
    }

    pub(super) fn same_rank(&self, a: Type, b: Type) -> bool {
        use howler_lang::layout::integers::to_unsigned;
        let types = &self.program.types;
        let kind = |ty: Type| match types.kind(ty) {
            TypeKind::Int(kind) => Some(to_unsigned(kind)),
            TypeKind::Enum(id) => Some(to_unsigned(types.enums[id].underlying)),
            _ => None,
        };
        kind(a).is_some() && kind(a) == kind(b)
    }

    /// Promises of attributes about the arguments.
    pub(super) fn check_promises(&mut self, function: &Function, args: &[(Value, Type)]) -> Run<()> {
        for attr in &function.attrs {
            if self.program.name(attr.name) == "nonnull" {
                let named: Vec<usize> = attr
                    .args
                    .iter()
                    .filter_map(|arg| match arg {
                        howler_lang::program::AttrArg::Int(index) => usize::try_from(*index - 1).ok(),
                        _ => None,
                    })
                    .collect();
                for (index, (value, ty)) in args.iter().enumerate() {
                    let counts = named.is_empty() || named.contains(&index);
                    if counts
                        && self.program.types.pointee(*ty).is_some()
                        && value.low == 0
                        && !value.has_prov()
                    {
                        return ub(UbKind::NonnullBroken);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn check_return(&mut self, value: Option<&Value>) -> Run<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let code = &self.code.funcs[frame.func as usize];
        if !code.promises {
            return self.check_va_lists();
        }
        let function = &self.program.funcs[code.func];
        let has = |name: &str| function.attrs.iter().any(|attr| self.program.name(attr.name) == name);
        if (function.noreturn || has("noreturn")) && self.code.start != Some(frame.func) {
            return ub(UbKind::NoreturnReturns);
        }
        if let Some(value) = value
            && has("malloc")
            && self
                .memory
                .live(value.prov)
                .is_some_and(|slot| value.has_prov() && slot.serial <= frame.serial)
        {
            return ub_about(UbKind::MallocBroken, value.prov, String::new());
        }
        if let Some(value) = value
            && let Some(attr) =
                function.attrs.iter().find(|attr| self.program.name(attr.name) == "assume_aligned")
            && let Some(AttrArg::Int(align)) = attr.args.first()
        {
            let offset = match attr.args.get(1) {
                Some(AttrArg::Int(offset)) => *offset,
                _ => 0,
            };
            let from = Value { low: value.low.wrapping_sub(offset as u64), ..*value };
            let align = u32::try_from(*align).unwrap_or(1);
            if value.has_prov() && !self.is_aligned(&from, align) {
                return ub_about(UbKind::AlignedBroken, value.prov, String::new());
            }
        }
        if let Some(value) = value
            && has("returns_nonnull")
            && value.low == 0
            && !value.has_prov()
        {
            return ub(UbKind::ReturnsNonnullBroken);
        }
        self.check_va_lists()
    }
}
