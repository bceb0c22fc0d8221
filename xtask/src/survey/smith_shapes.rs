//! Which of the shapes that optimizers got wrong in recent years a program has. Each is looked for in the typed program,
//! in the functions that the generator made.

use super::smith_constructs::{called, functions};
use howler_lang::arith::{Num, num_of};
use howler_lang::program::{
    BinaryOp, Duration, ExprId, ExprKind, FuncId, ObjId, Program, StmtId, StmtKind, UnaryOp,
};
use howler_lang::ty::{Type, TypeKind};
use howler_lang::visit::{Node, Walk};
use std::collections::BTreeSet;

/// The shapes, in the order of [`shapes`].
pub(super) const SHAPES: [&str; 15] = [
    "a `for` over a global",
    "that is narrower than int",
    "that goes by more than one",
    "a loop with a computed bound",
    "a loop in a loop",
    "an early exit of a loop",
    "both",
    "a pointer to a global that a loop counts with",
    "an array walked by two indices",
    "`&&` or `\\|\\|` over comparisons of mixed width",
    "a call with constants only, no wrapper",
    "a call of what returns constants only",
    "a number carried through a loop",
    "GNU vectors",
    "__int128",
];

/// Which of the shapes a program has.
pub(super) fn shapes(program: &Program) -> [bool; SHAPES.len()] {
    let mut has = [false; SHAPES.len()];
    let functions = functions(program);
    let constant: BTreeSet<FuncId> =
        functions.iter().copied().filter(|&func| returns_constants(program, func)).collect();
    let (mut counters, mut pointed) = (BTreeSet::new(), BTreeSet::new());
    for &func in &functions {
        for part in Walk::of(program, Node::Function(func)) {
            match part.node {
                Node::Stmt(stmt) => in_statement(program, stmt, &mut has, &mut counters),
                Node::Expr(e) => in_expression(program, e, &constant, &mut has, &mut pointed),
                _ => {}
            }
        }
    }
    // Addresses are in the initialisers of globals, too.
    for unit in 0..program.units.len() {
        for item in &program.units[unit].items {
            let Some(object) = object_of(program, *item) else { continue };
            for e in program.objects[object]
                .init
                .iter()
                .flat_map(|&init| Walk::of(program, Node::Init(init)).expressions())
            {
                address(program, e, &mut pointed);
            }
        }
    }
    has[7] = counters.iter().any(|counter| pointed.contains(counter));
    has
}

fn object_of(program: &Program, item: howler_lang::program::Item) -> Option<ObjId> {
    let howler_lang::program::Item::Decl(decl) = item else { return None };
    match program.decls[decl].entity {
        howler_lang::program::Entity::Object(object) => Some(object),
        _ => None,
    }
}

fn address(program: &Program, e: ExprId, pointed: &mut BTreeSet<ObjId>) {
    if let ExprKind::Unary(UnaryOp::AddrOf, of) = program.exprs[e].kind
        && let Some(object) = root(program, of)
    {
        pointed.insert(object);
    }
}

/// The variable that an lvalue is, or is a part of.
fn root(program: &Program, mut e: ExprId) -> Option<ObjId> {
    loop {
        match program.exprs[e].kind {
            ExprKind::Object(object) => return Some(object),
            ExprKind::Member { base, .. } => e = base,
            ExprKind::Index { base, .. } => e = base,
            ExprKind::Convert(_, of) => e = of,
            _ => return None,
        }
    }
}

fn is_global(program: &Program, object: ObjId) -> bool {
    program.objects[object].duration == Duration::Static
}

fn width(program: &Program, ty: Type) -> Option<u32> {
    match num_of(&program.types, &program.target, ty)? {
        Num::Int { width, .. } => Some(u32::from(width)),
        _ => None,
    }
}

fn reads_objects(program: &Program, e: ExprId) -> BTreeSet<ObjId> {
    let objects = Walk::expr(program, e).expressions().filter_map(|e| match program.exprs[e].kind {
        ExprKind::Object(object) => Some(object),
        _ => None,
    });
    objects.collect()
}

fn in_statement(
    program: &Program,
    stmt: StmtId,
    has: &mut [bool; SHAPES.len()],
    counters: &mut BTreeSet<ObjId>,
) {
    let (cond, step, body) = match program.stmts[stmt].kind {
        StmtKind::For { cond, step, body, .. } => (cond, step, body),
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => (Some(cond), None, body),
        _ => return,
    };
    let counter = step.and_then(|step| stepped(program, step));
    if let Some((object, by)) = counter
        && is_global(program, object)
    {
        has[0] = true;
        counters.insert(object);
        let narrow = width(program, program.objects[object].ty).is_some_and(|width| width < 32);
        has[1] |= narrow;
        has[2] |= narrow && by > 1;
    }
    // Something else than the counter is asked in each round.
    if let (Some(cond), Some((counter, _))) = (cond, counter) {
        has[3] |= reads_objects(program, cond).iter().any(|&object| object != counter);
    }
    let (mut nested, mut exits) = (false, false);
    let (mut indices, mut outer) = (BTreeSet::new(), BTreeSet::new());
    outer.extend(counter.map(|(object, _)| object));
    for part in Walk::stmt(program, body) {
        match part.node {
            Node::Stmt(inner) => match program.stmts[inner].kind {
                StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => nested = true,
                StmtKind::Break | StmtKind::Goto(_) | StmtKind::Return(_) => exits = true,
                _ => {}
            },
            Node::Expr(e) => {
                if let ExprKind::Index { index, base } = program.exprs[e].kind {
                    let by = reads_objects(program, index);
                    indices.extend(by.into_iter().filter_map(|by| Some((root(program, base)?, by))));
                }
                has[12] |= carries(program, e);
            }
            _ => {}
        }
    }
    has[4] |= nested;
    has[5] |= exits;
    has[6] |= nested && exits;
    // The same array by two variables.
    has[8] |=
        indices.iter().any(|&(array, by)| indices.iter().any(|&(other, and)| other == array && and != by));
}

/// The variable that the third expression of a `for` moves, and by how much.
fn stepped(program: &Program, step: ExprId) -> Option<(ObjId, u64)> {
    let object = |e: ExprId| match program.exprs[e].kind {
        ExprKind::Object(object) => Some(object),
        // A member of a global counts.
        ExprKind::Member { .. } => root(program, e),
        _ => None,
    };
    match program.exprs[step].kind {
        ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, of) => {
            Some((object(of)?, 1))
        }
        ExprKind::Compound { lhs, rhs, op: BinaryOp::Add | BinaryOp::Sub, .. } => {
            Some((object(lhs)?, constant(program, rhs)?))
        }
        ExprKind::Assign(lhs, rhs) => {
            let counter = object(lhs)?;
            let mut by = None;
            for e in Walk::expr(program, rhs).expressions() {
                by = by.or(constant(program, e));
            }
            reads_objects(program, rhs).contains(&counter).then_some(())?;
            Some((counter, by?))
        }
        _ => None,
    }
}

fn constant(program: &Program, mut e: ExprId) -> Option<u64> {
    loop {
        match program.exprs[e].kind {
            ExprKind::Int { value, .. } => return Some(value),
            ExprKind::Convert(_, of) | ExprKind::Cast(_, of) => e = of,
            ExprKind::Unary(UnaryOp::Neg, of) => e = of,
            _ => return None,
        }
    }
}

/// `x = … x …` and `x op= …`, of a variable that is a number.
fn carries(program: &Program, e: ExprId) -> bool {
    match program.exprs[e].kind {
        ExprKind::Compound { lhs, .. } => matches!(program.exprs[lhs].kind, ExprKind::Object(_)),
        ExprKind::Assign(lhs, rhs) => match program.exprs[lhs].kind {
            ExprKind::Object(object) => {
                width(program, program.objects[object].ty).is_some()
                    && reads_objects(program, rhs).contains(&object)
            }
            _ => false,
        },
        _ => false,
    }
}

fn in_expression(
    program: &Program,
    e: ExprId,
    constants: &BTreeSet<FuncId>,
    has: &mut [bool; SHAPES.len()],
    pointed: &mut BTreeSet<ObjId>,
) {
    address(program, e, pointed);
    let expr = &program.exprs[e];
    match expr.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            let mut widths = BTreeSet::new();
            [a, b].into_iter().for_each(|side| compared(program, side, &mut widths));
            has[9] |= widths.len() > 1;
        }
        ExprKind::Call(callee, args) => {
            let name = called(program, callee).unwrap_or("");
            if name.starts_with("func_") {
                let args = program.list(args);
                has[10] |= !args.is_empty() && args.iter().all(|&arg| is_constant(program, arg));
                let func =
                    constants.iter().find(|&&func| program.symbols.name(program.funcs[func].name) == name);
                has[11] |= func.is_some();
            }
        }
        _ => {}
    }
    has[13] |= matches!(program.types.kind(expr.ty), TypeKind::Vector { .. });
    has[14] |= width(program, expr.ty) == Some(128);
}

/// Widths of what the comparisons of a condition compare, before it was converted.
fn compared(program: &Program, side: ExprId, widths: &mut BTreeSet<u32>) {
    const COMPARISONS: [BinaryOp; 6] =
        [BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Le, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne];
    for e in Walk::expr(program, side).expressions() {
        let ExprKind::Binary(op, a, b) = program.exprs[e].kind else { continue };
        if !COMPARISONS.contains(&op) {
            continue;
        }
        for mut operand in [a, b] {
            while let ExprKind::Convert(_, of) = program.exprs[operand].kind {
                operand = of;
            }
            if !matches!(program.exprs[operand].kind, ExprKind::Int { .. }) {
                widths.extend(width(program, program.exprs[operand].ty));
            }
        }
    }
}

fn is_constant(program: &Program, e: ExprId) -> bool {
    Walk::expr(program, e).expressions().all(|e| {
        !matches!(
            program.exprs[e].kind,
            ExprKind::Object(_)
                | ExprKind::Call(..)
                | ExprKind::Assign(..)
                | ExprKind::Compound { .. }
                | ExprKind::StmtExpr(_)
        )
    })
}

/// Whether all that a function returns is constant.
fn returns_constants(program: &Program, func: FuncId) -> bool {
    let mut any = false;
    for stmt in Walk::of(program, Node::Function(func)).statements() {
        if let StmtKind::Return(Some(value)) = program.stmts[stmt].kind {
            any = true;
            if !is_constant(program, value) {
                return false;
            }
        }
    }
    any
}
