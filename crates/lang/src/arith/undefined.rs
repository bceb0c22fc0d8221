//! The undefined cases of arithmetic: what they are called, where the standard says so, who relies on them.
//!
//! Not here: undefined behaviour of memory, sequencing or the library; the abstract machine names those.

use std::fmt;

/// Why an operation on arithmetic values has no defined result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Undefined {
    /// `a + b` outside the signed type.
    AddOverflow,
    /// `a - b` outside the signed type.
    SubOverflow,
    /// `a * b` outside the signed type.
    MulOverflow,
    /// `-a` of the smallest value.
    NegOverflow,
    /// `++` of the largest value.
    IncOverflow,
    /// `--` of the smallest value.
    DecOverflow,
    /// `a / 0` of integers.
    DivByZero,
    /// `a % 0`.
    RemByZero,
    /// The smallest value divided by -1.
    DivOverflow,
    /// The remainder of the smallest value by -1.
    RemOverflow,
    /// A shift by a negative count.
    ShiftNegative,
    /// A shift by the width of the left operand or more.
    ShiftTooFar,
    /// `a << n` with a negative `a`.
    ShlOfNegative,
    /// `a << n` of a signed `a` whose result does not fit, the sign bit included.
    ShlOverflow,
    /// A floating value whose integral part the integer type cannot hold, infinities included.
    FloatToIntRange,
    /// A NaN converted to an integer type.
    FloatToIntNan,
    /// No operation at all: `%` of floating values, a shift of one, an operator that does not compute. Typed programs
    /// contain none of these (constraints of C17 6.5.3.3, 6.5.5, 6.5.7, 6.5.10 to 6.5.12); it is an answer instead of a panic.
    IllTyped,
}

/// Whether compilers make use of an undefined case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strength {
    /// Compilers assume that it does not happen, or the processor traps.
    Exploited,
    /// Undefined by the text, but gcc and clang give the plain two's complement result at every level.
    Letter,
}

impl Undefined {
    /// Every case, in declaration order.
    pub const ALL: [Undefined; 17] = [
        Undefined::AddOverflow,
        Undefined::SubOverflow,
        Undefined::MulOverflow,
        Undefined::NegOverflow,
        Undefined::IncOverflow,
        Undefined::DecOverflow,
        Undefined::DivByZero,
        Undefined::RemByZero,
        Undefined::DivOverflow,
        Undefined::RemOverflow,
        Undefined::ShiftNegative,
        Undefined::ShiftTooFar,
        Undefined::ShlOfNegative,
        Undefined::ShlOverflow,
        Undefined::FloatToIntRange,
        Undefined::FloatToIntNan,
        Undefined::IllTyped,
    ];

    /// A short name that never changes: reports and stored findings carry it.
    pub const fn code(self) -> &'static str {
        match self {
            Undefined::AddOverflow => "overflow-add",
            Undefined::SubOverflow => "overflow-sub",
            Undefined::MulOverflow => "overflow-mul",
            Undefined::NegOverflow => "overflow-neg",
            Undefined::IncOverflow => "overflow-inc",
            Undefined::DecOverflow => "overflow-dec",
            Undefined::DivByZero => "div-by-zero",
            Undefined::RemByZero => "rem-by-zero",
            Undefined::DivOverflow => "overflow-div",
            Undefined::RemOverflow => "overflow-rem",
            Undefined::ShiftNegative => "shift-negative-count",
            Undefined::ShiftTooFar => "shift-too-far",
            Undefined::ShlOfNegative => "shift-of-negative",
            Undefined::ShlOverflow => "shift-overflow",
            Undefined::FloatToIntRange => "float-to-int-range",
            Undefined::FloatToIntNan => "float-to-int-nan",
            Undefined::IllTyped => "ill-typed",
        }
    }

    /// The paragraph of C17 that makes it undefined.
    pub const fn clause(self) -> &'static str {
        match self {
            Undefined::AddOverflow
            | Undefined::SubOverflow
            | Undefined::MulOverflow
            | Undefined::NegOverflow
            | Undefined::IncOverflow
            | Undefined::DecOverflow => "6.5p5",
            Undefined::DivByZero | Undefined::RemByZero => "6.5.5p5",
            Undefined::DivOverflow | Undefined::RemOverflow => "6.5.5p6",
            Undefined::ShiftNegative | Undefined::ShiftTooFar => "6.5.7p3",
            Undefined::ShlOfNegative | Undefined::ShlOverflow => "6.5.7p4",
            Undefined::FloatToIntRange | Undefined::FloatToIntNan => "6.3.1.4p1",
            Undefined::IllTyped => "4p2",
        }
    }

    /// One sentence part for a diagnostic, without a full stop.
    pub const fn message(self) -> &'static str {
        match self {
            Undefined::AddOverflow => "signed overflow in addition",
            Undefined::SubOverflow => "signed overflow in subtraction",
            Undefined::MulOverflow => "signed overflow in multiplication",
            Undefined::NegOverflow => "signed overflow in negation",
            Undefined::IncOverflow => "signed overflow in increment",
            Undefined::DecOverflow => "signed overflow in decrement",
            Undefined::DivByZero => "division by zero",
            Undefined::RemByZero => "remainder of division by zero",
            Undefined::DivOverflow => "the smallest value divided by -1 does not fit its type",
            Undefined::RemOverflow => {
                "remainder of the smallest value by -1, whose quotient does not fit its type"
            }
            Undefined::ShiftNegative => "shift by a negative count",
            Undefined::ShiftTooFar => "shift count is not less than the width of the left operand",
            Undefined::ShlOfNegative => "left shift of a negative value",
            Undefined::ShlOverflow => "left shift whose result does not fit the signed type",
            Undefined::FloatToIntRange => "floating value out of range of the integer type",
            Undefined::FloatToIntNan => "NaN converted to an integer type",
            Undefined::IllTyped => "operator applied to a type it is not defined for",
        }
    }

    /// Whether gcc and clang use it, or give the plain result (`wrapped_shift` computes that).
    pub const fn strength(self) -> Strength {
        match self {
            Undefined::ShlOfNegative | Undefined::ShlOverflow => Strength::Letter,
            _ => Strength::Exploited,
        }
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (C17 {})", self.message(), self.clause())
    }
}

impl std::error::Error for Undefined {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_and_messages_are_distinct() {
        let codes: BTreeSet<_> = Undefined::ALL.iter().map(|case| case.code()).collect();
        let messages: BTreeSet<_> = Undefined::ALL.iter().map(|case| case.message()).collect();
        assert_eq!(codes.len(), Undefined::ALL.len());
        assert_eq!(messages.len(), Undefined::ALL.len());
    }

    #[test]
    fn only_left_shifts_into_the_sign_are_letter() {
        let letter: Vec<_> =
            Undefined::ALL.into_iter().filter(|case| case.strength() == Strength::Letter).collect();
        assert_eq!(letter, [Undefined::ShlOfNegative, Undefined::ShlOverflow]);
        assert_eq!(
            Undefined::ShlOverflow.to_string(),
            "left shift whose result does not fit the signed type (C17 6.5.7p4)"
        );
    }
}
