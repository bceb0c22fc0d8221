//! How sure it is that a test shows a bug.

use std::fmt;
use std::str::FromStr;

/// How sure a finding is. The order is the one in which a better one replaces a worse one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// It shows every time, by the plain driver, and it was judged again. Only such findings are reported and counted.
    Confirmed,
    /// It shows every time, but only other compilers speak for it: the machine does not know the program's meaning.
    Suspect,
    /// It shows every time, but compilers that have nothing to do with each other agree, and only the machine differs: the
    /// machine is the likelier culprit.
    Disputed,
    /// It did not show again, or not every time.
    Flaky,
    /// Nobody has looked twice yet. A hunt that goes on does.
    Waiting,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 5] =
        [Status::Confirmed, Status::Suspect, Status::Disputed, Status::Flaky, Status::Waiting];

    /// Its name in tables, databases and files.
    pub fn name(self) -> &'static str {
        match self {
            Status::Confirmed => "confirmed",
            Status::Suspect => "suspect",
            Status::Disputed => "disputed",
            Status::Flaky => "flaky",
            Status::Waiting => "waiting",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that is no [`Status`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no status of a finding")]
pub struct NoStatus(pub String);

impl FromStr for Status {
    type Err = NoStatus;

    fn from_str(name: &str) -> Result<Status, NoStatus> {
        Status::ALL.into_iter().find(|status| status.name() == name).ok_or_else(|| NoStatus(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_the_surest_comes_first() {
        for status in Status::ALL {
            assert_eq!(status.name().parse(), Ok(status));
        }
        assert!(Status::ALL.is_sorted());
        assert_eq!("so-so".parse::<Status>().unwrap_err().to_string(), "'so-so' is no status of a finding");
    }
}
