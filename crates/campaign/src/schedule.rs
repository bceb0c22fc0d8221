//! Which test comes next: the bandit chooses the arm, the ledger hands out the numbers.

use std::ops::Range;

use howler_case::Id;

use crate::bandit::{Yield, choose};

/// Tests taken from the ledger at a time.
const LEASE: u64 = 8;

/// The arms of a hunt and how far they are.
#[derive(Debug)]
pub struct Schedule {
    arms: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    id: Id,
    /// Its tests have smaller numbers.
    end: u64,
    record: Yield,
    taken: Range<u64>,
    exhausted: bool,
}

impl Schedule {
    /// Arms with the ends of their tests.
    pub fn new(arms: impl IntoIterator<Item = (Id, u64)>) -> Schedule {
        let arms = arms
            .into_iter()
            .map(|(id, end)| Entry { id, end, record: Yield::default(), taken: 0..0, exhausted: false })
            .collect();
        Schedule { arms }
    }

    /// The next test: the arm by its position, and the number. `lease` asks the ledger for at most so many tests of an
    /// arm below an end. `None` when all is done.
    pub fn next<E>(
        &mut self,
        mut lease: impl FnMut(Id, u64, u64) -> Result<Option<Range<u64>>, E>,
    ) -> Result<Option<(usize, u64)>, E> {
        loop {
            let state: Vec<(Yield, bool)> =
                self.arms.iter().map(|arm| (arm.record, !arm.exhausted)).collect();
            let Some(chosen) = choose(&state) else { return Ok(None) };
            let arm = &mut self.arms[chosen];
            if let Some(index) = arm.taken.next() {
                return Ok(Some((chosen, index)));
            }
            match lease(arm.id, LEASE, arm.end)? {
                Some(range) if !range.is_empty() => arm.taken = range,
                _ => arm.exhausted = true,
            }
        }
    }

    /// A test is done: what it cost, and how many new signatures it gave.
    pub fn tested(&mut self, arm: usize, seconds: f64, new_signatures: u32) {
        self.arms[arm].record.add(seconds, new_signatures);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn every_test_once_and_then_no_more() {
        let ids = [Id::of(b"a"), Id::of(b"b")];
        let mut cursors = [0, 0];
        let mut schedule = Schedule::new([(ids[0], 20), (ids[1], 3)]);
        let mut done = Vec::new();
        loop {
            let next = schedule.next(|id, at_most, end| {
                let arm = ids.iter().position(|&known| known == id).unwrap();
                let start: u64 = cursors[arm];
                cursors[arm] = (start + at_most).min(end);
                Ok::<_, Infallible>((start < end).then_some(start..cursors[arm]))
            });
            let Ok(Some((arm, index))) = next else { break };
            schedule.tested(arm, 1.0, 0);
            done.push((arm, index));
        }
        done.sort_unstable();
        let expected: Vec<(usize, u64)> =
            (0..20).map(|index| (0, index)).chain((0..3).map(|index| (1, index))).collect();
        assert_eq!(done, expected);
    }
}
