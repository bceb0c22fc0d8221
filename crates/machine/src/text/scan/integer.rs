//! Integers: strtol, strtoul, strtoll, strtoull, strtoimax (C17 7.22.1.4) and atoi, atol, atoll (7.22.1.2).

use crate::text::ctype::is_space;
use howler_lang::arith::{self, Num};

/// What one of the functions finds at the start of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integer {
    /// The value in its type's bits; the nearest one of the type after an overflow, 0 if there is no number.
    pub bits: u128,
    /// Where the rest begins; 0 if there is no number.
    pub end: usize,
    /// Whether the number is out of the type's range, and `errno` becomes `ERANGE`.
    pub overflow: bool,
}

/// Reads an integer of type `num` in a base that is 0 or 2 to 36; `None` for another base, which C17 7.22.1.4p3 gives
/// no meaning, or a type that is no integer type.
///
/// ```
/// use howler_lang::arith::Num;
/// use howler_machine::text::scan::integer;
/// let found = integer(b" -0x1fz", 0, Num::INT).expect("a base");
/// assert_eq!((found.bits, found.end, found.overflow), (0xffff_ffe1, 6, false));
/// ```
pub fn integer(text: &[u8], base: i32, num: Num) -> Option<Integer> {
    let base = match u32::try_from(base) {
        Ok(base @ (0 | 2..=36)) => base,
        _ => return None,
    };
    let Num::Int { signed, .. } = num else { return None };
    let start = text.iter().take_while(|&&byte| is_space(byte)).count();
    let subject = subject(&text[start..], base);
    let Some(magnitude) = subject.magnitude else {
        return Some(Integer { bits: 0, end: 0, overflow: false });
    };
    let (bits, overflow) = in_type(magnitude, subject.negative, num.width(), signed);
    Some(Integer { bits, end: start + subject.end, overflow })
}

/// `atoi` and its like: the value, or `None` if it is out of range, which is undefined (C17 7.22.1p1).
///
/// ```
/// use howler_lang::arith::Num;
/// use howler_machine::text::scan::whole_integer;
/// assert_eq!(whole_integer(b" 12x", Num::INT), Some(12));
/// assert_eq!(whole_integer(b"2147483648", Num::INT), None);
/// ```
pub fn whole_integer(text: &[u8], num: Num) -> Option<u128> {
    integer(text, 10, num).filter(|found| !found.overflow).map(|found| found.bits)
}

/// A sign, a prefix and digits.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    pub(super) negative: bool,
    /// `None` if there are no digits; saturates.
    pub(super) magnitude: Option<u128>,
    /// Where the digits end.
    pub(super) end: usize,
    /// Whether `0x` was there without a digit behind it, so that the number is the 0 before the x.
    pub(super) lone_prefix: bool,
}

/// The longest number at the very start of `text`; base 0 goes by the prefix.
pub(super) fn subject(text: &[u8], base: u32) -> Subject {
    let (negative, sign) = match text.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    };
    let digit = |at: usize, base: u32| text.get(at).and_then(|&byte| char::from(byte).to_digit(base));
    let prefixed = matches!(base, 0 | 16) && matches!(text.get(sign..), Some([b'0', b'x' | b'X', ..]));
    let lone_prefix = prefixed && digit(sign + 2, 16).is_none();
    let (mut end, base) = match base {
        _ if prefixed && !lone_prefix => (sign + 2, 16),
        0 if text.get(sign) == Some(&b'0') => (sign, 8),
        0 => (sign, 10),
        base => (sign, base),
    };
    let mut magnitude = None;
    while let Some(digit) = digit(end, base) {
        let above: u128 = magnitude.unwrap_or(0);
        magnitude = Some(above.saturating_mul(u128::from(base)).saturating_add(u128::from(digit)));
        end += 1;
    }
    Subject { negative, magnitude, end, lone_prefix }
}

/// The bits of a number in a type, and whether it is out of range; then the nearest value, and for an unsigned type
/// its largest (C17 7.22.1.4p8). An unsigned type's negative numbers are negated in the type (p5).
pub(super) fn in_type(magnitude: u128, negative: bool, width: u32, signed: bool) -> (u128, bool) {
    let mask = arith::mask(width);
    let most = match (signed, negative) {
        (true, true) => (mask >> 1) + 1,
        (true, false) => mask >> 1,
        (false, _) => mask,
    };
    let overflow = magnitude > most;
    let value = magnitude.min(most);
    (if negative && (signed || !overflow) { value.wrapping_neg() & mask } else { value }, overflow)
}
