//! Ctrl-C ends the command with 130 and leaves no folder behind.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

use howler_testkit::Scratch;
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn an_interrupted_check_leaves_nothing_behind() {
    if howler_testkit::tool("gcc-12").is_none() {
        return;
    }
    let scratch = Scratch::new();
    let entries = || std::fs::read_dir(scratch.folder()).expect("the folder exists").count();
    // It waits for its input for ever.
    let mut child = Command::new(env!("CARGO_BIN_EXE_howler"))
        .args(["check", "--cc", "gcc-12", "-"])
        .env("TMPDIR", scratch.folder())
        .stdin(Stdio::piped())
        .spawn()
        .expect("howler starts");
    while entries() == 0 {
        assert!(child.try_wait().expect("it is our child").is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    assert_eq!(child.wait().expect("it is our child").code(), Some(130));
    assert_eq!(entries(), 0);
}
