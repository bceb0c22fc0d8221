//! Calls that gcc folds: its builtins on constant operands, and library functions it knows.

use super::{Base, Const, Mode, eval, num};
use crate::arith::{self, BitOp, Num};
use crate::builtin::{self, BuiltinDef};
use crate::program::{Builtin, Conv, ExprId, ExprKind, Linkage, Program, StrUnits};
use crate::target::Compiler;
use crate::ty::{RecordKind, Type, TypeKind};

/// Functions whose value depends on the rounding mode, or that do more than return a value.
const NOT_FOLDED: &[&str] = &[
    "frexp",
    "gamma",
    "irint",
    "lgamma",
    "llrint",
    "lrint",
    "modf",
    "nearbyint",
    "remquo",
    "rint",
    "scalb",
    "significand",
    "sincos",
];

/// Functions on strings, folded if these are literals.
const ON_TEXT: &[&str] = &[
    "index", "memchr", "memcmp", "rindex", "strchr", "strcmp", "strcspn", "strlen", "strncmp", "strpbrk",
    "strrchr", "strspn", "strstr",
];

/// Functions on integers whose value is not needed here.
const ON_INTEGERS: &[&str] = &["abs", "imaxabs", "isascii", "isdigit", "labs", "llabs", "toascii"];

/// Operators on constants whose value is not needed here.
const OPERATORS: &[Builtin] = &[
    builtin::ADD_OVERFLOW_P,
    builtin::COMPLEX,
    builtin::CONVERTVECTOR,
    builtin::FINITE,
    builtin::FPCLASSIFY,
    builtin::ISFINITE,
    builtin::ISGREATER,
    builtin::ISGREATEREQUAL,
    builtin::ISINF,
    builtin::ISINF_SIGN,
    builtin::ISLESS,
    builtin::ISLESSEQUAL,
    builtin::ISLESSGREATER,
    builtin::ISNAN,
    builtin::ISNORMAL,
    builtin::ISUNORDERED,
    builtin::MUL_OVERFLOW_P,
    builtin::SHUFFLE,
    builtin::SHUFFLEVECTOR,
    builtin::SIGNBIT,
    builtin::SUB_OVERFLOW_P,
];

/// The value of a call.
pub(super) fn function(program: &Program, callee: ExprId, args: &[ExprId], ty: Type) -> Option<Const> {
    let ExprKind::Convert(Conv::FunctionDecay, designator) = program.exprs[callee].kind else { return None };
    let ExprKind::Function(func) = program.exprs[designator].kind else { return None };
    let function = &program.funcs[func];
    let name = program.name(function.name);
    if function.linkage != Linkage::External || !matches!(builtin::lookup(name)?, BuiltinDef::Function(_)) {
        return None;
    }
    if name == "__atomic_always_lock_free" {
        return always_lock_free(program, args);
    }
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let values: Option<Vec<Const>> = args.iter().map(|&arg| eval(program, arg, Mode::Static)).collect();
    let values = values?;
    let first = args.first().copied().zip(values.first().copied());
    if let (Some(op), Some((arg, value))) = (bit_operation(name), first) {
        return match value {
            Const::Num(bits) => {
                let value = arith::bit_operation(op, num(program, program.ty(arg))?, bits);
                Some(value.map_or(Const::Opaque, Const::Num))
            }
            _ => None,
        };
    }
    if ON_TEXT.contains(&name) {
        return text_function(program, name, args, &values);
    }
    match name {
        "expect" | "expect_with_probability" => values.first().copied(),
        _ if ON_INTEGERS.contains(&name) => Some(Const::Opaque),
        _ => mathematical(program, name, ty),
    }
}

/// Whether objects of this size are always lock-free: those an instruction of the base machine takes. An object that is
/// known to be aligned less is not looked for.
fn always_lock_free(program: &Program, args: &[ExprId]) -> Option<Const> {
    let &[size, pointer] = args else { return None };
    let Const::Num(size) = eval(program, size, Mode::Static)? else { return None };
    let mut at = pointer;
    while let ExprKind::Convert(_, of) | ExprKind::Cast(_, of) = program.exprs[at].kind {
        at = of;
    }
    let any = matches!(eval(program, at, Mode::Static), Some(Const::Num(0)));
    let to = program.types.pointee(program.ty(at));
    let align = match to {
        Some(to) if !any => program.layouts.align_of(&program.types, to).map_or(1, u128::from),
        _ => u128::MAX,
    };
    Some(super::flag(matches!(size, 1 | 2 | 4 | 8) && align >= size))
}

/// Mathematical functions: only infinities and NaNs are needed as values.
fn mathematical(program: &Program, name: &str, ty: Type) -> Option<Const> {
    let base = builtin::math_base(name)?;
    match (base, num(program, ty)) {
        ("inf" | "huge_val", Some(Num::Float(format))) => Some(Const::Num(format.infinity())),
        ("nan" | "nans", Some(Num::Float(format))) => Some(Const::Num(format.nan())),
        _ => (!NOT_FOLDED.contains(&base)).then_some(Const::Opaque),
    }
}

fn text_function(program: &Program, name: &str, args: &[ExprId], values: &[Const]) -> Option<Const> {
    let literal = |(&arg, &value): (&ExprId, &Const)| {
        program.types.pointee(program.ty(arg)).is_none()
            || matches!(value, Const::Address { base: Some(Base::Text(_)), .. })
    };
    if !args.iter().zip(values).all(literal) {
        return None;
    }
    match (name, values) {
        ("strlen", &[Const::Address { base: Some(Base::Text(text)), offset }]) => {
            length(program, text, offset).map(Const::Num)
        }
        _ => Some(Const::Opaque),
    }
}

/// The length of a string literal from a byte on.
fn length(program: &Program, text: ExprId, offset: i128) -> Option<u128> {
    let ExprKind::Str(id) = program.exprs[text].kind else { return None };
    let StrUnits::Narrow(bytes) = &program.strings[id].units else { return None };
    let rest = bytes.get(usize::try_from(offset).ok()?..)?;
    u128::try_from(rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len())).ok()
}

/// The bit operation a builtin does on its operand's type.
fn bit_operation(name: &str) -> Option<BitOp> {
    let family = name.strip_suffix("imax").unwrap_or_else(|| name.trim_end_matches('l'));
    Some(match family {
        "popcount" => BitOp::Popcount,
        "parity" => BitOp::Parity,
        "clz" => BitOp::Clz,
        "ctz" => BitOp::Ctz,
        "ffs" => BitOp::Ffs,
        "clrsb" => BitOp::Clrsb,
        "bswap16" | "bswap32" | "bswap64" | "bswap128" => BitOp::Bswap,
        _ => return None,
    })
}

/// The value of an operator-like builtin.
pub(super) fn operator(program: &Program, which: Builtin, args: &[ExprId]) -> Option<Const> {
    if let (builtin::CLASSIFY_TYPE, [arg]) = (which, args) {
        return type_class(program, program.ty(*arg)).map(Const::Num);
    }
    let constant = || args.iter().all(|&arg| eval(program, arg, Mode::Static).is_some());
    (OPERATORS.contains(&which) && constant()).then_some(Const::Opaque)
}

/// What `__builtin_classify_type` gives for an operand of this type: gcc's `enum type_class`. The operand is converted
/// as an argument would be, and not evaluated.
fn type_class(program: &Program, ty: Type) -> Option<u128> {
    Some(match program.types.kind(ty) {
        TypeKind::Void => 0,
        TypeKind::Bool if program.target.compiler == Compiler::Clang => 4,
        TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Bits { .. } => 1,
        TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function(_) => 5,
        TypeKind::Float(_) => 8,
        TypeKind::Complex(_) => 9,
        TypeKind::Record(id) if program.types.records[id].kind == RecordKind::Union => 13,
        TypeKind::Record(_) => 12,
        TypeKind::Vector { .. } | TypeKind::Variant(_) => return None,
    })
}
