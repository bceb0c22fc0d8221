//! What a person asks for, made into a question that can be asked of files thousands of times: a compiler that does
//! something wrong with them, or a script.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use howler_case::{Case, File};
use howler_lang::target::Target;
use howler_oracle::interesting::{Answer, Interesting, Script};
use howler_oracle::judge::Verdict;
use howler_oracle::lab::{Configuration, Examined, Lab, LabError};
use howler_oracle::sighting::{Kind, Sighting};
use howler_toolchain::compiler::Dialect;
use howler_toolchain::guard::{End, Finished, GuardError};

use crate::engine::Answer as Said;
use crate::files::Ask;

/// What a compiler is to do wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// Its program does something else than it must.
    Code,
    /// It crashes.
    Crash,
    /// It does not end, or takes too much memory.
    Hang,
    /// It rejects a valid program.
    Reject,
}

impl Wrong {
    fn kinds(self) -> &'static [Kind] {
        match self {
            Wrong::Code => &[Kind::WrongCode],
            Wrong::Crash => &[Kind::Crash, Kind::Broken],
            Wrong::Hang => &[Kind::Hang, Kind::Memory],
            Wrong::Reject => &[Kind::Reject],
        }
    }

    fn words(self) -> &'static str {
        match self {
            Wrong::Code => "compile it wrongly",
            Wrong::Crash => "crash",
            Wrong::Hang => "go on for ever",
            Wrong::Reject => "reject a valid program",
        }
    }
}

/// A question, and what is known from asking it about the files as they are.
pub struct Question<'a> {
    interesting: Interesting<'a>,
    /// Whether `main` has to end with a `return`.
    returns: bool,
    /// Steps that the machine gives smaller programs, if what it says of them counts.
    steps: Option<u64>,
    /// What was seen; a script does not say.
    pub seen: Option<Sighting>,
}

/// Why a question cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// There is nothing to make smaller: why, in words.
    #[error("{0}")]
    NotThere(String),
    /// Nobody knows what the program means, so nobody can say that it is compiled wrongly.
    #[error("{0}")]
    NoMeaning(String),
    /// The script does not work.
    #[error("{0}")]
    Script(String),
    /// Somebody stopped it.
    #[error("stopped")]
    Stopped,
    /// The lab does not work.
    #[error(transparent)]
    Lab(#[from] LabError),
}

impl<'a> Question<'a> {
    /// Whether a compiler does what it does with these files now. What the same compiler with other flags, or another
    /// one, makes of them is looked at first if there is such a one: it must do what the machine says.
    pub fn of_compiler(
        lab: &mut Lab,
        case: &Case,
        (wrong, bad, good): (Wrong, Configuration, Option<&Configuration>),
        any_bug: bool,
        stop: &'a AtomicBool,
    ) -> Result<Question<'a>, QuestionError> {
        let examined = lab.examine(case, std::slice::from_ref(&bad))?;
        if stop.load(Ordering::SeqCst) {
            return Err(QuestionError::Stopped);
        }
        let found = examined.sightings.iter().find(|seen| wrong.kinds().contains(&seen.kind));
        let Some(seen) = found.filter(|seen| !(wrong == Wrong::Code && seen.suspect)).cloned() else {
            return Err(nothing(wrong, &bad, &examined));
        };
        if let Some(good) = good {
            let examined = lab.examine(case, std::slice::from_ref(good))?;
            let says = match examined.sightings.first() {
                Some(other) => Some(other.detail.clone()),
                None if examined.runs == 0 && wrong == Wrong::Code => {
                    Some("it makes no program of it".to_owned())
                }
                None => None,
            };
            if let Some(detail) = says {
                let name = &good.name;
                return Err(QuestionError::NotThere(format!("'{name}' is no better: {detail}")));
            }
        }
        let returns = !any_bug && must_return(lab, case, &seen, std::slice::from_ref(&bad))?;
        let steps = steps_of(&seen, &examined);
        let mut interesting = Interesting::of(&seen, vec![bad], stop);
        if !any_bug {
            interesting = interesting.just_this(&seen.signature);
            // A status in the place of a print is shorter. But some compilers get the status of a `main` without `return`
            // wrong, and only where there is one it is kept.
            if case.files.iter().any(main_returns) {
                interesting = interesting.anywhere();
            }
        }
        if wrong == Wrong::Hang {
            interesting = interesting.patient();
        }
        Ok(Question { interesting, returns, steps, seen: Some(seen) })
    }

    /// Whether these configurations still do what a hunt has seen of them: whatever else about the program, the kind of
    /// failure stays, and what a compiler says when it fails.
    ///
    /// # Errors
    /// As [`Lab::examine`]; none if it does not show under these alone.
    pub fn of_sighting(
        lab: &mut Lab,
        case: &Case,
        sighting: &Sighting,
        configurations: Vec<Configuration>,
        stop: &'a AtomicBool,
    ) -> Result<Option<Question<'a>>, LabError> {
        let (mut seen, mut steps) = (sighting.clone(), None);
        if sighting.kind == Kind::WrongCode {
            let examined = lab.examine(case, &configurations)?;
            steps = steps_of(sighting, &examined);
            let same = |one: &Sighting| one.kind == sighting.kind && one.suspect == sighting.suspect;
            match examined.sightings.into_iter().find(same) {
                Some(alone) => seen = alone,
                None => return Ok(None),
            }
        }
        let returns = must_return(lab, case, &seen, &configurations)?;
        let mut interesting = Interesting::of(&seen, configurations, stop);
        if seen.kind != Kind::DebugChangesCode {
            interesting = interesting.just_this(&seen.signature);
        }
        if matches!(seen.kind, Kind::Hang | Kind::Memory) {
            interesting = interesting.patient();
        }
        Ok(Some(Question { interesting, returns, steps, seen: Some(seen) }))
    }

    /// Whether a script says so, as it does of these files now: always, and within a limit.
    pub fn of_script(
        lab: &mut Lab,
        case: &Case,
        path: &Path,
        limit: Duration,
        stop: &'a AtomicBool,
    ) -> Result<Question<'a>, QuestionError> {
        let script = Script::new(path).map_err(QuestionError::Script)?;
        let name = path.display();
        let mut longest = Duration::ZERO;
        let mut said = Vec::new();
        for _ in 0..ALIKE {
            let begun = Instant::now();
            let done = script.run(lab, limit, case)?;
            if stop.load(Ordering::SeqCst) {
                return Err(QuestionError::Stopped);
            }
            longest = longest.max(begun.elapsed());
            if let Some(why) = unable(&done, limit) {
                return Err(QuestionError::Script(format!("{name} {why}{}", output(&done))));
            }
            said.push(done);
            if !said[0].success() {
                break;
            }
        }
        if !said[0].success() {
            let done = &said[0];
            return Err(QuestionError::NotThere(format!(
                "{name} does not find these files interesting: it ended with {}, where 0 means interesting{}",
                done.end,
                output(done)
            )));
        }
        if let Some(other) = said.iter().find(|done| !done.success()) {
            return Err(QuestionError::Script(format!(
                "{name} cannot make up its mind: of the same files it said {} and then {}; whatever in it depends on time, chance or addresses must go{}",
                said[0].end,
                other.end,
                output(other)
            )));
        }
        // Smaller programs are faster, but the machine may be busy later.
        let wall = (longest * 10).max(SHORTEST).min(limit);
        let interesting = Interesting::script(script, wall, stop);
        Ok(Question { interesting, returns: false, steps: None, seen: None })
    }

    /// Somebody who asks it, in a lab of their own.
    pub fn asker<'q>(&'q self, lab: &'q mut Lab, case: &Case) -> Asker<'q> {
        let case = Case { files: Vec::new(), ..case.clone() };
        let limit = &mut lab.options.judge.limits.steps;
        *limit = self.steps.map_or(*limit, |steps| steps.min(*limit));
        Asker { lab, interesting: &self.interesting, returns: self.returns, case }
    }
}

/// What smaller programs get of the machine's steps: many more than the large one took. Those that do not end are most of
/// what a reduction would wait for otherwise.
fn steps_of(seen: &Sighting, examined: &Examined) -> Option<u64> {
    let taken = examined.judgements.targets.values().map(|judged| judged.steps).max();
    taken.filter(|_| seen.kind == Kind::WrongCode).map(allowed)
}

fn allowed(taken: u64) -> u64 {
    taken.saturating_mul(10).max(LEAST_STEPS)
}

/// Some milliseconds.
const LEAST_STEPS: u64 = 1_000_000;

/// How often a script is asked about the same files before it is believed.
const ALIKE: usize = 3;
/// What a script gets in any case.
const SHORTEST: Duration = Duration::from_secs(5);

/// Asks about files.
pub struct Asker<'q> {
    lab: &'q mut Lab,
    interesting: &'q Interesting<'q>,
    returns: bool,
    case: Case,
}

impl Ask for Asker<'_> {
    fn ask(&mut self, files: &[File]) -> Said {
        if self.returns && !files.iter().any(main_returns) {
            return Said::No;
        }
        self.case.files = files.to_vec();
        let mut answer = self.interesting.ask(self.lab, &self.case);
        if let Err(LabError::Guard(GuardError::Ended | GuardError::Failed(_))) = answer
            && self.lab.guard.replace().is_ok()
        {
            // A job may have taken its guard with it; another may fare better.
            answer = self.interesting.ask(self.lab, &self.case);
        }
        match answer {
            Ok(Answer::Yes(_)) => Said::Yes,
            Ok(Answer::No) => Said::No,
            Ok(Answer::Stopped) => Said::Stopped,
            Err(error) => Said::Broken(error.to_string()),
        }
    }
}

/// Whether programs whose `main` ends without a `return` are left aside: there are compilers that get that wrong (C17
/// 5.1.2.2.3p1), and then every program would become `int main() {}`, whatever was wrong with it.
fn must_return(
    lab: &mut Lab,
    case: &Case,
    seen: &Sighting,
    configurations: &[Configuration],
) -> Result<bool, LabError> {
    if seen.kind != Kind::WrongCode || !case.files.iter().any(main_returns) {
        return Ok(false);
    }
    let text = b"int main(void)\n{\n}\n".to_vec();
    let files = vec![File { name: "empty.c".to_owned(), text }];
    let empty = Case { files, expected: BTreeMap::new(), edits: Vec::new(), ..case.clone() };
    Ok(!lab.examine(&empty, configurations)?.sightings.is_empty())
}

/// Whether a file has a `main` whose last statement is a `return`.
fn main_returns(file: &File) -> bool {
    let text = String::from_utf8_lossy(&file.text);
    let mut rest = &text[..];
    while let Some(at) = rest.find("main") {
        let before = rest[..at].chars().next_back();
        rest = &rest[at + 4..];
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let Some(open) = rest.find(['{', ';']).filter(|_| rest.trim_start().starts_with('(')) else {
            continue;
        };
        if before.is_some_and(word) || rest[open..].starts_with(';') {
            continue;
        }
        let mut depth = 0usize;
        let end = rest[open..].char_indices().find(|&(_, c)| {
            depth = match c {
                '{' => depth + 1,
                '}' => depth - 1,
                _ => depth,
            };
            depth == 0
        });
        let Some((length, _)) = end else { return false };
        let body = rest[open + 1..open + length].trim_end();
        let Some(body) = body.strip_suffix(';') else { return false };
        let last = body.rfind([';', '{', '}']).map_or(0, |at| at + 1);
        return body[last..].trim_start().starts_with("return");
    }
    false
}

/// Why a script is none.
fn unable(done: &Finished, limit: Duration) -> Option<String> {
    let time = limit.as_secs_f64();
    match (done.end, done.why) {
        (End::NotStarted(errno), _) if errno == EXEC_FORMAT => {
            Some("cannot be started: its first line does not say what runs it, such as #!/bin/sh".to_owned())
        }
        (end @ End::NotStarted(_), _) => Some(format!("cannot be started: {end}")),
        (_, Some(limit)) => {
            let words = match limit.name() {
                "wall" | "cpu" => format!("does not end within {time} seconds"),
                other => format!("goes over the limit of {other}"),
            };
            Some(words)
        }
        _ => None,
    }
}

/// `ENOEXEC`.
const EXEC_FORMAT: i32 = 8;

/// The last lines of what a script wrote.
fn output(done: &Finished) -> String {
    let mut text = String::from_utf8_lossy(&done.stdout).into_owned();
    text += &String::from_utf8_lossy(&done.stderr);
    let lines: Vec<String> =
        text.lines().map(|line| line.replace(char::is_control, " ").chars().take(200).collect()).collect();
    if lines.is_empty() {
        return "\nit wrote nothing".to_owned();
    }
    let last = &lines[lines.len().saturating_sub(10)..];
    format!("\nit wrote:\n  {}", last.join("\n  "))
}

/// What there is instead of what was looked for.
fn nothing(wrong: Wrong, bad: &Configuration, examined: &Examined) -> QuestionError {
    let name = &bad.name;
    if let Some((_, why)) = examined.untried.first() {
        return QuestionError::NotThere(format!("'{name}' could not be tried: {why}"));
    }
    let no_meaning = matches!(wrong, Wrong::Code | Wrong::Reject)
        .then(|| examined.verdict())
        .flatten()
        .filter(|verdict| !matches!(verdict, Verdict::Defined(_)));
    if let Some(verdict) = no_meaning {
        let why = verdict.why().unwrap_or_default();
        let word = verdict.word();
        return QuestionError::NoMeaning(format!(
            "the program is {word}, so whatever '{name}' makes of it is no proof: {why}\n\
             a script that says what is wrong can be given with --test"
        ));
    }
    if wrong == Wrong::Code && bad.target.is_none() {
        let why = match bad.configured.dialect() {
            Ok(Dialect::CrashOnly(why)) => format!(" ({why})"),
            _ => String::new(),
        };
        return QuestionError::NoMeaning(format!(
            "what programs mean to '{name}' is not modelled{why}: preprocess the files with flags such as -D first and \
             leave them out, or give a script that knows with --test"
        ));
    }
    let instead = match examined.sightings.first() {
        Some(other) => format!("; but this was seen, of the kind {}: {}", other.kind.name(), other.detail),
        None => String::new(),
    };
    QuestionError::NotThere(format!("'{name}' does not {} here{instead}", wrong.words()))
}

/// The target whose meaning counts for a configuration and a case.
pub fn target_of(configuration: Option<&Configuration>, case: &Case) -> Target {
    let target = configuration.and_then(|one| one.target).unwrap_or(Target::X86_64_GCC);
    Target { std: case.std, ..target }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_programs_may_take_longer_but_not_for_ever() {
        assert_eq!([0, 99, 3_000_000].map(allowed), [LEAST_STEPS, LEAST_STEPS, 30_000_000]);
        assert_eq!(allowed(u64::MAX), u64::MAX);
    }

    #[test]
    fn a_main_that_returns_is_told_from_one_that_ends() {
        let returns = |text: &str| main_returns(&File { name: "a.c".to_owned(), text: text.into() });
        for text in [
            "int main(void) { return 0; }",
            "int main();\nint domain(void) { }\nint main() { if (x) { } return\n1; }\nint x;",
        ] {
            assert!(returns(text), "{text}");
        }
        for text in [
            "",
            "main",
            "int main(void) { }",
            "int main(void) { return 0; x = 1; }",
            "int main(",
            "int main() {",
        ] {
            assert!(!returns(text), "{text}");
        }
    }
}
