//! What a statement itself evaluates, for passes that put code before it.

use howler_lang::program::{ExprId, Program, StmtId, StmtKind};
use howler_lang::visit::{Node, Role, Walk};

/// The expressions that a statement itself evaluates, those of statements inside of it left out, if code may be put before
/// it and still comes before them: a loop evaluates its own more than once.
pub fn evaluated(program: &Program, s: StmtId) -> Vec<ExprId> {
    let mut found = Vec::new();
    if !matches!(
        program.stmts[s].kind,
        StmtKind::Expr(_) | StmtKind::Return(_) | StmtKind::Item(_) | StmtKind::If { .. }
    ) {
        return found;
    }
    let mut walk = Walk::stmt(program, s);
    while let Some(part) = walk.next() {
        match part.node {
            Node::Stmt(inner) if inner != s => walk.skip_parts(),
            _ if part.role == Role::Unevaluated => walk.skip_parts(),
            Node::Expr(e) => found.push(e),
            _ => {}
        }
    }
    found
}
