//! Constants and string literals: the shortest spelling that gives this value and this type back.

use super::Printer;
use crate::arith;
use crate::program::{ExprId, FloatId, IntForm, StrId, StrPrefix, StrUnits};
use crate::target::{Arch, Edition, Target};
use crate::ty::{FloatKind, IntKind, Type, TypeKind};

impl Printer<'_> {
    /// An integer constant.
    pub(super) fn int(&mut self, value: u64, form: IntForm, ty: Type) {
        let kind = match self.program.types.kind(ty) {
            TypeKind::Int(kind) => kind,
            _ => IntKind::Int,
        };
        if form == IntForm::Char && self.character(value, kind) {
            return;
        }
        use std::fmt::Write;
        let written = match form {
            IntForm::Decimal | IntForm::Char if value < 10 => {
                self.out.push(char::from(b'0' + value as u8));
                Ok(())
            }
            IntForm::Decimal | IntForm::Char => write!(self.out, "{value}"),
            IntForm::Hex => write!(self.out, "{value:#x}"),
            // Zero is `00`: a lone `0` reads as decimal.
            IntForm::Octal => write!(self.out, "0{value:o}"),
        };
        written.expect("writing to a string does not fail");
        self.out.push_str(suffix(value, form, kind, &self.program.target));
    }

    /// Writes a character constant if one has this type and value.
    fn character(&mut self, value: u64, kind: IntKind) -> bool {
        let target = &self.program.target;
        let wide = if target.arch == Arch::X86_64 { IntKind::Int } else { IntKind::Long };
        let prefix = match kind {
            IntKind::UShort => "u",
            IntKind::UInt => "U",
            _ if kind == wide && wide != IntKind::Int => "L",
            IntKind::Int => {
                // A plain constant is a `char` converted to int (C17 6.4.4.4p10).
                let value = value as u32 as i32;
                let byte = value as u8;
                let single = if target.char_signed { i32::from(byte as i8) } else { i32::from(byte) };
                if single == value {
                    self.out.push('\'');
                    self.unit(u32::from(byte), b'\'', None);
                    self.out.push('\'');
                    return true;
                }
                if wide != IntKind::Int || is_word(value as u32) {
                    self.multi_character(value as u32);
                    return true;
                }
                "L"
            }
            _ => return false,
        };
        if value > u64::from(u32::MAX) {
            return false;
        }
        self.out.push_str(prefix);
        self.out.push('\'');
        self.unit(value as u32, b'\'', None);
        self.out.push('\'');
        true
    }

    /// Several characters in one constant: gcc and clang shift them into an int, first one highest.
    fn multi_character(&mut self, value: u32) {
        let bytes = value.to_be_bytes();
        let skip = bytes.iter().take(2).take_while(|&&byte| byte == 0).count();
        self.out.push('\'');
        for at in skip..bytes.len() {
            self.unit(u32::from(bytes[at]), b'\'', bytes.get(at + 1).map(|&next| u32::from(next)));
        }
        self.out.push('\'');
    }

    /// A floating constant.
    pub(super) fn float(&mut self, id: FloatId, ty: Type) {
        let float = &self.program.floats[id];
        if let Some(spelling) = float.spelling {
            // That of an imaginary constant has its `i`, which is not the number's.
            let text = self.program.name(spelling);
            let (number, suffix) =
                text.split_at(text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len());
            self.out.push_str(number);
            self.out.extend(suffix.chars().filter(|c| !matches!(c, 'i' | 'I' | 'j' | 'J')));
            return;
        }
        let kind = match self.program.types.kind(ty) {
            TypeKind::Float(kind) => kind,
            _ => FloatKind::Double,
        };
        let text = float_text(float.bits, kind);
        self.out.push_str(&text);
        self.out.push_str(float_suffix(kind));
    }

    /// A GNU imaginary constant.
    pub(super) fn imaginary(&mut self, operand: ExprId) {
        self.now(super::Piece::Expr(operand, super::expr::COMMA));
        self.out.push('i');
    }

    /// A string literal with its prefix.
    pub(super) fn string(&mut self, id: StrId) {
        let literal = &self.program.strings[id];
        let prefix = match literal.prefix {
            StrPrefix::None => "",
            StrPrefix::Utf8 => "u8",
            StrPrefix::Wide => "L",
            StrPrefix::Utf16 => "u",
            StrPrefix::Utf32 => "U",
        };
        self.out.push_str(prefix);
        match &literal.units {
            StrUnits::Narrow(bytes) => self.quoted(bytes),
            StrUnits::Wide(units) => {
                self.out.push('"');
                for (at, &unit) in units.iter().enumerate() {
                    let next = units.get(at + 1).copied();
                    let hex = self.unit(unit, b'"', next);
                    let digit = next.and_then(char::from_u32).is_some_and(|c| c.is_ascii_hexdigit());
                    if hex && digit {
                        // A hexadecimal escape takes every digit that follows; only a new literal stops it.
                        self.out.push_str("\" ");
                        self.out.push_str(prefix);
                        self.out.push('"');
                    }
                }
                self.out.push('"');
            }
        }
    }

    /// Bytes in double quotes.
    pub(super) fn quoted(&mut self, bytes: &[u8]) {
        self.out.push('"');
        for (at, &byte) in bytes.iter().enumerate() {
            self.unit(u32::from(byte), b'"', bytes.get(at + 1).map(|&next| u32::from(next)));
        }
        self.out.push('"');
    }

    /// One code unit inside quotes, followed by `next`. Returns whether it ended in a hexadecimal escape.
    fn unit(&mut self, unit: u32, quote: u8, next: Option<u32>) -> bool {
        use std::fmt::Write;
        let escape = match unit {
            0x07 => Some('a'),
            0x08 => Some('b'),
            0x09 => Some('t'),
            0x0a => Some('n'),
            0x0b => Some('v'),
            0x0c => Some('f'),
            0x0d => Some('r'),
            0x5c => Some('\\'),
            _ if unit == u32::from(quote) => Some(char::from(quote)),
            // `??=` and its like are trigraphs (C17 5.2.1.1).
            0x3f if self.out.ends_with('?') => Some('?'),
            _ => None,
        };
        let mut hex = false;
        match (escape, unit) {
            (Some(letter), _) => {
                self.out.push('\\');
                self.out.push(letter);
            }
            (None, 0x20..=0x7e) => self.out.push(char::from(unit as u8)),
            (None, 0..=0x1ff) => {
                let digit = next.is_some_and(|next| (0x30..=0x37).contains(&next));
                let written =
                    if digit { write!(self.out, "\\{unit:03o}") } else { write!(self.out, "\\{unit:o}") };
                written.expect("writing to a string does not fail");
            }
            // Universal character names may not name surrogates (C17 6.4.3p2), and beyond 16 bits they
            // would become two units of a `u` string. C89 has none.
            (None, 0x200..=0xd7ff | 0xe000..=0xffff) if self.program.target.std.edition >= Edition::C99 => {
                write!(self.out, "\\u{unit:04x}").expect("writing to a string does not fail");
            }
            (None, _) => {
                write!(self.out, "\\x{unit:x}").expect("writing to a string does not fail");
                hex = true;
            }
        }
        hex
    }
}

/// Whether all four bytes, or the last two or three, are plain characters.
fn is_word(value: u32) -> bool {
    value > 0xff && value.to_be_bytes().iter().skip_while(|&&byte| byte == 0).all(u8::is_ascii_graphic)
}

/// The shortest suffix that gives the constant this type (C17 6.4.4.1p5). In C89 mode it must do so under C89's rules
/// too, where a decimal constant may become `unsigned long`.
fn suffix(value: u64, form: IntForm, kind: IntKind, target: &Target) -> &'static str {
    use IntKind::{Int, LLong, Long, UInt, ULLong, ULong};
    const ALL: [IntKind; 6] = [Int, UInt, Long, ULong, LLong, ULLong];
    let decimal = matches!(form, IntForm::Decimal | IntForm::Char);
    let fits = |kind: IntKind| {
        let (bits, signed) = match kind {
            Int => (32, true),
            UInt => (32, false),
            Long => (u32::from(target.layout().long) * 8, true),
            ULong => (u32::from(target.layout().long) * 8, false),
            LLong => (64, true),
            _ => (64, false),
        };
        value <= u64::MAX >> (64 - bits + u32::from(signed))
    };
    let is_unsigned = |kind: IntKind| matches!(kind, UInt | ULong | ULLong);
    // The type of the constant with a suffix of this rank, under C99's or C89's rule for decimals.
    let typed = |unsigned: bool, least: IntKind, c89: bool| {
        ALL.into_iter().find(|&kind| {
            let allowed = if unsigned {
                is_unsigned(kind)
            } else {
                !is_unsigned(kind) || !decimal || (c89 && kind != UInt)
            };
            allowed && kind >= least && fits(kind)
        })
    };
    let suffixes: [(&'static str, bool, IntKind); 6] = [
        ("", false, Int),
        ("U", true, Int),
        ("L", false, Long),
        ("UL", true, Long),
        ("LL", false, LLong),
        ("ULL", true, LLong),
    ];
    let old = target.std.edition == Edition::C89;
    suffixes
        .into_iter()
        .find(|&(_, unsigned, least)| {
            typed(unsigned, least, false) == Some(kind)
                && (!old || typed(unsigned, least, true) == Some(kind))
        })
        .map_or("", |(suffix, ..)| suffix)
}

fn float_suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "f",
        FloatKind::Double => "",
        FloatKind::LongDouble => "L",
        FloatKind::Float128 => "q",
        FloatKind::Float16 => "f16",
        FloatKind::Float32 => "f32",
        FloatKind::Float64 => "f64",
        FloatKind::Float32x => "f32x",
        FloatKind::Float64x => "f64x",
    }
}

/// The digits of a floating constant without suffix. An infinity is written as a constant that overflows; a NaN has no
/// constant at all, and what is written for it does not compile rather than mean something else.
fn float_text(bits: u128, kind: FloatKind) -> String {
    let format = arith::float_format(kind);
    arith::print_float(bits, format).unwrap_or_else(|| {
        let text = if format.is_nan(bits) { "NaN" } else { "1e9999" };
        text.to_owned()
    })
}
