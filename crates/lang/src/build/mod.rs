//! The only way to make an expression.
//!
//! Every function takes operands as the grammar gives them (lvalues undecayed, nothing promoted), applies C's
//! promotions, conversions and constraints, and returns the new node or the constraint that is violated. The tree
//! is never left ill-typed. Front end, generators, mutators and the reducer all come through here, so there is no
//! second type checker.

use crate::program::{
    BinaryOp, Builtin, ExprId, FloatLit, FuncId, FuncName, IntForm, LabelId, ObjId, PathId, Program, StmtId, StrLit,
    UnaryOp,
};
use crate::source::Pos;
use crate::symbol::Symbol;
use crate::ty::{EnumeratorId, Type};

/// What expressions are built in: the program, how strict to be, and what was let pass.
pub struct Cx<'p> {
    /// The program.
    pub program: &'p mut Program,
    /// What to do with violations that compilers let pass.
    pub policy: Policy,
    /// What was let pass, in order.
    pub warnings: Vec<Violation>,
}

/// What to do with constraint violations that gcc and clang only warn about (an integer assigned to a pointer,
/// incompatible pointer types, discarded qualifiers).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// They are errors: generators, and `-pedantic-errors`.
    Strict,
    /// They are built as gcc builds them and noted in [`Cx::warnings`].
    Lenient,
}

/// A violated constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Where.
    pub pos: Pos,
    /// What, in a compiler's words.
    pub message: String,
}

/// What a value is converted for, as if by assignment (C17 6.5.16.1p1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// `lhs = rhs`
    Assign,
    /// An initialiser.
    Init,
    /// `return`
    Return,
    /// The n-th argument of a call, from 1, of this function if it is known.
    Argument(u32, Option<Symbol>),
}

/// The result of building.
pub type Built = Result<ExprId, Violation>;
