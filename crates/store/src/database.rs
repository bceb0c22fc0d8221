//! Rows in SQLite: every statement that writes. Reading is in `query`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use howler_case::Id;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::blob::Blob;
use crate::error::{Error, Result};
use crate::lease::{Shard, Taken};
use crate::ledger::{Outcome, Recorded};
use crate::mark::{Group, Marked};
use crate::query::{self, IdColumn};
use crate::regroup::{self, Regrouping};
use crate::row::{self, Arm, Event, Finding, NewFinding, Record};
use crate::{kept, marks};

/// An open database.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    taken: BTreeMap<Id, Taken>,
}

/// Failures inside a transaction.
pub(crate) enum Failure {
    Sql(rusqlite::Error),
    Other(Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        Failure::Sql(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Other(error)
    }
}

impl Failure {
    pub(crate) fn at(self, path: &Path) -> Error {
        match self {
            Failure::Sql(error) => Error::sql(path, &error),
            Failure::Other(error) => error,
        }
    }
}

impl Database {
    pub(crate) fn new(connection: Connection, path: &Path) -> Database {
        Database { connection, path: path.to_owned(), taken: BTreeMap::new() }
    }

    /// All or nothing; waits for the write lock first, so that no statement in the middle has to.
    fn write<T>(
        &mut self,
        body: impl FnOnce(&Transaction<'_>) -> std::result::Result<T, Failure>,
    ) -> Result<T> {
        let path = &self.path;
        let sql = |error: rusqlite::Error| Error::sql(path, &error);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sql)?;
        let value = body(&transaction).map_err(|failure| failure.at(path))?;
        transaction.commit().map_err(sql)?;
        Ok(value)
    }

    /// The same, and on disk when it returns even if the power fails.
    fn write_durably<T>(
        &mut self,
        body: impl FnOnce(&Transaction<'_>) -> std::result::Result<T, Failure>,
    ) -> Result<T> {
        let level: i64 =
            self.run(|connection| connection.pragma_query_value(None, "synchronous", |row| row.get(0)))?;
        self.run(|connection| connection.pragma_update(None, "synchronous", "FULL"))?;
        let result = self.write(body);
        self.run(|connection| connection.pragma_update(None, "synchronous", level))?;
        result
    }

    /// Does something with the connection.
    pub(crate) fn run<T>(&self, body: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        body(&self.connection).map_err(|error| Error::sql(&self.path, &error))
    }

    /// Reads.
    pub(crate) fn read<T>(
        &self,
        body: impl FnOnce(&Connection) -> std::result::Result<T, Failure>,
    ) -> Result<T> {
        body(&self.connection).map_err(|failure| failure.at(&self.path))
    }

    pub(crate) fn register(&mut self, arm: &Arm) -> Result<()> {
        self.write(|rows| {
            let mut statement = rows.prepare_cached("INSERT OR IGNORE INTO arm (id, line) VALUES (?, ?)")?;
            statement.execute(params![IdColumn(arm.id()), arm.line()])?;
            Ok(())
        })
    }

    pub(crate) fn lease(
        &mut self,
        arm: Id,
        shard: Shard,
        at_most: u64,
        end: u64,
    ) -> Result<Option<Range<u64>>> {
        let end = end.min(i64::MAX as u64);
        Ok(self.taken(arm)?.take(shard, at_most, end))
    }

    pub(crate) fn release(&mut self, arm: Id, range: Range<u64>) -> Result<()> {
        self.taken(arm)?;
        let recorded = self.read(|rows| query::indices(rows, arm, range.clone()))?;
        let taken = self.taken(arm)?;
        taken.remove(range);
        recorded.into_iter().for_each(|range| taken.add(range));
        Ok(())
    }

    /// What is taken of an arm; at first, what is recorded.
    fn taken(&mut self, arm: Id) -> Result<&mut Taken> {
        if !self.taken.contains_key(&arm) {
            let mut taken = Taken::default();
            let recorded = self.read(|rows| query::indices(rows, arm, 0..u64::MAX))?;
            recorded.into_iter().for_each(|range| taken.add(range));
            self.taken.insert(arm, taken);
        }
        Ok(self.taken.entry(arm).or_default())
    }

    pub(crate) fn record(&mut self, batch: &[Record]) -> Result<Vec<Recorded>> {
        batch.iter().try_for_each(Record::check)?;
        let recorded = self.write(|rows| {
            batch.iter().map(|record| join_record(rows, record)).collect::<std::result::Result<Vec<_>, _>>()
        })?;
        for record in batch {
            // An arm that nobody leases from needs no list; it is read when somebody does.
            if let Some(taken) = self.taken.get_mut(&record.test.arm) {
                taken.add(record.test.index..record.test.index + 1);
            }
        }
        Ok(recorded)
    }

    /// Keeps the better finding of a signature. Its folder is the caller's.
    pub(crate) fn put_finding(&mut self, new: &NewFinding) -> Result<Outcome> {
        self.write_durably(|rows| join_finding(rows, new))
    }

    pub(crate) fn note(&mut self, event: &Event) -> Result<()> {
        row::check_event(event)?;
        self.write(|rows| {
            let mut statement =
                rows.prepare_cached("INSERT INTO event (at, kind, subject, text) VALUES (?, ?, ?, ?)")?;
            statement.execute(params![event.at, event.kind, event.subject, event.text])?;
            Ok(())
        })
    }

    pub(crate) fn set_meta(&mut self, key: &str, value: &str) -> Result<()> {
        row::check_meta(key, value)?;
        self.write(|rows| {
            rows.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", params![key, value])?;
            Ok(())
        })
    }

    pub(crate) fn set_mark(&mut self, signature: Id, marked: Option<&Marked>) -> Result<()> {
        marked.map_or(Ok(()), Marked::check)?;
        self.write_durably(|rows| marks::set(rows, signature, marked))
    }

    pub(crate) fn put_group(&mut self, group: &Group) -> Result<()> {
        group.check()?;
        self.write(|rows| marks::join_group(rows, group))
    }

    /// Gives rows other signatures. Folders are the caller's.
    pub(crate) fn regroup(&mut self, plan: &Regrouping) -> Result<()> {
        self.write_durably(|rows| regroup::apply(rows, plan))
    }

    /// Forgets that the folder of a replaced finding may still be there.
    pub(crate) fn forget_superseded(&mut self, id: Id) -> Result<()> {
        self.write(|rows| {
            rows.execute("DELETE FROM superseded WHERE id = ?", [IdColumn(id)])?;
            Ok(())
        })
    }

    /// Removes blobs that rows may still name.
    pub(crate) fn remove_blobs(&mut self, ids: &[Id]) -> Result<()> {
        self.write(|rows| {
            let mut statement = rows.prepare_cached("DELETE FROM blob WHERE id = ?")?;
            ids.iter().try_for_each(|id| statement.execute([IdColumn(*id)]).map(drop))?;
            Ok(())
        })
    }
}

fn join_record(rows: &Transaction<'_>, record: &Record) -> std::result::Result<Recorded, Failure> {
    let (test, arm) = (&record.test, query::arm_key(rows, record.test.arm)?);
    let index = query::to_column(test.index)?;
    let old = query::record(rows, test.arm, arm, test.index)?;
    let recorded = match &old {
        None => Recorded::New,
        Some(old) if old.same_rows(record) => Recorded::Same,
        Some(old) if old.precedes(record) => return Ok(record.against(old)),
        Some(old) => {
            for table in ["test", "sighting", "sighting_blob"] {
                rows.prepare_cached(&format!("DELETE FROM {table} WHERE arm = ? AND idx = ?"))?
                    .execute(params![arm, index])?;
            }
            record.against(old)
        }
    };
    if recorded == Recorded::Same {
        insert_kept(rows, record, (arm, index))?;
        return Ok(recorded);
    }
    let verdict = word(rows, &test.verdict)?;
    rows.prepare_cached(
        "INSERT INTO test (arm, idx, verdict, builds, runs, sightings) VALUES (?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![arm, index, verdict, test.builds, test.runs, record.sightings.len() as i64])?;
    for (ordinal, sighting) in (0_i64..).zip(&record.sightings) {
        rows.prepare_cached(
            "INSERT INTO sighting
                (arm, idx, ordinal, signature, kind, configurations, details, family, suspect, evidence)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            arm,
            index,
            ordinal,
            IdColumn(sighting.signature),
            sighting.kind,
            sighting.configurations.join("\n"),
            sighting.details,
            sighting.family,
            sighting.suspect,
            sighting.evidence
        ])?;
        for (position, blob) in (0_i64..).zip(&sighting.blobs) {
            rows.prepare_cached(
                "INSERT INTO sighting_blob (arm, idx, ordinal, position, blob) VALUES (?, ?, ?, ?, ?)",
            )?
            .execute(params![arm, index, ordinal, position, IdColumn(*blob)])?;
        }
    }
    let old = old.map_or(Vec::new(), |old| old.sightings);
    let touched: BTreeSet<Id> = record.sightings.iter().chain(&old).map(|seen| seen.signature).collect();
    let mut dropped: Vec<Id> = old.into_iter().flat_map(|sighting| sighting.blobs).collect();
    for signature in touched {
        dropped.extend(kept::settle(rows, signature)?);
    }
    insert_kept(rows, record, (arm, index))?;
    forget_blobs(rows, dropped)?;
    Ok(recorded)
}

/// Keeps the blobs of those of a test's sightings that are among the first of their signatures.
fn insert_kept(
    rows: &Transaction<'_>,
    record: &Record,
    (arm, index): (i64, i64),
) -> std::result::Result<(), Failure> {
    if record.blobs.is_empty() {
        return Ok(());
    }
    let kept = kept::ordinals(rows, arm, index)?;
    let kept = record.sightings.iter().enumerate().filter(|(ordinal, _)| kept.contains(ordinal));
    let named: BTreeSet<Id> = kept.flat_map(|(_, sighting)| sighting.blobs.iter().copied()).collect();
    for blob in record.blobs.iter().filter(|blob| named.contains(&blob.id())) {
        insert_blob(rows, blob)?;
    }
    Ok(())
}

pub(crate) fn join_finding(
    rows: &Transaction<'_>,
    new: &NewFinding,
) -> std::result::Result<Outcome, Failure> {
    let finding = new.finding();
    let given: BTreeSet<Id> = new.blobs().iter().map(Blob::id).collect();
    for file in finding.files.iter().filter(|file| !given.contains(&file.blob)) {
        if query::blob(rows, file.blob)?.is_none() {
            return Err(Error::Invalid(format!("the bytes of '{}' are not there", file.name)).into());
        }
    }
    let mut outcome = Outcome::New;
    let mut dropped = Vec::new();
    if let Some(old) = query::finding_for(rows, finding.signature)? {
        let old_id = old.id();
        if old == *finding {
            return Ok(Outcome::Known);
        }
        if old.rank() < finding.rank() {
            return Ok(Outcome::Worse(old_id));
        }
        delete_finding(rows, &old)?;
        outcome = Outcome::Replaced(old_id);
        dropped = old.files.iter().map(|file| file.blob).collect();
    }
    new.blobs().iter().try_for_each(|blob| insert_blob(rows, blob))?;
    let id = finding.id();
    rows.execute("DELETE FROM superseded WHERE id = ?", [IdColumn(id)])?;
    rows.prepare_cached(
        "INSERT INTO finding (id, signature, kind, status, arm, idx, title) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![
        IdColumn(id),
        IdColumn(finding.signature),
        finding.kind,
        finding.status.name(),
        IdColumn(finding.arm),
        query::to_column(finding.index)?,
        finding.title
    ])?;
    for (position, file) in (0_i64..).zip(&finding.files) {
        rows.prepare_cached(
            "INSERT INTO finding_file (finding, position, name, executable, blob) VALUES (?, ?, ?, ?, ?)",
        )?
        .execute(params![
            IdColumn(id),
            position,
            file.name,
            file.executable,
            IdColumn(file.blob)
        ])?;
    }
    forget_blobs(rows, dropped)?;
    Ok(outcome)
}

/// Deletes a finding's rows, and remembers that its folder may still be there.
pub(crate) fn delete_finding(rows: &Transaction<'_>, old: &Finding) -> rusqlite::Result<()> {
    let id = old.id();
    rows.execute("DELETE FROM finding WHERE id = ?", [IdColumn(id)])?;
    rows.execute("DELETE FROM finding_file WHERE finding = ?", [IdColumn(id)])?;
    rows.execute("INSERT OR IGNORE INTO superseded (id) VALUES (?)", [IdColumn(id)])?;
    Ok(())
}

fn insert_blob(rows: &Transaction<'_>, blob: &Blob) -> rusqlite::Result<()> {
    rows.prepare_cached("INSERT OR IGNORE INTO blob (id, size, data) VALUES (?, ?, ?)")?
        .execute(params![IdColumn(blob.id()), blob.size() as i64, blob.packed()])
        .map(drop)
}

/// Deletes those of these blobs that no finding and no kept sighting names.
pub(crate) fn forget_blobs(
    rows: &Transaction<'_>,
    blobs: impl IntoIterator<Item = Id>,
) -> rusqlite::Result<()> {
    for blob in blobs {
        rows.prepare_cached(
            "DELETE FROM blob WHERE id = ?1
             AND NOT EXISTS (SELECT 1 FROM sighting_blob b JOIN sighting s
                ON s.arm = b.arm AND s.idx = b.idx AND s.ordinal = b.ordinal
                WHERE b.blob = ?1 AND s.kept = 1)
             AND NOT EXISTS (SELECT 1 FROM finding_file WHERE blob = ?1)",
        )?
        .execute([IdColumn(blob)])?;
    }
    Ok(())
}

/// The number of a verdict's text.
fn word(rows: &Transaction<'_>, text: &str) -> rusqlite::Result<i64> {
    let found = rows
        .prepare_cached("SELECT key FROM word WHERE text = ?")?
        .query_row([text], |row| row.get(0))
        .optional()?;
    if let Some(key) = found {
        return Ok(key);
    }
    rows.prepare_cached("INSERT INTO word (text) VALUES (?)")?.execute([text])?;
    Ok(rows.last_insert_rowid())
}
