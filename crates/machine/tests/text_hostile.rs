//! No input makes the text functions panic, hang or take more memory than they are allowed.

use howler_choices::Choices;
use howler_lang::arith::{Format, Num};
use howler_lang::target::{Arch, Target};
use howler_machine::text::{format, scan};

const FORMATS: [Format; 5] = [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128];
const TARGETS: [Target; 2] = [Target::X86_64_GCC, Target { arch: Arch::I386, ..Target::X86_64_GCC }];

/// Bytes that mean something to printf, scanf and strtod, and others.
fn bytes(choices: &mut Choices, most: usize) -> Vec<u8> {
    let known = b"%%%%%-+ #0'123456789.*hhlljztLqdiouxXfFeEgGaAcspn[]^-$ \t\n(),infatyp";
    let count = choices.range("count", 0..=most);
    let byte = |choices: &mut Choices| match choices.chance("known", 9, 10) {
        true => *choices.pick("known", known).expect("not empty"),
        false => choices.range("byte", 0..=255),
    };
    (0..count).map(|_| byte(choices)).collect()
}

#[test]
fn random_bytes_are_read_or_refused() {
    let choices = Choices::new(21);
    for index in 0..30_000 {
        let mut choices = choices.sub_indexed("case", index);
        let target = choices.one_of("target", &TARGETS);
        let (text, input) = (bytes(&mut choices, 12), bytes(&mut choices, 30));
        let _ = format::parse(&text);
        if let Ok((spec, _)) = format::parse(&[b"%", &text[..]].concat()) {
            assert!(spec.size <= text.len() + 1);
            let stars = [0, -1, 5, 100, i32::MIN, i32::MAX];
            let spec = spec.with_stars(*choices.one_of("star", &stars), *choices.one_of("star", &stars));
            let value = choices.bits("value", 128);
            let mut out = Vec::new();
            let _ = format::argument(spec, target);
            let _ = format::integer(spec, target, value, 4095, &mut out);
            for kind in FORMATS {
                let _ = format::float(spec, kind, value, 4095, &mut out);
            }
            let _ = format::string(spec, &input, 4095, &mut out);
            assert!(out.len() <= 7 * 4095);
        }
        if let Ok(directives) = scan::parse(&text) {
            let found = scan::matches(&directives, &input, target);
            assert!(found.read <= input.len());
            assert!(
                found.result.is_none_or(|count| usize::try_from(count).is_ok_and(|n| n <= found.items.len()))
            );
        }
        for kind in FORMATS {
            assert!(scan::float(&input, kind).end <= input.len());
        }
        let base = choices.range("base", -2..=40);
        let num = Num::Int { width: choices.range("width", 0..=255), signed: choices.chance("signed", 1, 2) };
        let _ = scan::integer(&input, base, num);
    }
}

#[test]
fn long_texts_take_linear_time() {
    let (zeros, nines) = ("0".repeat(1_000_000), "9".repeat(1_000_000));
    for text in [
        format!("0.{zeros}1e1000001"),
        format!("0.{zeros}{nines}e-5"),
        format!("{nines}e-1000300"),
        format!("0x0.{zeros}1p3998978"),
        format!("0x{nines}p-4001074"),
        format!("1e-{nines}"),
        format!("nan({nines})"),
    ] {
        for kind in FORMATS {
            assert_eq!(scan::float(text.as_bytes(), kind).end, text.len());
        }
    }
    let found = scan::integer(nines.as_bytes(), 10, Num::INT).expect("a base");
    assert_eq!((found.bits, found.end, found.overflow), (0x7fff_ffff, 1_000_000, true));
}
