//! Which block a compound literal belongs to, and so how long it lives (C17 6.5.2.5p5).
//!
//! Blocks are compound statements, those of statement expressions among them, and since C99 every selection and loop
//! and each statement that these control (6.8.4p3, 6.8.5p5). In C90 only the former are, and gcc goes by that.

use super::{Lower, Lowerer};
use crate::value::AllocKind;
use howler_lang::program::{Duration, ExprKind, ObjId, Program, StmtId, StmtKind};
use howler_lang::target::Edition;
use howler_lang::visit::{self, Node, Role, Walk};

impl Lowerer<'_> {
    /// A statement that a selection or loop controls: a block of its own.
    pub fn sub(&mut self, id: StmtId) -> Lower<()> {
        let mut literals = Vec::new();
        if self.has_inner_blocks() {
            below(self.program, Node::Stmt(id), true, &mut literals);
        }
        if literals.is_empty() {
            return self.stmt(id);
        }
        let scope = self.open_scope();
        self.declare_literals(scope, literals)?;
        self.stmt(id)?;
        self.close_scope(scope);
        Ok(())
    }

    /// Opens the block that a selection or loop is, if its head has compound literals.
    pub fn open_head(&mut self, id: StmtId) -> Lower<Option<u32>> {
        let mut literals = Vec::new();
        if self.has_inner_blocks() {
            of_head(self.program, id, &mut literals);
        }
        if literals.is_empty() {
            return Ok(None);
        }
        let scope = self.open_scope();
        self.declare_literals(scope, literals)?;
        Ok(Some(scope))
    }

    /// Adds the compound literals of these statements to the scope of the compound statement they are in.
    pub fn add_literals(&mut self, scope: u32, stmts: &[StmtId]) -> Lower<()> {
        if !self.has_literals {
            return Ok(());
        }
        let mut literals = Vec::new();
        for &stmt in stmts {
            below(self.program, Node::Stmt(stmt), self.has_inner_blocks(), &mut literals);
        }
        self.declare_literals(scope, literals)
    }

    /// Whether selections and loops are blocks, and there is anything to see of it.
    fn has_inner_blocks(&self) -> bool {
        self.has_literals && self.program.target.std.edition > Edition::C89
    }

    fn declare_literals(&mut self, scope: u32, literals: Vec<ObjId>) -> Lower<()> {
        for object in literals {
            // A bound that `typeof` repeats is written twice.
            let repeated = self.f.objects.contains_key(&object);
            if self.program.objects[object].duration == Duration::Static || repeated {
                continue;
            }
            let reg = self.object_reg(object);
            let spec = self.object_spec(object, AllocKind::Literal)?;
            self.f.scopes[scope as usize].objects.push((reg, spec));
        }
        Ok(())
    }
}

fn is_selection_or_loop(program: &Program, stmt: StmtId) -> bool {
    matches!(
        program.stmts[stmt].kind,
        StmtKind::If { .. }
            | StmtKind::Switch { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
    )
}

/// The compound literals of a selection or loop that are in none of the statements it controls.
fn of_head(program: &Program, stmt: StmtId, found: &mut Vec<ObjId>) {
    if !is_selection_or_loop(program, stmt) {
        return;
    }
    let first = match program.stmts[stmt].kind {
        StmtKind::For { init, .. } => init,
        _ => None,
    };
    visit::parts(program, Node::Stmt(stmt), |part| match part.node {
        Node::Stmt(inner) if Some(inner) != first => {}
        head => below(program, head, true, found),
    });
}

/// The compound literals below a node that are in no block inside it; whether selections and loops are blocks is said
/// by `inner_blocks`.
fn below(program: &Program, node: Node, inner_blocks: bool, found: &mut Vec<ObjId>) {
    let mut walk = Walk::of(program, node);
    while let Some(part) = walk.next() {
        match part.node {
            _ if matches!(part.role, Role::Unevaluated | Role::StaticInitialiser) => walk.skip_parts(),
            Node::Expr(e) => match program.exprs[e].kind {
                ExprKind::CompoundLiteral(object) => found.push(object),
                ExprKind::StmtExpr(_) => walk.skip_parts(),
                _ => {}
            },
            Node::Stmt(stmt) => {
                let compound = matches!(program.stmts[stmt].kind, StmtKind::Compound(_));
                if compound || inner_blocks && is_selection_or_loop(program, stmt) {
                    walk.skip_parts();
                }
            }
            _ => {}
        }
    }
}
