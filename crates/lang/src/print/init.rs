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
            Init::List(list) => {
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
            return self.element(list, at, ty, entry, previous);
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
        self.stack.push(Piece::Entries(list, at + 1, ty, flattened.is_some()));
        match flattened {
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

    /// An entry of an array, a vector, a complex number or a scalar in braces.
    fn element(&mut self, list: EntryList, at: u32, ty: Type, entry: InitEntry, previous: Option<InitEntry>) {
        if previous.is_some() {
            self.breakable(", ");
        }
        let expected = previous.map_or(0, |previous| previous.last.wrapping_add(1));
        if entry.last != entry.index {
            self.out.push('[');
            self.number(entry.index);
            self.out.push_str(" ... ");
            self.number(entry.last);
            self.out.push_str("] = ");
        } else if entry.index != expected {
            self.out.push('[');
            self.number(entry.index);
            self.out.push_str("] = ");
        }
        let elem = match self.program.types.kind(ty) {
            TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } | TypeKind::Complex(elem) => elem,
            _ => ty,
        };
        self.stack.extend([Piece::Entries(list, at + 1, ty, false), Piece::Init(entry.init, elem)]);
    }
}
