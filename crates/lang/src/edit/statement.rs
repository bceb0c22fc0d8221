//! Steps that put statements somewhere and take them away.

use super::holder::Holder;
use super::{Change, Refused};
use crate::program::{StmtId, StmtKind};
use crate::visit::{self, Walk};

impl Change<'_> {
    /// The statements of a block.
    fn statements(&self, block: StmtId) -> Option<Vec<StmtId>> {
        match self.program().stmts[block].kind {
            StmtKind::Compound(list) => Some(self.program().block(list).to_vec()),
            _ => None,
        }
    }

    fn set_statements(&mut self, block: StmtId, stmts: &[StmtId]) -> Result<(), Refused> {
        self.check_outside(block, stmts)?;
        let list = self.program_mut().add_block(stmts);
        self.set_stmt(block, StmtKind::Compound(list));
        self.renew_around(block)
    }

    /// Refuses what would hold itself: the steps that follow could not walk over it.
    fn check_outside(&self, holder: StmtId, new: &[StmtId]) -> Result<(), Refused> {
        let inside = |&s: &StmtId| Walk::stmt(self.program(), s).statements().any(|inner| inner == holder);
        match new.iter().any(inside) {
            true => Err(Refused::Place("a statement inside itself")),
            false => Ok(()),
        }
    }

    /// The block that a statement stands in, and its number there.
    pub fn place(&mut self, s: StmtId) -> Option<(StmtId, usize)> {
        let Some(Holder::Stmt(block)) = self.holders().stmt(s) else { return None };
        let at = self.statements(block)?.iter().position(|&other| other == s)?;
        Some((block, at))
    }

    /// Puts statements before another one. Where only one can stand, such as after `else`, a block takes its place.
    pub fn insert_before(&mut self, s: StmtId, new: &[StmtId]) -> Result<(), Refused> {
        if let Some((block, at)) = self.place(s) {
            let mut stmts = self.statements(block).unwrap_or_default();
            stmts.splice(at..at, new.iter().copied());
            return self.set_statements(block, &stmts);
        }
        let mut stmts = new.to_vec();
        stmts.push(s);
        // The holder must be found before the block holds the statement.
        let Some(Holder::Stmt(holder)) = self.holders().stmt(s) else {
            return Err(Refused::Place("nothing can stand before it"));
        };
        let block = self.block(&stmts);
        self.put_instead(holder, s, block)
    }

    /// Puts statements at the end of a block.
    pub fn append(&mut self, block: StmtId, new: &[StmtId]) -> Result<(), Refused> {
        let Some(mut stmts) = self.statements(block) else {
            return Err(Refused::Place("not a block"));
        };
        stmts.extend_from_slice(new);
        self.set_statements(block, &stmts)
    }

    /// Takes a statement away. Where one must stand an empty one is left.
    pub fn remove(&mut self, s: StmtId) -> Result<(), Refused> {
        match self.place(s) {
            Some((block, at)) => {
                let mut stmts = self.statements(block).unwrap_or_default();
                stmts.remove(at);
                self.set_statements(block, &stmts)
            }
            None => match self.holders().stmt(s) {
                Some(Holder::Stmt(holder)) => self.remove_only(holder, s),
                _ => Err(Refused::Place("not a statement of a block")),
            },
        }
    }

    /// Takes away a statement that does not stand in a block.
    fn remove_only(&mut self, holder: StmtId, s: StmtId) -> Result<(), Refused> {
        match self.program().stmts[holder].kind {
            StmtKind::For { init: Some(head), cond, step, body } if head == s => {
                self.set_stmt(holder, StmtKind::For { init: None, cond, step, body });
            }
            StmtKind::Decls(list) => {
                let rest: Vec<StmtId> =
                    self.program().block(list).iter().copied().filter(|&other| other != s).collect();
                if rest.is_empty() {
                    return self.remove(holder);
                }
                let list = self.program_mut().add_block(&rest);
                self.set_stmt(holder, StmtKind::Decls(list));
            }
            _ => self.set_stmt(s, StmtKind::Empty),
        }
        self.renew_around(holder)
    }

    /// Puts statements where another one stands; in a block there may be any number of them.
    pub fn replace(&mut self, s: StmtId, new: &[StmtId]) -> Result<(), Refused> {
        if let Some((block, at)) = self.place(s) {
            let mut stmts = self.statements(block).unwrap_or_default();
            stmts.splice(at..=at, new.iter().copied());
            return self.set_statements(block, &stmts);
        }
        let Some(Holder::Stmt(holder)) = self.holders().stmt(s) else {
            return Err(Refused::Place("nothing can stand there instead"));
        };
        let new = match *new {
            [one] => one,
            _ => self.block(new),
        };
        self.put_instead(holder, s, new)
    }

    /// Puts the statements from `first` to `last`, which stand in one block, into a block of their own, and returns it.
    pub fn wrap(&mut self, first: StmtId, last: StmtId) -> Result<StmtId, Refused> {
        let places = (self.place(first), self.place(last));
        let (Some((block, from)), Some((other, to))) = places else {
            return Err(Refused::Place("not a statement of a block"));
        };
        if block != other || from > to {
            return Err(Refused::Place("not a range of one block"));
        }
        let mut stmts = self.statements(block).unwrap_or_default();
        let inner = self.block(&stmts[from..=to]);
        stmts.splice(from..=to, [inner]);
        self.set_statements(block, &stmts)?;
        Ok(inner)
    }

    /// Takes statements out of their block, to be put somewhere else of the same function: at `place`, which is none of
    /// them and not inside of one. Until then they have no place.
    pub fn take_out(&mut self, stmts: &[StmtId], place: StmtId) -> Result<(), Refused> {
        let inside = |&s: &StmtId| Walk::stmt(self.program(), s).statements().any(|inner| inner == place);
        if stmts.iter().any(inside) {
            return Err(Refused::Place("a statement inside itself"));
        }
        for &s in stmts {
            let function = self.holders().function(s);
            if function.is_none() || function != self.holders().function(place) {
                return Err(Refused::Place("not in the same function"));
            }
            let Some((block, at)) = self.place(s) else {
                return Err(Refused::Place("not a statement of a block"));
            };
            let mut rest = self.statements(block).unwrap_or_default();
            rest.remove(at);
            self.set_statements(block, &rest)?;
        }
        Ok(())
    }

    /// Makes `holder` hold `new` where it held `old`.
    fn put_instead(&mut self, holder: StmtId, old: StmtId, new: StmtId) -> Result<(), Refused> {
        let before = self.program().stmts[holder].kind;
        // The head of a loop is no statement of its own.
        let is_head = matches!(before, StmtKind::For { init: Some(head), .. } if head == old);
        let kind = visit::with_stmts(before, |s| if s == old { new } else { s });
        if is_head || kind == before {
            return Err(Refused::Place("nothing can stand there instead"));
        }
        self.check_outside(holder, &[new])?;
        self.set_stmt(holder, kind);
        self.renew_around(holder)
    }
}
