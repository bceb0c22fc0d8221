//! The only way to make an expression.
//!
//! Every function takes operands as the grammar gives them (lvalues undecayed, nothing promoted), applies C's
//! promotions, conversions and constraints, and returns the new node or the constraint that is violated. The tree
//! is never left ill-typed. Front end, generators, mutators and the reducer all come through here, so there is no
//! second type checker.

mod access;
mod builtin;
mod constant;
mod convert;
mod derive;
mod operator;
mod pointer;
mod query;
mod record;
mod vector;

pub use access::{builtin_function, call, index, member};
pub use builtin::{builtin, convert_vector};
pub use constant::constant;
pub use convert::{cast, condition, convert_as_if_assigned, convert_integer, discard, switch_value, value};
pub use derive::{
    BadType, array_of, array_of_size, element_size, function_returning, largest_object, pointer_to,
};
pub use operator::{assign, binary, comma, compound_assign, cond, elvis, unary};
pub use query::{
    alignof_expr, alignof_type, integer_constant, is_bitfield, is_lvalue, offsetof, sizeof_expr, sizeof_type,
    stmt_expr, va_arg,
};
pub use record::{check_bit_field, check_member, check_record, enum_type, holds};

use crate::layout;
use crate::print;
use crate::program::{
    Expr, ExprId, ExprKind, FloatLit, FuncId, FuncName, IntForm, LabelId, ObjId, Program, StrLit, StrPrefix,
    StrUnits,
};
use crate::source::Pos;
use crate::symbol::Symbol;
use crate::ty::{EnumeratorId, Len, Quals, Type, Types};

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

/// The result of building. The violation is behind a pointer so that the result fits in registers.
pub type Built = Result<ExprId, Box<Violation>>;

impl<'p> Cx<'p> {
    /// A strict context.
    ///
    /// ```
    /// use howler_lang::build::{self, Cx};
    /// use howler_lang::program::{BinaryOp, IntForm, Program};
    /// use howler_lang::source::Pos;
    /// use howler_lang::target::Target;
    /// use howler_lang::ty::Type;
    ///
    /// let mut program = Program::new(Target::X86_64_GCC);
    /// let cx = &mut Cx::strict(&mut program);
    /// let one = build::int(cx, 1, IntForm::Decimal, Type::INT, Pos::NONE);
    /// let big = build::int(cx, 2, IntForm::Decimal, Type::ULONG, Pos::NONE);
    /// let sum = build::binary(cx, BinaryOp::Add, one, big, Pos::NONE)?;
    /// assert_eq!(program.ty(sum), Type::ULONG);
    /// # Ok::<(), Box<howler_lang::build::Violation>>(())
    /// ```
    pub fn strict(program: &'p mut Program) -> Cx<'p> {
        Cx { program, policy: Policy::Strict, warnings: Vec::new() }
    }

    #[inline]
    fn push(&mut self, kind: ExprKind, ty: Type, pos: Pos) -> ExprId {
        self.program.exprs.push(Expr { kind, ty, pos })
    }

    #[inline]
    fn types(&self) -> &Types {
        &self.program.types
    }

    #[inline]
    fn ty(&self, e: ExprId) -> Type {
        self.program.exprs[e].ty
    }

    fn pos(&self, e: ExprId) -> Pos {
        self.program.exprs[e].pos
    }

    /// A type in a message's words.
    fn name(&self, ty: Type) -> String {
        print::type_name(self.program, ty)
    }

    /// A violation every compiler rejects.
    #[cold]
    fn reject<T>(&self, pos: Pos, message: impl Into<String>) -> Result<T, Box<Violation>> {
        Err(Box::new(Violation { pos, message: message.into() }))
    }

    /// A violation that gcc does not even mention unless it is asked for all of them: an error only if strict.
    #[cold]
    fn forbid(&self, pos: Pos, message: &str) -> Result<(), Box<Violation>> {
        match self.policy {
            Policy::Strict => self.reject(pos, message),
            Policy::Lenient => Ok(()),
        }
    }

    /// A violation that gcc lets pass: an error only if strict.
    #[cold]
    fn tolerate(&mut self, pos: Pos, message: impl FnOnce(&Self) -> String) -> Result<(), Box<Violation>> {
        let violation = Violation { pos, message: message(self) };
        match self.policy {
            Policy::Strict => Err(Box::new(violation)),
            Policy::Lenient => {
                self.warnings.push(violation);
                Ok(())
            }
        }
    }
}

/// An integer constant of type `ty`, which is `int` or wider.
#[inline]
pub fn int(cx: &mut Cx, value: u64, form: IntForm, ty: Type, pos: Pos) -> ExprId {
    cx.push(ExprKind::Int { value, form }, ty, pos)
}

/// A floating constant of type `ty`.
pub fn float(cx: &mut Cx, lit: FloatLit, ty: Type, pos: Pos) -> ExprId {
    let id = cx.program.floats.push(lit);
    cx.push(ExprKind::Float(id), ty, pos)
}

/// The GNU imaginary constant with the value of `constant`.
pub fn imaginary(cx: &mut Cx, constant: ExprId, pos: Pos) -> ExprId {
    let ty = cx.ty(constant);
    let ty = cx.program.types.complex(ty);
    cx.push(ExprKind::Imaginary(constant), ty, pos)
}

/// A string literal: an lvalue of array type (C17 6.4.5p6).
pub fn string(cx: &mut Cx, lit: StrLit, pos: Pos) -> ExprId {
    let target = &cx.program.target;
    let elem = match lit.prefix {
        StrPrefix::None | StrPrefix::Utf8 => Type::CHAR,
        StrPrefix::Wide => layout::integers::wchar_type(target),
        StrPrefix::Utf16 => Type::USHORT,
        StrPrefix::Utf32 => Type::UINT,
    };
    let length = match &lit.units {
        StrUnits::Narrow(units) => units.len(),
        StrUnits::Wide(units) => units.len(),
    };
    let ty = cx.program.types.array(elem, Len::Fixed(length as u64 + 1));
    let id = cx.program.strings.push(lit);
    cx.push(ExprKind::Str(id), ty, pos)
}

/// `__func__` in a function whose name has `length` bytes: an lvalue of type `const char [length + 1]`.
pub fn func_name(cx: &mut Cx, which: FuncName, length: u64, pos: Pos) -> ExprId {
    let types = &mut cx.program.types;
    let elem = types.qualified(Type::CHAR, Quals::CONST);
    let ty = types.array(elem, Len::Fixed(length.saturating_add(1)));
    cx.push(ExprKind::FuncName(which), ty, pos)
}

/// An enumeration constant.
#[inline]
pub fn enumerator(cx: &mut Cx, id: EnumeratorId, pos: Pos) -> ExprId {
    let ty = cx.types().enumerators[id].ty;
    cx.push(ExprKind::EnumConst(id), ty, pos)
}

/// An object: an lvalue.
#[inline]
pub fn object(cx: &mut Cx, obj: ObjId, pos: Pos) -> ExprId {
    let ty = cx.program.objects[obj].ty;
    cx.push(ExprKind::Object(obj), ty, pos)
}

/// Makes the use of an object's name that `e` is one of another object. All that was built on it stays as it is, so the
/// other has the same type, and is as much a register as this one (C17 6.5.3.2p1). Whether it is visible there, and
/// constant where that is asked for, is for the caller to know.
pub fn rename_use(cx: &mut Cx, e: ExprId, other: ObjId) -> Result<(), Box<Violation>> {
    let Expr { kind: ExprKind::Object(object), ty, pos } = cx.program.exprs[e] else {
        return cx.reject(cx.pos(e), "not the name of an object");
    };
    let register = |object: ObjId| cx.program.objects[object].register;
    if ty != cx.program.objects[other].ty || register(object) != register(other) {
        return cx.reject(pos, "the other object is not of the same type");
    }
    cx.program.exprs.set(e, ExprKind::Object(other));
    Ok(())
}

/// A function designator.
#[inline]
pub fn function(cx: &mut Cx, func: FuncId, pos: Pos) -> ExprId {
    let ty = cx.program.funcs[func].ty;
    cx.push(ExprKind::Function(func), ty, pos)
}

/// A compound literal: an lvalue.
pub fn compound_literal(cx: &mut Cx, obj: ObjId, pos: Pos) -> ExprId {
    let ty = cx.program.objects[obj].ty;
    cx.push(ExprKind::CompoundLiteral(obj), ty, pos)
}

/// `&&label`, a `void *`.
pub fn label_addr(cx: &mut Cx, label: LabelId, pos: Pos) -> ExprId {
    let ty = cx.program.types.pointer(Type::VOID);
    cx.push(ExprKind::LabelAddr(label), ty, pos)
}
