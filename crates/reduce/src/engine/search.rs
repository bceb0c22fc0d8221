//! What is tried, in which order, and what is kept.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::cache::Cache;
use super::measure::Measures;
use super::workers::share;
use super::{Answer, End, Event, Limits, Pass, Proposal, Reduced, Size, Subject, Test, WIDTH};

/// Fractions of the whole below which sets of proposals are not split, one after the other: all passes do their rough
/// work before any of them does its fine work. The last one splits to the end.
const GRAINS: [u64; 3] = [24, 160, u64::MAX];

/// How many tests may be spent on what a change that grows leads to.
const AFTER_GROWTH: u64 = 60;

/// Makes a subject as small as its passes can while the test says yes. There must be one worker at least.
pub fn reduce<S: Subject, P: Proposal, T: Test<S>>(
    subject: S,
    passes: &[&dyn Pass<S, P>],
    workers: &mut [T],
    limits: &Limits<'_>,
    watch: &mut dyn FnMut(Event<'_, S>),
) -> Reduced<S> {
    reduce_with(&mut Cache::default(), subject, (passes, workers, limits), watch)
}

/// Passes, workers, and how long to work.
type Means<'a, S, P, T> = (&'a [&'a dyn Pass<S, P>], &'a mut [T], &'a Limits<'a>);

/// The same with what is known from earlier work on the same question: subjects of other kinds may have the same keys.
pub fn reduce_with<S: Subject, P: Proposal, T: Test<S>>(
    cache: &mut Cache,
    subject: S,
    (passes, workers, limits): Means<'_, S, P, T>,
    watch: &mut dyn FnMut(Event<'_, S>),
) -> Reduced<S> {
    let mut search = Search {
        best: subject,
        size: Size::default(),
        version: 0,
        done: vec![None; passes.len()],
        passes,
        workers,
        limits,
        watch,
        cache,
        measures: Measures::default(),
        start: Instant::now(),
        quiet: false,
        most: u64::MAX,
    };
    search.size = search.best.size();
    search.cache.insert(search.best.key());
    search.measures.progress.push((search.start.elapsed(), 0, search.size));
    let end = match search.all() {
        ControlFlow::Break(end) => end,
        ControlFlow::Continue(()) => End::Finished,
    };
    Reduced { best: search.best, end, measures: search.measures }
}

struct Search<'a, S, P, T> {
    best: S,
    size: Size,
    /// How often the best became another.
    version: u64,
    /// The version at which each pass had nothing more to do.
    done: Vec<Option<u64>>,
    passes: &'a [&'a dyn Pass<S, P>],
    workers: &'a mut [T],
    limits: &'a Limits<'a>,
    watch: &'a mut dyn FnMut(Event<'_, S>),
    cache: &'a mut Cache,
    measures: Measures,
    start: Instant,
    /// What is reached now may be taken back: nobody is told.
    quiet: bool,
    /// No test after so many.
    most: u64,
}

/// A set of proposals that are tried together.
type Chunk<P> = Vec<P>;
type Flow<V = ()> = ControlFlow<End, V>;

/// What became of a candidate.
enum Tried<S> {
    /// It still does what it has to.
    Yes(S),
    /// It does not.
    No,
    /// There was nothing to change: parts of the set need not be tried.
    Nothing,
}

impl<S: Subject, P: Proposal, T: Test<S>> Search<'_, S, P, T> {
    fn all(&mut self) -> Flow {
        for grain in GRAINS {
            loop {
                let before = self.version;
                self.settle();
                for number in 0..self.passes.len() {
                    let pass = self.passes[number];
                    if pass.grows() || self.done[number] == Some(self.version) {
                        continue;
                    }
                    let least = self.size.tokens / grain;
                    if self.pass(pass, least)? && grain == u64::MAX {
                        self.done[number] = Some(self.version);
                    }
                }
                // Rough work is done once.
                if self.version == before || grain != u64::MAX {
                    break;
                }
            }
        }
        loop {
            let before = self.version;
            for number in 0..self.passes.len() {
                if self.passes[number].grows() && self.done[number] != Some(self.version) {
                    self.grow(number)?;
                }
            }
            if self.version == before {
                return Flow::Continue(());
            }
        }
    }

    /// Between passes: nothing of the best is remembered.
    fn settle(&mut self) {
        self.best = self.best.clone().settled();
    }

    /// One pass over all its proposals; sets that weigh less than `least` are not split. Returns whether nothing changed.
    fn pass(&mut self, pass: &dyn Pass<S, P>, least: u64) -> Flow<bool> {
        self.check()?;
        (self.watch)(Event::Pass(pass.name()));
        let before = self.version;
        let making = Instant::now();
        let proposals = pass.proposals(&self.best);
        self.measures.of(pass.name()).making += making.elapsed();
        let mut queue: VecDeque<Chunk<P>> = VecDeque::new();
        if !proposals.is_empty() {
            queue.push_back(proposals);
        }
        while !queue.is_empty() {
            self.check()?;
            let round: Vec<Chunk<P>> = queue.drain(..WIDTH.min(queue.len())).collect();
            let tried = self.test(pass, &round)?;
            let mut good: Vec<(Chunk<P>, S)> = Vec::new();
            for (chunk, tried) in round.into_iter().zip(tried) {
                match tried {
                    Tried::Yes(candidate) => good.push((chunk, candidate)),
                    Tried::No if chunk.len() > 1 && weight(&chunk) > least => queue.extend(halves(chunk)),
                    Tried::No | Tried::Nothing => {}
                }
            }
            // What did not go together with others is tried on what they made.
            for chunk in self.merge(pass, good)?.into_iter().rev() {
                queue.push_front(chunk);
            }
        }
        if self.version != before {
            self.settle();
        }
        Flow::Continue(self.version == before)
    }

    /// Takes all of these successes if they go together, else the smallest; returns the sets that are left.
    fn merge(&mut self, pass: &dyn Pass<S, P>, mut good: Vec<(Chunk<P>, S)>) -> Flow<Vec<Chunk<P>>> {
        if good.len() > 1 {
            let union: Chunk<P> = good.iter().flat_map(|(chunk, _)| chunk.iter().cloned()).collect();
            if let Some(Tried::Yes(candidate)) = self.test(pass, &[union])?.pop() {
                self.accept(pass.name(), candidate);
                return Flow::Continue(Vec::new());
            }
        }
        let smallest = (0..good.len()).min_by_key(|&at| good[at].1.size());
        if let Some(at) = smallest {
            let (_, candidate) = good.remove(at);
            self.accept(pass.name(), candidate);
        }
        Flow::Continue(good.into_iter().map(|(chunk, _)| chunk).collect())
    }

    /// Makes and tests candidates, those that are worth it.
    fn test(&mut self, pass: &dyn Pass<S, P>, chunks: &[Chunk<P>]) -> Flow<Vec<Tried<S>>> {
        let making = Instant::now();
        // A subject may remember things while it is read, so each worker has its own.
        let copies = self.workers.len().min(chunks.len()).max(1);
        let mut own: Vec<S> = vec![self.best.clone(); copies];
        let made = share(&mut own, chunks, |best, chunk| pass.apply(best, chunk));
        self.measures.of(pass.name()).making += making.elapsed();
        let mut tried: Vec<Tried<S>> = Vec::new();
        let mut open: Vec<(usize, Mutex<S>)> = Vec::new();
        for (at, candidate) in made.into_iter().enumerate() {
            let Some(candidate) = candidate else {
                tried.push(Tried::Nothing);
                continue;
            };
            tried.push(Tried::No);
            if candidate.size().tokens > self.size.tokens && !pass.grows() {
                continue;
            }
            if self.cache.insert(candidate.key()) {
                open.push((at, Mutex::new(candidate)));
            } else {
                self.measures.known += 1;
            }
        }
        let testing = Instant::now();
        let ask = |worker: &mut T, (_, candidate): &(usize, Mutex<S>)| {
            worker.ask(&candidate.lock().unwrap_or_else(PoisonError::into_inner))
        };
        let answers = share(self.workers, &open, ask);
        self.measures.tests += open.len() as u64;
        let measured = self.measures.of(pass.name());
        measured.testing += testing.elapsed();
        measured.tests += open.len() as u64;
        let mut end = None;
        for ((at, candidate), answer) in open.into_iter().zip(answers) {
            match answer {
                Answer::Yes => {
                    measured.successes += 1;
                    let candidate = candidate.into_inner().unwrap_or_else(PoisonError::into_inner);
                    tried[at] = Tried::Yes(candidate);
                }
                Answer::No => {}
                Answer::Stopped => end = end.or(Some(End::Stopped)),
                Answer::Broken(why) => end = Some(End::Broken(why)),
            }
        }
        (self.watch)(Event::Tested(self.measures.tests));
        match end {
            // What was found before is kept: the smallest of it.
            Some(end) => {
                let good = tried.into_iter().filter_map(|tried| match tried {
                    Tried::Yes(candidate) => Some(candidate),
                    _ => None,
                });
                if let Some(candidate) = good.min_by_key(Subject::size).filter(|one| one.size() < self.size) {
                    self.accept(pass.name(), candidate);
                }
                Flow::Break(end)
            }
            None => Flow::Continue(tried),
        }
    }

    fn accept(&mut self, pass: &'static str, candidate: S) {
        let size = candidate.size();
        self.measures.of(pass).tokens += self.size.tokens.saturating_sub(size.tokens);
        (self.best, self.size) = (candidate, size);
        self.version += 1;
        if !self.quiet {
            self.tell();
        }
    }

    fn tell(&mut self) {
        self.measures.progress.push((self.start.elapsed(), self.measures.tests, self.size));
        (self.watch)(Event::Better(&self.best, self.size));
    }

    /// Tries the changes of a pass that grows, one at a time, each with what the other passes make of it.
    fn grow(&mut self, number: usize) -> Flow {
        let pass = self.passes[number];
        self.settle();
        let mut at = 0;
        // After a success the list is another one; what stood before did not help.
        loop {
            let proposals = pass.proposals(&self.best);
            let Some(proposal) = proposals.get(at) else { break };
            self.check()?;
            (self.watch)(Event::Pass(pass.name()));
            at += 1;
            let chunk = [vec![proposal.clone()]];
            let Some(Tried::Yes(candidate)) = self.test(pass, &chunk)?.pop() else { continue };
            let before = (self.best.clone(), self.size, self.version, self.done.clone());
            self.quiet = true;
            self.most = self.measures.tests + AFTER_GROWTH;
            self.accept(pass.name(), candidate);
            let after = self.shrink();
            (self.quiet, self.most) = (false, u64::MAX);
            if self.size < before.1 {
                self.tell();
                at -= 1;
            } else {
                (self.best, self.size, self.version, self.done) = before;
            }
            if let ControlFlow::Break(end) = after
                && end != End::Limit
            {
                return Flow::Break(end);
            }
        }
        self.done[number] = Some(self.version);
        Flow::Continue(())
    }

    /// All passes that do not grow, until nothing changes.
    fn shrink(&mut self) -> Flow {
        loop {
            let before = self.version;
            self.settle();
            for number in 0..self.passes.len() {
                let pass = self.passes[number];
                if !pass.grows() && self.done[number] != Some(self.version) && self.pass(pass, 0)? {
                    self.done[number] = Some(self.version);
                }
            }
            if self.version == before {
                return Flow::Continue(());
            }
        }
    }

    /// Whether to go on.
    fn check(&self) -> Flow {
        let limits = self.limits;
        if limits.stop.load(Ordering::SeqCst) {
            Flow::Break(End::Stopped)
        } else if !self.quiet && self.size.tokens <= limits.tokens {
            Flow::Break(End::SmallEnough)
        } else if limits.time.is_some_and(|time| self.start.elapsed() >= time)
            || limits.tests.is_some_and(|tests| self.measures.tests >= tests)
            || self.measures.tests >= self.most
        {
            Flow::Break(End::Limit)
        } else {
            Flow::Continue(())
        }
    }
}

fn weight<P: Proposal>(chunk: &[P]) -> u64 {
    chunk.iter().map(Proposal::weight).sum()
}

/// A set in two parts of about the same weight, neither empty.
fn halves<P: Proposal>(chunk: Chunk<P>) -> [Chunk<P>; 2] {
    let half = weight(&chunk) / 2;
    let (mut sum, mut at) = (0, 0);
    while at < chunk.len() && sum + chunk[at].weight() <= half {
        sum += chunk[at].weight();
        at += 1;
    }
    let at = at.clamp(1, chunk.len() - 1);
    let mut first = chunk;
    let second = first.split_off(at);
    [first, second]
}
