//! Types in a copy: those it defines are new ones, and so are array bounds that it writes.

use super::Copier;
use crate::edit::region::Region;
use crate::program::{Entity, Item, StmtKind};
use crate::symbol::Symbol;
use crate::ty::{EnumId, Len, Record, RecordId, Signature, Type, TypeKind, Variant};

impl Copier<'_, '_> {
    pub(super) fn new_types(&mut self, region: &Region) {
        for &vla in &region.vlas {
            let types = &mut self.change.program_mut().types;
            let bound = types.vlas[vla];
            let copy = types.vlas.push(bound);
            self.vlas.insert(vla, copy);
        }
        for &s in &region.stmts {
            let StmtKind::Item(Item::Decl(decl)) = self.program().stmts[s].kind else { continue };
            if let Entity::Typedef(name) = self.program().decls[decl].entity {
                let copy = self.name(name, true);
                self.typedefs.insert(name, copy);
            }
        }
        for &id in &region.records {
            self.new_record(id);
        }
        for &id in &region.enums {
            let outer = region.stmts.iter().any(|s| {
                self.outer.contains(s) && self.program().stmts[*s].kind == StmtKind::Item(Item::Enum(id))
            });
            self.new_enum(id, outer);
        }
        // A record may be mentioned before it is complete, so members come last.
        let mut records: Vec<(RecordId, RecordId)> = self.records.iter().map(|(&a, &b)| (a, b)).collect();
        records.sort_unstable();
        let mut done = 0;
        while done < records.len() {
            let (from, to) = records[done];
            done += 1;
            let mut fields = self.program().types.records[from].fields.clone();
            for field in &mut fields {
                if let Some(inner) = self.untagged(field.ty) {
                    let copy = self.new_record(inner);
                    records.push((inner, copy));
                }
                field.ty = self.ty(field.ty);
            }
            self.change.program_mut().types.records[to].fields = fields;
        }
    }

    /// The record of an unnamed member, which is part of the record around it.
    fn untagged(&self, ty: Type) -> Option<RecordId> {
        let types = &self.program().types;
        let id = types.as_record(ty)?;
        (types.records[id].tag.is_none() && !self.records.contains_key(&id)).then_some(id)
    }

    fn new_record(&mut self, id: RecordId) -> RecordId {
        let record: Record = self.program().types.records[id].clone();
        let tag = record.tag.map(|tag| self.name(tag, true));
        let written = record.written.and(tag);
        let copy = Record { tag, written, fields: Vec::new(), ..record };
        let copy = self.change.program_mut().types.records.push(copy);
        self.records.insert(id, copy);
        copy
    }

    fn new_enum(&mut self, id: EnumId, fresh: bool) {
        let mut copy = self.program().types.enums[id].clone();
        let copy_id = self.change.program_mut().types.enums.next_id();
        copy.tag = self.name(copy.tag, true);
        copy.written = copy.written.map(|_| copy.tag);
        for constant in &mut copy.constants {
            let mut one = self.program().types.enumerators[*constant].clone();
            one.name = self.name(one.name, fresh);
            let new = self.change.program_mut().types.enumerators.push(one);
            self.enumerators.insert(*constant, new);
            *constant = new;
        }
        self.change.program_mut().types.enums.push(copy);
        self.enums.insert(id, copy_id);
        // A constant that does not fit into `int` has the type of its enumeration.
        for index in 0..self.program().types.enums[copy_id].constants.len() {
            let constant = self.program().types.enums[copy_id].constants[index];
            let ty = self.program().types.enumerators[constant].ty;
            let ty = self.ty(ty);
            self.change.program_mut().types.enumerators[constant].ty = ty;
        }
    }

    /// What stands for a type in the copy.
    pub(super) fn ty(&mut self, ty: Type) -> Type {
        let new = [self.vlas.len(), self.records.len(), self.enums.len(), self.typedefs.len()];
        if new == [0; 4] {
            return ty;
        }
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let copy = self.ty_of(ty);
        self.types.insert(ty, copy);
        copy
    }

    fn ty_of(&mut self, ty: Type) -> Type {
        let quals = ty.quals();
        if let Some(&variant) = self.program().types.variant(ty) {
            let base = self.ty(variant.base);
            let name: Option<Symbol> =
                variant.name.map(|name| self.typedefs.get(&name).copied().unwrap_or(name));
            let types = &mut self.change.program_mut().types;
            let copy = types.make_variant(Variant { base, name, ..variant });
            return types.qualified(copy, quals);
        }
        let kind = self.program().types.kind(ty);
        let copy = match kind {
            TypeKind::Pointer(to) => {
                let to = self.ty(to);
                self.change.program_mut().types.pointer(to)
            }
            TypeKind::Array { elem, len } => {
                let elem = self.ty(elem);
                let len = match len {
                    Len::Variable(vla) => Len::Variable(self.vlas.get(&vla).copied().unwrap_or(vla)),
                    Len::Unknown | Len::Fixed(_) | Len::Star => len,
                };
                self.change.program_mut().types.array(elem, len)
            }
            TypeKind::Function(id) => {
                let signature = self.program().types.signature(id).clone();
                let ret = self.ty(signature.ret);
                let params = signature.params.iter().map(|&param| self.ty(param)).collect();
                self.change.program_mut().types.function(Signature { ret, params, ..signature })
            }
            TypeKind::Record(id) => match self.records.get(&id) {
                Some(&copy) => self.change.program_mut().types.record(copy),
                None => return ty,
            },
            TypeKind::Enum(id) => match self.enums.get(&id) {
                Some(&copy) => self.change.program_mut().types.enumeration(copy),
                None => return ty,
            },
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Vector { .. }
            | TypeKind::Bits { .. }
            | TypeKind::Variant(_) => return ty,
        };
        self.change.program_mut().types.qualified(copy, quals)
    }
}
