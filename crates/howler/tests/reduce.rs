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
        let (status, said) = reduce(&folder, &["--test", &path, "a.c", "-o", "out.c"]);
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
        let (status, said) = reduce(&folder, &["--test", &path, "a.c", "-o", "out.c", "--time", "1s"]);
        status == 2 && said.contains("make up its mind")
    });
    assert!(told);
    // It may write only where it is, and what it leaves running ends with it.
    let nasty = format!(
        "#!/bin/sh\nsleep 1000 &\necho bad > {} 2> /dev/null\ngrep -q main a.c\n",
        lair.path("elsewhere").display()
    );
    let path = script(&lair, "nasty.sh", &nasty);
    let (status, said) = reduce(&folder, &["--test", &path, "a.c", "-o", "out.c"]);
    assert_eq!(status, 0, "{said}");
    assert!(!lair.path("elsewhere").exists());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (status, said) = reduce(&folder, &["--test", &path, "a.c", "-o", "out.c"]);
    assert!(status == 2 && said.contains("chmod +x"), "{status} {said}");
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
