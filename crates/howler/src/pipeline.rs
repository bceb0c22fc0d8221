//! From a file to a typed program: preprocessor, front end, linker.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

use howler_front::{Report, parse};
use howler_lang::diag::{Diagnostic, Severity};
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_toolchain::preprocess::{
    FeatureMacro, Headers, Input, PreprocessError, PreprocessOptions, Preprocessor, preprocess, read_text,
};

use crate::options::Preprocessing;

/// What reading one file gave, besides what it added to the program.
pub struct Unit {
    /// The index of the unit in the program, if it has become one.
    pub unit: Option<usize>,
    /// What to say about it.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether system headers were used, if the file was preprocessed here.
    pub system_headers: Option<bool>,
    /// Macros that its `#include` lines need.
    pub feature_macros: Vec<FeatureMacro>,
    /// Whether it takes names from headers back with `#undef`.
    pub undefines: bool,
}

/// Whether a file is taken as it is.
pub fn is_preprocessed(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "i")
}

/// Reads a file into the program. The preprocessor may be left out if [`is_preprocessed`].
pub fn read(
    program: &mut Program,
    preprocessor: Option<&Preprocessor>,
    file: &Path,
    options: &Preprocessing,
    front: &howler_front::Options,
) -> Result<Unit, PreprocessError> {
    let name = file.display().to_string();
    if is_preprocessed(file) {
        let report = parse(program, &name, read_text(file)?.into(), front);
        return Ok(finish(report, None, Vec::new(), false));
    }
    let preprocessor = preprocessor.ok_or(PreprocessError::NoCompiler)?;
    let standard_input;
    let input = if file == Path::new("-") {
        standard_input = read_standard_input()
            .map_err(|source| PreprocessError::Unreadable { path: file.to_owned(), source })?;
        Input::Text { name: "<stdin>", text: &standard_input }
    } else {
        Input::File(file)
    };
    let undefines = match input {
        Input::File(file) => undefines_foreign(&read_text(file)?),
        Input::Text { text, .. } => undefines_foreign(text),
    };
    let mut preprocessing = preprocess_options(program.target, options);
    let first = preprocess(preprocessor, input, &preprocessing)?;
    let second_chance = preprocessing.headers == Headers::OursThenSystem && !first.system_headers;
    let before = second_chance.then(|| program.clone());
    let report = parse(program, &name, first.text.into(), front);
    // Our headers have every name of theirs that the machine knows, not every name there is.
    if let Some(mut other) = before
        && Rank::of(&report) > Rank::default()
    {
        preprocessing.headers = Headers::System;
        if let Ok(second) = preprocess(preprocessor, input, &preprocessing) {
            let again = parse(&mut other, &name, second.text.into(), front);
            if Rank::of(&again) < Rank::of(&report) {
                *program = other;
                return Ok(finish(again, Some(true), second.feature_macros, undefines));
            }
        }
    }
    Ok(finish(report, Some(first.system_headers), first.feature_macros, undefines))
}

fn preprocess_options(target: Target, options: &Preprocessing) -> PreprocessOptions {
    PreprocessOptions {
        target,
        defines: options.defines.clone(),
        include_dirs: options.include_dirs.clone(),
        headers: options.headers.choice(),
    }
}

/// Whether a source has an `#undef` of a name that it does not define itself.
fn undefines_foreign(source: &str) -> bool {
    let directive = |word: &str| {
        let operands = source.lines().filter_map(|line| {
            let rest = line.trim_start().strip_prefix('#')?.trim_start();
            rest.strip_prefix(word).filter(|rest| rest.starts_with([' ', '\t']))
        });
        let names = operands.filter_map(|rest| {
            rest.trim_start().split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).next()
        });
        names.collect::<BTreeSet<&str>>()
    };
    !directive("undef").is_subset(&directive("define"))
}

fn read_standard_input() -> io::Result<String> {
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text)?;
    Ok(text)
}

/// How far a text is from being taken as it was meant, the worst first.
#[derive(PartialEq, Eq, PartialOrd, Ord, Default)]
struct Rank {
    errors: usize,
    implicit_functions: usize,
}

impl Rank {
    fn of(report: &Report) -> Rank {
        let count = |test: fn(&&Diagnostic) -> bool| report.diagnostics.iter().filter(test).count();
        Rank {
            errors: count(|diagnostic| diagnostic.severity == Severity::Error),
            implicit_functions: count(|diagnostic| diagnostic.message.contains("implicit declaration")),
        }
    }
}

fn finish(
    report: Report,
    system_headers: Option<bool>,
    feature_macros: Vec<FeatureMacro>,
    undefines: bool,
) -> Unit {
    let unit = report.unit.map(|unit| unit as usize);
    Unit { unit, diagnostics: report.diagnostics, system_headers, feature_macros, undefines }
}
