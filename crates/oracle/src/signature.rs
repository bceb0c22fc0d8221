//! Signatures: whether two sightings are the same bug, as far as is known before anybody looks for its cause.
//!
//! A signature is a readable line that says what counts, and the hash of it. Nothing in it depends on where a
//! compiler is installed, where the test lay, or what the generator called its variables.

mod again;
mod essence;
mod normal;

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use howler_case::Id;
use howler_case::id::Hasher;

pub use again::{Evidence, again};
pub use essence::{crash_text, error_text};
pub use normal::normalise;

/// What decides whether two sightings are the same.
#[derive(Clone, Debug)]
pub struct Signature {
    kind: &'static str,
    family: String,
    text: String,
    /// What it was computed from. Two with other evidence may well be the same.
    evidence: Evidence,
}

impl Signature {
    fn new(kind: &'static str, family: &str, text: String, evidence: Evidence) -> Signature {
        Signature { kind, family: family.to_owned(), text, evidence }
    }

    fn parts(&self) -> (&str, &str, &str) {
        (self.kind, &self.family, &self.text)
    }

    /// What it was computed from.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// What is wrong, without who is and of which kind.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The pattern that is left of a minimised program, if it is one.
    pub fn as_pattern(&self) -> Option<&str> {
        (self.kind == "wrong-code" && !self.text.contains(UNDER)).then_some(&self.text)
    }

    /// Its identity.
    pub fn id(&self) -> Id {
        let mut hash = Hasher::new("signature");
        hash.field(self.kind.as_bytes()).field(self.family.as_bytes()).field(self.text.as_bytes());
        hash.finish()
    }
}

impl PartialEq for Signature {
    fn eq(&self, other: &Signature) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Signature {}

impl PartialOrd for Signature {
    fn partial_cmp(&self, other: &Signature) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Signature {
    fn cmp(&self, other: &Signature) -> Ordering {
        self.parts().cmp(&other.parts())
    }
}

/// `crash gcc: in gimplify_expr, at gimplify`
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.kind, self.family, self.text)
    }
}

/// The signature of a compiler's crash, from all that it wrote to standard error; [`crash_text`] finds what counts.
///
/// ```
/// use howler_oracle::signature::crash;
/// let one = crash("gcc", "a.c:1:25: internal compiler error: in gimplify_expr, at gimplify.c:14924\n");
/// let other = crash("gcc", "b.c:7:3: internal compiler error: in gimplify_expr, at gimplify.cc:15905\n");
/// assert_eq!(one.to_string(), "crash gcc: in gimplify_expr, at gimplify");
/// assert_eq!(one.id(), other.id());
/// ```
pub fn crash(family: &str, stderr: &str) -> Signature {
    let stderr = again::messages(stderr);
    let text = crash_text(&stderr).unwrap_or_else(|| "without a text".to_owned());
    Signature::new("crash", family, normalise(&text), Evidence::Crash(stderr))
}

/// The signature of a rejection of valid code: the first error.
pub fn reject(family: &str, stderr: &str) -> Signature {
    let stderr = again::messages(stderr);
    let text = error_text(&stderr).unwrap_or_else(|| "without a text".to_owned());
    Signature::new("reject", family, normalise(&text), Evidence::Reject(stderr))
}

/// Stands between what is wrong and where.
const UNDER: &str = " under ";

/// The signature of wrong code: which of the family's configurations are wrong, and in what way.
pub fn wrong_code(
    family: &str,
    configurations: &BTreeSet<String>,
    differences: &BTreeSet<&str>,
) -> Signature {
    let evidence = Evidence::WrongCode {
        differences: differences.iter().map(|&way| way.to_owned()).collect(),
        configurations: configurations.clone(),
    };
    let classes: BTreeSet<String> = configurations.iter().map(|name| class(family, name)).collect();
    let list = |items: &mut dyn Iterator<Item = &str>| items.collect::<Vec<_>>().join(", ");
    let differences = list(&mut differences.iter().copied());
    let classes = list(&mut classes.iter().map(String::as_str));
    Signature::new("wrong-code", family, format!("{differences}{UNDER}{classes}"), evidence)
}

/// The signature of wrong code whose program is minimal: what is left, in words of its technique, and at which levels it
/// fails. Where no optimiser is needed the gist of what is left is enough; what optimisers do depends on all of it.
///
/// ```
/// use howler_oracle::signature::pattern;
/// let levels = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<String>>();
/// let (two, three) = (levels(&["gcc-12 -O2"]), levels(&["gcc-13 -O2", "gcc-13 -O3"]));
/// let left = ("i32 to i64, i64 compared", "i32 to i64");
/// assert_eq!(pattern("gcc", left, &two), pattern("gcc", left, &three));
/// assert_ne!(pattern("gcc", left, &two), pattern("gcc", left, &levels(&["gcc -O0"])));
/// ```
pub fn pattern(family: &str, (pattern, gist): (&str, &str), configurations: &[String]) -> Signature {
    let levels = levels(configurations);
    let words = if levels == OPTIMISED { pattern } else { gist };
    let words = one_line(words);
    let evidence = Evidence::Pattern {
        pattern: one_line(pattern),
        gist: one_line(gist),
        configurations: configurations.iter().cloned().collect(),
    };
    Signature::new("wrong-code", family, words + levels, evidence)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The signature of a compiler that does not end: the stage it is in.
pub fn hang(family: &str, stage: &str) -> Signature {
    Signature::new("hang", family, stage.to_owned(), Evidence::Hang(stage.to_owned()))
}

/// The signature of a compiler that takes too much memory.
pub fn memory(family: &str, stage: &str) -> Signature {
    Signature::new("memory", family, stage.to_owned(), Evidence::Memory(stage.to_owned()))
}

/// The signature of a compiler that broke its contract in another way: no output, a status that means nothing.
pub fn broken(family: &str, what: &str) -> Signature {
    Signature::new("broken", family, normalise(what), Evidence::Broken(what.to_owned()))
}

/// The signature of code that changes with `-g`.
pub fn debug_changes_code(family: &str, stderr: &str) -> Signature {
    let stderr = again::messages(stderr);
    // The name of the file stands before.
    let text = error_text(&stderr)
        .and_then(|text| Some(text[text.find("'-fcompare-debug'")?..].to_owned()))
        .unwrap_or_else(|| "text sections differ".to_owned());
    Signature::new("debug-changes-code", family, normalise(&text), Evidence::DebugChangesCode(stderr))
}

/// The signature of a compiler whose output for one input changes from run to run.
pub fn unstable(family: &str, configurations: &BTreeSet<String>) -> Signature {
    let classes: BTreeSet<String> = configurations.iter().map(|name| class(family, name)).collect();
    let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
    Signature::new("unstable", family, classes.join(", "), Evidence::Unstable(configurations.clone()))
}

/// The part of a configuration that a signature names: the family, the level and the machine. What the user calls the
/// compiler is no part of a bug; other flags are many and random, and rarely matter.
///
/// ```
/// use howler_oracle::signature::class;
/// assert_eq!(class("gcc", "gcc-12 -O2 -fno-tree-vrp -m32"), "gcc -O2 -m32 +flags");
/// assert_eq!(class("tcc", "/opt/bin/tcc"), "tcc");
/// ```
pub fn class(family: &str, configuration: &str) -> String {
    let mut class = family.to_owned();
    let mut more = false;
    let words: Vec<&str> = configuration.split_whitespace().skip(1).collect();
    // The last level counts, as for the compiler.
    if let Some(level) = words.iter().rev().find(|word| is_level(word)) {
        class = format!("{class} {level}");
    }
    for word in &words {
        if matches!(*word, "-m32" | "-m64" | "-flto" | "-g" | "-fcompare-debug" | "-fprofile-use") {
            class = format!("{class} {word}");
        } else if word.starts_with('-')
            && !is_level(word)
            && !word.starts_with("-std=")
            && !word.starts_with("-w")
        {
            more = true;
        }
    }
    if more { class + " +flags" } else { class }
}

fn is_level(word: &str) -> bool {
    word.starts_with("-O") && word.len() <= 6
}

/// Which levels fail, in a word: a bug that needs no optimiser is another one than one that does. Which of the levels above
/// the first show it changes from program to program.
fn levels(configurations: &[String]) -> &'static str {
    let level = |name: &String| name.split_whitespace().rev().find(|word| is_level(word)).map(str::to_owned);
    let plain = |level: &Option<String>| level.as_deref().is_none_or(|level| level == "-O0");
    let levels: Vec<Option<String>> = configurations.iter().map(level).collect();
    match (levels.iter().any(plain), levels.iter().all(plain)) {
        (_, true) => "",
        (true, false) => " at any level",
        (false, _) => OPTIMISED,
    }
}

const OPTIMISED: &str = " when optimised";
