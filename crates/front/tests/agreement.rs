//! Points on which compilers agree and a front end easily does not: each was a program read otherwise than gcc does.

mod verdict;

use verdict::{accepted, rejected, unsupported, warned};

#[test]
fn a_block_adds_to_a_type_only_until_it_ends() {
    rejected(
        "int a[1] = { 0 }; void f(void) { int a; { extern int a[]; (void)sizeof(a); } }",
        "invalid application of 'sizeof' to incomplete type",
    );
    rejected(
        "extern int a[]; void f(void) { { extern int a[5]; (void)sizeof a; } (void)sizeof a; }",
        "invalid application of 'sizeof' to incomplete type",
    );
    accepted("extern int a[]; void f(void) { extern int a[5]; _Static_assert(sizeof a == 20, \"\"); }");
    accepted("int g(); void f(void) { int g(int); g(1); } void h(void) { g(1, 2); }");
    rejected("int g(); void f(void) { int g(int); g(1, 2); }", "too many arguments");
}

#[test]
fn attributes_after_a_star_belong_to_the_pointer() {
    accepted(
        "struct S { char c; int *__attribute__((aligned(32))) p; };
         _Static_assert(sizeof(struct S) == 64, \"\");
         int *__attribute__((aligned(16))) p; _Static_assert(_Alignof(p) == 16, \"\");
         typedef int *__attribute__((aligned(16))) T; _Static_assert(_Alignof(T) == 16, \"\");",
    );
    unsupported("int *__attribute__((aligned(64))) *pp;");
}

#[test]
fn the_strictest_typedef_counts_and_a_variable_may_ask_for_less() {
    accepted(
        "typedef int T __attribute__((aligned(64))); typedef int T;
         _Static_assert(_Alignof(T) == 64, \"\");
         int c __attribute__((aligned(2))); _Static_assert(_Alignof(c) == 2, \"\");",
    );
}

#[test]
fn enumerations_and_truth_values_are_no_addresses() {
    let head = "enum e { A } c; char *s; _Bool b; void take(enum e); enum e *p; int *ip; unsigned *up;";
    for (text, message) in [
        ("enum e x = \"red\";", "incompatible types when initializing type 'enum e' using type 'char *'"),
        ("void f(void) { c = s; }", "incompatible types when assigning to type 'enum e' from type 'char *'"),
        ("void f(void) { s = c; }", "incompatible types when assigning to type 'char *' from type 'enum e'"),
        ("void f(void) { s = b; }", "incompatible types when assigning to type 'char *' from type '_Bool'"),
        ("void f(void) { take(s); }", "incompatible type for argument 1 of 'take'"),
        ("enum e f(void) { return s; }", "incompatible types when returning"),
    ] {
        rejected(&format!("{head} {text}"), message);
    }
    accepted(&format!("{head} void f(void) {{ b = s; up = p; }}"));
    accepted(&format!("{head} struct {{ int f : 4; }} r; void f(void) {{ r.f = s; }}"));
    warned(
        &format!("{head} void f(void) {{ ip = p; }}"),
        "assignment to 'int *' from incompatible pointer type 'enum e *'",
    );
}

#[test]
fn flexible_members_take_no_elements_inside_an_array() {
    let head = "struct foo { int x; char y[]; }; struct bar { struct foo f; };";
    accepted(&format!("{head} struct bar c = {{ {{ 1, \"abc\" }} }};"));
    rejected(&format!("{head} struct foo b[] = {{ {{ 1, \"abc\" }} }};"), "in a nested context");
}

#[test]
fn attributes_in_double_brackets_are_named() {
    unsupported("[[]];");
    unsupported("void f [[]] (void);");
    unsupported("__extension__ [[]] int a;");
}

#[test]
fn what_is_constant_is_what_gcc_takes() {
    accepted("int f(void) { const int a = 3; static int b = a; return b; }");
    rejected("int f(int n) { const int a = n; static int b = a; return b; }", "not constant");
    accepted("int a = \"foo\"[2], b = 1[\"bar\"], c = \"str\"[3];");
    rejected("int e = \"str\"[4];", "not constant");
    accepted("int two52 = 4.5e15; double inf = __builtin_inf(); float f = __builtin_huge_valf();");
    accepted("double atan(double); const double pi = 4 * atan(1.0);");
    // C99 6.6p3: a comma that is not evaluated.
    accepted("int *a; int f(void) { return *(1 ? a : (void *)(1 ? 0 : (0, 0))); }");
    rejected("int *a; int f(void) { return *(1 ? a : (void *)(0, 0)); }", "void value not ignored");
}

#[test]
fn an_incomplete_object_may_be_named_but_not_read() {
    let head = "struct S; extern struct S v; extern struct S *p; extern char a[];";
    accepted(&format!("{head} void f(void) {{ &v; &*p; &*&*p; }}"));
    rejected(&format!("{head} void f(void) {{ *p; }}"), "incomplete type");
    rejected(&format!("{head} void f(void) {{ v; }}"), "incomplete type");
    accepted(&format!("{head} char *f(int n, char *q) {{ return n ? a : (n, a); }}"));
}

#[test]
fn the_real_part_of_a_real_lvalue_is_an_lvalue() {
    accepted("struct S { double d; } s; void f(void) { __real__ s.d *= 7.0; }");
    rejected("int c; void f(void) { __imag__ c = 3; }", "lvalue required");
}

#[test]
fn labels_are_declared_once_in_a_block() {
    rejected("void f(void) { __label__ a, b, a; }", "duplicate label declaration 'a'");
}

#[test]
fn functions_are_declared_by_use_everywhere() {
    accepted("int bar() { return foo(); } void baz(int c[foo()]) { return; }");
}

#[test]
fn the_class_of_a_type_is_a_constant() {
    accepted(
        "int i, *p, a[2]; float f; struct S { int x; } s; union U { int x; } u; _Complex double z; _Bool b;
         _Static_assert(__builtin_classify_type(i) == 1 && __builtin_classify_type(p) == 5, \"\");
         _Static_assert(__builtin_classify_type(a) == 5 && __builtin_classify_type(f) == 8, \"\");
         _Static_assert(__builtin_classify_type(s) == 12 && __builtin_classify_type(u) == 13, \"\");
         _Static_assert(__builtin_classify_type(z) == 9 && __builtin_classify_type(b) == 1, \"\");",
    );
}

#[test]
fn results_of_comparisons_become_any_vector_of_their_size() {
    let head =
        "typedef int V __attribute__((vector_size(16))); typedef unsigned W __attribute__((vector_size(16)));
        typedef short S __attribute__((vector_size(16))); typedef float F __attribute__((vector_size(16)));
        W a, b, to; S s; F f; V v; int c; void take(W);";
    for text in [
        "to = a < b;",
        "to = (a < b) & (b == a);",
        "to = ~(a < b);",
        "to = -(a < b);",
        "to = (0, a < b);",
        "to = c ? a < b : a == b;",
        "s = a < b;",
        "f = a < b;",
        "take(a < b);",
        "W x = a < b;",
        "to = a + (a == b);",
    ] {
        accepted(&format!("{head} W g(void) {{ {text} return a != b; }}"));
    }
    rejected(&format!("{head} void g(void) {{ to = v; }}"), "incompatible types when assigning");
    rejected(&format!("{head} void g(void) {{ to = (V)(a < b); }}"), "incompatible types when assigning");
}
