//! Text to program.
#![deny(missing_docs)]
