//! Control flow: branches and bodies in the place of the statements around them.

use howler_lang::build::{self, Cx};
use howler_lang::program::{ExprId, ExprKind, Program, Stmt, StmtId, StmtKind};
use howler_lang::source::Pos;
use howler_lang::visit::{self, Node};

use crate::typed::loops::goes_round;
use crate::typed::stand_in::written;
use crate::typed::{At, Pass, Site, Subject, Weights, together};

/// Takes it away.
pub struct Control;

/// The body of a loop, once, what comes before it with it; the first branch of an `if`; what a label marks.
const BODY: u32 = 0;
/// The other branch of an `if`; a loop as an `if`.
const OTHER: u32 = 1;
/// The condition, and then the branch.
const BOTH: u32 = 2;
/// A `for` without its step.
const STEP: u32 = 3;
/// A `for` without its condition.
const ENDLESS: u32 = 4;
/// The n-th case of a `switch`.
const CASE: u32 = 5;
/// What an `if` asks is assigned.
const VALUE: u32 = 7;
/// The body of a loop, once, without the statements that leave it or go on with it.
const ONCE: u32 = 6;

impl Pass for Control {
    fn name(&self) -> &'static str {
        "control"
    }

    fn about(&self) -> &'static str {
        "branches, bodies and cases stand for the statements around them"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let (weights, profile) = (Weights::of(program), subject.profile());
        let mut sites = Vec::new();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            let (whole, weight) = (weights.stmt(s), |s: StmtId| weights.stmt(s));
            let mut add = |left: u64, choice: u32, number: u32| {
                let weight = whole.saturating_sub(left);
                sites.push(Site { choice, number, ..Site::new(weight, At::Stmt(s)) });
            };
            match program.stmts[s].kind {
                StmtKind::If { then, other, cond } => {
                    add(weight(then), BODY, 0);
                    if let Some(other) = other {
                        add(weight(other), OTHER, 0);
                    }
                    add(weight(then) + weights.expr(cond), BOTH, 0);
                    if other.is_none() && assigned(program, then).is_some() {
                        add(whole - 2, VALUE, 0);
                    }
                }
                StmtKind::While { body, .. } => {
                    add(weight(body), body_of(program, body), 0);
                    add(whole, OTHER, 0);
                }
                StmtKind::DoWhile { body, .. } => add(weight(body), body_of(program, body), 0),
                StmtKind::For { init, cond, step, body } => {
                    add(weight(body) + init.map_or(0, weight), body_of(program, body), 0);
                    let round = profile.zip(cond).is_some_and(|(profile, cond)| goes_round(profile, cond));
                    if let Some(step) = step.filter(|_| !round) {
                        add(whole - weights.expr(step), STEP, 0);
                    }
                    let ends = |cond: &ExprId| {
                        let seen = profile.and_then(|profile| profile.branches.get(cond));
                        seen.is_none_or(|&(_, ended)| ended > 0)
                    };
                    // Without it the loop would not end, but for a `break`.
                    if let Some(cond) = cond.filter(|cond| profile.is_none() || !ends(cond)) {
                        add(whole - weights.expr(cond), ENDLESS, 0);
                    }
                }
                StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                    add(weight(body), BODY, 0);
                }
                StmtKind::Switch { body, .. } => {
                    for number in 0..cases(program, body) {
                        add(whole / 2, CASE, number);
                    }
                }
                _ => {}
            }
        });
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| {
            let At::Stmt(s) = site.at else { return Ok(()) };
            let site = match site.choice {
                ONCE => {
                    let Some(body) = loop_of(change.program(), s) else { return Ok(()) };
                    let empty = leaving(change.program(), body).into_iter().map(|s| (s, StmtKind::Empty));
                    let empty: Vec<(StmtId, StmtKind)> = empty.collect();
                    change.restate(&empty)?;
                    Site { choice: BODY, ..site }
                }
                _ => site,
            };
            match instead(change.program_mut(), s, site) {
                Some(kind) => change.restate(&[(s, kind)]),
                None => Ok(()),
            }
        })
    }
}

/// How the body of a loop is done once.
fn body_of(program: &Program, body: StmtId) -> u32 {
    if leaving(program, body).is_empty() { BODY } else { ONCE }
}

fn loop_of(program: &Program, s: StmtId) -> Option<StmtId> {
    match program.stmts[s].kind {
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
            Some(body)
        }
        _ => None,
    }
}

/// The `break` and `continue` statements of a loop that has this body.
fn leaving(program: &Program, body: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    // With whether there is a `switch` around it, whose own a `break` is.
    let mut open = vec![(body, false)];
    while let Some((s, switched)) = open.pop() {
        match program.stmts[s].kind {
            StmtKind::Continue => found.push(s),
            StmtKind::Break if !switched => found.push(s),
            _ if loop_of(program, s).is_some() => {}
            kind => {
                let switched = switched || matches!(kind, StmtKind::Switch { .. });
                visit::parts(program, Node::Stmt(s), |part| {
                    if let Node::Stmt(inner) = part.node {
                        open.push((inner, switched));
                    }
                });
            }
        }
    }
    found.sort_unstable();
    found
}

/// Puts the statements of blocks into the blocks around them.
pub struct Blocks;

impl Pass for Blocks {
    fn name(&self) -> &'static str {
        "blocks"
    }

    fn about(&self) -> &'static str {
        "the statements of blocks stand in the blocks around them"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let is_block = |s: StmtId| matches!(program.stmts[s].kind, StmtKind::Compound(_));
        let mut sites = Vec::new();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            let StmtKind::Compound(list) = program.stmts[s].kind else { return };
            let inner = program.block(list).iter().filter(|&&inner| is_block(inner));
            sites.extend(inner.map(|&inner| Site::new(2, At::Stmt(inner))));
        });
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| {
            let At::Stmt(s) = site.at else { return Ok(()) };
            let Some((outer, _)) = change.place(s) else { return Ok(()) };
            match flat(change.program_mut(), s, outer) {
                Some(new) => change.restate(&[new]),
                None => Ok(()),
            }
        })
    }
}

/// The block around a block, with the statements of that.
fn flat(program: &mut Program, s: StmtId, outer: StmtId) -> Option<(StmtId, StmtKind)> {
    let (StmtKind::Compound(list), StmtKind::Compound(inner)) =
        (program.stmts[outer].kind, program.stmts[s].kind)
    else {
        return None;
    };
    let (mut all, inner) = (program.block(list).to_vec(), program.block(inner).to_vec());
    let at = all.iter().position(|&other| other == s)?;
    all.splice(at..=at, inner);
    Some((outer, StmtKind::Compound(program.add_block(&all))))
}

/// What a statement, or the only one of a block, assigns to.
fn assigned(program: &Program, mut s: StmtId) -> Option<ExprId> {
    while let StmtKind::Compound(list) = program.stmts[s].kind {
        let [only] = *program.block(list) else { return None };
        s = only;
    }
    let StmtKind::Expr(e) = program.stmts[s].kind else { return None };
    match program.exprs[written(program, e)].kind {
        ExprKind::Assign(place, _) => Some(place),
        _ => None,
    }
}

/// How many labels stand directly in the body of a `switch`.
fn cases(program: &Program, body: StmtId) -> u32 {
    match program.stmts[body].kind {
        StmtKind::Compound(list) => {
            program.block(list).iter().filter(|&&s| is_case(program, s)).count() as u32
        }
        _ => 0,
    }
}

fn is_case(program: &Program, s: StmtId) -> bool {
    matches!(program.stmts[s].kind, StmtKind::Case { .. } | StmtKind::Default(_))
}

/// What stands there then.
fn instead(program: &mut Program, s: StmtId, site: Site) -> Option<StmtKind> {
    let kind_of = |program: &Program, s: StmtId| Some(program.stmts[s].kind);
    match (program.stmts[s].kind, site.choice) {
        (StmtKind::If { then, .. }, BODY) => kind_of(program, then),
        (StmtKind::If { other: Some(other), .. }, OTHER) => kind_of(program, other),
        (StmtKind::If { cond, then, .. }, BOTH) => {
            let cond = build::discard(&mut Cx::strict(program), cond, Pos::NONE).ok()?;
            let cond = program.stmts.push(Stmt { kind: StmtKind::Expr(cond), pos: Pos::NONE });
            Some(StmtKind::Compound(program.add_block(&[cond, then])))
        }
        (StmtKind::If { cond, then, other: None }, VALUE) => {
            let (place, cond) = (assigned(program, then)?, written(program, cond));
            let cx = &mut Cx::strict(program);
            let assign = build::assign(cx, place, cond, Pos::NONE).ok()?;
            Some(StmtKind::Expr(build::discard(cx, assign, Pos::NONE).ok()?))
        }
        (StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. }, BODY) => kind_of(program, body),
        (StmtKind::While { cond, body }, OTHER) => Some(StmtKind::If { cond, then: body, other: None }),
        (StmtKind::For { init: None, body, .. }, BODY) => kind_of(program, body),
        (StmtKind::For { init: Some(init), body, .. }, BODY) => {
            let mut all = match program.stmts[init].kind {
                StmtKind::Decls(list) => program.block(list).to_vec(),
                _ => vec![init],
            };
            all.push(body);
            Some(StmtKind::Compound(program.add_block(&all)))
        }
        (StmtKind::For { init, cond, body, step: Some(_) }, STEP) => {
            Some(StmtKind::For { init, cond, step: None, body })
        }
        (StmtKind::For { init, step, body, cond: Some(_) }, ENDLESS) => {
            Some(StmtKind::For { init, cond: None, step, body })
        }
        (StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(_, body), BODY) => {
            kind_of(program, body)
        }
        (StmtKind::Switch { body, .. }, CASE) => one_case(program, body, site.number),
        _ => None,
    }
}

/// What a `switch` does from its n-th label on, up to a `break`.
fn one_case(program: &mut Program, body: StmtId, number: u32) -> Option<StmtKind> {
    let StmtKind::Compound(list) = program.stmts[body].kind else { return None };
    let all = program.block(list).to_vec();
    let (at, _) = all.iter().enumerate().filter(|&(_, &s)| is_case(program, s)).nth(number as usize)?;
    let mut run = Vec::new();
    for &s in &all[at..] {
        let mut s = s;
        while let StmtKind::Case { body, .. } | StmtKind::Default(body) = program.stmts[s].kind {
            s = body;
        }
        match program.stmts[s].kind {
            StmtKind::Break => break,
            _ => run.push(s),
        }
    }
    Some(StmtKind::Compound(program.add_block(&run)))
}
