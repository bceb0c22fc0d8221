//! Conversions: lvalues to values, promotions, the usual arithmetic conversions, assignment and casts.

use super::query::{is_lvalue, source_bitfield};
use super::{Built, Cx, Policy, Purpose, Violation, vector};
use crate::arith::{self, Num};
use crate::compat::{compatible, compatible_targets, compatible_unqualified, transparent_member};
use crate::fold;
use crate::layout;
use crate::program::{Conv, Expr, ExprId, ExprKind};
use crate::source::Pos;
use crate::target::Compiler;
use crate::ty::{FloatKind, IntKind, Quals, Type, TypeKind};

/// The value of `e`: an lvalue is read, an array or function becomes a pointer (C17 6.3.2.1).
#[inline]
pub fn value(cx: &mut Cx, e: ExprId) -> Built {
    // These are values already, and the most frequent operands.
    if let ExprKind::Int { .. } | ExprKind::Convert(..) | ExprKind::Cast(..) | ExprKind::Binary(..) =
        cx.program.exprs[e].kind
    {
        return Ok(e);
    }
    // Variables are next.
    if let Expr { kind: ExprKind::Object(_), ty, pos } = cx.program.exprs[e]
        && let TypeKind::Int(_) | TypeKind::Pointer(_) = cx.types().kind(ty)
    {
        let to = cx.types().strip(ty).bare();
        return Ok(cx.push(ExprKind::Convert(Conv::Load, e), to, pos));
    }
    value_of_other(cx, e)
}

/// The value of what may be an lvalue.
fn value_of_other(cx: &mut Cx, e: ExprId) -> Built {
    let ty = cx.ty(e);
    let pos = cx.pos(e);
    match cx.types().kind(ty) {
        TypeKind::Array { elem, .. } => {
            if let Some(name) = super::operator::register_array(cx, e) {
                return cx.reject(pos, format!("address of register variable '{name}' requested"));
            }
            let to = cx.program.types.pointer(elem);
            Ok(cx.push(ExprKind::Convert(Conv::ArrayDecay, e), to, pos))
        }
        TypeKind::Function(_) => {
            let to = cx.program.types.pointer(ty);
            Ok(cx.push(ExprKind::Convert(Conv::FunctionDecay, e), to, pos))
        }
        TypeKind::Void => Ok(e),
        _ if is_lvalue(cx.program, e) => {
            if !cx.types().is_complete(ty) {
                let name = cx.name(ty);
                return cx.reject(pos, format!("invalid use of incomplete type '{name}'"));
            }
            let to = cx.types().strip(ty).bare();
            Ok(cx.push(ExprKind::Convert(Conv::Load, e), to, pos))
        }
        _ => Ok(e),
    }
}

/// An expression evaluated for its effects: its value is computed and dropped.
pub fn discard(cx: &mut Cx, e: ExprId, _pos: Pos) -> Built {
    value(cx, e)
}

/// A scalar that is compared with zero: conditions, `!`, `&&`, `||`.
pub fn condition(cx: &mut Cx, e: ExprId, pos: Pos) -> Built {
    let e = value(cx, e)?;
    let ty = cx.ty(e);
    if cx.types().is_scalar(ty) {
        return Ok(e);
    }
    match cx.types().kind(ty) {
        TypeKind::Void => cx.reject(pos, "void value not ignored as it ought to be"),
        TypeKind::Record(_) => {
            let kind = cx.name(ty);
            cx.reject(pos, format!("used '{kind}' type value where scalar is required"))
        }
        TypeKind::Vector { .. } => cx.reject(pos, "used vector type where scalar is required"),
        _ => cx.reject(pos, "scalar is required"),
    }
}

/// The value a `switch` looks at: an integer, promoted (C17 6.8.4.2p1, p5).
pub fn switch_value(cx: &mut Cx, e: ExprId, pos: Pos) -> Built {
    let e = value(cx, e)?;
    if !cx.types().is_integer(cx.ty(e)) {
        return cx.reject(pos, "switch quantity not an integer");
    }
    Ok(promote(cx, e))
}

/// The width in bits of an integer type; 0 of any other.
pub(super) fn int_width(cx: &Cx, ty: Type) -> u32 {
    match arith::num_of(cx.types(), &cx.program.target, ty) {
        Some(num @ (Num::Bool | Num::Int { .. })) => num.width(),
        _ => 0,
    }
}

/// Whether an integer type is signed.
pub(super) fn int_signed(cx: &Cx, ty: Type) -> bool {
    matches!(arith::num_of(cx.types(), &cx.program.target, ty), Some(Num::Int { signed: true, .. }))
}

/// The type `e`, an integer value, has after the integer promotions (C17 6.3.1.1p2).
pub(super) fn promoted_type(cx: &Cx, e: ExprId) -> Type {
    let ty = cx.ty(e);
    // clang promotes by the declared width of the bit-field a value came from; gcc gave it a type of that width.
    if cx.program.target.compiler == Compiler::Clang
        && let Some(bits) = source_bitfield(cx.program, e)
    {
        let declared = cx.types().kind(ty);
        if bits < 32 || (bits == 32 && (declared == TypeKind::Bool || int_signed(cx, ty))) {
            return Type::INT;
        }
        if bits == 32 {
            return Type::UINT;
        }
    }
    promoted_plain(cx, ty)
}

/// The promoted type of an integer type that is not a bit-field's.
fn promoted_plain(cx: &Cx, ty: Type) -> Type {
    match cx.types().kind(ty) {
        TypeKind::Bool => Type::INT,
        TypeKind::Int(kind) if kind < IntKind::Int => Type::INT,
        TypeKind::Enum(id) => {
            let underlying = cx.types().enums[id].underlying;
            if underlying < IntKind::Int { Type::INT } else { underlying.ty() }
        }
        TypeKind::Bits { width, .. } if width < 32 => Type::INT,
        _ => cx.types().strip(ty).bare(),
    }
}

/// Applies the integer promotions to an integer value; other values stay.
pub(super) fn promote(cx: &mut Cx, e: ExprId) -> ExprId {
    if !cx.types().is_integer(cx.ty(e)) {
        return e;
    }
    let to = promoted_type(cx, e);
    convert_arithmetic(cx, e, to)
}

/// The default argument promotions (C17 6.5.2.2p6).
pub(super) fn promote_argument(cx: &mut Cx, e: ExprId) -> ExprId {
    if cx.types().kind(cx.ty(e)) == TypeKind::Float(FloatKind::Float) {
        return convert_arithmetic(cx, e, Type::DOUBLE);
    }
    promote(cx, e)
}

/// Greater is preferred when two floating types meet: more range first; of one range, ISO/IEC TS 18661-3's
/// interchange types come before the standard ones, and these before its extended types.
fn float_rank(kind: FloatKind) -> u8 {
    match kind {
        FloatKind::Float16 => 0,
        FloatKind::Float => 1,
        FloatKind::Float32 => 2,
        FloatKind::Float32x => 3,
        FloatKind::Double => 4,
        FloatKind::Float64 => 5,
        FloatKind::Float64x => 6,
        FloatKind::LongDouble => 7,
        FloatKind::Float128 => 8,
    }
}

/// The common real type of two real values after the usual arithmetic conversions (C17 6.3.1.8).
fn common_real(cx: &Cx, a: Type, b: Type) -> Type {
    match (cx.types().kind(a), cx.types().kind(b)) {
        (TypeKind::Float(x), TypeKind::Float(y)) => {
            if float_rank(x) >= float_rank(y) {
                x.ty()
            } else {
                y.ty()
            }
        }
        (TypeKind::Float(x), _) | (_, TypeKind::Float(x)) => x.ty(),
        _ => {
            let (width_a, width_b) = (int_width(cx, a), int_width(cx, b));
            let (signed_a, signed_b) = (int_signed(cx, a), int_signed(cx, b));
            if a == b {
                return a;
            }
            // Rank: wider first; of one width, long long over long over int, and a standard type over a bit-field's.
            let rank = |ty: Type, width: u32| match cx.types().kind(ty) {
                TypeKind::Int(kind) => (width, 1 + (kind as u32).div_ceil(2)),
                _ => (width, 0),
            };
            let (rank_a, rank_b) = (rank(a, width_a), rank(b, width_b));
            let (high, low) = if rank_a >= rank_b { (a, b) } else { (b, a) };
            if signed_a == signed_b || !int_signed(cx, high) {
                return high;
            }
            // The higher rank is signed, the lower unsigned.
            if int_width(cx, high) > int_width(cx, low) { high } else { to_unsigned(cx, high, low) }
        }
    }
}

/// The unsigned counterpart of `signed`, a type as wide as the unsigned `other`.
fn to_unsigned(cx: &Cx, signed: Type, other: Type) -> Type {
    match cx.types().kind(signed) {
        TypeKind::Int(kind) => layout::integers::to_unsigned(kind).ty(),
        _ => other,
    }
}

/// The type both operands have after the usual arithmetic conversions, as a real type. Complexness stays with each
/// operand (C17 6.3.1.8p1: the domain does not change).
pub(super) fn common_real_type(cx: &mut Cx, a: ExprId, b: ExprId) -> Type {
    let side = |cx: &Cx, e: ExprId| {
        let ty = cx.ty(e);
        match cx.types().kind(ty) {
            TypeKind::Complex(elem) if cx.types().is_integer(elem) => promoted_plain(cx, elem),
            TypeKind::Complex(elem) => elem,
            _ if cx.types().is_integer(ty) => promoted_type(cx, e),
            _ => cx.types().strip(ty).bare(),
        }
    };
    let (a, b) = (side(cx, a), side(cx, b));
    common_real(cx, a, b)
}

/// Converts two arithmetic values to their common real type, each in its own domain. Returns them and the type of
/// the operation's result.
pub(super) fn usual(cx: &mut Cx, a: ExprId, b: ExprId) -> (ExprId, ExprId, Type) {
    // Most operations are of this kind. A bit-field of `int` is promoted to `int`; of other integers it is not.
    let ty = cx.ty(a);
    if ty == cx.ty(b) && [Type::INT, Type::DOUBLE, Type::FLOAT, Type::LDOUBLE].contains(&ty) {
        return (a, b, ty);
    }
    let real = common_real_type(cx, a, b);
    let mut result = real;
    let mut side = |cx: &mut Cx, e: ExprId| {
        if matches!(cx.types().kind(cx.ty(e)), TypeKind::Complex(_)) {
            let to = cx.program.types.complex(real);
            result = to;
            convert_arithmetic(cx, e, to)
        } else {
            convert_arithmetic(cx, e, real)
        }
    };
    let a = side(cx, a);
    let b = side(cx, b);
    (a, b, result)
}

/// Converts an arithmetic or vector value to another such type, or to `_Bool` from any scalar.
pub(super) fn convert_arithmetic(cx: &mut Cx, e: ExprId, to: Type) -> ExprId {
    let to = cx.types().strip(to).bare();
    let from = cx.ty(e);
    if from == to {
        return e;
    }
    let conv = conversion(cx, from, to);
    let pos = cx.pos(e);
    cx.push(ExprKind::Convert(conv, e), to, pos)
}

/// What converting between two scalar, complex or equal types does.
pub(super) fn conversion(cx: &Cx, from: Type, to: Type) -> Conv {
    let types = cx.types();
    let integer = |ty| types.is_integer(ty);
    match (types.kind(from), types.kind(to)) {
        (TypeKind::Complex(_), TypeKind::Complex(_)) => Conv::ComplexToComplex,
        (TypeKind::Complex(_), TypeKind::Bool) => Conv::ToBool,
        (TypeKind::Complex(_), _) => Conv::ComplexToReal,
        (_, TypeKind::Complex(_)) => Conv::RealToComplex,
        (TypeKind::Bool, TypeKind::Bool) => Conv::Same,
        (_, TypeKind::Bool) => Conv::ToBool,
        (TypeKind::Float(_), TypeKind::Float(_)) => Conv::FloatToFloat,
        (TypeKind::Float(_), _) if integer(to) => Conv::FloatToInt,
        (_, TypeKind::Float(_)) if integer(from) => Conv::IntToFloat,
        (TypeKind::Pointer(_), TypeKind::Pointer(_)) => Conv::PointerToPointer,
        (TypeKind::Pointer(_), _) if integer(to) => Conv::PointerToInt,
        (_, TypeKind::Pointer(_)) if integer(from) => Conv::IntToPointer,
        _ if integer(from) && integer(to) => Conv::IntToInt,
        _ => Conv::Same,
    }
}

/// The words gcc uses for a bad implicit conversion.
fn describe(cx: &Cx, purpose: Purpose, from: Type, to: Type) -> String {
    let (from, to) = (cx.name(from), cx.name(to));
    match purpose {
        Purpose::Assign => format!("assignment to '{to}' from '{from}'"),
        Purpose::Init => format!("initialization of '{to}' from '{from}'"),
        Purpose::Return => format!("returning '{from}' from a function with return type '{to}'"),
        Purpose::Argument(n, Some(name)) => {
            format!("passing argument {n} of '{}' from '{from}' to '{to}'", cx.program.name(name))
        }
        Purpose::Argument(n, None) => format!("passing argument {n} from '{from}' to '{to}'"),
    }
}

fn incompatible_pointer(cx: &Cx, purpose: Purpose, from: Type, to: Type) -> String {
    let (from, to) = (cx.name(from), cx.name(to));
    match purpose {
        Purpose::Assign => format!("assignment to '{to}' from incompatible pointer type '{from}'"),
        Purpose::Init => format!("initialization of '{to}' from incompatible pointer type '{from}'"),
        Purpose::Return => {
            format!("returning '{from}' from a function with incompatible return type '{to}'")
        }
        Purpose::Argument(n, name) => {
            let of = name.map(|name| format!(" of '{}'", cx.program.name(name))).unwrap_or_default();
            format!(
                "passing argument {n}{of} from incompatible pointer type: '{from}' where '{to}' is expected"
            )
        }
    }
}

fn incompatible<T>(cx: &Cx, purpose: Purpose, from: Type, to: Type, pos: Pos) -> Result<T, Box<Violation>> {
    let (from_name, to_name) = (cx.name(from), cx.name(to));
    let message = match purpose {
        Purpose::Assign => {
            format!("incompatible types when assigning to type '{to_name}' from type '{from_name}'")
        }
        Purpose::Init => {
            format!("incompatible types when initializing type '{to_name}' using type '{from_name}'")
        }
        Purpose::Return => {
            format!("incompatible types when returning type '{from_name}' but '{to_name}' was expected")
        }
        Purpose::Argument(n, Some(name)) => {
            format!("incompatible type for argument {n} of '{}'", cx.program.name(name))
        }
        Purpose::Argument(n, None) => format!("incompatible type for argument {n}"),
    };
    cx.reject(pos, message)
}

/// Converts a value of an integer type to another one, not `_Bool`; one of the type `to` stays.
#[inline]
pub fn convert_integer(cx: &mut Cx, e: ExprId, to: IntKind) -> ExprId {
    let Expr { ty, pos, .. } = cx.program.exprs[e];
    debug_assert!(cx.types().is_integer(ty), "an integer value");
    if ty == to.ty() {
        return e;
    }
    cx.push(ExprKind::Convert(Conv::IntToInt, e), to.ty(), pos)
}

/// Converts `e` to `to` as if by assignment (C17 6.5.16.1p1).
#[inline]
pub fn convert_as_if_assigned(cx: &mut Cx, purpose: Purpose, e: ExprId, to: Type, pos: Pos) -> Built {
    let e = value(cx, e)?;
    let Expr { ty: from, pos: at, .. } = cx.program.exprs[e];
    let bare = cx.types().strip(to).bare();
    if from == bare {
        return Ok(e);
    }
    // The most frequent ones need no look at anything else.
    if let (TypeKind::Int(_), TypeKind::Int(_)) = (cx.types().kind(from), cx.types().kind(bare)) {
        return Ok(cx.push(ExprKind::Convert(Conv::IntToInt, e), bare, at));
    }
    convert_value(cx, purpose, e, to, pos)
}

/// Converts a value to another type than its own, as if by assignment.
fn convert_value(cx: &mut Cx, purpose: Purpose, e: ExprId, to: Type, pos: Pos) -> Built {
    let from = cx.ty(e);
    let bare = cx.types().strip(to).bare();
    let epos = cx.pos(e);
    let wrap = |cx: &mut Cx, conv: Conv| Ok(cx.push(ExprKind::Convert(conv, e), bare, epos));
    let types = cx.types();
    match (types.kind(from), types.kind(bare)) {
        (TypeKind::Void, _) => cx.reject(pos, "void value not ignored as it ought to be"),
        _ if types.is_arithmetic(from) && types.is_arithmetic(bare) => Ok(convert_arithmetic(cx, e, bare)),
        (TypeKind::Pointer(_), TypeKind::Bool) => wrap(cx, Conv::ToBool),
        (TypeKind::Pointer(source), TypeKind::Pointer(dest)) => {
            check_pointers(cx, purpose, e, source, dest, to, pos)?;
            let null = fold::is_null_pointer_constant(cx.program, e);
            wrap(cx, if null { Conv::NullToPointer } else { Conv::PointerToPointer })
        }
        (_, TypeKind::Pointer(_)) if types.is_integer(from) => {
            if fold::is_null_pointer_constant(cx.program, e) {
                return wrap(cx, Conv::NullToPointer);
            }
            // Both gcc and clang draw the line here.
            if matches!(types.kind(from), TypeKind::Enum(_) | TypeKind::Bool) {
                return incompatible(cx, purpose, from, bare, pos);
            }
            cx.tolerate(pos, |cx| {
                format!("{} makes pointer from integer without a cast", describe(cx, purpose, from, bare))
            })?;
            wrap(cx, Conv::IntToPointer)
        }
        (TypeKind::Pointer(_), kind) if types.is_integer(bare) && !matches!(kind, TypeKind::Enum(_)) => {
            cx.tolerate(pos, |cx| {
                format!("{} makes integer from pointer without a cast", describe(cx, purpose, from, bare))
            })?;
            wrap(cx, Conv::PointerToInt)
        }
        (_, TypeKind::Record(_)) if matches!(purpose, Purpose::Argument(..)) && transparent(cx, e, bare) => {
            wrap(cx, Conv::ToUnion)
        }
        (TypeKind::Vector { .. }, TypeKind::Vector { .. }) if vector::meet(cx, e, bare) => {
            wrap(cx, Conv::Bits)
        }
        _ if compatible_unqualified(types, from, bare) => wrap(cx, Conv::Same),
        _ => incompatible(cx, purpose, from, bare, pos),
    }
}

fn transparent(cx: &Cx, e: ExprId, union: Type) -> bool {
    let types = cx.types();
    let from = cx.ty(e);
    if transparent_member(types, union, from).is_some() {
        return true;
    }
    let Some(id) = types.as_record(union).filter(|&id| types.records[id].transparent) else { return false };
    let null = fold::is_null_pointer_constant(cx.program, e);
    types.records[id].fields.iter().any(|field| match (types.pointee(field.ty), types.pointee(from)) {
        (Some(to), Some(source)) => {
            null || types.is_void(to) || types.is_void(source) || compatible_unqualified(types, to, source)
        }
        (Some(_), None) => null,
        _ => false,
    })
}

/// The constraints on assigning one pointer to another.
fn check_pointers(
    cx: &mut Cx,
    purpose: Purpose,
    e: ExprId,
    source: Type,
    dest: Type,
    to: Type,
    pos: Pos,
) -> Result<(), Box<Violation>> {
    let types = cx.types();
    let from = cx.ty(e);
    if fold::is_null_pointer_constant(cx.program, e) {
        return Ok(());
    }
    let void = types.is_void(source) || types.is_void(dest);
    let function = types.is_function(source) != types.is_function(dest);
    let compatible = compatible_targets(types, source, dest);
    if !void && !compatible && !sign_twins(cx, source, dest) {
        return cx.tolerate(pos, |cx| incompatible_pointer(cx, purpose, from, to));
    }
    if !void && !compatible {
        return cx.tolerate(pos, |cx| {
            format!("pointer targets in {} differ in signedness", describe(cx, purpose, from, to))
        });
    }
    if void && function {
        cx.forbid(pos, "ISO C forbids conversion between function pointer and 'void *'")?;
    }
    // 6.5.16.1p1: the left side's pointee has all the qualifiers of the right side's.
    let types = cx.types();
    // An array has none of its own before C23, so what gives it a `const void *` gives up the `const`. clang does not
    // say so.
    let own = void && (cx.policy == Policy::Strict || cx.program.target.compiler == Compiler::Gcc);
    let want = if own { types.strip(dest).quals() } else { types.quals(dest) };
    let have = types.quals(source);
    let lost = have.minus(want).minus(Quals::ATOMIC);
    if !lost.is_empty() {
        let words = format!("{lost:?}").trim().to_owned();
        return cx.tolerate(pos, |cx| {
            format!(
                "{} discards '{words}' qualifier from pointer target type",
                describe(cx, purpose, from, to)
            )
        });
    }
    Ok(())
}

/// Integer types that differ only in sign (or are both character types).
fn sign_twins(cx: &Cx, a: Type, b: Type) -> bool {
    let types = cx.types();
    let integers = types.is_integer(a) && types.is_integer(b) && types.kind(a) != types.kind(b);
    integers && int_width(cx, a) == int_width(cx, b) && {
        let bare = |ty: Type| match cx.types().kind(ty) {
            TypeKind::Int(kind) if kind <= IntKind::UChar => Some(1),
            TypeKind::Int(kind) => Some((kind as u32).div_ceil(2)),
            _ => None,
        };
        bare(a).is_some() && bare(a) == bare(b)
    }
}

/// `(to)e` (C17 6.5.4).
pub fn cast(cx: &mut Cx, to: Type, e: ExprId, pos: Pos) -> Built {
    let to = cx.types().strip(to).bare();
    match cx.types().kind(to) {
        TypeKind::Array { .. } => return cx.reject(pos, "cast specifies array type"),
        TypeKind::Function(_) => return cx.reject(pos, "cast specifies function type"),
        TypeKind::Void => {
            let e = discard(cx, e, pos)?;
            return Ok(cx.push(ExprKind::Cast(Conv::ToVoid, e), Type::VOID, pos));
        }
        _ => {}
    }
    let e = value(cx, e)?;
    let from = cx.ty(e);
    let types = cx.types();
    if !types.is_complete(to) && !matches!(types.kind(to), TypeKind::Enum(_)) {
        return cx.reject(pos, "conversion to incomplete type");
    }
    let wrap = |cx: &mut Cx, conv: Conv| Ok(cx.push(ExprKind::Cast(conv, e), to, pos));
    match (types.kind(from), types.kind(to)) {
        (TypeKind::Void, _) => cx.reject(pos, "void value not ignored as it ought to be"),
        (TypeKind::Pointer(_), TypeKind::Float(_)) => {
            cx.reject(pos, "pointer value used where a floating-point was expected")
        }
        (TypeKind::Float(_), TypeKind::Pointer(_)) => cx.reject(pos, "cannot convert to a pointer type"),
        (TypeKind::Complex(_), TypeKind::Pointer(_)) => cx.reject(pos, "cannot convert to a pointer type"),
        (TypeKind::Pointer(_), TypeKind::Complex(_)) => {
            cx.reject(pos, "pointer value used where a complex was expected")
        }
        (_, TypeKind::Pointer(_)) if fold::is_null_pointer_constant(cx.program, e) => {
            wrap(cx, Conv::NullToPointer)
        }
        _ if types.is_scalar(from) && types.is_scalar(to) => {
            let conv = if from == to { Conv::Same } else { conversion(cx, from, to) };
            wrap(cx, conv)
        }
        (TypeKind::Vector { .. }, TypeKind::Vector { .. })
        | (TypeKind::Vector { .. }, TypeKind::Int(_) | TypeKind::Enum(_))
        | (TypeKind::Int(_) | TypeKind::Enum(_), TypeKind::Vector { .. }) => {
            let size = |ty| layout::size_of(&cx.program.types, &cx.program.target, ty);
            if size(from) == size(to) {
                return wrap(cx, Conv::Bits);
            }
            let (from, to) = (cx.name(from), cx.name(to));
            cx.reject(
                pos,
                format!(
                    "cannot convert a value of type '{from}' to vector type '{to}' which has different size"
                ),
            )
        }
        (TypeKind::Record(_), TypeKind::Record(_)) if from == to => {
            cx.tolerate(pos, |_| "ISO C forbids casting nonscalar to the same type".to_owned())?;
            wrap(cx, Conv::Same)
        }
        (_, TypeKind::Record(id)) => {
            let record = &types.records[id];
            let union = record.kind == crate::ty::RecordKind::Union;
            let member = record.fields.iter().any(|field| {
                field.name.is_some() && field.bits.is_none() && {
                    let field = types.strip(field.ty).bare();
                    field == from || compatible(types, field, from)
                }
            });
            match (union, member) {
                (true, true) => wrap(cx, Conv::ToUnion),
                (true, false) => cx.reject(pos, "cast to union type from type not present in union"),
                (false, _) => cx.reject(pos, "conversion to non-scalar type requested"),
            }
        }
        (TypeKind::Record(_), TypeKind::Pointer(_)) => cx.reject(pos, "cannot convert to a pointer type"),
        (TypeKind::Record(_), _) => {
            let words = if types.is_float(to) { "a floating-point" } else { "an integer" };
            cx.reject(pos, format!("aggregate value used where {words} was expected"))
        }
        _ => {
            let (from, to) = (cx.name(from), cx.name(to));
            cx.reject(pos, format!("cannot convert value of type '{from}' to type '{to}'"))
        }
    }
}
