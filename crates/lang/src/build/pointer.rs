//! Pointers as operands: what may be compared, what two pointers have in common, what they may move over.

use super::convert::{conversion, usual};
use super::operator::invalid_operands;
use super::{Built, Cx, Violation};
use crate::compat::{compatible_targets, composite};
use crate::fold;
use crate::program::{BinaryOp, Conv, ExprId, ExprKind};
use crate::source::Pos;
use crate::target::Compiler;
use crate::ty::{Quals, Type};

/// Where two pointers meet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meeting {
    /// `==` and `!=` (C17 6.5.9p2)
    Equality,
    /// `<` and the like (C17 6.5.8p2)
    Order,
    /// `c ? a : b` (C17 6.5.15p3)
    Conditional,
}

/// Pointers move by whole objects: the size must be known (GNU: `void` and functions count as one byte).
pub(super) fn check_arithmetic_pointee(cx: &mut Cx, to: Type, pos: Pos) -> Result<(), Box<Violation>> {
    if cx.types().is_void(to) {
        return cx.tolerate(pos, |_| "pointer of type 'void *' used in arithmetic".to_owned());
    }
    if cx.types().is_function(to) {
        return cx.tolerate(pos, |_| "pointer to a function used in arithmetic".to_owned());
    }
    if !cx.types().is_complete(to) {
        let name = cx.name(to);
        return cx.reject(pos, format!("arithmetic on pointer to an incomplete type '{name}'"));
    }
    Ok(())
}

/// Relational and equality operators (C17 6.5.8, 6.5.9).
pub(super) fn compare(cx: &mut Cx, op: BinaryOp, a: ExprId, b: ExprId, pos: Pos) -> Built {
    let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
    let types = cx.types();
    let (x, y) = (cx.ty(a), cx.ty(b));
    let fits = |ty| if equality { types.is_arithmetic(ty) } else { types.is_real(ty) };
    if fits(x) && fits(y) {
        let (a, b, _) = usual(cx, a, b);
        return Ok(cx.push(ExprKind::Binary(op, a, b), Type::INT, pos));
    }
    let meeting = if equality { Meeting::Equality } else { Meeting::Order };
    let (a, b) = match (types.pointee(x), types.pointee(y)) {
        (Some(_), Some(_)) => {
            let common = common_pointer(cx, meeting, a, b, pos)?;
            (to_pointer(cx, a, common), to_pointer(cx, b, common))
        }
        (Some(_), None) if types.is_integer(y) => {
            check_pointer_integer(cx, meeting, b, pos)?;
            (a, to_pointer(cx, b, x))
        }
        (None, Some(_)) if types.is_integer(x) => {
            check_pointer_integer(cx, meeting, a, pos)?;
            (to_pointer(cx, a, y), b)
        }
        _ => return invalid_operands(cx, op, a, b, pos),
    };
    Ok(cx.push(ExprKind::Binary(op, a, b), Type::INT, pos))
}

fn check_pointer_integer(
    cx: &mut Cx,
    meeting: Meeting,
    integer: ExprId,
    pos: Pos,
) -> Result<(), Box<Violation>> {
    if !fold::is_null_pointer_constant(cx.program, integer) {
        return cx.tolerate(pos, |_| "comparison between pointer and integer".to_owned());
    }
    match meeting {
        // 6.5.8p2, unlike 6.5.9p2, has no place for null pointer constants.
        Meeting::Order => cx.forbid(pos, "ordered comparison of pointer with integer zero"),
        _ => Ok(()),
    }
}

/// The pointer type two pointers meet in (C17 6.5.9p5, 6.5.15p6).
pub(super) fn common_pointer(
    cx: &mut Cx,
    meeting: Meeting,
    a: ExprId,
    b: ExprId,
    pos: Pos,
) -> Result<Type, Box<Violation>> {
    let (x, y) = (cx.ty(a), cx.ty(b));
    let types = cx.types();
    let (to, other) = match (types.pointee(x), types.pointee(y)) {
        (Some(to), Some(other)) => (to, other),
        _ => return Ok(x),
    };
    let compatible = compatible_targets(types, to, other);
    let functions = types.is_function(to) || types.is_function(other);
    if meeting == Meeting::Order {
        if !compatible {
            // 6.5.8p2: neither `void` nor a null pointer constant is an exception here.
            cx.tolerate(pos, |_| "comparison of distinct pointer types lacks a cast".to_owned())?;
        } else if functions {
            cx.forbid(pos, "ordered comparison of pointers to functions")?;
        }
    }
    if x == y || fold::is_null_pointer_constant(cx.program, b) {
        return Ok(x);
    }
    if fold::is_null_pointer_constant(cx.program, a) {
        return Ok(y);
    }
    let types = cx.types();
    // Before C23 an array has no qualifiers of its own, so gcc loses its elements' in `void *`.
    let gcc = cx.program.target.compiler == Compiler::Gcc;
    let quals = |ty: Type| if compatible || !gcc { types.quals(ty) } else { ty.quals() };
    let quals = quals(to).union(quals(other));
    if compatible {
        let (to, other) = (cx.program.types.unqualified(to), cx.program.types.unqualified(other));
        let pointee = composite(&mut cx.program.types, to, other);
        // Compatible targets are both atomic or both not, so `_Atomic` stays.
        let pointee = if functions { pointee } else { cx.program.types.qualified(pointee, quals) };
        return Ok(cx.program.types.pointer(pointee));
    }
    if !types.is_void(to) && !types.is_void(other) {
        match meeting {
            Meeting::Equality => {
                cx.tolerate(pos, |_| "comparison of distinct pointer types lacks a cast".to_owned())?
            }
            Meeting::Order => {}
            Meeting::Conditional => {
                cx.tolerate(pos, |_| "pointer type mismatch in conditional expression".to_owned())?;
            }
        }
    } else if functions {
        match meeting {
            Meeting::Equality => {
                cx.forbid(pos, "ISO C forbids comparison of 'void *' with function pointer")?;
            }
            Meeting::Order => {}
            Meeting::Conditional => {
                cx.forbid(pos, "ISO C forbids conditional expr between 'void *' and function pointer")?;
            }
        }
    }
    let pointee = cx.program.types.qualified(Type::VOID, quals.minus(Quals::ATOMIC));
    Ok(cx.program.types.pointer(pointee))
}

/// Converts a pointer, a null pointer constant or (as gcc lets pass) an integer to a pointer type.
pub(super) fn to_pointer(cx: &mut Cx, e: ExprId, to: Type) -> ExprId {
    let from = cx.ty(e);
    if from == to {
        return e;
    }
    let conv = if fold::is_null_pointer_constant(cx.program, e) {
        Conv::NullToPointer
    } else {
        conversion(cx, from, to)
    };
    let pos = cx.pos(e);
    cx.push(ExprKind::Convert(conv, e), to, pos)
}
