//! The parts of a type at any depth, each struct and union looked at once: a kilobyte of nested types may hold another
//! type more often than can be counted.

use super::{RecordId, Type, TypeKind, Types};
use rustc_hash::FxHashSet;

impl Types {
    /// Whether a test holds for a type, or for a part of it: elements of arrays, members, and their parts.
    pub fn any_part(&self, ty: Type, mut test: impl FnMut(Type) -> bool) -> bool {
        let mut seen: FxHashSet<RecordId> = FxHashSet::default();
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            if test(ty) {
                return true;
            }
            match self.kind(ty) {
                TypeKind::Array { elem, .. } => open.push(elem),
                TypeKind::Record(id) if seen.insert(id) => {
                    open.extend(self.records[id].fields.iter().map(|field| field.ty));
                }
                _ => {}
            }
        }
        false
    }
}
