//! Tokens: what the lexer hands to the parser, twelve bytes each. Spellings stay in the text.

use howler_lang::id::Id;
use howler_lang::symbol::Symbol;
use howler_lang::target::{Edition, Std};
use std::num::NonZeroU8;

/// Twelve bytes: kind, place, and a payload that depends on the kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Byte offset in the text.
    pub offset: u32,
    /// `Ident` and keywords: the index of the symbol. Literals: the spelling's length in bytes, prefix and quotes
    /// included; of an `Int` with a `short`, the value. `Unknown`: the character. Otherwise 0.
    pub data: u32,
    /// The kind.
    pub kind: Tok,
    /// How an integer constant is written whose value the lexer has found.
    pub short: Option<ShortInt>,
}

/// How a short integer constant is written: no prefix or `0x`, digits, and a suffix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShortInt(NonZeroU8);

impl ShortInt {
    const LONGS: u8 = 3;
    const UNSIGNED: u8 = 4;
    const HEX: u8 = 8;
    /// Set in all, so that none is zero.
    const MARK: NonZeroU8 = NonZeroU8::new(128).expect("it is not zero");

    /// With `longs` times `l`, with `u`, with `0x`.
    #[inline]
    pub(crate) fn new(longs: u8, unsigned: bool, hex: bool) -> ShortInt {
        let flags =
            longs & Self::LONGS | if unsigned { Self::UNSIGNED } else { 0 } | if hex { Self::HEX } else { 0 };
        ShortInt(Self::MARK | flags)
    }

    /// How many `l`: 0, 1 or 2.
    #[inline]
    pub fn longs(self) -> u8 {
        self.0.get() & Self::LONGS
    }

    /// `u`
    #[inline]
    pub fn unsigned(self) -> bool {
        self.0.get() & Self::UNSIGNED != 0
    }

    /// `0x`
    #[inline]
    pub fn hex(self) -> bool {
        self.0.get() & Self::HEX != 0
    }
}

const _: () = assert!(size_of::<Token>() == 12);

impl Token {
    /// The name of an identifier, or a keyword's spelling. Of other kinds it means nothing.
    #[inline]
    pub fn symbol(self) -> Symbol {
        Symbol::from_index(self.data as usize)
    }

    /// The spelling of a literal in the text it was read from. Of other kinds it is empty.
    #[inline]
    pub fn literal(self, text: &str) -> &str {
        if !self.kind.is_literal() {
            return "";
        }
        let start = self.offset as usize;
        let len = match self.short {
            None => self.data as usize,
            Some(_) => {
                text.as_bytes()[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()
            }
        };
        text.get(start..start + len).unwrap_or("")
    }

    /// The character of an `Unknown` token.
    pub fn character(self) -> char {
        char::from_u32(self.data).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// In which dialects a spelling is a keyword.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// `asm`, `typeof`: only with `-std=gnu…`.
    Gnu,
    /// `inline`: everywhere but in strict C89.
    GnuOrC99,
    /// `restrict`: not in C89, GNU or not.
    C99,
}

impl When {
    fn holds(self, std: Std) -> bool {
        match self {
            When::Always => true,
            When::Gnu => std.gnu,
            When::GnuOrC99 => std.gnu || std.edition >= Edition::C99,
            When::C99 => std.edition >= Edition::C99,
        }
    }
}

macro_rules! tokens {
    (
        special { $($(#[$sdoc:meta])* $special:ident $stext:literal)* }
        punctuators { $($punct:ident $ptext:literal)* }
        keywords { $($keyword:ident $when:ident $ktext:literal $(| $alt_when:ident $alt:literal)*;)* }
    ) => {
        /// The kind of a token.
        #[repr(u8)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        pub enum Tok {
            $($(#[$sdoc])* $special,)*
            $(#[doc = concat!("`", $ptext, "`")] $punct,)*
            $(#[doc = concat!("`", $ktext, "`", $(", `", $alt, "`",)*)] $keyword,)*
        }

        const TEXTS: &[&str] = &[$($stext,)* $($ptext,)* $($ktext,)*];

        /// Every spelling of every keyword; the order is fixed, so a fresh symbol table always starts the same.
        const SPELLINGS: &[(&str, Tok, When)] = &[$(
            ($ktext, Tok::$keyword, When::$when),
            $(($alt, Tok::$keyword, When::$alt_when),)*
        )*];
    };
}

tokens! {
    special {
        /// The end of the text.
        Eof "end of input"
        /// An identifier.
        Ident "identifier"
        /// An integer constant.
        Int "integer constant"
        /// A floating constant.
        Float "floating constant"
        /// A character constant.
        Char "character constant"
        /// A string literal.
        Str "string literal"
        /// A character that is part of no token of C.
        Unknown "stray character"
    }
    punctuators {
        LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}"
        Dot "." Ellipsis "..." Arrow "->" PlusPlus "++" MinusMinus "--"
        Amp "&" AmpAmp "&&" Star "*" Plus "+" Minus "-" Tilde "~" Bang "!" Slash "/" Percent "%"
        Shl "<<" Shr ">>" Lt "<" Gt ">" Le "<=" Ge ">=" EqEq "==" NotEq "!="
        Caret "^" Pipe "|" PipePipe "||" Question "?" Colon ":" Semi ";"
        Assign "=" StarAssign "*=" SlashAssign "/=" PercentAssign "%=" PlusAssign "+=" MinusAssign "-="
        ShlAssign "<<=" ShrAssign ">>=" AmpAssign "&=" CaretAssign "^=" PipeAssign "|=" Comma ","
    }
    keywords {
        KwAuto Always "auto";
        KwBreak Always "break";
        KwCase Always "case";
        KwChar Always "char";
        KwConst Always "const" | Always "__const" | Always "__const__";
        KwContinue Always "continue";
        KwDefault Always "default";
        KwDo Always "do";
        KwDouble Always "double";
        KwElse Always "else";
        KwEnum Always "enum";
        KwExtern Always "extern";
        KwFloat Always "float";
        KwFor Always "for";
        KwGoto Always "goto";
        KwIf Always "if";
        KwInline GnuOrC99 "inline" | Always "__inline" | Always "__inline__";
        KwInt Always "int";
        KwLong Always "long";
        KwRegister Always "register";
        KwRestrict C99 "restrict" | Always "__restrict" | Always "__restrict__";
        KwReturn Always "return";
        KwShort Always "short";
        KwSigned Always "signed" | Always "__signed" | Always "__signed__";
        KwSizeof Always "sizeof";
        KwStatic Always "static";
        KwStruct Always "struct";
        KwSwitch Always "switch";
        KwTypedef Always "typedef";
        KwUnion Always "union";
        KwUnsigned Always "unsigned";
        KwVoid Always "void";
        KwVolatile Always "volatile" | Always "__volatile" | Always "__volatile__";
        KwWhile Always "while";
        KwAlignas Always "_Alignas";
        KwAlignof Always "_Alignof";
        KwGnuAlignof Always "__alignof__" | Always "__alignof";
        KwAtomic Always "_Atomic";
        KwBool Always "_Bool";
        KwComplex Always "_Complex" | Always "__complex" | Always "__complex__";
        KwGeneric Always "_Generic";
        KwImaginary Always "_Imaginary";
        KwNoreturn Always "_Noreturn";
        KwStaticAssert Always "_Static_assert";
        KwThreadLocal Always "_Thread_local" | Always "__thread";
        KwAsm Gnu "asm" | Always "__asm" | Always "__asm__";
        KwTypeof Gnu "typeof" | Always "__typeof" | Always "__typeof__";
        KwAttribute Always "__attribute__" | Always "__attribute";
        KwExtension Always "__extension__";
        KwAutoType Always "__auto_type";
        KwLabel Always "__label__";
        KwReal Always "__real__" | Always "__real";
        KwImag Always "__imag__" | Always "__imag";
        KwFunc Always "__func__";
        KwFunction Always "__FUNCTION__";
        KwPrettyFunction Always "__PRETTY_FUNCTION__";
        KwInt128 Always "__int128";
        KwInt128T Always "__int128_t";
        KwUint128T Always "__uint128_t";
        KwFloat128 Always "_Float128" | Always "__float128";
        KwFloat80 Always "__float80";
        KwFloat16 Always "_Float16";
        KwFloat32 Always "_Float32";
        KwFloat64 Always "_Float64";
        KwFloat32x Always "_Float32x";
        KwFloat64x Always "_Float64x";
        KwDecimal32 Always "_Decimal32";
        KwDecimal64 Always "_Decimal64";
        KwDecimal128 Always "_Decimal128";
        KwAccum Always "_Accum";
        KwFract Always "_Fract";
        KwSat Always "_Sat";
        KwVaList Always "__builtin_va_list";
        KwVaArg Always "__builtin_va_arg";
        KwOffsetof Always "__builtin_offsetof";
        KwTypesCompatible Always "__builtin_types_compatible_p";
        KwChooseExpr Always "__builtin_choose_expr";
        // Read by the lexer itself: the parser never sees it.
        KwPragma Always "_Pragma";
    }
}

/// Every spelling that is a keyword in `std`, and one entry with `Ident` for those that are not, so that the
/// symbols made for them are the same in every dialect.
pub(crate) fn keyword_spellings(std: Std) -> impl Iterator<Item = (&'static str, Tok)> {
    SPELLINGS.iter().map(move |&(text, kind, when)| (text, if when.holds(std) { kind } else { Tok::Ident }))
}

impl Tok {
    /// What to call it in a message: the spelling of punctuators and keywords, a description of the rest.
    pub fn text(self) -> &'static str {
        TEXTS[self as usize]
    }

    /// `Int`, `Float`, `Char` or `Str`.
    #[inline]
    pub const fn is_literal(self) -> bool {
        self as u8 >= Tok::Int as u8 && self as u8 <= Tok::Str as u8
    }

    /// An operator or a bracket.
    #[inline]
    pub const fn is_punctuator(self) -> bool {
        self as u8 >= Tok::LParen as u8 && self as u8 <= Tok::Comma as u8
    }

    /// A keyword.
    #[inline]
    pub const fn is_keyword(self) -> bool {
        self as u8 >= Tok::KwAuto as u8
    }

    /// An identifier or a keyword: what may stand as an attribute's name.
    #[inline]
    pub const fn is_word(self) -> bool {
        matches!(self, Tok::Ident) || self.is_keyword()
    }

    /// `=`, `+=` and so on.
    #[inline]
    pub const fn is_assignment(self) -> bool {
        self as u8 >= Tok::Assign as u8 && self as u8 <= Tok::PipeAssign as u8
    }

    /// A keyword that is or begins a type specifier (C17 6.7.2), GNU and unsupported ones included. `_Atomic` is
    /// one only before `(`; see [`Tok::is_qualifier`].
    #[inline]
    pub const fn is_type_specifier(self) -> bool {
        matches!(
            self,
            Tok::KwVoid
                | Tok::KwChar
                | Tok::KwShort
                | Tok::KwInt
                | Tok::KwLong
                | Tok::KwFloat
                | Tok::KwDouble
                | Tok::KwSigned
                | Tok::KwUnsigned
                | Tok::KwBool
                | Tok::KwComplex
                | Tok::KwImaginary
                | Tok::KwStruct
                | Tok::KwUnion
                | Tok::KwEnum
                | Tok::KwTypeof
                | Tok::KwAutoType
                | Tok::KwInt128
                | Tok::KwInt128T
                | Tok::KwUint128T
                | Tok::KwVaList
        ) || self.is_extended_float()
            || self.is_fixed_point()
    }

    /// `_Float…`, `__float…` and `_Decimal…`.
    #[inline]
    pub const fn is_extended_float(self) -> bool {
        self as u8 >= Tok::KwFloat128 as u8 && self as u8 <= Tok::KwDecimal128 as u8
    }

    /// `_Accum`, `_Fract`, `_Sat`.
    #[inline]
    pub const fn is_fixed_point(self) -> bool {
        matches!(self, Tok::KwAccum | Tok::KwFract | Tok::KwSat)
    }

    /// `const`, `volatile`, `restrict`, `_Atomic`.
    #[inline]
    pub const fn is_qualifier(self) -> bool {
        matches!(self, Tok::KwConst | Tok::KwVolatile | Tok::KwRestrict | Tok::KwAtomic)
    }

    /// `typedef`, `extern`, `static`, `_Thread_local`, `auto`, `register`.
    #[inline]
    pub const fn is_storage_class(self) -> bool {
        matches!(
            self,
            Tok::KwTypedef
                | Tok::KwExtern
                | Tok::KwStatic
                | Tok::KwThreadLocal
                | Tok::KwAuto
                | Tok::KwRegister
        )
    }

    /// `inline`, `_Noreturn`.
    #[inline]
    pub const fn is_function_specifier(self) -> bool {
        matches!(self, Tok::KwInline | Tok::KwNoreturn)
    }

    /// A keyword with which a type name can begin (C17 6.7.7): `sizeof (` decides by it, typedef names aside.
    #[inline]
    pub const fn starts_type_name(self) -> bool {
        self.is_type_specifier() || self.is_qualifier() || matches!(self, Tok::KwAttribute | Tok::KwAlignas)
    }

    /// A keyword that can be one of the specifiers of a declaration (C17 6.7), attributes included.
    #[inline]
    pub const fn is_declaration_specifier(self) -> bool {
        self.starts_type_name() || self.is_storage_class() || self.is_function_specifier()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_their_kinds() {
        assert_eq!(Tok::Eof.text(), "end of input");
        assert_eq!(Tok::Comma.text(), ",");
        assert_eq!(Tok::ShlAssign.text(), "<<=");
        assert_eq!(Tok::KwPragma.text(), "_Pragma");
        assert_eq!(TEXTS.len(), Tok::KwPragma as usize + 1);
    }

    #[test]
    fn classes_are_disjoint_where_they_must_be() {
        for kind in SPELLINGS.iter().map(|&(_, kind, _)| kind) {
            assert!(kind.is_keyword() && !kind.is_punctuator() && !kind.is_literal(), "{kind:?}");
            let classes = [
                kind.is_type_specifier(),
                kind.is_qualifier(),
                kind.is_storage_class(),
                kind.is_function_specifier(),
            ];
            assert!(classes.iter().filter(|&&class| class).count() <= 1, "{kind:?}");
        }
        assert!(Tok::KwDecimal32.is_type_specifier() && Tok::KwFloat32x.is_extended_float());
        assert!(!Tok::KwSizeof.is_declaration_specifier());
        assert!(Tok::PipeAssign.is_assignment() && !Tok::EqEq.is_assignment() && !Tok::Comma.is_assignment());
    }
}
