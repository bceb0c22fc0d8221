//! Small texts that were once judged or read wrongly, with the verdict of gcc and clang. Not how they print, which is
//! in `roundtrip`.

#[path = "verdict/mod.rs"]
mod verdict;

use verdict::{accepted, rejected, unsupported};

#[test]
fn pragmas_that_change_the_program_are_not_dropped() {
    unsupported("#pragma scalar_storage_order big-endian\nstruct s { int a; } x;");
    unsupported("void f(void);\n#pragma weak f\n");
    unsupported("#pragma redefine_extname f g\nvoid f(void);");
    unsupported("_Pragma(\"GCC visibility push(hidden)\") int x;\n");
    accepted(
        "#pragma GCC unroll 4\n#pragma scalar_storage_order default\n#pragma GCC visibility pop\nint x;",
    );
    unsupported("void f(void) {\n#pragma clang loop vectorize(enable)\nwhile (0) ;\n}");
    unsupported("void f(void) {\n#pragma clang loop unroll_count(2) vectorize_width(4)\nwhile (0) ;\n}");
    accepted("void f(void) {\n#pragma clang loop unroll_count(2) vectorize(disable)\nwhile (0) ;\n}");
    accepted("#pragma GCC visibility push(default)\nint x;\n#pragma GCC visibility pop\n");
}

#[test]
fn to_gcc_a_step_has_the_qualifiers_of_its_operand() {
    accepted(
        "volatile int v; _Static_assert(_Generic(&(__typeof__(v++)){0}, int *: 1, volatile int *: 2) == 2, \"\");
         _Static_assert(_Generic(&(__typeof__(--v)){0}, int *: 1, volatile int *: 2) == 2, \"\");
         _Static_assert(_Generic(&(__typeof__(v += 1)){0}, int *: 1, volatile int *: 2) == 1, \"\");",
    );
}

#[test]
fn what_cannot_be_printed_is_refused_by_name() {
    unsupported("int f(int x) { __typeof__(({ struct T { int a; } t = {x}; t; })) u = {1}; return u.a; }");
    accepted("int f(void) { __typeof__((struct T { int a; }){1}) u = {1}; return u.a; }");
    accepted(
        "int f(int x) { struct T { int a; }; __typeof__(({ struct T t = {x}; t; })) u = {1}; return u.a; }",
    );
    unsupported("enum E { A = 0xffffffffffffffff, B = -1 };");
    unsupported("enum E { A = (__int128)1 << 64 };");
    accepted("enum E { A = 0xffffffffffffffff };");
}

#[test]
fn shifts_by_too_much_are_constants_of_unknown_value() {
    unsupported("enum { A = 1 << 33 };");
    unsupported("int f(int x) { switch (x) { case 1 << 33:; } return 0; }");
    accepted("_Static_assert(1 << 32 || 1, \"\");");
    rejected("_Static_assert(1 << -1 || 1, \"\");", "not constant");
    accepted("_Static_assert(!(1 << 32 && 0), \"\");");
}

#[test]
fn empty_statements_do_not_hide_a_value() {
    accepted("int f(int x) { return 1 + ({ x;; }); }");
    rejected("int f(int x) { return 1 + ({ ; }); }", "void value");
}

#[test]
fn bytes_that_compilers_skip() {
    accepted("int a;\0\n\0int b;\n");
    accepted("\u{feff}int a;\n");
    accepted("int \\u0024; int *p = &$;");
}

#[test]
fn asm_goto_needs_its_labels() {
    rejected("void f(void) { asm goto(\"\":::); }", "expected");
    accepted("void f(void) { asm goto(\"\"::::l); l:; }");
}

#[test]
fn arrays_that_have_no_place_where_they_stand() {
    rejected("int f(int a[*]) { return 0; }", "[*]");
    accepted("int f(int a[*]);");
    rejected("int f(void) { register int a[3]; return *a; }", "register variable 'a'");
    accepted("int f(void) { register int a[3]; a[0] = 1; return a[0] + sizeof a; }");
    rejected("struct S { char a[0x7fffffffffffffff]; char b[0x7fffffffffffffff]; };", "too large");
}

#[test]
fn atomic_and_alignas_in_the_wrong_place() {
    rejected("_Atomic(const int) x;", "qualified type");
    rejected("_Atomic(_Atomic int) x;", "qualified type");
    rejected("int f(_Alignas(8) int x) { return x; }", "parameter");
    rejected("void f(void) { register _Alignas(8) int x; }", "register");
    rejected("int x = sizeof(_Alignas(8) int);", "type name");
}

#[test]
fn declarations_that_declare_no_variable() {
    rejected("int f(int x) { for (struct S { int a; }; x;); return 0; }", "'for' loop");
    rejected("__auto_type f(void);", "plain identifier");
    rejected("__auto_type f(void) { return 1; }", "plain identifier");
    rejected("__auto_type *x = 0;", "plain identifier");
    accepted("const __auto_type x = 1;");
}

#[test]
fn blocks_remember_what_other_blocks_declared() {
    rejected(
        "extern int a[]; int g(void) { { extern int a[3]; } { extern int a[4]; } }",
        "conflicting types",
    );
    rejected("extern int a[]; void g(void) { extern int a[3]; } extern int a[4];", "conflicting types");
    accepted("extern int a[]; int g(void) { { extern int a[3]; } { extern int a[]; } } extern int a[3];");
}

#[test]
fn prototypes_after_old_style_definitions() {
    rejected("int f() { return 1; } int f(int);", "old-style");
    accepted("int f() { return 1; } int f(void);");
    accepted("int f(a) int a; { return a; } int f(int);");
}

#[test]
fn va_start_needs_variable_arguments() {
    rejected("void f(int a) { __builtin_va_list l; __builtin_va_start(l, a); }", "fixed arguments");
    accepted("void f(int a, ...) { __builtin_va_list l; __builtin_va_start(l, a); }");
    rejected("void g(); void f(int a, ...) { __builtin_va_list l; __builtin_va_start(l, g()); }", "void");
}

#[test]
fn attributes_that_do_not_fit() {
    rejected("static int x __attribute__((weak));", "public");
    rejected("inline int main(void) { return 0; }", "inline");
    unsupported("_Noreturn int main(void);");
    rejected("static int x(void) __attribute__((weak)); static int x(void) { return 1; }", "public");
    rejected("int f(void) __attribute__((alias(\"nope\")));", "undefined symbol");
    rejected("int nope(void); int f(void) __attribute__((alias(\"nope\")));", "undefined symbol");
    accepted("static int g(void) { return 1; } int f(void) __attribute__((alias(\"g\")));");
    accepted("int f(void) __attribute__((alias(\"g\"))); int g(void) { return 1; }");
    accepted("int y; extern int x __attribute__((alias(\"y\")));");
    rejected("void f(void) { int x __attribute__((section(\"a\"))); }", "section");
    accepted("void f(void) { static int x __attribute__((section(\"a\"))); }");
    rejected("void f(void) { int x __attribute__((cleanup(nope))); }", "cleanup");
    accepted("void g(int *); void f(void) { int x __attribute__((cleanup(g))); }");
}
