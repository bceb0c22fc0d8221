//! Padding and length limits, and the conversions that do nothing else: `%s` and `%c`.

use super::spec::Spec;

/// The text of one conversion would be longer than the caller allows.
///
/// C17 7.21.6.1p15 promises 4095 characters per conversion, and no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, thiserror::Error)]
#[error("a conversion would write {length} characters, more than {limit}")]
pub struct TooLong {
    /// How many bytes it would be.
    pub length: u64,
    /// How many are allowed.
    pub limit: u64,
}

/// The parts of a converted number, in the order they are written; padding by zeros stands before `digits`.
#[derive(Default)]
pub(super) struct Number {
    pub(super) sign: &'static str,
    pub(super) prefix: &'static str,
    pub(super) digits: Vec<u8>,
    /// Zeros that follow the digits.
    pub(super) zeros: u64,
    pub(super) suffix: String,
}

/// Whether a field may be filled up with zeros.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Padding {
    Spaces,
    Zeros,
}

/// Writes a number in its field.
pub(super) fn write(
    spec: Spec,
    padding: Padding,
    number: &Number,
    limit: u64,
    out: &mut Vec<u8>,
) -> Result<(), TooLong> {
    let front = count(number.sign.len()) + count(number.prefix.len());
    let length = front + count(number.digits.len()) + number.zeros + count(number.suffix.len());
    let width = u64::from(spec.width.number().unwrap_or(0));
    bounded(length.max(width), limit)?;
    let fill = width.saturating_sub(length);
    let (before, zeros, after) = match (spec.flags.left, padding) {
        (true, _) => (0, 0, fill),
        (false, Padding::Zeros) => (0, fill, 0),
        (false, Padding::Spaces) => (fill, 0, 0),
    };
    repeat(b' ', before, out);
    out.extend_from_slice(number.sign.as_bytes());
    out.extend_from_slice(number.prefix.as_bytes());
    repeat(b'0', zeros, out);
    out.extend_from_slice(&number.digits);
    repeat(b'0', number.zeros, out);
    out.extend_from_slice(number.suffix.as_bytes());
    repeat(b' ', after, out);
    Ok(())
}

/// `%s`: the string, cut at the precision. The caller passes the bytes before the null character; if there is none
/// among the first so many as the precision says, those (C17 7.21.6.1p8 reads no more then). `%ls` takes the bytes that
/// [`wide_byte`] gives.
///
/// ```
/// use howler_machine::text::format::{parse, string};
/// let (spec, _) = parse(b"%-6.3s").expect("valid");
/// let mut out = Vec::new();
/// string(spec, b"howler", 4095, &mut out).expect("short");
/// assert_eq!(out, b"how   ");
/// ```
pub fn string(spec: Spec, bytes: &[u8], limit: u64, out: &mut Vec<u8>) -> Result<(), TooLong> {
    let most =
        spec.precision.number().map_or(usize::MAX, |number| usize::try_from(number).unwrap_or(usize::MAX));
    let shown = &bytes[..bytes.len().min(most)];
    let length = count(shown.len());
    let width = u64::from(spec.width.number().unwrap_or(0));
    bounded(length.max(width), limit)?;
    let fill = width.saturating_sub(length);
    if !spec.flags.left {
        repeat(b' ', fill, out);
    }
    out.extend_from_slice(shown);
    if spec.flags.left {
        repeat(b' ', fill, out);
    }
    Ok(())
}

/// `%c`: one byte, which may be 0.
pub fn character(spec: Spec, byte: u8, limit: u64, out: &mut Vec<u8>) -> Result<(), TooLong> {
    let spec = Spec { precision: super::spec::Amount::None, ..spec };
    string(spec, &[byte], limit, out)
}

/// The byte of a wide character in the "C" locale, where `%lc` and `%ls` call `wcrtomb`. `None` is an encoding error,
/// for which glibc's printf returns -1.
///
/// ```
/// use howler_machine::text::format::wide_byte;
/// assert_eq!((wide_byte(0x41), wide_byte(0xe9)), (Some(b'A'), None));
/// ```
pub fn wide_byte(wide: u32) -> Option<u8> {
    u8::try_from(wide).ok().filter(u8::is_ascii)
}

fn bounded(length: u64, limit: u64) -> Result<(), TooLong> {
    if length > limit { Err(TooLong { length, limit }) } else { Ok(()) }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// `times` is below a limit that was checked; the limit is the caller's, so memory is too.
fn repeat(byte: u8, times: u64, out: &mut Vec<u8>) {
    let times = usize::try_from(times).unwrap_or(usize::MAX);
    out.resize(out.len().saturating_add(times), byte);
}
