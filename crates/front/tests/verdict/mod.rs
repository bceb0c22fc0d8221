//! What the front end says about a text, as assertions.
#![allow(dead_code, reason = "each test file uses some of these")]

use howler_front::{Options, Report, parse};
use howler_lang::diag::Severity;
use howler_lang::program::Program;
use howler_lang::target::Target;

fn check(text: &str, pedantic_errors: bool) -> Report {
    let mut program = Program::new(Target::X86_64_GCC);
    parse(&mut program, "test.c", text.into(), &Options { pedantic_errors })
}

fn messages(report: &Report, severity: Severity) -> Vec<&str> {
    let wanted = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity);
    wanted.map(|diagnostic| diagnostic.message.as_str()).collect()
}

fn bad(report: &Report) -> Vec<&str> {
    let mut all = messages(report, Severity::Error);
    all.extend(messages(report, Severity::Unsupported));
    all
}

fn short(text: &str) -> String {
    text.chars().take(600).collect()
}

/// The text is taken.
#[track_caller]
pub fn accepted(text: &str) {
    let report = check(text, false);
    assert!(bad(&report).is_empty(), "{:?}\n{}", bad(&report), short(text));
}

/// The text is not taken, and one error says this.
#[track_caller]
pub fn rejected(text: &str, message: &str) {
    let report = check(text, false);
    let errors = messages(&report, Severity::Error);
    assert!(
        errors.iter().any(|error| error.contains(message)),
        "no {message:?} in {errors:?}\n{}",
        short(text)
    );
}

/// The text is taken with this warning.
#[track_caller]
pub fn warned(text: &str, message: &str) {
    accepted(text);
    let report = check(text, false);
    let warnings = messages(&report, Severity::Warning);
    assert!(
        warnings.iter().any(|warning| warning.contains(message)),
        "no {message:?} in {warnings:?}\n{text}"
    );
}

/// The text is taken, but an error with `-pedantic-errors`.
#[track_caller]
pub fn pedantic(text: &str, message: &str) {
    accepted(text);
    let report = check(text, true);
    let errors = messages(&report, Severity::Error);
    assert!(errors.iter().any(|error| error.contains(message)), "no {message:?} in {errors:?}\n{text}");
}

/// The text is taken even with `-pedantic-errors`.
#[track_caller]
pub fn pedantic_accepts(text: &str) {
    let report = check(text, true);
    assert!(bad(&report).is_empty(), "{:?}\n{text}", bad(&report));
}

/// The text is refused as something we do not support, and not as wrong.
#[track_caller]
pub fn unsupported(text: &str) {
    let report = check(text, false);
    let errors = messages(&report, Severity::Error);
    assert!(errors.is_empty(), "{errors:?}\n{}", short(text));
    assert!(!messages(&report, Severity::Unsupported).is_empty(), "{}", short(text));
}

/// All warnings.
pub fn warnings(text: &str) -> Vec<String> {
    messages(&check(text, false), Severity::Warning).into_iter().map(str::to_owned).collect()
}

/// All errors.
pub fn errors(text: &str) -> Vec<String> {
    messages(&check(text, false), Severity::Error).into_iter().map(str::to_owned).collect()
}
