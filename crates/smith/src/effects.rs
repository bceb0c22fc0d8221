//! What expressions read and write, and whether two of them may stand side by side without an order.

use crate::place::{Leaf, Leaves};

/// What one evaluation does: it reads or writes leaves, or calls a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    Read(Leaf, Leaf),
    Write(Leaf, Leaf),
    /// A function, by its place among those that are made.
    Call(u32),
}

/// What a function reads and writes of what was there before it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Touched {
    reads: Vec<u64>,
    writes: Vec<u64>,
}

impl Touched {
    pub(crate) fn read(&mut self, from: Leaf, to: Leaf) {
        (from.0..to.0).for_each(|leaf| set(&mut self.reads, leaf));
    }

    pub(crate) fn write(&mut self, from: Leaf, to: Leaf) {
        (from.0..to.0).for_each(|leaf| set(&mut self.writes, leaf));
    }

    /// Whether it writes one of these.
    pub(crate) fn writes_one(&self, leaves: impl IntoIterator<Item = Leaf>) -> bool {
        leaves.into_iter().any(|leaf| has(&self.writes, leaf.0))
    }

    pub(crate) fn add(&mut self, other: &Touched) {
        merge(&mut self.reads, &other.reads);
        merge(&mut self.writes, &other.writes);
    }

    fn reads_any(&self, from: Leaf, to: Leaf) -> bool {
        (from.0..to.0).any(|leaf| has(&self.reads, leaf))
    }

    fn writes_any(&self, from: Leaf, to: Leaf) -> bool {
        (from.0..to.0).any(|leaf| has(&self.writes, leaf))
    }

    fn clashes(&self, other: &Touched) -> bool {
        let meet = |one: &[u64], two: &[u64]| one.iter().zip(two).any(|(one, two)| one & two != 0);
        meet(&self.writes, &other.reads)
            || meet(&self.writes, &other.writes)
            || meet(&self.reads, &other.writes)
    }

    /// Forgets what was made after a point: it is nobody else's.
    pub(crate) fn only_before(&mut self, keep: impl Fn(Leaf) -> bool) {
        for bits in [&mut self.reads, &mut self.writes] {
            for (at, word) in bits.iter_mut().enumerate() {
                let mut rest = *word;
                while rest != 0 {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    if !keep(Leaf(at as u32 * 64 + bit)) {
                        *word &= !(1 << bit);
                    }
                }
            }
            while bits.last() == Some(&0) {
                bits.pop();
            }
        }
    }
}

fn set(bits: &mut Vec<u64>, at: u32) {
    let word = at as usize / 64;
    if bits.len() <= word {
        bits.resize(word + 1, 0);
    }
    bits[word] |= 1 << (at % 64);
}

fn has(bits: &[u64], at: u32) -> bool {
    bits.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

fn merge(bits: &mut Vec<u64>, other: &[u64]) {
    if bits.len() < other.len() {
        bits.resize(other.len(), 0);
    }
    bits.iter_mut().zip(other).for_each(|(bits, other)| *bits |= other);
}

/// The deeds of the expression under construction, in the order they were made, and which of them have no order with what
/// is made now.
#[derive(Default)]
pub(crate) struct Log {
    deeds: Vec<Deed>,
    /// Ranges of deeds that the next ones stand beside.
    rivals: Vec<(usize, usize)>,
}

impl Log {
    /// A new full expression begins.
    pub(crate) fn clear(&mut self) {
        self.deeds.clear();
        self.rivals.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.deeds.len()
    }

    pub(crate) fn push(&mut self, deed: Deed) {
        self.deeds.push(deed);
    }

    /// What was done since `start` stands beside what comes until [`Log::with`].
    pub(crate) fn beside(&mut self, start: usize) {
        self.rivals.push((start, self.deeds.len()));
    }

    pub(crate) fn with(&mut self) {
        self.rivals.pop();
    }

    fn rivals(&self) -> impl Iterator<Item = &Deed> {
        self.rivals.iter().flat_map(|&(start, end)| &self.deeds[start..end])
    }

    pub(crate) fn may_read(&self, (from, to): Leaves, touched: impl Fn(u32) -> bool) -> bool {
        self.rivals().all(|deed| match *deed {
            Deed::Read(..) => true,
            Deed::Write(first, end) => end <= from || to <= first,
            Deed::Call(func) => !touched(func),
        })
    }

    pub(crate) fn may_write(&self, (from, to): Leaves, touched: impl Fn(u32) -> bool) -> bool {
        self.rivals().all(|deed| match *deed {
            Deed::Read(first, end) | Deed::Write(first, end) => end <= from || to <= first,
            Deed::Call(func) => !touched(func),
        })
    }

    /// Whether an assignment may store what was made since `start`. Reads and calls in it come before the store (C17
    /// 6.5.16p3), but assignments in it do not.
    pub(crate) fn may_store(&self, start: usize, (from, to): Leaves) -> bool {
        self.deeds[start..].iter().all(|deed| match *deed {
            Deed::Write(first, end) => end <= from || to <= first,
            Deed::Read(..) | Deed::Call(_) => true,
        })
    }

    /// Whether a function may be called that touches this.
    pub(crate) fn may_call(&self, touched: &Touched, of: impl Fn(u32, &Touched) -> bool) -> bool {
        self.rivals().all(|deed| match *deed {
            Deed::Read(from, to) => !touched.writes_any(from, to),
            Deed::Write(from, to) => !touched.writes_any(from, to) && !touched.reads_any(from, to),
            Deed::Call(func) => !of(func, touched),
        })
    }
}

pub(crate) fn clash(one: &Touched, two: &Touched) -> bool {
    one.clashes(two)
}

pub(crate) fn reads(touched: &Touched, (from, to): Leaves) -> bool {
    touched.reads_any(from, to)
}

pub(crate) fn writes(touched: &Touched, (from, to): Leaves) -> bool {
    touched.writes_any(from, to)
}
