//! Everything below some nodes, in the order of the source.

use super::{Node, Part, Role, defined_by, of_item, parts};
use crate::program::{ExprId, InitId, Item, Program, StmtId, StmtKind};
use crate::ty::VlaId;
use rustc_hash::FxHashSet;

/// Goes over nodes and all they are made of: a node comes before its parts, parts come in the order of the source.
///
/// Every node comes once, and so does a bound whose type is written in several places. What is below a node can be
/// left out as one goes:
///
/// ```
/// use howler_lang::program::{ExprId, ExprKind, FuncId, Program};
/// use howler_lang::visit::{Node, Role, Walk};
///
/// /// The calls a function may make, each once.
/// fn calls(program: &Program, func: FuncId) -> Vec<ExprId> {
///     let mut found = Vec::new();
///     let mut walk = Walk::of(program, Node::Function(func));
///     while let Some(part) = walk.next() {
///         match part.node {
///             _ if part.role == Role::Unevaluated => walk.skip_parts(),
///             Node::Expr(e) if matches!(program.exprs[e].kind, ExprKind::Call(..)) => found.push(e),
///             _ => {}
///         }
///     }
///     found
/// }
/// ```
pub struct Walk<'p> {
    program: &'p Program,
    stack: Vec<Part>,
    /// The node given last, whose parts are still to be pushed.
    last: Option<Node>,
    /// Bounds that came already. Without it types that are written twice at each of n levels would take 2^n steps.
    bounds: FxHashSet<VlaId>,
}

impl<'p> Walk<'p> {
    /// Starts at a node, which comes first.
    pub fn of(program: &'p Program, root: Node) -> Walk<'p> {
        let role = match root {
            Node::Expr(_) => Role::Evaluated,
            Node::Stmt(_) | Node::Function(_) => Role::Body,
            Node::Init(_) => Role::Initialiser,
        };
        Walk { program, stack: vec![Part { node: root, role }], last: None, bounds: FxHashSet::default() }
    }

    /// Starts nowhere: [`push_item`](Self::push_item) says where.
    pub(super) fn nothing(program: &'p Program) -> Walk<'p> {
        Walk { program, stack: Vec::new(), last: None, bounds: FxHashSet::default() }
    }

    /// Starts at an expression.
    pub fn expr(program: &'p Program, root: ExprId) -> Walk<'p> {
        Walk::of(program, Node::Expr(root))
    }

    /// Starts at a statement.
    pub fn stmt(program: &'p Program, root: StmtId) -> Walk<'p> {
        Walk::of(program, Node::Stmt(root))
    }

    /// Goes to the parts of a declaration at file scope, and to the function if it defines one.
    pub(super) fn push_item(&mut self, item: Item) {
        let start = self.stack.len();
        let stack = &mut self.stack;
        of_item(self.program, item, &mut |part| stack.push(part));
        if let Item::Decl(decl) = item {
            let func = defined_by(self.program, decl).map(Node::Function);
            stack.extend(func.map(|node| Part { node, role: Role::Body }));
        }
        self.stack[start..].reverse();
    }

    /// As [`next`](Iterator::next), but nested functions come after what is below the statements that define them.
    pub(super) fn next_deep(&mut self) -> Option<Part> {
        let part = self.next()?;
        if let Node::Stmt(s) = part.node
            && let StmtKind::Item(Item::Decl(decl)) = self.program.stmts[s].kind
            && let Some(func) = defined_by(self.program, decl)
        {
            // The parts of the statement are pushed next.
            self.stack.push(Part { node: Node::Function(func), role: Role::Body });
        }
        Some(part)
    }

    /// Leaves out what is below the node that came last.
    pub fn skip_parts(&mut self) {
        self.last = None;
    }

    /// The statements below, and those in statement expressions.
    pub fn statements(self) -> impl Iterator<Item = StmtId> + use<'p> {
        self.filter_map(|part| match part.node {
            Node::Stmt(s) => Some(s),
            _ => None,
        })
    }

    /// The expressions below.
    pub fn expressions(self) -> impl Iterator<Item = ExprId> + use<'p> {
        self.filter_map(|part| match part.node {
            Node::Expr(e) => Some(e),
            _ => None,
        })
    }

    /// Pushes the parts of a node such that the first is popped first.
    fn push_parts(&mut self, node: Node) {
        let start = self.stack.len();
        let stack = &mut self.stack;
        parts(self.program, node, |part| stack.push(part));
        self.stack[start..].reverse();
    }
}

impl Iterator for Walk<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        if let Some(node) = self.last.take() {
            self.push_parts(node);
        }
        loop {
            let part = self.stack.pop()?;
            if let Role::Bound(vla) = part.role
                && !self.bounds.insert(vla)
            {
                continue;
            }
            self.last = Some(part.node);
            return Some(part);
        }
    }
}

/// Calls `f` with every full expression (C17 6.8p4) of a statement and of those inside it that the program evaluates
/// while it runs; bounds of declared arrays are among them. Those of statement expressions belong to the expression.
pub fn full_expressions(program: &Program, stmt: StmtId, f: impl FnMut(ExprId)) {
    shallow(Walk::stmt(program, stmt), f);
}

/// Calls `f` with every expression of an initialiser, in the order of the source.
pub fn init_expressions(program: &Program, init: InitId, f: impl FnMut(ExprId)) {
    shallow(Walk::of(program, Node::Init(init)), f);
}

fn shallow(mut walk: Walk<'_>, mut f: impl FnMut(ExprId)) {
    while let Some(part) = walk.next() {
        part.evaluated().into_iter().for_each(&mut f);
        if matches!(part.node, Node::Expr(_)) || part.role == Role::StaticInitialiser {
            walk.skip_parts();
        }
    }
}
