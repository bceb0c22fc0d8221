//! Signatures computed again: rows get new ones, all at once. What the new ones are is the caller's to say.

use std::collections::{BTreeMap, BTreeSet};

use howler_case::Id;
use rusqlite::{Transaction, params};

use crate::database::{Failure, delete_finding, forget_blobs, join_finding};
use crate::error::{Error, Result};
use crate::ledger::Ledger;
use crate::query::{self, IdColumn};
use crate::row::NewFinding;
use crate::{kept, marks};

/// What is to change. A finding that is named in `findings` goes; those in `puts` are joined to what is left, the better
/// one of a signature being kept as always.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Regrouping {
    /// New signatures of sightings.
    pub sightings: Vec<(Seen, Id)>,
    /// The findings, by signature, that are replaced by others.
    pub findings: BTreeSet<Id>,
    /// The findings that replace them, and new ones.
    pub puts: Vec<NewFinding>,
    /// Where what is said of a signature goes: marks and groups.
    pub signatures: BTreeMap<Id, Id>,
}

/// A sighting, by where it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seen {
    /// The arm of its test.
    pub arm: Id,
    /// The index of its test.
    pub index: u64,
    /// Which of the test's sightings.
    pub ordinal: usize,
}

impl Regrouping {
    /// Whether nothing is to change.
    pub fn is_empty(&self) -> bool {
        self.sightings.is_empty()
            && self.findings.is_empty()
            && self.puts.is_empty()
            && self.signatures.is_empty()
    }
}

/// Does it in one transaction; folders are the caller's.
pub(crate) fn apply(rows: &Transaction<'_>, plan: &Regrouping) -> std::result::Result<(), Failure> {
    let mut touched = BTreeSet::new();
    for (seen, signature) in &plan.sightings {
        let key = query::arm_key(rows, seen.arm)?;
        let place = params![key, query::to_column(seen.index)?, seen.ordinal as i64];
        let old: Vec<IdColumn> = rows
            .prepare_cached("SELECT signature FROM sighting WHERE arm = ? AND idx = ? AND ordinal = ?")?
            .query_map(place, |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let Some(IdColumn(old)) = old.first() else {
            return Err(
                Error::Invalid(format!("test {} has no sighting {}", seen.index, seen.ordinal)).into()
            );
        };
        rows.prepare_cached(
            "UPDATE sighting SET signature = ?4 WHERE arm = ?1 AND idx = ?2 AND ordinal = ?3",
        )?
        .execute(params![
            key,
            query::to_column(seen.index)?,
            seen.ordinal as i64,
            IdColumn(*signature)
        ])?;
        touched.extend([*old, *signature]);
    }
    let mut dropped = Vec::new();
    for signature in &plan.findings {
        if let Some(old) = query::finding_for(rows, *signature)? {
            delete_finding(rows, &old)?;
            dropped.extend(old.files.iter().map(|file| file.blob));
        }
    }
    for new in &plan.puts {
        join_finding(rows, new)?;
    }
    marks::rename(rows, &plan.signatures)?;
    for signature in touched {
        dropped.extend(kept::settle(rows, signature)?);
    }
    forget_blobs(rows, dropped)?;
    Ok(())
}

/// Reads every sighting of a ledger, with where it is.
pub fn each_sighting(ledger: &dyn Ledger, visit: &mut dyn FnMut(Seen, &crate::row::Sighting)) -> Result<()> {
    const PAGE: usize = 1024;
    for counts in ledger.arms()? {
        let arm = counts.arm.id();
        let mut next = Some(0);
        while let Some(start) = next {
            let page = ledger.tests(arm, start, PAGE)?;
            next = page.last().and_then(|record| record.test.index.checked_add(1));
            for record in &page {
                for (ordinal, sighting) in record.sightings.iter().enumerate() {
                    visit(Seen { arm, index: record.test.index, ordinal }, sighting);
                }
            }
        }
    }
    Ok(())
}
