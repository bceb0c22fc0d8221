//! Memory: allocations with identity, bytes with shadows, pointers with provenance.
//!
//! All bytes live in one arena, with side arrays of the same shape: a shadow byte for each byte and a provenance for
//! each word. An allocation is a range of it. Which accesses are allowed is in `memory::access`, which types may be
//! used in `memory::alias`; this file knows where bytes are and who owns them.

pub mod access;
pub mod alias;

use crate::outcome::{Limit, Run, Stop};
use crate::value::{AllocKind, Marks, Prov, Value};
use howler_lang::program::{FuncId, ObjId};
use howler_lang::source::Pos;
use howler_lang::target::{Arch, Target};
use howler_lang::ty::Type;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

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
    /// Its address is a multiple of this.
    pub align: u32,
    /// Its declared type; memory from malloc and alloca has none.
    pub ty: Option<Type>,
    /// What its declared type is an array of, or that type, without qualifiers, and the size of that.
    pub elem: Option<(Type, u32)>,
    /// Whether the types its bytes were stored with count: no declared type, or a union inside.
    pub retypable: bool,
    /// Types of stores, for each byte, if `retypable` and there was one.
    pub stores: Option<Box<[Stored]>>,
    /// The variable, if it is one.
    pub object: Option<ObjId>,
    /// The function, if it is one.
    pub func: Option<FuncId>,
    /// Where it was made.
    pub born: Pos,
    /// Its number: allocations are counted.
    pub serial: u64,
    /// How it ended, once it has.
    pub death: Option<Death>,
    /// The range of the arena it was given, and that range's size class.
    range: u32,
    class: u8,
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
    shadows: Vec<u8>,
    words: Vec<Prov>,
    word_shift: u32,
    slots: Vec<Slot>,
    /// Slots that may be used again, the longest dead first: their last words are kept as long as possible.
    free_slots: VecDeque<u32>,
    /// How many allocations there were.
    pub serial: u64,
    /// How many stores to allocated memory there were.
    pub heap_stores: u64,
    /// Ranges of the arena that are free, by size class.
    free_ranges: Vec<Vec<u32>>,
    /// Bits never set, and bits that are unspecified, in bytes marked PARTIAL, by place in the arena.
    partial: FxHashMap<u32, (u8, u8)>,
    /// Numbers of which only a part is open, such as the payload of a NaN: their size, and which part.
    weak: FxHashMap<u32, (u32, Marks)>,
    /// Pointers stored at places that are not words.
    odd: FxHashMap<u32, Prov>,
    /// The address of the arena's first byte.
    bias: u64,
    /// The address of the next function or label.
    next_code: u64,
    sparse: Option<u64>,
    /// What unspecified bytes hold.
    fill: u8,
    limit: u64,
    /// Bytes in live allocations.
    pub used: u64,
}

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
        Memory {
            data: Vec::new(),
            shadows: Vec::new(),
            words: Vec::new(),
            word_shift: match target.arch {
                Arch::X86_64 => 3,
                Arch::I386 => 2,
            },
            // Slot 0 is nobody's: a zeroed provenance points to it.
            slots: vec![Slot::nobody()],
            free_slots: VecDeque::new(),
            serial: 0,
            heap_stores: 0,
            free_ranges: vec![Vec::new(); 33],
            partial: FxHashMap::default(),
            weak: FxHashMap::default(),
            odd: FxHashMap::default(),
            bias: bias + shift,
            next_code: text_bias,
            sparse,
            fill: sparse.map_or(0, |seed| (seed >> 8) as u8 | 0x81),
            limit,
            used: 0,
        }
    }

    /// Makes an allocation and returns a pointer to it with the whole of it as its bounds.
    pub fn allocate(&mut self, request: &Request) -> Run<Value> {
        let size = u32::try_from(request.size).ok().filter(|&size| u64::from(size) <= self.limit);
        let size = size.ok_or(Stop::Limit(Limit::Memory))?;
        let (data, range, class) = self.take_range(size, request.align)?;
        self.used += u64::from(size);
        if self.used > self.limit {
            return Err(Stop::Limit(Limit::Memory));
        }
        let bytes = data as usize..data as usize + size as usize;
        self.shadows[bytes.clone()].fill(request.shadow);
        self.data[bytes].fill(0);
        let slot = Slot {
            generation: 1,
            live: true,
            kind: request.kind,
            data,
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
            death: None,
            range,
            class,
            address: self.bias + u64::from(data),
        };
        Ok(self.pointer_to(slot))
    }

    /// Makes the allocation that stands for a function or a label.
    pub fn allocate_code(&mut self, kind: AllocKind, func: Option<FuncId>, align: u64, pos: Pos) -> Value {
        let address = self.next_code.next_multiple_of(align.max(1));
        self.next_code = address + 16;
        let slot = Slot { kind, func, born: pos, address, live: true, generation: 1, ..Slot::nobody() };
        self.pointer_to(slot)
    }

    fn pointer_to(&mut self, mut slot: Slot) -> Value {
        let (size, kind, address) = (slot.size, slot.kind, slot.address);
        self.serial += 1;
        slot.serial = self.serial;
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
        let prov =
            Prov { slot: index, generation, lo: 0, hi: size, basis: 0, kind, wide: false, flexible: false };
        Value::pointer(address, prov)
    }

    fn take_range(&mut self, size: u32, align: u32) -> Run<(u32, u32, u8)> {
        let room = u64::from(size.max(1)) + if align > 16 { u64::from(align) } else { 0 };
        let room = match self.sparse {
            Some(_) => room + 24,
            None => room,
        };
        let class = room.max(16).next_power_of_two().trailing_zeros();
        if class > 31 {
            return Err(Stop::Limit(Limit::Memory));
        }
        let start = match self.free_ranges[class as usize].pop() {
            Some(start) => start,
            None => self.grow(1 << class)?,
        };
        let gap = self.sparse.map_or(0, |seed| (seed >> 20) as u32 % 2 * 16);
        let address =
            (self.bias + u64::from(start) + u64::from(gap)).next_multiple_of(u64::from(align.max(1)));
        let data = u32::try_from(address - self.bias).map_err(|_| Stop::Limit(Limit::Memory))?;
        Ok((data, start, class as u8))
    }

    fn grow(&mut self, room: u64) -> Run<u32> {
        let start = self.data.len() as u64;
        // Alignments above 16 are made inside the room; classes below keep everything on 16.
        let end = start + room;
        if end > u64::from(u32::MAX) || end > self.limit.saturating_mul(3) + (1 << 20) {
            return Err(Stop::Limit(Limit::Memory));
        }
        self.data.resize(end as usize, 0);
        self.shadows.resize(end as usize, 0);
        self.words.resize((end >> self.word_shift) as usize, Prov::default());
        Ok(start as u32)
    }

    /// Ends an allocation's lifetime.
    pub fn release(&mut self, prov: Prov, death: Death) {
        let slot = &mut self.slots[prov.slot as usize];
        if !slot.live || slot.generation != prov.generation {
            return;
        }
        slot.live = false;
        slot.death = Some(death);
        slot.stores = None;
        self.used -= u64::from(slot.size);
        let (data, size, class, start) = (slot.data, slot.size, slot.class, slot.range);
        if !self.partial.is_empty() {
            self.partial.retain(|&at, _| at < data || at >= data + size);
        }
        if !self.weak.is_empty() {
            self.weak.retain(|&at, _| at < data || at >= data + size);
        }
        if !self.odd.is_empty() {
            self.odd.retain(|&at, _| at < data || at >= data + size);
        }
        if self.sparse.is_none() || size < 4096 && (self.sparse.unwrap_or(0) >> 10) & 3 != 0 {
            // Functions have no bytes.
            if prov.kind != AllocKind::Function {
                self.free_ranges[usize::from(class)].push(start);
            }
        }
        // A generation that would wrap leaves its slot unused for ever.
        if self.slots[prov.slot as usize].generation < u32::MAX - 1 {
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

    /// The bytes of a range.
    #[inline]
    pub fn bytes(&self, at: u32, len: u32) -> &[u8] {
        &self.data[at as usize..at as usize + len as usize]
    }

    /// The shadows of a range.
    #[inline]
    pub fn shadows(&self, at: u32, len: u32) -> &[u8] {
        &self.shadows[at as usize..at as usize + len as usize]
    }

    /// The shadows of a range, to change them.
    pub fn shadows_mut(&mut self, at: u32, len: u32) -> &mut [u8] {
        &mut self.shadows[at as usize..at as usize + len as usize]
    }

    /// How many bytes a pointer has.
    #[inline]
    pub fn pointer_size(&self) -> u32 {
        1 << self.word_shift
    }

    /// The raw value of `len` bytes, at most 16.
    #[inline]
    pub fn read_bits(&self, at: u32, len: u32) -> u128 {
        let bytes = self.bytes(at, len);
        match len {
            4 => u128::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            1 => u128::from(bytes[0]),
            8 => {
                let mut buffer = [0; 8];
                buffer.copy_from_slice(bytes);
                u128::from(u64::from_le_bytes(buffer))
            }
            _ => {
                let mut buffer = [0; 16];
                let len = bytes.len().min(16);
                buffer[..len].copy_from_slice(&bytes[..len]);
                u128::from_le_bytes(buffer)
            }
        }
    }

    /// All flags of the range's shadows together.
    #[inline(always)]
    pub fn shadow_of(&self, at: u32, len: u32) -> u8 {
        let bytes = self.shadows(at, len);
        let fold = |word: u64| {
            let word = word | word >> 32;
            let word = word | word >> 16;
            (word | word >> 8) as u8
        };
        match *bytes {
            [a] => a,
            [a, b, c, d] => fold(u64::from(u32::from_le_bytes([a, b, c, d]))),
            [a, b, c, d, e, f, g, h] => fold(u64::from_le_bytes([a, b, c, d, e, f, g, h])),
            _ => bytes.iter().fold(0, |all, byte| all | byte),
        }
    }

    /// Whether every byte of the range is an ordinary, plain value. Const and volatile do not count.
    #[inline]
    pub fn is_plain(&self, at: u32, len: u32) -> bool {
        self.shadow_of(at, len) & shadow::VALUE == 0
    }

    /// The value of `len` bytes as an integer or a floating value. Marks of its bytes become its own.
    #[inline]
    pub fn read_number(&self, at: u32, len: u32) -> Value {
        let value = Value::bits(self.read_bits(at, len));
        if self.is_plain(at, len) { value } else { self.read_marked(at, len, value) }
    }

    #[cold]
    fn read_marked(&self, at: u32, len: u32, mut value: Value) -> Value {
        let all = self.shadows(at, len).iter().fold(0, |all, byte| all | byte);
        value.marks = Marks(all & shadow::MARKS);
        if all & shadow::PARTIAL != 0 {
            let (unset, loose) = (at..at + len).fold((0, 0), |all, at| {
                let (unset, loose) = self.loose_bits(at);
                (all.0 | unset, all.1 | loose)
            });
            if unset != 0 {
                value.marks = value.marks.union(Marks::UNINIT);
            }
            if loose != 0 {
                value.marks = value.marks.union(Marks::UNSPECIFIED);
            }
        }
        if value.marks == Marks::LIBRARY
            && let Some(&(size, part)) = self.weak.get(&at)
            && size == len
        {
            value.marks = part;
        }
        if all & shadow::POINTER != 0 {
            match (len, self.prov_at(at)) {
                (1, _) => {
                    if let Some((prov, place)) = self.fragment_at(at) {
                        value.prov = Prov { basis: place, ..prov };
                        value.marks = value.marks.union(Marks::FRAGMENT);
                    }
                }
                (_, Some(prov)) if len == self.pointer_size() => {
                    value.prov = prov;
                    value.marks = value.marks.union(Marks::PROVENANCE);
                }
                _ => {}
            }
            value.marks = value.marks.union(Marks::ADDRESS);
        }
        value
    }

    /// The pointer at a place. One that is not made of the bytes of one stored pointer has no provenance.
    pub fn read_pointer(&self, at: u32) -> Value {
        let len = self.pointer_size();
        let value = Value::bits(self.read_bits(at, len));
        let all = self.shadows(at, len).iter().fold(0, |all, byte| all | byte);
        let each = self.shadows(at, len).iter().fold(!0, |each, byte| each & byte);
        let marks = Marks(all & shadow::MARKS);
        if each & shadow::POINTER != 0
            && let Some(prov) = self.prov_at(at)
        {
            return Value { prov, marks: marks.minus(Marks::ADDRESS).union(Marks::PROVENANCE), ..value };
        }
        let partly = all & (shadow::POINTER | shadow::ADDRESS) != 0;
        value.marked(if partly { marks.union(Marks::ADDRESS) } else { marks })
    }

    fn prov_at(&self, at: u32) -> Option<Prov> {
        if at & (self.pointer_size() - 1) == 0 {
            let prov = self.words[(at >> self.word_shift) as usize];
            (prov.slot != 0).then_some(prov)
        } else {
            self.odd.get(&at).copied()
        }
    }

    fn fragment_at(&self, at: u32) -> Option<(Prov, u32)> {
        let start = at & !(self.pointer_size() - 1);
        let prov = self.words[(start >> self.word_shift) as usize];
        (prov.slot != 0).then_some((prov, at - start))
    }

    /// Stores the low `len` bytes of a value, with its marks.
    #[inline]
    pub fn write(&mut self, at: u32, len: u32, value: &Value) {
        self.write_bits(at, len, value.to_bits());
        let plain = value.marks.is_empty() && self.shadow_of(at, len) & shadow::VALUE == 0;
        if !plain {
            self.write_marked(at, len, value);
        }
    }

    #[inline]
    fn write_bits(&mut self, at: u32, len: u32, bits: u128) {
        let range = at as usize..at as usize + len as usize;
        match len {
            4 => self.data[range].copy_from_slice(&(bits as u32).to_le_bytes()),
            8 => self.data[range].copy_from_slice(&(bits as u64).to_le_bytes()),
            _ => {
                let len = (len as usize).min(16);
                self.data[range][..len].copy_from_slice(&bits.to_le_bytes()[..len]);
            }
        }
    }

    fn write_marked(&mut self, at: u32, len: u32, value: &Value) {
        self.forget_pointers(at, len);
        let mut marks = value.marks.0 & shadow::MARKS;
        if value.has_prov() && len == self.pointer_size() {
            marks |= shadow::POINTER;
            if at & (len - 1) == 0 {
                self.words[(at >> self.word_shift) as usize] = value.prov;
            } else {
                self.odd.insert(at, value.prov);
            }
        }
        if value.marks.has(Marks::FRAGMENT) && len == 1 {
            marks |= self.place_fragment(at, value.prov);
        }
        let part = value.marks.intersection(Marks::TRUTH);
        if part != Marks::LIBRARY && part.has(Marks::LIBRARY) && len > 1 {
            self.weak.insert(at, (len, part));
        }
        for byte in self.shadows_mut(at, len) {
            *byte = *byte & !shadow::VALUE | marks;
        }
    }

    /// Puts one byte of a pointer where it was in the word it came from; elsewhere the provenance is lost.
    fn place_fragment(&mut self, at: u32, prov: Prov) -> u8 {
        let start = at & !(self.pointer_size() - 1);
        let place = prov.basis;
        if at - start != place {
            return 0;
        }
        let others = self.shadows(start, self.pointer_size()).iter().any(|byte| byte & shadow::POINTER != 0);
        let word = &mut self.words[(start >> self.word_shift) as usize];
        let whole = Prov { basis: 0, ..prov };
        if others && (Prov { basis: 0, ..*word }) != whole {
            // Bytes of two pointers in one word: whose it is cannot be said.
            *word = Prov::default();
        } else {
            *word = whole;
        }
        shadow::POINTER
    }

    /// Bytes about to be overwritten are no longer parts of pointers, nor half set.
    fn forget_pointers(&mut self, at: u32, len: u32) {
        if !self.odd.is_empty() {
            let size = self.pointer_size();
            for start in at.saturating_sub(size - 1)..at + len {
                self.odd.remove(&start);
            }
        }
        if !self.weak.is_empty() {
            for start in at.saturating_sub(15)..at + len {
                if self.weak.get(&start).is_some_and(|&(size, _)| start + size > at) {
                    self.weak.remove(&start);
                }
            }
        }
        if !self.partial.is_empty() {
            for place in at..at + len {
                self.partial.remove(&place);
            }
        }
    }

    /// Copies bytes with everything known about them; const and volatile stay with the place.
    pub fn copy(&mut self, from: u32, to: u32, len: u32) {
        if len == 0 {
            return;
        }
        let (from_range, at) = (from as usize..from as usize + len as usize, to as usize);
        let plain = self.is_plain(from, len) && self.is_plain(to, len);
        self.data.copy_within(from_range.clone(), at);
        if plain {
            return;
        }
        let pointers = self.pointers_in(from, len);
        let halves: Vec<(u32, (u8, u8))> = if self.partial.is_empty() {
            Vec::new()
        } else {
            (0..len).filter_map(|i| self.partial.get(&(from + i)).map(|&bits| (i, bits))).collect()
        };
        let parts: Vec<(u32, (u32, Marks))> = if self.weak.is_empty() {
            Vec::new()
        } else {
            let whole = |i: u32, size: u32| i + size <= len;
            let part = |i: u32| self.weak.get(&(from + i)).filter(|entry| whole(i, entry.0));
            (0..len).filter_map(|i| part(i).map(|&entry| (i, entry))).collect()
        };
        let marks: Vec<u8> = self.shadows[from_range].iter().map(|byte| byte & shadow::VALUE).collect();
        self.forget_pointers(to, len);
        for (byte, mark) in self.shadows_mut(to, len).iter_mut().zip(marks) {
            *byte = *byte & !shadow::VALUE | mark & !shadow::POINTER;
        }
        self.weak.extend(parts.into_iter().map(|(i, entry)| (to + i, entry)));
        self.partial.extend(halves.into_iter().map(|(i, bits)| (to + i, bits)));
        for (start, prov, whole) in pointers {
            self.place_pointer(to + start, prov, whole);
        }
    }

    /// Pointers and pieces of them in a range: offset, provenance, and the place of a single byte.
    fn pointers_in(&self, from: u32, len: u32) -> Vec<(u32, Prov, Option<u32>)> {
        let size = self.pointer_size();
        let mut found = Vec::new();
        let mut i = 0;
        while i < len {
            let at = from + i;
            if self.shadows[at as usize] & shadow::POINTER == 0 {
                i += 1;
                continue;
            }
            let whole =
                i + size <= len && self.shadows(at, size).iter().all(|byte| byte & shadow::POINTER != 0);
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

    fn place_pointer(&mut self, at: u32, prov: Prov, piece: Option<u32>) {
        let size = self.pointer_size();
        match piece {
            Some(place) => {
                let mark = self.place_fragment(at, Prov { basis: place, ..prov });
                self.shadows[at as usize] |= mark;
            }
            None => {
                if at & (size - 1) == 0 {
                    self.words[(at >> self.word_shift) as usize] = prov;
                } else {
                    self.odd.insert(at, prov);
                }
                for byte in self.shadows_mut(at, size) {
                    *byte |= shadow::POINTER;
                }
            }
        }
    }

    /// Sets bytes to plain ones.
    pub fn fill(&mut self, at: u32, bytes: &[u8]) {
        let len = bytes.len() as u32;
        self.forget_pointers(at, len);
        self.data[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
        for byte in self.shadows_mut(at, len) {
            *byte &= !shadow::VALUE;
        }
    }

    /// Sets bytes to one value.
    pub fn set(&mut self, at: u32, len: u32, byte: u8, marks: Marks) {
        self.forget_pointers(at, len);
        self.data[at as usize..at as usize + len as usize].fill(byte);
        for shadow in self.shadows_mut(at, len) {
            *shadow = *shadow & !shadow::VALUE | marks.0 & shadow::MARKS;
        }
    }

    /// Makes bytes unspecified: padding after a store, the tail of a union.
    pub fn make_unspecified(&mut self, at: u32, len: u32) {
        self.forget_pointers(at, len);
        let fill = self.fill;
        self.data[at as usize..at as usize + len as usize].fill(fill);
        for byte in self.shadows_mut(at, len) {
            *byte = *byte & !shadow::VALUE | shadow::UNSPECIFIED;
        }
    }

    /// The bits of a byte that were never set, and those that are unspecified.
    pub fn loose_bits(&self, at: u32) -> (u8, u8) {
        let byte = self.shadows[at as usize];
        if byte & shadow::PARTIAL != 0 {
            return self.partial.get(&at).copied().unwrap_or((0, 0));
        }
        let whole = |flag: u8| if byte & flag != 0 { 0xff } else { 0 };
        (whole(shadow::UNINIT), whole(shadow::UNSPECIFIED))
    }

    /// Says which bits of a byte were never set, and which are unspecified.
    pub fn set_loose_bits(&mut self, at: u32, unset: u8, loose: u8) {
        let byte = &mut self.shadows[at as usize];
        *byte &= !(shadow::UNINIT | shadow::PARTIAL | shadow::UNSPECIFIED);
        let loose = loose & !unset;
        match (unset, loose) {
            (0, 0) => {
                self.partial.remove(&at);
            }
            (0xff, _) => *byte |= shadow::UNINIT,
            (0, 0xff) => *byte |= shadow::UNSPECIFIED,
            _ => {
                *byte |= shadow::PARTIAL;
                self.partial.insert(at, (unset, loose));
            }
        }
    }

    /// Makes some bits of a byte unspecified.
    pub fn make_bits_unspecified(&mut self, at: u32, mask: u8) {
        let (unset, loose) = self.loose_bits(at);
        let byte = &mut self.data[at as usize];
        *byte = *byte & !mask | self.fill & mask;
        self.set_loose_bits(at, unset & !mask, loose | mask);
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
            death: None,
            range: 0,
            class: 0,
            address: 0,
        }
    }
}
