//! Numbers in the place of expressions: 0, 1, and what the machine saw there.

use howler_lang::program::{ExprId, ExprKind, Program};
use howler_lang::visit::{self, Node};
use howler_machine::profile::{Profile, Scalar};
use rustc_hash::FxHashMap;

use crate::typed::stand_in::{StandIn, is_written, stand_in_all, written};
use crate::typed::{At, Pass, Site, Subject, Weights};

/// Puts one number wherever it can stand.
pub struct Constants(pub Number);

/// Which number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// 0.
    Zero,
    /// 1.
    One,
    /// The one value that the expression had in the run that was looked at.
    Observed,
}

impl Pass for Constants {
    fn name(&self) -> &'static str {
        match self.0 {
            Number::Zero => "zeros",
            Number::One => "ones",
            Number::Observed => "observed-values",
        }
    }

    fn about(&self) -> &'static str {
        match self.0 {
            Number::Zero => "0 stands for an expression",
            Number::One => "1 stands for an expression",
            Number::Observed => "the one value that an operand had stands for it",
        }
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let weights = Weights::of(program);
        let values = match self.0 {
            Number::Observed => subject.profile().map(|profile| observed(program, profile)),
            _ => None,
        };
        let values = values.unwrap_or_default();
        let mut sites = Vec::new();
        visit::each(program, |part| {
            let Node::Expr(e) = part.node else { return };
            let wanted = match self.0 {
                Number::Observed => values.contains_key(&e),
                _ => true,
            };
            if wanted && can_be_number(program, e) {
                sites.push(Site::new(weights.expr(e), At::Expr(e)));
            }
        });
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let values = match self.0 {
            Number::Observed => observed(subject.program(), subject.profile()?),
            _ => FxHashMap::default(),
        };
        stand_in_all(subject, sites, |e, _| {
            let number = match self.0 {
                Number::Zero => Some(0),
                Number::One => Some(1),
                Number::Observed => values.get(&e).copied(),
            };
            number.map(StandIn::Number)
        })
    }
}

/// Whether an expression is more than a number, and a number can stand for it.
fn can_be_number(program: &Program, e: ExprId) -> bool {
    let types = &program.types;
    is_written(program, e)
        && types.is_scalar(program.ty(e))
        && !matches!(program.exprs[e].kind, ExprKind::Int { .. } | ExprKind::Assign(..))
}

/// The integers that operands of operators and arguments of calls had, those that were always the same.
fn observed(program: &Program, profile: &Profile) -> FxHashMap<ExprId, i128> {
    let mut values = FxHashMap::default();
    let mut note = |e: ExprId, seen: Option<Scalar>| {
        let e = written(program, e);
        if let Some(Scalar::Int(value)) = seen {
            values.insert(e, value);
        }
    };
    for (&(e, _), operands) in &profile.operators {
        let mut number = 0;
        visit::operands(program, e, |operand| {
            note(operand, operands.each.get(number).and_then(|seen| seen.constant()));
            number += 1;
        });
    }
    for (&e, calls) in &profile.calls {
        let ExprKind::Call(_, args) = program.exprs[e].kind else { continue };
        for (&arg, seen) in program.list(args).iter().zip(&calls.each) {
            note(arg, seen.constant());
        }
    }
    values
}
