//! The printer's laws on real programs: the print compiles, behaves as the original, and reads back as itself.

use super::{Answer, check, corpus, each, gcc_standard, short};
use anyhow::Result;
use howler_testkit::{Options, Output, Scratch};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

const COMPILERS: [&str; 2] = ["gcc-12", "clang-16"];
/// How long an original may run. Those that take longer mostly never end.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn execute() -> Result<()> {
    let files = corpus("gcc/gcc.c-torture/execute")?;
    survey(&files, &[], gcc_standard);
    Ok(())
}

pub(super) fn csmith() -> Result<()> {
    let files = corpus("csmith")?;
    survey(&files, &["-I", "/usr/include/csmith"], |_| Some("gnu17"));
    Ok(())
}

/// What became of one program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fate {
    /// Every law holds; how many compilers took part, and how many runs were cut short.
    Holds { compilers: usize, timeouts: usize },
    /// The front end does not take the original.
    NotTaken,
    /// A law is broken.
    Broken(String),
}

fn survey(files: &[PathBuf], flags: &[&str], standard: impl Fn(&Path) -> Option<&'static str> + Sync) {
    let fates = each(files, |file| match standard(file) {
        Some(std) => fate(file, std, flags),
        None => Fate::NotTaken,
    });
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (file, fate) in files.iter().zip(&fates) {
        let key = match fate {
            Fate::Broken(what) => {
                println!("{}: {what}", short(file));
                format!("broken: {}", what.split(':').next().unwrap_or(""))
            }
            other => format!("{other:?}"),
        };
        *counts.entry(key).or_default() += 1;
    }
    for (key, count) in counts {
        println!("{count:6} {key}");
    }
}

fn fate(file: &Path, std: &str, flags: &[&str]) -> Fate {
    let scratch = Scratch::new();
    let print = |from: &Path, what: &str, flags: &[&str]| {
        let mut args = vec!["--std", std, what];
        args.extend(flags);
        check(from, args)
    };
    let first = print(file, "--print", flags);
    match Answer::of(&first) {
        Answer::Taken => {}
        Answer::Broke | Answer::Hung => return Fate::Broken(format!("check: {:?}", Answer::of(&first))),
        _ => return Fate::NotTaken,
    }
    let printed = scratch.write("printed.c", &first.stdout);
    let second = print(&printed, "--print", &[]);
    if Answer::of(&second) != Answer::Taken {
        return Fate::Broken(format!("reparse: {}", super::first_complaint(&second)));
    }
    if first.stdout != second.stdout {
        return Fate::Broken(format!("reprint: {}", difference(&first.stdout, &second.stdout)));
    }
    let (dump, redump) = (print(file, "--dump", flags), print(&printed, "--dump", &[]));
    if dump.stdout != redump.stdout {
        return Fate::Broken(format!("dump: {}", difference(&dump.stdout, &redump.stdout)));
    }
    let (mut compilers, mut timeouts) = (0, 0);
    for compiler in COMPILERS {
        let Some(original) = build(&scratch, compiler, file, std, flags, "original") else { continue };
        let Some(again) = build(&scratch, compiler, &printed, std, &[], "again") else {
            return Fate::Broken(format!(
                "{compiler} rejects the print: {}",
                why(&scratch, compiler, &printed, std)
            ));
        };
        compilers += 1;
        let a = execute_binary(&original, PATIENCE);
        if a.timed_out {
            timeouts += 1;
            continue;
        }
        // The original may have ended just in time.
        let b = execute_binary(&again, 3 * PATIENCE);
        if b.timed_out {
            return Fate::Broken(format!("{compiler} behaviour: the print does not end"));
        }
        if (a.code, a.signal, &a.stdout) != (b.code, b.signal, &b.stdout) {
            return Fate::Broken(format!(
                "{compiler} behaviour: {:?} {:?} against {:?} {:?}",
                a.code, a.signal, b.code, b.signal
            ));
        }
    }
    Fate::Holds { compilers, timeouts }
}

fn arguments(file: &Path, std: &str, flags: &[&str], out: &Path) -> Vec<OsString> {
    let mut args: Vec<OsString> = vec![format!("-std={std}").into(), "-w".into(), "-O0".into()];
    args.extend(flags.iter().map(OsString::from));
    args.extend([file.into(), "-o".into(), out.into(), "-lm".into()]);
    args
}

fn build(
    scratch: &Scratch,
    compiler: &str,
    file: &Path,
    std: &str,
    flags: &[&str],
    name: &str,
) -> Option<PathBuf> {
    let out = scratch.path(name);
    howler_testkit::run(compiler, arguments(file, std, flags, &out), &Options::default())
        .success()
        .then_some(out)
}

fn why(scratch: &Scratch, compiler: &str, file: &Path, std: &str) -> String {
    let out = scratch.path("unused");
    let output = howler_testkit::run(compiler, arguments(file, std, &[], &out), &Options::default());
    let text = output.stderr_text();
    text.lines().find(|line| line.contains("error") || line.contains("undefined")).unwrap_or("").to_owned()
}

fn execute_binary(binary: &Path, timeout: Duration) -> Output {
    let options = Options { timeout, folder: binary.parent(), ..Options::default() };
    howler_testkit::run(binary, [""; 0], &options)
}

/// The first line in which two texts differ.
fn difference(a: &[u8], b: &[u8]) -> String {
    let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    let mut pairs = a.lines().zip(b.lines());
    match pairs.find(|(a, b)| a != b) {
        Some((a, b)) => format!("`{}` became `{}`", cut(a), cut(b)),
        None => "one is longer".to_owned(),
    }
}

fn cut(line: &str) -> String {
    line.trim().chars().take(160).collect()
}
