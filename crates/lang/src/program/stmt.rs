//! Statements.

use super::{AsmId, ExprId, Item, LabelId, StmtId, StrId};
use crate::source::Pos;
use crate::symbol::Symbol;

/// A statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it starts.
    pub pos: Pos,
}

const _: () = assert!(size_of::<Stmt>() <= 24);

/// A list of statements in [`Program::stmt_lists`](super::Program::stmt_lists).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StmtList {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl StmtList {
    /// How many statements it holds.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether it is empty.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// What a statement does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression.
    Expr(ExprId),
    /// A declaration in a block.
    Item(Item),
    /// Several declarations in the head of a `for`: each statement is an [`StmtKind::Item`].
    Decls(StmtList),
    /// `{ … }`
    Compound(StmtList),
    /// `if`
    If {
        /// The condition, any scalar.
        cond: ExprId,
        /// Run if it is not zero.
        then: StmtId,
        /// Run otherwise.
        other: Option<StmtId>,
    },
    /// `while`
    While {
        /// The condition.
        cond: ExprId,
        /// The body.
        body: StmtId,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: StmtId,
        /// The condition.
        cond: ExprId,
    },
    /// `for`
    For {
        /// An expression statement, [`StmtKind::Decls`] or nothing.
        init: Option<StmtId>,
        /// The condition; none is true.
        cond: Option<ExprId>,
        /// Evaluated after each round.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch`; the value is promoted.
    Switch {
        /// The promoted value.
        value: ExprId,
        /// The body.
        body: StmtId,
    },
    /// `case lo:` or GNU `case lo ... hi:`; constants of the promoted type.
    Case {
        /// The value, or the first.
        lo: ExprId,
        /// The last.
        hi: Option<ExprId>,
        /// The statement it marks.
        body: StmtId,
    },
    /// `default:`
    Default(StmtId),
    /// `name:`
    Label(LabelId, StmtId),
    /// `__label__ name;`
    LabelDecl(LabelId),
    /// `goto name;`
    Goto(LabelId),
    /// `goto *expr;`
    GotoComputed(ExprId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return`
    Return(Option<ExprId>),
    /// An asm statement.
    Asm(AsmId),
}

/// An inline assembly statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Asm {
    /// `volatile` was written.
    pub volatile: bool,
    /// `goto` was written.
    pub goto: bool,
    /// `inline` was written.
    pub inline: bool,
    /// Only a template: `asm("…")` without colons.
    pub basic: bool,
    /// The template.
    pub template: StrId,
    /// Outputs: lvalues.
    pub outputs: Vec<AsmOperand>,
    /// Inputs.
    pub inputs: Vec<AsmOperand>,
    /// Clobbers.
    pub clobbers: Vec<StrId>,
    /// Labels of an `asm goto`.
    pub labels: Vec<LabelId>,
}

/// An operand of an asm statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AsmOperand {
    /// `[name]`
    pub name: Option<Symbol>,
    /// The constraint.
    pub constraint: StrId,
    /// The operand.
    pub expr: ExprId,
}
