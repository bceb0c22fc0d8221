//! The bit operations that gcc and clang have as builtins, on integers of any width.

use super::Num;
use super::int::{mask, sign_extend};

/// A bit operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitOp {
    /// How many bits are set.
    Popcount,
    /// Whether an odd number of bits is set.
    Parity,
    /// How many zeros stand above the highest set bit; undefined for 0.
    Clz,
    /// How many zeros stand below the lowest set bit; undefined for 0.
    Ctz,
    /// One more than the index of the lowest set bit, or 0.
    Ffs,
    /// How many bits below the sign bit are equal to it.
    Clrsb,
    /// The bytes in reverse order, in the operand's type; the width must be a whole number of bytes.
    Bswap,
}

/// The result of a bit operation on a value of type `num`; `None` if the value or the type has none.
///
/// ```
/// use howler_lang::arith::{BitOp, Num, bit_operation};
/// assert_eq!(bit_operation(BitOp::Clz, Num::INT, 1), Some(31));
/// assert_eq!(bit_operation(BitOp::Clz, Num::INT, 0), None);
/// ```
pub fn bit_operation(op: BitOp, num: Num, a: u128) -> Option<u128> {
    let Num::Int { .. } = num else { return None };
    let width = num.width();
    let a = a & mask(width);
    let unused = 128 - width;
    let count = match op {
        BitOp::Popcount => a.count_ones(),
        BitOp::Parity => a.count_ones() % 2,
        BitOp::Clz if a != 0 => a.leading_zeros() - unused,
        BitOp::Ctz if a != 0 => a.trailing_zeros(),
        BitOp::Clz | BitOp::Ctz => return None,
        BitOp::Ffs => a.checked_ilog2().map_or(0, |_| a.trailing_zeros() + 1),
        BitOp::Clrsb => {
            let value = sign_extend(width, a);
            let magnitude = if value < 0 { !value } else { value };
            magnitude.leading_zeros() - unused - 1
        }
        BitOp::Bswap if width.is_multiple_of(8) => return Some(a.swap_bytes() >> unused),
        BitOp::Bswap => return None,
    };
    Some(u128::from(count))
}
