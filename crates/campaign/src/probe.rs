//! What compilers take of C beyond the standard, asked before arms are made: a test that a compiler refuses says nothing
//! of it.

use howler_oracle::lab::Configuration;
use howler_toolchain::guard::{Guard, GuardError, Limits};

/// The compilers that do not take a program, by name, in their order.
pub(crate) fn refusing(
    guard: &mut Guard,
    configurations: &[Configuration],
    text: &str,
) -> Result<Vec<String>, GuardError> {
    let mut asked: Vec<&str> = Vec::new();
    let mut refusing = Vec::new();
    for configuration in configurations {
        let compiler = &configuration.configured.compiler;
        if asked.contains(&compiler.name.as_str()) {
            continue;
        }
        asked.push(&compiler.name);
        let what = [&configuration.configured.flags[..], &["takes".to_owned(), text.to_owned()]].concat();
        if compiler.is_known_to(&what) {
            continue;
        }
        guard.clear()?;
        let failed = |error: std::io::Error| GuardError::Failed(error.to_string());
        guard.write("test.c", text.as_bytes()).map_err(failed)?;
        let mut job = compiler.job();
        let flags = configuration.configured.flags.iter().map(String::as_str);
        job.args = compiler.command_line(flags.chain(["-w", "-c", "-o", "test.o", "test.c"]));
        job.limits = Limits::default();
        if guard.run(&job)?.success() {
            compiler.works_with(&what);
        } else {
            refusing.push(compiler.name.clone());
        }
    }
    Ok(refusing)
}
