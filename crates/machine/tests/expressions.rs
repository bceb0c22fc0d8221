//! Random expressions: their values on the machine against gcc and clang without optimisation, on both targets, each
//! compiler in its dialect.
//!
//! The machine decides which expressions have a defined value; only those are compared, 200 in each program. The fast
//! suite compares 10 programs for each compiler and target, `HOWLER_SOAK=1` 250: together 200,000 expressions.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

#[path = "expressions/generate.rs"]
mod generate;

use generate::Case;
use howler_choices::Choices;
use howler_lang::program::Program;
use howler_lang::target::{Arch, Compiler, Target};
use howler_machine::outcome::Outcome;
use howler_machine::{RunOptions, RunReport};
use howler_testkit::{Options, Scratch, run, soak, tool};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const PER_PROGRAM: usize = 200;

/// Differences that are shown; all are counted.
const SHOWN: usize = 8;

#[derive(Default)]
struct Counts {
    generated: usize,
    compared: usize,
    dropped: BTreeMap<String, usize>,
    /// Differences that are a known error of the compiler.
    compiler_errors: usize,
    wrong: Vec<String>,
}

fn execute(target: Target, text: &str) -> RunReport {
    let mut program = Program::new(target);
    let report = howler_front::parse(&mut program, "test.c", text.into(), &howler_front::Options::default());
    assert!(report.unit.is_some(), "{:?}\n{text}", report.diagnostics);
    let errors = howler_lang::link::link(&mut program);
    assert!(errors.is_empty(), "{errors:?}");
    howler_machine::run(&program, &RunOptions::default())
}

/// A program of functions that each print one line.
fn program_of(target: Target, cases: &[Case]) -> String {
    let mut text = generate::prelude(target.arch);
    let mut main = String::new();
    for (n, Case { before, body }) in cases.iter().enumerate() {
        let function = format!("{before}static void test@(void) {{\n{body}}}\n");
        text.push_str(&function.replace('@', &n.to_string()));
        writeln!(main, "  test{n}();").expect("strings grow");
    }
    write!(text, "int main(void) {{\n{main}  return 0;\n}}\n").expect("strings grow");
    text
}

/// Why a case cannot be compared, or `None` if it has one value.
fn objection(target: Target, case: &Case) -> Option<String> {
    let text = program_of(target, std::slice::from_ref(case));
    let report = execute(target, &text);
    match report.outcome {
        Outcome::Exit(0) => report.open.first().map(|(open, _)| format!("open: {open:?}")),
        Outcome::Ub(ub) => Some(format!("undefined: {}", ub.kind.code())),
        Outcome::Unsupported(why) => Some(format!("unsupported: {}", why.what)),
        other => panic!("{other:?}\n{text}"),
    }
}

fn check(compiler: &Path, target: Target, choices: &Choices, counts: &mut Counts) {
    let mut fresh = (0..).map(|index| generate::case(target, &mut choices.sub_indexed("case", index)));
    let mut cases = Vec::new();
    let (text, theirs) = loop {
        while cases.len() < PER_PROGRAM {
            let case = fresh.next().expect("there is always another");
            counts.generated += 1;
            match objection(target, &case) {
                Some(why) => *counts.dropped.entry(why).or_default() += 1,
                None => cases.push(case),
            }
        }
        let text = program_of(target, &cases);
        match compile_and_run(compiler, target, &[], &text) {
            Ok(output) => break (text, output),
            // gcc-11 and gcc-12 crash on `(_Bool)(4, 5)`. Another expression takes the place.
            Err(Crash { line }) => {
                let before = text.lines().take(line).filter(|line| line.starts_with("static void test"));
                let case = before.count().checked_sub(1).expect("the shared functions compile");
                cases.remove(case);
                *counts.dropped.entry("compiler: internal error".to_owned()).or_default() += 1;
            }
        }
    };
    let report = execute(target, &text);
    assert_eq!(report.outcome, Outcome::Exit(0), "each function alone is defined\n{text}");
    let mine = String::from_utf8(report.output).expect("the functions print text");
    assert_eq!(mine.lines().count(), cases.len());
    assert_eq!(theirs.lines().count(), cases.len());
    for ((mine, theirs), case) in mine.lines().zip(theirs.lines()).zip(&cases) {
        counts.compared += 1;
        if mine == theirs {
            continue;
        }
        if compiler_error(compiler, target, case, mine) {
            let Case { before, body } = case;
            println!("error of the compiler: machine {mine}, compiler {theirs}\n{before}{body}");
            counts.compiler_errors += 1;
            continue;
        }
        let Case { before, body } = case;
        counts.wrong.push(format!("machine  {mine}\ncompiler {theirs}\n{before}{body}"));
    }
}

/// Whether a difference is one of two errors of the compilers, shown by the compiler itself.
///
/// clang, up to 16 at least: comparing with a constant NaN by `!=` can give 255 rather than the 1 of C17 6.5.9p3. The
/// same expression is right once the NaN is read from an object. gcc 12, not 11: `0.0 - (double)i` is folded to
/// `-(double)i`, which is -0.0 for 0 where IEC 60559 has +0.0 (C17 F.3). With -frounding-math it is not folded.
fn compiler_error(compiler: &Path, target: Target, case: &Case, expected: &str) -> bool {
    let agrees = |more: &[&str], before: String, body: String| {
        let text = program_of(target, &[Case { before, body }]);
        compile_and_run(compiler, target, more, &text)
            .is_ok_and(|output| output.trim_end() == expected.trim_end())
    };
    let Case { before, body } = case;
    match target.compiler {
        Compiler::Gcc => agrees(&["-frounding-math"], before.clone(), body.clone()),
        Compiler::Clang if body.contains(generate::NAN) => {
            let object = format!("static double nan@ = {};\n{before}", generate::NAN);
            agrees(&[], object, body.replace(generate::NAN, "nan@"))
        }
        Compiler::Clang => false,
    }
}

/// The compiler itself failed, at this line.
struct Crash {
    line: usize,
}

fn compile_and_run(compiler: &Path, target: Target, more: &[&str], text: &str) -> Result<String, Crash> {
    let scratch = Scratch::new();
    let source = scratch.write("expressions.c", text);
    let binary = scratch.path("expressions");
    let mut args = vec!["-O0", "-w", "-std=gnu17", "-ffp-contract=off"];
    if target.arch == Arch::I386 {
        args.extend(["-m32", "-msse2", "-mfpmath=sse"]);
    }
    args.extend(more);
    args.extend(["-o", binary.to_str().expect("a plain path"), source.to_str().expect("a plain path")]);
    let compiled = run(compiler, &args, &Options::default());
    if !compiled.success() {
        let message = compiled.stderr_text();
        let error = message.lines().find(|line| line.contains("error")).unwrap_or("no message");
        let line = error.split(':').nth(1).and_then(|n| n.parse::<usize>().ok());
        match line {
            Some(line) if error.contains("internal compiler error") => return Err(Crash { line }),
            _ => panic!(
                "{compiler:?} {:?}: {error}\n{:?}",
                compiled.code,
                line.map(|n| text.lines().nth(n - 1))
            ),
        }
    }
    let ran = run(&binary, &[] as &[&str], &Options::default());
    assert!(ran.success(), "{compiler:?}: the program ends with {:?} {:?}", ran.code, ran.signal);
    Ok(ran.stdout_text())
}

fn check_all(name: &str, family: Compiler, arch: Arch) {
    let Some(compiler) = tool(name) else { return };
    let target = Target { compiler: family, arch, ..Target::X86_64_GCC };
    let programs: u64 = if soak() { 250 } else { 10 };
    // Other expressions for each compiler and target.
    let seed = 100 + 2 * u64::from(family == Compiler::Clang) + u64::from(arch == Arch::I386);
    let choices = Choices::new(seed);
    let mut counts = Counts::default();
    for program in 0..programs {
        check(&compiler, target, &choices.sub_indexed("program", program), &mut counts);
    }
    let Counts { generated, compared, dropped, compiler_errors, wrong } = counts;
    let differ = wrong.len();
    println!(
        "{name} {arch:?}: {generated} generated, {compared} compared, {differ} differ, {compiler_errors} errors of the compiler; dropped:"
    );
    for (why, count) in dropped {
        println!("  {count:6} {why}");
    }
    assert!(compiler_errors as u64 <= programs / 10 + 1, "these errors are rare");
    let shown: Vec<&str> = wrong.iter().take(SHOWN).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {compared} differ\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn values_agree_with_gcc_on_x86_64() {
    check_all("gcc-12", Compiler::Gcc, Arch::X86_64);
}

#[test]
fn values_agree_with_gcc_on_i386() {
    check_all("gcc-12", Compiler::Gcc, Arch::I386);
}

#[test]
fn values_agree_with_clang_on_x86_64() {
    check_all("clang-16", Compiler::Clang, Arch::X86_64);
}

#[test]
fn values_agree_with_clang_on_i386() {
    check_all("clang-16", Compiler::Clang, Arch::I386);
}

#[test]
fn bit_fields_wider_than_a_number_are_refused() {
    let program = |width: u32| {
        format!(
            "struct {{ unsigned a : 4; unsigned __int128 m : {width}; }} __attribute__((packed)) s = {{ 5, -1 }};
             int main(void) {{ s.m = ~s.m; return s.a != 5 || s.m != 0; }}"
        )
    };
    assert_eq!(execute(Target::X86_64_GCC, &program(124)).outcome, Outcome::Exit(0));
    match execute(Target::X86_64_GCC, &program(125)).outcome {
        Outcome::Unsupported(why) => assert!(why.what.contains("16 bytes"), "{}", why.what),
        other => panic!("{other:?}"),
    }
}
