//! What is known of all pointers at a point of the program.

use crate::place::{Places, Slot};
use crate::sets::{Set, Sets};

/// The facts at a point: the set of each pointer. One that is not listed has what it was initialised with: variables may
/// be made while others already have their facts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Facts {
    /// By slot, in order.
    known: Vec<(Slot, Set)>,
}

/// What pointers are initialised with, by slot.
#[derive(Default)]
pub(crate) struct Initial(Vec<Set>);

impl Initial {
    pub(crate) fn set(&mut self, slot: Slot, set: Set) {
        let at = slot.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, Sets::NULL);
        }
        self.0[at] = set;
    }

    pub(crate) fn get(&self, slot: Slot) -> Set {
        self.0.get(slot.0 as usize).copied().unwrap_or(Sets::NULL)
    }
}

impl Facts {
    pub(crate) fn get(&self, initial: &Initial, slot: Slot) -> Set {
        match self.known.binary_search_by_key(&slot, |&(slot, _)| slot) {
            Ok(at) => self.known[at].1,
            Err(_) => initial.get(slot),
        }
    }

    pub(crate) fn set(&mut self, slot: Slot, set: Set) {
        match self.known.binary_search_by_key(&slot, |&(slot, _)| slot) {
            Ok(at) => self.known[at].1 = set,
            Err(at) => self.known.insert(at, (slot, set)),
        }
    }

    /// What holds if either holds.
    pub(crate) fn join(&mut self, other: &Facts, sets: &mut Sets, initial: &Initial) {
        for &(slot, theirs) in &other.known {
            let ours = self.get(initial, slot);
            if ours != theirs {
                self.set(slot, sets.union(ours, theirs));
            }
        }
        for at in 0..self.known.len() {
            let (slot, ours) = self.known[at];
            let theirs = other.get(initial, slot);
            self.known[at].1 = sets.union(ours, theirs);
        }
    }

    /// Variables have gone: what pointed to them points to garbage, and their own pointers are forgotten.
    pub(crate) fn bury(&mut self, sets: &mut Sets, places: &Places) {
        self.known.retain(|&(slot, _)| !places.of(places.slots[slot.0 as usize]).dead);
        for (_, set) in &mut self.known {
            *set = sets.buried(*set, |part| places.of(part).dead);
        }
    }
}
