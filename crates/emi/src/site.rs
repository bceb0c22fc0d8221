//! A point with all that a strategy may ask about it, and what a strategy answers: edits, not made yet.

use howler_lang::edit::{Edit, Edited, Place, Ref};
use howler_lang::program::{FuncId, StmtId};
use howler_lang::scope::Scopes;
use howler_machine::profile::Profile;

use crate::access::Rules;
use crate::drift::Counts;
use crate::env::Env;
use crate::foreign::Foreign;
use crate::junk::Scenery;
use crate::predicate::Atoms;

/// A point, for a strategy.
pub struct Site<'a> {
    /// The program, which stays as it is: code is composed beside it.
    pub edited: &'a mut Edited,
    /// What may be touched.
    pub rules: &'a Rules,
    /// What can be named.
    pub scopes: &'a Scopes,
    /// What the program did.
    pub profile: &'a Profile,
    /// The statement.
    pub at: StmtId,
    /// Its function.
    pub func: FuncId,
    /// The variables, with their values.
    pub env: &'a Env,
    /// What dead code is made of.
    pub scenery: &'a Scenery,
    /// Functions of other programs that are in this one.
    pub foreign: &'a [Foreign],
    /// What conditions are made of.
    pub atoms: Atoms,
}

/// One edit of a mutation.
#[derive(Clone, Debug)]
pub enum Step {
    /// An edit that needs none of the others.
    Plain(Edit),
    /// Puts statements into a block that the mutation's first edit has made: its `number`-th statement.
    Into {
        /// The first statement.
        first: Ref<StmtId>,
        /// The last.
        last: Ref<StmtId>,
        /// Which block.
        number: u32,
    },
}

impl Step {
    /// As an edit, if the mutation's first one has this number.
    pub fn edit(&self, base: u32) -> Edit {
        match self {
            Step::Plain(edit) => edit.clone(),
            Step::Into { first, last, number } => {
                let block = Ref::Made { edit: base, number: *number };
                Edit::Move { first: *first, last: *last, place: Place::End(block) }
            }
        }
    }
}

/// What a strategy wants to do at a point.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Its edits.
    pub steps: Vec<Step>,
    /// How many steps it adds to a visit of the point, about.
    pub cost: u64,
    /// Whether it may be refused: then it is made after those that never are.
    pub alone: bool,
    /// Whether it changes what never runs, so that how far the variant gets from its seed decides.
    pub dead: bool,
    /// Statements that it adds to dead code.
    pub added: Counts,
    /// Statements that it takes from dead code.
    pub removed: Counts,
}

impl Proposal {
    /// Edits that are made with those of others.
    pub fn new(steps: Vec<Step>, cost: u64) -> Proposal {
        let (added, removed) = (Counts::default(), Counts::default());
        Proposal { steps, cost, alone: false, dead: false, added, removed }
    }

    /// Whether the statement at the point goes away.
    pub fn removes(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Plain(Edit::Remove(_))))
    }
}

impl Site<'_> {
    /// Statements before the point, as a proposal.
    pub fn before(&self, code: howler_lang::edit::Fragment, cost: u64) -> Proposal {
        let place = Place::Before(self.edited.stmt(self.at));
        Proposal::new(vec![Step::Plain(Edit::Insert { place, code })], cost)
    }
}
