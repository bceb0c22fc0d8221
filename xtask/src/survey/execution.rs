//! What the execution surveys share: a program run natively by gcc-12 -O0, and the same on the machine in process.

use super::dg::{Meaning, STDS};
use super::{root, short};
use anyhow::{Context, Result};
use howler_lang::diag::{Diagnostic, Severity};
use howler_lang::program::Program;
use howler_lang::target::{Std, Target};
use howler_machine::outcome::Outcome;
use howler_machine::{Limits, RunOptions};
use howler_testkit::{Options, Scratch, run};
use howler_toolchain::preprocess::{Headers, Input, PreprocessOptions, Preprocessor, preprocess};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a program ended when it was compiled by gcc-12 -O0 and run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Native {
    /// The standard under which it compiles and links.
    pub(super) std: &'static str,
    /// The exit status; none after a signal or when its time was over.
    pub(super) code: Option<i32>,
    /// What it wrote to standard output.
    pub(super) output: Vec<u8>,
}

/// Compiles, links and runs a file; none if it is no program of its own. What the file's `dg-options` say about its
/// meaning counts.
pub(super) fn native(file: &Path, include: Option<&str>, timeout: Duration) -> Option<Native> {
    let scratch = Scratch::new();
    let binary = scratch.path("program");
    let meaning = Meaning::of(file);
    let stds = meaning.std.map_or(vec!["gnu17", "gnu89"], |std| vec![std]);
    stds.into_iter().find_map(|std| {
        let std_flag = format!("-std={std}");
        let mut args: Vec<&OsStr> = vec!["-w".as_ref(), "-O0".as_ref(), std_flag.as_ref()];
        args.extend(meaning.wrapv.then(|| OsStr::new("-fwrapv")));
        args.extend(include.into_iter().flat_map(|folder| ["-I", folder]).map(OsStr::new));
        args.extend([file.as_os_str(), OsStr::new("-o"), binary.as_os_str(), OsStr::new("-lm")]);
        let built = run("gcc-12", args, &Options { folder: file.parent(), ..Options::default() });
        if !built.success() {
            return None;
        }
        let folder = scratch.path("");
        let options = Options { timeout, folder: Some(&folder), ..Options::default() };
        let output = run(&binary, [""; 0], &options);
        Some(Native { std, code: output.code.filter(|_| !output.timed_out), output: output.stdout })
    })
}

/// The native results of all files, kept in `target/survey` between runs: they only change with gcc and the corpus.
pub(super) fn natives(
    name: &str,
    files: &[PathBuf],
    work: impl Fn(&PathBuf) -> Option<Native> + Sync,
) -> Result<Vec<Option<Native>>> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let path = target.join("survey").join(name);
    let version = run("gcc-12", ["--version"], &Options::default()).stdout_text();
    let version = version.lines().next().unwrap_or("").to_owned();
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let mut lines = text.lines();
    let mut known: BTreeMap<&str, Option<Native>> = BTreeMap::new();
    if lines.next() == Some(&version) {
        known.extend(lines.filter_map(read_line));
    }
    if !files.iter().all(|file| known.contains_key(short(file).as_str())) {
        eprintln!("xtask: compiling and running {} files with gcc-12", files.len());
        let natives = super::each(files, work);
        let mut text = version + "\n";
        for (file, native) in files.iter().zip(&natives) {
            text.push_str(&write_line(&short(file), native.as_ref()));
        }
        std::fs::create_dir_all(target.join("survey"))?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        return Ok(natives);
    }
    Ok(files.iter().map(|file| known.remove(short(file).as_str()).flatten()).collect())
}

fn write_line(name: &str, native: Option<&Native>) -> String {
    let Some(native) = native else { return format!("{name}\tnone\n") };
    let code = native.code.map_or_else(|| "none".to_owned(), |code| code.to_string());
    let output: String = native.output.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{name}\t{}\t{code}\t{output}\n", native.std)
}

fn read_line(line: &str) -> Option<(&str, Option<Native>)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, std, code, output] = fields[..] else { return Some((fields[0], None)) };
    let byte = |at: usize| output.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let output = (0..output.len()).step_by(2).map(byte).collect::<Option<Vec<u8>>>()?;
    let std = STDS.into_iter().find(|known| *known == std)?;
    Some((name, Some(Native { std, code: code.parse().ok(), output })))
}

/// How a program ended on the machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum End {
    /// Status and output are those of the native run.
    Same,
    /// Undefined, with the kind's code.
    Ub(&'static str),
    /// Not supported: the construct.
    Unsupported(String),
    /// A limit, by name.
    Limit(String),
    /// A definition is missing; gcc needs none when it drops or inlines all uses (C17 6.9p5).
    BadProgram,
    /// Anything else: what.
    Wrong(String),
}

/// Reads programs and runs them on the machine.
pub(super) struct Machine {
    pub(super) preprocessor: Preprocessor,
    pub(super) headers: Headers,
    pub(super) include: Option<&'static str>,
    pub(super) steps: u64,
}

impl Machine {
    /// How the program ends, strictly and with [`Limits::letter`]. A panic is caught and is wrong.
    pub(super) fn ends(&self, file: &Path, native: &Native) -> (End, End) {
        catch_unwind(AssertUnwindSafe(|| self.both(file, native))).unwrap_or_else(|_| {
            let wrong = End::Wrong("a panic".to_owned());
            (wrong.clone(), wrong)
        })
    }

    fn both(&self, file: &Path, native: &Native) -> (End, End) {
        match self.read(file, native.std) {
            Ok(program) => {
                let limits =
                    Limits { steps: self.steps, wrapv: Meaning::of(file).wrapv, ..Limits::default() };
                let strict = self.end(&program, native, limits);
                // The second run differs from the first undefined behaviour on, not before.
                let letter = match strict {
                    End::Ub(_) => self.end(&program, native, Limits { letter: true, ..limits }),
                    _ => strict.clone(),
                };
                (strict, letter)
            }
            Err(end) => (end.clone(), end),
        }
    }

    fn end(&self, program: &Program, native: &Native, limits: Limits) -> End {
        let report = howler_machine::run(program, &RunOptions { limits, ..RunOptions::default() });
        match report.outcome {
            Outcome::Exit(status) if Some(i32::from(status)) != native.code => {
                End::Wrong(format!("status {status}, natively {:?}", native.code))
            }
            Outcome::Exit(_) if report.output != native.output => End::Wrong("another output".to_owned()),
            Outcome::Exit(_) => End::Same,
            Outcome::Abort => End::Wrong("abort".to_owned()),
            Outcome::Ub(ub) => End::Ub(ub.kind.code()),
            Outcome::Unsupported(what) => End::Unsupported(what.what),
            Outcome::Limit(limit) => End::Limit(limit.to_string()),
            Outcome::BadProgram(_) => End::BadProgram,
        }
    }

    /// Reads and links.
    pub(super) fn read(&self, file: &Path, std: &str) -> Result<Program, End> {
        let target = Target { std: Std::parse(std).expect("all of STDS are known"), ..Target::X86_64_GCC };
        let first = self.parse(file, target, self.headers);
        match (self.headers, &first) {
            // Our headers lack names that the machine does not know.
            (Headers::OursThenSystem, Err((Severity::Error, _)) | Ok((_, true))) => {
                let second = self.parse(file, target, Headers::System);
                match (first, second) {
                    (Ok(first), Ok((_, true)) | Err(_)) => Ok(first.0),
                    (_, Ok(second)) => Ok(second.0),
                    (Err(_), Err((severity, message))) => Err(refused(severity, message)),
                }
            }
            _ => first.map(|(program, _)| program).map_err(|(severity, message)| refused(severity, message)),
        }
    }

    /// The linked program, and whether it declares functions by using them.
    fn parse(
        &self,
        file: &Path,
        target: Target,
        headers: Headers,
    ) -> Result<(Program, bool), (Severity, String)> {
        let include_dirs = self.include.iter().map(PathBuf::from).collect();
        let options = PreprocessOptions { target, defines: Vec::new(), include_dirs, headers };
        let text = preprocess(&self.preprocessor, Input::File(file), &options)
            .map_err(|error| (Severity::Error, error.to_string()))?;
        let mut program = Program::new(target);
        let front = howler_front::Options { pedantic_errors: false };
        let report = howler_front::parse(&mut program, &file.display().to_string(), text.text.into(), &front);
        worst(&report.diagnostics)?;
        worst(&howler_lang::link::link(&mut program))?;
        let implicit = report.diagnostics.iter().any(|said| said.message.contains("implicit declaration"));
        Ok((program, implicit))
    }
}

fn refused(severity: Severity, message: String) -> End {
    if severity == Severity::Unsupported { End::Unsupported(message) } else { End::Wrong(message) }
}

fn worst(diagnostics: &[Diagnostic]) -> Result<(), (Severity, String)> {
    match diagnostics.iter().max_by_key(|said| said.severity) {
        Some(said) if said.severity >= Severity::Unsupported => Err((said.severity, said.message.clone())),
        _ => Ok(()),
    }
}

/// How many files ended in each way: a table of Markdown, one column per set of ends.
pub(super) fn table(columns: &[(&str, Vec<&End>)]) -> String {
    let class = |end: &End| match end {
        End::Same => (0, "same status and output as gcc-12 -O0".to_owned()),
        End::Ub(code) => (1, format!("undefined: {code}")),
        End::Unsupported(what) => (2, format!("unsupported: {what}")),
        End::Limit(limit) => (3, format!("limit of {limit}")),
        End::BadProgram => (4, "no program: a definition is missing".to_owned()),
        End::Wrong(_) => (5, "wrong".to_owned()),
    };
    let whole = |end: &End| match class(end) {
        (1, _) => Some((1, String::new())),
        (2, _) => Some((2, String::new())),
        _ => None,
    };
    let mut counts: BTreeMap<(i32, String), Vec<usize>> = BTreeMap::new();
    for (column, (_, ends)) in columns.iter().enumerate() {
        for end in ends {
            for key in [Some(class(end)), whole(end)].into_iter().flatten() {
                counts.entry(key).or_insert_with(|| vec![0; columns.len()])[column] += 1;
            }
        }
    }
    let mut text = String::from("| ended |");
    for (name, _) in columns {
        text += &format!(" {name} |");
    }
    text += &format!("\n|---|{}\n", "---|".repeat(columns.len()));
    for ((group, name), counts) in counts {
        let name = match (group, name.as_str()) {
            (1, "") => "**undefined**",
            (2, "") => "**unsupported**",
            (_, name) => name,
        };
        text += &format!("| {name} |");
        for count in counts {
            text += &format!(" {count} |");
        }
        text += "\n";
    }
    text
}
