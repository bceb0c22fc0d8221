//! The printer's law on small programs: the print reads back as the same program and prints as itself.

use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::Program;
use howler_lang::target::{Std, Target};
use howler_lang::{dump, verify};

fn read(text: &str, std: &str) -> Program {
    let mut program = Program::new(Target { std: Std::parse(std).unwrap(), ..Target::X86_64_GCC });
    let report = parse(&mut program, "test.c", text.into(), &Options::default());
    let bad = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity >= Severity::Unsupported);
    let bad: Vec<&str> = bad.map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(bad, [""; 0], "{text}");
    let broken: Vec<String> = verify::program(&program).iter().map(|fault| format!("{fault:?}")).collect();
    assert_eq!(broken, [""; 0], "{text}");
    program
}

/// The print of `text`, after checking the law.
fn printed(text: &str, std: &str) -> String {
    let first = read(text, std);
    let print = unit(&first, 0, &PrintOptions::default());
    let second = read(&print, std);
    assert_eq!(dump::program(&first), dump::program(&second), "{text}\n{print}");
    assert_eq!(print, unit(&second, 0, &PrintOptions::default()), "{text}");
    print
}

/// Each line holds the law.
fn check(cases: &str) {
    for case in cases.lines().map(str::trim).filter(|line| !line.is_empty()) {
        printed(case, "gnu17");
    }
}

/// Each line holds the law, and its print contains what stands behind `=>`.
fn check_text(cases: &str) {
    for case in cases.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (text, expected) = case.split_once("=>").unwrap_or_else(|| panic!("no => in {case}"));
        let print = printed(text, "gnu17");
        assert!(print.contains(expected.trim()), "{text}\n{print}");
    }
}

#[test]
fn a_converted_vector_names_its_type_inside_the_call() {
    check_text(
        "typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16))); \
         f4 f(v4 x) { return __builtin_convertvector(x, f4); } \
         => __builtin_convertvector(x, float __attribute__((vector_size(16))))",
    );
}

#[test]
fn a_struct_in_the_head_of_a_for_is_defined_before_it() {
    check(
        "int f(int n) { for (struct { int a; } s = { 0 }; s.a < 3; s.a++) n++; return n; }
         int f(int n) { if (n) for (struct { int a; } s = { ({ 1; }) }; s.a < 3; s.a++) { n++; } return n; }
         int f(int n) { for (union { int a; } s = { 0 }, t = s; t.a < 3; t.a++) for (struct { int b; } u = { n }; u.b; ) n++; return n; }",
    );
}

#[test]
fn compound_literals_keep_their_braces() {
    check_text(
        r#"
        int *p = &(int){1};                              => &(int){1}
        char *p = (char[]){"a"};                         => (char[2]){"a"}
        char *p = (char[3]){"a"};                        => (char[3]){"a"}
        struct s { int a; } g(void); struct s f(struct s x) { return (struct s){g().a}; } => (struct s){g().a}
        int *f(void *q) { return (int *){q}; }           => (int *){q}
        int f(void) { return (int){2}; }                  => (int){2}
        "#,
    );
}

#[test]
fn what_gcc_lets_pass_is_well_formed_too() {
    check(
        "
        void f(volatile void *p, const void *q, int i) { i ? *p : *p; i ? *q : *p; i ? *p : (void)0; *p, *q; }
        int f(const int (*a)[1], void *v) { return _Generic(1 ? a : v, const void *: 0, void *: 1); }
        int f(const int *a, void *v) { return _Generic(1 ? a : v, const void *: 0, void *: 1); }
        void f(int *p) { *(1 ? p : (void *)(1 ? 0 : (0, 0))) = 1; }
        ",
    );
}

#[test]
fn a_declaration_keeps_the_type_it_writes() {
    check_text(
        "
        int a[] = {1, 2};                                  => int a[] = {1, 2};
        struct s { void *p; }; void f(void) { struct s x[] = {{&x}}; } => struct s x[] = {{&x}};
        char s[] = \"abc\"; int n = sizeof s;              => char s[] = \"abc\";
        typedef const int t[]; t a = {1}, b = {1, 2};      => const int a[] = {1};
        ",
    );
}

#[test]
fn an_enumeration_keeps_its_mode() {
    check_text(
        "
        enum e { A, B } __attribute__((mode(QI))) x;       => enum e { A, B } __attribute__((mode(QI)));
        enum e { A = -1, B } __attribute__((mode(DI))) x;  => mode(DI)
        enum e { A, B } __attribute__((packed, mode(HI))); => __attribute__((packed, mode(HI)))
        enum e { A, B } __attribute__((packed)) x;         => __attribute__((packed));
        enum e { A = 300 } __attribute__((packed)) x;      => __attribute__((packed));
        enum e { A = 0xffffffff } x;                       => };
        enum e { A = 0x1ffffffff } x;                      => };
        enum e { A = 0xffffffff, B = -1 } x;               => };
        enum e { A = -128, B = 127 } __attribute__((packed)) x; => __attribute__((packed));
        ",
    );
}

#[test]
fn a_static_definition_replaces_a_gnu_copy() {
    for text in [
        "extern inline int f() { return 0; } static inline int f() { return 1; }",
        "extern inline int f() { return 0; } static int f() { return 1; }",
        "extern inline int f() { return 0; } int f() { return 1; }",
    ] {
        printed(text, "gnu89");
    }
}

#[test]
fn variable_bounds_are_written_once() {
    check_text(
        "
        void f(int n) { int a[n]; __typeof__(a) b; b[0] = 1; }             => __typeof__(a) b;
        void f(int n) { int a[2][n + 1]; __typeof__(a[1]) b, *c; b[0] = 1; } => __typeof__(a[0]) b;
        void f(int n) { int a[2][n + 1]; __typeof__(a[1]) b, *c; b[0] = 1; } => __typeof__(b) *c;
        void f(int n, int (*p)[n]) { __typeof__(*p) b; b[0] = 1; }         => __typeof__(p[0]) b;
        void f(int n, void *p) { typedef int (*t)[n++]; (void)(t)p; }      => (void)(t)p;
        void f(int n, void *p) { typedef int t[n++]; (void)(t *)p; }       => (void)(t *)p;
        void f(int n, int m) { int a[n], b[n]; (void)sizeof(int[n]); (void)(m ? &a : &b); } => sizeof(int[n])
        ",
    );
}

#[test]
fn names_beyond_ascii_keep_their_distance() {
    check_text(
        "struct \\u00c0 { int \\u00c1; } x, *y = &x; int \\u00c2 = sizeof x.\\u00c1; => struct \u{c0} x;",
    );
}

#[test]
fn typeof_keeps_atomic() {
    check("extern _Atomic const int x; extern __typeof__(x) x;");
}

#[test]
fn a_type_without_tag_in_a_header_is_written_by_its_typedef() {
    let header = "#include <t.h>\n# 1 \"t.h\" 1 3\n\
                  typedef union { int a; char b; } U; typedef enum { A } E; typedef struct { int p; } *P, S;\n\
                  struct V { int q; }; typedef struct { int r; } V;\n# 2 \"test.c\" 2\n";
    let text = format!(
        "# 1 \"test.c\"\n{header}U u; E e; struct V v; V w; typedef struct {{ int z; }} Own; Own own;\n\
         const U *f(U x, volatile E *y) {{ return sizeof(U) ? &u : 0; }}\n"
    );
    let first = read(&text, "gnu17");
    let print = unit(&first, 0, &PrintOptions::default());
    for wanted in
        ["\nU u;", "\nE e;", "\nstruct V v;", "\nV w;", "\nstruct Own own;", "const U *f(U x, volatile E *y)"]
    {
        assert!(print.contains(wanted), "no {wanted}\n{print}");
    }
    let again = read(&print.replace("#include <t.h>\n", header), "gnu17");
    assert_eq!(dump::program(&first), dump::program(&again), "{print}");
}

#[test]
fn a_designator_into_a_value_given_before_keeps_the_rest_of_it() {
    check_text(
        r#"
        char c[2][4] = {"abc", [0][1] = 'q'};             => {"abc", [0][1] = 'q'}
        char c[2][4] = {"abc", [0][1] = 'q', [0][2] = 'r', 's', "d"}; => {"abc", [0][1] = 'q', [0][2] = 'r', [0][3] = 's', [1] = "d"}
        char c[3][4] = {[0 ... 2] = "abc", [1][1] = 'q', [2] = "x"}; => {[0 ... 2] = "abc", [1][1] = 'q', [2] = "x"}
        struct T { int a, b; }; struct T g(void); void f(void) { struct { struct T t; int k; } v = {.t = g(), .t.b = 3, .k = 4}; } => {g(), .t.b = 3, .k = 4}
        struct T { int a, b; }; void f(void) { struct { struct T t; int k; } v = {.t = (struct T){1, 2}, .t.b = 3}; } => .t.b = 3}
        struct T { int a, b; }; struct { struct T t; int k; } v = {.t = (struct T){1, 2}, .t.b = 3}; => {{1, 2, .b = 3}}
        struct T { int a[2], b; }; struct T g(void); void f(void) { struct { struct T t; } v[2] = {g(), [0].t.a[1] = 3, [0].t.b = 4}; } => {{g(), .t.a[1] = 3, .t.b = 4}}
        struct F { int n; char d[]; } x = {1, "abc", .d[1] = 'q'}; => {1, "abc", .d[1] = 'q'}
        struct T { struct { int x, y; }; int z; } g(void); void f(void) { struct T v[1] = {g(), [0].y = 1}; } => {g(), [0].y = 1}
        "#,
    );
}

#[test]
fn going_back_to_a_member_of_a_union_keeps_the_order() {
    check_text(
        "
        union { int a; struct { int x, y; } s; } w = {.s.x = 1, .a = 5, .s.y = 7}; => {.s = {1}, .a = 5, .s = {.y = 7}}
        struct { union { int a; struct { int x, y; } s; } u; } w = {.u.s.x = 1, .u.a = 5, .u.s.y = 7}; => {{.s = {1}, .a = 5, .s = {.y = 7}}}
        union { int a; struct { int x, y; }; } w = {.x = 1, .a = 5, .y = 7}; => {.x = 1, .a = 5, .y = 7}
        ",
    );
}

#[test]
fn designators_into_ranges_evaluate_nothing_twice() {
    check_text(
        "
        int t(int); struct S { int a, b; }; void f(void) { struct S w[2] = {[0 ... 1].a = t(1), [1].b = 3}; } => {[0 ... 1].a = t(1), [1].b = 3}
        struct S { int a, b; } w[3] = {[0 ... 1].a = 1, [1 ... 2].b = 3}; => {[0 ... 1].a = 1, [1 ... 2].b = 3}
        struct S { int a, b; } w[4] = {[1 ... 3].a = 1, [2].a = 5, [1 ... 3].a = 6}; => {[1 ... 3].a = 1, [2].a = 5, [1 ... 3].a = 6}
        struct S { int a, b; } w[4] = {[1 ... 3].a = 1, [1 ... 3].b = 6}; => {[1 ... 3].a = 1, [1 ... 3].b = 6}
        int t(int); struct S { int a, b; }; void f(void) { struct S w[2] = {[0 ... 1] = {t(1)}, [1].b = 3}; } => {[0 ... 1] = {t(1)}, [1].b = 3}
        ",
    );
}

#[test]
fn an_alias_may_be_of_an_alias_or_of_what_assembly_defines() {
    check(
        "int f(void) { return 1; } int g(void) __attribute__((alias(\"f\"))); int h(void) __attribute__((alias(\"g\")));
         int x = 1; extern int y __attribute__((alias(\"x\"))); extern int z __attribute__((alias(\"y\")));
         int here(void) __asm__(\"there\"); int g(void) __attribute__((alias(\"other\")));
         __asm__(\"other: nop\"); int g(void) __attribute__((alias(\"other\")));",
    );
}
