//! `howler gen`: programs of a technique, or the test of a line, on standard output or in a folder.

mod comment;
mod files;
pub mod options;

use std::io::{IsTerminal, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use howler_campaign::own::Own;
use howler_campaign::source::Recipe;
use howler_case::Case;
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
    let bare = match &what {
        What::Origins(_) => true,
        What::Technique { which, .. } => which.bare,
    };
    let work = work(what)?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = interrupt::ask_first(stop.clone(), || ()).context("cannot wait for signals")?;
    let mut place = Place::open(output, &work, bare)?;
    let mut progress = Progress::new(&place, work.count());
    let mut done = 0;
    let mut read = true;
    while done < work.count() && read && !stop.load(Ordering::SeqCst) {
        for (wanted, case) in batch(&work, done) {
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
    let interrupted = asked.status().filter(|_| done < work.count());
    if let Some(code) = interrupted {
        let text = format!("howler: stopped after {done} of {} programs\n", work.count());
        show::to_stderr(text.as_bytes())?;
        return Ok(Status::Interrupted(code));
    }
    place.close(done)?;
    Ok(Status::Fine)
}

/// What was asked for.
fn work(what: What) -> anyhow::Result<Work> {
    match what {
        What::Technique { entry, words, which } => {
            let own = Own::read(entry, &words).map_err(|why| {
                let name = entry.technique.name;
                anyhow::anyhow!("{why}; `howler gen {name} --help` lists the options")
            })?;
            if which.from.checked_add(which.count).is_none() {
                bail!("--from {} and -n {} go beyond the last program", which.from, which.count);
            }
            let recipe = Recipe { seed: which.seed, target: which.language.target() };
            Ok(Work::Stretch { own, recipe, from: which.from, count: which.count })
        }
        What::Origins(lines) => {
            let mut all = Vec::new();
            for line in lines {
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

/// The next tests, made by all cores at once, in their order.
fn batch(work: &Work, first: u64) -> Vec<(Wanted<'_>, Case)> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let wanted: Vec<Wanted<'_>> =
        (first..first.saturating_add(BATCH * cores as u64)).map_while(|number| work.get(number)).collect();
    let make = |wanted: &Wanted<'_>| wanted.own.test(wanted.recipe, wanted.index);
    if wanted.len() < 2 || cores == 1 {
        return wanted
            .into_iter()
            .map(|wanted| (make(&wanted), wanted))
            .map(|(case, one)| (one, case))
            .collect();
    }
    let cases: Vec<Case> = std::thread::scope(|scope| {
        let parts: Vec<_> = wanted
            .chunks(wanted.len().div_ceil(cores))
            .map(|part| scope.spawn(move || part.iter().map(make).collect::<Vec<Case>>()))
            .collect();
        let join = |part: std::thread::ScopedJoinHandle<'_, Vec<Case>>| match part.join() {
            Ok(cases) => cases,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        parts.into_iter().flat_map(join).collect()
    });
    wanted.into_iter().zip(cases).collect()
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
            Some(files) => Some(files.put(&name, &texts).map_err(|error| match before {
                0 => error,
                _ => anyhow::anyhow!("{error:#} ({before} programs were written before)"),
            })?),
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
            let what = if count == 1 { "program" } else { "programs" };
            let text = format!("{count} {what} in {}\n", files.folder().display());
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

fn as_json(
    wanted: &Wanted<'_>,
    case: &Case,
    texts: &[(&str, Vec<u8>)],
    paths: Option<&[std::path::PathBuf]>,
) -> Value {
    let files: Vec<Value> = (texts.iter().enumerate())
        .map(|(at, (name, text))| match paths.and_then(|paths| paths.get(at)) {
            Some(path) => json!({ "name": name, "path": path.display().to_string() }),
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
    json!({
        "file": paths.and_then(<[_]>::first).map(|path| path.display().to_string()),
        "origin": case.origin.to_string(),
        "id": case.id().to_string(),
        "target": wanted.recipe.target.name(),
        "expected": expected,
        "files": files,
    })
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
