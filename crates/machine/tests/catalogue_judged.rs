//! The machine's verdict on every program of the catalogue, and that checked runs agree with it.

mod catalogue;

use catalogue::read::{limits, program};
use catalogue::{Expect, Limit, Section, ways};
use howler_case::End;
use howler_lang::source::Pos;
use howler_machine::caveat::Caveat;
use howler_machine::judge::{JudgeOptions, Judged, Judgement, judge};
use howler_machine::{RunOptions, outcome, run};
use howler_toolchain::preprocess::Preprocessor;

/// What is wrong with the verdict, if something is.
fn fault(preprocessor: &Preprocessor, section: &Section) -> Option<String> {
    let program = match program(preprocessor, section) {
        Ok(program) => program,
        // What is refused before it runs is unsupported, or no program.
        Err(why) => {
            return (!matches!(section.expect, Expect::Unsupported | Expect::BadProgram)).then_some(why);
        }
    };
    if let Some(difference) = ways::difference(&program, limits(section)) {
        return Some(difference);
    }
    if let Expect::Limit(_) | Expect::Exit(_) | Expect::Abort | Expect::BadProgram = section.expect {
        let report = run(&program, &RunOptions { limits: limits(section), ..RunOptions::default() });
        let right = match (&section.expect, &report.outcome) {
            (Expect::Exit(wanted), outcome::Outcome::Exit(status)) => wanted == status,
            (Expect::Abort, outcome::Outcome::Abort)
            | (Expect::BadProgram, outcome::Outcome::BadProgram(_)) => true,
            (Expect::Limit(wanted), outcome::Outcome::Limit(limit)) => match wanted {
                Limit::Fuel => *limit == outcome::Limit::Fuel,
                Limit::Memory => matches!(limit, outcome::Limit::Memory | outcome::Limit::Stack),
                Limit::Output => *limit == outcome::Limit::Output,
            },
            _ => false,
        };
        return (!right).then(|| format!("{:?}", report.outcome));
    }
    let Judged { judgement, .. } =
        judge(&program, &JudgeOptions { limits: limits(section), ..JudgeOptions::default() });
    let other = |code: &str| section.alternatives.iter().any(|known| known == code);
    let right = match (&section.expect, &judgement) {
        (Expect::Fail(code), Judgement::Undefined(ub)) => {
            let line = program.sources.place(ub.pos).map(|place| place.line as usize);
            let wanted = section.ub_line.map(|(_, line)| line);
            if line != wanted && !other(ub.kind.code()) {
                return Some(format!("{} in line {line:?} instead of {wanted:?}", ub.kind.code()));
            }
            ub.kind.code() == code || other(ub.kind.code())
        }
        (Expect::Caveat(code), Judgement::Defined { behaviour, caveats }) => {
            let known = |(caveat, _): &(Caveat, Pos)| caveat.code() == code;
            let plain = behaviour.end == End::Exit(0) && behaviour.output == section.output().as_bytes();
            plain && caveats.len() == 1 && caveats.iter().all(known) && judgement.defined().is_none()
        }
        (Expect::Pass | Expect::TraceOpen, Judgement::Defined { behaviour: defined, caveats }) => {
            let trace = section.expect == Expect::Pass || defined.trace.is_none();
            let plain = defined.end == End::Exit(0) && defined.output == section.output().as_bytes();
            plain && trace && caveats.is_empty()
        }
        (Expect::Open, Judgement::Unspecified { .. }) | (Expect::Unsupported, Judgement::Unsupported(_)) => {
            true
        }
        (_, Judgement::Unspecified { .. }) => other("unspecified"),
        (_, Judgement::Unsupported(_)) => other("unsupported"),
        (_, Judgement::Undefined(ub)) => other(ub.kind.code()),
        _ => false,
    };
    (!right).then(|| match judgement {
        Judgement::Undefined(ub) => format!("{} {}", ub.kind.code(), ub.detail),
        other => format!("{other:?}"),
    })
}

#[test]
fn every_program_gets_its_verdict() {
    let preprocessor = Preprocessor::find(Some("gcc-12".as_ref())).or_else(|_| Preprocessor::find(None));
    let Ok(preprocessor) = preprocessor else {
        howler_testkit::skip("a C compiler to preprocess with");
        return;
    };
    let sections = catalogue::sections();
    let mut faults = Vec::new();
    for section in &sections {
        if let Some(why) = fault(&preprocessor, section) {
            faults.push(format!("{} wants {:?}: {why}", section.title(), section.expect));
        }
    }
    assert!(faults.is_empty(), "{} of {} are wrong:\n{}", faults.len(), sections.len(), faults.join("\n"));
}
