//! Changing a program: statements, operands, functions; and dropping what nothing reaches.
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
//! What is replaced stays in the arenas and means nothing any more ([`visit::Reached`](crate::visit::Reached));
//! [`compact`] makes a program without it.

mod change;
mod compact;
mod copy;
mod entity;
mod fragment;
mod function;
mod holder;
mod map;
mod operand;
mod outline;
mod region;
mod remake;
mod replay;
mod statement;
mod step;
mod text;

pub use change::Change;
pub use compact::{Compact, Map, compact};
pub use copy::Renaming;
pub use fragment::{Fragment, LabelName, Names, ObjectName};
pub use holder::{Holder, Holders};
pub use replay::Edited;
pub use step::{Edit, ItemRef, Operand, Place, Ref};

use crate::build::Violation;
use crate::program::{Conv, ExprId, ExprKind, Program};
use crate::scope::Scopes;
use crate::verify::{self, Fault};
use crate::visit::{self, Node};
use rustc_hash::FxHashSet;
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
    let before = entity::Declarations::of(program);
    let implied = implied(program);
    let mut change = Change::begin(program);
    let result = f(&mut change).and_then(|done| {
        change.renew_entities(&before)?;
        if self::implied(change.program()) > implied {
            return Err(Refused::Place("a function would be named where it must not be"));
        }
        match verify::program(change.program()).into_iter().next() {
            None => Ok(done),
            Some(fault) => Err(Refused::Rule(fault)),
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

/// How often a function is named where some compilers do not let it: called before it is declared, or a builtin that is
/// not called. Some seeds have that; no edit makes more of it.
fn implied(program: &Program) -> usize {
    let mut callees: FxHashSet<ExprId> = FxHashSet::default();
    let mut builtins: Vec<ExprId> = Vec::new();
    visit::each(program, |part| {
        let Node::Expr(e) = part.node else { return };
        match program.exprs[e].kind {
            ExprKind::Call(callee, _) => {
                if let ExprKind::Convert(Conv::FunctionDecay, name) = program.exprs[callee].kind {
                    callees.insert(name);
                }
            }
            ExprKind::Function(func) if program.name(program.funcs[func].name).starts_with("__builtin_") => {
                builtins.push(e);
            }
            _ => {}
        }
    });
    let odd = builtins.iter().filter(|e| !callees.contains(e)).count();
    let scopes = Scopes::of(program);
    let declared = |&&e: &&ExprId| match program.exprs[e].kind {
        ExprKind::Function(func) => !program.funcs[func].implicit,
        _ => false,
    };
    odd + scopes.undeclared().iter().filter(declared).count()
}
