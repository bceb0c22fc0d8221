//! Programs as a compiler makes them and as they run.

use crate::{Options, Scratch, run};
use std::path::Path;
use std::time::Duration;

/// What a program writes and its status when a compiler has made it, or what the compiler or the program complains of.
///
/// ```
/// use howler_testkit::{Scratch, compiled, tool};
/// let scratch = Scratch::new();
/// if let Some(gcc) = tool("gcc-12") {
///     let text = "int puts(const char *);\nint main(void) { puts(\"a\"); return 3; }\n";
///     assert_eq!(compiled(&gcc, &["-O1"], &scratch, text), Ok(("a\n".to_owned(), 3)));
/// }
/// ```
///
/// # Errors
/// There is no program, or it writes to its error stream, as sanitizers do.
pub fn compiled(
    compiler: &Path,
    flags: &[&str],
    scratch: &Scratch,
    text: &str,
) -> Result<(String, i32), String> {
    let source = scratch.write("t.c", text);
    let out = scratch.path("t");
    let mut args: Vec<&str> =
        vec!["-w", "-o", out.to_str().expect("a plain path"), source.to_str().expect("a plain path")];
    args.extend(flags);
    let limit = Options { timeout: Duration::from_secs(120), ..Options::default() };
    let made = run(compiler, &args, &limit);
    if !made.success() {
        return Err(made.stderr_text());
    }
    let none: [&str; 0] = [];
    let ran = run(&out, none, &limit);
    if !ran.stderr_text().is_empty() {
        return Err(ran.stderr_text());
    }
    Ok((ran.stdout_text(), ran.code.unwrap_or(-1)))
}
