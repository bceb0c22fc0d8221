//! Operators on random sets of all types under random limits: what members give is in the result, and what they are
//! undefined for is reported.

use super::super::super::{self as arith, Format, Num, Undefined};
use super::super::{Extent, Lifted, Limits, ValueSet, binary, convert, decrement, increment, unary};
use super::{BINARY, UNARY, apply, at, check_form, members};
use crate::arith::set::run::Order;
use crate::program::BinaryOp;
use howler_choices::Choices;
use std::collections::BTreeSet;

const WIDTHS: [u8; 16] = [1, 2, 5, 8, 16, 24, 31, 32, 33, 40, 63, 64, 65, 100, 127, 128];
const FORMATS: [Format; 5] = [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128];

fn some_type(choices: &mut Choices) -> Num {
    match choices.range("class", 0..=9) {
        0 => Num::Bool,
        1 | 2 => Num::Float(*choices.one_of("format", &FORMATS)),
        _ => Num::Int { width: *choices.one_of("width", &WIDTHS), signed: choices.chance("signed", 1, 2) },
    }
}

fn some_limits(choices: &mut Choices) -> Limits {
    Limits {
        values: *choices.one_of("values", &[0, 1, 4, 64, 300]),
        ranges: *choices.one_of("ranges", &[0, 1, 2, 8, 20]),
        pairs: *choices.one_of("pairs", &[0, 10, 64, 4096]),
    }
}

/// A value, often one at which something happens.
fn some_value(choices: &mut Choices, num: Num) -> u128 {
    let width = num.width();
    let bits = match choices.range("kind", 0..=4) {
        0 => choices.range("small", 0..=20),
        1 => choices.range("large", 0..=20u128).wrapping_neg(),
        2 => (1u128 << choices.range("power", 0..=width - 1))
            .wrapping_add(choices.range("near", 0..=2))
            .wrapping_sub(1),
        3 => {
            let short = choices.range("short", 1..=width);
            choices.bits("bits", short)
        }
        _ => choices.bits("bits", width),
    };
    let special = match num {
        Num::Float(format) => {
            let one_of = [0, format.one(), format.infinity(), format.nan(), format.sign_bit()];
            choices.chance("special", 1, 2).then(|| *choices.one_of("which", &one_of))
        }
        _ => None,
    };
    at(num, Order::of(num).key(special.unwrap_or(bits)))
}

fn some_set(choices: &mut Choices, limits: &Limits, num: Num) -> ValueSet {
    if choices.chance("full", 1, 12) {
        return ValueSet::full(num);
    }
    let mut set = ValueSet::empty(num);
    let listed = matches!(num, Num::Float(_)) || choices.chance("listed", 1, 3);
    let most = *choices.one_of("most", &[1, 2, 4, 12, 80]);
    for _ in 0..choices.range("parts", 1..=most) {
        let low = some_value(choices, num);
        let part = if listed {
            ValueSet::single(num, low)
        } else {
            let high = some_value(choices, num);
            let part = ValueSet::between(num, low, high);
            if part.is_empty() { ValueSet::between(num, high, low) } else { part }
        };
        set = set.join(limits, &part);
    }
    check_form(limits, &set);
    set
}

fn some_member(choices: &mut Choices, set: &ValueSet) -> u128 {
    let run = choices.pick("run", set.runs()).expect("a set with a member");
    let key = match choices.range("where", 0..=3) {
        0 => run.low,
        1 => run.high,
        _ => run.low + choices.range("inside", 0..=run.high - run.low),
    };
    at(set.num(), key)
}

fn check(limits: &Limits, lifted: &Lifted, result: Result<u128, Undefined>, what: &dyn Fn() -> String) {
    check_form(limits, &lifted.values);
    match result {
        Ok(value) => {
            assert!(lifted.values.contains(value), "{} {value:#x} {lifted:?}", what());
            assert_ne!(lifted.faults.extent(), Extent::Always, "{}", what());
            assert!(lifted.faults.kinds().all(|kind| lifted.faults.of(kind) == Extent::Sometimes));
        }
        Err(kind) => {
            assert_ne!(lifted.faults.of(kind), Extent::Never, "{} {lifted:?}", what());
            assert_ne!(lifted.faults.extent(), Extent::Never, "{}", what());
            let only = lifted.faults.kinds().find(|&kind| lifted.faults.of(kind) == Extent::Always);
            assert!(only.is_none_or(|only| only == kind), "{} {lifted:?}", what());
        }
    }
}

/// Where it says that a set is exact, every member is a result.
fn check_listed(
    lifted: &Lifted,
    results: impl Iterator<Item = Result<u128, Undefined>>,
    what: &dyn Fn() -> String,
) {
    let Some(cases) = lifted.faults.cases() else { return assert!(!lifted.exact) };
    let results: Vec<_> = results.collect();
    assert_eq!(cases.len(), results.iter().filter(|result| result.is_err()).count());
    assert!(cases.iter().map(|case| Err(case.kind)).eq(results.iter().copied().filter(Result::is_err)));
    let image: BTreeSet<u128> = results.into_iter().flatten().collect();
    if lifted.exact {
        assert_eq!(members(&lifted.values), image, "{}", what());
    } else {
        assert!(lifted.values.len() > u128::try_from(image.len()).unwrap(), "{}", what());
        assert!(image.iter().all(|&value| lifted.values.contains(value)), "{}", what());
    }
}

#[test]
fn results_of_binary_operators_are_in_the_set() {
    for index in 0..40_000 {
        let mut choices = Choices::new(21).sub_indexed("case", index);
        let choices = &mut choices;
        let (op, limits, left) = (*choices.one_of("op", &BINARY), some_limits(choices), some_type(choices));
        let free = matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or);
        let right = if free { some_type(choices) } else { left };
        let (a, b) = (some_set(choices, &limits, left), some_set(choices, &limits, right));
        let lifted = binary(&limits, op, &a, &b);
        let what = || format!("case {index}: {op:?} {a:?} {b:?} {limits:?}");
        let apply = |a, b| apply(op, (left, a), (right, b));
        for _ in 0..12 {
            let (a, b) = (some_member(choices, &a), some_member(choices, &b));
            check(&limits, &lifted, apply(a, b), &what);
        }
        let pairs = a.values().flat_map(|a| b.values().map(move |b| (a, b)));
        if a.len().saturating_mul(b.len()) <= 1000 {
            pairs.clone().for_each(|(a, b)| check(&limits, &lifted, apply(a, b), &what));
        }
        check_listed(&lifted, pairs.map(|(a, b)| apply(a, b)), &what);
    }
}

#[test]
fn results_of_unary_operators_and_conversions_are_in_the_set() {
    for index in 0..30_000 {
        let mut choices = Choices::new(22).sub_indexed("case", index);
        let choices = &mut choices;
        let (limits, num, to) = (some_limits(choices), some_type(choices), some_type(choices));
        let a = some_set(choices, &limits, num);
        let op = *choices.one_of("op", &UNARY);
        let which = choices.range("which", 0..=3);
        let lifted = match which {
            0 => unary(&limits, op, &a),
            1 => increment(&limits, &a),
            2 => decrement(&limits, &a),
            _ => convert(&limits, &a, to),
        };
        let apply = |a| match which {
            0 => arith::unary(op, num, a),
            1 => arith::increment(num, a),
            2 => arith::decrement(num, a),
            _ => arith::convert(num, to, a),
        };
        let what = || format!("case {index}: {which} {op:?} {a:?} to {to:?} {limits:?}");
        for _ in 0..12 {
            check(&limits, &lifted, apply(some_member(choices, &a)), &what);
        }
        check_listed(&lifted, a.values().map(apply), &what);
    }
}
