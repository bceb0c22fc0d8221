//! Which GNU vectors become others without a cast. How their operators are typed is `operator`'s matter.

use super::convert::int_width;
use super::{Cx, Policy};
use crate::program::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::target::Compiler;
use crate::ty::{Type, TypeKind};

/// Whether a vector of another type becomes one of this type by assignment.
pub(super) fn meet(cx: &Cx, e: ExprId, to: Type) -> bool {
    if cx.policy == Policy::Strict {
        return false;
    }
    match cx.program.target.compiler {
        // gcc does so if it is asked to, and with what comparisons made.
        Compiler::Gcc => is_compared(cx, e) && cx.program.size_of(cx.ty(e)) == cx.program.size_of(to),
        Compiler::Clang => differ_in_sign(cx, cx.ty(e), to),
    }
}

/// Whether vectors have elements that differ only in sign, or in name.
fn differ_in_sign(cx: &Cx, a: Type, b: Type) -> bool {
    let (TypeKind::Vector { elem: x, lanes: n }, TypeKind::Vector { elem: y, lanes: m }) =
        (cx.types().kind(a), cx.types().kind(b))
    else {
        return false;
    };
    let types = cx.types();
    n == m
        && types.is_integer(x) == types.is_integer(y)
        && types.is_integer(x)
        && int_width(cx, x) == int_width(cx, y)
}

/// Whether a vector was made from results of comparisons only: gcc calls their type opaque, and takes them for any vector
/// of their size.
fn is_compared(cx: &Cx, e: ExprId) -> bool {
    let mut left = vec![e];
    while let Some(e) = left.pop() {
        match cx.program.exprs[e].kind {
            ExprKind::Binary(op, a, b) => {
                use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
                if !matches!(op, Eq | Ne | Lt | Gt | Le | Ge) {
                    left.extend([a, b]);
                }
            }
            ExprKind::Unary(UnaryOp::Plus | UnaryOp::Neg | UnaryOp::BitNot, a) => left.push(a),
            ExprKind::Comma(_, b) => left.push(b),
            ExprKind::Cond(_, a, b) => left.extend([a, b]),
            _ => return false,
        }
    }
    true
}
