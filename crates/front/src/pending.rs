//! Types defined inside statements: each becomes a statement of its own before the one that defines it, and the ids
//! of that one and of all statements inside it move up, so that ids still grow in source order.

use crate::parser::Parser;
use howler_lang::id::Id;
use howler_lang::program::{Stmt, StmtId, StmtKind};
use howler_lang::source::Pos;

/// How much there was when a block item began.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pending: usize,
    /// Of `Parser::stmts`.
    open: usize,
    stmts: usize,
    lists: usize,
    exprs: usize,
}

impl Parser<'_> {
    /// Remembers where a block item begins.
    pub(crate) fn mark(&self) -> Mark {
        let program = &self.cx.program;
        Mark {
            pending: self.pending.len(),
            open: self.stmts.len(),
            stmts: program.stmts.len(),
            lists: program.stmt_lists.len(),
            exprs: program.exprs.len(),
        }
    }

    /// Puts the types defined since `mark` before the statements made since then.
    #[inline]
    pub(crate) fn place_pending(&mut self, mark: Mark) {
        if self.pending.len() > mark.pending {
            self.insert_pending(mark);
        }
    }

    #[cold]
    fn insert_pending(&mut self, mark: Mark) {
        let items = self.pending.split_off(mark.pending);
        let count = items.len();
        let program = &mut *self.cx.program;
        let moved = |id: StmtId| match id.index() >= mark.stmts {
            true => StmtId::from_index(id.index() + count),
            false => id,
        };
        let first = StmtId::from_index(mark.stmts);
        let pos = if program.stmts.len() > mark.stmts { program.stmts[first].pos } else { Pos::NONE };
        let end = program.stmts.len();
        for _ in 0..count {
            program.stmts.push(Stmt { kind: StmtKind::Empty, pos });
        }
        for index in (mark.stmts..end).rev() {
            let mut stmt = program.stmts[StmtId::from_index(index)];
            stmt.kind = with_ids(stmt.kind, moved);
            program.stmts[StmtId::from_index(index + count)] = stmt;
        }
        for (index, item) in items.into_iter().enumerate() {
            program.stmts[StmtId::from_index(mark.stmts + index)] = Stmt { kind: StmtKind::Item(item), pos };
        }
        for id in &mut program.stmt_lists[mark.lists..] {
            *id = moved(*id);
        }
        program.exprs.renumber_bodies(mark.exprs, moved);
        for id in program.funcs.ids() {
            if let Some(body) = &mut program.funcs[id].body {
                *body = moved(*body);
            }
        }
        for id in &mut self.stmts[mark.open..] {
            *id = moved(*id);
        }
        let new = (mark.stmts..mark.stmts + count).map(StmtId::from_index);
        self.stmts.splice(mark.open..mark.open, new);
    }
}

/// The same statement with the ids of its parts changed. Lists are changed where they are stored.
fn with_ids(kind: StmtKind, moved: impl Fn(StmtId) -> StmtId) -> StmtKind {
    match kind {
        StmtKind::If { cond, then, other } => {
            StmtKind::If { cond, then: moved(then), other: other.map(moved) }
        }
        StmtKind::While { cond, body } => StmtKind::While { cond, body: moved(body) },
        StmtKind::DoWhile { body, cond } => StmtKind::DoWhile { body: moved(body), cond },
        StmtKind::For { init, cond, step, body } => {
            let init = init.map(&moved);
            StmtKind::For { init, cond, step, body: moved(body) }
        }
        StmtKind::Switch { value, body } => StmtKind::Switch { value, body: moved(body) },
        StmtKind::Case { lo, hi, body } => StmtKind::Case { lo, hi, body: moved(body) },
        StmtKind::Default(body) => StmtKind::Default(moved(body)),
        StmtKind::Label(label, body) => StmtKind::Label(label, moved(body)),
        StmtKind::Empty
        | StmtKind::Expr(_)
        | StmtKind::Item(_)
        | StmtKind::Decls(_)
        | StmtKind::Compound(_)
        | StmtKind::LabelDecl(_)
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_) => kind,
    }
}
