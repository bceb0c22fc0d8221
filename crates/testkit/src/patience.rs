//! Waiting with an end: for something that a child does, and for the child itself. A test that waits for ever says
//! nothing; one that gives up says what it waited for.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// Long enough for a busy machine. No test needs it.
const LIMIT: Duration = Duration::from_secs(300);

/// Waits until something is true that a running child brings about.
///
/// # Panics
/// If the child ends before, or it takes minutes; the child is killed then.
pub fn wait_for(child: &mut Child, what: &str, mut is_true: impl FnMut() -> bool) {
    let deadline = Instant::now() + LIMIT;
    while !is_true() {
        let ended = child.try_wait().expect("it is our child");
        if let Some(status) = ended {
            panic!("it ended by itself ({status}) before {what}");
        }
        if Instant::now() >= deadline {
            let _ = child.kill();
            let _ = child.wait();
            panic!("never true: {what}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end of a child.
///
/// # Panics
/// If it takes minutes; the child is killed then.
pub fn end_of(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + LIMIT;
    loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            return status;
        }
        if Instant::now() >= deadline {
            let _ = child.kill();
            let _ = child.wait();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A command whose signals are as in a terminal, whatever started the tests: `nohup` and shells that start something in
/// the background have some ignored, and children inherit that.
///
/// ```
/// let status = howler_testkit::undisturbed("sh").args(["-c", "kill -HUP $$"]).status().unwrap();
/// assert!(!status.success());
/// ```
pub fn undisturbed(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("env");
    command.arg("--default-signal").arg(program);
    command
}
