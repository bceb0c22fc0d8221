//! A bound on a folder's bytes. What goes are the bytes of duplicates, the oldest first; never a finding, never a row.

use std::collections::BTreeSet;

use howler_case::Id;

use crate::error::Result;
use crate::folder::Store;
use crate::ledger::Ledger;
use crate::query;

/// What keeping a quota did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trimmed {
    /// The folder's bytes before.
    pub before: u64,
    /// The folder's bytes after.
    pub after: u64,
    /// How many blobs of duplicates were removed.
    pub removed: u64,
    /// Whether the folder is still above its quota: all that is left is needed.
    pub over: bool,
}

impl Store {
    /// Brings the folder below so many bytes, if removing the blobs of sightings that stand for nothing is enough.
    /// Rows stay, so everything is still counted, and can be made again from arm and index.
    pub fn trim(&mut self, quota: u64) -> Result<Trimmed> {
        self.writable()?;
        let before = self.size()?;
        let mut trimmed = Trimmed { before, after: before, removed: 0, over: before > quota };
        if !trimmed.over {
            return Ok(trimmed);
        }
        self.shrink()?;
        trimmed.after = self.size()?;
        let needed = self.needed_blobs()?;
        let blobs = self.database.read(query::blobs_by_age)?;
        let mut duplicates = blobs.into_iter().filter(|(id, _)| !needed.contains(id));
        while trimmed.after > quota {
            // A little more than asked, so that the next test does not start this again.
            let wanted = trimmed.after - quota + quota / 16;
            let (mut chosen, mut bytes) = (Vec::new(), 0_u64);
            for (id, size) in duplicates.by_ref() {
                chosen.push(id);
                bytes = bytes.saturating_add(size);
                if bytes >= wanted {
                    break;
                }
            }
            if chosen.is_empty() {
                break;
            }
            self.database.remove_blobs(&chosen)?;
            self.shrink()?;
            trimmed.removed += chosen.len() as u64;
            trimmed.after = self.size()?;
        }
        trimmed.over = trimmed.after > quota;
        Ok(trimmed)
    }

    /// The blobs of sightings that stand for their signature, or will when they are confirmed.
    fn needed_blobs(&self) -> Result<BTreeSet<Id>> {
        let mut places: BTreeSet<(Id, u64)> =
            self.signatures()?.into_iter().map(|counts| counts.smallest).collect();
        places.extend(self.findings()?.iter().map(|finding| (finding.arm, finding.index)));
        let known: BTreeSet<Id> = self.arms()?.iter().map(|counts| counts.arm.id()).collect();
        let mut needed = BTreeSet::new();
        for (arm, index) in places.into_iter().filter(|(arm, _)| known.contains(arm)) {
            for record in self.tests(arm, index, 1)?.iter().filter(|record| record.test.index == index) {
                needed.extend(record.sightings.iter().flat_map(|sighting| sighting.blobs.iter().copied()));
            }
        }
        Ok(needed)
    }

    /// Gives free pages and the log back to the file system. A reader may hold them; then the next time does.
    fn shrink(&self) -> Result<()> {
        self.database.run(|connection| {
            // Each step frees one page.
            let mut statement = connection.prepare("PRAGMA incremental_vacuum")?;
            let mut steps = statement.query([])?;
            while steps.next()?.is_some() {}
            drop(steps);
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        })
    }
}
