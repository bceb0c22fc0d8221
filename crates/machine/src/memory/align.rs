//! Alignment: what an object's type and attributes guarantee, not where a run happened to place it.

use super::{Memory, Slot};
use crate::value::Value;

/// No address is known to be a multiple of more than this power of two.
pub const MOST_KNOWN: u8 = 31;

impl Memory {
    /// Whether a pointer is a multiple of `align` wherever its object is placed (C17 6.3.2.3p7).
    #[inline]
    pub fn is_aligned(&self, slot: &Slot, pointer: &Value, align: u32) -> bool {
        let offset = pointer.low.wrapping_sub(slot.address);
        (offset | u64::from(slot.align)) & u64::from(align.wrapping_sub(1)) == 0
            || self.is_aligned_here(pointer, align)
    }

    /// The address counts where the program computed it (`(p + 15) & ~15`), and once the program has chosen its way by
    /// an address: it may have asked for the alignment.
    ///
    /// A pointer that was rounded to a multiple of 2ⁿ and moved since is a multiple of a smaller power of two in every
    /// run if it is one in this run.
    #[cold]
    fn is_aligned_here(&self, pointer: &Value, align: u32) -> bool {
        let known = 1u32.checked_shl(u32::from(pointer.prov.rounded)).unwrap_or(u32::MAX);
        pointer.low & u64::from(align.wrapping_sub(1)) == 0 && (self.address_counts || align <= known)
    }
}
