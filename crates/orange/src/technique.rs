//! Orange by name: the table of its options, and what hunts and commands make its tests with.

use howler_case::options::{Kind, Member, Opt, Table, Values};
use howler_case::{Case, Extension, Generator, Origin, Size, Technique};
use howler_choices::Choices;
use howler_lang::target::Target;

use crate::options::{DEEPEST, Feature, Features, MOST, MOST_FILES, MOST_OPERATIONS, Options, Repair};

/// Orange, as it is known by name.
pub const TECHNIQUE: Technique = Technique {
    name: "orange",
    about: "long arithmetic with known answers",
    options: TABLE,
    sizes: &[
        Size { name: "small", options: &["operations=10..99"] },
        Size { name: "medium", options: &["operations=100..999"] },
        Size { name: "large", options: &["operations=1000..10000"] },
    ],
    extensions: &[Extension {
        name: "__int128",
        without: "without=int128",
        text: "__int128 x = 5;\nint main(void) { return (int)(x / 2) - 2; }\n",
    }],
    settle: |values| {
        let features = Options::of(values).features;
        if REPAIRING.into_iter().any(|feature| !features.has(feature)) {
            values.set(STRICT, "yes").expect("the table has it");
        }
    },
    generator: |values| {
        let options = Options::of(values);
        options.validate().map_err(|error| error.to_string())?;
        Ok(Box::new(options))
    },
};

/// The options. Not all defaults are those of [`Options`], which are the paper's: larger tests find little more and cost a
/// compiler seconds each, and a test of few features shows what one of all hides.
const TABLE: Table = Table(&[
    Opt {
        key: "operations",
        kind: Kind::Range { default: (10, 10_000), limits: (1, MOST_OPERATIONS as u64) },
        help: "operators times expressions of a test, drawn evenly over magnitudes",
    },
    Opt {
        key: "operators",
        kind: Kind::Range { default: (1, 10_000), limits: (1, MOST as u64) },
        help: "operators of an expression",
    },
    Opt {
        key: "expressions",
        kind: Kind::Range { default: (1, 10_000), limits: (1, MOST as u64) },
        help: "expressions of a test",
    },
    Opt {
        key: "depth",
        kind: Kind::Number { default: 60, limits: (1, DEEPEST as u64) },
        help: "how deep an expression may be before it is repaired",
    },
    Opt {
        key: "files",
        kind: Kind::Number { default: 0, limits: (0, MOST_FILES as u64) },
        help: "0: all in main; otherwise a function per expression, in so many more files",
    },
    Opt {
        key: "repair",
        kind: Kind::Word {
            default: FLIP,
            words: &[
                (FLIP, "an undefined operation becomes another where that helps"),
                ("insert", "operations are inserted only"),
            ],
        },
        help: "what is done about undefined behaviour",
    },
    Opt {
        key: "swarm",
        kind: Kind::Flag { default: true },
        help: "whether a test uses a random half of the features",
    },
    Opt {
        key: "with",
        kind: Kind::Set { without: "without", only: "only", members: &MEMBERS },
        help: "features that programs may have",
    },
    Opt {
        key: STRICT,
        kind: Kind::Flag { default: false },
        help: "repairs bring in no feature; set by itself where division, bitwise, unary or cast is left out",
    },
]);

const FLIP: &str = "flip";
const STRICT: &str = "strict";

/// The features that repairs may bring in.
const REPAIRING: [Feature; 4] = [Feature::Division, Feature::Bitwise, Feature::Unary, Feature::Cast];

/// The features, in their order.
const MEMBERS: [Member; Feature::ALL.len()] = {
    let usual = Features::ALL.without(Feature::Constants);
    let mut members = [Member { name: "", default: false, help: "" }; Feature::ALL.len()];
    let mut at = 0;
    while at < members.len() {
        let feature = Feature::ALL[at];
        members[at] = Member { name: feature.name(), default: usual.has(feature), help: feature.help() };
        at += 1;
    }
    members
};

impl Options {
    /// The options that values of orange's table stand for.
    pub fn of(values: &Values) -> Options {
        // Every limit of the table fits.
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let range = |key: &str| {
            let (low, high) = values.range(key);
            (number(low), number(high))
        };
        let mut features = Features::NONE;
        for (feature, _) in Feature::ALL.into_iter().zip(values.set_of("with")).filter(|(_, has)| **has) {
            features = features.with(feature);
        }
        Options {
            operations: range("operations"),
            operators: range("operators"),
            expressions: range("expressions"),
            depth: u8::try_from(values.number("depth")).unwrap_or(u8::MAX),
            repair: if values.word("repair") == FLIP { Repair::Flip } else { Repair::Insert },
            features,
            swarm: values.flag("swarm"),
            files: number(values.number("files")),
            strict: values.flag(STRICT),
        }
    }
}

impl Generator for Options {
    fn generate(&self, target: Target, choices: &mut Choices, origin: Origin) -> Case {
        crate::generate(self, target, choices).case(origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Options {
        Options::of(&TABLE.read(words).unwrap())
    }

    #[test]
    fn every_option_reaches_what_it_is_about() {
        let usual = Options { operations: (10, 10_000), swarm: true, ..Options::default() };
        assert_eq!(read(&[]), usual);
        let all = [
            "operations=5..6",
            "operators=2",
            "expressions=3..4",
            "depth=7",
            "files=8",
            "repair=insert",
            "swarm=no",
            "with=constants",
            "without=float,shift",
        ];
        let features = Features::ALL.without(Feature::Float).without(Feature::Shift);
        let expected = Options {
            operations: (5, 6),
            operators: (2, 2),
            expressions: (3, 4),
            depth: 7,
            repair: Repair::Insert,
            features,
            swarm: false,
            files: 8,
            strict: false,
        };
        assert_eq!(read(&all), expected);
    }

    /// Repairs could bring these in.
    #[test]
    fn new_tests_are_strict_where_that_matters() {
        let settled = |words: &[&str]| {
            let mut values = TABLE.read(words).unwrap();
            (TECHNIQUE.settle)(&mut values);
            values.words().join(" ")
        };
        assert_eq!(settled(&[]), "");
        assert_eq!(settled(&["without=float,shift"]), "without=shift,float");
        assert_eq!(settled(&["without=cast"]), "without=cast strict=yes");
        assert_eq!(settled(&["without=cast", "with=cast"]), "");
        assert!(settled(&["only=division,shift"]).ends_with(" strict=yes"));
    }

    /// What the table takes is what `validate` takes, but for ranges that do not go together.
    #[test]
    fn limits_are_those_of_the_generator() {
        for word in ["operations=4000000", "operators=1..10000", "expressions=10000", "depth=65", "files=100"]
        {
            assert!((TECHNIQUE.generator)(&TABLE.read([word]).unwrap()).is_ok(), "{word}");
        }
        let odd = TABLE.read(["operations=9", "operators=10", "expressions=10"]).unwrap();
        let why = (TECHNIQUE.generator)(&odd).err();
        assert!(why.is_some_and(|why| why.contains("no number of operators")));
    }
}
