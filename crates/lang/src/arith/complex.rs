//! Complex arithmetic as gcc and clang compute it on x86: with the infinities of C17 Annex G.
//!
//! An operand of real type stays real (C17 6.3.1.8p1 keeps the type domain): `2.0 * z` scales both parts and does not
//! multiply by `2.0 + 0.0i`, which would differ for infinities, NaNs and the signs of zeros.
//!
//! Sums are the same everywhere, and so are products on x86-64. **Quotients are not**: the method is the library's, and
//! this is that of GCC 12's libgcc on x86-64, which clang uses too on Linux; older versions, compiler-rt and constant
//! folding give other last places. On i386 libgcc is compiled for x87, so products and quotients of `float` and
//! `double` that go through it carry excess precision. A caller that promises a portable result must not promise those.

use super::convert::float_to_float;
use super::{Format, Num, Undefined, binary, convert, truth, unary};
use crate::program::{BinaryOp, UnaryOp};
use BinaryOp::{Add, Div, Ge, Gt, Lt, Mul, Sub};

/// An operand of complex arithmetic; both parts have the same type as the other operand's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A value of real type.
    Real(u128),
    /// Real and imaginary part.
    Complex([u128; 2]),
}

impl Operand {
    /// Both parts; a real value's imaginary part is +0 (C17 6.3.1.7p1).
    pub fn parts(self) -> [u128; 2] {
        match self {
            Operand::Real(real) => [real, 0],
            Operand::Complex(parts) => parts,
        }
    }
}

/// Whether a complex value compares unequal to 0.
pub fn complex_truth(num: Num, [real, imaginary]: [u128; 2]) -> bool {
    truth(num, real) || truth(num, imaginary)
}

/// Whether two values compare equal (C17 6.5.9p4).
pub fn complex_equal(num: Num, a: Operand, b: Operand) -> bool {
    let ([a, b], [c, d]) = (a.parts(), b.parts());
    let equal = |x, y| binary(BinaryOp::Eq, num, x, y) == Ok(1);
    equal(a, c) && equal(b, d)
}

/// `-z`, `+z`, and GNU's `~z`, the conjugate.
pub fn complex_unary(op: UnaryOp, num: Num, [real, imaginary]: [u128; 2]) -> Result<[u128; 2], Undefined> {
    match op {
        UnaryOp::Neg | UnaryOp::Plus => Ok([unary(op, num, real)?, unary(op, num, imaginary)?]),
        UnaryOp::BitNot => Ok([real, unary(UnaryOp::Neg, num, imaginary)?]),
        _ => Err(Undefined::IllTyped),
    }
}

/// `+ - * /` with parts of type `num`. A quotient of complex integers is [`Undefined::IllTyped`]: gcc and clang
/// truncate and overflow in different places.
pub fn complex_binary(op: BinaryOp, num: Num, a: Operand, b: Operand) -> Result<[u128; 2], Undefined> {
    use Operand::{Complex, Real};
    let part = |op, x, y| binary(op, num, x, y);
    match (op, a, b) {
        (Add, Complex([x, y]), Real(r)) | (Add, Real(r), Complex([x, y])) => Ok([part(Add, x, r)?, y]),
        (Sub, Complex([x, y]), Real(r)) => Ok([part(Sub, x, r)?, y]),
        (Sub, Real(r), Complex([x, y])) => Ok([part(Sub, r, x)?, unary(UnaryOp::Neg, num, y)?]),
        (Mul, Complex([x, y]), Real(r)) | (Mul, Real(r), Complex([x, y])) => {
            Ok([part(Mul, x, r)?, part(Mul, y, r)?])
        }
        (Div, Complex([x, y]), Real(r)) if matches!(num, Num::Float(_)) => {
            Ok([part(Div, x, r)?, part(Div, y, r)?])
        }
        (Add | Sub, _, _) => {
            let ([a, b], [c, d]) = (a.parts(), b.parts());
            Ok([part(op, a, c)?, part(op, b, d)?])
        }
        (Mul | Div, _, _) => match num {
            // Both compute in binary32 and round the parts at the end.
            Num::Float(Format::F16) => {
                let wide = Num::Float(Format::F32);
                let [x, y] = complex_binary(op, wide, Complex(widen(a)), Complex(widen(b)))?;
                Ok([convert(wide, num, x)?, convert(wide, num, y)?])
            }
            Num::Float(format) if op == Mul => multiply(Parts { format }, a.parts(), b.parts()),
            Num::Float(format) => divide(Parts { format }, a.parts(), b.parts()),
            _ if op == Mul => {
                let ([a, b], [c, d]) = (a.parts(), b.parts());
                let real = part(Sub, part(Mul, a, c)?, part(Mul, b, d)?)?;
                Ok([real, part(Add, part(Mul, a, d)?, part(Mul, b, c)?)?])
            }
            _ => Err(Undefined::IllTyped),
        },
        _ => Err(Undefined::IllTyped),
    }
}

/// The parts of a binary16 operand in binary32. A NaN keeps its sign, which decides the sign of a zero in a quotient by
/// an infinity with a NaN part.
fn widen(operand: Operand) -> [u128; 2] {
    let sign = |part: u128| if part & Format::F16.sign_bit() == 0 { 0 } else { Format::F32.sign_bit() };
    operand.parts().map(|part| float_to_float(Format::F16, Format::F32, part) | sign(part))
}

/// Arithmetic on the parts, in one format.
#[derive(Clone, Copy)]
struct Parts {
    format: Format,
}

impl Parts {
    fn op(self, op: BinaryOp, x: u128, y: u128) -> Result<u128, Undefined> {
        binary(op, Num::Float(self.format), x, y)
    }

    /// `w * x op y * z`.
    fn dot(self, op: BinaryOp, [w, x]: [u128; 2], [y, z]: [u128; 2]) -> Result<u128, Undefined> {
        self.op(op, self.op(Mul, w, x)?, self.op(Mul, y, z)?)
    }

    fn is(self, op: BinaryOp, x: u128, y: u128) -> bool {
        self.op(op, x, y) == Ok(1)
    }

    fn is_nan(self, x: u128) -> bool {
        self.format.is_nan(x)
    }

    fn is_infinite(self, x: u128) -> bool {
        self.magnitude(x) == self.format.infinity()
    }

    fn is_finite(self, x: u128) -> bool {
        !self.is_nan(x) && !self.is_infinite(x)
    }

    fn magnitude(self, x: u128) -> u128 {
        x & !self.format.sign_bit()
    }

    /// `magnitude` with the sign of `x`.
    fn signed(self, magnitude: u128, x: u128) -> u128 {
        magnitude | x & self.format.sign_bit()
    }

    /// The number 2^`exponent`.
    fn power(self, exponent: i32) -> u128 {
        let number = super::convert::Exact { negative: false, exponent, significand: 1 };
        super::convert::round(self.format, number, false)
    }

    /// An infinity becomes 1, anything else 0, with its sign: the direction of an infinite operand (G.5.1).
    fn boxed(self, x: u128) -> u128 {
        self.signed(if self.is_infinite(x) { self.format.one() } else { 0 }, x)
    }

    /// A NaN becomes 0.
    fn without_nan(self, x: u128) -> u128 {
        if self.is_nan(x) { self.signed(0, x) } else { x }
    }
}

fn multiply(parts: Parts, [a, b]: [u128; 2], [c, d]: [u128; 2]) -> Result<[u128; 2], Undefined> {
    let products = [parts.op(Mul, a, c)?, parts.op(Mul, b, d)?, parts.op(Mul, a, d)?, parts.op(Mul, b, c)?];
    let x = parts.op(Sub, products[0], products[1])?;
    let y = parts.op(Add, products[2], products[3])?;
    if !(parts.is_nan(x) && parts.is_nan(y)) {
        return Ok([x, y]);
    }
    // Both parts are NaN: where an operand or a product is infinite, so is the result (C17 G.5.1p4).
    let (mut left, mut right, mut infinite) = ([a, b], [c, d], false);
    if left.iter().any(|&part| parts.is_infinite(part)) {
        left = left.map(|part| parts.boxed(part));
        right = right.map(|part| parts.without_nan(part));
        infinite = true;
    }
    if right.iter().any(|&part| parts.is_infinite(part)) {
        right = right.map(|part| parts.boxed(part));
        left = left.map(|part| parts.without_nan(part));
        infinite = true;
    }
    if !infinite && products.iter().any(|&part| parts.is_infinite(part)) {
        left = left.map(|part| parts.without_nan(part));
        right = right.map(|part| parts.without_nan(part));
        infinite = true;
    }
    if !infinite {
        return Ok([x, y]);
    }
    let ([a, b], [c, d]) = (left, right);
    let infinity = parts.format.infinity();
    Ok([
        parts.op(Mul, infinity, parts.dot(Sub, [a, c], [b, d])?)?,
        parts.op(Mul, infinity, parts.dot(Add, [a, d], [b, c])?)?,
    ])
}

fn divide(parts: Parts, left: [u128; 2], right: [u128; 2]) -> Result<[u128; 2], Undefined> {
    let (left, right, [x, y]) = match parts.format {
        Format::F16 | Format::F32 => (left, right, divide_wide(parts.format, left, right)?),
        _ => divide_scaled(parts, left, right)?,
    };
    if !(parts.is_nan(x) && parts.is_nan(y)) {
        return Ok([x, y]);
    }
    // Both parts are NaN: a zero divisor, an infinite dividend or an infinite divisor have a direction (C17 G.5.1p4).
    let ([a, b], [c, d]) = (left, right);
    let any_infinite = |values: [u128; 2]| values.iter().any(|&part| parts.is_infinite(part));
    let all_finite = |values: [u128; 2]| values.iter().all(|&part| parts.is_finite(part));
    let infinity = parts.format.infinity();
    if parts.magnitude(c) == 0 && parts.magnitude(d) == 0 && !(parts.is_nan(a) && parts.is_nan(b)) {
        let infinity = parts.signed(infinity, c);
        return Ok([parts.op(Mul, infinity, a)?, parts.op(Mul, infinity, b)?]);
    }
    let (factor, [a, b], [c, d]) = if any_infinite(left) && all_finite(right) {
        (infinity, left.map(|part| parts.boxed(part)), right)
    } else if any_infinite(right) && all_finite(left) {
        (0, left, right.map(|part| parts.boxed(part)))
    } else {
        return Ok([x, y]);
    };
    Ok([
        parts.op(Mul, factor, parts.dot(Add, [a, c], [b, d])?)?,
        parts.op(Mul, factor, parts.dot(Sub, [b, c], [a, d])?)?,
    ])
}

/// The plain formula in the next wider format, where nothing overflows.
fn divide_wide(format: Format, left: [u128; 2], right: [u128; 2]) -> Result<[u128; 2], Undefined> {
    let (narrow, wide) = (Num::Float(format), Parts { format: Format::F64 });
    let widen = |part| convert(narrow, Num::Float(wide.format), part);
    let (a, b, c, d) = (widen(left[0])?, widen(left[1])?, widen(right[0])?, widen(right[1])?);
    let divisor = wide.dot(Add, [c, c], [d, d])?;
    let quotient = |part| convert(Num::Float(wide.format), narrow, wide.op(Div, part, divisor)?);
    Ok([quotient(wide.dot(Add, [a, c], [b, d])?)?, quotient(wide.dot(Sub, [b, c], [a, d])?)?])
}

/// The operands after scaling, and their quotient.
type Scaled = ([u128; 2], [u128; 2], [u128; 2]);

/// Smith's method with the scaling that keeps it from overflow and underflow.
fn divide_scaled(parts: Parts, mut left: [u128; 2], mut right: [u128; 2]) -> Result<Scaled, Undefined> {
    let format = parts.format;
    let last_place = 1 - format.precision().cast_signed();
    let bias = (1i32 << (format.exponent_bits() - 1)) - 1;
    let (tiny, epsilon) = (parts.power(1 - bias), parts.power(last_place));
    let largest = parts.op(Mul, parts.op(Sub, parts.power(1), epsilon)?, parts.power(bias))?;
    let big = parts.op(Div, largest, parts.power(1))?;
    let big_scaled = parts.op(Mul, big, epsilon)?;
    let below = |x, limit| parts.is(Lt, parts.magnitude(x), limit);
    let swapped = below(right[0], parts.magnitude(right[1]));
    // The part of the divisor that is not the smaller one.
    let major = |right: [u128; 2]| if swapped { right[1] } else { right[0] };
    let scale = |left: &mut [u128; 2], right: &mut [u128; 2], by: u128| {
        // A NaN stays as it is: see `widen` on its sign.
        for part in left.iter_mut().chain(right.iter_mut()).filter(|part| !parts.is_nan(**part)) {
            *part = parts.op(Mul, *part, by)?;
        }
        Ok(())
    };
    if parts.is(Ge, parts.magnitude(major(right)), big) {
        scale(&mut left, &mut right, parts.power(-1))?;
    }
    let small = below(major(right), epsilon);
    let lopsided = |x, y| below(x, tiny) && below(y, big_scaled) && below(major(right), big_scaled);
    if small || lopsided(left[0], left[1]) || lopsided(left[1], left[0]) {
        scale(&mut left, &mut right, parts.power(-last_place))?;
    }
    let ([a, b], [c, d]) = (left, right);
    let (minor, major) = if swapped { (c, d) } else { (d, c) };
    let ratio = parts.op(Div, minor, major)?;
    let divisor = parts.op(Add, parts.op(Mul, minor, ratio)?, major)?;
    // A subnormal ratio has lost digits: multiply later.
    let share = |part| {
        if parts.is(Gt, parts.magnitude(ratio), tiny) {
            parts.op(Mul, part, ratio)
        } else {
            parts.op(Mul, minor, parts.op(Div, part, major)?)
        }
    };
    let (real, imaginary) = if swapped {
        (parts.op(Add, share(a)?, b)?, parts.op(Sub, share(b)?, a)?)
    } else {
        (parts.op(Add, a, share(b)?)?, parts.op(Sub, b, share(a)?)?)
    };
    Ok((left, right, [parts.op(Div, real, divisor)?, parts.op(Div, imaginary, divisor)?]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Operand::{Complex, Real};

    const DOUBLE: Num = Num::Float(Format::F64);

    fn bits(value: f64) -> u128 {
        u128::from(value.to_bits())
    }

    fn complex(real: f64, imaginary: f64) -> Operand {
        Complex([bits(real), bits(imaginary)])
    }

    #[test]
    fn an_infinite_operand_makes_an_infinite_product() {
        let infinite = complex(f64::INFINITY, f64::NAN);
        let [x, y] = complex_binary(Mul, DOUBLE, infinite, complex(1.0, 1.0)).expect("floats are total");
        assert!([x, y].contains(&bits(f64::INFINITY)));
        let zero = complex_binary(Div, DOUBLE, complex(1.0, 2.0), complex(f64::INFINITY, f64::NAN));
        assert_eq!(zero, Ok([bits(0.0), bits(0.0)]));
        let by_zero = complex_binary(Div, DOUBLE, complex(1.0, -2.0), complex(0.0, 0.0));
        assert_eq!(by_zero, Ok([bits(f64::INFINITY), bits(f64::NEG_INFINITY)]));
    }

    #[test]
    fn a_real_operand_stays_real() {
        let z = complex(f64::INFINITY, 1.0);
        let infinity = bits(f64::INFINITY);
        assert_eq!(complex_binary(Mul, DOUBLE, Real(bits(2.0)), z), Ok([infinity, bits(2.0)]));
        let minus_zero = complex(1.0, -0.0);
        assert_eq!(complex_binary(Add, DOUBLE, minus_zero, Real(bits(1.0))), Ok([bits(2.0), bits(-0.0)]));
        assert_eq!(complex_binary(Sub, DOUBLE, Real(bits(1.0)), minus_zero), Ok([bits(0.0), bits(0.0)]));
    }

    #[test]
    fn integers_multiply_but_do_not_divide() {
        let (a, b) = (Complex([1, 2]), Complex([3, 4]));
        assert_eq!(complex_binary(Mul, Num::INT, a, b), Ok([0xffff_fffb, 10]));
        assert_eq!(complex_binary(Div, Num::INT, a, b), Err(Undefined::IllTyped));
        let large = Complex([0x7fff_ffff, 0]);
        assert_eq!(complex_binary(Add, Num::INT, large, Real(1)), Err(Undefined::AddOverflow));
        assert_eq!(complex_binary(Mul, Num::INT, large, large), Err(Undefined::MulOverflow));
        assert_eq!(complex_binary(BinaryOp::Rem, Num::INT, a, b), Err(Undefined::IllTyped));
    }

    #[test]
    fn comparison_and_conjugate() {
        assert!(complex_equal(DOUBLE, complex(0.0, -0.0), Real(bits(-0.0))));
        assert!(!complex_equal(DOUBLE, complex(1.0, f64::NAN), complex(1.0, f64::NAN)));
        assert!(complex_truth(DOUBLE, [0, bits(f64::NAN)]) && !complex_truth(DOUBLE, [bits(-0.0), 0]));
        assert_eq!(
            complex_unary(UnaryOp::BitNot, DOUBLE, [bits(1.0), bits(2.0)]),
            Ok([bits(1.0), bits(-2.0)])
        );
        assert_eq!(complex_unary(UnaryOp::Neg, Num::INT, [1, 0x8000_0000]), Err(Undefined::NegOverflow));
    }

    #[test]
    fn no_bits_panic() {
        let patterns = [0, 1, u128::MAX, 1 << 127, 1 << 63, 0x7fff << 112, 0x7fff << 64, 0x7ff << 52, 0x7c00];
        let formats = [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128];
        for format in formats {
            for (a, b) in patterns.into_iter().flat_map(|a| patterns.map(|b| (a, b))) {
                for (op, c) in [Add, Sub, Mul, Div].into_iter().flat_map(|op| patterns.map(|c| (op, c))) {
                    let num = Num::Float(format);
                    assert!(complex_binary(op, num, Complex([a, b]), Complex([c, a])).is_ok());
                    assert!(complex_binary(op, num, Complex([a, b]), Real(c)).is_ok());
                    assert!(complex_binary(op, num, Real(c), Complex([a, b])).is_ok());
                }
            }
        }
    }
}
