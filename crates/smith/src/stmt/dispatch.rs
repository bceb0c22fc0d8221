//! `goto *table[x & 3];`: a `switch` made of labels that are values.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, LabelId, StmtId};
use howler_lang::ty::{Quals, Type};

use crate::maker::{Label, Made, Maker};

impl Maker<'_> {
    /// Arms with labels, a table of these, and the jump. Some arms fall through to the next.
    pub(crate) fn dispatch(&mut self, depth: u32) -> Made<Option<StmtId>> {
        self.left -= 12;
        let count = *self.choices.one_of("arms", &[2usize, 2, 4, 4, 8]);
        let value = self.int_expr(self.limits.expression_depth.min(3))?;
        // Labels are few, and stand in the table as often as it takes.
        let few = self.choices.range("labels", 2..=count.min(4));
        let labels: Vec<LabelId> = (0..few)
            .map(|_| {
                let name = self.name("arm");
                self.out.label(&name)
            })
            .collect();
        let mut list = Vec::new();
        let mask = self.out.int(count as i128 - 1)?;
        let index = self.out.binary(BinaryOp::BitAnd, value, mask)?;
        list.push(self.table(&labels, count, index)?);
        let before = self.facts.clone();
        let name = self.name("end");
        let end = self.out.label(&name);
        self.frame().labels.push(Label { label: end, ahead: None, fuel: None, used: true });
        let at = self.frame().labels.len() - 1;
        let mut falls = false;
        for (number, &label) in labels.iter().enumerate() {
            // Either the jump leads here, or the arm before does.
            if falls {
                self.join(&before);
            } else {
                self.facts.clone_from(&before);
            }
            let first = self.out.nothing();
            list.push(self.out.labelled(label, first)?);
            let block = self.block(depth + 1)?;
            list.push(self.out.block(&block));
            falls = number + 1 == labels.len() || self.one_in("falls through", 4);
            if !falls {
                let ahead = self.frame().labels[at].ahead.take();
                let ahead = self.join_into(ahead);
                self.frame().labels[at].ahead = ahead;
                list.push(self.out.goto(end));
            }
        }
        let label = self.frame().labels.pop().expect("it was pushed above");
        if let Some(facts) = label.ahead {
            self.join(&facts);
        }
        let last = self.out.nothing();
        list.push(self.out.labelled(end, last)?);
        Ok(Some(self.out.block(&list)))
    }

    /// The jump. The table stands where variables do, before all statements of the block.
    fn table(
        &mut self,
        labels: &[LabelId],
        count: usize,
        index: howler_lang::program::ExprId,
    ) -> Made<StmtId> {
        let void = self.out.pointer(Type::VOID)?;
        let void = if self.one_in("variable", 4) { void } else { self.out.qualified(void, Quals::CONST) };
        let ty = self.out.array(void, count as u64)?;
        // Each label once, then any.
        let list: Vec<Value> = (0..count)
            .map(|at| {
                let label = match labels.get(at) {
                    Some(&label) => label,
                    None => *self.choices.pick("label", labels).expect("there are at least two"),
                };
                Value::Expr(self.out.label_address(label))
            })
            .collect();
        let name = self.name("table");
        let value = Value::List(list);
        let (table, declared) = if self.one_in("automatic", 4) {
            self.out.local(&name, ty, Some(&value))?
        } else {
            self.out.static_local(&name, ty, Some(&value))?
        };
        self.frame().scopes.last_mut().expect("a block is open").declared.push(declared);
        let table = self.out.lvalue(table);
        let target = self.out.index(table, index)?;
        self.out.goto_computed(target)
    }
}
