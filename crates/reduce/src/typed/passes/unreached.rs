//! Statements that never ran when the machine ran the program.

use howler_lang::program::Program;

use crate::typed::removal::{Removal, Users, removable};
use crate::typed::{At, Pass, Site, Subject, Weights};

/// Removes them.
pub struct Unreached;

impl Pass for Unreached {
    fn name(&self) -> &'static str {
        "unreached"
    }

    fn about(&self) -> &'static str {
        "statements that never ran go"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let Some(profile) = subject.profile() else { return Vec::new() };
        let program = subject.program();
        let weights = Weights::of(program);
        let unreached = removable(program).into_iter().filter(|&s| profile.count(s) == 0);
        unreached.map(|s| Site::new(weights.stmt(s), At::Stmt(s))).collect()
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let mut removal = Removal::of(subject.program(), Users::Keep);
        let stmts = sites.iter().filter_map(|site| match site.at {
            At::Stmt(s) => Some(s),
            _ => None,
        });
        removal.add(stmts, []);
        removal.program()
    }
}
