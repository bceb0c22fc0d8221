//! Yarp by name: the table of its options, and what hunts and commands make its tests with.

use howler_case::options::{Kind, Member, Opt, Table, Values};
use howler_case::{Case, Extension, Generator, Origin, Size, Technique};
use howler_choices::Choices;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::target::Target;
use howler_machine::Machine;

use crate::options::{FEATURES, Features, Options};
use crate::parameters::{DEFAULT, Parameters};
use crate::repair::judged;

/// Yarp, as it is known by name.
pub const TECHNIQUE: Technique = Technique {
    name: "yarp",
    about: "arithmetic without wrappers, in loops too, made to be optimised",
    options: TABLE,
    sizes: &[
        Size { name: "small", options: &["size=100..599"] },
        Size { name: "medium", options: &["size=600..2999"] },
        Size { name: "large", options: &["size=3000..16000"] },
    ],
    extensions: &[Extension {
        name: "__int128",
        without: "without=int128",
        text: "__int128 x = 5;\nint main(void) { return (int)(x / 2) - 2; }\n",
    }],
    settle: |_| {},
    generator: |values| {
        Parameters::changed(values.weights("weights")).map_err(|error| error.to_string())?;
        Ok(Box::new(Options::of(values)))
    },
};

const fn members() -> [Member; FEATURES.len()] {
    let mut members = [Member { name: "", default: false, help: "" }; FEATURES.len()];
    let mut at = 0;
    while at < members.len() {
        let info = &FEATURES[at];
        members[at] = Member { name: info.name, default: true, help: info.help };
        at += 1;
    }
    members
}

const TABLE: Table = Table(&[
    Opt {
        key: "size",
        kind: Kind::Range { default: (500, 8000), limits: (150, 1_000_000) },
        help: "tokens of a program, about",
    },
    Opt {
        key: "with",
        kind: Kind::Set { without: "without", only: "only", members: &members() },
        help: "what programs may have, and policies of how they are made",
    },
    Opt {
        key: "swarm",
        kind: Kind::Flag { default: true },
        help: "whether each program leaves some of it out",
    },
    Opt {
        key: "functions",
        kind: Kind::Number { default: 4, limits: (1, 1000) },
        help: "test functions at most",
    },
    Opt {
        key: "block-depth",
        kind: Kind::Number { default: 4, limits: (1, 20) },
        help: "how deep blocks are nested",
    },
    Opt {
        key: "rounds",
        kind: Kind::Number { default: 24, limits: (1, 30) },
        help: "rounds of a loop at most",
    },
    Opt {
        key: "weights",
        kind: Kind::Weights { text: DEFAULT },
        help: "how likely each choice is before it is shuffled, where it is not as data/weights.txt says",
    },
]);

impl Options {
    /// The options that values of yarp's table stand for.
    pub fn of(values: &Values) -> Options {
        // Every limit of the table fits.
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let (least, most) = values.range("size");
        let features = FEATURES.iter().zip(values.set_of("with")).filter(|(_, on)| **on);
        Options {
            size: (number(least), number(most)),
            features: features.fold(Features::NONE, |all, (info, _)| all.with(info.feature)),
            swarm: values.flag("swarm"),
            functions: number(values.number("functions")),
            block_depth: number(values.number("block-depth")),
            rounds: number(values.number("rounds")),
            weights: Parameters::changed(values.weights("weights")).unwrap_or_default(),
            ..Options::default()
        }
    }
}

impl Generator for Options {
    fn generate(&self, target: Target, choices: &mut Choices, origin: Origin) -> Case {
        let watcher = Machine { runs: 1, ..Machine::default() };
        let made = judged(self, target, choices, (&watcher, &Machine::default()));
        let text = unit(&made.program, 0, &PrintOptions::default());
        let mut case = Case::new("test.c", text, target.std, origin);
        if let Some(behaviour) = made.behaviour {
            case.expect(target, behaviour);
        }
        case
    }
}
