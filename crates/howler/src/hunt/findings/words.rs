//! `howler findings mark` and `howler findings regroup`: what changes without a hunt.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use howler_campaign::regroup::plan;
use howler_store::{Event, Ledger, Mark, Marked, Store};

use super::{find, names};
use crate::{Status, show};

/// Opens a folder for writing: a hunt must not be going on there.
fn open(folder: &Path) -> anyhow::Result<Store> {
    Store::open(folder).with_context(|| format!("cannot change anything in '{}'", folder.display()))
}

fn note(store: &mut Store, kind: &str, subject: &str, text: &str) -> anyhow::Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let at = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    let (kind, subject, text) = (kind.to_owned(), subject.to_owned(), text.to_owned());
    Ok(store.note(&Event { at, kind, subject, text })?)
}

/// Marks the signature of a finding.
pub(super) fn mark(folder: &Path, id: &str, mark: Option<Mark>, text: &str) -> anyhow::Result<Status> {
    let mut store = open(folder)?;
    let finding = find(&store, id)?;
    let marked = mark.map(|mark| Marked { mark, note: text.to_owned() });
    store.set_mark(finding.signature, marked.as_ref())?;
    let what = mark.map_or("mark taken away".to_owned(), |mark| format!("marked {mark}"));
    note(&mut store, &what, &finding.signature.to_string(), text)?;
    let id = finding.id().to_string();
    show::to_stdout(format!("{}  {what}: {}\n", &id[..10], finding.title).as_bytes())?;
    Ok(Status::Fine)
}

/// Computes all signatures again.
pub(super) fn regroup(folder: &Path, dry_run: bool) -> anyhow::Result<Status> {
    let mut store = if dry_run { super::open(folder)? } else { open(folder)? };
    let name = names(&store)?;
    let (plan, counts) = plan(&store, &name)?;
    let mut text = format!(
        "{} sightings, {} of them get another signature\n{} findings {} {}: {} are told by others now, {} wait for a second \
         look\n",
        counts.sightings,
        counts.changed,
        counts.before,
        if dry_run { "would become" } else { "became" },
        counts.after,
        counts.together,
        counts.apart
    );
    if counts.unknown > 0 {
        text.push_str(&format!(
            "{} sightings stay as they are: an older Howler did not keep what their signatures came from\n",
            counts.unknown
        ));
    }
    if !dry_run && !plan.is_empty() {
        store.regroup(&plan)?;
        note(&mut store, "regrouped", "", text.trim())?;
    }
    if counts.apart > 0 && !dry_run {
        text.push_str("a hunt that goes on in this folder takes the second looks\n");
    }
    show::to_stdout(text.as_bytes())?;
    Ok(Status::Fine)
}
