//! What compilers do with the programs of the machine's catalogue: which undefined and open ones change between
//! compilers and levels, and that no defined one does. What the machine says about them is its own tests' matter.

use super::each;
use crate::root;
use anyhow::{Result, bail};
use howler_testkit::{Options, Scratch, find, run as start};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

#[path = "../../../crates/machine/tests/catalogue/mod.rs"]
mod programs;

use programs::{Expect, Section, sections};

/// The compilers that are asked where they are at hand.
const COMPILERS: [&str; 7] = ["gcc-11", "gcc-12", "gcc-16", "clang-14", "clang-16", "clang-19", "clang-23"];
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

/// How a program ended under one compiler and level.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Rejected,
    Ran { code: Option<i32>, signal: Option<i32>, output: Vec<u8> },
    CutOff,
}

pub(super) fn run() -> Result<()> {
    let compilers: Vec<&str> = COMPILERS.into_iter().filter(|name| find(name).is_some()).collect();
    if compilers.is_empty() {
        bail!("none of {} is on PATH", COMPILERS.join(", "));
    }
    for compiler in &compilers {
        let version = start(compiler, ["--version"], &Options::default()).stdout_text();
        println!("{compiler}: {}", version.lines().next().unwrap_or("does not tell its version"));
    }
    let programs: Vec<Section> = sections().into_iter().filter(|section| asked(&section.expect)).collect();
    let ends = each(&programs, |section| all_ends(section, &compilers));
    let mut kinds: BTreeMap<String, [usize; 6]> = BTreeMap::new();
    let mut detail = String::new();
    let mut broken = 0;
    for (section, ends) in programs.iter().zip(&ends) {
        let kind = section.place.split(".c:").next().unwrap_or("").to_owned();
        let column = match section.expect {
            Expect::Fail(_) => 0,
            Expect::Pass => 2,
            _ => 4,
        };
        let differ = differing(section, ends);
        let row = kinds.entry(kind).or_default();
        row[column] += 1;
        row[column + 1] += usize::from(!differ.is_empty());
        broken += usize::from(column == 2 && !differ.is_empty());
        let word = ["undefined", "defined", "open"][column / 2];
        let shown = if differ.is_empty() { "the same everywhere".to_owned() } else { differ.join(", ") };
        detail += &format!("{}: {} ({word}): {shown}\n", section.place, section.name);
    }
    let folder = root().join("target/survey");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("catalogue.txt"), &detail)?;
    println!(
        "\n| file | undefined | differ | defined | differ | open | differ |\n|---|---|---|---|---|---|---|"
    );
    let mut total = [0; 6];
    for (kind, row) in &kinds {
        println!("{}", line(kind, row));
        total.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
    }
    println!("{}\n\nwhich ones: target/survey/catalogue.txt", line("**all**", &total));
    if broken > 0 {
        detail
            .lines()
            .filter(|line| line.contains("(defined): ") && !line.ends_with("everywhere"))
            .for_each(|line| println!("{line}"));
        bail!("{broken} defined programs do not do what they say");
    }
    Ok(())
}

fn line(name: &str, row: &[usize; 6]) -> String {
    let cells: Vec<String> = row.iter().map(usize::to_string).collect();
    format!("| {name} | {} |", cells.join(" | "))
}

/// Limits, aborts and what is no program say nothing about compilers.
fn asked(expect: &Expect) -> bool {
    matches!(expect, Expect::Fail(_) | Expect::Pass | Expect::Open)
}

/// The configurations that do not do what a defined program must, or, for the others, what the first one does.
fn differing(section: &Section, ends: &[(String, End)]) -> Vec<String> {
    let known = End::Ran { code: Some(0), signal: None, output: section.output().into_bytes() };
    let Some((_, first)) = ends.first() else { return Vec::new() };
    let wanted = if section.expect == Expect::Pass { &known } else { first };
    ends.iter().filter(|(_, end)| end != wanted).map(|(name, _)| name.clone()).collect()
}

fn all_ends(section: &Section, compilers: &[&str]) -> Vec<(String, End)> {
    let scratch = Scratch::new();
    let sources: Vec<PathBuf> = section.files.iter().map(|(name, text)| scratch.write(name, text)).collect();
    let asked = compilers.iter().filter(|compiler| speaks(section, compiler));
    let pairs = asked.flat_map(|compiler| LEVELS.map(|level| (compiler, level)));
    pairs
        .map(|(compiler, level)| {
            (format!("{compiler} {level}"), end(section, &scratch, &sources, compiler, level))
        })
        .collect()
}

/// Whether a program is meant for a compiler: its dialect, and a target that it has the libraries for.
fn speaks(section: &Section, compiler: &str) -> bool {
    (!section.clang || compiler.starts_with("clang")) && (!section.i386 || makes_i386(compiler))
}

fn makes_i386(compiler: &str) -> bool {
    static KNOWN: Mutex<BTreeMap<String, bool>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().expect("nobody panics in here");
    *known.entry(compiler.to_owned()).or_insert_with(|| {
        let scratch = Scratch::new();
        let source = scratch.write("a.c", "int main(void) { return 0; }");
        let program = scratch.path("a");
        let arguments = ["-m32".as_ref(), source.as_os_str(), "-o".as_ref(), program.as_os_str()];
        start(compiler, arguments, &Options::default()).success()
    })
}

fn end(section: &Section, scratch: &Scratch, sources: &[PathBuf], compiler: &str, level: &str) -> End {
    let program = scratch.path("program");
    let mut arguments: Vec<std::ffi::OsString> = section.flags().into_iter().map(Into::into).collect();
    arguments.extend(sources.iter().map(|source| source.clone().into_os_string()));
    arguments.extend([level.into(), "-ffp-contract=off".into(), "-o".into()]);
    arguments.extend([program.clone().into_os_string(), "-lm".into()]);
    if !start(compiler, arguments, &Options::default()).success() {
        return End::Rejected;
    }
    let output = start(&program, [""; 0], &Options { timeout: Duration::from_secs(5), ..Options::default() });
    if output.timed_out {
        return End::CutOff;
    }
    End::Ran { code: output.code, signal: output.signal, output: output.stdout }
}
