//! Every variant of every seed is defined and does what its seed does, and compilers agree.

mod common;

use std::collections::BTreeMap;

use common::{TARGET, files, made};
use howler_case::{Case, End, Input, Origin, Technique};
use howler_choices::Choices;
use howler_emi::seed::read;
use howler_emi::{Chain, NoVariant, Options};
use howler_lang::program::Program;
use howler_machine::{Limits, Machine};
use howler_testkit::{Scratch, corpus, run, soak, tool};

/// What came of some seeds.
#[derive(Default, Debug)]
struct Tally {
    seeds: u32,
    bad: u32,
    made: u32,
    none: u32,
    mutations: BTreeMap<&'static str, u32>,
}

/// Makes variants of programs, so many of each, and fails if one of them is wrong.
fn check<'a>(
    programs: impl Iterator<Item = (String, Option<Program>)> + 'a,
    each: u64,
    judge: &Machine,
) -> Tally {
    let mut tally = Tally::default();
    for (at, (name, program)) in programs.enumerate() {
        let Some(program) = program else {
            tally.bad += 1;
            continue;
        };
        let choices = Choices::new(at as u64);
        let Ok(mut chain) = Chain::new(program, vec![Input::NOTHING], Options::default(), choices, judge)
        else {
            tally.bad += 1;
            continue;
        };
        tally.seeds += 1;
        for index in 0..each {
            match chain.variant(index, judge) {
                Ok(subject) => {
                    tally.made += 1;
                    for mutation in subject.mutations() {
                        *tally.mutations.entry(mutation.strategy).or_default() += 1;
                    }
                    if tally.made % 40 == 1 {
                        agree(&name, &subject.case(origin(&name)));
                    }
                }
                Err(NoVariant::Nothing | NoVariant::Long(_)) => tally.none += 1,
                Err(NoVariant::Wrong(wrong)) => {
                    panic!("{index} of {name}: {}\n{}", wrong.why, wrong.edits.join("\n"))
                }
            }
        }
    }
    println!("{tally:?}");
    tally
}

fn origin(name: &str) -> Origin {
    Origin { arm: name.to_owned(), version: "0".to_owned(), seed: 0, index: 0 }
}

/// How many seeds there are of each kind, and how many variants of each.
fn numbers() -> (u64, u64) {
    if soak() { (500, 20) } else { (20, 10) }
}

fn of_technique(technique: &'static Technique, words: &'static [&'static str]) {
    let (number, each) = numbers();
    let cases = (0..number).map(|at| {
        let case = made(technique, words, at);
        let program = read(&files(&case), TARGET);
        assert!(program.is_ok(), "{}: {:?}", case.origin, program.err());
        (format!("{} #{at}", technique.name), program.ok())
    });
    let tally = check(cases, each, &Machine::default());
    assert!(u64::from(tally.made) * 10 >= number * each * 9, "{tally:?}");
    // What runs and what does not is changed, in all the ways that there are.
    for strategy in howler_emi::STRATEGIES {
        assert!(tally.mutations.contains_key(strategy.name), "{}: {tally:?}", strategy.name);
    }
}

#[test]
fn variants_of_smiths_programs_do_what_they_do() {
    of_technique(&howler_smith::TECHNIQUE, &["size=300..4000", "with=units"]);
}

#[test]
fn variants_of_yarps_programs_do_what_they_do() {
    of_technique(&howler_yarp::TECHNIQUE, &["size=200..600"]);
}

#[test]
fn variants_of_gccs_tests_do_what_they_do() {
    let Some(folder) = corpus("gcc/gcc.c-torture/execute") else { return };
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|end| end == "c"));
    let (part, each) = if soak() { (1, 20) } else { (15, 2) };
    let programs = paths.iter().step_by(part).map(|path| {
        let text = std::fs::read_to_string(path).ok();
        // Those that need no preprocessor.
        let text = text.filter(|text| !text.lines().any(|line| line.trim_start().starts_with('#')));
        let program = text.and_then(|text| read(&[("seed.c", &text)], TARGET).ok());
        (path.display().to_string(), program)
    });
    let limits = Limits { steps: 2_000_000, ..Limits::default() };
    let tally = check(programs, each, &Machine { limits, ..Machine::default() });
    assert!(tally.seeds > 20 && u64::from(tally.made) * 2 > u64::from(tally.seeds) * each, "{tally:?}");
}

/// Compilers agree with the judge about a variant.
fn agree(name: &str, case: &Case) {
    let scratch = Scratch::new();
    let expected = case.expected_on(TARGET).expect("it was judged");
    for compiler in ["gcc-12", "clang-16"].into_iter().filter_map(tool) {
        let built = scratch.folder().join("variant");
        // Old programs declare functions by calling them.
        let flags =
            ["-O0", "-w", "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-o"];
        let mut args: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        args.push(built.display().to_string());
        for file in &case.files {
            let path = scratch.folder().join(&file.name);
            std::fs::write(&path, &file.text).unwrap();
            args.push(path.display().to_string());
        }
        args.push("-lm".to_owned());
        let options = howler_testkit::Options::default();
        let said = run(&compiler, args.iter().map(String::as_str), &options);
        assert!(said.success(), "{name}: {}", said.stderr_text());
        let output = run(&built, std::iter::empty::<&str>(), &options);
        if let End::Exit(status) = expected.end {
            assert_eq!(output.stdout, expected.output, "{name}");
            assert_eq!(output.code, Some(i32::from(status)), "{name}");
        }
    }
}
