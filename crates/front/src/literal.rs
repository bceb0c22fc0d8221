//! What literals mean: decoded from their spelling when someone asks. Where literals begin and end is the lexer's
//! business, and the value of a floating constant is `lang::arith`'s.
//!
//! Spellings may hold splices (a backslash at a line's end), which count as nothing.

mod chars;
#[cfg(test)]
mod tests;

use howler_lang::program::IntForm;
use howler_lang::target::{Arch, Compiler, Edition, Target};
use howler_lang::ty::Type;
use std::borrow::Cow;
use std::fmt;

pub use chars::{CharLiteral, char_constant, string};

/// Why a literal is none. `Display` is the message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LiteralError {
    /// `1x`
    IntSuffix(String),
    /// `1.0x`
    FloatSuffix(String),
    /// `08`: the digit and the base's name.
    Digit(char, &'static str),
    /// `0x1.8`
    HexExponent,
    /// `1e+`
    ExponentDigits,
    /// `1.2.3`
    Points,
    /// `0x.p1`
    NoDigits,
    /// `''`
    EmptyChar,
    /// A quote is missing; the lexer has reported it.
    Unterminated,
    /// `'\x'`
    HexEscape,
    /// `'\777'`, `'\x100'`: gcc cuts them, clang does not take them.
    EscapeRange,
    /// `\u12`: the spelling.
    IncompleteUniversal(String),
    /// `\ud800`: the spelling.
    InvalidUniversal(String),
    /// `\U03FFFFFF`: gcc writes more bytes than UTF-8 has.
    LargeUniversal(String),
    /// `L"a" u"b"`
    Concatenation,
    /// A character that does not fit, which gcc takes and clang does not.
    CharTooLarge,
    /// `L'ab'`, which gcc takes and clang does not.
    WideChars,
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LiteralError::IntSuffix(suffix) => write!(f, "invalid suffix \"{suffix}\" on integer constant"),
            LiteralError::FloatSuffix(suffix) => {
                write!(f, "invalid suffix \"{suffix}\" on floating constant")
            }
            LiteralError::Digit(digit, base) => write!(f, "invalid digit \"{digit}\" in {base} constant"),
            LiteralError::HexExponent => f.write_str("hexadecimal floating constants require an exponent"),
            LiteralError::ExponentDigits => f.write_str("exponent has no digits"),
            LiteralError::Points => f.write_str("too many decimal points in number"),
            LiteralError::NoDigits => f.write_str("no digits in hexadecimal floating constant"),
            LiteralError::EmptyChar => f.write_str("empty character constant"),
            LiteralError::Unterminated => f.write_str("missing terminating quote"),
            LiteralError::HexEscape => f.write_str("\\x used with no following hex digits"),
            LiteralError::EscapeRange => f.write_str("escape sequence out of range"),
            LiteralError::IncompleteUniversal(name) => {
                write!(f, "incomplete universal character name {name}")
            }
            LiteralError::InvalidUniversal(name) => write!(f, "{name} is not a valid universal character"),
            LiteralError::LargeUniversal(name) => write!(f, "{name}, above U+10FFFF"),
            LiteralError::Concatenation => {
                f.write_str("unsupported non-standard concatenation of string literals")
            }
            LiteralError::CharTooLarge => {
                f.write_str("character too large for enclosing character literal type")
            }
            LiteralError::WideChars => {
                f.write_str("wide character literals may not contain multiple characters")
            }
        }
    }
}

impl std::error::Error for LiteralError {}

impl LiteralError {
    /// Whether compilers take it, and we do not.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, LiteralError::LargeUniversal(_))
    }
}

/// An integer constant, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLiteral {
    /// The value modulo 2^64.
    pub value: u64,
    /// Whether the value as written is 2^64 or more.
    pub overflow: bool,
    /// How it is written; binary constants count as hexadecimal.
    pub form: IntForm,
    /// `u`
    pub unsigned: bool,
    /// How many `l`: 0, 1 or 2.
    pub longs: u8,
    /// GNU `i` or `j`.
    pub imaginary: bool,
}

/// What each byte is worth as a hexadecimal digit; `u8::MAX` for those that are none.
pub(crate) static DIGIT: [u8; 256] = {
    let mut table = [u8::MAX; 256];
    let mut value = 0;
    while value < 16 {
        table[b"0123456789abcdef"[value] as usize] = value as u8;
        table[b"0123456789ABCDEF"[value] as usize] = value as u8;
        value += 1;
    }
    table
};

/// Takes an integer constant apart (C17 6.4.4.1).
#[inline]
pub fn int(spelling: &str) -> Result<IntLiteral, LiteralError> {
    if let Some(literal) = short_int(spelling.as_bytes()) {
        return Ok(literal);
    }
    match plain_int(spelling) {
        // A splice is no part of any constant, so one that was read has none.
        Err(_) if spelling.contains('\n') => plain_int(&without_splices(spelling)),
        read => read,
    }
}

/// The short way for decimal and hexadecimal constants of so few digits that they cannot be too large.
#[inline]
fn short_int(bytes: &[u8]) -> Option<IntLiteral> {
    let (mut value, mut at, form) = match bytes {
        [b'0', b'x' | b'X', ..] => {
            let (mut value, mut at) = (0u64, 2);
            while at < bytes.len().min(18) && DIGIT[usize::from(bytes[at])] < 16 {
                value = value << 4 | u64::from(DIGIT[usize::from(bytes[at])]);
                at += 1;
            }
            (value, if at == 2 { 0 } else { at }, IntForm::Hex)
        }
        [b'0', b'0'..=b'9' | b'b' | b'B', ..] => return None,
        _ => (0, 0, IntForm::Decimal),
    };
    if form == IntForm::Decimal {
        while at < bytes.len().min(19) && bytes[at].is_ascii_digit() {
            value = value * 10 + u64::from(bytes[at] - b'0');
            at += 1;
        }
    }
    let (unsigned, longs) = match &bytes[at..] {
        _ if at == 0 => return None,
        [] => (false, 0),
        [b'L' | b'l'] => (false, 1),
        [b'U' | b'u'] => (true, 0),
        [b'U' | b'u', b'L' | b'l'] => (true, 1),
        [b'L', b'L'] => (false, 2),
        [b'U', b'L', b'L'] => (true, 2),
        _ => return None,
    };
    Some(IntLiteral { value, overflow: false, form, unsigned, longs, imaginary: false })
}

#[cold]
fn plain_int(spelling: &str) -> Result<IntLiteral, LiteralError> {
    let bytes = spelling.as_bytes();
    let prefix = [bytes.first().copied().unwrap_or(0), bytes.get(1).map_or(0, |byte| byte | 0x20)];
    // `0x` without a digit after it is `0` with a bad suffix.
    let digit_after = |radix| bytes.get(2).is_some_and(|&byte| DIGIT[usize::from(byte)] < radix);
    let (form, radix, base, start) = match prefix {
        [b'0', b'x'] if digit_after(16) => (IntForm::Hex, 16, "hexadecimal", 2),
        [b'0', b'b'] if digit_after(10) => (IntForm::Hex, 2, "binary", 2),
        // A lone `0` is octal by grammar; how it is written back is decimal.
        [b'0', b'0'..=b'9'] => (IntForm::Octal, 8, "octal", 1),
        _ => (IntForm::Decimal, 10, "decimal", 0),
    };
    let (mut value, mut overflow, mut wrong, mut end) = (0u64, false, None, bytes.len());
    for (index, &byte) in bytes.iter().enumerate().skip(start) {
        let digit = u64::from(DIGIT[usize::from(byte)]);
        if digit >= radix.max(10) {
            end = index;
            break;
        }
        if digit >= radix && wrong.is_none() {
            wrong = Some(char::from(byte));
        }
        let (product, high) = value.overflowing_mul(radix);
        let (sum, carry) = product.overflowing_add(digit);
        overflow |= high | carry;
        value = sum;
    }
    if let Some(digit) = wrong {
        return Err(LiteralError::Digit(digit, base));
    }
    let bad = || LiteralError::IntSuffix(spelling[end..].to_owned());
    if end == 0 {
        return Err(bad());
    }
    let mut literal = IntLiteral { value, overflow, form, unsigned: false, longs: 0, imaginary: false };
    let mut suffix = &bytes[end..];
    while let Some((&byte, rest)) = suffix.split_first() {
        suffix = rest;
        match byte {
            b'u' | b'U' if !literal.unsigned => literal.unsigned = true,
            b'i' | b'I' | b'j' | b'J' if !literal.imaginary => literal.imaginary = true,
            b'l' | b'L' if literal.longs == 0 => {
                literal.longs = 1;
                // `lL` is no suffix: both have one case.
                if rest.first() == Some(&byte) {
                    literal.longs = 2;
                    suffix = &rest[1..];
                }
            }
            _ => return Err(bad()),
        }
    }
    Ok(literal)
}

/// The type of an integer constant: the first of C17 6.4.4.1p5's list that holds the value; in C89 a decimal one may
/// become `unsigned long` (C89 6.1.3.2). Imaginary constants have the complex type of it.
///
/// A value that no type of the list holds gets what the compiler gives it: gcc `__int128` (where it exists, else it
/// wraps in `long long`), clang `unsigned long long`. `None`: clang rejects constants of 2^64 and more.
#[inline]
pub fn int_type(literal: &IntLiteral, target: &Target) -> Option<Type> {
    if literal.overflow && target.compiler == Compiler::Clang {
        return None;
    }
    let bits = u64::BITS - literal.value.leading_zeros();
    if bits < 32 && literal.longs == 0 && !literal.unsigned && !literal.overflow {
        return Some(Type::INT);
    }
    let long_bits = u32::from(target.layout().long) * 8;
    let decimal = literal.form == IntForm::Decimal;
    let c89 = target.std.edition == Edition::C89;
    let ranks =
        [(32, Type::INT, Type::UINT), (long_bits, Type::LONG, Type::ULONG), (64, Type::LLONG, Type::ULLONG)];
    for &(width, signed, unsigned) in &ranks[usize::from(literal.longs)..] {
        if !literal.unsigned && bits < width {
            return Some(signed);
        }
        let may_be_unsigned = literal.unsigned || !decimal || (c89 && signed != Type::INT);
        if may_be_unsigned && bits <= width {
            return Some(unsigned);
        }
    }
    Some(match target.compiler {
        Compiler::Gcc if target.layout().int128 => Type::INT128,
        Compiler::Gcc => Type::LLONG,
        Compiler::Clang => Type::ULLONG,
    })
}

/// What gcc warns about when it reads such a constant.
#[inline]
pub fn int_warning(literal: &IntLiteral) -> Option<&'static str> {
    if literal.overflow {
        Some("integer constant is too large for its type")
    } else if literal.form == IntForm::Decimal && !literal.unsigned && literal.value > i64::MAX as u64 {
        Some("integer constant is so large that it is unsigned")
    } else {
        None
    }
}

/// A floating constant, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatLiteral<'a> {
    /// The number without its suffix: `1.5e3`, `0x1.8p4`.
    pub number: Cow<'a, str>,
    /// The suffix.
    pub suffix: FloatSuffix,
    /// GNU `i` or `j`.
    pub imaginary: bool,
}

/// The suffix of a floating constant, which decides its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    /// None, or GNU `d`: `double`.
    None,
    /// `f`
    F,
    /// `l`
    L,
    /// `q`: `__float128`.
    Q,
    /// `w`: `__float80`.
    W,
    /// `f16`
    F16,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `f128`
    F128,
    /// `f32x`
    F32x,
    /// `f64x`
    F64x,
    /// `df`, `dd`, `dl`: decimal floating types.
    Decimal,
}

impl FloatSuffix {
    /// The type of a constant with this suffix; none for decimal ones.
    pub fn ty(self) -> Option<Type> {
        Some(match self {
            FloatSuffix::None => Type::DOUBLE,
            FloatSuffix::F => Type::FLOAT,
            FloatSuffix::L | FloatSuffix::W => Type::LDOUBLE,
            FloatSuffix::Q | FloatSuffix::F128 => Type::FLOAT128,
            FloatSuffix::F16 => Type::FLOAT16,
            FloatSuffix::F32 => Type::FLOAT32,
            FloatSuffix::F64 => Type::FLOAT64,
            FloatSuffix::F32x => Type::FLOAT32X,
            FloatSuffix::F64x => Type::FLOAT64X,
            FloatSuffix::Decimal => return None,
        })
    }
}

/// Takes a floating constant apart (C17 6.4.4.2).
pub fn float(spelling: &str) -> Result<FloatLiteral<'_>, LiteralError> {
    let spelling = without_splices(spelling);
    let bytes = spelling.as_bytes();
    let hex = bytes.len() > 1 && bytes[0] == b'0' && bytes[1] | 0x20 == b'x';
    let mut pos = if hex { 2 } else { 0 };
    let (mut digits, mut points) = (0, 0);
    while let Some(&byte) = bytes.get(pos) {
        match byte {
            b'.' => points += 1,
            _ if byte.is_ascii_digit() || (hex && byte.is_ascii_hexdigit()) => digits += 1,
            _ => break,
        }
        pos += 1;
    }
    if points > 1 {
        return Err(LiteralError::Points);
    }
    if digits == 0 {
        return Err(LiteralError::NoDigits);
    }
    if bytes.get(pos).is_some_and(|byte| byte | 0x20 == if hex { b'p' } else { b'e' }) {
        pos += 1;
        if matches!(bytes.get(pos), Some(b'+' | b'-')) {
            pos += 1;
        }
        let exponent = bytes[pos..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if exponent == 0 {
            return Err(LiteralError::ExponentDigits);
        }
        pos += exponent;
    } else if hex {
        return Err(LiteralError::HexExponent);
    }
    let Some((suffix, imaginary)) = float_suffix(&spelling[pos..]) else {
        return Err(LiteralError::FloatSuffix(spelling[pos..].to_owned()));
    };
    let number = match spelling {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..pos]),
        Cow::Owned(text) => Cow::Owned(text[..pos].to_owned()),
    };
    Ok(FloatLiteral { number, suffix, imaginary })
}

fn float_suffix(text: &str) -> Option<(FloatSuffix, bool)> {
    let is_unit = |c: char| matches!(c, 'i' | 'I' | 'j' | 'J');
    let (text, imaginary) = match text.strip_prefix(is_unit).or_else(|| text.strip_suffix(is_unit)) {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let suffix = match text {
        "" | "d" | "D" => FloatSuffix::None,
        "f" | "F" => FloatSuffix::F,
        "l" | "L" => FloatSuffix::L,
        "q" | "Q" => FloatSuffix::Q,
        "w" | "W" => FloatSuffix::W,
        "f16" | "F16" => FloatSuffix::F16,
        "f32" | "F32" => FloatSuffix::F32,
        "f64" | "F64" => FloatSuffix::F64,
        "f128" | "F128" => FloatSuffix::F128,
        "f32x" | "F32x" => FloatSuffix::F32x,
        "f64x" | "F64x" => FloatSuffix::F64x,
        "df" | "DF" | "dd" | "DD" | "dl" | "DL" if !imaginary => FloatSuffix::Decimal,
        _ => return None,
    };
    Some((suffix, imaginary))
}

/// The type of a wide character: `int`, but gcc's 32-bit i386 has `long`.
pub fn wchar_type(target: &Target) -> Type {
    match (target.arch, target.compiler) {
        (Arch::I386, Compiler::Gcc) => Type::LONG,
        _ => Type::INT,
    }
}

/// The text without backslashes at line ends (C17 5.1.1.2, phase 2).
fn without_splices(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(newline) = rest.find('\n') {
        let line = &rest[..newline];
        let trimmed = line.trim_end_matches([' ', '\t', '\r', '\x0b', '\x0c']);
        // A newline without a backslash is in a raw string only, and stays.
        match trimmed.strip_suffix('\\') {
            Some(kept) => out.push_str(kept),
            None => out.push_str(&rest[..=newline]),
        }
        rest = &rest[newline + 1..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}
