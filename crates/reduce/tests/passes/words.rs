//! Words that say little: storage classes, qualifiers, attributes, initialisers, names; and what shows the failure.

use crate::{all, each, has};

#[test]
fn declarations_are_plain() {
    let text = "static int a = 3; __attribute__((noinline)) static int f(void) { return a; }";
    has("plain", text, "int a = 3; static __attribute__((noinline)) int f(void) { return a; }");
    has("plain", text, "static int a = 3; int f(void) { return a; }");
    has("plain", text, "int a; static __attribute__((noinline)) int f(void) { return a; }");
}

#[test]
fn qualifiers_go_everywhere() {
    has(
        "plain",
        "volatile int a; volatile int *p = &a; int main(void) { return *(volatile int *)p; }",
        "int a; int *p = &a; int main(void) { return *(int *)p; }",
    );
}

#[test]
fn a_static_variable_of_a_block_stays_one() {
    let text = "int f(void) { static int a = 3; return a++; }";
    assert!(each("plain", text).iter().all(|made| made.contains("static int a")));
}

#[test]
fn names_become_short() {
    assert_eq!(
        all("names", "int counter; int next(int step) { return counter + step; }", |_| true).as_deref(),
        Some("int a; int c(int b) { return a + b; }")
    );
}

#[test]
fn an_argument_is_printed_or_returned() {
    let text = "int printf(const char *, ...); void show(long a, char *b) {} long g; int main(void) { show(g, 0); return 0; }";
    let start = "int printf(const char *, ...); void show(long a, char *b) {} long g; int main(void) { ";
    has("witness", text, &format!("{start}printf(\"%ld\\n\", g); return 0; }}"));
    has("witness", text, &format!("{start}return g; return 0; }}"));
}

#[test]
fn a_cast_is_not_printed() {
    has(
        "witness",
        "int printf(const char *, ...); int g; int main(void) { printf(\"%lu\", (unsigned long)g); return 0; }",
        "int printf(const char *, ...); int g; int main(void) { printf(\"%d\\n\", g); return 0; }",
    );
}

#[test]
fn tags_members_and_labels_have_letters() {
    let text = "struct pair { int first; int b; }; struct pair one; \
                int main(void) { again: if (one.first) goto again; return one.b; }";
    let all = crate::all("names", text, |_| true);
    assert_eq!(
        all.as_deref(),
        Some("struct A { int a; int b; }; struct A a; int main(void) { b: if (a.a) goto b; return a.b; }")
    );
}

#[test]
fn a_member_does_not_get_the_name_of_another_one() {
    let text = "struct A { int first; int a; }; struct A b; int main(void) { return b.first; }";
    assert_eq!(crate::all("names", text, |_| true), None);
}

#[test]
fn enumeration_constants_become_numbers() {
    let text = "enum E { one = 1, two }; int main(void) { return two; }";
    crate::has("numbers", text, "enum E { one = 1, two }; int main(void) { return 2; }");
}
