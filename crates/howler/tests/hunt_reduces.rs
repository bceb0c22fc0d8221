//! Hunts make small what they find, whatever it is, keep the whole program beside it, and end when they are told to.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use common::{Lair, TCC_BUG, assert_same_rows, events, rows};
use howler_testkit::{soak, tool};
use serde_json::Value;

/// tcc with more faults than it has, each of which a word in the program brings out.
const FAULTY: &str = "#!/bin/sh
for word; do case \"$word\" in *.c|*.i) file=$word ;; esac; done
if [ -n \"$file\" ]; then
    if grep -q crash_here \"$file\"; then
        echo \"$file:1:2: internal compiler error: in crash_here, at g.cc:12\" >&2
        exit 4
    fi
    if grep -q hang_here \"$file\"; then exec sleep 1000; fi
    if grep -q reject_here \"$file\"; then
        echo \"$file:1: error: no reject_here today\" >&2
        exit 1
    fi
fi
exec tcc \"$@\"
";

/// A program of more than a hundred lines, of which one matters.
fn large(matters: &str) -> String {
    let mut text = String::from("int printf(const char *, ...);\n");
    for number in 0..30 {
        text += &format!(
            "static int g{number} = {number};\n\nstatic int f{number}(int a) {{\n    if (a > 2)\n        g{number} += a;\n    return g{number};\n}}\n\n"
        );
    }
    text + matters
}

fn calls() -> String {
    (0..30).map(|number| format!("    printf(\"%d\\n\", f{number}({number}));\n")).collect()
}

/// The findings of a hunt by their kinds: data, the small program, the whole one, and what is told.
fn findings(folder: &Path) -> BTreeMap<String, (Value, String, String, String)> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join("findings")).unwrap().flatten() {
        let read = |name: &str| std::fs::read_to_string(entry.path().join(name)).unwrap_or_default();
        let data: Value = serde_json::from_str(&read("finding.json")).unwrap();
        let name = data["files"][0].as_str().unwrap().to_owned();
        let (small, whole) = (read(&name), read(&format!("original-{name}")));
        let kind = data["kind"].as_str().unwrap().to_owned();
        let before = all.insert(kind, (data, small, whole, read("README.txt")));
        assert!(before.is_none(), "two of a kind: {all:?}");
    }
    all
}

#[test]
fn whatever_is_found_becomes_small() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let compiler = lair.script("mycc", FAULTY);
    let main =
        |inside: &str| large(&format!("int main(void) {{\n{}    {inside}\n    return 0;\n}}\n", calls()));
    let bug = TCC_BUG.replace("int printf(const char *, ...);\n", "");
    let bug = large(&bug.replace("int main(void) {", &format!("int main(void) {{\n{}", calls())));
    lair.write("corpus/wrong.c", &bug);
    lair.write("corpus/crash.c", main("int crash_here = 1; if (crash_here) printf(\"x\\n\");"));
    lair.write("corpus/reject.c", main("int reject_here = 1; if (reject_here) printf(\"x\\n\");"));
    if soak() {
        lair.write("corpus/hang.c", main("int hang_here = 1; if (hang_here) printf(\"x\\n\");"));
    }
    lair.write("hunt/campaign.toml", "compile-seconds = 5\n");
    let args = |folder: &'static str| {
        let args = ["hunt", "--dir", folder, "--cc", &compiler, "--level", "-O0", "--corpus", "corpus"];
        let output = lair.howler(args.into_iter().chain(["--swarm", "0", "--extras", "0", "--json"]));
        assert_eq!(output.code, Some(1), "{}\n{}", output.stdout_text(), output.stderr_text());
    };
    args("hunt");
    let found = findings(&lair.path("hunt"));
    let kinds: Vec<&str> = found.keys().map(String::as_str).collect();
    let expected = ["crash", "hang", "reject", "wrong-code"];
    let expected: Vec<&str> = expected.into_iter().filter(|kind| soak() || *kind != "hang").collect();
    assert_eq!(kinds, expected);
    for (kind, (data, small, whole, readme)) in &found {
        assert_eq!(data["status"], "confirmed", "{kind}");
        let lines = small.lines().count();
        assert!(lines <= 30 || readme.contains("It stopped there because"), "{kind}: {readme}");
        assert!(lines < 100 && whole.lines().count() > 200, "{kind}: {small}");
        let note = data["notes"][0].as_str().unwrap();
        assert!(note.starts_with("made smaller from 2"), "{kind}: {note}");
        assert!(readme.contains(note), "{kind}: {readme}");
    }
    assert!(found["crash"].1.contains("crash_here") && found["crash"].1.lines().count() < 10);
    assert_eq!(found["wrong-code"].2, bug);
    // The same again gives the same, to the last byte.
    if !soak() {
        lair.write("again/campaign.toml", "compile-seconds = 5\n");
        args("again");
        assert_same_rows(&rows(&lair.path("hunt")), &rows(&lair.path("again")), "done again");
    }
    lair.assert_nothing_left();
}

/// Ctrl-C in the midst of a reduction ends the hunt at once; the next one does the test again, and has the finding.
#[test]
fn an_interrupt_does_not_wait_and_loses_nothing() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let bug = TCC_BUG.replace("int printf(const char *, ...);\n", "");
    let text = large(&bug.replace("int main(void) {", &format!("int main(void) {{\n{}", calls())));
    lair.write("corpus/wrong.c", text);
    // Slow enough for whoever stops it.
    let slow = "#!/bin/sh\nfor word; do case \"$word\" in *.c|*.i) test -e hurry || sleep 0.3 ;; esac; done\nexec tcc \"$@\"\n";
    let slow = slow.replace("hurry", &lair.text_path("hurry"));
    let compiler = lair.script("mycc", &slow);
    let mut args = vec!["hunt", "--dir", "hunt", "--cc", &compiler, "--level", "-O0", "--corpus", "corpus"];
    args.extend(["--swarm", "0", "--extras", "0", "--json"]);
    let mut child = lair.command(&args, "said.txt").spawn().unwrap();
    loop {
        let said = std::fs::read_to_string(lair.path("said.txt")).unwrap_or_default();
        if said.contains("making it smaller") {
            break;
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself: {said}");
        std::thread::sleep(Duration::from_millis(20));
    }
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let said = std::fs::read(lair.path("said.txt")).unwrap();
    assert!(events(&said).iter().all(|event| event["event"] != "found"), "nothing half done is kept");
    lair.write("hurry", "");
    let output = lair.howler(&args);
    assert_eq!(output.code, Some(1), "{}\n{}", output.stdout_text(), output.stderr_text());
    assert_eq!(findings(&lair.path("hunt")).keys().collect::<Vec<_>>(), ["wrong-code"]);
    lair.assert_nothing_left();
}
