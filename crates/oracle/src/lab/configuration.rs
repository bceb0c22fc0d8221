//! What a test is tried with.

use std::fmt;

use howler_case::Case;
use howler_lang::target::{self, Target};
use howler_toolchain::compiler::{CompilerError, Configured, Dialect, Family};

/// A compiler with flags, and what programs mean to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// As a user types it: `gcc-12 -O2`.
    pub name: String,
    /// The compiler and its flags.
    pub configured: Configured,
    /// Whose meaning counts; the standard in it is that of the case. None: only what the compiler itself does counts.
    pub target: Option<Target>,
}

impl Configuration {
    /// Asks the compiler what it compiles for.
    pub fn new(configured: Configured) -> Result<Configuration, CompilerError> {
        let target = match configured.dialect()? {
            Dialect::Known(target) => Some(target),
            Dialect::CrashOnly(_) => None,
        };
        Ok(Configuration { name: configured.to_string(), configured, target })
    }

    /// Reads what a user types.
    pub fn parse(command: &str) -> Result<Configuration, CompilerError> {
        Configuration::new(Configured::parse(command)?)
    }

    /// The same compiler with other flags that mean the same to programs.
    pub fn set_flags(&mut self, flags: Vec<String>) {
        self.configured.flags = flags;
        self.name = self.configured.to_string();
    }

    /// Whose meaning of a case counts, if it is modelled.
    pub fn target_for(&self, case: &Case) -> Option<Target> {
        self.target.map(|target| Target { std: case.std, ..target })
    }

    /// The targets whose verdicts must agree. Compilers that follow gcc follow it where the standard leaves them no
    /// choice, not in every habit of its own: what gcc and clang read differently is nobody else's fault.
    pub(super) fn targets_for(&self, case: &Case) -> Vec<Target> {
        let Some(target) = self.target_for(case) else { return Vec::new() };
        match self.configured.compiler.family {
            Family::Gcc | Family::Clang => vec![target],
            _ => vec![
                Target { compiler: target::Compiler::Gcc, ..target },
                Target { compiler: target::Compiler::Clang, ..target },
            ],
        }
    }

    pub(super) fn family(&self) -> &'static str {
        self.configured.compiler.family.name()
    }

    pub(super) fn has(&self, flag: &str) -> bool {
        self.configured.flags.iter().any(|known| known == flag)
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
