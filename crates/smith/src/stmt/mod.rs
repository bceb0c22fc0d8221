//! Statements and blocks.

mod array;
mod assign;
mod dispatch;
mod enter;
mod jump;
mod loops;
mod memory;
mod plain;
mod reduce;
mod switch;
mod vector;

use howler_lang::program::StmtId;

use crate::maker::{Made, Maker, Scope};
use crate::weights::Statement;

impl Maker<'_> {
    /// A block with its own scope.
    pub(crate) fn block(&mut self, depth: u32) -> Made<Vec<StmtId>> {
        self.open();
        let body = self.labelled_body(depth)?;
        Ok(self.close(body))
    }

    /// Opens the scope of a block.
    pub(crate) fn open(&mut self) {
        self.frame().scopes.push(Scope::default());
    }

    /// Ends it: its declarations, then its statements.
    pub(crate) fn close(&mut self, body: Vec<StmtId>) -> Vec<StmtId> {
        let scope = self.frame().scopes.pop().unwrap_or_default();
        self.end(&scope);
        let mut all = scope.declared;
        all.extend(body);
        all
    }

    /// The statements of a block, in the scope that is open.
    pub(crate) fn block_body(&mut self, depth: u32) -> Made<Vec<StmtId>> {
        let most = self.limits.block_size;
        let count = self.choices.range("statements", 1..=most);
        let mut all = Vec::new();
        for _ in 0..count {
            if self.left < 0 && !all.is_empty() {
                break;
            }
            all.push(self.statement(depth)?);
            if self.options.assert_points_to {
                all.extend(self.assertion()?);
            }
        }
        Ok(all)
    }

    /// A statement; faults that were planted in it are marked there.
    pub(crate) fn statement(&mut self, depth: u32) -> Made<StmtId> {
        self.statement_of(depth, |_| true)
    }

    /// A loop, if there is room for one: what optimizers have most to do with.
    pub(crate) fn loop_first(&mut self) -> Made<StmtId> {
        self.statement_of(0, |kind| {
            use Statement::{Array, Do, Enter, For, Reduce, While};
            matches!(kind, Array | Do | Enter | For | Reduce | While)
        })
    }

    fn statement_of(&mut self, depth: u32, wanted: fn(Statement) -> bool) -> Made<StmtId> {
        let stmt = self.any_statement(depth, wanted)?;
        for fault in std::mem::take(&mut self.planted) {
            self.marks.push((stmt, fault));
        }
        Ok(stmt)
    }

    fn any_statement(&mut self, depth: u32, wanted: fn(Statement) -> bool) -> Made<StmtId> {
        self.log.clear();
        self.left -= 2;
        self.costs(4);
        let nest = depth < self.limits.block_depth && self.left > 20 && self.affords(400);
        let (loops, breaks) = (self.frame().loops > 0, !self.frame().breaks.is_empty());
        let labels = !self.frame().labels.is_empty();
        let possible = |kind: Statement| match kind {
            Statement::If
            | Statement::For
            | Statement::Array
            | Statement::While
            | Statement::Do
            | Statement::Switch
            | Statement::Dispatch
            | Statement::Enter
            | Statement::Block
            | Statement::Reduce => nest,
            Statement::Break => breaks,
            Statement::Continue => loops,
            Statement::Goto => labels || nest,
            _ => true,
        };
        let drawn = self.tables.draw_statement(&mut self.choices, |kind| wanted(kind) && possible(kind));
        let made = match drawn.unwrap_or(Statement::Assign) {
            Statement::Assign => None,
            Statement::If => Some(self.branch(depth)?),
            Statement::For => self.for_loop(depth)?,
            Statement::While => self.while_loop(depth)?,
            Statement::Do => self.do_loop(depth)?,
            Statement::Array => self.array_loop(depth)?,
            Statement::Reduce => self.reduction(depth)?,
            Statement::Switch => self.switch(depth)?,
            Statement::Dispatch => self.dispatch(depth)?,
            Statement::Enter => self.enter(depth)?,
            Statement::Block => {
                let body = self.block(depth + 1)?;
                Some(self.out.block(&body))
            }
            Statement::Return => Some(self.early_return()?),
            Statement::Break => Some(self.conditional_break()?),
            Statement::Continue => Some(self.conditional_continue()?),
            Statement::Goto => self.jump(depth)?,
            Statement::Call => self.call_statement()?,
            Statement::Copy => self.copy()?,
            Statement::Step => match self.int_step()? {
                Some(e) => Some(self.out.expr(e)?),
                None => None,
            },
            Statement::Repoint => self.repoint()?,
            Statement::Aim => self.aim()?,
            Statement::Text => self.move_text()?,
            Statement::Memory => self.memory()?,
            Statement::Vector => self.vector_assignment()?,
        };
        match made {
            Some(stmt) => Ok(stmt),
            None => self.assignment(),
        }
    }

    fn branch(&mut self, depth: u32) -> Made<StmtId> {
        let cond = self.condition(self.limits.expression_depth)?;
        let before = self.facts.clone();
        let then = self.block(depth + 1)?;
        if self.choices.chance("else", 1, 2) {
            let after = std::mem::replace(&mut self.facts, before);
            let other = self.block(depth + 1)?;
            self.join(&after);
            return self.out.either(cond, &then, &other);
        }
        self.join(&before);
        self.out.when(cond, &then)
    }
}
