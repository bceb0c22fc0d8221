//! Whether a floating result is exact, so that every method of computing it agrees. Says no where it is not sure.

use howler_lang::arith::{self, Format, Num};
use howler_lang::program::BinaryOp::{self, Add, Div, Eq, Mul, Sub};

/// The quotient of two complex numbers, if the plain formula rounds nowhere.
pub(super) fn quotient(format: Format, [a, b]: [u128; 2], [c, d]: [u128; 2]) -> Option<[u128; 2]> {
    let exact = Exact { format };
    if ![a, b, c, d].iter().all(|&part| exact.is_moderate(part)) {
        return None;
    }
    let divisor = exact.sum(Add, exact.product(c, c)?, exact.product(d, d)?)?;
    if exact.is_zero(divisor) {
        return None;
    }
    let real = exact.sum(Add, exact.product(a, c)?, exact.product(b, d)?)?;
    let imaginary = exact.sum(Sub, exact.product(b, c)?, exact.product(a, d)?)?;
    Some([exact.quotient(real, divisor)?, exact.quotient(imaginary, divisor)?])
}

/// Whether the product of two complex numbers rounds nowhere.
pub(super) fn is_product(format: Format, [a, b]: [u128; 2], [c, d]: [u128; 2]) -> bool {
    let exact = Exact { format };
    let parts = || {
        exact.sum(Sub, exact.product(a, c)?, exact.product(b, d)?)?;
        exact.sum(Add, exact.product(a, d)?, exact.product(b, c)?)
    };
    [a, b, c, d].iter().all(|&part| exact.is_moderate(part)) && parts().is_some()
}

#[derive(Clone, Copy)]
struct Exact {
    format: Format,
}

impl Exact {
    fn op(self, op: BinaryOp, x: u128, y: u128) -> Option<u128> {
        arith::binary(op, Num::Float(self.format), x, y).ok()
    }

    fn is_zero(self, x: u128) -> bool {
        x & !self.format.sign_bit() == 0
    }

    /// The exponent field, without the bias.
    fn exponent(self, x: u128) -> i32 {
        let format = self.format;
        let field = (x & !format.sign_bit()) >> (format.bits() - 1 - format.exponent_bits());
        let bias = (1i32 << (format.exponent_bits() - 1)) - 1;
        i32::try_from(field).map_or(i32::MAX, |field| field - bias)
    }

    /// Zero, or so far from the ends of the range that no product or quotient of two products gets there.
    fn is_moderate(self, x: u128) -> bool {
        let limit = 1i32 << (self.format.exponent_bits() - 4);
        self.is_zero(x) || self.exponent(x).abs() < limit
    }

    /// How many bits the significand needs.
    fn significant(self, x: u128) -> u32 {
        if self.is_zero(x) {
            return 0;
        }
        let precision = self.format.precision();
        let low = x & ((1 << (precision - 1)) - 1);
        // The highest bit is set: the number is normal.
        let significand = low | 1 << (precision - 1);
        precision - significand.trailing_zeros()
    }

    fn product(self, x: u128, y: u128) -> Option<u128> {
        let fits = self.significant(x) + self.significant(y) <= self.format.precision();
        if fits { self.op(Mul, x, y) } else { None }
    }

    /// `x + y` or `x - y`, if what rounding loses is zero (Knuth's two-sum).
    fn sum(self, op: BinaryOp, x: u128, y: u128) -> Option<u128> {
        let sum = self.op(op, x, y)?;
        let y = if op == Sub { y ^ self.format.sign_bit() } else { y };
        let of_y = self.op(Sub, sum, x)?;
        let of_x = self.op(Sub, sum, of_y)?;
        let lost = self.op(Add, self.op(Sub, x, of_x)?, self.op(Sub, y, of_y)?)?;
        self.is_zero(lost).then_some(sum)
    }

    fn quotient(self, x: u128, y: u128) -> Option<u128> {
        let quotient = self.op(Div, x, y)?;
        let back = self.product(quotient, y)?;
        (self.op(Eq, back, x) == Some(1)).then_some(quotient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(values: [f64; 2]) -> [u128; 2] {
        values.map(|value| u128::from(value.to_bits()))
    }

    #[test]
    fn small_integers_divide_exactly() {
        let found = quotient(Format::F64, bits([5.0, 5.0]), bits([1.0, 2.0]));
        assert_eq!(found, Some(bits([3.0, -1.0])));
        assert_eq!(quotient(Format::F64, bits([1.0, 0.0]), bits([3.0, 0.0])), None);
        assert_eq!(quotient(Format::F64, bits([1.0, 0.0]), bits([0.0, 0.0])), None);
        assert_eq!(quotient(Format::F64, bits([1e300, 0.0]), bits([1.0, 1.0])), None);
        assert_eq!(quotient(Format::F64, bits([f64::NAN, 0.0]), bits([1.0, 1.0])), None);
    }

    #[test]
    fn products_that_round_are_not_exact() {
        assert!(is_product(Format::F64, bits([1.5, -2.0]), bits([3.0, 0.25])));
        assert!(!is_product(Format::F64, bits([0.1, 0.0]), bits([0.1, 0.0])));
        assert!(!is_product(Format::F64, bits([1.0, 1e15]), bits([1e-3, 1e15])));
    }
}
