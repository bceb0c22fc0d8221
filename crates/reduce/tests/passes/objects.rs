//! Types of objects, and where they are declared.

use crate::{each, has};

#[test]
fn arrays_lose_a_dimension() {
    has(
        "shapes",
        "int a[2][3] = {{1, 2}}; int main(void) { a[0][1] = 4; return a[1][2]; }",
        "int a[3] = {1, 2}; int main(void) { a[1] = 4; return a[2]; }",
    );
    has(
        "shapes",
        "int a[2]; int *p = a; int main(void) { return *a + *p; }",
        "int a; int *p = &a; int main(void) { return a + *p; }",
    );
}

#[test]
fn arrays_become_shorter() {
    let text = "int a[8] = {1, 2, 3}; int main(void) { return a[0]; }";
    has("shapes", text, "int a[1] = {1}; int main(void) { return a[0]; }");
    has("shapes", text, "int a[4] = {1, 2, 3}; int main(void) { return a[0]; }");
    has("shapes", text, "int a[7] = {1, 2, 3}; int main(void) { return a[0]; }");
}

#[test]
fn a_pointer_is_what_it_points_to() {
    has(
        "shapes",
        "int g; int main(void) { int *p; p = &g; *p = 2; return *p; }",
        "int g; int main(void) { int p; p = g; p = 2; return p; }",
    );
}

#[test]
fn a_struct_is_a_member() {
    has(
        "shapes",
        "struct s { int a; long b; }; int main(void) { struct s x = {1, 2}; x.b = 3; return x.b; }",
        "struct s { int a; long b; }; int main(void) { long x = 2; x = 3; return x; }",
    );
}

#[test]
fn numbers_are_int() {
    has(
        "shapes",
        "unsigned long a = 3; int main(void) { return a / 2; }",
        "int a = 3; int main(void) { return a / 2; }",
    );
}

#[test]
fn a_parameter_has_another_type_with_its_function() {
    has(
        "shapes",
        "int f(short a) { return a; } int main(void) { return f(1); }",
        "int f(int a) { return a; } int main(void) { return f(1); }",
    );
}

#[test]
fn variables_move_to_file_scope() {
    has("places", "int f(int a) { int b = a; return b; }", "int b; int f(int a) { b = a; return b; }");
    has("places", "int f(void) { int b = 3; return b; }", "int b = 3; int f(void) { return b; }");
    let hidden = "int b; int f(void) { int b = 3; return b; }";
    assert_eq!(each("places", hidden), [] as [&str; 0]);
}

#[test]
fn what_a_variable_is_set_to_stands_for_it() {
    let text = "int f(int a) { int b = a + 1; return b; }";
    has("forward", text, "int f(int a) { return a + 1; }");
    let text = "int f(int a) { int b; b = a + 1; return b * 2; }";
    has("forward", text, "int f(int a) { int b; return (a + 1) * 2; }");
    has("forward", "int f(int a) { int b = a; return b + b; }", "int f(int a) { return a + a; }");
}
