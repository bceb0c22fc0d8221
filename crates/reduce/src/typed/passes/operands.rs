//! Operands in the place of what is made of them.

use howler_lang::program::{ExprKind, Program};
use howler_lang::visit::{self, Node};

use crate::typed::stand_in::{StandIn, is_written, operands, stand_in_all};
use crate::typed::{At, Pass, Site, Subject, Weights};

/// Puts them there.
pub struct Operands;

/// Arguments beyond these are not tried.
const MOST: usize = 8;

impl Pass for Operands {
    fn name(&self) -> &'static str {
        "operands"
    }

    fn about(&self) -> &'static str {
        "an operand, or an argument of a call, stands for the whole"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let weights = Weights::of(program);
        let mut found: Vec<Vec<Site>> = vec![Vec::new(); MOST];
        visit::each(program, |part| {
            let Node::Expr(e) = part.node else { return };
            if !is_written(program, e) || is_constant(program.exprs[e].kind) {
                return;
            }
            for (number, operand) in operands(program, e).into_iter().enumerate().take(MOST) {
                let weight = weights.expr(e).saturating_sub(weights.expr(operand));
                let number = number as u32;
                found[number as usize].push(Site { number, ..Site::new(weight, At::Expr(e)) });
            }
        });
        found.into_iter().flatten().collect()
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        stand_in_all(subject, sites, |_, site| Some(StandIn::Operand(site.number)))
    }
}

/// What needs its operand to be a constant at all.
fn is_constant(kind: ExprKind) -> bool {
    matches!(kind, ExprKind::Imaginary(_))
}
