//! Sets against plain sets of numbers: making, joining and cutting them, limits and spelling. Operators have their own
//! files: `exhaustive` for small types, `random` for all.

mod exhaustive;
mod random;

use super::super::{self as arith, Format, Num, Undefined};
use super::run::Order;
use super::{Case, Extent, Limits, ValueSet, binary, convert, decrement, increment, unary};
use crate::program::{BinaryOp, UnaryOp};
use howler_choices::Choices;
use std::collections::BTreeSet;

const BINARY: [BinaryOp; 18] = BinaryOp::ALL;
const UNARY: [UnaryOp; 4] = [UnaryOp::Neg, UnaryOp::Plus, UnaryOp::BitNot, UnaryOp::Not];

/// Under these everything that is not tiny goes by ranges.
const RANGES_ONLY: Limits = Limits { values: 0, ranges: 8, pairs: 4 };
/// Under these everything of 8 bits is exact.
const EXACT: Limits = Limits { values: 256, ranges: 8, pairs: 65_536 };

fn signed(width: u8) -> Num {
    Num::Int { width, signed: true }
}

fn unsigned(width: u8) -> Num {
    Num::Int { width, signed: false }
}

/// The value at a place in the order of its type.
fn at(num: Num, key: u128) -> u128 {
    Order::of(num).bits(key)
}

/// What an operator gives for two values.
fn apply(op: BinaryOp, (left, a): (Num, u128), (right, b): (Num, u128)) -> Result<u128, Undefined> {
    match op {
        BinaryOp::Shl | BinaryOp::Shr => arith::shift(op, left, a, right, b),
        BinaryOp::And => Ok(u128::from(arith::truth(left, a) && arith::truth(right, b))),
        BinaryOp::Or => Ok(u128::from(arith::truth(left, a) || arith::truth(right, b))),
        _ => arith::binary(op, left, a, b),
    }
}

/// What a set always keeps to.
fn check_form(limits: &Limits, set: &ValueSet) {
    let runs = set.runs();
    assert!(runs.iter().all(|run| run.low <= run.high && run.high <= Order::of(set.num()).mask), "{set:?}");
    assert!(runs.windows(2).all(|pair| pair[1].low - pair[0].high > 1), "{set:?}");
    let listed = usize::try_from(set.len()).is_ok_and(|count| count <= limits.values);
    assert!(listed || runs.len() <= limits.ranges.max(1), "{set:?} {limits:?}");
}

fn members(set: &ValueSet) -> BTreeSet<u128> {
    set.values().collect()
}

fn some_bytes(choices: &mut Choices, num: Num) -> BTreeSet<u128> {
    let count = choices.range("count", 0..=20);
    let mut bytes = BTreeSet::new();
    for _ in 0..count {
        let low = choices.range("low", 0..=255u128);
        let length = if choices.chance("long", 1, 4) { choices.range("length", 0..=60) } else { 0 };
        bytes.extend((low..=(low + length).min(255)).map(|key| at(num, key)));
    }
    bytes
}

#[test]
fn sets_of_bytes_are_sets() {
    for index in 0..2000 {
        let mut choices = Choices::new(5).sub_indexed("bytes", index);
        let num = *choices.one_of("type", &[signed(8), unsigned(8)]);
        let (a, b) = (some_bytes(&mut choices, num), some_bytes(&mut choices, num));
        let set = |values: &BTreeSet<u128>| ValueSet::of(&EXACT, num, values.iter().copied());
        let (x, y) = (set(&a), set(&b));
        assert_eq!(members(&x), a);
        assert_eq!(x.len(), u128::try_from(a.len()).unwrap());
        assert_eq!((x.is_empty(), x.is_full()), (a.is_empty(), a.len() == 256));
        assert!((0..256).all(|value| x.contains(value) == a.contains(&value)));
        assert_eq!(x.as_single(), a.first().copied().filter(|_| a.len() == 1));
        assert_eq!(x.is_subset(&y), a.is_subset(&b));
        assert_eq!((x.may_be(false), x.may_be(true)), (a.contains(&0), a.iter().any(|&value| value != 0)));
        let by_value = |value: &u128| Order::of(num).key(*value);
        assert_eq!(x.min(), a.iter().copied().min_by_key(by_value));
        assert_eq!(x.max(), a.iter().copied().max_by_key(by_value));

        let exact =
            [(x.join(&EXACT, &y), &a | &b), (x.meet(&EXACT, &y), &a & &b), (x.without(&EXACT, &y), &a - &b)];
        for (set, expected) in exact {
            check_form(&EXACT, &set);
            assert_eq!(members(&set), expected);
        }
        let few = Limits {
            values: choices.range("values", 0..=9),
            ranges: choices.range("ranges", 0..=4),
            pairs: 0,
        };
        let rough = [
            (ValueSet::of(&few, num, a.iter().copied()), a.clone()),
            (x.join(&few, &y), &a | &b),
            (x.meet(&few, &y), &a & &b),
            (x.without(&few, &y), &a - &b),
        ];
        for (set, expected) in rough {
            check_form(&few, &set);
            assert!(members(&set).is_superset(&expected));
            assert_eq!(set.is_empty(), expected.is_empty());
            if expected.len() <= few.values {
                assert_eq!(members(&set), expected);
            }
            // What is filled lies between members.
            assert_eq!(set.min(), expected.iter().copied().min_by_key(by_value));
            assert_eq!(set.max(), expected.iter().copied().max_by_key(by_value));
        }
    }
}

#[test]
fn the_narrowest_gaps_are_filled() {
    let limits = Limits { values: 3, ranges: 3, pairs: 16 };
    let set = ValueSet::of(&limits, Num::INT, [0, 10, 12, 40, 45, 47, 100]);
    assert_eq!(set.to_string(), "{0..12, 40..47, 100}");
    let ties = ValueSet::of(&limits, Num::INT, [0, 2, 4, 6, 8]);
    assert_eq!(ties.to_string(), "{0..4, 6, 8}");
}

#[test]
fn equal_sets_are_equal_whatever_their_limits() {
    let listed = ValueSet::of(&EXACT, Num::INT, 0..100);
    let ranged = ValueSet::of(&RANGES_ONLY, Num::INT, 0..100);
    assert_eq!(listed, ranged);
    assert_eq!(listed, ValueSet::between(Num::INT, 0, 99));
}

#[test]
fn widths_and_stray_bits_are_as_arith_has_them() {
    assert_eq!(ValueSet::single(Num::Bool, 2).as_single(), Some(1));
    assert_eq!(ValueSet::single(unsigned(8), 0x1ff).as_single(), Some(0xff));
    assert_eq!(ValueSet::full(unsigned(0)).num(), unsigned(1));
    assert_eq!(ValueSet::full(signed(200)).num(), signed(128));
    assert_eq!(ValueSet::full(signed(128)).len(), u128::MAX);
    assert!(ValueSet::full(signed(128)).contains(1 << 127));
    let limits = Limits::default();
    let wide = convert(&limits, &ValueSet::full(Num::INT), unsigned(250));
    assert_eq!(wide.values.num(), unsigned(128));
}

#[test]
fn floating_sets_are_exact_or_anything() {
    let limits = Limits { values: 2, ..Limits::default() };
    let num = Num::Float(Format::F32);
    let bits = |value: f32| u128::from(value.to_bits());
    let two = ValueSet::of(&limits, num, [bits(1.5), bits(-0.0)]);
    assert_eq!(two.to_string(), "{1.5, -0.0}");
    assert_eq!((two.min(), two.ranges().count()), (None, 0));
    assert!(two.may_be(true) && two.may_be(false));
    assert!(!ValueSet::single(num, bits(-0.0)).may_be(true));
    assert!(ValueSet::single(num, bits(f32::NAN)).may_be(true));
    let three = two.join(&limits, &ValueSet::single(num, bits(f32::INFINITY)));
    assert!(three.is_full());
    assert_eq!(three.to_string(), "{any}");
    assert_eq!(three.meet(&limits, &two), two);
    assert!(ValueSet::between(num, bits(0.0), bits(1.0)).is_full());
    let sum = binary(&limits, BinaryOp::Add, &three, &two);
    assert!(sum.values.is_full() && sum.faults.never());
    let remainder = binary(&limits, BinaryOp::Rem, &three, &two);
    assert_eq!(remainder.faults.of(Undefined::IllTyped), Extent::Always);
    assert!(remainder.values.is_empty());
    assert_eq!(binary(&limits, BinaryOp::Lt, &three, &two).values.to_string(), "{0..1}");
}

#[test]
fn operands_of_different_types_are_ill_typed_where_c_has_one_type() {
    let limits = Limits::default();
    for count in [3, 100_000] {
        let (a, b) = (ValueSet::between(Num::INT, 0, count), ValueSet::between(unsigned(64), 1, count));
        for op in BINARY {
            let lifted = binary(&limits, op, &a, &b);
            let mixed = matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or);
            let expected = if mixed { Extent::Never } else { Extent::Always };
            assert_eq!(lifted.faults.of(Undefined::IllTyped), expected, "{op:?}");
            assert_eq!(lifted.values.is_empty(), !mixed, "{op:?}");
        }
        let address = unary(&limits, UnaryOp::AddrOf, &a);
        assert_eq!(address.faults.of(Undefined::IllTyped), Extent::Always);
    }
}

#[test]
fn an_empty_operand_gives_nothing_and_no_fault() {
    let (none, any) = (ValueSet::empty(Num::INT), ValueSet::full(Num::INT));
    for op in BINARY {
        for (a, b) in [(&none, &any), (&any, &none), (&none, &none)] {
            let lifted = binary(&RANGES_ONLY, op, a, b);
            assert!(lifted.values.is_empty() && lifted.exact && lifted.faults.never());
        }
    }
}

#[test]
fn every_undefined_pair_is_listed_in_order() {
    let limits = Limits::default();
    let min = 0x8000_0000;
    let a = ValueSet::of(&limits, Num::INT, [min, 7]);
    let b = ValueSet::of(&limits, Num::INT, [0, 0xffff_ffff, 2]);
    let quotient = binary(&limits, BinaryOp::Div, &a, &b);
    assert_eq!(quotient.values.to_string(), "{-1073741824, -7, 3}");
    let cases = [
        Case { left: min, right: 0xffff_ffff, kind: Undefined::DivOverflow },
        Case { left: min, right: 0, kind: Undefined::DivByZero },
        Case { left: 7, right: 0, kind: Undefined::DivByZero },
    ];
    assert_eq!(quotient.faults.cases(), Some(&cases[..]));
    assert_eq!(quotient.faults.of(Undefined::DivByZero), Extent::Sometimes);
    assert_eq!(quotient.faults.of(Undefined::RemByZero), Extent::Never);
}

#[test]
fn incrementing_a_bit_field_overflows_where_int_does() {
    for (num, end) in
        [(unsigned(30), Extent::Never), (unsigned(31), Extent::Sometimes), (signed(31), Extent::Never)]
    {
        let any = ValueSet::full(num);
        let next = increment(&RANGES_ONLY, &any);
        assert_eq!(next.faults.of(Undefined::IncOverflow), end, "{num:?}");
        assert_eq!(next.values.is_full(), end == Extent::Never, "{num:?}");
        let previous = decrement(&RANGES_ONLY, &any);
        assert!(previous.faults.never() && previous.values.is_full(), "{num:?}");
    }
}

#[test]
fn always_may_have_more_than_one_kind() {
    let limits = Limits::default();
    let count = ValueSet::of(&limits, Num::INT, [0xffff_ffff, 32]);
    for left in [ValueSet::single(Num::INT, 1), ValueSet::full(Num::INT)] {
        let shifted = binary(&limits, BinaryOp::Shr, &left, &count);
        assert_eq!(shifted.faults.extent(), Extent::Always);
        assert_eq!(shifted.faults.of(Undefined::ShiftTooFar), Extent::Sometimes);
        assert!(shifted.faults.kinds().eq([Undefined::ShiftNegative, Undefined::ShiftTooFar]));
    }
}
