//! scanf's format: its directives, which of them C17 leaves undefined, and what objects they want.

use crate::text::ctype::is_space;
use crate::text::format::{Length, int_type, wchar};
use howler_lang::arith::Format;
use howler_lang::layout::integers::to_unsigned;
use howler_lang::target::Target;
use howler_lang::ty::IntKind;

/// One directive of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directive {
    /// White space: skips any amount of it.
    Space,
    /// A byte that must come next.
    Literal(u8),
    /// `%%`: skips white space, then wants a `%`.
    Percent,
    /// A conversion specification.
    Conversion(Conversion),
}

/// A conversion specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// `*`: nothing is stored.
    pub suppressed: bool,
    /// The maximum field width.
    pub width: Option<u32>,
    /// The length modifier.
    pub length: Length,
    /// What is matched.
    pub kind: Kind,
}

/// A conversion specifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `d i o u x X`.
    Integer {
        /// 10, 8, 16, or 0 for `i`.
        base: u32,
        /// `d` and `i`.
        signed: bool,
    },
    /// `a e f g` and their capitals.
    Float,
    /// `c`.
    Chars,
    /// `s`.
    String,
    /// `[`.
    Set(Set),
    /// `p`.
    Pointer,
    /// `n`.
    Count,
}

/// The bytes that `%[` accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set([u128; 2]);

impl Set {
    /// Whether a byte is accepted.
    pub fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 7)] >> (byte & 127) & 1 == 1
    }

    fn add(&mut self, byte: u8) {
        self.0[usize::from(byte >> 7)] |= 1 << (byte & 127);
    }
}

/// What an argument of scanf points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Object {
    /// An integer of this type.
    Int(IntKind),
    /// A floating object: `float`, `double` or `long double`.
    Float(Format),
    /// Characters, as many as are matched, and a null character unless it is `%c`.
    Chars,
    /// Wide characters of this type, likewise.
    WideChars(IntKind),
    /// A `void *`.
    Pointer,
}

/// Why a format is undefined behaviour, or is not C's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, thiserror::Error)]
pub enum Invalid {
    /// The format ends inside a specification.
    #[error("the format ends inside a conversion specification")]
    Ends,
    /// No such conversion specifier.
    #[error("unknown conversion specifier (byte {0:#04x})")]
    Unknown(u8),
    /// POSIX's `%1$d`.
    #[error("numbered arguments are not C's")]
    Numbered,
    /// A field width of 0.
    #[error("a field width of 0")]
    ZeroWidth,
    /// A length modifier with a conversion it does not go with.
    #[error("the length modifier does not go with `%{0}`")]
    Length(char),
    /// `*` or a width with `%n`.
    #[error("`%n` takes neither `*` nor a field width")]
    Count,
    /// Something between the two signs of `%%`.
    #[error("something stands inside `%%`")]
    Percent,
}

impl Invalid {
    /// The clause that makes it undefined.
    pub fn clause(self) -> &'static str {
        match self {
            Invalid::Ends | Invalid::Unknown(_) | Invalid::Numbered => "C17 7.21.6.2p13",
            Invalid::ZeroWidth => "C17 7.21.6.2p3",
            Invalid::Length(_) => "C17 7.21.6.2p11",
            Invalid::Count | Invalid::Percent => "C17 7.21.6.2p12",
        }
    }
}

/// Reads a format: the bytes before its null character.
///
/// ```
/// use howler_machine::text::scan::{Directive, parse};
/// assert_eq!(parse(b"%3d, %*s").expect("valid").len(), 4);
/// assert_eq!(parse(b"%hs").expect_err("h does not go with s").clause(), "C17 7.21.6.2p11");
/// ```
pub fn parse(text: &[u8]) -> Result<Vec<Directive>, Invalid> {
    let mut directives = Vec::new();
    let mut rest = text;
    while let [first, behind @ ..] = rest {
        rest = behind;
        match first {
            b'%' => directives.push(specification(&mut rest)?),
            first if is_space(*first) => {
                rest = &rest[rest.iter().take_while(|&&byte| is_space(byte)).count()..];
                directives.push(Directive::Space);
            }
            first => directives.push(Directive::Literal(*first)),
        }
    }
    Ok(directives)
}

/// What the argument of a conversion points to; `None` if it takes none.
pub fn object(conversion: &Conversion, target: &Target) -> Option<Object> {
    if conversion.suppressed {
        return None;
    }
    let wide = conversion.length == Length::Long;
    let int = int_type(conversion.length, target);
    Some(match conversion.kind {
        Kind::Integer { signed: true, .. } | Kind::Count => Object::Int(int),
        Kind::Integer { signed: false, .. } => Object::Int(to_unsigned(int)),
        Kind::Float => Object::Float(float_format(conversion.length)),
        Kind::Chars | Kind::String | Kind::Set(_) if wide => Object::WideChars(wchar(target)),
        Kind::Chars | Kind::String | Kind::Set(_) => Object::Chars,
        Kind::Pointer => Object::Pointer,
    })
}

/// The format that a length modifier gives a floating conversion.
pub(super) fn float_format(length: Length) -> Format {
    match length {
        Length::Long => Format::F64,
        Length::LongDouble => Format::X87,
        _ => Format::F32,
    }
}

/// The specification whose `%` is behind us.
fn specification(rest: &mut &[u8]) -> Result<Directive, Invalid> {
    if rest.first() == Some(&b'%') {
        *rest = &rest[1..];
        return Ok(Directive::Percent);
    }
    let suppressed = rest.first() == Some(&b'*');
    *rest = &rest[usize::from(suppressed)..];
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let add = |value: u32, digit: &u8| value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
    let width = (digits > 0).then(|| rest[..digits].iter().fold(0, add));
    *rest = &rest[digits..];
    if digits > 0 && rest.first() == Some(&b'$') {
        return Err(Invalid::Numbered);
    }
    if width == Some(0) {
        return Err(Invalid::ZeroWidth);
    }
    let (length, name) = Length::at(rest);
    *rest = &rest[name.len()..];
    let (&letter, behind) = rest.split_first().ok_or(Invalid::Ends)?;
    *rest = behind;
    let kind = match letter {
        b'd' => Kind::Integer { base: 10, signed: true },
        b'i' => Kind::Integer { base: 0, signed: true },
        b'o' => Kind::Integer { base: 8, signed: false },
        b'u' => Kind::Integer { base: 10, signed: false },
        b'x' | b'X' => Kind::Integer { base: 16, signed: false },
        b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' => Kind::Float,
        b'c' => Kind::Chars,
        b's' => Kind::String,
        b'[' => Kind::Set(set(rest)?),
        b'p' => Kind::Pointer,
        b'n' => Kind::Count,
        b'%' => return Err(Invalid::Percent),
        other => return Err(Invalid::Unknown(other)),
    };
    if kind == Kind::Count && (suppressed || width.is_some()) {
        return Err(Invalid::Count);
    }
    let fits = match (length, &kind) {
        (Length::None, _) | (_, Kind::Integer { .. } | Kind::Count) => length != Length::LongDouble,
        (Length::Long, _) => kind != Kind::Pointer,
        (Length::LongDouble, _) => kind == Kind::Float,
        _ => false,
    };
    if !fits {
        return Err(Invalid::Length(char::from(letter)));
    }
    Ok(Directive::Conversion(Conversion { suppressed, width, length, kind }))
}

/// The scanset whose `[` is behind us.
fn set(rest: &mut &[u8]) -> Result<Set, Invalid> {
    let inverted = rest.first() == Some(&b'^');
    *rest = &rest[usize::from(inverted)..];
    // C17 7.21.6.2p12: a bracket at the very start is in the list and does not end it.
    let length = rest.iter().skip(1).position(|&byte| byte == b']').ok_or(Invalid::Ends)? + 1;
    let list = &rest[..length];
    *rest = &rest[length + 1..];
    let mut set = Set([0; 2]);
    for (index, &byte) in list.iter().enumerate() {
        // A `-` that is neither first nor last is left to the implementation: glibc makes it a range if that is not
        // empty.
        let before = index.checked_sub(1).map(|index| list[index]);
        match (byte, before, list.get(index + 1)) {
            (b'-', Some(from), Some(&to)) if from <= to => (from..=to).for_each(|byte| set.add(byte)),
            _ => set.add(byte),
        }
    }
    Ok(if inverted { Set(set.0.map(|half| !half)) } else { set })
}
