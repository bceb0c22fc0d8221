//! GCC's execute tests on the machine: what gcc-12 -O0 runs to status 0 must end so too, or be listed with a reason.

use super::execution::{End, Machine, native, natives, table};
use super::{corpus, each, root, short};
use anyhow::{Context, Result, bail};
use howler_toolchain::preprocess::{Headers, Preprocessor};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

const FOLDER: &str = "gcc/gcc.c-torture/execute";
const LIST: &str = "crates/machine/tests/torture.txt";

pub(super) fn run() -> Result<()> {
    let all = corpus(FOLDER)?;
    let natives = natives("torture-gcc-dg.txt", &all, |file| native(file, None, Duration::from_secs(30)))?;
    let programs = natives.iter().flatten().count();
    let files: Vec<_> = all
        .iter()
        .zip(natives)
        .filter_map(|(file, native)| Some((file.clone(), native?)))
        .filter(|(_, native)| native.code == Some(0))
        .collect();
    println!(
        "{} files, {programs} programs of their own, {} of them end with status 0",
        all.len(),
        files.len()
    );
    let machine = Machine {
        preprocessor: Preprocessor::find(Some("gcc-12".as_ref()))?,
        headers: Headers::OursThenSystem,
        include: None,
        steps: 200_000_000,
    };
    let ends = each(&files, |(file, native)| machine.ends(file, native));
    let strict = ends.iter().map(|(strict, _)| strict).collect();
    let letter = ends.iter().map(|(_, letter)| letter).collect();
    print!("{}", table(&[("strict", strict), ("letter kinds allowed", letter)]));
    let listed = list()?;
    let mut faults = Vec::new();
    for ((file, _), (end, letter)) in files.iter().zip(&ends) {
        let name = name(file);
        let verdict = match end {
            End::Same => None,
            End::Ub(code) => Some(format!("ub:{code}")),
            End::Unsupported(_) => Some("unsupported".to_owned()),
            End::Limit(limit) => Some(format!("limit:{limit}")),
            End::BadProgram => Some("bad-program".to_owned()),
            End::Wrong(why) => {
                faults.push(format!("{name}: wrong: {why}"));
                continue;
            }
        };
        if let End::Wrong(why) = letter {
            faults.push(format!("{name}: wrong with letter kinds allowed: {why}"));
        }
        let wanted = listed.get(&name);
        if verdict.as_ref() != wanted {
            let said = |verdict: Option<&String>| verdict.map_or("fine", String::as_str).to_owned();
            faults.push(format!("{name}: {}, listed as {}", said(verdict.as_ref()), said(wanted)));
        }
    }
    let names: Vec<String> = files.iter().map(|(file, _)| name(file)).collect();
    faults.extend(
        listed
            .keys()
            .filter(|key| !names.contains(key))
            .map(|key| format!("{key}: listed, but no such file")),
    );
    for fault in &faults {
        println!("{fault}");
    }
    match faults.len() {
        0 => Ok(()),
        count => bail!("{count} files are wrong or not as {LIST} has them"),
    }
}

/// The path below the folder.
fn name(file: &Path) -> String {
    let short = short(file);
    short.strip_prefix(FOLDER).map_or(short.as_str(), |rest| rest.trim_start_matches('/')).to_owned()
}

/// The verdicts that were read against the standard, by file.
fn list() -> Result<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(root().join(LIST)).with_context(|| format!("cannot read {LIST}"))?;
    let mut listed = BTreeMap::new();
    let mut last = "";
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, verdict, reason] = fields[..] else { bail!("{LIST}: not three fields: {line}") };
        if reason.is_empty() || reason.len() > 120 || name <= last {
            bail!("{LIST}: no reason, a reason of more than 120 characters, or out of order: {line}");
        }
        last = name;
        listed.insert(name.to_owned(), verdict.to_owned());
    }
    Ok(listed)
}
