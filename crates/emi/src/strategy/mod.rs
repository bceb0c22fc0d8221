//! The mutations, one file each, and the list of them.

mod conditional;
mod dead;
mod guard;

use howler_choices::Choices;

use crate::site::{Proposal, Site};

/// A way to change a program at a point such that it does the same.
pub struct Strategy {
    /// Its name in commands and tables.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Whether it needs a point that is reached, or one that is not.
    pub live: bool,
    /// Tries it at a point.
    pub propose: fn(&mut Site<'_>, &mut Choices) -> Option<Proposal>,
}

/// All of them.
pub const STRATEGIES: &[Strategy] = &[
    Strategy { name: "fcb", about: "a block behind a condition that is always false", live: true, propose: dead::propose },
    Strategy { name: "tg", about: "a condition that is always true around a statement", live: true, propose: guard::propose },
    Strategy {
        name: "tcb",
        about: "a block that runs, changes variables and puts them back",
        live: true,
        propose: conditional::propose,
    },
];
