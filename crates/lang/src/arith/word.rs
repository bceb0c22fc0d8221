//! Integers of 32 and 64 bits in machine words: the common case of [`super::binary`], [`super::shift`] and
//! [`super::convert`], made to be inlined into an interpreter's inner loop. Where it has no answer, ask those: it never
//! answers differently (`tests`).

use super::Num;
use crate::program::BinaryOp;

/// An integer type of 32 or 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// 32 bits, signed.
    I32,
    /// 32 bits, unsigned.
    U32,
    /// 64 bits, signed.
    I64,
    /// 64 bits, unsigned.
    U64,
}

impl Word {
    /// The word type of a numeric type, if it is one.
    pub fn of(num: Num) -> Option<Word> {
        match num {
            Num::Int { width: 32, signed: true } => Some(Word::I32),
            Num::Int { width: 32, signed: false } => Some(Word::U32),
            Num::Int { width: 64, signed: true } => Some(Word::I64),
            Num::Int { width: 64, signed: false } => Some(Word::U64),
            _ => None,
        }
    }
}

/// A binary operator on two words as zero-extended bits. `None` where the result is undefined, and for `&&`, `||` and
/// the shifts.
///
/// ```
/// use howler_lang::arith::word::{binary, Word};
/// use howler_lang::program::BinaryOp;
/// assert_eq!(binary(BinaryOp::Sub, Word::I32, 1, 2), Some(0xffff_ffff));
/// assert_eq!(binary(BinaryOp::Add, Word::I32, 0x7fff_ffff, 1), None);
/// ```
#[inline(always)]
pub fn binary(op: BinaryOp, word: Word, a: u64, b: u64) -> Option<u64> {
    macro_rules! compute {
        ($x:expr, $y:expr, $bits:expr, $add:ident, $sub:ident, $mul:ident) => {{
            let (x, y) = ($x, $y);
            match op {
                BinaryOp::Add => x.$add(y).map($bits),
                BinaryOp::Sub => x.$sub(y).map($bits),
                BinaryOp::Mul => x.$mul(y).map($bits),
                BinaryOp::Div => x.checked_div(y).map($bits),
                BinaryOp::Rem => x.checked_rem(y).map($bits),
                BinaryOp::Lt => Some(u64::from(x < y)),
                BinaryOp::Gt => Some(u64::from(x > y)),
                BinaryOp::Le => Some(u64::from(x <= y)),
                BinaryOp::Ge => Some(u64::from(x >= y)),
                BinaryOp::Eq => Some(u64::from(x == y)),
                BinaryOp::Ne => Some(u64::from(x != y)),
                BinaryOp::BitAnd => Some($bits(x & y)),
                BinaryOp::BitXor => Some($bits(x ^ y)),
                BinaryOp::BitOr => Some($bits(x | y)),
                BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or => None,
            }
        }};
    }
    match word {
        Word::I32 => compute!(
            (a as u32).cast_signed(),
            (b as u32).cast_signed(),
            |value: i32| u64::from(value.cast_unsigned()),
            checked_add,
            checked_sub,
            checked_mul
        ),
        Word::U32 => {
            compute!(Wrap32(a as u32), Wrap32(b as u32), |value: Wrap32| u64::from(value.0), add, sub, mul)
        }
        Word::I64 => compute!(
            a.cast_signed(),
            b.cast_signed(),
            |value: i64| value.cast_unsigned(),
            checked_add,
            checked_sub,
            checked_mul
        ),
        Word::U64 => compute!(Wrap64(a), Wrap64(b), |value: Wrap64| value.0, add, sub, mul),
    }
}

macro_rules! wrapping {
    ($name:ident, $int:ty) => {
        /// An unsigned word, whose arithmetic wraps.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        struct $name($int);

        impl $name {
            #[inline(always)]
            fn add(self, other: Self) -> Option<Self> {
                Some(Self(self.0.wrapping_add(other.0)))
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Option<Self> {
                Some(Self(self.0.wrapping_sub(other.0)))
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Option<Self> {
                Some(Self(self.0.wrapping_mul(other.0)))
            }
            #[inline(always)]
            fn checked_div(self, other: Self) -> Option<Self> {
                self.0.checked_div(other.0).map(Self)
            }
            #[inline(always)]
            fn checked_rem(self, other: Self) -> Option<Self> {
                self.0.checked_rem(other.0).map(Self)
            }
        }

        impl std::ops::BitAnd for $name {
            type Output = Self;
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        impl std::ops::BitXor for $name {
            type Output = Self;
            fn bitxor(self, other: Self) -> Self {
                Self(self.0 ^ other.0)
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }
    };
}

wrapping!(Wrap32, u32);
wrapping!(Wrap64, u64);

/// A shift whose count is a word too, zero-extended: a negative one is a large one. `None` where the result is
/// undefined.
#[inline(always)]
pub fn shift(op: BinaryOp, word: Word, a: u64, count: u64) -> Option<u64> {
    let width = match word {
        Word::I32 | Word::U32 => 32,
        Word::I64 | Word::U64 => 64,
    };
    if count >= width {
        return None;
    }
    match (op, word) {
        (BinaryOp::Shl, Word::U32) => Some(u64::from((a as u32) << count)),
        (BinaryOp::Shl, Word::U64) => Some(a << count),
        (BinaryOp::Shr, Word::U32) => Some(u64::from(a as u32 >> count)),
        (BinaryOp::Shr, Word::U64) => Some(a >> count),
        (BinaryOp::Shr, Word::I32) => Some(u64::from(((a as u32).cast_signed() >> count).cast_unsigned())),
        (BinaryOp::Shr, Word::I64) => Some((a.cast_signed() >> count).cast_unsigned()),
        (BinaryOp::Shl, Word::I32) => {
            let value = (a as u32).cast_signed();
            let shifted = i64::from(value) << count;
            (value >= 0 && shifted <= i64::from(i32::MAX)).then_some(shifted.cast_unsigned())
        }
        (BinaryOp::Shl, Word::I64) => {
            let value = a.cast_signed();
            (value >= 0 && value.leading_zeros() > count as u32).then(|| a << count)
        }
        _ => None,
    }
}

/// An integer type of at most 64 bits, of whatever width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Narrow {
    /// How many bits of a machine word are not its own.
    spare: u8,
    signed: bool,
}

impl Narrow {
    /// 64 bits, signed.
    pub const I64: Narrow = Narrow { spare: 0, signed: true };

    /// The narrow type of a numeric type, if it is one.
    pub fn of(num: Num) -> Option<Narrow> {
        match num {
            Num::Int { width, signed } if (1..=64).contains(&width) => {
                Some(Narrow { spare: 64 - width, signed })
            }
            _ => None,
        }
    }
}

/// An integer of one type as one of another, both as zero-extended bits.
#[inline(always)]
pub fn convert(from: Narrow, to: Narrow, a: u64) -> u64 {
    let wide = if from.signed { ((a << from.spare).cast_signed() >> from.spare).cast_unsigned() } else { a };
    wide << to.spare >> to.spare
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith;

    const WORDS: [(Word, Num); 4] = [
        (Word::I32, Num::Int { width: 32, signed: true }),
        (Word::U32, Num::Int { width: 32, signed: false }),
        (Word::I64, Num::Int { width: 64, signed: true }),
        (Word::U64, Num::Int { width: 64, signed: false }),
    ];

    const OPS: [BinaryOp; 14] = [
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Lt,
        BinaryOp::Gt,
        BinaryOp::Le,
        BinaryOp::Ge,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::BitAnd,
        BinaryOp::BitXor,
        BinaryOp::BitOr,
    ];

    fn values(num: Num) -> Vec<u64> {
        let edges = [
            0,
            1,
            2,
            3,
            7,
            31,
            32,
            33,
            63,
            64,
            65,
            0x55aa,
            0x7fff_fffe,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_fffe,
        ];
        let wide = [0xffff_ffff, 1 << 32, 1 << 62, i64::MAX.cast_unsigned(), 1 << 63, u64::MAX - 1, u64::MAX];
        let mask = if num.width() == 32 { u64::from(u32::MAX) } else { u64::MAX };
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let random = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> (state >> 58)
        });
        edges.into_iter().chain(wide).chain(random.take(60)).map(|value| value & mask).collect()
    }

    #[test]
    fn words_compute_what_arith_computes() {
        for (word, num) in WORDS {
            let values = values(num);
            for &a in &values {
                for &b in &values {
                    for op in OPS {
                        let exact = arith::binary(op, num, u128::from(a), u128::from(b)).ok();
                        assert_eq!(
                            binary(op, word, a, b).map(u128::from),
                            exact,
                            "{op:?} {word:?} {a:#x} {b:#x}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn narrow_integers_convert_as_arith_does() {
        let types = [1, 3, 8, 13, 16, 31, 32, 33, 40, 63, 64]
            .into_iter()
            .flat_map(|width| [true, false].map(|signed| Num::Int { width, signed }));
        for num in types.clone() {
            for to in types.clone() {
                let (from, into) = (Narrow::of(num).unwrap(), Narrow::of(to).unwrap());
                for a in values(Num::Int { width: 64, signed: false }) {
                    let a = a & (u64::MAX >> (64 - num.width()));
                    let exact = arith::convert(num, to, u128::from(a));
                    assert_eq!(Ok(u128::from(convert(from, into, a))), exact, "{num:?} {to:?} {a:#x}");
                }
            }
        }
        assert_eq!(Narrow::of(Num::Int { width: 128, signed: true }), None);
        assert_eq!(Narrow::of(Num::Bool), None);
    }

    #[test]
    fn words_shift_as_arith_does() {
        for (word, num) in WORDS {
            for (_, other_num) in WORDS {
                for &a in &values(num) {
                    for &count in &values(other_num) {
                        for op in [BinaryOp::Shl, BinaryOp::Shr] {
                            let exact =
                                arith::shift(op, num, u128::from(a), other_num, u128::from(count)).ok();
                            let fast = shift(op, word, a, count).map(u128::from);
                            assert_eq!(fast, exact, "{op:?} {word:?} {a:#x} {count:#x}");
                        }
                    }
                }
            }
        }
    }
}
