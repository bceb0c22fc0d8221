//! Structs and unions (C17 6.7.2.1), and the tags that all of structs, unions and enumerations share.

use crate::declarator::{Place, Want};
use crate::parser::{Parse, Parser};
use crate::scope::Tag;
use crate::spec::Specs;
use crate::token::Tok;
use howler_lang::build;
use howler_lang::program::{Item, Storage};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::target::Compiler;
use howler_lang::ty::{Field, IntKind, Len, Record, RecordId, RecordKind, Type, TypeKind};

/// A record whose braces are open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenRecord {
    id: RecordId,
    /// An [`Item::RecordTag`] for it exists.
    announced: bool,
}

impl Parser<'_> {
    /// `struct` or `union` with what follows. The second result is set if it was defined without a tag.
    pub(crate) fn record_specifier(&mut self) -> Parse<(Type, Option<Tag>)> {
        let kind = if self.tok() == Tok::KwUnion { RecordKind::Union } else { RecordKind::Struct };
        let keyword = self.pos();
        self.bump();
        let attrs = self.attributes()?;
        let pos = self.pos();
        let tag = if self.tok() == Tok::Ident { Some(self.bump().symbol()) } else { None };
        if self.tok() != Tok::LBrace {
            let Some(tag) = tag else { return Err(self.expected("identifier or '{'")) };
            let id = self.record_reference(kind, tag, pos)?;
            return Ok((self.cx.program.types.record(id), None));
        }
        let (id, announced) = self.record_definition(kind, tag, if tag.is_some() { pos } else { keyword })?;
        self.decl.open_records.push(OpenRecord { id, announced });
        let fields = self.member_list(kind);
        self.decl.open_records.pop();
        let fields = fields?;
        let trailing = self.attributes()?;
        let pack = self.pack_here();
        let record = &mut self.cx.program.types.records[id];
        record.fields = fields;
        record.complete = true;
        record.packed = attrs.packed || trailing.packed;
        record.align = attrs.align.max(trailing.align);
        record.transparent = attrs.transparent || trailing.transparent;
        record.may_alias = attrs.may_alias || trailing.may_alias;
        record.pack = pack;
        let ty = self.cx.program.types.record(id);
        if let Err(violation) = build::check_record(self.cx.program, id, pos) {
            // What has no place in it has no size either.
            let program = &mut *self.cx.program;
            let types = &program.types;
            let mut fields = types.records[id].fields.clone();
            fields.retain(|field| !matches!(types.kind(field.ty), TypeKind::Array { len: Len::Unknown, .. }));
            program.types.records[id].fields = fields;
            return Err(self.violation(*violation));
        }
        self.pending.push(Item::Record(id));
        Ok((ty, if tag.is_none() { Some(Tag::Record(id)) } else { None }))
    }

    /// `struct S` without braces (C17 6.7.2.3p8, p9).
    fn record_reference(&mut self, kind: RecordKind, tag: Symbol, pos: Pos) -> Parse<RecordId> {
        // `struct S;` alone always means a type of this scope.
        let found = if self.tok() == Tok::Semi { self.scopes.tag_here(tag) } else { self.scopes.tag(tag) };
        match found {
            Some(Tag::Record(id)) if self.cx.program.types.records[id].kind == kind => {
                self.announce(id);
                Ok(id)
            }
            Some(_) => Err(self.wrong_tag(tag, pos)),
            None => {
                let id = self.new_record(kind, Some(tag), pos);
                self.pending.push(Item::RecordTag(id));
                if self.decl.prototypes > 0 && self.decl.open_records.is_empty() {
                    let word = keyword(kind);
                    let name = self.cx.program.name(tag);
                    let message = format!(
                        "'{word} {name}' declared inside parameter list will not be visible outside of this \
                         definition or declaration"
                    );
                    self.warning(pos, message);
                }
                Ok(id)
            }
        }
    }

    /// A mention of a record from inside another one that will be printed before it needs `struct S;` first.
    fn announce(&mut self, id: RecordId) {
        let last = self.decl.open_records.len().saturating_sub(1);
        let open = self.decl.open_records.iter_mut().enumerate().find(|(_, open)| open.id == id);
        if let Some((at, open)) = open
            && at != last
            && !open.announced
        {
            open.announced = true;
            self.pending.push(Item::RecordTag(id));
        }
    }

    /// The record that `struct S {` begins, and whether it was declared before.
    fn record_definition(
        &mut self,
        kind: RecordKind,
        tag: Option<Symbol>,
        pos: Pos,
    ) -> Parse<(RecordId, bool)> {
        let Some(name) = tag else { return Ok((self.new_record(kind, None, pos), false)) };
        match self.scopes.tag_here(name) {
            None => Ok((self.new_record(kind, tag, pos), false)),
            Some(Tag::Record(id)) if self.cx.program.types.records[id].kind == kind => {
                let word = keyword(kind);
                if self.cx.program.types.records[id].complete {
                    let message = format!("redefinition of '{word} {}'", self.cx.program.name(name));
                    let previous = self.cx.program.types.records[id].pos;
                    let failed = self.error(pos, message);
                    return Err(self.note_previous(failed, previous, "it is first defined here"));
                }
                if self.decl.open_records.iter().any(|open| open.id == id) {
                    let message = format!("nested redefinition of '{word} {}'", self.cx.program.name(name));
                    return Err(self.error(pos, message));
                }
                self.cx.program.types.records[id].pos = pos;
                Ok((id, true))
            }
            Some(_) => Err(self.wrong_tag(name, pos)),
        }
    }

    pub(crate) fn wrong_tag(&mut self, tag: Symbol, pos: Pos) -> crate::parser::Failed {
        let message = format!("'{}' defined as wrong kind of tag", self.cx.program.name(tag));
        self.error(pos, message)
    }

    fn new_record(&mut self, kind: RecordKind, tag: Option<Symbol>, pos: Pos) -> RecordId {
        let unique = tag.map(|tag| self.unique_tag(tag));
        let id = self.cx.program.types.records.push(Record {
            written: tag,
            pos,
            ..Record::new(kind, unique, self.unit)
        });
        if let Some(tag) = tag {
            self.scopes.bind_tag(tag, Tag::Record(id));
        }
        id
    }

    /// The value of `#pragma pack` at the current token.
    fn pack_here(&mut self) -> u8 {
        while let Some(&(at, pack)) = self.lexed.packs.get(self.decl.packs_done) {
            if at as usize > self.at {
                break;
            }
            self.decl.packs.apply(pack);
            self.decl.packs_done += 1;
        }
        self.decl.packs.current()
    }

    fn member_list(&mut self, kind: RecordKind) -> Parse<Vec<Field>> {
        self.expect(Tok::LBrace)?;
        let mut fields = Vec::new();
        loop {
            match self.tok() {
                Tok::RBrace => break,
                Tok::Semi => {
                    self.pedantic_only(self.pos(), "extra semicolon in struct or union specified")?;
                    self.bump();
                }
                Tok::KwStaticAssert => self.static_assert()?,
                _ => self.members(kind, &mut fields)?,
            }
        }
        if fields.iter().all(|field| field.name.is_none() && field.bits.is_some()) {
            let what = if fields.is_empty() { "no members" } else { "no named members" };
            self.extension(self.pos(), &format!("{} has {what}", keyword(kind)));
        }
        self.bump();
        Ok(fields)
    }

    /// One member declaration: specifiers and declarators up to `;`.
    fn members(&mut self, kind: RecordKind, fields: &mut Vec<Field>) -> Parse<()> {
        let specs = self.specifiers()?;
        let wrong = specs.storage != Storage::None || specs.typedef || specs.thread || specs.auto_type;
        if !specs.any || wrong || specs.inline || specs.noreturn {
            return Err(if specs.any {
                self.error(specs.pos, "expected specifier-qualifier-list")
            } else {
                self.expected("specifier-qualifier-list")
            });
        }
        let base = self.apply_type_attributes(specs.ty, &specs.attrs)?;
        if self.tok() == Tok::Semi || self.tok() == Tok::RBrace {
            self.anonymous_member(&specs, base, fields)?;
            return self.member_end();
        }
        self.name_unnamed(specs.unnamed, None);
        loop {
            let field = self.member(kind, &specs, base)?;
            fields.push(field);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.member_end()
    }

    fn member_end(&mut self) -> Parse<()> {
        if self.tok() == Tok::RBrace {
            return self.pedantic(self.pos(), "no semicolon at end of struct or union");
        }
        self.expect(Tok::Semi).map(|_| ())
    }

    /// `struct { … };` as a member (C17 6.7.2.1p13).
    fn anonymous_member(&mut self, specs: &Specs, ty: Type, fields: &mut Vec<Field>) -> Parse<()> {
        if let Some(Tag::Record(id)) = specs.unnamed {
            // It is written inside its owner, so it is no item of its own.
            if self.pending.last() == Some(&Item::Record(id)) {
                self.pending.pop();
            }
            // gcc ignores attributes that stand before it; those after its brace are the record's.
            let ignored = self.cx.program.target.compiler == Compiler::Gcc;
            let align = if ignored { specs.align } else { specs.align.max(specs.attrs.align) };
            let packed = specs.attrs.packed && !ignored;
            fields.push(Field { name: None, ty, bits: None, align, packed, pos: specs.pos });
            return Ok(());
        }
        self.name_unnamed(specs.unnamed, None);
        let message = if specs.typed { "declaration does not declare anything" } else { "empty declaration" };
        self.pedantic(specs.pos, message)
    }

    fn member(&mut self, kind: RecordKind, specs: &Specs, base: Type) -> Parse<Field> {
        let mut attrs = specs.attrs.clone();
        if self.tok() == Tok::Colon {
            let pos = self.pos();
            return self.bit_field(specs, base, None, pos);
        }
        let mut declarator = self.declarator(base, Want::Name, Place::Field)?;
        let (name, pos) = (declarator.name, declarator.pos);
        if !specs.typed {
            let what = format!("declaration of {}", self.quoted(name, "member"));
            self.implicit_int(pos, &what)?;
        }
        if self.tok() == Tok::Colon {
            return self.bit_field(specs, declarator.ty, name, pos);
        }
        let trailing = self.attributes()?;
        declarator.attrs.merge(trailing);
        let ty = self.apply_type_attributes(declarator.ty, &declarator.attrs)?;
        attrs.merge(declarator.attrs);
        self.refuse_promises(&attrs, pos)?;
        let align = attrs.align.max(specs.align);
        let field = Field { name, ty, bits: None, align, packed: attrs.packed, pos };
        build::check_member(self.cx.program, kind, &field).map_err(|violation| self.violation(*violation))?;
        if self.is_variably_modified(ty) {
            return Err(self.unsupported(pos, "member of variably modified type"));
        }
        self.check_alignas(specs.align, ty, name, pos)?;
        Ok(field)
    }

    /// `_Alignas` may not ask for less than the type needs (C17 6.7.5p4).
    pub(crate) fn check_alignas(
        &mut self,
        align: u32,
        ty: Type,
        name: Option<Symbol>,
        pos: Pos,
    ) -> Parse<()> {
        let program = &self.cx.program;
        let natural = program.layouts.align_of(&program.types, ty).unwrap_or(1);
        if align == 0 || u64::from(align) >= natural {
            return Ok(());
        }
        let what = self.quoted(name, "unnamed field");
        Err(self.error(pos, format!("'_Alignas' specifiers cannot reduce alignment of {what}")))
    }

    fn bit_field(&mut self, specs: &Specs, ty: Type, name: Option<Symbol>, pos: Pos) -> Parse<Field> {
        self.expect(Tok::Colon)?;
        let shown = name.map_or("<anonymous>".to_owned(), |name| self.cx.program.name(name).to_owned());
        let (_, width) =
            self.constant_integer(&format!("bit-field '{shown}' width not an integer constant"))?;
        let mut attrs = self.attributes()?;
        self.refuse_promises(&attrs, pos)?;
        let ty = self.apply_type_attributes(ty, &attrs)?;
        attrs.packed |= specs.attrs.packed;
        attrs.align = attrs.align.max(specs.attrs.align).max(specs.align);
        let field = Field { name, ty, bits: None, align: attrs.align, packed: attrs.packed, pos };
        build::check_bit_field(self.cx.program, &field, width)
            .map_err(|violation| self.violation(*violation))?;
        if specs.align > 0 {
            return Err(self.error(pos, format!("alignment specified for bit-field '{shown}'")));
        }
        Ok(Field { bits: Some(width as u8), ..field })
    }

    /// The width an enumeration's values need decides its type; see `enumeration`.
    pub(crate) fn width_of(&self, kind: IntKind) -> u32 {
        howler_lang::layout::integers::int_width(&self.cx.program.target, kind)
    }
}

/// The keyword of a kind.
pub(crate) fn keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}
