//! Statements and declarations.

use super::lvalue::Lv;
use super::{AccessUse, Lower, Lowerer};
use crate::facts;
use crate::op::{NONE, Op, Reg};
use crate::value::AllocKind;
use howler_lang::program::{
    Decl, DeclId, Duration, Entity, ExprId, ExprKind, FuncId, InitId, Item, Linkage, ObjId, StmtId, StmtKind,
    StmtList,
};
use howler_lang::visit::{self, Mention, Node, Walk};

impl Lowerer<'_> {
    pub fn stmt(&mut self, id: StmtId) -> Lower<()> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt_here(id))
    }

    fn stmt_here(&mut self, id: StmtId) -> Lower<()> {
        let stmt = self.program.stmts[id];
        self.f.pos = stmt.pos;
        self.point(id);
        self.finish_enclosed();
        let block = opens_block(stmt.kind);
        self.f.inner += u32::from(block);
        match self.open_head(id)? {
            Some(scope) => {
                self.stmt_parts(id)?;
                self.close_scope(scope);
            }
            None => self.stmt_parts(id)?,
        }
        self.f.inner -= u32::from(block);
        Ok(())
    }

    fn stmt_parts(&mut self, id: StmtId) -> Lower<()> {
        let stmt = self.program.stmts[id];
        match stmt.kind {
            StmtKind::Empty | StmtKind::LabelDecl(_) => Ok(()),
            StmtKind::Expr(e) => self.full(e, false).map(|_| ()),
            StmtKind::Item(item) => self.item(item),
            StmtKind::Decls(list) => self.program.block(list).iter().try_for_each(|&stmt| self.stmt(stmt)),
            StmtKind::Compound(list) => self.block(list, None),
            StmtKind::If { cond, then, other } => {
                let skip = self.jump_unless(cond)?;
                self.sub(then)?;
                let Some(other) = other else {
                    self.land(skip);
                    return Ok(());
                };
                let end = self.emit(Op::Jump { to: 0 });
                self.land(skip);
                self.sub(other)?;
                self.land(end);
                Ok(())
            }
            StmtKind::While { cond, body } => {
                self.enter_loop(true);
                let start = self.here();
                self.in_head(true);
                let exit = self.jump_unless(cond)?;
                self.in_head(false);
                self.sub(body)?;
                self.land_continues();
                self.emit(Op::Jump { to: start });
                self.land(exit);
                self.leave_loop();
                Ok(())
            }
            StmtKind::DoWhile { body, cond } => {
                self.enter_loop(true);
                let start = self.here();
                self.sub(body)?;
                self.land_continues();
                self.in_head(true);
                self.f.pos = super::place_of(self.program, cond, stmt.pos);
                let (value, num) = self.tested(cond)?;
                self.branch(cond, num, value);
                self.emit(Op::JumpIf { num, cond: value, to: start });
                self.leave_loop();
                Ok(())
            }
            StmtKind::For { init, cond, step, body } => self.for_loop(init, cond, step, body),
            StmtKind::Switch { value, body } => self.switch(value, body),
            StmtKind::Case { lo, hi, body } => {
                self.case(id, lo, hi)?;
                self.stmt(body)
            }
            StmtKind::Default(body) => {
                self.default_case(id);
                self.stmt(body)
            }
            StmtKind::Label(label, body) => {
                self.label(label);
                self.stmt(body)
            }
            StmtKind::Goto(label) => {
                self.goto(label);
                Ok(())
            }
            StmtKind::GotoComputed(e) => {
                let label = self.full(e, true)?;
                self.emit(Op::JumpTo { label });
                Ok(())
            }
            StmtKind::Break => self.break_or_continue(true),
            StmtKind::Continue => self.break_or_continue(false),
            StmtKind::Return(value) => self.return_stmt(value),
            StmtKind::Asm(asm) => self.asm(asm),
        }
    }

    fn for_loop(
        &mut self,
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) -> Lower<()> {
        let outer = self.f.scope;
        let scope = match init {
            Some(init) if !matches!(self.program.stmts[init].kind, StmtKind::Expr(_) | StmtKind::Empty) => {
                let scope = self.open_scope();
                self.declare_all(scope, &[init])?;
                self.stmt(init)?;
                Some(scope)
            }
            Some(init) => {
                self.stmt(init)?;
                None
            }
            None => None,
        };
        self.enter_loop(true);
        let start = self.here();
        self.in_head(true);
        let exit = match cond {
            Some(cond) => {
                self.f.pos = super::place_of(self.program, cond, self.f.pos);
                Some(self.jump_unless(cond)?)
            }
            None => None,
        };
        self.in_head(false);
        self.sub(body)?;
        self.land_continues();
        self.in_head(true);
        if let Some(step) = step {
            self.f.pos = super::place_of(self.program, step, self.f.pos);
            self.full(step, false)?;
        }
        self.emit(Op::Jump { to: start });
        if let Some(exit) = exit {
            self.land(exit);
        }
        self.leave_loop();
        if scope.is_some() {
            self.leave_to(outer);
            self.f.scope = outer;
        }
        Ok(())
    }

    /// The statements of a block; `result` gets the value of the last one.
    pub fn block(&mut self, list: StmtList, result: Option<Reg>) -> Lower<()> {
        let outer = self.f.scope;
        self.block_contents(list, result)?;
        self.leave_to(outer);
        self.f.scope = outer;
        Ok(())
    }

    /// As [`Lowerer::block`], but its scope stays open.
    pub fn block_contents(&mut self, list: StmtList, result: Option<Reg>) -> Lower<()> {
        let outer = self.f.scope;
        let stmts = self.program.block(list);
        let id = self.f.scopes.len() as u32;
        let enter = self.here();
        self.open_scope();
        self.declare_all(id, stmts)?;
        self.add_literals(id, stmts)?;
        let empty = self.f.scopes[id as usize].objects.is_empty()
            && self.f.scopes[id as usize].unset.is_empty()
            && !self.f.scopes[id as usize].variably_modified
            && self.f.scopes[id as usize].statics.is_empty()
            && self.f.scopes[id as usize].restricted.is_empty();
        if empty {
            // Nothing is made here: no scope.
            self.f.ops.truncate(enter as usize);
            self.f.positions.truncate(enter as usize);
            self.f.scope = outer;
        }
        for (index, &stmt) in stmts.iter().enumerate() {
            if let (Some(dst), true) = (result, index + 1 == stmts.len()) {
                self.last_value(stmt, dst)?;
            } else {
                self.stmt(stmt)?;
            }
        }
        Ok(())
    }

    /// The last statement of a statement expression: its value goes to `dst`.
    fn last_value(&mut self, mut stmt: StmtId, dst: Reg) -> Lower<()> {
        let program = self.program;
        while let StmtKind::Label(label, body) = program.stmts[stmt].kind {
            self.point(stmt);
            self.label(label);
            stmt = body;
        }
        let StmtKind::Expr(e) = program.stmts[stmt].kind else { return self.stmt(stmt) };
        let ty = program.ty(e);
        if program.types.is_void(ty) {
            return self.stmt(stmt);
        }
        self.f.pos = program.stmts[stmt].pos;
        self.point(stmt);
        if facts::is_aggregate(program, ty) {
            let value = self.aggregate(e)?;
            return self.copy_aggregate(&Lv::named(dst, ty), &value, AccessUse::INITIAL);
        }
        let src = self.full(e, true)?;
        self.emit(Op::Read { dst, src });
        Ok(())
    }

    pub fn statement_expression(&mut self, stmt: StmtId, dst: Option<Reg>) -> Lower<()> {
        let (tracked, pos) = (std::mem::replace(&mut self.f.tracked, false), self.f.pos);
        let enclosed = self.f.enclosed;
        self.f.enclosed |= tracked;
        let StmtKind::Compound(list) = self.program.stmts[stmt].kind else {
            return self.refuse("a statement expression without a block");
        };
        self.point(stmt);
        self.f.inner += 1;
        self.block(list, dst)?;
        self.f.inner -= 1;
        self.finish_enclosed();
        (self.f.tracked, self.f.pos, self.f.enclosed) = (tracked, pos, enclosed);
        Ok(())
    }

    /// Adds the variables that these statements declare to a scope.
    fn declare_all(&mut self, scope: u32, stmts: &[StmtId]) -> Lower<()> {
        for &stmt in stmts {
            let mut stmt = stmt;
            while let StmtKind::Label(_, body) | StmtKind::Case { body, .. } | StmtKind::Default(body) =
                self.program.stmts[stmt].kind
            {
                stmt = body;
            }
            match self.program.stmts[stmt].kind {
                StmtKind::Item(Item::Decl(decl)) => self.declare(scope, decl)?,
                StmtKind::Decls(list) => {
                    let inner: Vec<StmtId> = self.program.block(list).to_vec();
                    self.declare_all(scope, &inner)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn declare(&mut self, scope: u32, decl: DeclId) -> Lower<()> {
        if self.program.types.is_variably_modified(self.program.decls[decl].ty) {
            self.f.scopes[scope as usize].variably_modified = true;
        }
        let Entity::Object(object) = self.program.decls[decl].entity else { return Ok(()) };
        let declared = &self.program.objects[object];
        if declared.duration != Duration::Automatic {
            // One that is static belongs to its block too; one that is extern to `main`'s (C17 6.7.3.1p2).
            if declared.linkage == Linkage::None
                && super::has_qualified_part(self.program, declared.ty, howler_lang::ty::Quals::RESTRICT)
            {
                let reg = self.pool_object(object);
                let scope = &mut self.f.scopes[scope as usize];
                scope.restrict = true;
                scope.statics.push(reg);
            }
            return Ok(());
        }
        let reg = self.object_reg(object);
        if self.program.types.is_vla(declared.ty) {
            return Ok(());
        }
        if super::has_qualified_part(self.program, declared.ty, howler_lang::ty::Quals::RESTRICT) {
            self.f.scopes[scope as usize].restrict = true;
        }
        if self.facts.is_in_memory(object) {
            let spec = self.object_spec(object, AllocKind::Automatic)?;
            self.f.scopes[scope as usize].objects.push((reg, spec));
            return Ok(());
        }
        if self.restrict_register(object).is_some() {
            self.f.scopes[scope as usize].restricted.push(reg);
        }
        // What stands in the register before is somebody else's value.
        let read_early = declared.init.is_none_or(|init| self.mentions_object(init, object));
        if self.f.has_labels || read_early {
            self.f.stack += 8;
            self.f.scopes[scope as usize].unset.push(reg);
        }
        Ok(())
    }

    /// Whether an initialiser names an object: its own may, which has no value yet (C17 6.2.1p7).
    fn mentions_object(&self, init: InitId, object: ObjId) -> bool {
        Walk::of(self.program, Node::Init(init)).any(|part| match part.node {
            Node::Expr(e) => matches!(self.program.exprs[e].kind, ExprKind::Object(named) if named == object),
            _ => false,
        })
    }

    /// The function an object's `cleanup` attribute names.
    fn cleanup_of(&self, object: ObjId) -> Option<FuncId> {
        let program = self.program;
        let declared = &program.objects[object];
        let attr = declared.attrs.iter().find(|attr| program.name(attr.name) == "cleanup")?;
        match visit::attr_target(program, declared.unit, attr)? {
            Mention::Function(func) => Some(func),
            _ => None,
        }
    }

    fn item(&mut self, item: Item) -> Lower<()> {
        let Item::Decl(id) = item else { return Ok(()) };
        let decl: &Decl = &self.program.decls[id];
        self.f.pos = decl.pos;
        match decl.entity {
            Entity::Typedef(_) | Entity::Bounds => self.bounds(decl.ty),
            Entity::Function(_) => Ok(()),
            Entity::Object(object) => self.declaration(object, decl),
        }
    }

    fn declaration(&mut self, object: ObjId, decl: &Decl) -> Lower<()> {
        let program = self.program;
        let declared = &program.objects[object];
        if declared.duration != Duration::Automatic {
            if program.types.is_variably_modified(decl.ty) {
                return self.bounds(decl.ty);
            }
            return Ok(());
        }
        self.bounds(decl.ty)?;
        let reg = self.object_reg(object);
        if program.types.is_vla(declared.ty) {
            // Its lifetime starts here: a scope that ends with the block, or with a jump to before this.
            let scope = self.open_scope();
            self.f.scopes[scope as usize].variably_modified = true;
            let size = self.vla_size(declared.ty)?;
            let spec = self.object_spec(object, AllocKind::Vla)?;
            self.emit(Op::Vla { dst: reg, spec, size });
        }
        if let Some(init) = decl.init {
            let lv = self.object(object);
            self.init_auto(&lv, init, Some(object))?;
        } else if self.f.goes_back && !program.types.is_vla(declared.ty) {
            self.forget_value(object, reg)?;
        }
        if let Some(cleanup) = self.cleanup_of(object) {
            // Who leaves the block before this point has nothing to clean up: a scope of its own.
            let scope = self.open_scope();
            self.f.scopes[scope as usize].cleanups.push((cleanup, reg));
        }
        Ok(())
    }

    /// A declaration that is reached again makes the value indeterminate again (C17 6.2.4p6).
    fn forget_value(&mut self, object: ObjId, reg: Reg) -> Lower<()> {
        if self.facts.is_in_memory(object) {
            let size = self.size(self.program.objects[object].ty)? as u32;
            self.emit(Op::Unset { addr: reg, size });
        } else {
            self.emit(Op::UnsetReg { dst: reg });
        }
        Ok(())
    }

    fn return_stmt(&mut self, value: Option<ExprId>) -> Lower<()> {
        let program = self.program;
        let Some(e) = value else {
            self.clean_up_all();
            self.emit(Op::Return { src: NONE });
            return Ok(());
        };
        let ty = program.ty(e);
        let void = program.types.is_void(ty) || self.f.ret.is_none_or(|ret| program.types.is_void(ret));
        if void {
            self.full(e, false)?;
            self.clean_up_all();
            self.emit(Op::Return { src: NONE });
            return Ok(());
        }
        if facts::is_aggregate(program, ty) {
            if self.has_cleanups() {
                // In clang a local that is returned is the result already, and they change it.
                return self.refuse("a struct that is returned before cleanups run");
            }
            let effects = self.facts.effects(e);
            let scope = self.open_scope();
            let outer = std::mem::replace(&mut self.f.tracked, effects.is_tracked());
            if effects.is_tracked() {
                self.emit(Op::SeqBegin);
            }
            let value = self.aggregate(e)?;
            if effects.is_tracked() {
                self.emit(Op::SeqEnd);
            }
            self.f.tracked = outer;
            let access = self.lv_access(&value, AccessUse::PLAIN)?;
            let root = if value.root == NONE { value.addr } else { value.root };
            self.emit(Op::ReturnObject { addr: value.addr, root, access });
            self.f.scope = self.f.scopes[scope as usize].parent;
            return Ok(());
        }
        let src = self.full(e, true)?;
        // Frames end their scopes themselves.
        self.clean_up_all();
        self.emit(Op::Return { src });
        Ok(())
    }
}

/// Whether a statement is a block or has blocks (C17 6.8.2, 6.8.4p3, 6.8.5p5).
fn opens_block(kind: StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Compound(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Switch { .. }
    )
}
