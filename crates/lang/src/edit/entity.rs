//! What objects and functions are follows from all their declarations: with one of them gone they are something else.

use super::{Change, Refused};
use crate::compat;
use crate::id::Id;
use crate::program::{
    Attr, AttrArg, Decl, DeclId, Duration, Entity, FuncId, Function, Item, Linkage, ObjId, Object, Program,
    StmtKind, Storage,
};
use crate::ty::Type;
use crate::verify;
use crate::visit::{self, Found, Mention, Node, Part};

/// The declarations of a program in the order of the source, and whether each is at file scope.
pub(super) struct Declarations(Vec<(DeclId, bool)>);

impl Declarations {
    pub(super) fn of(program: &Program, all: impl Iterator<Item = Found>) -> Declarations {
        let decls = all.filter_map(|found| match found {
            Found::Item { item: Item::Decl(decl), .. } => Some((decl, true)),
            Found::Part(Part { node: Node::Stmt(s), .. }) => match program.stmts[s].kind {
                StmtKind::Item(Item::Decl(decl)) => Some((decl, false)),
                _ => None,
            },
            _ => None,
        });
        Declarations(decls.collect())
    }

    /// What has declarations here and in `after`, but not the same ones.
    fn changed(&self, program: &Program, after: &Declarations) -> Vec<Entity> {
        let kept = |list: &Declarations| {
            let mut kept = vec![false; program.decls.len()];
            list.0.iter().for_each(|(decl, _)| kept[decl.index()] = true);
            kept
        };
        let declares = |list: &Declarations, entity: Entity| {
            list.0.iter().any(|&(decl, _)| program.decls[decl].entity == entity)
        };
        let (here, there) = (kept(self), kept(after));
        let mut changed: Vec<Entity> = Vec::new();
        for &(decl, _) in self.0.iter().chain(&after.0) {
            let entity = program.decls[decl].entity;
            if here[decl.index()] != there[decl.index()]
                && !changed.contains(&entity)
                && declares(self, entity)
                && declares(after, entity)
            {
                changed.push(entity);
            }
        }
        changed
    }

    fn of_entity(&self, program: &Program, entity: Entity) -> Vec<(Decl, bool)> {
        let decls = self.0.iter().filter(|(decl, _)| program.decls[*decl].entity == entity);
        decls.map(|&(decl, at_file)| (program.decls[decl].clone(), at_file)).collect()
    }
}

impl Change<'_> {
    /// Makes everything that lost or gained a declaration since `before` what all of them say.
    pub(super) fn renew_entities(&mut self, before: &Declarations, all: &[Found]) -> Result<(), Refused> {
        let after = Declarations::of(self.program(), all.iter().copied());
        for entity in before.changed(self.program(), &after) {
            let decls = after.of_entity(self.program(), entity);
            match entity {
                Entity::Object(object) => self.renew_object(object, &decls)?,
                Entity::Function(func) => self.renew_function(func, &decls)?,
                Entity::Typedef(_) | Entity::Bounds => {}
            }
        }
        Ok(())
    }

    /// What is declared in a unit belongs to it, wherever its copy came from.
    pub(super) fn renew_units(&mut self, all: &[Found]) {
        if self.program().units.len() < 2 {
            return;
        }
        let mut unit = 0;
        for found in all {
            let part = match *found {
                Found::Item { unit: at, .. } => {
                    unit = at as u32;
                    continue;
                }
                Found::Part(part) => part,
            };
            let mut objects: Vec<ObjId> = Vec::new();
            visit::mentions(self.program(), part.node, |mention| match mention {
                Mention::Declares(object) | Mention::Literal(object) => objects.push(object),
                _ => {}
            });
            for id in objects {
                if self.program().objects[id].unit != unit {
                    let object = Object { unit, ..self.program().objects[id].clone() };
                    self.set_object(id, object);
                }
            }
            match part.node {
                Node::Function(id) if self.program().funcs[id].unit != unit => {
                    let function = Function { unit, ..self.program().funcs[id].clone() };
                    self.set_function(id, function);
                }
                Node::Stmt(s) => match self.program().stmts[s].kind {
                    StmtKind::Item(Item::Record(id) | Item::RecordTag(id)) => {
                        self.program_mut().types.records[id].unit = unit;
                    }
                    StmtKind::Item(Item::Enum(id)) => self.program_mut().types.enums[id].unit = unit,
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// A compound literal lives as long as its place says, wherever its copy came from.
    pub(super) fn renew_literals(&mut self, all: &[Found]) {
        let mut wrong: Vec<(ObjId, Duration)> = Vec::new();
        verify::literals(self.program(), all, |object, duration| {
            if self.program().objects[object].duration != duration {
                wrong.push((object, duration));
            }
        });
        for (id, duration) in wrong {
            let object = Object { duration, ..self.program().objects[id].clone() };
            self.set_object(id, object);
        }
    }

    /// The type of all declarations together. Expressions were made with the type it had.
    fn same_type(&mut self, ty: Type, decls: &[(Decl, bool)]) -> Result<(), Refused> {
        let types = &mut self.program_mut().types;
        let mut all = decls.iter().map(|(decl, _)| decl.ty);
        let Some(first) = all.next() else { return Ok(()) };
        let composite = all.fold(first, |a, b| compat::composite(types, a, b));
        if composite == ty { Ok(()) } else { Err(Refused::Place("without it the type would be another")) }
    }

    fn renew_object(&mut self, id: ObjId, decls: &[(Decl, bool)]) -> Result<(), Refused> {
        self.same_type(self.program().objects[id].ty, decls)?;
        let mut object = self.program().objects[id].clone();
        object.attrs = decls.iter().flat_map(|(decl, _)| decl.attrs.clone()).collect();
        object.align = decls.iter().map(|(decl, _)| decl.align).max().unwrap_or(0);
        object.init = decls.iter().find_map(|(decl, _)| decl.init);
        object.defined = decls.iter().any(|(decl, _)| decl.storage != Storage::Extern || decl.init.is_some());
        object.linkage = linkage(object.linkage, decls);
        self.set_object(id, object);
        Ok(())
    }

    fn renew_function(&mut self, id: FuncId, decls: &[(Decl, bool)]) -> Result<(), Refused> {
        self.same_type(self.program().funcs[id].ty, decls)?;
        let mut function = self.program().funcs[id].clone();
        let aligned = self.program_mut().symbols.intern("aligned");
        function.attrs.clear();
        for (decl, _) in decls {
            function.attrs.extend(decl.attrs.iter().cloned());
            if decl.align != 0 {
                let args = vec![AttrArg::Int(i128::from(decl.align))];
                function.attrs.push(Attr { name: aligned, args });
            }
        }
        function.inline = decls.iter().any(|(decl, _)| decl.inline);
        function.external_decl =
            decls.iter().any(|(decl, at_file)| *at_file && (!decl.inline || decl.storage == Storage::Extern));
        let noreturn = self.program().symbols.get("noreturn");
        function.noreturn = decls
            .iter()
            .any(|(decl, _)| decl.noreturn || decl.attrs.iter().any(|attr| Some(attr.name) == noreturn));
        function.linkage = linkage(function.linkage, decls);
        if !decls.iter().any(|(decl, _)| decl.body) {
            (function.body, function.old_style) = (None, false);
            function.params.clear();
        }
        self.set_function(id, function);
        Ok(())
    }
}

/// The first declaration decides (C17 6.2.2p3, p4).
fn linkage(now: Linkage, decls: &[(Decl, bool)]) -> Linkage {
    match (now, decls.first()) {
        (Linkage::None, _) | (_, None) => now,
        (_, Some((decl, _))) if decl.storage == Storage::Static => Linkage::Internal,
        _ => Linkage::External,
    }
}
