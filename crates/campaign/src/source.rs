//! Where programs come from: a technique of our own, any command that prints C, or a folder of files (`corpus`).
//!
//! Whatever the source, a test is a function of (source, campaign seed, index). A corpus carries the hash of its
//! files and a command its version in its line, so that another corpus or another version is another arm.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use howler_case::id::Hasher;
use howler_case::{Case, Origin};
use howler_choices::Choices;
use howler_lang::source::LineMarker;
use howler_lang::target::Target;
use howler_toolchain::guard::{Guard, GuardError, Job};
use howler_toolchain::headers;
use howler_toolchain::preprocess::{
    Headers, Input, PreprocessOptions, Preprocessor, for_compilers, preprocess,
};

/// A source of programs.
pub trait Source: Send + Sync {
    /// What tables call it.
    fn name(&self) -> &str;

    /// Everything its programs depend on, on one line.
    fn line(&self) -> String;

    /// The version of what makes the programs.
    fn version(&self) -> &str;

    /// Its line with what its programs depend on because a hunt made them for a target: what stands first in the line of
    /// an arm.
    fn arm_line(&self, _target: Target) -> String {
        self.line()
    }

    /// All that it was told, those things included that nothing was said about: a changed default is another arm.
    fn settings(&self) -> Vec<String> {
        Vec::new()
    }

    /// The line of the test with this number.
    fn origin(&self, recipe: Recipe, index: u64) -> Origin {
        let (arm, version) = (self.name().to_owned(), self.version().to_owned());
        Origin { arm, version, seed: recipe.seed, index }
    }

    /// What a person calls the test with this number: a file, the command that makes it, or a number.
    fn title(&self, _seed: u64, index: u64) -> String {
        format!("{} #{index}", self.name())
    }

    /// How large its tests are, among all that a hunt has.
    fn grade(&self) -> Grade {
        Grade::Any
    }

    /// Whether its tests are compiled for 32 bits too.
    fn narrow(&self) -> bool {
        false
    }

    /// How many tests it has, if they end.
    fn count(&self) -> Option<u64> {
        None
    }

    /// Makes a test.
    fn make(&self, shop: &mut Workshop<'_>, index: u64) -> Result<Case, NoCase>;

    /// Makes a test as small as it gets while `fails` holds for it. `None` if the source cannot, or if `fails` does not
    /// hold for the test itself.
    fn minimise(
        &self,
        _recipe: Recipe,
        _index: u64,
        _fails: &mut dyn FnMut(&Case) -> bool,
        _stop: &AtomicBool,
    ) -> Option<Minimal> {
        None
    }

    /// Whether [`Source::minimise`] is worth trying.
    fn minimises(&self) -> bool {
        false
    }
}

/// How large tests are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grade {
    /// A fraction of a second for a compiler at all its levels.
    Small,
    /// About a second.
    Medium,
    /// Seconds.
    Large,
    /// Nobody knows.
    Any,
}

impl Grade {
    /// The grade of a size by its name.
    pub fn named(name: &str) -> Grade {
        match name {
            "small" => Grade::Small,
            "medium" => Grade::Medium,
            "large" => Grade::Large,
            _ => Grade::Any,
        }
    }

    /// What all tests of the grade count for.
    pub(crate) fn weight(self) -> f64 {
        match self {
            Grade::Small => 7.0,
            Grade::Medium => 1.8,
            // Its tests are dear: the last one of a short hunt is more than its part.
            Grade::Large => 1.5,
            Grade::Any => 3.0,
        }
    }
}

/// What tests are made from, besides their number.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The campaign's seed.
    pub seed: u64,
    /// The target that they are made for, the standard included.
    pub target: Target,
}

/// A test that cannot be made smaller.
#[derive(Clone, Debug)]
pub struct Minimal {
    /// The test.
    pub case: Case,
    /// What is left, without values and names: two failures of one pattern are taken for one bug.
    pub pattern: String,
    /// The part of that which matters to a compiler that does not optimise.
    pub gist: String,
    /// How many times the test was tried.
    pub runs: u64,
}

/// What a source works with.
pub struct Workshop<'a> {
    /// Runs commands.
    pub guard: &'a mut Guard,
    /// Makes texts that need no header.
    pub preprocessor: &'a Preprocessor,
    /// The seed, and the target that programs are made for first of all.
    pub recipe: Recipe,
    /// What commands have used since it was last set to nothing.
    pub spent: Duration,
}

/// Why there is no test with this number.
#[derive(Debug, thiserror::Error)]
pub enum NoCase {
    /// The generator failed: a test like any other, of which nothing is known.
    #[error("{0}")]
    Failed(String),
    /// The guard is gone: nothing can be run.
    #[error(transparent)]
    Guard(#[from] GuardError),
}

/// The decisions of one test.
pub fn choices(seed: u64, line: &str, index: u64) -> Choices {
    let mut hash = Hasher::new("source");
    hash.field(line.as_bytes());
    let key = u64::from_le_bytes(*hash.finish().bytes().first_chunk().expect("an id has 16 bytes"));
    Choices::new(seed ^ key).sub_indexed("test", index)
}

/// A command that writes a C program to standard output.
pub struct Command {
    name: String,
    command: String,
    include_dirs: Vec<PathBuf>,
    version: String,
}

/// Characters of a version that count.
const VERSION: usize = 200;

/// A longer text is no test.
pub(crate) const MAX_FILE: u64 = 8 << 20;

/// What a generator may take for one program. Csmith never ends for some seeds.
const GENERATE: Duration = Duration::from_secs(20);

impl Command {
    /// A command in which `{seed}` stands for a number. Its first word is asked for its `--version`.
    pub fn new(
        guard: &mut Guard,
        name: &str,
        command: &str,
        include_dirs: Vec<PathBuf>,
    ) -> Result<Command, GuardError> {
        let word = command.split_whitespace().next().unwrap_or_default();
        let mut job = shell(&format!("{word} --version"));
        job.limits.wall = GENERATE;
        let finished = guard.run(&job)?;
        let text = String::from_utf8_lossy(&finished.stdout).into_owned();
        let first = text.lines().next().unwrap_or_default().trim();
        let version = if finished.success() && !first.is_empty() { first } else { "unknown" };
        let word = |c: char| if c.is_whitespace() || c.is_control() { '-' } else { c };
        Ok(Command {
            name: name.to_owned(),
            command: command.to_owned(),
            include_dirs,
            version: version.chars().take(VERSION).map(word).collect(),
        })
    }
}

/// The command that makes the test with this number. Small numbers first, so that people can type them; another campaign
/// seed is another stretch of them.
pub(crate) fn seeded(command: &str, seed: u64, index: u64) -> String {
    let number = (seed.wrapping_sub(1) << 32).wrapping_add(index.wrapping_add(1));
    command.replace("{seed}", &number.to_string())
}

fn shell(script: &str) -> Job {
    let mut job = Job::new("/bin/sh");
    job.args(["-c", script]);
    job
}

impl Source for Command {
    fn name(&self) -> &str {
        &self.name
    }

    /// Of Csmith as it comes half the programs cost seconds.
    fn grade(&self) -> Grade {
        if self.name == "csmith" {
            Grade::Large
        } else {
            Grade::named(self.name.rsplit(' ').next().unwrap_or(""))
        }
    }

    fn line(&self) -> String {
        format!("command {} ({})", self.command, self.version)
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn origin(&self, recipe: Recipe, index: u64) -> Origin {
        let arm = self.command.replace(char::is_control, " ");
        Origin { arm, version: self.version.clone(), seed: recipe.seed, index }
    }

    fn title(&self, seed: u64, index: u64) -> String {
        seeded(&self.command, seed, index).replace(char::is_control, " ")
    }

    fn make(&self, shop: &mut Workshop<'_>, index: u64) -> Result<Case, NoCase> {
        let script = seeded(&self.command, shop.recipe.seed, index);
        let mut job = shell(&script);
        job.limits.wall = GENERATE;
        job.limits.cpu = GENERATE;
        let finished = shop.guard.run(&job)?;
        shop.spent += finished.cpu;
        if !finished.success() {
            let why = match finished.why {
                Some(excess) => format!("over its limit of {}", excess.name()),
                None => finished.end.to_string(),
            };
            let said = String::from_utf8_lossy(&finished.stderr);
            let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            return Err(NoCase::Failed(format!("{why} {said}").trim_end().to_owned()));
        }
        if finished.stdout.len() as u64 > MAX_FILE {
            return Err(NoCase::Failed(format!("a program of {} bytes", finished.stdout.len())));
        }
        let text = String::from_utf8_lossy(&finished.stdout).into_owned();
        let text = without_includes(shop, &text, &self.include_dirs);
        let origin = self.origin(shop.recipe, index);
        Ok(Case::new("test.c", text, shop.recipe.target.std, origin))
    }
}

/// The text with the user's headers in it: a case goes to places where they are not. A program that includes standard
/// headers only stays as it is, and so does one that needs headers that nobody has: whoever reads it finds out why.
pub(crate) fn without_includes(shop: &Workshop<'_>, text: &str, include_dirs: &[PathBuf]) -> String {
    if includes(text).all(is_standard) {
        return text.to_owned();
    }
    let options = PreprocessOptions {
        target: shop.recipe.target,
        defines: Vec::new(),
        include_dirs: include_dirs.to_vec(),
        headers: Headers::Ours,
    };
    match preprocess(shop.preprocessor, Input::Text { name: "test.c", text }, &options) {
        Ok(done) => with_few_markers(&for_compilers(&done.text)),
        Err(_) => text.to_owned(),
    }
}

/// What stands after each `#include` of a text.
pub(crate) fn includes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        Some(directive.strip_prefix("include")?.trim())
    })
}

/// Whether it is a header that we have: `<stdio.h>`.
pub(crate) fn is_standard(operand: &str) -> bool {
    let name = operand.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(name, _)| name);
    name.is_some_and(|name| headers::is_public(name) && headers::ALL.iter().any(|(known, _)| *known == name))
}

/// Drops line markers and what is left of the blank lines around them: a reader wants the program. Where one of our own
/// headers begins and ends is kept, for what is in there is not the program's doing.
fn with_few_markers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let (mut blank, mut in_ours) = (true, false);
    for line in text.lines() {
        if let Some(marker) = LineMarker::read(line.as_bytes()) {
            let ours = marker.file.map_or(in_ours, |file| file.starts_with("<howler>/"));
            if ours == in_ours {
                continue;
            }
            in_ours = ours;
        } else if blank && line.trim().is_empty() {
            continue;
        }
        blank = line.trim().is_empty();
        plain.push_str(line.trim_end());
        plain.push('\n');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_go_and_directives_stay() {
        let text = "# 1 \"test.c\"\n\n\n#pragma pack(1)\nint a; \n# 3 \"x.h\" 1\n\n\nint b;\n# 2 \"test.c\" 2\nint c;\n";
        assert_eq!(with_few_markers(text), "#pragma pack(1)\nint a;\n\nint b;\nint c;\n");
    }

    #[test]
    fn our_headers_can_be_told_from_the_program() {
        let enter = "# 1 \"<howler>/stdio.h\" 1 3";
        let inner = "# 1 \"<howler>/howler/size_t.h\" 1 3\nint a;\n# 9 \"<howler>/stdio.h\" 2 3";
        let text = format!("# 1 \"test.c\"\n{enter}\n{inner}\nint b;\n# 2 \"test.c\" 2\nint c;\n");
        assert_eq!(with_few_markers(&text), format!("{enter}\nint a;\nint b;\n# 2 \"test.c\" 2\nint c;\n"));
    }

    #[test]
    fn standard_headers_are_told_from_others() {
        let standard = |text: &str| includes(text).all(is_standard);
        assert!(standard("int x;\n#define A <b.h>\n"));
        assert!(standard("#include <stdio.h>\n # include <sys/types.h> /* types */\n"));
        for text in ["#include \"stdio.h\"", "#include <csmith.h>", "#include A", "#include_next <stdio.h>"] {
            assert!(!standard(text), "{text}");
        }
        assert!(!standard("#include <howler/size_t.h>"));
    }

    #[test]
    fn decisions_depend_on_all_three() {
        let word = |seed, line, index| choices(seed, line, index).bits("word", 64);
        assert_eq!(word(1, "a", 2), word(1, "a", 2));
        assert!(word(1, "a", 2) != word(2, "a", 2));
        assert!(word(1, "a", 2) != word(1, "b", 2));
        assert!(word(1, "a", 2) != word(1, "a", 3));
    }
}
