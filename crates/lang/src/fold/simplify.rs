//! What gcc folds in a static initialiser although a part is not constant: `x || 1`, `x * 0`, `p - (p + 1)`.
//!
//! Only what gcc 12 is seen to fold is here, and nothing of it counts where an integer constant expression is wanted. A part
//! whose value is dropped must have no effect.

use super::{Const, Mode, Truth, eval, flag, num, truncate};
use crate::arith::Num;
use crate::program::{BinaryOp, Conv, ExprId, ExprKind, Program, UnaryOp};
use crate::target::Compiler;
use crate::ty::{Quals, Type};
use crate::visit;

/// How many nodes are looked at before a part counts as something unknown.
const LOOKED_AT: u32 = 200;

/// What has at most this many nodes may be evaluated again.
const SMALL: u32 = 12;

/// Whether such things are folded at all.
pub(super) fn applies(program: &Program, mode: Mode) -> bool {
    mode == Mode::Static && program.target.compiler == Compiler::Gcc
}

/// `a op b` with values `x` and `y`, at least one of which is not constant.
pub(super) fn binary(
    program: &Program,
    ty: Type,
    op: BinaryOp,
    (a, x): (ExprId, Option<Const>),
    (b, y): (ExprId, Option<Const>),
) -> Option<Const> {
    let known = |e: ExprId, value: Option<Const>| match (value, num(program, program.ty(e))) {
        (Some(Const::Num(bits)), Some(num @ Num::Int { .. })) => Some(num.number(bits)),
        _ => None,
    };
    let (left, right) = (known(a, x), known(b, y));
    if op == BinaryOp::Sub
        && let Some(difference) = difference(program, ty, a, b)
    {
        return Some(difference);
    }
    let Some(Num::Int { width, .. }) = num(program, program.ty(a)) else {
        return pointers(program, op, a, b);
    };
    let all_ones = Const::Num(truncate(u128::MAX, width));
    let value = match (op, left, right) {
        (BinaryOp::Mul | BinaryOp::BitAnd, Some(0), _) | (BinaryOp::Mul | BinaryOp::BitAnd, _, Some(0)) => {
            Some(Const::Num(0))
        }
        (BinaryOp::BitOr, Some(-1), _) | (BinaryOp::BitOr, _, Some(-1)) => Some(all_ones),
        (BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr, Some(0), None) => Some(Const::Num(0)),
        (BinaryOp::Shr, Some(-1), None) => Some(all_ones),
        (BinaryOp::Rem, None, Some(1 | -1)) => Some(Const::Num(0)),
        (BinaryOp::BitAnd, None, None) if complements(program, a, b) => Some(Const::Num(0)),
        (BinaryOp::BitOr, None, None) if complements(program, a, b) => Some(all_ones),
        (BinaryOp::BitXor | BinaryOp::Rem, None, None) if same(program, a, b) => Some(Const::Num(0)),
        (BinaryOp::Div, None, None) if same(program, a, b) => Some(Const::Num(1)),
        (_, None, None) if same(program, a, b) => of_equals(op),
        (_, None, Some(value)) => compared(op, range(program, a)?, value).map(flag),
        (_, Some(value), None) => compared(mirrored(op)?, range(program, b)?, value).map(flag),
        _ => None,
    };
    value.filter(|_| (x.is_some() || is_pure(program, a)) && (y.is_some() || is_pure(program, b)))
}

/// `a && b` or `a || b` where `a` is not constant: `b` may decide.
pub(super) fn logical(op: BinaryOp, b: Option<Truth>) -> Option<Const> {
    match b? {
        Truth::Known(right) if right == (op == BinaryOp::Or) => Some(flag(right)),
        _ => None,
    }
}

/// `c ? a : b` where `c` is not constant.
pub(super) fn conditional(program: &Program, c: ExprId, a: ExprId, b: ExprId) -> Option<Const> {
    let value = eval(program, a, Mode::Static)?;
    let equal = matches!(value, Const::Num(_)) && eval(program, b, Mode::Static) == Some(value);
    (equal && is_pure(program, c)).then_some(value)
}

fn pointers(program: &Program, op: BinaryOp, a: ExprId, b: ExprId) -> Option<Const> {
    let pointers = program.types.pointee(program.ty(a)).is_some();
    if pointers && same(program, a, b) && is_pure(program, a) { of_equals(op) } else { None }
}

/// The result of comparing a value with itself.
fn of_equals(op: BinaryOp) -> Option<Const> {
    match op {
        BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge => Some(flag(true)),
        BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt => Some(flag(false)),
        _ => None,
    }
}

/// `a - b` where both are one value and a constant each.
fn difference(program: &Program, ty: Type, a: ExprId, b: ExprId) -> Option<Const> {
    let ((first, m), (second, n)) = (moved(program, a), moved(program, b));
    if program.types.is_float(ty) || !same(program, first, second) || !is_pure(program, first) {
        return None;
    }
    let Num::Int { width, .. } = num(program, ty)? else { return None };
    Some(Const::Num(truncate(m.checked_sub(n)?.cast_unsigned(), width)))
}

/// `e` as a value and what is added to it, in elements if it is a pointer.
fn moved(program: &Program, e: ExprId) -> (ExprId, i128) {
    let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), of, by) = program.exprs[e].kind else {
        return (e, 0);
    };
    let (Some(Const::Num(bits)), Some(kind @ Num::Int { .. })) =
        (small(program, by), num(program, program.ty(by)))
    else {
        return (e, 0);
    };
    let by = kind.number(bits);
    (of, if op == BinaryOp::Add { by } else { by.saturating_neg() })
}

/// Whether one is `~` of the other.
fn complements(program: &Program, a: ExprId, b: ExprId) -> bool {
    let of = |e: ExprId, other: ExprId| match program.exprs[e].kind {
        ExprKind::Unary(UnaryOp::BitNot, inner) => same(program, inner, other),
        _ => false,
    };
    of(a, b) || of(b, a)
}

/// The values an integer can have, by its type before it was converted or by a mask.
fn range(program: &Program, e: ExprId) -> Option<(i128, i128)> {
    let of = match program.exprs[e].kind {
        ExprKind::Convert(Conv::IntToInt, of) => of,
        ExprKind::Binary(BinaryOp::BitAnd, _, mask) => {
            match (small(program, mask)?, num(program, program.ty(mask))?) {
                (Const::Num(bits), kind) => match kind.number(bits) {
                    mask if mask >= 0 => return Some((0, mask)),
                    _ => e,
                },
                _ => e,
            }
        }
        _ => e,
    };
    let limits = |ty: Type| match num(program, ty)? {
        Num::Int { width, signed: true } if (1..=64).contains(&width) => {
            Some((-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1))
        }
        Num::Int { width, signed: false } if width <= 64 => Some((0, (1i128 << width) - 1)),
        _ => None,
    };
    let (inner, outer) = (limits(program.ty(of))?, limits(program.ty(e))?);
    // A conversion that may change the value leaves nothing known but its own type.
    Some(if inner.0 >= outer.0 && inner.1 <= outer.1 { inner } else { outer })
}

/// `value op constant` where the value is anywhere in `low ..= high`.
fn compared(op: BinaryOp, (low, high): (i128, i128), constant: i128) -> Option<bool> {
    match op {
        BinaryOp::Eq | BinaryOp::Ne if constant < low || constant > high => Some(op == BinaryOp::Ne),
        BinaryOp::Lt | BinaryOp::Ge if high < constant => Some(op == BinaryOp::Lt),
        BinaryOp::Lt | BinaryOp::Ge if low >= constant => Some(op == BinaryOp::Ge),
        BinaryOp::Gt | BinaryOp::Le if low > constant => Some(op == BinaryOp::Gt),
        BinaryOp::Gt | BinaryOp::Le if high <= constant => Some(op == BinaryOp::Le),
        _ => None,
    }
}

fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Eq | BinaryOp::Ne => op,
        _ => return None,
    })
}

/// Whether an expression is evaluated without an effect of its own; its operands may have some.
fn is_quiet(program: &Program, e: ExprId) -> bool {
    match program.exprs[e].kind {
        ExprKind::Int { .. }
        | ExprKind::Float(_)
        | ExprKind::EnumConst(_)
        | ExprKind::Object(_)
        | ExprKind::Function(_)
        | ExprKind::Str(_)
        | ExprKind::Convert(..)
        | ExprKind::Cast(..)
        | ExprKind::Member { .. }
        | ExprKind::Binary(..)
        | ExprKind::Index { .. }
        | ExprKind::Cond(..) => {}
        ExprKind::Unary(op, _) => {
            return !matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec);
        }
        _ => return false,
    }
    let ExprKind::Convert(Conv::Load, of) = program.exprs[e].kind else { return true };
    let quals = program.types.quals(program.ty(of));
    !quals.contains(Quals::VOLATILE) && !quals.contains(Quals::ATOMIC)
}

/// The value of a small expression that was evaluated before: a large one would cost its time again at every level
/// around it.
fn small(program: &Program, e: ExprId) -> Option<Const> {
    if is_pure_within(program, e, SMALL) { eval(program, e, Mode::Static) } else { None }
}

/// Whether evaluating `e` has no effect.
pub(super) fn is_pure(program: &Program, e: ExprId) -> bool {
    is_pure_within(program, e, LOOKED_AT)
}

fn is_pure_within(program: &Program, e: ExprId, mut budget: u32) -> bool {
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        if budget == 0 || !is_quiet(program, e) {
            return false;
        }
        budget -= 1;
        visit::operands(program, e, |operand| open.push(operand));
    }
    true
}

/// Whether two expressions are written alike and so have one value, if neither has an effect.
fn same(program: &Program, a: ExprId, b: ExprId) -> bool {
    let mut open = vec![(a, b)];
    let mut budget = LOOKED_AT;
    while let Some((a, b)) = open.pop() {
        if program.ty(a) != program.ty(b) || budget == 0 {
            return false;
        }
        budget -= 1;
        let alike = match (program.exprs[a].kind, program.exprs[b].kind) {
            (ExprKind::Unary(x, _), ExprKind::Unary(y, _)) => x == y,
            (ExprKind::Binary(x, ..), ExprKind::Binary(y, ..)) => x == y,
            (
                ExprKind::Convert(x, _) | ExprKind::Cast(x, _),
                ExprKind::Convert(y, _) | ExprKind::Cast(y, _),
            ) => x == y,
            (ExprKind::Member { field: x, .. }, ExprKind::Member { field: y, .. }) => x == y,
            (ExprKind::Index { .. }, ExprKind::Index { .. }) | (ExprKind::Cond(..), ExprKind::Cond(..)) => {
                true
            }
            (ExprKind::Int { value: x, .. }, ExprKind::Int { value: y, .. }) => x == y,
            (x, y) => x == y,
        };
        if !alike || !is_quiet(program, a) || !is_quiet(program, b) {
            return false;
        }
        // Both are of one kind, and so have as many operands.
        let mut pair = open.len();
        visit::operands(program, a, |operand| open.push((operand, operand)));
        visit::operands(program, b, |operand| {
            open[pair].1 = operand;
            pair += 1;
        });
    }
    true
}
