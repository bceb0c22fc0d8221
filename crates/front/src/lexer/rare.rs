//! Words and operators that need a second look: prefixes of literals, splices, universal character names, UTF-8.

use super::ends::{line_comment_end, splice_end};
use super::{LexErrorKind, Lexer, WORD, at, is, punctuator};
use crate::token::Tok;
use howler_lang::target::Edition;

impl Lexer<'_> {
    /// The word that starts at `start` and was read up to `end`, where something unusual stands. Also called for
    /// an unusual first character (`start == end`).
    #[cold]
    pub(super) fn rare_word(&mut self, start: usize, end: usize) -> usize {
        let mut name = self.text[start..end].to_owned();
        let mut pos = end;
        loop {
            let byte = at(self.bytes, pos);
            if is(byte, WORD) {
                name.push(char::from(byte));
                pos += 1;
            } else if byte == b'\\' {
                if let Some(after) = splice_end(self.bytes, pos) {
                    // The splice belongs to the word only if the word goes on.
                    let goes_on = !name.is_empty() && continues(self.text, after, &name);
                    if !goes_on {
                        break;
                    }
                    pos = after;
                } else if let Some((character, len)) = universal_name(self.text, pos)
                    && in_identifier(character, name.is_empty())
                {
                    name.push(character);
                    pos += len;
                } else {
                    break;
                }
            } else if byte >= 0x80
                && let Some(character) = self.text[pos..].chars().next()
                && in_identifier(character, name.is_empty())
            {
                name.push(character);
                pos += character.len_utf8();
            } else {
                break;
            }
        }
        if name.is_empty() {
            let character = self.text[start..].chars().next().unwrap_or('\0');
            self.push(Tok::Unknown, start, u32::from(character));
            return start + character.len_utf8();
        }
        match at(self.bytes, pos) {
            b'"' if self.string_prefix(&name) => return self.string(start, pos),
            b'"' if self.raw_prefix(&name) => return self.raw_string(start, pos),
            b'\'' if name == "L" || (self.unicode_literals() && (name == "u" || name == "U")) => {
                return self.character(start, pos);
            }
            _ => {}
        }
        let symbol = self.symbols.intern(&name);
        self.word(start, pos, symbol)
    }

    /// `u"…"` and its like came with C11; GNU C has them since gnu99.
    fn unicode_literals(&self) -> bool {
        self.std.edition >= Edition::C11 || (self.std.gnu && self.std.edition >= Edition::C99)
    }

    fn string_prefix(&self, name: &str) -> bool {
        name == "L" || (self.unicode_literals() && matches!(name, "u" | "U" | "u8"))
    }

    /// GNU C has C++'s raw strings since gnu99.
    fn raw_prefix(&self, name: &str) -> bool {
        self.std.gnu && self.std.edition >= Edition::C99 && matches!(name, "R" | "LR" | "uR" | "UR" | "u8R")
    }

    /// `R"x(…)x"`: no escapes, no splices, newlines allowed.
    fn raw_string(&mut self, start: usize, quote: usize) -> usize {
        let end = raw_string_end(&self.text[quote + 1..]).map(|len| quote + 1 + len);
        let end = end.unwrap_or_else(|| {
            self.error(start, LexErrorKind::RawString);
            self.bytes.len()
        });
        self.push(Tok::Str, start, (end - start) as u32);
        end
    }

    /// A splice between tokens. If it cuts an operator in two, the operator before it is read again as a whole.
    #[cold]
    pub(super) fn splice(&mut self, start: usize, end: usize) -> usize {
        let Some(&last) = self.out.tokens.last() else { return end };
        let first = last.offset as usize;
        if !last.kind.is_punctuator() || first + last.kind.text().len() != start {
            return end;
        }
        let mut joined = [0; 3];
        let mut ends = [first; 3];
        let mut pos = first;
        for (byte, byte_end) in joined.iter_mut().zip(&mut ends) {
            while at(self.bytes, pos) == b'\\'
                && let Some(after) = splice_end(self.bytes, pos)
            {
                pos = after;
            }
            *byte = at(self.bytes, pos);
            pos += 1;
            *byte_end = pos;
        }
        let (kind, len) = match joined {
            [b'.', b'.', b'.'] => (Tok::Ellipsis, 3),
            [b'/', b'=', _] => (Tok::SlashAssign, 2),
            // A comment whose opening is cut: the operator before is its first half.
            [b'/', b'*', _] | [b'/', b'/', _] => return self.cut_comment(joined[1], ends[1]),
            [b'.' | b'/', ..] => return end,
            [a, b, c] => punctuator(a, b, c),
        };
        if len <= last.kind.text().len() || kind == Tok::Unknown {
            return end;
        }
        self.out.tokens.pop();
        self.push(kind, first, 0);
        ends[len - 1]
    }

    /// A comment whose second character ends at `after`.
    fn cut_comment(&mut self, second: u8, after: usize) -> usize {
        if second == b'/' && !self.later_than_c89() {
            return after - 1;
        }
        self.out.tokens.pop();
        // Both readers skip two bytes of opening; those before `after` are not looked at.
        if second == b'*' { self.block_comment(after - 2) } else { line_comment_end(self.bytes, after) }
    }
}

/// Whether the text at `pos`, after a splice, carries on a word.
fn continues(text: &str, pos: usize, name: &str) -> bool {
    let byte = at(text.as_bytes(), pos);
    match byte {
        b'"' => matches!(name, "L" | "u" | "U" | "u8"),
        b'\'' => matches!(name, "L" | "u" | "U"),
        // Another splice or a universal name: the next round decides.
        b'\\' => true,
        _ if byte >= 0x80 => text[pos..].chars().next().is_some_and(|c| in_identifier(c, false)),
        _ => is(byte, WORD),
    }
}

/// The length of a raw string's rest after its first quote, last quote included.
fn raw_string_end(rest: &str) -> Option<usize> {
    let open = rest.bytes().take(17).position(|byte| byte == b'(')?;
    let delimiter = &rest[..open];
    if delimiter.bytes().any(|byte| matches!(byte, b' ' | b')' | b'\\') || byte.is_ascii_control()) {
        return None;
    }
    let close = format!("){delimiter}\"");
    let at = rest[open + 1..].find(&close)?;
    Some(open + 1 + at + close.len())
}

/// `\uXXXX` or `\UXXXXXXXX` at `pos` (C17 6.4.3) and its length.
pub(crate) fn universal_name(text: &str, pos: usize) -> Option<(char, usize)> {
    let digits = match at(text.as_bytes(), pos + 1) {
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let spelling = text.get(pos + 2..pos + 2 + digits)?;
    if !spelling.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(spelling, 16).ok()?;
    Some((char::from_u32(value)?, 2 + digits))
}

/// Whether a character outside the basic set may be in an identifier (C17 D.1), or begin one (D.2).
fn in_identifier(character: char, first: bool) -> bool {
    // GNU C: also written as a universal name.
    if character == '$' {
        return true;
    }
    let code = u32::from(character);
    let within = |ranges: &[(u32, u32)]| ranges.iter().any(|&(low, high)| (low..=high).contains(&code));
    within(ALLOWED) && !(first && within(NOT_FIRST))
}

/// C17 D.1.
const ALLOWED: &[(u32, u32)] = &[
    (0xa8, 0xa8),
    (0xaa, 0xaa),
    (0xad, 0xad),
    (0xaf, 0xaf),
    (0xb2, 0xb5),
    (0xb7, 0xba),
    (0xbc, 0xbe),
    (0xc0, 0xd6),
    (0xd8, 0xf6),
    (0xf8, 0x167f),
    (0x1681, 0x180d),
    (0x180f, 0x1fff),
    (0x200b, 0x200d),
    (0x202a, 0x202e),
    (0x203f, 0x2040),
    (0x2054, 0x2054),
    (0x2060, 0x218f),
    (0x2460, 0x24ff),
    (0x2776, 0x2793),
    (0x2c00, 0x2dff),
    (0x2e80, 0x2fff),
    (0x3004, 0x3007),
    (0x3021, 0x302f),
    (0x3031, 0xd7ff),
    (0xf900, 0xfd3d),
    (0xfd40, 0xfdcf),
    (0xfdf0, 0xfe44),
    (0xfe47, 0xfffd),
    (0x10000, 0x1fffd),
    (0x20000, 0x2fffd),
    (0x30000, 0x3fffd),
    (0x40000, 0x4fffd),
    (0x50000, 0x5fffd),
    (0x60000, 0x6fffd),
    (0x70000, 0x7fffd),
    (0x80000, 0x8fffd),
    (0x90000, 0x9fffd),
    (0xa0000, 0xafffd),
    (0xb0000, 0xbfffd),
    (0xc0000, 0xcfffd),
    (0xd0000, 0xdfffd),
    (0xe0000, 0xefffd),
];

/// C17 D.2: combining characters.
const NOT_FIRST: &[(u32, u32)] = &[(0x300, 0x36f), (0x1dc0, 0x1dff), (0x20d0, 0x20ff), (0xfe20, 0xfe2f)];
