//! The values that a part of an object, or an operand, was seen with.

use howler_lang::arith::Format;
use howler_lang::program::{FuncId, ObjId};
use std::collections::BTreeSet;

/// A value as a profile keeps it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// An integer; an unsigned one of 128 bits wraps.
    Int(i128),
    /// A floating value by its bits. Every NaN is [`Format::nan`]: which one it is no program can rely on.
    Float(Format, u128),
    /// A pointer.
    Pointer(Target),
}

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// Nothing: it is null.
    Null,
    /// An object that has a declaration.
    Object {
        /// Which. Where it can be named it is the object that the name means in this unit.
        object: ObjId,
        /// How many bytes from its start; [`Place::at`](super::Place::at) says which part that is.
        offset: u64,
        /// Whether it points one past the end of the object or of the part that it was made from.
        past: bool,
        /// Whether the object's name means this very object at the point: not that of another call, nor one that is
        /// hidden or out of scope. Never for operands, which belong to no point.
        nameable: bool,
    },
    /// A function.
    Function(FuncId),
    /// Something that has no name: allocated memory, a string literal, a compound literal, a label. It is not null.
    Unnamed,
}

/// What is seen at one visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sight {
    Value(Scalar),
    Unset,
    Open,
    Absent,
}

impl Sight {
    pub fn value(self) -> Option<Scalar> {
        match self {
            Sight::Value(value) => Some(value),
            _ => None,
        }
    }
}

/// What was seen of one part over all visits that were looked at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Observed {
    /// How many visits were looked at. All that is said here holds for these.
    pub visits: u64,
    /// Every value, while there are few.
    pub values: Option<BTreeSet<Scalar>>,
    /// The least and the greatest number among the values, if they have some: integers, or floating values but NaNs.
    /// Zeros are apart, the negative one is less.
    pub range: Option<(Scalar, Scalar)>,
    /// Whether it had no value at some visit: never set, or a pointer to what is no more. Reading it there is undefined
    /// (C17 6.3.2.1p2, 6.2.4p2), so that nothing may name it at this point.
    pub unset: bool,
    /// Whether its value was unspecified at some visit: padding, an address as a number, what the library chooses. A
    /// program that reads it may depend on what nobody promises.
    pub open: bool,
    /// Whether it was not there at some visit: an element beyond the end of a variable length array.
    pub absent: bool,
}

impl Observed {
    /// Nothing was seen yet.
    pub(crate) fn new() -> Observed {
        Observed { values: Some(BTreeSet::new()), ..Observed::default() }
    }

    /// Whether it had a value that a program may read at every visit that was looked at.
    pub fn is_always_set(&self) -> bool {
        !self.unset && !self.open && !self.absent
    }

    /// The one value it had at every visit that was looked at.
    pub fn constant(&self) -> Option<Scalar> {
        let values = self.values.as_ref().filter(|values| values.len() == 1 && self.is_always_set())?;
        values.first().copied()
    }

    /// The least and the greatest integer.
    pub fn interval(&self) -> Option<(i128, i128)> {
        match self.range? {
            (Scalar::Int(least), Scalar::Int(greatest)) => Some((least, greatest)),
            _ => None,
        }
    }

    pub(crate) fn see(&mut self, sight: Sight, cap: usize) {
        self.visits += 1;
        match sight {
            Sight::Unset => self.unset = true,
            Sight::Open => self.open = true,
            Sight::Absent => self.absent = true,
            Sight::Value(value) => {
                if is_number(value) {
                    self.widen((value, value));
                }
                if let Some(values) = &mut self.values
                    && values.insert(value)
                    && values.len() > cap
                {
                    self.values = None;
                }
            }
        }
    }

    /// Adds what another observation saw; beyond `cap` values only the range stays.
    pub(crate) fn join(&mut self, other: &Observed, cap: usize) {
        self.visits += other.visits;
        self.unset |= other.unset;
        self.open |= other.open;
        self.absent |= other.absent;
        if let Some(range) = other.range {
            self.widen(range);
        }
        match (&mut self.values, &other.values) {
            // Most runs see the same.
            (Some(own), Some(more)) if own == more => {}
            (Some(own), Some(more)) => own.extend(more),
            (own, _) => *own = None,
        }
        self.keep(cap);
    }

    fn keep(&mut self, cap: usize) {
        if self.values.as_ref().is_some_and(|values| values.len() > cap) {
            self.values = None;
        }
    }

    fn widen(&mut self, (least, greatest): (Scalar, Scalar)) {
        self.range = Some(match self.range {
            None => (least, greatest),
            Some((low, high)) => (
                if place(least) < place(low) { least } else { low },
                if place(greatest) > place(high) { greatest } else { high },
            ),
        });
    }
}

fn is_number(value: Scalar) -> bool {
    match value {
        Scalar::Int(_) => true,
        Scalar::Float(format, bits) => !format.is_nan(bits),
        Scalar::Pointer(_) => false,
    }
}

/// A number's place in the order of numbers of its type: the bits of floating values grow with their magnitude.
fn place(value: Scalar) -> i128 {
    match value {
        Scalar::Int(number) => number,
        Scalar::Float(format, bits) => {
            let magnitude = (bits & !format.sign_bit()).cast_signed();
            if bits & format.sign_bit() != 0 { -1 - magnitude } else { magnitude }
        }
        Scalar::Pointer(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(values: &[Option<i128>], cap: usize) -> Observed {
        let mut observed = Observed::new();
        for value in values {
            observed.see(value.map_or(Sight::Unset, |value| Sight::Value(Scalar::Int(value))), cap);
        }
        observed
    }

    #[test]
    fn many_values_become_an_interval() {
        let mut all = observed(&[Some(3)], 2);
        for value in [5, -7, 3] {
            all.join(&observed(&[Some(value)], 2), 2);
        }
        assert_eq!((all.values.clone(), all.interval()), (None, Some((-7, 5))));
        assert_eq!(all.constant(), None);
        assert_eq!(all, observed(&[Some(3), Some(5), Some(-7), Some(3)], 2));
        assert_eq!(observed(&[Some(4), Some(4)], 2).constant(), Some(Scalar::Int(4)));
        let two = [Scalar::Int(4), Scalar::Int(9)];
        assert_eq!(observed(&[Some(9), Some(4), Some(9)], 2).values, Some(BTreeSet::from(two)));
        let none = observed(&[None], 2);
        assert!(none.unset && none.values == Some(BTreeSet::new()) && none.constant().is_none());
        assert!(observed(&[None, Some(1)], 2).constant().is_none(), "a value that is not always there");
    }

    #[test]
    fn ranges_of_floating_values_leave_out_nans_and_tell_zeros_apart() {
        let float = |number: f64| Scalar::Float(Format::F64, u128::from(number.to_bits()));
        let mut seen = Observed::new();
        for number in [0.0, 2.5, -0.0, -1e300, f64::INFINITY] {
            seen.see(Sight::Value(float(number)), 9);
        }
        seen.see(Sight::Value(Scalar::Float(Format::F64, Format::F64.nan())), 9);
        assert_eq!(seen.range, Some((float(-1e300), float(f64::INFINITY))));
        assert_eq!(seen.values.map(|values| values.len()), Some(6));
        let mut zeros = Observed::new();
        zeros.see(Sight::Value(float(0.0)), 9);
        zeros.see(Sight::Value(float(-0.0)), 9);
        assert_eq!(zeros.range, Some((float(-0.0), float(0.0))));
    }
}
