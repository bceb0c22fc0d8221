//! One worker: makes a test, examines it, deals with what it shows, and has all of it recorded.

mod keep;
mod look;
mod small;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use howler_choices::Choices;
use howler_oracle::judge;
use howler_oracle::lab::{Configuration, Examined, Lab, LabError};
use howler_oracle::sighting::{Kind, Sighting};
use howler_store::{Handle, Ledger, NewFinding, Record, Shard, Store};

use howler_toolchain::guard::GuardError;
use howler_toolchain::preprocess::Preprocessor;

use crate::known::Known;
use crate::schedule::{Schedule, Task};
use crate::setup::{Arm, Setup};
use crate::source::{NoCase, Workshop, choices};
use crate::status::{CompilerCounts, Event, Tested};
use crate::verdict::Verdict;

/// What all workers share.
pub(crate) struct Shared<'a> {
    pub setup: &'a Setup,
    pub shard: Shard,
    pub store: Handle<Store>,
    pub schedule: Mutex<Schedule>,
    pub known: Mutex<Known>,
    pub stop: &'a AtomicBool,
    /// The guards were told to end: whatever goes on is lost.
    pub cancelled: &'a AtomicBool,
    pub until_finding: bool,
    /// Compilers that could not be tried, so that each is told of once.
    pub untried: Mutex<BTreeSet<String>>,
}

/// Why a worker cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The store does not take what was done.
    #[error(transparent)]
    Store(#[from] howler_store::Error),
    /// Nothing can be run.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// Nothing can be run.
    #[error(transparent)]
    Guard(#[from] GuardError),
}

impl WorkError {
    /// Whether the guard says that it cannot do what it was asked.
    fn is_failure(&self) -> bool {
        matches!(
            self,
            WorkError::Guard(GuardError::Failed(_)) | WorkError::Lab(LabError::Guard(GuardError::Failed(_)))
        )
    }

    /// Whether the guard was told to end, or has ended.
    fn is_cancelled(&self) -> bool {
        matches!(
            self,
            WorkError::Guard(GuardError::Ended) | WorkError::Lab(LabError::Guard(GuardError::Ended))
        )
    }
}

/// How many guards a test may have: one may be killed by whoever else is on the machine.
const GUARDS: u32 = 3;

/// What came of a test.
#[derive(Default)]
struct Gave {
    builds: u32,
    runs: u32,
    sightings: Vec<howler_store::Sighting>,
    /// The programs of the sightings.
    blobs: Vec<howler_store::Blob>,
    /// Signatures that nobody had seen before.
    new: u32,
    /// Its program is to be made small later.
    left: bool,
}

/// A worker.
pub(crate) struct Worker<'a> {
    pub number: usize,
    pub lab: Lab,
    pub shared: &'a Shared<'a>,
    pub events: SyncSender<Event>,
    /// Reads programs while the lab is busy.
    reader: Option<Preprocessor>,
    /// What making programs small has taken in this test.
    reducing: Duration,
}

impl<'a> Worker<'a> {
    /// A worker with a lab of its own.
    pub fn new(number: usize, lab: Lab, shared: &'a Shared<'a>, events: SyncSender<Event>) -> Worker<'a> {
        Worker { number, lab, shared, events, reader: None, reducing: Duration::ZERO }
    }
}

impl Worker<'_> {
    /// Works until there is nothing left to do, or until told to stop.
    pub fn work(&mut self) -> Result<(), WorkError> {
        while !self.shared.stop.load(Ordering::SeqCst) {
            let Some(task) = self.next()? else { return Ok(()) };
            if !self.attempt(task)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// One test, again if its guard dies of it; says whether there is to be another.
    fn attempt(&mut self, task: Task) -> Result<bool, WorkError> {
        for left in (0..GUARDS).rev() {
            let before = thread_time();
            match catch_unwind(AssertUnwindSafe(|| self.test(task))) {
                Ok(Err(error)) if error.is_cancelled() => {
                    if self.shared.stop.load(Ordering::SeqCst) {
                        return Ok(false);
                    }
                    self.lab.guard.replace()?;
                    if left == 0 {
                        let why = format!("no guard survives this test: {error}");
                        self.given_up(task, &why, before)?;
                    }
                }
                // A job may have left its guard in a state that it cannot mend; another may do better.
                Ok(Err(error)) if error.is_failure() && left > 0 => self.lab.guard.replace()?,
                Ok(done) => return done.map(|()| true),
                Err(panic) => return self.panicked(task, &panic, before).map(|()| true),
            }
        }
        Ok(true)
    }

    /// Records a test of which nothing is known.
    fn given_up(&mut self, task: Task, why: &str, before: Duration) -> Result<(), WorkError> {
        let mut tested = self.begun(task);
        self.tell(Event::Trouble(one_line(&format!("{}: {why}", tested.title))));
        tested.verdict = Verdict::GuardKilled;
        tested.invalid = Some(why.to_owned());
        tested.why = Some(why.to_owned());
        self.record(task, tested, Gave::default(), before)
    }

    fn next(&self) -> Result<Option<Task>, WorkError> {
        let shard = self.shared.shard;
        let next = locked(&self.shared.schedule).next(|arm, at_most, end| {
            self.shared.store.call(move |store| store.lease(arm, shard, at_most, end))
        });
        Ok(next?)
    }

    /// A test of which nothing is known yet.
    fn begun(&self, task: Task) -> Tested {
        let source = &self.shared.setup.arms[task.arm].source;
        let recipe = self.shared.setup.recipe();
        Tested {
            arm: source.name().to_owned(),
            index: task.index,
            title: one_line(&source.title(recipe.seed, task.index)),
            origin: source.origin(recipe, task.index).to_string(),
            again: task.patient || task.small,
            ..Tested::default()
        }
    }

    /// One test, from its making to its record.
    fn test(&mut self, task: Task) -> Result<(), WorkError> {
        let before = thread_time();
        let spent = self.lab.guard.spent();
        let arm = &self.shared.setup.arms[task.arm];
        let mut tested = self.begun(task);
        let made = {
            let mut shop = Workshop {
                guard: &mut self.lab.guard,
                preprocessor: &self.lab.preprocessor,
                recipe: self.shared.setup.recipe(),
                spent: Duration::ZERO,
            };
            let made = arm.source.make(&mut shop, task.index);
            tested.cpu.generators = shop.spent.as_secs_f64();
            made
        };
        let case = match made {
            Ok(case) => case,
            Err(NoCase::Guard(error)) => return Err(error.into()),
            Err(NoCase::Failed(why)) => {
                self.tell_once(&tested, "makes no program", &why);
                tested.why = Some(why.clone());
                tested.invalid = Some(why);
                tested.verdict = Verdict::GeneratorFailed;
                return self.record(task, tested, Gave::default(), before);
            }
        };
        let configurations = self.configurations(arm, task.index);
        let examined = if task.patient {
            Some(self.lab.examine(&case, &configurations)?)
        } else {
            self.lab.glance(&case, &configurations)?
        };
        let Some(examined) = examined else {
            tested.verdict = Verdict::Deferred;
            let all = self.lab.guard.spent().saturating_sub(spent).as_secs_f64();
            tested.cpu.compilers = all - tested.cpu.generators;
            return self.record(task, tested, Gave::default(), before);
        };
        tested.verdict = Verdict::Judged(examined.word());
        tested.code = examined.verdict().and_then(judge::Verdict::code);
        tested.invalid = examined.invalid().map(str::to_owned);
        tested.why = examined.verdict().and_then(judge::Verdict::why);
        if let Some(why) = examined.unreadable() {
            self.tell_once(&tested, "makes a program that cannot be preprocessed", why);
        }
        tested.cpu.compilers = examined.compiler_time.as_secs_f64();
        tested.cpu.programs = examined.program_time.as_secs_f64();
        tested.compilers = per_compiler(&configurations, &examined);
        self.tell_untried(&tested.title, &configurations, &examined);
        // What is left of wrong code is its signature, so nothing is known of such a test before its program is small.
        let large = |seen: &Sighting| seen.kind == Kind::WrongCode && !seen.suspect;
        let large = !arm.source.minimises() && examined.sightings.iter().any(large);
        if large && !task.small && !locked(&self.shared.schedule).may_reduce() {
            let begun = self.begun(task);
            tested = Tested { verdict: Verdict::Deferred, cpu: tested.cpu, ..begun };
            return self.record(task, tested, Gave { left: true, ..Gave::default() }, before);
        }
        let mut gave = Gave { builds: examined.builds, runs: examined.runs, ..Gave::default() };
        for sighting in &examined.sightings {
            let noted = self.sighted(arm, &case, sighting, &configurations)?;
            gave.sightings.push(noted.row);
            gave.blobs.extend(noted.blobs);
            gave.new += u32::from(noted.is_new);
        }
        // Sanitizers, second builds, minimising, confirming: all that the first look did not count.
        let all = self.lab.guard.spent().saturating_sub(spent).as_secs_f64();
        tested.cpu.second_looks = (all - tested.cpu.total()).max(0.0);
        self.record(task, tested, gave, before)
    }

    /// The first time that a source gives nothing to test: a hunt that tests nothing must not look like one that finds
    /// nothing.
    fn tell_once(&self, tested: &Tested, what: &str, why: &str) {
        let (source, title) = (&tested.arm, &tested.title);
        if locked(&self.shared.untried).insert(format!("{source} {what}")) {
            self.tell(Event::Trouble(one_line(&format!("{source} {what}: {title}: {why}"))));
        }
    }

    /// A compiler that cannot be tried has no bugs, as far as the numbers say: somebody must hear of it.
    fn tell_untried(&self, title: &str, configurations: &[Configuration], examined: &Examined) {
        for (name, why) in &examined.untried {
            let tried = configurations.iter().find(|one| one.name == *name);
            let compiler = tried.map_or(name, |one| &one.configured.compiler.name);
            let kind = why.split(':').next().unwrap_or_default();
            if locked(&self.shared.untried).insert(format!("{compiler} {kind}")) {
                self.tell(Event::Trouble(one_line(&format!(
                    "{name} could not be tried with {title}: {why}"
                ))));
            }
        }
    }

    /// The standard configurations, with some chance one of random flags for each compiler that has a pool, and with some
    /// chance one extra for each that has any.
    fn configurations(&self, arm: &Arm, index: u64) -> Vec<Configuration> {
        let setup = self.shared.setup;
        let mut all = setup.configurations.clone();
        let mut swarm: Choices = choices(setup.spec.seed, arm.row.line(), index).sub("swarm");
        if swarm.chance("swarm", u32::from(setup.spec.swarm), 100) {
            all.extend(setup.pools.iter().map(|pool| pool.draw(&swarm)));
        }
        let mut extras: Choices = choices(setup.spec.seed, arm.row.line(), index).sub("extras");
        if extras.chance("extras", u32::from(setup.spec.extras), 100) {
            all.extend(setup.extras.iter().filter_map(|one| one.draw(&extras)));
        }
        if arm.source.narrow() {
            all.extend(setup.narrow.iter().cloned());
        }
        all
    }

    /// Has a test recorded, whatever came of it.
    fn record(
        &mut self,
        task: Task,
        mut tested: Tested,
        gave: Gave,
        before: Duration,
    ) -> Result<(), WorkError> {
        let arm = &self.shared.setup.arms[task.arm];
        let test = howler_store::Test {
            arm: arm.row.id(),
            index: tested.index,
            verdict: tested.said(),
            builds: gave.builds,
            runs: gave.runs,
        };
        let record = Record { test, sightings: gave.sightings, blobs: gave.blobs };
        self.shared.store.record(vec![record])?;
        let own = thread_time().saturating_sub(before).as_secs_f64();
        tested.cpu.howler += own;
        tested.new = gave.new;
        let mut schedule = locked(&self.shared.schedule);
        match (gave.left, tested.is_deferred()) {
            (true, _) => schedule.leave(task.arm, task.index),
            (false, true) => schedule.defer(task.arm, task.index),
            (false, false) => {}
        }
        let reducing = std::mem::take(&mut self.reducing).as_secs_f64();
        schedule.reduced(reducing);
        schedule.tested(task, (tested.cpu.total() - reducing).max(0.0), gave.new);
        drop(schedule);
        self.tell(Event::Tested(tested));
        Ok(())
    }

    /// Howler itself is wrong: that is kept like a finding, and the hunt goes on.
    fn panicked(
        &mut self,
        task: Task,
        panic: &(dyn std::any::Any + Send),
        before: Duration,
    ) -> Result<(), WorkError> {
        let words = said(panic);
        let arm = &self.shared.setup.arms[task.arm];
        let mut hash = howler_case::id::Hasher::new("panic");
        hash.field(words.as_bytes());
        let row = howler_store::Finding {
            signature: hash.finish(),
            kind: Verdict::HowlerPanic.name().to_owned(),
            status: howler_case::Status::Suspect,
            arm: arm.row.id(),
            index: task.index,
            title: one_line(&format!("Howler has a bug: {words}")),
            files: Vec::new(),
        };
        let mut tested = self.begun(task);
        let text = format!(
            "Howler {} panicked on test {} of\n{}\n\norigin {}\n\n{words}\n\nPlease report this.\n",
            env!("CARGO_PKG_VERSION"),
            task.index,
            arm.row.line(),
            tested.origin
        );
        let file =
            howler_store::File { name: "README.txt".to_owned(), executable: false, bytes: text.into_bytes() };
        let new = NewFinding::new(row, &[file])?;
        self.shared.store.call(move |store| store.put_finding(&new))?;
        let said = format!("{}: Howler panicked, and goes on: {words}", tested.title);
        self.tell(Event::Trouble(one_line(&said)));
        tested.verdict = Verdict::HowlerPanic;
        tested.why = Some(words);
        self.record(task, tested, Gave::default(), before)
    }

    fn working(&self, what: String) {
        self.tell(Event::Working { worker: self.number, what });
    }

    fn tell(&self, event: Event) {
        // Nobody listens any more when the hunt is over.
        let _ = self.events.send(event);
    }
}

/// What a panic says.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(|&words| words.to_owned());
    words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// A lock whose data is whole whatever happened to its last holder: it is only counted and entered there.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Processor time of this thread.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Text of others on one line, without what moves a terminal's cursor or changes its colours.
fn one_line(text: &str) -> String {
    let line = text.replace(char::is_control, " ");
    let line = line.trim();
    let mut end = line.len().min(1000);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    if line.is_empty() { "nothing".to_owned() } else { line[..end].to_owned() }
}

/// What each compiler did in a test.
fn per_compiler(configurations: &[Configuration], examined: &Examined) -> Vec<(String, CompilerCounts)> {
    let mut counts: Vec<(String, CompilerCounts)> = Vec::new();
    for configuration in configurations {
        let name = &configuration.configured.compiler.name;
        let seen = examined.sightings.iter().filter(|seen| seen.configurations.contains(&configuration.name));
        let seen = seen.count() as u64;
        let at = counts.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            counts.push((name.clone(), CompilerCounts::default()));
            counts.len() - 1
        });
        let of =
            |made: &BTreeMap<String, u32>| u64::from(made.get(&configuration.name).copied().unwrap_or(0));
        counts[at].1.builds += of(&examined.builds_of);
        counts[at].1.runs += of(&examined.runs_of);
        counts[at].1.sightings += seen;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_say_is_one_plain_line() {
        assert_eq!(one_line("a\nb\u{1b}[2Jc\u{9b}d\0"), "a b [2Jc d");
        assert_eq!(one_line("\u{7}\r\n"), "nothing");
        assert!(one_line(&"ä".repeat(5000)).len() <= 1000);
    }
}
