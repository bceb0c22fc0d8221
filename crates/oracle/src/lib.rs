//! Is this a bug?
#![deny(missing_docs)]

pub mod classify;
pub mod elf;
pub mod extensions;
pub mod finding;
pub mod judge;
pub mod read;
pub mod repro;
pub mod same;
pub mod sighting;
pub mod signature;
