//! Steps on what stands at file scope: copying functions, sending calls elsewhere, taking declarations away.

use super::copy::Copier;
use super::region::Region;
use super::{Change, Refused};
use crate::program::{Decl, DeclId, Entity, ExprKind, FuncId, Item, ObjId, Program};
use crate::visit::{self, Node};

/// The object that a declaration declares.
pub(super) fn declared(program: &Program, decl: DeclId) -> Option<ObjId> {
    match program.decls[decl].entity {
        Entity::Object(object) => Some(object),
        _ => None,
    }
}

/// Attributes that tie a function to its name or let it run without being called.
const UNIQUE: &[&str] = &[
    "alias",
    "ifunc",
    "weakref",
    "weak",
    "constructor",
    "destructor",
    "section",
    "copy",
    "symver",
    "target_clones",
];

impl Change<'_> {
    /// A copy of a function that is defined at file scope, under a fresh name, declared wherever the function is.
    pub fn copy_function(&mut self, func: FuncId) -> Result<FuncId, Refused> {
        let program = self.program();
        let function = &program.funcs[func];
        let named = |name: &str| UNIQUE.contains(&name);
        if function.body.is_none() || function.parent.is_some() {
            return Err(Refused::Place("not a function that is defined at file scope"));
        }
        if program.name(function.name) == "main" {
            return Err(Refused::Place("main is like no other function: its end returns 0"));
        }
        if function.attrs.iter().any(|attr| named(program.name(attr.name))) || self.has_asm_name(func) {
            return Err(Refused::Place("the function is known by its name"));
        }
        let region = Region::of(self.program(), &[Node::Function(func)]);
        let spelling = self.program().name(self.program().funcs[func].name).to_owned();
        let name = self.fresh(&spelling);
        let mut copy = self.program().funcs[func].clone();
        copy.name = name;
        let copy = self.program_mut().funcs.push(copy);
        let mut copier = Copier::new(self);
        copier.whole = true;
        copier.funcs.insert(func, copy);
        copier.all(&region)?;
        self.declare_beside(func, copy);
        Ok(copy)
    }

    fn has_asm_name(&self, func: FuncId) -> bool {
        let program = self.program();
        let mut decls = program.decls.iter().map(|(_, decl)| decl);
        decls.any(|decl| decl.entity == Entity::Function(func) && decl.asm_label.is_some())
    }

    /// Declares `copy` after each declaration of `func` in its unit, in the same words.
    fn declare_beside(&mut self, func: FuncId, copy: FuncId) {
        let unit = self.program().funcs[func].unit as usize;
        let mut items = Vec::new();
        for item in self.program().units[unit].items.clone() {
            items.push(item);
            if let Item::Decl(decl) = item
                && self.program().decls[decl].entity == Entity::Function(func)
            {
                let decl = Decl { entity: Entity::Function(copy), ..self.program().decls[decl].clone() };
                items.push(Item::Decl(self.program_mut().decls.push(decl)));
            }
        }
        self.set_items(unit, items);
    }

    /// Names `to` wherever `from` is named. Both have the same type.
    pub fn redirect(&mut self, from: FuncId, to: FuncId) -> Result<(), Refused> {
        if self.program().funcs[from].ty != self.program().funcs[to].ty {
            return Err(Refused::Place("functions of different types"));
        }
        let mut uses = Vec::new();
        let program = self.program();
        visit::each(program, |part| {
            if let Node::Expr(e) = part.node
                && program.exprs[e].kind == ExprKind::Function(from)
            {
                uses.push(e);
            }
        });
        for e in uses {
            self.set_expr(e, ExprKind::Function(to));
        }
        Ok(())
    }

    /// Takes an item of a unit away.
    pub fn remove_item(&mut self, unit: usize, index: usize) -> Result<(), Refused> {
        let Some(mut items) = self.program().units.get(unit).map(|unit| unit.items.clone()) else {
            return Err(Refused::Place("there is no such unit"));
        };
        match items.get(index) {
            None => return Err(Refused::Place("there is no such item")),
            Some(Item::Include(_) | Item::IncludeEnd) => {
                return Err(Refused::Place("what a header gives comes and goes as a whole"));
            }
            Some(_) => {}
        }
        items.remove(index);
        self.set_items(unit, items);
        Ok(())
    }

    /// Takes every declaration of a function in its unit away.
    pub fn remove_function(&mut self, func: FuncId) -> Result<(), Refused> {
        let unit = self.program().funcs[func].unit as usize;
        let Some(found) = self.program().units.get(unit) else {
            return Err(Refused::Place("there is no such unit"));
        };
        let mut items = found.items.clone();
        let program = self.program();
        items.retain(|item| match *item {
            Item::Decl(decl) => program.decls[decl].entity != Entity::Function(func),
            _ => true,
        });
        self.set_items(unit, items);
        Ok(())
    }
}
