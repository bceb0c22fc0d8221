//! Compilers: which are installed, what they are, and which C they compile.
//!
//! `detect` finds them on PATH, `probe` asks them, `dialect` maps a compiler with its flags to a target of the model,
//! `answers` keeps what they said, `split` reads a command as a shell would.

pub mod answers;
mod detect;
mod dialect;
pub(crate) mod home;
mod probe;
mod split;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use howler_lang::target::{Edition, Std};

pub use detect::{detect, detect_in};
pub use dialect::{Dialect, changes_meaning};
pub use probe::Macros;
pub use split::{SplitError, quoted, split};

use crate::compiler::home::Home;
use crate::guard::Job;
use crate::process::RunError;
use crate::search::{on_path, on_path_in, open_in};

/// A compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiler {
    /// What to call it: `gcc-12`, `clang-16`, `zig`, `root:/srv/sid:gcc-16`, or the path that the user gave.
    pub name: String,
    /// The driver, as an absolute path.
    pub path: PathBuf,
    /// The root that the path is in and that the compiler and its programs run in, if not this system's: a folder with
    /// a whole system in it.
    pub root: Option<PathBuf>,
    /// Arguments that come before all others: `clang` and where things are, for zig.
    pub prefix: Vec<String>,
    /// Whose flags and dialect it has.
    pub family: Family,
    /// Its version: `12.2.0`.
    pub version: String,
    /// What it compiles for: `x86_64-linux-gnu`.
    pub triple: String,
    /// What runs its programs where this machine does not.
    pub runner: Option<Runner>,
}

/// Whose flags a compiler takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Family {
    /// gcc.
    Gcc,
    /// clang, and what is made of it.
    Clang,
    /// The tiny C compiler.
    Tcc,
    /// The portable C compiler.
    Pcc,
    /// None of them.
    Other,
}

impl Family {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Family::Gcc => "gcc",
            Family::Clang => "clang",
            Family::Tcc => "tcc",
            Family::Pcc => "pcc",
            Family::Other => "other",
        }
    }
}

/// An emulator for the programs of a cross compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runner {
    /// The emulator.
    pub program: PathBuf,
    /// Its arguments before the program's path.
    pub args: Vec<String>,
}

/// A compiler with flags.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configured {
    /// The compiler.
    pub compiler: Compiler,
    /// Its flags.
    pub flags: Vec<String>,
}

/// Why a command is no compiler.
#[derive(Debug, thiserror::Error)]
pub enum CompilerError {
    /// The command cannot be read.
    #[error("`{command}`: {source}")]
    Split {
        /// The command.
        command: String,
        /// What is wrong with it.
        source: SplitError,
    },
    /// There is no such program.
    #[error("{0}: no such program on PATH")]
    NotFound(String),
    /// It did not run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It does not preprocess the simplest text.
    #[error("{program} is no C compiler that Howler can use: {why}")]
    NoCompiler {
        /// The program.
        program: String,
        /// What happened.
        why: String,
    },
    /// A flag that is not for building programs.
    #[error("{flag}: {why}; leave it out")]
    NoProgram {
        /// The flag.
        flag: String,
        /// Why it does not fit.
        why: &'static str,
    },
}

/// Flags after which a driver makes something else than an executable, or nothing.
#[rustfmt::skip]
const NO_EXECUTABLE: &[&str] = &[
    "-E", "-S", "-c", "-r", "-fsyntax-only", "-###", "-run", "-shared", "--shared", "--preprocess", "--assemble",
    "--compile", "--dependencies", "--user-dependencies", "--write-dependencies", "--write-user-dependencies",
    "--analyze", "--version", "--help", "-help", "-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs",
    "-ar", "-emit-ast", "-relocatable",
];
/// The same for flags that only begin so.
const NO_EXECUTABLE_STARTS: &[&str] = &["-M", "-print-", "--print-", "--help=", "-Wl,-r,", "-dM", "-dD"];

/// Refuses flags that leave nothing to run. Nothing must have been asked of the compiler by then: `-o FILE` writes.
pub fn refuse_other_work(flags: &[String]) -> Result<(), CompilerError> {
    for flag in flags {
        let starts = || NO_EXECUTABLE_STARTS.iter().any(|start| flag.starts_with(start));
        let why = if NO_EXECUTABLE.contains(&flag.as_str()) || flag == "-Wl,-r" || starts() {
            "it makes no executable, and programs are built to be run"
        } else if flag.starts_with("-o") || flag.starts_with("--output") {
            "the name of the output is not for the command to choose"
        } else {
            continue;
        };
        return Err(CompilerError::NoProgram { flag: flag.clone(), why });
    }
    Ok(())
}

impl Compiler {
    /// The compiler that a name on PATH or a path means.
    ///
    /// `root:DIR:NAME` is one in another root, a folder with a whole system in it; the name is looked up there. Whoever asks
    /// must have a `main` that begins with [`serve_if_asked`](crate::guard::serve_if_asked).
    pub fn find(name: &str) -> Result<Compiler, CompilerError> {
        if let Some((root, program)) = name.strip_prefix("root:").and_then(|rest| rest.rsplit_once(':')) {
            return Compiler::find_in(Path::new(root), program);
        }
        let path = on_path(OsStr::new(name)).ok_or_else(|| CompilerError::NotFound(name.to_owned()))?;
        // Jobs run in a folder of their own.
        let path = std::path::absolute(&path).unwrap_or(path);
        let prefix = if file_name(&path) == "zig" { detect::zig_prefix(&path) } else { Vec::new() };
        Compiler::probed(name.to_owned(), None, path, prefix)
    }

    /// The compiler that a name or a path means in another root.
    pub fn find_in(root: &Path, program: &str) -> Result<Compiler, CompilerError> {
        let name = format!("root:{}:{program}", root.display());
        let missing = |why: &str| CompilerError::NotFound(format!("{name}: {why}"));
        let root = root.canonicalize().map_err(|error| missing(&error.to_string()))?;
        let path =
            on_path_in(Some(&root), OsStr::new(program)).ok_or_else(|| missing("no such program there"))?;
        Compiler::probed(name.clone(), Some(root), path, Vec::new())
    }

    fn probed(
        name: String,
        root: Option<PathBuf>,
        path: PathBuf,
        prefix: Vec<String>,
    ) -> Result<Compiler, CompilerError> {
        let home = Home { root, path };
        let macros = probe::macros(&home, &prefix, &[])?;
        let family = macros.family();
        let triple = probe::triple(&home, &prefix, &macros)?;
        let Home { root, path } = home;
        // An emulator of this system is not in another.
        let runner = if root.is_none() { detect::runner(&triple) } else { None };
        Ok(Compiler { version: macros.version(), name, root, path, prefix, family, triple, runner })
    }

    /// Whether its programs can be run on this machine.
    pub fn is_runnable(&self) -> bool {
        self.runner.is_some() || detect::is_native(&self.triple)
    }

    /// The arguments of a command line with these at its end.
    pub fn command_line<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Vec<OsString> {
        let prefix = self.prefix.iter().map(OsString::from);
        prefix.chain(args.into_iter().map(|arg| arg.as_ref().to_owned())).collect()
    }

    /// The flag that makes it compile this standard, or the nearest it has.
    pub fn std_flag(&self, std: Std) -> String {
        // pcc has no more than these, and its extensions under each.
        let name = match (self.family, std.edition) {
            (Family::Pcc, Edition::C11 | Edition::C17) => "c11",
            _ => std.name(),
        };
        format!("-std={name}")
    }

    /// What it predefines under these flags.
    pub fn macros(&self, flags: &[String]) -> Result<Macros, CompilerError> {
        probe::macros(&self.home(), &self.prefix, flags)
    }

    /// Whether it compiles under these flags without a word. Not every version knows every flag.
    pub fn takes(&self, flags: &[String]) -> bool {
        probe::takes(&self.home(), &self.prefix, flags)
    }

    /// Whether something is known to work with it, by what an earlier process has [kept](answers).
    pub fn is_known_to(&self, what: &[String]) -> bool {
        let words: Vec<OsString> = what.iter().map(OsString::from).collect();
        answers::known(&self.home(), answers::question("works", &words, b"")).is_some()
    }

    /// Remembers that something works with it. That something does not is nothing to remember: what is missing is often
    /// installed later, beside the compiler.
    pub fn works_with(&self, what: &[String]) {
        let words: Vec<OsString> = what.iter().map(OsString::from).collect();
        answers::learnt(&self.home(), answers::question("works", &words, b""), b"");
    }

    /// Where it is.
    pub(crate) fn home(&self) -> Home {
        Home { root: self.root.clone(), path: self.path.clone() }
    }

    /// A job that starts it, without arguments.
    pub fn job(&self) -> Job {
        self.beside(&self.path)
    }

    /// A job that starts another program where this compiler is.
    pub fn beside(&self, program: impl Into<PathBuf>) -> Job {
        let mut job = Job::new(program);
        job.root.clone_from(&self.root);
        job
    }

    /// A job that runs a program it has made, by what runs such programs here.
    pub fn runs(&self, program: &Path) -> Job {
        let Some(runner) = &self.runner else { return self.beside(program) };
        let mut job = self.beside(&runner.program);
        job.args(&runner.args).arg(program);
        job
    }

    /// What it begins with, for a look at what kind of program it is.
    pub fn open(&self) -> std::io::Result<std::fs::File> {
        open_in(self.root.as_deref(), &self.path)
    }

    /// The tool that makes a profile of what clang's counting programs write: that of the same version.
    pub fn profile_merger(&self) -> Option<PathBuf> {
        const NAME: &str = "llvm-profdata";
        let major = self.version.split('.').next().unwrap_or_default();
        let beside = |path: PathBuf| Some(path.parent()?.join(NAME)).filter(|tool| tool.is_file());
        let versioned = || on_path_in(self.root.as_deref(), OsStr::new(&format!("{NAME}-{major}")));
        if self.root.is_some() {
            return versioned();
        }
        // What is called clang-16 may be a link to where its tools are.
        self.path.canonicalize().ok().and_then(beside).or_else(versioned)
    }

    /// Which C it compiles under these flags, and under `-std=gnu17` if they name no standard.
    pub fn dialect(&self, flags: &[String]) -> Result<Dialect, CompilerError> {
        // What is not said is what every compile says: newer compilers speak a C that the model does not, by default.
        let mut named = flags.to_vec();
        if !dialect::names_std(flags) {
            named.push(self.std_flag(Std::GNU17));
        }
        Ok(dialect::dialect(self.family, &named, &self.macros(&named)?))
    }
}

impl Configured {
    /// Reads a command: a compiler and its flags, quoted as for a shell.
    ///
    /// A compiler that may fuse a multiplication with an addition (clang, and any with `-march=native`) gets
    /// `-ffp-contract=off`, unless the command says what it wants: C allows either result (C17 6.5p8), and a test needs one.
    ///
    /// ```no_run
    /// use howler_toolchain::compiler::Configured;
    /// let configured = Configured::parse("clang-16 -O2 -march=native")?;
    /// assert_eq!(configured.flags, ["-O2", "-march=native", "-ffp-contract=off"]);
    /// # Ok::<(), howler_toolchain::compiler::CompilerError>(())
    /// ```
    pub fn parse(command: &str) -> Result<Configured, CompilerError> {
        let words =
            split(command).map_err(|source| CompilerError::Split { command: command.to_owned(), source })?;
        let mut words = words.into_iter();
        let program = words.next().ok_or_else(|| CompilerError::NotFound(command.to_owned()))?;
        let mut flags: Vec<String> = words.collect();
        refuse_other_work(&flags)?;
        let compiler = Compiler::find(&program)?;
        // Somebody may write the subcommand too.
        if !compiler.prefix.is_empty() && flags.first() == compiler.prefix.first() {
            flags.remove(0);
        }
        Configured::completed(compiler, flags)
    }

    /// A compiler under flags, with those added that it needs to give one result only.
    pub fn completed(compiler: Compiler, mut flags: Vec<String>) -> Result<Configured, CompilerError> {
        let macros = compiler.macros(&flags)?;
        flags.extend(dialect::missing_flags(&flags, &macros));
        Ok(Configured { compiler, flags })
    }

    /// Adds flags of a level.
    pub fn add_flags(&mut self, flags: Vec<String>) -> Result<(), CompilerError> {
        refuse_other_work(&flags)?;
        self.flags.extend(flags);
        Ok(())
    }

    /// Which C it compiles.
    pub fn dialect(&self) -> Result<Dialect, CompilerError> {
        self.compiler.dialect(&self.flags)
    }
}

impl std::fmt::Display for Configured {
    /// The command, as a shell reads it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", quoted(&self.compiler.name))?;
        self.flags.iter().try_for_each(|flag| write!(f, " {}", quoted(flag)))
    }
}

/// The root of a command whose compiler is in another one: that of `root:DIR:gcc-16 -O2` is DIR.
///
/// ```
/// use howler_toolchain::compiler::root_of;
/// assert_eq!(root_of("root:/:gcc -O2").as_deref(), Some("/".as_ref()));
/// assert_eq!(root_of("gcc -O2"), None);
/// ```
pub fn root_of(command: &str) -> Option<PathBuf> {
    let first = split(command).ok()?.into_iter().next()?;
    let (root, _) = first.strip_prefix("root:")?.rsplit_once(':')?;
    Path::new(root).canonicalize().ok()
}

/// The file name of a path as text.
fn file_name(path: &Path) -> &str {
    path.file_name().and_then(OsStr::to_str).unwrap_or("")
}
