//! `howler gen`: programs of a technique, or the test of a line, on standard output or in a folder.

pub mod comment;
pub mod files;
pub mod options;

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use howler_campaign::own::Own;
use howler_campaign::registry::Entry;
use howler_campaign::source::Recipe;
use howler_case::Case;
use howler_case::options::Kind;
use howler_lang::target::{Arch, Target};
use howler_toolchain::interrupt;
use serde_json::{Value, json};

use crate::{Status, show};
use files::Files;
use options::{Gen, Output, What};

/// One test to be made.
struct Wanted<'a> {
    own: &'a Own,
    recipe: Recipe,
    index: u64,
}

/// All tests to be made.
enum Work {
    /// Of one technique: the first number, and how many.
    Stretch { own: Own, recipe: Recipe, from: u64, count: u64 },
    /// Of lines.
    Lines(Vec<(Own, Recipe, u64)>),
}

impl Work {
    fn count(&self) -> u64 {
        match self {
            Work::Stretch { count, .. } => *count,
            Work::Lines(lines) => lines.len() as u64,
        }
    }

    fn get(&self, number: u64) -> Option<Wanted<'_>> {
        match self {
            Work::Stretch { own, recipe, from, count } => {
                let index = from.checked_add(number)?;
                (number < *count).then_some(Wanted { own, recipe: *recipe, index })
            }
            Work::Lines(lines) => {
                let (own, recipe, index) = lines.get(usize::try_from(number).ok()?)?;
                Some(Wanted { own, recipe: *recipe, index: *index })
            }
        }
    }
}

/// Makes programs.
pub fn run(options: Gen) -> anyhow::Result<Status> {
    let Gen { what, output } = options;
    if let What::Weights(text) = what {
        show::to_stdout(text.as_bytes())?;
        return Ok(Status::Fine);
    }
    let bare = match &what {
        What::Origins(_) | What::Weights(_) => true,
        What::Technique { which, .. } => which.bare,
    };
    if let What::Technique { entry, words, .. } = &what {
        note_needless(entry, words)?;
    }
    let work = Arc::new(work(what)?);
    let stop = Arc::new(AtomicBool::new(false));
    let asked = interrupt::ask_first(stop.clone(), || ()).context("cannot wait for signals")?;
    interrupt::outlive_file_limit().context("cannot wait for signals")?;
    let mut place = Place::open(output, &work, bare)?;
    let mut progress = Progress::new(&place, work.count());
    let mut done = 0;
    let mut read = true;
    while done < work.count() && read && !stop.load(Ordering::SeqCst) {
        let Some(cases) = batch(&work, done, &stop)? else { break };
        for case in cases {
            let Some(wanted) = work.get(done) else { break };
            // A file in the way is told with what was written before it.
            read = place.put(&wanted, &case, done).inspect_err(|_| progress.clear())?;
            done += 1;
            if !read || stop.load(Ordering::SeqCst) {
                break;
            }
        }
        progress.show(done)?;
    }
    progress.clear();
    if let Some(code) = asked.status() {
        if done < work.count() {
            let text = format!("howler: stopped after {done} of {}\n", programs(work.count()));
            show::to_stderr(text.as_bytes())?;
        }
        return Ok(Status::Interrupted(code));
    }
    place.close(done)?;
    Ok(Status::Fine)
}

/// What a compiler is told of a test.
pub fn flags(target: Target, case: &Case) -> String {
    let narrow = if target.arch == Arch::I386 { " -m32" } else { "" };
    format!("-std={}{narrow} -w", case.std.name())
}

/// `1 program`, `2 programs`.
fn programs(count: u64) -> String {
    format!("{count} program{}", if count == 1 { "" } else { "s" })
}

/// Says so if features are put in that are there anyway: whoever writes that means another option.
fn note_needless(entry: &Entry, words: &[String]) -> anyhow::Result<()> {
    let table = entry.technique.options;
    for option in table.0 {
        let Kind::Set { only, .. } = option.kind else { continue };
        let values: Vec<&str> =
            words.iter().filter_map(|word| word.strip_prefix(option.key)?.strip_prefix('=')).collect();
        let others: Vec<&String> = words
            .iter()
            .filter(|word| !word.strip_prefix(option.key).is_some_and(|rest| rest.starts_with('=')))
            .collect();
        let same = table.read(words).is_ok_and(|all| table.read(&others).is_ok_and(|without| all == without));
        if !values.is_empty() && same {
            let (key, values) = (option.key, values.join(","));
            let text = format!(
                "howler: note: --{key} {values} changes nothing, for it is there anyway; --{only} {values} leaves the rest out\n"
            );
            show::to_stderr(text.as_bytes())?;
        }
    }
    Ok(())
}

/// What was asked for.
fn work(what: What) -> anyhow::Result<Work> {
    match what {
        What::Technique { entry, words, which } => {
            let own = Own::read(entry, &words).map_err(|why| {
                let name = entry.technique.name;
                anyhow::anyhow!("{why}; `howler gen {name} --help` lists the options")
            })?;
            // The last number is one too.
            if which.count > 0 && which.from.checked_add(which.count - 1).is_none() {
                bail!("--from {} and -n {} go beyond the last program", which.from, which.count);
            }
            let recipe = Recipe { seed: which.seed, target: which.language.target() };
            Ok(Work::Stretch { own, recipe, from: which.from, count: which.count })
        }
        What::Weights(_) => bail!("weights are no programs"),
        What::Origins(lines) => {
            let mut all = Vec::new();
            for line in lines {
                if line_of(&line).is_empty() {
                    bail!("--origin: the line is empty");
                }
                if line == "-" {
                    let mut text = String::new();
                    std::io::stdin()
                        .lock()
                        .take(MOST_LINES)
                        .read_to_string(&mut text)
                        .context("cannot read lines from standard input")?;
                    all.extend(text.lines().map(str::to_owned));
                } else {
                    all.push(line);
                }
            }
            let lines = all.iter().map(|line| line_of(line)).filter(|line| !line.is_empty());
            if lines.clone().next().is_none() {
                bail!("--origin: there is no line on standard input");
            }
            let read = |line| Own::of_origin(line).with_context(|| format!("cannot make '{line}' again"));
            Ok(Work::Lines(lines.map(read).collect::<anyhow::Result<_>>()?))
        }
    }
}

/// Bytes of lines that are read.
const MOST_LINES: u64 = 64 << 20;

/// The origin in a line of a report or of a program's comment: there a word stands before it.
fn line_of(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_prefix("* ").unwrap_or(line);
    line.strip_prefix("origin ").unwrap_or(line).trim()
}

/// The next tests, made by all cores at once, in their order. A large one takes long: whoever asks for the end does not
/// wait for it, and gets none.
fn batch(work: &Arc<Work>, first: u64, stop: &AtomicBool) -> anyhow::Result<Option<Vec<Case>>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let left = work.count().saturating_sub(first).min(BATCH * cores);
    let share = left.div_ceil(cores).max(1);
    let (made, cases) = mpsc::channel();
    let mut parts = 0;
    for part in 0..left.div_ceil(share) {
        let (work, made) = (Arc::clone(work), made.clone());
        let numbers = part * share..((part + 1) * share).min(left);
        std::thread::Builder::new().spawn(move || {
            let wanted = numbers.map_while(|number| work.get(first.checked_add(number)?));
            let cases: Vec<Case> = wanted.map(|one| one.own.test(one.recipe, one.index)).collect();
            // Nobody listens any more after Ctrl-C.
            let _ = made.send((part, cases));
        })?;
        parts += 1;
    }
    drop(made);
    let mut all: BTreeMap<u64, Vec<Case>> = BTreeMap::new();
    while all.len() < parts {
        match cases.recv_timeout(Duration::from_millis(20)) {
            Ok((part, cases)) => drop(all.insert(part, cases)),
            Err(RecvTimeoutError::Timeout) if stop.load(Ordering::SeqCst) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            // A thread ended without its tests: it said why.
            Err(RecvTimeoutError::Disconnected) => bail!("a program could not be made"),
        }
    }
    Ok(Some(all.into_values().flatten().collect()))
}

/// Tests that a core makes at a time: large ones take seconds.
const BATCH: u64 = 4;

/// Where programs go.
struct Place {
    files: Option<Files>,
    json: bool,
    bare: bool,
    /// Whether names need the id, for tests of several arms may be there.
    by_id: bool,
    /// Whether there are several programs.
    several: bool,
}

impl Place {
    fn open(output: Output, work: &Work, bare: bool) -> anyhow::Result<Place> {
        let files = output.folder.map(|folder| Files::open(folder, output.force)).transpose()?;
        let by_id = matches!(work, Work::Lines(_));
        Ok(Place { files, json: output.json, bare, by_id, several: work.count() > 1 })
    }

    /// Puts a program where it belongs, and says whether anybody still wants more.
    fn put(&mut self, wanted: &Wanted<'_>, case: &Case, before: u64) -> anyhow::Result<bool> {
        let name = name(wanted, case, self.by_id);
        let head = if self.bare { String::new() } else { comment::comment(wanted.own, case) };
        let texts = case.files.iter().enumerate().map(|(at, file)| {
            let head = if at == 0 { head.as_bytes() } else { &[] };
            (file.name.as_str(), [head, &file.text].concat())
        });
        let texts: Vec<(&str, Vec<u8>)> = texts.collect();
        let paths = match &mut self.files {
            Some(files) => {
                Some(files.put(&name, &texts, &flags(wanted.recipe.target, case)).map_err(|error| {
                    match before {
                        0 => error,
                        1 => anyhow::anyhow!("{error:#} (1 program was written before)"),
                        _ => anyhow::anyhow!("{error:#} ({before} programs were written before)"),
                    }
                })?)
            }
            None => None,
        };
        if self.json {
            let value = as_json(wanted, case, &texts, paths.as_deref());
            return Ok(show::to_reader(format!("{value}\n").as_bytes())?);
        }
        if paths.is_some() {
            return Ok(true);
        }
        let mut all = Vec::new();
        if self.several && before > 0 {
            all.push(b'\n');
        }
        for (file, text) in &texts {
            if case.files.len() > 1 || self.several && self.bare {
                let file = if case.files.len() > 1 { format!("{name}/{file}") } else { format!("{name}.c") };
                all.extend_from_slice(format!("/* {} */\n", comment::harmless(&file)).as_bytes());
            }
            all.extend_from_slice(text);
        }
        Ok(show::to_reader(&all)?)
    }

    fn close(&self, count: u64) -> anyhow::Result<()> {
        if let Some(files) = self.files.as_ref().filter(|_| !self.json) {
            let text = format!("{} in {}\n", programs(count), files.folder().display());
            show::to_stdout(text.as_bytes())?;
        }
        Ok(())
    }
}

/// What a program's file is called, without its ending: `orange-1-12`.
fn name(wanted: &Wanted<'_>, case: &Case, by_id: bool) -> String {
    let technique = case.origin.arm.split(' ').next().unwrap_or_default();
    let name = format!("{technique}-{}-{}", wanted.recipe.seed, wanted.index);
    if by_id { format!("{name}-{}", &case.id().to_string()[..8]) } else { name }
}

fn as_json(wanted: &Wanted<'_>, case: &Case, texts: &[(&str, Vec<u8>)], paths: Option<&[PathBuf]>) -> Value {
    let files: Vec<Value> = (texts.iter().enumerate())
        .map(|(at, (name, text))| match paths.and_then(|paths| paths.get(at)) {
            Some(path) => {
                let mut file = json!({ "name": name });
                add_path(&mut file, "path", path);
                file
            }
            None => json!({ "name": name, "text": String::from_utf8_lossy(text) }),
        })
        .collect();
    let expected: Vec<Value> = (case.expected.iter())
        .map(|((target, input), behaviour)| {
            json!({
                "target": target.name(),
                "input": input,
                "end": match behaviour.end {
                    howler_case::End::Exit(status) => json!(status),
                    howler_case::End::Abort => json!("abort"),
                },
                "output": String::from_utf8_lossy(&behaviour.output),
            })
        })
        .collect();
    let mut object = json!({
        "file": Value::Null,
        "origin": case.origin.to_string(),
        "id": case.id().to_string(),
        "target": wanted.recipe.target.name(),
        "expected": expected,
        "files": files,
    });
    if let Some(path) = paths.and_then(<[_]>::first) {
        add_path(&mut object, "file", path);
    }
    object
}

/// Adds a path: as text, and if it is not UTF-8 also its bytes, as `NAME_hex`.
fn add_path(object: &mut Value, name: &str, path: &Path) {
    object[name] = path.to_string_lossy().into();
    if path.to_str().is_none() {
        let bytes = path.as_os_str().as_encoded_bytes();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        object[format!("{name}_hex")] = hex.into();
    }
}

/// What a person sees who has waited for some seconds.
struct Progress {
    begun: Instant,
    /// When the line was last written.
    shown: Option<Instant>,
    wanted: bool,
    count: u64,
}

impl Progress {
    fn new(place: &Place, count: u64) -> Progress {
        // Programs on a terminal are progress enough.
        let apart = place.files.is_some() && !place.json || !std::io::stdout().is_terminal();
        Progress {
            begun: Instant::now(),
            shown: None,
            wanted: apart && count > 1 && std::io::stderr().is_terminal(),
            count,
        }
    }

    fn show(&mut self, done: u64) -> anyhow::Result<()> {
        let recent = self.shown.is_some_and(|shown| shown.elapsed() < Duration::from_millis(200));
        if self.wanted && !recent && self.begun.elapsed() > Duration::from_secs(2) {
            self.shown = Some(Instant::now());
            show::to_stderr(format!("\r\u{1b}[Khowler: {done} of {} programs", self.count).as_bytes())?;
        }
        Ok(())
    }

    fn clear(&mut self) {
        if self.shown.take().is_some() {
            // Nothing is lost if the terminal has gone.
            let _ = show::to_stderr(b"\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_where_they_are_copied_from() {
        let line = "orange target=i386/gcc/gnu17 version=0.1.0 seed=1 index=2";
        for copied in [line.to_owned(), format!("origin     {line}"), format!(" * origin    {line}\r")] {
            assert_eq!(line_of(&copied), line);
        }
    }
}
