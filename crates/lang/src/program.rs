//! The typed program: translation units over shared arenas.
//!
//! Every expression has its type, and every conversion C makes silently is a [`ExprKind::Convert`] node, so nothing
//! downstream applies a rule of C again. Operands are made before the operations that use them, so an expression's
//! id is greater than those of its operands.

mod decl;
mod expr;
mod exprs;
mod init;
mod mark;
mod stmt;

pub use decl::{
    Attr, AttrArg, Decl, Duration, Entity, Function, Label, Linkage, Object, ParamBound, Storage,
};
pub use expr::*;
pub use exprs::Exprs;
pub use init::{EntryList, Init, InitEntry};
pub use mark::Mark;
pub use stmt::{Asm, AsmOperand, Stmt, StmtKind, StmtList};

use crate::builtin;
use crate::correspond::Pairs;
use crate::define_id;
use crate::id::Arena;
use crate::layout::Layouts;
use crate::source::{Pos, SourceMap};
use crate::symbol::{Symbol, Symbols};
use crate::target::Target;
use crate::ty::{EnumId, RecordId, Type, Types};
use rustc_hash::{FxHashMap, FxHashSet};

define_id! {
    /// An expression.
    ExprId;
    /// A statement. Ids grow in source order, so the n-th statement keeps its id through print and parse.
    StmtId;
    /// A variable, parameter or compound literal.
    ObjId;
    /// A function.
    FuncId;
    /// A label.
    LabelId;
    /// An initialiser.
    InitId;
    /// A string literal.
    StrId;
    /// A floating constant.
    FloatId;
    /// An asm statement.
    AsmId;
    /// A declaration.
    DeclId;
    /// A member designator of `offsetof`.
    PathId;
}

/// A program: all its translation units, for one target.
#[derive(Clone)]
pub struct Program {
    /// Whose sizes and rules the types follow.
    pub target: Target,
    /// Identifiers.
    pub symbols: Symbols,
    /// Types.
    pub types: Types,
    /// Expressions.
    pub exprs: Exprs,
    /// Statements.
    pub stmts: Arena<StmtId, Stmt>,
    /// Objects.
    pub objects: Arena<ObjId, Object>,
    /// Functions.
    pub funcs: Arena<FuncId, Function>,
    /// Labels.
    pub labels: Arena<LabelId, Label>,
    /// Initialisers.
    pub inits: Arena<InitId, Init>,
    /// String literals.
    pub strings: Arena<StrId, StrLit>,
    /// Floating constants.
    pub floats: Arena<FloatId, FloatLit>,
    /// Asm statements.
    pub asms: Arena<AsmId, Asm>,
    /// Declarations.
    pub decls: Arena<DeclId, Decl>,
    /// Member designators.
    pub paths: Arena<PathId, Vec<PathStep>>,
    /// Backing store of [`ExprList`].
    pub expr_lists: Vec<ExprId>,
    /// Backing store of [`StmtList`].
    pub stmt_lists: Vec<StmtId>,
    /// Backing store of [`EntryList`].
    pub entries: Vec<InitEntry>,
    /// The translation units.
    pub units: Vec<Unit>,
    /// The texts the program was read from, if it was.
    pub sources: SourceMap,
    /// Sizes and offsets of its types, remembered.
    pub layouts: Layouts,
    /// Which of its types are compatible between units, remembered.
    pub pairs: Pairs,
    /// The types that functions without a definition have in the library, by what their units declare.
    pub library: FxHashMap<FuncId, Type>,
    /// What declarations do that is undefined though compilers take it.
    pub faults: Vec<Fault>,
    /// Parameters that are declared as arrays or functions.
    pub adjusted: FxHashSet<ObjId>,
}

/// Declarations of one unit that are undefined together, where compilers need not say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The declaration that makes it so.
    pub pos: Pos,
}

/// What is wrong with declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An identifier has both internal and external linkage (C17 6.2.2p7): a block declares it `extern` where the
    /// declaration of file scope is hidden.
    BothLinkages,
    /// A tentative definition with internal linkage has an incomplete type (C17 6.9.2p3).
    IncompleteStatic,
}

impl Program {
    /// A program without units.
    pub fn new(target: Target) -> Program {
        Program {
            target,
            symbols: Symbols::default(),
            types: Types::new(),
            exprs: Exprs::default(),
            stmts: Arena::new(),
            objects: Arena::new(),
            funcs: Arena::new(),
            labels: Arena::new(),
            inits: Arena::new(),
            strings: Arena::new(),
            floats: Arena::new(),
            asms: Arena::new(),
            decls: Arena::new(),
            paths: Arena::new(),
            expr_lists: Vec::new(),
            stmt_lists: Vec::new(),
            entries: Vec::new(),
            units: Vec::new(),
            sources: SourceMap::default(),
            layouts: Layouts::new(target),
            pairs: Pairs::default(),
            library: FxHashMap::default(),
            faults: Vec::new(),
            adjusted: FxHashSet::default(),
        }
    }

    /// A program without units, in the memory of one that is not needed any more: whoever reads or makes many programs
    /// does not ask the system for the same memory again and again.
    ///
    /// ```
    /// use howler_lang::program::Program;
    /// use howler_lang::target::Target;
    ///
    /// let old = Program::new(Target::X86_64_GCC);
    /// let new = old.recycled(Target::X86_64_GCC);
    /// assert!(new.units.is_empty() && new.symbols.is_empty());
    /// ```
    pub fn recycled(self, target: Target) -> Program {
        let Program { mut symbols, mut exprs, mut stmts, mut objects, mut funcs, mut labels, .. } = self;
        let Program { mut inits, mut strings, mut floats, mut decls, mut paths, .. } = self;
        let Program { mut expr_lists, mut stmt_lists, mut entries, .. } = self;
        symbols.clear();
        exprs.truncate(0);
        stmts.truncate(0);
        objects.truncate(0);
        funcs.truncate(0);
        labels.truncate(0);
        inits.truncate(0);
        strings.truncate(0);
        floats.truncate(0);
        decls.truncate(0);
        paths.truncate(0);
        expr_lists.clear();
        stmt_lists.clear();
        entries.clear();
        Program {
            symbols,
            exprs,
            stmts,
            objects,
            funcs,
            labels,
            inits,
            strings,
            floats,
            decls,
            paths,
            expr_lists,
            stmt_lists,
            entries,
            ..Program::new(target)
        }
    }

    /// The expressions of a list.
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.expr_lists[list.start as usize..][..list.len as usize]
    }

    /// The statements of a list.
    pub fn block(&self, list: StmtList) -> &[StmtId] {
        &self.stmt_lists[list.start as usize..][..list.len as usize]
    }

    /// The entries of a braced initialiser.
    pub fn init_entries(&self, list: EntryList) -> &[InitEntry] {
        &self.entries[list.start as usize..][..list.len as usize]
    }

    /// Stores a list of expressions.
    pub fn add_list(&mut self, exprs: &[ExprId]) -> ExprList {
        let start = self.expr_lists.len() as u32;
        self.expr_lists.extend_from_slice(exprs);
        ExprList { start, len: exprs.len() as u32 }
    }

    /// The list of the expressions pushed to [`Program::expr_lists`] since it had `start` elements.
    pub fn list_from(&self, start: usize) -> ExprList {
        ExprList { start: start as u32, len: (self.expr_lists.len() - start) as u32 }
    }

    /// Stores a list of statements.
    pub fn add_block(&mut self, stmts: &[StmtId]) -> StmtList {
        let start = self.stmt_lists.len() as u32;
        self.stmt_lists.extend_from_slice(stmts);
        StmtList { start, len: stmts.len() as u32 }
    }

    /// Stores the entries of a braced initialiser.
    pub fn add_entries(&mut self, entries: &[InitEntry]) -> EntryList {
        let start = self.entries.len() as u32;
        self.entries.extend_from_slice(entries);
        EntryList { start, len: entries.len() as u32 }
    }

    /// The size of a type in bytes, if it has one before the program runs.
    pub fn size_of(&self, ty: Type) -> Option<u64> {
        self.layouts.size_of(&self.types, ty)
    }

    /// A name that starts with `prefix` and is nowhere in the program: it captures nothing and nothing hides it.
    pub fn fresh_name(&self, prefix: &str) -> String {
        let names = (1u64..).map(|number| format!("{prefix}_{number}"));
        let mut free =
            names.filter(|name| self.symbols.get(name).is_none() && builtin::lookup(name).is_none());
        free.next().expect("a program has fewer names than there are numbers")
    }

    /// The spelling of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// The type of an expression.
    #[inline]
    pub fn ty(&self, expr: ExprId) -> Type {
        self.exprs[expr].ty
    }
}

/// One translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The file's name.
    pub name: String,
    /// Top-level items in order.
    pub items: Vec<Item>,
}

/// A top-level item, or what a declaration statement declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// `struct S;`: the tag is needed before its members are known.
    RecordTag(RecordId),
    /// `struct S { … };`
    Record(RecordId),
    /// `enum E { … };`
    Enum(EnumId),
    /// A declaration of an object or function, or a typedef that is kept.
    Decl(DeclId),
    /// `asm("…");` at file scope.
    Asm(StrId),
    /// An `#include` line; the items up to the matching [`Item::IncludeEnd`] come from it and are not printed.
    Include(Symbol),
    /// The end of an include.
    IncludeEnd,
}
