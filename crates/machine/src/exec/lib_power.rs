//! `pow`, `exp`, `log` and the trigonometric functions where their results are exact: libraries and compilers that fold
//! calls agree there, and in the last digit nowhere else.

use super::Exec;
use super::library::NativeCall;
use crate::outcome::{Run, unsupported};
use crate::value::{Marks, Value};
use howler_lang::arith::Format;

/// The functions whose value at 0 is 0.
pub(super) const ZERO_AT_ZERO: &[&str] =
    &["asin", "asinh", "atan", "atanh", "cbrt", "erf", "expm1", "log1p", "sin", "sinh", "tan", "tanh"];

/// The name and the arguments of a call whose result is not exact.
fn inexact<T>(call: &NativeCall<'_>) -> Run<T> {
    unsupported(format!("the function '{}' where its result is not exact", call.name))
}

/// A finite number as `odd * 2^power`; 0 has the power 0.
fn parts(format: Format, bits: u128) -> Option<(i128, i32)> {
    let number = match format {
        Format::F64 => f64::from_bits(u64::try_from(bits).ok()?),
        Format::F32 => f64::from(f32::from_bits(u32::try_from(bits).ok()?)),
        _ => return None,
    };
    if !number.is_finite() {
        return None;
    }
    let raw = number.to_bits();
    let (exponent, fraction) = ((raw >> 52 & 0x7ff) as i32, raw & ((1 << 52) - 1));
    let (mantissa, power) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    if mantissa == 0 {
        return Some((0, 0));
    }
    let zeros = mantissa.trailing_zeros();
    let odd = i128::from(mantissa >> zeros);
    Some((if number < 0.0 { -odd } else { odd }, power + zeros.cast_signed()))
}

/// `odd * 2^power` in the format, if it is exact and normal there.
fn whole(format: Format, odd: i128, power: i64) -> Option<Value> {
    let (digits, least, most) = match format {
        Format::F64 => (53, -1022, 1023),
        Format::F32 => (24, -126, 127),
        _ => return None,
    };
    let length = 128 - odd.unsigned_abs().leading_zeros();
    let exponent = power + i64::from(length) - 1;
    if odd == 0 || length > digits || exponent < least || exponent > most {
        return None;
    }
    let fraction = (odd.unsigned_abs() << (digits - length)) & ((1 << (digits - 1)) - 1);
    let biased = u128::try_from(exponent + most).ok()?;
    let sign = if odd < 0 { format.sign_bit() } else { 0 };
    Some(Value::bits(sign | biased << (digits - 1) | fraction))
}

/// `x` to the power `n`, if it is exact.
fn exact_power(format: Format, x: (i128, i32), n: i64) -> Option<Value> {
    let (odd, power) = x;
    let power = i64::from(power).checked_mul(n)?;
    if n < 0 && odd.abs() != 1 {
        return None;
    }
    let times = u32::try_from(n.abs()).ok()?;
    let odd = if odd.abs() == 1 { if times % 2 == 0 { 1 } else { odd } } else { odd.checked_pow(times)? };
    whole(format, odd, power)
}

/// An integer as `i64`.
fn integer(format: Format, bits: u128) -> Option<i64> {
    let (odd, power) = parts(format, bits)?;
    let power = u32::try_from(power).ok().filter(|&power| power < 40)?;
    i64::try_from(odd).ok().filter(|odd| odd.abs() < 1 << 20).map(|odd| odd << power)
}

fn marks(values: &[Value]) -> Marks {
    values.iter().fold(Marks::NONE, |all, value| all.union(value.marks.of_number()))
}

pub(super) fn pow(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let (x, y) = (exec.real_arg(call, 0, format)?, exec.real_arg(call, 1, format)?);
    let base = parts(format, x.to_bits()).filter(|&(odd, _)| odd != 0);
    let result = match (base, integer(format, y.to_bits())) {
        (Some(base), Some(n)) => exact_power(format, base, n),
        // A positive power of 0 (C17 F.10.4.4p1).
        (None, Some(n)) if x.to_bits() == 0 && n > 0 => Some(Value::int(0)),
        (None, Some(0)) if x.to_bits() == 0 => whole(format, 1, 0),
        _ => None,
    };
    match result {
        Some(value) => Ok(value.marked(marks(&[x, y]))),
        None => inexact(call),
    }
}

/// Functions of one argument.
pub(super) fn elementary(
    exec: &mut Exec<'_>,
    call: &NativeCall<'_>,
    base: &str,
    format: Format,
) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    let bits = x.to_bits();
    let zero = bits & !format.sign_bit() == 0;
    let one = whole(format, 1, 0);
    let result = match base {
        "cos" | "cosh" | "exp" if zero => one,
        "exp2" => integer(format, bits).and_then(|n| whole(format, 1, n)),
        "log" | "log10" | "log2" if one.is_some_and(|one| one.to_bits() == bits) => Some(Value::int(0)),
        "log2" => match parts(format, bits) {
            Some((1, power)) => whole(format, i128::from(power), 0),
            _ => None,
        },
        _ if ZERO_AT_ZERO.contains(&base) && zero => Some(Value::bits(bits)),
        _ => None,
    };
    match result {
        Some(value) => Ok(value.marked(marks(&[x]))),
        None => inexact(call),
    }
}
