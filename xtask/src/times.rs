//! How long each test file takes: cargo starts every test binary through `xtask timed`, which notes its time.
//!
//! Output goes straight through. Building is not in it, and neither is what rustdoc takes to compile examples.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// The command by which cargo starts a test binary.
pub(crate) const TIMED: &str = "timed";

/// Files that are listed; the others are summed up.
const SHOWN: Duration = Duration::from_secs(1);

/// The setting that makes cargo start tests so, with the file for the times.
pub(crate) fn runner(log: &Path) -> String {
    let own = std::env::current_exe().unwrap_or_else(|_| "xtask".into());
    let quoted = |path: &Path| toml_text(&path.display().to_string());
    format!("target.'cfg(all())'.runner = [{}, \"{TIMED}\", {}]", quoted(&own), quoted(log))
}

fn toml_text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Runs a test binary as it would be run without this, and notes its time.
pub(crate) fn timed(log: &Path, program: &Path, args: &[&str]) -> ExitCode {
    let start = Instant::now();
    let status = match Command::new(program).args(args).status() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("xtask: cannot start {}: {error}", program.display());
            return ExitCode::FAILURE;
        }
    };
    let line = format!("{} {}\n", start.elapsed().as_millis(), name(program));
    let file = std::fs::OpenOptions::new().create(true).append(true).open(log);
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        eprintln!("xtask: cannot note a time: {error}");
    }
    if let Some(signal) = status.signal() {
        eprintln!("xtask: {} was ended by signal {signal}", program.display());
    }
    ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101))
}

/// `howler-front::hostile` for `target/debug/deps/hostile-0123456789abcdef`: cargo says which package it is.
fn name(program: &Path) -> String {
    let file = program.file_name().unwrap_or_default().to_string_lossy();
    let stem = file.rsplit_once('-').map_or(&*file, |(stem, _)| stem);
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    match stem {
        "rust_out" => format!("{package}::(examples in documents)"),
        _ if stem.replace('_', "-") == package => format!("{package}::(inside)"),
        _ => format!("{package}::{stem}"),
    }
}

/// The times that were noted, the longest first.
pub(crate) fn table(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let mut sums: BTreeMap<&str, Duration> = BTreeMap::new();
    for (time, name) in text.lines().filter_map(entry) {
        *sums.entry(name).or_default() += time;
    }
    let mut times: Vec<(Duration, &str)> = sums.into_iter().map(|(name, time)| (time, name)).collect();
    times.sort_by(|one, two| two.cmp(one));
    let all: Duration = times.iter().map(|(time, _)| *time).sum();
    let (long, short): (Vec<_>, Vec<_>) = times.into_iter().partition(|(time, _)| *time >= SHOWN);
    let mut table = format!("xtask: {} test files took {}\n", long.len() + short.len(), clock(all));
    for (time, name) in long {
        table.push_str(&format!("  {:>8} {name}\n", clock(time)));
    }
    if !short.is_empty() {
        let sum = short.iter().map(|(time, _)| *time).sum();
        table.push_str(&format!("  {:>8} {} others\n", clock(sum), short.len()));
    }
    table
}

fn entry(line: &str) -> Option<(Duration, &str)> {
    let (millis, name) = line.split_once(' ')?;
    Some((Duration::from_millis(millis.parse().ok()?), name))
}

/// `4.2 s`, `3m05s`.
pub(crate) fn clock(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 60.. => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_comes_first() {
        let scratch = howler_testkit::Scratch::new();
        let log = scratch.write("times", "1000 a::b\nnonsense\n185000 c::d\n20 e::f\n30 g::h\n500 a::b\n");
        let expected =
            "xtask: 4 test files took 3m06s\n     3m05s c::d\n     1.5 s a::b\n     0.1 s 2 others\n";
        assert_eq!(table(&log), expected);
        assert_eq!(table(&scratch.path("missing")), "xtask: 0 test files took 0.0 s\n");
    }

    #[test]
    fn the_setting_is_toml() {
        let setting = runner(Path::new("/tmp/a \"b\"\\c"));
        assert!(setting.starts_with("target.'cfg(all())'.runner = [\""), "{setting}");
        assert!(setting.ends_with(r#", "timed", "/tmp/a \"b\"\\c"]"#), "{setting}");
    }
}
