//! Pointers in memory, byte by byte: programs copy and swap them as characters (C17 6.2.6.1p4).
//!
//! A word whose bytes are one pointer's, each in its place, has its provenance in `Memory::words`. Any other byte of a
//! pointer is in `Memory::pieces`; when the bytes of a word are those of one pointer again, they become a word.

use super::{Memory, shadow};
use crate::value::{AllocKind, Prov};

impl Memory {
    /// The provenance of the pointer that begins at a place, if all bytes there are its own.
    pub(super) fn prov_at(&self, at: u32) -> Option<Prov> {
        let size = self.pointer_size();
        if at & (size - 1) == 0 {
            let prov = self.word(at);
            return (prov.slot != 0).then_some(prov);
        }
        let (prov, _) = self.fragment_at(at)?;
        (0..size).all(|place| self.fragment_at(at + place) == Some((prov, place))).then_some(prov)
    }

    /// The pointer that a byte belongs to, and which of its bytes it is.
    pub(super) fn fragment_at(&self, at: u32) -> Option<(Prov, u32)> {
        let start = at & !(self.pointer_size() - 1);
        let prov = self.word(start);
        if prov.slot != 0 { Some((prov, at - start)) } else { self.pieces.get(&at).copied() }
    }

    /// Pointers and pieces of them in a range: offset, provenance, and the place of a single byte.
    pub(super) fn pointers_in(&self, from: u32, len: u32) -> Vec<(u32, Prov, Option<u32>)> {
        let size = self.pointer_size();
        let mut found = Vec::new();
        let mut i = 0;
        while i < len {
            let at = from + i;
            if self.shadow_at(at) & shadow::POINTER == 0 {
                i += 1;
                continue;
            }
            let whole = i + size <= len && self.shadows(at, size).all(|byte| byte & shadow::POINTER != 0);
            match self.prov_at(at) {
                Some(prov) if whole => {
                    found.push((i, prov, None));
                    i += size;
                }
                _ => {
                    if let Some((prov, place)) = self.fragment_at(at) {
                        found.push((i, prov, Some(place)));
                    }
                    i += 1;
                }
            }
        }
        found
    }

    /// Whether an allocation has no pointers in it and nobody else has one to it, but for automatic objects that are
    /// younger than `serial`.
    pub fn is_unshared(&mut self, prov: Prov, serial: u64) -> bool {
        self.charge(self.used);
        let Some(own) = self.live(prov) else { return true };
        if !self.is_plain(own.data, own.size) && !self.pointers_in(own.data, own.size).is_empty() {
            return false;
        }
        self.slots.iter().all(|slot| {
            let ending = slot.serial > serial && slot.kind != AllocKind::Heap;
            if !slot.live || ending || slot.func.is_some() || self.is_plain(slot.data, slot.size) {
                return true;
            }
            let mut pointers = self.pointers_in(slot.data, slot.size).into_iter();
            pointers.all(|(_, held, _)| (held.slot, held.generation) != (prov.slot, prov.generation))
        })
    }

    /// Puts a pointer, or one byte of it, where no pointer is any more.
    pub(super) fn place_pointer(&mut self, at: u32, prov: Prov, piece: Option<u32>) {
        let size = self.pointer_size();
        match piece {
            Some(place) => self.place_piece(at, prov, place),
            None if at & (size - 1) == 0 => {
                self.set_word(at, prov);
                self.flag(at, size, 0, shadow::POINTER);
            }
            None => (0..size).for_each(|place| self.place_piece(at + place, prov, place)),
        }
    }

    fn place_piece(&mut self, at: u32, prov: Prov, place: u32) {
        let size = self.pointer_size();
        let start = at & !(size - 1);
        let is_pointer = |memory: &Memory, at: u32| memory.shadow_at(at) & shadow::POINTER != 0;
        let word = self.word(start);
        if word.slot != 0 {
            self.set_word(start, Prov::default());
            for other in (start..start + size).filter(|&other| other != at) {
                if is_pointer(self, other) {
                    self.pieces.insert(other, (word, other - start));
                }
            }
        }
        self.flag(at, 1, 0, shadow::POINTER);
        self.pieces.insert(at, (prov, place));
        // A word is one pointer's as soon as no byte says otherwise: it may be read before it is whole.
        let alone =
            |byte: u32| !is_pointer(self, byte) || self.pieces.get(&byte) == Some(&(prov, byte - start));
        if (start..start + size).all(alone) {
            for byte in start..start + size {
                self.pieces.remove(&byte);
            }
            self.set_word(start, prov);
        }
    }
}
