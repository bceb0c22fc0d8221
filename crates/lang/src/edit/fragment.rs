//! New code as data: what `build` is to be asked for, operands first. Types and names are written such that they mean
//! the same in the seed wherever and whenever it is read.

mod declare;
mod extract;
mod items;
mod run;
mod text;
mod types;

pub use extract::Names;
pub(super) use text::{Shown, read_ref};

use super::step::Ref;
use crate::compose::Shape;
use crate::id::Id;
use crate::program::{BinaryOp, FuncId, IntForm, LabelId, ObjId, Storage, UnaryOp};
use crate::ty::EnumeratorId;

/// What new code names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name<I> {
    /// The n-th of its kind that the code declares; of labels, the n-th that it names first.
    Own(u32),
    /// One from outside.
    Outside(Ref<I>),
}

impl<I: Id> Name<I> {
    fn edit(self) -> Option<u32> {
        match self {
            Name::Own(_) => None,
            Name::Outside(reference) => reference.edit(),
        }
    }
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
    Object(Name<ObjId>),
    Function(Name<FuncId>),
    /// A function of the compiler, which needs no declaration.
    Own(String),
    Constant(Name<EnumeratorId>),
    /// Braces around values for these parts.
    List(Vec<u64>),
    /// A compound literal of a type.
    Literal(String),
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
    Label(Name<LabelId>),
    Goto(Name<LabelId>),
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
    /// An object at file scope.
    Global {
        name: String,
        ty: String,
        storage: Storage,
        init: bool,
    },
    /// An `extern` declaration of one that is there.
    Again(Name<ObjId>),
    /// A function, not declared yet.
    Begin {
        name: String,
        ty: String,
        internal: bool,
        inline: bool,
    },
    /// A parameter of the function that is defined next.
    Param {
        name: String,
        ty: String,
    },
    Prototype(Name<FuncId>),
    /// The definition of the n-th function of the code, with so many statements.
    Define(u32, u32),
    /// An attribute of what was declared last.
    Attribute(String),
    Align(u32),
    /// A struct or union, not declared yet, and without a name if it is the type of an unnamed member.
    Record {
        union: bool,
        tag: Option<String>,
    },
    /// The declaration of the n-th record's tag.
    Tag(u32),
    /// A member of the record that is defined next.
    Field {
        name: Option<String>,
        ty: String,
        bits: Option<u8>,
        align: u32,
        packed: bool,
    },
    /// The definition of the n-th record.
    Fields(u32, Shape),
    /// A constant of the enumeration that is defined next.
    Enumerator {
        name: String,
        value: Option<i128>,
    },
    Enum {
        tag: String,
        packed: bool,
    },
}

/// New code: an expression, or statements.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fragment {
    pub(super) ops: Vec<Op>,
}

impl Fragment {
    /// The edits whose objects, functions, labels or types it names.
    pub fn needs(&self) -> Vec<u32> {
        let mut needs = Vec::new();
        for op in &self.ops {
            match op {
                Op::Object(object) | Op::Again(object) => needs.extend(object.edit()),
                Op::Function(func) | Op::Prototype(func) => needs.extend(func.edit()),
                Op::Label(label) | Op::Goto(label) => needs.extend(label.edit()),
                Op::Constant(constant) => needs.extend(constant.edit()),
                _ => {}
            }
            op.ty().into_iter().for_each(|ty| needs.extend(types::needs(ty)));
        }
        needs
    }
}

impl Op {
    /// The type that it writes.
    fn ty(&self) -> Option<&str> {
        match self {
            Op::Int { ty, .. }
            | Op::Float { ty, .. }
            | Op::Cast(ty)
            | Op::SizeofType(ty)
            | Op::Literal(ty)
            | Op::Declare { ty, .. }
            | Op::Global { ty, .. }
            | Op::Begin { ty, .. }
            | Op::Param { ty, .. }
            | Op::Field { ty, .. } => Some(ty),
            _ => None,
        }
    }
}
