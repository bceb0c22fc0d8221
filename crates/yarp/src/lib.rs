//! Arithmetic that no wrapper hides (Livinskii, Babokin, Regehr: *Random Testing for C and C++ Compilers with YARPGen*,
//! 2020): values are tracked while a program is written, and what would be undefined is written otherwise.
//!
//! The paper's programs have no loops, as nobody knows the values in them. Here loops are written freely, with what one
//! round leaves for the next, and functions for many callers; the judge says which operations were undefined in some round
//! or for some caller: [`judged`].
#![deny(missing_docs)]

mod call;
mod constant;
mod enumeration;
mod finish;
mod float;
mod hint;
mod local;
mod loops;
mod lower;
mod maker;
mod memory;
pub mod options;
mod parameters;
mod repair;
pub mod rules;
mod space;
mod stencil;
mod stmt;
mod switch;
mod technique;
mod tidy;
mod tree;
mod units;
mod variable;
mod vector;
mod walk;

pub use options::Options;
pub use parameters::Parameters;
pub use repair::{Hints, Judged, generate, judged};
pub use technique::TECHNIQUE;
