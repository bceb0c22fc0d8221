//! Objects that are declared elsewhere, under another name, or with less: parameters and variables of a block at file
//! scope, parameters as variables, declarations without initialisers, attributes and storage classes.

use super::holder::Holder;
use super::{Change, Refused};
use crate::build::{self, Built, Cx, Purpose};
use crate::fold;
use crate::program::{
    Decl, Duration, Entity, ExprId, ExprKind, FuncId, Init, Item, Label, LabelId, Linkage, Object, StmtId,
    StmtKind, Storage,
};
use crate::source::Pos;
use crate::visit;

impl Change<'_> {
    /// Makes a parameter a variable of the function's body, with a value or without one. The function still has the
    /// parameter's type; that it goes, and with it the arguments, is a [`Redeclaration`](super::Redeclaration).
    pub fn parameter_to_local(
        &mut self,
        func: FuncId,
        number: usize,
        value: Option<&dyn Fn(&mut Cx<'_>) -> Built>,
    ) -> Result<(), Refused> {
        let function = &self.program().funcs[func];
        let (Some(&object), Some(body)) = (function.params.get(number), function.body) else {
            return Err(Refused::Place("there is no such parameter"));
        };
        let ty = self.program().objects[object].ty;
        if self.program().objects[object].name.is_none() {
            return Ok(());
        }
        let init = match value {
            Some(value) => {
                let value = value(&mut self.cx())?;
                let init =
                    build::convert_as_if_assigned(&mut self.cx(), Purpose::Init, value, ty, Pos::NONE)?;
                Some(self.program_mut().inits.push(Init::Expr(init)))
            }
            None => None,
        };
        let before = self.program().objects[object].clone();
        self.set_object(object, Object { duration: Duration::Automatic, init, param_bound: None, ..before });
        let decl = Decl { init, ..Decl::plain(Entity::Object(object), ty, Storage::None) };
        let decl = self.program_mut().decls.push(decl);
        let stmt = self.stmt(StmtKind::Item(Item::Decl(decl)));
        let StmtKind::Compound(list) = self.program().stmts[body].kind else {
            return Err(Refused::Place("a body that is no block"));
        };
        let mut all = vec![stmt];
        all.extend_from_slice(self.program().block(list));
        let list = self.program_mut().add_block(&all);
        self.set_stmt(body, StmtKind::Compound(list));
        Ok(())
    }

    /// Declares a variable of a block at file scope, before the function that it is in. What it is set to where it is
    /// declared is assigned there, if it can be, unless it is constant.
    pub fn local_to_file(&mut self, s: StmtId) -> Result<(), Refused> {
        let StmtKind::Item(Item::Decl(id)) = self.program().stmts[s].kind else {
            return Err(Refused::Place("not a declaration"));
        };
        let decl = self.program().decls[id].clone();
        let Entity::Object(object) = decl.entity else { return Err(Refused::Place("not an object")) };
        let before = self.program().objects[object].clone();
        if before.linkage != Linkage::None || decl.storage == Storage::Extern {
            return Err(Refused::Place("it is declared elsewhere"));
        }
        let Some(func) = self.holders().function(s) else { return Err(Refused::Place("not in a function")) };
        let in_block = matches!(self.holders().stmt(s), Some(Holder::Stmt(block))
            if matches!(self.program().stmts[block].kind, StmtKind::Compound(_)));
        if !in_block {
            return Err(Refused::Place("not a declaration of a block"));
        }
        let (mut init, mut instead) = (decl.init, StmtKind::Empty);
        if let Some(Init::Expr(e)) = init.map(|init| self.program().inits[init])
            && before.duration != Duration::Static
            && fold::check_static_init(self.program(), e).is_err()
        {
            let place = build::object(&mut self.cx(), object, Pos::NONE);
            let inner = super::remake::raw(self.program(), e);
            let assign = build::assign(&mut self.cx(), place, inner, Pos::NONE)?;
            instead = StmtKind::Expr(build::discard(&mut self.cx(), assign, Pos::NONE)?);
            init = None;
        }
        let (linkage, duration) = (Linkage::Internal, Duration::Static);
        self.set_object(object, Object { linkage, duration, init, register: false, ..before });
        let decl = Decl { storage: Storage::Static, init, ..decl };
        let decl = self.program_mut().decls.push(decl);
        match instead {
            StmtKind::Empty => self.remove_statements(&[s])?,
            instead => self.set_stmt(s, instead),
        }
        let unit = self.program().funcs[func].unit as usize;
        let program = self.program();
        let Some(found) = program.units.get(unit) else { return Err(Refused::Place("no such unit")) };
        let mut items = found.items.clone();
        let at = items.iter().position(|item| match *item {
            Item::Decl(decl) => visit::defined_by(program, decl) == Some(func),
            _ => false,
        });
        let Some(at) = at else { return Err(Refused::Place("a nested function")) };
        items.insert(at, Item::Decl(decl));
        self.set_items(unit, items);
        Ok(())
    }

    /// Declares a thing with as few words as there can be: no storage class, attributes, alignment, `inline`; an object
    /// may lose its initialiser too.
    pub fn declare_plainly(&mut self, entity: Entity, keeps_init: bool) -> Result<(), Refused> {
        match entity {
            Entity::Object(id) => {
                let before = self.program().objects[id].clone();
                let linkage = match before.linkage {
                    Linkage::None => Linkage::None,
                    _ => Linkage::External,
                };
                let init = before.init.filter(|_| keeps_init);
                self.set_object(
                    id,
                    Object { linkage, init, attrs: Vec::new(), align: 0, register: false, ..before },
                );
            }
            Entity::Function(id) => {
                let mut function = self.program().funcs[id].clone();
                function.linkage = Linkage::External;
                function.external_decl = true;
                function.attrs.clear();
                (function.inline, function.noreturn) = (false, false);
                self.set_function(id, function);
            }
            Entity::Typedef(_) | Entity::Bounds => return Err(Refused::Place("nothing to be plain")),
        }
        let decls: Vec<_> = self.program().decls.ids().collect();
        for id in decls {
            let decl = self.program().decls[id].clone();
            if decl.entity != entity {
                continue;
            }
            let local_static = match entity {
                Entity::Object(object) => {
                    let object = &self.program().objects[object];
                    object.linkage == Linkage::None && object.duration == Duration::Static
                }
                _ => false,
            };
            let storage = match decl.storage {
                Storage::Extern => Storage::Extern,
                Storage::Static if local_static => Storage::Static,
                Storage::Auto => Storage::Auto,
                _ => Storage::None,
            };
            let init = decl.init.filter(|_| keeps_init);
            let plain = Decl { init, body: decl.body, ..Decl::plain(entity, decl.ty, storage) };
            self.set_decl(id, plain);
        }
        Ok(())
    }

    /// Calls an object or a function something else.
    pub fn rename(&mut self, entity: Entity, name: &str) -> Result<(), Refused> {
        let name = self.program_mut().symbols.intern(name);
        match entity {
            Entity::Object(id) => {
                let before = self.program().objects[id].clone();
                self.set_object(id, Object { name: Some(name), ..before });
            }
            Entity::Function(id) => {
                let mut function = self.program().funcs[id].clone();
                if function.implicit {
                    return Err(Refused::Place("a function without a declaration"));
                }
                function.name = name;
                self.set_function(id, function);
            }
            Entity::Typedef(_) | Entity::Bounds => return Err(Refused::Place("not what has a name")),
        }
        // `__func__` has the length of a name.
        let program = self.program();
        let asks = |e: ExprId| matches!(program.exprs[e].kind, ExprKind::FuncName(_));
        match matches!(entity, Entity::Function(_)) && program.exprs.ids().any(asks) {
            true => Err(Refused::Place("the function may ask for its name")),
            false => Ok(()),
        }
    }

    /// Calls a label something else.
    pub fn rename_label(&mut self, id: LabelId, name: &str) {
        let name = self.program_mut().symbols.intern(name);
        let before = self.program().labels[id].clone();
        self.set_label(id, Label { name, ..before });
    }

    /// Leaves of a function only that there is such a one: it is declared where it was defined.
    pub fn drop_body(&mut self, func: FuncId) -> Result<(), Refused> {
        let mut function = self.program().funcs[func].clone();
        if function.body.take().is_none() || function.parent.is_some() {
            return Err(Refused::Place("not a function that is defined at file scope"));
        }
        let old_style = function.old_style;
        function.params.clear();
        (function.linkage, function.old_style) = (Linkage::External, false);
        (function.inline, function.external_decl) = (false, true);
        self.set_function(func, function);
        let decls: Vec<_> = self.program().decls.ids().collect();
        for id in decls {
            let decl = self.program().decls[id].clone();
            if decl.entity == Entity::Function(func) {
                let storage = if decl.storage == Storage::Static { Storage::None } else { decl.storage };
                self.set_decl(id, Decl { body: false, inline: false, storage, ..decl });
            }
        }
        match old_style {
            true => Err(Refused::Place("a definition without a prototype")),
            false => Ok(()),
        }
    }
}
