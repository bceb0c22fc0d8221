//! What tests share that drive compilers: finding a tool, running it under a timeout, scratch folders, and the
//! rule that nothing is skipped silently.
//!
//! This is a dev-dependency, never part of Howler itself: programs under test run through `toolchain` there, with
//! limits that this crate does not have.
//!
//! ```no_run
//! use howler_testkit::{Options, Scratch, run, tool};
//!
//! let Some(gcc) = tool("gcc-12") else { return };
//! let scratch = Scratch::new();
//! let source = scratch.write("a.c", "int main(void) { return 3; }");
//! let built = run(gcc, [source.as_os_str(), "-o".as_ref(), scratch.path("a").as_os_str()], &Options::default());
//! assert!(built.success(), "{}", built.stderr_text());
//! assert_eq!(run(scratch.path("a"), [""; 0], &Options::default()).code, Some(3));
//! ```
#![deny(missing_docs)]

mod compiled;
pub mod expression;
pub mod mutant;
mod patience;
pub mod planted;
mod run;
mod scratch;

pub use crate::compiled::compiled;
pub use crate::patience::{end_of, undisturbed, wait_for};
pub use crate::run::{Options, Output, run};
pub use crate::scratch::Scratch;

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The environment variable naming the file that [`skip`] adds its lines to; `cargo xtask test` sets and reads it.
pub const SKIP_LOG: &str = "HOWLER_SKIP_LOG";

/// The environment variable that, set to 1, turns every [`skip`] into a failure.
pub const REQUIRE_ALL: &str = "HOWLER_REQUIRE_ALL";

/// A tool on `PATH`. If it is missing, the test is skipped: return from it.
///
/// ```
/// let Some(shell) = howler_testkit::tool("sh") else { return };
/// assert!(shell.is_absolute());
/// ```
///
/// # Panics
/// If the tool is missing and `HOWLER_REQUIRE_ALL` is 1.
pub fn tool(name: &str) -> Option<PathBuf> {
    let found = find(name);
    if found.is_none() {
        skip(&format!("{name} is not installed"));
    }
    found
}

/// A tool on `PATH`, without consequences if it is missing.
///
/// ```
/// assert_eq!(howler_testkit::find("no-such-compiler"), None);
/// ```
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let executable = |file: &PathBuf| {
        std::fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(executable)
}

/// A folder of the corpora that `cargo xtask corpus` makes: `gcc`, `csmith/default`… If it is missing, the test is
/// skipped: return from it.
///
/// ```no_run
/// let Some(folder) = howler_testkit::corpus("gcc/gcc.c-torture/execute") else { return };
/// assert!(folder.join("pr23047.c").is_file());
/// ```
///
/// # Panics
/// If the folder is missing and `HOWLER_REQUIRE_ALL` is 1.
pub fn corpus(name: &str) -> Option<PathBuf> {
    let folder = workspace().join("corpus").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    skip(&format!("corpus/{name} is missing, `cargo xtask corpus` makes it"));
    None
}

/// The programs of the corpora that a short run reads, Csmith's before GCC's execute tests: every `every`-th, and the
/// same ones on every machine. With `HOWLER_SOAK` all that are there. None, and a counted skip, without the corpora.
///
/// ```
/// let Some(programs) = howler_testkit::programs(100) else { return };
/// assert!(programs.len() > 10);
/// ```
pub fn programs(every: usize) -> Option<Vec<PathBuf>> {
    /// How many of Csmith's programs every corpus has.
    const SMALL: usize = 40;
    let (csmith, execute) = (corpus("csmith/default")?, corpus("gcc/gcc.c-torture/execute")?);
    let (every, first) = if soak() { (1, usize::MAX) } else { (every, SMALL) };
    let files = |folder: &Path| {
        let entries =
            std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|ext| ext == "c"));
        files.sort();
        files
    };
    Some(files(&csmith).into_iter().take(first).chain(files(&execute)).step_by(every).collect())
}

/// What gcc's preprocessor makes of a program of the corpora, without line markers.
pub fn preprocessed(gcc: &Path, file: &Path) -> String {
    let file = file.display().to_string();
    let output = run(gcc, ["-E", "-P", "-w", "-I", "/usr/include/csmith", &file], &Options::default());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The root of the workspace.
///
/// ```
/// assert!(howler_testkit::workspace().join("ARCHITECTURE.md").is_file());
/// ```
pub fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The roots whose compilers tests use: this system's own, which can be entered like any other, and one with newer
/// compilers if somebody has made it (`cargo xtask newest`) or named it in `HOWLER_ROOT`.
///
/// ```
/// assert_eq!(howler_testkit::roots()[0], std::path::Path::new("/"));
/// ```
pub fn roots() -> Vec<PathBuf> {
    let made = workspace().join("roots/unstable");
    let named = std::env::var_os("HOWLER_ROOT").map(PathBuf::from);
    let newer = named.or_else(|| made.join("usr/bin").is_dir().then_some(made));
    let newer =
        newer.map(|root| root.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", root.display())));
    std::iter::once(PathBuf::from("/")).chain(newer).collect()
}

/// Says that the running test cannot do its work, and why: prints a line starting with `skipped: ` and adds it to
/// the file that `HOWLER_SKIP_LOG` names, which `cargo xtask test` counts. The caller then returns.
///
/// ```
/// if !cfg!(target_os = "linux") {
///     howler_testkit::skip("this needs Linux");
///     return;
/// }
/// ```
///
/// # Panics
/// If `HOWLER_REQUIRE_ALL` is 1.
pub fn skip(reason: &str) {
    // libtest names a test's thread after the test.
    let test = std::thread::current().name().unwrap_or("unnamed").to_owned();
    let line = format!("skipped: {test}: {}\n", reason.replace('\n', " "));
    print!("{line}");
    if let Some(log) = std::env::var_os(SKIP_LOG) {
        let written = std::fs::OpenOptions::new().create(true).append(true).open(&log);
        written.and_then(|mut file| file.write_all(line.as_bytes())).expect("the skip log can be written");
    }
    assert!(!is_one(REQUIRE_ALL), "{REQUIRE_ALL}=1 and {}", line.trim_end());
}

/// Whether the long version of a test is wanted: `HOWLER_SOAK=1`.
///
/// ```
/// let programs = if howler_testkit::soak() { 100_000 } else { 200 };
/// # let _ = programs;
/// ```
pub fn soak() -> bool {
    is_one("HOWLER_SOAK")
}

fn is_one(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| value == "1")
}
