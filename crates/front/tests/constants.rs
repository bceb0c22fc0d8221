//! What counts as constant in a static initialiser: the same lines for gcc 12 and for the front end.

#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use howler_front::{Options, parse};
use howler_lang::fold;
use howler_lang::program::{Init, Program};
use howler_lang::target::Target;
use std::collections::BTreeSet;

const CASES: &str = include_str!("constants/static.c");

/// The number of each line of the cases that carries one of these marks.
fn marked(marks: &[&str]) -> BTreeSet<usize> {
    let mark = |line: &str| line.rsplit_once(" // ").map_or("", |(_, mark)| mark).to_owned();
    let cases = CASES.lines().enumerate().skip_while(|(_, line)| !line.is_empty());
    cases.filter(|(_, line)| marks.contains(&mark(line).as_str())).map(|(index, _)| index + 1).collect()
}

/// The numbers as the lines they stand for.
fn lines(numbers: &BTreeSet<usize>) -> Vec<&str> {
    numbers.iter().filter_map(|number| CASES.lines().nth(number - 1)).collect()
}

#[test]
fn static_initialisers_are_refused_where_marked() {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = parse(&mut program, "static.c", CASES.into(), &Options::default());
    let errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.message.contains("not constant"));
    let found = errors.filter_map(|error| program.sources.place(error.pos)).map(|place| place.line as usize);
    assert_eq!(lines(&found.collect()), lines(&marked(&["no", "gcc"])));
}

#[test]
fn gcc_agrees_about_static_initialisers() {
    let Some(gcc) = howler_testkit::tool("gcc-12") else { return };
    let file = howler_testkit::workspace().join("crates/front/tests/constants/static.c");
    let args = ["-w".as_ref(), "-fsyntax-only".as_ref(), file.as_os_str()];
    let output = howler_testkit::run(gcc, args, &howler_testkit::Options::default());
    let text = output.stderr_text();
    let errors = text.lines().filter(|line| line.contains("error:"));
    let found = errors.filter_map(|line| line.split(':').nth(1)?.parse::<usize>().ok());
    assert_eq!(lines(&found.collect()), lines(&marked(&["no", "howler"])));
}

/// The value of `long x = EXPRESSION;`, if it is known.
fn value(expression: &str) -> Option<i128> {
    let text = format!("int y, arr[9]; const int ci = -3; long x = {expression};");
    let mut program = Program::new(Target::X86_64_GCC);
    let report = parse(&mut program, "test.c", text.into(), &Options::default());
    assert!(report.unit.is_some(), "{expression}: {:?}", report.diagnostics);
    let (_, object) = program.objects.iter().last().unwrap();
    match program.inits[object.init.unwrap()] {
        Init::Expr(expr) => fold::static_integer(&program, expr),
        Init::List(_) | Init::Update(_) => None,
    }
}

#[test]
fn values_are_those_of_gcc() {
    for (expression, expected) in [
        ("1 ? 2 : 3", Some(2)),
        ("(int)1e30", Some(0x7fff_ffff)),
        ("(int)-1e30", Some(-0x8000_0000)),
        ("(unsigned)-1.0", Some(0)),
        ("(signed char)300.0", Some(127)),
        ("(int)__builtin_nan(\"\")", Some(0)),
        ("(int)(-__builtin_inf())", Some(-0x8000_0000)),
        ("&y >= 0", Some(1)),
        ("&y < 0", Some(0)),
        ("&y == 0", Some(0)),
        ("&arr[3] - &arr[5]", Some(-2)),
        ("&\"ab\"[1] - &\"ab\"[0]", Some(1)),
        ("(int *)0 - ((int *)0 + 1)", Some(-1)),
        ("ci", Some(-3)),
        ("ci * 2", Some(-6)),
        ("__builtin_popcount(255)", Some(8)),
        ("__builtin_clz(1)", Some(31)),
        ("__builtin_clzl(1)", Some(63)),
        ("__builtin_ctz(8)", Some(3)),
        ("__builtin_ffs(0)", Some(0)),
        ("__builtin_ffsll(8)", Some(4)),
        ("__builtin_parity(7)", Some(1)),
        ("__builtin_clrsb(-1)", Some(31)),
        ("__builtin_clrsb(1)", Some(30)),
        ("__builtin_bswap16(0x102)", Some(0x201)),
        ("__builtin_bswap32(1)", Some(0x0100_0000)),
        ("__builtin_bswap64(1)", Some(0x0100_0000_0000_0000)),
        ("__builtin_strlen(\"abc\")", Some(3)),
        ("__builtin_strlen(\"a\\0bc\")", Some(1)),
        ("__builtin_expect(5, 1)", Some(5)),
        ("\"the\"[1]", Some(104)),
        ("\"the\"[3]", Some(0)),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}
