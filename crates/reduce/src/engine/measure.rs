//! What the work cost and what it gave, by pass.

use std::time::Duration;

use super::Size;

/// What was measured of the whole work.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// By pass, in the order in which they were first at work.
    pub passes: Vec<(&'static str, Measured)>,
    /// After how long and how many tests each better size was reached.
    pub progress: Vec<(Duration, u64, Size)>,
    /// Tests, the first one and those of merges included.
    pub tests: u64,
    /// Candidates that were known already.
    pub known: u64,
}

/// What was measured of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measured {
    /// Tests of its candidates.
    pub tests: u64,
    /// How many said yes.
    pub successes: u64,
    /// Tokens that went.
    pub tokens: u64,
    /// Time that went into proposing and making candidates.
    pub making: Duration,
    /// Time that went into testing them, on the clock.
    pub testing: Duration,
}

impl Measures {
    /// The entry of a pass.
    pub(super) fn of(&mut self, pass: &'static str) -> &mut Measured {
        let at = self.passes.iter().position(|(name, _)| *name == pass).unwrap_or_else(|| {
            self.passes.push((pass, Measured::default()));
            self.passes.len() - 1
        });
        &mut self.passes[at].1
    }

    /// As a table.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{:<16}{:>8}{:>8}{:>9}{:>10}{:>10}\n",
            "pass", "tests", "yes", "tokens", "making", "testing"
        );
        for (name, one) in &self.passes {
            let Measured { tests, successes, tokens, making, testing } = one;
            let (making, testing) = (making.as_secs_f64(), testing.as_secs_f64());
            text += &format!("{name:<16}{tests:>8}{successes:>8}{tokens:>9}{making:>9.1}s{testing:>9.1}s\n");
        }
        text
    }
}
