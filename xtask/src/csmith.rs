//! Programs made by Csmith: `SET/NNNN.c`, where NNNN is the seed, and `SET/index.txt`, which says what became of
//! every seed tried.
//!
//! A set has the first seeds, from 1, that give a program within the timeout. Going on where an earlier call stopped
//! is all a later call does; another version of Csmith or other options start the set afresh.
//!
//! Csmith writes a file `platform.info` wherever it runs, even for `--version`: it always runs in a scratch folder.
//! Csmith 2.3.0 has no option for 128-bit integers, so there is no such set.

use crate::corpus::Size;
use anyhow::{Context, Result, bail};
use howler_testkit::{Options, Scratch, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Csmith hangs on some seeds; the others take a fraction of a second.
const TIMEOUT: Duration = Duration::from_secs(20);

struct Set {
    name: &'static str,
    options: &'static [&'static str],
    /// Only programs with this text are taken.
    wanted: Option<&'static str>,
    small: usize,
    full: usize,
}

const SETS: &[Set] = &[
    Set { name: "default", options: &[], wanted: None, small: 40, full: 1000 },
    Set { name: "float", options: &["--float"], wanted: None, small: 10, full: 200 },
    Set { name: "builtins", options: &["--builtins"], wanted: None, small: 10, full: 200 },
    Set {
        name: "packed",
        options: &["--packed-struct", "--probability-configuration", PROBABILITIES],
        wanted: Some("#pragma pack(1)"),
        small: 10,
        full: 200,
    },
];

/// Csmith packs structs by default, but few programs have many: the file asks for more of them.
const PROBABILITIES: &str = "probabilities.txt";
const MORE_STRUCTS: &str =
    "more_struct_union_type_prob=85\n\nbitfield_in_normal_struct_prob=30\n\nstruct_as_ltype_prob=60\n";

/// Makes what is missing in every set.
pub(crate) fn fill(folder: &Path, size: Size) -> Result<()> {
    let scratch = Scratch::new();
    let here = Options { folder: Some(scratch.folder()), ..Options::default() };
    let version = run("csmith", ["--version"], &here).stdout_text();
    let version = version.lines().next().context("`csmith --version` says nothing")?;
    SETS.iter().try_for_each(|set| {
        let count = if size == Size::Small { set.small } else { set.full };
        fill_set(&folder.join(set.name), set, count, version)
            .with_context(|| format!("Csmith set `{}`", set.name))
    })
}

fn fill_set(folder: &Path, set: &Set, count: usize, version: &str) -> Result<()> {
    let head = format!("# {version}, options: {}\n", set.options.join(" "));
    let index = folder.join("index.txt");
    let mut tried = match fs::read_to_string(&index) {
        Ok(text) if text.starts_with(&head) => parse_index(&text)?,
        _ => BTreeMap::new(),
    };
    if tried.is_empty() {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        fs::write(&index, &head)?;
    }
    loop {
        let made = tried.values().filter(|outcome| *outcome == "ok").count();
        if made >= count {
            return Ok(());
        }
        eprintln!("xtask: Csmith set `{}`: {made} of {count}", set.name);
        // A call that was stopped may have left gaps: the lowest seeds not tried come first.
        let seeds: Vec<u64> = (1..).filter(|seed| !tried.contains_key(seed)).take(count - made).collect();
        tried.extend(make_all(folder, set, &seeds, &index)?);
        let lines: String = tried.iter().map(|(seed, outcome)| format!("{seed} {outcome}\n")).collect();
        let sorted = folder.join("index.part");
        fs::write(&sorted, head.clone() + &lines)?;
        fs::rename(&sorted, &index)?;
        if made == 0 && !tried.values().any(|outcome| outcome == "ok") {
            bail!("no seed gives a program");
        }
    }
}

fn parse_index(text: &str) -> Result<BTreeMap<u64, String>> {
    let entry = |line: &str| {
        let (seed, outcome) = line.split_once(' ')?;
        Some((seed.parse().ok()?, outcome.to_owned()))
    };
    let lines = text.lines().skip(1);
    lines.map(|line| entry(line).with_context(|| format!("index.txt has a line `{line}`"))).collect()
}

/// Tries all seeds, on every core, adding a line to the index as each is done.
fn make_all(folder: &Path, set: &Set, seeds: &[u64], index: &Path) -> Result<BTreeMap<u64, String>> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(seeds.len());
    let log = Mutex::new(fs::OpenOptions::new().append(true).open(index)?);
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(u64, String)>> {
        let scratch = Scratch::new();
        scratch.write(PROBABILITIES, MORE_STRUCTS);
        let mut done = Vec::new();
        while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = make(folder, set, seed, &scratch)?;
            let mut log = log.lock().expect("no worker panics while it writes a line");
            std::io::Write::write_all(&mut *log, format!("{seed} {outcome}\n").as_bytes())?;
            done.push((seed, outcome.to_owned()));
        }
        Ok(done)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut all = BTreeMap::new();
        for worker in workers {
            all.extend(worker.join().expect("a worker does not panic")?);
        }
        Ok(all)
    })
}

fn make(folder: &Path, set: &Set, seed: u64, scratch: &Scratch) -> Result<&'static str> {
    let number = seed.to_string();
    let args = ["--seed", &number].into_iter().chain(set.options.iter().copied());
    let options = Options { timeout: TIMEOUT, folder: Some(scratch.folder()), ..Options::default() };
    let output = run("csmith", args, &options);
    if output.timed_out {
        return Ok("timeout");
    }
    if !output.success() || output.stdout.is_empty() {
        return Ok("failed");
    }
    if set.wanted.is_some_and(|wanted| !output.stdout_text().contains(wanted)) {
        return Ok("unwanted");
    }
    // The rename makes the file whole before the index names it.
    let part = folder.join(format!("{seed:04}.part"));
    fs::write(&part, &output.stdout)?;
    fs::rename(&part, folder.join(format!("{seed:04}.c")))?;
    Ok("ok")
}
