//! A program run the short way and the long way: the two must not differ. `cargo xtask survey checked` does the same
//! with programs of the corpora.

use howler_lang::arith::Strength;
use howler_lang::program::Program;
use howler_machine::outcome::Outcome;
use howler_machine::ub::UbKind;
use howler_machine::{Limits, RunOptions, RunReport, run};

/// How they differ, if they do; also with letter kinds allowed, where that changes something.
pub fn difference(program: &Program, limits: Limits) -> Option<String> {
    let way = |checked| run(program, &RunOptions { limits, checked, ..RunOptions::default() });
    let (short, long) = (way(false), way(true));
    let shown = |report: &RunReport| shown(report, program);
    if shown(&short) != shown(&long) {
        return Some(format!("the long way differs:\n  {}\n  {}", shown(&short), shown(&long)));
    }
    match short.outcome {
        Outcome::Ub(ub) if ub.kind.strength() == Strength::Letter && !limits.letter => {
            difference(program, Limits { letter: true, ..limits })
        }
        _ => None,
    }
}

/// What both ways must agree on. Steps differ, so a run that uses them up has no more to compare. A value that was
/// never set is found where it is loaded or where it is used.
fn shown(report: &RunReport, program: &Program) -> String {
    let outcome = match &report.outcome {
        Outcome::Limit(limit) => return format!("{limit:?}"),
        Outcome::Ub(ub) if ub.kind == UbKind::Uninit => ub.kind.code().to_owned(),
        Outcome::Ub(ub) => {
            let line = program.sources.place(ub.pos).map(|place| place.line);
            format!("{} {} in line {line:?}", ub.kind.code(), ub.detail)
        }
        outcome => format!("{outcome:?}"),
    };
    let RunReport { output, errors, open, trace, trace_open, order_conflicts, .. } = report;
    format!("{outcome} {output:?} {errors:?} {open:?} {trace:?} {trace_open} {order_conflicts}")
}
