//! The techniques a hunt knows, one line each.

use crate::orange::{self, Orange};
use crate::source::Source;

type Made = Result<Box<dyn Source>, String>;

/// A technique.
pub struct Technique {
    /// As `--gen` takes it.
    pub name: &'static str,
    /// What it makes.
    pub about: &'static str,
    options: fn() -> String,
    source: fn(&[String]) -> Made,
}

/// All of them.
pub const TECHNIQUES: &[Technique] = &[Technique {
    name: "orange",
    about: "long arithmetic with known answers",
    options: orange::options,
    source: |options| Ok(Box::new(Orange::new(options)?)),
}];

/// Their names, for messages.
pub fn names() -> String {
    let names: Vec<&str> = TECHNIQUES.iter().map(|technique| technique.name).collect();
    names.join(", ")
}

impl Technique {
    /// The technique of this name.
    pub fn named(name: &str) -> Option<&'static Technique> {
        TECHNIQUES.iter().find(|technique| technique.name == name)
    }

    /// It as a source of tests, or why its options (`key=value`) make no sense.
    pub fn source(&self, options: &[String]) -> Made {
        (self.source)(options)
    }

    /// What it is and which options it takes, for users.
    pub fn help(&self) -> String {
        format!(
            "{}: {}\n\nOptions, with their defaults, as in --gen {}:KEY=VALUE,KEY=VALUE:\n{}",
            self.name,
            self.about,
            self.name,
            (self.options)()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_technique() {
        for technique in TECHNIQUES {
            assert!(Technique::named(technique.name).is_some_and(|technique| technique.source(&[]).is_ok()));
        }
        assert!(Technique::named("").is_none());
    }
}
