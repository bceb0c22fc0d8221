//! The rule of names: the text says what the program means.

use super::Faults;
use crate::program::Program;
use crate::scope::{Named, Point, Scopes};

/// Checks every use of a name that is part of the program.
pub(super) fn check(program: &Program, faults: &mut Faults) {
    let scopes = Scopes::of(program);
    for (id, expr) in program.exprs.iter() {
        let Some(named) = Named::by(expr) else { continue };
        let name = named.name(program);
        let point = Point::At(id);
        if !scopes.contains(point) {
            continue;
        }
        match name {
            Some(name) => faults.require(scopes.reaches(point, name) == Some(named), "N-reach", || {
                format!("'{}' means something else, or nothing, where {id:?} stands", program.name(name))
            }),
            None => faults.add("N-reach", || format!("{id:?} uses an object without a name")),
        }
    }
}
