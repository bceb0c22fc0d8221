//! Which specifications are valid and what arguments they want, against gcc's `-Wformat`: an independent reading.

use howler_lang::arith::Format;
use howler_lang::target::{Arch, Target};
use howler_lang::ty::IntKind;
use howler_machine::text::{format, scan};
use howler_testkit::{Options, Scratch, run, tool};
use std::collections::BTreeSet;
use std::fmt::Write;

const TARGETS: [(Target, &str); 2] =
    [(Target::X86_64_GCC, "-m64"), (Target { arch: Arch::I386, ..Target::X86_64_GCC }, "-m32")];
const LENGTHS: [&str; 10] = ["", "hh", "h", "l", "ll", "j", "z", "t", "L", "q"];
const LETTERS: &str = "diouxXfFeEgGaAcspn";

fn spelling(kind: IntKind) -> &'static str {
    match kind {
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LLong => "long long",
        IntKind::ULLong => "unsigned long long",
        other => panic!("no conversion has {other:?}"),
    }
}

fn printf_argument(spec: format::Spec, target: &Target) -> String {
    use format::Argument;
    let stars = [spec.width, spec.precision].iter().filter(|amount| **amount == format::Amount::Star).count();
    let ty = match format::argument(spec, target) {
        Argument::None => return String::new(),
        Argument::Int { passed, .. } | Argument::WideInt(passed) => spelling(passed).to_owned(),
        Argument::Double => "double".to_owned(),
        Argument::LongDouble => "long double".to_owned(),
        Argument::CharPtr => "char *".to_owned(),
        Argument::WideCharPtr(kind) | Argument::CountPtr(kind) => format!("{} *", spelling(kind)),
        Argument::VoidPtr => "void *".to_owned(),
    };
    let object = if ty.ends_with('*') { "p" } else { "0" };
    format!("{}, ({ty}){object}", ", 1".repeat(stars))
}

fn scanf_argument(directive: &scan::Directive, target: &Target) -> String {
    let scan::Directive::Conversion(conversion) = directive else { return String::new() };
    let ty = match scan::object(conversion, target) {
        None => return String::new(),
        Some(scan::Object::Int(kind) | scan::Object::WideChars(kind)) => spelling(kind),
        Some(scan::Object::Float(Format::F32)) => "float",
        Some(scan::Object::Float(Format::F64)) => "double",
        Some(scan::Object::Float(_)) => "long double",
        Some(scan::Object::Chars) => "char",
        Some(scan::Object::Pointer) => "void *",
    };
    format!(", ({ty} *)p")
}

/// The lines of the calls that gcc warns about; `calls` begin on line 4.
fn warned(calls: &[String], flag: &str) -> Option<BTreeSet<usize>> {
    let gcc = tool("gcc-12")?;
    let scratch = Scratch::new();
    let mut text = String::from("#include <stdio.h>\n\nvoid f(void *p) {\n");
    for call in calls {
        let _ = writeln!(text, "{call}");
    }
    let file = scratch.write("a.c", text + "}\n");
    let options = [flag, "-fsyntax-only", "-Wformat", "-Wformat-signedness", "-fdiagnostics-plain-output"];
    let output = run(gcc, options.into_iter().chain(file.to_str()), &Options::default());
    assert!(output.success(), "{}", output.stderr_text());
    let messages = output.stderr_text();
    let lines = messages.lines().filter(|line| line.contains("warning:"));
    let number = |line: &str| line.split(':').nth(1)?.parse::<usize>().ok();
    Some(lines.filter_map(number).map(|line| line - 4).collect())
}

/// Checks that gcc warns exactly where we say that a format is invalid.
fn check(calls: &[(String, bool)], flag: &str) {
    let texts: Vec<String> = calls.iter().map(|(call, _)| call.clone()).collect();
    let Some(warned) = warned(&texts, flag) else { return };
    let wrong: Vec<_> = (calls.iter().enumerate())
        .filter(|(index, (_, valid))| warned.contains(index) == *valid)
        .map(|(_, call)| call)
        .collect();
    assert!(wrong.is_empty(), "{flag}: of {} calls: {wrong:#?}", calls.len());
}

#[test]
fn gcc_agrees_on_printf() {
    for (target, flag) in TARGETS {
        let mut calls = Vec::new();
        for letter in LETTERS.chars() {
            for length in LENGTHS {
                for before in ["", "-", "#", "0", "'", "5", "*", ".3", ".*", "7.", "-*.*"] {
                    let text = format!("%{before}{length}{letter}");
                    let parsed = format::parse(text.as_bytes());
                    let argument = match parsed {
                        Ok((spec, _)) => printf_argument(spec, &target),
                        // One that fits if there is one, so that only the specification is wrong.
                        Err(_) => match format::parse(format!("%{letter}").as_bytes()) {
                            Ok((spec, _)) => printf_argument(spec, &target),
                            Err(invalid) => panic!("{invalid}"),
                        },
                    };
                    calls.push((format!("printf(\"{text}\"{argument});"), parsed.is_ok()));
                }
            }
        }
        check(&calls, flag);
    }
}

#[test]
fn gcc_agrees_on_scanf() {
    for (target, flag) in TARGETS {
        let mut calls = Vec::new();
        for letter in LETTERS.chars().map(String::from).chain([String::from("[a-z]")]) {
            for length in LENGTHS {
                for before in ["", "*", "5", "0", "*7"] {
                    // gcc warns of a length without an object, which is useless and defined.
                    if before.starts_with('*') && !length.is_empty() {
                        continue;
                    }
                    let text = format!("%{before}{length}{letter}");
                    let parsed = scan::parse(text.as_bytes());
                    let plain = || scan::parse(format!("%{letter}").as_bytes()).expect("valid");
                    let valid = parsed.is_ok();
                    let argument = scanf_argument(&parsed.unwrap_or_else(|_| plain())[0], &target);
                    calls.push((format!("scanf(\"{text}\"{argument});"), valid));
                }
            }
        }
        check(&calls, flag);
    }
}
