//! A C compiler with a bug in it, made on purpose: gcc, with its assembly edited or its manners spoilt. What a hunt
//! must find is measured on it. `data/planted.txt` lists the faults and explains their language.
//!
//! The compiler is whatever executable calls [`main_if_asked`] first in its `main`, run as
//! `EXE planted-cc FAULT [--real gcc-12] ARGS…`. It hands the arguments to the real gcc with `-wrapper`, so
//! that gcc itself decides what is preprocessed, compiled, assembled and linked, and each cc1 it starts comes back
//! here. Asking it about itself (`--version`, `-###`, `-dM -E`, `-E`) always works.
//!
//! This is no part of Howler: it is as harmful as its faults say, but bounded (at most 200 processes, 10 GiB of
//! memory, a 4 GiB file, and nothing lasts more than five minutes), so that a harness that fails on it survives.

mod driver;
mod edit;
mod fault;
mod misbehave;
mod pattern;
mod source;

pub use self::driver::main_if_asked;
pub use self::edit::Edited;
pub use self::fault::{Compile, Fault, Kind, fault, faults};
pub use self::misbehave::DAEMON;

use std::path::Path;

/// The command of the compiler with this fault, as `howler hunt --cc` takes it; flags may follow.
///
/// ```
/// let command = howler_testkit::planted::command("/bin/exe".as_ref(), "none");
/// assert_eq!(command, "/bin/exe planted-cc none");
/// ```
pub fn command(executable: &Path, fault: &str) -> String {
    format!("{} planted-cc {fault}", executable.display())
}
