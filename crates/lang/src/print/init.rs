//! Initialisers: designators only where the position does not say it.

use super::expr::ASSIGN;
use super::{Piece, Printer};
use crate::program::{EntryList, Init, InitEntry, InitId};
use crate::ty::{Field, RecordKind, Type, TypeKind};

impl Printer<'_> {
    /// The initialiser of an object of type `ty`.
    pub(super) fn init(&mut self, id: InitId, ty: Type) {
        match self.program.inits[id] {
            Init::Expr(expr) => self.expr(expr, ASSIGN),
            Init::List(list) | Init::Update(list) => {
                self.out.push('{');
                self.entries(list, 0, ty, false);
            }
        }
    }

    /// The entries of braces from number `at` on, then the brace.
    pub(super) fn entries(&mut self, list: EntryList, at: u32, ty: Type, flat: bool) {
        let entries = self.program.init_entries(list);
        let Some(&entry) = entries.get(at as usize) else {
            self.out.push('}');
            return;
        };
        let previous = (at as usize).checked_sub(1).map(|previous| entries[previous]);
        let TypeKind::Record(record) = self.program.types.kind(ty) else {
            return self.element(list, at, ty, previous.filter(|_| !flat), entry);
        };
        let record = &self.program.types.records[record];
        let Some(field) = record.fields.get(entry.index as usize) else {
            return self.stack.push(Piece::Entries(list, at + 1, ty, flat));
        };
        // Unnamed bit-fields have no position in a list (C17 6.7.9p9).
        let next_after = |from: usize| {
            (from..record.fields.len())
                .find(|&at| record.fields.get(at).is_some_and(|f| !(f.name.is_none() && f.bits.is_some())))
        };
        let expected = match (previous, record.kind) {
            (None, _) => next_after(0),
            (Some(previous), RecordKind::Struct) if !flat => next_after(previous.index as usize + 1),
            _ => None,
        };
        let positional = expected == usize::try_from(entry.index).ok();
        let flattened = match (positional, field.name, self.program.inits[entry.init]) {
            (false, None, Init::List(inner)) => Some(inner),
            _ => None,
        };
        if previous.is_some() {
            self.breakable(", ");
        }
        let update = self.is_update(entry);
        self.stack.push(Piece::Entries(list, at + 1, ty, update || flattened.is_some()));
        match flattened {
            _ if update => self.begin_update(entry, ty),
            Some(inner) => self.flat_entries(inner, 0, field.ty),
            None => self.field_value(field, entry, positional),
        }
    }

    /// An anonymous member out of turn has no designator: its own members are designated instead, which makes the
    /// same braces again (C17 6.7.2.1p13).
    pub(super) fn flat_entries(&mut self, list: EntryList, at: u32, ty: Type) {
        let entries = self.program.init_entries(list);
        let Some(&entry) = entries.get(at as usize) else { return };
        let TypeKind::Record(record) = self.program.types.kind(ty) else { return };
        let Some(field) = self.program.types.records[record].fields.get(entry.index as usize) else { return };
        if at > 0 {
            self.breakable(", ");
        }
        self.stack.push(Piece::Flat(list, at + 1, ty));
        match (field.name, self.program.inits[entry.init]) {
            (None, Init::List(inner)) => self.stack.push(Piece::Flat(inner, 0, field.ty)),
            _ if self.is_update(entry) => self.begin_update(entry, ty),
            _ => self.field_value(field, entry, false),
        }
    }

    fn field_value(&mut self, field: &Field, entry: InitEntry, positional: bool) {
        if let (false, Some(name)) = (positional, field.name) {
            self.out.push('.');
            self.name(name);
            self.out.push_str(" = ");
        }
        self.stack.push(Piece::Init(entry.init, field.ty));
    }

    fn is_update(&self, entry: InitEntry) -> bool {
        matches!(self.program.inits[entry.init], Init::Update(_))
    }

    /// An update of a part of a `ty`: fresh braces would drop what the part has.
    fn begin_update(&mut self, entry: InitEntry, ty: Type) {
        let base = self.path.len() as u32;
        let part = self.designate(entry, ty);
        if let Init::Update(list) = self.program.inits[entry.init] {
            self.stack.push(Piece::Update(list, 0, part, base, self.path.len() as u32));
        }
    }

    pub(super) fn update(&mut self, list: EntryList, at: u32, ty: Type, base: u32, end: u32) {
        self.path.truncate(end as usize);
        let Some(&entry) = self.program.init_entries(list).get(at as usize) else {
            return;
        };
        if at > 0 {
            self.breakable(", ");
        }
        self.stack.push(Piece::Update(list, at + 1, ty, base, end));
        let part = self.designate(entry, ty);
        if let Init::Update(inner) = self.program.inits[entry.init] {
            return self.stack.push(Piece::Update(inner, 0, part, base, self.path.len() as u32));
        }
        self.out.push_str(&self.path[base as usize..]);
        self.out.push_str(" = ");
        self.stack.push(Piece::Init(entry.init, part));
    }

    /// Adds the designator of a part of a `ty` to the path; returns the part's type.
    fn designate(&mut self, entry: InitEntry, ty: Type) -> Type {
        use std::fmt::Write;
        let program = self.program;
        let types = &program.types;
        if let TypeKind::Record(record) = types.kind(ty) {
            let Some(field) = types.records[record].fields.get(entry.index as usize) else { return ty };
            // An unnamed member needs none (C17 6.7.2.1p13).
            if let Some(name) = field.name {
                self.path.push('.');
                self.path.push_str(program.name(name));
            }
            return field.ty;
        }
        let written = if entry.last == entry.index {
            write!(self.path, "[{}]", entry.index)
        } else {
            write!(self.path, "[{} ... {}]", entry.index, entry.last)
        };
        written.expect("writing to a string does not fail");
        self.elem(ty)
    }

    fn elem(&self, ty: Type) -> Type {
        match self.program.types.kind(ty) {
            TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } | TypeKind::Complex(elem) => elem,
            _ => ty,
        }
    }

    /// An entry of an array, a vector, a complex number or a scalar in braces; `previous` if its position says which.
    fn element(&mut self, list: EntryList, at: u32, ty: Type, previous: Option<InitEntry>, entry: InitEntry) {
        if at > 0 {
            self.breakable(", ");
        }
        let update = self.is_update(entry);
        self.stack.push(Piece::Entries(list, at + 1, ty, update));
        if update {
            return self.begin_update(entry, ty);
        }
        let expected = match previous {
            Some(previous) => Some(previous.last.wrapping_add(1)),
            None => (at == 0).then_some(0),
        };
        if entry.last != entry.index {
            self.out.push('[');
            self.number(entry.index);
            self.out.push_str(" ... ");
            self.number(entry.last);
            self.out.push_str("] = ");
        } else if Some(entry.index) != expected {
            self.out.push('[');
            self.number(entry.index);
            self.out.push_str("] = ");
        }
        let elem = self.elem(ty);
        self.stack.push(Piece::Init(entry.init, elem));
    }
}
