//! Whether a call keeps what types and attributes promise: arguments of variable lists, nonnull, noreturn, malloc.

use super::Exec;
use crate::lower::Promises;
use crate::op::FuncCode;
use crate::outcome::{Run, ub, ub_about, unsupported};
use crate::ub::UbKind;
use crate::value::Value;
use howler_lang::arith;
use howler_lang::correspond;
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
                types.is_void(ty) || matches!(types.kind(ty), TypeKind::Int(kind) if kind.is_character())
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
                arith::Num::Int { width: b, signed: true }.number(value.to_bits()) >= 0
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

    /// Promises about the arguments.
    pub(super) fn check_promises(&mut self, promises: &Promises, args: &[(Value, Type)]) -> Run<()> {
        let Some(named) = &promises.nonnull else { return Ok(()) };
        for (index, (value, ty)) in args.iter().enumerate() {
            let counts = named.is_empty() || named.contains(&index);
            let pointer = counts && self.program.types.pointee(*ty).is_some();
            if pointer && value.low == 0 && !value.has_prov() {
                return ub(UbKind::NonnullBroken);
            }
        }
        Ok(())
    }

    /// Promises about what happens during a call, which begins.
    pub(super) fn begin_promises(&mut self, promises: &Promises, args: &[(Value, Type)]) -> Run<()> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        if !promises.alloc_size.is_empty() {
            frame.returned_size = promised_size(promises, args)?;
        }
        let serial = frame.serial;
        if promises.pure {
            self.watch.open_pure(self.frames.len(), serial, promises.reads_nothing, self.memory.heap);
        }
        Ok(())
    }

    /// The function that was called goes by another name, which promises this.
    pub(super) fn promised_by_alias(&mut self, promises: &'p Promises, args: &[(Value, Type)]) -> Run<()> {
        self.check_promises(promises, args)?;
        self.begin_promises(promises, args)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.alias = Some(promises);
        }
        Ok(())
    }

    /// Promises about the end of a call.
    pub(super) fn check_return(&mut self, value: Option<&Value>) -> Run<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let code: &'p FuncCode = &self.code.funcs[frame.func as usize];
        let (serial, alias, size) = (frame.serial, frame.alias, frame.returned_size);
        for promises in code.promises.as_deref().into_iter().chain(alias) {
            self.check_end(promises, serial, value)?;
        }
        if let (Some(value), Some(size)) = (value, size)
            && value.has_prov()
            && let Some(slot) = self.memory.live(value.prov)
            && value.low.wrapping_sub(slot.address).checked_add(size) != Some(u64::from(slot.size))
        {
            // To compilers the object has that size: what reaches beyond it is another one.
            return unsupported("memory of another size than 'alloc_size' says");
        }
        self.check_va_lists()
    }

    fn check_end(&mut self, promises: &Promises, serial: u64, value: Option<&Value>) -> Run<()> {
        if promises.noreturn {
            return ub(UbKind::NoreturnReturns);
        }
        if promises.pure {
            self.watch_pure_return()?;
        }
        if let Some(value) = value {
            let live = self.memory.live(value.prov).filter(|_| value.has_prov());
            if promises.fresh && live.is_some_and(|slot| slot.serial <= serial) {
                return ub_about(UbKind::MallocBroken, value.prov, String::new());
            }
            // Nor may it hold pointers, or others point to it.
            if promises.fresh && value.has_prov() && !self.memory.is_unshared(value.prov, serial) {
                let what = "pointers lead to the object, or from it to others".to_owned();
                return ub_about(UbKind::MallocBroken, value.prov, what);
            }
            if let Some((align, offset)) = promises.aligned {
                let from = Value { low: value.low.wrapping_sub(offset as u64), ..*value };
                if value.has_prov() && !self.is_aligned(&from, align) {
                    return ub_about(UbKind::AlignedBroken, value.prov, String::new());
                }
            }
            if promises.returns_nonnull && value.low == 0 && !value.has_prov() {
                return ub(UbKind::ReturnsNonnullBroken);
            }
        }
        Ok(())
    }
}

/// How much memory `alloc_size` says is returned; none if the arguments do not say it.
fn promised_size(promises: &Promises, args: &[(Value, Type)]) -> Run<Option<u64>> {
    let mut size = None;
    for factors in &promises.alloc_size {
        let mut product = Some(1u64);
        for &factor in factors {
            let Some((value, _)) = args.get(factor) else { return Ok(None) };
            product = product.and_then(|product| product.checked_mul(value.low));
        }
        let Some(product) = product else { return unsupported("an 'alloc_size' beyond all memory") };
        if size.replace(product).is_some_and(|other| other != product) {
            return unsupported("two sizes of one object by 'alloc_size'");
        }
    }
    Ok(size)
}
