//! strtol, strtod, sscanf and ctype.h against glibc, on random texts.

#[path = "text/glibc.rs"]
mod glibc;

use glibc::{Case, TARGETS, cases, compare, hex};
use howler_choices::Choices;
use howler_lang::arith::{Format, Num, int_num, print_float};
use howler_lang::target::Target;
use howler_machine::text::ctype::{self, Class};
use howler_machine::text::scan::{
    self, Directive, Float, Integer, Item, Kind, Object, Range, Value, matches, object, parse,
};

/// One of some texts.
fn one<'a>(choices: &mut Choices, name: &'static str, texts: &[&'a str]) -> &'a str {
    choices.pick(name, texts).expect("there are texts")
}

fn digits(choices: &mut Choices, base: u32, most: usize) -> String {
    let zeros = choices.chance("zeros", 1, 6);
    let count = choices.range("count", 0..=most);
    let digit = |choices: &mut Choices| {
        let value = if zeros { choices.range("digit", 0..=1) } else { choices.range("digit", 0..=base - 1) };
        let digit = char::from_digit(value, base).expect("a digit");
        if choices.chance("capital", 1, 4) { digit.to_ascii_uppercase() } else { digit }
    };
    (0..count).map(|_| digit(choices)).collect()
}

const SPACES: [&str; 8] = ["", "", "", "", " ", "\t\n", " \x0b\x0c\r ", "\u{a0}"];
const SIGNS: [&str; 6] = ["", "", "", "-", "+", "- "];
const JUNK: [&str; 12] = ["", "", "", "z", " ", ".", "x", "g", "e", "_", "(", "-"];

fn integer_text(choices: &mut Choices, base: u32) -> String {
    let limits = [
        "2147483647",
        "2147483648",
        "2147483649",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "0x7fffffff",
        "0x80000000",
        "0xffffffff",
        "0x7fffffffffffffff",
        "0x8000000000000000",
        "0xffffffffffffffff",
        "0x10000000000000000",
        "0x",
        "0xg",
        "08",
        "0b1",
        "0x0x1",
    ];
    let number = match choices.range("number", 0..=9) {
        0..=3 => one(choices, "limit", &limits).to_owned(),
        4 => format!("0x{}", digits(choices, 16, 18)),
        5 => format!("0{}", digits(choices, 8, 24)),
        6 => digits(choices, 36, 6),
        _ => digits(choices, if base == 0 { 10 } else { base }, 22),
    };
    let space = one(choices, "space", &SPACES);
    let sign = one(choices, "sign", &SIGNS);
    format!("{space}{sign}{number}{}", one(choices, "junk", &JUNK))
}

fn strtol_case(choices: &mut Choices, target: &Target) -> Option<Case> {
    let base: u32 = *choices.pick("base", &[0, 10, 10, 16, 8, 2, 3, 7, 35, 36]).expect("bases");
    let long = 8 * target.layout().long;
    let (letter, width, signed) = *choices
        .one_of("function", &[('l', long, true), ('u', long, false), ('L', 64, true), ('U', 64, false)]);
    let text = integer_text(choices, base);
    let found =
        scan::integer(text.as_bytes(), base.cast_signed(), Num::Int { width, signed }).expect("a base");
    let Integer { bits, end, overflow } = found;
    let value = &bits.to_le_bytes()[..usize::from(width / 8)];
    Some(Case {
        request: format!("number {letter} {base} {}", hex(text.as_bytes())),
        expected: format!("{} {end} {}", hex(value), u8::from(overflow)),
        allowed: Vec::new(),
    })
}

fn float_text(choices: &mut Choices, format: Format) -> String {
    let words = [
        "inf",
        "INFINITY",
        "infinit",
        "in",
        "nan",
        "NaN",
        "nan()",
        "nan(1)",
        "nan(0x7ff)",
        "nan(abc)",
        "nan(12",
        "na",
        "nan(077_)",
        "nan(18446744073709551615)",
        "0x",
        "0x.",
        "0x.p1",
        ".",
        ".e1",
        "1e",
        "1e+",
        "0x1p",
        "0x1p-",
        "1.e1",
        "0x1.p1",
        "1..",
        "0e99999",
        "0x0p-99999",
        "nan(0x8000000000000)",
    ];
    let number = match choices.range("number", 0..=9) {
        0 => one(choices, "word", &words).to_owned(),
        1 | 2 => {
            // A value of the format, perhaps near the ends of its range, exactly or nearly.
            let bits = match choices.range("where", 0..=2) {
                0 => choices.bits("bits", format.bits() - 1),
                1 => choices.range("tiny", 0..=3),
                _ => {
                    let normal = match format {
                        Format::X87 => 1 << 64 | 1 << 63,
                        _ => 1 << (format.precision() - 1),
                    };
                    normal + choices.range("above", 0..=1)
                }
            };
            let exact = print_float(bits, format).unwrap_or_default();
            format!("{exact}{}", one(choices, "more", &["", "", "1", "0000000000000000000001"]))
        }
        3 => near_smallest_normal(choices, format),
        4 | 5 => {
            let power: i32 = match format {
                Format::F32 => choices.range("power", -160..=140),
                Format::F64 => choices.range("power", -1090..=1040),
                _ => choices.range("power", -16520..=16400),
            };
            let point = one(choices, "point", &["", ".", "."]);
            format!("0x{}{point}{}p{power}", digits(choices, 16, 20), digits(choices, 16, 20))
        }
        form => {
            let power: i32 = match (form, format) {
                (6, _) => choices.range("power", -25..=25),
                (_, Format::F32) => choices.range("power", -50..=42),
                (_, Format::F64) => choices.range("power", -345..=312),
                _ => choices.range("power", -4990..=4940),
            };
            let point = one(choices, "point", &["", ".", "."]);
            let mark = one(choices, "mark", &["e", "E"]);
            let exponent =
                if choices.chance("plain", 1, 5) { String::new() } else { format!("{mark}{power}") };
            let most = if choices.chance("long", 1, 8) { 400 } else { 22 };
            format!("{}{point}{}{exponent}", digits(choices, 10, most), digits(choices, 10, most))
        }
    };
    let space = one(choices, "space", &SPACES);
    let sign = one(choices, "sign", &SIGNS);
    format!("{space}{sign}{number}{}", one(choices, "junk", &JUNK))
}

/// 2^lowest times 0.1111…, where underflow begins.
fn near_smallest_normal(choices: &mut Choices, format: Format) -> String {
    let precision = format.precision();
    let lowest = 2 - (1i32 << (format.exponent_bits() - 1));
    let ones = precision.div_ceil(4);
    let last = digits(choices, 16, 4);
    format!("0x0.{}{last}p{lowest}", "f".repeat(usize::try_from(ones - 1).expect("few")))
}

fn strtod_case(choices: &mut Choices) -> Option<Case> {
    let (letter, format) = *choices.one_of(
        "function",
        &[('f', Format::F32), ('d', Format::F64), ('D', Format::X87), ('q', Format::F128)],
    );
    let text = float_text(choices, format);
    let Float { bits, end, range } = scan::float(text.as_bytes(), format);
    let size = usize::try_from(format.bits() / 8).expect("small");
    let value = &bits.to_le_bytes()[..size];
    let mut allowed = Vec::new();
    if range == Range::Underflow {
        // glibc drops a bit between half the smallest normal number and that number: what is lost looks like nothing
        // instead of a quarter of the last place, or like half of it instead of three quarters.
        let lower = &(bits.wrapping_sub(1)).to_le_bytes()[..size];
        allowed = vec![format!("{} {end} 0", hex(value)), format!("{} {end} 1", hex(lower))];
    }
    Some(Case {
        request: format!("number {letter} 0 {}", hex(text.as_bytes())),
        expected: format!("{} {end} {}", hex(value), u8::from(range != Range::Fits)),
        allowed,
    })
}

fn scan_format(choices: &mut Choices) -> String {
    let mut text = String::new();
    for _ in 0..choices.range("directives", 1..=4) {
        match choices.range("directive", 0..=11) {
            0 => text.push(' '),
            1 => text.push_str(one(choices, "literal", &["a", ",", "x", "-", "%%"])),
            _ => {
                text.push('%');
                if choices.chance("suppressed", 1, 8) {
                    text.push('*');
                }
                if choices.chance("width", 1, 3) {
                    text.push_str(&choices.range("width", 1..=12u8).to_string());
                }
                let letters = [
                    "d", "i", "u", "x", "X", "o", "hhd", "hu", "lld", "jx", "zu", "td", "li", "f", "lf",
                    "Lf", "le", "Lg", "a", "c", "s", "[a-z]", "[^ ,]", "[]x-]", "[z-a0]", "[0-9-]", "[^]-a]",
                    "p", "n", "hhn", "ln",
                ];
                text.push_str(one(choices, "letter", &letters));
            }
        }
    }
    text
}

fn scan_text(choices: &mut Choices) -> String {
    let mut text = String::new();
    for _ in 0..choices.range("pieces", 0..=4) {
        match choices.range("piece", 0..=5) {
            0 => text.push_str(one(choices, "space", &SPACES)),
            1 => text.push_str(&integer_text(choices, 10)),
            2 => text.push_str(&float_text(choices, Format::F64)),
            3 => text.push_str(&choices.range("small", -200..=300i32).to_string()),
            4 => text.push_str(one(
                choices,
                "word",
                &["abc", "x", ",", "-", "a,b", "%", "(nil)", "(ni", "0x1f", "]", "z-"],
            )),
            _ => text.push(' '),
        }
    }
    text
}

/// The bytes that an object has after the call, as many as its value decides.
fn stored(item: &Item, target: &Target) -> Option<Vec<u8>> {
    Some(match (&item.value, item.object) {
        // Undefined for C, so nothing to compare.
        (Value::Int { overflow: true, .. }, _) => return None,
        (Value::Int { bits, .. }, Object::Int(kind)) => {
            let width = usize::try_from(int_num(target, kind).width() / 8).expect("small");
            bits.to_le_bytes()[..width].to_vec()
        }
        (Value::Float { bits, .. }, Object::Float(format)) => {
            bits.to_le_bytes()[..usize::try_from(format.bits() / 8).expect("small")].to_vec()
        }
        (Value::Bytes(bytes), _) => bytes.clone(),
        (Value::String(bytes), _) => [bytes, &[0][..]].concat(),
        (Value::Address(address), _) => {
            address.to_le_bytes()[..usize::from(target.layout().pointer)].to_vec()
        }
        (value, object) => panic!("{value:?} for {object:?}"),
    })
}

fn scan_case(choices: &mut Choices, target: &Target) -> Option<Case> {
    let format = scan_format(choices);
    let text = scan_text(choices);
    let directives = parse(format.as_bytes()).ok()?;
    let found = matches(&directives, text.as_bytes(), target);
    if found.disputed {
        return None;
    }
    let mut request = format!("scan {} {}", hex(format.as_bytes()), hex(text.as_bytes()));
    let mut expected = found.result.map_or("-1".to_owned(), |count| count.to_string());
    for item in &found.items {
        let bytes = stored(item, target)?;
        request.push_str(&format!(" {}", bytes.len()));
        expected.push_str(&format!(" {}", hex(&bytes)));
    }
    // An object that gets no value keeps what it had.
    let objects = directives.iter().filter(|directive| match directive {
        Directive::Conversion(conversion) => object(conversion, target).is_some(),
        _ => false,
    });
    for _ in found.items.len()..objects.count() {
        request.push_str(" 1");
        expected.push_str(" ha5");
    }
    Some(Case { request, expected, allowed: Vec::new() })
}

fn against_glibc(seed: u64, fast: u64, mut case: impl FnMut(&mut Choices, &Target) -> Option<Case>) {
    for (target, flags) in TARGETS {
        let choices = Choices::new(seed);
        let count = cases(fast, fast * 50);
        let compared = compare(flags, count, |index| case(&mut choices.sub_indexed("case", index), &target));
        if let Some(compared) = compared {
            println!("{compared} of {count} compared, {flags:?}");
            assert!(compared * 2 > count, "{compared} of {count}");
        }
    }
}

#[test]
fn integers_are_read_as_glibc_does() {
    against_glibc(11, 4000, strtol_case);
}

#[test]
fn floats_are_read_as_glibc_does() {
    against_glibc(12, 4000, |choices, _| strtod_case(choices));
}

#[test]
fn scanf_matches_as_glibc_does() {
    against_glibc(13, 4000, scan_case);
}

#[test]
fn characters_are_classified_as_glibc_does() {
    let compared = compare(&[], 257, |index| {
        let character = i32::try_from(index).expect("small") - 1;
        let is = |class| if ctype::is(class, character) == Some(true) { '1' } else { '0' };
        let classes: String = Class::ALL.into_iter().map(is).collect();
        let (lower, upper) = (ctype::to_lower(character)?, ctype::to_upper(character)?);
        let expected = format!("{classes} {lower} {upper}");
        Some(Case { request: format!("ctype {character}"), expected, allowed: Vec::new() })
    });
    assert!(compared.is_none_or(|compared| compared == 257));
    for outside in [-2, 256, i32::MIN, i32::MAX] {
        assert_eq!((ctype::to_lower(outside), ctype::to_upper(outside)), (None, None));
        assert!(Class::ALL.into_iter().all(|class| ctype::is(class, outside).is_none()));
    }
}

#[test]
fn kinds_of_sets() {
    let set = |text: &str| match parse(text.as_bytes()).expect("valid").remove(0) {
        Directive::Conversion(scan::Conversion { kind: Kind::Set(set), .. }) => set,
        other => panic!("{other:?}"),
    };
    let has = |text: &str, yes: &str, no: &str| {
        assert!(yes.bytes().all(|byte| set(text).has(byte)), "{text}");
        assert!(!no.bytes().any(|byte| set(text).has(byte)), "{text}");
    };
    has("%[a-c]", "abc", "d-]");
    has("%[]a]", "]a", "b[");
    has("%[^]a]", "b[", "]a");
    has("%[-a]", "-a", "b");
    has("%[a-]", "-a", "b");
}

#[test]
fn undefined_formats_have_their_clause() {
    let check = |text: &str, clause: &str| {
        let invalid = parse(text.as_bytes()).expect_err(text);
        assert_eq!(invalid.clause(), clause, "{text}: {invalid}");
    };
    for text in ["%", "%*", "%5", "%l", "%y", "%1$d", "%[", "%[]", "%[^]", "%[a", "%-d", "%ms", "a%"] {
        check(text, "C17 7.21.6.2p13");
    }
    for text in ["%0d", "%00s"] {
        check(text, "C17 7.21.6.2p3");
    }
    for text in ["%hs", "%hhc", "%Ld", "%Ls", "%lp", "%hf", "%zf", "%ll[a]", "%Ln", "%hp"] {
        check(text, "C17 7.21.6.2p11");
    }
    for text in ["%*n", "%5n", "%5%", "%*%", "%l%"] {
        check(text, "C17 7.21.6.2p12");
    }
    for text in ["%d", "%*5lld", "%ls", "%l[a]", "%lc", "%Lf", "%hhn", "%%", "%[]]", "%[^]]", "%jd%zx%to"] {
        assert!(parse(text.as_bytes()).is_ok(), "{text}");
    }
}

/// C17's reading of what glibc reads otherwise.
#[test]
fn incomplete_numbers_do_not_match() {
    let target = Target::X86_64_GCC;
    for (format, text, read) in [
        ("%x", "0xg", 2),
        ("%2x", "0x1", 2),
        ("%i", "-0x", 3),
        ("%f", "1e+x", 3),
        ("%f", "0x1p", 4),
        ("%f", "0x.", 3),
        ("%f", "nan(a-", 5),
        ("%3c", "ab", 2),
    ] {
        let found = matches(&parse(format.as_bytes()).expect("valid"), text.as_bytes(), &target);
        assert_eq!((found.result, found.read, found.disputed), (Some(0), read, true), "{format} {text}");
        assert!(found.items.is_empty());
    }
    let found = matches(&parse(b"%*d%d").expect("valid"), b"5", &target);
    assert_eq!((found.result, found.disputed), (Some(0), true));
}

#[test]
fn atoi_has_no_value_out_of_range() {
    let at = |text: &str| scan::whole_integer(text.as_bytes(), Num::INT);
    assert_eq!((at("x"), at(" +7"), at("-2147483648")), (Some(0), Some(7), Some(0x8000_0000)));
    assert_eq!(
        (at("2147483648"), at("-2147483649"), at("99999999999999999999999999999999999999999999")),
        (None, None, None)
    );
    for base in [-1, 1, 37, i32::MIN, i32::MAX] {
        assert_eq!(scan::integer(b"1", base, Num::INT), None);
    }
}
