//! `test.sh`: whether a bug still shows in the files of the *current* folder, as C-Reduce and C-Vise ask it thousands of
//! times. Unlike `repro.sh` it must not trust the program: a reducer runs into undefined behaviour wherever it is let.

use std::fmt::Write;

use howler_case::{End, Input};
use howler_toolchain::compiler::quoted;

use crate::repro::{Claim, FOR_SANITIZERS, IN_ROOT, INPUT, inside, run_line};
use crate::sighting::Kind;
use crate::signature;

/// Seconds that a compiler that does not end is waited for, thousands of times.
const LONGEST: u64 = 30;

/// What a predicate is made from.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The finding's title.
    pub title: &'a str,
    /// What is wrong.
    pub kind: Kind,
    /// The files that the command compiles.
    pub files: &'a [String],
    /// The command line that shows it.
    pub command: &'a str,
    /// What it has to show.
    pub claim: &'a Claim,
    /// What the compiler wrote.
    pub messages: &'a str,
    /// What the program is run with.
    pub input: &'a Input,
    /// `-std=` and flags that choose the machine, for a compiler that is asked what the program means.
    pub flags: &'a [String],
    /// Compilers to ask, the best first.
    pub references: &'a [String],
    /// Whether the wrong program ended by itself, rather than by a signal or not at all.
    pub exits: bool,
}

/// The script; none for what a file alone does not show.
pub fn predicate(question: &Question<'_>) -> Option<String> {
    let mut text = String::from("#!/bin/sh\n");
    for line in question.title.lines() {
        let _ = writeln!(text, "# {line}");
    }
    let names: Vec<String> = question.files.iter().map(|name| quoted(name)).collect();
    let names = names.join(" ");
    let _ = write!(
        text,
        "# Whether the bug shows in the files of the current folder, for C-Reduce and C-Vise:\n\
         #   cvise path/to/test.sh {names}\n\
         # Exit status 0: it shows. 1: it does not, or the program may not mean anything.\n\
         export LC_ALL=C\nhome=$(dirname \"$0\")\n"
    );
    text.push_str(
        "limit() {\n  if command -v timeout > /dev/null; then timeout \"$@\"; else shift; \"$@\"; fi\n}\n",
    );
    for name in question.files {
        let _ = writeln!(text, "test -s {} || exit 1", quoted(name));
    }
    if !question.input.stdin.is_empty() {
        let _ = writeln!(text, "test -e {INPUT} || cp \"$home/{INPUT}\" . || exit 1");
    }
    text.push_str("rm -f program\n");
    let inside = inside(question.command);
    if !inside.is_empty() {
        text.push_str(IN_ROOT);
    }
    let run = format!("{inside}{}", run_line(question.input));
    text.push_str(&body(question, &names, &run)?);
    Some(text)
}

/// A command that is ended after so many seconds. What is a function of the script is none of another process.
fn limited(seconds: u64, command: &str) -> String {
    if command.contains("in_root ") {
        format!("limit {seconds} sh -c {}", quoted(&format!("{IN_ROOT}{command}")))
    } else {
        format!("limit {seconds} sh -c {}", quoted(command))
    }
}

fn body(question: &Question<'_>, names: &str, run: &str) -> Option<String> {
    let command = question.command;
    Some(match question.claim {
        Claim::Says(words) => {
            // Valid code must stay valid: somebody must take it.
            let valid = match question.kind {
                Kind::Reject => {
                    let flags = question.flags.join(" ");
                    format!(
                        "{}$reference -w {flags} -fsyntax-only {names} 2> /dev/null || exit 1\n",
                        reference(question.references)
                    )
                }
                _ => String::new(),
            };
            let said = match exact(question.messages).or_else(|| words.clone()) {
                Some(words) => format!(
                    "test $status -ne 0 || exit 1\ncase \"$(cat messages.txt)\" in\n*{}*) exit 0 ;;\nesac\nexit 1\n",
                    quoted(&words)
                ),
                None => "test $status -ge 128 || exit 1\nexit 0\n".to_owned(),
            };
            format!("{valid}{command} > messages.txt 2>&1\nstatus=$?\n{said}")
        }
        Claim::DoesNotEnd(seconds) => format!(
            "command -v timeout > /dev/null || exit 1\n{} > /dev/null 2>&1\ntest $? -eq 124 || exit 1\nexit 0\n",
            limited((*seconds).min(LONGEST), command)
        ),
        Claim::NeedsMemory(kibibytes) => {
            format!("ulimit -v {kibibytes}\n{command} > /dev/null 2>&1 && exit 1\nexit 0\n")
        }
        Claim::Ends { status, output } => {
            let there = if *output { "test -e program" } else { "test ! -e program" };
            format!("{command} > /dev/null 2>&1\ntest $? -eq {status} && {there} || exit 1\nexit 0\n")
        }
        Claim::Misbehaves(behaviour, seconds) => {
            let aborts = behaviour.end == End::Abort;
            misbehaves(question, (names, run), aborts, *seconds)
        }
        Claim::Varies => format!(
            "{command} > /dev/null 2>&1 || exit 1\nmv program program.first\n\
             {command} > /dev/null 2>&1 || exit 1\ncmp -s program.first program && exit 1\nexit 0\n"
        ),
        Claim::CodeDiffers(other) => format!(
            "{command} > /dev/null 2>&1 || exit 1\nobjcopy -O binary -j .text program code.first || exit 1\n\
             {other} > /dev/null 2>&1 || exit 1\nobjcopy -O binary -j .text program code.second || exit 1\n\
             cmp -s code.first code.second && exit 1\nexit 0\n"
        ),
        // It needs what Howler computed for just this program.
        Claim::Accesses(_) => return None,
    })
}

/// The words of a crash that tell it from other crashes, if they stand in the messages as they are.
fn exact(messages: &str) -> Option<String> {
    let words = signature::crash_text(messages)?;
    (words.len() > 8 && messages.contains(&words)).then_some(words)
}

/// Finds a compiler that says what a program means.
fn reference(references: &[String]) -> String {
    let mut known: Vec<String> = Vec::new();
    for name in references.iter().map(String::as_str).chain(["gcc", "clang", "cc"]) {
        let name = quoted(name);
        if !known.contains(&name) {
            known.push(name);
        }
    }
    format!(
        "reference=\nfor known in {}; do\n\
         \x20 if command -v \"$known\" > /dev/null; then reference=$known; break; fi\ndone\n\
         test -n \"$reference\" || {{ echo \"no compiler to compare with\" >&2; exit 1; }}\n",
        known.join(" ")
    )
}

/// Warnings of a meaning that a program has lost. Those that the finding's own program has do not count.
const LOST: &str = "uninitialized|maybe-uninitialized|sometimes-uninitialized|return-type|implicit-int\
    |implicit-function-declaration|int-conversion|incompatible-pointer-types|array-bounds|sequence-point|unsequenced\
    |main|main-return-type|builtin-declaration-mismatch|incompatible-library-redeclaration|return-local-addr\
    |return-stack-address|dangling-pointer|stringop-overflow|shift-count-overflow|div-by-zero";

fn misbehaves(question: &Question<'_>, (names, run): (&str, &str), aborts: bool, seconds: u64) -> String {
    let flags = question.flags.join(" ");
    let own: Vec<String> = question.files.iter().map(|name| format!("\"$home\"/{}", quoted(name))).collect();
    let own = own.join(" ");
    let plain = run_line(question.input);
    let arguments = plain.strip_prefix("./program").unwrap_or_default();
    let mut text = String::new();
    for (name, value) in FOR_SANITIZERS {
        let _ = writeln!(text, "export {name}={value}");
    }
    text.push_str(&reference(question.references));
    // What is left of the output of a program that aborts is not known.
    let same = if aborts { "true" } else { "cmp -s expected.txt" };
    let ends = if aborts {
        "case $wanted in 132|133|134) ;; *) exit 1 ;; esac"
    } else {
        "test $wanted -lt 124 || exit 1"
    };
    let _ = write!(
        text,
        "# What the program must do, by a compiler that does not optimise.\n\
         $reference -O0 -w {flags} {names} -o reference 2> /dev/null || exit 1\n\
         limit {seconds} ./reference{arguments} > expected.txt 2> /dev/null\nwanted=$?\n{ends}\n\
         {command} > messages.txt 2>&1 || exit 1\n{run} > output.txt 2> /dev/null\nstatus=$?\n\
         test $status -eq $wanted && {same} output.txt && exit 1\n",
        command = question.command,
        run = limited(seconds, run),
    );
    if question.exits {
        text.push_str("# It ended by itself, and that stays so.\ntest $status -lt 124 || exit 1\n");
    }
    let _ = write!(
        text,
        "# Nobody may see anything undefined in it. A compiler that lacks a check is not asked.\n\
         lost() {{\n\
         \x20 $reference -O1 -Wall -Wextra {flags} \"$@\" -o checked 2>&1 |\n\
         \x20   grep -oE '\\[-W({LOST})=?\\]' | sort -u\n}}\n\
         lost {names} > lost.txt\n\
         if test -s lost.txt; then\n\
         \x20 lost {own} > known.txt\n\
         \x20 grep -qvxFf known.txt lost.txt && exit 1\nfi\n\
         for check in '-O1 -fsanitize=undefined,address -fno-sanitize-recover=all' \\\n\
         \x20 '-O0 -ftrivial-auto-var-init=pattern' '-O1 -fno-strict-aliasing -fwrapv'; do\n\
         \x20 $reference $check -w {flags} {names} -o checked 2> /dev/null || continue\n\
         \x20 limit {longer} ./checked{arguments} > checked.txt 2> checked.err\n\
         \x20 test $? -eq $wanted && {same} checked.txt || exit 1\n\
         \x20 case \"$(cat checked.err)\" in *'runtime error'*|*Sanitizer*) exit 1 ;; esac\ndone\nexit 0\n",
        longer = seconds.saturating_mul(4).max(20),
    );
    text
}
