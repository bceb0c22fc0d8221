//! `%f %e %g %a`: exact for every format, rounded to nearest even, spelled as glibc does.

use super::output::{Number, Padding, TooLong, write};
use super::spec::{Conversion, Spec};
use crate::text::real::{self, Binary, Decimal, Value};
use howler_lang::arith::Format;

/// What was printed, as far as the caller must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Printed {
    /// A number or an infinity: the text is a function of the value.
    Value,
    /// A NaN. glibc writes `-nan` or `nan` after the sign bit, which arithmetic leaves open.
    Nan {
        /// Whether it was `-nan`.
        negative: bool,
    },
    /// A number whose text is C17's and not glibc's (2.36 at least): under `%#g`, where rounding makes 999999.9 a
    /// 1.00000e+06, glibc forgets the zeros. A promise about the output must not rest on it.
    Disputed,
}

/// The text of a floating conversion of a value in any format: `double`, `long double`, and `_Float128` as
/// `strfromf128` has it. A specification that is no floating conversion writes nothing.
///
/// ```
/// use howler_lang::arith::Format;
/// use howler_machine::text::format::{Printed, float, parse};
/// let (spec, _) = parse(b"%.20g").expect("valid");
/// let mut out = Vec::new();
/// let printed = float(spec, Format::F64, u128::from(0.1f64.to_bits()), 4095, &mut out);
/// assert_eq!(printed, Ok(Printed::Value));
/// assert_eq!(out, b"0.10000000000000000555");
/// ```
pub fn float(
    spec: Spec,
    format: Format,
    bits: u128,
    limit: u64,
    out: &mut Vec<u8>,
) -> Result<Printed, TooLong> {
    if !spec.conversion.is_float() {
        return Ok(Printed::Value);
    }
    let negative = real::is_negative(format, bits);
    let sign = match spec.flags {
        _ if negative => "-",
        flags if flags.plus => "+",
        flags if flags.space => " ",
        _ => "",
    };
    let upper = spec.conversion.is_upper();
    let number = match real::value(format, bits) {
        Value::Finite(number) => number,
        special => {
            let digits: &[u8] = match (special, upper) {
                (Value::Nan, false) => b"nan",
                (Value::Nan, true) => b"NAN",
                (_, false) => b"inf",
                (_, true) => b"INF",
            };
            let text = Number { sign, digits: digits.to_vec(), ..Number::default() };
            // Zeros do not fill a field that has no number (C17 7.21.6.1p6).
            write(spec, Padding::Spaces, &text, limit, out)?;
            let nan = special == Value::Nan;
            return Ok(if nan { Printed::Nan { negative } } else { Printed::Value });
        }
    };
    let precision = spec.precision.number().map(i64::from);
    let point = spec.flags.alternative;
    let mut printed = Printed::Value;
    let mut text = match spec.conversion {
        Conversion::HexFloat { .. } => hex(spec, format, bits, number),
        Conversion::Exponent { .. } => {
            exponent(&Decimal::exact(number), precision.unwrap_or(DEFAULT), point, upper)
        }
        Conversion::General { .. } => {
            let decimal = Decimal::exact(number);
            if is_disputed(spec, &decimal) {
                printed = Printed::Disputed;
            }
            general(spec, &decimal)
        }
        _ => fixed(&Decimal::exact(number), precision.unwrap_or(DEFAULT), point),
    };
    text.sign = sign;
    let padding = if spec.flags.zero { Padding::Zeros } else { Padding::Spaces };
    write(spec, padding, &text, limit, out)?;
    Ok(printed)
}

/// The precision if none is given (C17 7.21.6.1p8).
const DEFAULT: i64 = 6;

/// `%f`: all digits before the point, `precision` behind it.
fn fixed(number: &Decimal, precision: i64, point: bool) -> Number {
    let rounded = number.rounded(number.point.saturating_add(precision));
    let mut digits = Vec::new();
    let mut rest = rounded.digits.iter().map(|digit| b'0' + digit);
    if rounded.is_zero() || rounded.point <= 0 {
        digits.push(b'0');
    }
    for _ in 0..rounded.point {
        digits.push(rest.next().unwrap_or(b'0'));
    }
    if precision > 0 || point {
        digits.push(b'.');
    }
    let whole = digits.len();
    if !rounded.is_zero() {
        // Behind the point: zeros that shift the first digit, then digits. Rounding keeps both within the precision.
        let zeros = usize::try_from(rounded.point.min(0).unsigned_abs()).unwrap_or(0);
        digits.extend(std::iter::repeat_n(b'0', zeros));
        digits.extend(rest);
    }
    let written = i64::try_from(digits.len() - whole).unwrap_or(i64::MAX);
    Number { digits, zeros: u64::try_from(precision - written).unwrap_or(0), ..Number::default() }
}

/// `%e`: one digit before the point, `precision` behind it.
fn exponent(number: &Decimal, precision: i64, point: bool, upper: bool) -> Number {
    let rounded = number.rounded(precision.saturating_add(1));
    let power = if rounded.is_zero() { 0 } else { rounded.point - 1 };
    let mut rest = rounded.digits.iter().map(|digit| b'0' + digit);
    let mut digits = vec![rest.next().unwrap_or(b'0')];
    if precision > 0 || point {
        digits.push(b'.');
    }
    let whole = digits.len();
    digits.extend(rest);
    let written = i64::try_from(digits.len() - whole).unwrap_or(i64::MAX);
    let zeros = u64::try_from(precision - written).unwrap_or(0);
    let letter = if upper { 'E' } else { 'e' };
    let sign = if power < 0 { '-' } else { '+' };
    let suffix = format!("{letter}{sign}{:02}", power.unsigned_abs());
    Number { digits, zeros, suffix, ..Number::default() }
}

/// `%g`: one of the two, with `precision` significant digits; without `#` zeros at the end go.
fn general(spec: Spec, number: &Decimal) -> Number {
    let precision = spec.precision.number().map_or(DEFAULT, i64::from).max(1);
    let rounded = number.rounded(precision);
    let power = if rounded.is_zero() { 0 } else { rounded.point - 1 };
    // A decimal has no zeros at its end, so as many digits as it has are what is left without them.
    let significant = i64::try_from(rounded.digits.len()).unwrap_or(i64::MAX).max(1);
    let keep = if spec.flags.alternative { precision } else { significant };
    // C17 7.21.6.1p8: if P > X >= -4, style f with precision P - 1 - X, else style e with P - 1.
    if power < precision && power >= -4 {
        fixed(&rounded, (keep - 1 - power).max(0), spec.flags.alternative)
    } else {
        exponent(&rounded, keep - 1, spec.flags.alternative, spec.conversion.is_upper())
    }
}

/// Whether rounding carries a number from `%g`'s style f into style e, and zeros follow.
fn is_disputed(spec: Spec, number: &Decimal) -> bool {
    let precision = spec.precision.number().map_or(DEFAULT, i64::from);
    spec.flags.alternative
        && precision > 1
        && number.point == precision
        && number.rounded(precision).point > precision
}

/// `%a`. glibc's first digit is the integer bit, and for x87 the four highest bits; subnormals are not normalised.
fn hex(spec: Spec, format: Format, bits: u128, number: Binary) -> Number {
    let upper = spec.conversion.is_upper();
    // The bits behind the first digit: whole hexadecimal digits once they are shifted up.
    let (behind, shift) = match format {
        Format::X87 => (60, 0),
        _ => {
            let behind = format.precision() - 1;
            (behind.next_multiple_of(4), behind.next_multiple_of(4) - behind)
        }
    };
    let mut significand = number.significand << shift;
    let mut power = match () {
        () if number.significand == 0 => 0,
        // Read from the field, as glibc does: a pseudo-denormal counts as a denormal.
        () => real::exponent_field(format, bits).max(1) - real::bias(format) - lead(format),
    };
    let places = behind / 4;
    let kept = spec.precision.number().map_or(places, |precision| precision.min(places));
    let dropped = 4 * (places - kept);
    if dropped > 0 {
        let rest = significand & ((1 << dropped) - 1);
        let half = 1 << (dropped - 1);
        significand >>= dropped;
        if rest > half || rest == half && significand & 1 == 1 {
            significand += 1;
        }
    }
    // Only x87's first digit can be 15 and overflow: glibc then starts again with 1.
    if significand >> (4 * kept) > 15 {
        significand >>= 4;
        power += 4;
    }
    let width = usize::try_from(kept).expect("at most 28 digits");
    let first = significand >> (4 * kept);
    let behind = significand & ((1 << (4 * kept)) - 1);
    let mut text =
        if upper { format!("{first:X}.{behind:0width$X}") } else { format!("{first:x}.{behind:0width$x}") };
    if kept == 0 {
        text.truncate(2);
    } else if spec.precision.number().is_none() {
        text.truncate(text.trim_end_matches('0').len());
    }
    let precision = spec.precision.number().unwrap_or(0);
    // glibc pads to the precision asked for; a lone point stays with `#` only.
    if text.ends_with('.') && precision == 0 && !spec.flags.alternative {
        text.pop();
    }
    let letter = if upper { 'P' } else { 'p' };
    Number {
        prefix: if upper { "0X" } else { "0x" },
        digits: text.into_bytes(),
        zeros: u64::from(precision.saturating_sub(kept)),
        suffix: format!("{letter}{power:+}"),
        ..Number::default()
    }
}

/// How many bits the first hexadecimal digit has beyond the integer bit.
fn lead(format: Format) -> i32 {
    if format == Format::X87 { 3 } else { 0 }
}
