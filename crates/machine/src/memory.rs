//! Memory: allocations with identity, bytes with shadows, pointers with provenance.
//!
//! All bytes live in one arena (`memory::arena`), with side arrays of the same shape: a shadow byte for each byte and a
//! provenance for each word. An allocation is a range of it. Which accesses are allowed is in `memory::access`, which
//! types may be used in `memory::alias`; this file knows who owns which bytes.

pub mod access;
pub mod alias;
pub mod align;
mod arena;
mod bytes;
mod pieces;
mod reach;
pub mod stores;
mod weak;

use crate::memory::arena::{Addresses, Range};
use crate::outcome::{Limit, Run, Stop};
use crate::value::{AllocKind, Prov, Value};
use howler_lang::program::{FuncId, ObjId};
use howler_lang::source::Pos;
use howler_lang::target::{Arch, Target};
use howler_lang::ty::Type;
use std::collections::{BTreeMap, VecDeque};
use stores::Stores;

/// What is known about one byte. The low four flags are those of [`Marks`].
pub mod shadow {
    /// Never set.
    pub const UNINIT: u8 = 1;
    /// Padding, or a union's tail.
    pub const UNSPECIFIED: u8 = 2;
    /// Depends on addresses.
    pub const ADDRESS: u8 = 4;
    /// Known in part.
    pub const LIBRARY: u8 = 8;
    /// Part of a stored pointer.
    pub const POINTER: u8 = 16;
    /// Some bits, those in `Memory::partial`, were never set.
    pub const PARTIAL: u8 = 32;
    /// Defined const, or a temporary: must not be modified.
    pub const CONST: u8 = 64;
    /// Defined volatile.
    pub const VOLATILE: u8 = 128;
    /// The flags that belong to the value.
    pub const VALUE: u8 = UNINIT | UNSPECIFIED | ADDRESS | LIBRARY | POINTER | PARTIAL;
    /// The flags a plain value may not have.
    pub const MARKS: u8 = UNINIT | UNSPECIFIED | ADDRESS | LIBRARY;
}

/// An allocation.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Which allocation of this place it is.
    pub generation: u32,
    /// Whether its lifetime runs.
    pub live: bool,
    /// What it is.
    pub kind: AllocKind,
    /// Where its bytes are in the arena.
    pub data: u32,
    /// How many.
    pub size: u32,
    /// Its address is a multiple of this in every run: what its type and attributes guarantee.
    pub align: u32,
    /// Its declared type; memory from malloc and alloca has none.
    pub ty: Option<Type>,
    /// What its declared type is an array of, or that type, without qualifiers, and the size of that.
    pub elem: Option<(Type, u32)>,
    /// Whether the types its bytes were stored with count: no declared type, or a union inside.
    pub retypable: bool,
    /// Types of stores, for each byte, if `retypable` and there was one.
    pub stores: Option<Stores>,
    /// The variable, if it is one.
    pub object: Option<ObjId>,
    /// The function, if it is one.
    pub func: Option<FuncId>,
    /// Where it was made.
    pub born: Pos,
    /// Its number: allocations are counted.
    pub serial: u64,
    /// Who can reach it, if `setjmp` is about.
    reach: reach::Reach,
    /// How it ended, once it has.
    pub death: Option<Death>,
    /// The range of the arena it was given.
    range: Range,
    /// The address of its first byte.
    pub address: u64,
}

/// How and where an object ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Death {
    /// Where.
    pub pos: Pos,
    /// Whether the function it belonged to returned.
    pub returned: bool,
}

/// The type a byte was stored with: the lvalue's type and where that lvalue starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The type, if there was a store with one.
    pub ty: Option<Type>,
    /// The offset in the allocation at which an object of that type starts.
    pub base: u32,
    /// It was accessed through an lvalue of that type: neither copied as bytes, nor as the member of a union.
    pub direct: bool,
}

impl Stored {
    /// Bytes without a type.
    pub const NOTHING: Stored = Stored { ty: None, base: 0, direct: false };
}

/// Where objects are placed: one of the choices of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Placement {
    /// Addresses are reused as soon as they are free.
    #[default]
    Dense,
    /// Objects apart from each other, at other addresses, reused late; drawn from a seed.
    Sparse(u64),
}

/// What an allocation is to be.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Its kind.
    pub kind: AllocKind,
    /// Its size.
    pub size: u64,
    /// Its alignment.
    pub align: u32,
    /// Its declared type.
    pub ty: Option<Type>,
    /// Its element type and that type's size.
    pub elem: Option<(Type, u32)>,
    /// Whether the types of stores count.
    pub retypable: bool,
    /// The variable.
    pub object: Option<ObjId>,
    /// Where it is made.
    pub pos: Pos,
    /// The shadow of its bytes.
    pub shadow: u8,
}

/// All memory of a run.
pub struct Memory {
    data: Vec<u8>,
    /// As they are kept: see `arena::RAW`.
    shadows: Vec<u8>,
    /// The pages of the arena that are not as new.
    dirty: Vec<bool>,
    /// How many allocations `malloc` and its like made that live.
    pub heap: u64,
    /// Provenances of words, for each part of the arena that has had any.
    words: Vec<Option<Box<[Prov]>>>,
    word_shift: u32,
    /// The end of what was given out.
    top: u32,
    slots: Vec<Slot>,
    /// Slots that may be used again, the longest dead first: their last words are kept as long as possible.
    free_slots: VecDeque<u32>,
    /// How many allocations there were.
    pub serial: u64,
    /// A store gave allocated memory another type; who asks sets it back.
    pub retyped: bool,
    /// Whether what is undefined by the letter only passes.
    letter: bool,
    /// How often `setjmp` was called, if the program has it.
    jumps: Option<u32>,
    /// Ranges of the arena that are free, by size class.
    free_ranges: Vec<Vec<u32>>,
    /// Bits never set, and bits that are unspecified, in bytes marked PARTIAL, by place in the arena.
    partial: BTreeMap<u32, (u8, u8)>,
    /// Numbers of which only a part is open, such as the payload of a NaN: their size, and which part.
    weak: BTreeMap<u32, weak::Weak>,
    /// Bytes of pointers that are not where they are in a word that is one pointer's alone: the pointer, and which of
    /// its bytes it is.
    pieces: BTreeMap<u32, (Prov, u32)>,
    /// The address of the arena's first byte.
    bias: u64,
    /// The address of the next function or label.
    next_code: u64,
    /// The addresses, if they are not those of the arena.
    apart: Option<Addresses>,
    /// What unspecified bytes hold.
    fill: u8,
    limit: u64,
    /// Flags that all bytes seem to have when it is asked whether they are plain.
    forced: u8,
    /// The program has chosen its way by an address.
    pub address_counts: bool,
    /// Bytes in live allocations.
    pub used: u64,
    /// Steps that one instruction took beyond its own because it touched many bytes: time is bounded by steps.
    pub work: u64,
}

/// Bytes that count as a step, where an instruction touches many.
const BYTES_PER_STEP: u64 = 64;

/// Instructions that touch fewer bytes are one step.
const FEW_BYTES: u64 = 256;

const PAGE: u64 = 4096;

/// How many dead allocations keep their slots, so that it can be said how they ended.
const QUARANTINE: usize = 1024;

impl Memory {
    /// Empty memory that will not grow beyond `limit` bytes.
    pub fn new(target: &Target, placement: Placement, limit: u64) -> Memory {
        let (bias, text_bias) = match target.arch {
            Arch::X86_64 => (0x5555_6000_0000, 0x5555_5555_4000),
            Arch::I386 => (0x5700_0000, 0x0804_9000),
        };
        let sparse = match placement {
            Placement::Dense => None,
            Placement::Sparse(seed) => Some(seed | 1),
        };
        let shift = sparse.map_or(0, |seed| (seed % 1000 + 1) * PAGE * 16);
        let end = match target.arch {
            Arch::X86_64 => 1 << 47,
            Arch::I386 => 0xffff_0000,
        };
        Memory {
            data: Vec::new(),
            shadows: Vec::new(),
            dirty: Vec::new(),
            words: Vec::new(),
            heap: 0,
            top: 0,
            word_shift: match target.arch {
                Arch::X86_64 => 3,
                Arch::I386 => 2,
            },
            // Slot 0 is nobody's: a zeroed provenance points to it.
            slots: vec![Slot::nobody()],
            free_slots: VecDeque::new(),
            serial: 0,
            retyped: false,
            letter: false,
            jumps: None,
            free_ranges: vec![Vec::new(); 33],
            partial: BTreeMap::new(),
            weak: BTreeMap::new(),
            pieces: BTreeMap::new(),
            bias: bias + shift,
            next_code: text_bias,
            apart: sparse.map(|seed| Addresses::new(bias + shift, end, seed)),
            fill: sparse.map_or(0, |seed| (seed >> 8) as u8 | 0x81),
            limit,
            forced: 0,
            address_counts: false,
            used: 0,
            work: 0,
        }
    }

    /// Lets no value pass as plain: every access looks at the marks of its bytes.
    pub fn checked(mut self, checked: bool) -> Memory {
        self.forced = if checked { shadow::VALUE } else { 0 };
        self
    }

    /// Lets accesses pass that are undefined by the letter only.
    pub fn lenient(mut self, letter: bool) -> Memory {
        self.letter = letter;
        self
    }

    /// An instruction or a library function touched so many bytes.
    #[inline]
    pub fn charge(&mut self, bytes: u64) {
        if bytes > FEW_BYTES {
            self.work = self.work.saturating_add(bytes / BYTES_PER_STEP);
        }
    }

    /// The run keeps so many bytes until its end, beside the program's objects.
    pub fn keep(&mut self, bytes: u64) -> Run<()> {
        self.used += bytes;
        if self.used > self.limit { Err(Stop::Limit(Limit::Memory)) } else { Ok(()) }
    }

    /// So many of the bytes it keeps are no longer needed.
    pub fn give_up(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Makes an allocation and returns a pointer to it with the whole of it as its bounds.
    pub fn allocate(&mut self, request: &Request) -> Run<Value> {
        let size = u32::try_from(request.size).ok().filter(|&size| u64::from(size) <= self.limit);
        let size = size.ok_or(Stop::Limit(Limit::Memory))?;
        if self.used + u64::from(size) > self.limit {
            return Err(Stop::Limit(Limit::Memory));
        }
        let range = self.take_range(size, request.align)?;
        self.used += u64::from(size);
        if request.shadow != shadow::UNINIT {
            self.charge(u64::from(size));
            self.flag(range.data, size, !0, request.shadow);
        }
        let slot = Slot {
            generation: 1,
            live: true,
            kind: request.kind,
            data: range.data,
            size,
            align: request.align,
            ty: request.ty,
            elem: request.elem,
            retypable: request.retypable,
            stores: None,
            object: request.object,
            func: None,
            born: request.pos,
            serial: 0,
            reach: reach::Reach::default(),
            death: None,
            range,
            address: range.address,
        };
        Ok(self.pointer_to(slot))
    }

    /// Makes the allocation that stands for a function or a label.
    pub fn allocate_code(&mut self, kind: AllocKind, func: Option<FuncId>, align: u64, pos: Pos) -> Value {
        let address = self.next_code.next_multiple_of(align.max(1));
        self.next_code = address + 16;
        let align = u32::try_from(align.max(1)).unwrap_or(1);
        let slot =
            Slot { kind, func, born: pos, address, align, live: true, generation: 1, ..Slot::nobody() };
        self.pointer_to(slot)
    }

    fn pointer_to(&mut self, mut slot: Slot) -> Value {
        let (size, kind, address) = (slot.size, slot.kind, slot.address);
        self.serial += 1;
        self.heap += u64::from(kind == AllocKind::Heap);
        slot.serial = self.serial;
        slot.reach = reach::Reach::of(slot.kind, slot.serial);
        let reuse = if self.free_slots.len() > QUARANTINE { self.free_slots.pop_front() } else { None };
        let (index, generation) = match reuse {
            Some(index) => {
                let old = &mut self.slots[index as usize];
                slot.generation = old.generation + 1;
                let generation = slot.generation;
                *old = slot;
                (index, generation)
            }
            None => {
                self.slots.push(slot);
                (u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX), 1)
            }
        };
        let prov = Prov { slot: index, generation, hi: size, kind, ..Prov::default() };
        Value::pointer(address, prov)
    }

    /// Ends an allocation and begins another of another size that has its bytes: `realloc`. None if there must be new
    /// bytes for it.
    pub fn resize(&mut self, prov: Prov, size: u64, death: Death) -> Run<Option<Value>> {
        let Some(old) = self.live(prov) else { return Ok(None) };
        let (range, align, old_size) = (old.range, 16, old.size);
        let size = u32::try_from(size).map_err(|_| Stop::Limit(Limit::Memory))?;
        if self.used + u64::from(size) > self.limit {
            return Err(Stop::Limit(Limit::Memory));
        }
        let Some(range) = self.take_over(range, size, align)? else { return Ok(None) };
        if size < old_size {
            self.forget(range.data + size, old_size - size);
            self.wash(range.data + size, old_size - size);
        }
        self.used = self.used - u64::from(old_size) + u64::from(size);
        let old = &mut self.slots[prov.slot as usize];
        let mut stores = old.stores.take();
        if let Some(stores) = &mut stores {
            stores.resize(size);
        }
        let new = Slot {
            size,
            align,
            stores,
            born: death.pos,
            death: None,
            data: range.data,
            range,
            address: range.address,
            ..old.clone()
        };
        self.bury(prov, death);
        Ok(Some(self.pointer_to(new)))
    }

    /// Ends an allocation's lifetime.
    pub fn release(&mut self, prov: Prov, death: Death) {
        let slot = &mut self.slots[prov.slot as usize];
        if !slot.live || slot.generation != prov.generation {
            return;
        }
        slot.stores = None;
        let (at, size, slot_range) = (slot.data, slot.size, slot.range);
        self.used -= u64::from(size);
        self.forget(at, size);
        // Functions have no bytes.
        if prov.kind != AllocKind::Function {
            self.give_back(slot_range, size);
        }
        self.bury(prov, death);
    }

    /// An allocation is over; its bytes are another matter.
    fn bury(&mut self, prov: Prov, death: Death) {
        let slot = &mut self.slots[prov.slot as usize];
        slot.live = false;
        slot.death = Some(death);
        self.heap -= u64::from(slot.kind == AllocKind::Heap);
        // A generation that would wrap leaves its slot unused for ever.
        if slot.generation < u32::MAX - 1 {
            self.free_slots.push_back(prov.slot);
        }
    }

    /// The allocation a pointer belongs to, if its lifetime has not ended.
    #[inline]
    pub fn live(&self, prov: Prov) -> Option<&Slot> {
        let slot = &self.slots[prov.slot as usize];
        (slot.generation == prov.generation && slot.live).then_some(slot)
    }

    /// What is left of a dead allocation, if its slot was not used again.
    pub fn dead(&self, prov: Prov) -> Option<&Slot> {
        let slot = &self.slots[prov.slot as usize];
        (slot.generation == prov.generation && !slot.live && prov.slot != 0).then_some(slot)
    }

    /// How many bytes a pointer has.
    #[inline]
    pub fn pointer_size(&self) -> u32 {
        1 << self.word_shift
    }
}

impl Slot {
    fn nobody() -> Slot {
        Slot {
            generation: 0,
            live: false,
            kind: AllocKind::Static,
            data: 0,
            size: 0,
            align: 1,
            ty: None,
            elem: None,
            retypable: false,
            stores: None,
            object: None,
            func: None,
            born: Pos::NONE,
            serial: 0,
            reach: reach::Reach::default(),
            death: None,
            range: Range::default(),
            address: 0,
        }
    }
}
