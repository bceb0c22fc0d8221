//! Algorithm 1: a program whose behaviour is known, and variants of it, and variants of those. Points are drawn first
//! and only they are looked at (§4.5.1); at each one strategy is tried after another until one has something to do.

use howler_case::{Behaviour, Input};
use howler_choices::Choices;
use howler_lang::edit::{Edit, Edited, Holder, Holders};
use howler_lang::program::{Program, StmtId};
use howler_lang::scope::Scopes;
use howler_lang::visit::{Node, Walk};
use howler_machine::Judge;
use howler_machine::profile::{self, Points, Profile, ProfileOptions};
use rustc_hash::FxHashSet;

use crate::access::Rules;
use crate::drift::{Counts, Drift};
use crate::env::{Env, PARTS};
use crate::foreign::{Donor, Foreign};
use crate::junk::Scenery;
use crate::options::Options;
use crate::predicate::Atoms;
use crate::seed::{BadSeed, judged};
use crate::site::{Proposal, Site};
use crate::strategy::{CALL, STRATEGIES};

/// A program with what it does, and what it did at the points that the next mutations may be made at.
pub struct Subject {
    edited: Edited,
    inputs: Vec<Input>,
    behaviours: Vec<Behaviour>,
    points: Vec<StmtId>,
    profile: Profile,
    mutations: Vec<Mutation>,
    /// Functions of other programs that were put into it.
    foreign: Vec<Foreign>,
    /// How many statements the seed has.
    size: usize,
    /// The statements of the seed, for the distance from it.
    seed: Counts,
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

/// What is known of a program as it is, for all its points.
struct Surroundings {
    rules: Rules,
    scopes: Scopes,
    holders: Holders,
}

impl Surroundings {
    fn of(program: &Program) -> Surroundings {
        let (rules, scopes, holders) = (Rules::of(program), Scopes::of(program), Holders::of(program));
        Surroundings { rules, scopes, holders }
    }
}

/// A strategy by its number, what it knows, where, and what it wants.
type Planned = (usize, Env, StmtId, Proposal);

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
        Subject::with_donors(seed, inputs, options, &[], choices, judge)
    }

    /// The same with functions of other programs, of which some are put into it.
    ///
    /// # Errors
    /// The seed is none.
    pub fn with_donors(
        seed: Program,
        inputs: Vec<Input>,
        options: &Options,
        donors: &[Donor],
        choices: &mut Choices,
        judge: &dyn Judge,
    ) -> Result<Subject, BadSeed> {
        let size = statements(&seed);
        let counts = Counts::of_program(&seed);
        let mut edited = Edited::new(seed);
        let foreign = if options.has(CALL) { installed(&mut edited, donors, choices) } else { Vec::new() };
        let points = sample(edited.program(), &foreign, options, choices);
        let (behaviours, profile) = judged(edited.program(), &inputs, judge, &profile_options(&points))?;
        let mutations = Vec::new();
        Ok(Subject { edited, inputs, behaviours, points, profile, mutations, foreign, size, seed: counts })
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

    /// The points at which it can be changed.
    pub fn points(&self) -> &[StmtId] {
        &self.points
    }

    /// What it did there.
    pub fn profile(&self) -> &Profile {
        &self.profile
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
        let (alone, mut all): (Vec<Planned>, Vec<Planned>) =
            proposals.into_iter().partition(|planned| planned.3.alone);
        // Those that may be refused come last: what they need to be where it is others may have taken away.
        all.extend(alone);
        self.make(&all);
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
        self.points = sample(self.edited.program(), &self.foreign, options, choices);
        let wanted = profile_options(&self.points);
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

    /// Makes one mutation at one of the points: for who wants to say himself what is done. Says whether it was made.
    pub fn change_at(
        &mut self,
        strategy: &str,
        at: StmtId,
        options: &Options,
        choices: &mut Choices,
    ) -> bool {
        let Some(number) = STRATEGIES.iter().position(|known| known.name == strategy) else { return false };
        let around = Surroundings::of(self.edited.program());
        let Some(planned) = self.plan(&around, at, &[number], options, choices, &mut |_, _, _| true) else {
            return false;
        };
        let before = self.mutations.len();
        self.make(&[planned]);
        self.mutations.len() > before
    }

    /// What strategies want to do, none of it done.
    fn proposals(&mut self, options: &Options, choices: &mut Choices) -> Vec<Planned> {
        let around = Surroundings::of(self.edited.program());
        let mut drift = Drift::new(self.seed.clone(), Counts::of_program(self.edited.program()));
        let mut left = BUDGET;
        let mut proposals: Vec<Planned> = Vec::new();
        for at in self.points.clone() {
            let Some(visits) = self.profile.sure_count(at) else { continue };
            let mut order: Vec<usize> = (0..STRATEGIES.len())
                .filter(|&number| options.strategies[number] && STRATEGIES[number].live == (visits > 0))
                .collect();
            choices.shuffle("strategies", &mut order);
            let mut takes = |proposal: &Proposal, visits: u64, choices: &mut Choices| {
                let cost = proposal.cost.saturating_mul(visits);
                if cost > left || proposal.dead && !drift.takes(&proposal.added, &proposal.removed, choices) {
                    return false;
                }
                left -= cost;
                true
            };
            proposals.extend(self.plan(&around, at, &order, options, choices, &mut takes));
        }
        // What is inside of something that goes away need not change.
        let gone: Vec<StmtId> =
            proposals.iter().filter(|planned| planned.3.removes()).map(|planned| planned.2).collect();
        let stays = |at| statements_around(&around.holders, at).iter().all(|outer| !gone.contains(outer));
        proposals.retain(|planned| stays(planned.2));
        proposals
    }

    /// What the first of some strategies wants to do at a point that can do something there which `takes` agrees to.
    fn plan(
        &mut self,
        around: &Surroundings,
        at: StmtId,
        order: &[usize],
        options: &Options,
        choices: &mut Choices,
        takes: &mut dyn FnMut(&Proposal, u64, &mut Choices) -> bool,
    ) -> Option<Planned> {
        let Surroundings { rules, scopes, holders } = around;
        let func = rules.function(self.edited.program(), at)?;
        let visits = self.profile.sure_count(at)?;
        let env = Env::at(self.edited.program(), &self.profile, rules, at);
        let outer = statements_around(holders, at);
        let scenery = Scenery::at(self.edited.program(), scopes, func, at, &outer);
        let atoms = Atoms { floats: options.floats, pointers: options.pointers };
        for &number in order {
            let mut site = Site {
                edited: &mut self.edited,
                rules,
                scopes,
                profile: &self.profile,
                at,
                func,
                env: &env,
                scenery: &scenery,
                foreign: &self.foreign,
                atoms,
            };
            let proposal = (STRATEGIES[number].propose)(&mut site, choices);
            if let Some(proposal) = proposal
                && takes(&proposal, visits, choices)
            {
                return Some((number, env, at, proposal));
            }
        }
        None
    }

    /// Makes mutations, all in one step. If some are refused the others are made all the same.
    fn make(&mut self, proposals: &[Planned]) {
        let begin = self.edited.edits().len();
        let statements = self.edited.program().stmts.len();
        if proposals.is_empty() {
            return;
        }
        let edits =
            |number: usize, base: u32| proposals[number].3.steps.iter().map(|step| step.edit(base)).collect();
        // What cannot be made is left out; that something is wrong with the whole is seen at its end, and then halves of the
        // list show with what.
        let Ok(made) = self.edited.apply_groups(proposals.len(), edits) else {
            if let [_] = proposals {
                return;
            }
            let (one, two) = proposals.split_at(proposals.len() / 2);
            self.make(one);
            self.make(two);
            return;
        };
        let mut next = begin;
        let program = self.edited.program();
        let holders = Holders::of(program);
        for ((number, env, at, proposal), _) in proposals.iter().zip(made).filter(|(_, made)| *made) {
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
    let around: Vec<StmtId> = statements_around(holders, at);
    if let Some(&outer) = around.iter().take_while(|&&s| new(s)).last() {
        return Some(outer);
    }
    let StmtKind::Compound(list) = program.stmts[*around.first()?].kind else { return None };
    let list = program.block(list);
    let place = list.iter().position(|&s| s == at)?;
    list[..place].iter().rev().take_while(|&&s| new(s)).last().copied()
}

/// The statements that a statement is nested in, the innermost first.
fn statements_around(holders: &Holders, at: StmtId) -> Vec<StmtId> {
    let mut around = Vec::new();
    let mut s = at;
    while let Some(Holder::Stmt(outer)) = holders.stmt(s) {
        around.push(outer);
        s = outer;
    }
    around
}

/// What is looked at at points.
pub fn profile_options(points: &[StmtId]) -> ProfileOptions<'_> {
    // States of a point as a whole are not asked for.
    ProfileOptions {
        points: Points::These(points),
        rows: 0,
        values: 16,
        visits: 20_000,
        objects: OBJECTS,
        parts: PARTS,
        ..ProfileOptions::default()
    }
}

/// Some of the functions that are offered, in units that are drawn.
fn installed(edited: &mut Edited, donors: &[Donor], choices: &mut Choices) -> Vec<Foreign> {
    let mut order: Vec<&Donor> = donors.iter().collect();
    choices.shuffle("donors", &mut order);
    let last = edited.program().units.len().saturating_sub(1);
    let mut foreign = Vec::new();
    for donor in order.into_iter().take(FOREIGN) {
        let unit = choices.range("unit", 0..=last);
        foreign.extend(donor.install(edited, u32::try_from(unit).unwrap_or(0)));
    }
    foreign
}

/// How many objects of a point are looked at, those of inner scopes first: each costs at every visit.
const OBJECTS: usize = 64;

/// How many foreign functions a program gets.
const FOREIGN: usize = 3;

fn statements(program: &Program) -> usize {
    program.stmts.len()
}

/// The points to be looked at: each of them with the probability that was asked for.
fn sample(program: &Program, foreign: &[Foreign], options: &Options, choices: &mut Choices) -> Vec<StmtId> {
    let mut all = profile::points(program);
    if !foreign.is_empty() {
        // What foreign functions return was seen elsewhere, and must stay so.
        let inside: FxHashSet<StmtId> =
            foreign.iter().flat_map(|one| Walk::of(program, Node::Function(one.func)).statements()).collect();
        all.retain(|at| !inside.contains(at));
    }
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
