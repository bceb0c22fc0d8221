//! A command line as a shell splits it: words, quotes and backslashes; no variables, no patterns.

/// Why a command cannot be split.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SplitError {
    /// A quote is not closed.
    #[error("the quote {0} is not closed")]
    OpenQuote(char),
    /// Nothing follows a backslash.
    #[error("nothing follows the last backslash")]
    Backslash,
}

/// Splits a command into words.
///
/// ```
/// use howler_toolchain::compiler::split;
/// assert_eq!(split(r#"gcc -D'A B' "-DC=\"x\"" a\ b"#).unwrap(), ["gcc", "-DA B", r#"-DC="x""#, "a b"]);
/// ```
pub fn split(command: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = command.chars();
    while let Some(character) = rest.next() {
        match character {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        Some('\'') => break,
                        Some(inside) => word.push(inside),
                        None => return Err(SplitError::OpenQuote('\'')),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        Some('"') => break,
                        Some('\\') => match rest.next() {
                            Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                            Some('\n') => {}
                            Some(plain) => word.extend(['\\', plain]),
                            None => return Err(SplitError::OpenQuote('"')),
                        },
                        Some(inside) => word.push(inside),
                        None => return Err(SplitError::OpenQuote('"')),
                    }
                }
            }
            '\\' => match rest.next() {
                Some('\n') => {}
                Some(escaped) => word.get_or_insert_default().push(escaped),
                None => return Err(SplitError::Backslash),
            },
            space if space.is_ascii_whitespace() => words.extend(word.take()),
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    Ok(words)
}

/// A word such that [`split`] and a shell read it as one.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
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
        assert_eq!(split("a 'b"), Err(SplitError::OpenQuote('\'')));
        assert_eq!(split("a \"b"), Err(SplitError::OpenQuote('"')));
        assert_eq!(split("a \\"), Err(SplitError::Backslash));
    }

    #[test]
    fn quoting_is_undone_by_splitting() {
        let words = ["", "a", "a b", "it's", "$x", "\\", "\"", "-DX=\"y z\"", "*", "é"];
        let line: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        assert_eq!(split(&line.join(" ")).unwrap(), words);
    }
}
