//! The variants of a folder's C files as a source of tests: which files, which of their variants, in which order.
//!
//! Files are counted when a hunt begins, so that a test is a function of its number: rounds go over all files, small ones
//! first, and give each some of its variants, twice as many in each round; small files, whose tests are cheap and whose
//! variants find most, get more. A file that has no more leaves. The first variant of each is the file itself, as it is
//! printed; the others come in a random order, none twice.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use howler_case::options::Values;
use howler_case::{Case, Origin};
use howler_choices::Choices;
use howler_lang::diag::Severity;
use howler_lang::print::Includes;
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_oracle::read::Texts;
use howler_spe::c::{self, CProgram};
use howler_spe::sample::Shuffled;
use howler_spe::space::Space;
use howler_spe::template::{Renderer, Template};
use howler_toolchain::preprocess::{Headers, Input, PreprocessOptions, Preprocessor};
use num_bigint::BigUint;

use crate::corpus::Corpus;
use crate::source::{NoCase, Recipe, Source, Workshop};
use crate::spe::FROM;

/// The variants of a folder's files.
pub struct Siblings {
    corpus: Corpus,
    include: Vec<PathBuf>,
    values: Values,
    files: Vec<Sibling>,
    stretches: Vec<Stretch>,
    total: u64,
    looked_at: usize,
    opened: Mutex<VecDeque<(u64, Arc<Opened>)>>,
}

/// A file that has variants.
struct Sibling {
    /// Its number in the corpus.
    number: u64,
    /// How many variants it has.
    count: BigUint,
    /// How many of them are tests.
    taken: u64,
    /// How many of them the first round with a choice takes.
    share: u64,
}

/// Tests after each other that are variants of one file.
struct Stretch {
    /// The first one.
    start: u64,
    file: usize,
    /// The place of the first one's variant in the file's order.
    place: u64,
}

/// A file that was read.
struct Opened {
    head: String,
    template: CProgram,
    space: Space,
}

/// Larger files are left out: they have more variants than can be tested, and each is dear.
const MOST_BYTES: u64 = 64 << 10;
/// Files whose variants are kept ready.
const KEPT: usize = 16;

impl Siblings {
    /// Looks at the files of a corpus.
    pub fn new(
        (corpus, include): (Corpus, Vec<PathBuf>),
        options: &[String],
        recipe: Recipe,
        preprocessor: &Preprocessor,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Siblings, String> {
        let values = FROM.read(options).map_err(|error| error.to_string())?;
        let candidates = drawn(&corpus, recipe.seed, values.number("files"));
        let mut siblings = Siblings {
            corpus,
            include,
            values,
            files: Vec::new(),
            stretches: Vec::new(),
            total: 0,
            looked_at: candidates.len(),
            opened: Mutex::new(VecDeque::new()),
        };
        siblings.files = siblings.counted(&candidates, recipe.target, preprocessor, progress);
        siblings.plan();
        Ok(siblings)
    }

    /// How many files were looked at, and how many of them have variants.
    pub fn looked_at(&self) -> (usize, usize) {
        (self.looked_at, self.files.len())
    }

    /// Counts the variants of files, on all cores.
    fn counted(
        &self,
        candidates: &[(u64, u64)],
        target: Target,
        preprocessor: &Preprocessor,
        progress: &mut dyn FnMut(&str),
    ) -> Vec<Sibling> {
        let limit = self.values.number("limit");
        let next = AtomicUsize::new(0);
        let work = || {
            let mut mine = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(&(number, bytes)) = candidates.get(at) else { return mine };
                let Ok(opened) = self.read(number, target, preprocessor) else { continue };
                let count = opened.space.count().clone();
                let taken = u64::try_from(&count).unwrap_or(limit).min(limit);
                mine.push((at, Sibling { number, count, taken, share: share(bytes) }));
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut all: Vec<(usize, Sibling)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
            while !threads.iter().all(std::thread::ScopedJoinHandle::is_finished) {
                let done = next.load(Ordering::Relaxed).min(candidates.len());
                progress(&format!("counting variants: {done} of {} files", candidates.len()));
                std::thread::sleep(Duration::from_millis(20));
            }
            // A file that makes Howler panic is none.
            threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
        });
        all.sort_by_key(|(at, _)| *at);
        all.into_iter().map(|(_, sibling)| sibling).collect()
    }

    /// Says which tests are variants of which file.
    fn plan(&mut self) {
        let mut done = vec![0; self.files.len()];
        for round in 0.. {
            let before = self.total;
            for (file, sibling) in self.files.iter().enumerate() {
                let wanted = if round == 0 { 1 } else { sibling.share << (round - 1).min(MOST_DOUBLINGS) };
                let count = wanted.min(sibling.taken - done[file]);
                if count > 0 {
                    self.stretches.push(Stretch { start: self.total, file, place: done[file] });
                    done[file] += count;
                    self.total += count;
                }
            }
            if self.total == before {
                return;
            }
        }
    }

    /// The file of a test, and the number of its variant.
    fn find(&self, seed: u64, index: u64) -> Option<(&Sibling, BigUint)> {
        if index >= self.total {
            return None;
        }
        let at = self.stretches.partition_point(|stretch| stretch.start <= index).checked_sub(1)?;
        let stretch = &self.stretches[at];
        let sibling = &self.files[stretch.file];
        let place = stretch.place + (index - stretch.start);
        let Some(rest) = place.checked_sub(1) else { return Some((sibling, BigUint::ZERO)) };
        let mut choices = Choices::new(seed).sub("spe").sub_indexed("file", sibling.number);
        let shuffled = Shuffled::new(&sibling.count - 1u32, &mut choices);
        Some((sibling, shuffled.get(&rest.into())? + 1u32))
    }

    /// A file as it was read last, or read again.
    fn open(&self, number: u64, target: Target, preprocessor: &Preprocessor) -> Result<Arc<Opened>, String> {
        // Whoever held the lock did nothing but move entries.
        let kept = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().iter().find(|(known, _)| *known == number).map(|(_, opened)| Arc::clone(opened));
        if let Some(known) = known {
            return Ok(known);
        }
        let opened = Arc::new(self.read(number, target, preprocessor)?);
        let mut kept = kept();
        kept.push_back((number, Arc::clone(&opened)));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        Ok(opened)
    }

    fn read(&self, number: u64, target: Target, preprocessor: &Preprocessor) -> Result<Opened, String> {
        let (text, folder) = self.corpus.read(number).map_err(|error| error.to_string())?;
        let options = PreprocessOptions {
            target,
            defines: Vec::new(),
            include_dirs: std::iter::once(folder).chain(self.include.iter().cloned()).collect(),
            headers: Headers::OursThenSystem,
        };
        let input = Input::Text { name: "test.c", text: &text };
        let mut texts = Texts::new(preprocessor, input, options).map_err(|error| error.to_string())?;
        let mut program = Program::new(target);
        let front = howler_front::Options { pedantic_errors: false };
        let unit = texts.parse_into(&mut program, &front);
        let worst = unit.diagnostics.iter().find(|one| one.severity >= Severity::Unsupported);
        if let Some(worst) = worst {
            return Err(worst.message.clone());
        }
        let index = unit.unit.ok_or_else(|| "it is no unit".to_owned())?;
        let includes = if unit.undefines { Includes::Expand } else { Includes::Keep };
        let template = CProgram::new(&program, index, c::Options { includes, ..c::Options::default() });
        let skeleton = template.skeleton().map_err(|error| error.to_string())?;
        let space = Space::new(skeleton).map_err(|error| error.to_string())?;
        let head: String = unit.feature_macros.iter().map(|definition| format!("{definition}\n")).collect();
        let head = if template.text().lines().any(|line| line.starts_with("#include")) {
            head
        } else {
            String::new()
        };
        Ok(Opened { head, template, space })
    }

    fn file(&self, sibling: &Sibling) -> String {
        let file = self.corpus.file(sibling.number).unwrap_or(Path::new("?"));
        file.display().to_string().replace(char::is_control, " ")
    }
}

/// Variants of a file do not double for ever: what comes late finds little.
const MOST_DOUBLINGS: u64 = 8;

/// How many variants of a file come in the first round with a choice: what is small is cheap, and finds most.
fn share(bytes: u64) -> u64 {
    match bytes {
        0..=1023 => 8,
        1024..=2047 => 4,
        2048..=4095 => 2,
        _ => 1,
    }
}

/// Files of a corpus, by their numbers and lengths: small ones first, but not always the same.
fn drawn(corpus: &Corpus, seed: u64, wanted: u64) -> Vec<(u64, u64)> {
    let choices = Choices::new(seed).sub("spe files");
    let mut all: Vec<(u64, u64, u64)> = (corpus.lengths().enumerate())
        .filter(|&(_, bytes)| bytes <= MOST_BYTES)
        .map(|(number, bytes)| {
            let luck = choices.sub_indexed("file", number as u64).range("luck", 1..=16u64);
            (bytes.saturating_add(128).saturating_mul(luck), number as u64, bytes)
        })
        .collect();
    all.sort_unstable();
    all.truncate(usize::try_from(wanted).unwrap_or(usize::MAX));
    let mut all: Vec<(u64, u64)> = all.into_iter().map(|(_, number, bytes)| (number, bytes)).collect();
    all.sort_by_key(|&(number, bytes)| (bytes, number));
    all
}

impl Source for Siblings {
    fn name(&self) -> &str {
        "spe"
    }

    fn line(&self) -> String {
        format!("spe from {} ({})", self.corpus.line(), env!("CARGO_PKG_VERSION"))
    }

    fn arm_line(&self, target: Target) -> String {
        format!("{} target={}", self.line(), target.name())
    }

    fn settings(&self) -> Vec<String> {
        self.values.complete_words()
    }

    fn version(&self) -> &str {
        self.corpus.version()
    }

    fn narrow(&self) -> bool {
        true
    }

    fn origin(&self, recipe: Recipe, index: u64) -> Origin {
        let arm = match self.find(recipe.seed, index) {
            Some((sibling, number)) => format!("spe variant={number} of {}", self.file(sibling)),
            None => "spe".to_owned(),
        };
        Origin { arm, version: self.version().to_owned(), seed: recipe.seed, index }
    }

    fn title(&self, seed: u64, index: u64) -> String {
        match self.find(seed, index) {
            Some((sibling, number)) => format!("{} variant {number}", self.file(sibling)),
            None => format!("spe #{index}"),
        }
    }

    fn count(&self) -> Option<u64> {
        Some(self.total)
    }

    fn make(&self, shop: &mut Workshop<'_>, index: u64) -> Result<Case, NoCase> {
        let failed = |why: &str| NoCase::Failed(why.to_owned());
        let found = self.find(shop.recipe.seed, index);
        let (sibling, number) = found.ok_or_else(|| failed("there is no such variant"))?;
        let opened = self.open(sibling.number, shop.recipe.target, shop.preprocessor);
        let opened = opened.map_err(|why| failed(&why))?;
        let filled = opened.space.unrank(&number).ok_or_else(|| failed("the file has other variants now"))?;
        let renderer = Renderer::new(&opened.template, &filled);
        let text = format!("{}{}", opened.head, renderer.text());
        Ok(Case::new("test.c", text, shop.recipe.target.std, self.origin(shop.recipe, index)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files by name, each with its text.
    fn siblings(files: &[(&str, &str)], options: &[&str]) -> Option<(tempfile::TempDir, Siblings)> {
        howler_testkit::tool("gcc")?;
        let scratch = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(scratch.path().join(name), text).unwrap();
        }
        let corpus = Corpus::new(scratch.path(), Vec::new()).unwrap();
        let options: Vec<String> = options.iter().map(|&word| word.to_owned()).collect();
        let recipe = Recipe { seed: 1, target: Target::X86_64_GCC };
        let preprocessor = Preprocessor::find(Some("gcc".as_ref())).unwrap();
        let made = Siblings::new((corpus, Vec::new()), &options, recipe, &preprocessor, &mut |_| ());
        Some((scratch, made.unwrap()))
    }

    const TWO: &str = "void f(void) { int a, b; a = b; b = a; }\n";
    const ONE: &str = "int main(void) { return 0; }\n";

    #[test]
    fn every_variant_of_every_file_is_a_test_once() {
        let files = [("two.c", TWO), ("one.c", ONE), ("bad.c", "int 3;\n"), ("again.c", TWO)];
        let Some((_scratch, siblings)) = siblings(&files, &[]) else { return };
        assert_eq!(siblings.looked_at(), (4, 3));
        // Four holes for two interchangeable variables.
        assert_eq!(siblings.count(), Some(8 + 8 + 1));
        let mut titles: Vec<String> = (0..17).map(|index| siblings.title(1, index)).collect();
        let firsts: Vec<&str> = titles[..3].iter().map(|title| title.split_once(' ').unwrap().1).collect();
        assert_eq!(firsts, ["variant 0"; 3], "the files themselves come first");
        titles.sort();
        titles.dedup();
        assert_eq!(titles.len(), 17);
        assert_eq!(siblings.title(1, 17), "spe #17");
    }

    #[test]
    fn a_file_gives_no_more_than_the_limit() {
        let Some((_scratch, siblings)) = siblings(&[("two.c", TWO), ("one.c", ONE)], &["limit=5"]) else {
            return;
        };
        assert_eq!(siblings.count(), Some(6));
    }

    #[test]
    fn small_files_come_first_when_not_all_can() {
        let long = format!("{TWO}/* {} */\n", "x".repeat(60_000));
        let Some((_scratch, siblings)) = siblings(&[("a.c", &long), ("b.c", TWO)], &["files=1"]) else {
            return;
        };
        assert_eq!((siblings.looked_at(), siblings.title(1, 0)), ((1, 1), "b.c variant 0".to_owned()));
    }

    #[test]
    fn an_arm_is_its_files_and_its_options() {
        let line = |text: &str, options: &[&str]| {
            let (_scratch, made) = siblings(&[("a.c", text)], options)?;
            Some(format!("{} {:?}", made.arm_line(Target::X86_64_GCC), made.settings()))
        };
        let Some(first) = line(TWO, &[]) else { return };
        assert_eq!(Some(&first), line(TWO, &[]).as_ref());
        assert_ne!(Some(&first), line(ONE, &[]).as_ref());
        assert_ne!(Some(&first), line(TWO, &["limit=7"]).as_ref());
        assert!(first.contains("limit=10000"), "{first}");
    }
}
