//! The comment at the top of a program that says where it comes from and what it must do.

use std::fmt::Write;

use howler_campaign::own::Own;
use howler_case::{Behaviour, Case, End};

/// Bytes of an output that are shown.
const SHOWN: usize = 200;

/// The comment of a test. Nothing that stands in it can end it, or begin another.
pub fn comment(own: &Own, case: &Case) -> String {
    let mut rows = vec![
        ("origin".to_owned(), case.origin.to_string()),
        ("options".to_owned(), own.values().all_words().join(" ")),
        ("language".to_owned(), case.std.name().to_owned()),
    ];
    for ((target, input), behaviour) in &case.expected {
        let with = case.inputs.get(*input).filter(|input| !input.is_nothing());
        let with = with.map_or(String::new(), |input| {
            let (arguments, stdin) = (&input.arguments, input.stdin.escape_ascii());
            format!(" with the arguments {arguments:?} and the input \"{stdin}\"")
        });
        let what = format!("{} ({}{with})", in_words(behaviour), target.name());
        rows.push(("expected".to_owned(), what));
    }
    rows.push(("id".to_owned(), case.id().to_string()));
    let name = case.origin.arm.split(' ').next().unwrap_or_default();
    let title = format!("Made by Howler {} with {name}: {}", case.origin.version, own.about());
    let mut text = format!("/* {}\n *\n", harmless(&title));
    for (key, value) in rows {
        let _ = writeln!(text, " * {key:9} {}", harmless(&value));
    }
    text.push_str(" */\n");
    text
}

/// What a program does.
fn in_words(behaviour: &Behaviour) -> String {
    let end = match behaviour.end {
        End::Exit(status) => format!("exit status {status}"),
        End::Abort => return "aborts".to_owned(),
    };
    match &behaviour.output[..] {
        [] => format!("{end}, no output"),
        output if output.len() <= SHOWN => format!("{end}, output \"{}\"", output.escape_ascii()),
        output => format!(
            "{end}, output of {} bytes that begins with \"{}\"",
            output.len(),
            output[..SHOWN].escape_ascii()
        ),
    }
}

/// Text that can stand in a comment: one line, without what begins or ends one.
pub fn harmless(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        // `*` and `/` side by side, in either order.
        if c == '/' && plain.ends_with('*') || c == '*' && plain.ends_with('/') {
            plain.push(' ');
        }
        if c == ' ' || c.is_ascii_graphic() {
            plain.push(c);
        } else {
            plain.extend(c.escape_default());
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_comment() {
        let cases = [
            ("a */ b", "a * / b"),
            ("**//*/", "** // * /"),
            ("/*/", "/ * /"),
            ("*\n/", "*\\n/"),
            ("*\\\n/", "*\\\\n/"),
            ("*??/\n/", "*??/\\n/"),
            ("\u{202e}ü\0\u{1b}", "\\u{202e}\\u{fc}\\u{0}\\u{1b}"),
        ];
        for (text, plain) in cases {
            assert_eq!(harmless(text), plain);
            assert!(!harmless(text).contains("*/") && !harmless(text).contains("/*"));
        }
    }
}
