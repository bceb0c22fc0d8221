//! Values as constant expressions of C. A constant is never negative in C, and some values have no constant of their
//! type; what is built has the value, and the type after promotion.

use super::{Built, Cx};
use crate::arith::{Num, absolute};
use crate::build;
use crate::program::{BinaryOp, ExprId, FloatLit, IntForm, UnaryOp};
use crate::source::Pos;
use crate::ty::Type;

/// An expression of the value `bits` of the real type `ty`, whose numeric type is `num`: that of `ty`, or of a bit-field
/// declared with it. Types narrower than `int` come out as `int`.
///
/// ```
/// use howler_lang::arith::Num;
/// use howler_lang::build::{self, Cx};
/// use howler_lang::program::Program;
/// use howler_lang::target::Target;
/// use howler_lang::ty::Type;
/// let mut program = Program::new(Target::X86_64_GCC);
/// let least = build::constant(&mut Cx::strict(&mut program), Num::INT, Type::INT, 0x8000_0000).unwrap();
/// assert_eq!(howler_lang::fold::integer(&program, least), Some(i128::from(i32::MIN)));
/// ```
pub fn constant(cx: &mut Cx, num: Num, ty: Type, bits: u128) -> Built {
    match num {
        Num::Float(format) => {
            let lit = FloatLit { bits: absolute(format, bits), spelling: None };
            let magnitude = build::float(cx, lit, ty, Pos::NONE);
            if lit.bits == bits { Ok(magnitude) } else { negated(cx, magnitude) }
        }
        Num::Bool => Ok(small(cx, bits != 0, Type::INT)),
        Num::Int { width, .. } if width < 32 => signed(cx, num.number(bits), Type::INT),
        Num::Int { width: 128, .. } => wide(cx, ty, num.number(bits), bits),
        Num::Int { signed: true, .. } => signed(cx, num.number(bits), ty),
        Num::Int { .. } => Ok(literal(cx, bits as u64, ty)),
    }
}

fn literal(cx: &mut Cx, value: u64, ty: Type) -> ExprId {
    build::int(cx, value, IntForm::Decimal, ty, Pos::NONE)
}

fn small(cx: &mut Cx, value: bool, ty: Type) -> ExprId {
    literal(cx, u64::from(value), ty)
}

fn negated(cx: &mut Cx, e: ExprId) -> Built {
    build::unary(cx, UnaryOp::Neg, e, Pos::NONE)
}

/// A number of a signed type of up to 64 bits. The least one is `-MAX - 1`: `MAX + 1` has no constant of the type.
fn signed(cx: &mut Cx, number: i128, ty: Type) -> Built {
    if number >= 0 {
        return Ok(literal(cx, number as u64, ty));
    }
    let magnitude = number.unsigned_abs() as u64;
    let width = cx.program.size_of(ty).unwrap_or(4) * 8;
    if magnitude < 1 << (width - 1) {
        let magnitude = literal(cx, magnitude, ty);
        return negated(cx, magnitude);
    }
    let most = literal(cx, magnitude - 1, ty);
    let most = negated(cx, most)?;
    let one = literal(cx, 1, Type::INT);
    build::binary(cx, BinaryOp::Sub, most, one, Pos::NONE)
}

/// A number of 128 bits, which have no constants: a cast, or two halves put together as unsigned numbers.
fn wide(cx: &mut Cx, ty: Type, number: i128, bits: u128) -> Built {
    if let Ok(number) = i64::try_from(number)
        && (ty == Type::INT128 || number >= 0)
    {
        let value = signed(cx, number.into(), Type::LLONG)?;
        return build::cast(cx, ty, value, Pos::NONE);
    }
    let high = literal(cx, (bits >> 64) as u64, Type::ULLONG);
    let high = build::cast(cx, Type::UINT128, high, Pos::NONE)?;
    let places = literal(cx, 64, Type::INT);
    let high = build::binary(cx, BinaryOp::Shl, high, places, Pos::NONE)?;
    let low = literal(cx, bits as u64, Type::ULLONG);
    let whole = build::binary(cx, BinaryOp::BitOr, high, low, Pos::NONE)?;
    if ty == Type::UINT128 { Ok(whole) } else { build::cast(cx, ty, whole, Pos::NONE) }
}
