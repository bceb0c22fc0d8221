//! Changing a program: statements, operands, functions, declarations at file scope; and dropping what nothing reaches.
//!
//! [`attempt`] makes one change or none: what would break a rule of [`verify`] is refused, and the program is as it was.
//! Inside it a [`Change`] has the single steps. Statements keep their ids; an expression around a changed operand is
//! made again by `build`, because an operand decides the conversions of everything around it.
//!
//! ```
//! use howler_lang::edit;
//! use howler_lang::program::{Program, StmtId};
//!
//! /// Takes a statement out of its block, if the program can do without.
//! fn without(program: &mut Program, stmt: StmtId) -> Result<(), edit::Refused> {
//!     edit::attempt(program, |change| change.remove(stmt))
//! }
//! ```
//!
//! Who changes programs for a living makes [`Edit`]s with [`Edited`]: what is made is data, lines that make it again from
//! the seed. New code, statements or declarations, is composed beside the program ([`Edited::statements`],
//! [`Edited::items`]). A whole technique, from a seed to a case and back, is `crates/machine/tests/mutate.rs`.
//!
//! Who changes things all over a program does it in one step: [`Change::rebuild`] makes many expressions again,
//! [`Change::redeclare`] gives objects, functions and types other declarations and makes again all that names them.
//!
//! What is replaced stays in the arenas and means nothing any more ([`visit::Reached`](crate::visit::Reached));
//! [`compact`] makes a program without it.

mod bulk;
mod change;
mod compact;
mod copy;
mod declare;
mod depth;
mod entity;
mod fragment;
mod function;
mod holder;
mod include;
mod instance;
mod map;
mod move_object;
mod operand;
mod outline;
mod rebuild;
mod redeclare;
mod region;
mod remake;
mod replay;
mod statement;
mod step;
mod text;

pub use change::Change;
pub use compact::{Compact, Map, compact};
pub use copy::Renaming;
pub use fragment::{Fragment, Names};
pub use holder::{Holder, Holders};
pub use instance::instance;
pub use rebuild::{Now, Remaking};
pub use redeclare::Redeclaration;
pub use replay::Edited;
pub use step::{Edit, ItemPlace, ItemRef, Operand, Place, Ref};

use crate::build::Violation;
use crate::program::Program;
use crate::verify::{self, Fault};
use crate::visit::{Everything, Found};
use std::fmt;

/// Why a change was not made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The program would not be well-formed.
    Rule(Fault),
    /// An expression would violate a constraint.
    Constraint(Box<Violation>),
    /// The change cannot be made there.
    Place(&'static str),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Rule(fault) => write!(f, "{}: {}", fault.rule, fault.what),
            Refused::Constraint(violation) => f.write_str(&violation.message),
            Refused::Place(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Refused {}

impl From<Box<Violation>> for Refused {
    fn from(violation: Box<Violation>) -> Refused {
        Refused::Constraint(violation)
    }
}

/// Makes the changes that `f` makes, all of them or none.
pub fn attempt<T>(
    program: &mut Program,
    f: impl FnOnce(&mut Change) -> Result<T, Refused>,
) -> Result<T, Refused> {
    let before = entity::Declarations::of(program, Everything::of(program));
    let mut change = Change::begin(program);
    let result = f(&mut change).and_then(|done| {
        if let Some(fault) = verify::cycles(change.program()).into_iter().next() {
            return Err(Refused::Rule(fault));
        }
        let all: Vec<Found> = Everything::of(change.program()).collect();
        change.check_included(&all)?;
        change.renew_units(&all);
        change.renew_literals(&all);
        change.renew_entities(&before, &all)?;
        let found = verify::without_cycles(change.program(), &all);
        match found.faults.into_iter().next() {
            Some(fault) => Err(Refused::Rule(fault)),
            // Most programs have none of it, and need not be looked at as they were.
            None if found.odd > 0 && found.odd > change.before(|program| verify::examine(program).odd) => {
                Err(Refused::Place("some compilers would not take it"))
            }
            None => change.check_brackets().map(|()| done),
        }
    });
    match result {
        Ok(done) => Ok(done),
        Err(refused) => {
            change.take_back();
            Err(refused)
        }
    }
}
