//! What operators and calls were given: tuples of operands, and which of them are undefined.

use super::observed::{Observed, Scalar, Sight};
use howler_lang::arith::{self, Num, Undefined};
use howler_lang::program::{BinaryOp, FuncId, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// What computes at an expression. A compound assignment may have two: its operator, and the conversion back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// An operator with one operand; `++` and `--` are [`UnaryOp::PreInc`] and [`UnaryOp::PreDec`] wherever they stand.
    Unary(UnaryOp),
    /// An operator with two operands.
    Binary(BinaryOp),
    /// A conversion of a floating value to an integer.
    Convert,
}

/// The operands of one evaluation. One that is not a scalar, or whose value is unspecified, is none.
pub type Tuple = Vec<Option<Scalar>>;

/// Different tuples, up to a cap; of more, the least by their order, so that it does not matter who is first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tuples {
    /// The tuples.
    pub kept: BTreeSet<Tuple>,
    /// Whether there were others.
    pub more: bool,
}

impl Tuples {
    fn see(&mut self, tuple: &Tuple, cap: usize) {
        // Mostly it comes behind all that is kept, or is known.
        if self.kept.len() >= cap && self.kept.last().is_none_or(|last| tuple > last) {
            self.more = true;
            return;
        }
        if !self.kept.contains(tuple) {
            self.kept.insert(tuple.clone());
            self.keep(cap);
        }
    }

    fn join(&mut self, other: &Tuples, cap: usize) {
        self.more |= other.more;
        self.kept.extend(other.kept.iter().cloned());
        self.keep(cap);
    }

    fn keep(&mut self, cap: usize) {
        while self.kept.len() > cap {
            self.kept.pop_last();
            self.more = true;
        }
    }
}

/// Evaluations that are undefined.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Undefineds {
    /// How many.
    pub count: u64,
    /// Their operands.
    pub tuples: Tuples,
}

/// The operands of an operator over all its evaluations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operands {
    /// The operands' types, as the operator has them: promoted and converted.
    pub types: Vec<Num>,
    /// The type it computes in, or converts to.
    pub result: Num,
    /// How many evaluations there were.
    pub count: u64,
    /// The operands together.
    pub tuples: Tuples,
    /// Each operand alone, over all evaluations.
    pub each: Vec<Observed>,
    /// Those that are undefined, by what is wrong with them.
    pub undefined: BTreeMap<Undefined, Undefineds>,
}

impl Operands {
    pub(crate) fn new(types: Vec<Num>, result: Num) -> Operands {
        let each = types.iter().map(|_| Observed::new()).collect();
        let (tuples, undefined) = (Tuples::default(), BTreeMap::new());
        Operands { types, result, count: 0, tuples, each, undefined }
    }

    pub(crate) fn see(
        &mut self,
        sights: &[Sight],
        tuple: &Tuple,
        undefined: Option<Undefined>,
        (values, tuples): (usize, usize),
    ) {
        self.count += 1;
        for (each, &sight) in self.each.iter_mut().zip(sights) {
            each.see(sight, values);
        }
        self.tuples.see(tuple, tuples);
        if let Some(case) = undefined {
            let known = self.undefined.entry(case).or_default();
            known.count += 1;
            known.tuples.see(tuple, tuples);
        }
    }

    pub(crate) fn trim(&mut self, (values, tuples): (usize, usize)) {
        self.tuples.keep(tuples);
        self.each.iter_mut().for_each(|each| each.join(&Observed::new(), values));
        self.undefined.values_mut().for_each(|known| known.tuples.keep(tuples));
    }

    pub(crate) fn join(&mut self, other: &Operands, (values, tuples): (usize, usize)) {
        self.count += other.count;
        self.tuples.join(&other.tuples, tuples);
        for (each, more) in self.each.iter_mut().zip(&other.each) {
            each.join(more, values);
        }
        for (&case, more) in &other.undefined {
            let known = self.undefined.entry(case).or_default();
            known.count += more.count;
            known.tuples.join(&more.tuples, tuples);
        }
    }
}

/// What a call was given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Calls {
    /// How many calls there were.
    pub count: u64,
    /// The functions that were called.
    pub callees: BTreeSet<FuncId>,
    /// The arguments together. Of a wrapped operation they are its operands: [`undefined_bare`] says whether it needs the
    /// wrapper.
    pub tuples: Tuples,
    /// Each argument alone.
    pub each: Vec<Observed>,
}

impl Calls {
    pub(crate) fn new(arguments: usize) -> Calls {
        Calls { each: vec![Observed::new(); arguments], ..Calls::default() }
    }

    pub(crate) fn see(
        &mut self,
        callee: Option<FuncId>,
        sights: &[Sight],
        tuple: &Tuple,
        (values, tuples): (usize, usize),
    ) {
        self.count += 1;
        self.callees.extend(callee);
        for (each, &sight) in self.each.iter_mut().zip(sights) {
            each.see(sight, values);
        }
        self.tuples.see(tuple, tuples);
    }

    pub(crate) fn trim(&mut self, (values, tuples): (usize, usize)) {
        self.tuples.keep(tuples);
        self.each.iter_mut().for_each(|each| each.join(&Observed::new(), values));
    }

    pub(crate) fn join(&mut self, other: &Calls, (values, tuples): (usize, usize)) {
        self.count += other.count;
        self.callees.extend(&other.callees);
        self.tuples.join(&other.tuples, tuples);
        for (each, more) in self.each.iter_mut().zip(&other.each) {
            each.join(more, values);
        }
    }
}

/// What would be wrong with an operator on these operands, which have these types, if nothing guarded it. `result` is
/// the type that is computed in or converted to. None if it is defined, or if an operand is not known.
///
/// ```
/// use howler_lang::arith::{Num, Undefined};
/// use howler_lang::program::BinaryOp;
/// use howler_machine::profile::{Operator, Scalar, undefined_bare};
///
/// let divided = |by| {
///     let tuple = [Some(Scalar::Int(7)), Some(Scalar::Int(by))];
///     undefined_bare(Operator::Binary(BinaryOp::Div), &[Num::INT, Num::INT], Num::INT, &tuple)
/// };
/// assert_eq!(divided(0), Some(Undefined::DivByZero));
/// assert_eq!(divided(2), None);
/// ```
pub fn undefined_bare(
    operator: Operator,
    types: &[Num],
    result: Num,
    tuple: &[Option<Scalar>],
) -> Option<Undefined> {
    let bits = |index: usize| -> Option<(Num, u128)> {
        let num = *types.get(index)?;
        match ((*tuple.get(index)?)?, num) {
            (Scalar::Int(number), Num::Int { .. } | Num::Bool) => {
                let width = num.width();
                let mask = if width >= 128 { !0 } else { (1 << width) - 1 };
                Some((num, number.cast_unsigned() & mask))
            }
            (Scalar::Float(_, bits), Num::Float(_)) => Some((num, bits)),
            _ => None,
        }
    };
    of_bits(operator, result, bits(0)?, bits(1))
}

/// The same of operands as bits.
pub(crate) fn of_bits(
    operator: Operator,
    result: Num,
    (num, a): (Num, u128),
    b: Option<(Num, u128)>,
) -> Option<Undefined> {
    match operator {
        Operator::Unary(UnaryOp::PreInc | UnaryOp::PostInc) => arith::increment(num, a).err(),
        Operator::Unary(UnaryOp::PreDec | UnaryOp::PostDec) => arith::decrement(num, a).err(),
        Operator::Unary(op) => arith::unary(op, num, a).err(),
        Operator::Binary(op @ (BinaryOp::Shl | BinaryOp::Shr)) => {
            let (count, b) = b?;
            arith::shift(op, num, a, count, b).err()
        }
        Operator::Binary(op) => arith::binary(op, num, a, b?.1).err(),
        Operator::Convert => arith::convert(num, result, a).err(),
    }
}
