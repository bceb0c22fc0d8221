//! Operator-like builtins.

use super::Exec;
use crate::op::BuiltinSite;
use crate::outcome::{Run, unsupported};
use howler_lang::builtin;

impl<'p> Exec<'p> {
    pub(super) fn builtin(&mut self, site: u32) -> Run<()> {
        let site: &'p BuiltinSite = &self.code.builtins[site as usize];
        let arg = |exec: &Self, index: usize| exec.usable(site.args[index].0);
        match site.builtin {
            builtin::VA_START | builtin::STDARG_START => {
                let list = arg(self, 0)?;
                self.va_start(&list)
            }
            builtin::VA_END => {
                let list = arg(self, 0)?;
                self.va_end(&list)
            }
            builtin::VA_COPY => {
                let (to, from) = (arg(self, 0)?, arg(self, 1)?);
                self.va_copy(&to, &from)
            }
            builtin::COMPLEX | builtin::CONVERTVECTOR | builtin::SHUFFLE | builtin::SHUFFLEVECTOR => {
                self.wide_builtin(site)
            }
            other => unsupported(format!("'{}'", builtin::name(other))),
        }
    }
}
