//! Messages of real compilers and the signatures they must have; and laws that hold for any text.

use howler_choices::Choices;
use howler_oracle::signature::{crash, crash_text, normalise, reject};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/signatures.txt");

struct Example {
    family: String,
    text: String,
    signature: String,
}

fn examples() -> Vec<Example> {
    let all = std::fs::read_to_string(FILE).unwrap();
    let blocks = all.split("=== ").skip(1);
    blocks
        .map(|block| {
            let (family, rest) = block.split_once('\n').unwrap();
            let (text, signature) = rest.split_once("\n--> ").unwrap();
            Example { family: family.into(), text: text.into(), signature: signature.trim().into() }
        })
        .collect()
}

fn signature_of(family: &str, text: &str) -> String {
    match crash_text(text) {
        Some(_) => crash(family, text).to_string(),
        None => reject(family, text).to_string(),
    }
}

/// `HOWLER_BLESS=1` writes what is said today; read the difference before it is kept.
#[test]
fn messages_have_their_signatures() {
    let examples = examples();
    assert!(examples.len() >= 40);
    if std::env::var_os("HOWLER_BLESS").is_some() {
        let blocks = examples.iter().map(|example| {
            let Example { family, text, .. } = example;
            format!("=== {family}\n{text}\n--> {}\n", signature_of(family, text))
        });
        std::fs::write(FILE, blocks.collect::<Vec<_>>().join("\n")).unwrap();
        return;
    }
    for example in &examples {
        assert_eq!(signature_of(&example.family, &example.text), example.signature, "{}", example.text);
    }
}

#[test]
fn signatures_are_in_normal_form() {
    for Example { family, text, .. } in examples() {
        let said = signature_of(&family, &text);
        let body = said.split_once(": ").unwrap().1;
        assert_eq!(normalise(body), body);
    }
}

#[test]
fn another_place_is_the_same_signature() {
    for Example { family, text, .. } in examples() {
        let moved = text
            .replace("/lib/", "/opt/some/where/else/lib/")
            .replace("/usr/bin/", "/opt/bin-7/")
            .replace("/tmp/", "/dev/shm/t.9/")
            .replace("0x000", "0x123");
        assert_eq!(signature_of(&family, &moved), signature_of(&family, &text), "{text}");
    }
}

#[test]
fn other_numbers_are_the_same_signature() {
    // Digits that are part of a name the compiler's authors chose stay: `MD5.cpp` is a place.
    let renumber = |text: &str| -> String {
        let chars: Vec<char> = text.chars().collect();
        let in_number = |at: usize| {
            let start = chars[..at].iter().rposition(|c| !c.is_ascii_digit()).map_or(0, |before| before + 1);
            start == 0 || !(chars[start - 1].is_alphanumeric() || matches!(chars[start - 1], '_' | '.' | '-'))
        };
        let other = |(at, &c): (usize, &char)| {
            if c.is_ascii_digit() && in_number(at) && c != '0' {
                char::from(b'1' + (c as u8 - b'0') % 9)
            } else {
                c
            }
        };
        chars.iter().enumerate().map(other).collect()
    };
    for Example { family, text, .. } in examples() {
        // The status that says which signal it was is no such number.
        let text = text.replace("signal 11", "signal").replace("exit code 139", "exit code");
        assert_eq!(signature_of(&family, &renumber(&text)), signature_of(&family, &text), "{text}");
    }
}

#[test]
fn normalising_twice_is_normalising_once() {
    let pieces: Vec<&str> = vec![
        "'",
        "\"",
        "`",
        "‘",
        "’",
        "/",
        "0x1f",
        "12",
        ".",
        "#",
        "a",
        "foo_3",
        "__int128",
        "int",
        " ",
        "\n",
        ":",
        "<",
        ">",
        "<path>",
        "?",
        "-O2",
        "deadbeef12",
        "é",
        "\u{7f}",
        "\t",
        "(",
        "a/b.c:3:4:",
        "don't",
        "N",
        "~",
        ",",
    ];
    for seed in 0..20_000 {
        let mut choices = Choices::new(seed);
        let count = choices.range("count", 0..=12);
        let text: String = (0..count).filter_map(|_| choices.pick("piece", &pieces).copied()).collect();
        let once = normalise(&text);
        assert_eq!(normalise(&once), once, "{text:?}");
    }
    for Example { text, .. } in examples() {
        let once = normalise(&text);
        assert_eq!(normalise(&once), once, "{text:?}");
    }
}
