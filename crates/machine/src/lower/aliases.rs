//! Names that attributes make aliases of others.

use howler_lang::program::{Attr, FuncId, ObjId, Program};
use howler_lang::visit::{self, Mention};

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
