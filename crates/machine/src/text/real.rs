//! Floating encodings taken apart, and the exact decimal digits of what they stand for. No rounding but that of digits.

use howler_lang::arith::Format;
use std::cmp::Ordering;

/// What an encoding stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Nan,
    Infinity,
    Finite(Binary),
}

/// The number `significand` × 2^`exponent`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Binary {
    pub(crate) significand: u128,
    pub(crate) exponent: i32,
}

/// The largest exponent field's value, halved: what is subtracted from it.
pub(crate) fn bias(format: Format) -> i32 {
    (1 << (format.exponent_bits() - 1)) - 1
}

/// Whether the sign bit is set.
pub(crate) fn is_negative(format: Format, bits: u128) -> bool {
    bits & format.sign_bit() != 0
}

/// The exponent field of an encoding.
pub(crate) fn exponent_field(format: Format, bits: u128) -> i32 {
    let mask = (1 << format.exponent_bits()) - 1;
    let field = bits >> (format.bits() - 1 - format.exponent_bits()) & mask;
    i32::try_from(field).expect("no format has more than 15 bits of exponent")
}

/// The value without its sign; for a finite one the significand has the format's precision, or less if subnormal.
pub(crate) fn value(format: Format, bits: u128) -> Value {
    if format.is_nan(bits) {
        return Value::Nan;
    }
    let magnitude = bits & (format.sign_bit() - 1);
    if magnitude == format.infinity() {
        return Value::Infinity;
    }
    let field = exponent_field(format, bits);
    let places = format.precision() - 1;
    let significand = match format {
        Format::X87 => magnitude & u128::from(u64::MAX),
        _ if field == 0 => magnitude,
        _ => magnitude & ((1 << places) - 1) | 1 << places,
    };
    let exponent = field.max(1) - bias(format) - places.cast_signed();
    Value::Finite(Binary { significand, exponent })
}

/// A decimal number: 0.d₁d₂d₃… × 10^`point`, neither the first digit nor the last being 0. No digits: zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Decimal {
    /// Values 0 to 9, not characters.
    pub(crate) digits: Vec<u8>,
    pub(crate) point: i64,
}

impl Decimal {
    /// The number that these digits stand for, the point after the first `point` of them.
    pub(crate) fn new(digits: &[u8], point: i64) -> Decimal {
        let first = digits.iter().take_while(|&&digit| digit == 0).count();
        let last = digits.iter().rposition(|&digit| digit != 0).map_or(first, |index| index + 1);
        if first >= last {
            return Decimal { digits: Vec::new(), point: 0 };
        }
        let skipped = i64::try_from(first).unwrap_or(i64::MAX);
        Decimal { digits: digits[first..last].to_vec(), point: point.saturating_sub(skipped) }
    }

    /// All digits of a binary number. There are at most about 16,500 of them, for the smallest binary128 values.
    pub(crate) fn exact(number: Binary) -> Decimal {
        if number.significand == 0 {
            return Decimal { digits: Vec::new(), point: 0 };
        }
        let zeros = number.significand.trailing_zeros();
        let significand = number.significand >> zeros;
        let exponent = number.exponent + zeros.cast_signed();
        let mut limbs = limbs_of(significand);
        let places = exponent.min(0).unsigned_abs();
        if exponent >= 0 {
            times_power(&mut limbs, 2, exponent.unsigned_abs());
        } else {
            // s / 2^n is s × 5^n / 10^n.
            times_power(&mut limbs, 5, places);
        }
        let mut digits = Vec::with_capacity(limbs.len() * LIMB_DIGITS);
        for limb in limbs.iter().rev() {
            let mut rest = *limb;
            let start = digits.len();
            for _ in 0..LIMB_DIGITS {
                digits.push(u8::try_from(rest % 10).expect("a digit is below 10"));
                rest /= 10;
            }
            digits[start..].reverse();
        }
        let count = i64::try_from(digits.len()).expect("some thousand digits");
        Decimal::new(&digits, count - i64::from(places))
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Rounded to the first `keep` digits, ties to even. Fewer than none leaves zero: what is below half a unit.
    pub(crate) fn rounded(&self, keep: i64) -> Decimal {
        let Ok(keep) = usize::try_from(keep) else {
            return Decimal { digits: Vec::new(), point: 0 };
        };
        if keep >= self.digits.len() {
            return self.clone();
        }
        let (kept, dropped) = self.digits.split_at(keep);
        let odd = kept.last().is_some_and(|digit| digit % 2 == 1);
        // The last digit is not 0, so more digits than one means more than half.
        let up = match dropped[0].cmp(&5) {
            Ordering::Less => false,
            Ordering::Equal => odd || dropped.len() > 1,
            Ordering::Greater => true,
        };
        let mut digits = vec![0];
        digits.extend_from_slice(kept);
        if up {
            for digit in digits.iter_mut().rev() {
                if *digit < 9 {
                    *digit += 1;
                    break;
                }
                *digit = 0;
            }
        }
        Decimal::new(&digits, self.point + 1)
    }

    /// Which of two numbers is larger.
    pub(crate) fn compare(&self, other: &Decimal) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.point.cmp(&other.point).then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

/// Decimal digits in one limb.
const LIMB_DIGITS: usize = 9;
const LIMB: u64 = 1_000_000_000;

/// An integer in base 10^9, the lowest limb first.
fn limbs_of(mut value: u128) -> Vec<u64> {
    let mut limbs = Vec::new();
    while value > 0 {
        limbs.push(u64::try_from(value % u128::from(LIMB)).expect("a limb is below 10^9"));
        value /= u128::from(LIMB);
    }
    limbs
}

/// Multiplies by `base`^`count`, in steps that keep a limb's product below 2^64.
fn times_power(limbs: &mut Vec<u64>, base: u64, count: u32) {
    let (step, factor) = match base {
        2 => (32, 1 << 32),
        _ => (13, 1_220_703_125),
    };
    let mut left = count;
    while left >= step {
        times(limbs, factor);
        left -= step;
    }
    times(limbs, base.pow(left));
}

fn times(limbs: &mut Vec<u64>, factor: u64) {
    let mut carry = 0;
    for limb in limbs.iter_mut() {
        let product = *limb * factor + carry;
        *limb = product % LIMB;
        carry = product / LIMB;
    }
    while carry > 0 {
        limbs.push(carry % LIMB);
        carry /= LIMB;
    }
}
