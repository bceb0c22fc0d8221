//! What can go wrong with a folder, said so that a user knows what to do.

use std::io;
use std::path::{Path, PathBuf};

use howler_case::Id;

/// The result of anything that touches a store.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a store could not do what it was asked. The rows are as they were before.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// There is no campaign in this folder.
    #[error("{} is no campaign: it has no {missing}", path.display())]
    NotACampaign {
        /// The folder.
        path: PathBuf,
        /// The file that is not there.
        missing: &'static str,
    },
    /// A campaign was to be made where something is already.
    #[error("{} has a {found} already", path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
        /// What is there.
        found: String,
    },
    /// Another process writes to this folder.
    #[error("{} is in use by {}", path.display(), holder(*pid))]
    Locked {
        /// The folder.
        path: PathBuf,
        /// The process, if it said so.
        pid: Option<u32>,
    },
    /// The database was made by a newer Howler.
    #[error("{} has version {found}, this Howler knows versions up to {known}", path.display())]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version known.
        known: i64,
    },
    /// The database is of an older version and cannot be brought up to date, because it is open for reading.
    #[error("{} has the old version {found}: open it for writing once, then it has version {known}", path.display())]
    Older {
        /// The database.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The version needed.
        known: i64,
    },
    /// The file is no database, or not one of Howler's.
    #[error("{} is not a database of Howler's: {why}", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
        /// What shows it.
        why: String,
    },
    /// The database holds something that Howler did not write.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// No space is left.
    #[error("no space left for {} ({free} bytes are free): nothing was written, try again when there is", path.display())]
    Full {
        /// What was to be written.
        path: PathBuf,
        /// What the file system says is free.
        free: u64,
    },
    /// The folder may not be written.
    #[error("{} cannot be written: it is read-only", path.display())]
    ReadOnly {
        /// What was to be written.
        path: PathBuf,
    },
    /// The database was busy for too long: another process holds it.
    #[error("{} is held by another process", path.display())]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// The operating system said no.
    #[error("cannot {doing} {}: {text}", path.display())]
    Io {
        /// What was tried, as a verb.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// What kind of no.
        kind: io::ErrorKind,
        /// What it said.
        text: String,
    },
    /// The database said something that has no variant of its own.
    #[error("{}: {text}", path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// What it said.
        text: String,
    },
    /// A row that cannot be stored was given.
    #[error("cannot be stored: {0}")]
    Invalid(String),
    /// An arm that was never registered.
    #[error("no arm {0} is registered")]
    UnknownArm(Id),
    /// Two folders to merge do not belong to one campaign.
    #[error("these are different campaigns: {key} is '{ours}' in one and '{theirs}' in the other")]
    DifferentCampaigns {
        /// The metadata that differs.
        key: String,
        /// Its value in the folder merged into.
        ours: String,
        /// Its value in the folder merged from.
        theirs: String,
    },
    /// The thread that writes has ended.
    #[error("the store's writer has ended")]
    WriterGone,
}

fn holder(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
}

impl Error {
    /// An error of the operating system, sorted into what users can act on.
    pub(crate) fn io(doing: &'static str, path: &Path, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::full(path),
            io::ErrorKind::ReadOnlyFilesystem => Error::ReadOnly { path: path.to_owned() },
            kind => Error::Io { doing, path: path.to_owned(), kind, text: error.to_string() },
        }
    }

    /// An error of SQLite's, likewise.
    pub(crate) fn sql(path: &Path, error: &rusqlite::Error) -> Error {
        use rusqlite::ErrorCode;
        let path = path.to_owned();
        let damaged = |what: String| Error::Damaged { path: path.clone(), what };
        match error {
            rusqlite::Error::SqliteFailure(failure, text) => {
                let text = text.clone().unwrap_or_else(|| failure.to_string());
                match failure.code {
                    ErrorCode::DiskFull => Error::full(&path),
                    // A full disk shows in several ways, such as a shared-memory file that cannot grow.
                    ErrorCode::SystemIoFailure if free_bytes(&path).is_some_and(|free| free < 256 * 1024) => {
                        Error::full(&path)
                    }
                    ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Error::ReadOnly { path },
                    ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Error::Busy { path },
                    ErrorCode::NotADatabase => Error::NotADatabase { path, why: text },
                    ErrorCode::DatabaseCorrupt
                    | ErrorCode::ConstraintViolation
                    | ErrorCode::TypeMismatch
                    | ErrorCode::TooBig => damaged(text),
                    _ => Error::Database { path, text },
                }
            }
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::QueryReturnedNoRows => damaged(error.to_string()),
            _ => Error::Database { path, text: error.to_string() },
        }
    }

    fn full(path: &Path) -> Error {
        Error::Full { path: path.to_owned(), free: free_bytes(path).unwrap_or(0) }
    }

    /// Whether the place failed, not what was to be stored there: the same may succeed later.
    pub fn is_environment(&self) -> bool {
        matches!(
            self,
            Error::Full { .. }
                | Error::ReadOnly { .. }
                | Error::Busy { .. }
                | Error::Io { .. }
                | Error::Database { .. }
                | Error::Damaged { .. }
                | Error::WriterGone
        )
    }
}

/// What the file system of a path, or of the folder it is to be in, has free for us.
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    let found = path.ancestors().find(|path| path.exists())?;
    let stat = rustix::fs::statvfs(found).ok()?;
    stat.f_bavail.checked_mul(stat.f_frsize)
}
