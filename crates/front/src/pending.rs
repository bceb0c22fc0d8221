//! Types defined inside statements: each becomes a statement of its own before the one that defines it, and the ids
//! of that one and of all statements inside it move up, so that ids still grow in source order.

use crate::parser::Parser;
use howler_lang::id::Id;
use howler_lang::program::{Stmt, StmtId, StmtKind};
use howler_lang::source::Pos;
use howler_lang::visit;

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
            stmt.kind = visit::with_stmts(stmt.kind, moved);
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
