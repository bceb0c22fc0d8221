//! An expression made again by `build`, with another operand.

use crate::build::{self, Built, Cx, Policy, Violation};
use crate::builtin;
use crate::program::{ExprId, ExprKind, PathStep, Program};
use crate::source::Pos;

/// Whether the source does not show a node: an implicit conversion, or a step through an unnamed member
/// (C17 6.7.2.1p13).
pub(super) fn is_silent(program: &Program, e: ExprId) -> bool {
    match program.exprs[e].kind {
        ExprKind::Convert(..) => true,
        ExprKind::Member { base, field } => match program.types.as_record(program.ty(base)) {
            Some(record) => program.types.records[record].fields[field as usize].name.is_none(),
            None => false,
        },
        _ => false,
    }
}

/// An operand as the grammar has it: without what the source does not show.
pub(super) fn raw(program: &Program, mut e: ExprId) -> ExprId {
    while is_silent(program, e) {
        match program.exprs[e].kind {
            ExprKind::Convert(_, inner) | ExprKind::Member { base: inner, .. } => e = inner,
            _ => break,
        }
    }
    e
}

/// Makes `e` again with `new` for its operand `old`, as strictly as it was made: a seed may have what compilers only
/// warn about.
pub(super) fn remake(program: &mut Program, e: ExprId, old: ExprId, new: ExprId) -> Built {
    remake_with(program, e, &|program, slot| if slot == old { new } else { raw(program, slot) })
}

/// Makes `e` again with other operands: what `operand` says of each.
pub(super) fn remake_with(program: &mut Program, e: ExprId, operand: Operands<'_>) -> Built {
    let strict = again(&mut Cx::strict(program), e, operand);
    if strict.is_ok() || again(&mut Cx::strict(program), e, &raw).is_ok() {
        return strict;
    }
    let mut cx = Cx { program, policy: Policy::Lenient, warnings: Vec::new() };
    again(&mut cx, e, operand)
}

/// What stands for an operand now, as the grammar has it.
pub(super) type Operands<'a> = &'a dyn Fn(&Program, ExprId) -> ExprId;

fn again(cx: &mut Cx, e: ExprId, now: Operands<'_>) -> Built {
    let expr = cx.program.exprs[e];
    let pos = expr.pos;
    let operand = |cx: &Cx, slot: ExprId| now(cx.program, slot);
    match expr.kind {
        ExprKind::Member { base, field } => {
            let name = cx.program.types.as_record(cx.program.ty(base)).and_then(|record| {
                cx.program.types.records[record].fields.get(field as usize).and_then(|field| field.name)
            });
            let Some(name) = name else { return refuse(pos, "a member without a name") };
            let base = operand(cx, base);
            build::member(cx, base, name, false, pos)
        }
        ExprKind::Index { base, index } => {
            let (base, index) = (operand(cx, base), operand(cx, index));
            build::index(cx, base, index, pos)
        }
        ExprKind::Unary(op, a) => {
            let a = operand(cx, a);
            build::unary(cx, op, a, pos)
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (operand(cx, a), operand(cx, b));
            build::binary(cx, op, a, b, pos)
        }
        ExprKind::Assign(a, b) => {
            let (a, b) = (operand(cx, a), operand(cx, b));
            build::assign(cx, a, b, pos)
        }
        ExprKind::Compound { op, lhs, rhs, .. } => {
            let (lhs, rhs) = (operand(cx, lhs), operand(cx, rhs));
            build::compound_assign(cx, op, lhs, rhs, pos)
        }
        ExprKind::Cond(c, a, b) => {
            let (c, a, b) = (operand(cx, c), operand(cx, a), operand(cx, b));
            build::cond(cx, c, a, b, pos)
        }
        ExprKind::Elvis(a, b) => {
            let (a, b) = (operand(cx, a), operand(cx, b));
            build::elvis(cx, a, b, pos)
        }
        ExprKind::Comma(a, b) => {
            let (a, b) = (operand(cx, a), operand(cx, b));
            build::comma(cx, a, b, pos)
        }
        ExprKind::Cast(_, a) => {
            let a = operand(cx, a);
            build::cast(cx, expr.ty, a, pos)
        }
        ExprKind::Call(callee, args) => {
            let callee = operand(cx, callee);
            let args: Vec<ExprId> = cx.program.list(args).iter().map(|&arg| operand(cx, arg)).collect();
            build::call(cx, callee, &args, pos)
        }
        ExprKind::Builtin(which, args) => {
            let args: Vec<ExprId> = cx.program.list(args).iter().map(|&arg| operand(cx, arg)).collect();
            match *args {
                [vector] if which == builtin::CONVERTVECTOR => {
                    build::convert_vector(cx, vector, expr.ty, pos)
                }
                _ => build::builtin(cx, which, &args, pos),
            }
        }
        ExprKind::SizeofExpr(a) => {
            let a = operand(cx, a);
            build::sizeof_expr(cx, a, pos)
        }
        ExprKind::AlignofExpr { of, preferred } => {
            let of = operand(cx, of);
            build::alignof_expr(cx, of, preferred, pos)
        }
        ExprKind::Offsetof(ty, path) => {
            let mut path = cx.program.paths[path].clone();
            for step in &mut path {
                if let PathStep::Index(index) = step {
                    let raw = operand(cx, *index);
                    *index = build::value(cx, raw)?;
                    if !cx.program.types.is_integer(cx.program.ty(*index)) {
                        return refuse(pos, "array subscript is not an integer");
                    }
                }
            }
            let path = cx.program.paths.push(path);
            build::offsetof(cx, ty, path, pos)
        }
        ExprKind::VaArg(list) => {
            let list = operand(cx, list);
            build::va_arg(cx, list, expr.ty, pos)
        }
        ExprKind::StmtExpr(body) => Ok(build::stmt_expr(cx, body, pos)),
        ExprKind::CompoundLiteral(object) => Ok(build::compound_literal(cx, object, pos)),
        ExprKind::Imaginary(_)
        | ExprKind::Convert(..)
        | ExprKind::Int { .. }
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::FuncName(_)
        | ExprKind::EnumConst(_)
        | ExprKind::Object(_)
        | ExprKind::Function(_)
        | ExprKind::SizeofType(_)
        | ExprKind::AlignofType { .. }
        | ExprKind::LabelAddr(_) => refuse(pos, "this has no operand that can be another"),
    }
}

fn refuse(pos: Pos, message: &str) -> Built {
    Err(Box::new(Violation { pos, message: message.to_owned() }))
}
