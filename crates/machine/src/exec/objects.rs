//! Objects: making, ending, copying and clearing them, and what their sizes must be.

use super::sequence::How;
use super::watch::VOLATILE_ACCESS;
use super::{Exec, pointers};
use crate::memory::{Death, Request, shadow};
use crate::op::{AllocSpec, Compiled, Reg};
use crate::outcome::{Limit, Run, Stop, ub, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Prov, Value};

/// Why objects end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Control leaves their block.
    Block,
    /// Their function returns.
    Return,
}

impl<'p> Exec<'p> {
    pub(super) fn enter(&mut self, scope: u32) -> Run<()> {
        self.scopes.push((self.autos.len(), scope));
        let scope = &self.function().scopes[scope as usize];
        for &reg in &scope.unset {
            self.set(reg, Value::UNINIT);
        }
        for &(reg, spec) in &scope.objects {
            let pointer = self.make(spec)?;
            self.autos.push(pointer.prov);
            self.set(reg, pointer);
        }
        if scope.restrict {
            let mark = self.scopes.last().map_or(0, |&(mark, _)| mark);
            // Blocks end with their automatic objects; this stands for one where there may be none.
            if !scope.statics.is_empty() || !scope.restricted.is_empty() {
                self.autos.push(Prov::default());
            }
            if scope.body && (self.function().restrict || self.function().behind) {
                self.watch.extend_block(&self.autos[mark..]);
            } else {
                self.watch.open_block(mark, &self.autos[mark..]);
            }
            let statics: Vec<Prov> = scope.statics.iter().map(|&reg| self.get(reg).prov).collect();
            self.watch.extend_block(&statics);
            for &reg in &scope.restricted {
                self.name_restrict(reg);
            }
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        if let Some((mark, _)) = self.scopes.pop() {
            self.release_to(mark, Ending::Block);
        }
    }

    pub(super) fn release_to(&mut self, mark: usize, ending: Ending) {
        let kept = self.watch.close_blocks(mark);
        self.memory.give_up(kept);
        while self.autos.len() > mark {
            if let Some(prov) = self.autos.pop() {
                if prov.kind == AllocKind::Vla {
                    self.stack_used = self.stack_used.saturating_sub(u64::from(prov.hi));
                    if let Some(frame) = self.frames.last_mut() {
                        frame.stack = frame.stack.saturating_sub(u64::from(prov.hi));
                    }
                }
                let death = Death { pos: self.pos, returned: ending == Ending::Return };
                if prov.kind == AllocKind::Vla && ending == Ending::Block {
                    self.release_allocas(prov, death);
                }
                self.memory.release(prov, death);
            }
        }
    }

    /// GNU C: with an array of variable length goes what `alloca` gave after it was made.
    fn release_allocas(&mut self, vla: Prov, death: Death) {
        let Some(serial) = self.memory.live(vla).map(|slot| slot.serial) else { return };
        let Some(frame) = self.frames.last_mut() else { return };
        let memory = &mut self.memory;
        frame.allocas.retain(|&prov| {
            let younger = memory.live(prov).is_some_and(|slot| slot.serial > serial);
            if younger {
                memory.release(prov, death);
            }
            !younger
        });
    }

    /// Makes an object.
    pub(super) fn make(&mut self, spec: u32) -> Run<Value> {
        let spec: &'p AllocSpec = &self.code.specs[spec as usize];
        self.make_sized(spec, spec.size)
    }

    pub(super) fn make_sized(&mut self, spec: &AllocSpec, size: u64) -> Run<Value> {
        let zero = spec.kind == AllocKind::Static;
        let pointer = self.memory.allocate(&Request {
            kind: spec.kind,
            size,
            align: spec.align,
            ty: Some(spec.ty),
            elem: spec.elem,
            retypable: spec.retypable,
            object: spec.object,
            pos: spec.pos,
            shadow: if zero { 0 } else { shadow::UNINIT },
        })?;
        if spec.qualified {
            self.mark_qualified(&pointer, spec.ty, size);
        }
        if spec.kind == AllocKind::Temporary {
            self.set_flag(&pointer, 0, size, shadow::CONST);
        }
        Ok(pointer)
    }

    pub(super) fn set_flag(&mut self, pointer: &Value, offset: u64, size: u64, flag: u8) {
        let Some(slot) = self.memory.live(pointer.prov) else { return };
        let (data, room) = (slot.data, u64::from(slot.size));
        let (start, end) = (offset.min(room), (offset + size).min(room));
        self.memory.flag(data + start as u32, (end - start) as u32, 0, flag);
    }

    /// Marks the const and volatile parts of a new object.
    pub(super) fn mark_qualified(&mut self, pointer: &Value, ty: howler_lang::ty::Type, size: u64) {
        use howler_lang::ty::{Quals, TypeKind};
        let program = self.program;
        let mut work = vec![(ty, 0u64, size)];
        while let Some((ty, offset, size)) = work.pop() {
            if size == 0 {
                continue;
            }
            let quals = program.types.strip(ty).quals();
            if quals.contains(Quals::CONST) {
                self.set_flag(pointer, offset, size, shadow::CONST);
            }
            if quals.contains(Quals::VOLATILE) {
                self.set_flag(pointer, offset, size, shadow::VOLATILE);
            }
            match program.types.kind(ty) {
                TypeKind::Array { elem, .. } if crate::lower::is_qualified(program, elem) => {
                    let quals = elem.quals();
                    if !quals.is_empty() {
                        work.push((elem, offset, size));
                    }
                    if let Some(each) = program.size_of(elem).filter(|&each| each > 0)
                        && matches!(program.types.kind(elem), TypeKind::Record(_) | TypeKind::Array { .. })
                    {
                        let mut at = 0;
                        while at + each <= size {
                            work.push((elem, offset + at, each));
                            at += each;
                        }
                    }
                }
                // Members of a union share their bytes: which one is qualified is a matter of the access.
                TypeKind::Record(id)
                    if program.types.records[id].kind == howler_lang::ty::RecordKind::Union => {}
                TypeKind::Record(id) => {
                    let Some(layout) = program.layouts.record(&program.types, id) else { continue };
                    for (field, place) in program.types.records[id].fields.iter().zip(layout.fields.iter()) {
                        if program.size_of(field.ty) == Some(0) {
                            continue;
                        }
                        // Bit-fields share bytes with others: const ones are left to the compiler's own check.
                        if place.width.is_none() && crate::lower::is_qualified(program, field.ty) {
                            let size = program.size_of(field.ty).unwrap_or(0);
                            work.push((field.ty, offset + place.byte(), size));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn copy_object(&mut self, transfer: u32) -> Run<()> {
        let code: &'p Compiled = self.code;
        let transfer = &code.transfers[transfer as usize];
        let (to, to_root) = (*self.get(transfer.to.0), *self.get(transfer.to.1));
        let (from, from_root) = (*self.get(transfer.from.0), *self.get(transfer.from.1));
        let to_access = &code.accesses[transfer.to.2 as usize];
        let from_access = &code.accesses[transfer.from.2 as usize];
        if to_access.size == 0 {
            return Ok(());
        }
        if to_access.volatile || from_access.volatile {
            self.watch_effect(VOLATILE_ACCESS)?;
            self.trace_open = true;
        }
        if self.seq.is_active() || self.watch.is_active() {
            self.touch_bits(&from, (0, u64::from(from_access.size) * 8), How::default())?;
            let written = How { write: true, initial: to_access.initial, ..How::default() };
            self.touch_bits(&to, (0, u64::from(to_access.size) * 8), written)?;
        }
        self.memory.copy_object(
            self.program,
            (&to, &to_root, to_access),
            (&from, &from_root, from_access),
        )?;
        if transfer.whole { self.check_parts_set(&from, from_access.ty) } else { Ok(()) }
    }

    /// An assignment between objects that overlap must be exact (C17 6.5.16.1p3).
    pub(super) fn overlap(
        &mut self,
        to: Reg,
        from: Reg,
        to_size: u32,
        from_size: u32,
        same: bool,
    ) -> Run<()> {
        let (to, from) = (*self.get(to), *self.get(from));
        if !to.has_prov() || !from.has_prov() || !pointers::same_object(&to, &from) {
            return Ok(());
        }
        let exact = to.low == from.low && to_size == from_size && same;
        let apart = to.low >= from.low.wrapping_add(u64::from(from_size))
            || from.low >= to.low.wrapping_add(u64::from(to_size));
        if exact || apart { Ok(()) } else { ub(UbKind::OverlapAssign) }
    }

    /// A parameter that points to arrays of a size known only here must get a pointer to such (C17 6.7.6.2p6).
    pub(super) fn param_size(&mut self, param: u32, size: Reg) -> Run<()> {
        let size = self.usable(size)?.low;
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let given = frame.given.get(param as usize).and_then(|&ty| self.program.types.pointee(ty));
        let Some(given) = given.and_then(|to| self.program.size_of(to)) else { return Ok(()) };
        if given == size {
            return Ok(());
        }
        let caller = self.frames.len().checked_sub(2).map(|caller| &self.frames[caller]);
        if let Some(caller) = caller {
            self.pos =
                self.code.funcs[caller.func as usize].positions[(caller.pc as usize).saturating_sub(1)];
            self.keep_pos = true;
        }
        self.letter(UbKind::VlaBounds, Prov::default())?;
        self.keep_pos = false;
        Ok(())
    }

    /// Reading a whole object that nothing was stored to, and whose address is never taken (C17 6.3.2.1p2).
    pub(super) fn some_set(&mut self, addr: Reg, size: u32) -> Run<()> {
        let pointer = *self.get(addr);
        let place = self.memory.place(&pointer, size, 1)?;
        let unset = self.memory.shadows(place.at, size).all(|byte| byte & shadow::UNINIT != 0);
        if unset && size > 0 { self.letter(UbKind::UninitCopy, pointer.prov) } else { Ok(()) }
    }

    pub(super) fn copy_string(&mut self, to: Reg, from: Reg, size: u32) -> Run<()> {
        let (to, from) = (*self.get(to), *self.get(from));
        let target = self.memory.place(&to, size, 1)?;
        let source = self.memory.place(&from, size, 1)?;
        self.memory.copy(source.at, target.at, size);
        Ok(())
    }

    /// Takes an object's value away.
    pub(super) fn unset(&mut self, addr: Reg, size: u32) -> Run<()> {
        if size == 0 {
            return Ok(());
        }
        let pointer = *self.get(addr);
        let place = self.memory.place(&pointer, size, 1)?;
        self.memory.set(place.at, size, 0, Marks::UNINIT);
        self.memory.forget_types(&place, size);
        Ok(())
    }

    pub(super) fn zero(&mut self, addr: Reg, size: u32) -> Run<()> {
        if size == 0 {
            return Ok(());
        }
        let pointer = *self.get(addr);
        let wide = Value { prov: Prov { wide: true, ..pointer.prov }, ..pointer };
        let place = self.memory.place(&wide, size, 1)?;
        self.memory.set(place.at, size, 0, Marks::NONE);
        self.memory.forget_types(&place, size);
        Ok(())
    }

    /// A read without a use that is undefined: no compiler keeps it.
    pub(super) fn dropped(&self, read: Run<()>, about: &Value) -> Run<()> {
        match read {
            Err(Stop::Ub(_)) => self.letter(UbKind::DroppedRead, about.prov),
            other => other,
        }
    }

    pub(super) fn zero_rest(&mut self, addr: Reg, size: u32) -> Run<()> {
        if size == 0 {
            return Ok(());
        }
        let pointer = *self.get(addr);
        let wide = Value { prov: Prov { wide: true, ..pointer.prov }, ..pointer };
        let place = self.memory.place(&wide, size, 1)?;
        for at in place.at..place.at + size {
            self.memory.zero_unset(at);
        }
        Ok(())
    }

    pub(super) fn pad(&mut self, addr: Reg, pads: u32) -> Run<()> {
        let code: &'p Compiled = self.code;
        let pointer = *self.get(addr);
        let Some(slot) = self.memory.live(pointer.prov) else { return Ok(()) };
        let start = pointer.low.wrapping_sub(slot.address);
        let (data, size) = (slot.data, u64::from(slot.size));
        let padding = &code.pads[pads as usize];
        for &(offset, mask) in &padding.bits {
            if start + u64::from(offset) < size {
                self.memory.make_bits_unspecified(data + start as u32 + offset, mask);
            }
        }
        for &(offset, len) in &padding.bytes {
            if start + u64::from(offset) + u64::from(len) <= size {
                self.memory.make_unspecified(data + start as u32 + offset, len);
            }
        }
        Ok(())
    }

    pub(super) fn tail(&mut self, addr: Reg, union: u32, member: u32) -> Run<()> {
        let pointer = *self.get(addr);
        let Some(slot) = self.memory.live(pointer.prov) else { return Ok(()) };
        let start = pointer.low.wrapping_sub(slot.address);
        let (data, size) = (slot.data, u64::from(slot.size));
        if start + u64::from(union) <= size {
            self.memory.make_unspecified(data + start as u32 + member, union - member);
        }
        Ok(())
    }

    pub(super) fn vla(&mut self, dst: Reg, spec: u32, size: Reg) -> Run<()> {
        let size = self.usable(size)?;
        let spec: &'p AllocSpec = &self.code.specs[spec as usize];
        self.charge_stack(size.low)?;
        let pointer = self.make_sized(spec, size.low)?;
        self.autos.push(pointer.prov);
        self.set(dst, pointer);
        Ok(())
    }

    /// Takes stack from the current frame's budget.
    pub(super) fn charge_stack(&mut self, size: u64) -> Run<()> {
        self.stack_used = self.stack_used.saturating_add(size);
        if self.stack_used > self.limits.stack {
            return Err(Stop::Limit(Limit::Stack));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.stack += size;
        }
        Ok(())
    }

    pub(super) fn bound(&mut self, num: u8, dst: Reg, a: Reg) -> Run<()> {
        let value = self.usable(a)?;
        let number = self.code.nums[num as usize].number(value.to_bits());
        if number <= 0 {
            return crate::outcome::ub_about(
                UbKind::VlaSize,
                Prov::default(),
                format!("the bound is {number}"),
            );
        }
        let size = u64::try_from(number).unwrap_or(u64::MAX);
        self.set(dst, Value::int(size).marked(value.marks.intersection(Marks::OPEN)));
        Ok(())
    }

    /// Compilers evaluate the bound of a parameter and then forget it.
    pub(super) fn param_bound(&mut self, num: u8, a: Reg) -> Run<()> {
        let value = self.usable(a)?;
        if self.code.nums[num as usize].number(value.to_bits()) <= 0 {
            return self.letter(UbKind::ParamBound, Prov::default());
        }
        Ok(())
    }

    /// No compiler can make an object of half the address space; what `sizeof` says of such a type is anyone's guess.
    pub(super) fn vla_size(&mut self, dst: Reg, count: Reg, elem: Reg) -> Run<()> {
        let (count, elem) = (self.usable(count)?, self.usable(elem)?);
        let most = u64::MAX >> (65 - 8 * self.memory.pointer_size());
        let Some(size) = count.low.checked_mul(elem.low).filter(|&size| size <= most) else {
            return unsupported("an array of half the address space or more");
        };
        let open = count.marks.union(elem.marks).intersection(Marks::OPEN);
        self.set(dst, Value::int(size).marked(open));
        Ok(())
    }
}
