//! The passes, one file each, and the list of them.

mod constants;
mod control;
mod declarations;
mod forward;
mod initialisers;
mod inline;
mod lift;
mod names;
mod numbers;
mod operands;
mod places;
mod plain;
mod shapes;
mod signatures;
mod statements;
mod types;
mod unreached;
mod witness;

use super::Pass;

use constants::{Constants, Number};
use places::Places;

/// All passes, those that remove the most first.
pub const PASSES: &[&dyn Pass] = &[
    &unreached::Unreached,
    &declarations::Declarations,
    &statements::Statements,
    &control::Control,
    &control::Blocks,
    &initialisers::Initialisers,
    &witness::Witness,
    &lift::Lift,
    &Constants(Number::Zero),
    &Constants(Number::Observed),
    &operands::Operands,
    &Constants(Number::One),
    &signatures::Signatures,
    &shapes::Shapes,
    &types::TypesPass,
    &plain::Plain,
    &numbers::Numbers,
    &Places,
    &forward::Forward,
    &inline::Inline,
    &names::Names,
];
