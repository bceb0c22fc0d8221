//! What a check found, as text and as JSON.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use howler_lang::diag::Diagnostic;
use howler_lang::program::{Duration, Linkage, Program};
use howler_lang::source::{Pos, SourceMap};
use serde_json::{Map, Value, json};

use crate::Status;
use crate::check::Checked;

/// How large a program is.
pub struct Counts {
    units: usize,
    functions: usize,
    objects: usize,
    statements: usize,
    expressions: usize,
}

impl Counts {
    /// Functions with a body, and variables that are defined; parameters and what headers declare do not count.
    pub fn of(program: &Program) -> Counts {
        let variable = |object: &&howler_lang::program::Object| {
            let named = !object.literal && object.duration != Duration::Parameter;
            named && (object.defined || object.linkage == Linkage::None)
        };
        Counts {
            units: program.units.len(),
            functions: program.funcs.iter().filter(|(_, function)| function.body.is_some()).count(),
            objects: program.objects.iter().map(|(_, object)| object).filter(variable).count(),
            statements: program.stmts.len(),
            expressions: program.exprs.len(),
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted =
            |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        if self.units != 1 {
            write!(f, "{}, ", counted(self.units, "unit"))?;
        }
        let rest = [
            counted(self.functions, "function"),
            counted(self.objects, "object"),
            counted(self.statements, "statement"),
            counted(self.expressions, "expression"),
        ];
        f.write_str(&rest.join(", "))
    }
}

/// Said after the last error that is shown.
pub const TOO_MANY_ERRORS: &str = "howler: too many errors, the rest is left out\n";

/// Writes to standard output. A reader that has seen enough is no failure, and changes no exit status.
pub fn to_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    unless_gone(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Writes to standard output, and says whether anybody still reads it.
pub fn to_reader(bytes: &[u8]) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        other => other.map(|()| true),
    }
}

/// Writes to standard error, with the same patience.
pub fn to_stderr(bytes: &[u8]) -> io::Result<()> {
    unless_gone(io::stderr().lock().write_all(bytes))
}

fn unless_gone(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A file's name where a `*/` would do harm.
pub fn in_comment(file: &Path) -> String {
    file.display().to_string().replace("*/", "*\u{2215}").replace('\n', " ")
}

/// Everything about one program, on one line.
pub fn json(checked: &Checked) -> Value {
    let status = match checked.status {
        Status::Fine => "ok",
        Status::Found => "errors",
        Status::Failed => "failed",
        Status::Refused | Status::Interrupted(_) | Status::Program(_) => "unsupported",
    };
    let headers: Vec<Value> = checked
        .system_headers
        .iter()
        .map(|system| system.map(|system| if system { "system" } else { "ours" }).into())
        .collect();
    let files: Vec<String> = checked.files.iter().map(|file| file.display().to_string()).collect();
    let sources = &checked.program.sources;
    let mut object = Map::new();
    object.insert("files".to_owned(), files.into());
    object.insert("status".to_owned(), status.into());
    object.insert("headers".to_owned(), headers.into());
    if checked.status == Status::Fine {
        let counts = Counts::of(&checked.program);
        object.insert(
            "counts".to_owned(),
            json!({
                "units": counts.units,
                "functions": counts.functions,
                "objects": counts.objects,
                "statements": counts.statements,
                "expressions": counts.expressions,
            }),
        );
    }
    object.insert("failures".to_owned(), checked.failures.clone().into());
    object.insert("too_many_errors".to_owned(), checked.too_many_errors.into());
    let diagnostics = checked.diagnostics.iter().map(|diagnostic| diagnostic_json(diagnostic, sources));
    object.insert("diagnostics".to_owned(), diagnostics.collect());
    if let Some(printed) = &checked.printed {
        object.insert("printed".to_owned(), printed.clone().into());
    }
    Value::Object(object)
}

/// One diagnostic with its notes.
pub fn diagnostic_json(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let mut object = message_json(&diagnostic.message, diagnostic.pos, sources);
    object.insert("severity".to_owned(), diagnostic.severity.word().into());
    let notes = diagnostic.notes.iter().map(|(pos, text)| Value::Object(message_json(text, *pos, sources)));
    object.insert("notes".to_owned(), notes.collect());
    Value::Object(object)
}

fn message_json(message: &str, pos: Pos, sources: &SourceMap) -> Map<String, Value> {
    let mut object = Map::new();
    if let Some(place) = sources.place(pos) {
        object.insert("file".to_owned(), place.file.into());
        object.insert("line".to_owned(), place.line.into());
        object.insert("column".to_owned(), place.column.into());
    }
    object.insert("message".to_owned(), message.into());
    object
}
