//! Variants of a seed by their numbers. Each is made of the one before, but every few the seed is taken up again:
//! variants of variants find more, and grow.

use howler_case::{Case, File, Input, Origin};
use howler_choices::Choices;
use howler_lang::print::{Comments, PrintOptions, Wanted, annotated, unit};
use howler_lang::program::Program;
use howler_machine::Judge;

use crate::foreign::Donor;
use crate::options::Options;
use crate::seed::BadSeed;
use crate::subject::{NoVariant, Subject};

/// A seed with its variants, which are asked for one by one.
pub struct Chain {
    seed: Program,
    inputs: Vec<Input>,
    options: Options,
    /// Functions of other programs.
    donors: Vec<Donor>,
    choices: Choices,
    /// The program that the next variant is made of, and its number.
    now: Option<(Subject, u64)>,
}

impl Chain {
    /// A seed, judged. Which variants it has is up to `choices`.
    ///
    /// # Errors
    /// It is no seed.
    pub fn new(
        seed: Program,
        inputs: Vec<Input>,
        options: Options,
        choices: Choices,
        judge: &dyn Judge,
    ) -> Result<Chain, BadSeed> {
        Chain::with_donors(seed, inputs, (options, Vec::new()), choices, judge)
    }

    /// The same with functions of other programs, which the strategy `call` needs.
    ///
    /// # Errors
    /// It is no seed.
    pub fn with_donors(
        seed: Program,
        inputs: Vec<Input>,
        (options, donors): (Options, Vec<Donor>),
        choices: Choices,
        judge: &dyn Judge,
    ) -> Result<Chain, BadSeed> {
        let mut chain = Chain { seed, inputs, options, donors, choices, now: None };
        chain.now = Some((chain.begin(0, judge)?, 0));
        Ok(chain)
    }

    fn begin(&self, number: u64, judge: &dyn Judge) -> Result<Subject, BadSeed> {
        let mut choices = self.choices.sub_indexed("seed", number);
        let (seed, inputs) = (self.seed.clone(), self.inputs.clone());
        Subject::with_donors(seed, inputs, &self.options, &self.donors, &mut choices, judge)
    }

    /// The variant with a number: the same whatever was asked for before.
    ///
    /// # Errors
    /// There is none with this number; there may be others.
    pub fn variant(&mut self, number: u64, judge: &dyn Judge) -> Result<&Subject, NoVariant> {
        let first = number - number % self.options.chain.max(1);
        let again = |chain: &Chain, from| chain.begin(from, judge).map_err(|_| NoVariant::Nothing);
        let (mut subject, mut next) = match self.now.take() {
            Some((subject, next))
                if next <= number && (next > first || next == first && subject.mutations().is_empty()) =>
            {
                (subject, next)
            }
            _ => (again(self, first)?, first),
        };
        loop {
            if subject.is_grown() {
                subject = again(self, next)?;
            }
            let mut choices = self.choices.sub_indexed("variant", next);
            let made = subject.mutate(&self.options, &mut choices, judge);
            next += 1;
            subject = match made {
                Err(why) if next > number => return Err(why),
                Err(_) => again(self, next)?,
                Ok(made) if next > number => return Ok(&self.now.insert((made, next)).0),
                Ok(made) => made,
            };
        }
    }
}

impl Subject {
    /// The variant as a test.
    pub fn case(&self, origin: Origin) -> Case {
        let program = self.program();
        let mut case = Case::new("", "", program.target.std, origin);
        let texts = (0..program.units.len()).map(|number| unit(program, number, &PrintOptions::default()));
        case.files = names(program)
            .into_iter()
            .zip(texts)
            .map(|(name, text)| File { name, text: text.into_bytes() })
            .collect();
        case.inputs = self.inputs().to_vec();
        for (number, behaviour) in self.behaviours().iter().enumerate() {
            case.expected.insert((program.target, number), behaviour.clone());
        }
        case.edits = self.lines().iter().map(ToString::to_string).collect();
        case
    }

    /// The texts of its units with a comment before each mutation: its strategy, and what was known there, as line 9 of
    /// the paper's figure 1 has it.
    pub fn explained(&self) -> Vec<String> {
        let program = self.program();
        let mut comments = Comments::default();
        for mutation in self.mutations() {
            let at = mutation.added.unwrap_or(mutation.at);
            let comment = comments.stmts.entry(at).or_default();
            if !comment.is_empty() {
                comment.push_str("; ");
            }
            let times =
                if mutation.visits == 0 { "never".to_owned() } else { format!("{}x", mutation.visits) };
            comment.push_str(&format!("{} ({times}): {}", mutation.strategy, mutation.known));
        }
        let wanted = Wanted { names: false, comments: Some(&comments) };
        (0..program.units.len())
            .map(|number| annotated(program, number, &PrintOptions::default(), wanted).text)
            .collect()
    }
}

/// The names of a program's files, without folders, each once.
fn names(program: &Program) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (number, unit) in program.units.iter().enumerate() {
        let name = unit.name.rsplit('/').next().unwrap_or_default();
        let stem = name.strip_suffix(".i").or_else(|| name.strip_suffix(".c")).unwrap_or(name);
        let plain: String =
            stem.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).collect();
        let name = format!("{plain}.c");
        let taken = plain.is_empty() || plain.starts_with('-') || names.contains(&name);
        names.push(if taken { format!("unit{number}.c") } else { name });
    }
    names
}
