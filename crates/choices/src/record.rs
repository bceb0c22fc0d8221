//! What was decided, as data: it can be kept as text, read by a person, edited and replayed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// All decisions of a run, in the order they were made. Its text form is one line per decision:
///
/// ```
/// use howler_choices::{Choices, record::Record};
/// let mut choices = Choices::recording(7).with_fuel(0);
/// choices.sub_indexed("function", 2).range("statements", 1..=4);
/// let record = choices.record().expect("recording");
/// let text = record.to_string();
/// assert_eq!(text, "decisions of seed 7, format 1\n0/3\t/function[2]\tstatements\n");
/// assert_eq!(text.parse::<Record>(), Ok(record));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    seed: u64,
    decisions: Vec<Decision>,
}

/// One decision: a number from 0, the simplest, up to a maximum. For a range it counts from the low end, for a
/// chance 1 is `true`, for weights it counts the items that could be chosen.
///
/// ```
/// use howler_choices::Choices;
/// let mut choices = Choices::recording(7);
/// choices.chance("always", 1, 1);
/// let record = choices.record().expect("recording");
/// let decision = &record.decisions()[0];
/// assert_eq!((&*decision.name, decision.value, decision.max), ("always", 1, 1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The stream it belongs to: labels from the root, each after a `/`.
    pub path: Arc<str>,
    /// What the decision calls itself.
    pub name: Cow<'static, str>,
    /// What was decided.
    pub value: u128,
    /// The largest value it could have had.
    pub max: u128,
}

/// The first place where a replay did not follow its record. `Display` says it in one line.
///
/// ```
/// use howler_choices::{Choices, record::Mismatch};
/// let empty = Choices::recording(7).record().expect("recording");
/// let mut choices = Choices::replay(&empty);
/// choices.sub("types").bits("width", 3);
/// let divergence = choices.divergence().expect("nothing is recorded");
/// assert_eq!((&*divergence.path, divergence.number), ("/types", 1));
/// assert_eq!(divergence.mismatch, Mismatch::Ended { asked: "width" });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The stream: labels from the root, each after a `/`.
    pub path: String,
    /// Which recorded decision of that stream, counted from 1.
    pub number: usize,
    /// How the two differ.
    pub mismatch: Mismatch,
}

/// How a question differs from the record.
///
/// ```
/// use howler_choices::{Choices, record::Mismatch};
/// let mut first = Choices::recording(7);
/// first.chance("always", 1, 1);
/// let mut again = Choices::replay(&first.record().expect("recording"));
/// again.range("always", 0..=9);
/// let mismatch = again.divergence().expect("another range").mismatch;
/// assert_eq!(mismatch, Mismatch::Range { name: "always", value: 1, recorded: 1, asked: 9 });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// The record has no more decisions of this stream.
    Ended {
        /// The decision asked for.
        asked: &'static str,
    },
    /// The next decision has another name.
    Name {
        /// The name in the record.
        recorded: String,
        /// The name asked for.
        asked: &'static str,
    },
    /// The decision had another range. Its value is used if it is possible here, else the simplest one is.
    Range {
        /// The decision's name.
        name: &'static str,
        /// The recorded value.
        value: u128,
        /// The recorded maximum.
        recorded: u128,
        /// The maximum asked for.
        asked: u128,
    },
}

/// Why a text is no record: the line, counted from 1, and what is wrong with it.
///
/// ```
/// use howler_choices::record::Record;
/// let error = "decisions of seed 7, format 1\n9/3\t/\tsize\n".parse::<Record>().expect_err("9 is above 3");
/// assert_eq!(error.to_string(), "line 2: the value 9 is above its maximum 3");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

impl Record {
    pub(crate) fn new(seed: u64) -> Record {
        Record { seed, decisions: Vec::new() }
    }

    /// The seed the decisions came from.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// assert_eq!(Choices::recording(7).record().expect("recording").seed(), 7);
    /// ```
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// All decisions, in the order they were made: a run with fuel `n` makes the first `n` of them.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// let choices = Choices::recording(7);
    /// choices.sub("body").sub_indexed("statement", 3).bits("kind", 2);
    /// let record = choices.record().expect("recording");
    /// assert_eq!(&*record.decisions()[0].path, "/body/statement[3]");
    /// ```
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    pub(crate) fn push(&mut self, decision: Decision) {
        self.decisions.push(decision);
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "decisions of seed {}, format 1", self.seed)?;
        for decision in &self.decisions {
            let Decision { path, name, value, max } = decision;
            writeln!(f, "{value}/{max}\t{path}\t{name}")?;
        }
        Ok(())
    }
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Record, RecordError> {
        let mut lines = text.lines();
        let seed = lines
            .next()
            .and_then(|line| line.strip_prefix("decisions of seed "))
            .and_then(|rest| rest.strip_suffix(", format 1"))
            .and_then(|seed| seed.parse().ok())
            .ok_or_else(|| RecordError {
                line: 1,
                problem: "expected `decisions of seed NUMBER, format 1`".to_owned(),
            })?;
        let mut record = Record::new(seed);
        let mut paths: BTreeMap<&str, Arc<str>> = BTreeMap::new();
        for (index, line) in lines.enumerate() {
            let error = |problem: String| RecordError { line: index + 2, problem };
            let (value, max, path, name) = split(line)
                .ok_or_else(|| error("expected VALUE/MAXIMUM, a tab, a path, a tab, a name".to_owned()))?;
            if value > max {
                return Err(error(format!("the value {value} is above its maximum {max}")));
            }
            let path = Arc::clone(paths.entry(path).or_insert_with(|| Arc::from(path)));
            record.push(Decision { path, name: Cow::Owned(name.to_owned()), value, max });
        }
        Ok(record)
    }
}

fn split(line: &str) -> Option<(u128, u128, &str, &str)> {
    let (numbers, rest) = line.split_once('\t')?;
    let (value, max) = numbers.split_once('/')?;
    let (path, name) = rest.split_once('\t')?;
    if !path.starts_with('/') || name.is_empty() {
        return None;
    }
    Some((value.parse().ok()?, max.parse().ok()?, path, name))
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "decision {} of stream {}: ", self.number, self.path)?;
        match &self.mismatch {
            Mismatch::Ended { asked } => write!(f, "the record has no more, the program asks for `{asked}`"),
            Mismatch::Name { recorded, asked } => {
                write!(f, "the record has `{recorded}`, the program asks for `{asked}`")
            }
            Mismatch::Range { name, value, recorded, asked } => {
                write!(
                    f,
                    "`{name}` is {value} of 0..={recorded} in the record, the program asks for 0..={asked}"
                )
            }
        }
    }
}

impl std::error::Error for Divergence {}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for RecordError {}
