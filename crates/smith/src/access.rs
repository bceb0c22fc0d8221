//! Reading and writing: which lvalues may be used here, and what that means for facts and effects.

use howler_lang::program::ExprId;
use howler_lang::ty::Type;

use crate::effects::{self, Deed};
use crate::maker::{Made, Maker};
use crate::place::{Leaf, Part, Slot};
use crate::sets::{Set, Sets, Target};

/// An lvalue: how it is written, and which parts it may be.
pub(crate) struct Lvalue {
    pub(crate) e: ExprId,
    /// One part if no pointer is followed, or if there is one thing only that it can point to.
    pub(crate) parts: Vec<Part>,
    /// Whether an assignment is one to the only part, all of it.
    pub(crate) exact: bool,
    pub(crate) ty: Type,
}

impl Maker<'_> {
    /// Whether leaves may be read beside all that has no order with here.
    pub(crate) fn may_read(&self, leaves: (Leaf, Leaf)) -> bool {
        let touches = |func: u32| effects::writes(&self.done[func as usize].touched, leaves);
        self.log.may_read(leaves, touches) && self.ambient.iter().all(|log| log.may_read(leaves, touches))
    }

    pub(crate) fn may_write(&self, leaves: (Leaf, Leaf)) -> bool {
        let touches = |func: u32| {
            let touched = &self.done[func as usize].touched;
            effects::writes(touched, leaves) || effects::reads(touched, leaves)
        };
        self.log.may_write(leaves, touches) && self.ambient.iter().all(|log| log.may_write(leaves, touches))
    }

    /// Takes note that leaves are read.
    pub(crate) fn reads(&mut self, leaves: (Leaf, Leaf)) {
        self.log.push(Deed::Read(leaves.0, leaves.1));
        self.frames.iter_mut().for_each(|frame| frame.touched.read(leaves.0, leaves.1));
    }

    pub(crate) fn writes(&mut self, leaves: (Leaf, Leaf)) {
        self.log.push(Deed::Write(leaves.0, leaves.1));
        self.frames.iter_mut().for_each(|frame| frame.touched.write(leaves.0, leaves.1));
    }

    /// What a pointer points to here. Functions around that did not make it need it to be so.
    pub(crate) fn points_to(&mut self, slot: Slot) -> Set {
        let part = self.places.slots[slot.0 as usize];
        let global = self.places.is_global(part);
        for frame in &mut self.frames {
            if (global || part < frame.before) && !frame.needs.contains(&slot) {
                frame.needs.push(slot);
            }
        }
        self.facts.get(&self.initial, slot)
    }

    /// Whether a pointer may be made to point to this: in a loop only as far as its head allows.
    pub(crate) fn may_point(&mut self, slot: Slot, set: Set) -> bool {
        let part = self.places.slots[slot.0 as usize];
        let global = self.places.is_global(part);
        for at in 0..self.heads.len() {
            let head = &self.heads[at];
            if !global && part >= head.before {
                continue;
            }
            let free = head.free.iter().find(|(known, _)| *known == slot).map(|&(_, set)| set);
            match free {
                Some(allowed) if self.sets.is_below(set, allowed) => {}
                _ => return false,
            }
        }
        true
    }

    /// A pointer points elsewhere from here on; with `maybe` it may also be as before.
    pub(crate) fn point(&mut self, slot: Slot, set: Set, maybe: bool) {
        let part = self.places.slots[slot.0 as usize];
        let global = self.places.is_global(part);
        for frame in &mut self.frames {
            if (global || part < frame.before) && !frame.assigns.contains(&slot) {
                frame.assigns.push(slot);
            }
        }
        let set = if maybe {
            let before = self.facts.get(&self.initial, slot);
            self.sets.union(before, set)
        } else {
            set
        };
        self.facts.set(slot, set);
    }

    /// An integer that may be read here, or none.
    pub(crate) fn readable_int(&mut self) -> Made<Option<Lvalue>> {
        if self.choices.chance("through a pointer", 1, 4)
            && let Some(found) =
                self.through_pointer(|maker, ty| maker.out.program.types.is_integer(ty), false)?
        {
            return Ok(Some(found));
        }
        let wanted = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            maker.out.program.types.is_integer(data.ty) && maker.may_read(data.leaves)
        };
        let Some(part) = self.find(wanted, false) else { return Ok(None) };
        self.direct(part).map(Some)
    }

    /// An integer that may be assigned to here, or none.
    pub(crate) fn writable_int(&mut self) -> Made<Option<Lvalue>> {
        if self.choices.chance("through a pointer", 1, 4)
            && let Some(found) =
                self.through_pointer(|maker, ty| maker.out.program.types.is_integer(ty), true)?
        {
            return Ok(Some(found));
        }
        let wanted = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            maker.out.program.types.is_integer(data.ty)
                && !maker.places.of(part).fixed
                && maker.may_write(data.leaves)
        };
        let Some(part) = self.find(wanted, false) else { return Ok(None) };
        self.direct(part).map(Some)
    }

    /// A pointer that may be assigned to here, or none.
    pub(crate) fn writable_pointer(&mut self) -> Made<Option<Lvalue>> {
        let wanted = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            data.slot.is_some() && !maker.places.of(part).fixed && maker.may_write(data.leaves)
        };
        let Some(part) = self.find(wanted, false) else { return Ok(None) };
        self.direct(part).map(Some)
    }

    /// A part by its name.
    pub(crate) fn direct(&mut self, part: Part) -> Made<Lvalue> {
        let e = self.path(part)?;
        let exact = !self.has_element(part);
        let ty = self.places.part(part).ty;
        Ok(Lvalue { e, parts: vec![part], exact, ty })
    }

    /// Something of a wanted type through a pointer that can be followed here.
    fn through_pointer(
        &mut self,
        wanted: impl Fn(&Maker, Type) -> bool,
        write: bool,
    ) -> Made<Option<Lvalue>> {
        let fits = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            let Some(slot) = data.slot else { return false };
            let to = maker.out.program.types.pointee(data.ty);
            let set = maker.facts.get(&maker.initial, slot);
            to.is_some_and(|to| wanted(maker, to)) && maker.sets.is_sound(set) && maker.may_read(data.leaves)
        };
        let Some(pointer) = self.find(fits, false) else { return Ok(None) };
        let data = self.places.part(pointer);
        let (leaves, slot) = (data.leaves, data.slot);
        let Some(slot) = slot else { return Ok(None) };
        let set = self.facts.get(&self.initial, slot);
        let parts: Vec<Part> = self.sets.parts(set).collect();
        let allowed = |part: &Part| {
            let data = self.places.part(*part);
            if write {
                !self.places.of(*part).fixed && self.may_write(data.leaves)
            } else {
                self.may_read(data.leaves)
            }
        };
        if !parts.iter().all(allowed) {
            return Ok(None);
        }
        self.points_to(slot);
        self.reads(leaves);
        let pointer = self.path(pointer)?;
        let e = self.out.deref(pointer)?;
        let ty = self.places.part(parts[0]).ty;
        let exact = parts.len() == 1 && !self.has_element(parts[0]);
        self.left -= 2;
        Ok(Some(Lvalue { e, parts, exact, ty }))
    }

    /// Reads an lvalue.
    pub(crate) fn read(&mut self, lvalue: &Lvalue) -> ExprId {
        for &part in &lvalue.parts {
            let leaves = self.places.part(part).leaves;
            self.reads(leaves);
        }
        lvalue.e
    }

    /// A value of a pointer type that may stand here, with what it points to; for one that lives as long as `global` says.
    pub(crate) fn pointer_value(&mut self, ty: Type, global: bool) -> Made<(ExprId, Set)> {
        if self.choices.chance("another pointer", 1, 3) {
            let fits = |maker: &Maker, part: Part| {
                let data = maker.places.part(part);
                let Some(slot) = data.slot else { return false };
                let set = maker.facts.get(&maker.initial, slot);
                data.ty == ty && maker.may_read(data.leaves) && !maker.sets.has(set, Target::GARBAGE)
            };
            if let Some(part) = self.find(fits, false)
                && let Some(slot) = self.places.part(part).slot
            {
                let set = self.points_to(slot);
                let leaves = self.places.part(part).leaves;
                self.reads(leaves);
                return Ok((self.path(part)?, set));
            }
        }
        let to = self.out.program.types.pointee(ty).unwrap_or(Type::INT);
        if !self.one_in("null", 20)
            && let Some(part) = self.target_for(to, global)
        {
            let e = self.path(part)?;
            let set = self.sets.one(part);
            self.left -= 2;
            return Ok((self.out.address(e)?, set));
        }
        Ok((self.out.null(ty)?, Sets::NULL))
    }
}
