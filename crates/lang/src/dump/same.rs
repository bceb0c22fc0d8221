//! Whether two definitions of a function in two units are one in all but place.

use super::{Dumper, Step};
use crate::correspond;
use crate::program::{Duration, FuncId, Linkage, ObjId, Program};
use crate::ty::TypeKind;

/// Whether two functions do the same: their parameters and bodies have one text, what they name outside is the same, and
/// their types correspond (C17 6.2.7p1). False if in doubt.
pub fn same_function(program: &Program, a: FuncId, b: FuncId) -> bool {
    let (first, second) = (dumped(program, a), dumped(program, b));
    let (Some(first), Some(second)) = (first, second) else { return false };
    let objects = || first.objects.order.iter().zip(&second.objects.order);
    let functions = || first.funcs.order.iter().zip(&second.funcs.order);
    let records = || first.records.order.iter().zip(&second.records.order);
    let enums = || first.enums.order.iter().zip(&second.enums.order);
    first.out == second.out
        && first.long_types == second.long_types
        && objects().all(|(&a, &b)| same_object(program, a, b))
        && functions().all(|(&a, &b)| same_callee(program, a, b))
        && records().all(|(&a, &b)| same_type(program, TypeKind::Record(a), TypeKind::Record(b)))
        && enums().all(|(&a, &b)| same_type(program, TypeKind::Enum(a), TypeKind::Enum(b)))
}

fn same_type(program: &Program, a: TypeKind, b: TypeKind) -> bool {
    match (program.types.known(a), program.types.known(b)) {
        (Some(a), Some(b)) => correspond::compatible(program, a, b),
        _ => false,
    }
}

fn dumped(program: &Program, func: FuncId) -> Option<Dumper<'_>> {
    let function = &program.funcs[func];
    let mut dumper = Dumper::new(program);
    for &param in &function.params {
        dumper.object(param);
        dumper.ty(program.objects[param].ty);
    }
    dumper.stack.push(Step::Stmt(function.body?));
    dumper.run(0);
    Some(dumper)
}

fn same_object(program: &Program, a: ObjId, b: ObjId) -> bool {
    let (first, second) = (&program.objects[a], &program.objects[b]);
    let one = match (first.linkage, second.linkage) {
        (Linkage::External, Linkage::External) => {
            first.linked.unwrap_or(a) == second.linked.unwrap_or(b) || first.name == second.name
        }
        (Linkage::None, Linkage::None) => {
            matches!(first.duration, Duration::Automatic | Duration::Parameter)
                && first.duration == second.duration
        }
        _ => false,
    };
    one && correspond::compatible(program, first.ty, second.ty)
}

fn same_callee(program: &Program, a: FuncId, b: FuncId) -> bool {
    let (first, second) = (&program.funcs[a], &program.funcs[b]);
    first.linkage == Linkage::External
        && second.linkage == Linkage::External
        && first.name == second.name
        && correspond::compatible(program, first.ty, second.ty)
}
