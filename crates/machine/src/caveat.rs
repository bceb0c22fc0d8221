//! Caveats: programs to which the standard gives one meaning that not every compiler family promises.
//!
//! A caveat needs evidence: compilers that break the plain meaning, and maintainers who say that they may. It is neither
//! undefined behaviour nor something that is left open.

use howler_lang::target::Compiler;

/// Why a defined program may be compiled to something else by some.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Caveat {
    /// Allocated memory is given another type by a store. C17 6.5p6 lets the last store decide, and gcc follows; clang
    /// assumes that accesses of types that do not alias never meet, whatever came between, and reorders such stores.
    Retyped,
}

impl Caveat {
    /// A short name that never changes.
    pub const fn code(self) -> &'static str {
        match self {
            Caveat::Retyped => "retyped",
        }
    }

    /// The paragraph of C17 that defines it.
    pub const fn clause(self) -> &'static str {
        match self {
            Caveat::Retyped => "6.5p6",
        }
    }

    /// A sentence part that says what it is.
    pub const fn message(self) -> &'static str {
        match self {
            Caveat::Retyped => "a store gives allocated memory another type",
        }
    }

    /// The families that promise the plain meaning.
    pub const fn promised_by(self) -> &'static [Compiler] {
        match self {
            Caveat::Retyped => &[Compiler::Gcc],
        }
    }
}

/// The name of a compiler family.
pub const fn family_name(family: Compiler) -> &'static str {
    match family {
        Compiler::Gcc => "gcc",
        Compiler::Clang => "clang",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caveat_names_some_families_and_not_all() {
        let families = Caveat::Retyped.promised_by();
        assert!(families.contains(&Compiler::Gcc) && !families.contains(&Compiler::Clang));
    }
}
