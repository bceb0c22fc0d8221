//! Moves definitions of a program's first unit to other units. What is used in another unit than its own gets external
//! linkage, and is declared where it is used. The program means what it meant.

use rustc_hash::FxHashMap;

use crate::build;
use crate::program::{
    Decl, DeclId, Duration, Entity, ExprId, ExprKind, FuncId, Function, Item, Linkage, ObjId, Object,
    Program, Storage,
};
use crate::visit::{Everything, Found, Mention, Node, mentions};

/// What goes where.
#[derive(Default)]
pub struct Plan {
    /// Objects of file scope and the unit that each goes to; all others stay.
    pub objects: FxHashMap<ObjId, u32>,
    /// Functions and the unit that each goes to; all others stay.
    pub functions: FxHashMap<FuncId, u32>,
    /// Functions that another one, which does the same, stands for in a unit.
    pub twins: FxHashMap<(FuncId, u32), FuncId>,
}

/// Moves what the plan says. The units are there already, and no two things of the first one have the same name. Types go
/// to every unit. The program is not linked yet, includes nothing and has no functions in functions.
///
/// ```
/// use howler_lang::compose::{Composer, Value, signature};
/// use howler_lang::program::Linkage;
/// use howler_lang::split::{Plan, split};
/// use howler_lang::target::Target;
/// use howler_lang::ty::Type;
///
/// # fn main() -> Result<(), Box<howler_lang::build::Violation>> {
/// let mut c = Composer::new(Target::X86_64_GCC);
/// c.unit("a.c".to_owned());
/// let x = c.global("x", Type::INT, Linkage::Internal, Some(&Value::Int(0)))?;
/// let main = c.function("main", signature(Type::INT, &[]), Linkage::External)?;
/// let value = c.lvalue(x);
/// let done = c.returns(main, Some(value))?;
/// c.define(main, Vec::new(), &[done])?;
/// c.unit("b.c".to_owned());
/// let mut plan = Plan::default();
/// plan.objects.insert(x, 1);
/// split(&mut c.program, &plan);
/// let program = c.finish().unwrap();
/// assert_eq!(howler_lang::print::unit(&program, 1, &Default::default()), "int x = 0;\n");
/// assert!(howler_lang::print::unit(&program, 0, &Default::default()).starts_with("extern int x;\n"));
/// # Ok(())
/// # }
/// ```
pub fn split(program: &mut Program, plan: &Plan) {
    if program.units.len() < 2 {
        return;
    }
    deal(program, plan);
    let uses = foreign(program);
    let aliases = declare(program, plan, &uses);
    for (e, unit, entity) in uses {
        match entity {
            Name::Object(object) => {
                program.exprs.set(e, ExprKind::Object(aliases.objects[&(object, unit)]));
            }
            Name::Function(func) => {
                program.exprs.set(e, ExprKind::Function(aliases.functions[&(func, unit)]));
            }
        }
    }
}

/// What an expression names.
#[derive(Clone, Copy)]
enum Name {
    Object(ObjId),
    Function(FuncId),
}

/// What stands for things of other units.
#[derive(Default)]
struct Aliases {
    objects: FxHashMap<(ObjId, u32), ObjId>,
    functions: FxHashMap<(FuncId, u32), FuncId>,
}

/// Deals the items of the first unit out to all. Types come first.
fn deal(program: &mut Program, plan: &Plan) {
    let items = std::mem::take(&mut program.units[0].items);
    let types: Vec<Item> = items.iter().filter(|item| is_type(item)).copied().collect();
    for unit in &mut program.units {
        unit.items.splice(0..0, types.iter().copied());
    }
    let last = program.units.len() as u32 - 1;
    for item in items.into_iter().filter(|item| !is_type(item)) {
        let Item::Decl(decl) = item else {
            program.units[0].items.push(item);
            continue;
        };
        let home = match program.decls[decl].entity {
            Entity::Object(object) => plan.objects.get(&object),
            Entity::Function(func) => plan.functions.get(&func),
            Entity::Typedef(_) | Entity::Bounds => None,
        };
        let home = home.map_or(0, |&home| home.min(last));
        match program.decls[decl].entity {
            Entity::Object(object) => program.objects[object].unit = home,
            Entity::Function(func) => program.funcs[func].unit = home,
            Entity::Typedef(_) | Entity::Bounds => {}
        }
        program.units[home as usize].items.push(item);
    }
}

fn is_type(item: &Item) -> bool {
    matches!(item, Item::RecordTag(_) | Item::Record(_) | Item::Enum(_))
}

/// The expressions that name something of another unit, with their own. What belongs to a function goes with it.
fn foreign(program: &mut Program) -> Vec<(ExprId, u32, Name)> {
    let (mut uses, mut own) = (Vec::new(), Vec::new());
    let mut now = 0;
    for found in Everything::of(program) {
        let part = match found {
            Found::Item { unit, .. } => {
                now = unit as u32;
                continue;
            }
            Found::Part(part) => part,
        };
        mentions(program, part.node, |mention| match (mention, part.node) {
            (Mention::Object(object), Node::Expr(e)) => {
                let object_data = &program.objects[object];
                if object_data.linkage != Linkage::None && object_data.unit != now {
                    uses.push((e, now, Name::Object(object)));
                }
            }
            (Mention::Function(func), Node::Expr(e)) if program.funcs[func].unit != now => {
                uses.push((e, now, Name::Function(func)));
            }
            (Mention::Literal(object) | Mention::Declares(object), _) => own.push((object, now)),
            _ => {}
        });
    }
    for (object, unit) in own {
        program.objects[object].unit = unit;
    }
    uses
}

/// Declares what is used, in each unit that uses it, and gives it external linkage.
fn declare(program: &mut Program, plan: &Plan, uses: &[(ExprId, u32, Name)]) -> Aliases {
    let mut aliases = Aliases::default();
    let mut new: Vec<Vec<Item>> = vec![Vec::new(); program.units.len()];
    for &(_, unit, entity) in uses {
        match entity {
            Name::Object(object) => {
                if aliases.objects.contains_key(&(object, unit)) {
                    continue;
                }
                let known = &mut program.objects[object];
                known.linkage = Linkage::External;
                let ty = known.ty;
                let alias = Object {
                    name: known.name,
                    linkage: Linkage::External,
                    duration: Duration::Static,
                    defined: false,
                    unit,
                    ..Object::unnamed(ty)
                };
                let alias = program.objects.push(alias);
                let decl = Decl::plain(Entity::Object(alias), ty, Storage::Extern);
                new[unit as usize].push(Item::Decl(program.decls.push(decl)));
                aliases.objects.insert((object, unit), alias);
            }
            Name::Function(func) => {
                if aliases.functions.contains_key(&(func, unit)) {
                    continue;
                }
                let alias = function(program, plan, (func, unit), &mut new[unit as usize]);
                aliases.functions.insert((func, unit), alias);
            }
        }
    }
    let decls: Vec<DeclId> = program.decls.iter().map(|(decl, _)| decl).collect();
    for decl in decls {
        let decl = &mut program.decls[decl];
        let shared = match decl.entity {
            Entity::Object(object) => program.objects[object].linkage == Linkage::External,
            Entity::Function(func) => {
                decl.inline &= program.funcs[func].inline;
                program.funcs[func].linkage == Linkage::External
            }
            Entity::Typedef(_) | Entity::Bounds => false,
        };
        if shared && decl.storage == Storage::Static {
            decl.storage = Storage::None;
        }
    }
    for (unit, new) in program.units.iter_mut().zip(new) {
        let types = unit.items.iter().take_while(|item| is_type(item)).count();
        unit.items.splice(types..types, new);
    }
    aliases
}

/// What stands for a function in a unit.
fn function(program: &mut Program, plan: &Plan, (func, unit): (FuncId, u32), new: &mut Vec<Item>) -> FuncId {
    if let Some(&twin) = plan.twins.get(&(func, unit)) {
        return twin;
    }
    let (name, ty) = (program.funcs[func].name, program.funcs[func].ty);
    if program.funcs[func].implicit {
        let spelling = program.name(name).to_owned();
        if let Some(known) = build::builtin_function(program, &spelling, unit) {
            return known;
        }
    }
    let known = &mut program.funcs[func];
    // An inline definition with external linkage would be none (C17 6.7.4p7).
    (known.linkage, known.inline, known.external_decl) = (Linkage::External, false, true);
    let alias = program.funcs.push(Function::plain(name, ty, Linkage::External, unit));
    let decl = Decl::plain(Entity::Function(alias), ty, Storage::None);
    new.push(Item::Decl(program.decls.push(decl)));
    alias
}
