//! What has to go together: a declaration goes with all that names it, or stays while something does.

use howler_lang::edit::{Holder, Holders, attempt};
use howler_lang::program::{DeclId, Entity, Item, Program, StmtId, StmtKind};
use howler_lang::visit::{self, How, Mention, Node, Site as Place, Use, Uses, Walk, defined_by};
use rustc_hash::FxHashSet;

/// What to do about a name that is used outside of what goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Users {
    /// What declares it stays.
    Keep,
    /// The statements and declarations that use it go too.
    Follow,
}

/// A set of statements and items of units that are to go.
pub struct Removal<'p> {
    program: &'p Program,
    uses: Uses,
    holders: Holders,
    users: Users,
    stmts: FxHashSet<StmtId>,
    items: Vec<Item>,
}

/// Something that is to go, with its parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Stmt(StmtId),
    Item(Item),
}

impl<'p> Removal<'p> {
    /// Nothing goes yet.
    pub fn of(program: &'p Program, users: Users) -> Removal<'p> {
        let (uses, holders) = (Uses::of(program), Holders::of(program));
        Removal { program, uses, holders, users, stmts: FxHashSet::default(), items: Vec::new() }
    }

    /// These go.
    pub fn add(&mut self, stmts: impl IntoIterator<Item = StmtId>, items: impl IntoIterator<Item = Item>) {
        self.stmts.extend(stmts);
        self.items.extend(items);
    }

    /// The program without them and what has to go with them; none if nothing can go.
    pub fn program(mut self) -> Option<Program> {
        self.stmts.retain(|&s| self.holders.stmt(s).is_some_and(|holder| matches!(holder, Holder::Stmt(_))));
        let units = &self.program.units;
        self.items.retain(|item| units.iter().any(|unit| unit.items.contains(item)));
        match self.users {
            Users::Keep => while self.keep_used() {},
            Users::Follow => while self.follow_users()? {},
        }
        if self.stmts.is_empty() && self.items.is_empty() {
            return None;
        }
        let outermost: Vec<StmtId> = self.outermost();
        let items = self.items;
        let mut program = self.program.clone();
        let done = attempt(&mut program, |change| {
            change.remove_statements(&outermost)?;
            change.remove_items(&items)
        });
        done.ok().map(|()| program)
    }

    /// Statements that are not inside others that go. In the order of their ids: it may reach the text.
    fn outermost(&self) -> Vec<StmtId> {
        let mut stmts: Vec<StmtId> = self.stmts.iter().copied().collect();
        stmts.sort_unstable();
        stmts.retain(|&s| !self.holders.stmt(s).is_some_and(|holder| self.is_gone(holder)));
        stmts
    }

    /// Whether something goes, itself or with what it is a part of.
    fn is_gone(&self, mut holder: Holder) -> bool {
        loop {
            let next = match holder {
                Holder::Stmt(s) | Holder::Decl(_, Some(s)) => {
                    if self.stmts.contains(&s) {
                        return true;
                    }
                    self.holders.stmt(s)
                }
                Holder::Expr(e) => self.holders.expr(e),
                Holder::Init(i) => self.holders.init(i),
                Holder::Decl(decl, None) => return self.items.contains(&Item::Decl(decl)),
                Holder::Function(func) => return self.is_function_gone(func),
                Holder::Bound(_) | Holder::Parameter(_) => return false,
            };
            let Some(next) = next else { return true };
            holder = next;
        }
    }

    fn is_function_gone(&self, func: howler_lang::program::FuncId) -> bool {
        self.items
            .iter()
            .any(|item| matches!(*item, Item::Decl(decl) if defined_by(self.program, decl) == Some(func)))
    }

    /// Whether a place that names something goes.
    fn is_place_gone(&self, place: Place) -> bool {
        match place {
            Place::Expr(e) => self.is_gone(Holder::Expr(e)),
            Place::Stmt(s) => self.is_gone(Holder::Stmt(s)),
            Place::Item(item) => self.items.contains(&item),
        }
    }

    /// The uses that stay of what a piece declares.
    fn left_over(&self, piece: Piece) -> Vec<Use> {
        let mut left = Vec::new();
        let mut note = |uses: &[Use]| {
            // What is declared elsewhere too may go here, and stays what it is.
            if !uses.iter().any(|at| at.how == How::Declares && !self.is_place_gone(at.site)) {
                left.extend(
                    uses.iter().copied().filter(|at| at.how == How::Names && !self.is_place_gone(at.site)),
                );
            }
        };
        let mut mention = |mention: Mention| match mention {
            Mention::Declares(object) => note(self.uses.of_object(object)),
            Mention::DeclaresFunction(func) => note(self.uses.of_function(func)),
            Mention::Place(label) | Mention::DeclaresLabel(label) => note(self.uses.of_label(label)),
            Mention::DeclaresRecord(record) => note(self.uses.of_record(record)),
            Mention::DeclaresEnum(id) => note(self.uses.of_enum(id)),
            Mention::DeclaresEnumerator(constant) => note(self.uses.of_enumerator(constant)),
            Mention::DeclaresTypedef(decl) => note(self.uses.of_typedef(decl)),
            _ => {}
        };
        match piece {
            Piece::Stmt(s) => {
                for part in Walk::stmt(self.program, s) {
                    visit::mentions(self.program, part.node, &mut mention);
                }
            }
            Piece::Item(item) => visit::item_mentions(self.program, item, &mut mention),
        }
        left
    }

    fn pieces(&self) -> Vec<Piece> {
        let stmts = self.outermost().into_iter().map(Piece::Stmt);
        stmts.chain(self.items.iter().copied().map(Piece::Item)).collect()
    }

    /// Takes out what declares something that is used elsewhere. Returns whether there was any.
    fn keep_used(&mut self) -> bool {
        let used: Vec<Piece> =
            self.pieces().into_iter().filter(|&piece| !self.left_over(piece).is_empty()).collect();
        for &piece in &used {
            match piece {
                Piece::Stmt(s) => {
                    self.stmts.remove(&s);
                }
                Piece::Item(item) => self.items.retain(|&other| other != item),
            }
        }
        !used.is_empty()
    }

    /// Adds what uses something that goes. Returns whether there was any; none if it cannot go.
    fn follow_users(&mut self) -> Option<bool> {
        let left: Vec<Use> = self.pieces().into_iter().flat_map(|piece| self.left_over(piece)).collect();
        for at in &left {
            match self.around(at.site)? {
                Piece::Stmt(s) => {
                    self.stmts.insert(s);
                }
                Piece::Item(item) => {
                    if !self.items.contains(&item) {
                        self.items.push(item);
                    }
                }
            }
        }
        Some(!left.is_empty())
    }

    /// The smallest thing around a place that can go.
    fn around(&self, place: Place) -> Option<Piece> {
        let mut holder = match place {
            Place::Item(item) => return Some(Piece::Item(item)),
            Place::Stmt(s) => Holder::Stmt(s),
            Place::Expr(e) => Holder::Expr(e),
        };
        loop {
            holder = match holder {
                Holder::Stmt(s) | Holder::Decl(_, Some(s)) => match self.holders.stmt(s)? {
                    Holder::Stmt(_) if !matches!(self.program.stmts[s].kind, StmtKind::Empty) => {
                        return Some(Piece::Stmt(s));
                    }
                    outer => outer,
                },
                Holder::Expr(e) => self.holders.expr(e)?,
                Holder::Init(i) => self.holders.init(i)?,
                Holder::Decl(decl, None) => return Some(Piece::Item(Item::Decl(decl))),
                Holder::Bound(_) | Holder::Parameter(_) | Holder::Function(_) => return None,
            };
        }
    }
}

/// Whether a declaration is of `main`.
pub fn is_main(program: &Program, decl: DeclId) -> bool {
    match program.decls[decl].entity {
        Entity::Function(func) => program.name(program.funcs[func].name) == "main",
        _ => false,
    }
}

/// The statements of a program that can go, in the order of the text.
pub fn removable(program: &Program) -> Vec<StmtId> {
    let mut found = Vec::new();
    // In the place of what is no part of a block an empty statement is left.
    let more = |s: &StmtId| !matches!(program.stmts[*s].kind, StmtKind::Empty);
    visit::each(program, |part| {
        let Node::Stmt(s) = part.node else { return };
        match program.stmts[s].kind {
            StmtKind::Compound(list) => found.extend_from_slice(program.block(list)),
            StmtKind::If { then, other, .. } => {
                found.extend(Some(then).filter(more));
                found.extend(other);
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => {
                found.extend(Some(body).filter(more));
            }
            StmtKind::For { init, body, .. } => {
                found.extend(init.into_iter().chain(Some(body).filter(more)));
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                found.extend(Some(body).filter(more));
            }
            _ => {}
        }
    });
    found
}
