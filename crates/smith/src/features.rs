//! What programs may have besides the bare minimum: each can be switched off, and swarm does so.

/// Something a program may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Feature {
    /// Arrays, of up to as many dimensions as the options say.
    Arrays,
    /// Bit-fields in structs and unions.
    Bitfields,
    /// `_Bool`.
    Bool,
    /// Plain `char`.
    Char,
    /// 64-bit integers.
    Longs,
    /// 8- and 16-bit integers.
    Narrow,
    /// Enumerations.
    Enums,
    /// `float` and `double`, always exact.
    Float,
    /// Pointers.
    Pointers,
    /// Structs.
    Structs,
    /// Unions.
    Unions,
    /// Structs and unions as parameters, results and values of assignments.
    RecordValues,
    /// `const`.
    Const,
    /// `volatile`.
    Volatile,
    /// The comma operator.
    Comma,
    /// `x op= y`.
    Compound,
    /// `++` and `--`.
    Step,
    /// Assignments inside of expressions.
    Embedded,
    /// `a ? b : c`.
    Conditional,
    /// Chains of `&&` and `||`.
    Logic,
    /// Explicit casts.
    Casts,
    /// Products, which some targets compute slowly.
    Mul,
    /// Quotients and remainders.
    Div,
    /// `goto`, forwards and backwards.
    Goto,
    /// `goto` forwards into a branch or a loop.
    Enter,
    /// `switch`, with arms that fall through.
    Switch,
    /// `while` and `do`.
    While,
    /// Loops over arrays.
    ArrayLoops,
    /// Loops over arrays without calls, as vectorisers like them, and long arrays.
    PlainLoops,
    /// Sums, shifts and truncations that are carried through short loops.
    Reductions,
    /// Counters that are variables of file scope.
    GlobalCounters,
    /// Static variables of blocks.
    Statics,
    /// `inline`.
    Inline,
    /// Compound literals.
    Literals,
    /// Initialisers by member and index.
    Designated,
    /// Functions that call themselves, so many times at most.
    Recursion,
    /// Pointers to functions.
    FunctionPointers,
    /// Functions with `...`.
    Varargs,
    /// String literals.
    Strings,
    /// Structs and unions without a name as members.
    Anonymous,
    /// `sizeof`.
    Sizeof,
    /// `__builtin_memcpy` and `__builtin_memset` of whole objects, `__builtin_popcount` and their like.
    Builtins,
    /// `__int128`.
    Int128,
    /// `__attribute__((packed))` structs.
    Packed,
    /// Attributes of functions.
    Attributes,
    /// `({ … })`.
    StatementExpressions,
    /// Checks around operations written in place, as macros are.
    InPlace,
    /// `goto *p`.
    ComputedGoto,
    /// GNU vectors.
    Vectors,
    /// Several translation units.
    Units,
}

/// What is said of a feature.
pub struct Info {
    /// Which.
    pub feature: Feature,
    /// Its name in options.
    pub name: &'static str,
    /// Whether it is beyond C17.
    pub gnu: bool,
    /// Whether it is there only if somebody asks for it.
    pub asked: bool,
    /// What it is, in a few words.
    pub help: &'static str,
}

const fn c(feature: Feature, name: &'static str, help: &'static str) -> Info {
    Info { feature, name, gnu: false, asked: false, help }
}

const fn gnu(feature: Feature, name: &'static str, help: &'static str) -> Info {
    Info { feature, name, gnu: true, asked: false, help }
}

/// All of them, in the order of their numbers.
pub const FEATURES: [Info; 50] = [
    c(Feature::Arrays, "arrays", "arrays of one and more dimensions"),
    c(Feature::Bitfields, "bitfields", "bit-fields"),
    c(Feature::Bool, "bool", "_Bool"),
    c(Feature::Char, "char", "plain char"),
    c(Feature::Longs, "long", "64-bit integers"),
    c(Feature::Narrow, "narrow", "8- and 16-bit integers"),
    c(Feature::Enums, "enums", "enumerations"),
    c(Feature::Float, "float", "float and double, with exact results"),
    c(Feature::Pointers, "pointers", "pointers"),
    c(Feature::Structs, "structs", "structs"),
    c(Feature::Unions, "unions", "unions"),
    c(Feature::RecordValues, "record-values", "structs and unions as parameters, results and values"),
    c(Feature::Const, "const", "const"),
    c(Feature::Volatile, "volatile", "volatile"),
    c(Feature::Comma, "comma", "the comma operator"),
    c(Feature::Compound, "compound", "compound assignments"),
    c(Feature::Step, "step", "++ and --"),
    c(Feature::Embedded, "embedded", "assignments inside of expressions"),
    c(Feature::Conditional, "conditional", "a ? b : c"),
    c(Feature::Logic, "logic", "chains of && and ||"),
    c(Feature::Casts, "casts", "explicit casts"),
    c(Feature::Mul, "mul", "products"),
    c(Feature::Div, "div", "quotients and remainders"),
    c(Feature::Goto, "goto", "goto"),
    c(Feature::Enter, "jumps-into-blocks", "goto into a branch or a loop"),
    c(Feature::Switch, "switch", "switch"),
    c(Feature::While, "while", "while and do"),
    c(Feature::ArrayLoops, "array-loops", "loops over arrays"),
    c(Feature::PlainLoops, "plain-loops", "long arrays, and loops over arrays that vectorisers take"),
    c(Feature::Reductions, "reductions", "sums, shifts and truncations carried through loops"),
    c(Feature::GlobalCounters, "global-counters", "counters of file scope"),
    c(Feature::Statics, "statics", "static variables of blocks"),
    c(Feature::Inline, "inline", "inline functions"),
    c(Feature::Literals, "literals", "compound literals"),
    c(Feature::Designated, "designated", "initialisers by member and index"),
    c(Feature::Recursion, "recursion", "functions that call themselves"),
    c(Feature::FunctionPointers, "function-pointers", "pointers to functions"),
    c(Feature::Varargs, "varargs", "functions with ..."),
    c(Feature::Strings, "strings", "string literals"),
    c(Feature::Anonymous, "anonymous", "structs and unions without a name as members"),
    c(Feature::Sizeof, "sizeof", "sizeof"),
    gnu(Feature::Builtins, "builtins", "__builtin functions"),
    gnu(Feature::Int128, "int128", "__int128"),
    gnu(Feature::Packed, "packed", "packed structs"),
    gnu(Feature::Attributes, "attributes", "attributes of functions and variables"),
    gnu(Feature::StatementExpressions, "statement-expressions", "({ ... })"),
    gnu(Feature::InPlace, "checks-in-place", "checks in ({ ... }) in place of calls of wrappers"),
    gnu(Feature::ComputedGoto, "computed-goto", "goto *p"),
    gnu(Feature::Vectors, "vectors", "GNU vectors"),
    Info { asked: true, ..c(Feature::Units, "units", "several files, for link-time optimization") },
];

/// A set of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features(u64);

impl Features {
    /// None.
    pub const NONE: Features = Features(0);

    /// All but what has to be asked for.
    pub fn all() -> Features {
        FEATURES.iter().filter(|info| !info.asked).fold(Features::NONE, |all, info| all.with(info.feature))
    }

    /// All that C17 has, but what has to be asked for.
    pub fn standard() -> Features {
        FEATURES
            .iter()
            .filter(|info| !info.gnu && !info.asked)
            .fold(Features::NONE, |all, info| all.with(info.feature))
    }

    /// Whether it is in.
    pub fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u8 & 1 == 1
    }

    /// The same and this.
    #[must_use]
    pub fn with(self, feature: Feature) -> Features {
        Features(self.0 | 1 << feature as u8)
    }

    /// The same but this.
    #[must_use]
    pub fn without(self, feature: Feature) -> Features {
        Features(self.0 & !(1 << feature as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_numbers() {
        for (at, info) in FEATURES.iter().enumerate() {
            assert_eq!(info.feature as usize, at, "{}", info.name);
        }
        assert!(!Features::standard().has(Feature::Int128) && Features::all().has(Feature::Int128));
        assert!(!Features::all().without(Feature::Goto).has(Feature::Goto));
    }
}
