//! What is a hole in C, what may stand in it, and what is interchangeable.

use howler_front::parse;
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_spe::c::{CProgram, Initialisers, Options, Reach, Types};
use howler_spe::space::Space;
use howler_spe::template::{Renderer, Template};
use howler_spe::variants::Variants;

fn read(text: &str) -> Program {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = parse(&mut program, "test.c", text.into(), &howler_front::Options::default());
    assert!(report.unit.is_some(), "{:?}", report.diagnostics);
    program
}

fn c(text: &str, options: Options) -> CProgram {
    CProgram::new(&read(text), 0, options)
}

fn counts_with(text: &str, options: Options) -> (u64, u64) {
    let space = Space::new(c(text, options).skeleton().unwrap()).unwrap();
    (space.naive().try_into().unwrap(), space.count().try_into().unwrap())
}

fn counts(text: &str) -> (u64, u64) {
    counts_with(text, Options::default())
}

/// The texts of all variants; each parses, and is what was rendered alone.
fn all(text: &str) -> Vec<String> {
    let program = c(text, Options::default());
    let space = Space::new(program.skeleton().unwrap()).unwrap();
    let mut variants = Variants::new(&space);
    let mut renderer = Renderer::new(&program, variants.filled());
    assert_eq!(renderer.text(), program.text());
    let mut all = vec![renderer.text().to_owned()];
    while variants.advance() {
        renderer.update(variants.filled(), variants.changed());
        assert_eq!(renderer.text(), Renderer::new(&program, variants.filled()).text());
        all.push(renderer.text().to_owned());
    }
    all.iter().for_each(|text| drop(read(text)));
    all
}

const FIGURE_6: &str = "int printf(const char *, ...);
int main(void) {
    int a = 1, b = 0;
    if (a) {
        int c = 3, d = 5;
        b = c + d;
    }
    printf(\"%d\", a);
    printf(\"%d\", b);
    return 0;
}
";

#[test]
fn figure_6_as_the_paper_counts_it() {
    assert_eq!(counts(FIGURE_6), (512, 512));
    let ignored = Options { initialisers: Initialisers::Ignored, ..Options::default() };
    assert_eq!(counts_with(FIGURE_6, ignored), (512, 144));
    let program = c(FIGURE_6, Options::default());
    assert_eq!(program.unscoped(), 4096u32.into());
    assert_eq!(program.with_declarators(), (1_048_576u32.into(), 32_768u32.into()));
    let shape = program.shape();
    assert_eq!((shape.holes, shape.scopes, shape.functions, shape.types, shape.variables), (6, 2, 1, 1, 18));
}

/// Example 6 in C: the exact number and the paper's.
#[test]
fn figure_7_as_the_paper_counts_it() {
    let text = "void f(void) { int a, b; a = 1; a = 2; { int c, d; c = 3; c = 4; } a = 5; }";
    assert_eq!(counts(text), (128, 40));
    assert_eq!(c(text, Options::default()).paper(), 36u32.into());
}

#[test]
fn variants_are_text() {
    let all = all("int a, longer; void f(void) { a = 1; a = longer; }");
    let bodies: Vec<&str> = all.iter().map(|text| text.split_once('{').unwrap().1).collect();
    let plain: Vec<String> = bodies.iter().map(|body| body.replace(char::is_whitespace, "")).collect();
    assert_eq!(plain, ["a=1;a=longer;}", "a=1;a=a;}", "a=1;longer=longer;}", "a=1;longer=a;}"]);
}

#[test]
fn types_and_qualifiers_must_be_the_same() {
    assert_eq!(counts("int a; long b; void f(void) { a = b; }"), (1, 1));
    assert_eq!(counts("int a; const int b; void f(void) { a = b; }"), (1, 1));
    assert_eq!(counts("int *a; const int *b; int *c; void f(void) { a = c; b = a; }"), (8, 4));
    let text = "enum e { A } x; unsigned y; void f(void) { y = x; }";
    assert_eq!(counts(text), (1, 1));
    assert_eq!(counts_with(text, Options { types: Types::Compatible, ..Options::default() }), (4, 4));
}

#[test]
fn later_declarations_are_not_in_scope_yet() {
    assert_eq!(counts("void f(void) { int a; a = 1; int b; b = 2; }"), (2, 2));
    // Between the two there is no hole.
    assert_eq!(counts("void g(void); void f(void) { int a; g(); int b; b = 2; }"), (2, 1));
    assert_eq!(counts("int a; void f(void) { a = 1; } int b;"), (1, 1));
}

#[test]
fn hidden_names_cannot_be_used() {
    assert_eq!(counts("int a, b; void f(void) { long a; b = 1; { int b; b = 2; } }"), (1, 1));
    assert_eq!(counts("int a, b; void f(void) { { int a; b = 1; } a = 2; b = 3; }"), (8, 8));
}

#[test]
fn what_differs_is_not_interchangeable() {
    let two = |declarations: &str| counts(&format!("{declarations} void f(void) {{ a = 1; }}"));
    assert_eq!(two("int a, b;"), (2, 1));
    assert_eq!(two("int a; static int b;"), (2, 2));
    assert_eq!(two("int a = 1, b;"), (2, 2));
    assert_eq!(two("int a = 1, b = 1;"), (2, 1));
    assert_eq!(two("int a, b __attribute__((aligned(16)));"), (2, 2));
    assert_eq!(two("int a, b, *p = &b;"), (2, 2));
    assert_eq!(two("int a, b; int b;"), (2, 2));
    assert_eq!(two("int a, b; _Thread_local int c;"), (3, 2));
    assert_eq!(two("int a, b; __asm__(\"\");"), (2, 2));
}

#[test]
fn parameters_differ_by_their_position() {
    assert_eq!(counts("int f(int a, int b) { return a; }"), (2, 2));
}

#[test]
fn an_initialiser_with_a_hole_makes_its_variable_unique() {
    assert_eq!(counts("int g; void f(void) { int a = g, b = g; a = 1; }"), (18, 18));
    // Which of them is called first can be seen.
    assert_eq!(counts("int g(void); void f(void) { int a = g(), b = g(); a = 1; }"), (2, 2));
}

/// A variable of an outer block keeps its value when the inner one is entered again.
#[test]
fn blocks_and_labels_keep_variables_apart() {
    assert_eq!(counts("void f(void) { int a; for (;;) { int b; b = 1; } }"), (2, 2));
    assert_eq!(counts("void f(void) { int a; again:; int b; b = 1; goto again; }"), (2, 2));
    assert_eq!(counts("void f(void) { int a; int b; again:; b = 1; goto again; }"), (2, 1));
}

#[test]
fn what_must_stay_stays() {
    assert_eq!(counts("int a, b; int *p = &a;"), (1, 1));
    assert_eq!(counts("void f(void) { int a, b; static int *p; __asm__(\"\" : \"=r\"(a)); }"), (1, 1));
    assert_eq!(
        counts(
            "void f(int a, int b, ...) { __builtin_va_list v; __builtin_va_start(v, b); __builtin_va_end(v); }"
        ),
        (1, 1)
    );
    assert_eq!(counts("void f(int n, int m) { int a[n]; }"), (1, 1));
    // The address of a register variable cannot be taken, its value can.
    assert_eq!(counts("void g(int *); void f(void) { int a; register int b; g(&a); a = 1; }"), (2, 2));
}

#[test]
fn functions_together_or_one_by_one() {
    let text = "int a, b; void f(void) { a = 1; } void g(void) { a = 1; }";
    assert_eq!(counts(text), (4, 2));
    assert_eq!(counts_with(text, Options { reach: Reach::Function, ..Options::default() }), (4, 1));
}

#[test]
fn every_variant_of_figure_6_is_another_program() {
    let mut texts = all(FIGURE_6);
    assert_eq!(texts.len(), 512);
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 512);
}
