//! The machine's verdict on every program of the catalogue.

mod catalogue;

use catalogue::{Expect, Limit, Section};
use howler_lang::program::Program;
use howler_lang::target::{Arch, Std, Target};
use howler_machine::judge::{JudgeOptions, Judged, Judgement, judge};
use howler_machine::{Limits, RunOptions, outcome, run};
use howler_toolchain::preprocess::{Headers, Input, PreprocessOptions, Preprocessor, preprocess};

/// Small limits: programs that reach them are there to reach them.
fn limits(section: &Section) -> Limits {
    let (wrapv, letter) = (section.wrapv, section.letter);
    Limits { steps: 3_000_000, memory: 64 << 20, output: 1 << 20, wrapv, letter, ..Limits::default() }
}

fn program(preprocessor: &Preprocessor, section: &Section) -> Result<Program, String> {
    let target = Target {
        arch: if section.i386 { Arch::I386 } else { Arch::X86_64 },
        std: Std::parse(&section.std).expect("a known standard"),
        ..Target::X86_64_GCC
    };
    let mut program = Program::new(target);
    for (name, text) in &section.files {
        let options = PreprocessOptions {
            target,
            defines: Vec::new(),
            include_dirs: Vec::new(),
            headers: Headers::Ours,
        };
        let text = preprocess(preprocessor, Input::Text { name, text }, &options)
            .map_err(|error| error.to_string())?;
        let options = howler_front::Options { pedantic_errors: false };
        let report = howler_front::parse(&mut program, name, text.text.into(), &options);
        if let Some(diagnostic) =
            report.diagnostics.iter().find(|said| said.severity >= howler_lang::diag::Severity::Unsupported)
        {
            return Err(diagnostic.message.clone());
        }
    }
    let said = howler_lang::link::link(&mut program);
    match said.iter().find(|said| said.severity >= howler_lang::diag::Severity::Unsupported) {
        Some(diagnostic) => Err(diagnostic.message.clone()),
        None => Ok(program),
    }
}

/// What is wrong with the verdict, if something is.
fn fault(preprocessor: &Preprocessor, section: &Section) -> Option<String> {
    let program = match program(preprocessor, section) {
        Ok(program) => program,
        // What is refused before it runs is unsupported, or no program.
        Err(why) => {
            return (!matches!(section.expect, Expect::Unsupported | Expect::BadProgram)).then_some(why);
        }
    };
    if let Expect::Limit(_) | Expect::Exit(_) | Expect::Abort | Expect::BadProgram = section.expect {
        let report = run(&program, &RunOptions { limits: limits(section), ..RunOptions::default() });
        let right = match (&section.expect, &report.outcome) {
            (Expect::Exit(wanted), outcome::Outcome::Exit(status)) => wanted == status,
            (Expect::Abort, outcome::Outcome::Abort)
            | (Expect::BadProgram, outcome::Outcome::BadProgram(_)) => true,
            (Expect::Limit(wanted), outcome::Outcome::Limit(limit)) => {
                let wanted = match wanted {
                    Limit::Fuel => outcome::Limit::Fuel,
                    Limit::Memory => outcome::Limit::Memory,
                    Limit::Output => outcome::Limit::Output,
                };
                wanted == *limit
            }
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
        (Expect::Pass | Expect::TraceOpen, Judgement::Defined(defined)) => {
            let trace = section.expect == Expect::Pass || defined.trace.is_none();
            defined.status == Some(0) && defined.output == section.output().as_bytes() && trace
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
