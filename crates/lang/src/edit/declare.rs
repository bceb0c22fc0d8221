//! New declarations at file scope. Names with linkage are of a whole unit or program, wherever they are declared, and so
//! may not be anybody else's there.

use super::{Change, Refused};
use crate::builtin;
use crate::correspond;
use crate::program::{DeclId, Entity, FuncId, Item, Linkage, ObjId, Program, StmtKind};
use crate::symbol::Symbol;
use crate::ty::Type;
use crate::visit::{Everything, Found, Node, Part};
use rustc_hash::FxHashSet;

const TAKEN: Refused = Refused::Place("the name is another's");

/// What has linkage, for what counts here.
struct Linked {
    name: Symbol,
    unit: u32,
    external: bool,
    defined: bool,
}

fn linked(program: &Program, entity: Entity) -> Option<Linked> {
    match entity {
        Entity::Object(id) => {
            let object = &program.objects[id];
            let external = match object.linkage {
                Linkage::None => return None,
                linkage => linkage == Linkage::External,
            };
            Some(Linked { name: object.name?, unit: object.unit, external, defined: object.defined })
        }
        Entity::Function(id) => {
            let function = &program.funcs[id];
            let (external, defined) = (function.linkage == Linkage::External, function.body.is_some());
            Some(Linked { name: function.name, unit: function.unit, external, defined })
        }
        Entity::Typedef(_) | Entity::Bounds => None,
    }
}

impl Change<'_> {
    /// Puts declarations before the `index`-th item of a unit; their names with linkage and their tags are new there.
    pub fn declare(&mut self, unit: usize, index: usize, items: &[Item]) -> Result<(), Refused> {
        let Some(mut all) = self.program().units.get(unit).map(|unit| unit.items.clone()) else {
            return Err(Refused::Place("there is no such unit"));
        };
        if index > all.len() {
            return Err(Refused::Place("there is no such item"));
        }
        self.check_tags(unit, items)?;
        let new = self.new_entities(unit, items);
        let known: Vec<Entity> = declared(self.program()).collect();
        for (at, &entity) in new.iter().enumerate() {
            self.check_library(entity)?;
            let others = known.iter().copied().chain(new[..at].iter().copied());
            let program = self.program();
            if !others.clone().all(|other| may_stand_beside(program, entity, other)) {
                return Err(TAKEN);
            }
        }
        all.splice(index..index, items.iter().copied());
        self.set_items(unit, all);
        Ok(())
    }

    /// Types that are declared as if there were none of their name.
    fn check_tags(&self, unit: usize, items: &[Item]) -> Result<(), Refused> {
        let types = &self.program().types;
        let tag = |item: &Item| match *item {
            Item::Record(id) | Item::RecordTag(id) => types.records[id].tag,
            Item::Enum(id) => Some(types.enums[id].tag),
            _ => None,
        };
        let of_unit = |of: u32| of as usize == unit;
        for name in items.iter().filter_map(tag) {
            let records = types.records.iter().filter(|(_, record)| of_unit(record.unit));
            let enums = types.enums.iter().filter(|(_, one)| of_unit(one.unit));
            let count = records.filter(|(_, record)| record.tag == Some(name)).count()
                + enums.filter(|(_, one)| one.tag == name).count();
            if count > 1 {
                return Err(TAKEN);
            }
        }
        Ok(())
    }

    /// What the items declare for the first time.
    fn new_entities(&self, unit: usize, items: &[Item]) -> Vec<Entity> {
        let program = self.program();
        let mut seen: FxHashSet<DeclId> = FxHashSet::default();
        let before: Vec<Entity> = declared(program).collect();
        let mut new: Vec<Entity> = Vec::new();
        for &item in items {
            let Item::Decl(decl) = item else { continue };
            let entity = program.decls[decl].entity;
            let of_unit = linked(program, entity).is_some_and(|linked| linked.unit as usize == unit);
            if seen.insert(decl) && of_unit && !before.contains(&entity) && !new.contains(&entity) {
                new.push(entity);
            }
        }
        new
    }

    /// The compiler knows what some names mean; and `main` is like nothing else.
    fn check_library(&mut self, entity: Entity) -> Result<(), Refused> {
        let Some(linked) = linked(self.program(), entity) else { return Ok(()) };
        let name = self.program().name(linked.name).to_owned();
        let known: Option<Type> = builtin::library_type(self.program_mut(), &name);
        let fits = match (entity, known) {
            _ if name == "main" => false,
            (Entity::Function(func), Some(ty)) => {
                linked.external && !linked.defined && self.program().funcs[func].ty == ty
            }
            (_, Some(_)) => false,
            (_, None) => builtin::lookup(&name).is_none(),
        };
        if fits { Ok(()) } else { Err(Refused::Place("the name is the library's")) }
    }
}

/// What the program declares anywhere, and functions that are declared by their use.
fn declared(program: &Program) -> impl Iterator<Item = Entity> {
    let decl = |item: Item| match item {
        Item::Decl(decl) => Some(program.decls[decl].entity),
        _ => None,
    };
    let written = Everything::of(program).filter_map(move |found| match found {
        Found::Item { item, .. } => decl(item),
        Found::Part(Part { node: Node::Stmt(s), .. }) => match program.stmts[s].kind {
            StmtKind::Item(item) => decl(item),
            _ => None,
        },
        Found::Part(_) => None,
    });
    let implied = program.funcs.iter().filter(|(_, function)| function.implicit);
    written.chain(implied.map(|(id, _)| Entity::Function(id)))
}

/// Whether two things may have the names that they have (C17 6.2.2p2, 6.2.7p2, 6.9p5).
fn may_stand_beside(program: &Program, new: Entity, other: Entity) -> bool {
    let (Some(a), Some(b)) = (linked(program, new), linked(program, other)) else { return true };
    if a.name != b.name {
        return true;
    }
    if a.unit == b.unit || !(a.external && b.external) {
        return a.unit != b.unit;
    }
    let agree = match (new, other) {
        (Entity::Object(a), Entity::Object(b)) => objects_agree(program, a, b),
        (Entity::Function(a), Entity::Function(b)) => functions_agree(program, a, b),
        _ => false,
    };
    agree && !(a.defined && b.defined)
}

fn objects_agree(program: &Program, a: ObjId, b: ObjId) -> bool {
    let (a, b) = (&program.objects[a], &program.objects[b]);
    correspond::objects_agree(program, a, b) && correspond::objects_agree(program, b, a)
}

fn functions_agree(program: &Program, a: FuncId, b: FuncId) -> bool {
    program.funcs[b].implicit || correspond::functions_agree(program, a, b)
}
