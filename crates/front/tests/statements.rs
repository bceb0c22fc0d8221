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
    ] {
        pedantic(text, message);
    }
    verdict::pedantic_accepts("int f(int n) { return __extension__ (n ?: 1); }");
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
