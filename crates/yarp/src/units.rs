//! Several files, as test functions apart from the variables and from `main` are what keeps a compiler from knowing the
//! values of variables.

use howler_lang::program::FuncId;
use howler_lang::split::{Plan, split};

use crate::maker::{Made, Maker};
use crate::options::Feature;

impl Maker<'_> {
    /// Puts test functions, and what they call, into files of their own. Variables, the checksum and `main` stay.
    pub(crate) fn deal_out(&mut self, tests: &[FuncId]) -> Made<()> {
        let most = self.options.units;
        if !self.has(Feature::Units) || most < 2 {
            return Ok(());
        }
        let count = self.choices.range("files", 1..=most - 1);
        let mut plan = Plan::default();
        for func in self.functions().chain(tests.iter().copied()).collect::<Vec<_>>() {
            let home = self.choices.range("file", 1..=count);
            plan.functions.insert(func, home);
        }
        if let Some(unit) = self.out.program.units.first_mut() {
            "driver.c".clone_into(&mut unit.name);
        }
        for number in 1..=count {
            self.out.unit(format!("func_{number}.c"));
        }
        split(&mut self.out.program, &plan);
        Ok(())
    }
}
