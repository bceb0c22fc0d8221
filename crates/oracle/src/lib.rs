//! Is this a bug?
#![deny(missing_docs)]

pub mod read;
