//! Which of the programs that gcc-12 rejects does `howler check` reject too?
//!
//! A file of gcc.dg belongs to the class of gcc's first error, by the patterns of data/reject-classes.txt. The
//! `-std` and pedantry of its `dg-options` are given to both.

use super::{Answer, check, corpus, each, first_complaint, short};
use crate::root;
use anyhow::{Context, Result};
use howler_testkit::{Options, Output};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

pub(super) fn run() -> Result<()> {
    let classes = std::fs::read_to_string(root().join("xtask/data/reject-classes.txt"))
        .context("cannot read the classes")?;
    let classes: Vec<(&str, &str)> = classes
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .collect();
    let files = corpus("gcc/gcc.dg")?;
    let rows = each(&files, |file| row(file, &classes));
    let mut table: BTreeMap<String, BTreeMap<Answer, usize>> = BTreeMap::new();
    for (file, row) in files.iter().zip(rows) {
        let Some((class, error, answer, complaint)) = row else { continue };
        *table.entry(class.clone()).or_default().entry(answer).or_default() += 1;
        if class != "other" && answer != Answer::Rejected {
            println!("{class} {answer:?} {}: {error} [{complaint}]", short(file));
        }
    }
    for (class, counts) in table {
        let supported: usize = counts
            .iter()
            .filter(|(answer, _)| !matches!(answer, Answer::Unsupported | Answer::CouldNotWork))
            .map(|(_, count)| count)
            .sum();
        let rejected = counts.get(&Answer::Rejected).copied().unwrap_or(0);
        let share = 100.0 * rejected as f64 / supported.max(1) as f64;
        println!("{class}: {rejected} of {supported} rejected ({share:.1} %): {counts:?}");
    }
    Ok(())
}

/// The class of a file that gcc-12 rejects, gcc's first error, and Howler's answer.
fn row(file: &Path, classes: &[(&str, &str)]) -> Option<(String, String, Answer, String)> {
    let flags = dg_flags(file);
    let gcc = gcc(file, &flags);
    let text = gcc.stderr_text().replace(['\u{2018}', '\u{2019}'], "'");
    let error =
        text.lines().find_map(|line| line.split_once(": error: ")).map(|(_, error)| error.to_owned())?;
    if gcc.success() {
        return None;
    }
    let class = classes.iter().find(|(_, pattern)| matches_pattern(pattern, &error));
    let output = check(file, check_flags(&flags));
    let class = class.map_or("other", |(class, _)| class).to_owned();
    Some((class, error, Answer::of(&output), first_complaint(&output)))
}

/// What gcc-12's front end says about a file.
pub(super) fn gcc(file: &Path, flags: &[String]) -> Output {
    let options = Options { timeout: Duration::from_secs(60), folder: file.parent(), ..Options::default() };
    let mut args: Vec<&std::ffi::OsStr> = flags.iter().map(AsRef::as_ref).collect();
    args.extend(["-fsyntax-only".as_ref(), "-fno-diagnostics-show-caret".as_ref(), file.as_os_str()]);
    howler_testkit::run("gcc-12", args, &options)
}

/// The same flags for `howler check`.
pub(super) fn check_flags(flags: &[String]) -> Vec<&str> {
    let mut all = Vec::new();
    for flag in flags {
        match flag.strip_prefix("-std=") {
            Some(std) => all.extend(["--std", std]),
            None => all.push("--pedantic-errors"),
        }
    }
    all
}

/// The flags of `dg-options` that change what is an error. Others are given to neither: a file that is wrong only with
/// `-Werror`, or right only with `-fopenmp`, is judged as plain C by both.
pub(super) fn dg_flags(file: &Path) -> Vec<String> {
    let text = String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned();
    let mut flags = Vec::new();
    for line in text.lines().filter(|line| line.contains("dg-options") && !line.contains("target")) {
        for word in line.split(|c: char| c.is_whitespace() || c == '"' || c == '{' || c == '}') {
            let std = word.strip_prefix("-std=").is_some_and(howler_std);
            if std || word == "-pedantic-errors" {
                flags.push(word.to_owned());
            }
        }
    }
    flags
}

fn howler_std(name: &str) -> bool {
    matches!(
        name,
        "c89"
            | "c90"
            | "c99"
            | "c11"
            | "c17"
            | "c18"
            | "gnu89"
            | "gnu90"
            | "gnu99"
            | "gnu11"
            | "gnu17"
            | "gnu18"
            | "iso9899:1990"
            | "iso9899:199409"
            | "iso9899:1999"
            | "iso9899:2011"
    )
}

/// Whether the parts of `pattern` between `*` occur in `text` in this order.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let mut rest = text;
    pattern.split('*').all(|part| match rest.find(part.trim()) {
        Some(at) => {
            rest = &rest[at + part.trim().len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::matches_pattern;

    #[test]
    fn a_star_matches_anything() {
        assert!(matches_pattern("storage size of * isn't known", "storage size of 'x' isn't known"));
        assert!(matches_pattern("* of read-only", "assignment of read-only variable 'x'"));
        assert!(!matches_pattern("lvalue required as", "invalid lvalue"));
    }
}
