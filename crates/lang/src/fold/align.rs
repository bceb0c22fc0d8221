//! What `_Alignof` and `__alignof__` give, for types and for expressions.

use super::Const;
use crate::program::{AttrArg, Conv, ExprId, ExprKind, FuncId, Program, UnaryOp};
use crate::target::Compiler;
use crate::ty::Type;

/// The alignment of a type; `preferred` if the spelling is `__alignof__`.
pub(super) fn of_type(program: &Program, of: Type, preferred: bool) -> Option<Const> {
    let layouts = &program.layouts;
    let align = if preferred {
        layouts.preferred_align_of(&program.types, of)
    } else {
        layouts.align_of(&program.types, of)
    };
    align.map(|align| Const::Num(u128::from(align)))
}

/// The alignment of an expression: a variable's or member's own where it has one. gcc gives the preferred alignment
/// for both spellings, and so does clang for what is declared.
pub(super) fn of_expr(program: &Program, of: ExprId, preferred: bool) -> Option<Const> {
    let gcc = program.target.compiler == Compiler::Gcc;
    let ty = program.ty(of);
    match program.exprs[of].kind {
        // `aligned` on a variable replaces the alignment of its type, upwards or downwards.
        ExprKind::Object(obj) if program.objects[obj].align != 0 => {
            Some(Const::Num(u128::from(program.objects[obj].align)))
        }
        ExprKind::Object(_) | ExprKind::EnumConst(_) => of_type(program, ty, true),
        ExprKind::Function(func) if function_align(program, func) != 0 => {
            Some(Const::Num(u128::from(function_align(program, func))))
        }
        ExprKind::Member { base, field } => {
            let record = &program.types.records[program.types.as_record(program.ty(base))?];
            let field = &record.fields[field as usize];
            let natural = match field.packed || record.packed {
                true => 1,
                false => program.layouts.align_of(&program.types, field.ty)?,
            };
            let limit = if record.pack == 0 { u64::MAX } else { u64::from(record.pack) };
            Some(Const::Num(u128::from(natural.max(u64::from(field.align)).min(limit))))
        }
        ExprKind::Unary(UnaryOp::Deref, pointer) if gcc => Some(Const::Num(of_pointee(program, pointer))),
        _ => of_type(program, ty, preferred || gcc),
    }
}

/// The strictest `aligned` of a function's declarations, or 0.
pub fn function_align(program: &Program, func: FuncId) -> u32 {
    let asked = program.funcs[func].attrs.iter().filter(|attr| program.name(attr.name) == "aligned");
    let value = asked.filter_map(|attr| match attr.args[..] {
        [AttrArg::Int(align)] => u32::try_from(align).ok(),
        _ => None,
    });
    value.max().unwrap_or(0)
}

/// The alignment gcc knows for what a pointer points to: it looks through casts for the strictest.
fn of_pointee(program: &Program, mut pointer: ExprId) -> u128 {
    let mut best = 1;
    while let Some(to) = program.types.pointee(program.ty(pointer)) {
        if let Some(Const::Num(align)) = of_type(program, to, true) {
            best = best.max(align);
        }
        match program.exprs[pointer].kind {
            ExprKind::Cast(Conv::PointerToPointer | Conv::Same, inner) => pointer = inner,
            _ => break,
        }
    }
    best
}
