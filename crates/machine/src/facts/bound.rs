//! The bounds of variably modified types, as expressions that are evaluated somewhere.

use super::{Effects, Facts, flag, join};
use howler_lang::program::{Entity, ExprId, ExprKind, ObjId, Program};
use howler_lang::ty::{Len, Type, TypeKind, VlaId};
use howler_lang::visit;
use rustc_hash::FxHashSet;

/// Calls `f` with the bounds of a type, the outermost first.
pub fn for_each_vla(program: &Program, ty: Type, f: &mut impl FnMut(VlaId)) {
    visit::bounds(program, ty, |vla, _| f(vla));
}

/// The lengths of arrays that correspond in two types.
pub fn bounds_side_by_side(program: &Program, mut a: Type, mut b: Type) -> Vec<(Len, Len)> {
    let mut found = Vec::new();
    loop {
        (a, b) = match (program.types.kind(a), program.types.kind(b)) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => (a, b),
            (TypeKind::Array { elem: a, len: m }, TypeKind::Array { elem: b, len: n }) => {
                found.push((m, n));
                (a, b)
            }
            _ => return found,
        };
    }
}

/// The expressions that evaluate the bounds of a parameter on entry to its function (C17 6.9.1p10).
pub fn param_bounds(program: &Program, param: ObjId) -> Vec<ExprId> {
    let object = &program.objects[param];
    let mut found = Vec::new();
    for_each_vla(program, object.ty, &mut |vla| found.push(program.types.vlas[vla]));
    found.extend(object.param_bound.map(|bound| bound.len));
    found
}

/// Whether two of these expressions may conflict.
pub fn any_conflict(facts: &Facts, exprs: &[ExprId]) -> bool {
    let groups: Vec<[ExprId; 1]> = exprs.iter().map(|&e| [e]).collect();
    any_group_conflict(facts, &groups)
}

/// Whether expressions of two of these groups may conflict.
pub fn any_group_conflict<T: AsRef<[ExprId]>>(facts: &Facts, groups: &[T]) -> bool {
    let mut before = Effects::default();
    for group in groups {
        let own = group.as_ref().iter().fold(Effects::default(), |all, &e| all.or(facts.effects(e)));
        if own.conflicts(before) {
            return true;
        }
        before = before.or(own);
    }
    false
}

/// The objects that bounds of one declaration, or of one function's parameters, write where that may conflict.
pub fn written_by_bounds(program: &Program, facts: &Facts) -> Vec<ObjId> {
    let mut found = Vec::new();
    if program.types.vlas.is_empty() && program.objects.iter().all(|(_, object)| object.param_bound.is_none())
    {
        return found;
    }
    let mut look = |groups: &[Vec<ExprId>]| {
        if any_group_conflict(facts, groups) {
            found.extend(groups.iter().flatten().flat_map(|&e| super::written_objects(program, e)));
        }
    };
    for (_, decl) in program.decls.iter() {
        let mut bounds = Vec::new();
        for_each_vla(program, decl.ty, &mut |vla| bounds.push(vec![program.types.vlas[vla]]));
        look(&bounds);
    }
    for (_, function) in program.funcs.iter() {
        let bounds: Vec<Vec<ExprId>> =
            function.params.iter().map(|&param| param_bounds(program, param)).collect();
        look(&bounds);
        // Within one parameter nothing orders them either.
        for own in bounds {
            look(&own.into_iter().map(|e| vec![e]).collect::<Vec<_>>());
        }
    }
    found
}

/// The bounds that declarations evaluate: type names that share them do not.
pub(super) fn declared(program: &Program) -> FxHashSet<VlaId> {
    let mut found = FxHashSet::default();
    if program.types.vlas.is_empty() {
        return found;
    }
    for (_, decl) in program.decls.iter() {
        if !matches!(decl.entity, Entity::Function(_)) {
            for_each_vla(program, decl.ty, &mut |vla| {
                found.insert(vla);
            });
        }
    }
    for (_, function) in program.funcs.iter() {
        for &param in &function.params {
            for_each_vla(program, program.objects[param].ty, &mut |vla| {
                found.insert(vla);
            });
        }
    }
    found
}

impl Facts {
    /// Calls `f` with the bounds that a type name in an expression writes itself.
    pub fn for_each_own_bound(&self, program: &Program, ty: Type, f: &mut impl FnMut(ExprId)) {
        for_each_vla(program, ty, &mut |vla| {
            if !self.declared.contains(&vla) {
                f(program.types.vlas[vla]);
            }
        });
    }

    /// Calls `f` with the bounds that matter to nothing in the operand of a `sizeof`: whether those with side effects
    /// are evaluated is unspecified (C17 6.7.6.2p5).
    pub fn for_each_skippable(&self, program: &Program, operand: ExprId, f: &mut impl FnMut(ExprId)) {
        if program.types.vlas.is_empty() {
            return;
        }
        let mut e = operand;
        loop {
            e = match program.exprs[e].kind {
                ExprKind::Cast(_, of) => {
                    self.for_each_own_bound(program, program.ty(e), f);
                    of
                }
                ExprKind::Convert(_, of) | ExprKind::Unary(_, of) | ExprKind::Comma(_, of) => of,
                ExprKind::Member { base, .. } | ExprKind::Index { base, .. } => base,
                _ => return,
            };
        }
    }

    /// What the bounds do that a type name writes: nothing orders them.
    pub(super) fn of_bounds(&self, program: &Program, ty: Type) -> Effects {
        let mut all = Effects::default();
        self.for_each_own_bound(program, ty, &mut |e| all = join(all, self.effects(e)));
        all
    }
}

impl Effects {
    /// Whether it changes something itself, not only by what it calls.
    pub fn writes(self) -> bool {
        self.written != 0
            || self.has(flag::WRITES_MEMORY | flag::WRITES_SHARED | flag::VOLATILE | flag::STATEMENTS)
    }
}
