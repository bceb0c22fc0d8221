//! The rows, as plain data. All but [`Event`] are functions of the tests done, not of when or in which order.

use std::collections::BTreeSet;

use howler_case::id::Hasher;
use howler_case::{Id, Status};

use crate::blob::Blob;
use crate::error::{Error, Result};
use crate::ledger::Recorded;

/// The longest text of a row, in bytes. Longer ones belong into a blob.
pub(crate) const MAX_TEXT: usize = 256 * 1024;

/// A way to make tests: technique, options, what it reads, configurations. One canonical line says it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Arm {
    // The hash of the line.
    id: Id,
    line: String,
}

impl Arm {
    /// The arm of a line.
    pub fn new(line: impl Into<String>) -> Result<Arm> {
        let line = line.into();
        one_line("an arm", &line)?;
        let mut hash = Hasher::new("arm");
        hash.field(line.as_bytes());
        Ok(Arm { id: hash.finish(), line })
    }

    /// Its identity: a hash of its line.
    pub fn id(&self) -> Id {
        self.id
    }

    /// Its line.
    pub fn line(&self) -> &str {
        &self.line
    }
}

/// A test that was done.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Test {
    /// The arm that made it.
    pub arm: Id,
    /// Its number in the arm.
    pub index: u64,
    /// How it was judged, as a short code: `defined`, `undefined:KIND`, `generator-failed`…
    pub verdict: String,
    /// How many programs were built.
    pub builds: u32,
    /// How many of them were run.
    pub runs: u32,
}

/// The verdict of a test that was put off: it counts as taken, and is done again when there is time.
pub const DEFERRED: &str = "deferred";

/// Something suspicious seen in a test.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sighting {
    /// Decides which sightings are of one bug.
    pub signature: Id,
    /// What kind of thing it is: `crash`, `wrong-code`…
    pub kind: String,
    /// The family of compilers it is about; nothing in rows of version 1.
    pub family: String,
    /// Whether it can never be more than a suspect.
    pub suspect: bool,
    /// The configurations that show it, sorted.
    pub configurations: Vec<String>,
    /// Whatever else is worth knowing; short.
    pub details: String,
    /// What the signature was computed from, as its maker writes it; nothing in rows of version 1.
    pub evidence: String,
    /// The program, a blob for each file. The bytes are kept of the [first](crate::PROGRAMS) sightings of a signature, and
    /// a quota may remove those too: an identity here may have no bytes.
    pub blobs: Vec<Id>,
}

/// All that one test gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The test.
    pub test: Test,
    /// What was seen in it.
    pub sightings: Vec<Sighting>,
    /// The bytes that the sightings name and the store may not have yet.
    pub blobs: Vec<Blob>,
}

/// The one sighting that stands for a signature, with everything needed to see it again. At most one is kept for a
/// signature: the one with the smallest [rank](Finding::rank).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The signature it stands for.
    pub signature: Id,
    /// What kind of thing it is.
    pub kind: String,
    /// How sure it is.
    pub status: Status,
    /// The arm of its test.
    pub arm: Id,
    /// The index of its test.
    pub index: u64,
    /// What a list shows.
    pub title: String,
    /// The files of its folder.
    pub files: Vec<FileRow>,
}

/// A file of a finding, its bytes by identity.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileRow {
    /// Its name: no folders, no dot at the start.
    pub name: String,
    /// Whether it can be run.
    pub executable: bool,
    /// Its bytes.
    pub blob: Id,
}

/// A file of a finding, with its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name: no folders, no dot at the start.
    pub name: String,
    /// Whether it can be run.
    pub executable: bool,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A finding on its way into a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewFinding {
    finding: Finding,
    blobs: Vec<Blob>,
}

impl NewFinding {
    /// A finding with these files in its folder, after those that `finding` names already (whose bytes the store must
    /// have). Compresses them.
    pub fn new(mut finding: Finding, files: &[File]) -> Result<NewFinding> {
        let mut blobs = Vec::with_capacity(files.len());
        for file in files {
            let blob = Blob::new(&file.bytes)?;
            finding.files.push(FileRow {
                name: file.name.clone(),
                executable: file.executable,
                blob: blob.id(),
            });
            blobs.push(blob);
        }
        NewFinding::with_blobs(finding, blobs)
    }

    /// A finding whose files' bytes are these, or in the store. Its title becomes one line of at most 500 characters:
    /// what compilers say may be anything, and a finding must not be lost for it.
    pub fn with_blobs(mut finding: Finding, blobs: Vec<Blob>) -> Result<NewFinding> {
        finding.title =
            finding.title.chars().map(|c| if c.is_control() { ' ' } else { c }).take(500).collect();
        if finding.title.is_empty() {
            finding.title.clone_from(&finding.kind);
        }
        finding.check()?;
        let named: BTreeSet<Id> = finding.files.iter().map(|file| file.blob).collect();
        let blobs = blobs.into_iter().filter(|blob| named.contains(&blob.id())).collect();
        Ok(NewFinding { finding, blobs })
    }

    /// The row.
    pub fn finding(&self) -> &Finding {
        &self.finding
    }

    /// The bytes.
    pub fn blobs(&self) -> &[Blob] {
        &self.blobs
    }
}

impl Finding {
    /// Its identity: a hash of everything in it. Its folder has this name, so a folder never changes.
    pub fn id(&self) -> Id {
        let mut hash = Hasher::new("finding");
        hash.field(self.signature.bytes())
            .field(self.kind.as_bytes())
            .field(self.status.name().as_bytes())
            .field(self.arm.bytes())
            .field(&self.index.to_le_bytes())
            .field(self.title.as_bytes());
        for file in &self.files {
            hash.field(file.name.as_bytes()).field(&[u8::from(file.executable)]).field(file.blob.bytes());
        }
        hash.finish()
    }

    /// Of two findings with one signature, the one with the smaller rank is kept. So what is kept does not depend on
    /// the order in which they came.
    pub fn rank(&self) -> (Status, Id, u64, Id) {
        (self.status, self.arm, self.index, self.id())
    }

    /// Whether a new sighting at this place could be kept instead of this finding, if it turns out to be confirmed.
    /// If not, it is enough to count it.
    pub fn may_yield_to(&self, arm: Id, index: u64) -> bool {
        (Status::Confirmed, arm, index) < (self.status, self.arm, self.index)
    }

    pub(crate) fn check(&self) -> Result<()> {
        one_line("a finding's kind", &self.kind)?;
        one_line("a finding's title", &self.title)?;
        check_index(self.index)?;
        let mut names = BTreeSet::new();
        for file in &self.files {
            check_name(&file.name)?;
            if !names.insert(&file.name) {
                return Err(Error::Invalid(format!("two files of a finding are called '{}'", file.name)));
            }
        }
        Ok(())
    }
}

/// Something a hunt did, and when. Merging ignores events: they are the only rows with times.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Event {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What: `start`, `stop`, `finding`…
    pub kind: String,
    /// About what, such as the id of a finding; may be empty.
    pub subject: String,
    /// In words; may be empty.
    pub text: String,
}

impl Record {
    pub(crate) fn check(&self) -> Result<()> {
        check_index(self.test.index)?;
        one_line("a verdict", &self.test.verdict)?;
        for sighting in &self.sightings {
            one_line("a sighting's kind", &sighting.kind)?;
            short("a sighting's family", &sighting.family)?;
            short("a sighting's details", &sighting.details)?;
            short("a sighting's evidence", &sighting.evidence)?;
            if !sighting.configurations.is_sorted() {
                return Err(Error::Invalid("a sighting's configurations are not sorted".to_owned()));
            }
            let mut length = 0;
            for configuration in &sighting.configurations {
                one_line("a configuration", configuration)?;
                length += configuration.len() + 1;
            }
            if length > MAX_TEXT {
                return Err(Error::Invalid("a sighting has too many configurations".to_owned()));
            }
        }
        Ok(())
    }

    /// Of two records that claim to be the same test, the smaller one is kept, whichever came first; one that was put off
    /// yields to any other.
    pub(crate) fn precedes(&self, other: &Record) -> bool {
        let rank = |record: &Record| (record.is_deferred(), record.test.clone());
        (rank(self), &self.sightings) < (rank(other), &other.sightings)
    }

    /// What this record is to another one of the same test.
    pub(crate) fn against(&self, old: &Record) -> Recorded {
        match (old.is_deferred(), self.is_deferred()) {
            (true, false) => Recorded::New,
            (false, true) => Recorded::Same,
            _ => Recorded::Clashed,
        }
    }

    fn is_deferred(&self) -> bool {
        self.test.verdict == DEFERRED
    }

    pub(crate) fn same_rows(&self, other: &Record) -> bool {
        self.test == other.test && self.sightings == other.sightings
    }
}

/// Databases count to 2^63 only.
fn check_index(index: u64) -> Result<()> {
    if i64::try_from(index).is_err() {
        return Err(Error::Invalid(format!("the index {index} is above 2^63 - 1")));
    }
    Ok(())
}

pub(crate) fn one_line(what: &str, text: &str) -> Result<()> {
    if text.is_empty() || text.contains(['\n', '\r', '\0']) {
        return Err(Error::Invalid(format!("{what} must be one line with something on it")));
    }
    short(what, text)
}

pub(crate) fn short(what: &str, text: &str) -> Result<()> {
    if text.len() > MAX_TEXT {
        return Err(Error::Invalid(format!("{what} is longer than {MAX_TEXT} bytes")));
    }
    Ok(())
}

fn check_name(name: &str) -> Result<()> {
    let bad = name.is_empty()
        || name.len() > 200
        || name.starts_with('.')
        || name.contains(|c: char| c == '/' || c == '\\' || c.is_control());
    if bad {
        return Err(Error::Invalid(format!("{name:?} is no name for a file of a finding")));
    }
    Ok(())
}

pub(crate) fn check_event(event: &Event) -> Result<()> {
    one_line("an event's kind", &event.kind)?;
    short("an event's subject", &event.subject)?;
    short("an event's text", &event.text)
}

pub(crate) fn check_meta(key: &str, value: &str) -> Result<()> {
    one_line("a key of metadata", key)?;
    short("a value of metadata", value)
}
