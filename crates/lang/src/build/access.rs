//! Getting at parts and calling: members, subscripts, calls, and what may be modified.

use super::convert::{convert_as_if_assigned, promote_argument, value};
use super::operator::deref;
use super::query::is_lvalue;
use super::{Built, Cx, Purpose, Violation};
use crate::builtin::{self, BuiltinDef};
use crate::layout::integers;
use crate::program::{Conv, ExprId, ExprKind, FuncId, Function, Linkage, Program};
use crate::source::Pos;
use crate::symbol::Symbol;
use crate::target::Compiler;
use crate::ty::{Field, Quals, RecordId, Type, TypeKind};
use rustc_hash::FxHashSet;

/// `base.name`, or `base->name` (C17 6.5.2.3). A member found inside anonymous members gets one node per step.
pub fn member(cx: &mut Cx, base: ExprId, name: Symbol, arrow: bool, pos: Pos) -> Built {
    let mut base = base;
    if arrow {
        let pointer = value(cx, base)?;
        let ty = cx.ty(pointer);
        match cx.types().pointee(ty) {
            Some(to) if cx.types().as_record(to).is_some() => {}
            _ => {
                let name = cx.name(ty);
                return cx.reject(pos, format!("invalid type argument of '->' (have '{name}')"));
            }
        }
        base = deref(cx, pointer, pos)?;
    }
    let ty = cx.ty(base);
    let Some(record) = cx.types().as_record(ty) else {
        let member = cx.program.name(name).to_owned();
        return cx
            .reject(pos, format!("request for member '{member}' in something not a structure or union"));
    };
    if !cx.types().records[record].complete {
        let name = cx.name(ty);
        return cx.reject(pos, format!("invalid use of undefined type '{name}'"));
    }
    // Most records are small and most members direct; names of one record differ (C17 6.7.2.1p13).
    let fields = &cx.types().records[record].fields;
    let direct = fields.iter().take(16).position(|field| field.name == Some(name));
    if let Some(field) = direct {
        return Ok(field_of(cx, base, field as u32, pos));
    }
    let Some(path) = cx.program.layouts.find_field(cx.types(), record, name) else {
        let (ty, name) = (cx.name(ty), cx.program.name(name));
        let members = fields.iter().filter_map(|field| field.name).map(|name| cx.program.name(name));
        let hint = crate::suggest::hint(name, members);
        return cx.reject(pos, format!("'{ty}' has no member named '{name}'{hint}"));
    };
    // A step for each level is a node for each, and a name may be written very often.
    if path.len() > 100 {
        return cx.reject(pos, "member inside more than 100 anonymous structures");
    }
    let mut at = base;
    for field in path {
        at = field_of(cx, at, field, pos);
    }
    Ok(at)
}

/// One member by its index; the base has a complete record type.
pub(super) fn field_of(cx: &mut Cx, base: ExprId, field: u32, pos: Pos) -> ExprId {
    let ty = cx.ty(base);
    let record = cx.types().as_record(ty).expect("the caller checked that the base is a record");
    let quals = cx.types().strip(ty).quals();
    let declared = cx.types().records[record].fields[field as usize].clone();
    let mut ty = field_type(cx, &declared);
    if is_lvalue(cx.program, base) {
        // 6.5.2.3p3: the member has the qualifiers of the whole as well.
        ty = cx.program.types.qualified(ty, quals.minus(Quals::ATOMIC));
    } else if !matches!(cx.types().kind(ty), TypeKind::Array { .. }) {
        ty = cx.types().strip(ty).bare();
    }
    cx.push(ExprKind::Member { base, field }, ty, pos)
}

/// The type a member has in an expression. gcc gives a bit-field the integer type of its width, if there is one,
/// and a type of its own otherwise; clang keeps the declared type.
fn field_type(cx: &mut Cx, field: &Field) -> Type {
    let Some(width) = field.bits else { return field.ty };
    if cx.program.target.compiler != Compiler::Gcc {
        return field.ty;
    }
    let full = super::convert::int_width(cx, field.ty);
    if u32::from(width) == full {
        return field.ty;
    }
    let signed = super::convert::int_signed(cx, field.ty);
    let quals = cx.types().strip(field.ty).quals();
    let ty = match width {
        8 | 16 | 32 | 64 => integers::of_width(&cx.program.target, u32::from(width), signed).ty(),
        _ => cx.program.types.bits(width, signed),
    };
    cx.program.types.qualified(ty, quals)
}

/// `a[b]` (C17 6.5.2.1); either operand may be the pointer.
pub fn index(cx: &mut Cx, a: ExprId, b: ExprId, pos: Pos) -> Built {
    if let TypeKind::Vector { elem, .. } = cx.types().kind(cx.ty(a)) {
        let index = value(cx, b)?;
        if !cx.types().is_integer(cx.ty(index)) {
            return cx.reject(pos, "array subscript is not an integer");
        }
        // To gcc the elements of a qualified vector are not qualified.
        let quals = match cx.program.target.compiler {
            Compiler::Gcc => Quals::NONE,
            Compiler::Clang => cx.types().strip(cx.ty(a)).quals(),
        };
        let ty = if is_lvalue(cx.program, a) { cx.program.types.qualified(elem, quals) } else { elem };
        return Ok(cx.push(ExprKind::Index { base: a, index }, ty, pos));
    }
    let (a, b) = (subscripted(cx, a)?, subscripted(cx, b)?);
    let (base, index) = if cx.types().pointee(cx.ty(a)).is_some() { (a, b) } else { (b, a) };
    let Some(to) = cx.types().pointee(cx.ty(base)) else {
        return cx.reject(pos, "subscripted value is neither array nor pointer nor vector");
    };
    if !cx.types().is_integer(cx.ty(index)) {
        return cx.reject(pos, "array subscript is not an integer");
    }
    if cx.types().is_function(to) {
        return cx.reject(pos, "subscripted value is pointer to function");
    }
    if cx.types().is_void(to) {
        cx.tolerate(pos, |_| "dereferencing 'void *' pointer".to_owned())?;
    } else if !cx.types().is_complete(to) {
        let name = cx.name(to);
        return cx.reject(pos, format!("invalid use of undefined type '{name}'"));
    }
    Ok(cx.push(ExprKind::Index { base, index }, to, pos))
}

/// The value of an operand of `[]`. gcc lets the array be a register variable, which clang does not.
fn subscripted(cx: &mut Cx, e: ExprId) -> Built {
    match cx.types().kind(cx.ty(e)) {
        TypeKind::Array { elem, .. } if cx.program.target.compiler == Compiler::Gcc => {
            let to = cx.program.types.pointer(elem);
            let pos = cx.pos(e);
            Ok(cx.push(ExprKind::Convert(Conv::ArrayDecay, e), to, pos))
        }
        _ => value(cx, e),
    }
}

/// A call (C17 6.5.2.2).
pub fn call(cx: &mut Cx, callee: ExprId, args: &[ExprId], pos: Pos) -> Built {
    let known = match cx.program.exprs[callee].kind {
        ExprKind::Function(func) => Some(cx.program.funcs[func].name),
        _ => None,
    };
    let label =
        |cx: &Cx| known.map_or("object".to_owned(), |name| format!("function '{}'", cx.program.name(name)));
    let callee = value(cx, callee)?;
    let to = cx.types().pointee(cx.ty(callee));
    let Some(TypeKind::Function(id)) = to.map(|to| cx.types().kind(to)) else {
        let what = label(cx).replace("function", "object");
        return cx.reject(pos, format!("called {what} is not a function or function pointer"));
    };
    let signature = cx.types().signature(id);
    let (ret, prototype, variadic) = (signature.ret, signature.prototype, signature.variadic);
    let count = signature.params.len();
    if prototype && args.len() < count {
        let what = label(cx);
        return cx.reject(pos, format!("too few arguments to {what}"));
    }
    if prototype && args.len() > count && !variadic {
        let what = label(cx);
        return cx.reject(pos, format!("too many arguments to {what}"));
    }
    if !cx.types().is_void(ret) && !cx.types().is_complete(ret) {
        let name = cx.name(ret);
        return cx.reject(pos, format!("invalid use of incomplete type '{name}'"));
    }
    let start = cx.program.expr_lists.len();
    let mut number = 0;
    for &arg in args {
        let param = cx.types().signature(id).params.get(number).copied();
        number += 1;
        let at = cx.pos(arg);
        let converted = match param {
            Some(param) => {
                convert_as_if_assigned(cx, Purpose::Argument(number as u32, known), arg, param, at)
            }
            None => promoted_argument(cx, arg, number as u32, known),
        };
        match converted {
            Ok(arg) => cx.program.expr_lists.push(arg),
            Err(violation) => {
                cx.program.expr_lists.truncate(start);
                return Err(violation);
            }
        }
    }
    let list = cx.program.list_from(start);
    let ty = cx.types().strip(ret).bare();
    Ok(cx.push(ExprKind::Call(callee, list), ty, pos))
}

/// An argument without a parameter type: promoted (C17 6.5.2.2p6-7).
fn promoted_argument(cx: &mut Cx, arg: ExprId, number: u32, known: Option<Symbol>) -> Built {
    let pos = cx.pos(arg);
    let arg = value(cx, arg)?;
    let ty = cx.ty(arg);
    if cx.types().is_void(ty) {
        let of = known.map_or(String::new(), |name| format!(" of '{}'", cx.program.name(name)));
        return cx.reject(pos, format!("invalid use of void expression: argument {number}{of}"));
    }
    if !cx.types().is_complete(ty) {
        let name = cx.name(ty);
        return cx.reject(pos, format!("type of formal parameter {number} is incomplete: '{name}'"));
    }
    Ok(promote_argument(cx, arg))
}

/// Rejects an lvalue that is not modifiable (C17 6.3.2.1p1); `word` says what was tried.
pub(super) fn check_modifiable(cx: &mut Cx, e: ExprId, word: &str, pos: Pos) -> Result<(), Box<Violation>> {
    let ty = cx.ty(e);
    let constant = cx.types().quals(ty).contains(Quals::CONST);
    let inside = cx.types().as_record(ty).is_some_and(|id| has_const_member(cx, id));
    if !constant && !inside {
        return Ok(());
    }
    let what = match cx.program.exprs[e].kind {
        ExprKind::Object(obj) => match cx.program.objects[obj].name {
            Some(name) => format!("variable '{}'", cx.program.name(name)),
            None => "location".to_owned(),
        },
        ExprKind::Member { base, field } => {
            let name = cx
                .types()
                .as_record(cx.ty(base))
                .and_then(|id| cx.types().records[id].fields[field as usize].name)
                .map_or("", |name| cx.program.name(name));
            format!("member '{name}'")
        }
        _ => "location".to_owned(),
    };
    cx.reject(pos, format!("{word} of read-only {what}"))
}

/// Whether a struct or union has a `const` member anywhere. What was searched in vain needs no second look, here or when
/// the next one holds it: a type may hold another one very often, and be held by the next.
fn has_const_member(cx: &mut Cx, id: RecordId) -> bool {
    if cx.types().without_const.contains(&id) {
        return false;
    }
    let mut seen = FxHashSet::from_iter([id]);
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        for field in &cx.types().records[id].fields {
            let mut ty = field.ty;
            while let TypeKind::Array { elem, .. } = cx.types().kind(ty) {
                ty = elem;
            }
            if cx.types().quals(ty).contains(Quals::CONST) {
                return true;
            }
            let inner = cx.types().as_record(ty).filter(|inner| !cx.types().without_const.contains(inner));
            open.extend(inner.filter(|&inner| seen.insert(inner)));
        }
    }
    let types = &mut cx.program.types;
    seen.retain(|&id| types.records[id].complete);
    types.without_const.extend(seen);
    false
}

/// A function of the compiler that can be called without a declaration, such as `__builtin_abort`; nothing if there is
/// none of that name. A unit has one of each.
pub fn builtin_function(program: &mut Program, name: &str, unit: u32) -> Option<FuncId> {
    let BuiltinDef::Function(prototype) = builtin::lookup(name).filter(|_| name.starts_with("__builtin_"))?
    else {
        return None;
    };
    let name = program.symbols.intern(name);
    let known = program.funcs.iter().find(|(_, func)| func.name == name && func.unit == unit);
    if let Some((func, _)) = known {
        return Some(func);
    }
    let ty = builtin::function_type(program, prototype);
    let function = Function { implicit: true, ..Function::plain(name, ty, Linkage::External, unit) };
    Some(program.funcs.push(function))
}
