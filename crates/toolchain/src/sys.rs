//! The few system calls that have no safe wrapper. All of the crate's `unsafe` is here.
#![allow(unsafe_code, reason = "these have no safe wrapper")]

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Pid;
use rustix::thread::UnshareFlags;

/// A child that has ended, with what it and the descendants it waited for used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reaped {
    /// Its number.
    pub pid: Pid,
    /// How it ended.
    pub status: ExitStatus,
    /// User and system time.
    pub cpu: Duration,
    /// The largest resident set of one process among them, in bytes.
    pub peak_rss: u64,
}

/// Whether to wait for a child that still runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wait {
    /// Until one ends.
    Block,
    /// Not at all.
    Poll,
}

/// Reaps the child named, or any. `Ok(None)`: none has ended yet; `ECHILD`: there is none.
pub(crate) fn wait4(child: Option<Pid>, wait: Wait) -> io::Result<Option<Reaped>> {
    let wanted = child.map_or(-1, Pid::as_raw_pid);
    let options = if wait == Wait::Poll { libc::WNOHANG } else { 0 };
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are to live locals of the right type, which the call fills.
    let pid = unsafe { libc::wait4(wanted, &mut status, options, usage.as_mut_ptr()) };
    if pid < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: `rusage` is a struct of integers, for which zeroes are a value; the call has filled it or left it.
    let usage = unsafe { usage.assume_init() };
    let Some(pid) = Pid::from_raw(pid) else { return Ok(None) };
    Ok(Some(Reaped {
        pid,
        status: ExitStatus::from_raw(status),
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        peak_rss: u64::try_from(usage.ru_maxrss).unwrap_or(0).saturating_mul(1024),
    }))
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

/// Kills every process of this PID namespace but its first, which must be the caller.
pub(crate) fn kill_namespace() -> io::Result<()> {
    if std::process::id() != 1 {
        // Outside a namespace this would be everybody's processes.
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // SAFETY: no memory is involved.
    match unsafe { libc::kill(-1, libc::SIGKILL) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether a signal is ignored.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let mut now = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: nothing is changed; the pointer is to a live local of the right type, which the call fills or leaves.
    let asked = unsafe { libc::sigaction(signal, std::ptr::null(), now.as_mut_ptr()) };
    // SAFETY: zeroes are a value of this struct of integers and an optional function.
    asked == 0 && unsafe { now.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// Gives every signal back its default action, but for SIGPIPE, which Rust sets for itself and for its children.
pub(crate) fn default_signals() {
    for signal in (1..=libc::SIGRTMAX()).filter(|&signal| signal != libc::SIGPIPE) {
        // SAFETY: no handler of ours is replaced; a signal that cannot be set (SIGKILL) stays as it is.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// Leaves namespaces. The process must have one thread only.
pub(crate) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: the flags used in this crate unshare namespaces, never the table of open files, so no file
    // descriptor of another thread changes its meaning.
    Ok(unsafe { rustix::thread::unshare_unsafe(flags) }?)
}
