//! Functions without what they do, where nobody runs the program.

use howler_lang::program::Program;

use crate::typed::{At, Pass, Site, Subject, Weights, together};

/// Takes their bodies away.
pub struct Bodies;

impl Pass for Bodies {
    fn name(&self) -> &'static str {
        "bodies"
    }

    fn about(&self) -> &'static str {
        "functions are only declared, where the program is not run"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        if subject.runs() {
            return Vec::new();
        }
        let program = subject.program();
        let weights = Weights::of(program);
        let defined = program.funcs.iter().filter(|(_, function)| function.body.is_some());
        let sites = defined.map(|(id, _)| Site::new(weights.function(program, id), At::Function(id)));
        sites.collect()
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| match site.at {
            At::Function(func) => change.drop_body(func),
            _ => Ok(()),
        })
    }
}
