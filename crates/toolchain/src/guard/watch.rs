//! One job from start to end: started under its limits, fed and read, looked at, killed if need be, and nothing of it
//! left behind.
#![allow(clippy::disallowed_methods, reason = "this crate starts processes")]

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags, Signal};

use crate::guard::job::{End, Excess, Finished, Input, Job};
use crate::guard::limits::Own;
use crate::guard::scratch;
use crate::guard::temporary::{OwnTmp, TMP};
use crate::guard::tree::Tree;
use crate::guard::view::View;
use crate::search::PATH_IN_ROOT;
use crate::stream::Pipes;
use crate::sys::{self, Reaped, Wait};

/// How often a running job is looked at. Most jobs end before the first time.
const LOOK: Duration = Duration::from_millis(50);

/// What every job needs.
pub(crate) struct Watch {
    /// The guard's folder.
    pub folder: PathBuf,
    /// The scratch folder in it.
    pub scratch: PathBuf,
    /// What jobs see of the file system, if that is not what everybody sees.
    pub view: Option<View>,
    /// The root of this process.
    pub top: OwnedFd,
    /// The whole environment but for what a job adds.
    pub env: Vec<(OsString, OsString)>,
    /// The guard's own limits.
    pub own: Own,
    /// The descendants.
    pub tree: Tree,
    /// The caller is the first process of a PID namespace.
    pub first_process: bool,
    /// For reading pipes.
    pub buffer: Vec<u8>,
}

impl Watch {
    /// Removes all files.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        // A job may have taken the folders away, or the right to them.
        scratch::open_up(&self.folder)?;
        scratch::renew(&self.scratch)?;
        scratch::renew(&self.folder.join(scratch::TEMPORARY))?;
        self.temporary().try_for_each(OwnTmp::clear)
    }

    /// Shows jobs what others have put into the real /tmp since.
    pub(crate) fn refresh(&mut self) -> io::Result<()> {
        self.temporary().try_for_each(OwnTmp::refresh)
    }

    fn temporary(&mut self) -> impl Iterator<Item = &mut OwnTmp> {
        self.view.iter_mut().flat_map(|View { tmp, rooms }| {
            std::iter::once(tmp).chain(rooms.iter_mut().map(|room| &mut room.tmp))
        })
    }

    /// Where jobs can leave files: each place once.
    fn places(&self) -> impl Iterator<Item = &Path> {
        let temporary = self
            .view
            .iter()
            .flat_map(|View { tmp, rooms }| std::iter::once(tmp).chain(rooms.iter().map(|room| &room.tmp)));
        let temporary = temporary.map(|tmp| tmp.at.as_path());
        std::iter::once(self.folder.as_path())
            .filter(|folder| self.view.is_none() || !folder.starts_with(TMP))
            .chain(temporary)
    }

    /// The place of a root that the guard was started with.
    fn room(&self, root: &Path) -> io::Result<&Path> {
        let room = self.view.iter().flat_map(|view| &view.rooms).find(|room| room.root == root);
        room.map(|room| room.at.as_path()).ok_or_else(|| io::Error::from_raw_os_error(libc::ENOENT))
    }
}

/// Why there is no answer about a job.
pub(crate) enum Stop {
    /// Nobody is there to hear it.
    ClientGone,
    /// The guard failed.
    Failed(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Failed(error)
    }
}

impl From<rustix::io::Errno> for Stop {
    fn from(error: rustix::io::Errno) -> Stop {
        Stop::Failed(error.into())
    }
}

/// What the processes that have ended used, and how the first one did.
#[derive(Default)]
struct Tally {
    first: Option<End>,
    cpu: Duration,
    peak_rss: u64,
    others: u32,
}

impl Tally {
    fn add(&mut self, first: Pid, reaped: Reaped) {
        self.cpu += reaped.cpu;
        self.peak_rss = self.peak_rss.max(reaped.peak_rss);
        if reaped.pid != first {
            self.others += 1;
            return;
        }
        let status = reaped.status;
        self.first = Some(match (status.code(), status.signal()) {
            (Some(code), _) => End::Exited(u8::try_from(code).unwrap_or(u8::MAX)),
            (None, signal) => End::Signalled(signal.unwrap_or(libc::SIGKILL)),
        });
    }
}

/// Runs a job. `client` is watched too: when it hangs up, everything ends.
pub(crate) fn run(watch: &mut Watch, client: &OwnedFd, job: &Job) -> Result<Finished, Stop> {
    let start = Instant::now();
    let began = file_time();
    let mut child = match spawn(watch, job) {
        Ok(child) => child,
        Err(error) => return Ok(not_started(&error, start)),
    };
    let pid =
        Pid::from_raw(child.id().cast_signed()).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
    watch.own.fasten(pid, &job.limits);
    let input: &[u8] = if let Input::Bytes(bytes) = &job.stdin { bytes } else { &[] };
    let mut tally = Tally::default();
    let watched = follow(watch, client, job, (&mut child, pid), input, start, &mut tally);
    let wall = start.elapsed();
    // Whatever happened, nothing stays.
    if tally.first.is_none() && !matches!(watched, Ok((_, None))) {
        kill_all(watch)?;
    }
    let ended_before = tally.others;
    if tally.first.is_none()
        && let Some(reaped) = sys::wait4(Some(pid), Wait::Block)?
    {
        tally.add(pid, reaped);
    }
    reap_rest(watch, pid, &mut tally)?;
    let (pipes, mut why) = watched?;
    let end = tally.first.unwrap_or(End::Signalled(libc::SIGKILL));
    if why.is_none() {
        why = after_the_fact(watch, job, end, &tally, began);
    }
    Ok(Finished {
        end,
        why,
        stdout: pipes.stdout.bytes,
        stderr: pipes.stderr.bytes,
        wall,
        cpu: tally.cpu,
        peak_rss: tally.peak_rss,
        orphans: tally.others - ended_before,
    })
}

/// A limit that was passed between two looks, or that the system itself has kept.
fn after_the_fact(watch: &Watch, job: &Job, end: End, tally: &Tally, began: SystemTime) -> Option<Excess> {
    let limit = job.limits.file_size;
    // A process may have been told that its file is too large, and have said so in its own words.
    let large = |place: &Path| scratch::has_file_of(place, limit, began);
    let cut_short = || end != End::Exited(0) && watch.places().any(large);
    if end == End::Signalled(libc::SIGXFSZ) || cut_short() {
        Some(Excess::FileSize)
    } else if tally.cpu > job.limits.cpu {
        Some(Excess::Cpu)
    } else if tally.peak_rss > job.limits.memory {
        Some(Excess::Memory)
    } else {
        None
    }
}

/// The time as the system writes it into files: a little behind that of other clocks.
fn file_time() -> SystemTime {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::RealtimeCoarse);
    let time = Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0));
    SystemTime::UNIX_EPOCH + time
}

fn not_started(error: &io::Error, start: Instant) -> Finished {
    Finished {
        end: End::NotStarted(error.raw_os_error().unwrap_or(libc::EINVAL)),
        why: None,
        stdout: Vec::new(),
        stderr: Vec::new(),
        wall: start.elapsed(),
        cpu: Duration::ZERO,
        peak_rss: 0,
        orphans: 0,
    }
}

fn spawn(watch: &Watch, job: &Job) -> io::Result<Child> {
    let dir = watch.scratch.join(&job.dir);
    let program = dir.join(&job.program);
    let mut command = Command::new(&program);
    command.arg0(job.name.as_deref().unwrap_or(program.as_os_str()));
    command.args(&job.args).env_clear().process_group(0);
    command.envs(watch.env.iter().map(|(name, value)| (name, value)));
    if job.root.is_some() {
        command.env("PATH", PATH_IN_ROOT);
    }
    command.envs(job.env.iter().map(|(name, value)| (name, value)));
    command.stdin(match &job.stdin {
        Input::Nothing => Stdio::null(),
        Input::Bytes(_) => Stdio::piped(),
        Input::File(path) => std::fs::File::open(dir.join(path))?.into(),
    });
    command.current_dir(dir).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut attempts = 0;
    loop {
        match within(watch, job.root.as_deref(), || watch.own.lowered(&job.limits, || command.spawn()))? {
            // A thread of the client that is just starting a child may hold the file open for a moment.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && attempts < 50 => {
                attempts += 1;
                std::thread::sleep(Duration::from_millis(2));
            }
            spawned => return spawned,
        }
    }
}

/// Does `start` with the root that its child must have, and comes back: safe because this process has one thread. A child
/// has no right to do the same.
fn within(
    watch: &Watch,
    root: Option<&Path>,
    start: impl FnOnce() -> io::Result<Child>,
) -> io::Result<io::Result<Child>> {
    let Some(root) = root else { return Ok(start()) };
    rustix::process::chroot(watch.room(root)?)?;
    let started = start();
    let back = rustix::process::fchdir(&watch.top).and_then(|()| rustix::process::chroot("."));
    if back.is_err() {
        // Nothing is where it was: this process is of no use any more.
        std::process::abort();
    }
    Ok(started)
}

/// Feeds and reads the child until it ends or passes a limit.
fn follow<'a>(
    watch: &mut Watch,
    client: &OwnedFd,
    job: &Job,
    (child, pid): (&mut Child, Pid),
    input: &'a [u8],
    start: Instant,
    tally: &mut Tally,
) -> Result<(Pipes<'a>, Option<Excess>), Stop> {
    let ended = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
    let mut pipes = Pipes::of(child, input, job.limits.output)?;
    let mut next_look = LOOK;
    loop {
        let now = start.elapsed();
        let Some(left) = job.limits.wall.checked_sub(now) else {
            return Ok((pipes, Some(Excess::Wall)));
        };
        if now >= next_look {
            if let Some(why) = look(watch, job, pid, tally)? {
                return Ok((pipes, Some(why)));
            }
            next_look = start.elapsed() + LOOK;
        }
        let timeout = Timespec::try_from(left.min(next_look.saturating_sub(now))).ok();
        let mut waits = Vec::with_capacity(5);
        waits.push(PollFd::new(&ended, PollFlags::IN));
        waits.push(PollFd::new(client, PollFlags::IN | PollFlags::RDHUP));
        pipes.wait_for(&mut waits);
        match rustix::event::poll(&mut waits, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let client_gone = !waits[1].revents().is_empty();
        // Asked before the pipes are emptied: what an ended child wrote is in them by now.
        let over = !waits[0].revents().is_empty() || tally.first.is_some();
        if client_gone {
            return Err(Stop::ClientGone);
        }
        if pipes.serve(&mut watch.buffer)? {
            return Ok((pipes, Some(Excess::Output)));
        }
        if over {
            return Ok((pipes, None));
        }
    }
}

/// Looks at what only shows when one looks.
fn look(watch: &Watch, job: &Job, pid: Pid, tally: &mut Tally) -> Result<Option<Excess>, Stop> {
    // Orphans that have ended would stay as long as the job does.
    while let Ok(Some(reaped)) = sys::wait4(None, Wait::Poll) {
        tally.add(pid, reaped);
    }
    let limits = &job.limits;
    let usage = watch.tree.look(limits.processes);
    if usage.processes > limits.processes {
        Ok(Some(Excess::Processes))
    } else if usage.rss > limits.memory {
        Ok(Some(Excess::Memory))
    } else if usage.cpu + tally.cpu > limits.cpu {
        Ok(Some(Excess::Cpu))
    } else if watch.places().map(|place| scratch::size(place, limits.scratch)).sum::<u64>() > limits.scratch {
        Ok(Some(Excess::FileSize))
    } else {
        Ok(None)
    }
}

/// Kills every descendant. Who is not reaped yet is dead or dying.
pub(crate) fn kill_all(watch: &Watch) -> io::Result<()> {
    if watch.first_process {
        // One call: the system lets nobody of the namespace fork in between. ESRCH: nobody is there.
        return match sys::kill_namespace() {
            Err(error) if error.raw_os_error() != Some(libc::ESRCH) => Err(error),
            _ => Ok(()),
        };
    }
    for number in watch.tree.all() {
        if let Some(pid) = Pid::from_raw(number) {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }
    Ok(())
}

/// Kills and reaps until there is no descendant. Descendants of the dead become this process's children, so "no child"
/// means that nothing is left.
fn reap_rest(watch: &Watch, first: Pid, tally: &mut Tally) -> io::Result<()> {
    let mut wait = Wait::Poll;
    loop {
        match sys::wait4(None, wait) {
            Ok(Some(reaped)) => {
                tally.add(first, reaped);
                wait = Wait::Poll;
            }
            Ok(None) => {
                // All present are killed, so one will end; those who come to us by that are killed in the next round.
                kill_all(watch)?;
                wait = Wait::Block;
            }
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Ends everything that is left of anything.
pub(crate) fn end_everything(watch: &Watch) -> io::Result<()> {
    let nobody = Pid::INIT;
    reap_rest(watch, nobody, &mut Tally::default())
}
