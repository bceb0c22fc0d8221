//! Compilers and processes.
#![deny(missing_docs)]
