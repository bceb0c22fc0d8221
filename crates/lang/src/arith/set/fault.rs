//! What was undefined when an operator was applied to sets: which kinds, for how much of the operands, where exactly.

use super::super::Undefined;

/// For how much of the operands something is undefined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Extent {
    /// For no pair of members.
    Never,
    /// For some pairs and not for others, as far as was looked: where the pairs were not listed
    /// ([`Faults::cases`]), it may be none of them or all.
    Sometimes,
    /// For every pair of members, and there is one.
    Always,
}

/// One undefined application of an operator, as the bits of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    /// The left operand, or the only one.
    pub left: u128,
    /// The right operand; 0 if there is only one.
    pub right: u128,
    /// What [`super::super`] says about them.
    pub kind: Undefined,
}

/// What is undefined when an operator is applied to sets.
///
/// ```
/// use howler_lang::arith::{Num, Undefined};
/// use howler_lang::arith::set::{Extent, Limits, ValueSet, binary};
/// use howler_lang::program::BinaryOp;
///
/// let (limits, any) = (Limits::default(), ValueSet::full(Num::INT));
/// let by_zero = binary(&limits, BinaryOp::Div, &any, &ValueSet::single(Num::INT, 0));
/// assert_eq!(by_zero.faults.of(Undefined::DivByZero), Extent::Always);
/// let by_any = binary(&limits, BinaryOp::Div, &any, &any);
/// assert!(by_any.faults.kinds().eq([Undefined::DivByZero, Undefined::DivOverflow]));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faults {
    extent: Extent,
    kinds: Kinds,
    cases: Option<Vec<Case>>,
}

impl Faults {
    /// What is known when `pairs` pairs were looked at one by one.
    pub(super) fn listed(cases: Vec<Case>, pairs: usize) -> Faults {
        let extent = match cases.len() {
            0 => Extent::Never,
            all if all == pairs => Extent::Always,
            _ => Extent::Sometimes,
        };
        let mut kinds = Kinds::default();
        for case in &cases {
            kinds.insert(case.kind);
        }
        Faults { extent, kinds, cases: Some(cases) }
    }

    /// What is known from ranges: the kinds that may occur, and whether any pair may have a result.
    pub(super) fn ranged(kinds: Kinds, some_defined: bool) -> Faults {
        let extent = match (kinds == Kinds::default(), some_defined) {
            (true, _) => Extent::Never,
            (false, true) => Extent::Sometimes,
            (false, false) => Extent::Always,
        };
        Faults { extent, kinds, cases: None }
    }

    /// For how much of the operands the operator is undefined.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Whether the operator is defined for every pair of members.
    pub fn never(&self) -> bool {
        self.extent == Extent::Never
    }

    /// For how much of the operands it is undefined in this way.
    pub fn of(&self, kind: Undefined) -> Extent {
        if !self.kinds.contains(kind) {
            Extent::Never
        } else if self.extent == Extent::Always && self.kinds().count() == 1 {
            Extent::Always
        } else {
            Extent::Sometimes
        }
    }

    /// The kinds that are not `Never`, in declaration order.
    pub fn kinds(&self) -> impl Iterator<Item = Undefined> {
        let kinds = self.kinds;
        Undefined::ALL.into_iter().filter(move |&kind| kinds.contains(kind))
    }

    /// Every undefined pair, ordered by left value and then right value; `None` if the pairs were too many to look at.
    pub fn cases(&self) -> Option<&[Case]> {
        self.cases.as_deref()
    }
}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Kinds(u32);

impl Kinds {
    pub(super) fn insert(&mut self, kind: Undefined) {
        self.0 |= Kinds::bit(kind);
    }

    fn contains(self, kind: Undefined) -> bool {
        self.0 & Kinds::bit(kind) != 0
    }

    fn bit(kind: Undefined) -> u32 {
        let index = Undefined::ALL.iter().position(|&other| other == kind);
        1 << index.expect("ALL has every kind")
    }
}
