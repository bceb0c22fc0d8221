//! Variables and values, drawn.

use crate::exact::{FRACTION_BITS, integer_limit};
use crate::options::{Feature, Features};
use crate::test::{Place, Role, Var};
use howler_choices::Choices;
use howler_lang::arith::{self, Format, Num, convert, scale};
use howler_lang::scalar::{Ty, WIDEST_FIELD};

/// What variables may look like.
pub(crate) struct Fashion {
    pub(crate) features: Features,
    pub(crate) types: Vec<Ty>,
    pub(crate) integers: Vec<Ty>,
    /// Everything at file scope, seen from other files.
    pub(crate) split: bool,
}

impl Fashion {
    /// A type for a variable of some role.
    pub(crate) fn ty(&self, choices: &mut Choices, role: Role) -> Ty {
        if role == Role::X && self.features.has(Feature::BitField) && choices.chance("bit-field", 1, 10) {
            let width = choices.range("width", 1..=WIDEST_FIELD);
            return Ty::field(width, choices.chance("signed", 1, 2));
        }
        choices.pick("type", &self.types).copied().unwrap_or(Ty::INT)
    }

    /// A variable with everything but its value drawn, which is given.
    pub(crate) fn var(&self, choices: &mut Choices, role: Role, ty: Ty, value: u128) -> Var {
        // One draw decides: variables are many.
        let look = choices.range("look", 0..=63u32);
        let has = |feature, bits: u32| self.features.has(feature) && look & bits == bits;
        let global = self.split || has(Feature::Global, 1);
        let place = match (global, !self.split && has(Feature::Static, 2)) {
            (true, false) => Place::Global,
            (true, true) => Place::StaticGlobal,
            (false, true) => Place::StaticLocal,
            (false, false) => Place::Local,
        };
        let constant = matches!(role, Role::X | Role::K) && has(Feature::Const, 12);
        let volatile = has(Feature::Volatile, 48);
        Var { role, ty, place, constant, volatile, value }
    }
}

/// The bits of a value of a type: of any length equally likely, now and then at an edge.
pub(crate) fn value(choices: &mut Choices, num: Num, fractions: bool) -> u128 {
    match num {
        Num::Bool => choices.bits("value", 1),
        Num::Int { width, signed } => integer(choices, u32::from(width), signed),
        Num::Float(format) => floating(choices, format, fractions),
    }
}

fn integer(choices: &mut Choices, width: u32, signed: bool) -> u128 {
    let mask = arith::mask(width);
    // 0 to width: so many bits; beyond: an edge.
    let length = choices.range("length", 0..=width + width / 8);
    if length > width {
        let high = if signed { mask >> 1 } else { mask };
        let low = if signed { high + 1 } else { 0 };
        return *choices.one_of("edge", &[low, high, (low + 1) & mask, (high - 1) & mask, mask, 1]);
    }
    let magnitude = choices.bits("value", length.min(width));
    if signed && choices.chance("negative", 1, 2) {
        magnitude.wrapping_neg() & mask
    } else {
        magnitude & mask
    }
}

fn floating(choices: &mut Choices, format: Format, fractions: bool) -> u128 {
    let length = choices.range("length", 0..=format.precision() - 1);
    let magnitude = choices.bits("value", length).cast_signed();
    let number = if choices.chance("negative", 1, 2) { -magnitude } else { magnitude };
    let bits = from_integer(format, number);
    if fractions && choices.chance("fraction", 1, 4) {
        let places = choices.range("places", 1..=i64::from(FRACTION_BITS));
        return scale(format, bits, -places);
    }
    bits
}

/// An integer as a floating value; it is one of those that are exact.
pub(crate) fn from_integer(format: Format, number: i128) -> u128 {
    let limit = integer_limit(format);
    let number = number.clamp(-limit, limit).cast_unsigned();
    let wide = Num::Int { width: 128, signed: true };
    convert(wide, Num::Float(format), number).unwrap_or(0)
}

/// A number of a closed interval: small ones are as likely as all of any greater magnitude.
pub(crate) fn between(choices: &mut Choices, low: i128, high: i128) -> i128 {
    let anchor = 0.clamp(low, high);
    let (below, above) = (anchor.abs_diff(low), anchor.abs_diff(high));
    let down = below > 0 && (above == 0 || choices.chance("below", 1, 2));
    let room = if down { below } else { above };
    let length = choices.range("length", 0..=128 - room.leading_zeros());
    let distance = choices.bits("distance", length).min(room);
    if down { anchor.wrapping_sub_unsigned(distance) } else { anchor.wrapping_add_unsigned(distance) }
}
