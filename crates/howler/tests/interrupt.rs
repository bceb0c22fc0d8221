//! Ctrl-C ends the command with 130 and leaves no folder and no child behind.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

use howler_testkit::{Scratch, end_of, undisturbed, wait_for};
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
    let mut child = undisturbed(env!("CARGO_BIN_EXE_howler"))
        .args(["check", "--cc", "gcc-12", "-"])
        .env("TMPDIR", scratch.folder())
        .stdin(Stdio::piped())
        .spawn()
        .expect("howler starts");
    wait_for(&mut child, "a folder of its own", || entries() > 0);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    assert_eq!(end_of(&mut child).code(), Some(130));
    assert_eq!(entries(), 0);
}

/// A preprocessor that starts a child of its own and waits for it for ever, once it is given a file.
const SLOW: &str = "#!/bin/sh\ncase \"$*\" in\n*slow.c*) sleep 1000 & echo $! $$ > pids.new; mv pids.new pids; wait;;\n\
                    *) exec gcc \"$@\";;\nesac\n";

#[test]
fn children_of_the_preprocessor_end_too() {
    use std::os::unix::fs::PermissionsExt;
    if howler_testkit::tool("gcc").is_none() {
        return;
    }
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let scratch = Scratch::new();
        scratch.write("slow.c", "int x;\n");
        let compiler = scratch.write("slow-cc", SLOW);
        std::fs::set_permissions(&compiler, PermissionsExt::from_mode(0o755)).expect("the file is ours");
        let mut child = undisturbed(env!("CARGO_BIN_EXE_howler"))
            .args(["check", "--cc", "./slow-cc", "slow.c"])
            .current_dir(scratch.folder())
            .spawn()
            .expect("howler starts");
        wait_for(&mut child, "the preprocessor waits", || scratch.path("pids").is_file());
        let pids = std::fs::read_to_string(scratch.path("pids")).expect("it is there");
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill starts").success());
        assert_eq!(end_of(&mut child).code(), Some(status));
        // A killed process may be a zombie until init asks for it.
        let alive = |pid: &str| {
            std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
        };
        let gone = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            !pids.split_whitespace().any(alive)
        });
        assert!(gone, "{signal}: {pids}");
    }
}
