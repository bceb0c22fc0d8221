//! From sources in the scratch folder to executables, through the guard. How they are run is for others to say.
//!
//! The plain way asks the driver, as a user would; every confirmation of a finding goes it. The fast way starts what
//! the driver would have started ([`recipe`]), and links with a runtime of our own where that is enough. Both give
//! the same behaviour of the same program.

mod recent;
mod recipe;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use howler_lang::target::Std;

use crate::build::recent::Recent;
use crate::build::recipe::Recipe;
use crate::compiler::home::Home;
use crate::compiler::{Compiler, Configured};
use crate::guard::{End, Finished, Guard, GuardError, Job, Limits};

/// One executable to make.
#[derive(Clone, Debug)]
pub struct Task {
    /// The compiler and its flags.
    pub configured: Configured,
    /// The standard, which every compile names.
    pub std: Std,
    /// The folder of all files, from the scratch folder; empty is the scratch folder.
    pub dir: PathBuf,
    /// The sources, from that folder. The fast way takes preprocessed text (`.i`) only.
    pub sources: Vec<String>,
    /// The executable's name in that folder; names of other files are made from it.
    pub program: String,
    /// What to link with: `-lm`.
    pub libraries: Vec<String>,
    /// What each step may use.
    pub limits: Limits,
}

/// How an executable is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Way {
    /// By the driver.
    Plain,
    /// By what the driver would start, with the real library.
    Replay,
    /// By what the driver would start, with our own runtime.
    Runtime,
}

/// What to try first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speed {
    /// The driver only.
    Plain,
    /// The fastest way there is for each task.
    Fast,
}

/// What a step of a build is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum StepKind {
    /// Everything by the driver.
    Driver,
    /// C to assembly or an object.
    Compile,
    /// Assembly to an object.
    Assemble,
    /// Objects to an executable.
    Link,
}

/// A step of a build that has been taken.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it is.
    pub kind: StepKind,
    /// What was run.
    pub job: Job,
    /// What became of it.
    pub finished: Finished,
}

/// A build that has been tried.
#[derive(Clone, Debug)]
pub struct Built {
    /// What was done, up to the first failure.
    pub steps: Vec<Step>,
    /// The executable, if all steps succeeded and it is there.
    pub executable: Option<PathBuf>,
    /// How.
    pub way: Way,
}

impl Built {
    /// The step that failed.
    pub fn failure(&self) -> Option<&Step> {
        self.steps.last().filter(|step| !step.finished.success())
    }
}

/// What is known about fast ways: learnt when first needed. Each worker has its own.
#[derive(Debug)]
pub struct Recipes {
    /// By compiler and flags; those with random flags are many and come once.
    known: Recent<Option<Fast>>,
    /// The runtime's object by compiler, numbered as they came.
    runtimes: BTreeMap<Home, (usize, Option<Vec<u8>>)>,
}

/// Recipes that are remembered: more than the levels of all compilers of a hunt.
const KNOWN: usize = 512;

impl Default for Recipes {
    fn default() -> Recipes {
        Recipes { known: Recent::new(KNOWN), runtimes: BTreeMap::new() }
    }
}

#[derive(Clone, Debug)]
struct Fast {
    recipe: Recipe,
    /// Under which key of `runtimes` its runtime is.
    runtime: Home,
}

/// Builds each task, in one request where that can be.
///
/// ```no_run
/// use howler_lang::target::Std;
/// use howler_toolchain::build::{self, Recipes, Speed, Task};
/// use howler_toolchain::compiler::Configured;
/// use howler_toolchain::guard::{Guard, GuardOptions, Limits};
///
/// let mut guard = Guard::start(&GuardOptions::default())?;
/// std::fs::write(guard.scratch().join("a.i"), "int main(void) { return 3; }")?;
/// let task = Task {
///     configured: Configured::parse("gcc -O2")?,
///     std: Std::GNU17,
///     dir: "".into(),
///     sources: vec!["a.i".into()],
///     program: "a".into(),
///     libraries: vec![],
///     limits: Limits::default(),
/// };
/// let mut recipes = Recipes::default();
/// let built = build::compile(&mut guard, &mut recipes, &[task.clone()], Speed::Fast)?.remove(0);
/// let program = built.executable.expect("gcc compiles this");
/// let ran = guard.run(&task.configured.compiler.runs(&program))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compile(
    guard: &mut Guard,
    recipes: &mut Recipes,
    tasks: &[Task],
    speed: Speed,
) -> Result<Vec<Built>, GuardError> {
    let mut plans = Vec::with_capacity(tasks.len());
    for task in tasks {
        plans.push(match speed {
            Speed::Plain => Plan::plain(task),
            Speed::Fast => recipes.plan(guard, task)?,
        });
    }
    let mut built = carry_out(guard, tasks, plans)?;
    // What our runtime has not, the real library has.
    for (task, built) in tasks.iter().zip(&mut built) {
        let small = built.way == Way::Runtime;
        let undefined = built.failure().is_some_and(|step| {
            step.kind == StepKind::Link && contains(&step.finished.stderr, b"undefined reference")
        });
        if small && undefined {
            relink(guard, recipes, task, built)?;
        }
    }
    Ok(built)
}

/// Whether a program that was linked with our runtime ended because it needs the real library. The runtime says so in
/// words that nothing else says.
pub fn needs_library(finished: &Finished) -> bool {
    finished.end == End::Exited(125)
        && contains(&finished.stderr, b"howler runtime: the real library is needed")
}

/// The jobs of a build.
struct Plan {
    way: Way,
    steps: Vec<(StepKind, Job)>,
}

impl Plan {
    fn plain(task: &Task) -> Plan {
        let Task { configured, std, sources, program, libraries, .. } = task;
        let compiler = &configured.compiler;
        let mut job = compiler.job();
        let flags = configured.flags.iter().cloned().chain([compiler.std_flag(*std)]);
        job.args = compiler.command_line(flags.collect::<Vec<_>>());
        job.args(sources).args(["-o", program]).args(libraries);
        Plan { way: Way::Plain, steps: vec![(StepKind::Driver, job)] }
    }
}

impl Recipes {
    /// The fastest way for a task.
    fn plan(&mut self, guard: &mut Guard, task: &Task) -> Result<Plan, GuardError> {
        let preprocessed =
            task.sources.iter().all(|source| source.ends_with(".i") && !source.starts_with('-'));
        let fast = if preprocessed { self.fast(guard, task)? } else { None };
        let Some(fast) = fast else { return Ok(Plan::plain(task)) };
        let mut steps = Vec::new();
        for (source, object) in task.sources.iter().zip(objects(task)) {
            for (number, job) in fast.recipe.compile(source, &object).into_iter().enumerate() {
                steps.push((if number == 0 { StepKind::Compile } else { StepKind::Assemble }, job));
            }
        }
        let (link, way) = self.link(guard, &fast, task);
        steps.push((StepKind::Link, link));
        Ok(Plan { way, steps })
    }

    fn link(&self, guard: &Guard, fast: &Fast, task: &Task) -> (Job, Way) {
        let names = objects(task);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some((number, Some(runtime))) = self.runtimes.get(&fast.runtime) {
            // The folder may have been emptied since.
            let path = guard.scratch().join(format!("howler-runtime-{number}.o"));
            if path.is_file() || guard.write(&path, runtime).is_ok() {
                return (fast.recipe.link_small(&path, &names, &task.program), Way::Runtime);
            }
        }
        (fast.recipe.link(&names, &task.program, &task.libraries), Way::Replay)
    }

    /// The recipe for a task's compiler and flags.
    fn fast(&mut self, guard: &mut Guard, task: &Task) -> Result<Option<Fast>, GuardError> {
        let Configured { compiler, flags } = &task.configured;
        if !recipe::is_usual(compiler.family, flags) {
            return Ok(None);
        }
        let root = compiler.root.as_deref().unwrap_or(Path::new("")).display();
        let key = format!("{root}\0{}\0{}\0{}", compiler.path.display(), flags.join("\0"), task.std.name());
        if let Some(known) = self.known.get(&key) {
            return Ok(known);
        }
        // Where nothing can be written, nothing can be learnt: a job has closed the folder. Another time, perhaps.
        if guard.write(recipe::SOURCE, b"int main(void) { return 0; }\n").is_err() {
            return Ok(None);
        }
        let learnt = self.learn(guard, compiler, flags, task.std)?;
        self.known.insert(key, learnt.clone());
        Ok(learnt)
    }

    fn learn(
        &mut self,
        guard: &mut Guard,
        compiler: &Compiler,
        flags: &[String],
        std: Std,
    ) -> Result<Option<Fast>, GuardError> {
        let mut job = compiler.job();
        let named = flags.iter().cloned().chain([compiler.std_flag(std)]).collect::<Vec<_>>();
        job.args = recipe::question(compiler.command_line(named));
        let finished = guard.run(&job)?;
        let said = String::from_utf8_lossy(&finished.stderr);
        let Some(recipe) =
            finished.success().then(|| Recipe::read(compiler.root.as_deref(), &said)).flatten()
        else {
            return Ok(None);
        };
        let runtime = compiler.home();
        if recipe.has_runtime() && !self.runtimes.contains_key(&runtime) {
            let object = compile_runtime(guard, compiler)?;
            self.runtimes.insert(runtime.clone(), (self.runtimes.len(), object));
        }
        Ok(Some(Fast { recipe, runtime }))
    }
}

/// The names of a task's objects.
fn objects(task: &Task) -> Vec<String> {
    (0..task.sources.len()).map(|number| format!("{}.{number}.o", task.program)).collect()
}

const RUNTIME: &str = include_str!("../../runtime/runtime.c");

/// The runtime's object, compiled by the compiler itself; none if it cannot.
fn compile_runtime(guard: &mut Guard, compiler: &Compiler) -> Result<Option<Vec<u8>>, GuardError> {
    const SOURCE: &str = "howler-runtime.c";
    const OBJECT: &str = "howler-runtime.o";
    if guard.write(SOURCE, RUNTIME.as_bytes()).is_err() {
        return Ok(None);
    }
    let mut job = compiler.job();
    job.args = compiler.command_line(["-O1", "-ffreestanding", "-fno-builtin", "-fno-stack-protector", "-w"]);
    if compiler.family == crate::compiler::Family::Gcc {
        // A loop in memset is not to become a call of memset.
        job.arg("-fno-tree-loop-distribute-patterns");
    }
    job.args(["-c", SOURCE, "-o", OBJECT]);
    let finished = guard.run(&job)?;
    let object = guard.scratch().join(OBJECT);
    let bytes = if finished.success() { guard.read(&object) } else { None };
    let _ = std::fs::remove_file(object);
    let _ = std::fs::remove_file(guard.scratch().join(SOURCE));
    Ok(bytes)
}

/// Links the objects of a build again, with the real library.
fn relink(
    guard: &mut Guard,
    recipes: &mut Recipes,
    task: &Task,
    built: &mut Built,
) -> Result<(), GuardError> {
    let Some(fast) = recipes.fast(guard, task)? else { return Ok(()) };
    let names = objects(task);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let link = fast.recipe.link(&names, &task.program, &task.libraries);
    let plan = Plan { way: Way::Replay, steps: vec![(StepKind::Link, link)] };
    let again = carry_out(guard, std::slice::from_ref(task), vec![plan])?.pop();
    if let Some(mut again) = again {
        if built.failure().is_some() {
            built.steps.pop();
        }
        built.steps.append(&mut again.steps);
        built.executable = again.executable;
        built.way = Way::Replay;
    }
    Ok(())
}

fn carry_out(guard: &mut Guard, tasks: &[Task], mut plans: Vec<Plan>) -> Result<Vec<Built>, GuardError> {
    for (task, plan) in tasks.iter().zip(&mut plans) {
        for (_, job) in &mut plan.steps {
            job.dir.clone_from(&task.dir);
            job.root.clone_from(&task.configured.compiler.root);
            job.limits = Limits { stack: job.limits.stack.max(task.limits.stack), ..task.limits };
        }
    }
    let chains = plans.iter().map(|plan| plan.steps.iter().map(|(_, job)| job.clone()).collect()).collect();
    let finished = guard.batch(chains)?;
    let mut all = Vec::with_capacity(tasks.len());
    for ((task, plan), finished) in tasks.iter().zip(plans).zip(finished) {
        let steps: Vec<Step> = plan
            .steps
            .into_iter()
            .zip(finished)
            .map(|((kind, job), finished)| Step { kind, job, finished })
            .collect();
        let done = steps.last().is_some_and(|step| step.finished.success());
        let executable = guard.scratch().join(&task.dir).join(&task.program);
        let executable = (done && executable.is_file()).then_some(executable);
        all.push(Built { steps, executable, way: plan.way });
    }
    Ok(all)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
