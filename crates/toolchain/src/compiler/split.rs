//! A command line as a shell splits it: words, quotes and backslashes; no variables, no patterns.

/// Why a command cannot be split: a quote that is not closed, or a backslash at its end.
pub use shell_words::ParseError as SplitError;

/// Splits a command into words.
///
/// ```
/// use howler_toolchain::compiler::split;
/// assert_eq!(split(r#"gcc -D'A B' "-DC=\"x\"" a\ b"#).unwrap(), ["gcc", "-DA B", r#"-DC="x""#, "a b"]);
/// ```
pub fn split(command: &str) -> Result<Vec<String>, SplitError> {
    shell_words::split(command)
}

/// A word such that [`split`] and a shell read it as one.
pub fn quoted(word: &str) -> String {
    // `-std=c99` needs no quotes anywhere but at the start of a line, where a shell takes it for an assignment.
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%^".contains(c);
    let assignment = word.contains('=') && !word.starts_with('-');
    if !word.is_empty() && !assignment && word.chars().all(plain) {
        return word.to_owned();
    }
    shell_words::quote(word).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            ("  gcc\t-O2\n", &["gcc", "-O2"]),
            ("a'b c'd", &["ab cd"]),
            ("'' \"\"", &["", ""]),
            (r#""a\nb" 'a\nb' a\nb"#, &[r"a\nb", r"a\nb", "anb"]),
            ("a\\\nb", &["ab"]),
        ];
        for (command, words) in cases {
            assert_eq!(&split(command).unwrap(), words, "{command:?}");
        }
        for open in ["a 'b", "a \"b", "\"\\"] {
            assert!(split(open).is_err(), "{open}");
        }
        // A shell would wait for more after the first, and reads no more after the second.
        assert_eq!(split("a \\").unwrap(), ["a", "\\"]);
        assert_eq!(split("a #b").unwrap(), ["a"]);
    }

    #[test]
    fn quoting_is_undone_by_splitting() {
        let words =
            ["", "a", "a b", "it's", "$x", "\\", "\"", "-DX=\"y z\"", "*", "é", "#", "a#b", "\n", "~", "!"];
        let line: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        assert_eq!(split(&line.join(" ")).unwrap(), words);
        assert_eq!(["-std=c99", "A=b", "gcc-12"].map(quoted), ["-std=c99", "'A=b'", "gcc-12"]);
    }
}
