//! Who accessed what in a block with restrict pointers: for each chunk of eight bytes of an allocation, a list. What it
//! means is `watch`'s matter.

use super::Owner;
use rustc_hash::FxHashMap;

/// How many chunks are looked through one by one; beyond that they are indexed.
const FEW_CHUNKS: usize = 8;

/// For each chunk, a list of who accessed which of its bits; the lists are parts of one vector.
#[derive(Default)]
pub(super) struct Accesses {
    heads: Vec<Head>,
    /// The positions of the heads, if they are more than a few.
    index: FxHashMap<(u32, u64), u32>,
    all: Vec<Accessed>,
    /// Lists of allocations that others have taken the place of.
    free: Option<u32>,
}

/// The list of a chunk of a slot, and who stands first in it.
#[derive(Clone, Copy, Debug)]
struct Head {
    chunk: (u32, u64),
    first: u32,
}

/// One of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accessed {
    /// Of the allocation; all of a list have the same.
    pub generation: u32,
    /// What it was based on in this block.
    pub own: Option<Owner>,
    pub read: u64,
    pub written: u64,
    /// What is in one memory location with bit-fields that were written.
    pub beside: u64,
    /// The block's stamp at the time.
    pub stamp: u32,
    pub next: Option<u32>,
}

impl Accesses {
    /// The first of the list of a chunk.
    pub(super) fn first(&self, slot: u32, generation: u32, chunk: u64) -> Option<u32> {
        let first = self.heads[self.head((slot, chunk))?].first;
        (self.all[first as usize].generation == generation).then_some(first)
    }

    fn head(&self, chunk: (u32, u64)) -> Option<usize> {
        if self.heads.len() <= FEW_CHUNKS {
            return self.heads.iter().position(|head| head.chunk == chunk);
        }
        self.index.get(&chunk).map(|&at| at as usize)
    }

    /// Makes an entry the first of a chunk's list; gives what it was before.
    fn set_first(&mut self, chunk: (u32, u64), first: u32) -> Option<u32> {
        if let Some(at) = self.head(chunk) {
            return Some(std::mem::replace(&mut self.heads[at].first, first));
        }
        self.heads.push(Head { chunk, first });
        let unindexed = if self.heads.len() <= FEW_CHUNKS { self.heads.len() } else { self.index.len() };
        for at in unindexed..self.heads.len() {
            self.index.insert(self.heads[at].chunk, at as u32);
        }
        None
    }

    /// The list that starts with this one.
    pub(super) fn list(&self, first: Option<u32>) -> impl Iterator<Item = &Accessed> {
        let entry = |index: u32| &self.all[index as usize];
        std::iter::successors(first.map(entry), move |one| one.next.map(entry))
    }

    pub(super) fn entry(&mut self, index: u32) -> &mut Accessed {
        &mut self.all[index as usize]
    }

    /// Adds to the list of a chunk. One of an allocation that had the same slot before is forgotten.
    pub(super) fn add(&mut self, slot: u32, chunk: u64, new: Accessed) {
        let index = match self.free {
            Some(free) => {
                self.free = self.all[free as usize].next;
                free
            }
            None => {
                self.all.push(new);
                self.all.len() as u32 - 1
            }
        };
        let before = self.set_first((slot, chunk), index);
        let own = before.filter(|&first| self.all[first as usize].generation == new.generation);
        self.all[index as usize] = Accessed { next: own, ..new };
        if let Some(old) = before.filter(|_| own.is_none()) {
            let mut last = old;
            while let Some(next) = self.all[last as usize].next {
                last = next;
            }
            self.all[last as usize].next = self.free;
            self.free = Some(old);
        }
    }

    /// The bytes that it takes.
    pub(super) fn size(&self) -> u64 {
        (self.all.len() * size_of::<Accessed>() + self.heads.len() * size_of::<Head>()) as u64
    }

    /// How much room it has.
    pub(super) fn room(&self) -> usize {
        self.index.capacity().max(self.all.capacity())
    }

    pub(super) fn clear(&mut self) {
        self.heads.clear();
        self.index.clear();
        self.all.clear();
        self.free = None;
    }
}
