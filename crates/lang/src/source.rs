//! Source texts and positions in them.
//!
//! A [`Pos`] is a byte offset into the concatenation of all texts of a program, so it fits in four bytes and names
//! the text too. Line markers (`# 12 "a.c" 1 3`) map a place in preprocessed text to what the user wrote.

use std::sync::Arc;

/// A place in some text of a [`SourceMap`], or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pos(pub u32);

impl Pos {
    /// No place: the node was made, not read.
    pub const NONE: Pos = Pos(0);
}

impl std::fmt::Debug for Pos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}", self.0)
    }
}

/// One text.
#[derive(Clone, Debug)]
pub struct Source {
    /// What to call it before any line marker.
    pub name: String,
    /// The preprocessed text.
    pub text: Arc<str>,
    start: u32,
}

/// All texts of a program, in the order they were added.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

/// A position in terms of the user's file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// The text of the line.
    pub text: String,
    /// Whether the line is part of a system header.
    pub system: bool,
}

impl SourceMap {
    /// Adds a text and returns the position of its first byte, or `None` if the texts together reach 4 GiB.
    pub fn add(&mut self, name: &str, text: Arc<str>) -> Option<Pos> {
        let start = self.sources.last().map_or(1, |last| last.start as usize + last.text.len() + 1);
        let start = u32::try_from(start).ok()?;
        start.checked_add(u32::try_from(text.len()).ok()?)?.checked_add(2)?;
        self.sources.push(Source { name: name.to_owned(), text, start });
        Some(Pos(start))
    }

    /// The texts.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The place of `pos`, following line markers.
    pub fn place(&self, pos: Pos) -> Option<Place> {
        if pos == Pos::NONE {
            return None;
        }
        let index = self.sources.partition_point(|source| source.start <= pos.0).checked_sub(1)?;
        let source = &self.sources[index];
        let bytes = source.text.as_bytes();
        let offset = ((pos.0 - source.start) as usize).min(bytes.len());
        let line_start = bytes[..offset].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let line_end = bytes[offset..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |at| offset + at);
        // The nearest marker above decides; without one, lines count from the text's start.
        let mut end = line_start;
        let mut below = 0;
        loop {
            let Some(previous_end) = end.checked_sub(1) else {
                return Some(Place {
                    file: source.name.clone(),
                    line: below + 1,
                    column: (offset - line_start + 1) as u32,
                    text: lossy(&bytes[line_start..line_end]),
                    system: false,
                });
            };
            let start = bytes[..previous_end].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
            if let Some(marker) = LineMarker::read(&bytes[start..previous_end]) {
                return Some(Place {
                    file: marker.file.unwrap_or_else(|| source.name.clone()),
                    line: marker.line.saturating_add(below),
                    column: (offset - line_start + 1) as u32,
                    text: lossy(&bytes[line_start..line_end]),
                    system: marker.system,
                });
            }
            below += 1;
            end = start;
        }
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A line marker: `# 12 "file.c" 1 3 4` or `#line 12 "file.c"`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineMarker {
    /// The number of the next line.
    pub line: u32,
    /// The file it is in, if named.
    pub file: Option<String>,
    /// Flag 1: a file is entered.
    pub enter: bool,
    /// Flag 2: a file is returned to.
    pub leave: bool,
    /// Flag 3: the text is a system header's.
    pub system: bool,
}

impl LineMarker {
    /// Reads a line without its newline; `None` if it is no marker.
    pub fn read(line: &[u8]) -> Option<LineMarker> {
        let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
        let rest = rest.strip_prefix(b"line").map_or(rest, <[u8]>::trim_ascii_start);
        let digits = rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
        let number: u32 = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        let mut rest = rest[digits..].trim_ascii_start();
        let mut marker = LineMarker { line: number, file: None, enter: false, leave: false, system: false };
        if let Some(quoted) = rest.strip_prefix(b"\"") {
            let mut name = Vec::new();
            let mut bytes = quoted.iter();
            loop {
                match bytes.next()? {
                    b'"' => break,
                    b'\\' => name.push(*bytes.next()?),
                    &byte => name.push(byte),
                }
            }
            marker.file = Some(lossy(&name));
            rest = bytes.as_slice();
        }
        for flag in rest.split(u8::is_ascii_whitespace) {
            match flag {
                b"1" => marker.enter = true,
                b"2" => marker.leave = true,
                b"3" => marker.system = true,
                _ => {}
            }
        }
        Some(marker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_line_markers() {
        let mut map = SourceMap::default();
        map.add("first.c", "int a;\n".into()).unwrap();
        let text = "# 1 \"b.c\"\n# 1 \"/h/x.h\" 1 3\nint x;\n# 7 \"b.c\" 2\nint b;\n  int c;\n";
        let start = map.add("second.c", text.into()).unwrap();
        let at = |needle: &str| Pos(start.0 + text.find(needle).unwrap() as u32);
        let x = map.place(at("x;")).unwrap();
        assert_eq!((x.file.as_str(), x.line, x.column, x.system), ("/h/x.h", 1, 5, true));
        let c = map.place(at("c;")).unwrap();
        assert_eq!((c.file.as_str(), c.line, c.column, c.text.as_str()), ("b.c", 8, 7, "  int c;"));
        assert_eq!(map.place(Pos(1)).unwrap().file, "first.c");
        assert_eq!(map.place(Pos::NONE), None);
    }
}
