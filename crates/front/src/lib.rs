//! Text to program.
#![deny(missing_docs)]

pub mod lexer;
pub mod literal;
pub mod token;
