//! The hunt: workers, what they share, and when it ends.
//!
//! A test is recorded when all that came of it is on disk: a kill at any moment costs the tests under way, which are
//! done again, and never a finding.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use howler_case::{Id, Status as Sure};
use howler_oracle::lab::Lab;
use howler_store::{DEFERRED, Event as Note, Ledger, Shard, Store, Writer};
use howler_toolchain::guard::Canceller;

use crate::bandit::Yield;
use crate::known::{Known, Place};
use crate::schedule::{Plan, Schedule};
use crate::setup::Setup;
use crate::source::Grade;
use crate::status::{ArmStatus, Event, Found, Status};
use crate::worker::{Shared, WorkError, Worker};

/// When a hunt ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Until {
    /// After this time.
    pub time: Option<Duration>,
    /// When every arm has done this many tests, those of earlier hunts included.
    pub tests: Option<u64>,
    /// At the first new finding.
    pub finding: bool,
}

/// Why a hunt ended badly.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// The folder cannot be used.
    #[error(transparent)]
    Store(#[from] howler_store::Error),
    /// A worker could not go on.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// How often the caller is asked to draw when nothing happens.
const TICK: Duration = Duration::from_millis(100);

/// Hunts until told to stop. Each worker has a lab of its own. `watch` is called with every event, and with none when
/// time has passed; it may set `stop`.
pub fn hunt(
    setup: &Setup,
    store: Store,
    shard: Shard,
    until: Until,
    labs: Vec<Lab>,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Option<&Event>, &Status),
) -> Result<Status, HuntError> {
    let start = Instant::now();
    let mut store = store;
    for arm in &setup.arms {
        store.register(&arm.row)?;
    }
    let mut status = earlier(setup, &store, until)?;
    let known = known(&store)?;
    let plans: Vec<Plan> = (setup.arms.iter().zip(weights(setup)))
        .map(|(arm, weight)| {
            let end = arm.source.count().unwrap_or(MOST).min(until.tests.unwrap_or(MOST));
            Plan { id: arm.row.id(), end, weight }
        })
        .collect();
    // A compiler that does not end is waited for once, and once more with patience.
    let patience = labs.first().map_or(0, |lab| lab.options.patience);
    let dearest = setup.spec.compile_seconds.saturating_mul(u64::from(patience) + 1) as f64;
    let mut schedule = Schedule::new(&plans, dearest);
    remember(setup, &store, shard, &mut schedule)?;
    let schedule = Mutex::new(schedule);
    let quota = setup.spec.quota_megabytes.saturating_mul(1 << 20);
    let writer = Writer::start(store)?;
    let cancelled = AtomicBool::new(false);
    let shared = Shared {
        setup,
        shard,
        store: writer.handle(),
        schedule,
        known: Mutex::new(known),
        stop,
        cancelled: &cancelled,
        until_finding: until.finding,
        untried: Mutex::default(),
    };
    let cancellers: Vec<Canceller> = labs.iter().filter_map(|lab| lab.guard.canceller().ok()).collect();
    let ended: Result<(), HuntError> = std::thread::scope(|scope| {
        let (events, happened) = sync_channel(UNSEEN);
        let mut workers = Vec::new();
        for (number, lab) in labs.into_iter().enumerate() {
            let events = events.clone();
            let shared = &shared;
            let work = move || {
                let done = Worker::new(number, lab, shared, events).work();
                if done.is_err() {
                    // One worker that cannot store or run anything is not the only one.
                    shared.stop.store(true, Ordering::SeqCst);
                }
                done
            };
            workers
                .push(std::thread::Builder::new().name(format!("worker {number}")).spawn_scoped(scope, work));
        }
        drop(events);
        let mut trimmed = Instant::now();
        let mut noted = Instant::now();
        let mut stopped: Option<Instant> = None;
        let mut failure = None;
        loop {
            let event = happened.recv_timeout(TICK);
            let now = start.elapsed().as_secs_f64();
            if until.time.is_some_and(|time| start.elapsed() >= time) {
                stop.store(true, Ordering::SeqCst);
            }
            if stop.load(Ordering::SeqCst) && stopped.get_or_insert_with(Instant::now).elapsed() >= GRACE {
                // A compiler that hangs must not hold up the end: its test is done again the next time.
                cancelled.store(true, Ordering::SeqCst);
                cancellers.iter().for_each(Canceller::cancel);
            }
            match event {
                Ok(mut event) => {
                    if let Event::Found(found) = &mut event {
                        found.at = Some(now);
                    }
                    status.apply(now, &event);
                    watch(Some(&event), &status);
                }
                Err(RecvTimeoutError::Timeout) => {
                    status.elapsed = now;
                    watch(None, &status);
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if trimmed.elapsed() >= TRIM {
                trimmed = Instant::now();
                // The workers still have things to tell, and wait until somebody hears them.
                if let Err(error) = shared.store.call(move |store| store.trim(quota)) {
                    failure = Some(error);
                    stop.store(true, Ordering::SeqCst);
                }
            }
            if noted.elapsed() >= NOTE {
                noted = Instant::now();
                if let Err(error) = note_yields(&shared) {
                    failure = Some(error);
                    stop.store(true, Ordering::SeqCst);
                }
            }
        }
        for worker in workers {
            let worker =
                worker.map_err(|error| WorkError::Lab(howler_oracle::lab::LabError::Scratch(error)))?;
            // What a worker panics with outside a test is Howler's own trouble; the others have stopped by now.
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        shared.store.call(move |store| store.trim(quota))?;
        note_yields(&shared)?;
        failure.map_or(Ok(()), |error| Err(error.into()))
    });
    drop(shared);
    writer.finish()?;
    ended?;
    status.elapsed = start.elapsed().as_secs_f64();
    Ok(status)
}

/// Events that nobody has seen yet; workers wait for a slow screen or reader, so that what they tell does not pile up.
const UNSEEN: usize = 1024;
/// The number of tests of an arm that never ends: the store counts to 2^63.
const MOST: u64 = i64::MAX.unsigned_abs();
/// What tests under way get to end by themselves when the hunt ends.
const GRACE: Duration = Duration::from_secs(5);
/// Time between two notes of how the arms do.
const NOTE: Duration = Duration::from_secs(300);
/// Time between two looks at the size of the folder.
const TRIM: Duration = Duration::from_secs(30);

/// What arms count for while nothing is found: small tests are many and cheap and get most of the time, and each size that
/// there is gets a good part, whatever the number of its arms.
fn weights(setup: &Setup) -> Vec<f64> {
    let grades: Vec<Grade> = setup.arms.iter().map(|arm| arm.source.grade()).collect();
    let alike = |grade: Grade| grades.iter().filter(|&&other| other == grade).count() as f64;
    grades.iter().map(|&grade| grade.weight() / alike(grade)).collect()
}

/// What earlier hunts in this folder did.
fn earlier(setup: &Setup, store: &Store, until: Until) -> Result<Status, HuntError> {
    let mut status = Status {
        folder: store.folder().display().to_string(),
        time: until.time.map(|time| time.as_secs_f64()),
        tests: until.tests,
        ..Status::default()
    };
    let counts = store.arms()?;
    for arm in &setup.arms {
        let total = counts.iter().find(|known| known.arm.id() == arm.row.id()).map_or(0, |known| known.tests);
        let entry: &mut ArmStatus = status.arms.entry(arm.source.name().to_owned()).or_default();
        entry.total += total;
    }
    let seen = store.signatures()?;
    for finding in store.findings()? {
        let times = seen.iter().find(|counts| counts.signature == finding.signature);
        status.found.push(Found {
            id: finding.id(),
            signature: finding.signature,
            kind: finding.kind.clone(),
            confirmed: finding.status == Sure::Confirmed,
            title: finding.title.clone(),
            at: None,
            // A hang may turn out to be another thing, and then have no sightings under that name.
            seen: times.map_or(1, |counts| counts.sightings),
        });
    }
    Ok(status)
}

/// The kind of the events that say how an arm did lately.
const YIELD: &str = "yield";

/// Writes down how the arms did lately, so that the next hunt here goes on where this one was. It is no row that folders
/// are compared by: it depends on time.
fn note_yields(shared: &Shared<'_>) -> Result<(), howler_store::Error> {
    let yields = shared.schedule.lock().unwrap_or_else(PoisonError::into_inner).yields().to_vec();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let at = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    let events: Vec<Note> = (shared.setup.arms.iter().zip(yields))
        .map(|(arm, known)| Note {
            at,
            kind: YIELD.to_owned(),
            subject: arm.row.id().to_string(),
            text: known.text(),
        })
        .collect();
    shared.store.call(move |store| events.iter().try_for_each(|event| store.note(event)))
}

/// What earlier hunts here know of the arms: how they did, and which tests were put off.
fn remember(
    setup: &Setup,
    store: &Store,
    shard: Shard,
    schedule: &mut Schedule,
) -> Result<(), howler_store::Error> {
    let events = store.events(EVENTS)?;
    let counts = store.arms()?;
    // What nobody has looked at twice is done again, so that somebody does.
    let mut waiting = store.findings()?;
    waiting.retain(|finding| finding.status == Sure::Waiting && shard.has(finding.index));
    for (number, arm) in setup.arms.iter().enumerate() {
        let id = arm.row.id();
        let of_this = |event: &&Note| event.kind == YIELD && event.subject == id.to_string();
        let known = events.iter().rev().find(of_this).and_then(|event| Yield::parse(&event.text));
        let has_any = (counts.iter().find(|counts| counts.arm.id() == id))
            .is_some_and(|counts| counts.verdicts.contains_key(DEFERRED));
        let mut deferred = if has_any { deferred(store, id, shard)? } else { Vec::new() };
        deferred.extend(waiting.iter().filter(|one| one.arm == id).map(|one| one.index));
        schedule.remember(number, known, deferred);
    }
    Ok(())
}

/// The tests of an arm that were put off and belong to the shard.
fn deferred(store: &Store, arm: Id, shard: Shard) -> Result<Vec<u64>, howler_store::Error> {
    let mut all = Vec::new();
    let mut next = Some(0);
    while let Some(start) = next {
        let page = store.tests(arm, start, PAGE)?;
        next = page.last().and_then(|record| record.test.index.checked_add(1));
        let put_off = page.iter().map(|record| &record.test).filter(|test| test.verdict == DEFERRED);
        all.extend(put_off.map(|test| test.index).filter(|&index| shard.has(index)));
    }
    Ok(all)
}

/// Events that are looked through at the start, and tests that are read at once.
const EVENTS: usize = 10_000;
const PAGE: usize = 1024;

/// The signatures that earlier hunts have dealt with.
fn known(store: &Store) -> Result<Known, HuntError> {
    let mut known = Known::default();
    let stands = |sure: Sure| !matches!(sure, Sure::Disputed | Sure::Flaky | Sure::Waiting);
    for finding in store.findings()?.into_iter().filter(|finding| stands(finding.status)) {
        let suspect = finding.status == Sure::Suspect;
        known.enter(finding.signature, Place { suspect, arm: finding.arm, index: finding.index });
    }
    for (signature, marked) in store.marks()? {
        known.mark(signature, marked.mark);
    }
    Ok(known)
}
