//! Is this a bug?
//!
//! - [`judge`] says what the text of a case means on each target; [`read`] and [`same`] are parts of that.
//! - [`classify`] names what a compiler or a program did; [`sighting`] decides which of it should not be;
//!   [`extensions`] knows what a compiler may refuse.
//! - [`signature`] says which sightings are the same bug.
//! - [`finding`] is what a stranger gets; [`repro`] and [`predicate`] write the scripts in it; [`steady`] makes its texts the same each time.
//! - [`trace`] compares the volatile accesses of binaries with the machine's.
//! - [`interesting`] asks whether a program is still the bug.
//! - [`mod@lab`] does all of it for a worker, with real compilers.
//!
//! Nothing here starts a process by itself: `toolchain` does.
#![deny(missing_docs)]

pub mod classify;
pub mod elf;
pub mod extensions;
pub mod finding;
pub mod interesting;
pub mod judge;
pub mod lab;
pub mod pattern;
pub mod predicate;
pub mod read;
pub mod repro;
pub mod same;
pub mod sighting;
pub mod signature;
pub mod steady;
pub mod trace;
