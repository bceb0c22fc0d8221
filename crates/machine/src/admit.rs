//! What is decided before a program runs: attributes that may pass, definitions that are missing, declarations that
//! do not fit each other.

use crate::outcome::{Outcome, Ub, Unsupported};
use crate::ub::UbKind;
use howler_lang::arith::Strength;
use howler_lang::program::{
    Attr, AttrArg, Entity, ExprKind, FaultKind, FuncId, Function, Linkage, ObjId, Program,
};
use howler_lang::source::Pos;
use howler_lang::target::Edition;
use howler_lang::{correspond, link};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Attributes without a meaning for behaviour, those that are modelled, and those whose promise is checked. Anything
/// else is not supported. Sorted.
const KNOWN: &[&str] = &[
    "access",
    "alias",
    "aligned",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cleanup",
    "cold",
    "const",
    "constructor",
    "deprecated",
    "designated_init",
    "destructor",
    "externally_visible",
    "fallthrough",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "malloc",
    "may_alias",
    "mode",
    "no_icf",
    "no_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_undefined",
    "no_stack_protector",
    "noclone",
    "nocommon",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "noreturn",
    "nothrow",
    "packed",
    "pure",
    "retain",
    "returns_nonnull",
    "returns_twice",
    "section",
    "sentinel",
    "transparent_union",
    "unavailable",
    "unused",
    "used",
    "vector_size",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused_result",
    "warning",
    "weak",
];

/// Objects of the library that have no definition in the program.
const LIBRARY_OBJECTS: &[&str] = &["__environ", "environ", "stderr", "stdin", "stdout"];

/// Those that are not modelled.
const OTHER_LIBRARY_OBJECTS: &[&str] = &[
    "daylight",
    "errno",
    "h_errno",
    "optarg",
    "opterr",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "signgam",
    "sys_errlist",
    "sys_nerr",
    "timezone",
    "tzname",
];

/// Promises that functions of the library keep, and nobody checks for those of a program.
const LIBRARY_KEEPS: [&str; 2] = ["alloc_align", "leaf"];

/// Why a linked program cannot be run, if it cannot. What is undefined by the letter only counts unless `letter` is set.
pub fn refusal(program: &Program, letter: bool) -> Option<Outcome> {
    mismatched_declarations(program, letter)
        .or_else(|| faulty_declarations(program, letter))
        .or_else(|| unknown_attributes(program))
        .or_else(|| asm_labels(program))
        .or_else(|| missing_definitions(program))
        .or_else(|| library_objects(program))
        .or_else(|| doubtful_enumerators(program))
        .or_else(|| weak_names(program))
}

fn unknown_attributes(program: &Program) -> Option<Outcome> {
    let unknown = |attrs: &[Attr]| {
        attrs.iter().find_map(|attr| {
            let name = program.name(attr.name);
            let passes = KNOWN.binary_search(&name).is_ok() || name == "optimize" && only_optimises(attr);
            (!passes).then(|| name.to_owned())
        })
    };
    let functions = program.funcs.iter().filter_map(|(_, func)| {
        let name = unknown(&func.attrs)?;
        let defined = |func: &Function| func.body.is_some();
        let here = defined(func) || func.linked.is_some_and(|target| defined(&program.funcs[target]));
        if !here && LIBRARY_KEEPS.contains(&name.as_str()) {
            return None;
        }
        (func.body.is_some() || is_own(program, func.pos)).then_some((name, func.pos))
    });
    let objects =
        program.objects.iter().filter_map(|(_, object)| Some((unknown(&object.attrs)?, object.pos)));
    let found = functions.chain(objects).next();
    let (name, pos) = found?;
    Some(unsupported(format!("attribute '{name}'"), pos))
}

/// Whether an attribute `optimize` names only levels and passes that keep the meaning of every program. `Ofast` and
/// options such as `-ffast-math` do not; `-fno-strict-aliasing` gives a meaning to programs that have none in C17.
fn only_optimises(attr: &Attr) -> bool {
    const LEVELS: [&str; 7] = ["O", "O0", "O1", "O2", "O3", "Os", "Og"];
    const PASSES: [&str; 5] = ["tree-", "inline", "ipa-", "unroll-", "omit-frame-pointer"];
    let neutral = |option: &str| {
        let option = option.trim().trim_start_matches('-');
        let pass = option.strip_prefix('f').unwrap_or(option);
        let pass = pass.strip_prefix("no-").unwrap_or(pass);
        LEVELS.contains(&option) || PASSES.iter().any(|start| pass.starts_with(start))
    };
    attr.args.iter().all(|arg| match arg {
        AttrArg::Int(level) => (0..=3).contains(level),
        AttrArg::Str(options) => options.split(',').all(neutral),
        AttrArg::Ident(_) => false,
    })
}

/// A name given by `asm` makes two names one; headers do so for the library's own ends, and what nobody uses has no
/// name to speak of.
fn asm_labels(program: &Program) -> Option<Outcome> {
    let is_used = |entity: Entity| match entity {
        Entity::Function(func) => {
            program.funcs[func].body.is_some()
                || program.exprs.iter().any(|(_, expr)| expr.kind == ExprKind::Function(func))
        }
        Entity::Object(_) => true,
        _ => false,
    };
    let mut labelled =
        program.decls.iter().filter(|(_, decl)| decl.asm_label.is_some() && is_own(program, decl.pos));
    let (_, decl) = labelled.find(|(_, decl)| is_used(decl.entity))?;
    Some(unsupported("a name given by asm".to_owned(), decl.pos))
}

/// Whether a place is in a file of the program, not in a header.
fn is_own(program: &Program, pos: Pos) -> bool {
    let place = program.sources.place(pos);
    place.is_none_or(|place| program.units.iter().any(|unit| unit.name == place.file))
}

fn unsupported(what: String, pos: Pos) -> Outcome {
    Outcome::Unsupported(Box::new(Unsupported { what, pos }))
}

/// Declarations of one object or function in two files must have compatible types (C17 6.2.7p2).
fn mismatched_declarations(program: &Program, letter: bool) -> Option<Outcome> {
    let mut objects: BTreeMap<ObjId, Vec<ObjId>> = BTreeMap::new();
    for (id, object) in program.objects.iter() {
        objects.entry(object.linked.unwrap_or(id)).or_default().extend(object.linked.map(|_| id));
    }
    let mut functions: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
    for (id, function) in program.funcs.iter().filter(|(_, function)| !function.implicit) {
        functions.entry(function.linked.unwrap_or(id)).or_default().extend(function.linked.map(|_| id));
    }
    let objects = objects.iter().flat_map(|(&target, ids)| {
        let agree =
            |a: ObjId, b: ObjId| correspond::objects_agree(program, &program.objects[a], &program.objects[b]);
        let place = |id: ObjId| (program.objects[id].unit, program.objects[id].pos);
        let clashes = correspond::clashes(target, ids, agree);
        clashes.into_iter().map(move |(a, b)| {
            let (late, early) = ordered(place(a), place(b));
            (UbKind::LinkType, late, Some(early))
        })
    });
    let functions = functions.iter().flat_map(|(&target, ids)| {
        let place = |id: FuncId| (program.funcs[id].unit, program.funcs[id].pos);
        let clashes = correspond::clashes(target, ids, |a, b| correspond::functions_agree(program, a, b));
        clashes.into_iter().map(move |(a, b)| {
            let alike = crate::exec::declared_alike(program, program.funcs[a].ty, program.funcs[b].ty);
            let kind = if alike { UbKind::LinkAlike } else { UbKind::LinkType };
            let (late, early) = ordered(place(a), place(b));
            (kind, late, Some(early))
        })
    });
    first_fault(objects.chain(functions), letter)
}

/// What units declare that compilers take and that is undefined.
fn faulty_declarations(program: &Program, letter: bool) -> Option<Outcome> {
    let faults = program.faults.iter().map(|fault| match fault.kind {
        FaultKind::BothLinkages => (UbKind::LinkBoth, fault.pos, None),
        FaultKind::IncompleteStatic => (UbKind::StaticIncomplete, fault.pos, None),
    });
    first_fault(faults, letter)
}

/// What is wrong with a declaration, where it is, and where the other one is that it does not fit.
type Fault = (UbKind, Pos, Option<Pos>);

/// The first that compilers use, or else the first.
fn first_fault(faults: impl Iterator<Item = Fault>, letter: bool) -> Option<Outcome> {
    let mut faults: Vec<Fault> = faults.collect();
    faults.sort_by_key(|(kind, ..)| kind.strength() == Strength::Letter);
    let counts = |&(kind, ..): &Fault| !letter || kind.strength() != Strength::Letter;
    let (kind, pos, other) = faults.into_iter().find(counts)?;
    let mut ub = Ub::new(kind, pos, String::new());
    ub.notes.extend(other.map(|other| (other, "the other declaration is here".to_owned())));
    Some(Outcome::Ub(Box::new(ub)))
}

/// Of two declarations, the place of the one in the later file, and that of the other.
fn ordered(a: (u32, Pos), b: (u32, Pos)) -> (Pos, Pos) {
    if a.0 > b.0 { (a.1, b.1) } else { (b.1, a.1) }
}

/// What the program uses and nobody defines (C17 6.9p5). What no compiler writes code for at any level (`if (0) f();`)
/// is not used.
fn missing_definitions(program: &Program) -> Option<Outcome> {
    let elsewhere = |name: &str| LIBRARY_OBJECTS.contains(&name) || crate::exec::is_library_name(name);
    let missing = link::missing(program, elsewhere, link::Roots::Written);
    let (pos, name) = missing.into_iter().find(|(_, name)| name != "main")?;
    if OTHER_LIBRARY_OBJECTS.contains(&name.as_str()) {
        return Some(unsupported(format!("the library's object '{name}'"), pos));
    }
    let place = match program.sources.place(pos) {
        Some(place) => format!(", which is used at {}:{}:{}", place.file, place.line, place.column),
        None => String::new(),
    };
    Some(Outcome::BadProgram(format!("no definition of '{name}'{place}")))
}

/// Constants of an enumeration that has values beyond `int`: those that fit have type `int` before gcc 13 and clang 20,
/// and the type of the enumeration since, as C23 wants it (C17 6.7.2.2p2 has no such enumerations).
fn doubtful_enumerators(program: &Program) -> Option<Outcome> {
    let types = &program.types;
    let mut doubtful = FxHashSet::default();
    for (_, all) in types.enums.iter() {
        let constants = || all.constants.iter().copied();
        if constants().any(|id| i32::try_from(types.enumerators[id].value).is_err()) {
            doubtful.extend(constants().filter(|&id| types.enumerators[id].ty != all.underlying.ty()));
        }
    }
    if doubtful.is_empty() {
        return None;
    }
    let used = program.exprs.iter().find(|(_, expr)| match expr.kind {
        ExprKind::EnumConst(id) => doubtful.contains(&id),
        _ => false,
    });
    let (_, expr) = used?;
    Some(unsupported("a constant of an enumeration that has values beyond 'int'".to_owned(), expr.pos))
}

/// Objects that a header declares and the library defines, but for the few that are modelled.
fn library_objects(program: &Program) -> Option<Outcome> {
    let mut named = program.exprs.iter().filter_map(|(_, expr)| match expr.kind {
        ExprKind::Object(id) => Some(id),
        _ => None,
    });
    let other = named.find(|&id| {
        let object = &program.objects[id];
        let name = object.name.map_or("", |name| program.name(name));
        let header = || program.sources.is_system(object.pos);
        object.linkage == Linkage::External
            && !program.objects[object.linked.unwrap_or(id)].defined
            && !LIBRARY_OBJECTS.contains(&name)
            && header()
    })?;
    let object = &program.objects[other];
    let name = object.name.map_or("", |name| program.name(name));
    Some(unsupported(format!("the library's object '{name}'"), object.pos))
}

/// A weak name that nothing defines has the address 0, unless a library has it after all.
fn weak_names(program: &Program) -> Option<Outcome> {
    let weak = |attrs: &[Attr]| {
        let has = |wanted: &str| attrs.iter().any(|attr| program.name(attr.name) == wanted);
        has("weak") && !has("alias")
    };
    let pos = program.exprs.iter().find_map(|(_, expr)| match expr.kind {
        ExprKind::Object(id) => {
            let object = &program.objects[id];
            let defined = object.defined || object.linked.is_some_and(|other| program.objects[other].defined);
            (!defined && weak(&object.attrs)).then_some(expr.pos)
        }
        ExprKind::Function(id) => {
            let function = &program.funcs[id];
            let body = |function: &Function| function.body.is_some();
            let defined = body(function) || function.linked.is_some_and(|other| body(&program.funcs[other]));
            (!defined && weak(&function.attrs)).then_some(expr.pos)
        }
        _ => None,
    })?;
    Some(unsupported("a weak name without a definition".to_owned(), pos))
}

/// Whether a function's body here is only an inline definition (C17 6.7.4p7).
pub fn is_inline_definition(program: &Program, func: &Function) -> bool {
    let gnu = func.attrs.iter().any(|attr| program.name(attr.name) == "gnu_inline");
    func.body.is_some()
        && func.inline
        && !func.external_decl
        && func.linkage == Linkage::External
        && !gnu
        && program.target.std.edition > Edition::C89
}

#[cfg(test)]
mod tests {
    use super::*;
    use howler_lang::id::Id;

    #[test]
    fn levels_pass_and_what_changes_results_does_not() {
        let attr = |args: Vec<AttrArg>| Attr { name: howler_lang::symbol::Symbol::from_index(0), args };
        let text = |text: &str| only_optimises(&attr(vec![AttrArg::Str(text.to_owned())]));
        assert!(only_optimises(&attr(vec![AttrArg::Int(0)])));
        assert!(text("O2") && text("-Os,no-tree-vectorize") && text("-fno-inline"));
        assert!(!only_optimises(&attr(vec![AttrArg::Int(9)])));
        for refused in ["Ofast", "fast-math", "-fno-strict-aliasing", "wrapv", "O2,trapv", ""] {
            assert!(!text(refused), "{refused}");
        }
    }

    #[test]
    fn known_attributes_are_sorted() {
        assert!(KNOWN.is_sorted());
        assert!(LIBRARY_OBJECTS.is_sorted());
    }
}
