//! The mutations, one file each, and the list of them.

mod athena;
mod call;
mod conditional;
mod counted;
mod dead;
mod guard;
mod identity;
mod jump;
mod launder;
mod orion;
mod outline;

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

/// The strategy that needs functions of other programs.
pub const CALL: &str = "call";

/// All of them.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "fcb",
        about: "a block behind a condition that is always false",
        live: true,
        propose: dead::propose,
    },
    Strategy {
        name: "tg",
        about: "a condition that is always true around a statement",
        live: true,
        propose: guard::propose,
    },
    Strategy {
        name: "tcb",
        about: "a block that runs, changes variables and puts them back",
        live: true,
        propose: conditional::propose,
    },
    Strategy {
        name: "identity",
        about: "another expression of the same value",
        live: true,
        propose: identity::propose,
    },
    Strategy {
        name: "else",
        about: "a guard with an else branch that never runs",
        live: true,
        propose: guard::propose_else,
    },
    Strategy {
        name: "switch",
        about: "a switch around a statement over exactly the values that were seen",
        live: true,
        propose: guard::propose_switch,
    },
    Strategy {
        name: "rounds",
        about: "a loop of so many rounds over a variable that is put back",
        live: true,
        propose: counted::propose,
    },
    Strategy {
        name: "launder",
        about: "a variable put back byte by byte, through a union or by memcpy",
        live: true,
        propose: launder::propose,
    },
    Strategy {
        name: "jump",
        about: "a jump that is never made, past a statement, back before it or into a loop",
        live: true,
        propose: jump::propose,
    },
    Strategy {
        name: "end",
        about: "code behind what was seen to end a function, a loop or the program",
        live: true,
        propose: guard::propose_end,
    },
    Strategy {
        name: CALL,
        about: "a call of another program's function in an expression, which makes up for its result",
        live: true,
        propose: call::propose,
    },
    Strategy {
        name: "outline",
        about: "a statement as a function of its own",
        live: true,
        propose: outline::propose,
    },
    Strategy { name: "orion", about: "without what never ran", live: false, propose: orion::propose },
    Strategy {
        name: "athena",
        about: "with statements from elsewhere in what never ran",
        live: false,
        propose: athena::propose,
    },
];
