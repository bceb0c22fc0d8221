//! What `howler run` says about programs that are not defined: the place, the words, the clause and the notes.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

use howler_testkit::Scratch;
use serde_json::Value;
use std::process::{Command, Stdio};

/// What `howler run` writes to standard output and standard error for this text, which needs no preprocessor.
fn run(arguments: &str, text: &str) -> (String, String) {
    let scratch = Scratch::new();
    scratch.write("t.i", text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_howler"));
    command.arg("run").args(arguments.split_whitespace()).arg("t.i").current_dir(scratch.folder());
    let output = command.stdin(Stdio::null()).output().expect("howler starts");
    let text = |bytes| String::from_utf8(bytes).expect("messages are text");
    (text(output.stdout), text(output.stderr))
}

/// Asserts that each part is in what is said, one after the other.
#[track_caller]
fn says(arguments: &str, text: &str, parts: &[&str]) {
    let (_, said) = run(arguments, text);
    let mut rest = said.as_str();
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => panic!("{part:?} is missing or out of order in\n{said}"),
        }
    }
}

/// Declarations that the headers would have.
const LIBRARY: &str = "typedef unsigned long size_t; typedef struct f FILE; extern FILE *stdin, *stdout; \
    int printf(const char *, ...); int sscanf(const char *, const char *, ...); char *getenv(const char *); \
    int sprintf(char *, const char *, ...); char *strcpy(char *, const char *); char *strerror(int); \
    char *fgets(char *, int, FILE *); int fflush(FILE *); void *malloc(size_t); void free(void *); \
    int strcmp(const char *, const char *); int isalpha(int); int snprintf(char *, size_t, const char *, ...); \
    void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); int putchar(int);\n";

fn with_library(text: &str) -> String {
    format!("{LIBRARY}{text}")
}

#[test]
fn a_callback_is_where_its_fault_is() {
    let text = with_library(
        "static int less(int a, int b) { return a - b; }\n\
         static int cmp(const void *a, const void *b) { return less(*(const int *)a, *(const int *)b); }\n\
         int main(void) { int v[] = {2147483647, -5, 3};\n\
         qsort(v, 3, sizeof *v, cmp);\n\
         return 0; }\n",
    );
    says(
        "",
        &text,
        &[
            "t.i:2:42: error: undefined",
            "[overflow-sub]",
            "t.i:3:",
            "'less' is called here, in 'cmp'",
            "t.i:5:",
            "'cmp' is called here, in 'main'",
        ],
    );
}

#[test]
fn scanf_and_printf_are_told_apart_and_types_are_named() {
    let text = with_library("int main(void) { int n; return sscanf(\"12\", \"%ld\", &n); }\n");
    says(
        "",
        &text,
        &[
            "argument of sscanf has the wrong type for its conversion: argument 3 is 'int *', its conversion needs \
           'long *' (C17 7.21.6.2p10) [printf-type]",
        ],
    );
    let text = with_library("int main(void) { printf(\"%d %d\\n\", 1, 2L); }\n");
    says("", &text, &["argument of printf has", "argument 3 is 'long', '%d' needs 'int' (C17 7.21.6.1p9)"]);
    let text = with_library("int main(void) { printf(\"%s\\n\", 1); }\n");
    says("", &text, &["argument 2 is 'int', '%s' needs 'char *'"]);
    let text = with_library("int main(void) { printf(\"%d %5.2f\\n\", 1); }\n");
    says("", &text, &["too few arguments", "there is no argument 3, '%5.2f' needs one (C17 7.21.6.1p2)"]);
}

#[test]
fn texts_of_the_library_are_no_string_literals() {
    let text = with_library("int main(void) { char *e = strerror(2); e[0] = 1; return 0; }\n");
    says(
        "",
        &text,
        &["text that 'strerror' returned modified (C17 7.24.6.2p4)", "'strerror' returned it here"],
    );
    let text = with_library("int main(void) { char *e = getenv(\"PATH\"); e[0] = 1; return 0; }\n");
    says("", &text, &["text that 'getenv' returned modified (C17 7.22.4.6p4)"]);
    says(
        "",
        "int main(void) { char *e = \"a\"; e[0] = 1; return 0; }",
        &["string literal modified (C17 6.4.5p7)"],
    );
}

#[test]
fn functions_are_cited_for_what_they_forbid() {
    let cases = [
        (
            "char a[9] = \"abc\"; strcpy(a + 1, a);",
            "strcpy copies between objects that overlap (C17 7.24.2.3p2)",
        ),
        ("char a[9] = \"abc\"; sprintf(a, \"%s!\", a);", "overlap (C17 7.21.6.6p2)"),
        ("printf(\"%s\\n\", (char *)0);", "invalid pointer given to printf (C17 7.1.4p1, 7.21.6.1p8)"),
        ("char a[2] = \"ab\"; printf(\"%s\", a);", "given to printf as a string (C17 7.1.4p1, 7.21.6.1p8)"),
        ("char a[2]; snprintf(a, 9, \"abcd\");", "(C17 7.1.4p1, 7.21.6.5p2)"),
        ("char a[2]; sscanf(\"abcd\", \"%s\", a);", "(C17 7.21.6.2p12)"),
        ("fflush(stdin);", "fflush of an input stream (C17 7.21.5.2p2) [stream-use]"),
    ];
    for (text, said) in cases {
        says("", &with_library(&format!("int main(void) {{ {text} return 0; }}\n")), &[said]);
    }
}

#[test]
fn a_variable_without_a_value_has_a_name_and_a_place() {
    says(
        "",
        "int main(void) { int x; int y = 1;\nreturn y + x; }",
        &[
            "t.i:2:12: error: ",
            "'x' is used without a value (C17 6.3.2.1p2) [uninit]",
            "t.i:1:22: note: 'x' is declared here",
        ],
    );
    says(
        "",
        "int main(void) { int x; if (x) return 1; return 0; }",
        &["t.i:1:29: error", "'x' is used without"],
    );
    says("", "int main(void) { int x, y; x = y; return x; }", &["t.i:1:32: error", "'y' is used without"]);
    says(
        "",
        "int main(void) { int x;\nreturn x; }",
        &["t.i:2:8: error", "'x' is used without", "declared here"],
    );
    says(
        "",
        "int f(int a) { return a; } int main(void) { int x; return f(x); }",
        &["t.i:1:61: error", "'x' is used without"],
    );
    let heap = with_library("int main(void) { int *p = malloc(sizeof *p); return *p; }");
    says(
        "",
        &heap,
        &["(C17 7.22.3.4p2, 6.2.6.1p5, J.2)", "it was allocated here", "another one at each use"],
    );
    says(
        "",
        "int main(void) { int x; int *p = &x; return *p; }",
        &["(C17 6.7.9p10, 6.2.6.1p5, J.2)", "declared"],
    );
}

#[test]
fn both_objects_and_the_callee_are_shown() {
    says(
        "",
        "int a[2], b[2]; int main(void) { int *p = a, *q = b; return p < q; }",
        &["[compare-different]", "'a' is declared here", "'b' is declared here"],
    );
    says(
        "",
        "int a[2], b[2]; int main(void) { int *p = a, *q = b; return p - q; }",
        &["[sub-different]", "'a' is declared here", "'b' is declared here"],
    );
    says(
        "",
        "int f(int x) { if (x) return 1; }\nint main(void) { return f(0); }",
        &["t.i:2:", "[missing-return]", "t.i:1:5: note: 'f' is defined here"],
    );
    says(
        "",
        "int f(int x) { return x; }\nint main(void) { return ((int (*)(double))f)(1.0); }",
        &["t.i:2:", "[call-type]", "t.i:1:5: note: 'f' is defined here"],
    );
    let freed = with_library(
        "static void done(int *p) {\nfree(p); }\nint main(void) { int *p = malloc(4); done(p);\ndone(p); return 0; }",
    );
    says("", &freed, &["t.i:5:", "t.i:4:", "it was allocated here", "t.i:3:", "it was freed here"]);
}

#[test]
fn a_lifetime_ends_at_the_closing_brace() {
    let text = "int main(void) { int *p;\n{ int x = 1; p = &x;\n} return *p; }";
    says(
        "",
        text,
        &["[use-after-scope]", "t.i:2:7: note: 'x' is declared here", "t.i:3:1: note: its lifetime ended"],
    );
    let text = "int main(void) { int *p; for (;;) { int x = 1; p = &x;\nbreak;\n} return *p; }";
    says("", text, &["[use-after-scope]", "t.i:2:1: note: its lifetime ended"]);
}

#[test]
fn values_that_do_not_fit_are_shown() {
    says(
        "",
        "int main(void) { double d = 1e10; return (int)d; }",
        &["10000000000.0 to a signed type of 32 bits"],
    );
    says(
        "",
        "int main(void) { int m = -2147483647 - 1; return -m; }",
        &["negation: -(-2147483648) (C17 6.5p5)"],
    );
    says("", "int main(void) { int m = 2147483647; m++; return m; }", &["increment: 2147483647 + 1"]);
}

#[test]
fn an_unspecified_value_has_a_source() {
    let strcmp = with_library("int main(void) { printf(\"%d\\n\",\nstrcmp(\"a\", \"c\")); return 0; }");
    says(
        "--judge",
        &strcmp,
        &[
            "unspecified behaviour",
            "(C17 3.4.4p1)",
            "t.i:3:",
            "only the sign is known ('strcmp', C17 7.24.4.2)",
        ],
    );
    let isalpha = with_library("int main(void) { return isalpha('a'); }");
    says("--judge", &isalpha, &["it comes from here: ", "('isalpha', C17 7.4.1)"]);
    let getenv = with_library("int main(void) { return getenv(\"A\") != 0; }");
    says("--judge", &getenv, &["('getenv', C17 7.22.4.6)"]);
    let literals = "int main(void) { const char *a = \"x\", *b = \"x\"; return a == b; }";
    says("--judge", literals, &["whether equal string literals are one object (C17 6.4.5p7)"]);
    let operand = "int g; static int f(void) { g = 1; return 0; }\nint main(void) { return f() +\ng; }";
    says(
        "--judge",
        operand,
        &["unspecified", "(C17 6.5", "this call and an operand conflict about 'g'", "t.i:3:", "the operand"],
    );
}

#[test]
fn syntax_errors_are_said_once_and_in_order() {
    says(
        "",
        "int main(void) {\nint x = 3\nreturn x; }",
        &["t.i:2:10: error: expected ',' or ';' before 'return'"],
    );
    let (_, said) = run("", "int main(void) {\nint y = ;\nreturn 0; }\nchar *s = \"abc;\n");
    assert_eq!(said.matches("terminating").count(), 1, "{said}");
    assert!(said.find("t.i:2:") < said.find("t.i:4:"), "{said}");
}

#[test]
fn what_compilers_warn_of_is_not_passed_over() {
    let text = "int main(void) { int *p = 5; char *q = p; return q == 0; }";
    let (_, said) = run("", text);
    assert_eq!(said.matches("warning: ").count(), 2, "{said}");
    says("--judge", text, &["warning: ", "warning: "]);
    let (json, said) = run("--json", text);
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!((json["warnings"].as_array().map(Vec::len), said.as_str()), (Some(2), ""));
    let (json, _) = run("--json --judge", text);
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["warnings"].as_array().map(Vec::len), Some(2));
}

#[test]
fn json_keeps_bytes_and_places() {
    let text = with_library("int main(void) { putchar(0xff); putchar('a'); return 0; }");
    for (arguments, part) in [("--json", ""), ("--json --judge", "/judgement")] {
        let json: Value = serde_json::from_str(&run(arguments, &text).0).expect("it is JSON");
        let at = |name: &str| json.pointer(&format!("{part}/{name}")).cloned();
        assert_eq!((at("stdout_hex"), at("stdout")), (Some("ff61".into()), Some("\u{fffd}a".into())));
        assert_eq!(at("stderr_hex"), None);
    }
    let endless = "int main(void) { for (;;) ; }";
    let json: Value =
        serde_json::from_str(&run("--json --judge --steps 1000", endless).0).expect("it is JSON");
    assert_eq!(json["judgement"]["place"]["column"], 27);
    says("--judge --steps 1000", endless, &["t.i:1:27: error: unfinished: the limit of 1000 steps"]);
}
