//! The one model of C that everything in Howler shares.
//!
//! A [`program::Program`] is a typed tree in arenas, bound to one [`target::Target`]. Expressions are made by
//! `build` only, values are computed by `arith` only, and `print` turns a program back into C such that parsing
//! the text gives the same program again. Nothing here reads files, starts processes or looks at a clock.
#![deny(missing_docs)]

pub mod arith;
pub mod build;
pub mod builtin;
pub mod compat;
pub mod compose;
pub mod correspond;
pub mod diag;
pub mod dump;
pub mod edit;
pub mod fold;
pub mod id;
pub mod layout;
pub mod link;
pub mod print;
pub mod program;
pub mod scalar;
pub mod scope;
pub mod source;
pub mod suggest;
pub mod symbol;
pub mod target;
pub mod ty;
pub mod verify;
pub mod visit;
