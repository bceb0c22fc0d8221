//! Smith by name: the table of its options, and what hunts and commands make its tests with.

use howler_case::options::{Kind, Opt, Table, Values};
use howler_case::{Case, Generator, Origin, Size, Technique};
use howler_choices::Choices;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::target::Target;

use crate::options::Options;

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

const TABLE: Table = Table(&[
    Opt {
        key: "size",
        kind: Kind::Range { default: (500, 8000), limits: (10, 1_000_000) },
        help: "tokens of a program, about",
    },
    Opt {
        key: "functions",
        kind: Kind::Number { default: 10, limits: (1, 1000) },
        help: "functions at most",
    },
    Opt {
        key: "block-size",
        kind: Kind::Number { default: 5, limits: (1, 100) },
        help: "statements of a block at most",
    },
    Opt {
        key: "block-depth",
        kind: Kind::Number { default: 4, limits: (1, 20) },
        help: "how deep blocks are nested",
    },
    Opt {
        key: "expression-depth",
        kind: Kind::Number { default: 5, limits: (1, 20) },
        help: "how deep expressions are nested",
    },
    Opt { key: "pointers", kind: Kind::Flag { default: true }, help: "whether there are pointers" },
]);

impl Options {
    /// The options that values of smith's table stand for.
    pub fn of(values: &Values) -> Options {
        // Every limit of the table fits.
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let (least, most) = values.range("size");
        Options {
            size: (number(least), number(most)),
            functions: number(values.number("functions")),
            block_size: number(values.number("block-size")),
            block_depth: number(values.number("block-depth")),
            expression_depth: number(values.number("expression-depth")),
            pointers: values.flag("pointers"),
            ..Options::default()
        }
    }
}

impl Generator for Options {
    fn generate(&self, target: Target, choices: &mut Choices, origin: Origin) -> Case {
        let program = crate::generate(self, target, choices);
        let text = unit(&program, 0, &PrintOptions::default());
        Case::new("test.c", text, target.std, origin)
    }
}
