//! A statement that runs becomes a function of its own.

use howler_choices::Choices;
use howler_lang::edit::Edit;
use howler_lang::program::{ExprKind, StmtKind};
use howler_lang::visit::Walk;

use crate::site::{Proposal, Site, Step};

/// The most statements that go into a function.
const LARGEST: usize = 40;

/// Outlines the statement at the point, if nothing jumps out of it.
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let program = site.edited.program();
    let plain = matches!(
        program.stmts[site.at].kind,
        StmtKind::Expr(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Compound(_)
    );
    let inside: Vec<StmtKind> =
        Walk::stmt(program, site.at).statements().take(LARGEST + 1).map(|s| program.stmts[s].kind).collect();
    let jumps = inside.iter().any(|kind| {
        matches!(
            kind,
            StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Goto(_)
                | StmtKind::GotoComputed(_)
                | StmtKind::Label(..)
                | StmtKind::LabelDecl(_)
                | StmtKind::Return(_)
                | StmtKind::Asm(_)
        )
    });
    // What belongs to the function that it is in.
    let bound = Walk::stmt(program, site.at).expressions().any(|e| match program.exprs[e].kind {
        ExprKind::CompoundLiteral(_)
        | ExprKind::FuncName(_)
        | ExprKind::VaArg(_)
        | ExprKind::Builtin(..)
        | ExprKind::StmtExpr(_)
        | ExprKind::LabelAddr(_) => true,
        ExprKind::Function(func) => {
            let name = program.name(program.funcs[func].name);
            ["alloca", "jmp", "address", "frame", "apply"].iter().any(|part| name.contains(part))
        }
        _ => false,
    });
    // One in three: calls hide from optimizers what other changes are for.
    if !plain || jumps || bound || inside.len() > LARGEST || !choices.chance("outline", 1, 3) {
        return None;
    }
    let s = site.edited.stmt(site.at);
    let steps = vec![Step::Plain(Edit::Outline { first: s, last: s })];
    Some(Proposal { alone: true, ..Proposal::new(steps, 20) })
}
