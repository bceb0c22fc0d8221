//! What a profile must not be sure of: values and counts that the standard leaves open, though one run has only one of
//! them. Each is a predicate that another compiler would make false.

#[path = "profile/harness.rs"]
mod harness;

use harness::{ints, parsed, place, profiled, stmt_in_line};
use howler_machine::judge::{JudgeOptions, Judged, Judgement, judge};
use howler_machine::profile::{Points, Profile, ProfileOptions};
use howler_machine::{RunOptions, run};

const ALL: ProfileOptions = ProfileOptions {
    points: Points::All,
    visits: 1000,
    objects: 100,
    parts: 8,
    values: 8,
    rows: 64,
    tuples: 8,
    bare: false,
};

/// Whether the values of an object before a line are sure.
fn is_sure(text: &str, name: &str, line: u32) -> bool {
    let (program, profile) = profiled(text, ALL);
    profile.sure(stmt_in_line(&program, line), &place(&program, name)).is_some()
}

fn judged(text: &str) -> (howler_lang::program::Program, Judged, Profile) {
    let program = parsed(text);
    let judged = judge(&program, &JudgeOptions { profile: Some(ALL), ..JudgeOptions::default() });
    let profile = judged.profile().expect("it was asked for");
    (program, judged, profile)
}

const COMMUTE: &str = "int a, b, c, p[2];\n\
    int f(void) { int own = 1;\n\
        a = own; return 1; }\n\
    int g(void) {\n\
        b = 2; return 2; }\n\
    int main(void) {\n\
        int r = f() + g();\n\
        return r - 3 + c; }\n";

#[test]
fn what_a_neighbouring_operand_writes_is_not_sure() {
    // Whether b is set when f runs is for the compiler to choose, though nothing in the program shows it.
    assert!(!is_sure(COMMUTE, "b", 3));
    assert!(!is_sure(COMMUTE, "a", 5));
    for (name, line) in [("a", 3), ("b", 5), ("c", 3), ("p", 5), ("own", 3), ("a", 7), ("b", 8), ("r", 8)] {
        let (program, profile) = profiled(COMMUTE, ALL);
        let mut place = place(&program, name);
        if name == "p" {
            place.path.push(howler_machine::profile::Step::Index(0));
        }
        assert!(profile.sure(stmt_in_line(&program, line), &place).is_some(), "{name} in line {line}");
    }
    let (program, judged, profile) = judged(COMMUTE);
    assert!(judged.judgement.defined().is_some());
    assert!(profile.sure(stmt_in_line(&program, 3), &place(&program, "b")).is_none());
    assert!(profile.sure(stmt_in_line(&program, 8), &place(&program, "b")).is_some());
    let (places, _) = profile.states(stmt_in_line(&program, 3)).expect("all states are known");
    assert!(!places.contains(&place(&program, "b")) && places.contains(&place(&program, "c")));
}

#[test]
fn operands_that_are_no_calls_write_too() {
    for main in [
        "int main(void) { return f(0) - g++; }",
        "int main(void) { int *p = &g; return f(0) - (*p)++; }",
        "int main(void) { return f(g++); }",
        "int id(int n) { return n; } int main(void) { return f(0) + id(f(0) + f(0) + (g = 3) - 3); }",
        "int main(void) { int v[2] = { f(0), g++ }; return v[0] + v[1]; }",
        "#include <string.h>\nint main(void) { return f(0) + !memset(&g, 1, 4); }",
    ] {
        let text = format!(
            "void *memset(void *, int, unsigned long); int g;\nint f(int n) {{\n n = n;\n return n; }}\n{}\n",
            main.replace("#include <string.h>", "")
        );
        // The argument of a call is evaluated before its body (C17 6.5.2.2p10).
        assert_eq!(is_sure(&text, "g", 3), main.contains("f(g++)"), "{main}");
        assert!(is_sure(&text, "n", 3), "{main}");
    }
}

#[test]
fn statements_in_an_expression_see_what_its_other_operands_write() {
    for (expr, sure) in [
        ("({\n x = x;\n 0; }) + y++", false),
        ("({\n x = x;\n 0; }) + (y = 1, 0)", false),
        ("({\n x = x;\n 0; }) + f()", false),
        ("({\n x = x;\n 0; }) + x2++", true),
        ("({\n x = x;\n 0; }), y++", true),
        ("y ? ({\n x = x;\n 0; }) : y++", true),
        ("({\n x = x;\n 0; }) + 1", true),
        ("1 + ({\n 2 + ({ 1;\n x = x;\n 0; }); }) + y++", false),
    ] {
        let sum = format!(
            "int y = 1; int f(void) {{ y = 2; return 0; }} int main(void) {{ int x = 1, x2 = 0; int r = 5;\n\
             r = {expr};\n return x2 > 1; }}"
        );
        let line = if expr.contains("1;\n") { 4 } else { 3 };
        assert_eq!(is_sure(&sum, "y", line), sure, "{expr}");
        // In a register as well as in memory.
        let local = sum.replace("int y = 1; int f", "int z; int f").replace("{ y = 2", "{ z = 2");
        let local = local.replace("int x = 1,", "int y = 1, x = 1,");
        let calls = expr.contains("f()");
        assert_eq!(is_sure(&local, "y", line), sure || calls, "{local}");
    }
}

const CONFLICT: &str = "int n, seen[3];\n\
    int f(int at) {\n\
        seen[at] = n++; return 0; }\n\
    int main(void) {\n\
        int r = f(0) + f(1) + f(2);\n\
        return r; }\n";

#[test]
fn a_run_that_depends_on_an_order_is_sure_of_nothing() {
    let (program, profile) = profiled(CONFLICT, ALL);
    let end = stmt_in_line(&program, 6);
    assert_eq!(profile.open, 1);
    assert!(profile.sure(end, &place(&program, "n")).is_none() && profile.states(end).is_none());
    // All orders were tried: together they have every value.
    let (program, judged, profile) = judged(CONFLICT);
    assert!(judged.judgement.defined().is_some(), "{:?}", judged.judgement);
    assert_eq!(ints(&profile, stmt_in_line(&program, 6), &place(&program, "n")), [3]);
    let mut second = place(&program, "seen");
    second.path.push(howler_machine::profile::Step::Index(0));
    assert_eq!(ints(&profile, stmt_in_line(&program, 6), &second), [0, 1, 2]);
    // In the calls, what others of them write is open.
    assert!(profile.sure(stmt_in_line(&program, 3), &place(&program, "n")).is_none());
    // What the program shows is not settled by trying.
    let shown = CONFLICT.replace("return r;", "return seen[0];");
    let (program, judged, profile) = self::judged(&shown);
    assert!(matches!(judged.judgement, Judgement::Unspecified { .. }), "{:?}", judged.judgement);
    assert!(profile.sure(stmt_in_line(&program, 6), &place(&program, "n")).is_none());
}

const SORT: &str = "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));\n\
    int order(const void *a, const void *b) {\n\
        int x = *(const int *)a, y = *(const int *)b;\n\
        if (x < y)\n\
            switch (x) { default: return -1; }\n\
        return x > y; }\n\
    int main(void) {\n\
        int v[3] = { 3, 1, 2 }, own = 1;\n\
        qsort(v, 3, 4, order);\n\
        if (order(v, v + 1) >= 0) return 1;\n\
        return v[0] - own; }\n";

#[test]
fn how_often_the_library_asks_is_not_sure() {
    let (program, profile) = profiled(SORT, ALL);
    let inside = stmt_in_line(&program, 4);
    assert!(profile.sure(inside, &place(&program, "x")).is_none() && profile.states(inside).is_none());
    assert_eq!(profile.sure_count(inside), None);
    assert_eq!(profile.sure_count(stmt_in_line(&program, 11)), Some(1));
    assert_eq!(ints(&profile, stmt_in_line(&program, 11), &place(&program, "own")), [1]);
    let compared = profile.operators.values().filter(|operands| operands.tuples.more).count();
    assert_eq!(compared, 3, "x < y, x > y, and the sign of -1");
    let branches: Vec<bool> = profile.branches.keys().map(|&cond| profile.is_sure_of(cond)).collect();
    assert_eq!(branches, [false, true]);
    let switches: Vec<bool> = profile.switches.keys().map(|&value| profile.is_sure_of(value)).collect();
    assert_eq!(switches, [false]);
    let (program, _, profile) = judged(SORT);
    assert_eq!(profile.sure_count(stmt_in_line(&program, 4)), None);
    assert_eq!(profile.sure_count(stmt_in_line(&program, 11)), Some(3), "in three runs");
}

#[test]
fn what_comes_after_undefined_behaviour_is_not_sure() {
    const TEXT: &str = "int main(void) {\n int x = 0x7fffffff;\n x++;\n return 0; }";
    let program = parsed(TEXT);
    let bare = ProfileOptions { bare: true, ..ALL };
    let report = run(&program, &RunOptions { profile: Some(bare), ..RunOptions::default() });
    let profile = report.profile.expect("it was asked for");
    assert!(report.went_on.is_some());
    assert_eq!(profile.sure_count(stmt_in_line(&program, 4)), None);
    assert!(profile.sure(stmt_in_line(&program, 4), &place(&program, "x")).is_none());
}

#[test]
fn an_address_that_counts_makes_a_run_unsure() {
    const TEXT: &str = "int a, b; int main(void) {\n int x = &a < &a + 1, y = 1;\n\
        if ((unsigned long)&a > (unsigned long)&b)\n y = 2;\n x++;\n return 0; }";
    let (program, profile) = profiled(TEXT, ALL);
    assert_eq!(profile.open, 1);
    assert!(profile.sure(stmt_in_line(&program, 5), &place(&program, "y")).is_none());
}
