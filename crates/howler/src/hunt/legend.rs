//! The words for what becomes of a test, and what they mean.

use howler_campaign::verdict::Verdict;
use howler_oracle::judge::Word;

/// What a word means.
pub fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Judged(Word::Defined) => {
            "the program has one meaning, and what compilers made of it was compared with that"
        }
        Verdict::Judged(Word::Undefined) => {
            "the program has no meaning in C: compilers are only watched for crashes and hangs"
        }
        Verdict::Judged(Word::Unspecified) => {
            "C allows several meanings, so programs that behave differently are no bugs"
        }
        Verdict::Judged(Word::Unsupported) => {
            "Howler does not model something in it: compilers are compared with each other only"
        }
        Verdict::Judged(Word::Unfinished) => {
            "the machine reached a limit before the program ended (--steps): not compared"
        }
        Verdict::Judged(Word::Unmodelled) => {
            "no compiler of the hunt has a target that Howler models: crashes and hangs only"
        }
        Verdict::Judged(Word::Rejected) => "it is no valid C program: not a test",
        Verdict::Judged(Word::Unreadable) => {
            "the preprocessor does not take it, often for want of a header (-I): not a test"
        }
        Verdict::Deferred => "a compiler takes long for it, or making it small would: it is done later",
        Verdict::GeneratorFailed => "the generator made no program: not a test",
        Verdict::GuardKilled => "what runs compilers died of it, again and again: not a test",
        Verdict::HowlerPanic => "Howler has a bug, which is kept like a finding; the hunt goes on",
    }
}

/// `howler help verdicts`.
pub fn help() -> String {
    let mut text = "What becomes of a test, as summaries and --json say it:\n\n".to_owned();
    for verdict in Verdict::all() {
        text.push_str(&format!("  {verdict:<17} {}\n", meaning(verdict)));
    }
    text.push_str(
        "\nAfter 'undefined:' stands the kind of undefined behaviour. Only defined programs make wrong-code findings;\n\
         every valid program may make a compiler crash, hang or reject it.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_has_a_line_and_a_name_of_its_own() {
        let help = help();
        assert!(help.lines().all(|line| line.chars().count() <= 120));
        for verdict in Verdict::all() {
            let lines = help.lines().filter(|line| line.split_whitespace().next() == Some(verdict.name()));
            assert_eq!(lines.count(), 1, "{verdict}");
        }
    }
}
