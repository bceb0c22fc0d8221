//! Observations for a profile.

use super::{Exec, signed};
use crate::op::Point;
use crate::value::{Marks, Value};
use howler_lang::arith::{self, Num};
use howler_lang::program::ObjId;
use howler_lang::ty::{RecordKind, Type, TypeKind};

impl<'p> Exec<'p> {
    /// A statement begins.
    #[inline(never)]
    pub(super) fn point(&mut self, point: u32) {
        let point: &'p Point = &self.code.points[point as usize];
        let sampled = self.recorder.as_mut().is_some_and(|recorder| recorder.visit(point.stmt));
        if !sampled {
            return;
        }
        for &(object, reg) in point.objects.iter() {
            let ty = self.program.objects[object].ty;
            let value = *self.get(reg);
            let in_memory = value.has_prov()
                && self.memory.live(value.prov).is_some_and(|slot| slot.object == Some(object));
            let parts = self.recorder.as_ref().map_or(0, |recorder| recorder.options.parts);
            let mut seen = Vec::new();
            if in_memory {
                self.parts_of(&value, ty, 0, parts, &mut seen);
            } else if let Some(num) = self.integer(ty) {
                seen.push((0, known(num, &value)));
            }
            self.observe(point, object, seen);
        }
    }

    fn observe(&mut self, point: &Point, object: ObjId, seen: Vec<(u32, Option<i128>)>) {
        let Some(recorder) = &mut self.recorder else { return };
        for (offset, value) in seen {
            recorder.value(point.stmt, object, offset, value);
        }
    }

    fn integer(&self, ty: Type) -> Option<Num> {
        arith::num_of(&self.program.types, &self.program.target, ty)
            .filter(|num| matches!(num, Num::Bool | Num::Int { .. }))
    }

    /// The integers of an object in memory, up to a number of them. Bit-fields and unions are left out.
    fn parts_of(
        &self,
        base: &Value,
        ty: Type,
        offset: u32,
        most: usize,
        seen: &mut Vec<(u32, Option<i128>)>,
    ) {
        if seen.len() >= most {
            return;
        }
        if let Some(num) = self.integer(ty) {
            let Some(slot) = self.memory.live(base.prov) else { return };
            let size = num.width().div_ceil(8);
            if u64::from(offset) + u64::from(size) <= u64::from(slot.size) {
                let value = self.memory.read_number(slot.data + offset, size);
                seen.push((offset, known(num, &value)));
            }
            return;
        }
        match self.program.types.kind(ty) {
            TypeKind::Array { elem, .. } => {
                let Some(each) = self.program.size_of(elem).and_then(|size| u32::try_from(size).ok()) else {
                    return;
                };
                let size = self.memory.live(base.prov).map_or(0, |slot| slot.size);
                let count = size.saturating_sub(offset).checked_div(each).unwrap_or(0);
                for index in 0..count.min(most as u32) {
                    self.parts_of(base, elem, offset + index * each, most, seen);
                }
            }
            TypeKind::Record(id) if self.program.types.records[id].kind == RecordKind::Struct => {
                let Some(layout) = self.program.layouts.record(&self.program.types, id) else { return };
                let fields = self.program.types.records[id].fields.iter().zip(layout.fields.iter());
                for (field, place) in fields.filter(|(_, place)| place.width.is_none()) {
                    self.parts_of(base, field.ty, offset + place.byte() as u32, most, seen);
                }
            }
            _ => {}
        }
    }

    #[cold]
    pub(super) fn record_branch(&mut self, pc: usize, holds: bool) {
        let func = self.function().func;
        if let Some(recorder) = &mut self.recorder {
            recorder.branch(func, pc as u32 - 1, holds);
        }
    }
}

/// An integer's value, if it has one.
fn known(num: Num, value: &Value) -> Option<i128> {
    (!value.marks.has(Marks::UNINIT)).then(|| signed(num, value.to_bits()))
}
