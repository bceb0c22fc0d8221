//! Is what a compiler compiles what the machine judged? A case with the system's headers is preprocessed by each compiler
//! itself, and preprocessors differ: in the `__LINE__` of a call over several lines, in what macros of headers become.
//! Wrong code is claimed only of a compiler whose own preprocessor gives the tokens that were judged.

use std::collections::BTreeSet;
use std::path::Path;

use howler_case::{Case, File};
use howler_lang::source::LineMarker;
use howler_toolchain::guard::Job;
use howler_toolchain::preprocess::text_of;

use crate::classify::Ran;
use crate::judge::{Judgements, Prepared, Verdict};
use crate::lab::build::{self, Folder, Text};
use crate::lab::{Configuration, Lab, LabError};
use crate::sighting::{Observed, Trial};

impl Lab {
    /// Takes back what was seen of compilers that compiled another program than the one that was judged.
    pub(super) fn forget_other_texts(
        &mut self,
        case: &Case,
        (configurations, folders): (&[Configuration], &[Folder]),
        judgements: &Judgements,
        trials: &mut [Trial],
    ) -> Result<(), LabError> {
        let votes: BTreeSet<&String> = (trials.iter())
            .filter_map(|trial| match &trial.run {
                Some(Observed::Vote(vote)) => Some(vote),
                _ => None,
            })
            .collect();
        let disputed = votes.len() > 1;
        for ((configuration, folder), trial) in configurations.iter().zip(folders).zip(trials) {
            let suspicious = match &trial.run {
                Some(Observed::Judged(ran)) => matches!(ran, Ran::Wrong(_)),
                Some(Observed::Vote(_)) => disputed,
                None => false,
            };
            if folder.text != Text::Original || !suspicious {
                continue;
            }
            let target = configuration.target_for(case);
            let prepared = target.and_then(|target| judgements.prepared(target));
            let same = match prepared {
                Some(prepared) => self.reads_what_was_judged(case, configuration, prepared)?,
                None => false,
            };
            if !same {
                let why = "its preprocessor makes another program of the text than the one judged";
                trial.verdict = Some(Verdict::Unspecified(why.to_owned()));
                trial.run = None;
            }
        }
        Ok(())
    }

    /// Whether the preprocessor of a configuration, with its flags, makes of the files of the case what was judged. What
    /// headers declare is not compared: each compiler has its own, in one ABI.
    pub(super) fn reads_what_was_judged(
        &mut self,
        case: &Case,
        configuration: &Configuration,
        prepared: &Prepared,
    ) -> Result<bool, LabError> {
        let place = Path::new("read");
        build::write(&self.guard, place, &case.files)?;
        for (file, judged) in case.files.iter().zip(&prepared.files) {
            let done = self.guard.run(&reading(configuration, case, file, place))?;
            let judged = String::from_utf8_lossy(&judged.text);
            if !done.success() || !tokens(&text_of(done.stdout)).eq(tokens(&judged)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The job that preprocesses a file of the case.
fn reading(configuration: &Configuration, case: &Case, file: &File, place: &Path) -> Job {
    let configured = &configuration.configured;
    let mut job = configured.compiler.job();
    job.args(&configured.compiler.prefix).arg(configured.compiler.std_flag(case.std));
    // There is no profile that clang would read; it changes no macro.
    job.args(configured.flags.iter().filter(|flag| *flag != "-fprofile-use"));
    job.arg("-E").arg(Path::new(&file.name).file_name().unwrap_or("test.c".as_ref()));
    job.dir = place.to_owned();
    job
}

/// Macros that are something else each time.
const CLOCKS: [&str; 3] = ["__DATE__", "__TIME__", "__TIMESTAMP__"];

/// Flags by which a compiler writes something into its output that is another each time: the stamp by which a profile
/// knows its program.
const STAMPED: [&str; 7] = [
    "-fprofile-generate",
    "-fprofile-arcs",
    "-fprofile-instr-generate",
    "-ftest-coverage",
    "-fcoverage-mapping",
    "--coverage",
    "-coverage",
];

/// Whether a compiler must give the same output for the same input each time.
pub(super) fn is_steady(configuration: &Configuration, case: &Case, text: Text) -> bool {
    let stamped = |flag: &String| STAMPED.iter().any(|start| flag.starts_with(start));
    let asks = |file: &File| {
        let text = String::from_utf8_lossy(&file.text);
        CLOCKS.iter().any(|name| text.contains(name))
    };
    let clock = text == Text::Original && case.files.iter().any(asks);
    !clock && !configuration.configured.flags.iter().any(stamped)
}

/// The tokens of a preprocessed text, but for what headers brought. Operators of several characters are several tokens
/// here: where preprocessors put spaces is their own affair.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut in_header = false;
    let lines = text.lines().filter(move |line| {
        if !line.trim_start().starts_with('#') {
            return !in_header;
        }
        let Some(marker) = LineMarker::read(line.as_bytes()) else { return !in_header };
        if let Some(file) = marker.file {
            // The files of a case have no folders; headers that compilers find do.
            in_header = file.starts_with(['/', '<']);
        }
        false
    });
    lines.flat_map(|line| Tokens { rest: line })
}

/// The tokens of a line.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        let length = match first {
            '"' | '\'' => literal(self.rest, first),
            _ if is_word(first) => self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len()),
            _ => first.len_utf8(),
        };
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(token)
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii()
}

/// The length of a literal at the start of a text.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + c.len_utf8();
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_program() {
        let text = "# 1 \"a.c\"\n# 1 \"/usr/include/x.h\" 1 3 4\nint header;\n# 2 \"a.c\" 2\nint x=f(\"a \\\" b\", 'c');\n\
                    # 3 \"a.c\" 3 4\n((void *)0)\n#pragma pack(1)\n# 9 \"<howler>/y.h\" 1 3\nlong y;\n";
        let words: Vec<&str> = tokens(text).collect();
        assert_eq!(
            words.join(" "),
            "int x = f ( \"a \\\" b\" , 'c' ) ; ( ( void * ) 0 ) # pragma pack ( 1 )"
        );
        assert!(tokens("int x = 1 ;").eq(tokens("int  x=1;\n\n")));
        assert!(!tokens("return 3;").eq(tokens("return 4;")));
    }
}
