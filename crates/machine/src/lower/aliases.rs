//! Names that attributes make aliases of others.

use super::{Promises, has_qualified_part};
use howler_lang::program::{Attr, FuncId, ObjId, Program};
use howler_lang::ty::Quals;
use howler_lang::visit::{self, Mention};
use rustc_hash::FxHashMap;

/// What something with these attributes is an alias of.
fn aliased(program: &Program, unit: u32, attrs: &[Attr]) -> Option<Mention> {
    let attr = attrs.iter().find(|attr| program.name(attr.name) == "alias")?;
    visit::attr_target(program, unit, attr)
}

/// How many aliases are followed: they may have aliases, and two may name each other.
const ALIASES: usize = 16;

/// The object that another is in the end an alias of, or the object itself.
pub(super) fn aliased_object(program: &Program, object: ObjId) -> ObjId {
    let next = |&object: &ObjId| {
        let object = &program.objects[object];
        match aliased(program, object.unit, &object.attrs)? {
            Mention::Object(other) => Some(other),
            _ => None,
        }
    };
    std::iter::successors(Some(object), next).take(ALIASES).last().unwrap_or(object)
}

/// The function that another is in the end an alias of, or the function itself.
pub(super) fn aliased_function(program: &Program, func: FuncId) -> FuncId {
    let next = |&func: &FuncId| {
        let func = &program.funcs[func];
        match aliased(program, func.unit, &func.attrs)? {
            Mention::Function(other) => Some(other),
            _ => None,
        }
    };
    std::iter::successors(Some(func), next).take(ALIASES).last().unwrap_or(func)
}

/// How the type of an alias differs from that of its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Retyped {
    /// The two are not compatible.
    Incompatible,
    /// The alias is const, and the object may change: gcc keeps what it has read, clang does not.
    Const,
}

/// Whether an object is an alias of one of another type.
pub(super) fn retyped(program: &Program, object: ObjId) -> Option<Retyped> {
    let alias = program.objects[object].linked.unwrap_or(object);
    if program.objects[alias].attrs.is_empty() {
        return None;
    }
    let target = aliased_object(program, alias);
    if target == alias {
        return None;
    }
    let (named, real) = (program.objects[object].ty, program.objects[target].ty);
    if !howler_lang::compat::compatible_unqualified(&program.types, named, real) {
        return Some(Retyped::Incompatible);
    }
    let constant = |ty| has_qualified_part(program, ty, Quals::CONST);
    (constant(named) && !constant(real)).then_some(Retyped::Const)
}

/// What a function promises that is only an alias of another.
pub(super) fn promised_by_alias<'a>(
    program: &Program,
    promises: &'a FxHashMap<FuncId, Promises>,
    func: FuncId,
) -> Option<&'a Promises> {
    let alias = program.funcs[func].linked.unwrap_or(func);
    let own = promises.get(&alias)?;
    let target = aliased_function(program, alias);
    let kept = promises.get(&target).is_some_and(|promised| promised.covers(own));
    (target != alias && !kept).then_some(own)
}
