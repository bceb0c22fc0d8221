//! Complex values and vectors.

use super::Exec;
use crate::outcome::{Run, unsupported};

impl Exec<'_> {
    pub(super) fn wide(&mut self, site: u32) -> Run<()> {
        let _ = &self.code.wides[site as usize];
        unsupported("an operation on complex values or vectors")
    }
}
