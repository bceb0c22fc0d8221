//! How findings and sightings get into the store.

use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use howler_case::{Case, Status};
use howler_oracle::finding::Finding;
use howler_oracle::sighting::Sighting;
use howler_store::{Blob, Event as Note, Ledger, NewFinding, Outcome};

use super::{WorkError, Worker, locked, one_line};
use crate::setup::Arm;
use crate::status::{Event, Found};

/// What is recorded of a sighting.
pub(super) struct Noted {
    /// Its row.
    pub row: howler_store::Sighting,
    /// Its program.
    pub blobs: Vec<Blob>,
    /// Whether its signature is news.
    pub is_new: bool,
}

impl Worker<'_> {
    /// Puts a finding on disk, and only then tells of it. Says whether it is news: what somebody has marked is not.
    pub(super) fn keep(&mut self, arm: &Arm, index: u64, finding: &Finding) -> Result<bool, WorkError> {
        let signature = finding.sighting.signature.id();
        let row = howler_store::Finding {
            signature,
            kind: finding.sighting.kind.name().to_owned(),
            status: finding.status,
            arm: arm.row.id(),
            index,
            title: one_line(&finding.title()),
            files: Vec::new(),
        };
        let files: Vec<howler_store::File> = finding
            .folder()
            .into_iter()
            .map(|file| howler_store::File {
                executable: file.name.ends_with(".sh"),
                name: file.name,
                bytes: storable(file.text),
            })
            .collect();
        let new = NewFinding::new(row, &files)?;
        let row = new.finding().clone();
        let at = milliseconds();
        let kept = self.shared.store.call(move |store| {
            let kept = store.put_finding(&new)?;
            if let Outcome::New | Outcome::Replaced(_) = kept {
                let row = new.finding();
                store.note(&Note {
                    at,
                    kind: row.status.name().to_owned(),
                    subject: row.signature.to_string(),
                    text: row.id().to_string(),
                })?;
            }
            Ok(kept)
        })?;
        let confirmed = finding.status == Status::Confirmed;
        let is_news = locked(&self.shared.known).is_news(signature);
        match kept {
            Outcome::New | Outcome::Replaced(_) if is_news => self.tell(Event::Found(Found {
                id: row.id(),
                signature: row.signature,
                kind: row.kind,
                confirmed,
                title: row.title,
                at: Some(0.0),
                seen: 1,
            })),
            Outcome::New | Outcome::Replaced(_) => self.tell(Event::SeenAgain { signature }),
            Outcome::Known | Outcome::Worse(_) => {}
        }
        if confirmed && is_news && self.shared.until_finding {
            self.shared.stop.store(true, Ordering::SeqCst);
        }
        Ok(is_news)
    }
}

/// Now, as events have it.
fn milliseconds() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or(i64::MAX)
}

/// A file as far as the store takes it: a finding whose expected output is very long is better kept in part than lost,
/// with the hunt.
fn storable(mut bytes: Vec<u8>) -> Vec<u8> {
    const CUT: &[u8] = b"\n... cut by Howler: too long to be stored\n";
    if bytes.len() > howler_store::MAX_BLOB {
        bytes.truncate(howler_store::MAX_BLOB - CUT.len());
        bytes.extend_from_slice(CUT);
    }
    bytes
}

/// What is recorded of something seen in a case.
pub(super) fn noted(sighting: &Sighting, case: &Case) -> Result<Noted, WorkError> {
    let blobs = case.files.iter().map(|file| Blob::new(&storable(file.text.clone())));
    let blobs = blobs.collect::<Result<Vec<Blob>, howler_store::Error>>()?;
    let row = howler_store::Sighting {
        signature: sighting.signature.id(),
        kind: sighting.kind.name().to_owned(),
        family: sighting.family.clone(),
        suspect: sighting.suspect,
        configurations: sighting.configurations.clone(),
        details: one_line(&sighting.detail),
        evidence: sighting.signature.evidence().text(),
        blobs: blobs.iter().map(Blob::id).collect(),
    };
    Ok(Noted { row, blobs, is_new: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_too_long_is_kept_in_part() {
        assert_eq!(storable(b"abc".to_vec()), b"abc");
        let long = storable(vec![b'x'; howler_store::MAX_BLOB + 1]);
        assert_eq!(long.len(), howler_store::MAX_BLOB);
        assert!(long.ends_with(b"too long to be stored\n"));
    }
}
