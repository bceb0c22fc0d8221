//! Programs that try to get out: each ends in its limit, and within a time that its steps bound, whatever one
//! instruction does.
//!
//! A fault here is seen as a stack overflow or a test that never ends, not as a wrong answer.

use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_machine::outcome::{Limit, Outcome};
use howler_machine::{Limits, RunOptions};

fn run(text: &str, steps: u64) -> Outcome {
    run_with(text, Limits { steps, ..Limits::default() })
}

fn run_with(text: &str, limits: Limits) -> Outcome {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = howler_front::parse(&mut program, "test.c", text.into(), &howler_front::Options::default());
    assert!(report.unit.is_some(), "{:?}", report.diagnostics);
    let errors = howler_lang::link::link(&mut program);
    assert!(errors.is_empty(), "{errors:?}");
    howler_machine::run(&program, &RunOptions { limits, ..RunOptions::default() }).outcome
}

/// Endless loops whose body is few instructions that touch many bytes: without a price for bytes, a million steps
/// would take hours.
const MANY_BYTES: &[&str] = &[
    "void *memset(void *, int, unsigned long); static char a[20000000];
     int main(void) { for (int i = 0;; i++) memset(a, i, sizeof a); }",
    "void *memcpy(void *, const void *, unsigned long); static char a[20000000], b[20000000];
     int main(void) { for (;;) memcpy(a, b, sizeof a); }",
    "static struct s { char a[20000000]; } a, b; int main(void) { for (;;) a = b; }",
    "void *memset(void *, int, unsigned long); unsigned long strlen(const char *); static char a[5000001];
     int main(void) { unsigned long n = 0; memset(a, 1, 5000000); for (;;) n += strlen(a); }",
    "static int f(int x) { int a[500000]; int *p = a; a[x] = 3; return p[x]; }
     int main(void) { int n = 0; for (;;) n ^= f(5); }",
    "static int f(int x) { int a[500000] = { 0 }; int *p = a; a[x] = 3; return p[x]; }
     int main(void) { int n = 0; for (;;) n ^= f(5); }",
    "void *calloc(unsigned long, unsigned long); void free(void *);
     int main(void) { for (;;) { char *p = calloc(20000000, 1); p[5] = 1; free(p); } }",
    "union u { char a[10000000]; int i; long l; }; static union u u;
     int main(void) { for (int i = 0;; i++) { u.i = i; u.l = i; } }",
    "struct s { char a[500000]; }; static struct s f(struct s s) { s.a[0]++; return s; } static struct s s;
     int main(void) { for (;;) s = f(s); }",
    "int snprintf(char *, unsigned long, const char *, ...);
     int main(void) { for (;;) snprintf(0, 0, \"%*d\", 10000000, 1); }",
    "void *memset(void *, int, unsigned long); char *strstr(const char *, const char *);
     static char a[300000], b[150000];
     int main(void) {
         memset(a, 'a', 299999); memset(b, 'a', 149998); b[149998] = 'b';
         for (;;) if (strstr(a, b)) return 1;
     }",
    "#pragma pack(1)\nstruct p { char c; void *p; } a[30000];\n#pragma pack()
     static int f(int *p) { int x = *p; int *q = &x; return *q; }
     int main(void) { int z = 1; for (int i = 0; i < 30000; i++) a[i].p = &a[i]; for (;;) f(&z); }",
    "static int f(void) { int a[400000]; a[0] = 1; int *p = a; return *p; }
     int main(void) { int x = 0; for (;;) x = ({ f() + f(); }); }",
    // Each access counts for every pointer that it is based on.
    "static int f(int *restrict p, int n) { *p += n; return n ? f(p, n - 1) + *p : *p; }
     int main(void) { int x = 0; for (;;) { x = 0; f(&x, 3000); } }",
    "static int f(int *restrict p, int n) { int *restrict *q = &p; **q += 1; return n ? f(*q, n - 1) + **q : **q; }
     int main(void) { int x = 0; for (;;) { x = 0; f(&x, 3000); } }",
    "static int *f(int *restrict p) { *p += 1; return p; }
     int main(void) { unsigned x = 0; int *p = (int *)&x; for (;;) { p = f(p); *p = 0; } }",
];

#[test]
fn steps_bound_the_bytes_that_are_touched() {
    for text in MANY_BYTES {
        assert_eq!(run(text, 20_000_000), Outcome::Limit(Limit::Fuel), "{text}");
    }
}

#[test]
fn what_a_run_keeps_is_bounded() {
    let lists = "void f(int n, ...) { __builtin_va_list a, b; __builtin_va_start(a, n);
                 for (;;) { __builtin_va_copy(b, a); __builtin_va_end(b); } }
                 int main(void) { f(1, 2); }";
    assert_eq!(run(lists, 1_000_000_000), Outcome::Limit(Limit::Memory));
    let buffers = "typedef long jmp_buf[25]; int setjmp(jmp_buf);
                   static jmp_buf j[1000];
                   int main(void) { char big[1000000] = \"\"; for (int i = 0;; i++) setjmp(j[i % 1000]); }";
    assert_eq!(run(buffers, 1_000_000_000), Outcome::Limit(Limit::Memory));
    let accesses = "static int a[10];
                    int main(void) { int *p = a; return a[9]++ + ({ for (;;) p[*p] = *p; 1; }); }";
    assert!(matches!(run(accesses, 100_000_000), Outcome::Limit(_)));
    // What pointers were based on, and what restrict pointers accessed.
    let bases = "static void f(int *restrict a, int *restrict b, int *restrict c, int *restrict d) {}
                 int main(void) { int x; for (;;) f(&x, &x, &x, &x); }";
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    assert_eq!(run_with(bases, limits), Outcome::Limit(Limit::Memory));
    let ranges = "void *memset(void *, int, unsigned long); static char a[900000];
                  static void f(char *restrict p) { memset(p, 0, sizeof a); } int main(void) { f(a); return 0; }";
    assert_eq!(run_with(ranges, limits), Outcome::Limit(Limit::Memory));
    assert_eq!(run(ranges, 100_000_000), Outcome::Exit(0));
}

/// A dead object keeps its number and nothing else.
#[test]
fn what_is_over_is_given_back() {
    let head = "void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *);";
    let programs = [
        "char *p = malloc(1); for (int i = 1; i < N; i++) { p = realloc(p, 1); p[0] = 1; } free(p);",
        "char *p = malloc(1); for (int i = 1; i < N; i++) { p = realloc(p, i); p[i - 1] = 1; } free(p);",
        "int *p = malloc(4); for (int i = 1; i < N; i++) { p = realloc(p, 4 * i); p[i - 1] = 1; } free(p);",
        "int s = 0; for (int i = 0; i < N; i++) { char a[65536]; a[i & 65535] = 1; s += a[i & 65535]; }",
        "int s = 0; for (int i = 0; i < N; i++) { int n = 9000 + i % 7; int a[n]; a[i % n] = 1; s += a[i % n]; }",
        "for (int i = 0; i < N; i++) { char *p = malloc(100000); p[i] = 1; free(p); }",
        "typedef struct { int a[5000]; } S; for (int i = 0; i < N; i++) ((S){ { i } }).a[1] = i;",
    ];
    for text in programs {
        // Steps are the measure of work: bytes that are filled, copied or washed count.
        let steps = |count: usize| {
            let text =
                format!("{head} int main(void) {{ {text} return 0; }}").replace('N', &count.to_string());
            let mut program = Program::new(Target::X86_64_GCC);
            howler_front::parse(&mut program, "t.c", text.as_str().into(), &howler_front::Options::default());
            howler_lang::link::link(&mut program);
            let sparse = howler_machine::Placement::Sparse(77);
            for placement in [howler_machine::Placement::Dense, sparse] {
                let limits = Limits { memory: 1 << 20, ..Limits::default() };
                let report =
                    howler_machine::run(&program, &RunOptions { limits, placement, ..RunOptions::default() });
                assert_eq!(report.outcome, Outcome::Exit(0), "{text}");
            }
            let report = howler_machine::run(&program, &RunOptions::default());
            assert_eq!(report.outcome, Outcome::Exit(0), "{text}");
            report.steps
        };
        let (few, many) = (steps(2_000), steps(8_000));
        assert!(many < 5 * few, "{few} steps, then {many}: {text}");
    }
}

/// Each level of such types doubles the number of their parts.
#[test]
fn nested_types_are_walked_once() {
    let nested = |kind: &str, first: &str| {
        let levels = |n: usize| format!("{kind} a{n} {{ {kind} a{} x, y; }};\n", n - 1);
        format!("{kind} a0 {{ {first} }};\n{}", (1..=60).map(levels).collect::<String>())
    };
    let body = "static KIND a60 g; static const KIND a60 k = { 0 };
                int main(void) { KIND a60 l = { 0 }, m = l; const KIND a60 c = m; KIND a60 *p = &l; *p = c;
                return (int)sizeof l + (int)sizeof g + (int)sizeof k - SIZE; }";
    for (kind, first, size) in [("struct", "", "0"), ("union", "int i; float f;", "12"), ("union", "", "0")] {
        let text = nested(kind, first) + &body.replace("KIND", kind).replace("SIZE", size);
        assert_eq!(run(&text, 1_000_000), Outcome::Exit(0), "{kind} {first}");
    }
}

#[test]
fn long_chains_do_not_use_up_the_stack() {
    let list = |item: &dyn Fn(usize) -> String, count: usize| (0..count).map(item).collect::<String>();
    let commas = format!("int main(void) {{ int x = 0; {}x--; return x != 0; }}", "x++, ".repeat(50_000));
    let commas = commas.replace("x--", "x -= 50000");
    assert_eq!(run(&commas, 10_000_000), Outcome::Exit(0));
    let cases = format!(
        "int main(void) {{ switch (7) {{ {} return 3; }} return 4; }}",
        list(&|n| format!("case {n}: "), 50_000)
    );
    assert_eq!(run(&cases, 10_000_000), Outcome::Exit(3));
}

/// Lowering looked at everything inside each branch, once for every branch around it.
#[test]
fn long_chains_take_linear_time() {
    let literal = "struct s { int a; }; static int f(struct s s) { return s.a; }";
    let elses: String = (0..20_000).map(|n| format!("if (x == {n}) return 1; else ")).collect();
    let elses = format!("{literal} int main(void) {{ int x = 50000; {elses}return f((struct s){{ 3 }}); }}");
    assert_eq!(run(&elses, 10_000_000), Outcome::Exit(3));
    let functions: String =
        (0..20_000).map(|n| format!("static int f{n}(int x) {{ return x; }}\n")).collect();
    assert_eq!(
        run(&format!("{functions} int main(void) {{ return f19999(5); }}"), 1_000_000),
        Outcome::Exit(5)
    );
}

/// The status of a `main` that returns no `int` is unspecified (C17 5.1.2.2.3p1).
#[test]
fn only_int_main_has_a_status() {
    for (main, open) in [("int main(void) { return 65; }", false), ("char main(void) { return 65; }", true)] {
        let mut program = Program::new(Target::X86_64_GCC);
        howler_front::parse(&mut program, "test.c", main.into(), &howler_front::Options::default());
        assert!(howler_lang::link::link(&mut program).is_empty());
        let report = howler_machine::run(&program, &RunOptions::default());
        assert_eq!(!report.open.is_empty(), open, "{main}");
    }
}
