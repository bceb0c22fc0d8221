//! Findings: sightings that somebody looked at twice, with everything a stranger needs to see them too.

pub mod data;
pub mod text;

use std::fmt::Write;

use howler_case::{Behaviour, Case, End, File, Status};

pub use data::{Data, Witness};

use crate::predicate::{Question, predicate};
use crate::repro::{Claim, INPUT, script};
use crate::sighting::Sighting;

/// A sighting after confirmation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// How sure it is.
    pub status: Status,
    /// What it is. Its configurations are those that showed it again.
    pub sighting: Sighting,
    /// The test.
    pub case: Case,
    /// The files that the command lines compile.
    pub files: Vec<File>,
    /// The files of the test before it was made small; none if it was not.
    pub original: Vec<File>,
    /// Files that the command lines need beside these, and what else is worth looking at.
    pub beside: Vec<File>,
    /// What was run, the first one being the one to show.
    pub attempts: Vec<Attempt>,
    /// What the program must do, if the machine knows.
    pub expected: Option<Behaviour>,
    /// What a script has to show; none if the finding is flaky.
    pub claim: Option<Claim>,
    /// What compilers make of the program that are asked for nothing else.
    pub witnesses: Vec<Witness>,
    /// What else is worth knowing, one line each.
    pub notes: Vec<String>,
}

/// One configuration's part in a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// The configuration.
    pub configuration: String,
    /// The first line of the compiler's version.
    pub version: String,
    /// The command line, for the folder that has the files.
    pub command: String,
    /// How the compiler ended, in words.
    pub compiler_end: String,
    /// What the compiler wrote to standard error, as far as it is kept.
    pub messages: Vec<u8>,
    /// How the program ended, in words, if it ran.
    pub program_end: Option<String>,
    /// What the program wrote, if it ran.
    pub output: Vec<u8>,
}

/// The file of a finding's folder that has it as data.
pub const NAME: &str = "finding.json";

/// How the names of the files begin that a test had before it was made small.
pub const ORIGINAL: &str = "original-";

/// The longest message or output that a finding keeps.
pub const KEPT: usize = 64 << 10;

impl Finding {
    /// One line: what is wrong, and with whom.
    pub fn title(&self) -> String {
        let sighting = &self.sighting;
        let who = (sighting.kind.name(), sighting.family.as_str());
        data::title(who, &sighting.configurations, &sighting.signature, &self.files)
    }

    /// All files of the finding's folder: the program, what was expected and what came, a script that shows it, and a
    /// text that explains.
    pub fn folder(&self) -> Vec<File> {
        let mut files = self.files.clone();
        let original =
            self.case.files.iter().filter(|file| self.files.iter().all(|known| known.name != file.name));
        files.extend(original.cloned());
        let name = |file: &File| format!("{ORIGINAL}{}", file.name);
        files.extend(self.original.iter().map(|file| File { name: name(file), text: file.text.clone() }));
        files.extend(self.beside.iter().cloned());
        let mut add = |name: String, text: Vec<u8>| files.push(File { name, text });
        if let Some(Behaviour { end: End::Exit(_), output, .. }) = &self.expected {
            add("expected-output.txt".to_owned(), output.clone());
        }
        if !self.case.input().stdin.is_empty() {
            add(INPUT.to_owned(), self.case.input().stdin.clone());
        }
        for (number, attempt) in self.attempts.iter().enumerate() {
            if !attempt.messages.is_empty() {
                add(format!("messages-{number}.txt"), attempt.messages.clone());
            }
            if attempt.program_end.is_some() {
                add(format!("output-{number}.txt"), attempt.output.clone());
            }
        }
        if let Some(claim) = &self.claim {
            let commands: Vec<String> = self.attempts.iter().map(|attempt| attempt.command.clone()).collect();
            add(
                "repro.sh".to_owned(),
                script(&self.title(), &commands, claim, self.case.input()).into_bytes(),
            );
        }
        if let Some(text) = self.predicate() {
            add("test.sh".to_owned(), text.into_bytes());
        }
        add("README.txt".to_owned(), self.readme().into_bytes());
        add(NAME.to_owned(), Data::new(self).json());
        files
    }

    /// The text that explains the finding.
    pub fn readme(&self) -> String {
        text::readme(&Data::new(self), &self.files)
    }

    /// The script for reducers, if a file alone shows the bug.
    fn predicate(&self) -> Option<String> {
        let (claim, first) = (self.claim.as_ref()?, self.attempts.first()?);
        let machine =
            |word: &&str| word.starts_with("-m32") || word.starts_with("-m64") || *word == "-funsigned-char";
        let machine = first.configuration.split_whitespace().filter(machine).map(str::to_owned);
        let flags: Vec<String> =
            [format!("-std={}", self.case.std.name())].into_iter().chain(machine).collect();
        let references: Vec<String> = (self.witnesses.iter())
            .filter(|witness| witness.agrees)
            .filter_map(|witness| witness.configuration.split(' ').next().map(str::to_owned))
            .collect();
        let files: Vec<String> = self.files.iter().map(|file| file.name.clone()).collect();
        predicate(&Question {
            title: &self.title(),
            kind: self.sighting.kind,
            files: &files,
            command: &first.command,
            claim,
            messages: &String::from_utf8_lossy(&first.messages),
            input: self.case.input(),
            flags: &flags,
            references: &references,
            exits: first.program_end.as_deref().is_some_and(|end| end.starts_with("exit")),
        })
    }
}

/// Configurations in few words: flags of one compiler together, and a long row of random flags counted only.
///
/// ```
/// let names = ["gcc-12 -O0", "gcc-12 -O2", "tcc"].map(str::to_owned);
/// assert_eq!(howler_oracle::finding::in_few_words(&names), "gcc-12 -O0, -O2; tcc");
/// ```
pub fn in_few_words(configurations: &[String]) -> String {
    let mut compilers: Vec<(&str, Vec<&str>)> = Vec::new();
    for name in configurations {
        let (compiler, flags) = name.split_at(name.find(" -").unwrap_or(name.len()));
        match compilers.iter_mut().find(|(known, _)| *known == compiler) {
            Some((_, all)) => all.push(flags.trim_start()),
            None => compilers.push((compiler, vec![flags.trim_start()])),
        }
    }
    let told = compilers.into_iter().map(|(compiler, all)| {
        let (short, long): (Vec<&str>, Vec<&str>) = all.into_iter().partition(|flags| flags.len() <= SHORT);
        let mut text = compiler.to_owned();
        if !short.is_empty() {
            let _ = write!(text, " {}", short.join(", "));
        }
        match (short.is_empty(), &long[..]) {
            (_, []) => {}
            (true, [one]) => {
                let _ = write!(text, " {}", beginning(one, SHORT));
            }
            (true, many) => {
                let _ = write!(text, " with {} rows of flags", many.len());
            }
            (false, _) => text += " and other flags",
        }
        text.trim_end().to_owned()
    });
    told.collect::<Vec<String>>().join("; ")
}

/// The length of flags that are told in a title, and of a pattern.
const SHORT: usize = 40;
const PATTERN: usize = 80;

/// The first characters of a text.
fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{} ...", text[..cut].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_stay_short() {
        let long = format!("gcc-12 -O2 {}", "-fno-ipa-cp ".repeat(20));
        let cases: [(&[&str], &str); 5] = [
            (&["tcc"], "tcc"),
            (&["gcc-12 -O0", "gcc-12 -O2", "tcc", "clang-16 -O2"], "gcc-12 -O0, -O2; tcc; clang-16 -O2"),
            (&["gcc-12 -O0", &long], "gcc-12 -O0 and other flags"),
            (&[&long], "gcc-12 -O2 -fno-ipa-cp -fno-ipa-cp -fno-ipa-cp ..."),
            (&[&long, &long], "gcc-12 with 2 rows of flags"),
        ];
        for (names, told) in cases {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            assert_eq!(in_few_words(&names), told);
        }
    }
}
