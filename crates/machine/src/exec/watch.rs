//! Promises about memory that hold over a stretch of a run: `restrict` (C17 6.7.3.1), and the attributes pure and
//! const. Accesses are looked at only while such a promise is open.

mod touched;

use self::touched::{Accessed, Accesses};
use super::Exec;
use crate::op::{ParamInfo, Reg};
use crate::outcome::{Run, ub_about, unsupported, with_note};
use crate::ub::UbKind;
use crate::value::{AllocKind, Prov, Value};
use howler_lang::ty::{Quals, Type};
use rustc_hash::FxHashMap;

const NEIGHBOURS: &str =
    "bit-fields of one memory location that are written through two pointers, one of them restrict";

/// What a volatile access is to a caller, whatever it does (C17 5.1.2.3p2).
pub(super) const VOLATILE_ACCESS: &str = "it accesses a volatile object";

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
    /// How many restrict pointers there were in registers.
    named: u32,
    /// What an access is based on in each block. Kept between accesses, so that none of them allocates.
    owners: Vec<Option<Owner>>,
    /// Blocks that are over, to be used again: calls with restrict parameters open one each.
    spare: Vec<Block>,
}

/// How many bases of one pointer are looked through for one that is known: it has another only if it was given a value
/// that is based on something else.
const MOST_BASES: usize = 16;

/// The slot of a restrict pointer that lives in a register is this and the register; its generation is its own. No
/// allocation has such a slot.
const IN_REGISTER: u32 = 1 << 31;

/// How many blocks that are over are kept, and how much room each may have.
const MOST_SPARE: usize = 16;
const MOST_ROOM: usize = 256;

/// Where a restrict pointer is: its slot, the slot's generation, and its offset there.
type Place = (u32, u32, u32);

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Basis {
    place: Place,
    /// The block it belongs to, counted from the outside, if it lives in a register.
    level: Option<u32>,
    /// What its value was based on.
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
    /// Those among them that no declaration makes restrict pointers: the function reached them through other pointers.
    behind: Vec<(u32, u32)>,
    /// How many values its restrict pointers were given.
    stamp: u32,
    /// Which of those each of them was given last.
    assigned: FxHashMap<Place, u32>,
    /// Who accessed the chunks of eight bytes of allocations, by slot and chunk.
    accesses: Accesses,
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
    place: Place,
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

    /// A restrict pointer in a register of the innermost block comes into being: gives its generation and its block.
    fn name(&mut self, register: usize) -> Value {
        self.named = self.named.wrapping_add(1);
        if let Some(block) = self.blocks.last_mut() {
            block.objects.push((IN_REGISTER | register as u32, self.named));
        }
        Value { high: self.blocks.len().saturating_sub(1) as u64, ..Value::int(u64::from(self.named)) }
    }

    /// The block of a function's parameters is that of its body: it has these objects too.
    pub(super) fn extend_block(&mut self, objects: &[Prov]) {
        if let Some(block) = self.blocks.last_mut() {
            block.objects.extend(objects.iter().map(|prov| (prov.slot, prov.generation)));
        }
    }

    /// A restrict pointer was read that no open block declares: what leads to it belongs to the function whose blocks start
    /// at `mark`, or to a block in it (C17 6.7.3.1p1).
    fn adopt(&mut self, mark: usize, holder: (u32, u32)) {
        if self.blocks.iter().any(|block| block.objects.contains(&holder)) {
            return;
        }
        if let Some(block) = self.blocks.iter_mut().find(|block| block.mark >= mark) {
            block.objects.push(holder);
            block.behind.push(holder);
        }
    }

    /// Whether a restrict pointer is one that was only reached.
    fn is_behind(&self, (slot, generation, _): Place) -> bool {
        self.blocks.iter().any(|block| block.behind.contains(&(slot, generation)))
    }

    /// Objects made after `mark` have ended; gives how many bytes were kept for their blocks.
    #[inline]
    pub(super) fn close_blocks(&mut self, mark: usize) -> u64 {
        let kept = usize::from(self.whole);
        let mut bytes = 0;
        while self.blocks.len() > kept && self.blocks.last().is_some_and(|block| block.mark >= mark) {
            let Some(mut block) = self.blocks.pop() else { break };
            bytes += block.accesses.size();
            if self.spare.len() < MOST_SPARE
                && block.accesses.room().max(block.assigned.capacity()) <= MOST_ROOM
            {
                block.accesses.clear();
                block.assigned.clear();
                block.objects.clear();
                block.behind.clear();
                block.stamp = 0;
                self.spare.push(block);
            }
        }
        bytes
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

    /// A basis that was never seen before.
    fn add_basis(&mut self, basis: Basis) -> u32 {
        if self.bases.is_empty() {
            self.bases.push(Basis::default());
        }
        self.bases.push(basis);
        self.bases.len() as u32 - 1
    }

    fn intern(&mut self, basis: Basis) -> u32 {
        let (slot, generation, offset) = basis.place;
        let known = self.known.entry((slot, offset)).or_default();
        let bases = &self.bases;
        if known.first().is_some_and(|&id| bases[id as usize].place.1 != generation) {
            known.clear();
        }
        if let Some(&id) = known.iter().rev().find(|&&id| bases[id as usize] == basis) {
            return id;
        }
        let id = self.add_basis(basis);
        let known = self.known.entry((slot, offset)).or_default();
        if known.len() >= MOST_BASES {
            known.remove(0);
        }
        known.push(id);
        id
    }

    /// The value of the restrict pointer at a place is based on it, unless it is already.
    fn based(&mut self, (place, level): (Place, Option<u32>), to_const: bool, value: &mut Value) {
        let parent = value.prov.basis;
        if parent != 0 && self.bases.get(parent as usize).is_some_and(|basis| basis.place == place) {
            return;
        }
        let parent = self.lasting(parent);
        value.prov.basis = self.intern(Basis { place, level, parent, to_const });
    }

    /// What has ended is never asked for again: chains are no longer than blocks are deep.
    fn lasting(&self, mut basis: u32) -> u32 {
        while let Some(ended) = self.bases.get(basis as usize).filter(|one| basis != 0 && self.has_ended(one))
        {
            basis = ended.parent;
        }
        basis
    }

    /// Whether it was in a register and its block is over.
    fn has_ended(&self, basis: &Basis) -> bool {
        basis.level.is_some() && self.level(basis.place, basis.level) == 0
    }

    /// For each block, the first of its pointers that a pointer with this basis is based on. Gives how many were looked
    /// at.
    fn find_owners(&mut self, mut basis: u32) -> u64 {
        if self.owners.len() < self.blocks.len() {
            self.owners.resize(self.blocks.len(), None);
        }
        self.owners[..self.blocks.len()].fill(None);
        let mut looked = 0;
        while basis != 0 {
            let Some(&step) = self.bases.get(basis as usize) else { break };
            if let Some(level) = step.level {
                looked += 1;
                self.set_owner(level as usize, &step);
            } else {
                looked += self.blocks.len() as u64;
                (0..self.blocks.len()).for_each(|level| self.set_owner(level, &step));
            }
            basis = step.parent;
        }
        looked
    }

    #[inline]
    fn set_owner(&mut self, level: usize, step: &Basis) {
        if let (Some(block), Some(owner @ None)) = (self.blocks.get(level), self.owners.get_mut(level))
            && block.objects.contains(&(step.place.0, step.place.1))
        {
            *owner = Some(Owner { place: step.place, to_const: step.to_const });
        }
    }

    /// The block a restrict pointer belongs to, counted from the outside from 1; those of no block belong to all. One
    /// that lives in a register knows it.
    fn level(&self, (slot, generation, _): Place, known: Option<u32>) -> usize {
        let has = |block: &Block| block.objects.contains(&(slot, generation));
        let level = match known {
            Some(level) => self.blocks.get(level as usize).filter(|block| has(block)).map(|_| level as usize),
            None => self.blocks.iter().position(has),
        };
        level.map_or(0, |level| level + 1)
    }
}

impl Exec<'_> {
    /// A restrict pointer was read: its value is based on it.
    pub(super) fn based(&mut self, holder: &Value, ty: Type, mut value: Value) -> Run<Value> {
        if let Some(slot) = self.memory.live(holder.prov)
            && value.has_prov()
        {
            let offset = holder.low.wrapping_sub(slot.address) as u32;
            let types = &self.program.types;
            let to_const = types.pointee(ty).is_some_and(|to| types.quals(to).contains(Quals::CONST));
            let Prov { slot, generation, .. } = holder.prov;
            let before = self.watch.bases.len();
            let mark = self.frames.last().map_or(0, |frame| frame.autos);
            self.watch.adopt(mark, (slot, generation));
            self.watch.based(((slot, generation, offset), None), to_const, &mut value);
            self.keep_bases(before)?;
        }
        Ok(value)
    }

    /// Pointers that are based on what is over may be anywhere: bases are kept until the run's end.
    fn keep_bases(&mut self, before: usize) -> Run<()> {
        self.memory.keep(((self.watch.bases.len() - before) * size_of::<Basis>()) as u64)
    }

    /// A scope is entered that has a restrict pointer in a register.
    pub(super) fn name_restrict(&mut self, reg: Reg) {
        let name = self.watch.name(self.base + reg as usize);
        self.set(reg + 1, name);
    }

    /// Parameters were received: restrict pointers among them that live in registers come into being.
    pub(super) fn receive_restrict(&mut self, params: &[ParamInfo]) -> Run<()> {
        let before = self.watch.bases.len();
        for param in params {
            let Some(to_const) = param.restrict else { continue };
            self.name_restrict(param.reg);
            let mut value = *self.get(param.reg);
            if value.has_prov() {
                let (place, level) = self.register_place(param.reg);
                let parent = self.watch.lasting(value.prov.basis);
                value.prov.basis = self.watch.add_basis(Basis { place, level, parent, to_const });
                self.set(param.reg, value);
            }
        }
        self.keep_bases(before)
    }

    /// Where a restrict pointer is that lives in a register, and its block.
    fn register_place(&self, reg: Reg) -> (Place, Option<u32>) {
        let name = self.get(reg + 1);
        let place = (IN_REGISTER | (self.base + reg as usize) as u32, name.low as u32, 0);
        (place, Some(name.high as u32))
    }

    /// A restrict pointer that lives in a register gets a value.
    pub(super) fn read_restrict(&mut self, dst: Reg, src: Reg, to_const: bool) -> Run<()> {
        let mut value = *self.get(src);
        if !value.marks.is_empty() {
            self.check_read_value(&value)?;
        }
        if value.has_prov() {
            let place = self.register_place(dst);
            if let Err(stop) = self.check_restrict_value(place, &value, Prov::default()) {
                let frame = self.frames.last().map(|frame| &self.code.funcs[frame.func as usize].objects);
                let object = frame.and_then(|objects| objects.iter().find(|(_, reg)| **reg == dst));
                let declared = object.map(|(&object, _)| &self.program.objects[object]);
                let Some((pos, name)) = declared.and_then(|object| Some((object.pos, object.name?))) else {
                    return Err(stop);
                };
                return Err(with_note(stop, pos, format!("'{}' is declared here", self.program.name(name))));
            }
            let before = self.watch.bases.len();
            self.watch.based(place, to_const, &mut value);
            self.keep_bases(before)?;
        }
        self.set(dst, value);
        Ok(())
    }

    /// A restrict pointer in memory gets a value.
    pub(super) fn check_restrict_store(&mut self, holder: &Value, value: &Value) -> Run<()> {
        if !value.has_prov() {
            return Ok(());
        }
        let Prov { slot, generation, .. } = holder.prov;
        let offset =
            self.memory.live(holder.prov).map_or(0, |slot| holder.low.wrapping_sub(slot.address) as u32);
        self.check_restrict_value(((slot, generation, offset), None), value, holder.prov)
    }

    /// The value may not be based on another restrict pointer of the same block or an inner one.
    fn check_restrict_value(
        &mut self,
        (place, level): (Place, Option<u32>),
        value: &Value,
        about: Prov,
    ) -> Run<()> {
        let level = self.watch.level(place, level);
        let mut basis = value.prov.basis;
        let mut own = false;
        while basis != 0 && !own {
            let Some(&step) = self.watch.bases.get(basis as usize) else { break };
            own = step.place == place;
            let (slot, generation, _) = step.place;
            // One in a register has a block as long as it lives.
            let lives = slot & IN_REGISTER != 0
                || self.memory.live(Prov { slot, generation, ..Prov::default() }).is_some();
            if !own && lives && self.watch.level(step.place, step.level) >= level && level > 0 {
                self.declared([Some(place), Some(step.place)])?;
                self.letter(UbKind::RestrictAssign, about)?;
                break;
            }
            basis = step.parent;
        }
        // A pointer that moves on is based on itself: what it was before counts.
        if level > 0 && !own {
            let block = &mut self.watch.blocks[level - 1];
            block.stamp = block.stamp.saturating_add(1);
            block.assigned.insert(place, block.stamp);
        }
        Ok(())
    }

    /// Which block a restrict pointer belongs to that was reached through another pointer is known roughly: a conflict is
    /// not sure to be one then.
    fn declared(&self, places: [Option<Place>; 2]) -> Run<()> {
        if places.into_iter().flatten().any(|place| self.watch.is_behind(place)) {
            return unsupported("a conflict about a restrict pointer that another pointer leads to");
        }
        Ok(())
    }

    /// An access while a promise is open; the range is in bits from the start of the allocation.
    pub(super) fn watch_access(&mut self, pointer: &Value, lo: u64, hi: u64, write: bool) -> Run<()> {
        if !self.watch.pures.is_empty() {
            self.watch_pure(pointer, write)?;
        }
        let Prov { slot, generation, basis, .. } = pointer.prov;
        // Recursion opens any number of blocks, the library accesses any number of chunks.
        let looked = self.watch.find_owners(basis);
        let chunks = (hi.div_ceil(64) - lo / 64).saturating_mul(self.watch.blocks.len() as u64);
        self.memory.charge(chunks.saturating_add(looked).saturating_mul(64));
        for level in 0..self.watch.blocks.len() {
            let own = self.watch.owners[level];
            for chunk in lo / 64..hi.div_ceil(64) {
                let mask = bits(lo, hi, chunk);
                let block = &self.watch.blocks[level];
                let first = block.accesses.first(slot, generation, chunk);
                let stamp = block.stamp;
                let (mut modified, mut others) = (if write { mask } else { 0 }, false);
                let mut beside = 0;
                for known in block.accesses.list(first) {
                    modified |= known.written & mask;
                    others |= known.own != own;
                    beside |= known.beside;
                }
                let mut early = false;
                if others && modified != 0 {
                    let given = own.and_then(|owner| block.assigned.get(&owner.place)).copied().unwrap_or(0);
                    for other in block.accesses.list(first) {
                        let both = other.read | other.written;
                        if both & modified != 0 && other.own != own {
                            self.declared([own, other.own].map(|owner| owner.map(|owner| owner.place)))?;
                            if other.stamp >= given {
                                return ub_about(UbKind::RestrictAccess, pointer.prov, String::new());
                            }
                            early = true;
                        }
                    }
                }
                if write && others && beside & mask != 0 {
                    let given = own.and_then(|owner| block.assigned.get(&owner.place)).copied().unwrap_or(0);
                    let near = |known: &Accessed| known.own != own && known.beside & mask != 0;
                    if block.accesses.list(first).any(|known| near(known) && known.stamp >= given) {
                        return unsupported(NEIGHBOURS);
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
                    let known = accesses.entry(index);
                    let same = known.stamp == stamp || (known.read | known.written) & !mask == 0;
                    if known.own == own && same {
                        known.read |= read;
                        known.written |= written;
                        known.stamp = stamp;
                        break;
                    }
                    at = known.next;
                }
                if at.is_none() {
                    let (next, beside) = (None, 0);
                    let before = accesses.size();
                    accesses.add(
                        slot,
                        chunk,
                        Accessed { generation, own, read, written, beside, stamp, next },
                    );
                    self.memory.keep(accesses.size() - before)?;
                }
            }
        }
        Ok(())
    }

    /// A bit-field was written; the range is that of its memory location. Compilers write all of that: to them another
    /// bit-field there that is written through another restrict pointer is the same object.
    pub(super) fn watch_location(&mut self, pointer: &Value, lo: u64, hi: u64) -> Run<()> {
        let Prov { slot, generation, basis, .. } = pointer.prov;
        let looked = self.watch.find_owners(basis);
        let chunks = (hi.div_ceil(64) - lo / 64).saturating_mul(self.watch.blocks.len() as u64);
        self.memory.charge(chunks.saturating_add(looked).saturating_mul(64));
        for level in 0..self.watch.blocks.len() {
            let own = self.watch.owners[level];
            for chunk in lo / 64..hi.div_ceil(64) {
                let mask = bits(lo, hi, chunk);
                let block = &mut self.watch.blocks[level];
                let given = own.and_then(|owner| block.assigned.get(&owner.place)).copied().unwrap_or(0);
                let first = block.accesses.first(slot, generation, chunk);
                let near = |known: &Accessed| known.own != own && known.written & mask != 0;
                if block.accesses.list(first).any(|known| near(known) && known.stamp >= given) {
                    return unsupported(NEIGHBOURS);
                }
                let stamp = block.stamp;
                let mut at = first;
                while let Some(index) = at {
                    let known = block.accesses.entry(index);
                    let only = known.read | known.written == 0 && known.beside & !mask == 0;
                    if known.own == own && (known.stamp == stamp || only) {
                        known.beside |= mask;
                        known.stamp = stamp;
                        break;
                    }
                    at = known.next;
                }
                if at.is_none() {
                    let new =
                        Accessed { generation, own, read: 0, written: 0, beside: mask, stamp, next: None };
                    let before = block.accesses.size();
                    block.accesses.add(slot, chunk, new);
                    let kept = block.accesses.size() - before;
                    self.memory.keep(kept)?;
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
