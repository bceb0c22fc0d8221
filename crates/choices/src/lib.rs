//! Seeded, named, recordable decisions: the only randomness in Howler.
//!
//! A [`Choices`] answers questions ("how many?", "which one?") from a seed. The same seed gives the same answers
//! on every machine and in every version: the algorithm is written out in `stream.rs` and never changes.
//!
//! - Every decision **names itself**, so that a [record](record::Record) of a run can be read, edited and
//!   [replayed](Choices::replay), and weights can live in [data](weights::WeightTables).
//! - A **sub-stream** ([`Choices::sub`]) depends on its labels alone: a new decision in one corner does not
//!   reshuffle the rest.
//! - **Zero is the simplest answer**: the low end, the first item, `false`. With [`Choices::with_fuel`], every
//!   decision after the first `n` gets it, which bisects a generation; running out means "finish small".
//!
//! Plain decisions and sub-streams allocate nothing. This crate reads no clock, no file and no global.
//!
//! ```
//! use howler_choices::Choices;
//!
//! let mut choices = Choices::new(42);
//! let mut body = choices.sub("body");
//! let statements = body.range("statements", 1..=4);
//! for index in 0..statements {
//!     let mut statement = body.sub_indexed("statement", index);
//!     let _is_loop = statement.chance("loop", 1, 3);
//! }
//! assert_eq!(statements, Choices::new(42).sub("body").range("statements", 1..=4));
//! ```
#![deny(missing_docs)]

mod integer;
pub mod record;
mod stream;
mod watch;
pub mod weights;

use crate::integer::Integer;
use crate::record::{Divergence, Record};
use crate::stream::Stream;
use crate::watch::Watch;
use crate::weights::Weights;
use std::ops::RangeInclusive;

/// A stream of decisions. It is `Send` and not `Clone`: each worker has its own, and no two draw the same.
///
/// ```
/// use howler_choices::Choices;
/// let mut choices = Choices::new(7);
/// assert!((1..=6).contains(&choices.range("die", 1..=6)));
/// ```
pub struct Choices {
    key: u64,
    stream: Stream,
    /// Present when decisions are recorded, replayed or counted.
    watch: Option<Watch>,
}

impl Choices {
    /// The decisions of `seed`.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let (mut one, mut two) = (Choices::new(7), Choices::new(7));
    /// assert_eq!(one.bits("word", 64), two.bits("word", 64));
    /// ```
    pub fn new(seed: u64) -> Choices {
        Choices { key: seed, stream: Stream::new(seed), watch: None }
    }

    /// The same decisions as [`Choices::new`], kept in a record that [`Choices::record`] hands out.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut choices = Choices::recording(7);
    /// let size = choices.range("size", 10..=20);
    /// let record = choices.record().expect("recording");
    /// assert_eq!(record.decisions()[0].name, "size");
    /// assert_eq!(record.decisions()[0].value, size - 10);
    /// ```
    pub fn recording(seed: u64) -> Choices {
        Choices { watch: Some(Watch::recording(seed)), ..Choices::new(seed) }
    }

    /// The decisions of a record, in every sub-stream it has.
    ///
    /// A question that the record does not answer (it has no more decisions for this stream, the next one has
    /// another name, or its value is not possible here) gets the simplest answer, and [`Choices::divergence`]
    /// tells. A replay records too: after a divergence, its [`Choices::record`] is what really happened.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut first = Choices::recording(7);
    /// let size = first.range("size", 10..=20);
    /// let mut again = Choices::replay(&first.record().expect("recording"));
    /// assert_eq!(again.range("size", 10..=20), size);
    /// assert_eq!(again.divergence(), None);
    /// ```
    pub fn replay(record: &Record) -> Choices {
        Choices { watch: Some(Watch::replaying(record)), ..Choices::new(record.seed()) }
    }

    /// Lets the first `fuel` decisions be; every later one, in any sub-stream made from here on, gets the simplest
    /// answer. Bisecting on `fuel` finds the decision that makes the difference.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut choices = Choices::new(7).with_fuel(1);
    /// assert_eq!(choices.bits("a", 64), Choices::new(7).bits("a", 64));
    /// assert_eq!(choices.bits("b", 64), 0);
    /// assert_eq!(choices.range("c", 3..=9), 3);
    /// assert!(choices.out_of_fuel());
    /// ```
    #[must_use]
    pub fn with_fuel(mut self, fuel: u64) -> Choices {
        self.watch.get_or_insert_with(Watch::silent).set_fuel(fuel);
        self
    }

    /// The sub-stream `label`. It depends on the seed and on the labels that lead to it, not on the decisions
    /// made before, and making it is no decision.
    ///
    /// The same label asked for twice gives the same stream twice: in a loop, use [`Choices::sub_indexed`].
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut choices = Choices::new(7);
    /// let early = choices.sub("types").bits("word", 64);
    /// choices.range("a new decision", 0..=9);
    /// let late = choices.sub("types").bits("word", 64);
    /// assert_eq!(early, late);
    /// assert_ne!(early, choices.sub("names").bits("word", 64));
    /// ```
    pub fn sub(&self, label: &'static str) -> Choices {
        self.child(label, None)
    }

    /// The `index`-th of the sub-streams `label`.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let choices = Choices::new(7);
    /// let mut third = choices.sub_indexed("function", 3);
    /// let mut fourth = choices.sub_indexed("function", 4);
    /// assert_ne!(third.bits("word", 64), fourth.bits("word", 64));
    /// ```
    pub fn sub_indexed(&self, label: &'static str, index: u64) -> Choices {
        self.child(label, Some(index))
    }

    fn child(&self, label: &'static str, index: Option<u64>) -> Choices {
        let key = stream::sub_key(self.key, label, index);
        let watch = self.watch.as_ref().map(|watch| watch.child(label, index));
        Choices { key, stream: Stream::new(key), watch }
    }

    /// A number of a closed range, each equally likely. The simplest is the low end.
    ///
    /// An empty range is a mistake of the caller: debug builds panic, others answer the low end.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut choices = Choices::new(7);
    /// let shift: u64 = choices.range("shift", 0..=63);
    /// let value: i128 = choices.range("value", i128::MIN..=i128::MAX);
    /// let index: usize = choices.range("index", 0..=9);
    /// assert!(shift < 64 && index < 10);
    /// # let _ = value;
    /// ```
    #[inline]
    pub fn range<T: Integer>(&mut self, name: &'static str, range: RangeInclusive<T>) -> T {
        let (low, high) = range.into_inner();
        debug_assert!(low <= high, "decision `{name}` over an empty range");
        let width = if low <= high { high.distance_from(low) } else { 0 };
        low.advanced_by(self.decide(name, width, |stream| stream.up_to(width)))
    }

    /// A number of `count` random bits (128 at most). The simplest is 0.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// assert!(Choices::new(7).bits("byte", 8) < 256);
    /// ```
    #[inline]
    pub fn bits(&mut self, name: &'static str, count: u32) -> u128 {
        let max = if count == 0 { 0 } else { u128::MAX >> 128u32.saturating_sub(count) };
        self.decide(name, max, |stream| stream.up_to(max))
    }

    /// `true` in `numerator` of `denominator` cases. The simplest is `false`.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut choices = Choices::new(7);
    /// assert!(!choices.chance("never", 0, 10));
    /// assert!(choices.chance("always", 10, 10));
    /// let heads = (0..1000).filter(|_| choices.chance("coin", 1, 2)).count();
    /// assert!((400..600).contains(&heads));
    /// ```
    #[inline]
    pub fn chance(&mut self, name: &'static str, numerator: u32, denominator: u32) -> bool {
        if numerator == 0 || denominator == 0 {
            return self.decide(name, 0, |_| 0) == 1;
        }
        let (numerator, last) = (u128::from(numerator), u128::from(denominator - 1));
        self.decide(name, 1, |stream| u128::from(numerator > last || stream.up_to(last) < numerator)) == 1
    }

    /// One item of a slice, each equally likely; `None`, and no decision, if there is none. The simplest is the
    /// first.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut choices = Choices::new(7);
    /// let live = vec!["a", "b"];
    /// assert!(choices.pick("variable", &live).is_some());
    /// assert_eq!(choices.pick::<u8>("variable", &[]), None);
    /// ```
    #[inline]
    pub fn pick<'a, T>(&mut self, name: &'static str, items: &'a [T]) -> Option<&'a T> {
        let last = items.len().checked_sub(1)?;
        Some(&items[self.range(name, 0..=last)])
    }

    /// One item of an array that cannot be empty, each equally likely. The simplest is the first.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let sign = *Choices::new(7).one_of("sign", &['+', '-']);
    /// assert!(sign == '+' || sign == '-');
    /// ```
    #[inline]
    pub fn one_of<'a, T, const N: usize>(&mut self, name: &'static str, items: &'a [T; N]) -> &'a T {
        const { assert!(N > 0, "one_of needs an item") };
        &items[self.range(name, 0..=N - 1)]
    }

    /// An index, as likely as its weight says. The simplest is the first index whose weight is not 0.
    ///
    /// ```
    /// use howler_choices::{Choices, weights::Weights};
    /// let weights = Weights::new(&[0, 3, 1]).expect("a weight is not 0");
    /// let index = Choices::new(7).weighted("kind", &weights);
    /// assert!(index == 1 || index == 2);
    /// ```
    #[inline]
    pub fn weighted(&mut self, name: &'static str, weights: &Weights) -> usize {
        self.weighted_where(name, weights, |_| true).expect("a row of weights has one that is not 0")
    }

    /// An index that `allowed` accepts, as likely as its weight says among those; `None`, and no decision, if
    /// there is none. The simplest is the first such index whose weight is not 0.
    ///
    /// ```
    /// use howler_choices::{Choices, weights::Weights};
    /// let weights = Weights::new(&[5, 3, 1]).expect("a weight is not 0");
    /// let mut choices = Choices::new(7);
    /// assert_eq!(choices.weighted_where("kind", &weights, |index| index == 1), Some(1));
    /// assert_eq!(choices.weighted_where("kind", &weights, |_| false), None);
    /// ```
    #[inline]
    pub fn weighted_where(
        &mut self,
        name: &'static str,
        weights: &Weights,
        allowed: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let open = || weights.positive().filter(|&(index, _)| allowed(index));
        let (count, total) =
            open().fold((0u128, 0u128), |(count, total), (_, weight)| (count + 1, total + weight));
        // What is decided and recorded is the rank among the open indices: rank 0 is always possible.
        let rank = self.decide(name, count.checked_sub(1)?, |stream| {
            let mut left = stream.up_to(total - 1);
            open()
                .position(|(_, weight)| match left.checked_sub(weight) {
                    Some(rest) => {
                        left = rest;
                        false
                    }
                    None => true,
                })
                .expect("the draw is below the sum of the weights") as u128
        });
        let rank = usize::try_from(rank).expect("a rank is below the number of weights");
        open().nth(rank).map(|(index, _)| index)
    }

    /// Puts `items` into an order, each equally likely. The simplest is the order they have. Every item but the
    /// first is a decision.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut items = [1, 2, 3, 4];
    /// Choices::new(7).shuffle("order", &mut items);
    /// items.sort();
    /// assert_eq!(items, [1, 2, 3, 4]);
    /// ```
    pub fn shuffle<T>(&mut self, name: &'static str, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, last - self.range(name, 0..=last));
        }
    }

    /// What was decided so far, in this stream and all its relatives, in the order it happened. `None` unless
    /// this is a recording or a replay.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut choices = Choices::recording(7);
    /// choices.sub("type").bits("width", 3);
    /// assert_eq!(choices.record().expect("recording").decisions().len(), 1);
    /// assert_eq!(Choices::new(7).record(), None);
    /// ```
    pub fn record(&self) -> Option<Record> {
        self.watch.as_ref()?.record()
    }

    /// The first place where a replay did not follow its record, if there was one.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut first = Choices::recording(7);
    /// first.range("size", 10..=20);
    /// let mut again = Choices::replay(&first.record().expect("recording"));
    /// again.range("length", 10..=20);
    /// let divergence = again.divergence().expect("another name");
    /// assert_eq!(
    ///     divergence.to_string(),
    ///     "decision 1 of stream /: the record has `size`, the program asks for `length`"
    /// );
    /// ```
    pub fn divergence(&self) -> Option<Divergence> {
        self.watch.as_ref()?.divergence()
    }

    /// How many recorded decisions the replay has not used. 0 after an exact replay, and if this is none.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let mut first = Choices::recording(7);
    /// first.range("size", 10..=20);
    /// let again = Choices::replay(&first.record().expect("recording"));
    /// assert_eq!(again.unused(), 1);
    /// ```
    pub fn unused(&self) -> usize {
        self.watch.as_ref().map_or(0, Watch::unused)
    }

    /// Whether the fuel is used up, so that every further decision gets the simplest answer. Loops may ask, to
    /// end early; correctness must not depend on it.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// assert!(Choices::new(7).with_fuel(0).out_of_fuel());
    /// assert!(!Choices::new(7).out_of_fuel());
    /// ```
    pub fn out_of_fuel(&self) -> bool {
        self.watch.as_ref().is_some_and(Watch::out_of_fuel)
    }

    /// Every decision goes through here: a number in `0..=max`, 0 the simplest, drawn by `sample`.
    #[inline]
    fn decide(&mut self, name: &'static str, max: u128, sample: impl FnOnce(&mut Stream) -> u128) -> u128 {
        match &self.watch {
            None => sample(&mut self.stream),
            Some(watch) => watch.decide(name, max, || sample(&mut self.stream)),
        }
    }
}
