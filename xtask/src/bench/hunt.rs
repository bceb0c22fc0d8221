//! Compiling and running without the driver against the plain driver, in tests per second of processor time.
//!
//! A test is one program under one configuration: compiled, linked and run. Its time is that of all processes it
//! needs, as the system counts it when they end; the guard's own is in the last table. Both ways take turns on each
//! program, so that what else runs on the machine meets both.

use crate::root;
use anyhow::{Context, Result};
use howler_lang::target::{Std, Target};
use howler_toolchain::build::{self, Recipes, Run, Speed, Task, Way};
use howler_toolchain::compiler::Configured;
use howler_toolchain::guard::{Finished, Guard, GuardOptions, Job, Limits};
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
    let mut guard = Guard::start(&GuardOptions::default())?;
    let mut recipes = Recipes::default();
    println!(
        "| {} programs of 31 lines | plain, tests per CPU second | fast | ratio |\n|---|---|---|---|",
        2 * ROUNDS
    );
    let small = [for_compilers(SMALL), for_compilers(&SMALL.replace("7u", "11u"))];
    for compiler in COMPILERS {
        table(&mut guard, &mut recipes, compiler, &small, ROUNDS)?;
    }
    let programs = csmith()?;
    println!("\n| {} Csmith programs | plain | fast | ratio |\n|---|---|---|---|", programs.len());
    for compiler in COMPILERS {
        table(&mut guard, &mut recipes, compiler, &programs, 1)?;
    }
    cost_of_a_job(&mut guard)
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
fn table(
    guard: &mut Guard,
    recipes: &mut Recipes,
    compiler: &str,
    programs: &[String],
    rounds: usize,
) -> Result<()> {
    let mut sums = [Duration::ZERO; 2];
    let mut tests = 0u32;
    for text in programs.iter().cycle().take(programs.len() * rounds) {
        guard.clear()?;
        std::fs::write(guard.scratch().join("a.i"), text)?;
        for level in LEVELS {
            let task = Task {
                configured: Configured::parse(&format!("{compiler} {level} -w"))?,
                std: Std::GNU17,
                dir: "".into(),
                sources: vec!["a.i".to_owned()],
                program: "a".to_owned(),
                libraries: Vec::new(),
                limits: Limits::default(),
            };
            let mut outputs = Vec::new();
            let mut times = Vec::new();
            for speed in [Speed::Plain, Speed::Fast] {
                let (time, finished, way) = test(guard, recipes, &task, speed)?;
                anyhow::ensure!((speed == Speed::Plain) == (way == Way::Plain), "{compiler} has no fast way");
                times.push(time);
                outputs.push((finished.end, finished.why, finished.stdout));
            }
            if outputs[0].1.is_some() {
                continue;
            }
            anyhow::ensure!(outputs[0] == outputs[1], "the two ways differ");
            tests += 1;
            sums.iter_mut().zip(times).for_each(|(sum, time)| *sum += time);
        }
    }
    let [plain, fast] = sums.map(|sum| f64::from(tests) / sum.as_secs_f64());
    println!("| {compiler} {} | {plain:.1} | {fast:.1} | {:.2} |", LEVELS.join(" "), fast / plain);
    Ok(())
}

/// The processor time of one test, its end, and how it was built.
fn test(
    guard: &mut Guard,
    recipes: &mut Recipes,
    task: &Task,
    speed: Speed,
) -> Result<(Duration, Finished, Way)> {
    let how = Run { limits: Limits { cpu: Duration::from_secs(2), ..Limits::default() }, ..Run::default() };
    let built = build::compile(guard, recipes, std::slice::from_ref(task), speed)?.remove(0);
    let finished = build::run(guard, recipes, task, &built, &how)?.context("a program does not compile")?;
    let steps: Duration = built.steps.iter().map(|step| step.finished.cpu).sum();
    Ok((steps + finished.cpu, finished, built.way))
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
