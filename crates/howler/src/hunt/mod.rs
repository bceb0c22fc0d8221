//! `howler hunt`: the command line, and what a person sees while it runs.
#![allow(dead_code, reason = "wired up next")]

pub mod log;
pub mod options;
pub mod screen;
