//! Flags as C compilers spell them, turned into Howler's: a compiler's command line can be tried with `howler check`.
//!
//! What only tells a compiler how to work is left out and named in a note. What changes the meaning of programs is
//! never left out: Howler has the option, or the command line is refused.

use std::ffi::{OsStr, OsString};
use std::io;

use howler_toolchain::compiler::changes_meaning;

use crate::show;

/// A command line for Howler.
pub struct Arguments {
    /// What is parsed.
    pub kept: Vec<OsString>,
    /// What is not.
    pub ignored: Ignored,
}

/// Flags that mean nothing here.
#[derive(Default)]
pub struct Ignored(Vec<String>);

impl Ignored {
    /// Says which, once; `quiet` is for scripts.
    pub fn note(&self, quiet: bool) -> io::Result<()> {
        if quiet || self.0.is_empty() {
            return Ok(());
        }
        show::to_stderr(
            format!("howler: note: these flags mean nothing here: {}\n", self.0.join(" ")).as_bytes(),
        )
    }
}

/// Flags of Howler whose value is the next argument.
const WITH_VALUE: &[&str] = &[
    "--std",
    "--target",
    "--dialect",
    "--headers",
    "--cc",
    "--steps",
    "--order",
    "--runs",
    "--stdin",
    "-D",
    "-I",
    "-U",
];

/// Flags that a hunt can follow (the compiler says what they do, or they only give a meaning to what has none), and this
/// command line has no option for. Longer flags that start so are meant too.
const NO_OPTION: &[&str] = &["-funsigned-char", "-fno-signed-char", "-fwrapv-pointer", "-fcommon"];
/// Howler's own, in one word with their value.
const OWN: &[&str] = &["-D", "-I", "-U"];

/// Prefixes of flags that say how to compile, not what.
const HOW: &[&str] = &["-O", "-W", "-g", "-f", "-l", "-L", "-march=", "-mtune="];
const HOW_WHOLE: &[&str] =
    &["-c", "-w", "-pedantic", "-pipe", "-pthread", "-s", "-static", "-M", "-MM", "-MD", "-MMD", "-MP"];
/// Those whose value is the next argument.
const HOW_WITH_VALUE: &[&str] = &["-MF", "-MT", "-MQ"];
/// Folders that other files come from; here they are all asked alike.
const FOLDERS: &[&str] = &["-isystem", "-iquote", "-idirafter"];
/// Flags that ask for something else than a program's check.
const OTHER_WORK: &[&str] = &["-E", "-S"];

const NO_COMPILER: &str = "Howler checks and runs programs; it is no compiler";
const NO_FILE: &str = "-o: no file is written; `howler check --print` writes the program on standard output";

/// Turns the flags of `check` and `run` into Howler's; other commands keep theirs.
pub fn translate(all: impl Iterator<Item = OsString>) -> Result<Arguments, String> {
    let mut all = all;
    let mut arguments = Arguments { kept: all.by_ref().take(2).collect(), ignored: Ignored::default() };
    let command = arguments.kept.get(1).cloned().unwrap_or_default();
    if command == OsStr::new("gen") {
        arguments.kept.extend(all.map(of_gen));
        return Ok(arguments);
    }
    if command != OsStr::new("check") && command != OsStr::new("run") {
        arguments.kept.extend(all);
        return Ok(arguments);
    }
    // A run without --judge rounds every product anyway.
    let (mut judged, mut no_contract) = (false, false);
    while let Some(argument) = all.next() {
        let Some(flag) = argument.to_str() else {
            arguments.kept.push(argument);
            continue;
        };
        if flag == "--" {
            arguments.kept.push(argument);
            arguments.kept.extend(all);
            break;
        }
        if WITH_VALUE.contains(&flag) {
            arguments.kept.push(argument);
            arguments.kept.extend(all.next());
            continue;
        }
        match flag {
            "-m32" => arguments.kept.push("--target=i386".into()),
            "-m64" => arguments.kept.push("--target=x86-64".into()),
            "-ansi" => arguments.kept.push("--std=c89".into()),
            "-pedantic-errors" => arguments.kept.push("--pedantic-errors".into()),
            // Types do not change: `check` has nothing to do. gcc's -fno-strict-overflow is -fwrapv, and for pointers too,
            // which the machine judges as C17 does.
            "-fwrapv" | "-fno-strict-overflow" if command == OsStr::new("run") => {
                arguments.kept.push("--wrapv".into());
            }
            "-fno-wrapv" | "-fstrict-overflow" => arguments.kept.retain(|kept| kept != "--wrapv"),
            "-fwrapv" | "-fno-strict-overflow" => {}
            "--judge" => {
                judged = true;
                arguments.kept.push(argument);
            }
            "-ffp-contract=off" if command == OsStr::new("run") => no_contract = true,
            flag if flag.starts_with("-ffp-contract=") => {
                no_contract = false;
                arguments.kept.retain(|kept| kept != "--no-contract");
            }
            "-o" => return Err(NO_FILE.to_owned()),
            _ if OTHER_WORK.contains(&flag) => return Err(format!("{flag}: {NO_COMPILER}")),
            _ if FOLDERS.contains(&flag) => {
                arguments.kept.push("-I".into());
                arguments.kept.extend(all.next());
            }
            _ if HOW_WITH_VALUE.contains(&flag) => {
                let value = all.next().map(|value| value.to_string_lossy().into_owned());
                arguments.ignored.0.push(flag.to_owned());
                arguments.ignored.0.extend(value);
            }
            _ if flag.starts_with("-std=") => arguments.kept.push(format!("-{flag}").into()),
            _ if OWN.iter().any(|start| flag.starts_with(start)) => arguments.kept.push(argument),
            _ if changes_meaning(flag) || NO_OPTION.iter().any(|start| flag.starts_with(start)) => {
                return Err(format!("{flag} changes what programs mean, and Howler does not support it"));
            }
            _ if HOW_WHOLE.contains(&flag) || HOW.iter().any(|start| flag.starts_with(start)) => {
                arguments.ignored.0.push(flag.to_owned());
            }
            _ => arguments.kept.push(argument),
        }
    }
    if judged && no_contract {
        arguments.kept.insert(2, "--no-contract".into());
    }
    Ok(arguments)
}

/// What says for which target programs are made; nothing else that a compiler knows means anything there.
fn of_gen(argument: OsString) -> OsString {
    match argument.to_str() {
        Some("-m32") => "--target=i386".into(),
        Some("-m64") => "--target=x86-64".into(),
        Some("-ansi") => "--std=c89".into(),
        Some(flag) if flag.starts_with("-std=") => format!("-{flag}").into(),
        _ => argument,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> Result<(String, String), String> {
        let arguments = translate(line.split(' ').map(OsString::from))?;
        let kept: Vec<String> = arguments.kept.iter().map(|word| word.to_str().unwrap().to_owned()).collect();
        Ok((kept.join(" "), arguments.ignored.0.join(" ")))
    }

    #[test]
    fn compiler_spellings_are_understood() {
        let cases = [
            ("howler check a.c", "howler check a.c", ""),
            ("howler check -std=c99 -m32 a.c", "howler check --std=c99 --target=i386 a.c", ""),
            (
                "howler check -O2 -Wall -g -c -w -fPIC a.c -lm",
                "howler check a.c",
                "-O2 -Wall -g -c -w -fPIC -lm",
            ),
            ("howler run -ansi -D -O -I -W -U -g a.c", "howler run --std=c89 -D -O -I -W -U -g a.c", ""),
            ("howler run -fwrapv a.c", "howler run --wrapv a.c", ""),
            ("howler run --judge -ffp-contract=off a.c", "howler run --no-contract --judge a.c", ""),
            ("howler run -ffp-contract=off a.c -- --judge", "howler run a.c -- --judge", ""),
            ("howler run --judge -ffp-contract=off -ffp-contract=on a.c", "howler run --judge a.c", ""),
            ("howler run -fno-strict-overflow -fno-wrapv a.c", "howler run a.c", ""),
            ("howler check -fwrapv a.c", "howler check a.c", ""),
            ("howler check -DA=1 -UB -Iinc a.c", "howler check -DA=1 -UB -Iinc a.c", ""),
            ("howler check -isystem inc -MMD -MF a.d a.c", "howler check -I inc a.c", "-MMD -MF a.d"),
            ("howler check -- -O2", "howler check -- -O2", ""),
            ("howler gen -m32 orange -std=c99", "howler gen --target=i386 orange --std=c99", ""),
            ("howler --help -O2", "howler --help -O2", ""),
            ("howler", "howler", ""),
        ];
        for (line, kept, ignored) in cases {
            assert_eq!(translated(line), Ok((kept.to_owned(), ignored.to_owned())));
        }
    }

    #[test]
    fn an_output_file_is_refused_with_what_to_do() {
        assert!(translated("howler check -E a.c").is_err_and(|why| why.contains("no compiler")));
        assert!(translated("howler run a.c -o a").is_err_and(|why| why.contains("--print")));
    }

    #[test]
    fn what_changes_the_meaning_is_refused() {
        for flag in ["-funsigned-char", "-fwrapv-pointer", "-fpack-struct=2", "-ffinite-math-only"] {
            assert!(translated(&format!("howler check {flag} a.c")).is_err());
        }
    }
}
