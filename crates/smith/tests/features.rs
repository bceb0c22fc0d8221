//! Each feature that is on appears in programs, and none that is off does.

use howler_choices::Choices;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::target::Target;
use howler_lang::visit::{How, Uses};
use howler_lang::{link, verify};
use howler_machine::judge::{JudgeOptions, Judgement, judge};
use howler_smith::features::{Feature, Features};
use howler_smith::{Options, generate};

/// A feature, what a program that has it has in its text, and in how many of 200 programs it must be at least.
const SHOWN: [(Feature, &str, usize); 11] = [
    (Feature::Anonymous, ".f1_1", 20),
    (Feature::Attributes, "aligned(", 60),
    (Feature::Strings, "text_", 60),
    (Feature::FunctionPointers, "(*fp_", 60),
    (Feature::Varargs, "__builtin_va_arg(", 60),
    (Feature::ComputedGoto, "goto *", 60),
    (Feature::Vectors, "vector_size", 100),
    (Feature::Builtins, "_overflow(", 40),
    (Feature::Enter, "goto in_", 60),
    (Feature::InPlace, " t_", 100),
    (Feature::Builtins, "__builtin_mem", 30),
];

const PROGRAMS: u64 = 200;

fn options(features: Features) -> Options {
    Options { size: (1000, 3000), steps: 100_000, features, swarm: false, ..Options::default() }
}

#[test]
fn what_is_on_is_there_and_nothing_else() {
    for (feature, text, least) in SHOWN {
        let count = |features: Features| {
            let made = (0..PROGRAMS).map(|seed| {
                let program = generate(&options(features), Target::X86_64_GCC, &Choices::new(seed));
                unit(&program, 0, &PrintOptions::default())
            });
            made.filter(|made| made.contains(text)).count()
        };
        let on = count(Features::standard().with(feature));
        assert!(on >= least, "{feature:?}: {text} in {on} of {PROGRAMS}");
        assert_eq!(count(Features::standard().without(feature)), 0, "{feature:?}: {text}");
    }
}

/// Swarm leaves it out of some, and the others may still have one unit.
#[test]
fn what_is_asked_for_is_there() {
    let make = |features: Features, dead: u32, seed: u64| {
        let options = Options { dead, ..options(features) };
        generate(&options, Target::X86_64_GCC, &Choices::new(seed))
    };
    let several =
        |features: Features| (0..60).filter(|&seed| make(features, 0, seed).units.len() > 1).count();
    assert_eq!(several(Features::all()), 0);
    let count = several(Features::all().with(Feature::Units));
    assert!((20..60).contains(&count), "{count} of 60 programs have several units");
    // Functions that no other one names.
    for (dead, least) in [(0, 0), (3, 1)] {
        for seed in 0..20 {
            let program = make(Features::standard(), dead, seed);
            let uses = Uses::of(&program);
            let unused = program.funcs.iter().filter(|&(func, data)| {
                data.body.is_some()
                    && program.name(data.name) != "main"
                    && uses.of_function(func).iter().all(|at| at.how == How::Declares)
            });
            let count = unused.count();
            assert!(
                if dead == 0 { count == 0 } else { count >= least },
                "{seed}: {count} of {dead}:\n{}",
                unit(&program, 0, &PrintOptions::default())
            );
        }
    }
}

#[test]
fn each_alone_and_all_together_mean_one_thing() {
    let mut all = Features::standard();
    let mut sets = Vec::new();
    for (feature, ..) in SHOWN {
        all = all.with(feature);
        sets.push(Features::standard().with(feature));
    }
    sets.push(all);
    for (number, features) in sets.into_iter().enumerate() {
        for seed in 0..25 {
            let options = Options { size: (100, 1500), ..options(features) };
            let mut program = generate(&options, Target::X86_64_GCC, &Choices::new(seed));
            assert!(verify::program(&program).is_empty(), "{number}: {seed}");
            link::link(&mut program);
            let judged = judge(&program, &JudgeOptions { runs: 2, ..JudgeOptions::default() }).judgement;
            assert!(matches!(judged, Judgement::Defined { .. }), "{number}: {seed}: {judged:?}");
        }
    }
}
