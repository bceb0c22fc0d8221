//! The spaces that loops run over: drawn, or those of arrays, with or without their ends, or that of the loop before.

use howler_lang::compose::Value;
use howler_lang::program::{Linkage, ObjId};
use howler_lang::scalar::Ty;
use howler_lang::ty::Type;

use crate::maker::{Made, Maker};
use crate::options::Feature;
use crate::parameters::Row;

/// The types of counters, in the order of their row.
const COUNTERS: [Ty; 10] = [
    Ty::SCHAR,
    Ty::UCHAR,
    Ty::SHORT,
    Ty::USHORT,
    Ty::INT,
    Ty::UINT,
    Ty::LONG,
    Ty::ULONG,
    Ty::LLONG,
    Ty::ULLONG,
];

/// What a loop counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Space {
    pub(crate) ty: Ty,
    /// The values in the first and in the last round.
    pub(crate) first: i128,
    pub(crate) last: i128,
    pub(crate) step: i128,
    /// The parameter that says where it ends: the last round is one of those up to `last`.
    pub(crate) bound: Option<ObjId>,
}

impl Space {
    /// The least and the greatest value of the counter.
    pub(crate) fn range(self) -> (i128, i128) {
        (self.first.min(self.last), self.first.max(self.last))
    }

    /// How many rounds it has at most.
    pub(crate) fn rounds(self) -> u64 {
        ((self.last - self.first) / self.step).unsigned_abs() as u64 + 1
    }
}

impl Maker<'_> {
    /// Variables that are 0, which no compiler knows: another file could change them.
    pub(crate) fn zeros(&mut self) -> Made<()> {
        for _ in 0..self.choices.range("zeros", 0..=2u32) {
            let name = self.name("zero");
            let ty = *self.choices.one_of("zero", &[Type::INT, Type::INT, Type::SHORT, Type::LONG]);
            let object = self.out.global(&name, ty, Linkage::External, Some(&Value::Zero))?;
            self.vars.zeros.push(object);
        }
        Ok(())
    }

    /// One of them, seldom.
    pub(crate) fn hidden_zero(&mut self) -> Option<ObjId> {
        if self.vars.zeros.is_empty() || !self.choices.chance("zero", 1, 8) {
            return None;
        }
        self.choices.pick("zero", &self.vars.zeros).copied()
    }

    /// The space of the next loop.
    pub(crate) fn draw_space(&mut self) -> Space {
        let affordable = (self.steps / (self.times * 20)).clamp(1, u64::from(u32::MAX)) as u32;
        let arrays = self.has(Feature::Spaces) && !self.vars.arrays.is_empty();
        let again = self.space.filter(|_| self.has(Feature::Runs));
        let kind = self.draw_of(Row::Space, |at| match at {
            1 | 2 => arrays,
            3 => again.is_some(),
            _ => true,
        });
        let found = match kind {
            Some(at @ (1 | 2)) => self.array_space(at == 2),
            Some(3) => again,
            _ => None,
        };
        match found.filter(|space| space.rounds() <= u64::from(affordable)) {
            Some(space) => space,
            None => self.free_space(affordable),
        }
    }

    /// That of a dimension of an array.
    fn array_space(&mut self, inner: bool) -> Option<Space> {
        // What is declared last is near.
        let last = self.vars.arrays.len().checked_sub(1)?;
        let at = if self.choices.chance("last", 1, 4) { last } else { self.choices.range("array", 0..=last) };
        let dims = self.vars.arrays[at].dims.clone();
        let len = i128::from(*self.choices.pick("dimension", &dims)?);
        let edge = if inner { *self.choices.one_of("edge", &[1i128, 1, 2]) } else { 0 };
        let (low, high) = (edge, len - 1 - edge);
        if high < low {
            return None;
        }
        let step = *self.choices.one_of("step", &[1i128, 1, 1, 1, 2, 3, -1]);
        Some(self.space_of(low, high, step))
    }

    /// Counting from one end to the other, as far as a step leads there.
    fn space_of(&mut self, low: i128, high: i128, step: i128) -> Space {
        // Counting down below 0 would not end an unsigned loop.
        let low = if step < 0 { low.max(-step) } else { low };
        let high = high.max(low);
        let (first, end) = if step > 0 { (low, high) } else { (high, low) };
        let last = first + (end - first) / step * step;
        let drawn = COUNTERS[self.draw(Row::Counter)];
        let most = match drawn {
            Ty::SCHAR => 127,
            Ty::UCHAR => 255,
            _ => 1 << 14,
        };
        let ty = if high + step.abs() > most { Ty::INT } else { drawn };
        Space { ty, first, last, step, bound: None }
    }

    fn free_space(&mut self, affordable: u32) -> Space {
        let most = match self.draw(Row::Rounds) {
            0 => self.options.rounds.min(5),
            1 => self.options.rounds.min(12),
            _ => self.options.rounds,
        };
        let rounds = self.choices.range("rounds", 1..=most.max(1)).min(affordable);
        let step = match self.draw(Row::Step) {
            at @ 0..=3 => at as i128 + 1,
            _ => -*self.choices.one_of("down", &[1, 1, 1, 2]),
        };
        let span = step.abs() * i128::from(rounds - 1);
        // Most begin or end at 0.
        let low = if self.choices.chance("at 0", 3, 4) { 0 } else { self.choices.range("from", 0..=6i128) };
        self.space_of(low, low + span, step)
    }
}
