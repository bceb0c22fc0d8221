//! The one line that makes a test again.

use std::fmt;
use std::str::FromStr;

/// Where a test comes from. The same origin gives the same bytes on any machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin {
    /// The arm: a technique with its options and the target that it makes programs for, or a generator's command, or what
    /// is read from outside by name, with its hash as the version.
    pub arm: String,
    /// The version of what generates.
    pub version: String,
    /// The campaign's seed.
    pub seed: u64,
    /// The number of the test in the arm.
    pub index: u64,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} version={} seed={} index={}", self.arm, self.version, self.seed, self.index)
    }
}

/// A line that is no origin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an origin is 'ARM version=V seed=N index=N', not '{0}'")]
pub struct BadOrigin(String);

impl FromStr for Origin {
    type Err = BadOrigin;

    /// Reads what `to_string` wrote. The arm may have spaces.
    ///
    /// ```
    /// use howler_case::Origin;
    /// let line = "csmith --max-funcs 4 version=2.3.0 seed=1 index=12";
    /// let origin: Origin = line.parse().unwrap();
    /// assert_eq!((origin.arm.as_str(), origin.index), ("csmith --max-funcs 4", 12));
    /// assert_eq!(origin.to_string(), line);
    /// ```
    fn from_str(line: &str) -> Result<Origin, BadOrigin> {
        let bad = || BadOrigin(line.to_owned());
        let take = |rest: &mut &str, key: &str| {
            let (before, value) = rest.rsplit_once(' ').ok_or_else(bad)?;
            *rest = before;
            value
                .strip_prefix(key)
                .and_then(|value| value.strip_prefix('='))
                .map(str::to_owned)
                .ok_or_else(bad)
        };
        let mut rest = line;
        let index = take(&mut rest, "index")?.parse().map_err(|_| bad())?;
        let seed = take(&mut rest, "seed")?.parse().map_err(|_| bad())?;
        let version = take(&mut rest, "version")?;
        Ok(Origin { arm: rest.to_owned(), version, seed, index })
    }
}
