//! Whose blobs are kept: those of the first sightings of each signature. Which these are follows from the rows, so that
//! merged shards keep what one hunt would have kept.

use std::collections::BTreeSet;

use howler_case::Id;
use rusqlite::{Connection, Transaction, params};

use crate::database::Failure;
use crate::query::IdColumn;

/// How many sightings of a signature, the first ones by arm and index, keep their blobs.
pub const PROGRAMS: usize = 20;

/// A sighting's key in its table.
type Key = (i64, i64, i64);

fn keys(rows: &Connection, sql: &str, signature: Id) -> rusqlite::Result<BTreeSet<Key>> {
    let mut statement = rows.prepare_cached(sql)?;
    let found =
        statement.query_map([IdColumn(signature)], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    found.collect()
}

/// Makes the flags of a signature's sightings fit the rows, and gives the blobs of those that are no longer kept.
pub(crate) fn settle(rows: &Transaction<'_>, signature: Id) -> Result<Vec<Id>, Failure> {
    // The order of the join makes it stop after the first ones, however many sightings there are.
    let first = format!(
        "SELECT s.arm, s.idx, s.ordinal FROM arm a CROSS JOIN sighting s ON s.arm = a.key
         WHERE s.signature = ? ORDER BY a.id, s.idx, s.ordinal LIMIT {PROGRAMS}"
    );
    let first = keys(rows, &first, signature)?;
    let flagged =
        keys(rows, "SELECT arm, idx, ordinal FROM sighting WHERE signature = ? AND kept = 1", signature)?;
    let mut dropped = Vec::new();
    let mut flag =
        rows.prepare_cached("UPDATE sighting SET kept = ?4 WHERE arm = ?1 AND idx = ?2 AND ordinal = ?3")?;
    for (arm, idx, ordinal) in flagged.difference(&first) {
        flag.execute(params![arm, idx, ordinal, 0])?;
        let mut statement =
            rows.prepare_cached("SELECT blob FROM sighting_blob WHERE arm = ? AND idx = ? AND ordinal = ?")?;
        let blobs =
            statement.query_map(params![arm, idx, ordinal], |row| row.get(0).map(|IdColumn(id)| id))?;
        dropped.extend(blobs.collect::<rusqlite::Result<Vec<Id>>>()?);
    }
    for (arm, idx, ordinal) in first.difference(&flagged) {
        flag.execute(params![arm, idx, ordinal, 1])?;
    }
    Ok(dropped)
}

/// Which of a test's sightings are kept.
pub(crate) fn ordinals(rows: &Transaction<'_>, arm: i64, index: i64) -> Result<BTreeSet<usize>, Failure> {
    let mut statement =
        rows.prepare_cached("SELECT ordinal FROM sighting WHERE arm = ? AND idx = ? AND kept = 1")?;
    let found = statement.query_map(params![arm, index], |row| row.get::<_, i64>(0))?;
    let found: Vec<i64> = found.collect::<rusqlite::Result<_>>()?;
    Ok(found.into_iter().filter_map(|ordinal| usize::try_from(ordinal).ok()).collect())
}
