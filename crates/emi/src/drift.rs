//! How far a variant has come from its seed by what was done to dead code, and which steps are taken: Metropolis and
//! Hastings' rule, as Athena has it.
//!
//! The distance of two programs is `Dv + De - S`. `Dv` is the Jaccard distance of the sets of kinds of their statements
//! (`1 - |A ∩ B| / |A ∪ B|`), `De` the same of pairs of a statement's kind and that of one directly inside of it, which stand
//! for the edges that a compiler will see. Of sets, not of multisets: more of the same is no difference. `S` is how much larger or smaller the variant is, as a share of the seed: a variant far larger than its seed costs more and says
//! nothing new. A step from distance d to d' is taken with the probability `min(1, exp(σ (d' - d)))`, so that steps
//! away from the seed are always taken and others now and then: those that only make it large, or that take back what made
//! it different. σ is 30: a step that makes a program of a hundred statements larger by one without any new kind or
//! edge loses 0.01 by `S`, and is taken with a probability of about 0.74.

use std::collections::BTreeMap;

use howler_choices::Choices;
use howler_lang::program::{Program, StmtId, StmtKind};
use howler_lang::visit::{self, Node, Walk};

/// The weight of a difference.
const SIGMA: f64 = 30.0;

/// Statements by kind, and pairs of one and another directly inside.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    kinds: BTreeMap<u8, i64>,
    edges: BTreeMap<(u8, u8), i64>,
}

impl Counts {
    /// Those of a statement and all inside of it.
    pub fn of(program: &Program, s: StmtId) -> Counts {
        let mut counts = Counts::default();
        for inner in Walk::stmt(program, s).statements() {
            counts.see(program, inner);
        }
        counts
    }

    /// Those of a whole program.
    pub fn of_program(program: &Program) -> Counts {
        let mut counts = Counts::default();
        let bodies = program.funcs.iter().filter_map(|(_, func)| func.body);
        for inner in bodies.flat_map(|body| Walk::stmt(program, body).statements()) {
            counts.see(program, inner);
        }
        counts
    }

    fn see(&mut self, program: &Program, s: StmtId) {
        let kind = kind(program, s);
        *self.kinds.entry(kind).or_default() += 1;
        visit::parts(program, Node::Stmt(s), |part| {
            if let Node::Stmt(inner) = part.node {
                *self.edges.entry((kind, self::kind(program, inner))).or_default() += 1;
            }
        });
    }

    fn add(&mut self, other: &Counts, sign: i64) {
        for (&kind, &count) in &other.kinds {
            *self.kinds.entry(kind).or_default() += sign * count;
        }
        for (&edge, &count) in &other.edges {
            *self.edges.entry(edge).or_default() += sign * count;
        }
    }

    fn size(&self) -> i64 {
        self.kinds.values().sum()
    }
}

/// A number for each kind of statement.
fn kind(program: &Program, s: StmtId) -> u8 {
    match program.stmts[s].kind {
        StmtKind::Empty => 0,
        StmtKind::Expr(_) => 1,
        StmtKind::Item(_) | StmtKind::Decls(_) | StmtKind::LabelDecl(_) => 2,
        StmtKind::Compound(_) => 3,
        StmtKind::If { other: None, .. } => 4,
        StmtKind::If { other: Some(_), .. } => 5,
        StmtKind::While { .. } => 6,
        StmtKind::DoWhile { .. } => 7,
        StmtKind::For { .. } => 8,
        StmtKind::Switch { .. } => 9,
        StmtKind::Case { .. } | StmtKind::Default(_) => 10,
        StmtKind::Label(..) => 11,
        StmtKind::Goto(_) | StmtKind::GotoComputed(_) => 12,
        StmtKind::Break => 13,
        StmtKind::Continue => 14,
        StmtKind::Return(_) => 15,
        StmtKind::Asm(_) => 16,
    }
}

/// `1 - |A ∩ B| / |A ∪ B|` of what is there at least once.
fn jaccard<K: Ord>(a: &BTreeMap<K, i64>, b: &BTreeMap<K, i64>) -> f64 {
    let there = |map: &BTreeMap<K, i64>, key: &K| map.get(key).is_some_and(|&count| count > 0);
    let own = a.keys().filter(|key| there(a, key));
    let both = own.clone().filter(|key| there(b, key)).count();
    let either = own.count() + b.keys().filter(|key| there(b, key) && !there(a, key)).count();
    if either == 0 { 0.0 } else { 1.0 - both as f64 / either as f64 }
}

/// A walk away from a seed.
pub struct Drift {
    seed: Counts,
    now: Counts,
}

impl Drift {
    /// From a seed, at a variant of it.
    pub fn new(seed: Counts, now: Counts) -> Drift {
        Drift { seed, now }
    }

    fn distance(&self, counts: &Counts) -> f64 {
        let size = self.seed.size().max(1) as f64;
        let grown = (counts.size() - self.seed.size()).unsigned_abs() as f64 / size;
        jaccard(&self.seed.kinds, &counts.kinds) + jaccard(&self.seed.edges, &counts.edges) - grown
    }

    /// Whether a step is taken that adds and removes statements. If so it is.
    pub fn takes(&mut self, added: &Counts, removed: &Counts, choices: &mut Choices) -> bool {
        let mut next = self.now.clone();
        next.add(added, 1);
        next.add(removed, -1);
        let gain = self.distance(&next) - self.distance(&self.now);
        let likely = (SIGMA * gain).exp().min(1.0);
        // Whole numbers: a decision must not depend on how a processor rounds the last bit.
        let taken = choices.range("step", 0..=999u32) < (likely * 1000.0).round() as u32;
        if taken {
            self.now = next;
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    fn counts(text: &str) -> Counts {
        Counts::of_program(&read(&format!("int x; int main(void) {{ {text} return 0; }}")))
    }

    fn at(seed: &Counts) -> Drift {
        Drift::new(seed.clone(), seed.clone())
    }

    #[test]
    fn what_is_new_is_far_and_what_is_more_of_the_same_is_not() {
        let seed = counts("x = 1; x = 2; x = 3; if (x) x = 4;");
        let drift = at(&seed);
        let far = |text: &str| drift.distance(&counts(text));
        let loops = far("x = 1; x = 2; x = 3; if (x) x = 4; while (x) { x--; }");
        let same = far("x = 1; x = 2; x = 3; if (x) x = 4; x = 5; x = 6;");
        assert_eq!(drift.distance(&seed), 0.0);
        assert!(loops > same && loops > 0.0, "{loops} {same}");
    }

    #[test]
    fn steps_away_are_taken_and_others_sometimes() {
        let text = "x = 1; x = 2; x = 3; if (x) x = 4;".repeat(30);
        let seed = counts(&text);
        let mut choices = Choices::new(1);
        let mut taken = |more: &str| {
            let mut added = counts(&format!("{text} {more}"));
            added.add(&seed, -1);
            (0..100).filter(|_| at(&seed).takes(&added, &Counts::default(), &mut choices)).count()
        };
        assert_eq!(taken(""), 100);
        assert_eq!(taken("while (x) { do x--; while (x); }"), 100);
        let more = taken("if (x) x = 5; if (x) x = 6;");
        assert!(more > 0 && more < 95, "{more}");
    }
}
