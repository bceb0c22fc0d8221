//! What a variable is set to, in the place of the variable.

use howler_lang::build::{Built, Cx};
use howler_lang::edit::{Change, Now, Refused, Remaking, instance};
use howler_lang::program::{
    DeclId, Entity, ExprId, ExprKind, Init, Item, Linkage, ObjId, Program, StmtId, StmtKind, UnaryOp,
};
use howler_lang::visit::{self, How, Node, Site as Place, Uses, Walk};
use rustc_hash::FxHashMap;

use crate::typed::stand_in::written;
use crate::typed::{At, Pass, Site, Subject, Weights, together};

/// Puts it there.
pub struct Forward;

/// The value is moved to the one place that uses it.
const MOVED: u32 = 0;
/// It is copied to all of them.
const COPIED: u32 = 1;

/// Values with more tokens are not copied, and not to more places.
const MOST: usize = 12;

impl Pass for Forward {
    fn name(&self) -> &'static str {
        "forward"
    }

    fn about(&self) -> &'static str {
        "what a variable is set to stands where the variable is used"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let (uses, weights) = (Uses::of(program), Weights::of(program));
        let add = |sites: &mut Vec<Site>, at, (object, value), whole: u64, own: Option<ExprId>| {
            let size = weights.expr(value);
            match users(&uses, object, own).map(|users| users.len()) {
                Some(1) => sites.push(Site::new(whole.saturating_sub(size).max(1), at)),
                Some(count @ 2..) if count <= MOST && size <= MOST as u64 && is_pure(program, value) => {
                    sites.push(Site { choice: COPIED, ..Site::new(1, at) });
                }
                _ => {}
            }
        };
        let mut sites = Vec::new();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            if let Some((object, value)) = set(program, s) {
                let whole = weights.stmt(s);
                add(&mut sites, At::Stmt(s), (object, value), whole, user_sets(program, s));
            }
        });
        for (id, object) in program.objects.iter() {
            if object.linkage != Linkage::None
                && let Some(Init::Expr(value)) = object.init.map(|init| program.inits[init])
            {
                let value = written(program, value);
                add(&mut sites, At::Object(id), (id, value), weights.expr(value) + 4, None);
            }
        }
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| match site.at {
            At::Stmt(s) => {
                let (object, value) = set(change.program(), s).ok_or(NOT)?;
                let own = user_sets(change.program(), s);
                forward(change, (object, value, own), site.choice, |change| change.remove_statements(&[s]))
            }
            At::Object(object) => {
                let init = change.program().objects[object].init.map(|init| change.program().inits[init]);
                let Some(Init::Expr(value)) = init else { return Err(NOT) };
                let value = written(change.program(), value);
                forward(change, (object, value, None), site.choice, |change| {
                    let declares =
                        |decl: DeclId| change.program().decls[decl].entity == Entity::Object(object);
                    let decls = change.program().decls.ids().filter(|&decl| declares(decl));
                    let items: Vec<Item> = decls.map(Item::Decl).collect();
                    change.remove_items(&items)
                })
            }
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

/// Where a statement itself names the object that it sets.
fn user_sets(program: &Program, s: StmtId) -> Option<ExprId> {
    match program.stmts[s].kind {
        StmtKind::Expr(e) => match program.exprs[written(program, e)].kind {
            ExprKind::Assign(lhs, _) => Some(lhs),
            _ => None,
        },
        _ => None,
    }
}

/// The places where the object is used but for its `own`; none if something but an expression uses it.
fn users(uses: &Uses, object: ObjId, own: Option<ExprId>) -> Option<Vec<ExprId>> {
    let named = uses.of_object(object).iter().filter(|at| at.how == How::Names);
    let found = named.map(|at| match at.site {
        Place::Expr(e) => Some(e),
        _ => None,
    });
    let found: Vec<ExprId> = found.collect::<Option<_>>()?;
    Some(found.into_iter().filter(|&e| Some(e) != own).collect())
}

/// Whether nothing happens when an expression is evaluated.
pub(super) fn is_pure(program: &Program, e: ExprId) -> bool {
    Walk::expr(program, e).expressions().all(|e| match program.exprs[e].kind {
        ExprKind::Assign(..) | ExprKind::Compound { .. } | ExprKind::Call(..) | ExprKind::StmtExpr(_) => {
            false
        }
        ExprKind::Unary(op, _) => {
            !matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec)
        }
        _ => true,
    })
}

const NOT: Refused = Refused::Place("not a variable that is used like this");

fn forward(
    change: &mut Change<'_>,
    (object, value, own): (ObjId, ExprId, Option<ExprId>),
    choice: u32,
    remove: impl FnOnce(&mut Change<'_>) -> Result<(), Refused>,
) -> Result<(), Refused> {
    let at = users(&Uses::of(change.program()), object, own).ok_or(NOT)?;
    if at.is_empty() || choice == MOVED && at.len() != 1 {
        return Err(NOT);
    }
    // What is moved may not stand anywhere.
    remove(change)?;
    match change.rebuild(&mut Moved { at, value, moved: false })? {
        0 => Err(NOT),
        _ => Ok(()),
    }
}

/// A value in other places.
struct Moved {
    at: Vec<ExprId>,
    value: ExprId,
    moved: bool,
}

impl Remaking for Moved {
    fn wants(&self, _: &Program, e: ExprId) -> bool {
        self.at.contains(&e)
    }

    fn make(&mut self, cx: &mut Cx<'_>, _: ExprId, _: &Now) -> Option<Built> {
        Some(match std::mem::replace(&mut self.moved, true) {
            false => Ok(self.value),
            true => instance(cx, self.value, &FxHashMap::default()),
        })
    }

    fn keeps(&self) -> bool {
        false
    }
}
