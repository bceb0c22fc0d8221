//! Numbers: special ones, and those that were there before.

use howler_lang::arith::{self, Num};
use howler_lang::program::UnaryOp;
use howler_lang::scalar::Ty;

use crate::maker::Maker;
use crate::options::Feature;
use crate::parameters::Row;

/// How many constants are remembered.
const REMEMBERED: usize = 16;

/// The types that constants have: what is narrower than `int` has none of its own.
const WIDE: [Ty; 8] =
    [Ty::INT, Ty::UINT, Ty::LONG, Ty::ULONG, Ty::LLONG, Ty::ULLONG, Ty::INT128, Ty::UINT128];

impl Maker<'_> {
    /// The bits of a number of a type.
    pub(crate) fn number(&mut self, ty: Ty) -> u128 {
        if ty.is_float() {
            return self.floating(ty);
        }
        let num = self.rules.num(ty);
        let width = num.width();
        let mask = u128::MAX >> (128 - width);
        if num == Num::Bool {
            return self.choices.bits("truth", 1);
        }
        if !self.has(Feature::SpecialConstants) {
            return self.choices.bits("number", width);
        }
        let signed = matches!(num, Num::Int { signed: true, .. });
        let (least, greatest) = if signed { (1 << (width - 1), mask >> 1) } else { (0, mask) };
        let bits: u128 = match self.draw(Row::Number) {
            0 => self.choices.bits("small", 5).wrapping_sub(if signed { 8 } else { 0 }),
            1 => self.choices.bits("from the least", 3).wrapping_add(least),
            2 => greatest.wrapping_sub(self.choices.bits("from the greatest", 3)),
            3 => 1u128 << self.choices.range("power", 0..=width - 1),
            4 => {
                let length = self.choices.range("length", 1..=width);
                let run = u128::MAX >> (128 - length);
                let run = run << self.choices.range("place", 0..=width - length);
                if self.choices.chance("zeros", 1, 2) { !run } else { run }
            }
            5 => self.choices.bits("number", width),
            6 => 0,
            7 => 1,
            _ => u128::MAX,
        };
        bits & mask
    }

    /// A constant for an expression, of a type that is no narrower than `int`.
    pub(crate) fn constant(&mut self) -> (Ty, u128) {
        // Logical values have no opposites worth writing.
        let reuse = self.has(Feature::ConstantReuse) && self.region.context != crate::tree::LOGICAL;
        let how = if reuse && !self.constants.is_empty() { self.draw(Row::Reuse) } else { 0 };
        if how > 0 {
            let &(ty, bits) = self.choices.pick("constant", &self.constants).expect("there is one");
            let num = self.rules.num(ty);
            let changed = match how {
                1 => Ok(bits),
                2 => arith::unary(UnaryOp::Neg, num, bits),
                _ => arith::unary(UnaryOp::BitNot, num, bits),
            };
            return (ty, changed.unwrap_or(bits));
        }
        let drawn = crate::variable::TYPES[self.draw(Row::Type)];
        let ty = self.rules.promoted(drawn);
        let ty = if WIDE.contains(&ty) || ty.is_float() { ty } else { Ty::INT };
        let bits = self.number(ty);
        if self.constants.len() < REMEMBERED {
            self.constants.push((ty, bits));
        } else {
            let at = self.choices.range("forgotten", 0..=REMEMBERED - 1);
            self.constants[at] = (ty, bits);
        }
        (ty, bits)
    }
}
