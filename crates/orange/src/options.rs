//! What tests look like: how large, made of what, repaired how.

use howler_choices::Choices;
use howler_lang::scalar::Ty;
use howler_lang::target::Target;

/// How to generate.
///
/// ```
/// use howler_orange::{Feature, Options};
/// let mut options = Options::default();
/// options.operations = (10, 1000);
/// options.features = options.features.without(Feature::Float);
/// assert!(options.validate().is_ok());
/// options.operators = (5, 4);
/// assert_eq!(options.validate().unwrap_err().to_string(), "operators: 5 to 4 is no range");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The least and the greatest number of operators × expressions; drawn evenly over its magnitudes.
    pub operations: (u32, u32),
    /// Operators per expression, the same in all expressions of a test.
    pub operators: (u32, u32),
    /// Expressions.
    pub expressions: (u32, u32),
    /// How deep an expression is at most before it is repaired. Three times as many parentheses stay below 200.
    pub depth: u8,
    /// What is done about undefined behaviour.
    pub repair: Repair,
    /// What programs are made of.
    pub features: Features,
    /// Whether each test uses a random part of the features only.
    pub swarm: bool,
    /// 0 for one file; otherwise one function per expression in this many further files.
    pub files: u32,
    /// Whether repairs keep to the features too: otherwise a flipped `*` may become `/` though there is no division.
    pub strict: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            operations: (10, 100_000),
            operators: (1, 10_000),
            expressions: (1, 10_000),
            depth: 60,
            repair: Repair::Flip,
            features: Features::ALL.without(Feature::Constants),
            swarm: false,
            files: 0,
            strict: false,
        }
    }
}

/// What is done about undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repair {
    /// Operators are flipped to their complement where the paper's table 1 says so; otherwise operations are inserted.
    Flip,
    /// Operations are inserted only.
    Insert,
}

/// Something programs may be made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Feature {
    /// `/` and `%`.
    Division,
    /// `<<` and `>>`.
    Shift,
    /// `&`, `^` and `|`.
    Bitwise,
    /// `&&` and `||`.
    Logic,
    /// `-`, `+`, `~` and `!`.
    Unary,
    /// `?:`
    Ternary,
    /// Casts.
    Cast,
    /// `,`
    Comma,
    /// Assignments inside of expressions, `=` and compound ones.
    Assignment,
    /// `++` and `--`.
    Step,
    /// Statements that are compound assignments.
    Compound,
    /// Statements that assign again to a variable that has been assigned or read before.
    Reassign,
    /// `char`, `short` and `_Bool`.
    Narrow,
    /// `__int128`, where the target has it.
    Int128,
    /// Bit-fields.
    BitField,
    /// Floating types.
    Float,
    /// Floating values with fractions.
    Fraction,
    /// `long double`.
    LongDouble,
    /// Variables at file scope.
    Global,
    /// `static` variables.
    Static,
    /// `const` variables.
    Const,
    /// `volatile` variables.
    Volatile,
    /// Constants as operands, which the paper does not have.
    Constants,
}

impl Feature {
    /// All of them, in order.
    pub const ALL: [Feature; 23] = [
        Feature::Division,
        Feature::Shift,
        Feature::Bitwise,
        Feature::Logic,
        Feature::Unary,
        Feature::Ternary,
        Feature::Cast,
        Feature::Comma,
        Feature::Assignment,
        Feature::Step,
        Feature::Compound,
        Feature::Reassign,
        Feature::Narrow,
        Feature::Int128,
        Feature::BitField,
        Feature::Float,
        Feature::Fraction,
        Feature::LongDouble,
        Feature::Global,
        Feature::Static,
        Feature::Const,
        Feature::Volatile,
        Feature::Constants,
    ];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Feature::Division => "division",
            Feature::Shift => "shift",
            Feature::Bitwise => "bitwise",
            Feature::Logic => "logic",
            Feature::Unary => "unary",
            Feature::Ternary => "ternary",
            Feature::Cast => "cast",
            Feature::Comma => "comma",
            Feature::Assignment => "assignment",
            Feature::Step => "step",
            Feature::Compound => "compound",
            Feature::Reassign => "reassign",
            Feature::Narrow => "narrow",
            Feature::Int128 => "int128",
            Feature::BitField => "bit-field",
            Feature::Float => "float",
            Feature::Fraction => "fraction",
            Feature::LongDouble => "long-double",
            Feature::Global => "global",
            Feature::Static => "static",
            Feature::Const => "const",
            Feature::Volatile => "volatile",
            Feature::Constants => "constants",
        }
    }

    /// What it is, for tables in documents.
    pub const fn help(self) -> &'static str {
        match self {
            Feature::Division => "division and remainder",
            Feature::Shift => "shifts",
            Feature::Bitwise => "and, or and exclusive or of bits",
            Feature::Logic => "`&&` and its counterpart",
            Feature::Unary => "`-`, `+`, `~` and `!`",
            Feature::Ternary => "`?:`",
            Feature::Cast => "casts",
            Feature::Comma => "the comma operator",
            Feature::Assignment => "assignments inside of expressions, compound ones too",
            Feature::Step => "`++` and `--`",
            Feature::Compound => "statements that are compound assignments",
            Feature::Reassign => "statements that assign again to a variable in use",
            Feature::Narrow => "`char`, `short` and `_Bool`",
            Feature::Int128 => "`__int128`, where the target has it",
            Feature::BitField => "bit-fields",
            Feature::Float => "floating types",
            Feature::Fraction => "floating values with fractions",
            Feature::LongDouble => "`long double`",
            Feature::Global => "variables at file scope",
            Feature::Static => "`static` variables",
            Feature::Const => "`const` variables",
            Feature::Volatile => "`volatile` variables",
            Feature::Constants => "constants as operands, which the paper does not have",
        }
    }
}

/// A set of features.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Features(u32);

impl Features {
    /// Nothing but `+`, `-`, `*` and comparisons of `int`, `long` and `long long`, signed and unsigned.
    pub const NONE: Features = Features(0);
    /// Everything.
    pub const ALL: Features = Features((1 << Feature::ALL.len()) - 1);
    /// What the paper's integer mode has: its table 6 was measured so.
    pub const PAPER: Features = Features::NONE
        .with(Feature::Division)
        .with(Feature::Shift)
        .with(Feature::Bitwise)
        .with(Feature::Logic)
        .with(Feature::Narrow)
        .with(Feature::Global)
        .with(Feature::Static)
        .with(Feature::Const)
        .with(Feature::Volatile);

    /// These and one more.
    #[must_use]
    pub const fn with(self, feature: Feature) -> Features {
        Features(self.0 | 1 << feature as u32)
    }

    /// These without one.
    #[must_use]
    pub const fn without(self, feature: Feature) -> Features {
        Features(self.0 & !(1 << feature as u32))
    }

    /// Whether a feature is in it.
    pub const fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u32 != 0
    }
}

/// Options that make no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionsError {
    /// A range is empty, or goes beyond what is supported.
    #[error("{what}: {low} to {high} is no range")]
    Range {
        /// The option.
        what: &'static str,
        /// Its low end.
        low: u32,
        /// Its high end.
        high: u32,
    },
    /// A range goes beyond what is supported.
    #[error("{what}: at most {most}")]
    TooMuch {
        /// The option.
        what: &'static str,
        /// The most that is supported.
        most: u32,
    },
    /// No size fits all ranges.
    #[error("no number of operators and of expressions in their ranges makes that many operations")]
    NoSize,
}

/// The most operators of an expression and the most expressions of a test.
pub(crate) const MOST: u32 = 10_000;
/// The most operations of a test: a million of them take half a gigabyte.
pub(crate) const MOST_OPERATIONS: u32 = 4_000_000;
/// The greatest depth: three levels of parentheses for each of these stay below 200.
pub(crate) const DEEPEST: u8 = 65;
/// The most files besides the first.
pub(crate) const MOST_FILES: u32 = 100;

impl Options {
    /// Whether the options make sense.
    ///
    /// # Errors
    /// The first option that does not.
    pub fn validate(&self) -> Result<(), OptionsError> {
        let ranges = [
            ("operations", self.operations, MOST_OPERATIONS),
            ("operators", self.operators, MOST),
            ("expressions", self.expressions, MOST),
        ];
        for (what, (low, high), most) in ranges {
            if low == 0 || low > high {
                return Err(OptionsError::Range { what, low, high });
            }
            if high > most {
                return Err(OptionsError::TooMuch { what, most });
            }
        }
        let scale = |a: u32, b: u32| u64::from(a) * u64::from(b);
        let least = scale(self.operators.0, self.expressions.0);
        let most = scale(self.operators.1, self.expressions.1);
        if least > u64::from(self.operations.1) || most < u64::from(self.operations.0) {
            return Err(OptionsError::NoSize);
        }
        if self.depth == 0 || self.depth > DEEPEST {
            return Err(OptionsError::TooMuch { what: "depth", most: u32::from(DEEPEST) });
        }
        if self.files > MOST_FILES {
            return Err(OptionsError::TooMuch { what: "files", most: MOST_FILES });
        }
        Ok(())
    }

    /// The features of one test: what the target or the form does not allow is left out, and a swarm draws its part.
    pub(crate) fn drawn_features(&self, target: Target, choices: &mut Choices) -> Features {
        let mut features = self.features;
        if !target.layout().int128 {
            features = features.without(Feature::Int128);
        }
        if self.files > 0 {
            features = features.without(Feature::BitField).without(Feature::Static);
        }
        if self.swarm {
            for feature in Feature::ALL {
                if choices.chance("feature off", 1, 2) {
                    features = features.without(feature);
                }
            }
        }
        features
    }

    /// How many operators per expression, and how many expressions.
    pub(crate) fn drawn_size(&self, choices: &mut Choices) -> (u32, u32) {
        let total = by_magnitude(choices, "operations", self.operations);
        // Options that do not validate must not divide by zero.
        let at_least_one = |(low, high): (u32, u32)| (low.max(1), high.max(low).max(1));
        let (fewest, most) = at_least_one(self.expressions);
        let (low, high) = at_least_one(self.operators);
        let low = low.max(total.div_ceil(most));
        let limits = (low, high.min(total / fewest).max(low));
        let operators = by_magnitude(choices, "operators", limits).min(high);
        (operators, (total / operators).clamp(fewest, most))
    }
}

/// A number whose length in bits is evenly distributed.
fn by_magnitude(choices: &mut Choices, name: &'static str, (low, high): (u32, u32)) -> u32 {
    let length = choices.range(name, low.max(1).ilog2()..=high.max(1).ilog2());
    let first = (1u32 << length).max(low);
    let last = ((2u64 << length) - 1).min(u64::from(high)) as u32;
    choices.range(name, first..=last.max(first))
}

/// The types variables may have.
pub(crate) fn types(features: Features) -> Vec<Ty> {
    let mut types = vec![Ty::INT, Ty::UINT, Ty::LONG, Ty::ULONG, Ty::LLONG, Ty::ULLONG];
    if features.has(Feature::Narrow) {
        types.extend([Ty::SHORT, Ty::USHORT, Ty::CHAR, Ty::SCHAR, Ty::UCHAR, Ty::BOOL]);
    }
    if features.has(Feature::Int128) {
        types.extend([Ty::INT128, Ty::UINT128]);
    }
    if features.has(Feature::Float) {
        types.extend([Ty::FLOAT, Ty::DOUBLE]);
        if features.has(Feature::LongDouble) {
            types.push(Ty::LDOUBLE);
        }
    }
    types
}
