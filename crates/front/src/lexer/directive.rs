//! The lines a preprocessor leaves behind: line markers, includes (`-dI`), pragmas, and definitions (`-dD`).

use super::ends::{block_comment_end, line_comment_end, quoted_end, splice_end};
use super::{BLANK, IncludeRange, LexErrorKind, Lexer, Pack, at, is};
use crate::literal;
use howler_lang::symbol::Symbol;

/// Where in the tree of headers the lexer is.
#[derive(Default)]
pub(super) struct Includes {
    depth: u32,
    /// An `#include <…>` line and the number of tokens before it, until the marker that enters the header.
    pending: Option<(Symbol, u32)>,
    /// The depth inside the header whose range is open, the last in the list.
    open: Option<u32>,
}

impl Lexer<'_> {
    /// Reads the directive whose `#` is at `hash` and ends at `pos`; returns the end of its line.
    #[cold]
    pub(super) fn directive(&mut self, hash: usize, pos: usize) -> usize {
        let bytes = self.bytes;
        let mut pos = pos;
        while is(at(bytes, pos), BLANK) {
            pos += 1;
        }
        if at(bytes, pos).is_ascii_digit() {
            let end =
                bytes[pos..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |len| pos + len);
            self.marker(&bytes[pos..end]);
            return end;
        }
        let name_start = pos;
        while at(bytes, pos).is_ascii_alphabetic() || at(bytes, pos) == b'_' {
            pos += 1;
        }
        let name = &self.text[name_start..pos];
        let end = self.line_end(pos);
        match name {
            "pragma" => self.pragma(hash, &self.text[pos..end]),
            "include" => self.include(&self.text[pos..end]),
            "line" | "ident" | "sccs" | "define" | "undef" | "assert" | "unassert" => {}
            "include_next" | "import" => self.flush_pending(),
            "" if self.text[pos..end].trim().is_empty() => {}
            _ => self.error(hash, LexErrorKind::Directive(name.to_owned())),
        }
        end
    }

    /// The newline that ends the logical line, or the end of the text. Comments may span lines.
    fn line_end(&mut self, from: usize) -> usize {
        let bytes = self.bytes;
        let mut pos = from;
        while pos < bytes.len() {
            pos = match bytes[pos] {
                b'\n' => return pos,
                // Escapes are stepped over as in literals, so no quote is looked at twice.
                b'\\' => splice_end(bytes, pos).unwrap_or(pos + 2),
                b'"' | b'\'' => quoted_end(bytes, pos).unwrap_or(pos + 1),
                b'/' if at(bytes, pos + 1) == b'*' => match block_comment_end(bytes, pos) {
                    Some(end) => end,
                    None => {
                        self.error(pos, LexErrorKind::UnterminatedComment);
                        bytes.len()
                    }
                },
                b'/' if at(bytes, pos + 1) == b'/' && self.later_than_c89() => line_comment_end(bytes, pos),
                _ => pos + 1,
            };
        }
        bytes.len()
    }

    fn here(&self) -> u32 {
        // There are no more tokens than bytes.
        self.out.tokens.len() as u32
    }

    /// A line marker from its number on: `12 "f.c" 1 3`. Only the flags for entering and leaving count here;
    /// `lang::source` finds the places.
    fn marker(&mut self, line: &[u8]) {
        let Some(quote) = line.iter().position(|&byte| byte == b'"') else { return };
        let flags = quoted_end(line, quote).map_or(&[][..], |end| &line[end..]);
        for flag in flags.split(u8::is_ascii_whitespace) {
            match flag {
                b"1" => self.enter(),
                b"2" => self.leave(),
                _ => {}
            }
        }
    }

    fn include(&mut self, rest: &str) {
        self.flush_pending();
        let rest = rest.trim_ascii_start();
        if self.includes.open.is_some() || !rest.starts_with('<') {
            return;
        }
        // A name ends on its line, though a comment after it need not.
        if let Some(end) = rest.find(['>', '\n']).filter(|&end| rest.as_bytes()[end] == b'>') {
            let header = self.symbols.intern(&rest[..=end]);
            self.includes.pending = Some((header, self.here()));
        }
    }

    fn enter(&mut self) {
        self.includes.depth += 1;
        match self.includes.pending {
            Some((header, start)) if start == self.here() => {
                self.includes.pending = None;
                self.includes.open = Some(self.includes.depth);
                // Until the header is left, the range reaches as far as the text does.
                self.out.includes.push(IncludeRange { start_token: start, end_token: start, header });
            }
            _ => self.flush_pending(),
        }
    }

    fn leave(&mut self) {
        self.flush_pending();
        self.includes.depth = self.includes.depth.saturating_sub(1);
        if self.includes.open.is_some_and(|depth| self.includes.depth < depth) {
            self.close_range();
        }
    }

    /// A header that was not entered, because its guard was seen before: an empty range.
    fn flush_pending(&mut self) {
        if let Some((header, start)) = self.includes.pending.take() {
            self.out.includes.push(IncludeRange { start_token: start, end_token: start, header });
        }
    }

    fn close_range(&mut self) {
        let end = self.here();
        self.includes.open = None;
        if let Some(range) = self.out.includes.last_mut() {
            range.end_token = end;
        }
    }

    /// Called at the end of the text.
    pub(super) fn finish_includes(&mut self) {
        self.flush_pending();
        if self.includes.open.is_some() {
            self.close_range();
        }
    }

    fn pragma(&mut self, hash: usize, body: &str) {
        match self.pack(body) {
            Some(pack) => self.out.packs.push((self.here(), pack)),
            None => {
                self.out.pragmas.push((self.here(), hash as u32));
                self.out.refused.extend(obeyed(body).map(|name| (hash as u32, name)));
                // Those of a header come back with its `#include` line.
                if self.includes.open.is_none() {
                    self.out.refused.extend(instructs(body).map(|name| (hash as u32, name)));
                }
            }
        }
    }

    /// Reads `pack(…)`; `None` if it is another pragma, or one that gcc would ignore with a warning.
    fn pack(&mut self, body: &str) -> Option<Pack> {
        let rest = body.trim_ascii().strip_prefix("pack")?.trim_ascii_start();
        // Anything after the closing parenthesis is junk that gcc warns about and ignores.
        let (inside, _) = rest.strip_prefix('(')?.split_once(')')?;
        if inside.trim_ascii().is_empty() {
            return Some(Pack::Set(0));
        }
        let mut parts = inside.split(',').map(str::trim_ascii);
        let first = parts.next()?;
        if first != "push" && first != "pop" {
            return if parts.next().is_none() { pack_value(first).map(Pack::Set) } else { None };
        }
        let (mut name, mut value) = (None, None);
        for part in parts {
            if part.starts_with(|c: char| c.is_ascii_digit()) {
                value = Some(pack_value(part)?);
            } else if name.is_none() && value.is_none() && !part.is_empty() {
                name = Some(self.symbols.intern(part));
            } else {
                return None;
            }
        }
        match first {
            "push" => Some(Pack::Push { name, value }),
            _ if value.is_none() => Some(Pack::Pop { name }),
            _ => None,
        }
    }

    /// `_Pragma("…")` (C17 6.10.9), the word ending at `word_end`. Returns where to go on.
    #[cold]
    pub(super) fn pragma_operator(&mut self, start: usize, word_end: usize) -> usize {
        let bytes = self.bytes;
        let open = self.skip_blank(word_end);
        let string = self.skip_blank(open + 1);
        let prefix = usize::from(at(bytes, string) == b'L');
        if at(bytes, open) == b'('
            && at(bytes, string + prefix) == b'"'
            && let Ok(string_end) = quoted_end(bytes, string + prefix)
        {
            let close = self.skip_blank(string_end);
            if at(bytes, close) == b')' {
                let quoted = &self.text[string + prefix + 1..string_end - 1];
                let body = quoted.replace("\\\"", "\"").replace("\\\\", "\\");
                self.pragma(start, &body);
                return close + 1;
            }
        }
        self.error(start, LexErrorKind::PragmaOperator);
        word_end
    }

    /// The next byte after blanks, newlines and comments.
    fn skip_blank(&self, from: usize) -> usize {
        let bytes = self.bytes;
        let mut pos = from;
        loop {
            let byte = at(bytes, pos);
            pos = if is(byte, BLANK) || byte == b'\n' {
                pos + 1
            } else if byte == b'/' && at(bytes, pos + 1) == b'*' {
                match block_comment_end(bytes, pos) {
                    Some(end) => end,
                    None => return pos,
                }
            } else {
                return pos;
            };
        }
    }
}

/// The name of a pragma that compilers obey and that changes what the program is.
fn obeyed(body: &str) -> Option<&'static str> {
    let mut words =
        body.split(|c: char| c.is_ascii_whitespace() || "(),".contains(c)).filter(|word| !word.is_empty());
    match (words.next()?, words.next()) {
        ("scalar_storage_order", Some("big-endian" | "little-endian")) => Some("scalar_storage_order"),
        ("weak", Some(_)) => Some("weak"),
        ("redefine_extname", Some(_)) => Some("redefine_extname"),
        // Default is what everything has anyhow; a push of it inside of another push finds that one refused.
        ("GCC", Some("visibility")) if words.next() == Some("push") && words.next() != Some("default") => {
            Some("GCC visibility")
        }
        ("GCC", Some("optimize")) => Some("GCC optimize"),
        // Promises that iterations do not depend on each other.
        ("GCC", Some("ivdep")) => Some("GCC ivdep"),
        ("ms_struct", Some("on")) => Some("ms_struct"),
        ("options" | "align", Some(_)) => Some("options align"),
        ("float_control", Some(_)) => Some("float_control"),
        ("STDC", Some("FENV_ACCESS")) if words.next() == Some("ON") => Some("STDC FENV_ACCESS ON"),
        ("STDC", Some("FENV_ROUND")) => Some("STDC FENV_ROUND"),
        ("STDC", Some("FP_CONTRACT")) if words.next() == Some("ON") => Some("STDC FP_CONTRACT ON"),
        ("STDC", Some("CX_LIMITED_RANGE")) if words.next() == Some("ON") => Some("STDC CX_LIMITED_RANGE ON"),
        // clang's others say how to compute, or let loops be reordered.
        ("clang", Some("diagnostic" | "system_header")) => None,
        ("clang", Some("loop")) if harmless(words.clone()) => None,
        ("clang", Some(_)) => Some("clang"),
        _ => None,
    }
}

/// Whether hints for a loop let nothing be computed in another order: what asks clang to vectorise a loop also lets it add
/// floating numbers as it likes.
fn harmless<'a>(mut words: impl Iterator<Item = &'a str>) -> bool {
    while let Some(hint) = words.next() {
        match (hint, words.next()) {
            ("unroll", Some("enable" | "disable" | "full")) | ("unroll_count", Some(_)) => {}
            ("vectorize" | "interleave" | "distribute", Some("disable")) => {}
            _ => return false,
        }
    }
    true
}

/// The name of a pragma that says how to compile what follows: the print would lose it.
fn instructs(body: &str) -> Option<&'static str> {
    let mut words =
        body.split(|c: char| c.is_ascii_whitespace() || "(),".contains(c)).filter(|word| !word.is_empty());
    match (words.next()?, words.next()?) {
        ("GCC", "target") => Some("GCC target"),
        ("GCC", "push_options") => Some("GCC push_options"),
        ("GCC", "pop_options") => Some("GCC pop_options"),
        ("GCC", "reset_options") => Some("GCC reset_options"),
        _ => None,
    }
}

/// 0, 1, 2, 4, 8 or 16: what gcc takes.
fn pack_value(spelling: &str) -> Option<u8> {
    let value = literal::int(spelling).ok()?.value;
    matches!(value, 0 | 1 | 2 | 4 | 8 | 16).then_some(value as u8)
}
