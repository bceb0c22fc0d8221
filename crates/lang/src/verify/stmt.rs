//! The rules of statements: a walk over every function body with an explicit stack.

use super::{Faults, number};
use crate::program::{ExprId, ExprKind, FuncId, LabelId, Program, StmtId, StmtKind};
use crate::ty::{Type, TypeKind};
use crate::visit::{self, Node};
use rustc_hash::FxHashSet;

/// What is around a statement.
#[derive(Clone, Copy)]
struct Around {
    breakable: bool,
    continuable: bool,
    switch: bool,
    /// The return type of the function.
    ret: Type,
}

/// Checks the bodies of all functions.
pub(super) fn check(program: &Program, faults: &mut Faults) {
    let mut seen: FxHashSet<StmtId> = FxHashSet::default();
    let mut placed: FxHashSet<LabelId> = FxHashSet::default();
    let mut targets: Vec<LabelId> = Vec::new();
    for (id, function) in program.funcs.iter() {
        let Some(body) = function.body else { continue };
        let around =
            Around { breakable: false, continuable: false, switch: false, ret: return_type(program, id) };
        walk(program, body, around, &mut seen, &mut placed, &mut targets, faults);
    }
    // What the front end evaluated and dropped (an operand of `typeof`) stands in no function: nothing is known of what
    // was around it.
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::StmtExpr(body) = expr.kind
            && !seen.contains(&body)
        {
            let around = Around { breakable: true, continuable: true, switch: true, ret: Type::VOID };
            let mut ignored = Faults { list: Vec::new() };
            walk(program, body, around, &mut seen, &mut placed, &mut targets, &mut ignored);
        }
    }
    for label in targets {
        faults.require(placed.contains(&label), "S-label", || {
            format!("'{}' is jumped to but not placed", program.name(program.labels[label].name))
        });
    }
}

fn return_type(program: &Program, func: FuncId) -> Type {
    match program.types.kind(program.funcs[func].ty) {
        TypeKind::Function(signature) => program.types.signature(signature).ret,
        _ => Type::VOID,
    }
}

fn walk(
    program: &Program,
    body: StmtId,
    around: Around,
    seen: &mut FxHashSet<StmtId>,
    placed: &mut FxHashSet<LabelId>,
    targets: &mut Vec<LabelId>,
    faults: &mut Faults,
) {
    let mut work = vec![(Node::Stmt(body), around)];
    while let Some((node, around)) = work.pop() {
        let inner = match node {
            Node::Stmt(id) => {
                if !seen.insert(id) {
                    faults.add("S-once", || at(program, id));
                    continue;
                }
                check_one(program, id, around, placed, targets, faults)
            }
            _ => around,
        };
        visit::parts(program, node, |part| work.push((part.node, inner)));
    }
}

/// Checks one statement and says what is around those inside it.
fn check_one(
    program: &Program,
    id: StmtId,
    around: Around,
    placed: &mut FxHashSet<LabelId>,
    targets: &mut Vec<LabelId>,
    faults: &mut Faults,
) -> Around {
    let at = || at(program, id);
    match program.stmts[id].kind {
        StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
            return Around { breakable: true, continuable: true, ..around };
        }
        StmtKind::Switch { .. } => return Around { breakable: true, switch: true, ..around },
        StmtKind::If { then, other, .. } => {
            let dangling = other.is_some() && takes_else(program, then);
            faults.require(!dangling, "S-else", at);
        }
        StmtKind::Case { .. } | StmtKind::Default(_) => faults.require(around.switch, "S-jump", at),
        StmtKind::Label(label, _) => faults.require(placed.insert(label), "S-label", at),
        StmtKind::Goto(label) => targets.push(label),
        StmtKind::Break => faults.require(around.breakable, "S-jump", at),
        StmtKind::Continue => faults.require(around.continuable, "S-jump", at),
        StmtKind::Return(value) => check_return(program, value, around.ret, faults, at),
        StmtKind::Item(item) => super::check_item(program, item, faults),
        StmtKind::Empty
        | StmtKind::Expr(_)
        | StmtKind::Decls(_)
        | StmtKind::Compound(_)
        | StmtKind::LabelDecl(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Asm(_) => {}
    }
    around
}

/// Names a statement in a message.
fn at(program: &Program, id: StmtId) -> String {
    format!("statement {}: {:?}", number(id), program.stmts[id].kind)
}

/// Whether an `else` written after `stmt` would belong to it.
fn takes_else(program: &Program, stmt: StmtId) -> bool {
    let mut stmt = stmt;
    loop {
        stmt = match program.stmts[stmt].kind {
            StmtKind::If { other: None, .. } => return true,
            StmtKind::If { other: Some(inner), .. } => inner,
            StmtKind::While { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default(body)
            | StmtKind::Label(_, body) => body,
            _ => return false,
        };
    }
}

/// A value returned from a function that has none (or the reverse) is let pass by compilers, so it is here.
fn check_return(
    program: &Program,
    value: Option<ExprId>,
    ret: Type,
    faults: &mut Faults,
    at: impl FnOnce() -> String,
) {
    let Some(value) = value else { return };
    let want = program.types.strip(ret).bare();
    let fits = program.types.is_void(ret) || program.ty(value) == want;
    faults.require(fits, "S-return", at);
}
