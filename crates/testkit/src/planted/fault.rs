//! What a planted fault is, and how `data/planted.txt` is read. The file itself explains its language.

use super::edit::{self, Edited, Rule};
use super::source;
use std::path::PathBuf;
use std::sync::OnceLock;

const TEXT: &str = include_str!("../../data/planted.txt");

/// A compiler bug made on purpose.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fault {
    /// Its name, as `planted-cc NAME` takes it.
    pub name: String,
    /// What a hunt may call it; the first is the best answer.
    pub kinds: Vec<Kind>,
    /// What is wrong, in one sentence.
    pub about: String,
    /// The file of `data/planted` that shows it.
    pub example: String,
    /// The flags with which the example shows it.
    pub flags: Vec<String>,
    /// The levels (`0`, `1`, `2`, `3`, `s`…) at which it acts; none given means all.
    levels: Vec<String>,
    /// 32 or 64 if it acts only there.
    bits: Option<u32>,
    /// It acts only in functions of at least so many instructions.
    size: usize,
    /// It acts only on files with this text in a line.
    source: Option<String>,
    /// It acts once in so many compiles, at random.
    chance: Option<u32>,
    pub(crate) rules: Vec<Rule>,
    /// What the compiler says before it misbehaves.
    pub(crate) say: Vec<String>,
    pub(crate) act: Option<Act>,
}

/// What a hunt should call a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The program behaves wrongly.
    WrongCode,
    /// The compiler crashes.
    Crash,
    /// The compiler does not end.
    Hang,
    /// The compiler takes too much memory.
    Memory,
    /// The compiler rejects valid code.
    Reject,
    /// The same command gives different code.
    Unstable,
    /// The compiler does not do its job in some other way: no output, an odd exit status, endless output.
    Broken,
    /// It does not show each time: nothing to report, or kept apart.
    Flaky,
    /// Nothing is to be reported.
    Nothing,
}

impl Kind {
    const ALL: [(Kind, &str); 9] = [
        (Kind::WrongCode, "wrong-code"),
        (Kind::Crash, "crash"),
        (Kind::Hang, "hang"),
        (Kind::Memory, "memory"),
        (Kind::Reject, "reject"),
        (Kind::Unstable, "unstable"),
        (Kind::Broken, "broken"),
        (Kind::Flaky, "flaky"),
        (Kind::Nothing, "nothing"),
    ];

    /// Its name in the data file.
    pub fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// How a compiler misbehaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// Compiling proper ends with this status.
    Status(u8),
    /// Compiling proper ends by this signal.
    Signal(String),
    Sleep,
    Spin,
    /// Error messages without end.
    Chatter,
    /// An output file without end.
    Swell,
    Forks,
    /// A process that outlives the compiler, in a session of its own, deaf to SIGTERM.
    Daemon,
    /// The same, and the compiler does not end either.
    Stubborn,
    Memory,
    /// The same amount, shared by several processes.
    Crowd,
    /// A different number of nops each time.
    Nops,
    /// The driver removes what was made.
    Delete,
    /// The driver does nothing and is content.
    Idle,
    /// The driver cuts off the second half of what was made.
    Truncate,
    /// The driver does its work and ends with this status.
    Odd(u8),
}

impl Act {
    /// Whether it is the driver, not the compiler proper, that misbehaves.
    pub(crate) fn is_the_drivers(&self) -> bool {
        matches!(self, Act::Delete | Act::Idle | Act::Truncate | Act::Odd(_))
    }
}

/// What is known of one compile when a fault decides whether it acts.
#[derive(Clone, Debug, Default)]
pub struct Compile<'a> {
    /// The level: what stands behind `-O`, `0` if there is none.
    pub level: &'a str,
    /// Whether it is for i386: `-m32`.
    pub m32: bool,
    /// The text of the file, if it is known: preprocessed or not.
    pub source: Option<&'a str>,
}

/// All faults, in the order of the file.
///
/// # Panics
/// If the data file is wrong; a test reads it.
pub fn faults() -> &'static [Fault] {
    static ALL: OnceLock<Vec<Fault>> = OnceLock::new();
    ALL.get_or_init(|| match parse(TEXT) {
        Ok(faults) => faults,
        Err(error) => panic!("data/planted.txt: {error}"),
    })
}

/// The fault of this name.
///
/// ```
/// use howler_testkit::planted::{Kind, fault};
/// let fault = fault("setl-to-setle").expect("the data file has it");
/// assert_eq!(fault.kinds, [Kind::WrongCode]);
/// ```
pub fn fault(name: &str) -> Option<&'static Fault> {
    faults().iter().find(|fault| fault.name == name)
}

impl Fault {
    /// Whether it works by editing assembly; otherwise it is a misbehaviour of the compiler.
    pub fn edits(&self) -> bool {
        !self.rules.is_empty()
    }

    /// The program that shows it.
    pub fn example_path(&self) -> PathBuf {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data/planted")).join(&self.example)
    }

    /// The levels at which it acts, for people.
    pub fn levels(&self) -> String {
        if self.levels.is_empty() { "all".to_owned() } else { self.levels.join(" ") }
    }

    /// What else must be so for it to act, for people.
    pub fn conditions(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.bits.map(|bits| format!("{bits} bits")));
        parts.extend((self.size > 0).then(|| format!("functions of {} instructions", self.size)));
        parts.extend(self.source.as_ref().map(|text| format!("`{text}` in a line")));
        parts.extend(self.chance.map(|chance| format!("one time in {chance}")));
        parts.join(", ")
    }

    /// Whether it acts on this compile, and the line that makes it (1 if any would). `dice` is any number, evenly
    /// spread, for faults that act now and then.
    pub fn acts(&self, compile: &Compile<'_>, dice: u32) -> Option<usize> {
        let level = self.levels.is_empty() || self.levels.iter().any(|level| level == compile.level);
        let bits = self.bits.is_none_or(|bits| (bits == 32) == compile.m32);
        let chance = self.chance.is_none_or(|chance| dice.is_multiple_of(chance));
        if !(level && bits && chance) {
            return None;
        }
        match &self.source {
            None => Some(1),
            Some(wanted) => source::find(compile.source?, wanted),
        }
    }

    /// The assembly with the fault in it, for a compile on which it [acts](Fault::acts).
    pub fn edit(&self, assembly: &str) -> Edited {
        edit::edit(assembly, &self.rules, self.size)
    }
}

fn parse(text: &str) -> Result<Vec<Fault>, String> {
    let mut faults: Vec<Fault> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = value.trim();
        let done = if key == "fault" {
            faults.push(Fault { name: value.to_owned(), ..Fault::default() });
            Ok(())
        } else {
            faults.last_mut().ok_or("no fault yet".to_owned()).and_then(|fault| set(fault, key, value))
        };
        done.map_err(|error| format!("line {}: {error}", number + 1))?;
    }
    faults.iter().try_for_each(whole)?;
    Ok(faults)
}

fn set(fault: &mut Fault, key: &str, value: &str) -> Result<(), String> {
    let words = || value.split_whitespace().map(str::to_owned);
    let wrong = || format!("`{value}` is no value for {key}");
    match key {
        "kind" => {
            for word in value.split_whitespace() {
                let kind = Kind::ALL.iter().find(|(_, name)| *name == word).ok_or_else(wrong)?;
                fault.kinds.push(kind.0);
            }
        }
        "about" => fault.about = value.to_owned(),
        "example" => {
            let mut words = words();
            fault.example = words.next().ok_or_else(wrong)?;
            fault.flags = words.collect();
        }
        "levels" => fault.levels = words().collect(),
        "bits" => fault.bits = Some(value.parse().map_err(|_| wrong())?),
        "size" => fault.size = value.parse().map_err(|_| wrong())?,
        "source" => fault.source = Some(value.to_owned()),
        "chance" => fault.chance = Some(value.parse().ok().filter(|chance| *chance > 0).ok_or_else(wrong)?),
        "edit" => fault.rules.push(Rule::parse(value)?),
        "say" => fault.say.push(value.to_owned()),
        "act" => fault.act = Some(act(value).ok_or_else(wrong)?),
        _ => return Err(format!("`{key}` is no key")),
    }
    Ok(())
}

fn act(value: &str) -> Option<Act> {
    Some(match value.split_whitespace().collect::<Vec<_>>()[..] {
        ["status", status] => Act::Status(status.parse().ok()?),
        ["signal", name] => Act::Signal(name.to_owned()),
        ["sleep"] => Act::Sleep,
        ["spin"] => Act::Spin,
        ["chatter"] => Act::Chatter,
        ["swell"] => Act::Swell,
        ["forks"] => Act::Forks,
        ["daemon"] => Act::Daemon,
        ["stubborn"] => Act::Stubborn,
        ["memory"] => Act::Memory,
        ["crowd"] => Act::Crowd,
        ["nops"] => Act::Nops,
        ["delete"] => Act::Delete,
        ["idle"] => Act::Idle,
        ["truncate"] => Act::Truncate,
        ["odd", status] => Act::Odd(status.parse().ok()?),
        _ => return None,
    })
}

fn whole(fault: &Fault) -> Result<(), String> {
    let name = &fault.name;
    if fault.kinds.is_empty() || fault.about.is_empty() || fault.example.is_empty() {
        return Err(format!("{name}: kind, about or example is missing"));
    }
    if fault.edits() == fault.act.is_some() && name != "none" {
        return Err(format!("{name}: either edits or one act"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Compile, Kind, fault, faults, parse};
    use std::collections::BTreeSet;

    #[test]
    fn the_data_file_is_right() {
        let names: BTreeSet<&str> = faults().iter().map(|fault| fault.name.as_str()).collect();
        assert_eq!(names.len(), faults().len(), "a name is there twice");
        for fault in faults() {
            assert!(fault.example_path().is_file(), "{}: {} is missing", fault.name, fault.example);
            assert_eq!(
                fault.edits() && !fault.kinds.contains(&Kind::Unstable),
                fault.kinds == [Kind::WrongCode]
            );
        }
        assert!(faults().iter().filter(|fault| fault.edits()).count() >= 24);
    }

    #[test]
    fn faults_act_under_their_conditions_only() {
        let text =
            "fault f\nkind crash\nabout x\nexample x.c\nlevels 2 3\nbits 64\nsource goto\nact status 4\n";
        let faults = parse(text).unwrap();
        let compile = Compile { level: "2", m32: false, source: Some("int x;\ngoto y;") };
        assert_eq!(faults[0].acts(&compile, 0), Some(2));
        assert_eq!(faults[0].acts(&Compile { level: "1", ..compile.clone() }, 0), None);
        assert_eq!(faults[0].acts(&Compile { m32: true, ..compile.clone() }, 0), None);
        assert_eq!(faults[0].acts(&Compile { source: None, ..compile }, 0), None);
        assert_eq!(fault("none").unwrap().acts(&Compile::default(), 0), Some(1));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, part) in [
            ("kind crash", "line 1: no fault yet"),
            ("fault f\nkind bug", "line 2: `bug` is no value for kind"),
            ("fault f\nedit x", "line 2: `x` has no ->"),
            ("fault f\nkind crash", "f: kind, about or example is missing"),
            ("fault f\nkind crash\nabout x\nexample x.c", "f: either edits or one act"),
            ("fault f\nact dance", "line 2: `dance` is no value for act"),
        ] {
            assert_eq!(parse(text).unwrap_err(), part);
        }
    }
}
