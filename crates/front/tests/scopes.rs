//! Scopes (`lang::scope`) of small programs. What is expected stands in the program: a string literal lists what can
//! be named where it stands, in order of declaration; `x-` is hidden, `struct`, `union` and `enum` tags come after `|`
//! (`S?` is incomplete), labels after `@`.

use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::edit;
use howler_lang::program::{ExprKind, ObjId, Program, StmtKind, StrUnits};
use howler_lang::scope::{Named, Point, Scopes, Tagged};
use howler_lang::target::{Std, Target};
use howler_lang::verify;

fn read(text: &str, std: &str) -> Program {
    let mut program = Program::new(Target { std: Std::parse(std).unwrap(), ..Target::X86_64_GCC });
    let report = parse(&mut program, "test.c", text.into(), &Options::default());
    let bad = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity >= Severity::Unsupported);
    let bad: Vec<&str> = bad.map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(bad, [""; 0], "{text}");
    program
}

/// What a point has, as the tests write it.
fn shown(program: &Program, scopes: &Scopes, point: Point) -> String {
    let names = scopes.names(point);
    let mut words = Vec::new();
    for name in &names {
        let reached = scopes.reaches(point, name.name);
        match name.hidden_by {
            None => assert_eq!(reached, Some(name.named)),
            Some(by) => assert!(reached.is_some() && by != name.named),
        }
        words.push(format!("{}{}", program.name(name.name), if name.is_hidden() { "-" } else { "" }));
    }
    let types = scopes.types(point);
    if !types.is_empty() {
        words.push("|".to_owned());
    }
    for tag in types {
        let name = match tag.tagged {
            Tagged::Record(id) => program.types.records[id].tag.unwrap(),
            Tagged::Enum(id) => program.types.enums[id].tag,
        };
        words.push(format!("{}{}", program.name(name), if tag.complete { "" } else { "?" }));
    }
    let labels = scopes.labels(point);
    if !labels.is_empty() {
        words.push("@".to_owned());
    }
    words.extend(labels.iter().map(|&label| program.name(program.labels[label].name).to_owned()));
    words.join(" ")
}

/// Compares every literal of a program with what can be named there; there are `count`.
#[track_caller]
fn check(count: usize, text: &str) {
    check_std(count, text, "gnu17");
}

#[track_caller]
fn check_std(count: usize, text: &str, std: &str) {
    let program = read(text, std);
    let scopes = Scopes::of(&program);
    let mut seen = 0;
    for (e, expr) in program.exprs.iter() {
        let ExprKind::Str(literal) = expr.kind else { continue };
        if !scopes.contains(Point::At(e)) {
            continue;
        }
        seen += 1;
        let StrUnits::Narrow(bytes) = &program.strings[literal].units else { panic!("a wide string") };
        let wanted = String::from_utf8_lossy(bytes);
        assert_eq!(shown(&program, &scopes, Point::At(e)), wanted, "{text}");
    }
    assert_eq!(seen, count, "{text}");
}

#[test]
fn names_are_visible_in_order_from_after_their_declarators() {
    check(
        4,
        r#"int a; const char *b = "a b"; int f(int x) { "a b f x"; int y; "a b f x y"; } int c; char *d = "a b f c d";"#,
    );
    check(2, r#"int n; int f(int n, int m, int (*q)[n + ("n- n m", 1)]) { "n- f n m q"; }"#);
    check(1, r#"void f(int n) { int a[n]; { int a[n + ("f n a", 1)]; } }"#);
    check(1, r#"void f(int n) { int a[n]; { int *a = ("f n a- a", (void *)0); } }"#);
    check(1, r#"void f(int n) { typedef int T[n + ("f n", 1)]; }"#);
    check(1, r#"void f(int n) { typedef int T[n]; "f n T"; }"#);
    check(2, r#"int x; int g(void); int y; int x; int f(void) { "x g y f"; } int g(void) { "x g y f"; }"#);
}

#[test]
fn inner_declarations_hide_outer_ones_to_the_end_of_their_block() {
    check(3, r#"int a; void f(void) { "a f"; { int a; "a- f a"; } "a f"; }"#);
    check(2, r#"int a; void f(int a) { "a- f a"; { char a; "a- f a- a"; } }"#);
    check(1, r#"int f; void g(void) { enum { f }; "f- g f | enum_1"; }"#);
    check(2, r#"int a; void f(void) { int a; { extern int a; "a- f a- a"; } "a- f a"; }"#);
    check(2, r#"int a; void f(void) { extern int a; "a f"; } void g(void) { extern int e; "a f g e"; }"#);
    check(3, r#"void f(int n) { n = ({ int m = n; "f n m"; m; }) + ({ "f n"; int n = 1; "f n- n"; n; }); }"#);
    check(1, r#"void f(void) { int k(char); "f k"; }"#);
}

#[test]
fn the_head_of_a_for_is_a_scope_around_its_body() {
    check(
        5,
        r#"void f(int i) { for (int i = ("f i- i", 0), j = ("f i- i j", 0); "f i- i j"; ) { int j; "f i- i j- j"; } "f i"; }"#,
    );
}

#[test]
fn parameters_are_in_scope_in_their_function_only() {
    check(2, r#"int f(int a, int); int g(int b) { "f g b"; } int h(void) { "f g h"; }"#);
    check(1, r#"int f(a, b) int b; char a; { "f a b"; }"#);
    check(1, r#"int f(int f) { "f- f"; }"#);
    // Its own name is not yet declared where the bounds of its parameters stand.
    check(1, r#"int f(int n, int (*q)[n + ("n", 1)]) { return n; }"#);
}

#[test]
fn nested_functions_see_what_is_declared_before_them() {
    check(
        3,
        r#"int a; void f(int x) { int y; int g(int a) { "a- f x y g a"; { int x; "a- f x- y g a x"; } return x; } int z; "a f x y g z"; }"#,
    );
    check(1, r#"void f(void) { auto int g(void); int z; int g(void) { "f g z"; return 0; } }"#);
}

#[test]
fn types_and_their_constants_end_with_their_block() {
    check(
        3,
        r#"struct S { int a; }; void f(void) { "f | S"; { enum E { A, B }; "f A B | S E"; } "f | S"; }"#,
    );
    check(
        3,
        r#"struct S; char *a = "a | S?"; struct S *p; struct S { int m; }; char *b = "a p b | S"; void f(void) { "a p b f | S"; }"#,
    );
    check(1, r#"void f(void) { int n = sizeof(struct S { int a; }); "f n | S"; }"#);
    check(1, r#"struct S { struct T { int a; } t; union { int b; }; }; void f(void) { "f | T S"; }"#);
    check(
        2,
        r#"struct S { int a; }; void f(void) { struct S { char b; }; "f | S S_2"; } void g(void) { "f g | S"; }"#,
    );
}

#[test]
fn labels_belong_to_their_function_or_to_their_block() {
    check(2, r#"void f(void) { "f @ a b"; a: ; { b: ; } } void g(void) { "f g @ a"; a: ; }"#);
    check(3, r#"void f(void) { "f @ a"; { __label__ a; "f @ a"; a: ; { "f @ a"; } } a: ; }"#);
    check(
        2,
        r#"void f(void) { __label__ a; void g(void) { "f g @ a b"; b: goto a; } c: ; a: "f g @ a c"; }"#,
    );
    let text = "void f(void) { a: goto a; { __label__ a; a: goto a; } goto a; }";
    let program = read(text, "gnu17");
    let scopes = Scopes::of(&program);
    let mut jumps = 0;
    for (s, stmt) in program.stmts.iter() {
        if let StmtKind::Goto(label) = stmt.kind {
            assert_eq!(scopes.labels(Point::Before(s)), [label], "{text}");
            jumps += 1;
        }
    }
    assert_eq!(jumps, 3);
}

#[test]
fn points_are_before_statements_and_at_the_ends_of_blocks() {
    let program = read("int a; void f(int x) { int b; { int c; c = 1; } } int d;", "gnu17");
    let scopes = Scopes::of(&program);
    let point = |point| shown(&program, &scopes, point);
    let stmts: Vec<String> = program.stmts.ids().map(|s| point(Point::Before(s))).collect();
    assert_eq!(stmts, ["a f x", "a f x", "a f x b", "a f x b", "a f x b c"]);
    let ends: Vec<String> = program.stmts.ids().map(|s| point(Point::End(s))).collect();
    assert_eq!(ends, ["a f x b", "", "a f x b c", "", ""]);
    let items: Vec<String> = (0..5).map(|index| point(Point::Item { unit: 0, index })).collect();
    assert_eq!(items, ["", "a", "a f", "a f d", ""]);
    assert!(scopes.contains(Point::Item { unit: 0, index: 3 }));
    assert!(!scopes.contains(Point::Item { unit: 0, index: 4 }));
    let func = program.funcs.ids().next();
    assert_eq!(scopes.function(Point::End(program.stmts.ids().next().unwrap())), func);
    assert_eq!(scopes.function(Point::Item { unit: 0, index: 1 }), None);
}

#[test]
fn functions_without_a_declaration_are_declared_by_their_use() {
    check_std(4, r#"int f(void) { "f"; { g(); "f g"; } "f"; return abs(3), "f abs"; }"#, "gnu89");
    check_std(2, r#"int f(int n) { while (n--) g(); "f n g"; if (n) h(); else "f n g h"; }"#, "gnu89");
    check(3, r#"int f(int n) { while (n--) g(); "f n"; if (h()) k(); else "f n h"; "f n"; }"#);
    let program =
        read("int f(void) { return g(); } int h(void) { int g(); return g() + __builtin_abs(1); }", "gnu89");
    let scopes = Scopes::of(&program);
    for (e, expr) in program.exprs.iter() {
        if let ExprKind::Function(func) = expr.kind {
            let name = program.funcs[func].name;
            assert_eq!(scopes.reaches(Point::At(e), name), Some(Named::Function(func)));
        }
    }
}

#[test]
fn units_share_nothing() {
    let mut program = read("int a; static int b; struct S { int x; }; int f(void) { return a; }", "gnu17");
    parse(&mut program, "other.c", "int c; int g(void) { return c; }".into(), &Options::default());
    let scopes = Scopes::of(&program);
    assert_eq!(shown(&program, &scopes, Point::Item { unit: 0, index: 4 }), "a b f | S");
    assert_eq!(shown(&program, &scopes, Point::Item { unit: 1, index: 0 }), "");
    assert_eq!(shown(&program, &scopes, Point::Item { unit: 1, index: 2 }), "c g");
    let a = program.symbols.get("a").unwrap();
    assert_eq!(scopes.reaches(Point::Item { unit: 1, index: 2 }, a), None);
}

#[test]
fn fresh_names_are_new() {
    let mut program = read("int t_1, t_3; struct S { int t_4; }; void f(void) { t_5: ; }", "gnu17");
    let made = edit::attempt(&mut program, |change| {
        let names = [change.fresh("t"), change.fresh("t"), change.fresh("u")];
        Ok(names.map(|name| change.program().name(name).to_owned()))
    });
    assert_eq!(made.unwrap(), ["t_2", "t_6", "u_1"]);
}

#[test]
fn deep_and_wide_programs_take_no_stack_and_linear_time() {
    let depth = 100_000;
    let program = read(&format!("int f(int n) {{ return n{}; }}", " + n".repeat(depth)), "gnu17");
    let scopes = Scopes::of(&program);
    let n = program.symbols.get("n").unwrap();
    let last = program.exprs.ids().next_back().unwrap();
    assert!(scopes.reaches(Point::At(last), n).is_some());
    // One name declared again and again, in blocks beside each other and inside each other.
    let text = format!("void f(int n) {{ {} }}", "{ int n; n = 1; } ".repeat(50_000));
    let program = read(&text, "gnu17");
    let scopes = Scopes::of(&program);
    let n = program.symbols.get("n").unwrap();
    for (e, expr) in program.exprs.iter() {
        if let ExprKind::Object(object) = expr.kind {
            assert_eq!(scopes.reaches(Point::At(e), n), Some(Named::Object(object)));
        }
    }
    let text = format!("void f(int n) {{ {}{} }}", "{ int n; n = 1; ".repeat(200), "}".repeat(200));
    let program = read(&text, "gnu17");
    let scopes = Scopes::of(&program);
    let last = program.stmts.ids().next_back().unwrap();
    let names = scopes.names(Point::Before(last));
    assert_eq!(names.len(), 202);
    assert_eq!(names.iter().filter(|name| name.is_hidden()).count(), 200);
}

#[test]
fn a_use_where_the_name_means_something_else_breaks_a_rule() {
    let mut program = read("int a, b; void f(int x) { int y = x; { int z = a; y = z; } }", "gnu17");
    assert_eq!(verify::program(&program), []);
    let name = |program: &Program, name: &str| program.symbols.get(name).unwrap();
    let object = |program: &Program, wanted: &str| {
        let wanted = name(program, wanted);
        program.objects.iter().find(|(_, object)| object.name == Some(wanted)).unwrap().0
    };
    let uses = |program: &Program, of: ObjId| {
        program.exprs.iter().find(|(_, expr)| expr.kind == ExprKind::Object(of)).unwrap().0
    };
    let rules =
        |program: &Program| verify::program(program).iter().map(|fault| fault.rule).collect::<Vec<&str>>();
    // `b` is in scope where `a` is used; `z` is not where `x` is, nor is what it hides under its name.
    let use_of_a = uses(&program, object(&program, "a"));
    program.exprs.unchecked()[use_of_a].kind = ExprKind::Object(object(&program, "b"));
    assert_eq!(rules(&program), [""; 0]);
    let use_of_x = uses(&program, object(&program, "x"));
    program.exprs.unchecked()[use_of_x].kind = ExprKind::Object(object(&program, "z"));
    assert_eq!(rules(&program), ["N-reach"]);
    program.exprs.unchecked()[use_of_x].kind = ExprKind::Object(object(&program, "x"));
    let z = object(&program, "z");
    program.objects[z].name = Some(name(&program, "b"));
    assert_eq!(rules(&program), ["N-reach"]);
}
