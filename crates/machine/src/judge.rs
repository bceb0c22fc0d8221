//! Judgements: what several runs with different choices say about a program.
//!
//! Sampling is not proof. What a run can track exactly decides first (`RunReport::open`); the other runs, with another
//! order, other addresses and other fill, are a second net.

mod ask;
mod orders;

pub use ask::{Judge, Machine, Profiled};

use crate::caveat::Caveat;
use crate::exec::{Input, Limits, Meeting, RunOptions, RunReport, run};
use crate::lower::Order;
use crate::memory::Placement;
use crate::outcome::{Limit, Open, Outcome, Ub, Unsupported};
use crate::profile::{Profile, ProfileOptions};
use howler_case::{Behaviour, End};
use howler_lang::program::Program;
use howler_lang::source::Pos;

/// What a program means, or why it has no single meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// A run met undefined behaviour.
    Undefined(Box<Ub>),
    /// A run met something the machine does not model.
    Unsupported(Box<Unsupported>),
    /// A run reached a limit.
    Unfinished(Limit),
    /// The behaviour depends, or may depend, on something the standard leaves open.
    Unspecified {
        /// On what.
        on: Dependence,
        /// Where.
        pos: Pos,
    },
    /// One behaviour, which every conforming compiler must produce.
    Defined {
        /// What it does.
        behaviour: Behaviour,
        /// What some compiler families do not promise all the same, and where.
        caveats: Vec<(Caveat, Pos)>,
    },
    /// It is not a program.
    BadProgram(String),
}

impl Judgement {
    /// The behaviour of a program that every compiler family promises to keep: nothing but this is a defined program to
    /// who makes, changes or reports one.
    pub fn defined(&self) -> Option<&Behaviour> {
        match self {
            Judgement::Defined { behaviour, caveats } if caveats.is_empty() => Some(behaviour),
            _ => None,
        }
    }
}

/// What an unspecified behaviour depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dependence {
    /// Something that was tracked.
    Open(Open),
    /// Two runs with different choices did not end alike, or did not print the same.
    Runs,
    /// Calls conflict, and they have more orders than are tried.
    Orders,
}

impl Dependence {
    /// A sentence part that says what it is.
    pub fn message(self) -> &'static str {
        match self {
            Dependence::Open(open) => open.message(),
            Dependence::Runs => {
                "runs with other evaluation orders or addresses behave differently (C17 6.5p3, 6.5.2.2p10)"
            }
            Dependence::Orders => {
                "the result may depend on the order in which functions are called: not all orders could be tried (C17 6.5.2.2p10)"
            }
        }
    }
}

/// How to judge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JudgeOptions<'a> {
    /// Standard input and the arguments of `main`, the same in every run.
    pub input: Input<'a>,
    /// The limits of each run.
    pub limits: Limits,
    /// How many runs, at least one.
    pub runs: u32,
    /// What to observe, if a profile is wanted.
    pub profile: Option<ProfileOptions<'a>>,
}

impl Default for JudgeOptions<'_> {
    fn default() -> Self {
        JudgeOptions { input: Input::default(), limits: Limits::default(), runs: 3, profile: None }
    }
}

/// A judgement and the runs behind it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The judgement.
    pub judgement: Judgement,
    /// The runs, as far as they were needed.
    pub runs: Vec<RunReport>,
    /// What explains an unspecified behaviour, with places.
    pub notes: Vec<(Pos, String)>,
}

impl Judged {
    /// The profile of all runs together, if one was asked for.
    pub fn profile(&self) -> Option<Profile> {
        let mut profiles = self.runs.iter().filter_map(|run| run.profile.as_ref());
        let mut all = profiles.next()?.clone();
        profiles.for_each(|profile| all.join(profile));
        // Of a defined program all orders that matter are among the runs. Of contraction only all and none are, and what
        // is no part of the behaviour may have other values in between.
        let settled = |&(open, _): &(Open, Pos)| matches!(open, Open::CallOrder | Open::Unevaluated);
        if matches!(self.judgement, Judgement::Defined { .. })
            && self.runs.iter().flat_map(|run| &run.open).all(settled)
        {
            all.open = 0;
        }
        Some(all)
    }
}

/// Judges a linked program.
pub fn judge(program: &Program, options: &JudgeOptions<'_>) -> Judged {
    let mut runs = Vec::new();
    for number in 0..options.runs.max(1) {
        let report = run(program, &choices(options, number));
        let end = report.went_on.as_ref().unwrap_or(&report.outcome);
        let ended = matches!(end, Outcome::Exit(_) | Outcome::Abort);
        runs.push(report);
        if !ended {
            break;
        }
    }
    let mut judgement = judgement(&runs, false);
    if let Judgement::Unspecified { on: Dependence::Open(Open::CallOrder), pos } = judgement
        && runs.iter().all(|run| run.open.iter().all(|&(open, _)| open == Open::CallOrder))
        && let Some(first) = runs.first()
    {
        match orders::try_all(program, options, first) {
            orders::Tried::All(more) => {
                runs.extend(more);
                judgement = self::judgement(&runs, true);
            }
            orders::Tried::TooMany => judgement = Judgement::Unspecified { on: Dependence::Orders, pos },
        }
    }
    let notes = match &judgement {
        Judgement::Unspecified { on, .. } => explain(*on, &runs),
        _ => Vec::new(),
    };
    Judged { judgement, runs, notes }
}

/// What the runs show about an unspecified behaviour.
fn explain(on: Dependence, runs: &[RunReport]) -> Vec<(Pos, String)> {
    let mut notes = Vec::new();
    let difference = difference(runs);
    if let Dependence::Runs | Dependence::Orders | Dependence::Open(Open::CallOrder) = on {
        let meetings: Vec<&Meeting> = runs.iter().flat_map(|run| run.meetings.first()).collect();
        if let Some(meeting) = meetings.first() {
            match &meeting.calls[..] {
                [a, b] => {
                    notes.push((*a, format!("this call and the next one conflict about {}", meeting.about)));
                    notes.push((*b, "the other call".to_owned()));
                }
                [a] => {
                    notes.push((*a, format!("this call and an operand conflict about {}", meeting.about)));
                    if meeting.operand != Pos::NONE {
                        notes.push((meeting.operand, "the operand".to_owned()));
                    }
                }
                _ => {}
            }
            if meeting.declared != Pos::NONE {
                notes.push((meeting.declared, format!("{} is declared or made here", meeting.about)));
            }
        }
    }
    if on == Dependence::Open(Open::Library)
        && let Some(run) = runs.iter().find(|run| !run.open_notes.is_empty())
    {
        notes.extend(run.open_notes.iter().cloned());
    }
    notes.extend(difference.map(|text| (Pos::NONE, text)));
    notes
}

/// How two runs differ.
fn difference(runs: &[RunReport]) -> Option<String> {
    let one = runs.first()?;
    let end = |run: &RunReport| match &run.outcome {
        Outcome::Exit(status) => format!("exits with status {status}"),
        Outcome::Abort => "aborts".to_owned(),
        _ => "does not end by itself".to_owned(),
    };
    let (number, other) = runs.iter().enumerate().skip(1).find(|(_, run)| {
        run.outcome != one.outcome || one.outcome != Outcome::Abort && run.output != one.output
    })?;
    let number = number + 1;
    if one.outcome != other.outcome {
        return Some(format!("run 1 {}, run {number} {}", end(one), end(other)));
    }
    let at = one.output.iter().zip(&other.output).take_while(|(a, b)| a == b).count();
    let line = 1 + one.output[..at].iter().filter(|&&byte| byte == b'\n').count();
    let shown = |run: &RunReport| {
        let rest = &run.output[at..];
        let start = run.output[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let stop = rest.iter().position(|&byte| byte == b'\n').map_or(run.output.len(), |len| at + len);
        let text = &run.output[start..stop.min(start + 60)];
        format!("\"{}\"", text.escape_ascii())
    };
    Some(format!(
        "the output differs at byte {at}, in line {line}: {} in run 1, {} in run {number}",
        shown(one),
        shown(other)
    ))
}

/// The choices of the n-th run.
fn choices<'a>(options: &JudgeOptions<'a>, number: u32) -> RunOptions<'a> {
    let seed = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let (order, placement) = match number {
        0 => (Order::LeftToRight, Placement::Dense),
        1 => (Order::RightToLeft, Placement::Sparse(seed)),
        _ => (Order::Seeded(seed), Placement::Sparse(seed)),
    };
    let JudgeOptions { input, limits, profile, .. } = *options;
    RunOptions { input, limits, order, placement, profile, checked: false }
}

/// `tried` says that every order of conflicting calls is among the runs.
fn judgement(runs: &[RunReport], tried: bool) -> Judgement {
    let outcome = |test: fn(&Outcome) -> Option<Judgement>| runs.iter().find_map(|run| test(&run.outcome));
    let first = outcome(|outcome| match outcome {
        Outcome::BadProgram(why) => Some(Judgement::BadProgram(why.clone())),
        _ => None,
    })
    .or_else(|| {
        outcome(|outcome| match outcome {
            Outcome::Ub(ub) => Some(Judgement::Undefined(ub.clone())),
            _ => None,
        })
    })
    .or_else(|| {
        outcome(|outcome| match outcome {
            Outcome::Unsupported(what) => Some(Judgement::Unsupported(what.clone())),
            _ => None,
        })
    })
    .or_else(|| {
        outcome(|outcome| match outcome {
            Outcome::Limit(limit) => Some(Judgement::Unfinished(*limit)),
            _ => None,
        })
    });
    if let Some(judgement) = first {
        return judgement;
    }
    if let Some((open, pos)) = runs.iter().flat_map(|run| open_of(run, runs.len(), tried)).next() {
        return Judgement::Unspecified { on: Dependence::Open(open), pos };
    }
    let Some(one) = runs.first() else { return Judgement::Unfinished(Limit::Fuel) };
    let aborts = one.outcome == Outcome::Abort;
    let alike = |other: &RunReport| other.outcome == one.outcome && (aborts || other.output == one.output);
    if !runs.iter().all(alike) {
        let contracted = runs.iter().flat_map(|run| &run.open).find(|open| open.0 == Open::Contraction);
        if let Some(&(open, pos)) = contracted {
            return Judgement::Unspecified { on: Dependence::Open(open), pos };
        }
        let pos = runs.iter().find_map(|run| run.meetings.first()).map_or(Pos::NONE, |meeting| meeting.pos);
        return Judgement::Unspecified { on: Dependence::Runs, pos };
    }
    let fixed = runs.iter().all(|run| !run.trace_open && run.trace == one.trace);
    let behaviour = Behaviour {
        end: match one.outcome {
            Outcome::Exit(status) => End::Exit(status),
            _ => End::Abort,
        },
        output: one.output.clone(),
        trace: fixed.then(|| one.trace.clone()),
    };
    let mut caveats: Vec<(Caveat, Pos)> = Vec::new();
    for &(caveat, pos) in runs.iter().flat_map(|run| &run.caveats) {
        if !caveats.iter().any(|&(known, _)| known == caveat) {
            caveats.push((caveat, pos));
        }
    }
    Judgement::Defined { behaviour, caveats }
}

/// What a run depended on. Two calls whose order matters once have two orders, and the first two runs have both.
fn open_of(run: &RunReport, runs: usize, tried: bool) -> Option<(Open, Pos)> {
    let covered = run.order_conflicts <= 1 && runs >= 2;
    run.open.iter().copied().find(|&(open, _)| match open {
        // All and none were tried: what is printed may well be the same.
        Open::Contraction => runs < 2,
        Open::CallOrder => !covered && !tried,
        Open::Unevaluated => !covered,
        _ => true,
    })
}
