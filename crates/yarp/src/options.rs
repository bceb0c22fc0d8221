//! What programs look like.

use howler_choices::Choices;

use crate::parameters::Parameters;

/// Something a program may have, or a policy of how it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Feature {
    /// `__int128`.
    Int128,
    /// `_Bool`.
    Bool,
    /// Plain `char`.
    Char,
    /// Structs.
    Structs,
    /// Bit-fields in structs.
    Bitfields,
    /// Arrays.
    Arrays,
    /// Pointers to numbers.
    Pointers,
    /// `const` inputs.
    Const,
    /// Quotients and remainders.
    Division,
    /// Shifts.
    Shift,
    /// `a ? b : c`.
    Conditional,
    /// Explicit casts.
    Casts,
    /// `if`.
    If,
    /// `x op= y`.
    Compound,
    /// `++` and `--`.
    Step,
    /// Loops.
    Loops,
    /// Loops in loops.
    Nests,
    /// `break` and `continue`.
    Leave,
    /// `float`, `double` and `long double`, with exact results.
    Floats,
    /// GNU vectors.
    Vectors,
    /// `__builtin_shufflevector`.
    Shuffles,
    /// Functions that test functions call.
    Calls,
    /// Functions that get arrays.
    Kernels,
    /// Enumerations.
    Enums,
    /// Pointers that walk through arrays.
    Walks,
    /// `switch`.
    Switch,
    /// `memcpy`, `memmove` and `memset`.
    Memory,
    /// Arrays on the heap.
    Heap,
    /// Arrays and structs of functions.
    Locals,
    /// Loops over whole arrays.
    Spaces,
    /// Loops as people write them for vectorisers.
    Tidy,
    /// Loops that follow each other over the same space.
    Runs,
    /// Elements beside each other.
    Stencils,
    /// Subscripts that are computed from values.
    Scatter,
    /// Variables that are 0, which no compiler knows.
    Zeros,
    /// Hints to loops.
    Hints,
    /// Several files.
    Units,
    /// Policy: regions and parts keep to a few operators.
    Contexts,
    /// Policy: parts with constants for all or half of their leaves.
    ConstantLeaves,
    /// Policy: constants that are small, near limits, runs of bits.
    SpecialConstants,
    /// Policy: constants that were there before, negated or complemented.
    ConstantReuse,
    /// Policy: expressions that were there before.
    CommonExpressions,
    /// Policy: weights of its own for each program.
    Shuffle,
}

/// What is said of a feature.
pub struct Info {
    /// Which.
    pub feature: Feature,
    /// Its name in options.
    pub name: &'static str,
    /// Whether it is a policy.
    pub policy: bool,
    /// Whether programs have it only if somebody asks.
    pub asked: bool,
    /// What it is, in a few words.
    pub help: &'static str,
}

const fn has(feature: Feature, name: &'static str, help: &'static str) -> Info {
    Info { feature, name, policy: false, asked: false, help }
}

const fn policy(feature: Feature, name: &'static str, help: &'static str) -> Info {
    Info { feature, name, policy: true, asked: false, help }
}

/// All of them, in the order of their numbers, the policies last.
pub const FEATURES: [Info; 43] = [
    has(Feature::Int128, "int128", "__int128"),
    has(Feature::Bool, "bool", "_Bool"),
    has(Feature::Char, "char", "plain char"),
    has(Feature::Structs, "structs", "structs"),
    has(Feature::Bitfields, "bitfields", "bit-fields"),
    has(Feature::Arrays, "arrays", "arrays of one to three dimensions"),
    has(Feature::Pointers, "pointers", "pointers to numbers"),
    has(Feature::Const, "const", "inputs that are const"),
    has(Feature::Division, "division", "quotients and remainders"),
    has(Feature::Shift, "shift", "shifts"),
    has(Feature::Conditional, "conditional", "a ? b : c"),
    has(Feature::Casts, "casts", "explicit casts"),
    has(Feature::If, "if", "if and else"),
    has(Feature::Compound, "compound", "compound assignments"),
    has(Feature::Step, "step", "++ and --"),
    has(Feature::Loops, "loops", "loops, whose values differ in each round"),
    has(Feature::Nests, "nests", "loops in loops"),
    has(Feature::Leave, "leave", "break and continue"),
    has(Feature::Floats, "floats", "float, double and long double, with exact results"),
    has(Feature::Vectors, "vectors", "GNU vectors"),
    has(Feature::Shuffles, "shuffles", "shuffled vectors"),
    has(Feature::Calls, "calls", "functions that test functions call"),
    has(Feature::Kernels, "kernels", "functions that get arrays by pointers, restrict or not"),
    has(Feature::Enums, "enums", "enumerations"),
    has(Feature::Walks, "walks", "pointers that walk through arrays"),
    has(Feature::Switch, "switch", "switch"),
    has(Feature::Memory, "memory", "memcpy, memmove and memset"),
    has(Feature::Heap, "heap", "arrays on the heap"),
    has(Feature::Locals, "locals", "arrays and structs of functions"),
    has(Feature::Spaces, "spaces", "loops over whole arrays"),
    has(Feature::Tidy, "tidy", "loops as people write them for vectorisers"),
    has(Feature::Runs, "runs", "loops that follow each other over the same space"),
    has(Feature::Stencils, "stencils", "elements that are computed from those beside them"),
    has(Feature::Scatter, "scatter", "subscripts that are computed from values"),
    has(Feature::Zeros, "zeros", "variables that are 0, which no compiler knows"),
    has(Feature::Hints, "hints", "pragmas that unroll loops, or say not to"),
    Info { asked: true, ..has(Feature::Units, "units", "several files") },
    policy(Feature::Contexts, "contexts", "regions that keep to a few operators"),
    policy(
        Feature::ConstantLeaves,
        "constant-leaves",
        "parts with constants for all or half of their leaves",
    ),
    policy(Feature::SpecialConstants, "special-constants", "constants near limits, and runs of bits"),
    policy(Feature::ConstantReuse, "constant-reuse", "constants that were there before, or their opposites"),
    policy(Feature::CommonExpressions, "common-expressions", "expressions that were there before"),
    policy(Feature::Shuffle, "shuffle", "weights of its own for each program"),
];

/// A set of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features(u64);

impl Features {
    /// None.
    pub const NONE: Features = Features(0);

    /// All there are.
    pub fn all() -> Features {
        FEATURES.iter().fold(Features::NONE, |all, info| all.with(info.feature))
    }

    /// Those that programs have if nobody says anything.
    pub fn usual() -> Features {
        FEATURES.iter().filter(|info| !info.asked).fold(Features::NONE, |all, info| all.with(info.feature))
    }

    /// Whether it is in.
    pub fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u8 & 1 == 1
    }

    /// The same and this.
    #[must_use]
    pub fn with(self, feature: Feature) -> Features {
        Features(self.0 | 1u64 << feature as u8)
    }

    /// The same but this.
    #[must_use]
    pub fn without(self, feature: Feature) -> Features {
        Features(self.0 & !(1u64 << feature as u8))
    }

    /// What swarm leaves of them: policies go in one program of eight each, the rest not at all, seldom or often.
    pub(crate) fn swarm(self, choices: &mut Choices) -> Features {
        let dropped = *choices.one_of("dropped", &[0, 10, 30]);
        FEATURES.iter().fold(self, |features, info| {
            let share = if info.policy { 12 } else { dropped };
            if choices.chance("drop", share, 100) { features.without(info.feature) } else { features }
        })
    }
}

/// How to generate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Tokens of a program, about: the least and the most.
    pub size: (u32, u32),
    /// What programs may have, and policies.
    pub features: Features,
    /// Whether each program draws features of its own among these.
    pub swarm: bool,
    /// Test functions at most.
    pub functions: u32,
    /// How deep blocks are nested.
    pub block_depth: u32,
    /// Files at most.
    pub units: u32,
    /// Rounds of a loop at most, where it is not the space of an array.
    pub rounds: u32,
    /// Steps of loops that a program may take, about.
    pub steps: u64,
    /// How likely each choice is, before shuffling.
    pub weights: Parameters,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            size: (500, 8000),
            features: Features::usual(),
            swarm: true,
            functions: 4,
            block_depth: 4,
            units: 3,
            rounds: 24,
            steps: 200_000,
            weights: Parameters::default(),
        }
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
    }
}
