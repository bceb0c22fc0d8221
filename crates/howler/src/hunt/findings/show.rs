//! `howler findings show`: one finding, from its data.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use howler_case::{File, Id};
use howler_oracle::finding::data::Data;
use howler_oracle::finding::{NAME, text};
use howler_oracle::signature::Evidence;
use howler_store::{Event, Finding, Ledger, Marked, Sighting, Store};
use serde_json::{Value, json};

use super::{find, names, open};
use crate::Status;

/// Shows one.
pub(super) fn one(folder: &Path, id: &str, as_json: bool) -> anyhow::Result<Status> {
    let store = open(folder)?;
    let whole = Whole::read(&store, find(&store, id)?)?;
    let text = if as_json { format!("{:#}\n", whole.json(&store)) } else { whole.text(&store) };
    crate::show::to_stdout(text.as_bytes())?;
    Ok(Status::Fine)
}

/// Tests that are named at most, and events.
const TESTS: usize = 1000;
const EVENTS: usize = 100;

/// All that a store knows of a finding.
struct Whole {
    finding: Finding,
    files: Vec<File>,
    /// Its document, or why there is none.
    data: Result<Data, String>,
    seen: Vec<Seen>,
    /// How often its signature was seen.
    times: u64,
    marked: Option<Marked>,
    events: Vec<Event>,
    causes: Vec<String>,
}

/// A test that showed it.
struct Seen {
    name: String,
    row: Sighting,
    /// Whether the store still has its program.
    kept: bool,
}

impl Whole {
    fn read(store: &Store, finding: Finding) -> anyhow::Result<Whole> {
        let mut files = Vec::new();
        for file in &finding.files {
            let text = store.blob(file.blob)?.map(|blob| blob.bytes()).transpose()?.unwrap_or_default();
            files.push(File { name: file.name.clone(), text });
        }
        let document = files.iter().find(|file| file.name == NAME);
        let data = match document {
            Some(file) => Data::parse(&file.text),
            None => Err("an older Howler kept it".to_owned()),
        };
        let name = names(store)?;
        let blobs: BTreeSet<Id> = store.blobs()?.into_iter().map(|(id, _)| id).collect();
        let seen = store.sightings(finding.signature, TESTS)?.into_iter().map(|(arm, index, row)| {
            let kept = !row.blobs.is_empty() && row.blobs.iter().all(|blob| blobs.contains(blob));
            Seen { name: name(arm, index), row, kept }
        });
        let counted = store.signatures()?.into_iter().find(|counts| counts.signature == finding.signature);
        let groups =
            store.groups()?.into_iter().filter(|group| group.signatures.contains(&finding.signature));
        Ok(Whole {
            files,
            data,
            seen: seen.collect(),
            times: counted.map_or(0, |counts| counts.sightings),
            marked: store.marks()?.remove(&finding.signature),
            events: store.events_about(&finding.signature.to_string(), EVENTS)?,
            causes: groups.map(|group| group.cause).collect(),
            finding,
        })
    }

    /// Whether its signature says so little that it may stand for several bugs, and was seen in several programs.
    fn is_coarse(&self) -> bool {
        let evidence = self.data.as_ref().map(|data| Evidence::parse(&data.signature.evidence));
        evidence.is_ok_and(|evidence| evidence.is_coarse()) && self.programs() > 1
    }

    /// How many different programs showed it, as far as known.
    fn programs(&self) -> usize {
        let programs: BTreeSet<&[Id]> =
            self.seen.iter().map(|seen| &seen.row.blobs[..]).filter(|blobs| !blobs.is_empty()).collect();
        programs.len()
    }

    fn json(&self, store: &Store) -> Value {
        let id = self.finding.id();
        let files: Vec<Value> = (self.files.iter())
            .filter(|file| file.name != NAME)
            .map(|file| json!({ "name": file.name, "text": String::from_utf8_lossy(&file.text) }))
            .collect();
        let seen_in: Vec<&str> = self.seen.iter().map(|seen| seen.name.as_str()).collect();
        let sightings: Vec<Value> = (self.seen.iter())
            .map(|seen| {
                let blobs: Vec<String> = seen.row.blobs.iter().map(Id::to_string).collect();
                json!({
                    "test": seen.name,
                    "configurations": seen.row.configurations,
                    "detail": seen.row.details,
                    "program": blobs,
                    "kept": seen.kept,
                })
            })
            .collect();
        let events: Vec<Value> =
            self.events.iter().map(|event| json!({ "at": at(event.at), "what": event.kind })).collect();
        json!({
            "version": 1,
            "id": id.to_string(),
            "kind": self.finding.kind,
            "status": self.finding.status.name(),
            "title": self.finding.title,
            "signature": self.finding.signature.to_string(),
            "folder": store.finding_folder(id).display().to_string(),
            "mark": self.marked.as_ref().map(|marked| marked.mark.name()),
            "note": self.marked.as_ref().map(|marked| marked.note.as_str()),
            "groups": self.causes,
            "events": events,
            "seen": self.times,
            "programs": self.programs(),
            "may_be_several_bugs": self.is_coarse(),
            "seen_in": seen_in,
            "sightings": sightings,
            "finding": self.data.as_ref().ok(),
            "files": files,
        })
    }

    fn text(&self, store: &Store) -> String {
        let finding = &self.finding;
        let mut text =
            format!("{} {} ({})\n{}\n", finding.kind, finding.id(), finding.status.name(), finding.title);
        if let Some(Marked { mark, note }) = &self.marked {
            let note = if note.is_empty() { String::new() } else { format!(": {note}") };
            text.push_str(&shortened(&format!("marked {mark}{note}")));
        }
        self.causes.iter().for_each(|cause| text.push_str(&shortened(&format!("one bug by {cause}"))));
        for event in &self.events {
            text.push_str(&shortened(&format!("{} {}", at(event.at), event.kind)));
        }
        text.push_str(&format!("folder: {}\n", store.finding_folder(finding.id()).display()));
        self.add_tests(&mut text);
        match &self.data {
            Ok(data) => {
                text.push('\n');
                text.push_str(&harmless(&text::readme(data, &self.files), MANY));
                let names: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
                text.push_str(&shortened(&format!("\nfiles: {}", names.join(", "))));
            }
            // Whatever is there, then.
            Err(_) => {
                for file in &self.files {
                    text.push_str(&format!("\n--- {}\n", file.name));
                    text.push_str(&shortened(&String::from_utf8_lossy(&file.text)));
                }
            }
        }
        text
    }

    fn add_tests(&self, text: &mut String) {
        if self.seen.is_empty() {
            return;
        }
        if self.is_coarse() {
            let kept = self.seen.iter().filter(|seen| seen.kept).count();
            text.push_str(&format!(
                "{} programs that may be several bugs: its signature says no more than what is below\n\
                 the store has the programs of {kept}, --json tells their blobs\n",
                self.programs()
            ));
        }
        // A line that makes a test again is long, and is there to be copied.
        let names: Vec<&str> = self.seen.iter().map(|seen| seen.name.as_str()).collect();
        let long = self.is_coarse() || names.iter().any(|name| name.contains(" index="));
        let apart = if long { "\n         " } else { ", " };
        text.push_str(&shortened(&format!("seen in: {}", names.join(apart))));
    }
}

/// A time as people and scripts read it. A database may say anything.
fn at(milliseconds: i64) -> String {
    const LAST: u64 = 253_402_300_799_000;
    match u64::try_from(milliseconds) {
        Ok(time) if time <= LAST => {
            humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_millis(time)).to_string()
        }
        _ => format!("{milliseconds} ms"),
    }
}

/// Lines of one file that are shown; the folder has the rest.
const LINES: usize = 60;

/// Lines of the text on a finding.
const MANY: usize = 400;

/// Characters of one line that are shown.
const COLUMNS: usize = 2000;

fn shortened(text: &str) -> String {
    harmless(text, LINES)
}

/// The start of a text, without what would move a terminal's cursor, change its colours or its title: compilers and
/// programs wrote it.
fn harmless(text: &str, most: usize) -> String {
    let count = text.lines().count();
    let mut shown = String::new();
    for line in text.lines().take(most) {
        for character in line.chars().take(COLUMNS) {
            if character.is_control() && character != '\t' {
                shown.extend(character.escape_default());
            } else {
                shown.push(character);
            }
        }
        shown.push_str(if line.chars().nth(COLUMNS).is_some() { "…\n" } else { "\n" });
    }
    if count > most {
        shown.push_str(&format!("… {} more lines\n", count - most));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_harmless_and_short() {
        assert_eq!(shortened("a\tb\nc"), "a\tb\nc\n");
        assert_eq!(shortened("\u{1b}]0;x\u{7}\u{9b}2J\r"), "\\u{1b}]0;x\\u{7}\\u{9b}2J\\r\n");
        assert!(shortened(&"x".repeat(1 << 20)).len() < 3000);
        assert!(shortened(&"x\n".repeat(1000)).ends_with("… 940 more lines\n"));
    }

    #[test]
    fn times_are_read_by_people() {
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(1_700_000_000_123), "2023-11-14T22:13:20Z");
        for odd in [-1, i64::MIN, i64::MAX] {
            assert_eq!(at(odd), format!("{odd} ms"));
        }
    }
}
