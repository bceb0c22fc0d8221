//! `howler hunt`: from the command line to a campaign, and what a person sees while it runs.

mod display;
pub mod doctor;
pub mod findings;
pub mod legend;
mod log;
pub mod options;
pub mod progress;
mod screen;
mod wanted;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use howler_campaign::engine::{Until, hunt};
use howler_campaign::registry;
use howler_campaign::setup::{Setup, SetupError, fill_in, set_up};
use howler_campaign::spec::Spec;
use howler_campaign::variants;
use howler_case::{Case, Id, Origin, Status as Sure};
use howler_oracle::finding::in_few_words;
use howler_oracle::lab::{Lab, Options as LabOptions};
use howler_oracle::sighting::Kind;
use howler_store::{Ledger, Shard, Store};
use howler_toolchain::compiler::{CompilerError, answers, root_of};
use howler_toolchain::guard::{Guard, GuardOptions};
use howler_toolchain::interrupt;
use howler_toolchain::preprocess::Preprocessor;
use serde_json::json;

use crate::Status;
use crate::show;
use display::Display;
use options::{Hunt, Seed};
use progress::Progress;

/// Hunts.
pub fn run(options: &Hunt) -> anyhow::Result<Status> {
    let helps = |text: &String| registry::named(text.strip_suffix(":help")?);
    if let Some(entry) = options.generators.iter().find_map(helps) {
        show::to_stdout(entry.help().as_bytes())?;
        return Ok(Status::Fine);
    }
    if options.generators.iter().any(|text| text.strip_suffix(":help") == Some(variants::NAME)) {
        show::to_stdout(variants::help().as_bytes())?;
        return Ok(Status::Fine);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let asked =
        interrupt::ask_once_begun(stop.clone(), display::restore).context("cannot wait for signals")?;
    if let Some(folder) = cache() {
        answers::keep_in(folder);
    }
    let mut progress = Progress::new();
    progress.tell("looking for compilers");
    let mut spec = wanted::spec(options)?;
    fill_in(&mut spec);
    spec.check()?;
    let jobs = options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    if jobs == 0 {
        bail!("--jobs 0 does nothing");
    }
    let mut roots: Vec<_> = spec.compilers.iter().filter_map(|one| root_of(&one.command)).collect();
    roots.sort();
    roots.dedup();
    let guarded = GuardOptions { roots, ..GuardOptions::default() };
    let mut guard = Guard::start(&guarded)?;
    let setup = set_up(spec, &mut guard, &mut |what| progress.tell(what)).map_err(explained)?;
    answers::write_down();
    let new = !Store::exists(&options.dir);
    let store = open(&options.dir, &setup.spec)?;
    progress.clear();
    for note in &setup.notes {
        show::to_stderr(format!("howler: note: {note}\n").as_bytes())?;
    }
    introduce(options, &setup, &Earlier::of(&setup, &store)?, new)?;
    let mut labs = vec![lab(guard, &setup.spec)?];
    try_out(&mut labs[0], &setup, &mut progress)?;
    progress.clear();
    while labs.len() < jobs {
        labs.push(lab(Guard::start(&guarded)?, &setup.spec)?);
    }
    asked.begin();
    let until = Until { time: options.time, tests: options.tests, finding: options.until_finding };
    let shard = match options.shard {
        Some((part, of)) => Shard::new(u64::from(part - 1), u64::from(of))?,
        None => Shard::WHOLE,
    };
    let mut display = Display::open(options.plain, options.json, &stop)?;
    let mut failure = None;
    let ended = hunt(&setup, store, shard, until, labs, &stop, &mut |event, status| {
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
    let interrupted = asked.status().filter(|_| !ended_by_itself(&until, &status));
    let new = status.findings().any(|found| found.at.is_some());
    let idle = idle(options, &status).filter(|_| interrupted.is_none() && !new);
    if options.json {
        let value = log::summary_json(&status, idle.as_deref());
        show::to_stdout(format!("{value}\n").as_bytes())?;
    } else {
        show::to_stdout(log::summary(&status).as_bytes())?;
    }
    if let Some(why) = &idle {
        show::to_stderr(format!("howler: {why}\n").as_bytes())?;
    }
    Ok(match (interrupted, new, idle) {
        (Some(code), _, _) => Status::Interrupted(code),
        (None, true, _) => Status::Found,
        (None, false, Some(_)) => Status::Failed,
        (None, false, None) => Status::Fine,
    })
}

/// Why a hunt that found nothing proves nothing.
fn idle(options: &Hunt, status: &howler_campaign::status::Status) -> Option<String> {
    let (done, defined) = (status.tests_done(), status.defined());
    let earlier: u64 = status.arms.values().map(|arm| arm.total - arm.tests).sum();
    let in_time = options.time.is_none_or(|time| status.elapsed < time.as_secs_f64());
    if let Some(least) = options.fail_if_idle.filter(|&least| defined < least) {
        let tests = log::several(done, "test");
        return Some(format!("{defined} of {tests} judged defined, and --fail-if-idle asks for {least}"));
    }
    if done == 0 && earlier > 0 && in_time {
        // Nothing was left to do, and the summary says so.
        return None;
    }
    let none = || "nothing was tested: no test was finished".to_owned();
    let invalid = || format!("nothing was tested: no compiler was given a valid program in {done} tests");
    match (done, status.valid()) {
        (0, _) => Some(none()),
        (_, 0) => Some(invalid()),
        _ => None,
    }
}

/// With what helps, where something does.
fn explained(error: SetupError) -> anyhow::Error {
    let missing = matches!(error, SetupError::Compiler(CompilerError::NotFound(_)));
    let error = anyhow::Error::new(error);
    if missing {
        anyhow::anyhow!("{error}; 'howler doctor' lists the compilers that are there")
    } else {
        error
    }
}

/// Where answers of compilers are kept between hunts.
fn cache() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    Some(cache?.join("howler/compilers"))
}

/// Whether the user's own conditions ended it.
fn ended_by_itself(until: &Until, status: &howler_campaign::status::Status) -> bool {
    let time = until.time.is_some_and(|time| status.elapsed >= time.as_secs_f64());
    let found = until.finding && status.findings().any(|found| found.at.is_some());
    time || found
}

fn lab(guard: Guard, spec: &Spec) -> anyhow::Result<Lab> {
    let mut preprocessor = Preprocessor::find(None)?;
    // Nobody wrote these texts by hand: one that includes a pipe, or whose macros grow without end, is given up soon.
    preprocessor.limits.wall = Duration::from_secs(10);
    preprocessor.limits.output = 32 << 20;
    preprocessor.limits.address_space = Some(2 << 30);
    let mut options = LabOptions::default();
    options.judge.limits.steps = spec.steps;
    // Enough to see that nothing is wrong; what looks wrong is judged again, with more runs.
    options.judge.runs = 2;
    options.trace_volatile = spec.trace_volatile;
    // A busy machine makes wall time longer than processor time.
    options.compile.wall = Duration::from_secs(2 * spec.compile_seconds);
    options.compile.cpu = Duration::from_secs(spec.compile_seconds);
    Ok(Lab::new(guard, preprocessor, options))
}

/// Every compiler must compile the simplest program under guard: a hunt that tests nothing must not look like one that
/// finds nothing.
fn try_out(lab: &mut Lab, setup: &Setup, progress: &mut Progress) -> anyhow::Result<()> {
    let origin = Origin { arm: "try".to_owned(), version: "0".to_owned(), seed: 0, index: 0 };
    // `class` is a name in C alone.
    let case =
        Case::new("test.c", "int main(void) { int class = 0; return class; }\n", setup.spec.std(), origin);
    for configuration in &setup.configurations {
        progress.tell(&format!("trying {}", configuration.name));
        let examined = lab.examine(&case, std::slice::from_ref(configuration))?;
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

/// What a folder has from earlier hunts.
struct Earlier {
    /// Tests of the arms of this hunt.
    tests: u64,
    /// Tests of other arms: other compilers, options, versions.
    others: u64,
    /// Confirmed findings.
    findings: u64,
}

impl Earlier {
    fn of(setup: &Setup, store: &Store) -> anyhow::Result<Earlier> {
        let arms = store.arms()?;
        let ours = |id: Id| setup.arms.iter().any(|arm| arm.row.id() == id);
        let count = |wanted: bool| {
            arms.iter().filter(|known| ours(known.arm.id()) == wanted).map(|known| known.tests).sum()
        };
        let findings = store.findings()?.iter().filter(|finding| finding.status == Sure::Confirmed).count();
        Ok(Earlier { tests: count(true), others: count(false), findings: findings as u64 })
    }
}

/// Says what is about to happen, where there is no screen that shows it.
fn introduce(options: &Hunt, setup: &Setup, earlier: &Earlier, new: bool) -> anyhow::Result<()> {
    let names: Vec<String> = setup.configurations.iter().map(|one| one.name.clone()).collect();
    if options.json {
        let value = json!({
            "event": "begun",
            "version": log::VERSION,
            "howler": env!("CARGO_PKG_VERSION"),
            "folder": options.dir.display().to_string(),
            "seed": setup.spec.seed,
            "std": setup.spec.std,
            "generators": setup.arms.iter().map(|arm| arm.source.name()).collect::<Vec<_>>(),
            "arms": setup.arms.iter().map(|arm| arm.row.line()).collect::<Vec<_>>(),
            "configurations": names,
            "resumed": !new,
            "earlier": {
                "tests": earlier.tests,
                "tests_of_others": earlier.others,
                "findings": earlier.findings,
            },
        });
        return Ok(show::to_stdout(format!("{value}\n").as_bytes())?);
    }
    let sources: Vec<&str> = setup.arms.iter().map(|arm| arm.source.name()).collect();
    let (folder, sources, names) = (options.dir.display(), sources.join(", "), in_few_words(&names));
    let mut text = format!("hunting in {folder} with {sources}: {names}\n");
    let (seed, random) = (setup.spec.seed, options.seed == Some(Seed::Random));
    if new && random {
        text.push_str(&format!("drawn: --seed {seed}, which makes the same tests again in another folder\n"));
    } else if random {
        text.push_str(&format!("the folder was begun with --seed {seed}, and goes on with it\n"));
    }
    if !new {
        let (tests, findings) =
            (log::several(earlier.tests, "test"), log::several(earlier.findings, "finding"));
        text.push_str(&format!("going on: {tests} of this hunt and {findings} are there already"));
        if earlier.others > 0 {
            let others = log::several(earlier.others, "test");
            text.push_str(&format!("; {others} with other compilers, options or versions count apart"));
        }
        text.push('\n');
    }
    Ok(show::to_stdout(text.as_bytes())?)
}
