//! The functions of `<math.h>` whose results every library gives alike; `lang::arith` computes them. Others are in
//! `lib_power` where they are exact, or not modelled.

use super::Exec;
use super::arith_ops::any_nan;
use super::lib_power::{elementary, pow};
use super::library::{Native, NativeCall, int};
use crate::outcome::{Run, ub, unsupported};
use crate::ub::UbKind;
use crate::value::{Choice, Marks, Value};
use howler_lang::arith::{self, FloatClass, Format, Num, Rounding};
use howler_lang::program::BinaryOp;
use howler_lang::ty::{Type, TypeKind};
use std::cmp::Ordering;

/// What the names' endings say about the type.
const SUFFIXES: [(&str, Format); 10] = [
    ("", Format::F64),
    ("f", Format::F32),
    ("l", Format::X87),
    ("f16", Format::F16),
    ("f32", Format::F32),
    ("f64", Format::F64),
    ("f128", Format::F128),
    ("f32x", Format::F64),
    ("f64x", Format::X87),
    ("q", Format::F128),
];

/// The functions, without their suffixes.
const FUNCTIONS: &[(&str, Function)] = &[
    ("__finite", classification),
    ("__fpclassify", classification),
    ("__isinf", classification),
    ("__isnan", classification),
    ("__signbit", signbit),
    ("asin", elementary),
    ("asinh", elementary),
    ("atan", elementary),
    ("atanh", elementary),
    ("cbrt", elementary),
    ("ceil", integral),
    ("copysign", copysign),
    ("cos", elementary),
    ("cosh", elementary),
    ("drem", remainder),
    ("erf", elementary),
    ("exp", elementary),
    ("exp2", elementary),
    ("expm1", elementary),
    ("fabs", fabs),
    ("fdim", fdim),
    ("finite", classification),
    ("floor", integral),
    ("fma", fma),
    ("fmax", extreme),
    ("fmin", extreme),
    ("fmod", remainder),
    ("frexp", frexp),
    ("huge_val", infinity),
    ("iceil", to_integer),
    ("ifloor", to_integer),
    ("ilogb", ilogb),
    ("inf", infinity),
    ("irint", to_integer),
    ("iround", to_integer),
    ("isinf", classification),
    ("isnan", classification),
    ("lceil", to_integer),
    ("ldexp", scale),
    ("lfloor", to_integer),
    ("llceil", to_integer),
    ("llfloor", to_integer),
    ("llrint", to_integer),
    ("llround", to_integer),
    ("log", elementary),
    ("log10", elementary),
    ("log1p", elementary),
    ("log2", elementary),
    ("logb", logb),
    ("lrint", to_integer),
    ("lround", to_integer),
    ("modf", modf),
    ("nan", nan),
    ("nans", nan),
    ("nearbyint", integral),
    ("nextafter", nextafter),
    ("nexttoward", nextafter),
    ("pow", pow),
    ("remainder", remainder),
    ("rint", integral),
    ("round", integral),
    ("roundeven", integral),
    ("scalbln", scale),
    ("scalbn", scale),
    ("signbit", signbit),
    ("sin", elementary),
    ("sinh", elementary),
    ("sqrt", sqrt),
    ("tan", elementary),
    ("tanh", elementary),
    ("trunc", integral),
];

type Function = fn(&mut Exec<'_>, &NativeCall<'_>, &str, Format) -> Run<Value>;

fn lookup(name: &str) -> Option<(&'static str, Function, Format)> {
    SUFFIXES.iter().find_map(|&(suffix, format)| {
        let base = name.strip_suffix(suffix)?;
        let index = FUNCTIONS.binary_search_by_key(&base, |&(known, _)| known).ok()?;
        Some((FUNCTIONS[index].0, FUNCTIONS[index].1, format))
    })
}

pub(super) fn find(name: &str) -> Option<Native> {
    lookup(name).map(|_| math as Native)
}

fn math(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    match lookup(call.name) {
        Some((base, function, format)) => {
            let integer = [to_integer as Function, ilogb, classification, signbit];
            let real = !integer.iter().any(|&other| std::ptr::fn_addr_eq(other, function));
            if real && exec.num(call.ret) != Some(Num::Float(format)) {
                return ub(UbKind::CallType);
            }
            let value = function(exec, call, base, format)?;
            if may_set_errno(call, base, format, &value) {
                exec.open_errno()?;
            }
            Ok(value)
        }
        None => unsupported(call.name),
    }
}

/// Whether there was an error that sets errno, unless the compiler was told not to mind (C17 7.12.1p2-6).
fn may_set_errno(call: &NativeCall<'_>, base: &str, format: Format, result: &Value) -> bool {
    let magnitude = |bits: u128| bits & !format.sign_bit();
    let least = format.infinity() & !(format.infinity() << 1);
    let given: Vec<u128> = call.args.iter().map(|(value, _)| value.to_bits()).collect();
    let Some(&first) = given.first() else { return false };
    let bits = result.to_bits();
    let nan = format.is_nan(bits) && !given.iter().any(|&bits| format.is_nan(bits));
    let over = magnitude(bits) == format.infinity() && magnitude(first) < format.infinity();
    let under = magnitude(bits) < least && magnitude(first) != 0;
    match base {
        "sqrt" | "fmod" | "remainder" | "drem" => nan,
        "fdim" | "fma" | "logb" => nan || over,
        "ldexp" | "scalbn" | "scalbln" | "nextafter" | "nexttoward" => over || under,
        "ilogb" => magnitude(first) == 0 || magnitude(first) >= format.infinity(),
        _ => false,
    }
}

/// A result that was computed from these.
fn result(format: Format, bits: u128, from: &[Value]) -> Value {
    let marks = from.iter().fold(Marks::NONE, |marks, value| marks.union(value.marks.of_number()));
    any_nan(Num::Float(format), Value::bits(bits).marked(marks))
}

fn fabs(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    let marks = x.marks.open();
    Ok(Value::bits(arith::absolute(format, x.to_bits())).marked(marks))
}

fn copysign(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let (x, y) = (exec.real_arg(call, 0, format)?, exec.real_arg(call, 1, format)?);
    let value = Value::bits(arith::copy_sign(format, x.to_bits(), y.to_bits()));
    // The sign of a NaN that arithmetic made is open.
    if y.marks.has(Marks::OPEN) {
        return Ok(value.marked(x.marks.union(y.marks).intersection(Marks::OPEN)));
    }
    Ok(value.marked(x.marks.open()))
}

fn rounding(base: &str) -> Rounding {
    match base.trim_start_matches('l') {
        "ceil" | "iceil" => Rounding::Up,
        "floor" | "ifloor" => Rounding::Down,
        "trunc" => Rounding::Zero,
        "round" | "iround" => Rounding::Away,
        _ => Rounding::Even,
    }
}

fn integral(exec: &mut Exec<'_>, call: &NativeCall<'_>, base: &str, format: Format) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    Ok(result(format, arith::round_to_integral(format, x.to_bits(), rounding(base)), &[x]))
}

fn to_integer(exec: &mut Exec<'_>, call: &NativeCall<'_>, base: &str, format: Format) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    let ty = match base {
        _ if base.starts_with("ll") => Type::LLONG,
        _ if base.starts_with('l') => Type::LONG,
        _ => Type::INT,
    };
    let Some(num) = exec.num(ty) else { return unsupported(call.name) };
    match arith::round_to_int(format, x.to_bits(), rounding(base), num) {
        Some(bits) => Ok(Value::bits(bits).marked(x.marks.intersection(Marks::OPEN))),
        // An unspecified value (C17 7.12.9.5p2, 7.12.9.7p2).
        None => Ok(Value::int(0).marked(Marks::LIBRARY)),
    }
}

fn sqrt(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    match arith::square_root(format, x.to_bits()) {
        Some(bits) => Ok(result(format, bits, &[x])),
        None => unsupported(format!("'{}'", call.name)),
    }
}

fn fma(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let (x, y, z) =
        (exec.real_arg(call, 0, format)?, exec.real_arg(call, 1, format)?, exec.real_arg(call, 2, format)?);
    Ok(result(format, arith::fused(format, x.to_bits(), y.to_bits(), z.to_bits()), &[x, y, z]))
}

fn remainder(exec: &mut Exec<'_>, call: &NativeCall<'_>, base: &str, format: Format) -> Run<Value> {
    let (x, y) = (exec.real_arg(call, 0, format)?, exec.real_arg(call, 1, format)?);
    let operation = if base == "fmod" { arith::modulo } else { arith::ieee_remainder };
    Ok(result(format, operation(format, x.to_bits(), y.to_bits()), &[x, y]))
}

fn fdim(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let (x, y) = (exec.real_arg(call, 0, format)?, exec.real_arg(call, 1, format)?);
    let bits = match arith::compare(format, x.to_bits(), y.to_bits()) {
        None => format.nan(),
        Some(Ordering::Greater) => {
            arith::binary(BinaryOp::Sub, Num::Float(format), x.to_bits(), y.to_bits()).unwrap_or(0)
        }
        Some(_) => 0,
    };
    Ok(result(format, bits, &[x, y]))
}

fn extreme(exec: &mut Exec<'_>, call: &NativeCall<'_>, base: &str, format: Format) -> Run<Value> {
    let (x, y) = (exec.real_arg(call, 0, format)?, exec.real_arg(call, 1, format)?);
    let (a, b) = (x.to_bits(), y.to_bits());
    if arith::is_signaling(format, a) || arith::is_signaling(format, b) {
        return unsupported("a signalling NaN given to fmin or fmax");
    }
    let mut value = match arith::compare(format, a, b) {
        // A NaN is no number (C17 7.12.12, F.10.9.2).
        None if format.is_nan(a) => y,
        None => x,
        Some(Ordering::Equal) => x,
        Some(way) if (way == Ordering::Greater) == (base == "fmax") => x,
        Some(_) => y,
    };
    let others = x.marks.of_number().union(y.marks.of_number());
    value.marks = value.marks.union(others);
    if a != b && arith::compare(format, a, b) == Some(Ordering::Equal) {
        // Which zero it is need not be said (C17 footnote 361).
        value = value.marked(Marks::LIBRARY);
    }
    Ok(value)
}

fn scale(exec: &mut Exec<'_>, call: &NativeCall<'_>, base: &str, format: Format) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    let width = match exec.num(Type::LONG) {
        Some(long) if base == "scalbln" => long,
        _ => Num::INT,
    };
    let power = exec.integer_arg(call, 1, width.width())?;
    exec.depend(power.marks);
    let number = i64::try_from(width.number(power.to_bits())).unwrap_or(0);
    Ok(result(format, arith::scale(format, x.to_bits(), number), &[x]))
}

fn frexp(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let (x, to) = (exec.real_arg(call, 0, format)?, exec.pointer_arg(call, 1)?);
    let ty = exec.pointee_of(call, 1)?;
    let (bits, power) = arith::fraction_and_power(format, x.to_bits());
    let zero = arith::classify(format, x.to_bits()) == FloatClass::Zero;
    let power = match power {
        Some(power) => int(power),
        None if zero => int(0),
        // Unspecified for an infinity or a NaN (C17 7.12.6.4p3).
        None => int(0).marked(Marks::LIBRARY),
    };
    exec.store_through(&to, ty, &power.marked(x.marks.of_number()))?;
    Ok(result(format, bits, &[x]))
}

fn modf(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let (x, to) = (exec.real_arg(call, 0, format)?, exec.pointer_arg(call, 1)?);
    let ty = exec.pointee_of(call, 1)?;
    if exec.num(ty) != Some(Num::Float(format)) {
        return ub(UbKind::CallArguments);
    }
    let (rest, whole) = arith::split(format, x.to_bits());
    let whole = result(format, whole, &[x]);
    exec.store_through(&to, ty, &whole)?;
    Ok(result(format, rest, &[x]))
}

fn ilogb(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    let value = match (arith::exponent(format, x.to_bits()), arith::classify(format, x.to_bits())) {
        (Some(power), _) => power,
        (None, FloatClass::Infinite) => i32::MAX,
        // FP_ILOGB0 and FP_ILOGBNAN on x86.
        (None, _) => i32::MIN,
    };
    Ok(int(value).marked(x.marks.of_number()))
}

fn logb(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    let bits = match (arith::exponent(format, x.to_bits()), arith::classify(format, x.to_bits())) {
        (Some(power), _) => {
            let power = u128::from(power.cast_unsigned());
            arith::convert(Num::INT, Num::Float(format), power).unwrap_or(0)
        }
        (None, FloatClass::Zero) => format.infinity() | format.sign_bit(),
        (None, FloatClass::Infinite) => format.infinity(),
        (None, _) => format.nan(),
    };
    Ok(result(format, bits, &[x]))
}

fn nextafter(exec: &mut Exec<'_>, call: &NativeCall<'_>, base: &str, format: Format) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    if base == "nextafter" {
        let y = exec.real_arg(call, 1, format)?;
        return Ok(result(format, arith::next_after(format, x.to_bits(), y.to_bits()), &[x, y]));
    }
    let y = exec.real_arg(call, 1, Format::X87)?;
    let convert = |from, to, bits| arith::convert(Num::Float(from), Num::Float(to), bits).unwrap_or(0);
    let wide = convert(format, Format::X87, x.to_bits());
    let bits = match arith::compare(Format::X87, wide, y.to_bits()) {
        None => format.nan(),
        Some(Ordering::Equal) => convert(Format::X87, format, y.to_bits()),
        Some(way) => arith::neighbour(format, x.to_bits(), way == Ordering::Less),
    };
    Ok(result(format, bits, &[x, y]))
}

fn infinity(_: &mut Exec<'_>, _: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    Ok(Value::bits(format.infinity()))
}

fn nan(exec: &mut Exec<'_>, call: &NativeCall<'_>, base: &str, format: Format) -> Run<Value> {
    let tag = exec.pointer_arg(call, 0)?;
    let tag = exec.string_at(&tag, None)?;
    if base == "nan" && tag.is_empty() {
        return Ok(Value::bits(format.nan()));
    }
    if base == "nan" {
        // What the tag means is the implementation's.
        return Ok(Value::bits(format.nan()).marked(Marks::library(Choice::Bits)));
    }
    // Quiet bit off, the next one on, as gcc has it.
    let quiet = format.nan() & !format.infinity();
    let bits = format.nan() & !quiet | quiet >> 1 | format.infinity();
    Ok(Value::bits(bits).marked(Marks::library(Choice::Bits)))
}

fn classification(exec: &mut Exec<'_>, call: &NativeCall<'_>, base: &str, format: Format) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    let class = arith::classify(format, x.to_bits());
    if base == "__fpclassify" {
        // glibc's FP_NAN to FP_NORMAL.
        return Ok(int(class as i32).marked(x.marks.of_number()));
    }
    let holds = match base.trim_start_matches('_') {
        "isnan" => class == FloatClass::Nan,
        "isinf" => class == FloatClass::Infinite,
        _ => !matches!(class, FloatClass::Nan | FloatClass::Infinite),
    };
    Ok(truth(holds).marked(x.marks.of_number()))
}

/// "Nonzero" or 0: the macros of 7.12.3 promise no more.
pub(super) fn truth(holds: bool) -> Value {
    if holds { Value::int(1).marked(Marks::library(Choice::Nonzero)) } else { Value::int(0) }
}

fn signbit(exec: &mut Exec<'_>, call: &NativeCall<'_>, _: &str, format: Format) -> Run<Value> {
    let x = exec.real_arg(call, 0, format)?;
    Ok(sign_of(format, &x))
}

/// `signbit`: the sign of a NaN made by arithmetic is open.
pub(super) fn sign_of(format: Format, x: &Value) -> Value {
    let value = truth(x.to_bits() & format.sign_bit() != 0);
    if x.marks.has(Marks::OPEN) {
        return Value::int(value.low).marked(x.marks.intersection(Marks::OPEN));
    }
    value
}

impl Exec<'_> {
    /// Whether a type is a real floating one.
    pub(super) fn float_format(&self, ty: Type) -> Run<Format> {
        match self.program.types.kind(ty) {
            TypeKind::Float(kind) => Ok(arith::float_format(kind)),
            _ => ub(UbKind::CallArguments),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted_and_found() {
        assert!(FUNCTIONS.is_sorted_by(|a, b| a.0 < b.0));
        for (name, base, format) in [
            ("floor", "floor", Format::F64),
            ("floorf", "floor", Format::F32),
            ("ceill", "ceil", Format::X87),
            ("infq", "inf", Format::F128),
            ("modff", "modf", Format::F32),
            ("inff", "inf", Format::F32),
            ("infl", "inf", Format::X87),
        ] {
            let found = lookup(name).map(|(base, _, format)| (base, format));
            assert_eq!(found, Some((base, format)), "{name}");
        }
        assert!(lookup("gamma").is_none());
    }
}
