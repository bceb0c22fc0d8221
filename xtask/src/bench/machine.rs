//! The abstract machine against compiling with sanitizers and running, and against native code.
//!
//! Times are processor times: the thread's own here, those of the children there, so that what else runs on the
//! machine does not count.

use super::front::{preprocess, seconds, status};
use crate::root;
use anyhow::{Context, Result, bail};
use howler_lang::diag::Severity;
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_machine::outcome::Outcome;
use howler_machine::profile::{Points, ProfileOptions};
use howler_machine::{Limits, RunOptions, RunReport};
use howler_testkit::Scratch;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// How many Csmith programs are compared; each takes the sanitizers seconds.
const PROGRAMS: usize = 25;

/// Programs that take more steps than this do not take part.
const STEPS: u64 = 10_000_000;

/// A loop without memory accesses of its own.
const LOOP: &str = "int printf(const char *, ...);\n\
    int main(void) {\n\
        unsigned s = 0;\n\
        for (int i = 0; i < 30000000; i++) {\n\
            s += i ^ (s >> 3);\n\
            s = s * 31 + 7;\n\
        }\n\
        printf(\"%u\\n\", s);\n\
        return 0;\n\
    }\n";

pub(super) fn run() -> Result<()> {
    csmith()?;
    tight_loop()?;
    profiles()?;
    growth()
}

/// A profile against a plain run of the same programs: counts alone, and with ten points.
fn profiles() -> Result<()> {
    let folder = root().join("corpus/csmith/default");
    let (mut plain, mut counted, mut looked, mut count) = (0.0, 0.0, 0.0, 0);
    for number in 1..=60 {
        let text = preprocess(&folder.join(format!("{number:04}.c")))?;
        let report = check_and_run(&text, STEPS)?;
        if !matches!(report.outcome, Outcome::Exit(_)) || report.steps < 100_000 {
            continue;
        }
        let program = checked(&text)?;
        let limits = Limits { steps: u64::MAX, letter: true, ..Limits::default() };
        let options = RunOptions { limits, ..RunOptions::default() };
        let counts = ProfileOptions::default();
        let points = ProfileOptions { points: Points::Sample { seed: 1, number: 10 }, ..counts };
        let best = |options: &RunOptions| -> Result<f64> {
            let mut best = f64::MAX;
            for _ in 0..3 {
                best = best.min(seconds(|| {
                    howler_machine::run(&program, options);
                    Ok(())
                })?);
            }
            Ok(best)
        };
        plain += best(&options)?;
        counted += best(&RunOptions { profile: Some(counts), ..options })?;
        looked += best(&RunOptions { profile: Some(points), ..options })?;
        count += 1;
    }
    println!("\n| profiles of {count} Csmith programs | ms | ratio |\n|---|---|---|");
    println!("| plain runs | {:.0} | 1 |", plain * 1e3);
    println!("| statements and branches counted | {:.0} | {:.2} |", counted * 1e3, counted / plain);
    println!("| and ten points looked at | {:.0} | {:.2} |", looked * 1e3, looked / plain);
    Ok(())
}

fn csmith() -> Result<()> {
    let folder = root().join("corpus/csmith/default");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .with_context(|| format!("{} is missing: run `cargo xtask corpus`", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some("c".as_ref()))
        .collect();
    files.sort();
    let scratch = Scratch::new();
    let mut ratios = Vec::new();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for file in files {
        if ratios.len() == PROGRAMS {
            break;
        }
        let text = preprocess(&file)?;
        // The first run decides whether it takes part; the best of three counts.
        let report = check_and_run(&text, STEPS)?;
        if !matches!(report.outcome, Outcome::Exit(_)) {
            continue;
        }
        let mut own = f64::MAX;
        for _ in 0..3 {
            own = own.min(seconds(|| check_and_run(&text, STEPS).map(drop))?);
        }
        let source = scratch.write("text.i", text.as_bytes());
        let sanitized = with_sanitizers(&source, &scratch)?;
        eprintln!("{}: {:.1} ms against {:.0} ms", file.display(), own * 1e3, sanitized * 1e3);
        ratios.push(sanitized / own);
        ours.push(own);
        theirs.push(sanitized);
    }
    if ratios.is_empty() {
        bail!("no program ends within the steps");
    }
    let median = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let least = ratios.iter().copied().fold(f64::MAX, f64::min);
    println!("{} Csmith programs that end within {STEPS} steps, from preprocessed text\n", ratios.len());
    println!("| what | median ms | ratio |\n|---|---|---|");
    println!(
        "| gcc-12 -fsanitize=undefined,address, compile and run | {:.0} | 1 |",
        median(&mut theirs) * 1e3
    );
    println!(
        "| howler: check and run | {:.1} | {:.0} (least {least:.0}) |",
        median(&mut ours) * 1e3,
        median(&mut ratios)
    );
    Ok(())
}

fn with_sanitizers(source: &Path, scratch: &Scratch) -> Result<f64> {
    let binary = scratch.path("sanitized");
    let before = children_seconds()?;
    let mut compile = Command::new("gcc-12");
    compile.args(["-w", "-fsanitize=undefined,address", "-o"]).arg(&binary).arg(source);
    if !compile.status().context("gcc-12 is needed")?.success() {
        bail!("gcc-12 cannot compile {}", source.display());
    }
    let quiet = || Stdio::null();
    Command::new(&binary).stdout(quiet()).stderr(quiet()).status().context("cannot run the program")?;
    Ok(children_seconds()? - before)
}

fn tight_loop() -> Result<()> {
    let scratch = Scratch::new();
    let source = scratch.write("loop.c", LOOP.as_bytes());
    let binary = scratch.path("loop");
    let compiled = Command::new("gcc-12").args(["-O0", "-w", "-o"]).arg(&binary).arg(&source).status();
    if !compiled.context("gcc-12 is needed")?.success() {
        bail!("gcc-12 cannot compile the loop");
    }
    // Ticks are coarse: many runs make one measurement.
    const RUNS: u32 = 20;
    let before = children_seconds()?;
    for _ in 0..RUNS {
        Command::new(&binary).stdout(Stdio::null()).status().context("cannot run the loop")?;
    }
    let native = (children_seconds()? - before) / f64::from(RUNS);
    let own = seconds(|| check_and_run(LOOP, u64::MAX).map(drop))?;
    println!("\n| an integer loop, 30 million rounds | ms | ratio |\n|---|---|---|");
    println!("| gcc-12 -O0, native | {:.0} | 1 |", native * 1e3);
    println!("| howler | {:.0} | {:.1} |", own * 1e3, own / native);
    Ok(())
}

/// Time and memory against steps: both must be linear.
fn growth() -> Result<()> {
    println!("\n| steps | seconds | ns per step | peak of the process, MB |\n|---|---|---|---|");
    for millions in [1, 3, 10, 30, 100] {
        let mut steps = 0;
        let text = format!(
            "int f(int n) {{ int a[4]; a[n & 3] = n; return a[n & 3] + 1; }}\n\
             int main(void) {{ int s = 0; for (int i = 0; i < {}; i++) s ^= f(i & 1023); return s & 1; }}\n",
            millions * 45_000
        );
        let time = seconds(|| {
            steps = check_and_run(&text, u64::MAX)?.steps;
            Ok(())
        })?;
        let peak = status("VmHWM:")? as f64 / 1e6;
        println!(
            "| {:.1} million | {time:.3} | {:.1} | {peak:.0} |",
            steps as f64 / 1e6,
            time * 1e9 / steps as f64
        );
    }
    Ok(())
}

fn check_and_run(text: &str, steps: u64) -> Result<RunReport> {
    let program = checked(text)?;
    let limits = Limits { steps, letter: true, ..Limits::default() };
    Ok(howler_machine::run(&program, &RunOptions { limits, ..RunOptions::default() }))
}

fn checked(text: &str) -> Result<Program> {
    let mut program = Program::new(Target::X86_64_GCC);
    let options = howler_front::Options { pedantic_errors: false };
    let report = howler_front::parse(&mut program, "text.i", Arc::from(text), &options);
    if report.diagnostics.iter().any(|said| said.severity >= Severity::Unsupported) {
        bail!("a program of the benchmark is not taken");
    }
    howler_lang::link::link(&mut program);
    Ok(program)
}

/// Processor time of all children that have ended, in seconds; see proc(5).
pub(crate) fn children_seconds() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("cannot read the own times")?;
    let rest = stat.rsplit_once(')').context("no name in the own times")?.1;
    let fields: Vec<u64> =
        rest.split_whitespace().skip(13).take(2).filter_map(|field| field.parse().ok()).collect();
    let [user, system] = fields[..] else { bail!("no times of children") };
    Ok((user + system) as f64 / 100.0)
}
