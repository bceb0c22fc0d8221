//! Statements.

use crate::{all, each};

#[test]
fn each_can_go() {
    let made = each(
        "statements",
        "int main(void) { int a = 1; if (a) a = 2; else a = 3; for (int i = 0;;) { break; } return a; }",
    );
    let has = |text: &str| assert!(made.iter().any(|one| one == text), "{text} in {made:#?}");
    has("int main(void) { int a = 1; if (a) a = 2; for (int i = 0;;) { break; } return a; }");
    has("int main(void) { int a = 1; if (a) a = 2; else a = 3; return a; }");
    has("int main(void) { int a = 1; if (a) a = 2; else a = 3; for (;;) { break; } return a; }");
    has("int main(void) { for (int i = 0;;) { break; } }");
}

#[test]
fn what_is_declared_and_used_stays() {
    let made = all(
        "statements",
        "int main(void) { int a; a = 1; l: if (a) goto l; { int b; } return 0; }",
        |site| site.choice == 0 && site.weight < 4,
    );
    assert_eq!(made.as_deref(), Some("int main(void) { int a; a = 1; l: ; }"));
}

#[test]
fn the_value_of_a_statement_expression_follows() {
    let made = each("statements", "int main(void) { return ({ int a = 1; a + 1; }); }");
    assert!(made.iter().all(|one| one == "int main(void) {}" || one.contains("a + 1")), "{made:?}");
}

#[test]
fn what_never_ran_goes_first() {
    let made = all(
        "unreached",
        "int g; void f(void) { g = 7; } int main(void) { if (g) { f(); } g = 1; return g; }",
        |_| true,
    );
    assert_eq!(made.as_deref(), Some("int g; void f(void) {} int main(void) { if (g) ; g = 1; return g; }"));
}

#[test]
fn all_that_nothing_uses_goes_at_once() {
    let text = "struct S { int a; }; enum E { one }; struct S b; int c; static int d(void) { return c; } int g; \
                int main(void) { int a = 1; int *e = &a; ; 0; a + 2; int f; if (a) ; else g = ({ int h = 3; h; }); \
                return 0; }";
    let wanted = "int g; int main(void) { int a = 1; if (a) ; else g = ({ int h = 3; h; }); return 0; }";
    for name in ["unused", "unused-then"] {
        assert_eq!(crate::each(name, text), [wanted]);
    }
    assert_eq!(crate::each("unused", "int main(void) { return 0; }"), [] as [&str; 0]);
}
