//! Compiling and running as hunts do it against the plain driver, in tests per second of processor time.
//!
//! A test is one program under one configuration: compiled, linked and run. Its time is that of all processes it
//! needs, as the system counts it when they end; the guard's own is in the last table. Hunts go without the driver and
//! run programs with the same code once. Both ways take turns on each program, so that what else runs on the machine
//! meets both.

use crate::root;
use anyhow::{Context, Result};
use howler_case::{Case, Origin};
use howler_lang::target::{Std, Target};
use howler_oracle::lab::{Configuration, Lab, Options};
use howler_toolchain::build::{self, Recipes, Speed, Task};
use howler_toolchain::guard::{Guard, GuardOptions, Job, Limits};
use howler_toolchain::preprocess::{
    Headers, Input, PreprocessOptions, Preprocessor, for_compilers, preprocess,
};
use std::time::Duration;

const COMPILERS: &[&str] = &["gcc-12", "clang-16"];
const LEVELS: &[&str] = &["-O0", "-O1", "-O2", "-O3", "-Os"];
/// Rounds over the small programs.
const ROUNDS: usize = 8;
/// Csmith programs, each once.
const CSMITH: usize = 12;

/// The size of what techniques make by default: some thirty lines.
const SMALL: &str = include_str!("hunt-small.c");

pub(super) fn run() -> Result<()> {
    let mut options = Options::default();
    // Enough for the machine to know what most of them do, and none of its time is in the tables.
    options.judge.runs = 1;
    options.judge.limits.steps = 2_000_000;
    let guard = Guard::start(&GuardOptions::default())?;
    let mut lab = Lab::new(guard, Preprocessor::find(None)?, options);
    println!(
        "| {} programs of 31 lines | plain, tests per CPU second | as hunts do it | ratio |\n|---|---|---|---|",
        2 * ROUNDS
    );
    let small = [for_compilers(SMALL), for_compilers(&SMALL.replace("7u", "11u"))];
    for compiler in COMPILERS {
        table(&mut lab, compiler, &small, ROUNDS)?;
    }
    let programs = csmith()?;
    println!("\n| {} Csmith programs | plain | as hunts do it | ratio |\n|---|---|---|---|", programs.len());
    for compiler in COMPILERS {
        table(&mut lab, compiler, &programs, 1)?;
    }
    cost_of_a_job(&mut lab.guard)
}

/// Csmith programs of a middle size, preprocessed with Howler's headers, which every compiler takes.
fn csmith() -> Result<Vec<String>> {
    let preprocessor = Preprocessor::find(None)?;
    let options = PreprocessOptions {
        target: Target::X86_64_GCC,
        defines: Vec::new(),
        include_dirs: vec!["/usr/include/csmith".into()],
        headers: Headers::Ours,
    };
    let mut programs = Vec::new();
    for number in 1..=200 {
        let file = root().join(format!("corpus/csmith/default/{number:04}.c"));
        if programs.len() < CSMITH && (30_000..100_000).contains(&file.metadata()?.len()) {
            programs.push(for_compilers(&preprocess(&preprocessor, Input::File(&file), &options)?.text));
        }
    }
    Ok(programs)
}

/// One compiler's row: all levels together.
fn table(lab: &mut Lab, compiler: &str, programs: &[String], rounds: usize) -> Result<()> {
    let levels = LEVELS.iter().map(|level| Configuration::parse(&format!("{compiler} {level}")));
    let levels: Vec<Configuration> = levels.collect::<Result<_, _>>()?;
    let (mut plain, mut fast) = (Duration::ZERO, Duration::ZERO);
    let mut tests = 0u32;
    for text in programs.iter().cycle().take(programs.len() * rounds) {
        let Some(time) = by_driver(&mut lab.guard, &levels, text)? else { continue };
        let origin = Origin { arm: "bench".to_owned(), version: "0".to_owned(), seed: 0, index: 0 };
        let case = Case::new("test.c", text.as_str(), Std::GNU17, origin);
        let examined = lab.examine(&case, &levels)?;
        anyhow::ensure!(examined.sightings.is_empty(), "{compiler} has a bug: {:?}", examined.sightings);
        tests += examined.builds;
        plain += time;
        fast += examined.compiler_time + examined.program_time;
    }
    let [plain, fast] = [plain, fast].map(|sum| f64::from(tests) / sum.as_secs_f64());
    println!("| {compiler} {} | {plain:.1} | {fast:.1} | {:.2} |", LEVELS.join(" "), fast / plain);
    Ok(())
}

/// The processor time of a program under all levels, each compiled by the driver and run; none if a run takes too long.
fn by_driver(guard: &mut Guard, levels: &[Configuration], text: &str) -> Result<Option<Duration>> {
    guard.clear()?;
    guard.write("a.i", text.as_bytes())?;
    let mut sum = Duration::ZERO;
    for level in levels {
        let mut configured = level.configured.clone();
        configured.add_flags(vec!["-w".to_owned()])?;
        let task = Task {
            configured,
            std: Std::GNU17,
            dir: "".into(),
            sources: vec!["a.i".to_owned()],
            program: "a".to_owned(),
            libraries: Vec::new(),
            limits: Limits::default(),
        };
        let tasks = std::slice::from_ref(&task);
        let built = build::compile(guard, &mut Recipes::default(), tasks, Speed::Plain)?.remove(0);
        let program = built.executable.context("a program does not compile")?;
        let mut job = task.configured.compiler.runs(&program);
        job.limits = Limits { cpu: Duration::from_secs(2), ..Limits::default() };
        let finished = guard.run(&job)?;
        if finished.why.is_some() {
            return Ok(None);
        }
        sum += built.steps.iter().map(|step| step.finished.cpu).sum::<Duration>() + finished.cpu;
    }
    Ok(Some(sum))
}

/// What the guard itself uses for a job, against the processes it starts.
fn cost_of_a_job(guard: &mut Guard) -> Result<()> {
    const JOBS: u32 = 1000;
    let server = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", guard.id()))?;
    let used = |pid: &str| -> Result<Duration> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/schedstat"))?;
        Ok(Duration::from_nanos(text.split_whitespace().next().context("schedstat")?.parse()?))
    };
    let job = Job::new("/bin/true");
    let before = (used(server.trim())?, used("thread-self")?);
    let mut jobs = Duration::ZERO;
    for _ in 0..JOBS {
        jobs += guard.run(&job)?.cpu;
    }
    let micros = |time: Duration| (time / JOBS).as_micros();
    println!("\n| a job of /bin/true | µs of CPU |\n|---|---|");
    println!("| itself | {} |", micros(jobs));
    println!("| the guard, starting it included | {} |", micros(used(server.trim())? - before.0));
    println!("| the client | {} |", micros(used("thread-self")? - before.1));
    Ok(())
}
