//! Where every node of a program stands: the way up, which the tree itself does not have.

use crate::id::Id;
use crate::program::{DeclId, ExprId, FuncId, InitId, Item, ObjId, Program, StmtId, StmtKind};
use crate::ty::VlaId;
use crate::visit::{self, Node, Role};

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
            Node::Expr(e) => holders.set_parts(program, part.node, Holder::Expr(e)),
            Node::Init(i) => holders.set_parts(program, part.node, Holder::Init(i)),
            Node::Stmt(s) => {
                let holder = match program.stmts[s].kind {
                    StmtKind::Item(Item::Decl(decl)) => Holder::Decl(decl, Some(s)),
                    _ => Holder::Stmt(s),
                };
                holders.set_parts(program, part.node, holder);
            }
            Node::Function(func) => {
                for &param in &program.funcs[func].params {
                    let bound = program.objects[param].param_bound;
                    bound.into_iter().for_each(|bound| {
                        holders.set(Node::Expr(bound.len), Role::Evaluated, Holder::Parameter(param));
                    });
                }
                holders.set_parts(program, part.node, Holder::Function(func));
            }
        });
        holders
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
