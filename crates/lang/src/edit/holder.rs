//! Where every node of a program stands: the way up, which the tree itself does not have.

use crate::id::Id;
use crate::program::{DeclId, ExprId, FuncId, InitId, Item, ObjId, Program, StmtId, StmtKind};
use crate::ty::VlaId;
use crate::visit::{self, Node, Role, Walk};
use rustc_hash::FxHashSet;

/// What a node is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// Another expression.
    Expr(ExprId),
    /// A statement.
    Stmt(StmtId),
    /// An initialiser.
    Init(InitId),
    /// A declaration, whose initialiser it is, and the statement that this is if it is in a block.
    Decl(DeclId, Option<StmtId>),
    /// The bound of an array type. Whatever writes the type first holds it.
    Bound(VlaId),
    /// The bound of a parameter that is declared as an array.
    Parameter(ObjId),
    /// A function, whose body it is.
    Function(FuncId),
}

/// The holders of all nodes of a program, as it was when they were found.
pub struct Holders {
    exprs: Vec<Option<Holder>>,
    stmts: Vec<Option<Holder>>,
    inits: Vec<Option<Holder>>,
}

impl Holders {
    /// Goes over a program once.
    pub fn of(program: &Program) -> Holders {
        let mut holders = Holders {
            exprs: vec![None; program.exprs.len()],
            stmts: vec![None; program.stmts.len()],
            inits: vec![None; program.inits.len()],
        };
        for item in program.units.iter().flat_map(|unit| &unit.items) {
            if let Item::Decl(decl) = *item {
                let holder = Holder::Decl(decl, None);
                visit::of_item(program, *item, &mut |part| holders.set(part.node, part.role, holder));
            }
        }
        visit::each(program, |part| match part.node {
            Node::Expr(_) | Node::Init(_) | Node::Stmt(_) => {
                holders.set_parts(program, part.node, of_parts(program, part.node));
            }
            Node::Function(func) => {
                for &param in &program.funcs[func].params {
                    let bound = program.objects[param].param_bound;
                    bound.into_iter().for_each(|bound| {
                        holders.set(Node::Expr(bound.len), Role::Evaluated, Holder::Parameter(param));
                    });
                }
                holders.set_parts(program, part.node, of_parts(program, part.node));
            }
        });
        holders
    }

    /// Whether [`Holders::renew`] knows all that a write can change: bounds have several places of which the first counts,
    /// and nested functions are trees of their own.
    pub(super) fn can_renew(program: &Program) -> bool {
        program.types.vlas.is_empty() && program.funcs.iter().all(|(_, func)| func.parent.is_none())
    }

    /// The parts of a node that is in the program; nothing of one that is not.
    pub(super) fn held(&self, program: &Program, node: Node) -> Option<Vec<Node>> {
        let held = match node {
            Node::Expr(e) => self.expr(e),
            Node::Stmt(s) => self.stmt(s),
            Node::Init(i) => self.init(i),
            Node::Function(_) => None,
        };
        held?;
        let mut parts = Vec::new();
        visit::parts(program, node, |part| parts.push(part.node));
        Some(parts)
    }

    /// After a write to a node that is in the program: `before` are the parts that it had.
    pub(super) fn renew(&mut self, program: &Program, node: Node, before: &[Node]) {
        self.grow(program);
        let mut after = Vec::new();
        visit::parts(program, node, |part| after.push(part.node));
        // Most of a long block stays as it is.
        let same = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
        let (before, after) = (&before[same..], &after[same..]);
        let same =
            before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
        let (before, after) = (&before[..before.len() - same], &after[..after.len() - same]);
        let kept: FxHashSet<Node> = before.iter().copied().filter(|old| after.contains(old)).collect();
        // A part that goes may have parts that come again elsewhere.
        for &old in before.iter().filter(|old| !kept.contains(old)) {
            for part in Walk::of(program, old) {
                self.forget(part.node);
            }
            self.forget(old);
        }
        let holder = of_parts(program, node);
        for &new in after.iter().filter(|new| !kept.contains(new)) {
            self.put(new, holder);
            let mut inside = vec![new];
            while let Some(node) = inside.pop() {
                let holder = of_parts(program, node);
                visit::parts(program, node, |part| {
                    self.put(part.node, holder);
                    inside.push(part.node);
                });
            }
        }
    }

    /// Makes room for what was added to the arenas.
    fn grow(&mut self, program: &Program) {
        self.exprs.resize(program.exprs.len(), None);
        self.stmts.resize(program.stmts.len(), None);
        self.inits.resize(program.inits.len(), None);
    }

    fn slot(&mut self, node: Node) -> Option<&mut Option<Holder>> {
        match node {
            Node::Expr(e) => self.exprs.get_mut(e.index()),
            Node::Stmt(s) => self.stmts.get_mut(s.index()),
            Node::Init(i) => self.inits.get_mut(i.index()),
            Node::Function(_) => None,
        }
    }

    fn forget(&mut self, node: Node) {
        if let Some(slot) = self.slot(node) {
            *slot = None;
        }
    }

    fn put(&mut self, node: Node, holder: Holder) {
        if let Some(slot) = self.slot(node) {
            *slot = Some(holder);
        }
    }

    /// Whether these are those of a program as it is now.
    pub(super) fn are_of(&mut self, program: &Program) -> bool {
        self.grow(program);
        let now = Holders::of(program);
        self.exprs == now.exprs && self.stmts == now.stmts && self.inits == now.inits
    }

    /// What an expression is a part of; nothing if it is not in the program.
    pub fn expr(&self, e: ExprId) -> Option<Holder> {
        self.exprs.get(e.index()).copied().flatten()
    }

    /// What a statement is a part of.
    pub fn stmt(&self, s: StmtId) -> Option<Holder> {
        self.stmts.get(s.index()).copied().flatten()
    }

    /// What an initialiser is a part of.
    pub fn init(&self, i: InitId) -> Option<Holder> {
        self.inits.get(i.index()).copied().flatten()
    }

    /// The function whose body a statement is in, the innermost one.
    pub fn function(&self, s: StmtId) -> Option<FuncId> {
        let mut holder = self.stmt(s)?;
        loop {
            holder = match holder {
                Holder::Function(func) => return Some(func),
                Holder::Stmt(s) | Holder::Decl(_, Some(s)) => self.stmt(s)?,
                Holder::Expr(e) => self.expr(e)?,
                Holder::Init(i) => self.init(i)?,
                Holder::Decl(_, None) | Holder::Bound(_) | Holder::Parameter(_) => return None,
            };
        }
    }

    fn set_parts(&mut self, program: &Program, node: Node, holder: Holder) {
        visit::parts(program, node, |part| self.set(part.node, part.role, holder));
    }

    /// The first place counts: a bound comes once for every place that writes its type.
    fn set(&mut self, node: Node, role: Role, holder: Holder) {
        let holder = match role {
            Role::Bound(vla) => Holder::Bound(vla),
            _ => holder,
        };
        let slot = match node {
            Node::Expr(e) => &mut self.exprs[e.index()],
            Node::Stmt(s) => &mut self.stmts[s.index()],
            Node::Init(i) => &mut self.inits[i.index()],
            Node::Function(_) => return,
        };
        slot.get_or_insert(holder);
    }
}

/// What the parts of a node have as their holder.
fn of_parts(program: &Program, node: Node) -> Holder {
    match node {
        Node::Expr(e) => Holder::Expr(e),
        Node::Init(i) => Holder::Init(i),
        Node::Stmt(s) => match program.stmts[s].kind {
            StmtKind::Item(Item::Decl(decl)) => Holder::Decl(decl, Some(s)),
            _ => Holder::Stmt(s),
        },
        Node::Function(func) => Holder::Function(func),
    }
}
