//! Tags for types that the source gives none: such types of two units may be one (C17 6.2.7p1), and then they must have
//! one tag in both, or the printed units would disagree. What the source calls by a tag keeps it.

use super::compatible;
use crate::program::{Linkage, Program};
use crate::scope::Tagged;
use crate::symbol::Symbol;
use crate::ty::{RecordKind, Type, TypeKind, Types};
use rustc_hash::{FxHashMap, FxHashSet};

/// Gives types of a unit that have no tag in the source the tags of their counterparts in the units before. Of several
/// that would do, those are taken that declarations of one name have.
pub fn share_tags(program: &mut Program, unit: u32) {
    let types = &program.types;
    let untagged: Vec<Tagged> = all(types).filter(|&tagged| is_untagged(types, tagged)).collect();
    let is_new = |&tagged: &Tagged| unit_of(types, tagged) == unit;
    let (new, old): (Vec<Tagged>, Vec<Tagged>) = untagged.into_iter().partition(is_new);
    if new.is_empty() || old.is_empty() {
        return;
    }
    let mut pairs = shared_by_name(program, unit);
    for &tagged in &new {
        let before = old.iter().filter(|&&other| same_shape(types, tagged, other));
        pairs.extend(before.map(|&other| (tagged, other)));
    }
    let mut settled: FxHashSet<Tagged> = FxHashSet::default();
    let mut given: FxHashSet<Tagged> = FxHashSet::default();
    for (tagged, other) in pairs {
        if !settled.contains(&tagged) && !given.contains(&other) && is_one(program, tagged, other) {
            settled.insert(tagged);
            given.insert(other);
            share(program, unit, tagged, other, &settled);
        }
    }
}

fn all(types: &Types) -> impl Iterator<Item = Tagged> {
    types.records.ids().map(Tagged::Record).chain(types.enums.ids().map(Tagged::Enum))
}

fn tag_of(types: &Types, tagged: Tagged) -> Option<Symbol> {
    match tagged {
        Tagged::Record(id) => types.records[id].tag,
        Tagged::Enum(id) => Some(types.enums[id].tag),
    }
}

fn unit_of(types: &Types, tagged: Tagged) -> u32 {
    match tagged {
        Tagged::Record(id) => types.records[id].unit,
        Tagged::Enum(id) => types.enums[id].unit,
    }
}

/// Whether the tag it has is made up. Anonymous members have none.
fn is_untagged(types: &Types, tagged: Tagged) -> bool {
    match tagged {
        Tagged::Record(id) => {
            let record = &types.records[id];
            record.written.is_none() && record.tag.is_some() && !record.va_list_tag
        }
        Tagged::Enum(id) => types.enums[id].written.is_none(),
    }
}

fn set_tag(types: &mut Types, tagged: Tagged, tag: Symbol) {
    match tagged {
        Tagged::Record(id) => types.records[id].tag = Some(tag),
        Tagged::Enum(id) => types.enums[id].tag = tag,
    }
}

/// A quick look before the types are compared.
fn same_shape(types: &Types, a: Tagged, b: Tagged) -> bool {
    match (a, b) {
        (Tagged::Record(a), Tagged::Record(b)) => {
            let (a, b) = (&types.records[a], &types.records[b]);
            a.kind == b.kind && a.fields.len() == b.fields.len() && {
                let first = |fields: &[crate::ty::Field]| fields.first().map(|field| field.name);
                a.kind == RecordKind::Union || first(&a.fields) == first(&b.fields)
            }
        }
        (Tagged::Enum(a), Tagged::Enum(b)) => {
            types.enums[a].constants.len() == types.enums[b].constants.len()
        }
        _ => false,
    }
}

fn is_one(program: &Program, a: Tagged, b: Tagged) -> bool {
    let ty = |tagged: Tagged| {
        program.types.known(match tagged {
            Tagged::Record(id) => TypeKind::Record(id),
            Tagged::Enum(id) => TypeKind::Enum(id),
        })
    };
    ty(a).zip(ty(b)).is_some_and(|(a, b)| compatible(program, a, b))
}

/// The untagged types of a unit, each with one before it that stands in the same place of the type of the same object or
/// function.
fn shared_by_name(program: &Program, unit: u32) -> Vec<(Tagged, Tagged)> {
    let objects = program.objects.iter().filter(|(_, object)| object.linkage == Linkage::External);
    let objects = objects.filter_map(|(_, object)| Some((object.name?, object.unit, object.ty)));
    let funcs = program.funcs.iter().filter(|(_, func)| func.linkage == Linkage::External);
    let funcs = funcs.map(|(_, func)| (func.name, func.unit, func.ty));
    // The first of a name is of the first unit that has it.
    let mut before: FxHashMap<Symbol, Type> = FxHashMap::default();
    let mut open: Vec<(Type, Type)> = Vec::new();
    for (name, of, ty) in objects.chain(funcs) {
        if of == unit {
            open.extend(before.get(&name).map(|&other| (ty, other)));
        } else {
            before.entry(name).or_insert(ty);
        }
    }
    let types = &program.types;
    let mut found = Vec::new();
    let mut seen: FxHashSet<(Type, Type)> = FxHashSet::default();
    // Those of names that come first are taken first.
    open.reverse();
    while let Some((a, b)) = open.pop() {
        let (a, b) = (types.strip(a).bare(), types.strip(b).bare());
        if a == b || !seen.insert((a, b)) {
            continue;
        }
        match (types.kind(a), types.kind(b)) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b))
            | (TypeKind::Array { elem: a, .. }, TypeKind::Array { elem: b, .. }) => open.push((a, b)),
            (TypeKind::Function(a), TypeKind::Function(b)) => {
                let (a, b) = (types.signature(a), types.signature(b));
                open.extend(a.params.iter().copied().zip(b.params.iter().copied()).rev());
                open.push((a.ret, b.ret));
            }
            (TypeKind::Record(a), TypeKind::Record(b)) => {
                let pair = (Tagged::Record(a), Tagged::Record(b));
                if is_untagged(types, pair.0) && is_untagged(types, pair.1) {
                    found.push(pair);
                }
                let (a, b) = (&types.records[a].fields, &types.records[b].fields);
                open.extend(a.iter().map(|field| field.ty).zip(b.iter().map(|field| field.ty)).rev());
            }
            (TypeKind::Enum(a), TypeKind::Enum(b)) => {
                let pair = (Tagged::Enum(a), Tagged::Enum(b));
                if is_untagged(types, pair.0) && is_untagged(types, pair.1) {
                    found.push(pair);
                }
            }
            _ => {}
        }
    }
    found
}

/// Gives `new` and `old`, which are one type, one tag.
fn share(program: &mut Program, unit: u32, new: Tagged, old: Tagged, settled: &FxHashSet<Tagged>) {
    let types = &program.types;
    let (Some(own), Some(wanted)) = (tag_of(types, new), tag_of(types, old)) else { return };
    if own == wanted {
        return;
    }
    let holder = all(types).find(|&tagged| {
        unit_of(types, tagged) == unit && tag_of(types, tagged) == Some(wanted) && tagged != new
    });
    match holder {
        None => set_tag(&mut program.types, new, wanted),
        Some(holder) if is_untagged(types, holder) && !settled.contains(&holder) => {
            set_tag(&mut program.types, holder, own);
            set_tag(&mut program.types, new, wanted);
        }
        // The tag is another type's here: all units that share this one get a tag that none has.
        Some(_) => {
            let same = |&other: &Tagged| is_untagged(types, other) && tag_of(types, other) == Some(wanted);
            let others: Vec<Tagged> = all(types)
                .filter(same)
                .filter(|&other| other == old || is_one(program, other, old))
                .collect();
            let fresh = fresh_tag(program, new);
            others.into_iter().chain([new]).for_each(|tagged| set_tag(&mut program.types, tagged, fresh));
        }
    }
}

fn fresh_tag(program: &mut Program, of: Tagged) -> Symbol {
    let taken: FxHashSet<Symbol> =
        all(&program.types).filter_map(|tagged| tag_of(&program.types, tagged)).collect();
    let stem = match of {
        Tagged::Record(id) => match program.types.records[id].kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        },
        Tagged::Enum(_) => "enum",
    };
    let mut number = taken.len();
    loop {
        number += 1;
        let tag = program.symbols.intern(&format!("{stem}_{number}"));
        if !taken.contains(&tag) {
            return tag;
        }
    }
}
