//! Bytes: reading and writing values with their shadows, and the pointers among them.

use super::arena::RAW;
use super::weak::{Weak, is_nan_whatever, nan_bits};
use super::{Memory, shadow};
use crate::value::{Choice, Marks, Prov, Value};
use std::collections::BTreeMap;

/// Copies of fewer bytes do not look which of them were ever set.
const FEW: u32 = 4096;

/// Removes the entries of a range that a test picks.
pub(super) fn remove<T>(
    map: &mut BTreeMap<u32, T>,
    start: u32,
    end: u32,
    mut picks: impl FnMut(u32, &T) -> bool,
) {
    let mut from = start;
    while let Some((&at, entry)) = map.range(from..end).next() {
        if picks(at, entry) {
            map.remove(&at);
        }
        from = at + 1;
    }
}

impl Memory {
    /// The bytes of a range.
    #[inline]
    pub fn bytes(&self, at: u32, len: u32) -> &[u8] {
        &self.data[at as usize..at as usize + len as usize]
    }

    /// The shadow of a byte.
    #[inline]
    pub fn shadow_at(&self, at: u32) -> u8 {
        self.shadows[at as usize] ^ RAW
    }

    /// The shadows of a range.
    #[inline]
    pub fn shadows(&self, at: u32, len: u32) -> impl Iterator<Item = u8> + '_ {
        self.shadows[at as usize..at as usize + len as usize].iter().map(|byte| byte ^ RAW)
    }

    /// Takes flags from the shadows of a range, then gives them others.
    pub fn flag(&mut self, at: u32, len: u32, less: u8, more: u8) {
        self.soil(at, len);
        for byte in &mut self.shadows[at as usize..at as usize + len as usize] {
            *byte = ((*byte ^ RAW) & !less | more) ^ RAW;
        }
    }

    /// How many bytes there are before the first zero, if that is within `room` bytes and all are plain.
    pub fn plain_text(&self, at: u32, room: u32) -> Option<u32> {
        let len = self.bytes(at, room).iter().position(|&byte| byte == 0)? as u32;
        self.is_plain(at, len + 1).then_some(len)
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
        const EACH: u64 = u64::from_le_bytes([RAW; 8]);
        let bytes = &self.shadows[at as usize..at as usize + len as usize];
        let fold = |word: u64| {
            let word = word | word >> 32;
            let word = word | word >> 16;
            (word | word >> 8) as u8
        };
        match *bytes {
            [a] => a ^ RAW,
            [a, b, c, d] => fold(u64::from(u32::from_le_bytes([a, b, c, d])) ^ EACH >> 32),
            [a, b, c, d, e, f, g, h] => fold(u64::from_le_bytes([a, b, c, d, e, f, g, h]) ^ EACH),
            _ => bytes.iter().fold(0, |all, byte| all | byte ^ RAW),
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
        let all = self.shadow_of(at, len);
        value.marks = Marks::of_shadow(all);
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
            && (weak.choice != Choice::Bits || is_nan_whatever(value.to_bits(), weak.open, len))
        {
            value.marks = Marks::library(weak.choice);
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
        let all = self.shadow_of(at, len);
        let each = self.shadows(at, len).fold(!0, |each, byte| each & byte);
        let marks = Marks::of_shadow(all);
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
        if value.marks.is_empty() && self.shadow_of(at, len) | self.forced == shadow::UNINIT {
            // The first value of ordinary memory.
            self.soil(at, len);
            self.shadows[at as usize..at as usize + len as usize].fill(RAW);
            return;
        }
        self.forget_pointers(at, len);
        let mut marks = value.marks.to_shadow();
        if value.has_prov() && len == self.pointer_size() {
            marks |= shadow::POINTER;
            self.place_pointer(at, value.prov, None);
        }
        if value.marks.has(Marks::FRAGMENT) && len == 1 {
            marks |= shadow::POINTER;
            self.place_pointer(at, Prov { basis: 0, ..value.prov }, Some(value.prov.basis));
        }
        if value.marks.is_copied() {
            self.weak.insert(at, Weak::COPY);
        }
        let choice = value.marks.choice();
        if choice != Choice::Whole && (len > 1 || value.open_bits().is_some()) {
            let open = match choice {
                Choice::Bits => value.open_bits().map_or_else(|| nan_bits(value.to_bits(), len), u128::from),
                _ => u128::MAX,
            };
            self.weak.insert(at, Weak { size: len, choice, open });
        }
        self.flag(at, len, shadow::VALUE, marks);
    }

    /// Bytes about to be overwritten are no longer parts of pointers, nor half set.
    pub(super) fn forget_pointers(&mut self, at: u32, len: u32) {
        self.charge(u64::from(len));
        if self.shadow_of(at, len) & shadow::POINTER != 0 {
            self.flag(at, len, shadow::POINTER, 0);
        }
        self.forget(at, len);
    }

    /// Forgets what is kept for single bytes of a range.
    pub(super) fn forget(&mut self, at: u32, len: u32) {
        let end = at + len;
        if !self.pieces.is_empty() {
            remove(&mut self.pieces, at, end, |_, _| true);
        }
        if !self.weak.is_empty() {
            remove(&mut self.weak, at.saturating_sub(15), end, |start, weak| start + weak.size > at);
        }
        if !self.partial.is_empty() {
            remove(&mut self.partial, at, end, |_, _| true);
        }
    }

    /// Copies bytes with everything known about them; const and volatile stay with the place.
    pub fn copy(&mut self, from: u32, to: u32, len: u32) {
        if len == 0 {
            return;
        }
        let (from_range, at) = (from as usize..from as usize + len as usize, to as usize);
        // Large objects are mostly copied to new memory: what was never set need not be copied.
        if len > FEW && from.abs_diff(to) >= len && self.soiled(to, len).is_empty() {
            for (start, len) in self.soiled(from, len) {
                self.copy_part(start, to + (start - from), len);
            }
            return;
        }
        if self.is_plain(from, len) && self.is_plain(to, len) {
            self.charge(u64::from(len));
            self.data.copy_within(from_range, at);
            return;
        }
        self.copy_part(from, to, len);
    }

    fn copy_part(&mut self, from: u32, to: u32, len: u32) {
        self.charge(u64::from(len));
        let (from_range, at) = (from as usize..from as usize + len as usize, to as usize);
        self.soil(to, len);
        self.data.copy_within(from_range, at);
        let known = shadow::VALUE & !(shadow::UNINIT | shadow::UNSPECIFIED);
        if self.is_plain(from, len) && self.shadow_of(to, len) & known == 0 {
            // The usual case of the first value of an object.
            self.flag(to, len, shadow::VALUE, 0);
            return;
        }
        let pointers = self.pointers_in(from, len);
        let halves: Vec<(u32, (u8, u8))> =
            self.partial.range(from..from + len).map(|(&place, &bits)| (place - from, bits)).collect();
        let parts: Vec<(u32, Weak)> = self
            .weak
            .range(from..from + len)
            .map(|(&place, &weak)| (place - from, weak))
            .filter(|(start, weak)| start + weak.size <= len)
            .collect();
        let marks: Vec<u8> = self.shadows(from, len).map(|byte| byte & shadow::VALUE).collect();
        self.forget_pointers(to, len);
        for (byte, mark) in self.shadows[at..at + len as usize].iter_mut().zip(marks) {
            *byte = ((*byte ^ RAW) & !shadow::VALUE | mark & !shadow::POINTER) ^ RAW;
        }
        self.weak.extend(parts.into_iter().map(|(start, entry)| (to + start, entry)));
        self.partial.extend(halves.into_iter().map(|(start, bits)| (to + start, bits)));
        for (start, prov, whole) in pointers {
            self.place_pointer(to + start, prov, whole);
        }
    }

    /// Sets bytes to plain ones.
    pub fn fill(&mut self, at: u32, bytes: &[u8]) {
        let len = bytes.len() as u32;
        self.forget_pointers(at, len);
        self.data[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
        self.flag(at, len, shadow::VALUE, 0);
    }

    /// Sets bytes to one value.
    pub fn set(&mut self, at: u32, len: u32, byte: u8, marks: Marks) {
        self.forget_pointers(at, len);
        self.data[at as usize..at as usize + len as usize].fill(byte);
        self.flag(at, len, shadow::VALUE, marks.to_shadow());
    }

    /// Makes bytes unspecified: padding after a store, the tail of a union.
    pub fn make_unspecified(&mut self, at: u32, len: u32) {
        self.forget_pointers(at, len);
        let fill = self.fill;
        self.data[at as usize..at as usize + len as usize].fill(fill);
        self.flag(at, len, shadow::VALUE, shadow::UNSPECIFIED);
    }

    /// The bits of a byte that were never set, and those that are unspecified.
    pub fn loose_bits(&self, at: u32) -> (u8, u8) {
        let byte = self.shadow_at(at);
        if byte & shadow::PARTIAL != 0 {
            return self.partial.get(&at).copied().unwrap_or((0, 0));
        }
        let whole = |flag: u8| if byte & flag != 0 { 0xff } else { 0 };
        (whole(shadow::UNINIT), whole(shadow::UNSPECIFIED))
    }

    /// Says which bits of a byte were never set, and which are unspecified.
    pub fn set_loose_bits(&mut self, at: u32, unset: u8, loose: u8) {
        let loose = loose & !unset;
        let mark = match (unset, loose) {
            (0, 0) => {
                self.partial.remove(&at);
                0
            }
            (0xff, _) => shadow::UNINIT,
            (0, 0xff) => shadow::UNSPECIFIED,
            _ => {
                self.partial.insert(at, (unset, loose));
                shadow::PARTIAL
            }
        };
        self.flag(at, 1, shadow::UNINIT | shadow::PARTIAL | shadow::UNSPECIFIED, mark);
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
