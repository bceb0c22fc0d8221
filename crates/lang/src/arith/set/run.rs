//! Sorted lists of runs of keys, and the keys themselves: numbers in the order of the values they stand for. Not here:
//! what the values mean.

use super::super::Num;
use super::super::int::{mask, sign_extend};

/// How the values of a type are numbered. An integer's key is its distance from the smallest value of its type, so that
/// keys are ordered as values are, and wrapping around is the same for both. A floating value's key is its encoding,
/// whose order means nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    /// The largest key.
    pub(super) mask: u128,
    /// What turns bits into a key and back.
    flip: u128,
    width: u32,
    bool: bool,
}

impl Order {
    pub(super) fn of(num: Num) -> Order {
        let width = num.width();
        let signed = matches!(num, Num::Int { signed: true, .. });
        let flip = if signed { 1 << (width - 1) } else { 0 };
        Order { mask: mask(width), flip, width, bool: num == Num::Bool }
    }

    pub(super) fn signed(self) -> bool {
        self.flip != 0
    }

    pub(super) fn width(self) -> u32 {
        self.width
    }

    /// The key of a value; stray bits count as [`super::super`] counts them.
    pub(super) fn key(self, bits: u128) -> u128 {
        if self.bool { u128::from(bits != 0) } else { bits & self.mask ^ self.flip }
    }

    pub(super) fn bits(self, key: u128) -> u128 {
        key ^ self.flip
    }

    /// The key of 0, which parts negative values from the others.
    pub(super) fn zero(self) -> u128 {
        self.flip
    }

    /// The number a key of a signed type stands for.
    pub(super) fn number(self, key: u128) -> i128 {
        sign_extend(self.width, key ^ self.flip)
    }

    /// The key of a number that a signed type holds.
    pub(super) fn key_of(self, number: i128) -> u128 {
        number.cast_unsigned() & self.mask ^ self.flip
    }

    pub(super) fn all(self) -> Run {
        Run { low: 0, high: self.mask }
    }
}

/// The keys from `low` to `high`, both included; never empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Run {
    pub(super) low: u128,
    pub(super) high: u128,
}

impl Run {
    pub(super) fn single(key: u128) -> Run {
        Run { low: key, high: key }
    }

    /// How far the last key is from the first: one less than their number, which may not fit.
    pub(super) fn span(self) -> u128 {
        self.high - self.low
    }

    pub(super) fn meet(self, other: Run) -> Option<Run> {
        let both = Run { low: self.low.max(other.low), high: self.high.min(other.high) };
        (both.low <= both.high).then_some(both)
    }
}

/// The runs of a list of keys in any order: sorted, with a gap after each, as all lists here are.
pub(super) fn of_keys(mut keys: Vec<u128>) -> Vec<Run> {
    keys.sort_unstable();
    let mut runs: Vec<Run> = Vec::new();
    for key in keys {
        match runs.last_mut() {
            Some(last) if key - last.high <= 1 => last.high = key,
            _ => runs.push(Run::single(key)),
        }
    }
    runs
}

/// Sorts runs and joins those that overlap or touch.
pub(super) fn normal(mut runs: Vec<Run>) -> Vec<Run> {
    runs.sort_unstable();
    runs.dedup_by(|next, kept| {
        let joined = next.low <= kept.high || next.low - kept.high == 1;
        if joined {
            kept.high = kept.high.max(next.high);
        }
        joined
    });
    runs
}

/// How many keys there are, or the largest number if that is too small.
pub(super) fn count(runs: &[Run]) -> u128 {
    runs.iter().fold(0, |sum: u128, run| sum.saturating_add(run.span()).saturating_add(1))
}

pub(super) fn contains(runs: &[Run], key: u128) -> bool {
    let next = runs.partition_point(|run| run.low <= key);
    next.checked_sub(1).is_some_and(|index| key <= runs[index].high)
}

/// The keys that both have.
pub(super) fn intersection(a: &[Run], b: &[Run]) -> Vec<Run> {
    let mut runs = Vec::new();
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        runs.extend(x.meet(*y));
        if x.high < y.high { i += 1 } else { j += 1 }
    }
    runs
}

/// The keys that are missing.
pub(super) fn complement(runs: &[Run], order: Order) -> Vec<Run> {
    let mut gaps = Vec::with_capacity(runs.len() + 1);
    let mut next = Some(0);
    for run in runs {
        gaps.extend(next.and_then(|low| Some(Run { low, high: run.low.checked_sub(1)? })));
        next = run.high.checked_add(1);
    }
    gaps.extend(next.filter(|&low| low <= order.mask).map(|low| Run { low, high: order.mask }));
    // Two runs never touch, so only the first gap can be empty, and that one has no `high`.
    gaps
}

/// Fills the narrowest gaps until at most `most` runs are left; whether there was one to fill.
pub(super) fn coarsen(runs: &mut Vec<Run>, most: usize) -> bool {
    let Some(last) = runs.len().checked_sub(most.max(1) + 1) else { return false };
    let gap = |pair: &[Run]| pair[1].low - pair[0].high;
    let mut gaps: Vec<(u128, usize)> =
        runs.windows(2).enumerate().map(|(index, pair)| (gap(pair), index)).collect();
    // The index makes equal gaps differ, so the choice is always the same.
    let (_, &mut widest, _) = gaps.select_nth_unstable(last);
    let mut kept: Vec<Run> = Vec::with_capacity(most.max(1));
    for (index, &run) in runs.iter().enumerate() {
        match kept.last_mut() {
            Some(before) if (run.low - before.high, index - 1) <= widest => before.high = run.high,
            _ => kept.push(run),
        }
    }
    *runs = kept;
    true
}
