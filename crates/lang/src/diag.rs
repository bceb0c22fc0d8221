//! Diagnostics: what is wrong with a program, and how to show it the way compilers do.
//!
//! What Howler cannot do is a severity of its own ([`Severity::Unsupported`]): it never reads like a fault of the
//! program. Rendering is bounded: a line of ten megabytes costs a line of the screen.

use crate::source::{Located, Pos, SourceMap};
use std::fmt::{self, Write};

/// How bad it is, and whose fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Belongs to another diagnostic.
    Note,
    /// The program is taken, but compilers would say something.
    Warning,
    /// The program is fine for all we know, but Howler does not support something in it.
    Unsupported,
    /// The program is wrong.
    Error,
}

impl Severity {
    /// The word after the place.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Unsupported => "unsupported",
            Severity::Error => "error",
        }
    }

    /// The terminal's colour, bold: gcc's, and blue for what gcc does not have.
    fn colour(self) -> &'static str {
        match self {
            Severity::Note => "\x1b[1;36m",
            Severity::Warning => "\x1b[1;35m",
            Severity::Unsupported => "\x1b[1;34m",
            Severity::Error => "\x1b[1;31m",
        }
    }
}

/// One thing to say about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What it is: one line, no full stop.
    pub message: String,
    /// Where it is.
    pub pos: Pos,
    /// What else to look at.
    pub notes: Vec<(Pos, String)>,
}

impl Diagnostic {
    /// An error.
    pub fn error(pos: Pos, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, message: message.into(), pos, notes: Vec::new() }
    }

    /// A warning.
    pub fn warning(pos: Pos, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(pos, message) }
    }

    /// Something Howler does not support; the message names it: `nested function 'f'`.
    pub fn unsupported(pos: Pos, what: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Unsupported, ..Diagnostic::error(pos, what) }
    }

    /// The same with a note.
    #[must_use]
    pub fn with_note(mut self, pos: Pos, message: impl Into<String>) -> Diagnostic {
        self.notes.push((pos, message.into()));
        self
    }
}

/// Without a source map: severity and message only.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity.word(), self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// The diagnostic as text, with the line it is about and a caret under it, each line ended by a newline.
///
/// ```
/// use howler_lang::diag::{Diagnostic, render};
/// use howler_lang::source::{Pos, SourceMap};
/// let mut map = SourceMap::default();
/// let start = map.add("a.c", "int f(void) { return x; }\n".into()).unwrap();
/// let diagnostic = Diagnostic::error(Pos(start.0 + 21), "'x' undeclared");
/// assert_eq!(
///     render(&diagnostic, &map, false),
///     "a.c:1:22: error: 'x' undeclared\n\
///      \x20   1 | int f(void) { return x; }\n\
///      \x20     |                      ^\n"
/// );
/// ```
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, colour: bool) -> String {
    let mut out = String::new();
    render_one(&mut out, diagnostic.severity, &diagnostic.message, diagnostic.pos, sources, colour);
    for (pos, message) in &diagnostic.notes {
        render_one(&mut out, Severity::Note, message, *pos, sources, colour);
    }
    out
}

/// The longest message or file name that is shown whole, in characters.
const TEXT_LIMIT: usize = 2000;
/// How many columns of the source line are shown, and how many of them before the caret if there are more.
const LINE_LIMIT: usize = 120;
const BEFORE_CARET: usize = 70;

fn render_one(
    out: &mut String,
    severity: Severity,
    message: &str,
    pos: Pos,
    sources: &SourceMap,
    colour: bool,
) {
    let (bold, tint, reset) = if colour { ("\x1b[1m", severity.colour(), "\x1b[0m") } else { ("", "", "") };
    let place = sources.locate(pos);
    if let Some(place) = &place {
        out.push_str(bold);
        push_clean(out, &place.file);
        put(out, format_args!(":{}:{}:{reset} ", place.line, place.column));
    }
    put(out, format_args!("{tint}{}:{reset} ", severity.word()));
    push_clean(out, message);
    out.push('\n');
    if let Some(place) = &place {
        push_snippet(out, place, tint, reset);
    }
}

fn put(out: &mut String, args: fmt::Arguments<'_>) {
    out.write_fmt(args).expect("a string takes everything");
}

/// The line and its caret line, in gcc's gutter.
fn push_snippet(out: &mut String, place: &Located<'_>, tint: &str, reset: &str) {
    let caret = (place.column as usize - 1).min(place.text.len());
    let (before, after) = place.text.split_at(floor_boundary(place.text, caret));
    // Only so much of either side is looked at. A character takes a column or more, never less.
    let from = before.char_indices().rev().take(LINE_LIMIT).last().map_or(before.len(), |(at, _)| at);
    let mut left = Vec::new();
    before[from..].chars().for_each(|c| push_cells(&mut left, c));
    let cut_left = from > 0 || left.len() > BEFORE_CARET && left.len() + after.len() > LINE_LIMIT;
    if cut_left {
        let keep = left.len().min(BEFORE_CARET);
        left.drain(..left.len() - keep);
        left.splice(0..keep.min(3), "...".chars());
    }
    let column = left.len();
    let to = after.char_indices().nth(LINE_LIMIT).map_or(after.len(), |(at, _)| at);
    let mut line = left;
    after[..to].trim_end_matches('\r').chars().for_each(|c| push_cells(&mut line, c));
    if to < after.len() || line.len() > LINE_LIMIT.max(column + 1) {
        line.truncate(LINE_LIMIT.max(column + 1));
        let end = line.len();
        line.splice(end.saturating_sub(3).max(column + 1).min(end)..end, "...".chars());
    }
    let text: String = line.into_iter().collect();
    put(out, format_args!("{:5} | {}\n", place.line, text.trim_end()));
    put(out, format_args!("{:5} | {}{tint}^{reset}\n", "", " ".repeat(column)));
}

/// The largest character boundary that is not above `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Adds what a character of a source line looks like: tabs up to the next multiple of eight, no control characters.
fn push_cells(cells: &mut Vec<char>, character: char) {
    if character == '\t' {
        let width = 8 - cells.len() % 8;
        cells.extend(std::iter::repeat_n(' ', width));
    } else if is_control(character) {
        cells.extend(escaped(character).chars());
    } else {
        cells.push(character);
    }
}

/// Adds text of a message, without control characters and not without end.
fn push_clean(out: &mut String, text: &str) {
    for (index, character) in text.chars().enumerate() {
        if index == TEXT_LIMIT {
            out.push_str("...");
            return;
        }
        if is_control(character) {
            out.push_str(&escaped(character));
        } else {
            out.push(character);
        }
    }
}

/// Characters that move the cursor, hide, or turn the direction of what follows.
fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn escaped(character: char) -> String {
    format!("<U+{:04X}>", u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str, at: usize, message: &str) -> String {
        let mut map = SourceMap::default();
        let start = map.add("t.c", text.into()).unwrap();
        render(&Diagnostic::error(Pos(start.0 + at as u32), message), &map, false)
    }

    #[test]
    fn notes_and_severities_look_like_gccs() {
        let mut map = SourceMap::default();
        let text = "# 3 \"dir/f.c\"\nint x;\nchar x;\n";
        let start = map.add("f.i", text.into()).unwrap();
        let at = |needle: &str| Pos(start.0 + text.find(needle).unwrap() as u32);
        let diagnostic = Diagnostic::error(Pos(at("char").0 + 5), "conflicting types for 'x'")
            .with_note(at("x;"), "declared here");
        assert_eq!(
            render(&diagnostic, &map, false),
            "dir/f.c:4:6: error: conflicting types for 'x'\n    4 | char x;\n      |      ^\n\
             dir/f.c:3:5: note: declared here\n    3 | int x;\n      |     ^\n"
        );
        let unsupported = Diagnostic::unsupported(at("int"), "nested function 'f'");
        assert!(
            render(&unsupported, &map, false).starts_with("dir/f.c:3:1: unsupported: nested function 'f'\n")
        );
        assert_eq!(render(&Diagnostic::warning(Pos::NONE, "w"), &map, false), "warning: w\n");
        assert_eq!(unsupported.to_string(), "unsupported: nested function 'f'");
        let coloured = render(&unsupported, &map, true);
        assert!(
            coloured.contains("\x1b[1;34munsupported:\x1b[0m") && coloured.contains("\x1b[1;34m^\x1b[0m")
        );
    }

    #[test]
    fn carets_stand_under_their_character() {
        let cases = [
            ("\tx;", 1, "    1 |         x;\n      |         ^\n"),
            ("a\tx;", 2, "    1 | a       x;\n      |         ^\n"),
            ("é x;", 3, "    1 | é x;\n      |   ^\n"),
            ("é x;", 1, "    1 | é x;\n      | ^\n"),
            ("x\r\n", 0, "    1 | x\n      | ^\n"),
            ("x", 1, "    1 | x\n      |  ^\n"),
            ("", 0, "    1 | \n      | ^\n"),
            ("\u{1b}[2J y", 5, "    1 | <U+001B>[2J y\n      |             ^\n"),
        ];
        for (text, at, expected) in cases {
            let shown = rendered(text, at, "m");
            assert_eq!(shown.split_once('\n').unwrap().1, expected, "{text:?}");
        }
    }

    #[test]
    fn output_is_bounded_and_clean() {
        let long = format!("{}@{}", "a".repeat(100_000), "b".repeat(100_000));
        let shown = rendered(&long, 100_000, "m");
        let lines: Vec<&str> = shown.lines().collect();
        assert!(
            lines[1].len() <= LINE_LIMIT + 8
                && lines[1].starts_with("    1 | ...a")
                && lines[1].ends_with("b...")
        );
        let caret = lines[2].find('^').unwrap();
        assert_eq!(lines[1].as_bytes()[caret], b'@');
        for at in [0, 1, 69, 70, 71, 119, 120, 121, 199_000, 200_000, 200_001] {
            let shown = rendered(&long, at, "m");
            let lines: Vec<&str> = shown.lines().collect();
            assert!(shown.len() < 400, "{at}");
            let caret = lines[2].find('^').unwrap();
            assert_eq!(lines[1].as_bytes().get(caret), long.as_bytes().get(at), "{at}");
        }
        for body in ["\t", "\u{7}", "é"] {
            assert!(rendered(&body.repeat(5000), 4000, "m").len() < 600);
        }
        let shown = rendered("x", 0, &format!("a\nb\u{202e}{}", "c".repeat(10_000)));
        assert!(shown.starts_with("t.c:1:1: error: a<U+000A>b<U+202E>ccc") && shown.len() < 3000);
    }
}
