//! Passes on the typed program. A pass proposes [`Site`]s, places where it could make the program smaller, and applies
//! any set of them at once; it neither decides what is tried nor knows why. To add one: a file below `passes`, and a line
//! in [`PASSES`].
//!
//! Every change goes through `lang::edit`, so a candidate is always a well-formed program.

mod candidate;
mod evaluated;
mod loops;
mod passes;
mod removal;
mod stand_in;
mod subject;
mod together;
mod weight;

pub use candidate::{Candidate, Typed};
pub use passes::PASSES;
pub use subject::Subject;
pub use together::{remade, together};
pub use weight::Weights;

use howler_lang::program::{DeclId, ExprId, FuncId, InitId, Item, LabelId, ObjId, Program, StmtId};
use howler_lang::ty::{EnumId, RecordId};

/// A kind of change that makes programs smaller or simpler.
pub trait Pass: Sync {
    /// Its name: a word or two with dashes.
    fn name(&self) -> &'static str;

    /// What it does, in a line.
    fn about(&self) -> &'static str;

    /// Where it could change a program, in the order of the text.
    fn sites(&self, subject: &Subject) -> Vec<Site>;

    /// The program with these sites of it changed, in one go; none if nothing changes. The sites are from a list made
    /// of this subject, or of one of which it is a later state: those that are not there any more are passed over, and
    /// so are those that cannot be changed together with the others.
    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program>;

    /// The program with one site changed.
    fn apply(&self, subject: &Subject, site: Site) -> Option<Program> {
        self.apply_all(subject, &[site])
    }

    /// Whether what it makes may be larger before other passes come to it: inlining a call, say. Such results are only
    /// kept for good if it was worth it in the end.
    fn grows(&self) -> bool {
        false
    }
}

/// A place where a pass could change a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// About how many tokens would go; the larger, the earlier it is tried.
    pub weight: u64,
    /// The place.
    pub at: At,
    /// Which of several changes that are possible there.
    pub choice: u32,
    /// What else tells it from other sites: the number of an operand, of a parameter, of a member.
    pub number: u32,
}

impl Site {
    /// The one change that is possible at a place.
    pub fn new(weight: u64, at: At) -> Site {
        Site { weight, at, choice: 0, number: 0 }
    }
}

/// What a site is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    /// An expression.
    Expr(ExprId),
    /// A statement.
    Stmt(StmtId),
    /// An initialiser.
    Init(InitId),
    /// An object.
    Object(ObjId),
    /// A function.
    Function(FuncId),
    /// A label.
    Label(LabelId),
    /// A declaration, wherever it stands.
    Decl(DeclId),
    /// An item of a unit.
    Item(Item),
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// The whole program.
    Program,
}
