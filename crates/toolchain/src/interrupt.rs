//! Ending on Ctrl-C without leaving anything behind: a signal ends the process where it is, and no destructor runs.
//!
//! Folders and process groups that must not stay are entered here while they exist.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::sys;

static LEFT: Mutex<Left> = Mutex::new(Left { paths: BTreeSet::new(), groups: BTreeSet::new() });

struct Left {
    /// Folders and files.
    paths: BTreeSet<PathBuf>,
    /// The numbers of their leaders.
    groups: BTreeSet<i32>,
}

/// What is to be removed. While this is held the process does not end, so nothing is made after the rest is gone.
pub(crate) struct Leftovers(MutexGuard<'static, Left>);

impl Leftovers {
    /// Waits for the list.
    pub(crate) fn lock() -> Leftovers {
        // Sets of paths and numbers are whole whenever somebody panics.
        Leftovers(LEFT.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Enters a folder or a file.
    pub(crate) fn add(&mut self, path: &Path) {
        self.0.paths.insert(path.to_owned());
    }

    /// Takes a folder or a file out.
    pub(crate) fn forget(&mut self, path: &Path) {
        self.0.paths.remove(path);
    }

    /// Enters a process group.
    pub(crate) fn add_group(&mut self, leader: Pid) {
        self.0.groups.insert(leader.as_raw_pid());
    }

    /// Takes a process group out; its leader must not have been waited for, or its number may be another's.
    pub(crate) fn forget_group(&mut self, leader: Pid) {
        self.0.groups.remove(&leader.as_raw_pid());
    }
}

/// Which signal asked for the end, if one did.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    status: Arc<AtomicU8>,
    begun: Arc<AtomicBool>,
}

impl Asked {
    /// The exit status that says so: 128 and the signal's number, 130 for Ctrl-C.
    pub fn status(&self) -> Option<u8> {
        Some(self.status.load(Ordering::SeqCst)).filter(|&status| status != 0)
    }

    /// From now on there is work that must be brought to an end.
    pub fn begin(&self) {
        self.begun.store(true, Ordering::SeqCst);
    }
}

/// Does what Ctrl-C does, for a terminal that only tells of the key.
pub fn interrupt_self() {
    // A process may always signal itself.
    let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::INT);
}

/// From now on the first Ctrl-C, hang-up or polite kill only sets the flag, so that work can be brought to an end; the
/// second one does what [`end_cleanly`] does. `last` is called before that second end: a terminal may have to be put
/// right.
pub fn ask_first(stop: Arc<AtomicBool>, last: impl Fn() + Send + 'static) -> io::Result<Asked> {
    let asked = ask_once_begun(stop, last)?;
    asked.begin();
    Ok(asked)
}

/// As [`ask_first`], but until there [is](Asked::begin) work to bring to an end the first signal is the last.
pub fn ask_once_begun(stop: Arc<AtomicBool>, last: impl Fn() + Send + 'static) -> io::Result<Asked> {
    let mut signals = Signals::new(heard())?;
    let asked = Asked::default();
    let told = asked.clone();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if told.status().is_some() || !told.begun.load(Ordering::SeqCst) {
                last();
                end(signal);
            }
            // Before the flag: whoever sees that one set asks why.
            told.status.store(u8::try_from(128 + signal).unwrap_or(u8::MAX), Ordering::SeqCst);
            stop.store(true, Ordering::SeqCst);
        }
    })?;
    Ok(asked)
}

/// From now on a file that grows beyond the limit (`ulimit -f`) is an error of who writes it, who can remove it, and not
/// the end of the process. What is started has the signal as usual.
pub fn outlive_file_limit() -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// From now on Ctrl-C, a hang-up or a polite kill ends all children with what they started, removes the private
/// folders and ends the process with 128 and the signal's number, 130 for Ctrl-C.
pub fn end_cleanly() -> io::Result<()> {
    let mut signals = Signals::new(heard())?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end(signal);
        }
    })?;
    Ok(())
}

/// The signals that ask for an end. Who started this with one of them ignored, as `nohup` does, does not want it heard.
fn heard() -> impl Iterator<Item = i32> {
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !sys::is_ignored(signal))
}

fn end(signal: i32) -> ! {
    let left = Leftovers::lock();
    // Nobody is left to tell if any of it fails.
    for group in left.0.groups.iter().filter_map(|&leader| Pid::from_raw(leader)) {
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
    for path in &left.0.paths {
        let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
    std::process::exit(128 + signal);
}
