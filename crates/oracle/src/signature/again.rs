//! What a signature was computed from, as text that a store keeps: when the rules become better, signatures are computed
//! again from it, over everything ever seen.

use std::collections::BTreeSet;

use crate::signature::{
    Signature, broken, crash, debug_changes_code, hang, memory, pattern, reject, unstable, wrong_code,
};
use crate::steady::steady;

/// What a signature was computed from: one variant for each rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Evidence {
    /// Nothing is known: an old store did not keep it.
    #[default]
    None,
    /// What a compiler that crashed wrote.
    Crash(String),
    /// What a compiler that rejected the program wrote.
    Reject(String),
    /// What a compiler wrote that was asked whether `-g` changes code.
    DebugChangesCode(String),
    /// The stage that does not end.
    Hang(String),
    /// The stage that takes too much memory.
    Memory(String),
    /// The contract that was broken.
    Broken(String),
    /// In which ways the program differs, and with which configurations.
    WrongCode {
        /// The ways, in order.
        differences: BTreeSet<String>,
        /// The configurations, as a user types them.
        configurations: BTreeSet<String>,
    },
    /// What is left of a minimised program, each on one line, and the configurations that fail.
    Pattern {
        /// All of it.
        pattern: String,
        /// The most telling part.
        gist: String,
        /// The configurations, as a user types them.
        configurations: BTreeSet<String>,
    },
    /// The configurations whose output changes.
    Unstable(BTreeSet<String>),
}

/// Messages that evidence keeps, in bytes: the first and the last half of them.
const MESSAGES: usize = 8 << 10;

impl Evidence {
    /// The text that a store keeps: the rule on the first line, what it needs on those that follow.
    pub fn text(&self) -> String {
        let lines = |set: &BTreeSet<String>| {
            set.iter().map(|line| line.replace('\n', " ")).collect::<Vec<_>>().join("\n")
        };
        match self {
            Evidence::None => String::new(),
            Evidence::Crash(text) => format!("crash\n{text}"),
            Evidence::Reject(text) => format!("reject\n{text}"),
            Evidence::DebugChangesCode(text) => format!("debug-changes-code\n{text}"),
            Evidence::Hang(stage) => format!("hang\n{stage}"),
            Evidence::Memory(stage) => format!("memory\n{stage}"),
            Evidence::Broken(what) => format!("broken\n{what}"),
            Evidence::WrongCode { differences, configurations } => {
                let differences = differences.iter().cloned().collect::<Vec<_>>().join(", ");
                format!("wrong-code {differences}\n{}", lines(configurations))
            }
            Evidence::Pattern { pattern, gist, configurations } => {
                format!("pattern\n{pattern}\n{gist}\n{}", lines(configurations))
            }
            Evidence::Unstable(configurations) => format!("unstable\n{}", lines(configurations)),
        }
    }

    /// Reads what [`Evidence::text`] wrote. What nobody here wrote is none.
    pub fn parse(text: &str) -> Evidence {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (rule, words) = first.split_once(' ').unwrap_or((first, ""));
        let set = |text: &str, apart: &str| {
            text.split(apart).filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        match rule {
            "crash" => Evidence::Crash(rest.to_owned()),
            "reject" => Evidence::Reject(rest.to_owned()),
            "debug-changes-code" => Evidence::DebugChangesCode(rest.to_owned()),
            "hang" => Evidence::Hang(rest.to_owned()),
            "memory" => Evidence::Memory(rest.to_owned()),
            "broken" => Evidence::Broken(rest.to_owned()),
            "wrong-code" => {
                Evidence::WrongCode { differences: set(words, ", "), configurations: set(rest, "\n") }
            }
            "pattern" => {
                let (pattern, rest) = rest.split_once('\n').unwrap_or((rest, ""));
                let (gist, rest) = rest.split_once('\n').unwrap_or((rest, ""));
                let (pattern, gist) = (pattern.to_owned(), gist.to_owned());
                Evidence::Pattern { pattern, gist, configurations: set(rest, "\n") }
            }
            "unstable" => Evidence::Unstable(set(rest, "\n")),
            _ => Evidence::None,
        }
    }

    /// Whether it says little: what has it in common may still be several bugs.
    pub fn is_coarse(&self) -> bool {
        match self {
            Evidence::None | Evidence::Hang(_) | Evidence::Memory(_) | Evidence::Unstable(_) => true,
            Evidence::WrongCode { .. } => true,
            Evidence::Crash(_) | Evidence::Reject(_) | Evidence::DebugChangesCode(_) => false,
            Evidence::Broken(_) | Evidence::Pattern { .. } => false,
        }
    }
}

/// The signature of this evidence by today's rules; none if there is no evidence.
///
/// ```
/// use howler_oracle::signature::{again, crash, Evidence};
/// let seen = crash("gcc", "a.c:1:25: internal compiler error: in gimplify_expr, at gimplify.c:14924\n");
/// let kept = Evidence::parse(&seen.evidence().text());
/// assert_eq!(again("gcc", &kept), Some(seen));
/// assert_eq!(again("gcc", &Evidence::None), None);
/// ```
pub fn again(family: &str, evidence: &Evidence) -> Option<Signature> {
    Some(match evidence {
        Evidence::None => return None,
        Evidence::Crash(text) => crash(family, text),
        Evidence::Reject(text) => reject(family, text),
        Evidence::DebugChangesCode(text) => debug_changes_code(family, text),
        Evidence::Hang(stage) => hang(family, stage),
        Evidence::Memory(stage) => memory(family, stage),
        Evidence::Broken(what) => broken(family, what),
        Evidence::WrongCode { differences, configurations } => {
            wrong_code(family, configurations, &differences.iter().map(String::as_str).collect())
        }
        Evidence::Pattern { pattern: whole, gist, configurations } => {
            let configurations: Vec<String> = configurations.iter().cloned().collect();
            pattern(family, (whole, gist), &configurations)
        }
        Evidence::Unstable(configurations) => unstable(family, configurations),
    })
}

/// Messages as evidence keeps them: without what is another each time, and not too long. Doing it again changes nothing,
/// so a signature of what was kept is that of what was seen.
pub(super) fn messages(text: &str) -> String {
    let text = String::from_utf8_lossy(&steady(text.as_bytes())).into_owned();
    // A backtrace has its form still.
    let text = text.replace("0x...", "0x0").replace('\0', " ");
    if text.len() <= MESSAGES {
        return text;
    }
    const CUT: &str = "\n...\n";
    let half = (MESSAGES - CUT.len()) / 2;
    let (mut start, mut end) = (half, text.len() - half);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    format!("{}{CUT}{}", &text[..start], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_comes_back() {
        let set = |parts: &[&str]| parts.iter().map(|&part| part.to_owned()).collect::<BTreeSet<String>>();
        for evidence in [
            Evidence::None,
            Evidence::Crash("a\nb\n".to_owned()),
            Evidence::Reject(String::new()),
            Evidence::DebugChangesCode("x".to_owned()),
            Evidence::Hang("compile".to_owned()),
            Evidence::Memory("link".to_owned()),
            Evidence::Broken("no output".to_owned()),
            Evidence::WrongCode {
                differences: set(&["output", "status"]),
                configurations: set(&["gcc-12 -O2 -fno-x", "tcc"]),
            },
            Evidence::Pattern {
                pattern: "int <= long".to_owned(),
                gist: "int to long".to_owned(),
                configurations: set(&["gcc -O2"]),
            },
            Evidence::Unstable(set(&["tcc"])),
        ] {
            assert_eq!(Evidence::parse(&evidence.text()), evidence);
            let signature = again("gcc", &evidence);
            assert_eq!(
                signature.as_ref().map(|one| one.evidence()),
                Some(&evidence).filter(|_| signature.is_some())
            );
            assert_eq!(signature.is_none(), evidence == Evidence::None);
        }
        for hostile in ["", "\n", "nonsense\nx", "crash", "wrong-code", "wrong-code \n\n\n", "pattern"] {
            let _ = again("", &Evidence::parse(hostile));
        }
    }

    #[test]
    fn long_messages_are_kept_in_part_and_only_once() {
        let long = "ä0x123456789 ".repeat(9000);
        let kept = messages(&long);
        assert!(kept.len() <= MESSAGES && kept.contains("\n...\n"));
        assert_eq!(messages(&kept), kept);
        assert_eq!(messages("==12==ERROR at 0x7ffe12345678"), "==PID==ERROR at 0x0");
    }
}
