//! Literals, table by table; the expected values are gcc's and clang's own.

use super::{FloatSuffix, LiteralError, char_constant, float, int, int_type, string};
use howler_lang::program::{IntForm, StrPrefix, StrUnits};
use howler_lang::target::{Arch, Compiler, Std, Target};
use howler_lang::ty::Type;

const GCC: Target = Target::X86_64_GCC;
const CLANG: Target = Target { compiler: Compiler::Clang, ..GCC };

#[test]
fn integers_are_taken_apart() {
    let cases = [
        ("0", 0, IntForm::Decimal, false, 0),
        ("017", 15, IntForm::Octal, false, 0),
        ("0xfFuL", 255, IntForm::Hex, true, 1),
        ("0b101", 5, IntForm::Hex, false, 0),
        ("12345678901234567890LLU", 12345678901234567890, IntForm::Decimal, true, 2),
        ("1\\\n2\\ \n3l", 123, IntForm::Decimal, false, 1),
    ];
    for (text, value, form, unsigned, longs) in cases {
        let literal = int(text).unwrap();
        assert_eq!(
            (literal.value, literal.form, literal.unsigned, literal.longs, literal.overflow),
            (value, form, unsigned, longs, false),
            "{text}"
        );
    }
    assert!(int("1i").unwrap().imaginary && int("1iu").unwrap().unsigned && int("1LLj").unwrap().imaginary);
    let large = int("18446744073709551617").unwrap();
    assert_eq!((large.value, large.overflow), (1, true));
    for (text, message) in [
        ("1x", "invalid suffix \"x\" on integer constant"),
        ("0x", "invalid suffix \"x\" on integer constant"),
        ("0xg", "invalid suffix \"xg\" on integer constant"),
        ("1lL", "invalid suffix \"lL\" on integer constant"),
        ("1lul", "invalid suffix \"lul\" on integer constant"),
        ("0x1e+1", "invalid suffix \"+1\" on integer constant"),
        ("089", "invalid digit \"8\" in octal constant"),
        ("0b12", "invalid digit \"2\" in binary constant"),
        ("", "invalid suffix \"\" on integer constant"),
    ] {
        assert_eq!(int(text).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn integer_types_are_the_compilers() {
    // Types in the order of the suffixes "", u, l, ul, ll, ull: as `_Generic` shows them in gcc 12 and clang 16.
    // `x` is __int128, `E` an error.
    let suffixes = ["", "u", "l", "ul", "ll", "ull"];
    let gnu89 = |target: Target| Target { std: Std::GNU89, ..target };
    let m32 = |target: Target| Target { arch: Arch::I386, ..target };
    let tables = [
        (GCC, "2147483648", "lulLqQ"),
        (GCC, "4294967296", "lLlLqQ"),
        (GCC, "9223372036854775808", "xLxLxQ"),
        (GCC, "18446744073709551616", "iulLqQ"),
        (GCC, "0x80000000", "uulLqQ"),
        (GCC, "0x8000000000000000", "LLLLQQ"),
        (GCC, "01000000000000000000000", "LLLLQQ"),
        (gnu89(GCC), "2147483648", "lulLqQ"),
        (gnu89(GCC), "9223372036854775808", "LLLLQQ"),
        (m32(GCC), "2147483647", "iulLqQ"),
        (m32(GCC), "2147483648", "quqLqQ"),
        (m32(GCC), "9223372036854775808", "qQqQqQ"),
        (m32(GCC), "0x80000000", "uuLLqQ"),
        (m32(GCC), "0x100000000", "qQqQqQ"),
        (gnu89(m32(GCC)), "2147483648", "LuLLqQ"),
        (gnu89(m32(GCC)), "4294967296", "qQqQqQ"),
        (gnu89(m32(GCC)), "9223372036854775808", "QQQQQQ"),
        (CLANG, "9223372036854775808", "QLQLQQ"),
        (CLANG, "18446744073709551616", "EEEEEE"),
        (gnu89(CLANG), "9223372036854775808", "LLLLQQ"),
        (m32(CLANG), "9223372036854775808", "QQQQQQ"),
        (m32(CLANG), "2147483648", "quqLqQ"),
        (gnu89(m32(CLANG)), "2147483648", "LuLLqQ"),
    ];
    for (target, digits, expected) in tables {
        for (suffix, expected) in suffixes.iter().zip(expected.chars()) {
            let expected = match expected {
                'i' => Some(Type::INT),
                'u' => Some(Type::UINT),
                'l' => Some(Type::LONG),
                'L' => Some(Type::ULONG),
                'q' => Some(Type::LLONG),
                'Q' => Some(Type::ULLONG),
                'x' => Some(Type::INT128),
                _ => None,
            };
            let literal = int(&format!("{digits}{suffix}")).unwrap();
            assert_eq!(int_type(&literal, &target), expected, "{digits}{suffix} {target:?}");
        }
    }
}

#[test]
fn floats_are_taken_apart() {
    let cases = [
        ("1.", "1.", FloatSuffix::None, false),
        (".5e-3f", ".5e-3", FloatSuffix::F, false),
        ("1e5L", "1e5", FloatSuffix::L, false),
        ("0x1.8p3", "0x1.8p3", FloatSuffix::None, false),
        ("0xAp0f", "0xAp0", FloatSuffix::F, false),
        ("1.0fi", "1.0", FloatSuffix::F, true),
        ("1.0iF", "1.0", FloatSuffix::F, true),
        ("2.5q", "2.5", FloatSuffix::Q, false),
        ("1.0f32x", "1.0", FloatSuffix::F32x, false),
        ("1.0F128", "1.0", FloatSuffix::F128, false),
        ("1.0dd", "1.0", FloatSuffix::Decimal, false),
        ("1\\\n.5", "1.5", FloatSuffix::None, false),
    ];
    for (text, number, suffix, imaginary) in cases {
        let literal = float(text).unwrap();
        assert_eq!(
            (&*literal.number, literal.suffix, literal.imaginary),
            (number, suffix, imaginary),
            "{text}"
        );
    }
    for (text, message) in [
        ("1.0x", "invalid suffix \"x\" on floating constant"),
        ("1.0ff", "invalid suffix \"ff\" on floating constant"),
        ("1e", "exponent has no digits"),
        ("0x1p", "exponent has no digits"),
        ("0x1.8", "hexadecimal floating constants require an exponent"),
        ("0x.p1", "no digits in hexadecimal floating constant"),
        ("1.2.3", "too many decimal points in number"),
    ] {
        assert_eq!(float(text).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn character_constants_have_gccs_values() {
    let cases = [
        ("'a'", 97, Type::INT),
        ("'ab'", 24930, Type::INT),
        ("'abc'", 6382179, Type::INT),
        ("'abcd'", 1633837924, Type::INT),
        ("'abcde'", 1650680933, Type::INT),
        ("'\\377'", -1, Type::INT),
        ("'\\377a'", 65377, Type::INT),
        ("'\\xff\\xff'", 65535, Type::INT),
        ("'é'", 50089, Type::INT),
        ("'\\x123'", 35, Type::INT),
        ("'\\777'", -1, Type::INT),
        ("'\\e'", 27, Type::INT),
        ("'\\q'", 113, Type::INT),
        ("'€'", 14844588, Type::INT),
        ("'\\''", 39, Type::INT),
        ("'\\0'", 0, Type::INT),
        ("'\\\n\\\nn'", 110, Type::INT),
        ("L'ab'", 98, Type::INT),
        ("L'é'", 233, Type::INT),
        ("L'\\xffffffff'", -1, Type::INT),
        ("u'\\xffff'", 65535, Type::USHORT),
        ("U'\\xffffffff'", 0xffff_ffff, Type::UINT),
        ("L'\\777'", 511, Type::INT),
        ("U'\\U0001F600'", 0x1f600, Type::UINT),
    ];
    for (text, value, ty) in cases {
        let literal = char_constant(text, &GCC).unwrap();
        assert_eq!((literal.value, literal.ty), (value, ty), "{text}");
    }
    let unsigned = Target { char_signed: false, ..GCC };
    assert_eq!(char_constant("'\\377'", &unsigned).unwrap().value, 255);
    let m32 = Target { arch: Arch::I386, ..GCC };
    assert_eq!(char_constant("L'a'", &m32).unwrap().ty, Type::LONG);
    for (text, error) in [
        ("''", LiteralError::EmptyChar),
        ("'", LiteralError::Unterminated),
        ("'\\'", LiteralError::Unterminated),
        ("'\\x'", LiteralError::HexEscape),
        ("'\\u12'", LiteralError::IncompleteUniversal("\\u12".to_owned())),
        ("'\\ud800'", LiteralError::InvalidUniversal("\\ud800".to_owned())),
        ("'\\u0041'", LiteralError::InvalidUniversal("\\u0041".to_owned())),
    ] {
        assert_eq!(char_constant(text, &GCC), Err(error), "{text}");
    }
    assert_eq!(char_constant("'é'", &CLANG), Err(LiteralError::CharTooLarge));
    assert_eq!(char_constant("'\\u00e9'", &CLANG), Err(LiteralError::CharTooLarge));
    assert_eq!(char_constant("L'ab'", &CLANG), Err(LiteralError::WideChars));
    assert_eq!(char_constant("'\\777'", &CLANG), Err(LiteralError::EscapeRange));
}

#[test]
fn strings_are_joined_and_encoded() {
    let narrow = |bytes: &[u8]| StrUnits::Narrow(bytes.into());
    let wide = |units: &[u32]| StrUnits::Wide(units.into());
    let cases: [(&[&str], StrPrefix, StrUnits); 13] = [
        (&["\"\""], StrPrefix::None, narrow(b"")),
        (&["\"a\\n\"", "\"b\\0c\""], StrPrefix::None, narrow(b"a\nb\0c")),
        (&["\"\\x4\"", "\"1\""], StrPrefix::None, narrow(b"\x041")),
        (&["\"\\1234\""], StrPrefix::None, narrow(b"S4")),
        (&["\"é\\u00e9\""], StrPrefix::None, narrow("éé".as_bytes())),
        (&["\"a\\\nb\""], StrPrefix::None, narrow(b"ab")),
        (&["u8\"é\"", "\"x\""], StrPrefix::Utf8, narrow("éx".as_bytes())),
        (&["\"\\xff\"", "L\"é\""], StrPrefix::Wide, wide(&[0xff, 0xe9])),
        (&["u\"\u{1f600}\""], StrPrefix::Utf16, wide(&[0xd83d, 0xde00])),
        (&["U\"\u{1f600}\""], StrPrefix::Utf32, wide(&[0x1f600])),
        (&["R\"x(a\\n\n)x\"", "\"b\""], StrPrefix::None, narrow(b"a\\n\nb")),
        (&["R\"\"(a)\"\""], StrPrefix::None, narrow(b"a")),
        (&["\"\\q\\?\\\"\""], StrPrefix::None, narrow(b"q?\"")),
    ];
    for (parts, prefix, units) in cases {
        let literal = string(parts, &GCC).unwrap();
        assert_eq!((literal.prefix, &literal.units), (prefix, &units), "{parts:?}");
    }
    assert_eq!(string(&["L\"a\"", "u\"b\""], &GCC), Err(LiteralError::Concatenation));
    assert_eq!(string(&["\"a"], &GCC), Err(LiteralError::Unterminated));
    assert_eq!(string(&["\"\\x\""], &GCC), Err(LiteralError::HexEscape));
}
