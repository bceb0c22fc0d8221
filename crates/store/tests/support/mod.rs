//! A hunt without compilers: what a test gives is a function of (arm, index) alone.
#![allow(dead_code, reason = "each test file uses a part")]

use howler_case::{Id, Status};
use howler_choices::Choices;
use howler_store::{
    Arm, Blob, File, Finding, Group, Ledger, Mark, Marked, NewFinding, Record, Shard, Sighting, Store, Test,
    dump,
};

pub fn arm(name: &str) -> Arm {
    Arm::new(name).unwrap()
}

pub fn record(arm: &Arm, index: u64, sightings: &[Sighting]) -> Record {
    let test = Test { arm: arm.id(), index, verdict: "defined".to_owned(), builds: 10, runs: 9 };
    Record { test, sightings: sightings.to_vec(), blobs: Vec::new() }
}

pub fn sighting(signature: &str) -> Sighting {
    Sighting {
        signature: Id::of(signature.as_bytes()),
        kind: "crash".to_owned(),
        family: "gcc".to_owned(),
        suspect: false,
        configurations: vec!["gcc-12 -O2".to_owned(), "gcc-12 -O3".to_owned()],
        details: "in \"foo\",\nat bar".to_owned(),
        evidence: "crash\nin foo".to_owned(),
        blobs: Vec::new(),
    }
}

pub fn finding(arm: &Arm, index: u64, signature: &str, status: Status, text: &str) -> NewFinding {
    let finding = Finding {
        signature: Id::of(signature.as_bytes()),
        kind: "crash".to_owned(),
        status,
        arm: arm.id(),
        index,
        title: "gcc-12 -O2 crashes".to_owned(),
        files: Vec::new(),
    };
    let file = |name: &str, bytes: &[u8], executable| File {
        name: name.to_owned(),
        executable,
        bytes: bytes.to_vec(),
    };
    let files = [file("test.c", text.as_bytes(), false), file("repro.sh", b"#!/bin/sh\n", true)];
    NewFinding::new(finding, &files).unwrap()
}

/// What a test gives: its record, and what its sightings turn out to be.
pub fn outcome_of(arm: &Arm, index: u64) -> (Record, Vec<NewFinding>) {
    let seed = u64::from_le_bytes(arm.id().bytes()[..8].try_into().unwrap());
    let mut choices = Choices::new(seed).sub_indexed("test", index);
    let mut blobs = Vec::new();
    let mut findings = Vec::new();
    let mut sightings = Vec::new();
    for _ in 0..choices.range("sightings", 0..=6_u32).saturating_sub(3) {
        let common = choices.range("signature", 0..=9);
        let rare = choices.chance("rare", 1, 12);
        let signature = if rare { format!("rare {}", index / 2) } else { format!("common {common}") };
        let shared = choices.range("program", 0..=40);
        let shared = if shared > 20 { index * 1000 + shared } else { shared };
        let blob = Blob::new(format!("program {shared}").as_bytes()).unwrap();
        sightings.push(Sighting { blobs: vec![blob.id()], ..sighting(&signature) });
        blobs.push(blob);
        let status = *choices.one_of("status", &Status::ALL);
        findings.push(finding(arm, index, &signature, status, &format!("program {index}")));
    }
    let verdict = (*choices.one_of("verdict", &["defined", "undefined:shift", "unfinished"])).to_owned();
    let test = Test { arm: arm.id(), index, verdict, builds: choices.range("builds", 0..=9), runs: 3 };
    (Record { test, sightings, blobs }, findings)
}

/// What somebody says of a test's signatures. Nobody changes his mind, so that order does not matter.
pub fn say(ledger: &mut dyn Ledger, record: &Record) -> Vec<(Id, Marked)> {
    let mut said = Vec::new();
    for signature in record.sightings.iter().map(|seen| seen.signature) {
        let lot = signature.bytes()[0];
        if lot % 3 == 0 {
            let mark = Mark::ALL[usize::from(lot / 3) % 4];
            let marked = Marked { mark, note: format!("bug {lot}\nor so") };
            ledger.set_mark(signature, Some(&marked)).unwrap();
            said.push((signature, marked));
        }
        if lot % 5 == 0 {
            let group = Group { cause: format!("r{}", lot % 4), signatures: [signature].into() };
            ledger.put_group(&group).unwrap();
        }
    }
    said
}

/// Does all tests of a shard, in an order that chance decides.
pub fn hunt(ledger: &mut dyn Ledger, arms: &[Arm], shard: Shard, end: u64, choices: &mut Choices) {
    ledger.set_meta("seed", "7").unwrap();
    arms.iter().for_each(|arm| ledger.register(arm).unwrap());
    let mut waiting = Vec::new();
    let mut open = arms.to_vec();
    while !open.is_empty() || !waiting.is_empty() {
        if choices.chance("lease", 1, 3) && !open.is_empty() {
            let at = choices.range("arm", 0..=open.len() - 1);
            match ledger.lease(open[at].id(), shard, choices.range("at most", 1..=80), end).unwrap() {
                Some(range) => waiting.extend(range.map(|index| (open[at].clone(), index))),
                None => drop(open.remove(at)),
            }
            choices.shuffle("order", &mut waiting);
        }
        let done = waiting.len().min(choices.range("done", 0..=20));
        let batch: Vec<Record> = waiting
            .drain(waiting.len() - done..)
            .map(|(arm, index)| {
                let (record, findings) = outcome_of(&arm, index);
                for new in findings {
                    let kept = ledger.finding_for(new.finding().signature).unwrap();
                    if kept.is_none_or(|kept| kept.may_yield_to(arm.id(), index)) {
                        ledger.put_finding(&new).unwrap();
                    }
                }
                say(ledger, &record);
                record
            })
            .collect();
        let recorded = ledger.record(&batch).unwrap();
        assert!(recorded.iter().all(|recorded| *recorded == howler_store::Recorded::New));
    }
}

pub fn text(ledger: &dyn Ledger) -> String {
    let mut out = Vec::new();
    dump(ledger, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Every finding has its folder with its files, and there are no others.
pub fn check_folders(store: &Store) {
    let mut expected = Vec::new();
    for finding in store.findings().unwrap() {
        let folder = store.finding_folder(finding.id());
        for file in &finding.files {
            let bytes = std::fs::read(folder.join(&file.name)).unwrap();
            assert_eq!(Id::of(&bytes), file.blob, "{} of {}", file.name, finding.id());
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), finding.files.len());
        expected.push(finding.id().to_string());
    }
    let entries = std::fs::read_dir(store.folder().join("findings")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    expected.sort();
    assert_eq!(names, expected);
}

/// Compares dumps without printing megabytes.
pub fn assert_same(got: &str, expected: &str) {
    let differs = got.lines().zip(expected.lines()).find(|(got, expected)| got != expected);
    assert_eq!(differs, None, "first difference, got and expected");
    assert_eq!(got.lines().count(), expected.lines().count(), "number of rows");
}
