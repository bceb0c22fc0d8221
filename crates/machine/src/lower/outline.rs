//! What is asked of a function's body as a whole before it is lowered, found in one walk.

use super::setjmp;
use crate::facts;
use howler_lang::id::Id;
use howler_lang::program::{Entity, ExprKind, FuncId, Item, LabelId, ObjId, Program, StmtId, StmtKind};
use howler_lang::visit::{Node, Walk};

/// What a function's body has.
#[derive(Default)]
pub(super) struct Outline {
    /// The objects it declares, in whatever statement or statement expression.
    pub locals: Vec<ObjId>,
    /// Its labels.
    pub labels: Vec<LabelId>,
    /// Whether a jump may lead past a declaration. Statement expressions are taken at their worst: the value of a
    /// variable may be asked for before the expression that sets it is left.
    pub has_labels: bool,
    /// Whether a jump may lead back to before a declaration in the same block: to a label, or by `longjmp`.
    pub goes_back: bool,
    /// Whether it names `setjmp`.
    pub calls_setjmp: bool,
}

/// The outlines of a program's functions.
pub(super) struct Outlines(Vec<Outline>);

impl Outlines {
    pub fn of(program: &Program) -> Outlines {
        // Expressions matter only if they have statements of their own or call `setjmp`; most programs do neither.
        let has_setjmp = program.funcs.iter().any(|(_, func)| setjmp::is_setjmp(program.name(func.name)));
        let has_statements = program.exprs.iter().any(|(_, e)| matches!(e.kind, ExprKind::StmtExpr(_)));
        let deep = has_setjmp || has_statements;
        let outlines = program.funcs.iter().map(|(_, function)| {
            let mut outline = Outline::default();
            if let Some(body) = function.body {
                outline.add(program, body, deep);
                outline.calls_setjmp = has_setjmp && names_setjmp(program, body);
                outline.goes_back = !outline.labels.is_empty() || outline.calls_setjmp;
            }
            outline
        });
        Outlines(outlines.collect())
    }

    /// The outline of a function; that of one without a body is empty.
    pub fn of_function(&self, func: FuncId) -> &Outline {
        &self.0[func.index()]
    }
}

impl Outline {
    fn add(&mut self, program: &Program, body: StmtId, deep: bool) {
        let mut walk = Walk::stmt(program, body);
        while let Some(part) = walk.next() {
            match part.node {
                Node::Stmt(stmt) => match program.stmts[stmt].kind {
                    StmtKind::Case { .. } | StmtKind::Default(_) => self.has_labels = true,
                    StmtKind::Label(label, _) => {
                        self.has_labels = true;
                        self.labels.push(label);
                    }
                    StmtKind::Item(Item::Decl(decl)) => {
                        if let Entity::Object(object) = program.decls[decl].entity {
                            self.locals.push(object);
                        }
                    }
                    _ => {}
                },
                Node::Expr(e) => {
                    self.has_labels |= matches!(program.exprs[e].kind, ExprKind::StmtExpr(_));
                    if !deep {
                        walk.skip_parts();
                    }
                }
                Node::Init(_) if !deep => walk.skip_parts(),
                Node::Init(_) | Node::Function(_) => {}
            }
        }
    }
}

fn names_setjmp(program: &Program, body: StmtId) -> bool {
    facts::evaluated(program, Node::Stmt(body)).any(|e| match program.exprs[e].kind {
        ExprKind::Function(func) => setjmp::is_setjmp(program.name(program.funcs[func].name)),
        _ => false,
    })
}
