//! What a watched stream shares with its sub-streams: the record so far, the record being replayed, the fuel.
//!
//! Plain streams have none of this. A stream and its sub-streams share one lock, which nobody else contends for:
//! a [`Choices`](crate::Choices) and its relatives belong to one worker.

use crate::record::{Decision, Divergence, Mismatch, Record};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One stream's view of what it shares.
pub(crate) struct Watch {
    shared: Arc<Mutex<Shared>>,
    /// This stream's path; empty if nothing is recorded.
    path: Arc<str>,
}

struct Shared {
    /// How many decisions are still free; `None` if all are.
    fuel: Option<u64>,
    log: Option<Log>,
}

struct Log {
    record: Record,
    /// How often each path was opened. The second stream of one path gets a path of its own, so that a record
    /// stays exact even then.
    opened: BTreeMap<String, u32>,
    replay: Option<Replay>,
}

struct Replay {
    /// The recorded decisions of each path, and how many of them are used.
    streams: BTreeMap<Arc<str>, (Vec<Decision>, usize)>,
    divergence: Option<Divergence>,
}

impl Watch {
    /// Counts fuel only.
    pub(crate) fn silent() -> Watch {
        Watch::over(None)
    }

    pub(crate) fn recording(seed: u64) -> Watch {
        Watch::over(Some(Log { record: Record::new(seed), opened: BTreeMap::new(), replay: None }))
    }

    pub(crate) fn replaying(source: &Record) -> Watch {
        let mut streams: BTreeMap<Arc<str>, (Vec<Decision>, usize)> = BTreeMap::new();
        for decision in source.decisions() {
            streams.entry(Arc::clone(&decision.path)).or_default().0.push(decision.clone());
        }
        let replay = Some(Replay { streams, divergence: None });
        Watch::over(Some(Log { record: Record::new(source.seed()), opened: BTreeMap::new(), replay }))
    }

    fn over(log: Option<Log>) -> Watch {
        let path = if log.is_some() { "/" } else { "" };
        Watch { shared: Arc::new(Mutex::new(Shared { fuel: None, log })), path: Arc::from(path) }
    }

    pub(crate) fn set_fuel(&self, fuel: u64) {
        self.lock().fuel = Some(fuel);
    }

    pub(crate) fn child(&self, label: &'static str, index: Option<u64>) -> Watch {
        debug_assert!(is_word(label) && !label.contains('/'), "label `{label}` is no single word");
        let mut shared = self.lock();
        let path = match &mut shared.log {
            None => Arc::clone(&self.path),
            Some(log) => log.open(&self.path, label, index),
        };
        Watch { shared: Arc::clone(&self.shared), path }
    }

    /// A number in `0..=max`: from the replayed record, or drawn; 0 once the fuel is used up.
    pub(crate) fn decide(&self, name: &'static str, max: u128, draw: impl FnOnce() -> u128) -> u128 {
        let mut shared = self.lock();
        let burning = match &mut shared.fuel {
            None => true,
            Some(0) => false,
            Some(fuel) => {
                *fuel -= 1;
                true
            }
        };
        let Some(log) = &mut shared.log else { return if burning { draw() } else { 0 } };
        debug_assert!(is_word(name), "decision `{name}` has a line break in its name or is empty");
        let value = match &mut log.replay {
            _ if !burning => 0,
            None => draw(),
            Some(replay) => replay.answer(&self.path, name, max),
        };
        log.record.push(Decision { path: Arc::clone(&self.path), name: Cow::Borrowed(name), value, max });
        value
    }

    pub(crate) fn record(&self) -> Option<Record> {
        self.lock().log.as_ref().map(|log| log.record.clone())
    }

    pub(crate) fn divergence(&self) -> Option<Divergence> {
        self.lock().log.as_ref()?.replay.as_ref()?.divergence.clone()
    }

    pub(crate) fn unused(&self) -> usize {
        let shared = self.lock();
        let Some(replay) = shared.log.as_ref().and_then(|log| log.replay.as_ref()) else { return 0 };
        replay.streams.values().map(|(decisions, used)| decisions.len() - used).sum()
    }

    pub(crate) fn out_of_fuel(&self) -> bool {
        self.lock().fuel == Some(0)
    }

    /// A panic elsewhere leaves nothing half done in here, so a poisoned lock is as good as any.
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    /// The path of a new stream below `parent`, ending in `~2`, `~3`… if there was one of that path before.
    fn open(&mut self, parent: &str, label: &str, index: Option<u64>) -> Arc<str> {
        let slash = if parent.ends_with('/') { "" } else { "/" };
        let path = match index {
            Some(index) => format!("{parent}{slash}{label}[{index}]"),
            None => format!("{parent}{slash}{label}"),
        };
        let times = self.opened.entry(path.clone()).or_insert(0);
        *times += 1;
        Arc::from(if *times == 1 { path } else { format!("{path}~{times}") })
    }
}

impl Replay {
    fn answer(&mut self, path: &str, name: &'static str, max: u128) -> u128 {
        let (recorded, position) = match self.streams.get_mut(path) {
            Some((decisions, used)) => {
                let next = decisions.get(*used);
                // A decision of another name stays for the next question: one new decision costs one answer.
                *used += usize::from(next.is_some_and(|decision| decision.name == name));
                (next, *used)
            }
            None => (None, 0),
        };
        let (mismatch, value) = match recorded {
            None => (Mismatch::Ended { asked: name }, 0),
            Some(decision) if decision.name != name => {
                (Mismatch::Name { recorded: decision.name.clone().into_owned(), asked: name }, 0)
            }
            Some(decision) if decision.max == max && decision.value <= max => return decision.value,
            Some(decision) => {
                let value = if decision.value <= max { decision.value } else { 0 };
                (Mismatch::Range { name, value: decision.value, recorded: decision.max, asked: max }, value)
            }
        };
        // A name that differs was not counted as used, and neither was a decision past the end.
        let number = position + usize::from(!matches!(mismatch, Mismatch::Range { .. }));
        self.divergence.get_or_insert(Divergence { path: path.to_owned(), number, mismatch });
        value
    }
}

/// Whether the text form of a record can carry `text`.
fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_control())
}
