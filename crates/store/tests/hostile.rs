//! Databases from elsewhere: of another version, of another program, edited, broken. Each gives rows or an error.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use howler_case::Status;
use howler_choices::Choices;
use howler_store::{Error, Ledger, Memory, Result, Shard, Store, dump, merge};
use howler_testkit::{Scratch, soak};
use rusqlite::Connection;
use support::{arm, assert_same, check_folders, finding, hunt, record, sighting, text};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

const VERSIONS: [&str; 2] = ["v1", "v2"];

/// A folder with this database. Folders of findings stay from one to the next: syncing them takes time.
fn folder_with(scratch: &Scratch, database: &[u8]) -> PathBuf {
    let folder = scratch.path("campaign");
    fs::create_dir_all(&folder).unwrap();
    ["howler.db-wal", "howler.db-shm"].iter().for_each(|name| drop(fs::remove_file(folder.join(name))));
    fs::write(folder.join("campaign.toml"), "seed = 7\n").unwrap();
    fs::write(folder.join("howler.db"), database).unwrap();
    folder
}

/// Files of every released version are kept; `HOWLER_BLESS=1` writes that of the newest if there is none.
#[test]
fn old_versions_open() {
    let (rows, database) = (fixture("v2.txt"), fixture("v2.db"));
    if std::env::var_os("HOWLER_BLESS").is_some_and(|value| value == "1") && !database.exists() {
        let scratch = Scratch::new();
        let mut store = Store::create(&scratch.path("campaign"), b"seed = 7\n").unwrap();
        hunt(&mut store, &[arm("one"), arm("two")], Shard::WHOLE, 20, &mut Choices::new(7));
        fs::write(rows, text(&store)).unwrap();
        let folder = store.folder().to_owned();
        drop(store);
        fs::copy(folder.join("howler.db"), database).unwrap();
    }
    for version in VERSIONS {
        let scratch = Scratch::new();
        let folder = folder_with(&scratch, &fs::read(fixture(&format!("{version}.db"))).unwrap());
        let expected = fs::read_to_string(fixture(&format!("{version}.txt"))).unwrap();
        let mut store = Store::open(&folder).unwrap();
        assert_same(&text(&store), &expected);
        assert!(!store.repairs().rewritten.is_empty());
        check_folders(&store);
        store.check().unwrap();
        let arm = store.arms().unwrap()[0].arm.id();
        assert_eq!(store.lease(arm, Shard::WHOLE, 100, 30).unwrap(), Some(20..30));
    }
}

#[test]
fn files_that_are_no_database_are_refused() {
    let scratch = Scratch::new();
    let newest = fs::read(fixture("v2.db")).unwrap();
    let refuse = |database: &[u8], expected: &str| {
        let folder = folder_with(&scratch, database);
        for result in [Store::open_read_only(&folder), Store::open(&folder)] {
            let error = result.map(drop).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(fs::read(folder.join("howler.db")).unwrap(), database, "it was changed");
    };
    refuse(b"int main(void) { return 0; } /* not a database */", "is not a database of Howler's");
    refuse(&[0; 100_000], "is not a database of Howler's");

    let edit = |sql: &str| {
        let folder = folder_with(&scratch, &newest);
        Connection::open(folder.join("howler.db")).unwrap().execute_batch(sql).unwrap();
        fs::read(folder.join("howler.db")).unwrap()
    };
    // Without a log, so that refusing leaves the file as it was.
    let edit = |sql: &str| edit(&format!("PRAGMA journal_mode = DELETE; {sql}"));
    refuse(&edit("PRAGMA user_version = 3"), "has version 3, this Howler knows versions up to 2");
    refuse(&edit("PRAGMA user_version = -5"), "is damaged: it claims version -5");
    refuse(&edit("PRAGMA application_id = 1"), "another program made it");
}

#[test]
fn another_schema_is_refused() {
    let scratch = Scratch::new();
    let newest = fs::read(fixture("v2.db")).unwrap();
    for (sql, expected) in [
        ("DROP TABLE test", "table test is missing"),
        ("DROP INDEX sighting_by_signature", "index sighting_by_signature is missing"),
        ("ALTER TABLE test RENAME COLUMN runs TO walks", "table test is missing or not as it should be"),
        ("CREATE TABLE extra (x)", "a table extra that should not be there"),
        (
            "CREATE TRIGGER t AFTER INSERT ON test BEGIN DELETE FROM finding; END",
            "a trigger t that should not be",
        ),
        (
            "DROP TABLE test; CREATE VIEW test AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT x FROM c",
            "is missing or not as it should be",
        ),
    ] {
        let folder = folder_with(&scratch, &newest);
        Connection::open(folder.join("howler.db")).unwrap().execute_batch(sql).unwrap();
        for result in [Store::open_read_only(&folder), Store::open(&folder)] {
            let error = result.map(drop).unwrap_err();
            assert!(
                matches!(error, Error::Damaged { .. }) && error.to_string().contains(expected),
                "{error}"
            );
        }
    }
}

/// Everything a ledger can be asked, whatever the answers.
fn ask_everything(store: &mut Store) -> Result<()> {
    let mut results = Vec::new();
    results.push(dump(store, &mut std::io::sink()));
    results.push(store.check());
    results.push(store.events(10).map(drop));
    let signatures = store.signatures().unwrap_or_default();
    for counts in signatures.iter().take(5) {
        results.push(store.sightings(counts.signature, 10).map(drop));
        results.push(store.finding_for(counts.signature).map(drop));
    }
    let blobs = store.blobs().unwrap_or_default();
    for (id, _) in blobs.iter().take(50) {
        results.push(store.blob(*id).and_then(|blob| blob.map_or(Ok(()), |blob| blob.bytes().map(drop))));
    }
    results.push(merge(&mut Memory::new(), store).map(drop));
    let a = arm("one");
    results.push(store.register(&a));
    results.push(store.lease(a.id(), Shard::WHOLE, 10, u64::MAX).map(drop));
    results.push(store.release(a.id(), 0..10));
    results
        .push(store.record(&[record(&a, 3, &[sighting("x")]), record(&a, 70, &[sighting("x")])]).map(drop));
    results.push(store.put_finding(&finding(&a, 0, "common 1", Status::Confirmed, "x")).map(drop));
    results.push(store.trim(1).map(drop));
    results.into_iter().collect()
}

#[test]
fn edited_values_are_damage() {
    let scratch = Scratch::new();
    let newest = fs::read(fixture("v2.db")).unwrap();
    for sql in [
        "UPDATE test SET idx = -idx - 1 WHERE idx = 3",
        "UPDATE test SET verdict = 999 WHERE idx = 3",
        "UPDATE test SET builds = -1 WHERE idx = 3",
        "UPDATE test SET builds = 9223372036854775807",
        "UPDATE test SET sightings = sightings + 1 WHERE idx = 3",
        "DELETE FROM sighting",
        "DELETE FROM arm",
        "DELETE FROM word",
        "UPDATE arm SET line = 'another'",
        "UPDATE arm SET line = line || char(10)",
        "UPDATE arm SET id = x'00' WHERE key = 1",
        "UPDATE sighting SET signature = x'0011'",
        "UPDATE sighting SET signature = zeroblob(1000000)",
        "UPDATE sighting SET details = CAST(x'ff' AS TEXT)",
        "UPDATE sighting SET evidence = CAST(x'ff' AS TEXT)",
        "UPDATE sighting SET evidence = CAST(zeroblob(30000000) AS TEXT) WHERE idx < 9",
        "UPDATE mark SET mark = 'wontfix'",
        "UPDATE mark SET note = CAST(x'ff' AS TEXT)",
        "UPDATE mark SET note = CAST(zeroblob(1000000) AS TEXT)",
        "UPDATE mark SET signature = x'00' WHERE signature = (SELECT min(signature) FROM mark)",
        "UPDATE bug SET cause = cause || 'x'",
        "UPDATE bug SET cause = ''",
        "DELETE FROM bug",
        "UPDATE bug_signature SET signature = x'00' WHERE signature = (SELECT min(signature) FROM bug_signature)",
        "UPDATE sighting_blob SET blob = x''",
        "UPDATE finding SET status = 'certain'",
        "UPDATE finding SET title = 'another'",
        "UPDATE finding SET idx = -1",
        "UPDATE finding SET id = zeroblob(16) WHERE id = (SELECT min(id) FROM finding)",
        "UPDATE finding_file SET name = '../../../evil'",
        "UPDATE finding_file SET name = '/tmp/howler-evil'",
        "UPDATE finding_file SET executable = 7 - executable",
        "DELETE FROM finding_file",
        "UPDATE blob SET data = x'00'",
        "UPDATE blob SET size = 1152921504606846976",
        "UPDATE blob SET size = size + 1",
        "UPDATE blob SET data = zeroblob(30000000) WHERE key = (SELECT min(key) FROM blob)",
        "UPDATE meta SET value = CAST(zeroblob(30000000) AS TEXT)",
        "INSERT INTO superseded VALUES ('..')",
    ] {
        let folder = folder_with(&scratch, &newest);
        let edited = Connection::open(folder.join("howler.db")).unwrap().execute_batch(sql);
        if edited.is_err() {
            assert!(sql.contains("'..'"), "{sql}: {edited:?}");
            continue;
        }
        let results = [
            Store::open_read_only(&folder).and_then(|mut store| ask_everything(&mut store)),
            Store::open(&folder).and_then(|mut store| {
                let failed = store.repairs().failed.first().cloned();
                failed.map_or_else(|| ask_everything(&mut store), |(_, error)| Err(error))
            }),
        ];
        // A reader hears at the latest that it cannot write.
        assert!(results[0].is_err(), "{sql}");
        let harmless = sql.contains("executable");
        assert!(harmless || results[1].is_err(), "{sql}");
        assert!(!scratch.path("evil").exists() && !Path::new("/tmp/howler-evil").exists());
    }
}

#[test]
fn broken_pages_are_no_panic() {
    let scratch = Scratch::new();
    let newest = fs::read(fixture("v2.db")).unwrap();
    let (mut refused, mut damaged) = (0, 0);
    let rounds = if soak() { 5000 } else { 120 };
    for seed in 0..rounds {
        let mut choices = Choices::new(seed);
        let mut bytes = newest.clone();
        match choices.range("how", 0..=3) {
            0 => bytes.truncate(choices.range("length", 1..=bytes.len() - 1)),
            1 => {
                let pages = bytes.len() / 4096;
                let (from, to) = (choices.range("from", 0..=pages - 1), choices.range("to", 0..=pages - 1));
                bytes.copy_within(from * 4096..(from + 1) * 4096, to * 4096);
            }
            _ => {
                for _ in 0..choices.range("count", 1..=200) {
                    let at = choices.range("at", 0..=bytes.len() - 1);
                    bytes[at] = choices.range("byte", 0..=255_u8);
                }
            }
        }
        let folder = folder_with(&scratch, &bytes);
        match Store::open(&folder) {
            Ok(mut store) => damaged += u64::from(ask_everything(&mut store).is_err()),
            Err(_) => refused += 1,
        }
    }
    println!("of {rounds} broken files, {refused} were refused and {damaged} gave errors later");
    assert!(refused + damaged > rounds / 2);
}
