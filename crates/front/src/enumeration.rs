//! Enumerations (C17 6.7.2.2) with gcc's rules for values that are no `int`.

use crate::attribute::is_unsigned;
use crate::parser::{Parse, Parser};
use crate::scope::{Name, Tag};
use crate::token::Tok;
use howler_lang::build;
use howler_lang::program::Item;
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::ty::{Enum, EnumId, Enumerator, EnumeratorId, IntKind, Type, TypeKind};

impl Parser<'_> {
    /// `enum` with what follows. The second result is set if it was defined without a tag.
    pub(crate) fn enum_specifier(&mut self) -> Parse<(Type, Option<Tag>)> {
        let keyword = self.pos();
        self.bump();
        let attrs = self.attributes()?;
        let pos = self.pos();
        let tag = if self.tok() == Tok::Ident { Some(self.bump().symbol()) } else { None };
        if self.tok() != Tok::LBrace {
            let Some(tag) = tag else { return Err(self.expected("identifier or '{'")) };
            let id = self.enum_reference(tag, pos)?;
            return Ok((self.cx.program.types.enumeration(id), None));
        }
        let id = self.enum_definition(tag, if tag.is_some() { pos } else { keyword })?;
        self.decl.open_enums.push(id);
        let constants = self.enumerator_list();
        self.decl.open_enums.pop();
        let constants = constants?;
        let trailing = self.attributes()?;
        let packed = attrs.packed || trailing.packed;
        let mut underlying = self.finish_enumerators(&constants, packed, pos);
        for attrs in [&attrs, &trailing] {
            let Some(kind) = self.enum_mode(attrs, is_unsigned(underlying))? else { continue };
            if self.width_of(kind) < self.width_of(underlying) && !self.all_fit(&constants, kind) {
                return Err(self.error(pos, "specified mode too small for enumerated values"));
            }
            underlying = kind;
        }
        let record = &mut self.cx.program.types.enums[id];
        record.constants = constants;
        record.complete = true;
        record.packed = packed;
        record.underlying = underlying;
        self.pending.push(Item::Enum(id));
        let ty = self.cx.program.types.enumeration(id);
        Ok((ty, if tag.is_none() { Some(Tag::Enum(id)) } else { None }))
    }

    fn enum_reference(&mut self, tag: Symbol, pos: Pos) -> Parse<EnumId> {
        let found = if self.tok() == Tok::Semi { self.scopes.tag_here(tag) } else { self.scopes.tag(tag) };
        match found {
            Some(Tag::Enum(id)) => Ok(id),
            Some(Tag::Record(_)) => Err(self.wrong_tag(tag, pos)),
            // gcc takes it as an incomplete type (C17 6.7.2.3p3 does not).
            None => {
                self.pedantic_only(pos, "ISO C forbids forward references to 'enum' types")?;
                Ok(self.new_enum(Some(tag), pos))
            }
        }
    }

    fn enum_definition(&mut self, tag: Option<Symbol>, pos: Pos) -> Parse<EnumId> {
        let Some(name) = tag else { return Ok(self.new_enum(None, pos)) };
        match self.scopes.tag_here(name) {
            None => Ok(self.new_enum(tag, pos)),
            Some(Tag::Enum(id)) => {
                let what = if self.cx.program.types.enums[id].complete {
                    "redeclaration"
                } else if self.decl.open_enums.contains(&id) {
                    "nested redefinition"
                } else {
                    self.cx.program.types.enums[id].pos = pos;
                    return Ok(id);
                };
                let message = format!("{what} of 'enum {}'", self.cx.program.name(name));
                Err(self.error(pos, message))
            }
            Some(Tag::Record(_)) => Err(self.wrong_tag(name, pos)),
        }
    }

    fn new_enum(&mut self, tag: Option<Symbol>, pos: Pos) -> EnumId {
        let unique = match tag {
            Some(tag) => self.unique_tag(tag),
            // Replaced by `name_unnamed`; the empty string is no identifier.
            None => {
                let none = self.cx.program.symbols.intern("");
                self.decl.no_tag = Some(none);
                none
            }
        };
        let id = self.cx.program.types.enums.push(Enum {
            tag: unique,
            written: tag,
            unit: self.unit,
            constants: Vec::new(),
            complete: false,
            packed: false,
            underlying: IntKind::UInt,
            pos,
        });
        if let Some(tag) = tag {
            self.scopes.bind_tag(tag, Tag::Enum(id));
        }
        id
    }

    fn enumerator_list(&mut self) -> Parse<Vec<EnumeratorId>> {
        self.expect(Tok::LBrace)?;
        let mut constants = Vec::new();
        // The value of the next constant without `=`, in the type of the one before; none if that overflows.
        let mut next = Some((0i128, IntKind::Int));
        if self.tok() == Tok::RBrace {
            return Err(self.error(self.pos(), "empty enum is invalid"));
        }
        loop {
            if self.tok() != Tok::Ident {
                return Err(self.expected("identifier"));
            }
            let token = self.bump();
            let (name, pos) = (token.symbol(), self.pos_of(token));
            // Nothing that attributes say about a constant is modelled.
            self.dropped_attributes()?;
            let explicit = self.eat(Tok::Assign);
            let (value, kind) = if explicit {
                self.enumerator_value(name)?
            } else {
                match next {
                    Some(next) => next,
                    None => return Err(self.error(pos, "overflow in enumeration values")),
                }
            };
            next = value.checked_add(1).filter(|&next| self.holds(kind, next)).map(|next| (next, kind));
            let ty = kind.ty();
            let id = self.cx.program.types.enumerators.push(Enumerator { name, value, ty, explicit, pos });
            constants.push(id);
            self.bind_enumerator(name, id, pos)?;
            if !self.eat(Tok::Comma) || self.tok() == Tok::RBrace {
                break;
            }
        }
        self.expect(Tok::RBrace)?;
        Ok(constants)
    }

    /// The value after `=` and its type: `int` if it fits, else the type of the expression.
    fn enumerator_value(&mut self, name: Symbol) -> Parse<(i128, IntKind)> {
        let message =
            format!("enumerator value for '{}' is not an integer constant", self.cx.program.name(name));
        let pos = self.pos();
        let (expr, value) = self.constant_integer(&message)?;
        let types = &self.cx.program.types;
        let kind = match types.kind(self.cx.program.ty(expr)) {
            TypeKind::Int(kind) => kind,
            TypeKind::Enum(id) => types.enums[id].underlying,
            TypeKind::Bool => IntKind::Int,
            _ => return Err(self.error(pos, message)),
        };
        if self.holds(IntKind::Int, value) {
            return Ok((value, IntKind::Int));
        }
        self.pedantic_only(pos, "ISO C restricts enumerator values to range of 'int'")?;
        Ok((value, kind))
    }

    fn bind_enumerator(&mut self, name: Symbol, id: EnumeratorId, pos: Pos) -> Parse<()> {
        match self.scopes.name_here(name) {
            None | Some(Name::Poisoned) => {}
            Some(Name::Enumerator(_)) => {
                let message = format!("redeclaration of enumerator '{}'", self.cx.program.name(name));
                return Err(self.error(pos, message));
            }
            Some(_) => {
                let message =
                    format!("'{}' redeclared as different kind of symbol", self.cx.program.name(name));
                return Err(self.error(pos, message));
            }
        }
        self.scopes.bind_name(name, Name::Enumerator(id));
        Ok(())
    }

    /// Gives the constants their final types and finds the type of the whole: `unsigned` unless a value is negative
    /// or does not fit, then what fits (gcc's finish_enum).
    fn finish_enumerators(&mut self, constants: &[EnumeratorId], packed: bool, pos: Pos) -> IntKind {
        let types = &self.cx.program.types;
        let values = constants.iter().map(|&id| types.enumerators[id].value);
        let kind = build::enum_type(&self.cx.program.target, values, packed).unwrap_or_else(|| {
            self.unsupported(pos, "enumeration constants that need more than 64 bits");
            IntKind::ULLong
        });
        for &id in constants {
            let fits = self.holds(IntKind::Int, self.cx.program.types.enumerators[id].value);
            self.cx.program.types.enumerators[id].ty = if fits { Type::INT } else { kind.ty() };
        }
        kind
    }

    fn all_fit(&self, constants: &[EnumeratorId], kind: IntKind) -> bool {
        let enumerators = &self.cx.program.types.enumerators;
        constants.iter().all(|&id| self.holds(kind, enumerators[id].value))
    }

    /// Whether an integer type can represent `value`.
    pub(crate) fn holds(&self, kind: IntKind, value: i128) -> bool {
        build::holds(&self.cx.program.target, kind, value)
    }
}
