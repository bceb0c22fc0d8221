//! `howler spe` and hunts of variants: the real command.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

mod common;

use std::collections::BTreeSet;
use std::process::Command;

use common::{HOWLER, Lair, events};
use howler_testkit::{Options, end_of, run, tool, undisturbed, wait_for};
use serde_json::Value;

/// The paper's figure 7: three holes for two variables, two holes for four.
const FIGURE_7: &str = "int f(void)\n{\n    int a, b;\n    a = b;\n    if (a) {\n        int c, d;\n        c = d;\n    }\n    return 0;\n}\n";

/// The paper's figure 6.
const FIGURE_6: &str = "int main()\n{\n    int a = 1, b = 0;\n    if (a) {\n        int c = 3, d = 5;\n        b = c + d;\n    }\n    __builtin_printf(\"%d\", a);\n    __builtin_printf(\"%d\", b);\n    return 0;\n}\n";

fn lair() -> Option<Lair> {
    tool("gcc")?;
    let lair = Lair::new();
    lair.write("six.c", FIGURE_6);
    lair.write("seven.c", FIGURE_7);
    Some(lair)
}

fn json(lair: &Lair, args: &[&str]) -> Vec<Value> {
    let output = lair.howler([&["spe", "--json"], args].concat());
    assert_eq!(output.code, Some(0), "{args:?}: {}", output.stderr_text());
    events(&output.stdout)
}

#[test]
fn the_papers_figures_are_counted() {
    let Some(lair) = lair() else { return };
    let seven = &json(&lair, &["seven.c"])[0];
    let numbers = ["naive", "exact", "by_function", "paper"].map(|key| seven[key].as_str().unwrap_or("none"));
    assert_eq!(numbers, ["128", "40", "40", "36"]);
    assert_eq!((&seven["holes"], &seven["file"]), (&Value::from(5), &Value::from("seven.c")));
    let paper = lair.howler(["spe", "--paper", "seven.c"]).stdout_text();
    assert!(paper.contains(" 36\n") && !paper.contains("40"), "{paper}");
    let six = &json(&lair, &["--ignore-initializers", "--declarator-holes", "six.c"])[0];
    let keys = ["naive", "exact", "declarators", "declarators_unscoped"];
    let numbers = keys.map(|key| six[key].as_str().unwrap_or("none"));
    assert_eq!(numbers, ["512", "144", "32768", "1048576"]);
    assert_eq!(json(&lair, &["six.c"])[0]["exact"], "512", "its initialisers differ");
}

#[test]
fn every_variant_is_written_once_and_gcc_takes_it() {
    let Some(lair) = lair() else { return };
    let made = lair.howler(["spe", "seven.c", "-o", "all"]);
    assert_eq!((made.code, made.stdout_text().as_str()), (Some(0), "40 programs in all\n"));
    let mut texts = BTreeSet::new();
    for index in 0..40 {
        let name = format!("all/seven-{index}.c");
        let text = std::fs::read_to_string(lair.path(&name)).unwrap();
        let (comment, program) = text.split_once('\n').unwrap();
        assert_eq!(comment, format!("/* variant {index} of seven.c */"));
        assert!(texts.insert(program.to_owned()), "{name} is there twice");
        let path = lair.text_path(&name);
        let taken = run("gcc", ["-fsyntax-only", "-w", &path], &Options::default());
        assert!(taken.success(), "{}", taken.stderr_text());
        // The same number is the same program, by itself too.
        if index % 13 == 0 {
            let number = index.to_string();
            assert_eq!(lair.howler(["spe", "seven.c", "--index", &number]).stdout_text(), text);
        }
    }
    let original = lair.howler(["check", "--print", "seven.c"]).stdout_text();
    let first = std::fs::read_to_string(lair.path("all/seven-0.c")).unwrap();
    assert_eq!(first.split_once('\n').unwrap().1, original, "0 is the program itself");
}

#[test]
fn a_sample_has_no_variant_twice() {
    let Some(lair) = lair() else { return };
    let indices = |args: &[&str]| -> Vec<String> {
        let all = json(&lair, args);
        all.iter().map(|one| one["index"].as_str().unwrap().to_owned()).collect()
    };
    let sample = indices(&["six.c", "--sample", "100"]);
    assert_eq!(sample, indices(&["six.c", "--sample", "100"]));
    assert_ne!(sample, indices(&["six.c", "--sample", "100", "--seed", "2"]));
    assert_eq!(sample.iter().collect::<BTreeSet<_>>().len(), 100);
    assert_eq!(indices(&["six.c", "--sample", "600"]).len(), 512, "there are no more");
    let limited = lair.howler(["spe", "six.c", "-o", "few", "--limit", "10"]);
    assert!(limited.success() && limited.stderr_text().contains("512 variants: 10 of them"));
    assert_eq!(std::fs::read_dir(lair.path("few")).unwrap().count(), 10);
}

/// A program whose variants have more digits than a machine's number.
#[test]
fn huge_numbers_have_variants() {
    let Some(lair) = lair() else { return };
    let body: String = (0..200).map(|_| "    a = b;\n").collect();
    lair.write("huge.c", format!("int f(int a, int b)\n{{\n{body}    return a;\n}}\n"));
    let number = format!("1{}", "0".repeat(70));
    let output = lair.howler(["spe", "huge.c", "--index", &number]);
    assert!(output.success() && output.stdout_text().starts_with(&format!("/* variant {number} of")));
    let files = lair.howler(["spe", "huge.c", "--index", &number, "-o", "huge"]);
    assert!(files.success(), "{}", files.stderr_text());
    assert_eq!(std::fs::read_dir(lair.path("huge")).unwrap().count(), 1);
    let text = lair.howler(["spe", "huge.c"]).stdout_text();
    assert!(text.contains("e120"), "{text}");
}

#[test]
fn headers_stay_lines() {
    let Some(lair) = lair() else { return };
    lair.write("own.h", "int own;\n");
    let main = "int main(void) { int a = 1, b = 2; printf(\"%d\", a + b + own); return 0; }\n";
    lair.write("lines.c", format!("#define _GNU_SOURCE\n#include <stdio.h>\n#include \"own.h\"\n{main}"));
    let text = lair.howler(["spe", "lines.c", "--index", "3"]).stdout_text();
    assert!(text.contains("#include <stdio.h>\n") && text.contains("int own;\n"), "{text}");
    lair.write("again.c", &text);
    let path = lair.text_path("again.c");
    let taken =
        run("gcc", ["-fsyntax-only", "-Werror=implicit-function-declaration", &path], &Options::default());
    assert!(taken.success(), "{}", taken.stderr_text());
}

#[test]
fn mistakes_are_named() {
    let Some(lair) = lair() else { return };
    lair.write("bad.c", "int f(void) { return x; }\n");
    lair.write("plain", "not a folder\n");
    lair.write("full/seven-0.c", "something else\n");
    let cases: &[(&[&str], i32, &str)] = &[
        (&["missing.c"], 2, "missing.c"),
        (&["bad.c"], 1, "bad.c:1:"),
        (&["seven.c", "--index", "40"], 2, "no variant 40: the last one is 39"),
        (&["seven.c", "--index", "1.5"], 2, "is no number of a variant"),
        (&["seven.c", "--index", "1", "--sample", "2"], 2, "cannot be used with"),
        (&["seven.c", "--count", "-o", "x"], 2, "cannot be used with"),
        (&["seven.c", "--paper", "--sample", "3"], 2, "cannot be used with"),
        (&["seven.c", "--force"], 2, "--out"),
        (&["seven.c", "-o", "plain"], 2, "plain"),
        (&["seven.c", "-o", "full"], 2, "is something else"),
        (&[], 2, "FILE"),
    ];
    for (args, code, part) in cases {
        let output = lair.howler(["spe"].iter().chain(args.iter()));
        let said = output.stderr_text();
        assert_eq!(output.code, Some(*code), "{args:?}: {said}");
        assert!(said.contains(part) && !said.contains("panicked"), "{args:?}: {said}");
    }
    // One bad file does not keep the others from being counted.
    let both = lair.howler(["spe", "bad.c", "seven.c"]);
    assert!(both.code == Some(1) && both.stdout_text().contains("seven.c: 5 holes"));
    let help = lair.howler(["spe", "--help"]).stdout_text();
    assert!(help.contains("Examples:") && help.lines().all(|line| line.chars().count() <= 120), "{help}");
}

#[test]
fn ctrl_c_ends_it_with_130() {
    let Some(lair) = lair() else { return };
    let body: String = (0..200).map(|_| "    a = b;\n").collect();
    lair.write("huge.c", format!("int f(int a, int b)\n{{\n{body}    return a;\n}}\n"));
    let mut child = undisturbed(HOWLER)
        .args(["spe", "huge.c", "-o", "many", "--sample", "1000000000"])
        .current_dir(lair.path(""))
        .spawn()
        .unwrap();
    let many = lair.path("many");
    wait_for(&mut child, "programs", || std::fs::read_dir(&many).is_ok_and(|all| all.count() > 5));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(end_of(&mut child).code(), Some(130));
    // Every file is whole.
    for entry in std::fs::read_dir(&many).unwrap().map(Result::unwrap) {
        assert!(std::fs::read_to_string(entry.path()).unwrap().ends_with("}\n"));
    }
}

/// A hunt over a folder: all variants are tests, the files themselves first, and it ends when there are no more.
#[test]
fn a_hunt_tries_all_variants_of_a_folder() {
    if tool("tcc").is_none() {
        return;
    }
    let Some(lair) = lair() else { return };
    let program = "int main(void)\n{\n    int a = 1, b = 1, c = 5;\n    a = c;\n    return a - b;\n}\n";
    lair.write("tests/small.c", program);
    lair.write("tests/none.c", "int main(void) { return 0; }\n");
    lair.write("tests/broken.c", "int main(void) { return }\n");
    let args = ["hunt", "--cc", "tcc", "--from", "tests", "--json", "--extras", "0"];
    let hunted = lair.howler(args);
    assert_eq!(hunted.code, Some(0), "{}", hunted.stderr_text());
    assert!(hunted.stderr_text().contains("takes 2 of 3 files"), "{}", hunted.stderr_text());
    let all = events(&hunted.stdout);
    let tests: Vec<&Value> = all.iter().filter(|event| event["event"] == "tested").collect();
    // Four holes for three variables, of which two are interchangeable: (3^4 + 1) / 2.
    assert_eq!(tests.len(), 41 + 1);
    assert!(tests.iter().filter(|test| test["verdict"] == "undefined").count() == 0);
    assert!(tests.iter().any(|test| test["test"] == "small.c variant 0"));
    let again = lair.howler(args);
    let left = events(&again.stdout).iter().filter(|event| event["event"] == "tested").count();
    assert_eq!((again.code, left), (Some(0), 0), "nothing is left to do");
    for (args, part) in [
        (&["--gen", "spe:fils=3", "--from", "tests"][..], "did you mean 'files'"),
        (&["--gen", "orange", "--from", "tests"], "--from is for --gen spe"),
        (&["--from", "missing"], "missing"),
    ] {
        let output = lair.howler([&["hunt", "--cc", "tcc", "--dir", "other"], args].concat());
        assert!(output.code == Some(2) && output.stderr_text().contains(part), "{}", output.stderr_text());
    }
}
