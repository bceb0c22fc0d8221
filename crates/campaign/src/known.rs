//! Which signatures are known, and which sighting stands for each: decided the same whatever the order of work.

use std::collections::BTreeMap;

use howler_case::Id;
use howler_store::Mark;

/// Where a sighting was made, in the order in which one is preferred to another: those that can become findings
/// before suspects, then by arm and index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// It can never be more than a suspect.
    pub suspect: bool,
    /// The arm.
    pub arm: Id,
    /// The number of the test.
    pub index: u64,
}

/// What to do about a sighting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Nothing is known of its signature: confirm and keep it.
    First,
    /// Its signature is known from a later test: confirm it, so that it can take that one's place.
    Better,
    /// It is counted, and that is all.
    Counted,
}

/// The signatures known so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    places: BTreeMap<Id, Place>,
    /// How often a sighting of each signature turned out to be none.
    missed: BTreeMap<Id, u32>,
    /// What somebody said of signatures.
    marks: BTreeMap<Id, Mark>,
}

/// Sightings of one signature that are confirmed in vain before it is only counted: signatures of hangs say little, and
/// one that came from a busy machine must not hide all others; but a compiler that dies by chance would keep a hunt busy.
const MISSED: u32 = 8;

impl Known {
    /// Enters a signature that an earlier hunt has dealt with.
    pub fn enter(&mut self, signature: Id, place: Place) {
        let kept = self.places.entry(signature).or_insert(place);
        *kept = (*kept).min(place);
    }

    /// Enters what somebody said of a signature.
    pub fn mark(&mut self, signature: Id, mark: Mark) {
        self.marks.insert(signature, mark);
    }

    /// Whether a finding of this signature is worth telling.
    pub fn is_news(&self, signature: Id) -> bool {
        self.marks.get(&signature).is_none_or(|mark| mark.is_news())
    }

    /// Gives back a signature whose first sighting did not stand for it, so that the next one is looked at.
    pub fn missed(&mut self, signature: Id) {
        let count = self.missed.entry(signature).or_default();
        *count += 1;
        if *count < MISSED {
            self.places.remove(&signature);
        }
    }

    /// Takes a sighting for the caller, unless a better one of its signature is taken.
    pub fn claim(&mut self, signature: Id, place: Place) -> Claim {
        match self.places.get_mut(&signature) {
            _ if self.marks.get(&signature) == Some(&Mark::Ignored) => Claim::Counted,
            None => {
                self.places.insert(signature, place);
                Claim::First
            }
            Some(kept) if place < *kept => {
                *kept = place;
                Claim::Better
            }
            Some(_) => Claim::Counted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_place_wins_in_any_order() {
        let place = |suspect, index| Place { suspect, arm: Id::of(b"arm"), index };
        let signature = Id::of(b"signature");
        let mut known = Known::default();
        assert_eq!(known.claim(signature, place(true, 1)), Claim::First);
        assert_eq!(known.claim(signature, place(true, 2)), Claim::Counted);
        assert_eq!(known.claim(signature, place(false, 9)), Claim::Better);
        assert_eq!(known.claim(signature, place(false, 9)), Claim::Counted);
        assert_eq!(known.claim(signature, place(true, 0)), Claim::Counted);
        known.enter(signature, place(false, 3));
        assert_eq!(known.claim(signature, place(false, 4)), Claim::Counted);
        assert_eq!(known.claim(signature, place(false, 2)), Claim::Better);
    }

    #[test]
    fn marks_are_obeyed() {
        let place = Place { suspect: false, arm: Id::of(b"arm"), index: 1 };
        let mut known = Known::default();
        let of = |mark: Mark| Id::of(mark.name().as_bytes());
        Mark::ALL.into_iter().for_each(|mark| known.mark(of(mark), mark));
        assert_eq!(known.claim(of(Mark::Ignored), place), Claim::Counted);
        for mark in [Mark::Known, Mark::Reported, Mark::Fixed] {
            assert_eq!(known.claim(of(mark), place), Claim::First);
        }
        let news: Vec<bool> = Mark::ALL.into_iter().map(|mark| known.is_news(of(mark))).collect();
        assert_eq!(news, [false, false, true, false]);
        assert!(known.is_news(Id::of(b"new")));
    }

    #[test]
    fn what_was_none_hides_nothing_for_a_while() {
        let place = |index| Place { suspect: false, arm: Id::of(b"arm"), index };
        let signature = Id::of(b"signature");
        let mut known = Known::default();
        for index in 0..u64::from(MISSED) {
            assert_eq!(known.claim(signature, place(index)), Claim::First);
            known.missed(signature);
        }
        assert_eq!(known.claim(signature, place(100)), Claim::Counted);
    }
}
