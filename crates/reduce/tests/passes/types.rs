//! Types that change everywhere.

use crate::{each, has};

#[test]
fn members_that_nobody_names_go() {
    has(
        "types",
        "struct s { int a; int b; int c; }; struct s x = {1, 2, 3}; int main(void) { struct s *p = &x; return p->c; }",
        "struct s { int a; int c; }; struct s x = {1, 3}; int main(void) { struct s *p = &x; return p->c; }",
    );
}

#[test]
fn what_has_such_a_struct_inside_follows() {
    has(
        "types",
        "struct s { int a; int b; }; struct t { struct s s; }; struct t x; int main(void) { return x.s.b; }",
        "struct s { int b; }; struct t { struct s s; }; struct t x; int main(void) { return x.s.b; }",
    );
}

#[test]
fn a_struct_is_its_only_member() {
    has(
        "types",
        "struct s { int b; }; struct s x[2]; int main(void) { return x[1].b; }",
        "int x[2]; int main(void) { return x[1]; }",
    );
}

#[test]
fn members_that_are_named_stay() {
    let text = "struct s { int a; int b; }; struct s x; int main(void) { return x.a + x.b; }";
    assert_eq!(each("types", text), [] as [&str; 0]);
}

#[test]
fn unions_become_structs() {
    has(
        "types",
        "union u { int a; short b; }; union u x; int main(void) { return x.a + x.b; }",
        "struct u { int a; short b; }; struct u x; int main(void) { return x.a + x.b; }",
    );
}

#[test]
fn numbers_are_int_everywhere() {
    has(
        "types",
        "long f(long a) { return (long)a + 1L; } long *p; int main(void) { return f(2); }",
        "int f(int a) { return (int)a + 1L; } int *p; int main(void) { return f(2); }",
    );
}

#[test]
fn members_are_plain() {
    let text = "struct s { int a[3]; unsigned b : 3; }; struct s x = {{1, 2}, 3}; int main(void) { return x.a[1] + x.b; }";
    has(
        "types",
        text,
        "struct s { int a; unsigned b : 3; }; struct s x = {1, 3}; int main(void) { return x.a + x.b; }",
    );
    has(
        "types",
        text,
        "struct s { int a[3]; int b; }; struct s x = {{1, 2}, 3}; int main(void) { return x.a[1] + x.b; }",
    );
}
