//! From what a hunt should do to what it works with: compilers that are there, sources, arms.

use std::path::{Path, PathBuf};
use std::time::Duration;

use howler_case::Id;
use howler_case::id::Hasher;
use howler_choices::Choices;
use howler_lang::target::Target;
use howler_oracle::lab::Configuration;
use howler_store::Arm as Row;
use howler_toolchain::compiler::{self, CompilerError, Configured, Dialect, Family};
use howler_toolchain::guard::{Guard, GuardError};
use howler_toolchain::preprocess::{PreprocessError, Preprocessor};
use howler_toolchain::search::on_path;

use crate::corpus::Corpus;
use crate::extras::{self, Extras};
use crate::narrow;
use crate::own::Own;
use crate::probe;
use crate::registry::{self, TECHNIQUES};
use crate::siblings::Siblings;
use crate::source::{Command, Recipe, Source};
use crate::spec::{CompilerSpec, GeneratorSpec, Spec};
use crate::swarm;
use crate::variants::{self, Variants};

/// All that a hunt works with.
pub struct Setup {
    /// What was asked for.
    pub spec: Spec,
    /// One arm for each source of programs.
    pub arms: Vec<Arm>,
    /// Each compiler as it is used: the standard levels or those asked for.
    pub configurations: Vec<Configuration>,
    /// Flags that compilers take beyond their levels.
    pub pools: Vec<Pool>,
    /// What compilers have beside their levels: `-g`, link-time optimisation, profiles.
    pub extras: Vec<Extras>,
    /// Compilers for 32 bits, for sources that ask for them.
    pub narrow: Vec<Configuration>,
    /// What a user should know before it begins.
    pub notes: Vec<String>,
}

/// A source of programs and everything its tests depend on.
pub struct Arm {
    /// The source.
    pub source: Box<dyn Source>,
    /// The row that stands for it in the store.
    pub row: Row,
}

/// The flags that one compiler takes beyond its levels.
pub struct Pool {
    /// Its place among the pools.
    number: u64,
    /// Its flags before any level.
    base: Configuration,
    flags: Vec<Vec<String>>,
}

impl Pool {
    /// A configuration of random flags.
    pub fn draw(&self, choices: &Choices) -> Configuration {
        let mut drawn = self.base.clone();
        let mut flags = drawn.configured.flags.clone();
        let mut choices = choices.sub_indexed("pool", self.number);
        flags.extend(swarm::draw(&self.flags, &["-O1", "-O2", "-O3", "-Os"], &mut choices));
        drawn.set_flags(flags);
        drawn
    }
}

impl Setup {
    /// The target that programs are made for first of all.
    pub fn first_target(&self) -> Target {
        first_target(&self.spec, &self.configurations)
    }

    /// What its tests are made from.
    pub fn recipe(&self) -> Recipe {
        Recipe { seed: self.spec.seed, target: self.first_target() }
    }

    /// The flags that a user gave to a compiler, without any level.
    pub fn fixed_flags(&self, compiler: &str) -> Vec<String> {
        let pool = self.pools.iter().find(|pool| pool.base.configured.compiler.name == compiler);
        pool.map_or(Vec::new(), |pool| pool.base.configured.flags.clone())
    }
}

/// The target that programs are made for first of all: that of the first compiler whose meaning is known.
fn first_target(spec: &Spec, configurations: &[Configuration]) -> Target {
    let known = configurations.iter().find_map(|one| one.target);
    Target { std: spec.std(), ..known.unwrap_or(Target::X86_64_GCC) }
}

/// Why a hunt cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// No compiler to test.
    #[error("no C compiler found: install one (Debian: apt install gcc tcc) or name one with --cc")]
    NoCompilers,
    /// No program to test with.
    #[error("nothing to test with: name a generator with --gen or a folder of C files with --corpus")]
    NoSources,
    /// A compiler that was named cannot be used.
    #[error(transparent)]
    Compiler(#[from] CompilerError),
    /// A technique that does not exist.
    #[error("there is no generator '{0}': known are {list}; a command has {{seed}} in it", list = registry::names())]
    NoTechnique(String),
    /// Options that a technique does not understand.
    #[error("generator {name}: {why} (--gen {name}:help lists its options)")]
    Options {
        /// The technique.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// A corpus that cannot be read.
    #[error("cannot read the corpus {}: {source}", folder.display())]
    Corpus {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A corpus without files.
    #[error("there is no .c file in {}", .0.display())]
    EmptyCorpus(PathBuf),
    /// A folder without files that variants could be made of.
    #[error("none of {looked_at} files of {} is C that Howler reads", folder.display())]
    NoVariants {
        /// The folder.
        folder: PathBuf,
        /// How many files were looked at.
        looked_at: usize,
    },
    /// Nothing reads programs.
    #[error(transparent)]
    Preprocessor(#[from] PreprocessError),
    /// The guard does not start.
    #[error(transparent)]
    Guard(#[from] GuardError),
    /// A line is too long for the store.
    #[error(transparent)]
    Store(#[from] howler_store::Error),
}

/// The levels of a compiler that nobody has chosen any for.
fn standard_levels(family: Family) -> &'static [&'static str] {
    match family {
        Family::Gcc | Family::Clang => &["-O0", "-O1", "-O2", "-O3", "-Os"],
        Family::Pcc => &["-O0", "-O1"],
        Family::Tcc => &[""],
        Family::Other => &[""],
    }
}

/// Fills in what the user left open: all compilers that are here, all generators that are here.
pub fn fill_in(spec: &mut Spec) {
    if spec.compilers.is_empty() {
        let here = compiler::detect().into_iter().filter(compiler::Compiler::is_runnable);
        spec.compilers = here
            .map(|compiler| CompilerSpec { command: compiler.name, levels: Vec::new(), runner: None })
            .collect();
    }
    if spec.generators.is_empty() {
        spec.generators = TECHNIQUES
            .iter()
            .map(|entry| GeneratorSpec::Technique {
                name: entry.technique.name.to_owned(),
                options: Vec::new(),
            })
            .collect();
        spec.generators.push(GeneratorSpec::variants(Vec::new(), GeneratorSpec::technique("smith")));
        if on_path("csmith".as_ref()).is_some() {
            spec.generators.extend(csmith_sizes());
        }
    }
}

/// Csmith in two sizes: half of the programs that it makes by itself cost compilers seconds each.
pub fn csmith_sizes() -> [GeneratorSpec; 2] {
    let options: Vec<String> = CSMITH_SMALL.split(' ').map(str::to_owned).collect();
    let mut small = csmith(&options);
    if let GeneratorSpec::Command { name, .. } = &mut small {
        name.push_str(" small");
    }
    [small, csmith(&[])]
}

const CSMITH_SMALL: &str = "--max-funcs 2 --max-block-size 3 --max-block-depth 2 --max-expr-complexity 5 \
    --max-array-dim 2 --max-array-len-per-dim 5 --max-pointer-depth 2 --max-struct-fields 5";

/// Csmith, as everybody calls it.
pub fn csmith(options: &[String]) -> GeneratorSpec {
    let include = ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith"];
    let include = include.iter().filter(|folder| Path::new(folder).join("csmith.h").exists());
    let words: Vec<&str> =
        ["csmith", "--seed", "{seed}"].into_iter().chain(options.iter().map(String::as_str)).collect();
    GeneratorSpec::Command {
        name: "csmith".to_owned(),
        command: words.join(" "),
        include: include.take(1).map(|folder| (*folder).to_owned()).collect(),
    }
}

/// Looks at everything that was asked for. The spec must have been [filled in](fill_in). That may take a while:
/// `progress` is told what is done.
pub fn set_up(spec: Spec, guard: &mut Guard, progress: &mut dyn FnMut(&str)) -> Result<Setup, SetupError> {
    let mut notes = Vec::new();
    let configurations = configurations(&spec, &mut notes, progress)?;
    if configurations.is_empty() {
        return Err(SetupError::NoCompilers);
    }
    let pools = if spec.swarm > 0 { pools(&spec, &configurations, progress)? } else { Vec::new() };
    progress("asking compilers for -g, -flto, profiles and records");
    let extras = if spec.extras > 0 { extras::find(guard, &configurations)? } else { Vec::new() };
    let mut arms = Vec::new();
    progress("reading generators and corpora");
    let sources = sources(&spec, &configurations, guard, (&mut notes, progress))?;
    let narrow = if sources.iter().any(|source| source.narrow()) {
        progress("asking compilers for 32 bits");
        narrow::find(guard, &configurations)?
    } else {
        Vec::new()
    };
    for source in sources {
        let target = first_target(&spec, &configurations);
        let mut line = arm_line(&spec, (&*source, target), &configurations, (&pools, &extras));
        if source.narrow() {
            narrow.iter().for_each(|one| line.push_str(&format!(" | {}", one.name)));
        }
        let row = Row::new(line)?;
        if arms.iter().any(|known: &Arm| known.row.id() == row.id()) {
            notes.push(format!("{} is given twice with the same meaning", source.name()));
            continue;
        }
        arms.push(Arm { source, row });
    }
    if arms.is_empty() {
        return Err(SetupError::NoSources);
    }
    Ok(Setup { spec, arms, configurations, pools, extras, narrow, notes })
}

fn configurations(
    spec: &Spec,
    notes: &mut Vec<String>,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Configuration>, SetupError> {
    let mut all = Vec::new();
    for wanted in &spec.compilers {
        progress(&format!("asking {} what it is", wanted.command));
        let configured = configured(wanted)?;
        let has_level = configured.flags.iter().any(|flag| flag.starts_with("-O"));
        let levels: Vec<String> = match (&wanted.levels[..], has_level) {
            ([], true) => vec![String::new()],
            ([], false) => {
                standard_levels(configured.compiler.family).iter().map(|&level| level.to_owned()).collect()
            }
            (levels, _) => levels.to_vec(),
        };
        for level in levels {
            let mut one = configured.clone();
            one.add_flags(level.split_whitespace().map(str::to_owned).collect())?;
            if let Dialect::CrashOnly(why) = one.dialect()? {
                let note = format!("{} is hunted for crashes and hangs only: {why}", one.compiler.name);
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            all.push(Configuration::new(one)?);
        }
    }
    Ok(all)
}

/// A compiler and its flags, with what runs its programs if the user says so.
fn configured(wanted: &CompilerSpec) -> Result<Configured, SetupError> {
    let mut configured = Configured::parse(&wanted.command)?;
    if let Some(command) = &wanted.runner {
        let words = compiler::split(command)
            .map_err(|source| CompilerError::Split { command: command.clone(), source })?;
        let missing = || CompilerError::NotFound(command.clone());
        let (name, args) = words.split_first().ok_or_else(missing)?;
        let program = on_path(name.as_ref()).ok_or_else(missing)?;
        // Jobs run in a folder of their own.
        let program = std::path::absolute(&program).unwrap_or(program);
        configured.compiler.runner = Some(compiler::Runner { program, args: args.to_vec() });
    }
    Ok(configured)
}

/// The sources that were asked for: of a technique of our own, one for each size.
fn sources(
    spec: &Spec,
    configurations: &[Configuration],
    guard: &mut Guard,
    (notes, progress): (&mut Vec<String>, &mut dyn FnMut(&str)),
) -> Result<Vec<Box<dyn Source>>, SetupError> {
    let mut all: Vec<Box<dyn Source>> = Vec::new();
    for generator in &spec.generators {
        match generator {
            GeneratorSpec::Technique { name, options } => {
                let Some(entry) = registry::named(name) else {
                    return Err(SetupError::NoTechnique(name.clone()));
                };
                let options = fitting(entry, options, configurations, guard, notes)?;
                let sizes = Own::sizes(entry, &options)
                    .map_err(|why| SetupError::Options { name: name.clone(), why })?;
                all.extend(sizes.into_iter().map(|own| Box::new(own) as Box<dyn Source>));
            }
            GeneratorSpec::Siblings { folder, options, include } => {
                let include = include.iter().map(PathBuf::from).collect();
                let recipe = Recipe { seed: spec.seed, target: first_target(spec, configurations) };
                let made = siblings((Path::new(folder), include, options), recipe, progress)?;
                let (looked_at, taken) = made.looked_at();
                if taken < looked_at {
                    let left = looked_at - taken;
                    notes.push(format!("spe takes {taken} of {looked_at} files of {folder}; {left} are not C that Howler reads, or have too many variables to count with"));
                }
                all.push(Box::new(made));
            }
            GeneratorSpec::Variants { options, from } => {
                let of = Spec { generators: vec![(**from).clone()], ..spec.clone() };
                for inner in sources(&of, configurations, guard, (notes, progress))? {
                    let made = Variants::read(inner, options);
                    let made =
                        made.map_err(|why| SetupError::Options { name: variants::NAME.to_owned(), why });
                    all.push(Box::new(made?));
                }
            }
            other => all.push(source(other, guard)?),
        }
    }
    Ok(all)
}

/// Options without what no compiler here takes; what only some do not take stays, and somebody is told.
fn fitting(
    entry: &'static registry::Entry,
    options: &[String],
    configurations: &[Configuration],
    guard: &mut Guard,
    notes: &mut Vec<String>,
) -> Result<Vec<String>, SetupError> {
    let mut options = options.to_vec();
    let name = entry.technique.name;
    for extension in entry.technique.extensions {
        let mut with = options.clone();
        with.push(extension.without.to_owned());
        let said = |words: &[String]| Own::read(entry, words).map(|own| own.line()).ok();
        if said(&with) == said(&options) {
            continue;
        }
        let refusing = probe::refusing(guard, configurations, extension.text)?;
        let all = configurations.iter().all(|one| refusing.contains(&one.configured.compiler.name));
        let who = refusing.join(", ");
        if all {
            let what = extension.name;
            notes.push(format!("{name} does without {what}, which {who} {} not take", does(&refusing)));
            options = with;
        } else if !refusing.is_empty() {
            let what = extension.name;
            let does = does(&refusing);
            notes.push(format!("{who} {does} not take {what}: {name}'s tests with it say nothing there"));
        }
    }
    Ok(options)
}

fn does(who: &[String]) -> &'static str {
    if who.len() == 1 { "does" } else { "do" }
}

fn source(generator: &GeneratorSpec, guard: &mut Guard) -> Result<Box<dyn Source>, SetupError> {
    Ok(match generator {
        // These need more than a guard.
        GeneratorSpec::Technique { name, .. } => return Err(SetupError::NoTechnique(name.clone())),
        GeneratorSpec::Siblings { folder, .. } => return Err(SetupError::EmptyCorpus(folder.into())),
        GeneratorSpec::Variants { .. } => return Err(SetupError::NoTechnique(variants::NAME.to_owned())),
        GeneratorSpec::Command { name, command, include } => {
            let include = include.iter().map(PathBuf::from).collect();
            Box::new(Command::new(guard, name, command, include)?)
        }
        GeneratorSpec::Corpus { folder, include } => {
            Box::new(corpus(Path::new(folder), include.iter().map(PathBuf::from).collect())?)
        }
    })
}

/// A folder of C files.
fn corpus(folder: &Path, include: Vec<PathBuf>) -> Result<Corpus, SetupError> {
    let corpus = Corpus::new(folder, include)
        .map_err(|source| SetupError::Corpus { folder: folder.to_owned(), source })?;
    if corpus.count() == Some(0) {
        return Err(SetupError::EmptyCorpus(folder.to_owned()));
    }
    Ok(corpus)
}

/// The variants of a folder's files.
fn siblings(
    (folder, include, options): (&Path, Vec<PathBuf>, &[String]),
    recipe: Recipe,
    progress: &mut dyn FnMut(&str),
) -> Result<Siblings, SetupError> {
    let corpus = corpus(folder, include.clone())?;
    let mut preprocessor = Preprocessor::find(None)?;
    // As the labs of a hunt have it: nobody wrote these texts by hand.
    preprocessor.limits.wall = Duration::from_secs(10);
    preprocessor.limits.output = 32 << 20;
    preprocessor.limits.address_space = Some(2 << 30);
    let made = Siblings::new((corpus, include), options, recipe, &preprocessor, progress)
        .map_err(|why| SetupError::Options { name: "spe".to_owned(), why })?;
    match made.looked_at() {
        (looked_at, 0) => Err(SetupError::NoVariants { folder: folder.to_owned(), looked_at }),
        _ => Ok(made),
    }
}

/// Everything that the result of a test depends on besides its number, on one line.
fn arm_line(
    spec: &Spec,
    (source, target): (&dyn Source, Target),
    configurations: &[Configuration],
    (pools, extras): (&[Pool], &[Extras]),
) -> String {
    let first = source.arm_line(target);
    let Spec { seed, std, steps, swarm, compile_seconds, .. } = spec;
    let mut line = format!(
        "{first} seed={seed} std={std} steps={steps} swarm={swarm} compile-seconds={compile_seconds}"
    );
    for word in source.settings() {
        line.push_str(&format!(" {word}"));
    }
    if spec.trace_volatile {
        line.push_str(" trace-volatile");
    }
    if !extras.is_empty() {
        let lines: Vec<String> = extras.iter().map(Extras::line).collect();
        line.push_str(&format!(" extras={} ({})", spec.extras, lines.join(", ")));
    }
    for runner in spec.compilers.iter().filter_map(|compiler| compiler.runner.as_ref()) {
        line.push_str(&format!(" | run by {runner}"));
    }
    for configuration in configurations {
        line.push_str(&format!(" | {} ({})", configuration.name, configuration.configured.compiler.version));
    }
    // Which random flags a test gets depends on which ones its compiler takes.
    if !pools.is_empty() {
        line.push_str(&format!(" | flags {}", hash(pools)));
    }
    // Versions and names are what others say.
    line.replace(char::is_control, " ")
}

fn hash(pools: &[Pool]) -> Id {
    let mut hash = Hasher::new("flags");
    for pool in pools {
        hash.field(pool.base.name.as_bytes());
        for flag in pool.flags.iter().flatten() {
            hash.field(flag.as_bytes());
        }
    }
    hash.finish()
}

/// The flags that each compiler takes. Compilers whose user chose a level keep to it.
fn pools(
    spec: &Spec,
    configurations: &[Configuration],
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Pool>, SetupError> {
    let mut pools: Vec<Pool> = Vec::new();
    for wanted in &spec.compilers {
        let configured = configured(wanted)?;
        let text = match configured.compiler.family {
            Family::Gcc => swarm::GCC,
            Family::Clang => swarm::CLANG,
            Family::Tcc | Family::Pcc | Family::Other => continue,
        };
        let name = &configured.compiler.name;
        let known = |pool: &Pool| pool.base.configured.compiler.name == *name;
        let of_this = |one: &&Configuration| one.configured.compiler.name == *name;
        let modelled = configurations.iter().find(of_this).is_some_and(|one| one.target.is_some());
        if !modelled || configured.flags.iter().any(|flag| flag.starts_with("-O")) || pools.iter().any(known)
        {
            continue;
        }
        progress(&format!("asking {} which flags it takes", wanted.command));
        let compiler = configured.compiler.clone();
        let accepted = |flags: &[String]| compiler.takes(flags);
        let flags = known_flags(swarm::pool(text), &accepted);
        pools.push(Pool { number: pools.len() as u64, base: Configuration::new(configured)?, flags });
    }
    Ok(pools)
}

/// The part of a pool that a compiler takes, found by halves: most of it is taken.
fn known_flags(pool: Vec<Vec<String>>, accepted: &dyn Fn(&[String]) -> bool) -> Vec<Vec<String>> {
    let spellings = pool.iter().map(Vec::len).max().unwrap_or(0);
    let mut refused: Vec<(usize, usize)> = Vec::new();
    for spelling in 0..spellings {
        let members: Vec<usize> = (0..pool.len()).filter(|&line| spelling < pool[line].len()).collect();
        let mut parts = vec![&members[..]];
        while let Some(part) = parts.pop() {
            let flags: Vec<String> =
                part.iter().flat_map(|&line| pool[line][spelling].split(' ').map(str::to_owned)).collect();
            if part.is_empty() || accepted(&flags) {
                continue;
            }
            if let [line] = part {
                refused.push((*line, spelling));
            } else {
                let (one, two) = part.split_at(part.len() / 2);
                parts.extend([one, two]);
            }
        }
    }
    let kept = pool.into_iter().enumerate().map(|(line, spellings)| {
        let spellings = spellings.into_iter().enumerate();
        spellings
            .filter(|&(spelling, _)| !refused.contains(&(line, spelling)))
            .map(|(_, flag)| flag)
            .collect()
    });
    kept.filter(|spellings: &Vec<String>| !spellings.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_programs_is_the_users_choice() {
        let wanted = |runner: &str| CompilerSpec {
            command: "cc".to_owned(),
            levels: Vec::new(),
            runner: Some(runner.to_owned()),
        };
        if howler_testkit::tool("cc").is_none() {
            return;
        }
        let configured = configured(&wanted("env -i")).unwrap();
        let runner = configured.compiler.runner.unwrap();
        assert!(runner.program.is_absolute() && runner.program.ends_with("env"));
        assert_eq!(runner.args, ["-i"]);
        for bad in ["no-such-emulator-here", "", "env '"] {
            assert!(super::configured(&wanted(bad)).is_err(), "{bad}");
        }
    }

    /// What a compiler may take decides what is a hang, and what is a default today need not be one tomorrow.
    #[test]
    fn an_arm_says_all_that_its_tests_depend_on() {
        let own = Own::read(registry::named("orange").unwrap(), &["depth=9".to_owned()]).unwrap();
        let spec = Spec { compile_seconds: 7, ..Spec::default() };
        let line = arm_line(&spec, (&own, Target::X86_64_GCC), &[], (&[], &[]));
        for part in
            [" compile-seconds=7", " operations=", " depth=9 (", " depth=9 files=", " only=", " repair="]
        {
            assert!(line.contains(part), "{part} is not in {line}");
        }
        let recipe = Recipe { seed: 1, target: Target::X86_64_GCC };
        assert_eq!(crate::own::recorded(&line, 3), Some(own.origin(recipe, 3)));
    }

    #[test]
    fn flags_that_a_compiler_refuses_are_found_in_few_questions() {
        let pool = swarm::pool("-f[no-]a\n-fb\n-f[no-]c\n--param x={1,2,3}\n");
        let asked = std::cell::Cell::new(0);
        let accepted = |flags: &[String]| {
            asked.set(asked.get() + 1);
            !flags.iter().any(|flag| flag == "-fb" || flag == "-fno-c" || flag == "x=2")
        };
        let known = known_flags(pool, &accepted);
        let expected: [&[&str]; 3] = [&["-fa", "-fno-a"], &["-fc"], &["--param x=1", "--param x=3"]];
        assert_eq!(known, expected);
        assert!(asked.get() < 20);
    }
}
