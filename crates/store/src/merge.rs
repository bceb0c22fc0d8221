//! Two ledgers become one. Merging again changes nothing, and the order does not matter: every write is a join.

use std::collections::BTreeSet;

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
    let mut known: BTreeSet<Id> = into.blobs()?.into_iter().map(|(id, _)| id).collect();
    let mut merged = Merged::default();
    for counts in from.arms()? {
        into.register(&counts.arm)?;
        let mut next = Some(0);
        while let Some(start) = next {
            let page = from.tests(counts.arm.id(), start, PAGE)?;
            next = page.last().and_then(|record| record.test.index.checked_add(1));
            record_page(into, from, page, &mut known, &mut merged)?;
        }
    }
    for finding in from.findings()? {
        let blobs = missing_blobs(from, finding.files.iter().map(|file| file.blob), &known)?;
        match into.put_finding(&NewFinding::with_blobs(finding, blobs)?)? {
            Outcome::New => merged.new_findings += 1,
            Outcome::Replaced(_) => {
                merged.replaced_findings += 1;
                // Blobs of the one that gave way may be gone.
                known = into.blobs()?.into_iter().map(|(id, _)| id).collect();
            }
            Outcome::Known | Outcome::Worse(_) => {}
        }
    }
    Ok(merged)
}

fn record_page(
    into: &mut dyn Ledger,
    from: &dyn Ledger,
    page: Vec<Record>,
    known: &mut BTreeSet<Id>,
    merged: &mut Merged,
) -> Result<()> {
    let mut batch: Vec<Record> = Vec::with_capacity(page.len());
    let mut held = 0;
    for mut record in page {
        let named = record.sightings.iter().flat_map(|sighting| sighting.blobs.iter().copied());
        record.blobs = missing_blobs(from, named, known)?;
        held += record.blobs.iter().map(|blob| blob.packed().len()).sum::<usize>();
        batch.push(record);
        if held > HELD {
            flush(into, &mut batch, known, merged)?;
            held = 0;
        }
    }
    flush(into, &mut batch, known, merged)
}

fn flush(
    into: &mut dyn Ledger,
    batch: &mut Vec<Record>,
    known: &mut BTreeSet<Id>,
    merged: &mut Merged,
) -> Result<()> {
    let clashed_before = merged.clashed_tests;
    for recorded in into.record(batch)? {
        match recorded {
            Recorded::New => merged.new_tests += 1,
            Recorded::Same => merged.same_tests += 1,
            Recorded::Clashed => merged.clashed_tests += 1,
        }
    }
    if merged.clashed_tests > clashed_before {
        // Which of two was kept decides which blobs are there.
        *known = into.blobs()?.into_iter().map(|(id, _)| id).collect();
    } else {
        known.extend(batch.iter().flat_map(|record| record.blobs.iter().map(Blob::id)));
    }
    batch.clear();
    Ok(())
}

/// Those of these blobs that are not known, from where they are. A quota may have removed some: then they stay away.
fn missing_blobs(
    from: &dyn Ledger,
    named: impl Iterator<Item = Id>,
    known: &BTreeSet<Id>,
) -> Result<Vec<Blob>> {
    let wanted: BTreeSet<Id> = named.filter(|id| !known.contains(id)).collect();
    let mut found = Vec::with_capacity(wanted.len());
    for id in wanted {
        if let Some(blob) = from.blob(id)? {
            // What another folder claims is checked before it is ours.
            blob.bytes()?;
            found.push(blob);
        }
    }
    Ok(found)
}
