//! A ledger that is gone when the process is: for tests, and the model that the folder is compared with.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use howler_case::Id;

use crate::blob::Blob;
use crate::error::{Error, Result};
use crate::lease::{Shard, Taken};
use crate::ledger::{ArmCounts, Ledger, Outcome, Recorded, SignatureCounts};
use crate::row::{self, Arm, Event, Finding, NewFinding, Record, Sighting};

/// Rows in memory.
#[derive(Default, Debug)]
pub struct Memory {
    meta: BTreeMap<String, String>,
    arms: BTreeMap<Id, Arm>,
    records: BTreeMap<(Id, u64), Record>,
    findings: BTreeMap<Id, Finding>,
    blobs: BTreeMap<Id, Blob>,
    events: Vec<Event>,
    taken: BTreeMap<Id, Taken>,
}

impl Memory {
    /// An empty one.
    pub fn new() -> Memory {
        Memory::default()
    }

    fn arm(&self, arm: Id) -> Result<&Arm> {
        self.arms.get(&arm).ok_or(Error::UnknownArm(arm))
    }

    fn of_arm(&self, arm: Id) -> impl Iterator<Item = &Record> {
        self.records.range((arm, 0)..=(arm, u64::MAX)).map(|(_, record)| record)
    }

    /// Drops blobs that no row names any more.
    fn forget(&mut self, candidates: impl IntoIterator<Item = Id>) {
        let candidates: BTreeSet<Id> = candidates.into_iter().collect();
        if candidates.is_empty() {
            return;
        }
        let sightings = self.records.values().flat_map(|record| &record.sightings);
        let named: BTreeSet<Id> = sightings
            .flat_map(|sighting| sighting.blobs.iter().copied())
            .chain(self.findings.values().flat_map(|finding| finding.files.iter().map(|file| file.blob)))
            .collect();
        candidates.difference(&named).for_each(|id| {
            self.blobs.remove(id);
        });
    }
}

impl Ledger for Memory {
    fn register(&mut self, arm: &Arm) -> Result<()> {
        self.arms.entry(arm.id()).or_insert_with(|| arm.clone());
        Ok(())
    }

    fn lease(&mut self, arm: Id, shard: Shard, at_most: u64, end: u64) -> Result<Option<Range<u64>>> {
        self.arm(arm)?;
        Ok(self.taken.entry(arm).or_default().take(shard, at_most, end))
    }

    fn release(&mut self, arm: Id, range: Range<u64>) -> Result<()> {
        self.arm(arm)?;
        let taken = self.taken.entry(arm).or_default();
        taken.remove(range.clone());
        if range.start < range.end {
            self.records
                .range((arm, range.start)..(arm, range.end))
                .for_each(|((_, index), _)| taken.add(*index..index + 1));
        }
        Ok(())
    }

    fn record(&mut self, batch: &[Record]) -> Result<Vec<Recorded>> {
        for record in batch {
            record.check()?;
            self.arm(record.test.arm)?;
        }
        let mut recorded = Vec::with_capacity(batch.len());
        for record in batch {
            let (arm, index) = (record.test.arm, record.test.index);
            let mut dropped = Vec::new();
            match self.records.get(&(arm, index)) {
                None => recorded.push(Recorded::New),
                Some(old) if old.same_rows(record) => recorded.push(Recorded::Same),
                Some(old) => {
                    recorded.push(record.against(old));
                    if old.precedes(record) {
                        continue;
                    }
                    dropped = old.sightings.iter().flat_map(|sighting| sighting.blobs.clone()).collect();
                }
            }
            let named: BTreeSet<Id> =
                record.sightings.iter().flat_map(|sighting| sighting.blobs.iter().copied()).collect();
            for blob in record.blobs.iter().filter(|blob| named.contains(&blob.id())) {
                self.blobs.entry(blob.id()).or_insert_with(|| blob.clone());
            }
            self.records.insert((arm, index), Record { blobs: Vec::new(), ..record.clone() });
            self.taken.entry(arm).or_default().add(index..index + 1);
            self.forget(dropped);
        }
        Ok(recorded)
    }

    fn put_finding(&mut self, new: &NewFinding) -> Result<Outcome> {
        let finding = new.finding();
        let missing = |blob: &Id| {
            !self.blobs.contains_key(blob) && !new.blobs().iter().any(|given| given.id() == *blob)
        };
        if let Some(file) = finding.files.iter().find(|file| missing(&file.blob)) {
            return Err(Error::Invalid(format!("the bytes of '{}' are not there", file.name)));
        }
        let mut outcome = Outcome::New;
        let mut dropped = Vec::new();
        if let Some(old) = self.findings.get(&finding.signature) {
            if old == finding {
                return Ok(Outcome::Known);
            }
            if old.rank() < finding.rank() {
                return Ok(Outcome::Worse(old.id()));
            }
            outcome = Outcome::Replaced(old.id());
            dropped = old.files.iter().map(|file| file.blob).collect();
        }
        for blob in new.blobs() {
            self.blobs.entry(blob.id()).or_insert_with(|| blob.clone());
        }
        self.findings.insert(finding.signature, finding.clone());
        self.forget(dropped);
        Ok(outcome)
    }

    fn note(&mut self, event: &Event) -> Result<()> {
        row::check_event(event)?;
        self.events.push(event.clone());
        Ok(())
    }

    fn set_meta(&mut self, key: &str, value: &str) -> Result<()> {
        row::check_meta(key, value)?;
        self.meta.insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    fn meta(&self) -> Result<BTreeMap<String, String>> {
        Ok(self.meta.clone())
    }

    fn arms(&self) -> Result<Vec<ArmCounts>> {
        let count = |arm: &Arm| {
            let mut counts = ArmCounts {
                arm: arm.clone(),
                cursor: 0,
                tests: 0,
                builds: 0,
                runs: 0,
                sightings: 0,
                verdicts: BTreeMap::new(),
            };
            for record in self.of_arm(arm.id()) {
                counts.cursor += u64::from(counts.cursor == record.test.index);
                counts.tests += 1;
                counts.builds += u64::from(record.test.builds);
                counts.runs += u64::from(record.test.runs);
                counts.sightings += record.sightings.len() as u64;
                *counts.verdicts.entry(record.test.verdict.clone()).or_default() += 1;
            }
            counts
        };
        Ok(self.arms.values().map(count).collect())
    }

    fn tests(&self, arm: Id, from: u64, at_most: usize) -> Result<Vec<Record>> {
        self.arm(arm)?;
        Ok(self.of_arm(arm).filter(|record| record.test.index >= from).take(at_most).cloned().collect())
    }

    fn signatures(&self) -> Result<Vec<SignatureCounts>> {
        let mut found: BTreeMap<Id, SignatureCounts> = BTreeMap::new();
        for ((arm, index), record) in &self.records {
            for sighting in &record.sightings {
                let counts = found.entry(sighting.signature).or_insert_with(|| SignatureCounts {
                    signature: sighting.signature,
                    kind: sighting.kind.clone(),
                    sightings: 0,
                    smallest: (*arm, *index),
                    finding: self.findings.get(&sighting.signature).map(Finding::id),
                });
                counts.sightings += 1;
            }
        }
        Ok(found.into_values().collect())
    }

    fn sightings(&self, signature: Id, at_most: usize) -> Result<Vec<(Id, u64, Sighting)>> {
        let all = self.records.iter().flat_map(|((arm, index), record)| {
            record.sightings.iter().map(|sighting| (*arm, *index, sighting))
        });
        let wanted = all.filter(|(_, _, sighting)| sighting.signature == signature).take(at_most);
        Ok(wanted.map(|(arm, index, sighting)| (arm, index, sighting.clone())).collect())
    }

    fn finding_for(&self, signature: Id) -> Result<Option<Finding>> {
        Ok(self.findings.get(&signature).cloned())
    }

    fn findings(&self) -> Result<Vec<Finding>> {
        let mut all: Vec<Finding> = self.findings.values().cloned().collect();
        all.sort_by_key(|finding| (finding.arm, finding.index, finding.signature));
        Ok(all)
    }

    fn blob(&self, id: Id) -> Result<Option<Blob>> {
        Ok(self.blobs.get(&id).cloned())
    }

    fn blobs(&self) -> Result<Vec<(Id, u64)>> {
        Ok(self.blobs.values().map(|blob| (blob.id(), blob.size() as u64)).collect())
    }

    fn events(&self, at_most: usize) -> Result<Vec<Event>> {
        Ok(self.events[self.events.len().saturating_sub(at_most)..].to_vec())
    }
}
