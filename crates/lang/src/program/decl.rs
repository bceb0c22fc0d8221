//! What is declared: objects, functions, labels, and how.

use super::{ExprId, FuncId, InitId, ObjId, StmtId, StrId};
use crate::source::Pos;
use crate::symbol::Symbol;
use crate::ty::Type;

/// A declaration of an object or a function. One entity may have several.
#[derive(Clone, Debug)]
pub struct Decl {
    /// What is declared.
    pub entity: Entity,
    /// The type as this declaration writes it; the entity's own is the composite of all.
    pub ty: Type,
    /// The storage class it writes.
    pub storage: Storage,
    /// Writes `_Thread_local` (`__thread`).
    pub thread: bool,
    /// Writes `inline`.
    pub inline: bool,
    /// Writes `_Noreturn`.
    pub noreturn: bool,
    /// Attributes it writes, except those that became part of a type.
    pub attrs: Vec<Attr>,
    /// Alignment from `aligned(n)` or `_Alignas`, or 0.
    pub align: u32,
    /// `asm("name")` after the declarator, or the register of a register variable.
    pub asm_label: Option<StrId>,
    /// The initialiser. A function's body is in [`Function::body`] and belongs to the declaration with `body`.
    pub init: Option<InitId>,
    /// Whether this is the function's definition.
    pub body: bool,
    /// Where the name stands.
    pub pos: Pos,
}

/// What a [`Decl`] declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entity {
    /// An object.
    Object(ObjId),
    /// A function.
    Function(FuncId),
    /// A typedef with variable array bounds: its declaration evaluates them. [`Decl::ty`] is the variant.
    Typedef(Symbol),
    /// A declaration that only evaluates array bounds: `int (*)[n];` has no effect, and is not kept otherwise.
    Bounds,
}

/// A storage class specifier as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Storage {
    /// None.
    None,
    /// `extern`.
    Extern,
    /// `static`.
    Static,
    /// `register`.
    Register,
    /// `auto`; on a nested function it declares it before its definition.
    Auto,
}

/// Linkage (C17 6.2.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Linkage {
    /// One entity in the whole program.
    External,
    /// One entity in its translation unit.
    Internal,
    /// Each declaration its own.
    None,
}

/// How long an object lives and what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Duration {
    /// The whole run.
    Static,
    /// The thread.
    Thread,
    /// Its block.
    Automatic,
    /// A parameter: the call.
    Parameter,
    /// A compound literal in a block. (At file scope it is `Static` with `literal` set.)
    Literal,
}

/// A variable, parameter or compound literal.
#[derive(Clone, Debug)]
pub struct Object {
    /// The name; compound literals and unnamed parameters have none.
    pub name: Option<Symbol>,
    /// The type, composite over all declarations.
    pub ty: Type,
    /// Linkage.
    pub linkage: Linkage,
    /// Lifetime.
    pub duration: Duration,
    /// Whether it is a compound literal.
    pub literal: bool,
    /// Declared `register`: its address may not be taken.
    pub register: bool,
    /// The initialiser of its definition.
    pub init: Option<InitId>,
    /// Alignment asked for by any declaration, or 0.
    pub align: u32,
    /// Attributes of all declarations.
    pub attrs: Vec<Attr>,
    /// For a parameter declared as an array: the bound as written.
    pub param_bound: Option<ParamBound>,
    /// Whether a definition (not only `extern` declarations) was seen in this unit.
    pub defined: bool,
    /// The unit it belongs to, as an index into [`Program::units`](super::Program::units).
    pub unit: u32,
    /// The declaration in another unit that this one is linked to, after `link`.
    pub linked: Option<ObjId>,
    /// Where it was first declared.
    pub pos: Pos,
}

impl Object {
    /// A local object without a name, of which only the type matters yet.
    pub fn unnamed(ty: Type) -> Object {
        Object {
            name: None,
            ty,
            linkage: Linkage::None,
            duration: Duration::Automatic,
            literal: false,
            register: false,
            init: None,
            align: 0,
            attrs: Vec::new(),
            param_bound: None,
            defined: true,
            unit: 0,
            linked: None,
            pos: Pos::NONE,
        }
    }
}

/// The outermost bound of a parameter declared as an array: `int a[static n]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamBound {
    /// The bound; evaluated on entry.
    pub len: ExprId,
    /// Whether `static` was written.
    pub at_least: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: Symbol,
    /// Its type, composite over all declarations.
    pub ty: Type,
    /// Linkage.
    pub linkage: Linkage,
    /// Any declaration says `inline`.
    pub inline: bool,
    /// Any file-scope declaration lacks `inline`, or says `extern` (C17 6.7.4p7).
    pub external_decl: bool,
    /// Any declaration says `_Noreturn`.
    pub noreturn: bool,
    /// Attributes of all declarations.
    pub attrs: Vec<Attr>,
    /// The parameters of the definition.
    pub params: Vec<ObjId>,
    /// Defined with an identifier list (K&R).
    pub old_style: bool,
    /// The body, a compound statement.
    pub body: Option<StmtId>,
    /// The function this one is nested in (GNU C).
    pub parent: Option<FuncId>,
    /// Declared by use only: implicitly, or as a builtin. There is no declaration to print.
    pub implicit: bool,
    /// The unit it belongs to, as an index into [`Program::units`](super::Program::units).
    pub unit: u32,
    /// The definition in another unit that this one is linked to, after `link`.
    pub linked: Option<FuncId>,
    /// Where it was first declared.
    pub pos: Pos,
}

/// A label. Its statement is [`StmtKind::Label`](super::StmtKind::Label).
#[derive(Clone, Debug)]
pub struct Label {
    /// The name.
    pub name: Symbol,
    /// Declared with `__label__` in a block.
    pub local: bool,
    /// Where it was first mentioned.
    pub pos: Pos,
}

/// An attribute kept for the printer and the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attr {
    /// The name without underscores: `noinline`.
    pub name: Symbol,
    /// The arguments.
    pub args: Vec<AttrArg>,
}

/// An argument of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttrArg {
    /// An integer constant.
    Int(i128),
    /// A string literal's bytes.
    Str(String),
    /// An identifier.
    Ident(Symbol),
}

impl Decl {
    /// A declaration that says no more than this.
    pub fn plain(entity: Entity, ty: Type, storage: Storage) -> Decl {
        Decl {
            entity,
            ty,
            storage,
            thread: false,
            inline: false,
            noreturn: false,
            attrs: Vec::new(),
            align: 0,
            asm_label: None,
            init: None,
            body: false,
            pos: Pos::NONE,
        }
    }
}

impl Function {
    /// A function without a body, parameters or attributes.
    pub fn plain(name: Symbol, ty: Type, linkage: Linkage, unit: u32) -> Function {
        Function {
            name,
            ty,
            linkage,
            inline: false,
            external_decl: true,
            noreturn: false,
            attrs: Vec::new(),
            params: Vec::new(),
            old_style: false,
            body: None,
            parent: None,
            implicit: false,
            unit,
            linked: None,
            pos: Pos::NONE,
        }
    }
}
