//! Floating constants: `parse_float` reads what the compilers read, and they read what `print_float` writes.

use crate::compare::{COMPILERS, compile, folder};
use crate::kernels::{Arch, bytes};
use crate::operands::Random;
use howler_lang::arith::{Format, Num, parse_float, print_float};
use std::fmt::Write;
use std::process::Command;

/// Type, suffix and the decimal exponents that reach a little over both ends.
const FORMATS: [(Format, &str, &str, [i64; 2]); 5] = [
    (Format::F16, "_Float16", "f16", [-10, 6]),
    (Format::F32, "float", "f", [-48, 40]),
    (Format::F64, "double", "", [-330, 310]),
    (Format::X87, "long double", "L", [-4955, 4934]),
    (Format::F128, "__float128", "Q", [-4970, 4934]),
];

fn digits(count: u64, base: u32, source: &mut Random) -> String {
    let digit =
        |value: u64| char::from_digit(u32::try_from(value).expect("small"), base).expect("below the base");
    (0..count).map(|_| digit(source.below(u64::from(base)))).collect()
}

/// A constant without suffix: decimal, hexadecimal, a tie, or what `print_float` makes of random bits.
fn spelling(format: Format, [low, high]: [i64; 2], source: &mut Random) -> String {
    let length = 1 + source.below(45);
    match source.below(5) {
        0 => {
            let exponent = low
                + i64::try_from(source.below(u64::try_from(high - low).expect("positive"))).expect("small");
            let whole = digits(1, 10, source);
            format!("{whole}.{}e{exponent}", digits(length, 10, source))
        }
        1 => format!("{}.{}", digits(1 + source.below(8), 10, source), digits(length, 10, source)),
        2 => {
            // Binary exponents over the same range, and the fraction moves the last bit about.
            let (low, high) = (low * 10 / 3 - 4, high * 10 / 3 + 4);
            let exponent = low
                + i64::try_from(source.below(u64::try_from(high - low).expect("positive"))).expect("small");
            format!("0x{}.{}p{exponent}", digits(1, 16, source), digits(length, 16, source))
        }
        3 if format != Format::F128 => {
            // Halfway between two values: the last bit does not fit.
            let top = 1u128 << format.precision();
            format!("{}.0", top | source.wide() & (top - 1) | 1)
        }
        _ => loop {
            let mut bits = source.wide() & (format.sign_bit() - 1);
            if format == Format::X87 && bits >> 64 != 0 {
                bits |= 1 << 63;
            }
            if let Some(text) = print_float(bits, format) {
                return text;
            }
        },
    }
}

fn check(arch: Arch, count: usize) {
    let folder = folder(&format!("constants-{}", arch.name()));
    let mut source = Random(0x853c_49e6_748f_ea9b);
    let mut text = String::from("#include <stdio.h>\nint main(void) {\n");
    let mut expected = Vec::new();
    for (format, ty, suffix, range) in FORMATS {
        let size = bytes(Num::Float(format));
        writeln!(text, "  static const {ty} v{size}[] = {{").expect("strings grow");
        for _ in 0..count {
            let spelling = spelling(format, range, &mut source);
            let bits = parse_float(&spelling, format).expect("a constant");
            writeln!(text, "    {spelling}{suffix},").expect("strings grow");
            expected.push((format, spelling, bits));
        }
        writeln!(text, "  }};\n  for (int i = 0; i < {count}; i++) fwrite(&v{size}[i], {size}, 1, stdout);")
            .expect("strings grow");
    }
    text.push_str("}\n");
    for compiler in COMPILERS {
        let Some(program) = compile(&folder, compiler, arch, &[], &text) else { continue };
        let output = Command::new(program).output().expect("the program runs").stdout;
        let mut rest = output.as_slice();
        for (format, spelling, ours) in &expected {
            let (raw, after) = rest.split_at(bytes(Num::Float(*format)));
            let mut wide = [0; 16];
            wide[..raw.len()].copy_from_slice(raw);
            rest = after;
            let theirs = u128::from_le_bytes(wide);
            assert_eq!(theirs, *ours, "{compiler} {}: {spelling} as {format:?}", arch.name());
        }
        println!("{} {compiler}: {} constants", arch.name(), expected.len());
    }
    std::fs::remove_dir_all(folder).expect("the scratch folder can go");
}

#[test]
fn constants_are_read_as_compilers_do() {
    let count = if howler_testkit::soak() { 20_000 } else { 1000 };
    check(Arch::X86_64, count);
    check(Arch::I386, count);
}
