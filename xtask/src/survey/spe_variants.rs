//! Variants of GCC 12's own tests: whether gcc takes each where it takes the original, and whether each that the judge
//! calls defined does what gcc -O0 makes it do.

use super::spe::{Read, preprocessor, read};
use super::{corpus, each, short};
use anyhow::{Result, bail};
use howler_case::{Case, End, Id, Origin};
use howler_choices::Choices;
use howler_lang::target::{Std, Target};
use howler_oracle::judge::{self, Verdict};
use howler_spe::c::{CProgram, Reach};
use howler_spe::sample::Shuffled;
use howler_spe::space::Space;
use howler_spe::template::{Renderer, Template};
use howler_testkit::{Options, Scratch, run};
use howler_toolchain::preprocess::Preprocessor;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Files that take part.
const FILES: usize = 500;

/// A file whose variants can be drawn.
struct Drawn {
    read: Read,
    template: CProgram,
    space: Space,
    shuffled: Shuffled,
}

impl Drawn {
    fn new(preprocessor: &Preprocessor, file: &Path) -> Option<Drawn> {
        let read = read(preprocessor, file)?;
        let template = read.template(Reach::Program);
        let space = Space::new(template.skeleton().ok()?).ok()?;
        let mut choices = Choices::new(key(file));
        let rest = space.count() - 1u32;
        let shuffled = Shuffled::new(rest, &mut choices);
        Some(Drawn { read, template, space, shuffled })
    }

    /// The number and the text at a place of a random order in which the original comes first.
    fn get(&self, place: u64) -> Option<(BigUint, String)> {
        let number = match place.checked_sub(1) {
            None => BigUint::ZERO,
            Some(rest) => self.shuffled.get(&rest.into())? + 1u32,
        };
        let filled = self.space.unrank(&number)?;
        let renderer = Renderer::new(&self.template, &filled);
        Some((number, self.read.whole(renderer.text())))
    }
}

/// A number that depends on a file's name only.
fn key(file: &Path) -> u64 {
    let id = Id::of(short(file).as_bytes());
    id.bytes().iter().take(8).fold(0, |key, &byte| key << 8 | u64::from(byte))
}

/// Files in a random order that is always the same.
fn shuffled(folders: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in folders {
        files.extend(corpus(folder)?);
    }
    let mut keyed: Vec<(u64, PathBuf)> =
        files.into_iter().map(|file| (key(&file), file)).collect();
    keyed.sort();
    Ok(keyed.into_iter().map(|(_, file)| file).collect())
}

/// What `work` gives for the first files that it gives something for.
fn first<R: Send>(files: &[PathBuf], work: impl Fn(&PathBuf) -> Option<R> + Sync) -> Vec<(PathBuf, R)> {
    let mut all = Vec::new();
    for chunk in files.chunks(200) {
        let made = each(chunk, |file| work(file));
        all.extend(chunk.iter().zip(made).filter_map(|(file, one)| Some((file.clone(), one?))));
        eprintln!("xtask: {} files", all.len());
        if all.len() >= FILES {
            break;
        }
    }
    all.truncate(FILES);
    all
}

/// What gcc-12 calls errors in each of some texts: none if it takes it.
fn errors(texts: &[String]) -> Vec<Option<String>> {
    let scratch = Scratch::new();
    let folder = scratch.path("");
    let asked = |names: &[String]| {
        let args = ["-w", "-std=gnu17", "-fsyntax-only"].map(str::to_owned);
        let options =
            Options { timeout: Duration::from_secs(120), folder: Some(&folder), ..Options::default() };
        run("gcc-12", args.iter().chain(names), &options)
    };
    let names: Vec<String> = (0..texts.len()).map(|at| format!("v{at}.c")).collect();
    names.iter().zip(texts).for_each(|(name, text)| {
        scratch.write(name, text);
    });
    // Most are fine: only if one of them is not, each is asked for.
    if asked(&names).success() {
        return vec![None; texts.len()];
    }
    let one = |name: &String| {
        let output = asked(std::slice::from_ref(name));
        let said = output.stderr_text();
        let error = said.lines().find(|line| line.contains("error:")).unwrap_or("no error, but it failed");
        (!output.success()).then(|| error.to_owned())
    };
    names.iter().map(one).collect()
}

/// Variants of a file that gcc is asked about.
const ASKED: u64 = 40;

pub(super) fn accepted() -> Result<()> {
    let preprocessor = preprocessor()?;
    let files = shuffled(&["gcc/gcc.c-torture", "gcc/gcc.dg", "gcc/c-c++-common"])?;
    let answers = first(&files, |file| {
        let drawn = Drawn::new(&preprocessor, file)?;
        // Files with one variant say nothing, and those that gcc does not take neither.
        if *drawn.space.count() < ASKED.into() {
            return None;
        }
        let (numbers, texts): (Vec<BigUint>, Vec<String>) =
            (0..=ASKED).map_while(|place| drawn.get(place)).unzip();
        let said = errors(&texts);
        if said.first()?.is_some() {
            return None;
        }
        Some((
            said.len() - 1,
            numbers.into_iter().zip(said).filter_map(|(n, said)| Some((n, said?))).collect::<Vec<_>>(),
        ))
    });
    let asked: usize = answers.iter().map(|(_, (asked, _))| asked).sum();
    let mut refused = 0;
    for (file, (_, errors)) in &answers {
        refused += errors.len();
        if let Some((number, error)) = errors.first() {
            println!("{} variant {number} and {} more: {error}", short(file), errors.len() - 1);
        }
    }
    println!("{asked} variants of {} files, {refused} with errors that the original has not", answers.len());
    if refused > 0 {
        bail!("gcc-12 rejects variants of files that it takes");
    }
    Ok(())
}

/// Variants of a file that are run.
const RUN: u64 = 10;

/// What became of a variant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Came {
    Same,
    Undefined(&'static str),
    Unspecified,
    Unsupported,
    Unfinished,
    /// The judge does not take it: what it says.
    Rejected(String),
    /// It does something else when gcc -O0 has compiled it: what.
    Other(String),
}

pub(super) fn executed() -> Result<()> {
    let preprocessor = preprocessor()?;
    let files = shuffled(&["gcc/gcc.c-torture/execute"])?;
    let all = first(&files, |file| {
        let drawn = Drawn::new(&preprocessor, file)?;
        if *drawn.space.count() <= RUN.into() {
            return None;
        }
        // A file that is not defined itself says little about its variants.
        let (_, text) = drawn.get(0)?;
        if ran(&preprocessor, &text) != Came::Same {
            return None;
        }
        let numbered = (1..=RUN).filter_map(|place| drawn.get(place));
        Some(numbered.map(|(number, text)| (number, ran(&preprocessor, &text))).collect::<Vec<_>>())
    });
    let mut counts: BTreeMap<Came, u32> = BTreeMap::new();
    let mut wrong = 0;
    for (file, variants) in &all {
        for (number, came) in variants {
            if matches!(came, Came::Other(_) | Came::Rejected(_)) {
                wrong += 1;
                println!("{} variant {number}: {came:?}", short(file));
            }
            *counts.entry(came.clone()).or_default() += 1;
        }
    }
    println!("{} files\n\n| variants | |\n|---|---|", all.len());
    for (came, count) in &counts {
        println!("| {came:?} | {count} |");
    }
    println!("| all | {} |", counts.values().sum::<u32>());
    if wrong > 0 {
        bail!("{wrong} variants are not what they should be");
    }
    Ok(())
}

/// Judges a program, and if it is defined has gcc compile it and runs it.
fn ran(preprocessor: &Preprocessor, text: &str) -> Came {
    let origin = Origin { arm: "survey".to_owned(), version: "0".to_owned(), seed: 1, index: 0 };
    let case = Case::new("test.c", text, Std::GNU17, origin);
    let mut options = judge::Options::default();
    options.limits.steps = 5_000_000;
    options.runs = 2;
    let expected = match judge::judge_one(preprocessor, &case, Target::X86_64_GCC, &options) {
        Verdict::Defined(expected) => expected,
        Verdict::Undefined { code, .. } => return Came::Undefined(code),
        Verdict::Unspecified(_) => return Came::Unspecified,
        Verdict::Unsupported(_) => return Came::Unsupported,
        Verdict::Unfinished(_) => return Came::Unfinished,
        Verdict::Rejected(why) | Verdict::Unreadable(why) => return Came::Rejected(why),
    };
    let scratch = Scratch::new();
    scratch.write("test.c", text);
    let (folder, binary) = (scratch.path(""), scratch.path("program"));
    let options = Options { timeout: Duration::from_secs(60), folder: Some(&folder), ..Options::default() };
    let built = run("gcc-12", ["-w", "-O0", "-std=gnu17", "-o", "program", "test.c", "-lm"], &options);
    if !built.success() {
        return Came::Other(format!("gcc: {}", super::first_complaint(&built)));
    }
    let output = run(&binary, [""; 0], &options);
    // 134 is how a shell calls an abort.
    let ended = match expected.end {
        End::Exit(status) => output.code == Some(i32::from(status)),
        End::Abort => output.code.is_none() && !output.timed_out,
    };
    match (ended, output.stdout == expected.output) {
        (true, true) => Came::Same,
        (false, _) => Came::Other(format!("{:?}, natively {:?}", expected.end, output.code)),
        (true, false) => Came::Other("another output".to_owned()),
    }
}
