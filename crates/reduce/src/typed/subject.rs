//! What the passes work on: a typed program, and what it did when the machine ran it.

use std::sync::OnceLock;

use howler_case::Input;
use howler_lang::edit::compact;
use howler_lang::link::link;
use howler_lang::program::Program;
use howler_machine::judge::{JudgeOptions, judge};
use howler_machine::profile::{Profile, ProfileOptions};
use howler_machine::{Input as Given, Limits};

/// A program that is being made smaller, as read and edited: its units do not know each other yet.
///
/// Its ids stay the same while a pass is at work, also after edits elsewhere; between passes it is compacted, and what
/// nothing reaches any more is gone.
#[derive(Clone)]
pub struct Subject {
    /// The program. What replaces it is another subject: the profile belongs to just this one.
    program: Program,
    /// What it is run with, to see what it does.
    input: Input,
    /// Whether what it does when it runs matters.
    runs: bool,
    profile: OnceLock<Option<Box<Profile>>>,
}

/// How many steps a run may take whose only purpose is to be looked at.
const STEPS: u64 = 20_000_000;

impl Subject {
    /// A program that is run with this.
    pub fn new(program: Program, input: Input) -> Subject {
        Subject { program, input, runs: true, profile: OnceLock::new() }
    }

    /// The same where nobody cares what it does: a compiler crashes before.
    #[must_use]
    pub fn only_compiled(self) -> Subject {
        Subject { runs: false, profile: OnceLock::new(), ..self }
    }

    /// Whether what it does when it runs matters.
    pub fn runs(&self) -> bool {
        self.runs
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program, for good.
    pub fn into_program(self) -> Program {
        self.program
    }

    /// Another program in its place, which has the same ids where it has the same things.
    #[must_use]
    pub fn with(&self, program: Program) -> Subject {
        Subject { program, input: self.input.clone(), runs: self.runs, profile: OnceLock::new() }
    }

    /// The same without what nothing reaches. Ids are others.
    #[must_use]
    pub fn compacted(mut self) -> Subject {
        compact(&mut self.program);
        self.profile = OnceLock::new();
        self
    }

    /// What one run of it did: how often statements and functions were reached, which way conditions went, what
    /// operators and calls were given. It is a hint where to begin and what to try, and proves nothing: who tests a
    /// candidate finds out whether the hint was good. None for a program that cannot be run, or need not.
    pub fn profile(&self) -> Option<&Profile> {
        if !self.runs {
            return None;
        }
        let make = || {
            let mut linked = self.program.clone();
            link(&mut linked);
            let bytes = |argument: &String| argument.clone().into_bytes();
            let arguments: Vec<Vec<u8>> = self.input.arguments.iter().map(bytes).collect();
            let options = JudgeOptions {
                input: Given { bytes: &self.input.stdin, arguments: &arguments },
                limits: Limits { steps: STEPS, ..Limits::default() },
                runs: 1,
                profile: Some(ProfileOptions { tuples: 2, ..ProfileOptions::default() }),
            };
            judge(&linked, &options).profile().map(Box::new)
        };
        self.profile.get_or_init(make).as_deref()
    }
}
