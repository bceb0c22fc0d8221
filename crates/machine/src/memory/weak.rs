//! Values in memory that the library left open in part, and which of their bits are known.

use super::{Memory, shadow};
use crate::value::Choice;

/// What is known of a value in memory that the library left open in part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Weak {
    /// How many bytes it has.
    pub size: u32,
    /// What is open.
    pub choice: Choice,
    /// Which bits that are, if it is [`Choice::Bits`].
    pub open: u128,
}

impl Weak {
    /// A byte without a value that was stored all the same.
    pub const COPY: Weak = Weak { size: 1, choice: Choice::Whole, open: 0 };
}

impl Memory {
    /// Whether something was stored in a byte that has no value.
    #[cold]
    pub(super) fn holds_copy(&self, at: u32) -> bool {
        self.weak.get(&at) == Some(&Weak::COPY)
    }

    /// Which bits of up to 8 bytes a library left open: of an integer, whatever was stored there.
    #[cold]
    pub fn library_bits(&self, at: u32, len: u32) -> u64 {
        let mut open = 0;
        for index in 0..len.min(8) {
            let place = at + index;
            if self.shadow_at(place) & shadow::LIBRARY == 0 {
                continue;
            }
            let covers = |start: &u32| self.weak.get(start).filter(|weak| start + weak.size > place);
            let entry = (place.saturating_sub(15)..=place).rev().find(|start| covers(start).is_some());
            let byte = entry.and_then(|start| covers(&start).map(|weak| weak.open >> (8 * (place - start))));
            open |= (byte.unwrap_or(0xff) as u64 & 0xff) << (8 * index);
        }
        open
    }
}

/// The bits of a NaN that arithmetic leaves open: its sign and payload. The quiet bit is set, unless the operand was a
/// signalling NaN that a compiler may hand on as it is.
pub(super) fn nan_bits(bits: u128, len: u32) -> u128 {
    let Some((fraction, sign)) = nan_shape(len) else { return u128::MAX };
    let quiet = bits & 1 << (fraction - 1);
    1 << sign | ((1 << fraction) - 1) & !quiet
}

/// How many bits of a NaN of so many bytes are payload, the quiet bit included, and which bit is the sign.
fn nan_shape(len: u32) -> Option<(u32, u32)> {
    match len {
        4 => Some((23, 31)),
        8 => Some((52, 63)),
        // The bit in front of the fraction is always 1.
        10 | 16 => Some((63, 79)),
        _ => None,
    }
}

/// Whether a floating value is a NaN, whatever its open bits are.
pub(super) fn is_nan_whatever(bits: u128, open: u128, len: u32) -> bool {
    let Some((fraction, sign)) = nan_shape(len) else { return true };
    let exponent = (1_u128 << sign) - (1 << fraction);
    bits & exponent == exponent && open & exponent == 0
}
