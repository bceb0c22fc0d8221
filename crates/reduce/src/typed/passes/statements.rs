//! Statements, from whole loops down to `break;`.

use howler_lang::program::{Program, StmtId, StmtKind};

use crate::typed::removal::{Removal, Users, removable};
use crate::typed::{At, Pass, Site, Subject, Weights};

/// Removes them.
pub struct Statements;

/// What a statement declares stays if it is used elsewhere.
const ALONE: u32 = 0;
/// A declaration goes with all that uses it.
const WITH_USERS: u32 = 1;

impl Pass for Statements {
    fn name(&self) -> &'static str {
        "statements"
    }

    fn about(&self) -> &'static str {
        "statements go, the largest first"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let weights = Weights::of(program);
        let mut sites = Vec::new();
        for s in removable(program) {
            let weight = weights.stmt(s);
            sites.push(Site::new(weight, At::Stmt(s)));
            if let StmtKind::Item(_) = program.stmts[s].kind {
                sites.push(Site { choice: WITH_USERS, ..Site::new(weight, At::Stmt(s)) });
            }
        }
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let users =
            if sites.iter().any(|site| site.choice == WITH_USERS) { Users::Follow } else { Users::Keep };
        let stmts = |choice: u32| {
            sites.iter().filter(move |site| site.choice == choice).filter_map(|site| match site.at {
                At::Stmt(s) => Some(s),
                _ => None,
            })
        };
        let mut removal = Removal::of(subject.program(), users);
        let all: Vec<StmtId> = stmts(ALONE).chain(stmts(WITH_USERS)).collect();
        removal.add(all, []);
        removal.program()
    }
}
