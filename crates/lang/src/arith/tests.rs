//! Every undefined case with its near-misses, small widths against plain integers, and hostile bits.

use super::*;
use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Rem, Shl, Shr, Sub};

const BINARY: [BinaryOp; 18] = [
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitXor,
    BitOr,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BinaryOp::And,
    BinaryOp::Or,
];
const FORMATS: [Format; 5] = [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128];
const WIDTHS: [u8; 12] = [1, 2, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128];

fn signed(width: u8) -> Num {
    Num::Int { width, signed: true }
}

fn unsigned(width: u8) -> Num {
    Num::Int { width, signed: false }
}

/// The bits of a number in a type that holds it.
fn bits(num: Num, value: i128) -> u128 {
    value.cast_unsigned() & int::mask(num.width())
}

fn max(width: u8) -> i128 {
    int::mask(u32::from(width) - 1).cast_signed()
}

fn min(width: u8) -> i128 {
    -max(width) - 1
}

fn check(op: BinaryOp, num: Num, a: i128, b: i128, expected: Result<i128, Undefined>) {
    let result = binary(op, num, bits(num, a), bits(num, b));
    assert_eq!(result, expected.map(|value| bits(num, value)), "{op:?} {num:?} {a} {b}");
}

#[test]
fn signed_overflow_of_every_width() {
    for width in WIDTHS.into_iter().filter(|&width| width > 1) {
        let (num, max, min) = (signed(width), max(width), min(width));
        check(Add, num, max, 1, if width == 1 { Ok(0) } else { Err(Undefined::AddOverflow) });
        check(Add, num, max, 0, Ok(max));
        check(Add, num, max - 1, 1, Ok(max));
        check(Add, num, min, -1, Err(Undefined::AddOverflow));
        check(Add, num, min, max, Ok(-1));
        check(Sub, num, min, 1, Err(Undefined::SubOverflow));
        check(Sub, num, 0, min, Err(Undefined::SubOverflow));
        check(Sub, num, -1, min, Ok(max));
        check(Mul, num, min, -1, Err(Undefined::MulOverflow));
        check(Mul, num, max, -1, Ok(-max));
        check(Mul, num, min, min, Err(Undefined::MulOverflow));
        check(Mul, num, min, 1, Ok(min));
        if width > 2 {
            check(Mul, num, min / 2, 2, Ok(min));
            check(Mul, num, max / 2 + 1, 2, Err(Undefined::MulOverflow));
        }
        assert_eq!(unary(UnaryOp::Neg, num, bits(num, min)), Err(Undefined::NegOverflow));
        assert_eq!(unary(UnaryOp::Neg, num, bits(num, max)), Ok(bits(num, -max)));
        assert_eq!(wrapped_unary(UnaryOp::Neg, num, bits(num, min)), Some(bits(num, min)));
        assert_eq!(wrapped_binary(Add, num, bits(num, max), 1), Some(bits(num, min)));
        assert_eq!(wrapped_binary(Sub, num, bits(num, min), 1), Some(bits(num, max)));
    }
}

#[test]
fn division_by_zero_and_of_the_smallest_value() {
    for width in WIDTHS {
        let (num, min) = (signed(width), min(width));
        check(Div, num, -1, 0, Err(Undefined::DivByZero));
        check(Rem, num, -1, 0, Err(Undefined::RemByZero));
        check(Div, num, min, -1, Err(Undefined::DivOverflow));
        check(Rem, num, min, -1, Err(Undefined::RemOverflow));
        assert_eq!(wrapped_binary(Div, num, bits(num, min), bits(num, -1)), Some(bits(num, min)));
        assert_eq!(wrapped_binary(Rem, num, bits(num, min), bits(num, -1)), Some(0));
        assert_eq!(wrapped_binary(Div, num, 1, 0), None);
        if width > 1 {
            check(Div, num, min + 1, -1, Ok(max(width)));
            check(Rem, num, min + 1, -1, Ok(0));
            check(Div, num, min, 1, Ok(min));
        }
        let num = unsigned(width);
        check(Div, num, -1, 0, Err(Undefined::DivByZero));
        check(Rem, num, -1, 0, Err(Undefined::RemByZero));
        check(Div, num, -1, -1, Ok(1));
        check(Add, num, -1, 1, Ok(0));
        check(Sub, num, 0, 1, Ok(-1));
        check(Mul, num, -1, -1, Ok(1));
    }
    let remainders = [(7, 3, 1), (-7, 3, -1), (7, -3, 1), (-7, -3, -1)];
    for (a, b, expected) in remainders {
        check(Rem, Num::INT, a, b, Ok(expected));
    }
}

#[test]
fn shift_counts() {
    for width in WIDTHS {
        for num in [signed(width), unsigned(width)] {
            let count = |value: i128| bits(Num::INT, value);
            for op in [Shl, Shr] {
                let at = |value| shift(op, num, 0, Num::INT, count(value));
                assert_eq!(at(-1), Err(Undefined::ShiftNegative));
                assert_eq!(at(min(32)), Err(Undefined::ShiftNegative));
                assert_eq!(at(i128::from(width)), Err(Undefined::ShiftTooFar));
                assert_eq!(at(max(32)), Err(Undefined::ShiftTooFar));
                assert_eq!(at(i128::from(width) - 1), Ok(0));
                assert_eq!(shift(op, num, 0, unsigned(128), u128::MAX), Err(Undefined::ShiftTooFar));
                assert_eq!(shift(op, num, 0, unsigned(64), 1 << 32), Err(Undefined::ShiftTooFar));
                assert_eq!(wrapped_shift(op, num, 0, Num::INT, count(-1)), None);
            }
        }
    }
    assert_eq!(shift(Shl, Num::INT, 3, Num::Bool, 1), Ok(6));
    assert_eq!(shift(Add, Num::INT, 3, Num::INT, 1), Err(Undefined::IllTyped));
}

#[test]
fn left_shifts_of_signed_values() {
    let at = |a: i128, count| shift(Shl, Num::INT, bits(Num::INT, a), Num::INT, count);
    assert_eq!(at(1, 30), Ok(1 << 30));
    assert_eq!(at(1, 31), Err(Undefined::ShlOverflow));
    assert_eq!(at(3, 30), Err(Undefined::ShlOverflow));
    assert_eq!(at(0, 31), Ok(0));
    assert_eq!(at(max(32), 0), Ok(0x7fff_ffff));
    assert_eq!(at(max(32), 1), Err(Undefined::ShlOverflow));
    assert_eq!(at(-1, 0), Err(Undefined::ShlOfNegative));
    assert_eq!(at(-1, 1), Err(Undefined::ShlOfNegative));
    assert_eq!(wrapped_shift(Shl, Num::INT, 3, Num::INT, 31), Some(0x8000_0000));
    assert_eq!(wrapped_shift(Shl, Num::INT, bits(Num::INT, -1), Num::INT, 4), Some(0xffff_fff0));
    assert_eq!(shift(Shl, unsigned(32), 1, Num::INT, 31), Ok(0x8000_0000));
    assert_eq!(shift(Shr, Num::INT, bits(Num::INT, -1), Num::INT, 1), Ok(0xffff_ffff));
    assert_eq!(shift(Shr, signed(128), u128::MAX - 1, Num::INT, 127), Ok(u128::MAX));
    assert_eq!(shift(Shr, unsigned(128), u128::MAX, Num::INT, 127), Ok(1));
}

#[test]
fn steps_promote_narrow_types() {
    assert_eq!(increment(Num::INT, 0x7fff_ffff), Err(Undefined::IncOverflow));
    assert_eq!(increment(Num::INT, 0x7fff_fffe), Ok(0x7fff_ffff));
    assert_eq!(decrement(Num::INT, 0x8000_0000), Err(Undefined::DecOverflow));
    assert_eq!(decrement(Num::INT, 0x8000_0001), Ok(0x8000_0000));
    assert_eq!(increment(signed(8), 0x7f), Ok(0x80));
    assert_eq!(decrement(signed(31), 1 << 30), Ok((1 << 30) - 1));
    assert_eq!(increment(unsigned(32), 0xffff_ffff), Ok(0));
    assert_eq!([increment(Num::Bool, 0), increment(Num::Bool, 1)], [Ok(1), Ok(1)]);
    assert_eq!([decrement(Num::Bool, 0), decrement(Num::Bool, 1)], [Ok(1), Ok(0)]);
    assert_eq!(increment(signed(128), max(128).cast_unsigned()), Err(Undefined::IncOverflow));
    for format in FORMATS {
        assert_eq!(increment(Num::Float(format), 0), Ok(format.one()), "{format:?}");
        assert_eq!(decrement(Num::Float(format), format.one()), Ok(0), "{format:?}");
    }
}

fn double(value: f64) -> u128 {
    u128::from(value.to_bits())
}

#[test]
fn floats_to_integers() {
    let from = Num::Float(Format::F64);
    let to = |num, value| convert(from, num, double(value));
    assert_eq!(to(Num::INT, 2_147_483_647.999), Ok(0x7fff_ffff));
    assert_eq!(to(Num::INT, 2_147_483_648.0), Err(Undefined::FloatToIntRange));
    assert_eq!(to(Num::INT, -2_147_483_648.999), Ok(0x8000_0000));
    assert_eq!(to(Num::INT, -2_147_483_649.0), Err(Undefined::FloatToIntRange));
    assert_eq!(to(Num::INT, f64::NAN), Err(Undefined::FloatToIntNan));
    assert_eq!(to(Num::INT, f64::INFINITY), Err(Undefined::FloatToIntRange));
    assert_eq!(to(Num::INT, f64::NEG_INFINITY), Err(Undefined::FloatToIntRange));
    assert_eq!(to(unsigned(32), -0.9), Ok(0));
    assert_eq!(to(unsigned(32), -1.0), Err(Undefined::FloatToIntRange));
    assert_eq!(to(unsigned(8), 255.9), Ok(255));
    assert_eq!(to(unsigned(8), 256.0), Err(Undefined::FloatToIntRange));
    assert_eq!(to(unsigned(64), 18_446_744_073_709_549_568.0), Ok(0xffff_ffff_ffff_f800));
    assert_eq!(to(unsigned(64), 18_446_744_073_709_551_616.0), Err(Undefined::FloatToIntRange));
    assert_eq!(to(signed(5), -16.5), Ok(16));
    assert_eq!(to(signed(5), 16.0), Err(Undefined::FloatToIntRange));
    assert_eq!(to(signed(1), -1.0), Ok(1));
    assert_eq!(to(signed(1), 1.0), Err(Undefined::FloatToIntRange));
    assert_eq!(to(signed(128), -(2f64.powi(127))), Ok(1 << 127));
    assert_eq!(to(signed(128), 2f64.powi(127)), Err(Undefined::FloatToIntRange));
    assert_eq!(to(unsigned(128), 2f64.powi(127)), Ok(1 << 127));
    assert_eq!(to(unsigned(128), 2f64.powi(128)), Err(Undefined::FloatToIntRange));
    assert_eq!(to(Num::Bool, 1e300), Ok(1));
    assert_eq!(to(Num::Bool, f64::NAN), Ok(1));
    assert_eq!(to(Num::Bool, -0.0), Ok(0));
    assert_eq!(to(Num::Bool, 5e-324), Ok(1));
    assert_eq!(to(Num::INT, 5e-324), Ok(0));
}

#[test]
fn integers_to_floats_round_once() {
    let to = |num, format, a| convert(num, Num::Float(format), a).expect("always defined");
    assert_eq!(to(unsigned(128), Format::F64, u128::MAX), double(2f64.powi(128)));
    assert_eq!(to(signed(128), Format::F64, u128::MAX), double(-1.0));
    assert_eq!(to(unsigned(128), Format::F32, u128::MAX), Format::F32.infinity());
    assert_eq!(to(unsigned(64), Format::F64, u128::from(u64::MAX)), double(2f64.powi(64)));
    assert_eq!(to(signed(64), Format::F64, 1 << 63), double(-(2f64.powi(63))));
    assert_eq!(to(Num::INT, Format::F64, 0x8000_0000), double(-2_147_483_648.0));
    assert_eq!(to(Num::INT, Format::F32, 16_777_217), u128::from(16_777_216f32.to_bits()));
    assert_eq!(to(Num::INT, Format::F32, 16_777_219), u128::from(16_777_220f32.to_bits()));
    // A tie at 24 bits that a first rounding to 53 bits would make.
    for power in [53, 54, 55, 60, 62] {
        let just_above = (1 << power) + (1 << (power - 24)) + 1;
        let expected = 2f32.powi(power) + 2f32.powi(power - 23);
        assert_eq!(to(signed(64), Format::F32, just_above), u128::from(expected.to_bits()));
    }
    assert_eq!(to(Num::INT, Format::F16, 65_519), 0x7bff);
    assert_eq!(to(Num::INT, Format::F16, 65_520), Format::F16.infinity());
    assert_eq!(to(Num::INT, Format::F64, 0), 0);
}

#[test]
fn floating_conventions_are_defined() {
    let num = Num::Float(Format::F64);
    assert_eq!(binary(Div, num, double(1.0), double(-0.0)), Ok(double(f64::NEG_INFINITY)));
    assert_eq!(binary(Mul, num, double(1e300), double(1e300)), Ok(double(f64::INFINITY)));
    assert_eq!(binary(Div, num, 0, 0), Ok(Format::F64.nan()));
    let single = Num::Float(Format::F32);
    assert_eq!(convert(num, single, double(1e300)), Ok(Format::F32.infinity()));
    assert_eq!(unary(UnaryOp::Neg, num, 0), Ok(double(-0.0)));
    for format in FORMATS {
        let num = Num::Float(format);
        for op in [Rem, Shl, Shr, BitAnd, BitOr, BitXor] {
            assert_eq!(binary(op, num, 0, 0), Err(Undefined::IllTyped));
        }
        assert_eq!(unary(UnaryOp::BitNot, num, 0), Err(Undefined::IllTyped));
        let (nan, zero, minus_zero) = (format.nan(), 0, format.sign_bit());
        assert_eq!(binary(Eq, num, zero, minus_zero), Ok(1));
        let (one, minus_one) = (format.one(), format.one() | minus_zero);
        assert_eq!(binary(Lt, num, minus_one, one), Ok(1));
        assert_eq!(binary(Lt, num, minus_one + 1, minus_one), Ok(1));
        assert_eq!(binary(Gt, num, one + 1, one), Ok(1));
        assert_eq!(binary(Lt, num, minus_zero, zero), Ok(0));
        for op in [Eq, Lt, Gt, Le, Ge] {
            assert_eq!(binary(op, num, nan, nan), Ok(0));
        }
        assert_eq!(binary(Ne, num, nan, nan), Ok(1));
        assert!(truth(num, nan) && !truth(num, minus_zero));
        assert!(format.is_nan(nan) && !format.is_nan(format.infinity()));
        assert_eq!(unary(UnaryOp::Not, num, nan), Ok(0));
    }
}

/// What an operator gives in unbounded integers, for numbers small enough that nothing wraps.
fn plain(op: BinaryOp, num: Num, width: u32, a: i128, b: i128) -> Result<i128, Undefined> {
    let Num::Int { signed, .. } = num else { unreachable!() };
    let (low, high) =
        if signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) };
    let fit = |value: i128, undefined| {
        if !signed {
            Ok(value & high)
        } else if (low..=high).contains(&value) {
            Ok(value)
        } else {
            Err(undefined)
        }
    };
    let count = |value: i128| {
        if value < 0 {
            Err(Undefined::ShiftNegative)
        } else if value >= i128::from(width) {
            Err(Undefined::ShiftTooFar)
        } else {
            Ok(value)
        }
    };
    match op {
        Add => fit(a + b, Undefined::AddOverflow),
        Sub => fit(a - b, Undefined::SubOverflow),
        Mul => fit(a * b, Undefined::MulOverflow),
        Div if b == 0 => Err(Undefined::DivByZero),
        Div => fit(a / b, Undefined::DivOverflow),
        Rem if b == 0 => Err(Undefined::RemByZero),
        Rem => fit(a / b, Undefined::RemOverflow).map(|_| a % b),
        BitAnd => Ok(a & b),
        BitXor => Ok(a ^ b),
        BitOr => Ok(a | b),
        Shl => {
            let count = count(b)?;
            if a < 0 { Err(Undefined::ShlOfNegative) } else { fit(a << count, Undefined::ShlOverflow) }
        }
        Shr => Ok(a >> count(b)?),
        Lt => Ok(i128::from(a < b)),
        Gt => Ok(i128::from(a > b)),
        Le => Ok(i128::from(a <= b)),
        Ge => Ok(i128::from(a >= b)),
        Eq => Ok(i128::from(a == b)),
        Ne => Ok(i128::from(a != b)),
        BinaryOp::And => Ok(i128::from(a != 0 && b != 0)),
        BinaryOp::Or => Ok(i128::from(a != 0 || b != 0)),
    }
}

#[test]
fn small_widths_exhaustively() {
    for width in 1..=6u8 {
        for num in [signed(width), unsigned(width)] {
            let wide = u32::from(width);
            let number = |raw: u128| match num {
                Num::Int { signed: true, .. } => int::sign_extend(wide, raw),
                _ => raw.cast_signed(),
            };
            for (a, b) in (0..1u128 << width).flat_map(|a| (0..1u128 << width).map(move |b| (a, b))) {
                for op in BINARY {
                    let expected = plain(op, num, wide, number(a), number(b));
                    let expected = expected.map(|value| value.cast_unsigned() & int::mask(wide));
                    let comparison = matches!(op, Lt | Gt | Le | Ge | Eq | Ne | BinaryOp::And | BinaryOp::Or);
                    assert_eq!(binary(op, num, a, b), expected, "{op:?} {num:?} {a} {b}");
                    if let (Ok(value), false) = (expected, comparison) {
                        assert_eq!(wrapped_binary(op, num, a, b), Some(value));
                    }
                    // Stray bits above the width change nothing.
                    assert_eq!(binary(op, num, a | 1 << 70, b | 1 << 127), expected);
                }
            }
        }
    }
}

#[test]
fn x87_encodings_that_are_no_numbers() {
    let num = Num::Float(Format::X87);
    let unnormal: u128 = 0x3fff << 64 | 1 << 62;
    let pseudo_infinity: u128 = 0x7fff << 64;
    let pseudo_nan: u128 = 0x7fff << 64 | 1;
    for bits in [unnormal, pseudo_infinity, pseudo_nan, 5 << 64] {
        assert!(Format::X87.is_nan(bits));
        assert_eq!(binary(Add, num, bits, 0), Ok(Format::X87.nan()));
        assert_eq!(convert(num, Num::INT, bits), Err(Undefined::FloatToIntNan));
        assert_eq!(convert(num, Num::Float(Format::F64), bits), Ok(Format::F64.nan()));
        assert_eq!(print_float(bits, Format::X87), None);
        assert!(truth(num, bits));
    }
    let pseudo_denormal: u128 = 1 << 63;
    let smallest_normal: u128 = 1 << 64 | 1 << 63;
    assert_eq!(binary(Eq, num, pseudo_denormal, smallest_normal), Ok(1));
    assert_eq!(binary(Add, num, pseudo_denormal, 0), Ok(smallest_normal));
    let quad = Num::Float(Format::F128);
    assert_eq!(convert(num, quad, pseudo_denormal), convert(num, quad, smallest_normal));
}

#[test]
fn no_bits_and_no_width_panic() {
    let patterns =
        [0, 1, u128::MAX, 1 << 127, 1 << 63, (1 << 63) - 1, 0x7fff << 112, 0x7fff << 64, !0 << 64, !0 >> 1];
    let mut nums = vec![Num::Bool];
    nums.extend(FORMATS.map(Num::Float));
    nums.extend((0..=255).flat_map(|width| [signed(width), unsigned(width)]));
    let all_unary = [
        UnaryOp::Neg,
        UnaryOp::Plus,
        UnaryOp::BitNot,
        UnaryOp::Not,
        UnaryOp::Deref,
        UnaryOp::PreInc,
        UnaryOp::Real,
    ];
    for &num in &nums {
        for a in patterns {
            for op in all_unary {
                let _ = unary(op, num, a);
                let _ = wrapped_unary(op, num, a);
            }
            let _ = (increment(num, a), decrement(num, a), truth(num, a));
            for &other in nums.iter().step_by(7).chain(&nums[..6]) {
                for result in [convert(num, other, a), convert(other, num, a)].into_iter().flatten() {
                    assert!(result <= int::mask(num.width().max(other.width())));
                }
                let _ = (shift(Shl, num, a, other, 3), shift(Shr, num, 3, other, a));
            }
            for (op, b) in BINARY.into_iter().flat_map(|op| patterns.map(|b| (op, b))) {
                let _ = binary(op, num, a, b);
                let _ = wrapped_binary(op, num, a, b);
            }
        }
    }
}

#[test]
fn numeric_types_follow_the_target() {
    let mut types = Types::new();
    let x86_64 = Target::X86_64_GCC;
    let i386 = Target { arch: crate::target::Arch::I386, char_signed: false, ..x86_64 };
    assert_eq!(num_of(&types, &x86_64, Type::LONG), Some(signed(64)));
    assert_eq!(num_of(&types, &i386, Type::LONG), Some(signed(32)));
    assert_eq!(num_of(&types, &x86_64, Type::CHAR), Some(signed(8)));
    assert_eq!(num_of(&types, &i386, Type::CHAR), Some(unsigned(8)));
    assert_eq!(num_of(&types, &i386, Type::LDOUBLE), Some(Num::Float(Format::X87)));
    assert_eq!(num_of(&types, &i386, Type::BOOL), Some(Num::Bool));
    let tag = crate::symbol::Symbols::default().intern("e");
    let id = types.enums.push(crate::ty::Enum {
        tag,
        written: Some(tag),
        unit: 0,
        constants: Vec::new(),
        complete: true,
        packed: true,
        underlying: IntKind::UShort,
        pos: crate::source::Pos::default(),
    });
    let enumeration = types.enumeration(id);
    assert_eq!(num_of(&types, &x86_64, enumeration), Some(unsigned(16)));
    let pointer = types.pointer(Type::INT);
    assert_eq!(num_of(&types, &x86_64, pointer), None);
    assert_eq!(num_of(&types, &x86_64, Type::VOID), None);
}
