//! GNU attributes: read in full; those that change a type or a layout are taken apart, the rest are kept as written.
//!
//! What an attribute means for optimisation is nobody's business here, but that it is not lost: a promise where nothing
//! keeps it is refused. An unknown one is kept with a warning.

mod known;

use crate::parser::{Failed, Parse, Parser};
use crate::scope::Name;
use crate::token::Tok;
use howler_lang::fold;
use howler_lang::layout::integers;
use howler_lang::program::{Attr, AttrArg, StrUnits};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::target::Compiler;
use howler_lang::ty::{FloatKind, IntKind, Type, TypeKind, Variant};
use known::{KNOWN, PROMISES};

/// What one or more `__attribute__((…))` say.
#[derive(Clone, Default, Debug)]
pub(crate) struct Attributes {
    /// All that are not in the fields below.
    pub(crate) kept: Vec<Attr>,
    /// The strictest `aligned`, or 0.
    pub(crate) align: u32,
    pub(crate) packed: bool,
    pub(crate) mode: Option<(Symbol, Pos)>,
    /// The size in bytes.
    pub(crate) vector_size: Option<(u64, Pos)>,
    pub(crate) may_alias: bool,
    pub(crate) transparent: bool,
    /// Also in `kept`.
    pub(crate) noreturn: bool,
    /// Also in `kept`.
    pub(crate) gnu_inline: bool,
}

impl Attributes {
    /// Adds what `other` says.
    pub(crate) fn merge(&mut self, other: Attributes) {
        if self.kept.is_empty() {
            if !other.kept.is_empty() {
                self.kept = other.kept;
            }
        } else {
            self.kept.extend(other.kept);
        }
        self.align = self.align.max(other.align);
        self.packed |= other.packed;
        self.mode = other.mode.or(self.mode);
        self.vector_size = other.vector_size.or(self.vector_size);
        self.may_alias |= other.may_alias;
        self.transparent |= other.transparent;
        self.noreturn |= other.noreturn;
        self.gnu_inline |= other.gnu_inline;
    }
}

/// `aligned` without an argument asks for this: the largest alignment both targets use for any type.
const BIGGEST_ALIGNMENT: u32 = 16;

/// gcc refuses alignments from here on.
const ALIGNMENT_LIMIT: i128 = 1 << 28;

impl Parser<'_> {
    /// Zero or more `__attribute__((…))`.
    pub(crate) fn attributes(&mut self) -> Parse<Attributes> {
        let mut all = Attributes::default();
        self.more_attributes(&mut all)?;
        Ok(all)
    }

    /// Zero or more `__attribute__((…))`, added to `all`.
    #[inline]
    pub(crate) fn more_attributes(&mut self, all: &mut Attributes) -> Parse<()> {
        while self.tok() == Tok::KwAttribute {
            self.attribute_specifier(all)?;
        }
        Ok(())
    }

    fn attribute_specifier(&mut self, all: &mut Attributes) -> Parse<()> {
        self.expect(Tok::KwAttribute)?;
        self.expect(Tok::LParen)?;
        self.expect(Tok::LParen)?;
        loop {
            while self.eat(Tok::Comma) {}
            if self.tok() == Tok::RParen {
                break;
            }
            if !self.tok().is_word() {
                return Err(self.expected("identifier"));
            }
            let token = self.bump();
            let pos = self.pos_of(token);
            let name = self.plain_name(token.symbol());
            let args = if self.tok() == Tok::LParen { self.attribute_args()? } else { Vec::new() };
            self.absorb(name, args, pos, all)?;
            if self.tok() != Tok::Comma {
                break;
            }
        }
        self.expect(Tok::RParen)?;
        self.expect(Tok::RParen)?;
        Ok(())
    }

    /// Attributes of something other than a function: what they promise about behaviour nobody would check, since
    /// only functions keep theirs.
    pub(crate) fn refuse_promises(&mut self, attrs: &Attributes, pos: Pos) -> Parse<()> {
        let promise = attrs.kept.iter().find(|attr| {
            let name = self.cx.program.name(attr.name);
            PROMISES.binary_search(&name).is_ok()
        });
        match promise {
            Some(attr) => {
                let what =
                    format!("attribute '{}' of other than a function", self.cx.program.name(attr.name));
                Err(self.unsupported(pos, what))
            }
            None => Ok(()),
        }
    }

    /// Attributes in a place where nobody keeps them.
    pub(crate) fn dropped_attributes(&mut self) -> Parse<()> {
        let pos = self.pos();
        let attrs = self.attributes()?;
        self.refuse_promises(&attrs, pos)
    }

    /// `__noinline__` is `noinline`.
    fn plain_name(&mut self, name: Symbol) -> Symbol {
        if let Some(&plain) = self.decl.plain_names.get(&name) {
            return plain;
        }
        let text = self.cx.program.name(name);
        let plain = text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"));
        let plain = match plain.filter(|plain| !plain.is_empty()) {
            Some(plain) => {
                let plain = plain.to_owned();
                self.cx.program.symbols.intern(&plain)
            }
            None => name,
        };
        self.decl.plain_names.insert(name, plain);
        plain
    }

    fn attribute_args(&mut self) -> Parse<Vec<AttrArg>> {
        self.expect(Tok::LParen)?;
        let mut args = Vec::new();
        if self.eat(Tok::RParen) {
            return Ok(args);
        }
        loop {
            args.push(self.attribute_arg()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen)?;
        Ok(args)
    }

    fn attribute_arg(&mut self) -> Parse<AttrArg> {
        let start = self.at;
        let ends = |p: &Self| matches!(p.tok(), Tok::Comma | Tok::RParen);
        if self.tok().is_word() && matches!(self.peek(1), Tok::Comma | Tok::RParen) {
            let symbol = self.token().symbol();
            let constant =
                self.tok() == Tok::Ident && matches!(self.scopes.name(symbol), Some(Name::Enumerator(_)));
            if !constant {
                self.bump();
                return Ok(AttrArg::Ident(symbol));
            }
        }
        let reported = self.diagnostics.len();
        if self.tok() == Tok::Str {
            if let Ok(lit) = self.string_literal()
                && ends(self)
            {
                return Ok(AttrArg::Str(match lit.units {
                    StrUnits::Narrow(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    StrUnits::Wide(units) => {
                        units.iter().map(|&u| char::from_u32(u).unwrap_or('?')).collect()
                    }
                }));
            }
        } else if let Ok(expr) = self.nested(Self::conditional_expression)
            && let Some(value) = fold::integer(self.cx.program, expr).filter(|_| ends(self))
        {
            return Ok(AttrArg::Int(value));
        }
        // Whatever else an attribute may take (a type, a call, a condition) is kept as text.
        self.diagnostics.truncate(reported);
        self.at = start;
        let from = self.token().offset as usize;
        let mut depth = 0u32;
        loop {
            match self.tok() {
                Tok::Eof => return Err(self.expected("')'")),
                Tok::LParen | Tok::LBracket | Tok::LBrace => depth += 1,
                Tok::RParen | Tok::Comma if depth == 0 => break,
                Tok::RParen | Tok::RBracket | Tok::RBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
        let text = self.text.get(from..self.token().offset as usize).unwrap_or("").trim().to_owned();
        Ok(AttrArg::Ident(self.cx.program.symbols.intern(&text)))
    }

    fn absorb(&mut self, name: Symbol, args: Vec<AttrArg>, pos: Pos, all: &mut Attributes) -> Parse<()> {
        if self.decl.kept_attributes.contains(&name) {
            all.kept.push(Attr { name, args });
            return Ok(());
        }
        match self.cx.program.name(name) {
            "aligned" => {
                all.align = all.align.max(self.alignment_argument(&args, pos)?);
                return Ok(());
            }
            "packed" => {
                all.packed = true;
                return Ok(());
            }
            "may_alias" => {
                all.may_alias = true;
                return Ok(());
            }
            "transparent_union" => {
                all.transparent = true;
                return Ok(());
            }
            "mode" => {
                if let [AttrArg::Ident(mode)] = args[..] {
                    if self.cx.program.name(mode).contains('(') {
                        self.warning(pos, "'mode' attribute ignored");
                        return Ok(());
                    }
                    all.mode = Some((self.plain_name(mode), pos));
                    return Ok(());
                }
                return Err(self.error(pos, "wrong number of arguments specified for 'mode' attribute"));
            }
            "vector_size" => {
                return match args[..] {
                    [AttrArg::Int(size)] if size > 0 && size <= i128::from(i32::MAX) => {
                        all.vector_size = Some((size as u64, pos));
                        Ok(())
                    }
                    [AttrArg::Int(0)] => Err(self.error(pos, "zero vector size")),
                    [AttrArg::Int(size)] => Err(self
                        .error(pos, format!("'vector_size' attribute argument value '{size}' is invalid"))),
                    _ => Err(self.error(pos, "'vector_size' attribute argument is not an integer constant")),
                };
            }
            "noreturn" => all.noreturn = true,
            "gnu_inline" => all.gnu_inline = true,
            "copy" | "scalar_storage_order" | "ms_struct" => {
                let what = format!("attribute '{}'", self.cx.program.name(name));
                return Err(self.unsupported(pos, what));
            }
            other if KNOWN.binary_search(&other).is_err() => {
                let message = format!("'{other}' attribute directive ignored");
                self.warning(pos, message);
            }
            _ => {
                self.decl.kept_attributes.insert(name);
            }
        }
        all.kept.push(Attr { name, args });
        Ok(())
    }

    fn alignment_argument(&mut self, args: &[AttrArg], pos: Pos) -> Parse<u32> {
        match *args {
            [] => Ok(BIGGEST_ALIGNMENT),
            [AttrArg::Int(value)] => self.alignment(value, pos),
            _ => Err(self.error(pos, "requested alignment is not an integer constant")),
        }
    }

    /// Checks a requested alignment in bytes (C17 6.7.5, and gcc's limits).
    pub(crate) fn alignment(&mut self, value: i128, pos: Pos) -> Parse<u32> {
        if value <= 0 || value & (value - 1) != 0 {
            return Err(
                self.error(pos, format!("requested alignment '{value}' is not a positive power of 2"))
            );
        }
        if value > ALIGNMENT_LIMIT {
            return Err(
                self.error(pos, format!("requested alignment '{value}' exceeds maximum {ALIGNMENT_LIMIT}"))
            );
        }
        Ok(value as u32)
    }

    /// `ty` as changed by `mode` and `vector_size`.
    pub(crate) fn apply_type_attributes(&mut self, mut ty: Type, attrs: &Attributes) -> Parse<Type> {
        if let Some((mode, pos)) = attrs.mode {
            ty = self.apply_mode(ty, mode, pos)?;
        }
        if let Some((size, pos)) = attrs.vector_size {
            ty = self.apply_vector_size(ty, size, pos)?;
        }
        Ok(ty)
    }

    /// A typedef of `ty` with what the attributes add to the name itself.
    pub(crate) fn apply_variant(&mut self, ty: Type, attrs: &Attributes) -> Type {
        if attrs.align == 0 && !attrs.may_alias {
            return ty;
        }
        // An alignment on a function type is the function's, not the type's.
        let function = matches!(self.cx.program.types.kind(ty), TypeKind::Function(_));
        let align = if function { 0 } else { attrs.align };
        if align == 0 && !attrs.may_alias {
            return ty;
        }
        let variant = Variant { base: ty, align, may_alias: attrs.may_alias, name: None };
        self.cx.program.types.make_variant(variant)
    }

    fn apply_mode(&mut self, ty: Type, mode: Symbol, pos: Pos) -> Parse<Type> {
        let types = &self.cx.program.types;
        let unsigned = match types.kind(ty) {
            TypeKind::Int(kind) => is_unsigned(kind),
            TypeKind::Enum(id) => is_unsigned(types.enums[id].underlying),
            TypeKind::Bool => true,
            _ => false,
        };
        let kind = types.kind(ty);
        let name = self.cx.program.name(mode).to_owned();
        let Some(new) = self.type_of_mode(&name, unsigned) else {
            return Err(self.error(pos, format!("unknown machine mode '{name}'")));
        };
        let fits = match (kind, self.cx.program.types.kind(new)) {
            // An enumeration of another size than its own is an integer here.
            (TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_), TypeKind::Int(_)) => true,
            (TypeKind::Float(_), TypeKind::Float(_)) | (TypeKind::Complex(_), TypeKind::Complex(_)) => true,
            (TypeKind::Int(_) | TypeKind::Float(_), TypeKind::Vector { .. }) => true,
            (TypeKind::Pointer(_), TypeKind::Int(_)) => {
                if self.cx.program.size_of(new) == self.cx.program.size_of(ty) {
                    return Ok(ty);
                }
                false
            }
            _ => false,
        };
        if !fits {
            return Err(self.error(pos, format!("mode '{name}' applied to inappropriate type")));
        }
        Ok(self.cx.program.types.qualified(new, ty.quals()))
    }

    /// The integer type that `mode` on the definition of an enumeration asks for.
    pub(crate) fn enum_mode(&mut self, attrs: &Attributes, unsigned: bool) -> Parse<Option<IntKind>> {
        let Some((mode, pos)) = attrs.mode else { return Ok(None) };
        let name = self.cx.program.name(mode).to_owned();
        match self.type_of_mode(&name, unsigned).map(|ty| self.cx.program.types.kind(ty)) {
            Some(TypeKind::Int(kind)) => Ok(Some(kind)),
            _ => Err(self.error(pos, format!("invalid mode '{name}' for enumeration"))),
        }
    }

    fn type_of_mode(&mut self, mode: &str, unsigned: bool) -> Option<Type> {
        if let Some(rest) = mode.strip_prefix('V') {
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            let lanes: u32 = rest[..digits].parse().ok()?;
            let elem = self.type_of_mode(&rest[digits..], unsigned)?;
            let scalar = matches!(self.cx.program.types.kind(elem), TypeKind::Int(_) | TypeKind::Float(_));
            let good = scalar && lanes.is_power_of_two();
            return good.then(|| self.cx.program.types.vector(elem, lanes));
        }
        let pointer = u32::from(self.cx.program.target.layout().pointer) * 8;
        let bits = match mode {
            "QI" | "byte" => 8,
            "HI" => 16,
            "SI" => 32,
            "DI" => 64,
            "TI" if self.cx.program.target.layout().int128 => 128,
            "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => pointer,
            "HF" => return Some(FloatKind::Float16.ty()),
            "SF" => return Some(Type::FLOAT),
            "DF" => return Some(Type::DOUBLE),
            "XF" => return Some(Type::LDOUBLE),
            "TF" => return Some(Type::FLOAT128),
            "SC" => return Some(self.cx.program.types.complex(Type::FLOAT)),
            "DC" => return Some(self.cx.program.types.complex(Type::DOUBLE)),
            "XC" => return Some(self.cx.program.types.complex(Type::LDOUBLE)),
            "TC" => return Some(self.cx.program.types.complex(Type::FLOAT128)),
            "CQI" | "CHI" | "CSI" | "CDI" => {
                let elem = self.type_of_mode(&mode[1..], unsigned)?;
                return Some(self.cx.program.types.complex(elem));
            }
            _ => return None,
        };
        Some(integers::of_width(&self.cx.program.target, bits, !unsigned).ty())
    }

    /// `vector_size` makes a vector of the type at the bottom of pointers, arrays and functions.
    fn apply_vector_size(&mut self, ty: Type, size: u64, pos: Pos) -> Parse<Type> {
        let mut layers = Vec::new();
        let mut bottom = ty;
        loop {
            let next = match self.cx.program.types.kind(bottom) {
                TypeKind::Pointer(to) => to,
                TypeKind::Array { elem, .. } => elem,
                TypeKind::Function(id) => self.cx.program.types.signature(id).ret,
                _ => break,
            };
            if self.cx.program.target.compiler == Compiler::Clang {
                let shown = self.show(ty);
                return Err(self.error(pos, format!("invalid vector element type '{shown}'")));
            }
            layers.push(bottom);
            bottom = next;
        }
        let mut made = self.vector_of(bottom, size, pos)?;
        let types = &mut self.cx.program.types;
        for layer in layers.into_iter().rev() {
            let new = match types.kind(layer) {
                TypeKind::Array { len, .. } => types.array(made, len),
                TypeKind::Function(id) => {
                    let mut signature = types.signature(id).clone();
                    signature.ret = made;
                    types.function(signature)
                }
                _ => types.pointer(made),
            };
            made = types.qualified(new, layer.quals());
        }
        Ok(made)
    }

    fn vector_of(&mut self, elem: Type, size: u64, pos: Pos) -> Result<Type, Failed> {
        let types = &self.cx.program.types;
        let elem = match types.kind(elem) {
            TypeKind::Enum(id) if types.enums[id].complete => types.enums[id].underlying.ty(),
            _ => elem,
        };
        let scalar = matches!(types.kind(elem), TypeKind::Int(_) | TypeKind::Float(_));
        let width = self.cx.program.size_of(elem).filter(|&width| width > 0 && scalar);
        let Some(width) = width else {
            return Err(self.error(pos, "invalid vector type for attribute 'vector_size'"));
        };
        if !size.is_multiple_of(width) {
            return Err(self.error(pos, "vector size not an integral multiple of component size"));
        }
        let lanes = size / width;
        if !lanes.is_power_of_two() {
            return Err(self.error(pos, format!("number of vector components '{lanes}' not a power of two")));
        }
        let bare = types.strip(elem).bare();
        let types = &mut self.cx.program.types;
        let vector = types.vector(bare, lanes as u32);
        Ok(types.qualified(vector, elem.quals()))
    }
}

/// Whether the keyword says `unsigned`.
pub(crate) fn is_unsigned(kind: IntKind) -> bool {
    integers::to_unsigned(kind) == kind
}
