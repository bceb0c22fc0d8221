//! Howler, C-Reduce and C-Vise side by side: failing programs of 20 to 60 KB made small with the same script, two cores and
//! the same time each; Howler with its built-in predicate is a further row.
//!
//! What each of them did is kept below `corpus/reduce/rows`, a file for each race: what was ended goes on where it was.
//! `HOWLER_SECONDS` is what each may take, instead of twelve minutes, and `HOWLER_CASES` how many cases there are; rows of
//! another limit are other rows.

mod failures;

use crate::root;
use anyhow::{Context, Result, bail};
use failures::{Failure, Kind};
use howler_case::{File, Id};
use howler_reduce::text::measure;
use howler_testkit::{Options, Scratch, run as run_tool};
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Cases of a full run, and what each tool may take for one.
const CASES: usize = 4;
const SECONDS: u64 = 12 * 60;

/// Sizes of the programs that are raced with, in bytes.
const RACED: std::ops::Range<usize> = 20_000..60_000;

/// How often the best so far is looked at.
const TICK: Duration = Duration::from_millis(200);

pub(super) fn run() -> Result<()> {
    let seconds = number("HOWLER_SECONDS", SECONDS)?;
    let wanted = usize::try_from(number("HOWLER_CASES", CASES as u64)?)?;
    let howler = howler()?;
    let folder = root().join("corpus/reduce");
    let failures = failures::all(&folder)?;
    println!("{} failures:\n", failures.len());
    for failure in &failures {
        println!("- {}: {}, {} bytes", failure.name, failure.kind.name(), failure.bytes()?);
    }
    let mut raced: Vec<(Id, &Failure)> = Vec::new();
    for failure in &failures {
        let text = fs::read(failure.source())?;
        if RACED.contains(&text.len()) {
            raced.push((Id::of(&text), failure));
        }
    }
    raced.sort_by_key(|(id, _)| *id);
    raced.truncate(wanted);
    let rows = folder.join("rows");
    fs::create_dir_all(&rows)?;
    let mut table = Vec::new();
    for (_, failure) in raced {
        let mut all = Vec::new();
        for tool in Tool::ALL {
            let file = rows.join(format!("{}-{}-{seconds}.txt", failure.name, tool.name()));
            if !file.exists() {
                eprintln!("xtask: {} with {}", failure.name, tool.name());
                let row = race(tool, failure, &howler, Duration::from_secs(seconds))?;
                let part = file.with_extension("part");
                fs::write(&part, row.text())?;
                fs::rename(&part, &file)?;
            }
            let text = fs::read_to_string(&file)?;
            all.push((
                tool,
                Row::parse(&text).with_context(|| format!("{} makes no sense", file.display()))?,
            ));
        }
        table.push((failure, all));
    }
    print(&table, seconds);
    Ok(())
}

fn number(name: &str, otherwise: u64) -> Result<u64> {
    match std::env::var(name) {
        Ok(text) => text.parse().with_context(|| format!("{name}={text} is no number")),
        Err(_) => Ok(otherwise),
    }
}

/// The command under test, optimised.
fn howler() -> Result<PathBuf> {
    let built = crate::cargo().args(["build", "--quiet", "--release", "--package", "howler"]).status()?;
    if !built.success() {
        bail!("howler cannot be built");
    }
    let own = std::env::current_exe()?;
    let folder = own.ancestors().find(|path| path.ends_with("release") || path.ends_with("debug"));
    let folder = folder.and_then(Path::parent).context("an executable of cargo's")?;
    Ok(folder.join("release/howler"))
}

/// Who races.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    Howler,
    HowlerScript,
    CReduce,
    CVise,
}

impl Tool {
    const ALL: [Tool; 4] = [Tool::Howler, Tool::HowlerScript, Tool::CReduce, Tool::CVise];

    fn name(self) -> &'static str {
        match self {
            Tool::Howler => "howler",
            Tool::HowlerScript => "howler-script",
            Tool::CReduce => "creduce",
            Tool::CVise => "cvise",
        }
    }

    fn is_peer(self) -> bool {
        matches!(self, Tool::CReduce | Tool::CVise)
    }

    /// The command line for a folder that has `test.c`, and the file that has the best so far.
    fn command(self, failure: &Failure, howler: &Path) -> (Command, &'static str) {
        let script = failure.script();
        let mut command;
        let result = match self {
            Tool::Howler | Tool::HowlerScript => {
                command = Command::new(howler);
                command.arg("reduce").args(["test.c", "-o", "out.c", "-j", "2"]);
                match self {
                    Tool::Howler => command.args(failure.kind.option()).arg(&failure.compiler),
                    _ => command.arg("--test").arg(script),
                };
                "out.c"
            }
            Tool::CReduce => {
                command = Command::new("creduce");
                command.args(["--n", "2"]).arg(script).arg("test.c");
                "test.c"
            }
            Tool::CVise => {
                command = Command::new("cvise");
                command.args(["--n", "2"]).arg(script).arg("test.c");
                "test.c"
            }
        };
        (command, result)
    }
}

/// What a tool did with a case.
struct Row {
    /// After how many seconds it ended, or was ended.
    seconds: f64,
    /// Whether it ended by itself.
    finished: bool,
    /// Whether the result still is interesting to the script.
    interesting: bool,
    /// What judge and sanitizers say of the result.
    sound: String,
    /// When the result had how many tokens.
    progress: Vec<(f64, u64)>,
}

impl Row {
    fn tokens(&self) -> u64 {
        self.progress.last().map_or(0, |(_, tokens)| *tokens)
    }

    /// When it was at most this large.
    fn reached(&self, tokens: u64) -> Option<f64> {
        self.progress.iter().find(|(_, now)| *now <= tokens).map(|(seconds, _)| *seconds)
    }

    fn text(&self) -> String {
        let Row { seconds, finished, interesting, sound, .. } = self;
        let mut text = format!("{seconds:.1} {finished} {interesting} {sound}\n");
        for (seconds, tokens) in &self.progress {
            text += &format!("{seconds:.1} {tokens}\n");
        }
        text
    }

    fn parse(text: &str) -> Option<Row> {
        let mut lines = text.lines();
        let mut head = lines.next()?.splitn(4, ' ');
        let mut row = Row {
            seconds: head.next()?.parse().ok()?,
            finished: head.next()?.parse().ok()?,
            interesting: head.next()?.parse().ok()?,
            sound: head.next()?.to_owned(),
            progress: Vec::new(),
        };
        for line in lines {
            let (seconds, tokens) = line.split_once(' ')?;
            row.progress.push((seconds.parse().ok()?, tokens.parse().ok()?));
        }
        Some(row)
    }
}

/// One tool on one case.
fn race(tool: Tool, failure: &Failure, howler: &Path, limit: Duration) -> Result<Row> {
    // Not below the temporary folder, which Howler's jobs do not see.
    let folder = root().join("corpus/reduce/race");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    fs::copy(failure.source(), folder.join("test.c"))?;
    let (mut command, result) = tool.command(failure, howler);
    let result = folder.join(result);
    let log = fs::File::create(folder.join("log.txt"))?;
    command.current_dir(&folder).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {}", tool.name()))?;
    let mut progress = vec![(0.0, tokens(&folder.join("test.c"))?)];
    let mut look = |now: f64| {
        if let Ok(tokens) = tokens(&result)
            && tokens > 0
            && progress.last().is_none_or(|(_, last)| *last != tokens)
        {
            progress.push((now, tokens));
        }
    };
    let mut finished = true;
    while child.try_wait()?.is_none() {
        if start.elapsed() >= limit {
            finished = false;
            end(&mut child)?;
            break;
        }
        std::thread::sleep(TICK);
        look(start.elapsed().as_secs_f64());
    }
    let seconds = start.elapsed().as_secs_f64();
    look(seconds);
    let interesting = failure.is_interesting(&result);
    let sound = sound(failure, howler, &result)?;
    Ok(Row { seconds, finished, interesting, sound, progress })
}

/// Ends a tool and all it has started.
fn end(child: &mut Child) -> Result<()> {
    let group = format!("-{}", child.id());
    for (signal, patience) in [("-INT", 50), ("-TERM", 50), ("-KILL", 50)] {
        Command::new("kill").args([signal, "--", &group]).stderr(Stdio::null()).status()?;
        for _ in 0..patience {
            if child.try_wait()?.is_some() {
                Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status()?;
                return Ok(());
            }
            std::thread::sleep(TICK);
        }
    }
    bail!("a tool cannot be ended")
}

fn tokens(path: &Path) -> Result<u64> {
    let text = fs::read(path)?;
    Ok(measure(&[File { name: "test.c".to_owned(), text }]).0.tokens)
}

/// Whether a result of wrong code is defined, and what sanitizers say of it; a crash needs no meaning.
fn sound(failure: &Failure, howler: &Path, result: &Path) -> Result<String> {
    if failure.kind != Kind::WrongCode {
        return Ok("-".to_owned());
    }
    let scratch = Scratch::new();
    let text = fs::read(result).unwrap_or_default();
    let file = scratch.write("result.c", text);
    let file = file.to_str().context("a path is text")?;
    let options = Options { folder: Some(scratch.folder()), ..Options::default() };
    let mut wrong = Vec::new();
    if run_tool(howler, ["run", "--judge", file], &options).code != Some(0) {
        wrong.push("not defined");
    }
    let ask = |compiler: &str, flags: &str| {
        let line = format!(
            "{compiler} -w -O0 {flags} -fno-sanitize-recover=all {file} -o san && \
             ASAN_OPTIONS=detect_leaks=0 timeout 20 ./san > /dev/null 2> said; ! grep -qE 'Sanitizer|runtime error' said"
        );
        run_tool("sh", ["-c", &line], &options).success()
    };
    for (name, compiler, flags) in [
        ("ASan or UBSan", "gcc-12", "-fsanitize=address,undefined"),
        ("MSan", "clang-16", "-fsanitize=memory"),
    ] {
        if !ask(compiler, flags) {
            wrong.push(name);
        }
    }
    Ok(if wrong.is_empty() { "sound".to_owned() } else { wrong.join(", ") })
}

/// All rows, the lost ones too.
fn print(table: &[(&Failure, Vec<(Tool, Row)>)], seconds: u64) {
    println!(
        "\n| case | tool | tokens | seconds of {seconds} | interesting | sound | to the better peer's size | of that peer's time |"
    );
    println!("|---|---|--:|--:|---|---|--:|--:|");
    for (failure, rows) in table {
        let peers = rows.iter().filter(|(tool, row)| tool.is_peer() && row.interesting);
        let best = peers.min_by(|(_, one), (_, two)| {
            (one.tokens(), one.seconds).partial_cmp(&(two.tokens(), two.seconds)).expect("times are numbers")
        });
        for (tool, row) in rows {
            let (mut reached, mut part) = (String::new(), String::new());
            if let (Some((_, best)), false) = (best, tool.is_peer()) {
                let at = best.reached(best.tokens()).unwrap_or(best.seconds);
                reached = row.reached(best.tokens()).map_or("never".to_owned(), |now| format!("{now:.1} s"));
                part = row
                    .reached(best.tokens())
                    .map_or(String::new(), |now| format!("1/{:.1}", at / now.max(0.1)));
            }
            let took = if row.finished { format!("{:.0}", row.seconds) } else { "all".to_owned() };
            println!(
                "| {} | {} | {} of {} | {took} | {} | {} | {reached} | {part} |",
                failure.name,
                tool.name(),
                row.tokens(),
                row.progress.first().map_or(0, |(_, tokens)| *tokens),
                if row.interesting { "yes" } else { "no" },
                row.sound
            );
        }
    }
}
