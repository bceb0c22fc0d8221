//! Questions about expressions and types that are expressions themselves: `sizeof`, `_Alignof`, `offsetof`,
//! `va_arg`, statement expressions; and the questions the builders ask.

use super::{Built, Cx, Violation};
use crate::fold;
use crate::layout;
use crate::program::{ExprId, ExprKind, PathId, Program, StmtId, StmtKind, UnaryOp};
use crate::source::Pos;
use crate::ty::{Type, TypeKind};

/// Whether `e` designates an object (C17 6.3.2.1p1). A function designator is none.
#[inline]
pub fn is_lvalue(program: &Program, e: ExprId) -> bool {
    let mut e = e;
    loop {
        let expr = &program.exprs[e];
        return match expr.kind {
            ExprKind::Object(_) | ExprKind::CompoundLiteral(_) | ExprKind::Str(_) | ExprKind::FuncName(_) => {
                true
            }
            ExprKind::Unary(UnaryOp::Deref, _) => !program.types.is_function(expr.ty),
            ExprKind::Index { base, .. } => {
                if program.types.pointee(program.ty(base)).is_some() {
                    true
                } else {
                    e = base;
                    continue;
                }
            }
            ExprKind::Member { base, .. } => {
                e = base;
                continue;
            }
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, of) => {
                e = of;
                continue;
            }
            _ => false,
        };
    }
}

/// Whether `e` is a member that is a bit-field.
pub fn is_bitfield(program: &Program, e: ExprId) -> bool {
    bitfield_width(program, e).is_some()
}

fn bitfield_width(program: &Program, e: ExprId) -> Option<u32> {
    let ExprKind::Member { base, field } = program.exprs[e].kind else { return None };
    let record = program.types.as_record(program.ty(base))?;
    program.types.records[record].fields[field as usize].bits.map(u32::from)
}

/// The width of the bit-field whose value `e` is: clang looks through reads, assignments and commas.
pub(super) fn source_bitfield(program: &Program, e: ExprId) -> Option<u32> {
    let mut e = e;
    loop {
        match program.exprs[e].kind {
            ExprKind::Convert(crate::program::Conv::Load, inner) => e = inner,
            ExprKind::Assign(lhs, _) | ExprKind::Compound { lhs, .. } => e = lhs,
            ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec, inner) => e = inner,
            ExprKind::Comma(_, last) => e = last,
            _ => return bitfield_width(program, e),
        }
    }
}

fn check_sized(cx: &mut Cx, of: Type, what: &str, pos: Pos) -> Result<(), Box<Violation>> {
    let types = cx.types();
    if types.is_function(of) {
        return cx.tolerate(pos, |_| format!("invalid application of '{what}' to a function type"));
    }
    if types.is_void(of) {
        return cx.tolerate(pos, |_| format!("invalid application of '{what}' to a void type"));
    }
    let aligned = what != "sizeof" && element_complete(cx, of);
    if !types.is_complete(of) && !aligned {
        let name = cx.name(of);
        return cx.reject(pos, format!("invalid application of '{what}' to incomplete type '{name}'"));
    }
    Ok(())
}

/// An array of unknown bound has an alignment though it has no size.
fn element_complete(cx: &Cx, ty: Type) -> bool {
    match cx.types().kind(ty) {
        TypeKind::Array { elem, .. } => cx.types().is_complete(elem),
        _ => false,
    }
}

/// `sizeof(of)` (C17 6.5.3.4).
pub fn sizeof_type(cx: &mut Cx, of: Type, pos: Pos) -> Built {
    check_sized(cx, of, "sizeof", pos)?;
    let ty = layout::integers::size_type(&cx.program.target);
    Ok(cx.push(ExprKind::SizeofType(of), ty, pos))
}

/// `sizeof e`: the operand is not converted.
pub fn sizeof_expr(cx: &mut Cx, e: ExprId, pos: Pos) -> Built {
    if is_bitfield(cx.program, e) {
        return cx.reject(pos, "'sizeof' applied to a bit-field");
    }
    check_sized(cx, cx.ty(e), "sizeof", pos)?;
    let ty = layout::integers::size_type(&cx.program.target);
    Ok(cx.push(ExprKind::SizeofExpr(e), ty, pos))
}

/// `_Alignof(of)`, or `__alignof__(of)` if `preferred`.
pub fn alignof_type(cx: &mut Cx, of: Type, preferred: bool, pos: Pos) -> Built {
    check_sized(cx, of, if preferred { "__alignof__" } else { "_Alignof" }, pos)?;
    let ty = layout::integers::size_type(&cx.program.target);
    Ok(cx.push(ExprKind::AlignofType { of, preferred }, ty, pos))
}

/// `__alignof__ e`.
pub fn alignof_expr(cx: &mut Cx, e: ExprId, preferred: bool, pos: Pos) -> Built {
    let what = if preferred { "__alignof__" } else { "_Alignof" };
    if is_bitfield(cx.program, e) {
        return cx.reject(pos, format!("'{what}' applied to a bit-field"));
    }
    check_sized(cx, cx.ty(e), what, pos)?;
    let ty = layout::integers::size_type(&cx.program.target);
    Ok(cx.push(ExprKind::AlignofExpr { of: e, preferred }, ty, pos))
}

/// `__builtin_offsetof(ty, path)`; the path was checked when it was made.
pub fn offsetof(cx: &mut Cx, ty: Type, path: PathId, pos: Pos) -> Built {
    if !cx.types().is_complete(ty) {
        let name = cx.name(ty);
        return cx.reject(pos, format!("invalid use of undefined type '{name}'"));
    }
    let size = layout::integers::size_type(&cx.program.target);
    Ok(cx.push(ExprKind::Offsetof(ty, path), size, pos))
}

/// `__builtin_va_arg(list, ty)` (C17 7.16.1.1).
pub fn va_arg(cx: &mut Cx, list: ExprId, ty: Type, pos: Pos) -> Built {
    if !is_va_list(cx, cx.ty(list)) {
        return cx.reject(pos, "first argument to 'va_arg' not of type 'va_list'");
    }
    if !cx.types().is_complete(ty) {
        let name = cx.name(ty);
        return cx.reject(pos, format!("second argument to 'va_arg' is of incomplete type '{name}'"));
    }
    if cx.types().is_function(ty) {
        return cx.reject(pos, "second argument to 'va_arg' is a function type");
    }
    let ty = cx.types().strip(ty).bare();
    Ok(cx.push(ExprKind::VaArg(list), ty, pos))
}

/// Whether `ty` is `va_list`, as declared or as a parameter has it after adjustment.
pub(super) fn is_va_list(cx: &Cx, ty: Type) -> bool {
    let types = cx.types();
    let elem = match types.kind(ty) {
        TypeKind::Array { elem, .. } => elem,
        TypeKind::Pointer(to) => to,
        _ => return false,
    };
    match types.as_record(elem) {
        Some(id) => types.records[id].va_list_tag,
        None => cx.program.target.arch == crate::target::Arch::I386 && types.strip(elem).bare() == Type::CHAR,
    }
}

/// `({ … })`: the value of the last statement if it is an expression, `void` otherwise (GNU).
pub fn stmt_expr(cx: &mut Cx, body: StmtId, pos: Pos) -> ExprId {
    let ty = match cx.program.stmts[body].kind {
        StmtKind::Compound(list) => {
            cx.program.block(list).last().map_or(Type::VOID, |&last| last_type(cx, last))
        }
        _ => Type::VOID,
    };
    cx.push(ExprKind::StmtExpr(body), ty, pos)
}

fn last_type(cx: &Cx, last: StmtId) -> Type {
    let mut last = last;
    loop {
        match cx.program.stmts[last].kind {
            StmtKind::Expr(e) => return cx.ty(e),
            StmtKind::Label(_, inner) => last = inner,
            _ => return Type::VOID,
        }
    }
}

/// The value of `e` where C asks for an integer constant expression: a `case`, an enumerator, the width of a bit-field.
/// If strict it is one by the letter of C17 6.6p6, and no operation in it overflows (6.6p4); else what gcc folds will
/// do, with a note.
pub fn integer_constant(cx: &mut Cx, e: ExprId, pos: Pos) -> Result<i128, Box<Violation>> {
    if let Some(value) = fold::exact_integer(cx.program, e) {
        return Ok(value);
    }
    let Some(value) = fold::integer(cx.program, e) else {
        return cx.reject(pos, "expression is not an integer constant expression");
    };
    if fold::overflows(cx.program, e) {
        cx.tolerate(pos, |_| "overflow in constant expression".to_owned())?;
    } else {
        cx.forbid(pos, "expression is not an integer constant expression")?;
    }
    Ok(value)
}
