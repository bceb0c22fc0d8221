//! Expressions that end loops. Something else in their place mostly makes a loop that does not end, and to find that out
//! costs more than a hundred other tests.

use howler_lang::program::{ExprId, Program, StmtKind};
use howler_lang::visit::{self, Node, Walk};
use howler_machine::profile::Profile;
use rustc_hash::FxHashSet;

use super::Subject;

/// What ends the loops of a program that went round more than once when the machine ran it.
#[derive(Default)]
pub struct Loops {
    /// Controlling expressions.
    conditions: FxHashSet<ExprId>,
    /// What they and the last parts of `for` are made of.
    parts: FxHashSet<ExprId>,
}

impl Loops {
    /// Those of a program.
    pub fn of(subject: &Subject) -> Loops {
        let mut loops = Loops::default();
        let Some(profile) = subject.profile() else { return loops };
        let program = subject.program();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            match program.stmts[s].kind {
                StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. }
                    if goes_round(profile, cond) =>
                {
                    loops.add(program, cond);
                }
                StmtKind::For { cond: Some(cond), step, .. } if goes_round(profile, cond) => {
                    loops.add(program, cond);
                    for e in step.into_iter().flat_map(|step| Walk::expr(program, step).expressions()) {
                        loops.parts.insert(e);
                    }
                }
                _ => {}
            }
        });
        loops
    }

    fn add(&mut self, program: &Program, cond: ExprId) {
        let mut top = true;
        for e in Walk::expr(program, cond).expressions() {
            self.parts.insert(e);
            if top {
                self.conditions.insert(e);
                top = matches!(program.exprs[e].kind, howler_lang::program::ExprKind::Convert(..));
            }
        }
    }

    /// Whether a loop may go on for ever without an expression as it is.
    pub fn need(&self, e: ExprId) -> bool {
        self.parts.contains(&e)
    }

    /// Whether an expression controls a loop: with 0 in its place it ends.
    pub fn control(&self, e: ExprId) -> bool {
        self.conditions.contains(&e)
    }
}

/// Whether a loop's condition held more than once.
pub fn goes_round(profile: &Profile, cond: ExprId) -> bool {
    profile.branches.get(&cond).is_some_and(|&(held, _)| held > 1)
}
