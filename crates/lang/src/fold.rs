//! Constant expressions (C17 6.6): what folds, to what, and what a static initialiser may hold.
//!
//! Values come from `arith`; this file only decides what counts as constant. It is not an optimiser: nothing in the
//! program is replaced.

use crate::arith::{self, Num};
use crate::builtin;
use crate::program::{
    BinaryOp, Conv, Duration, ExprId, ExprKind, FuncId, Init, InitId, LabelId, ObjId, PathStep, Program,
    StrId, StrUnits, UnaryOp,
};
use crate::source::Pos;
use crate::target::{Compiler, Edition};
use crate::ty::{Quals, Type, TypeKind};

/// A constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Const {
    /// A real value: its bits in the expression's type.
    Num(u128),
    /// A place in memory, known when the program is linked; without a base, known now.
    Address { base: Option<Base>, offset: i128 },
    /// Constant, but not a single number or place (complex values, vectors, differences of labels).
    Opaque,
}

/// What an address constant is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    Object(ObjId),
    Function(FuncId),
    /// A string literal or `__func__`: each occurrence its own.
    Text(ExprId),
    Label(LabelId),
}

/// How much counts as constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// An integer constant expression by the letter (6.6p6).
    Strict,
    /// What gcc folds where it wants an integer constant.
    Folded,
    /// A static initialiser (6.6p7-9), where gcc also reads `const` objects.
    Static,
}

/// The value of `e` if gcc folds it to an integer constant. A value of an unsigned 128-bit type beyond `i128` wraps.
pub fn integer(program: &Program, e: ExprId) -> Option<i128> {
    integer_in(program, e, Mode::Folded)
}

/// The value of `e` if it is an integer constant expression by the letter of C17 6.6p6.
pub fn strict_integer(program: &Program, e: ExprId) -> Option<i128> {
    integer_in(program, e, Mode::Strict)
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
        Const::Num(bits) => Some(signed_value(num(program, ty)?, bits)),
        Const::Address { base: None, offset } => Some(offset),
        _ => None,
    }
}

/// An integer's value from its bits.
fn signed_value(num: Num, bits: u128) -> i128 {
    match num {
        Num::Int { width, signed: true } if (1..128).contains(&width) => {
            let shift = 128 - u32::from(width);
            (bits << shift).cast_signed() >> shift
        }
        _ => bits.cast_signed(),
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
pub fn check_static_init(program: &Program, e: ExprId) -> Result<(), Pos> {
    match eval(program, e, Mode::Static) {
        Some(_) => Ok(()),
        None => Err(program.exprs[e].pos),
    }
}

fn num(program: &Program, ty: Type) -> Option<Num> {
    arith::num_of(&program.types, &program.target, ty)
}

fn eval(program: &Program, e: ExprId, mode: Mode) -> Option<Const> {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || eval_here(program, e, mode))
}

fn eval_here(program: &Program, e: ExprId, mode: Mode) -> Option<Const> {
    let expr = &program.exprs[e];
    let strict = mode == Mode::Strict;
    match expr.kind {
        ExprKind::Int { value, .. } => Some(Const::Num(u128::from(value))),
        ExprKind::EnumConst(id) => {
            let Num::Int { width, .. } = num(program, expr.ty)? else { return None };
            Some(Const::Num(truncate(program.types.enumerators[id].value.cast_unsigned(), width)))
        }
        ExprKind::Float(id) => Some(Const::Num(program.floats[id].bits)),
        ExprKind::Imaginary(_) if !strict => Some(Const::Opaque),
        ExprKind::SizeofType(of) => size_constant(program, of),
        ExprKind::SizeofExpr(of) => size_constant(program, program.ty(of)),
        ExprKind::AlignofType { of, preferred } => align_constant(program, of, preferred),
        ExprKind::AlignofExpr { of, preferred } => expr_align(program, of, preferred),
        ExprKind::Offsetof(ty, path) => offset_constant(program, ty, &program.paths[path], mode),
        ExprKind::Unary(op, of) => unary(program, op, of, mode),
        ExprKind::Binary(op, a, b) => binary(program, expr.ty, op, a, b, mode),
        ExprKind::Cond(c, a, b) => {
            let (chosen, other) = if truth(program, c, mode)? { (a, b) } else { (b, a) };
            if strict && !has_strict_shape(program, other) {
                return None;
            }
            eval(program, chosen, mode)
        }
        ExprKind::Elvis(c, b) if !strict => match truth(program, c, mode)? {
            true => convert(program, eval(program, c, mode)?, program.ty(c), expr.ty),
            false => eval(program, b, mode),
        },
        ExprKind::Cast(conv, of) | ExprKind::Convert(conv, of) => {
            if strict {
                let literal = matches!(program.exprs[of].kind, ExprKind::Float(_));
                let plain = program.types.is_integer(program.ty(of)) || literal;
                if !plain || !program.types.is_integer(expr.ty) {
                    return None;
                }
            }
            conversion(program, conv, of, expr.ty, mode)
        }
        ExprKind::Builtin(builtin::CONSTANT_P, args) => {
            let known = program.list(args).iter().all(|&arg| eval(program, arg, Mode::Static).is_some());
            Some(Const::Num(u128::from(known)))
        }
        ExprKind::LabelAddr(label) if !strict => {
            Some(Const::Address { base: Some(Base::Label(label)), offset: 0 })
        }
        ExprKind::Call(callee, args) if !strict => call(program, callee, program.list(args), expr.ty),
        ExprKind::Builtin(which, args) if !strict => operator(program, which, program.list(args)),
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
        _ => eval_here(program, e, Mode::Strict).is_some(),
    })
}

fn truncate(bits: u128, width: u8) -> u128 {
    if width >= 128 { bits } else { bits & ((1 << width) - 1) }
}

/// Whether a condition holds.
fn truth(program: &Program, e: ExprId, mode: Mode) -> Option<bool> {
    match eval(program, e, mode)? {
        Const::Num(bits) => Some(match num(program, program.ty(e)) {
            Some(num) => arith::truth(num, bits),
            None => bits != 0,
        }),
        Const::Address { base: None, offset } => Some(offset != 0),
        Const::Address { base: Some(_), .. } => Some(true),
        Const::Opaque => None,
    }
}

fn size_constant(program: &Program, of: Type) -> Option<Const> {
    // GNU C: void and functions have size 1.
    if program.types.is_void(of) || program.types.is_function(of) {
        return Some(Const::Num(1));
    }
    program.size_of(of).map(|size| Const::Num(u128::from(size)))
}

fn align_constant(program: &Program, of: Type, preferred: bool) -> Option<Const> {
    let layouts = &program.layouts;
    let align = if preferred {
        layouts.preferred_align_of(&program.types, of)
    } else {
        layouts.align_of(&program.types, of)
    };
    align.map(|align| Const::Num(u128::from(align)))
}

/// `__alignof__ e`: a variable's or member's own alignment where it was given one.
fn expr_align(program: &Program, of: ExprId, preferred: bool) -> Option<Const> {
    let ty = program.ty(of);
    let Const::Num(natural) = align_constant(program, ty, preferred)? else { return None };
    let own = match program.exprs[of].kind {
        // `aligned` on a variable replaces the alignment of its type, upwards or downwards.
        ExprKind::Object(obj) if program.objects[obj].align != 0 => {
            return Some(Const::Num(u128::from(program.objects[obj].align)));
        }
        ExprKind::Member { base, field } => {
            let record = program.types.as_record(program.ty(base))?;
            let field = &program.types.records[record].fields[field as usize];
            if field.packed || program.types.records[record].packed {
                return Some(Const::Num(u128::from(field.align.max(1))));
            }
            field.align
        }
        _ => 0,
    };
    Some(Const::Num(natural.max(u128::from(own))))
}

fn offset_constant(program: &Program, ty: Type, path: &[PathStep], mode: Mode) -> Option<Const> {
    let mut offset = 0i128;
    let mut ty = ty;
    for &step in path {
        match step {
            PathStep::Field(record, field) => {
                let layout = program.layouts.record(&program.types, record)?;
                offset += i128::from(layout.fields.get(field as usize)?.bit_offset / 8);
                ty = program.types.records[record].fields[field as usize].ty;
            }
            PathStep::Index(index) => {
                let TypeKind::Array { elem, .. } = program.types.kind(ty) else { return None };
                let size = i128::from(program.size_of(elem)?);
                offset = offset.checked_add(integer_in(program, index, mode)?.checked_mul(size)?)?;
                ty = elem;
            }
        }
    }
    Some(Const::Num(truncate(offset.cast_unsigned(), program.target.layout().pointer.saturating_mul(8))))
}

fn unary(program: &Program, op: UnaryOp, of: ExprId, mode: Mode) -> Option<Const> {
    match op {
        UnaryOp::AddrOf if mode != Mode::Strict => lvalue(program, of, mode),
        UnaryOp::Not => Some(Const::Num(u128::from(!truth(program, of, mode)?))),
        UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot => match eval(program, of, mode)? {
            Const::Num(bits) => {
                let num = num(program, program.ty(of))?;
                let value =
                    arith::unary(op, num, bits).ok().or_else(|| arith::wrapped_unary(op, num, bits))?;
                Some(Const::Num(value))
            }
            Const::Opaque => Some(Const::Opaque),
            Const::Address { .. } => None,
        },
        UnaryOp::Real | UnaryOp::Imag if mode != Mode::Strict => {
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
        let left = truth(program, a, mode)?;
        if left == (op == BinaryOp::Or) {
            if mode == Mode::Strict && !has_strict_shape(program, b) {
                return None;
            }
            return Some(Const::Num(u128::from(left)));
        }
        return Some(Const::Num(u128::from(truth(program, b, mode)?)));
    }
    let (x, y) = (eval(program, a, mode)?, eval(program, b, mode)?);
    match (x, y) {
        (Const::Num(x), Const::Num(y)) => {
            let (left, right) = (num(program, program.ty(a))?, num(program, program.ty(b))?);
            let value = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                arith::shift(op, left, x, right, y)
                    .ok()
                    .or_else(|| arith::wrapped_shift(op, left, x, right, y))
            } else {
                arith::binary(op, left, x, y).ok().or_else(|| arith::wrapped_binary(op, left, x, y))
            };
            value.map(Const::Num)
        }
        (Const::Opaque, _) | (_, Const::Opaque) => Some(Const::Opaque),
        (Const::Address { .. }, _) | (_, Const::Address { .. }) => {
            address_binary(program, ty, op, (a, x), (b, y))
        }
    }
}

/// Arithmetic and comparison of addresses.
fn address_binary(
    program: &Program,
    ty: Type,
    op: BinaryOp,
    (a, x): (ExprId, Const),
    (b, y): (ExprId, Const),
) -> Option<Const> {
    let pointee_size = |e: ExprId| -> Option<i128> {
        let to = program.types.pointee(program.ty(e))?;
        if program.types.is_void(to) || program.types.is_function(to) {
            return Some(1);
        }
        program.size_of(to).map(i128::from)
    };
    let as_integer = |e: ExprId, value: Const| match value {
        Const::Num(bits) => Some(signed_value(num(program, program.ty(e))?, bits)),
        _ => None,
    };
    match (x, y) {
        (Const::Address { base, offset }, Const::Num(_)) => {
            let by = as_integer(b, y)?.checked_mul(pointee_size(a).unwrap_or(1))?;
            let offset = match op {
                BinaryOp::Add => offset.checked_add(by)?,
                BinaryOp::Sub => offset.checked_sub(by)?,
                // An address in an integer wide enough for it may be masked or compared; the result is the linker's.
                _ if program.types.is_integer(ty) => return Some(Const::Opaque),
                _ => return None,
            };
            Some(Const::Address { base, offset })
        }
        (Const::Num(_), Const::Address { base, offset }) if op == BinaryOp::Add => {
            let by = as_integer(a, x)?.checked_mul(pointee_size(b).unwrap_or(1))?;
            Some(Const::Address { base, offset: offset.checked_add(by)? })
        }
        (Const::Address { base: first, offset: m }, Const::Address { base: second, offset: n }) => {
            if op == BinaryOp::Sub {
                if first == second {
                    let size = pointee_size(a).unwrap_or(1);
                    let difference = m.checked_sub(n)?.checked_div(size)?;
                    let Num::Int { width, .. } = num(program, ty)? else { return None };
                    return Some(Const::Num(truncate(difference.cast_unsigned(), width)));
                }
                let labels = matches!((first, second), (Some(Base::Label(_)), Some(Base::Label(_))));
                return labels.then_some(Const::Opaque);
            }
            let known = match (first == second, op) {
                (true, BinaryOp::Eq) => m == n,
                (true, BinaryOp::Ne) => m != n,
                (true, BinaryOp::Lt) => m < n,
                (true, BinaryOp::Gt) => m > n,
                (true, BinaryOp::Le) => m <= n,
                (true, BinaryOp::Ge) => m >= n,
                // Different bases: an object is never at address 0, and distinct objects start at distinct places.
                (false, BinaryOp::Eq) if m == 0 && n == 0 => false,
                (false, BinaryOp::Ne) if m == 0 && n == 0 => true,
                _ => return None,
            };
            Some(Const::Num(u128::from(known)))
        }
        _ => None,
    }
}

fn conversion(program: &Program, conv: Conv, of: ExprId, to: Type, mode: Mode) -> Option<Const> {
    match conv {
        Conv::ArrayDecay | Conv::FunctionDecay => lvalue(program, of, mode),
        Conv::Load => (mode == Mode::Static).then(|| load(program, of)).flatten(),
        Conv::ToVoid => None,
        _ => convert(program, eval(program, of, mode)?, program.ty(of), to),
    }
}

/// Converts a constant between types.
fn convert(program: &Program, value: Const, from: Type, to: Type) -> Option<Const> {
    let pointer_bits = u32::from(program.target.layout().pointer) * 8;
    match value {
        Const::Num(bits) => match (num(program, from), num(program, to)) {
            (Some(from), Some(to)) => match arith::convert(from, to, bits) {
                Ok(bits) => Some(Const::Num(bits)),
                // Out of range (C17 6.3.1.4p1): gcc and clang still take it for a constant, each with a value of
                // its own.
                Err(_) => Some(Const::Opaque),
            },
            (Some(from), None) if program.types.pointee(to).is_some() => {
                Some(Const::Address { base: None, offset: signed_value(from, bits) })
            }
            (_, None) => Some(Const::Opaque),
            _ => None,
        },
        Const::Address { base: None, offset } => match num(program, to) {
            Some(Num::Int { width, .. }) => Some(Const::Num(truncate(offset.cast_unsigned(), width))),
            Some(Num::Bool) => Some(Const::Num(u128::from(offset != 0))),
            Some(Num::Float(_)) => None,
            None => Some(value),
        },
        Const::Address { .. } => match num(program, to) {
            // An address fits an integer of its own width only (gcc: "initializer element is not computable").
            Some(Num::Int { width, .. }) => (u32::from(width) >= pointer_bits).then_some(value),
            Some(Num::Bool) => Some(Const::Num(1)),
            Some(Num::Float(_)) => None,
            None => Some(value),
        },
        Const::Opaque => Some(Const::Opaque),
    }
}

/// The address of an lvalue or function designator that is an address constant (C17 6.6p9).
fn lvalue(program: &Program, e: ExprId, mode: Mode) -> Option<Const> {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || lvalue_here(program, e, mode))
}

fn lvalue_here(program: &Program, e: ExprId, mode: Mode) -> Option<Const> {
    let at = |base| Some(Const::Address { base: Some(base), offset: 0 });
    let moved = |place: Const, by: i128| match place {
        Const::Address { base, offset } => Some(Const::Address { base, offset: offset.checked_add(by)? }),
        _ => None,
    };
    match program.exprs[e].kind {
        ExprKind::Object(obj) | ExprKind::CompoundLiteral(obj) => {
            (program.objects[obj].duration == Duration::Static).then_some(())?;
            at(Base::Object(obj))
        }
        ExprKind::Function(func) => at(Base::Function(func)),
        ExprKind::Str(_) | ExprKind::FuncName(_) => at(Base::Text(e)),
        ExprKind::Unary(UnaryOp::Deref, pointer) => eval(program, pointer, mode),
        ExprKind::Unary(UnaryOp::Real, of) => lvalue(program, of, mode),
        ExprKind::Unary(UnaryOp::Imag, of) => {
            let size = i128::from(program.size_of(program.ty(of))?);
            moved(lvalue(program, of, mode)?, size / 2)
        }
        ExprKind::Index { base, index } => {
            let place = match program.types.pointee(program.ty(base)) {
                Some(_) => eval(program, base, mode)?,
                None => lvalue(program, base, mode)?,
            };
            let size = i128::from(program.size_of(program.ty(e))?);
            moved(place, integer_in(program, index, mode)?.checked_mul(size)?)
        }
        ExprKind::Member { base, field } => {
            let record = program.types.as_record(program.ty(base))?;
            let layout = program.layouts.record(&program.types, record)?;
            moved(lvalue(program, base, mode)?, i128::from(layout.fields.get(field as usize)?.bit_offset / 8))
        }
        _ => None,
    }
}

/// The value of an object in a static initialiser: gcc reads `const` objects and compound literals.
fn load(program: &Program, e: ExprId) -> Option<Const> {
    match program.exprs[e].kind {
        ExprKind::Object(obj) => {
            let object = &program.objects[obj];
            let quals = program.types.quals(object.ty);
            let constant = quals.contains(Quals::CONST) && !quals.contains(Quals::VOLATILE);
            (constant && matches!(object.duration, Duration::Static | Duration::Automatic)).then_some(())?;
            init(program, object.init?)
        }
        ExprKind::CompoundLiteral(obj) => init(program, program.objects[obj].init?),
        ExprKind::Member { base, .. } => load(program, base).map(|_| Const::Opaque),
        ExprKind::Index { base, index } => match program.exprs[base].kind {
            ExprKind::Convert(Conv::ArrayDecay, array) => match program.exprs[array].kind {
                ExprKind::Str(id) => character(program, id, integer_in(program, index, Mode::Static)?),
                _ => load(program, array).map(|_| Const::Opaque),
            },
            _ => None,
        },
        ExprKind::Str(_) => Some(Const::Opaque),
        _ => None,
    }
}

/// A character of a string literal, the final zero included.
fn character(program: &Program, id: StrId, index: i128) -> Option<Const> {
    let index = usize::try_from(index).ok()?;
    let (unit, len) = match &program.strings[id].units {
        StrUnits::Narrow(bytes) => (bytes.get(index).map(|&byte| u128::from(byte)), bytes.len()),
        StrUnits::Wide(units) => (units.get(index).map(|&unit| u128::from(unit)), units.len()),
    };
    unit.or((index == len).then_some(0)).map(Const::Num)
}

fn init(program: &Program, id: InitId) -> Option<Const> {
    match program.inits[id] {
        Init::Expr(e) if matches!(program.exprs[e].kind, ExprKind::Str(_)) => Some(Const::Opaque),
        Init::Expr(e) => eval(program, e, Mode::Static),
        Init::List(entries) => stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let all = program.init_entries(entries).iter().all(|entry| init(program, entry.init).is_some());
            all.then_some(Const::Opaque)
        }),
    }
}

/// Functions of `<math.h>` that gcc computes, without their suffixes.
const MATHEMATICAL: [&str; 25] = [
    "acos", "asin", "atan", "atan2", "cbrt", "cos", "cosh", "er", "erfc", "exp", "exp2", "expm1", "fdim",
    "fma", "hypot", "ldexp", "log", "log10", "log1p", "log2", "pow", "round", "sin", "sinh", "tan",
];

/// Library builtins whose value is known: gcc takes them in static initialisers.
fn call(program: &Program, callee: ExprId, args: &[ExprId], ty: Type) -> Option<Const> {
    let ExprKind::Convert(Conv::FunctionDecay, designator) = program.exprs[callee].kind else { return None };
    let ExprKind::Function(func) = program.exprs[designator].kind else { return None };
    let name = program.name(program.funcs[func].name);
    let floating = matches!(num(program, ty), Some(Num::Float(_)));
    let name = match name.strip_prefix("__builtin_") {
        Some(name) => name,
        // gcc knows the mathematical functions by their own names too.
        None if floating && program.target.compiler == Compiler::Gcc => name,
        None => return None,
    };
    let family = name.trim_end_matches(['f', 'l', 'q']);
    if args.iter().all(|&arg| eval(program, arg, Mode::Static).is_some()) {
        if let (true, Some(Num::Float(format))) = (
            matches!(name, "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall"),
            num(program, ty),
        ) {
            let one = arith::parse_float("1.0", format)?;
            let quotient = arith::binary(BinaryOp::Div, Num::Float(format), one, 0).ok();
            return Some(quotient.map_or(Const::Opaque, Const::Num));
        }
        let pure = matches!(
            family,
            "nan"
                | "nans"
                | "in"
                | "inf"
                | "huge_va"
                | "huge_val"
                | "fabs"
                | "copysign"
                | "sqrt"
                | "strlen"
                | "bswap16"
                | "bswap32"
                | "bswap64"
                | "popcount"
                | "clz"
                | "ctz"
                | "parity"
                | "abs"
                | "labs"
                | "llabs"
                | "expect"
                | "object_size"
                | "floor"
                | "ceil"
                | "trunc"
                | "fmin"
                | "fmax"
                | "ffs"
                | "clrsb"
        ) || (floating && MATHEMATICAL.contains(&family));
        let number = match (args.first(), name) {
            (Some(&first), "expect") => return eval(program, first, Mode::Static),
            (Some(&first), "strlen") => literal_length(program, first),
            (Some(&first), _) => bit_count(program, name, first),
            _ => None,
        };
        return number.map(Const::Num).or(pure.then_some(Const::Opaque));
    }
    None
}

/// The bit-counting builtins on integer constants.
fn bit_count(program: &Program, name: &str, e: ExprId) -> Option<u128> {
    let Const::Num(bits) = eval(program, e, Mode::Static)? else { return None };
    let Num::Int { width, .. } = num(program, program.ty(e))? else { return None };
    let unused = 128u32.checked_sub(u32::from(width))?;
    let family = name.trim_end_matches('l');
    match family {
        "popcount" => Some(u128::from(bits.count_ones())),
        "parity" => Some(u128::from(bits.count_ones() % 2)),
        "clz" if bits != 0 => Some(u128::from(bits.leading_zeros() - unused)),
        "ctz" if bits != 0 => Some(u128::from(bits.trailing_zeros())),
        "ffs" => Some(if bits == 0 { 0 } else { u128::from(bits.trailing_zeros() + 1) }),
        _ => match name {
            "bswap16" => Some(u128::from((bits as u16).swap_bytes())),
            "bswap32" => Some(u128::from((bits as u32).swap_bytes())),
            "bswap64" => Some(u128::from((bits as u64).swap_bytes())),
            _ => None,
        },
    }
}

fn literal_length(program: &Program, e: ExprId) -> Option<u128> {
    let mut e = e;
    while let ExprKind::Convert(_, inner) | ExprKind::Cast(_, inner) = program.exprs[e].kind {
        e = inner;
    }
    let ExprKind::Str(id) = program.exprs[e].kind else { return None };
    match &program.strings[id].units {
        StrUnits::Narrow(bytes) => {
            Some(bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len()) as u128)
        }
        StrUnits::Wide(_) => None,
    }
}

/// Operator-like builtins on constants: constant, with a value that is not needed here.
fn operator(program: &Program, which: crate::program::Builtin, args: &[ExprId]) -> Option<Const> {
    let foldable = matches!(
        builtin::name(which),
        "__builtin_complex"
            | "__builtin_isnan"
            | "__builtin_isinf"
            | "__builtin_isfinite"
            | "__builtin_signbit"
            | "__builtin_classify_type"
            | "__builtin_add_overflow_p"
            | "__builtin_sub_overflow_p"
            | "__builtin_mul_overflow_p"
            | "__builtin_shuffle"
            | "__builtin_convertvector"
    );
    let constant = args.iter().all(|&arg| eval(program, arg, Mode::Static).is_some());
    (foldable && constant).then_some(Const::Opaque)
}
