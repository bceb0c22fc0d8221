//! What a person can choose.

use crate::strategy::STRATEGIES;

/// How variants are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Which strategies, in the order of [`STRATEGIES`].
    pub strategies: Vec<bool>,
    /// Of a hundred points, how many are looked at.
    pub probability: u64,
    /// Whether conditions compare floating variables.
    pub floats: bool,
    /// Whether conditions compare pointers.
    pub pointers: bool,
    /// After so many variants of variants one begins with the seed again.
    pub chain: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategies: vec![true; STRATEGIES.len()],
            probability: 10,
            floats: true,
            pointers: true,
            chain: 3,
        }
    }
}

impl Options {
    /// Whether a strategy is among them, by its name.
    pub fn has(&self, name: &str) -> bool {
        STRATEGIES.iter().zip(&self.strategies).any(|(strategy, &on)| on && strategy.name == name)
    }

    /// The options with these strategies alone, by name.
    ///
    /// # Errors
    /// The first name that is none.
    pub fn only(self, names: &[&str]) -> Result<Options, String> {
        let mut strategies = vec![false; STRATEGIES.len()];
        for &name in names {
            let at = STRATEGIES.iter().position(|strategy| strategy.name == name);
            strategies[at.ok_or_else(|| name.to_owned())?] = true;
        }
        Ok(Options { strategies, ..self })
    }
}
