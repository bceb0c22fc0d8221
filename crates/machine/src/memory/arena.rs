//! The arena: where the bytes of allocations are, and how they are given back.
//!
//! A byte that nobody has set costs nothing. New memory of the host is all zeros, and a shadow is kept such that zero
//! means "never set" (`RAW`); so an object is made without being filled, and only the pages of it that were changed
//! are noted, where a byte gets its first value (the slow way of a store), and washed when it ends. A range of the
//! arena is free to be used again at once: who a pointer belongs to is decided by its generation, never by its bytes.
//! Addresses are another matter: where they are given out late, it is for a run to have other ones (`Placement`).

use super::{Memory, shadow};
use crate::outcome::{Limit, Run, Stop};
use crate::value::Prov;
use std::collections::VecDeque;

/// Bytes of a page: the smallest part of a large object that is washed or copied for itself.
const PAGE_SHIFT: u32 = 8;
const PAGE: u32 = 1 << PAGE_SHIFT;

/// Bytes of the arena that share a table of provenances.
const WORDS_SHIFT: u32 = 10;

/// What the shadow of a byte differs by where it is stored: zero is a byte that was never set.
pub(super) const RAW: u8 = shadow::UNINIT;

/// Dead addresses of one class that are not given out again, where they are reused late.
const LATE: usize = 64;

/// Bytes the arena has at first.
const FIRST: usize = 1 << 14;

/// The addresses of a run whose objects are apart from each other.
#[derive(Default)]
pub(super) struct Addresses {
    /// The next one that was never used.
    next: u64,
    /// The end of them.
    end: u64,
    /// Whether dead ones are used again before all are used up.
    reuse: bool,
    /// Bytes left free before each object.
    gap: u64,
    /// Dead ones by size class, the longest dead first.
    dead: Vec<VecDeque<u64>>,
}

impl Addresses {
    /// Addresses from `start` to `end`, in a manner drawn from `seed`.
    pub(super) fn new(start: u64, end: u64, seed: u64) -> Addresses {
        let narrow = end <= 1 << 32;
        Addresses {
            next: start,
            end,
            reuse: narrow || seed >> 10 & 3 != 0,
            gap: (seed >> 20 & 1) * 16,
            dead: vec![VecDeque::new(); 33],
        }
    }

    /// An address with room for `1 << class` bytes from it.
    fn take(&mut self, class: usize) -> Option<u64> {
        let end = self.next.checked_add(self.gap + (1 << class)).filter(|&end| end <= self.end);
        let dead = &mut self.dead[class];
        if dead.len() > LATE || end.is_none() {
            return dead.pop_front();
        }
        let start = self.next + self.gap;
        self.next = end?;
        Some(start)
    }

    fn give_back(&mut self, class: usize, start: u64) {
        if self.reuse {
            self.dead[class].push_back(start);
        }
    }
}

/// A range of the arena and the address of its bytes.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Range {
    /// The first byte to be used.
    pub(super) data: u32,
    /// Where the range begins.
    pub(super) start: u32,
    /// Its size is two to this power.
    pub(super) class: u8,
    /// The address of the first byte to be used.
    pub(super) address: u64,
    /// Where the room around that address begins, if addresses are not those of the arena.
    pub(super) room: u64,
}

fn class_of(size: u32, align: u32) -> Run<u8> {
    let room = u64::from(size.max(1)) + if align > 16 { u64::from(align) } else { 0 };
    let class = room.max(16).next_power_of_two().trailing_zeros();
    if class > 31 { Err(Stop::Limit(Limit::Memory)) } else { Ok(class as u8) }
}

impl Memory {
    /// Finds room for `size` bytes. They are as if they had never been set.
    pub(super) fn take_range(&mut self, size: u32, align: u32) -> Run<Range> {
        let class = class_of(size, align)?;
        let start = match self.free_ranges[usize::from(class)].pop() {
            Some(start) => start,
            None => self.grow(1 << class)?,
        };
        let (data, address, room) = self.address_of(start, class, align)?;
        Ok(Range { data, start, class, address, room })
    }

    /// The first byte of a range that an object with this alignment may use, and its address.
    fn address_of(&mut self, start: u32, class: u8, align: u32) -> Run<(u32, u64, u64)> {
        let align = u64::from(align.max(1));
        match &mut self.apart {
            None => {
                let address = (self.bias + u64::from(start)).next_multiple_of(align);
                let data = u32::try_from(address - self.bias).map_err(|_| Stop::Limit(Limit::Memory))?;
                Ok((data, address, 0))
            }
            Some(apart) => {
                // One more byte than the object has is never another's: one past is no object's address.
                let room = apart.take(usize::from(class) + 1).ok_or(Stop::Limit(Limit::Memory))?;
                // No more aligned than what is asked for, or a program that relies on luck would always have it.
                let gap = if align < 16 { align } else { 0 };
                Ok((start, (room + gap).next_multiple_of(align), room))
            }
        }
    }

    /// Makes the arena longer by a range of `room` bytes, a power of two.
    fn grow(&mut self, room: u32) -> Run<u32> {
        // Pages are washed as wholes: one belongs to ranges of less than a page, or to one range.
        let start = u64::from(self.top).next_multiple_of(u64::from(room.min(PAGE)));
        let end = start + u64::from(room);
        if end > u64::from(u32::MAX) || end > self.limit.saturating_mul(3) + (1 << 20) {
            return Err(Stop::Limit(Limit::Memory));
        }
        let end = end as u32;
        if end as usize > self.data.len() {
            self.extend((end as usize).max(FIRST).next_power_of_two());
        }
        self.top = end;
        Ok(start as u32)
    }

    /// Moves the arena to a larger place; pages nobody has changed stay with the host.
    fn extend(&mut self, size: usize) {
        let (mut data, mut shadows) = (vec![0; size], vec![0; size]);
        for page in (0..self.dirty.len()).filter(|&page| self.dirty[page]) {
            let bytes = page << PAGE_SHIFT..(page + 1) << PAGE_SHIFT;
            data[bytes.clone()].copy_from_slice(&self.data[bytes.clone()]);
            shadows[bytes.clone()].copy_from_slice(&self.shadows[bytes]);
        }
        self.data = data;
        self.shadows = shadows;
        self.dirty.resize(size >> PAGE_SHIFT, false);
        self.words.resize_with(size.div_ceil(1 << WORDS_SHIFT), || None);
    }

    /// Bytes are about to be changed that may never have been.
    #[inline]
    pub(super) fn soil(&mut self, at: u32, len: u32) {
        if len > 0 {
            let (first, last) = ((at >> PAGE_SHIFT) as usize, ((at + len - 1) >> PAGE_SHIFT) as usize);
            if first == last {
                self.dirty[first] = true;
            } else {
                self.dirty[first..=last].fill(true);
            }
        }
    }

    /// The parts of a range that have some byte that may have been set; between them all is as new.
    pub(super) fn soiled(&self, at: u32, len: u32) -> Vec<(u32, u32)> {
        let end = at + len;
        let mut parts: Vec<(u32, u32)> = Vec::new();
        let pages = if len == 0 { 0..0 } else { at >> PAGE_SHIFT..((end - 1) >> PAGE_SHIFT) + 1 };
        for page in pages.filter(|&page| self.dirty[page as usize]) {
            let start = (page << PAGE_SHIFT).max(at);
            let room = ((page + 1) << PAGE_SHIFT).min(end) - start;
            match parts.last_mut() {
                // Nothing may be cut in two: a pointer can lie across pages.
                Some((known, len)) if *known + *len == start => *len += room,
                _ => parts.push((start, room)),
            }
        }
        parts
    }

    /// Makes the end of a live object, from `at` on, as new.
    pub(super) fn wash(&mut self, at: u32, len: u32) {
        if len < PAGE {
            self.wash_bytes(at, len);
            return;
        }
        let end = at + len;
        let mut start = at;
        while start < end {
            let page = start >> PAGE_SHIFT;
            let stop = ((page + 1) << PAGE_SHIFT).min(end);
            if self.dirty[page as usize] {
                self.wash_bytes(start, stop - start);
                // What is left of the page, if anything, is another part of the same object.
                self.dirty[page as usize] = stop - start < PAGE;
                self.work += u64::from(PAGE) / super::BYTES_PER_STEP / 4;
            }
            start = stop;
        }
    }

    fn wash_bytes(&mut self, at: u32, len: u32) {
        let bytes = at as usize..at as usize + len as usize;
        self.data[bytes.clone()].fill(0);
        self.shadows[bytes].fill(0);
    }

    /// Gives back what an object had: its bytes at once, its address as the run's placement says.
    pub(super) fn give_back(&mut self, range: Range, size: u32) {
        let Range { data, start, class, room, .. } = range;
        self.wash(data, size);
        self.free_ranges[usize::from(class)].push(start);
        if let Some(apart) = &mut self.apart {
            apart.give_back(usize::from(class) + 1, room);
        }
    }

    /// An object ends and another begins with its bytes: where those can stay, their new address.
    pub(super) fn take_over(&mut self, range: Range, size: u32, align: u32) -> Run<Option<Range>> {
        let class = class_of(size, align)?;
        // Smaller objects may keep a large range; not much larger, or programs that shrink would keep everything.
        if class > range.class || class + 2 < range.class {
            return Ok(None);
        }
        let Range { data: old, start, class, room: old_room, .. } = range;
        let (data, address, room) = self.address_of(start, class, align)?;
        if data != old {
            return Ok(None);
        }
        if let Some(apart) = &mut self.apart {
            apart.give_back(usize::from(class) + 1, old_room);
        }
        Ok(Some(Range { data, start, class, address, room }))
    }

    /// The provenance of a word.
    #[inline]
    pub(super) fn word(&self, at: u32) -> Prov {
        match &self.words[(at >> WORDS_SHIFT) as usize] {
            Some(words) => words[(at & ((1 << WORDS_SHIFT) - 1)) as usize >> self.word_shift],
            None => Prov::default(),
        }
    }

    /// Sets the provenance of a word.
    #[inline]
    pub(super) fn set_word(&mut self, at: u32, prov: Prov) {
        let count = 1 << (WORDS_SHIFT - self.word_shift);
        let words = self.words[(at >> WORDS_SHIFT) as usize]
            .get_or_insert_with(|| vec![Prov::default(); count].into_boxed_slice());
        words[(at & ((1 << WORDS_SHIFT) - 1)) as usize >> self.word_shift] = prov;
    }
}
