//! Many threads, one writer.

mod support;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::channel;

use howler_case::Id;
use howler_store::{
    Arm, ArmCounts, Blob, Error, Event, Finding, Group, Ledger, Marked, Memory, NewFinding, Outcome, Record,
    Recorded, Regrouping, Result, Shard, Sighting, SignatureCounts, Store, Writer,
};
use howler_testkit::Scratch;
use support::{arm, record, sighting};

#[test]
fn all_that_threads_record_is_there() {
    let scratch = Scratch::new();
    let mut store = Store::create(&scratch.path("campaign"), b"").unwrap();
    let a = arm("a");
    store.register(&a).unwrap();
    let writer = Writer::start(store).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let (handle, a) = (writer.handle(), &a);
            scope.spawn(move || {
                let id = a.id();
                while let Some(range) =
                    handle.call(move |store| store.lease(id, Shard::WHOLE, 7, 3000)).unwrap()
                {
                    for index in range {
                        let recorded = handle.record(vec![record(a, index, &[sighting("s")])]).unwrap();
                        assert_eq!(recorded, [Recorded::New]);
                    }
                }
            });
        }
    });
    let handle = writer.handle();
    let store = writer.finish().unwrap();
    assert_eq!(store.arms().unwrap()[0].tests, 3000);
    assert_eq!(store.arms().unwrap()[0].cursor, 3000);
    assert_eq!(handle.record(vec![record(&a, 9999, &[])]), Err(Error::WriterGone));
    assert_eq!(handle.call(|store| store.meta()), Err(Error::WriterGone));
}

/// In a group, each worker hears of its own batch only.
#[test]
fn a_bad_batch_spoils_no_other() {
    let a = arm("a");
    let mut memory = Memory::new();
    memory.register(&a).unwrap();
    memory.record(&[record(&a, 3, &[])]).unwrap();
    let writer = Writer::start(memory).unwrap();
    // The writer is held up until all batches wait.
    let (release, held) = channel::<()>();
    let holder = writer.handle();
    let mut bad = record(&a, 2, &[]);
    bad.test.verdict = String::new();
    std::thread::scope(|scope| {
        scope.spawn(move || holder.call(move |_| held.recv().map_err(|_| Error::WriterGone)).unwrap());
        let ask = |batch: Vec<Record>| {
            let handle = writer.handle();
            scope.spawn(move || handle.record(batch))
        };
        let good = ask(vec![record(&a, 0, &[]), record(&a, 1, &[])]);
        let spoilt = ask(vec![bad]);
        let known = ask(vec![record(&a, 3, &[]), record(&a, 4, &[])]);
        std::thread::sleep(std::time::Duration::from_millis(100));
        release.send(()).unwrap();
        assert_eq!(good.join().unwrap().unwrap(), [Recorded::New, Recorded::New]);
        assert!(matches!(spoilt.join().unwrap(), Err(Error::Invalid(_))));
        assert_eq!(known.join().unwrap().unwrap(), [Recorded::Same, Recorded::New]);
    });
    assert_eq!(writer.finish().unwrap().arms().unwrap()[0].tests, 4);
}

/// A ledger on a disk that is full for a while.
struct Sick {
    inner: Memory,
    failures: u32,
    calls: u32,
}

impl Ledger for Sick {
    fn record(&mut self, batch: &[Record]) -> Result<Vec<Recorded>> {
        self.calls += 1;
        if self.failures > 0 {
            self.failures -= 1;
            return Err(Error::Full { path: "x".into(), free: 0 });
        }
        self.inner.record(batch)
    }
    fn register(&mut self, arm: &Arm) -> Result<()> {
        self.inner.register(arm)
    }
    fn lease(&mut self, arm: Id, shard: Shard, at_most: u64, end: u64) -> Result<Option<Range<u64>>> {
        self.inner.lease(arm, shard, at_most, end)
    }
    fn release(&mut self, arm: Id, range: Range<u64>) -> Result<()> {
        self.inner.release(arm, range)
    }
    fn put_finding(&mut self, new: &NewFinding) -> Result<Outcome> {
        self.inner.put_finding(new)
    }
    fn set_mark(&mut self, signature: Id, marked: Option<&Marked>) -> Result<()> {
        self.inner.set_mark(signature, marked)
    }
    fn put_group(&mut self, group: &Group) -> Result<()> {
        self.inner.put_group(group)
    }
    fn regroup(&mut self, plan: &Regrouping) -> Result<()> {
        self.inner.regroup(plan)
    }
    fn marks(&self) -> Result<BTreeMap<Id, Marked>> {
        self.inner.marks()
    }
    fn groups(&self) -> Result<Vec<Group>> {
        self.inner.groups()
    }
    fn note(&mut self, event: &Event) -> Result<()> {
        self.inner.note(event)
    }
    fn set_meta(&mut self, key: &str, value: &str) -> Result<()> {
        self.inner.set_meta(key, value)
    }
    fn meta(&self) -> Result<BTreeMap<String, String>> {
        self.inner.meta()
    }
    fn arms(&self) -> Result<Vec<ArmCounts>> {
        self.inner.arms()
    }
    fn tests(&self, arm: Id, from: u64, at_most: usize) -> Result<Vec<Record>> {
        self.inner.tests(arm, from, at_most)
    }
    fn signatures(&self) -> Result<Vec<SignatureCounts>> {
        self.inner.signatures()
    }
    fn sightings(&self, signature: Id, at_most: usize) -> Result<Vec<(Id, u64, Sighting)>> {
        self.inner.sightings(signature, at_most)
    }
    fn finding_for(&self, signature: Id) -> Result<Option<Finding>> {
        self.inner.finding_for(signature)
    }
    fn findings(&self) -> Result<Vec<Finding>> {
        self.inner.findings()
    }
    fn blob(&self, id: Id) -> Result<Option<Blob>> {
        self.inner.blob(id)
    }
    fn blobs(&self) -> Result<Vec<(Id, u64)>> {
        self.inner.blobs()
    }
    fn events_about(&self, subject: &str, at_most: usize) -> Result<Vec<Event>> {
        self.inner.events_about(subject, at_most)
    }
    fn events(&self, at_most: usize) -> Result<Vec<Event>> {
        self.inner.events(at_most)
    }
}

#[test]
fn a_failure_reaches_everyone_and_passes() {
    let a = arm("a");
    let mut inner = Memory::new();
    inner.register(&a).unwrap();
    let writer = Writer::start(Sick { inner, failures: 2, calls: 0 }).unwrap();
    let (release, held) = channel::<()>();
    let holder = writer.handle();
    std::thread::scope(|scope| {
        scope.spawn(move || holder.call(move |_| held.recv().map_err(|_| Error::WriterGone)).unwrap());
        let workers: Vec<_> = (0..4)
            .map(|index| {
                let (handle, a) = (writer.handle(), &a);
                scope.spawn(move || {
                    let mut failures = 0;
                    while handle.record(vec![record(a, index, &[])]).is_err() {
                        failures += 1;
                    }
                    failures
                })
            })
            .collect();
        std::thread::sleep(std::time::Duration::from_millis(100));
        release.send(()).unwrap();
        let failures: u32 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
        assert!(failures >= 2, "{failures}");
    });
    let sick = writer.finish().unwrap();
    assert_eq!(sick.arms().unwrap()[0].tests, 4);
}
