//! No false alarms: the catalogue's undefined and unspecified programs, of which compilers make different things, are
//! hunted with, and no wrong code is found. With `HOWLER_SOAK=1` all of them, and it is counted how many differ.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use common::catalogue::{Program, programs};
use common::{Lair, events};
use howler_testkit::{Options, Scratch, run, soak, tool};

#[test]
fn programs_without_one_meaning_raise_no_alarm() {
    if ["gcc-12", "clang-16", "tcc"].into_iter().any(|name| tool(name).is_none()) {
        return;
    }
    let mut programs = programs();
    if !soak() {
        programs.retain(|program| program.differs && !program.i386 && program.std == "gnu17");
        let step = programs.len() / 60;
        programs = programs.into_iter().step_by(step.max(1)).take(60).collect();
        assert_eq!(programs.len(), 60);
    }
    let mut groups: BTreeMap<(String, bool), Vec<Program>> = BTreeMap::new();
    for program in programs {
        groups.entry((program.std.clone(), program.i386)).or_default().push(program);
    }
    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    for ((std, i386), programs) in &groups {
        for verdict in hunted(std, *i386, programs) {
            *verdicts.entry(verdict).or_default() += 1;
        }
    }
    println!("verdicts: {verdicts:?}");
}

/// Hunts with programs of one standard and one target; gives the verdicts.
fn hunted(std: &str, i386: bool, programs: &[Program]) -> Vec<String> {
    let lair = Lair::new();
    for program in programs {
        lair.write(&format!("corpus/{}.c", program.name), &program.text);
    }
    let compilers: &[&str] = match i386 {
        true => &["gcc-12 -m32 -msse2 -mfpmath=sse", "clang-16 -m32 -msse2 -mfpmath=sse"],
        false => &["gcc-12", "clang-16", "tcc"],
    };
    let mut args = vec![
        "hunt", "--dir", "hunt", "--corpus", "corpus", "--std", std, "--json", "--swarm", "0", "--extras",
        "0",
    ];
    args.extend(compilers.iter().flat_map(|&compiler| ["--cc", compiler]));
    if !soak() {
        args.extend(["--level", "-O0", "--level", "-O2"]);
    }
    let output = lair.howler(&args);
    let events = events(&output.stdout);
    let last = events.last().unwrap_or_else(|| panic!("{}", output.stderr_text()));
    let found = last["found"].as_array().unwrap_or_else(|| panic!("{}", output.stderr_text()));
    for one in found {
        println!("found with {std}: {one}");
    }
    assert!(found.iter().all(|one| one["kind"] != "wrong-code" || one["confirmed"] != true), "{found:#?}");
    assert!(matches!(output.code, Some(0 | 1)), "{}", output.stderr_text());
    lair.assert_nothing_left();
    let verdicts = events.iter().filter(|event| event["event"] == "tested");
    let verdicts: Vec<String> = verdicts
        .map(|event| {
            event["verdict"].as_str().unwrap_or_default().split(':').next().unwrap_or_default().to_owned()
        })
        .collect();
    assert_eq!(verdicts.len(), programs.len());
    verdicts
}

/// How many of the programs really behave differently here.
#[test]
fn two_hundred_of_them_differ() {
    let marked = programs().iter().filter(|program| program.differs).count();
    assert!(marked >= 200, "only {marked}");
    if !soak() {
        return;
    }
    let compilers =
        [("gcc-12", "-O0"), ("gcc-12", "-O2"), ("clang-16", "-O0"), ("clang-16", "-O2"), ("tcc", "-O0")];
    let Some(compilers) =
        compilers.into_iter().map(|(name, level)| Some((tool(name)?, level))).collect::<Option<Vec<_>>>()
    else {
        return;
    };
    let programs = programs();
    let next = AtomicUsize::new(0);
    let differ = Mutex::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    *differ.lock().unwrap() += usize::from(differs(program, &compilers));
                }
            });
        }
    });
    let differ = differ.into_inner().unwrap();
    println!("{differ} of {} programs differ, {marked} are marked so", programs.len());
    assert!(differ >= 200, "only {differ} of {}", programs.len());
}

fn differs(program: &Program, compilers: &[(PathBuf, &str)]) -> bool {
    let scratch = Scratch::new();
    let source = scratch.write("a.c", &program.text);
    let options = Options {
        timeout: Duration::from_secs(20),
        folder: Some(scratch.folder()),
        keep: 1 << 16,
        ..Options::default()
    };
    let mut seen = BTreeSet::new();
    for (compiler, level) in compilers {
        let mut args = program.flags();
        args.extend([
            (*level).to_owned(),
            source.display().to_string(),
            "-o".to_owned(),
            "program".to_owned(),
            "-lm".to_owned(),
        ]);
        if run(compiler, &args, &options).success() {
            let ran = run(scratch.path("program"), [""; 0], &options);
            seen.insert((ran.code, ran.signal, ran.timed_out, ran.stdout));
        }
    }
    seen.len() > 1
}
