//! The words for what becomes of a test, and what they mean.

/// Each word with its meaning, in the order of the help.
pub const VERDICTS: &[(&str, &str)] = &[
    ("defined", "the program has one meaning, and what compilers made of it was compared with that"),
    ("undefined", "the program has no meaning in C: compilers are only watched for crashes and hangs"),
    ("unspecified", "C allows several meanings, so programs that behave differently are no bugs"),
    ("unsupported", "Howler does not model something in it: compilers are compared with each other only"),
    ("unfinished", "the machine reached a limit before the program ended (--steps): not compared"),
    ("unmodelled", "no compiler of the hunt has a target that Howler models: crashes and hangs only"),
    ("deferred", "a compiler takes long for it: it is done later, when nothing else waits"),
    ("rejected", "it is no valid C program: not a test"),
    ("unreadable", "the preprocessor does not take it, often for want of a header (-I): not a test"),
    ("generator-failed", "the generator made no program: not a test"),
    ("guard-killed", "what runs compilers died of it, again and again: not a test"),
    ("howler-panic", "Howler has a bug, which is kept like a finding; the hunt goes on"),
];

/// What a word means.
pub fn meaning(word: &str) -> Option<&'static str> {
    VERDICTS.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
}

/// `howler help verdicts`.
pub fn help() -> String {
    let mut text = "What becomes of a test, as summaries and --json say it:\n\n".to_owned();
    for (word, meaning) in VERDICTS {
        text.push_str(&format!("  {word:<17} {meaning}\n"));
    }
    text.push_str(
        "\nAfter 'undefined:' stands the kind of undefined behaviour. Only defined programs make wrong-code findings;\n\
         every valid program may make a compiler crash, hang or reject it.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use howler_case::{Behaviour, End};
    use howler_machine::outcome::Limit;
    use howler_oracle::judge::Verdict;

    use super::*;

    #[test]
    fn every_verdict_is_explained() {
        let behaviour = Behaviour { end: End::Exit(0), output: Vec::new(), trace: None };
        let all = [
            Verdict::Defined(behaviour),
            Verdict::Undefined { code: "x", text: String::new() },
            Verdict::Unsupported(String::new()),
            Verdict::Unspecified(String::new()),
            Verdict::Unfinished(Limit::Fuel),
            Verdict::Rejected(String::new()),
            Verdict::Unreadable(String::new()),
        ];
        for verdict in all {
            assert!(meaning(verdict.word()).is_some(), "{}", verdict.word());
        }
        assert!(meaning(howler_store::DEFERRED).is_some());
        assert!(help().lines().all(|line| line.chars().count() <= 120));
        assert_eq!(meaning("so-so"), None);
    }
}
