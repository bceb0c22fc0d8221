//! Pipes instead of files and readers that go away: what is read once is read whole, and no status is lost.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

use howler_testkit::Scratch;
use std::process::{Command, Output, Stdio};

/// Runs a shell script in which `$howler` is the command, in a folder of its own.
fn shell(scratch: &Scratch, script: &str) -> Option<Output> {
    let shell = howler_testkit::tool("bash")?;
    howler_testkit::tool("gcc")?;
    let mut command = Command::new(shell);
    command.args(["-c", script]).env("howler", env!("CARGO_BIN_EXE_howler")).current_dir(scratch.folder());
    Some(command.stdin(Stdio::null()).output().expect("bash runs"))
}

/// Checks the exit status of scripts, given the files `good.c` and `bad.c`.
fn expect(cases: &[(&str, i32, &str)]) {
    let scratch = Scratch::new();
    scratch.write("good.c", "int x;\n");
    scratch.write("bad.c", "int q = zz;\n");
    scratch.write("run.c", "int main(void) { return 7; }\n");
    for &(script, status, said) in cases {
        let Some(output) = shell(&scratch, script) else { return };
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{script}\n{text}");
        assert!(text.contains(said), "{script}\n{text}");
    }
}

#[test]
fn a_file_may_be_a_pipe() {
    expect(&[
        ("$howler check <(echo 'int q = zz;')", 1, ":1:9: error: 'zz' undeclared"),
        ("$howler check <(echo 'int q;')", 0, ": ok (0 functions, 1 object,"),
        ("echo 'int q = zz;' | $howler check /dev/stdin", 1, "/dev/stdin:1:9: error: 'zz'"),
        ("$howler check /dev/stdin < bad.c", 1, "/dev/stdin:1:9: error: 'zz'"),
        ("$howler check - < bad.c", 1, "<stdin>:1:9: error: 'zz'"),
        ("mkfifo fifo.c; cat bad.c > fifo.c & $howler check fifo.c", 1, "fifo.c:1:9: error: 'zz'"),
        ("mkfifo fifo.i; cat bad.c > fifo.i & $howler check fifo.i", 1, "fifo.i:1:9: error: 'zz'"),
        ("$howler run <(echo 'int main(void) { return 5; }')", 5, ""),
        ("$howler check .", 2, "Is a directory"),
    ]);
}

#[test]
fn a_reader_that_goes_away_changes_no_status() {
    // A write end whose reader is gone for sure: the reader closes before the command starts.
    let gone = "exec 3> >(exec true); wait $!; ";
    expect(&[
        (&format!("{gone} $howler check bad.c >&3 2>&3"), 1, ""),
        (&format!("{gone} $howler check good.c >&3 2>&3"), 0, ""),
        (&format!("{gone} $howler check good.c bad.c >&3"), 1, "bad.c:1:9: error: 'zz'"),
        (&format!("{gone} $howler check --json bad.c good.c >&3 2>&3"), 1, ""),
        (&format!("{gone} $howler check --json no-such.c good.c >&3 2>&3"), 2, ""),
        (&format!("{gone} $howler run run.c >&3 2>&3"), 7, ""),
        (&format!("{gone} $howler run --judge run.c >&3 2>&3"), 0, ""),
    ]);
}

#[test]
fn what_is_no_text_gives_a_short_message() {
    let scratch = Scratch::new();
    let bytes: Vec<u8> = (0..400_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    std::fs::write(scratch.path("noise.c"), bytes).expect("the folder is ours");
    let Some(output) = shell(&scratch, "$howler check noise.c") else { return };
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.len() < 100_000, "{} bytes", output.stderr.len());
}
