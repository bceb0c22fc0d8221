//! A ledger that is gone when the process is: for tests, and the model that the folder is compared with.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use howler_case::Id;

use crate::blob::Blob;
use crate::error::{Error, Result};
use crate::kept::PROGRAMS;
use crate::lease::{Shard, Taken};
use crate::ledger::{ArmCounts, Ledger, Outcome, Recorded, SignatureCounts};
use crate::mark::{Group, Marked};
use crate::regroup::{Regrouping, Seen};
use crate::row::{self, Arm, Event, Finding, NewFinding, Record, Sighting};

/// Rows in memory.
#[derive(Default, Debug)]
pub struct Memory {
    meta: BTreeMap<String, String>,
    arms: BTreeMap<Id, Arm>,
    records: BTreeMap<(Id, u64), Record>,
    /// The sightings of each signature.
    seen: BTreeMap<Id, BTreeSet<Seen>>,
    findings: BTreeMap<Id, Finding>,
    marks: BTreeMap<Id, Marked>,
    groups: BTreeMap<Id, Group>,
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

    fn sighting(&self, seen: &Seen) -> Option<&Sighting> {
        self.records.get(&(seen.arm, seen.index))?.sightings.get(seen.ordinal)
    }

    /// Whether a sighting is among the first of its signature.
    fn is_kept(&self, seen: &Seen) -> bool {
        let all = self.sighting(seen).and_then(|sighting| self.seen.get(&sighting.signature));
        all.is_some_and(|all| all.iter().take(PROGRAMS).any(|known| known == seen))
    }

    /// Enters or removes the sightings of a test.
    fn list(&mut self, arm: Id, index: u64, there: bool) {
        let Some(record) = self.records.get(&(arm, index)) else { return };
        for (ordinal, sighting) in record.sightings.iter().enumerate() {
            let all = self.seen.entry(sighting.signature).or_default();
            let seen = Seen { arm, index, ordinal };
            if there {
                all.insert(seen)
            } else {
                all.remove(&seen)
            };
        }
        self.seen.retain(|_, all| !all.is_empty());
    }

    /// Drops blobs that no finding and no kept sighting names.
    fn forget(&mut self) {
        let kept = self.seen.values().flat_map(|all| all.iter().take(PROGRAMS));
        let named: BTreeSet<Id> = kept
            .filter_map(|seen| self.sighting(seen))
            .flat_map(|sighting| sighting.blobs.iter().copied())
            .chain(self.findings.values().flat_map(|finding| finding.files.iter().map(|file| file.blob)))
            .collect();
        self.blobs.retain(|id, _| named.contains(id));
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
            let known = match self.records.get(&(arm, index)) {
                None => Recorded::New,
                Some(old) if old.same_rows(record) => Recorded::Same,
                Some(old) if old.precedes(record) => {
                    recorded.push(record.against(old));
                    continue;
                }
                Some(old) => record.against(old),
            };
            recorded.push(known);
            if known != Recorded::Same {
                self.list(arm, index, false);
                self.records.insert((arm, index), Record { blobs: Vec::new(), ..record.clone() });
                self.list(arm, index, true);
                self.taken.entry(arm).or_default().add(index..index + 1);
            }
            let kept = record.sightings.iter().enumerate();
            let kept = kept.filter(|(ordinal, _)| self.is_kept(&Seen { arm, index, ordinal: *ordinal }));
            let named: BTreeSet<Id> = kept.flat_map(|(_, sighting)| sighting.blobs.iter().copied()).collect();
            for blob in record.blobs.iter().filter(|blob| named.contains(&blob.id())) {
                self.blobs.entry(blob.id()).or_insert_with(|| blob.clone());
            }
            if !record.sightings.is_empty() || known == Recorded::Clashed {
                self.forget();
            }
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
        if let Some(old) = self.findings.get(&finding.signature) {
            if old == finding {
                return Ok(Outcome::Known);
            }
            if old.rank() < finding.rank() {
                return Ok(Outcome::Worse(old.id()));
            }
            outcome = Outcome::Replaced(old.id());
        }
        for blob in new.blobs() {
            self.blobs.entry(blob.id()).or_insert_with(|| blob.clone());
        }
        self.findings.insert(finding.signature, finding.clone());
        self.forget();
        Ok(outcome)
    }

    fn set_mark(&mut self, signature: Id, marked: Option<&Marked>) -> Result<()> {
        marked.map_or(Ok(()), Marked::check)?;
        match marked {
            Some(marked) => drop(self.marks.insert(signature, marked.clone())),
            None => drop(self.marks.remove(&signature)),
        }
        Ok(())
    }

    fn put_group(&mut self, group: &Group) -> Result<()> {
        group.check()?;
        let known = self.groups.entry(group.id()).or_insert_with(|| group.clone());
        known.signatures.extend(&group.signatures);
        Ok(())
    }

    fn regroup(&mut self, plan: &Regrouping) -> Result<()> {
        if let Some((seen, _)) = plan.sightings.iter().find(|(seen, _)| self.sighting(seen).is_none()) {
            return Err(Error::Invalid(format!("test {} has no sighting {}", seen.index, seen.ordinal)));
        }
        for (seen, signature) in &plan.sightings {
            self.list(seen.arm, seen.index, false);
            if let Some(record) = self.records.get_mut(&(seen.arm, seen.index)) {
                record.sightings[seen.ordinal].signature = *signature;
            }
            self.list(seen.arm, seen.index, true);
        }
        plan.findings.iter().for_each(|signature| drop(self.findings.remove(signature)));
        for new in &plan.puts {
            // Blobs that only a finding that went has are dropped at the end.
            let finding = new.finding();
            if self.findings.get(&finding.signature).is_none_or(|old| finding.rank() < old.rank()) {
                self.findings.insert(finding.signature, finding.clone());
                self.blobs.extend(new.blobs().iter().map(|blob| (blob.id(), blob.clone())));
            }
        }
        let moved: Vec<(Id, Marked)> =
            (plan.signatures.iter()).filter_map(|(old, new)| Some((*new, self.marks.remove(old)?))).collect();
        for (new, marked) in moved {
            let best = self.marks.remove(&new).into_iter().chain([marked]).max();
            self.marks.extend(best.map(|best| (new, best)));
        }
        for group in self.groups.values_mut() {
            let renamed = group.signatures.iter().map(|old| plan.signatures.get(old).unwrap_or(old));
            group.signatures = renamed.copied().collect();
        }
        self.forget();
        Ok(())
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

    fn marks(&self) -> Result<BTreeMap<Id, Marked>> {
        Ok(self.marks.clone())
    }

    fn groups(&self) -> Result<Vec<Group>> {
        Ok(self.groups.values().cloned().collect())
    }

    fn blob(&self, id: Id) -> Result<Option<Blob>> {
        Ok(self.blobs.get(&id).cloned())
    }

    fn blobs(&self) -> Result<Vec<(Id, u64)>> {
        Ok(self.blobs.values().map(|blob| (blob.id(), blob.size() as u64)).collect())
    }

    fn events_about(&self, subject: &str, at_most: usize) -> Result<Vec<Event>> {
        Ok(self.events.iter().filter(|event| event.subject == subject).take(at_most).cloned().collect())
    }

    fn events(&self, at_most: usize) -> Result<Vec<Event>> {
        Ok(self.events[self.events.len().saturating_sub(at_most)..].to_vec())
    }
}
