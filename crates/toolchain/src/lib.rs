//! Compilers and processes: the only crate that starts any, so that every child has its limits.
//!
//! [`guard`] runs programs that nobody trusts; [`compiler`] finds compilers and says what their C is; [`build`] makes
//! and runs executables; [`process`] runs one tool; [`preprocess`] turns C text into preprocessed text with somebody's
//! preprocessor; [`headers`] are the headers it gives to that preprocessor; [`library`] knows what the C library
//! defines; [`trace`] has programs log their volatile accesses; [`doctor`] says what this system has; [`interrupt`] cleans
//! up after Ctrl-C. What the compilers' answers mean is decided elsewhere.
#![deny(missing_docs)]

pub mod build;
pub mod compiler;
pub mod doctor;
pub mod guard;
pub mod headers;
pub mod interrupt;
pub mod library;
mod owned;
pub mod preprocess;
pub mod process;
mod rooms;
pub mod search;
mod stream;
mod sys;
pub mod trace;
