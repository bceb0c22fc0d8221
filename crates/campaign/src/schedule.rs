//! Which test comes next: the bandit chooses the arm, the ledger hands out the numbers, and what took too long at the first
//! look is looked at again now and then.

use std::collections::VecDeque;
use std::ops::Range;

use howler_case::Id;

use crate::bandit::{Bandit, Yield};

/// Tests taken from the ledger at a time.
const LEASE: u64 = 8;

/// Part of the time that deferred tests get while there is other work. They must get some: what does not end at all is
/// among them.
const DEFERRED: f64 = 0.05;

/// Part of the time that making programs small may take while there is other work, and seconds that it may take in any
/// case: what is found first is worth it.
const SMALL: f64 = 0.3;
const SMALL_AT_FIRST: f64 = 60.0;

/// A test to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// The arm, by its position.
    pub arm: usize,
    /// The number of the test.
    pub index: u64,
    /// Whether a compiler took too long for it at the first look: now it gets all the time it may take.
    pub patient: bool,
    /// Whether its program was left to be made small later: now it is.
    pub small: bool,
}

/// The arms of a hunt and how far they are.
#[derive(Debug)]
pub struct Schedule {
    arms: Vec<Entry>,
    bandit: Bandit,
    deferred: VecDeque<(usize, u64)>,
    /// Tests that show something and whose programs are to be made small.
    large: VecDeque<(usize, u64)>,
    /// Seconds of all tests, of the deferred ones among them, and those of making programs small.
    spent: f64,
    patience: f64,
    reducing: f64,
    /// What a deferred test may cost at the most.
    dearest: f64,
}

/// An arm as the schedule sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// Its identity.
    pub id: Id,
    /// Its tests have smaller numbers.
    pub end: u64,
    /// What it counts for while nothing is found.
    pub weight: f64,
}

#[derive(Debug)]
struct Entry {
    id: Id,
    /// Its tests have smaller numbers.
    end: u64,
    taken: Range<u64>,
    exhausted: bool,
}

impl Schedule {
    /// Arms, and the seconds that a deferred test may cost at the most.
    pub fn new(plans: &[Plan], dearest: f64) -> Schedule {
        let arm = |plan: &Plan| Entry { id: plan.id, end: plan.end, taken: 0..0, exhausted: false };
        let arms: Vec<Entry> = plans.iter().map(arm).collect();
        let bandit = Bandit::weighted(plans.iter().map(|plan| plan.weight).collect());
        let (deferred, large) = (VecDeque::new(), VecDeque::new());
        Schedule { arms, bandit, deferred, large, spent: 0.0, patience: 0.0, reducing: 0.0, dearest }
    }

    /// What is known of an arm from earlier hunts: how it did, and which of its tests are still to be looked at again, for
    /// whatever reason. Those that compilers take long for are put off once more.
    pub fn remember(&mut self, arm: usize, known: Option<Yield>, deferred: impl IntoIterator<Item = u64>) {
        if let Some(known) = known {
            self.bandit.remember(arm, known);
        }
        self.large.extend(deferred.into_iter().map(|index| (arm, index)));
    }

    /// How the arms did lately.
    pub fn yields(&self) -> &[Yield] {
        self.bandit.arms()
    }

    /// How many tests are still to be looked at again.
    pub fn waiting(&self) -> usize {
        self.deferred.len() + self.large.len()
    }

    /// Whether there is time to make a program small now.
    pub fn may_reduce(&self) -> bool {
        self.reducing <= SMALL_AT_FIRST + SMALL * self.spent
    }

    /// The program of a test is to be made small later.
    pub fn leave(&mut self, arm: usize, index: u64) {
        self.large.push_back((arm, index));
    }

    /// Seconds that went into making a program small; they are not among those of its test, whose arm is not to blame.
    pub fn reduced(&mut self, seconds: f64) {
        self.reducing += seconds;
        self.spent += seconds;
    }

    /// The next test. `lease` asks the ledger for at most so many tests of an arm below an end. `None` when all is done.
    pub fn next<E>(
        &mut self,
        mut lease: impl FnMut(Id, u64, u64) -> Result<Option<Range<u64>>, E>,
    ) -> Result<Option<Task>, E> {
        // Not even the worst may take more than its part.
        let is_due = self.patience + self.dearest < DEFERRED * self.spent;
        if is_due && let Some(task) = self.patient() {
            return Ok(Some(task));
        }
        if self.may_reduce()
            && let Some(task) = self.large()
        {
            return Ok(Some(task));
        }
        loop {
            let Some(arm) = self.bandit.choose(|arm| !self.arms[arm].exhausted) else {
                return Ok(self.large().or_else(|| self.patient()));
            };
            let entry = &mut self.arms[arm];
            if let Some(index) = entry.taken.next() {
                self.bandit.began(arm);
                return Ok(Some(Task { arm, index, patient: false, small: false }));
            }
            match lease(entry.id, LEASE, entry.end)? {
                Some(range) if !range.is_empty() => entry.taken = range,
                _ => entry.exhausted = true,
            }
        }
    }

    fn patient(&mut self) -> Option<Task> {
        let (arm, index) = self.deferred.pop_front()?;
        self.bandit.began(arm);
        Some(Task { arm, index, patient: true, small: true })
    }

    fn large(&mut self) -> Option<Task> {
        let (arm, index) = self.large.pop_front()?;
        self.bandit.began(arm);
        Some(Task { arm, index, patient: false, small: true })
    }

    /// A test is to be looked at again.
    pub fn defer(&mut self, arm: usize, index: u64) {
        self.deferred.push_back((arm, index));
    }

    /// A test is done: what it cost, and how many new signatures it gave.
    pub fn tested(&mut self, task: Task, seconds: f64, new_signatures: u32) {
        self.spent += seconds;
        if task.patient {
            self.patience += seconds;
        }
        self.bandit.ended(task.arm, seconds, new_signatures);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// A ledger that hands out each arm's numbers in order.
    fn ledger(ids: &[Id]) -> impl FnMut(Id, u64, u64) -> Result<Option<Range<u64>>, Infallible> {
        let ids = ids.to_vec();
        let mut cursors = vec![0; ids.len()];
        move |id, at_most, end| {
            let arm = ids.iter().position(|&known| known == id).unwrap();
            let start: u64 = cursors[arm];
            cursors[arm] = (start + at_most).min(end);
            Ok((start < end).then_some(start..cursors[arm]))
        }
    }

    fn plan(id: Id, end: u64) -> Plan {
        Plan { id, end, weight: 1.0 }
    }

    #[test]
    fn every_test_once_and_then_no_more() {
        let ids = [Id::of(b"a"), Id::of(b"b")];
        let mut lease = ledger(&ids);
        let mut schedule = Schedule::new(&[plan(ids[0], 20), plan(ids[1], 3)], 0.0);
        let mut done = Vec::new();
        while let Ok(Some(task)) = schedule.next(&mut lease) {
            schedule.tested(task, 1.0, 0);
            done.push((task.arm, task.index));
        }
        done.sort_unstable();
        let expected: Vec<(usize, u64)> =
            (0..20).map(|index| (0, index)).chain((0..3).map(|index| (1, index))).collect();
        assert_eq!(done, expected);
    }

    #[test]
    fn programs_become_small_in_a_part_of_the_time_and_all_in_the_end() {
        let ids = [Id::of(b"a")];
        let mut lease = ledger(&ids);
        let mut schedule = Schedule::new(&[plan(ids[0], 500)], 5.0);
        let (mut first, mut small) = (0, 0);
        while let Ok(Some(task)) = schedule.next(&mut lease) {
            first += u32::from(!task.small);
            // Each of them shows something, and each reduction takes ten times as long as a test.
            if task.small || schedule.may_reduce() {
                schedule.reduced(10.0);
                small += 1;
            } else {
                schedule.leave(0, task.index);
            }
            schedule.tested(task, 1.0, 0);
            let (reducing, testing) = (10.0 * f64::from(small), f64::from(first + small));
            let part = SMALL_AT_FIRST + SMALL * (reducing + testing) + 10.0;
            assert!(first == 500 || reducing <= part, "{small} of {first}");
            assert!(first < 100 || small > 10, "{small} of {first}");
        }
        assert_eq!((first, small, schedule.waiting()), (500, 500, 0));
    }

    /// They get little time while there is other work, and all of them are done in the end.
    #[test]
    fn deferred_tests_wait_but_not_for_ever() {
        let ids = [Id::of(b"a")];
        let mut lease = ledger(&ids);
        let mut schedule = Schedule::new(&[plan(ids[0], 400)], 5.0);
        schedule.remember(0, None, [1000, 1040]);
        let (mut patient, mut early) = (0, 0);
        let mut done = 0;
        while let Ok(Some(task)) = schedule.next(&mut lease) {
            done += 1;
            if task.patient {
                patient += 1;
                early += u32::from(done <= 300);
                schedule.tested(task, 5.0, 0);
            } else {
                if task.index % 40 == 0 {
                    schedule.defer(0, task.index);
                }
                schedule.tested(task, 1.0, 0);
            }
        }
        // What an earlier hunt left is looked at, and is no faster now.
        assert_eq!((patient, done, schedule.waiting()), (12, 414, 0));
        assert!((1..=4).contains(&early), "{early}");
    }
}
