//! `howler reduce` from its command line: what it makes, what it says, what it refuses.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

mod common;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use common::{HOWLER, Lair, TCC_BUG};
use howler_testkit::tool;

/// Much that has nothing to do with the bug, in front of and around it.
fn large(bug: &str) -> String {
    let mut text = String::new();
    for number in 0..20 {
        text += &format!(
            "static int g{number} = {number};\nstatic int f{number}(int a) {{ for (int i = 0; i < 3; i++) {{ if (a > i) g{number} += a; else g{number}--; }} return g{number}; }}\n"
        );
    }
    let calls: String = (0..20).map(|number| format!("f{number}({number});\n")).collect();
    text + &bug.replace("int main(void) {", &format!("int main(void) {{\n{calls}"))
}

fn reduce(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let Output { status, stderr, .. } =
        Command::new(HOWLER).arg("reduce").args(arguments).current_dir(folder).output().unwrap();
    (status.code().unwrap_or(-1), String::from_utf8(stderr).unwrap())
}

fn script(lair: &Lair, name: &str, text: &str) -> String {
    let path = lair.write(name, text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn text(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn tokens(text: &str) -> usize {
    text.split(|c: char| c.is_whitespace() || "(){};,".contains(c)).filter(|word| !word.is_empty()).count()
}

#[test]
fn wrong_code_of_tcc_becomes_small_and_stays_defined() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let folder = lair.path("");
    lair.write("bug.c", large(TCC_BUG));
    let (status, said) = reduce(&folder, &["--bad", "tcc", "--good", "gcc-12 -O0", "bug.c", "-j", "1"]);
    assert_eq!(status, 0, "{said}");
    let small = text(lair.path("bug.reduced.c"));
    assert!(tokens(&small) < 60 && small.starts_with("/* howler reduce --bad tcc"), "{small}");
    let judged =
        Command::new(HOWLER).args(["run", "--judge"]).arg(lair.path("bug.reduced.c")).output().unwrap();
    assert_eq!(judged.status.code(), Some(0), "{small}");
    // Two workers find the same.
    let (status, said) = reduce(&folder, &["--bad", "tcc", "bug.c", "-j", "2", "-o", "two.c"]);
    assert_eq!(status, 0, "{said}");
    let body = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(body(&text(lair.path("two.c"))), body(&small));
    // The original is what it was.
    assert_eq!(text(lair.path("bug.c")), large(TCC_BUG));
}

#[test]
fn what_proves_nothing_is_refused() {
    let lair = Lair::new();
    let folder = lair.path("");
    lair.write("undefined.c", "int main(void) { int a[2]; return a[2]; }\n");
    lair.write("fine.c", "int main(void) { return 0; }\n");
    let (status, said) = reduce(&folder, &["--bad", "gcc-12 -O2", "undefined.c"]);
    assert!(status == 3 && said.contains("undefined") && said.contains("--test"), "{status} {said}");
    let (status, said) = reduce(&folder, &["--bad", "gcc-12 -O2", "fine.c"]);
    assert!(status == 2 && said.contains("does not compile it wrongly"), "{status} {said}");
    let (status, said) = reduce(&folder, &["--crash", "gcc-12 -O2", "fine.c"]);
    assert!(status == 2 && said.contains("does not crash"), "{status} {said}");
    let (status, said) = reduce(&folder, &["--crash", "gcc-12", "fine.c", "-o", "fine.c"]);
    assert!(status == 2 && said.contains("would replace"), "{status} {said}");
    let (status, said) = reduce(&folder, &["fine.c"]);
    assert!(status == 2 && said.contains("--bad"), "{status} {said}");
}

#[test]
fn a_script_for_other_reducers_will_do() {
    let lair = Lair::new();
    let ask = script(&lair, "ask.sh", "#!/bin/sh\ntest \"$(ls)\" = any.txt && grep -q 'two words' any.txt\n");
    lair.write("any.txt", format!("{}@ some two words here; {{ and more }}\n", "int x = 1 +;\n".repeat(50)));
    let (status, said) = reduce(&lair.path(""), &["--test", &ask, "any.txt", "-o", "out.txt"]);
    assert_eq!(status, 0, "{said}");
    let small = text(lair.path("out.txt"));
    assert!(small.ends_with("*/\ntwo words\n"), "{small}");
}

#[test]
fn a_script_that_does_not_work_is_told_of() {
    let lair = Lair::new();
    let folder = lair.path("");
    lair.write("a.c", "int main(void) { return 0; }\n");
    let fails = |name: &str, body: &str, words: &[&str]| {
        let path = script(&lair, name, body);
        let (status, said) = reduce(&folder, &["--test", &path, "a.c", "-o", "out.c", "--force"]);
        assert!(status == 2 && words.iter().all(|words| said.contains(words)), "{name}: {status} {said}");
    };
    fails(
        "no.sh",
        "#!/bin/sh\necho because of this\nexit 7\n",
        &["not find", "exit status 7", "because of this"],
    );
    fails("bare.sh", "exit 0\n", &["first line"]);
    fails("none.sh", "#!/no/such/thing\n", &["cannot be started"]);
    // It says yes in every other second, and takes one: sooner or later the first answer is yes.
    let flaky = "#!/bin/sh\ntest $(( $(date +%s) % 2 )) = 0\nsaid=$?\nsleep 1\nexit $said\n";
    let path = script(&lair, "flaky.sh", flaky);
    let told = (0..20).any(|_| {
        let (status, said) =
            reduce(&folder, &["--test", &path, "a.c", "-o", "out.c", "--force", "--time", "1s"]);
        status == 2 && said.contains("make up its mind")
    });
    assert!(told);
    // It may write only where it is, and what it leaves running ends with it.
    let nasty = format!(
        "#!/bin/sh\nsleep 1000 &\necho bad > {} 2> /dev/null\ngrep -q main a.c\n",
        lair.path("elsewhere").display()
    );
    let path = script(&lair, "nasty.sh", &nasty);
    let (status, said) = reduce(&folder, &["--test", &path, "a.c", "-o", "out.c", "--force"]);
    assert_eq!(status, 0, "{said}");
    assert!(!lair.path("elsewhere").exists());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (status, said) = reduce(&folder, &["--test", &path, "a.c", "-o", "out.c", "--force"]);
    assert!(status == 2 && said.contains("chmod +x"), "{status} {said}");
    let (status, said) = reduce(&folder, &["--test", "no/such.sh", "a.c", "-o", "out.c", "--force"]);
    assert!(status == 2 && said.contains("cannot read no/such.sh"), "{status} {said}");
    let (status, said) = reduce(&folder, &["--test", ".", "a.c", "-o", "out.c", "--force"]);
    assert!(status == 2 && said.contains("is no file"), "{status} {said}");
}

#[test]
fn a_script_that_does_not_end_or_takes_everything_is_ended() {
    let lair = Lair::new();
    let folder = lair.path("");
    lair.write("a.c", "int keep;\nint b;\nint c;\n");
    let with = |name: &str, body: &str| {
        let path = script(&lair, name, body);
        reduce(&folder, &["--test", &path, "--timeout", "2s", "a.c", "-o", "out.c", "--force"])
    };
    let (status, said) = with("hangs.sh", "#!/bin/sh\necho before\nsleep 1000\n");
    assert!(status == 2 && said.contains("does not end within 2 seconds"), "{status} {said}");
    // It hangs on some of the files only: those are not interesting.
    let (status, said) = with("sometimes.sh", "#!/bin/sh\ngrep -q keep a.c || sleep 1000\n");
    assert!(status == 0 && text(lair.path("out.c")).ends_with("*/\nint keep;\n"), "{status} {said}");
    // Processes without end.
    let (status, said) = with("forks.sh", "#!/bin/sh\nf() { f | f & }\nf\nsleep 1000\n");
    // On a busy machine its time may be over first.
    let told = said.contains("over the limit of processes") || said.contains("Cannot fork");
    assert!(status == 2 && told, "{status} {said}");
    let (status, said) = with("dies.sh", "#!/bin/sh\nkill -SEGV $$\n");
    assert!(status == 2 && said.contains("does not find") && said.contains("SIGSEGV"), "{status} {said}");
    let (status, said) = with("says.sh", "#!/bin/sh\nyes\n");
    assert!(status == 2 && said.contains("over the limit of output") && said.len() < 4000, "{status} {said}");
    // What it does to its own files stays there.
    let (status, said) = with("eats.sh", "#!/bin/sh\ngrep -q keep a.c\ns=$?\nrm -rf ./* \"$0\"\nexit $s\n");
    assert!(status == 0 && lair.path("eats.sh").exists() && lair.path("a.c").exists(), "{status} {said}");
    lair.assert_nothing_left();
}

#[test]
fn what_was_ended_goes_on_where_it_was() {
    let lair = Lair::new();
    let folder = lair.path("");
    let ask = script(&lair, "ask.sh", "#!/bin/sh\ngrep -q one a.c && grep -q two b.c\n");
    lair.write("a.c", "int x;\n".repeat(200) + "int one;\n");
    lair.write("b.c", "int y;\n".repeat(200) + "int two;\n");
    let args = |more: &[&'static str]| {
        let mut all = vec!["--test", ask.as_str(), "a.c", "b.c", "-o", "out"];
        all.extend(more);
        reduce(&folder, &all)
    };
    let (status, said) = args(&["--until-tokens", "100", "-j", "1"]);
    assert_eq!(status, 0, "{said}");
    let large = text(lair.path("out/a.c")).len() + text(lair.path("out/b.c")).len();
    assert!(!said.contains("goes on with"), "{said}");
    let (status, said) = args(&[]);
    assert!(status == 0 && said.contains("goes on with out/a.c"), "{said}");
    let (a, b) = (text(lair.path("out/a.c")), text(lair.path("out/b.c")));
    assert!(a.len() + b.len() < large, "{a}{b}");
    assert!(
        a.starts_with("/* howler reduce --test") && a.ends_with("*/\nint one;\n") && b == "int two;\n",
        "{a}{b}"
    );
    // Another question begins with what it is given.
    lair.write("b.c", "int y;\nint two;\n");
    let (status, said) = args(&["--force"]);
    assert!(status == 0 && !said.contains("goes on with"), "{said}");
    assert!(!lair.path("out/a.c.howler").exists());
}

#[test]
fn where_a_comment_is_not_wanted_the_command_stands_beside() {
    let lair = Lair::new();
    let folder = lair.path("");
    let ask = script(&lair, "ask.sh", "#!/bin/sh\n! grep -q howler a.c && grep -q keep a.c\n");
    lair.write("a.c", "int x;\nint keep;\n");
    for _ in 0..2 {
        let (status, said) = reduce(&folder, &["--test", &ask, "a.c"]);
        assert_eq!(status, 0, "{said}");
        assert_eq!(text(lair.path("a.reduced.c")), "int keep;\n");
        assert!(text(lair.path("a.reduced.c.howler")).starts_with("/* howler reduce --test"));
    }
}

/// The best so far is on disk at any time, whole, and stays there after Ctrl-C.
#[test]
fn an_interrupt_keeps_the_best() {
    let lair = Lair::new();
    let ask = script(&lair, "ask.sh", "#!/bin/sh\nsleep 0.2\ngrep -q keep a.c\n");
    let long: String = (0..400).map(|number| format!("int x{number} = {number};\n")).collect();
    lair.write("a.c", long.clone() + "int keep;\n");
    let mut child = lair.command(&["reduce", "--test", &ask, "a.c"], "said.txt").spawn().unwrap();
    let result = lair.path("a.reduced.c");
    while !result.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let small = text(&result);
    assert!(small.contains("keep") && small.len() < long.len(), "{small}");
    lair.assert_nothing_left();
}

#[test]
fn a_crash_stays_the_same_crash() {
    let lair = Lair::new();
    let compiler = script(
        &lair,
        "cc",
        "#!/bin/sh\ncase \"$(cat *.[ci])\" in
*crash_one*) echo 'test.c:1:2: internal compiler error: in one, at g.cc:12' >&2; exit 4 ;;
*crash*) echo 'test.c:1:2: internal compiler error: in other, at g.cc:99' >&2; exit 4 ;;
esac\nexec gcc-12 \"$@\"\n",
    );
    lair.write("src/a.c", "int b; int crash_one(int a) { return a + b; }\nint crash;\nint main(void) { b = 3; return crash_one(4) + crash; }\n");
    let (status, said) = reduce(&lair.path(""), &["--crash", &compiler, "src/a.c", "-o", "out.c"]);
    assert_eq!(status, 0, "{said}");
    let small = text(lair.path("out.c"));
    assert!(small.contains("crash_one") && tokens(&small) < 30, "{small}");
    assert!(said.contains("in one"), "{said}");
}

#[test]
fn what_another_command_left_stays() {
    let lair = Lair::new();
    let folder = lair.path("");
    lair.write("a.c", "int one;\nint needle;\nint two;\n");
    let ask = script(&lair, "ask.sh", "#!/bin/sh\ngrep -q needle a.c\n");
    let other = script(&lair, "other.sh", "#!/bin/sh\ngrep -q needle a.c && grep -q two a.c\n");
    lair.write("a.reduced.c", "mine\n");
    let (status, said) = reduce(&folder, &["--test", &ask, "a.c"]);
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("a.reduced.c is in the way") && said.contains("--force"), "{said}");
    assert_eq!(text(lair.path("a.reduced.c")), "mine\n");
    assert_eq!(reduce(&folder, &["--test", &ask, "a.c", "--force"]).0, 0);
    let small = text(lair.path("a.reduced.c"));
    assert!(small.contains("needle") && !small.contains("two"), "{small}");
    // The same question may be asked again, another one not.
    assert_eq!(reduce(&folder, &["--test", &ask, "a.c", "-j", "1"]).0, 0);
    let small = text(lair.path("a.reduced.c"));
    let (status, said) = reduce(&folder, &["--test", &other, "a.c"]);
    assert_eq!((status, text(lair.path("a.reduced.c"))), (2, small), "{said}");
    assert_eq!(reduce(&folder, &["--test", &other, "a.c", "-o", "b.c"]).0, 0);
}

#[test]
fn bytes_that_are_no_text_stay_what_they_are() {
    let lair = Lair::new();
    let folder = lair.path("");
    let bytes = b"int one;\nconst char *s = \"\xe9\"; int two;\nint three; /* \xff */\n";
    std::fs::write(lair.path("a.c"), bytes).unwrap();
    let ask = script(&lair, "ask.sh", "#!/bin/sh\nLC_ALL=C grep -q \"$(printf '\\351')\" a.c\n");
    let (status, said) = reduce(&folder, &["--test", &ask, "a.c"]);
    assert_eq!(status, 0, "{said}");
    let small = std::fs::read(lair.path("a.reduced.c")).unwrap();
    let body = small.splitn(2, |&byte| byte == b'\n').nth(1).unwrap();
    assert!(body.contains(&0xe9) && body.len() < 8, "{}", String::from_utf8_lossy(&small));
}
