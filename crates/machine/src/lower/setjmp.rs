//! Where `setjmp` is called, and where it may be (C17 7.13.1.1p4).

use super::{Lowerer, call};
use crate::ub::UbKind;
use howler_lang::fold;
use howler_lang::program::{BinaryOp, Conv, ExprId, ExprKind, Program, StmtKind, UnaryOp};
use rustc_hash::FxHashSet;

/// Whether a function is one of setjmp's names.
pub(crate) fn is_setjmp(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__builtin_setjmp")
}

/// All calls that stand where `setjmp` may: as a whole controlling expression, negated or compared with a constant in
/// one, or as a whole statement. Empty for a program that does not have it.
pub(super) fn places(program: &Program) -> FxHashSet<ExprId> {
    let mut places = FxHashSet::default();
    if !program.funcs.iter().any(|(_, func)| is_setjmp(program.name(func.name))) {
        return places;
    }
    for (_, stmt) in program.stmts.iter() {
        match stmt.kind {
            StmtKind::If { cond, .. }
            | StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. }
            | StmtKind::For { cond: Some(cond), .. }
            | StmtKind::Switch { value: cond, .. } => {
                places.insert(controlling(program, cond));
            }
            StmtKind::Expr(e) => {
                places.insert(match program.exprs[e].kind {
                    ExprKind::Cast(Conv::ToVoid, of) => unconverted(program, of),
                    _ => unconverted(program, e),
                });
            }
            _ => {}
        }
    }
    // The first clause of a `for` is no statement.
    for (_, stmt) in program.stmts.iter() {
        if let StmtKind::For { init: Some(init), .. } = stmt.kind
            && let StmtKind::Expr(e) = program.stmts[init].kind
        {
            places.remove(&unconverted(program, e));
        }
    }
    places
}

/// The part of a controlling expression that may be a call of `setjmp`.
fn controlling(program: &Program, cond: ExprId) -> ExprId {
    let constant = |e: ExprId| fold::is_integer_constant_expr(program, e);
    let whole = unconverted(program, cond);
    match program.exprs[whole].kind {
        ExprKind::Unary(UnaryOp::Not, of) => unconverted(program, of),
        ExprKind::Binary(
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne,
            a,
            b,
        ) => {
            if constant(b) {
                unconverted(program, a)
            } else if constant(a) {
                unconverted(program, b)
            } else {
                whole
            }
        }
        _ => whole,
    }
}

/// An expression without the conversions that C makes silently.
fn unconverted(program: &Program, mut e: ExprId) -> ExprId {
    while let ExprKind::Convert(_, of) = program.exprs[e].kind {
        e = of;
    }
    e
}

impl Lowerer<'_> {
    /// Before a call: if it is one of `setjmp`, its place must be one of the four.
    pub fn check_setjmp(&mut self, e: ExprId, callee: ExprId) {
        // GNU's builtin has no such rule.
        let standard = call::direct_name(self.program, callee)
            .is_some_and(|name| is_setjmp(name) && name != "__builtin_setjmp");
        if standard && !self.setjmp_places.contains(&e) {
            self.undefined(UbKind::SetjmpContext, "");
        }
    }
}
