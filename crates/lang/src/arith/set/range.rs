//! What arithmetic makes of ranges of integers: `+ - * / %`, shifts, comparisons and the unary operators. A pair of
//! ranges gives a few ranges that contain every defined result, and the kinds of undefined cases that may occur.

use super::super::Undefined;
use super::image::Image;
use super::run::{self, Order, Run};
use crate::program::{BinaryOp, UnaryOp};
use std::cmp::Ordering;

/// Adds what `-a`, `+a` and `~a` can be, in the type of the operand.
pub(super) fn unary(image: &mut Image, op: UnaryOp, order: Order, a: Run) {
    match op {
        UnaryOp::Plus => image.add(a.low, a.high),
        // `~a` is -1 - a, or the largest value less a: either way the order turns around.
        UnaryOp::BitNot => image.add(order.mask - a.high, order.mask - a.low),
        UnaryOp::Neg if order.signed() => {
            // C17 6.5p5: the smallest value has no opposite.
            if a.low == 0 {
                image.fault(Undefined::NegOverflow);
            }
            if let Some(a) = a.meet(Run { low: 1, high: order.mask }) {
                image.add_numbers(-order.number(a.high), -order.number(a.low));
            }
        }
        UnaryOp::Neg => image.add_wrapping(a.high.wrapping_neg(), a.span()),
        _ => image.fault(Undefined::IllTyped),
    }
}

/// Adds what `+ - * / %` of two operands of one type can be.
pub(super) fn arithmetic(image: &mut Image, op: BinaryOp, order: Order, a: Run, b: Run) {
    match (op, order.signed()) {
        (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, true) => linear(image, op, order, a, b),
        (BinaryOp::Add, false) => match a.span().checked_add(b.span()) {
            Some(span) => image.add_wrapping(a.low.wrapping_add(b.low), span),
            None => image.add_all(),
        },
        (BinaryOp::Sub, false) => match a.span().checked_add(b.span()) {
            Some(span) => image.add_wrapping(a.low.wrapping_sub(b.high), span),
            None => image.add_all(),
        },
        (BinaryOp::Mul, false) => product(image, order, a, b),
        (BinaryOp::Div | BinaryOp::Rem, true) => signed_quotient(image, op, order, a, b),
        (BinaryOp::Div | BinaryOp::Rem, false) => unsigned_quotient(image, op, order, a, b),
        _ => image.fault(Undefined::IllTyped),
    }
}

/// Signed `+ - *`: over a rectangle of operands the exact result is least and greatest at corners, and what does not fit
/// the type is undefined (C17 6.5p5).
fn linear(image: &mut Image, op: BinaryOp, order: Order, a: Run, b: Run) {
    let (least, greatest) = (order.number(0), order.number(order.mask));
    let corner = |a: i128, b: i128| {
        let (exact, negative) = match op {
            BinaryOp::Add => (a.checked_add(b), a < 0),
            BinaryOp::Sub => (a.checked_sub(b), a < 0),
            _ => (a.checked_mul(b), (a < 0) != (b < 0)),
        };
        match exact {
            Some(value) if value < least => (Ordering::Less, least),
            Some(value) if value > greatest => (Ordering::Greater, greatest),
            Some(value) => (Ordering::Equal, value),
            None if negative => (Ordering::Less, least),
            None => (Ordering::Greater, greatest),
        }
    };
    let corners = |a| [corner(a, order.number(b.low)), corner(a, order.number(b.high))];
    let ([w, x], [y, z]) = (corners(order.number(a.low)), corners(order.number(a.high)));
    let (low, high) = (w.min(x).min(y).min(z), w.max(x).max(y).max(z));
    if low.0 != Ordering::Equal || high.0 != Ordering::Equal {
        image.fault(match op {
            BinaryOp::Add => Undefined::AddOverflow,
            BinaryOp::Sub => Undefined::SubOverflow,
            _ => Undefined::MulOverflow,
        });
    }
    if low.0 != Ordering::Greater && high.0 != Ordering::Less {
        image.add_numbers(low.1, high.1);
    }
}

/// Unsigned `*`, modulo 2^N (C17 6.2.5p9). Factors may be read as negative numbers too, which is better for those near
/// the end of the type: the product is the same modulo 2^N, and the narrower reading is taken.
fn product(image: &mut Image, order: Order, a: Run, b: Run) {
    let plain = || {
        let (low, high) = (a.low.checked_mul(b.low)?, a.high.checked_mul(b.high)?);
        Some((low, high - low))
    };
    let shifted = || {
        let (a, b) = (as_signed(order, a)?, as_signed(order, b)?);
        let (w, x) = (a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?);
        let (y, z) = (a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?);
        let (low, high) = (w.min(x).min(y).min(z), w.max(x).max(y).max(z));
        Some((low.cast_unsigned(), high.cast_unsigned().wrapping_sub(low.cast_unsigned())))
    };
    match plain().into_iter().chain(shifted()).min_by_key(|&(_, span)| span) {
        Some((start, span)) => image.add_wrapping(start, span),
        None => image.add_all(),
    }
}

/// An unsigned range as numbers of a signed type, if it is a range there too.
fn as_signed(order: Order, run: Run) -> Option<(i128, i128)> {
    let number = |bits| super::super::int::sign_extend(order.width(), bits);
    let ends = (number(run.low), number(run.high));
    (ends.0 <= ends.1).then_some(ends)
}

/// Unsigned `/` and `%`; 0 as a divisor is undefined (C17 6.5.5p5).
fn unsigned_quotient(image: &mut Image, op: BinaryOp, order: Order, a: Run, b: Run) {
    if b.low == 0 {
        image.fault(if op == BinaryOp::Div { Undefined::DivByZero } else { Undefined::RemByZero });
    }
    let Some(b) = b.meet(Run { low: 1, high: order.mask }) else { return };
    if op == BinaryOp::Div {
        return image.add(a.low / b.high, a.high / b.low);
    }
    let same_quotient = b.low == b.high && a.low / b.low == a.high / b.low;
    if a.high < b.low {
        image.add(a.low, a.high);
    } else if same_quotient {
        image.add(a.low % b.low, a.high % b.low);
    } else {
        image.add(0, a.high.min(b.high - 1));
    }
}

/// Signed `/` and `%`. Undefined are 0 as a divisor and the smallest value with -1, whose quotient does not fit (C17
/// 6.5.5p5, p6).
fn signed_quotient(image: &mut Image, op: BinaryOp, order: Order, a: Run, b: Run) {
    let div = op == BinaryOp::Div;
    let zero = order.zero();
    if b.meet(Run::single(zero)).is_some() {
        image.fault(if div { Undefined::DivByZero } else { Undefined::RemByZero });
    }
    let negative = b.meet(Run { low: 0, high: zero - 1 });
    let positive = (zero < order.mask).then(|| b.meet(Run { low: zero + 1, high: order.mask })).flatten();
    if let Some(b) = positive {
        one_sign_quotient(image, div, order, a, b);
    }
    let Some(b) = negative else { return };
    if a.low > 0 || b.high < zero - 1 {
        return one_sign_quotient(image, div, order, a, b);
    }
    image.fault(if div { Undefined::DivOverflow } else { Undefined::RemOverflow });
    if let Some(rest) = a.meet(Run { low: 1, high: order.mask }) {
        one_sign_quotient(image, div, order, rest, b);
    }
    // The smallest value by all but -1.
    if let Some(b) = zero.checked_sub(2).and_then(|high| b.meet(Run { low: 0, high })) {
        one_sign_quotient(image, div, order, Run::single(0), b);
    }
}

/// `a / b` or `a % b` where every divisor has the same sign, is not 0, and no quotient overflows.
fn one_sign_quotient(image: &mut Image, div: bool, order: Order, a: Run, b: Run) {
    let (a, b) = ((order.number(a.low), order.number(a.high)), (order.number(b.low), order.number(b.high)));
    if div {
        // Truncated quotients grow or fall with either operand while the other stays, so corners are extremes.
        let (w, x, y, z) = (a.0 / b.0, a.0 / b.1, a.1 / b.0, a.1 / b.1);
        return image.add_numbers(w.min(x).min(y).min(z), w.max(x).max(y).max(z));
    }
    // C17 6.5.5p6: a remainder has the sign of the dividend and is smaller than the divisor.
    let (near, far) =
        (b.0.unsigned_abs().min(b.1.unsigned_abs()), b.0.unsigned_abs().max(b.1.unsigned_abs()));
    let same_quotient = b.0 == b.1 && a.0 / b.0 == a.1 / b.0;
    if a.0.unsigned_abs().max(a.1.unsigned_abs()) < near {
        return image.add_numbers(a.0, a.1);
    }
    if same_quotient {
        return image.add_numbers(a.0 % b.0, a.1 % b.0);
    }
    let most = (far - 1).cast_signed();
    image.add_numbers(a.0.clamp(-most, 0), a.1.clamp(0, most));
}

/// Adds what `a << count` or `a >> count` can be for a count that is in range.
pub(super) fn shift(image: &mut Image, op: BinaryOp, order: Order, a: Run, count: u32) {
    if op == BinaryOp::Shr {
        return if order.signed() {
            image.add_numbers(order.number(a.low) >> count, order.number(a.high) >> count);
        } else {
            image.add(a.low >> count, a.high >> count);
        };
    }
    if !order.signed() {
        // C17 6.5.7p4: modulo 2^N. What falls out at the top must be the same for both ends to keep the order.
        let lost = order.width() - count;
        let top = |bits: u128| bits.checked_shr(lost).unwrap_or(0);
        return if top(a.low) == top(a.high) {
            image.add(a.low << count & order.mask, a.high << count & order.mask);
        } else {
            image.add(0, order.mask << count & order.mask);
        };
    }
    // C17 6.5.7p4: undefined for negative values, and if the result does not fit.
    let fits = order.zero() + (order.number(order.mask) >> count).unsigned_abs();
    if a.low < order.zero() {
        image.fault(Undefined::ShlOfNegative);
    }
    if a.high > fits {
        image.fault(Undefined::ShlOverflow);
    }
    if let Some(a) = a.meet(Run { low: order.zero(), high: fits }) {
        image.add_numbers(order.number(a.low) << count, order.number(a.high) << count);
    }
}

/// Whether `a op b` can be false, and whether it can be true, for a comparison of sets that are not empty. Both answers
/// are exact.
pub(super) fn comparison(op: BinaryOp, a: &[Run], b: &[Run]) -> (bool, bool) {
    let ends = |runs: &[Run]| (runs[0].low, runs[runs.len() - 1].high);
    let (a_ends, b_ends) = (ends(a), ends(b));
    let less = (a_ends.1 >= b_ends.0, a_ends.0 < b_ends.1);
    let greater = (b_ends.1 >= a_ends.0, b_ends.0 < a_ends.1);
    let equal = || (a_ends.0 != a_ends.1 || a_ends != b_ends, !run::intersection(a, b).is_empty());
    let not = |(no, yes)| (yes, no);
    match op {
        BinaryOp::Lt => less,
        BinaryOp::Gt => greater,
        BinaryOp::Le => not(greater),
        BinaryOp::Ge => not(less),
        BinaryOp::Eq => equal(),
        _ => not(equal()),
    }
}
