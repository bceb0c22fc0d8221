//! Floating constants: from C spelling to bits, correctly rounded, and back.
//!
//! Time is linear in the length of the text: digits that cannot change the result beyond "there is more" are dropped,
//! and exponents saturate long before they matter.

use super::Format;
use super::convert::{Exact, Value, float_to_float, round, value};
use super::int::mask;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Half, Quad, X87DoubleExtended};
use std::fmt::Write;

/// Significant decimal digits that are kept. The longest number halfway between two binary128 values has about 11,560;
/// what follows the kept ones can only break a tie, and one digit 1 does that as well.
const DIGITS: usize = 11_600;

/// Texts up to this length go to the standard library for binary32 and binary64: its exponents do not saturate then.
const SHORT: usize = 1000;

/// Where exponents stop counting; texts are shorter than this, so digits cannot bring a saturated exponent back.
const FAR: i64 = 1 << 60;

/// The bits of a floating constant in `format`, rounded to nearest even. The text is a C17 floating constant (6.4.4.2)
/// without suffix, decimal or hexadecimal; a leading `-` is taken too, as [`print_float`] writes it. Too large a number
/// is an infinity. `None` if the text is anything else.
///
/// ```
/// use howler_lang::arith::{parse_float, Format};
/// assert_eq!(parse_float("1e-1", Format::F64), Some(0x3fb9_9999_9999_999a));
/// assert_eq!(parse_float("0x1.8p1", Format::F32), Some(0x4040_0000));
/// assert_eq!(parse_float("15", Format::F32), None);
/// ```
pub fn parse_float(text: &str, format: Format) -> Option<u128> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let bits = match magnitude.strip_prefix("0x").or_else(|| magnitude.strip_prefix("0X")) {
        Some(hex) => parse_hex(hex, format)?,
        None => parse_decimal(magnitude, format)?,
    };
    Some(if negative { bits | format.sign_bit() } else { bits })
}

/// A constant cut into its parts.
struct Parts<'a> {
    whole: &'a str,
    fraction: &'a str,
    exponent: Option<i64>,
    point: bool,
}

impl Parts<'_> {
    /// The digits from first to last, the point left out.
    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    /// What the last digit's place is worth, as a power of the base of the exponent; `per_digit` is a digit's share.
    fn last_place(&self, per_digit: i64) -> i64 {
        let length = i64::try_from(self.fraction.len()).unwrap_or(FAR);
        self.exponent.unwrap_or(0).saturating_sub(length.saturating_mul(per_digit))
    }
}

fn split(text: &str, is_digit: fn(u8) -> bool, marks: [char; 2]) -> Option<Parts<'_>> {
    let (mantissa, exponent) = match text.split_once(marks) {
        Some((mantissa, exponent)) => (mantissa, Some(parse_exponent(exponent)?)),
        None => (text, None),
    };
    let (whole, fraction, point) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, fraction, true),
        None => (mantissa, "", false),
    };
    let parts = Parts { whole, fraction, exponent, point };
    let some = !whole.is_empty() || !fraction.is_empty();
    (some && parts.digits().all(is_digit)).then_some(parts)
}

fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let magnitude = digits
        .iter()
        .fold(0i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(FAR));
    Some(if negative { -magnitude } else { magnitude })
}

fn parse_hex(text: &str, format: Format) -> Option<u128> {
    let parts = split(text, |byte| byte.is_ascii_hexdigit(), ['p', 'P'])?;
    // C17 6.4.4.2p1: the exponent is not optional.
    parts.exponent?;
    let (mut significand, mut more, mut dropped) = (0u128, false, 0i64);
    for byte in parts.digits() {
        let digit = u128::from(char::from(byte).to_digit(16)?);
        if significand >> 124 == 0 {
            significand = significand << 4 | digit;
        } else {
            more |= digit != 0;
            dropped += 4;
        }
    }
    let exponent = parts.last_place(4).saturating_add(dropped).clamp(-1_000_000, 1_000_000);
    let exponent = i32::try_from(exponent).ok()?;
    Some(round(format, Exact { negative: false, exponent, significand }, more))
}

fn parse_decimal(text: &str, format: Format) -> Option<u128> {
    let parts = split(text, |byte| byte.is_ascii_digit(), ['e', 'E'])?;
    // Without either it is an integer constant.
    if parts.exponent.is_none() && !parts.point {
        return None;
    }
    if text.len() <= SHORT {
        match format {
            Format::F32 => return text.parse().ok().map(|value: f32| u128::from(value.to_bits())),
            Format::F64 => return text.parse().ok().map(|value: f64| u128::from(value.to_bits())),
            _ => {}
        }
    }
    let (mut kept, mut more, mut dropped) = (String::new(), false, 0i64);
    for digit in parts.digits() {
        if kept.is_empty() && digit == b'0' {
            continue;
        }
        if kept.len() < DIGITS {
            kept.push(char::from(digit));
        } else {
            more |= digit != b'0';
            dropped += 1;
        }
    }
    let mut exponent = parts.last_place(1).saturating_add(dropped);
    if more {
        kept.push('1');
        exponent = exponent.saturating_sub(1);
    }
    // The number is below 10^size and not below 10^(size - 1). No format reaches beyond 10^±4966.
    let size = exponent.saturating_add(i64::try_from(kept.len()).unwrap_or(FAR));
    if kept.is_empty() || size < -5000 {
        return Some(0);
    }
    if size > 5000 {
        return Some(format.infinity());
    }
    write!(kept, "e{exponent}").expect("writing to a string does not fail");
    match format {
        Format::F16 => soft::<Half>(&kept),
        Format::F32 => kept.parse().ok().map(|value: f32| u128::from(value.to_bits())),
        Format::F64 => kept.parse().ok().map(|value: f64| u128::from(value.to_bits())),
        Format::X87 => soft::<X87DoubleExtended>(&kept),
        Format::F128 => soft::<Quad>(&kept),
    }
}

fn soft<F: Float>(text: &str) -> Option<u128> {
    Some(text.parse::<F>().ok()?.to_bits())
}

/// A spelling of a finite value as a C constant without suffix that reads back to the same bits; `None` for infinities
/// and NaNs. Negative values get a leading `-`, which in C is an operator.
///
/// The formats of `float` and `double` get the shortest decimal that does; the others a short or exact decimal if there
/// is one, else a hexadecimal constant.
///
/// ```
/// use howler_lang::arith::{print_float, Format};
/// assert_eq!(print_float(u128::from(1e100f64.to_bits()), Format::F64).as_deref(), Some("1e+100"));
/// assert_eq!(print_float(u128::from(0.1f32.to_bits()), Format::F32).as_deref(), Some("0.1"));
/// ```
pub fn print_float(bits: u128, format: Format) -> Option<String> {
    let Value::Finite(number) = value(format, bits) else {
        return None;
    };
    let bits = bits & mask(format.bits());
    let text = match format {
        Format::F32 => c_spelling(&format!("{:?}", f32::from_bits(u32::try_from(bits).ok()?))),
        Format::F64 => c_spelling(&format!("{:?}", f64::from_bits(u64::try_from(bits).ok()?))),
        Format::F16 => short_decimal(format, bits).unwrap_or_else(|| hex_spelling(number)),
        Format::X87 | Format::F128 => plain_decimal(format, bits)
            .or_else(|| exact_decimal(number))
            .unwrap_or_else(|| hex_spelling(number)),
    };
    Some(text)
}

/// Writes the `e100` of Rust's shortest form as C programmers do.
fn c_spelling(rust: &str) -> String {
    match rust.split_once('e') {
        Some((mantissa, exponent)) if !exponent.starts_with('-') => format!("{mantissa}e+{exponent}"),
        _ => rust.to_owned(),
    }
}

/// The binary64 value with these bits' value, if there is one.
fn as_double(format: Format, bits: u128) -> Option<f64> {
    let double = float_to_float(format, Format::F64, bits);
    let same = float_to_float(Format::F64, format, double) == bits;
    same.then_some(f64::from_bits(u64::try_from(double).ok()?))
}

/// The shortest decimal with at most 5 digits, enough for binary16, that reads back.
fn short_decimal(format: Format, bits: u128) -> Option<String> {
    let double = as_double(format, bits)?;
    (0..5).find_map(|digits| {
        let rounded: f64 = format!("{double:.digits$e}").parse().ok()?;
        let text = c_spelling(&format!("{rounded:?}"));
        (parse_float(&text, format) == Some(bits)).then_some(text)
    })
}

/// The decimal of the same value as a `double`, if it reads back: `1.5` but not `0.1`.
fn plain_decimal(format: Format, bits: u128) -> Option<String> {
    let text = c_spelling(&format!("{:?}", as_double(format, bits)?));
    (parse_float(&text, format) == Some(bits)).then_some(text)
}

/// All digits of the value, if there are not many: hexadecimal constants are hard to read, and C89 has none.
fn exact_decimal(number: Exact) -> Option<String> {
    let zeros = if number.significand == 0 { 0 } else { number.significand.trailing_zeros() };
    let (significand, exponent) = (number.significand >> zeros, number.exponent + zeros.cast_signed());
    let sign = if number.negative { "-" } else { "" };
    if exponent >= 0 {
        let shift = u32::try_from(exponent).ok().filter(|&shift| shift < significand.leading_zeros())?;
        return Some(format!("{sign}{}.0", significand << shift));
    }
    // f/2^n is f×5^n/10^n.
    let places = exponent.unsigned_abs();
    let whole = significand.checked_shr(places).unwrap_or(0);
    let rest = significand - whole.checked_shl(places).unwrap_or(0);
    let digits = 5u128.checked_pow(places)?.checked_mul(rest)?;
    let (places, width) = (usize::try_from(places).ok()?, whole.checked_ilog10().unwrap_or(0) as usize);
    (places + width < 40).then(|| format!("{sign}{whole}.{digits:0places$}"))
}

fn hex_spelling(number: Exact) -> String {
    let sign = if number.negative { "-" } else { "" };
    if number.significand == 0 {
        return format!("{sign}0.0");
    }
    // The first digit is 1 and the rest is a whole number of hexadecimal digits.
    let top = 127 - number.significand.leading_zeros();
    let exponent = i64::from(number.exponent) + i64::from(top);
    let rest = number.significand << (127 - top) << 1;
    let digits = format!("{rest:032x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x1{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATS: [Format; 5] = [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128];

    #[test]
    fn spellings_that_are_no_floating_constants() {
        for text in [
            "", ".", "e5", ".e5", "1", "0x1", "0x1.8", "0x.p1", "0xp1", "1e", "1e+", "1.0e1.0", "1.2.3",
            "+1.0", "1.0f", "0x1p", "1e5e5", "inf", "nan", " 1.0", "1_0.0", "--1.0", "0x1p1p1", "é.0",
            "1.0é", "0b1.0", "1.0e٣",
        ] {
            for format in FORMATS {
                assert_eq!(parse_float(text, format), None, "{text}");
            }
        }
        for text in ["1.", ".5", "1e5", "1E-5", "0.0", "00.1e+09", "0x.8p0", "0X1.P-3", "0xAp1", "-1.0"] {
            for format in FORMATS {
                assert!(parse_float(text, format).is_some(), "{text}");
            }
        }
    }

    #[test]
    fn known_constants() {
        let at = |text, format| parse_float(text, format).expect("a constant");
        assert_eq!(at("0.1", Format::F16), 0x2e66);
        assert_eq!(at("65519.99", Format::F16), 0x7bff);
        assert_eq!(at("65520.0", Format::F16), 0x7c00);
        assert_eq!(at("0.1", Format::X87), 0x3ffb_cccc_cccc_cccc_cccd);
        assert_eq!(at("0.1", Format::F128), 0x3ffb_9999_9999_9999_9999_9999_9999_999a);
        assert_eq!(at("0x1p-16494", Format::F128), 1);
        assert_eq!(at("0x1p-16495", Format::F128), 0);
        assert_eq!(at("0x1.0000000000000000000000000000001p-16495", Format::F128), 1);
        assert_eq!(at("0x1p-16445", Format::X87), 1);
        assert_eq!(at("0x1p-149", Format::F32), 1);
        assert_eq!(at("0x1.ffffffp0", Format::F32), 0x4000_0000);
        assert_eq!(at("0x1.000001p0", Format::F32), 0x3f80_0000);
        assert_eq!(at("0x1.00000100000000000000000000000000000000000001p0", Format::F32), 0x3f80_0001);
        assert_eq!(
            at("0x0.00000000000000000000000000000000000000000001p176", Format::F64),
            at("1.0", Format::F64)
        );
        assert_eq!(at("-0.0", Format::F64), 1 << 63);
    }

    #[test]
    fn hostile_lengths_and_exponents() {
        let zeros = "0".repeat(1_000_000);
        for format in FORMATS {
            let (one, infinity) = (Some(format.one()), Some(format.infinity()));
            assert_eq!(parse_float("1e999999999", format), infinity);
            assert_eq!(parse_float("1e-999999999", format), Some(0));
            assert_eq!(parse_float("0e99999999999999999999999999", format), Some(0));
            assert_eq!(parse_float("0x1p99999999999999999999999", format), infinity);
            assert_eq!(parse_float("0x1p-99999999999999999999999", format), Some(0));
            assert_eq!(parse_float(&format!("1{zeros}e-1000000"), format), one);
            assert_eq!(parse_float(&format!("0.{zeros}1e1000001"), format), one);
            assert_eq!(parse_float(&format!("0x1{zeros}p-4000000"), format), one);
            assert_eq!(parse_float(&format!("0x0.{zeros}1p4000004"), format), one);
            assert_eq!(parse_float(&format!("1.{zeros}"), format), one);
            assert_eq!(parse_float(&format!("1e{zeros}0"), format), one);
            // One and half a last place is a tie, and goes to even; a digit far behind breaks it.
            let tie = exact_decimal_of_half_place(format.precision());
            assert_eq!(parse_float(&tie, format), one, "{format:?}");
            assert_eq!(parse_float(&format!("{tie}{zeros}1"), format), Some(format.one() + 1), "{format:?}");
        }
    }

    /// The decimal digits of 1 + 2^-precision, all of them.
    fn exact_decimal_of_half_place(precision: u32) -> String {
        // 2^-n is 5^n / 10^n.
        let mut digits = vec![1u8];
        for _ in 0..precision {
            let mut carry = 0;
            for digit in &mut digits {
                let value = *digit * 5 + carry;
                (*digit, carry) = (value % 10, value / 10);
            }
            if carry > 0 {
                digits.push(carry);
            }
        }
        let text: String = digits.iter().rev().map(|&digit| char::from(b'0' + digit)).collect();
        format!("1.{text:0>width$}", width = usize::try_from(precision).expect("small"))
    }

    #[test]
    fn soft_decimals_agree_with_the_standard_library() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..20_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let text = format!("{:e}", f64::from_bits(state));
            if let Some(expected) = parse_float(&text, Format::F64) {
                assert_eq!(soft::<rustc_apfloat::ieee::Double>(&text), Some(expected), "{text}");
                let single = parse_float(&text, Format::F32);
                assert_eq!(soft::<rustc_apfloat::ieee::Single>(&text), single, "{text}");
            }
        }
    }

    #[test]
    fn printed_constants_read_back() {
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            u128::from(state)
        };
        for format in FORMATS {
            for _ in 0..4000 {
                let mut bits = (random() << 64 | random()) & mask(format.bits());
                if format == Format::X87 && bits >> 64 & 0x7fff != 0 {
                    bits |= 1 << 63;
                }
                match print_float(bits, format) {
                    Some(text) => {
                        let pseudo = format == Format::X87 && bits >> 63 & 0xffff == 1;
                        let expected = if pseudo { bits | 1 << 64 } else { bits };
                        assert_eq!(parse_float(&text, format), Some(expected), "{text} {format:?}");
                    }
                    None => assert!(format.is_nan(bits) || bits & !format.sign_bit() == format.infinity()),
                }
            }
        }
        // Not too large, not too many places: these need all digits.
        for (format, bias) in [(Format::X87, 0x3fff), (Format::F128, 0x3fff)] {
            for _ in 0..4000 {
                let exponent = bias + random() % 140;
                let bits = match format {
                    Format::X87 => exponent << 64 | 1 << 63 | random() >> 1,
                    _ => exponent << 112 | random() << 48,
                };
                let text = print_float(bits, format).expect("finite");
                assert_eq!(parse_float(&text, format), Some(bits), "{text} {format:?}");
            }
        }
        for bits in 0..1 << 16 {
            if let Some(text) = print_float(bits, Format::F16) {
                assert_eq!(parse_float(&text, Format::F16), Some(bits), "{text}");
                assert!(!text.contains('x'), "{text}");
            }
        }
    }

    #[test]
    fn printed_constants_are_readable() {
        let at = |text, format| {
            print_float(parse_float(text, format).expect("a constant"), format).expect("a finite value")
        };
        assert_eq!(at("1.50", Format::F64), "1.5");
        assert_eq!(at("1e100", Format::F64), "1e+100");
        assert_eq!(at("100.0", Format::F64), "100.0");
        assert_eq!(at("1e-7", Format::F64), "1e-7");
        assert_eq!(at("0.1", Format::F32), "0.1");
        assert_eq!(at("0.1", Format::F16), "0.1");
        assert_eq!(at("1.5", Format::X87), "1.5");
        assert_eq!(at("-3.0", Format::F128), "-3.0");
        assert_eq!(at("0.1", Format::X87), "0x1.999999999999999ap-4");
        assert_eq!(at("14603698710941763.0", Format::X87), "14603698710941763.0");
        assert_eq!(at("-0x1.fffffffffffffffep+62", Format::X87), "-9223372036854775807.5");
        assert_eq!(at("0x1.8p+90", Format::X87), "1856910058928070412348686336.0");
        assert_eq!(at("0x1.000000000000001p+40", Format::F128), "1099511627776.00000095367431640625");
        assert_eq!(at("0x1p-16494", Format::F128), "0x1p-16494");
        assert_eq!(at("-0.0", Format::X87), "-0.0");
        assert_eq!(print_float(Format::F64.infinity(), Format::F64), None);
        assert_eq!(print_float(Format::F64.nan(), Format::F64), None);
    }
}
