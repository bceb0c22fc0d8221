//! Sightings: what one test shows that should not be, before anybody has looked twice.
//!
//! [`sift`] is a pure function of what the compilers did and what the program means, so the same test gives the same
//! sightings on any machine.

use std::collections::{BTreeMap, BTreeSet};

use crate::classify::{Compiled, Difference, Ran, Stage, depends_on_level};
use crate::judge::{Verdict, Word};
use crate::signature::{self, Signature};

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The compiler crashes.
    Crash,
    /// The compiler does not end.
    Hang,
    /// The compiler takes too much memory.
    Memory,
    /// The compiler breaks its contract: no output, a status that means nothing, assembly that is none.
    Broken,
    /// The compiler rejects valid code.
    Reject,
    /// The program does something else than it must.
    WrongCode,
    /// With `-g` the code is another.
    DebugChangesCode,
    /// The same input gives another output each time.
    Unstable,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 8] = [
        Kind::Crash,
        Kind::Hang,
        Kind::Memory,
        Kind::Broken,
        Kind::Reject,
        Kind::WrongCode,
        Kind::DebugChangesCode,
        Kind::Unstable,
    ];

    /// Its name in tables, databases and files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Crash => "crash",
            Kind::Hang => "hang",
            Kind::Memory => "memory",
            Kind::Broken => "broken",
            Kind::Reject => "reject",
            Kind::WrongCode => "wrong-code",
            Kind::DebugChangesCode => "debug-changes-code",
            Kind::Unstable => "unstable",
        }
    }

    /// Reads what [`Kind::name`] wrote.
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Something suspicious in one test.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sighting {
    /// What is wrong.
    pub kind: Kind,
    /// Whether only compilers' votes speak for it, because the machine does not know the program's meaning.
    pub suspect: bool,
    /// The family of compilers it is about.
    pub family: String,
    /// The configurations that show it, as a user types them, sorted.
    pub configurations: Vec<String>,
    /// Which bug it is, as far as known.
    pub signature: Signature,
    /// What the machine says of the program; none where that does not matter.
    pub verdict: Option<Word>,
    /// One line for people: what the first of the configurations did.
    pub detail: String,
}

/// What one configuration did with a test.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The configuration, as a user types it.
    pub configuration: String,
    /// The compiler: two configurations of one compiler differ in flags only.
    pub compiler: String,
    /// The family: `gcc`.
    pub family: String,
    /// What the program means for it; none if its target is not modelled, and then only what the compiler itself does
    /// counts.
    pub verdict: Option<Verdict>,
    /// What became of the compilation, and in which stage it ended.
    pub compiled: (Stage, Compiled),
    /// What a run gave, if there was one.
    pub run: Option<Observed>,
}

/// A run, compared if there was something to compare it with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observed {
    /// Against what it must do.
    Judged(Ran),
    /// What it did, for a vote: how it ended and what it wrote, in a form that can be compared.
    Vote(String),
}

/// Makes sightings of what all configurations did. `plain` is asked, for a family, whether the program must be accepted
/// by it: it is costly and rarely needed. `clean` is asked whether sanitizers are silent, before a vote counts.
pub fn sift(
    trials: &[Trial],
    plain: &mut dyn FnMut(&str) -> bool,
    clean: &mut dyn FnMut() -> bool,
) -> Vec<Sighting> {
    // The order in which configurations were tried must not show.
    let mut trials: Vec<&Trial> = trials.iter().collect();
    trials.sort_by(|one, other| one.configuration.cmp(&other.configuration));
    let trials = &trials[..];
    let mut found: BTreeMap<(Kind, bool, Signature), Sighting> = BTreeMap::new();
    let mut add = |trial: &Trial, kind: Kind, suspect: bool, signature: Signature, detail: String| {
        let verdict = Some(Word::of(trial.verdict.as_ref()));
        let sighting = found.entry((kind, suspect, signature.clone())).or_insert_with(|| Sighting {
            kind,
            suspect,
            family: trial.family.clone(),
            configurations: Vec::new(),
            signature,
            verdict,
            detail,
        });
        sighting.configurations.push(trial.configuration.clone());
    };
    for trial in trials {
        let family = &trial.family;
        let (stage, compiled) = &trial.compiled;
        match compiled {
            Compiled::Built | Compiled::Untried(_) | Compiled::Policy(_) => {}
            Compiled::Crash(text) => {
                let signature = signature::crash(family, text);
                let detail = signature.to_string();
                add(trial, Kind::Crash, false, signature, detail);
            }
            Compiled::Hang => {
                let detail = format!("{} does not end", stage.name());
                add(trial, Kind::Hang, false, signature::hang(family, stage.name()), detail);
            }
            Compiled::Memory => {
                let detail = format!("{} takes too much memory", stage.name());
                add(trial, Kind::Memory, false, signature::memory(family, stage.name()), detail);
            }
            Compiled::Broken(what) => {
                add(trial, Kind::Broken, false, signature::broken(family, what), what.clone());
            }
            Compiled::Reject(text) if text.contains("-fcompare-debug") => {
                let signature = signature::debug_changes_code(family, text);
                let detail = signature.to_string();
                add(trial, Kind::DebugChangesCode, false, signature, detail);
            }
            Compiled::Reject(text) => {
                if let Some(suspect) = is_wrong_rejection(trial, text, trials, plain) {
                    let signature = signature::reject(family, text);
                    let detail = signature.to_string();
                    add(trial, Kind::Reject, suspect, signature, detail);
                }
            }
        }
    }
    let mut all: Vec<Sighting> = found.into_values().collect();
    all.extend(wrong_code(trials));
    all.extend(outvoted(trials, clean));
    for sighting in &mut all {
        sighting.configurations.sort();
        sighting.configurations.dedup();
    }
    all.sort();
    all
}

/// Whether a rejection is a bug, and then whether only a suspected one. A program that the front end takes must be taken
/// if it is plain standard C, or if the same compiler takes it with other flags.
fn is_wrong_rejection(
    trial: &Trial,
    text: &str,
    trials: &[&Trial],
    plain: &mut dyn FnMut(&str) -> bool,
) -> Option<bool> {
    let suspect = match trial.verdict.as_ref()? {
        Verdict::Defined(_) => false,
        Verdict::Unsupported(_) => true,
        _ => return None,
    };
    // What the library lacks is no matter of the compiler, and neither is what it dislikes in our headers.
    let in_headers = text.lines().any(|line| line.contains("<howler>/") && line.contains("error"));
    if text.contains("cannot find -l") || in_headers || depends_on_level(text) {
        return None;
    }
    let taken_elsewhere = || {
        let other = |other: &&&Trial| other.compiler == trial.compiler && other.verdict == trial.verdict;
        trials.iter().filter(other).any(|other| other.compiled.1 == Compiled::Built)
    };
    (taken_elsewhere() || (!suspect && plain(&trial.family))).then_some(suspect)
}

/// One sighting for each family whose code is wrong.
fn wrong_code(trials: &[&Trial]) -> Vec<Sighting> {
    let mut families: BTreeMap<&str, Vec<(&Trial, &Difference)>> = BTreeMap::new();
    for trial in trials {
        if let Some(Observed::Judged(Ran::Wrong(difference))) = &trial.run {
            families.entry(&trial.family).or_default().push((trial, difference));
        }
    }
    let sighting = |(family, wrong): (&str, Vec<(&Trial, &Difference)>)| {
        let names = wrong.iter().map(|(trial, _)| trial.configuration.clone()).collect();
        let kinds: BTreeSet<&'static str> = wrong.iter().map(|(_, difference)| difference.kind()).collect();
        let (first, difference) = wrong.first()?;
        Some(Sighting {
            kind: Kind::WrongCode,
            suspect: false,
            family: family.to_owned(),
            configurations: wrong.iter().map(|(trial, _)| trial.configuration.clone()).collect(),
            signature: signature::wrong_code(family, &names, &kinds),
            verdict: Some(Word::of(first.verdict.as_ref())),
            detail: format!("{}: {difference}", first.configuration),
        })
    };
    families.into_iter().filter_map(sighting).collect()
}

/// Where the machine does not know, compilers vote: those that are not with the largest group are suspects. Without a
/// largest group nobody is.
fn outvoted(trials: &[&Trial], clean: &mut dyn FnMut() -> bool) -> Vec<Sighting> {
    let mut votes: BTreeMap<&str, Vec<&Trial>> = BTreeMap::new();
    for trial in trials {
        if let (Some(Verdict::Unsupported(_)), Some(Observed::Vote(vote))) = (&trial.verdict, &trial.run) {
            votes.entry(vote).or_default().push(trial);
        }
    }
    let largest = votes.values().map(Vec::len).max().unwrap_or(0);
    let winners = votes.values().filter(|group| group.len() == largest).count();
    if votes.len() < 2 || winners != 1 || !clean() {
        return Vec::new();
    }
    let mut families: BTreeMap<&str, Vec<&Trial>> = BTreeMap::new();
    for group in votes.into_values().filter(|group| group.len() < largest) {
        for trial in group {
            families.entry(&trial.family).or_default().push(trial);
        }
    }
    let sighting = |(family, group): (&str, Vec<&Trial>)| {
        let names = group.iter().map(|trial| trial.configuration.clone()).collect();
        let mut configurations: Vec<String> = group.iter().map(|trial| trial.configuration.clone()).collect();
        configurations.sort();
        Sighting {
            kind: Kind::WrongCode,
            suspect: true,
            family: family.to_owned(),
            signature: signature::wrong_code(family, &names, &BTreeSet::from(["outvoted"])),
            verdict: Some(Word::Unsupported),
            detail: format!("{}: outvoted by the other compilers", configurations.join(", ")),
            configurations,
        }
    };
    families.into_iter().map(sighting).collect()
}
