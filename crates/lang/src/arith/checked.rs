//! Arithmetic on integers of any types with infinite precision, then cut to a third type: what gcc's and clang's
//! `__builtin_add_overflow` and its like compute.

use super::Num;
use super::int::{mask, sign_extend};

/// An operation of the overflow builtins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
}

/// The low bits of the exact result in type `to`, and whether it does not fit; none if a type is not an integer.
///
/// ```
/// use howler_lang::arith::{Checked, Num, checked};
/// let (char, int) = (Num::Int { width: 8, signed: true }, Num::INT);
/// assert_eq!(checked(Checked::Add, (int, 100), (int, 28), char), Some((0x80, true)));
/// assert_eq!(checked(Checked::Sub, (int, 0), (int, 128), char), Some((0x80, false)));
/// ```
pub fn checked(op: Checked, a: (Num, u128), b: (Num, u128), to: Num) -> Option<(u128, bool)> {
    let (a, mut b) = (exact(a)?, exact(b)?);
    let width = to.width();
    let signed = match to {
        Num::Int { signed, .. } => signed,
        Num::Bool => false,
        Num::Float(_) => return None,
    };
    if op == Checked::Sub {
        b.0 = !b.0;
    }
    let (negative, magnitude, carry) = if op == Checked::Mul {
        let (product, carry) = a.1.overflowing_mul(b.1);
        (a.0 != b.0, product, carry)
    } else if a.0 == b.0 {
        let (sum, carry) = a.1.overflowing_add(b.1);
        (a.0, sum, carry)
    } else if a.1 >= b.1 {
        (a.0, a.1 - b.1, false)
    } else {
        (b.0, b.1 - a.1, false)
    };
    let most = match (signed, negative) {
        (true, false) => mask(width - 1),
        (true, true) => 1 << (width - 1),
        (false, false) => mask(width),
        (false, true) => 0,
    };
    let bits = if negative { magnitude.wrapping_neg() } else { magnitude };
    Some((bits & mask(width), carry || magnitude > most))
}

/// Whether a value is negative, and its magnitude.
fn exact((num, bits): (Num, u128)) -> Option<(bool, u128)> {
    let width = num.width();
    match num {
        Num::Int { signed: true, .. } => {
            let value = sign_extend(width, bits & mask(width));
            Some((value < 0, value.unsigned_abs()))
        }
        Num::Int { .. } | Num::Bool => Some((false, bits & mask(width))),
        Num::Float(_) => None,
    }
}
