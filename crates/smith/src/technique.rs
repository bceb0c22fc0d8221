//! Smith by name: the table of its options, and what hunts and commands make its tests with.

use howler_case::options::{Kind, Member, Opt, Table, Values};
use howler_case::{Case, Extension, File, Generator, Origin, Size, Technique};
use howler_choices::Choices;
use howler_lang::print::{Comments, PrintOptions, Wanted, annotated, unit};
use howler_lang::target::Target;
use howler_machine::Machine;

use crate::bare::{Judged, judged};
use crate::features::{FEATURES, Features};
use crate::options::{Limits, Options, Plant};
use crate::weights::Tables;

/// Smith, as it is known by name.
pub const TECHNIQUE: Technique = Technique {
    name: "smith",
    about: "whole programs with functions, pointers, structs and loops",
    options: TABLE,
    sizes: &[
        Size { name: "small", options: &["size=300..799"] },
        Size { name: "medium", options: &["size=800..2999"] },
        Size { name: "large", options: &["size=3000..16000", "with=units"] },
    ],
    extensions: &[
        Extension {
            name: "__int128",
            without: "without=int128",
            text: "__int128 x = 5;\nint main(void) { return (int)(x / 2) - 2; }\n",
        },
        Extension {
            name: "__builtin_va_list",
            without: "without=varargs",
            text: "static int f(int n, ...)\n{\n    __builtin_va_list a, b;\n    __builtin_va_start(a, n);\n\
                   __builtin_va_copy(b, a);\n    n = __builtin_va_arg(a, int) - __builtin_va_arg(b, int);\n\
                   __builtin_va_end(a);\n    __builtin_va_end(b);\n    return n;\n}\n\
                   int main(void) { return f(1, 2); }\n",
        },
        Extension {
            name: "GNU vectors",
            without: "without=vectors",
            text: "typedef int v __attribute__((vector_size(16)));\nv x = {1, 2, 3, 4};\n\
                   typedef unsigned short w __attribute__((vector_size(8)));\n\
                   int main(void) { v y = (x ^ 1) & (x != 0); y[1] = y[0] + (x + y)[2] - 5;\n\
                   w z = __builtin_convertvector(y, w) << (unsigned short)3; return y[1] + z[0] / 8; }\n",
        },
        Extension {
            name: "statement expressions",
            without: "without=statement-expressions,checks-in-place",
            text: "int main(void) { int x = 1; return ({ x++; x - 2; }); }\n",
        },
        Extension {
            name: "computed goto",
            without: "without=computed-goto",
            text: "int main(void) { static void *const t[] = {&&a, &&b}; goto *t[1]; a: return 1; b: return 0; }\n",
        },
        Extension {
            name: "GNU builtins",
            without: "without=builtins",
            text: "int main(void) { unsigned x = 1; int y, z; __builtin_memset(&y, 0, sizeof y);\n\
                   __builtin_memcpy(&z, &y, sizeof z); if (__builtin_add_overflow(z, y, &z)) return 1;\n\
                   if (__builtin_mul_overflow(z, y, &z) || __builtin_strlen(\"a\") != 1 || __builtin_strcmp(\"a\", \"b\") >= 0) return 1;\n\
                   return __builtin_popcount(x) + __builtin_clrsb(1) + __builtin_bswap32(x) + y == 0; }\n",
        },
        Extension {
            name: "packed structs",
            without: "without=packed",
            text: "struct s { char c; int i; } __attribute__((packed));\nint main(void) { return sizeof(struct s) - 5; }\n",
        },
        Extension {
            name: "GNU attributes",
            without: "without=attributes",
            text: "static __attribute__((noinline)) int f(void) { return 0; }\nint main(void) { return f(); }\n",
        },
    ],
    settle: |_| {},
    generator: |values| {
        Tables::changed(values.weights("weights")).map_err(|error| error.to_string())?;
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
    number("unwrapped", 50, (0, 100), "programs in a hundred that do without needless wrappers"),
    number("max-funcs", 10, (1, 1000), "functions at most"),
    number("max-block-size", 5, (1, 100), "statements of a block at most"),
    number("max-block-depth", 4, (1, 20), "how deep blocks are nested"),
    number("max-expr-complexity", 5, (1, 20), "how deep expressions are nested"),
    number("max-pointer-depth", 2, (1, 5), "how many levels pointers have"),
    number("max-array-dim", 3, (1, 5), "dimensions of an array at most"),
    number("max-array-len-per-dim", 10, (1, 100), "elements in each dimension at most"),
    number("max-struct-fields", 8, (1, 60), "members of a struct at most"),
    number("max-union-fields", 5, (2, 60), "members of a union at most"),
    number("max-units", 3, (1, 20), "translation units at most, if programs may have several"),
    number("dead-functions", 0, (0, 100), "functions that nobody calls"),
    number("rounds", 12, (1, 1000), "rounds of a loop at most"),
    Opt {
        key: "weights",
        kind: Kind::Weights { text: crate::weights::DEFAULT },
        help: "how likely each choice is, where it is not as data/weights.txt says",
    },
    Opt {
        key: "assert-points-to",
        kind: Kind::Flag { default: false },
        help: "abort if a pointer points to what the analysis does not know of",
    },
    Opt {
        key: "analysis",
        kind: Kind::Flag { default: true },
        help: "heed what is known of pointers, unions and orders; programs may mean nothing without",
    },
    number(
        "null-ptr-deref-prob",
        0,
        (0, 100),
        "plant null pointers that are followed, in so many of 100 places",
    ),
    number("dangling-ptr-deref-prob", 0, (0, 100), "the same with pointers to what is no more"),
    number("array-oob-prob", 0, (0, 100), "the same with indices beyond the array"),
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
            features: features
                .filter(|(_, on)| **on)
                .fold(Features::NONE, |all, (info, _)| all.with(info.feature)),
            swarm: values.flag("swarm"),
            bare: number(values.number("unwrapped")),
            units: number(values.number("max-units")),
            dead: number(values.number("dead-functions")),
            assert_points_to: values.flag("assert-points-to"),
            analysis: values.flag("analysis"),
            weights: Tables::changed(values.weights("weights")).unwrap_or_default(),
            plant: Plant {
                null: number(values.number("null-ptr-deref-prob")),
                dangling: number(values.number("dangling-ptr-deref-prob")),
                bounds: number(values.number("array-oob-prob")),
            },
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
        let mut case = Case::new("test.c", text(&made, 0), target.std, origin);
        for (number, unit) in made.program.units.iter().enumerate().skip(1) {
            case.files.push(File { name: unit.name.clone(), text: text(&made, number).into_bytes() });
        }
        if let Some(behaviour) = made.behaviour {
            case.expect(target, behaviour);
        }
        case
    }
}

/// A unit of the program as C, with the faults that were planted marked.
fn text(made: &Judged, number: usize) -> String {
    if made.marks.is_empty() {
        return unit(&made.program, number, &PrintOptions::default());
    }
    let mut comments = Comments::default();
    for (stmt, fault) in &made.marks {
        let comment = comments.stmts.entry(*stmt).or_default();
        if !comment.is_empty() {
            comment.push_str(", ");
        }
        comment.push_str(&fault.to_string());
    }
    let wanted = Wanted { names: false, comments: Some(&comments) };
    annotated(&made.program, number, &PrintOptions::default(), wanted).text
}
