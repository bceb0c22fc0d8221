//! From C text to a unit of a typed program: preprocessor, then front end, our headers first and the system's where
//! ours lack a name. No files are read here and nothing is linked.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use howler_front::{Report, parse};
use howler_lang::diag::{Diagnostic, Severity};
use howler_lang::program::Program;
use howler_lang::source::{Pos, SourceMap};
use howler_toolchain::preprocess::{
    FeatureMacro, Headers, Input, PreprocessError, PreprocessOptions, Preprocessed, Preprocessor, preprocess,
    read_text,
};

/// What reading one text gave, besides what it added to the program.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The index of the unit in the program, if it has become one.
    pub unit: Option<usize>,
    /// What to say about it.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the front end gave up before the end of the text.
    pub too_many_errors: bool,
    /// Whether system headers were used, if the text was preprocessed here.
    pub system_headers: Option<bool>,
    /// Macros that its `#include` lines need.
    pub feature_macros: Vec<FeatureMacro>,
    /// Whether it takes names from headers back with `#undef`.
    pub undefines: bool,
    /// A macro of its own source that another compiler, or another day, expands to something else; with its line.
    pub translator: Option<(&'static str, u32)>,
    /// The preprocessed text that the unit was read from.
    pub text: Arc<str>,
}

/// A text to be read for one or more dialects. What is preprocessed is kept: dialects of one machine and one standard
/// share it.
pub struct Texts<'a> {
    preprocessor: &'a Preprocessor,
    input: Input<'a>,
    name: String,
    options: PreprocessOptions,
    first: Ready,
    second: Option<Option<Ready>>,
    undefines: bool,
    translator: Option<(&'static str, u32)>,
}

#[derive(Clone)]
struct Ready {
    text: Arc<str>,
    system_headers: bool,
    feature_macros: Vec<FeatureMacro>,
}

impl From<Preprocessed> for Ready {
    fn from(done: Preprocessed) -> Ready {
        let Preprocessed { text, system_headers, feature_macros } = done;
        Ready { text: text.into(), system_headers, feature_macros }
    }
}

impl<'a> Texts<'a> {
    /// Preprocesses a text.
    pub fn new(
        preprocessor: &'a Preprocessor,
        input: Input<'a>,
        options: PreprocessOptions,
    ) -> Result<Texts<'a>, PreprocessError> {
        let (name, source) = match input {
            Input::File(file) => (file.display().to_string(), Cow::Owned(read_text(file)?)),
            Input::Text { name, text } => (name.to_owned(), Cow::Borrowed(text)),
        };
        let (undefines, translator) = (undefines_foreign(&source), translator_macro(&source));
        let first = preprocess(preprocessor, input, &options)?.into();
        Ok(Texts { preprocessor, input, name, options, first, second: None, undefines, translator })
    }

    /// The text to be tried first, and whether the system's headers are in it.
    pub fn first_text(&self) -> (Arc<str>, bool) {
        (Arc::clone(&self.first.text), self.first.system_headers)
    }

    /// Reads the text as the next unit of `program`, whose target may differ from that of the options in its compiler
    /// only.
    pub fn parse_into(&mut self, program: &mut Program, front: &howler_front::Options) -> Unit {
        let second_chance = self.options.headers == Headers::OursThenSystem && !self.first.system_headers;
        let before = second_chance.then(|| program.clone());
        let report = parse(program, &self.name, Arc::clone(&self.first.text), front);
        // Our headers have every name of theirs that the machine knows, not every name there is.
        if let Some(mut other) = before
            && Rank::of(&report) > Rank::default()
            && let Some(second) = self.second()
        {
            let again = parse(&mut other, &self.name, Arc::clone(&second.text), front);
            if Rank::of(&again) < Rank::of(&report) {
                *program = other;
                return self.finish(again, &second);
            }
        }
        let first = self.first.clone();
        self.finish(report, &first)
    }

    /// Like [`Texts::parse_into`], with the system's headers only; none if there is no such text.
    pub fn parse_system_into(
        &mut self,
        program: &mut Program,
        front: &howler_front::Options,
    ) -> Option<Unit> {
        let ready = if self.first.system_headers { self.first.clone() } else { self.second()? };
        let report = parse(program, &self.name, Arc::clone(&ready.text), front);
        Some(self.finish(report, &ready))
    }

    fn second(&mut self) -> Option<Ready> {
        if self.second.is_none() {
            let options = PreprocessOptions { headers: Headers::System, ..self.options.clone() };
            self.second = Some(preprocess(self.preprocessor, self.input, &options).ok().map(Ready::from));
        }
        self.second.clone().flatten()
    }

    fn finish(&self, report: Report, ready: &Ready) -> Unit {
        Unit {
            system_headers: Some(ready.system_headers),
            feature_macros: ready.feature_macros.clone(),
            undefines: self.undefines,
            translator: self.translator,
            ..unit_of(report, Arc::clone(&ready.text))
        }
    }
}

/// Whether some files of one program have the library's types from our headers and some from the system's: `jmp_buf`
/// and `struct tm` of the two are not compatible types (C17 6.2.7p1), so the program is to be read again with the
/// system's headers for all of it.
pub fn mixes_headers(system_headers: impl IntoIterator<Item = Option<bool>>) -> bool {
    let (mut ours, mut system) = (false, false);
    for system_headers in system_headers {
        ours |= system_headers == Some(false);
        system |= system_headers == Some(true);
    }
    ours && system
}

/// Reads a preprocessed text as the next unit of `program`.
pub fn read_preprocessed(
    program: &mut Program,
    name: &str,
    text: Arc<str>,
    front: &howler_front::Options,
) -> Unit {
    let include = unfollowed_include(&text);
    let start = next_start(&program.sources);
    let mut report = parse(program, name, Arc::clone(&text), front);
    if let Some(offset) = include {
        let message =
            "directive '#include' in preprocessed text: a .i file must be preprocessed, a .c file need not";
        let pos = u32::try_from(start + offset).map_or(Pos::NONE, Pos);
        report.diagnostics.insert(0, Diagnostic::error(pos, message));
    }
    unit_of(report, text)
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

/// Macros whose expansion is the compiler's own affair (C17 6.10.8.1p1 has two of them).
const TRANSLATOR: [&str; 4] = ["__DATE__", "__TIME__", "__TIMESTAMP__", "__VERSION__"];

/// The first of [`TRANSLATOR`] that a source uses, with its line. Comments and literals are no uses, and neither are
/// conditions, whose answer the text shows.
fn translator_macro(source: &str) -> Option<(&'static str, u32)> {
    if !TRANSLATOR.iter().any(|name| source.contains(name)) {
        return None;
    }
    let mut line = 1;
    let mut conditional = false;
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let until = |end: &str| rest[2..].find(end).map_or(rest.len(), |at| at + 2 + end.len());
        let length = match first {
            _ if rest.starts_with("//") => until("\n") - usize::from(rest[2..].contains('\n')),
            _ if rest.starts_with("/*") => until("*/"),
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '"' | '\'' => quoted_length(rest, first),
            '#' => {
                conditional = ["if", "elif"].iter().any(|word| rest[1..].trim_start().starts_with(word));
                1
            }
            '\n' => {
                conditional = false;
                1
            }
            c if c.is_alphanumeric() || c == '_' => {
                let word =
                    &rest[..rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())];
                if let Some(name) = TRANSLATOR.iter().find(|name| **name == word && !conditional) {
                    return Some((name, line));
                }
                word.len()
            }
            c => c.len_utf8(),
        };
        let (done, left) = rest.split_at(length);
        line += u32::try_from(done.matches('\n').count()).unwrap_or(0);
        rest = left;
    }
    None
}

/// The length of a literal; one that is not closed ends with its line.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !escaped && (c == quote || c == '\n') {
            return at + usize::from(c == quote);
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
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

fn unit_of(report: Report, text: Arc<str>) -> Unit {
    let unit = report.unit.map(|unit| unit as usize);
    let mut diagnostics = report.diagnostics;
    let mut failures = diagnostics
        .iter()
        .enumerate()
        .filter(|(_, diagnostic)| diagnostic.severity >= Severity::Unsupported)
        .map(|(index, _)| index);
    let last = failures.nth(MAX_FAILURES - 1);
    diagnostics.truncate(last.map_or(usize::MAX, |last| last + 1));
    Unit {
        unit,
        diagnostics,
        too_many_errors: last.is_some(),
        system_headers: None,
        feature_macros: Vec::new(),
        undefines: false,
        translator: None,
        text,
    }
}

/// After this many errors the front end does not read on, and no more are shown.
const MAX_FAILURES: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_the_translator_are_found_where_they_are_used() {
        for (text, found) in [
            ("int x;\nchar *s = __DATE__;", Some(("__DATE__", 2))),
            ("#define V \\\n  __VERSION__\n", Some(("__VERSION__", 2))),
            ("/* __DATE__\n */ char c = '\"', *s = \"\\\"__TIME__\"; // __TIME__\nint __TIME__x;", None),
            ("#ifdef __VERSION__\n# if 1 < __DATE__\n#endif\n", None),
            ("#ifdef A\n#endif\nchar *t = __TIME__", Some(("__TIME__", 3))),
            ("// __DATE__", None),
            ("/* __DATE__", None),
            ("'__DATE__\n__DATE__ \\", Some(("__DATE__", 2))),
        ] {
            assert_eq!(translator_macro(text), found, "{text}");
        }
    }

    #[test]
    fn includes_must_have_been_carried_out() {
        assert_eq!(unfollowed_include("int x;\n"), None);
        assert_eq!(unfollowed_include("int x;\n  #include <a.h>\n"), Some(9));
        assert_eq!(unfollowed_include("# 1 \"a.c\"\n#include \"b.h\"\n"), Some(10));
        let kept = "# 1 \"a.c\"\n#include <sys/b.h>\n# 1 \"/usr/sys/b.h\" 1 3\n#include_next <b.h>\n#include <sys/b.h>\n";
        assert_eq!(unfollowed_include(kept), None);
    }
}
