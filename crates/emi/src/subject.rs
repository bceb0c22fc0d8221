//! Algorithm 1: a program whose behaviour is known, and variants of it, and variants of those. Points are drawn first
//! and only they are looked at (§4.5.1); at each one strategy is tried after another until one has something to do.

use howler_case::{Behaviour, Input};
use howler_choices::Choices;
use howler_lang::edit::{Edit, Edited, Holder, Holders};
use howler_lang::program::{Program, StmtId};
use howler_lang::scope::Scopes;
use howler_machine::Judge;
use howler_machine::profile::{self, Points, Profile, ProfileOptions};

use crate::access::Rules;
use crate::env::Env;
use crate::junk::Scenery;
use crate::options::Options;
use crate::predicate::Atoms;
use crate::seed::{BadSeed, judged};
use crate::site::{Proposal, Site};
use crate::strategy::STRATEGIES;

/// A program with what it does, and what it did at the points that the next mutations may be made at.
pub struct Subject {
    edited: Edited,
    inputs: Vec<Input>,
    behaviours: Vec<Behaviour>,
    points: Vec<StmtId>,
    profile: Profile,
    mutations: Vec<Mutation>,
    /// How many statements the seed has.
    size: usize,
}

/// A mutation that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutation {
    /// The strategy's name.
    pub strategy: &'static str,
    /// The statement at which it was made.
    pub at: StmtId,
    /// How often that is reached.
    pub visits: u64,
    /// Its edits, by their numbers: the first, and the one after the last.
    pub edits: (usize, usize),
    /// The first statement that it added, if it added some.
    pub added: Option<StmtId>,
    /// What was known at the point, as figure 1's line 9 says it.
    pub known: String,
}

/// A variant that does not do what its seed does: a fault of this crate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// What it does instead.
    pub why: String,
    /// The edits that made it.
    pub edits: Vec<String>,
}

/// Why there is no variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoVariant {
    /// Nothing could be changed.
    #[error("there is nothing to change in it")]
    Nothing,
    /// What was made takes longer than the judge waits.
    #[error("a variant takes too long: over the limit of {0}")]
    Long(String),
    /// What was made is wrong, and was dropped.
    #[error("a variant was dropped, which is a fault of emi: {}", .0.why)]
    Wrong(Box<Wrong>),
}

/// Few points of small programs are no sample: of these all are taken.
const FEW: usize = 12;

/// How many steps all mutations together may add to a run, about.
const BUDGET: u64 = 2_000_000;

/// A program may grow to so many times its seed's statements.
const GROWTH: usize = 4;

impl Subject {
    /// Judges a seed and looks at it, at points that `choices` draw.
    ///
    /// # Errors
    /// The seed is none.
    pub fn new(
        seed: Program,
        inputs: Vec<Input>,
        options: &Options,
        choices: &mut Choices,
        judge: &dyn Judge,
    ) -> Result<Subject, BadSeed> {
        let size = statements(&seed);
        let points = sample(&seed, options, choices);
        let (behaviours, profile) = judged(&seed, &inputs, judge, &wanted(&points))?;
        let edited = Edited::new(seed);
        Ok(Subject { edited, inputs, behaviours, points, profile, mutations: Vec::new(), size })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.edited.program()
    }

    /// What made it of its seed.
    pub fn edits(&self) -> &[Edit] {
        self.edited.edits()
    }

    /// What it is run with.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What it does with each input.
    pub fn behaviours(&self) -> &[Behaviour] {
        &self.behaviours
    }

    /// All mutations since the seed.
    pub fn mutations(&self) -> &[Mutation] {
        &self.mutations
    }

    /// Whether it has become so large that one should begin anew.
    pub fn is_grown(&self) -> bool {
        self.edited.program().stmts.len() > GROWTH * self.size.max(200)
    }

    /// Mutates it at its points, judges what comes out and looks at it in turn.
    ///
    /// # Errors
    /// There is no variant.
    pub fn mutate(
        mut self,
        options: &Options,
        choices: &mut Choices,
        judge: &dyn Judge,
    ) -> Result<Subject, NoVariant> {
        if self.change(options, choices) == 0 {
            return Err(NoVariant::Nothing);
        }
        self.judge_again(options, choices, judge)
    }

    /// The first half of [`Subject::mutate`]: synthesis alone. Says how many mutations were made.
    pub fn change(&mut self, options: &Options, choices: &mut Choices) -> usize {
        let proposals = self.proposals(options, choices);
        let before = self.mutations.len();
        self.make(&proposals);
        self.mutations.len() - before
    }

    /// The second half: the variant must do what the seed does.
    ///
    /// # Errors
    /// It does not.
    pub fn judge_again(
        mut self,
        options: &Options,
        choices: &mut Choices,
        judge: &dyn Judge,
    ) -> Result<Subject, NoVariant> {
        self.points = sample(self.edited.program(), options, choices);
        let wanted = wanted(&self.points);
        let wrong = |edited: &Edited, why: String| {
            let edits = edited.edits().iter().map(ToString::to_string).collect();
            NoVariant::Wrong(Box::new(Wrong { why, edits }))
        };
        match judged(self.edited.program(), &self.inputs, judge, &wanted) {
            Err(BadSeed::Unfinished(limit)) => Err(NoVariant::Long(limit)),
            Err(bad) => Err(wrong(&self.edited, bad.to_string())),
            Ok((behaviours, _)) if behaviours != self.behaviours => {
                Err(wrong(&self.edited, "it does something else than its seed".to_owned()))
            }
            Ok((_, profile)) => {
                self.profile = profile;
                Ok(self)
            }
        }
    }

    /// What strategies want to do, none of it done.
    fn proposals(&mut self, options: &Options, choices: &mut Choices) -> Vec<(usize, Env, StmtId, Proposal)> {
        let rules = Rules::of(self.edited.program());
        let scopes = Scopes::of(self.edited.program());
        let holders = Holders::of(self.edited.program());
        let atoms = Atoms { floats: options.floats, pointers: options.pointers };
        let mut left = BUDGET;
        let mut proposals = Vec::new();
        for at in self.points.clone() {
            let Some(func) = rules.function(self.edited.program(), at) else { continue };
            let Some(visits) = self.profile.sure_count(at) else { continue };
            let mut order: Vec<usize> = (0..STRATEGIES.len())
                .filter(|&number| options.strategies[number] && STRATEGIES[number].live == (visits > 0))
                .collect();
            choices.shuffle("strategies", &mut order);
            let env = Env::at(self.edited.program(), &self.profile, &rules, at);
            let around = around(&holders, at);
            let scenery = Scenery::at(self.edited.program(), &scopes, func, at, &around);
            for number in order {
                let mut site = Site {
                    edited: &mut self.edited,
                    rules: &rules,
                    scopes: &scopes,
                    profile: &self.profile,
                    at,
                    func,
                    env: &env,
                    scenery: &scenery,
                    atoms,
                };
                let Some(proposal) = (STRATEGIES[number].propose)(&mut site, choices) else { continue };
                let cost = proposal.cost.saturating_mul(visits);
                if cost > left {
                    continue;
                }
                left -= cost;
                proposals.push((number, env, at, proposal));
                break;
            }
        }
        proposals
    }

    /// Makes mutations, all in one step. If some are refused the others are made all the same.
    fn make(&mut self, proposals: &[(usize, Env, StmtId, Proposal)]) {
        let begin = self.edited.edits().len();
        let mut edits: Vec<Edit> = Vec::new();
        for (_, _, _, proposal) in proposals {
            let base = (begin + edits.len()) as u32;
            edits.extend(proposal.steps.iter().map(|step| step.edit(base)));
        }
        let statements = self.edited.program().stmts.len();
        if edits.is_empty() {
            return;
        }
        if self.edited.apply_all(edits).is_err() {
            if let [_] = proposals {
                return;
            }
            let (one, two) = proposals.split_at(proposals.len() / 2);
            self.make(one);
            self.make(two);
            return;
        }
        let mut next = begin;
        let program = self.edited.program();
        let holders = Holders::of(program);
        for (number, env, at, proposal) in proposals {
            let edits = (next, next + proposal.steps.len());
            next = edits.1;
            self.mutations.push(Mutation {
                strategy: STRATEGIES[*number].name,
                at: *at,
                visits: env.visits,
                edits,
                added: added(program, &holders, *at, statements),
                known: env.text(program),
            });
        }
    }
}

/// The statement in front of another one, or around it, that was added behind a number.
fn added(program: &Program, holders: &Holders, at: StmtId, statements: usize) -> Option<StmtId> {
    use howler_lang::id::Id;
    use howler_lang::program::StmtKind;
    let new = |s: StmtId| s.index() >= statements;
    let around: Vec<StmtId> = around(holders, at);
    if let Some(&outer) = around.iter().take_while(|&&s| new(s)).last() {
        return Some(outer);
    }
    let StmtKind::Compound(list) = program.stmts[*around.first()?].kind else { return None };
    let list = program.block(list);
    let place = list.iter().position(|&s| s == at)?;
    list[..place].iter().rev().take_while(|&&s| new(s)).last().copied()
}

/// The statements that a statement is nested in, the innermost first.
fn around(holders: &Holders, at: StmtId) -> Vec<StmtId> {
    let mut around = Vec::new();
    let mut s = at;
    while let Some(Holder::Stmt(outer)) = holders.stmt(s) {
        around.push(outer);
        s = outer;
    }
    around
}

fn wanted(points: &[StmtId]) -> ProfileOptions<'_> {
    // States of a point as a whole are not asked for.
    ProfileOptions { points: Points::These(points), rows: 0, values: 16, visits: 20_000, ..ProfileOptions::default() }
}

fn statements(program: &Program) -> usize {
    program.stmts.len()
}

/// The points to be looked at: each of them with the probability that was asked for.
fn sample(program: &Program, options: &Options, choices: &mut Choices) -> Vec<StmtId> {
    let all = profile::points(program);
    if all.len() <= FEW {
        return all;
    }
    let probability = u32::try_from(options.probability).unwrap_or(100).min(100);
    let mut points: Vec<StmtId> =
        all.iter().copied().filter(|_| choices.chance("point", probability, 100)).collect();
    // At least some.
    while points.len() < FEW / 2 {
        match choices.pick("point", &all) {
            Some(&point) if !points.contains(&point) => points.push(point),
            _ => {}
        }
    }
    points.sort_unstable();
    points
}
