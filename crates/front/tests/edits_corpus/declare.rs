//! Random new declarations at file scope, as a technique would compose them.

use howler_choices::Choices;
use howler_lang::compose::{Composed, Composer, Member, Shape, Value, signature};
use howler_lang::edit::{Edit, Edited, ItemPlace};
use howler_lang::id::Id;
use howler_lang::program::{BinaryOp, Entity, FuncId, Item, Linkage, ObjId};
use howler_lang::scope::{Named, Point, Scopes};
use howler_lang::ty::{Quals, RecordKind, Type, TypeKind};

/// What can be named where the declaration will stand.
struct Around {
    objects: Vec<ObjId>,
    funcs: Vec<FuncId>,
    /// Types of objects there, which so have a size there.
    types: Vec<Type>,
}

/// An edit that declares something somewhere.
pub fn edit(choices: &mut Choices, edited: &mut Edited) -> Option<Edit> {
    let program = edited.program();
    let unit = choices.range("unit", 0..=program.units.len() as u64 - 1) as u32;
    let items = &program.units[unit as usize].items;
    let index = choices.range("index", 0..=items.len() as u64) as usize;
    let place = match items.get(index).and_then(|&item| edited.item(item)) {
        Some(item) if choices.range("before", 0..=3) > 0 => ItemPlace::Before(item),
        Some(item) => ItemPlace::After(item),
        None if index == 0 => ItemPlace::Start(unit),
        None => ItemPlace::End(unit),
    };
    let scopes = Scopes::of(program);
    let mut around = Around { objects: Vec::new(), funcs: Vec::new(), types: vec![Type::INT, Type::CHAR] };
    for name in scopes.names(Point::Item { unit, index: index as u32 }) {
        match name.named {
            Named::Object(object) => {
                around.objects.push(object);
                around.types.push(program.objects[object].ty.bare());
            }
            Named::Function(func) => around.funcs.push(func),
            Named::Enumerator(_) | Named::Typedef(_) => {}
        }
    }
    let unit_funcs: Vec<FuncId> = items
        .iter()
        .filter_map(|item| match *item {
            Item::Decl(decl) => match program.decls[decl].entity {
                Entity::Function(func) => Some(func),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let number = edited.edits().len();
    let kind = choices.range("kind", 0..=6);
    let code = edited.items(unit, |c| match kind {
        0 => global(choices, c, &around),
        1 | 2 => function(choices, c, &around),
        3 => prototype(choices, c, &around, &unit_funcs),
        4 | 5 => record(choices, c, &around),
        _ => enumeration(choices, c, number),
    });
    Some(Edit::Declare { place, code: code.ok()? })
}

fn linkage(choices: &mut Choices) -> Linkage {
    if choices.range("static", 0..=1) == 0 { Linkage::Internal } else { Linkage::External }
}

fn global(choices: &mut Choices, c: &mut Composer, around: &Around) -> Composed<()> {
    let (name, linkage) = (c.fresh("new"), linkage(choices));
    match choices.range("global", 0..=5) {
        0 => {
            let ty = c.qualified(Type::LONG, Quals::VOLATILE);
            let object = c.global(&name, ty, linkage, Some(&Value::Int(-5)))?;
            c.attribute(Entity::Object(object), "unused")?;
        }
        1 => {
            let row = c.array(Type::SHORT, 3)?;
            let ty = c.array(row, 2)?;
            let rows = vec![(1, Value::List(vec![Value::Int(1), Value::Zero])), (0, Value::Zero)];
            let object = c.global(&name, ty, linkage, Some(&Value::Parts(rows)))?;
            c.align(object, 32)?;
        }
        // Any type of the program, from nothing.
        2 => {
            let ty = choices.pick("type", &around.types).copied().unwrap_or(Type::INT);
            c.global(&name, ty, linkage, Some(&Value::Zero))?;
        }
        // The address of something.
        3 => {
            let Some(&object) = choices.pick("object", &around.objects) else { return Ok(()) };
            let e = c.lvalue(object);
            let e = c.address(e)?;
            let ty = c.program.ty(e);
            c.global(&name, ty, linkage, Some(&Value::Expr(e)))?;
        }
        4 => {
            let array = c.array(Type::INT, 2)?;
            let literal = c.compound_literal(array, &Value::List(vec![Value::Int(3), Value::Int(4)]))?;
            let one = c.int(1)?;
            let e = c.index(literal, one)?;
            let e = c.address(e)?;
            let ty = c.pointer(Type::INT)?;
            c.global(&name, ty, linkage, Some(&Value::Expr(e)))?;
        }
        _ => {
            let ty = c.array(Type::CHAR, 9)?;
            let text = Value::Expr(c.string("\"(["));
            c.global(&name, ty, linkage, Some(&text))?;
        }
    }
    Ok(())
}

/// `ty f(int a, ty b) { ty c = b; object = a; callee(0); return c; }`, with an attribute now and then.
fn function(choices: &mut Choices, c: &mut Composer, around: &Around) -> Composed<()> {
    let name = c.fresh("added");
    let ty = choices.pick("type", &around.types).copied().unwrap_or(Type::INT);
    let ty = if matches!(c.program.types.kind(ty), TypeKind::Array { .. }) { Type::UINT } else { ty };
    let func = c.function(&name, signature(ty, &[Type::INT, ty]), linkage(choices))?;
    if choices.range("inline", 0..=3) == 0 && c.program.funcs[func].linkage == Linkage::Internal {
        c.make_inline(func);
    }
    if choices.range("prototype", 0..=1) == 0 {
        c.declare_function(func);
    }
    let params = vec![c.param("a", Type::INT), c.param("b", ty)];
    let value = c.lvalue(params[1]);
    let (copy, declared) = c.local("c", ty, Some(&Value::Expr(value)))?;
    let mut body = vec![declared];
    if let Some(&object) = choices.pick("object", &around.objects)
        && c.program.types.is_arithmetic(c.program.objects[object].ty)
    {
        let (target, value) = (c.lvalue(object), c.lvalue(params[0]));
        let set = c.compound_assign(BinaryOp::Add, target, value)?;
        body.push(c.expr(set)?);
    }
    let callee = choices.pick("callee", &around.funcs).copied().unwrap_or(func);
    if let Ok(call) = call(c, callee) {
        let zero = c.int(0)?;
        let a = c.lvalue(params[0]);
        let cond = c.binary(BinaryOp::Lt, a, zero)?;
        let call = c.expr(call)?;
        body.push(c.when(cond, &[call])?);
    }
    let value = c.lvalue(copy);
    body.push(c.returns(func, Some(value))?);
    c.define(func, params, &body)?;
    if choices.range("attribute", 0..=2) == 0 {
        c.attribute(Entity::Function(func), "noinline")?;
    }
    Ok(())
}

/// A call with zeros of all types, as far as there are such.
fn call(c: &mut Composer, func: FuncId) -> Composed<howler_lang::program::ExprId> {
    let types = match c.program.types.kind(c.program.funcs[func].ty) {
        TypeKind::Function(id) => c.program.types.signature(id).params.to_vec(),
        _ => Vec::new(),
    };
    let args = types
        .iter()
        .map(|&ty| match c.program.types.is_arithmetic(ty) || c.program.types.pointee(ty).is_some() {
            true => c.constant(ty, &Value::Zero),
            false => c.compound_literal(ty, &Value::Zero),
        })
        .collect::<Composed<Vec<_>>>()?;
    c.call_of(func, &args)
}

fn prototype(choices: &mut Choices, c: &mut Composer, around: &Around, all: &[FuncId]) -> Composed<()> {
    match choices.range("which", 0..=4) {
        0 => {
            let text = c.qualified(Type::CHAR, Quals::CONST);
            let text = c.pointer(text)?;
            let puts = c.function("puts", signature(Type::INT, &[text]), Linkage::External)?;
            c.declare_function(puts);
        }
        1 => {
            if let Some(&func) = choices.pick("again", all) {
                c.declare_function(func);
            }
        }
        2 => {
            if let Some(&object) = choices.pick("again", &around.objects) {
                c.declare_object(object);
            }
        }
        3 => {
            let ty = choices.pick("type", &around.types).copied().unwrap_or(Type::INT);
            let name = c.fresh("elsewhere");
            c.external(&name, ty)?;
        }
        // A name that another unit may have, or this one.
        _ => {
            let names: Vec<String> =
                (0..3).map(|index| format!("shared_{index}")).chain([c.fresh("abroad")]).collect();
            let name = choices.pick("name", &names).cloned().unwrap_or_default();
            let func = c.function(&name, signature(Type::INT, &[Type::INT]), Linkage::External)?;
            c.declare_function(func);
        }
    }
    Ok(())
}

fn record(choices: &mut Choices, c: &mut Composer, around: &Around) -> Composed<()> {
    let (tag, name) = (c.fresh("made"), c.fresh("value"));
    let kind = if choices.range("union", 0..=2) == 0 { RecordKind::Union } else { RecordKind::Struct };
    let ty = c.incomplete(kind, &tag);
    let next = c.pointer(ty)?;
    let other = choices.pick("type", &around.types).copied().unwrap_or(Type::INT);
    let bits =
        c.anonymous(RecordKind::Struct, &[Member::bits("x", Type::INT, 5), Member::padding(Type::UINT, 0)])?;
    let inner = c.anonymous(RecordKind::Union, &[Member::new("y", Type::DOUBLE), Member::anonymous(bits)])?;
    let members = [
        Member::new("next", next),
        Member::new("other", other.bare()),
        Member::anonymous(inner),
        Member { align: 16, ..Member::new("last", Type::SHORT) },
    ];
    let packed = choices.range("packed", 0..=3) == 0;
    c.complete(ty, &members, Shape { packed, ..Shape::default() })?;
    let value = match kind {
        RecordKind::Struct => Value::Parts(vec![(3, Value::Int(7)), (2, Value::Zero), (0, Value::Zero)]),
        RecordKind::Union => Value::Parts(vec![(3, Value::Int(9))]),
    };
    let ty = if choices.range("const", 0..=3) == 0 { c.qualified(ty, Quals::CONST) } else { ty };
    c.global(&name, ty, linkage(choices), Some(&value))?;
    Ok(())
}

fn enumeration(choices: &mut Choices, c: &mut Composer, number: usize) -> Composed<()> {
    let (tag, name) = (c.fresh("made"), c.fresh("value"));
    // The names are not new in every chain: some are refused.
    let (first, second) = (format!("FIRST_{}", number % 7), format!("SECOND_{}", number % 7));
    let list = [(first.as_str(), None), (second.as_str(), Some(-3))];
    let (ty, constants) = match choices.range("packed", 0..=2) {
        0 => c.packed_enumeration(&tag, &list)?,
        _ => c.enumeration(&tag, &list)?,
    };
    assert_eq!(constants.len(), 2, "{}", constants[0].index());
    let value = Value::Expr(c.enumerator(constants[1]));
    c.global(&name, ty, linkage(choices), Some(&value))?;
    Ok(())
}
