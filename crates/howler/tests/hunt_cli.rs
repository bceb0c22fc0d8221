//! The command line of `hunt`, `findings` and `merge`: what it says, its exit statuses, Ctrl-C and readers that go
//! away.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

mod common;

use std::process::{Command, Stdio};

use common::{HOWLER, Lair, TCC_BUG};
use howler_testkit::{end_of, tool, undisturbed, wait_for};
use serde_json::Value;

#[test]
fn help_has_examples() {
    let lair = Lair::new();
    for (args, part) in [
        (&["hunt", "--help"][..], "howler hunt --time 2m"),
        (&["hunt", "--help"], "130  ended by Ctrl-C"),
        (&["hunt", "--help"], "143  ended by SIGTERM"),
        (&["findings", "--help"], "howler findings show 3f2a"),
        (&["merge", "--help"], "howler merge all part1 part2 part3"),
        (&["doctor", "--help"], "--json"),
    ] {
        let output = lair.howler(args);
        assert_eq!(output.code, Some(0), "{args:?}");
        let text = output.stdout_text();
        assert!(text.contains(part), "{args:?}: {text}");
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{args:?}: {text}");
    }
}

#[test]
fn a_generator_lists_its_options() {
    let told = Lair::new().howler(["hunt", "--gen", "orange:help"]);
    let text = told.stdout_text();
    assert!(told.success() && text.contains("operations=10..10000") && text.contains("bit-field"), "{text}");
}

#[test]
fn mistakes_are_named_and_end_with_2() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("empty/notes.txt", "no program\n");
    lair.write("corpus/a.c", "int main(void) { return 0; }\n");
    lair.write("plain", "not a folder\n");
    lair.write("odd/campaign.toml", "sede = 3\n");
    lair.write("busy/letters.txt", "something else\n");
    lair.script("no-compiler", "#!/bin/sh\nexit 7\n");
    let no_compiler = lair.text_path("no-compiler");
    let good = ["--cc", "tcc", "--corpus", "corpus"];
    let cases: &[(&[&str], &str)] = &[
        (&["--cc", "no-such-cc", "--corpus", "corpus"], "no-such-cc"),
        (&["--cc", "/no/such/cc", "--corpus", "corpus"], "/no/such/cc"),
        (&["--cc", &no_compiler, "--corpus", "corpus"], "no-compiler"),
        (&["--cc", "", "--corpus", "corpus"], "compiler.command"),
        (&["--cc", "tcc \"-O0", "--corpus", "corpus"], "\""),
        (&["--cc", "tcc -run", "--corpus", "corpus"], "-run: it makes no executable"),
        (&["--cc", "tcc -o out", "--corpus", "corpus"], "-o: the name of the output"),
        (&["--cc", "tcc", "--level", "-c", "--corpus", "corpus"], "-c: it makes no executable"),
        (&["--cc", "tcc", "--gen", "magic"], "there is no generator 'magic'"),
        (&["--cc", "tcc", "--gen", "orange:size=3"], "there is no option 'size'"),
        (&["--cc", "tcc", "--gen", "orange:operations=9..1"], "operations"),
        (&["--cc", "tcc", "--gen", ""], "there is no generator ''"),
        (&["--cc", "tcc", "--gen", "no-such-gen {seed}"], "no such program"),
        (&["--cc", "tcc", "--gen", "./no-such-gen {seed}"], "no such program"),
        (&["--cc", "tcc", "--corpus", "missing"], "cannot read missing"),
        (&["--cc", "tcc", "--corpus", "empty"], "there is no .c file"),
        (&["--cc", "tcc", "--corpus", "plain"], "plain"),
        (&[&good[..], &["--jobs", "0"]].concat(), "--jobs 0"),
        (&[&good[..], &["--jobs", "-1"]].concat(), "-1"),
        (&[&good[..], &["--time", "5x"]].concat(), "'5x' is no time"),
        (&[&good[..], &["--time", "0"]].concat(), "'0' is no time"),
        (&[&good[..], &["--shard", "0/4"]].concat(), "'0/4' is no part"),
        (&[&good[..], &["--shard", "5/4"]].concat(), "'5/4' is no part"),
        (&[&good[..], &["--tests", "many"]].concat(), "many"),
        (&[&good[..], &["--swarm", "101"]].concat(), "101 of 100"),
        (&[&good[..], &["--steps", "0"]].concat(), "steps"),
        (&[&good[..], &["--std", "c++17"]].concat(), "'c++17' is no standard"),
        (&[&good[..], &["--plain", "--json"]].concat(), "--json"),
        (&[&good[..], &["--dir", "odd"]].concat(), "sede"),
        (&[&good[..], &["--dir", "plain"]].concat(), "plain"),
        (&[&good[..], &["--dir", "busy"]].concat(), "letters.txt"),
    ];
    for (args, part) in cases {
        let output = lair.howler(["hunt"].iter().chain(args.iter()));
        let said = output.stderr_text();
        assert_eq!(output.code, Some(2), "{args:?}: {said}");
        assert!(said.contains(part), "{args:?}: {said}");
        assert!(!said.contains("panicked"), "{args:?}: {said}");
        assert!(output.stdout.is_empty(), "{args:?}: {}", output.stdout_text());
        assert!(!lair.path("howler-hunt").exists(), "{args:?} made a folder");
        assert!(said.matches("os error").count() < 2, "a cause twice: {said}");
    }
    assert!(!lair.path("out").exists());
    for (args, part) in [
        (&["findings", "list", "--dir", "missing"][..], "missing"),
        (&["findings", "show", "12", "--dir", "corpus"], "corpus"),
        (&["merge", "all", "missing"], "missing"),
        (&["merge", "all"], "FROM"),
    ] {
        let output = lair.howler(args);
        assert_eq!(output.code, Some(2), "{args:?}");
        assert!(output.stderr_text().contains(part), "{args:?}: {}", output.stderr_text());
        assert!(!lair.path("all").exists(), "{args:?} made a folder");
    }
    lair.assert_nothing_left();
}

/// A hunt that tests nothing must not look like one that finds nothing.
#[test]
fn generators_are_found_where_the_user_is_and_their_failures_are_told() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.script("gen", "#!/bin/sh\necho \"int main(void) { return $1 - $1; }\"\n");
    lair.script("bad", "#!/bin/sh\necho 'out of ideas' >&2\nexit 3\n");
    lair.script("odd", "#!/bin/sh\necho '#include \"no-such.h\"'\n");
    lair.script("prose", "#!/bin/sh\necho hello $1\n");
    let hunt = |dir: &str, generator: &str| {
        let output = lair.howler(["hunt", "--dir", dir, "--cc", "tcc", "--gen", generator, "--tests", "2"]);
        output.stdout_text() + &output.stderr_text()
    };
    let said = hunt("good", "./gen {seed}");
    assert!(said.contains("(2 defined)"), "{said}");
    let said = hunt("none", "./bad {seed}");
    assert!(said.contains("bad makes no program") && said.contains("out of ideas"), "{said}");
    let said = hunt("unread", "./odd {seed}");
    assert!(said.contains("cannot be preprocessed") && said.contains("no-such.h"), "{said}");
    let said = hunt("invalid", "./prose {seed}");
    let invalid = "trouble: prose: none of its 2 tests is a valid C program; ";
    assert!(said.contains(invalid) && said.contains("/prose 1: test.c:1:"), "{said}");
}

/// Programs that show one signature may show different bugs: each is named.
#[test]
fn every_file_that_showed_a_finding_is_named() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("corpus/one.c", TCC_BUG);
    lair.write("corpus/sub/two.c", TCC_BUG.replace("0x99", "0x9a"));
    lair.write("corpus/good.c", "int main(void) { return 0; }\n");
    let found = lair.howler(["hunt", "--dir", "hunt", "--cc", "tcc", "--corpus", "corpus", "--plain"]);
    assert_eq!(found.code, Some(1), "{}", found.stderr_text());
    let shown = lair.howler(["findings", "show", "", "--dir", "hunt"]).stdout_text();
    assert!(shown.contains("\nseen in: one.c, sub/two.c\n"), "{shown}");
    // A corpus that is another by now has no names for the tests.
    lair.write("corpus/new.c", "int main(void) { return 0; }\n");
    let shown = lair.howler(["findings", "show", "", "--dir", "hunt"]).stdout_text();
    assert!(shown.contains("\nseen in: corpus #1, corpus #2\n"), "{shown}");
}

/// Options that mean the same are one arm, and its tests are done once.
#[test]
fn an_arm_that_is_given_twice_is_one() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let arms = ["--gen", "orange:operations=10..20", "--gen", "orange:depth=60,operations=10..20"];
    let hunted = lair.howler([&["hunt", "--cc", "tcc", "--tests", "2"][..], &arms].concat());
    let said = hunted.stdout_text() + &hunted.stderr_text();
    assert!(said.contains("hunting in howler-hunt with orange: tcc") && said.contains("2 tests"), "{said}");
    assert!(said.contains("note: orange is given twice with the same meaning"), "{said}");
}

/// Folders may have any name.
#[test]
fn a_folder_with_an_odd_name_is_no_panic() {
    use std::os::unix::ffi::OsStrExt;
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("corpus/bug.c", TCC_BUG);
    let odd = std::ffi::OsStr::from_bytes(b"odd-\xff");
    let words =
        |words: &[&'static str]| words.iter().map(|&word| std::ffi::OsStr::new(word)).collect::<Vec<_>>();
    let hunt = words(&["hunt", "--cc", "tcc", "--corpus", "corpus", "--json", "--dir"]);
    assert_eq!(lair.howler([hunt, vec![odd]].concat()).code, Some(1));
    for asked in [&["findings", "list", "--json", "--dir"][..], &["findings", "show", "", "--json", "--dir"]]
    {
        let shown = lair.howler([words(asked), vec![odd]].concat());
        assert_eq!(shown.code, Some(0), "{}", shown.stderr_text());
    }
    let made = lair.howler([words(&["gen", "orange", "--json", "-o"]), vec![odd]].concat());
    assert_eq!(made.code, Some(0), "{}", made.stderr_text());
}

/// The arguments of a hunt that finds tcc's bug in the folder `hunt`.
fn bug_hunt(lair: &Lair) -> [&'static str; 8] {
    lair.write("corpus/bug.c", TCC_BUG);
    lair.write("corpus/good.c", "int main(void) { return 0; }\n");
    ["hunt", "--dir", "hunt", "--cc", "tcc", "--corpus", "corpus", "--until-finding"]
}

#[test]
fn until_finding_ends_with_1_and_the_finding_can_be_seen() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let args = bug_hunt(&lair);
    let output = lair.howler(args);
    let text = output.stdout_text();
    assert_eq!(output.code, Some(1), "{text}{}", output.stderr_text());
    assert!(text.contains("1 new finding") && text.contains("wrong-code"), "{text}");

    let listed = lair.howler(["findings", "list", "--dir", "hunt"]);
    assert_eq!(listed.code, Some(0), "a list is a list, whatever is on it");
    let line = listed.stdout_text();
    assert!(line.contains("wrong-code") && line.contains("tcc") && line.lines().count() == 1, "{line}");
    let short = line.split_whitespace().next().expect("a line begins with the id").to_owned();
    assert!(text.contains(&format!("howler findings show {short} --dir hunt")), "{text}");

    let listed = lair.howler(["findings", "list", "--dir", "hunt", "--json"]);
    let row: Value = serde_json::from_slice(&listed.stdout).expect("one line of JSON");
    assert!(row["kind"] == "wrong-code" && row["status"] == "confirmed" && row["seen"] == 1, "{row}");
    let id = row["id"].as_str().expect("an id");
    assert!(id.starts_with(&short));

    let shown = lair.howler(["findings", "show", &short, "--dir", "hunt"]);
    let text = shown.stdout_text();
    assert_eq!(shown.code, Some(0));
    assert!(text.contains("(unsigned short)c") && text.contains("repro.sh"), "{text}");
    let shown = lair.howler(["findings", "show", id, "--dir", "hunt", "--json"]);
    let value: Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    let folder = lair.path(value["folder"].as_str().expect("a folder"));
    for file in value["files"].as_array().expect("files") {
        let name = file["name"].as_str().expect("a name");
        let text = std::fs::read(folder.join(name)).expect("the finding's folder has every file");
        assert_eq!(String::from_utf8_lossy(&text), file["text"].as_str().expect("a text"), "{name}");
    }
    let repro = Command::new("sh").arg(folder.join("repro.sh")).env("TMPDIR", lair.path("tmp")).output();
    let repro = repro.expect("sh starts");
    assert!(
        repro.status.success(),
        "repro.sh: {:?} {}",
        repro.status,
        String::from_utf8_lossy(&repro.stderr)
    );

    for (id, part) in [("zz", "there is no finding 'zz'"), ("", "")] {
        let output = lair.howler(["findings", "show", id, "--dir", "hunt"]);
        assert!(output.stderr_text().contains(part), "{id}");
        assert_eq!(output.code == Some(2), id == "zz", "{id}");
    }
    // Known now: the same command finds nothing new.
    let again = lair.howler(args);
    assert_eq!(again.code, Some(0), "{}", again.stdout_text());
    assert!(again.stdout_text().contains("1 known from earlier hunts"), "{}", again.stdout_text());
    lair.assert_nothing_left();
}

#[test]
fn a_signal_ends_with_its_status_and_a_summary() {
    if tool("tcc").is_none() {
        return;
    }
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let lair = Lair::new();
        let args = ["hunt", "--dir", "hunt", "--cc", "tcc", "--gen", "orange:operations=10..20", "--json"];
        let mut child = lair.command(&args, "said").spawn().expect("howler starts");
        let said = || std::fs::read_to_string(lair.path("said")).expect("it is there");
        wait_for(&mut child, "five lines", || said().lines().count() >= 5);
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill starts").success());
        let code = end_of(&mut child).code();
        assert_eq!(code, Some(status), "{signal}");
        let last: Value = serde_json::from_str(said().lines().last().unwrap_or_default()).expect("JSON");
        assert_eq!(last["event"], "ended", "{last}");
        let told = said().lines().filter(|line| line.contains("\"tested\"")).count();
        let rows = common::rows(&lair.path("hunt"));
        assert_eq!(rows.lines().filter(|line| line.starts_with("test ")).count(), told);
        lair.assert_nothing_left();
    }
}

#[test]
fn a_second_hunt_in_the_same_folder_is_refused() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let args = ["hunt", "--dir", "hunt", "--cc", "tcc", "--gen", "orange:operations=10..20", "--json"];
    let mut child = lair.command(&args, "said").spawn().expect("howler starts");
    let said = || std::fs::metadata(lair.path("said")).expect("it is there").len();
    wait_for(&mut child, "a word", || said() > 0);
    let second = lair.howler(args.iter().chain(&["--tests", "1"]));
    let said = second.stderr_text();
    // Looking is allowed meanwhile.
    let listed = lair.howler(["findings", "list", "--dir", "hunt"]);
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert_eq!(end_of(&mut child).code(), Some(130));
    assert_eq!(second.code, Some(2), "{said}");
    assert!(said.contains("hunt"), "{said}");
    assert_eq!(listed.code, Some(0), "{}", listed.stderr_text());
    let other = lair.howler(args.iter().chain(&["--tests", "1", "--seed", "2"]));
    assert_eq!(other.code, Some(2));
    assert!(other.stderr_text().contains("--seed 1"), "{}", other.stderr_text());
    lair.assert_nothing_left();
}

#[test]
fn a_reader_that_goes_away_is_fine() {
    if tool("tcc").is_none() || tool("bash").is_none() {
        return;
    }
    let lair = Lair::new();
    bug_hunt(&lair);
    let gone = "exec 3> >(exec true); wait $!; ";
    let hunt = "$howler hunt --cc tcc --corpus corpus --dir";
    for (script, status) in [
        (format!("{gone} {hunt} one >&3"), 1),
        (format!("{gone} {hunt} two --json >&3 2>&3"), 1),
        (format!("{gone} $howler findings list --dir one >&3"), 0),
        (format!("{gone} $howler findings show '' --dir one >&3"), 0),
        (format!("{gone} $howler doctor >&3"), 0),
    ] {
        let output = Command::new("bash")
            .args(["-c", &script])
            .env("howler", HOWLER)
            .env("TMPDIR", lair.path("tmp"))
            .current_dir(lair.path(""))
            .stdin(Stdio::null())
            .output()
            .expect("bash starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{script}: {said}");
        assert!(said.is_empty(), "{script}: {said}");
    }
    assert_eq!(common::rows(&lair.path("one")), common::rows(&lair.path("two")));
    lair.assert_nothing_left();
}

#[test]
fn events_count_what_each_compiler_did() {
    if tool("tcc").is_none() || tool("gcc-12").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("corpus/bug.c", TCC_BUG);
    let output = lair.howler([
        "hunt", "--dir", "hunt", "--cc", "tcc", "--cc", "gcc-12", "--corpus", "corpus", "--swarm", "0",
        "--json",
    ]);
    let events = common::events(&output.stdout);
    let tested = events.iter().find(|event| event["event"] == "tested").expect("a test");
    let counts = &tested["compilers"];
    assert_eq!((&counts["tcc"]["builds"], &counts["tcc"]["sightings"]), (&1.into(), &1.into()), "{counts}");
    assert!(counts["tcc"]["runs"].as_u64() >= Some(1), "{counts}");
    // Levels that give the same code are run once.
    let runs = counts["gcc-12"]["runs"].as_u64();
    assert!(runs >= Some(1) && runs <= counts["gcc-12"]["builds"].as_u64(), "{counts}");
}

/// A compiler that goes away finds no bugs; that must not look as if it had none.
#[test]
fn a_compiler_that_cannot_be_tried_is_told_of() {
    let Some(tcc) = tool("tcc") else { return };
    let lair = Lair::new();
    let compiler = lair.script("mycc", &format!("#!/bin/sh\nexec {} \"$@\"\n", tcc.display()));
    let args = ["hunt", "--dir", "hunt", "--cc", &compiler, "--gen", "orange:operations=10..20", "--json"];
    let mut child = lair.command(&args, "said").spawn().expect("howler starts");
    let says = |word: &str| std::fs::read_to_string(lair.path("said")).expect("it is there").contains(word);
    wait_for(&mut child, "a test", || says("\"tested\""));
    std::fs::remove_file(&compiler).expect("it is ours");
    wait_for(&mut child, "the compiler is missed", || says("could not be tried"));
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts").success()
    );
    assert_eq!(end_of(&mut child).code(), Some(130));
    let events = common::events(&std::fs::read(lair.path("said")).expect("it is there"));
    let troubles = events.iter().filter(|event| event["event"] == "trouble").count();
    assert_eq!(troubles, 1, "each compiler once");
    assert_eq!(events.last().map(|last| last["troubles"].as_array().map_or(0, Vec::len)), Some(1));
    lair.assert_nothing_left();
}

#[test]
fn ctrl_c_on_the_screen_is_an_interrupt() {
    use std::io::{Read, Write};
    if tool("tcc").is_none() || tool("script").is_none() {
        return;
    }
    let lair = Lair::new();
    let hunt = format!("{HOWLER} hunt --dir h --cc tcc --gen orange:operations=10..20 --jobs 1");
    let mut child = undisturbed("timeout")
        .args(["--foreground", "300", "script", "-qec", &hunt, "/dev/null"])
        .current_dir(lair.path(""))
        .env("TMPDIR", lair.path("tmp"))
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script starts");
    let (mut screen, mut seen, mut part) = (child.stdout.take().unwrap(), Vec::new(), [0; 4096]);
    // The switch to the other screen; from then on a key is no signal.
    let is_up = |seen: &[u8]| seen.windows(8).any(|part| part == b"\x1b[?1049h");
    while !is_up(&seen) {
        let length = screen.read(&mut part).unwrap();
        assert_ne!(length, 0, "{}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&part[..length]);
    }
    child.stdin.take().unwrap().write_all(b"\x03").unwrap();
    screen.read_to_end(&mut seen).unwrap();
    assert_eq!(end_of(&mut child).code(), Some(130), "{}", String::from_utf8_lossy(&seen));
}

#[test]
fn what_is_no_c_is_not_held_against_a_compiler() {
    if tool("tcc").is_none() || tool("g++-12").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("corpus/a.c", "\u{feff}int main(void) { return 0; }\n");
    let output = lair.howler(["hunt", "--dir", "h", "--cc", "tcc", "--corpus", "corpus"]);
    assert_eq!(output.code, Some(0), "{}", output.stdout_text());
    let output = lair.howler(["hunt", "--dir", "g", "--cc", "g++-12", "--corpus", "corpus"]);
    assert_eq!(output.code, Some(2), "{}", output.stdout_text());
    assert!(output.stderr_text().contains("rejects the simplest C program"), "{}", output.stderr_text());
}
