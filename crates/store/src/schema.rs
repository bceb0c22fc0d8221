//! The database's tables, how they came to be, version by version, and whether a file has just these.
//!
//! A file from elsewhere may be anything. Its schema must be ours to the letter, so that no view, trigger or generated
//! column runs; its values are then only data, which every read checks.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::error::{Error, Result};

/// What each version adds to the one before; the first one to an empty file. Never change one that was released.
const MIGRATIONS: [&str; 2] = [
    "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- Rows of tests are many: they name arms and verdicts by small numbers that mean nothing outside this file.
    CREATE TABLE arm (key INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, line TEXT NOT NULL) STRICT;
    CREATE TABLE word (key INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;

    CREATE TABLE test (
        arm INTEGER NOT NULL, idx INTEGER NOT NULL, verdict INTEGER NOT NULL,
        builds INTEGER NOT NULL, runs INTEGER NOT NULL, sightings INTEGER NOT NULL,
        PRIMARY KEY (arm, idx)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sighting (
        arm INTEGER NOT NULL, idx INTEGER NOT NULL, ordinal INTEGER NOT NULL,
        signature BLOB NOT NULL, kind TEXT NOT NULL, configurations TEXT NOT NULL, details TEXT NOT NULL,
        PRIMARY KEY (arm, idx, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sighting_by_signature ON sighting (signature, arm, idx);

    CREATE TABLE sighting_blob (
        arm INTEGER NOT NULL, idx INTEGER NOT NULL, ordinal INTEGER NOT NULL, position INTEGER NOT NULL,
        blob BLOB NOT NULL,
        PRIMARY KEY (arm, idx, ordinal, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sighting_blob_by_blob ON sighting_blob (blob);

    CREATE TABLE finding (
        id BLOB PRIMARY KEY, signature BLOB NOT NULL UNIQUE, kind TEXT NOT NULL, status TEXT NOT NULL,
        arm BLOB NOT NULL, idx INTEGER NOT NULL, title TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE finding_file (
        finding BLOB NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, executable INTEGER NOT NULL,
        blob BLOB NOT NULL,
        PRIMARY KEY (finding, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX finding_file_by_blob ON finding_file (blob);

    -- The keys are in the order of arrival: the quota removes the oldest first.
    CREATE TABLE blob (key INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, data BLOB NOT NULL)
        STRICT;

    -- The only times.
    CREATE TABLE event (
        key INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, text TEXT NOT NULL
    ) STRICT;

    -- Findings that gave way to better ones and whose folders may still be there.
    CREATE TABLE superseded (id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
",
    "
    -- What a signature is computed from, so that it can be computed again.
    ALTER TABLE sighting ADD COLUMN family TEXT NOT NULL DEFAULT '';
    ALTER TABLE sighting ADD COLUMN suspect INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sighting ADD COLUMN evidence TEXT NOT NULL DEFAULT '';

    -- Whether it is among the first of its signature, whose blobs are kept. Follows from the other rows.
    ALTER TABLE sighting ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
    UPDATE sighting SET kept = 1 WHERE EXISTS (SELECT 1 FROM sighting_blob b
        WHERE b.arm = sighting.arm AND b.idx = sighting.idx AND b.ordinal = sighting.ordinal);
    CREATE INDEX sighting_kept ON sighting (signature) WHERE kept = 1;

    -- What a person says of a signature.
    CREATE TABLE mark (signature BLOB PRIMARY KEY, mark TEXT NOT NULL, note TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- Signatures that are one bug, under what says so.
    CREATE TABLE bug (id BLOB PRIMARY KEY, cause TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE bug_signature (
        bug BLOB NOT NULL, signature BLOB NOT NULL,
        PRIMARY KEY (bug, signature)
    ) STRICT, WITHOUT ROWID;
",
];

/// The version this code reads and writes.
pub(crate) const VERSION: i64 = MIGRATIONS.len() as i64;

/// `Howl`, in the file's header.
const APPLICATION: i64 = 0x486f_776c;

/// No value in a database is larger: a blob that did not compress, with some room.
const MAX_VALUE: i32 = 20 * 1024 * 1024;

const BUSY: Duration = Duration::from_secs(10);

/// Opens a database for writing: makes it if it is not there, brings it up to date if it is old.
pub(crate) fn open(path: &Path) -> Result<Connection> {
    let sql = |error: rusqlite::Error| Error::sql(path, &error);
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(sql)?;
    guard(&connection).map_err(sql)?;
    let found = version(&connection, path)?;
    if found == 0 {
        // Only an empty file can still be told to give pages back.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL").map_err(sql)?;
    }
    // Without WAL (some network file systems) SQLite keeps its other journal, which is slower but as safe with FULL,
    // its default. With it, NORMAL survives a kill at any time; what must survive a power cut asks for FULL.
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)).map_err(sql)?;
    if mode == "wal" {
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(sql)?;
    }
    if found < VERSION {
        migrate(&mut connection, found).map_err(sql)?;
    }
    check(&connection, path)?;
    Ok(connection)
}

/// Opens a database for reading, which may be on a medium that cannot be written, or written by another process.
pub(crate) fn open_read_only(path: &Path) -> Result<Connection> {
    let connection = match connect_read_only(path) {
        Ok(connection) => connection,
        // A reader wants to write to the file of the write-ahead log's index. Where that is impossible, nobody else
        // writes either, so the file will not change under us; but it must not have a log left to be read.
        Err(Error::ReadOnly { .. } | Error::Database { .. }) if no_log(path) => connect_immutable(path)?,
        Err(Error::Database { text, .. }) => {
            let text = format!(
                "{text} (its log has rows to be read, which needs a folder that can be written: copy it)"
            );
            return Err(Error::Database { path: path.to_owned(), text });
        }
        Err(error) => return Err(error),
    };
    let found = version(&connection, path)?;
    if found == 0 {
        // Whoever made it was interrupted; opening it for writing finishes it.
        return Err(Error::NotACampaign { path: path.to_owned(), missing: "tables yet" });
    }
    if found < VERSION {
        return Err(Error::Older { path: path.to_owned(), found, known: VERSION });
    }
    check(&connection, path)?;
    Ok(connection)
}

fn connect_read_only(path: &Path) -> Result<Connection> {
    let sql = |error: rusqlite::Error| Error::sql(path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(sql)?;
    guard(&connection).map_err(sql)?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).map_err(sql)?;
    Ok(connection)
}

fn connect_immutable(path: &Path) -> Result<Connection> {
    let sql = |error: rusqlite::Error| Error::sql(path, &error);
    let mut address = String::from("file:");
    for byte in std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                address.push(char::from(*byte))
            }
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address.push_str("?immutable=1");
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(PathBuf::from(address), flags).map_err(sql)?;
    guard(&connection).map_err(sql)?;
    Ok(connection)
}

fn no_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).map_or(true, |data| data.len() == 0)
}

/// Settings for files that may come from anywhere.
fn guard(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "cell_size_check", true)
}

/// The version of a database; 0 if it is empty. Changes nothing.
fn version(connection: &Connection, path: &Path) -> Result<i64> {
    let pragma = |name: &str| {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
            .map_err(|error| Error::sql(path, &error))
    };
    let found = pragma("user_version")?;
    if pragma("schema_version")? == 0 && found == 0 {
        return Ok(0);
    }
    if pragma("application_id")? != APPLICATION {
        let why = "another program made it".to_owned();
        return Err(Error::NotADatabase { path: path.to_owned(), why });
    }
    if found > VERSION {
        return Err(Error::Newer { path: path.to_owned(), found, known: VERSION });
    }
    if found < 1 {
        return Err(Error::Damaged { path: path.to_owned(), what: format!("it claims version {found}") });
    }
    Ok(found)
}

/// Brings a database from a version to the newest one, all at once or not at all.
fn migrate(connection: &mut Connection, from: i64) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for step in MIGRATIONS.iter().skip(usize::try_from(from).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// Compares the schema with that of a fresh database.
fn check(connection: &Connection, path: &Path) -> Result<()> {
    let sql = |error: rusqlite::Error| Error::sql(path, &error);
    let mut fresh = Connection::open_in_memory().map_err(sql)?;
    migrate(&mut fresh, 0).map_err(sql)?;
    let (found, expected) = (objects(connection).map_err(sql)?, objects(&fresh).map_err(sql)?);
    let odd = found.iter().find(|object| !expected.contains(object));
    let missing = expected.iter().find(|object| !found.contains(object));
    let what = match (odd, missing) {
        (None, None) => return Ok(()),
        (_, Some((kind, name, _))) => format!("its {kind} {name} is missing or not as it should be"),
        (Some((kind, name, _)), None) => format!("it has a {kind} {name} that should not be there"),
    };
    Err(Error::Damaged { path: path.to_owned(), what })
}

type Object = (String, String, Option<String>);

fn objects(connection: &Connection) -> rusqlite::Result<Vec<Object>> {
    // SQLite's own statistics tables come and go.
    let mut statement = connection
        .prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name LIMIT 1000")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}
