//! What holds for all seeds, tried on many: uniform, independent, replayable, ending when the fuel does.

use howler_choices::Choices;
use howler_choices::record::{Mismatch, Record};
use howler_choices::weights::Weights;

/// Pearson's statistic of observed counts against expected ones.
fn chi_square(observed: &[u64], expected: &[f64]) -> f64 {
    observed.iter().zip(expected).map(|(&seen, &mean)| (seen as f64 - mean).powi(2) / mean).sum()
}

/// A bound that a fair source exceeds about once in a million (Wilson and Hilferty's approximation, z = 4.75).
/// The seeds are fixed, so a test that passes once passes always.
fn bound(freedom: usize) -> f64 {
    let k = freedom as f64;
    let spread = 2.0 / (9.0 * k);
    k * (1.0 - spread + 4.75 * spread.sqrt()).powi(3)
}

fn assert_fair(what: &str, observed: &[u64], expected: &[f64]) {
    let (statistic, limit) = (chi_square(observed, expected), bound(observed.len() - 1));
    assert!(statistic < limit, "{what}: chi-square {statistic:.1}, limit {limit:.1}: {observed:?}");
}

#[test]
fn ranges_are_uniform() {
    for size in [2usize, 3, 6, 7, 10, 100, 255, 256] {
        for seed in 0..8 {
            let mut choices = Choices::new(seed);
            let mut counts = vec![0; size];
            let draws = 200 * size;
            (0..draws).for_each(|_| counts[choices.range("r", 0..=size - 1)] += 1);
            assert_fair(&format!("range of {size}, seed {seed}"), &counts, &vec![200.0; size]);
        }
    }
}

/// A range of three quarters of all words shows the bias that a plain remainder would have.
#[test]
fn wide_ranges_are_uniform() {
    let wide = [u128::from(u64::MAX / 4 * 3), u128::from(u64::MAX), (1 << 65) + (1 << 64), u128::MAX / 4 * 3];
    for max in wide {
        let mut choices = Choices::new(11);
        let mut counts = [0; 12];
        for _ in 0..12_000 {
            let value = choices.range("wide", 0..=max);
            counts[((value / (max / 12 + 1)) as usize).min(11)] += 1;
        }
        assert_fair(&format!("0..={max}"), &counts, &[1000.0; 12]);
    }
}

#[test]
fn every_bit_is_fair() {
    for seed in 0..4 {
        let mut choices = Choices::new(seed);
        let mut ones = [0u64; 128];
        for _ in 0..4000 {
            let word = choices.bits("word", 128);
            (0..128).for_each(|bit| ones[bit] += u64::try_from(word >> bit & 1).expect("one bit"));
        }
        for (bit, &ones) in ones.iter().enumerate() {
            assert_fair(&format!("bit {bit}, seed {seed}"), &[ones, 4000 - ones], &[2000.0; 2]);
        }
    }
}

#[test]
fn chances_and_weights_are_kept() {
    let weights = Weights::new(&[0, 10, 30, 0, 60]).expect("a weight is not 0");
    for seed in 0..8 {
        let mut choices = Choices::new(seed);
        let (mut chance, mut index, mut some) = ([0; 2], [0; 5], [0; 5]);
        for _ in 0..10_000 {
            chance[usize::from(choices.chance("c", 3, 10))] += 1;
            index[choices.weighted("w", &weights)] += 1;
            some[choices.weighted_where("s", &weights, |i| i != 2).expect("two are left")] += 1;
        }
        assert_fair("chance", &chance, &[7000.0, 3000.0]);
        assert_eq!([index[0], index[3], some[0], some[2], some[3]], [0; 5]);
        assert_fair("weights", &[index[1], index[2], index[4]], &[1000.0, 3000.0, 6000.0]);
        assert_fair("some", &[some[1], some[4]], &[10_000.0 / 7.0, 60_000.0 / 7.0]);
    }
}

#[test]
fn shuffles_are_uniform() {
    let mut counts = [0; 24];
    let mut choices = Choices::new(3);
    for _ in 0..24_000 {
        let mut items = [0usize, 1, 2, 3];
        choices.shuffle("order", &mut items);
        // The rank of the permutation: its factorial digits.
        let digit = |at: usize| items[at + 1..].iter().filter(|&&later| later < items[at]).count();
        counts[digit(0) * 6 + digit(1) * 2 + digit(2)] += 1;
    }
    assert_fair("shuffle", &counts, &[1000.0; 24]);
}

/// Neighbouring seeds, labels and indices give streams that do not agree more often than chance would.
#[test]
fn sub_streams_are_independent() {
    let root = Choices::new(5);
    let pairs: Vec<(&str, Choices, Choices)> = vec![
        ("labels", root.sub("a"), root.sub("b")),
        ("order", root.sub("a").sub("b"), root.sub("b").sub("a")),
        ("concatenation", root.sub("ab"), root.sub("a").sub("b")),
        ("indices", root.sub_indexed("a", 0), root.sub_indexed("a", 1)),
        ("index or not", root.sub("a"), root.sub_indexed("a", 0)),
        ("parent", Choices::new(5), root.sub("a")),
        ("empty label", Choices::new(5), root.sub("")),
        ("seeds", Choices::new(6).sub("a"), root.sub("a")),
    ];
    for (what, mut one, mut two) in pairs {
        let mut joint = [0; 64];
        for _ in 0..16_000 {
            joint[one.range("x", 0usize..=7) * 8 + two.range("x", 0..=7)] += 1;
        }
        assert_fair(what, &joint, &[250.0; 64]);
    }
    // The first answers across many sub-streams are as random as those of one stream.
    let mut firsts = [0; 16];
    (0..16_000).for_each(|n| firsts[root.sub_indexed("function", n).range("x", 0..=15)] += 1);
    assert_fair("first answers", &firsts, &[1000.0; 16]);
}

#[test]
fn a_new_decision_leaves_other_sub_streams_alone() {
    let grow = |more: bool| {
        let mut choices = Choices::new(9);
        let mut types = choices.sub("types");
        if more {
            types.bits("new", 64);
            choices.sub("new").bits("new", 64);
            choices.bits("new", 64);
        }
        let mut names = choices.sub("names");
        [names.bits("n", 64), choices.sub_indexed("f", 4).bits("n", 64)]
    };
    assert_eq!(grow(false), grow(true));
}

/// A generator in small: its own answers steer which questions come next.
fn grow_tree(choices: &mut Choices, depth: u64, out: &mut Vec<u64>) {
    out.push(choices.range("leaf", 1..=1000));
    for child in 0..choices.range("children", 0..=3u64) {
        if depth < 6 {
            grow_tree(&mut choices.sub_indexed("child", child), depth + 1, out);
        }
    }
    if choices.chance("twice", 1, 4) {
        // The same label again: a record must keep the two apart.
        (0..2).for_each(|n| out.push(choices.sub("same").range("x", 0..=5 + n)));
    }
}

fn tree(choices: &mut Choices) -> Vec<u64> {
    let mut out = Vec::new();
    grow_tree(choices, 0, &mut out);
    out
}

#[test]
fn a_record_replays_exactly_also_from_text() {
    for seed in 0..200 {
        let mut first = Choices::recording(seed);
        let grown = tree(&mut first);
        let record = first.record().expect("recording");
        let from_text: Record = record.to_string().parse().expect("a record's own text");
        assert_eq!(from_text, record);
        let mut again = Choices::replay(&from_text);
        assert_eq!(tree(&mut again), grown);
        assert_eq!((again.divergence(), again.unused()), (None, 0));
        assert_eq!(again.record(), Some(record));
    }
}

#[test]
fn a_shortened_record_still_replays_and_says_so() {
    let mut first = Choices::recording(2);
    while first.record().expect("recording").decisions().len() < 20 {
        tree(&mut first);
    }
    let text = first.record().expect("recording").to_string();
    let lines: Vec<&str> = text.lines().collect();
    for kept in 1..lines.len() {
        let record: Record = lines[..kept].join("\n").parse().expect("fewer lines are a record too");
        let mut again = Choices::replay(&record);
        tree(&mut again);
        let what_happened = again.record().expect("a replay records");
        let mut settled = Choices::replay(&what_happened);
        tree(&mut settled);
        assert_eq!((settled.divergence(), settled.unused()), (None, 0));
    }
}

#[test]
fn divergences_are_told_and_answered_simply() {
    let mut first = Choices::recording(1);
    let size = first.range("size", 50..=99);
    first.bits("rest", 8);
    let record = first.record().expect("recording");

    let mut inserted = Choices::replay(&record);
    assert_eq!(inserted.range("new", 3..=9), 3);
    assert_eq!(inserted.range("size", 50..=99), size, "the record goes on after a new decision");
    assert_eq!(
        inserted.divergence().expect("a new name").to_string(),
        "decision 1 of stream /: the record has `size`, the program asks for `new`"
    );

    let mut wider = Choices::replay(&record);
    assert_eq!(wider.range("size", 50..=1000), size);
    assert!(matches!(
        wider.divergence().expect("another range").mismatch,
        Mismatch::Range { asked: 950, .. }
    ));

    let tight: Record = "decisions of seed 0, format 1\n5/9\t/\tsize\n".parse().expect("a record");
    let mut narrower = Choices::replay(&tight);
    assert_eq!(narrower.range("size", 10..=12), 10);
    assert_eq!(narrower.range("size", 10..=12), 10);
    assert_eq!(
        narrower.divergence().expect("not possible").to_string(),
        "decision 1 of stream /: `size` is 5 of 0..=9 in the record, the program asks for 0..=2"
    );

    let mut longer = Choices::replay(&tight);
    longer.range("size", 0..=9);
    assert!(!longer.chance("more", 1, 1));
    assert_eq!(
        longer.divergence().expect("the record ended").to_string(),
        "decision 2 of stream /: the record has no more, the program asks for `more`"
    );
}

#[test]
fn broken_records_are_refused() {
    let head = "decisions of seed 1, format 1\n";
    let refused = |text: &str| text.parse::<Record>().expect_err(text).line;
    assert_eq!(refused(""), 1);
    assert_eq!(refused("decisions of seed 1, format 2\n"), 1);
    assert_eq!(refused("decisions of seed -1, format 1\n"), 1);
    for line in ["", "1/2", "1/2\t/", "1/2\t/\t", "1\t/\tx", "x/2\t/\tx", "1/2\tx\tx", "2/1\t/\tx"] {
        assert_eq!(refused(&format!("{head}0/0\t/\tok\n{line}\n")), 3, "{line:?}");
    }
}

#[test]
fn fuel_keeps_a_prefix_and_ends_small() {
    for seed in 0..50 {
        let mut full = Choices::recording(seed);
        let grown = tree(&mut full);
        let all = full.record().expect("recording").decisions().to_vec();
        for fuel in 0..all.len().min(40) {
            let mut choices = Choices::recording(seed).with_fuel(fuel as u64);
            tree(&mut choices);
            let decisions = choices.record().expect("recording").decisions().to_vec();
            assert_eq!(decisions[..fuel], all[..fuel]);
            assert!(decisions[fuel..].iter().all(|decision| decision.value == 0));
            assert!(choices.out_of_fuel());
        }
        assert_eq!(tree(&mut Choices::new(seed).with_fuel(all.len() as u64)), grown);
    }
    assert_eq!(tree(&mut Choices::new(1).with_fuel(0)), [1]);
}

#[test]
fn without_fuel_every_decision_is_the_simplest() {
    let mut none = Choices::new(4).with_fuel(0);
    let weights = Weights::new(&[0, 0, 7, 9]).expect("a weight is not 0");
    assert_eq!(none.range("r", -5i64..=5), -5);
    assert_eq!(none.bits("b", 128), 0);
    assert!(!none.chance("c", 99, 100));
    assert_eq!(none.pick("p", &["x", "y"]), Some(&"x"));
    assert_eq!(none.weighted("w", &weights), 2);
    assert_eq!(none.weighted_where("w", &weights, |index| index != 2), Some(3));
    let mut items = [3, 1, 2];
    none.shuffle("s", &mut items);
    assert_eq!(items, [3, 1, 2]);
    assert_eq!(none.sub("deeper").range("r", 7u8..=9), 7);
}

#[test]
fn ends_of_every_integer_type_are_reached() {
    macro_rules! ends {
        ($($ty:ty)*) => {$(
            let mut choices = Choices::new(1);
            let near = |low: $ty, high: $ty, choices: &mut Choices| {
                let values: Vec<$ty> = (0..100).map(|_| choices.range("n", low..=high)).collect();
                assert!(values.contains(&low) && values.contains(&high));
                assert!(values.iter().all(|value| (low..=high).contains(value)));
            };
            near(<$ty>::MIN, <$ty>::MIN + 2, &mut choices);
            near(<$ty>::MAX - 2, <$ty>::MAX, &mut choices);
            choices.range("all", <$ty>::MIN..=<$ty>::MAX);
        )*};
    }
    ends! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
}

#[test]
fn choices_move_between_threads() {
    let mut choices = Choices::recording(8);
    let here = tree(&mut Choices::new(8));
    let there = std::thread::spawn(move || tree(&mut choices)).join().expect("no panic");
    assert_eq!(here, there);
}
