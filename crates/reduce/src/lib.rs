//! Makes a failing case small.
//!
//! [`work`] is the whole of it: the passes on the [`typed`] program where the front end can read it, those on [`text`]
//! for the rest, and one [`engine`] that orders, tests, merges and measures what they propose. [`expressions`] minimises
//! tests that are lists of expressions with known values. Nothing here knows what fails: the caller brings a predicate.
#![deny(missing_docs)]

pub mod edits;
pub mod engine;
pub mod expressions;
pub mod files;
pub mod question;
pub mod text;
pub mod typed;
pub mod work;
