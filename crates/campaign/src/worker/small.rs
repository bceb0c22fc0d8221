//! What a worker has found is made small, whatever its source and its kind. How far depends on the test alone, never on how
//! busy the machine is: what is left of wrong code is its signature, which is the same everywhere.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use howler_case::{Case, File};
use howler_oracle::finding::ORIGINAL;
use howler_oracle::lab::Configuration;
use howler_oracle::pattern;
use howler_oracle::sighting::{Kind, Sighting};
use howler_oracle::signature::{self, Evidence};
use howler_reduce::engine::{Answer, End, Limits};
use howler_reduce::files::Ask;
use howler_reduce::question::Question;
use howler_reduce::work::{Given, Outcome, Progress, Refused, reduce};
use howler_toolchain::guard::GuardError;
use howler_toolchain::preprocess::Preprocessor;

use super::{WorkError, Worker, one_line, said, thread_time};
use crate::status::Event;

/// Something seen, in a program that was made small.
pub(super) struct Small {
    /// The program.
    pub case: Case,
    /// What it shows.
    pub sighting: Sighting,
    /// How it became small, for people.
    pub note: String,
}

/// What reducing one program may take.
struct Bound {
    /// Candidates that compilers are asked about.
    tests: u64,
    /// Bytes of all candidates: each costs the front end, the machine and the compilers about so much.
    bytes: u64,
    /// Seconds, for all but wrong code: time may only bound what no signature depends on.
    seconds: u64,
}

/// Some seconds for most programs.
const USUAL: Bound = Bound { tests: 1000, bytes: 20 << 20, seconds: 120 };
/// A compiler, or a program, that does not end is waited for each time.
const HANGS: Bound = Bound { tests: 20, bytes: 20 << 20, seconds: 30 };
/// What a compiler that does not end is given, in a part of what it is given otherwise.
const IMPATIENT: u32 = 5;

/// Runs of the machine for each candidate; the second look has more.
const RUNS: u32 = 2;

/// Why nothing is made smaller that needs more than one configuration.
const ALONE: &str = "under one configuration alone it does not show";

/// Lines above which a reader is told why there are not fewer.
const SHORT: usize = 30;

impl Worker<'_> {
    /// Makes the program of something seen small; why that is not possible, in words, if it is not.
    pub(super) fn reduced(
        &mut self,
        case: &Case,
        sighting: &Sighting,
        configurations: &[Configuration],
    ) -> Result<Result<Small, String>, WorkError> {
        let shows: Vec<Configuration> = (configurations.iter())
            .filter(|one| sighting.configurations.contains(&one.name))
            .cloned()
            .collect();
        let Some(first) = shows.first() else { return Ok(Err("no configuration shows it".to_owned())) };
        if let Some(why) = hopeless(sighting) {
            return Ok(Err(why.to_owned()));
        }
        let mut asked = vec![first.clone()];
        if sighting.kind == Kind::Reject {
            // A compiler that takes the program with other flags shows that it should.
            let compiler = &first.configured.compiler.name;
            let takes = |one: &&Configuration| {
                one.configured.compiler.name == *compiler && !sighting.configurations.contains(&one.name)
            };
            asked.extend(configurations.iter().find(takes).cloned());
        }
        let before = (self.lab.guard.spent(), thread_time());
        let saved = self.lab.options;
        self.lab.options.judge.runs = RUNS.min(saved.judge.runs);
        if let Kind::Hang | Kind::Memory = sighting.kind {
            self.lab.options.compile.cpu /= IMPATIENT;
            self.lab.options.compile.wall /= IMPATIENT;
        }
        // A bug of the reducer must not cost what was found.
        let done = catch_unwind(AssertUnwindSafe(|| self.search(case, sighting, asked)));
        self.lab.options = saved;
        let spent = self.lab.guard.spent().saturating_sub(before.0) + thread_time().saturating_sub(before.1);
        self.reducing += spent;
        let done = done.unwrap_or_else(|panic| {
            let words = said(&*panic);
            self.tell(Event::Trouble(one_line(&format!("Howler's reducer has a bug: {words}"))));
            Ok(Err(format!("Howler's reducer has a bug: {words}")))
        })?;
        self.working(String::new());
        match done {
            Ok((small, note)) => self.as_seen(small, note, sighting, &shows),
            Err(why) => Ok(Err(why)),
        }
    }

    /// The search for the smallest program.
    fn search(
        &mut self,
        case: &Case,
        sighting: &Sighting,
        asked: Vec<Configuration>,
    ) -> Result<Result<(Case, String), String>, WorkError> {
        let first = asked[0].clone();
        let target = first.target_for(case);
        // What was expected of the whole program is not expected of its parts.
        let plain = Case { expected: Default::default(), edits: Vec::new(), ..case.clone() };
        let preprocessor = match self.reader.take() {
            Some(known) => known,
            None => match reader(&self.lab.preprocessor) {
                Ok(made) => made,
                Err(error) => return Ok(Err(error)),
            },
        };
        let bound = bound(sighting);
        let time = (sighting.kind != Kind::WrongCode).then_some(Duration::from_secs(bound.seconds));
        let limits = Limits { tokens: 0, time, tests: Some(bound.tests), stop: self.shared.stop };
        let question = Question::of_sighting(&mut self.lab, &plain, sighting, asked, self.shared.stop)?;
        let Some(question) = question else {
            self.reader = Some(preprocessor);
            return Ok(Err(ALONE.to_owned()));
        };
        let asker = question.asker(&mut self.lab, &plain);
        let mut asking = [Bounded { asker, left: bound.bytes, stop: self.shared.stop }];
        let given = Given {
            files: &plain.files,
            target,
            input: plain.input(),
            made_of: None,
            runs: !matches!(sighting.kind, Kind::Crash | Kind::Broken | Kind::Hang | Kind::Memory),
            preprocessor: &preprocessor,
            text_too: sighting.kind != Kind::WrongCode,
        };
        let (events, worker) = (&self.events, self.number);
        let mut note = None;
        let done = reduce(given, &mut asking, &limits, &mut |progress| match progress {
            Progress::Pass(pass) => {
                let what = one_line(&format!("making it smaller ({pass}): {}", sighting.detail));
                // Nobody listens any more when the hunt is over.
                let _ = events.send(Event::Working { worker, what });
            }
            Progress::Note(text) => note = note.take().or_else(|| text.lines().next().map(str::to_owned)),
            Progress::Tested(_) | Progress::Better(..) => {}
        });
        let used_up = asking[0].left == 0;
        drop(asking);
        self.reader = Some(preprocessor);
        let done = match done {
            Ok(done) => done,
            Err(Refused::NotInteresting) => {
                return Ok(Err(ALONE.to_owned()));
            }
            Err(Refused::Stopped) if used_up => {
                return Ok(Err("it is too long".to_owned()));
            }
            Err(Refused::Stopped) => return Err(GuardError::Ended.into()),
            Err(Refused::Broken(why)) => return Ok(Err(why)),
        };
        let stopped = done.end == End::Stopped && !used_up;
        if stopped && sighting.kind == Kind::WrongCode {
            // Half of it would be another signature: the test is done again the next time.
            return Err(GuardError::Ended.into());
        }
        if done.files == case.files {
            return Ok(Err(why_not_smaller(&done, (stopped, used_up), note.as_deref())));
        }
        let text = told(case, &done, (stopped, used_up), note.as_deref(), &command(sighting, &first));
        Ok(Ok((Case { files: done.files, ..plain }, text)))
    }

    /// What the small program shows, under all configurations that showed the large one's bug.
    fn as_seen(
        &mut self,
        case: Case,
        note: String,
        sighting: &Sighting,
        shows: &[Configuration],
    ) -> Result<Result<Small, String>, WorkError> {
        if sighting.kind != Kind::WrongCode {
            return Ok(Ok(Small { case, sighting: sighting.clone(), note }));
        }
        let examined = self.lab.examine(&case, shows)?;
        let seen = examined.sightings.into_iter().find(|seen| seen.kind == sighting.kind && !seen.suspect);
        let Some(mut seen) = seen else { return Ok(Err("what is left does not show it".to_owned())) };
        let target = shows.iter().find_map(|one| one.target_for(&case));
        if let Some(left) = target.and_then(|target| pattern::of_case(&self.lab.preprocessor, &case, target))
        {
            let words = (left.text(), left.gist());
            let words = (words.0.as_str(), words.1.as_str());
            seen.signature = signature::pattern(&seen.family, words, &seen.configurations);
        }
        Ok(Ok(Small { case, sighting: seen, note }))
    }
}

fn bound(sighting: &Sighting) -> Bound {
    match (sighting.kind, sighting.signature.evidence()) {
        (Kind::Hang | Kind::Memory, _) => HANGS,
        (Kind::WrongCode, Evidence::WrongCode { differences, .. })
            if ["timeout", "memory"].iter().any(|way| differences.contains(*way)) =>
        {
            HANGS
        }
        _ => USUAL,
    }
}

/// Why nobody tries to make the program smaller, if so.
fn hopeless(sighting: &Sighting) -> Option<&'static str> {
    match sighting.kind {
        Kind::WrongCode | Kind::Reject if sighting.suspect => {
            Some("nobody knows what it means, so nobody would know what a smaller one means")
        }
        Kind::Unstable => Some("what comes by chance cannot be asked for"),
        _ => None,
    }
}

/// One more preprocessor like this: while a lab is busy its own is, too.
fn reader(like: &Preprocessor) -> Result<Preprocessor, String> {
    let mut made = Preprocessor::find(Some(like.compiler.as_os_str())).map_err(|error| error.to_string())?;
    made.limits = like.limits.clone();
    made.undefines.clone_from(&like.undefines);
    Ok(made)
}

/// Asks until it has asked about so many bytes, or somebody stops it.
struct Bounded<'a, A> {
    asker: A,
    left: u64,
    stop: &'a AtomicBool,
}

impl<A: Ask> Ask for Bounded<'_, A> {
    fn ask(&mut self, files: &[File]) -> Answer {
        if self.left == 0 || self.stop.load(Ordering::SeqCst) {
            return Answer::Stopped;
        }
        let bytes: u64 = files.iter().map(|file| file.text.len() as u64).sum();
        self.left = self.left.saturating_sub(bytes);
        self.asker.ask(files)
    }
}

pub(super) fn lines(files: &[File]) -> usize {
    files.iter().map(|file| String::from_utf8_lossy(&file.text).lines().count()).sum()
}

/// What a person types to go on where the hunt did not.
fn command(sighting: &Sighting, configuration: &Configuration) -> String {
    let what = match sighting.kind {
        Kind::WrongCode => "--bad",
        Kind::Hang | Kind::Memory => "--hang",
        Kind::Reject => "--reject",
        _ => "--crash",
    };
    format!("howler reduce {what} \"{}\"", configuration.name)
}

/// Why nothing more goes.
fn end((stopped, used_up): (bool, bool), done: &Outcome, note: Option<&str>) -> String {
    let why = match &done.end {
        _ if used_up => "its share of work was used up",
        _ if stopped => "the hunt ended",
        End::Limit => "its share of tests, or of time, was used up",
        End::Broken(_) => "it broke off",
        _ => "nothing more goes that it knows how to remove",
    };
    match note {
        Some(note) if !done.typed => format!("{why}; {note}"),
        _ => why.to_owned(),
    }
}

fn why_not_smaller(done: &Outcome, ends: (bool, bool), note: Option<&str>) -> String {
    format!("no part of it can go: {}", end(ends, done, note))
}

/// How a program became small.
fn told(case: &Case, done: &Outcome, ends: (bool, bool), note: Option<&str>, command: &str) -> String {
    let (before, after) = (lines(&case.files), lines(&done.files));
    let tests: u64 = done.measures.iter().map(|(_, measures)| measures.tests).sum();
    let names: Vec<String> = case.files.iter().map(|file| format!("{ORIGINAL}{}", file.name)).collect();
    let text = format!(
        "made smaller from {before} lines ({}) to {after}, {} of {} tokens, in {tests} tests",
        names.join(", "),
        done.size.tokens,
        done.before.tokens
    );
    if after <= SHORT {
        return text;
    }
    let files: Vec<&str> = case.files.iter().map(|file| file.name.as_str()).collect();
    let why = end(ends, done, note);
    format!("{text}. It stopped there because {why}; '{command} {}' goes on", files.join(" "))
}
