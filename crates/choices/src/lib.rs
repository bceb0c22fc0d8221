//! Seeded, named, recordable decisions.
#![deny(missing_docs)]
