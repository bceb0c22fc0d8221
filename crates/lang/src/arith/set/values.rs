//! A set of values of one type: how it is made, asked, joined and cut. What operators do to it is in `lift`.

use super::super::int::sign_extend;
use super::super::{Format, Num};
use super::Limits;
use super::run::{self, Order, Run};
use std::fmt;

/// A set of values of one arithmetic type. Values are bits, as everywhere in [`super::super`].
///
/// Sets that have the same members are equal, whatever limits they were made under.
///
/// ```
/// use howler_lang::arith::Num;
/// use howler_lang::arith::set::{Limits, ValueSet};
/// let limits = Limits::default();
/// let set = ValueSet::of(&limits, Num::INT, [3, 1, 2, 0xffff_ffff]);
/// assert_eq!(set.to_string(), "{-1, 1..3}");
/// assert_eq!((set.min(), set.max()), (Some(0xffff_ffff), Some(3)));
/// assert!(set.contains(2) && !set.contains(0));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ValueSet {
    /// Its width is from 1 to 128.
    num: Num,
    /// Sorted, and between two runs there is always a gap.
    runs: Vec<Run>,
}

impl ValueSet {
    /// The set of nothing.
    pub fn empty(num: Num) -> ValueSet {
        ValueSet { num: in_range(num), runs: Vec::new() }
    }

    /// Every value of a type, for a floating type every encoding.
    pub fn full(num: Num) -> ValueSet {
        ValueSet { num: in_range(num), runs: vec![Order::of(num).all()] }
    }

    /// One value.
    pub fn single(num: Num, value: u128) -> ValueSet {
        ValueSet { num: in_range(num), runs: vec![Run::single(Order::of(num).key(value))] }
    }

    /// The set of some values, or more if they are many.
    pub fn of(limits: &Limits, num: Num, values: impl IntoIterator<Item = u128>) -> ValueSet {
        let order = Order::of(num);
        let keys = values.into_iter().map(|value| order.key(value)).collect();
        ValueSet::of_runs(limits, num, run::of_keys(keys)).0
    }

    /// The integers from `low` to `high`, both included, in the order of the type; none if `low` is greater. A floating
    /// type has no such ranges: the set is full.
    ///
    /// ```
    /// use howler_lang::arith::Num;
    /// use howler_lang::arith::set::ValueSet;
    /// assert_eq!(ValueSet::between(Num::INT, 0xffff_fffe, 2).to_string(), "{-2..2}");
    /// ```
    pub fn between(num: Num, low: u128, high: u128) -> ValueSet {
        if matches!(num, Num::Float(_)) {
            return ValueSet::full(num);
        }
        let order = Order::of(num);
        let run = Run { low: order.key(low), high: order.key(high) };
        let runs = if run.low <= run.high { vec![run] } else { Vec::new() };
        ValueSet { num: in_range(num), runs }
    }

    /// A set within the limits, and whether it has more members than the runs.
    pub(super) fn of_runs(limits: &Limits, num: Num, mut runs: Vec<Run>) -> (ValueSet, bool) {
        let fits =
            usize::try_from(run::count(&runs)).is_ok_and(|count| count <= limits.values) || runs.is_empty();
        let more = match num {
            _ if fits => false,
            Num::Float(_) => {
                let all = [Order::of(num).all()];
                let more = runs != all;
                runs = all.to_vec();
                more
            }
            _ => run::coarsen(&mut runs, limits.most_ranges()),
        };
        (ValueSet { num: in_range(num), runs }, more)
    }

    /// The type of the members.
    pub fn num(&self) -> Num {
        self.num
    }

    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// How many members there are; all 2^128 values of a type are one more than this can say.
    pub fn len(&self) -> u128 {
        run::count(&self.runs)
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether every value of the type is a member.
    pub fn is_full(&self) -> bool {
        self.runs == [Order::of(self.num).all()]
    }

    /// Whether a value is a member.
    pub fn contains(&self, value: u128) -> bool {
        run::contains(&self.runs, Order::of(self.num).key(value))
    }

    /// Whether every member is one of `other` too.
    pub fn is_subset(&self, other: &ValueSet) -> bool {
        self.num == other.num && run::intersection(&self.runs, &other.runs) == self.runs
    }

    /// The member, if there is exactly one.
    pub fn as_single(&self) -> Option<u128> {
        match self.runs[..] {
            [run] if run.low == run.high => Some(Order::of(self.num).bits(run.low)),
            _ => None,
        }
    }

    /// The smallest member; none of a floating set.
    pub fn min(&self) -> Option<u128> {
        self.ranges().next().map(|(low, _)| low)
    }

    /// The largest member; none of a floating set.
    pub fn max(&self) -> Option<u128> {
        self.ranges().last().map(|(_, high)| high)
    }

    /// The ranges of consecutive members, as their ends, in order; none of a floating set.
    pub fn ranges(&self) -> impl Iterator<Item = (u128, u128)> {
        let order = Order::of(self.num);
        let runs = if matches!(self.num, Num::Float(_)) { &[] } else { &self.runs[..] };
        runs.iter().map(move |run| (order.bits(run.low), order.bits(run.high)))
    }

    /// The members, integers in the order of their type. There may be very many: see [`ValueSet::len`].
    ///
    /// ```
    /// use howler_lang::arith::Num;
    /// use howler_lang::arith::set::ValueSet;
    /// let char = Num::Int { width: 8, signed: true };
    /// assert!(ValueSet::full(char).values().take(2).eq([0x80, 0x81]));
    /// ```
    pub fn values(&self) -> impl Iterator<Item = u128> + Clone {
        let order = Order::of(self.num);
        self.runs.iter().flat_map(move |run| (run.low..=run.high).map(move |key| order.bits(key)))
    }

    /// Whether some member compares unequal to 0 (`truth`), or some member compares equal to it (not `truth`).
    ///
    /// ```
    /// use howler_lang::arith::Num;
    /// use howler_lang::arith::set::ValueSet;
    /// let positive = ValueSet::between(Num::INT, 1, 9);
    /// assert!(positive.may_be(true) && !positive.may_be(false));
    /// ```
    pub fn may_be(&self, truth: bool) -> bool {
        // C17 6.5.3.3p5, 6.8.4.1p2: -0.0 compares equal to 0 too.
        let negative_zero = match self.num {
            Num::Float(format) => self.contains(format.sign_bit()),
            _ => false,
        };
        let zeros = u128::from(self.contains(0)) + u128::from(negative_zero);
        if truth { self.len() > zeros } else { zeros > 0 }
    }

    /// The members of either, or more. Both must have one type: debug builds panic if they do not, others answer the
    /// full set of this one's.
    ///
    /// ```
    /// use howler_lang::arith::Num;
    /// use howler_lang::arith::set::{Limits, ValueSet};
    /// let (low, high) = (ValueSet::between(Num::INT, 0, 4), ValueSet::between(Num::INT, 5, 1000));
    /// assert_eq!(low.join(&Limits::default(), &high).to_string(), "{0..1000}");
    /// ```
    #[must_use]
    pub fn join(&self, limits: &Limits, other: &ValueSet) -> ValueSet {
        debug_assert!(self.num == other.num, "a join of sets of different types");
        if self.num != other.num {
            return ValueSet::full(self.num);
        }
        let runs = self.runs.iter().chain(&other.runs).copied().collect();
        ValueSet::of_runs(limits, self.num, run::normal(runs)).0
    }

    /// The members of both, or more if they are many. Sets of different types have none in common.
    ///
    /// ```
    /// use howler_lang::arith::Num;
    /// use howler_lang::arith::set::{Limits, ValueSet};
    /// let (any, small) = (ValueSet::full(Num::INT), ValueSet::between(Num::INT, 0, 9));
    /// assert_eq!(any.meet(&Limits::default(), &small), small);
    /// ```
    #[must_use]
    pub fn meet(&self, limits: &Limits, other: &ValueSet) -> ValueSet {
        if self.num != other.num {
            return ValueSet::empty(self.num);
        }
        ValueSet::of_runs(limits, self.num, run::intersection(&self.runs, &other.runs)).0
    }

    /// The members that `other` has not, or more if they are many: never fewer, so a value may stay that was to go.
    ///
    /// ```
    /// use howler_lang::arith::Num;
    /// use howler_lang::arith::set::{Limits, ValueSet};
    /// let divisor = ValueSet::between(Num::INT, 0xffff_ffff, 2);
    /// let zero = ValueSet::single(Num::INT, 0);
    /// assert_eq!(divisor.without(&Limits::default(), &zero).to_string(), "{-1, 1..2}");
    /// ```
    #[must_use]
    pub fn without(&self, limits: &Limits, other: &ValueSet) -> ValueSet {
        if self.num != other.num {
            return self.clone();
        }
        let kept = run::complement(&other.runs, Order::of(self.num));
        ValueSet::of_runs(limits, self.num, run::intersection(&self.runs, &kept)).0
    }
}

/// The type with a width that it can have.
fn in_range(num: Num) -> Num {
    match num {
        Num::Int { width, signed } => Num::Int { width: width.clamp(1, 128), signed },
        _ => num,
    }
}

impl fmt::Display for ValueSet {
    /// Integers in decimal; floating values in C's spelling if they have one, else their encoding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = Order::of(self.num);
        if matches!(self.num, Num::Float(_)) && self.is_full() {
            return f.write_str("{any}");
        }
        f.write_str("{")?;
        for (index, run) in self.runs.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write_value(f, self.num, order.bits(run.low))?;
            if run.low != run.high {
                f.write_str("..")?;
                write_value(f, self.num, order.bits(run.high))?;
            }
        }
        f.write_str("}")
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, num: Num, bits: u128) -> fmt::Result {
    let spelling = |format: Format| super::super::print_float(bits, format);
    match num {
        Num::Int { signed: true, .. } => write!(f, "{}", sign_extend(num.width(), bits)),
        Num::Int { .. } | Num::Bool => write!(f, "{bits}"),
        Num::Float(format) => match spelling(format) {
            Some(text) => f.write_str(&text),
            None => write!(f, "{bits:#x}"),
        },
    }
}

impl fmt::Debug for ValueSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {self}", self.num)
    }
}
