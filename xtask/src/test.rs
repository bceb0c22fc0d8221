//! `cargo xtask test`: what must hold before a commit. It does not decide what the tests are; cargo does.

use crate::{cargo, corpus, edges, packages, root, times};
use anyhow::{Context, Result, bail};
use howler_testkit::{REQUIRE_ALL, SKIP_LOG, Scratch};
use std::path::Path;
use std::time::Instant;

/// Runs all steps, also after one failed, so that one run shows everything there is to mend.
pub(crate) fn run() -> Result<()> {
    let scratch = Scratch::new();
    let skips = scratch.path("skips");
    let mut failed = Vec::new();
    let mut step = |name: &'static str, work: &mut dyn FnMut() -> Result<()>| {
        eprintln!("xtask: {name}");
        let start = Instant::now();
        if let Err(error) = work() {
            eprintln!("xtask: {name}: {error:#}");
            failed.push(name);
        }
        if start.elapsed().as_secs() >= 2 {
            eprintln!("xtask: {name} took {}", times::clock(start.elapsed()));
        }
    };
    step("packages", &mut packages::provide);
    step("corpus", &mut provide_corpus);
    step("formatting", &mut || call(&["fmt", "--all", "--check"], &skips));
    step("dependencies", &mut edges::check);
    step("lints", &mut || call(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &skips));
    let log = scratch.path("times");
    let runner = times::runner(&log);
    let tests = ["--config", &runner, "test", "--workspace", "--no-fail-fast"];
    step("tests", &mut || call(&tests, &skips));
    print!("{}", times::table(&log));

    let skipped = std::fs::read_to_string(&skips).unwrap_or_default();
    let skipped: Vec<&str> = skipped.lines().filter(|line| line.starts_with("skipped: ")).collect();
    skipped.iter().for_each(|line| println!("{line}"));
    println!("xtask: {} skipped", skipped.len());
    if !skipped.is_empty() && std::env::var_os(REQUIRE_ALL).is_some_and(|value| value == "1") {
        failed.push("nothing skipped");
    }
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    println!("xtask: all passed");
    Ok(())
}

/// Output goes straight through, so that cargo's own closing lines stand as cargo writes them.
fn call(args: &[&str], skips: &Path) -> Result<()> {
    let status = cargo().args(args).env(SKIP_LOG, skips).status().context("cannot start cargo")?;
    if !status.success() {
        bail!("`cargo {}` failed", args.join(" "));
    }
    Ok(())
}

/// Without its sources the corpus stays away: the tests that need it then count themselves as skipped.
fn provide_corpus() -> Result<()> {
    if corpus::possible() {
        return corpus::fill(corpus::Size::Small);
    }
    eprintln!("xtask: {} is not filled: csmith or gcc-12-source is missing", root().join("corpus").display());
    Ok(())
}
