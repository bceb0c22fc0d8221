//! Every variant of every seed is defined and does what its seed does, and compilers agree.
//!
//! The long version (`HOWLER_SOAK=1`) can be run in parts: `HOWLER_FROM=100 HOWLER_SEEDS=50` takes seeds 100 to 149 of each
//! kind.

mod common;

use std::collections::BTreeMap;

use common::{FOREIGN, TARGET, files, made, preprocessed};
use howler_case::{Case, End, Input, Origin, Technique};
use howler_choices::Choices;
use howler_emi::foreign::{Donor, donors};
use howler_emi::lines::{Line, replay};
use howler_emi::seed::{judged, read};
use howler_emi::{Chain, NoVariant, Options};
use howler_lang::edit::{Edit, Edited};
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::Program;
use howler_machine::profile::ProfileOptions;
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
    let foreign = read(&[("foreign.c", FOREIGN)], TARGET).expect("it is C");
    let mut given: Vec<Donor> = donors(&foreign, 9, &mut Choices::new(1));
    assert!(given.len() > 3);
    for (at, (name, program)) in programs.enumerate() {
        let Some(program) = program else {
            tally.bad += 1;
            continue;
        };
        let choices = Choices::new(at as u64);
        let own = donors(&program, 4, &mut choices.sub("donors"));
        let with = (Options::default(), given.clone());
        let seed = program.clone();
        let Ok(mut chain) = Chain::with_donors(program, vec![Input::NOTHING], with, choices, judge) else {
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
                        let case = subject.case(origin(&name));
                        agree(&name, &case);
                        again(&seed, &case);
                    }
                }
                Err(NoVariant::Nothing | NoVariant::Long(_)) => tally.none += 1,
                Err(NoVariant::Wrong(wrong)) => {
                    panic!("{index} of {name}: {}\n{}", wrong.why, guilty(&seed, &wrong.edits, judge))
                }
            }
        }
        // What this one has the next one may call, beside what all may.
        given.truncate(9);
        given.extend(own);
    }
    println!("{tally:?}");
    tally
}

fn origin(name: &str) -> Origin {
    Origin { arm: name.to_owned(), version: "0".to_owned(), seed: 0, index: 0 }
}

/// The text of a wrong variant with as few of its edits as it takes.
fn guilty(seed: &Program, edits: &[String], judge: &Machine) -> String {
    let edits: Vec<Edit> = edits.iter().map(|line| line.parse().expect("an edit")).collect();
    let right = judged(seed, &[Input::NOTHING], judge, &ProfileOptions::default()).expect("a seed").0;
    let is_wrong = |kept: &[bool]| {
        let (edited, _) = Edited::replay(seed.clone(), &edits, |number| kept[number]);
        let found = judged(edited.program(), &[Input::NOTHING], judge, &ProfileOptions::default());
        found.map_or(true, |(found, _)| found != right)
    };
    let mut kept = vec![true; edits.len()];
    for number in (0..edits.len()).rev() {
        kept[number] = false;
        if !is_wrong(&kept) {
            kept[number] = true;
        }
    }
    let (edited, _) = Edited::replay(seed.clone(), &edits, |number| kept[number]);
    let lines: Vec<String> =
        edits.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(edit, _)| edit.to_string()).collect();
    let found = judged(edited.program(), &[Input::NOTHING], judge, &ProfileOptions::default());
    let why = found.map_or_else(|bad| bad.to_string(), |(found, _)| format!("{found:?} for {right:?}"));
    let text: Vec<String> = (0..edited.program().units.len())
        .map(|number| unit(edited.program(), number, &PrintOptions::default()))
        .collect();
    format!("{}\n{why}\n{}", lines.join("\n"), text.join("\n"))
}

/// A case's lines make it again of its seed, and say which mutations there are.
fn again(seed: &Program, case: &Case) {
    let lines: Vec<Line> = case.edits.iter().map(|line| line.parse().expect("a line")).collect();
    let (whole, done) = replay(seed.clone(), &lines, |_| true);
    assert!(done.iter().zip(&lines).all(|(&done, line)| done || line.mutation == 0), "{:?}", case.edits);
    let texts = |program: &Program| -> Vec<String> {
        (0..program.units.len()).map(|number| unit(program, number, &PrintOptions::default())).collect()
    };
    let made: Vec<String> =
        case.files.iter().map(|file| String::from_utf8_lossy(&file.text).into_owned()).collect();
    // Functions that nobody calls are left out.
    if done.iter().all(|&done| done) {
        assert_eq!(texts(whole.program()), made);
    }
    let (nothing, done) = replay(seed.clone(), &lines, |_| false);
    assert!(done.iter().all(|&done| !done));
    assert_eq!(texts(nothing.program()), texts(seed));
}

/// How many seeds there are of each kind, and how many variants of each.
fn numbers() -> (u64, u64) {
    if soak() { (250, 20) } else { (20, 10) }
}

/// Which of so many seeds are taken.
fn part(all: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse::<u64>().ok());
    let from = number("HOWLER_FROM").unwrap_or(0).min(all);
    from..number("HOWLER_SEEDS").map_or(all, |seeds| from.saturating_add(seeds).min(all))
}

fn of_technique(technique: &'static Technique, words: &'static [&'static str]) {
    let (number, each) = numbers();
    let part = part(number);
    let seeds = part.end - part.start;
    let cases = part.map(|at| {
        let case = made(technique, words, at);
        let program = read(&files(&case), TARGET);
        assert!(program.is_ok(), "{}: {:?}", case.origin, program.err());
        (format!("{} #{at}", technique.name), program.ok())
    });
    let tally = check(cases, each, &Machine::default());
    assert!(u64::from(tally.made) * 10 >= seeds * each * 9, "{tally:?}");
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
    let (step, each) = if soak() { (1, 2) } else { (15, 2) };
    let part = part(paths.len() as u64);
    let programs = paths.iter().skip(part.start as usize).take((part.end - part.start) as usize);
    let programs = programs.step_by(step).map(|path| {
        let text = std::fs::read_to_string(path).ok();
        // Those that need no preprocessor.
        let text = text.filter(|text| !text.lines().any(|line| line.trim_start().starts_with('#')));
        let program = text.and_then(|text| read(&[("seed.c", &text)], TARGET).ok());
        (path.display().to_string(), program)
    });
    let limits = Limits { steps: 2_000_000, ..Limits::default() };
    let tally = check(programs, each, &Machine { limits, ..Machine::default() });
    assert!(
        soak() || tally.seeds > 20 && u64::from(tally.made) * 2 > u64::from(tally.seeds) * each,
        "{tally:?}"
    );
}

#[test]
fn variants_of_csmiths_programs_do_what_they_do() {
    // They are large, and take minutes.
    if !soak() {
        return;
    }
    let Some(folder) = corpus("csmith/default") else { return };
    let Some(gcc) = tool("gcc-12") else { return };
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|end| end == "c"));
    let (step, each) = (4, 6);
    let part = part(paths.len() as u64);
    let programs = paths.iter().skip(part.start as usize).take((part.end - part.start) as usize);
    let programs = programs.step_by(step).map(|path| {
        let program = preprocessed(&gcc, path).and_then(|text| read(&[("seed.c", &text)], TARGET).ok());
        (path.display().to_string(), program)
    });
    let limits = Limits { steps: 10_000_000, ..Limits::default() };
    let tally = check(programs, each, &Machine { limits, ..Machine::default() });
    assert!(tally.seeds > 0 && u64::from(tally.made) * 2 >= u64::from(tally.seeds) * each, "{tally:?}");
}

/// Compilers agree with the judge about a variant.
fn agree(name: &str, case: &Case) {
    let scratch = Scratch::new();
    let expected = case.expected_on(TARGET).expect("it was judged");
    // The library's headers as gcc sees them have an attribute that clang does not know.
    let for_gcc = case.files.iter().any(|file| String::from_utf8_lossy(&file.text).contains("malloc(fclose"));
    let compilers: &[&str] = if for_gcc { &["gcc-12"] } else { &["gcc-12", "clang-16"] };
    for compiler in compilers.iter().copied().filter_map(tool) {
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
