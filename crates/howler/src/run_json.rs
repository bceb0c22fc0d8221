//! What a run or a judgement found, as JSON.

use howler_case::End;
use howler_case::behaviour::VolatileAccess;
use howler_lang::diag::Diagnostic;
use howler_lang::program::Program;
use howler_lang::source::Pos;
use howler_machine::RunReport;
use howler_machine::caveat::family_name;
use howler_machine::judge::{Judged, Judgement};
use howler_machine::outcome::{Outcome, Ub};
use howler_toolchain::preprocess::PreprocessError;
use serde_json::{Value, json};

use crate::Status;
use crate::run_profile_json;
use crate::show;

/// One run, and what the compiler part warned of.
pub fn whole(report: &RunReport, program: &Program, warnings: &[Diagnostic]) -> Value {
    let mut whole = self::report(report, program);
    whole["warnings"] = said(warnings, program);
    whole
}

/// Diagnostics as a list.
fn said(diagnostics: &[Diagnostic], program: &Program) -> Value {
    diagnostics.iter().map(|diagnostic| show::diagnostic_json(diagnostic, &program.sources)).collect()
}

/// Adds what was written to a stream: as text, and if it is not UTF-8 also its bytes, as `NAME_hex`.
fn add_stream(object: &mut Value, name: &str, bytes: &[u8]) {
    object[name] = String::from_utf8_lossy(bytes).into();
    if std::str::from_utf8(bytes).is_err() {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        object[format!("{name}_hex")] = hex.into();
    }
}

/// How a run ended.
fn ended(outcome: &Outcome, report: &RunReport, program: &Program) -> Value {
    match outcome {
        Outcome::Exit(status) => json!({ "kind": "exit", "status": status }),
        Outcome::Abort => json!({ "kind": "abort" }),
        Outcome::Ub(ub) => undefined(ub, program),
        Outcome::Unsupported(what) => {
            json!({ "kind": "unsupported", "what": what.what, "place": place(what.pos, program) })
        }
        Outcome::Limit(limit) => json!({
            "kind": "limit",
            "limit": limit.to_string(),
            "place": place(report.stopped, program),
            "notes": notes(&report.stack, program),
        }),
        Outcome::BadProgram(why) => json!({ "kind": "bad-program", "why": why }),
    }
}

fn report(report: &RunReport, program: &Program) -> Value {
    let open: Vec<Value> = report
        .open
        .iter()
        .map(|(open, pos)| json!({ "on": format!("{open:?}"), "message": open.message(), "place": place(*pos, program) }))
        .collect();
    let mut whole = json!({
        "outcome": ended(&report.outcome, report, program),
        "went_on": report.went_on.as_ref().map(|end| ended(end, report, program)),
        "open": open,
        "volatile": trace(&report.trace),
        "volatile_fixed": !report.trace_open,
        "steps": report.steps,
        "profile": report.profile.as_ref().map(|profile| run_profile_json::json(profile, program)),
    });
    add_stream(&mut whole, "stdout", &report.output);
    add_stream(&mut whole, "stderr", &report.errors);
    whole
}

/// A judgement with its runs.
pub fn judged(judged: &Judged, program: &Program, warnings: &[Diagnostic]) -> Value {
    let mut judgement = match &judged.judgement {
        Judgement::Undefined(ub) => undefined(ub, program),
        Judgement::Unsupported(what) => {
            json!({ "kind": "unsupported", "what": what.what, "place": place(what.pos, program) })
        }
        Judgement::Unfinished(limit) => {
            let limited = judged.runs.iter().find(|run| matches!(run.outcome, Outcome::Limit(_)));
            json!({
                "kind": "unfinished",
                "limit": limit.to_string(),
                "place": limited.map(|run| place(run.stopped, program)),
                "notes": limited.map(|run| notes(&run.stack, program)),
            })
        }
        Judgement::Unspecified { on, pos } => {
            json!({
                "kind": "unspecified",
                "message": on.message(),
                "place": place(*pos, program),
                "notes": notes(&judged.notes, program),
            })
        }
        Judgement::Defined { behaviour: defined, caveats } => json!({
            "kind": "defined",
            "status": match defined.end {
                End::Exit(status) => Some(status),
                End::Abort => None,
            },
            "volatile": defined.trace.as_deref().map(trace),
            "caveats": caveats.iter().map(|&(caveat, pos)| json!({
                "code": caveat.code(),
                "clause": caveat.clause(),
                "message": caveat.message(),
                "promised_by": caveat.promised_by().iter().map(|&family| family_name(family)).collect::<Vec<_>>(),
                "place": place(pos, program),
            })).collect::<Vec<Value>>(),
        }),
        Judgement::BadProgram(why) => json!({ "kind": "bad-program", "why": why }),
    };
    let runs: Vec<Value> = judged.runs.iter().map(|run| report(run, program)).collect();
    if let Judgement::Defined { behaviour, .. } = &judged.judgement {
        add_stream(&mut judgement, "stdout", &behaviour.output);
    }
    let profile = judged.profile().map(|profile| run_profile_json::json(&profile, program));
    json!({ "judgement": judgement, "runs": runs, "profile": profile, "warnings": said(warnings, program) })
}

/// A program that is not run: it is not valid, or not supported.
pub fn refused(diagnostics: &[Diagnostic], program: &Program, status: Status, judged: bool) -> Value {
    let kind = if status == Status::Refused { "unsupported" } else { "bad-program" };
    let said = diagnostics.iter().map(|diagnostic| show::diagnostic_json(diagnostic, &program.sources));
    let reason = json!({ "kind": kind, "diagnostics": said.collect::<Vec<Value>>() });
    let key = if judged { "judgement" } else { "outcome" };
    json!({ key: reason })
}

/// A program without a text: a file cannot be read, or the preprocessor refuses it.
pub fn unread(error: &PreprocessError, judged: bool) -> Value {
    let kind = if matches!(error, PreprocessError::Refused { .. }) { "bad-program" } else { "failed" };
    let key = if judged { "judgement" } else { "outcome" };
    json!({ key: { "kind": kind, "why": error.to_string() } })
}

fn undefined(ub: &Ub, program: &Program) -> Value {
    json!({
        "kind": "undefined",
        "code": ub.kind.code(),
        "clause": ub.clause,
        "strength": format!("{:?}", ub.kind.strength()).to_lowercase(),
        "message": ub.message,
        "detail": ub.detail,
        "place": place(ub.pos, program),
        "notes": notes(&ub.notes, program),
    })
}

fn notes(notes: &[(Pos, String)], program: &Program) -> Vec<Value> {
    notes.iter().map(|(pos, note)| json!({ "message": note, "place": place(*pos, program) })).collect()
}

/// A place, if there is one.
pub fn place(pos: Pos, program: &Program) -> Value {
    match program.sources.place(pos) {
        Some(place) => json!({ "file": place.file, "line": place.line, "column": place.column }),
        None => Value::Null,
    }
}

fn trace(accesses: &[VolatileAccess]) -> Vec<Value> {
    accesses
        .iter()
        .map(|access| {
            json!({
                "object": access.object,
                "offset": access.offset,
                "size": access.size,
                "value": format!("{:#x}", access.value),
                "write": access.write,
            })
        })
        .collect()
}
