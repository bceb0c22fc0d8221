//! Programs that mean one thing: what nobody knows while a loop is written is found by running it.
//!
//! A run goes on after undefined arithmetic and tells of every operation and of the operands it had. An operation that was
//! undefined gets a rule that is right for all operands it was seen with; the program is made again, the same but for that,
//! and run again, as other operations may have other operands now. An operation that needs a second rule gets the one that
//! is right for all operands there are, so this ends.

use howler_case::Behaviour;
use howler_choices::Choices;
use howler_lang::link;
use howler_lang::print::{Comments, PrintOptions, Wanted, annotated};
use howler_lang::program::{ExprId, Program, StmtId};
use howler_lang::target::Target;
use howler_machine::profile::{Operands, ProfileOptions, Scalar, Tuple};
use howler_machine::{Input, Judge};
use rustc_hash::FxHashMap;

use crate::finish::{self, Whole};
use crate::maker::Site;
use crate::options::Options;
use crate::rules::{self, Fix, Pair};

/// Hints that stand before loops, by statement.
#[derive(Clone, Debug, Default)]
pub struct Hints(pub FxHashMap<StmtId, String>);

/// A program and what it must do.
pub struct Judged {
    /// The program, linked.
    pub program: Program,
    /// What it must do; none if the judge could not say.
    pub behaviour: Option<Behaviour>,
    /// Hints that stand before loops.
    pub hints: Hints,
    /// How often it was made.
    pub rounds: u32,
    /// Operations that were replaced because their operands were known.
    pub replaced: u32,
    /// Operations whose operands nobody knew, and how many of those were replaced.
    pub sites: (usize, usize),
}

impl Judged {
    /// A unit of the program as C.
    pub fn text(&self, unit: usize) -> String {
        let comments = Comments { pragmas: self.hints.0.clone(), ..Comments::default() };
        let wanted = Wanted { names: false, comments: Some(&comments) };
        annotated(&self.program, unit, &PrintOptions::default(), wanted).text
    }
}

/// How many different operands of an operation are looked at.
const TUPLES: usize = 64;

/// After so many rounds every rule is one for all operands.
const PATIENCE: u32 = 6;

/// More rounds than any program should need.
const MOST: u32 = 60;

/// Makes a program and judges nothing. Without loops and functions that others call it is defined as it is.
pub fn generate(options: &Options, target: Target, choices: &Choices) -> Program {
    finish::program(options, target, choices, &FxHashMap::default()).program
}

/// Makes a program that is defined. `watcher` judges the attempts, and may do so in one run; `judge` has the last word.
pub fn judged(
    options: &Options,
    target: Target,
    choices: &Choices,
    (watcher, judge): (&dyn Judge, &dyn Judge),
) -> Judged {
    let mut plan: FxHashMap<usize, Fix> = FxHashMap::default();
    let mut drawing = choices.sub("rules");
    let mut rounds = 0;
    loop {
        rounds += 1;
        let Whole { mut program, sites, replaced, hints } = finish::program(options, target, choices, &plan);
        link::link(&mut program);
        let found = if sites.is_empty() || rounds > MOST {
            Vec::new()
        } else {
            let wanted =
                ProfileOptions { tuples: TUPLES, values: 1, bare: true, ..ProfileOptions::default() };
            let asked = watcher.profile(&program, Input::default(), &wanted);
            faults(&sites, asked.profile.operators)
        };
        if found.is_empty() {
            let behaviour = judge.behaviour(&program, Input::default());
            return Judged {
                program,
                behaviour,
                hints: Hints(hints),
                rounds,
                replaced,
                sites: (sites.len(), plan.len()),
            };
        }
        for (at, pairs) in found {
            let site = &sites[at];
            let patient = rounds < PATIENCE && !plan.contains_key(&at);
            let drawn = |range| drawing.range("count", range);
            let helps =
                if patient { rules::fixes(site.operator, site.typed, &pairs, drawn) } else { Vec::new() };
            let fix = helps.first().copied().or_else(|| rules::always(site.operator));
            plan.extend(fix.map(|fix| (at, fix)));
        }
    }
}

/// The sites that were undefined, with the operands they were seen with.
fn faults(
    sites: &[Site],
    operators: impl IntoIterator<Item = ((ExprId, howler_machine::profile::Operator), Operands)>,
) -> Vec<(usize, Vec<Pair>)> {
    let mut places: FxHashMap<ExprId, usize> = FxHashMap::default();
    for (at, site) in sites.iter().enumerate() {
        places.extend(site.watched.iter().map(|&e| (e, at)));
    }
    let mut found: Vec<(usize, Vec<Pair>)> = Vec::new();
    for ((e, _), operands) in operators {
        if operands.undefined.is_empty() {
            continue;
        }
        if let Some(&at) = places.get(&e) {
            let tuples = operands.undefined.values().flat_map(|known| &known.tuples.kept);
            let tuples = operands.tuples.kept.iter().chain(tuples);
            found.push((at, tuples.filter_map(|tuple| pair(&sites[at], tuple)).collect()));
        }
    }
    found
}

fn pair(site: &Site, tuple: &Tuple) -> Option<Pair> {
    let number = |at: usize| match tuple.get(at) {
        Some(Some(Scalar::Int(number))) => Some(*number),
        _ => None,
    };
    let b = number(1).map_or(0, |b| site.typed.right.bits(b));
    Some((site.typed.left.bits(number(0)?), b))
}
