//! Builtins that are operators: their types depend on their operands. What they are called is in `crate::builtin`.

use super::convert::{convert_arithmetic, convert_as_if_assigned, usual, value};
use super::query::is_va_list;
use super::{Built, Cx, Purpose, Violation};
use crate::builtin::{Rule, name, rule};
use crate::fold;
use crate::layout;
use crate::program::{Builtin, ExprId, ExprKind};
use crate::source::Pos;
use crate::ty::{Quals, Type, TypeKind};

/// An operator-like builtin applied to `args`.
pub fn builtin(cx: &mut Cx, which: Builtin, args: &[ExprId], pos: Pos) -> Built {
    let Some(rule) = rule(which) else {
        return cx.reject(pos, format!("builtin {} does not exist", which.0));
    };
    match rule {
        Rule::Inspect => {
            let [e] = fixed(cx, which, args, pos)?;
            let e = value(cx, e)?;
            Ok(make(cx, which, &[e], Type::INT, pos))
        }
        Rule::Classify => {
            let [e] = fixed(cx, which, args, pos)?;
            let e = floating(cx, which, e, pos)?;
            Ok(make(cx, which, &[e], Type::INT, pos))
        }
        Rule::Compare => compare(cx, which, args, pos),
        Rule::FpClassify => {
            let [nan, infinite, normal, subnormal, zero, e] = fixed(cx, which, args, pos)?;
            let mut list = [nan, infinite, normal, subnormal, zero, e];
            for (index, slot) in list[..5].iter_mut().enumerate() {
                *slot = argument(cx, which, index, *slot, Type::INT, pos)?;
            }
            list[5] = floating(cx, which, e, pos)?;
            Ok(make(cx, which, &list, Type::INT, pos))
        }
        Rule::Overflow | Rule::OverflowP => overflow(cx, which, rule == Rule::Overflow, args, pos),
        Rule::Complex => complex(cx, which, args, pos),
        Rule::Shuffle => shuffle(cx, which, args, pos),
        Rule::ShuffleVector => shuffle_vector(cx, which, args, pos),
        Rule::ConvertVector => cx.reject(pos, "'__builtin_convertvector' needs a type"),
        Rule::VaStart => {
            // `va_start(ap)` is C23; the second operand only names the last parameter.
            let [list, last] = fixed(cx, which, args, pos)?;
            let list = va_list(cx, which, list, pos)?;
            let last = value(cx, last)?;
            if cx.types().is_void(cx.ty(last)) {
                return cx.reject(pos, "invalid use of void expression");
            }
            Ok(make(cx, which, &[list, last], Type::VOID, pos))
        }
        Rule::VaEnd => {
            let [list] = fixed(cx, which, args, pos)?;
            let list = va_list(cx, which, list, pos)?;
            Ok(make(cx, which, &[list], Type::VOID, pos))
        }
        Rule::VaCopy => {
            let [to, from] = fixed(cx, which, args, pos)?;
            let to = va_list(cx, which, to, pos)?;
            let from = va_list(cx, which, from, pos)?;
            Ok(make(cx, which, &[to, from], Type::VOID, pos))
        }
        Rule::Identity => {
            let [e] = fixed(cx, which, args, pos)?;
            let e = value(cx, e)?;
            let ty = cx.ty(e);
            Ok(make(cx, which, &[e], ty, pos))
        }
        Rule::Safe => safe(cx, which, args, pos),
        Rule::Atomic(shape) => atomic(cx, which, shape, args, pos),
    }
}

/// `__builtin_convertvector(e, to)`: element by element, as a C cast would.
pub fn convert_vector(cx: &mut Cx, e: ExprId, to: Type, pos: Pos) -> Built {
    let e = value(cx, e)?;
    let to = cx.types().strip(to).bare();
    let TypeKind::Vector { elem: from_elem, lanes: from } = cx.types().kind(cx.ty(e)) else {
        let message = "'__builtin_convertvector' first argument must be an integer or floating vector";
        return cx.reject(pos, message);
    };
    let TypeKind::Vector { elem, lanes } = cx.types().kind(to) else {
        let message = "'__builtin_convertvector' second argument must be an integer or floating vector type";
        return cx.reject(pos, message);
    };
    if lanes != from {
        let message = "'__builtin_convertvector' number of elements of the first argument vector and the second \
                       argument vector type should be the same";
        return cx.reject(pos, message);
    }
    debug_assert!(cx.types().is_real(elem) && cx.types().is_real(from_elem), "elements of vectors are real");
    Ok(make(cx, crate::builtin::CONVERTVECTOR, &[e], to, pos))
}

fn make(cx: &mut Cx, which: Builtin, args: &[ExprId], ty: Type, pos: Pos) -> ExprId {
    let list = cx.program.add_list(args);
    cx.push(ExprKind::Builtin(which, list), ty, pos)
}

/// The operands, if there are exactly `N`.
fn fixed<const N: usize>(
    cx: &Cx,
    which: Builtin,
    args: &[ExprId],
    pos: Pos,
) -> Result<[ExprId; N], Box<Violation>> {
    match <[ExprId; N]>::try_from(args) {
        Ok(args) => Ok(args),
        Err(_) if args.len() < N => {
            cx.reject(pos, format!("too few arguments to function '{}'", name(which)))
        }
        Err(_) => cx.reject(pos, format!("too many arguments to function '{}'", name(which))),
    }
}

/// The value of the operand with this index, converted to `to` as an argument is.
fn argument(cx: &mut Cx, which: Builtin, index: usize, e: ExprId, to: Type, pos: Pos) -> Built {
    let symbol = cx.program.symbols.intern(name(which));
    convert_as_if_assigned(cx, Purpose::Argument(index as u32 + 1, Some(symbol)), e, to, pos)
}

/// A real floating value, which is not promoted.
fn floating(cx: &mut Cx, which: Builtin, e: ExprId, pos: Pos) -> Built {
    let e = value(cx, e)?;
    if !cx.types().is_float(cx.ty(e)) {
        let message = format!("non-floating-point argument in call to function '{}'", name(which));
        return cx.reject(pos, message);
    }
    Ok(e)
}

fn compare(cx: &mut Cx, which: Builtin, args: &[ExprId], pos: Pos) -> Built {
    let [a, b] = fixed(cx, which, args, pos)?;
    let (a, b) = (value(cx, a)?, value(cx, b)?);
    let types = cx.types();
    let (x, y) = (cx.ty(a), cx.ty(b));
    if !types.is_real(x) || !types.is_real(y) || !(types.is_float(x) || types.is_float(y)) {
        let message = format!("non-floating-point arguments in call to function '{}'", name(which));
        return cx.reject(pos, message);
    }
    let (a, b, _) = usual(cx, a, b);
    Ok(make(cx, which, &[a, b], Type::INT, pos))
}

/// `__builtin_add_overflow` and its kin: the operation is exact, so the operands are not converted.
fn overflow(cx: &mut Cx, which: Builtin, through_pointer: bool, args: &[ExprId], pos: Pos) -> Built {
    let [a, b, result] = fixed(cx, which, args, pos)?;
    let mut list = [a, b, result];
    for slot in &mut list {
        *slot = value(cx, *slot)?;
    }
    let checked = if through_pointer { 2 } else { 3 };
    for (index, &e) in list[..checked].iter().enumerate() {
        if !cx.types().is_integer(cx.ty(e)) {
            let message = format!(
                "argument {} in call to function '{}' does not have integral type",
                index + 1,
                name(which)
            );
            return cx.reject(pos, message);
        }
    }
    if through_pointer {
        let target = cx.types().pointee(cx.ty(list[2]));
        match target.map(|to| (to, cx.types().kind(to))) {
            Some((to, TypeKind::Int(_))) => {
                let quals = cx.types().quals(to);
                for (qualifier, word) in [(Quals::CONST, "const"), (Quals::ATOMIC, "_Atomic")] {
                    if quals.contains(qualifier) {
                        let which = name(which);
                        let message =
                            format!("argument 3 in call to function '{which}' has pointer to '{word}' type");
                        return cx.reject(pos, message);
                    }
                }
            }
            Some((_, kind @ (TypeKind::Bool | TypeKind::Enum(_)))) => {
                let what = if kind == TypeKind::Bool { "boolean" } else { "enumerated" };
                let message =
                    format!("argument 3 in call to function '{}' has pointer to {what} type", name(which));
                return cx.reject(pos, message);
            }
            _ => {
                let message = format!(
                    "argument 3 in call to function '{}' does not have pointer to integral type",
                    name(which)
                );
                return cx.reject(pos, message);
            }
        }
    }
    Ok(make(cx, which, &list, Type::BOOL, pos))
}

fn complex(cx: &mut Cx, which: Builtin, args: &[ExprId], pos: Pos) -> Built {
    let [a, b] = fixed(cx, which, args, pos)?;
    let (a, b) = (value(cx, a)?, value(cx, b)?);
    if !cx.types().is_float(cx.ty(a)) || !cx.types().is_float(cx.ty(b)) {
        return cx.reject(pos, "'__builtin_complex' operand not of real binary floating-point type");
    }
    if cx.ty(a) != cx.ty(b) {
        return cx.reject(pos, "'__builtin_complex' operands of different types");
    }
    let ty = cx.ty(a);
    let ty = cx.program.types.complex(ty);
    Ok(make(cx, which, &[a, b], ty, pos))
}

/// `__builtin_shuffle(v, mask)` and `__builtin_shuffle(v, w, mask)`.
fn shuffle(cx: &mut Cx, which: Builtin, args: &[ExprId], pos: Pos) -> Built {
    let mut list = Vec::with_capacity(3);
    for &e in args {
        list.push(value(cx, e)?);
    }
    let (vectors, mask) = match *list.as_slice() {
        [_, mask] => (&list[..1], mask),
        [_, _, mask] => (&list[..2], mask),
        _ => return cx.reject(pos, "wrong number of arguments to '__builtin_shuffle'"),
    };
    let ty = cx.ty(vectors[0]);
    let types = cx.types();
    let TypeKind::Vector { elem: index, lanes } = types.kind(cx.ty(mask)) else {
        return cx.reject(pos, "'__builtin_shuffle' last argument must be an integer vector");
    };
    if !types.is_integer(index) {
        return cx.reject(pos, "'__builtin_shuffle' last argument must be an integer vector");
    }
    let TypeKind::Vector { elem, lanes: width } = types.kind(ty) else {
        return cx.reject(pos, "'__builtin_shuffle' arguments must be vectors");
    };
    if vectors.iter().any(|&other| cx.ty(other) != ty) {
        return cx.reject(pos, "'__builtin_shuffle' argument vectors must be of the same type");
    }
    if lanes != width {
        let message = "'__builtin_shuffle' number of elements of the argument vector(s) and the mask vector should \
                       be the same";
        return cx.reject(pos, message);
    }
    if layout::size_of(types, &cx.program.target, elem) != layout::size_of(types, &cx.program.target, index) {
        return cx.reject(pos, "'__builtin_shuffle' argument vector(s) inner type must have the same size as inner type of the mask");
    }
    Ok(make(cx, which, &list, ty, pos))
}

/// `__builtin_shufflevector(v, w, index…)`: one element for each index, which are constants.
fn shuffle_vector(cx: &mut Cx, which: Builtin, args: &[ExprId], pos: Pos) -> Built {
    let [first, second, indices @ ..] = args else {
        return cx.reject(pos, "wrong number of arguments to '__builtin_shufflevector'");
    };
    let mut list = vec![value(cx, *first)?, value(cx, *second)?];
    let (TypeKind::Vector { elem, lanes: a }, TypeKind::Vector { elem: other, lanes: b }) =
        (cx.types().kind(cx.ty(list[0])), cx.types().kind(cx.ty(list[1])))
    else {
        return cx.reject(pos, "'__builtin_shufflevector' arguments must be vectors");
    };
    if elem != other {
        return cx.reject(pos, "'__builtin_shufflevector' argument vectors must have the same element type");
    }
    if indices.is_empty() || !indices.len().is_power_of_two() {
        return cx.reject(
            pos,
            "'__builtin_shufflevector' must specify a result with a power of two number of elements",
        );
    }
    for &index in indices {
        let index = value(cx, index)?;
        match fold::integer(cx.program, index) {
            Some(at) if at >= -1 && at < i128::from(a) + i128::from(b) => list.push(index),
            Some(at) => {
                return cx.reject(pos, format!("invalid element index '{at}' to '__builtin_shufflevector'"));
            }
            None => {
                return cx.reject(pos, "invalid element index to '__builtin_shufflevector'");
            }
        }
    }
    let ty = cx.program.types.vector(elem, indices.len() as u32);
    Ok(make(cx, which, &list, ty, pos))
}

/// A `va_list` operand, which stays as it is: it is read and changed in place.
fn va_list(cx: &Cx, which: Builtin, e: ExprId, pos: Pos) -> Built {
    if !is_va_list(cx, cx.ty(e)) {
        return cx.reject(pos, format!("argument of '{}' is not of type 'va_list'", name(which)));
    }
    Ok(e)
}

/// `__builtin_speculation_safe_value(e)` and `(e, instead)`.
fn safe(cx: &mut Cx, which: Builtin, args: &[ExprId], pos: Pos) -> Built {
    let (&e, instead) = match args {
        [e] => (e, None),
        [e, instead] => (e, Some(*instead)),
        _ => return cx.reject(pos, format!("too many arguments to function '{}'", name(which))),
    };
    let e = value(cx, e)?;
    let ty = cx.ty(e);
    if !cx.types().is_integer(ty) && cx.types().pointee(ty).is_none() {
        let name = cx.name(ty);
        return cx.reject(
            pos,
            format!(
                "operand type '{name}' is incompatible with argument 1 of '__builtin_speculation_safe_value'"
            ),
        );
    }
    match instead {
        Some(instead) => {
            let instead = argument(cx, which, 1, instead, ty, pos)?;
            Ok(make(cx, which, &[e, instead], ty, pos))
        }
        None => Ok(make(cx, which, &[e], ty, pos)),
    }
}

/// The `__atomic` and `__sync` operators; see [`Rule::Atomic`] for the shape.
fn atomic(cx: &mut Cx, which: Builtin, shape: &str, args: &[ExprId], pos: Pos) -> Built {
    let (result, operands) = shape.split_once(' ').unwrap_or(("v", ""));
    let (operands, more) = match operands.strip_suffix('.') {
        Some(operands) => (operands, true),
        None => (operands, false),
    };
    if args.len() <= operands.len() {
        return cx.reject(pos, format!("too few arguments to function '{}'", name(which)));
    }
    if args.len() > operands.len() + 1 && !more {
        return cx.reject(pos, format!("too many arguments to function '{}'", name(which)));
    }
    let generic = operands.contains('p') && !operands.contains('x');
    let pointer = value(cx, args[0])?;
    let target = accessed(cx, which, pointer, generic, pos)?;
    let mut list = vec![pointer];
    for (index, kind) in operands.bytes().enumerate() {
        let e = args[index + 1];
        let e = match kind {
            b'x' => operand(cx, which, index + 1, e, target, pos)?,
            b'p' => {
                let e = value(cx, e)?;
                if cx.types().pointee(cx.ty(e)).is_none() {
                    let message =
                        format!("argument {} of '{}' must be a pointer type", index + 2, name(which));
                    return cx.reject(pos, message);
                }
                e
            }
            b'b' => argument(cx, which, index + 1, e, Type::BOOL, pos)?,
            _ => argument(cx, which, index + 1, e, Type::INT, pos)?,
        };
        list.push(e);
    }
    let ty = match result {
        "x" => target,
        "b" => Type::BOOL,
        _ => Type::VOID,
    };
    Ok(make(cx, which, &list, ty, pos))
}

/// The type an atomic operator works on, without qualifiers: an integer or pointer of 1, 2, 4, 8 or 16 bytes,
/// anything complete for the generic forms.
fn accessed(
    cx: &mut Cx,
    which: Builtin,
    pointer: ExprId,
    generic: bool,
    pos: Pos,
) -> Result<Type, Box<Violation>> {
    let ty = cx.ty(pointer);
    let Some(to) = cx.types().pointee(ty) else {
        let name_of = cx.name(ty);
        let message =
            format!("operand type '{name_of}' is incompatible with argument 1 of '{}'", name(which));
        return cx.reject(pos, message);
    };
    let bare = cx.program.types.unqualified(to);
    let bare = cx.types().strip(bare).bare();
    let types = cx.types();
    let scalar = types.is_integer(bare) || types.pointee(bare).is_some();
    let sized = matches!(layout::size_of(types, &cx.program.target, bare), Some(1 | 2 | 4 | 8 | 16));
    if (generic && types.is_complete(bare) && !types.is_void(bare)) || (scalar && sized) {
        return Ok(bare);
    }
    let name_of = cx.name(ty);
    cx.reject(pos, format!("operand type '{name_of}' is incompatible with argument 1 of '{}'", name(which)))
}

/// An operand of the type that is accessed. Pointers and integers mix here without a word: gcc computes in integers.
fn operand(cx: &mut Cx, which: Builtin, index: usize, e: ExprId, to: Type, pos: Pos) -> Built {
    let e = value(cx, e)?;
    let from = cx.ty(e);
    let types = cx.types();
    let pointerish = |ty| types.pointee(ty).is_some() || types.is_integer(ty);
    if from != to && pointerish(from) && pointerish(to) && !fold::is_null_pointer_constant(cx.program, e) {
        return Ok(convert_arithmetic(cx, e, to));
    }
    argument(cx, which, index, e, to, pos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use crate::builtin::{BuiltinDef, lookup};
    use crate::program::{IntForm, Object, Program};
    use crate::target::Target;

    /// A value of type `ty`.
    fn value_of(cx: &mut Cx, ty: Type) -> ExprId {
        let obj = cx.program.objects.push(Object::unnamed(ty));
        build::object(cx, obj, Pos::NONE)
    }

    fn apply(cx: &mut Cx, name: &str, types: &[Type]) -> Result<Type, String> {
        let Some(BuiltinDef::Operator(which)) = lookup(name) else { panic!("{name} is an operator") };
        let args: Vec<ExprId> = types.iter().map(|&ty| value_of(cx, ty)).collect();
        builtin(cx, which, &args, Pos::NONE).map(|e| cx.ty(e)).map_err(|violation| violation.message)
    }

    #[test]
    fn types_follow_operands() {
        let mut program = Program::new(Target::X86_64_GCC);
        let pointer = program.types.pointer(Type::LONG);
        let pair = program.types.pointer(Type::CHAR);
        let vector = program.types.vector(Type::INT, 4);
        let complex = program.types.complex(Type::FLOAT);
        let cx = &mut Cx::strict(&mut program);
        for (name, operands, result) in [
            ("__builtin_constant_p", vec![pair], Type::INT),
            ("__builtin_isnan", vec![Type::FLOAT], Type::INT),
            ("__builtin_isless", vec![Type::FLOAT, Type::INT], Type::INT),
            ("__builtin_add_overflow", vec![Type::CHAR, Type::ULONG, pointer], Type::BOOL),
            ("__builtin_mul_overflow_p", vec![Type::CHAR, Type::ULONG, Type::SHORT], Type::BOOL),
            ("__builtin_complex", vec![Type::FLOAT, Type::FLOAT], complex),
            ("__builtin_shuffle", vec![vector, vector], vector),
            ("__sync_fetch_and_add", vec![pointer, Type::CHAR], Type::LONG),
            ("__sync_bool_compare_and_swap", vec![pointer, Type::INT, Type::INT, Type::INT], Type::BOOL),
            ("__atomic_load_n", vec![pointer, Type::INT], Type::LONG),
            ("__atomic_store_n", vec![pointer, Type::INT, Type::INT], Type::VOID),
            ("__builtin_assoc_barrier", vec![Type::DOUBLE], Type::DOUBLE),
        ] {
            assert_eq!(apply(cx, name, &operands), Ok(result), "{name}");
        }
    }

    #[test]
    fn wrong_operands_are_named() {
        let mut program = Program::new(Target::X86_64_GCC);
        let pointer = program.types.pointer(Type::BOOL);
        let cx = &mut Cx::strict(&mut program);
        for (name, operands, message) in [
            ("__builtin_isnan", vec![Type::INT], "non-floating-point argument in call"),
            ("__builtin_isnan", vec![], "too few arguments to function '__builtin_isnan'"),
            ("__builtin_isless", vec![Type::INT, Type::INT], "non-floating-point arguments in call"),
            ("__builtin_add_overflow", vec![Type::INT, Type::INT, pointer], "pointer to boolean type"),
            ("__builtin_add_overflow", vec![Type::INT, Type::FLOAT, pointer], "does not have integral type"),
            ("__builtin_complex", vec![Type::FLOAT, Type::DOUBLE], "operands of different types"),
            ("__sync_fetch_and_add", vec![Type::INT, Type::INT], "incompatible with argument 1"),
            ("__atomic_load_n", vec![pointer, Type::INT, Type::INT], "too many arguments"),
            ("__builtin_va_end", vec![Type::INT], "'va_list'"),
        ] {
            let found = apply(cx, name, &operands).expect_err(name);
            assert!(found.contains(message), "{name}: {found}");
        }
    }

    #[test]
    fn shuffled_vectors_have_one_element_per_index() {
        let mut program = Program::new(Target::X86_64_GCC);
        let vector = program.types.vector(Type::FLOAT, 2);
        let wider = program.types.vector(Type::FLOAT, 4);
        let doubles = program.types.vector(Type::DOUBLE, 2);
        let cx = &mut Cx::strict(&mut program);
        let mut args = vec![value_of(cx, vector), value_of(cx, vector)];
        for value in [3, 2, 1, 0] {
            args.push(build::int(cx, value, IntForm::Decimal, Type::INT, Pos::NONE));
        }
        let e = builtin(cx, crate::builtin::SHUFFLEVECTOR, &args, Pos::NONE).expect("four indices");
        assert_eq!(cx.ty(e), wider);
        let converted = convert_vector(cx, args[0], doubles, Pos::NONE).expect("two elements each");
        assert_eq!(cx.ty(converted), doubles);
        assert!(convert_vector(cx, e, doubles, Pos::NONE).is_err());
    }
}
