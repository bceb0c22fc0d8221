//! Types, sizes and alignments of declarations, against gcc and clang on both targets, each in its dialect.
//!
//! A file of `facts/` holds declarations and expressions. What Howler says of each expression becomes a
//! `_Static_assert`, so that one run of a compiler's front end checks them all.

use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::fold;
use howler_lang::print;
use howler_lang::program::{Init, Object, Program};
use howler_lang::target::{Arch, Compiler, Target};
use howler_testkit::{Scratch, run, tool};
use std::collections::BTreeMap;
use std::fmt::Write;

#[test]
fn declarations_mean_what_compilers_say() {
    let mut disagreements = Vec::new();
    for (name, compiler) in [("gcc-12", Compiler::Gcc), ("clang-16", Compiler::Clang)] {
        let Some(cc) = tool(name) else { continue };
        for arch in [Arch::X86_64, Arch::I386] {
            let (declarations, expressions) = read("both.c", compiler);
            let target = Target { compiler, arch, ..Target::X86_64_GCC };
            let asserts = asserts(target, &declarations, &expressions);
            assert!(asserts.lines().count() >= 3 * expressions.len(), "few facts");
            let scratch = Scratch::new();
            let file = scratch.write("facts.c", format!("{declarations}\n{asserts}"));
            let machine = if arch == Arch::X86_64 { "-m64" } else { "-m32" };
            let args = ["-std=gnu17", "-w", "-msse2", machine, "-fsyntax-only"].map(AsRef::as_ref);
            let output = run(&cc, args.into_iter().chain([file.as_os_str()]), &Default::default());
            let wrong: Vec<String> = output
                .stderr_text()
                .lines()
                .filter(|line| line.contains("error"))
                .map(|line| line.rsplit('/').next().unwrap_or(line).to_owned())
                .collect();
            if !output.success() {
                disagreements.push(format!("{name} {machine}:\n{}", wrong.join("\n")));
            }
        }
    }
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
}

/// The declarations and expressions of a file, without the lines that the other compiler alone takes.
fn read(file: &str, compiler: Compiler) -> (String, Vec<String>) {
    let path = howler_testkit::workspace().join("crates/front/tests/facts").join(file);
    let text = std::fs::read_to_string(path).expect("the file is part of the repository");
    let (declarations, expressions) = text.split_once("----\n").expect("a line of dashes");
    let other = if compiler == Compiler::Gcc { "clang: " } else { "gcc: " };
    let own = if compiler == Compiler::Gcc { "gcc: " } else { "clang: " };
    let kept = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with(other));
        lines.map(|line| line.strip_prefix(own).unwrap_or(line).to_owned()).collect()
    };
    (kept(declarations).join("\n"), kept(expressions))
}

/// What Howler says, as C.
fn asserts(target: Target, declarations: &str, expressions: &[String]) -> String {
    let mut text = format!("{declarations}\n");
    for (index, expression) in expressions.iter().enumerate() {
        writeln!(
            text,
            "__typeof__({expression}) *type_{index}; unsigned size_{index} = sizeof({expression}); \
             unsigned align_{index} = _Alignof({expression});"
        )
        .unwrap();
    }
    let mut program = Program::new(target);
    let report = parse(&mut program, "facts.c", text.as_str().into(), &Options::default());
    let wrong: Vec<String> = report
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity >= Severity::Unsupported)
        .map(|diagnostic| howler_lang::diag::render(diagnostic, &program.sources, false))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
    let named: BTreeMap<&str, &Object> =
        program.objects.iter().filter_map(|(_, object)| Some((program.name(object.name?), object))).collect();
    let mut asserts = String::new();
    for (index, expression) in expressions.iter().enumerate() {
        let ty = print::type_name(&program, named[format!("type_{index}").as_str()].ty);
        let quoted = expression.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(
            asserts,
            "_Static_assert(_Generic((__typeof__({expression}) *)0, {ty}: 1, default: 0), \"{quoted}: {ty}\");"
        )
        .unwrap();
        for (what, operator) in [("size", "sizeof"), ("align", "_Alignof")] {
            let object = named[format!("{what}_{index}").as_str()];
            let Some(Init::Expr(value)) = object.init.map(|init| program.inits[init]) else {
                panic!("{what}")
            };
            let value = fold::integer(&program, value).expect("a size is a constant");
            writeln!(
                asserts,
                "_Static_assert({operator}({expression}) == {value}, \"{quoted}: {what} {value}\");"
            )
            .unwrap();
        }
    }
    asserts
}
