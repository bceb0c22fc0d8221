//! Loads and stores of the program's own, and who is told of them: promises, sequencing, the volatile trace, profiles.

use super::Exec;
use super::sequence::How;
use super::watch::VOLATILE_ACCESS;
use crate::caveat::Caveat;
use crate::memory::access::{Access, Update};
use crate::memory::shadow;
use crate::op::Reg;
use crate::outcome::{Run, ub};
use crate::ub::UbKind;
use crate::value::{Marks, Value};
use howler_case::behaviour::VolatileAccess;
use howler_lang::arith::Num;

impl<'p> Exec<'p> {
    #[cold]
    pub(super) fn check_read_value(&self, value: &Value) -> Run<()> {
        if value.marks.is_unset() {
            return ub(UbKind::Uninit);
        }
        self.check_alive(value)
    }

    #[inline]
    pub(super) fn load(&mut self, dst: Reg, addr: Reg, root: Reg, access: u32, pc: usize) -> Run<()> {
        let access: &'p Access = &self.code.accesses[access as usize];
        let (pointer, root) = (*self.get(addr), *self.get(root));
        let value = self.memory.load(self.program, &pointer, &root, access)?;
        if access.volatile || self.seq.is_active() || self.watch.is_active() {
            self.at(pc);
            self.observe_access(&pointer, access, &value, false)?;
        }
        let value = if access.restrict { self.based(&pointer, access.ty, value)? } else { value };
        self.set(dst, value);
        Ok(())
    }

    #[inline]
    pub(super) fn store(&mut self, src: Reg, addr: Reg, root: Reg, access: u32, pc: usize) -> Run<()> {
        let access: &'p Access = &self.code.accesses[access as usize];
        let (pointer, root, mut value) = (*self.get(addr), *self.get(root), *self.get(src));
        if !value.marks.is_empty() {
            self.check_stored_value(&value, access)?;
        }
        if let crate::memory::access::Rep::Bool = access.rep {
            value.low &= 1;
        }
        if access.restrict {
            self.check_restrict_store(&pointer, &value)?;
        }
        if access.volatile || self.seq.is_active() || self.watch.is_active() {
            self.at(pc);
            self.observe_access(&pointer, access, &value, true)?;
        }
        self.memory.store(self.program, &pointer, &root, access, &value)?;
        if self.memory.retyped {
            self.at(pc);
            self.note_retyped();
        }
        Ok(())
    }

    /// Notes that the last store gave allocated memory another type, if it did.
    #[cold]
    pub(super) fn note_retyped(&mut self) {
        if std::mem::take(&mut self.memory.retyped)
            && !self.caveats.iter().any(|&(known, _)| known == Caveat::Retyped)
        {
            self.caveats.push((Caveat::Retyped, self.pos));
        }
    }

    #[cold]
    pub(super) fn check_stored_value(&mut self, value: &Value, access: &Access) -> Run<()> {
        if value.marks.has(Marks::UNINIT) && access.rep != crate::memory::access::Rep::Byte {
            return ub(UbKind::Uninit);
        }
        if access.rep == crate::memory::access::Rep::Pointer {
            self.check_alive(value)?;
        }
        if access.volatile && value.marks.has(Marks::OPEN) {
            self.depend(value.marks);
        }
        Ok(())
    }

    /// Records an access for the volatile trace and for sequencing.
    pub(super) fn observe_access(
        &mut self,
        pointer: &Value,
        access: &Access,
        value: &Value,
        write: bool,
    ) -> Run<()> {
        if access.volatile {
            self.watch_effect(VOLATILE_ACCESS)?;
            let (object, offset) = self.name_of(pointer);
            let word = access.size <= self.memory.pointer_size() && access.bits.is_none();
            // What depends on an address is another value elsewhere.
            let known = !value.marks.has(Marks::OPEN.union(Marks::PROVENANCE));
            self.trace_open |= !word || !known || self.seq.is_active();
            if self.trace.len() < self.limits.trace {
                let value = value.to_bits();
                self.trace.push(VolatileAccess { object, offset, size: access.size, value, write });
            } else {
                self.trace_open = true;
            }
        }
        if self.seq.is_active() || self.watch.is_active() {
            let (lo, hi) = match access.bits {
                Some(bits) => (u64::from(bits.shift), u64::from(bits.shift) + u64::from(bits.width)),
                None => (0, u64::from(access.size) * 8),
            };
            let defined_volatile = access.volatile
                && self.memory.live(pointer.prov).is_some_and(|slot| {
                    let at = slot.data + pointer.low.wrapping_sub(slot.address) as u32;
                    let end = slot.data + slot.size;
                    at < end && self.memory.shadow_at(at) & shadow::VOLATILE != 0
                });
            let (initial, update) = (access.initial, commuting(access, value));
            self.touch_bits(pointer, (lo, hi), How { write, volatile: defined_volatile, initial, update })?;
            if let (Some(bits), true, false) = (access.bits, write, initial)
                && bits.before | bits.after != 0
                && self.watch.is_active()
                && let Some(slot) = self.memory.live(pointer.prov)
            {
                let start = pointer.low.wrapping_sub(slot.address).saturating_mul(8);
                let before = start.saturating_add(lo).saturating_sub(u64::from(bits.before));
                let after = start.saturating_add(hi).saturating_add(u64::from(bits.after));
                self.watch_location(pointer, before, after)?;
            }
        }
        Ok(())
    }

    pub(super) fn name_of(&self, pointer: &Value) -> (String, u32) {
        let Some(slot) = self.memory.live(pointer.prov) else { return ("?".to_owned(), 0) };
        let offset = pointer.low.wrapping_sub(slot.address) as u32;
        let name = slot.object.and_then(|object| self.program.objects[object].name);
        (name.map_or_else(|| "?".to_owned(), |name| self.program.name(name).to_owned()), offset)
    }
}

/// The kind of an update as one that commutes with others. Sums of signed numbers commute as long as they stay small:
/// in another order each is another sum of the same summands, and only a huge number of them could overflow.
fn commuting(access: &Access, value: &Value) -> Update {
    if access.update != Update::SignedSum {
        return access.update;
    }
    let width = 8 * access.size.min(16);
    let number = Num::Int { width: width as u8, signed: true }.number(value.to_bits());
    if value.marks.is_empty() && number.unsigned_abs() < 1 << (width - 12) {
        access.update
    } else {
        Update::None
    }
}
