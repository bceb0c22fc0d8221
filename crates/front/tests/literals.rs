//! The types and values of constants, asserted in C and put before gcc and clang.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use howler_front::literal::{char_constant, int, int_type};
use howler_lang::target::{Arch, Compiler, Std, Target};
use howler_lang::ty::Type;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

const TYPES: [(Type, &str); 9] = [
    (Type::INT, "int"),
    (Type::UINT, "unsigned"),
    (Type::LONG, "long"),
    (Type::ULONG, "unsigned long"),
    (Type::LLONG, "long long"),
    (Type::ULLONG, "unsigned long long"),
    (Type::INT128, "__int128"),
    (Type::USHORT, "unsigned short"),
    (Type::UCHAR, "unsigned char"),
];

fn type_name(ty: Type) -> &'static str {
    TYPES.iter().find(|entry| entry.0 == ty).expect("constants have one of these types").1
}

/// One assertion per constant that the target takes.
fn assertions(target: &Target) -> String {
    let mut text = String::new();
    for bits in [0, 1, 8, 31, 32, 33, 62, 63, 64] {
        for value in [(1u128 << bits) - 1, 1 << bits, (1 << bits) + 1] {
            for digits in
                [format!("{value}"), format!("{value:#x}"), format!("0{value:o}"), format!("{value:#b}")]
            {
                for suffix in ["", "u", "L", "uL", "LU", "ll", "LLu"] {
                    let spelling = format!("{digits}{suffix}");
                    let literal = int(&spelling).expect("the spelling is valid");
                    if let Some(ty) = int_type(&literal, target) {
                        let name = type_name(ty);
                        writeln!(
                            text,
                            "_Static_assert(_Generic({spelling}, {name}: 1, default: 0), \"type\");"
                        )
                        .unwrap();
                        let same = format!("{}ull", literal.value);
                        writeln!(
                            text,
                            "_Static_assert((unsigned long long){spelling} == {same}, \"value\");"
                        )
                        .unwrap();
                    }
                }
            }
        }
    }
    for body in [
        "a",
        "\\377",
        "\\x80",
        "ab",
        "abcd",
        "\\377\\377\\377\\377",
        "\\e",
        "\\0",
        "\\u00e9",
        "é",
        "€",
        "\\778",
        "~",
    ] {
        for prefix in ["", "L", "u", "U"] {
            let spelling = format!("{prefix}'{body}'");
            let gnu89 = target.std == Std::GNU89 && !matches!(prefix, "" | "L");
            if gnu89 {
                continue;
            }
            if let Ok(literal) = char_constant(&spelling, target) {
                let (name, value) = (type_name(literal.ty), literal.value);
                writeln!(
                    text,
                    "_Static_assert(_Generic({spelling}, {name}: {spelling} == {value}, default: 0), \"\");"
                )
                .unwrap();
            }
        }
    }
    text
}

#[test]
fn compilers_agree_on_constants() {
    for (program, compiler) in [("gcc-12", Compiler::Gcc), ("clang-16", Compiler::Clang)] {
        if howler_testkit::tool(program).is_none() {
            continue;
        }
        for (arch, flag) in [(Arch::X86_64, "-m64"), (Arch::I386, "-m32")] {
            for std in [Std::GNU17, Std::GNU89] {
                for char_signed in [true, false] {
                    let target = Target { arch, compiler, std, char_signed };
                    let sign = if char_signed { "-fsigned-char" } else { "-funsigned-char" };
                    let mut child = Command::new(program)
                        .args([
                            flag,
                            sign,
                            &format!("-std={}", std.name()),
                            "-w",
                            "-fsyntax-only",
                            "-x",
                            "c",
                            "-",
                        ])
                        .stdin(Stdio::piped())
                        .stderr(Stdio::piped())
                        .spawn()
                        .unwrap();
                    let text = assertions(&target);
                    assert!(text.lines().count() > 1000);
                    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
                    let output = child.wait_with_output().unwrap();
                    let messages = String::from_utf8_lossy(&output.stderr);
                    assert!(output.status.success(), "{program} {target:?}:\n{messages:.3000}");
                }
            }
        }
    }
}
