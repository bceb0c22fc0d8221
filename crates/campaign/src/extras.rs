//! Configurations beside the levels that ask other questions of the same test: does `-g` change code, does the program
//! still behave after link-time optimisation, or when it is compiled with a profile of itself, and does the compiler
//! survive telling what it optimised (passes then look at more than they would: clang 14 to 19 crash there).
//!
//! They cost more than a level (two or three compilations, a run, a slow linker), so only some tests have one for each
//! compiler. gcc compares the code itself (`-fcompare-debug`); of clang the code of `-g` is compared with that of the
//! same level without it.

use std::path::Path;

use howler_choices::Choices;
use howler_oracle::lab::Configuration;
use howler_toolchain::compiler::{Compiler, Family};
use howler_toolchain::guard::{Guard, GuardError, Job, Limits};

/// Has a compiler write what it optimised, and what not, to a file.
const RECORD: &str = "-fsave-optimization-record";

/// What one compiler has beyond its levels.
#[derive(Debug)]
pub struct Extras {
    /// Its place among all.
    number: u64,
    /// Its configurations that an extra flag can be added to.
    bases: Vec<Configuration>,
    /// The flags.
    flags: Vec<&'static str>,
}

impl Extras {
    /// One of its configurations with one of the flags.
    pub fn draw(&self, choices: &Choices) -> Option<Configuration> {
        let mut choices = choices.sub_indexed("extra", self.number);
        let base = choices.range("base", 0..=(self.bases.len() as u64).checked_sub(1)?);
        let flag = choices.range("flag", 0..=(self.flags.len() as u64).checked_sub(1)?);
        let mut drawn = self.bases.get(usize::try_from(base).ok()?)?.clone();
        let mut flags = drawn.configured.flags.clone();
        flags.push((*self.flags.get(usize::try_from(flag).ok()?)?).to_owned());
        drawn.set_flags(flags);
        Some(drawn)
    }

    /// Whether [`Extras::draw`] may have given this.
    pub fn offers(&self, configuration: &Configuration) -> bool {
        let Some((last, flags)) = configuration.configured.flags.split_last() else { return false };
        let is_base = |base: &Configuration| {
            base.configured.compiler == configuration.configured.compiler && base.configured.flags == flags
        };
        self.flags.contains(&last.as_str()) && self.bases.iter().any(is_base)
    }

    /// What is drawn from, on one line: `gcc-12 -fcompare-debug -flto`.
    pub fn line(&self) -> String {
        let name = self.bases.first().map_or("", |base| base.configured.compiler.name.as_str());
        std::iter::once(name).chain(self.flags.iter().copied()).collect::<Vec<_>>().join(" ")
    }
}

/// Finds out what each compiler takes. Those whose meaning is not modelled have none, and neither have those whose user
/// chose such flags already.
pub fn find(guard: &mut Guard, configurations: &[Configuration]) -> Result<Vec<Extras>, GuardError> {
    let mut all: Vec<Extras> = Vec::new();
    for configuration in configurations {
        let compiler = &configuration.configured.compiler;
        let known =
            |extras: &&mut Extras| extras.bases.iter().any(|base| base.configured.compiler == *compiler);
        let chosen = |flag: &String| ["-g", "-flto", "-fprofile"].iter().any(|start| flag.starts_with(start));
        let plain = configuration.configured.flags.iter().any(|flag| flag == "-O0");
        let odd = configuration.configured.flags.iter().any(chosen);
        if configuration.target.is_none() || !compiler.is_runnable() || plain || odd {
            continue;
        }
        if let Some(extras) = all.iter_mut().find(known) {
            extras.bases.push(configuration.clone());
            continue;
        }
        let mut flags = Vec::new();
        for &flag in offered(compiler) {
            if works(guard, configuration, flag)? {
                flags.push(flag);
            }
        }
        if !flags.is_empty() {
            all.push(Extras { number: all.len() as u64, bases: vec![configuration.clone()], flags });
        }
    }
    Ok(all)
}

fn offered(compiler: &Compiler) -> &'static [&'static str] {
    match compiler.family {
        Family::Gcc => &["-fcompare-debug", "-flto", "-fprofile-use", RECORD],
        Family::Clang => &["-g", "-flto", "-fprofile-use", RECORD],
        Family::Tcc | Family::Pcc | Family::Other => &[],
    }
}

/// Whether a program can be built so, and a program that counts can be, too.
pub(crate) fn works(
    guard: &mut Guard,
    configuration: &Configuration,
    flag: &str,
) -> Result<bool, GuardError> {
    let compiler = &configuration.configured.compiler;
    if flag == "-fprofile-use" && compiler.family == Family::Clang && compiler.profile_merger().is_none() {
        return Ok(false);
    }
    let flag = if flag == "-fprofile-use" { "-fprofile-generate" } else { flag };
    let what = [&configuration.configured.flags[..], &[flag.to_owned()]].concat();
    if compiler.is_known_to(&what) {
        return Ok(true);
    }
    guard.clear()?;
    let scratch = guard.scratch().to_owned();
    let failed = |error: std::io::Error| GuardError::Failed(error.to_string());
    guard.write("test.c", b"int main(void) { return 0; }\n").map_err(failed)?;
    let mut job = compiler.job();
    let flags = configuration.configured.flags.iter().map(String::as_str);
    job.args = compiler.command_line(flags.chain([flag, "-w", "-o", "program", "test.c"]));
    job.limits = Limits::default();
    let built = guard.run(&job)?.success() && scratch.join("program").is_file();
    if !built {
        return Ok(false);
    }
    let mut run = Job::new(Path::new("./program"));
    run.limits = Limits::default();
    let works = guard.run(&run)?.success();
    if works {
        compiler.works_with(&what);
    }
    Ok(works)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_one_flag_on_one_level() {
        if howler_testkit::tool("gcc").is_none() {
            return;
        }
        let base = Configuration::parse("gcc -O2").unwrap();
        let mut other = base.clone();
        other.set_flags(vec!["-O3".to_owned()]);
        let extras = Extras { number: 0, bases: vec![base, other], flags: vec!["-fcompare-debug", "-flto"] };
        assert_eq!(extras.line(), "gcc -fcompare-debug -flto");
        let names: Vec<String> =
            (0..40).filter_map(|seed| Some(extras.draw(&Choices::new(seed))?.name)).collect();
        for name in ["gcc -O2 -flto", "gcc -O3 -flto", "gcc -O2 -fcompare-debug", "gcc -O3 -fcompare-debug"] {
            assert!(names.iter().any(|drawn| drawn == name), "{names:?}");
        }
        assert_eq!(names.len(), 40);
        assert!((0..40).all(|seed| extras.draw(&Choices::new(seed)).is_some_and(|one| extras.offers(&one))));
        assert!(!extras.bases.iter().any(|base| extras.offers(base)));
        assert_eq!(extras.draw(&Choices::new(3)), extras.draw(&Choices::new(3)));
    }
}
