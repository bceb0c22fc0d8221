//! Builds and runs of traced programs: the driver, the tracer beside the program's files, a linker script.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use howler_case::{Case, File, Id};
use howler_lang::target::Arch;
use howler_toolchain::compiler::Family;
use howler_toolchain::guard::{Job, Limits};
use howler_toolchain::trace as tracer;

use crate::classify::{Difference, Ran, ran, run_limit};
use crate::elf;
use crate::judge::Judged;
use crate::lab::build::{self, Built, Folder};
use crate::lab::{Configuration, Examined, Lab, LabError, behaviour, judged};
use crate::sighting::{Observed, Trial};
use crate::trace::{self, Compared, Traced};

/// The tracer's name in a folder.
const TRACER: &str = "howler-trace.s";
/// The linker script's.
const SCRIPT: &str = "howler-trace.ld";
/// What a few thousand faults may take beyond the program itself.
const MORE: Duration = Duration::from_secs(20);

/// A traced run.
pub(super) struct Trace {
    /// The arguments of the driver.
    pub(super) args: Vec<String>,
    /// The objects that are in place.
    pub(super) objects: Vec<(u64, Traced)>,
    pub(super) compared: Compared,
    /// Whether the log was full.
    pub(super) full: bool,
    script: String,
    compile_time: Duration,
    run_time: Duration,
}

impl Trace {
    /// The files that the command line needs beside the program's, and what was expected and came.
    pub(super) fn files(&self) -> Vec<File> {
        let map = |(offset, one): &(u64, Traced)| {
            let width = if one.address { 0 } else { one.element };
            format!("{offset} {} {width} {}\n", one.size, one.name)
        };
        let file = |name: &str, text: String| File { name: name.to_owned(), text: text.into_bytes() };
        vec![
            file(TRACER, tracer::TRACER.to_owned()),
            file(SCRIPT, self.script.clone()),
            file("howler-trace.map", self.objects.iter().map(map).collect()),
            file("expected-trace.txt", self.compared.expected.clone()),
            file("trace.txt", self.compared.came.clone()),
            file("expected-log.txt", trace::for_script(&self.compared.expected, &self.objects)),
        ]
    }

    /// Whether a script without knowledge of instructions can show the difference.
    pub(super) fn shows_in_script(&self) -> bool {
        let text = |lines: &str| trace::for_script(lines, &self.objects);
        !self.full && text(&self.compared.expected) != text(&self.compared.came)
    }
}

impl Lab {
    /// Traces each code once, where the plain run was right, and enters what differs in the trials.
    pub(super) fn trace_each(
        &mut self,
        case: &Case,
        (configurations, builds, folders): (&[Configuration], &[Built], &[Folder]),
        examined: &mut Examined,
        trials: &mut [Trial],
    ) -> Result<(), LabError> {
        let mut known: BTreeMap<(Id, String), Option<String>> = BTreeMap::new();
        for (index, trial) in trials.iter_mut().enumerate() {
            let (configuration, folder) = (&configurations[index], &folders[index]);
            let judged = judged(&examined.judgements, case, configuration);
            let right = matches!(trial.run, Some(Observed::Judged(Ran::Right)));
            let (Some(judged), true) = (judged, right) else { continue };
            let compiler = configuration.configured.compiler.name.clone();
            let key = builds[index].loaded.map(|loaded| (loaded, compiler));
            let difference = match key.as_ref().and_then(|key| known.get(key)) {
                Some(difference) => difference.clone(),
                None => {
                    let place = PathBuf::from(format!("trace{index}"));
                    let traced = self.trace(case, configuration, (folder, &place), &judged)?;
                    if let Some(traced) = &traced {
                        examined.builds += 1;
                        examined.runs += 1;
                        *examined.runs_of.entry(configuration.name.clone()).or_default() += 1;
                        examined.traces.programs += 1;
                        examined.traces.partial += u32::from(!traced.compared.whole);
                        examined.traces.accesses += traced.compared.count as u64;
                        examined.compiler_time += traced.compile_time;
                        examined.program_time += traced.run_time;
                    }
                    let difference = traced.and_then(|traced| traced.compared.difference);
                    if let Some(key) = key {
                        known.insert(key, difference.clone());
                    }
                    difference
                }
            };
            if let Some(difference) = difference {
                trial.run = Some(Observed::Judged(Ran::Wrong(Difference::Trace(difference))));
            }
        }
        Ok(())
    }

    /// Builds a case so that it logs its volatile accesses, and runs it in a folder of its own; none if that cannot be
    /// done, or if the program does something else then.
    pub(super) fn trace(
        &mut self,
        case: &Case,
        configuration: &Configuration,
        (folder, place): (&Folder, &Path),
        judged: &Judged,
    ) -> Result<Option<Trace>, LabError> {
        let Some(behaviour) = behaviour(Some(judged)) else { return Ok(None) };
        let Some(expected) = &behaviour.trace else { return Ok(None) };
        let objects = &judged.traced;
        let accessed = |one: &Traced| expected.iter().any(|access| access.object == one.name);
        if !is_traceable(configuration, case) || !objects.iter().any(accessed) {
            return Ok(None);
        }
        let script = trace::script(objects);
        if !build::copy(&self.guard, &folder.path, place, &folder.files) {
            return Ok(None);
        }
        self.guard.write(place.join(TRACER), tracer::TRACER.as_bytes())?;
        self.guard.write(place.join(SCRIPT), script.as_bytes())?;
        let args = arguments(configuration, case, &folder.files);
        let job = build::compile_job(configuration, &args, place, &self.options.compile);
        let compiler = self.guard.run(&job)?;
        let program = self.guard.read(place.join("program")).filter(|_| compiler.success());
        let Some(program) = program else { return Ok(None) };
        let Some(table) = elf::section(&program, tracer::TABLE) else { return Ok(None) };
        let objects = trace::placed(objects, &tracer::table(table));
        let mut run = Job::new("./program");
        build::give(&mut run, case.input());
        run.dir = place.to_owned();
        let time = run_limit(judged.steps) + MORE;
        run.limits = Limits { cpu: time, wall: time * 4, ..self.options.run };
        let finished = self.guard.run(&run)?;
        let log = self.guard.read(place.join(tracer::LOG)).and_then(|bytes| tracer::read(&bytes));
        let Some(log) = log.filter(|_| ran(behaviour, &finished) == Ran::Right) else { return Ok(None) };
        Ok(Some(Trace {
            args,
            compared: trace::compare(expected, &objects, &log),
            objects,
            full: log.full,
            script,
            compile_time: compiler.cpu,
            run_time: finished.cpu,
        }))
    }
}

/// The arguments of the driver: those of any build, the tracer, the script.
fn arguments(configuration: &Configuration, case: &Case, files: &[String]) -> Vec<String> {
    let files: Vec<String> = files.iter().cloned().chain([TRACER.to_owned()]).collect();
    let mut args = build::arguments(configuration, case, &files, "program");
    args.extend([tracer::FLAG.to_owned(), format!("-Wl,-T,{SCRIPT}")]);
    args
}

/// Whether the configuration's programs can be traced: they have sections with names, and nothing but the program's own
/// code touches its objects.
fn is_traceable(configuration: &Configuration, case: &Case) -> bool {
    const OTHER: [&str; 9] = [
        "-flto",
        "-fprofile",
        "-fsanitize",
        "--coverage",
        "-coverage",
        "-ftest-coverage",
        "-fcompare-debug",
        "-fuse-ld",
        "-pg",
    ];
    let configured = &configuration.configured;
    let other = |flag: &String| OTHER.iter().any(|start| flag.starts_with(start));
    matches!(configured.compiler.family, Family::Gcc | Family::Clang)
        && configuration.target_for(case).is_some_and(|target| target.arch == Arch::X86_64)
        && configured.compiler.runner.is_none()
        && build::can_run(configuration)
        && !configured.flags.iter().any(other)
}
