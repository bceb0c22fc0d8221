//! Every order of calls that conflict, one run for each; see `exec::orders` for why that is a proof.

use super::{JudgeOptions, choices};
use crate::exec::{Meeting, Permutation, Plan, RunOptions, RunReport, run_planned};
use crate::outcome::{Open, Outcome};
use howler_lang::program::Program;

/// Orders that are tried.
const MOST_RUNS: usize = 64;

/// Steps that all these runs may take together.
const MOST_STEPS: u64 = 40_000_000;

/// What came of trying all orders.
pub(super) enum Tried {
    /// All were tried; these are the runs.
    All(Vec<RunReport>),
    /// There are too many, or some that cannot be tried.
    TooMany,
}

/// Runs a program with every order of its conflicting calls. `first` is a run in the usual order. Ends with the first
/// run that does not end as that one.
pub(super) fn try_all(program: &Program, options: &JudgeOptions, first: &RunReport) -> Tried {
    // Two operands are the fewest a conflict has: each one doubles the number of runs.
    if first.order_conflicts > 2 * u64::from(MOST_RUNS.ilog2()) {
        return Tried::TooMany;
    }
    let options: RunOptions = choices(options, 0);
    let mut open = vec![Plan::default()];
    let (mut runs, mut steps) = (Vec::new(), 0);
    while let Some(plan) = open.pop() {
        if runs.len() + open.len() >= MOST_RUNS || steps > MOST_STEPS {
            return Tried::TooMany;
        }
        let report = run_planned(program, &options, Some(&plan));
        steps += report.steps;
        let same = report.outcome == first.outcome
            && (first.outcome == Outcome::Abort || report.output == first.output)
            && report.open.iter().all(|&(open, _)| open == Open::CallOrder);
        if same {
            let decided = plan.choices.last().map(|choice| choice.0);
            for meeting in &report.meetings {
                let Some(number) = meeting.number.filter(|_| !meeting.tangled) else {
                    return Tried::TooMany;
                };
                if decided.is_some_and(|decided| number <= decided) {
                    continue;
                }
                let Some(orders) = other_orders(meeting) else { return Tried::TooMany };
                open.extend(orders.into_iter().map(|order| {
                    let mut plan = plan.clone();
                    plan.choices.push((number, order));
                    plan
                }));
            }
        }
        runs.push(report);
        if !same {
            break;
        }
    }
    Tried::All(runs)
}

/// All orders of the conflicting operands but the usual one; none if they are too many.
fn other_orders(meeting: &Meeting) -> Option<Vec<Permutation>> {
    let places = &meeting.conflicting;
    if places.len() > 4 || meeting.operands > usize::from(u8::MAX) {
        return None;
    }
    let mut orders: Vec<Vec<u8>> = vec![Vec::new()];
    for &place in places {
        let longer = |order: &Vec<u8>| {
            (0..=order.len())
                .map(|at| {
                    let mut order = order.clone();
                    order.insert(at, place);
                    order
                })
                .collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders.retain(|order| order != places);
    let usual = (0..meeting.operands).map(|place| place as u8);
    let whole = |order: Vec<u8>| {
        let mut moved = order.into_iter();
        let place = |place: u8| if places.contains(&place) { moved.next().unwrap_or(place) } else { place };
        usual.clone().map(place).collect()
    };
    Some(orders.into_iter().map(whole).collect())
}
