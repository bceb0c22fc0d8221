//! The catalogue of undefined behaviour: every kind the machine knows, with its code, clause, strength and sentence.
//!
//! The arithmetic kinds mirror `lang::arith`'s, which decides them; all others are decided in this crate.

use howler_lang::arith::{Strength, Undefined};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident, $code:literal, $clause:literal, $strength:ident, $message:literal;)*) => {
        /// A kind of undefined behaviour.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum UbKind {
            $($(#[$doc])* #[doc = ""] #[doc = concat!("C17 ", $clause, ": ", $message, ".")] $name,)*
        }

        impl UbKind {
            /// Every kind, in declaration order.
            pub const ALL: &[UbKind] = &[$(UbKind::$name),*];

            /// A short name that never changes: reports, stored findings and tests carry it.
            pub const fn code(self) -> &'static str {
                match self { $(UbKind::$name => $code,)* }
            }

            /// The paragraph of C17 that makes it undefined, or who says so for what is not in C17.
            pub const fn clause(self) -> &'static str {
                match self { $(UbKind::$name => $clause,)* }
            }

            /// Whether compilers make use of it, or give the plain result at every level.
            pub const fn strength(self) -> Strength {
                match self { $(UbKind::$name => Strength::$strength,)* }
            }

            /// One sentence part for a diagnostic, without a full stop.
            pub const fn message(self) -> &'static str {
                match self { $(UbKind::$name => $message,)* }
            }
        }
    };
}

kinds! {
    /// Integers.
    AddOverflow, "overflow-add", "6.5p5", Exploited, "signed overflow in addition";
    /// Integers.
    SubOverflow, "overflow-sub", "6.5p5", Exploited, "signed overflow in subtraction";
    /// Integers.
    MulOverflow, "overflow-mul", "6.5p5", Exploited, "signed overflow in multiplication";
    /// Integers.
    NegOverflow, "overflow-neg", "6.5p5", Exploited, "signed overflow in negation";
    /// Integers.
    IncOverflow, "overflow-inc", "6.5p5", Exploited, "signed overflow in increment";
    /// Integers.
    DecOverflow, "overflow-dec", "6.5p5", Exploited, "signed overflow in decrement";
    /// Integers.
    DivByZero, "div-by-zero", "6.5.5p5", Exploited, "division by zero";
    /// Integers.
    RemByZero, "rem-by-zero", "6.5.5p5", Exploited, "remainder of division by zero";
    /// Integers.
    DivOverflow, "overflow-div", "6.5.5p6", Exploited, "the smallest value divided by -1 does not fit its type";
    /// Integers.
    RemOverflow, "overflow-rem", "6.5.5p6", Exploited, "remainder of the smallest value by -1, whose quotient does not fit its type";
    /// Integers.
    ShiftNegative, "shift-negative-count", "6.5.7p3", Exploited, "shift by a negative count";
    /// Integers.
    ShiftTooFar, "shift-too-far", "6.5.7p3", Exploited, "shift count is not less than the width of the left operand";
    /// Integers.
    ShlOfNegative, "shift-of-negative", "6.5.7p4", Letter, "left shift of a negative value";
    /// Integers.
    ShlOverflow, "shift-overflow", "6.5.7p4", Letter, "left shift whose result does not fit the signed type";
    /// Floats.
    FloatToIntRange, "float-to-int-range", "6.3.1.4p1", Exploited, "floating value out of range of the integer type";
    /// Floats.
    FloatToIntNan, "float-to-int-nan", "6.3.1.4p1", Exploited, "NaN converted to an integer type";
    /// Integers.
    BoolValue, "bool-value", "6.2.6.1p5", Exploited, "_Bool object that holds neither 0 nor 1 is read";
    /// Integers.
    AbsOfMin, "abs-of-min", "7.22.6.1p2", Exploited, "absolute value of the smallest value does not fit its type";
    /// Builtins.
    BitScanOfZero, "bit-scan-of-zero", "gcc: Other Builtins", Exploited, "count of leading or trailing zeros of 0";
    /// Builtins.
    Unreachable, "unreachable", "gcc: Other Builtins", Exploited, "__builtin_unreachable was reached";

    /// Values never set.
    Uninit, "uninit", "6.3.2.1p2, 6.2.6.1p5", Exploited, "value read that was never set";
    /// Values never set.
    DroppedRead, "dropped-read", "6.3.2.1p2, 6.5.3.2p4", Letter, "undefined read of a value that is not used";
    /// Values never set.
    UninitCopy, "uninit-copy", "6.3.2.1p2", Letter, "struct or union copied that was never set and whose address is never taken";
    /// Values never set.
    MissingReturn, "missing-return", "6.9.1p12", Exploited, "value used of a function that ended without returning one";

    /// Pointers.
    NullDeref, "null-deref", "6.5.3.2p4", Exploited, "null pointer dereferenced";
    /// Pointers.
    InvalidDeref, "invalid-deref", "6.5.3.2p4", Exploited, "pointer dereferenced that points to no object";
    /// Pointers.
    OnePastDeref, "one-past-deref", "6.5.6p8", Exploited, "pointer one past the end dereferenced";
    /// Pointers.
    PastArray, "past-array", "6.5.6p8", Letter, "array one past the last one designated by * or []";
    /// Pointers.
    BoundsObject, "bounds-object", "6.5.6p8", Exploited, "pointer arithmetic leaves the object";
    /// Pointers.
    BoundsMember, "bounds-member", "6.5.6p8", Exploited, "pointer arithmetic leaves the member it points into";
    /// Pointers.
    BoundsRow, "bounds-row", "6.5.6p8", Exploited, "pointer arithmetic leaves the row of a multidimensional array";
    /// Pointers.
    NullArith, "null-arith", "6.5.6p8", Exploited, "arithmetic on a null pointer";
    /// Pointers.
    NullZero, "null-zero", "6.5.6p8", Letter, "0 added to or subtracted from a null pointer";
    /// Pointers.
    SubDifferent, "sub-different", "6.5.6p9", Exploited, "subtraction of pointers into different objects";
    /// Pointers.
    SubPart, "sub-part", "6.5.6p9", Letter, "subtraction of pointers into different members or rows";
    /// Pointers.
    SubNull, "sub-null", "6.5.6p9", Letter, "subtraction with a null pointer";
    /// Pointers.
    CompareDifferent, "compare-different", "6.5.8p5", Exploited, "relational comparison of pointers into different objects";
    /// Pointers.
    MisalignedPointer, "misaligned-pointer", "6.3.2.3p7", Letter, "conversion to a pointer type that needs a stricter alignment";
    /// Pointers. What clang makes of `memcpy` relies on the type of its arguments, where that needs 16 bytes or more.
    MisalignedWide, "misaligned-wide", "6.3.2.3p7", Exploited, "conversion to a pointer type that needs an alignment of 16 or more";
    /// Pointers.
    MisalignedAccess, "misaligned-access", "6.5.3.2p4", Exploited, "access through a pointer that is not aligned for its type";
    /// Pointers.
    NullMember, "null-member", "6.5.2.3p4", Exploited, "member of a null pointer's target";
    /// Pointers.
    SmallObject, "small-object", "6.5.2.3p4", Exploited, "member access in an allocation smaller than the struct";

    /// Lifetime.
    UseAfterFree, "use-after-free", "6.2.4p2", Exploited, "access to freed memory";
    /// Lifetime.
    DoubleFree, "double-free", "7.22.3.3p2, 7.22.3.5p3", Exploited, "memory freed twice";
    /// Lifetime.
    BadFree, "bad-free", "7.22.3.3p2, 7.22.3.5p3", Exploited, "pointer freed that no allocation function returned";
    /// Lifetime.
    DeadPointer, "dead-pointer", "6.2.4p2", Exploited, "value used of a pointer whose object's lifetime has ended";
    /// Lifetime.
    UseAfterScope, "use-after-scope", "6.2.4p2", Exploited, "access to an object after its block or iteration ended";
    /// Lifetime.
    UseAfterReturn, "use-after-return", "6.2.4p2", Exploited, "access to a local object of a function that has returned";
    /// Lifetime.
    DeadVla, "dead-vla", "6.2.4p7", Exploited, "access to a variable length array after its lifetime";
    /// Lifetime.
    TemporaryModified, "temporary-modified", "6.2.4p8", Exploited, "object with temporary lifetime modified";
    /// Lifetime.
    DeadTemporary, "dead-temporary", "6.2.4p8", Exploited, "access to a temporary object after its expression ended";
    /// Lifetime.
    DeadLiteral, "dead-literal", "6.5.2.5p5", Exploited, "access to a compound literal after its block ended";
    /// Lifetime.
    DeadAlloca, "dead-alloca", "gcc: alloca", Exploited, "access to memory of alloca after its function returned";
    /// Lifetime.
    LongjmpDead, "longjmp-dead", "7.13.2.1p2", Exploited, "longjmp to a function that has returned, or to a buffer never set";
    /// Lifetime.
    LongjmpVla, "longjmp-vla", "7.13.2.1p2", Exploited, "longjmp into the scope of a variably modified object that has ended";
    /// Lifetime.
    SetjmpContext, "setjmp-context", "7.13.1.1p5", Letter, "setjmp called neither as a whole statement nor as, negated or compared with a constant, a whole condition";
    /// Lifetime.
    LongjmpStale, "longjmp-stale", "7.13.2.1p3", Exploited, "local object that changed since setjmp read after longjmp";

    /// Aliasing.
    AliasScalar, "alias-scalar", "6.5p7", Exploited, "object accessed through an lvalue of an incompatible type";
    /// Aliasing.
    AliasPointer, "alias-pointer", "6.5p7", Letter, "pointer accessed as one to a type of other qualifiers, or to void";
    /// Aliasing.
    AliasStruct, "alias-struct", "6.5p7, 6.5.2.3p4", Exploited, "object accessed as a member of another struct type";
    /// Aliasing.
    AliasUnion, "alias-union", "6.5p7", Exploited, "union member accessed through a pointer after another member was";
    /// Aliasing.
    AliasBytes, "alias-bytes", "6.5p7", Exploited, "declared character array accessed as another type";
    /// Aliasing.
    AliasHeap, "alias-heap", "6.5p6-7", Exploited, "allocated memory read as another type than it was stored with";
    /// Aliasing.
    RestrictAccess, "restrict", "6.7.3.1p4", Exploited, "object modified and accessed both through a restrict pointer and around it";
    /// As the one before, but for what was done before the pointer had its value.
    RestrictEarly, "restrict-early", "6.7.3.1p4", Letter, "object accessed through a restrict pointer and modified in the pointer's block before it pointed there";
    /// Aliasing.
    RestrictConst, "restrict-const", "6.7.3.1p4", Letter, "object modified that is accessed through a restrict pointer to a const type";
    /// Aliasing.
    RestrictAssign, "restrict-assign", "6.7.3.1p4", Letter, "restrict pointer assigned a value based on another of the same block";

    /// Qualifiers.
    ConstModified, "const-modified", "6.7.3p6", Exploited, "object defined const modified";
    /// Qualifiers.
    StringModified, "string-modified", "6.4.5p7", Exploited, "string literal modified";
    /// Qualifiers.
    VolatilePlain, "volatile-plain", "6.7.3p6", Exploited, "object defined volatile accessed through an lvalue without it";
    /// Qualifiers.
    AtomicMember, "atomic-member", "6.5.2.3p5", Letter, "member of an _Atomic struct or union accessed";

    /// Order.
    Unsequenced, "unsequenced", "6.5p2", Exploited, "modification and another access of one object are unsequenced";
    /// Order.
    UnsequencedVolatile, "unsequenced-volatile", "6.5p2, 5.1.2.3p2, 6.7.3p7", Letter, "two unsequenced accesses to one volatile object";
    /// Order.
    OverlapAssign, "overlap-assign", "6.5.16.1p3", Exploited, "assignment between objects that overlap but not exactly";

    /// Calls.
    CallType, "call-type", "6.5.2.2p9", Exploited, "function called through an incompatible type";
    /// Calls.
    CallArguments, "call-arguments", "6.5.2.2p6", Exploited, "arguments of a call without a prototype do not fit the function";
    /// Calls.
    CallAlike, "call-alike", "6.5.2.2p6", Letter, "argument without a prototype has another type that is passed alike: of the other sign, or a pointer";
    /// Calls.
    CallTypeAlike, "call-type-alike", "6.5.2.2p9", Letter, "function called through an incompatible type whose arguments and result are passed alike";
    /// Calls.
    LinkType, "link-type", "6.2.7p2", Exploited, "declarations of one entity in two files have incompatible types";
    /// Calls.
    LinkAlike, "link-alike", "6.2.7p2", Letter, "declarations of a function in two files have incompatible types that are passed alike";
    /// Calls.
    LinkBoth, "link-both", "6.2.2p7", Exploited, "identifier has both internal and external linkage";
    /// Calls.
    StaticIncomplete, "static-incomplete", "6.9.2p3", Letter, "tentative definition with internal linkage has an incomplete type";
    /// Calls.
    StaticBound, "static-bound", "6.7.6.3p7", Exploited, "argument provides fewer elements than [static n] promises";
    /// Calls.
    VaStartParam, "va-start-param", "7.16.1.4p4", Letter, "va_start on a parameter it does not allow";
    /// Calls.
    VaArgType, "va-arg-type", "7.16.1.1p2", Exploited, "va_arg with a type other than the argument's";
    /// Calls.
    VaArgEnd, "va-arg-end", "7.16.1.1p2", Exploited, "va_arg past the last argument";
    /// Calls.
    VaListEnded, "va-list-ended", "7.16p3, 7.16.1.1p2, 7.16.1.3p2", Exploited, "va_list used that is not started, has ended or was handed on";
    /// Calls.
    VaListNotEnded, "va-list-not-ended", "7.16.1.3p2", Letter, "function returns without va_end for its va_start or va_copy";
    /// Calls.
    NoreturnReturns, "noreturn-returns", "6.7.4p8", Exploited, "function declared _Noreturn returns";
    /// Calls.
    ExitTwice, "exit-twice", "7.22.4.4p2", Exploited, "exit called while exit is running";

    /// Arrays.
    VlaSize, "vla-size", "6.7.6.2p5", Exploited, "variable length array with no or a negative number of elements";
    /// Arrays.
    VlaUnevaluated, "vla-unevaluated", "6.2.7p3", Exploited, "the type needs an array bound that is not evaluated";
    /// Arrays.
    ParamBound, "param-bound", "6.7.6.2p5", Letter, "parameter declared as an array with no or a negative number of elements";
    /// Arrays.
    VlaBounds, "vla-bounds", "6.7.6.2p6", Letter, "array types that must be compatible have different bounds";
    /// Arrays.
    FlexibleBeyond, "flexible-beyond", "6.7.2.1p18", Exploited, "flexible array member accessed beyond the allocation";

    /// Library.
    ReservedName, "reserved-name", "7.1.3p2", Exploited, "program defines a function with a reserved library name";
    /// Library.
    LibOverlap, "lib-overlap", "7.24.2.1p2", Exploited, "library function copies between objects that overlap";
    /// Library.
    LibPointer, "lib-pointer", "7.1.4p1, 7.24.1p2", Exploited, "invalid pointer given to a library function";
    /// Library.
    LibBounds, "lib-bounds", "7.1.4p1, 7.24.1p1", Exploited, "library function reaches beyond the object";
    /// Library.
    LibUnterminated, "lib-unterminated", "7.1.1p1, 7.24.1p1", Exploited, "array without a terminating zero used as a string";
    /// Library.
    PrintfType, "printf-type", "7.21.6.1p9", Exploited, "argument of printf has the wrong type for its conversion";
    /// Library.
    PrintfFew, "printf-few", "7.21.6.1p2", Exploited, "too few arguments for the format";
    /// Library.
    PrintfFormat, "printf-format", "7.21.6.1p4, p6-9", Exploited, "invalid conversion specification";
    /// Library.
    StreamUse, "stream-use", "7.21.2p4, 7.21.5.2p2, 7.21.5.6p2", Letter, "stream used as it may not be: input flushed, a buffer set after other operations, bytes and wide characters mixed";
    /// Library.
    CtypeRange, "ctype-range", "7.4p1", Exploited, "character function given a value that is neither an unsigned char nor EOF";
    /// Library.
    AtoiRange, "atoi-range", "7.22.1p1", Letter, "number does not fit the result of atoi, atol or atoll";
    /// Library.
    QsortOrder, "qsort-order", "7.22.5p4, 7.22.5.1p3", Exploited, "comparison function of qsort or bsearch is not consistent";

    /// Promises to the compiler.
    PureBroken, "attr-pure", "gcc: Function Attributes", Exploited, "function with attribute pure or const has a side effect, or const reads memory";
    /// Promises to the compiler.
    MallocBroken, "attr-malloc", "gcc: Function Attributes", Exploited, "function with attribute malloc returns what is not new and not its caller's alone";
    /// Promises to the compiler.
    NonnullBroken, "attr-nonnull", "gcc: Function Attributes", Exploited, "null pointer passed for a parameter with attribute nonnull";
    /// Promises to the compiler.
    ReturnsNonnullBroken, "attr-returns-nonnull", "gcc: Function Attributes", Exploited, "function with attribute returns_nonnull returns a null pointer";
    /// Promises to the compiler.
    AlignedBroken, "attr-assume-aligned", "gcc: Function Attributes", Exploited, "pointer is not aligned as assume_aligned promises";
}

impl From<Undefined> for UbKind {
    fn from(undefined: Undefined) -> UbKind {
        match undefined {
            Undefined::AddOverflow => UbKind::AddOverflow,
            Undefined::SubOverflow => UbKind::SubOverflow,
            Undefined::MulOverflow => UbKind::MulOverflow,
            Undefined::NegOverflow => UbKind::NegOverflow,
            Undefined::IncOverflow => UbKind::IncOverflow,
            Undefined::DecOverflow => UbKind::DecOverflow,
            Undefined::DivByZero => UbKind::DivByZero,
            Undefined::RemByZero => UbKind::RemByZero,
            Undefined::DivOverflow => UbKind::DivOverflow,
            Undefined::RemOverflow => UbKind::RemOverflow,
            Undefined::ShiftNegative => UbKind::ShiftNegative,
            Undefined::ShiftTooFar => UbKind::ShiftTooFar,
            Undefined::ShlOfNegative => UbKind::ShlOfNegative,
            Undefined::ShlOverflow => UbKind::ShlOverflow,
            Undefined::FloatToIntRange => UbKind::FloatToIntRange,
            Undefined::FloatToIntNan | Undefined::IllTyped => UbKind::FloatToIntNan,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_and_messages_are_distinct() {
        let codes: BTreeSet<_> = UbKind::ALL.iter().map(|kind| kind.code()).collect();
        let messages: BTreeSet<_> = UbKind::ALL.iter().map(|kind| kind.message()).collect();
        assert_eq!(codes.len(), UbKind::ALL.len());
        assert_eq!(messages.len(), UbKind::ALL.len());
    }

    #[test]
    fn arithmetic_kinds_say_what_arith_says() {
        for undefined in Undefined::ALL.into_iter().filter(|case| *case != Undefined::IllTyped) {
            let kind = UbKind::from(undefined);
            assert_eq!(
                (kind.code(), kind.clause(), kind.strength(), kind.message()),
                (undefined.code(), undefined.clause(), undefined.strength(), undefined.message())
            );
        }
    }
}
