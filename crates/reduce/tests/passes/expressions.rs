//! What stands for expressions.

use crate::{all, each, has};

#[test]
fn operands_stand_for_the_whole() {
    let text = "int f(int a, long b) { return a + (b ? a : 2 * a); }";
    has("operands", text, "int f(int a, long b) { return a; }");
    has("operands", text, "int f(int a, long b) { return b ? a : 2 * a; }");
    has("operands", text, "int f(int a, long b) { return a + b; }");
    has("operands", text, "int f(int a, long b) { return a + (b ? a : 2); }");
}

#[test]
fn what_is_no_lvalue_is_not_assigned_to() {
    let text = "int f(int a, int *p) { p[a + 1] = 3; return a; }";
    for made in each("operands", text).iter().chain(&each("zeros", text)) {
        assert!(!made.contains("0 = ") && !made.contains("1 = "), "{made}");
    }
}

#[test]
fn all_at_once_takes_what_goes() {
    assert_eq!(
        all("zeros", "int g(int); int f(int a) { return g(a * 2) + a; }", |_| true).as_deref(),
        Some("int g(int); int f(int a) { return 0; }")
    );
}

#[test]
fn a_value_that_was_seen_stands_for_the_operand() {
    has(
        "observed-values",
        "int a = 4; int main(void) { return a * 2 + 1; }",
        "int a = 4; int main(void) { return 8 + 1; }",
    );
    has(
        "observed-values",
        "int f(int a) { return a; } int a = -3; int main(void) { return f(a); }",
        "int f(int a) { return a; } int a = -3; int main(void) { return f(-3); }",
    );
}

#[test]
fn numbers_become_smaller_and_plain() {
    let text = "long f(void) { return 40UL; }";
    has("numbers", text, "long f(void) { return 40; }");
    has("numbers", text, "long f(void) { return 20; }");
    has("numbers", text, "long f(void) { return 0; }");
    assert_eq!(each("numbers", "int f(void) { return 0; }"), [] as [&str; 0]);
}
