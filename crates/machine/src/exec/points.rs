//! Observations for a profile. They change nothing: neither what the program does nor how many steps that takes.

use super::Exec;
use crate::memory::shadow;
use crate::op::{POINTER, Reg};
use crate::outcome::{Run, Stop, Ub, UbStop};
use crate::profile::parts::{Part, PartKind};
use crate::profile::tables::Watched;
use crate::profile::{Scalar, Sight, Target, of_bits};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Value};
use howler_lang::arith::{self, Num, Undefined};
use howler_lang::program::StmtId;
use howler_lang::ty::Type;

/// No point was chosen here.
const NOWHERE: u32 = u32::MAX;

impl<'p> Exec<'p> {
    /// A statement begins.
    #[inline(never)]
    pub(super) fn point(&mut self, stmt: StmtId, point: u32) {
        self.steps -= 1;
        let Some(recorder) = self.recorder.as_mut() else { return };
        recorder.visit(stmt);
        if point == NOWHERE || !recorder.looks(point) {
            return;
        }
        let watched: &'p Watched = &self.code.profile.points[point as usize];
        self.seq.look(point);
        let mut sights = std::mem::take(&mut self.sights);
        for object in &watched.objects {
            let parts = &self.code.profile.objects[object.parts as usize].parts;
            let value = *self.get(object.reg);
            for part in parts {
                let sight = match object.in_memory {
                    true => self.sight_in_memory(&value, part, watched),
                    false => self.sight(part.kind, &value, Some(watched)),
                };
                // A program that reads it here depends on an order that is open.
                let written = object.beside && matches!(sight, Sight::Value(_));
                sights.push(if written { Sight::Open } else { sight });
            }
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.look(point, &sights);
        }
        sights.clear();
        self.sights = sights;
    }

    /// A part of an object in memory.
    fn sight_in_memory(&self, base: &Value, part: &Part, watched: &Watched) -> Sight {
        let Some(slot) = self.memory.live(base.prov) else { return Sight::Absent };
        let bits = part.kind.width(self.memory.pointer_size());
        if (part.bit + u64::from(bits)).div_ceil(8) > u64::from(slot.size) {
            return Sight::Absent;
        }
        let at = slot.data + (part.bit / 8) as u32;
        match part.kind {
            PartKind::Bits { width, signed } => self.bit_field(slot.data, part.bit, width, signed),
            PartKind::Number(_) => {
                let value = self.memory.read_number(at, bits.div_ceil(8));
                self.sight(part.kind, &value, Some(watched))
            }
            PartKind::Pointer => self.sight(part.kind, &self.memory.read_pointer(at), Some(watched)),
        }
    }

    /// What a value is, as far as a program may know.
    fn sight(&self, kind: PartKind, value: &Value, watched: Option<&Watched>) -> Sight {
        if value.marks.has(Marks::UNINIT) {
            return Sight::Unset;
        }
        match kind {
            PartKind::Pointer => self.pointer_sight(value, watched),
            PartKind::Number(Num::Float(format)) => {
                let bits = value.to_bits();
                if value.marks.of_number().has(Marks::OPEN) {
                    Sight::Open
                } else if format.is_nan(bits) {
                    Sight::Value(Scalar::Float(format, format.nan()))
                } else {
                    Sight::Value(Scalar::Float(format, bits))
                }
            }
            _ if value.marks.has(Marks::OPEN) => Sight::Open,
            // Neither 0 nor 1: no value of the type (C17 6.2.6.1p5).
            PartKind::Number(Num::Bool) if value.to_bits() > 1 => Sight::Unset,
            PartKind::Number(num) => Sight::Value(Scalar::Int(num.number(value.to_bits()))),
            PartKind::Bits { .. } => Sight::Open,
        }
    }

    fn pointer_sight(&self, value: &Value, watched: Option<&Watched>) -> Sight {
        if !value.has_prov() {
            let null = value.low == 0 && !value.marks.has(Marks::OPEN);
            return if null { Sight::Value(Scalar::Pointer(Target::Null)) } else { Sight::Open };
        }
        if value.marks.has(Marks::OPEN) || value.prov.negative {
            return Sight::Open;
        }
        // The value of a pointer to what is no more is indeterminate (C17 6.2.4p2).
        let Some(slot) = self.memory.live(value.prov) else { return Sight::Unset };
        let target = match (slot.func, slot.object) {
            (Some(func), _) => Target::Function(func),
            (None, Some(object)) if slot.kind != AllocKind::Literal => {
                let offset = value.low.wrapping_sub(slot.address);
                let end = if value.prov.wide { slot.size } else { value.prov.hi };
                let past = offset == u64::from(end);
                let same = |reg: Reg| {
                    let own = self.get(reg).prov;
                    (own.slot, own.generation) == (value.prov.slot, value.prov.generation)
                };
                let named = watched.and_then(|point| match slot.kind {
                    AllocKind::Static => point.statics.get(&object).copied(),
                    _ => {
                        let mut all = point.objects.iter();
                        all.find(|it| it.object == object && it.in_memory && same(it.reg)).map(|_| object)
                    }
                });
                let (object, nameable) = (named.unwrap_or(object), named.is_some());
                Target::Object { object, offset, past, nameable }
            }
            _ => Target::Unnamed,
        };
        Sight::Value(Scalar::Pointer(target))
    }

    /// The value of a bit-field, if all its bits have one.
    fn bit_field(&self, data: u32, start: u64, width: u32, signed: bool) -> Sight {
        let width = width.min(128);
        let (mut bits, mut open): (u128, bool) = (0, false);
        for index in 0..width {
            let bit = start + u64::from(index);
            let (at, mask) = (data + (bit / 8) as u32, 1u8 << (bit % 8));
            let (unset, loose) = self.memory.loose_bits(at);
            if unset & mask != 0 {
                return Sight::Unset;
            }
            let chosen = self.memory.shadow_at(at) & (shadow::ADDRESS | shadow::LIBRARY);
            open |= loose & mask != 0 || chosen != 0;
            bits |= u128::from(self.memory.bytes(at, 1)[0] & mask != 0) << index;
        }
        if open {
            return Sight::Open;
        }
        Sight::Value(Scalar::Int(Num::Int { width: width as u8, signed }.number(bits)))
    }

    /// A condition is about to be tested.
    #[inline(never)]
    pub(super) fn see_branch(&mut self, num: u8, cond: Reg, site: u32) {
        self.steps -= 1;
        let value = *self.get(cond);
        // One that was never set stops the test that follows.
        if value.marks.has(Marks::UNINIT) {
            return;
        }
        let holds = match num {
            POINTER => value.low != 0,
            _ => arith::truth(self.code.nums[usize::from(num)], value.to_bits()),
        };
        if let Some(recorder) = &mut self.recorder {
            recorder.branch(site, holds);
        }
    }

    /// A switch is about to choose.
    #[inline(never)]
    pub(super) fn see_way(&mut self, value: Reg, site: u32) {
        self.steps -= 1;
        let value = *self.get(value);
        if value.marks.has(Marks::UNINIT) {
            return;
        }
        let known = &self.code.profile.switches[site as usize];
        let number = known.num.number(value.to_bits());
        let before = known.cases.partition_point(|&(lo, ..)| lo <= number);
        let case = before.checked_sub(1).filter(|&case| number <= known.cases[case].1);
        if let Some(recorder) = &mut self.recorder {
            recorder.way(site, case);
        }
    }

    /// An operator is about to compute.
    #[inline(never)]
    pub(super) fn see_operands(&mut self, site: u32, pc: usize) {
        self.steps -= 1;
        self.at(pc);
        let known = &self.code.profile.operators[site as usize];
        let mut sights = std::mem::take(&mut self.sights);
        let mut bits = [None; 2];
        for (index, &(reg, num)) in known.args.iter().enumerate() {
            let value = *self.get(reg);
            sights.push(self.sight(PartKind::Number(num), &value, None));
            bits[index.min(1)] = Some((num, value.to_bits()));
        }
        let [first, second] = bits;
        let undefined = first
            .filter(|_| !sights.contains(&Sight::Unset))
            .and_then(|first| of_bits(known.operator, known.result, first, second));
        if let Some(recorder) = &mut self.recorder {
            recorder.operands(site, &sights, undefined);
        }
        sights.clear();
        self.sights = sights;
    }

    /// A function is about to be called.
    #[inline(never)]
    pub(super) fn see_arguments(&mut self, site: u32) {
        self.steps -= 1;
        let (_, call) = self.code.profile.calls[site as usize];
        let call = &self.code.calls[call as usize];
        let callee = *self.get(call.callee);
        let callee = self.memory.live(callee.prov).filter(|_| callee.has_prov()).and_then(|slot| slot.func);
        let mut sights = std::mem::take(&mut self.sights);
        for &(reg, ty) in &call.args {
            sights.push(match self.kind_of(ty) {
                Some(kind) => self.sight(kind, &self.get(reg).clone(), None),
                // An aggregate.
                None => Sight::Open,
            });
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.call(site, callee, &sights);
        }
        sights.clear();
        self.sights = sights;
    }

    fn kind_of(&self, ty: Type) -> Option<PartKind> {
        let types = &self.program.types;
        match types.pointee(ty) {
            Some(_) => Some(PartKind::Pointer),
            None => arith::num_of(types, &self.program.target, ty).map(PartKind::Number),
        }
    }

    /// Arithmetic is undefined: ends the run, or goes on with `instead` where a profile wants to see what comes then.
    #[cold]
    pub(super) fn undefined(&mut self, case: Undefined, detail: String, instead: u128) -> Run<u128> {
        let (kind, pos) = (UbKind::from(case), self.pos);
        if let Some(recorder) = &mut self.recorder
            && recorder.goes_on()
        {
            recorder.first.get_or_insert_with(|| Ub::new(kind, pos, detail));
            return Ok(instead);
        }
        Err(Stop::Ub(Box::new(UbStop::new(kind, None, detail))))
    }
}
