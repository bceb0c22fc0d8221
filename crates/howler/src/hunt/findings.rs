//! `howler findings` and `howler merge`: what lies in a campaign's folder.

mod show;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use howler_campaign::corpus::Corpus;
use howler_campaign::own;
use howler_campaign::source::Source;
use howler_campaign::spec::{GeneratorSpec, Spec};
use howler_case::{Id, Status as Sure};
use howler_store::{Finding, Ledger, Mark, Store};
use serde_json::json;

use super::options::{Findings, FindingsAction, Merge};
use crate::Status;

/// Does something with findings.
pub fn run(options: &Findings) -> anyhow::Result<Status> {
    match &options.action {
        FindingsAction::List { dir, all, unmarked, mark, json } => {
            let wanted = |found: Option<Mark>| match mark {
                Some(_) => found == *mark,
                None => !unmarked || found.is_none(),
            };
            list(dir, *all, &wanted, *json)
        }
        FindingsAction::Show { id, dir, json } => show::one(dir, id, *json),
        FindingsAction::Mark { id, mark, note, dir } => words::mark(dir, id, mark.0, note),
        FindingsAction::Regroup { dir, dry_run } => words::regroup(dir, *dry_run),
    }
}

/// Opens a folder for reading. One of an older version is brought up to date first.
pub(super) fn open(folder: &Path) -> anyhow::Result<Store> {
    let opened = match Store::open_read_only(folder) {
        Err(howler_store::Error::Older { .. }) => {
            Store::open(folder).map(drop).and_then(|()| Store::open_read_only(folder))
        }
        other => other,
    };
    opened.with_context(|| {
        format!("no findings to look at in '{}' (--dir names a folder of 'howler hunt')", folder.display())
    })
}

/// The finding that an id or the beginning of one means; of one that made room for a better one of the same bug, that one.
pub(super) fn find(store: &Store, id: &str) -> anyhow::Result<Finding> {
    let mut matching = store.findings()?;
    let all = matching.clone();
    matching.retain(|finding| finding.id().to_string().starts_with(id));
    let folder = store.folder().display();
    if matching.is_empty()
        && let Some(better) = in_place_of(store, id, all)?
    {
        let new = better.id();
        crate::show::to_stderr(format!("howler: {new} has taken the place of {id}\n").as_bytes())?;
        return Ok(better);
    }
    match matching.len() {
        0 => bail!("there is no finding '{id}' in {folder}; 'howler findings list' shows them"),
        1 => Ok(matching.remove(0)),
        several => bail!("{several} findings begin with '{id}': give more of the id"),
    }
}

/// What stands for the bug that a finding with this id once stood for.
fn in_place_of(store: &Store, id: &str, findings: Vec<Finding>) -> anyhow::Result<Option<Finding>> {
    if id.is_empty() {
        return Ok(None);
    }
    let mut subjects: Vec<String> = (store.events(usize::MAX)?.into_iter())
        .filter(|event| {
            Sure::ALL.iter().any(|status| status.name() == event.kind) && event.text.starts_with(id)
        })
        .map(|event| event.subject)
        .collect();
    subjects.sort();
    subjects.dedup();
    let [signature] = &subjects[..] else { return Ok(None) };
    Ok(findings.into_iter().find(|finding| finding.signature.to_string() == *signature))
}

fn list(
    folder: &Path,
    all: bool,
    wanted: &dyn Fn(Option<Mark>) -> bool,
    as_json: bool,
) -> anyhow::Result<Status> {
    let store = open(folder)?;
    let seen: BTreeMap<Id, u64> =
        store.signatures()?.into_iter().map(|counts| (counts.signature, counts.sightings)).collect();
    let marks = store.marks()?;
    let mut findings = store.findings()?;
    let waiting = findings.iter().filter(|finding| finding.status == Sure::Waiting).count();
    findings.retain(|finding| {
        let mark = marks.get(&finding.signature).map(|marked| marked.mark);
        (all || finding.status == Sure::Confirmed) && wanted(mark)
    });
    let any_mark = findings.iter().any(|finding| marks.contains_key(&finding.signature));
    let mut text = String::new();
    for finding in &findings {
        let times = seen.get(&finding.signature).copied().unwrap_or(0);
        let marked = marks.get(&finding.signature);
        if as_json {
            let row = json!({
                "id": finding.id().to_string(),
                "kind": finding.kind,
                "status": finding.status.name(),
                "title": finding.title,
                "signature": finding.signature.to_string(),
                "index": finding.index,
                "seen": times,
                "mark": marked.map(|marked| marked.mark.name()),
                "note": marked.map(|marked| marked.note.as_str()),
                "folder": store.finding_folder(finding.id()).display().to_string(),
            });
            text.push_str(&format!("{row}\n"));
        } else {
            let id = finding.id().to_string();
            let status = if all { format!("{:<10} ", finding.status.name()) } else { String::new() };
            let mark = marked.map_or("", |marked| marked.mark.name());
            let mark = if any_mark { format!("{mark:<9} ") } else { String::new() };
            text.push_str(&format!(
                "{}  {status}{mark}{:<12} ×{times:<5} {}\n",
                &id[..10],
                finding.kind,
                finding.title
            ));
        }
    }
    if findings.is_empty() && !as_json {
        let more = if all { "" } else { " (--all shows suspects, disputed and flaky ones)" };
        text = format!("no findings in {}{more}\n", folder.display());
    }
    if waiting > 0 && !all && !as_json {
        text.push_str(&format!(
            "{waiting} wait for a second look, which a hunt here takes; --all shows them\n"
        ));
    }
    crate::show::to_stdout(text.as_bytes())?;
    Ok(Status::Fine)
}

/// Names tests: files of a corpus by name where it is as it was, tests of our own by the line that makes them again,
/// others by their number.
pub(super) fn names(store: &Store) -> anyhow::Result<impl Fn(Id, u64) -> String + use<>> {
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
    Ok(move |arm: Id, index: u64| {
        let line = arms.iter().find(|known| known.arm.id() == arm).map_or("", |known| known.arm.line());
        let corpus = corpora.iter().find(|corpus| line.starts_with(&corpus.line()));
        match corpus.and_then(|corpus| corpus.file(index)) {
            Some(file) => file.display().to_string(),
            None => match own::recorded(line, index) {
                Some(origin) => origin.to_string(),
                None => format!("{} #{index}", line.split(' ').next().unwrap_or_default()),
            },
        }
    })
}

/// Puts folders together.
pub fn merge(options: &Merge) -> anyhow::Result<Status> {
    // All are opened before anything is written.
    let mut sources = Vec::new();
    for folder in &options.from {
        sources.push(open(folder).with_context(|| format!("cannot read {}", folder.display()))?);
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
            "{}: {} new tests, {} new findings, {} new marks\n",
            source.folder().display(),
            merged.new_tests,
            merged.new_findings,
            merged.new_marks
        );
        crate::show::to_stdout(line.as_bytes())?;
    }
    Ok(Status::Fine)
}
