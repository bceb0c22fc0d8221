//! Compatible types of two translation units (C17 6.2.7p1). Within one unit a struct, union or enumeration is
//! compatible with itself only, which is what [`compat`] says; between units its tag and its members count.
//!
//! This is the one place that compares them: `link` asks it about declarations, the machine about calls and accesses.

mod tags;

pub use tags::share_tags;

use crate::compat;
use crate::program::{Duration, FuncId, Function, Object, Program};
use crate::symbol::Symbol;
use crate::ty::{
    EnumId, FloatKind, IntKind, Len, Record, RecordId, RecordKind, Signature, Type, TypeKind, Types,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What is known of pairs of types of two units. Types that name each other are decided together, so a program's types
/// are walked once, however often they are asked for. Records must not change once they were asked for.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    known: RefCell<FxHashMap<(Type, Type), bool>>,
}

/// Whether two types are compatible, whatever units they come from.
pub fn compatible(program: &Program, a: Type, b: Type) -> bool {
    let quals = |ty: Type| program.types.strip(ty).quals();
    a == b || quals(a) == quals(b) && compatible_unqualified(program, a, b)
}

/// Whether two types are compatible once their own qualifiers (not those further in) are ignored.
pub fn compatible_unqualified(program: &Program, a: Type, b: Type) -> bool {
    let types = &program.types;
    let (a, b) = (types.strip(a).bare(), types.strip(b).bare());
    if a == b {
        return true;
    }
    if program.units.len() < 2 {
        return compat::compatible_unqualified(types, a, b);
    }
    let known = program.pairs.known.borrow().get(&(a, b)).copied();
    known.unwrap_or_else(|| decide(program, (a, b)))
}

/// Whether declarations of one object in two units agree (C17 6.2.7p2, 6.7.1p3, 6.7.5p7). The second is the
/// definition if there is one.
pub fn objects_agree(program: &Program, a: &Object, definition: &Object) -> bool {
    let thread = |object: &Object| object.duration == Duration::Thread;
    thread(a) == thread(definition)
        && (a.align == 0 || a.align == definition.align || !definition.defined)
        && compatible(program, a.ty, definition.ty)
}

/// Whether declarations of one function in two units agree (C17 6.2.7p2, 6.7.6.3p15). A definition with an identifier
/// list says how many arguments there are, and their promoted types.
pub fn functions_agree(program: &Program, a: FuncId, b: FuncId) -> bool {
    let (a, b) = (&program.funcs[a], &program.funcs[b]);
    let types = &program.types;
    let defined = |function: &Function| function.old_style && function.body.is_some();
    let listed = |old: &Function, other: &Function| {
        let TypeKind::Function(id) = types.kind(other.ty) else { return false };
        let signature = types.signature(id);
        let params = old.params.iter().map(|&param| program.objects[param].ty);
        let fits =
            |(param, &given): (Type, &Type)| compatible_unqualified(program, promoted(types, param), given);
        !signature.prototype
            || !signature.variadic
                && signature.params.len() == old.params.len()
                && params.zip(signature.params.iter()).all(fits)
    };
    match (defined(a), defined(b)) {
        (true, false) => results_agree(program, a, b) && listed(a, b),
        (false, true) => results_agree(program, a, b) && listed(b, a),
        _ => compatible(program, a.ty, b.ty),
    }
}

/// Of the declarations of one entity, those that do not agree with `target`, or else with one before them: what agrees
/// with `struct S;` need not agree with each other. Each comes with the one it differs from.
pub fn clashes<I: Copy + PartialEq>(target: I, ids: &[I], agree: impl Fn(I, I) -> bool) -> Vec<(I, I)> {
    let others = |at: usize| std::iter::once(target).chain(ids[..at].iter().copied());
    let clash = |(at, &id): (usize, &I)| {
        let other = others(at).find(|&other| other != id && !agree(id, other))?;
        (id != target).then_some((id, other))
    };
    ids.iter().enumerate().filter_map(clash).collect()
}

fn results_agree(program: &Program, a: &Function, b: &Function) -> bool {
    let types = &program.types;
    match (types.kind(a.ty), types.kind(b.ty)) {
        (TypeKind::Function(a), TypeKind::Function(b)) => {
            compatible_unqualified(program, types.signature(a).ret, types.signature(b).ret)
        }
        _ => false,
    }
}

/// A parameter's type after the default argument promotions (C17 6.5.2.2p6).
fn promoted(types: &Types, ty: Type) -> Type {
    let ty = types.strip(ty).bare();
    match types.kind(ty) {
        TypeKind::Bool => Type::INT,
        TypeKind::Int(kind) if kind < IntKind::Int => Type::INT,
        TypeKind::Enum(id) if types.enums[id].underlying < IntKind::Int => Type::INT,
        TypeKind::Float(FloatKind::Float) => Type::DOUBLE,
        _ => ty,
    }
}

/// Decides a pair and all pairs it depends on. A pair holds unless it, or one it needs, differs on the surface: types
/// that contain themselves then agree as they should.
fn decide(program: &Program, root: (Type, Type)) -> bool {
    let mut pairs = vec![root];
    let mut places = FxHashMap::from_iter([(root, 0usize)]);
    let mut users: Vec<Vec<usize>> = vec![Vec::new()];
    let mut different = Vec::new();
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(&pair) = pairs.get(at) {
        parts.clear();
        let agrees = match program.pairs.known.borrow().get(&pair) {
            Some(&known) => known,
            None => same_surface(program, pair, &mut parts),
        };
        if !agrees {
            different.push(at);
        } else {
            for &part in parts.iter().filter(|(a, b)| a != b) {
                let place = *places.entry(part).or_insert(pairs.len());
                if place == pairs.len() {
                    pairs.push(part);
                    users.push(Vec::new());
                }
                users[place].push(at);
            }
        }
        at += 1;
    }
    let mut holds = vec![true; pairs.len()];
    while let Some(place) = different.pop() {
        if std::mem::replace(&mut holds[place], false) {
            different.append(&mut users[place]);
        }
    }
    program.pairs.known.borrow_mut().extend(pairs.into_iter().zip(holds.iter().copied()));
    holds[0]
}

/// Whether two types agree as far as they are not made of others. Those they are made of go to `parts`.
fn same_surface(program: &Program, (a, b): (Type, Type), parts: &mut Vec<(Type, Type)>) -> bool {
    let types = &program.types;
    let mut part = |a: Type, b: Type| parts.push((types.strip(a), types.strip(b)));
    if a.quals() != b.quals() {
        return false;
    }
    match (types.kind(a), types.kind(b)) {
        (TypeKind::Pointer(a), TypeKind::Pointer(b)) => part(a, b),
        (TypeKind::Array { elem: a, len: n }, TypeKind::Array { elem: b, len: m }) => {
            if let (Len::Fixed(n), Len::Fixed(m)) = (n, m)
                && n != m
            {
                return false;
            }
            part(a, b);
        }
        (TypeKind::Function(a), TypeKind::Function(b)) => {
            let (a, b) = (types.signature(a), types.signature(b));
            return same_lists(types, a, b, parts);
        }
        (TypeKind::Record(a), TypeKind::Record(b)) => return same_members(program, a, b, parts),
        (TypeKind::Enum(a), TypeKind::Enum(b)) => return same_constants(types, a, b),
        _ => return compat::compatible_unqualified(types, a, b),
    }
    true
}

/// C17 6.7.6.3p15. Qualifiers of the result and of parameters do not count (6.7.6.3p5, p15).
fn same_lists(types: &Types, a: &Signature, b: &Signature, parts: &mut Vec<(Type, Type)>) -> bool {
    let bare = |ty: Type| types.strip(ty).bare();
    parts.push((bare(a.ret), bare(b.ret)));
    match (a.prototype, b.prototype) {
        (true, true) => {
            if a.variadic != b.variadic || a.params.len() != b.params.len() {
                return false;
            }
            let params = a.params.iter().zip(&b.params).map(|(&a, &b)| (bare(a), bare(b)));
            parts.extend(params.filter(|&(a, b)| !compat::compatible_params(types, a, b)));
            true
        }
        (true, false) => compat::survives_promotion(types, a),
        (false, true) => compat::survives_promotion(types, b),
        (false, false) => true,
    }
}

/// Structs and unions: the same tag or none, and if both are complete the same members.
fn same_members(program: &Program, a: RecordId, b: RecordId, parts: &mut Vec<(Type, Type)>) -> bool {
    let types = &program.types;
    let (first, second) = (&types.records[a], &types.records[b]);
    if first.va_list_tag || second.va_list_tag {
        return first.va_list_tag && second.va_list_tag;
    }
    if first.unit == second.unit || first.kind != second.kind || first.written != second.written {
        return false;
    }
    if !first.complete || !second.complete {
        return true;
    }
    let Some(members) = corresponding(types, first, second) else { return false };
    // What attributes and `#pragma pack` say is not in the standard: it counts where it changes the layout.
    if let (Some(a), Some(b)) = (program.layouts.record(types, a), program.layouts.record(types, b)) {
        let same = |&(i, j): &(usize, usize)| a.fields[i] == b.fields[j];
        if (a.size, a.align) != (b.size, b.align) || !members.iter().all(same) {
            return false;
        }
    }
    members.into_iter().all(|(i, j)| {
        let (a, b) = (&first.fields[i], &second.fields[j]);
        parts.push((types.strip(a.ty), types.strip(b.ty)));
        (a.name, a.bits, a.align) == (b.name, b.bits, b.align)
    }) && first.transparent == second.transparent
}

/// The members of two records that correspond: in order for structs, by name for unions. An anonymous member of a union
/// is told by the first name inside.
fn corresponding(types: &Types, a: &Record, b: &Record) -> Option<Vec<(usize, usize)>> {
    if a.fields.len() != b.fields.len() {
        return None;
    }
    if a.kind == RecordKind::Struct {
        return Some((0..a.fields.len()).map(|index| (index, index)).collect());
    }
    let mut places: FxHashMap<Option<Symbol>, Vec<usize>> = FxHashMap::default();
    for index in (0..b.fields.len()).rev() {
        places.entry(first_name(types, b, index)).or_default().push(index);
    }
    let place = |index: usize| places.get_mut(&first_name(types, a, index))?.pop();
    let found: Option<Vec<usize>> = (0..a.fields.len()).map(place).collect();
    Some(found?.into_iter().enumerate().collect())
}

fn first_name(types: &Types, record: &Record, index: usize) -> Option<Symbol> {
    let mut open = vec![record.fields.get(index)?];
    while let Some(field) = open.pop() {
        if field.name.is_some() {
            return field.name;
        }
        if let Some(id) = types.as_record(field.ty) {
            open.extend(types.records[id].fields.iter().rev());
        }
    }
    None
}

/// Enumerations: the same tag or none, and the same constants with the same values in any order.
fn same_constants(types: &Types, a: EnumId, b: EnumId) -> bool {
    let (a, b) = (&types.enums[a], &types.enums[b]);
    if a.unit == b.unit || a.written != b.written {
        return false;
    }
    if !a.complete || !b.complete {
        return true;
    }
    let values = |constants: &[crate::ty::EnumeratorId]| {
        let constants = constants.iter().map(|&id| &types.enumerators[id]);
        constants.map(|constant| (constant.name, constant.value)).collect::<FxHashMap<_, _>>()
    };
    a.underlying == b.underlying
        && a.constants.len() == b.constants.len()
        && values(&a.constants) == values(&b.constants)
}
