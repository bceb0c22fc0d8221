//! Initialisers of what has another type now: the parts that are still there.

use crate::edit::{Change, Refused};
use crate::program::{Init, InitEntry, InitId, Program};
use crate::ty::{Len, Type, TypeKind};
use rustc_hash::FxHashMap;

/// A part of a type: of an array any element is.
fn part(program: &Program, ty: Type, index: u64) -> Option<Type> {
    match program.types.kind(ty) {
        TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } | TypeKind::Complex(elem) => Some(elem),
        TypeKind::Record(id) => {
            let fields = &program.types.records[id].fields;
            fields.get(usize::try_from(index).ok()?).map(|field| field.ty)
        }
        _ => (index == 0).then_some(ty),
    }
}

impl Change<'_> {
    /// An initialiser for another type; none if nothing of it fits.
    /// Expressions wait until they are made again; `targets` says which type they will have to have.
    pub(super) fn fit(
        &mut self,
        init: InitId,
        (old, new): (Type, Type),
        targets: &mut FxHashMap<InitId, Type>,
    ) -> Result<Option<InitId>, Refused> {
        if old == new {
            return Ok(Some(init));
        }
        let list = match self.program().inits[init] {
            Init::Expr(e) => {
                let array = |ty: Type| matches!(self.program().types.kind(ty), TypeKind::Array { .. });
                if array(old) || array(new) {
                    return Ok(self.still_holds(old, new).then_some(init));
                }
                let init = self.program_mut().inits.push(Init::Expr(e));
                targets.insert(init, new);
                return Ok(Some(init));
            }
            Init::List(list) => list,
            Init::Update(_) => return Ok(None),
        };
        let entries = self.program().init_entries(list).to_vec();
        // An element or a member that stands for the whole.
        if let Some(entry) = entries.iter().find(|entry| part(self.program(), old, entry.index) == Some(new))
        {
            return Ok(Some(entry.init));
        }
        let kind = self.program().types.kind(new);
        let mut fitted: Vec<InitEntry> = Vec::new();
        for entry in entries {
            let Some(was) = part(self.program(), old, entry.index) else { continue };
            let place = match kind {
                TypeKind::Array { len: Len::Fixed(len), .. } => {
                    (entry.index < len).then(|| (entry.index, entry.last.min(len.saturating_sub(1))))
                }
                TypeKind::Array { .. } => Some((entry.index, entry.last)),
                TypeKind::Record(_) => self.same_member(old, new, entry.index).map(|at| (at, at)),
                // The first part stands for the whole.
                _ => {
                    return match entry.index {
                        0 => self.fit(entry.init, (was, new), targets),
                        _ => Ok(None),
                    };
                }
            };
            let Some((index, last)) = place else { continue };
            let Some(is) = part(self.program(), new, index) else { continue };
            if let Some(init) = self.fit(entry.init, (was, is), targets)? {
                fitted.push(InitEntry { index, last, init });
            }
        }
        if fitted.is_empty() && !matches!(kind, TypeKind::Array { .. } | TypeKind::Record(_)) {
            return Ok(None);
        }
        let list = self.program_mut().add_entries(&fitted);
        Ok(Some(self.program_mut().inits.push(Init::List(list))))
    }

    /// Whether a string literal that initialised one array initialises another.
    fn still_holds(&self, old: Type, new: Type) -> bool {
        let types = &self.program().types;
        let (TypeKind::Array { elem: a, .. }, TypeKind::Array { elem: b, .. }) =
            (types.kind(old), types.kind(new))
        else {
            return false;
        };
        let size = |ty: Type| self.program().size_of(ty);
        a.bare() == b.bare() && (size(new).is_none() || size(old) <= size(new))
    }

    /// The number of the member that was the `index`-th.
    fn same_member(&self, old: Type, new: Type, index: u64) -> Option<u64> {
        let types = &self.program().types;
        let (old, new) = (types.as_record(old)?, types.as_record(new)?);
        let name = types.records[old].fields.get(usize::try_from(index).ok()?)?.name?;
        let at = types.records[new].fields.iter().position(|field| field.name == Some(name))?;
        Some(at as u64)
    }
}
