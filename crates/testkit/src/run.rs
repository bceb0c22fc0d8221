//! Runs one process under a timeout and collects its output. Not a sandbox.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How to run a process. The default: 60 seconds, the current folder, no input, 64 MiB of each output.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// After this time the process and its children are killed.
    pub timeout: Duration,
    /// The folder to run in.
    pub folder: Option<&'a Path>,
    /// What the process reads.
    pub input: &'a [u8],
    /// How many bytes of each output are kept; the rest is read and dropped.
    pub keep: usize,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { timeout: Duration::from_secs(60), folder: None, input: &[], keep: 64 << 20 }
    }
}

/// How a process ended and what it wrote.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    /// The exit status, if it exited.
    pub code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Whether it was killed because its time was over.
    pub timed_out: bool,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

impl Output {
    /// Whether it exited with status 0 in time.
    pub fn success(&self) -> bool {
        self.code == Some(0) && !self.timed_out
    }

    /// Standard output as text.
    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text.
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// Runs `program`, which is a path or a name on `PATH`.
///
/// ```
/// use howler_testkit::{Options, run};
/// let output = run("sh", ["-c", "cat; exit 3"], &Options { input: b"hello", ..Options::default() });
/// assert_eq!((output.code, output.stdout_text().as_str()), (Some(3), "hello"));
/// ```
///
/// # Panics
/// If the process cannot be started.
pub fn run<A: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = A>,
    options: &Options<'_>,
) -> Output {
    let program = program.as_ref();
    let mut command = Command::new(program);
    // A group of its own, so that a driver's children (cc1, as, ld) die with it.
    command.args(args).process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(if options.input.is_empty() { Stdio::null() } else { Stdio::piped() });
    if let Some(folder) = options.folder {
        command.current_dir(folder);
    }
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => panic!("cannot start {}: {error}", program.display()),
    };
    let deadline = Instant::now() + options.timeout;
    feed(&mut child, options.input);
    let stdout = collect(child.stdout.take().expect("standard output is piped"), options.keep);
    let stderr = collect(child.stderr.take().expect("standard error is piped"), options.keep);

    let mut output = Output::default();
    let in_time = receive(&stdout, deadline, &mut output.stdout)
        && receive(&stderr, deadline, &mut output.stderr)
        && wait(&mut child, deadline).is_some();
    if !in_time {
        output.timed_out = true;
        kill_group(&child);
        // A process that left the group may still hold the pipes; it gets a second, not for ever.
        let grace = Instant::now() + Duration::from_secs(1);
        receive(&stdout, grace, &mut output.stdout);
        receive(&stderr, grace, &mut output.stderr);
    }
    let status = child.wait().expect("a child that was started can be waited for");
    output.code = status.code();
    output.signal = status.signal();
    output
}

fn feed(child: &mut Child, input: &[u8]) {
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // A process need not read its input: a broken pipe is no error. Dropping `stdin` ends the input.
        std::thread::spawn(move || drop(stdin.write_all(&input)));
    }
}

/// Reads to the end in a thread of its own, so that neither pipe can fill up.
fn collect(mut pipe: impl Read + Send + 'static, keep: usize) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        let mut block = [0; 16 * 1024];
        while let Ok(count @ 1..) = pipe.read(&mut block) {
            kept.extend_from_slice(&block[..count.min(keep.saturating_sub(kept.len()))]);
        }
        // The receiver is gone if the process was given up.
        let _ = sender.send(kept);
    });
    receiver
}

/// Whether the bytes came before the deadline, or had come already.
fn receive(bytes: &Receiver<Vec<u8>>, deadline: Instant, into: &mut Vec<u8>) -> bool {
    match bytes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok(bytes) => *into = bytes,
        Err(RecvTimeoutError::Timeout) => return false,
        Err(RecvTimeoutError::Disconnected) => {}
    }
    true
}

/// Waits for a child whose pipes are closed: it ends at once, unless it closed them itself.
fn wait(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    let mut pause = Duration::from_micros(50);
    loop {
        if let Some(status) = child.try_wait().expect("a child that was started can be waited for") {
            return Some(status);
        }
        if Instant::now() >= deadline {
            return None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Safe Rust has no call for a group; the shell does.
fn kill_group(child: &Child) {
    let kill = format!("kill -s KILL -- -{}", child.id());
    let _ = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status();
}
