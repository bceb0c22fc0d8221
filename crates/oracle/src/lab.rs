//! A worker's lab: one guard, one preprocessor, and the question "is this a bug?" asked of real compilers.
//!
//! [`Lab::examine`] is the quick look at a test under many configurations; [`Lab::confirm`] the slow second look at
//! what that gave.

mod build;
mod compare;
mod configuration;
mod confirm;
mod pace;
mod sanitize;
mod text;
mod trace;
mod witness;

pub use configuration::Configuration;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

use howler_case::{Behaviour, Case, Id};
use howler_lang::target::Target;
use howler_toolchain::build::{Recipes, Speed, Way, needs_library};
use howler_toolchain::guard::{Finished, Guard, GuardError, Limits};
use howler_toolchain::preprocess::Preprocessor;

use crate::classify::{Compiled, Ran, ran, run_limit};
use crate::extensions;
use crate::judge::{self, Judged, Judgements, Verdict, Word};
use crate::sighting::{Observed, Sighting, Trial, sift};
use build::{Built, Folder};
use compare::{debug_changes_code, unstable};
use pace::Pace;

/// What a lab allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// For the quick look.
    pub judge: judge::Options,
    /// For each compilation of the quick look.
    pub compile: Limits,
    /// The CPU time that compilers have in any case for a test at a glance.
    pub least: Duration,
    /// For each run; the time is chosen by what the machine says of the program, up to this.
    pub run: Limits,
    /// How many times more time and memory the second look allows.
    pub patience: u32,
    /// How many runs of the machine the second look asks for.
    pub second_runs: u32,
    /// How often the second look repeats.
    pub repeats: u32,
    /// Whether the volatile accesses of programs are traced and compared.
    pub trace_volatile: bool,
}

impl Default for Options {
    fn default() -> Options {
        let compile =
            Limits { wall: Duration::from_secs(60), cpu: Duration::from_secs(20), ..Limits::default() };
        let run = Limits {
            memory: 1 << 30,
            // The standard promises no stack, and a compiler may well make a frame larger than the machine thinks: one
            // that inlines a function into a recursive one does. A program that goes too deep for 8 MiB is no bug.
            stack: 512 << 20,
            file_size: 16 << 20,
            output: 64 << 20,
            processes: 16,
            ..Limits::default()
        };
        Options {
            judge: judge::Options::default(),
            compile,
            least: Duration::from_secs(2),
            run,
            patience: 5,
            second_runs: 5,
            repeats: 3,
            trace_volatile: false,
        }
    }
}

/// Why a lab cannot work. A compiler that fails is no such reason.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The guard does not work.
    #[error(transparent)]
    Guard(#[from] GuardError),
    /// The scratch folder does not.
    #[error("cannot use the scratch folder: {0}")]
    Scratch(#[from] io::Error),
    /// A lab runs a program with one input. [`Case::with_input`] takes one of several.
    #[error("a case with {0} inputs: a lab takes one at a time")]
    Inputs(usize),
    /// No system gives a program such an argument.
    #[error("an argument with a zero byte cannot be given to a program")]
    ZeroByte,
}

/// A worker's lab.
pub struct Lab {
    /// Runs compilers and programs.
    pub guard: Guard,
    /// Makes texts for the machine, and for all compilers alike.
    pub preprocessor: Preprocessor,
    /// What it allows.
    pub options: Options,
    recipes: Recipes,
    pace: Pace,
    /// Compilers that nobody hunts but that are asked, by family; none if there is none.
    witnesses: BTreeMap<&'static str, Option<Configuration>>,
}

/// What a quick look gave.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The verdict for each target.
    pub judgements: Judgements,
    /// What should not be.
    pub sightings: Vec<Sighting>,
    /// Configurations that could not be tried at all, and why: that says nothing about the compiler.
    pub untried: Vec<(String, String)>,
    /// How many compilations there were.
    pub builds: u32,
    /// How many of them were of which configuration.
    pub builds_of: BTreeMap<String, u32>,
    /// How many programs were run: those with the same code count once.
    pub runs: u32,
    /// How many of them each configuration made; the first one that made a code counts.
    pub runs_of: BTreeMap<String, u32>,
    /// What was traced.
    pub traces: Traces,
    /// The CPU time of compilers.
    pub compiler_time: Duration,
    /// The CPU time of compiled programs.
    pub program_time: Duration,
}

/// How much of a test's volatile accesses was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traces {
    /// Programs that were traced.
    pub programs: u32,
    /// Those of them whose trace was compared in part only: the log was full, or had an instruction that is not known.
    pub partial: u32,
    /// Accesses that were compared.
    pub accesses: u64,
}

impl Examined {
    /// The verdict for the first target.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.judgements.targets.values().next().map(|judged| &judged.verdict)
    }

    /// The same in a word.
    pub fn word(&self) -> Word {
        Word::of(self.verdict())
    }

    /// What the preprocessor says of a case that it does not take.
    pub fn unreadable(&self) -> Option<&str> {
        self.judgements.targets.values().find_map(|judged| match &judged.verdict {
            Verdict::Unreadable(why) => Some(why.as_str()),
            _ => None,
        })
    }

    /// Why it is no valid program, if so on every target.
    pub fn invalid(&self) -> Option<&str> {
        let whys: Option<Vec<&str>> = (self.judgements.targets.values())
            .map(|judged| match &judged.verdict {
                Verdict::Unreadable(why) | Verdict::Rejected(why) => Some(why.as_str()),
                _ => None,
            })
            .collect();
        whys?.first().copied()
    }
}

impl Lab {
    /// A lab that works with this guard and this preprocessor.
    pub fn new(guard: Guard, preprocessor: Preprocessor, options: Options) -> Lab {
        Lab {
            guard,
            preprocessor,
            options,
            recipes: Recipes::default(),
            pace: Pace::default(),
            witnesses: BTreeMap::new(),
        }
    }

    /// Compiles and runs a case under all configurations, and says what should not be.
    ///
    /// # Errors
    /// A case with several inputs is refused, as it is by [`Lab::confirm`]; otherwise see [`LabError`].
    pub fn examine(&mut self, case: &Case, configurations: &[Configuration]) -> Result<Examined, LabError> {
        let (judgements, folders) = self.prepare(case, configurations)?;
        let builds = self.build_patiently(case, configurations, &folders)?;
        self.observe(case, configurations, (judgements, folders, builds))
    }

    /// As [`Lab::examine`], if compilers take no longer for the case than for ten ordinary ones of its origin. None if
    /// they do: then it is worth [`Lab::examine`] when there is nothing else to do. What it gives is the same.
    ///
    /// # Errors
    /// As [`Lab::examine`].
    pub fn glance(
        &mut self,
        case: &Case,
        configurations: &[Configuration],
    ) -> Result<Option<Examined>, LabError> {
        let (judgements, folders) = self.prepare(case, configurations)?;
        match self.build_in_time(case, configurations, &folders)? {
            Some(builds) => Ok(Some(self.observe(case, configurations, (judgements, folders, builds))?)),
            None => Ok(None),
        }
    }

    /// As [`Lab::examine`], if the meaning of the case is one of those that are wanted, on a target at least; otherwise no
    /// compiler is started.
    ///
    /// # Errors
    /// As [`Lab::examine`].
    pub fn examine_if(
        &mut self,
        case: &Case,
        configurations: &[Configuration],
        wanted: &dyn Fn(&Verdict) -> bool,
    ) -> Result<Option<Examined>, LabError> {
        let (judgements, folders) = self.prepare(case, configurations)?;
        if !judgements.targets.is_empty()
            && !judgements.targets.values().any(|judged| wanted(&judged.verdict))
        {
            return Ok(None);
        }
        let builds = self.build_patiently(case, configurations, &folders)?;
        self.observe(case, configurations, (judgements, folders, builds)).map(Some)
    }

    /// What the case means, and its files in an empty scratch folder.
    fn prepare(
        &mut self,
        case: &Case,
        configurations: &[Configuration],
    ) -> Result<(Judgements, Vec<Folder>), LabError> {
        can_be_run(case)?;
        let judgements = self.judge(case, configurations);
        self.guard.clear()?;
        let folders = build::lay_out(&self.guard, case, configurations, &judgements)?;
        Ok((judgements, folders))
    }

    /// Runs what was built, and says what should not be.
    fn observe(
        &mut self,
        case: &Case,
        configurations: &[Configuration],
        (judgements, folders, builds): (Judgements, Vec<Folder>, Vec<Built>),
    ) -> Result<Examined, LabError> {
        let made = || {
            let both = configurations.iter().zip(&builds);
            both.filter(|(_, built)| built.made).map(|(configuration, _)| &configuration.name)
        };
        let mut examined = Examined {
            judgements,
            sightings: Vec::new(),
            untried: untried(configurations, &builds),
            builds: u32::try_from(made().count()).unwrap_or(u32::MAX),
            builds_of: made().map(|name| (name.clone(), 1)).collect(),
            runs: 0,
            runs_of: BTreeMap::new(),
            traces: Traces::default(),
            compiler_time: builds.iter().map(|built| built.cpu).sum(),
            program_time: Duration::ZERO,
        };
        let ran = self.run_each(case, configurations, &builds, &folders, &mut examined)?;
        let mut trials = Vec::new();
        for (((configuration, built), folder), run) in
            configurations.iter().zip(&builds).zip(&folders).zip(ran)
        {
            let judged = judged(&examined.judgements, case, configuration);
            let mut known = trial(case, configuration, built, judged.as_ref(), run.as_ref());
            if built.way != Way::Plain && matches!(known.run, Some(Observed::Judged(Ran::Wrong(_)))) {
                // Perhaps it is our shortcut that is wrong. The driver has the last word.
                let one = (std::slice::from_ref(configuration), std::slice::from_ref(folder));
                let plain = self.build_all(case, one.0, one.1, ("plain", Speed::Plain))?;
                let runs = self.run_each(case, one.0, &plain, one.1, &mut examined)?;
                if let (Some(built), Some(run)) = (plain.first(), runs.first()) {
                    known = trial(case, configuration, built, judged.as_ref(), run.as_ref());
                }
            }
            trials.push(known);
        }
        if self.options.trace_volatile {
            self.trace_each(case, (configurations, &builds, &folders), &mut examined, &mut trials)?;
        }
        self.forget_other_texts(case, (configurations, &folders), &examined.judgements, &mut trials)?;
        let mut known = BTreeMap::new();
        let preprocessor = &self.preprocessor;
        let plain = &mut |family: &str| {
            *known
                .entry(family.to_owned())
                .or_insert_with(|| is_plain(preprocessor, case, configurations, family))
        };
        // The sanitizers are asked only if compilers disagree, so the closure has the guard to itself.
        let guard = &mut self.guard;
        let mut failure = None;
        let clean = &mut || match sanitize::is_clean(guard, case, configurations, &folders) {
            Ok(clean) => clean,
            Err(error) => {
                failure = Some(error);
                false
            }
        };
        examined.sightings = sift(&trials, plain, clean);
        if let Some(error) = failure {
            return Err(error);
        }
        examined.sightings.extend(debug_changes_code(configurations, &builds));
        if case.id().bytes()[0].is_multiple_of(STABILITY) {
            // What has no code has none to compare, and may take for ever. Some input is another one each time.
            let ((configurations, folders), builds): ((Vec<Configuration>, Vec<Folder>), Vec<Built>) =
                (configurations.iter().cloned().zip(folders))
                    .zip(builds)
                    .filter(|((configuration, folder), built)| {
                        built.loaded.is_some() && text::is_steady(configuration, case, folder.text)
                    })
                    .unzip();
            let again = self.build_all(case, &configurations, &folders, ("again", Speed::Fast))?;
            examined.compiler_time += again.iter().map(|built| built.cpu).sum::<Duration>();
            examined.sightings.extend(unstable(&configurations, &builds, &again));
        }
        examined.sightings.sort();
        Ok(examined)
    }

    fn build_all(
        &mut self,
        case: &Case,
        configurations: &[Configuration],
        folders: &[Folder],
        how: (&str, Speed),
    ) -> Result<Vec<Built>, LabError> {
        let limits = vec![self.options.compile; configurations.len()];
        let tools = (&mut self.guard, &mut self.recipes);
        build::all(tools, case, configurations, folders, &limits, how)
    }

    /// What the case expects, or else what the machine says.
    fn judge(&self, case: &Case, configurations: &[Configuration]) -> Judgements {
        let mut targets: Vec<Target> =
            configurations.iter().flat_map(|known| known.targets_for(case)).collect();
        targets.sort();
        targets.dedup();
        // Who made the case knows no trace.
        let wanted = |target: &Target| self.options.trace_volatile || case.expected_on(*target).is_none();
        let unknown: Vec<Target> = targets.iter().copied().filter(wanted).collect();
        let mut judgements = judge::judge(&self.preprocessor, case, &unknown, &self.options.judge);
        for target in targets {
            if let Some(behaviour) = case.expected_on(target) {
                let agrees = |judged: &Judged| match &judged.verdict {
                    Verdict::Defined(known) => {
                        (known.end, &known.output) == (behaviour.end, &behaviour.output)
                    }
                    _ => false,
                };
                if judgements.targets.get(&target).is_some_and(agrees) {
                    continue;
                }
                judge::prepare_known(&self.preprocessor, case, target, &mut judgements);
                let judged = Judged {
                    verdict: Verdict::Defined(behaviour.clone()),
                    steps: self.options.judge.limits.steps,
                    traced: Vec::new(),
                    caveats: Vec::new(),
                };
                judgements.targets.insert(target, judged);
            }
        }
        judgements
    }

    /// Runs what was built, each code once for each target.
    fn run_each(
        &mut self,
        case: &Case,
        configurations: &[Configuration],
        builds: &[Built],
        folders: &[Folder],
        examined: &mut Examined,
    ) -> Result<Vec<Option<Finished>>, LabError> {
        let mut jobs = Vec::new();
        let mut places: BTreeMap<RunKey<'_>, usize> = BTreeMap::new();
        let mut chosen = Vec::new();
        let limit = examined.judgements.targets.values().map(|judged| run_limit(judged.steps)).max();
        let limits = build::run_limits(&self.options.run, limit.unwrap_or(Duration::from_secs(5)));
        for (index, ((configuration, built), folder)) in
            configurations.iter().zip(builds).zip(folders).enumerate()
        {
            let wanted =
                built.compiled == Compiled::Built && build::can_run(configuration) && folder.worth_running;
            if !wanted {
                chosen.push(None);
                continue;
            }
            let runner =
                configuration.configured.compiler.runner.as_ref().and_then(|runner| runner.program.to_str());
            // The same program may find another library there.
            let root = configuration.configured.compiler.root.as_deref();
            // Without sections to compare it is like no other.
            let unique = if built.loaded.is_some() { usize::MAX } else { index };
            let place = *places.entry((built.loaded, runner, root, unique)).or_insert_with(|| {
                jobs.push(vec![build::run_job(case.input(), configuration, built, &limits)]);
                *examined.runs_of.entry(configuration.name.clone()).or_default() += 1;
                jobs.len() - 1
            });
            chosen.push(Some(place));
        }
        examined.runs += u32::try_from(jobs.len()).unwrap_or(u32::MAX);
        let mut finished = if jobs.is_empty() { Vec::new() } else { self.guard.batch(jobs)? };
        examined.program_time += finished.iter().flatten().map(|finished| finished.cpu).sum::<Duration>();
        // What our small runtime has not, the real library has.
        for (index, place) in chosen.iter().enumerate() {
            let Some(place) = *place else { continue };
            if finished[place].last().is_some_and(needs_library) {
                let one = (&configurations[index..=index], &folders[index..=index]);
                let plain = self.build_all(case, one.0, one.1, ("plain", Speed::Plain))?;
                if let Some(built) = plain.first().filter(|built| built.compiled == Compiled::Built) {
                    finished[place] =
                        vec![self.guard.run(&build::run_job(case.input(), &one.0[0], built, &limits))?];
                }
            }
        }
        let result = |place: Option<usize>| place.and_then(|place| finished.get(place)?.last().cloned());
        Ok(chosen.into_iter().map(result).collect())
    }
}

/// Whether a case has the one input that it is run with here.
fn can_be_run(case: &Case) -> Result<(), LabError> {
    let [input] = &case.inputs[..] else { return Err(LabError::Inputs(case.inputs.len())) };
    let zero = input.arguments.iter().any(|argument| argument.contains('\0'));
    if zero { Err(LabError::ZeroByte) } else { Ok(()) }
}

/// What the program means to a configuration. A text that compilers preprocess themselves has this meaning only if their
/// preprocessors read it alike, which is asked once something is seen: `forget_other_texts`.
fn judged(judgements: &Judgements, case: &Case, configuration: &Configuration) -> Option<Judged> {
    let target = configuration.target_for(case)?;
    let judged = judgements.targets.get(&target)?.clone();
    for other in configuration.targets_for(case).iter().filter_map(|target| judgements.targets.get(target)) {
        let (Verdict::Defined(one), Verdict::Defined(two)) = (&judged.verdict, &other.verdict) else {
            // The one that is not defined decides.
            let defined = matches!(judged.verdict, Verdict::Defined(_));
            return Some(if defined { other.clone() } else { judged });
        };
        if (one.end, &one.output) != (two.end, &two.output) {
            let why = "gcc and clang read the text differently".to_owned();
            return Some(Judged { verdict: Verdict::Unspecified(why), ..judged });
        }
    }
    Some(judged)
}

fn trial(
    case: &Case,
    configuration: &Configuration,
    built: &Built,
    judged: Option<&Judged>,
    run: Option<&Finished>,
) -> Trial {
    let verdict = judged.map(|judged| judged.verdict.clone());
    let observed = run.and_then(|finished| match &verdict {
        Some(Verdict::Defined(behaviour)) => Some(Observed::Judged(ran(behaviour, finished))),
        Some(Verdict::Unsupported(_)) => vote(finished).map(Observed::Vote),
        _ => None,
    });
    // Assembly that the program itself brings is its own fault.
    let compiled = match &built.compiled {
        Compiled::Broken(what) if what.starts_with("invalid assembly") && mentions_asm(case) => {
            Compiled::Untried(what.clone())
        }
        compiled => compiled.clone(),
    };
    Trial {
        configuration: configuration.name.clone(),
        compiler: configuration.configured.compiler.name.clone(),
        family: configuration.family().to_owned(),
        verdict,
        compiled: (built.stage, compiled),
        run: observed,
    }
}

/// By what runs are the same: code, emulator, root, and a number for code that cannot be compared.
type RunKey<'a> = (Option<Id>, Option<&'a str>, Option<&'a Path>, usize);

fn mentions_asm(case: &Case) -> bool {
    case.files.iter().any(|file| file.text.windows(3).any(|word| word == b"asm"))
}

fn untried(configurations: &[Configuration], builds: &[Built]) -> Vec<(String, String)> {
    let why = |(configuration, built): (&Configuration, &Built)| match &built.compiled {
        Compiled::Untried(why) if ![AFTER_HANG, build::UNTRAINED].contains(&why.as_str()) => {
            Some((configuration.name.clone(), why.clone()))
        }
        Compiled::Policy(said) => {
            let error = crate::signature::error_text(said).unwrap_or_default();
            Some((configuration.name.clone(), format!("it makes an error of a warning: {error}")))
        }
        _ => None,
    };
    configurations.iter().zip(builds).filter_map(why).collect()
}

/// Why a configuration was not looked at that could have been tried.
const AFTER_HANG: &str = "it does not end under another configuration";

/// What a run did in a form that can be compared; none if it was stopped, which is no vote.
fn vote(finished: &Finished) -> Option<String> {
    let output = Id::of(&finished.stdout);
    finished.why.is_none().then(|| format!("{} {output}", finished.end))
}

/// Whether a family must take the program: gcc and clang claim C17, others no more than C99 here.
fn is_plain(
    preprocessor: &Preprocessor,
    case: &Case,
    configurations: &[Configuration],
    family: &str,
) -> bool {
    let target = configurations
        .iter()
        .filter(|known| known.family() == family)
        .find_map(|known| known.target_for(case));
    let Some(target) = target else { return false };
    let used = extensions::of_case(preprocessor, case, target);
    match family {
        "gcc" | "clang" => extensions::is_plain(&used),
        _ => extensions::is_plain_c99(&used),
    }
}

/// One test in so many is built twice, to see whether the compilers give the same code both times.
const STABILITY: u8 = 16;

/// What a program must do, if that is known.
fn behaviour(judged: Option<&Judged>) -> Option<&Behaviour> {
    match &judged?.verdict {
        Verdict::Defined(behaviour) => Some(behaviour),
        _ => None,
    }
}

/// Whether a run did something else.
fn is_wrong(behaviour: &Behaviour, finished: &Finished) -> bool {
    matches!(ran(behaviour, finished), Ran::Wrong(_))
}
