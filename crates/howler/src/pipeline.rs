//! From a file to a typed program: preprocessor, front end, linker.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use howler_front::{Report, parse};
use howler_lang::diag::{Diagnostic, Severity};
use howler_lang::program::Program;
use howler_lang::source::{Pos, SourceMap};
use howler_lang::target::Target;
use howler_toolchain::preprocess::{
    FeatureMacro, Headers, Input, PreprocessError, PreprocessOptions, Preprocessor, is_stream, preprocess,
    read_text,
};

use crate::options::Preprocessing;

/// What reading one file gave, besides what it added to the program.
pub struct Unit {
    /// The index of the unit in the program, if it has become one.
    pub unit: Option<usize>,
    /// What to say about it.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the front end gave up before the end of the text.
    pub too_many_errors: bool,
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

/// The preprocessor for these files; none if they need none.
pub fn preprocessor(
    files: &[PathBuf],
    options: &Preprocessing,
) -> Result<Option<Preprocessor>, PreprocessError> {
    if files.iter().all(|file| is_preprocessed(file)) {
        return Ok(None);
    }
    let mut preprocessor = Preprocessor::find(options.cc.as_deref())?;
    preprocessor.undefines = options.undefines.clone();
    Ok(Some(preprocessor))
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
        let text = read_text(file)?;
        let include = unfollowed_include(&text);
        let start = next_start(&program.sources);
        let mut report = parse(program, &name, text.into(), front);
        if let Some(offset) = include {
            let message = "directive '#include' in preprocessed text: a .i file must be preprocessed, a .c file need not";
            let pos = u32::try_from(start + offset).map_or(Pos::NONE, Pos);
            report.diagnostics.insert(0, Diagnostic::error(pos, message));
        }
        return Ok(finish(report, None, Vec::new(), false));
    }
    let preprocessor = preprocessor.ok_or(PreprocessError::NoCompiler)?;
    let text;
    let input = if is_stream(file) {
        text = read_text(file)?;
        Input::Text { name: if file == Path::new("-") { "<stdin>" } else { &name }, text: &text }
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

/// How far a text is from being taken as it was meant, the worst first. Names come first: with the header that
/// declares them a program may well have more errors, its own.
#[derive(PartialEq, Eq, PartialOrd, Ord, Default)]
struct Rank {
    missing_names: usize,
    errors: usize,
}

impl Rank {
    fn of(report: &Report) -> Rank {
        let count = |test: fn(&&Diagnostic) -> bool| report.diagnostics.iter().filter(test).count();
        Rank {
            missing_names: count(|diagnostic| {
                ["implicit declaration of", "undeclared", "unknown type name"]
                    .iter()
                    .any(|words| diagnostic.message.contains(words))
            }),
            errors: count(|diagnostic| diagnostic.severity == Severity::Error),
        }
    }
}

/// The first byte of the next text in the program; `SourceMap` leaves one byte between texts.
fn next_start(sources: &SourceMap) -> usize {
    sources.sources().iter().fold(1, |start, source| start + source.text.len() + 1)
}

/// Where a preprocessed text has an `#include` that no preprocessor has carried out: `-dI` leaves the line, but then
/// a line marker names the file.
fn unfollowed_include(text: &str) -> Option<usize> {
    let directive = |line: &str| line.trim_start().strip_prefix('#').map(|rest| rest.trim_start().to_owned());
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if let Some(include) = directive(line)
            && let Some(rest) = include.strip_prefix("include").or_else(|| include.strip_prefix("import"))
        {
            let rest = rest.strip_prefix("_next").unwrap_or(rest).trim();
            let name = rest.split(['<', '>', '"']).nth(1).unwrap_or_default();
            let entered = text.lines().filter(|line| line.starts_with('#')).any(|line| {
                let mut parts = line.split('"');
                let is_marker = parts
                    .next()
                    .is_some_and(|start| start[1..].trim_start().starts_with(|c: char| c.is_ascii_digit()));
                is_marker && parts.next().is_some_and(|file| file.ends_with(name))
            });
            if !entered {
                return Some(offset + (line.len() - line.trim_start().len()));
            }
        }
        offset += line.len();
    }
    None
}

fn finish(
    report: Report,
    system_headers: Option<bool>,
    feature_macros: Vec<FeatureMacro>,
    undefines: bool,
) -> Unit {
    let unit = report.unit.map(|unit| unit as usize);
    let mut diagnostics = report.diagnostics;
    let mut failures = diagnostics
        .iter()
        .enumerate()
        .filter(|(_, diagnostic)| diagnostic.severity >= Severity::Unsupported)
        .map(|(index, _)| index);
    let last = failures.nth(MAX_FAILURES - 1);
    diagnostics.truncate(last.map_or(usize::MAX, |last| last + 1));
    Unit { unit, diagnostics, too_many_errors: last.is_some(), system_headers, feature_macros, undefines }
}

/// After this many errors the front end does not read on, and no more are shown.
const MAX_FAILURES: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_must_have_been_carried_out() {
        assert_eq!(unfollowed_include("int x;\n"), None);
        assert_eq!(unfollowed_include("int x;\n  #include <a.h>\n"), Some(9));
        assert_eq!(unfollowed_include("# 1 \"a.c\"\n#include \"b.h\"\n"), Some(10));
        let kept = "# 1 \"a.c\"\n#include <sys/b.h>\n# 1 \"/usr/sys/b.h\" 1 3\n#include_next <b.h>\n#include <sys/b.h>\n";
        assert_eq!(unfollowed_include(kept), None);
    }
}
