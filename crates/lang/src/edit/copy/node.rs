//! Nodes of a copy: the same ones, made of copies.

use super::Copier;
use crate::build;
use crate::edit::Refused;
use crate::edit::map::Map;
use crate::program::{
    DeclId, Expr, ExprId, ExprKind, FuncId, InitId, LabelId, ObjId, Program, StmtId, StrId, UnaryOp,
};
use crate::symbol::Symbol;
use crate::ty::{EnumId, EnumeratorId, RecordId, Type};
use rustc_hash::FxHashMap;

/// What stands for an id in the copy; those from outside stand for themselves.
fn of<I: Copy + Eq + std::hash::Hash>(map: &FxHashMap<I, I>, id: I) -> I {
    map.get(&id).copied().unwrap_or(id)
}

impl Map for Copier<'_, '_> {
    fn old(&self) -> &Program {
        self.change.program()
    }

    fn new_program(&mut self) -> &mut Program {
        self.change.program_mut()
    }

    fn of_expr(&self, e: ExprId) -> ExprId {
        of(&self.exprs, e)
    }

    fn of_stmt(&self, s: StmtId) -> StmtId {
        of(&self.stmts, s)
    }

    fn of_init(&self, i: InitId) -> InitId {
        of(&self.inits, i)
    }

    fn of_object(&self, object: ObjId) -> ObjId {
        let own = self.objects.get(&object).copied();
        own.unwrap_or_else(|| of(&self.renaming, object))
    }

    fn of_func(&self, func: FuncId) -> FuncId {
        of(&self.funcs, func)
    }

    fn of_label(&self, label: LabelId) -> LabelId {
        of(&self.labels, label)
    }

    /// Texts never change, so a copy may share them.
    fn of_string(&mut self, string: StrId) -> StrId {
        string
    }

    fn of_type(&mut self, ty: Type) -> Type {
        self.ty(ty)
    }

    fn of_record(&self, record: RecordId) -> RecordId {
        of(&self.records, record)
    }

    fn of_enum(&self, id: EnumId) -> EnumId {
        of(&self.enums, id)
    }

    fn of_enumerator(&self, constant: EnumeratorId) -> EnumeratorId {
        of(&self.enumerators, constant)
    }

    fn of_typedef(&self, name: Symbol) -> Symbol {
        of(&self.typedefs, name)
    }

    fn of_decl(&mut self, decl: DeclId) -> DeclId {
        let decl = self.decl(decl);
        self.new_program().decls.push(decl)
    }
}

impl Copier<'_, '_> {
    pub(super) fn copy_expr(&mut self, e: ExprId) -> Result<(), Refused> {
        let Expr { kind, ty, pos } = self.program().exprs[e];
        let ty = self.ty(ty);
        let copy = match kind {
            ExprKind::Object(object) if self.pointed.contains_key(&object) => {
                let pointer = self.pointed[&object];
                let cx = &mut self.change.cx();
                let pointer = build::object(cx, pointer, pos);
                build::unary(cx, UnaryOp::Deref, pointer, pos)?
            }
            _ => {
                let kind = self.expr_kind(kind);
                self.new_program().exprs.push(Expr { kind, ty, pos })
            }
        };
        self.exprs.insert(e, copy);
        Ok(())
    }

    pub(super) fn copy_init(&mut self, i: InitId) {
        let copy = self.init(self.program().inits[i]);
        let copy = self.new_program().inits.push(copy);
        self.inits.insert(i, copy);
    }

    pub(super) fn finish_object(&mut self, object: ObjId) {
        let id = self.objects[&object];
        let mut copy = self.program().objects[id].clone();
        copy.ty = self.ty(copy.ty);
        copy.init = copy.init.map(|init| self.of_init(init));
        if let Some(bound) = &mut copy.param_bound {
            bound.len = self.of_expr(bound.len);
        }
        self.new_program().objects[id] = copy;
    }

    pub(super) fn finish_function(&mut self, func: FuncId) {
        let id = self.funcs[&func];
        let mut copy = self.program().funcs[id].clone();
        copy.ty = self.ty(copy.ty);
        copy.params = copy.params.iter().map(|&param| self.of_object(param)).collect();
        copy.body = copy.body.map(|body| self.of_stmt(body));
        copy.parent = copy.parent.map(|parent| self.of_func(parent));
        self.new_program().funcs[id] = copy;
    }

    /// Nothing refers to a copy yet, so this need not be taken back.
    pub(super) fn finish_stmt(&mut self, s: StmtId) {
        let stmt = self.program().stmts[s];
        let kind = self.stmt_kind(stmt.kind);
        let id = self.of_stmt(s);
        let copy = &mut self.new_program().stmts[id];
        (copy.kind, copy.pos) = (kind, stmt.pos);
    }
}
