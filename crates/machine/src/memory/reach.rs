//! Who can reach an allocation, for `setjmp` and `longjmp`.
//!
//! C17 7.13.2.1p3 lets only automatic objects of the function that called `setjmp` lose what was stored since. Compilers
//! lose more: allocated memory whose address never left that function is kept in registers, and both gcc (through a
//! call that does not return) and clang forget the store. What older objects or static ones point to they leave alone.
//!
//! An allocation's *anchor* is the number of the oldest allocation from which pointers lead to it, static objects
//! counting as the oldest of all. It only sinks: what once was reachable may be known to others.

use super::access::Place;
use super::{Memory, Prov};
use crate::value::AllocKind;

/// What is known about who can reach an allocation. Times are counts of calls of `setjmp`.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Reach {
    /// The number of the oldest allocation that leads to it.
    anchor: u64,
    /// When the anchor was found.
    anchored: u32,
    /// When it was last stored to.
    stored: u32,
}

impl Reach {
    /// Of a new allocation.
    pub(super) fn of(kind: AllocKind, serial: u64) -> Reach {
        Reach { anchor: if kind == AllocKind::Static { 0 } else { serial }, anchored: 0, stored: 0 }
    }
}

impl Memory {
    /// From now on it is remembered who can reach what.
    pub fn watch_jumps(&mut self) {
        self.jumps = Some(0);
    }

    /// `setjmp` was called with a buffer, which everybody can reach from now on; the time it is now.
    pub fn mark_jump(&mut self, buffer: Prov) -> u32 {
        let now = self.jumps.unwrap_or(0);
        self.sink(buffer, 0, now);
        self.jumps = Some(now.saturating_add(1));
        now.saturating_add(1)
    }

    /// Whether allocated memory was stored to since the time `since` that only the function that then called `setjmp`
    /// could reach: `frame` allocations were older than its call, and `serial` were made before `setjmp`.
    pub fn may_lose_stores(&mut self, since: u32, frame: u64, serial: u64) -> bool {
        self.charge(8 * self.slots.len() as u64);
        self.slots.iter().any(|slot| {
            let own = slot.serial > frame && slot.serial <= serial;
            let known = slot.reach.anchor <= frame && slot.reach.anchored < since;
            slot.live && slot.kind == AllocKind::Heap && slot.reach.stored >= since && own && !known
        })
    }

    /// An allocation is stored to.
    #[inline]
    pub fn note_store(&mut self, slot: u32) {
        if let Some(now) = self.jumps {
            self.slots[slot as usize].reach.stored = now;
        }
    }

    /// A pointer is stored at a place.
    #[inline]
    pub(super) fn note_pointer(&mut self, place: &Place, prov: Prov) {
        if let Some(now) = self.jumps {
            let anchor = self.slots[place.slot as usize].reach.anchor;
            self.sink(prov, anchor, now);
        }
    }

    /// Bytes were copied to a place, pointers among them.
    pub(super) fn note_pointers(&mut self, place: &Place, len: u32) {
        let Some(now) = self.jumps else { return };
        if self.is_plain(place.at, len) {
            return;
        }
        let anchor = self.slots[place.slot as usize].reach.anchor;
        for (_, prov, _) in self.pointers_in(place.at, len) {
            self.sink(prov, anchor, now);
        }
    }

    /// An allocation, and what it leads to, can be reached from allocation number `anchor`.
    fn sink(&mut self, prov: Prov, anchor: u64, now: u32) {
        if self.live(prov).is_none_or(|slot| slot.reach.anchor <= anchor) {
            return;
        }
        let mut work = vec![prov];
        while let Some(prov) = work.pop() {
            let Some(slot) = self.live(prov).filter(|slot| slot.reach.anchor > anchor) else { continue };
            let (data, size) = (slot.data, slot.size);
            let reach = &mut self.slots[prov.slot as usize].reach;
            (reach.anchor, reach.anchored) = (anchor, now);
            self.charge(u64::from(size));
            work.extend(self.pointers_in(data, size).into_iter().map(|(_, prov, _)| prov));
        }
    }
}
