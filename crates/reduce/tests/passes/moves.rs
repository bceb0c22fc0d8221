//! Values and code that stand elsewhere: in the places of calls and variables, in prints.

use crate::{all, each, has, pass, print, read};

#[test]
fn wrappers_become_their_operators() {
    let text =
        "int add(int a, int b) { return a > 5 && b > 5 ? a : a + b; } int main(void) { return add(2, 3); }";
    let add = "int add(int a, int b) { return a > 5 && b > 5 ? a : a + b; }";
    has("wrappers", text, &format!("{add} int main(void) {{ return 2 + 3; }}"));
    has("wrappers", text, &format!("{add} int main(void) {{ return 2 > 5 && 3 > 5 ? 2 : 2 + 3; }}"));
}

#[test]
fn wrappers_in_wrappers_go_in_one_step() {
    let text = "int f(int a) { return -a; } int main(void) { int b = 1; return f(f(b) + f(b)); }";
    let whole = all("wrappers", text, |site| site.choice == 0);
    let wanted = "int f(int a) { return -a; } int main(void) { int b = 1; return -(-b + -b); }";
    assert_eq!(whole.as_deref(), Some(wanted));
}

#[test]
fn whole_wrappers_convert_as_calls_do() {
    let text = "short f(char a) { return a * 2; } int main(void) { int b = 300; return f(b); }";
    has(
        "wrappers",
        text,
        "short f(char a) { return a * 2; } int main(void) { int b = 300; return (short)((char)b * 2); }",
    );
}

#[test]
fn functions_that_do_more_are_no_wrappers() {
    let text = "int b; int f(int a) { b++; return a; } int main(void) { return f(1); }";
    assert_eq!(each("wrappers", text), [] as [&str; 0]);
}

#[test]
fn the_only_call_of_a_function_takes_the_function_with_it() {
    let text = "int b; static int f(int a) { b = a; return a + 1; } int main(void) { return f(1); }";
    has("inline-once", text, "int b; int main(void) { int a_1 = 1; b = a_1; return a_1 + 1; }");
    let twice = "int f(int a) { return a + 1; } int main(void) { return f(1) + f(2); }";
    assert_eq!(each("inline-once", twice), [] as [&str; 0]);
}

#[test]
fn values_of_variables_are_copied_to_all_that_use_them() {
    has("forward", "int a = 3; int main(void) { return a * a; }", "int main(void) { return 3 * 3; }");
    has(
        "forward",
        "int b; int main(void) { int *a = &b; *a = 1; return *a; }",
        "int b; int main(void) { *&b = 1; return *&b; }",
    );
}

#[test]
fn what_does_something_is_not_copied() {
    let text = "int b; int main(void) { int a = b++; return a * a; }";
    assert_eq!(each("forward", text), [] as [&str; 0]);
}

#[test]
fn what_a_checksum_is_made_of_is_printed() {
    let text = "int printf(const char *, ...); long sum; void crc(long a, int b) { sum += a; } \
                int main(void) { short x = 1; crc(x, 0); crc(2, 0); printf(\"%ld\", sum); return 0; }";
    let wanted = "int main(void) { short x = 1; printf(\"%d\\n\", x); printf(\"%d\\n\", 2); printf(\"%ld\", sum); \
                  return 0; }";
    let made = each("prints", text);
    assert!(made.iter().any(|one| one.ends_with(wanted)), "{made:#?}");
}

#[test]
fn main_returns_whether_a_value_is_right() {
    let text =
        "int printf(const char *, ...); int main(void) { int a = 300; printf(\"%d\\n\", a + 1); return 0; }";
    let start = "int printf(const char *, ...); int main(void) { int a = 300;";
    has("witness", text, &format!("{start} return a + 1 == 301; return 0; }}"));
    has("witness", text, &format!("{start} return a + 1; return 0; }}"));
}

#[test]
fn main_returns_what_it_asks() {
    let text = "void f(int a) { if (a) ; } int main(void) { int a = 3; if (a > 2) a = 1; return 0; }";
    assert_eq!(
        each("witness", text)[0],
        "void f(int a) { if (a) ; } int main(void) { int a = 3; return a > 2; return 0; }"
    );
    assert_eq!(each("witness", text).len(), 1, "in main alone");
}

#[test]
fn bodies_go_where_nobody_runs_the_program() {
    let text = "static int f(int a) { return a; } int main(void) { return f(1); }";
    assert_eq!(each("bodies", text), [] as [&str; 0]);
    let subject = read(text).only_compiled();
    let bodies = pass("bodies");
    let sites = bodies.sites(&subject);
    let made = bodies.apply(&subject, sites[0]).map(|program| print(&program));
    assert_eq!(made.as_deref(), Some("int f(int); int main(void) { return f(1); }"));
    assert!(subject.profile().is_none(), "nobody runs it");
}
