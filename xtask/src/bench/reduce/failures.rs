//! Failing programs to make small: those of Csmith and smith that show a fault planted in gcc, a bug of tcc or pcc, or a crash
//! of a real compiler. Each has a folder below `corpus/reduce/failures` with `test.c`, a script `test.sh` that any reducer
//! takes, and `made.txt`; what was looked for in vain has an empty one, and is not looked for again.
//!
//! `HOWLER_FAILURES` is how many there are to be, instead of thirty.

use anyhow::{Context, Result};
use howler_case::Origin;
use howler_choices::Choices;
use howler_lang::target::Target;
use howler_oracle::repro::mark_of;
use howler_testkit::planted::{self, Kind as Planted, faults};
use howler_testkit::{Options, Output, Scratch, run};
use howler_toolchain::preprocess::{
    Headers, Input, PreprocessOptions, Preprocessor, for_compilers, preprocess,
};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many there are.
const FAILURES: u64 = 30;
/// Sizes of programs, in bytes.
const SIZES: std::ops::Range<usize> = 20_000..200_000;
/// Programs that are tried for one failure.
const TRIES: u64 = 40;
/// Real bugs first: how many of each compiler, and as what.
const REAL: &[(&str, Kind, u64)] = &[
    ("tcc", Kind::WrongCode, 3),
    ("pcc", Kind::WrongCode, 3),
    ("pcc", Kind::Crash, 4),
    ("gcc-11 -O3", Kind::Crash, 1),
    ("gcc-12 -O3", Kind::Crash, 1),
    ("clang-14 -O2 -fsave-optimization-record", Kind::Crash, 1),
    ("clang-16 -O2 -fsave-optimization-record", Kind::Crash, 2),
];

/// What fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    WrongCode,
    Crash,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::WrongCode => "wrong code",
            Kind::Crash => "crash",
        }
    }

    /// The option of `howler reduce` that stands before the compiler.
    pub(super) fn option(self) -> &'static [&'static str] {
        match self {
            Kind::WrongCode => &["--bad"],
            Kind::Crash => &["--crash"],
        }
    }
}

/// A failing program.
pub(super) struct Failure {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The compiler that fails, with its flags.
    pub(super) compiler: String,
    folder: PathBuf,
}

impl Failure {
    pub(super) fn source(&self) -> PathBuf {
        self.folder.join("test.c")
    }

    pub(super) fn script(&self) -> PathBuf {
        self.folder.join("test.sh")
    }

    pub(super) fn bytes(&self) -> Result<u64> {
        Ok(self.source().metadata()?.len())
    }

    /// Whether the script says so of a file.
    pub(super) fn is_interesting(&self, file: &Path) -> bool {
        let scratch = Scratch::new();
        let Ok(text) = fs::read(file) else { return false };
        scratch.write("test.c", text);
        let options = Options { folder: Some(scratch.folder()), ..Options::default() };
        run(self.script(), [""; 0], &options).success()
    }

    fn read(folder: &Path) -> Option<Failure> {
        let text = fs::read_to_string(folder.join("made.txt")).ok()?;
        let mut lines = text.lines();
        let kind = match lines.next()? {
            "wrong code" => Kind::WrongCode,
            "crash" => Kind::Crash,
            _ => return None,
        };
        let name = folder.file_name()?.to_str()?.to_owned();
        Some(Failure { name, kind, compiler: lines.next()?.to_owned(), folder: folder.to_owned() })
    }
}

/// One that is looked for.
struct Wanted {
    name: String,
    kind: Kind,
    compiler: String,
    /// Only programs from this number on: two failures of one compiler are two programs.
    first: u64,
}

/// Makes what is missing, and gives all there are.
pub(super) fn all(base: &Path) -> Result<Vec<Failure>> {
    let folder = base.join("failures");
    fs::create_dir_all(&folder)?;
    let count = super::number("HOWLER_FAILURES", FAILURES)?;
    let mut found = Vec::new();
    for wanted in wanted(&folder)? {
        if found.len() as u64 >= count {
            break;
        }
        let place = folder.join(&wanted.name);
        if !place.join("made.txt").exists() {
            eprintln!("xtask: looking for {}", wanted.name);
            look(&place, &wanted)?;
        }
        found.extend(Failure::read(&place));
    }
    Ok(found)
}

/// Everything that may be looked for: real bugs, then planted ones, of each fault one.
fn wanted(folder: &Path) -> Result<Vec<Wanted>> {
    let mut all = Vec::new();
    for (compiler, kind, count) in REAL {
        let program = compiler.split(' ').next().unwrap_or_default();
        let there = run("sh", ["-c", &format!("command -v {program}")], &Options::default()).success();
        for number in 0..if there { *count } else { 0 } {
            let name = format!("{}-{}-{number}", program, kind.name().replace(' ', "-"));
            all.push(Wanted { name, kind: *kind, compiler: (*compiler).to_owned(), first: number * TRIES });
        }
    }
    let own = std::env::current_exe()?;
    for fault in faults().iter().filter(|fault| fault.kinds == [Planted::WrongCode] && fault.edits()) {
        if fault.flags.iter().any(|flag| flag == "-m32") {
            continue;
        }
        // A compiler is a file for whoever takes one.
        let script = folder.join(format!("cc-{}", fault.name));
        let text = format!("#!/bin/sh\nexec {} \"$@\"\n", planted::command(&own, &fault.name));
        executable(&script, &text)?;
        let compiler = format!("{} {}", script.display(), fault.flags.join(" "));
        all.push(Wanted { name: fault.name.clone(), kind: Kind::WrongCode, compiler, first: 0 });
    }
    Ok(all)
}

fn executable(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// Tries programs until one fails as it is to.
fn look(place: &Path, wanted: &Wanted) -> Result<()> {
    let scratch = Scratch::new();
    fs::create_dir_all(place)?;
    let mut made = String::new();
    for number in wanted.first..wanted.first + TRIES {
        let Some(text) = program(number, &wanted.compiler)? else { continue };
        if !SIZES.contains(&text.len()) {
            continue;
        }
        let file = scratch.write("test.c", &text);
        let Some(script) = script(wanted, &file, &scratch) else { continue };
        fs::write(place.join("test.c"), &text)?;
        executable(&place.join("test.sh"), &script)?;
        let failure = Failure {
            name: wanted.name.clone(),
            kind: wanted.kind,
            compiler: wanted.compiler.clone(),
            folder: place.to_owned(),
        };
        if failure.is_interesting(&place.join("test.c")) {
            made = format!("{}\n{}\nprogram {number}\n", wanted.kind.name(), wanted.compiler);
            break;
        }
    }
    fs::write(place.join("made.txt"), made)?;
    Ok(())
}

/// A program with this number: of Csmith, and of smith in turn. It needs no header.
fn program(number: u64, compiler: &str) -> Result<Option<String>> {
    if number.is_multiple_of(2) { csmith(number / 2 + 1) } else { smith(number / 2 + 1, compiler).map(Some) }
}

fn smith(seed: u64, compiler: &str) -> Result<String> {
    let mut words = vec!["size=7000..15000"];
    if compiler.starts_with("tcc") || compiler.starts_with("pcc") {
        words.push("without=int128,vectors");
    }
    let technique = &howler_smith::TECHNIQUE;
    let values = technique.options.read(words)?;
    let generator = (technique.generator)(&values).map_err(anyhow::Error::msg)?;
    let origin = Origin { arm: String::new(), version: String::new(), seed, index: 0 };
    let case = generator.generate(Target::X86_64_GCC, &mut Choices::new(seed), origin);
    let text: Vec<u8> = case.files.into_iter().flat_map(|file| file.text).collect();
    plain(&String::from_utf8(text).context("a program is no text")?)
}

fn csmith(seed: u64) -> Result<Option<String>> {
    let scratch = Scratch::new();
    let options =
        Options { timeout: Duration::from_secs(30), folder: Some(scratch.folder()), ..Options::default() };
    let output = run("csmith", ["--seed", &seed.to_string()], &options);
    if output.success() { plain(&output.stdout_text()).map(Some) } else { Ok(None) }
}

/// A text without headers: of Howler's own, which are short.
fn plain(text: &str) -> Result<String> {
    let preprocessor = Preprocessor::find(None)?;
    let options = PreprocessOptions {
        target: Target::X86_64_GCC,
        defines: Vec::new(),
        include_dirs: vec!["/usr/include/csmith".into()],
        headers: Headers::Ours,
    };
    let done = preprocess(&preprocessor, Input::Text { name: "test.c", text }, &options)?;
    let text = for_compilers(&done.text);
    let is_marker = |line: &&str| {
        let rest = line.strip_prefix('#').map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let lines = text.lines().filter(|line| !is_marker(line) && !line.trim().is_empty());
    Ok(lines.flat_map(|line| [line, "\n"]).collect())
}

/// The script that asks whether a program still fails, if it does.
fn script(wanted: &Wanted, file: &Path, scratch: &Scratch) -> Option<String> {
    let options =
        Options { timeout: Duration::from_secs(40), folder: Some(scratch.folder()), ..Options::default() };
    let compiler = &wanted.compiler;
    if wanted.kind == Kind::Crash {
        let line = format!("{compiler} -w -c -o test.o {}", file.display());
        let output = run("sh", ["-c", &line], &options);
        let mark = mark_of(&output.stderr_text()).filter(|_| !output.success() && !output.timed_out)?;
        let mark = mark.replace('\'', "'\\''");
        return Some(format!(
            "#!/bin/sh\ntimeout 30 {compiler} -w -c -o test.o test.c > said.txt 2>&1 && exit 1\n\
             grep -qF '{mark}' said.txt\n"
        ));
    }
    let behaviour = |compiler: &str| -> Option<Output> {
        let line = format!(
            "{compiler} -w -o program {} > /dev/null 2>&1 && exec timeout 5 ./program",
            file.display()
        );
        Some(run("sh", ["-c", &line], &options))
            .filter(|output| !output.timed_out && output.code != Some(124))
    };
    let good = behaviour("gcc-12 -O0").filter(Output::success)?;
    let bad = behaviour(compiler)?;
    if bad.stdout == good.stdout && bad.code == good.code {
        return None;
    }
    Some(format!(
        "#!/bin/sh\n\
         export ASAN_OPTIONS=detect_leaks=0\n\
         timeout 20 gcc-12 -w -O0 -o good test.c > /dev/null 2>&1 || exit 1\n\
         timeout 5 ./good > good.txt 2> /dev/null\n\
         good=$?\n\
         test $good -lt 124 || exit 1\n\
         timeout 20 {compiler} -w -o bad test.c > /dev/null 2>&1 || exit 1\n\
         timeout 5 ./bad > bad.txt 2> /dev/null\n\
         test $? -eq $good && cmp -s good.txt bad.txt && exit 1\n\
         timeout 40 gcc-12 -w -O0 -fsanitize=address,undefined -fno-sanitize-recover=all -o checked test.c > /dev/null 2>&1 || exit 1\n\
         timeout 20 ./checked > checked.txt 2> said.txt\n\
         test $? -eq $good && cmp -s good.txt checked.txt\n"
    ))
}
