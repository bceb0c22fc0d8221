//! Operators on sets of small types, against every result that `arith` gives: images of ranges are contained, images of
//! sets member by member are equal, and undefined cases are those there are.

use super::super::super::{self as arith, Format, Num, Undefined};
use super::super::{Case, Extent, Lifted, Limits, ValueSet, binary, convert, decrement, increment, unary};
use super::{
    BINARY, EXACT, RANGES_ONLY, UNARY, apply, at, check_form, members, signed, some_bytes, unsigned,
};
use crate::program::BinaryOp;
use howler_choices::Choices;
use std::collections::BTreeSet;

/// What really comes out.
#[derive(Clone, Default)]
struct Truth {
    /// One bit for each result below 256.
    values: [u128; 2],
    /// The other results.
    others: BTreeSet<u128>,
    kinds: u32,
    defined: bool,
}

impl Truth {
    fn add(&mut self, result: Result<u128, Undefined>) {
        match result {
            Ok(value @ 0..128) => self.values[0] |= 1 << value,
            Ok(value @ 128..256) => self.values[1] |= 1 << (value - 128),
            Ok(value) => _ = self.others.insert(value),
            Err(kind) => self.kinds |= bit(kind),
        }
        self.defined |= result.is_ok();
    }

    fn join(&mut self, other: &Truth) {
        self.values[0] |= other.values[0];
        self.values[1] |= other.values[1];
        self.kinds |= other.kinds;
        self.defined |= other.defined;
        assert!(other.others.is_empty());
    }

    fn extent(&self) -> Extent {
        match (self.kinds, self.defined) {
            (0, _) => Extent::Never,
            (_, true) => Extent::Sometimes,
            (_, false) => Extent::Always,
        }
    }

    fn all(&self) -> impl Iterator<Item = u128> {
        let has = |&value: &u8| self.values[usize::from(value / 128)] >> (value % 128) & 1 == 1;
        (0..=255).filter(has).map(u128::from).chain(self.others.iter().copied())
    }

    /// Checks a result that was made from ranges.
    fn check(&self, lifted: &Lifted, what: impl Fn() -> String) {
        check_form(&RANGES_ONLY, &lifted.values);
        let kinds = lifted.faults.kinds().fold(0, |kinds, kind| kinds | bit(kind));
        assert_eq!(self.kinds & !kinds, 0, "{} {lifted:?}", what());
        let missing = self.all().find(|&value| !lifted.values.contains(value));
        assert_eq!(missing, None, "{} {lifted:?}", what());
        // Ranges of one piece leave no doubt about what is undefined.
        assert_eq!(kinds, self.kinds, "{} {lifted:?}", what());
        assert_eq!(lifted.faults.extent(), self.extent(), "{} {lifted:?}", what());
    }
}

fn bit(kind: Undefined) -> u32 {
    1 << Undefined::ALL.iter().position(|&other| other == kind).unwrap()
}

/// All ranges of places whose ends are among `ends`.
fn intervals(ends: &[u128]) -> Vec<(u128, u128)> {
    ends.iter()
        .enumerate()
        .flat_map(|(index, &low)| ends[index..].iter().map(move |&high| (low, high)))
        .collect()
}

fn every_end(num: Num) -> Vec<u128> {
    (0..1 << num.width()).collect()
}

/// How far results go beyond the truth, over all pairs of ranges.
fn check_ranges(
    op: BinaryOp,
    (left, left_ends): (Num, &[u128]),
    (right, right_ends): (Num, &[u128]),
) -> (usize, usize) {
    let (mut extra, mut total) = (0, 0);
    for (low, high) in intervals(right_ends) {
        let b = ValueSet::between(right, at(right, low), at(right, high));
        let rows: Vec<Truth> = (0..1 << left.width())
            .map(|key| {
                let mut truth = Truth::default();
                b.values().for_each(|b| truth.add(apply(op, (left, at(left, key)), (right, b))));
                truth
            })
            .collect();
        for (low, high) in intervals(left_ends) {
            let a = ValueSet::between(left, at(left, low), at(left, high));
            let mut truth = Truth::default();
            for key in low..=high {
                truth.join(&rows[usize::try_from(key).unwrap()]);
            }
            let lifted = binary(&RANGES_ONLY, op, &a, &b);
            truth.check(&lifted, || format!("{op:?} {a:?} {b:?}"));
            let real = truth.all().count();
            extra += usize::try_from(lifted.values.len()).unwrap() - real;
            total += real;
        }
    }
    (extra, total)
}

#[test]
fn all_pairs_of_ranges_of_4_bits() {
    for op in BINARY {
        for num in [signed(1), unsigned(1), signed(2), unsigned(2), signed(4), unsigned(4)] {
            let ends = every_end(num);
            check_ranges(op, (num, &ends), (num, &ends));
        }
    }
}

#[test]
fn shifts_take_counts_of_any_type() {
    for op in [BinaryOp::Shl, BinaryOp::Shr, BinaryOp::And, BinaryOp::Or] {
        for left in [signed(4), unsigned(4), unsigned(3)] {
            for right in [Num::Bool, signed(1), unsigned(1), signed(3), unsigned(2), signed(5), unsigned(5)] {
                check_ranges(op, (left, &every_end(left)), (right, &every_end(right)));
            }
        }
    }
}

#[test]
fn pairs_of_ranges_of_8_bits() {
    let ends = [0, 1, 3, 8, 31, 64, 100, 126, 127, 128, 129, 135, 200, 254, 255];
    for op in BINARY {
        for num in [signed(8), unsigned(8)] {
            let (extra, total) = check_ranges(op, (num, &ends), (num, &ends));
            // So that precision is not lost by accident. Products, quotients and left shifts have holes of their own.
            let percent = match op {
                BinaryOp::Mul => 50,
                BinaryOp::Div | BinaryOp::Rem => 20,
                BinaryOp::Shl => 160,
                BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => 10,
                _ => 0,
            };
            assert!(extra * 100 <= total * percent, "{op:?} {num:?}: {extra} more than {total}");
        }
    }
}

#[test]
fn all_ranges_of_8_bits_under_unary_operators_and_conversions() {
    let check =
        |num: Num, element: &dyn Fn(u128) -> Result<u128, Undefined>, set: &dyn Fn(&ValueSet) -> Lifted| {
            for low in 0..256 {
                let mut truth = Truth::default();
                for high in low..256 {
                    truth.add(element(at(num, high)));
                    let a = ValueSet::between(num, at(num, low), at(num, high));
                    truth.check(&set(&a), || format!("{a:?}"));
                }
            }
        };
    for num in [signed(8), unsigned(8)] {
        for op in UNARY {
            check(num, &|a| arith::unary(op, num, a), &|a| unary(&RANGES_ONLY, op, a));
        }
        check(num, &|a| arith::increment(num, a), &|a| increment(&RANGES_ONLY, a));
        check(num, &|a| arith::decrement(num, a), &|a| decrement(&RANGES_ONLY, a));
        let integers = [1, 3, 7, 8, 9, 16].into_iter().flat_map(|width| [signed(width), unsigned(width)]);
        for to in integers.chain([Num::Bool]) {
            check(num, &|a| arith::convert(num, to, a), &|a| convert(&RANGES_ONLY, a, to));
        }
    }
}

#[test]
fn every_half_is_converted_into_the_range_of_all() {
    let half = Num::Float(Format::F16);
    let any = ValueSet::full(half);
    let integers = [1, 8, 16, 17, 18, 32, 128].into_iter().flat_map(|width| [signed(width), unsigned(width)]);
    for to in integers.chain([Num::Bool]) {
        let lifted = convert(&RANGES_ONLY, &any, to);
        for bits in 0..1 << 16 {
            match arith::convert(half, to, bits) {
                Ok(value) => assert!(lifted.values.contains(value), "{to:?} {bits:#x}"),
                Err(kind) => assert_eq!(lifted.faults.of(kind), Extent::Sometimes),
            }
        }
        // Where the type is wide enough, the range ends at the greatest half.
        if to.width() > 16 {
            let limits = Limits { values: 1 << 17, ranges: 1, pairs: 1 << 16 };
            let exact = convert(&limits, &any, to).values;
            assert_eq!((exact.min(), exact.max()), (lifted.values.min(), lifted.values.max()), "{to:?}");
        }
    }
}

/// Checks a result that was made member by member.
fn check_exact(
    lifted: &Lifted,
    results: impl Iterator<Item = (u128, u128, Result<u128, Undefined>)>,
    what: &str,
) {
    let (mut values, mut cases) = (BTreeSet::new(), Vec::new());
    for (left, right, result) in results {
        match result {
            Ok(value) => _ = values.insert(value),
            Err(kind) => cases.push(Case { left, right, kind }),
        }
    }
    assert!(lifted.exact, "{what}");
    assert_eq!(members(&lifted.values), values, "{what}");
    assert_eq!(lifted.faults.cases(), Some(&cases[..]), "{what}");
    let extent = match (cases.is_empty(), values.is_empty()) {
        (true, _) => Extent::Never,
        (false, false) => Extent::Sometimes,
        (false, true) => Extent::Always,
    };
    assert_eq!(lifted.faults.extent(), extent, "{what}");
}

#[test]
fn sets_of_bytes_are_combined_exactly() {
    for op in BINARY {
        for num in [signed(8), unsigned(8)] {
            let sets = |index| {
                let mut choices = Choices::new(11).sub_indexed("pair", index);
                let mut set = || ValueSet::of(&EXACT, num, some_bytes(&mut choices, num));
                (set(), set())
            };
            let all = ValueSet::full(num);
            for (a, b) in [(all.clone(), all)].into_iter().chain((0..12).map(sets)) {
                let results = a.values().flat_map(|a| b.values().map(move |b| (a, b)));
                let results = results.map(|(a, b)| (a, b, apply(op, (num, a), (num, b))));
                check_exact(&binary(&EXACT, op, &a, &b), results, &format!("{op:?} {a:?} {b:?}"));
            }
        }
    }
}

#[test]
fn sets_of_bytes_are_changed_exactly() {
    for num in [signed(8), unsigned(8), Num::Bool] {
        for index in 0..40 {
            let mut choices = Choices::new(12).sub_indexed("set", index);
            let a = ValueSet::of(&EXACT, num, some_bytes(&mut choices, num));
            let what = format!("{a:?}");
            for op in UNARY {
                let results = a.values().map(|a| (a, 0, arith::unary(op, num, a)));
                check_exact(&unary(&EXACT, op, &a), results, &what);
            }
            check_exact(&increment(&EXACT, &a), a.values().map(|a| (a, 0, arith::increment(num, a))), &what);
            check_exact(&decrement(&EXACT, &a), a.values().map(|a| (a, 0, arith::decrement(num, a))), &what);
            for to in [
                Num::Bool,
                signed(5),
                unsigned(40),
                signed(128),
                Num::Float(Format::F16),
                Num::Float(Format::X87),
            ] {
                let results = a.values().map(|a| (a, 0, arith::convert(num, to, a)));
                check_exact(&convert(&EXACT, &a, to), results, &what);
            }
        }
    }
}
