//! Who does which test: shards, and what is taken in this process.
//!
//! Only one process writes to a folder, so what is taken need not be on disk: a test that is not recorded is not done,
//! and after a kill the records alone say what is left.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::error::{Error, Result};

/// Tests per block. Shards take whole blocks.
pub const BLOCK: u64 = 64;

/// One of several runs that share a campaign's tests: it takes the blocks whose number is `index` modulo `of`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shard {
    // index < of
    index: u64,
    of: u64,
}

impl Shard {
    /// The only shard there is.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Shard `index` of `of`, counted from 0.
    pub fn new(index: u64, of: u64) -> Result<Shard> {
        if index >= of || of > 1 << 32 {
            return Err(Error::Invalid(format!("there is no shard {index}/{of}: write 0/{of} and so on")));
        }
        Ok(Shard { index, of })
    }

    /// Whether a test is this shard's.
    pub fn has(self, index: u64) -> bool {
        index / BLOCK % self.of == self.index
    }

    /// The first index of this shard at or after another.
    fn first_from(self, index: u64) -> Option<u64> {
        let block = index / BLOCK;
        let ahead = (self.of + self.index - block % self.of) % self.of;
        if ahead == 0 { Some(index) } else { block.checked_add(ahead)?.checked_mul(BLOCK) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shard> {
        let parts =
            text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        let (index, of) =
            parts.ok_or_else(|| Error::Invalid(format!("a shard is written like 0/4, not '{text}'")))?;
        Shard::new(index, of)
    }
}

/// The tests of one arm that nobody shall take any more: recorded ones, and those taken.
#[derive(Default, Debug)]
pub(crate) struct Taken {
    // Start to end; ranges are not empty, do not overlap and do not touch.
    ranges: BTreeMap<u64, u64>,
    // Below these, a shard has nothing free.
    hints: BTreeMap<Shard, u64>,
}

impl Taken {
    /// Takes the first free tests of a shard.
    pub(crate) fn take(&mut self, shard: Shard, at_most: u64, end: u64) -> Option<Range<u64>> {
        let mut from = self.hints.get(&shard).copied().unwrap_or(0);
        let found = loop {
            let Some(start) = shard.first_from(from).filter(|start| *start < end) else { break None };
            match self.range_with(start) {
                Some(range) => from = range.end,
                None => break Some(start),
            }
        };
        let Some(start) = found else {
            self.hints.insert(shard, from.min(end));
            return None;
        };
        self.hints.insert(shard, start);
        let next = self.ranges.range(start..).next().map_or(u64::MAX, |(next, _)| *next);
        let block_end = (start / BLOCK + 1).saturating_mul(BLOCK);
        let stop = start.saturating_add(at_most).min(block_end).min(end).min(next);
        if stop == start {
            return None;
        }
        self.add(start..stop);
        Some(start..stop)
    }

    /// Marks tests as taken.
    pub(crate) fn add(&mut self, range: Range<u64>) {
        let (mut start, mut end) = (range.start, range.end);
        if start >= end {
            return;
        }
        // Everything that overlaps or touches becomes one range.
        while let Some((&low, &high)) =
            self.ranges.range(..=end).next_back().filter(|(_, high)| **high >= start)
        {
            self.ranges.remove(&low);
            start = start.min(low);
            end = end.max(high);
        }
        self.ranges.insert(start, end);
    }

    /// Makes tests free again.
    pub(crate) fn remove(&mut self, range: Range<u64>) {
        if range.start >= range.end {
            return;
        }
        while let Some((&low, &high)) =
            self.ranges.range(..range.end).next_back().filter(|(_, high)| **high > range.start)
        {
            self.ranges.remove(&low);
            if low < range.start {
                self.ranges.insert(low, range.start);
            }
            if high > range.end {
                self.ranges.insert(range.end, high);
            }
        }
        self.hints.values_mut().for_each(|hint| *hint = (*hint).min(range.start));
    }

    fn range_with(&self, index: u64) -> Option<Range<u64>> {
        let (start, end) = self.ranges.range(..=index).next_back()?;
        (index < *end).then_some(*start..*end)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use howler_choices::Choices;

    use super::*;

    #[test]
    fn shards_are_read_and_checked() {
        assert_eq!("2/4".parse::<Shard>().unwrap().to_string(), "2/4");
        for bad in ["", "4/4", "1", "1/0", "-1/4", "1/2/3", "0/99999999999"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_index_is_no_trouble() {
        let mut taken = Taken::default();
        taken.add(0..u64::MAX - 1);
        assert_eq!(taken.take(Shard::WHOLE, 10, u64::MAX), Some(u64::MAX - 1..u64::MAX));
        assert_eq!(taken.take(Shard::WHOLE, 10, u64::MAX), None);
        assert_eq!(taken.take(Shard::new(1, 3).unwrap(), 10, u64::MAX), None);
        assert_eq!(Taken::default().take(Shard::WHOLE, 0, 10), None);
    }

    /// Against a set of single tests, with random takes, adds and removes.
    #[test]
    fn taken_is_a_set() {
        for seed in 0..300 {
            let mut choices = Choices::new(seed);
            let (mut taken, mut model) = (Taken::default(), BTreeSet::new());
            for _ in 0..60 {
                let start = choices.range("start", 0..=500_u64);
                let end = start + choices.range("length", 0..=90_u64);
                match choices.range("what", 0..=3) {
                    0 => {
                        taken.add(start..end);
                        model.extend(start..end);
                    }
                    1 => {
                        taken.remove(start..end);
                        model.retain(|index| !(start..end).contains(index));
                    }
                    _ => {
                        let of = choices.range("of", 1..=4_u64);
                        let shard = Shard::new(choices.range("shard", 0..=of - 1), of).unwrap();
                        let at_most = choices.range("at most", 1..=80_u64);
                        let expected = (0..end).find(|index| shard.has(*index) && !model.contains(index));
                        let got = taken.take(shard, at_most, end);
                        assert_eq!(got.as_ref().map(|range| range.start), expected, "seed {seed}");
                        let Some(got) = got else { continue };
                        let length = (got.start..end)
                            .take_while(|index| !model.contains(index) && index / BLOCK == got.start / BLOCK)
                            .count() as u64;
                        assert_eq!(got.end - got.start, length.min(at_most), "seed {seed}");
                        model.extend(got);
                    }
                }
                let flat: BTreeSet<u64> = taken.ranges.iter().flat_map(|(start, end)| *start..*end).collect();
                assert_eq!(flat, model, "seed {seed}");
                assert!(taken.ranges.iter().zip(taken.ranges.iter().skip(1)).all(|(a, b)| a.1 < b.0));
            }
        }
    }
}
