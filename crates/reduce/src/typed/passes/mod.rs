//! The passes, one file each, and the list of them.

mod constants;
mod control;
mod declarations;
mod numbers;
mod operands;
mod statements;
mod unreached;

use super::Pass;

use constants::{Constants, Number};

/// All passes, those that remove the most first.
pub const PASSES: &[&dyn Pass] = &[
    &unreached::Unreached,
    &declarations::Declarations,
    &statements::Statements,
    &control::Control,
    &Constants(Number::Zero),
    &Constants(Number::Observed),
    &operands::Operands,
    &Constants(Number::One),
    &numbers::Numbers,
];
