//! Finding a member by name.

use crate::symbol::Symbol;
use crate::ty::{RecordId, TypeKind, Types};
use rustc_hash::FxHashSet;

/// The way from `record` to the member called `name`: an index into [`crate::ty::Record::fields`] for each record on
/// the way, so one index and one more for each anonymous struct or union passed through (C17 6.7.2.1p13).
pub fn find_field(types: &Types, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
    // A record that was searched in vain needs no second look, so even a type that holds itself ends.
    let mut seen = FxHashSet::default();
    // Records on the way, each with the index of the field to look at next.
    let mut way = vec![(record, 0)];
    while let Some((record, next)) = way.last_mut() {
        let Some(field) = types.records[*record].fields.get(*next) else {
            way.pop();
            continue;
        };
        *next += 1;
        if field.name == Some(name) {
            return Some(way.iter().map(|&(_, next)| (next - 1) as u32).collect());
        }
        if field.name.is_none()
            && field.bits.is_none()
            && let TypeKind::Record(inner) = types.kind(field.ty)
            && seen.insert(inner)
        {
            way.push((inner, 0));
        }
    }
    None
}
