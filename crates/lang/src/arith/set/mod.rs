//! Sets of values of one arithmetic type, and every operator and conversion of [`super`] lifted to them.
//!
//! A [`ValueSet`] says what a variable may hold. Generators ask two things of it: is this operator defined for
//! everything that can come, and what can come out? So a set may say too much and never too little: a result contains
//! every value that the operator gives for members of the operands.
//!
//! Small sets are exact. Beyond [`Limits::values`] members an integer set is kept as at most [`Limits::ranges`] ranges,
//! and the narrowest gaps between them are filled. A floating set has no ranges: beyond that it is [`ValueSet::full`].
//!
//! An operator works member by member while there are no more than [`Limits::pairs`] pairs: the image is then exact up
//! to the limits on its own size, and each undefined pair is listed. Beyond, it works on pairs of ranges, no more than
//! that number of them either (a shift by ranges takes up to 128 counts for each range). What a range says of
//! undefined cases is one of [`Extent`]: `Never` and `Always` are proofs, `Sometimes` is not.
//!
//! A set knows nothing of other sets: in `x - x` the operands vary on their own.
//!
//! Nothing here computes C arithmetic: values are asked of [`super`], ranges are only carried along. As there,
//! promotions and the usual conversions are the caller's business.
//!
//! ```
//! use howler_lang::arith::Num;
//! use howler_lang::arith::set::{Extent, Limits, ValueSet, binary};
//! use howler_lang::program::BinaryOp;
//!
//! let limits = Limits::default();
//! let x = ValueSet::of(&limits, Num::INT, [1, 2, 0x7fff_ffff]);
//! let sum = binary(&limits, BinaryOp::Add, &x, &ValueSet::single(Num::INT, 1));
//! assert_eq!(sum.values.to_string(), "{2..3}");
//! assert_eq!(sum.faults.extent(), Extent::Sometimes);
//! assert_eq!(sum.faults.cases().map(|cases| cases[0].left), Some(0x7fff_ffff));
//! ```

mod bitwise;
mod fault;
mod image;
mod lift;
mod range;
mod run;
mod values;

#[cfg(test)]
mod tests;

pub use fault::{Case, Extent, Faults};
pub use lift::{Lifted, binary, convert, decrement, increment, unary};
pub use values::ValueSet;

/// How large a set, and the work of one operator, may become.
///
/// ```
/// use howler_lang::arith::Num;
/// use howler_lang::arith::set::{Limits, ValueSet};
/// let small = Limits { values: 2, ranges: 2, ..Limits::default() };
/// assert_eq!(ValueSet::of(&small, Num::INT, [1, 9]).to_string(), "{1, 9}");
/// assert_eq!(ValueSet::of(&small, Num::INT, [1, 9, 11, 40]).to_string(), "{1..11, 40}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many members a set may have before it is kept as few ranges.
    pub values: usize,
    /// How many ranges a larger set may have; 0 is taken as 1.
    pub ranges: usize,
    /// How many pairs of members, or of ranges, one operator looks at. Fewer than 4 are taken as 4, so that `_Bool` is
    /// always exact.
    pub pairs: usize,
}

impl Default for Limits {
    /// 64 values, 8 ranges, 4096 pairs: any two exact sets are combined member by member.
    fn default() -> Limits {
        Limits { values: 64, ranges: 8, pairs: 4096 }
    }
}

impl Limits {
    fn most_ranges(&self) -> usize {
        self.ranges.max(1)
    }

    fn most_pairs(&self) -> usize {
        self.pairs.max(4)
    }
}
