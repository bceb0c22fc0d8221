//! What a place that keeps rows can do. Two keep them today: [`Store`](crate::Store), a folder with SQLite, and
//! [`Memory`](crate::Memory); a server for fleets can be a third. `tests/contract.rs` says what all must do.
//!
//! Writing rows is a join: recording the same again changes nothing, and the order of writing does not matter. That is
//! why shards merge to what one run would have given.

use std::collections::BTreeMap;
use std::ops::Range;

use howler_case::Id;

use crate::blob::Blob;
use crate::error::Result;
use crate::lease::Shard;
use crate::mark::{Group, Marked};
use crate::regroup::Regrouping;
use crate::row::{Arm, Event, Finding, NewFinding, Record, Sighting};

/// A place that keeps a campaign's rows.
///
/// A call that fails leaves what was there before in order, and can be made again.
pub trait Ledger {
    /// Makes an arm known. Known ones stay as they are.
    fn register(&mut self, arm: &Arm) -> Result<()>;

    /// Takes work: the first tests of an arm, below `end`, that belong to the shard and that nobody has recorded or
    /// taken; at most `at_most`, and never across the end of a block. `None` if there are none.
    ///
    /// What is taken and never recorded is handed out again after the ledger is opened the next time.
    fn lease(&mut self, arm: Id, shard: Shard, at_most: u64, end: u64) -> Result<Option<Range<u64>>>;

    /// Gives back what was taken and not recorded, so that it can be taken again at once.
    fn release(&mut self, arm: Id, range: Range<u64>) -> Result<()>;

    /// Records tests with their sightings, all of them or none, and says for each what it was. Where two different
    /// records claim to be the same test, the smaller one is kept.
    fn record(&mut self, batch: &[Record]) -> Result<Vec<Recorded>>;

    /// Keeps a finding if it is better than the one kept for its signature. When this returns, it is on disk.
    fn put_finding(&mut self, new: &NewFinding) -> Result<Outcome>;

    /// Marks a signature, or takes its mark away. When this returns, it is on disk.
    fn set_mark(&mut self, signature: Id, marked: Option<&Marked>) -> Result<()>;

    /// Adds signatures to a group.
    fn put_group(&mut self, group: &Group) -> Result<()>;

    /// Gives rows other signatures, all at once. Not a join: whoever merges afterwards should have regrouped both.
    fn regroup(&mut self, plan: &Regrouping) -> Result<()>;

    /// Writes down what a hunt did.
    fn note(&mut self, event: &Event) -> Result<()>;

    /// Sets metadata: what identifies the campaign, such as its seed. A merge refuses folders that differ in it.
    fn set_meta(&mut self, key: &str, value: &str) -> Result<()>;

    /// All metadata.
    fn meta(&self) -> Result<BTreeMap<String, String>>;

    /// All arms, by id, with what was done. Reads every test's row: for the start and the end of a hunt.
    fn arms(&self) -> Result<Vec<ArmCounts>>;

    /// The tests of an arm from an index on, at most so many, in order, without their blobs.
    fn tests(&self, arm: Id, from: u64, at_most: usize) -> Result<Vec<Record>>;

    /// All signatures, by id, with how often they were seen.
    fn signatures(&self) -> Result<Vec<SignatureCounts>>;

    /// The sightings of a signature by (arm, index), at most so many.
    fn sightings(&self, signature: Id, at_most: usize) -> Result<Vec<(Id, u64, Sighting)>>;

    /// The finding kept for a signature.
    fn finding_for(&self, signature: Id) -> Result<Option<Finding>>;

    /// All findings, of any status, by (arm, index).
    fn findings(&self) -> Result<Vec<Finding>>;

    /// All marks, by signature.
    fn marks(&self) -> Result<BTreeMap<Id, Marked>>;

    /// All groups, by id.
    fn groups(&self) -> Result<Vec<Group>>;

    /// Bytes by identity. `None` if they were never there, or a quota removed them.
    fn blob(&self, id: Id) -> Result<Option<Blob>>;

    /// The identities and sizes of all blobs, in order.
    fn blobs(&self) -> Result<Vec<(Id, u64)>>;

    /// The newest events, at most so many, the oldest of them first.
    fn events(&self, at_most: usize) -> Result<Vec<Event>>;

    /// The first events about a subject, at most so many.
    fn events_about(&self, subject: &str, at_most: usize) -> Result<Vec<Event>>;
}

/// What a test was when it was recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// Not there.
    New,
    /// There, just so.
    Same,
    /// There with other rows: something that is not a function of (arm, index) was recorded.
    Clashed,
}

/// What became of a finding that was put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It is the first of its signature.
    New,
    /// It is kept instead of the one with this id.
    Replaced(Id),
    /// It was there already.
    Known,
    /// The one with this id is better and stays; this one was not kept.
    Worse(Id),
}

/// An arm and what was done of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArmCounts {
    /// The arm.
    pub arm: Arm,
    /// Its first test that is not recorded.
    pub cursor: u64,
    /// Tests recorded.
    pub tests: u64,
    /// Programs built in them.
    pub builds: u64,
    /// Programs run in them.
    pub runs: u64,
    /// Things seen in them.
    pub sightings: u64,
    /// Tests by verdict.
    pub verdicts: BTreeMap<String, u64>,
}

/// A signature and how often it was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureCounts {
    /// The signature.
    pub signature: Id,
    /// The kind of its sightings.
    pub kind: String,
    /// How many sightings there are.
    pub sightings: u64,
    /// The arm and index of the smallest one.
    pub smallest: (Id, u64),
    /// The finding that stands for it, if one was put. A signature without one still waits for its confirmation.
    pub finding: Option<Id>,
}
