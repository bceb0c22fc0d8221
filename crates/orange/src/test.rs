//! A test as data: variables with their values, expressions as trees whose every node has a known value, statements
//! that assign them. Nothing here draws or computes.

use howler_lang::define_id;
use howler_lang::id::Arena;
use howler_lang::program::{BinaryOp, UnaryOp};
use howler_lang::scalar::Ty;
use howler_lang::target::Target;

define_id! {
    /// A variable of a test.
    VarId;
    /// A node of an expression. Operands have smaller ids than what they are operands of.
    NodeId;
}

/// Arithmetic with known answers.
#[derive(Clone, Debug)]
pub struct Test {
    /// Whose types and sizes the values follow.
    pub target: Target,
    /// How it is written down.
    pub form: Form,
    /// Whether floating values may have fractions (at most 16 bits of them); they are exact either way.
    pub fractions: bool,
    /// The variables.
    pub vars: Arena<VarId, Var>,
    /// The nodes of all expressions. Some may belong to none any more.
    pub nodes: Arena<NodeId, Node>,
    /// What is executed, in order.
    pub statements: Vec<Statement>,
    /// What it took to make it.
    pub stats: Stats,
}

/// How a test is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One file; every result is compared and a wrong one is named.
    Whole,
    /// One function per expression, in this many files besides the one that has the variables and the comparisons: what
    /// the variables hold is unknown to a compiler that sees one file at a time.
    Split(u32),
    /// One file without anything that is not needed: `main` returns 1 if a result is wrong.
    Compact,
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Var {
    /// What it is for.
    pub role: Role,
    /// Its type.
    pub ty: Ty,
    /// Where it is declared.
    pub place: Place,
    /// Declared `const`.
    pub constant: bool,
    /// Declared `volatile`.
    pub volatile: bool,
    /// The bits of its initial value.
    pub value: u128,
}

/// What a variable is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// An operand.
    X,
    /// The target of a statement.
    T,
    /// The operand of an inserted operation.
    K,
    /// Changed inside of one expression, by an assignment or a step there.
    M,
}

impl Role {
    /// The first letter of its variables.
    pub fn letter(self) -> char {
        match self {
            Role::X => 'x',
            Role::T => 't',
            Role::K => 'k',
            Role::M => 'm',
        }
    }
}

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// In `main`.
    Local,
    /// In `main`, `static`.
    StaticLocal,
    /// At file scope.
    Global,
    /// At file scope, `static`.
    StaticGlobal,
}

impl Place {
    /// Whether it is at file scope.
    pub fn is_global(self) -> bool {
        matches!(self, Place::Global | Place::StaticGlobal)
    }
}

/// A node of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// What it does.
    pub op: Op,
    /// Its type.
    pub ty: Ty,
    /// Its operands, from the left.
    pub kids: [Option<NodeId>; 3],
    /// The bits of its value; in an operand that is not evaluated, what it would be.
    pub value: u128,
}

impl Node {
    /// A node without operands.
    pub fn leaf(op: Op, ty: Ty, value: u128) -> Node {
        Node { op, ty, kids: [None; 3], value }
    }

    /// Its operands.
    pub fn operands(&self) -> impl Iterator<Item = NodeId> + use<> {
        self.kids.into_iter().flatten()
    }
}

/// What a node does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// The value of a variable.
    Var(VarId),
    /// A constant.
    Const,
    /// `-`, `+`, `~` or `!`.
    Unary(UnaryOp),
    /// An operator with two operands.
    Binary(BinaryOp),
    /// `a ? b : c`.
    Cond,
    /// A cast to the node's type.
    Cast,
    /// `a, b`.
    Comma,
    /// `v = a`, or `v op= a`. Nothing else in the expression mentions `v`.
    Assign(Option<BinaryOp>, VarId),
    /// `++v`, `v++` and their opposites. Nothing else in the expression mentions `v`.
    Step(UnaryOp, VarId),
}

/// `target = root` or `target op= root`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What is assigned to.
    pub target: VarId,
    /// The operator of a compound assignment.
    pub op: Option<BinaryOp>,
    /// The expression.
    pub root: NodeId,
    /// The first of the ids its nodes have; they end with `root` or soon after.
    pub first: NodeId,
    /// The bits of the target's value afterwards.
    pub value: u128,
}

/// What it took to make a test.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Operations that were asked for and made.
    pub operations: u64,
    /// Operations inserted to avoid undefined behaviour or rounding: the paper's table 6 counts these.
    pub inserted: u64,
    /// How many of those are about an overflow, a floating one or a rounded result included.
    pub overflows: u64,
    /// How many about a divisor: zero, or -1 of the least value.
    pub divisors: u64,
    /// How many about the count of a shift.
    pub counts: u64,
    /// How many about a left shift of a negative value, or one whose result does not fit.
    pub shifted: u64,
    /// Operations replaced by their complement.
    pub flipped: u64,
    /// Casts to an integer type before operators that take no floating operand.
    pub casts: u64,
    /// Operands that no operation could repair, replaced by a variable.
    pub cuts: u64,
}

impl Test {
    /// The name of a variable: its role's letter and its number.
    pub fn name(&self, var: VarId) -> String {
        use howler_lang::id::Id;
        format!("{}{}", self.vars[var].role.letter(), var.index())
    }

    /// Whether a statement still has an expression rather than a constant.
    pub fn is_alive(&self, statement: usize) -> bool {
        self.statements
            .get(statement)
            .is_some_and(|statement| statement.op.is_some() || self.nodes[statement.root].op != Op::Const)
    }
}
