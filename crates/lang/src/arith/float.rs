//! Operators on floating values: native for binary32 and binary64, a soft-float crate for x87 and binary128.

use super::convert::float_to_float;
use super::int::{low64, mask};
use super::{Format, Undefined};
use crate::program::{BinaryOp, UnaryOp};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use std::cmp::Ordering;

/// Unary `-`, `+` and `!`. The sign of a NaN changes too (IEEE 754 negate, C17 F.3).
#[inline]
pub(super) fn unary(op: UnaryOp, format: Format, a: u128) -> Result<u128, Undefined> {
    let a = a & mask(format.bits());
    match op {
        UnaryOp::Neg => Ok(a ^ format.sign_bit()),
        UnaryOp::Plus => Ok(a),
        UnaryOp::Not => Ok(u128::from(is_zero(format, a))),
        _ => Err(Undefined::IllTyped),
    }
}

/// `+ - * /`, comparisons, `&&` and `||`.
#[inline]
pub(super) fn binary(op: BinaryOp, format: Format, a: u128, b: u128) -> Result<u128, Undefined> {
    let truth = |value: bool| Ok(u128::from(value));
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => Ok(arithmetic(op, format, a, b)),
        BinaryOp::Lt => truth(order(format, a, b) == Some(Ordering::Less)),
        BinaryOp::Gt => truth(order(format, a, b) == Some(Ordering::Greater)),
        BinaryOp::Le => truth(matches!(order(format, a, b), Some(Ordering::Less | Ordering::Equal))),
        BinaryOp::Ge => truth(matches!(order(format, a, b), Some(Ordering::Greater | Ordering::Equal))),
        BinaryOp::Eq => truth(order(format, a, b) == Some(Ordering::Equal)),
        BinaryOp::Ne => truth(order(format, a, b) != Some(Ordering::Equal)),
        BinaryOp::And => truth(!is_zero(format, a) && !is_zero(format, b)),
        BinaryOp::Or => truth(!is_zero(format, a) || !is_zero(format, b)),
        BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitXor
        | BinaryOp::BitOr => Err(Undefined::IllTyped),
    }
}

/// Whether the value is 0 or -0.
#[inline]
pub(super) fn is_zero(format: Format, a: u128) -> bool {
    a & mask(format.bits() - 1) == 0
}

/// Whether the value is a NaN, the encodings of x87 that are no numbers included.
#[inline]
pub(super) fn is_nan(format: Format, a: u128) -> bool {
    let magnitude = a & mask(format.bits() - 1);
    match format {
        Format::X87 => magnitude > format.infinity() || magnitude >> 63 > 1 && magnitude >> 63 & 1 == 0,
        _ => magnitude > format.infinity(),
    }
}

/// How two values compare; a NaN does with nothing.
#[inline]
pub(super) fn order(format: Format, a: u128, b: u128) -> Option<Ordering> {
    match format {
        Format::F32 => return single(a).partial_cmp(&single(b)),
        Format::F64 => return double(a).partial_cmp(&double(b)),
        _ if is_nan(format, a) || is_nan(format, b) => return None,
        _ => {}
    }
    let magnitude = mask(format.bits() - 1);
    let (a, b) = (regular(format, a), regular(format, b));
    let (x, y) = (a & magnitude, b & magnitude);
    if x == 0 && y == 0 {
        return Some(Ordering::Equal);
    }
    // Encodings of one sign are ordered as integers.
    Some(match (a & format.sign_bit() != 0, b & format.sign_bit() != 0) {
        (false, false) => x.cmp(&y),
        (true, true) => y.cmp(&x),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

/// Gives a pseudo-denormal of x87 (integer bit set, exponent 0) the exponent 1, which means the same.
#[inline]
fn regular(format: Format, a: u128) -> u128 {
    match format {
        Format::X87 if a >> 63 & 0xffff == 1 => a | 1 << 64,
        _ => a,
    }
}

#[inline]
fn arithmetic(op: BinaryOp, format: Format, a: u128, b: u128) -> u128 {
    match format {
        // Rounding a binary32 result again to 11 bits is harmless: 24 >= 2 * 11 + 2.
        Format::F16 => {
            let (x, y) = (
                single(float_to_float(Format::F16, Format::F32, a)),
                single(float_to_float(Format::F16, Format::F32, b)),
            );
            float_to_float(Format::F32, Format::F16, single_bits(single_op(op, x, y)))
        }
        Format::F32 => single_bits(single_op(op, single(a), single(b))),
        Format::F64 => {
            let (x, y) = (double(a), double(b));
            let result = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                _ => x / y,
            };
            if result.is_nan() { Format::F64.nan() } else { u128::from(result.to_bits()) }
        }
        Format::X87 => {
            let x = X87DoubleExtended::from_bits(regular(format, a) & mask(80));
            let y = X87DoubleExtended::from_bits(regular(format, b) & mask(80));
            soft(op, format, x, y)
        }
        Format::F128 => soft(op, format, Quad::from_bits(a), Quad::from_bits(b)),
    }
}

fn soft<F: Float>(op: BinaryOp, format: Format, x: F, y: F) -> u128 {
    // The soft floats are not asked about NaNs, so that no payload rule of theirs matters.
    if x.is_nan() || y.is_nan() {
        return format.nan();
    }
    let result = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        _ => x / y,
    }
    .value;
    if result.is_nan() { format.nan() } else { result.to_bits() }
}

#[inline]
fn single_op(op: BinaryOp, x: f32, y: f32) -> f32 {
    match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        _ => x / y,
    }
}

/// The value of binary32 bits.
#[inline]
pub(super) fn single(a: u128) -> f32 {
    f32::from_bits(u32::try_from(a & mask(32)).expect("masked to 32 bits"))
}

#[inline]
fn single_bits(value: f32) -> u128 {
    if value.is_nan() { Format::F32.nan() } else { u128::from(value.to_bits()) }
}

/// The value of binary64 bits.
#[inline]
pub(super) fn double(a: u128) -> f64 {
    f64::from_bits(low64(a))
}
