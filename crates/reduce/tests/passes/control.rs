//! Control flow.

use crate::each;

fn made(body: &str) -> Vec<String> {
    let text = format!("int main(void) {{ int a = 1; {body} return a; }}");
    let cut = |made: String| {
        let made = made.strip_prefix("int main(void) { int a = 1; ").expect("it starts like that").to_owned();
        made.strip_suffix("return a; }").expect("it ends like that").trim_end().to_owned()
    };
    each("control", &text).into_iter().map(cut).collect()
}

#[track_caller]
fn has(body: &str, wanted: &str) {
    let made = made(body);
    assert!(made.iter().any(|one| one == wanted), "{wanted} in {made:#?}");
}

#[test]
fn branches_stand_for_the_whole() {
    let body = "if (a) a = 2; else a = 3;";
    has(body, "a = 2;");
    has(body, "a = 3;");
    has(body, "{ a; a = 2; }");
}

#[test]
fn loops_become_their_bodies() {
    has("while (a) a = 0;", "a = 0;");
    has("while (a) a = 0;", "if (a) a = 0;");
    has("do a = 0; while (a);", "a = 0;");
    has("for (int i = 0; i < 3; i++) a = i;", "{ int i = 0; a = i; }");
}

#[test]
fn what_ends_a_loop_stays() {
    let body = "for (int i = 0; i < 3; i++) a = i;";
    assert_eq!(made(body), ["{ int i = 0; a = i; }"]);
    has("for (int i = 0; i < 1; i++) a = i;", "for (int i = 0; i < 1;) a = i;");
    has("for (int i = 0; a; i++) break;", "for (int i = 0;; i++) break;");
    let text = format!("int main(void) {{ int a = 1; {body} return a; }}");
    for pass in ["zeros", "ones", "operands", "observed-values"] {
        for made in each(pass, &text) {
            assert!(made.contains("i < 3; i++)") || made.contains("; 0; i++)"), "{pass}: {made}");
        }
    }
}

#[test]
fn a_body_that_leaves_the_loop_is_done_once_without_leaving_it() {
    has("while (a) { a++; if (a) break; a = 3; }", "{ a++; if (a) ; a = 3; }");
    has(
        "for (;;) { switch (a) { case 1: break; } while (1) break; continue; }",
        "{ switch (a) { case 1: break; } while (1) break; ; }",
    );
}

#[test]
fn what_an_if_asks_is_assigned() {
    has("if (a > 2) { a = 7; }", "a = a > 2;");
    assert!(made("if (a > 2) a++;").iter().all(|made| !made.contains('=')));
}

#[test]
fn cases_stand_for_the_switch() {
    let body = "switch (a) { case 1: a = 2; break; default: a = 3; a = 4; }";
    has(body, "{ a = 2; }");
    has(body, "{ a = 3; a = 4; }");
    has(body, "switch (a) { case 1: a = 2; break; a = 3; a = 4; }");
}

#[test]
fn labels_go() {
    has("l: a = 2;", "a = 2;");
}

#[test]
fn blocks_go_if_nothing_is_hidden_by_them() {
    let text = "int main(void) { int a = 1; { { int b = 2; a = b; } } }";
    let all = crate::all("blocks", text, |_| true);
    assert_eq!(all.as_deref(), Some("int main(void) { int a = 1; int b = 2; a = b; }"));
    assert_eq!(each("blocks", "int main(void) { int a = 1; { int a = 2; a++; } }"), [] as [&str; 0]);
}

#[test]
fn entries_of_initialisers_go() {
    let text = "int a[4] = {1, 2, 3}; struct { int a; int b[2]; } b = {1, {2, 3}};";
    crate::has(
        "initialisers",
        text,
        "int a[4] = {1, 2}; struct struct_1 { int a; int b[2]; }; struct struct_1 b = {1, {2, 3}};",
    );
}

#[test]
fn statement_expressions_open() {
    let text = "int main(void) { int a; a = ({ int b = 2; b++; b; }) + 1; return a; }";
    crate::has("lift", text, "int main(void) { int a; int b = 2; b++; a = b + 1; return a; }");
}

#[test]
fn entries_of_arrays_move_to_the_first_elements() {
    let text = "int a[4][3] = {[2] = {[1] = 5, 6}}; struct { int a; int b; } b = {.b = 1};";
    let rest = "struct struct_1 { int a; int b; }; struct struct_1 b = {.b = 1};";
    crate::has("initialisers", text, &format!("int a[4][3] = {{{{[1] = 5, 6}}}}; {rest}"));
    crate::has("initialisers", text, &format!("int a[4][3] = {{[2] = {{5, 6}}}}; {rest}"));
    assert!(crate::each("initialisers", text).iter().all(|made| !made.contains("b = {1}")));
}
