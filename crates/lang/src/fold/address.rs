//! Addresses as constants (C17 6.6p9), and what gcc reads through them.

use super::{Base, Const, Mode, eval, flag, integer_in, num, truncate};
use crate::arith::{self, Num};
use crate::program::{
    BinaryOp, Conv, Duration, ExprId, ExprKind, Init, InitId, ObjId, PathStep, Program, StrUnits, UnaryOp,
};
use crate::target::Compiler;
use crate::ty::{Quals, Type, TypeKind};

/// Whether nothing can be linked at address 0 here. A weak declaration may stay without a definition.
pub(super) fn is_never_null(program: &Program, base: Base) -> bool {
    let attrs = match base {
        Base::Object(obj) => &program.objects[obj].attrs,
        Base::Function(func) => &program.funcs[func].attrs,
        Base::Text(_) | Base::Label(_) => return true,
    };
    !attrs.iter().any(|attr| matches!(program.name(attr.name), "weak" | "weakref"))
}

/// The value of `offsetof`.
pub(super) fn offset(program: &Program, ty: Type, path: &[PathStep], mode: Mode) -> Option<Const> {
    let mut offset = 0i128;
    let mut ty = ty;
    for &step in path {
        match step {
            PathStep::Field(record, field) => {
                let layout = program.layouts.record(&program.types, record)?;
                offset += i128::from(layout.fields.get(field as usize)?.bit_offset / 8);
                ty = program.types.records[record].fields[field as usize].ty;
            }
            PathStep::Index(index) => {
                let TypeKind::Array { elem, .. } = program.types.kind(ty) else { return None };
                let size = i128::from(program.size_of(elem)?);
                offset = offset.checked_add(integer_in(program, index, mode)?.checked_mul(size)?)?;
                ty = elem;
            }
        }
    }
    Some(Const::Num(truncate(offset.cast_unsigned(), program.target.layout().pointer.saturating_mul(8))))
}

/// An operator with an address on at least one side. In an integer of its own width an address is still one.
pub(super) fn binary(
    program: &Program,
    ty: Type,
    op: BinaryOp,
    (a, x): (ExprId, Const),
    (b, y): (ExprId, Const),
) -> Option<Const> {
    // A number beside an address is a place without base if both are integers, else a count of elements.
    let integers = program.types.is_integer(program.ty(a)) && program.types.is_integer(program.ty(b));
    let as_integer = |e: ExprId, bits: u128| Some(num(program, program.ty(e))?.number(bits));
    let as_place = |e: ExprId, value: Const| match value {
        Const::Num(bits) if integers => Some(Const::Address { base: None, offset: as_integer(e, bits)? }),
        _ => Some(value),
    };
    match (x, y, op) {
        (Const::Address { base, offset }, Const::Num(bits), BinaryOp::Add | BinaryOp::Sub) => {
            let by = as_integer(b, bits)?.checked_mul(step(program, a)?)?;
            let by = if op == BinaryOp::Sub { by.checked_neg()? } else { by };
            return Some(Const::Address { base, offset: offset.checked_add(by)? });
        }
        (Const::Num(bits), Const::Address { base, offset }, BinaryOp::Add) => {
            let by = as_integer(a, bits)?.checked_mul(step(program, b)?)?;
            return Some(Const::Address { base, offset: offset.checked_add(by)? });
        }
        // The low bits of an address are known from the object's alignment.
        (Const::Address { .. }, Const::Num(_), BinaryOp::BitAnd) => return Some(Const::Opaque),
        _ => {}
    }
    let (x, y) = (as_place(a, x)?, as_place(b, y)?);
    let (Const::Address { base: first, offset: m }, Const::Address { base: second, offset: n }) = (x, y)
    else {
        return None;
    };
    if same_base(program, first, second) {
        return match op {
            BinaryOp::Add if first.is_none() => {
                Some(Const::Address { base: None, offset: m.checked_add(n)? })
            }
            BinaryOp::Sub => {
                let difference = m.checked_sub(n)?.checked_div(step(program, a)?)?;
                let Num::Int { width, .. } = num(program, ty)? else { return None };
                Some(Const::Num(truncate(difference.cast_unsigned(), width)))
            }
            _ => compare(op, m, n).map(flag),
        };
    }
    let labels = matches!((first, second), (Some(Base::Label(_)), Some(Base::Label(_))));
    match (first, second) {
        _ if op == BinaryOp::Sub => labels.then_some(Const::Opaque),
        // Nothing known to exist is at address 0, and everything is above it.
        (Some(base), None) if n == 0 && is_never_null(program, base) => compare(op, 1, 0).map(flag),
        (None, Some(base)) if m == 0 && is_never_null(program, base) => compare(op, 0, 1).map(flag),
        // Distinct objects start at distinct places.
        (Some(_), Some(_)) if m == 0 && n == 0 && matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
            Some(flag(op == BinaryOp::Ne))
        }
        _ => None,
    }
}

/// How far a pointer moves when 1 is added to it; an integer moves by 1.
fn step(program: &Program, e: ExprId) -> Option<i128> {
    match program.types.pointee(program.ty(e)) {
        // GNU C: void and functions have size 1.
        Some(to) if program.types.is_void(to) || program.types.is_function(to) => Some(1),
        Some(to) => program.size_of(to).map(i128::from),
        None => Some(1),
    }
}

fn compare(op: BinaryOp, m: i128, n: i128) -> Option<bool> {
    Some(match op {
        BinaryOp::Eq => m == n,
        BinaryOp::Ne => m != n,
        BinaryOp::Lt => m < n,
        BinaryOp::Gt => m > n,
        BinaryOp::Le => m <= n,
        BinaryOp::Ge => m >= n,
        _ => return None,
    })
}

/// Whether two bases are one. gcc takes equal string literals for one.
fn same_base(program: &Program, a: Option<Base>, b: Option<Base>) -> bool {
    match (a, b) {
        (Some(Base::Text(a)), Some(Base::Text(b))) if a != b => {
            match (program.exprs[a].kind, program.exprs[b].kind) {
                (ExprKind::Str(a), ExprKind::Str(b)) => program.strings[a] == program.strings[b],
                (ExprKind::FuncName(a), ExprKind::FuncName(b)) => a == b,
                _ => false,
            }
        }
        _ => a == b,
    }
}

/// Converts a constant between types.
pub(super) fn convert(program: &Program, value: Const, from: Type, to: Type) -> Option<Const> {
    let pointer_bits = u32::from(program.target.layout().pointer) * 8;
    match value {
        Const::Num(bits) => match (num(program, from), num(program, to)) {
            (Some(from), Some(to)) => Some(match arith::convert(from, to, bits) {
                Ok(bits) => Const::Num(bits),
                // Out of range: gcc folds it, clang leaves it to the processor.
                Err(_) if program.target.compiler == Compiler::Gcc => {
                    Const::Num(arith::saturated_convert(from, to, bits))
                }
                Err(_) => Const::Opaque,
            }),
            (Some(from), None) if program.types.pointee(to).is_some() => {
                Some(Const::Address { base: None, offset: from.number(bits) })
            }
            (_, None) => Some(Const::Opaque),
            _ => None,
        },
        Const::Address { base: None, offset } => match num(program, to) {
            Some(Num::Int { width, .. }) => Some(Const::Num(truncate(offset.cast_unsigned(), width))),
            Some(Num::Bool) => Some(flag(offset != 0)),
            Some(Num::Float(_)) => None,
            None => Some(value),
        },
        Const::Address { base: Some(base), .. } => match num(program, to) {
            // The linker fills in a whole address only (gcc: "initializer element is not computable").
            Some(Num::Int { width, .. }) => (u32::from(width) == pointer_bits).then_some(value),
            Some(Num::Bool) => {
                let pointer = program.types.pointee(from).is_some();
                (pointer && is_never_null(program, base)).then_some(flag(true))
            }
            Some(Num::Float(_)) => None,
            None => Some(value),
        },
        Const::Opaque => Some(Const::Opaque),
    }
}

/// The address of an lvalue or function designator that is an address constant (C17 6.6p9).
pub(super) fn lvalue(program: &Program, e: ExprId, mode: Mode) -> Option<Const> {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || lvalue_here(program, e, mode))
}

fn lvalue_here(program: &Program, e: ExprId, mode: Mode) -> Option<Const> {
    let at = |base| Some(Const::Address { base: Some(base), offset: 0 });
    let moved = |place: Const, by: i128| match place {
        Const::Address { base, offset } => Some(Const::Address { base, offset: offset.checked_add(by)? }),
        _ => None,
    };
    match program.exprs[e].kind {
        ExprKind::Object(obj) | ExprKind::CompoundLiteral(obj) => {
            (program.objects[obj].duration == Duration::Static).then_some(())?;
            at(Base::Object(obj))
        }
        ExprKind::Function(func) => at(Base::Function(func)),
        ExprKind::Str(_) | ExprKind::FuncName(_) => at(Base::Text(e)),
        ExprKind::Unary(UnaryOp::Deref, pointer) => eval(program, pointer, mode),
        ExprKind::Unary(UnaryOp::Real, of) => lvalue(program, of, mode),
        ExprKind::Unary(UnaryOp::Imag, of) => {
            let size = i128::from(program.size_of(program.ty(of))?);
            moved(lvalue(program, of, mode)?, size / 2)
        }
        ExprKind::Index { base, index } => {
            let place = match program.types.pointee(program.ty(base)) {
                Some(_) => eval(program, base, mode)?,
                None => lvalue(program, base, mode)?,
            };
            let size = i128::from(program.size_of(program.ty(e))?);
            moved(place, integer_in(program, index, mode)?.checked_mul(size)?)
        }
        ExprKind::Member { base, field } => {
            let record = program.types.as_record(program.ty(base))?;
            let layout = program.layouts.record(&program.types, record)?;
            moved(lvalue(program, base, mode)?, i128::from(layout.fields.get(field as usize)?.bit_offset / 8))
        }
        _ => None,
    }
}

/// The value of an lvalue in a static initialiser: gcc reads `const` objects, compound literals and characters of
/// string literals.
pub(super) fn load(program: &Program, e: ExprId) -> Option<Const> {
    match program.exprs[e].kind {
        ExprKind::CompoundLiteral(obj) => return literal(program, program.objects[obj].init?),
        ExprKind::Index { base, index } => {
            if let ExprKind::Convert(Conv::ArrayDecay, text) = program.exprs[base].kind
                && let Some(length) = text_length(program, text)
            {
                let index = integer_in(program, index, Mode::Static)?;
                return (0..=i128::from(length)).contains(&index).then(|| character(program, text, index));
            }
        }
        _ => {}
    }
    if let Some((obj, init)) = automatic_constant(program, e) {
        return match program.inits[init] {
            Init::Expr(value) if matches!(program.exprs[e].kind, ExprKind::Object(_)) => {
                Some(plain_value(program, obj, value))
            }
            _ => Some(Const::Opaque),
        };
    }
    let Const::Address { base: Some(Base::Object(obj)), .. } = lvalue(program, e, Mode::Static)? else {
        return None;
    };
    let object = &program.objects[obj];
    let quals = program.types.quals(object.ty);
    let readable = quals.contains(Quals::CONST) && !quals.contains(Quals::VOLATILE) && !object.literal;
    let init = object.init.filter(|_| readable)?;
    match (program.exprs[e].kind, program.inits[init]) {
        (ExprKind::Object(_), Init::Expr(value)) => Some(plain_value(program, obj, value)),
        // The object's initialiser was checked where it stands.
        _ => Some(Const::Opaque),
    }
}

/// A character of a string literal; the index is not beyond its final zero.
fn character(program: &Program, text: ExprId, index: i128) -> Const {
    let ExprKind::Str(id) = program.exprs[text].kind else { return Const::Opaque };
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    Const::Num(match &program.strings[id].units {
        StrUnits::Narrow(bytes) => bytes.get(index).map_or(0, |&byte| u128::from(byte)),
        StrUnits::Wide(units) => units.get(index).map_or(0, |&unit| u128::from(unit)),
    })
}

/// The automatic `const` object that `e` is or is part of, if its initialiser is constant: gcc reads these too. What
/// such an initialiser reads itself does not count, so that there is no end to follow.
fn automatic_constant(program: &Program, e: ExprId) -> Option<(ObjId, InitId)> {
    let mut whole = e;
    let obj = loop {
        match program.exprs[whole].kind {
            ExprKind::Object(obj) => break obj,
            ExprKind::Member { base, .. } => whole = base,
            ExprKind::Index { base, .. } => match program.exprs[base].kind {
                ExprKind::Convert(Conv::ArrayDecay, array) => whole = array,
                _ => return None,
            },
            _ => return None,
        }
    };
    let object = &program.objects[obj];
    let quals = program.types.quals(object.ty);
    let readable = object.duration == Duration::Automatic
        && quals.contains(Quals::CONST)
        && !quals.contains(Quals::VOLATILE);
    let init = object.init.filter(|_| readable)?;
    all_folded(program, init).then_some((obj, init))
}

fn all_folded(program: &Program, init: InitId) -> bool {
    match program.inits[init] {
        Init::Expr(e) => {
            matches!(program.exprs[e].kind, ExprKind::Str(_)) || eval(program, e, Mode::Folded).is_some()
        }
        Init::List(entries) | Init::Update(entries) => stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            program.init_entries(entries).iter().all(|entry| all_folded(program, entry.init))
        }),
    }
}

/// The value of an initialiser if it is a number as written, else unknown: initialisers that read each other again and
/// again would cost time without bound.
fn plain_value(program: &Program, obj: ObjId, value: ExprId) -> Const {
    let mut e = value;
    while let ExprKind::Convert(_, of) | ExprKind::Unary(UnaryOp::Neg, of) = program.exprs[e].kind {
        e = of;
    }
    let plain = matches!(program.exprs[e].kind, ExprKind::Int { .. } | ExprKind::Float(_));
    let same = program.types.strip(program.objects[obj].ty).bare() == program.ty(value).bare();
    match eval(program, value, Mode::Folded) {
        Some(known) if plain && same => known,
        _ => Const::Opaque,
    }
}

/// The value of a compound literal read where it stands.
fn literal(program: &Program, init: InitId) -> Option<Const> {
    match program.inits[init] {
        Init::Expr(e) if matches!(program.exprs[e].kind, ExprKind::Str(_)) => Some(Const::Opaque),
        Init::Expr(e) => eval(program, e, Mode::Static),
        Init::List(entries) | Init::Update(entries) => stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let all =
                program.init_entries(entries).iter().all(|entry| literal(program, entry.init).is_some());
            all.then_some(Const::Opaque)
        }),
    }
}

/// How many characters a string literal or `__func__` has, without the final zero.
fn text_length(program: &Program, e: ExprId) -> Option<u64> {
    match program.exprs[e].kind {
        ExprKind::Str(id) => Some(match &program.strings[id].units {
            StrUnits::Narrow(bytes) => bytes.len() as u64,
            StrUnits::Wide(units) => units.len() as u64,
        }),
        ExprKind::FuncName(_) => program.size_of(program.ty(e))?.checked_sub(1),
        _ => None,
    }
}
