//! The integers a range can be made of: all primitive ones, seen as a low end and a distance from it.

/// A primitive integer. Sealed: the trait's module is private.
pub trait Integer: Copy + PartialOrd {
    /// `self - low`; the caller knows `low <= self`.
    fn distance_from(self, low: Self) -> u128;
    /// `self + distance`; the caller knows that it fits.
    fn advanced_by(self, distance: u128) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        // Extending both ends to 128 bits and wrapping gives the exact distance for signed types too.
        impl Integer for $ty {
            #[inline]
            fn distance_from(self, low: Self) -> u128 {
                (self as u128).wrapping_sub(low as u128)
            }
            #[inline]
            fn advanced_by(self, distance: u128) -> Self {
                (self as u128).wrapping_add(distance) as Self
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
