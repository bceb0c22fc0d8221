//! What a test of GCC asks for in its `dg-options` that changes what it means. What only says how to compile is left out.

use std::path::Path;

/// The standards that tests are compiled with.
pub(super) const STDS: [&str; 5] = ["gnu17", "gnu89", "c89", "c99", "gnu99"];

/// The flags that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Meaning {
    /// `-std=`, one of [`STDS`].
    pub(super) std: Option<&'static str>,
    /// `-fwrapv`, or `-fno-strict-overflow`, which is that and more.
    pub(super) wrapv: bool,
}

impl Meaning {
    /// Reads a file.
    pub(super) fn of(file: &Path) -> Meaning {
        Meaning::from_text(&String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()))
    }

    fn from_text(text: &str) -> Meaning {
        let mut meaning = Meaning::default();
        let said = |line: &&str| line.contains("dg-options") || line.contains("dg-additional-options");
        // What is for some targets only is not for x86 as a rule.
        for line in text.lines().filter(said).filter(|line| !line.contains("target")) {
            for word in line.split(|c: char| c.is_whitespace() || "\"{}".contains(c)) {
                meaning.wrapv |= word == "-fwrapv" || word == "-fno-strict-overflow";
                let std = word.strip_prefix("-std=");
                meaning.std = STDS.into_iter().find(|known| std == Some(known)).or(meaning.std);
            }
        }
        meaning
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_where_they_count() {
        let wrapv = Meaning { wrapv: true, ..Meaning::default() };
        assert_eq!(Meaning::from_text("/* { dg-options { \"-fwrapv\" } } */"), wrapv);
        assert_eq!(Meaning::from_text("/* { dg-additional-options \"-O2 -fno-strict-overflow\" } */"), wrapv);
        let c99 = Meaning { std: Some("c99"), ..Meaning::default() };
        assert_eq!(Meaning::from_text("/* { dg-options \"-std=c99\" } */"), c99);
        for text in ["/* -fwrapv */", "/* { dg-options \"-fwrapv\" { target i?86-*-* } } */", ""] {
            assert_eq!(Meaning::from_text(text), Meaning::default());
        }
    }
}
