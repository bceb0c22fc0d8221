//! Csmith's programs that are undefined on the machine: what else says so.
//!
//! A misaligned access is seen by the compilers' own checks, a broken aliasing rule by an output that changes with
//! `-fno-strict-aliasing`. For the rest, and wherever those say nothing, `docs/evidence/csmith-ub/NNNN.c` has the
//! program reduced to at most fifteen lines, with the same verdict.

use super::{corpus, each, howler, root, short};
use anyhow::{Result, bail};
use howler_testkit::{Options, Output, Scratch, run as start};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

const HEADERS: &str = "/usr/include/csmith";

const CHECKERS: [&str; 2] = ["gcc-12", "clang-16"];

const OPTIMISERS: [&str; 5] = ["gcc-11", "gcc-12", "clang-14", "clang-16", "clang-19"];

const MOST_LINES: usize = 15;

/// What the machine said about a file.
struct Verdict {
    file: PathBuf,
    code: String,
    line: usize,
}

pub(super) fn run() -> Result<()> {
    let files = corpus("csmith/default")?;
    let verdicts: Vec<Verdict> = each(&files, |file| verdict(file, &["-I", HEADERS, "--headers", "system"]))
        .into_iter()
        .flatten()
        .collect();
    let shown = each(&verdicts, proofs);
    println!("| file | kind | line | what else says so |\n|---|---|---|---|");
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (verdict, proofs) in verdicts.iter().zip(&shown) {
        let count = counts.entry(&verdict.code).or_default();
        count.0 += 1;
        count.1 += usize::from(!proofs.is_empty());
        let said = if proofs.is_empty() { "**nothing**".to_owned() } else { proofs.join("; ") };
        println!("| {} | {} | {} | {said} |", name(&verdict.file), verdict.code, verdict.line);
    }
    for (code, (all, shown)) in &counts {
        println!("{code}: {all} files, {shown} of them shown otherwise");
    }
    match counts.values().any(|(all, shown)| all != shown) {
        true => bail!("some verdicts have nothing else to show for them"),
        false => Ok(()),
    }
}

fn verdict(file: &Path, extra: &[&str]) -> Option<Verdict> {
    let mut args: Vec<&OsStr> = ["run", "--steps", "50000000", "--cc", "gcc-12"].map(OsStr::new).to_vec();
    args.extend(extra.iter().map(OsStr::new));
    args.push(file.as_os_str());
    let output = start(howler(), args, &timeout(600));
    if output.code != Some(120) {
        return None;
    }
    let text = output.stderr_text();
    let first = text.lines().find(|line| line.contains("undefined behaviour"))?;
    let code = first.rsplit_once('[')?.1.trim_end_matches(']').to_owned();
    let line = first.strip_prefix(&format!("{}:", file.display()))?.split(':').next()?.parse().ok()?;
    Some(Verdict { file: file.to_owned(), code, line })
}

fn proofs(verdict: &Verdict) -> Vec<String> {
    let mut proofs = match verdict.code.as_str() {
        "misaligned-access" => CHECKERS.iter().filter_map(|cc| misaligned(verdict, cc)).collect(),
        "alias-union" | "alias-scalar" | "alias-struct" => {
            OPTIMISERS.iter().filter_map(|cc| strict_aliasing(verdict, cc)).collect()
        }
        _ => Vec::new(),
    };
    proofs.extend(reduced(verdict));
    proofs
}

/// Whether the compiler's own check reports a misaligned access.
fn misaligned(verdict: &Verdict, cc: &str) -> Option<String> {
    let scratch = Scratch::new();
    let output = compiled(&scratch, &verdict.file, cc, &["-O0", "-fsanitize=alignment"])?;
    let text = output.stderr_text();
    let reported: BTreeSet<usize> = text
        .lines()
        .filter(|line| line.contains("runtime error") && line.contains("misaligned"))
        .filter_map(|line| line.split_once(".c:")?.1.split(':').next()?.parse().ok())
        .collect();
    match (reported.contains(&verdict.line), reported.first()) {
        (true, _) => Some(format!("{cc} reports this line")),
        (false, Some(other)) => Some(format!("{cc} reports line {other}")),
        (false, None) => None,
    }
}

/// Whether the output depends on the aliasing rule.
fn strict_aliasing(verdict: &Verdict, cc: &str) -> Option<String> {
    let scratch = Scratch::new();
    let plain = compiled(&scratch, &verdict.file, cc, &["-O2"])?;
    let without = compiled(&scratch, &verdict.file, cc, &["-O2", "-fno-strict-aliasing"])?;
    let same = plain.stdout == without.stdout || plain.timed_out || without.timed_out;
    (!same).then(|| format!("{cc} -O2: `-fno-strict-aliasing` changes the output"))
}

/// Whether the reduced program in the repository is small, taken by gcc-12, and has the same verdict.
fn reduced(verdict: &Verdict) -> Option<String> {
    let file = root().join("docs/evidence/csmith-ub").join(format!("{}.c", name(&verdict.file)));
    let lines = std::fs::read_to_string(&file).ok()?.lines().count();
    let again = self::verdict(&file, &[])?;
    let args = ["-w".as_ref(), "-fsyntax-only".as_ref(), file.as_os_str()];
    let taken = start("gcc-12", args, &timeout(60)).success();
    (lines <= MOST_LINES && taken && again.code == verdict.code).then(|| format!("reduced to {lines} lines"))
}

/// What the program does when compiled so; none if it does not compile.
fn compiled(scratch: &Scratch, file: &Path, cc: &str, flags: &[&str]) -> Option<Output> {
    let binary = scratch.path("program");
    let mut args: Vec<&OsStr> = ["-w", "-I", HEADERS].map(OsStr::new).to_vec();
    args.extend(flags.iter().map(OsStr::new));
    args.extend([file.as_os_str(), "-o".as_ref(), binary.as_os_str(), "-lm".as_ref()]);
    start(cc, args, &timeout(120)).success().then(|| start(&binary, [""; 0], &timeout(10)))
}

fn timeout(seconds: u64) -> Options<'static> {
    Options { timeout: Duration::from_secs(seconds), ..Options::default() }
}

/// A file's number.
fn name(file: &Path) -> String {
    file.file_stem().map_or_else(|| short(file), |stem| stem.to_string_lossy().into_owned())
}
