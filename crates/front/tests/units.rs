//! Types of two files: when declarations of one name agree (C17 6.2.7p1-2), and what one name may be in one file.

use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::dump;
use howler_lang::link::link;
use howler_lang::program::{FaultKind, Program};
use howler_lang::target::{Compiler, Target};
use howler_lang::verify;

fn read(files: &[&str], target: Target) -> Program {
    let mut program = Program::new(target);
    for (index, text) in files.iter().enumerate() {
        let report = parse(&mut program, &format!("{index}.c"), (*text).into(), &Options::default());
        let errors = report.diagnostics.iter().filter(|said| said.severity >= Severity::Unsupported);
        assert_eq!(errors.count(), 0, "{text}: {:?}", report.diagnostics);
    }
    program
}

fn warnings(files: &[&str]) -> usize {
    link(&mut read(files, Target::X86_64_GCC)).len()
}

/// `struct s *x` agrees between files that define `struct s`, or what it needs, like this.
fn agree(a: &str, b: &str) {
    let files = [format!("{a} ; extern struct s *x;"), format!("{b} ; struct s *x;")];
    assert_eq!(warnings(&[&files[0], &files[1]]), 0, "{a}\n{b}");
}

fn differ(a: &str, b: &str) {
    let files = [format!("{a} ; extern struct s *x;"), format!("{b} ; struct s *x;")];
    assert_eq!(warnings(&[&files[0], &files[1]]), 1, "{a}\n{b}");
}

#[test]
fn members_count_in_order_with_names_types_and_widths() {
    agree("struct s { int a; char b[2]; }", "struct s { int a; char b[2]; }");
    differ("struct s { int a, b; }", "struct s { int b, a; }");
    differ("struct s { int a; }", "struct s { unsigned a; }");
    differ("struct s { int a; }", "struct s { const int a; }");
    differ("struct s { int a : 3; }", "struct s { int a : 4; }");
    differ("struct s { int a; }", "struct s { int a, b; }");
    differ("struct s { int a, b; }", "struct s { int a; _Alignas(8) int b; }");
    differ("struct s { char a; int b; }", "struct __attribute__((packed)) s { char a; int b; }");
    agree("struct s { int b; }", "struct __attribute__((aligned(4))) s { int b; }");
}

#[test]
fn tags_count_as_they_are_written() {
    agree("struct s", "struct s { int a; }");
    agree("void f(void) { struct s { char c; } v; } struct s { int a; }", "struct s { int a; }");
    agree(
        "typedef struct { int v; } t; struct s { t *p; }",
        "typedef struct { int v; } u; struct s { u *p; }",
    );
    differ(
        "struct t { int v; }; struct s { struct t *p; }",
        "struct u { int v; }; struct s { struct u *p; }",
    );
    differ(
        "typedef struct { int v; } t; struct s { t *p; }",
        "typedef struct t { int v; } t; struct s { t *p; }",
    );
}

#[test]
fn unions_and_enumerations_have_no_order() {
    agree(
        "union u { int a; float b; }; struct s { union u u; }",
        "union u { float b; int a; }; struct s { union u u; }",
    );
    agree(
        "struct s { union { struct { int a; }; struct { float b; }; }; }",
        "struct s { union { struct { float b; }; struct { int a; }; }; }",
    );
    agree("enum e { A, B }; struct s { enum e e; }", "enum e { B = 1, A = 0 }; struct s { enum e e; }");
    agree("enum e { A, B }; struct s { enum e e; }", "struct s { unsigned e; }");
    differ("enum e { A, B }; struct s { enum e e; }", "enum e { B, A }; struct s { enum e e; }");
    differ("enum e { A }; struct s { enum e e; }", "enum e { A, B }; struct s { enum e e; }");
}

#[test]
fn types_that_name_each_other_end() {
    let a = "struct t; struct s { struct t *t; struct s *s; }; struct t { struct s *s; int v; }";
    agree(a, "struct s { struct t { struct s *s; int v; } *t; struct s *s; }");
    differ(a, "struct s { struct t { struct s *s; long v; } *t; struct s *s; }");
}

#[test]
fn what_agrees_with_an_incomplete_struct_need_not_agree_with_each_other() {
    let a = "struct s { int v; }; extern struct s *x;";
    let b = "struct s { float v; }; extern struct s *x;";
    assert_eq!(warnings(&[a, b, "struct s; struct s *x;"]), 1);
    assert_eq!(warnings(&[a, a, "struct s; struct s *x;"]), 0);
}

#[test]
fn a_thousand_structs_are_walked_once() {
    let text = |last: &str| {
        let chain = (1..1000).map(|at| format!("struct s{at} {{ struct s{0} *a, *b; }};", at - 1));
        format!("struct s0 {{ {last} v; }}; {} struct s {{ struct s999 *v; }}", chain.collect::<String>())
    };
    agree(&text("int"), &text("int"));
    differ(&text("int"), &text("long"));
}

#[test]
fn an_identifier_with_two_linkages_is_a_fault() {
    let object = "static int x; int f(void) { int x = 1; { extern int x; return x; } }";
    let function = "static int x(void) { return 1; } int f(int x) { { int x(void); return x(); } }";
    let clang = Target { compiler: Compiler::Clang, ..Target::X86_64_GCC };
    let kinds =
        |text: &str, target| read(&[text], target).faults.iter().map(|fault| fault.kind).collect::<Vec<_>>();
    assert_eq!(kinds(object, clang), [FaultKind::BothLinkages]);
    assert_eq!(kinds(function, clang), [FaultKind::BothLinkages]);
    assert_eq!(kinds(function, Target::X86_64_GCC), [FaultKind::BothLinkages]);
    assert_eq!(kinds("static int x; int f(void) { extern int x; return x; }", clang), []);
    assert_eq!(kinds("static int x[]; static int x[2];", clang), [FaultKind::IncompleteStatic]);
    assert_eq!(kinds("int x[]; static int y[] = { 1 };", clang), []);
}

/// gcc has the name alone in C, clang the whole declaration.
#[test]
fn what_clang_writes_into_pretty_function_is_not_guessed() {
    let clang = Target { compiler: Compiler::Clang, ..Target::X86_64_GCC };
    let message = |text: &str, target| {
        let mut program = Program::new(target);
        let report = parse(&mut program, "a.c", text.into(), &Options::default());
        report.diagnostics.first().map(|first| first.message.clone()).unwrap_or_default()
    };
    let text = "const char *f(void) { return __PRETTY_FUNCTION__; }";
    assert_eq!(message(text, Target::X86_64_GCC), "");
    assert!(message(text, clang).starts_with("__PRETTY_FUNCTION__"));
    assert_eq!(message("const char *f(void) { return __func__; }", clang), "");
    // The library's assert.
    let system = "const char *f(void) { return\n# 1 \"a.c\" 3 4\n__PRETTY_FUNCTION__\n# 1 \"a.c\"\n; }";
    assert_eq!(message(system, clang), "");
}

#[test]
fn a_unit_with_errors_leaves_nothing_behind() {
    let good = [
        "struct s { int a[2]; }; extern struct s x; int f(int n) { int v[n]; return sizeof v + x.a[1]; }",
        "struct s { int a[2]; }; struct s x = { { 1, 2 } }; static int g(int (*p)(void)) { return p(); } int main(void)
         { return g((int (*)(void))0) ? 1.5 : (int){ 3 }; }",
    ];
    let bad = "struct s { char c; long l; }; enum e { A, B }; struct s x = { 1, 2 }; int f(void) { return A; }
        int main(int n, char *v[n]) { int w[n][n]; goto end; \"text\"; 1.5; asm(\"nop\"); end: return undeclared; }";
    let mut program = Program::new(Target::X86_64_GCC);
    for text in [bad, good[0], bad, bad, good[1], bad] {
        let report = parse(&mut program, "a.c", text.into(), &Options::default());
        assert_eq!(report.unit.is_none(), text == bad, "{:?}", report.diagnostics);
        let told = report.diagnostics.iter().filter(|said| said.severity == Severity::Error);
        // What was said can still be shown.
        assert!(told.map(|said| program.sources.place(said.pos)).all(|place| place.is_some()));
    }
    let mut alone = read(&good, Target::X86_64_GCC);
    assert_eq!(link(&mut program), link(&mut alone));
    assert_eq!(dump::program(&program), dump::program(&alone));
    assert_eq!(verify::program(&program), []);
    let counts =
        |p: &Program| [p.exprs.len(), p.stmts.len(), p.objects.len(), p.funcs.len(), p.types.records.len()];
    assert_eq!(counts(&program), counts(&alone));
}
