//! Ending on Ctrl-C without leaving anything behind: a signal ends the process where it is, and no destructor runs.
//!
//! Folders that must not stay are entered here while they exist. What children do is their limits' business.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The folders to remove. While this is held the process does not end, so nothing is made after the others are gone.
pub(crate) struct Folders(MutexGuard<'static, BTreeSet<PathBuf>>);

impl Folders {
    /// Waits for the list.
    pub(crate) fn lock() -> Folders {
        // A set of paths is whole whenever somebody panics.
        Folders(FOLDERS.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Enters a folder.
    pub(crate) fn add(&mut self, folder: &Path) {
        self.0.insert(folder.to_owned());
    }

    /// Takes a folder out.
    pub(crate) fn forget(&mut self, folder: &Path) {
        self.0.remove(folder);
    }
}

/// From now on Ctrl-C, a hang-up or a polite kill removes the private folders and ends the process with 128 and the
/// signal's number, 130 for Ctrl-C.
pub fn end_cleanly() -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let folders = Folders::lock();
            for folder in folders.0.iter() {
                // Nobody is left to tell if it fails.
                let _ = std::fs::remove_dir_all(folder);
            }
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}
