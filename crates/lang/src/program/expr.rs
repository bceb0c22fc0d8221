//! Expressions and their constants.

use super::{ExprId, FloatId, FuncId, LabelId, ObjId, PathId, StmtId, StrId};
use crate::source::Pos;
use crate::symbol::Symbol;
use crate::ty::{EnumeratorId, RecordId, Type};

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

/// A list of expressions in [`Program::expr_lists`](super::Program::expr_lists).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExprList {
    pub(super) start: u32,
    pub(super) len: u32,
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
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
    /// Every one of them.
    pub const ALL: [BinaryOp; 18] = [
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Lt,
        BinaryOp::Gt,
        BinaryOp::Le,
        BinaryOp::Ge,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::BitAnd,
        BinaryOp::BitXor,
        BinaryOp::BitOr,
        BinaryOp::And,
        BinaryOp::Or,
    ];

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
