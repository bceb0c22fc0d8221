//! Numbers that are there already, towards 0.

use howler_lang::program::{ExprId, ExprKind, Program};
use howler_lang::ty::Type;
use howler_lang::visit::{self, Node};

use crate::typed::stand_in::{StandIn, stand_in_all};
use crate::typed::{At, Pass, Site, Subject};

/// Makes them smaller.
pub struct Numbers;

/// To 0, to 1, to half of it, to one less, to `int`.
const CHOICES: u32 = 5;

impl Pass for Numbers {
    fn name(&self) -> &'static str {
        "numbers"
    }

    fn about(&self) -> &'static str {
        "numbers become smaller, and plain"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let mut sites = Vec::new();
        for choice in 0..CHOICES {
            visit::each(program, |part| {
                if let Node::Expr(e) = part.node
                    && smaller(program, e, choice).is_some()
                {
                    sites.push(Site { choice, ..Site::new(1, At::Expr(e)) });
                }
            });
        }
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let program = subject.program();
        stand_in_all(subject, sites, |e, site| smaller(program, e, site.choice).map(StandIn::Number))
    }
}

fn smaller(program: &Program, e: ExprId, choice: u32) -> Option<i128> {
    let value = match program.exprs[e].kind {
        ExprKind::Int { value, .. } => value,
        ExprKind::EnumConst(id) if choice == 4 => {
            return Some(program.types.enumerators[id].value);
        }
        _ => return None,
    };
    let new = match choice {
        0 if value > 0 => 0,
        1 if value > 1 => 1,
        2 if value > 3 => value / 2,
        3 if (3..=64).contains(&value) => value - 1,
        4 if program.ty(e) != Type::INT && value <= 0x7fff_ffff => value,
        _ => return None,
    };
    Some(new.into())
}
