//! How findings and sightings get into the store.

use std::sync::atomic::Ordering;

use howler_oracle::finding::{Finding, Status};
use howler_oracle::sighting::Sighting;
use howler_store::{Ledger, NewFinding, Outcome};

use super::{WorkError, Worker, one_line};
use crate::setup::Arm;
use crate::status::{Event, Found};

impl Worker<'_> {
    /// Puts a finding on disk, and only then tells of it.
    pub(super) fn keep(&mut self, arm: &Arm, index: u64, finding: &Finding) -> Result<(), WorkError> {
        let row = howler_store::Finding {
            signature: finding.sighting.signature.id(),
            kind: finding.sighting.kind.name().to_owned(),
            status: match finding.status {
                Status::Confirmed => howler_store::Status::Confirmed,
                Status::Suspect => howler_store::Status::Suspect,
                Status::Flaky => howler_store::Status::Flaky,
            },
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
        let kept = self.shared.store.call(move |store| store.put_finding(&new))?;
        let confirmed = finding.status == Status::Confirmed;
        if matches!(kept, Outcome::New | Outcome::Replaced(_)) {
            self.tell(Event::Found(Found {
                id: row.id(),
                signature: row.signature,
                kind: row.kind,
                confirmed,
                title: row.title,
                at: Some(0.0),
                seen: 1,
            }));
        }
        if confirmed && self.shared.until_finding {
            self.shared.stop.store(true, Ordering::SeqCst);
        }
        Ok(())
    }
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

pub(super) fn sighting_row(sighting: &Sighting) -> howler_store::Sighting {
    howler_store::Sighting {
        signature: sighting.signature.id(),
        kind: sighting.kind.name().to_owned(),
        configurations: sighting.configurations.clone(),
        details: one_line(&sighting.detail),
        blobs: Vec::new(),
    }
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
