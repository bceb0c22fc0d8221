//! Constant expressions (C17 6.6): what folds, to what, and what a static initialiser may hold.
//!
//! Values come from `arith`; this module only decides what counts as constant. It is not an optimiser: nothing in the
//! program is replaced.

mod address;
mod align;
mod call;
mod simplify;

use crate::arith::{self, Num};
use crate::builtin;
use crate::program::{BinaryOp, Conv, Duration, ExprId, ExprKind, FuncId, LabelId, ObjId, Program, UnaryOp};
use crate::source::Pos;
use crate::target::{Compiler, Edition};
use crate::ty::Type;
pub use align::function_align;

/// A constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Const {
    /// A real value: its bits in the expression's type.
    Num(u128),
    /// A place in memory, known when the program is linked; without a base, known now.
    Address { base: Option<Base>, offset: i128 },
    /// Constant, but its value is not known here (complex values, vectors, mathematical functions).
    Opaque,
}

/// What an address constant is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    Object(ObjId),
    Function(FuncId),
    /// A string literal or `__func__`.
    Text(ExprId),
    Label(LabelId),
}

/// How much counts as constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// An integer constant expression by the letter (6.6p6), where also every evaluated operation gives a value that
    /// its type can hold (6.6p4).
    Exact,
    /// An integer constant expression by the letter (6.6p6).
    Strict,
    /// What gcc folds where it wants an integer constant.
    Folded,
    /// A static initialiser (6.6p7-9), where gcc also reads `const` objects.
    Static,
}

impl Mode {
    /// Whether only the letter of 6.6p6 counts.
    fn is_strict(self) -> bool {
        matches!(self, Mode::Exact | Mode::Strict)
    }
}

/// The value of `e` if gcc folds it to an integer constant. A value of an unsigned 128-bit type beyond `i128` wraps.
pub fn integer(program: &Program, e: ExprId) -> Option<i128> {
    integer_in(program, e, Mode::Folded)
}

/// Whether gcc folds `e` to an integer constant whose value is not known here.
pub fn is_unknown_integer(program: &Program, e: ExprId) -> bool {
    program.types.is_integer(program.ty(e)) && matches!(eval(program, e, Mode::Folded), Some(Const::Opaque))
}

/// The value of `e` if it is an integer constant expression by the letter of C17 6.6p6.
pub fn strict_integer(program: &Program, e: ExprId) -> Option<i128> {
    integer_in(program, e, Mode::Strict)
}

/// The value of `e` if it is an integer constant expression by the letter of C17 6.6p6 and nothing in it overflows
/// (6.6p4): what a strictly conforming program may write as a constant.
pub fn exact_integer(program: &Program, e: ExprId) -> Option<i128> {
    integer_in(program, e, Mode::Exact)
}

/// Whether `e` is made of what an integer constant expression may contain, and only overflow keeps it from being a
/// constant (C17 6.6p4).
pub fn overflows(program: &Program, e: ExprId) -> bool {
    program.types.is_integer(program.ty(e))
        && exact_integer(program, e).is_none()
        && has_strict_shape(program, e)
}

/// Whether `e` converts a floating constant to an integer type that cannot have it (C17 6.3.1.4p1): gcc has a value for
/// that, clang does not take it for a constant.
pub fn converts_out_of_range(program: &Program, e: ExprId) -> bool {
    let (ExprKind::Convert(Conv::FloatToInt, of) | ExprKind::Cast(Conv::FloatToInt, of)) =
        program.exprs[e].kind
    else {
        return false;
    };
    match (num(program, program.ty(of)), num(program, program.ty(e)), eval(program, of, Mode::Static)) {
        (Some(from), Some(to), Some(Const::Num(bits))) => arith::convert(from, to, bits).is_err(),
        _ => false,
    }
}

/// The value of `e` if it is an integer, may initialise an object with static storage duration, and is known before
/// the program is linked.
pub fn static_integer(program: &Program, e: ExprId) -> Option<i128> {
    integer_in(program, e, Mode::Static)
}

/// Whether `e` is an integer constant expression by the letter of C17 6.6p6.
pub fn is_integer_constant_expr(program: &Program, e: ExprId) -> bool {
    strict_integer(program, e).is_some()
}

fn integer_in(program: &Program, e: ExprId, mode: Mode) -> Option<i128> {
    let ty = program.ty(e);
    if !program.types.is_integer(ty) {
        return None;
    }
    match eval(program, e, mode)? {
        Const::Num(bits) => Some(num(program, ty)?.number(bits)),
        Const::Address { base: None, offset } => Some(offset),
        _ => None,
    }
}

/// Whether `e` is a null pointer constant (C17 6.3.2.3p3): an integer constant expression with value 0, or such an
/// expression cast to `void *`.
pub fn is_null_pointer_constant(program: &Program, e: ExprId) -> bool {
    let ty = program.ty(e);
    if program.types.is_integer(ty) {
        return strict_integer(program, e) == Some(0);
    }
    match program.exprs[e].kind {
        ExprKind::Cast(Conv::NullToPointer, inner) => {
            program.types.pointee(ty) == Some(Type::VOID) && program.types.is_integer(program.ty(inner))
        }
        _ => false,
    }
}

/// Whether `e` may initialise an object with static storage duration; if not, the place that is not constant.
#[inline]
pub fn check_static_init(program: &Program, e: ExprId) -> Result<(), Pos> {
    if is_plain(program, e) {
        return Ok(());
    }
    match eval(program, e, Mode::Static) {
        Some(_) => Ok(()),
        None => Err(program.exprs[e].pos),
    }
}

/// Whether `e` is an integer literal, negated, converted or not, or the address of a variable: long initialisers are
/// made of these, and their values are not asked for.
#[inline]
fn is_plain(program: &Program, e: ExprId) -> bool {
    let mut kind = program.exprs[e].kind;
    if let ExprKind::Convert(Conv::IntToInt | Conv::NullToPointer, of) = kind {
        kind = program.exprs[of].kind;
    }
    match kind {
        ExprKind::Int { .. } => true,
        // A literal is never negative, so no negation overflows.
        ExprKind::Unary(UnaryOp::Neg, of) => matches!(program.exprs[of].kind, ExprKind::Int { .. }),
        ExprKind::Unary(UnaryOp::AddrOf, of) => match program.exprs[of].kind {
            ExprKind::Object(obj) => program.objects[obj].duration == Duration::Static,
            _ => false,
        },
        _ => false,
    }
}

fn num(program: &Program, ty: Type) -> Option<Num> {
    arith::num_of(&program.types, &program.target, ty)
}

/// Whether `__builtin_constant_p` is 1 for `e` in every compiler, at every level and wherever it stands: an integer
/// constant expression by the letter, or a string or floating literal.
pub fn is_constant_everywhere(program: &Program, e: ExprId) -> bool {
    let literal = match program.exprs[e].kind {
        ExprKind::Str(_) | ExprKind::Float(_) => true,
        ExprKind::Convert(Conv::ArrayDecay, of) => matches!(program.exprs[of].kind, ExprKind::Str(_)),
        _ => false,
    };
    literal || is_integer_constant_expr(program, e)
}

/// Whether `__builtin_constant_p` has a part in `e` and compilers disagree about what it says: a constant made with it is
/// another one for each of them.
pub fn depends_on_level(program: &Program, e: ExprId) -> bool {
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        if let ExprKind::Builtin(builtin::CONSTANT_P, args) = program.exprs[e].kind {
            if !program.list(args).iter().all(|&arg| is_constant_everywhere(program, arg)) {
                return true;
            }
            continue;
        }
        crate::visit::operands(program, e, |operand| work.push(operand));
    }
    false
}

/// An `int` 0 or 1.
fn flag(holds: bool) -> Const {
    Const::Num(u128::from(holds))
}

/// Each operand is evaluated once, or nesting would cost time without bound.
fn eval(program: &Program, e: ExprId, mode: Mode) -> Option<Const> {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || eval_here(program, e, mode))
}

fn eval_here(program: &Program, e: ExprId, mode: Mode) -> Option<Const> {
    let expr = &program.exprs[e];
    let strict = mode.is_strict();
    match expr.kind {
        ExprKind::Int { value, .. } => Some(Const::Num(u128::from(value))),
        ExprKind::EnumConst(id) => {
            let Num::Int { width, .. } = num(program, expr.ty)? else { return None };
            Some(Const::Num(truncate(program.types.enumerators[id].value.cast_unsigned(), width)))
        }
        // By the letter only the operand of a cast, which does not come here.
        ExprKind::Float(_) if mode == Mode::Exact => None,
        ExprKind::Float(id) => Some(Const::Num(program.floats[id].bits)),
        ExprKind::Imaginary(_) if !strict => Some(Const::Opaque),
        ExprKind::SizeofType(of) => size_constant(program, of),
        ExprKind::SizeofExpr(of) => size_constant(program, program.ty(of)),
        ExprKind::AlignofType { of, preferred } => align::of_type(program, of, preferred),
        ExprKind::AlignofExpr { of, preferred } => align::of_expr(program, of, preferred),
        ExprKind::Offsetof(ty, path) => address::offset(program, ty, &program.paths[path], mode),
        ExprKind::Unary(op, of) => unary(program, op, of, mode),
        ExprKind::Binary(op, a, b) => binary(program, expr.ty, op, a, b, mode),
        ExprKind::Cond(c, a, b) => conditional(program, c, a, b, mode),
        ExprKind::Elvis(c, b) if !strict => {
            let value = eval(program, c, mode)?;
            let converted = || address::convert(program, value, program.ty(c), expr.ty);
            match truth(program, value, program.ty(c))? {
                Truth::Known(true) => converted(),
                Truth::Known(false) => eval(program, b, mode),
                Truth::Unknown => converted().and(eval(program, b, mode)).map(|_| Const::Opaque),
            }
        }
        ExprKind::Cast(conv, of) | ExprKind::Convert(conv, of) => {
            if strict {
                let literal = matches!(program.exprs[of].kind, ExprKind::Float(_));
                let plain = program.types.is_integer(program.ty(of)) || literal;
                if !plain || !program.types.is_integer(expr.ty) {
                    return None;
                }
            }
            if let (Mode::Exact, ExprKind::Float(id)) = (mode, program.exprs[of].kind) {
                let (from, to) = (num(program, program.ty(of))?, num(program, expr.ty)?);
                return arith::convert(from, to, program.floats[id].bits).ok().map(Const::Num);
            }
            conversion(program, conv, of, expr.ty, mode)
        }
        ExprKind::Builtin(builtin::CONSTANT_P, args) => {
            // Of anything but a literal compilers and their levels give different answers, here most of all.
            let known = program.list(args).iter().all(|&arg| is_constant_everywhere(program, arg));
            match known {
                true => Some(flag(true)),
                false => (!strict).then_some(Const::Opaque),
            }
        }
        ExprKind::LabelAddr(label) if !strict => {
            Some(Const::Address { base: Some(Base::Label(label)), offset: 0 })
        }
        ExprKind::Call(callee, args) if !strict => {
            call::function(program, callee, program.list(args), expr.ty)
        }
        ExprKind::Builtin(which, args) if !strict => call::operator(program, which, program.list(args)),
        _ => None,
    }
}

/// Whether an expression that is not evaluated is made of what an integer constant expression may contain.
fn has_strict_shape(program: &Program, e: ExprId) -> bool {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match program.exprs[e].kind {
        ExprKind::Unary(UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot | UnaryOp::Not, of) => {
            has_strict_shape(program, of)
        }
        ExprKind::Binary(_, a, b) => has_strict_shape(program, a) && has_strict_shape(program, b),
        ExprKind::Cond(c, a, b) => [c, a, b].iter().all(|&part| has_strict_shape(program, part)),
        // C99 6.6p3 lets a comma stand where it is not evaluated; C90 did not.
        ExprKind::Comma(a, b) if program.target.std.edition > Edition::C89 => {
            has_strict_shape(program, a) && has_strict_shape(program, b)
        }
        ExprKind::Cast(_, of) | ExprKind::Convert(_, of) => {
            program.types.is_integer(program.ty(e))
                && (matches!(program.exprs[of].kind, ExprKind::Float(_)) || has_strict_shape(program, of))
        }
        ExprKind::Float(_) => false,
        _ => eval_here(program, e, Mode::Strict).is_some(),
    })
}

fn truncate(bits: u128, width: u8) -> u128 {
    bits & arith::mask(u32::from(width))
}

/// Whether a constant condition holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    Known(bool),
    Unknown,
}

impl Truth {
    /// As an `int`.
    fn value(self) -> Const {
        match self {
            Truth::Known(holds) => flag(holds),
            Truth::Unknown => Const::Opaque,
        }
    }
}

/// Whether a value of type `ty` is not zero; none if that is not a constant.
fn truth(program: &Program, value: Const, ty: Type) -> Option<Truth> {
    match value {
        Const::Num(bits) => Some(Truth::Known(match num(program, ty) {
            Some(num) => arith::truth(num, bits),
            None => bits != 0,
        })),
        Const::Address { base: None, offset } => Some(Truth::Known(offset != 0)),
        Const::Address { base: Some(base), .. } => {
            address::is_never_null(program, base).then_some(Truth::Known(true))
        }
        Const::Opaque => Some(Truth::Unknown),
    }
}

fn condition(program: &Program, e: ExprId, mode: Mode) -> Option<Truth> {
    truth(program, eval(program, e, mode)?, program.ty(e))
}

fn conditional(program: &Program, c: ExprId, a: ExprId, b: ExprId, mode: Mode) -> Option<Const> {
    let Some(holds) = condition(program, c, mode) else {
        return if simplify::applies(program, mode) { simplify::conditional(program, c, a, b) } else { None };
    };
    let (chosen, other) = match holds {
        Truth::Known(true) => (a, b),
        Truth::Known(false) => (b, a),
        Truth::Unknown => return eval(program, a, mode).and(eval(program, b, mode)).map(|_| Const::Opaque),
    };
    if mode.is_strict() && !has_strict_shape(program, other) {
        return None;
    }
    eval(program, chosen, mode)
}

fn size_constant(program: &Program, of: Type) -> Option<Const> {
    // GNU C: void and functions have size 1.
    if program.types.is_void(of) || program.types.is_function(of) {
        return Some(Const::Num(1));
    }
    program.size_of(of).map(|size| Const::Num(u128::from(size)))
}

fn unary(program: &Program, op: UnaryOp, of: ExprId, mode: Mode) -> Option<Const> {
    match op {
        UnaryOp::AddrOf if !mode.is_strict() => address::lvalue(program, of, mode),
        UnaryOp::Not => Some(match condition(program, of, mode)? {
            Truth::Known(holds) => flag(!holds),
            Truth::Unknown => Const::Opaque,
        }),
        UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot => match eval(program, of, mode)? {
            Const::Num(bits) if mode == Mode::Exact => {
                arith::unary(op, num(program, program.ty(of))?, bits).ok().map(Const::Num)
            }
            Const::Num(bits) => arith::wrapped_unary(op, num(program, program.ty(of))?, bits).map(Const::Num),
            Const::Opaque => Some(Const::Opaque),
            Const::Address { .. } => None,
        },
        UnaryOp::Real | UnaryOp::Imag if !mode.is_strict() => {
            // A real operand is its own real part; the parts of a complex constant are not computed here.
            match (eval(program, of, mode)?, op) {
                (Const::Num(bits), UnaryOp::Real) => Some(Const::Num(bits)),
                (Const::Num(_), _) => Some(Const::Num(0)),
                _ => Some(Const::Opaque),
            }
        }
        _ => None,
    }
}

fn binary(program: &Program, ty: Type, op: BinaryOp, a: ExprId, b: ExprId, mode: Mode) -> Option<Const> {
    if matches!(op, BinaryOp::And | BinaryOp::Or) {
        return logical(program, op, a, b, mode);
    }
    let x = eval(program, a, mode);
    if x.is_none() && !simplify::applies(program, mode) {
        return None;
    }
    let y = eval(program, b, mode);
    let (Some(x), Some(y)) = (x, y) else {
        return if simplify::applies(program, mode) {
            simplify::binary(program, ty, op, (a, x), (b, y))
        } else {
            None
        };
    };
    match (x, y) {
        (Const::Num(x), Const::Num(y)) => {
            let (left, right) = (num(program, program.ty(a))?, num(program, program.ty(b))?);
            let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
            if mode == Mode::Exact {
                let value = match shift {
                    true => arith::shift(op, left, x, right, y),
                    false => arith::binary(op, left, x, y),
                };
                return value.ok().map(Const::Num);
            }
            if shift {
                let value = arith::wrapped_shift(op, left, x, right, y).map(Const::Num);
                // gcc folds a count out of range too, to one value or another, but not a negative one.
                if program.target.compiler == Compiler::Gcc && right.number(y) < 0 {
                    return None;
                }
                return value.or_else(|| (!mode.is_strict()).then_some(Const::Opaque));
            }
            arith::wrapped_binary(op, left, x, y).map(Const::Num)
        }
        (Const::Opaque, _) | (_, Const::Opaque) => Some(Const::Opaque),
        (Const::Address { .. }, _) | (_, Const::Address { .. }) => {
            address::binary(program, ty, op, (a, x), (b, y))
        }
    }
}

/// `&&` and `||`.
fn logical(program: &Program, op: BinaryOp, a: ExprId, b: ExprId, mode: Mode) -> Option<Const> {
    let Some(left) = condition(program, a, mode) else {
        if !simplify::applies(program, mode) || !simplify::is_pure(program, a) {
            return None;
        }
        return simplify::logical(op, condition(program, b, mode));
    };
    match left {
        Truth::Known(left) if left == (op == BinaryOp::Or) => {
            let holds = !mode.is_strict() || has_strict_shape(program, b);
            holds.then_some(flag(left))
        }
        Truth::Known(_) => condition(program, b, mode).map(Truth::value),
        Truth::Unknown => condition(program, b, mode).map(|right| match right {
            Truth::Known(right) if right == (op == BinaryOp::Or) => flag(right),
            _ => Const::Opaque,
        }),
    }
}

fn conversion(program: &Program, conv: Conv, of: ExprId, to: Type, mode: Mode) -> Option<Const> {
    match conv {
        Conv::ArrayDecay | Conv::FunctionDecay => address::lvalue(program, of, mode),
        Conv::Load if mode == Mode::Static => address::load(program, of),
        Conv::Load | Conv::ToVoid => None,
        _ => address::convert(program, eval(program, of, mode)?, program.ty(of), to),
    }
}
