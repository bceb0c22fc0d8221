//! Rows out of SQLite: every statement that reads. A value of the wrong type or range is damage, never a panic.

use std::collections::BTreeMap;
use std::ops::Range;

use howler_case::{Id, Status};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::blob::{Blob, MAX_BLOB};
use crate::database::Failure;
use crate::error::Error;
use crate::ledger::{ArmCounts, SignatureCounts};
use crate::row::{Arm, Event, FileRow, Finding, Record, Sighting, Test};

type Read<T> = std::result::Result<T, Failure>;

/// An identity as a column: its 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct IdColumn(pub(crate) Id);

impl ToSql for IdColumn {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Blob(self.0.bytes())))
    }
}

impl FromSql for IdColumn {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<IdColumn> {
        let bytes = value.as_blob()?;
        let bytes = bytes
            .try_into()
            .map_err(|_| FromSqlError::InvalidBlobSize { expected_size: 16, blob_size: bytes.len() })?;
        Ok(IdColumn(Id::from_bytes(bytes)))
    }
}

fn id(row: &Row<'_>, column: usize) -> rusqlite::Result<Id> {
    row.get::<_, IdColumn>(column).map(|IdColumn(id)| id)
}

/// A number that is never negative.
fn natural(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}

/// An index as a column. The rows' own checks keep it in range.
pub(crate) fn to_column(index: u64) -> Read<i64> {
    i64::try_from(index).map_err(|_| Error::Invalid(format!("the index {index} is too large")).into())
}

fn saturated(index: u64) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

pub(crate) fn damaged(rows: &Connection, what: String) -> Failure {
    let path = rows.path().unwrap_or_default().into();
    Failure::Other(Error::Damaged { path, what })
}

pub(crate) fn arm_key(rows: &Connection, arm: Id) -> Read<i64> {
    let key = rows
        .prepare_cached("SELECT key FROM arm WHERE id = ?")?
        .query_row([IdColumn(arm)], |row| row.get(0))
        .optional()?;
    key.ok_or(Failure::Other(Error::UnknownArm(arm)))
}

/// The recorded indices of an arm in a range, as ranges.
pub(crate) fn indices(rows: &Connection, arm: Id, range: Range<u64>) -> Read<Vec<Range<u64>>> {
    let key = arm_key(rows, arm)?;
    let mut statement =
        rows.prepare_cached("SELECT idx FROM test WHERE arm = ? AND idx >= ? AND idx < ? ORDER BY idx")?;
    let mut found = statement.query(params![key, saturated(range.start), saturated(range.end)])?;
    let mut ranges: Vec<Range<u64>> = Vec::new();
    while let Some(row) = found.next()? {
        let index = natural(row, 0)?;
        match ranges.last_mut() {
            Some(last) if last.end == index => last.end += 1,
            _ => ranges.push(index..index.saturating_add(1)),
        }
    }
    Ok(ranges)
}

pub(crate) fn meta(rows: &Connection) -> Read<BTreeMap<String, String>> {
    let mut statement = rows.prepare_cached("SELECT key, value FROM meta")?;
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn arms(rows: &Connection) -> Read<Vec<ArmCounts>> {
    let mut statement = rows.prepare_cached("SELECT key, id, line FROM arm ORDER BY id")?;
    let found: Vec<(i64, Id, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, id(row, 1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut all = Vec::with_capacity(found.len());
    for (key, id, line) in found {
        let arm = Arm::new(line).map_err(|error| damaged(rows, error.to_string()))?;
        if arm.id() != id {
            return Err(damaged(rows, format!("arm {id} has another arm's line")));
        }
        all.push(arm_counts(rows, key, arm)?);
    }
    Ok(all)
}

fn arm_counts(rows: &Connection, key: i64, arm: Arm) -> Read<ArmCounts> {
    let mut counts =
        ArmCounts { arm, cursor: 0, tests: 0, builds: 0, runs: 0, sightings: 0, verdicts: BTreeMap::new() };
    let mut statement = rows.prepare_cached(
        "SELECT w.text, n, builds, runs, sightings, first FROM
            (SELECT verdict, count(*) AS n, sum(builds) AS builds, sum(runs) AS runs, sum(sightings) AS sightings,
                min(idx) AS first
             FROM test WHERE arm = ? GROUP BY verdict)
         LEFT JOIN word w ON w.key = verdict",
    )?;
    let mut found = statement.query([key])?;
    while let Some(row) = found.next()? {
        let tests = natural(row, 1)?;
        counts.tests += tests;
        counts.builds = counts.builds.saturating_add(natural(row, 2)?);
        counts.runs = counts.runs.saturating_add(natural(row, 3)?);
        counts.sightings = counts.sightings.saturating_add(natural(row, 4)?);
        counts.verdicts.insert(row.get(0)?, tests);
        natural(row, 5)?;
    }
    counts.cursor = cursor(rows, key)?;
    Ok(counts)
}

/// The first index without a row. Reads no further than that.
fn cursor(rows: &Connection, key: i64) -> Read<u64> {
    let mut statement =
        rows.prepare_cached("SELECT idx FROM test WHERE arm = ? AND idx >= 0 ORDER BY idx")?;
    let mut found = statement.query([key])?;
    let mut next = 0;
    while let Some(row) = found.next()? {
        if natural(row, 0)? != next {
            break;
        }
        next += 1;
    }
    Ok(next)
}

const TEST: &str =
    "SELECT t.idx, w.text, t.builds, t.runs, t.sightings FROM test t LEFT JOIN word w ON w.key = t.verdict";

pub(crate) fn tests(rows: &Connection, arm: Id, from: u64, at_most: usize) -> Read<Vec<Record>> {
    let key = arm_key(rows, arm)?;
    let mut statement =
        rows.prepare_cached(&format!("{TEST} WHERE t.arm = ? AND t.idx >= ? ORDER BY t.idx LIMIT ?"))?;
    let mut found =
        statement.query(params![key, saturated(from), i64::try_from(at_most).unwrap_or(i64::MAX)])?;
    let mut all = Vec::new();
    while let Some(row) = found.next()? {
        all.push(whole_record(rows, row, arm, key)?);
    }
    Ok(all)
}

pub(crate) fn record(rows: &Connection, arm: Id, key: i64, index: u64) -> Read<Option<Record>> {
    let mut statement = rows.prepare_cached(&format!("{TEST} WHERE t.arm = ? AND t.idx = ?"))?;
    let mut found = statement.query(params![key, to_column(index)?])?;
    found.next()?.map(|row| whole_record(rows, row, arm, key)).transpose()
}

fn whole_record(rows: &Connection, row: &Row<'_>, arm: Id, key: i64) -> Read<Record> {
    let test =
        Test { arm, index: natural(row, 0)?, verdict: row.get(1)?, builds: row.get(2)?, runs: row.get(3)? };
    let count = natural(row, 4)?;
    let sightings = if count == 0 { Vec::new() } else { sightings_of(rows, key, test.index)? };
    if sightings.len() as u64 != count {
        let what = format!("test {} of arm {arm} has lost sightings", test.index);
        return Err(damaged(rows, what));
    }
    Ok(Record { test, sightings, blobs: Vec::new() })
}

fn sightings_of(rows: &Connection, key: i64, index: u64) -> Read<Vec<Sighting>> {
    let mut statement = rows.prepare_cached(
        "SELECT signature, kind, configurations, details, ordinal, family, suspect, evidence FROM sighting
         WHERE arm = ? AND idx = ? ORDER BY ordinal",
    )?;
    let mut found = statement.query(params![key, to_column(index)?])?;
    let mut all = Vec::new();
    while let Some(row) = found.next()? {
        all.push(sighting(rows, row, key, index)?);
    }
    Ok(all)
}

/// A sighting from a row that starts with its signature, kind, configurations, details, ordinal, family, suspect and
/// evidence.
fn sighting(rows: &Connection, row: &Row<'_>, key: i64, index: u64) -> Read<Sighting> {
    let configurations: String = row.get(2)?;
    let ordinal: i64 = row.get(4)?;
    let mut statement = rows.prepare_cached(
        "SELECT blob FROM sighting_blob WHERE arm = ? AND idx = ? AND ordinal = ? ORDER BY position",
    )?;
    let blobs = statement.query_map(params![key, to_column(index)?, ordinal], |row| id(row, 0))?;
    Ok(Sighting {
        signature: id(row, 0)?,
        kind: row.get(1)?,
        family: row.get(5)?,
        suspect: row.get(6)?,
        configurations: configurations
            .split('\n')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        details: row.get(3)?,
        evidence: row.get(7)?,
        blobs: blobs.collect::<rusqlite::Result<_>>()?,
    })
}

pub(crate) fn signatures(rows: &Connection) -> Read<Vec<SignatureCounts>> {
    // SQLite takes a column that is neither grouped nor aggregated from the row that has the minimum.
    let mut statement = rows.prepare_cached(
        "SELECT s.signature, a.id, s.kind, count(*), min(s.idx), f.id FROM sighting s
         LEFT JOIN arm a ON a.key = s.arm LEFT JOIN finding f ON f.signature = s.signature
         GROUP BY s.signature, s.arm",
    )?;
    let mut found = statement.query([])?;
    let mut all: BTreeMap<Id, SignatureCounts> = BTreeMap::new();
    while let Some(row) = found.next()? {
        let here = SignatureCounts {
            signature: id(row, 0)?,
            kind: row.get(2)?,
            sightings: natural(row, 3)?,
            smallest: (id(row, 1)?, natural(row, 4)?),
            finding: row.get::<_, Option<IdColumn>>(5)?.map(|IdColumn(id)| id),
        };
        let Some(known) = all.get_mut(&here.signature) else {
            all.insert(here.signature, here);
            continue;
        };
        known.sightings += here.sightings;
        if here.smallest < known.smallest {
            (known.smallest, known.kind) = (here.smallest, here.kind);
        }
    }
    Ok(all.into_values().collect())
}

pub(crate) fn sightings(rows: &Connection, signature: Id, at_most: usize) -> Read<Vec<(Id, u64, Sighting)>> {
    let mut statement = rows.prepare_cached(
        "SELECT s.signature, s.kind, s.configurations, s.details, s.ordinal, s.family, s.suspect, s.evidence,
            s.arm, s.idx, a.id
         FROM arm a CROSS JOIN sighting s ON s.arm = a.key
         WHERE s.signature = ? ORDER BY a.id, s.idx, s.ordinal LIMIT ?",
    )?;
    let mut found =
        statement.query(params![IdColumn(signature), i64::try_from(at_most).unwrap_or(i64::MAX)])?;
    let mut all = Vec::new();
    while let Some(row) = found.next()? {
        let index = natural(row, 9)?;
        all.push((id(row, 10)?, index, sighting(rows, row, row.get(8)?, index)?));
    }
    Ok(all)
}

const FINDING: &str = "SELECT id, signature, kind, status, arm, idx, title FROM finding";

pub(crate) fn finding_for(rows: &Connection, signature: Id) -> Read<Option<Finding>> {
    let mut statement = rows.prepare_cached(&format!("{FINDING} WHERE signature = ?"))?;
    let mut found = statement.query([IdColumn(signature)])?;
    found.next()?.map(|row| finding(rows, row)).transpose()
}

pub(crate) fn findings(rows: &Connection) -> Read<Vec<Finding>> {
    let mut statement = rows.prepare_cached(&format!("{FINDING} ORDER BY arm, idx, signature"))?;
    let mut found = statement.query([])?;
    let mut all = Vec::new();
    while let Some(row) = found.next()? {
        all.push(finding(rows, row)?);
    }
    Ok(all)
}

fn finding(rows: &Connection, row: &Row<'_>) -> Read<Finding> {
    let claimed = id(row, 0)?;
    let mut statement = rows.prepare_cached(
        "SELECT name, executable, blob FROM finding_file WHERE finding = ? ORDER BY position",
    )?;
    let files = statement.query_map([IdColumn(claimed)], |row| {
        Ok(FileRow { name: row.get(0)?, executable: row.get(1)?, blob: id(row, 2)? })
    })?;
    let status: String = row.get(3)?;
    let finding = Finding {
        signature: id(row, 1)?,
        kind: row.get(2)?,
        status: status.parse::<Status>().map_err(|error| damaged(rows, error.to_string()))?,
        arm: id(row, 4)?,
        index: natural(row, 5)?,
        title: row.get(6)?,
        files: files.collect::<rusqlite::Result<_>>()?,
    };
    finding.check().map_err(|error| damaged(rows, error.to_string()))?;
    if finding.id() != claimed {
        return Err(damaged(rows, format!("finding {claimed} is not what its identity says")));
    }
    Ok(finding)
}

pub(crate) fn superseded(rows: &Connection) -> Read<Vec<Id>> {
    let mut statement = rows.prepare_cached("SELECT id FROM superseded")?;
    let found = statement.query_map([], |row| id(row, 0))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn blob(rows: &Connection, wanted: Id) -> Read<Option<Blob>> {
    let found = rows
        .prepare_cached("SELECT size, data FROM blob WHERE id = ?")?
        .query_row([IdColumn(wanted)], |row| Ok((natural(row, 0)?, row.get::<_, Vec<u8>>(1)?)))
        .optional()?;
    let Some((size, packed)) = found else { return Ok(None) };
    let size = usize::try_from(size).ok().filter(|size| *size <= MAX_BLOB);
    let size = size.ok_or_else(|| damaged(rows, format!("blob {wanted} claims to be too large")))?;
    Ok(Some(Blob::claimed(wanted, size, packed)))
}

pub(crate) fn blobs(rows: &Connection) -> Read<Vec<(Id, u64)>> {
    let mut statement = rows.prepare_cached("SELECT id, size FROM blob ORDER BY id")?;
    let found = statement.query_map([], |row| Ok((id(row, 0)?, natural(row, 1)?)))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// Blobs that no finding names, the oldest first, with the bytes they take.
pub(crate) fn blobs_by_age(rows: &Connection) -> Read<Vec<(Id, u64)>> {
    let mut statement = rows.prepare_cached(
        "SELECT id, length(data) FROM blob b WHERE NOT EXISTS (SELECT 1 FROM finding_file f WHERE f.blob = b.id)
         ORDER BY key",
    )?;
    let found = statement.query_map([], |row| Ok((id(row, 0)?, natural(row, 1)?)))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn events_about(rows: &Connection, subject: &str, at_most: usize) -> Read<Vec<Event>> {
    let mut statement = rows
        .prepare_cached("SELECT at, kind, subject, text FROM event WHERE subject = ? ORDER BY key LIMIT ?")?;
    let found = statement.query_map(params![subject, i64::try_from(at_most).unwrap_or(i64::MAX)], event)?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

fn event(row: &Row<'_>) -> rusqlite::Result<Event> {
    Ok(Event { at: row.get(0)?, kind: row.get(1)?, subject: row.get(2)?, text: row.get(3)? })
}

pub(crate) fn events(rows: &Connection, at_most: usize) -> Read<Vec<Event>> {
    let mut statement =
        rows.prepare_cached("SELECT at, kind, subject, text FROM event ORDER BY key DESC LIMIT ?")?;
    let found = statement.query_map([i64::try_from(at_most).unwrap_or(i64::MAX)], event)?;
    let mut all: Vec<Event> = found.collect::<rusqlite::Result<_>>()?;
    all.reverse();
    Ok(all)
}
