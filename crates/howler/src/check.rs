//! `howler check`: reads files and says what is wrong with them.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Result;
use howler_lang::diag::{Diagnostic, Severity};
use howler_lang::print::{self, Includes, PrintOptions};
use howler_lang::program::Program;
use howler_oracle::read::{Unit, mixes_headers};
use howler_toolchain::preprocess::{PreprocessError, Preprocessor, is_stream};

use crate::Status;
use crate::options::{Check, Preprocessing};
use crate::pipeline;
use crate::show::{self, Counts};

/// What is known about one program: a file, or several that are linked.
pub struct Checked {
    /// The files.
    pub files: Vec<PathBuf>,
    /// The worst of what happened.
    pub status: Status,
    /// Files that gave no text, and why.
    pub failures: Vec<String>,
    /// Whether a file has so many errors that the rest of it is left out.
    pub too_many_errors: bool,
    /// What the front end and the linker say.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether system headers were used, for each file; none if it was not preprocessed here.
    pub system_headers: Vec<Option<bool>>,
    /// The units as C, if asked for and there is nothing wrong with them.
    pub printed: Option<Vec<String>>,
    /// The program.
    pub program: Program,
}

/// Runs the command.
pub fn run(options: &Check) -> Result<Status> {
    let preprocessor = pipeline::preprocessor(&options.files, &options.preprocessing)?;
    let programs: Vec<&[PathBuf]> =
        if options.link { vec![&options.files] } else { options.files.chunks(1).collect() };
    let many = options.files.len() > 1;
    let mut worst = Status::Fine;
    for files in programs {
        let mut checked = check(options, &options.preprocessing, preprocessor.as_ref(), files);
        if mixes_headers(checked.system_headers.iter().copied()) && !files.iter().any(|file| is_stream(file))
        {
            let again =
                check(options, &options.preprocessing.with_system_headers(), preprocessor.as_ref(), files);
            if again.status == Status::Fine {
                checked = again;
            }
        }
        worst = worst_of(worst, checked.status);
        report(options, &checked, many)?;
    }
    Ok(worst)
}

fn check(
    options: &Check,
    preprocessing: &Preprocessing,
    preprocessor: Option<&Preprocessor>,
    files: &[PathBuf],
) -> Checked {
    let mut checked = Checked {
        files: files.to_vec(),
        status: Status::Fine,
        failures: Vec::new(),
        too_many_errors: false,
        diagnostics: Vec::new(),
        system_headers: Vec::new(),
        printed: None,
        program: Program::new(options.language.target()),
    };
    let front = howler_front::Options { pedantic_errors: options.pedantic_errors };
    let mut units: Vec<Unit> = Vec::new();
    for file in files {
        match pipeline::read(&mut checked.program, preprocessor, file, preprocessing, &front) {
            Ok(mut unit) => {
                checked.diagnostics.append(&mut unit.diagnostics);
                checked.too_many_errors |= unit.too_many_errors;
                checked.system_headers.push(unit.system_headers);
                units.push(unit);
            }
            Err(error) => {
                // A text the preprocessor refuses is a wrong text; anything else is a failure to read it.
                let refused = matches!(error, PreprocessError::Refused { .. });
                let status = if refused { Status::Found } else { Status::Failed };
                checked.status = worst_of(checked.status, status);
                checked.failures.push(if refused { error.to_string() } else { format!("howler: {error}") });
                checked.system_headers.push(None);
            }
        }
    }
    checked.status = worst_of(checked.status, status_of(&checked.diagnostics));
    if options.link && checked.status == Status::Fine {
        let mut said = howler_lang::link::link(&mut checked.program);
        said.extend(howler_lang::link::undefined(&checked.program, howler_toolchain::library::defines));
        checked.status = status_of(&said);
        checked.diagnostics.extend(said);
    }
    // A broken rule is a bug of Howler: debug builds look for it in everything they take.
    if cfg!(debug_assertions) && checked.status == Status::Fine {
        for fault in howler_lang::verify::program(&checked.program) {
            checked.status = Status::Failed;
            checked.failures.push(format!("howler: broken rule {}: {}", fault.rule, fault.what));
        }
    }
    if options.dump && checked.status == Status::Fine {
        checked.printed = Some(vec![howler_lang::dump::program(&checked.program)]);
    }
    if options.print && checked.status == Status::Fine {
        checked.printed =
            Some(units.iter().map(|unit| print_unit(&checked.program, unit, options.expand)).collect());
    }
    checked
}

fn print_unit(program: &Program, unit: &Unit, expand: bool) -> String {
    // The print has no `#undef` lines, so a header must not define such a name again.
    let includes = if expand || unit.undefines { Includes::Expand } else { Includes::Keep };
    let Some(index) = unit.unit else { return String::new() };
    let text = print::unit(program, index, &PrintOptions { includes, ..PrintOptions::default() });
    let mut whole = String::new();
    if text.lines().any(|line| line.starts_with("#include")) {
        for definition in &unit.feature_macros {
            whole.push_str(&format!("{definition}\n"));
        }
    }
    whole + &text
}

pub fn status_of(diagnostics: &[Diagnostic]) -> Status {
    match diagnostics.iter().map(|diagnostic| diagnostic.severity).max() {
        Some(Severity::Error) => Status::Found,
        Some(Severity::Unsupported) => Status::Refused,
        _ => Status::Fine,
    }
}

/// The status of a run over several programs: a failure of Howler's own first, then errors, then refusals.
pub fn worst_of(one: Status, other: Status) -> Status {
    let order = [Status::Failed, Status::Found, Status::Refused];
    order.into_iter().find(|status| [one, other].contains(status)).unwrap_or(Status::Fine)
}

/// Says everything about one program; `many` if it is not the only file.
fn report(options: &Check, checked: &Checked, many: bool) -> Result<()> {
    if options.json {
        return Ok(show::to_stdout(format!("{}\n", show::json(checked)).as_bytes())?);
    }
    let mut messages: String = checked.failures.iter().map(|failure| format!("{failure}\n")).collect();
    for diagnostic in &checked.diagnostics {
        messages += &howler_lang::diag::render(diagnostic, &checked.program.sources, colour());
    }
    if checked.too_many_errors {
        messages += show::TOO_MANY_ERRORS;
    }
    show::to_stderr(messages.as_bytes())?;
    let mut text = String::new();
    if let Some(printed) = &checked.printed {
        for (file, unit) in checked.files.iter().zip(printed) {
            if many {
                text += &format!("/* {} */\n", show::in_comment(file));
            }
            text += unit;
        }
    } else if checked.status == Status::Fine {
        let files: Vec<String> = checked.files.iter().map(|file| Path::display(file).to_string()).collect();
        text = format!("{}: ok ({})\n", files.join(" "), Counts::of(&checked.program));
    }
    Ok(show::to_stdout(text.as_bytes())?)
}

/// Colours are for people.
pub fn colour() -> bool {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    wanted && std::env::var_os("TERM").is_none_or(|term| term != "dumb") && io::stderr().is_terminal()
}
