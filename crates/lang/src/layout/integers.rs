//! Widths and signs of the integer types, and which of them the library's names stand for.

use crate::target::{Arch, Compiler, Target};
use crate::ty::{IntKind, Type};

/// The width in bits, sign included (C17 6.2.6.2p6), and whether values can be negative: the one table of both.
#[inline]
pub fn width_and_sign(target: &Target, kind: IntKind) -> (u8, bool) {
    let long = target.layout().long.saturating_mul(8);
    match kind {
        IntKind::Char => (8, target.char_signed),
        IntKind::SChar => (8, true),
        IntKind::UChar => (8, false),
        IntKind::Short => (16, true),
        IntKind::UShort => (16, false),
        IntKind::Int => (32, true),
        IntKind::UInt => (32, false),
        IntKind::Long => (long, true),
        IntKind::ULong => (long, false),
        IntKind::LLong => (64, true),
        IntKind::ULLong => (64, false),
        IntKind::Int128 => (128, true),
        IntKind::UInt128 => (128, false),
    }
}

/// The width in bits.
pub fn int_width(target: &Target, kind: IntKind) -> u32 {
    u32::from(width_and_sign(target, kind).0)
}

/// Whether values can be negative.
pub fn is_signed(target: &Target, kind: IntKind) -> bool {
    width_and_sign(target, kind).1
}

/// The first of the types that have at least so many bits and this sign; `long` comes before `long long`. The widest if
/// none has.
pub fn of_width(target: &Target, bits: u32, signed: bool) -> IntKind {
    let kinds =
        [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LLong, IntKind::Int128];
    let first = kinds.into_iter().find(|&kind| int_width(target, kind) >= bits);
    let kind = first.unwrap_or(IntKind::Int128);
    if signed { kind } else { to_unsigned(kind) }
}

/// The type of the same width that is unsigned. `char` becomes `unsigned char`.
pub fn to_unsigned(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::UChar,
        IntKind::Short | IntKind::UShort => IntKind::UShort,
        IntKind::Int | IntKind::UInt => IntKind::UInt,
        IntKind::Long | IntKind::ULong => IntKind::ULong,
        IntKind::LLong | IntKind::ULLong => IntKind::ULLong,
        IntKind::Int128 | IntKind::UInt128 => IntKind::UInt128,
    }
}

/// `size_t` and `uintptr_t`.
pub fn size_type(target: &Target) -> Type {
    match target.arch {
        Arch::X86_64 => Type::ULONG,
        Arch::I386 => Type::UINT,
    }
}

/// `ptrdiff_t` and `intptr_t`.
pub fn ptrdiff_type(target: &Target) -> Type {
    match target.arch {
        Arch::X86_64 => Type::LONG,
        Arch::I386 => Type::INT,
    }
}

/// `wchar_t`. The compilers differ on i386.
pub fn wchar_type(target: &Target) -> Type {
    match (target.arch, target.compiler) {
        (Arch::I386, Compiler::Gcc) => Type::LONG,
        _ => Type::INT,
    }
}

/// `wint_t`.
pub fn wint_type(_target: &Target) -> Type {
    Type::UINT
}

/// `char16_t`.
pub fn char16_type(_target: &Target) -> Type {
    Type::USHORT
}

/// `char32_t`.
pub fn char32_type(_target: &Target) -> Type {
    Type::UINT
}

/// `intmax_t`.
pub fn intmax_type(target: &Target) -> Type {
    match target.arch {
        Arch::X86_64 => Type::LONG,
        Arch::I386 => Type::LLONG,
    }
}

/// `uintmax_t`.
pub fn uintmax_type(target: &Target) -> Type {
    match target.arch {
        Arch::X86_64 => Type::ULONG,
        Arch::I386 => Type::ULLONG,
    }
}
