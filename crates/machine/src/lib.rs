//! The judge: executes a typed program exactly as C17's abstract machine does on one target, or says precisely why
//! it has no meaning.
#![deny(missing_docs)]

pub mod caveat;
pub mod judge;
pub mod outcome;
pub mod profile;
pub mod ub;

mod admit;
pub mod exec;
mod facts;
mod lower;
mod memory;
mod op;
pub mod text;
mod value;

pub use exec::{Input, Limits, Meeting, RunOptions, RunReport, is_modelled, reads_input, run};
pub use judge::{Judge, Machine, Profiled};
pub use lower::Order;
pub use memory::Placement;
