//! What a run did, statement by statement: for EMI, repair and coverage.
//!
//! A profile counts how often each statement, function and branch was reached and, at sampled visits of a statement,
//! which values the integer objects in scope had: scalars, members, bit-fields, array elements, also of unions and of
//! static objects. Sets are exact up to a cap; beyond it an interval remains.

use howler_lang::id::Id;
use howler_lang::program::{FuncId, ObjId, StmtId};
use std::collections::{BTreeMap, BTreeSet};

/// What to observe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProfileOptions {
    /// Of how many visits of a statement one is sampled: 1 samples all, 10 is probability 0.1, 0 samples none.
    pub one_in: u32,
    /// How many values of one object at one statement are kept exactly.
    pub values: usize,
    /// How many elements of an array and fields of a struct are looked at.
    pub parts: usize,
    /// How many objects of file scope are looked at at one visit; the next visit goes on with the next ones. There are
    /// many of them, and few change between two visits.
    pub globals: usize,
    /// Which visits are sampled.
    pub seed: u64,
}

impl Default for ProfileOptions {
    fn default() -> ProfileOptions {
        ProfileOptions { one_in: 10, values: 16, parts: 16, globals: 1, seed: 1 }
    }
}

/// What was observed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Profile {
    /// How often each statement was reached; those that never were are not here.
    pub statements: BTreeMap<StmtId, u64>,
    /// How often each function was entered.
    pub functions: BTreeMap<FuncId, u64>,
    /// For each condition of an `if`, loop, `?:`, `&&` or `||`, by the place of its jump: how often it held and did not.
    pub branches: BTreeMap<(FuncId, u32), (u64, u64)>,
    /// At sampled visits of a statement, the values of a part of an object.
    pub values: BTreeMap<(StmtId, ObjId, Part), Observed>,
}

/// A part of an object that holds an integer. Members of a union overlap, and have parts of their own if they differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part {
    /// Where it starts, in bits from the start of the object.
    pub bit: u64,
    /// How many bits it has.
    pub width: u32,
    /// Whether it is signed.
    pub signed: bool,
}

/// The values an integer had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// Every value, while there are few.
    pub values: Option<BTreeSet<i128>>,
    /// The smallest.
    pub least: i128,
    /// The largest.
    pub greatest: i128,
    /// Whether it had no value at some visit.
    pub unset: bool,
}

impl Observed {
    /// Adds what another observation saw; beyond `cap` values only the interval stays.
    pub fn add(&mut self, other: &Observed, cap: usize) {
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
        self.unset |= other.unset;
        self.values = match (self.values.take(), &other.values) {
            (Some(mut own), Some(more)) => {
                own.extend(more);
                (own.len() <= cap).then_some(own)
            }
            _ => None,
        };
    }

    /// Whether it had one value at every visit.
    pub fn constant(&self) -> Option<i128> {
        (self.least == self.greatest && !self.unset).then_some(self.least)
    }
}

impl Profile {
    /// Adds the profile of another run.
    pub fn add(&mut self, other: &Profile, cap: usize) {
        for (&key, &count) in &other.statements {
            *self.statements.entry(key).or_default() += count;
        }
        for (&key, &count) in &other.functions {
            *self.functions.entry(key).or_default() += count;
        }
        for (&key, &(held, not)) in &other.branches {
            let entry = self.branches.entry(key).or_default();
            entry.0 += held;
            entry.1 += not;
        }
        for (&key, observed) in &other.values {
            self.observe(key, observed, cap);
        }
    }

    fn observe(&mut self, key: (StmtId, ObjId, Part), observed: &Observed, cap: usize) {
        match self.values.get_mut(&key) {
            Some(known) => known.add(observed, cap),
            None => {
                self.values.insert(key, observed.clone());
            }
        }
    }
}

/// An [`Observed`] in the making. Most parts have one value at a statement: that takes no allocation.
#[derive(Debug)]
struct Seen {
    least: i128,
    greatest: i128,
    unset: bool,
    /// The values if there are two or more, sorted; none if there are too many.
    exact: Option<Vec<i128>>,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen { least: i128::MAX, greatest: i128::MIN, unset: false, exact: Some(Vec::new()) }
    }
}

impl Seen {
    fn see(&mut self, value: Option<i128>, cap: usize) {
        let Some(value) = value else {
            self.unset = true;
            return;
        };
        let one = self.least == self.greatest;
        if one && value == self.least {
            return;
        }
        if let Some(exact) = &mut self.exact {
            if one {
                exact.push(self.least);
            }
            if self.least <= self.greatest
                && let Err(at) = exact.binary_search(&value)
            {
                exact.insert(at, value);
            }
            if exact.len() > cap {
                self.exact = None;
            }
        }
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    fn observed(self) -> Observed {
        let Seen { least, greatest, unset, exact } = self;
        let values = match exact {
            Some(_) if least == greatest => Some(BTreeSet::from([least])),
            exact => exact.map(BTreeSet::from_iter),
        };
        Observed { values, least, greatest, unset }
    }
}

/// A profile in the making: counters by index, as the run needs them.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub options: ProfileOptions,
    statements: Vec<u64>,
    functions: BTreeMap<FuncId, u64>,
    branches: rustc_hash::FxHashMap<(FuncId, u32), (u64, u64)>,
    values: rustc_hash::FxHashMap<(StmtId, ObjId, Part), Seen>,
    /// Where the next visit goes on with the objects of file scope.
    pub next_global: usize,
    state: u64,
}

impl Recorder {
    pub fn new(options: ProfileOptions, statements: usize) -> Recorder {
        Recorder {
            options,
            statements: vec![0; statements],
            functions: BTreeMap::new(),
            branches: rustc_hash::FxHashMap::default(),
            values: rustc_hash::FxHashMap::default(),
            next_global: 0,
            state: options.seed | 1,
        }
    }

    /// Counts a visit of a statement; whether it is sampled.
    #[inline]
    pub fn visit(&mut self, stmt: StmtId) -> bool {
        self.statements[stmt.index()] += 1;
        if self.options.one_in <= 1 {
            return self.options.one_in == 1;
        }
        // xorshift: cheap, and the same in every run with this seed.
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.is_multiple_of(u64::from(self.options.one_in))
    }

    pub fn enter(&mut self, func: FuncId) {
        *self.functions.entry(func).or_default() += 1;
    }

    #[inline]
    pub fn branch(&mut self, func: FuncId, at: u32, holds: bool) {
        let entry = self.branches.entry((func, at)).or_default();
        if holds { entry.0 += 1 } else { entry.1 += 1 }
    }

    pub fn value(&mut self, stmt: StmtId, object: ObjId, part: Part, value: Option<i128>) {
        let cap = self.options.values;
        self.values.entry((stmt, object, part)).or_default().see(value, cap);
    }

    pub fn finish(self) -> Profile {
        let counted = self.statements.iter().enumerate().filter(|(_, count)| **count > 0);
        Profile {
            statements: counted.map(|(index, &count)| (StmtId::from_index(index), count)).collect(),
            functions: self.functions,
            branches: self.branches.into_iter().collect(),
            values: self.values.into_iter().map(|(key, seen)| (key, seen.observed())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(values: &[Option<i128>], cap: usize) -> Observed {
        let mut seen = Seen::default();
        values.iter().for_each(|&value| seen.see(value, cap));
        seen.observed()
    }

    #[test]
    fn many_values_become_an_interval() {
        let mut all = observed(&[Some(3)], 2);
        for value in [5, -7, 3] {
            all.add(&observed(&[Some(value)], 2), 2);
        }
        assert_eq!((all.values.clone(), all.least, all.greatest), (None, -7, 5));
        assert_eq!(all.constant(), None);
        assert_eq!(all, observed(&[Some(3), Some(5), Some(-7), Some(3)], 2));
        assert_eq!(observed(&[Some(4), Some(4)], 2).constant(), Some(4));
        assert_eq!(observed(&[Some(9), Some(4), Some(9)], 2).values, Some(BTreeSet::from([4, 9])));
        let none = observed(&[None], 2);
        assert!(none.unset && none.values == Some(BTreeSet::new()) && none.constant().is_none());
    }
}
