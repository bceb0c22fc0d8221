//! What `howler doctor` shows: what this system has of what a hunt needs. Data only; the command line prints it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use howler_lang::target::Std;

use crate::compiler::{Compiler, Configured, Dialect, detect, detect_in};
use crate::guard::{Guard, GuardOptions, Layers};
use crate::process::{self, Invocation, Limits};
use crate::search::{folders, is_program, on_path};

/// The state of a system.
#[derive(Debug)]
pub struct Survey {
    /// The kernel's release: `6.1.0`.
    pub kernel: String,
    /// How many processors a hunt may use.
    pub processors: usize,
    /// Free memory, in bytes.
    pub memory: Option<u64>,
    /// A guard that was started for the purpose, or why none can be.
    pub guard: Result<Protection, String>,
    /// The compilers.
    pub compilers: Vec<Found>,
    /// Emulators for programs of other machines.
    pub emulators: Vec<PathBuf>,
    /// Csmith.
    pub csmith: Option<Tool>,
}

/// What protects the system from jobs.
#[derive(Clone, Debug)]
pub struct Protection {
    /// The layers.
    pub layers: Layers,
    /// The folder that scratch folders are made in.
    pub place: PathBuf,
}

/// A compiler and the C it compiles with no flags but those that a hunt adds itself.
#[derive(Clone, Debug)]
pub struct Found {
    /// The compiler.
    pub compiler: Compiler,
    /// The flags that a hunt adds.
    pub flags: Vec<String>,
    /// Its C.
    pub dialect: Dialect,
}

/// Another program.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Where it is.
    pub path: PathBuf,
    /// The first line it says about its version.
    pub version: String,
}

/// Looks at everything. It takes about a second: each compiler is asked what it is.
///
/// ```no_run
/// let survey = howler_toolchain::doctor::survey();
/// if let Ok(protection) = &survey.guard {
///     for (name, layer) in protection.layers.list() {
///         println!("{name}: {layer}");
///     }
/// }
/// ```
pub fn survey() -> Survey {
    Survey {
        kernel: first_line("/proc/sys/kernel/osrelease"),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        memory: available_memory(),
        guard: protection(),
        compilers: found(detect()),
        emulators: emulators(),
        csmith: tool("csmith"),
    }
}

/// The compilers of another root, as [`survey`] has those of this system.
pub fn survey_root(root: &Path) -> Result<Vec<Found>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", root.display());
    let root = root.canonicalize().map_err(|error| failed(&error))?;
    // A word about what does not work, instead of compilers that are not there.
    let options = GuardOptions { roots: vec![root.clone()], ..GuardOptions::default() };
    Guard::start(&options).map_err(|error| failed(&error))?;
    Ok(found(detect_in(&root)))
}

fn found(compilers: Vec<Compiler>) -> Vec<Found> {
    let all = compilers.into_iter().map(|compiler| {
        let completed = Configured::completed(compiler.clone(), Vec::new());
        let mut flags = completed.map_or(Vec::new(), |completed| completed.flags);
        flags.insert(0, compiler.std_flag(Std::GNU17));
        let dialect = compiler.dialect(&flags).unwrap_or_else(|error| Dialect::CrashOnly(error.to_string()));
        Found { compiler, flags, dialect }
    });
    all.collect()
}

fn protection() -> Result<Protection, String> {
    let guard = Guard::start(&GuardOptions::default()).map_err(|error| error.to_string())?;
    // The folder of this guard is inside one of its own name, in that place.
    let place = guard.scratch().ancestors().nth(2).unwrap_or(guard.scratch()).to_owned();
    Ok(Protection { layers: guard.layers().clone(), place })
}

fn first_line(file: &str) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}

fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn emulators() -> Vec<PathBuf> {
    let system = |name: &str| {
        // Emulators of whole machines do not run programs.
        name.strip_prefix("qemu-").is_some_and(|rest| {
            !["system", "img", "nbd", "io", "ga", "pr", "edid", "storage", "bridge", "vhost", "keymap"]
                .iter()
                .any(|other| rest.starts_with(other))
        })
    };
    let mut found: Vec<PathBuf> = folders()
        .filter_map(|folder| folder.read_dir().ok())
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(system))
        .map(|entry| entry.path())
        .filter(|path| is_program(path))
        .collect();
    found.sort();
    found.dedup_by_key(|path| path.file_name().map(OsStr::to_owned));
    found
}

fn tool(name: &str) -> Option<Tool> {
    let path = on_path(name.as_ref())?;
    let mut invocation = Invocation::new(&path);
    invocation.arg("--version");
    let finished = process::run(&invocation, &Limits::default()).ok()?;
    let text = String::from_utf8_lossy(&finished.stdout).into_owned();
    let version = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
    Some(Tool { path, version })
}
