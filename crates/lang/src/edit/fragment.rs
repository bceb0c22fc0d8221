//! New code as data: what `build` is to be asked for, operands first. Types and names are written such that they mean
//! the same in the seed wherever and whenever it is read.

mod extract;
mod run;
mod text;
mod types;

pub use extract::{Names, SeedTypes};
pub(super) use text::{Shown, read_ref};

use super::step::Ref;
use crate::program::{BinaryOp, FuncId, IntForm, LabelId, ObjId, Storage, UnaryOp};

/// An object in new code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectName {
    /// The n-th one that the code declares.
    Own(u32),
    /// One from outside.
    Outside(Ref<ObjId>),
}

/// A label in new code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelName {
    /// The n-th one that the code names first.
    Own(u32),
    /// One from outside.
    Outside(Ref<LabelId>),
}

/// One thing to ask `build` for. Operands are what came before, the last ones.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Op {
    Int {
        value: u64,
        form: IntForm,
        ty: String,
    },
    Float {
        bits: u128,
        ty: String,
    },
    Str(Vec<u8>),
    Object(ObjectName),
    Function(Ref<FuncId>),
    /// A function of the compiler, which needs no declaration.
    Own(String),
    /// An enumeration constant, by its number in the seed.
    Constant(u32),
    Member(String),
    Index,
    Unary(UnaryOp),
    Binary(BinaryOp),
    Assign,
    Compound(BinaryOp),
    Cond,
    Elvis,
    Comma,
    Cast(String),
    /// With so many arguments.
    Call(u32),
    Builtin(String, u32),
    SizeofType(String),
    SizeofExpr,
    Empty,
    Evaluate,
    Block(u32),
    If,
    IfElse,
    While,
    DoWhile,
    For {
        init: bool,
        cond: bool,
        step: bool,
    },
    Switch,
    /// With a last value, or without.
    Case(bool),
    Default,
    Label(LabelName),
    Goto(LabelName),
    Break,
    Continue,
    Return,
    ReturnValue,
    /// So many declarations as the head of a `for`.
    Decls(u32),
    Declare {
        name: String,
        ty: String,
        storage: Storage,
        init: bool,
    },
}

/// New code: an expression, or statements.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fragment {
    pub(super) ops: Vec<Op>,
}

impl Fragment {
    /// The edits whose objects, functions or labels it names.
    pub fn needs(&self) -> Vec<u32> {
        let needs = self.ops.iter().filter_map(|op| match op {
            Op::Object(ObjectName::Outside(object)) => object.edit(),
            Op::Function(func) => func.edit(),
            Op::Label(LabelName::Outside(label)) | Op::Goto(LabelName::Outside(label)) => label.edit(),
            _ => None,
        });
        needs.collect()
    }
}
