//! `howler run`: executes a program on the abstract machine and says how it ended.

use std::io::{self, Write};

use anyhow::Result;
use howler_lang::diag::{self, Diagnostic};
use howler_lang::program::Program;
use howler_machine::outcome::{Outcome, Ub};
use howler_machine::{Limits, RunOptions, RunReport};
use howler_toolchain::preprocess::Preprocessor;

use crate::Status;
use crate::check;
use crate::options::Run;
use crate::pipeline;

/// Runs the command.
pub fn run(options: &Run) -> Result<Status> {
    let preprocessor = if options.files.iter().all(|file| pipeline::is_preprocessed(file)) {
        None
    } else {
        Some(Preprocessor::find(options.preprocessing.cc.as_deref())?)
    };
    let mut program = Program::new(options.language.target());
    let mut diagnostics = Vec::new();
    let front = howler_front::Options { pedantic_errors: false };
    for file in &options.files {
        let unit = pipeline::read(&mut program, preprocessor.as_ref(), file, &options.preprocessing, &front)?;
        diagnostics.extend(unit.diagnostics);
    }
    if check::status_of(&diagnostics) == Status::Fine {
        diagnostics.extend(howler_lang::link::link(&mut program));
    }
    let status = check::status_of(&diagnostics);
    if status != Status::Fine {
        show(&diagnostics, &program)?;
        return Ok(if status == Status::Refused { Status::Program(121) } else { Status::Failed });
    }
    let limits = Limits { steps: options.steps, ..Limits::default() };
    let report = howler_machine::run(&program, &RunOptions { limits, order: options.order, ..RunOptions::default() });
    let mut out = io::stdout().lock();
    out.write_all(&report.output)?;
    out.flush()?;
    io::stderr().lock().write_all(&report.errors)?;
    if options.trace_volatile {
        trace(&report)?;
    }
    let said: Vec<Diagnostic> = said(&report).into_iter().collect();
    show(&said, &program)?;
    Ok(Status::Program(match report.outcome {
        Outcome::Exit(status) => status,
        Outcome::Abort => 134,
        Outcome::Ub(_) => 120,
        Outcome::Unsupported(_) => 121,
        Outcome::Limit(_) => 122,
        Outcome::BadProgram(_) => 2,
    }))
}

fn said(report: &RunReport) -> Option<Diagnostic> {
    Some(match &report.outcome {
        Outcome::Exit(_) | Outcome::Abort => return None,
        Outcome::Ub(ub) => undefined(ub),
        Outcome::Unsupported(what) => Diagnostic::unsupported(what.pos, what.what.clone()),
        Outcome::Limit(limit) => {
            Diagnostic::error(howler_lang::source::Pos::NONE, format!("the limit of {limit} was reached"))
        }
        Outcome::BadProgram(why) => Diagnostic::error(howler_lang::source::Pos::NONE, why.clone()),
    })
}

fn undefined(ub: &Ub) -> Diagnostic {
    let detail = if ub.detail.is_empty() { String::new() } else { format!(": {}", ub.detail) };
    let text = format!(
        "undefined behaviour: {}{detail} (C17 {}) [{}]",
        ub.kind.message(),
        ub.kind.clause(),
        ub.kind.code()
    );
    let first = Diagnostic::error(ub.pos, text);
    ub.notes.iter().fold(first, |all, (pos, note)| all.with_note(*pos, note.clone()))
}

fn show(diagnostics: &[Diagnostic], program: &Program) -> Result<()> {
    let mut messages = io::stderr().lock();
    for diagnostic in diagnostics {
        messages.write_all(diag::render(diagnostic, &program.sources, check::colour()).as_bytes())?;
    }
    Ok(())
}

fn trace(report: &RunReport) -> Result<()> {
    let mut messages = io::stderr().lock();
    for access in &report.trace {
        let what = if access.write { "write" } else { "read" };
        let (object, offset, size, value) = (&access.object, access.offset, access.size, access.value);
        writeln!(messages, "volatile {what} {object}+{offset} {size} {value:#x}")?;
    }
    Ok(())
}
