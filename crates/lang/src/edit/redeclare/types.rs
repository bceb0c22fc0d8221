//! Types in the place of types, however deep they are in others.

use super::Redeclaration;
use crate::build;
use crate::edit::Refused;
use crate::program::{Item, Program};
use crate::source::Pos;
use crate::ty::{Len, Quals, RecordId, RecordKind, Signature, Type, TypeKind};
use rustc_hash::FxHashMap;

const NONE: Refused = Refused::Place("there is no such type");

/// What stands for which type.
pub(super) struct Substitution {
    types: FxHashMap<Type, Type>,
    records: FxHashMap<RecordId, RecordId>,
    /// Records that are declared no more: something else stands for them.
    gone: Vec<RecordId>,
    quals: Quals,
}

impl Substitution {
    /// Makes the structs and unions that there have to be.
    pub(super) fn of(program: &mut Program, what: &Redeclaration) -> Result<Substitution, Refused> {
        let types = what.types.clone();
        let gone = types.keys().filter_map(|&ty| program.types.as_record(ty)).collect();
        let mut all = Substitution { types, records: FxHashMap::default(), gone, quals: what.quals };
        let mut others: Vec<RecordId> = what.members.keys().chain(&what.structs).copied().collect();
        others.extend(what.fields.keys().chain(what.names.keys()).map(|&(id, _)| id));
        others.extend(what.tags.keys());
        others.sort_unstable();
        others.dedup();
        if others.is_empty() && all.is_nothing() {
            return Ok(all);
        }
        // Whatever has one of them inside is another type too; the new ids only say that for now.
        loop {
            for id in others.drain(..) {
                let plain = program.types.records[id].clone();
                if !plain.complete || plain.tag.is_none() || plain.va_list_tag {
                    return Err(NONE);
                }
                let new = program.types.records.push(plain);
                all.records.insert(id, new);
            }
            let made: Vec<RecordId> = all.records.values().copied().collect();
            for (id, record) in program.types.records.iter() {
                let known = all.records.contains_key(&id) || made.contains(&id) || all.gone.contains(&id);
                if !known && record.fields.iter().any(|field| all.changes(program, field.ty)) {
                    others.push(id);
                }
            }
            if others.is_empty() {
                break;
            }
        }
        let mut pairs: Vec<(RecordId, RecordId)> = all.records.iter().map(|(&a, &b)| (a, b)).collect();
        pairs.sort_unstable();
        for (old, new) in pairs {
            let without = what.members.get(&old);
            let fields = program.types.records[old].fields.clone();
            let mut kept = Vec::new();
            for (number, mut field) in fields.into_iter().enumerate() {
                if without.is_some_and(|gone| gone.contains(&number)) {
                    continue;
                }
                field.ty = match what.fields.get(&(old, number)) {
                    Some(&ty) => ty,
                    None => all.apply(program, field.ty)?,
                };
                if let Some(&name) = what.names.get(&(old, number)) {
                    field.name = field.name.map(|_| name);
                }
                if what.fields.contains_key(&(old, number)) {
                    field.bits = None;
                }
                if field.name.is_none() && field.bits.is_none() && program.types.as_record(field.ty).is_none()
                {
                    return Err(NONE);
                }
                kept.push(field);
            }
            let record = &mut program.types.records[new];
            record.fields = kept;
            if let Some(&tag) = what.tags.get(&old) {
                record.tag = Some(tag);
            }
            if what.structs.contains(&old) {
                record.kind = RecordKind::Struct;
            }
            build::check_record(program, new, Pos::NONE)?;
        }
        Ok(all)
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.types.is_empty() && self.records.is_empty() && self.quals.is_empty()
    }

    pub(super) fn has_records(&self) -> bool {
        !self.records.is_empty() || !self.gone.is_empty()
    }

    /// An item with the types that there are now; none if it declares one that is no more.
    pub(super) fn item(&self, item: Item) -> Option<Item> {
        let new = |id: RecordId| self.records.get(&id).copied().unwrap_or(id);
        match item {
            Item::Record(id) | Item::RecordTag(id) if self.gone.contains(&id) => None,
            Item::Record(id) => Some(Item::Record(new(id))),
            Item::RecordTag(id) => Some(Item::RecordTag(new(id))),
            _ => Some(item),
        }
    }

    /// Whether something else stands for a type.
    pub(super) fn changes(&self, program: &Program, ty: Type) -> bool {
        if self.is_nothing() {
            return false;
        }
        let types = &program.types;
        if !ty.quals().minus(ty.quals().minus(self.quals)).is_empty() {
            return true;
        }
        if self.types.contains_key(&ty.bare()) {
            return true;
        }
        if types.variant(ty).is_some() {
            return false;
        }
        match types.kind(ty) {
            TypeKind::Pointer(to) => self.changes(program, to),
            TypeKind::Array { elem, .. } => self.changes(program, elem),
            TypeKind::Record(id) => self.records.contains_key(&id),
            TypeKind::Function(signature) => {
                let signature = types.signature(signature);
                self.changes(program, signature.ret)
                    || signature.params.iter().any(|&param| self.changes(program, param))
            }
            _ => false,
        }
    }

    /// What stands for a type.
    pub(super) fn apply(&self, program: &mut Program, ty: Type) -> Result<Type, Refused> {
        if !self.changes(program, ty) {
            return Ok(ty);
        }
        let quals = ty.quals().minus(self.quals);
        let bare = ty.bare();
        let new = if let Some(&new) = self.types.get(&bare) {
            new
        } else {
            match program.types.kind(bare) {
                _ if program.types.variant(bare).is_some() => bare,
                TypeKind::Pointer(to) => {
                    let to = self.apply(program, to)?;
                    build::pointer_to(program, to).map_err(|_| NONE)?
                }
                TypeKind::Array { elem, len: len @ (Len::Fixed(_) | Len::Unknown) } => {
                    let elem = self.apply(program, elem)?;
                    build::array_of(program, elem, len).map_err(|_| NONE)?
                }
                TypeKind::Array { .. } => return Err(NONE),
                TypeKind::Record(id) => match self.records.get(&id) {
                    Some(&id) => program.types.record(id),
                    None => bare,
                },
                TypeKind::Function(signature) => {
                    let old = program.types.signature(signature).clone();
                    let ret = self.apply(program, old.ret)?;
                    let params: Result<Vec<Type>, Refused> =
                        old.params.iter().map(|&param| self.apply(program, param)).collect();
                    let new = Signature { ret, params: params?.into(), ..old };
                    build::function_returning(program, new).map_err(|_| NONE)?
                }
                _ => bare,
            }
        };
        Ok(program.types.qualified(new, quals))
    }
}
