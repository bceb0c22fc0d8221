//! Makes a failing case small.
//!
//! [`expressions`] minimises tests that are lists of expressions with known values. Nothing here knows what fails: the
//! caller brings a predicate.
#![deny(missing_docs)]

pub mod expressions;
pub mod typed;
