//! Floating numbers: strtod, strtof, strtold and strtof128 (C17 7.22.1.3), correctly rounded to nearest.

use super::integer;
use crate::text::ctype::is_space;
use crate::text::real::{self, Binary, Decimal};
use howler_lang::arith::{Format, Num, parse_float};
use std::cmp::Ordering;
use std::ops::Range as Span;

/// What one of the functions finds at the start of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Float {
    /// The value in its format; 0 if there is no number.
    pub bits: u128,
    /// Where the rest begins; 0 if there is no number.
    pub end: usize,
    /// Whether it fits the format.
    pub range: Range,
}

/// Whether a number fits a floating format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Range {
    /// It does; `errno` stays.
    Fits,
    /// It is too large: the value is an infinity and `errno` becomes `ERANGE`.
    Overflow,
    /// It is below the normal numbers and was rounded. C17 7.22.1.3p10 leaves open whether `errno` becomes `ERANGE`;
    /// glibc does it as a rule. From half the smallest normal number up to that number glibc (2.36) overlooks a bit:
    /// `0x0.8000000000000cp-1022` becomes 2^-1023, which is not the nearest `double`, and `errno` may stay.
    Underflow,
}

/// Reads a floating number.
///
/// ```
/// use howler_lang::arith::Format;
/// use howler_machine::text::scan::{Range, float};
/// let found = float(b" 1.5e+", Format::F64);
/// assert_eq!((found.bits, found.end), (u128::from(1.5f64.to_bits()), 4));
/// assert_eq!(float(b"1e999", Format::F64).range, Range::Overflow);
/// ```
pub fn float(text: &[u8], format: Format) -> Float {
    let start = text.iter().take_while(|&&byte| is_space(byte)).count();
    let shape = shape(&text[start..]);
    let Some(subject) = shape.subject else {
        return Float { bits: 0, end: 0, range: Range::Fits };
    };
    let (bits, range) = value(&text[start..], &subject, format);
    let sign = if shape.negative { format.sign_bit() } else { 0 };
    Float { bits: bits | sign, end: start + subject.end, range }
}

/// A number and what stands around it.
pub(super) struct Shape {
    pub(super) negative: bool,
    /// The longest number at the start, without the sign.
    pub(super) subject: Option<Subject>,
    /// Where the longest text ends that could begin a number, such as `1e+`.
    pub(super) prefix_end: usize,
}

pub(super) struct Subject {
    kind: Kind,
    pub(super) end: usize,
}

enum Kind {
    Infinity,
    /// With the n-char-sequence, if there are parentheses.
    Nan(Option<Span<usize>>),
    /// Digits with at most one point, and the exponent with its sign.
    Number {
        hex: bool,
        mantissa: Span<usize>,
        exponent: Option<Span<usize>>,
    },
}

impl Subject {
    pub(super) fn is_nan(&self) -> bool {
        matches!(self.kind, Kind::Nan(_))
    }
}

/// Finds the number at the very start of `text`.
pub(super) fn shape(text: &[u8]) -> Shape {
    let (negative, start) = match text.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    };
    let found = |subject, prefix_end| Shape { negative, subject, prefix_end };
    let common = |word: &[u8]| {
        let rest = text.get(start..).unwrap_or_default();
        rest.iter().zip(word).take_while(|(byte, letter)| byte.eq_ignore_ascii_case(letter)).count()
    };
    match common(b"infinity") {
        0 => {}
        length => {
            let whole = match length {
                8 => Some(8),
                3.. => Some(3),
                _ => None,
            };
            let subject = whole.map(|whole| Subject { kind: Kind::Infinity, end: start + whole });
            return found(subject, start + length);
        }
    }
    match common(b"nan") {
        0 => {}
        3 => {
            let (kind, end, prefix_end) = after_nan(text, start + 3);
            return found(Some(Subject { kind, end }), prefix_end);
        }
        length => return found(None, start + length),
    }
    let hex = matches!(text.get(start..), Some([b'0', b'x' | b'X', ..]));
    if hex {
        let (subject, prefix_end) = number(text, start + 2, true);
        // Without digits behind the prefix its zero is the number.
        let zero = Kind::Number { hex: false, mantissa: start..start + 1, exponent: None };
        return found(Some(subject.unwrap_or(Subject { kind: zero, end: start + 1 })), prefix_end);
    }
    let (subject, prefix_end) = number(text, start, false);
    found(subject, prefix_end)
}

fn after_nan(text: &[u8], end: usize) -> (Kind, usize, usize) {
    if text.get(end) != Some(&b'(') {
        return (Kind::Nan(None), end, end);
    }
    let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let close = end + 1 + text[end + 1..].iter().take_while(is_inside).count();
    if text.get(close) == Some(&b')') {
        (Kind::Nan(Some(end + 1..close)), close + 1, close + 1)
    } else {
        (Kind::Nan(None), end, close)
    }
}

/// Digits, a point, digits, an exponent; the number if there is one, and where its longest beginning ends.
fn number(text: &[u8], start: usize, hex: bool) -> (Option<Subject>, usize) {
    let is_digit = |byte: &&u8| if hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let digits = |from: usize| text.get(from..).unwrap_or_default().iter().take_while(is_digit).count();
    let whole = digits(start);
    let mut end = start + whole;
    let mut count = whole;
    if text.get(end) == Some(&b'.') {
        let part = digits(end + 1);
        count += part;
        end += 1 + part;
    }
    if count == 0 {
        return (None, end);
    }
    let mantissa = start..end;
    let mark = if hex { b'p' } else { b'e' };
    let mut prefix_end = end;
    let mut exponent = None;
    if text.get(end).is_some_and(|byte| byte.eq_ignore_ascii_case(&mark)) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let first = end + 1 + sign;
        let count =
            text.get(first..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
        prefix_end = first + count;
        if count > 0 {
            exponent = Some(end + 1..prefix_end);
            end = prefix_end;
        }
    }
    (Some(Subject { kind: Kind::Number { hex, mantissa, exponent }, end }), prefix_end)
}

/// The bits of a number without its sign.
pub(super) fn value(text: &[u8], subject: &Subject, format: Format) -> (u128, Range) {
    let (hex, mantissa, exponent) = match &subject.kind {
        Kind::Infinity => return (format.infinity(), Range::Fits),
        Kind::Nan(payload) => {
            let payload = payload.as_ref().map_or(0, |span| payload_of(&text[span.clone()]));
            // As many bits as stand below the quiet bit; x87's integer bit is not one of them.
            let room = format.precision() - 2;
            return (format.nan() | u128::from(payload) & ((1 << room) - 1), Range::Fits);
        }
        Kind::Number { hex, mantissa, exponent } => {
            let exponent = exponent.as_ref().map_or(&b"0"[..], |span| &text[span.clone()]);
            (*hex, &text[mantissa.clone()], exponent)
        }
    };
    // All bytes are ASCII here. The exponent makes it a floating constant for C's grammar too.
    let (prefix, mark) = if hex { ("0x", "p") } else { ("", "e") };
    let constant = [prefix.as_bytes(), mantissa, mark.as_bytes(), exponent]
        .concat()
        .into_iter()
        .map(char::from)
        .collect::<String>();
    let bits = parse_float(&constant, format).expect("the grammar of strtod's numbers is that of constants");
    let range = if bits == format.infinity() {
        Range::Overflow
    } else if bits <= smallest_normal(format) && is_underflow(hex, mantissa, exponent, bits, format) {
        Range::Underflow
    } else {
        Range::Fits
    };
    (bits, range)
}

/// glibc reads an n-char-sequence that is an integer constant as the payload of the NaN, and ignores another.
fn payload_of(sequence: &[u8]) -> u64 {
    let number = integer::integer(sequence, 0, Num::Int { width: 64, signed: false });
    let whole = number.filter(|found| found.end == sequence.len()).map_or(0, |found| found.bits);
    u64::try_from(whole).unwrap_or(u64::MAX)
}

fn smallest_normal(format: Format) -> u128 {
    match format {
        Format::X87 => 1 << 64 | 1 << 63,
        _ => 1 << (format.precision() - 1),
    }
}

/// Whether a number that became `bits` was rounded and is tiny: below the normal numbers even if it had been rounded
/// to the same precision with an exponent as small as it likes, which is how x86 detects it.
fn is_underflow(hex: bool, mantissa: &[u8], exponent: &[u8], bits: u128, format: Format) -> bool {
    let real::Value::Finite(result) = real::value(format, bits) else { return false };
    let precision = format.precision();
    let lowest = 1 - real::bias(format);
    // What lies between this and the smallest normal number rounds up to it.
    let limit =
        Binary { significand: (1 << (precision + 1)) - 1, exponent: lowest - precision.cast_signed() - 1 };
    let (against_result, against_limit) = if hex {
        let number = Hex::new(mantissa, exponent);
        (number.compare(result), number.compare(limit))
    } else {
        let number = decimal(mantissa, exponent);
        (number.compare(&Decimal::exact(result)), number.compare(&Decimal::exact(limit)))
    };
    against_result != Ordering::Equal && against_limit == Ordering::Less
}

/// Where exponents stop counting: far beyond any format and any length of text.
const FAR: i64 = 1 << 60;

fn exponent_value(exponent: &[u8]) -> i64 {
    let (negative, digits) = match exponent {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let add =
        |value: i64, digit: &u8| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(FAR);
    let magnitude = digits.iter().fold(0, add);
    if negative { -magnitude } else { magnitude }
}

fn whole_digits(mantissa: &[u8]) -> i64 {
    let whole = mantissa.iter().position(|&byte| byte == b'.').unwrap_or(mantissa.len());
    i64::try_from(whole).unwrap_or(FAR)
}

fn decimal(mantissa: &[u8], exponent: &[u8]) -> Decimal {
    let digits: Vec<u8> = mantissa.iter().filter(|&&byte| byte != b'.').map(|byte| byte - b'0').collect();
    Decimal::new(&digits, whole_digits(mantissa).saturating_add(exponent_value(exponent)))
}

/// A hexadecimal number: `significand`, whose top bit is set unless it is 0, × 2^`exponent`, and a little more if so.
struct Hex {
    significand: u128,
    exponent: i64,
    more: bool,
}

impl Hex {
    fn new(mantissa: &[u8], exponent: &[u8]) -> Hex {
        let (mut significand, mut more, mut taken) = (0u128, false, 0i64);
        for digit in mantissa.iter().filter_map(|&byte| char::from(byte).to_digit(16)) {
            if significand >> 124 == 0 {
                significand = significand << 4 | u128::from(digit);
                taken += 1;
            } else {
                more |= digit != 0;
            }
        }
        let places = whole_digits(mantissa).saturating_sub(taken).saturating_mul(4);
        let shift = significand.leading_zeros() % 128;
        let exponent = exponent_value(exponent).saturating_add(places).saturating_sub(i64::from(shift));
        Hex { significand: significand << shift, exponent, more }
    }

    fn compare(&self, other: Binary) -> Ordering {
        let shift = other.significand.leading_zeros();
        match (self.significand, other.significand) {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Less,
            (_, 0) => Ordering::Greater,
            (own, significand) => (self.exponent.cmp(&(i64::from(other.exponent) - i64::from(shift))))
                .then_with(|| own.cmp(&(significand << shift)))
                .then(self.more.cmp(&false)),
        }
    }
}
