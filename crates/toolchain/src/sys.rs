//! The few system calls that have no safe wrapper. All of the crate's `unsafe` is here.
#![allow(unsafe_code, reason = "these have no safe wrapper")]

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};
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

/// What is set on mounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Below {
    /// This mount only.
    Alone,
    /// All mounts below it too.
    All,
}

/// Makes a mount read-only, with devices and set-user-id programs that do nothing. Linux 5.12 and later have this.
pub(crate) fn lock_mount(mount: BorrowedFd<'_>, below: Below) -> io::Result<()> {
    set_mount(mount, below, libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV)
}

/// The same, but what is there can be written to.
pub(crate) fn tame_mount(mount: BorrowedFd<'_>) -> io::Result<()> {
    set_mount(mount, Below::Alone, libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV)
}

fn set_mount(mount: BorrowedFd<'_>, below: Below, set: u64) -> io::Result<()> {
    let attributes = libc::mount_attr { attr_set: set, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let flags = libc::AT_EMPTY_PATH | if below == Below::All { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path is a constant, the attributes a live local of the size that is given.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Has every system call from now on pass a filter. `no_new_privs` must be set.
pub(crate) fn filter_calls(program: &[crate::guard::Instruction]) -> io::Result<()> {
    let mut program: Vec<libc::sock_filter> =
        program.iter().map(|&(code, jt, jf, k)| libc::sock_filter { code, jt, jf, k }).collect();
    let length = u16::try_from(program.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    let program = libc::sock_fprog { len: length, filter: program.as_mut_ptr() };
    // SAFETY: the system copies the program, which lives until the call is over.
    let done = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Sees to it that no program started from here inherits an open file but the standard three.
pub(crate) fn close_others_on_start() {
    // SAFETY: no descriptor changes its meaning for this process. A system without the call has what it had before.
    unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}
