//! Variants of a program that must do what it does (Equivalence Modulo Inputs; Sun, Le, Su: *Finding Compiler Bugs via
//! Live Code Mutation*, 2016, and what came before). What the judge saw at points of a program's run is what makes code
//! there harmless: conditions that always hold, blocks that are never entered, blocks that undo what they did.
//!
//! Every variant is judged again. One that is not defined, or does something else, is dropped and counted: it is a fault of
//! this crate, and tests say that there is none.
#![deny(missing_docs)]

pub mod access;
pub mod chain;
pub mod drift;
pub mod env;
pub mod expression;
pub mod foreign;
pub mod junk;
pub mod lines;
pub mod options;
pub mod predicate;
pub mod seed;
pub mod site;
pub mod strategy;
pub mod subject;
pub mod syn;
pub mod technique;
#[cfg(test)]
mod testing;

pub use chain::Chain;
pub use options::Options;
pub use seed::BadSeed;
pub use strategy::STRATEGIES;
pub use subject::{Mutation, NoVariant, Subject, Wrong};
