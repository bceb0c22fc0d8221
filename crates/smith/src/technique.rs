//! Smith by name: the table of its options, and what hunts and commands make its tests with.

use howler_case::options::{Kind, Member, Opt, Table, Values};
use howler_case::{Case, Generator, Origin, Size, Technique};
use howler_choices::Choices;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::target::Target;
use howler_machine::Machine;

use crate::bare::judged;
use crate::features::{FEATURES, Features};
use crate::options::{Limits, Options};

/// Smith, as it is known by name.
pub const TECHNIQUE: Technique = Technique {
    name: "smith",
    about: "whole programs with functions, pointers, structs and loops",
    options: TABLE,
    sizes: &[
        Size { name: "small", options: &["size=50..399"] },
        Size { name: "medium", options: &["size=400..2999"] },
        Size { name: "large", options: &["size=3000..16000"] },
    ],
    extensions: &[],
    settle: |_| {},
    generator: |values| Ok(Box::new(Options::of(values))),
};

const fn members() -> [Member; FEATURES.len()] {
    let mut members = [Member { name: "", default: false, help: "" }; FEATURES.len()];
    let mut at = 0;
    while at < members.len() {
        let info = &FEATURES[at];
        members[at] = Member { name: info.name, default: !info.gnu, help: info.help };
        at += 1;
    }
    members
}

const fn number(key: &'static str, default: u64, limits: (u64, u64), help: &'static str) -> Opt {
    Opt { key, kind: Kind::Number { default, limits }, help }
}

const TABLE: Table = Table(&[
    Opt {
        key: "size",
        kind: Kind::Range { default: (8000, 16000), limits: (10, 1_000_000) },
        help: "tokens of a program, about",
    },
    Opt {
        key: "with",
        kind: Kind::Set { without: "without", only: "only", members: &members() },
        help: "what programs may have",
    },
    Opt {
        key: "swarm",
        kind: Kind::Flag { default: true },
        help: "whether each program leaves some of it out, and leans to the rest",
    },
    number("bare", 50, (0, 100), "programs in a hundred that do without needless wrappers"),
    number("max-funcs", 10, (1, 1000), "functions at most"),
    number("max-block-size", 5, (1, 100), "statements of a block at most"),
    number("max-block-depth", 4, (1, 20), "how deep blocks are nested"),
    number("max-expr-complexity", 5, (1, 20), "how deep expressions are nested"),
    number("max-pointer-depth", 2, (1, 5), "how many levels pointers have"),
    number("max-array-dim", 3, (1, 5), "dimensions of an array at most"),
    number("max-array-len-per-dim", 10, (1, 100), "elements in each dimension at most"),
    number("max-struct-fields", 8, (1, 60), "members of a struct at most"),
    number("max-union-fields", 5, (2, 60), "members of a union at most"),
    number("rounds", 12, (1, 1000), "rounds of a loop at most"),
]);

impl Options {
    /// The options that values of smith's table stand for.
    pub fn of(values: &Values) -> Options {
        // Every limit of the table fits.
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let (least, most) = values.range("size");
        let features = FEATURES.iter().zip(values.set_of("with"));
        Options {
            size: (number(least), number(most)),
            features: features.filter(|(_, on)| **on).fold(Features::NONE, |all, (info, _)| all.with(info.feature)),
            swarm: values.flag("swarm"),
            bare: number(values.number("bare")),
            limits: Limits {
                functions: number(values.number("max-funcs")),
                block_size: number(values.number("max-block-size")),
                block_depth: number(values.number("max-block-depth")),
                expression_depth: number(values.number("max-expr-complexity")),
                pointer_depth: number(values.number("max-pointer-depth")),
                dimensions: number(values.number("max-array-dim")),
                elements: number(values.number("max-array-len-per-dim")),
                struct_members: number(values.number("max-struct-fields")),
                union_members: number(values.number("max-union-fields")),
                rounds: number(values.number("rounds")),
                ..Limits::default()
            },
            ..Options::default()
        }
    }
}

impl Generator for Options {
    fn generate(&self, target: Target, choices: &mut Choices, origin: Origin) -> Case {
        let made = judged(self, target, choices, &Machine::default());
        let text = unit(&made.program, 0, &PrintOptions::default());
        let mut case = Case::new("test.c", text, target.std, origin);
        if let Some(behaviour) = made.behaviour {
            case.expect(target, behaviour);
        }
        case
    }
}
