//! Preprocessed text to tokens. It decides where tokens begin and end, and reads what a preprocessor leaves
//! behind; what a literal means is [`crate::literal`]'s business.
//!
//! The loop in [`lex`] is made for speed: one jump per token, names hashed from the text, nothing allocated per
//! token. Rare things (splices, universal character names, directives) are in cold functions.

mod directive;
mod ends;
mod pack;
mod rare;
#[cfg(test)]
mod tests;

pub use pack::{Pack, PackStack};

use self::ends::{block_comment_end, line_comment_end, quoted_end, splice_end};
use crate::literal::DIGIT;
use crate::token::{ShortInt, Tok, Token, keyword_spellings};
use howler_lang::id::Id;
use howler_lang::symbol::{Symbol, Symbols};
use howler_lang::target::{Edition, Std};
use std::fmt;

/// The tokens of a text, and what stood between them.
#[derive(Clone, Debug, Default)]
pub struct Lexed {
    /// The tokens; the last is `Eof`.
    pub tokens: Vec<Token>,
    /// What came from `#include <…>` lines, in order and without overlap.
    pub includes: Vec<IncludeRange>,
    /// `#pragma pack`, each before the token of that index.
    pub packs: Vec<(u32, Pack)>,
    /// Other pragmas: the index of the next token and the offset of the `#` (or of `_Pragma`).
    pub pragmas: Vec<(u32, u32)>,
    /// Pragmas with a meaning that the model has no place for: the offset and the name.
    pub refused: Vec<(u32, &'static str)>,
    /// What is wrong with the text, in order.
    pub errors: Vec<LexError>,
}

/// The tokens that one `#include <…>` line brought in. Headers included by name in quotes are the user's own text:
/// they make no range, but an `#include <…>` inside one does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IncludeRange {
    /// The first token.
    pub start_token: u32,
    /// The token after the last; equal to `start_token` if the header brought nothing.
    pub end_token: u32,
    /// The header with its brackets: `<stdio.h>`.
    pub header: Symbol,
}

/// Something wrong at a place of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LexError {
    /// Byte offset in the text.
    pub offset: u32,
    /// What it is; `Display` is the message.
    pub kind: LexErrorKind,
}

/// What can be wrong with a text before its tokens are looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LexErrorKind {
    /// The text has 4 GiB or more; nothing was read.
    TooLarge,
    /// `/*` without `*/`.
    UnterminatedComment,
    /// A string literal that does not end on its line.
    UnterminatedString,
    /// A character constant that does not end on its line.
    UnterminatedChar,
    /// `R"x(` without `)x"`, or with a delimiter that is none.
    RawString,
    /// A directive that only a preprocessor can carry out.
    Directive(String),
    /// `_Pragma` without a string in parentheses.
    PragmaOperator,
}

impl fmt::Display for LexErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LexErrorKind::TooLarge => f.write_str("text of 4 GiB or more"),
            LexErrorKind::UnterminatedComment => f.write_str("unterminated comment"),
            LexErrorKind::UnterminatedString => f.write_str("missing terminating '\"' character"),
            LexErrorKind::UnterminatedChar => f.write_str("missing terminating ' character"),
            LexErrorKind::RawString => f.write_str("unterminated raw string"),
            LexErrorKind::Directive(name) => write!(f, "directive '#{name}' in preprocessed text"),
            LexErrorKind::PragmaOperator => f.write_str("_Pragma takes a parenthesized string literal"),
        }
    }
}

/// Reads `text`. Never fails as a whole: what is wrong is in [`Lexed::errors`], or an `Unknown` token.
pub fn lex(text: &str, symbols: &mut Symbols, std: Std) -> Lexed {
    if u32::try_from(text.len()).is_err() {
        let mut out = Lexed::default();
        out.errors.push(LexError { offset: 0, kind: LexErrorKind::TooLarge });
        out.tokens.push(Token { offset: 0, data: 0, kind: Tok::Eof, short: None });
        return out;
    }
    // About one name in 128 bytes is new in Csmith programs, in some one in 100.
    symbols.reserve(text.len() / 96, text.len() / 16);
    let keywords = keyword_kinds(symbols, std);
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        symbols,
        keywords,
        std,
        // Dense programs have a token for every four bytes; room that is not used is never touched.
        out: Lexed { tokens: Vec::with_capacity(text.len() / 3 + 16), ..Lexed::default() },
        includes: directive::Includes::default(),
        recent: Box::new([(0, None); RECENT]),
    };
    lexer.run();
    lexer.out
}

/// The kind of each symbol that is spelled like a keyword, by its index. The table may hold other names already.
fn keyword_kinds(symbols: &mut Symbols, std: Std) -> Vec<Tok> {
    let mut kinds = Vec::new();
    for (spelling, kind) in keyword_spellings(std) {
        let index = symbols.intern(spelling).index();
        if index >= kinds.len() {
            kinds.resize(index + 1, Tok::Ident);
        }
        kinds[index] = kind;
    }
    kinds
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    symbols: &'a mut Symbols,
    keywords: Vec<Tok>,
    std: Std,
    out: Lexed,
    includes: directive::Includes,
    /// Short words seen before, each at the place its bytes hash to: no word is 0.
    recent: Box<[(u64, Option<Symbol>); RECENT]>,
}

/// How many short words are kept at hand, a power of two: few enough to stay in the nearest cache.
const RECENT: usize = 512;

/// Classes of bytes, as bits of [`CLASS`].
const WORD: u8 = 1;
/// A byte that, right after a word, means that the word may be more than it seems.
const AFTER_WORD: u8 = 2;
const BLANK: u8 = 4;
/// A byte of a word that begins no exponent.
const PLAIN: u8 = 8;

static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        if b.is_ascii_alphanumeric() || b == b'_' || b == b'$' {
            table[byte] = if matches!(b | 0x20, b'e' | b'p') { WORD } else { WORD | PLAIN };
        } else if b == b'"' || b == b'\'' || b == b'\\' || b >= 0x80 {
            table[byte] = AFTER_WORD;
        } else if b == b' ' || b == b'\t' || b == b'\r' || b == 0x0b || b == 0x0c {
            table[byte] = BLANK;
        }
        byte += 1;
    }
    table
};

/// Punctuators that no second character makes longer.
static SINGLE: [Tok; 256] = {
    let mut table = [Tok::Unknown; 256];
    table[b'(' as usize] = Tok::LParen;
    table[b')' as usize] = Tok::RParen;
    table[b',' as usize] = Tok::Comma;
    table[b';' as usize] = Tok::Semi;
    table[b'[' as usize] = Tok::LBracket;
    table[b']' as usize] = Tok::RBracket;
    table[b'{' as usize] = Tok::LBrace;
    table[b'}' as usize] = Tok::RBrace;
    table[b'~' as usize] = Tok::Tilde;
    table[b'?' as usize] = Tok::Question;
    table
};

#[inline(always)]
fn is(byte: u8, class: u8) -> bool {
    CLASS[byte as usize] & class != 0
}

/// The byte at `pos`, or 0 after the end.
#[inline(always)]
fn at(bytes: &[u8], pos: usize) -> u8 {
    if pos < bytes.len() { bytes[pos] } else { 0 }
}

impl Lexer<'_> {
    fn run(&mut self) {
        let bytes = self.bytes;
        let mut pos = 0;
        // How many tokens there were when the line began: a `#` that comes first is a directive.
        let mut line_tokens = 0;
        while pos < bytes.len() {
            // Most tokens follow a space: it is cheaper to step over it here than to go round for it.
            if bytes[pos] == b' ' {
                pos += 1;
            }
            let start = pos;
            match at(bytes, pos) {
                0 if pos == bytes.len() => break,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => pos += 1,
                b'\n' => {
                    pos += 1;
                    line_tokens = self.out.tokens.len();
                    // Indentation: blanks in a row.
                    while is(at(bytes, pos), BLANK) {
                        pos += 1;
                    }
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                    pos += word_start(bytes, start);
                    while is(at(bytes, pos), WORD) {
                        pos += 1;
                    }
                    if is(at(bytes, pos), AFTER_WORD) {
                        pos = self.rare_word(start, pos);
                    } else {
                        let symbol = self.symbol(start, pos);
                        pos = self.word(start, pos, symbol);
                    }
                }
                byte @ (b'(' | b')' | b',' | b';' | b'[' | b']' | b'{' | b'}' | b'~' | b'?') => {
                    self.push(SINGLE[byte as usize], start, 0);
                    pos += 1;
                }
                b'0'..=b'9' => pos = self.number(start),
                b'"' => pos = self.string(start, start),
                b'\'' => pos = self.character(start, start),
                b'.' => {
                    if at(bytes, pos + 1).is_ascii_digit() {
                        pos = self.number(start);
                    } else if at(bytes, pos + 1) == b'.' && at(bytes, pos + 2) == b'.' {
                        self.push(Tok::Ellipsis, start, 0);
                        pos += 3;
                    } else {
                        self.push(Tok::Dot, start, 0);
                        pos += 1;
                    }
                }
                b'/' => match at(bytes, pos + 1) {
                    b'*' => pos = self.block_comment(start),
                    b'/' if self.later_than_c89() => pos = line_comment_end(bytes, start),
                    b'=' => {
                        self.push(Tok::SlashAssign, start, 0);
                        pos += 2;
                    }
                    _ => {
                        self.push(Tok::Slash, start, 0);
                        pos += 1;
                    }
                },
                b'#' if self.out.tokens.len() == line_tokens => {
                    pos = self.directive(start, start + 1);
                    line_tokens = self.out.tokens.len();
                }
                b'%' if at(bytes, pos + 1) == b':' && self.out.tokens.len() == line_tokens => {
                    pos = self.directive(start, start + 2);
                    line_tokens = self.out.tokens.len();
                }
                b'\\' => {
                    pos = match splice_end(bytes, start) {
                        Some(end) => self.splice(start, end),
                        None => self.rare_word(start, start),
                    };
                }
                // A zero byte is a blank to compilers.
                0 => pos += 1,
                0xef if start == 0 && self.text.starts_with('\u{feff}') => pos = '\u{feff}'.len_utf8(),
                byte if byte >= 0x80 => pos = self.rare_word(start, start),
                byte => {
                    let (kind, len) = punctuator(byte, at(bytes, pos + 1), at(bytes, pos + 2));
                    self.push(kind, start, if kind == Tok::Unknown { u32::from(byte) } else { 0 });
                    pos += len;
                }
            }
            // These come after most other tokens, and in rows: no jump of their own for each.
            loop {
                let kind = SINGLE[usize::from(at(bytes, pos))];
                if kind == Tok::Unknown {
                    break;
                }
                self.push(kind, pos, 0);
                pos += 1;
            }
        }
        self.finish_includes();
        self.push(Tok::Eof, bytes.len(), 0);
    }

    #[inline(always)]
    fn push(&mut self, kind: Tok, start: usize, data: u32) {
        // The text is shorter than 4 GiB: `lex` checks.
        self.out.tokens.push(Token { offset: start as u32, data, kind, short: None });
    }

    /// The symbol of the word from `start` to `end`. Most words are short and were there a moment ago: eight bytes
    /// are compared at once.
    #[inline(always)]
    fn symbol(&mut self, start: usize, end: usize) -> Symbol {
        let len = end - start;
        let Some(&chunk) = self.bytes[start..].first_chunk::<8>().filter(|_| len <= 8) else {
            return self.symbols.intern(&self.text[start..end]);
        };
        let key = u64::from_le_bytes(chunk) & (u64::MAX >> (64 - 8 * len));
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - RECENT.ilog2())) as usize;
        if let (known, Some(symbol)) = self.recent[place]
            && known == key
        {
            return symbol;
        }
        let symbol = self.symbols.intern(&self.text[start..end]);
        self.recent[place] = (key, Some(symbol));
        symbol
    }

    /// Adds the word from `start` to `end`, and returns where to go on.
    #[inline(always)]
    fn word(&mut self, start: usize, end: usize, symbol: Symbol) -> usize {
        let index = symbol.index();
        let kind = if index < self.keywords.len() { self.keywords[index] } else { Tok::Ident };
        if kind == Tok::KwPragma {
            return self.pragma_operator(start, end);
        }
        self.push(kind, start, index as u32);
        end
    }

    /// A preprocessing number (C17 6.4.8).
    #[inline]
    fn number(&mut self, start: usize) -> usize {
        let bytes = self.bytes;
        if let Some((value, short, end)) = short_int(bytes, start) {
            let token = Token { offset: start as u32, data: value, kind: Tok::Int, short: Some(short) };
            self.out.tokens.push(token);
            return end;
        }
        let second = at(bytes, start + 1) | 0x20;
        // The letter that makes it a floating constant: none in a binary one, `p` in a hexadecimal one.
        let exponent = match (bytes[start], second) {
            (b'0', b'x') => b'p',
            (b'0', b'b') => 0,
            _ => b'e',
        };
        let mut float = bytes[start] == b'.';
        let mut pos = start + 1;
        loop {
            while is(at(bytes, pos), PLAIN) {
                pos += 1;
            }
            let byte = at(bytes, pos);
            if is(byte, WORD) {
                let lower = byte | 0x20;
                float |= lower == exponent;
                pos += 1;
                // The sign behind a `p` came with C99.
                if (lower == b'e' || lower == b'p' && self.later_than_c89())
                    && matches!(at(bytes, pos), b'+' | b'-')
                {
                    pos += 1;
                }
            } else if byte == b'.' {
                float = true;
                pos += 1;
            } else if byte == b'\\' {
                match splice_end(bytes, pos) {
                    Some(after) if is(at(bytes, after), WORD) || at(bytes, after) == b'.' => pos = after,
                    _ => break,
                }
            } else {
                break;
            }
        }
        self.push(if float { Tok::Float } else { Tok::Int }, start, (pos - start) as u32);
        pos
    }

    /// A string literal that starts at `start`, its first quote at `quote`.
    #[inline]
    fn string(&mut self, start: usize, quote: usize) -> usize {
        let end = match quoted_end(self.bytes, quote) {
            Ok(end) => end,
            Err(end) => {
                self.error(start, LexErrorKind::UnterminatedString);
                end
            }
        };
        self.push(Tok::Str, start, (end - start) as u32);
        end
    }

    /// A character constant that starts at `start`, its first quote at `quote`.
    #[inline]
    fn character(&mut self, start: usize, quote: usize) -> usize {
        let end = match quoted_end(self.bytes, quote) {
            Ok(end) => end,
            Err(end) => {
                self.error(start, LexErrorKind::UnterminatedChar);
                end
            }
        };
        self.push(Tok::Char, start, (end - start) as u32);
        end
    }

    #[cold]
    fn error(&mut self, offset: usize, kind: LexErrorKind) {
        self.out.errors.push(LexError { offset: offset as u32, kind });
    }

    fn block_comment(&mut self, start: usize) -> usize {
        match block_comment_end(self.bytes, start) {
            Some(end) => end,
            None => {
                self.error(start, LexErrorKind::UnterminatedComment);
                self.bytes.len()
            }
        }
    }

    fn later_than_c89(&self) -> bool {
        self.std.gnu || self.std.edition >= Edition::C99
    }
}

/// The value and the end of the integer constant at `start`, if it has so few digits that it fits, and nothing behind
/// it that could belong to the number: most have.
#[inline(always)]
fn short_int(bytes: &[u8], start: usize) -> Option<(u32, ShortInt, usize)> {
    let hex = bytes[start] == b'0' && at(bytes, start + 1) | 0x20 == b'x';
    let mut value = 0u32;
    let mut pos = start;
    if hex {
        pos += 2;
        loop {
            let digit = DIGIT[usize::from(at(bytes, pos))];
            if digit >= 16 || pos == start + 10 {
                break;
            }
            value = value << 4 | u32::from(digit);
            pos += 1;
        }
        // `0x1e+1` is one token.
        if pos == start + 2 || matches!(at(bytes, pos), b'+' | b'-') {
            return None;
        }
    } else {
        // Nine digits are less than 2^32.
        loop {
            let digit = at(bytes, pos).wrapping_sub(b'0');
            if digit > 9 || pos == start + 9 {
                break;
            }
            value = value * 10 + u32::from(digit);
            pos += 1;
        }
        // Octal.
        if bytes[start] == b'0' && pos != start + 1 || pos == start {
            return None;
        }
    }
    let unsigned = at(bytes, pos) | 0x20 == b'u';
    pos += usize::from(unsigned);
    let mut longs = 0;
    let long = at(bytes, pos);
    if long | 0x20 == b'l' {
        pos += 1;
        longs = 1;
        if at(bytes, pos) == long {
            pos += 1;
            longs = 2;
        }
    }
    let next = at(bytes, pos);
    if is(next, WORD) || next == b'.' || next == b'\\' {
        return None;
    }
    Some((value, ShortInt::new(longs, unsigned, hex), pos))
}

/// How many of the next eight bytes belong to a word, found without a jump: where words end cannot be predicted. A
/// `$` ends the count too early, which the loop that follows makes up for.
#[inline(always)]
fn word_start(bytes: &[u8], start: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    let Some(&chunk) = bytes[start..].first_chunk::<8>() else { return 1 };
    let chunk = u64::from_le_bytes(chunk);
    let low = chunk & !HIGH;
    // The high bit of each byte that is from `first` to `last`; no sum reaches the next byte.
    let within = |bytes: u64, first: u8, last: u8| {
        (bytes + ONES * u64::from(0x80 - first)) & !(bytes + ONES * u64::from(0x7f - last))
    };
    let letters = within(low | (0x20 * ONES), b'a', b'z');
    let others = within(low, b'0', b'9') | within(low, b'_', b'_');
    let words = (letters | others) & !chunk & HIGH;
    ((words ^ HIGH).trailing_zeros() / 8) as usize
}

/// The longest punctuator that begins with these bytes, and its length. `.`, `/`, those in
/// [`SINGLE`] and a line's first `#` are not here.
#[inline(always)]
fn punctuator(first: u8, second: u8, third: u8) -> (Tok, usize) {
    match (first, second) {
        (b'=', b'=') => (Tok::EqEq, 2),
        (b'=', _) => (Tok::Assign, 1),
        (b'*', b'=') => (Tok::StarAssign, 2),
        (b'*', _) => (Tok::Star, 1),
        (b'-', b'>') => (Tok::Arrow, 2),
        (b'-', b'-') => (Tok::MinusMinus, 2),
        (b'-', b'=') => (Tok::MinusAssign, 2),
        (b'-', _) => (Tok::Minus, 1),
        (b'+', b'+') => (Tok::PlusPlus, 2),
        (b'+', b'=') => (Tok::PlusAssign, 2),
        (b'+', _) => (Tok::Plus, 1),
        (b'&', b'&') => (Tok::AmpAmp, 2),
        (b'&', b'=') => (Tok::AmpAssign, 2),
        (b'&', _) => (Tok::Amp, 1),
        (b'|', b'|') => (Tok::PipePipe, 2),
        (b'|', b'=') => (Tok::PipeAssign, 2),
        (b'|', _) => (Tok::Pipe, 1),
        (b'^', b'=') => (Tok::CaretAssign, 2),
        (b'^', _) => (Tok::Caret, 1),
        (b'!', b'=') => (Tok::NotEq, 2),
        (b'!', _) => (Tok::Bang, 1),
        (b'<', b'<') if third == b'=' => (Tok::ShlAssign, 3),
        (b'<', b'<') => (Tok::Shl, 2),
        (b'<', b'=') => (Tok::Le, 2),
        (b'<', b':') => (Tok::LBracket, 2),
        (b'<', b'%') => (Tok::LBrace, 2),
        (b'<', _) => (Tok::Lt, 1),
        (b'>', b'>') if third == b'=' => (Tok::ShrAssign, 3),
        (b'>', b'>') => (Tok::Shr, 2),
        (b'>', b'=') => (Tok::Ge, 2),
        (b'>', _) => (Tok::Gt, 1),
        (b'%', b'=') => (Tok::PercentAssign, 2),
        (b'%', b'>') => (Tok::RBrace, 2),
        (b'%', _) => (Tok::Percent, 1),
        (b':', b'>') => (Tok::RBracket, 2),
        (b':', _) => (Tok::Colon, 1),
        (b'#', b'#') => (Tok::Unknown, 2),
        _ => (Tok::Unknown, 1),
    }
}
