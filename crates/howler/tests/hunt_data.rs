//! What a hunt leaves: findings as data, programs of sightings, marks, signatures that can be computed again.
#![allow(clippy::disallowed_methods, reason = "scripts of findings are run as a stranger would")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Lair, TCC_BUG, assert_same_rows, rows};
use howler_case::{Id, Status};
use howler_oracle::finding::data::Data;
use howler_store::{Finding, Ledger, NewFinding, Record, Store};
use howler_testkit::{soak, tool};
use serde_json::Value;

/// Another fault of tcc's, seen in the output as well: it takes `~` of an unsigned value for negative.
const OTHER_BUG: &str = "int printf(const char *, ...);\n\
    int main(void) { int x = 0; printf(\"%d\\n\", ~(unsigned) (x && -1) < 0); return 0; }\n";

/// Two programs more than are kept of one signature.
const PROGRAMS: usize = howler_store::PROGRAMS + 2;

const FINE: &str = "int main(void) { return 0; }\n";

fn hunt(lair: &Lair, folder: &str, more: &[&str]) -> howler_testkit::Output {
    let mut args =
        vec!["hunt", "--dir", folder, "--cc", "tcc", "--corpus", "corpus", "--swarm", "0", "--plain"];
    args.extend(more);
    lair.howler(args)
}

/// The output of a command that must succeed.
fn said(lair: &Lair, args: &[&str]) -> String {
    let output = lair.howler(args);
    assert!(matches!(output.code, Some(0 | 1)), "{args:?}: {}", output.stderr_text());
    output.stdout_text().to_string()
}

fn shown(lair: &Lair, folder: &str) -> Value {
    serde_json::from_str(&said(lair, &["findings", "show", "", "--dir", folder, "--json"])).unwrap()
}

#[test]
fn a_finding_is_data() {
    if tool("tcc").is_none() || tool("gcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("corpus/0.c", TCC_BUG);
    assert_eq!(hunt(&lair, "hunt", &[]).code, Some(1));
    let value = shown(&lair, "hunt");
    let finding = &value["finding"];
    for field in ["title", "kind", "status", "family", "language", "origin", "run", "verdict"] {
        assert!(finding[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {value:#}");
    }
    assert_eq!((&value["version"], &finding["version"]), (&1.into(), &1.into()));
    assert_eq!(finding["configurations"][0], "tcc");
    let attempt = &finding["attempts"][0];
    assert!(attempt["command"].as_str().unwrap().starts_with("tcc "), "{value:#}");
    assert!(attempt["version"].as_str().unwrap().starts_with("tcc 0."), "{value:#}");
    assert_eq!(
        (&attempt["program_end"], &finding["expected"]["status"]),
        (&"exit status 0".into(), &0.into())
    );
    assert_ne!(attempt["output"]["text"], finding["expected"]["output"]["text"]);
    assert!(finding["signature"]["evidence"].as_str().unwrap().starts_with("pattern\n"), "{value:#}");
    assert_eq!(finding["signature"]["pattern"], "i8 to u16");
    // Nobody hunts gcc here, and it is asked all the same.
    let witness = &finding["witnesses"][0];
    assert!(witness["configuration"].as_str().unwrap().starts_with("gcc") && witness["agrees"] == true);
    assert_eq!(value["events"][0]["what"], "confirmed");
    // All fields are explained.
    let document = include_str!("../../../docs/finding-json.md");
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<String>>();
    for name in names(&value).iter().chain(&names(finding)).chain(&names(attempt)).chain(&names(witness)) {
        let explained = [format!("`{name}`"), format!(".{name}`"), format!("`expected.{name}`")];
        assert!(explained.iter().any(|part| document.contains(part)), "docs/finding-json.md lacks {name}");
    }
    // The text is made from it.
    let readme =
        std::fs::read_to_string(lair.path(value["folder"].as_str().unwrap()).join("README.txt")).unwrap();
    for part in [
        finding["title"].as_str().unwrap(),
        "(unsigned short)c ^ ",
        "note: made smaller from 3 lines (original-0.c)",
        "$ tcc -std=gnu17",
        "expected: exit status 0, and this output:",
        "gcc -O0, ",
        attempt["version"].as_str().unwrap(),
    ] {
        assert!(readme.contains(part), "{part}\n{readme}");
    }
    assert!(said(&lair, &["findings", "show", "", "--dir", "hunt"]).contains(&readme), "{readme}");
}

#[test]
fn programs_of_a_coarse_signature_are_kept_and_listed() {
    if ["tcc", "gcc-12", "clang-16"].into_iter().any(|name| tool(name).is_none()) {
        return;
    }
    let lair = Lair::new();
    // Nobody knows what these mean, so they stay as they are: compilers are compared with each other only.
    let unknown = "int main(void) { file = fopen(\"/dev/null\", \"r\");";
    for number in 0..PROGRAMS {
        let bug = if number % 2 == 0 { TCC_BUG } else { OTHER_BUG };
        let bug = bug.replace("int main(void) {", unknown);
        let text = format!("#include <stdio.h>\nint unused{number};\nFILE *file;\n{bug}");
        lair.write(&format!("corpus/{number:02}.c"), text);
    }
    let compilers = ["--cc", "gcc-12", "--cc", "clang-16", "--level", "-O0", "--extras", "0"];
    assert_eq!(hunt(&lair, "hunt", &compilers).code, Some(0), "suspects are no findings");
    let value = shown(&lair, "hunt");
    assert_eq!((&value["seen"], &value["programs"]), (&PROGRAMS.into(), &PROGRAMS.into()), "{value:#}");
    assert_eq!(value["may_be_several_bugs"], true);
    let sightings = value["sightings"].as_array().unwrap();
    let kept: Vec<bool> = sightings.iter().map(|one| one["kept"] == true).collect();
    assert_eq!(kept, (0..PROGRAMS).map(|number| number < howler_store::PROGRAMS).collect::<Vec<_>>());
    let text = said(&lair, &["findings", "show", "", "--dir", "hunt"]);
    let words = format!("{PROGRAMS} programs that may be several bugs");
    assert!(text.contains(&words) && text.contains(&format!("{}.c", PROGRAMS - 1)), "{text}");
    // The quota works on them: what stands for the signature stays.
    let mut store = Store::open(&lair.path("hunt")).unwrap();
    let findings = store.findings().unwrap();
    let trimmed = store.trim(1).unwrap();
    assert_eq!((trimmed.removed, trimmed.over), (howler_store::PROGRAMS as u64 - 1, true), "{trimmed:?}");
    assert_eq!(store.findings().unwrap(), findings);
    drop(store);
    let value = shown(&lair, "hunt");
    let kept = value["sightings"].as_array().unwrap().iter().filter(|one| one["kept"] == true).count();
    assert_eq!((kept, &value["seen"]), (1, &PROGRAMS.into()));
}

/// A hunt in the second of two parts, and then in the first one, which has a better program for the same signature.
fn marked_between(mark: &str) -> (Lair, howler_testkit::Output) {
    let lair = Lair::new();
    for number in 0..80 {
        let bug = if number == 3 || number == 70 { TCC_BUG } else { FINE };
        lair.write(&format!("corpus/{number:02}.c"), format!("int unused{number};\n{bug}"));
    }
    assert_eq!(hunt(&lair, "hunt", &["--shard", "2/2"]).code, Some(1));
    let marked = said(&lair, &["findings", "mark", "", mark, "--note", "PR 1", "--dir", "hunt"]);
    assert!(marked.contains(&format!("marked {mark}")), "{marked}");
    let output = hunt(&lair, "hunt", &["--shard", "1/2", "--until-finding"]);
    (lair, output)
}

fn finding_in(lair: &Lair, folder: &str) -> Finding {
    Store::open_read_only(&lair.path(folder)).unwrap().findings().unwrap().remove(0)
}

#[test]
fn hunts_obey_marks() {
    if tool("tcc").is_none() {
        return;
    }
    // A better program takes the place of the known one, without a word.
    let (lair, output) = marked_between("known");
    assert_eq!(output.code, Some(0), "{}", output.stdout_text());
    assert!(!output.stdout_text().contains("new finding"), "{}", output.stdout_text());
    assert_eq!(finding_in(&lair, "hunt").index, 3);
    let tests = rows(&lair.path("hunt")).lines().filter(|line| line.starts_with("test ")).count();
    assert_eq!(tests, 80, "the hunt ended at a finding that is known");
    let listed = |more: &[&str]| {
        let args = [&["findings", "list", "--dir", "hunt"], more].concat();
        said(&lair, &args)
    };
    // The mark is the signature's, whichever program stands for it.
    assert!(listed(&[]).contains(" known ") && listed(&["--mark", "known"]).contains("wrong-code"));
    assert!(listed(&["--unmarked"]).contains("no findings"), "{}", listed(&["--unmarked"]));
    assert!(listed(&["--mark", "fixed"]).contains("no findings"));
    let value = shown(&lair, "hunt");
    assert_eq!((&value["mark"], &value["note"]), (&"known".into(), &"PR 1".into()));
    let said_then = value["events"].as_array().unwrap().iter().map(|event| event["what"].as_str().unwrap());
    assert_eq!(said_then.collect::<Vec<_>>(), ["confirmed", "marked known", "confirmed"]);
    // And taken away again.
    said(&lair, &["findings", "mark", "", "none", "--dir", "hunt"]);
    assert!(listed(&["--unmarked"]).contains("wrong-code"));

    // Nobody looks again at what is ignored, and it is counted.
    let (lair, output) = marked_between("ignored");
    assert_eq!(output.code, Some(0), "{}", output.stdout_text());
    assert_eq!((finding_in(&lair, "hunt").index, &shown(&lair, "hunt")["seen"]), (70, &2.into()));

    // What is said to be fixed is news.
    let (_, output) = marked_between("fixed");
    assert_eq!(output.code, Some(1), "{}", output.stdout_text());

    let refused = lair.howler(["findings", "mark", "", "wontfix", "--dir", "hunt"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr_text().contains("known, reported, fixed and ignored are"),
        "{}",
        refused.stderr_text()
    );
}

#[test]
fn marks_are_merged() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("corpus/0.c", TCC_BUG);
    for (folder, mark) in [("one", "ignored"), ("two", "reported")] {
        assert_eq!(hunt(&lair, folder, &[]).code, Some(1));
        said(&lair, &["findings", "mark", "", mark, "--dir", folder]);
    }
    for (all, parts) in [("a", ["one", "two"]), ("b", ["two", "one"])] {
        let text = said(&lair, &["merge", all, parts[0], parts[1]]);
        assert!(text.contains("1 new tests, 1 new findings, 1 new marks"), "{text}");
    }
    assert_same_rows(&rows(&lair.path("a")), &rows(&lair.path("b")), "merged");
    assert_eq!(shown(&lair, "a")["mark"], "ignored");
}

/// A copy of a folder whose signatures are those of another rule: of each sighting, by its test's number.
fn under_old_rule(lair: &Lair, from: &str, to: &str, rule: &dyn Fn(u64) -> Id) {
    let from = Store::open_read_only(&lair.path(from)).unwrap();
    let mut into = Store::create(&lair.path(to), &from.campaign().unwrap()).unwrap();
    for (key, value) in from.meta().unwrap() {
        into.set_meta(&key, &value).unwrap();
    }
    for counts in from.arms().unwrap() {
        into.register(&counts.arm).unwrap();
        for mut record in from.tests(counts.arm.id(), 0, usize::MAX).unwrap() {
            let index = record.test.index;
            record.sightings.iter_mut().for_each(|seen| seen.signature = rule(index));
            let named = record.sightings.iter().flat_map(|seen| &seen.blobs);
            let blobs = named.filter_map(|id| from.blob(*id).unwrap()).collect();
            into.record(&[Record { blobs, ..record }]).unwrap();
        }
    }
    for finding in from.findings().unwrap() {
        let blobs = finding.files.iter().filter_map(|file| from.blob(file.blob).unwrap()).collect();
        let old = Finding { signature: rule(finding.index), ..finding };
        into.put_finding(&NewFinding::with_blobs(old, blobs).unwrap()).unwrap();
    }
}

/// What regrouping and going on must lead to: the rows of a hunt with today's rules. A finding's folder may differ in
/// nothing.
#[test]
fn signatures_are_computed_again() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let crash = "int main(void) { return (__int128) 7 != 7; }\n";
    for number in 0..12 {
        let text = match number % 4 {
            0 => TCC_BUG,
            // Another status, another signature.
            1 => "int main(void) { int x = 0; return ~(unsigned) (x && -1) < 0; }\n",
            2 => crash,
            _ => FINE,
        };
        lair.write(&format!("corpus/{number:02}.c"), format!("int unused{number};\n{text}"));
    }
    assert_eq!(hunt(&lair, "today", &[]).code, Some(1));
    let today = rows(&lair.path("today"));
    let findings = today.lines().filter(|line| line.starts_with("finding ")).count();
    assert!(findings >= 2, "{today}");

    // All were one: they fall apart. One is the old finding, the others wait.
    let count = |folder: &str| {
        let found = Store::open_read_only(&lair.path(folder)).unwrap().findings().unwrap();
        let waiting = found.iter().filter(|finding| finding.status == Status::Waiting).count();
        (found.len(), waiting)
    };
    under_old_rule(&lair, "today", "coarse", &|_| Id::of(b"all"));
    said(&lair, &["findings", "mark", "", "reported", "--dir", "coarse"]);
    assert_eq!(count("coarse"), (1, 0));
    let before = rows(&lair.path("coarse"));
    let text = said(&lair, &["findings", "regroup", "--dry-run", "--dir", "coarse"]);
    assert!(text.contains(&format!("1 findings would become {findings}")), "{text}");
    assert_same_rows(&rows(&lair.path("coarse")), &before, "a dry run");
    said(&lair, &["findings", "regroup", "--dir", "coarse"]);
    assert_eq!(count("coarse"), (findings, findings - 1));
    let listed = said(&lair, &["findings", "list", "--dir", "coarse"]);
    assert!(listed.contains("wait for a second look") && listed.contains(" reported "), "{listed}");
    let regrouped = rows(&lair.path("coarse"));
    let text = said(&lair, &["findings", "regroup", "--dir", "coarse"]);
    assert!(text.contains("0 of them get another signature"), "{text}");
    assert_same_rows(&rows(&lair.path("coarse")), &regrouped, "regrouped again");
    // A hunt that goes on takes the second looks, and says so by its status.
    assert_eq!(hunt(&lair, "coarse", &[]).code, Some(1));
    assert_eq!(count("coarse"), (findings, 0));
    said(&lair, &["findings", "mark", &marked_id(&lair, "coarse"), "none", "--dir", "coarse"]);
    assert_same_rows(&rows(&lair.path("coarse")), &today, "fallen apart and confirmed");

    // Each was one of its own: they fall together, and the best stands for all.
    let of_test = |index: u64| Id::of(format!("test {index}").as_bytes());
    under_old_rule(&lair, "today", "fine", &of_test);
    assert_eq!(count("fine"), (findings, 0));
    said(&lair, &["findings", "regroup", "--dir", "fine"]);
    assert_same_rows(&rows(&lair.path("fine")), &today, "fallen together");
    let store = Store::open(&lair.path("fine")).unwrap();
    assert_eq!((store.repairs().rewritten.len(), store.repairs().unknown.len()), (0, 0));
    lair.assert_nothing_left();
}

fn marked_id(lair: &Lair, folder: &str) -> String {
    let line = said(lair, &["findings", "list", "--mark", "reported", "--dir", folder, "--json"]);
    let row: Value = serde_json::from_str(&line).unwrap();
    row["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_folder_of_an_older_version_is_listed() {
    let lair = Lair::new();
    lair.write("old/campaign.toml", "seed = 7\n");
    let database = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/tests/fixtures/v1.db");
    std::fs::copy(database, lair.path("old/howler.db")).unwrap();
    let text = said(&lair, &["findings", "list", "--all", "--dir", "old"]);
    assert!(text.contains("gcc-12 -O2 crashes") && text.contains("flaky"), "{text}");
    let id = text.split_whitespace().next().unwrap();
    assert!(said(&lair, &["findings", "show", id, "--dir", "old"]).contains("--- test.c"));
    let text = said(&lair, &["findings", "regroup", "--dir", "old"]);
    assert!(text.contains("stay as they are"), "{text}");
}

/// A program with much around the fault.
fn padded() -> String {
    let mut text = String::from("int printf(const char *, ...);\nsigned char c = -1;\n");
    for number in 0..2 {
        text.push_str(&format!(
            "static int table{number}[3] = {{ 1, {number}, 3 }};\n\
             static int sum{number}(int from) {{\n    int total = 0;\n    for (int i = from; i < 3; i++) {{\n        \
             if (table{number}[i] > 1)\n            total += table{number}[i];\n    }}\n    return total;\n}}\n"
        ));
    }
    text.push_str("int main(void) {\n    int all = 0;\n");
    for number in 0..2 {
        text.push_str(&format!("    all += sum{number}({});\n", number % 3));
    }
    text.push_str(
        "    printf(\"%d %d\\n\", all, (unsigned short) c ^ (signed char) 0x99);\n    return 0;\n}\n",
    );
    text
}

/// Runs a finding's predicate in a folder.
fn interesting(script: &Path, folder: &Path) -> Option<i32> {
    Command::new("sh").arg(script).current_dir(folder).status().unwrap().code()
}

#[test]
fn reducers_take_the_predicate() {
    if tool("tcc").is_none() || tool("gcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let text = padded();
    lair.write("corpus/0.c", &text);
    assert_eq!(hunt(&lair, "hunt", &[]).code, Some(1));
    let folder: PathBuf = lair.path(shown(&lair, "hunt")["folder"].as_str().unwrap());
    let script = folder.join("test.sh").canonicalize().unwrap();
    let name = finding_files(&folder)[0].clone();
    // All they can do takes minutes; a few passes take seconds, and ask the same question in the same way.
    let quick = [("cvise", &["--n", "2", "--pass-group", "delta"][..], 2)];
    let whole = [("cvise", &["--n", "2"][..], 4), ("creduce", &["--n", "2"], 4)];
    for (reducer, arguments, times) in if soak() { &whole[..] } else { &quick } {
        let Some(reducer) = tool(reducer) else { continue };
        let file = lair.write(&format!("{}/{name}", reducer.display().to_string().replace('/', "_")), &text);
        let here = file.parent().unwrap();
        assert_eq!(interesting(&script, here), Some(0));
        let output = Command::new(&reducer)
            .args(*arguments)
            .arg(&script)
            .arg(&name)
            .current_dir(here)
            .env("TMPDIR", lair.path("tmp"))
            .output()
            .unwrap();
        let small = std::fs::read_to_string(&file).unwrap();
        println!("{} {} bytes to {}:\n{small}", reducer.display(), text.len(), small.len());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(small.len() < text.len() / times, "{}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(interesting(&script, here), Some(0));
    }
    // What reducers try, and what must not lead them anywhere.
    for (text, why) in [
        ("", "empty"),
        ("int main(void) { return 0; }\n", "right"),
        ("int main(void) {\n", "no program"),
        (
            "int printf(const char *, ...);\nint main(void) { int x; printf(\"%d\\n\", x); return 0; }\n",
            "uninitialised",
        ),
        (
            "int printf(const char *, ...);\nint main(void) { int a[2]; printf(\"%d\\n\", a[3]); return 0; }\n",
            "beyond",
        ),
        (
            "int printf(const char *, ...);\nint f(void) { }\nint main(void) { printf(\"%d\\n\", f()); }\n",
            "no return",
        ),
        ("int main(void) { for (;;); }\n", "endless"),
    ] {
        let file = lair.write(&format!("tried/{name}"), text);
        assert_eq!(interesting(&script, file.parent().unwrap()), Some(1), "{why}");
    }
}

fn finding_files(folder: &Path) -> Vec<String> {
    Data::parse(&std::fs::read(folder.join("finding.json")).unwrap()).unwrap().files
}

/// A finding makes room for a better one of the same bug; who wrote down its id still finds what stands for the bug.
#[test]
fn the_id_of_a_replaced_finding_leads_to_the_one_in_its_place() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("corpus/a.c", TCC_BUG);
    assert_eq!(hunt(&lair, "folder", &[]).code, Some(1));
    let old = "0123456789abcdef0123456789abcdef";
    let finding = {
        let mut store = Store::open(&lair.path("folder")).unwrap();
        let finding = store.findings().unwrap().remove(0);
        let subject = finding.signature.to_string();
        let (kind, text) = ("confirmed".to_owned(), old.to_owned());
        store.note(&howler_store::Event { at: 1, kind, subject, text }).unwrap();
        finding
    };
    let shown = lair.howler(["findings", "show", "0123456789", "--dir", "folder"]);
    assert!(shown.success(), "{}", shown.stderr_text());
    assert!(shown.stdout_text().contains(&finding.id().to_string()), "{}", shown.stdout_text());
    assert!(shown.stderr_text().contains("has taken the place of 0123456789"), "{}", shown.stderr_text());
    assert_eq!(lair.howler(["findings", "show", "01234567ff", "--dir", "folder"]).code, Some(2));
}
