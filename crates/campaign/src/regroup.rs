//! Signatures by today's rules over everything that a folder has: findings that were several become one, those that were
//! one become several. Pure: it reads, and says what is to change.

use std::collections::{BTreeMap, BTreeSet};

use howler_case::{File, Id, Status};
use howler_oracle::finding::data::Data;
use howler_oracle::finding::{NAME, text};
use howler_oracle::signature::{Evidence, Signature, again};
use howler_store::{FileRow, Finding, Ledger, NewFinding, Regrouping, Result, Seen, Sighting, each_sighting};

/// What a regrouping changes, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Regrouped {
    /// All sightings.
    pub sightings: u64,
    /// Those of them whose signature changes.
    pub changed: u64,
    /// Those of which nobody kept what their signature was computed from: they stay as they are.
    pub unknown: u64,
    /// Findings before.
    pub before: u64,
    /// Findings that others of the same signature stand for now.
    pub together: u64,
    /// Findings that are new because something fell apart; they wait for a second look.
    pub apart: u64,
    /// Findings afterwards.
    pub after: u64,
}

/// The sighting that would stand for a signature.
struct Best {
    rank: (bool, Seen),
    row: Sighting,
    signature: Signature,
}

/// What is to change. `origin` names a test by its arm and index.
pub fn plan(ledger: &dyn Ledger, origin: &dyn Fn(Id, u64) -> String) -> Result<(Regrouping, Regrouped)> {
    let mut plan = Regrouping::default();
    let mut counts = Regrouped::default();
    let mut best: BTreeMap<Id, Best> = BTreeMap::new();
    let mut moved: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    each_sighting(ledger, &mut |seen, row| {
        counts.sightings += 1;
        let Some(signature) = again(&row.family, &Evidence::parse(&row.evidence)) else {
            counts.unknown += 1;
            moved.entry(row.signature).or_default().insert(row.signature);
            return;
        };
        let id = signature.id();
        moved.entry(row.signature).or_default().insert(id);
        if id == row.signature {
            return;
        }
        counts.changed += 1;
        plan.sightings.push((seen, id));
        let rank = (row.suspect, seen);
        if best.get(&id).is_none_or(|known| rank < known.rank) {
            best.insert(id, Best { rank, row: row.clone(), signature });
        }
    })?;
    let mut standing = BTreeSet::new();
    let findings = ledger.findings()?;
    counts.before = findings.len() as u64;
    for old in &findings {
        let data = document(ledger, old)?;
        let signature = data.as_ref().and_then(Data::signature_again);
        match (data, signature) {
            (Some(data), Some(signature)) if signature.id() != old.signature => {
                plan.findings.insert(old.signature);
                plan.signatures.insert(old.signature, signature.id());
                plan.puts.push(under(ledger, old, &data, &signature)?);
                counts.together += u64::from(!standing.insert(signature.id()));
            }
            _ => counts.together += u64::from(!standing.insert(old.signature)),
        }
    }
    for (id, best) in &best {
        if !standing.contains(id) {
            plan.puts.push(waiting(ledger, best, origin)?);
            counts.apart += 1;
        }
    }
    // What is said of a signature that no finding stands for goes where all its sightings go.
    let spoken_of =
        ledger.marks()?.into_keys().chain(ledger.groups()?.into_iter().flat_map(|one| one.signatures));
    for old in spoken_of {
        let all = moved.get(&old).map(|all| all.iter().copied().collect::<Vec<Id>>()).unwrap_or_default();
        if let ([new], false) = (&all[..], standing.contains(&old) || plan.signatures.contains_key(&old))
            && *new != old
        {
            plan.signatures.insert(old, *new);
        }
    }
    counts.after = counts.before + counts.apart - counts.together;
    Ok((plan, counts))
}

/// A finding's document, if it has one that makes sense.
fn document(ledger: &dyn Ledger, finding: &Finding) -> Result<Option<Data>> {
    let Some(row) = finding.files.iter().find(|file| file.name == NAME) else { return Ok(None) };
    let Some(blob) = ledger.blob(row.blob)? else { return Ok(None) };
    Ok(Data::parse(&blob.bytes()?).ok())
}

/// The bytes of those of a finding's files that its document names.
fn program(ledger: &dyn Ledger, finding: &Finding, data: &Data) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for row in finding.files.iter().filter(|row| data.files.contains(&row.name)) {
        if let Some(blob) = ledger.blob(row.blob)? {
            files.push(File { name: row.name.clone(), text: blob.bytes()? });
        }
    }
    Ok(files)
}

/// The texts that a signature stands in.
fn texts(data: &Data, files: &[File]) -> [howler_store::File; 2] {
    let plain =
        |name: &str, bytes: Vec<u8>| howler_store::File { name: name.to_owned(), executable: false, bytes };
    [plain("README.txt", text::readme(data, files).into_bytes()), plain(NAME, data.json())]
}

/// A finding under another signature.
fn under(ledger: &dyn Ledger, old: &Finding, data: &Data, signature: &Signature) -> Result<NewFinding> {
    let files = program(ledger, old, data)?;
    let data = data.under(signature, &files);
    let texts = texts(&data, &files);
    let mut row = Finding { signature: signature.id(), title: data.title, ..old.clone() };
    row.files.retain(|file| texts.iter().all(|text| text.name != file.name));
    NewFinding::new(row, &texts)
}

/// A sighting as a finding that waits for its second look.
fn waiting(ledger: &dyn Ledger, best: &Best, origin: &dyn Fn(Id, u64) -> String) -> Result<NewFinding> {
    let Best { rank: (_, seen), row, signature } = best;
    let mut files = Vec::new();
    let mut rows = Vec::new();
    for (number, id) in row.blobs.iter().enumerate() {
        // Of the later ones of a large signature only the line that makes the test again is left.
        let Some(blob) = ledger.blob(*id)? else { continue };
        let name = if row.blobs.len() == 1 { "test.c".to_owned() } else { format!("test-{number}.c") };
        rows.push(FileRow { name: name.clone(), executable: false, blob: *id });
        files.push(File { name, text: blob.bytes()? });
    }
    let origin = origin(seen.arm, seen.index);
    let about = (signature, row.family.as_str());
    let data = Data::waiting(&row.kind, about, &row.configurations, (&row.details, &origin), &files);
    let finding = Finding {
        signature: signature.id(),
        kind: row.kind.clone(),
        status: Status::Waiting,
        arm: seen.arm,
        index: seen.index,
        title: data.title.clone(),
        files: rows,
    };
    NewFinding::new(finding, &texts(&data, &files))
}
