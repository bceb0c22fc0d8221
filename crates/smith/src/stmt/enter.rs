//! Jumps forwards into a block: into a branch, or into the body of a loop, which then has two ways in.
//!
//! Whatever the block declares stands in blocks of its own around the label, so that nothing is jumped over.

use howler_lang::compose::{Head as ForHead, Value};
use howler_lang::program::{BinaryOp, ExprId, ObjId, StmtId, UnaryOp};
use howler_lang::ty::Type;

use crate::maker::{Breaks, Label, Made, Maker};

impl Maker<'_> {
    /// `if (…) goto in; { … } if (…) { { … } in: { … } }`, or the same with a loop.
    pub(crate) fn enter(&mut self, depth: u32) -> Made<Option<StmtId>> {
        self.left -= 12;
        if self.one_in("a loop", 2) { self.enter_loop(depth) } else { self.enter_branch(depth).map(Some) }
    }

    fn enter_branch(&mut self, depth: u32) -> Made<StmtId> {
        let mut list = vec![self.way_in()?];
        let between = self.block(depth + 1)?;
        list.push(self.out.block(&between));
        self.log.clear();
        let cond = self.condition(2)?;
        let before = self.facts.clone();
        let entered = self.entered(depth)?;
        if !self.one_in("other branch", 3) {
            self.join(&before);
            list.push(self.out.when(cond, &entered)?);
            return Ok(self.out.block(&list));
        }
        let after = std::mem::replace(&mut self.facts, before);
        let other = self.block(depth + 1)?;
        self.join(&after);
        list.push(self.out.either(cond, &entered, &other)?);
        Ok(self.out.block(&list))
    }

    fn enter_loop(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let rounds = self.rounds();
        if rounds == 0 {
            return Ok(None);
        }
        // What is jumped over keeps to what holds at the head, as the body does: both lead there.
        let head = self.head(false);
        self.heads.push(head);
        let facts = self.facts.clone();
        let name = self.name("n");
        let (count, declared) = self.out.local(&name, Type::INT, Some(&Value::Int(0)))?;
        let mut list = vec![declared, self.way_in()?];
        let between = self.block(depth + 1)?;
        list.push(self.out.block(&between));
        self.facts.clone_from(&facts);
        let frame = self.frame();
        let times = frame.times;
        // One more than the loop counts: the first may begin in the middle.
        frame.times = times.saturating_mul(u64::from(rounds) + 1);
        frame.loops += 1;
        frame.breaks.push(Breaks::Loop);
        let body = self.entered(depth)?;
        let frame = self.frame();
        frame.breaks.pop();
        (frame.times, frame.loops) = (times, frame.loops - 1);
        self.heads.pop();
        self.facts = facts;
        list.push(self.counted(count, rounds, &body)?);
        Ok(Some(self.out.block(&list)))
    }

    /// A loop that ends when its count, which begins at zero, has come so far.
    fn counted(&mut self, count: ObjId, rounds: u32, body: &[StmtId]) -> Made<StmtId> {
        let below = |maker: &mut Self, now: ExprId| {
            let most = maker.out.int(i128::from(rounds))?;
            maker.out.binary(BinaryOp::Lt, now, most)
        };
        let now = self.out.lvalue(count);
        match self.choices.range("loop", 0..=2u32) {
            0 => {
                let cond = below(self, now)?;
                let again = self.out.lvalue(count);
                let advance = self.out.unary(UnaryOp::PreInc, again)?;
                self.out.for_loop(ForHead::Nothing, Some(cond), Some(advance), body)
            }
            1 => {
                let now = self.out.unary(UnaryOp::PostInc, now)?;
                let cond = below(self, now)?;
                self.out.while_loop(cond, body)
            }
            _ => {
                let now = self.out.unary(UnaryOp::PreInc, now)?;
                let cond = below(self, now)?;
                self.out.do_loop(body, cond)
            }
        }
    }

    /// A jump to a label that [`Maker::entered`] puts somewhere. What is made until then may jump there, too.
    fn way_in(&mut self) -> Made<StmtId> {
        let name = self.name("in");
        let label = self.out.label(&name);
        self.frame().labels.push(Label { label, ahead: None, fuel: None, used: false });
        let at = self.frame().labels.len() - 1;
        self.jump_to(at)
    }

    /// `{ … } in: { … }`
    fn entered(&mut self, depth: u32) -> Made<Vec<StmtId>> {
        let first = self.block(depth + 1)?;
        let first = self.out.block(&first);
        let label = self.frame().labels.pop().expect("the way in was pushed before");
        if let Some(facts) = label.ahead {
            self.join(&facts);
        }
        let rest = self.block(depth + 1)?;
        let rest = self.out.block(&rest);
        Ok(vec![first, self.out.labelled(label.label, rest)?])
    }
}
