//! `howler reduce`: from the command line to a question and the reducer, and what a person sees while it works.

pub mod options;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use howler_case::id::Hasher;
use howler_case::{Case, File, Origin};
use howler_lang::target::Std;
use howler_oracle::lab::{Configuration, Lab, Options as LabOptions};
use howler_reduce::engine::{Answer, End, Limits, Size};
use howler_reduce::files::Ask as _;
use howler_reduce::question::{Question, QuestionError, Wrong, target_of};
use howler_reduce::text::measure;
use howler_reduce::work::{Given, Outcome, Progress, Refused, reduce};
use howler_toolchain::compiler::root_of;
use howler_toolchain::guard::{Guard, GuardOptions};
use howler_toolchain::interrupt;
use howler_toolchain::preprocess::Preprocessor;

use crate::Status;
use crate::hunt::progress::Progress as Line;
use crate::show;
use options::Reduce;

/// Runs the command.
pub fn run(options: &Reduce) -> anyhow::Result<Status> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = interrupt::ask_once_begun(stop.clone(), || {}).context("cannot wait for signals")?;
    let commands = [&options.bad, &options.good, &options.crash, &options.hang, &options.reject];
    let commands: Vec<&str> = commands.into_iter().flatten().map(String::as_str).collect();
    let case = case(options, &commands)?;
    let mut out = Output::of(options, &case.files)?;
    let mut roots: Vec<PathBuf> = commands.iter().filter_map(|command| root_of(command)).collect();
    roots.dedup();
    let guarded = GuardOptions { roots, ..GuardOptions::default() };
    let jobs = match options.jobs {
        Some(jobs) => usize::from(jobs),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let mut labs = Vec::new();
    for _ in 0..jobs {
        labs.push(lab(Guard::start(&guarded)?, options)?);
    }
    asked.begin();
    let (question, bad) = match question(options, &mut labs[0], &case, &stop) {
        Err(error) if asked.status().is_some() => {
            drop(error);
            return Ok(Status::Interrupted(asked.status().unwrap_or(130)));
        }
        Err(error) => {
            let refused = matches!(error.downcast_ref(), Some(QuestionError::NoMeaning(_)));
            if !refused {
                return Err(error);
            }
            show::to_stderr(format!("howler: {error}\n").as_bytes())?;
            return Ok(Status::Refused);
        }
        Ok(made) => made,
    };
    if let Some(path) = out.in_the_way().filter(|_| !options.force) {
        bail!(
            "{} is in the way: this command, asked of these files, did not write it; -o names another place, --force \
             overwrites it",
            path.display()
        );
    }
    if let Some(seen) = &question.seen {
        show::to_stderr(format!("howler: {}: {}\n", seen.kind.name(), seen.detail).as_bytes())?;
    }
    let preprocessor = Preprocessor::find(None)?;
    let target = target_of(bad.as_ref(), &case);
    let limits = Limits { tokens: options.until_tokens, time: options.time, tests: None, stop: &stop };
    let (before, _) = measure(&case.files);
    let mut screen = Screen::new(before);
    let mut failure = None;
    let begun = Instant::now();
    let mut asking: Vec<_> = labs.iter_mut().map(|lab| question.asker(lab, &case)).collect();
    // A comment is nothing to a compiler; a script may count lines.
    out.in_file = options.test.is_none() || asking[0].ask(&out.headed(&case.files, before)) == Answer::Yes;
    let mut work = |files: &[File]| {
        let given = Given {
            files,
            target: Some(target),
            input: case.input(),
            made_of: None,
            runs: options.crash.is_none() && options.hang.is_none(),
            preprocessor: &preprocessor,
            text_too: true,
        };
        reduce(given, &mut asking, &limits, &mut |progress| {
            if let Progress::Better(files, _) = progress
                && let Err(error) = out.write(files, before)
            {
                failure = Some(error);
                stop.store(true, Ordering::SeqCst);
            }
            screen.show(&progress);
        })
    };
    let earlier = out.earlier(before);
    let done = match &earlier {
        Some(files) => {
            let name = out.paths[0].display();
            let (size, _) = measure(files);
            show::to_stderr(format!("howler: goes on with {name}: {} tokens\n", size.tokens).as_bytes())?;
            match work(files) {
                Err(Refused::NotInteresting) => work(&case.files),
                done => done,
            }
        }
        None => work(&case.files),
    };
    screen.line.clear();
    if let Some(error) = failure {
        return Err(error);
    }
    let done = match done {
        Ok(done) => Outcome { before, ..done },
        Err(Refused::Broken(why)) => bail!("{why}"),
        Err(Refused::NotInteresting) => {
            bail!("asked again, the files are not interesting any more: is it by chance?")
        }
        Err(Refused::Stopped) => return Ok(Status::Interrupted(asked.status().unwrap_or(130))),
    };
    out.write(&done.files, before)?;
    conclude(options, &out, &done, begun.elapsed())?;
    if let End::Broken(why) = &done.end {
        bail!("{why}; the best so far is kept");
    }
    Ok(asked.status().map_or(Status::Fine, Status::Interrupted))
}

/// The files as a case.
fn case(options: &Reduce, commands: &[&str]) -> anyhow::Result<Case> {
    let mut files: Vec<File> = Vec::new();
    for path in &options.files {
        let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(name) = name.map(str::to_owned) else { bail!("{} has no name", path.display()) };
        if files.iter().any(|file| file.name == name) {
            bail!("two files have the name {name}: they are put into one folder");
        }
        files.push(File { name, text });
    }
    let words = commands.iter().flat_map(|command| command.split_whitespace());
    let of_flags = words.filter_map(|word| Std::parse(word.strip_prefix("-std=")?)).next();
    let std = options.std.or(of_flags).unwrap_or(Std::GNU17);
    let origin =
        Origin { arm: "reduce".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), seed: 0, index: 0 };
    let mut case = Case::new("", "", std, origin);
    case.files = files;
    Ok(case)
}

fn lab(guard: Guard, options: &Reduce) -> anyhow::Result<Lab> {
    let mut preprocessor = Preprocessor::find(None)?;
    preprocessor.limits.wall = Duration::from_secs(10);
    let mut lab = LabOptions::default();
    lab.judge.runs = 2;
    if options.hang.is_some() {
        // It is waited for again and again.
        lab.compile.wall = HANGS;
        lab.compile.cpu = HANGS;
    }
    Ok(Lab::new(guard, preprocessor, lab))
}

/// What takes longer than this goes on for ever.
const HANGS: Duration = Duration::from_secs(10);

/// The question, and whose meaning of programs counts.
fn question<'a>(
    options: &Reduce,
    lab: &mut Lab,
    case: &Case,
    stop: &'a AtomicBool,
) -> anyhow::Result<(Question<'a>, Option<Configuration>)> {
    if let Some(script) = &options.test {
        return Ok((Question::of_script(lab, case, script, options.timeout, stop)?, None));
    }
    let wanted = [
        (Wrong::Code, &options.bad),
        (Wrong::Crash, &options.crash),
        (Wrong::Hang, &options.hang),
        (Wrong::Reject, &options.reject),
    ];
    let named = wanted.into_iter().find_map(|(wrong, command)| Some((wrong, command.as_ref()?)));
    let Some((wrong, command)) = named else {
        bail!("one of --bad, --crash, --hang, --reject, --test is needed")
    };
    let bad = Configuration::parse(command)?;
    let good = options.good.as_ref().map(|command| Configuration::parse(command)).transpose()?;
    let asked = (wrong, bad.clone(), good.as_ref());
    Ok((Question::of_compiler(lab, case, asked, options.any_bug, stop)?, Some(bad)))
}

/// Where the result goes.
struct Output {
    /// A file for each of the files.
    paths: Vec<PathBuf>,
    /// The names of the files that it is made from.
    names: Vec<String>,
    /// The command.
    made_by: String,
    /// What it was given and asked: what has the same is gone on with.
    mark: String,
    /// Whether that stands in the first file; otherwise it stands beside it.
    in_file: bool,
}

impl Output {
    fn of(options: &Reduce, files: &[File]) -> anyhow::Result<Output> {
        let paths: Vec<PathBuf> = match &options.output {
            Some(folder) if options.files.len() > 1 || folder.is_dir() => {
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("cannot make {}", folder.display()))?;
                options.files.iter().map(|file| folder.join(file.file_name().unwrap_or_default())).collect()
            }
            Some(file) => vec![file.clone()],
            None => options.files.iter().map(|file| beside(file)).collect(),
        };
        if paths.iter().any(|path| options.files.iter().any(|file| same(path, file))) {
            bail!("the result would replace what it is made from: -o names another place");
        }
        let words: Vec<String> = std::env::args_os()
            .skip(1)
            .map(|word| howler_toolchain::compiler::quoted(&word.to_string_lossy()))
            .collect();
        let plain: String =
            words.join(" ").replace("*/", "* /").chars().filter(|c| !c.is_control()).collect();
        let mut hash = Hasher::new("reduce");
        for file in files {
            hash.field(file.name.as_bytes()).field(&file.text);
        }
        // How long to work is no part of the question.
        let asked = [&options.bad, &options.good, &options.crash, &options.hang, &options.reject];
        for word in asked {
            hash.field(word.as_deref().unwrap_or_default().as_bytes());
        }
        let script = options.test.as_ref().map(|path| path.to_string_lossy().into_owned());
        hash.field(script.unwrap_or_default().as_bytes()).field(&[u8::from(options.any_bug)]);
        let id: String = hash.finish().to_string().chars().take(10).collect();
        let names = files.iter().map(|file| file.name.clone()).collect();
        let made_by = format!("/* howler {plain}");
        Ok(Output { paths, names, made_by, mark: format!(" [{id}]: "), in_file: true })
    }

    /// The line that says how the files were made.
    fn line(&self, files: &[File], before: Size) -> String {
        let (size, _) = measure(files);
        format!("{}{}{} of {} tokens */\n", self.made_by, self.mark, size.tokens, before.tokens)
    }

    /// The files with that line.
    fn headed(&self, files: &[File], before: Size) -> Vec<File> {
        let line = self.line(files, before);
        let mut files = files.to_vec();
        if let Some(first) = files.first_mut() {
            first.text.splice(0..0, line.into_bytes());
        }
        files
    }

    /// Where the line goes if the files do without.
    fn note(&self) -> PathBuf {
        let mut name = self.paths[0].clone().into_os_string();
        name.push(".howler");
        name.into()
    }

    /// A file where the result goes that is there and was not left by the same question.
    fn in_the_way(&self) -> Option<&Path> {
        let first = || {
            let text = std::fs::read(&self.paths[0]).ok()?;
            Some(text.split(|&byte| byte == b'\n').next()?.to_vec())
        };
        let ours = |line: Option<Vec<u8>>| line.is_some_and(|line| self.is_line(&line));
        if ours(first()) || ours(std::fs::read(self.note()).ok()) {
            return None;
        }
        self.paths.iter().map(PathBuf::as_path).find(|path| path.symlink_metadata().is_ok())
    }

    /// Whether a line says that the same question left what it stands with.
    fn is_line(&self, line: &[u8]) -> bool {
        let is = |line: &str| line.starts_with("/* howler ") && line.contains(&self.mark);
        std::str::from_utf8(line).is_ok_and(is)
    }

    /// What the same question has left there, if it was not at its end.
    fn earlier(&self, before: Size) -> Option<Vec<File>> {
        let mut files = Vec::new();
        for (path, name) in self.paths.iter().zip(&self.names) {
            files.push(File { name: name.clone(), text: std::fs::read(path).ok()? });
        }
        let first = files.first_mut()?;
        let line: Vec<u8> = match self.in_file {
            true => {
                let end = first.text.iter().position(|&byte| byte == b'\n')?;
                first.text.drain(..=end).collect()
            }
            false => std::fs::read(self.note()).ok()?,
        };
        if !self.is_line(&line) {
            return None;
        }
        let (size, _) = measure(&files);
        (size < before).then_some(files)
    }

    /// Puts files there, each as a whole: who reads one meanwhile sees the old one or the new one.
    fn write(&self, files: &[File], before: Size) -> anyhow::Result<()> {
        let headed = if self.in_file { self.headed(files, before) } else { files.to_vec() };
        for (path, file) in self.paths.iter().zip(&headed) {
            put(path, &file.text)?;
        }
        match self.in_file {
            true => Ok(()),
            false => put(&self.note(), self.line(files, before).as_bytes()),
        }
    }
}

fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let cannot = || format!("cannot write {}", path.display());
    std::fs::write(&part, bytes).with_context(cannot)?;
    std::fs::rename(&part, path).with_context(cannot)
}

fn same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn beside(file: &Path) -> PathBuf {
    let end = file.extension().unwrap_or("c".as_ref()).to_string_lossy();
    file.with_extension(format!("reduced.{end}"))
}

fn conclude(options: &Reduce, out: &Output, done: &Outcome, took: Duration) -> anyhow::Result<()> {
    let tests: u64 = done.measures.iter().map(|(_, measures)| measures.tests).sum();
    if options.stats {
        for (stage, measures) in &done.measures {
            show::to_stderr(format!("{stage}:\n{}", measures.text()).as_bytes())?;
        }
    }
    let why = match &done.end {
        End::Finished | End::SmallEnough => "",
        End::Limit => "; the time is up",
        End::Stopped => "; stopped",
        End::Broken(_) => "; it broke off",
    };
    let text = format!(
        "howler: {} of {} tokens after {tests} tests in {:.1} s{why}\n",
        done.size.tokens,
        done.before.tokens,
        took.as_secs_f64()
    );
    show::to_stderr(text.as_bytes())?;
    let names: String = out.paths.iter().map(|path| format!("{}\n", path.display())).collect();
    Ok(show::to_stdout(names.as_bytes())?)
}

/// What a person sees on the terminal.
struct Screen {
    line: Line,
    pass: &'static str,
    tests: u64,
    begun: Instant,
    before: Size,
    size: Size,
}

impl Screen {
    fn new(before: Size) -> Screen {
        Screen { line: Line::new(), pass: "", tests: 0, begun: Instant::now(), before, size: before }
    }

    fn show(&mut self, progress: &Progress<'_>) {
        match *progress {
            Progress::Pass(name) => self.pass = name,
            Progress::Tested(tests) => self.tests = tests,
            Progress::Better(_, size) => self.size = size,
            Progress::Note(note) => {
                self.line.clear();
                let first = note.lines().next().unwrap_or_default();
                // What cannot be written is not missed.
                let _ = show::to_stderr(format!("howler: note: {first}\n").as_bytes());
            }
        }
        let rate = self.tests as f64 / self.begun.elapsed().as_secs_f64().max(0.1);
        let Size { tokens, .. } = self.size;
        let gone = 10 - (10 * tokens).checked_div(self.before.tokens).unwrap_or(0).min(10) as usize;
        let bar = format!("[{}{}]", "#".repeat(gone), " ".repeat(10 - gone));
        let Screen { before, tests, pass, .. } = self;
        self.line
            .tell(&format!("{bar} {tokens} of {} tokens, {tests} tests, {rate:.0}/s, {pass}", before.tokens));
    }
}
