//! `switch`: arms that are reached, that fall through, and a default anywhere.

use howler_lang::compose::Arm;
use howler_lang::program::{BinaryOp, StmtId};

use crate::maker::{Breaks, Made, Maker};

impl Maker<'_> {
    pub(crate) fn switch(&mut self, depth: u32) -> Made<Option<StmtId>> {
        self.left -= 6;
        let value = self.int_expr(self.limits.expression_depth)?;
        let count = self.choices.range("arms", 2..=6u32);
        // Small values, so that arms are reached; or any, when they mostly are not.
        let (value, most) = if self.choices.chance("masked", 3, 4) {
            let most = (count + 1).next_power_of_two() - 1;
            let mask = self.out.int(i128::from(most))?;
            (self.out.binary(BinaryOp::BitAnd, value, mask)?, i128::from(most))
        } else {
            (value, 120)
        };
        let mut values: Vec<i128> = Vec::new();
        let mut next = if most < 100 { 0 } else { self.choices.range("first", 0..=20i128) };
        for _ in 0..count {
            if next > most {
                break;
            }
            values.push(next);
            next += if most < 100 { 1 } else { self.choices.range("gap", 1..=9i128) };
        }
        let default = self.choices.range("default", 0..=values.len() + 1);
        let before = self.facts.clone();
        self.frame().breaks.push(Breaks::Switch(None));
        let mut arms: Vec<Arm> = Vec::new();
        let mut falls = false;
        let mut at = 0;
        while at < values.len() {
            let together = if at + 1 < values.len() && self.one_in("together", 4) { 2 } else { 1 };
            // Either the value leads here, or the arm before does.
            if falls {
                self.join(&before);
            } else {
                self.facts.clone_from(&before);
            }
            let mut body = vec![];
            let block = self.block(depth + 1)?;
            body.push(self.out.block(&block));
            falls = self.one_in("falls through", 4);
            if !falls {
                self.note_break();
                body.push(self.out.breaks());
            }
            arms.push(Arm { values: values[at..at + together].to_vec(), default: default == at, body });
            at += together;
        }
        let has_default = arms.iter().any(|arm| arm.default);
        // The end is reached from the last arm, from every break, and by values that lead nowhere.
        if !falls {
            self.facts.clone_from(&before);
        }
        if !has_default {
            self.join(&before);
        }
        if let Some(Breaks::Switch(Some(facts))) = self.frame().breaks.pop() {
            if has_default && !falls {
                self.facts = facts;
            } else {
                self.join(&facts);
            }
        }
        self.out.switch(value, &arms).map(Some)
    }
}
