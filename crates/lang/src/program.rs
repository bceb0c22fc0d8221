//! The typed program: translation units over shared arenas.
//!
//! Every expression has its type, and every conversion C makes silently is a [`ExprKind::Convert`] node, so nothing
//! downstream applies a rule of C again. Operands are made before the operations that use them, so an expression's
//! id is greater than those of its operands.

use crate::define_id;
use crate::id::Arena;
use crate::layout::Layouts;
use crate::source::{Pos, SourceMap};
use crate::symbol::{Symbol, Symbols};
use crate::target::Target;
use crate::ty::{EnumId, EnumeratorId, RecordId, Type, Types};

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
    pub exprs: Arena<ExprId, Expr>,
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
}

impl Program {
    /// A program without units.
    pub fn new(target: Target) -> Program {
        Program {
            target,
            symbols: Symbols::default(),
            types: Types::new(),
            exprs: Arena::new(),
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
    /// The unit it belongs to, as an index into [`Program::units`].
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
    /// The unit it belongs to, as an index into [`Program::units`].
    pub unit: u32,
    /// The definition in another unit that this one is linked to, after `link`.
    pub linked: Option<FuncId>,
    /// Where it was first declared.
    pub pos: Pos,
}

/// A label. Its statement is [`StmtKind::Label`].
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

/// An expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expr {
    /// What it does.
    pub kind: ExprKind,
    /// Its type. An lvalue's includes qualifiers; a value's has none.
    pub ty: Type,
    /// Where its operator or first token stands.
    pub pos: Pos,
}

const _: () = assert!(size_of::<ExprKind>() <= 16);
const _: () = assert!(size_of::<Expr>() <= 24);

/// A list of expressions in [`Program::expr_lists`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExprList {
    start: u32,
    len: u32,
}

impl ExprList {
    /// The empty list.
    pub const EMPTY: ExprList = ExprList { start: 0, len: 0 };

    /// How many expressions it holds.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether it is empty.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// What an expression does. Operands are already converted as the operator wants them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ExprKind {
    /// An integer constant; the type decides what the bits mean. Never negative in C's terms.
    Int {
        /// The value.
        value: u64,
        /// How to write it.
        form: IntForm,
    },
    /// A floating constant.
    Float(FloatId),
    /// A GNU imaginary constant `1.0i` or `1i`: the operand is the constant, the type is complex.
    Imaginary(ExprId),
    /// A string literal: an lvalue of array type.
    Str(StrId),
    /// `__func__` and its GNU spellings: an lvalue of array type.
    FuncName(FuncName),
    /// An enumeration constant.
    EnumConst(EnumeratorId),
    /// An object: an lvalue.
    Object(ObjId),
    /// A function designator.
    Function(FuncId),
    /// A compound literal: an lvalue.
    CompoundLiteral(ObjId),
    /// A member of a struct or union: an lvalue if the base is one. `p->m` is a member of [`UnaryOp::Deref`].
    Member {
        /// The struct or union.
        base: ExprId,
        /// Index into [`crate::ty::Record::fields`].
        field: u32,
    },
    /// `base[index]`: base is a pointer value, or a vector.
    Index {
        /// The pointer or vector.
        base: ExprId,
        /// The integer.
        index: ExprId,
    },
    /// An operator with one operand.
    Unary(UnaryOp, ExprId),
    /// An operator with two operands, both evaluated except for `&&` and `||`.
    Binary(BinaryOp, ExprId, ExprId),
    /// `lhs = rhs`; the right side has the left's type.
    Assign(ExprId, ExprId),
    /// `lhs op= rhs`: the left value is converted to `compute`, the operation done there, the result converted back.
    Compound {
        /// The operator.
        op: BinaryOp,
        /// The lvalue.
        lhs: ExprId,
        /// The other operand, converted.
        rhs: ExprId,
        /// The type the operation is done in (that of the converted left value).
        compute: Type,
    },
    /// `cond ? then : other`.
    Cond(ExprId, ExprId, ExprId),
    /// `value ?: other`: the first operand is evaluated once and, if it is not zero, converted to the type.
    Elvis(ExprId, ExprId),
    /// `left, right`.
    Comma(ExprId, ExprId),
    /// An explicit cast to the expression's type.
    Cast(Conv, ExprId),
    /// An implicit conversion to the expression's type.
    Convert(Conv, ExprId),
    /// A call; the callee is a pointer value (a designator is decayed).
    Call(ExprId, ExprList),
    /// An operator-like builtin.
    Builtin(Builtin, ExprList),
    /// `sizeof(type)`.
    SizeofType(Type),
    /// `sizeof expr`: evaluated only if its type is a variable length array.
    SizeofExpr(ExprId),
    /// `_Alignof(type)` (`preferred`: `__alignof__(type)`).
    AlignofType {
        /// The type.
        of: Type,
        /// GNU's preferred alignment rather than the minimum.
        preferred: bool,
    },
    /// `__alignof__ expr` or GNU's `_Alignof expr`; never evaluated.
    AlignofExpr {
        /// The operand.
        of: ExprId,
        /// GNU's preferred alignment rather than the minimum.
        preferred: bool,
    },
    /// `__builtin_offsetof(type, path)`.
    Offsetof(Type, PathId),
    /// `__builtin_va_arg(list, type)`: a value of the expression's type.
    VaArg(ExprId),
    /// `({ … })`: the value of its last statement, if that is an expression.
    StmtExpr(StmtId),
    /// `&&label`.
    LabelAddr(LabelId),
}

/// How an integer constant is written. It does not change the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum IntForm {
    /// `42`
    Decimal,
    /// `0x2a`
    Hex,
    /// `052`
    Octal,
    /// `'*'`
    Char,
}

/// The spelling of the current function's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FuncName {
    /// `__func__`
    Func,
    /// `__FUNCTION__`
    Function,
    /// `__PRETTY_FUNCTION__`
    Pretty,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UnaryOp {
    /// `-x`
    Neg,
    /// `+x`
    Plus,
    /// `~x`; of a complex value, its conjugate.
    BitNot,
    /// `!x`
    Not,
    /// `*p`: an lvalue, or a function designator.
    Deref,
    /// `&x`
    AddrOf,
    /// `++x`
    PreInc,
    /// `--x`
    PreDec,
    /// `x++`
    PostInc,
    /// `x--`
    PostDec,
    /// `__real__ x`: an lvalue if the operand is one.
    Real,
    /// `__imag__ x`: an lvalue if the operand is one.
    Imag,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// Its spelling.
    pub const fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}

/// What a conversion does to the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Conv {
    /// Lvalue to value (C17 6.3.2.1p2).
    Load,
    /// Array to pointer to its first element (6.3.2.1p3).
    ArrayDecay,
    /// Function to pointer (6.3.2.1p4).
    FunctionDecay,
    /// Integer to integer, `_Bool` as the source included.
    IntToInt,
    /// Any scalar to `_Bool` (6.3.1.2).
    ToBool,
    /// Integer to floating.
    IntToFloat,
    /// Floating to integer.
    FloatToInt,
    /// Floating to floating.
    FloatToFloat,
    /// Real to complex: converted to the element type, imaginary part zero.
    RealToComplex,
    /// Complex to real: the imaginary part is dropped, the rest converted.
    ComplexToReal,
    /// Complex to complex, part by part.
    ComplexToComplex,
    /// Pointer to pointer.
    PointerToPointer,
    /// A null pointer constant to a pointer (6.3.2.3p3).
    NullToPointer,
    /// Integer to pointer.
    IntToPointer,
    /// Pointer to integer.
    PointerToInt,
    /// Anything to `void`.
    ToVoid,
    /// The same bytes under another type: vectors and scalars of one size.
    Bits,
    /// A scalar to every element of a vector.
    Splat,
    /// A value to a union that has a member of its type (GNU).
    ToUnion,
    /// Between types with the same representation and meaning: qualifiers, compatible types, an enum and its
    /// underlying type aside.
    Same,
}

/// Builtins that are operators rather than functions: their types depend on their operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Builtin(pub u16);

/// One step of an `offsetof` path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathStep {
    /// `.field`, by index; through anonymous members one step each.
    Field(RecordId, u32),
    /// `[index]`
    Index(ExprId),
}

/// A string literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrLit {
    /// The characters as code units of the element type, without the final zero.
    pub units: StrUnits,
    /// The prefix.
    pub prefix: StrPrefix,
}

/// The contents of a string literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StrUnits {
    /// Bytes.
    Narrow(Box<[u8]>),
    /// Wider units.
    Wide(Box<[u32]>),
}

/// The prefix of a string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum StrPrefix {
    /// `"…"`
    None,
    /// `u8"…"`
    Utf8,
    /// `L"…"`
    Wide,
    /// `u"…"`
    Utf16,
    /// `U"…"`
    Utf32,
}

/// A floating constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatLit {
    /// The value in the format of the expression's type, low bits first.
    pub bits: u128,
    /// The source spelling with its suffix, if it was read from text.
    pub spelling: Option<Symbol>,
}

/// An initialiser, fully structured: braces left out in the source are here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Init {
    /// An expression of the object's type (or a string literal for an array).
    Expr(ExprId),
    /// Braces: parts in source order; what is not named is zero. As an entry it replaces its part as a whole, whatever
    /// earlier entries gave it (C17 6.7.9p19), and so does an expression.
    List(EntryList),
    /// Designators that go on into a part: those named change, the rest stays as the earlier entries left it, or
    /// zero. Only as an entry of a list or of another update, for a range or where an earlier entry may cover the part
    /// and could not take the change itself: `{"abc", [0][1] = 'q'}`, `{[0 ... 1].a = f(), [1].b = 3}`.
    Update(EntryList),
}

/// A list of entries in [`Program::entries`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryList {
    start: u32,
    len: u32,
}

impl EntryList {
    /// How many entries it holds.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether it is empty.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// One part of a braced initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InitEntry {
    /// The first element or the field it initialises.
    pub index: u64,
    /// The last element: GNU `[first ... last] =`; otherwise equal to `index`.
    pub last: u64,
    /// The value.
    pub init: InitId,
}

/// A statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it starts.
    pub pos: Pos,
}

const _: () = assert!(size_of::<Stmt>() <= 24);

/// A list of statements in [`Program::stmt_lists`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StmtList {
    start: u32,
    len: u32,
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
