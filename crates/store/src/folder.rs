//! A campaign's folder as a whole: making it, opening it, one writer at a time, and rows that match folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use howler_case::Id;
use rustix::fs::FlockOperation;
use rustix::io::Errno;

use crate::blob::Blob;
use crate::contents;
use crate::database::Database;
use crate::error::{Error, Result};
use crate::lease::Shard;
use crate::ledger::{ArmCounts, Ledger, Outcome, Recorded, SignatureCounts};
use crate::mark::{Group, Marked};
use crate::marks;
use crate::query;
use crate::regroup::Regrouping;
use crate::row::{Arm, Event, File, Finding, NewFinding, Record, Sighting};
use crate::schema;

const CAMPAIGN: &str = "campaign.toml";
const DATABASE: &str = "howler.db";
const FINDINGS: &str = "findings";
const LOCK: &str = "lock";

/// A campaign's folder, open.
#[derive(Debug)]
pub struct Store {
    pub(crate) folder: PathBuf,
    // Closed before the lock is let go: fields are dropped in order.
    pub(crate) database: Database,
    lock: Option<Lock>,
    repairs: Repairs,
}

/// What opening a folder found not to fit together.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Repairs {
    /// Findings whose folder was gone and was written again.
    pub rewritten: Vec<Id>,
    /// Findings whose folder is gone and could not be written, and why.
    pub failed: Vec<(Id, Error)>,
    /// What lies among the findings and is none. It is left alone.
    pub unknown: Vec<String>,
}

impl Store {
    /// Makes a folder for a campaign, and opens it. The folder may exist if there is nothing in it but what an
    /// earlier, interrupted call made.
    pub fn create(folder: &Path, campaign: &[u8]) -> Result<Store> {
        fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
        let lock = Lock::take(folder)?;
        let entries = fs::read_dir(folder).map_err(|error| Error::io("read", folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Error::io("read", folder, &error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let ours = name == LOCK || name == CAMPAIGN || name.ends_with(CAMPAIGN) && name.starts_with('.');
            if !ours {
                return Err(Error::Exists { path: folder.to_owned(), found: name });
            }
        }
        contents::write_whole(folder, CAMPAIGN, campaign)?;
        Store::open_locked(folder, lock)
    }

    /// Whether there is a campaign in a folder.
    pub fn exists(folder: &Path) -> bool {
        folder.join(DATABASE).is_file()
    }

    /// Opens a folder for writing; no other process may have it open for writing. Brings an old database up to date,
    /// and folders of findings in line with the rows.
    pub fn open(folder: &Path) -> Result<Store> {
        for missing in [CAMPAIGN, DATABASE] {
            if !folder.join(missing).is_file() {
                return Err(Error::NotACampaign { path: folder.to_owned(), missing });
            }
        }
        let lock = Lock::take(folder)?;
        Store::open_locked(folder, lock)
    }

    /// Opens a folder for reading. It may be on a read-only medium, and a hunt may be writing to it.
    pub fn open_read_only(folder: &Path) -> Result<Store> {
        let path = folder.join(DATABASE);
        if !path.is_file() {
            return Err(Error::NotACampaign { path: folder.to_owned(), missing: DATABASE });
        }
        let connection = schema::open_read_only(&path)?;
        let database = Database::new(connection, &path);
        Ok(Store { folder: folder.to_owned(), database, lock: None, repairs: Repairs::default() })
    }

    fn open_locked(folder: &Path, lock: Lock) -> Result<Store> {
        let path = folder.join(DATABASE);
        let connection = schema::open(&path)?;
        let database = Database::new(connection, &path);
        let mut store =
            Store { folder: folder.to_owned(), database, lock: Some(lock), repairs: Repairs::default() };
        store.repairs = store.repair()?;
        Ok(store)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of a finding, there or not.
    pub fn finding_folder(&self, id: Id) -> PathBuf {
        self.findings_folder().join(id.to_string())
    }

    /// What opening had to repair.
    pub fn repairs(&self) -> &Repairs {
        &self.repairs
    }

    /// `campaign.toml`, byte for byte.
    pub fn campaign(&self) -> Result<Vec<u8>> {
        let path = self.folder.join(CAMPAIGN);
        fs::read(&path).map_err(|error| Error::io("read", &path, &error))
    }

    /// From now on sees the rows as they are now, whatever a hunt writes: for a merge or a dump, which read twice. Only
    /// for a folder open for reading; the hunt's log grows as long as it is open.
    pub fn freeze(&mut self) -> Result<()> {
        self.database.run(|connection| {
            if connection.is_autocommit() {
                connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema;")?;
            }
            Ok(())
        })
    }

    /// Has SQLite check the whole database: slow on a large one.
    pub fn check(&self) -> Result<()> {
        let answer: String = self
            .database
            .run(|connection| connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)))?;
        if answer == "ok" {
            return Ok(());
        }
        Err(Error::Damaged { path: self.database.path.clone(), what: answer })
    }

    /// The bytes of everything in the folder.
    pub fn size(&self) -> Result<u64> {
        contents::size(&self.folder)
    }

    fn findings_folder(&self) -> PathBuf {
        self.folder.join(FINDINGS)
    }

    pub(crate) fn writable(&self) -> Result<()> {
        match self.lock {
            Some(_) => Ok(()),
            None => Err(Error::ReadOnly { path: self.folder.clone() }),
        }
    }

    /// Makes folders fit the rows. Rows are the truth; a folder without a row is somebody's, and stays.
    fn repair(&mut self) -> Result<Repairs> {
        let folder = self.findings_folder();
        if !folder.is_dir() {
            fs::create_dir_all(&folder).map_err(|error| Error::io("create", &folder, &error))?;
            contents::sync_folder(&self.folder)?;
        }
        contents::sweep(&folder)?;
        self.clean_up()?;
        let mut repairs = Repairs::default();
        let (there, unknown) = contents::list(&folder)?;
        let there: BTreeSet<Id> = there.into_iter().collect();
        let findings = self.findings()?;
        for finding in findings.iter().filter(|finding| !there.contains(&finding.id())) {
            let id = finding.id();
            match self.place(finding) {
                Ok(()) => repairs.rewritten.push(id),
                Err(error) => repairs.failed.push((id, error)),
            }
        }
        let known: BTreeSet<Id> = findings.iter().map(Finding::id).collect();
        repairs.unknown = there.difference(&known).map(Id::to_string).chain(unknown).collect();
        Ok(repairs)
    }

    /// Removes the folders of findings that gave way to others.
    fn clean_up(&mut self) -> Result<()> {
        let folder = self.findings_folder();
        for id in self.database.read(query::superseded)? {
            contents::displace(&folder, id)?;
            self.database.forget_superseded(id)?;
        }
        Ok(())
    }

    /// Makes the folder of a finding from the database's blobs.
    fn place(&self, finding: &Finding) -> Result<()> {
        contents::place(&self.findings_folder(), finding.id(), || {
            let file = |row: &crate::row::FileRow| {
                let damaged = |what: String| Error::Damaged { path: self.database.path.clone(), what };
                let blob =
                    self.blob(row.blob)?.ok_or_else(|| damaged(format!("blob {} is gone", row.blob)))?;
                let bytes = blob.bytes().map_err(|error| damaged(error.to_string()))?;
                Ok(File { name: row.name.clone(), executable: row.executable, bytes })
            };
            finding.files.iter().map(file).collect()
        })
    }
}

impl Ledger for Store {
    fn register(&mut self, arm: &Arm) -> Result<()> {
        self.writable()?;
        self.database.register(arm)
    }

    fn lease(&mut self, arm: Id, shard: Shard, at_most: u64, end: u64) -> Result<Option<Range<u64>>> {
        self.writable()?;
        self.database.lease(arm, shard, at_most, end)
    }

    fn release(&mut self, arm: Id, range: Range<u64>) -> Result<()> {
        self.writable()?;
        self.database.release(arm, range)
    }

    fn record(&mut self, batch: &[Record]) -> Result<Vec<Recorded>> {
        self.writable()?;
        self.database.record(batch)
    }

    fn put_finding(&mut self, new: &NewFinding) -> Result<Outcome> {
        self.writable()?;
        let outcome = self.database.put_finding(new)?;
        if !matches!(outcome, Outcome::Worse(_)) {
            // If this fails, the row is there and the folder is not: putting it again, or opening, makes it.
            self.place(new.finding())?;
        }
        if let Outcome::Replaced(old) = outcome {
            // The new one is safe; if this fails, the next opening cleans up.
            let cleaned = contents::displace(&self.findings_folder(), old);
            let _ = cleaned.and_then(|()| self.database.forget_superseded(old));
        }
        Ok(outcome)
    }

    fn set_mark(&mut self, signature: Id, marked: Option<&Marked>) -> Result<()> {
        self.writable()?;
        self.database.set_mark(signature, marked)
    }

    fn put_group(&mut self, group: &Group) -> Result<()> {
        self.writable()?;
        self.database.put_group(group)
    }

    fn regroup(&mut self, plan: &Regrouping) -> Result<()> {
        self.writable()?;
        self.database.regroup(plan)?;
        // The rows are safe; what fails here is done when the folder is opened the next time.
        for finding in self.findings()? {
            self.place(&finding)?;
        }
        self.clean_up()
    }

    fn note(&mut self, event: &Event) -> Result<()> {
        self.writable()?;
        self.database.note(event)
    }

    fn set_meta(&mut self, key: &str, value: &str) -> Result<()> {
        self.writable()?;
        self.database.set_meta(key, value)
    }

    fn meta(&self) -> Result<BTreeMap<String, String>> {
        self.database.read(query::meta)
    }

    fn arms(&self) -> Result<Vec<ArmCounts>> {
        self.database.read(query::arms)
    }

    fn tests(&self, arm: Id, from: u64, at_most: usize) -> Result<Vec<Record>> {
        self.database.read(|rows| query::tests(rows, arm, from, at_most))
    }

    fn signatures(&self) -> Result<Vec<SignatureCounts>> {
        self.database.read(query::signatures)
    }

    fn sightings(&self, signature: Id, at_most: usize) -> Result<Vec<(Id, u64, Sighting)>> {
        self.database.read(|rows| query::sightings(rows, signature, at_most))
    }

    fn finding_for(&self, signature: Id) -> Result<Option<Finding>> {
        self.database.read(|rows| query::finding_for(rows, signature))
    }

    fn findings(&self) -> Result<Vec<Finding>> {
        self.database.read(query::findings)
    }

    fn marks(&self) -> Result<BTreeMap<Id, Marked>> {
        self.database.read(marks::all)
    }

    fn groups(&self) -> Result<Vec<Group>> {
        self.database.read(marks::groups)
    }

    fn blob(&self, id: Id) -> Result<Option<Blob>> {
        self.database.read(|rows| query::blob(rows, id))
    }

    fn blobs(&self) -> Result<Vec<(Id, u64)>> {
        self.database.read(query::blobs)
    }

    fn events_about(&self, subject: &str, at_most: usize) -> Result<Vec<Event>> {
        self.database.read(|rows| query::events_about(rows, subject, at_most))
    }

    fn events(&self, at_most: usize) -> Result<Vec<Event>> {
        self.database.read(|rows| query::events(rows, at_most))
    }
}

/// The right to write. The kernel takes it back when the process ends, however it ends.
#[derive(Debug)]
struct Lock(fs::File);

impl Lock {
    fn take(folder: &Path) -> Result<Lock> {
        let path = folder.join(LOCK);
        let failed = |error: std::io::Error| Error::io("lock", &path, &error);
        let mut file = fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                let mut text = String::new();
                let read = (&mut file).take(20).read_to_string(&mut text);
                let pid = read.ok().and_then(|_| text.trim().parse().ok());
                return Err(Error::Locked { path: folder.to_owned(), pid });
            }
            Err(error) => return Err(failed(error.into())),
        }
        // Who holds the lock is a courtesy to others; on a full disk it may be missing.
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Lock(file))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // So that nobody is told of a process that is long gone.
        let _ = self.0.set_len(0);
        // A child that is about to start has the file open, too: closing it here would not be enough.
        let _ = rustix::fs::flock(&self.0, FlockOperation::Unlock);
    }
}
