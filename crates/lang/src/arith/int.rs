//! Operators on two's complement integers of any width from 1 to 128.
//!
//! Widths up to 64 run on machine words; only wider ones touch 128-bit arithmetic. Operands are decoded from raw bits
//! here; promotion and the usual conversions are the caller's business, so a width of 8 means arithmetic in 8 bits
//! (vector lanes), not `char` arithmetic.

use super::Undefined;
use crate::program::{BinaryOp, UnaryOp};

/// The lowest `width` bits: those that a value of that width may have set.
#[inline]
pub fn mask(width: u32) -> u128 {
    match width {
        0 => 0,
        1..=64 => u128::from(u64::MAX >> (64 - width)),
        65..=127 => u128::MAX >> (128 - width),
        _ => u128::MAX,
    }
}

/// The value of `a` as a signed number of `width` bits, at least 1.
#[inline]
pub(super) fn sign_extend(width: u32, a: u128) -> i128 {
    if width <= 64 {
        let unused = 64 - width;
        return i128::from(low64(a).wrapping_shl(unused).cast_signed().wrapping_shr(unused));
    }
    let unused = 128u32.saturating_sub(width);
    a.wrapping_shl(unused).cast_signed().wrapping_shr(unused)
}

/// The low 64 bits.
#[inline]
pub(super) fn low64(a: u128) -> u64 {
    u64::try_from(a & u128::from(u64::MAX)).expect("masked to 64 bits")
}

/// The low 128 bits, for the macro's sake.
#[inline]
fn low128(a: u128) -> u128 {
    a
}

/// Unary `-`, `+`, `~` and `!`.
#[inline]
pub(super) fn unary(op: UnaryOp, width: u32, signed: bool, a: u128) -> Result<u128, Undefined> {
    let a = a & mask(width);
    match op {
        UnaryOp::Neg if signed && a == 1 << (width - 1) => Err(Undefined::NegOverflow),
        UnaryOp::Neg => Ok(a.wrapping_neg() & mask(width)),
        UnaryOp::Plus => Ok(a),
        UnaryOp::BitNot => Ok(!a & mask(width)),
        UnaryOp::Not => Ok(u128::from(a == 0)),
        _ => Err(Undefined::IllTyped),
    }
}

/// Every binary operator but the shifts.
#[inline]
pub(super) fn binary(op: BinaryOp, width: u32, signed: bool, a: u128, b: u128) -> Result<u128, Undefined> {
    match (width <= 64, signed) {
        (true, true) => word::signed(op, width, a, b),
        (true, false) => word::unsigned(op, width, a, b),
        (false, true) => double::signed(op, width, a, b),
        (false, false) => double::unsigned(op, width, a, b),
    }
}

/// The two's complement result of `+ - * / %`, or `None` for a zero divisor.
pub(super) fn wrapped(op: BinaryOp, width: u32, signed: bool, a: u128, b: u128) -> Option<u128> {
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem => match binary(op, width, signed, a, b) {
            Ok(result) => result,
            Err(Undefined::DivOverflow) => a,
            Err(Undefined::RemOverflow) => 0,
            Err(_) => return None,
        },
        _ => return binary(op, width, signed, a, b).ok(),
    };
    Some(result & mask(width))
}

/// `a << count`; the count has been checked to be less than the width.
#[inline]
pub(super) fn shl(width: u32, signed: bool, a: u128, count: u32) -> Result<u128, Undefined> {
    let a = a & mask(width);
    if signed {
        let max = mask(width - 1);
        if a > max {
            return Err(Undefined::ShlOfNegative);
        }
        if a > max >> count {
            return Err(Undefined::ShlOverflow);
        }
    }
    Ok(wrapped_shl(width, a, count))
}

/// `a << count` without regard to the sign.
#[inline]
pub(super) fn wrapped_shl(width: u32, a: u128, count: u32) -> u128 {
    a.wrapping_shl(count) & mask(width)
}

/// `a >> count`, arithmetic for signed types as gcc and clang have it (C17 6.5.7p5 leaves it to them).
#[inline]
pub(super) fn shr(width: u32, signed: bool, a: u128, count: u32) -> u128 {
    if signed {
        sign_extend(width, a).wrapping_shr(count).cast_unsigned() & mask(width)
    } else {
        (a & mask(width)).wrapping_shr(count)
    }
}

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident, $signed:ty, $unsigned:ty, $low:path) => {
        $(#[$doc])*
        mod $name {
            use super::{BinaryOp, Undefined, mask};

            type S = $signed;
            type U = $unsigned;

            #[inline]
            fn bits(width: u32, value: U) -> u128 {
                u128::from(value) & mask(width)
            }

            #[inline]
            fn extend(width: u32, a: U) -> S {
                let unused = U::BITS - width;
                a.wrapping_shl(unused).cast_signed().wrapping_shr(unused)
            }

            /// The result of a signed operation, or the overflow it is.
            #[inline]
            fn fit(width: u32, (value, wrapped): (S, bool), overflow: Undefined) -> Result<u128, Undefined> {
                if wrapped || extend(width, value.cast_unsigned()) != value {
                    return Err(overflow);
                }
                Ok(bits(width, value.cast_unsigned()))
            }

            #[inline]
            pub(super) fn signed(op: BinaryOp, width: u32, a: u128, b: u128) -> Result<u128, Undefined> {
                let x = extend(width, $low(a));
                let y = extend(width, $low(b));
                let truth = |value: bool| Ok(u128::from(value));
                match op {
                    BinaryOp::Add => fit(width, x.overflowing_add(y), Undefined::AddOverflow),
                    BinaryOp::Sub => fit(width, x.overflowing_sub(y), Undefined::SubOverflow),
                    BinaryOp::Mul => fit(width, x.overflowing_mul(y), Undefined::MulOverflow),
                    BinaryOp::Div if y == 0 => Err(Undefined::DivByZero),
                    BinaryOp::Div => fit(width, x.overflowing_div(y), Undefined::DivOverflow),
                    BinaryOp::Rem if y == 0 => Err(Undefined::RemByZero),
                    // The remainder 0 would fit; it is the quotient that does not.
                    BinaryOp::Rem if y == -1 && x == extend(width, 1 << (width - 1)) => Err(Undefined::RemOverflow),
                    BinaryOp::Rem => Ok(bits(width, x.wrapping_rem(y).cast_unsigned())),
                    BinaryOp::BitAnd => Ok(bits(width, (x & y).cast_unsigned())),
                    BinaryOp::BitXor => Ok(bits(width, (x ^ y).cast_unsigned())),
                    BinaryOp::BitOr => Ok(bits(width, (x | y).cast_unsigned())),
                    BinaryOp::Lt => truth(x < y),
                    BinaryOp::Gt => truth(x > y),
                    BinaryOp::Le => truth(x <= y),
                    BinaryOp::Ge => truth(x >= y),
                    BinaryOp::Eq => truth(x == y),
                    BinaryOp::Ne => truth(x != y),
                    BinaryOp::And => truth(x != 0 && y != 0),
                    BinaryOp::Or => truth(x != 0 || y != 0),
                    BinaryOp::Shl | BinaryOp::Shr => Err(Undefined::IllTyped),
                }
            }

            #[inline]
            pub(super) fn unsigned(op: BinaryOp, width: u32, a: u128, b: u128) -> Result<u128, Undefined> {
                let x = $low(a & mask(width));
                let y = $low(b & mask(width));
                let truth = |value: bool| Ok(u128::from(value));
                match op {
                    BinaryOp::Add => Ok(bits(width, x.wrapping_add(y))),
                    BinaryOp::Sub => Ok(bits(width, x.wrapping_sub(y))),
                    BinaryOp::Mul => Ok(bits(width, x.wrapping_mul(y))),
                    BinaryOp::Div => x.checked_div(y).map(|q| bits(width, q)).ok_or(Undefined::DivByZero),
                    BinaryOp::Rem => x.checked_rem(y).map(|r| bits(width, r)).ok_or(Undefined::RemByZero),
                    BinaryOp::BitAnd => Ok(bits(width, x & y)),
                    BinaryOp::BitXor => Ok(bits(width, x ^ y)),
                    BinaryOp::BitOr => Ok(bits(width, x | y)),
                    BinaryOp::Lt => truth(x < y),
                    BinaryOp::Gt => truth(x > y),
                    BinaryOp::Le => truth(x <= y),
                    BinaryOp::Ge => truth(x >= y),
                    BinaryOp::Eq => truth(x == y),
                    BinaryOp::Ne => truth(x != y),
                    BinaryOp::And => truth(x != 0 && y != 0),
                    BinaryOp::Or => truth(x != 0 || y != 0),
                    BinaryOp::Shl | BinaryOp::Shr => Err(Undefined::IllTyped),
                }
            }
        }
    };
}

operators! {
    /// Widths up to 64.
    word, i64, u64, super::low64
}

operators! {
    /// Widths up to 128.
    double, i128, u128, super::low128
}
