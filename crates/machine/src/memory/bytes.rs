//! Bytes: reading and writing values with their shadows, and the pointers among them.

use super::weak::{Weak, is_nan_whatever, nan_bits};
use super::{Memory, shadow};
use crate::value::{Marks, Prov, Value};

impl Memory {
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
        (self.shadow_of(at, len) | self.forced) & shadow::VALUE == 0
    }

    /// The value of `len` bytes as an integer or a floating value. Marks of its bytes become its own.
    #[inline]
    pub fn read_number(&self, at: u32, len: u32) -> Value {
        let value = Value::bits(self.read_bits(at, len));
        if self.is_plain(at, len) { value } else { self.read_marked(at, len, value) }
    }

    #[cold]
    pub(super) fn read_marked(&self, at: u32, len: u32, mut value: Value) -> Value {
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
            && let Some(weak) = self.weak.get(&at)
            && weak.size == len
            && (weak.part != Marks::NAN || is_nan_whatever(value.to_bits(), weak.open, len))
        {
            value.marks = weak.part;
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

    /// Stores the low `len` bytes of a value, with its marks.
    #[inline]
    pub fn write(&mut self, at: u32, len: u32, value: &Value) {
        self.write_bits(at, len, value.to_bits());
        let plain = value.marks.is_empty() && self.is_plain(at, len);
        if !plain {
            self.write_marked(at, len, value);
        }
    }

    #[inline]
    pub(super) fn write_bits(&mut self, at: u32, len: u32, bits: u128) {
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

    pub(super) fn write_marked(&mut self, at: u32, len: u32, value: &Value) {
        self.forget_pointers(at, len);
        let mut marks = value.marks.0 & shadow::MARKS;
        if value.has_prov() && len == self.pointer_size() {
            marks |= shadow::POINTER;
            self.place_pointer(at, value.prov, None);
        }
        if value.marks.has(Marks::FRAGMENT) && len == 1 {
            marks |= shadow::POINTER;
            self.place_pointer(at, Prov { basis: 0, ..value.prov }, Some(value.prov.basis));
        }
        let part = value.marks.intersection(Marks::TRUTH);
        if part != Marks::LIBRARY && part.has(Marks::LIBRARY) && (len > 1 || value.open_bits().is_some()) {
            let open = match part {
                Marks::NAN => value.open_bits().map_or_else(|| nan_bits(value.to_bits(), len), u128::from),
                _ => u128::MAX,
            };
            self.weak.insert(at, Weak { size: len, part, open });
        }
        for byte in self.shadows_mut(at, len) {
            *byte = *byte & !shadow::VALUE | marks;
        }
    }

    /// Bytes about to be overwritten are no longer parts of pointers, nor half set.
    pub(super) fn forget_pointers(&mut self, at: u32, len: u32) {
        self.charge(u64::from(len));
        for byte in self.shadows_mut(at, len) {
            *byte &= !shadow::POINTER;
        }
        if !self.pieces.is_empty() {
            for place in at..at + len {
                self.pieces.remove(&place);
            }
        }
        if !self.weak.is_empty() {
            for start in at.saturating_sub(15)..at + len {
                if self.weak.get(&start).is_some_and(|weak| start + weak.size > at) {
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
        self.charge(u64::from(len));
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
        let parts: Vec<(u32, Weak)> = if self.weak.is_empty() {
            Vec::new()
        } else {
            let whole = |i: u32, size: u32| i + size <= len;
            let part = |i: u32| self.weak.get(&(from + i)).filter(|weak| whole(i, weak.size));
            (0..len).filter_map(|i| part(i).map(|&weak| (i, weak))).collect()
        };
        let marks: Vec<u8> = self.shadows[from_range].iter().map(|byte| byte & shadow::VALUE).collect();
        self.forget_pointers(to, len);
        for (byte, mark) in self.shadows_mut(to, len).iter_mut().zip(marks) {
            *byte = *byte & !shadow::VALUE | mark & !shadow::POINTER;
        }
        self.weak.extend(parts.into_iter().map(|(i, weak)| (to + i, weak)));
        self.partial.extend(halves.into_iter().map(|(i, bits)| (to + i, bits)));
        for (start, prov, whole) in pointers {
            self.place_pointer(to + start, prov, whole);
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

    /// Sets the bits of a byte to 0 that were never set.
    pub fn zero_unset(&mut self, at: u32) {
        let (unset, loose) = self.loose_bits(at);
        if unset != 0 {
            self.data[at as usize] &= !unset;
            self.set_loose_bits(at, 0, loose);
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
