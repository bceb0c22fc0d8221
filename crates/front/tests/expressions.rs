//! Expressions that are taken, and those that are not, with gcc's words for why.

mod verdict;

use verdict::{accepted, pedantic, rejected, warned};

/// The value of an expression in a function with something of everything around it.
fn within(expression: &str) -> String {
    format!(
        "typedef int T; enum e {{ A, B = 5 }}; struct s {{ int m; struct {{ int in; }}; int b : 3; int a[4]; }} gs;\n\
         union u {{ int i; float f; }} gu; int g(int, ...); int arr[3], n; char c; double d; float _Complex z; void *p;\n\
         int *q; struct incomplete *inc; typedef int v4 __attribute__((vector_size(16))); v4 v, w;\n\
         void test(int par, __builtin_va_list ap) {{ {expression}; }}"
    )
}

#[test]
fn operators_bind_as_c_says() {
    for text in [
        "_Static_assert(1 + 2 * 3 == 7 && 2 - 3 - 4 == -5, \"\")",
        "_Static_assert((1 << 2 + 1) == 8 && (1 | 2 ^ 3 & 1) == 3, \"\")",
        "_Static_assert((1 ? 0 ? 2 : 3 : 4) == 3 && (0 ? 1 : 0 ? 2 : 3) == 3, \"\")",
        "_Static_assert(-1 < 0u == 0 && ~0 == -1 && !1 == 0 && +'a' == 97, \"\")",
        "_Static_assert((1 || 1 && 0) == 1 && 5 % 3 * 2 == 4 && 8 / 2 / 2 == 2, \"\")",
        "_Static_assert(sizeof (int) * 2 == 8 && sizeof -(char)1 == 4, \"\")",
        "_Static_assert(sizeof arr == 12 && sizeof arr[0] == 4 && sizeof(arr)[0] == 4, \"\")",
        "_Static_assert(sizeof (int[3]){1} == 12 && sizeof (struct s){1}.m == 4, \"\")",
        "_Static_assert(_Alignof(int) == 4 && __alignof__(c) == 1 && __alignof__ d == 8, \"\")",
        "_Static_assert(sizeof 'a' == 4 && '\\377' == -1 && sizeof L'a' == 4 && sizeof u'a' == 2, \"\")",
        "_Static_assert(sizeof \"abc\" \"d\" == 5 && sizeof L\"ab\" == 12, \"\")",
        "_Static_assert(sizeof __func__ == 5 && sizeof __FUNCTION__ == 5 && sizeof __PRETTY_FUNCTION__ == 5, \"\")",
        "_Static_assert((T)3.9 == 3 && (unsigned char)257 == 1 && -(T)1 == -1, \"\")",
        "_Static_assert(B == 5 && A + 1 == 1, \"\")",
        "_Static_assert(0x7fffffffffffffff > 0 && 1ull << 63 > 0 && 0b101 == 5 && 010 == 8, \"\")",
    ] {
        accepted(&within(text));
    }
}

#[test]
fn every_operator_is_taken() {
    for text in [
        "n = arr[1] = *q++ = 3",
        "n += c, n -= 1, n *= 2, n /= 3, n %= 4, n <<= 1, n >>= 1, n &= 1, n |= 1, n ^= 1",
        "gs.m = (&gs)->in, gs.b++, --gs.a[2]",
        "q = &arr[1], q = arr + 1, q = 1 + arr, n = q - arr",
        "2[arr] = 1",
        "g(1, 2.0, c, gs), (*g)(1), (&g)(2), (**g)(3)",
        "n = n ?: 3, p = p ?: q",
        "p = n ? p : q, q = n ? 0 : q",
        "n ? (void)0 : (void)1",
        "z = 1.0f + 2.0fi, d = __real__ z, __imag__ z = 1",
        "gu = (union u){ .f = 1 }, gs = (struct s){ 1 }, q = (int[]){ 1, 2 }",
        "(void)n, (void)gs",
        "n = (int)(long)p, p = (void *)(long)n",
        "n = __extension__ ({ int t = 1; t; })",
        "n = sizeof(struct local { int a, b; })",
        "v = v + w, v = -v, v = v < w, n = v[1], v[n] = 2, v = v * 3",
        "n = _Generic(n, int: 1, default: 2), n = _Generic(arr, int *: 1, int: 2)",
        "n = _Generic(c, char: _Generic(d, double: 5, float: 6), int: 3)",
        "_Static_assert(_Generic('a', char: 1, int: 2) == 2, \"\")",
        "_Static_assert(_Generic((const int)1, int: 1, const int: 2) == 1, \"\")",
        "n = 1 + - - - -n + !~+n",
        "n = (((((((((n)))))))))",
        "-n, !p, ~n, *&n = 1, &*q",
    ] {
        accepted(&within(text));
    }
}

#[test]
fn builtins_are_taken() {
    for text in [
        "n = __builtin_va_arg(ap, int)",
        "__builtin_va_list c2; __builtin_va_copy(c2, ap); __builtin_va_end(c2)",
        "_Static_assert(__builtin_offsetof(struct s, a[2]) == 20 && __builtin_offsetof(struct s, in) == 4, \"\")",
        "n = __builtin_offsetof(struct s, a[n])",
        "_Static_assert(__builtin_types_compatible_p(int, const int) && !__builtin_types_compatible_p(int, long), \"\")",
        "_Static_assert(__builtin_types_compatible_p(enum e, unsigned), \"\")",
        "_Static_assert(sizeof __builtin_choose_expr(1, c, n) == 1, \"\")",
        "_Static_assert(__builtin_constant_p(3) == 1, \"\")",
        "__builtin_choose_expr(1, n, d) = 3",
        "__builtin_memcpy(arr, &gs, sizeof arr), __builtin_printf(\"%d\", n)",
        "if (__builtin_expect(n == 1, 0)) __builtin_unreachable(); else __builtin_abort()",
        "n = __builtin_add_overflow(n, 1, &n) + __builtin_mul_overflow_p(n, 1, (char)0)",
        "n = __builtin_popcountll(n) + __builtin_clz(3) + __builtin_bswap16(n)",
        "d = __builtin_inf() + __builtin_fabs(d) + __builtin_sqrtf(2) + __builtin_nan(\"\")",
        "n = __builtin_isnan(d) + __builtin_isless(d, 1) + __builtin_signbit(d)",
        "n = __sync_fetch_and_add(&n, 1) + __sync_val_compare_and_swap(&n, 1, 2), __sync_synchronize()",
        "n = __atomic_load_n(&n, 5), __atomic_store(&n, q, 5), __atomic_thread_fence(5)",
        "v = __builtin_shuffle(v, w), v = __builtin_shuffle(v, w, w), v = __builtin_shufflevector(v, w, 0, 1, 4, 5)",
        "p = __builtin_alloca(n), p = __builtin_return_address(0)",
        "int (*f)(const char *, ...) = __builtin_printf",
        "n = __builtin_classify_type(d) + __builtin_object_size(p, 0)",
    ] {
        accepted(&within(text));
    }
}

#[test]
fn wrong_expressions_are_named() {
    for (text, message) in [
        ("nothing = 1", "'nothing' undeclared (first use in this function)"),
        ("n + 1 = 2", "lvalue required as left operand of assignment"),
        ("n = ", "expected expression before ';' token"),
        ("n = T", "expected expression before 'T'"),
        ("n = (1 + 2", "expected ')' before ';' token"),
        ("gs.nothing", "has no member named 'nothing'"),
        ("n.m", "request for member 'm' in something not a structure or union"),
        ("n->m", "invalid type argument of '->' (have 'int')"),
        ("*n", "invalid type argument of unary '*' (have 'int')"),
        ("&1", "lvalue required as unary '&' operand"),
        ("&gs.b", "cannot take address of bit-field"),
        ("1++", "lvalue required as increment operand"),
        ("--1", "lvalue required as decrement operand"),
        ("n()", "is not a function or function pointer"),
        ("g()", "too few arguments to function"),
        ("test(1)", "too few arguments to function"),
        ("gs + 1", "invalid operands to binary +"),
        ("n[n]", "subscripted value is neither array nor pointer nor vector"),
        ("(struct s)n", "conversion to non-scalar type requested"),
        ("inc->x", "invalid use of undefined type"),
        ("sizeof(struct incomplete)", "invalid application of 'sizeof' to incomplete type"),
        ("sizeof gs.b", "'sizeof' applied to a bit-field"),
        ("n = (void)0", "void value not ignored as it ought to be"),
        ("gs = 1", "incompatible types when assigning to type"),
        ("g(gs)", "incompatible type for argument 1 of 'g'"),
        ("1 ? gs : 1", "type mismatch in conditional expression"),
        ("_Generic(n, char: 1)", "'_Generic' selector of type 'int' is not compatible with any association"),
        ("_Generic(n, int: 1, int: 2)", "'_Generic' specifies two compatible types"),
        ("_Generic(n, default: 1, default: 2)", "duplicate 'default' case in '_Generic'"),
        ("__builtin_offsetof(struct s, nothing)", "has no member named 'nothing'"),
        ("__builtin_offsetof(struct s, b)", "attempt to take address of bit-field"),
        ("__builtin_offsetof(struct s, m[1])", "subscripted value is neither array nor pointer"),
        ("__builtin_offsetof(struct incomplete, m)", "invalid use of undefined type"),
        ("__builtin_choose_expr(n, 1, 2)", "first argument to '__builtin_choose_expr' not a constant"),
        ("__builtin_choose_expr(1, 2)", "wrong number of arguments to '__builtin_choose_expr'"),
        ("__builtin_va_arg(n, int)", "first argument to 'va_arg' not of type 'va_list'"),
        ("__builtin_isnan(n)", "non-floating-point argument in call to function '__builtin_isnan'"),
        ("__builtin_trap", "must be directly called"),
        ("1x", "invalid suffix \"x\" on integer constant"),
        ("08", "invalid digit \"8\" in octal constant"),
        ("''", "empty character constant"),
        ("L\"a\" u\"b\"", "unsupported non-standard concatenation of string literals"),
        ("@", "stray '@' in program"),
    ] {
        rejected(&within(text), message);
    }
    rejected("int a = b;", "'b' undeclared here (not in a function)");
}

#[test]
fn unknown_builtins_are_unsupported() {
    for text in ["__builtin_nonexistent(1)", "__builtin_tgmath(n)", "1.0dd"] {
        verdict::unsupported(&within(text));
    }
}

#[test]
fn functions_may_be_declared_by_use() {
    warned("int f(void) { return h(1, 2); }", "implicit declaration of function 'h'");
    warned(
        "void f(void) { printf(\"x\"); }",
        "incompatible implicit declaration of built-in function 'printf'",
    );
    accepted("void f(void) { exit(0); abort(); } void g(void) { exit(1); }");
    accepted("int f(void) { return h(1); } int g(void) { return h(2, 3); } int h();");
    pedantic("int f(void) { return h(1); }", "implicit declaration of function 'h'");
    rejected("double f(void) { return h(1); } double h(int);", "conflicting types for 'h'");
    rejected("int x = h(1);", "initializer element is not constant");
}

#[test]
fn a_chain_of_operators_may_be_long() {
    let sum = vec!["n"; 20_000].join(" + ");
    accepted(&within(&format!("n = {sum}")));
    let assignments = "n = ".repeat(20_000);
    accepted(&within(&format!("{assignments}1")));
    let signs = "- ".repeat(20_000);
    accepted(&within(&format!("n = {signs}1")));
    let choices = "n ? 1 : ".repeat(20_000);
    accepted(&within(&format!("n = {choices}1")));
    let parentheses = format!("{}n{}", "(".repeat(20_000), ")".repeat(20_000));
    verdict::unsupported(&within(&parentheses));
    rejected(&within(&"(".repeat(500)), "expected expression");
}

#[test]
fn what_gcc_takes_is_never_called_wrong() {
    for text in [
        "void f(); f() { }",
        "int dummy(char *, int, unsigned long, const char *, ...); \
         void f(char *p) { (1 ? __builtin___sprintf_chk : dummy)(p, 0, 1, \"\"); }",
        "int *p; _Static_assert(__atomic_always_lock_free(1, p) && __atomic_always_lock_free(4, p), \"\");",
        "int *p; _Static_assert(__atomic_always_lock_free(8, 0) && !__atomic_always_lock_free(8, p), \"\");",
        "void *p; _Static_assert(!__atomic_always_lock_free(16, 0) && !__atomic_always_lock_free(4, p), \"\");",
        "int f(int *q) { static long d = (char *)0 - ((char *)0 + 1); static long e = 1; return d + e; }",
        "void f(void) { int i[4]; int *p = i + 2; static long b = p - (p - 1), c = (p - 2) - (p - 1); }",
    ] {
        accepted(text);
    }
    for text in [
        "void f(); f(int i) { }  void g(void) { f(1.0, 2); }",
        "void f(int, int[*]); f(int x, int y) { return x < y; }",
        "void f(void) { __builtin_ms_va_list ap; }",
        "int x = sizeof L\"\\U03FFFFFF\";",
    ] {
        verdict::unsupported(text);
    }
}
