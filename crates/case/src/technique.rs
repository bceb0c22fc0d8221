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
    /// What new tests have besides what somebody asked for. It is not done to the options of a line, which says all of
    /// its test: so an old line makes what it made though an option means more today.
    pub settle: fn(&mut Values),
    /// The technique with its options, or why they make no sense together.
    pub generator: fn(&Values) -> Result<Box<dyn Generator>, String>,
}

/// A technique with its options.
pub trait Generator: Send + Sync {
    /// Makes a test. The same target and choices make the same test, whatever was made before.
    fn generate(&self, target: Target, choices: &mut Choices, origin: Origin) -> Case;
}
