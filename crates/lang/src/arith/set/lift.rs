//! Operators and conversions on sets: member by member where that is not too much, else range by range.

use super::super::{self as arith, Format, Num, Undefined};
use super::fault::{Case, Faults};
use super::image::Image;
use super::run::{self, Order, Run};
use super::{Limits, ValueSet, bitwise, range};
use crate::program::{BinaryOp, UnaryOp};

/// What an operator makes of sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lifted {
    /// Every result of members for which the operator is defined; maybe more.
    pub values: ValueSet,
    /// Whether `values` has nothing but such results. `false` means that it is not known.
    pub exact: bool,
    /// What was undefined.
    pub faults: Faults,
}

/// Unary `-`, `+`, `~` and `!` on every member; see [`arith::unary`].
///
/// ```
/// use howler_lang::arith::Num;
/// use howler_lang::arith::set::{Limits, ValueSet, unary};
/// use howler_lang::program::UnaryOp;
/// let unsigned = Num::Int { width: 32, signed: false };
/// let set = ValueSet::between(unsigned, 0, 10_000);
/// let negated = unary(&Limits::default(), UnaryOp::Neg, &set);
/// assert_eq!(negated.values.to_string(), "{0, 4294957296..4294967295}");
/// assert!(negated.faults.never());
/// ```
pub fn unary(limits: &Limits, op: UnaryOp, a: &ValueSet) -> Lifted {
    let num = a.num();
    let result = if op == UnaryOp::Not { Num::INT } else { promoted(num) };
    if let Some(lifted) = each(limits, result, a, |a| arith::unary(op, num, a)) {
        return lifted;
    }
    let mut image = Image::new(result);
    if op == UnaryOp::Not {
        image.add_truth(a.may_be(true), a.may_be(false));
    } else if arith::unary(op, num, 1) == Err(Undefined::IllTyped) {
        image.fault(Undefined::IllTyped);
    } else if matches!(num, Num::Float(_)) {
        image.add_all();
    } else {
        for &run in a.runs() {
            range::unary(&mut image, op, Order::of(num), run);
        }
    }
    image.finish(limits)
}

/// The new value of `x++` or `++x` for every member; see [`arith::increment`].
pub fn increment(limits: &Limits, a: &ValueSet) -> Lifted {
    step(limits, a, Undefined::IncOverflow)
}

/// The new value of `x--` or `--x` for every member; see [`arith::decrement`].
pub fn decrement(limits: &Limits, a: &ValueSet) -> Lifted {
    step(limits, a, Undefined::DecOverflow)
}

/// Adds 1, or subtracts it, as the kind of undefined case says that may happen.
fn step(limits: &Limits, a: &ValueSet, overflow: Undefined) -> Lifted {
    let num = a.num();
    let up = overflow == Undefined::IncOverflow;
    let next = |value| if up { arith::increment(num, value) } else { arith::decrement(num, value) };
    if let Some(lifted) = each(limits, num, a, next) {
        return lifted;
    }
    let mut image = Image::new(num);
    if !matches!(num, Num::Int { .. }) {
        // `_Bool` does not come here: it is computed above whatever the limits are.
        image.add_all();
        return image.finish(limits);
    }
    let order = Order::of(num);
    // Whether the last value wraps depends on what it is promoted to (C17 6.3.1.1p2, 6.5.3.1p2): an unsigned bit-field
    // of 31 bits overflows as `int`, one of 30 does not.
    let end = if up { order.mask } else { 0 };
    let wraps = next(order.bits(end)).is_ok();
    for &run in a.runs() {
        if !wraps && run.meet(Run::single(end)).is_some() {
            image.fault(overflow);
        }
        let stays = if up { Run { low: 0, high: order.mask - 1 } } else { Run { low: 1, high: order.mask } };
        let run = if wraps { Some(run) } else { run.meet(stays) };
        if let Some(run) = run {
            let first = order.bits(run.low);
            let first = if up { first.wrapping_add(1) } else { first.wrapping_sub(1) };
            image.add_wrapping(first, run.span());
        }
    }
    image.finish(limits)
}

/// A binary operator on every pair of members; see [`arith::binary`] and [`arith::shift`].
///
/// Both sets have the same type, except for shifts, `&&` and `||`, whose operands C does not bring to one (C17 6.5.7p3,
/// 6.5.13, 6.5.14). Otherwise the pairs are [`Undefined::IllTyped`]. Both operands of `&&` and `||` are taken as
/// evaluated.
///
/// ```
/// use howler_lang::arith::Num;
/// use howler_lang::arith::set::{Limits, ValueSet, binary};
/// use howler_lang::program::BinaryOp::{Lt, Shl};
///
/// let limits = Limits::default();
/// let small = ValueSet::between(Num::INT, 0, 99_999);
/// let less = binary(&limits, Lt, &small, &ValueSet::single(Num::INT, 100_000));
/// assert_eq!(less.values.as_single(), Some(1));
/// let shifted = binary(&limits, Shl, &small, &ValueSet::between(Num::INT, 0, 14));
/// assert!(shifted.faults.never());
/// ```
pub fn binary(limits: &Limits, op: BinaryOp, a: &ValueSet, b: &ValueSet) -> Lifted {
    let truth = matches!(
        op,
        BinaryOp::Lt
            | BinaryOp::Gt
            | BinaryOp::Le
            | BinaryOp::Ge
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::And
            | BinaryOp::Or
    );
    let (left, right) = (a.num(), b.num());
    let result = if truth { Num::INT } else { promoted(left) };
    let pair = |a, b| match op {
        BinaryOp::Shl | BinaryOp::Shr => arith::shift(op, left, a, right, b),
        BinaryOp::And => Ok(u128::from(arith::truth(left, a) && arith::truth(right, b))),
        BinaryOp::Or => Ok(u128::from(arith::truth(left, a) || arith::truth(right, b))),
        _ if left == right => arith::binary(op, left, a, b),
        _ => Err(Undefined::IllTyped),
    };
    if let Some(lifted) = each_pair(limits, result, a, b, pair) {
        return lifted;
    }
    let mut image = Image::new(result);
    // Whether an operator has a meaning depends on the types alone.
    if pair(1, 1) == Err(Undefined::IllTyped) {
        image.fault(Undefined::IllTyped);
        return image.finish(limits);
    }
    match op {
        // Neither set is empty, so one operand that decides is enough.
        BinaryOp::And => {
            image.add_truth(a.may_be(false) || b.may_be(false), a.may_be(true) && b.may_be(true));
        }
        BinaryOp::Or => {
            image.add_truth(a.may_be(false) && b.may_be(false), a.may_be(true) || b.may_be(true));
        }
        BinaryOp::Shl | BinaryOp::Shr => shift(limits, &mut image, op, result, a, b),
        _ if matches!(left, Num::Float(_)) && truth => image.add_truth(true, true),
        _ if matches!(left, Num::Float(_)) => image.add_all(),
        _ if truth => {
            let (no, yes) = range::comparison(op, a.runs(), b.runs());
            image.add_truth(no, yes);
        }
        _ => {
            let order = Order::of(left);
            let (a, b) = few_enough(limits, a.runs(), b.runs());
            for &x in &a {
                for &y in &b {
                    match op {
                        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                            bitwise::bitwise(&mut image, op, order, x, y);
                        }
                        _ => range::arithmetic(&mut image, op, order, x, y),
                    }
                }
            }
        }
    }
    image.finish(limits)
}

/// Shifts by ranges: each count that is in range by itself, of which there are 128 at most.
fn shift(limits: &Limits, image: &mut Image, op: BinaryOp, result: Num, a: &ValueSet, count: &ValueSet) {
    let order = Order::of(result);
    let counts = Order::of(count.num());
    // C17 6.5.7p3: neither negative nor as large as the width.
    let most = counts.zero().saturating_add(u128::from(order.width() - 1)).min(counts.mask);
    let ends = (count.runs().first(), count.runs().last());
    if ends.0.is_some_and(|run| run.low < counts.zero()) {
        image.fault(Undefined::ShiftNegative);
    }
    if ends.1.is_some_and(|run| run.high > most) {
        image.fault(Undefined::ShiftTooFar);
    }
    // The left operand may be a `_Bool`, whose values are the same in `int`.
    let from = Order::of(a.num());
    let key = |key| order.key(from.bits(key));
    let mut runs: Vec<Run> =
        a.runs().iter().map(|run| Run { low: key(run.low), high: key(run.high) }).collect();
    let valid = run::intersection(count.runs(), &[Run { low: counts.zero(), high: most }]);
    let number = usize::try_from(run::count(&valid)).expect("a type has 128 bits at most");
    if runs.len().saturating_mul(number) > limits.most_pairs() {
        run::coarsen(&mut runs, limits.most_ranges().min(limits.most_pairs()));
    }
    for count in valid.iter().flat_map(|run| run.low..=run.high) {
        let count = u32::try_from(counts.bits(count)).expect("less than the width");
        for &run in &runs {
            range::shift(image, op, order, run, count);
        }
    }
}

/// Converts every member to another type; see [`arith::convert`].
///
/// ```
/// use howler_lang::arith::{Format, Num, Undefined};
/// use howler_lang::arith::set::{Limits, ValueSet, convert};
/// let (limits, char) = (Limits::default(), Num::Int { width: 8, signed: true });
/// let set = ValueSet::between(Num::INT, 100, 250);
/// assert_eq!(convert(&limits, &set, char).values.to_string(), "{-128..-6, 100..127}");
/// let half = ValueSet::full(Num::Float(Format::F16));
/// let whole = convert(&limits, &half, Num::INT);
/// assert_eq!(whole.values.to_string(), "{-65504..65504}");
/// assert!(whole.faults.kinds().eq([Undefined::FloatToIntRange, Undefined::FloatToIntNan]));
/// ```
pub fn convert(limits: &Limits, a: &ValueSet, to: Num) -> Lifted {
    let from = a.num();
    // The result's type has a width that it can have.
    let to = ValueSet::empty(to).num();
    if let Some(lifted) = each(limits, to, a, |a| arith::convert(from, to, a)) {
        return lifted;
    }
    let mut image = Image::new(to);
    match (from, to) {
        // C17 6.3.1.2.
        (_, Num::Bool) => image.add_truth(a.may_be(false), a.may_be(true)),
        (_, Num::Float(_)) => image.add_all(),
        (Num::Float(format), _) => {
            image.fault(Undefined::FloatToIntRange);
            image.fault(Undefined::FloatToIntNan);
            let order = Order::of(to);
            let nearest = |bits| order.key(arith::saturated_convert(from, to, bits));
            let most = greatest(format);
            image.add(nearest(most | format.sign_bit()), nearest(most));
        }
        // C17 6.3.1.3: modulo 2^N, for signed types too.
        _ => {
            let order = Order::of(from);
            for run in a.runs() {
                match arith::convert(from, to, order.bits(run.low)) {
                    Ok(start) => image.add_wrapping(start, run.span()),
                    Err(kind) => image.fault(kind),
                }
            }
        }
    }
    image.finish(limits)
}

/// A number not less than any finite one of a format.
fn greatest(format: Format) -> u128 {
    match format {
        // What is below the infinity is no number, and every integer type is smaller than the greatest one.
        Format::X87 => format.infinity(),
        _ => format.infinity() - 1,
    }
}

/// The type in which operators compute: `_Bool` is promoted (C17 6.3.1.1p2), all else is left as it is.
fn promoted(num: Num) -> Num {
    if num == Num::Bool { Num::INT } else { num }
}

/// Applies a function to every member, if they are few.
fn each(
    limits: &Limits,
    result: Num,
    a: &ValueSet,
    function: impl Fn(u128) -> Result<u128, Undefined>,
) -> Option<Lifted> {
    each_pair(limits, result, a, &ValueSet::single(Num::Bool, 0), |a, _| function(a))
}

/// Applies a function to every pair of members, if they are few.
fn each_pair(
    limits: &Limits,
    result: Num,
    a: &ValueSet,
    b: &ValueSet,
    function: impl Fn(u128, u128) -> Result<u128, Undefined>,
) -> Option<Lifted> {
    let pairs = usize::try_from(a.len().saturating_mul(b.len())).ok()?;
    if pairs == 0 {
        // The other operand may have very many members.
        let faults = Faults::listed(Vec::new(), 0);
        return Some(Lifted { values: ValueSet::empty(result), exact: true, faults });
    }
    if pairs > limits.most_pairs() {
        return None;
    }
    let order = Order::of(result);
    let mut keys = Vec::with_capacity(pairs);
    let mut cases = Vec::new();
    for left in a.values() {
        for right in b.values() {
            match function(left, right) {
                Ok(value) => keys.push(order.key(value)),
                Err(kind) => cases.push(Case { left, right, kind }),
            }
        }
    }
    let (values, more) = ValueSet::of_runs(limits, result, run::of_keys(keys));
    Some(Lifted { values, exact: !more, faults: Faults::listed(cases, pairs) })
}

/// Both lists, made coarser if there are too many pairs of them.
fn few_enough(limits: &Limits, a: &[Run], b: &[Run]) -> (Vec<Run>, Vec<Run>) {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    if a.len().saturating_mul(b.len()) > limits.most_pairs() {
        let most = limits.most_ranges().min(limits.most_pairs().isqrt());
        run::coarsen(&mut a, most);
        run::coarsen(&mut b, most);
    }
    (a, b)
}
