//! Makes things smaller: what is proposed by passes is put in order, tested by several workers at once, merged, and
//! measured. It knows neither C nor compilers.
//!
//! Candidates are tested in rounds of [`WIDTH`]. All successes of a round are merged into one candidate, which is tested
//! again; if they do not go together the smallest one is taken and the others are tried on it. A round does not depend on
//! how many workers share it, so the result is the same for any number of them, as long as the answers are.

mod cache;
mod measure;
mod search;
mod workers;

pub use cache::Cache;
pub use measure::{Measured, Measures};
pub use search::{reduce, reduce_with};

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How many candidates are tested at once, whatever the number of workers.
pub const WIDTH: usize = 8;

/// What is made smaller.
pub trait Subject: Clone + Send {
    /// How large it is.
    fn size(&self) -> Size;

    /// Equal for equal subjects, so that none is tested twice.
    fn key(&self) -> u128;

    /// The same subject, tidied up: asked for between passes, when nobody remembers any part of it.
    #[must_use]
    fn settled(self) -> Self {
        self
    }
}

/// A size. Fewer tokens are smaller whatever the bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Size {
    /// Tokens.
    pub tokens: u64,
    /// Bytes.
    pub bytes: u64,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size { tokens, bytes } = self;
        write!(f, "{tokens} tokens, {bytes} bytes")
    }
}

/// A change that a pass proposes.
pub trait Proposal: Clone + Send + Sync {
    /// About how many tokens would go.
    fn weight(&self) -> u64;
}

/// Proposes changes and makes them.
pub trait Pass<S, P>: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// All it could do, in the order in which neighbours are most alike.
    fn proposals(&self, subject: &S) -> Vec<P>;

    /// The subject with these changes, as far as they are possible together; none if nothing changes. They were proposed
    /// for this subject or for one of which it is a later state.
    fn apply(&self, subject: &S, proposals: &[P]) -> Option<S>;

    /// Whether what it makes may be larger, to be smaller when the other passes have been there.
    fn grows(&self) -> bool {
        false
    }
}

/// One worker's way to find out whether a candidate still does what it has to.
pub trait Test<S>: Send {
    /// Asks.
    fn ask(&mut self, subject: &S) -> Answer;
}

/// What a test says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It still does.
    Yes,
    /// It does not.
    No,
    /// Somebody stopped before there was an answer.
    Stopped,
    /// Nobody can tell, and the work ends: what the test works with is broken.
    Broken(String),
}

/// How long to work.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Until the size is at most this.
    pub tokens: u64,
    /// At most about this long.
    pub time: Option<Duration>,
    /// At most about so many tests.
    pub tests: Option<u64>,
    /// Ends the work when it is set.
    pub stop: &'a AtomicBool,
}

/// What happens, as it happens.
#[derive(Debug)]
pub enum Event<'a, S> {
    /// A pass begins.
    Pass(&'static str),
    /// A round of tests is done: how many there were so far.
    Tested(u64),
    /// This is the best so far.
    Better(&'a S, Size),
}

/// How the work ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// No pass knows anything more to do.
    Finished,
    /// It is as small as was asked for.
    SmallEnough,
    /// The time or the tests are used up.
    Limit,
    /// Somebody stopped it.
    Stopped,
    /// A test is broken.
    Broken(String),
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Reduced<S> {
    /// The smallest subject for which the test said yes; the one that was given, if it never did.
    pub best: S,
    /// How it ended.
    pub end: End,
    /// What was measured.
    pub measures: Measures,
}
