//! Source texts and positions in them.
//!
//! A [`Pos`] is a byte offset into the concatenation of all texts of a program, so it fits in four bytes and names
//! the text too. Line markers (`# 12 "a.c" 1 3`) map a place in preprocessed text to what the user wrote.

mod block;
mod original;

use original::Original;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

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
    lines: OnceLock<Lines>,
}

/// All texts of a program, in the order they were added.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
    originals: Vec<Original>,
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
        self.sources.push(Source { name: name.to_owned(), text, start, lines: OnceLock::new() });
        Some(Pos(start))
    }

    /// Adds a file as it was before it was preprocessed: places in it are then given as they are there.
    ///
    /// ```
    /// use howler_lang::source::{Pos, SourceMap};
    /// let mut map = SourceMap::default();
    /// let start = map.add("a.i", "# 1 \"a.c\"\nint x = yy;\n".into()).unwrap();
    /// map.add_original("a.c", "int /* why? */ x = yy;\n".into());
    /// let place = map.place(Pos(start.0 + 18)).unwrap();
    /// assert_eq!((place.column, place.text.as_str()), (20, "int /* why? */ x = yy;"));
    /// ```
    pub fn add_original(&mut self, file: &str, text: Arc<str>) {
        if u32::try_from(text.len()).is_ok() {
            self.originals.push(Original::new(file, text));
        }
    }

    /// The texts.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The place of `pos`, following line markers, with a copy of its line.
    pub fn place(&self, pos: Pos) -> Option<Place> {
        self.locate(pos).map(|located| Place {
            file: located.file.into_owned(),
            line: located.line,
            column: located.column,
            text: located.text.to_owned(),
            system: located.system,
        })
    }

    /// The place of `pos`, following line markers. The first call for a text reads all its lines once.
    pub fn locate(&self, pos: Pos) -> Option<Located<'_>> {
        let (source, lines, offset, line) = self.line_of(pos)?;
        let line_start = lines.starts[line] as usize;
        let mut located = Located {
            file: Cow::Borrowed(&source.name),
            line: (line + 1) as u32,
            column: (offset - line_start + 1) as u32,
            text: lines.text(&source.text, line),
            system: false,
        };
        if let Some(marker) = lines.marker_above(line) {
            located.line = marker.line.saturating_add(line as u32 - marker.at - 1);
            located.system = marker.system;
            let named = LineMarker::read(lines.text(&source.text, marker.named_at as usize).as_bytes());
            if let Some(file) = named.and_then(|named| named.file) {
                located.file = Cow::Owned(file);
            }
        }
        let original = self.originals.iter().find(|original| original.name == located.file);
        let seen = original.and_then(|file| {
            let (text, column) = lines.whole_line(&source.text, line, located.column);
            file.realign(located.line, &text, column)
        });
        if let Some((text, column)) = seen {
            (located.text, located.column) = (text, column);
        }
        Some(located)
    }

    /// The text from a position on, to the end of its file's.
    pub fn text_from(&self, pos: Pos) -> Option<&str> {
        let (source, _, offset, _) = self.line_of(pos)?;
        source.text.get(offset..)
    }

    /// Where the block ends in which a declaration is, if it is in one.
    pub fn block_end(&self, declared: Pos) -> Option<Pos> {
        let (source, _, offset, _) = self.line_of(declared)?;
        let end = block::end(&source.text, offset)?;
        Some(Pos(source.start + u32::try_from(end).ok()?))
    }

    /// Whether a position is in a system header, as [`SourceMap::locate`] says, but sooner.
    pub fn is_system(&self, pos: Pos) -> bool {
        let marker = self.line_of(pos).and_then(|(_, lines, _, line)| lines.marker_above(line));
        marker.is_some_and(|marker| marker.system)
    }

    /// The text that a position is in, with its lines, the offset there and the line, from 0.
    fn line_of(&self, pos: Pos) -> Option<(&Source, &Lines, usize, usize)> {
        let index = self.sources.partition_point(|source| source.start <= pos.0).checked_sub(1)?;
        let source = &self.sources[index];
        let lines = source.lines.get_or_init(|| Lines::of(source.text.as_bytes()));
        let offset = ((pos.0 - source.start) as usize).min(source.text.len());
        let line = lines.starts.partition_point(|&start| start as usize <= offset) - 1;
        Some((source, lines, offset, line))
    }
}

/// A position in terms of the user's file, with the line borrowed: lines may be very long.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located<'a> {
    /// The file's name.
    pub file: Cow<'a, str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// The text of the line.
    pub text: &'a str,
    /// Whether the line is part of a system header.
    pub system: bool,
}

/// Where the lines of a text begin and which of them are markers, so that a thousand diagnostics read it once.
#[derive(Clone, Debug)]
struct Lines {
    starts: Vec<u32>,
    markers: Vec<Marker>,
}

/// A line marker.
#[derive(Clone, Copy, Debug)]
struct Marker {
    /// Its line, from 0.
    at: u32,
    /// The line of the last marker that named a file.
    named_at: u32,
    /// The number it gives the next line.
    line: u32,
    system: bool,
}

impl Lines {
    fn of(text: &[u8]) -> Lines {
        let mut lines = Lines { starts: Vec::new(), markers: Vec::new() };
        let mut named_at = None;
        let mut start = 0;
        for line in text.split(|&byte| byte == b'\n') {
            let at = lines.starts.len() as u32;
            // `SourceMap::add` takes texts below 4 GiB only.
            lines.starts.push(start as u32);
            start += line.len() + 1;
            if let Some(marker) = LineMarker::read(line) {
                if marker.file.is_some() {
                    named_at = Some(at);
                }
                let LineMarker { line, system, .. } = marker;
                lines.markers.push(Marker { at, named_at: named_at.unwrap_or(at), line, system });
            }
        }
        lines
    }

    /// The nearest marker above a line, which decides; without one, lines count from the text's start.
    fn marker_above(&self, line: usize) -> Option<&Marker> {
        let below = self.markers.partition_point(|marker| (marker.at as usize) < line);
        self.markers.get(below.checked_sub(1)?)
    }

    /// The number that the markers give a line, and the line that names its file.
    fn marked(&self, line: usize) -> Option<(u32, u32)> {
        let marker = self.marker_above(line)?;
        Some((marker.line.saturating_add(line as u32 - marker.at - 1), marker.named_at))
    }

    /// All that the preprocessor made of the user's line that `line` belongs to, and the column in that: a compiler
    /// writes what comes from the macro of a system header on a line of its own, between markers.
    fn whole_line<'a>(&self, text: &'a str, line: usize, column: u32) -> (Cow<'a, str>, u32) {
        let here = self.text(text, line);
        let Some((number, named_at)) = self.marked(line) else { return (Cow::Borrowed(here), column) };
        let file = |named_at: u32| {
            LineMarker::read(self.text(text, named_at as usize).as_bytes()).and_then(|marker| marker.file)
        };
        let is_marker = |line: usize| self.markers.binary_search_by_key(&(line as u32), |m| m.at).is_ok();
        let belongs = |line: usize| {
            self.marked(line).is_some_and(|(other, named)| {
                other == number && (named == named_at || file(named) == file(named_at))
            })
        };
        let mut parts = vec![here];
        let mut before = 0;
        let mut first = line;
        // A text line, the marker before it, and so on.
        while first >= 2 && is_marker(first - 1) && !is_marker(first - 2) && belongs(first - 2) {
            first -= 2;
            let part = self.text(text, first);
            before += part.len() + 1;
            parts.insert(0, part);
            if parts.len() > MOST_PARTS {
                return (Cow::Borrowed(here), column);
            }
        }
        let mut last = line;
        while last + 2 < self.starts.len() && is_marker(last + 1) && !is_marker(last + 2) && belongs(last + 2)
        {
            last += 2;
            parts.push(self.text(text, last));
            if parts.len() > MOST_PARTS {
                return (Cow::Borrowed(here), column);
            }
        }
        if parts.len() == 1 {
            return (Cow::Borrowed(here), column);
        }
        (Cow::Owned(parts.join(" ")), column + before as u32)
    }

    /// A line without its newline.
    fn text<'a>(&self, text: &'a str, line: usize) -> &'a str {
        let end = self.starts.get(line + 1).map_or(text.len(), |&next| next as usize - 1);
        &text[self.starts[line] as usize..end]
    }
}

/// Pieces of one line beyond which it is not put together.
const MOST_PARTS: usize = 1000;

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
                    b'\\' => name.push(escaped(&mut bytes)?),
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

/// The byte after a backslash in a file name. A preprocessor writes bytes that its locale cannot print as three octal
/// digits.
fn escaped(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u8> {
    let digit = |byte: &u8| matches!(byte, b'0'..=b'7').then(|| u32::from(byte - b'0'));
    if let [first, second, third, ..] = bytes.as_slice()
        && let (Some(first), Some(second), Some(third)) = (digit(first), digit(second), digit(third))
        && let Ok(byte) = u8::try_from(first * 64 + second * 8 + third)
    {
        bytes.nth(2);
        return Some(byte);
    }
    bytes.next().copied()
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
        assert!(map.is_system(at("x;")) && !map.is_system(at("c;")) && !map.is_system(Pos::NONE));
    }

    #[test]
    fn octal_escapes_in_file_names_are_read() {
        let name = |line: &str| LineMarker::read(line.as_bytes()).unwrap().file.unwrap();
        assert_eq!(name("# 1 \"caf\\303\\251.c\""), "caf\u{e9}.c");
        assert_eq!(name("# 1 \"bad\\351.c\" 2"), "bad\u{fffd}.c");
        assert_eq!(name("# 1 \"a\\\\b\\\"\\99.c\""), "a\\b\"99.c");
    }

    #[test]
    fn a_marker_without_a_name_keeps_the_file() {
        let mut map = SourceMap::default();
        let text = "int a;\n#line 10\nint b;\n#line 20 \"y.c\"\n#line 30\nint c;\n";
        let start = map.add("x.c", text.into()).unwrap();
        let at = |needle: &str| map.locate(Pos(start.0 + text.find(needle).unwrap() as u32)).unwrap();
        let places: Vec<(String, u32)> =
            ["a;", "b;", "c;"].map(at).map(|place| (place.file.into_owned(), place.line)).to_vec();
        assert_eq!(places, [("x.c".to_owned(), 1), ("x.c".to_owned(), 10), ("y.c".to_owned(), 30)]);
        let end = map.locate(Pos(start.0 + text.len() as u32)).unwrap();
        assert_eq!((end.line, end.column, end.text), (31, 1, ""));
    }
}
