//! The hunt: which test is made next, what becomes of it, and what is kept.
//!
//! A test is a pure function of its arm and its number; everything here only decides which tests are done, and in
//! which order.
#![deny(missing_docs)]

pub mod bandit;
pub mod corpus;
pub mod engine;
pub mod extras;
pub mod known;
mod narrow;
mod orange;
pub mod own;
mod probe;
pub mod registry;
pub mod regroup;
pub mod schedule;
pub mod setup;
pub mod siblings;
pub mod source;
pub mod spe;
pub mod spec;
pub mod status;
pub mod subset;
pub mod swarm;
pub mod variants;
pub mod verdict;
mod worker;

pub use worker::WorkError;
