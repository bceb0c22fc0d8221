//! Emi as a source: every program of another source, and variants of it that must do the same.
//!
//! The test with a number is a variant of a program with a number; the line has the other source's line, so that other
//! programs are another arm. A program that is no seed makes no tests: each of its numbers says why.

use std::sync::{Mutex, PoisonError};

use howler_case::options::Values;
use howler_case::{Case, Origin};
use howler_emi::{Chain, NoVariant, Options, technique};
use howler_lang::diag::Severity;
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_machine::{Limits, Machine};
use howler_oracle::read::{Texts, read_preprocessed};
use howler_toolchain::preprocess::{Headers, Input, PreprocessOptions};

use crate::source::{Grade, NoCase, Recipe, Source, Workshop, choices};

pub use howler_emi::technique::{ABOUT, NAME, TABLE};

/// Variants of the programs of a source.
pub struct Variants {
    from: Box<dyn Source>,
    options: Options,
    values: Values,
    words: String,
    name: String,
    /// How many of each program.
    each: u64,
    /// Seeds under way: their variants are asked for one after another, by several workers.
    begun: Mutex<Vec<Begun>>,
}

/// A seed, by its number and what its source makes it for.
struct Begun {
    number: u64,
    recipe: (u64, Target),
    chain: Result<Chain, String>,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Seeds that are kept: as many as a machine may have workers, about.
const KEPT: usize = 32;

/// Steps that a program may take, as many as a hunt's judge gives it.
const STEPS: u64 = 10_000_000;

impl Variants {
    /// Variants of a source's programs with `key=value` words, or why they make no sense.
    pub fn read(from: Box<dyn Source>, words: &[String]) -> Result<Variants, String> {
        let values = TABLE.read(words).map_err(|error| error.to_string())?;
        let mut all = vec![NAME.to_owned()];
        all.extend(values.words());
        let name = format!("{NAME} {}", from.name());
        let (options, each) = (Options::of(&values), values.number("variants"));
        Ok(Variants { from, options, values, words: all.join(" "), name, each, begun: Mutex::default() })
    }

    /// The seed with a number, judged.
    fn begin(&self, shop: &mut Workshop<'_>, number: u64, judge: &Machine) -> Result<Chain, NoCase> {
        let case = self.from.make(shop, number)?;
        let program = parsed(shop, &case).map_err(NoCase::Failed)?;
        let choices = choices(shop.recipe.seed, &self.line(), number);
        let chain = Chain::new(program, case.inputs.clone(), self.options.clone(), choices, judge);
        chain.map_err(|bad| {
            NoCase::Failed(format!("{} is no seed: {bad}", self.from.title(shop.recipe.seed, number)))
        })
    }
}

/// A case as one program.
fn parsed(shop: &Workshop<'_>, case: &Case) -> Result<Program, String> {
    let target = Target { std: case.std, ..shop.recipe.target };
    let mut program = Program::new(target);
    for file in &case.files {
        let text = std::str::from_utf8(&file.text).map_err(|_| format!("{} is not UTF-8", file.name))?;
        let front = howler_front::Options::default();
        let unit = if text.lines().any(|line| line.trim_start().starts_with('#')) {
            let options = PreprocessOptions {
                target,
                defines: Vec::new(),
                include_dirs: Vec::new(),
                headers: Headers::OursThenSystem,
            };
            let input = Input::Text { name: &file.name, text };
            let texts = Texts::new(shop.preprocessor, input, options);
            texts.map_err(|error| error.to_string())?.parse_into(&mut program, &front)
        } else {
            read_preprocessed(&mut program, &file.name, text.into(), &front)
        };
        if let Some(said) = unit.diagnostics.iter().find(|said| said.severity >= Severity::Unsupported) {
            return Err(format!("{}: {}", file.name, said.message));
        }
        if let Some((name, _)) = unit.translator {
            return Err(format!("{}: {name} depends on the compiler and on the day", file.name));
        }
    }
    Ok(program)
}

impl Source for Variants {
    fn name(&self) -> &str {
        &self.name
    }

    fn grade(&self) -> Grade {
        self.from.grade()
    }

    fn line(&self) -> String {
        format!("{} ({VERSION}) from {}", self.words, self.from.line())
    }

    fn arm_line(&self, target: Target) -> String {
        format!("{} ({VERSION}) from {}", self.words, self.from.arm_line(target))
    }

    fn settings(&self) -> Vec<String> {
        let mut all = self.values.complete_words();
        all.extend(self.from.settings());
        all
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn origin(&self, recipe: Recipe, index: u64) -> Origin {
        let from = self.from.origin(recipe, index / self.each).arm;
        let version = self.from.version();
        let version = if version == VERSION { String::new() } else { format!(" ({version})") };
        let arm = format!("{} from {from}{version}", self.words);
        Origin { arm, version: VERSION.to_owned(), seed: recipe.seed, index }
    }

    fn title(&self, seed: u64, index: u64) -> String {
        let of = self.from.title(seed, index / self.each);
        format!("variant {} of {of}", index % self.each)
    }

    fn count(&self) -> Option<u64> {
        self.from.count().map(|count| count.saturating_mul(self.each))
    }

    fn make(&self, shop: &mut Workshop<'_>, index: u64) -> Result<Case, NoCase> {
        let (number, variant) = (index / self.each, index % self.each);
        let recipe = (shop.recipe.seed, shop.recipe.target);
        let limits = Limits { steps: STEPS, ..Limits::default() };
        let judge = Machine { limits, ..Machine::default() };
        let known = {
            let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
            let known = begun.iter().position(|one| one.number == number && one.recipe == recipe);
            known.map(|at| begun.swap_remove(at))
        };
        // Whoever else asks for it meanwhile begins anew, and gets the same.
        let mut begun = match known {
            Some(begun) => begun,
            None => {
                let chain = match self.begin(shop, number, &judge) {
                    Err(NoCase::Failed(why)) => Err(why),
                    chain => Ok(chain?),
                };
                Begun { number, recipe, chain }
            }
        };
        let made = match &mut begun.chain {
            Err(why) => Err(NoCase::Failed(why.clone())),
            Ok(chain) => match chain.variant(variant, &judge) {
                Ok(subject) => Ok(subject.case(self.origin(shop.recipe, index))),
                Err(why @ (NoVariant::Nothing | NoVariant::Long(_) | NoVariant::Wrong(_))) => {
                    Err(NoCase::Failed(why.to_string()))
                }
            },
        };
        let mut kept = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(begun);
        made
    }
}

/// What it is and which options it takes, for users.
pub fn help() -> String {
    format!(
        "{NAME}: {ABOUT}\n\nOptions, with their defaults, as in --gen {NAME}:KEY=VALUE,KEY=VALUE; --from says whose programs:\n{}",
        technique::TABLE.help()
    )
}
