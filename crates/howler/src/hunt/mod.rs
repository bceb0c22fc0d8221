//! `howler hunt`: from the command line to a campaign, and what a person sees while it runs.

mod display;
pub mod doctor;
pub mod findings;
mod log;
pub mod options;
mod screen;

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use howler_campaign::engine::{Until, hunt};
use howler_campaign::registry;
use howler_campaign::setup::{Setup, csmith, fill_in, set_up};
use howler_campaign::spec::{CompilerSpec, GeneratorSpec, Spec};
use howler_case::{Case, Origin};
use howler_oracle::bench::{Bench, Options as BenchOptions};
use howler_oracle::finding::in_few_words;
use howler_oracle::sighting::Kind;
use howler_store::{Ledger, Shard, Store};
use howler_toolchain::compiler::quoted;
use howler_toolchain::compiler::root_of;
use howler_toolchain::guard::{Guard, GuardOptions};
use howler_toolchain::interrupt;
use howler_toolchain::preprocess::Preprocessor;
use howler_toolchain::search::on_path;

use crate::Status;
use crate::show;
use display::Display;
use options::Hunt;

/// Hunts.
pub fn run(options: &Hunt) -> anyhow::Result<Status> {
    let helps = |text: &String| registry::named(text.strip_suffix(":help")?);
    if let Some(entry) = options.generators.iter().find_map(helps) {
        show::to_stdout(entry.help().as_bytes())?;
        return Ok(Status::Fine);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let asked = interrupt::ask_first(stop.clone(), display::restore).context("cannot wait for signals")?;
    let mut spec = spec(options)?;
    fill_in(&mut spec);
    spec.check()?;
    let jobs = options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    if jobs == 0 {
        bail!("--jobs 0 does nothing");
    }
    if std::io::stderr().is_terminal() {
        // Each flag of each pool may need a compilation, which takes seconds for many compilers.
        let names: Vec<&str> = spec.compilers.iter().map(|compiler| compiler.command.as_str()).collect();
        show::to_stderr(format!("howler: asking what they take: {}\n", names.join(", ")).as_bytes())?;
    }
    let mut roots: Vec<_> = spec.compilers.iter().filter_map(|one| root_of(&one.command)).collect();
    roots.sort();
    roots.dedup();
    let guarded = GuardOptions { roots, ..GuardOptions::default() };
    let mut guard = Guard::start(&guarded)?;
    let setup = set_up(spec, &mut guard)?;
    let store = open(&options.dir, &setup.spec)?;
    for note in &setup.notes {
        show::to_stderr(format!("howler: note: {note}\n").as_bytes())?;
    }
    introduce(options, &setup)?;
    let mut benches = vec![bench(guard, &setup.spec)?];
    try_out(&mut benches[0], &setup)?;
    while benches.len() < jobs {
        benches.push(bench(Guard::start(&guarded)?, &setup.spec)?);
    }
    let until = Until { time: options.time, tests: options.tests, finding: options.until_finding };
    let shard = match options.shard {
        Some((part, of)) => Shard::new(u64::from(part - 1), u64::from(of))?,
        None => Shard::WHOLE,
    };
    let mut display = Display::open(options.plain, options.json, &stop)?;
    let mut failure = None;
    let ended = hunt(&setup, store, shard, until, benches, &stop, &mut |event, status| {
        if let Err(error) = display.show(status.elapsed, event, status) {
            failure = Some(error);
            stop.store(true, Ordering::SeqCst);
        }
    });
    display.close();
    let status = ended?;
    if let Some(error) = failure {
        return Err(error).context("cannot show the hunt");
    }
    if options.json {
        let value = log::summary_json(&status);
        show::to_stdout(format!("{value}\n").as_bytes())?;
    } else {
        show::to_stdout(log::summary(&status).as_bytes())?;
    }
    let interrupted = asked.status().filter(|_| !ended_by_itself(&until, &status));
    let new = status.findings().any(|found| found.at.is_some());
    Ok(match (interrupted, new) {
        (Some(code), _) => Status::Interrupted(code),
        (None, true) => Status::Found,
        (None, false) => Status::Fine,
    })
}

/// Whether the user's own conditions ended it.
fn ended_by_itself(until: &Until, status: &howler_campaign::status::Status) -> bool {
    let time = until.time.is_some_and(|time| status.elapsed >= time.as_secs_f64());
    let found = until.finding && status.findings().any(|found| found.at.is_some());
    time || found
}

fn bench(guard: Guard, spec: &Spec) -> anyhow::Result<Bench> {
    let mut preprocessor = Preprocessor::find(None)?;
    // Nobody wrote these texts by hand: one that includes a pipe, or whose macros grow without end, is given up soon.
    preprocessor.limits.wall = Duration::from_secs(10);
    preprocessor.limits.output = 32 << 20;
    preprocessor.limits.address_space = Some(2 << 30);
    let mut options = BenchOptions::default();
    options.judge.limits.steps = spec.steps;
    // Enough to see that nothing is wrong; what looks wrong is judged again, with more runs.
    options.judge.runs = 2;
    options.trace_volatile = spec.trace_volatile;
    // A busy machine makes wall time longer than processor time.
    options.compile.wall = Duration::from_secs(2 * spec.compile_seconds);
    options.compile.cpu = Duration::from_secs(spec.compile_seconds);
    Ok(Bench::new(guard, preprocessor, options))
}

/// Every compiler must compile the simplest program under guard: a hunt that tests nothing must not look like one that
/// finds nothing.
fn try_out(bench: &mut Bench, setup: &Setup) -> anyhow::Result<()> {
    let origin = Origin { arm: "try".to_owned(), version: "0".to_owned(), seed: 0, index: 0 };
    // `class` is a name in C alone.
    let case =
        Case::new("test.c", "int main(void) { int class = 0; return class; }\n", setup.spec.std(), origin);
    for configuration in &setup.configurations {
        let examined = bench.examine(&case, std::slice::from_ref(configuration))?;
        let runs = configuration.target.is_some() && configuration.configured.compiler.is_runnable();
        if runs && examined.runs == 0 && examined.sightings.is_empty() {
            bail!(
                "'{}' does not compile an empty main under guard: is it installed completely?",
                configuration.name
            );
        }
        if examined.sightings.iter().any(|sighting| sighting.kind == Kind::Reject) {
            bail!(
                "'{}' rejects the simplest C program: is it a compiler of another language, or are its flags wrong?",
                configuration.name
            );
        }
    }
    Ok(())
}

/// A longer `campaign.toml` is something else.
const MOST_SPEC: u64 = 1 << 20;

/// What the command line asks for, or else what the folder's file says.
fn spec(options: &Hunt) -> anyhow::Result<Spec> {
    let file = options.dir.join("campaign.toml");
    let mut spec = if let Ok(data) = file.metadata() {
        if !data.is_file() || data.len() > MOST_SPEC {
            bail!("{} is no file of a campaign: a text of at most 1 MiB", file.display());
        }
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Spec::parse(&text).with_context(|| format!("{} makes no sense", file.display()))?
    } else {
        Spec::default()
    };
    if !options.compilers.is_empty() {
        let compiler = |command: &String| CompilerSpec {
            command: command.clone(),
            levels: options.levels.clone(),
            runner: None,
        };
        spec.compilers = options.compilers.iter().map(compiler).collect();
    } else if !options.levels.is_empty() {
        fill_in(&mut spec);
        spec.compilers.iter_mut().for_each(|compiler| compiler.levels = options.levels.clone());
    }
    if !options.generators.is_empty() || !options.corpora.is_empty() {
        let generators = options.generators.iter().map(|text| generator(text, options));
        spec.generators = generators.collect::<anyhow::Result<_>>()?;
        for folder in &options.corpora {
            let folder =
                folder.canonicalize().with_context(|| format!("cannot read {}", folder.display()))?;
            spec.generators.push(GeneratorSpec::Corpus { folder: folder.display().to_string() });
        }
    }
    spec.seed = options.seed.unwrap_or(spec.seed);
    spec.steps = options.steps.unwrap_or(spec.steps);
    spec.swarm = options.swarm.unwrap_or(spec.swarm);
    spec.extras = options.extras.unwrap_or(spec.extras);
    spec.trace_volatile |= options.trace_volatile;
    if let Some(std) = &options.std {
        spec.std.clone_from(std);
    }
    spec.check()?;
    Ok(spec)
}

/// `orange`, `orange:without=float`, `csmith`, `csmith --max-funcs 3`, `command {seed}`.
fn generator(text: &str, options: &Hunt) -> anyhow::Result<GeneratorSpec> {
    let word = text.split([' ', ':']).next().unwrap_or_default();
    if let Some(entry) = registry::named(word) {
        let options = entry.technique.options.split(&text[word.len()..]);
        return Ok(GeneratorSpec::Technique { name: word.to_owned(), options });
    }
    if word == "csmith" && !text.contains("{seed}") {
        let words: Vec<String> = text.split_whitespace().skip(1).map(str::to_owned).collect();
        return Ok(csmith(&words));
    }
    if !text.contains("{seed}") {
        bail!(
            "there is no generator '{text}': known are {}, csmith, and any command with {{seed}} in it",
            registry::names()
        );
    }
    // Generators run elsewhere: a path must not depend on where this is.
    let command = text.split_whitespace().next().unwrap_or_default();
    let file = Path::new(command);
    let found = if command.contains('/') { file.canonicalize().ok() } else { on_path(file.as_os_str()) };
    let Some(found) = found.filter(|found| found.is_file()) else {
        bail!("there is no generator '{command}': no such program");
    };
    let name = file.file_name().map_or(command.into(), |name| name.to_string_lossy()).into_owned();
    let mut include: Vec<String> =
        options.include_dirs.iter().map(|folder| folder.display().to_string()).collect();
    if name == "csmith"
        && include.is_empty()
        && let GeneratorSpec::Command { include: known, .. } = csmith(&[])
    {
        include = known;
    }
    let rest = text.trim_start().strip_prefix(command).unwrap_or_default();
    let command = if command.contains('/') { quoted(&found.to_string_lossy()) } else { command.to_owned() };
    Ok(GeneratorSpec::Command { name, command: command + rest, include })
}

/// The campaign's folder, made if it does not exist; its file says what was asked for last.
fn open(folder: &Path, spec: &Spec) -> anyhow::Result<Store> {
    let text = spec.text();
    if !Store::exists(folder) {
        let mut store = Store::create(folder, text.as_bytes())?;
        store.set_meta("seed", &spec.seed.to_string())?;
        return Ok(store);
    }
    let mut store = Store::open(folder)?;
    match store.meta()?.get("seed") {
        Some(seed) if *seed != spec.seed.to_string() => {
            bail!("{} was begun with --seed {seed}: use another folder for another seed", folder.display());
        }
        Some(_) => {}
        // The first hunt was killed before it had written that.
        None => store.set_meta("seed", &spec.seed.to_string())?,
    }
    if store.campaign()? != text.as_bytes() {
        let file = folder.join("campaign.toml");
        std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(store)
}

/// Says what is about to happen, where there is no screen that shows it.
fn introduce(options: &Hunt, setup: &Setup) -> anyhow::Result<()> {
    if options.json {
        return Ok(());
    }
    let names: Vec<String> = setup.configurations.iter().map(|one| one.name.clone()).collect();
    let sources: Vec<&str> = setup.arms.iter().map(|arm| arm.source.name()).collect();
    let (folder, sources, names) = (options.dir.display(), sources.join(", "), in_few_words(&names));
    let text = format!("hunting in {folder} with {sources}: {names}\n");
    Ok(show::to_stdout(text.as_bytes())?)
}
