//! The passes, one file each, and the list of them.

mod bodies;
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
mod unused;
mod witness;
mod wrappers;

use super::Pass;

use constants::{Constants, Number};
use inline::{Calls, Inline};
use places::Places;
use unused::Unused;

/// All passes, those that remove the most first.
pub const PASSES: &[&dyn Pass] = &[
    &unreached::Unreached,
    &Unused("unused"),
    &witness::Prints,
    &declarations::Declarations,
    &bodies::Bodies,
    &statements::Statements,
    &control::Control,
    &control::Blocks,
    &initialisers::Initialisers,
    &witness::Witness,
    &lift::Lift,
    &wrappers::Wrappers,
    &Constants(Number::Zero),
    &Constants(Number::Observed),
    &operands::Operands,
    &Constants(Number::One),
    &Unused("unused-then"),
    &Inline(Calls::Only),
    &signatures::Signatures,
    &shapes::Shapes,
    &types::TypesPass,
    &plain::Plain,
    &numbers::Numbers,
    &Places,
    &forward::Forward,
    &Inline(Calls::Any),
    &names::Names,
];
