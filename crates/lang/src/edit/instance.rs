//! An expression in other words: copied, with expressions for the objects that it names.

use super::remake::{raw, remake_with};
use crate::build::{Built, Cx, Violation};
use crate::program::{Expr, ExprId, ExprKind, ObjId};
use crate::source::Pos;
use crate::visit;
use rustc_hash::FxHashMap;

/// A copy of an expression with these expressions for objects: the parameters of a function, say, and the arguments of a
/// call. An expression that stands for an object is moved to the first place that names it, and copied to the others.
///
/// # Errors
/// What cannot be made of these operands, or holds what must be declared anew in a copy.
pub fn instance(cx: &mut Cx<'_>, e: ExprId, values: &FxHashMap<ObjId, ExprId>) -> Built {
    let mut moved: Vec<ObjId> = Vec::new();
    let mut made: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for node in nodes(cx, e) {
        let Expr { kind, ty, pos } = cx.program.exprs[node];
        let new = match kind {
            ExprKind::Object(object) if values.contains_key(&object) => {
                let value = raw(cx.program, values[&object]);
                if moved.contains(&object) {
                    instance(cx, value, &FxHashMap::default())?
                } else {
                    moved.push(object);
                    value
                }
            }
            ExprKind::Int { .. }
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Str(_)
            | ExprKind::EnumConst(_)
            | ExprKind::Object(_)
            | ExprKind::Function(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofType { .. } => cx.program.exprs.push(Expr { kind, ty, pos }),
            ExprKind::StmtExpr(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Offsetof(..)
            | ExprKind::FuncName(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::AlignofExpr { .. } => {
                let message = "what cannot stand twice".to_owned();
                return Err(Box::new(Violation { pos: Pos::NONE, message }));
            }
            _ => remake_with(cx.program, node, &|program, slot| {
                let slot = raw(program, slot);
                made.get(&slot).copied().unwrap_or(slot)
            })?,
        };
        made.insert(node, new);
    }
    let top = raw(cx.program, e);
    Ok(made.get(&top).copied().unwrap_or(top))
}

/// The expressions below one that the source shows, operands before what is made of them.
fn nodes(cx: &Cx<'_>, e: ExprId) -> Vec<ExprId> {
    let (mut open, mut found) = (vec![raw(cx.program, e)], Vec::new());
    while let Some(node) = open.pop() {
        found.push(node);
        if !matches!(cx.program.exprs[node].kind, ExprKind::Imaginary(_)) {
            visit::operands(cx.program, node, |operand| open.push(raw(cx.program, operand)));
        }
    }
    found.reverse();
    found
}
