//! printf's text against glibc, byte for byte, on random specifications and values.

#[path = "text/glibc.rs"]
mod glibc;

use glibc::{Case, TARGETS, cases, compare, hex};
use howler_choices::Choices;
use howler_lang::arith::{Format, int_num};
use howler_lang::target::Target;
use howler_machine::text::format::{self, Argument, Invalid, Printed, Spec, TooLong, argument, parse};

const LIMIT: u64 = 1 << 19;

/// A specification with stars and their arguments.
struct Drawn {
    text: String,
    stars: [Option<i32>; 2],
}

impl Drawn {
    /// The fields of a request before the argument.
    fn request(&self) -> String {
        let [width, precision] = self.stars;
        let stars = u8::from(width.is_some()) + 2 * u8::from(precision.is_some());
        let text = hex(self.text.as_bytes());
        format!("print {text} {stars} {} {}", width.unwrap_or(0), precision.unwrap_or(0))
    }

    fn spec(&self) -> Result<Spec, Invalid> {
        let [width, precision] = self.stars;
        let (spec, _) = parse(self.text.as_bytes())?;
        Ok(spec.with_stars(width.unwrap_or(0), precision.unwrap_or(0)))
    }
}

/// A specification; `flags` are those to draw from, and precisions may be large if `long`.
fn draw(choices: &mut Choices, flags: &str, lengths: &[&str], letters: &str, long: bool) -> Drawn {
    let mut text = String::from("%");
    for flag in flags.chars() {
        if choices.chance("flag", 1, 4) {
            text.push(flag);
        }
    }
    let mut amount = |text: &mut String, precision: bool| match choices.range("amount", 0..=9) {
        0..=4 => None,
        5 => {
            let value = choices.range("star", -30..=30);
            text.push_str(if precision { ".*" } else { "*" });
            Some(value)
        }
        form => {
            let most = match (form, long) {
                (9, true) => 1200,
                (8, _) => 60,
                _ => 20,
            };
            let value: u32 = choices.range("number", 0..=most);
            if precision {
                text.push('.');
            }
            if value == 0 && (form == 6 || !precision) {
                return None;
            }
            text.push_str(&value.to_string());
            None
        }
    };
    let width = amount(&mut text, false);
    let precision = if flags.contains('P') { None } else { amount(&mut text, true) };
    text.push_str(choices.pick("length", lengths).expect("there are lengths"));
    let letters: Vec<char> = letters.chars().collect();
    text.push(*choices.pick("letter", &letters).expect("there are letters"));
    Drawn { text, stars: [width, precision] }
}

/// An integer with any number of leading zeros or ones.
fn any_integer(choices: &mut Choices) -> u64 {
    let bits = u64::try_from(choices.bits("bits", 64)).expect("64 bits");
    let shifted = bits.checked_shr(choices.range("shift", 0..=64)).unwrap_or(0);
    if choices.chance("ones", 1, 3) { !shifted } else { shifted }
}

/// A floating value: any bits, or a short decimal, a tie, an end of the range.
pub fn any_float(choices: &mut Choices, format: Format) -> u128 {
    let mask = u128::MAX >> (128 - format.bits());
    let text = match choices.range("kind", 0..=6) {
        0 | 1 => {
            let bits = choices.bits("bits", format.bits());
            // Encodings that the 387 refuses are not comparable: repair the integer bit.
            let normal = bits >> 64 & 0x7fff != 0;
            return match format {
                Format::X87 if normal => bits | 1 << 63,
                Format::X87 => bits & !(1 << 63),
                _ => bits,
            };
        }
        2 => {
            let special = [0, 1, 2, format.infinity(), format.infinity() - 1, format.nan(), format.one()];
            let bits = *choices.pick("special", &special).expect("not empty");
            let bits = if format == Format::X87 && bits == format.infinity() - 1 {
                format.infinity() - (1 << 64) + (1 << 63) - 1 + (1 << 63)
            } else {
                bits
            };
            let sign = if choices.chance("negative", 1, 2) { format.sign_bit() } else { 0 };
            return (bits | sign) & mask;
        }
        3 => format!("{}.{}", choices.range("whole", 0..=9999), choices.range("part", 0..=9999)),
        4 => format!("{}e{}", choices.range("digits", 0..=99_999), choices.range("power", -30..=30)),
        // Ties: a few binary places behind the point.
        5 => format!("0x{:x}p-{}", choices.bits("tie", 20), choices.range("places", 0..=16)),
        _ => format!("9.{}e{}", "9".repeat(choices.range("nines", 0..=20)), choices.range("power", -10..=20)),
    };
    howler_lang::arith::parse_float(&text, format).expect("a constant")
}

fn integer_case(choices: &mut Choices, target: &Target) -> Option<Case> {
    let drawn = draw(choices, "-+ #0'", &["", "hh", "h", "l", "ll", "j", "z", "t", "q"], "diouxX", false);
    let spec = drawn.spec().ok()?;
    let Argument::Int { passed, .. } = argument(spec, target) else { panic!("an integer conversion") };
    let value = any_integer(choices);
    let width = int_num(target, passed).width();
    let kind = if width == 32 { 'i' } else { 'L' };
    let mut out = Vec::new();
    format::integer(spec, target, u128::from(value), LIMIT, &mut out).expect("short");
    let request = format!("{} {kind} {}", drawn.request(), hex(&value.to_le_bytes()));
    Some(Case { request, expected: hex(&out), allowed: Vec::new() })
}

fn float_case(choices: &mut Choices, format: Format) -> Option<Case> {
    let (kind, flags, lengths): (_, _, &[&str]) = match format {
        Format::F64 => ('d', "-+ #0'", &["", "l"]),
        Format::X87 => ('D', "-+ #0'", &["L"]),
        _ => ('q', "", &[""]),
    };
    let mut drawn = draw(choices, flags, lengths, "fFeEgGaA", true);
    if format == Format::F128 {
        // strfromf128 takes a precision and a letter only.
        let text =
            drawn.text.trim_start_matches('%').trim_start_matches(|c: char| c.is_ascii_digit() || c == '*');
        drawn = Drawn { text: format!("%{}", text.replace('*', "7")), stars: [None, None] };
    }
    let spec = drawn.spec().ok()?;
    let bits = any_float(choices, format);
    let mut out = Vec::new();
    let printed = format::float(spec, format, bits, LIMIT, &mut out).expect("short");
    if printed == Printed::Disputed {
        return None;
    }
    assert_eq!(matches!(printed, Printed::Nan { .. }), format.is_nan(bits));
    let bytes = &bits.to_le_bytes()[..usize::try_from(format.bits() / 8).expect("small")];
    Some(Case {
        request: format!("{} {kind} {}", drawn.request(), hex(bytes)),
        expected: hex(&out),
        allowed: Vec::new(),
    })
}

fn string_case(choices: &mut Choices, target: &Target) -> Option<Case> {
    let letter = *choices.one_of("conversion", &["s", "c", "p", "lc"]);
    let flags = if letter == "s" { "-+ " } else { "-+ P" };
    let mut drawn = draw(choices, flags, &[""], "s", false);
    drawn.text = drawn.text.replace('P', "");
    drawn.text.pop();
    drawn.text.push_str(letter);
    let spec = drawn.spec().ok()?;
    let mut out = Vec::new();
    let (kind, bytes) = match letter {
        "s" => {
            let length = choices.range("length", 0..=40);
            let bytes: Vec<u8> = (0..length).map(|_| choices.range("byte", 1..=255)).collect();
            format::string(spec, &bytes, LIMIT, &mut out).expect("short");
            ('s', bytes)
        }
        "c" => {
            let value = choices.range("character", 0..=400i32);
            format::character(spec, value.to_le_bytes()[0], LIMIT, &mut out).expect("short");
            ('i', value.to_le_bytes().to_vec())
        }
        "lc" => {
            let value = choices.range("character", 0..=127u8);
            let byte = format::wide_byte(u32::from(value)).expect("ASCII");
            format::character(spec, byte, LIMIT, &mut out).expect("short");
            ('w', u32::from(value).to_le_bytes().to_vec())
        }
        _ => {
            let mask = u64::MAX >> (64 - 8 * u32::from(target.layout().pointer));
            let address = any_integer(choices) & mask;
            format::pointer(spec, address, LIMIT, &mut out).expect("short");
            ('p', address.to_le_bytes().to_vec())
        }
    };
    Some(Case {
        request: format!("{} {kind} {}", drawn.request(), hex(&bytes)),
        expected: hex(&out),
        allowed: Vec::new(),
    })
}

/// Every case has a stream of its own, so that a failing one can be run alone.
fn against_glibc(seed: u64, fast: u64, mut case: impl FnMut(&mut Choices, &Target) -> Option<Case>) {
    for (target, flags) in TARGETS {
        let choices = Choices::new(seed);
        let count = cases(fast, fast * 50);
        let compared = compare(flags, count, |index| case(&mut choices.sub_indexed("case", index), &target));
        if let Some(compared) = compared {
            println!("{compared} of {count} compared, {flags:?}");
            assert!(compared * 10 > count, "{compared} of {count}");
        }
    }
}

#[test]
fn integers_are_printed_as_glibc_does() {
    against_glibc(1, 4000, integer_case);
}

#[test]
fn doubles_are_printed_as_glibc_does() {
    against_glibc(2, 4000, |choices, _| float_case(choices, Format::F64));
}

#[test]
fn long_doubles_are_printed_as_glibc_does() {
    against_glibc(3, 3000, |choices, _| float_case(choices, Format::X87));
}

#[test]
fn quads_are_printed_as_glibc_does() {
    against_glibc(4, 1000, |choices, _| float_case(choices, Format::F128));
}

#[test]
fn strings_characters_and_pointers_are_printed_as_glibc_does() {
    against_glibc(5, 2000, string_case);
}

#[test]
fn undefined_specifications_have_their_clause() {
    let check = |text: &str, clause: &str| {
        let invalid = parse(text.as_bytes()).expect_err(text);
        assert_eq!(invalid.clause(), clause, "{text}: {invalid}");
    };
    for text in ["%", "%-", "%5", "%.", "%.3", "%l", "%ll", "%y", "%1$d", "%I", "%5 d", "%-5-d", "%\n", "%lC"]
    {
        check(text, "C17 7.21.6.1p9");
    }
    for text in
        ["%#d", "%#u", "%#i", "%#c", "%#s", "%#p", "%0c", "%0s", "%0p", "%05s", "%'x", "%'o", "%'s", "%'e"]
    {
        check(text, "C17 7.21.6.1p6");
    }
    for text in ["%.3c", "%.c", "%.*c", "%.3p", "%.0p"] {
        check(text, "C17 7.21.6.1p4");
    }
    for text in [
        "%hs", "%hhc", "%hf", "%Ld", "%Ls", "%Lc", "%Lp", "%lp", "%llf", "%zf", "%ts", "%jc", "%llc", "%lls",
        "%hp", "%qf", "%Ln", "%qs",
    ] {
        check(text, "C17 7.21.6.1p7");
    }
    for text in ["%5n", "%-n", "%+n", "% n", "%*n", "%.3n", "%5%", "%-%", "%l%", "%.%"] {
        check(text, "C17 7.21.6.1p8");
    }
    check("%#n", "C17 7.21.6.1p8");
    for text in [
        "%d",
        "%lf",
        "%La",
        "%hhn",
        "%ls",
        "%lc",
        "%+u",
        "% s",
        "%-+ 0d",
        "%-05d",
        "%05.3d",
        "%#g",
        "%#a",
        "%p",
        "%-20p",
        "%*.*s",
        "%.f",
        "%%",
        "%jd",
        "%zn",
        "%tX",
        "%qd",
        "%'d",
        "%99999999999999999999d",
    ] {
        assert!(parse(text.as_bytes()).is_ok(), "{text}");
    }
}

#[test]
fn long_texts_are_refused_before_they_are_made() {
    let target = Target::X86_64_GCC;
    let at = |text: &str| {
        let (spec, _) = parse(text.as_bytes()).expect("valid");
        let mut out = Vec::new();
        let result = match spec.conversion {
            conversion if conversion.is_integer() => format::integer(spec, &target, 7, 4095, &mut out),
            conversion if conversion.is_float() => {
                format::float(spec, Format::F64, Format::F64.one(), 4095, &mut out).map(|_| ())
            }
            _ => format::string(spec, b"a", 4095, &mut out),
        };
        assert!(result.is_ok() || out.is_empty());
        result.err()
    };
    for text in ["%1000000000d", "%.1000000000d", "%4096s", "%-1000000000s", "%.4294967295f", "%.4294967295e"]
    {
        assert!(matches!(at(text), Some(TooLong { length: 4096.., limit: 4095 })), "{text}");
    }
    for text in ["%.4294967295a", "%#.4294967295g", "%99999999999g"] {
        assert!(at(text).is_some(), "{text}");
    }
    for text in ["%4095d", "%.4294967295g", "%.4294967295s", "%4095.4000d"] {
        assert_eq!(at(text), None, "{text}");
    }
}
