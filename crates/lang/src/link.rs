//! Joins the units of a program: declarations of one external name in several units become one entity (C17 6.2.2p2,
//! 6.9p5). Nothing is moved or merged; each declaration only learns which one it stands for.
//!
//! What a program uses and nobody defines is not an error of [`link`]: [`undefined`] finds that.

mod undefined;

pub use undefined::{Roots, missing, undefined};

use crate::correspond;
use crate::diag::Diagnostic;
use crate::id::Id;
use crate::program::{Attr, Entity, FuncId, Linkage, ObjId, Program, Storage, StrUnits};
use crate::source::Pos;
use crate::symbol::Symbol;
use crate::target::Edition;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Everything with one external name, in order of appearance.
#[derive(Default)]
struct Entry {
    objects: Vec<ObjId>,
    functions: Vec<FuncId>,
}

/// Sets [`Object::linked`](crate::program::Object::linked) and
/// [`Function::linked`](crate::program::Function::linked), and reports names that are defined twice or are a
/// function in one unit and an object in another. Linking again after more units were added is fine.
pub fn link(program: &mut Program) -> Vec<Diagnostic> {
    let names = external_names(program);
    let copies = gnu_copies(program);
    let places = definition_places(program);
    let mut diagnostics = Vec::new();
    for (name, entry) in &names {
        if let (Some(&object), Some(&function)) = (entry.objects.first(), entry.functions.first()) {
            let (object, function) = (&program.objects[object], &program.funcs[function]);
            let message = format!("'{name}' is an object in one unit and a function in another");
            let diagnostic = Diagnostic::error(function.pos.max(object.pos), message);
            diagnostics
                .push(diagnostic.with_note(function.pos.min(object.pos), "the other declaration is here"));
            continue;
        }
        link_objects(program, name, &entry.objects, &places, &mut diagnostics);
        link_functions(program, name, &entry.functions, (&copies, &places), &mut diagnostics);
    }
    diagnostics
}

/// All entities with external linkage by the name the linker sees. Names that live in units that failed to parse
/// are left out.
fn external_names(program: &Program) -> BTreeMap<String, Entry> {
    let labels = asm_labels(program);
    let units = program.units.len() as u32;
    let mut names: BTreeMap<String, Entry> = BTreeMap::new();
    let spell = |symbol: Symbol, label: Option<&String>| match label {
        Some(label) => label.clone(),
        None => program.name(symbol).to_owned(),
    };
    for (id, object) in program.objects.iter() {
        if let (Linkage::External, Some(name)) = (object.linkage, object.name)
            && object.unit < units
        {
            let name = spell(name, labels.get(&(false, id.index())));
            names.entry(name).or_default().objects.push(id);
        }
    }
    for (id, function) in program.funcs.iter() {
        if function.linkage == Linkage::External && function.unit < units {
            let name = spell(function.name, labels.get(&(true, id.index())));
            names.entry(name).or_default().functions.push(id);
        }
    }
    names
}

/// `asm("name")` labels by entity: whether it is a function, and its index.
fn asm_labels(program: &Program) -> FxHashMap<(bool, usize), String> {
    let mut labels = FxHashMap::default();
    for (_, decl) in program.decls.iter() {
        let key = match decl.entity {
            Entity::Object(obj) => (false, obj.index()),
            Entity::Function(func) => (true, func.index()),
            Entity::Typedef(_) | Entity::Bounds => continue,
        };
        if let Some(label) = decl.asm_label
            && let StrUnits::Narrow(bytes) = &program.strings[label].units
        {
            labels.insert(key, String::from_utf8_lossy(bytes).into_owned());
        }
    }
    labels
}

/// Where each entity is defined, keyed as [`asm_labels`] is: the declaration with the initialiser or body, or else
/// the first that is not `extern` (C17 6.9.2p2). An entity's own position is that of its first declaration.
fn definition_places(program: &Program) -> Places {
    let mut places = Places::default();
    let mut tentative = Places::default();
    for (_, decl) in program.decls.iter() {
        let key = match decl.entity {
            Entity::Object(obj) => (false, obj.index()),
            Entity::Function(func) => (true, func.index()),
            Entity::Typedef(_) | Entity::Bounds => continue,
        };
        if decl.init.is_some() || decl.body {
            places.insert(key, decl.pos);
        } else if !key.0 && decl.storage != Storage::Extern {
            tentative.entry(key).or_insert(decl.pos);
        }
    }
    tentative.into_iter().for_each(|(key, pos)| {
        places.entry(key).or_insert(pos);
    });
    places
}

type Places = FxHashMap<(bool, usize), Pos>;

fn link_objects(
    program: &mut Program,
    name: &str,
    ids: &[ObjId],
    places: &Places,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let place =
        |program: &Program, id: ObjId| *places.get(&(false, id.index())).unwrap_or(&program.objects[id].pos);
    let strong = |&&id: &&ObjId| {
        let object = &program.objects[id];
        object.defined && !has(program, &object.attrs, "weak")
    };
    let mut definitions = ids.iter().filter(strong);
    let first = definitions.next().copied();
    if let (Some(first), Some(&second)) = (first, definitions.next()) {
        diagnostics.push(twice(name, place(program, second), place(program, first)));
    }
    // Without a definition in the program all declarations still are one object: the first.
    let weak = ids.iter().copied().find(|&id| program.objects[id].defined);
    let Some(target) = first.or(weak).or(ids.first().copied()) else { return };
    let agree =
        |a: ObjId, b: ObjId| correspond::objects_agree(program, &program.objects[a], &program.objects[b]);
    for (id, other) in correspond::clashes(target, ids, agree) {
        let other = (place(program, other), program.objects[other].defined);
        diagnostics.push(mismatch(name, program.objects[id].pos, other));
    }
    for &id in ids {
        program.objects[id].linked = if id == target { None } else { Some(target) };
    }
}

fn link_functions(
    program: &mut Program,
    name: &str,
    ids: &[FuncId],
    (copies, places): (&FxHashSet<FuncId>, &Places),
    diagnostics: &mut Vec<Diagnostic>,
) {
    let place =
        |program: &Program, id: FuncId| *places.get(&(true, id.index())).unwrap_or(&program.funcs[id].pos);
    let external = |&&id: &&FuncId| is_external_definition(program, id, copies);
    let strong = |id: &&FuncId| !has(program, &program.funcs[**id].attrs, "weak");
    let mut definitions = ids.iter().filter(external).filter(strong);
    let first = definitions.next().copied();
    if let (Some(first), Some(&second)) = (first, definitions.next()) {
        diagnostics.push(twice(name, place(program, second), place(program, first)));
    }
    let weak = ids.iter().find(external).copied();
    let target = first.or(weak);
    if let Some(target) = target {
        let named: Vec<FuncId> = ids.iter().copied().filter(|&id| !program.funcs[id].implicit).collect();
        for (id, other) in
            correspond::clashes(target, &named, |a, b| correspond::functions_agree(program, a, b))
        {
            let other = (place(program, other), program.funcs[other].body.is_some());
            diagnostics.push(mismatch(name, program.funcs[id].pos, other));
        }
    }
    for &id in ids {
        program.funcs[id].linked = target.filter(|&target| target != id);
    }
}

/// Functions whose definition is only a copy for compilers to put in place: GNU's `extern inline`.
pub fn gnu_copies(program: &Program) -> FxHashSet<FuncId> {
    let copies = program.decls.iter().filter_map(|(_, decl)| match decl.entity {
        Entity::Function(func) if decl.body && decl.inline && decl.storage == Storage::Extern => Some(func),
        _ => None,
    });
    copies.filter(|&func| is_gnu_inline(program, func)).collect()
}

fn is_gnu_inline(program: &Program, func: FuncId) -> bool {
    has(program, &program.funcs[func].attrs, "gnu_inline") || program.target.std.edition == Edition::C89
}

/// Whether the body is the one other units call: an inline definition is not (C17 6.7.4p7), nor is GNU's
/// `extern inline`.
fn is_external_definition(program: &Program, id: FuncId, copies: &FxHashSet<FuncId>) -> bool {
    let function = &program.funcs[id];
    if function.body.is_none() {
        return false;
    }
    !function.inline
        || if is_gnu_inline(program, id) { !copies.contains(&id) } else { function.external_decl }
}

fn has(program: &Program, attrs: &[Attr], name: &str) -> bool {
    attrs.iter().any(|attr| program.name(attr.name) == name)
}

fn twice(name: &str, pos: Pos, first: Pos) -> Diagnostic {
    Diagnostic::error(pos, format!("multiple definition of '{name}'")).with_note(first, "first defined here")
}

/// Two units that disagree about an entity: undefined (C17 6.2.7p2), but compilers do not see it, so only a warning.
/// The second is the declaration that counts, its place, and whether it is the definition.
fn mismatch(name: &str, pos: Pos, (other, defined): (Pos, bool)) -> Diagnostic {
    let (with, note) = match defined {
        true => ("its definition", "defined here"),
        false => ("its declaration in another unit", "the other declaration is here"),
    };
    Diagnostic::warning(pos, format!("type of '{name}' does not match {with}")).with_note(other, note)
}
