//! `howler hunt` and `howler doctor` with compilers of other roots, and with guards that die.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

mod common;

use std::process::Command;

use common::{Lair, TCC_BUG, events};
use howler_testkit::{end_of, tool, wait_for};

/// The root of this machine is one that every machine has.
#[test]
fn one_hunt_compares_compilers_of_several_roots() {
    if tool("tcc").is_none() || tool("gcc-12").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("corpus/a.c", TCC_BUG);
    let args =
        ["hunt", "--dir", "h", "--cc", "root:/:tcc", "--cc", "gcc-12 -O1", "--corpus", "corpus", "--json"];
    let output = lair.howler(args);
    if output.stderr_text().contains("other roots cannot be used") {
        return howler_testkit::skip(&output.stderr_text());
    }
    assert_eq!(output.code, Some(1), "{}{}", output.stdout_text(), output.stderr_text());
    let found = events(&output.stdout);
    let found: Vec<_> = found.iter().filter(|event| event["event"] == "found").collect();
    assert_eq!(found.len(), 1, "{found:?}");
    // The script of the finding compiles and runs there too.
    let folder = std::fs::read_dir(lair.path("h/findings")).unwrap().next().unwrap().unwrap().path();
    let script = std::fs::read_to_string(folder.join("repro.sh")).unwrap();
    assert!(script.contains("in_root / /"), "{script}");
    let shows = Command::new("sh").arg(folder.join("repro.sh")).output().unwrap();
    assert_eq!(shows.status.code(), Some(0), "{script}\n{}", String::from_utf8_lossy(&shows.stderr));
    lair.assert_nothing_left();
}

#[test]
fn a_root_that_cannot_be_used_is_named() {
    let lair = Lair::new();
    lair.write("corpus/a.c", "int main(void) { return 0; }\n");
    let output = lair.howler(["hunt", "--dir", "h", "--cc", "root:/no/such/root:gcc", "--corpus", "corpus"]);
    assert_eq!(output.code, Some(2), "{}", output.stderr_text());
    assert!(
        output.stderr_text().contains("root:/no/such/root:gcc: No such file"),
        "{}",
        output.stderr_text()
    );
    lair.write("a.c", "int x;\n");
    let output = lair.howler(["check", "--cc", "root:/:gcc", "a.c"]);
    assert!(
        output.stderr_text().contains("compilers of other roots are for hunts"),
        "{}",
        output.stderr_text()
    );
    let output = lair.howler(["doctor", "--root", "/no/such/root"]);
    assert_eq!(output.code, Some(2), "{}", output.stderr_text());
    assert!(output.stderr_text().contains("/no/such/root"), "{}", output.stderr_text());
}

#[test]
fn the_doctor_lists_what_a_root_has() {
    if tool("tcc").is_none() {
        return;
    }
    let output = Lair::new().howler(["doctor", "--root", "/"]);
    if output.stderr_text().contains("other roots cannot be used") {
        return howler_testkit::skip(&output.stderr_text());
    }
    assert_eq!(output.code, Some(0), "{}", output.stderr_text());
    let text = output.stdout_text();
    assert!(text.contains("compilers in /:") && text.contains("  root:/:tcc "), "{text}");
    // Every compile names its standard.
    let compilers = text.lines().skip_while(|line| *line != "compilers:").skip(1);
    for line in compilers.take_while(|line| line.starts_with("  ")) {
        assert!(line.contains("with -std="), "{line}");
    }
}

/// The guards of a hunt are processes like others: somebody may kill one, or the system may, for want of memory.
#[test]
fn a_dead_guard_is_replaced_and_the_test_done_again() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let args = [
        "hunt",
        "--dir",
        "hunt",
        "--cc",
        "tcc",
        "--gen",
        "orange:operations=10..20",
        "--json",
        "--jobs",
        "1",
    ];
    let mut child = lair.command(&args, "said").spawn().expect("howler starts");
    let tested = || {
        let said = std::fs::read_to_string(lair.path("said")).expect("it is there");
        said.lines().filter(|line| line.contains("\"tested\"")).count()
    };
    let mut done = 0;
    for _ in 0..3 {
        wait_for(&mut child, "more tests", || tested() > done);
        done = tested() + 5;
        let servers =
            || children(child.id()).into_iter().filter(is_guard).flat_map(children).filter(is_guard);
        let killed = servers().filter(|server| {
            let kill = Command::new("kill").args(["-9", &server.to_string()]).status();
            kill.unwrap().success()
        });
        assert!(killed.count() > 0);
    }
    wait_for(&mut child, "more tests", || tested() > done);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(end_of(&mut child).code(), Some(130));
    let told = events(&std::fs::read(lair.path("said")).unwrap());
    assert!(told.iter().all(|event| event["event"] != "trouble"), "{told:?}");
    lair.assert_nothing_left();
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "filters ask so")]
fn is_guard(process: &u32) -> bool {
    std::fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|line| line.starts_with(b"howler-guard"))
}

fn children(process: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let lists: Vec<String> = lists.collect();
    lists.iter().flat_map(|list| list.split_whitespace()).filter_map(|number| number.parse().ok()).collect()
}
