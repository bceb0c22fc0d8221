//! Files in the scratch folder, command lines, and jobs.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use howler_case::{Case, File, Id, Input};
use howler_toolchain::build::{self, Recipes, Speed, StepKind, Task, Way};
use howler_toolchain::compiler::{Family, quoted};
use howler_toolchain::guard::{self, Finished, Guard, Job, Limits};

use crate::classify::{Compiled, Stage, bounded, compiled};
use crate::elf;
use crate::judge::{Judgements, Verdict};
use crate::lab::{Configuration, LabError};
use crate::repro::{self, FOR_SANITIZERS, is_sanitizer};

/// Which text a compiler gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Text {
    /// The preprocessed text that was judged.
    Prepared,
    /// The files of the case.
    Original,
}

/// Where a configuration's input is.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) text: Text,
    pub(super) files: Vec<String>,
    /// Whether what the program does can be compared with anything.
    pub(super) worth_running: bool,
}

/// A program, or what became of it.
#[derive(Clone, Debug)]
pub(super) struct Built {
    pub(super) compiled: Compiled,
    /// Whether anything was started: after a compiler that does not end, nothing is.
    pub(super) made: bool,
    /// Where it ended.
    pub(super) stage: Stage,
    /// How it was made.
    pub(super) way: Way,
    /// The program, from the scratch folder.
    pub(super) program: PathBuf,
    pub(super) loaded: Option<Id>,
    pub(super) code: Option<Id>,
    pub(super) cpu: Duration,
}

/// Writes the texts, each once, and says which configuration uses which.
pub(super) fn lay_out(
    guard: &Guard,
    case: &Case,
    configurations: &[Configuration],
    judgements: &Judgements,
) -> Result<Vec<Folder>, LabError> {
    let mut known: Vec<(PathBuf, Vec<File>)> = Vec::new();
    let mut folders = Vec::new();
    for configuration in configurations {
        let target = configuration.target_for(case);
        let prepared = target.and_then(|target| judgements.prepared(target));
        let (text, files) = match prepared {
            Some(prepared) if !prepared.system_headers => (Text::Prepared, &prepared.files),
            _ => (Text::Original, &case.files),
        };
        let path = match known.iter().find(|(_, others)| others == files) {
            Some((path, _)) => path.clone(),
            None => {
                let path = PathBuf::from(format!("text{}", known.len()));
                write(guard, &path, files)?;
                known.push((path.clone(), files.clone()));
                path
            }
        };
        let verdict = target.and_then(|target| judgements.targets.get(&target)).map(|judged| &judged.verdict);
        let worth_running = matches!(verdict, Some(Verdict::Defined(_) | Verdict::Unsupported(_)));
        let files = files.iter().map(|file| file.name.clone()).collect();
        folders.push(Folder { path, text, files, worth_running });
    }
    Ok(folders)
}

/// Writes files into a folder of the scratch folder. Names are a case's own: only their last part counts.
pub(super) fn write(guard: &Guard, folder: &Path, files: &[File]) -> io::Result<()> {
    for file in files {
        let name = Path::new(&file.name).file_name().unwrap_or("test.c".as_ref());
        guard.write(folder.join(name), &file.text)?;
    }
    Ok(())
}

/// Copies files from one folder of the scratch folder to another; says whether that could be done. A compiler may have
/// removed its input.
pub(super) fn copy(guard: &Guard, from: &Path, to: &Path, files: &[String]) -> bool {
    files.iter().all(|file| {
        let text = guard.read(from.join(file));
        text.is_some_and(|text| guard.write(to.join(file), &text).is_ok())
    })
}

/// The arguments of the driver that make `output` from `files`.
pub(super) fn arguments(
    configuration: &Configuration,
    case: &Case,
    files: &[String],
    output: &str,
) -> Vec<String> {
    let configured = &configuration.configured;
    let mut args = configured.compiler.prefix.clone();
    args.push(configured.compiler.std_flag(case.std));
    args.extend(configured.flags.iter().cloned());
    args.extend(quiet_flags(configuration));
    args.extend(["-o".to_owned(), output.to_owned()]);
    args.extend(files.iter().cloned());
    args.push("-lm".to_owned());
    args
}

/// No warnings, which nobody reads here, and no errors that are warnings by another name: newer compilers make errors of
/// things that C allows. And clang would compile a second time after a crash, to leave files behind.
fn quiet_flags(configuration: &Configuration) -> Vec<String> {
    let compiler = &configuration.configured.compiler;
    let major: u32 = compiler.version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0);
    let flags: &[&str] = match compiler.family {
        Family::Clang => &["-w", "-Wno-everything", "-fno-crash-diagnostics"],
        Family::Gcc if major >= 14 => &["-w", "-fpermissive"],
        _ => &["-w"],
    };
    flags.iter().map(|flag| (*flag).to_owned()).collect()
}

/// The command line as a person types it, in any folder.
pub(super) fn command_line(configuration: &Configuration, args: &[String]) -> String {
    let compiler = &configuration.configured.compiler;
    let path = compiler.path.to_string_lossy();
    let mut line = in_root(configuration);
    line.push_str(&quoted(if compiler.name.contains('/') { &path } else { &compiler.name }));
    for arg in args {
        line.push(' ');
        line.push_str(&quoted(arg));
    }
    line
}

/// What comes before a command that runs in another root, in a script that has [`repro::IN_ROOT`].
pub(super) fn in_root(configuration: &Configuration) -> String {
    let root = configuration.configured.compiler.root.as_deref();
    root.map_or(String::new(), |root| format!("in_root {} ", quoted(&root.to_string_lossy())))
}

/// The command line with all that must be done before: a training run for `-fprofile-use`.
pub(super) fn whole_command(input: &Input, configuration: &Configuration, args: &[String]) -> String {
    let last = command_line(configuration, args);
    if !configuration.has("-fprofile-use") {
        return last;
    }
    let generate =
        |arg: &String| if arg == "-fprofile-use" { "-fprofile-generate".to_owned() } else { arg.clone() };
    let first = command_line(configuration, &args.iter().map(generate).collect::<Vec<_>>());
    format!(
        "{{ {first} && {{ {}; }} && {last}; }}",
        training(&(in_root(configuration) + &repro::run_line(input)), configuration)
    )
}

pub(super) fn compile_job(
    configuration: &Configuration,
    args: &[String],
    dir: &Path,
    limits: &Limits,
) -> Job {
    let mut job = configuration.configured.compiler.job();
    job.args(args);
    job.dir = dir.to_owned();
    job.limits = *limits;
    job
}

impl Built {
    /// Nothing was built, and no time spent on it.
    pub(super) fn untried(why: &str) -> Built {
        Built {
            compiled: Compiled::Untried(why.to_owned()),
            made: false,
            stage: Stage::Driver,
            way: Way::Plain,
            program: PathBuf::new(),
            loaded: None,
            code: None,
            cpu: Duration::ZERO,
        }
    }

    /// As if it had not been tried. The time is gone all the same.
    pub(super) fn drop_result(&mut self, why: &str) {
        self.compiled = Compiled::Untried(why.to_owned());
        self.loaded = None;
        self.code = None;
    }
}

/// Builds the case under all configurations, each with its own limits. The names of the programs begin with `prefix`.
pub(super) fn all(
    (guard, recipes): (&mut Guard, &mut Recipes),
    case: &Case,
    configurations: &[Configuration],
    folders: &[Folder],
    limits: &[Limits],
    (prefix, speed): (&str, Speed),
) -> Result<Vec<Built>, LabError> {
    let mut tasks: [(Vec<usize>, Vec<Task>); 2] = Default::default();
    let mut builds: Vec<Option<Built>> = Vec::new();
    for (index, ((configuration, folder), limits)) in
        configurations.iter().zip(folders).zip(limits).enumerate()
    {
        builds.push(None);
        let program = format!("{prefix}{index}");
        if configuration.has("-fprofile-use") {
            let chain = Some(folder).filter(|folder| folder.worth_running);
            let chain = chain.and_then(|folder| train(guard, case, configuration, folder, &program, limits));
            let finished = chain.map_or(Ok(Vec::new()), |chain| guard.chain(&chain))?;
            let path = folder.path.join(&program);
            let ran = finished.len();
            let mut done = built(guard, finished, (Stage::Driver, Way::Plain), path);
            let compiler = &configuration.configured.compiler;
            if compiler.family == Family::Clang && compiler.profile_merger().is_none() {
                done.drop_result("llvm-profdata of its version is not installed");
            } else if ran == 0 || ran == TRAINING + 1 {
                // A program that does not end is no fault of its compiler's.
                done.drop_result(UNTRAINED);
            }
            builds[index] = Some(done);
            continue;
        }
        let task = task(configuration, case, folder, program, limits);
        let fast =
            speed == Speed::Fast && folder.text == Text::Prepared && is_executable_itself(configuration);
        let (places, list) = &mut tasks[usize::from(fast)];
        places.push(index);
        list.push(task);
    }
    for ((places, list), speed) in tasks.into_iter().zip([Speed::Plain, Speed::Fast]) {
        if list.is_empty() {
            continue;
        }
        for ((index, task), done) in
            places.into_iter().zip(&list).zip(build::compile(guard, recipes, &list, speed)?)
        {
            let failed_late = done.failure().is_some_and(|step| step.kind != StepKind::Compile);
            let done = if done.way != Way::Plain && failed_late {
                // Perhaps it is our shortcut that fails. The driver has the last word.
                build::compile(guard, recipes, std::slice::from_ref(task), Speed::Plain)?
                    .pop()
                    .unwrap_or(done)
            } else {
                done
            };
            let stage = done.steps.last().map_or(Stage::Driver, |step| stage(step.kind));
            let finished = done.steps.into_iter().map(|step| step.finished).collect();
            let path = task.dir.join(&task.program);
            builds[index] = Some(built(guard, finished, (stage, done.way), path));
        }
    }
    Ok(builds.into_iter().flatten().collect())
}

/// What to build, with the flags that every build has.
pub(super) fn task(
    configuration: &Configuration,
    case: &Case,
    folder: &Folder,
    program: String,
    limits: &Limits,
) -> Task {
    let mut configured = configuration.configured.clone();
    configured.flags.extend(quiet_flags(configuration));
    Task {
        configured,
        std: case.std,
        dir: folder.path.clone(),
        sources: folder.files.clone(),
        program,
        libraries: vec!["-lm".to_owned()],
        limits: *limits,
    }
}

/// A shortcut past the driver is a shortcut past a script that stands for it, too.
fn is_executable_itself(configuration: &Configuration) -> bool {
    let mut start = [0; 4];
    let file = configuration.configured.compiler.open();
    file.and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"\x7fELF"
}

fn stage(kind: StepKind) -> Stage {
    match kind {
        StepKind::Driver => Stage::Driver,
        StepKind::Compile => Stage::Compile,
        StepKind::Assemble => Stage::Assemble,
        StepKind::Link => Stage::Link,
    }
}

/// What a chain of jobs that should have written `program` amounts to.
fn built(guard: &Guard, mut jobs: Vec<Finished>, (stage, way): (Stage, Way), program: PathBuf) -> Built {
    let bytes = guard.read(&program);
    let compiled = match jobs.last_mut() {
        // Before the last step its output cannot be there.
        Some(last) => {
            last.stderr = bounded(std::mem::take(&mut last.stderr));
            compiled(stage, last, bytes.is_some())
        }
        None => Compiled::Untried("nothing ran".to_owned()),
    };
    // What failed may have left a file; nobody may run it.
    let bytes = bytes.filter(|_| compiled == Compiled::Built);
    Built {
        compiled,
        made: !jobs.is_empty(),
        stage,
        way,
        program,
        loaded: bytes.as_deref().and_then(elf::loaded),
        code: bytes.as_deref().and_then(elf::code),
        cpu: jobs.iter().map(|job| job.cpu).sum(),
    }
}

/// The commands of a shell between the two builds for `-fprofile-use`: a run, and for clang what makes a profile of it. A
/// program that aborts leaves none; then it is an empty one, so that the second build has what it asks for.
fn training(run: &str, configuration: &Configuration) -> String {
    let run = format!("{run} > /dev/null 2>&1");
    let compiler = &configuration.configured.compiler;
    let Some(tool) = compiler.profile_merger().filter(|_| compiler.family == Family::Clang) else {
        return format!("{run}; true");
    };
    let merge = format!("{} merge -o default.profdata", quoted(&tool.to_string_lossy()));
    format!(
        "{run}; {merge} *.profraw 2> /dev/null || {{ echo :ir > empty.proftext; {merge} empty.proftext; }}; true"
    )
}

/// The configuration that builds the counting program for one with `-fprofile-use`.
fn counting(configuration: &Configuration) -> Configuration {
    let mut counting = configuration.clone();
    for flag in &mut counting.configured.flags {
        if flag == "-fprofile-use" {
            *flag = "-fprofile-generate".to_owned();
        }
    }
    counting
}

/// Which job of [`train`] runs the program.
const TRAINING: usize = 1;

/// Why a configuration with `-fprofile-use` was not looked at.
pub(super) const UNTRAINED: &str = "its program does not come to an end";

/// For `-fprofile-use`: builds a program that counts, runs it, and builds again with what it counted. Each in a folder of
/// its own, for the counts have the names of the files. The run ends as the program does, so a shell ignores its status.
/// None if the program's files have gone.
fn train(
    guard: &Guard,
    case: &Case,
    configuration: &Configuration,
    folder: &Folder,
    program: &str,
    limits: &Limits,
) -> Option<Vec<Job>> {
    let dir = PathBuf::from(format!("profile-{program}"));
    if !copy(guard, &folder.path, &dir, &folder.files) {
        return None;
    }
    let counting = counting(configuration);
    // The names of the counts are made from the name of the output.
    let args = |configuration: &Configuration| arguments(configuration, case, &folder.files, "program");
    let count = compile_job(&counting, &args(&counting), &dir, limits);
    let compiler = &configuration.configured.compiler;
    let mut run = compiler.beside("/bin/sh");
    let with = case.input();
    // The shell hands its own standard input on.
    let line = repro::run_line(&Input { stdin: Vec::new(), ..with.clone() });
    run.args(["-c", &training(&line, configuration)]);
    if !with.stdin.is_empty() {
        run.stdin = guard::Input::Bytes(with.stdin.clone());
    }
    run.dir = dir.clone();
    run.limits = *limits;
    let last = compile_job(configuration, &args(configuration), &dir, limits);
    let mut place = compiler.beside("/bin/cp");
    place.arg("program").arg(Path::new("..").join(&folder.path).join(program));
    place.dir = dir;
    Some(vec![count, run, last, place])
}

/// Whether this machine can run the configuration's programs.
pub(super) fn can_run(configuration: &Configuration) -> bool {
    configuration.configured.compiler.is_runnable()
}

/// Limits of a run that may take so long.
pub(super) fn run_limits(limits: &Limits, time: Duration) -> Limits {
    // A busy system makes programs wait; CPU time says more.
    let cpu = time.min(limits.cpu);
    Limits { cpu, wall: cpu.saturating_mul(10).max(limits.wall), ..*limits }
}

/// Gives a job the arguments and the standard input of a case.
pub(super) fn give(job: &mut Job, input: &Input) {
    job.args(&input.arguments);
    if !input.stdin.is_empty() {
        job.stdin = guard::Input::Bytes(input.stdin.clone());
    }
}

/// The job that runs a program.
pub(super) fn run_job(input: &Input, configuration: &Configuration, built: &Built, limits: &Limits) -> Job {
    let mut job = configuration.configured.compiler.runs(&Path::new("..").join(&built.program));
    give(&mut job, input);
    // Not in the scratch folder itself: a program has no business with its neighbours' files.
    job.dir = PathBuf::from("text0");
    job.limits = *limits;
    if configuration.configured.flags.iter().any(|flag| is_sanitizer(flag)) {
        job.env.extend(FOR_SANITIZERS.map(|(name, value)| (name.into(), value.into())));
    }
    job
}

/// Whether the text means the same to every preprocessor: it has no conditions and no names that compilers define.
pub(super) fn is_portable(case: &Case) -> bool {
    case.files.iter().all(|file| {
        let text = String::from_utf8_lossy(&file.text);
        let conditional = text.lines().any(|line| {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            directive.is_some_and(|directive| directive.starts_with("if") || directive.starts_with("elif"))
        });
        let reserved = text
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .any(|word| word.starts_with("__") && !matches!(word, "__func__" | "__LINE__"));
        !conditional && !reserved
    })
}
