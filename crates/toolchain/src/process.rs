//! One child process under limits, its output captured.
//!
//! The child leads a process group of its own and the whole group is killed when the child ends, takes too long or
//! writes too much, so nothing it started stays behind in that group. One thread waits for the child and both
//! pipes at once: no pipe can fill up unread, and a grandchild that keeps a pipe open cannot hold the run up.
//! This is for single runs of tools that the user trusts, such as a preprocessor: limits on CPU time, memory, files
//! and on descendants that leave the group are what [`guard`](crate::guard) is for.
#![allow(clippy::disallowed_methods, reason = "this crate starts processes")]

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal, prlimit};

use crate::interrupt::Leftovers;
use crate::stream::Pipes;

/// What to run.
#[derive(Clone, Debug, Default)]
pub struct Invocation {
    /// The program: a path, or a name to look up on PATH.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The folder to run in; none is the caller's.
    pub dir: Option<PathBuf>,
    /// What it reads from its standard input.
    pub stdin: Vec<u8>,
}

impl Invocation {
    /// A program without arguments.
    pub fn new(program: impl Into<OsString>) -> Invocation {
        Invocation { program: program.into(), ..Invocation::default() }
    }

    /// Adds an argument.
    pub fn arg(&mut self, arg: impl AsRef<OsStr>) -> &mut Invocation {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(&mut self, args: impl IntoIterator<Item = A>) -> &mut Invocation {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }
}

/// What a child may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Wall-clock time from its start.
    pub wall: Duration,
    /// Bytes it may write to each of stdout and stderr.
    pub output: usize,
    /// Address space of each of its processes. It is set just after the start: what a program does in its first moments
    /// is not bounded.
    pub address_space: Option<u64>,
}

impl Default for Limits {
    /// Enough for any preprocessor run: a minute, 256 MiB of output.
    fn default() -> Limits {
        Limits { wall: Duration::from_secs(60), output: 256 << 20, address_space: None }
    }
}

/// How a child ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its status: the signal is KILL if a limit ended it.
    pub status: ExitStatus,
    /// What it wrote to standard output, as far as the limit allows.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, as far as the limit allows.
    pub stderr: Vec<u8>,
    /// It wrote more than the limit and was killed for it.
    pub truncated: bool,
    /// It ran longer than the limit and was killed for it.
    pub timed_out: bool,
}

impl Finished {
    /// Whether it ended by itself with status 0.
    pub fn success(&self) -> bool {
        self.status.success() && !self.truncated && !self.timed_out
    }
}

/// Why a child could not be run at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no such program.
    #[error("{}: not found", program.display())]
    NotFound {
        /// What was asked for.
        program: OsString,
    },
    /// The system refused to start or to watch it.
    #[error("cannot run {}: {source}", program.display())]
    System {
        /// What was asked for.
        program: OsString,
        /// What the system said.
        source: io::Error,
    },
}

/// Runs a child to its end. Messages come in English (`LC_ALL=C`), so that they can be recognised.
pub fn run(invocation: &Invocation, limits: &Limits) -> Result<Finished, RunError> {
    let program = &invocation.program;
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => RunError::NotFound { program: program.clone() },
        _ => RunError::System { program: program.clone(), source },
    };
    let mut command = Command::new(program);
    command.args(&invocation.args).env("LC_ALL", "C").process_group(0);
    command.stdin(if invocation.stdin.is_empty() { Stdio::null() } else { Stdio::piped() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(dir) = &invocation.dir {
        command.current_dir(dir);
    }
    let start = Instant::now();
    // Ctrl-C must find the child in the list or not started.
    let mut left = Leftovers::lock();
    let mut child = command.spawn().map_err(failed)?;
    let leader = Pid::from_raw(child.id().cast_signed());
    leader.iter().for_each(|&leader| left.add_group(leader));
    drop(left);
    if limits.address_space.is_some() {
        let limit = Rlimit { current: limits.address_space, maximum: limits.address_space };
        // The child may have ended already.
        let _ = prlimit(leader, Resource::As, limit);
    }
    let watched = watch(&mut child, &invocation.stdin, start, limits);
    // The child is a zombie or alive: its group's number cannot belong to anybody else yet.
    if let Some(leader) = leader {
        // An error means that the whole group has gone already.
        let _ = rustix::process::kill_process_group(leader, Signal::KILL);
        Leftovers::lock().forget_group(leader);
    }
    let status = child.wait().map_err(failed)?;
    let (Pipes { stdout, stderr, .. }, timed_out) = watched.map_err(failed)?;
    Ok(Finished {
        status,
        truncated: stdout.truncated || stderr.truncated,
        stdout: stdout.bytes,
        stderr: stderr.bytes,
        timed_out,
    })
}

/// Feeds and reads the child until it ends or a limit is reached; it is not reaped.
fn watch<'a>(
    child: &mut Child,
    stdin: &'a [u8],
    start: Instant,
    limits: &Limits,
) -> io::Result<(Pipes<'a>, bool)> {
    let pid = Pid::from_raw(child.id().cast_signed()).ok_or(io::ErrorKind::InvalidData)?;
    let ended = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
    let mut pipes = Pipes::of(child, stdin, limits.output)?;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let Some(left) = limits.wall.checked_sub(start.elapsed()) else {
            return Ok((pipes, true));
        };
        // A wait longer than the system can count is as good as none.
        let timeout = Timespec::try_from(left).ok();
        let mut waits = vec![PollFd::new(&ended, PollFlags::IN)];
        pipes.wait_for(&mut waits);
        match rustix::event::poll(&mut waits, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        // Asked before the pipes are emptied: what an ended child wrote is in them by now.
        let over = !waits[0].revents().is_empty();
        if pipes.serve(&mut buffer)? || over {
            return Ok((pipes, false));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn shell(script: &str, stdin: &[u8], limits: &Limits) -> Finished {
        let mut invocation = Invocation::new("sh");
        invocation.args(["-c", script]);
        invocation.stdin = stdin.to_vec();
        run(&invocation, limits).unwrap()
    }

    #[test]
    fn output_and_status_are_captured() {
        let finished = shell("echo out; echo err >&2; exit 3", b"", &Limits::default());
        assert_eq!(finished.status.code(), Some(3));
        assert_eq!((&*finished.stdout, &*finished.stderr), (&b"out\n"[..], &b"err\n"[..]));
        assert!(!finished.truncated && !finished.timed_out && !finished.success());
    }

    #[test]
    fn large_input_and_output_do_not_deadlock() {
        let input = vec![b'x'; 3 << 20];
        let finished = shell("tee /dev/stderr", &input, &Limits::default());
        assert!(finished.success());
        assert!(finished.stdout == input && finished.stderr == input);
    }

    #[test]
    fn unwanted_input_is_no_error() {
        let finished = shell("exec <&-; echo done", &vec![b'x'; 3 << 20], &Limits::default());
        assert_eq!(finished.stdout, b"done\n");
    }

    #[test]
    fn a_late_child_is_killed_with_its_group() {
        let limits = Limits { wall: Duration::from_millis(200), ..Limits::default() };
        let finished = shell("echo $$; sleep 1000 & sleep 1000", b"", &limits);
        assert!(finished.timed_out);
        assert_eq!(finished.status.signal(), Some(9));
        let group: i32 = String::from_utf8(finished.stdout).unwrap().trim().parse().unwrap();
        // The group may keep zombies until init reaps them; nothing in it stays alive. The signal takes effect a
        // moment after it is sent.
        let alive = || {
            let stats = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
                let stat = std::fs::read_to_string(entry.ok()?.path().join("stat")).ok()?;
                let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
                (fields.get(2)?.parse() == Ok(group) && fields.first()? != &"Z").then_some(())
            });
            stats.count() > 0
        };
        let gone = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            !alive()
        });
        assert!(gone);
    }

    #[test]
    fn a_grandchild_that_keeps_the_pipe_does_not_hold_the_run_up() {
        let limits = Limits { wall: Duration::from_secs(20), ..Limits::default() };
        let finished = shell("setsid sleep 3 & echo done", b"", &limits);
        assert!(!finished.timed_out);
        assert_eq!(finished.stdout, b"done\n");
    }

    #[test]
    fn endless_output_is_cut_and_ends_the_child() {
        let limits = Limits { output: 1000, ..Limits::default() };
        let finished = shell("yes", b"", &limits);
        assert!(finished.truncated && !finished.timed_out);
        assert_eq!(finished.stdout.len(), 1000);
    }

    #[test]
    fn memory_is_bounded() {
        let limits = Limits { address_space: Some(200 << 20), ..Limits::default() };
        // The sleep is for the limit to be there; the text is doubled until there is no room for it.
        let script = "sleep 0.2; x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done";
        assert!(!shell(script, b"", &limits).success());
        assert!(shell("sleep 0.1; echo x | grep -q x", b"", &limits).success());
    }

    #[test]
    fn exactly_the_limit_is_not_truncated() {
        let limits = Limits { output: 4, ..Limits::default() };
        let finished = shell("echo abc", b"", &limits);
        assert!(finished.success());
        assert_eq!(finished.stdout, b"abc\n");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&Invocation::new("no-such-program-here"), &Limits::default()).unwrap_err();
        assert_eq!(error.to_string(), "no-such-program-here: not found");
    }
}
