//! Emi by name: the table of its options. It starts from programs, so it is no `Technique`: where these come from is for
//! who calls it.

use howler_case::options::{Kind, Member, Opt, Table, Values};

use crate::options::Options;
use crate::strategy::STRATEGIES;

/// What it is called in commands and lines.
pub const NAME: &str = "emi";

/// What it makes, in a few words.
pub const ABOUT: &str = "variants of other programs that must do the same";

const ATOMS: [Member; 2] = [
    Member { name: "floats", default: true, help: "conditions that compare floating variables" },
    Member { name: "pointers", default: true, help: "conditions that compare pointers" },
];

const MEMBERS: usize = STRATEGIES.len() + ATOMS.len();

const fn members() -> [Member; MEMBERS] {
    let mut members = [Member { name: "", default: true, help: "" }; MEMBERS];
    let mut at = 0;
    while at < STRATEGIES.len() {
        members[at] = Member { name: STRATEGIES[at].name, default: true, help: STRATEGIES[at].about };
        at += 1;
    }
    while at < MEMBERS {
        members[at] = ATOMS[at - STRATEGIES.len()];
        at += 1;
    }
    members
}

/// Its options.
pub const TABLE: Table = Table(&[
    Opt {
        key: "with",
        kind: Kind::Set { without: "without", only: "only", members: &members() },
        help: "how programs are changed",
    },
    Opt {
        key: "probability",
        kind: Kind::Number { default: 10, limits: (1, 100) },
        help: "of a hundred places of a program, how many are looked at and changed",
    },
    Opt {
        key: "variants",
        kind: Kind::Number { default: 10, limits: (1, 1000) },
        help: "variants of each program",
    },
    Opt {
        key: "chain",
        kind: Kind::Number { default: 3, limits: (1, 100) },
        help: "how many times a variant is changed in turn before the next begins with the program again",
    },
]);

impl Options {
    /// The options that values of the table stand for.
    pub fn of(values: &Values) -> Options {
        let set = values.set_of("with");
        Options {
            strategies: set[..STRATEGIES.len()].to_vec(),
            floats: set[STRATEGIES.len()],
            pointers: set[STRATEGIES.len() + 1],
            probability: values.number("probability"),
            chain: values.number("chain"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_the_defaults_are() {
        assert_eq!(Options::of(&TABLE.defaults()), Options::default());
        let values = TABLE.read(["only=fcb", "chain=7"]).unwrap();
        let options = Options::of(&values);
        assert_eq!(options.strategies.iter().filter(|on| **on).count(), 1);
        assert_eq!((options.floats, options.chain), (false, 7));
    }

    #[test]
    fn names_are_plain_words_and_each_is_there_once() {
        let set = TABLE.0[0].kind;
        let Kind::Set { members, .. } = set else { panic!("a set") };
        for (at, one) in members.iter().enumerate() {
            assert!(one.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", one.name);
            assert!(members[..at].iter().all(|other| other.name != one.name) && !one.help.is_empty());
        }
    }
}
