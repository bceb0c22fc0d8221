//! A technique that makes tests from nothing but choices, as everybody sees it who makes tests by name.
//!
//! Techniques that start from programs are not these.

use howler_choices::Choices;
use howler_lang::target::Target;

use crate::options::{Table, Values};
use crate::{Case, Origin};

/// A technique.
#[derive(Clone, Copy, Debug)]
pub struct Technique {
    /// Its name in commands and lines.
    pub name: &'static str,
    /// What it makes, in a few words.
    pub about: &'static str,
    /// What it can be told.
    pub options: Table,
    /// The sizes of its tests, the smallest first; none if it has one size only.
    pub sizes: &'static [Size],
    /// What of C its tests may have that some compiler does not take.
    pub extensions: &'static [Extension],
    /// What new tests have besides what somebody asked for. It is not done to the options of a line, which says all of
    /// its test: so an old line makes what it made though an option means more today.
    pub settle: fn(&mut Values),
    /// The technique with its options, or why they make no sense together.
    pub generator: fn(&Values) -> Result<Box<dyn Generator>, String>,
}

/// A size of tests. Small tests and large ones find other bugs at other prices: a hunt takes each size for a source of its
/// own, unless somebody chose the options that make it.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// What tables call it.
    pub name: &'static str,
    /// The options that make it, as `key=value`.
    pub options: &'static [&'static str],
}

/// Something beyond C99 that tests may have.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    /// What a person calls it.
    pub name: &'static str,
    /// The option that leaves it out, as `key=value`.
    pub without: &'static str,
    /// A program that has it and nothing else of note.
    pub text: &'static str,
}

/// A technique with its options.
pub trait Generator: Send + Sync {
    /// Makes a test. The same target and choices make the same test, whatever was made before.
    fn generate(&self, target: Target, choices: &mut Choices, origin: Origin) -> Case;
}
