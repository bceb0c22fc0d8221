//! Text that no front end takes is made small all the same.

use std::sync::atomic::AtomicBool;

use howler_case::File;
use howler_reduce::engine::{Answer, Limits, reduce};
use howler_reduce::files::{Files, OfFiles};
use howler_reduce::text::{PASSES, Text, measure};

fn files(text: &str) -> Vec<File> {
    vec![File { name: "test.c".to_owned(), text: text.as_bytes().to_vec() }]
}

/// The smallest text with all of these words.
fn smallest(text: &str, words: &[&str]) -> String {
    let stop = AtomicBool::new(false);
    let limits = Limits { tokens: 0, time: None, tests: None, stop: &stop };
    let ask = |files: &[File]| {
        let text = String::from_utf8_lossy(&files[0].text).into_owned();
        if words.iter().all(|word| text.contains(word)) { Answer::Yes } else { Answer::No }
    };
    let mut asking = [ask, ask];
    let mut workers: Vec<_> = asking.iter_mut().map(OfFiles).collect();
    let done = reduce(Text::new(&files(text)), PASSES, &mut workers, &limits, &mut |_| {});
    String::from_utf8(done.best.files()[0].text.clone()).unwrap()
}

const TEXT: &str = "#include <stdio.h>\n#define A(x) \\\n  x\n/* a comment */\ntemplate <class T> struct s { T a, b; };
int f(int a, int b) { while (a) { if (b) @ return A(\"x;y\") + 'c'; } return a+ +b; }\n#pragma once\nint main() { f(1, 2); }\n";

#[test]
fn what_is_needed_is_left() {
    assert_eq!(smallest(TEXT, &["@"]), "@\n");
    assert_eq!(smallest(TEXT, &["#pragma once", "T a"]), "T a\n#pragma once\n");
    assert_eq!(smallest(TEXT, &["int main", "f(1)"]), "int main f(1)\n");
    assert_eq!(smallest(TEXT, &["{ while"]), "{ while\n");
    assert_eq!(smallest(TEXT, &["A(\"x;y\")"]), "A(\"x;y\")\n");
}

#[test]
fn nothing_is_joined_that_was_not_one() {
    assert_eq!(smallest("int a = b + c + + d;", &["+ +"]), "+ +\n");
    assert_eq!(smallest("return(x)y;", &["return", "y"]), "return y\n");
    assert_eq!(smallest("a = 1 . b + 2;", &["1", "2"]), "1 2\n");
}

#[test]
fn what_is_written_has_the_same_tokens() {
    let text = Text::new(&files(TEXT));
    let ((size, key), (before, key_before)) = (measure(text.files()), measure(&files(TEXT)));
    assert_eq!((size.tokens, key), (before.tokens, key_before));
    let again = Text::new(text.files());
    assert_eq!(again.files(), text.files());
    let (size, _) = measure(&files("a+b /* c */ // d\n#define X y\n"));
    assert_eq!(size.tokens, 6);
    assert_ne!(measure(&files("a b")).1, measure(&files("ab")).1);
}

#[test]
fn odd_texts_are_no_trouble() {
    for text in
        ["", "\u{0}", "\"", "'", "/*", "#", "#\\", "#\\\n", "}}}", "((((", ",,,", "\u{fc}\u{1F600} = 'ß';"]
    {
        assert!(smallest(text, &[]).trim().is_empty(), "{text:?}");
    }
    let deep = "(".repeat(20_000) + &")".repeat(20_000);
    assert_eq!(smallest(&deep, &[]), "\n");
}
