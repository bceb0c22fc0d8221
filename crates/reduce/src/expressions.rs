//! Minimises a test made of expressions with known values, after §5 of Orange3's paper: expressions are eliminated by
//! binary search, then shrunk from the top and from the bottom, then values and types are simplified, until nothing
//! changes any more.
//!
//! The order of what is tried depends on the subject alone, so the same subject and predicate give the same result. At
//! any time the best so far is known; a stop flag, or a limit of runs or of the work of editing, ends the work with it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// What can be minimised. An edit that is not possible (its result would have no meaning) gives nothing.
pub trait Subject: Clone {
    /// A node of an expression. It keeps its name through edits elsewhere.
    type Node: Copy;
    /// A change of a value, a type or the form.
    type Step;

    /// The numbers of the expressions that are left.
    fn expressions(&self) -> Vec<usize>;
    /// With these expressions replaced by their values.
    fn without(&self, expressions: &[usize]) -> Option<Self>;
    /// The root of an expression, if it has operands.
    fn root(&self, expression: usize) -> Option<Self::Node>;
    /// The operands of a node.
    fn operands(&self, node: Self::Node) -> Vec<Self::Node>;
    /// With a node replaced by its value.
    fn folded(&self, node: Self::Node) -> Option<Self>;
    /// With a node replaced by one of its operands.
    fn hoisted(&self, node: Self::Node, operand: Self::Node) -> Option<Self>;
    /// Changes of values and types that would make it simpler, in the order to try them.
    fn steps(&self) -> Vec<Self::Step>;
    /// With one of these done.
    fn simplified(&self, step: &Self::Step) -> Option<Self>;
    /// How large it is.
    fn size(&self) -> usize;
    /// Equal for equal subjects, so that none is tried twice.
    fn fingerprint(&self) -> u128;
}

/// How to minimise.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// At most this many runs of the predicate.
    pub runs: u64,
    /// At most this much work of making candidates: the sum of the sizes of what was edited, also of edits that were
    /// not possible and need no run.
    pub work: u64,
    /// Ends the work as soon as it is set.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { runs: 10_000, work: 1_000_000_000, stop: None }
    }
}

/// What was done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// Whether the predicate held for the original. If not, nothing was done.
    pub reproduced: bool,
    /// Whether the work came to its end by itself.
    pub finished: bool,
    /// Runs of the predicate, the first included.
    pub runs: u64,
    /// Candidates that had been tried before and were not run again.
    pub known: u64,
    /// Runs by phase.
    pub by_phase: [u64; Phase::ALL.len()],
    /// The size after each success: how many runs it took until then, and the size.
    pub progress: Vec<(u64, usize)>,
}

/// A phase of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Whole expressions are replaced by their values.
    Eliminate,
    /// A node is replaced by one of its operands.
    TopDown,
    /// A node is replaced by its value.
    BottomUp,
    /// Values and types become simpler.
    Simplify,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Phase; 4] = [Phase::Eliminate, Phase::TopDown, Phase::BottomUp, Phase::Simplify];
}

/// Makes `subject` as small as it gets while `fails` holds for it.
///
/// If `fails` does not hold for `subject` itself, it is returned as it is and the log says so.
pub fn minimise<S: Subject>(subject: S, fails: impl FnMut(&S) -> bool, options: &Options<'_>) -> (S, Log) {
    let mut work = Work {
        best: subject,
        fails,
        options: *options,
        tried: BTreeSet::new(),
        size: 0,
        work: 0,
        phase: Phase::Eliminate,
        log: Log::default(),
    };
    work.log.runs = 1;
    work.log.reproduced = (work.fails)(&work.best);
    if work.log.reproduced {
        work.size = work.best.size();
        work.log.progress.push((1, work.size));
        work.flow();
        work.log.finished = !work.is_over();
    }
    (work.best, work.log)
}

struct Work<'a, S, F> {
    best: S,
    fails: F,
    options: Options<'a>,
    /// Fingerprints of what was tried and did not fail.
    tried: BTreeSet<u128>,
    /// That of the best.
    size: usize,
    /// Done so far.
    work: u64,
    phase: Phase,
    log: Log,
}

impl<S: Subject, F: FnMut(&S) -> bool> Work<'_, S, F> {
    /// The paper's figure 15.
    fn flow(&mut self) {
        while !self.is_over() {
            self.eliminate();
            loop {
                let shorter = self.top_down();
                let folded = self.bottom_up();
                if folded && !self.is_over() {
                    continue;
                }
                if !shorter {
                    break;
                }
                self.eliminate();
            }
            if !self.simplify() {
                break;
            }
        }
    }

    /// Whether to stop: asked from outside, or all runs or all work used.
    fn is_over(&self) -> bool {
        let stopped = self.options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.log.runs >= self.options.runs || self.work >= self.options.work
    }

    /// Takes the result of an edit if it fails.
    fn attempt(&mut self, edit: impl FnOnce(&S) -> Option<S>) -> bool {
        if self.is_over() {
            return false;
        }
        self.work += 1 + self.size as u64;
        let Some(candidate) = edit(&self.best) else { return false };
        if !self.tried.insert(candidate.fingerprint()) {
            self.log.known += 1;
            return false;
        }
        self.log.runs += 1;
        self.log.by_phase[self.phase as usize] += 1;
        if !(self.fails)(&candidate) {
            return false;
        }
        self.best = candidate;
        self.size = self.best.size();
        self.log.progress.push((self.log.runs, self.size));
        true
    }

    /// (1) Halves, quarters, eighths of the expressions are replaced by their values.
    fn eliminate(&mut self) {
        self.phase = Phase::Eliminate;
        let all = self.best.expressions();
        // All at once leaves nothing to fail.
        let mut parts = halves(&all);
        while let Some(part) = parts.pop() {
            if !self.attempt(|best| best.without(&part)) && part.len() > 1 && !self.is_over() {
                parts.extend(halves(&part));
            }
        }
    }

    /// (2) Nodes become their operands, roots first. Returns whether one did.
    fn top_down(&mut self) -> bool {
        self.phase = Phase::TopDown;
        let mut any = false;
        for expression in self.best.expressions() {
            while let Some(root) = self.best.root(expression) {
                let operands = self.best.operands(root);
                if !operands.into_iter().any(|operand| self.attempt(|best| best.hoisted(root, operand))) {
                    break;
                }
                any = true;
            }
        }
        any
    }

    /// (3) Nodes become their values: an operand as a whole if it can, else its own operands. What cannot is tried as
    /// one of its operands. Returns whether something changed.
    fn bottom_up(&mut self) -> bool {
        self.phase = Phase::BottomUp;
        let mut any = false;
        for expression in self.best.expressions() {
            let Some(root) = self.best.root(expression) else { continue };
            let mut open = self.best.operands(root);
            open.reverse();
            while let Some(node) = open.pop()
                && !self.is_over()
            {
                if self.attempt(|best| best.folded(node)) {
                    any = true;
                    continue;
                }
                let mut operands = self.best.operands(node);
                if operands.iter().any(|&operand| self.attempt(|best| best.hoisted(node, operand))) {
                    any = true;
                    operands = self.best.operands(node);
                }
                operands.reverse();
                open.extend(operands);
            }
        }
        any
    }

    /// (4) Values and types become simpler. Returns whether one did.
    fn simplify(&mut self) -> bool {
        self.phase = Phase::Simplify;
        let mut any = false;
        let mut next = 0;
        // After a success the list is another one; what stood before did not help and hardly will now.
        while !self.is_over()
            && let Some(step) = self.best.steps().get(next)
        {
            if self.attempt(|best| best.simplified(step)) {
                any = true;
            } else {
                next += 1;
            }
        }
        any
    }
}

/// The two halves of a list, the first one last: lists of work are taken from their end.
fn halves(list: &[usize]) -> Vec<Vec<usize>> {
    let (first, second) = list.split_at(list.len() / 2);
    [second, first].into_iter().filter(|half| !half.is_empty()).map(<[usize]>::to_vec).collect()
}
