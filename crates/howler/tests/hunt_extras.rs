//! What a hunt asks beside the levels: volatile accesses, `-g`, link-time optimisation, profiles. Compilers are gcc with a
//! fault that only the right question shows.

mod common;

use common::{Lair, events};
use howler_testkit::{Output, tool};
use serde_json::Value;

/// The kinds and titles of what a hunt found.
fn found(output: &Output) -> Vec<(String, String)> {
    let events = events(&output.stdout);
    let last = events.last().filter(|last| last["event"] == "ended");
    let found = last.and_then(|last| last["found"].as_array()).expect("the hunt says what it found");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    found.iter().map(|one| (text(&one["kind"]), text(&one["title"]))).collect()
}

fn hunt(lair: &Lair, folder: &str, compiler: &str, more: &[&str]) -> Output {
    let mut args =
        vec!["hunt", "--dir", folder, "--cc", compiler, "--corpus", "corpus", "--swarm", "0", "--jobs", "2"];
    args.extend(["--tests", "100", "--json"]);
    args.extend(more);
    lair.howler(&args)
}

#[test]
fn a_dropped_volatile_store_is_found_if_asked_for() {
    if tool("gcc-12").is_none() {
        return;
    }
    let lair = Lair::new();
    let edit = "sed -i '/movl.*\\$1, v(%rip)/d' \"$last\"";
    lair.script("bin/as", &format!("#!/bin/sh\nfor last; do :; done\n{edit}\nexec /usr/bin/as \"$@\"\n"));
    let compiler = format!("#!/bin/sh\nexec gcc-12 -B {}/ \"$@\"\n", lair.text_path("bin"));
    let compiler = lair.script("cc", &compiler);
    lair.write("corpus/a.c", "volatile int v; int main(void) { v = 1; v = 2; return v; }\n");
    lair.write("corpus/b.c", "volatile int w; int main(void) { w = 1; w = 2; return w; }\n");
    let levels = ["--extras", "0", "--level", "-O0", "--level", "-O2"];
    let without = hunt(&lair, "without", &compiler, &levels);
    assert_eq!((found(&without), without.code), (vec![], Some(0)), "{}", without.stderr_text());
    let with = hunt(&lair, "with", &compiler, &[&levels[..], &["--trace-volatile"]].concat());
    let kinds: Vec<String> = found(&with).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!((kinds, with.code), (vec!["wrong-code".to_owned()], Some(1)), "{}", with.stderr_text());
    let findings = std::fs::read_dir(lair.path("with/findings")).unwrap().flatten().next().unwrap().path();
    let readme = std::fs::read_to_string(findings.join("README.txt")).unwrap();
    // One store is left of two.
    assert!(readme.contains("after 0 accesses 'write v+0 4 0x1' is missing"), "{readme}");
    assert!(readme.contains("makes wrong code for volatile stored"), "{readme}");
    let spec = std::fs::read_to_string(lair.path("with/campaign.toml")).unwrap();
    assert!(spec.contains("trace-volatile = true"), "{spec}");
    lair.assert_nothing_left();
}

#[test]
fn extras_show_what_levels_do_not() {
    if tool("gcc-12").is_none() {
        return;
    }
    let lair = Lair::new();
    // The same program again and again: each draws one of four flags, by a line that has the folder's name in it. That
    // none of 44 draws the right one happens once in 300,000 times.
    for number in 0..44 {
        lair.write(
            &format!("corpus/{number:02}.c"),
            format!("int x{number}; int main(void) {{ return 3; }}\n"),
        );
    }
    for flag in ["-flto", "-fprofile-use"] {
        let spoil = "for f in *.[ci]; do sed -i 's/return 3/return 4/' \"$f\"; done";
        let restore = "for f in *.[ci]; do sed -i 's/return 4/return 3/' \"$f\"; done";
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in *-###*) exit 1 ;; esac\n\
             case \" $* \" in *' {flag} '*) {spoil}; gcc-12 \"$@\"; s=$?; {restore}; exit $s ;; esac\n\
             exec gcc-12 \"$@\"\n"
        );
        let compiler = lair.script(&format!("cc{flag}"), &script);
        let level = ["--level", "-O1"];
        let none = hunt(&lair, &format!("none{flag}"), &compiler, &[&level[..], &["--extras", "0"]].concat());
        assert_eq!((found(&none), none.code), (vec![], Some(0)), "{}", none.stderr_text());
        let all = hunt(&lair, &format!("all{flag}"), &compiler, &[&level[..], &["--extras", "100"]].concat());
        let found = found(&all);
        assert_eq!(all.code, Some(1), "{}", all.stderr_text());
        assert!(
            found.iter().all(|(kind, title)| kind == "wrong-code" && title.contains(flag))
                && found.len() == 1,
            "{found:?}"
        );
    }
    lair.assert_nothing_left();
}

#[test]
fn extras_find_nothing_in_good_compilers() {
    let lair = Lair::new();
    lair.write("corpus/exit.c", "int main(void) { return 3; }\n");
    lair.write(
        "corpus/loop.c",
        "int main(void) { int s = 0; for (int i = 0; i < 99; i++) s += i % 7; return s & 63; }\n",
    );
    // It leaves no profile.
    lair.write("corpus/abort.c", "void abort(void); int main(void) { abort(); }\n");
    for compiler in ["gcc-12", "clang-16"] {
        if tool(compiler).is_none() {
            continue;
        }
        let output =
            hunt(&lair, compiler, compiler, &["--level", "-O2", "--level", "-O1", "--extras", "100"]);
        assert_eq!((found(&output), output.code), (vec![], Some(0)), "{}", output.stdout_text());
    }
    lair.assert_nothing_left();
}
