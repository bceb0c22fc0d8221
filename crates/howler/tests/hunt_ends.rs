//! How hunts begin and end: what they say when nothing was tested, what they go on with, and the documents of the
//! command line.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

mod common;

use std::path::Path;

use common::{Lair, events};
use howler_testkit::{Output, tool};
use serde_json::Value;

const GOOD: &str = "int main(void) { return 0; }\n";
const OVERFLOW: &str = "int main(void) { int x = 2147483647; return x + 1 < 0; }\n";

fn hunt(lair: &Lair, corpus: &str, more: &[&str]) -> Output {
    lair.howler([&["hunt", "--cc", "tcc", "--corpus", corpus][..], more].concat())
}

/// A clean bill of health needs somebody who looked.
#[test]
fn a_hunt_that_tested_nothing_ends_with_2() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("prose/a.c", "hello\n");
    lair.write("prose/b.c", "#include \"no-such.h\"\n");
    let output = lair.howler(["hunt", "--dir", "h", "--cc", "tcc", "--corpus", "prose"]);
    let (said, told) = (output.stderr_text(), output.stdout_text());
    assert_eq!(output.code, Some(2), "{told}{said}");
    assert!(
        said.contains("howler: nothing was tested: no compiler was given a valid program in 2 tests"),
        "{said}"
    );
    // Each is named, with the reason, and so is what the words mean.
    for part in
        ["  rejected: it is no valid C", "    a.c: a.c:1:", "  unreadable: ", "    b.c: ", "no-such.h"]
    {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    let output = lair.howler(["hunt", "--dir", "j", "--cc", "tcc", "--corpus", "prose", "--json"]);
    assert_eq!(output.code, Some(2));
    let events = events(&output.stdout);
    let last = events.last().expect("it ended");
    assert!(last["idle"].as_str().is_some_and(|why| why.starts_with("nothing was tested")), "{last}");
    // Nothing comes before the end of time.
    lair.write("good/a.c", GOOD);
    let output = lair.howler(["hunt", "--dir", "s", "--cc", "tcc", "--corpus", "good", "--shard", "2/2"]);
    assert_eq!(output.code, Some(2), "the second part of one test is none");
    assert!(output.stderr_text().contains("no test was finished"), "{}", output.stderr_text());
}

#[test]
fn a_threshold_is_the_users_choice() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    for (name, text) in [("a", GOOD), ("b", OVERFLOW)] {
        lair.write(&format!("some/{name}.c"), text);
    }
    let hunt = |dir: &str, least: &str| {
        lair.howler(["hunt", "--dir", dir, "--cc", "tcc", "--corpus", "some", "--fail-if-idle", least])
    };
    assert_eq!(hunt("one", "1").code, Some(0));
    let output = hunt("two", "2");
    assert_eq!(output.code, Some(2));
    let said = output.stderr_text();
    assert!(said.contains("1 of 2 tests judged defined, and --fail-if-idle asks for 2"), "{said}");
    // What earlier hunts did is not what this one did.
    assert_eq!(hunt("one", "1").code, Some(2));
}

#[test]
fn going_on_is_said() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("c/a.c", GOOD);
    lair.write("c/bug.c", common::TCC_BUG);
    let first = lair.howler(["hunt", "--dir", "h", "--cc", "tcc", "--corpus", "c"]);
    assert!(!first.stdout_text().contains("going on"), "{}", first.stdout_text());
    let second = lair.howler(["hunt", "--dir", "h", "--cc", "tcc", "--corpus", "c"]);
    let told = second.stdout_text();
    assert_eq!(second.code, Some(0), "all is done: {told}");
    assert!(told.contains("going on: 2 tests of this hunt and 1 finding are there already\n"), "{told}");
    assert!(told.contains("no test was done now; earlier hunts did 2\n"), "{told}");
    // The folder alone says what to do.
    let third = lair.howler(["hunt", "--dir", "h", "--json", "--steps", "1000"]);
    let events = events(&third.stdout);
    let begun = &events[0];
    assert_eq!((&begun["event"], &begun["version"]), (&"begun".into(), &1.into()), "{begun}");
    assert_eq!((&begun["resumed"], &begun["seed"]), (&true.into(), &1.into()), "{begun}");
    let earlier = &begun["earlier"];
    let counts = ["tests", "tests_of_others", "findings"].map(|key| earlier[key].as_u64());
    assert_eq!(counts, [Some(0), Some(2), Some(1)], "other steps are another arm: {begun}");
}

#[test]
fn verdicts_have_names_and_reasons() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("c/sub/over.c", OVERFLOW);
    lair.write("c/good.c", GOOD);
    let events = events(&hunt(&lair, "c", &["--json"]).stdout);
    let of = |name: &str| {
        let one = events.iter().find(|event| event["test"] == name);
        one.unwrap_or_else(|| panic!("{name} is not there: {events:#?}")).clone()
    };
    assert_eq!(
        (of("good.c")["verdict"].clone(), of("good.c")["why"].clone()),
        ("defined".into(), Value::Null)
    );
    let over = of("sub/over.c");
    assert_eq!(over["verdict"], "undefined:overflow-add");
    assert!(over["why"].as_str().is_some_and(|why| why.contains("over.c:1:")), "{over}");
    let told = lair.howler(["help", "verdicts"]);
    assert_eq!(told.code, Some(0));
    for word in ["defined", "undefined", "unsupported", "generator-failed", "deferred"] {
        assert!(told.stdout_text().contains(&format!("\n  {word} ")), "{word}");
    }
}

/// What scripts read is written down.
#[test]
fn documents_name_every_key() {
    if tool("tcc").is_none() || tool("gcc").is_none() {
        return;
    }
    let document = |name: &str| {
        let path = howler_testkit::workspace().join("docs").join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let lair = Lair::new();
    lair.write("c/bug.c", common::TCC_BUG);
    lair.write("c/bug2.c", common::TCC_BUG.replace("0x99", "0x9a"));
    lair.write("c/prose.c", "#include \"no-such.h\"\n");
    let output = lair.howler(["hunt", "--cc", "tcc", "--cc", "gcc -O1", "--corpus", "c", "--json"]);
    let (text, mut seen) = (document("events.md"), std::collections::BTreeSet::new());
    let by_name = ["compilers", "verdicts", "generators"];
    for event in events(&output.stdout) {
        let mut waiting = vec![event];
        while let Some(value) = waiting.pop() {
            waiting.extend(value.as_array().cloned().unwrap_or_default());
            for (key, value) in value.as_object().into_iter().flatten() {
                seen.insert(key.clone());
                // What is below has names of its own for keys, and counts below those.
                let named = value.as_object().filter(|_| by_name.contains(&key.as_str()));
                let below = |map: &serde_json::Map<String, Value>| map.values().cloned().collect::<Vec<_>>();
                waiting.extend(named.map_or_else(|| vec![value.clone()], below));
            }
        }
    }
    for key in seen {
        assert!(text.contains(&format!("`{key}`")), "docs/events.md does not name {key}");
    }
    let text = document("campaign.md");
    let file = std::fs::read_to_string(lair.path("howler-hunt/campaign.toml")).expect("it is there");
    for line in file.lines().filter(|line| line.contains(" = ")) {
        let key = line.split(" = ").next().expect("a key");
        assert!(text.contains(&format!("\n{key} = ")), "docs/campaign.md does not show {key}");
    }
}

#[test]
fn a_seed_can_be_drawn_and_is_kept() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let args = ["hunt", "--cc", "tcc", "--gen", "orange:operations=10..20", "--seed", "random"];
    let hunt = |dir: &str, tests: &str| {
        lair.howler(args.iter().copied().chain(["--dir", dir, "--tests", tests])).stdout_text()
    };
    let told = hunt("one", "1");
    let seed = told.split("drawn: --seed ").nth(1).and_then(|rest| rest.split(',').next()).expect("a seed");
    let file = std::fs::read_to_string(lair.path("one/campaign.toml")).expect("it is there");
    assert!(file.contains(&format!("\nseed = {seed}\n")) && file.contains("\nversion = 1\n"), "{file}");
    let again = hunt("one", "2");
    assert!(again.contains(&format!("was begun with --seed {seed}, and goes on with it")), "{again}");
    assert!(!hunt("two", "1").contains(&format!("--seed {seed},")), "2^32 to 1");
}

#[test]
fn corpora_include_from_where_the_user_says() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("c/a.c", "#include <answer.h>\nint main(void) { return ANSWER - 42; }\n");
    lair.write("inc/answer.h", "#define ANSWER 42\n");
    let without = hunt(&lair, "c", &[]);
    assert_eq!(without.code, Some(2), "{}", without.stdout_text());
    assert!(without.stdout_text().contains("answer.h"), "{}", without.stdout_text());
    let with = |more: &[&str]| lair.howler([&["hunt", "--dir", "h", "--json"][..], more].concat());
    let output = with(&["--cc", "tcc", "--corpus", "c", "-I", "inc"]);
    assert_eq!(output.code, Some(0), "{}", output.stderr_text());
    assert!(events(&output.stdout).iter().any(|event| event["verdict"] == "defined"));
    // It is written down, and a header that changes makes new tests.
    lair.write("inc/answer.h", "#define ANSWER 43\n");
    let output = with(&[]);
    let events = events(&output.stdout);
    assert_eq!(events[0]["earlier"]["tests"], 0, "{}", events[0]);
    assert!(events.iter().any(|event| event["verdict"] == "defined"), "{}", output.stderr_text());
    let output = lair.howler(["hunt", "--dir", "x", "--cc", "tcc", "--corpus", "c", "-I", "missing"]);
    assert_eq!(output.code, Some(2));
    assert!(output.stderr_text().contains("cannot read missing"), "{}", output.stderr_text());
}

/// Before there is a test to bring to an end nobody waits for a slow compiler.
#[test]
fn an_interrupt_before_the_first_test_ends_it_at_once() {
    let lair = Lair::new();
    lair.write("c/a.c", GOOD);
    let asked = lair.text_path("asked");
    let slow = lair.script("slowcc", &format!("#!/bin/sh\necho asked > {asked}\nexec sleep 1000\n"));
    let mut child =
        lair.command(&["hunt", "--cc", &slow, "--corpus", "c"], "said").spawn().expect("howler starts");
    howler_testkit::wait_for(&mut child, "a question", || lair.path("asked").exists());
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    assert_eq!(howler_testkit::end_of(&mut child).code(), Some(130));
    assert!(!lair.path("howler-hunt").exists());
    lair.assert_nothing_left();
}

#[test]
fn a_folder_of_a_newer_howler_is_refused() {
    let lair = Lair::new();
    lair.write("new/campaign.toml", "version = 7\nidea = \"better\"\n");
    let output = lair.howler(["hunt", "--dir", "new"]);
    assert_eq!(output.code, Some(2));
    let said = output.stderr_text();
    assert!(said.contains("version 7") && said.contains("a newer one wrote it"), "{said}");
}

/// What compilers say is kept, by who they are; without a place for it everything is asked again.
#[test]
fn answers_are_kept_and_nothing_depends_on_them() {
    if tool("gcc-12").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("c/a.c", GOOD);
    lair.write("file", "no folder\n");
    let arms = |dir: &str, cache: &str| {
        let said = format!("said-{dir}");
        let args = ["hunt", "--dir", dir, "--cc", "gcc-12", "--corpus", "c", "--json"];
        let mut command = lair.command(&args, &said);
        command.env("XDG_CACHE_HOME", lair.path(cache));
        assert!(howler_testkit::end_of(&mut command.spawn().expect("howler starts")).success(), "{cache}");
        events(&std::fs::read(lair.path(&said)).expect("it is there"))[0]["arms"].clone()
    };
    let first = arms("one", "cache");
    let files = || -> Vec<_> {
        let entries = std::fs::read_dir(lair.path("cache/howler/compilers")).expect("it was made");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    assert!(!files().is_empty());
    assert_eq!(arms("two", "cache"), first);
    let written = |path: &Path| std::fs::metadata(path).expect("it is there").modified().expect("a time");
    let times: Vec<_> = files().iter().map(|path| written(path)).collect();
    assert_eq!(arms("six", "cache"), first);
    assert_eq!(files().iter().map(|path| written(path)).collect::<Vec<_>>(), times, "nothing was new");
    for path in files() {
        std::fs::write(path, "howler answers 1\nwhatever\n").expect("it is ours");
    }
    assert_eq!(arms("ten", "cache"), first);
    assert_eq!(arms("odd", "file"), first);
}

#[test]
fn the_command_line_describes_itself() {
    let lair = Lair::new();
    for (shell, part) in [("bash", "complete -F"), ("zsh", "#compdef howler"), ("fish", "complete -c howler")]
    {
        let output = lair.howler(["completions", shell]);
        assert!(output.success() && output.stdout_text().contains(part), "{shell}");
        assert!(output.stdout_text().contains("fail-if-idle"), "{shell}");
    }
    assert_eq!(lair.howler(["completions", "tcl"]).code, Some(2));
    let page = lair.howler(["man"]);
    assert!(page.success() && page.stdout_text().contains(".TH howler 1"), "{}", page.stdout_text());
    assert!(lair.howler(["man", "pages/man1"]).success());
    for name in ["howler.1", "howler-hunt.1", "howler-findings-list.1", "howler-gen-orange.1"] {
        assert!(lair.path("pages/man1").join(name).is_file(), "{name}");
    }
    lair.write("file", "");
    assert_eq!(lair.howler(["man", "file"]).code, Some(2));
}
