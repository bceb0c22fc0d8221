//! Which floating values a test may have: integers up to 2^(precision-1) as Orange3 has them, and on request dyadic
//! fractions. Every result is exact, so no compiler may compute another one, whatever precision it uses in between
//! and whether it contracts `a * b + c` (C17 6.5p8, 5.2.4.2.2p9).

use howler_lang::arith::{Format, Num, absolute, binary, fused, unary};
use howler_lang::program::{BinaryOp, UnaryOp};

/// How many bits of a fraction are let in where fractions are.
pub(crate) const FRACTION_BITS: u8 = 16;

/// The greatest value: 2^(precision-1).
pub(crate) const fn limit(format: Format) -> u128 {
    format.one() + (((format.precision() - 1) as u128) << stored_bits(format))
}

/// The same as an integer.
pub(crate) fn integer_limit(format: Format) -> i128 {
    1 << (format.precision() - 1)
}

const fn stored_bits(format: Format) -> u32 {
    format.bits() - 1 - format.exponent_bits()
}

/// Whether a value is small enough and has no more of a fraction than it may.
#[inline]
pub(crate) fn acceptable(format: Format, fractions: bool, bits: u128) -> bool {
    let magnitude = absolute(format, bits);
    if magnitude == 0 {
        return true;
    }
    let stored = stored_bits(format);
    let bias = (1i32 << (format.exponent_bits() - 1)) - 1;
    let exponent = (magnitude >> stored) as i32 - bias;
    // The place of the lowest bit: below the leading one by the length of what is stored and not zero.
    let length = match format {
        Format::X87 => 63 - magnitude.trailing_zeros().min(63) as i32,
        _ => stored as i32 - magnitude.trailing_zeros().min(stored) as i32,
    };
    let lowest = if fractions { -i32::from(FRACTION_BITS) } else { 0 };
    magnitude <= limit(format) && exponent - length >= lowest
}

/// `a op b` for `+`, `-`, `*` and `/` if it is exact and acceptable. Division by zero is not.
pub(crate) fn float_binary(op: BinaryOp, format: Format, fractions: bool, a: u128, b: u128) -> Option<u128> {
    let num = Num::Float(format);
    let compute = |op, a, b| binary(op, num, a, b).ok();
    if op == BinaryOp::Div && absolute(format, b) == 0 {
        return None;
    }
    let result = compute(op, a, b)?;
    if !acceptable(format, fractions, result) {
        return None;
    }
    let negated = |a| unary(UnaryOp::Neg, num, a).ok();
    let zero = |a| absolute(format, a) == 0;
    let exact = match op {
        // Of integers up to 2^(p-1), sums are exact, and a product that was rounded is out of range.
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if !fractions => true,
        // What the sum lost (Knuth's two-sum) must be nothing.
        BinaryOp::Add | BinaryOp::Sub => {
            let b = if op == BinaryOp::Sub { negated(b)? } else { b };
            let virtual_b = compute(BinaryOp::Sub, result, a)?;
            let virtual_a = compute(BinaryOp::Sub, result, virtual_b)?;
            let lost_b = compute(BinaryOp::Sub, b, virtual_b)?;
            let lost_a = compute(BinaryOp::Sub, a, virtual_a)?;
            zero(compute(BinaryOp::Add, lost_a, lost_b)?)
        }
        BinaryOp::Mul => zero(fused(format, a, b, negated(result)?)),
        BinaryOp::Div => zero(fused(format, result, b, negated(a)?)),
        _ => false,
    };
    exact.then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use howler_lang::arith::parse_float;

    #[test]
    fn values_are_integers_in_range_or_short_fractions() {
        for format in [Format::F32, Format::F64, Format::X87] {
            let at = |text: &str| parse_float(text, format).unwrap();
            let power = format!("0x1p{}", format.precision() - 1);
            assert_eq!(at(&power), limit(format));
            for (text, plain, fraction) in [
                ("0.0", true, true),
                ("-0.0", true, true),
                ("-1.0", true, true),
                ("12345.0", true, true),
                ("0.5", false, true),
                ("-1234.75", false, true),
                ("0x1p-16", false, true),
                ("0x1p-17", false, false),
                ("0x1.8p-16", false, false),
                (power.as_str(), true, true),
                ("1e300", false, false),
            ] {
                assert_eq!(acceptable(format, false, at(text)), plain, "{text} {format:?}");
                assert_eq!(acceptable(format, true, at(text)), fraction, "{text} {format:?}");
            }
        }
    }

    #[test]
    fn inexact_results_are_refused() {
        let at = |text: &str| parse_float(text, Format::F32).unwrap();
        let check = |op, a, b, fractions| float_binary(op, Format::F32, fractions, at(a), at(b));
        assert_eq!(check(BinaryOp::Div, "1.0", "4.0", true), Some(at("0.25")));
        assert_eq!(check(BinaryOp::Div, "1.0", "4.0", false), None);
        assert_eq!(check(BinaryOp::Div, "1.0", "3.0", true), None);
        // Rounds to an integer, but is none.
        assert_eq!(check(BinaryOp::Div, "8388607.0", "2.0000002", true), None);
        assert_eq!(check(BinaryOp::Add, "4194304.0", "0.0078125", true), None);
        assert_eq!(check(BinaryOp::Add, "0.5", "0.0078125", true), Some(at("0.5078125")));
        assert_eq!(check(BinaryOp::Mul, "4097.0", "4097.0", true), None);
        assert_eq!(check(BinaryOp::Div, "1.0", "0.0", true), None);
    }
}
