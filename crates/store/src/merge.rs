//! Two ledgers become one. Merging again changes nothing, and the order does not matter: every write is a join.

use std::collections::{BTreeMap, BTreeSet};

use howler_case::Id;

use crate::blob::Blob;
use crate::error::{Error, Result};
use crate::ledger::{Ledger, Outcome, Recorded};
use crate::row::{NewFinding, Record};

/// Tests that are read at once.
const PAGE: usize = 512;

/// Compressed bytes that are held at once, about.
const HELD: usize = 32 * 1024 * 1024;

/// What a merge brought.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Merged {
    /// Tests that were not there.
    pub new_tests: u64,
    /// Tests that both had, just so.
    pub same_tests: u64,
    /// Tests that both had with different rows: something that is not a function of (arm, index) was recorded.
    pub clashed_tests: u64,
    /// Findings of signatures that had none.
    pub new_findings: u64,
    /// Findings that are kept instead of worse ones.
    pub replaced_findings: u64,
    /// Marks that were not there, or lower.
    pub new_marks: u64,
}

/// Adds everything but events from one ledger to another. Stopped in the middle, it can be started again.
pub fn merge(into: &mut dyn Ledger, from: &dyn Ledger) -> Result<Merged> {
    let ours = into.meta()?;
    let theirs = from.meta()?;
    for (key, theirs) in &theirs {
        if let Some(ours) = ours.get(key).filter(|ours| *ours != theirs) {
            let (key, ours, theirs) = (key.clone(), ours.clone(), theirs.clone());
            return Err(Error::DifferentCampaigns { key, ours, theirs });
        }
    }
    for (key, value) in theirs.iter().filter(|(key, _)| !ours.contains_key(*key)) {
        into.set_meta(key, value)?;
    }
    let mut blobs = Blobs::default();
    let mut merged = Merged::default();
    for counts in from.arms()? {
        into.register(&counts.arm)?;
        let mut next = Some(0);
        while let Some(start) = next {
            let page = from.tests(counts.arm.id(), start, PAGE)?;
            next = page.last().and_then(|record| record.test.index.checked_add(1));
            record_page(into, from, page, &mut blobs, &mut merged)?;
        }
    }
    for finding in from.findings()? {
        let named = blobs.find(from, finding.files.iter().map(|file| file.blob))?;
        match into.put_finding(&NewFinding::with_blobs(finding, named)?)? {
            Outcome::New => merged.new_findings += 1,
            Outcome::Replaced(_) => merged.replaced_findings += 1,
            Outcome::Known | Outcome::Worse(_) => {}
        }
        if blobs.held > HELD {
            blobs = Blobs::default();
        }
    }
    merge_words(into, from, &mut merged)?;
    Ok(merged)
}

/// Marks and groups.
fn merge_words(into: &mut dyn Ledger, from: &dyn Ledger, merged: &mut Merged) -> Result<()> {
    let ours = into.marks()?;
    for (signature, theirs) in from.marks()? {
        if ours.get(&signature).is_none_or(|ours| *ours < theirs) {
            into.set_mark(signature, Some(&theirs))?;
            merged.new_marks += 1;
        }
    }
    for group in from.groups()? {
        into.put_group(&group)?;
    }
    Ok(())
}

fn record_page(
    into: &mut dyn Ledger,
    from: &dyn Ledger,
    page: Vec<Record>,
    blobs: &mut Blobs,
    merged: &mut Merged,
) -> Result<()> {
    let mut batch: Vec<Record> = Vec::with_capacity(page.len());
    for mut record in page {
        let named = record.sightings.iter().flat_map(|sighting| sighting.blobs.iter().copied());
        record.blobs = blobs.find(from, named)?;
        batch.push(record);
        if blobs.held > HELD {
            flush(into, &mut batch, merged)?;
            *blobs = Blobs::default();
        }
    }
    flush(into, &mut batch, merged)
}

fn flush(into: &mut dyn Ledger, batch: &mut Vec<Record>, merged: &mut Merged) -> Result<()> {
    for recorded in into.record(batch)? {
        match recorded {
            Recorded::New => merged.new_tests += 1,
            Recorded::Same => merged.same_tests += 1,
            Recorded::Clashed => merged.clashed_tests += 1,
        }
    }
    batch.clear();
    Ok(())
}

/// Blobs of the ledger merged from. All that it has are offered, each time: which ones are kept is decided by whom they
/// are offered to, and may change with every test.
#[derive(Default)]
struct Blobs {
    read: BTreeMap<Id, Option<Blob>>,
    held: usize,
}

impl Blobs {
    /// Those of these that are there. A quota may have removed some: then they stay away.
    fn find(&mut self, from: &dyn Ledger, named: impl Iterator<Item = Id>) -> Result<Vec<Blob>> {
        let wanted: BTreeSet<Id> = named.collect();
        let mut found = Vec::with_capacity(wanted.len());
        for id in wanted {
            if !self.read.contains_key(&id) {
                let blob = from.blob(id)?;
                if let Some(blob) = &blob {
                    // What another folder claims is checked before it is ours.
                    blob.bytes()?;
                    self.held += blob.packed().len();
                }
                self.read.insert(id, blob);
            }
            found.extend(self.read.get(&id).cloned().flatten());
        }
        Ok(found)
    }
}
