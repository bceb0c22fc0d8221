//! The caller's end: starts a guard and asks it to run jobs.
#![allow(clippy::disallowed_methods, reason = "this crate starts processes")]

use std::io;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::guard::job::{Finished, Job};
use crate::guard::keeper::Order;
use crate::guard::layers::{Layer, Layers};
use crate::guard::protocol::{self, Reply, Request};
use crate::guard::{MARKER, NAME, hex, scratch};
use crate::owned;

/// How a guard is started.
#[derive(Clone, Debug)]
pub struct GuardOptions {
    /// The executable whose `main` begins with [`serve_if_asked`](crate::guard::serve_if_asked); none is this one.
    pub executable: Option<PathBuf>,
    /// The folder to make the scratch folder in; none is the best there is: in memory, if that has room.
    pub place: Option<PathBuf>,
    /// The kind of protection.
    pub level: Level,
    /// The most processes there may be at one time, where the system can bound them (see
    /// [`Layers::fork_bombs`]). A job's own limit is a smaller number.
    pub processes: u32,
    /// Other roots that jobs may run in: folders with a whole system in them. They are not changed.
    pub roots: Vec<PathBuf>,
}

impl Default for GuardOptions {
    fn default() -> GuardOptions {
        GuardOptions { executable: None, place: None, level: Level::Best, processes: 1024, roots: Vec::new() }
    }
}

/// The kind of protection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// The best that the system allows.
    Best,
    /// No namespaces. For systems that have them but badly, and for tests.
    Subreaper,
}

/// Why a guard does not do its work. A job that fails is no such error.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// It could not be started.
    #[error("cannot start the guard: {0}")]
    Start(io::Error),
    /// It runs, but cannot serve.
    #[error("the guard cannot serve: {0}")]
    Refused(String),
    /// It did not answer: its executable does not call `serve_if_asked` first.
    #[error("the guard's executable does not serve")]
    Silent,
    /// It has ended, or its connection was cancelled. Another can be started.
    #[error("the guard has ended")]
    Ended,
    /// It could not do what it was asked.
    #[error("the guard failed: {0}")]
    Failed(String),
}

/// A guard of one's own: two small processes that run jobs in a scratch folder. When this value goes, or the process
/// that has it dies in whatever way, all jobs are killed and the folder is removed.
///
/// Jobs see a fixed environment: PATH, HOME and TMPDIR (the scratch folder), `LC_ALL=C`, and what the job adds.
///
/// ```no_run
/// use howler_toolchain::guard::{End, Guard, GuardOptions, Job, serve_if_asked};
///
/// // The first thing in main: the guard is this executable, started again.
/// serve_if_asked();
/// let mut guard = Guard::start(&GuardOptions::default())?;
/// std::fs::write(guard.scratch().join("a.c"), "int main(void) { return 3; }")?;
/// let mut compile = Job::new("/usr/bin/gcc");
/// compile.args(["a.c", "-o", "a"]);
/// let done = guard.chain(&[compile, Job::new("a")])?;
/// assert_eq!(done.last().map(|job| job.end), Some(End::Exited(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Guard {
    stream: UnixStream,
    /// The same for others, who may end what comes after it too.
    shared: Arc<Mutex<UnixStream>>,
    options: GuardOptions,
    keeper: Child,
    scratch: PathBuf,
    layers: Layers,
    spent: Duration,
}

impl Guard {
    /// Starts a guard and waits until it serves.
    pub fn start(options: &GuardOptions) -> Result<Guard, GuardError> {
        let Started { stream, keeper, scratch, layers } = Guard::started(options)?;
        let shared = Arc::new(Mutex::new(stream.try_clone().map_err(GuardError::Start)?));
        let options = options.clone();
        Ok(Guard { stream, shared, options, keeper, scratch, layers, spent: Duration::ZERO })
    }

    /// Puts another in its place, started as it was, with an empty scratch folder: after [`GuardError::Ended`], say. Who has
    /// a [`Canceller`] has one for the new guard.
    pub fn replace(&mut self) -> Result<(), GuardError> {
        let Started { stream, keeper, scratch, layers } = Guard::started(&self.options)?;
        let shared = stream.try_clone().map_err(GuardError::Start)?;
        *self.shared.lock().unwrap_or_else(PoisonError::into_inner) = shared;
        let _ = self.stream.shutdown(Shutdown::Both);
        let mut old = std::mem::replace(&mut self.keeper, keeper);
        see_off(&mut old, &self.scratch);
        (self.stream, self.scratch, self.layers) = (stream, scratch, layers);
        Ok(())
    }

    fn started(options: &GuardOptions) -> Result<Started, GuardError> {
        match attempt(options, options.level) {
            // Half a namespace is no place to be.
            // Without namespaces there are no other roots either.
            Err(GuardError::Refused(why)) if options.level == Level::Best && options.roots.is_empty() => {
                let mut started = attempt(options, Level::Subreaper)?;
                started.layers.processes = Layer::Missing(format!("namespaces do not work here: {why}"));
                Ok(started)
            }
            started => started,
        }
    }

    /// The scratch folder: jobs run in it, and whoever has the guard may write and read there.
    pub fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// The processor time of all jobs that it has run, those of guards that it took the place of included.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// What protects this system from the jobs.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The number of the process that stands for the guard.
    pub fn id(&self) -> u32 {
        self.keeper.id()
    }

    /// Runs one job.
    pub fn run(&mut self, job: &Job) -> Result<Finished, GuardError> {
        self.chain(std::slice::from_ref(job))?.pop().ok_or(GuardError::Ended)
    }

    /// Runs jobs one after another as long as each succeeds. The answer has those that ran.
    pub fn chain(&mut self, jobs: &[Job]) -> Result<Vec<Finished>, GuardError> {
        self.batch(vec![jobs.to_vec()])?.pop().ok_or(GuardError::Ended)
    }

    /// Runs several chains, each whatever became of the others, in one request.
    pub fn batch(&mut self, chains: Vec<Vec<Job>>) -> Result<Vec<Vec<Finished>>, GuardError> {
        let count = chains.len();
        match self.ask(&Request::Run(chains))? {
            Reply::Ran(finished) if finished.len() == count => {
                self.spent += finished.iter().flatten().map(|finished| finished.cpu).sum::<Duration>();
                Ok(finished)
            }
            _ => Err(GuardError::Ended),
        }
    }

    /// Empties the scratch folder.
    pub fn clear(&mut self) -> Result<(), GuardError> {
        match self.ask(&Request::Clear)? {
            Reply::Cleared => Ok(()),
            _ => Err(GuardError::Ended),
        }
    }

    /// The contents of a plain file in the scratch folder: nothing if there is none there, or a very large one. Jobs
    /// may have left pipes, devices and links instead, which could be read for ever.
    pub fn read(&self, path: impl AsRef<Path>) -> Option<Vec<u8>> {
        scratch::read_file(&self.scratch.join(path), MOST_READ).ok()
    }

    /// Writes a new file in the scratch folder, whatever a job may have left in its place.
    pub fn write(&self, path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
        scratch::write_file(&self.scratch.join(path), bytes)
    }

    /// Something with which another thread can end the guard while a job runs.
    pub fn canceller(&self) -> Result<Canceller, GuardError> {
        Ok(Canceller(self.shared.clone()))
    }

    fn ask(&mut self, request: &Request) -> Result<Reply, GuardError> {
        protocol::send(&mut self.stream, request).map_err(|_| GuardError::Ended)?;
        match protocol::receive(&mut self.stream) {
            Ok(Reply::Failed(why)) => Err(GuardError::Failed(why)),
            Ok(reply) => Ok(reply),
            Err(_) => Err(GuardError::Ended),
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // The guard takes this for the end of its client. It is waited for, so that nothing is left after this.
        let _ = self.stream.shutdown(Shutdown::Both);
        see_off(&mut self.keeper, &self.scratch);
    }
}

/// Waits for a keeper's end. What this process wrote into the folder while that was removed, not knowing that the server
/// was dead, nobody else removes. A keeper that was killed has removed nothing, and the next guard does that.
fn see_off(keeper: &mut Child, scratch: &Path) {
    let ended = keeper.wait().is_ok_and(|status| status.code().is_some());
    let folder = scratch.parent().filter(|folder| ended && scratch::is_guards(folder));
    if let Some(folder) = folder {
        owned::clear_away(folder);
    }
}

/// Ends a guard from another thread.
#[derive(Debug)]
pub struct Canceller(Arc<Mutex<UnixStream>>);

impl Canceller {
    /// Ends it: its jobs are killed, and who waits for them gets [`GuardError::Ended`].
    pub fn cancel(&self) {
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).shutdown(Shutdown::Both);
    }
}

/// More than any job may write into one file.
const MOST_READ: u64 = 1 << 30;

/// How long a guard may take to begin. It takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a guard is made of.
struct Started {
    stream: UnixStream,
    keeper: Child,
    scratch: PathBuf,
    layers: Layers,
}

fn attempt(options: &GuardOptions, level: Level) -> Result<Started, GuardError> {
    if std::env::var_os(MARKER).is_some() {
        // We are meant to be a guard ourselves: this executable would start itself for ever.
        return Err(GuardError::Silent);
    }
    let executable = options.executable.as_deref().unwrap_or(Path::new("/proc/self/exe"));
    let (place, roots) = (options.place.clone(), options.roots.clone());
    let order = Order { place, level, processes: options.processes, roots };
    let (mut stream, theirs) = UnixStream::pair().map_err(GuardError::Start)?;
    let mut command = Command::new(executable);
    command.arg0(NAME).arg(hex::write(&order)).env_clear().env(MARKER, "keeper").current_dir("/");
    for name in ["PATH", "TMPDIR", "XDG_RUNTIME_DIR"] {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
    let mut keeper = command.spawn().map_err(GuardError::Start)?;
    // The command has the guard's end of the socket as long as it lives.
    drop(command);
    let ready = stream
        .set_read_timeout(Some(PATIENCE))
        .and_then(|()| protocol::receive(&mut stream))
        .and_then(|reply| stream.set_read_timeout(None).map(|()| reply));
    let error = match ready {
        Ok(Reply::Ready(layers, scratch)) => {
            return Ok(Started { stream, keeper, scratch, layers: *layers });
        }
        Ok(Reply::Failed(why)) => GuardError::Refused(why),
        Ok(_) => GuardError::Silent,
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => GuardError::Silent,
        Err(error) => GuardError::Start(error),
    };
    // Whatever it is, it is not left running.
    let _ = stream.shutdown(Shutdown::Both);
    if matches!(error, GuardError::Silent | GuardError::Start(_)) {
        let _ = keeper.kill();
    }
    let _ = keeper.wait();
    Err(error)
}
