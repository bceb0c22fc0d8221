//! The mathematical functions whose results are exact or correctly rounded everywhere (C17 7.12, F.10): every
//! library and every compiler gives the same bits. Functions that a library may approximate are not here.
//!
//! A NaN that goes in comes out as [`Format::nan`], except where only its sign is touched.

use super::float::{double, is_nan, is_zero, order, single};
use super::int::mask;
use super::{Format, Num, convert};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round};
use std::cmp::Ordering;

/// How a value is rounded to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// `floor`.
    Down,
    /// `ceil`.
    Up,
    /// `trunc`.
    Zero,
    /// `rint`, `nearbyint` and `roundeven`: to nearest, ties to even.
    Even,
    /// `round`: to nearest, ties away from zero.
    Away,
}

/// What a floating value is (C17 7.12.3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatClass {
    /// `FP_NAN`.
    Nan,
    /// `FP_INFINITE`.
    Infinite,
    /// `FP_ZERO`.
    Zero,
    /// `FP_SUBNORMAL`.
    Subnormal,
    /// `FP_NORMAL`.
    Normal,
}

/// Runs a generic function with the soft float of a format.
macro_rules! soft {
    ($format:expr, $function:ident($($arg:expr),*)) => {
        match $format {
            Format::F16 => $function::<Half>($($arg),*),
            Format::F32 => $function::<Single>($($arg),*),
            Format::F64 => $function::<Double>($($arg),*),
            Format::X87 => $function::<X87DoubleExtended>($($arg),*),
            Format::F128 => $function::<Quad>($($arg),*),
        }
    };
}

/// What a value is.
pub fn classify(format: Format, a: u128) -> FloatClass {
    let magnitude = a & mask(format.bits() - 1);
    let fraction_bits = format.bits() - 1 - format.exponent_bits();
    if is_nan(format, a) {
        FloatClass::Nan
    } else if magnitude == format.infinity() {
        FloatClass::Infinite
    } else if is_zero(format, a) {
        FloatClass::Zero
    } else if magnitude >> fraction_bits == 0 && !(format == Format::X87 && magnitude >> 63 & 1 == 1) {
        FloatClass::Subnormal
    } else {
        FloatClass::Normal
    }
}

/// Whether a NaN is a signalling one.
pub fn is_signaling(format: Format, a: u128) -> bool {
    is_nan(format, a) && a >> (if format == Format::X87 { 62 } else { format.precision() - 2 }) & 1 == 0
}

/// `fabs`: the sign of a NaN is cleared too.
pub fn absolute(format: Format, a: u128) -> u128 {
    a & mask(format.bits() - 1)
}

/// `copysign`.
pub fn copy_sign(format: Format, a: u128, sign: u128) -> u128 {
    absolute(format, a) | sign & format.sign_bit()
}

/// A value rounded to an integer, in its own format; the sign stays, of a zero too.
pub fn round_to_integral(format: Format, a: u128, rounding: Rounding) -> u128 {
    if is_nan(format, a) {
        return format.nan();
    }
    let round = match rounding {
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
        Rounding::Zero => Round::TowardZero,
        Rounding::Even => Round::NearestTiesToEven,
        Rounding::Away => Round::NearestTiesToAway,
    };
    let result = soft!(format, integral(a, round));
    copy_sign(format, result, a)
}

fn integral<F: Float>(a: u128, round: Round) -> u128 {
    F::from_bits(a).round_to_integral(round).value.to_bits()
}

/// A value rounded to an integer of type `to`, or none if it does not fit: `lrint`, `lround` and their like.
pub fn round_to_int(format: Format, a: u128, rounding: Rounding, to: Num) -> Option<u128> {
    convert(Num::Float(format), to, round_to_integral(format, a, rounding)).ok()
}

/// `sqrt`, correctly rounded; none for a format it is not implemented for.
pub fn square_root(format: Format, a: u128) -> Option<u128> {
    let negative = a & format.sign_bit() != 0;
    if is_nan(format, a) || negative && !is_zero(format, a) {
        return Some(format.nan());
    }
    if is_zero(format, a) || a == format.infinity() {
        return Some(a);
    }
    match format {
        Format::F32 => Some(u128::from(single(a).sqrt().to_bits())),
        Format::F64 => Some(u128::from(double(a).sqrt().to_bits())),
        Format::X87 => Some(x87_root(a)),
        Format::F16 | Format::F128 => None,
    }
}

/// The root of a positive finite x87 value by the integer root of its significand.
fn x87_root(a: u128) -> u128 {
    let significand = a & mask(64);
    // The value is `significand * 2^power`, a pseudo-denormal's or subnormal's exponent counting as 1.
    let exponent = i32::try_from((a >> 64 & 0x7fff).max(1)).unwrap_or(1);
    let lead = significand.leading_zeros() - 64;
    let (mut wide, mut power) =
        (significand << lead, exponent - 16383 - 63 - i32::try_from(lead).unwrap_or(0));
    // A radicand of 127 or 128 bits and an even power: its root has 64 bits.
    let shift = if (power - 63) % 2 == 0 { 63 } else { 64 };
    wide <<= shift;
    power -= shift;
    let mut root = wide.isqrt();
    // The root lies above root + 1/2 exactly if the radicand exceeds root² + root; it is never the middle itself.
    if wide - root * root > root {
        root += 1;
    }
    let mut result = power / 2 + 63 + 16383;
    if root >> 64 != 0 {
        root >>= 1;
        result += 1;
    }
    u128::try_from(result).unwrap_or(0) << 64 | root
}

/// `fma`: one rounding.
pub fn fused(format: Format, a: u128, b: u128, c: u128) -> u128 {
    if [a, b, c].iter().any(|&x| is_nan(format, x)) {
        return format.nan();
    }
    let result = soft!(format, fused_soft(a, b, c));
    if is_nan(format, result) { format.nan() } else { result }
}

fn fused_soft<F: Float>(a: u128, b: u128, c: u128) -> u128 {
    F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits()
}

/// `fmod`: exact.
pub fn modulo(format: Format, a: u128, b: u128) -> u128 {
    let infinite = |x: u128| absolute(format, x) == format.infinity();
    if is_nan(format, a) || is_nan(format, b) || infinite(a) || is_zero(format, b) {
        return format.nan();
    }
    if infinite(b) || is_zero(format, a) {
        return a;
    }
    let Some((x, x_power)) = parts(format, a) else { return format.nan() };
    let Some((y, y_power)) = parts(format, b) else { return format.nan() };
    if x_power < y_power {
        // The dividend's unit is smaller: the divisor is a multiple of it, or larger than the dividend.
        let shift = (y_power - x_power).unsigned_abs();
        let rest = if shift < y.leading_zeros() { x % (y << shift) } else { x };
        return assemble(format, rest, x_power, a);
    }
    let mut rest = x % y;
    for _ in 0..x_power - y_power {
        rest <<= 1;
        if rest >= y {
            rest -= y;
        }
    }
    assemble(format, rest, y_power, a)
}

/// A finite value's significand and the power of two it is multiplied by.
fn parts(format: Format, a: u128) -> Option<(u128, i32)> {
    let fraction_bits = format.bits() - 1 - format.exponent_bits();
    let field = absolute(format, a) >> fraction_bits;
    let fraction = a & mask(fraction_bits);
    let implicit = if format == Format::X87 || field == 0 { 0 } else { 1 << fraction_bits };
    let bias = (1 << (format.exponent_bits() - 1)) - 1;
    let low = if format == Format::X87 { 63 } else { i32::try_from(fraction_bits).ok()? };
    Some((fraction | implicit, i32::try_from(field.max(1)).ok()? - bias - low))
}

/// The value `significand * 2^power` with the sign of `sign`; it must be exact.
fn assemble(format: Format, significand: u128, power: i32, sign: u128) -> u128 {
    let sign = sign & format.sign_bit();
    if significand == 0 {
        return sign;
    }
    let bias = (1 << (format.exponent_bits() - 1)) - 1;
    let width = i32::try_from(format.precision()).unwrap_or(0);
    let lead = width - (128 - i32::try_from(significand.leading_zeros()).unwrap_or(0));
    // Shift the leading bit to its place, unless that would leave the exponents.
    let lowest = 1 - bias - (width - 1);
    let shift = lead.min(power - lowest);
    let shifted = if shift >= 0 { significand << shift } else { significand >> -shift };
    let field = power - shift + bias + width - 1;
    let fraction_bits = format.bits() - 1 - format.exponent_bits();
    let normal = shifted >> (width - 1) & 1 == 1;
    let field = if normal { u128::try_from(field).unwrap_or(0) } else { 0 };
    let fraction = if format == Format::X87 { shifted } else { shifted & mask(fraction_bits) };
    sign | field << fraction_bits | fraction
}

/// `remainder`: exact, by the quotient rounded to nearest even.
pub fn ieee_remainder(format: Format, a: u128, b: u128) -> u128 {
    let infinite = |x: u128| absolute(format, x) == format.infinity();
    if is_nan(format, a) || is_nan(format, b) || infinite(a) || is_zero(format, b) {
        return format.nan();
    }
    if infinite(b) {
        return a;
    }
    let (Some((x, x_power)), Some((y, y_power))) = (parts(format, a), parts(format, b)) else {
        return format.nan();
    };
    // The remainder in units of the smaller power, and whether the quotient is odd.
    let (mut rest, unit, divisor, odd);
    if x_power < y_power {
        let shift = (y_power - x_power).unsigned_abs();
        if shift >= y.leading_zeros().saturating_sub(1) {
            // The dividend is below half of the divisor.
            return a;
        }
        divisor = y << shift;
        (rest, odd, unit) = (x % divisor, x / divisor % 2 == 1, x_power);
    } else {
        divisor = y;
        rest = x % y;
        let mut last = x / y % 2 == 1;
        for _ in 0..x_power - y_power {
            rest <<= 1;
            last = rest >= y;
            if last {
                rest -= y;
            }
        }
        (odd, unit) = (last, y_power);
    }
    let beyond = match (2 * rest).cmp(&divisor) {
        Ordering::Greater => true,
        Ordering::Equal => odd,
        Ordering::Less => false,
    };
    let mut sign = a;
    if beyond {
        rest = divisor - rest;
        sign ^= format.sign_bit();
    }
    if rest == 0 {
        return a & format.sign_bit();
    }
    assemble(format, rest, unit, sign)
}

/// `ldexp`, `scalbn`: `a * 2^power`, rounded once.
pub fn scale(format: Format, a: u128, power: i64) -> u128 {
    if is_nan(format, a) {
        return format.nan();
    }
    let power = i32::try_from(power.clamp(-100_000, 100_000)).unwrap_or(0);
    soft!(format, scale_soft(a, power))
}

fn scale_soft<F: Float>(a: u128, power: i32) -> u128 {
    F::from_bits(a).scalbn(power).to_bits()
}

/// The exponent of a finite value other than 0, as `ilogb` and `logb` have it.
pub fn exponent(format: Format, a: u128) -> Option<i32> {
    match classify(format, a) {
        FloatClass::Normal | FloatClass::Subnormal => {
            let (significand, power) = parts(format, a)?;
            Some(power + 127 - i32::try_from(significand.leading_zeros()).ok()?)
        }
        _ => None,
    }
}

/// `frexp`: a fraction in [0.5, 1) and a power of two. 0, infinities and NaNs come back with no power.
pub fn fraction_and_power(format: Format, a: u128) -> (u128, Option<i32>) {
    match exponent(format, a) {
        Some(power) => (scale(format, a, -i64::from(power) - 1), Some(power + 1)),
        None => (a, None),
    }
}

/// `modf`: the fractional and the integral part, both with the sign of the value.
pub fn split(format: Format, a: u128) -> (u128, u128) {
    let whole = round_to_integral(format, a, Rounding::Zero);
    if is_nan(format, a) {
        return (whole, whole);
    }
    if absolute(format, a) == format.infinity() {
        return (a & format.sign_bit(), a);
    }
    let rest = super::binary(crate::program::BinaryOp::Sub, Num::Float(format), a, whole).unwrap_or(0);
    (copy_sign(format, rest, a), whole)
}

/// `nextafter`: the next value from `a` towards `b`.
pub fn next_after(format: Format, a: u128, b: u128) -> u128 {
    match order(format, a, b) {
        None => format.nan(),
        Some(Ordering::Equal) => b,
        Some(way) => neighbour(format, a, way == Ordering::Less),
    }
}

/// The next value above or below one that is not a NaN.
pub fn neighbour(format: Format, a: u128, up: bool) -> u128 {
    soft!(format, neighbour_soft(a, up))
}

fn neighbour_soft<F: Float>(a: u128, up: bool) -> u128 {
    let a = F::from_bits(a);
    if up { a.next_up() } else { a.next_down() }.value.to_bits()
}

/// How two values compare; none if one is a NaN.
pub fn compare(format: Format, a: u128, b: u128) -> Option<Ordering> {
    order(format, a, b)
}

/// CRC-32C over the low `bits` bits of `data`, as x86's instruction computes it.
pub fn crc32c(crc: u32, data: u64, bits: u32) -> u32 {
    let mut crc = crc;
    for bit in 0..bits.min(64) {
        let low = (crc ^ u32::from(data >> bit & 1 == 1)) & 1;
        crc >>= 1;
        if low == 1 {
            // The Castagnoli polynomial, bits reversed.
            crc ^= 0x82f6_3b78;
        }
    }
    crc
}
