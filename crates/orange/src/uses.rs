//! What of a test is written down, and what is compared where: variables nobody mentions are not declared, constant
//! statements become initial values, and every result is compared once.

use crate::eval::Mark;
use crate::test::{NodeId, Op, Role, Test, VarId};
use howler_lang::id::Id;

/// How variables are used by what is written.
pub(crate) struct Uses {
    /// Mentioned at all.
    pub(crate) used: Vec<bool>,
    /// The value it is declared with: that of a constant statement if nothing happens to it before.
    pub(crate) initial: Vec<u128>,
    /// Statements that are written.
    pub(crate) written: Vec<bool>,
    /// Statements whose result is compared at once, because their target is assigned again later.
    pub(crate) at_once: Vec<bool>,
    /// What is compared at the end, with its value.
    pub(crate) at_end: Vec<VarId>,
}

/// The variable an operation names.
pub(crate) fn mentioned(op: Op) -> Option<VarId> {
    match op {
        Op::Var(var) | Op::Assign(_, var) | Op::Step(_, var) => Some(var),
        _ => None,
    }
}

impl Uses {
    pub(crate) fn of(test: &Test, marks: &[Mark], last: &[u128]) -> Uses {
        let count = test.vars.len();
        let mut uses = Uses {
            used: vec![false; count],
            initial: test.vars.iter().map(|(_, var)| var.value).collect(),
            written: vec![false; test.statements.len()],
            at_once: vec![false; test.statements.len()],
            at_end: Vec::new(),
        };
        // A constant statement is written if something read or changed its target before; otherwise the target is
        // declared with the constant.
        let mut touched = vec![false; count];
        for (index, statement) in test.statements.iter().enumerate() {
            let target = statement.target.index();
            if !test.is_alive(index) {
                if touched[target] {
                    uses.written[index] = true;
                } else {
                    uses.initial[target] = statement.value;
                }
                continue;
            }
            uses.written[index] = true;
            touched[target] = true;
            uses.used[target] = true;
            let first = statement.first.index();
            for (offset, &mark) in marks[first..=statement.root.index()].iter().enumerate() {
                if mark != Mark::Gone
                    && let Some(var) = mentioned(test.nodes[NodeId::from_index(first + offset)].op)
                {
                    touched[var.index()] = true;
                    uses.used[var.index()] = true;
                }
            }
        }
        uses.checks(test, last);
        uses
    }

    /// What is compared where: every statement's result once, before it can change again.
    fn checks(&mut self, test: &Test, last: &[u128]) {
        let mut later = vec![false; self.used.len()];
        let mut final_target = vec![false; self.used.len()];
        for index in (0..test.statements.len()).rev().filter(|&index| test.is_alive(index)) {
            let target = test.statements[index].target.index();
            self.at_once[index] = std::mem::replace(&mut later[target], true);
            final_target[target] = true;
        }
        // A constant statement behind the last living one changes what there is to compare.
        for (index, statement) in test.statements.iter().enumerate() {
            let target = statement.target.index();
            if self.written[index] && !test.is_alive(index) && self.used[target] {
                final_target[target] |= last[target] == statement.value;
            }
        }
        for (id, var) in test.vars.iter() {
            let index = id.index();
            if self.used[index] && (final_target[index] || var.role == Role::M) {
                self.at_end.push(id);
            }
        }
    }
}
