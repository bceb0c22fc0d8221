//! `howler emi` and the hunts that use it, from the command line.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::{HOWLER, Lair, TCC_BUG, rows};
use howler_testkit::tool;

const SEED: &str = r#"#include <stdio.h>
int a, total = 3;
static int table[4] = { 1, 2, 3, 4 };
static int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
int main(void)
{
    unsigned short c = -1;
    total += sum(table, 4);
    if (total > 100) {
        a = total;
        total = 0;
    }
    for (int i = 0; i < 3; i++)
        a += i * c;
    printf("%d %d\n", a, total);
    return 7;
}
"#;

fn emi(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(HOWLER).arg("emi").args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

#[test]
fn variants_do_what_the_program_does() {
    if tool("gcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let folder = lair.path("");
    lair.write("seed.c", SEED);
    let (status, said, complaint) = emi(&folder, &["seed.c", "-n", "5", "-o", "variants"]);
    assert_eq!((status, said.as_str()), (0, ""), "{complaint}");
    assert!(complaint.contains("5 of 5 variants in variants"), "{complaint}");
    let mut seen = Vec::new();
    for number in 0..5 {
        let path = lair.path(&format!("variants/variant-0000{number}.c"));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&format!("/* variant {number} of seed.c made by howler ")), "{text}");
        assert!(text.contains("#include <stdio.h>") && !seen.contains(&text), "{text}");
        seen.push(text);
        let judged = Command::new(HOWLER).args(["run", "--judge"]).arg(&path).output().unwrap();
        assert_eq!(judged.status.code(), Some(0));
        assert_eq!(String::from_utf8(judged.stdout).unwrap(), "196605 13\n");
    }
    // The same seed, the same bytes; another seed, others.
    let (_, first, _) = emi(&folder, &["seed.c"]);
    assert_eq!(first, seen[0]);
    assert_ne!(emi(&folder, &["seed.c", "--seed", "2"]).1, first);
    // Nothing is overwritten.
    let (status, _, complaint) = emi(&folder, &["seed.c", "-n", "1", "-o", "variants", "--seed", "2"]);
    assert_eq!(status, 2);
    assert!(complaint.contains("is there and is something else"), "{complaint}");
}

#[test]
fn a_profile_is_told_and_strategies_are_chosen() {
    if tool("gcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let folder = lair.path("");
    lair.write("seed.c", SEED);
    let all = ["seed.c", "--explain", "--probability", "100", "--strategy"];
    let (status, said, _) = emi(&folder, &[&all[..], &["fcb"]].concat());
    assert_eq!(status, 0);
    assert!(said.contains("/* fcb (1x): ") && said.contains("total=3"), "{said}");
    assert!(!said.contains("/* tcb") && !said.contains("/* orion"), "{said}");
    let (_, said, _) = emi(&folder, &[&all[..], &["orion"]].concat());
    // How much goes is a matter of chance, but nothing else does.
    let dead = ["a = total;", "total = 0;"];
    assert!(
        dead.iter().any(|line| !said.contains(line)) && said.contains("total += sum(table, 4);"),
        "{said}"
    );
    let (status, said, _) = emi(&folder, &["seed.c", "--strategy", "help"]);
    assert!(status == 0 && said.contains("athena ") && said.contains("identity "), "{said}");
    let (status, _, said) = emi(&folder, &["seed.c", "--strategy", "fbc"]);
    assert_eq!(status, 2);
    assert!(said.contains("did you mean 'fcb'"), "{said}");
}

#[test]
fn bad_seeds_get_a_reason_and_no_variant() {
    if tool("gcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let cases = [
        ("undefined.c", "int main(void) { int x; return x; }", 3, "it is undefined: undefined.c:1"),
        ("endless.c", "int main(void) { volatile int x = 1; while (x) ; }", 3, "it does not end"),
        (
            "clock.c",
            "#include <stdio.h>\n#include <time.h>\nint main(void) { printf(\"%ld\\n\", (long)time(0)); return 0; }",
            3,
            "it has no single meaning",
        ),
        ("day.c", "#include <stdio.h>\nint main(void) { puts(__TIME__); return 0; }", 3, "__TIME__"),
        ("not.c", "class A { public: int x; };", 2, "error:"),
        ("no-main.c", "int f(void) { return 1; }", 2, "main"),
    ];
    for (name, text, expected, part) in cases {
        lair.write(name, text);
        let (status, stdout, said) = emi(&lair.path(""), &[name, "--steps", "1000000", "-n", "3"]);
        assert_eq!((status, stdout.as_str()), (expected, ""), "{name}: {said}");
        assert!(said.contains(part), "{name}: {said}");
    }
    assert_eq!(emi(&lair.path(""), &["missing.c"]).0, 2);
}

/// A hunt with variants of a folder's programs: the arm's line says which, and the same tests come again.
#[test]
fn hunts_make_variants_of_a_folder() {
    if tool("tcc").is_none() || tool("gcc").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("seeds/a.c", SEED);
    lair.write("seeds/b.c", TCC_BUG);
    lair.write("seeds/bad.c", "int main(void) { int x; return x; }");
    let hunt = |folder: &str| {
        let args = ["hunt", "--dir", folder, "--cc", "tcc", "--gen", "emi:variants=3", "--from", "seeds"];
        lair.howler([&args[..], &["--swarm", "0", "--extras", "0", "--plain", "-j", "2"]].concat())
    };
    let first = hunt("one");
    assert_eq!(first.code, Some(1), "{}", first.stderr_text());
    let said = first.stdout_text().to_string() + &first.stderr_text();
    assert!(said.contains("bad.c is no seed: it is undefined"), "{said}");
    assert_eq!(hunt("two").code, Some(1));
    assert_eq!(rows(&lair.path("one")), rows(&lair.path("two")));
    let toml = std::fs::read_to_string(lair.path("one/campaign.toml")).unwrap();
    assert!(toml.contains("kind = \"variants\"") && toml.contains("[generator.from]"), "{toml}");
    let refused = lair.howler(["hunt", "--dir", "three", "--gen", "smith", "--from", "seeds", "--time", "1"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr_text().contains("--from is for --gen spe and --gen emi"),
        "{}",
        refused.stderr_text()
    );
}

/// Types that lead back to themselves end, and members that only a header knows stay untouched: the system's header has
/// others.
#[test]
fn lists_end_and_members_of_headers_stay_untouched() {
    let Some(gcc) = tool("gcc") else { return };
    let lair = Lair::new();
    let folder = lair.path("");
    let list = "struct N { struct N *l; };\nstruct N *r;\nint main(void) { int s = 3; return s; }\n";
    lair.write("list.c", list);
    let (status, said, complaint) =
        emi(&folder, &["list.c", "-n", "4", "--probability", "60", "-o", "lists"]);
    assert_eq!((status, said.as_str()), (0, ""), "{complaint}");
    let jump = "#include <setjmp.h>\n#include <stdio.h>\njmp_buf jb;\nint main(void) {\n    int i = 0;\n    \
                for (i = 0; i < 5; i++)\n        if (i > 7)\n            i = 3;\n    printf(\"%d\\n\", i);\n    \
                return i;\n}\n";
    lair.write("jump.c", jump);
    let (status, _, complaint) = emi(&folder, &["jump.c", "-n", "6", "--probability", "60", "-o", "jumps"]);
    assert_eq!(status, 0, "{complaint}");
    for number in 0..6 {
        let path = lair.path(&format!("jumps/variant-0000{number}.c"));
        let made =
            Command::new(&gcc).args(["-w", "-c", "-o"]).arg(lair.path("a.o")).arg(&path).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
}
