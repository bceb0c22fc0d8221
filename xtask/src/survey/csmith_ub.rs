//! Csmith's programs that are undefined on the machine: what else says so.
//!
//! A misaligned access is seen by the compilers' own checks; where the object happens to lie well, they are asked again
//! with the object moved to an odd address. A broken aliasing rule is seen by an output that changes with
//! `-fno-strict-aliasing`. For the rest, and wherever those say nothing, `docs/evidence/csmith-ub/NNNN.c` has the
//! program reduced to at most fifteen lines, with the same verdict. A value that is read and dropped is undefined by the
//! letter only, and nothing shows it: what such a program does after it is asked for instead.

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
    /// The object that is meant, and the line of its declaration.
    object: Option<(String, usize)>,
    /// Undefined behaviour by the letter that was let pass before.
    passed: Option<String>,
}

pub(super) fn run() -> Result<()> {
    let files = corpus("csmith/default")?;
    let verdicts: Vec<Verdict> = each(&files, |file| behind_dropped(file)).into_iter().flatten().collect();
    let shown = each(&verdicts, proofs);
    println!("| file | kind | line | what else says so |\n|---|---|---|---|");
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (verdict, proofs) in verdicts.iter().zip(&shown) {
        let count = counts.entry(&verdict.code).or_default();
        count.0 += 1;
        count.1 += usize::from(!proofs.is_empty());
        let said = if proofs.is_empty() { "**nothing**".to_owned() } else { proofs.join("; ") };
        let code = match &verdict.passed {
            Some(passed) => format!("{} behind {passed}", verdict.code),
            None => verdict.code.clone(),
        };
        println!("| {} | {code} | {} | {said} |", name(&verdict.file), verdict.line);
    }
    for (code, (all, shown)) in &counts {
        println!("{code}: {all} files, {shown} of them shown otherwise");
    }
    match counts.values().any(|(all, shown)| all != shown) {
        true => bail!("some verdicts have nothing else to show for them"),
        false => Ok(()),
    }
}

/// The verdict of one of Csmith's files, beyond values that are dropped.
fn behind_dropped(file: &Path) -> Option<Verdict> {
    const FLAGS: [&str; 5] = ["-I", HEADERS, "--headers", "system", "--letter"];
    let (letter, strict) = FLAGS.split_last()?;
    let first = verdict(file, strict)?;
    if first.code != "dropped-read" {
        return Some(first);
    }
    let second = verdict(file, &[strict, &[*letter]].concat())?;
    Some(Verdict { passed: Some(first.code), ..second })
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
    let line_of =
        |said: &str| said.strip_prefix(&format!("{}:", file.display()))?.split(':').next()?.parse().ok();
    let object = text.lines().find_map(|said| {
        let name = said.strip_suffix("' is declared here")?.rsplit_once('\'')?.1;
        Some((name.to_owned(), line_of(said)?))
    });
    Some(Verdict { file: file.to_owned(), code, line: line_of(first)?, object, passed: None })
}

fn proofs(verdict: &Verdict) -> Vec<String> {
    let mut proofs = match verdict.code.as_str() {
        "misaligned-access" => misaligned(verdict),
        "alias-union" | "alias-scalar" | "alias-struct" => {
            OPTIMISERS.iter().filter_map(|cc| strict_aliasing(verdict, cc)).collect()
        }
        _ => Vec::new(),
    };
    proofs.extend(reduced(verdict));
    proofs
}

/// What the compilers' own checks report of a misaligned access; if nothing, with the object moved.
fn misaligned(verdict: &Verdict) -> Vec<String> {
    let plain: Vec<String> =
        CHECKERS.iter().filter_map(|cc| reports(&verdict.file, verdict.line, cc)).collect();
    if !plain.is_empty() {
        return plain;
    }
    let scratch = Scratch::new();
    let Some(text) = moved(verdict) else { return plain };
    let file = scratch.write("moved.c", text);
    let said = CHECKERS.iter().filter_map(|cc| reports(&file, verdict.line, cc));
    said.map(|said| format!("{said} with the object at an odd address")).collect()
}

/// Whether the compiler's own check reports a misaligned access, there or elsewhere.
fn reports(file: &Path, line: usize, cc: &str) -> Option<String> {
    let scratch = Scratch::new();
    let output = compiled(&scratch, file, cc, &["-O0", "-fsanitize=alignment"])?;
    let text = output.stderr_text();
    let reported: BTreeSet<usize> = text
        .lines()
        .filter(|line| line.contains("runtime error") && line.contains("misaligned"))
        .filter_map(|line| line.split_once(".c:")?.1.split(':').next()?.parse().ok())
        .collect();
    match (reported.contains(&line), reported.first()) {
        (true, _) => Some(format!("{cc} reports this line")),
        (false, Some(other)) => Some(format!("{cc} reports line {other}")),
        (false, None) => None,
    }
}

/// The program with the object of the verdict behind a byte in a packed struct, its type and all uses as they were.
///
/// `T x[3] = I;` becomes `struct { char pad; T x[3]; } __attribute__((packed)) x_odd = { 0, I };` in the same lines, and
/// `x` is a macro from then on.
fn moved(verdict: &Verdict) -> Option<String> {
    let (name, line) = verdict.object.as_ref()?;
    let text = std::fs::read_to_string(&verdict.file).ok()?;
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let (head, rest) = (&text[..start], &text[start..]);
    let (declaration, tail) = rest.split_once(';')?;
    let (declarator, initialiser) = declaration.split_once('=')?;
    let (class, member) = match declarator.trim_start().strip_prefix("static ") {
        Some(member) => ("static", member),
        None => ("", declarator),
    };
    let (same_line, after) = tail.split_once('\n')?;
    let next = line + declaration.matches('\n').count() + 1;
    Some(format!(
        "{head}{class} struct {{ char pad; {member}; }} __attribute__((packed)) {name}_odd = {{ 0, {initialiser} }};\
         {same_line}\n#define {name} ({name}_odd.{name})\n#line {next}\n{after}"
    ))
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
