//! `README.txt`: a finding told to people, from its data and its program. It can be pasted into a tracker as it is.

use std::fmt::Write;

use howler_case::File;

use crate::finding::data::{Bytes, Data};
use crate::judge::Word;
use crate::sighting::Kind;

/// The longest program that stands in the text, in bytes.
const PROGRAM: usize = 8 << 10;

/// The text.
pub fn readme(data: &Data, files: &[File]) -> String {
    let mut text = String::new();
    let program: Vec<&File> =
        data.files.iter().filter_map(|name| files.iter().find(|file| file.name == *name)).collect();
    let _ = writeln!(text, "{}", data.title);
    let _ = writeln!(text, "\n{}", why(data));
    for file in &program {
        let shown = String::from_utf8_lossy(&file.text[..file.text.len().min(PROGRAM)]);
        let _ = writeln!(text, "\n{}:\n", file.name);
        for line in shown.lines() {
            let _ = writeln!(text, "    {line}");
        }
        if file.text.len() > PROGRAM {
            let _ = writeln!(text, "    ... ({} bytes)", file.text.len());
        }
    }
    for (number, attempt) in data.attempts.iter().enumerate() {
        let _ = writeln!(text, "\n{}", attempt.version);
        let _ = writeln!(text, "  $ {}", attempt.command);
        if number == 0 {
            quote(&mut text, &attempt.messages);
        }
        let ran = attempt.program_end.is_some();
        if !ran || attempt.compiler_end != "exit status 0" {
            let _ = writeln!(text, "  compiler: {}", attempt.compiler_end);
        }
        if let Some(end) = &attempt.program_end {
            let _ = writeln!(text, "  $ {}", data.run);
            attempt.output.iter().for_each(|output| quote(&mut text, output));
            let _ = writeln!(text, "  actual:   {end}");
        }
        if let (Some(expected), true) = (&data.expected, number == 0 && ran) {
            let end = match expected.status {
                Some(status) => format!("exit status {status}"),
                None => "abort".to_owned(),
            };
            match &expected.output {
                Some(output) if output.bytes > 0 => {
                    let _ = writeln!(text, "  expected: {end}, and this output:");
                    quote(&mut text, output);
                }
                Some(_) => {
                    let _ = writeln!(text, "  expected: {end}, no output");
                }
                None => {
                    let _ = writeln!(text, "  expected: {end}");
                }
            }
        }
    }
    let sides = [("What the program must do is what these do, too:", true), ("These disagree:", false)];
    for (heading, agrees) in sides {
        let side: Vec<_> = data.witnesses.iter().filter(|witness| witness.agrees == agrees).collect();
        if !side.is_empty() {
            let _ = writeln!(text, "\n{heading}");
        }
        for witness in side {
            let did = if agrees { String::new() } else { format!(": {}", witness.did) };
            let _ = writeln!(text, "  {}, {}{did}", witness.configuration, witness.version);
        }
    }
    for note in &data.notes {
        let _ = writeln!(text, "\nnote: {note}");
    }
    let _ = writeln!(text, "\nstatus     {}", data.status);
    let _ = writeln!(text, "kind       {}", data.kind);
    let _ = writeln!(text, "signature  {}", data.signature.text);
    if !data.language.is_empty() {
        let _ = writeln!(text, "language   {}", data.language);
    }
    let _ = writeln!(text, "origin     {}", data.origin);
    if data.script {
        text.push_str(
            "\nrepro.sh ends with status 0 if the bug shows, with 1 if it does not; test.sh does so for the files of the\n\
             current folder, as reducers want it.\n",
        );
    }
    text
}

/// The beginning of an output or a message.
fn quote(text: &mut String, bytes: &Bytes) {
    const LINES: usize = 20;
    for line in bytes.text.lines().take(LINES) {
        let _ = writeln!(text, "    {line}");
    }
    if bytes.text.lines().count() > LINES || bytes.bytes > bytes.text.len() as u64 {
        let file = bytes.file.as_deref().unwrap_or_default();
        let _ = writeln!(text, "    ... ({} bytes, see {file})", bytes.bytes);
    }
}

/// The one line of a small program that its fault is about, if there is one that says more than all others: of those in
/// functions, the one with the most operators. What is looked at in the end (`return x != 3;`) is only chosen if nothing is
/// computed before.
pub(super) fn telling_line(program: &[File]) -> Option<String> {
    const SHORT: usize = 40;
    const LONG: usize = 160;
    let [file] = program else { return None };
    let text = std::str::from_utf8(&file.text).ok()?;
    if text.lines().count() > SHORT {
        return None;
    }
    let weight = |line: &&str| {
        let is_text = line.starts_with('#') || line.contains("printf(const") || line.starts_with("//");
        if is_text || !line.contains([';', '{']) || sets_a_number(line) {
            return (false, 0);
        }
        let operators =
            line.matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>', '=', '!', '~', '?', '(']).count();
        let looks = ["return", "if", "printf", "__builtin_printf"].iter().any(|word| line.starts_with(word));
        (!looks && line.contains('=') && operators > 0, operators)
    };
    let best = text.lines().map(str::trim).max_by_key(weight)?;
    let (computes, operators) = weight(&best);
    ((computes || operators >= 2) && best.len() <= LONG).then(|| best.to_owned())
}

/// Whether a line does nothing but give a number to something: `int x = 3;`.
fn sets_a_number(line: &str) -> bool {
    let Some((place, value)) = line.split_once('=') else { return false };
    if place.ends_with(['!', '<', '>']) {
        return false;
    }
    let mut before = ' ';
    // A letter that does not follow a digit begins a name; others are those of suffixes, exponents and hexadecimal digits.
    let names = value.chars().any(|now| {
        let begins = (now.is_alphabetic() || now == '_') && !before.is_ascii_alphanumeric() && before != '.';
        before = now;
        begins
    });
    !names && line.ends_with(';') && !value.starts_with('=') && !value.contains(['(', '{'])
}

/// Why this is a bug.
fn why(data: &Data) -> String {
    let kind = Kind::parse(&data.kind);
    match (&data.expected, kind) {
        (_, _) if data.status == "waiting" => {
            "Seen once, and not looked at again yet: a hunt that goes on in this folder does that.".to_owned()
        }
        (_, _) if data.status == "flaky" => "It did not show every time.".to_owned(),
        (_, _) if data.status == "disputed" => {
            "Compilers that have nothing to do with each other agree, and only Howler's machine says otherwise: this may well \
             be a bug of Howler. Please report it to Howler, not to the compilers."
                .to_owned()
        }
        (Some(expected), Some(Kind::WrongCode)) => {
            let end = match expected.status {
                Some(status) if expected.output.as_ref().is_some_and(|output| output.bytes > 0) => {
                    format!("ends with status {status} and writes what is in expected-output.txt")
                }
                Some(status) => format!("ends with status {status} and writes nothing"),
                None => "aborts".to_owned(),
            };
            let accesses = if data.accesses {
                " Its accesses to volatile objects are fixed, too: expected-trace.txt has those that were compared, \
                 trace.txt has what came."
            } else {
                ""
            };
            format!(
                "The program is defined on this target: executed as the standard says, in every order of evaluation \
                 that was tried, it {end}.{accesses}"
            )
        }
        (None, Some(Kind::WrongCode)) => {
            "Other compilers agree on something else. Whether the program has one meaning is not known: it uses something \
             that the machine does not model."
                .to_owned()
        }
        (_, Some(Kind::Reject)) => "The program is valid.".to_owned(),
        (_, _) => match Word::parse(&data.verdict) {
            Some(Word::Defined) => "The program is valid and defined.".to_owned(),
            Some(Word::Undefined) => {
                "The program is valid, but undefined when it runs: that is no licence for the compiler to fail.".to_owned()
            }
            Some(Word::Rejected | Word::Unreadable) => {
                "The program may not be valid: a compiler should say so instead.".to_owned()
            }
            _ => format!("The machine's verdict on the program: {}.", data.verdict),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_computes_is_told_and_not_the_one_that_looks() {
        let told = |text: &str| telling_line(&[File { name: "a.c".to_owned(), text: text.into() }]);
        let first = "int main(void) {\n    long t = 0L;\n    long double m = -18014398509481983.0L;\n    t = m;\n    \
                     return t != -18014398509481983 || m != -18014398509481983.0L;\n}\n";
        assert_eq!(told(first).as_deref(), Some("t = m;"));
        let second =
            "int main(void) {\n    int t = 0x1f;\n    t = d < 1.0L + e;\n    return t != 1 || d != 2.0;\n}\n";
        assert_eq!(told(second).as_deref(), Some("t = d < 1.0L + e;"));
        let only = "int main(void) {\n    return 1 + 2 * 3 != 7;\n}\n";
        assert_eq!(told(only).as_deref(), Some("return 1 + 2 * 3 != 7;"));
        assert_eq!(told("int x;\n"), None);
    }
}
