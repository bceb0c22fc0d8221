//! Skeletal program enumeration (Zhang, Sun, Su: *Skeletal Program Enumeration for Rigorous Compiler Testing*, 2017):
//! every way to use the variables of a program, once.
#![deny(missing_docs)]

pub mod c;
mod component;
mod fixed;
pub mod paper;
pub mod sample;
pub mod skeleton;
pub mod space;
pub mod template;
mod tree;
pub mod variants;
