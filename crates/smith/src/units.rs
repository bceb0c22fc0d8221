//! Several translation units: functions and variables are dealt out when all of them are made, and each unit gets wrappers of
//! its own.

use howler_lang::program::{ExprKind, FuncId};
use howler_lang::split::{Plan, split};
use howler_lang::visit::{Node, Walk};

use crate::features::Feature;
use crate::maker::{Made, Maker};

impl Maker<'_> {
    /// Puts parts of the program into other units, if it is to have some. `main` and the checksum stay.
    pub(crate) fn deal_out(&mut self) -> Made<()> {
        let most = self.options.units;
        if !self.has(Feature::Units) || most < 2 {
            return Ok(());
        }
        let count = self.choices.range("units", 1..=most);
        let mut plan = Plan::default();
        for at in 0..self.done.len() {
            let home = self.choices.range("function's unit", 0..=count - 1);
            plan.functions.insert(self.done[at].func, home);
        }
        for at in 0..self.globals.len() {
            let home = self.choices.range("variable's unit", 0..=count - 1);
            plan.objects.insert(self.places.var(self.globals[at]).object, home);
        }
        for unit in 1..count {
            self.out.unit(format!("test_{unit}.c"));
            for wrapper in self.wrappers_of(&plan, unit) {
                let twin = self.twin(wrapper)?;
                plan.twins.insert((wrapper, unit), twin);
            }
        }
        split(&mut self.out.program, &plan);
        Ok(())
    }

    /// The wrappers that functions of a unit call, in the order in which they come.
    fn wrappers_of(&self, plan: &Plan, unit: u32) -> Vec<FuncId> {
        let program = &self.out.program;
        let mut found = Vec::new();
        for done in self.done.iter().filter(|done| plan.functions[&done.func] == unit) {
            for e in Walk::of(program, Node::Function(done.func)).expressions() {
                if let ExprKind::Function(func) = program.exprs[e].kind
                    && self.is_wrapper(func)
                    && !found.contains(&func)
                {
                    found.push(func);
                }
            }
        }
        found
    }
}
