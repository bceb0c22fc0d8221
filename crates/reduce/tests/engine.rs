//! The engine on a language of its own: lists of numbers, of which some are needed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use howler_reduce::engine::{
    Answer, End, Event, Limits, Pass, Proposal, Reduced, Size, Subject, Test, reduce,
};

/// A list of numbers that know where they were.
#[derive(Clone, PartialEq, Eq, Debug)]
struct List(Vec<u64>);

impl Subject for List {
    fn size(&self) -> Size {
        Size { tokens: self.0.len() as u64, bytes: self.0.iter().sum() }
    }

    fn key(&self) -> u128 {
        self.0.iter().fold(7, |key, &one| key.wrapping_mul(1_000_003).wrapping_add(u128::from(one) + 1))
    }
}

#[derive(Clone)]
struct Number(u64);

impl Proposal for Number {
    fn weight(&self) -> u64 {
        1
    }
}

/// Numbers go.
struct Remove;

impl Pass<List, Number> for Remove {
    fn name(&self) -> &'static str {
        "remove"
    }

    fn proposals(&self, list: &List) -> Vec<Number> {
        list.0.iter().map(|&one| Number(one)).collect()
    }

    fn apply(&self, list: &List, gone: &[Number]) -> Option<List> {
        let rest: Vec<u64> =
            list.0.iter().copied().filter(|one| gone.iter().all(|gone| gone.0 != *one)).collect();
        (rest.len() < list.0.len()).then_some(List(rest))
    }
}

/// A number from 1000 on becomes three smaller ones, of which one will do.
struct Split;

impl Pass<List, Number> for Split {
    fn name(&self) -> &'static str {
        "split"
    }

    fn proposals(&self, list: &List) -> Vec<Number> {
        list.0.iter().filter(|one| **one >= 1000).map(|&one| Number(one)).collect()
    }

    fn apply(&self, list: &List, split: &[Number]) -> Option<List> {
        let parts = |&one: &u64| match split.iter().any(|split| split.0 == one) {
            true => vec![one - 999, one - 998, one - 997],
            false => vec![one],
        };
        Some(List(list.0.iter().flat_map(parts).collect()))
    }

    fn grows(&self) -> bool {
        true
    }
}

struct Asker<F>(F);

impl<F: Fn(&[u64]) -> bool + Send> Test<List> for Asker<F> {
    fn ask(&mut self, list: &List) -> Answer {
        if (self.0)(&list.0) { Answer::Yes } else { Answer::No }
    }
}

static GO_ON: AtomicBool = AtomicBool::new(false);

const LIMITS: Limits<'static> = Limits { tokens: 0, time: None, tests: None, stop: &GO_ON };

fn reduced(
    length: u64,
    workers: usize,
    limits: &Limits<'_>,
    holds: impl Fn(&[u64]) -> bool + Send + Sync,
) -> Reduced<List> {
    let mut asking: Vec<_> = (0..workers).map(|_| Asker(|list: &[u64]| holds(list))).collect();
    reduce(List((0..length).collect()), &[&Remove, &Split], &mut asking, limits, &mut |_| {})
}

fn has(list: &[u64], all: &[u64]) -> bool {
    all.iter().all(|one| list.contains(one))
}

#[test]
fn what_is_needed_is_left() {
    let done = reduced(1000, 2, &LIMITS, |list| has(list, &[3, 400, 401, 977]));
    assert_eq!(done.best.0, [3, 400, 401, 977]);
    assert_eq!(done.end, End::Finished);
    assert!(done.measures.tests < 150, "{}", done.measures.tests);
}

#[test]
fn successes_that_exclude_each_other_leave_one() {
    // Any two of these do, and much can go alone but not together.
    let enough = |list: &[u64]| [10, 20, 30, 40].iter().filter(|&one| list.contains(one)).count() >= 2;
    let done = reduced(64, 1, &LIMITS, enough);
    assert_eq!(done.best.0.len(), 2);
    assert!(enough(&done.best.0));
}

#[test]
fn the_number_of_workers_changes_nothing() {
    for needed in [vec![5, 6, 7, 300], vec![0], vec![511], (0..40).map(|one| one * 11).collect()] {
        let one = reduced(512, 1, &LIMITS, |list| has(list, &needed) || list.len() == 77);
        for workers in [2, 3, 9] {
            let more = reduced(512, workers, &LIMITS, |list| has(list, &needed) || list.len() == 77);
            assert_eq!(more.best, one.best);
            assert_eq!(more.measures.tests, one.measures.tests);
        }
    }
}

#[test]
fn nothing_is_tested_twice() {
    let seen = std::sync::Mutex::new(std::collections::HashSet::new());
    let done = reduced(100, 2, &LIMITS, |list| {
        assert!(seen.lock().unwrap().insert(list.to_vec()), "{list:?}");
        has(list, &[17, 80])
    });
    assert_eq!(done.best.0, [17, 80]);
}

#[test]
fn growth_is_kept_where_it_leads_to_less() {
    // 1000 and its neighbour are needed, or the second of what 1000 is made of, alone.
    let holds = |list: &[u64]| has(list, &[1000, 4]) || has(list, &[2]);
    let mut asking = [Asker(|list: &[u64]| holds(list) && !list.contains(&3))];
    let done = reduce(List(vec![4, 1000]), &[&Split, &Remove], &mut asking, &LIMITS, &mut |_| {});
    assert_eq!(done.best.0, [4, 1000], "all three parts at once do not do");
    let mut asking = [Asker(holds)];
    let done = reduce(List(vec![4, 1000]), &[&Split, &Remove], &mut asking, &LIMITS, &mut |_| {});
    assert_eq!(done.best.0, [2]);
}

#[test]
fn it_ends_when_it_is_small_enough_or_has_had_enough() {
    let done = reduced(1000, 1, &Limits { tokens: 50, ..LIMITS }, |list| has(list, &[1]));
    assert_eq!(done.end, End::SmallEnough);
    assert!((1..=50).contains(&done.best.0.len()));
    let done = reduced(1000, 1, &Limits { tests: Some(20), ..LIMITS }, |list| has(list, &[1, 500]));
    assert_eq!(done.end, End::Limit);
    assert!(done.measures.tests < 20 + 9 && has(&done.best.0, &[1, 500]));
    let done = reduced(1000, 1, &Limits { time: Some(Duration::ZERO), ..LIMITS }, |_| true);
    assert_eq!((done.end, done.measures.tests), (End::Limit, 0));
}

#[test]
fn who_stops_it_keeps_the_best() {
    let (stop, asked) = (AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { stop: &stop, ..LIMITS };
    let done = reduced(1000, 1, &limits, |list| {
        stop.fetch_or(asked.fetch_add(1, Ordering::SeqCst) >= 30, Ordering::SeqCst);
        has(list, &[1, 999])
    });
    assert_eq!(done.end, End::Stopped);
    assert!(done.best.0.len() < 1000 && has(&done.best.0, &[1, 999]));
}

#[test]
fn every_better_one_is_told_of_and_a_broken_test_ends_it() {
    struct Breaks(u32);
    impl Test<List> for Breaks {
        fn ask(&mut self, list: &List) -> Answer {
            self.0 += 1;
            match self.0 {
                25 => Answer::Broken("no more".to_owned()),
                _ if has(&list.0, &[1, 70]) => Answer::Yes,
                _ => Answer::No,
            }
        }
    }
    let mut told = Vec::new();
    let done = reduce(List((0..100).collect()), &[&Remove], &mut [Breaks(0)], &LIMITS, &mut |event| {
        if let Event::Better(list, size) = event {
            assert_eq!(list.size(), size);
            told.push(list.clone());
        }
    });
    assert_eq!(done.end, End::Broken("no more".to_owned()));
    assert_eq!(told.last(), Some(&done.best));
    assert!(told.is_sorted_by(|a, b| a.size() > b.size()));
}
