//! What the analysis is good for, and that it is right about pointers.

use howler_choices::Choices;
use howler_lang::link;
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_machine::judge::{JudgeOptions, Judgement, judge};
use howler_machine::ub::UbKind;
use howler_smith::features::Features;
use howler_smith::{Options, Plant, generate, judged};

fn options(seed: u64) -> Options {
    let features = if seed.is_multiple_of(2) { Features::standard() } else { Features::all() };
    Options {
        size: (100, 3000),
        steps: 200_000,
        features,
        swarm: !seed.is_multiple_of(5),
        ..Options::default()
    }
}

fn verdict(options: &Options, seed: u64) -> Judgement {
    let mut program: Program = generate(options, Target::X86_64_GCC, &Choices::new(seed));
    link::link(&mut program);
    judge(&program, &JudgeOptions { runs: 2, ..JudgeOptions::default() }).judgement
}

/// Of pointers, of unions, or of what has no order.
fn is_analysed(kind: UbKind) -> bool {
    let name = kind.code();
    ["null", "dead", "alias", "uninit", "unsequenced", "bounds", "dangling"]
        .iter()
        .any(|word| name.contains(word))
}

#[test]
fn what_it_says_of_pointers_holds() {
    let count = if howler_testkit::soak() { 5000 } else { 150 };
    let mut wrong = Vec::new();
    let mut asserted = 0;
    for seed in 0..count {
        let options = Options { assert_points_to: true, ..options(seed) };
        let program = generate(&options, Target::X86_64_GCC, &Choices::new(seed));
        asserted +=
            u64::from(program.funcs.ids().any(|func| program.name(program.funcs[func].name) == "abort"));
        match verdict(&options, seed) {
            Judgement::Defined { behaviour, .. } if behaviour.end != howler_case::End::Abort => {}
            other => wrong.push((seed, format!("{other:?}").chars().take(200).collect::<String>())),
        }
    }
    println!("{asserted} of {count} programs have assertions, {} are wrong", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(asserted > count / 3, "{asserted}");
}

#[test]
fn without_it_programs_mean_nothing() {
    let count = if howler_testkit::soak() { 2000 } else { 100 };
    let (mut with, mut without) = (0, 0);
    for seed in 0..count {
        let careless = Options { analysis: false, ..options(seed) };
        for (options, undefined) in [(&options(seed), &mut with), (&careless, &mut without)] {
            if let Judgement::Undefined(ub) = verdict(options, seed) {
                *undefined += u64::from(is_analysed(ub.kind));
            }
        }
    }
    println!("of {count} programs: {with} undefined with the analysis, {without} without");
    assert!(with == 0 && without > count / 10, "{with} {without}");
}

/// Every planted fault is marked, and many are met.
#[test]
fn planted_faults_are_faults() {
    let (mut marked, mut undefined) = (0, 0);
    for seed in 0..60 {
        let plant = Plant { null: 50, dangling: 50, bounds: 10 };
        let options = Options { plant, size: (1000, 3000), ..options(seed) };
        let made =
            judged(&options, Target::X86_64_GCC, &Choices::new(seed), &howler_machine::Machine::default());
        marked += usize::from(!made.marks.is_empty());
        let judgement = judge(&made.program, &JudgeOptions { runs: 1, ..JudgeOptions::default() }).judgement;
        let is_undefined = matches!(judgement, Judgement::Undefined(_));
        assert!(!is_undefined || !made.marks.is_empty(), "{seed}: {judgement:?}");
        undefined += usize::from(is_undefined);
    }
    assert!(marked > 20 && undefined > 10, "{marked} marked, {undefined} undefined");
}
