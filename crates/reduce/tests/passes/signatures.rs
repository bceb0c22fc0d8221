//! Parameters, results, calls.

use crate::{all, each, has};

#[test]
fn parameters_go_with_their_arguments() {
    has(
        "signatures",
        "int f(int a, int b) { return b; } int main(void) { return f(1, 2) + f(3, 4); }",
        "int f(int b) { return b; } int main(void) { return f(2) + f(4); }",
    );
}

#[test]
fn a_parameter_that_is_used_becomes_a_variable_with_its_value() {
    has(
        "signatures",
        "int f(int a) { return a * 2; } int main(void) { int x = 7; return f(x); }",
        "int f(void) { int a = 7; return a * 2; } int main(void) { int x = 7; return f(); }",
    );
}

#[test]
fn all_parameters_go_at_once() {
    assert_eq!(
        all("signatures", "void f(int a, int b, int c) {} int main(void) { f(1, 2, 3); }", |_| true)
            .as_deref(),
        Some("void f(void) {} int main(void) { f(); }")
    );
}

#[test]
fn a_function_whose_address_is_taken_keeps_its_parameters() {
    let text = "int f(int a) { return 1; } int (*p)(int) = f; int main(void) { return p(1) + f(2); }";
    assert!(each("signatures", text).iter().all(|made| made.contains("f(int a)")));
}

#[test]
fn results_are_void_or_int() {
    let text = "long f(void) { return 3; } int main(void) { f(); return 0; }";
    has("signatures", text, "void f(void) { return; } int main(void) { f(); return 0; }");
    has("signatures", text, "int f(void) { return 3; } int main(void) { f(); return 0; }");
    let used = "int f(void) { return 3; } int main(void) { return f(); }";
    assert!(each("signatures", used).iter().all(|made| !made.contains("void f")));
}

#[test]
fn a_call_becomes_what_it_does() {
    has(
        "inline",
        "int g; void f(int a) { g = a; } int main(void) { f(4); return g; }",
        "int g; void f(int a) { g = a; } int main(void) { int a_1 = 4; g = a_1; return g; }",
    );
    has(
        "inline",
        "int f(int a) { int b = a; return b + 1; } int main(void) { return f(4); }",
        "int f(int a) { int b = a; return b + 1; } int main(void) { int a_1 = 4; int b_1 = a_1; return b_1 + 1; }",
    );
}

#[test]
fn what_returns_in_the_middle_is_not_inlined() {
    let text = "int f(int a) { if (a) return 1; return 2; } int main(void) { return f(4); }";
    assert_eq!(each("inline", text), [] as [&str; 0]);
}

#[test]
fn main_needs_no_parameters() {
    crate::has(
        "signatures",
        "int main(int argc, char **argv) { return argc; }",
        "int main(int argc) { return argc; }",
    );
    crate::has(
        "signatures",
        "int main(int argc) { return argc; }",
        "int main(void) { int argc = 0; return argc; }",
    );
}
