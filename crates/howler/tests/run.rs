//! `howler run` as the shell sees it: output, exit statuses, and what each option changes.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

use howler_testkit::Scratch;
use serde_json::Value;
use std::process::{Command, Stdio};

struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

/// Runs `howler run` with the arguments, split at spaces, on files of these texts. They are named `.i`, so that no
/// preprocessor is needed, and given in order.
fn run(arguments: &str, texts: &[&str]) -> Ran {
    let scratch = Scratch::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_howler"));
    command.arg("run").args(arguments.split_whitespace()).current_dir(scratch.folder());
    for (index, text) in texts.iter().enumerate() {
        let name = format!("f{index}.i");
        scratch.write(&name, text);
        command.arg(name);
    }
    let output = command.stdin(Stdio::null()).output().expect("howler starts");
    Ran {
        status: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).expect("the programs write text"),
        stderr: String::from_utf8(output.stderr).expect("messages are text"),
    }
}

fn json(arguments: &str, text: &str) -> Value {
    let ran = run(arguments, &[text]);
    assert_eq!((ran.stdout.lines().count(), ran.stderr.as_str()), (1, ""), "{arguments}");
    serde_json::from_str(&ran.stdout).expect("it is JSON")
}

const HELLO: &str = "int puts(const char *); int main(void) { puts(\"hello\"); return 3; }";
const DIVIDES: &str = "int main(void) { int zero = 0; return 1 / zero; }";
const ENDLESS: &str = "int main(void) { for (;;) ; }";
const ABORTS: &str = "void abort(void); int putchar(int); int main(void) { putchar('x'); abort(); }";
const ASSEMBLY: &str = "int main(void) { __asm__ volatile (\"nop\" : : \"r\"(1)); return 0; }";
const ORDERED: &str = "int putchar(int); static int a(void) { putchar('a'); return 0; }\n\
                       static int b(void) { putchar('b'); return 0; } int main(void) { return a() + b(); }";
const VOLATILE: &str = "volatile int v; int main(void) { v = 5; return v; }";

#[test]
fn the_programs_output_and_status_are_handed_on() {
    let ran = run("", &[HELLO]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (3, "hello\n", ""));
    for status in 0..256 {
        assert_eq!(run("", &[&format!("int main(void) {{ return {status}; }}")]).status, status);
    }
    assert_eq!(run("", &["int main(void) { return 256 + 7; }"]).status, 7);
    assert_eq!(run("", &["int main(void) { return -1; }"]).status, 255);
    assert_eq!(run("", &["void exit(int); int main(void) { exit(9); }"]).status, 9);
}

#[test]
fn other_endings_have_statuses_of_their_own() {
    let ran = run("", &[DIVIDES]);
    assert_eq!(ran.status, 120);
    assert!(ran.stderr.starts_with("f0.i:1:41: error: undefined behaviour: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("(C17 6.5.5p5) ["), "{}", ran.stderr);
    let ran = run("", &[ASSEMBLY]);
    assert_eq!(ran.status, 121, "{}", ran.stderr);
    assert!(ran.stderr.contains(": unsupported: "), "{}", ran.stderr);
    let ran = run("--steps 1000", &[ENDLESS]);
    assert_eq!(ran.status, 122);
    let told = "f0.i:1:27: error: unfinished: the limit of 1000 steps was reached, --steps sets another\n";
    assert!(ran.stderr.starts_with(told), "{}", ran.stderr);
    let ran = run("", &[ABORTS]);
    assert_eq!((ran.status, ran.stdout.as_str()), (134, "x"), "{}", ran.stderr);
}

#[test]
fn what_is_no_program_is_status_2() {
    for text in [
        "int main(void) { return x; }",
        "int f(void) { return 0; }",
        "int f(void); int main(void) { return f(); }",
    ] {
        let ran = run("", &[text]);
        assert_eq!(ran.status, 2, "{text}: {}", ran.stderr);
        assert!(ran.stderr.contains("error: "), "{text}: {}", ran.stderr);
    }
    for file in ["no-such.i", "no-such.c"] {
        if file.ends_with(".c") && howler_testkit::tool("gcc").is_none() {
            return;
        }
        let ran = run(file, &[]);
        assert_eq!(ran.status, 2);
        assert_eq!(ran.stderr, format!("howler: {file}: No such file or directory (os error 2)\n"));
    }
}

#[test]
fn a_judgement_has_three_answers() {
    let ran = run("--judge", &[HELLO]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "hello\n"));
    assert_eq!(ran.stderr, "howler: defined: exit status 3 (3 runs)\n");
    assert_eq!(run("--judge --runs 2", &[HELLO]).stderr, "howler: defined: exit status 3 (2 runs)\n");
    let ran = run("--judge", &[DIVIDES]);
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("undefined behaviour"), "{}", ran.stderr);
    for (arguments, text) in [("--judge", ORDERED), ("--judge", ASSEMBLY), ("--judge --steps 1000", ENDLESS)]
    {
        let ran = run(arguments, &[text]);
        assert_eq!((ran.status, ran.stdout.as_str()), (3, ""), "{text}: {}", ran.stderr);
        assert!(!ran.stderr.is_empty());
    }
    let decimal = "_Decimal32 d; int main(void) { return 0; }";
    assert_eq!((run("--judge", &[decimal]).status, run("", &[decimal]).status), (3, 121));
    assert_eq!(run("--runs 2", &[HELLO]).status, 2, "--runs needs --judge");
}

#[test]
fn json_says_everything() {
    let hello = json("--json", HELLO);
    assert_eq!(hello["outcome"]["kind"], "exit");
    assert_eq!((&hello["outcome"]["status"], &hello["stdout"]), (&Value::from(3), &Value::from("hello\n")));
    let divides = json("--json", DIVIDES);
    assert_eq!(divides["outcome"]["kind"], "undefined");
    assert_eq!(divides["outcome"]["place"]["line"], 1);
    assert_eq!(json("--json", ABORTS)["outcome"]["kind"], "abort");
    assert_eq!(json("--json", ASSEMBLY)["outcome"]["kind"], "unsupported");
    assert_eq!(json("--json --steps 1000", ENDLESS)["outcome"]["kind"], "limit");
    let accesses = json("--json", VOLATILE);
    assert_eq!(accesses["volatile"].as_array().map(Vec::len), Some(2));
    let wrong = json("--json", "int main(void) { return x; }");
    assert_eq!(wrong["outcome"]["kind"], "bad-program");
    assert_eq!(wrong["outcome"]["diagnostics"][0]["column"], 25);
    assert_eq!(json("--json missing.i", HELLO)["outcome"]["kind"], "failed");
    let decimal = json("--json --judge", "_Decimal32 d; int main(void) { return 0; }");
    assert_eq!(decimal["judgement"]["kind"], "unsupported");
    assert_eq!(json("--json --judge", HELLO)["judgement"]["kind"], "defined");
    assert_eq!(json("--json --judge", HELLO)["runs"].as_array().map(Vec::len), Some(3));
    assert_eq!(json("--json --judge", DIVIDES)["judgement"]["kind"], "undefined");
    assert_eq!(json("--json --judge", ORDERED)["judgement"]["kind"], "unspecified");
}

#[test]
fn the_order_of_evaluation_can_be_chosen() {
    assert_eq!(run("", &[ORDERED]).stdout, "ab");
    assert_eq!(run("--order ltr", &[ORDERED]).stdout, "ab");
    assert_eq!(run("--order rtl", &[ORDERED]).stdout, "ba");
    let seeded = run("--order 7", &[ORDERED]).stdout;
    assert!(["ab", "ba"].contains(&seeded.as_str()));
    assert_eq!(run("--order 7", &[ORDERED]).stdout, seeded);
    assert_eq!(run("--order up", &[ORDERED]).status, 2);
}

#[test]
fn volatile_accesses_are_traced() {
    let ran = run("--trace-volatile", &[VOLATILE]);
    assert_eq!((ran.status, ran.stdout.as_str()), (5, ""));
    assert_eq!(ran.stderr, "volatile write v+0 4 0x5\nvolatile read v+0 4 0x5\n");
    assert_eq!(run("", &[VOLATILE]).stderr, "");
}

#[test]
fn several_files_are_one_program() {
    let main = "int half(int); extern int n; int main(void) { return half(n); }";
    let other = "int n = 42; int half(int x) { return x / 2; }";
    assert_eq!(run("", &[main, other]).status, 21);
    assert_eq!(run("", &[main, other, other]).status, 2, "everything is defined twice");
}

#[test]
fn declarations_that_do_not_fit_are_both_shown() {
    let ran = run("", &["extern int n; int main(void) { return n; }", "long n = 1;"]);
    assert_eq!(ran.status, 120, "{}", ran.stderr);
    assert!(ran.stderr.contains("f1.i:1:6: error: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("f0.i:1:12: note: the other declaration is here"), "{}", ran.stderr);
}

#[test]
fn the_target_decides_sizes() {
    let text = "int main(void) { return sizeof(long) * 10 + sizeof(void *); }";
    assert_eq!(run("", &[text]).status, 88);
    assert_eq!(run("--target i386", &[text]).status, 44);
    assert_eq!(run("-m32", &[text]).status, 44);
}

#[test]
fn a_profile_counts_lines_and_sees_values() {
    const LOOP: &str =
        "int main(void) {\nint s = 0;\nfor (int i = 0; i < 40; i++)\ns += i;\nreturn s != 780;\n}\n";
    let ran = run("--profile", &[LOOP]);
    assert_eq!(ran.status, 0);
    assert!(ran.stderr.lines().any(|line| line.trim() == "40 f0.i:4"), "{}", ran.stderr);
    let whole = json("--profile --json", LOOP);
    let profile = &whole["profile"];
    assert_eq!(profile["functions"][0]["count"], 1);
    assert_eq!(profile["points"].as_array().map(Vec::len), Some(0));
    assert!(profile["branches"].as_array().is_some_and(|all| all[0]["held"] == 40 && all[0]["not"] == 1));
    assert_eq!(json("--json", LOOP)["profile"], Value::Null);
}

#[test]
fn a_profile_shows_what_can_be_named_before_a_line() {
    const TEXT: &str = "struct { int a[2]; double d; } s = { { 7, 8 }, 0.5 };\nint *p = &s.a[1], *q;\n\
        int main(void) {\nint unset;\nfor (int i = 0; i < 3; i++)\ns.a[0] += i;\nreturn 0;\n}\n";
    let ran = run("--profile --at 6", &[TEXT]);
    for wanted in [
        "before f0.i:6: 3 visits",
        "    s.a[0] = 7, 8",
        "    s.d = 0.5",
        "    p = &s.a[1]",
        "    q = null",
        "    unset = unset",
        "    i = 0, 1, 2",
    ] {
        assert!(ran.stderr.lines().any(|line| line == wanted), "{wanted} in\n{}", ran.stderr);
    }
    let whole = json("--profile --at f0.i:6 --json", TEXT);
    let point = &whole["profile"]["points"][0];
    assert_eq!((&point["count"], &point["looked_at"]), (&3.into(), &3.into()));
    let value = |lvalue: &str| {
        let values = point["values"].as_array().expect("a list");
        values.iter().find(|value| value["lvalue"] == lvalue).expect("it is in scope").clone()
    };
    assert_eq!((&value("i")["values"][2], &value("i")["sure"]), (&"2".into(), &true.into()));
    assert_eq!((&value("unset")["unset"], &value("unset")["sure"]), (&true.into(), &false.into()));
    let sampled = json("--profile --sample 2 --json", TEXT);
    assert_eq!(sampled["profile"]["points"].as_array().map(Vec::len), Some(2));
    for arguments in ["--at 6", "--sample 2", "--operands", "--profile --at x"] {
        assert_eq!(run(arguments, &[TEXT]).status, 2, "{arguments}");
    }
}

#[test]
fn one_run_lists_every_undefined_operator() {
    const TEXT: &str = "int main(void) {\nint m = 2147483647, z = 0, s = 0;\nfor (int i = 0; i < 3; i++)\n\
        s += m + i;\nz = 7 / z;\nreturn z;\n}\n";
    let ran = run("--profile --operands", &[TEXT]);
    assert_eq!(ran.status, 120);
    for wanted in [
        "f0.i:4: undefined 2 times: 2147483647 + 1, 2147483647 + 2 [overflow-add]",
        "f0.i:5: undefined once: 7 / 0 [div-by-zero]",
    ] {
        assert!(ran.stderr.lines().any(|line| line == wanted), "{wanted} in\n{}", ran.stderr);
    }
    let whole = json("--profile --operands --json", TEXT);
    assert_eq!((&whole["outcome"]["code"], &whole["went_on"]["status"]), (&"overflow-add".into(), &0.into()));
    assert_eq!(json("--judge --profile --operands --json", TEXT)["judgement"]["kind"], "undefined");
}

#[test]
fn points_stand_behind_labels() {
    const TEXT: &str = "int main(void) {\nint n = 0;\nagain:\nn++;\nswitch (n) {\ncase 1: n += 0;\ngoto again;\n\
        case 2:\ngoto again;\ndefault: break;\n}\nif (n > 9)\nn = 0;\nreturn 0;\n}\n";
    let ran = run("--profile --at 3,6,8,13", &[TEXT]);
    for wanted in [
        "behind the label of f0.i:3: 3 visits",
        "    n = 0, 1, 2",
        "behind the label of f0.i:6: 1 visit",
        "behind the label of f0.i:8: 1 visit",
        "    n = 2",
        "before f0.i:13: never reached",
    ] {
        assert!(ran.stderr.lines().any(|line| line == wanted), "{wanted} in\n{}", ran.stderr);
    }
    assert_eq!(ran.stderr.lines().last(), Some("before f0.i:13: never reached"), "{}", ran.stderr);
    let whole = json("--profile --at 8 --json", TEXT);
    let point = &whole["profile"]["points"][0];
    assert_eq!((&point["place"]["line"], &point["label"]["place"]["line"]), (&9.into(), &8.into()));
    for at in ["99", "1", "f0.i:11", "other.c:4"] {
        let ran = run(&format!("--profile --at 4,{at}"), &[TEXT]);
        assert_eq!(ran.status, 2, "{at}");
        assert!(ran.stderr.contains(&format!("--at {at}: no statement")), "{}", ran.stderr);
    }
}

#[test]
fn a_profile_says_what_it_leaves_out() {
    const TEXT: &str = "extern struct file *stdin; int main(void) {\nint a[40] = { 1 }, *end = a + 40, *in = a + 3;\n\
        char *c = (char *)a + 5; _Complex double z = 1; __builtin_va_list list; struct { int b[9]; } s;\n\
        return a[39];\n}\n";
    let ran = run("--profile --at 4", &[TEXT]);
    for wanted in [
        "    of a only these 16 parts were looked at",
        "    end = &a[40] (past the end)",
        "    in = &a[3]",
        "    c = (char *)&a + 5",
        "    z was not looked at",
        "    list was not looked at",
        "    s = unset, all of it",
    ] {
        assert!(ran.stderr.lines().any(|line| line == wanted), "{wanted} in\n{}", ran.stderr);
    }
    assert!(!ran.stderr.contains("stdin"), "{}", ran.stderr);
    let whole = json("--profile --at 4 --json", TEXT);
    let point = &whole["profile"]["points"][0];
    assert_eq!(point["left_out"], serde_json::json!(["stdin", "z", "list"]));
    assert_eq!(point["partly"], serde_json::json!(["a"]));
}

#[test]
fn a_profile_says_where_its_run_stopped() {
    const TEXT: &str =
        "int main(void) {\nint m = 2147483647, a[2] = { 1 };\nm++;\na[m & 4 | 2] = 1;\nreturn 1 / 0;\n}\n";
    let ran = run("--profile --operands", &[TEXT]);
    let stopped = |stderr: &str| stderr.lines().any(|line| line.starts_with("stopped at f0.i:4: "));
    assert!(stopped(&ran.stderr) && ran.stderr.contains("not in these lists"), "{}", ran.stderr);
    let judged = run("--judge --profile --operands", &[TEXT]);
    assert!(stopped(&judged.stderr), "{}", judged.stderr);
    assert!(!run("--profile", &["int main(void) { return 0; }"]).stderr.contains("stopped"));
}

#[test]
fn a_judgement_has_one_profile_of_all_runs() {
    const TEXT: &str = "int a, b; int f(void) {\na = 1; return 1; }\nint g(void) {\nb = 1; return 1; }\n\
        int main(void) {\nreturn f() + g() - 2;\n}\n";
    let whole = json("--judge --profile --at 2 --json", TEXT);
    let point = &whole["profile"]["points"][0];
    assert_eq!((&whole["profile"]["runs"], &point["count"]), (&3.into(), &3.into()));
    let sure = |lvalue: &str| {
        let values = point["values"].as_array().expect("a list");
        values.iter().find(|value| value["lvalue"] == lvalue).expect("it is in scope")["sure"].clone()
    };
    // Whether g comes before f is for the compiler to choose.
    assert_eq!((sure("a"), sure("b")), (true.into(), false.into()));
    assert_eq!(whole["profile"]["statements"][0]["sure"], true);
    assert_eq!(json("--judge --json", TEXT)["profile"], Value::Null);
}

#[test]
fn overflow_wraps_if_asked_to() {
    let text = "int main(void) { int top = 2147483647; return top + 1 < 0 ? 5 : 6; }";
    for (arguments, status) in
        [("", 120), ("--wrapv", 5), ("-fwrapv -fwrapv", 5), ("-fwrapv -fno-wrapv", 120)]
    {
        assert_eq!(run(arguments, &[text]).status, status, "{arguments}");
    }
}

/// An option that would do nothing is refused.
#[test]
fn options_that_contradict_are_refused() {
    for arguments in ["--judge --order rtl", "--judge --trace-volatile", "--judge --runs 0"] {
        assert_eq!(run(arguments, &[HELLO]).status, 2, "{arguments}");
    }
}

#[test]
fn a_file_in_place_of_a_command_gets_a_tip() {
    let output = Command::new(env!("CARGO_BIN_EXE_howler")).arg("a.c").output().expect("howler starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`howler run a.c`"));
}
