//! Character constants and string literals: escapes, encodings, concatenation.

use super::{LiteralError, wchar_type, without_splices};
use howler_lang::program::{StrLit, StrPrefix, StrUnits};
use howler_lang::target::{Compiler, Target};
use howler_lang::ty::Type;

/// A character constant's value and type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharLiteral {
    /// The value, in the range of the type.
    pub value: i64,
    /// `int`, or the prefix's type.
    pub ty: Type,
}

/// Decodes a character constant (C17 6.4.4.4). Several characters count as gcc computes them: each shifts the value
/// by eight bits; of wide ones the last counts, and
/// clang takes only one. It takes no character that needs several code units either.
pub fn char_constant(spelling: &str, target: &Target) -> Result<CharLiteral, LiteralError> {
    let spelling = without_splices(spelling);
    let (prefix, body) = parts_of(&spelling, '\'').ok_or(LiteralError::Unterminated)?;
    if body.is_empty() {
        return Err(LiteralError::EmptyChar);
    }
    let strict = target.compiler == Compiler::Clang;
    let mut units = Vec::new();
    decode(body, prefix, strict, &mut units)?;
    if strict {
        let mut characters = Vec::new();
        decode(body, StrPrefix::Utf32, false, &mut characters)?;
        if prefix != StrPrefix::None && characters.len() > 1 {
            return Err(LiteralError::WideChars);
        }
        if units.len() > characters.len() {
            return Err(LiteralError::CharTooLarge);
        }
    }
    let last = units.last().copied().unwrap_or(0);
    let (value, ty) = match prefix {
        StrPrefix::None if units.len() == 1 && target.char_signed => (i64::from(last as u8 as i8), Type::INT),
        StrPrefix::None => {
            let value = units.iter().fold(0u32, |value, unit| value << 8 | unit & 0xff);
            (i64::from(value as i32), Type::INT)
        }
        StrPrefix::Utf8 => (i64::from(last as u8), Type::UCHAR),
        StrPrefix::Wide => (i64::from(last as i32), wchar_type(target)),
        StrPrefix::Utf16 => (i64::from(last as u16), Type::USHORT),
        StrPrefix::Utf32 => (i64::from(last), Type::UINT),
    };
    Ok(CharLiteral { value, ty })
}

/// Decodes adjacent string literals into one (C17 6.4.5): the prefix of any part counts for all, an escape belongs
/// to its part.
pub fn string(parts: &[&str], target: &Target) -> Result<StrLit, LiteralError> {
    // Without an escape and a prefix the bytes are the units.
    if let [part] = parts
        && let Some(body) = part.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
        && !body.as_bytes().contains(&b'\\')
    {
        return Ok(StrLit { units: StrUnits::Narrow(body.as_bytes().into()), prefix: StrPrefix::None });
    }
    let mut prefix = StrPrefix::None;
    for part in parts {
        let own = prefix_of(part).0;
        if own != StrPrefix::None && prefix != StrPrefix::None && own != prefix {
            return Err(LiteralError::Concatenation);
        }
        if own != StrPrefix::None {
            prefix = own;
        }
    }
    let strict = target.compiler == Compiler::Clang;
    let mut units = Vec::new();
    for part in parts {
        if let Some(raw) = raw_body(part) {
            for character in raw.ok_or(LiteralError::Unterminated)?.chars() {
                push_char(character, prefix, &mut units);
            }
            continue;
        }
        let part = without_splices(part);
        let (_, body) = parts_of(&part, '"').ok_or(LiteralError::Unterminated)?;
        decode(body, prefix, strict, &mut units)?;
    }
    let units = match prefix {
        StrPrefix::None | StrPrefix::Utf8 => StrUnits::Narrow(units.iter().map(|&unit| unit as u8).collect()),
        StrPrefix::Wide | StrPrefix::Utf16 | StrPrefix::Utf32 => StrUnits::Wide(units.into_boxed_slice()),
    };
    Ok(StrLit { units, prefix })
}

/// The prefix of a literal, and the rest from the quote (or a raw string's `R`) on.
fn prefix_of(spelling: &str) -> (StrPrefix, &str) {
    let (prefix, len) = match spelling.as_bytes() {
        [b'u', b'8', ..] => (StrPrefix::Utf8, 2),
        [b'L', ..] => (StrPrefix::Wide, 1),
        [b'u', ..] => (StrPrefix::Utf16, 1),
        [b'U', ..] => (StrPrefix::Utf32, 1),
        _ => (StrPrefix::None, 0),
    };
    (prefix, &spelling[len..])
}

/// The prefix and what stands between the quotes.
fn parts_of(spelling: &str, quote: char) -> Option<(StrPrefix, &str)> {
    let (prefix, rest) = prefix_of(spelling);
    let body = rest.strip_prefix(quote)?.strip_suffix(quote)?;
    Some((prefix, body))
}

/// The body of a raw string literal; `Some(None)` if it is one but not closed.
fn raw_body(spelling: &str) -> Option<Option<&str>> {
    let rest = prefix_of(spelling).1.strip_prefix('R')?;
    let body = || {
        let (delimiter, after) = rest.strip_prefix('"')?.split_once('(')?;
        after.strip_suffix('"')?.strip_suffix(delimiter)?.strip_suffix(')')
    };
    Some(body())
}

/// Adds the code units of a character.
fn push_char(character: char, prefix: StrPrefix, units: &mut Vec<u32>) {
    match prefix {
        StrPrefix::None | StrPrefix::Utf8 => {
            let mut buffer = [0; 4];
            units.extend(character.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        StrPrefix::Utf16 => {
            let mut buffer = [0; 2];
            units.extend(character.encode_utf16(&mut buffer).iter().map(|&unit| u32::from(unit)));
        }
        StrPrefix::Wide | StrPrefix::Utf32 => units.push(u32::from(character)),
    }
}

/// Decodes the text between quotes. An escape that does not fit loses its high bits, as in gcc, or is an error
/// (`strict`), as in clang.
fn decode(body: &str, prefix: StrPrefix, strict: bool, units: &mut Vec<u32>) -> Result<(), LiteralError> {
    let unit_max = match prefix {
        StrPrefix::None | StrPrefix::Utf8 => 0xff,
        StrPrefix::Utf16 => 0xffff,
        StrPrefix::Wide | StrPrefix::Utf32 => u32::MAX,
    };
    let mut rest = body;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        if character != '\\' {
            push_char(character, prefix, units);
            continue;
        }
        let Some(escape) = rest.chars().next() else { return Err(LiteralError::Unterminated) };
        rest = &rest[escape.len_utf8()..];
        let value = match escape {
            'a' => 7,
            'b' => 8,
            't' => 9,
            'n' => 10,
            'v' => 11,
            'f' => 12,
            'r' => 13,
            'e' | 'E' => 27,
            '0'..='7' => {
                let more = rest.bytes().take(2).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
                let digits = rest[..more].chars().filter_map(|digit| digit.to_digit(8));
                let value = digits.fold(escape.to_digit(8).unwrap_or(0), |value, digit| value << 3 | digit);
                rest = &rest[more..];
                fitting(u64::from(value), unit_max, strict)?
            }
            'x' => {
                let len = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
                if len == 0 {
                    return Err(LiteralError::HexEscape);
                }
                // High digits beyond 64 bits cannot come back, but they must not be forgotten.
                let digits = rest[..len].chars().filter_map(|digit| digit.to_digit(16));
                let value = digits.fold(0u64, |value, digit| {
                    (value << 4 | u64::from(digit)) | if value >> 60 != 0 { 1 << 63 } else { 0 }
                });
                rest = &rest[len..];
                fitting(value, unit_max, strict)?
            }
            'u' | 'U' => {
                let wanted = if escape == 'u' { 4 } else { 8 };
                let len = rest.bytes().take(wanted).take_while(u8::is_ascii_hexdigit).count();
                let spelling = || format!("\\{escape}{}", &rest[..len]);
                if len < wanted {
                    return Err(LiteralError::IncompleteUniversal(spelling()));
                }
                let number = u32::from_str_radix(&rest[..len], 16).unwrap_or(u32::MAX);
                if !strict && (0x11_0000..0x8000_0000).contains(&number) {
                    return Err(LiteralError::LargeUniversal(spelling()));
                }
                let code = char::from_u32(number);
                // C17 6.4.3p2: nothing below A0 but $, @ and `.
                match code {
                    Some(c) if u32::from(c) >= 0xa0 || matches!(c, '$' | '@' | '`') => {
                        push_char(c, prefix, units);
                    }
                    _ => return Err(LiteralError::InvalidUniversal(spelling())),
                }
                rest = &rest[len..];
                continue;
            }
            // `\'`, `\"`, `\?`, `\\`, and unknown escapes, which stand for the character.
            other => {
                push_char(other, prefix, units);
                continue;
            }
        };
        units.push(value);
    }
    Ok(())
}

fn fitting(value: u64, max: u32, strict: bool) -> Result<u32, LiteralError> {
    if strict && value > u64::from(max) {
        return Err(LiteralError::EscapeRange);
    }
    Ok(value as u32 & max)
}
