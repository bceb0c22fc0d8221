//! The only place that computes C values: every operator and conversion on typed bits.
//!
//! A value is raw bits in a `u128`: an integer zero-extended from its width, a floating value in its own encoding
//! ([`Format`]). Each function returns the bits of the result, or which [`Undefined`] case it is; none panics on any
//! input, stray bits above the width included. Promotions and the usual conversions are not applied here: both
//! operands already have the type [`Num`] names.
//!
//! What C leaves to the implementation is as gcc and clang have it on x86: narrowing wraps modulo 2^N, right shift of
//! a negative value is arithmetic, floating arithmetic is IEEE to nearest even with infinities and NaNs (division by
//! zero and overflow are defined), and a value out of a narrower floating type's range becomes an infinity.
//!
//! The sign and payload of a NaN are unspecified in C and vary between compilers. Here a NaN made by arithmetic or by
//! a conversion between formats is always [`Format::nan`]; `+x`, `-x` and a conversion to the same format
//! keep the payload.
//!
//! `_Float16` is rounded after every operation (and single operations agree with gcc and clang, which compute in
//! `float`). Inside one expression both keep `float` precision on x86 without AVX512-FP16 unless they are told
//! `-fexcess-precision=16` (gcc) or `-Xclang -ffloat16-excess-precision=none` (clang).

mod bits;
mod checked;
mod complex;
mod convert;
mod float;
mod int;
mod math;
pub mod set;
mod text;
mod undefined;
pub mod word;

#[cfg(test)]
mod tests;

pub use bits::{BitOp, bit_operation};
pub use checked::{Checked, checked};
pub use complex::{Operand, complex_binary, complex_equal, complex_truth, complex_unary};
pub use convert::{convert, saturated_convert};
pub use int::mask;
pub use math::{
    FloatClass, Rounding, absolute, classify, compare, copy_sign, crc32c, exponent, fraction_and_power,
    fused, ieee_remainder, is_signaling, modulo, neighbour, next_after, round_to_int, round_to_integral,
    scale, split, square_root,
};
pub use text::{parse_float, print_float};
pub use undefined::{Strength, Undefined};

use crate::layout::integers;
use crate::program::{BinaryOp, UnaryOp};
use crate::target::Target;
use crate::ty::{FloatKind, IntKind, Type, TypeKind, Types};

/// The type of an arithmetic value, as far as computing is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Num {
    /// `_Bool`: 0 or 1.
    Bool,
    /// An integer of `width` bits: a C type or a bit-field. Widths outside 1 to 128 are taken as the nearer bound.
    Int {
        /// How many bits, the sign included.
        width: u8,
        /// Whether it is signed (two's complement).
        signed: bool,
    },
    /// A real floating type.
    Float(Format),
}

impl Num {
    /// `int`.
    pub const INT: Num = Num::Int { width: 32, signed: true };

    /// How many bits a value takes: bits above are 0. `_Bool` has one.
    #[inline]
    pub fn width(self) -> u32 {
        match self {
            Num::Bool => 1,
            Num::Int { width, .. } => u32::from(width).clamp(1, 128),
            Num::Float(format) => format.bits(),
        }
    }

    /// The number that the bits of an integer stand for; unsigned ones of 128 bits wrap.
    ///
    /// ```
    /// use howler_lang::arith::Num;
    /// assert_eq!(Num::Int { width: 8, signed: true }.number(0xff), -1);
    /// assert_eq!(Num::Int { width: 8, signed: false }.number(0xff), 255);
    /// ```
    #[inline]
    pub fn number(self, bits: u128) -> i128 {
        match self {
            Num::Int { signed: true, .. } => int::sign_extend(self.width(), bits),
            _ => bits.cast_signed(),
        }
    }

    /// The bits that stand for a number of an integer type; one that the type does not have wraps.
    ///
    /// ```
    /// use howler_lang::arith::Num;
    /// assert_eq!(Num::Int { width: 8, signed: true }.bits(-1), 0xff);
    /// ```
    #[inline]
    pub fn bits(self, number: i128) -> u128 {
        number.cast_unsigned() & mask(self.width())
    }
}

/// A floating format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// x87's 80 bits: the integer bit is explicit. Encodings the 387 and later refuse (unnormals, pseudo-infinities,
    /// pseudo-NaNs) are NaNs; pseudo-denormals have their value.
    X87,
    /// IEEE binary128.
    F128,
}

impl Format {
    /// How many bits an encoding takes.
    pub const fn bits(self) -> u32 {
        match self {
            Format::F16 => 16,
            Format::F32 => 32,
            Format::F64 => 64,
            Format::X87 => 80,
            Format::F128 => 128,
        }
    }

    /// How many bits the significand has, the integer bit included (`FLT_MANT_DIG`).
    pub const fn precision(self) -> u32 {
        match self {
            Format::F16 => 11,
            Format::F32 => 24,
            Format::F64 => 53,
            Format::X87 => 64,
            Format::F128 => 113,
        }
    }

    /// How many bits the exponent has.
    pub const fn exponent_bits(self) -> u32 {
        match self {
            Format::F16 => 5,
            Format::F32 => 8,
            Format::F64 => 11,
            Format::X87 | Format::F128 => 15,
        }
    }

    /// The sign bit.
    pub const fn sign_bit(self) -> u128 {
        1 << (self.bits() - 1)
    }

    /// Positive infinity.
    pub const fn infinity(self) -> u128 {
        let exponent = ((1 << self.exponent_bits()) - 1) << (self.bits() - 1 - self.exponent_bits());
        match self {
            Format::X87 => exponent | 1 << 63,
            _ => exponent,
        }
    }

    /// The NaN that stands for all: positive, quiet, no payload.
    pub const fn nan(self) -> u128 {
        match self {
            Format::X87 => self.infinity() | 1 << 62,
            _ => self.infinity() | 1 << (self.precision() - 2),
        }
    }

    /// The number 1.
    pub const fn one(self) -> u128 {
        match self {
            Format::F16 => 0x3c00,
            Format::F32 => 0x3f80_0000,
            Format::F64 => 0x3ff0_0000_0000_0000,
            Format::X87 => 0x3fff_8000_0000_0000_0000,
            Format::F128 => 0x3fff_0000_0000_0000_0000_0000_0000_0000,
        }
    }

    /// Whether these bits are a NaN.
    pub fn is_nan(self, bits: u128) -> bool {
        float::is_nan(self, bits)
    }
}

/// The numeric type of `ty` on `target`, or `None` if it is not a real arithmetic type. An enumeration counts as its
/// underlying type.
#[inline]
pub fn num_of(types: &Types, target: &Target, ty: Type) -> Option<Num> {
    match types.kind(ty) {
        TypeKind::Bool => Some(Num::Bool),
        TypeKind::Int(kind) => Some(int_num(target, kind)),
        TypeKind::Enum(id) => Some(int_num(target, types.enums[id].underlying)),
        TypeKind::Bits { width, signed } => Some(Num::Int { width, signed }),
        TypeKind::Float(kind) => Some(Num::Float(float_format(kind))),
        _ => None,
    }
}

/// The width and sign of an integer type on `target`.
#[inline]
pub fn int_num(target: &Target, kind: IntKind) -> Num {
    let (width, signed) = integers::width_and_sign(target, kind);
    Num::Int { width, signed }
}

/// The format of a floating type; the same on all targets there are.
#[inline]
pub fn float_format(kind: FloatKind) -> Format {
    match kind {
        FloatKind::Float16 => Format::F16,
        FloatKind::Float | FloatKind::Float32 => Format::F32,
        FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => Format::F64,
        FloatKind::LongDouble | FloatKind::Float64x => Format::X87,
        FloatKind::Float128 => Format::F128,
    }
}

/// Whether a value compares unequal to 0 (C17 6.3.1.2, 6.8.4.1p2). A NaN does.
#[inline]
pub fn truth(num: Num, a: u128) -> bool {
    match num {
        Num::Bool => a != 0,
        Num::Int { .. } => a & int::mask(num.width()) != 0,
        Num::Float(format) => !float::is_zero(format, a),
    }
}

/// Unary `-`, `+`, `~` and `!` on a value of type `num`; `!` gives `int` 0 or 1, the others type `num`.
///
/// On `_Bool` the operand is promoted and the result is an `int` as C has it.
///
/// ```
/// use howler_lang::arith::{unary, Num, Undefined};
/// use howler_lang::program::UnaryOp;
/// assert_eq!(unary(UnaryOp::Neg, Num::INT, 1), Ok(0xffff_ffff));
/// assert_eq!(unary(UnaryOp::Neg, Num::INT, 0x8000_0000), Err(Undefined::NegOverflow));
/// ```
#[inline]
pub fn unary(op: UnaryOp, num: Num, a: u128) -> Result<u128, Undefined> {
    match num {
        Num::Bool => int::unary(op, 32, true, u128::from(a != 0)),
        Num::Int { signed, .. } => int::unary(op, num.width(), signed, a),
        Num::Float(format) => float::unary(op, format, a),
    }
}

/// A binary operator on two values of type `num`. Comparisons, `&&` and `||` give `int` 0 or 1, the others type `num`.
///
/// `_Bool` operands are promoted and the result is an `int` as C has it. The shifts take their count in type `num`:
/// see [`shift`] for another.
///
/// ```
/// use howler_lang::arith::{binary, Num, Undefined};
/// use howler_lang::program::BinaryOp;
/// assert_eq!(binary(BinaryOp::Add, Num::INT, 2, 3), Ok(5));
/// assert_eq!(binary(BinaryOp::Add, Num::INT, 0x7fff_ffff, 1), Err(Undefined::AddOverflow));
/// ```
#[inline]
pub fn binary(op: BinaryOp, num: Num, a: u128, b: u128) -> Result<u128, Undefined> {
    if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
        return shift(op, num, a, num, b);
    }
    match num {
        Num::Bool => int::binary(op, 32, true, u128::from(a != 0), u128::from(b != 0)),
        Num::Int { signed, .. } => int::binary(op, num.width(), signed, a, b),
        Num::Float(format) => float::binary(op, format, a, b),
    }
}

/// `a << count` or `a >> count`; each operand has its own type and the result has `num`, the left one's (C17 6.5.7p3).
///
/// ```
/// use howler_lang::arith::{shift, wrapped_shift, Num, Strength, Undefined};
/// use howler_lang::program::BinaryOp::Shl;
/// let undefined = shift(Shl, Num::INT, 1, Num::INT, 31).unwrap_err();
/// assert_eq!((undefined, undefined.strength()), (Undefined::ShlOverflow, Strength::Letter));
/// assert_eq!(wrapped_shift(Shl, Num::INT, 1, Num::INT, 31), Some(0x8000_0000));
/// ```
#[inline]
pub fn shift(op: BinaryOp, num: Num, a: u128, count_num: Num, count: u128) -> Result<u128, Undefined> {
    let (width, signed, a) = shifted(num, a)?;
    let count = shift_count(width, count_num, count)?;
    match op {
        BinaryOp::Shl => int::shl(width, signed, a, count),
        BinaryOp::Shr => Ok(int::shr(width, signed, a, count)),
        _ => Err(Undefined::IllTyped),
    }
}

/// The left operand of a shift as width, sign and bits; `_Bool` is promoted to `int`.
#[inline]
fn shifted(num: Num, a: u128) -> Result<(u32, bool, u128), Undefined> {
    match num {
        Num::Bool => Ok((32, true, u128::from(a != 0))),
        Num::Int { signed, .. } => Ok((num.width(), signed, a)),
        Num::Float(_) => Err(Undefined::IllTyped),
    }
}

#[inline]
fn shift_count(width: u32, num: Num, count: u128) -> Result<u32, Undefined> {
    let count = match num {
        Num::Bool => u128::from(count != 0),
        Num::Int { signed, .. } => {
            if signed && int::sign_extend(num.width(), count) < 0 {
                return Err(Undefined::ShiftNegative);
            }
            count & int::mask(num.width())
        }
        Num::Float(_) => return Err(Undefined::IllTyped),
    };
    match u32::try_from(count) {
        Ok(count) if count < width => Ok(count),
        _ => Err(Undefined::ShiftTooFar),
    }
}

/// The plain two's complement result of a unary operator: that of [`unary`] where it is defined, else the wrapped one.
pub fn wrapped_unary(op: UnaryOp, num: Num, a: u128) -> Option<u128> {
    match unary(op, num, a) {
        Err(Undefined::NegOverflow) => Some(a & int::mask(num.width())),
        result => result.ok(),
    }
}

/// The plain two's complement result of a binary operator: that of [`binary`] where it is defined, else the result
/// modulo 2^N. `None` where there is no such thing: a zero divisor, a shift count out of range.
pub fn wrapped_binary(op: BinaryOp, num: Num, a: u128, b: u128) -> Option<u128> {
    match num {
        _ if matches!(op, BinaryOp::Shl | BinaryOp::Shr) => wrapped_shift(op, num, a, num, b),
        Num::Int { signed, .. } => int::wrapped(op, num.width(), signed, a, b),
        _ => binary(op, num, a, b).ok(),
    }
}

/// The plain result of a shift whose count is in range: what gcc and clang give where [`shift`] says
/// [`Undefined::ShlOfNegative`] or [`Undefined::ShlOverflow`]. `None` if the count is out of range.
pub fn wrapped_shift(op: BinaryOp, num: Num, a: u128, count_num: Num, count: u128) -> Option<u128> {
    let (width, signed, a) = shifted(num, a).ok()?;
    let count = shift_count(width, count_num, count).ok()?;
    match op {
        BinaryOp::Shl => Some(int::wrapped_shl(width, a, count)),
        BinaryOp::Shr => Some(int::shr(width, signed, a, count)),
        _ => None,
    }
}

/// The new value of `x++` or `++x`, in type `num`.
///
/// C17 6.5.3.1p2 makes it `x += 1`: integers narrower than `int` are added to as `int` and converted back, which
/// wraps and is defined; `_Bool` becomes 1. An integer as wide as `int` or wider overflows in its own width, which is
/// gcc's reading for a bit-field wider than `int`; for clang's, convert to the declared type, add, and convert back.
#[inline]
pub fn increment(num: Num, a: u128) -> Result<u128, Undefined> {
    step(BinaryOp::Add, num, a).map_err(|_| Undefined::IncOverflow)
}

/// The new value of `x--` or `--x`, in type `num`; see [`increment`]. `_Bool` changes to its opposite.
#[inline]
pub fn decrement(num: Num, a: u128) -> Result<u128, Undefined> {
    step(BinaryOp::Sub, num, a).map_err(|_| Undefined::DecOverflow)
}

#[inline]
fn step(op: BinaryOp, num: Num, a: u128) -> Result<u128, Undefined> {
    match num {
        Num::Int { .. } if num.width() >= 32 => binary(op, num, a, 1),
        Num::Bool | Num::Int { .. } => {
            let promoted = convert(num, Num::INT, a)?;
            convert(Num::INT, num, binary(op, Num::INT, promoted, 1)?)
        }
        Num::Float(format) => float::binary(op, format, a, format.one()),
    }
}
