//! Hunts that are killed, or whose disk is full or read-only: the folder stays whole, and the same command goes on to
//! what an undisturbed hunt gives, row for row.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use common::{Lair, TCC_BUG, assert_same_rows, events, rows};
use howler_testkit::{skip, soak, tool};
use serde_json::Value;

/// A hunt with two arms and findings in one of them.
fn args(folder: &str) -> Vec<&str> {
    let mut args = vec!["hunt", "--dir", folder, "--cc", "tcc", "--corpus", "corpus", "--tests", "24"];
    args.extend(["--gen", "orange:operations=10..20", "--swarm", "0", "--jobs", "2", "--json"]);
    args
}

fn corpus(lair: &Lair) {
    for number in 0..12 {
        let text = match number {
            3 | 7 => format!("int unused{number};\n{TCC_BUG}"),
            // tcc does not know this; the machine and other compilers do.
            5 => "int main(void) { return (int) _Generic(1.0f, float: 0, default: (__int128) 7); }\n"
                .to_owned(),
            9 => "int main(void) { int x = 2147483647; return x + 1 > 0; }\n".to_owned(),
            _ => format!("int main(void) {{ return {number}; }}\n"),
        };
        lair.write(&format!("corpus/{number:02}.c"), text);
    }
}

/// An undisturbed hunt: its rows, and how long it took.
fn undisturbed(lair: &Lair) -> (String, Duration) {
    let start = Instant::now();
    let output = lair.howler(args("whole"));
    assert_eq!(output.code, Some(1), "{}", output.stderr_text());
    (rows(&lair.path("whole")), start.elapsed())
}

fn goes_on(lair: &Lair, folder: &str, expected: &str) -> Vec<Value> {
    let output = lair.howler(args(folder));
    // 1 if something new was found, 0 if it had all been found before.
    assert!(matches!(output.code, Some(0 | 1)), "{}", output.stderr_text());
    assert_same_rows(expected, &rows(&lair.path(folder)), folder);
    events(&output.stdout)
}

fn tests(events: &[Value]) -> BTreeSet<String> {
    let tested = events.iter().filter(|event| event["event"] == "tested");
    tested.map(|event| format!("{} {}", event["generator"], event["index"])).collect()
}

#[test]
fn a_killed_hunt_loses_nothing_and_does_nothing_twice() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    corpus(&lair);
    let (expected, time) = undisturbed(&lair);
    assert!(expected.lines().any(|line| line.starts_with("finding ")), "{expected}");
    assert_eq!(expected.lines().filter(|line| line.starts_with("test ")).count(), 36);
    let kills = if soak() { 100 } else { 8 };
    let (mut kill, mut late) = (0, 0);
    while kill < kills {
        let folder = format!("killed{kill}");
        let mut child = lair.command(&args(&folder), "said").spawn().expect("howler starts");
        // Evenly over the time that an undisturbed hunt takes, a little earlier each time that was too late.
        std::thread::sleep((time * (2 * kill + 1) / (2 * kills)).mul_f64(0.9_f64.powi(late)));
        let in_time = child.try_wait().expect("it is our child").is_none();
        child.kill().expect("it is our child");
        child.wait().expect("it is our child");
        if !in_time {
            late += 1;
            std::fs::remove_dir_all(lair.path(&folder)).expect("it is ours");
            continue;
        }
        let before = events(&std::fs::read(lair.path("said")).expect("it was written"));
        let after = goes_on(&lair, &folder, &expected);
        let twice: Vec<String> = tests(&before).intersection(&tests(&after)).cloned().collect();
        assert!(twice.is_empty(), "kill {kill}: done twice: {twice:?}");
        for found in before.iter().filter(|event| event["event"] == "found") {
            let signature = found["signature"].as_str().expect("a signature");
            let kept = |line: &str| line.starts_with("finding ") && line.contains(signature);
            assert!(expected.lines().any(kept), "kill {kill}: lost: {found}");
        }
        std::fs::remove_dir_all(lair.path(&folder)).expect("it is ours");
        kill += 1;
    }
    println!("{kills} kills before the end ({late} were too late)");
    // What the killed ones had to leave, those after them have removed.
    lair.assert_nothing_left();
}

/// A small file system in memory.
struct Small(PathBuf);

impl Small {
    /// `None` if mounting is not allowed here: the test is skipped.
    fn mount(folder: &Path, kilobytes: u32) -> Option<Small> {
        std::fs::create_dir(folder).expect("the lair is ours");
        let size = format!("size={kilobytes}k");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Small(folder.to_owned()));
        }
        skip("mounting a small file system needs root");
        None
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        let output =
            Command::new("mount").args(["-o", &options]).arg(&self.0).output().expect("mount starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_an_error_and_breaks_nothing() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    corpus(&lair);
    let (expected, _) = undisturbed(&lair);
    // From no room for anything to room for nearly all.
    for kilobytes in [4, 60, 120, 180, 240] {
        let folder = format!("small{kilobytes}");
        let Some(small) = Small::mount(&lair.path(&folder), kilobytes) else { return };
        let output = lair.howler(args(&format!("{folder}/hunt")));
        let said = output.stderr_text();
        println!("{kilobytes} KB: {:?}: {said}", output.code);
        if output.code != Some(1) {
            assert_eq!(output.code, Some(2), "{kilobytes} KB: {said}");
            let words = ["No space left", "disk is full", "no space", "full"];
            assert!(words.iter().any(|word| said.contains(word)), "{kilobytes} KB: {said}");
        }
        assert!(kilobytes > 60 || output.code == Some(2), "{kilobytes} KB were enough");
        small.remount("size=64m");
        goes_on(&lair, &format!("{folder}/hunt"), &expected);
    }
    lair.assert_nothing_left();
}

#[test]
fn a_read_only_folder_is_an_error_and_can_be_looked_at() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    corpus(&lair);
    let Some(small) = Small::mount(&lair.path("small"), 65536) else { return };
    let output = lair.howler(args("small/hunt"));
    assert_eq!(output.code, Some(1), "{}", output.stderr_text());
    let expected = rows(&lair.path("small/hunt"));
    small.remount("ro");
    for folder in ["small/hunt", "small/new"] {
        let mut more = args(folder);
        more.extend(["--seed", "1"]);
        let output = lair.howler(more);
        let said = output.stderr_text();
        println!("{folder}: {said}");
        assert_eq!(output.code, Some(2), "{said}");
        assert!(said.contains("small/") && said.to_lowercase().contains("read-only"), "{said}");
    }
    let listed = lair.howler(["findings", "list", "--dir", "small/hunt"]);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr_text());
    assert!(listed.stdout_text().contains("wrong-code"), "{}", listed.stdout_text());
    let merged = lair.howler(["merge", "merged", "small/hunt"]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr_text());
    assert_same_rows(&expected, &rows(&lair.path("merged")), "merged from a read-only folder");
    small.remount("rw");
    goes_on(&lair, "small/hunt", &expected);
    lair.assert_nothing_left();
}
