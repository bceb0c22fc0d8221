//! The hunt: workers, what they share, and when it ends.
//!
//! A test is recorded when all that came of it is on disk: a kill at any moment costs the tests under way, which are
//! done again, and never a finding.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use howler_oracle::bench::Bench;
use howler_store::{Ledger, Shard, Status as Sure, Store, Writer};
use howler_toolchain::guard::Canceller;

use crate::known::{Known, Place};
use crate::schedule::Schedule;
use crate::setup::Setup;
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

/// Hunts until told to stop. Each worker has a bench of its own. `watch` is called with every event, and with none when
/// time has passed; it may set `stop`.
pub fn hunt(
    setup: &Setup,
    store: Store,
    shard: Shard,
    until: Until,
    benches: Vec<Bench>,
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
    let ends = setup.arms.iter().map(|arm| {
        let end = arm.source.count().unwrap_or(MOST).min(until.tests.unwrap_or(MOST));
        (arm.row.id(), end)
    });
    let schedule = Mutex::new(Schedule::new(ends));
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
    let cancellers: Vec<Canceller> =
        benches.iter().filter_map(|bench| bench.guard.canceller().ok()).collect();
    let ended: Result<(), HuntError> = std::thread::scope(|scope| {
        let (events, happened) = channel();
        let mut workers = Vec::new();
        for (number, bench) in benches.into_iter().enumerate() {
            let events = events.clone();
            let shared = &shared;
            let work = move || {
                let done = Worker { number, bench, shared, events }.work();
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
        let mut stopped: Option<Instant> = None;
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
                shared.store.call(move |store| store.trim(quota))?;
            }
        }
        for worker in workers {
            let worker =
                worker.map_err(|error| WorkError::Bench(howler_oracle::bench::BenchError::Scratch(error)))?;
            // What a worker panics with outside a test is Howler's own trouble; the others have stopped by now.
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        Ok(())
    });
    drop(shared);
    writer.finish()?;
    ended?;
    status.elapsed = start.elapsed().as_secs_f64();
    Ok(status)
}

/// The number of tests of an arm that never ends: the store counts to 2^63.
const MOST: u64 = i64::MAX.unsigned_abs();
/// What tests under way get to end by themselves when the hunt ends.
const GRACE: Duration = Duration::from_secs(5);
/// Time between two looks at the size of the folder.
const TRIM: Duration = Duration::from_secs(30);

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

/// The signatures that earlier hunts have dealt with.
fn known(store: &Store) -> Result<Known, HuntError> {
    let mut known = Known::default();
    for finding in store.findings()?.into_iter().filter(|finding| finding.status != Sure::Flaky) {
        let suspect = finding.status == Sure::Suspect;
        known.enter(finding.signature, Place { suspect, arm: finding.arm, index: finding.index });
    }
    Ok(known)
}
