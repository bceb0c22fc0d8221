//! Yarp by name: the table of its options, and what hunts and commands make its tests with.

use howler_case::options::{Kind, Member, Opt, Table, Values};
use howler_case::{Case, Extension, File, Generator, Origin, Size, Technique};
use howler_choices::Choices;
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
        Size { name: "large", options: &["size=3000..16000", "with=units"] },
    ],
    extensions: &[
        Extension {
            name: "__int128",
            without: "without=int128",
            text: "__int128 x = 5;\nint main(void) { return (int)(x / 2) - 2; }\n",
        },
        Extension {
            name: "GNU vectors",
            without: "without=vectors,shuffles",
            text: "typedef int v __attribute__((vector_size(16)));\nv x = {1, 2, 3, 4};\n\
                   typedef unsigned short w __attribute__((vector_size(8)));\n\
                   int main(void) { v y = (x ^ 1) & (x != 0); y[1] = y[0] + (x + y)[2] - 5;\n\
                   w z = __builtin_convertvector(y, w) << (unsigned short)3; return y[1] + z[0] / 8; }\n",
        },
        Extension {
            name: "__builtin_shufflevector",
            without: "without=shuffles",
            text: "typedef int v __attribute__((vector_size(16)));\nv x = {1, 2, 3, 4};\n\
                   int main(void) { v y = __builtin_shufflevector(x, x, 3, 2, 5, 0); return y[3] - 1; }\n",
        },
    ],
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
        members[at] = Member { name: info.name, default: !info.asked, help: info.help };
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
        key: "units",
        kind: Kind::Number { default: 3, limits: (1, 20) },
        help: "files at most, if programs may have several",
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
            units: number(values.number("units")),
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
        let name = made.program.units.first().map_or("test.c", |unit| unit.name.as_str());
        let mut case = Case::new(name, made.text(0), target.std, origin);
        for (number, unit) in made.program.units.iter().enumerate().skip(1) {
            case.files.push(File { name: unit.name.clone(), text: made.text(number).into_bytes() });
        }
        if let Some(behaviour) = made.behaviour {
            case.expect(target, behaviour);
        }
        case
    }
}
