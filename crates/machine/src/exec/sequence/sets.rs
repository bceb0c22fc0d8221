//! What a whole call accessed, and whether two such calls conflict.

use super::Touch;
use crate::memory::access::Update;
use crate::memory::{Memory, Slot};
use crate::value::{AllocKind, Prov};
use howler_lang::source::Pos;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a conflict is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum About {
    /// An object, by slot and generation.
    Object(u32, u32),
    /// Output, or accesses to volatile objects.
    Output,
}

/// The accesses of a call: for each chunk of eight bytes, the bits read and written.
#[derive(Clone, Debug, Default)]
pub(in crate::exec) struct CallSet {
    pub(super) chunks: FxHashMap<(u32, u32, u64), Chunk>,
    /// How many allocations there were when it began, if it is the call of a function.
    pub(super) serial: Option<u64>,
    /// Printed something.
    pub(super) output: bool,
    pub(super) volatile: bool,
    /// Where the call is.
    pub(super) pos: Pos,
    /// The points of a profile that were visited in it.
    pub(super) points: FxHashSet<u32>,
}

/// What was done to eight bytes: the bits that were read, written, and updated in a way that commutes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chunk {
    pub(super) reads: u64,
    pub(super) writes: u64,
    pub(super) updates: u64,
    /// The kind of all updates; see [`Access::update`](crate::memory::access::Access).
    pub(super) kind: Update,
}

impl Chunk {
    fn add(&mut self, other: Chunk) {
        self.reads |= other.reads;
        self.writes |= other.writes;
        if other.updates == 0 {
            return;
        }
        if self.updates != 0 && self.kind != other.kind {
            self.reads |= self.updates | other.updates;
            self.writes |= self.updates | other.updates;
            self.updates = 0;
            return;
        }
        self.updates |= other.updates;
        self.kind = other.kind;
    }

    /// Updates of one kind may come in any order: sums, and sets of bits.
    fn conflicts_with(&self, other: &Chunk) -> bool {
        let apart = if self.kind == other.kind { 0 } else { self.updates & other.updates };
        let ordered = self.writes & (other.reads | other.writes | other.updates)
            | self.reads & (other.writes | other.updates)
            | self.updates & (other.reads | other.writes);
        ordered | apart != 0
    }
}

impl CallSet {
    pub(super) fn add(&mut self, touch: &Touch) {
        for chunk in touch.lo / 64..touch.hi.div_ceil(64) {
            let mask = chunk_mask(touch, chunk);
            let done = match (touch.update, touch.write) {
                (Update::None, false) => Chunk { reads: mask, ..Chunk::default() },
                (Update::None, true) => Chunk { writes: mask, ..Chunk::default() },
                (kind, _) => Chunk { updates: mask, kind, ..Chunk::default() },
            };
            self.chunks.entry((touch.slot, touch.generation, chunk)).or_default().add(done);
        }
        self.volatile |= touch.volatile;
    }

    /// Whether an object is a local of the call's own: it is over when the call is, so that nobody else accesses it.
    pub(super) fn owns(&self, slot: &Slot) -> bool {
        let local = matches!(
            slot.kind,
            AllocKind::Automatic
                | AllocKind::Parameter
                | AllocKind::Vla
                | AllocKind::Literal
                | AllocKind::Temporary
                | AllocKind::Alloca
        );
        local && self.serial.is_some_and(|serial| slot.serial > serial)
    }

    /// Whether the call did something that can be seen after it: output, or a store to an object that lives on.
    pub(in crate::exec) fn has_effects(&self, memory: &Memory) -> bool {
        let mut stores = self.chunks.iter().filter(|(_, chunk)| chunk.writes | chunk.updates != 0);
        let lives_on = |slot, generation| memory.live(Prov { slot, generation, ..Prov::default() }).is_some();
        self.output || self.volatile || stores.any(|(&(slot, generation, _), _)| lives_on(slot, generation))
    }

    /// Leaves out objects that began after `serial` allocations and are over: nobody else can have accessed them.
    pub(super) fn leave_out_own(&mut self, memory: &Memory, serial: u64) {
        self.chunks.retain(|&(slot, generation, _), _| {
            let slot = memory.slot(slot);
            slot.generation != generation || slot.live || slot.serial <= serial
        });
    }

    pub(super) fn merge(&mut self, other: &CallSet) {
        for (&key, &chunk) in &other.chunks {
            self.chunks.entry(key).or_default().add(chunk);
        }
        self.output |= other.output;
        self.volatile |= other.volatile;
        self.points.extend(&other.points);
    }

    pub(super) fn conflicts_with(&self, other: &CallSet) -> Option<About> {
        let (few, many) = if self.chunks.len() < other.chunks.len() { (self, other) } else { (other, self) };
        let chunk = few
            .chunks
            .iter()
            .filter(|(key, chunk)| many.chunks.get(key).is_some_and(|other| chunk.conflicts_with(other)));
        // The first in the order of allocations: what is said must not depend on a hash.
        if let Some((&(slot, generation, _), _)) = chunk.min_by_key(|(key, _)| **key) {
            return Some(About::Object(slot, generation));
        }
        let visible = |set: &CallSet| set.output || set.volatile;
        (visible(self) && visible(other)).then_some(About::Output)
    }

    pub(super) fn conflicts_with_touch(&self, touch: &Touch) -> Option<About> {
        let chunks = (touch.lo / 64..touch.hi.div_ceil(64)).any(|chunk| {
            let mask = chunk_mask(touch, chunk);
            self.chunks.get(&(touch.slot, touch.generation, chunk)).is_some_and(|chunk| {
                let set = mask & (chunk.writes | chunk.updates);
                if touch.write { set | mask & chunk.reads != 0 } else { set != 0 }
            })
        });
        if chunks {
            return Some(About::Object(touch.slot, touch.generation));
        }
        (touch.volatile && (self.output || self.volatile)).then_some(About::Output)
    }
}

pub(super) fn chunk_mask(touch: &Touch, chunk: u64) -> u64 {
    let start = touch.lo.saturating_sub(chunk * 64).min(64);
    let end = touch.hi.saturating_sub(chunk * 64).min(64);
    let ones = |count: u64| if count >= 64 { u64::MAX } else { (1 << count) - 1 };
    ones(end) & !ones(start)
}
