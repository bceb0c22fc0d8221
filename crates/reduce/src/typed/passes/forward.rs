//! What a variable is set to, in the place of the variable.

use howler_lang::build::{Built, Cx};
use howler_lang::edit::{Change, Now, Refused, Remaking};
use howler_lang::program::{Entity, ExprId, ExprKind, Init, Item, ObjId, Program, StmtId, StmtKind};
use howler_lang::visit::{self, How, Node, Site as Place, Uses};

use crate::typed::stand_in::written;
use crate::typed::{At, Pass, Site, Subject, Weights, together};

/// Puts it there.
pub struct Forward;

impl Pass for Forward {
    fn name(&self) -> &'static str {
        "forward"
    }

    fn about(&self) -> &'static str {
        "what a variable is set to stands where the variable is used once"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let (uses, weights) = (Uses::of(program), Weights::of(program));
        let mut sites = Vec::new();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            if let Some((object, value)) = set(program, s)
                && !users(program, &uses, object, s).is_empty()
            {
                let weight = weights.stmt(s).saturating_sub(weights.expr(value)).max(1);
                sites.push(Site::new(weight, At::Stmt(s)));
            }
        });
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| match site.at {
            At::Stmt(s) => forward(change, s),
            _ => Ok(()),
        })
    }
}

/// The object that a statement sets, by its declaration or an assignment, and to what.
fn set(program: &Program, s: StmtId) -> Option<(ObjId, ExprId)> {
    match program.stmts[s].kind {
        StmtKind::Item(Item::Decl(decl)) => {
            let Entity::Object(object) = program.decls[decl].entity else { return None };
            match program.inits[program.decls[decl].init?] {
                Init::Expr(e) => Some((object, written(program, e))),
                _ => None,
            }
        }
        StmtKind::Expr(e) => match program.exprs[written(program, e)].kind {
            ExprKind::Assign(lhs, rhs) => match program.exprs[lhs].kind {
                ExprKind::Object(object) => Some((object, written(program, rhs))),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The one place where the object is used, if there is just one beside the statement that sets it.
fn users(program: &Program, uses: &Uses, object: ObjId, s: StmtId) -> Vec<ExprId> {
    let own = match program.stmts[s].kind {
        StmtKind::Expr(e) => match program.exprs[written(program, e)].kind {
            ExprKind::Assign(lhs, _) => Some(lhs),
            _ => None,
        },
        _ => None,
    };
    let named = uses.of_object(object).iter().filter(|at| at.how == How::Names);
    let found: Vec<Option<ExprId>> = named
        .map(|at| match at.site {
            Place::Expr(e) => Some(e),
            _ => None,
        })
        .filter(|&e| e.is_none() || e != own)
        .collect();
    match found[..] {
        [Some(e)] => vec![e],
        _ => Vec::new(),
    }
}

fn forward(change: &mut Change<'_>, s: StmtId) -> Result<(), Refused> {
    const NOT: Refused = Refused::Place("not a variable that is used once");
    let program = change.program();
    let (object, value) = set(program, s).ok_or(NOT)?;
    let &at = users(program, &Uses::of(program), object, s).first().ok_or(NOT)?;
    // What is moved may not stand anywhere.
    change.remove_statements(&[s])?;
    match change.rebuild(&mut Moved { at, value })? {
        0 => Err(NOT),
        _ => Ok(()),
    }
}

/// A value in another place.
struct Moved {
    at: ExprId,
    value: ExprId,
}

impl Remaking for Moved {
    fn wants(&self, _: &Program, e: ExprId) -> bool {
        e == self.at
    }

    fn make(&mut self, _: &mut Cx<'_>, _: ExprId, _: &Now) -> Option<Built> {
        Some(Ok(self.value))
    }

    fn keeps(&self) -> bool {
        false
    }
}
