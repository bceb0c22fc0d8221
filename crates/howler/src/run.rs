//! `howler run`: executes a program on the abstract machine and says how it ended.

use std::io::Read as _;

use anyhow::{Context as _, Result};
use howler_case::End;
use howler_lang::diag::{self, Diagnostic};
use howler_lang::program::Program;
use howler_lang::source::Pos;
use howler_machine::caveat::{Caveat, family_name};
use howler_machine::judge::{self, JudgeOptions, Judgement};
use howler_machine::outcome::{Limit, Outcome, Ub};
use howler_machine::{Input, Limits, RunOptions, RunReport};

use crate::Status;
use crate::check;
use crate::options::Run;
use crate::pipeline;
use crate::run_json;
use crate::run_profile;
use crate::show;

/// Runs the command.
pub fn run(options: &Run) -> Result<Status> {
    let target = options.language.target();
    let front = howler_front::Options { pedantic_errors: false };
    let read = match pipeline::read_all(target, &options.files, &options.preprocessing, &front) {
        Err(error) if options.json => {
            let unread = run_json::unread(&error, options.judge);
            show::to_stdout(format!("{unread}\n").as_bytes())?;
            return Ok(Status::Failed);
        }
        read => read?,
    };
    let (mut program, units) = read;
    let too_many_errors = units.iter().any(|unit| unit.too_many_errors);
    let translator = units.iter().zip(&options.files).filter(|_| options.judge).find_map(|(unit, file)| {
        let (name, line) = unit.translator?;
        let what = format!("'{name}' on line {line} of {}", file.display());
        let why = "what it becomes depends on the compiler and on when it compiles";
        Some(Diagnostic::unsupported(Pos::NONE, format!("{what}: {why}")))
    });
    let mut diagnostics: Vec<Diagnostic> = units.into_iter().flat_map(|unit| unit.diagnostics).collect();
    diagnostics.extend(translator);
    if check::status_of(&diagnostics) == Status::Fine {
        diagnostics.extend(howler_lang::link::link(&mut program));
    }
    let status = check::status_of(&diagnostics);
    if status != Status::Fine {
        if options.json {
            let refused = run_json::refused(&diagnostics, &program, status, options.judge);
            show::to_stdout(format!("{refused}\n").as_bytes())?;
        } else {
            say(&diagnostics, &program)?;
            if too_many_errors {
                show::to_stderr(show::TOO_MANY_ERRORS.as_bytes())?;
            }
        }
        return Ok(match status {
            Status::Refused if options.judge => Status::Refused,
            Status::Refused => Status::Program(121),
            _ => Status::Failed,
        });
    }
    // What is no error to compilers runs, but not in silence.
    if !options.json {
        say(&diagnostics, &program)?;
    }
    let limits = Limits {
        steps: options.steps,
        letter: options.letter,
        wrapv: options.wrapv,
        contract: options.judge && !options.no_contract,
        ..Limits::default()
    };
    let chosen = run_profile::chosen(options, &program)?;
    let profile = run_profile::wanted(options, &chosen);
    let bytes = standard_input(options, &program)?;
    let arguments: Vec<Vec<u8>> =
        options.arguments.iter().map(|argument| argument.as_encoded_bytes().to_vec()).collect();
    let input = Input { bytes: &bytes, arguments: &arguments };
    if options.judge {
        let how = JudgeOptions { input, limits, runs: options.runs, profile };
        return judge(options, &program, &diagnostics, how);
    }
    let report = howler_machine::run(
        &program,
        &RunOptions { input, limits, order: options.order, profile, ..RunOptions::default() },
    );
    let status = Status::Program(match report.outcome {
        Outcome::Exit(status) => status,
        Outcome::Abort => 134,
        Outcome::Ub(_) => 120,
        Outcome::Unsupported(_) => 121,
        Outcome::Limit(_) => 122,
        Outcome::BadProgram(_) => 2,
    });
    if options.json {
        show::to_stdout(format!("{}\n", run_json::whole(&report, &program, &diagnostics)).as_bytes())?;
        return Ok(status);
    }
    show::to_stdout(&report.output)?;
    show::to_stderr(&report.errors)?;
    if options.trace_volatile {
        trace(&report)?;
    }
    if let Some(profile) = &report.profile {
        let stopped = run_profile::stopped(&report, &program).unwrap_or_default();
        show::to_stderr(format!("{}{stopped}", run_profile::text(profile, &program)).as_bytes())?;
    }
    let said: Vec<Diagnostic> = said(&report, options).into_iter().collect();
    say(&said, &program)?;
    Ok(status)
}

/// The longest input that is read.
const LONGEST_INPUT: u64 = 64 << 20;

/// What the program reads: nothing is waited for that it does not ask for.
fn standard_input(options: &Run, program: &Program) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if !howler_machine::reads_input(program) {
        return Ok(bytes);
    }
    if let Some(file) = &options.stdin {
        let opened = std::fs::File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
        opened.take(LONGEST_INPUT).read_to_end(&mut bytes)?;
    } else if !options.files.iter().any(|file| file.as_os_str() == "-") {
        std::io::stdin().lock().take(LONGEST_INPUT).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn judge(options: &Run, program: &Program, warnings: &[Diagnostic], how: JudgeOptions<'_>) -> Result<Status> {
    let judged = judge::judge(program, &how);
    let status = match &judged.judgement {
        Judgement::Defined { .. } => Status::Fine,
        Judgement::Undefined(_) => Status::Found,
        Judgement::BadProgram(_) => Status::Failed,
        Judgement::Unsupported(_) | Judgement::Unfinished(_) | Judgement::Unspecified { .. } => {
            Status::Refused
        }
    };
    if options.json {
        show::to_stdout(format!("{}\n", run_json::judged(&judged, program, warnings)).as_bytes())?;
        return Ok(status);
    }
    if let Some(profile) = judged.profile() {
        let stopped = judged.runs.iter().find_map(|run| run_profile::stopped(run, program));
        let text = run_profile::text(&profile, program) + &stopped.unwrap_or_default();
        show::to_stderr(text.as_bytes())?;
    }
    let runs = judged.runs.len();
    match &judged.judgement {
        Judgement::Defined { behaviour: defined, caveats } => {
            show::to_stdout(&defined.output)?;
            let end = match defined.end {
                End::Exit(status) => format!("exit status {status}"),
                End::Abort => "abort".to_owned(),
            };
            let trace = match &defined.trace {
                Some(trace) if trace.is_empty() => String::new(),
                Some(trace) => format!(", {} volatile accesses, always the same", trace.len()),
                None => ", volatile accesses may differ".to_owned(),
            };
            let plural = if runs == 1 { "" } else { "s" };
            show::to_stderr(format!("howler: defined: {end}{trace} ({runs} run{plural})\n").as_bytes())?;
            let said: Vec<Diagnostic> = caveats.iter().map(|&(caveat, pos)| caution(caveat, pos)).collect();
            say(&said, program)?;
        }
        Judgement::Unspecified { on, pos } => {
            let said = Diagnostic::error(*pos, format!("unspecified behaviour: {}", on.message()));
            let note = |said: Diagnostic, (pos, note): &(Pos, String)| said.with_note(*pos, note.clone());
            say(&[judged.notes.iter().fold(said, note)], program)?;
        }
        Judgement::Undefined(ub) => say(&[undefined(ub)], program)?,
        Judgement::Unsupported(what) => {
            say(&[Diagnostic::unsupported(what.pos, what.what.clone())], program)?
        }
        Judgement::Unfinished(limit) => {
            let limited = |run: &&RunReport| matches!(run.outcome, Outcome::Limit(_));
            say(&[limit_reached(*limit, options, judged.runs.iter().find(limited))], program)?;
        }
        Judgement::BadProgram(why) => say(&[Diagnostic::error(Pos::NONE, why.clone())], program)?,
    }
    Ok(status)
}

fn limit_reached(limit: Limit, options: &Run, run: Option<&RunReport>) -> Diagnostic {
    let what = match limit {
        Limit::Fuel => format!("{} steps was reached, --steps sets another", options.steps),
        Limit::Stack => "the stack was reached".to_owned(),
        Limit::Memory | Limit::Output => format!("{limit} was reached"),
    };
    let pos = run.map_or(Pos::NONE, |run| run.stopped);
    let said = Diagnostic::error(pos, format!("unfinished: the limit of {what}"));
    // Where a loop happens to be when its steps run out is not worth a list of calls.
    let stack = run.filter(|_| limit != Limit::Fuel).map_or(&[][..], |run| &run.stack);
    stack.iter().fold(said, |said, (pos, note)| said.with_note(*pos, note.clone()))
}

fn said(report: &RunReport, options: &Run) -> Option<Diagnostic> {
    Some(match &report.outcome {
        Outcome::Exit(_) | Outcome::Abort => return None,
        Outcome::Ub(ub) => undefined(ub),
        Outcome::Unsupported(what) => Diagnostic::unsupported(what.pos, what.what.clone()),
        Outcome::Limit(limit) => limit_reached(*limit, options, Some(report)),
        Outcome::BadProgram(why) => Diagnostic::error(Pos::NONE, why.clone()),
    })
}

/// What a caveat says: who promises the meaning that the standard gives.
fn caution(caveat: Caveat, pos: Pos) -> Diagnostic {
    let (message, clause, code) = (caveat.message(), caveat.clause(), caveat.code());
    let families: Vec<&str> = caveat.promised_by().iter().map(|&family| family_name(family)).collect();
    let promise = format!("only {} promises the plain meaning", families.join(" and "));
    Diagnostic::warning(pos, format!("caveat: {message} (C17 {clause}): {promise} [{code}]"))
}

fn undefined(ub: &Ub) -> Diagnostic {
    let detail = if ub.detail.is_empty() { String::new() } else { format!(": {}", ub.detail) };
    let text = format!("undefined behaviour: {}{detail} ({}) [{}]", ub.message, ub.rule(), ub.kind.code());
    let first = Diagnostic::error(ub.pos, text);
    ub.notes.iter().fold(first, |all, (pos, note)| all.with_note(*pos, note.clone()))
}

fn say(diagnostics: &[Diagnostic], program: &Program) -> Result<()> {
    let rendered =
        diagnostics.iter().map(|diagnostic| diag::render(diagnostic, &program.sources, check::colour()));
    Ok(show::to_stderr(rendered.collect::<String>().as_bytes())?)
}

fn trace(report: &RunReport) -> Result<()> {
    let mut lines = String::new();
    for access in &report.trace {
        let what = if access.write { "write" } else { "read" };
        let (object, offset, size, value) = (&access.object, access.offset, access.size, access.value);
        lines += &format!("volatile {what} {object}+{offset} {size} {value:#x}\n");
    }
    Ok(show::to_stderr(lines.as_bytes())?)
}
