//! Howler's own techniques as sources of tests: a test is a function of the technique, its options, the target, the seed
//! and a number, and one line says all of that.
//!
//! No compiler and no process is needed to make one.

use std::sync::atomic::AtomicBool;

use howler_case::options::Values;
use howler_case::{Case, Generator, Origin, Size};
use howler_lang::suggest;
use howler_lang::target::Target;

use crate::registry::{self, Entry, TECHNIQUES};
use crate::source::{Grade, Minimal, NoCase, Recipe, Source, Workshop, choices, seeded};

/// A technique with its options.
pub struct Own {
    entry: &'static Entry,
    values: Values,
    generator: Box<dyn Generator>,
    words: String,
    name: String,
    grade: Grade,
}

/// A line that makes no test here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadLine {
    /// Not an origin at all.
    #[error(transparent)]
    Origin(#[from] howler_case::origin::BadOrigin),
    /// Made by a command, which makes it again.
    #[error("a command of yours made it: {0}")]
    Command(String),
    /// Made by something else.
    #[error("'{arm}' is none of Howler's own techniques ({known}){hint}; what was in a folder only that folder has", known = registry::names())]
    NotOurs {
        /// The arm.
        arm: String,
        /// What was probably meant.
        hint: String,
    },
    /// Programs of another version are other programs.
    #[error("the line is from Howler {theirs} and this is {ours}, which makes other programs of it")]
    Version {
        /// The version of the line.
        theirs: String,
        /// This version.
        ours: &'static str,
    },
    /// A line as they were before targets were in them.
    #[error("the line does not say for which target; with 'target={}' behind the options it does", Target::X86_64_GCC.name())]
    NoTarget,
    /// A target that does not exist.
    #[error("there is no target '{0}'; '{known}' is one", known = Target::X86_64_GCC.name())]
    Target(String),
    /// Options that make no sense.
    #[error("{0}")]
    Options(String),
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Own {
    /// A technique with options, or why they make no sense.
    pub fn new(entry: &'static Entry, values: Values) -> Result<Own, String> {
        let generator = (entry.technique.generator)(&values)?;
        let mut words = vec![entry.technique.name.to_owned()];
        words.extend(values.words());
        let name = entry.technique.name.to_owned();
        Ok(Own { entry, values, generator, words: words.join(" "), name, grade: Grade::Any })
    }

    /// A technique in each of its sizes, for new tests with `key=value` words; in one if the words say how large they are.
    pub fn sizes(entry: &'static Entry, words: &[String]) -> Result<Vec<Own>, String> {
        let key = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
        let sizes = entry.technique.sizes;
        let chosen: Vec<String> = words.iter().map(|word| key(word)).collect();
        let is_chosen = sizes.iter().flat_map(|size| size.options).any(|word| chosen.contains(&key(word)));
        let in_size = |size: &Size| {
            let words: Vec<String> =
                words.iter().cloned().chain(size.options.iter().map(|&word| word.to_owned())).collect();
            let own = Own::read(entry, &words)?;
            let name = format!("{} {}", entry.technique.name, size.name);
            Ok(Own { name, grade: Grade::named(size.name), ..own })
        };
        let all: Result<Vec<Own>, String> = sizes.iter().map(in_size).collect();
        match all {
            Ok(all) if !is_chosen && !all.is_empty() => Ok(all),
            // Words that leave no room for one of the sizes say how large tests are, too.
            _ => Ok(vec![Own::read(entry, words)?]),
        }
    }

    /// A technique for new tests with `key=value` words, or why they make no sense.
    pub fn read(entry: &'static Entry, words: &[String]) -> Result<Own, String> {
        let mut values = entry.technique.options.read(words).map_err(|error| error.to_string())?;
        (entry.technique.settle)(&mut values);
        Own::new(entry, values)
    }

    /// Reads the line of a test: the technique, what it is made from, and its number.
    ///
    /// ```
    /// use howler_campaign::own::Own;
    /// let version = env!("CARGO_PKG_VERSION");
    /// let line = format!("orange depth=9 target=i386/gcc/gnu17 version={version} seed=1 index=5");
    /// let (own, recipe, index) = Own::of_origin(&line).unwrap();
    /// let case = own.test(recipe, index);
    /// assert_eq!(case.origin.to_string(), line);
    /// ```
    pub fn of_origin(line: &str) -> Result<(Own, Recipe, u64), BadLine> {
        let origin: Origin = line.trim().parse()?;
        let mut words = origin.arm.split_whitespace();
        let name = words.next().unwrap_or_default();
        let Some(entry) = registry::named(name) else {
            if origin.arm.contains("{seed}") {
                return Err(BadLine::Command(seeded(&origin.arm, origin.seed, origin.index)));
            }
            let hint = suggest::hint(name, TECHNIQUES.iter().map(|entry| entry.technique.name));
            return Err(BadLine::NotOurs { arm: origin.arm.clone(), hint });
        };
        if origin.version != VERSION {
            return Err(BadLine::Version { theirs: origin.version, ours: VERSION });
        }
        let (targets, options): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with(TARGET));
        let [target] = targets[..] else { return Err(BadLine::NoTarget) };
        let target = &target[TARGET.len()..];
        let target = Target::parse(target).ok_or_else(|| BadLine::Target(target.to_owned()))?;
        let values = entry.technique.options.read(options);
        let own = values.map_err(|error| error.to_string()).and_then(|values| Own::new(entry, values));
        let own = own.map_err(BadLine::Options)?;
        Ok((own, Recipe { seed: origin.seed, target }, origin.index))
    }

    /// The test with this number.
    pub fn test(&self, recipe: Recipe, index: u64) -> Case {
        let mut choices = choices(recipe.seed, &self.line(), index);
        self.generator.generate(recipe.target, &mut choices, self.origin(recipe, index))
    }

    /// Its options, those that nothing was said about included.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// What it makes, in a few words.
    pub fn about(&self) -> &'static str {
        self.entry.technique.about
    }
}

/// What stands before the target in a line.
const TARGET: &str = "target=";

/// The line of a test that a store has, from the line of its arm; none if the arm is not one of Howler's own, or is from
/// before lines had targets.
///
/// ```
/// use howler_campaign::own::recorded;
/// let arm = "orange depth=9 (0.1.0) target=i386/gcc/gnu17 seed=1 std=gnu17 steps=5 | gcc -O0 (12.2)";
/// assert_eq!(
///     recorded(arm, 7).unwrap().to_string(),
///     "orange depth=9 target=i386/gcc/gnu17 version=0.1.0 seed=1 index=7"
/// );
/// ```
pub fn recorded(arm: &str, index: u64) -> Option<Origin> {
    let (words, rest) = arm.split_once(" (")?;
    registry::named(words.split(' ').next()?)?;
    let (version, rest) = rest.split_once(") ")?;
    let mut rest = rest.split(' ');
    let target = rest.next().filter(|word| word.starts_with(TARGET))?;
    let seed = rest.next()?.strip_prefix("seed=")?.parse().ok()?;
    Some(Origin { arm: format!("{words} {target}"), version: version.to_owned(), seed, index })
}

impl Source for Own {
    fn name(&self) -> &str {
        &self.name
    }

    fn grade(&self) -> Grade {
        self.grade
    }

    fn line(&self) -> String {
        format!("{} ({VERSION})", self.words)
    }

    fn arm_line(&self, target: Target) -> String {
        format!("{} {TARGET}{}", self.line(), target.name())
    }

    fn settings(&self) -> Vec<String> {
        self.values.complete_words()
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn origin(&self, recipe: Recipe, index: u64) -> Origin {
        let arm = format!("{} {TARGET}{}", self.words, recipe.target.name());
        Origin { arm, version: VERSION.to_owned(), seed: recipe.seed, index }
    }

    fn make(&self, shop: &mut Workshop<'_>, index: u64) -> Result<Case, NoCase> {
        Ok(self.test(shop.recipe, index))
    }

    fn narrow(&self) -> bool {
        self.entry.narrow
    }

    fn minimises(&self) -> bool {
        self.entry.minimise.is_some()
    }

    fn minimise(
        &self,
        recipe: Recipe,
        index: u64,
        fails: &mut dyn FnMut(&Case) -> bool,
        stop: &AtomicBool,
    ) -> Option<Minimal> {
        let choices = choices(recipe.seed, &self.line(), index);
        let origin = self.origin(recipe, index);
        (self.entry.minimise?)(&self.values, (recipe.target, choices, origin), fails, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orange(words: &[&str]) -> Result<Own, String> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        Own::read(registry::named("orange").unwrap(), &words)
    }

    #[test]
    fn options_with_one_meaning_make_one_arm() {
        let line = |words: &[&str]| orange(words).unwrap().line();
        assert_eq!(line(&[]), format!("orange ({VERSION})"));
        assert_eq!(line(&["swarm=yes", "depth=60", "with=float"]), line(&[]));
        assert_eq!(line(&["without=float", "depth=1"]), line(&["depth=1", "without=float"]));
        assert!(orange(&["operations=9", "operators=10", "expressions=10"]).is_err());
        assert!(orange(&["size=3"]).is_err_and(|why| why.contains("no option 'size'")));
    }

    #[test]
    fn sizes_are_sources_unless_somebody_chose_one() {
        let sizes = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            let all = Own::sizes(registry::named("orange").unwrap(), &words).map_err(|why| why.len())?;
            Ok::<_, usize>(all.iter().map(|own| own.name().to_owned()).collect::<Vec<String>>())
        };
        let three = ["orange small", "orange medium", "orange large"].map(str::to_owned).to_vec();
        assert_eq!(sizes(&[]), Ok(three.clone()));
        assert_eq!(sizes(&["without=float"]), Ok(three));
        assert_eq!(sizes(&["operations=10..10000"]), Ok(vec!["orange".to_owned()]));
        assert_eq!(sizes(&["operators=3", "expressions=4"]), Ok(vec!["orange".to_owned()]));
        assert!(sizes(&["nonsense=4"]).is_err());
    }

    #[test]
    fn a_line_makes_the_test_again() {
        let targets = ["x86-64/gcc/gnu17", "i386/gcc/c99", "x86-64/clang/gnu17"];
        for (at, words) in
            [&[][..], &["files=2"], &["without=float,int128", "operations=10..50"]].iter().enumerate()
        {
            let own = orange(words).unwrap();
            let recipe = Recipe { seed: 7 + at as u64, target: Target::parse(targets[at]).unwrap() };
            for index in [0, 1, 99] {
                let case = own.test(recipe, index);
                let (again, recipe, index) = Own::of_origin(&case.origin.to_string()).unwrap();
                assert_eq!(again.test(recipe, index), case);
            }
        }
    }

    /// What is left out stays out of new tests; a line from before that makes what it made.
    #[test]
    fn an_old_line_makes_the_old_test() {
        let version = format!("version={VERSION} seed=1 index=1");
        let target = "target=x86-64/gcc/gnu17";
        let line = |own: &Own| own.origin(Recipe { seed: 1, target: Target::X86_64_GCC }, 1).to_string();
        let new = orange(&["without=division"]).unwrap();
        assert_eq!(line(&new), format!("orange without=division strict=yes {target} {version}"));
        assert_eq!(
            line(&orange(&["without=float"]).unwrap()),
            format!("orange without=float {target} {version}")
        );
        let (old, _, _) = Own::of_origin(&format!("orange without=division {target} {version}")).unwrap();
        assert_eq!(line(&old), format!("orange without=division {target} {version}"));
    }

    /// The line of an arm has the same words as the line of its tests.
    #[test]
    fn an_arm_and_a_number_make_the_line() {
        let own = orange(&["depth=9", "without=float,shift"]).unwrap();
        let recipe = Recipe { seed: 5, target: Target::X86_64_GCC };
        let row = format!("{} seed=5 std=gnu17 | tcc (0.9)", own.arm_line(recipe.target));
        assert_eq!(recorded(&row, 3), Some(own.origin(recipe, 3)));
        for other in
            ["orange (0.1.0) seed=5 std=gnu17", "command x {seed} (1) seed=2", "corpus 12 of 3 files", ""]
        {
            assert_eq!(recorded(other, 3), None, "{other}");
        }
    }

    #[test]
    fn lines_that_make_nothing_say_why() {
        let rest = format!("version={VERSION} seed=1 index=2");
        let why = |line: &str| Own::of_origin(line).err().map(|error| error.to_string()).unwrap_or_default();
        let cases = [
            ("orange seed=1".to_owned(), "an origin is 'ARM version=V seed=N index=N'"),
            (format!("csmith {rest}"), "'csmith' is none of Howler's own techniques (orange, smith"),
            (format!("csmith --seed {{seed}} {rest}"), "a command of yours made it: csmith --seed 3"),
            (format!("ornage {rest}"), "did you mean 'orange'?"),
            ("orange target=x86-64/gcc/gnu17 version=9.9.9 seed=1 index=2".to_owned(), "from Howler 9.9.9"),
            (format!("orange {rest}"), "does not say for which target"),
            (format!("orange target=vax {rest}"), "no target 'vax'"),
            (
                format!("orange target=i386/gcc/gnu17 target=i386/gcc/gnu17 {rest}"),
                "does not say for which target",
            ),
            (format!("orange dept=1 target=i386/gcc/gnu17 {rest}"), "did you mean 'depth'?"),
            (format!("orange depth=99 target=i386/gcc/gnu17 {rest}"), "no number from 1 to 65"),
        ];
        for (line, part) in cases {
            assert!(why(&line).contains(part), "{line}: {}", why(&line));
        }
    }
}
