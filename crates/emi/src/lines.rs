//! The edits of a variant as lines of its case: which strategy made each, and which edits are one mutation. From a seed and
//! its lines a variant can be made again, and again without some of its mutations.

use std::fmt;
use std::str::FromStr;

use howler_lang::edit::{Edit, Edited};
use howler_lang::program::Program;

use crate::strategy::STRATEGIES;
use crate::subject::Subject;

/// An edit with what it is for: `tcb.4 insert before s12 …`.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The strategy's name.
    pub strategy: &'static str,
    /// The number of the mutation among all of its variant, from 1; what has the number 0 is there for others.
    pub mutation: usize,
    /// The edit.
    pub edit: Edit,
}

/// A text that is no such line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a variant's edit is 'STRATEGY.NUMBER EDIT', not '{0}'")]
pub struct BadLine(String);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} {}", self.strategy, self.mutation, self.edit)
    }
}

impl FromStr for Line {
    type Err = BadLine;

    fn from_str(text: &str) -> Result<Line, BadLine> {
        let bad = || BadLine(text.chars().take(80).collect());
        let (head, edit) = text.split_once(' ').ok_or_else(bad)?;
        let (name, number) = head.split_once('.').ok_or_else(bad)?;
        let strategy = STRATEGIES.iter().find(|known| known.name == name).ok_or_else(bad)?.name;
        let mutation = number.parse().map_err(|_| bad())?;
        let edit = edit.parse().map_err(|_| bad())?;
        Ok(Line { strategy, mutation, edit })
    }
}

impl Subject {
    /// Its edits, in their order.
    pub fn lines(&self) -> Vec<Line> {
        let of = |number: usize| {
            let found = self.mutations().iter().position(|one| (one.edits.0..one.edits.1).contains(&number));
            match found {
                Some(at) => (self.mutations()[at].strategy, at + 1),
                // Functions that calls may call.
                None => (crate::strategy::CALL, 0),
            }
        };
        self.edits()
            .iter()
            .enumerate()
            .map(|(number, edit)| {
                let (strategy, mutation) = of(number);
                Line { strategy, mutation, edit: edit.clone() }
            })
            .collect()
    }
}

/// Makes those mutations on a seed again that `keep` is true of, by their numbers. Says of each line whether its edit was
/// made: what needs another one that is not there is left out.
pub fn replay(seed: Program, lines: &[Line], keep: impl Fn(usize) -> bool) -> (Edited, Vec<bool>) {
    let edits: Vec<Edit> = lines.iter().map(|line| line.edit.clone()).collect();
    let needed = |number: usize| {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let kept = lines.iter().filter(|line| line.mutation != 0 && keep(line.mutation));
        kept.into_iter().any(|line| line.edit.needs().contains(&number))
    };
    Edited::replay(seed, &edits, |number| match lines[number].mutation {
        0 => needed(number),
        mutation => keep(mutation),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        for text in ["tcb.4 remove s12", "call.0 remove s1", "orion.17 wrap s3-s4"] {
            let line: Line = text.parse().unwrap();
            assert_eq!(line.to_string(), text);
        }
        for text in
            ["", "remove s12", "tcb remove s12", "tbc.1 remove s12", "tcb.x remove s1", "tcb.1 away s1"]
        {
            assert!(text.parse::<Line>().is_err(), "{text}");
        }
    }
}
