//! What can stand for an expression: an operand, a number.

use howler_lang::build::{self, Built, Cx};
use howler_lang::edit::{Now, Remaking};
use howler_lang::program::{ExprId, ExprKind, IntForm, Program, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::ty::Type;
use howler_lang::visit;
use rustc_hash::FxHashMap;

use super::{At, Site, Subject, remade};

/// What stands for an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandIn {
    /// Its n-th operand.
    Operand(u32),
    /// A number. It has the type `int` if it fits.
    Number(i128),
}

/// Expressions and what shall stand for them.
#[derive(Default)]
struct StandIns(FxHashMap<ExprId, StandIn>);

impl StandIns {
    /// Adds one. What comes first counts.
    fn add(&mut self, e: ExprId, stand_in: StandIn) {
        self.0.entry(e).or_insert(stand_in);
    }
}

/// The program with what `stand_in` says of these sites, as far as it is possible together; none if nothing changes.
pub fn stand_in_all(
    subject: &Subject,
    sites: &[Site],
    stand_in: impl Fn(ExprId, Site) -> Option<StandIn>,
) -> Option<Program> {
    remade(subject, sites, |part| {
        let mut all = StandIns::default();
        for &site in part {
            if let At::Expr(e) = site.at
                && let Some(other) = stand_in(e, site)
            {
                all.add(e, other);
            }
        }
        all
    })
}

impl Remaking for StandIns {
    fn wants(&self, _: &Program, e: ExprId) -> bool {
        self.0.contains_key(&e)
    }

    fn make(&mut self, cx: &mut Cx<'_>, e: ExprId, now: &Now) -> Option<Built> {
        match *self.0.get(&e)? {
            StandIn::Operand(number) => {
                let operand = operands(cx.program, e).get(number as usize).copied()?;
                Some(Ok(now.operand(cx.program, operand)))
            }
            StandIn::Number(value) => number(cx, value),
        }
    }
}

/// The operands of an expression that could stand for it.
pub fn operands(program: &Program, e: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    visit::operands(program, e, |operand| found.push(operand));
    if let ExprKind::Call(..) = program.exprs[e].kind {
        found.remove(0);
    }
    found
}

/// A number as a constant of the smallest type that has it, `int` at least; none if there is no such constant.
pub fn number(cx: &mut Cx<'_>, value: i128) -> Option<Built> {
    let magnitude = u64::try_from(value.unsigned_abs()).ok()?;
    let ty = match magnitude {
        0..=0x7fff_ffff => Type::INT,
        0x8000_0000..=0xffff_ffff => Type::UINT,
        0x1_0000_0000..=0x7fff_ffff_ffff_ffff => Type::LONG,
        _ => Type::ULONG,
    };
    if value < 0 && matches!(ty, Type::UINT | Type::ULONG) {
        return None;
    }
    let constant = build::int(cx, magnitude, IntForm::Decimal, ty, Pos::NONE);
    Some(if value < 0 { build::unary(cx, UnaryOp::Neg, constant, Pos::NONE) } else { Ok(constant) })
}

/// Whether the source shows an expression: implicit conversions it does not.
pub fn is_written(program: &Program, e: ExprId) -> bool {
    !matches!(program.exprs[e].kind, ExprKind::Convert(..))
}

/// What is written where a converted operand stands.
pub fn written(program: &Program, mut e: ExprId) -> ExprId {
    while let ExprKind::Convert(_, inner) = program.exprs[e].kind {
        e = inner;
    }
    e
}

/// Makes nothing else of anything.
pub struct Nothing;

impl Remaking for Nothing {
    fn wants(&self, _: &Program, _: ExprId) -> bool {
        false
    }

    fn make(&mut self, _: &mut Cx<'_>, _: ExprId, _: &Now) -> Option<Built> {
        None
    }
}
