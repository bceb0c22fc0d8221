//! What optimizers say of a program: clang's remarks by pass and name, and gcc's statistics by pass and name, with how often
//! each came.

use super::first_complaint;
use super::smith::INCLUDE;
use anyhow::{Context, Result};
use howler_testkit::{Options, Output, Scratch, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How often each kind came.
pub(super) type Counts = BTreeMap<String, u64>;

/// What both compilers said of one program, and how many of the two compiles failed.
pub(super) struct Said {
    /// clang-16's remarks: pass, name, and whether it was passed, missed or analysed.
    pub clang: Counts,
    /// gcc-12's statistics: pass and name.
    pub gcc: Counts,
    /// Compiles that failed or took too long.
    pub failed: u32,
}

/// Compiles a file at -O3 with both.
pub(super) fn said(scratch: &Scratch, label: &str, file: &Path) -> Result<Said> {
    let file = file.to_str().context("an odd path")?;
    let base = ["-O3", "-w", "-c", INCLUDE, file, "-o", "/dev/null"];
    let options = Options { timeout: Duration::from_secs(300), ..Options::default() };
    let yaml = scratch.path("remarks.yaml");
    let flags =
        ["-fsave-optimization-record".to_owned(), format!("-foptimization-record-file={}", yaml.display())];
    let args = base.iter().map(|arg| (*arg).to_owned()).chain(flags);
    let mut failed = u32::from(complains(label, &run("clang-16", args, &options)));
    let clang = remarks(&fs::read_to_string(&yaml).unwrap_or_default());
    let dump = scratch.path("statistics");
    let flag = format!("-fdump-statistics-stats={}", dump.display());
    let args = base.iter().map(|arg| (*arg).to_owned()).chain([flag]);
    failed += u32::from(complains(label, &run("gcc-12", args, &options)));
    let gcc = statistics(&fs::read_to_string(&dump).unwrap_or_default());
    // What one compile left is not the next one's.
    let _ = (fs::remove_file(&yaml), fs::remove_file(&dump));
    Ok(Said { clang, gcc, failed })
}

/// Whether a compile failed, and a word about it.
fn complains(label: &str, output: &Output) -> bool {
    if !output.success() {
        eprintln!("{label}: {:?} {}", output.code, first_complaint(output));
    }
    !output.success()
}

/// The remarks in clang's record: the pass, the name, and passed, missed or analysed.
pub(super) fn remarks(yaml: &str) -> Counts {
    let (mut counts, mut what, mut pass) = (Counts::new(), "", "");
    for line in yaml.lines() {
        if let Some(rest) = line.strip_prefix("--- !") {
            what = rest;
        } else if let Some(rest) = line.strip_prefix("Pass:") {
            pass = rest.trim();
        } else if let Some(name) = line.strip_prefix("Name:") {
            *counts.entry(format!("{pass} {} {}", name.trim(), what.to_lowercase())).or_default() += 1;
        }
    }
    counts
}

/// gcc's statistics: the pass, and the name up to a number that it is about. Those of value numbering say how much it looked
/// at, not what it did.
pub(super) fn statistics(dump: &str) -> Counts {
    let mut counts = Counts::new();
    for line in dump.lines() {
        let parsed = line.split_once(' ').and_then(|(_, rest)| rest.split_once(" \""));
        let Some((pass, rest)) = parsed else { continue };
        let Some((name, count)) = rest.rsplit_once("\" ") else { continue };
        let name = name.split_once(" == ").map_or(name, |(name, _)| name);
        if !name.starts_with("RPO") {
            *counts.entry(format!("{pass} {name}")).or_default() += count.trim().parse().unwrap_or(1);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_from_what_compilers_write() {
        let yaml = "--- !Missed\nPass:            licm\nName:            LoadWith\nFunction: f\n...\n";
        assert_eq!(remarks(yaml), Counts::from([("licm LoadWith missed".to_owned(), 1)]));
        let dump = "44 fre \"RPO blocks\" 4\n39 ccp \"Statements deleted\" 2\n7 cfg \"edges == 3\" 1\n";
        let kinds = [("ccp Statements deleted".to_owned(), 2), ("cfg edges".to_owned(), 1)];
        assert_eq!(statistics(dump), Counts::from(kinds));
    }
}
