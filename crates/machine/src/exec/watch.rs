//! Promises about memory that hold over a stretch of a run: `restrict` (C17 6.7.3.1), and the attributes pure and
//! const. Accesses are looked at only while such a promise is open.

use super::Exec;
use crate::outcome::{Run, ub_about};
use crate::ub::UbKind;
use crate::value::{AllocKind, Prov, Value};
use howler_lang::ty::{Quals, Type};
use rustc_hash::FxHashMap;

/// Everything that is being watched.
#[derive(Default)]
pub(super) struct Watch {
    /// Blocks with restrict pointers, outermost first.
    blocks: Vec<Block>,
    /// Whether the first of them is that of `main`, for pointers of file scope.
    whole: bool,
    /// Calls of pure and const functions.
    pures: Vec<Pure>,
    /// What a pointer can be based on: the restrict pointer's object, and what its value was based on. The first
    /// entry is nothing.
    bases: Vec<Basis>,
    /// For the slot of a restrict pointer and its offset there: the bases that it was in its lifetime, the last of them.
    known: FxHashMap<(u32, u32), Vec<u32>>,
    /// Blocks that are over, to be used again: calls with restrict parameters open one each.
    spare: Vec<Block>,
}

/// How many bases of one pointer are looked through for one that is known: it has another only if it was given a value
/// that is based on something else.
const MOST_BASES: usize = 16;

/// How many blocks that are over are kept, and how much room each may have.
const MOST_SPARE: usize = 16;
const MOST_ROOM: usize = 256;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Basis {
    slot: u32,
    generation: u32,
    offset: u32,
    parent: u32,
    /// It points to a const type.
    to_const: bool,
}

/// One execution of a block that declares restrict pointers.
#[derive(Default)]
struct Block {
    /// How many automatic objects there were before it.
    mark: usize,
    /// Its objects.
    objects: Vec<(u32, u32)>,
    /// How many values its restrict pointers were given.
    stamp: u32,
    /// Which of those each of them was given last.
    assigned: FxHashMap<(u32, u32, u32), u32>,
    /// Who accessed the chunks of eight bytes of allocations, by slot and chunk.
    accesses: Accesses,
}

/// For each chunk, a list of who accessed which of its bits; the lists are parts of one vector.
#[derive(Default)]
struct Accesses {
    first: FxHashMap<(u32, u64), u32>,
    all: Vec<Accessed>,
    /// Lists of allocations that others have taken the place of.
    free: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Accessed {
    /// Of the allocation; all of a list have the same.
    generation: u32,
    basis: u32,
    read: u64,
    written: u64,
    /// The block's stamp at the time.
    stamp: u32,
    next: Option<u32>,
}

impl Accesses {
    /// The first of the list of a chunk.
    fn first(&self, slot: u32, generation: u32, chunk: u64) -> Option<u32> {
        let &first = self.first.get(&(slot, chunk))?;
        (self.all[first as usize].generation == generation).then_some(first)
    }

    /// The list that starts with this one.
    fn list(&self, first: Option<u32>) -> impl Iterator<Item = &Accessed> {
        let entry = |index: u32| &self.all[index as usize];
        std::iter::successors(first.map(entry), move |one| one.next.map(entry))
    }

    /// Adds to the list of a chunk. One of an allocation that had the same slot before is forgotten.
    fn add(&mut self, slot: u32, chunk: u64, new: Accessed) {
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
        let before = self.first.insert((slot, chunk), index);
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

    fn clear(&mut self) {
        self.first.clear();
        self.all.clear();
        self.free = None;
    }
}

/// A call of a function that promises to have no effects.
struct Pure {
    /// How deep it is in the stack of frames.
    depth: usize,
    /// How many allocations there were: younger ones are its own.
    serial: u64,
    /// Promises not to read either.
    reads_nothing: bool,
    /// How much allocated memory there was.
    heap: u64,
}

/// A restrict pointer of a block: the object it is, and whether it points to a const type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Owner {
    place: (u32, u32, u32),
    to_const: bool,
}

impl Watch {
    #[inline]
    pub(super) fn is_active(&self) -> bool {
        !self.blocks.is_empty() || !self.pures.is_empty()
    }

    /// A block with restrict pointers begins; its objects are these.
    pub(super) fn open_block(&mut self, mark: usize, objects: &[Prov]) {
        let mut block = self.spare.pop().unwrap_or_default();
        block.mark = mark;
        block.objects.extend(objects.iter().map(|prov| (prov.slot, prov.generation)));
        self.blocks.push(block);
    }

    /// `main` begins: restrict pointers that no block declares belong to it (C17 6.7.3.1p2).
    pub(super) fn open_main(&mut self, objects: &[Prov]) {
        if !objects.is_empty() {
            self.open_block(0, objects);
            self.whole = true;
        }
    }

    /// `main` has returned.
    pub(super) fn close_main(&mut self) {
        self.whole = false;
        self.close_blocks(0);
    }

    /// The block of a function's parameters is that of its body: it has these objects too.
    pub(super) fn extend_block(&mut self, objects: &[Prov]) {
        if let Some(block) = self.blocks.last_mut() {
            block.objects.extend(objects.iter().map(|prov| (prov.slot, prov.generation)));
        }
    }

    /// Objects made after `mark` have ended.
    #[inline]
    pub(super) fn close_blocks(&mut self, mark: usize) {
        let kept = usize::from(self.whole);
        while self.blocks.len() > kept && self.blocks.last().is_some_and(|block| block.mark >= mark) {
            let Some(mut block) = self.blocks.pop() else { return };
            let room = block.accesses.first.capacity().max(block.accesses.all.capacity());
            if self.spare.len() < MOST_SPARE && room.max(block.assigned.capacity()) <= MOST_ROOM {
                block.accesses.clear();
                block.assigned.clear();
                block.objects.clear();
                block.stamp = 0;
                self.spare.push(block);
            }
        }
    }

    pub(super) fn open_pure(&mut self, depth: usize, serial: u64, reads_nothing: bool, heap: u64) {
        self.pures.push(Pure { depth, serial, reads_nothing, heap });
    }

    #[inline]
    pub(super) fn close_pures(&mut self, depth: usize) {
        while self.pures.last().is_some_and(|pure| pure.depth > depth) {
            self.pures.pop();
        }
    }

    fn intern(&mut self, basis: Basis) -> u32 {
        if self.bases.is_empty() {
            self.bases.push(Basis::default());
        }
        let known = self.known.entry((basis.slot, basis.offset)).or_default();
        let bases = &mut self.bases;
        if known.first().is_some_and(|&id| bases[id as usize].generation != basis.generation) {
            known.clear();
        }
        if let Some(&id) = known.iter().rev().find(|&&id| bases[id as usize] == basis) {
            return id;
        }
        let id = bases.len() as u32;
        bases.push(basis);
        if known.len() >= MOST_BASES {
            known.remove(0);
        }
        known.push(id);
        id
    }

    /// Whether a pointer with this basis is based on an object of the block, and on which.
    fn based_on(&self, mut basis: u32, block: &Block) -> Option<Owner> {
        while basis != 0 {
            let step = self.bases.get(basis as usize)?;
            if block.objects.contains(&(step.slot, step.generation)) {
                let place = (step.slot, step.generation, step.offset);
                return Some(Owner { place, to_const: step.to_const });
            }
            basis = step.parent;
        }
        None
    }

    /// The block a restrict pointer belongs to, counted from the outside; those of no block belong to all.
    fn level(&self, slot: u32, generation: u32) -> usize {
        self.blocks
            .iter()
            .position(|block| block.objects.contains(&(slot, generation)))
            .map_or(0, |level| level + 1)
    }
}

impl Exec<'_> {
    /// A restrict pointer was read: its value is based on it.
    pub(super) fn based(&mut self, holder: &Value, ty: Type, mut value: Value) -> Value {
        if let Some(slot) = self.memory.live(holder.prov)
            && value.has_prov()
        {
            let offset = holder.low.wrapping_sub(slot.address) as u32;
            let Prov { slot, generation, .. } = holder.prov;
            let parent = value.prov.basis;
            let own = self.watch.bases.get(parent as usize).is_some_and(|basis| {
                parent != 0 && (basis.slot, basis.generation, basis.offset) == (slot, generation, offset)
            });
            if !own {
                let types = &self.program.types;
                let to_const = types.pointee(ty).is_some_and(|to| types.quals(to).contains(Quals::CONST));
                value.prov.basis = self.watch.intern(Basis { slot, generation, offset, parent, to_const });
            }
        }
        value
    }

    /// A restrict pointer gets a value: it may not be based on another one of the same block or an inner one.
    pub(super) fn check_restrict_store(&mut self, holder: &Value, value: &Value) -> Run<()> {
        if !value.has_prov() {
            return Ok(());
        }
        let Prov { slot, generation, .. } = holder.prov;
        let level = self.watch.level(slot, generation);
        let offset =
            self.memory.live(holder.prov).map_or(0, |slot| holder.low.wrapping_sub(slot.address) as u32);
        if level > 0 {
            let block = &mut self.watch.blocks[level - 1];
            block.stamp = block.stamp.saturating_add(1);
            block.assigned.insert((slot, generation, offset), block.stamp);
        }
        let mut basis = value.prov.basis;
        while basis != 0 {
            let Some(&step) = self.watch.bases.get(basis as usize) else { break };
            let own = (step.slot, step.generation, step.offset) == (slot, generation, offset);
            let lives = self
                .memory
                .live(Prov { slot: step.slot, generation: step.generation, ..Prov::default() })
                .is_some();
            if !own && lives && self.watch.level(step.slot, step.generation) >= level && level > 0 {
                return self.letter(UbKind::RestrictAssign, holder.prov);
            }
            if own {
                break;
            }
            basis = step.parent;
        }
        Ok(())
    }

    /// An access while a promise is open; the range is in bits from the start of the allocation.
    pub(super) fn watch_access(&mut self, pointer: &Value, lo: u64, hi: u64, write: bool) -> Run<()> {
        self.watch_pure(pointer, write)?;
        let Prov { slot, generation, basis, .. } = pointer.prov;
        for level in 0..self.watch.blocks.len() {
            let own = self.watch.based_on(basis, &self.watch.blocks[level]);
            for chunk in lo / 64..hi.div_ceil(64) {
                let mask = bits(lo, hi, chunk);
                let block = &self.watch.blocks[level];
                let first = block.accesses.first(slot, generation, chunk);
                let known = || block.accesses.list(first);
                let modified =
                    known().fold(if write { mask } else { 0 }, |all, one| all | one.written) & mask;
                let given = own.and_then(|owner| block.assigned.get(&owner.place)).copied().unwrap_or(0);
                let stamp = block.stamp;
                let mut early = false;
                for other in known() {
                    let both = other.read | other.written;
                    if both & modified != 0 && self.watch.based_on(other.basis, block) != own {
                        if other.stamp >= given {
                            return ub_about(UbKind::RestrictAccess, pointer.prov, String::new());
                        }
                        early = true;
                    }
                }
                // No compiler looks at what was done before the pointer had its value.
                if early {
                    self.letter(UbKind::RestrictEarly, pointer.prov)?;
                }
                // All accesses are based on the pointer; no compiler asks whether it may modify.
                if modified != 0 && own.is_some_and(|owner| owner.to_const) {
                    self.letter(UbKind::RestrictConst, pointer.prov)?;
                }
                let (read, written) = if write { (0, mask) } else { (mask, 0) };
                let accesses = &mut self.watch.blocks[level].accesses;
                let mut at = first;
                while let Some(index) = at {
                    let known = &mut accesses.all[index as usize];
                    let same = known.stamp == stamp || (known.read | known.written) & !mask == 0;
                    if known.basis == basis && same {
                        known.read |= read;
                        known.written |= written;
                        known.stamp = stamp;
                        break;
                    }
                    at = known.next;
                }
                if at.is_none() {
                    let next = None;
                    accesses.add(slot, chunk, Accessed { generation, basis, read, written, stamp, next });
                }
            }
        }
        Ok(())
    }

    pub(super) fn watch_pure(&mut self, pointer: &Value, write: bool) -> Run<()> {
        let Some(slot) = self.memory.live(pointer.prov) else { return Ok(()) };
        let constant = matches!(slot.kind, AllocKind::String)
            || slot.size > 0 && self.memory.shadow_at(slot.data) & crate::memory::shadow::CONST != 0;
        for pure in &self.watch.pures {
            let outside = slot.serial <= pure.serial;
            if outside && (write || pure.reads_nothing && !constant) {
                return ub_about(UbKind::PureBroken, pointer.prov, String::new());
            }
        }
        Ok(())
    }

    /// The program does what is an effect though it stores nothing: it prints, ends, asks for a call at the end.
    pub(super) fn watch_effect(&mut self, what: &str) -> Run<()> {
        if self.watch.pures.is_empty() {
            return Ok(());
        }
        ub_about(UbKind::PureBroken, Prov::default(), what.to_owned())
    }

    /// A jump ends all frames above `depth`.
    pub(super) fn watch_jump(&mut self, depth: usize) -> Run<()> {
        if self.watch.pures.last().is_some_and(|pure| pure.depth > depth) {
            return ub_about(UbKind::PureBroken, Prov::default(), "it does not return".to_owned());
        }
        Ok(())
    }

    /// A pure function returns: two calls must be as good as one, so it may not leave new memory behind.
    pub(super) fn watch_pure_return(&mut self) -> Run<()> {
        if self.watch.pures.last().is_some_and(|pure| self.memory.heap > pure.heap) {
            let what = "it leaves memory behind that it allocated".to_owned();
            return ub_about(UbKind::PureBroken, Prov::default(), what);
        }
        Ok(())
    }
}

fn bits(lo: u64, hi: u64, chunk: u64) -> u64 {
    let ones = |count: u64| if count >= 64 { u64::MAX } else { (1 << count) - 1 };
    ones(hi.saturating_sub(chunk * 64).min(64)) & !ones(lo.saturating_sub(chunk * 64).min(64))
}
