//! The rules of what is declared several times. Types grow: `extern int a[];` and `int f();` say less than a later declaration, and a use has the type
//! of the declarations before it (C17 6.2.7p4).

use super::Faults;
use crate::id::Id;
use crate::program::{
    Decl, DeclId, Entity, ExprId, ExprKind, FuncId, Item, Linkage, Program, StmtId, StmtKind, Storage,
};
use crate::ty::{Len, Type, TypeKind, Types, VlaId};
use crate::visit::{self, Found, Node, Part, Walk};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of an entity so far.
#[derive(Clone, Default)]
struct Known {
    /// The types of all its declarations, each once; one type needs no looking at.
    all: Vec<Type>,
    /// Those that were passed, and whether they are at file scope.
    so_far: Vec<(Type, bool)>,
}

pub(super) fn check(program: &Program, everything: &[Found], faults: &mut Faults) {
    check_linkage(program, everything, faults);
    check_units(program, everything, faults);
    check_nested(program, everything, faults);
    check_bounds(program, everything, faults);
    let own = check_own(program, everything, faults);
    check_types(program, everything, &own, faults);
}

/// Whether a declaration leaves the length of its array to its initialiser.
fn grows(program: &Program, decl: &Decl) -> bool {
    decl.init.is_some() && matches!(program.types.kind(decl.ty), TypeKind::Array { len: Len::Unknown, .. })
}

/// In its own initialiser an array has no length yet. Returns the uses there.
fn check_own(program: &Program, everything: &[Found], faults: &mut Faults) -> FxHashSet<ExprId> {
    let mut own: FxHashSet<ExprId> = FxHashSet::default();
    for &found in everything {
        let Some((decl, _)) = decl_of(program, found) else { continue };
        let decl = &program.decls[decl];
        let (Entity::Object(object), Some(init), true) = (decl.entity, decl.init, grows(program, decl))
        else {
            continue;
        };
        let linked = program.objects[object].linkage != Linkage::None;
        for e in Walk::of(program, Node::Init(init)).expressions() {
            if program.exprs[e].kind == ExprKind::Object(object) {
                own.insert(e);
                // An earlier declaration may know it.
                faults.require(linked || program.ty(e) == decl.ty, "N-declare", || {
                    format!("{e:?} knows the length of an array before it is initialised")
                });
            }
        }
    }
    own
}

/// The first declaration says whether the linkage is internal (C17 6.2.2p3, p5, p7).
fn check_linkage(program: &Program, everything: &[Found], faults: &mut Faults) {
    let mut is_static: Vec<Option<bool>> = vec![None; program.objects.len() + program.funcs.len()];
    for &found in everything {
        let Some((decl, at_file)) = decl_of(program, found) else { continue };
        let decl = &program.decls[decl];
        let Some(at) = place(program, decl) else { continue };
        let says = decl.storage == Storage::Static;
        let fits = match is_static[at] {
            None => true,
            Some(first) if says => first || !at_file,
            Some(first) => {
                let object = matches!(decl.entity, Entity::Object(_));
                !(first && object && at_file && decl.storage != Storage::Extern)
            }
        };
        is_static[at].get_or_insert(says);
        faults.require(fits, "D-linkage", || format!("{:?} is static, and is not", decl.entity));
    }
}

/// What is declared in two files is two things that are linked (C17 6.2.2p2).
fn check_units(program: &Program, everything: &[Found], faults: &mut Faults) {
    let mut now = 0;
    for &found in everything {
        if let Found::Item { unit, .. } = found {
            now = unit as u32;
        }
        let Some((decl, _)) = decl_of(program, found) else { continue };
        let decl = &program.decls[decl];
        let (unit, linked) = match decl.entity {
            Entity::Object(object) => {
                (program.objects[object].unit, program.objects[object].linkage != Linkage::None)
            }
            Entity::Function(func) => (program.funcs[func].unit, true),
            Entity::Typedef(_) | Entity::Bounds => continue,
        };
        faults.require(unit == now, "D-linkage", || format!("{:?} is of another unit", decl.entity));
        faults.require(linked || decl.storage != Storage::Extern, "D-linkage", || {
            format!("{:?} is extern, and has no linkage", decl.entity)
        });
    }
}

/// A nested function is defined in the block that declares it.
fn check_nested(program: &Program, everything: &[Found], faults: &mut Faults) {
    let mut blocks: FxHashMap<FuncId, (StmtId, bool)> = FxHashMap::default();
    for found in everything {
        let Found::Part(Part { node: Node::Stmt(block), .. }) = *found else { continue };
        let StmtKind::Compound(list) = program.stmts[block].kind else { continue };
        for &s in program.block(list) {
            let StmtKind::Item(Item::Decl(decl)) = program.stmts[s].kind else { continue };
            let decl = &program.decls[decl];
            let Entity::Function(func) = decl.entity else { continue };
            if !decl.body && decl.storage != Storage::Auto {
                continue;
            }
            let (first, defined) = blocks.entry(func).or_insert((block, false));
            // gcc forgets the definition when a declaration follows.
            faults.require(*first == block && !*defined, "N-declare", || {
                format!("{func:?} is declared in two blocks, or after its definition")
            });
            *defined |= decl.body;
        }
    }
    let undefined = blocks.iter().filter(|(_, (_, defined))| !defined).map(|(&func, _)| func).min();
    if let Some(func) = undefined {
        faults.add("N-declare", || format!("{func:?} is declared in a block that does not define it"));
    }
}

/// The bound of an array is evaluated where its type is declared, so no other function has it.
fn check_bounds(program: &Program, everything: &[Found], faults: &mut Faults) {
    if program.types.vlas.is_empty() {
        return;
    }
    // Nested functions come inside the item of the one around them, and may have its bounds.
    let mut item = 0;
    let mut first: FxHashMap<VlaId, usize> = FxHashMap::default();
    for &found in everything {
        let mut written: Vec<Type> = Vec::new();
        match found {
            Found::Item { .. } => item += 1,
            Found::Part(Part { node: Node::Expr(e), .. }) => {
                written.extend(visit::written_type(&program.exprs[e]));
                if let ExprKind::CompoundLiteral(object) = program.exprs[e].kind {
                    written.push(program.objects[object].ty);
                }
            }
            Found::Part(Part { node: Node::Function(func), .. }) => {
                written.extend(program.funcs[func].params.iter().map(|&param| program.objects[param].ty));
            }
            Found::Part(_) => {}
        }
        written.extend(decl_of(program, found).map(|(decl, _)| program.decls[decl].ty));
        for ty in written {
            visit::bounds(program, ty, |vla, _| {
                let here = *first.entry(vla).or_insert(item) == item;
                faults.require(here, "D-bound", || {
                    format!("{vla:?} is the bound of an array in two functions")
                });
            });
        }
    }
}

fn check_types(program: &Program, everything: &[Found], own: &FxHashSet<ExprId>, faults: &mut Faults) {
    let mut known = vec![Known::default(); program.objects.len() + program.funcs.len()];
    let mut varied = false;
    // Declarations that are no part of the program do no harm here.
    for (_, decl) in program.decls.iter() {
        let Some(at) = place(program, decl) else { continue };
        let (all, ty) = (&mut known[at].all, said(program, decl));
        if !all.contains(&ty) {
            all.push(ty);
            varied |= all.len() > 1;
        }
    }
    // An array that no declaration gives a length has one element at the end of its unit, and nowhere before (C17
    // 6.9.2p5).
    for (id, object) in program.objects.iter() {
        let all = &mut known[id.index()].all;
        if len(&program.types, object.ty).is_some_and(|len| len != Len::Unknown)
            && !all.is_empty()
            && all.iter().all(|&ty| len(&program.types, ty) == Some(Len::Unknown))
        {
            all.push(object.ty);
            varied = true;
        }
    }
    if !varied {
        return;
    }
    everything.iter().for_each(|&found| {
        if let Some((at, ty, at_file)) = declaration(program, found)
            && known[at].all.len() > 1
        {
            known[at].so_far.push((ty, at_file));
        }
        let Found::Part(part) = found else { return };
        let Node::Expr(e) = part.node else { return };
        let expr = &program.exprs[e];
        if own.contains(&e) {
            return;
        }
        let at = match expr.kind {
            ExprKind::Object(object) => object.index(),
            ExprKind::Function(func) => program.objects.len() + func.index(),
            _ => return,
        };
        let Known { all, so_far } = &known[at];
        // One that is the type of no declaration is that of several together, and of what a call implies.
        if all.len() < 2 || !all.contains(&expr.ty) || so_far.is_empty() {
            return;
        }
        let heard = so_far.iter().any(|&(ty, _)| ty == expr.ty);
        let all_of_it = so_far.iter().all(|&(ty, at_file)| !at_file || knows(&program.types, expr.ty, ty));
        faults.require(heard && all_of_it, "N-declare", || {
            format!("{e:?} does not have the type of the declarations before it")
        });
    });
}

fn len(types: &Types, ty: Type) -> Option<Len> {
    match types.kind(ty) {
        TypeKind::Array { len, .. } => Some(len),
        _ => None,
    }
}

/// Where what a declaration declares is noted, its type, and whether it is at file scope.
fn declaration(program: &Program, found: Found) -> Option<(usize, Type, bool)> {
    let (decl, at_file) = decl_of(program, found)?;
    let decl = &program.decls[decl];
    Some((place(program, decl)?, said(program, decl), at_file))
}

/// A declaration, and whether it is at file scope.
fn decl_of(program: &Program, found: Found) -> Option<(DeclId, bool)> {
    match found {
        Found::Item { item: Item::Decl(decl), .. } => Some((decl, true)),
        Found::Part(Part { node: Node::Stmt(s), .. }) => match program.stmts[s].kind {
            StmtKind::Item(Item::Decl(decl)) => Some((decl, false)),
            _ => None,
        },
        _ => None,
    }
}

/// The type that a declaration and its initialiser give.
fn said(program: &Program, decl: &Decl) -> Type {
    match decl.entity {
        Entity::Object(object) if grows(program, decl) => program.objects[object].ty,
        _ => decl.ty,
    }
}

/// Where what has linkage is noted.
fn place(program: &Program, decl: &Decl) -> Option<usize> {
    match decl.entity {
        Entity::Object(object) if program.objects[object].linkage != Linkage::None => Some(object.index()),
        Entity::Function(func) => Some(program.objects.len() + func.index()),
        Entity::Object(_) | Entity::Typedef(_) | Entity::Bounds => None,
    }
}

/// Whether one of two compatible types says all that the other does.
fn knows(types: &Types, a: Type, b: Type) -> bool {
    let mut work = vec![(a, b)];
    let mut steps = 0;
    while let Some((a, b)) = work.pop() {
        steps += 1;
        // Types are bounded in depth, not in how often a part comes.
        if a == b || steps > 1_000 {
            continue;
        }
        match (types.kind(a), types.kind(b)) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => work.push((a, b)),
            (TypeKind::Array { elem: a, len }, TypeKind::Array { elem: b, len: other }) => {
                if !matches!(len, Len::Fixed(_)) && matches!(other, Len::Fixed(_)) {
                    return false;
                }
                work.push((a, b));
            }
            (TypeKind::Function(a), TypeKind::Function(b)) => {
                let (a, b) = (types.signature(a), types.signature(b));
                if b.prototype && !a.prototype {
                    return false;
                }
                work.push((a.ret, b.ret));
                work.extend(a.params.iter().copied().zip(b.params.iter().copied()));
            }
            _ => {}
        }
    }
    true
}
