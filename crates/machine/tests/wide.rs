//! Complex values, vectors, nested functions and label values: the machine against gcc and clang without optimisation,
//! and what it must refuse.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

#[path = "wide/generate.rs"]
mod generate;

use generate::{Family, PRELUDE};
use howler_choices::Choices;
use howler_lang::program::Program;
use howler_lang::target::{Arch, Target};
use howler_machine::outcome::Outcome;
use howler_machine::ub::UbKind;
use howler_machine::{RunOptions, RunReport};
use howler_testkit::{Options, Scratch, run, soak, tool};
use std::fmt::Write as _;
use std::path::Path;

fn execute(target: Target, text: &str) -> RunReport {
    let mut program = Program::new(target);
    let report = howler_front::parse(&mut program, "test.c", text.into(), &howler_front::Options::default());
    assert!(report.unit.is_some(), "{:?}\n{text}", report.diagnostics);
    let errors = howler_lang::link::link(&mut program);
    assert!(errors.is_empty(), "{errors:?}");
    howler_machine::run(&program, &RunOptions::default())
}

fn outcome(text: &str) -> Outcome {
    execute(Target::X86_64_GCC, text).outcome
}

#[track_caller]
fn exits(text: &str) {
    assert_eq!(outcome(text), Outcome::Exit(0), "{text}");
}

#[track_caller]
fn undefined(kind: UbKind, text: &str) {
    match outcome(text) {
        Outcome::Ub(ub) => assert_eq!(ub.kind, kind, "{text}"),
        other => panic!("{other:?}\n{text}"),
    }
}

#[track_caller]
fn refused(what: &str, text: &str) {
    match outcome(text) {
        Outcome::Unsupported(why) => assert!(why.what.contains(what), "{}\n{text}", why.what),
        other => panic!("{other:?}\n{text}"),
    }
}

/// A generated function that has a meaning, and what it prints.
struct Defined {
    before: String,
    body: String,
    output: String,
}

/// Generates `count` small functions, drops those without a defined meaning, and compares the rest with compilers.
fn compare(family: Family, target: Target, compilers: &[&[&str]], seed: u64, count: u64) {
    let choices = Choices::new(seed);
    let (mut defined, mut undefined, mut refused) = (Vec::new(), 0, 0);
    for index in 0..count {
        let (before, body) =
            generate::function(family, target.arch, &mut choices.sub_indexed("function", index));
        let number = |text: &str| text.replace('@', &index.to_string());
        let (before, body) = (number(&before), number(&body));
        let test = format!("{before}static void test(void) {{\n{body}}}\n");
        let text = format!("{PRELUDE}{test}int main(void) {{ test(); return 0; }}\n");
        let report = execute(target, &text);
        match report.outcome {
            Outcome::Exit(0) => {
                assert!(report.open.is_empty(), "{:?}\n{text}", report.open);
                let output = String::from_utf8(report.output).expect("the functions print text");
                defined.push(Defined { before, body, output: output.trim().to_owned() });
            }
            Outcome::Ub(_) => undefined += 1,
            Outcome::Unsupported(_) => refused += 1,
            other => panic!("{other:?}\n{text}"),
        }
    }
    println!("{family:?}: {} defined, {undefined} undefined, {refused} refused", defined.len());
    assert!(defined.len() as u64 > count / 3, "most programs have a meaning");
    for compiler in compilers {
        let Some(path) = tool(compiler[0]) else { return };
        for some in defined.chunks(1000) {
            check(&path, &compiler[1..], some);
        }
    }
}

/// Compiles functions to one program and compares what each prints.
fn check(compiler: &Path, options: &[&str], functions: &[Defined]) {
    let mut text = PRELUDE.to_owned();
    let mut main = String::new();
    for (index, Defined { before, body, .. }) in functions.iter().enumerate() {
        let test = format!("static void test{index}(void) {{\n{body}printf(\"\\n\");\n}}");
        writeln!(text, "{before}{test}").expect("strings grow");
        writeln!(main, "test{index}();").expect("strings grow");
    }
    writeln!(text, "int main(void) {{\n{main}return 0; }}").expect("strings grow");
    let scratch = Scratch::new();
    let source = scratch.write("wide.c", &text);
    let binary = scratch.path("wide");
    let mut args: Vec<&str> = vec!["-O0", "-w", "-std=gnu17", "-ffp-contract=off"];
    args.extend(options);
    args.extend(["-o", binary.to_str().expect("a plain path"), source.to_str().expect("a plain path")]);
    let compiled = run(compiler, &args, &Options::default());
    let message = compiled.stderr_text();
    let errors: Vec<&str> = message.lines().filter(|line| line.contains("error")).take(5).collect();
    assert!(compiled.success(), "{compiler:?} {:?}: {errors:#?}", compiled.code);
    let found = run(&binary, &[] as &[&str], &Options::default()).stdout_text();
    for (Defined { before, body, output }, theirs) in functions.iter().zip(found.lines()) {
        assert_eq!(output, theirs.trim(), "machine, then {compiler:?}\n{before}{body}");
    }
    assert_eq!(found.lines().count(), functions.len(), "{compiler:?}");
}

const GCC_AND_CLANG: &[&[&str]] = &[&["gcc-12"], &["clang-16"]];

fn rounds() -> u64 {
    if soak() { 20_000 } else { 600 }
}

#[test]
fn complex_values_as_gcc_and_clang_compute_them() {
    compare(Family::Complex, Target::X86_64_GCC, GCC_AND_CLANG, 1, rounds());
}

#[test]
fn vectors_as_gcc_and_clang_compute_them() {
    compare(Family::Vector, Target::X86_64_GCC, GCC_AND_CLANG, 2, rounds());
}

#[test]
fn shuffles_as_gcc_computes_them() {
    compare(Family::Shuffle, Target::X86_64_GCC, &[&["gcc-12"]], 3, rounds() / 4);
}

#[test]
fn values_pass_through_calls() {
    compare(Family::Call, Target::X86_64_GCC, GCC_AND_CLANG, 6, rounds() / 2);
}

#[test]
fn complex_values_on_i386() {
    let target = Target { arch: Arch::I386, ..Target::X86_64_GCC };
    let options: &[&str] = &["gcc-12", "-m32", "-msse2", "-mfpmath=sse"];
    compare(Family::Complex, target, &[options], 4, rounds() / 2);
}

#[test]
fn vectors_on_i386() {
    let target = Target { arch: Arch::I386, ..Target::X86_64_GCC };
    let options: &[&str] = &["gcc-12", "-m32", "-msse2", "-mfpmath=sse"];
    compare(Family::Vector, target, &[options], 5, rounds() / 2);
}

#[test]
fn parts_that_were_never_set_are_not_read() {
    undefined(
        UbKind::Uninit,
        "int main(void) { double _Complex z, w; __real__ z = 1; w = z; return __real__ w != 1; }",
    );
    undefined(
        UbKind::Uninit,
        "typedef int V __attribute__((vector_size(16)));
         int main(void) { V v, w; v[0] = 1; v[1] = 2; v[2] = 3; w = v + v; return w[0]; }",
    );
    exits(
        "typedef int V __attribute__((vector_size(16)));
         int main(void) { V v; v[0] = 1; v[1] = 2; v[2] = 3; v[3] = 4; V w = v + v; return w[3] - 8; }",
    );
}

#[test]
fn lanes_are_bounded_by_their_vector() {
    let program = |index: &str| {
        format!(
            "typedef int V __attribute__((vector_size(16)));
             int main(void) {{ V v[2] = {{ {{ 1 }}, {{ 2 }} }}; int i = {index}; return v[0][i]; }}"
        )
    };
    exits(&program("3"));
    assert!(matches!(outcome(&program("4")), Outcome::Ub(_)));
    assert!(matches!(outcome(&program("-1")), Outcome::Ub(_)));
}

#[test]
fn vectors_may_access_arrays_of_their_elements() {
    let program = |array: &str| {
        format!(
            "typedef float V __attribute__((vector_size(16)));
             {array} __attribute__((aligned(16)));
             int main(void) {{ V *v = (V *)&a; *v = *v + 1.0f; return (*v)[3] != 1.0f; }}"
        )
    };
    exits(&program("float a[4]"));
    undefined(UbKind::AliasScalar, &program("int a[4]"));
}

#[test]
fn which_nan_a_part_is_stays_open() {
    let report = |test: &str| {
        let text = format!(
            "typedef float V __attribute__((vector_size(16))); typedef unsigned W __attribute__((vector_size(16)));
             int main(void) {{ V v = {{ 0 }}; v = v / v; W w = (W)v; return {test}; }}"
        );
        execute(Target::X86_64_GCC, &text)
    };
    assert!(!report("w[0] >> 31").open.is_empty());
    let same = report("v[0] == v[0]");
    assert!(same.open.is_empty() && same.outcome == Outcome::Exit(0), "{same:?}");
}

#[test]
fn signed_lanes_overflow() {
    undefined(
        UbKind::AddOverflow,
        "typedef signed char V __attribute__((vector_size(16)));
         int main(void) { V v = { 127 }, w = { 1 }; v = v + w; return v[1]; }",
    );
    exits(
        "typedef unsigned char V __attribute__((vector_size(16)));
         int main(void) { V v = { 255 }, w = { 1 }; v = v + w; return v[0]; }",
    );
}

#[test]
fn quotients_are_given_where_every_method_agrees() {
    exits("int main(void) { double _Complex z = 5 + 5i, w = 1 + 2i; z /= w; return !(z == 3 - 1i); }");
    refused("quotient", "int main(void) { double _Complex z = 1, w = 3 + 1i; z /= w; return 0; }");
    exits("int main(void) { int _Complex z = 42, w = 7; z /= w; return !(z == 6); }");
    refused("quotient", "int main(void) { int _Complex z = 42 + 11i, w = 7 + 3i; z /= w; return 0; }");
}

#[test]
fn nested_functions_see_the_variables_around_them() {
    exits(
        "int outer(int n) { int sum = 0; int add(int k) { sum += k * n; return sum; }
           int twice(int k) { return add(k) + add(k); }
           twice(3); return sum; }
         int main(void) { return outer(2) != 12; }",
    );
    exits(
        "int apply(int (*f)(int), int x) { return f(x); }
         int depth(int n, int (*up)(int)) {
           int here(int x) { return x + n; }
           if (n == 0) return up(100) + apply(here, 1000);
           return depth(n - 1, n == 3 ? here : up); }
         int zero(int x) { return 0; }
         int main(void) { return depth(5, zero) != 103 + 1000; }",
    );
    exits(
        "int main(void) { int total = 0;
           int level1(int a) { int level2(int b) { int level3(int c) { total++; return a * 100 + b * 10 + c; }
             return level3(b + 1); } return level2(a + 1); }
           int found = level1(1); return found != 123 || total != 1; }",
    );
    // A variable that lives in a block, and a variable length array of the function around.
    exits(
        "int sum(int n) { int a[n][n]; int at(int i, int j) { return a[i][j] + (int)(sizeof a / sizeof a[0]); }
           for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = i * n + j;
           return at(n - 1, n - 1); }
         int main(void) { return sum(4) != 15 + 4; }",
    );
}

#[test]
fn a_nested_function_dies_with_the_one_around_it() {
    undefined(
        UbKind::UseAfterReturn,
        "int (*keep)(void);
         void make(void) { int x = 1; int get(void) { return x; } keep = get; }
         int main(void) { make(); return keep(); }",
    );
}

#[test]
fn one_pointer_for_each_call_of_the_function_around() {
    exits(
        "int same(void) { int x = 0; int f(void) { return x; } int (*p)(void) = f, (*q)(void) = f; return p == q; }
         int main(void) { return !same(); }",
    );
}

#[test]
fn jumps_out_of_nested_functions_end_calls() {
    exits(
        "int run(void (*f)(int), int n) { if (n > 3) f(n); return run(f, n + 1); }
         int outer(void) { __label__ out; int seen = 0;
           void leave(int n) { seen = n; goto out; }
           { int inner[4] = { 1, 2, 3, 4 }; run(leave, inner[0]); }
           return -1;
           out: return seen; }
         int main(void) { return outer() + outer() - 8; }",
    );
}

#[test]
fn labels_are_values_in_static_tables() {
    exits(
        "int step(int n) { static void *const table[] = { &&zero, &&one, &&two }; int r = 0;
           goto *table[n]; two: r += 2; one: r++; zero: return r; }
         int main(void) { return step(0) != 0 || step(1) != 1 || step(2) != 3; }",
    );
    exits(
        "int main(void) { static int table[] = { &&b - &&a }; goto *(&&a + table[0]); a: return 1; b: return 0; }",
    );
}

#[test]
fn parts_and_conjugates() {
    exits(
        "double creal(double _Complex); double cimag(double _Complex); double _Complex conj(double _Complex);
         int main(void) { double _Complex z = 3 + 4i; return !(creal(z) == 3 && cimag(z) == 4 && conj(z) == 3 - 4i); }",
    );
    exits("int main(void) { float _Complex z = __builtin_complex(1.0f, -0.0f); return !(__real__ z == 1); }");
}

#[test]
fn unsequenced_changes_of_a_complex_value_are_undefined() {
    undefined(UbKind::Unsequenced, "int main(void) { double _Complex z = 1; z = z++ + 1; return 0; }");
    undefined(UbKind::Unsequenced, "int main(void) { double _Complex z = 1, w; w = (z = 2) + z; return 0; }");
}
