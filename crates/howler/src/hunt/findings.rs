//! `howler findings` and `howler merge`: what lies in a campaign's folder.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use howler_campaign::corpus::Corpus;
use howler_campaign::own;
use howler_campaign::source::Source;
use howler_campaign::spec::{GeneratorSpec, Spec};
use howler_case::Id;
use howler_store::{Finding, Ledger, Status as Sure, Store};
use serde_json::{Value, json};

use super::options::{Findings, FindingsAction, Merge};
use crate::Status;
use crate::show;

/// Lists or shows findings.
pub fn run(options: &Findings) -> anyhow::Result<Status> {
    match &options.action {
        FindingsAction::List { dir, all, json } => list(dir, *all, *json),
        FindingsAction::Show { id, dir, json } => show_one(dir, id, *json),
    }
}

fn open(folder: &Path) -> anyhow::Result<Store> {
    Store::open_read_only(folder).with_context(|| {
        format!("no findings to look at in '{}' (--dir names a folder of 'howler hunt')", folder.display())
    })
}

fn list(folder: &Path, all: bool, as_json: bool) -> anyhow::Result<Status> {
    let store = open(folder)?;
    let seen: std::collections::BTreeMap<Id, u64> =
        store.signatures()?.into_iter().map(|counts| (counts.signature, counts.sightings)).collect();
    let findings: Vec<Finding> =
        store.findings()?.into_iter().filter(|finding| all || finding.status == Sure::Confirmed).collect();
    let mut text = String::new();
    for finding in &findings {
        let times = seen.get(&finding.signature).copied().unwrap_or(0);
        if as_json {
            let row = json!({
                "id": finding.id().to_string(),
                "kind": finding.kind,
                "status": finding.status.name(),
                "title": finding.title,
                "signature": finding.signature.to_string(),
                "index": finding.index,
                "seen": times,
                "folder": store.finding_folder(finding.id()).display().to_string(),
            });
            text.push_str(&format!("{row}\n"));
        } else {
            let id = finding.id().to_string();
            let status = if all { format!("{:<10} ", finding.status.name()) } else { String::new() };
            text.push_str(&format!(
                "{}  {status}{:<12} ×{times:<5} {}\n",
                &id[..10],
                finding.kind,
                finding.title
            ));
        }
    }
    if findings.is_empty() && !as_json {
        let more = if all { "" } else { " (--all shows suspects and flaky ones)" };
        text = format!("no findings in {}{more}\n", folder.display());
    }
    show::to_stdout(text.as_bytes())?;
    Ok(Status::Fine)
}

fn show_one(folder: &Path, id: &str, as_json: bool) -> anyhow::Result<Status> {
    let store = open(folder)?;
    let matching: Vec<Finding> =
        store.findings()?.into_iter().filter(|finding| finding.id().to_string().starts_with(id)).collect();
    let finding = match matching.as_slice() {
        [one] => one,
        [] => bail!("there is no finding '{id}' in {}; 'howler findings list' shows them", folder.display()),
        several => bail!("{} findings begin with '{id}': give more of the id", several.len()),
    };
    let seen_in = seen_in(&store, finding)?;
    let mut files = Vec::new();
    for file in &finding.files {
        let bytes = match store.blob(file.blob)? {
            Some(blob) => blob.bytes()?,
            None => Vec::new(),
        };
        files.push((file.name.clone(), bytes));
    }
    if as_json {
        let files: Vec<Value> = files
            .iter()
            .map(|(name, bytes)| json!({ "name": name, "text": String::from_utf8_lossy(bytes) }))
            .collect();
        let value = json!({
            "id": finding.id().to_string(),
            "kind": finding.kind,
            "status": finding.status.name(),
            "title": finding.title,
            "signature": finding.signature.to_string(),
            "folder": store.finding_folder(finding.id()).display().to_string(),
            "seen_in": seen_in,
            "files": files,
        });
        show::to_stdout(format!("{value:#}\n").as_bytes())?;
        return Ok(Status::Fine);
    }
    let mut text = format!(
        "{} {} ({})\n{}\nfolder: {}\n",
        finding.kind,
        finding.id(),
        finding.status.name(),
        finding.title,
        store.finding_folder(finding.id()).display()
    );
    if !seen_in.is_empty() {
        // A line that makes a test again is long, and is there to be copied.
        let apart = if seen_in.iter().any(|name| name.contains(" index=")) { "\n         " } else { ", " };
        text.push_str(&shortened(&format!("seen in: {}", seen_in.join(apart))));
    }
    for (name, bytes) in &files {
        text.push_str(&format!("\n--- {name}\n"));
        text.push_str(&shortened(&String::from_utf8_lossy(bytes)));
    }
    show::to_stdout(text.as_bytes())?;
    Ok(Status::Fine)
}

/// Tests that are named at most.
const TESTS: usize = 1000;

/// The tests that showed a finding: files of a corpus by name where it is as it was, tests of our own by the line that makes
/// them again, others by their number.
fn seen_in(store: &Store, finding: &Finding) -> anyhow::Result<Vec<String>> {
    let campaign = String::from_utf8_lossy(&store.campaign()?).into_owned();
    let generators = Spec::parse(&campaign).map_or(Vec::new(), |spec| spec.generators);
    let corpora: Vec<Corpus> = (generators.iter())
        .filter_map(|generator| match generator {
            GeneratorSpec::Corpus { folder, include } => {
                Corpus::new(Path::new(folder), include.iter().map(PathBuf::from).collect()).ok()
            }
            _ => None,
        })
        .collect();
    let arms = store.arms()?;
    let name = |arm: Id, index: u64| {
        let line = arms.iter().find(|known| known.arm.id() == arm).map_or("", |known| known.arm.line());
        let corpus = corpora.iter().find(|corpus| line.starts_with(&corpus.line()));
        match corpus.and_then(|corpus| corpus.file(index)) {
            Some(file) => file.display().to_string(),
            None => match own::recorded(line, index) {
                Some(origin) => origin.to_string(),
                None => format!("{} #{index}", line.split(' ').next().unwrap_or_default()),
            },
        }
    };
    let sightings = store.sightings(finding.signature, TESTS)?;
    Ok(sightings.into_iter().map(|(arm, index, _)| name(arm, index)).collect())
}

/// Lines of one file that are shown; the folder has the rest.
const LINES: usize = 60;

/// Characters of one line that are shown.
const COLUMNS: usize = 2000;

/// The start of a text, without what would move a terminal's cursor, change its colours or its title: compilers and
/// programs wrote it.
fn shortened(text: &str) -> String {
    let count = text.lines().count();
    let mut shown = String::new();
    for line in text.lines().take(LINES) {
        for character in line.chars().take(COLUMNS) {
            if character.is_control() && character != '\t' {
                shown.extend(character.escape_default());
            } else {
                shown.push(character);
            }
        }
        shown.push_str(if line.chars().nth(COLUMNS).is_some() { "…\n" } else { "\n" });
    }
    if count > LINES {
        shown.push_str(&format!("… {} more lines\n", count - LINES));
    }
    shown
}

/// Puts folders together.
pub fn merge(options: &Merge) -> anyhow::Result<Status> {
    // All are opened before anything is written.
    let mut sources = Vec::new();
    for folder in &options.from {
        sources.push(
            Store::open_read_only(folder).with_context(|| format!("cannot read {}", folder.display()))?,
        );
    }
    let first = sources.first().context("nothing to merge")?;
    let mut into = if Store::exists(&options.into) {
        Store::open(&options.into)?
    } else {
        Store::create(&options.into, &first.campaign()?)?
    };
    for source in &sources {
        let merged = howler_store::merge(&mut into, source)
            .with_context(|| format!("cannot merge {}", source.folder().display()))?;
        let line = format!(
            "{}: {} new tests, {} new findings\n",
            source.folder().display(),
            merged.new_tests,
            merged.new_findings
        );
        show::to_stdout(line.as_bytes())?;
    }
    Ok(Status::Fine)
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
}
