//! Table 1 of the paper, completed: what is done about an operation that is undefined or rounds.
//!
//! **Flipping** replaces an operator by its complement: `+` and `-`, `*` by `/`, a comparison that is a zero divisor,
//! `-a` by `+a`. **Insertion** adds a variable to an operand so that the result is in range. Every repair is evaluated
//! again, because it may bring up another fault (`MIN * -1` becomes `MIN / -1`). The printed table has no row for
//! `MIN / -1`, for a left shift whose result does not fit, nor for `-MIN`; they are here. Where no addition of the
//! operand's own type can help (a shift count of `INT_MIN`), the operand is masked; where nothing helps, or parentheses
//! would nest too deep, it is replaced by a variable.

use crate::eval::Fault;
use crate::exact::integer_limit;
use crate::expression::Maker;
use crate::options::{Feature, Repair};
use crate::test::{Node, NodeId, Op, Role};
use crate::variable::{between, from_integer};
use howler_lang::arith::{self, Format, Num, Undefined};
use howler_lang::program::{BinaryOp, UnaryOp};
use howler_lang::scalar::{Ty, is_comparison};

/// How many levels of parentheses repairs may add to one operand.
const MOST_GROWTH: u8 = 2;

/// A binary operation being made.
pub(crate) struct Draft {
    pub(crate) op: BinaryOp,
    pub(crate) kids: [NodeId; 2],
    /// How many levels have been added to each operand.
    pub(crate) grown: [u8; 2],
    /// Whether the operator was flipped.
    pub(crate) flipped: bool,
}

/// Where an operand should be.
#[derive(Clone, Copy)]
struct Goal {
    /// The type of what is added.
    ty: Ty,
    low: i128,
    high: i128,
}

impl Maker<'_> {
    /// Changes a draft so that this fault is gone. Another may be there then.
    pub(crate) fn repair(&mut self, draft: &mut Draft, fault: Fault) {
        if self.options.repair == Repair::Flip && self.flip(draft, fault) {
            return;
        }
        let typing = self.eval.rules.binary(draft.op, self.ty(draft.kids[0]), self.ty(draft.kids[1]));
        match fault {
            Fault::Convert { operand, to } => {
                let operand = operand.min(1);
                draft.kids[operand] = self.fit(draft.kids[operand], to, &mut draft.grown[operand]);
            }
            Fault::Inexact => {
                let before = self.test.stats.inserted;
                self.repair_float(draft, typing.left);
                self.test.stats.overflows += self.test.stats.inserted - before;
            }
            Fault::Undefined(undefined) => self.repair_undefined(draft, undefined, typing.left, typing.right),
        }
    }

    /// Flips an operator if table 1 says so.
    fn flip(&mut self, draft: &mut Draft, fault: Fault) -> bool {
        let zero = matches!(fault, Fault::Undefined(Undefined::DivByZero | Undefined::RemByZero));
        if zero {
            let divisor = &mut self.test.nodes[draft.kids[1]];
            return match divisor.op {
                Op::Binary(op) if is_comparison(op) => {
                    divisor.op = Op::Binary(complement(op));
                    divisor.value = 1;
                    self.test.stats.flipped += 1;
                    true
                }
                _ => false,
            };
        }
        let overflow = matches!(
            fault,
            Fault::Inexact
                | Fault::Undefined(Undefined::AddOverflow | Undefined::SubOverflow | Undefined::MulOverflow)
        );
        let flipped = match draft.op {
            BinaryOp::Add => BinaryOp::Sub,
            BinaryOp::Sub => BinaryOp::Add,
            // A float divided instead must not be divided by zero; 0 times something overflows nothing.
            BinaryOp::Mul if self.may(Feature::Division) => BinaryOp::Div,
            _ => return false,
        };
        if !overflow || draft.flipped {
            return false;
        }
        draft.op = flipped;
        draft.flipped = true;
        self.test.stats.flipped += 1;
        true
    }

    fn repair_undefined(&mut self, draft: &mut Draft, undefined: Undefined, left: Ty, right: Ty) {
        let (a, b) = (self.number(draft.kids[0], left), self.number(draft.kids[1], right));
        let (least, most) = bounds(self.eval.rules.num(left));
        let goal = |ty, low: i128, high: i128| Goal { ty, low, high };
        let (side, goal) = match undefined {
            Undefined::AddOverflow | Undefined::SubOverflow | Undefined::MulOverflow => {
                let side = self.choices.range("side", 0..=1usize);
                let other = if side == 0 { b } else { a };
                let (low, high) = match (undefined, side) {
                    (Undefined::AddOverflow, _) => (least.saturating_sub(other), most.saturating_sub(other)),
                    (Undefined::SubOverflow, 0) => (least.saturating_add(other), most.saturating_add(other)),
                    (Undefined::SubOverflow, _) => (other.saturating_sub(most), other.saturating_sub(least)),
                    _ => {
                        let factor = most / other.saturating_abs().max(1);
                        (-factor, factor)
                    }
                };
                (side, goal(left, low.max(least), high.min(most)))
            }
            Undefined::DivByZero | Undefined::RemByZero => {
                let negative = least < 0 && self.choices.chance("negative", 1, 3);
                match self.eval.rules.format(left) {
                    Some(format) => (1, goal(left, 1, integer_limit(format) - 1)),
                    None if negative => (1, goal(left, least, -2)),
                    None => (1, goal(left, 1, most)),
                }
            }
            // -1 goes away, and must not become 0.
            Undefined::DivOverflow | Undefined::RemOverflow => (1, goal(left, 1, most)),
            Undefined::ShiftNegative | Undefined::ShiftTooFar => {
                let width = i128::from(self.eval.rules.num(left).width());
                (1, goal(right, 0, width - 1))
            }
            Undefined::ShlOfNegative | Undefined::ShlOverflow => {
                let count = u32::try_from(b).unwrap_or(0);
                (0, goal(left, 0, most.checked_shr(count).unwrap_or(0)))
            }
            // No other fault comes from a binary operator on integers.
            _ => (1, goal(right, 1, 1)),
        };
        let before = self.test.stats.inserted;
        draft.kids[side] = self.adjust(draft.kids[side], goal, &mut draft.grown[side]);
        let stats = &mut self.test.stats;
        *(match undefined {
            Undefined::DivByZero | Undefined::RemByZero | Undefined::DivOverflow | Undefined::RemOverflow => {
                &mut stats.divisors
            }
            Undefined::ShiftNegative | Undefined::ShiftTooFar => &mut stats.counts,
            Undefined::ShlOfNegative | Undefined::ShlOverflow => &mut stats.shifted,
            _ => &mut stats.overflows,
        }) += stats.inserted - before;
    }

    /// A floating result that is too large or not exact.
    fn repair_float(&mut self, draft: &mut Draft, ty: Ty) {
        let Some(format) = self.eval.rules.format(ty) else { return };
        let limit = integer_limit(format);
        let a = self.number(draft.kids[0], ty);
        match draft.op {
            BinaryOp::Add | BinaryOp::Sub => {
                let other = if draft.op == BinaryOp::Add { a } else { -a };
                // One less on both sides leaves room for fractions.
                let (low, high) = ((1 - limit - other).max(1 - limit), (limit - 1 - other).min(limit - 1));
                // A sum that is inexact though it is small enough has operands too far apart.
                let (low, high) = if draft.grown[1] > 0 { (0, 0) } else { (low, high) };
                let goal = Goal { ty, low, high };
                draft.kids[1] = self.adjust(draft.kids[1], goal, &mut draft.grown[1]);
            }
            BinaryOp::Mul => {
                let factor = if draft.grown[1] > 0 { 0 } else { (limit - 1) / (a.abs() + 1) };
                let goal = Goal { ty, low: -factor, high: factor };
                draft.kids[1] = self.adjust(draft.kids[1], goal, &mut draft.grown[1]);
            }
            // x / y with a fraction becomes (x - x % y) / y.
            _ => {
                let (x, y) = (self.converted(draft.kids[0], ty), self.converted(draft.kids[1], ty));
                let rest = arith::modulo(format, x, y);
                let dividend = (self.ty(draft.kids[0]), self.value(draft.kids[0]));
                // With fractions the difference may need more bits than there are.
                let exact = self.eval.binary(BinaryOp::Sub, dividend, (ty, rest)).is_ok();
                if draft.grown[0] > 0 || !exact {
                    let goal = Goal { ty, low: 0, high: 0 };
                    draft.kids[0] = self.adjust(draft.kids[0], goal, &mut draft.grown[0]);
                    return;
                }
                draft.kids[0] = self.insert(BinaryOp::Sub, draft.kids[0], ty, rest);
                draft.grown[0] += 1;
            }
        }
    }

    /// Brings an operand to where it can be converted to a type.
    pub(crate) fn fit(&mut self, kid: NodeId, to: Ty, grown: &mut u8) -> NodeId {
        let from = self.ty(kid);
        let own = self.eval.rules.promoted(from);
        let (low, high) = match (self.eval.rules.format(from), self.eval.rules.format(to)) {
            (Some(from), Some(to)) => {
                let limit = integer_limit(from).min(integer_limit(to)) - 1;
                (-limit, limit)
            }
            (Some(from), None) => {
                let (least, most) = bounds(self.eval.rules.num(to));
                let limit = integer_limit(from) - 1;
                (least.saturating_add(1).min(0).max(-limit), (most - 1).max(0).min(limit))
            }
            (None, Some(to)) => {
                let (least, most) = bounds(self.eval.rules.num(own));
                let limit = integer_limit(to);
                (least.max(-limit), most.min(limit))
            }
            (None, None) => (0, 0),
        };
        self.adjust(kid, Goal { ty: own, low, high }, grown)
    }

    /// An operand that is not the least value of its type, so that it can be negated.
    pub(crate) fn not_least(&mut self, kid: NodeId, grown: &mut u8) -> NodeId {
        let own = self.eval.rules.promoted(self.ty(kid));
        let (least, most) = bounds(self.eval.rules.num(own));
        self.adjust(kid, Goal { ty: own, low: least + 1, high: most }, grown)
    }

    /// A small number as a value of a type.
    pub(crate) fn small(&self, ty: Ty, number: i128) -> u128 {
        match self.eval.rules.num(ty) {
            Num::Float(format) => from_integer(format, number),
            num => num.bits(number),
        }
    }

    /// An operand moved into an interval by an inserted operation.
    fn adjust(&mut self, kid: NodeId, goal: Goal, grown: &mut u8) -> NodeId {
        let inserted = if *grown < MOST_GROWTH {
            match self.eval.rules.format(goal.ty) {
                Some(format) => self.adjust_float(kid, goal, format),
                None => self.adjust_integer(kid, goal),
            }
        } else {
            None
        };
        match inserted {
            Some(node) => {
                *grown += 1;
                node
            }
            None => {
                self.test.stats.cuts += 1;
                let number = between(&mut self.choices, goal.low, goal.high);
                let value = self.small(goal.ty, number);
                self.extra(goal.ty, value)
            }
        }
    }

    fn adjust_integer(&mut self, kid: NodeId, goal: Goal) -> Option<NodeId> {
        let num = self.eval.rules.num(goal.ty);
        let at = self.number(kid, goal.ty);
        let (least, most) = bounds(num);
        let (mut low, mut high) = (goal.low, goal.high);
        if least < 0 {
            // What is added must itself be a value of the type.
            low = low.max(at.saturating_add(least));
            high = high.min(at.saturating_add(most));
        }
        if low <= high {
            let wanted = num.bits(between(&mut self.choices, low, high));
            let value = arith::binary(BinaryOp::Sub, num, wanted, self.converted(kid, goal.ty)).ok()?;
            return Some(self.insert(BinaryOp::Add, kid, goal.ty, value));
        }
        // A mask brings anything to 0 and up.
        (goal.low <= 0 && goal.high >= 0 && self.may(Feature::Bitwise)).then(|| {
            let value = between(&mut self.choices, 0, goal.high).cast_unsigned();
            self.insert(BinaryOp::BitAnd, kid, goal.ty, value)
        })
    }

    fn adjust_float(&mut self, kid: NodeId, goal: Goal, format: Format) -> Option<NodeId> {
        let bits = self.eval.convert(self.ty(kid), goal.ty, self.value(kid))?;
        let num = Num::Float(format);
        let at = self.number(kid, goal.ty);
        let limit = integer_limit(format);
        let (low, high) = (goal.low.max(at - limit), goal.high.min(at + limit));
        let operand = (self.ty(kid), self.value(kid));
        if low <= high {
            let wanted = between(&mut self.choices, low, high);
            let value = from_integer(format, wanted - at);
            if self.eval.binary(BinaryOp::Add, operand, (goal.ty, value)).is_ok() {
                return Some(self.insert(BinaryOp::Add, kid, goal.ty, value));
            }
        }
        if goal.low > 0 || goal.high < 0 {
            return None;
        }
        let value = arith::unary(UnaryOp::Neg, num, bits).ok()?;
        Some(self.insert(BinaryOp::Add, kid, goal.ty, value))
    }

    /// Whether a repair may use a feature.
    pub(crate) fn may(&self, feature: Feature) -> bool {
        !self.options.strict || self.features.has(feature)
    }

    /// `kid op k` with a new variable `k`; the caller knows that it is defined.
    pub(crate) fn insert(&mut self, op: BinaryOp, kid: NodeId, ty: Ty, value: u128) -> NodeId {
        self.test.stats.inserted += 1;
        let extra = self.extra(ty, value);
        let operands = ((self.ty(kid), self.value(kid)), (ty, value));
        let (ty, value) = match self.eval.binary(op, operands.0, operands.1) {
            Ok(done) => done,
            Err(fault) => {
                debug_assert!(false, "{op:?} {operands:?} {fault:?}");
                return extra;
            }
        };
        self.push(Node { op: Op::Binary(op), ty, kids: [Some(kid), Some(extra), None], value })
    }

    /// A new variable for an inserted operation, as a node.
    pub(crate) fn extra(&mut self, ty: Ty, value: u128) -> NodeId {
        let var = self.fashion.var(&mut self.choices, Role::K, ty, value);
        let id = self.add_var(var);
        self.push(Node::leaf(Op::Var(id), ty, value))
    }

    /// The value of a node in a type it can be converted to; 0 if it cannot.
    fn converted(&self, kid: NodeId, ty: Ty) -> u128 {
        self.eval.convert(self.ty(kid), ty, self.value(kid)).unwrap_or(0)
    }

    /// The same as a number, without its fraction; unsigned values beyond are the greatest there is.
    fn number(&self, kid: NodeId, ty: Ty) -> i128 {
        let bits = self.converted(kid, ty);
        match self.eval.rules.num(ty) {
            num @ Num::Int { signed: true, .. } => num.number(bits),
            Num::Float(format) => {
                let wide = Num::Int { width: 128, signed: true };
                arith::convert(Num::Float(format), wide, bits).unwrap_or(0).cast_signed()
            }
            _ => i128::try_from(bits).unwrap_or(i128::MAX),
        }
    }
}

/// The least and the greatest number of an integer type; of a floating one, nothing useful.
fn bounds(num: Num) -> (i128, i128) {
    match num {
        Num::Bool => (0, 1),
        Num::Int { width, signed: true } => (-1 << (width - 1), i128::MAX >> (128 - width)),
        Num::Int { width, signed: false } => {
            (0, i128::try_from(arith::mask(u32::from(width))).unwrap_or(i128::MAX))
        }
        Num::Float(_) => (-1, 1),
    }
}

/// The comparison that is true exactly when this one is not. There are no NaNs.
fn complement(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Eq => BinaryOp::Ne,
        _ => BinaryOp::Eq,
    }
}
