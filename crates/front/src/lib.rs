//! From preprocessed C text to a typed program.
//!
//! Lexer, recursive descent, and `lang::build` in one pass: there is no syntax tree in between. The front end never
//! guesses: what it does not support is a diagnostic that names the construct, and nesting is bounded by a limit
//! with an error, never by the stack. It reads no files and runs no preprocessor.
#![deny(missing_docs)]

pub mod lexer;
pub mod literal;
pub mod token;

mod asm;
mod attribute;
mod builtin_call;
mod declaration;
mod declarator;
mod derived;
mod enumeration;
mod expr;
mod function;
mod init;
mod label;
mod linkage;
mod object;
mod parameter;
mod parser;
mod pending;
mod primary;
mod record;
mod scope;
mod spec;
mod stmt;
mod suggest;
mod tag;
mod type_name;
mod unit;

pub use unit::{Options, Report, parse};
