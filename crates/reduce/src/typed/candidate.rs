//! Programs and their passes as the engine knows them.

use howler_case::File;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::Program;

use super::{Pass, Site, Subject};
use crate::engine::{self, Proposal, Size};
use crate::files::Files;
use crate::text::measure;

/// A program and its text.
#[derive(Clone)]
pub struct Candidate {
    subject: Subject,
    files: Vec<File>,
    size: Size,
    key: u128,
}

impl Candidate {
    /// The text of a program, a file for each of its units, which have these names.
    pub fn new(subject: Subject, names: &[String]) -> Candidate {
        let files: Vec<File> = names
            .iter()
            .enumerate()
            .map(|(number, name)| {
                let text = unit(subject.program(), number, &PrintOptions::default());
                File { name: name.clone(), text: text.into_bytes() }
            })
            .collect();
        let (size, key) = measure(&files);
        Candidate { subject, files, size, key }
    }

    /// The program.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    fn with(&self, program: Program) -> Candidate {
        let names: Vec<String> = self.files.iter().map(|file| file.name.clone()).collect();
        Candidate::new(self.subject.with(program), &names)
    }
}

impl engine::Subject for Candidate {
    fn size(&self) -> Size {
        self.size
    }

    fn key(&self) -> u128 {
        self.key
    }

    fn settled(self) -> Candidate {
        Candidate { subject: self.subject.compacted(), ..self }
    }
}

impl Files for Candidate {
    fn files(&self) -> &[File] {
        &self.files
    }
}

impl Proposal for Site {
    fn weight(&self) -> u64 {
        self.weight.max(1)
    }
}

/// A pass on the typed program.
pub struct Typed(pub &'static dyn Pass);

impl engine::Pass<Candidate, Site> for Typed {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn proposals(&self, candidate: &Candidate) -> Vec<Site> {
        self.0.sites(&candidate.subject)
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        self.0.apply_all(&candidate.subject, sites).map(|program| candidate.with(program))
    }

    fn grows(&self) -> bool {
        self.0.grows()
    }
}
