//! The same compilers for 32 bits, for tests that ask for them: half of what crashes a compiler does so for one width.

use howler_lang::target::Arch;
use howler_oracle::lab::Configuration;
use howler_toolchain::compiler::Family;
use howler_toolchain::guard::{Guard, GuardError};

use crate::extras::works;

/// Asks for 32 bits.
const NARROW: &str = "-m32";

/// Each gcc and clang for x86-64 at its lowest and its highest plain level, for 32 bits; without those that cannot link
/// there.
pub fn find(guard: &mut Guard, configurations: &[Configuration]) -> Result<Vec<Configuration>, GuardError> {
    let mut all = Vec::new();
    for configuration in configurations {
        let configured = &configuration.configured;
        let flag = |flag: &str| configured.flags.iter().any(|known| known == flag);
        let wide = configuration.target.is_some_and(|target| target.arch == Arch::X86_64);
        let known = matches!(configured.compiler.family, Family::Gcc | Family::Clang);
        if !wide || !known || !(flag("-O0") || flag("-O3")) || !configured.compiler.is_runnable() {
            continue;
        }
        let mut narrow = configured.clone();
        let chosen = narrow.add_flags(vec![NARROW.to_owned()]).is_ok();
        let narrow = chosen.then(|| Configuration::new(narrow).ok()).flatten();
        let narrow = narrow.filter(|narrow| narrow.target.is_some_and(|target| target.arch == Arch::I386));
        if let Some(narrow) = narrow
            && works(guard, configuration, NARROW)?
        {
            all.push(narrow);
        }
    }
    Ok(all)
}
