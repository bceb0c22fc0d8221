//! Comments that a tool wants in the text. Whatever they say, the program stays what it is.

use super::Printer;
use crate::program::StmtId;
use rustc_hash::FxHashMap;

/// The comments of one unit.
#[derive(Clone, Default, Debug)]
pub struct Comments {
    /// At the top of the text.
    pub top: Option<String>,
    /// Before statements; a declaration in a block is one. Where the statement has no line of its own (the body of a
    /// function, what follows `else`), the comment stands before it in the line.
    pub stmts: FxHashMap<StmtId, String>,
    /// Before statements that have a line of their own: what follows `#pragma` on a line before them. It must be something
    /// that changes no meaning.
    pub pragmas: FxHashMap<StmtId, String>,
    /// Before declarations at file scope, by index into [`Unit::items`](crate::program::Unit::items). Nothing is said of
    /// what an `#include` line stands for.
    pub items: FxHashMap<usize, String>,
}

impl Printer<'_> {
    /// The comment before a statement.
    #[inline]
    fn comment_before(&self, stmt: StmtId) -> Option<&str> {
        self.comments?.stmts.get(&stmt).map(String::as_str)
    }

    /// Writes the comment before a statement on a line of its own, and starts the next one.
    pub(super) fn comment_line(&mut self, stmt: StmtId, level: usize) {
        if let Some(comments) = self.comments
            && let Some(text) = comments.stmts.get(&stmt)
        {
            self.comment(text, level);
            self.newline(level);
        }
        if let Some(comments) = self.comments
            && let Some(text) = comments.pragmas.get(&stmt)
        {
            self.out.push_str("#pragma ");
            self.out.push_str(text);
            self.newline(level);
        }
    }

    /// Writes the comment before a statement in the middle of a line.
    pub(super) fn comment_inside(&mut self, stmt: StmtId) {
        if let Some(text) = self.comment_before(stmt) {
            let text = text.replace('\n', " ");
            self.comment(&text, self.level);
            self.out.push(' ');
        }
    }

    /// `/* text */`, each line of the text on its own.
    pub(super) fn comment(&mut self, text: &str, level: usize) {
        self.out.push_str("/*");
        for (index, line) in text.lines().enumerate() {
            if index > 0 {
                self.newline(level);
                self.out.push_str(" *");
            }
            let line = safe(line);
            if !line.is_empty() {
                self.out.push(' ');
                self.out.push_str(&line);
            }
        }
        self.out.push_str(" */");
    }
}

/// A line that neither ends the comment nor changes what is around it: no compiler may take a part of it for the end of
/// the comment, the beginning of another, or a line that goes on (C17 5.1.1.2p1, trigraphs first, then lines).
fn safe(line: &str) -> String {
    let mut safe = String::with_capacity(line.len());
    for c in line.trim_end().chars() {
        // What is no character of C, and what makes text look as if it stood elsewhere.
        let odd = c.is_control() && c != '\t'
            || matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let c = if odd { '?' } else { c };
        let joined = match c {
            '/' => safe.ends_with('*') || safe.ends_with("??"),
            '*' => safe.ends_with('/'),
            _ => false,
        };
        if joined {
            safe.push(' ');
        }
        safe.push(c);
    }
    // Spaces behind it would not help: gcc ignores them there.
    if safe.ends_with('\\') {
        safe.push_str(" .");
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn no_line_ends_its_comment_or_goes_on() {
        assert_eq!(safe("a */ b"), "a * / b");
        assert_eq!(safe("a /* b"), "a / * b");
        assert_eq!(safe("/*/"), "/ * /");
        assert_eq!(safe("a ??/"), "a ?? /");
        assert_eq!(safe("a ????/"), "a ???? /");
        assert_eq!(safe("a \\"), "a \\ .");
        assert_eq!(safe("a \\ \t "), "a \\ .");
        assert_eq!(safe("\r\0\u{202e}"), "???");
        assert_eq!(safe("// plain \\n"), "// plain \\n");
    }
}
