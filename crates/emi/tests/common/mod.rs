//! Seeds for tests: programs of smith and yarp, and those of GCC's tests that are there.
#![allow(dead_code)]

use std::path::Path;

use howler_case::options::Values;
use howler_case::{Case, Origin, Technique};
use howler_choices::Choices;
use howler_lang::target::Target;

/// The target of all tests here.
pub const TARGET: Target = Target::X86_64_GCC;

/// The n-th program of a technique with options.
pub fn made(technique: &Technique, words: &[&str], number: u64) -> Case {
    let mut values: Values = technique.options.read(words).expect("options");
    (technique.settle)(&mut values);
    let generator = (technique.generator)(&values).expect("options");
    let origin = Origin { arm: technique.name.to_owned(), version: "0".to_owned(), seed: 1, index: number };
    generator.generate(TARGET, &mut Choices::new(1000 + number), origin)
}

/// The files of a case, as the crate wants them.
pub fn files(case: &Case) -> Vec<(&str, &str)> {
    case.files
        .iter()
        .map(|file| (file.name.as_str(), std::str::from_utf8(&file.text).expect("techniques write text")))
        .collect()
}

/// Functions that any program can call.
pub const FOREIGN: &str = include_str!("foreign.c");

/// A program of Csmith's without directives.
pub fn preprocessed(compiler: &Path, path: &Path) -> Option<String> {
    let file = path.to_str()?;
    let args = ["-E", "-P", "-w", "-I", "/usr/include/csmith", file];
    let said = howler_testkit::run(compiler, args, &howler_testkit::Options::default());
    said.success().then(|| said.stdout_text())
}
