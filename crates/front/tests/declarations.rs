//! Declarations: what they declare, and what is refused with which words.

use howler_front::{Options, Report, parse};
use howler_lang::diag::Severity;
use howler_lang::link::link;
use howler_lang::print::type_name;
use howler_lang::program::{Init, InitId, Linkage, Program};
use howler_lang::target::{Arch, Std, Target};

fn read(text: &str, std: &str) -> (Program, Report) {
    let mut program = Program::new(Target { std: Std::parse(std).unwrap(), ..Target::X86_64_GCC });
    let report = parse(&mut program, "test.c", text.into(), &Options::default());
    (program, report)
}

fn errors(report: &Report) -> Vec<String> {
    let bad = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity >= Severity::Unsupported);
    bad.map(|diagnostic| diagnostic.message.clone()).collect()
}

/// The text is accepted, and the last object or function called `x` has the type written behind `=>`.
fn check(cases: &str) {
    for case in cases.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (text, expected) = case.split_once("=>").unwrap_or_else(|| panic!("no => in {case}"));
        let (program, report) = read(text, "gnu17");
        assert_eq!(errors(&report), [""; 0], "{text}");
        let named = |name| program.name(name) == "x";
        let object = program.objects.iter().rfind(|(_, object)| object.name.is_some_and(named));
        let function = program.funcs.iter().rfind(|(_, function)| named(function.name));
        let ty = object.map(|(_, object)| object.ty).or(function.map(|(_, function)| function.ty));
        let shown = type_name(&program, ty.unwrap_or_else(|| panic!("no x in {text}")));
        assert_eq!(shown, expected.trim(), "{text}");
    }
}

/// The text is refused with a message that contains what is written behind `=>`.
fn refuse(cases: &str, std: &str) {
    for case in cases.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (text, expected) = case.split_once("=>").unwrap_or_else(|| panic!("no => in {case}"));
        let (_, report) = read(text, std);
        let errors = errors(&report);
        assert!(report.unit.is_none(), "accepted: {text}");
        let found = errors.iter().any(|message| message.contains(expected.trim()));
        assert!(found, "{text}\n  wanted: {expected}\n  got: {errors:?}");
    }
}

/// The initialiser of the last object called `x`, in one line.
fn initialiser(text: &str) -> String {
    let (program, report) = read(text, "gnu17");
    assert_eq!(errors(&report), [""; 0], "{text}");
    let mut all = program.objects.iter();
    let object = all.rfind(|(_, object)| object.name.is_some_and(|name| program.name(name) == "x"));
    let mut out = String::new();
    write_init(&program, object.unwrap().1.init.unwrap(), &mut out);
    out
}

fn write_init(program: &Program, init: InitId, out: &mut String) {
    match program.inits[init] {
        Init::Expr(expr) => match howler_lang::fold::integer(program, expr) {
            Some(value) => out.push_str(&value.to_string()),
            None => out.push('?'),
        },
        Init::List(list) | Init::Update(list) => {
            out.push_str(if let Init::Update(_) = program.inits[init] { "+{" } else { "{" });
            for (at, entry) in program.init_entries(list).iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                let place = if entry.index == entry.last {
                    entry.index.to_string()
                } else {
                    format!("{}..{}", entry.index, entry.last)
                };
                out.push_str(&format!("{place}: "));
                write_init(program, entry.init, out);
            }
            out.push('}');
        }
    }
}

#[test]
fn specifiers_in_any_order_name_the_same_type() {
    check(
        "int x; => int
         long unsigned long int x; => unsigned long long
         int long x; => long
         short signed int x; => short
         char unsigned x; => unsigned char
         signed char x; => signed char
         char x; => char
         double long x; => long double
         _Bool x; => _Bool
         __int128 unsigned x; => unsigned __int128
         __uint128_t x; => unsigned __int128
         _Complex x; => _Complex double
         float _Complex x; => _Complex float
         _Float64x x; => _Float64x
         __float128 x; => __float128
         const volatile int x; => const volatile int
         typedef int T; const T x; => const int
         typedef int T[3]; const T x; => const int[3]
         typedef struct {int a;} T; T x; => struct T
         typedef struct S {int a;} T; T x; => struct S
         struct {int a;} x; => struct struct_1
         enum {A, B} x; => enum enum_1
         int a; const typeof(a) x; => const int
         const int a; typeof(a) x; => const int
         int a[3]; typeof(a) x; => int[3]
         typeof(1 + 1L) x; => long
         typeof(int *) x; => int *
         _Atomic(int) x; => _Atomic int
         __auto_type x = 3L; => long
         int a[4]; __auto_type x = &a; => int (*)[4]
         _Alignas(16) char x; => char
         static y, x; => int",
    );
}

#[test]
fn declarators_derive_from_the_name_outwards() {
    check(
        "int *x; => int *
         int *const volatile *x; => int *const volatile *
         int x[2][3]; => int[2][3]
         int *x[3]; => int *[3]
         int (*x)[3]; => int (*)[3]
         int (x)(void); => int(void)
         int x(); => int()
         int x(int, ...); => int(int, ...)
         int (*x(void))(int); => int (*(void))(int)
         int (*(*x)(int))[3]; => int (*(*)(int))[3]
         void x(int a[3], int b[static 4], int f(void)); => void(int *, int *, int (*)(void))
         typedef int T; int x(int (T)); => int(int (*)(int))
         typedef int T; int x(int T); => int(int)
         typedef int T; int x(const T); => int(int)
         int x(int (), int (*)(void), int ([3])); => int(int (*)(), int (*)(void), int *)
         int x[0]; => int[0]
         char x[sizeof(long) * 2]; => char[16]
         int x(const int, int *const, int *restrict p); => int(int, int *, int *)
         int x(n, m) int m; char n; { return n; } => int()
         int x(void); x(); => int(void)
         extern int x[]; int x[3]; => int[3]
         int x[]; => int[1]
         int x(); int x(int); => int(int)
         void f(int n, int (*x)[n]) {} => int (*)[n]
         void x(int n, int (*)[n]); => void(int, int (*)[*])",
    );
}

#[test]
fn attributes_change_types() {
    check(
        "typedef int T __attribute__((mode(DI))); T x; => long
         typedef unsigned T __attribute__((__mode__(__QI__))); T x; => unsigned char
         typedef float T __attribute__((mode(XF))); T x; => long double
         int x __attribute__((unknown_thing(1, \"a\", b + c d))); => int
         struct S { char c; int i; } __attribute__((packed)) s; char x[sizeof s]; => char[5]
         struct __attribute__((aligned(16))) S { char c; } s; char x[sizeof s]; => char[16]
         struct S { char c; int i __attribute__((packed)); } s; char x[sizeof s]; => char[5]
         struct S { char c; _Alignas(8) char d; } s; char x[sizeof s]; => char[16]
         enum __attribute__((packed)) E { A } s; char x[sizeof s]; => char[1]
         typedef int V __attribute__((vector_size(16))); V v; char x[sizeof v]; => char[16]
         float *p __attribute__((vector_size(8))); char x[sizeof *p]; => char[8]",
    );
}

#[test]
fn enumerations_follow_gcc() {
    check(
        "enum E { A = -1, B = 0x7fffffff } e; typeof(B) x; => int
         enum E { A = 0x80000000u, B } e; typeof(B + 0) x; => unsigned
         enum E { A = 0x100000000, B = 1 } e; typeof(B + 0) x; => int
         enum E { A = 0x100000000, B = 1 } e; typeof(A + 0) x; => unsigned long
         enum E { A = -1, B = 0x100000000 } e; char x[sizeof e]; => char[8]
         enum E { A, B, } e; typeof(e + 0) x; => unsigned
         enum E { A = -1 } e; typeof(e + 0) x; => int
         enum E { A = 5, B, C = A + B, D }; char x[D]; => char[12]
         enum E; enum E *p; enum E { A = 3 }; char x[A]; => char[3]",
    );
}

#[test]
fn tags_are_unique_in_a_unit() {
    check(
        "struct S { int a; }; void f(void) { struct S { int b; } x; } => struct S_2
         struct S { int a; }; void f(void) { struct S; struct S *x; } => struct S_2 *
         struct S { int a; }; void f(void) { struct S x; } => struct S
         struct { int a; } y; struct { int b; } x; => struct struct_2
         struct A { struct B { int c; } b; }; struct B x; => struct B
         typedef struct { int a; } T, *P; P x; => struct T *",
    );
}

#[test]
fn array_bounds_come_from_initialisers() {
    check(
        "int x[] = {1, 2, 3}; => int[3]
         int x[] = {[5] = 1, 2}; => int[7]
         int x[] = {[2 ... 9] = 1}; => int[10]
         char x[] = \"abc\"; => char[4]
         char x[] = {\"abc\"}; => char[4]
         char x[][4] = {\"abc\", \"d\"}; => char[2][4]
         int x[][2] = {1, 2, 3}; => int[2][2]
         unsigned short x[] = u\"ab\"; => unsigned short[3]
         int x[] = (int[]){1, 2}; => int[2]
         int *p = (int[]){1, 2}; char x[sizeof *p]; => char[4]
         int x[] = {[1000000] = 1}; => int[1000001]
         struct { int a; char b[]; } x = {1, {2, 3}}; => struct struct_1",
    );
}

#[test]
fn braces_left_out_are_found() {
    let cases = [
        ("int x[2][2] = {1, 2, 3};", "{0: {0: 1, 1: 2}, 1: {0: 3}}"),
        ("struct {int a; struct {int b, c;} d; int e;} x = {1, 2, 3, 4};", "{0: 1, 1: {0: 2, 1: 3}, 2: 4}"),
        ("struct {int a[2], b;} x = {.b = 3, .a = {1}};", "{1: 3, 0: {0: 1}}"),
        ("struct {int a[2], b;} x = {.a[1] = 3, 4};", "{0: {1: 3}, 1: 4}"),
        (
            "struct {struct {int p, q;} a; int b;} x = {.a.q = 2, .b = 3, .a.p = 1};",
            "{0: {1: 2, 0: 1}, 1: 3}",
        ),
        ("int x[4] = {[0 ... 3] = 7, [2] = 1};", "{0..3: 7, 2: 1}"),
        ("struct {int p, q;} x[4] = {[0 ... 3].p = 7, [2].q = 1};", "{0..3: +{0: 7}, 2: +{1: 1}}"),
        ("union {int a; char b;} x = {1};", "{0: 1}"),
        ("union {int a; char b;} x = {.b = 1};", "{1: 1}"),
        ("struct {int a; union {int b; char c;}; int d;} x = {1, 2, 3};", "{0: 1, 1: {0: 2}, 2: 3}"),
        ("struct {int a; union {int b; char c;}; int d;} x = {.c = 2, 3};", "{1: {1: 2}, 2: 3}"),
        ("struct {int a : 3, : 2, b : 4;} x = {1, 2};", "{0: 1, 2: 2}"),
        ("struct {int a, b;} x = {b: 2, a: 1};", "{1: 2, 0: 1}"),
        ("int x[3] = {[1] 5};", "{1: 5}"),
        ("int x[2][3] = {{1, 2, 3}, [0][1] = 5};", "{0: {0: 1, 1: 2, 2: 3, 1: 5}}"),
        ("int x[4][2] = {[0 ... 3] = {1, 2}, [2][1] = 5};", "{0..3: {0: 1, 1: 2}, 2: +{1: 5}}"),
        ("int x[5] = {1, 2, [0] = 3, 4};", "{0: 1, 1: 2, 0: 3, 1: 4}"),
        ("int x[3] = {1, {2}, 3};", "{0: 1, 1: 2, 2: 3}"),
        ("int x[] = {1, 2,};", "{0: 1, 1: 2}"),
        ("struct {int a : 3, : 2, b : 4;} x[2] = {{1, 2}, [0].b = 3};", "{0: {0: 1, 2: 2, 2: 3}}"),
        ("struct {int a, b;} x[2] = {{1, 2}, 3, 4};", "{0: {0: 1, 1: 2}, 1: {0: 3, 1: 4}}"),
        ("struct {int a, b;} x = {1, 2, 3};", "{0: 1, 1: 2}"),
        ("struct {int a, b;} x = {1, .a = 2, 3};", "{0: 1, 0: 2, 1: 3}"),
        ("union {int a; char b;} x[2] = {{1, 2}, {.b = 3}};", "{0: {0: 1}, 1: {1: 3}}"),
        ("int x[3][2] = {{1, 2}, 3, 4, {5}};", "{0: {0: 1, 1: 2}, 1: {0: 3, 1: 4}, 2: {0: 5}}"),
        ("int x[2][2] = {{1}, {2}, {3}};", "{0: {0: 1}, 1: {0: 2}}"),
        ("int x[2][2][2] = {{{1}}, [0][0][1] = 2};", "{0: {0: {0: 1, 1: 2}}}"),
        ("int x[2][2][2] = {{{1}, 2}, [0][0] = {3}};", "{0: {0: {0: 1}, 1: {0: 2}, 0: {0: 3}}}"),
        ("int x = {5};", "5"),
        ("struct {int a, b;} x = {};", "{}"),
        ("int x[2] = {1, 2, 3};", "{0: 1, 1: 2}"),
        (
            "struct P {int a, b;}; struct P p; void f(void) { struct P x[2] = {p, 1, 2}; }",
            "{0: ?, 1: {0: 1, 1: 2}}",
        ),
        ("struct {int a; int z[0]; int b;} x = {1, 2};", "{0: 1, 1: {}, 2: 2}"),
        (
            "struct P {int a, b;}; struct {struct P p; int c;} x = {(struct P){1, 2}, 3};",
            "{0: {0: 1, 1: 2}, 1: 3}",
        ),
        ("typedef int V __attribute__((vector_size(16))); V x = {1, 2};", "{0: 1, 1: 2}"),
        ("char x[2][3] = {\"ab\", {\"c\"}};", "{0: ?, 1: ?}"),
        ("char x[3] = {\"abc\"[0], 2};", "{0: 97, 1: 2}"),
    ];
    for (text, expected) in cases {
        // `"abc"[0]` at file scope is constant to gcc only inside a function.
        if text.contains("[0], 2") {
            assert_eq!(
                initialiser(&format!("void f(void) {{ {text} }}")).len(),
                "{0: ?, 1: 2}".len(),
                "{text}"
            );
            continue;
        }
        assert_eq!(initialiser(text), expected, "{text}");
    }
}

#[test]
fn wrong_declarations_are_refused_in_gccs_words() {
    refuse(
        "int char x; => two or more data types in declaration specifiers
         long short x; => both 'long' and 'short' in declaration specifiers
         unsigned float x; => both 'unsigned' and 'float' in declaration specifiers
         unsigned signed x; => both 'unsigned' and 'signed' in declaration specifiers
         long long long x; => 'long long long' is too long for GCC
         short short x; => duplicate 'short'
         static extern int x; => multiple storage classes in declaration specifiers
         int x = 3 y; => expected ',' or ';' before 'y'
         int x y; => expected '=', ',', ';', 'asm' or '__attribute__' before 'y'
         foo x; => unknown type name 'foo'
         int f(foo x); => unknown type name 'foo'
         int x; float x; => conflicting types for 'x'
         int x = 1; int x = 2; => redefinition of 'x'
         int x; static int x; => static declaration of 'x' follows non-static declaration
         static int x; int x; => non-static declaration of 'x' follows static declaration
         int x; int x(void); => 'x' redeclared as different kind of symbol
         typedef int x; typedef char x; => conflicting types for 'x'
         int f(void) {} int f(void) {} => redefinition of 'f'
         int f(int); int f(char); => conflicting types for 'f'
         void f(void) { int x; int x; } => redeclaration of 'x' with no linkage
         void f(int x) { int x; } => 'x' redeclared as different kind of symbol
         void f(void) { extern int x = 1; } => 'x' has both 'extern' and initializer
         void f(void) { struct S s; } => storage size of 's' isn't known
         void f(void) { int x[]; } => array size missing in 'x'
         struct S s; => storage size of 's' isn't known
         void x; => variable or field 'x' declared void
         int x[-1]; => size of array 'x' is negative
         int x[1ull << 62][8]; => size of array 'x' is too large
         int x[2.5]; => size of array has non-integer type
         int n; int x[n]; => variably modified 'x' at file scope
         void f(int n) { static int x[n]; } => storage size of 'x' isn't constant
         void f(int n) { extern int x[n]; } => object with variably modified type must have no linkage
         void f(int n) { int x[n] = {1}; } => variable-sized object may not be initialized
         void x[3]; => declaration of 'x' as array of voids
         int x[3](void); => declaration of 'x' as array of functions
         int x(void)[3]; => 'x' declared as function returning an array
         int x(void)(void); => 'x' declared as function returning a function
         struct S x[3]; => array type has incomplete element type 'struct S'
         int x[static 3]; => static or type qualifiers in non-parameter array declarator
         int f(int a, int a); => redefinition of parameter 'a'
         int f(int, void); => 'void' must be the only parameter
         int f(struct S s) {} => parameter 1 ('s') has incomplete type
         int f(a) int b; {} => declaration for parameter 'b' but no such parameter
         int f(int) = 3; => function 'f' is initialized like a variable
         struct S { int a; int a; }; => duplicate member 'a'
         struct S { int a; struct { int a; }; }; => duplicate member 'a'
         struct S { struct S s; }; => field 's' has incomplete type
         struct S { int f(void); }; => field 'f' declared as a function
         struct S { int a[]; int b; }; => flexible array member not at end of struct
         union U { int a[]; }; => flexible array member in union
         struct S { float f : 3; }; => bit-field 'f' has invalid type
         struct S { int f : 33; }; => width of 'f' exceeds its type
         struct S { int f : 0; }; => zero width for bit-field 'f'
         struct S { int f : -1; }; => negative width in bit-field 'f'
         struct S {int a;}; struct S {int b;}; => redefinition of 'struct S'
         struct S {int a;}; union S x; => 'S' defined as wrong kind of tag
         enum E {A}; enum E {B}; => redeclaration of 'enum E'
         enum E {A, A}; => redeclaration of enumerator 'A'
         enum E {A = 0x7fffffff, B}; => overflow in enumeration values
         int a; enum E {A = a}; => enumerator value for 'A' is not an integer constant
         int restrict x; => invalid use of 'restrict'
         _Static_assert(1 == 2, \"no\"); => static assertion failed: \"no\"
         typedef int T = 3; => typedef 'T' is initialized
         register int x; => register name not specified for 'x'
         auto int x; => file-scope declaration of 'x' specifies 'auto'
         int x __attribute__((aligned(3))); => is not a positive power of 2
         _Decimal64 x; => '_Decimal64'
         int x y; => expected",
        "gnu17",
    );
}

#[test]
fn wrong_initialisers_are_refused_in_gccs_words() {
    refuse(
        "int y; int x = y; => initializer element is not constant
         int x[2] = 3; => invalid initializer
         int x[2] = {[2] = 1}; => array index in initializer exceeds array bounds
         int x[] = {[-1] = 1}; => array index in initializer exceeds array bounds
         int x[3] = {[2 ... 1] = 1}; => empty index range in initializer
         int y; int x[3] = {[y] = 1}; => nonconstant array index in initializer
         int x[3] = {.a = 1}; => field name not in record or union initializer
         struct S {int a;} x = {[0] = 1}; => array index in non-array initializer
         struct S {int a;} x = {.b = 1}; => 'struct S' has no member named 'b'
         struct S {int a;} x = {.a.b = 1}; => field name not in record or union initializer
         int x = {}; => empty scalar initializer
         char x[] = L\"abc\"; => char-array initialized from wide string
         int x[] = \"abc\"; => wide character array initialized from non-wide string",
        "gnu17",
    );
}

#[test]
fn old_c_is_taken_in_gnu89() {
    let text = "f(a, b) char *b; { return a + *b; } static x; main() { g(); return f(x, \"a\"); } \
                extern inline int k(void) { return 1; } int k(void) { return 2; }";
    let (program, report) = read(text, "gnu89");
    assert_eq!(errors(&report), [""; 0]);
    let function = program.funcs.iter().find(|(_, function)| program.name(function.name) == "f").unwrap().1;
    assert!(function.old_style);
    let params: Vec<String> =
        function.params.iter().map(|&param| type_name(&program, program.objects[param].ty)).collect();
    assert_eq!(params, ["int", "char *"]);
}

#[test]
fn i386_has_its_own_va_list_and_no_int128() {
    let target = Target { arch: Arch::I386, ..Target::X86_64_GCC };
    let mut program = Program::new(target);
    let text = "__builtin_va_list x; char y[sizeof x];";
    let report = parse(&mut program, "a.c", text.into(), &Options::default());
    assert_eq!(errors(&report), [""; 0]);
    let report = parse(&mut program, "b.c", "__int128 x;".into(), &Options::default());
    assert_eq!(errors(&report), ["'__int128' is not supported on this target"]);
}

#[test]
fn units_are_linked_by_name() {
    let mut program = Program::new(Target::X86_64_GCC);
    let a = "struct S {int a;}; extern struct S s; int f(int); int g(void) { return f(s.a); } static int t;";
    let b = "struct S {int a;} s = {3}; int f(int x) { return x; } static int t;";
    for (name, text) in [("a.c", a), ("b.c", b)] {
        let report = parse(&mut program, name, text.into(), &Options::default());
        assert_eq!(errors(&report), [""; 0]);
    }
    assert_eq!(link(&mut program), []);
    let s: Vec<_> = program.objects.iter().filter(|(_, o)| o.linkage == Linkage::External).collect();
    assert_eq!(s[0].1.linked, Some(s[1].0));
    assert_eq!(s[1].1.linked, None);
    let t = program.objects.iter().filter(|(_, o)| o.linkage == Linkage::Internal);
    assert!(t.into_iter().all(|(_, o)| o.linked.is_none()));
    let report =
        parse(&mut program, "c.c", "float s; int f(int x) { return 1; } char g;".into(), &Options::default());
    assert_eq!(errors(&report), [""; 0]);
    let messages: Vec<String> = link(&mut program).into_iter().map(|d| d.message).collect();
    assert!(messages.iter().any(|m| m == "multiple definition of 'f'"), "{messages:?}");
    assert!(messages.iter().any(|m| m == "multiple definition of 's'"), "{messages:?}");
    assert!(messages.iter().any(|m| m.contains("'g' is an object in one unit")), "{messages:?}");
}

#[test]
fn reading_goes_on_after_errors() {
    let text = "int a = ; struct { int b } c d; int f(void) { return undeclared; } int g(void) { int } int ok; \
                foo bar; int h(void) { return ok; } int k = also_undeclared;";
    let (_, report) = read(text, "gnu17");
    let errors = errors(&report);
    for wanted in ["'undeclared' undeclared", "'foo'", "'also_undeclared' undeclared"] {
        assert!(errors.iter().any(|message| message.contains(wanted)), "{wanted}: {errors:?}");
    }
}

#[test]
fn system_includes_are_kept_as_lines() {
    use howler_lang::program::Item;
    let text = "# 0 \"a.c\"\n# 1 \"a.c\"\n#include <stdio.h>\n# 1 \"/usr/include/stdio.h\" 1 3 4\nextern int puts(const char *);\n\
                # 2 \"a.c\" 2\nint x;\n# 1 \"own.h\" 1\nint y;\n# 4 \"a.c\" 2\nint main(void) { return puts(\"\"); }\n";
    let (program, report) = read(text, "gnu17");
    assert_eq!(errors(&report), [""; 0]);
    let shape: String = program.units[0]
        .items
        .iter()
        .map(|item| match item {
            Item::Include(header) => format!("[{}", program.name(*header)),
            Item::IncludeEnd => "]".to_owned(),
            _ => ".".to_owned(),
        })
        .collect();
    assert_eq!(shape, "[<stdio.h>.]...");
}

#[test]
fn types_are_items_before_what_uses_them() {
    use howler_lang::program::Item;
    let text =
        "struct A { struct B *b; struct C { struct A *a; } c; struct { struct A *q; }; } x; enum {E} y;";
    let (program, report) = read(text, "gnu17");
    assert_eq!(errors(&report), [""; 0]);
    let items: Vec<String> = program.units[0]
        .items
        .iter()
        .map(|item| match *item {
            Item::RecordTag(id) => format!("{};", program.name(program.types.records[id].tag.unwrap())),
            Item::Record(id) => format!("{}{{}}", program.name(program.types.records[id].tag.unwrap())),
            Item::Enum(id) => format!("{}{{}}", program.name(program.types.enums[id].tag)),
            _ => "decl".to_owned(),
        })
        .collect();
    assert_eq!(items, ["B;", "A;", "C{}", "A{}", "decl", "enum_1{}", "decl"]);
}

#[test]
fn gcc_ignores_attributes_before_an_anonymous_member() {
    check(
        "struct s { char a; __attribute__((aligned(8))) struct { char b; }; char c; }; char x[sizeof(struct s)]; => char[3]
         struct s { char a; struct { char b; } __attribute__((aligned(8))); char c; }; char x[sizeof(struct s)]; => char[24]
         struct s { char a; __attribute__((packed)) struct { int b; }; char c; }; char x[sizeof(struct s)]; => char[12]
         struct s { char a; _Alignas(8) struct { char b; }; char c; }; char x[sizeof(struct s)]; => char[16]
         struct s { char a; __attribute__((aligned(8))) struct { char b; } m; char c; }; char x[sizeof(struct s)]; => char[16]",
    );
}

#[test]
fn an_array_that_is_no_lvalue_stays_one_in_c90() {
    let text = "struct s { char c[17]; }; struct s f(void); char x[sizeof(0, f().c)];";
    for (std, expected) in [("c89", "char[17]"), ("gnu89", "char[17]"), ("gnu99", "char[8]")] {
        let (program, report) = read(text, std);
        assert_eq!(errors(&report), [""; 0], "{std}");
        let (_, object) = program.objects.iter().last().unwrap();
        assert_eq!(type_name(&program, object.ty), expected, "{std}");
    }
    // Amendment 1 to C90 is no edition of ours: its macros differ.
    assert_eq!(Std::parse("iso9899:199409"), None);
}

#[test]
fn numbers_of_c89_have_no_signed_binary_exponent() {
    let text = "double d = 0x1.8p+3;";
    assert_eq!(errors(&read(text, "gnu89").1), [""; 0]);
    // `0x1.8p`, `+`, `3`
    assert_eq!(errors(&read(text, "c89").1), ["exponent has no digits"]);
}
