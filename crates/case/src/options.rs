//! What a technique can be told, as one table: both spellings (`--key value`, `NAME:key=value`), the checks, the help, the
//! documents and the words of an arm's line come from it.
//!
//! What makes sense for one option alone is checked here; what several mean together, the technique says itself.

mod describe;
mod weighing;

pub use weighing::{Change, of_text};

use howler_lang::suggest;

/// The options of a technique, in the order of its help and of its arms' lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table(pub &'static [Opt]);

/// One option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opt {
    /// Its name in both spellings: small letters, digits and hyphens.
    pub key: &'static str,
    /// What it takes, and what it is if nothing is said.
    pub kind: Kind,
    /// What it is for, in one line.
    pub help: &'static str,
}

/// What an option takes, with its default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number.
    Number {
        /// If nothing is said.
        default: u64,
        /// The least and the greatest that are taken.
        limits: (u64, u64),
    },
    /// Two numbers to draw between, `10..1000`, or one.
    Range {
        /// If nothing is said.
        default: (u64, u64),
        /// The least and the greatest that are taken.
        limits: (u64, u64),
    },
    /// `yes` or `no`.
    Flag {
        /// If nothing is said.
        default: bool,
    },
    /// One of some words.
    Word {
        /// If nothing is said.
        default: &'static str,
        /// Each word and what it means.
        words: &'static [(&'static str, &'static str)],
    },
    /// Weights that are others than those of a text: `row.item=9+row.other=0`.
    Weights {
        /// All weights, as [`howler_choices::weights`] reads them.
        text: &'static str,
    },
    /// A set. The option's own key puts members into it, another takes them out, and a third takes all others out; all
    /// may come several times.
    Set {
        /// The key that takes members out.
        without: &'static str,
        /// The key that leaves nothing but the members it names.
        only: &'static str,
        /// What may be in it.
        members: &'static [Member],
    },
}

/// A possible member of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Whether it is in the set if nothing is said.
    pub default: bool,
    /// What it is, in a few words.
    pub help: &'static str,
}

/// What is wrong with options.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// Not in the form of an option.
    #[error("'{0}' is not KEY=VALUE")]
    NoPair(String),
    /// No option of this table.
    #[error("there is no option '{key}'{hint}")]
    Unknown {
        /// The key.
        key: String,
        /// What was probably meant.
        hint: String,
    },
    /// A value that the option does not take.
    #[error("{key}: {why}")]
    Value {
        /// The key.
        key: &'static str,
        /// What it takes instead.
        why: String,
    },
}

/// What a key does to its option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Sets it; puts members into a set.
    Put,
    /// Takes members out.
    Take,
    /// Leaves only these.
    Leave,
}

/// A value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Number(u64),
    Range(u64, u64),
    Flag(bool),
    Word(&'static str),
    Weights(Vec<Change>),
    /// By member, in the order of the table.
    Set(Vec<bool>),
}

/// A value for each option of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    table: Table,
    values: Vec<Value>,
}

impl Table {
    /// What holds if nothing is said.
    pub fn defaults(self) -> Values {
        Values { table: self, values: self.0.iter().map(|option| option.kind.default()).collect() }
    }

    /// Reads `key=value` words. The last one about an option counts, and of a set the last one about a member.
    ///
    /// # Errors
    /// The first word that is no option of the table.
    ///
    /// ```
    /// use howler_case::options::{Kind, Opt, Table};
    /// const TABLE: Table = Table(&[
    ///     Opt { key: "depth", kind: Kind::Number { default: 60, limits: (1, 65) }, help: "how deep" },
    ///     Opt { key: "size", kind: Kind::Range { default: (1, 9), limits: (1, 99) }, help: "how large" },
    /// ]);
    /// let values = TABLE.read(["size=2..5", "depth=60"]).unwrap();
    /// assert_eq!((values.number("depth"), values.range("size")), (60, (2, 5)));
    /// assert_eq!(values.words(), ["size=2..5"]);
    /// let why = |word: &str| TABLE.read([word]).unwrap_err().to_string();
    /// assert_eq!(why("dpeth=3"), "there is no option 'dpeth'; did you mean 'depth'?");
    /// assert_eq!(why("depth=66"), "depth: '66' is no number from 1 to 65");
    /// ```
    pub fn read<W: AsRef<str>>(self, words: impl IntoIterator<Item = W>) -> Result<Values, OptionError> {
        let mut values = self.defaults();
        for word in words {
            let word = word.as_ref();
            let (key, value) = word.split_once('=').ok_or_else(|| OptionError::NoPair(word.to_owned()))?;
            values.set(key, value)?;
        }
        Ok(values)
    }

    /// The `key=value` words of a text as a hunt is given it: separated by commas, colons or spaces. More members of a set
    /// may follow the first: `without=float,int128`.
    pub fn split(self, text: &str) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for part in text.split([',', ':', ' ']).filter(|part| !part.is_empty()) {
            let last = words.last_mut();
            let set = last.filter(|word| word.split_once('=').is_some_and(|(key, _)| self.is_set(key)));
            match set {
                Some(set) if !part.contains('=') => {
                    set.push(',');
                    set.push_str(part);
                }
                _ => words.push(part.to_owned()),
            }
        }
        words
    }

    fn is_set(self, key: &str) -> bool {
        self.find(key).is_some_and(|(option, _)| matches!(self.0[option].kind, Kind::Set { .. }))
    }

    /// The keys, the others of sets included.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        self.0
            .iter()
            .flat_map(|option| [Some(option.key), option.kind.without(), option.kind.only()])
            .flatten()
    }

    /// The option of a key, and what the key does to it.
    fn find(self, key: &str) -> Option<(usize, Way)> {
        self.0.iter().enumerate().find_map(|(at, option)| {
            let way = match () {
                () if option.key == key => Way::Put,
                () if option.kind.without() == Some(key) => Way::Take,
                () if option.kind.only() == Some(key) => Way::Leave,
                () => return None,
            };
            Some((at, way))
        })
    }
}

impl Opt {
    /// Whether the option takes a value.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, value: &str) -> Result<(), String> {
        self.kind.read(value, &self.kind.default(), Way::Put).map(drop)
    }
}

impl Kind {
    fn default(self) -> Value {
        match self {
            Kind::Number { default, .. } => Value::Number(default),
            Kind::Range { default, .. } => Value::Range(default.0, default.1),
            Kind::Flag { default } => Value::Flag(default),
            Kind::Word { default, .. } => Value::Word(default),
            Kind::Weights { .. } => Value::Weights(Vec::new()),
            Kind::Set { members, .. } => Value::Set(members.iter().map(|member| member.default).collect()),
        }
    }

    /// The key that takes members out of a set.
    pub fn without(self) -> Option<&'static str> {
        if let Kind::Set { without, .. } = self { Some(without) } else { None }
    }

    /// The key that leaves only some members in a set.
    pub fn only(self) -> Option<&'static str> {
        if let Kind::Set { only, .. } = self { Some(only) } else { None }
    }

    /// Reads a value. A set changes what it was.
    fn read(self, text: &str, was: &Value, way: Way) -> Result<Value, String> {
        match self {
            Kind::Number { limits: (least, most), .. } => match number(text) {
                Some(number) if (least..=most).contains(&number) => Ok(Value::Number(number)),
                _ => Err(format!("'{text}' is no number from {least} to {most}")),
            },
            Kind::Range { limits: (least, most), .. } => {
                let (low, high) = text.split_once("..").unwrap_or((text, text));
                match (number(low), number(high)) {
                    (Some(low), Some(high)) if least <= low && low <= high && high <= most => {
                        Ok(Value::Range(low, high))
                    }
                    _ => Err(format!("'{text}' is no range within {least}..{most}, as 10..1000 is, or 10")),
                }
            }
            Kind::Flag { .. } => match text {
                "yes" => Ok(Value::Flag(true)),
                "no" => Ok(Value::Flag(false)),
                _ => Err(format!("yes or no, not '{text}'")),
            },
            Kind::Word { words, .. } => {
                let known = words.iter().find(|(word, _)| *word == text);
                let hint = || suggest::hint(text, words.iter().map(|(word, _)| *word));
                known
                    .map(|(word, _)| Value::Word(word))
                    .ok_or_else(|| format!("{}, not '{text}'{}", self.takes(), hint()))
            }
            Kind::Weights { text: all } => weighing::read(all, text).map(Value::Weights),
            Kind::Set { members, .. } => {
                let Value::Set(mut set) = was.clone() else { return Ok(was.clone()) };
                if way == Way::Leave {
                    set.fill(false);
                }
                for name in text.split(',') {
                    let names = || members.iter().map(|member| member.name);
                    let hint = || {
                        let near = suggest::hint(name, names());
                        if near.is_empty() && members.len() <= FEW { among(names()) } else { near }
                    };
                    let place = members.iter().position(|member| member.name == name);
                    set[place.ok_or_else(|| format!("there is no '{name}'{}", hint()))?] = way != Way::Take;
                }
                Ok(Value::Set(set))
            }
        }
    }
}

/// So many names are listed where one is wrong and nothing like it is there.
const FEW: usize = 24;

fn among<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!("; there are {}", names.collect::<Vec<_>>().join(", "))
}

/// A number in its only spelling: a line must not have two.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

impl Value {
    fn text(&self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Range(low, high) if low == high => low.to_string(),
            Value::Range(low, high) => format!("{low}..{high}"),
            Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Value::Word(word) => (*word).to_owned(),
            Value::Weights(changes) => weighing::written(changes),
            Value::Set(_) => String::new(),
        }
    }
}

const OF_TABLE: &str = "a technique asks for what its own table has, which its tests see";

impl Values {
    /// Sets one option.
    ///
    /// # Errors
    /// The option does not exist, or does not take the value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        let Some((place, way)) = self.table.find(key) else {
            let hint = suggest::hint(key, self.table.keys());
            return Err(OptionError::Unknown { key: key.to_owned(), hint });
        };
        let option = &self.table.0[place];
        let key = match way {
            Way::Put => None,
            Way::Take => option.kind.without(),
            Way::Leave => option.kind.only(),
        };
        let key = key.unwrap_or(option.key);
        let read = option.kind.read(value, &self.values[place], way);
        self.values[place] = read.map_err(|why| OptionError::Value { key, why })?;
        Ok(())
    }

    /// What was chosen, as `key=value` words, without what is as if nothing were said. Equal values have equal words.
    pub fn words(&self) -> Vec<String> {
        self.written(|option, value| *value != option.kind.default())
    }

    /// Everything, as `key=value` words; of sets, what is not as if nothing were said.
    pub fn all_words(&self) -> Vec<String> {
        self.written(|_, _| true)
    }

    /// Everything, as `key=value` words, with all members of each set: other words mean other values, whatever the
    /// defaults are by then.
    pub fn complete_words(&self) -> Vec<String> {
        let word = |(option, value): (&Opt, &Value)| match (option.kind, value) {
            (Kind::Set { without, only, members }, Value::Set(set)) => {
                let names: Vec<&str> =
                    members.iter().zip(set).filter(|(_, is)| **is).map(|(one, _)| one.name).collect();
                let all: Vec<&str> = members.iter().map(|one| one.name).collect();
                // Of nothing there is no list.
                let (key, names) = if names.is_empty() { (without, all) } else { (only, names) };
                format!("{key}={}", names.join(","))
            }
            _ => format!("{}={}", option.key, value.text()),
        };
        self.table.0.iter().zip(&self.values).map(word).collect()
    }

    fn written(&self, wanted: impl Fn(&Opt, &Value) -> bool) -> Vec<String> {
        let mut words = Vec::new();
        for (option, value) in self.table.0.iter().zip(&self.values) {
            match (option.kind, value) {
                (Kind::Set { without, members, .. }, Value::Set(set)) => {
                    for (key, there) in [(option.key, true), (without, false)] {
                        let changed = members.iter().zip(set);
                        let changed = changed.filter(|(one, is)| **is == there && one.default != there);
                        let names: Vec<&str> = changed.map(|(one, _)| one.name).collect();
                        if !names.is_empty() {
                            words.push(format!("{key}={}", names.join(",")));
                        }
                    }
                }
                _ if wanted(option, value) => words.push(format!("{}={}", option.key, value.text())),
                _ => {}
            }
        }
        words
    }

    fn value(&self, key: &str) -> Option<&Value> {
        self.values.get(self.table.find(key)?.0)
    }

    /// The value of a number.
    pub fn number(&self, key: &str) -> u64 {
        let value = self.value(key).and_then(|value| match value {
            Value::Number(number) => Some(*number),
            _ => None,
        });
        value.expect(OF_TABLE)
    }

    /// The value of a range.
    pub fn range(&self, key: &str) -> (u64, u64) {
        let value = self.value(key).and_then(|value| match value {
            Value::Range(low, high) => Some((*low, *high)),
            _ => None,
        });
        value.expect(OF_TABLE)
    }

    /// The value of a flag.
    pub fn flag(&self, key: &str) -> bool {
        let value = self.value(key).and_then(|value| match value {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        });
        value.expect(OF_TABLE)
    }

    /// The value of an option with words.
    pub fn word(&self, key: &str) -> &'static str {
        let value = self.value(key).and_then(|value| match value {
            Value::Word(word) => Some(*word),
            _ => None,
        });
        value.expect(OF_TABLE)
    }

    /// The weights that are not those of the text.
    pub fn weights(&self, key: &str) -> &[Change] {
        let value = self.value(key).and_then(|value| match value {
            Value::Weights(changes) => Some(&changes[..]),
            _ => None,
        });
        value.expect(OF_TABLE)
    }

    /// Which members a set has, in the order of the table.
    pub fn set_of(&self, key: &str) -> &[bool] {
        let value = self.value(key).and_then(|value| match value {
            Value::Set(set) => Some(&set[..]),
            _ => None,
        });
        value.expect(OF_TABLE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Table = Table(&[
        Opt { key: "size", kind: Kind::Range { default: (1, 9), limits: (1, 99) }, help: "how large" },
        Opt { key: "depth", kind: Kind::Number { default: 6, limits: (1, 65) }, help: "how deep" },
        Opt { key: "swarm", kind: Kind::Flag { default: true }, help: "parts only" },
        Opt {
            key: "repair",
            kind: Kind::Word { default: "flip", words: &[("flip", "turn"), ("insert", "add")] },
            help: "how",
        },
        Opt {
            key: "with",
            kind: Kind::Set {
                without: "without",
                only: "only",
                members: &[
                    Member { name: "float", default: true, help: "fractions" },
                    Member { name: "shift", default: true, help: "<<" },
                    Member { name: "volatile", default: false, help: "accesses" },
                ],
            },
            help: "what it is made of",
        },
    ]);

    #[test]
    fn what_means_the_same_has_the_same_words() {
        let words = |text: &str| TABLE.read(TABLE.split(text)).unwrap().words().join(" ");
        assert_eq!(words(""), "");
        assert_eq!(words("size=1..9,depth=6,swarm=yes,repair=flip,with=float"), "");
        assert_eq!(words("without=shift,depth=3 without=float"), "depth=3 without=float,shift");
        assert_eq!(
            words("depth=3,without=float,shift,with=volatile"),
            "depth=3 with=volatile without=float,shift"
        );
        assert_eq!(words("without=float,with=float"), "");
        assert_eq!(words("only=shift"), "without=float");
        assert_eq!(words("only=volatile,with=float"), "with=volatile without=shift");
        assert_eq!(words("without=shift,only=float,shift"), "");
        assert_eq!(words("size=5..5"), words("size=5"));
        assert_eq!(words("depth=9,depth=6"), "");
        let all = TABLE.read(["without=float"]).unwrap().all_words().join(" ");
        assert_eq!(all, "size=1..9 depth=6 swarm=yes repair=flip without=float");
        let complete = |words: &[&str]| TABLE.read(words).unwrap().complete_words().join(" ");
        assert_eq!(complete(&[]), "size=1..9 depth=6 swarm=yes repair=flip only=float,shift");
        assert!(complete(&["without=float,shift"]).ends_with(" without=float,shift,volatile"));
    }

    /// What is written is read as the same.
    #[test]
    fn words_read_back() {
        let texts = [
            "",
            "size=2..7,repair=insert",
            "without=float,shift:with=volatile:swarm=no",
            "without=float,shift",
        ];
        for text in texts {
            let values = TABLE.read(TABLE.split(text)).unwrap();
            assert_eq!(TABLE.read(values.words()).unwrap(), values, "{text}");
            assert_eq!(TABLE.read(values.all_words()).unwrap(), values, "{text}");
            assert_eq!(TABLE.read(values.complete_words()).unwrap(), values, "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        let cases = [
            ("depth", "'depth' is not KEY=VALUE"),
            ("dept=3", "there is no option 'dept'; did you mean 'depth'?"),
            ("witout=float", "there is no option 'witout'; did you mean 'without'?"),
            ("=3", "there is no option ''"),
            ("depth=0", "depth: '0' is no number from 1 to 65"),
            ("depth=+3", "depth: '+3' is no number from 1 to 65"),
            ("depth=03", "depth: '03' is no number from 1 to 65"),
            ("depth=", "depth: '' is no number from 1 to 65"),
            ("size=5..4", "size: '5..4' is no range within 1..99, as 10..1000 is, or 10"),
            ("size=5..100", "size: '5..100' is no range within 1..99, as 10..1000 is, or 10"),
            ("swarm=maybe", "swarm: yes or no, not 'maybe'"),
            ("repair=filp", "repair: flip or insert, not 'filp'; did you mean 'flip'?"),
            ("without=floats", "without: there is no 'floats'; did you mean 'float'?"),
            ("with=float,", "with: there is no ''; there are float, shift, volatile"),
            ("only=zzz", "only: there is no 'zzz'; there are float, shift, volatile"),
        ];
        for (word, why) in cases {
            assert_eq!(TABLE.read([word]).unwrap_err().to_string(), why);
        }
    }

    #[test]
    fn help_and_documents_name_everything() {
        for text in [TABLE.help(), TABLE.markdown()] {
            for part in
                ["size", "1..9", "99", "65", "swarm", "flip", "insert", "without", "volatile", "how deep"]
            {
                assert!(text.contains(part), "{part}: {text}");
            }
        }
    }
}
