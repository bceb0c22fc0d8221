//! The second look: plain driver, fresh folder, several times, with patience; and the machine is asked again.

use std::path::{Path, PathBuf};

use howler_case::{Case, File, Status};
use howler_toolchain::build::{Speed, Way};
use howler_toolchain::compiler::Family;
use howler_toolchain::guard::{End, Excess, Finished, Limits};

use crate::classify::{Compiled, Ran, Stage, bounded, compiled, ran, run_limit};
use crate::elf;
use crate::finding::{Attempt, Finding, KEPT};
use crate::judge::{self, Judged, Judgements, Verdict, Word};
use crate::lab::build::{self, Built, Folder, Text};
use crate::lab::trace::Trace;
use crate::lab::witness::is_disputed;
use crate::lab::{
    Configuration, Lab, LabError, behaviour, can_be_run, debug_changes_code, is_wrong, judged, sanitize, text,
};
use crate::repro::{Claim, PROGRAM, mark_of};
use crate::sighting::{Kind, Sighting};
use crate::signature;
use crate::steady::steady;

/// One compilation, and a run if there is something to run.
pub(super) struct Seen {
    pub(super) compiled: Compiled,
    compiler: Finished,
    built: Built,
    pub(super) run: Option<Finished>,
    /// The traced run, if the plain one is right and there is something to trace.
    traced: Option<Trace>,
    args: Vec<String>,
}

impl Seen {
    /// The traced run, if that is what shows.
    fn trace(&self) -> Option<(&Trace, &str)> {
        let traced = self.traced.as_ref()?;
        Some((traced, traced.compared.difference.as_deref()?))
    }
}

impl Lab {
    /// Looks again at a sighting of this case. The configurations are those of the test; only those that the sighting
    /// names are tried, and those that show it every time stay in the finding.
    pub fn confirm(
        &mut self,
        case: &Case,
        sighting: &Sighting,
        configurations: &[Configuration],
    ) -> Result<Finding, LabError> {
        can_be_run(case)?;
        let named = |known: &&Configuration| sighting.configurations.contains(&known.name);
        let named: Vec<Configuration> = configurations.iter().filter(named).cloned().collect();
        let judgements = self.judge_again(case, &named);
        let mut finding = Finding {
            status: Status::Flaky,
            sighting: Sighting { configurations: Vec::new(), ..sighting.clone() },
            case: case.clone(),
            files: Vec::new(),
            original: Vec::new(),
            beside: Vec::new(),
            attempts: Vec::new(),
            expected: None,
            claim: None,
            witnesses: Vec::new(),
            notes: Vec::new(),
        };
        // A stranger would rather compile what the case is made of than what a preprocessor made of it.
        for text in [Text::Original, Text::Prepared] {
            for configuration in &named {
                // Waiting for what does not end is dear, and once is enough: the others did not end at the first look.
                let known = finding.sighting.kind == Kind::Hang && !finding.attempts.is_empty();
                if known {
                    finding.notes.push(format!("{configuration}: did not end either, not waited for again"));
                } else {
                    self.look(&mut finding, (case, &judgements), configuration, configurations, text)?;
                }
            }
            // Who takes the program as it was written takes it.
            let taken = sighting.kind == Kind::Reject && build::is_portable(case);
            if !finding.attempts.is_empty() || taken {
                break;
            }
        }
        if finding.attempts.is_empty() {
            finding.notes.push("it did not show again".to_owned());
            finding.files = case.files.clone();
            return Ok(finding);
        }
        finding.status = if sighting.suspect { Status::Suspect } else { Status::Confirmed };
        if sighting.kind == Kind::WrongCode {
            self.add_sanitizers(&mut finding, case, &judgements, configurations)?;
        }
        if matches!(sighting.kind, Kind::WrongCode | Kind::Reject) {
            self.add_witnesses(&mut finding, case, &judgements, configurations)?;
            if finding.status == Status::Confirmed && is_disputed(&finding) {
                finding.status = Status::Disputed;
            }
        }
        Ok(finding)
    }

    /// More runs than at first, and more steps. What the case expects does not count any more.
    pub(super) fn judge_again(&self, case: &Case, named: &[Configuration]) -> Judgements {
        let mut targets: Vec<_> = named.iter().flat_map(|known| known.targets_for(case)).collect();
        targets.sort();
        targets.dedup();
        let mut options = judge::Options { runs: self.options.second_runs, ..self.options.judge };
        options.limits.steps = options.limits.steps.saturating_mul(u64::from(self.options.patience));
        judge::judge(&self.preprocessor, case, &targets, &options)
    }

    /// Tries one configuration with one text, and adds it to the finding if the bug shows every time.
    fn look(
        &mut self,
        finding: &mut Finding,
        (case, judgements): (&Case, &Judgements),
        configuration: &Configuration,
        all: &[Configuration],
        text: Text,
    ) -> Result<(), LabError> {
        let target = configuration.target_for(case);
        let judged = judged(judgements, case, configuration);
        let judged = judged.as_ref();
        let prepared = target.and_then(|target| judgements.prepared(target));
        let files: &[File] = match (text, prepared) {
            (Text::Original, _) => &case.files,
            (Text::Prepared, Some(prepared)) if prepared.files != case.files => &prepared.files,
            (Text::Prepared, _) => return Ok(()),
        };
        let kind = finding.sighting.kind;
        let needs_meaning = matches!(kind, Kind::WrongCode | Kind::Reject);
        let is_judged = match (text, kind, prepared) {
            (Text::Original, Kind::WrongCode, Some(prepared)) => {
                self.reads_what_was_judged(case, configuration, prepared)?
            }
            (Text::Original, Kind::Reject, _) => build::is_portable(case),
            _ => true,
        };
        if !is_judged {
            return Ok(());
        }
        let verdict = judged.map(|judged| &judged.verdict);
        let known = match verdict {
            Some(Verdict::Defined(_)) => !finding.sighting.suspect,
            Some(Verdict::Unsupported(_)) => finding.sighting.suspect,
            _ => false,
        };
        if needs_meaning && !known {
            let note = format!("judged again: {}", Word::of(verdict));
            if !finding.notes.contains(&note) {
                finding.notes.push(note);
            }
            return Ok(());
        }
        let mut times: Vec<Seen> = Vec::new();
        let mut always = true;
        let seen_first = finding.sighting.clone();
        loop {
            let seen = self.once(case, configuration, files, judged, finding.sighting.kind)?;
            if times.is_empty() && finding.attempts.is_empty() {
                starved(&mut finding.sighting, configuration.family(), &seen.compiled);
            }
            always &= self.shows(finding, &seen, judged, (case, configuration, all, files))?;
            times.push(seen);
            // A compiler that has not ended in several times its time once has been waited for long enough.
            let hangs = finding.sighting.kind == Kind::Hang;
            if times.len() >= if hangs { 1 } else { self.options.repeats.max(2) as usize } {
                break;
            }
        }
        if !always {
            finding.sighting = seen_first;
        }
        let Some(last) = times.pop() else { return Ok(()) };
        let differs = |other: &Seen| {
            let both = other.built.loaded.is_some() && last.built.loaded.is_some();
            both && other.built.loaded != last.built.loaded
        };
        let unstable = text::is_steady(configuration, case, text) && times.iter().any(differs);
        if unstable && !always {
            // Whatever was seen, this is what can be shown.
            finding.sighting.kind = Kind::Unstable;
        }
        let kind = finding.sighting.kind;
        if kind == Kind::Unstable && !unstable || kind != Kind::Unstable && !always {
            return Ok(());
        }
        if unstable {
            finding.notes.push(format!("{configuration}: other code each time"));
        }
        if finding.attempts.is_empty() {
            finding.files = files.to_vec();
            finding.expected = behaviour(judged).cloned();
            finding.claim = self.claim(configuration, kind, &last, judged);
            if let Some((traced, _)) = last.trace() {
                finding.beside = traced.files();
            }
        }
        if let Some((_, difference)) = last.trace() {
            finding.notes.push(format!("{configuration}: volatile accesses differ: {difference}"));
        }
        finding.sighting.configurations.push(configuration.name.clone());
        finding.attempts.push(attempt(case, configuration, &last, &times));
        Ok(())
    }

    /// One compilation in an empty scratch folder, and a run.
    pub(super) fn once(
        &mut self,
        case: &Case,
        configuration: &Configuration,
        files: &[File],
        judged: Option<&Judged>,
        kind: Kind,
    ) -> Result<Seen, LabError> {
        self.guard.clear()?;
        build::write(&self.guard, Path::new("text0"), files)?;
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        let folder = Folder { path: "text0".into(), text: Text::Original, files: names, worth_running: true };
        let limits = patient(&self.options.compile, self.options.patience);
        let args = build::arguments(configuration, case, &folder.files, "program");
        let (mut compiler, program) = if configuration.has("-fprofile-use") {
            let tools = (&mut self.guard, &mut self.recipes);
            let one = std::slice::from_ref(configuration);
            let how = ("program", Speed::Plain);
            let mut built = build::all(tools, case, one, std::slice::from_ref(&folder), &[limits], how)?;
            let done = built.pop().map_or(Compiled::Untried(String::new()), |built| built.compiled);
            (stand_in(&done), PathBuf::from("text0/program0"))
        } else {
            let job = build::compile_job(configuration, &args, &folder.path, &limits);
            (self.guard.run(&job)?, PathBuf::from("text0/program"))
        };
        compiler.stderr = bounded(compiler.stderr);
        let bytes = self.guard.read(&program);
        let compiled = compiled(Stage::Driver, &compiler, bytes.is_some());
        let bytes = bytes.filter(|_| compiled == Compiled::Built);
        let built = Built {
            made: true,
            compiled: compiled.clone(),
            stage: Stage::Driver,
            way: Way::Plain,
            program,
            loaded: bytes.as_deref().and_then(elf::loaded),
            code: bytes.as_deref().and_then(elf::code),
            cpu: compiler.cpu,
        };
        let runs = kind == Kind::WrongCode && compiled == Compiled::Built && build::can_run(configuration);
        let run = if runs {
            let time =
                run_limit(judged.map_or(0, |judged| judged.steps)).saturating_mul(self.options.patience);
            let limits = build::run_limits(&patient(&self.options.run, self.options.patience), time);
            Some(self.guard.run(&build::run_job(case.input(), configuration, &built, &limits))?)
        } else {
            None
        };
        let traced = match (&run, judged) {
            (Some(run), Some(judged)) if self.options.trace_volatile && is_right(judged, run) => {
                self.trace(case, configuration, (&folder, Path::new("trace")), judged)?
            }
            _ => None,
        };
        Ok(Seen { compiled, compiler, built, run, traced, args })
    }

    /// Whether what was seen is what the sighting says.
    fn shows(
        &mut self,
        finding: &Finding,
        seen: &Seen,
        judged: Option<&Judged>,
        (case, configuration, all, files): (&Case, &Configuration, &[Configuration], &[File]),
    ) -> Result<bool, LabError> {
        let sighting = &finding.sighting;
        let family = configuration.family();
        Ok(match (sighting.kind, &seen.compiled) {
            (Kind::Crash, Compiled::Crash(text)) => signature::crash(family, text) == sighting.signature,
            (Kind::Hang, Compiled::Hang) | (Kind::Memory, Compiled::Memory) => true,
            (Kind::Broken, Compiled::Broken(what)) => signature::broken(family, what) == sighting.signature,
            (Kind::Reject, Compiled::Reject(text)) => signature::reject(family, text) == sighting.signature,
            (Kind::DebugChangesCode, Compiled::Reject(text)) => text.contains("-fcompare-debug"),
            (Kind::DebugChangesCode, Compiled::Built) => {
                let mut plain = configuration.clone();
                plain.configured.flags.retain(|flag| flag != "-g");
                plain.name = plain.configured.to_string();
                let other = self.once(case, &plain, files, judged, sighting.kind)?;
                let pair = [configuration.clone(), plain];
                !debug_changes_code(&pair, &[seen.built.clone(), other.built]).is_empty()
            }
            (Kind::WrongCode, Compiled::Built) => match (&seen.run, judged.map(|judged| &judged.verdict)) {
                (Some(run), Some(Verdict::Defined(behaviour))) => {
                    is_wrong(behaviour, run) || seen.trace().is_some()
                }
                (Some(run), Some(Verdict::Unsupported(_))) => self.is_outvoted(case, files, all, run)?,
                _ => false,
            },
            (Kind::Unstable, Compiled::Built) => true,
            _ => false,
        })
    }

    /// Whether most other configurations agree on something else.
    fn is_outvoted(
        &mut self,
        case: &Case,
        files: &[File],
        all: &[Configuration],
        run: &Finished,
    ) -> Result<bool, LabError> {
        let (mut with, mut against) = (0, 0);
        for other in all.iter().filter(|other| other.target.is_some()) {
            let seen = self.once(case, other, files, None, Kind::WrongCode)?;
            match seen.run {
                Some(theirs) if (&theirs.end, &theirs.stdout) == (&run.end, &run.stdout) => with += 1,
                Some(_) => against += 1,
                None => {}
            }
        }
        Ok(against > with)
    }

    /// What a script has to show.
    fn claim(
        &self,
        configuration: &Configuration,
        kind: Kind,
        seen: &Seen,
        judged: Option<&Judged>,
    ) -> Option<Claim> {
        let limits = patient(&self.options.compile, self.options.patience);
        let stderr = String::from_utf8_lossy(&seen.compiler.stderr);
        Some(match (kind, &seen.compiled) {
            (Kind::Crash | Kind::Reject, _) => Claim::Says(mark_of(&stderr)),
            (Kind::DebugChangesCode, Compiled::Reject(_)) => Claim::Says(mark_of(&stderr)),
            (Kind::Hang, _) => Claim::DoesNotEnd(limits.cpu.as_secs().max(1)),
            (Kind::Memory, _) => Claim::NeedsMemory(limits.memory >> 10),
            (Kind::Broken, _) => match seen.compiler.end {
                End::Exited(status) if seen.compiler.why.is_none() => {
                    let output = self.guard.scratch().join("text0/program").exists();
                    match mark_of(&stderr) {
                        Some(mark) if status != 0 => Claim::Says(Some(mark)),
                        _ => Claim::Ends { status, output },
                    }
                }
                _ => Claim::DoesNotEnd(limits.cpu.as_secs().max(1)),
            },
            (Kind::WrongCode, _) => {
                let judged = judged?;
                let seconds = run_limit(judged.steps).saturating_mul(self.options.patience).as_secs().max(1);
                if let Some((traced, _)) = seen.trace() {
                    return traced.shows_in_script().then_some(Claim::Accesses(seconds + 20));
                }
                Claim::Misbehaves(behaviour(Some(judged))?.clone(), seconds)
            }
            (Kind::Unstable, _) => Claim::Varies,
            (Kind::DebugChangesCode, _) => {
                let without: Vec<String> = seen.args.iter().filter(|arg| *arg != "-g").cloned().collect();
                Claim::CodeDiffers(build::command_line(configuration, &without))
            }
        })
    }

    /// What sanitizers say of the program, for each family that has them: nothing, if all is well.
    fn add_sanitizers(
        &mut self,
        finding: &mut Finding,
        case: &Case,
        judgements: &Judgements,
        configurations: &[Configuration],
    ) -> Result<(), LabError> {
        for family in [Family::Gcc, Family::Clang] {
            let of_family =
                |known: &&Configuration| known.configured.compiler.family == family && known.target.is_some();
            let Some(configuration) = configurations.iter().find(of_family) else { continue };
            let Some(target) = configuration.target_for(case) else { continue };
            self.guard.clear()?;
            build::write(&self.guard, Path::new("text0"), &finding.files)?;
            let files = finding.files.iter().map(|file| file.name.clone()).collect();
            let folder = Folder { path: "text0".into(), text: Text::Original, files, worth_running: true };
            let sanitized = sanitize::run(&mut self.guard, case, configuration, &folder)?;
            let mut note = sanitize::note(&sanitized, target);
            let judged = judgements.targets.get(&target);
            if let (Some(run), Some(expected)) = (&sanitized.run, behaviour(judged)) {
                let agrees = if is_wrong(expected, run) { "another result" } else { "the machine's result" };
                note = format!("{note}, {agrees}");
            }
            finding.notes.push(note);
            // The machine knows better, but whoever reads the report would ask.
            if sanitized.objects() {
                finding.status = Status::Suspect;
            }
        }
        Ok(())
    }
}

/// Running out of time and running out of memory are one family: with more of both, the other may be what ends. The
/// second look has the last word.
fn starved(sighting: &mut Sighting, family: &str, compiled: &Compiled) {
    let stage = sighting.signature.text().to_owned();
    match (sighting.kind, compiled) {
        (Kind::Hang, Compiled::Memory) => {
            sighting.kind = Kind::Memory;
            sighting.signature = signature::memory(family, &stage);
            sighting.detail = format!("{stage} takes too much memory");
        }
        (Kind::Memory, Compiled::Hang) => {
            sighting.kind = Kind::Hang;
            sighting.signature = signature::hang(family, &stage);
            sighting.detail = format!("{stage} does not end");
        }
        _ => {}
    }
}

/// Whether a run did what it must.
fn is_right(judged: &Judged, finished: &Finished) -> bool {
    behaviour(Some(judged)).is_some_and(|expected| ran(expected, finished) == Ran::Right)
}

fn patient(limits: &Limits, patience: u32) -> Limits {
    Limits {
        wall: limits.wall.saturating_mul(patience),
        cpu: limits.cpu.saturating_mul(patience),
        memory: limits.memory.saturating_mul(2),
        ..*limits
    }
}

/// What a chain of jobs amounts to, as if one job had done it.
fn stand_in(done: &Compiled) -> Finished {
    let (end, text) = match done {
        Compiled::Built => (End::Exited(0), String::new()),
        Compiled::Crash(text) | Compiled::Reject(text) => (End::Exited(1), text.clone()),
        other => (End::Exited(1), format!("error: {other:?}")),
    };
    let why = match done {
        Compiled::Hang => Some(Excess::Cpu),
        Compiled::Memory => Some(Excess::Memory),
        _ => None,
    };
    Finished {
        end,
        why,
        stdout: Vec::new(),
        stderr: text.into_bytes(),
        wall: std::time::Duration::ZERO,
        cpu: std::time::Duration::ZERO,
        peak_rss: 0,
        orphans: 0,
    }
}

/// What a configuration did, in words that are the same wherever and whenever it is done: which of two limits on time
/// was the first depends on how busy a machine is, and what wrong code does may depend on where it lies in memory.
fn attempt(case: &Case, configuration: &Configuration, seen: &Seen, others: &[Seen]) -> Attempt {
    let cut = |bytes: &[u8]| bytes[..bytes.len().min(KEPT)].to_vec();
    let end = |finished: &Finished| match finished.why {
        Some(Excess::Wall | Excess::Cpu) => "stopped at its limit: time".to_owned(),
        Some(why) => format!("stopped at its limit: {}", why.name()),
        None => finished.end.to_string(),
    };
    let said = |one: &Seen| one.run.as_ref().map(|run| (end(run), cut(&run.stdout)));
    let varies = others.iter().any(|other| said(other) != said(seen));
    let (program_end, output) = match said(seen) {
        Some(_) if varies => (Some("not the same each time".to_owned()), Vec::new()),
        Some((end, output)) => (Some(end), output),
        None => (None, Vec::new()),
    };
    let compiler = &configuration.configured.compiler;
    Attempt {
        configuration: configuration.name.clone(),
        version: format!("{} {} ({})", compiler.name, compiler.version, compiler.triple),
        command: build::whole_command(
            case.input(),
            configuration,
            seen.trace().map_or(&seen.args, |(traced, _)| &traced.args),
        ),
        compiler_end: end(&seen.compiler),
        messages: cut(&steady(&seen.compiler.stderr)),
        program_end,
        output,
    }
}

/// The scripts run what the command lines here write.
const _: () = assert!(matches!(PROGRAM.as_bytes(), b"./program"));
