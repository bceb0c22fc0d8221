//! How what orange finds is minimised.

use std::sync::atomic::AtomicBool;

use howler_case::id::Hasher;
use howler_case::options::Values;
use howler_case::{Case, Origin};
use howler_choices::Choices;
use howler_lang::target::Target;
use howler_orange as orange;
use howler_reduce::expressions::{self, Subject};

use crate::source::Minimal;

/// Runs of the predicate for one minimisation: a compiler that fails in many ways at once must not hold up a hunt.
const MINIMISE: u64 = 1000;
/// Nodes of tests that are edited for one: some seconds.
const MINIMISE_WORK: u64 = 60_000_000;

/// Makes the test of these options and choices as small as it gets.
pub(crate) fn minimise(
    values: &Values,
    (target, mut choices, origin): (Target, Choices, Origin),
    fails: &mut dyn FnMut(&Case) -> bool,
    stop: &AtomicBool,
) -> Option<Minimal> {
    let test = orange::generate(&orange::Options::of(values), target, &mut choices);
    let options = expressions::Options { runs: MINIMISE, work: MINIMISE_WORK, stop: Some(stop) };
    let (small, log) = expressions::minimise(
        OrangeSubject(test),
        |subject| fails(&subject.0.case(origin.clone())),
        &options,
    );
    let pattern = orange::pattern(&small.0);
    let (pattern, gist) = (pattern.text(), pattern.gist());
    log.reproduced.then(|| Minimal { case: small.0.case(origin.clone()), pattern, gist, runs: log.runs })
}

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
