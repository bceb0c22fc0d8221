//! Things declared otherwise: objects of other types, functions with other parameters and results, types in the place of
//! types, structs with fewer members. Everything that names them is made again by `build`, or the change is refused.

mod init;
mod types;

use super::rebuild::{Now, Remaking};
use super::{Change, Refused};
use crate::build::{self, Built, Cx};
use crate::program::{
    Decl, Entity, Expr, ExprId, ExprKind, FuncId, InitId, Item, ObjId, Program, StmtId, StmtKind,
};
use crate::symbol::Symbol;
use crate::ty::{Quals, RecordId, Signature, Type, TypeKind};
use crate::visit::{self, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use types::Substitution;

/// What is declared otherwise.
#[derive(Clone, Debug, Default)]
pub struct Redeclaration {
    /// Objects of another type.
    pub objects: FxHashMap<ObjId, Type>,
    /// Functions that return something else.
    pub returns: FxHashMap<FuncId, Type>,
    /// Parameters that go, by their numbers, and with them the arguments of all calls.
    pub params: FxHashMap<FuncId, Vec<usize>>,
    /// Unqualified types that others stand for wherever they are written.
    pub types: FxHashMap<Type, Type>,
    /// Members that go, by their numbers.
    pub members: FxHashMap<RecordId, Vec<usize>>,
    /// Members of another type, which are no bit-fields then, by their numbers.
    pub fields: FxHashMap<(RecordId, usize), Type>,
    /// Unions that become structs.
    pub structs: FxHashSet<RecordId>,
    /// Structs and unions with another tag.
    pub tags: FxHashMap<RecordId, Symbol>,
    /// Members with another name, by their numbers.
    pub names: FxHashMap<(RecordId, usize), Symbol>,
    /// Qualifiers that go everywhere.
    pub quals: Quals,
}

impl Change<'_> {
    /// Declares things otherwise and makes again all that names them; `by` may make something else of an expression.
    pub fn redeclare(&mut self, what: &Redeclaration, by: &mut dyn Remaking) -> Result<(), Refused> {
        let types = Substitution::of(self.program_mut(), what)?;
        let mut objects: FxHashMap<ObjId, Type> = what.objects.clone();
        let old: Vec<(ObjId, Type)> = self.program().objects.iter().map(|(id, one)| (id, one.ty)).collect();
        for &(id, ty) in &old {
            let new = types.apply(self.program_mut(), ty)?;
            if new != ty {
                objects.entry(id).or_insert(new);
            }
        }
        self.redeclare_functions(what, &types, &objects)?;
        let mut targets = FxHashMap::default();
        for (id, ty) in old {
            let Some(&new) = objects.get(&id) else { continue };
            let mut object = self.program().objects[id].clone();
            object.init = match object.init {
                Some(init) => self.fit(init, (ty, new), &mut targets)?,
                None => None,
            };
            object.ty = new;
            self.set_object(id, object);
        }
        self.redeclare_items(what, &types)?;
        let mut retyped = Retyped { what, types: &types, targets: &targets, by };
        self.rebuild(&mut retyped).map(|_| ())
    }

    fn redeclare_functions(
        &mut self,
        what: &Redeclaration,
        types: &Substitution,
        objects: &FxHashMap<ObjId, Type>,
    ) -> Result<(), Refused> {
        let funcs: Vec<FuncId> = self.program().funcs.ids().collect();
        for id in funcs {
            let mut function = self.program().funcs[id].clone();
            let TypeKind::Function(signature) = self.program().types.kind(function.ty) else { continue };
            let old = self.program().types.signature(signature).clone();
            let gone: &[usize] = what.params.get(&id).map_or(&[], Vec::as_slice);
            if !gone.is_empty() && (!old.prototype || function.implicit || old.variadic) {
                return Err(Refused::Place("a function whose parameters nobody knows"));
            }
            let ret = match what.returns.get(&id) {
                Some(&ret) => ret.bare(),
                None => types.apply(self.program_mut(), old.ret)?,
            };
            let mut params = Vec::new();
            for (number, &param) in old.params.iter().enumerate() {
                if gone.contains(&number) {
                    continue;
                }
                let object = function.params.get(number).and_then(|param| objects.get(param));
                params.push(match object {
                    Some(ty) => ty.bare(),
                    None => types.apply(self.program_mut(), param)?,
                });
            }
            let new = Signature { ret, params: params.into(), ..old.clone() };
            if new == old {
                continue;
            }
            if function.implicit {
                return Err(Refused::Place("a function without a declaration"));
            }
            let ty = build::function_returning(self.program_mut(), new)
                .map_err(|_| Refused::Place("no such function"))?;
            function.ty = ty;
            let mut number = 0;
            function.params.retain(|_| {
                number += 1;
                !gone.contains(&(number - 1))
            });
            self.set_function(id, function);
        }
        Ok(())
    }

    /// All declarations say what there is now.
    fn redeclare_items(&mut self, what: &Redeclaration, types: &Substitution) -> Result<(), Refused> {
        let decls: Vec<_> = self.program().decls.ids().collect();
        for id in decls {
            let decl = self.program().decls[id].clone();
            let (ty, init) = match decl.entity {
                Entity::Object(object) => {
                    let ty = match what.objects.get(&object) {
                        Some(&ty) => ty,
                        None => types.apply(self.program_mut(), decl.ty)?,
                    };
                    (ty, decl.init.and(self.program().objects[object].init))
                }
                Entity::Function(func) => {
                    let touched = what.params.contains_key(&func) || what.returns.contains_key(&func);
                    let function = &self.program().funcs[func];
                    let ours = function.params.iter().any(|param| what.objects.contains_key(param));
                    let ty = match touched || ours {
                        true => function.ty,
                        false => types.apply(self.program_mut(), decl.ty)?,
                    };
                    (ty, None)
                }
                Entity::Typedef(_) | Entity::Bounds => {
                    if types.apply(self.program_mut(), decl.ty)? != decl.ty {
                        return Err(Refused::Place("a type that is kept"));
                    }
                    continue;
                }
            };
            if ty != decl.ty || init != decl.init {
                self.set_decl(id, Decl { ty, init, ..decl });
            }
        }
        for unit in 0..self.program().units.len() {
            let before = self.program().units[unit].items.clone();
            let items: Vec<Item> = before.iter().filter_map(|&item| types.item(item)).collect();
            if items != before {
                self.set_items(unit, items);
            }
        }
        if !types.has_records() {
            return Ok(());
        }
        let mut stmts = Vec::new();
        visit::each(self.program(), |part| {
            if let Node::Stmt(s) = part.node {
                stmts.push(s);
            }
        });
        for s in stmts {
            if let StmtKind::Item(item) = self.program().stmts[s].kind
                && types.item(item) != Some(item)
            {
                let kind = types.item(item).map_or(StmtKind::Empty, StmtKind::Item);
                self.set_stmt(s, kind);
            }
        }
        Ok(())
    }
}

/// Makes everything again that names what is declared otherwise.
struct Retyped<'a> {
    what: &'a Redeclaration,
    types: &'a Substitution,
    targets: &'a FxHashMap<InitId, Type>,
    by: &'a mut dyn Remaking,
}

impl Retyped<'_> {
    /// The new name of a member that an expression names.
    fn member(&self, program: &Program, e: ExprId) -> Option<Symbol> {
        let ExprKind::Member { base, field } = program.exprs[e].kind else { return None };
        let record = program.types.as_record(program.ty(base))?;
        self.what.names.get(&(record, field as usize)).copied()
    }

    fn callee(&self, program: &Program, e: ExprId) -> Option<FuncId> {
        let ExprKind::Call(callee, _) = program.exprs[e].kind else { return None };
        match program.exprs[super::remake::raw(program, callee)].kind {
            ExprKind::Function(func) => Some(func),
            _ => None,
        }
    }
}

impl Remaking for Retyped<'_> {
    fn wants(&self, program: &Program, e: ExprId) -> bool {
        let Expr { kind, ty, .. } = program.exprs[e];
        let own = match kind {
            ExprKind::Object(object) | ExprKind::CompoundLiteral(object) => program.objects[object].ty != ty,
            ExprKind::Function(func) => program.funcs[func].ty != ty,
            ExprKind::Call(..) => {
                self.callee(program, e).is_some_and(|func| self.what.params.contains_key(&func))
            }
            ExprKind::Member { .. } => self.member(program, e).is_some(),
            ExprKind::Cast(..) | ExprKind::VaArg(_) => self.types.changes(program, ty),
            ExprKind::SizeofType(of) | ExprKind::AlignofType { of, .. } | ExprKind::Offsetof(of, _) => {
                self.types.changes(program, of)
            }
            _ => false,
        };
        own || self.by.wants(program, e)
    }

    fn make(&mut self, cx: &mut Cx<'_>, e: ExprId, now: &Now) -> Option<Built> {
        if self.by.wants(cx.program, e)
            && let Some(made) = self.by.make(cx, e, now)
        {
            return Some(made);
        }
        let Expr { kind, ty, pos } = cx.program.exprs[e];
        let refuse = || {
            let message = "a type that cannot be another one".to_owned();
            Err(Box::new(crate::build::Violation { pos, message }))
        };
        match kind {
            ExprKind::Object(object) => Some(Ok(build::object(cx, object, pos))),
            ExprKind::CompoundLiteral(object) => Some(Ok(build::compound_literal(cx, object, pos))),
            ExprKind::Function(func) => Some(Ok(build::function(cx, func, pos))),
            ExprKind::Member { base, .. } => {
                let name = self.member(cx.program, e)?;
                let base = now.operand(cx.program, base);
                Some(build::member(cx, base, name, false, pos))
            }
            ExprKind::Call(callee, args) => {
                let gone = self.what.params.get(&self.callee(cx.program, e)?)?;
                let callee = now.operand(cx.program, callee);
                let args: Vec<ExprId> = cx.program.list(args).to_vec();
                let args = args.iter().enumerate().filter(|(number, _)| !gone.contains(number));
                let args: Vec<ExprId> = args.map(|(_, &arg)| now.operand(cx.program, arg)).collect();
                Some(build::call(cx, callee, &args, pos))
            }
            ExprKind::Cast(_, of) if self.types.changes(cx.program, ty) => {
                let Ok(to) = self.types.apply(cx.program, ty) else { return Some(refuse()) };
                let of = now.operand(cx.program, of);
                Some(build::cast(cx, to, of, pos))
            }
            ExprKind::SizeofType(of) if self.types.changes(cx.program, of) => {
                let Ok(to) = self.types.apply(cx.program, of) else { return Some(refuse()) };
                Some(build::sizeof_type(cx, to, pos))
            }
            ExprKind::AlignofType { of, preferred } if self.types.changes(cx.program, of) => {
                let Ok(to) = self.types.apply(cx.program, of) else { return Some(refuse()) };
                Some(build::alignof_type(cx, to, preferred, pos))
            }
            ExprKind::VaArg(_) | ExprKind::Offsetof(..) => Some(refuse()),
            _ => None,
        }
    }

    fn renews(&self, program: &Program, s: StmtId) -> bool {
        // Which function a statement is in is not known here; made again, the others are what they were.
        matches!(program.stmts[s].kind, StmtKind::Return(Some(_)))
            && (!self.what.returns.is_empty() || !self.types.is_nothing())
    }

    fn target(&self, i: InitId) -> Option<Type> {
        self.targets.get(&i).copied()
    }

    fn keeps(&self) -> bool {
        false
    }
}
