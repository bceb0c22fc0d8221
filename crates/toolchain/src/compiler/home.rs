//! Where a compiler is, and how to see that it is another by now.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::process::{self, Finished, Invocation, Limits, RunError};
use crate::rooms;
use crate::search::open_in;

/// The place of a compiler's driver.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Home {
    /// The root that it is in and runs in, if not this system's.
    pub(crate) root: Option<PathBuf>,
    /// Its path there.
    pub(crate) path: PathBuf,
}

/// A file as it is now: one that was replaced has another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Stamp {
    size: u64,
    seconds: i64,
    nanoseconds: i64,
}

impl Home {
    /// Opens a file where the compiler is.
    fn open(&self, path: &Path) -> io::Result<File> {
        open_in(self.root.as_deref(), path)
    }

    /// The driver's stamp; none if it cannot be seen.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        self.stamp_of(&self.path)
    }

    /// The stamp of another file where the compiler is.
    pub(crate) fn stamp_of(&self, path: &Path) -> Option<Stamp> {
        let data = self.open(path).and_then(|file| file.metadata()).ok()?;
        Some(Stamp { size: data.size(), seconds: data.mtime(), nanoseconds: data.mtime_nsec() })
    }

    /// Runs the driver, or what else an invocation names, where it is.
    pub(crate) fn run(&self, invocation: &Invocation, limits: &Limits) -> Result<Finished, RunError> {
        match &self.root {
            Some(root) => rooms::run(root, invocation, limits),
            None => process::run(invocation, limits),
        }
    }
}

impl Stamp {
    /// As bytes, for a hash.
    pub(crate) fn bytes(self) -> Vec<u8> {
        [self.size.to_le_bytes(), self.seconds.to_le_bytes(), self.nanoseconds.to_le_bytes()].concat()
    }
}
