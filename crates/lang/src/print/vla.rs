//! Variable bounds: each is evaluated where it is written, so it is written once. A type that shares the bounds of
//! something declared before is named after that with `__typeof__`.

use super::{Printer, Referent};
use crate::program::ObjId;
use crate::symbol::Symbol;
use crate::ty::{Len, Type, TypeKind};
use crate::visit::How;

/// What was declared with a variable bound.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    /// An object.
    Object(ObjId),
    /// A typedef of this name, by the type it names.
    Typedef(Symbol, Type),
}

impl Printer<'_> {
    /// Remembers what was just declared, if its type has variable bounds.
    pub(super) fn note_owner(&mut self, ty: Type, owner: Owner) {
        if self.program.types.is_variably_modified(ty) {
            self.variably_modified.push((ty, owner));
        }
    }

    /// Who already has this type, and how many elements or pointees deep inside its own.
    pub(super) fn owner_of(&self, ty: Type) -> Option<(Owner, u32)> {
        if self.evaluated.is_empty() || !self.shares_bound(ty) {
            return None;
        }
        // The name of a typedef is a type of its own.
        let is_name = |found: &(Owner, u32)| matches!(found, (Owner::Typedef(..), 0));
        let owners = || self.variably_modified.iter().rev().filter_map(|&owned| self.depth_in(owned, ty));
        owners().find(|found| !is_name(found)).or_else(|| owners().next())
    }

    /// How deep a type is inside that of something declared.
    fn depth_in(&self, (declared, owner): (Type, Owner), ty: Type) -> Option<(Owner, u32)> {
        let mut inner = declared;
        let mut depth = 0;
        while inner != ty {
            inner = match self.program.types.kind(inner) {
                TypeKind::Pointer(to) => to,
                TypeKind::Array { elem, .. } => elem,
                _ => return None,
            };
            depth += 1;
        }
        Some((owner, depth))
    }

    /// Whether a bound of `ty` has been written.
    fn shares_bound(&self, mut ty: Type) -> bool {
        let types = &self.program.types;
        while types.is_variably_modified(ty) {
            ty = match types.kind(ty) {
                TypeKind::Array { len: Len::Variable(vla), .. } if self.evaluated.contains(&vla) => {
                    return true;
                }
                TypeKind::Pointer(to) => to,
                TypeKind::Array { elem, .. } => elem,
                TypeKind::Function(signature) => types.signature(signature).ret,
                _ => return false,
            };
        }
        false
    }

    /// The type that `owner` has at this depth. `[0]` goes through pointers and arrays alike.
    pub(super) fn owned_type(&mut self, owner: Owner, depth: u32) {
        match owner {
            Owner::Typedef(name, ty) if depth == 0 => {
                return self.named(name, Referent::Typedef(ty), How::Names);
            }
            Owner::Typedef(name, ty) => {
                self.out.push_str("__typeof__((*(");
                self.named(name, Referent::Typedef(ty), How::Names);
                self.out.push_str(" *)0)");
            }
            Owner::Object(object) => {
                self.out.push_str("__typeof__(");
                if let Some(name) = self.program.objects[object].name {
                    self.named(name, Referent::Object(object), How::Names);
                }
            }
        }
        for _ in 0..depth {
            self.out.push_str("[0]");
        }
        self.out.push(')');
    }
}
