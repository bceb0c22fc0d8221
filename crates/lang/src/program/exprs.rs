//! The arena of expressions, which everyone reads and few may write.

use super::{Expr, ExprId, ExprKind, StmtId};
use crate::id::{Arena, Id};
use std::ops::Deref;

/// The expressions of a program. Only `build` makes them, so that every one is well-typed, and `edit` uses it.
#[derive(Clone, Default)]
pub struct Exprs(Arena<ExprId, Expr>);

impl Deref for Exprs {
    type Target = Arena<ExprId, Expr>;

    #[inline]
    fn deref(&self) -> &Arena<ExprId, Expr> {
        &self.0
    }
}

impl Exprs {
    #[inline]
    pub(crate) fn push(&mut self, expr: Expr) -> ExprId {
        self.0.push(expr)
    }

    pub(crate) fn set(&mut self, e: ExprId, kind: ExprKind) -> ExprKind {
        std::mem::replace(&mut self.0[e].kind, kind)
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Makes room for `more` elements.
    pub fn reserve(&mut self, more: usize) {
        self.0.reserve(more);
    }

    /// Gives the bodies of the statement expressions from the `first`-th expression on other numbers: whoever numbers
    /// statements again says so here.
    pub fn renumber_bodies(&mut self, first: usize, number: impl Fn(StmtId) -> StmtId) {
        for index in first..self.0.len() {
            if let ExprKind::StmtExpr(body) = &mut self.0[ExprId::from_index(index)].kind {
                *body = number(*body);
            }
        }
    }

    /// Everything, to be written at will: for tests of what finds broken programs.
    #[doc(hidden)]
    pub fn unchecked(&mut self) -> &mut Arena<ExprId, Expr> {
        &mut self.0
    }
}
