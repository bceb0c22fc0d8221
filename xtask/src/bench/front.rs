//! Parse and analysis of preprocessed Csmith programs, against the parser of the crate lang-c alone.

use crate::root;
use anyhow::{Context, Result, bail};
use howler_lang::diag::Severity;
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_testkit::Options;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many programs take part.
const PROGRAMS: usize = 60;

pub(super) fn run() -> Result<()> {
    let texts = texts()?;
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    println!("{} Csmith programs, preprocessed: {:.2} MB", texts.len(), bytes as f64 / 1e6);

    let resident = memory("VmRSS:")?;
    let mut kept = Vec::new();
    for text in &texts {
        kept.push(check(text)?);
    }
    let held = memory("VmRSS:")?.saturating_sub(resident);
    let peak = memory("VmHWM:")?.saturating_sub(resident);
    let nodes: usize = kept.iter().map(|program| program.exprs.len()).sum();
    drop(kept);

    let ours = best(5, || texts.iter().try_for_each(|text| check(text).map(drop)))?;
    let config = lang_c::driver::Config { flavor: lang_c::driver::Flavor::GnuC11, ..Default::default() };
    let mut refused = 0;
    let theirs = best(1, || {
        refused = texts
            .iter()
            .filter(|text| lang_c::driver::parse_preprocessed(&config, text.to_string()).is_err())
            .count();
        Ok(())
    })?;
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!("| what | MB/s | ratio |\n|---|---|---|");
    println!("| lang-c 0.15, parsing alone ({refused} refused) | {:.2} | 1 |", rate(theirs));
    println!(
        "| howler-front, parsing and analysis | {:.1} | {:.1} |",
        rate(ours),
        theirs.as_secs_f64() / ours.as_secs_f64()
    );
    println!(
        "memory: {:.1} bytes per source byte held, {:.1} at the peak; {nodes} expressions",
        held as f64 / bytes as f64,
        peak as f64 / bytes as f64
    );
    Ok(())
}

/// The preprocessed programs of the corpus.
fn texts() -> Result<Vec<Arc<str>>> {
    let folder = root().join("corpus/csmith/default");
    let mut texts = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .with_context(|| format!("{} is missing: run `cargo xtask corpus`", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some("c".as_ref()))
        .collect();
    files.sort();
    for file in files.into_iter().take(PROGRAMS) {
        let args = ["-E".as_ref(), "-I/usr/include/csmith".as_ref(), file.as_os_str()];
        let output = howler_testkit::run("gcc-12", args, &Options::default());
        if !output.success() {
            bail!("gcc-12 -E fails on {}", file.display());
        }
        texts.push(output.stdout_text().into());
    }
    Ok(texts)
}

fn check(text: &Arc<str>) -> Result<Program> {
    let mut program = Program::new(Target::X86_64_GCC);
    let report =
        howler_front::parse(&mut program, "csmith.i", text.clone(), &howler_front::Options::default());
    if let Some(first) = report.diagnostics.iter().find(|found| found.severity != Severity::Warning) {
        bail!("{}", howler_lang::diag::render(first, &program.sources, false));
    }
    Ok(program)
}

/// The shortest of several runs: the others were disturbed.
fn best(runs: usize, mut work: impl FnMut() -> Result<()>) -> Result<Duration> {
    let mut shortest = Duration::MAX;
    for _ in 0..runs {
        let start = Instant::now();
        work()?;
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}

/// A line of /proc/self/status, in bytes.
fn memory(line: &str) -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status").context("cannot read the own memory")?;
    let value = status.lines().find_map(|text| text.strip_prefix(line)).context("no such line")?;
    let kilobytes: u64 = value.trim().trim_end_matches(" kB").parse().context("not a number")?;
    Ok(kilobytes * 1024)
}
