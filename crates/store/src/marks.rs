//! Marks and groups in SQLite.

use std::collections::{BTreeMap, BTreeSet};

use howler_case::Id;
use rusqlite::{Connection, Row, Transaction, params};

use crate::database::Failure;
use crate::mark::{Group, Mark, Marked};
use crate::query::{IdColumn, damaged};

type Read<T> = Result<T, Failure>;

pub(crate) fn set(rows: &Transaction<'_>, signature: Id, marked: Option<&Marked>) -> Read<()> {
    match marked {
        Some(marked) => {
            rows.prepare_cached("INSERT OR REPLACE INTO mark (signature, mark, note) VALUES (?, ?, ?)")?
                .execute(params![IdColumn(signature), marked.mark.name(), marked.note])?;
        }
        None => {
            rows.prepare_cached("DELETE FROM mark WHERE signature = ?")?.execute([IdColumn(signature)])?;
        }
    }
    Ok(())
}

pub(crate) fn all(rows: &Connection) -> Read<BTreeMap<Id, Marked>> {
    let mut statement = rows.prepare_cached("SELECT signature, mark, note FROM mark")?;
    let mut found = statement.query([])?;
    let mut all = BTreeMap::new();
    while let Some(row) = found.next()? {
        let (id, marked) = read(rows, row)?;
        all.insert(id, marked);
    }
    Ok(all)
}

fn read(rows: &Connection, row: &Row<'_>) -> Read<(Id, Marked)> {
    let IdColumn(signature) = row.get(0)?;
    let mark: String = row.get(1)?;
    let mark: Mark = mark.parse().map_err(|error: crate::Error| damaged(rows, error.to_string()))?;
    let marked = Marked { mark, note: row.get(2)? };
    marked.check().map_err(|error| damaged(rows, error.to_string()))?;
    Ok((signature, marked))
}

fn of(rows: &Connection, signature: Id) -> Read<Option<Marked>> {
    let mut statement = rows.prepare_cached("SELECT signature, mark, note FROM mark WHERE signature = ?")?;
    let mut found = statement.query([IdColumn(signature)])?;
    found.next()?.map(|row| read(rows, row).map(|(_, marked)| marked)).transpose()
}

/// Marks and members of groups move from one signature to another; the greater mark wins.
pub(crate) fn rename(rows: &Transaction<'_>, signatures: &BTreeMap<Id, Id>) -> Read<()> {
    // What moves is taken away first: a signature may be where one thing goes to and another comes from.
    let (mut moved, mut members) = (Vec::new(), Vec::new());
    for (old, new) in signatures {
        if let Some(marked) = of(rows, *old)? {
            set(rows, *old, None)?;
            moved.push((*new, marked));
        }
        let mut statement = rows.prepare_cached("SELECT bug FROM bug_signature WHERE signature = ?")?;
        let bugs = statement.query_map([IdColumn(*old)], |row| row.get(0).map(|IdColumn(id)| id))?;
        for bug in bugs.collect::<rusqlite::Result<Vec<Id>>>()? {
            members.push((bug, *new));
        }
        rows.prepare_cached("DELETE FROM bug_signature WHERE signature = ?")?.execute([IdColumn(*old)])?;
    }
    for (new, marked) in moved {
        let best = of(rows, new)?.into_iter().chain([marked]).max();
        set(rows, new, best.as_ref())?;
    }
    for (bug, new) in members {
        join_member(rows, bug, new)?;
    }
    Ok(())
}

fn join_member(rows: &Transaction<'_>, bug: Id, signature: Id) -> Read<()> {
    rows.prepare_cached("INSERT OR IGNORE INTO bug_signature (bug, signature) VALUES (?, ?)")?
        .execute(params![IdColumn(bug), IdColumn(signature)])?;
    Ok(())
}

pub(crate) fn join_group(rows: &Transaction<'_>, group: &Group) -> Read<()> {
    rows.prepare_cached("INSERT OR IGNORE INTO bug (id, cause) VALUES (?, ?)")?
        .execute(params![IdColumn(group.id()), group.cause])?;
    group.signatures.iter().try_for_each(|signature| join_member(rows, group.id(), *signature))
}

pub(crate) fn groups(rows: &Connection) -> Read<Vec<Group>> {
    let mut groups: BTreeMap<Id, Group> = BTreeMap::new();
    let mut statement = rows.prepare_cached("SELECT id, cause FROM bug")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let IdColumn(id) = row.get(0)?;
        let group = Group { cause: row.get(1)?, signatures: BTreeSet::new() };
        group.check().map_err(|error| damaged(rows, error.to_string()))?;
        if group.id() != id {
            return Err(damaged(rows, format!("group {id} has another group's cause")));
        }
        groups.insert(id, group);
    }
    let mut statement = rows.prepare_cached("SELECT bug, signature FROM bug_signature")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let (IdColumn(bug), IdColumn(signature)) = (row.get(0)?, row.get(1)?);
        let Some(group) = groups.get_mut(&bug) else {
            return Err(damaged(rows, format!("group {bug} has members and no cause")));
        };
        group.signatures.insert(signature);
    }
    Ok(groups.into_values().collect())
}
