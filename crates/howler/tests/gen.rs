//! `howler gen`: the real command, and the same bytes from one line that a hunt compiled.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

mod common;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use common::{HOWLER, Lair, events};
use howler_campaign::own::{Own, recorded};
use howler_campaign::registry::TECHNIQUES;
use howler_campaign::variants;
use howler_store::{Ledger, Store};
use serde_json::Value;

const BLESS: &str = "(HOWLER_BLESS=1 writes it)";

/// The files of a folder by name, in any folder below too.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                let name = entry.path().strip_prefix(folder).unwrap().display().to_string();
                all.insert(name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    all
}

/// `howler gen --origin -` with these lines, as JSON.
fn again(lines: &[String]) -> Vec<Value> {
    let mut command = Command::new(HOWLER);
    command.args(["gen", "--origin", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = lines.join("\n");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    events(&output.stdout)
}

#[test]
fn programs_say_where_they_come_from() {
    let lair = Lair::new();
    let args = ["gen", "orange", "-n", "12", "--from", "3", "--seed", "9", "--operations=10..60", "-o", "d"];
    let made = lair.howler(args);
    assert_eq!(
        (made.code, made.stdout_text().as_str()),
        (Some(0), "12 programs in d\n"),
        "{}",
        made.stderr_text()
    );
    let files = files(&lair.path("d"));
    assert_eq!(files.len(), 12);
    let mut lines = Vec::new();
    for index in 3..15 {
        let text = String::from_utf8(files[&format!("orange-9-{index}.c")].clone()).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let line = format!(
            "orange operations=10..60 target=x86-64/gcc/gnu17 version={version} seed=9 index={index}"
        );
        let head = text.split_once(" */\n").unwrap().0;
        for part in [&line, "swarm=yes", "exit status 0, output \"0 wrong\\n\"", "Made by Howler"] {
            assert!(head.contains(part), "{part}: {head}");
        }
        lines.push(line);
    }
    // The comment is all that differs.
    for (one, line) in again(&lines).iter().zip(&lines) {
        assert_eq!(one["origin"], **line);
        let index = line.rsplit_once('=').unwrap().1;
        let text = String::from_utf8_lossy(&files[&format!("orange-9-{index}.c")]).into_owned();
        let (head, body) = text.split_once(" */\n").unwrap();
        assert_eq!(one["files"][0]["text"], body);
        assert!(head.contains(one["id"].as_str().unwrap()), "{head}");
    }
}

#[test]
fn what_a_program_must_do_it_does() {
    let Some(gcc) = howler_testkit::tool("gcc-12") else { return };
    let lair = Lair::new();
    for (folder, options) in [("one", &["-n", "6"][..]), ("many", &["--files", "2", "-n", "3"])] {
        let args = [&["gen", "orange", "--operations", "10..200", "-o", folder][..], options].concat();
        assert!(lair.howler(args).success());
        let mut programs: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for name in files(&lair.path(folder)).into_keys().filter(|name| name.ends_with(".c")) {
            let program = name.split(['/', '.']).next().unwrap().to_owned();
            programs.entry(program).or_default().push(format!("{folder}/{name}"));
        }
        assert!(programs.values().all(|files| (files.len() == 1) == (folder == "one")), "{programs:?}");
        for files in programs.values() {
            let mut command = Command::new(&gcc);
            let built = command
                .args(["-std=gnu17", "-w", "-o", "a.out"])
                .args(files)
                .current_dir(lair.path(""))
                .status();
            assert!(built.unwrap().success(), "{files:?}");
            let ran = Command::new(lair.path("a.out")).output().unwrap();
            assert_eq!((ran.status.code(), &ran.stdout[..]), (Some(0), &b"0 wrong\n"[..]), "{files:?}");
        }
    }
}

/// A test of several files has a makefile beside them, which compiles each apart.
#[test]
fn several_files_have_a_makefile() {
    let (Some(make), Some(_)) = (howler_testkit::tool("make"), howler_testkit::tool("gcc-12")) else {
        return;
    };
    let lair = Lair::new();
    let args = ["gen", "yarp", "--with", "units", "--size", "400..900", "-n", "4", "-o", "d"];
    assert!(lair.howler(args).success());
    let mut folders = 0;
    for entry in std::fs::read_dir(lair.path("d")).unwrap().map(Result::unwrap) {
        let folder = entry.path();
        // Swarm leaves some in one file.
        if !folder.is_dir() {
            continue;
        }
        folders += 1;
        let head = std::fs::read_to_string(folder.join("driver.c")).unwrap();
        let expected = head.split_once("output \"").unwrap().1.split_once("\\n\"").unwrap().0.to_owned();
        let mut command = Command::new(&make);
        let ran = command.args(["-s", "run", "CC=gcc-12"]).current_dir(&folder).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&ran.stdout).trim_end(), expected, "{}", folder.display());
    }
    assert!(folders > 0);
}

/// A compiler that dies on every test of orange, each time with other words, so that each is kept as a finding.
const DYING: &str = r#"#!/bin/sh
for arg; do case $arg in *.c|*.i) file=$arg ;; esac; done
case "$*" in *-###*) exit 1 ;; *-E*) exec gcc "$@" ;; esac
grep -q wrong "$file" 2> /dev/null || exec gcc "$@"
sum=$(grep -v '^#' "$file" | tr -d ' \t\n' | cksum | tr -cd 0-9 | tr 0-9 a-j)
echo "$file:1:1: internal compiler error: in $sum, at expr.cc:1" >&2
exit 4
"#;

/// From the line of a finding, of an event and of a store's row come the bytes that the hunt compiled.
#[test]
fn a_line_makes_what_a_hunt_compiled() {
    if howler_testkit::tool("gcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let dying = lair.script("dying-cc", DYING);
    let count = if howler_testkit::soak() { 200 } else { 12 };
    let tests = count.to_string();
    let hunt =
        ["hunt", "--cc", &dying, "--level=-O0", "--swarm", "0", "--extras", "0", "--json", "--seed", "3"];
    let arm =
        ["--gen", "orange:operations=10..300,without=float,int128", "--tests", &tests, "--std", "gnu11"];
    let hunted = lair.howler([&hunt[..], &arm].concat());
    assert_eq!(hunted.code, Some(1), "{}{}", hunted.stdout_text(), hunted.stderr_text());
    let told: Vec<String> = events(&hunted.stdout)
        .iter()
        .filter(|event| event["event"] == "tested")
        .map(|event| event["origin"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(told.len(), count);
    assert!(
        told[0].starts_with("orange operations=10..300 without=int128,float target=x86-64/gcc/gnu11 "),
        "{}",
        told[0]
    );
    let store = Store::open_read_only(&lair.path("howler-hunt")).unwrap();
    let row = store.arms().unwrap().remove(0).arm;
    for line in &told {
        let index = line.rsplit_once('=').unwrap().1.parse().unwrap();
        assert_eq!(recorded(row.line(), index).unwrap().to_string(), *line);
    }
    let mut compared = 0;
    for finding in store.findings().unwrap() {
        let file = |name: &str| {
            let file = finding.files.iter().find(|file| file.name == name)?;
            Some(store.blob(file.blob).unwrap().unwrap().bytes().unwrap())
        };
        let readme = String::from_utf8(file("README.txt").unwrap()).unwrap();
        let line = readme.lines().find(|line| line.starts_with("origin ")).unwrap().to_owned();
        assert!(told.iter().any(|told| line.ends_with(told)), "{line}");
        let made = again(&[line]).remove(0);
        // What a hunt made smaller stands beside what it was made from.
        let whole = file("original-test.c").or_else(|| file("test.c")).unwrap();
        assert_eq!(made["files"][0]["text"], *String::from_utf8(whole).unwrap());
        compared += 1;
    }
    assert_eq!(compared, count);
    let shown = lair.howler(["findings", "show", &store.findings().unwrap()[0].id().to_string()]);
    assert!(
        told.iter().any(|line| shown.stdout_text().contains(&format!("seen in: {line}\n"))),
        "{}",
        shown.stdout_text()
    );
}

#[test]
fn what_is_there_already_stays() {
    let lair = Lair::new();
    let made = |more: &[&str]| {
        lair.howler([&["gen", "orange", "--operations", "10", "-n", "3", "-o", "d"][..], more].concat())
    };
    lair.write("d/orange-1-1.c", "mine\n");
    let refused = made(&[]);
    assert_eq!(refused.code, Some(2));
    let said = refused.stderr_text();
    assert!(
        said.contains("d/orange-1-1.c is there and is something else") && said.contains("--force"),
        "{said}"
    );
    assert!(said.contains("(1 program was written before)"), "{said}");
    assert_eq!(std::fs::read(lair.path("d/orange-1-1.c")).unwrap(), b"mine\n");
    // A link is replaced, not followed.
    lair.write("other", "not yours\n");
    std::fs::remove_file(lair.path("d/orange-1-1.c")).unwrap();
    std::os::unix::fs::symlink(lair.path("other"), lair.path("d/orange-1-1.c")).unwrap();
    assert_eq!(made(&[]).code, Some(2));
    assert!(made(&["--force"]).success());
    assert_eq!(std::fs::read(lair.path("other")).unwrap(), b"not yours\n");
    let first = files(&lair.path("d"));
    // The same again is nothing new.
    assert!(made(&[]).success());
    assert_eq!(files(&lair.path("d")), first);
    lair.write("plain", "a file\n");
    assert_eq!(lair.howler(["gen", "orange", "-o", "plain"]).code, Some(2));
}

#[test]
fn an_interrupt_leaves_whole_programs() {
    let lair = Lair::new();
    let mut command = lair.command(&["gen", "orange", "-n", "100000000", "-o", "d"], "said");
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let written = || std::fs::read_dir(lair.path("d")).map_or(0, Iterator::count);
    howler_testkit::wait_for(&mut child, "three programs", || written() >= 3);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(howler_testkit::end_of(&mut child).code(), Some(130));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.starts_with("howler: stopped after ") && said.contains(" of 100000000 programs"), "{said}");
    for (name, text) in files(&lair.path("d")) {
        assert!(text.starts_with(b"/* Made by") && text.ends_with(b"}\n"), "{name}");
    }
}

/// One program that takes long is not waited for.
#[test]
fn an_interrupt_does_not_wait_for_a_large_program() {
    let lair = Lair::new();
    let args = ["gen", "orange", "--operations", "4000000", "--operators", "10000", "-n", "1", "-o", "d"];
    let mut command = lair.command(&args, "said");
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    howler_testkit::wait_for(&mut child, "a folder", || lair.path("d").exists());
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "howler: stopped after 0 of 1 program\n");
    assert!(files(&lair.path("d")).is_empty());
}

/// A file that cannot be written whole is not there.
#[test]
fn a_limit_on_files_leaves_no_part_of_one() {
    let lair = Lair::new();
    let script = format!("ulimit -f 8; exec {HOWLER} gen orange --operations 5000 --swarm no -n 2 -o d");
    let output = Command::new("sh").args(["-c", &script]).current_dir(lair.path("")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("howler: cannot write d/orange-1-0.c: File too large"), "{said}");
    assert!(files(&lair.path("d")).is_empty());
}

#[test]
fn options_may_stand_before_the_technique() {
    let lair = Lair::new();
    let before =
        lair.howler(["gen", "--seed", "9", "-o", "a", "-std=c99", "orange", "-n", "2", "--seed", "7"]);
    let after = lair.howler(["gen", "orange", "-n", "2", "-o", "b", "--seed", "7", "--std", "c99"]);
    assert!(before.success() && after.success(), "{}{}", before.stderr_text(), after.stderr_text());
    assert_eq!(before.stdout_text(), "2 programs in a\n");
    assert_eq!(files(&lair.path("a")), files(&lair.path("b")));
}

#[test]
fn what_is_left_out_is_in_no_program() {
    let lair = Lair::new();
    let text = |options: &[&str]| {
        let made =
            lair.howler([&["gen", "orange", "--bare", "-n", "40", "--operations", "500"], options].concat());
        assert!(made.success(), "{}", made.stderr_text());
        made.stdout_text()
    };
    for repair in ["flip", "insert"] {
        for swarm in ["yes", "no"] {
            let divided = text(&["--without", "division", "--repair", repair, "--swarm", swarm]);
            for operator in [" / ", " % ", " /= ", " %= "] {
                assert!(!divided.contains(operator), "{repair} {swarm}: {operator}");
            }
            // Constants of 128 bits are casts of smaller ones.
            let uncast = text(&["--without", "cast,int128", "--repair", repair, "--swarm", swarm]);
            for ty in ["int", "long", "unsigned", "char", "signed", "short", "_Bool", "float", "double"] {
                assert!(!uncast.contains(&format!("({ty})")) && !uncast.contains(&format!("({ty} ")), "{ty}");
            }
        }
    }
    let only = text(&["--only", "shift,narrow", "--swarm", "no"]);
    assert!(only.contains(" << ") && only.contains("short") && !only.contains("double"), "{only}");
    // What is there anyway is not asked for.
    let needless = lair.howler(["gen", "orange", "--with", "float", "--operations", "10"]);
    assert!(
        needless.stderr_text().contains("--only float leaves the rest out"),
        "{}",
        needless.stderr_text()
    );
    let useful = lair.howler(["gen", "orange", "--with", "constants", "--operations", "10"]);
    assert_eq!(useful.stderr_text(), "");
}

#[test]
fn a_line_must_be_there() {
    let lair = Lair::new();
    for (line, why) in
        [("", "the line is empty"), (" * origin ", "an origin is"), ("-", "no line on standard input")]
    {
        let made = lair.howler(["gen", "--origin", line]);
        assert_eq!(made.code, Some(2), "{line}");
        assert!(made.stderr_text().contains(why), "{}", made.stderr_text());
    }
}

#[test]
fn the_last_number_is_one_too() {
    let lair = Lair::new();
    let last = u64::MAX.to_string();
    let made = lair.howler(["gen", "orange", "--operations", "10", "--from", &last, "--json"]);
    assert!(made.success(), "{}", made.stderr_text());
    let line = events(&made.stdout)[0]["origin"].as_str().unwrap().to_owned();
    assert!(line.ends_with(&format!("index={last}")), "{line}");
    assert_eq!(again(std::slice::from_ref(&line))[0]["origin"], *line);
    let beyond = lair.howler(["gen", "orange", "--from", &last, "-n", "2"]);
    assert_eq!(beyond.code, Some(2));
    assert!(beyond.stderr_text().contains("beyond the last program"), "{}", beyond.stderr_text());
}

/// JSON has no bytes: a path that is no text is there in both ways.
#[test]
fn json_has_every_path() {
    use std::os::unix::ffi::OsStrExt;
    let lair = Lair::new();
    let odd = std::ffi::OsStr::from_bytes(b"d\xff");
    let mut command = Command::new(HOWLER);
    command.args(["gen", "orange", "--operations", "10", "--json", "-o"]).arg(odd).current_dir(lair.path(""));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let value = &events(&output.stdout)[0];
    let hex = |text: &[u8]| text.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let path = hex(b"d\xff/orange-1-0.c");
    assert_eq!((&value["file_hex"], &value["files"][0]["path_hex"]), (&path.clone().into(), &path.into()));
    let plain = lair.howler(["gen", "orange", "--operations", "10", "--json", "-o", "d"]);
    let value = &events(&plain.stdout)[0];
    assert_eq!((&value["file"], &value["file_hex"]), (&"d/orange-1-0.c".into(), &Value::Null));
}

#[test]
fn help_that_nobody_reads_is_a_failure() {
    let status = |file: &str| {
        let full = std::fs::OpenOptions::new().write(true).open(file).unwrap();
        let mut command = Command::new(HOWLER);
        command.args(["gen", "--help"]).stdout(full).stderr(Stdio::null()).status().unwrap().code()
    };
    assert_eq!((status("/dev/full"), status("/dev/null")), (Some(2), Some(0)));
}

#[test]
fn the_spelling_of_a_hunt_is_met_with_ours() {
    let made = Lair::new().howler(["gen", "orange:operations=10"]);
    assert_eq!(made.code, Some(2));
    assert!(made.stderr_text().contains("`howler gen orange --operations 10`"), "{}", made.stderr_text());
}

#[test]
fn a_reader_that_has_seen_enough_ends_it() {
    let mut command = Command::new(HOWLER);
    let mut child =
        command.args(["gen", "orange", "-n", "100000000"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"/* Made by");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// No compiler, no preprocessor, no folder for temporary files.
#[test]
fn nothing_but_itself_is_needed() {
    let empty = howler_testkit::Scratch::new();
    let output = Command::new(HOWLER)
        .args(["gen", "orange", "--target", "i386", "--std", "c99", "--json"])
        .env_clear()
        .env("PATH", empty.folder())
        .env("TMPDIR", "/no/such/folder")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let value = &events(&output.stdout)[0];
    assert_eq!((&value["target"], &value["file"]), (&"i386/gcc/c99".into(), &Value::Null));
    assert_eq!(value["expected"][0]["output"], "0 wrong\n");
    let line = value["origin"].as_str().unwrap();
    let (own, recipe, index) = Own::of_origin(line).unwrap();
    assert_eq!(value["id"], own.test(recipe, index).id().to_string());
}

/// Programs one after another can be told apart.
#[test]
fn several_on_standard_output_are_apart() {
    let lair = Lair::new();
    let text = |args: &[&str]| {
        let all = [&["gen", "orange", "--operations", "10"], args].concat();
        lair.howler(all).stdout_text()
    };
    assert_eq!(text(&["-n", "3"]).matches("\n\n/* Made by Howler").count(), 2);
    assert_eq!(text(&["-n", "2", "--bare"]).matches("/* orange-1-").count(), 2);
    let one = text(&["--bare"]);
    assert!(!one.contains("/*") && one.contains("int main(void)"), "{one}");
    let split = text(&["--files", "1"]);
    assert!(split.starts_with("/* orange-1-0/") && split.matches("/* orange-1-0/").count() == 2, "{split}");
}

/// docs/techniques.md has each technique's table as the technique has it.
#[test]
fn the_documents_list_every_option() {
    let path = howler_testkit::workspace().join("docs/techniques.md");
    let known = std::fs::read_to_string(&path).unwrap();
    let (before, _) = known.split_once("\n## ").unwrap_or((&known, ""));
    let mut text = before.trim_end().to_owned() + "\n";
    for entry in TECHNIQUES {
        let technique = &entry.technique;
        text +=
            &format!("\n## {}\n\n{}.\n\n{}", technique.name, technique.about, technique.options.markdown());
    }
    // It starts from programs of others, and is hunted with, not generated.
    let (name, about, options) = (variants::NAME, variants::ABOUT, variants::TABLE.markdown());
    text += &format!("\n## {name}\n\n{about}.\n\n{options}");
    if std::env::var_os("HOWLER_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(text == known || std::env::var_os("HOWLER_BLESS").is_some(), "docs/techniques.md is old {BLESS}");
}
