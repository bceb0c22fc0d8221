//! Parse and analysis of preprocessed Csmith programs, against the parser of the crate lang-c alone.
//!
//! Both read the same texts, line markers included, in turn. Times are the thread's own, so that what else runs on the
//! machine does not count. Memory is measured in a fresh process for each program: there is no slack of earlier work
//! to take from, and a peak is that of one program.

use crate::root;
use anyhow::{Context, Result, bail};
use howler_lang::diag::Severity;
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_testkit::{Options, Scratch};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// How many programs take part.
const PROGRAMS: usize = 60;

/// How often each side reads all of them; the fastest counts, the others were disturbed.
const ROUNDS: usize = 5;

/// Set for the processes that measure memory: the text to read.
const MEMORY_OF: &str = "HOWLER_BENCH_MEMORY_OF";

pub(super) fn run() -> Result<()> {
    if let Some(text) = std::env::var_os(MEMORY_OF) {
        return measure_memory(text.as_ref());
    }
    let texts = texts()?;
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    println!("{} Csmith programs, preprocessed: {:.2} MB", texts.len(), bytes as f64 / 1e6);
    let (mut ours, mut theirs, mut refused) = (f64::MAX, f64::MAX, 0);
    let config = lang_c::driver::Config { flavor: lang_c::driver::Flavor::GnuC11, ..Default::default() };
    for _ in 0..ROUNDS {
        theirs = theirs.min(seconds(|| {
            let parsed =
                texts.iter().map(|text| lang_c::driver::parse_preprocessed(&config, text.to_string()));
            refused = parsed.filter(Result::is_err).count();
            Ok(())
        })?);
        // It is so much shorter that it is done more often.
        for _ in 0..3 {
            ours = ours.min(seconds(|| {
                // As whoever reads many programs does.
                let mut program = Program::new(Target::X86_64_GCC);
                texts.iter().try_for_each(|text| {
                    let old = std::mem::replace(&mut program, Program::new(Target::X86_64_GCC));
                    program = check(old.recycled(Target::X86_64_GCC), text)?;
                    Ok(())
                })
            })?);
        }
    }
    let rate = |time: f64| bytes as f64 / 1e6 / time;
    println!("| what | MB/s | ratio |\n|---|---|---|");
    println!("| lang-c 0.15, parsing alone ({refused} refused) | {:.2} | 1 |", rate(theirs));
    println!("| howler-front, parsing and analysis | {:.1} | {:.1} |", rate(ours), theirs / ours);
    memory_table(&texts)
}

/// Prints what the programs cost while they are read and afterwards.
fn memory_table(texts: &[Arc<str>]) -> Result<()> {
    let scratch = Scratch::new();
    let this = std::env::current_exe().context("cannot find the own program")?;
    let (mut bytes, mut held, mut peak, mut nodes) = (0.0, 0.0, 0.0, 0.0);
    let (mut worst_held, mut worst_peak) = (0.0f64, 0.0f64);
    for text in texts {
        let file = scratch.write("text.i", text.as_bytes());
        let output = Command::new(&this)
            .args(["bench", "front"])
            .env(MEMORY_OF, &file)
            .output()
            .context("no child")?;
        let said = String::from_utf8_lossy(&output.stdout);
        let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [own_held, own_peak, own_nodes] = numbers[..] else { bail!("a child measured nothing: {said}") };
        let size = text.len() as f64;
        bytes += size;
        held += own_held;
        peak += own_peak;
        nodes += own_nodes;
        worst_held = worst_held.max(own_held / size);
        worst_peak = worst_peak.max(own_peak / size);
    }
    println!("\n| memory, bytes per source byte | all | worst program |\n|---|---|---|");
    println!("| held by the typed program | {:.1} | {worst_held:.1} |", held / bytes);
    println!("| at the peak of reading it | {:.1} | {worst_peak:.1} |", peak / bytes);
    println!("\n{nodes} expressions");
    Ok(())
}

/// Reads one text and prints how many bytes its program holds, how many there were at the peak, and its expressions.
fn measure_memory(file: &Path) -> Result<()> {
    let text: Arc<str> = std::fs::read_to_string(file).context("cannot read the text")?.into();
    // Sets the peak back to what is there now; see proc(5).
    std::fs::write("/proc/self/clear_refs", "5").context("cannot reset the peak")?;
    let (anonymous, resident) = (rollup("Anonymous:")?, rollup("Rss:")?);
    let program = check(Program::new(Target::X86_64_GCC), &text)?;
    let held = rollup("Anonymous:")?.saturating_sub(anonymous);
    // Code that was loaded meanwhile is no part of it.
    let code = rollup("Rss:")?.saturating_sub(resident).saturating_sub(held);
    let peak = status("VmHWM:")?.saturating_sub(resident).saturating_sub(code).max(held);
    println!("{held} {peak} {}", program.exprs.len());
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
        texts.push(preprocess(&file)?.into());
    }
    Ok(texts)
}

/// A Csmith program as preprocessed text.
pub(super) fn preprocess(file: &Path) -> Result<String> {
    let args = ["-E".as_ref(), "-I/usr/include/csmith".as_ref(), file.as_os_str()];
    let output = howler_testkit::run("gcc-12", args, &Options::default());
    if !output.success() {
        bail!("gcc-12 -E fails on {}", file.display());
    }
    Ok(output.stdout_text())
}

fn check(mut program: Program, text: &Arc<str>) -> Result<Program> {
    let report =
        howler_front::parse(&mut program, "csmith.i", text.clone(), &howler_front::Options::default());
    if let Some(first) = report.diagnostics.iter().find(|found| found.severity != Severity::Warning) {
        bail!("{}", howler_lang::diag::render(first, &program.sources, false));
    }
    Ok(program)
}

/// How many seconds of processor time `work` takes.
pub(crate) fn seconds(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let start = processor_time();
    work()?;
    Ok(processor_time() - start)
}

/// The processor time this thread has used, in seconds.
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// A line of /proc/self/status, in bytes.
pub(super) fn status(line: &str) -> Result<u64> {
    kilobytes("/proc/self/status", line)
}

/// A line of /proc/self/smaps_rollup, in bytes: slower to make than `status`, and exact.
fn rollup(line: &str) -> Result<u64> {
    kilobytes("/proc/self/smaps_rollup", line)
}

fn kilobytes(file: &str, line: &str) -> Result<u64> {
    let text = std::fs::read_to_string(file).context("cannot read the own memory")?;
    let value = text.lines().find_map(|text| text.strip_prefix(line)).context("no such line")?;
    let kilobytes: u64 = value.trim().trim_end_matches(" kB").parse().context("not a number")?;
    Ok(kilobytes * 1024)
}
