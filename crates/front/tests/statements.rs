//! Statements that are taken, and those that are not, with gcc's words for why.

mod verdict;

use verdict::{accepted, pedantic, rejected, warned};

/// The body of `int f(int n, void *p)`.
fn body(text: &str) -> String {
    format!("int g(int, ...); struct s {{ int m; }} gs; int f(int n, void *p)\n{{ {text}\n return 0; }}")
}

#[test]
fn every_statement_is_taken() {
    for text in [
        ";",
        "{ }",
        "{ ; { n; } }",
        "if (n) n = 1;",
        "if (n) ; else if (p) ; else { }",
        "if (n) if (p) n++; else n--;",
        "while (n) { if (n == 3) continue; break; }",
        "do n--; while (n);",
        "for (;;) break;",
        "for (n = 0; n < 3; n++) ;",
        "for (int i = 0, j = 1; i < j; i++, j--) g(i);",
        "for (__extension__ int i = 0; i; ) ;",
        "switch (n) { case 1: case 2: n = 3; break; case 3 ... 7: ; default: break; }",
        "switch (n) { case 1: default: ; }",
        "switch (n) case 4: n = 1;",
        "switch (n) { n = 1; }",
        "for (;;) { switch (n) { case 0: continue; } }",
        "switch (n) { default: switch (n) { case 1: default: ; } case 1: ; }",
        "goto end; end: ;",
        "back: n--; if (n) goto back;",
        "l: __attribute__((unused)); goto l;",
        "a: b: c: d: n = 1; goto a; goto d;",
        "{ end: }",
        "end: int x = 1; x++;",
        "switch (n) { case 1: ; int x; x = 2; default: }",
        "__label__ a, b; __label__ c; a: b: c: ;",
        "{ __label__ l; l: goto l; } { __label__ l; l: goto l; } l: goto l;",
        "void *q = &&l; goto *q; l: ;",
        "static void *t[] = { &&x, &&y }; goto *t[n]; x: y: ;",
        "goto *p;",
        "return n;",
        "return (n, 1);",
        "return (char)n;",
        "__attribute__((fallthrough));",
        "int x; x = 1; int y = x; y;",
        "asm(\"nop\");",
        "asm volatile (\"\" : : : \"memory\", \"cc\");",
        "__asm__ __volatile__ (\"\" : \"=r\" (n) : \"r\" (n), \"0\" (1));",
        "asm (\"%[a] %[b]\" : [a] \"+m\" (n) : [b] \"ir\" (p));",
        "asm inline (\"\" :: \"m\" (gs));",
        "asm goto (\"\" : : \"r\" (n) : \"memory\" : l, m); l: m: ;",
        "asm (\"a\" \"b\" :);",
        "_Static_assert(sizeof(int) == 4, \"int\");",
        "n = ({ int t = n; t + 1; });",
        "({ ; });",
        "({ goto in; in: n; });",
        "goto out; { int a[n]; a[0] = 1; } out: ;",
        "{ int a[n]; again: a[0]++; if (a[0]) goto again; }",
        "int k; { again: ; int a[n]; a[0] = 1; if (n) goto again; }",
        "__extension__ int x = 1; __extension__ x++;",
        "if (sizeof(struct t { int a; }) == 4) { struct t v; v.a = 1; }",
        "while (g(1), n) ;",
        "if (sizeof(enum { gs })) ; gs.m = 1;",
        "asm(\"%%[x] %[a] %k[b]\" :: [a] \"r\" (n), [b] \"r\" (n));",
        "n: n = 1; goto n;",
    ] {
        accepted(&body(text));
    }
}

#[test]
fn misplaced_statements_are_rejected() {
    for (text, message) in [
        ("break;", "break statement not within loop or switch"),
        ("if (n) break;", "break statement not within loop or switch"),
        ("continue;", "continue statement not within a loop"),
        ("switch (n) { case 1: continue; }", "continue statement not within a loop"),
        ("case 1: ;", "case label not within a switch statement"),
        ("default: ;", "'default' label not within a switch statement"),
        ("switch (n) { case 1: case 1: ; }", "duplicate case value"),
        ("switch (n) { case 5 ... 9: case 7: ; }", "duplicate case value"),
        ("switch (n) { case 7: case 5 ... 9: ; }", "duplicate case value"),
        ("switch (n) { case -1: case 0xffffffff: ; }", "duplicate case value"),
        ("switch (n) { case n: ; }", "case label does not reduce to an integer constant"),
        ("switch (n) { case 1.0: ; }", "case label does not reduce to an integer constant"),
        ("switch (n) { default: default: ; }", "multiple default labels in one switch"),
        ("switch (gs) ;", "switch quantity not an integer"),
        ("switch (p) ;", "switch quantity not an integer"),
        ("if (gs) ;", "where scalar is required"),
        ("while (gs) ;", "where scalar is required"),
        ("for (; gs; ) ;", "where scalar is required"),
        ("goto nowhere;", "label 'nowhere' used but not defined"),
        ("p = &&nowhere;", "label 'nowhere' used but not defined"),
        ("l: l: ;", "duplicate label 'l'"),
        ("l: ; { l: ; }", "duplicate label 'l'"),
        ("{ __label__ l; l: ; } goto l;", "label 'l' used but not defined"),
        ("{ __label__ l; goto l; } l: ;", "label 'l' used but not defined"),
        ("goto *gs;", "computed goto must be pointer type"),
        ("goto l; int a[n]; l: ;", "jump into scope of identifier with variably modified type"),
        (
            "switch (n) { int a[n]; case 1: ; }",
            "switch jumps into scope of identifier with variably modified type",
        ),
        ("goto l; ({ l: ; });", "jump into statement expression"),
        ("switch (n) { ({ case 1: ; }); }", "switch jumps into statement expression"),
        ("return gs;", "incompatible types when returning type"),
        ("asm(\"\" : \"r\" (n));", "output operand constraint lacks '='"),
        ("asm(\"\" : \"=r\" (1));", "lvalue required in 'asm' statement"),
        ("asm volatile volatile (\"\");", "duplicate 'asm' qualifier 'volatile'"),
        ("asm(L\"\");", "asm"),
        ("asm(\"%[a]\" : [b] \"=r\" (n));", "undefined named operand 'a'"),
        ("const int k = 1; asm(\"\" : \"=r\" (k));", "used as 'asm' output"),
        ("else ;", "'else' without a previous 'if'"),
        ("n = 1", "expected ';' before"),
        ("if n;", "expected '(' before 'n'"),
        ("do n--; while (n)", "expected ';' before"),
        ("if (n) int x;", "expected expression before 'int'"),
        ("goto 1;", "expected identifier or '*' before numeric constant"),
    ] {
        rejected(&body(text), message);
    }
    rejected("int x = ({ 1; });", "braced-group within expression allowed only inside a function");
    rejected("void *p = &&l;", "label 'l' referenced outside of any function");
    rejected("int f(void) { if (1) {", "expected declaration or statement at end of input");
}

#[test]
fn what_gcc_lets_pass_is_a_warning() {
    for (text, message) in [
        ("int f(void) { return; }", "'return' with no value, in function returning non-void"),
        ("void f(void) { return 1; }", "'return' with a value, in function returning void"),
        ("void f(int n) { switch (n) { case 3 ... 1: ; } }", "empty range specified"),
        ("void f(void) { __label__ l; }", "label 'l' declared but not defined"),
    ] {
        warned(text, message);
    }
}

#[test]
fn extensions_are_errors_only_if_pedantic() {
    for (text, message) in [
        ("int f(void) { return; }", "'return' with no value"),
        ("int f(int n) { return n ?: 1; }", "ISO C forbids omitting the middle term of a '?:' expression"),
        ("int f(int n) { return ({ n; }); }", "ISO C forbids braced-groups within expressions"),
        ("void f(void *p) { goto *p; }", "ISO C forbids 'goto *expr;'"),
        ("void f(void *p) { f(&&l); l: ; }", "taking the address of a label is non-standard"),
        ("void f(int n) { switch (n) { case 1 ... 2: ; } }", "range expressions in switch statements"),
        ("void g(void); void f(void) { return g(); }", "ISO C forbids 'return' with expression"),
        ("void f(void) { __label__ l; l: ; }", "ISO C forbids label declarations"),
        ("void f(void) { int g(void) { return 1; } g(); }", "ISO C forbids nested functions"),
        ("int a[0];", "ISO C forbids zero-size array"),
        ("struct s { };", "struct has no members"),
        ("struct s { int : 3; };", "struct has no named members"),
        ("int a[2] = { };", "ISO C forbids empty initializer braces"),
        ("int a[3] = { [0 ... 2] = 1 };", "ISO C forbids specifying range of elements to initialize"),
        ("__int128 x;", "ISO C does not support '__int128' types"),
        ("_Complex int z;", "ISO C does not support complex integer types"),
        ("int x = 0b11;", "binary constants are a C2X feature or GCC extension"),
        ("_Complex double z = 1.0i;", "imaginary constants are a GCC extension"),
        ("int x = '\\e';", "non-ISO-standard escape sequence, '\\e'"),
        ("char s[3] = \"abcd\";", "initializer-string for array of 'char' is too long"),
        ("int a[2] = { 1, 2, 3 };", "excess elements in array initializer"),
        ("int x = 0x100000000000000000000;", "integer constant is too large for its type"),
        ("", "ISO C forbids an empty translation unit"),
        (
            "void f(void); void *p; void g(void) { p = (void *)f; }",
            "ISO C forbids conversion of function pointer to object pointer type",
        ),
        (
            "void *p; void g(void) { ((void (*)(void))p)(); }",
            "ISO C forbids conversion of object pointer to function pointer type",
        ),
        (
            "union u { int a; }; void f(void) { union u v = (union u)1; (void)v; }",
            "ISO C forbids casts to union type",
        ),
    ] {
        pedantic(text, message);
    }
    for text in [
        "int f(int n) { return __extension__ (n ?: 1); }",
        "__extension__ struct s { };",
        "__extension__ typedef __int128 wide;",
        "void (*p)(void) = (void (*)(void))0;",
        "# 1 \"a.c\"\n#include <x.h>\n# 1 \"x.h\" 1\nint a[0];\n# 2 \"a.c\" 2\nint b;\n",
    ] {
        verdict::pedantic_accepts(text);
    }
}

#[test]
fn operands_of_asm_are_looked_at() {
    for text in [
        "asm(\"\" : : \"rm\" (n), \"ri,m\" (n));",
        "asm(\"\" : \"=r\" (n) : \"0\" (n));",
        "asm(\"\" : [o] \"=&r\" (n) : \"[o]\" (n));",
        "asm(\"\" : \"=@ccc\" (n));",
        "asm(\"\" : : : \"eax\", \"%rbx\", \"r8\", \"st(1)\", \"xmm15\", \"memory\", \"cc\", \"1\");",
    ] {
        accepted(&body(text));
    }
    for (text, message) in [
        ("asm(\"\" : : \"=r\" (n));", "input operand constraint contains '='"),
        ("asm(\"\" : : \"+r\" (n));", "input operand constraint contains '+'"),
        ("asm(\"\" : : \"&r\" (n));", "input operand constraint contains '&'"),
        ("asm(\"\" : \"=r\" (n) : \"1\" (n));", "matching constraint references invalid operand number"),
        ("asm(\"\" : : \"[a\" (n));", "missing close brace for named operand"),
        ("asm(\"\" : : \"r;\" (n));", "invalid punctuation ';' in constraint"),
        ("asm(\"\" : : : \"foo\");", "unknown register name 'foo' in 'asm'"),
        ("asm(\"\" : : : \"\");", "unknown register name '' in 'asm'"),
    ] {
        rejected(&body(text), message);
    }
}

#[test]
fn the_head_of_a_for_may_define_a_struct_without_a_tag() {
    accepted(&body("for (struct { int a; char b; } s = { 0, 1 }; s.a < 3; s.a++) n += s.b;"));
    accepted(&body("if (n) for (union { int a; } s = { 0 }; s.a < 3; s.a++) n++;"));
    rejected(&body("for (enum { A, B } e = A; e < B; e++) ;"), "in 'for' loop initial declaration");
    rejected(&body("for (struct t { int a; } s = { 0 }; s.a; ) ;"), "type declared in 'for' loop");
}

#[test]
fn what_the_model_has_no_place_for_is_refused() {
    for text in [
        "#pragma GCC target(\"avx2\")\nint x;",
        "#pragma GCC push_options\nint x;\n#pragma GCC pop_options\n",
        "#pragma GCC reset_options\nint x;",
        "char c, *p; void f(void) { c += p; }",
        "int f(void) { static int y = ({ 1; }); return y; }",
    ] {
        verdict::unsupported(text);
    }
    // A header brings its own back.
    accepted(
        "# 1 \"a.c\"\n#include <x.h>\n# 1 \"x.h\" 1\n#pragma GCC target(\"avx2\")\n# 2 \"a.c\" 2\nint b;\n",
    );
    rejected("int f(int n) { static int y = ({ n; }); return y; }", "initializer element is not constant");
}

#[test]
fn an_implicit_declaration_is_said_once() {
    let text = "int f(void) { h(1); return h(2); } int g(void) { return h(3); }";
    assert_eq!(verdict::warnings(text), ["implicit declaration of function 'h'"]);
}

#[test]
fn errors_do_not_hide_later_ones() {
    let text = "int f(void) { a = 1; b = 2; { c = 3; } if (d) { e = 4; } else { } a + 1; return g2; }";
    let messages = verdict::errors(text);
    for name in ["a", "b", "c", "d", "g2"] {
        let wanted = format!("'{name}' undeclared (first use in this function)");
        assert_eq!(messages.iter().filter(|message| **message == wanted).count(), 1, "{name}: {messages:?}");
    }
}

#[test]
fn many_warnings_do_not_end_the_text() {
    let returns = "return; ".repeat(5_000);
    rejected(&format!("int f(void) {{ {returns} }} int g(void) {{ return x; }}"), "'x' undeclared");
    let uses: String = (0..5_000).map(|n| format!("x{n} = 1; ")).collect();
    assert!(verdict::errors(&format!("void f(void) {{ {uses} }}")).len() <= 110);
}
