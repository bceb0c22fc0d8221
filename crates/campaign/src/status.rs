//! What a hunt has done so far, as plain data: screens, line logs and JSON are drawn from it.
//!
//! A pure function of the events; time comes with them, in seconds since the start.

use std::collections::BTreeMap;

use howler_case::Id;
use howler_oracle::judge::Word;

use crate::verdict::Verdict;

/// Something that happened in a hunt.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A test was done and recorded.
    Tested(Tested),
    /// Something new is on disk.
    Found(Found),
    /// Something of a known signature was seen again.
    SeenAgain {
        /// The signature.
        signature: Id,
    },
    /// Work on something that takes a while: confirming, minimising.
    Working {
        /// Which worker.
        worker: usize,
        /// What it does; nothing is the usual round.
        what: String,
    },
    /// Something went wrong that a person should know; the hunt goes on.
    Trouble(String),
}

/// One test that was done.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tested {
    /// Its arm, as a short name.
    pub arm: String,
    /// Its number there.
    pub index: u64,
    /// What a person calls it: a file, the command that makes it, or a number.
    pub title: String,
    /// The line that makes it again.
    pub origin: String,
    /// What became of it.
    pub verdict: Verdict,
    /// The code of the kind of undefined behaviour, if it has that.
    pub code: Option<&'static str>,
    /// Whether it had been left for later, because a compiler took too long for it.
    pub again: bool,
    /// How many signatures it was the first to show.
    pub new: u32,
    /// Why it is not defined, if it is not.
    pub why: Option<String>,
    /// Why there was no valid program, if so.
    pub invalid: Option<String>,
    /// What each compiler did.
    pub compilers: Vec<(String, CompilerCounts)>,
    /// Where the processor time went.
    pub cpu: Cpu,
}

impl Tested {
    /// Whether it is left for later, because a compiler takes too long for it.
    pub fn is_deferred(&self) -> bool {
        self.verdict == Verdict::Deferred
    }

    /// The verdict with the code: `defined`, `undefined:overflow-add`, …
    pub fn said(&self) -> String {
        match self.code {
            Some(code) => format!("{}:{code}", self.verdict),
            None => self.verdict.to_string(),
        }
    }
}

/// What a compiler did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CompilerCounts {
    /// Programs it was given.
    pub builds: u64,
    /// Binaries that were run.
    pub runs: u64,
    /// Sightings, of any kind.
    pub sightings: u64,
}

/// Seconds of processor time, by whose work it was.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cpu {
    /// Compilers, assemblers, linkers.
    pub compilers: f64,
    /// The programs under test.
    pub programs: f64,
    /// Generators that are programs of their own.
    pub generators: f64,
    /// Compilers and programs again: minimising and confirming what was seen, finding the flags that matter.
    pub second_looks: f64,
    /// Howler: generating, judging, comparing, storing.
    pub howler: f64,
}

impl Cpu {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.compilers + self.programs + self.generators + self.second_looks + self.howler
    }

    /// Howler's part of the time that is not an outside generator's, in percent.
    pub fn overhead(&self) -> f64 {
        let all = self.total() - self.generators;
        if all > 0.0 { 100.0 * self.howler / all } else { 0.0 }
    }

    fn add(&mut self, other: &Cpu) {
        self.compilers += other.compilers;
        self.programs += other.programs;
        self.generators += other.generators;
        self.second_looks += other.second_looks;
        self.howler += other.howler;
    }
}

/// Something that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// Its id.
    pub id: Id,
    /// Its signature.
    pub signature: Id,
    /// `crash`, `wrong-code`, …
    pub kind: String,
    /// Whether it is a finding; otherwise it is a suspect, disputed or flaky, and kept apart.
    pub confirmed: bool,
    /// One line on it.
    pub title: String,
    /// When, in seconds since the start; none if an earlier hunt found it.
    pub at: Option<f64>,
    /// How often its signature was seen.
    pub seen: u64,
}

/// What one arm has done.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArmStatus {
    /// Tests done in this hunt.
    pub tests: u64,
    /// Tests done in all hunts.
    pub total: u64,
    /// How many the machine judged defined.
    pub defined: u64,
    /// How many signatures it was the first to show.
    pub new: u64,
    /// How many are left for later, because a compiler takes too long for them.
    pub deferred: u64,
    /// Seconds of processor time in this hunt.
    pub seconds: f64,
    /// How many tests of this hunt were no valid programs.
    pub invalid: u64,
    /// The first of them, and why it is none.
    pub first_invalid: String,
    /// When its last tests ended, in seconds since the start.
    recent: Vec<f64>,
}

/// All of a hunt.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Status {
    /// Where the campaign lives.
    pub folder: String,
    /// Seconds since the start.
    pub elapsed: f64,
    /// Seconds after which it ends by itself.
    pub time: Option<f64>,
    /// Tests of each arm after which it ends by itself.
    pub tests: Option<u64>,
    /// By the arm's short name.
    pub arms: BTreeMap<String, ArmStatus>,
    /// By the compiler's name.
    pub compilers: BTreeMap<String, CompilerCounts>,
    /// Where the time went.
    pub cpu: Cpu,
    /// How often what became of tests.
    pub verdicts: BTreeMap<Verdict, u64>,
    /// The first tests of each verdict, with the reason.
    pub examples: BTreeMap<Verdict, Vec<String>>,
    /// What was found, the newest last.
    pub found: Vec<Found>,
    /// What workers do besides the usual round.
    pub working: BTreeMap<usize, String>,
    /// The last few troubles.
    pub troubles: Vec<String>,
}

/// Seconds over which a rate is taken.
const WINDOW: f64 = 30.0;
/// Tests that are named for each verdict.
const EXAMPLES: usize = 3;
/// Troubles that are kept.
const TROUBLES: usize = 5;

impl Status {
    /// Takes an event that happened `now`.
    pub fn apply(&mut self, now: f64, event: &Event) {
        self.elapsed = now;
        match event {
            Event::Tested(tested) => self.tested(now, tested),
            Event::Found(found) => {
                let known = self.found.iter().filter(|known| known.signature == found.signature);
                let seen = found.seen + known.map(|known| known.seen).sum::<u64>();
                self.found.retain(|known| known.signature != found.signature);
                self.found.push(Found { seen, ..found.clone() });
            }
            Event::SeenAgain { signature } => {
                let known = self.found.iter_mut().find(|found| found.signature == *signature);
                known.into_iter().for_each(|found| found.seen += 1);
            }
            Event::Working { worker, what } if what.is_empty() => {
                self.working.remove(worker);
            }
            Event::Working { worker, what } => {
                self.working.insert(*worker, what.clone());
            }
            Event::Trouble(what) => {
                self.troubles.retain(|known| known != what);
                self.troubles.push(what.clone());
                if self.troubles.len() > TROUBLES {
                    self.troubles.remove(0);
                }
            }
        }
    }

    fn tested(&mut self, now: f64, tested: &Tested) {
        let arm = self.arms.entry(tested.arm.clone()).or_default();
        arm.seconds += tested.cpu.total();
        self.cpu.add(&tested.cpu);
        if tested.is_deferred() {
            arm.deferred += 1;
            return;
        }
        arm.deferred = arm.deferred.saturating_sub(u64::from(tested.again));
        arm.tests += 1;
        arm.total += 1;
        arm.new += u64::from(tested.new);
        arm.recent.retain(|&at| at > now - WINDOW);
        arm.recent.push(now);
        arm.defined += u64::from(tested.verdict == Verdict::Judged(Word::Defined));
        if let Some(why) = &tested.invalid {
            if arm.invalid == 0 {
                arm.first_invalid = format!("{}: {}", tested.title, first_line(why));
            }
            arm.invalid += 1;
        }
        if let Some(why) = &tested.why {
            let examples = self.examples.entry(tested.verdict).or_default();
            if examples.len() < EXAMPLES {
                examples.push(format!("{}: {}", tested.title, first_line(why)));
            }
        }
        *self.verdicts.entry(tested.verdict).or_default() += 1;
        for (name, counts) in &tested.compilers {
            let all = self.compilers.entry(name.clone()).or_default();
            all.builds += counts.builds;
            all.runs += counts.runs;
            all.sightings += counts.sightings;
        }
    }

    /// Arms that made nothing but invalid programs, in words: a hunt that tests nothing must not look like one that finds
    /// nothing.
    pub fn barren(&self) -> Vec<String> {
        let barren = |(_, arm): &(&String, &ArmStatus)| arm.tests > 0 && arm.invalid == arm.tests;
        let words = |(name, arm): (&String, &ArmStatus)| {
            format!("{name}: none of its {} tests is a valid C program; {}", arm.tests, arm.first_invalid)
        };
        self.arms.iter().filter(barren).map(words).collect()
    }

    /// Tests of this hunt that the machine judged defined.
    pub fn defined(&self) -> u64 {
        self.arms.values().map(|arm| arm.defined).sum()
    }

    /// Tests of this hunt that gave compilers a valid program.
    pub fn valid(&self) -> u64 {
        self.arms.values().map(|arm| arm.tests - arm.invalid).sum()
    }

    /// Tests a second of an arm, lately.
    pub fn rate(&self, arm: &str) -> f64 {
        let Some(arm) = self.arms.get(arm) else { return 0.0 };
        let recent = arm.recent.iter().filter(|&&at| at > self.elapsed - WINDOW).count();
        recent as f64 / self.elapsed.clamp(1.0, WINDOW)
    }

    /// Tests done in this hunt.
    pub fn tests_done(&self) -> u64 {
        self.arms.values().map(|arm| arm.tests).sum()
    }

    /// Seconds since something new was found in this hunt.
    pub fn since_new(&self) -> Option<f64> {
        let last = self
            .found
            .iter()
            .filter_map(|found| found.at)
            .fold(None, |last: Option<f64>, at| Some(last.map_or(at, |last| last.max(at))));
        last.map(|at| self.elapsed - at)
    }

    /// Findings: confirmed ones, of this hunt and of earlier ones.
    pub fn findings(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(|found| found.confirmed)
    }
}

/// The first line of a message, without what would move a terminal's cursor.
fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().filter(|c| !c.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(signature: &[u8], at: f64) -> Event {
        Event::Found(Found {
            id: Id::of(b"id"),
            signature: Id::of(signature),
            kind: "crash".to_owned(),
            confirmed: true,
            title: "a crash".to_owned(),
            at: Some(at),
            seen: 1,
        })
    }

    #[test]
    fn tests_are_counted_and_rated() {
        let mut status = Status::default();
        for second in 1..=60 {
            let tested = Tested {
                arm: "csmith".to_owned(),
                verdict: Verdict::Judged(if second % 2 == 0 { Word::Defined } else { Word::Undefined }),
                cpu: Cpu { compilers: 1.0, howler: 0.01, generators: 5.0, ..Cpu::default() },
                ..Tested::default()
            };
            status.apply(f64::from(second), &Event::Tested(tested));
        }
        assert_eq!(status.tests_done(), 60);
        assert!((status.rate("csmith") - 1.0).abs() < 0.01);
        assert_eq!(
            (status.arms["csmith"].defined, status.verdicts[&Verdict::Judged(Word::Undefined)]),
            (30, 30)
        );
        assert!((status.cpu.overhead() - 0.99).abs() < 0.01);
    }

    #[test]
    fn arms_without_a_valid_program_are_named() {
        let mut status = Status::default();
        let test = |arm: &str, invalid: Option<&str>| {
            let invalid = invalid.map(str::to_owned);
            let title = format!("{arm} 7");
            Event::Tested(Tested { arm: arm.to_owned(), title, invalid, ..Tested::default() })
        };
        status.apply(1.0, &test("half", Some("no main")));
        status.apply(1.0, &test("half", None));
        status.apply(2.0, &test("bad", Some("stray\u{7} text\n  here")));
        status.apply(2.0, &test("bad", Some("something else")));
        assert_eq!(status.barren(), ["bad: none of its 2 tests is a valid C program; bad 7: stray text"]);
        assert_eq!((status.valid(), status.defined()), (1, 0));
    }

    #[test]
    fn a_better_representative_replaces_and_duplicates_count() {
        let mut status = Status::default();
        status.apply(1.0, &found(b"one", 1.0));
        status.apply(2.0, &Event::SeenAgain { signature: Id::of(b"one") });
        assert_eq!(status.found[0].seen, 2);
        status.apply(3.0, &found(b"one", 3.0));
        assert_eq!(status.found[0].seen, 3);
        status.apply(5.0, &found(b"two", 5.0));
        assert_eq!(status.findings().count(), 2);
        status.apply(9.0, &Event::Trouble("disk is full".to_owned()));
        assert_eq!(status.since_new(), Some(4.0));
    }
}
