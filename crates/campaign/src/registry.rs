//! The techniques that make tests from nothing, one entry each.

use std::sync::atomic::AtomicBool;

use howler_case::options::{Table, Values};
use howler_case::{Case, Origin, Technique};
use howler_choices::Choices;
use howler_lang::target::Target;

use crate::source::Minimal;
use crate::{orange, spe};

/// A technique, and what only a hunt does with it.
pub struct Entry {
    /// The technique.
    pub technique: Technique,
    /// What it can be told when it starts from the files of a folder, if it does.
    pub from: Option<Table>,
    /// Makes its tests small.
    pub(crate) minimise: Option<Minimise>,
    /// Whether its tests are compiled for 32 bits too.
    pub(crate) narrow: bool,
}

/// Makes the test of a technique's options, a target, choices and an origin as small as it gets.
pub(crate) type Minimise =
    fn(&Values, (Target, Choices, Origin), &mut dyn FnMut(&Case) -> bool, &AtomicBool) -> Option<Minimal>;

/// All of them.
pub const TECHNIQUES: &[Entry] = &[
    Entry { minimise: Some(orange::minimise), ..plain(howler_orange::TECHNIQUE) },
    plain(howler_smith::TECHNIQUE),
    plain(howler_yarp::TECHNIQUE),
    Entry { from: Some(spe::FROM), narrow: true, ..plain(spe::TECHNIQUE) },
];

/// A technique of which a hunt knows nothing else.
const fn plain(technique: Technique) -> Entry {
    Entry { technique, from: None, minimise: None, narrow: false }
}

/// Their names, for messages.
pub fn names() -> String {
    let names: Vec<&str> = TECHNIQUES.iter().map(|entry| entry.technique.name).collect();
    names.join(", ")
}

/// The technique of this name.
pub fn named(name: &str) -> Option<&'static Entry> {
    TECHNIQUES.iter().find(|entry| entry.technique.name == name)
}

impl Entry {
    /// What it is and which options it takes, for users.
    pub fn help(&self) -> String {
        let Technique { name, about, options, .. } = self.technique;
        let mut text = format!(
            "{name}: {about}\n\nOptions, with their defaults, as in --gen {name}:KEY=VALUE,KEY=VALUE:\n{}",
            options.help()
        );
        if let Some(from) = self.from {
            text.push_str(&format!("\nInstead of these, with --from DIR:\n{}", from.help()));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_technique() {
        for entry in TECHNIQUES {
            let technique = &entry.technique;
            assert!(named(technique.name).is_some());
            assert!((technique.generator)(&technique.options.defaults()).is_ok());
        }
        assert!(named("").is_none());
    }

    /// What an arm's line is made of must be readable in it.
    #[test]
    fn names_and_keys_are_plain_words() {
        let plain = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        for entry in TECHNIQUES {
            assert!(plain(entry.technique.name));
            let keys: Vec<&str> = entry.technique.options.keys().collect();
            for (at, key) in keys.iter().enumerate() {
                assert!(plain(key) && !keys[..at].contains(key), "{key}");
                assert!(!["target", "seed", "version", "index"].contains(key), "{key} is a word of origins");
            }
        }
    }
}
