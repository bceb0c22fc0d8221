//! Places that cannot be written: a small file system that fills up, and one that is read-only. The error says so,
//! nothing breaks, and work goes on when there is space again.
#![allow(clippy::disallowed_methods, reason = "the test mounts file systems")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use howler_case::Status;
use howler_choices::Choices;
use howler_store::{Arm, Blob, Error, Ledger, Memory, NewFinding, Record, Shard, Sighting, Store, Writer};
use howler_testkit::{Scratch, skip, soak};
use support::{arm, assert_same, check_folders, finding, hunt, record, sighting, text};

/// A small file system in memory.
struct Small {
    folder: PathBuf,
    _scratch: Scratch,
}

impl Small {
    /// `None` if mounting is not allowed here: the test is skipped.
    fn mount(kilobytes: u64) -> Option<Small> {
        let scratch = Scratch::new();
        let folder = scratch.path("small");
        fs::create_dir(&folder).unwrap();
        let options = format!("size={kilobytes}k");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&folder).output();
        match mounted {
            Ok(output) if output.status.success() => Some(Small { folder, _scratch: scratch }),
            _ => {
                skip("mounting a small file system needs root");
                None
            }
        }
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        let output = Command::new("mount").args(["-o", &options]).arg(&self.folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg("-l").arg(&self.folder).status();
        assert!(unmounted.is_ok_and(|status| status.success()), "cannot unmount {}", self.folder.display());
    }
}

/// A test with bytes that do not compress, and a finding of it.
fn bulky(arm: &Arm, index: u64) -> (Record, NewFinding) {
    let mut choices = Choices::new(9).sub_indexed("bulky", index);
    let length = choices.range("length", 100..=20_000_usize);
    let bytes: Vec<u8> = (0..length).map(|_| choices.range("byte", 0..=255_u8)).collect();
    let blob = Blob::new(&bytes).unwrap();
    let name = format!("signature {index}");
    let seen = Sighting { blobs: vec![blob.id()], ..sighting(&name) };
    let text = format!("{bytes:?}");
    (
        Record { blobs: vec![blob], ..record(arm, index, &[seen]) },
        finding(arm, index, &name, Status::Confirmed, &text),
    )
}

/// The rows after so many tests, all of them found.
fn expected(arm: &Arm, tests: u64) -> String {
    let mut memory = Memory::new();
    memory.register(arm).unwrap();
    for index in 0..tests {
        let (record, found) = bulky(arm, index);
        memory.put_finding(&found).unwrap();
        memory.record(&[record]).unwrap();
    }
    text(&memory)
}

#[test]
fn a_full_disk_loses_nothing() {
    let sizes: Vec<u64> = if soak() { (200..4000).step_by(50).collect() } else { vec![300, 700, 1500, 2048] };
    for kilobytes in sizes {
        let Some(small) = Small::mount(kilobytes) else { return };
        let a = arm("a");
        let mut store = Store::create(&small.folder.join("campaign"), b"").unwrap();
        store.register(&a).unwrap();
        let writer = Writer::start(store).unwrap();
        let handle = writer.handle();
        let step = |index: u64| {
            let (record, found) = bulky(&a, index);
            handle.call(move |store| store.put_finding(&found))?;
            handle.record(vec![record])
        };
        let mut done = 0;
        let error = loop {
            match step(done) {
                Ok(_) => done += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, Error::Full { .. }), "{error:?}");
        assert!(error.to_string().contains("no space left"), "{error}");
        // It stays so, and what was there is there.
        for _ in 0..5 {
            let _ = step(done);
        }
        let tests = handle.call(|store| Ok(store.arms()?[0].tests)).unwrap();
        assert!(tests == done || tests == done + 1, "{tests} tests, {done} known to be done");
        handle.call(|store| store.check()).unwrap();

        // Closed and opened on the full disk: rows are readable at least.
        drop(handle);
        drop(writer.finish().unwrap());
        let folder = small.folder.join("campaign");
        match Store::open(&folder) {
            Ok(store) => {
                store.check().unwrap();
                assert!(store.arms().unwrap()[0].tests >= done);
            }
            Err(error) => assert!(matches!(error, Error::Full { .. }), "{error:?}"),
        }
        small.remount("size=16m");
        let mut store = Store::open(&folder).unwrap();
        assert_eq!((&store.repairs().failed, &store.repairs().unknown), (&Vec::new(), &Vec::new()));
        for index in done..done + 30 {
            let (record, found) = bulky(&a, index);
            store.put_finding(&found).unwrap();
            store.record(&[record]).unwrap();
        }
        assert_same(&text(&store), &expected(&a, done + 30));
        check_folders(&store);
        store.check().unwrap();
    }
}

#[test]
fn a_writer_goes_on_when_there_is_space_again() {
    let Some(small) = Small::mount(2048) else { return };
    let a = arm("a");
    let mut store = Store::create(&small.folder.join("campaign"), b"").unwrap();
    store.register(&a).unwrap();
    let writer = Writer::start(store).unwrap();
    let failures: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..3)
            .map(|_| {
                let (handle, a, small) = (writer.handle(), &a, &small);
                scope.spawn(move || {
                    let mut failures = 0;
                    let id = a.id();
                    while let Some(range) = handle.call(move |s| s.lease(id, Shard::WHOLE, 5, 150)).unwrap() {
                        for index in range {
                            let (record, found) = bulky(a, index);
                            let put = || {
                                let found = found.clone();
                                handle.call(move |store| store.put_finding(&found))?;
                                handle.record(vec![record.clone()])
                            };
                            while let Err(error) = put() {
                                assert!(matches!(error, Error::Full { .. }), "{error:?}");
                                failures += 1;
                                if failures > 3 {
                                    small.remount("size=32m");
                                }
                            }
                        }
                    }
                    failures
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert!(failures > 3, "the disk was never full");
    let store = writer.finish().unwrap();
    assert_same(&text(&store), &expected(&a, 150));
    check_folders(&store);
    store.check().unwrap();
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_read_only_folder_is_read() {
    let Some(small) = Small::mount(64 * 1024) else { return };
    let scratch = Scratch::new();
    let mut store = Store::create(&scratch.path("live"), b"seed = 1\n").unwrap();
    let a = arm("a");
    hunt(&mut store, std::slice::from_ref(&a), Shard::WHOLE, 100, &mut Choices::new(1));
    let rows = text(&store);
    // One copy as a killed process would have left it, with a log; one without the log's index; one closed cleanly.
    copy_folder(store.folder(), &small.folder.join("killed"));
    assert!(small.folder.join("killed/howler.db-wal").metadata().unwrap().len() > 0);
    copy_folder(store.folder(), &small.folder.join("no index % ?#"));
    fs::remove_file(small.folder.join("no index % ?#/howler.db-shm")).unwrap();
    let folder = store.folder().to_owned();
    drop(store);
    copy_folder(&folder, &small.folder.join("closed % ?#"));
    small.remount("ro");
    for name in ["closed % ?#", "killed", "no index % ?#"] {
        let folder = small.folder.join(name);
        let error = Store::open(&folder).unwrap_err();
        assert!(matches!(error, Error::ReadOnly { .. }), "{name}: {error:?}");
        match Store::open_read_only(&folder) {
            Ok(store) => {
                assert_same(&text(&store), &rows);
                assert_eq!(store.campaign().unwrap(), b"seed = 1\n");
            }
            // The log cannot be read without its index, and rows must not go missing silently.
            Err(error) => {
                assert!(name.starts_with("no index"), "{name}: {error:?}");
                assert!(error.to_string().contains("copy it"), "{error}");
            }
        }
        let created = Store::create(&small.folder.join("new"), b"").unwrap_err();
        assert!(matches!(created, Error::ReadOnly { .. }), "{created:?}");
    }
}
