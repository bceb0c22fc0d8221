//! Where the results of an operator on ranges are gathered: runs of the result's type and kinds of undefined cases.

use super::super::{Num, Undefined};
use super::fault::{Faults, Kinds};
use super::lift::Lifted;
use super::run::{self, Order, Run};
use super::{Limits, ValueSet};

/// An image in the making. It only grows: what is added may overlap.
pub(super) struct Image {
    num: Num,
    order: Order,
    runs: Vec<Run>,
    kinds: Kinds,
}

impl Image {
    pub(super) fn new(num: Num) -> Image {
        Image { num, order: Order::of(num), runs: Vec::new(), kinds: Kinds::default() }
    }

    /// Some operands are undefined in this way, or may be.
    pub(super) fn fault(&mut self, kind: Undefined) {
        self.kinds.insert(kind);
    }

    /// The keys from `low` to `high`; none if `low` is greater.
    pub(super) fn add(&mut self, low: u128, high: u128) {
        if low <= high {
            self.runs.push(Run { low, high });
        }
    }

    /// Everything.
    pub(super) fn add_all(&mut self) {
        self.runs.push(self.order.all());
    }

    /// The numbers from `low` to `high`, which a signed type must hold.
    pub(super) fn add_numbers(&mut self, low: i128, high: i128) {
        if low <= high {
            self.add(self.order.key_of(low), self.order.key_of(high));
        }
    }

    /// A value and the `span` values that follow it modulo 2^N (C17 6.2.5p9, 6.3.1.3). Keys wrap where values do, so
    /// this is right for signed types too.
    pub(super) fn add_wrapping(&mut self, start: u128, span: u128) {
        let mask = self.order.mask;
        if span >= mask {
            return self.add_all();
        }
        let low = self.order.key(start);
        let high = low.wrapping_add(span) & mask;
        if low <= high {
            self.add(low, high);
        } else {
            self.add(low, mask);
            self.add(0, high);
        }
    }

    /// The truth values that are possible (C17 6.5.3.3p5, 6.5.8p6, 6.5.9p3, 6.5.13p3, 6.5.14p3).
    pub(super) fn add_truth(&mut self, may_be_false: bool, may_be_true: bool) {
        for (value, possible) in [(0, may_be_false), (1, may_be_true)] {
            if possible {
                let key = self.order.key(value);
                self.add(key, key);
            }
        }
    }

    /// The image as a set. Without a run nothing was defined: every transfer adds at least what can come out.
    pub(super) fn finish(self, limits: &Limits) -> Lifted {
        let faults = Faults::ranged(self.kinds, !self.runs.is_empty());
        let (values, _) = ValueSet::of_runs(limits, self.num, run::normal(self.runs));
        Lifted { values, exact: false, faults }
    }
}
