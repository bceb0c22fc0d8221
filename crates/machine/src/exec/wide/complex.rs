//! Complex arithmetic. Where compilers and their libraries may differ, only exact results are given.

use super::{Operand, Yield, computed, exact, open_part, undefined};
use crate::exec::Exec;
use crate::exec::arith_ops::any_nan;
use crate::outcome::{Run, unsupported};
use crate::value::{Marks, Value};
use howler_lang::arith::{self, Num};
use howler_lang::program::{BinaryOp, UnaryOp};

impl Exec<'_> {
    pub(super) fn complex_truth(&self, a: &Operand) -> Run<Yield> {
        let holds = match a {
            Operand::Scalar(num, value) => arith::truth(*num, value.to_bits()),
            Operand::Parts(shape, parts) => parts.iter().any(|part| arith::truth(shape.num, part.to_bits())),
        };
        Ok(Yield::Scalar(Value::int(u64::from(holds)).marked(a.marks())))
    }

    pub(super) fn complex_unary(&self, op: UnaryOp, a: &Operand) -> Run<Yield> {
        let parts = both(a);
        // `+z` and the real part of `~z` are the value itself; only what is computed takes part in the marks.
        match self.plain_complex_unary(op, a.num(), parts.map(Value::to_bits)) {
            Ok(bits) => Ok(Yield::Parts(
                bits.iter()
                    .zip(parts)
                    .map(|(&bits, part)| marked(a.num(), bits, open_part(a.num(), &part)))
                    .collect(),
            )),
            Err(case) => undefined(case),
        }
    }

    pub(super) fn complex_step(&self, up: bool, a: &Operand) -> Run<Yield> {
        let [real, imaginary] = both(a);
        let next = self.plain_step(up, a.num(), real.to_bits());
        Ok(Yield::Parts(vec![computed(a.num(), next, open_part(a.num(), &real))?, imaginary]))
    }

    pub(super) fn complex_binary(&self, op: BinaryOp, a: &Operand, b: &Operand) -> Run<Yield> {
        let num = match a {
            Operand::Parts(shape, _) => shape.num,
            Operand::Scalar(..) => b.num(),
        };
        let (x, y) = (self.arith_operand(a, num)?, self.arith_operand(b, num)?);
        let marks = a.marks().union(b.marks());
        match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let equal = arith::complex_equal(num, x, y);
                let holds = equal == (op == BinaryOp::Eq);
                return Ok(Yield::Scalar(Value::int(u64::from(holds)).marked(marks)));
            }
            BinaryOp::Div if matches!(num, Num::Int { .. }) => {
                let parts = integer_quotient(num, x.parts(), y.parts())?;
                return Ok(Yield::Parts(parts.iter().map(|&bits| marked(num, bits, marks)).collect()));
            }
            BinaryOp::Div => self.check_quotient(num, x, y)?,
            BinaryOp::Mul => self.check_product(num, x, y)?,
            _ => {}
        }
        match self.plain_complex(op, num, x, y) {
            Ok(parts) => Ok(Yield::Parts(parts.iter().map(|&bits| marked(num, bits, marks)).collect())),
            Err(case) => undefined(case),
        }
    }

    /// A quotient by a complex number is computed by one method in the library, by others where it is folded: they
    /// agree where nothing is rounded.
    fn check_quotient(&self, num: Num, a: arith::Operand, b: arith::Operand) -> Run<()> {
        let (Num::Float(format), arith::Operand::Complex(divisor)) = (num, b) else { return Ok(()) };
        let computed = arith::complex_binary(BinaryOp::Div, num, a, b).ok();
        match exact::quotient(format, a.parts(), divisor) {
            Some(exact) if computed == Some(exact) => Ok(()),
            _ => unsupported("a complex quotient that is not exact: it depends on the method of the library"),
        }
    }

    /// An operand as `arith` takes it: a real one stays real.
    fn arith_operand(&self, a: &Operand, num: Num) -> Run<arith::Operand> {
        Ok(match a {
            Operand::Scalar(from, value) => {
                arith::Operand::Real(self.convert_part(*from, num, value)?.to_bits())
            }
            Operand::Parts(..) => arith::Operand::Complex(both(a).map(Value::to_bits)),
        })
    }

    /// Where gcc folds a product, each part is rounded once; where it is computed, three times, and on i386 with the
    /// x87's precision: `(3.3 - 1.1i) * (2.0 - 1.5i)` differs between -O0 and -O2.
    fn check_product(&self, num: Num, a: arith::Operand, b: arith::Operand) -> Run<()> {
        let (arith::Operand::Complex(a), arith::Operand::Complex(b)) = (a, b) else { return Ok(()) };
        match num {
            Num::Float(format) if !exact::is_product(format, a, b) => {
                unsupported("a complex product that is not exact: it depends on where it is computed")
            }
            _ => Ok(()),
        }
    }
}

/// A quotient of complex integers. gcc scales by the quotient of the divisor's parts, clang does not: the result counts
/// where both find the same and neither overflows on the way.
fn integer_quotient(num: Num, a: [u128; 2], b: [u128; 2]) -> Run<[u128; 2]> {
    let ([a, b], [c, d]) = (a.map(|part| num.number(part)), b.map(|part| num.number(part)));
    if (c, d) == (0, 0) {
        return undefined(arith::Undefined::DivByZero);
    }
    match (plain_quotient(num, [a, b], [c, d]), scaled_quotient(num, [a, b], [c, d])) {
        (Some(plain), Some(scaled)) if plain == scaled => Ok(plain.map(|part| num.bits(part))),
        _ => unsupported("a quotient of complex integers that compilers compute differently"),
    }
}

/// A number if a value of type `num` can be it.
fn within(num: Num, value: i128) -> Option<i128> {
    let width = num.width();
    let fits = match num {
        Num::Int { signed: true, .. } if width < 128 => {
            value >> (width - 1) == 0 || value >> (width - 1) == -1
        }
        Num::Int { signed: false, .. } if width < 127 => value >= 0 && value >> width == 0,
        _ => false,
    };
    fits.then_some(value)
}

fn plain_quotient(num: Num, [a, b]: [i128; 2], [c, d]: [i128; 2]) -> Option<[i128; 2]> {
    let times = |x: i128, y: i128| within(num, x.checked_mul(y)?);
    let divisor = within(num, times(c, c)? + times(d, d)?)?;
    let real = within(num, times(a, c)? + times(b, d)?)?;
    let imaginary = within(num, times(b, c)? - times(a, d)?)?;
    Some([real.checked_div(divisor)?, imaginary.checked_div(divisor)?])
}

fn scaled_quotient(num: Num, [a, b]: [i128; 2], [c, d]: [i128; 2]) -> Option<[i128; 2]> {
    let times = |x: i128, y: i128| within(num, x.checked_mul(y)?);
    let swapped = c.checked_abs()? < d.checked_abs()?;
    let (minor, major) = if swapped { (c, d) } else { (d, c) };
    let ratio = within(num, minor.checked_div(major)?)?;
    let divisor = within(num, times(minor, ratio)? + major)?;
    let (real, imaginary) = if swapped {
        (times(a, ratio)? + b, times(b, ratio)? - a)
    } else {
        (times(b, ratio)? + a, b - times(a, ratio)?)
    };
    let part = |part: i128| within(num, within(num, part)?.checked_div(divisor)?);
    Some([part(real)?, part(imaginary)?])
}

fn marked(num: Num, bits: u128, marks: Marks) -> Value {
    any_nan(num, Value::bits(bits).marked(marks))
}

fn both(a: &Operand) -> [Value; 2] {
    match a {
        Operand::Scalar(_, value) => [*value, Value::int(0)],
        Operand::Parts(_, parts) => {
            let part = |index: usize| parts.get(index).copied().unwrap_or(Value::int(0));
            [part(0), part(1)]
        }
    }
}
