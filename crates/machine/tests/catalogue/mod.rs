//! The catalogue: C programs with what the machine must say about each. This splits the files; it runs nothing.
//!
//! A file holds sections, each one complete program:
//!
//! ```text
//! //=== fail: short name                  undefined; the kind is the file's name, the line carries `// UB`
//! //=== pass: short name                  ends with status 0 and prints its `// prints: ` lines, nothing else
//! //=== open: short name                  depends on what the standard leaves open: judged unspecified
//! //=== caveat(retyped): short name      as pass, with this caveat: not every compiler family promises it
//! //=== trace-open: short name            ends with status 0; its volatile trace cannot be compared
//! //=== unsupported: short name           the machine must not claim to know
//! //=== outcome(exit 3): short name       also abort, fuel, memory, output, bad-program
//! //=== file: b.c                         starts the next file of the same program; the first is a.c
//! ```
//!
//! Directives, one per line at the start of a section: `// std: gnu89`, `// target: i386`, `// thirty-one: N` (the
//! defects that no sanitizer sees), `// wrapv` (with -fwrapv), `// clang` (in clang's dialect; if it passes, it is run
//! with clang only), `// letter` (goes on after letter kinds), `// or: code` (another verdict that is right too),
//! `// exploited` (gcc-12 or clang-16 give another result at -O2 than at -O0), `// differs` (only other levels or
//! compilers do).
#![allow(dead_code, reason = "each test uses its part")]

pub mod read;
pub mod ways;

use std::path::Path;

/// What the machine must say about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expect {
    /// Undefined behaviour of the kind with this code.
    Fail(String),
    /// Status 0.
    Pass,
    /// Status 0 with a caveat of this code.
    Caveat(String),
    /// `Unspecified` when judged.
    Open,
    /// Status 0, and a volatile trace that is not fixed.
    TraceOpen,
    /// `Unsupported`.
    Unsupported,
    /// Main returned or exit was called with this status.
    Exit(u8),
    /// The program aborted.
    Abort,
    /// Steps, memory or output came to their limit.
    Limit(Limit),
    /// The files do not make a program.
    BadProgram,
}

/// A limit of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Steps.
    Fuel,
    /// Memory, the stack included.
    Memory,
    /// Bytes written.
    Output,
}

/// One program of the catalogue.
#[derive(Clone, Debug)]
pub struct Section {
    /// What must come out.
    pub expect: Expect,
    /// The short name.
    pub name: String,
    /// The catalogue's file and the section's line in it, for messages.
    pub place: String,
    /// Name and text of each file, in the order they are linked.
    pub files: Vec<(String, String)>,
    /// The dialect, `gnu17` unless told.
    pub std: String,
    /// Whether the target is i386 and not x86-64.
    pub i386: bool,
    /// Whether signed overflow wraps.
    pub wrapv: bool,
    /// Whether the dialect is clang's.
    pub clang: bool,
    /// Whether what is undefined by the letter only goes on.
    pub letter: bool,
    /// Index into `files` and line, counted from 1, of the `// UB` mark.
    pub ub_line: Option<(usize, usize)>,
    /// The lines it prints.
    pub prints: Vec<String>,
    /// Its number among the thirty-one that no sanitizer sees.
    pub thirty_one: Option<usize>,
    /// Other verdicts that are right too: codes of kinds, or `unspecified`.
    pub alternatives: Vec<String>,
    /// Seen to change at -O2.
    pub exploited: bool,
    /// Seen to differ between compilers or levels, other than at -O2.
    pub differs: bool,
}

impl Section {
    /// The file's place and the section's name.
    pub fn title(&self) -> String {
        format!("{}: {}", self.place, self.name)
    }

    /// What it must write to standard output.
    pub fn output(&self) -> String {
        self.prints.iter().map(|line| format!("{line}\n")).collect()
    }

    /// What a compiler is told besides the files.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = vec!["-w".to_owned(), format!("-std={}", self.std)];
        flags.extend(self.i386.then(|| "-m32".to_owned()));
        flags.extend(self.wrapv.then(|| "-fwrapv".to_owned()));
        flags
    }
}

/// Every section of every file, in the order of the files' names.
///
/// # Panics
/// If a file breaks the rules above.
pub fn sections() -> Vec<Section> {
    let folder = howler_testkit::workspace().join("crates/machine/tests/catalogue");
    let entries = std::fs::read_dir(&folder).expect("the catalogue is there");
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("a folder that opened can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths.iter().flat_map(|path| split(path)).collect()
}

fn split(path: &Path) -> Vec<Section> {
    let text = std::fs::read_to_string(path).expect("the catalogue is text");
    let code = path.file_stem().and_then(|stem| stem.to_str()).expect("names are plain");
    let mut sections: Vec<Section> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let place = format!("{code}.c:{}", index + 1);
        let Some(header) = line.strip_prefix("//=== ") else {
            if let Some(section) = sections.last_mut() {
                add_line(section, line, &place);
            } else {
                assert!(line.starts_with("// "), "{place}: text before the first section");
            }
            continue;
        };
        let (kind, name) =
            header.split_once(": ").unwrap_or_else(|| panic!("{place}: a header without a name"));
        if kind == "file" {
            let section = sections.last_mut().unwrap_or_else(|| panic!("{place}: a file outside a section"));
            section.files.push((name.to_owned(), String::new()));
        } else {
            sections.push(start(expectation(kind, code, &place), name, place));
        }
    }
    sections
}

fn start(expect: Expect, name: &str, place: String) -> Section {
    Section {
        expect,
        name: name.to_owned(),
        place,
        files: vec![("a.c".to_owned(), String::new())],
        std: "gnu17".to_owned(),
        i386: false,
        wrapv: false,
        clang: false,
        letter: false,
        ub_line: None,
        prints: Vec::new(),
        thirty_one: None,
        alternatives: Vec::new(),
        exploited: false,
        differs: false,
    }
}

fn expectation(kind: &str, code: &str, place: &str) -> Expect {
    match kind {
        "fail" => Expect::Fail(code.to_owned()),
        "pass" => Expect::Pass,
        "open" => Expect::Open,
        "trace-open" => Expect::TraceOpen,
        "unsupported" => Expect::Unsupported,
        "outcome(abort)" => Expect::Abort,
        "outcome(fuel)" => Expect::Limit(Limit::Fuel),
        "outcome(memory)" => Expect::Limit(Limit::Memory),
        "outcome(output)" => Expect::Limit(Limit::Output),
        "outcome(bad-program)" => Expect::BadProgram,
        _ => {
            let part = |prefix: &str| kind.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(')'));
            let status = || part("outcome(exit ")?.parse().ok().map(Expect::Exit);
            let caveat = part("caveat(").map(|code| Expect::Caveat(code.to_owned()));
            caveat.or_else(status).unwrap_or_else(|| panic!("{place}: unknown kind {kind}"))
        }
    }
}

fn add_line(section: &mut Section, line: &str, place: &str) {
    let file = section.files.len() - 1;
    let text = &mut section.files[file].1;
    text.push_str(line);
    text.push('\n');
    if line.ends_with("// UB") {
        let lines = text.lines().count();
        assert_eq!(section.ub_line, None, "{place}: a second mark");
        section.ub_line = Some((file, lines));
    }
    let Some(comment) = line.trim_start().strip_prefix("// ") else { return };
    match comment.split_once(": ") {
        Some(("std", std)) => section.std = std.to_owned(),
        Some(("target", target)) => {
            assert_eq!(target, "i386", "{place}: unknown target");
            section.i386 = true;
        }
        Some(("thirty-one", number)) => {
            section.thirty_one = Some(number.parse().unwrap_or_else(|_| panic!("{place}: not a number")));
        }
        Some(("or", other)) => section.alternatives.push(other.to_owned()),
        Some(("prints", text)) => section.prints.push(text.to_owned()),
        _ => match comment {
            "letter" => section.letter = true,
            "wrapv" => section.wrapv = true,
            "clang" => section.clang = true,
            "exploited" => section.exploited = true,
            "differs" => section.differs = true,
            "UB" => {}
            _ => panic!("{place}: unknown directive {comment}"),
        },
    }
}
