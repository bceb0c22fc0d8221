//! Declaration specifiers (C17 6.7p1): storage, type words in any order, qualifiers, attributes, alignment.
//!
//! Typedef names vanish here: a specifier list gives a [`Type`], never a name.

use crate::attribute::Attributes;
use crate::parser::{Parse, Parser};
use crate::scope::{Name, Tag};
use crate::token::Tok;
use howler_lang::program::Storage;
use howler_lang::source::Pos;
use howler_lang::ty::{FloatKind, IntKind, Quals, Type, TypeKind};

/// What the specifiers before a declarator say.
#[derive(Debug)]
pub(crate) struct Specs {
    /// The type with its qualifiers; `int` if no type was named.
    pub(crate) ty: Type,
    pub(crate) storage: Storage,
    pub(crate) typedef: bool,
    pub(crate) thread: bool,
    pub(crate) inline: bool,
    pub(crate) noreturn: bool,
    /// `__auto_type`.
    pub(crate) auto_type: bool,
    /// Whether a type was named.
    pub(crate) typed: bool,
    /// Whether there is any specifier at all.
    pub(crate) any: bool,
    /// From `_Alignas`, or 0.
    pub(crate) align: u32,
    pub(crate) attrs: Attributes,
    /// A struct, union or enum was named or defined.
    pub(crate) tagged: bool,
    /// Defined here without a tag: whoever uses the specifiers gives it one.
    pub(crate) unnamed: Option<Tag>,
    pub(crate) pos: Pos,
}

/// The words a type can be made of, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Words(u16);

impl Words {
    const VOID: Words = Words(1);
    const CHAR: Words = Words(1 << 1);
    const INT: Words = Words(1 << 2);
    const FLOAT: Words = Words(1 << 3);
    const DOUBLE: Words = Words(1 << 4);
    const BOOL: Words = Words(1 << 5);
    const INT128: Words = Words(1 << 6);
    /// `_Float32` and the like, which may be complex.
    const FLOATN: Words = Words(1 << 7);
    /// A typedef name, struct, `typeof` and so on.
    const OTHER: Words = Words(1 << 8);
    const SHORT: Words = Words(1 << 9);
    const LONG: Words = Words(1 << 10);
    const LLONG: Words = Words(1 << 11);
    const SIGNED: Words = Words(1 << 12);
    const UNSIGNED: Words = Words(1 << 13);
    const COMPLEX: Words = Words(1 << 14);

    /// The words that are a type by themselves: only one of them may appear.
    const DATA: Words = Words(0x1ff);

    const NAMES: [&'static str; 15] = [
        "void",
        "char",
        "int",
        "float",
        "double",
        "_Bool",
        "__int128",
        "_Floatn",
        "type",
        "short",
        "long",
        "long long",
        "signed",
        "unsigned",
        "_Complex",
    ];

    const fn or(self, other: Words) -> Words {
        Words(self.0 | other.0)
    }

    const fn has(self, other: Words) -> bool {
        self.0 & other.0 != 0
    }

    fn name(self) -> &'static str {
        Self::NAMES[self.0.trailing_zeros() as usize % Self::NAMES.len()]
    }

    /// The words that cannot stand beside `self`, one word (C17 6.7.2p2).
    const fn against(self) -> Words {
        let not_integers = Words::VOID.or(Words::FLOAT).or(Words::BOOL).or(Words::FLOATN).or(Words::OTHER);
        let lengths = Words::SHORT.or(Words::LONG).or(Words::LLONG);
        let signs = Words::SIGNED.or(Words::UNSIGNED);
        match self {
            Words::CHAR | Words::INT128 => Words::DATA.or(lengths),
            Words::INT => Words::DATA,
            Words::FLOAT | Words::FLOATN => Words::DATA.or(lengths).or(signs),
            Words::DOUBLE => Words::DATA.or(Words::SHORT).or(Words::LLONG).or(signs),
            Words::VOID | Words::BOOL | Words::OTHER => Words::DATA.or(lengths).or(signs).or(Words::COMPLEX),
            Words::SHORT => not_integers
                .or(Words::DOUBLE)
                .or(Words::CHAR)
                .or(Words::INT128)
                .or(Words::LONG)
                .or(Words::LLONG),
            Words::LONG => not_integers.or(Words::CHAR).or(Words::INT128).or(Words::SHORT),
            Words::LLONG => not_integers.or(Words::DOUBLE).or(Words::CHAR).or(Words::INT128).or(Words::SHORT),
            Words::SIGNED => not_integers.or(Words::DOUBLE).or(Words::UNSIGNED),
            Words::UNSIGNED => not_integers.or(Words::DOUBLE).or(Words::SIGNED),
            Words::COMPLEX => Words::VOID.or(Words::BOOL).or(Words::OTHER),
            _ => Words(0),
        }
    }
}

impl Parser<'_> {
    /// The specifiers here, possibly none. `__extension__` in front is skipped.
    pub(crate) fn specifiers(&mut self) -> Parse<Specs> {
        let mut specs = Specs {
            ty: Type::INT,
            storage: Storage::None,
            typedef: false,
            thread: false,
            inline: false,
            noreturn: false,
            auto_type: false,
            typed: false,
            any: false,
            align: 0,
            attrs: Attributes::default(),
            tagged: false,
            unnamed: None,
            pos: self.pos(),
        };
        let mut words = Words::default();
        let mut quals = Quals::NONE;
        let start = self.at;
        loop {
            let tok = self.tok();
            let word = match tok {
                Tok::KwVoid => Words::VOID,
                Tok::KwChar => Words::CHAR,
                Tok::KwInt => Words::INT,
                Tok::KwFloat => Words::FLOAT,
                Tok::KwDouble => Words::DOUBLE,
                Tok::KwBool => Words::BOOL,
                Tok::KwInt128 => Words::INT128,
                Tok::KwShort => Words::SHORT,
                Tok::KwLong if words.has(Words::LONG) => {
                    words.0 &= !Words::LONG.0;
                    Words::LLONG
                }
                Tok::KwLong if words.has(Words::LLONG) => {
                    return Err(self.error(self.pos(), "'long long long' is too long for GCC"));
                }
                Tok::KwLong => Words::LONG,
                Tok::KwSigned => Words::SIGNED,
                Tok::KwUnsigned => Words::UNSIGNED,
                Tok::KwComplex => Words::COMPLEX,
                Tok::KwFloat128
                | Tok::KwFloat16
                | Tok::KwFloat32
                | Tok::KwFloat64
                | Tok::KwFloat32x
                | Tok::KwFloat64x
                | Tok::KwFloat80 => Words::FLOATN,
                Tok::Ident => {
                    if words.0 != 0 || !self.typedef_name(&specs)? {
                        break;
                    }
                    Words::OTHER
                }
                Tok::KwStruct
                | Tok::KwUnion
                | Tok::KwEnum
                | Tok::KwTypeof
                | Tok::KwAutoType
                | Tok::KwInt128T
                | Tok::KwUint128T
                | Tok::KwVaList => Words::OTHER,
                Tok::KwAtomic if self.peek(1) == Tok::LParen => Words::OTHER,
                Tok::KwExtension => {
                    self.bump();
                    continue;
                }
                Tok::KwAttribute => {
                    self.more_attributes(&mut specs.attrs)?;
                    continue;
                }
                Tok::KwAlignas => {
                    let align = self.alignas()?;
                    specs.align = specs.align.max(align);
                    continue;
                }
                Tok::KwDecimal32
                | Tok::KwDecimal64
                | Tok::KwDecimal128
                | Tok::KwAccum
                | Tok::KwFract
                | Tok::KwSat
                | Tok::KwImaginary => {
                    return Err(self.unsupported(self.pos(), format!("'{}'", tok.text())));
                }
                _ if tok.is_qualifier() => {
                    quals = quals.union(qualifier(tok));
                    self.bump();
                    continue;
                }
                _ if tok.is_storage_class() || tok.is_function_specifier() => {
                    self.storage_word(&mut specs, tok)?;
                    self.bump();
                    continue;
                }
                _ => break,
            };
            let pos = self.pos();
            self.check_word(words, word, pos)?;
            words = words.or(word);
            if word == Words::OTHER || word == Words::FLOATN {
                specs.ty = self.named_type(&mut specs)?;
            } else {
                self.bump();
            }
        }
        specs.any = self.at != start;
        specs.typed = words.0 != 0;
        if specs.typed && !words.has(Words::OTHER) {
            specs.ty = self.type_of_words(words, specs.ty, specs.pos)?;
        }
        if !quals.is_empty() {
            specs.ty = self.qualify(specs.ty, quals, specs.pos)?;
        }
        Ok(specs)
    }

    /// Whether the current identifier is a typedef name. A name that is nothing yet but stands like a type is an
    /// error.
    fn typedef_name(&mut self, specs: &Specs) -> Parse<bool> {
        let symbol = self.token().symbol();
        match self.scopes.name(symbol) {
            Some(Name::Typedef(_)) => Ok(true),
            None | Some(Name::Poisoned) => {
                let pointer = self.peek(1) == Tok::Star && self.peek(2) == Tok::Ident;
                if !self.is_unknown_type() && !pointer {
                    return Ok(false);
                }
                if self.scopes.name(symbol) == Some(Name::Poisoned) {
                    return Err(crate::parser::Failed);
                }
                if self.cx.program.name(symbol).starts_with("__builtin_") {
                    let what = format!("'{}'", self.cx.program.name(symbol));
                    return Err(self.unsupported(self.pos(), what));
                }
                let hint = self.did_you_mean(symbol, |what| matches!(what, Name::Typedef(_)));
                let message = format!("unknown type name '{}'{hint}", self.cx.program.name(symbol));
                let _ = specs;
                Err(self.error(self.pos(), message))
            }
            Some(_) => Ok(false),
        }
    }

    fn check_word(&mut self, words: Words, word: Words, pos: Pos) -> Parse<()> {
        let clash = Words(word.against().0 & words.0);
        if clash.0 != 0 {
            return Err(if word.has(Words::DATA) && clash.has(Words::DATA) {
                self.error(pos, "two or more data types in declaration specifiers")
            } else {
                self.error(
                    pos,
                    format!("both '{}' and '{}' in declaration specifiers", clash.name(), word.name()),
                )
            });
        }
        if words.has(word) {
            return Err(self.error(pos, format!("duplicate '{}'", word.name())));
        }
        Ok(())
    }

    fn storage_word(&mut self, specs: &mut Specs, tok: Tok) -> Parse<()> {
        let storage = match tok {
            Tok::KwInline => {
                specs.inline = true;
                return Ok(());
            }
            Tok::KwNoreturn => {
                specs.noreturn = true;
                return Ok(());
            }
            Tok::KwThreadLocal => {
                if specs.thread {
                    return Err(self.error(self.pos(), "duplicate '_Thread_local'"));
                }
                if specs.typedef || matches!(specs.storage, Storage::Auto | Storage::Register) {
                    let other = if specs.typedef { "typedef" } else { storage_name(specs.storage) };
                    return Err(self.error(self.pos(), format!("'_Thread_local' used with '{other}'")));
                }
                specs.thread = true;
                return Ok(());
            }
            Tok::KwExtern => Some(Storage::Extern),
            Tok::KwStatic => Some(Storage::Static),
            Tok::KwRegister => Some(Storage::Register),
            Tok::KwAuto => Some(Storage::Auto),
            _ => None,
        };
        if specs.storage != Storage::None || specs.typedef {
            let same = storage == Some(specs.storage) || (storage.is_none() && specs.typedef);
            return Err(if same {
                self.error(self.pos(), format!("duplicate '{}'", tok.text()))
            } else {
                self.error(self.pos(), "multiple storage classes in declaration specifiers")
            });
        }
        if specs.thread && !matches!(storage, Some(Storage::Extern | Storage::Static)) {
            return Err(self.error(self.pos(), format!("'_Thread_local' used with '{}'", tok.text())));
        }
        match storage {
            Some(storage) => specs.storage = storage,
            None => specs.typedef = true,
        }
        Ok(())
    }

    /// A type that is not made of words: the current token begins it.
    fn named_type(&mut self, specs: &mut Specs) -> Parse<Type> {
        let token = self.token();
        let pos = self.pos_of(token);
        Ok(match token.kind {
            Tok::Ident => {
                self.bump();
                match self.scopes.name(token.symbol()) {
                    Some(Name::Typedef(ty)) => ty,
                    _ => return Err(self.error(pos, "expected a type name")),
                }
            }
            Tok::KwStruct | Tok::KwUnion => {
                specs.tagged = true;
                let (ty, unnamed) = self.nested(Self::record_specifier)?;
                specs.unnamed = unnamed;
                ty
            }
            Tok::KwEnum => {
                specs.tagged = true;
                let (ty, unnamed) = self.nested(Self::enum_specifier)?;
                specs.unnamed = unnamed;
                ty
            }
            Tok::KwTypeof => self.typeof_specifier()?,
            Tok::KwAutoType => {
                self.bump();
                specs.auto_type = true;
                Type::INT
            }
            Tok::KwAtomic => {
                self.bump();
                self.expect(Tok::LParen)?;
                let ty = self.nested(Self::type_name)?;
                self.expect(Tok::RParen)?;
                // C17 6.7.2.4p3.
                if !self.cx.program.types.strip(ty).quals().is_empty() {
                    return Err(self.error(pos, "'_Atomic' applied to a qualified type"));
                }
                self.qualify(ty, Quals::ATOMIC, pos)?
            }
            Tok::KwVaList => {
                self.bump();
                self.va_list_type()
            }
            kind => {
                self.bump();
                match kind {
                    Tok::KwInt128T | Tok::KwUint128T if !self.cx.program.target.layout().int128 => {
                        return Err(self.error(pos, format!("unknown type name '{}'", kind.text())));
                    }
                    Tok::KwInt128T => Type::INT128,
                    Tok::KwUint128T => Type::UINT128,
                    Tok::KwFloat128 => Type::FLOAT128,
                    Tok::KwFloat16 => Type::FLOAT16,
                    Tok::KwFloat32 => Type::FLOAT32,
                    Tok::KwFloat64 => Type::FLOAT64,
                    Tok::KwFloat32x => Type::FLOAT32X,
                    Tok::KwFloat64x => FloatKind::Float64x.ty(),
                    // gcc's __float80 is the type long double itself on both targets.
                    Tok::KwFloat80 => Type::LDOUBLE,
                    _ => Type::INT,
                }
            }
        })
    }

    /// The type named by words (C17 6.7.2p2); `floatn` is the type of a `_FloatN` word.
    fn type_of_words(&mut self, words: Words, floatn: Type, pos: Pos) -> Parse<Type> {
        let unsigned = words.has(Words::UNSIGNED);
        let pick = |signed: IntKind, other: IntKind| if unsigned { other.ty() } else { signed.ty() };
        let real = if words.has(Words::VOID) {
            return Ok(Type::VOID);
        } else if words.has(Words::BOOL) {
            return Ok(Type::BOOL);
        } else if words.has(Words::FLOATN) {
            floatn
        } else if words.has(Words::FLOAT) {
            Type::FLOAT
        } else if words.has(Words::DOUBLE) {
            if words.has(Words::LONG) { Type::LDOUBLE } else { Type::DOUBLE }
        } else if words.has(Words::INT128) {
            if !self.cx.program.target.layout().int128 {
                return Err(self.error(pos, "'__int128' is not supported on this target"));
            }
            self.extension(pos, "ISO C does not support '__int128' types");
            pick(IntKind::Int128, IntKind::UInt128)
        } else if words.has(Words::CHAR) {
            if words.has(Words::SIGNED) { Type::SCHAR } else { pick(IntKind::Char, IntKind::UChar) }
        } else if words.has(Words::SHORT) {
            pick(IntKind::Short, IntKind::UShort)
        } else if words.has(Words::LLONG) {
            pick(IntKind::LLong, IntKind::ULLong)
        } else if words.has(Words::LONG) {
            pick(IntKind::Long, IntKind::ULong)
        } else if words == Words::COMPLEX {
            // Plain _Complex is GNU for _Complex double.
            self.pedantic_only(pos, "ISO C does not support plain 'complex' meaning 'double complex'")?;
            Type::DOUBLE
        } else {
            pick(IntKind::Int, IntKind::UInt)
        };
        if !words.has(Words::COMPLEX) {
            return Ok(real);
        }
        if self.cx.program.types.is_integer(real) {
            self.extension(pos, "ISO C does not support complex integer types");
        }
        Ok(self.cx.program.types.complex(real))
    }

    /// Adds qualifiers, checking `restrict` and `_Atomic` (C17 6.7.3p2, p3).
    pub(crate) fn qualify(&mut self, ty: Type, quals: Quals, pos: Pos) -> Parse<Type> {
        if let TypeKind::Function(_) = self.cx.program.types.kind(ty)
            && !quals.contains(Quals::RESTRICT)
            && !quals.contains(Quals::ATOMIC)
        {
            // GNU C once used them for `noreturn` and `const`; they say nothing about the type.
            self.pedantic_only(pos, "ISO C forbids qualified function types")?;
            return Ok(ty);
        }
        if quals.contains(Quals::RESTRICT) {
            let mut inner = ty;
            while let TypeKind::Array { elem, .. } = self.cx.program.types.kind(inner) {
                inner = elem;
            }
            let fits = match self.cx.program.types.kind(inner) {
                TypeKind::Pointer(to) => !matches!(self.cx.program.types.kind(to), TypeKind::Function(_)),
                _ => false,
            };
            if !fits {
                return Err(self.error(pos, "invalid use of 'restrict'"));
            }
        }
        if quals.contains(Quals::ATOMIC) {
            match self.cx.program.types.kind(ty) {
                TypeKind::Array { .. } => {
                    return Err(self.error(pos, "'_Atomic'-qualified array type"));
                }
                TypeKind::Function(_) => {
                    return Err(self.error(pos, "'_Atomic'-qualified function type"));
                }
                _ => {}
            }
        }
        Ok(self.cx.program.types.qualified(ty, quals))
    }
}

/// The qualifier a keyword stands for.
pub(crate) fn qualifier(tok: Tok) -> Quals {
    match tok {
        Tok::KwConst => Quals::CONST,
        Tok::KwVolatile => Quals::VOLATILE,
        Tok::KwRestrict => Quals::RESTRICT,
        Tok::KwAtomic => Quals::ATOMIC,
        _ => Quals::NONE,
    }
}

fn storage_name(storage: Storage) -> &'static str {
    match storage {
        Storage::None => "",
        Storage::Extern => "extern",
        Storage::Static => "static",
        Storage::Register => "register",
        Storage::Auto => "auto",
    }
}
