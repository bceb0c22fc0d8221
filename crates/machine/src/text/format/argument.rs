//! Which argument a conversion specification of printf wants, as a C type.

use super::spec::{Conversion, Length, Spec};
use howler_lang::layout::integers::to_unsigned;
use howler_lang::target::{Arch, Target};
use howler_lang::ty::IntKind;

/// The type of the argument, after the default argument promotions. A `*` wants an `int` before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Argument {
    /// None: `%%`.
    None,
    /// An integer.
    Int {
        /// The promoted type that is passed.
        passed: IntKind,
        /// The type that the value is converted to before it is printed (`hh`, `h`); else the same.
        printed: IntKind,
    },
    /// `%lc`: a `wint_t`, which is this type.
    WideInt(IntKind),
    /// `double`.
    Double,
    /// `long double`.
    LongDouble,
    /// A pointer to a character type: a string, or bytes as many as the precision.
    CharPtr,
    /// A pointer to `wchar_t`, which is this type.
    WideCharPtr(IntKind),
    /// `void *`.
    VoidPtr,
    /// `%n`: a pointer to this type.
    CountPtr(IntKind),
}

/// The argument that a valid specification wants.
///
/// ```
/// use howler_lang::{target::Target, ty::IntKind};
/// use howler_machine::text::format::{Argument, argument, parse};
/// let (spec, _) = parse(b"%hhu").expect("valid");
/// let wanted = Argument::Int { passed: IntKind::Int, printed: IntKind::UChar };
/// assert_eq!(argument(spec, &Target::X86_64_GCC), wanted);
/// ```
pub fn argument(spec: Spec, target: &Target) -> Argument {
    let wide = spec.length == Length::Long;
    match spec.conversion {
        Conversion::Signed => integer(int_type(spec.length, target)),
        Conversion::Octal | Conversion::Unsigned | Conversion::Hex { .. } => {
            integer(to_unsigned(int_type(spec.length, target)))
        }
        Conversion::Fixed { .. }
        | Conversion::Exponent { .. }
        | Conversion::General { .. }
        | Conversion::HexFloat { .. } => match spec.length {
            Length::LongDouble => Argument::LongDouble,
            _ => Argument::Double,
        },
        Conversion::Char if wide => Argument::WideInt(IntKind::UInt),
        // The `int` is converted to `unsigned char` (C17 7.21.6.1p8).
        Conversion::Char => Argument::Int { passed: IntKind::Int, printed: IntKind::UChar },
        Conversion::String if wide => Argument::WideCharPtr(wchar(target)),
        Conversion::String => Argument::CharPtr,
        Conversion::Pointer => Argument::VoidPtr,
        Conversion::Count => Argument::CountPtr(int_type(spec.length, target)),
        Conversion::Percent => Argument::None,
    }
}

/// The signed type that a length modifier names on `target`.
pub(crate) fn int_type(length: Length, target: &Target) -> IntKind {
    match length {
        Length::None | Length::LongDouble => IntKind::Int,
        Length::Char => IntKind::SChar,
        Length::Short => IntKind::Short,
        Length::Long => IntKind::Long,
        Length::LongLong => IntKind::LLong,
        Length::Max => match target.arch {
            Arch::X86_64 => IntKind::Long,
            Arch::I386 => IntKind::LLong,
        },
        Length::Size | Length::Difference => match target.arch {
            Arch::X86_64 => IntKind::Long,
            Arch::I386 => IntKind::Int,
        },
    }
}

/// `wchar_t`.
pub(crate) fn wchar(target: &Target) -> IntKind {
    match target.arch {
        Arch::X86_64 => IntKind::Int,
        Arch::I386 => IntKind::Long,
    }
}

fn integer(printed: IntKind) -> Argument {
    let passed = match printed {
        // Both signed and unsigned ones promote to `int` (C17 6.3.1.1p2).
        IntKind::SChar | IntKind::UChar | IntKind::Short | IntKind::UShort => IntKind::Int,
        wide => wide,
    };
    Argument::Int { passed, printed }
}
