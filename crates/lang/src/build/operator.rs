//! Operators: unary, binary, assignment, conditional, comma (C17 6.5.3, 6.5.5 to 6.5.17).

use super::access::check_modifiable;
use super::convert::{
    condition, convert_arithmetic, convert_as_if_assigned, discard, int_width, promote, usual, value,
};
use super::derive::pointer_to;
use super::pointer::{Meeting, check_arithmetic_pointee, common_pointer, compare, to_pointer};
use super::query::{is_bitfield, is_lvalue};
use super::{Built, Cx, Purpose, Violation};
use crate::compat::{compatible_targets, compatible_unqualified};
use crate::fold;
use crate::layout;
use crate::program::{BinaryOp, Conv, ExprId, ExprKind, UnaryOp};
use crate::source::Pos;
use crate::target::{Compiler, Edition};
use crate::ty::{IntKind, Type, TypeKind};

/// A unary operator.
pub fn unary(cx: &mut Cx, op: UnaryOp, e: ExprId, pos: Pos) -> Built {
    match op {
        UnaryOp::Deref => deref(cx, e, pos),
        UnaryOp::AddrOf => address_of(cx, e, pos),
        UnaryOp::Not => {
            let operand = value(cx, e)?;
            if !cx.types().is_scalar(cx.ty(operand)) {
                return cx.reject(pos, "wrong type argument to unary exclamation mark");
            }
            Ok(cx.push(ExprKind::Unary(op, operand), Type::INT, pos))
        }
        UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot => {
            let operand = value(cx, e)?;
            let types = cx.types();
            let ty = cx.ty(operand);
            let (fits, word) = match (op, types.kind(ty)) {
                (UnaryOp::BitNot, TypeKind::Vector { elem, .. }) => {
                    (types.is_integer(elem), "bit-complement")
                }
                (UnaryOp::BitNot, TypeKind::Complex(_)) => (true, "bit-complement"),
                (UnaryOp::BitNot, _) => (types.is_integer(ty), "bit-complement"),
                (_, TypeKind::Vector { .. }) => (true, "unary minus"),
                (UnaryOp::Neg, _) => (types.is_arithmetic(ty), "unary minus"),
                _ => (types.is_arithmetic(ty), "unary plus"),
            };
            if !fits {
                return cx.reject(pos, format!("wrong type argument to {word}"));
            }
            if op == UnaryOp::BitNot && matches!(types.kind(ty), TypeKind::Complex(_)) {
                cx.forbid(pos, "ISO C does not support '~' for complex conjugation")?;
            }
            let operand = promote(cx, operand);
            let ty = cx.ty(operand);
            Ok(cx.push(ExprKind::Unary(op, operand), ty, pos))
        }
        UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => step(cx, op, e, pos),
        UnaryOp::Real | UnaryOp::Imag => {
            let ty = cx.ty(e);
            let quals = ty.quals();
            match cx.types().kind(ty) {
                TypeKind::Complex(elem) => {
                    let ty =
                        if is_lvalue(cx.program, e) { cx.program.types.qualified(elem, quals) } else { elem };
                    Ok(cx.push(ExprKind::Unary(op, e), ty, pos))
                }
                // `__real__ x` of a real lvalue is `x` itself, and an lvalue; `__imag__ x` is a zero.
                _ if cx.types().is_real(ty) && op == UnaryOp::Real && is_lvalue(cx.program, e) => Ok(e),
                _ if cx.types().is_real(ty) => {
                    let operand = value(cx, e)?;
                    let ty = cx.ty(operand);
                    Ok(cx.push(ExprKind::Unary(op, operand), ty, pos))
                }
                _ => {
                    let word = if op == UnaryOp::Real { "__real" } else { "__imag" };
                    cx.reject(pos, format!("wrong type argument to {word}"))
                }
            }
        }
    }
}

/// `*e` (C17 6.5.3.2p2, p4).
pub(super) fn deref(cx: &mut Cx, e: ExprId, pos: Pos) -> Built {
    let e = value(cx, e)?;
    let ty = cx.ty(e);
    let Some(to) = cx.types().pointee(ty) else {
        let name = cx.name(ty);
        return cx.reject(pos, format!("invalid type argument of unary '*' (have '{name}')"));
    };
    if cx.types().is_void(to) {
        cx.tolerate(pos, |_| "dereferencing 'void *' pointer".to_owned())?;
    }
    // A struct without members yet may be named this way; reading it is another matter (C17 6.3.2.1p2).
    Ok(cx.push(ExprKind::Unary(UnaryOp::Deref, e), to, pos))
}

/// `&e` (C17 6.5.3.2p1, p3).
fn address_of(cx: &mut Cx, e: ExprId, pos: Pos) -> Built {
    let ty = cx.ty(e);
    if !cx.types().is_function(ty) {
        if !is_lvalue(cx.program, e) {
            return cx.reject(pos, "lvalue required as unary '&' operand");
        }
        if is_bitfield(cx.program, e) {
            return cx.reject(pos, "cannot take address of bit-field");
        }
        if let Some(name) = register_variable(cx, e) {
            return cx.reject(pos, format!("address of register variable '{name}' requested"));
        }
        if vector_element(cx, e) {
            return cx.reject(pos, "cannot take address of vector element");
        }
    }
    // `typeof(&x) y` again and again derives a type without a declarator.
    let to = match pointer_to(cx.program, ty) {
        Ok(to) => to,
        Err(bad) => return cx.reject(pos, bad.message(cx.program, None)),
    };
    Ok(cx.push(ExprKind::Unary(UnaryOp::AddrOf, e), to, pos))
}

/// gcc and clang both let `&v[0]` of a vector pass only through memory; neither names an addressable element of a
/// value that is not an lvalue.
fn vector_element(cx: &Cx, e: ExprId) -> bool {
    match cx.program.exprs[e].kind {
        ExprKind::Index { base, .. } => {
            matches!(cx.types().kind(cx.ty(base)), TypeKind::Vector { .. }) && !is_lvalue(cx.program, base)
        }
        _ => false,
    }
}

/// The name of a register variable if `e` is one of array type: it has no address to become (C17 6.3.2.1p3).
pub(super) fn register_array(cx: &Cx, e: ExprId) -> Option<String> {
    match cx.program.exprs[e].kind {
        ExprKind::Object(_) => register_variable(cx, e),
        _ => None,
    }
}

fn register_variable(cx: &Cx, mut e: ExprId) -> Option<String> {
    loop {
        match cx.program.exprs[e].kind {
            ExprKind::Member { base, .. } => e = base,
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, base) => e = base,
            ExprKind::Object(obj) => {
                let object = &cx.program.objects[obj];
                let name = object.name.filter(|_| object.register)?;
                return Some(cx.program.name(name).to_owned());
            }
            _ => return None,
        }
    }
}

/// `++` and `--` (C17 6.5.2.4, 6.5.3.1).
fn step(cx: &mut Cx, op: UnaryOp, e: ExprId, pos: Pos) -> Built {
    let increment = matches!(op, UnaryOp::PreInc | UnaryOp::PostInc);
    let word = if increment { "increment" } else { "decrement" };
    if !is_lvalue(cx.program, e) {
        return cx.reject(pos, format!("lvalue required as {word} operand"));
    }
    let ty = cx.types().strip(cx.ty(e)).bare();
    let types = cx.types();
    match types.kind(ty) {
        TypeKind::Pointer(to) => check_arithmetic_pointee(cx, to, pos)?,
        TypeKind::Vector { .. } => {}
        // C17 6.5.2.4p1 and 6.5.3.1p1 want a real or pointer type.
        TypeKind::Complex(_) => cx.forbid(pos, "ISO C does not support '++' and '--' on complex types")?,
        _ if types.is_arithmetic(ty) => {}
        _ => return cx.reject(pos, format!("wrong type argument to {word}")),
    }
    check_modifiable(cx, e, word, pos)?;
    Ok(cx.push(ExprKind::Unary(op, e), ty, pos))
}

pub(super) fn invalid_operands<T>(
    cx: &Cx,
    op: BinaryOp,
    a: ExprId,
    b: ExprId,
    pos: Pos,
) -> Result<T, Box<Violation>> {
    let (x, y) = (cx.ty(a), cx.ty(b));
    if cx.types().is_void(x) || cx.types().is_void(y) {
        return cx.reject(pos, "void value not ignored as it ought to be");
    }
    let (x, y) = (cx.name(x), cx.name(y));
    cx.reject(pos, format!("invalid operands to binary {} (have '{x}' and '{y}')", op.symbol()))
}

/// A binary operator.
pub fn binary(cx: &mut Cx, op: BinaryOp, a: ExprId, b: ExprId, pos: Pos) -> Built {
    if matches!(op, BinaryOp::And | BinaryOp::Or) {
        let (x, y) = (value(cx, a)?, value(cx, b)?);
        if !cx.types().is_scalar(cx.ty(x)) || !cx.types().is_scalar(cx.ty(y)) {
            return invalid_operands(cx, op, x, y, pos);
        }
        return Ok(cx.push(ExprKind::Binary(op, x, y), Type::INT, pos));
    }
    let (a, b) = (value(cx, a)?, value(cx, b)?);
    let (x, y) = (cx.types().kind(cx.ty(a)), cx.types().kind(cx.ty(b)));
    if matches!(x, TypeKind::Vector { .. }) || matches!(y, TypeKind::Vector { .. }) {
        return vector_binary(cx, op, a, b, pos);
    }
    match op {
        BinaryOp::Mul | BinaryOp::Div => {
            if !cx.types().is_arithmetic(cx.ty(a)) || !cx.types().is_arithmetic(cx.ty(b)) {
                return invalid_operands(cx, op, a, b, pos);
            }
            let (a, b, ty) = usual(cx, a, b);
            Ok(cx.push(ExprKind::Binary(op, a, b), ty, pos))
        }
        BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => {
            if !cx.types().is_integer(cx.ty(a)) || !cx.types().is_integer(cx.ty(b)) {
                return invalid_operands(cx, op, a, b, pos);
            }
            let (a, b, ty) = usual(cx, a, b);
            Ok(cx.push(ExprKind::Binary(op, a, b), ty, pos))
        }
        BinaryOp::Shl | BinaryOp::Shr => {
            if !cx.types().is_integer(cx.ty(a)) || !cx.types().is_integer(cx.ty(b)) {
                return invalid_operands(cx, op, a, b, pos);
            }
            let (a, b) = (promote(cx, a), promote(cx, b));
            let ty = cx.ty(a);
            Ok(cx.push(ExprKind::Binary(op, a, b), ty, pos))
        }
        BinaryOp::Add | BinaryOp::Sub => additive(cx, op, a, b, pos),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => {
            compare(cx, op, a, b, pos)
        }
        BinaryOp::And | BinaryOp::Or => unreachable!("handled above"),
    }
}

/// `+` and `-` (C17 6.5.6).
fn additive(cx: &mut Cx, op: BinaryOp, a: ExprId, b: ExprId, pos: Pos) -> Built {
    let types = cx.types();
    let (x, y) = (cx.ty(a), cx.ty(b));
    if types.is_arithmetic(x) && types.is_arithmetic(y) {
        let (a, b, ty) = usual(cx, a, b);
        return Ok(cx.push(ExprKind::Binary(op, a, b), ty, pos));
    }
    match (types.pointee(x), types.pointee(y)) {
        (Some(to), None) if types.is_integer(y) => {
            check_arithmetic_pointee(cx, to, pos)?;
            Ok(cx.push(ExprKind::Binary(op, a, b), x, pos))
        }
        (None, Some(to)) if op == BinaryOp::Add && types.is_integer(x) => {
            check_arithmetic_pointee(cx, to, pos)?;
            Ok(cx.push(ExprKind::Binary(op, a, b), y, pos))
        }
        (Some(to), Some(other)) if op == BinaryOp::Sub => {
            if !compatible_targets(types, to, other) {
                return invalid_operands(cx, op, a, b, pos);
            }
            // Compatible types need not both be complete: `int [3]` and `int []`.
            check_arithmetic_pointee(cx, to, pos)?;
            if !cx.types().is_complete(other) && cx.types().is_complete(to) {
                check_arithmetic_pointee(cx, other, pos)?;
            }
            let ty = layout::integers::ptrdiff_type(&cx.program.target);
            Ok(cx.push(ExprKind::Binary(op, a, b), ty, pos))
        }
        _ => invalid_operands(cx, op, a, b, pos),
    }
}

/// The vector of signed integers that a comparison of vectors gives.
fn mask_vector(cx: &mut Cx, elem: Type, lanes: u32) -> Type {
    let size = layout::size_of(&cx.program.types, &cx.program.target, elem).unwrap_or(0);
    let long = u64::from(layout::integers::int_width(&cx.program.target, IntKind::Long) / 8);
    let clang = cx.program.target.compiler == Compiler::Clang;
    let kind = match size {
        1 if clang => IntKind::Char,
        4 if clang && long == 4 => IntKind::Long,
        8 if clang => IntKind::LLong,
        _ => layout::integers::of_width(&cx.program.target, 8 * size as u32, true),
    };
    cx.program.types.vector(kind.ty(), lanes)
}

/// Operators on GNU vectors: element by element, a scalar operand spread over all elements.
fn vector_binary(cx: &mut Cx, op: BinaryOp, a: ExprId, b: ExprId, pos: Pos) -> Built {
    let (a, b) = spread(cx, op, a, b, pos)?;
    let (x, y) = (cx.ty(a), cx.ty(b));
    let types = cx.types();
    let (TypeKind::Vector { elem, lanes }, TypeKind::Vector { elem: other, lanes: count }) =
        (types.kind(x), types.kind(y))
    else {
        return invalid_operands(cx, op, a, b, pos);
    };
    let integers = types.is_integer(elem) && types.is_integer(other);
    let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
    let same = lanes == count
        && (compatible_unqualified(types, elem, other)
            || (integers && int_width(cx, elem) == int_width(cx, other)));
    let needs_integers =
        shift || matches!(op, BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
    if !same || (needs_integers && !integers) {
        return invalid_operands(cx, op, a, b, pos);
    }
    let b = if x == y || shift { b } else { retype_vector(cx, b, x) };
    let ty = match op {
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => {
            mask_vector(cx, elem, lanes)
        }
        _ => x,
    };
    Ok(cx.push(ExprKind::Binary(op, a, b), ty, pos))
}

fn retype_vector(cx: &mut Cx, e: ExprId, to: Type) -> ExprId {
    let pos = cx.pos(e);
    cx.push(ExprKind::Convert(Conv::Bits, e), to, pos)
}

/// Spreads the scalar side of a vector operation.
fn spread(
    cx: &mut Cx,
    op: BinaryOp,
    a: ExprId,
    b: ExprId,
    pos: Pos,
) -> Result<(ExprId, ExprId), Box<Violation>> {
    let vector = |cx: &Cx, e: ExprId| match cx.types().kind(cx.ty(e)) {
        TypeKind::Vector { elem, .. } => Some((cx.ty(e), elem)),
        _ => None,
    };
    let one = |cx: &mut Cx, e: ExprId, (ty, elem): (Type, Type)| {
        let scalar = cx.ty(e);
        let types = cx.types();
        let fits = types.is_real(scalar) && (types.is_integer(scalar) || types.is_float(elem));
        if !fits {
            return invalid_operands(cx, op, a, b, pos);
        }
        let converted = convert_arithmetic(cx, e, elem);
        let pos = cx.pos(e);
        Ok(cx.push(ExprKind::Convert(Conv::Splat, converted), ty, pos))
    };
    match (vector(cx, a), vector(cx, b)) {
        (Some(of), None) => Ok((a, one(cx, b, of)?)),
        (None, Some(of)) => Ok((one(cx, a, of)?, b)),
        _ => Ok((a, b)),
    }
}

/// `lhs = rhs` (C17 6.5.16.1).
pub fn assign(cx: &mut Cx, lhs: ExprId, rhs: ExprId, pos: Pos) -> Built {
    let ty = check_assignable(cx, lhs, pos)?;
    let rhs = convert_as_if_assigned(cx, Purpose::Assign, rhs, ty, pos)?;
    Ok(cx.push(ExprKind::Assign(lhs, rhs), ty, pos))
}

/// The unqualified type of a modifiable lvalue.
fn check_assignable(cx: &mut Cx, lhs: ExprId, pos: Pos) -> Result<Type, Box<Violation>> {
    if !is_lvalue(cx.program, lhs) {
        return cx.reject(pos, "lvalue required as left operand of assignment");
    }
    let ty = cx.ty(lhs);
    if matches!(cx.types().kind(ty), TypeKind::Array { .. }) {
        return cx.reject(pos, "assignment to expression with array type");
    }
    if cx.types().is_void(ty) || !cx.types().is_complete(ty) {
        let name = cx.name(ty);
        return cx.reject(pos, format!("invalid use of incomplete type '{name}'"));
    }
    check_modifiable(cx, lhs, "assignment", pos)?;
    Ok(cx.types().strip(ty).bare())
}

/// `lhs op= rhs` (C17 6.5.16.2).
pub fn compound_assign(cx: &mut Cx, op: BinaryOp, lhs: ExprId, rhs: ExprId, pos: Pos) -> Built {
    let ty = check_assignable(cx, lhs, pos)?;
    let rhs = value(cx, rhs)?;
    let done = |cx: &mut Cx, rhs, compute| Ok(cx.push(ExprKind::Compound { op, lhs, rhs, compute }, ty, pos));
    if let Some(to) = cx.types().pointee(ty) {
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !cx.types().is_integer(cx.ty(rhs)) {
            let left = value(cx, lhs)?;
            return invalid_operands(cx, op, left, rhs, pos);
        }
        check_arithmetic_pointee(cx, to, pos)?;
        return done(cx, rhs, ty);
    }
    // What `lhs op rhs` would be says everything: the operands' conversions and the type of the result. The nodes
    // made for the left side are not used.
    let left = value(cx, lhs)?;
    let whole = binary(cx, op, left, rhs, pos)?;
    let ExprKind::Binary(_, left, rhs) = cx.program.exprs[whole].kind else {
        unreachable!("binary makes a binary node")
    };
    let result = cx.ty(whole);
    let types = cx.types();
    let back = (types.is_arithmetic(result) && types.is_arithmetic(ty))
        || (matches!(types.kind(result), TypeKind::Vector { .. })
            && matches!(types.kind(ty), TypeKind::Vector { .. }));
    let (from, to) = (result, ty);
    if !back && types.pointee(from).is_some() && types.is_integer(to) {
        // `c += p`: the sum is a pointer, which gcc lets pass into an integer.
        cx.tolerate(pos, |cx| {
            let (from, to) = (cx.name(from), cx.name(to));
            format!("assignment to '{to}' from '{from}' makes integer from pointer without a cast")
        })?;
    } else if !back {
        let (from, to) = (cx.name(from), cx.name(to));
        return cx
            .reject(pos, format!("incompatible types when assigning to type '{to}' from type '{from}'"));
    }
    let compute = cx.ty(left);
    done(cx, rhs, compute)
}

/// `c ? a : b` (C17 6.5.15).
pub fn cond(cx: &mut Cx, c: ExprId, a: ExprId, b: ExprId, pos: Pos) -> Built {
    let c = condition(cx, c, pos)?;
    let (a, b) = (discard(cx, a, pos)?, discard(cx, b, pos)?);
    let (a, b, ty) = branches(cx, a, b, pos)?;
    Ok(cx.push(ExprKind::Cond(c, a, b), ty, pos))
}

/// `c ?: b` (GNU): `c` is evaluated once.
pub fn elvis(cx: &mut Cx, c: ExprId, b: ExprId, pos: Pos) -> Built {
    let c = condition(cx, c, pos)?;
    let b = discard(cx, b, pos)?;
    let (_, b, ty) = branches(cx, c, b, pos)?;
    Ok(cx.push(ExprKind::Elvis(c, b), ty, pos))
}

/// Brings the two results of a conditional to one type.
fn branches(cx: &mut Cx, a: ExprId, b: ExprId, pos: Pos) -> Result<(ExprId, ExprId, Type), Box<Violation>> {
    let types = cx.types();
    let (x, y) = (cx.ty(a), cx.ty(b));
    if types.is_arithmetic(x) && types.is_arithmetic(y) {
        let (a, b, ty) = usual(cx, a, b);
        // A result has one type: a real branch joins a complex one.
        return Ok((convert_arithmetic(cx, a, ty), convert_arithmetic(cx, b, ty), ty));
    }
    if types.is_void(x) || types.is_void(y) {
        if types.is_void(x) != types.is_void(y) {
            cx.tolerate(pos, |_| "ISO C forbids conditional expr with only one void side".to_owned())?;
        }
        return Ok((to_void(cx, a), to_void(cx, b), Type::VOID));
    }
    match (types.pointee(x), types.pointee(y)) {
        (Some(_), Some(_)) => {
            let ty = common_pointer(cx, Meeting::Conditional, a, b, pos)?;
            Ok((to_pointer(cx, a, ty), to_pointer(cx, b, ty), ty))
        }
        (Some(_), None) if types.is_integer(y) => {
            check_cond_integer(cx, b, pos)?;
            Ok((a, to_pointer(cx, b, x), x))
        }
        (None, Some(_)) if types.is_integer(x) => {
            check_cond_integer(cx, a, pos)?;
            Ok((to_pointer(cx, a, y), b, y))
        }
        _ if compatible_unqualified(types, x, y) => {
            let b = if x == y { b } else { same(cx, b, x) };
            Ok((a, b, x))
        }
        _ => cx.reject(pos, "type mismatch in conditional expression"),
    }
}

fn same(cx: &mut Cx, e: ExprId, to: Type) -> ExprId {
    let pos = cx.pos(e);
    cx.push(ExprKind::Convert(Conv::Same, e), to, pos)
}

fn to_void(cx: &mut Cx, e: ExprId) -> ExprId {
    if cx.ty(e) == Type::VOID {
        return e;
    }
    let pos = cx.pos(e);
    cx.push(ExprKind::Convert(Conv::ToVoid, e), Type::VOID, pos)
}

fn check_cond_integer(cx: &mut Cx, integer: ExprId, pos: Pos) -> Result<(), Box<Violation>> {
    if fold::is_null_pointer_constant(cx.program, integer) {
        return Ok(());
    }
    cx.tolerate(pos, |_| "pointer/integer type mismatch in conditional expression".to_owned())
}

/// `a, b` (C17 6.5.17).
pub fn comma(cx: &mut Cx, a: ExprId, b: ExprId, pos: Pos) -> Built {
    let a = discard(cx, a, pos)?;
    // C90 6.2.2.1 lets only an lvalue array become a pointer; C99 any.
    let array = matches!(cx.types().kind(cx.ty(b)), TypeKind::Array { .. });
    let stays = array && cx.program.target.std.edition == Edition::C89 && !is_lvalue(cx.program, b);
    let b = if stays { b } else { discard(cx, b, pos)? };
    let ty = cx.ty(b);
    Ok(cx.push(ExprKind::Comma(a, b), ty, pos))
}
