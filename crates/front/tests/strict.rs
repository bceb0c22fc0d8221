//! Strict is strict: under `-pedantic-errors` the front end, and so `lang::build` for generators, takes exactly what
//! both gcc and clang take, for every pair of operands and every operator. Where it may not, [`EXCEPTIONS`] says why.

use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::program::Program;
use howler_lang::target::{Edition, Std, Target};
use howler_testkit::{Scratch, run, tool};
use std::collections::BTreeSet;
use std::path::Path;

/// One object or function of each type. `o_` values stand for themselves; the rest are in [`OPERANDS`].
const HEAD: &str = "enum e { E0, E1 }; enum f { F0 }; struct s { int m; }; struct t { int m; }; union u { int m; };
struct i;
char c; signed char sc; unsigned short us; int n; unsigned un; long l; _Bool b; enum e en; enum f ef;
float fl; double d; long double ld; _Complex double z; struct s s; struct t t; union u u; const int cn; _Atomic int an;
int *p; const int *cp; volatile int *vp; unsigned *up; long *lp; char *chp; signed char *scp; unsigned char *ucp;
void *v; const void *cv; struct s *sp; const struct s *csp; struct t *tp; struct i *ip; enum e *ep; enum f *fp;
int **pp; const int **cpp; int *const *pcp; void **vpp; int (*a3)[3]; int (*a4)[4]; int (*au)[]; const int (*ca3)[3];
void (*fv)(void); int (*fi)(int); int (*fo)(); _Atomic int *ap; int arr[3]; const int carr[3]; int *restrict rp;
double *dp; _Bool *bp; int fun(int); void nothing(void); int *const kp; void take_p(int *); void take_cp(const int *);
void take_v(void *); void take_cv(const void *); void take_f(void (*)(void)); void take_s(struct s); void take_b(_Bool);
void take_ap(_Atomic int *); void take_e(enum e); void take_more(int, ...);
";

/// What stands on each side of an operator.
const OPERANDS: &[&str] = &[
    "c",
    "sc",
    "us",
    "n",
    "un",
    "l",
    "b",
    "en",
    "ef",
    "fl",
    "d",
    "ld",
    "z",
    "s",
    "t",
    "u",
    "cn",
    "an",
    "p",
    "cp",
    "vp",
    "up",
    "lp",
    "chp",
    "scp",
    "ucp",
    "v",
    "cv",
    "sp",
    "csp",
    "tp",
    "ip",
    "ep",
    "fp",
    "pp",
    "cpp",
    "pcp",
    "vpp",
    "a3",
    "a4",
    "au",
    "ca3",
    "fv",
    "fi",
    "fo",
    "ap",
    "arr",
    "carr",
    "rp",
    "dp",
    "bp",
    "fun",
    "kp",
    "0",
    "1",
    "0u",
    "1.0",
    "E0",
    "(void *)0",
    "(const void *)0",
    "(int *)0",
    "\"text\"",
    "nothing()",
];

/// What is done with two operands, `A` and `B`.
const BINARY: &[&str] = &[
    "(void)(A == B);",
    "(void)(A < B);",
    "(void)(A - B);",
    "(void)(A + B);",
    "(void)(A * B);",
    "(void)(A % B);",
    "(void)(A << B);",
    "(void)(A & B);",
    "(void)(A && B);",
    "(void)(n ? A : B);",
    "(void)(A, B);",
    "(void)A[B];",
    "A = B;",
    "__typeof__(A) x = B;",
    "A += B;",
    "A -= B;",
    "A *= B;",
    "A %= B;",
    "A >>= B;",
];

/// What is done with one operand.
const UNARY: &[&str] = &[
    "(void)+A;",
    "(void)-A;",
    "(void)~A;",
    "(void)!A;",
    "(void)*A;",
    "(void)&A;",
    "A++;",
    "--A;",
    "(void)sizeof A;",
    "(void)(A ? 1 : 2);",
    "(void)A();",
    "(void)A(1);",
    "(void)A->m;",
    "(void)A.m;",
    "if (A) {}",
    "switch (A) {}",
    "(void)(int)A;",
    "(void)(int *)A;",
    "(void)(void *)A;",
    "(void)(double)A;",
    "(void)(enum e)A;",
    "(void)(struct s)A;",
    "(void)(void (*)(void))A;",
    "(void)(_Bool)A;",
    "(void)A;",
    "return A;",
    "fi(A);",
    "take_p(A);",
    "take_cp(A);",
    "take_v(A);",
    "take_cv(A);",
    "take_f(A);",
    "take_s(A);",
    "take_b(A);",
    "take_ap(A);",
    "take_e(A);",
    "take_more(A, A);",
    "fo(A);",
    "int *x = A;",
    "const void *x = A;",
    "struct s x = A;",
    "void (*x)(void) = A;",
    "unsigned char x = A;",
    "int (*x)[3] = A;",
    "const int (*x)[] = A;",
    "enum e x = A;",
    "_Bool x = A;",
    "while (A) {}",
    "for (; A; A) {}",
    "(void)sizeof(A + 1);",
    "(void)_Alignof(__typeof__(A));",
    "(void)(A ? A : A);",
    "(void)_Generic(A, default: 1);",
];

/// What may differ from both compilers' answer, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    // clang 16 refuses what C17 6.8.4.2p1 and 6.3.2.1p2 allow: the value of an atomic integer is an integer.
    ("switch (an) {}", "a bug of clang"),
    // Of the constants that are none of integers by the letter, overflow is looked for in none.
    ("static long x = (unsigned char)-1.0;", "only integer constant expressions are looked at"),
];

/// C17 6.5.16.2p1 wants arithmetic operands on both sides, or a pointer on the left; both compilers take `b += p`.
fn truth_plus_pointer(body: &str) -> bool {
    body.starts_with("b += ")
}

fn errors_of(compiler: &Path, file: &Path) -> BTreeSet<u32> {
    let flags = ["-std=c17", "-pedantic-errors", "-fsyntax-only"];
    let limits: &[&str] = if compiler.ends_with("clang-16") {
        &["-ferror-limit=0", "-fno-caret-diagnostics", "-Wno-strict-prototypes"]
    } else {
        &["-fmax-errors=0", "-fno-diagnostics-show-caret"]
    };
    let args = flags.iter().chain(limits).map(AsRef::as_ref).chain([file.as_os_str()]);
    let out = run(compiler, args, &howler_testkit::Options::default());
    let text = out.stderr_text();
    text.lines()
        .filter(|line| line.contains(" error: "))
        .filter_map(|line| line.split(':').nth(1)?.parse().ok())
        .collect()
}

/// What the front end says to one function, after the head.
fn error_here(body: &str) -> Option<String> {
    let target = Target { std: Std { edition: Edition::C17, gnu: false }, ..Target::X86_64_GCC };
    let mut program = Program::new(target);
    let text = format!("{HEAD}void f(void) {{ {body} }}\n");
    let report = parse(&mut program, "a.c", text.into(), &Options { pedantic_errors: true });
    let mut bad = report.diagnostics.into_iter().filter(|said| said.severity >= Severity::Unsupported);
    bad.next().map(|said| said.message)
}

/// Compares the three on a file whose lines after the head are independent functions.
fn agree(name: &str, bodies: &[String]) {
    let (Some(gcc), Some(clang)) = (tool("gcc-12"), tool("clang-16")) else { return };
    let scratch = Scratch::new();
    let mut text = HEAD.replace('\n', " ");
    text.push('\n');
    for (index, body) in bodies.iter().enumerate() {
        text.push_str(&format!("void f{index}(void) {{ {body} }}\n"));
    }
    let file = scratch.write("a.c", &text);
    let (gcc, clang) = (errors_of(&gcc, &file), errors_of(&clang, &file));
    assert!(!gcc.contains(&1) && !clang.contains(&1), "the head is fine");
    assert_eq!(error_here(""), None, "the head is fine");
    let mut wrong = Vec::new();
    for (body, line) in bodies.iter().zip(2..) {
        let refused = gcc.contains(&line) || clang.contains(&line);
        let here = error_here(body);
        if truth_plus_pointer(body) {
            assert!(here.is_some() || !refused, "{body}");
            continue;
        }
        if refused == here.is_some() || EXCEPTIONS.iter().any(|(one, _)| one == body) {
            continue;
        }
        let word = |refused: bool| if refused { "no" } else { "yes" };
        wrong.push(format!(
            "{body:40} gcc {} clang {} here {here:?}",
            word(gcc.contains(&line)),
            word(clang.contains(&line)),
        ));
    }
    assert!(wrong.is_empty(), "{name}: {} of {}\n{}", wrong.len(), bodies.len(), wrong.join("\n"));
}

fn all_pairs(form: &str) {
    let put = |a: &str, b: &str| {
        form.chars()
            .map(|c| match c {
                'A' => a.to_owned(),
                'B' => b.to_owned(),
                other => other.to_string(),
            })
            .collect()
    };
    let bodies: Vec<String> = OPERANDS.iter().flat_map(|a| OPERANDS.iter().map(move |b| put(a, b))).collect();
    agree(form, &bodies);
}

#[test]
fn every_binary_operator_takes_the_pairs_both_compilers_take() {
    let mut failed = Vec::new();
    for form in BINARY {
        if let Err(why) = std::panic::catch_unwind(|| all_pairs(form)) {
            failed.push(why.downcast_ref::<String>().cloned().unwrap_or_default());
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

#[test]
fn every_unary_operator_takes_the_operands_both_compilers_take() {
    let bodies: Vec<String> = UNARY
        .iter()
        .flat_map(|form| OPERANDS.iter().map(move |operand| form.replace('A', operand)))
        .collect();
    agree("unary", &bodies);
}

/// Constant expressions: what is one, and what overflows.
const CONSTANTS: &[&str] = &[
    "2147483647 + 1",
    "-2147483647 - 2",
    "2147483647 * 2",
    "-(-2147483647 - 1)",
    "(-2147483647 - 1) / -1",
    "(-2147483647 - 1) % -1",
    "1 / 0",
    "1 % 0",
    "1 << 32",
    "1 << -1",
    "1 >> 32",
    "1 >> -1",
    "1 << 30",
    "1 << 31",
    "-1 << 1",
    "-1 >> 1",
    "4294967295u + 1 + 3",
    "9223372036854775807 + 1 > 0",
    "(2147483647 + 1) * 0 + 1",
    "1 || 1 / 0",
    "0 && 1 / 0 || 1",
    "1 ? 2 : 1 / 0",
    "0 ? 2147483647 + 1 : 2",
    "1 || (2147483647 + 1)",
    "sizeof(int)",
    "sizeof(2147483647 + 1)",
    "sizeof n",
    "E1",
    "E1 + 1",
    "E1 + 2147483647",
    "'a'",
    "(char)300",
    "(int)4294967297",
    "(int)1.5",
    "(int)1e10",
    "(unsigned char)-1.0",
    "(int)(1.0 + 1.0)",
    "1.0 < 2.0",
    "(int)+1.5",
    "(_Bool)0.5",
    "(1, 2)",
    "n",
    "cn",
    "!1 + 1",
    "!1.0 + 1",
    "1.0 ? 1 : 2",
    "\"a\"[0]",
    "(int)(long)&n",
    "!&n + 1",
    "(int *)0 == 0",
    "(long)(int *)4",
    "_Alignof(int)",
    "1u - 2u > 0",
    "0x7fffffff + 0x1",
    "0 * (2147483647 + 1) + 1",
    "~0 + 3",
    "-1 * -2147483647",
    "2147483647 - -1",
    "(short)40000 + 40000",
    "1l << 63",
    "1l << 62 > 0",
    "3000000000 * 3 > 0",
    "fun(1)",
    "n = 1",
    "0 ? n : 1",
    "1 || n",
    "1 ? 2 : fun(1)",
    "_Generic(1, int: 2)",
    "(1)",
    "+1",
    "- -1",
];

/// Where a constant is asked for.
const PLACES: &[&str] = &[
    "switch (n) { case A: ; }",
    "enum { x = A };",
    "struct { long m : A; } x;",
    "_Static_assert(A, \"\");",
    "static int x[9999] = { [A] = 1 };",
    "_Alignas(A) int x;",
    "static long x = A;",
    "static int x[A];",
];

#[test]
fn constants_are_what_both_compilers_take() {
    let bodies: Vec<String> = PLACES
        .iter()
        .flat_map(|place| CONSTANTS.iter().map(move |constant| place.replace('A', constant)))
        .collect();
    agree("constants", &bodies);
}
