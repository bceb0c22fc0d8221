//! The kit itself: timeouts reach grandchildren, outputs are whole, skips are written down.
#![allow(clippy::disallowed_methods, reason = "a test starts itself with another environment")]

use howler_testkit::{Options, REQUIRE_ALL, SKIP_LOG, Scratch, run, tool};
use std::process::Command;
use std::time::Duration;

#[test]
fn a_timeout_ends_grandchildren_too() {
    let scratch = Scratch::new();
    let script = "(sleep 30; touch late) & echo started; sleep 30";
    let options =
        Options { timeout: Duration::from_millis(300), folder: Some(scratch.folder()), ..Options::default() };
    let output = run("sh", ["-c", script], &options);
    assert!(output.timed_out && !output.success());
    assert_eq!((output.signal, output.stdout_text().as_str()), (Some(9), "started\n"));
    assert!(!scratch.path("late").exists());
}

#[test]
fn a_process_that_closes_its_outputs_still_has_a_deadline() {
    let options = Options { timeout: Duration::from_millis(300), ..Options::default() };
    assert!(run("sh", ["-c", "exec sleep 30 >&- 2>&-"], &options).timed_out);
}

#[test]
fn large_outputs_on_both_pipes_arrive_and_are_cut() {
    let script = "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2";
    let whole = run("sh", ["-c", script], &Options::default());
    assert!(whole.success());
    assert_eq!((whole.stdout.len(), whole.stderr.len()), (300_000, 300_000));
    let cut = run("sh", ["-c", script], &Options { keep: 1000, ..Options::default() });
    assert_eq!((cut.code, cut.stdout.len(), cut.stderr.len()), (Some(0), 1000, 1000));
}

#[test]
fn input_that_nobody_reads_does_no_harm() {
    let input = vec![b'x'; 1 << 20];
    assert!(run("true", [""; 0], &Options { input: &input, ..Options::default() }).success());
}

#[test]
fn skips_are_written_down() {
    if std::env::var_os("TESTKIT_INNER").is_some() {
        assert_eq!(tool("no-such-compiler"), None);
        return;
    }
    let scratch = Scratch::new();
    let log = scratch.path("skips");
    let run_with = |require_all: &str| {
        let this = std::env::current_exe().expect("a test has a file");
        Command::new(this)
            .args(["--exact", "skips_are_written_down"])
            .env("TESTKIT_INNER", "1")
            .env(SKIP_LOG, &log)
            .env(REQUIRE_ALL, require_all)
            .output()
            .expect("a test can be started again")
    };
    assert!(run_with("0").status.success());
    let line = "skipped: skips_are_written_down: no-such-compiler is not installed\n";
    assert_eq!(std::fs::read_to_string(&log).expect("the log exists"), line);
    let required = run_with("1");
    assert!(!required.status.success());
    assert!(String::from_utf8_lossy(&required.stdout).contains("HOWLER_REQUIRE_ALL=1 and skipped: "));
    assert_eq!(std::fs::read_to_string(&log).expect("the log exists"), line.repeat(2));
}
