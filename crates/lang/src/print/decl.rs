//! Items and declarations: tags, records, enumerations, objects, functions.

use super::types::{Declared, record_keyword};
use super::vla::Owner;
use super::{Piece, Printer, Referent};
use crate::arith;
use crate::program::{Attr, AttrArg, Decl, DeclId, Entity, FuncId, Item, StmtKind, StmtList, Storage};
use crate::symbol::Symbol;
use crate::target::Edition;
use crate::ty::{EnumId, EnumeratorId, Field, Quals, RecordId, TypeKind, Variant};
use crate::visit::How;

impl Printer<'_> {
    /// Writes an item's beginning here and pushes the rest.
    pub(super) fn item(&mut self, item: Item) {
        match item {
            Item::RecordTag(id) => {
                let record = &self.program.types.records[id];
                self.out.push_str(record_keyword(record.kind));
                if let Some(tag) = record.tag {
                    self.named(tag, Referent::Record(id), How::Declares);
                }
                self.out.push(';');
                self.note_record(id);
            }
            Item::Record(id) => {
                let outer = self.enter_pack(id);
                self.record(id);
                self.out.push(';');
                self.note_record(id);
                self.leave_pack(outer);
            }
            Item::Enum(id) => {
                self.enumeration(id);
                self.out.push(';');
                if self.level > 0 {
                    self.block_enums.insert(id, (self.out.len(), self.level));
                }
            }
            Item::Decl(id) => self.decl(id),
            Item::Asm(text) => {
                self.out.push_str("__asm__(");
                self.string(text);
                self.out.push_str(");");
            }
            Item::Include(header) => self.include(header),
            Item::IncludeEnd => {}
        }
    }

    fn note_record(&mut self, id: RecordId) {
        if self.level > 0 {
            self.block_records.insert(id, (self.out.len(), self.level));
        }
    }

    fn include(&mut self, header: Symbol) {
        let name = self.program.name(header);
        self.out.push_str("#include ");
        if name.starts_with(['<', '"']) {
            self.out.push_str(name);
        } else {
            self.out.push('<');
            self.out.push_str(name);
            self.out.push('>');
        }
    }

    /// Changes `#pragma pack` to what the record was defined under; returns what it was before if that differs.
    /// `#pragma pack(push, n)` would be shorter, but tcc refuses it.
    fn enter_pack(&mut self, id: RecordId) -> Option<u8> {
        let pack = self.program.types.records[id].pack;
        let outer = self.pack;
        if pack == outer {
            return None;
        }
        self.pragma_pack(pack);
        self.newline(self.level);
        Some(outer)
    }

    fn leave_pack(&mut self, outer: Option<u8>) {
        if let Some(outer) = outer {
            self.newline(self.level);
            self.pragma_pack(outer);
        }
    }

    fn pragma_pack(&mut self, pack: u8) {
        self.pack = pack;
        self.out.push_str("#pragma pack(");
        if pack != 0 {
            self.number(pack);
        }
        self.out.push(')');
    }

    /// `struct tag { … } attributes`
    fn record(&mut self, id: RecordId) {
        let record = &self.program.types.records[id];
        self.out.push_str(record_keyword(record.kind));
        if let Some(tag) = record.tag {
            self.named(tag, Referent::Record(id), How::Declares);
            self.out.push(' ');
        }
        if !record.complete {
            if record.tag.is_some() {
                self.out.pop();
            }
            return;
        }
        self.out.push('{');
        if !record.fields.is_empty() {
            self.level += 1;
            for field in &record.fields {
                self.newline(self.level);
                stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.field(field));
            }
            self.level -= 1;
            self.newline(self.level);
        }
        self.out.push('}');
        let mut attributes = Attributes::default();
        attributes.word(self, record.packed, "packed");
        attributes.aligned(self, record.align);
        attributes.word(self, record.transparent, "transparent_union");
        attributes.word(self, record.may_alias, "may_alias");
        attributes.end(self);
    }

    fn field(&mut self, field: &Field) {
        if let (None, None, TypeKind::Record(id)) =
            (field.name, field.bits, self.program.types.kind(field.ty))
            && self.program.types.records[id].tag.is_none()
        {
            return self.anonymous(field, id);
        }
        let name = field.name.map(|name| self.program.name(name));
        self.declare(field.ty, Declared { name, ..Declared::default() });
        if let Some(bits) = field.bits {
            self.out.push_str(" : ");
            self.number(bits);
        }
        let mut attributes = Attributes::default();
        attributes.word(self, field.packed, "packed");
        attributes.aligned(self, field.align);
        attributes.end(self);
        self.out.push(';');
    }

    /// An anonymous struct or union. Attributes after its brace are the record's; the member's own come first.
    fn anonymous(&mut self, field: &Field, id: RecordId) {
        let outer = self.enter_pack(id);
        if field.align != 0 {
            self.out.push_str("_Alignas(");
            self.number(field.align);
            self.out.push_str(") ");
        }
        if field.packed {
            self.out.push_str("__attribute__((packed)) ");
        }
        for (flag, text) in [(Quals::CONST, "const "), (Quals::VOLATILE, "volatile ")] {
            if field.ty.quals().contains(flag) {
                self.out.push_str(text);
            }
        }
        self.record(id);
        self.out.push(';');
        self.leave_pack(outer);
    }

    /// `enum tag { … } attributes`, on one line if it fits.
    fn enumeration(&mut self, id: EnumId) {
        let enumeration = &self.program.types.enums[id];
        self.out.push_str("enum ");
        self.named(enumeration.tag, Referent::Enum(id), How::Declares);
        if !enumeration.complete {
            return;
        }
        let start = self.out.len();
        let names = self.names.as_ref().map_or(0, Vec::len);
        self.out.push_str(" { ");
        for (at, &constant) in enumeration.constants.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.enumerator(constant);
        }
        self.out.push_str(" }");
        let width = self.options.width as usize;
        if width != 0 && self.out.len() - self.line_start > width {
            self.out.truncate(start);
            self.names.iter_mut().for_each(|places| places.truncate(names));
            self.out.push_str(" {");
            for &constant in &enumeration.constants {
                self.newline(self.level + 1);
                self.enumerator(constant);
                self.out.push(',');
            }
            self.newline(self.level);
            self.out.push('}');
        }
        let mut attributes = Attributes::default();
        attributes.word(self, enumeration.packed, "packed");
        attributes.word(self, self.has_mode(id), self.mode_of(id));
        attributes.end(self);
    }

    /// Whether the enumeration's type is not the one its values and `packed` give it.
    fn has_mode(&self, id: EnumId) -> bool {
        let types = &self.program.types;
        let values = || types.enums[id].constants.iter().map(|&id| types.enumerators[id].value);
        let negative = values().any(|value| value < 0);
        let fits = |width: u32| {
            let limit = 1i128 << (width - u32::from(negative));
            values().all(|value| if value < 0 { value >= -limit } else { value < limit })
        };
        let least = if types.enums[id].packed { 8 } else { 32 };
        let natural = [8, 16, 32].into_iter().filter(|&width| width >= least).find(|&width| fits(width));
        natural.unwrap_or(64) != self.enum_width(id)
    }

    fn enum_width(&self, id: EnumId) -> u32 {
        arith::int_num(&self.program.target, self.program.types.enums[id].underlying).width()
    }

    fn mode_of(&self, id: EnumId) -> &'static str {
        match self.enum_width(id) {
            8 => "mode(QI)",
            16 => "mode(HI)",
            32 => "mode(SI)",
            _ => "mode(DI)",
        }
    }

    fn enumerator(&mut self, id: EnumeratorId) {
        let enumerator = &self.program.types.enumerators[id];
        self.named(enumerator.name, Referent::Enumerator(id), How::Declares);
        if !enumerator.explicit {
            return;
        }
        self.out.push_str(" = ");
        let value = enumerator.value;
        // `-2147483648` negates a constant that does not fit `int`, and may be unsigned (C17 6.4.4.1p5).
        if value == i128::from(i32::MIN) || value == i128::from(i64::MIN) {
            self.number(value + 1);
            self.out.push_str(" - 1");
        } else {
            self.number(value);
            if value > i128::from(i64::MAX) {
                self.out.push('U');
            }
        }
    }

    fn decl(&mut self, id: DeclId) {
        let program = self.program;
        let decl = &program.decls[id];
        match decl.entity {
            Entity::Object(_) => {
                self.stack.push(Piece::Text(";"));
                self.storage(decl);
                let start = self.layers.len();
                let base = self.peel(decl.ty);
                self.specifier(base);
                self.declared(decl, start);
            }
            Entity::Function(func) if decl.body => self.definition(decl, func),
            Entity::Function(func) => {
                self.storage(decl);
                let name = Some(program.name(program.funcs[func].name));
                let names = Some(Referent::Function(func));
                self.declare(decl.ty, Declared { name, names, ..Declared::default() });
                self.label_and_attributes(decl);
                self.out.push(';');
            }
            Entity::Typedef(name) => {
                self.out.push_str("typedef ");
                // The declaration spells out what the name stands for; its qualifiers are the base's.
                let types = &program.types;
                let variant = types.variant(decl.ty).copied().unwrap_or(Variant {
                    base: decl.ty,
                    align: 0,
                    may_alias: false,
                    name: None,
                });
                self.typedef_quals.insert(name, types.quals(variant.base));
                let text = Some(program.name(name));
                let names = Some(Referent::Typedef(decl.ty.bare()));
                self.declare(variant.base, Declared { name: text, names, ..Declared::default() });
                self.variant_attributes(variant);
                self.label_and_attributes(decl);
                self.out.push(';');
                self.note_owner(variant.base, Owner::Typedef(name, decl.ty.bare()));
            }
            Entity::Bounds => {
                self.out.push_str("__typeof__(");
                self.type_name(decl.ty);
                self.out.push_str(");");
            }
        }
    }

    /// The declarators of a `for` head from number `at` on: one declaration, its specifiers written once.
    pub(super) fn declarators(&mut self, list: StmtList, at: u32) {
        let program = self.program;
        let items = program.block(list).iter().map(|&stmt| match program.stmts[stmt].kind {
            StmtKind::Item(item) => item,
            _ => Item::IncludeEnd,
        });
        let decls = items.clone().filter_map(|item| match item {
            Item::Decl(id) => Some(&program.decls[id]),
            _ => None,
        });
        let Some(decl) = decls.clone().nth(at as usize) else { return };
        let start = self.layers.len();
        if at == 0 {
            self.storage(decl);
            let base = self.peel(decl.ty);
            // A tag defined in the head can only be defined in the specifiers.
            let defined = items.clone().find(|&item| match (item, program.types.kind(base)) {
                (Item::Record(record), TypeKind::Record(of)) => record == of,
                (Item::Enum(enumeration), TypeKind::Enum(of)) => enumeration == of,
                _ => false,
            });
            match defined {
                Some(Item::Record(id)) => self.record(id),
                Some(Item::Enum(id)) => self.enumeration(id),
                _ => self.specifier(base),
            }
        } else {
            self.breakable(", ");
            self.peel(decl.ty);
        }
        self.stack.push(Piece::Declarators(list, at + 1));
        self.declared(decl, start);
    }

    /// Declarator, asm label, attributes and initialiser of an object; the initialiser is pushed.
    fn declared(&mut self, decl: &Decl, start: usize) {
        let program = self.program;
        let (name, names) = match decl.entity {
            Entity::Object(object) => (program.objects[object].name, Some(Referent::Object(object))),
            Entity::Function(func) => (Some(program.funcs[func].name), Some(Referent::Function(func))),
            Entity::Typedef(name) => (Some(name), Some(Referent::Typedef(decl.ty.bare()))),
            Entity::Bounds => (None, None),
        };
        let text = name.map(|name| program.name(name));
        self.declarator(start, Declared { name: text, names, ..Declared::default() });
        self.label_and_attributes(decl);
        if let (Some(_), Entity::Object(object)) = (name, decl.entity) {
            self.note_owner(decl.ty, Owner::Object(object));
        }
        if let Some(init) = decl.init {
            self.out.push_str(" = ");
            self.stack.push(Piece::Init(init, decl.ty));
        }
    }

    fn definition(&mut self, decl: &Decl, id: FuncId) {
        let function = &self.program.funcs[id];
        self.storage(decl);
        let mut attributes = Attributes { before: true, ..Attributes::default() };
        attributes.list(self, &decl.attrs);
        attributes.aligned(self, decl.align);
        attributes.end(self);
        let name = Some(self.program.name(function.name));
        let names = Some(Referent::Function(id));
        self.declare(decl.ty, Declared { name, names, func: Some(id), bound: None });
        if function.old_style && !function.params.is_empty() {
            for &param in &function.params {
                self.newline(self.level + 1);
                self.param(param);
                self.out.push(';');
            }
            self.newline(self.level);
        } else {
            self.out.push(' ');
        }
        match function.body {
            Some(body) => self.stack.push(Piece::Stmt(body)),
            None => self.out.push_str("{}"),
        }
    }

    /// Storage class and function specifiers, each with a space after it.
    fn storage(&mut self, decl: &Decl) {
        self.out.push_str(match decl.storage {
            Storage::None => "",
            Storage::Extern => "extern ",
            Storage::Static => "static ",
            Storage::Register => "register ",
            Storage::Auto => "auto ",
        });
        if decl.thread {
            self.out.push_str("_Thread_local ");
        }
        if decl.inline {
            let std = self.program.target.std;
            let keyword = std.gnu || std.edition >= Edition::C99;
            self.out.push_str(if keyword { "inline " } else { "__inline__ " });
        }
        if decl.noreturn {
            self.out.push_str("_Noreturn ");
        }
    }

    fn label_and_attributes(&mut self, decl: &Decl) {
        if let Some(label) = decl.asm_label {
            self.out.push_str(" __asm__(");
            self.string(label);
            self.out.push(')');
        }
        self.attributes_after(&decl.attrs, decl.align);
    }

    /// Attributes behind a declarator.
    pub(super) fn attributes_after(&mut self, attrs: &[Attr], align: u32) {
        let mut attributes = Attributes::default();
        attributes.list(self, attrs);
        attributes.aligned(self, align);
        attributes.end(self);
    }

    fn attribute(&mut self, attr: &Attr) {
        self.name(attr.name);
        for (at, arg) in attr.args.iter().enumerate() {
            self.out.push_str(if at > 0 { ", " } else { "(" });
            let start = self.out.len();
            match arg {
                AttrArg::Int(value) => {
                    self.number(value);
                    // Without it the constant has no type (C17 6.4.4.1p5).
                    if *value > i128::from(i64::MAX) {
                        self.out.push('U');
                    }
                }
                AttrArg::Str(text) => self.quoted(text.as_bytes()),
                AttrArg::Ident(name) => self.name(*name),
            }
            if at == 0 {
                self.attribute_name(attr, start);
            }
        }
        if !attr.args.is_empty() {
            self.out.push(')');
        }
    }
}

/// Writes `__attribute__((a, b))` around whatever is given, and nothing if nothing is.
#[derive(Default)]
struct Attributes {
    started: bool,
    /// Stands before the declarator rather than after it.
    before: bool,
}

impl Attributes {
    fn next(&mut self, printer: &mut Printer<'_>) {
        let start = if self.before { "__attribute__((" } else { " __attribute__((" };
        printer.out.push_str(if self.started { ", " } else { start });
        self.started = true;
    }

    fn word(&mut self, printer: &mut Printer<'_>, wanted: bool, name: &str) {
        if wanted {
            self.next(printer);
            printer.out.push_str(name);
        }
    }

    fn aligned(&mut self, printer: &mut Printer<'_>, align: u32) {
        if align != 0 {
            self.next(printer);
            printer.out.push_str("aligned(");
            printer.number(align);
            printer.out.push(')');
        }
    }

    fn list(&mut self, printer: &mut Printer<'_>, attrs: &[Attr]) {
        for attr in attrs {
            self.next(printer);
            printer.attribute(attr);
        }
    }

    fn end(self, printer: &mut Printer<'_>) {
        if self.started {
            printer.out.push_str(if self.before { ")) " } else { "))" });
        }
    }
}
