//! `%d %i %o %u %x %X` and `%p`.

use super::argument::{Argument, argument};
use super::output::{Number, Padding, TooLong, string, write};
use super::spec::{Amount, Conversion, Spec};
use howler_lang::arith::{Num, convert, int_num};
use howler_lang::target::Target;

/// The text of an integer conversion. `bits` is the argument as it is passed; bits above its type are ignored. A
/// specification that is no integer conversion writes nothing.
///
/// ```
/// use howler_lang::target::Target;
/// use howler_machine::text::format::{integer, parse};
/// let (spec, _) = parse(b"%+.3hhd").expect("valid");
/// let mut out = Vec::new();
/// integer(spec, &Target::X86_64_GCC, 0x107, 4095, &mut out).expect("short");
/// assert_eq!(out, b"+007");
/// ```
pub fn integer(
    spec: Spec,
    target: &Target,
    bits: u128,
    limit: u64,
    out: &mut Vec<u8>,
) -> Result<(), TooLong> {
    let (true, Argument::Int { passed, printed }) = (spec.conversion.is_integer(), argument(spec, target))
    else {
        return Ok(());
    };
    // Extended to 128 bits, a negative value is one whose top bit is set.
    let wide = Num::Int { width: 128, signed: true };
    let passed = int_num(target, passed);
    let printed = int_num(target, printed);
    let value = convert(passed, printed, bits).and_then(|value| convert(printed, wide, value)).unwrap_or(0);
    let signed = matches!(printed, Num::Int { signed: true, .. });
    let negative = signed && value.cast_signed() < 0;
    let magnitude = if negative { value.wrapping_neg() } else { value };
    let sign = match spec.flags {
        _ if negative => "-",
        // C17 7.21.6.1p6: both flags are about signed conversions.
        flags if signed && flags.plus => "+",
        flags if signed && flags.space => " ",
        _ => "",
    };
    magnitude_text(spec, sign, magnitude, limit, out)
}

/// `%p` as glibc writes it: like `%#x`, or `(nil)`.
///
/// ```
/// use howler_machine::text::format::{parse, pointer};
/// let (spec, _) = parse(b"%p").expect("valid");
/// let mut out = Vec::new();
/// pointer(spec, 0x1f, 4095, &mut out).expect("short");
/// assert_eq!(out, b"0x1f");
/// ```
pub fn pointer(spec: Spec, address: u64, limit: u64, out: &mut Vec<u8>) -> Result<(), TooLong> {
    if address == 0 {
        return string(Spec { precision: Amount::None, ..spec }, b"(nil)", limit, out);
    }
    // glibc lets the flags for signed numbers through here, though not for `%x`.
    let sign = match spec.flags {
        flags if flags.plus => "+",
        flags if flags.space => " ",
        _ => "",
    };
    let mut spec = Spec { conversion: Conversion::Hex { upper: false }, ..spec };
    spec.flags.alternative = true;
    magnitude_text(spec, sign, u128::from(address), limit, out)
}

fn magnitude_text(
    spec: Spec,
    sign: &'static str,
    magnitude: u128,
    limit: u64,
    out: &mut Vec<u8>,
) -> Result<(), TooLong> {
    let precision = spec.precision.number();
    let mut digits = match (magnitude, spec.conversion) {
        // C17 7.21.6.1p8: zero with a precision of zero has no characters.
        (0, _) if precision == Some(0) => String::new(),
        (_, Conversion::Octal) => format!("{magnitude:o}"),
        (_, Conversion::Hex { upper: false }) => format!("{magnitude:x}"),
        (_, Conversion::Hex { upper: true }) => format!("{magnitude:X}"),
        _ => magnitude.to_string(),
    };
    let alternative = spec.flags.alternative;
    // p6: `#` raises an octal's precision, if and only if needed, to make the first digit a zero.
    if alternative && spec.conversion == Conversion::Octal && !digits.starts_with('0') {
        let given = precision.and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
        if digits.len() >= given {
            digits.insert(0, '0');
        }
    }
    let prefix = match spec.conversion {
        Conversion::Hex { upper: false } if alternative && magnitude != 0 => "0x",
        Conversion::Hex { upper: true } if alternative && magnitude != 0 => "0X",
        _ => "",
    };
    // p6: with a precision the flag `0` is ignored.
    let padding = if spec.flags.zero && precision.is_none() { Padding::Zeros } else { Padding::Spaces };
    let length = u64::try_from(digits.len()).unwrap_or(u64::MAX);
    let missing = u64::from(precision.unwrap_or(0)).saturating_sub(length);
    // The precision's zeros stand before the digits: as the number's only digits they are written first, and the
    // others follow as its suffix.
    let number = Number { sign, prefix, digits: Vec::new(), zeros: missing, suffix: digits };
    write(spec, padding, &number, limit, out)
}
