//! All rows but events as lines of text, in an order that depends on nothing but the rows: equal ledgers, equal text.

use std::io;
use std::path::Path;

use howler_case::Id;

use crate::error::{Error, Result};
use crate::ledger::Ledger;
use crate::row::{Finding, Record};

/// Tests that are read at once.
const PAGE: usize = 1024;

/// Writes every row that is no event, one a line: metadata, arms, tests with their sightings, findings, marks,
/// groups, blobs.
pub fn dump(ledger: &dyn Ledger, out: &mut dyn io::Write) -> Result<()> {
    let mut line = |text: String| {
        writeln!(out, "{text}").map_err(|error| Error::io("write", Path::new("the dump"), &error))
    };
    for (key, value) in ledger.meta()? {
        line(format!("meta {} {}", quoted(&key), quoted(&value)))?;
    }
    for counts in ledger.arms()? {
        let arm = counts.arm.id();
        line(format!("arm {arm} {}", quoted(counts.arm.line())))?;
        let mut next = Some(0);
        while let Some(start) = next {
            let page = ledger.tests(arm, start, PAGE)?;
            next = page.last().and_then(|record| record.test.index.checked_add(1));
            page.iter().flat_map(record_lines).try_for_each(&mut line)?;
        }
    }
    for finding in ledger.findings()? {
        finding_lines(&finding).into_iter().try_for_each(&mut line)?;
    }
    for (signature, marked) in ledger.marks()? {
        line(format!("mark {signature} {} {}", marked.mark, quoted(&marked.note)))?;
    }
    for group in ledger.groups()? {
        let members: Vec<String> = group.signatures.iter().map(Id::to_string).collect();
        line(format!("group {} [{}]", quoted(&group.cause), members.join(" ")))?;
    }
    for (id, size) in ledger.blobs()? {
        line(format!("blob {id} {size}"))?;
    }
    Ok(())
}

fn record_lines(record: &Record) -> Vec<String> {
    let test = &record.test;
    let mut lines = vec![format!(
        "test {} {} {} builds={} runs={}",
        test.arm,
        test.index,
        quoted(&test.verdict),
        test.builds,
        test.runs
    )];
    for sighting in &record.sightings {
        let configurations: Vec<String> = sighting.configurations.iter().map(|name| quoted(name)).collect();
        let blobs: Vec<String> = sighting.blobs.iter().map(Id::to_string).collect();
        lines.push(format!(
            "sighting {} {} {} {} {} {} [{}] {} {} [{}]",
            test.arm,
            test.index,
            sighting.signature,
            quoted(&sighting.kind),
            quoted(&sighting.family),
            if sighting.suspect { "suspect" } else { "sure" },
            configurations.join(" "),
            quoted(&sighting.details),
            quoted(&sighting.evidence),
            blobs.join(" ")
        ));
    }
    lines
}

fn finding_lines(finding: &Finding) -> Vec<String> {
    let id = finding.id();
    let mut lines = vec![format!(
        "finding {id} {} {} {} {} {} {}",
        finding.signature,
        quoted(&finding.kind),
        finding.status,
        finding.arm,
        finding.index,
        quoted(&finding.title)
    )];
    for file in &finding.files {
        let mode = if file.executable { "executable" } else { "plain" };
        lines.push(format!("file {id} {} {mode} {}", quoted(&file.name), file.blob));
    }
    lines
}

/// Text on one line, such that no two texts look the same.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}
