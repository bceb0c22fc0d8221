//! Table 1 of the paper, corrected and completed: by what an operation is replaced that is undefined.
//!
//! A rule is tried on every pair of operands that the operation was seen with and holds if none of them is undefined: on one
//! pair in code that runs once, on many in loops. So nothing here has to say when a rule is right, and what the printed
//! table has wrong (the row of `a * b`, a constant that itself overflows) or leaves out (`a << b` with a negative `a`, or a
//! result that does not fit) needs no row of its own. The last rule of each operator is defined for all operands there are.
//!
//! No replacement changes the type of the result.

use howler_lang::arith::{self, Num, Undefined};
use howler_lang::program::{BinaryOp, UnaryOp};
use std::ops::RangeInclusive;

/// An operator whose operands may be wrong for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// `-a`
    Neg,
    /// `a op b`
    Binary(BinaryOp),
}

/// What stands where an undefined operation stood.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// `a op b` with another operator.
    Other(BinaryOp),
    /// `+a`
    Plus,
    /// `a op (b + c)`, or `a op (b - c)`, with a constant.
    Moved(BinaryOp),
    /// `a op (b & c)` with the greatest count for `c`.
    Masked(BinaryOp),
    /// `a op (b | 1)`
    Odd(BinaryOp),
    /// `(T)((U)a op (U)b)`, with the unsigned type `U` of the same width; of a shift the left operand only.
    Unsigned,
    /// `(T)((U)a op (U)(b | 1))`
    UnsignedOdd,
    /// `(T)((U)a << (b & c))`
    UnsignedMasked,
}

/// A rule with its constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fix {
    /// The rule.
    pub form: Form,
    /// What is added to the count by [`Form::Moved`].
    pub by: i128,
}

/// The types an operation is done in: both operands', converted. A unary operator has no right one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Typed {
    /// That of the left operand, and of the result.
    pub left: Num,
    /// That of the right operand.
    pub right: Num,
}

/// Operands that were seen together, as bits of their types.
pub type Pair = (u128, u128);

/// The rules, those of the paper first.
const RULES: [(Operator, &[Form]); 8] = {
    use BinaryOp::{Add, Div, Mul, Rem, Shl, Shr, Sub};
    use Form::{Masked, Moved, Odd, Other, Plus, Unsigned, UnsignedMasked, UnsignedOdd};
    [
        (Operator::Neg, &[Plus, Unsigned]),
        (Operator::Binary(Add), &[Other(Sub), Unsigned]),
        (Operator::Binary(Sub), &[Other(Add), Unsigned]),
        (Operator::Binary(Mul), &[Other(Div), Other(Sub), Other(Add), Unsigned]),
        (Operator::Binary(Div), &[Other(Mul), Other(Sub), Odd(Div), UnsignedOdd]),
        (Operator::Binary(Rem), &[Other(Mul), Other(Sub), Odd(Rem), UnsignedOdd]),
        (Operator::Binary(Shl), &[Moved(Shl), Other(Shr), Moved(Shr), Masked(Shl), Plus, UnsignedMasked]),
        (Operator::Binary(Shr), &[Moved(Shr), Plus, Masked(Shr)]),
    ]
};

/// The rules of an operator; none if nothing can be wrong with it.
pub fn rules(operator: Operator) -> &'static [Form] {
    RULES.iter().find(|(of, _)| *of == operator).map_or(&[], |(_, forms)| forms)
}

/// The result of an operation.
///
/// # Errors
/// It is undefined.
#[inline]
pub fn plain(operator: Operator, typed: Typed, (a, b): Pair) -> Result<u128, Undefined> {
    match operator {
        Operator::Neg => arith::unary(UnaryOp::Neg, typed.left, a),
        Operator::Binary(op) => binary(op, typed, a, b),
    }
}

#[inline]
fn binary(op: BinaryOp, typed: Typed, a: u128, b: u128) -> Result<u128, Undefined> {
    match op {
        BinaryOp::Shl | BinaryOp::Shr => arith::shift(op, typed.left, a, typed.right, b),
        _ => arith::binary(op, typed.left, a, b),
    }
}

/// The unsigned type of the same width.
pub fn unsigned(num: Num) -> Num {
    match num {
        Num::Int { width, .. } => Num::Int { width, signed: false },
        other => other,
    }
}

/// The result of what a rule puts in the place of an operation.
///
/// # Errors
/// It is undefined too.
pub fn replaced(operator: Operator, fix: Fix, typed: Typed, (a, b): Pair) -> Result<u128, Undefined> {
    let wide = Typed { left: unsigned(typed.left), right: unsigned(typed.right) };
    let odd = |num: Num, b: u128| arith::binary(BinaryOp::BitOr, num, b, 1);
    // The greatest count is the width less one, which any promoted type has.
    let counts = u128::from(typed.left.width()) - 1;
    let masked = |b: u128| arith::binary(BinaryOp::BitAnd, typed.right, b, counts);
    match (fix.form, operator) {
        (Form::Other(op) | Form::Moved(op), _) => {
            let b = if matches!(fix.form, Form::Moved(_)) { moved(typed.right, b, fix.by)? } else { b };
            binary(op, typed, a, b)
        }
        (Form::Plus, _) => arith::unary(UnaryOp::Plus, typed.left, a),
        (Form::Masked(op), _) => binary(op, typed, a, masked(b)?),
        (Form::Odd(op), _) => binary(op, typed, a, odd(typed.right, b)?),
        (Form::Unsigned, Operator::Neg) => arith::unary(UnaryOp::Neg, wide.left, a),
        (Form::Unsigned, Operator::Binary(op)) => binary(op, wide, a, b),
        (Form::UnsignedOdd, Operator::Binary(op)) => binary(op, wide, a, odd(wide.right, b)?),
        (Form::UnsignedMasked, Operator::Binary(op)) => {
            binary(op, Typed { left: wide.left, right: typed.right }, a, masked(b)?)
        }
        (Form::UnsignedOdd | Form::UnsignedMasked, Operator::Neg) => Err(Undefined::IllTyped),
    }
}

/// `b + by`, written with a positive constant of the type of `b`.
fn moved(num: Num, b: u128, by: i128) -> Result<u128, Undefined> {
    let op = if by < 0 { BinaryOp::Sub } else { BinaryOp::Add };
    let constant = i128::try_from(by.unsigned_abs()).map_err(|_| Undefined::AddOverflow)?;
    let bits = num.bits(constant);
    if num.number(bits) != constant {
        return Err(Undefined::IllTyped);
    }
    let result = arith::binary(op, num, b, bits)?;
    // Unsigned sums wrap around, which would be a count by chance only.
    let exact = num.number(b).checked_add(by) == Some(num.number(result));
    if exact { Ok(result) } else { Err(Undefined::ShiftTooFar) }
}

/// By how much the count of a shift may be moved so that it is right for every pair.
fn counts(op: BinaryOp, typed: Typed, pairs: &[Pair]) -> Option<RangeInclusive<i128>> {
    let width = i128::from(typed.left.width());
    let signed = matches!(typed.left, Num::Int { signed: true, .. });
    let most = greatest(typed.right);
    let (mut low, mut high) = (-most, most);
    for &(a, b) in pairs {
        let number = typed.left.number(a);
        let top = match op {
            BinaryOp::Shl if signed && number < 0 => return None,
            BinaryOp::Shl if signed => width - 1 - i128::from(128 - number.leading_zeros()),
            _ => width - 1,
        };
        let at = typed.right.number(b);
        // The greatest counts of 128 bits read as negative; nothing moves them.
        let beyond = at < 0 && matches!(typed.right, Num::Int { signed: false, .. });
        low = low.max(at.checked_neg()?);
        high = high.min(top.checked_sub(at)?);
        if low > high || beyond {
            return None;
        }
    }
    Some(low..=high)
}

/// The greatest value of a type, or what is counted as it.
fn greatest(num: Num) -> i128 {
    match num {
        Num::Int { width, signed } => {
            let bits = width - u8::from(signed);
            if bits >= 127 { i128::MAX } else { (1 << bits) - 1 }
        }
        _ => 1,
    }
}

/// The rules that make an operation defined for all pairs of operands, in their order, with constants from `draw`. The
/// last rule of every operator always does.
pub fn fixes(
    operator: Operator,
    typed: Typed,
    pairs: &[Pair],
    mut draw: impl FnMut(RangeInclusive<i128>) -> i128,
) -> Vec<Fix> {
    let holds = |fix: Fix| pairs.iter().all(|&pair| replaced(operator, fix, typed, pair).is_ok());
    let mut found = Vec::new();
    for &form in rules(operator) {
        let by = match form {
            Form::Moved(op) => match counts(op, typed, pairs) {
                Some(range) => draw(range),
                None => continue,
            },
            _ => 0,
        };
        let fix = Fix { form, by };
        if holds(fix) {
            found.push(fix);
        }
    }
    found
}

/// What is defined for every pair of operands.
pub fn always(operator: Operator) -> Option<Fix> {
    rules(operator).last().map(|&form| Fix { form, by: 0 })
}
