//! A change under way: every write goes through here, so that it can be taken back.

use super::holder::Holders;
use crate::build::Cx;
use crate::program::{
    Decl, DeclId, ExprId, ExprKind, FuncId, Function, Init, InitId, Item, Label, LabelId, Mark, ObjId,
    Object, Program, Stmt, StmtId, StmtKind,
};
use crate::source::Pos;
use crate::symbol::Symbol;
use crate::visit::Node;

/// What was there before a write.
enum Before {
    Stmt(StmtId, Stmt),
    Expr(ExprId, ExprKind),
    Init(InitId, Init),
    Object(ObjId, Box<Object>),
    Function(FuncId, Box<Function>),
    Decl(DeclId, Box<Decl>),
    Items(usize, Vec<Item>),
    Label(LabelId, Box<Label>),
}

/// A point of a change.
pub(super) struct Here {
    mark: Mark,
    symbols: usize,
    writes: usize,
}

/// The steps of a change: see [`attempt`](super::attempt).
pub struct Change<'p> {
    program: &'p mut Program,
    mark: Option<Mark>,
    symbols: usize,
    writes: Vec<Before>,
    /// Expressions that were made again, and what they are now.
    moved: Vec<(ExprId, ExprId)>,
    /// Found when they are first asked for after a write.
    holders: Option<Holders>,
}

impl<'p> Change<'p> {
    pub(super) fn begin(program: &'p mut Program) -> Change<'p> {
        let (mark, symbols) = (Some(program.mark()), program.symbols.len());
        Change { program, mark, symbols, writes: Vec::new(), moved: Vec::new(), holders: None }
    }

    /// The program as it is now.
    pub fn program(&self) -> &Program {
        self.program
    }

    /// What `build` and those who compose need. What they add is part of the program once a step puts it somewhere.
    pub fn program_mut(&mut self) -> &mut Program {
        self.program
    }

    /// What `build` needs, with the policy of those who make programs.
    pub fn cx(&mut self) -> Cx<'_> {
        Cx::strict(self.program)
    }

    /// Where everything stands now.
    pub fn holders(&mut self) -> &Holders {
        // In large programs this would be all that tests do.
        debug_assert!(
            self.program.stmts.len() > 200
                || self.holders.as_mut().is_none_or(|holders| holders.are_of(self.program))
        );
        self.holders.get_or_insert_with(|| Holders::of(self.program))
    }

    /// What [`Change::renew_holders`] needs to know of a node before a write.
    fn held(&mut self, node: Node) -> Option<Vec<Node>> {
        // What is written to may be of a program that nobody has asked about yet.
        if self.holders.is_some() && !Holders::can_renew(self.program) {
            self.holders = None;
        }
        self.holders.as_ref()?.held(self.program, node)
    }

    fn renew_holders(&mut self, node: Node, held: Option<Vec<Node>>) {
        if let (Some(holders), Some(held)) = (&mut self.holders, held) {
            holders.renew(self.program, node, &held);
        }
    }

    /// A statement without a place.
    pub fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.program.stmts.push(Stmt { kind, pos: Pos::NONE })
    }

    /// A compound statement without a place.
    pub fn block(&mut self, stmts: &[StmtId]) -> StmtId {
        let list = self.program.add_block(stmts);
        self.stmt(StmtKind::Compound(list))
    }

    /// A name that starts with `prefix` and is nowhere in the program: it captures nothing and nothing hides it.
    pub fn fresh(&mut self, prefix: &str) -> Symbol {
        let name = self.program.fresh_name(prefix);
        self.program.symbols.intern(&name)
    }

    pub(super) fn set_stmt(&mut self, s: StmtId, kind: StmtKind) {
        let held = self.held(Node::Stmt(s));
        let before = std::mem::replace(&mut self.program.stmts[s], Stmt { kind, pos: Pos::NONE });
        self.program.stmts[s].pos = before.pos;
        self.writes.push(Before::Stmt(s, before));
        self.renew_holders(Node::Stmt(s), held);
    }

    pub(super) fn set_expr(&mut self, e: ExprId, kind: ExprKind) {
        let before = self.program.exprs.set(e, kind);
        self.wrote(Before::Expr(e, before));
    }

    pub(super) fn set_init(&mut self, i: InitId, init: Init) {
        let held = self.held(Node::Init(i));
        let before = std::mem::replace(&mut self.program.inits[i], init);
        self.writes.push(Before::Init(i, before));
        self.renew_holders(Node::Init(i), held);
    }

    pub(super) fn set_object(&mut self, id: ObjId, object: Object) {
        let before = std::mem::replace(&mut self.program.objects[id], object);
        self.wrote(Before::Object(id, Box::new(before)));
    }

    pub(super) fn set_function(&mut self, id: FuncId, function: Function) {
        let before = std::mem::replace(&mut self.program.funcs[id], function);
        self.wrote(Before::Function(id, Box::new(before)));
    }

    pub(super) fn set_decl(&mut self, id: DeclId, decl: Decl) {
        let before = std::mem::replace(&mut self.program.decls[id], decl);
        self.wrote(Before::Decl(id, Box::new(before)));
    }

    pub(super) fn set_items(&mut self, unit: usize, items: Vec<Item>) {
        let before = std::mem::replace(&mut self.program.units[unit].items, items);
        self.wrote(Before::Items(unit, before));
    }

    pub(super) fn set_label(&mut self, id: LabelId, label: Label) {
        let before = std::mem::replace(&mut self.program.labels[id], label);
        self.wrote(Before::Label(id, Box::new(before)));
    }

    pub(super) fn note_moved(&mut self, old: ExprId, new: ExprId) {
        self.moved.push((old, new));
    }

    /// What was made again so far.
    pub(super) fn take_moved(&mut self) -> Vec<(ExprId, ExprId)> {
        std::mem::take(&mut self.moved)
    }

    fn wrote(&mut self, before: Before) {
        self.holders = None;
        self.writes.push(before);
    }

    /// The nodes that were written to.
    pub(super) fn written(&self) -> impl Iterator<Item = Node> + '_ {
        self.writes.iter().filter_map(|write| match *write {
            Before::Stmt(s, _) => Some(Node::Stmt(s)),
            Before::Expr(e, _) => Some(Node::Expr(e)),
            Before::Init(i, _) => Some(Node::Init(i)),
            Before::Object(..)
            | Before::Function(..)
            | Before::Decl(..)
            | Before::Items(..)
            | Before::Label(..) => None,
        })
    }

    /// What `f` says of the program as it was. What was added stays, but nothing reaches it.
    pub(super) fn before<T>(&mut self, f: impl FnOnce(&Program) -> T) -> T {
        self.writes.iter_mut().rev().for_each(|write| write.swap(self.program));
        let said = f(self.program);
        self.writes.iter_mut().for_each(|write| write.swap(self.program));
        said
    }

    /// Where the change is now, for [`Change::go_back`].
    pub(super) fn here(&self) -> Here {
        Here { mark: self.program.mark_end(), symbols: self.program.symbols.len(), writes: self.writes.len() }
    }

    /// Takes back what was done since, what was noted as moved and not taken too: steps that add to the tables of types and names, and change nothing there.
    pub(super) fn go_back(&mut self, here: Here) {
        self.writes[here.writes..].iter_mut().rev().for_each(|write| write.swap(self.program));
        self.writes.truncate(here.writes);
        self.moved.clear();
        self.program.go_back(here.mark);
        self.program.symbols.truncate(here.symbols);
        self.holders = None;
    }

    /// Makes the program what it was.
    pub(super) fn take_back(mut self) {
        self.writes.iter_mut().rev().for_each(|write| write.swap(self.program));
        if let Some(mark) = self.mark.take() {
            self.program.go_back(mark);
        }
        // Fresh names must not depend on what was refused before.
        self.program.symbols.truncate(self.symbols);
    }
}

impl Before {
    /// Puts back what was there, and keeps what is there now.
    fn swap(&mut self, program: &mut Program) {
        match self {
            Before::Stmt(s, stmt) => std::mem::swap(&mut program.stmts[*s], stmt),
            Before::Expr(e, kind) => *kind = program.exprs.set(*e, *kind),
            Before::Init(i, init) => std::mem::swap(&mut program.inits[*i], init),
            Before::Object(id, object) => std::mem::swap(&mut program.objects[*id], object),
            Before::Function(id, function) => std::mem::swap(&mut program.funcs[*id], function),
            Before::Decl(id, decl) => std::mem::swap(&mut program.decls[*id], decl),
            Before::Label(id, label) => std::mem::swap(&mut program.labels[*id], label),
            Before::Items(unit, items) => std::mem::swap(&mut program.units[*unit].items, items),
        }
    }
}
