//! What people and later triage say of signatures: marks, and which of them are one bug. Both belong to signatures, so
//! that a better finding of the same signature keeps them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use howler_case::Id;
use howler_case::id::Hasher;

use crate::error::{Error, Result};
use crate::row::{one_line, short};

/// What became of a bug. The order is the one in which a merge prefers them: the greatest wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// Somebody knows of it.
    Known,
    /// Its compiler's makers know of it.
    Reported,
    /// It is fixed, where it was reported to. Whoever sees it again wants to know.
    Fixed,
    /// Nobody wants to hear of it.
    Ignored,
}

impl Mark {
    /// All of them, in order.
    pub const ALL: [Mark; 4] = [Mark::Known, Mark::Reported, Mark::Fixed, Mark::Ignored];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Known => "known",
            Mark::Reported => "reported",
            Mark::Fixed => "fixed",
            Mark::Ignored => "ignored",
        }
    }

    /// Whether finding it once more is news.
    pub fn is_news(self) -> bool {
        self == Mark::Fixed
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mark {
    type Err = Error;

    fn from_str(name: &str) -> Result<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.name() == name).ok_or_else(|| {
            Error::Invalid(format!("'{name}' is no mark: known, reported, fixed and ignored are"))
        })
    }
}

/// A mark with what was said about it. Of two for one signature a merge keeps the greater.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Marked {
    /// The mark.
    pub mark: Mark,
    /// A note, such as an address in a tracker; may be empty.
    pub note: String,
}

impl Marked {
    pub(crate) fn check(&self) -> Result<()> {
        short("a note", &self.note)
    }
}

/// Signatures that are one bug.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Group {
    /// What says that they are, on one line: the commit that a bisection ended at, a place in a compiler.
    pub cause: String,
    /// The signatures.
    pub signatures: BTreeSet<Id>,
}

impl Group {
    /// Its identity: a hash of the cause, so that two that find the same cause speak of one group.
    pub fn id(&self) -> Id {
        let mut hash = Hasher::new("group");
        hash.field(self.cause.as_bytes());
        hash.finish()
    }

    pub(crate) fn check(&self) -> Result<()> {
        one_line("a group's cause", &self.cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_have_an_order_and_names() {
        assert!(Mark::ALL.is_sorted());
        for mark in Mark::ALL {
            assert_eq!(mark.name().parse(), Ok(mark));
        }
        assert!("wontfix".parse::<Mark>().is_err());
        let note = |text: &str| Marked { mark: Mark::Known, note: text.to_owned() };
        assert!(note("b") > note("a") && Marked { mark: Mark::Fixed, note: String::new() } > note("z"));
    }
}
