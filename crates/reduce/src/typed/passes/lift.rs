//! Statement expressions open: their statements come before, their value stays.

use howler_lang::edit::{Change, Refused};
use howler_lang::program::{ExprId, ExprKind, Program, StmtId, StmtKind};
use howler_lang::visit::{self, Node};

use crate::typed::evaluated::evaluated;
use crate::typed::stand_in::written;
use crate::typed::{At, Pass, Site, Subject, together};

/// Opens them.
pub struct Lift;

impl Pass for Lift {
    fn name(&self) -> &'static str {
        "lift"
    }

    fn about(&self) -> &'static str {
        "what a statement expression does comes before the statement that it is in"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let mut sites = Vec::new();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            for number in 0..bodies(program, s).len() {
                sites.push(Site { number: number as u32, ..Site::new(4, At::Stmt(s)) });
            }
        });
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| match site.at {
            At::Stmt(s) => lift(change, s, site.number as usize),
            _ => Ok(()),
        })
    }
}

/// The statement expressions of a statement that are in no other one, and their bodies.
fn bodies(program: &Program, s: StmtId) -> Vec<(ExprId, StmtId)> {
    let body = |e| match program.exprs[e].kind {
        ExprKind::StmtExpr(body) => Some((e, body)),
        _ => None,
    };
    evaluated(program, s).into_iter().filter_map(body).collect()
}

fn lift(change: &mut Change<'_>, s: StmtId, number: usize) -> Result<(), Refused> {
    const NOT: Refused = Refused::Place("not a statement expression that can be opened");
    let program = change.program();
    let &(e, body) = bodies(program, s).get(number).ok_or(NOT)?;
    let StmtKind::Compound(list) = program.stmts[body].kind else { return Err(NOT) };
    let stmts = program.block(list).to_vec();
    let whole = match program.stmts[s].kind {
        StmtKind::Expr(all) => written(program, all) == e,
        _ => false,
    };
    if whole {
        return change.replace(s, &stmts);
    }
    let stmts = change.open(e)?;
    change.insert_before(s, &stmts)
}
