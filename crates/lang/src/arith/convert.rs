//! Conversions between all arithmetic types, exactly rounded; also taking floating encodings apart and making them.
//!
//! Everything is done in integers: no format needs more than 113 bits of significand and no integer more than 128.

use super::float::{double, is_nan, single};
use super::int::{mask, sign_extend};
use super::{Format, Num, Undefined, truth};

/// Converts `a` from one type to another (C17 6.3.1.2 to 6.3.1.5).
///
/// ```
/// use howler_lang::arith::{convert, Format, Num, Undefined};
/// let double = Num::Float(Format::F64);
/// assert_eq!(convert(double, Num::INT, u128::from((-0.9f64).to_bits())), Ok(0));
/// assert_eq!(convert(double, Num::INT, u128::from(3e9f64.to_bits())), Err(Undefined::FloatToIntRange));
/// ```
#[inline]
pub fn convert(from: Num, to: Num, a: u128) -> Result<u128, Undefined> {
    match (from, to) {
        (_, Num::Bool) => Ok(u128::from(truth(from, a))),
        (Num::Bool, Num::Int { .. }) => Ok(u128::from(a != 0) & mask(to.width())),
        (Num::Int { signed, .. }, Num::Int { .. }) => Ok(widen(from.width(), signed, a) & mask(to.width())),
        (Num::Float(format), Num::Int { signed, .. }) => float_to_int(format, to.width(), signed, a),
        (Num::Bool, Num::Float(format)) => Ok(if a == 0 { 0 } else { format.one() }),
        (Num::Int { signed, .. }, Num::Float(format)) => {
            let value = widen(from.width(), signed, a);
            let negative = signed && value.cast_signed() < 0;
            let magnitude = if negative { value.wrapping_neg() } else { value };
            let number = Exact { negative, exponent: 0, significand: magnitude };
            Ok(int_to_native(format, number).unwrap_or_else(|| round(format, number, false)))
        }
        (Num::Float(from), Num::Float(to)) => Ok(float_to_float(from, to, a)),
    }
}

/// The result of [`convert`] where it is defined, else the value gcc folds to: the nearest one of the type, and 0 for a
/// NaN.
///
/// ```
/// use howler_lang::arith::{saturated_convert, Format, Num};
/// let double = Num::Float(Format::F64);
/// assert_eq!(saturated_convert(double, Num::INT, u128::from(3e9f64.to_bits())), 0x7fff_ffff);
/// ```
pub fn saturated_convert(from: Num, to: Num, a: u128) -> u128 {
    let result = convert(from, to, a);
    match (result, from, to) {
        (Ok(value), ..) => value,
        (Err(Undefined::FloatToIntRange), Num::Float(format), Num::Int { signed, .. }) => {
            let negative = a & format.sign_bit() != 0;
            match (signed, negative) {
                (true, true) => 1 << (to.width() - 1),
                (true, false) => mask(to.width() - 1),
                (false, true) => 0,
                (false, false) => mask(to.width()),
            }
        }
        _ => 0,
    }
}

#[inline]
fn widen(width: u32, signed: bool, a: u128) -> u128 {
    if signed { sign_extend(width, a).cast_unsigned() } else { a & mask(width) }
}

/// The common cases of integer to `double` and `float`.
#[inline]
fn int_to_native(format: Format, number: Exact) -> Option<u128> {
    let magnitude = u64::try_from(number.significand).ok()?;
    let high = u32::try_from(magnitude >> 32).expect("the upper half of 64 bits");
    let low = u32::try_from(magnitude & 0xffff_ffff).expect("the lower half of 64 bits");
    // Both terms are exact, so the sum is the only rounding.
    let sum = f64::from(high) * 4_294_967_296.0 + f64::from(low);
    let double = if number.negative { -sum } else { sum };
    match format {
        Format::F64 => Some(u128::from(double.to_bits())),
        // Exact as a double, so again rounded once.
        Format::F32 if magnitude < 1 << 53 => narrow(double),
        _ => None,
    }
}

/// A `double` rounded to `float`, if both are normal numbers.
#[inline]
fn narrow(value: f64) -> Option<u128> {
    let bits = value.to_bits();
    let magnitude = bits & (u64::MAX >> 1);
    // From 2^-126 up to where the exponent is still below the infinities' (rounding may carry into it).
    if !(897 << 52..1151 << 52).contains(&magnitude) {
        return None;
    }
    let rebiased = magnitude - ((1023 - 127) << 52);
    let half = (1 << 28) - 1 + (rebiased >> 29 & 1);
    let sign = bits >> 63 << 31;
    Some(u128::from((rebiased + half) >> 29 | sign))
}

/// What an encoding stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Nan,
    Infinity { negative: bool },
    Finite(Exact),
}

/// The number `significand` × 2^`exponent`, with a sign that zero has too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exact {
    pub(super) negative: bool,
    pub(super) exponent: i32,
    pub(super) significand: u128,
}

/// The exponent of the last place of a subnormal number.
pub(super) fn least_exponent(format: Format) -> i32 {
    let bias = (1i32 << (format.exponent_bits() - 1)) - 1;
    1 - bias - format.precision().cast_signed() + 1
}

/// Takes an encoding apart.
#[inline]
pub(super) fn value(format: Format, bits: u128) -> Value {
    let negative = bits & format.sign_bit() != 0;
    let stored = format.bits() - 1 - format.exponent_bits();
    let fraction = bits & mask(stored);
    let biased = (bits >> stored) & mask(format.exponent_bits());
    let ones = biased == mask(format.exponent_bits());
    let (significand, infinite) = match format {
        // The integer bit is stored. Without it only zero and the subnormals are numbers.
        Format::X87 if biased != 0 && fraction >> 63 == 0 => return Value::Nan,
        Format::X87 => (fraction, fraction == 1 << 63),
        _ if biased == 0 => (fraction, false),
        _ => (fraction | 1 << stored, fraction == 0),
    };
    if ones {
        return if infinite { Value::Infinity { negative } } else { Value::Nan };
    }
    let biased = i32::try_from(biased).expect("an exponent has at most 15 bits");
    Value::Finite(Exact { negative, exponent: least_exponent(format) + biased.max(1) - 1, significand })
}

/// Rounds a number to nearest, ties to even, and encodes it; too large a number becomes an infinity.
///
/// `more` says that the true magnitude is greater than the number by less than one in its last place; the
/// significand must then have more bits than the format's precision.
#[inline]
pub(super) fn round(format: Format, number: Exact, more: bool) -> u128 {
    let sign = if number.negative { format.sign_bit() } else { 0 };
    if number.significand == 0 {
        return sign;
    }
    let precision = format.precision().cast_signed();
    let top = 127 - number.significand.leading_zeros().cast_signed();
    let least = least_exponent(format);
    // The exponent of the result's last place, and how far the significand must move to get there.
    let mut last = number.exponent.saturating_add(top + 1 - precision).max(least);
    let distance = last.saturating_sub(number.exponent);
    let mut significand = if distance <= 0 {
        number.significand << distance.unsigned_abs()
    } else {
        let (significand, distance) = within_126(number.significand, distance.unsigned_abs());
        let rest = significand & mask(distance);
        let half = 1 << (distance - 1);
        let quotient = significand >> distance;
        let up = rest > half || rest == half && (more || quotient & 1 == 1);
        quotient + u128::from(up)
    };
    if significand >> precision != 0 {
        significand >>= 1;
        last = last.saturating_add(1);
    }
    if significand >> (precision - 1) == 0 {
        return sign | significand;
    }
    let biased = last.saturating_sub(least).saturating_add(1).unsigned_abs();
    if u128::from(biased) >= mask(format.exponent_bits()) {
        return sign | format.infinity();
    }
    let stored = format.bits() - 1 - format.exponent_bits();
    sign | u128::from(biased) << stored | significand & mask(stored)
}

/// Brings the distance of a right shift to 126 at most, keeping in the last bit whether anything was lost.
#[inline]
fn within_126(significand: u128, distance: u32) -> (u128, u32) {
    if distance <= 126 {
        return (significand, distance);
    }
    let drop = distance - 126;
    if drop >= 128 {
        return (1, 126);
    }
    let lost = significand & mask(drop) != 0;
    (significand >> drop | u128::from(lost), 126)
}

/// Conversion between floating formats (C17 6.3.1.5): exact when widening, else rounded once.
#[inline]
pub(super) fn float_to_float(from: Format, to: Format, a: u128) -> u128 {
    match (from, to) {
        _ if from == to => return a & mask(from.bits()),
        (Format::F32, Format::F64) if !is_nan(from, a) => {
            return u128::from(f64::from(single(a)).to_bits());
        }
        (Format::F64, Format::F32) => {
            if let Some(bits) = narrow(double(a)) {
                return bits;
            }
        }
        _ => {}
    }
    match value(from, a) {
        Value::Nan => to.nan(),
        Value::Infinity { negative: false } => to.infinity(),
        Value::Infinity { negative: true } => to.infinity() | to.sign_bit(),
        Value::Finite(number) => round(to, number, false),
    }
}

/// The integral part of a floating value, if the integer type has it (C17 6.3.1.4p1).
#[inline]
fn float_to_int(format: Format, width: u32, signed: bool, a: u128) -> Result<u128, Undefined> {
    let number = match value(format, a) {
        Value::Nan => return Err(Undefined::FloatToIntNan),
        Value::Infinity { .. } => return Err(Undefined::FloatToIntRange),
        Value::Finite(number) => number,
    };
    let distance = number.exponent.unsigned_abs();
    let magnitude = if number.exponent < 0 {
        number.significand.checked_shr(distance).unwrap_or(0)
    } else if number.significand == 0 {
        0
    } else if distance <= number.significand.leading_zeros() {
        number.significand << distance
    } else {
        return Err(Undefined::FloatToIntRange);
    };
    let limit = match (signed, number.negative) {
        (true, true) => 1 << (width - 1),
        (true, false) => mask(width - 1),
        (false, true) => 0,
        (false, false) => mask(width),
    };
    if magnitude > limit {
        return Err(Undefined::FloatToIntRange);
    }
    let value = if number.negative { magnitude.wrapping_neg() } else { magnitude };
    Ok(value & mask(width))
}
