//! The folder: made, opened, locked, read beside a writer, repaired, kept small.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use howler_case::{Id, Status};
use howler_choices::Choices;
use howler_store::{Blob, Error, Ledger, Memory, Outcome, Record, Shard, Sighting, Store, merge};
use howler_testkit::Scratch;
use support::{arm, assert_same, check_folders, finding, hunt, record, sighting, text};

fn created(scratch: &Scratch) -> Store {
    Store::create(&scratch.path("campaign"), b"seed = 1\n").unwrap()
}

#[test]
fn a_folder_is_made_once_and_opened_often() {
    let scratch = Scratch::new();
    let folder = scratch.path("deep/campaign");
    assert!(!Store::exists(&folder));
    assert!(matches!(Store::open(&folder), Err(Error::NotACampaign { .. })));
    assert!(matches!(Store::open_read_only(&folder), Err(Error::NotACampaign { .. })));
    drop(Store::create(&folder, b"\xff not text").unwrap());
    assert!(Store::exists(&folder));
    assert_eq!(Store::open(&folder).unwrap().campaign().unwrap(), b"\xff not text");
    assert_eq!(Store::open_read_only(&folder).unwrap().campaign().unwrap(), b"\xff not text");
    let Err(Error::Exists { found, .. }) = Store::create(&folder, b"") else { panic!("made again") };
    assert!(!found.is_empty());
    assert_eq!(Store::open(&folder).unwrap().campaign().unwrap(), b"\xff not text");
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let scratch = Scratch::new();
    scratch.write("homework.txt", "x");
    let result = Store::create(scratch.folder(), b"");
    assert_eq!(
        result.unwrap_err().to_string(),
        format!("{} has a homework.txt already", scratch.folder().display())
    );
    assert!(!scratch.path("campaign.toml").exists());
}

#[test]
fn an_interrupted_creation_is_finished() {
    let scratch = Scratch::new();
    ["a", "b"].iter().for_each(|folder| fs::create_dir(scratch.path(folder)).unwrap());
    // Before the campaign's file was whole.
    scratch.write("a/.unfinished-campaign.toml", "se");
    scratch.write("a/lock", "");
    Store::create(&scratch.path("a"), b"seed = 1\n").unwrap();
    // Before the database had its tables.
    scratch.write("b/campaign.toml", "seed = 2\n");
    scratch.write("b/howler.db", "");
    assert!(matches!(Store::open_read_only(&scratch.path("b")), Err(Error::NotACampaign { .. })));
    let store = Store::open(&scratch.path("b")).unwrap();
    assert_eq!(store.arms().unwrap(), []);
    store.check().unwrap();
}

#[test]
fn one_process_writes() {
    let scratch = Scratch::new();
    let store = created(&scratch);
    let error = Store::open(store.folder()).unwrap_err();
    assert_eq!(error, Error::Locked { path: store.folder().to_owned(), pid: Some(std::process::id()) });
    assert!(error.to_string().ends_with(&format!("is in use by process {}", std::process::id())), "{error}");
    let folder = store.folder().to_owned();
    drop(store);
    Store::open(&folder).unwrap();
}

#[test]
fn readers_see_what_a_writer_does() {
    let scratch = Scratch::new();
    let mut store = created(&scratch);
    let a = arm("a");
    store.register(&a).unwrap();
    let mut reader = Store::open_read_only(store.folder()).unwrap();
    for index in 0..3 {
        store.record(&[record(&a, index, &[sighting("s")])]).unwrap();
        assert_eq!(reader.arms().unwrap()[0].tests, index + 1);
    }
    reader.freeze().unwrap();
    store.record(&[record(&a, 9, &[])]).unwrap();
    assert_eq!(reader.arms().unwrap()[0].tests, 3);
    assert_eq!(Store::open_read_only(store.folder()).unwrap().arms().unwrap()[0].tests, 4);
    let readonly =
        |result: Result<(), Error>| assert!(matches!(result, Err(Error::ReadOnly { .. })), "{result:?}");
    readonly(reader.register(&a));
    readonly(reader.record(&[]).map(drop));
    readonly(reader.lease(a.id(), Shard::WHOLE, 1, 1).map(drop));
    readonly(reader.put_finding(&finding(&a, 0, "s", Status::Confirmed, "x")).map(drop));
    readonly(reader.set_meta("a", "b"));
    readonly(reader.trim(0).map(drop));
}

#[test]
fn leases_of_a_closed_store_are_handed_out_again() {
    let scratch = Scratch::new();
    let mut store = created(&scratch);
    let a = arm("a");
    store.register(&a).unwrap();
    assert_eq!(store.lease(a.id(), Shard::WHOLE, 10, 99).unwrap(), Some(0..10));
    store.record(&[record(&a, 0, &[]), record(&a, 4, &[])]).unwrap();
    let folder = store.folder().to_owned();
    drop(store);
    let mut store = Store::open(&folder).unwrap();
    let mut lease = || store.lease(a.id(), Shard::WHOLE, 10, 99).unwrap();
    assert_eq!((lease(), lease(), lease()), (Some(1..4), Some(5..15), Some(15..25)));
}

#[test]
fn a_finding_has_a_folder() {
    let scratch = Scratch::new();
    let mut store = created(&scratch);
    let a = arm("a");
    let old = finding(&a, 7, "s", Status::Confirmed, "int x;");
    store.put_finding(&old).unwrap();
    let folder = store.finding_folder(old.finding().id());
    assert_eq!(fs::read(folder.join("test.c")).unwrap(), b"int x;");
    let mode = |name: &str| fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o100;
    assert_eq!((mode("test.c"), mode("repro.sh")), (0, 0o100));
    let new = finding(&a, 5, "s", Status::Confirmed, "int y;");
    assert_eq!(store.put_finding(&new).unwrap(), Outcome::Replaced(old.finding().id()));
    store.put_finding(&old).unwrap();
    check_folders(&store);
}

#[test]
fn folders_are_repaired_from_rows() {
    let scratch = Scratch::new();
    let mut store = created(&scratch);
    let a = arm("a");
    let (one, two) =
        (finding(&a, 1, "s", Status::Confirmed, "one"), finding(&a, 2, "t", Status::Flaky, "two"));
    store.put_finding(&one).unwrap();
    store.put_finding(&two).unwrap();
    let lost = one.finding().id();
    fs::remove_dir_all(store.finding_folder(lost)).unwrap();
    let stray = Id::of(b"stray");
    let stray_file = store.finding_folder(stray).join("mine.c");
    fs::create_dir(store.finding_folder(stray)).unwrap();
    fs::write(&stray_file, "precious").unwrap();
    fs::write(store.folder().join("findings/notes.txt"), "mine").unwrap();
    let unfinished = store.folder().join("findings").join(format!(".unfinished-{lost}"));
    fs::create_dir(&unfinished).unwrap();
    fs::write(unfinished.join("test.c"), "on").unwrap();
    let folder = store.folder().to_owned();
    drop(store);

    let store = Store::open(&folder).unwrap();
    assert_eq!(store.repairs().rewritten, [lost]);
    assert_eq!(store.repairs().failed, []);
    assert_eq!(store.repairs().unknown, [stray.to_string(), "notes.txt".to_owned()]);
    assert_eq!(fs::read(&stray_file).unwrap(), b"precious");
    assert!(!unfinished.exists());
    fs::remove_dir_all(store.finding_folder(stray)).unwrap();
    fs::remove_file(store.folder().join("findings/notes.txt")).unwrap();
    check_folders(&store);
}

#[test]
fn a_folder_left_of_a_replaced_finding_goes() {
    let scratch = Scratch::new();
    let mut store = created(&scratch);
    let a = arm("a");
    let old = finding(&a, 2, "s", Status::Confirmed, "old");
    store.put_finding(&old).unwrap();
    store.put_finding(&finding(&a, 1, "s", Status::Confirmed, "new")).unwrap();
    let (folder, left) = (store.folder().to_owned(), store.finding_folder(old.finding().id()));
    drop(store);
    // As if the process had been killed between the row and the folder.
    fs::create_dir(&left).unwrap();
    let database = rusqlite::Connection::open(folder.join("howler.db")).unwrap();
    database.execute("INSERT INTO superseded (id) VALUES (?)", [&old.finding().id().bytes()[..]]).unwrap();
    drop(database);
    let store = Store::open(&folder).unwrap();
    assert_eq!(store.repairs().unknown, [""; 0]);
    check_folders(&store);
}

/// A store with 20 sightings of each of two signatures and bytes that do not compress, and a finding for the tenth.
fn with_duplicates(folder: &Path) -> (Store, Vec<Blob>) {
    let mut store = Store::create(folder, b"").unwrap();
    let a = arm("a");
    store.register(&a).unwrap();
    let mut choices = Choices::new(1);
    let mut blobs = Vec::new();
    for index in 0..40 {
        let bytes: Vec<u8> = (0..50_000).map(|_| choices.range("byte", 0..=255_u8)).collect();
        let blob = Blob::new(&bytes).unwrap();
        let seen = Sighting { blobs: vec![blob.id()], ..sighting(if index % 2 == 0 { "s" } else { "t" }) };
        store.record(&[Record { blobs: vec![blob.clone()], ..record(&a, 39 - index, &[seen]) }]).unwrap();
        blobs.push(blob);
    }
    store.put_finding(&finding(&a, 9, "s", Status::Confirmed, "nine")).unwrap();
    (store, blobs)
}

#[test]
fn the_quota_removes_the_oldest_duplicates() {
    let scratch = Scratch::new();
    let (mut store, blobs) = with_duplicates(&scratch.path("campaign"));
    let there = |store: &Store| -> Vec<bool> {
        blobs.iter().map(|blob| store.blob(blob.id()).unwrap().is_some()).collect()
    };
    let rows = |store: &Store| -> String {
        text(store)
            .lines()
            .filter(|line| !line.starts_with("blob "))
            .map(|line| format!("{line}\n"))
            .collect()
    };
    let before = rows(&store);
    let nothing = store.trim(1 << 40).unwrap();
    assert_eq!((nothing.removed, nothing.over), (0, false));
    let trimmed = store.trim(1_000_000).unwrap();
    assert!(!trimmed.over && trimmed.after <= 1_000_000 && trimmed.before > 2_000_000, "{trimmed:?}");
    assert_eq!(trimmed.after, store.size().unwrap());
    // The first ones went, but for the sighting that the finding is of (index 9 was the 31st) and the smallest ones.
    let removed = usize::try_from(trimmed.removed).unwrap();
    let needed = [30, 38, 39];
    assert_eq!(there(&store), (0..40).map(|at| at >= removed || needed.contains(&at)).collect::<Vec<_>>());
    let trimmed = store.trim(10_000).unwrap();
    assert!(trimmed.over, "{trimmed:?}");
    assert_eq!(there(&store), (0..40).map(|at| needed.contains(&at)).collect::<Vec<_>>());
    assert_eq!(rows(&store), before);
    assert_eq!(store.findings().unwrap().len(), 1);
    check_folders(&store);
    store.check().unwrap();
    // What is gone stays away from a merge, and comes back from a folder that has it.
    let mut copy = Memory::new();
    merge(&mut copy, &store).unwrap();
    assert_same(&text(&copy), &text(&store));
    let (full, _) = with_duplicates(&scratch.path("full"));
    merge(&mut store, &full).unwrap();
    assert_same(&text(&store), &text(&full));
}

#[test]
fn a_folder_of_shards_equals_the_whole() {
    let scratch = Scratch::new();
    let arms = [arm("one"), arm("two")];
    let mut whole = Store::create(&scratch.path("whole"), b"").unwrap();
    hunt(&mut whole, &arms, Shard::WHOLE, 300, &mut Choices::new(0));
    let mut merged = Store::create(&scratch.path("merged"), b"").unwrap();
    for index in 0..4 {
        let folder = scratch.path(&format!("shard{index}"));
        let mut shard = Store::create(&folder, b"").unwrap();
        hunt(&mut shard, &arms, Shard::new(index, 4).unwrap(), 300, &mut Choices::new(1 + index));
        drop(shard);
        merge(&mut merged, &Store::open_read_only(&folder).unwrap()).unwrap();
    }
    assert_same(&text(&merged), &text(&whole));
    check_folders(&merged);
    merged.check().unwrap();
}
