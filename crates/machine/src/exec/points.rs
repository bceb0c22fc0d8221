//! Observations for a profile.

use super::Exec;
use crate::op::{POOL, Point, Reg};
use crate::profile::Part;
use crate::value::{Marks, Value};
use howler_lang::arith::{self, Num};
use howler_lang::program::ObjId;
use howler_lang::ty::{Type, TypeKind};

/// A part of an object, and its value if it has one.
pub(super) type Seen = Vec<(Part, Option<i128>)>;

impl<'p> Exec<'p> {
    /// A statement begins.
    #[inline(never)]
    pub(super) fn point(&mut self, point: u32) {
        let point: &'p Point = &self.code.points[point as usize];
        let Some(recorder) = self.recorder.as_mut() else { return };
        if !recorder.visit(point.stmt) {
            return;
        }
        let (most, first) = (recorder.options.globals, recorder.next_global);
        recorder.next_global = first.wrapping_add(most);
        for &(object, reg) in point.objects.iter() {
            self.observe(point, object, reg);
        }
        let (unit, before) = point.globals;
        let globals = &self.code.globals[unit as usize][..before as usize];
        for index in 0..most.min(globals.len()) {
            let (object, reg) = globals[first.wrapping_add(index) % globals.len()];
            self.observe(point, object, reg);
        }
    }

    fn observe(&mut self, point: &Point, object: ObjId, reg: Reg) {
        let ty = self.program.objects[object].ty;
        let value = *self.get(reg);
        let mut seen = std::mem::take(&mut self.seen);
        // An integer made from a pointer has a provenance too.
        let own = self.memory.live(value.prov).is_some_and(|slot| slot.object == Some(object));
        if value.has_prov() && (own || reg & POOL != 0) {
            let most = self.recorder.as_ref().map_or(0, |recorder| recorder.options.parts);
            self.parts_of(&value, ty, 0, most, &mut seen);
        } else if let Some(num) = self.integer(ty) {
            seen.push((part(num, 0), known(num, &value)));
        }
        if let Some(recorder) = &mut self.recorder {
            for (part, value) in seen.drain(..) {
                recorder.value(point.stmt, object, part, value);
            }
        }
        self.seen = seen;
    }

    fn integer(&self, ty: Type) -> Option<Num> {
        arith::num_of(&self.program.types, &self.program.target, ty)
            .filter(|num| matches!(num, Num::Bool | Num::Int { .. }))
    }

    /// The integers of an object in memory, up to a number of them.
    fn parts_of(&self, base: &Value, ty: Type, offset: u32, most: usize, seen: &mut Seen) {
        let Some(slot) = self.memory.live(base.prov) else { return };
        if seen.len() >= most {
            return;
        }
        if let Some(num) = self.integer(ty) {
            let size = if num == Num::Bool { 1 } else { num.width().div_ceil(8) };
            if u64::from(offset) + u64::from(size) <= u64::from(slot.size) {
                let value = self.memory.read_number(slot.data + offset, size);
                seen.push((part(num, 8 * u64::from(offset)), known(num, &value)));
            }
            return;
        }
        // There are no values in what has no size, however much of it there is.
        if self.program.size_of(ty) == Some(0) {
            return;
        }
        match self.program.types.kind(ty) {
            TypeKind::Array { elem, .. } => {
                let Some(each) = self.program.size_of(elem).and_then(|size| u32::try_from(size).ok()) else {
                    return;
                };
                let size = self.program.size_of(ty).unwrap_or(u64::from(slot.size));
                let size = size.min(u64::from(slot.size.saturating_sub(offset))) as u32;
                let count = size.checked_div(each).unwrap_or(0);
                for index in 0..count.min(most as u32) {
                    self.parts_of(base, elem, offset + index * each, most, seen);
                }
            }
            TypeKind::Record(id) => {
                let Some(layout) = self.program.layouts.record(&self.program.types, id) else { return };
                let fields = self.program.types.records[id].fields.iter().zip(layout.fields.iter());
                for (field, place) in fields {
                    match (place.width, self.integer(field.ty)) {
                        (None, _) => {
                            self.parts_of(base, field.ty, offset + place.byte() as u32, most, seen);
                        }
                        (Some(width), Some(num)) if field.name.is_some() && width > 0 => {
                            let bit = 8 * u64::from(offset) + place.bit_offset;
                            let signed = matches!(num, Num::Int { signed: true, .. });
                            let part = Part { bit, width: u32::from(width), signed };
                            if seen.len() < most
                                && (bit + u64::from(width)).div_ceil(8) <= u64::from(slot.size)
                            {
                                seen.push((part, self.bit_field(slot.data, part)));
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// The value of a bit-field, if all its bits have one.
    fn bit_field(&self, data: u32, part: Part) -> Option<i128> {
        let mut bits: u128 = 0;
        for index in 0..part.width.min(128) {
            let bit = part.bit + u64::from(index);
            let (at, mask) = (data + (bit / 8) as u32, 1u8 << (bit % 8));
            let (unset, loose) = self.memory.loose_bits(at);
            if (unset | loose) & mask != 0 {
                return None;
            }
            bits |= u128::from(self.memory.bytes(at, 1)[0] & mask != 0) << index;
        }
        Some(Num::Int { width: part.width.min(128) as u8, signed: part.signed }.number(bits))
    }

    #[cold]
    pub(super) fn record_branch(&mut self, pc: usize, holds: bool) {
        let func = self.function().func;
        if let Some(recorder) = &mut self.recorder {
            recorder.branch(func, pc as u32 - 1, holds);
        }
    }
}

fn part(num: Num, bit: u64) -> Part {
    let signed = matches!(num, Num::Int { signed: true, .. });
    let width = if num == Num::Bool { 8 } else { num.width() };
    Part { bit, width, signed }
}

/// An integer's value, if it has one: bytes never set have none, nor padding.
fn known(num: Num, value: &Value) -> Option<i128> {
    let open = value.marks.has(Marks::UNINIT) || value.marks.has(Marks::UNSPECIFIED);
    (!open).then(|| num.number(value.to_bits()))
}
