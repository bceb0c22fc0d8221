//! Where objects are declared: variables of blocks at file scope.

use howler_lang::edit::Refused;
use howler_lang::program::{Entity, Item, Linkage, Program, StmtKind};
use howler_lang::visit::{self, Node};

use crate::typed::{At, Pass, Site, Subject, together};

/// Moves them.
pub struct Places;

impl Pass for Places {
    fn name(&self) -> &'static str {
        "places"
    }

    fn about(&self) -> &'static str {
        "variables of blocks are declared at file scope"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let mut sites = Vec::new();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            let StmtKind::Item(Item::Decl(decl)) = program.stmts[s].kind else { return };
            if let Entity::Object(object) = program.decls[decl].entity
                && program.objects[object].linkage == Linkage::None
            {
                sites.push(Site::new(1, At::Stmt(s)));
            }
        });
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| {
            let At::Stmt(s) = site.at else { return Ok(()) };
            let StmtKind::Item(Item::Decl(decl)) = change.program().stmts[s].kind else {
                return Err(Refused::Place("not a declaration"));
            };
            let entity = change.program().decls[decl].entity;
            change.local_to_file(s)?;
            change.declare_plainly(entity, true)
        })
    }
}
