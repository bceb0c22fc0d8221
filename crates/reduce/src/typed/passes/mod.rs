//! The passes, one file each, and the list of them.

mod declarations;
mod statements;
mod unreached;

use super::Pass;

/// All passes, those that remove the most first.
pub const PASSES: &[&dyn Pass] =
    &[&unreached::Unreached, &declarations::Declarations, &statements::Statements];
