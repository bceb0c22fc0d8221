//! What the guard is asked to do, and what it answers. Data only.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

/// One program to run.
///
/// ```
/// use howler_toolchain::guard::Job;
/// let mut job = Job::new("/bin/sh");
/// job.args(["-c", "exit 3"]);
/// job.limits.wall = std::time::Duration::from_secs(1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The program's path: absolute, or from the job's folder. Nothing is looked up on PATH.
    pub program: PathBuf,
    /// Its name as it sees it (`argv[0]`); none is the path.
    pub name: Option<OsString>,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Environment variables beside the fixed ones (see [`Guard`](crate::guard::Guard)).
    pub env: Vec<(OsString, OsString)>,
    /// The folder to run in, from the scratch folder; empty is the scratch folder itself.
    pub dir: PathBuf,
    /// The root it runs in, one of those that the guard was started with ([`GuardOptions::roots`]); none is this
    /// system's. The scratch folder has the same path in each.
    ///
    /// [`GuardOptions::roots`]: crate::guard::GuardOptions::roots
    pub root: Option<PathBuf>,
    /// What it reads from its standard input.
    pub stdin: Input,
    /// What it may use.
    pub limits: Limits,
}

impl Job {
    /// A program without arguments and input, in the scratch folder, under the usual limits.
    pub fn new(program: impl Into<PathBuf>) -> Job {
        Job {
            program: program.into(),
            name: None,
            args: Vec::new(),
            env: Vec::new(),
            dir: PathBuf::new(),
            root: None,
            stdin: Input::Nothing,
            limits: Limits::default(),
        }
    }

    /// Adds an argument.
    pub fn arg(&mut self, arg: impl AsRef<OsStr>) -> &mut Job {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(&mut self, args: impl IntoIterator<Item = A>) -> &mut Job {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }
}

/// The standard input of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// Empty.
    Nothing,
    /// These bytes.
    Bytes(Vec<u8>),
    /// A file; a path without a leading slash is from the job's folder.
    File(PathBuf),
}

/// What a job, with everything it starts, may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub wall: Duration,
    /// User and system time, of all its processes together.
    pub cpu: Duration,
    /// Resident memory of all its processes together. It is looked at every 50 ms.
    pub memory: u64,
    /// Address space of each process. Programs built with sanitizers reserve terabytes: they need `None`.
    pub address_space: Option<u64>,
    /// The main thread's stack.
    pub stack: u64,
    /// The size of each file it writes.
    pub file_size: u64,
    /// The size of the whole scratch folder. It is looked at every 50 ms.
    pub scratch: u64,
    /// Bytes it may write to each of stdout and stderr.
    pub output: usize,
    /// Processes that exist at one time.
    pub processes: u32,
}

impl Default for Limits {
    /// Enough for a compiler and a small program: a minute, 2 GiB of memory, 256 MiB of files, 64 MiB of output,
    /// 64 processes.
    fn default() -> Limits {
        Limits {
            wall: Duration::from_secs(60),
            cpu: Duration::from_secs(60),
            memory: 2 << 30,
            address_space: None,
            stack: 8 << 20,
            file_size: 256 << 20,
            scratch: 512 << 20,
            output: 64 << 20,
            processes: 64,
        }
    }
}

/// How a job ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// How its first process ended.
    pub end: End,
    /// Which limit it went over, if any. The guard kills such a job, so `end` says little then.
    pub why: Option<Excess>,
    /// What it wrote to standard output, as far as the limit allows.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, as far as the limit allows.
    pub stderr: Vec<u8>,
    /// Wall-clock time from its start to its end.
    pub wall: Duration,
    /// User and system time of all its processes.
    pub cpu: Duration,
    /// The largest resident set of one of its processes, in bytes. The system counts in what the guard itself uses at
    /// the moment of the start, a few MiB.
    pub peak_rss: u64,
    /// Processes that were still there when the first one had ended, and were killed.
    pub orphans: u32,
}

impl Finished {
    /// Whether it ended by itself, within its limits, with status 0.
    pub fn success(&self) -> bool {
        self.end == End::Exited(0) && self.why.is_none()
    }
}

/// The end of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It exited with this status.
    Exited(u8),
    /// A signal ended it.
    Signalled(i32),
    /// It could not be started: the system's error number.
    NotStarted(i32),
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Exited(status) => write!(f, "exit status {status}"),
            End::Signalled(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "{name}"),
                None => write!(f, "signal {signal}"),
            },
            End::NotStarted(errno) => {
                write!(f, "not started: {}", std::io::Error::from_raw_os_error(*errno))
            }
        }
    }
}

/// The name of a signal that ends programs, `SIGSEGV` for 11.
///
/// ```
/// assert_eq!(howler_toolchain::guard::signal_name(6), Some("SIGABRT"));
/// ```
pub fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        libc::SIGSYS => "SIGSYS",
        _ => return None,
    })
}

/// The limit that a job went over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Excess {
    /// Wall-clock time.
    Wall,
    /// CPU time.
    Cpu,
    /// Resident memory.
    Memory,
    /// Standard output or error.
    Output,
    /// The number of processes.
    Processes,
    /// The size of a file, or of all files.
    FileSize,
}

impl Excess {
    /// All of them.
    pub const ALL: [Excess; 6] =
        [Excess::Wall, Excess::Cpu, Excess::Memory, Excess::Output, Excess::Processes, Excess::FileSize];

    /// One word, for tables and data.
    pub fn name(self) -> &'static str {
        match self {
            Excess::Wall => "wall",
            Excess::Cpu => "cpu",
            Excess::Memory => "memory",
            Excess::Output => "output",
            Excess::Processes => "processes",
            Excess::FileSize => "files",
        }
    }
}
