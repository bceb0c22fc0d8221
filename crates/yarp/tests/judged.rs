//! Programs of yarp keep all rules, mean one thing, and compilers make of them what the judge says.
//!
//! `HOWLER_SOAK=1` judges 20,000, compiles one in twenty of them and runs three hundred under sanitizers.

use howler_case::{Behaviour, End};
use howler_choices::Choices;
use howler_lang::target::Target;
use howler_lang::verify;
use howler_machine::Machine;
use howler_testkit::{Scratch, compiled, soak, tool};
use howler_yarp::options::Features;
use howler_yarp::{Judged, Options, judged};

fn target(seed: u64) -> Target {
    let targets = ["x86-64/gcc/gnu17", "i386/gcc/gnu99", "x86-64/clang/gnu17", "x86-64/gcc/gnu17"];
    Target::parse(targets[seed as usize % targets.len()]).expect("these are targets")
}

/// Some have no swarm, some all features.
fn options(seed: u64) -> Options {
    let size = match seed % 20 {
        0 => (3000, 16_000),
        1..=6 => (600, 3000),
        _ => (150, 600),
    };
    Options { size, swarm: !seed.is_multiple_of(5), ..Options::default() }
}

fn made(seed: u64, target: Target) -> Judged {
    let watcher = Machine { runs: 1, ..Machine::default() };
    judged(&options(seed), target, &Choices::new(seed), (&watcher, &Machine::default()))
}

fn text(made: &Judged) -> String {
    made.text(0)
}

#[test]
fn the_same_seed_gives_the_same_program() {
    let make = |seed| text(&made(seed, Target::X86_64_GCC));
    assert_eq!(make(7), make(7));
    assert_ne!(make(7), make(8));
}

#[test]
fn programs_mean_one_thing_and_keep_the_rules() {
    let (first, count) = if soak() { (1000, 20_000) } else { (0, 300) };
    let (mut bad, mut rounds, mut sites, mut mended) = (Vec::new(), [0u32; 62], 0, 0);
    for seed in first..first + count {
        let made = made(seed, target(seed));
        rounds[made.rounds as usize] += 1;
        sites += made.sites.0;
        mended += made.sites.1;
        let faults = verify::program(&made.program);
        if !faults.is_empty() || made.behaviour.is_none() {
            bad.push((seed, format!("{faults:?}")));
        }
    }
    println!("rounds {rounds:?}; {sites} operations nobody knew the operands of, {mended} replaced");
    assert!(bad.is_empty(), "{} of {count}: {bad:#?}", bad.len());
    assert!(mended > 0, "no operation in a loop was ever undefined");
}

/// With nothing on there is still a program.
#[test]
fn every_feature_can_be_left_out() {
    for info in &howler_yarp::options::FEATURES {
        for features in [Features::all().without(info.feature), Features::NONE.with(info.feature)] {
            let options = Options { features, size: (150, 400), ..Options::default() };
            let machine = Machine::default();
            let made = judged(&options, Target::X86_64_GCC, &Choices::new(3), (&machine, &machine));
            assert!(made.behaviour.is_some(), "{}\n{}", info.name, text(&made));
        }
    }
}

fn expected(behaviour: &Behaviour) -> (String, i32) {
    let status = match behaviour.end {
        End::Exit(status) => i32::from(status),
        End::Abort => -1,
    };
    (String::from_utf8_lossy(&behaviour.output).into_owned(), status)
}

/// Differences between what some compiler makes of programs and what the judge says.
fn differences(ways: &[(&str, &[&str])], seeds: impl Iterator<Item = u64> + Clone) -> Vec<String> {
    let scratch = Scratch::new();
    let mut wrong = Vec::new();
    for (name, flags) in ways {
        let Some(compiler) = tool(name) else { continue };
        for seed in seeds.clone() {
            let made = made(seed, Target::X86_64_GCC);
            let Some(behaviour) = &made.behaviour else { continue };
            let came = compiled(&compiler, flags, &scratch, &text(&made));
            if came.as_ref() != Ok(&expected(behaviour)) {
                wrong.push(format!("{seed} {name} {flags:?}: {came:?}"));
            }
        }
    }
    wrong
}

#[test]
fn compilers_agree() {
    let count = if soak() { 1000 } else { 25 };
    let wrong = differences(
        &[("gcc-12", &["-O0"]), ("clang-16", &["-O0"]), ("gcc-12", &["-O3"]), ("clang-19", &["-O2"])],
        0..count,
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn sanitizers_have_nothing_to_say() {
    let count = if soak() { 300 } else { 5 };
    let wrong = differences(
        &[
            ("clang-16", &["-O1", "-fsanitize=address,undefined"]),
            ("clang-16", &["-O1", "-fsanitize=memory"]),
        ],
        5000..5000 + count,
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}
