//! Hints before loops: they change how a compiler works, and never what a program means.

use howler_lang::program::StmtId;

use crate::maker::Maker;
use crate::options::Feature;
use crate::parameters::Row;

impl Maker<'_> {
    /// Perhaps a hint for a loop. What promises something (`ivdep`, `omp simd`) is none of them.
    pub(crate) fn hint(&mut self, made: StmtId) {
        if !self.has(Feature::Hints) {
            return;
        }
        let count = *self.choices.one_of("count", &[2u32, 3, 4, 8]);
        let text = match self.draw(Row::Hint) {
            1 if self.choices.chance("gcc", 1, 2) => format!("GCC unroll {count}"),
            1 => format!("clang loop unroll_count({count})"),
            // To ask for vectors is to let floating numbers be added in another order: the judge refuses it.
            2 => "clang loop unroll(enable)".to_owned(),
            3 => "clang loop unroll(full)".to_owned(),
            4 if self.choices.chance("gcc", 1, 2) => "GCC unroll 1".to_owned(),
            4 => "clang loop unroll(disable)".to_owned(),
            5 => "clang loop vectorize(disable)".to_owned(),
            _ => return,
        };
        self.hints.insert(made, text);
    }
}
