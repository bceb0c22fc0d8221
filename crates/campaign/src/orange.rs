//! Orange as a source of tests: its options, and how what it finds is minimised.

use std::sync::atomic::AtomicBool;

use howler_case::Case;
use howler_case::id::Hasher;
use howler_lang::target::Target;
use howler_orange as orange;
use howler_reduce::expressions::{self, Subject};

use crate::source::{Minimal, NoCase, Recipe, Source, Workshop, choices, origin};

/// Arithmetic with known answers.
pub struct Orange {
    line: String,
    options: orange::Options,
}

/// Larger tests find little more and cost a compiler seconds each.
const OPERATIONS: (u32, u32) = (10, 10_000);

/// What `key=value` there is, for users.
pub(crate) fn options() -> String {
    let features: Vec<&str> = orange::Feature::ALL.iter().map(|feature| feature.name()).collect();
    let mut lines = String::new();
    for (option, what) in OPTIONS {
        lines += &format!("  {option:24} {what}\n");
    }
    for features in features.chunks(12) {
        lines += &format!("  {:24} {}\n", "", features.join(" "));
    }
    lines
}

const OPTIONS: &[(&str, &str)] = &[
    ("operations=10..10000", "operators times expressions of a test, drawn evenly over magnitudes"),
    ("operators=1..10000", "operators of an expression"),
    ("expressions=1..10000", "expressions of a test"),
    ("depth=60", "how deep an expression may be before undefined behaviour is repaired, at most 65"),
    ("files=0", "0: all in main; otherwise a function per expression, in this many further files"),
    ("repair=flip", "undefined operations are flipped to others where that helps; insert: never"),
    ("swarm=yes", "a test uses a random half of the features; no: all of them"),
    ("with=F, without=F", "use feature F or not; all are used but constants:"),
];

impl Orange {
    /// Reads options; [`OPTIONS`] says which there are.
    pub fn new(options: &[String]) -> Result<Orange, String> {
        let mut parsed =
            orange::Options { operations: OPERATIONS, swarm: true, ..orange::Options::default() };
        for option in options {
            let (key, value) =
                option.split_once('=').ok_or_else(|| format!("'{option}' is not key=value"))?;
            let feature =
                || orange::Feature::parse(value).ok_or_else(|| format!("there is no feature '{value}'"));
            match key {
                "operations" => parsed.operations = range(value)?,
                "operators" => parsed.operators = range(value)?,
                "expressions" => parsed.expressions = range(value)?,
                "depth" => parsed.depth = value.parse().map_err(|_| format!("'{value}' is no depth"))?,
                "files" => parsed.files = value.parse().map_err(|_| format!("'{value}' is no number"))?,
                "repair" => parsed.repair = repair(value)?,
                "swarm" => parsed.swarm = yes(value)?,
                "with" => parsed.features = parsed.features.with(feature()?),
                "without" => parsed.features = parsed.features.without(feature()?),
                _ => return Err(format!("there is no option '{key}'")),
            }
        }
        parsed.validate().map_err(|error| error.to_string())?;
        let words = [&["orange".to_owned()], options].concat();
        Ok(Orange { line: words.join(" "), options: parsed })
    }

    /// The test with this number, as the technique knows it: with every value in it.
    fn test(&self, recipe: Recipe, index: u64) -> orange::Test {
        let mut choices = choices(recipe.seed, &self.line(), index);
        orange::generate(&self.options, recipe.target, &mut choices)
    }
}

/// Runs of the predicate for one minimisation: a compiler that fails in many ways at once must not hold up a hunt.
const MINIMISE: u64 = 1000;
/// Nodes of tests that are edited for one: some seconds.
const MINIMISE_WORK: u64 = 60_000_000;

/// A test of orange as something to minimise.
#[derive(Clone)]
struct OrangeSubject(orange::Test);

impl Subject for OrangeSubject {
    type Node = orange::NodeId;
    type Step = orange::Simplification;

    fn expressions(&self) -> Vec<usize> {
        self.0.expressions()
    }

    fn without(&self, expressions: &[usize]) -> Option<OrangeSubject> {
        self.0.without(expressions).map(OrangeSubject)
    }

    fn root(&self, expression: usize) -> Option<orange::NodeId> {
        self.0.root(expression)
    }

    fn operands(&self, node: orange::NodeId) -> Vec<orange::NodeId> {
        self.0.operands(node)
    }

    fn folded(&self, node: orange::NodeId) -> Option<OrangeSubject> {
        self.0.folded(&[node]).map(OrangeSubject)
    }

    fn hoisted(&self, node: orange::NodeId, operand: orange::NodeId) -> Option<OrangeSubject> {
        self.0.hoisted(node, operand).map(OrangeSubject)
    }

    fn steps(&self) -> Vec<orange::Simplification> {
        self.0.simplifications()
    }

    fn simplified(&self, step: &orange::Simplification) -> Option<OrangeSubject> {
        self.0.simplified(step).map(OrangeSubject)
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn fingerprint(&self) -> u128 {
        let mut hash = Hasher::new("orange");
        for (name, text) in self.0.render() {
            hash.field(name.as_bytes()).field(text.as_bytes());
        }
        u128::from_le_bytes(*hash.finish().bytes())
    }
}

fn range(text: &str) -> Result<(u32, u32), String> {
    let bad = || format!("'{text}' is no range; 10..1000 is, and 10");
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    Ok((low.parse().map_err(|_| bad())?, high.parse().map_err(|_| bad())?))
}

fn repair(text: &str) -> Result<orange::Repair, String> {
    match text {
        "flip" => Ok(orange::Repair::Flip),
        "insert" => Ok(orange::Repair::Insert),
        _ => Err(format!("repair is flip or insert, not '{text}'")),
    }
}

fn yes(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("yes or no, not '{text}'")),
    }
}

impl Source for Orange {
    fn name(&self) -> &str {
        "orange"
    }

    fn line(&self) -> String {
        format!("{} ({})", self.line, self.version())
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn make(&self, shop: &mut Workshop<'_>, index: u64) -> Result<Case, NoCase> {
        let target = Target { std: shop.std, ..shop.target };
        let test = self.test(Recipe { seed: shop.seed, target }, index);
        Ok(test.case(origin(self, shop.seed, index)))
    }

    fn minimises(&self) -> bool {
        true
    }

    fn minimise(
        &self,
        recipe: Recipe,
        index: u64,
        fails: &mut dyn FnMut(&Case) -> bool,
        stop: &AtomicBool,
    ) -> Option<Minimal> {
        let origin = origin(self, recipe.seed, index);
        let options = expressions::Options { runs: MINIMISE, work: MINIMISE_WORK, stop: Some(stop) };
        let subject = OrangeSubject(self.test(recipe, index));
        let (small, log) =
            expressions::minimise(subject, |subject| fails(&subject.0.case(origin.clone())), &options);
        let pattern = orange::pattern(&small.0);
        log.reproduced.then(|| Minimal { case: small.0.case(origin.clone()), pattern, runs: log.runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orange(words: &[&str]) -> Result<Orange, String> {
        Orange::new(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_or_refused() {
        assert!(orange(&[]).is_ok());
        assert!(
            orange(&["operations=10..20", "without=float", "swarm=no", "repair=insert", "depth=1"]).is_ok()
        );
        for bad in
            ["operations=5..4", "operations=x", "without=magic", "size=3", "swarm", "files=1000", "depth=66"]
        {
            assert!(orange(&[bad]).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_defaults_that_users_are_told_are_the_defaults() {
        let told = OPTIONS.iter().map(|(option, _)| *option).filter(|option| !option.contains("with"));
        assert_eq!(orange(&told.collect::<Vec<_>>()).unwrap().options, orange(&[]).unwrap().options);
    }
}
