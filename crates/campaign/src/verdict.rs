//! What became of a test: what the machine said of it, or why there was nothing to say.

use std::fmt;

use howler_oracle::judge::Word;

/// What became of a test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// It was judged, and compilers were tried with it.
    Judged(Word),
    /// A compiler takes too long for it: it is left for later.
    Deferred,
    /// The generator made no program.
    GeneratorFailed,
    /// No guard survived it.
    GuardKilled,
    /// Howler itself panicked.
    HowlerPanic,
}

impl Verdict {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Verdict> {
        let others =
            [Verdict::Deferred, Verdict::GeneratorFailed, Verdict::GuardKilled, Verdict::HowlerPanic];
        Word::ALL.into_iter().map(Verdict::Judged).chain(others)
    }

    /// It in tables, databases and events.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Judged(word) => word.name(),
            Verdict::Deferred => howler_store::DEFERRED,
            Verdict::GeneratorFailed => "generator-failed",
            Verdict::GuardKilled => "guard-killed",
            Verdict::HowlerPanic => "howler-panic",
        }
    }
}

impl Default for Verdict {
    /// Nobody has said anything.
    fn default() -> Verdict {
        Verdict::Judged(Word::Unmodelled)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
