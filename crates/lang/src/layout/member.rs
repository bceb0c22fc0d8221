//! Finding a member by name.

use crate::symbol::Symbol;
use crate::ty::{RecordId, TypeKind, Types};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// Where the members of one record are, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    /// The first member of each name: the step to it.
    steps: FxHashMap<Symbol, Step>,
    /// How to get to each anonymous record that holds members.
    anonymous: Vec<Step>,
}

/// One step on the way to a member: a field of the record itself, or of the anonymous record `of`, an index into
/// [`Members::anonymous`].
#[derive(Clone, Copy, Debug)]
struct Step {
    of: Option<u32>,
    field: u32,
}

impl Members {
    /// The members of `record`, in the order [`find_field`] looks at them.
    pub(super) fn of(types: &Types, record: RecordId) -> Members {
        let mut members = Members::default();
        let mut seen = FxHashSet::default();
        let mut way = vec![(record, None, 0)];
        while let Some((record, of, next)) = way.last_mut() {
            let Some(field) = types.records[*record].fields.get(*next as usize) else {
                way.pop();
                continue;
            };
            let step = Step { of: *of, field: *next };
            *next += 1;
            if let Some(name) = field.name {
                members.steps.entry(name).or_insert(step);
            } else if field.bits.is_none()
                && let TypeKind::Record(inner) = types.kind(field.ty)
                && seen.insert(inner)
            {
                way.push((inner, Some(members.anonymous.len() as u32), 0));
                members.anonymous.push(step);
            }
        }
        members
    }

    /// The way to the member called `name`.
    pub(super) fn find(&self, name: Symbol) -> Option<Vec<u32>> {
        let mut step = *self.steps.get(&name)?;
        let mut way = vec![step.field];
        while let Some(of) = step.of {
            step = self.anonymous[of as usize];
            way.push(step.field);
        }
        way.reverse();
        Some(way)
    }
}
