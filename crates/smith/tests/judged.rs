//! Programs of smith keep all rules, and mean one thing.

use howler_choices::Choices;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_lang::{link, verify};
use howler_machine::judge::{JudgeOptions, Judgement, judge};
use howler_smith::features::{Feature, Features};
use howler_smith::{Options, generate};

fn text(program: &Program) -> String {
    (0..program.units.len()).map(|number| unit(program, number, &PrintOptions::default())).collect()
}

#[test]
fn programs_keep_the_rules() {
    for seed in 0..60 {
        let options = Options { size: (50, 3000), ..options(seed) };
        let program = generate(&options, target(seed), &Choices::new(seed));
        let faults = verify::program(&program);
        assert!(faults.is_empty(), "{seed}: {faults:?}\n{}", text(&program));
    }
}

#[test]
fn the_same_seed_gives_the_same_program() {
    let make = |seed| text(&generate(&Options::default(), Target::X86_64_GCC, &Choices::new(seed)));
    assert_eq!(make(7), make(7));
    assert_ne!(make(7), make(8));
}

fn target(seed: u64) -> Target {
    let targets = ["x86-64/gcc/gnu17", "i386/gcc/gnu99", "x86-64/clang/gnu17", "x86-64/gcc/gnu17"];
    Target::parse(targets[seed as usize % targets.len()]).expect("these are targets")
}

/// Half of the programs have extensions, some have no swarm, some have several units or functions that nobody calls.
fn options(seed: u64) -> Options {
    let mut features = if seed.is_multiple_of(2) { Features::standard() } else { Features::all() };
    if seed.is_multiple_of(3) {
        features = features.with(Feature::Units);
    }
    Options {
        size: (100, 3000),
        steps: 200_000,
        features,
        swarm: !seed.is_multiple_of(5),
        dead: if seed.is_multiple_of(7) { 2 } else { 0 },
        ..Options::default()
    }
}

/// Before anybody repairs anything.
#[test]
fn programs_mean_one_thing() {
    let (first, count) = if howler_testkit::soak() { (1000, 20_000) } else { (0, 400) };
    let mut bad = Vec::new();
    for seed in first..first + count {
        let mut program = generate(&options(seed), target(seed), &Choices::new(seed));
        let said = link::link(&mut program);
        assert!(said.is_empty(), "{seed}: {said:?}");
        let judged = judge(&program, &JudgeOptions { runs: 2, ..JudgeOptions::default() }).judgement;
        if !matches!(judged, Judgement::Defined { .. }) {
            bad.push((seed, format!("{judged:?}").chars().take(300).collect::<String>()));
        }
    }
    assert!(bad.is_empty(), "{} of {count}: {bad:#?}", bad.len());
}
