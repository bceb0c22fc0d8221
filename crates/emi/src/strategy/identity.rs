//! Identities (§6.1): an expression becomes another of the same value, `e + z`, `e ^ z`, `e | z`, `e * one`, `z ? x : e`,
//! where `z` and `one` are built from what was seen at the point, so that no compiler can see what they are.
//!
//! What is seen before a statement is true in its expression as long as nothing there changes a variable: no calls, and
//! no side effect but the assignment that comes last (C17 6.5.16p3).

use howler_choices::Choices;
use howler_lang::arith::{self, Num};
use howler_lang::build::Built;
use howler_lang::compose::Composer;
use howler_lang::edit::{Edit, Operand};
use howler_lang::program::{
    BinaryOp, Conv, Entity, ExprId, ExprKind, Item, Program, StmtId, StmtKind, UnaryOp,
};
use howler_lang::ty::TypeKind;
use howler_lang::visit::{self, Node, Role, Walk};

use crate::env::is_plain_field;
use crate::predicate::predicate;
use crate::site::{Proposal, Site, Step};
use crate::syn::Syn;

/// Changes one expression of the statement at the point.
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let candidates = candidates(site.edited.program(), site.at);
    let &e = choices.pick("expression", &candidates)?;
    let (env, atoms) = (site.env, site.atoms);
    let way = choices.range("identity", 0..=6u32);
    let mut any = false;
    let code = site.edited.expression(|c| {
        let truth = matches!(way, 3 | 5);
        let Some(known) = predicate(&mut Syn::new(c), env, atoms, choices, truth)? else { return Ok(e) };
        any = true;
        changed(c, (e, known), (way, truth), choices)
    });
    let code = code.ok().filter(|_| any)?;
    let at = site.edited.expr(e);
    let edit = Edit::Replace { at, with: Operand::Code(code) };
    Some(Proposal::new(vec![Step::Plain(edit)], 8))
}

/// An expression changed by a condition that is 1 with `truth` and else 0, in one of seven ways; of a larger number it is
/// a conditional expression.
pub(super) fn changed(
    c: &mut Composer,
    (e, known): (ExprId, ExprId),
    (way, truth): (u32, bool),
    choices: &mut Choices,
) -> Built {
    let ty = c.program.ty(e);
    let float = c.program.types.is_float(ty);
    match way {
        0..=2 if float => c.binary(BinaryOp::Sub, e, known),
        0 => c.binary(BinaryOp::Add, e, known),
        1 => c.binary(BinaryOp::BitXor, e, known),
        2 => c.binary(BinaryOp::BitOr, e, known),
        3 => c.binary(BinaryOp::Mul, e, known),
        6 => c.binary(BinaryOp::Sub, e, known),
        _ => {
            let bare = c.program.types.strip(ty).bare();
            let number = c.int(choices.range("number", -9..=9i128))?;
            let other = c.cast(bare, number)?;
            if truth { c.cond(known, e, other) } else { c.cond(known, other, e) }
        }
    }
}

/// Expressions of a statement that are evaluated when it is reached, at most once, with the values that were seen then.
pub(super) fn candidates(program: &Program, at: StmtId) -> Vec<ExprId> {
    let root = match program.stmts[at].kind {
        StmtKind::Expr(e) => e,
        StmtKind::If { cond, .. } => cond,
        StmtKind::Switch { value, .. } => value,
        StmtKind::Return(Some(e)) => e,
        StmtKind::Item(Item::Decl(decl)) => match program.decls[decl].entity {
            Entity::Object(object) => match program.objects[object].init {
                Some(init) => match program.inits[init] {
                    howler_lang::program::Init::Expr(e) if is_automatic(program, object) => e,
                    _ => return Vec::new(),
                },
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let root = assigned(program, root);
    let mut found = Vec::new();
    let mut walk = Walk::expr(program, root);
    while let Some(part) = walk.next() {
        let Node::Expr(e) = part.node else { return Vec::new() };
        if part.role != Role::Evaluated {
            walk.skip_parts();
            continue;
        }
        match program.exprs[e].kind {
            // Side effects, and what may have some.
            ExprKind::Assign(..)
            | ExprKind::Compound { .. }
            | ExprKind::Call(..)
            | ExprKind::Builtin(..)
            | ExprKind::StmtExpr(_)
            | ExprKind::VaArg(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, _) => {
                return Vec::new();
            }
            // The operands of these are lvalues, or are not evaluated.
            ExprKind::Unary(UnaryOp::AddrOf | UnaryOp::Real | UnaryOp::Imag, _) => walk.skip_parts(),
            _ => {}
        }
        let mut operands = Vec::new();
        let wants_value = matches!(
            program.exprs[e].kind,
            ExprKind::Convert(Conv::Load | Conv::IntToInt | Conv::IntToFloat | Conv::FloatToFloat, _)
                | ExprKind::Binary(..)
                | ExprKind::Cast(..)
                | ExprKind::Unary(UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot | UnaryOp::Not, _)
        );
        if wants_value {
            visit::operands(program, e, |operand| operands.push(operand));
        }
        found.extend(operands.into_iter().filter(|&operand| is_number(program, operand)));
    }
    found
}

/// What the last assignment of an expression assigns, if that is all that the expression does.
fn assigned(program: &Program, e: ExprId) -> ExprId {
    let mut e = e;
    loop {
        e = match program.exprs[e].kind {
            ExprKind::Convert(Conv::ToVoid, inner) => inner,
            // Where the value goes must not be the result of something.
            ExprKind::Assign(lhs, rhs) | ExprKind::Compound { lhs, rhs, .. } if is_plain(program, lhs) => {
                return rhs;
            }
            _ => return e,
        };
    }
}

/// Whether an lvalue is found without a side effect.
fn is_plain(program: &Program, lvalue: ExprId) -> bool {
    Walk::expr(program, lvalue).all(|part| match part.node {
        Node::Expr(e) => matches!(
            program.exprs[e].kind,
            ExprKind::Object(_)
                | ExprKind::Member { .. }
                | ExprKind::Index { .. }
                | ExprKind::Int { .. }
                | ExprKind::EnumConst(_)
                | ExprKind::Convert(..)
                | ExprKind::Cast(..)
                | ExprKind::Unary(UnaryOp::Deref, _)
                | ExprKind::Binary(..)
        ),
        _ => false,
    })
}

fn is_automatic(program: &Program, object: howler_lang::program::ObjId) -> bool {
    program.objects[object].duration == howler_lang::program::Duration::Automatic
}

/// Whether an expression is a number that can be computed with as any compiler computes.
fn is_number(program: &Program, e: ExprId) -> bool {
    let ty = program.ty(e);
    let plain = match arith::num_of(&program.types, &program.target, ty) {
        Some(Num::Int { .. } | Num::Bool) => !matches!(program.types.kind(ty), TypeKind::Bits { .. }),
        Some(Num::Float(_)) => program.target.arch == howler_lang::target::Arch::X86_64,
        None => false,
    };
    plain
        && !matches!(program.exprs[e].kind, ExprKind::Convert(..) | ExprKind::SizeofExpr(_))
        && !is_odd_field(program, e)
}

/// A bit-field whose type is not the same to all compilers.
fn is_odd_field(program: &Program, e: ExprId) -> bool {
    let ExprKind::Member { base, field } = program.exprs[e].kind else { return false };
    let TypeKind::Record(id) = program.types.kind(program.ty(base)) else { return true };
    let field = program.types.records[id].fields.get(field as usize);
    field.is_none_or(|field| field.bits.is_some() && !is_plain_field(program, field))
}
