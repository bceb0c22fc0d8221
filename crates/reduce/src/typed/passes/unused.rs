//! What nothing uses and what does nothing, all of it in one step: there is hardly ever more to ask about it than once.

use howler_lang::program::{Entity, ExprKind, Init, Item, Program, StmtId, StmtKind};
use howler_lang::visit::{self, Node};
use rustc_hash::FxHashSet;

use crate::typed::removal::{Removal, Users, is_main, removable};
use crate::typed::{At, Pass, Site, Subject, Weights};

use super::declarations::own_items;
use super::forward::is_pure;

/// Removes it. It is at work at several points, which have names.
pub struct Unused(pub &'static str);

impl Pass for Unused {
    fn name(&self) -> &'static str {
        self.0
    }

    fn about(&self) -> &'static str {
        "all declarations that nothing uses go, and all statements that do nothing"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let weights = Weights::of(program);
        let weight = own_items(program).into_iter().map(|item| weights.item(program, item)).sum();
        vec![Site::new(weight, At::Program)]
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        sites.first()?;
        let program = subject.program();
        let values = values(program);
        let idle = |s: &StmtId| !values.contains(s) && does_nothing(program, *s);
        let stmts: Vec<StmtId> = removable(program).into_iter().filter(idle).collect();
        let is_other = |item: &Item| !matches!(*item, Item::Decl(decl) if is_main(program, decl));
        let items = own_items(program).into_iter().filter(is_other);
        let mut removal = Removal::of(program, Users::Keep);
        removal.add(stmts, items);
        removal.program()
    }
}

/// Whether only the names that a statement declares could be missed.
fn does_nothing(program: &Program, s: StmtId) -> bool {
    match program.stmts[s].kind {
        StmtKind::Empty => true,
        StmtKind::Expr(e) => is_pure(program, e),
        StmtKind::Item(Item::Decl(decl)) => {
            let decl = &program.decls[decl];
            matches!(decl.entity, Entity::Object(_))
                && match decl.init.map(|init| program.inits[init]) {
                    None => true,
                    Some(Init::Expr(e)) => is_pure(program, e),
                    Some(_) => false,
                }
        }
        StmtKind::Item(Item::Record(_) | Item::RecordTag(_) | Item::Enum(_)) => true,
        _ => false,
    }
}

/// The statements whose value is that of a statement expression.
fn values(program: &Program) -> FxHashSet<StmtId> {
    let mut found = FxHashSet::default();
    visit::each(program, |part| {
        if let Node::Expr(e) = part.node
            && let ExprKind::StmtExpr(body) = program.exprs[e].kind
            && let StmtKind::Compound(list) = program.stmts[body].kind
        {
            found.extend(program.block(list).last());
        }
    });
    found
}
