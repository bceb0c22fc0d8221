//! Initialisers that come back to a part they gave a value before (C17 6.7.9p19). Not the plain ones.

use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_machine::RunOptions;
use howler_machine::outcome::Outcome;

fn outcome(text: &str) -> Outcome {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = howler_front::parse(&mut program, "test.c", text.into(), &howler_front::Options::default());
    assert!(report.unit.is_some(), "{:?}\n{text}", report.diagnostics);
    let errors = howler_lang::link::link(&mut program);
    assert!(errors.is_empty(), "{errors:?}");
    howler_machine::run(&program, &RunOptions::default()).outcome
}

/// The object `w` satisfies `test`, with static and with automatic storage.
#[track_caller]
fn holds(declaration: &str, test: &str) {
    for storage in ["static ", ""] {
        let text = format!("int main(void) {{ {storage}{declaration}; return !({test}); }}");
        assert_eq!(outcome(&text), Outcome::Exit(0), "{text}");
    }
}

#[test]
fn a_designator_into_a_part_keeps_the_rest() {
    holds(
        r#"char w[2][4] = {"abc", [0][1] = 'q'}"#,
        "w[0][0] == 'a' && w[0][1] == 'q' && w[0][2] == 'c' && !w[0][3] && !w[1][0]",
    );
    holds(
        "struct { int a, b; } w[3] = {[0 ... 1].a = 1, [1 ... 2].b = 3}",
        "w[0].a == 1 && w[0].b == 0 && w[1].a == 1 && w[1].b == 3 && w[2].a == 0 && w[2].b == 3",
    );
    holds(
        "struct { int a, b; } w[4] = {[1 ... 3].a = 1, [2].a = 5, [2].b = 2, [1 ... 3].a = 6}",
        "w[1].a == 6 && w[2].a == 6 && w[2].b == 2 && w[3].a == 6",
    );
}

#[test]
fn braces_for_a_part_drop_what_it_had() {
    holds("struct { int a, b; } w[2] = {{1, 2}, [0] = {3}}", "w[0].a == 3 && w[0].b == 0");
    holds(
        "struct { struct { int a, b; } t; int k; } w = {{1, 2}, .t = {.b = 3}}",
        "w.t.a == 0 && w.t.b == 3",
    );
    holds(
        "union { int a; struct { int x, y; } s; } w = {.s.x = 1, .a = 5, .s.y = 7}",
        "w.s.x == 0 && w.s.y == 7",
    );
}

#[test]
fn a_flexible_member_is_as_long_as_its_longest_value() {
    let text = r#"struct { int n; char d[]; } w = {1, "abc", .d[1] = 'q'};
        int main(void) { return !(w.d[0] == 'a' && w.d[1] == 'q' && w.d[2] == 'c' && !w.d[3]); }"#;
    assert_eq!(outcome(text), Outcome::Exit(0));
}

#[test]
fn a_range_with_side_effects_is_evaluated_once() {
    let text = "int t(void) { static int n; return ++n; } int main(void) { int w[2] = {[0 ... 1] = t()}; return w[1]; }";
    assert_eq!(outcome(text), Outcome::Exit(1));
    holds("int w[2] = {[0 ... 1] = 3}", "w[0] == 3 && w[1] == 3");
}

#[test]
fn a_designator_into_a_struct_value_is_refused() {
    let text = "struct T { int a, b; }; int main(void) { struct T t = {1, 2};
        struct { struct T t; } w = {.t = t, .t.b = 3}; return w.t.b; }";
    assert!(matches!(outcome(text), Outcome::Unsupported(_)));
}
