//! Ways out: `break`, `continue`, `return`, `goto` forwards and backwards.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, StmtId, UnaryOp};
use howler_lang::ty::Type;

use crate::features::Feature;
use crate::maker::{Breaks, Label, Made, Maker};

impl Maker<'_> {
    /// `break`, if something says so.
    pub(crate) fn conditional_break(&mut self) -> Made<StmtId> {
        let cond = self.condition(2)?;
        self.note_break();
        let stmt = self.out.breaks();
        self.out.when(cond, &[stmt])
    }

    /// What holds here holds where a `break` leads to.
    pub(crate) fn note_break(&mut self) {
        let Some(breaks) = self.frame().breaks.pop() else { return };
        let breaks = match breaks {
            Breaks::Loop => Breaks::Loop,
            Breaks::Switch(facts) => Breaks::Switch(self.join_into(facts)),
        };
        self.frame().breaks.push(breaks);
    }

    pub(crate) fn conditional_continue(&mut self) -> Made<StmtId> {
        let cond = self.condition(2)?;
        let stmt = self.out.continues();
        self.out.when(cond, &[stmt])
    }

    pub(crate) fn early_return(&mut self) -> Made<StmtId> {
        let cond = self.condition(2)?;
        self.log.clear();
        let before = self.facts.clone();
        let returns = self.frame().returns;
        let value = self.result(returns, 2)?;
        let exits = self.frame().exits.take();
        let exits = self.join_into(exits);
        self.frame().exits = exits;
        self.facts = before;
        let func = self.frame().func;
        let returns = self.out.returns(func, Some(value))?;
        self.out.when(cond, &[returns])
    }

    /// A jump to a label that is open here, or a new label ahead and statements before it.
    pub(crate) fn jump(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let count = self.frame().labels.len();
        let nest = depth < self.limits.block_depth && self.left > 20;
        if count > 0 && (!nest || self.one_in("known label", 2)) {
            let at = self.choices.range("label", 0..=count - 1);
            return self.jump_to(at).map(Some);
        }
        if !nest {
            return Ok(None);
        }
        // if (…) goto ahead; …; ahead: …
        let name = self.name("lbl");
        let label = self.out.label(&name);
        self.frame().labels.push(Label { label, ahead: None, fuel: None, used: false });
        let at = self.frame().labels.len() - 1;
        let mut list = vec![self.jump_to(at)?];
        list.extend(self.block(depth + 1)?);
        let label = self.frame().labels.pop().expect("it was pushed above");
        if let Some(facts) = label.ahead {
            self.join(&facts);
        }
        self.log.clear();
        let last = self.assignment()?;
        list.push(self.out.labelled(label.label, last)?);
        Ok(Some(self.out.block(&list)))
    }

    /// A jump to the label with this number, if something says so.
    pub(crate) fn jump_to(&mut self, at: usize) -> Made<StmtId> {
        let mut cond = self.condition(2)?;
        let label = &self.frame().labels[at];
        let (target, fuel) = (label.label, label.fuel);
        match fuel {
            // Back, so many times at most.
            Some((object, most)) => {
                let counter = self.out.lvalue(object);
                let count = self.out.unary(UnaryOp::PostInc, counter)?;
                let most = self.out.int(i128::from(most))?;
                let allowed = self.out.binary(BinaryOp::Lt, count, most)?;
                cond = self.out.binary(BinaryOp::And, cond, allowed)?;
            }
            None => {
                let ahead = self.frame().labels[at].ahead.take();
                let ahead = self.join_into(ahead);
                self.frame().labels[at].ahead = ahead;
            }
        }
        self.frame().labels[at].used = true;
        self.left -= 6;
        let goto = self.out.goto(target);
        self.out.when(cond, &[goto])
    }

    /// The statements of the block that is open, perhaps with a label before them all that is jumped back to. What holds
    /// there is chosen now, as at the head of a loop.
    pub(crate) fn labelled_body(&mut self, depth: u32) -> Made<Vec<StmtId>> {
        if !self.has(Feature::Goto) || !self.one_in("label", 12) || !self.affords(2000) || self.left < 100 {
            return self.block_body(depth);
        }
        let most = self.choices.range("jumps", 1..=4u32);
        // The count stands before what is done again.
        let name = self.name("n");
        let (object, declared) = self.out.local(&name, Type::INT, Some(&Value::Int(0)))?;
        let name = self.name("lbl");
        let label = self.out.label(&name);
        let head = self.head(false);
        self.heads.push(head);
        let frame = self.frame();
        let times = frame.times;
        frame.times = times.saturating_mul(u64::from(most) + 1);
        frame.labels.push(Label { label, ahead: None, fuel: Some((object, most)), used: false });
        let at = frame.labels.len() - 1;
        self.open();
        let mut body = self.block_body(depth)?;
        self.log.clear();
        body.push(self.jump_to(at)?);
        let body = self.close(body);
        self.frame().labels.pop();
        self.frame().times = times;
        self.heads.pop();
        let first = self.out.nothing();
        let mut list = vec![declared, self.out.labelled(label, first)?];
        list.extend(body);
        Ok(list)
    }
}
