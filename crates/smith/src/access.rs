//! What reading and writing means for facts and effects, and when it may be done.

use crate::effects::{self, Deed};
use crate::maker::Maker;
use crate::place::{Leaves, ORDER, Part, Shape, Slot, Step};
use crate::sets::{Set, Sets};

impl Maker<'_> {
    fn may_read_leaves(&self, leaves: Leaves) -> bool {
        if !self.options.analysis {
            return true;
        }
        let touches = |func: u32| effects::writes(&self.done[func as usize].touched, leaves);
        self.log.may_read(leaves, touches) && self.ambient.iter().all(|log| log.may_read(leaves, touches))
    }

    fn may_write_leaves(&self, leaves: Leaves) -> bool {
        if !self.options.analysis {
            return true;
        }
        let touches = |func: u32| {
            let touched = &self.done[func as usize].touched;
            effects::writes(touched, leaves) || effects::reads(touched, leaves)
        };
        self.log.may_write(leaves, touches) && self.ambient.iter().all(|log| log.may_write(leaves, touches))
    }

    /// Whether a part may be read beside all that has no order with here.
    pub(crate) fn may_read(&self, part: Part, volatile: bool) -> bool {
        let data = self.places.part(part);
        (!volatile || self.may_write_leaves(ORDER))
            && self.may_read_leaves(data.leaves)
            && (!data.of_union || self.holds(part))
    }

    /// Whether every union around a part holds the member that the part is in.
    fn holds(&self, part: Part) -> bool {
        if !self.options.analysis {
            return true;
        }
        let mut at = part;
        while let Some(parent) = self.places.part(at).parent {
            if !self.holds_member(parent, at) {
                return false;
            }
            at = parent;
        }
        true
    }

    /// Whether `parent` is no union, or holds this member of it.
    fn holds_member(&self, parent: Part, part: Part) -> bool {
        let data = self.places.part(parent);
        let (Shape::Union, Some(slot), Step::Member(_, at) | Step::Inner(at)) =
            (data.shape, data.slot, self.places.part(part).step)
        else {
            return true;
        };
        self.sets.only_member(self.facts.get(&self.initial, slot)) == Some(at)
    }

    /// Whether a part may be written: nothing that has no order with here touches it, it is locked nowhere, and the
    /// loops around allow what becomes of the union it is in. With `from`, what was made since then is stored in it.
    pub(crate) fn may_write(&mut self, part: Part, volatile: bool, from: Option<usize>) -> bool {
        let data = self.places.part(part);
        let (leaves, of_union, parent) = (data.leaves, data.of_union, data.parent);
        if self.places.is_locked(leaves) {
            return false;
        }
        let from = from.filter(|_| !of_union);
        let free = match from {
            Some(start) => {
                // What is stored comes first: only what it assigns itself has no order with the store.
                self.log.with();
                let free = self.may_write_leaves(leaves)
                    && self.may_store(start, leaves)
                    && (!volatile || self.may_write_leaves(ORDER) && self.may_store(start, ORDER));
                self.log.beside(start);
                free
            }
            None => self.may_write_leaves(leaves) && (!volatile || self.may_write_leaves(ORDER)),
        };
        if !free || !of_union {
            return free;
        }
        let Some(parent) = parent else { return true };
        let union = self.places.part(parent);
        match (union.shape, union.slot, self.places.part(part).step) {
            // A member: the union holds it from here on.
            (Shape::Union, Some(slot), Step::Member(_, at)) => {
                let member = self.sets.member(at);
                self.holds(parent) && self.may_become(slot, member)
            }
            // Part of a member: the union must hold that already.
            _ => self.holds(part),
        }
    }

    fn may_store(&self, start: usize, leaves: Leaves) -> bool {
        !self.options.analysis || self.log.may_store(start, leaves)
    }

    fn note_reads(&mut self, leaves: Leaves) {
        self.log.push(Deed::Read(leaves.0, leaves.1));
        self.frames.iter_mut().for_each(|frame| frame.touched.read(leaves.0, leaves.1));
    }

    fn note_writes(&mut self, leaves: Leaves) {
        self.log.push(Deed::Write(leaves.0, leaves.1));
        self.frames.iter_mut().for_each(|frame| frame.touched.write(leaves.0, leaves.1));
    }

    /// Takes note that a volatile variable of a block is initialised, if the expressions around this function allow it.
    pub(crate) fn declares_volatile(&mut self) -> bool {
        let touches = |func: u32| effects::writes(&self.done[func as usize].touched, ORDER);
        let free = self.ambient.iter().all(|log| log.may_write(ORDER, touches));
        if free {
            self.frames.iter_mut().for_each(|frame| frame.touched.write(ORDER.0, ORDER.1));
        }
        free
    }

    /// Takes note that a part is read.
    pub(crate) fn note_read(&mut self, part: Part, volatile: bool) {
        let leaves = self.places.part(part).leaves;
        self.rely_on_unions(part);
        self.note_reads(leaves);
        if volatile {
            self.note_writes(ORDER);
        }
    }

    /// Takes note that a part is written; `exact` if it certainly is, all of it.
    pub(crate) fn note_write(&mut self, part: Part, volatile: bool, exact: bool) {
        let data = self.places.part(part);
        let (leaves, parent, step) = (data.leaves, data.parent, data.step);
        self.note_writes(leaves);
        if volatile {
            self.note_writes(ORDER);
        }
        let Some(parent) = parent.filter(|_| self.places.part(part).of_union) else { return };
        let union = self.places.part(parent);
        match (union.shape, union.slot, step) {
            (Shape::Union, Some(slot), Step::Member(_, at)) => {
                self.rely_on_unions(parent);
                let member = self.sets.member(at);
                self.becomes(slot, member, !exact);
            }
            _ => self.rely_on_unions(part),
        }
    }

    /// What unions around a part hold is relied on.
    fn rely_on_unions(&mut self, part: Part) {
        if !self.places.part(part).of_union {
            return;
        }
        let mut at = self.places.part(part).parent;
        while let Some(part) = at {
            let data = self.places.part(part);
            at = data.parent;
            if let (Shape::Union, Some(slot)) = (data.shape, data.slot) {
                self.state(slot);
            }
        }
    }

    /// The state of a pointer or a union here. Functions around that did not make it rely on it.
    pub(crate) fn state(&mut self, slot: Slot) -> Set {
        let part = self.places.slots[slot.0 as usize];
        let global = self.places.is_global(part);
        for frame in &mut self.frames {
            if (global || part < frame.before) && !frame.needs.contains(&slot) {
                frame.needs.push(slot);
            }
        }
        self.facts.get(&self.initial, slot)
    }

    /// The state of a pointer or a union, to look at only.
    pub(crate) fn peek(&self, slot: Slot) -> Set {
        self.facts.get(&self.initial, slot)
    }

    /// The states of everything in a part.
    pub(crate) fn states(&mut self, part: Part) -> Vec<Set> {
        let slots: Vec<Slot> = self.places.slots_of(part).collect();
        slots.into_iter().map(|slot| self.state(slot)).collect()
    }

    /// Whether a state may change to this: in a loop only as far as its head allows.
    pub(crate) fn may_become(&mut self, slot: Slot, set: Set) -> bool {
        if !self.options.analysis {
            return true;
        }
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

    /// A state changes; with `maybe` it may also be as before.
    pub(crate) fn becomes(&mut self, slot: Slot, set: Set, maybe: bool) {
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

    /// Whether everything in a part may take these states.
    pub(crate) fn may_take(&mut self, part: Part, sets: &[Set]) -> bool {
        let slots: Vec<Slot> = self.places.slots_of(part).collect();
        slots.into_iter().zip(sets).all(|(slot, &set)| self.may_become(slot, set))
    }

    /// Everything in a part takes these states.
    pub(crate) fn takes(&mut self, part: Part, sets: &[Set], maybe: bool) {
        let slots: Vec<Slot> = self.places.slots_of(part).collect();
        for (slot, &set) in slots.into_iter().zip(sets) {
            self.becomes(slot, set, maybe);
        }
    }

    /// Whether a value with these states may outlive the block: it points to nothing that ends with it.
    pub(crate) fn is_lasting(&self, sets: &[Set], before: Part) -> bool {
        sets.iter().all(|&set| self.sets.parts(set).all(|part| self.places.is_global(part) || part < before))
    }

    /// Whether reading this would read a pointer to what is no more.
    pub(crate) fn has_garbage(&self, sets: &[Set]) -> bool {
        self.options.analysis && sets.iter().any(|&set| self.sets.has(set, crate::sets::Target::GARBAGE))
    }

    /// What either of two values may be.
    pub(crate) fn either(&mut self, one: &[Set], two: &[Set]) -> Vec<Set> {
        let pairs: Vec<(Set, Set)> = one.iter().copied().zip(two.iter().copied()).collect();
        pairs.into_iter().map(|(one, two)| self.sets.union(one, two)).collect()
    }

    /// The states that no value has yet.
    pub(crate) fn no_sets(count: usize) -> Vec<Set> {
        vec![Sets::NONE; count]
    }
}
