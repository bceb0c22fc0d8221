//! Statements and blocks (C17 6.8). Labels and what jumps may enter are in `label`, asm statements in `asm`.
//!
//! A statement's id is taken when its first token is read, so ids grow in source order.

use crate::parser::{Failed, FunctionCx, Parse, Parser, RegionKind, SwitchCx};
use crate::token::Tok;
use howler_lang::build::{self, Purpose};
use howler_lang::program::{Entity, ExprId, FuncId, Item, Stmt, StmtId, StmtKind};
use howler_lang::source::Pos;
use howler_lang::target::Edition;
use howler_lang::ty::{Quals, Type, TypeKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

impl Parser<'_> {
    /// The body of `func`. The current token is `{`; the caller has entered a scope and bound the parameters.
    pub(crate) fn function_body(&mut self, func: FuncId) -> Parse<StmtId> {
        let ty = self.cx.program.funcs[func].ty;
        let ret = match self.cx.program.types.kind(ty) {
            TypeKind::Function(id) => self.cx.program.types.signature(id).ret,
            _ => Type::INT,
        };
        let outer = self.function.take().map(Box::new);
        self.function = Some(FunctionCx {
            func,
            ret,
            labels: FxHashMap::default(),
            local_labels: Vec::new(),
            loops: 0,
            switches: Vec::new(),
            closed_labels: Vec::new(),
            regions: Vec::new(),
            region: 0,
            jumps: Vec::new(),
            outer,
        });
        // Types defined in the parameter list stay pending for the declaration itself.
        let (exprs, stmts) = (self.exprs.len(), self.stmts.len());
        let id = self.reserve();
        let result = self.nested(|p| p.block_items(id));
        self.check_labels();
        self.exprs.truncate(exprs);
        self.stmts.truncate(stmts);
        self.function = self.function.take().and_then(|function| function.outer).map(|outer| *outer);
        result.map(|()| id)
    }

    /// `{ … }` of a statement expression: a block that jumps must not enter.
    pub(crate) fn statement_expression_body(&mut self) -> Parse<StmtId> {
        let before = self.enter_region(RegionKind::StmtExpr);
        let id = self.reserve();
        self.scopes.enter();
        let result = self.block_items(id);
        self.scopes.leave();
        self.leave_region(before);
        result?;
        // Empty statements at the end do not hide the value before them.
        if let StmtKind::Compound(list) = self.cx.program.stmts[id].kind {
            let items = self.cx.program.block(list);
            let empty = |&&stmt: &&StmtId| matches!(self.cx.program.stmts[stmt].kind, StmtKind::Empty);
            let kept = items.len() - items.iter().rev().take_while(empty).count();
            if (1..items.len()).contains(&kept) {
                let items = items[..kept].to_vec();
                let list = self.cx.program.add_block(&items);
                self.fill(id, StmtKind::Compound(list));
            }
        }
        Ok(id)
    }

    /// Takes the id of the statement that begins at the current token.
    fn reserve(&mut self) -> StmtId {
        let pos = self.pos();
        self.cx.program.stmts.push(Stmt { kind: StmtKind::Empty, pos })
    }

    pub(crate) fn fill(&mut self, id: StmtId, kind: StmtKind) {
        self.cx.program.stmts[id].kind = kind;
    }

    /// The items of a block from `{` to `}`, stored in the statement `id`.
    fn block_items(&mut self, id: StmtId) -> Parse<()> {
        let open = self.expect(Tok::LBrace)?;
        let mark = self.stmts.len();
        let region = self.region();
        let locals = self.local_labels();
        self.label_declarations();
        loop {
            match self.tok() {
                Tok::RBrace => break,
                Tok::Eof => {
                    self.stmts.truncate(mark);
                    return Err(self.error(open, "expected declaration or statement at end of input"));
                }
                _ => {}
            }
            if self.gave_up() {
                self.stmts.truncate(mark);
                return Err(Failed);
            }
            self.block_item();
        }
        self.bump();
        self.leave_labels(locals);
        self.leave_region(region);
        self.restore_outer_types();
        let list = self.cx.program.add_block(&self.stmts[mark..]);
        self.stmts.truncate(mark);
        self.fill(id, StmtKind::Compound(list));
        Ok(())
    }

    /// One declaration or statement of a block, pushed onto `self.stmts`. Errors end here: the rest of the item is
    /// skipped.
    fn block_item(&mut self) {
        let (start, exprs) = (self.at, self.exprs.len());
        let mark = self.mark();
        let (region, locals) = (self.region(), self.local_labels());
        let result = self.block_item_rule();
        if result.is_err() {
            self.exprs.truncate(exprs);
            self.leave_labels(locals);
            self.leave_region(region);
            self.skip_statement(start);
        }
        self.place_pending(mark);
    }

    fn block_item_rule(&mut self) -> Parse<()> {
        if self.starts_declaration() {
            let quiet = self.quiet;
            while self.eat(Tok::KwExtension) {
                self.quiet += 1;
            }
            let result = match self.tok() {
                Tok::KwStaticAssert => self.static_assert(),
                _ => self.declare_in_block(),
            };
            self.quiet = quiet;
            return result;
        }
        let id = self.statement()?;
        self.stmts.push(id);
        Ok(())
    }

    /// A declaration; one of variably modified type opens a region that lasts to the end of the block.
    fn declare_in_block(&mut self) -> Parse<()> {
        let mark = self.stmts.len();
        // Blocks inside initialisers use a stack of their own meanwhile.
        let mut stmts = std::mem::take(&mut self.stmts);
        let result = self.block_declaration(&mut stmts);
        self.stmts = stmts;
        for index in mark..self.stmts.len() {
            if let Some(pos) = self.variably_modified(self.stmts[index]) {
                self.enter_region(RegionKind::Variable(pos));
            }
        }
        result
    }

    /// Where `stmt` declares something of variably modified type, if it does.
    fn variably_modified(&self, stmt: StmtId) -> Option<Pos> {
        let program = &self.cx.program;
        let StmtKind::Item(Item::Decl(decl)) = program.stmts[stmt].kind else { return None };
        let decl = &program.decls[decl];
        let ty = match decl.entity {
            Entity::Object(obj) => program.objects[obj].ty,
            Entity::Typedef(_) => decl.ty,
            Entity::Function(_) | Entity::Bounds => return None,
        };
        program.types.is_variably_modified(ty).then_some(decl.pos)
    }

    /// After an error: skips the rest of a statement that began at token `start`, so that at least one token is
    /// gone. A `}` that closes the block stays.
    fn skip_statement(&mut self, start: usize) {
        let mut depth = 0u32;
        // A rule that fails inside brackets leaves them open: their closing ones are skipped below like the rest.
        loop {
            match self.tok() {
                Tok::Eof => return,
                Tok::Semi if depth == 0 => {
                    self.bump();
                    return;
                }
                Tok::LBrace => depth += 1,
                Tok::RBrace if depth == 0 => {
                    // Only if the statement itself opened nothing before the error can this be the block's end.
                    let opened = self.open_braces(start);
                    if opened == 0 {
                        return;
                    }
                    self.bump();
                    if opened == 1 {
                        return;
                    }
                    continue;
                }
                Tok::RBrace => depth -= 1,
                _ => {}
            }
            let closed = self.tok() == Tok::RBrace && depth == 0;
            self.bump();
            if closed && self.tok() != Tok::KwElse {
                return;
            }
        }
    }

    /// How many braces opened since token `start` are still open.
    fn open_braces(&self, start: usize) -> usize {
        let mut open = 0usize;
        for token in &self.lexed.tokens[start..self.at] {
            match token.kind {
                Tok::LBrace => open += 1,
                Tok::RBrace => open = open.saturating_sub(1),
                _ => {}
            }
        }
        open
    }

    /// Any statement; never a declaration.
    pub(crate) fn statement(&mut self) -> Parse<StmtId> {
        let id = self.reserve();
        let pos = self.pos();
        match self.tok() {
            Tok::Ident if self.peek(1) == Tok::Colon => return self.labelled(id),
            Tok::KwCase | Tok::KwDefault => return self.labelled(id),
            Tok::LBrace => {
                self.scopes.enter();
                let result = self.nested(|p| p.block_items(id));
                self.scopes.leave();
                result?;
            }
            Tok::KwIf => self.scoped(|p| p.if_statement(id))?,
            Tok::KwSwitch => self.scoped(|p| p.switch_statement(id))?,
            Tok::KwWhile => self.scoped(|p| p.while_statement(id))?,
            Tok::KwDo => self.scoped(|p| p.do_statement(id))?,
            Tok::KwFor => {
                self.scopes.enter();
                let region = self.region();
                let result = self.for_statement(id);
                self.leave_region(region);
                self.scopes.leave();
                result?;
            }
            Tok::KwGoto => self.goto_statement(id, pos)?,
            Tok::KwBreak | Tok::KwContinue => self.break_or_continue(id, pos)?,
            Tok::KwReturn => self.return_statement(id, pos)?,
            Tok::KwAsm => self.asm_statement(id)?,
            Tok::Semi => {
                self.bump();
            }
            Tok::KwAttribute => {
                // `__attribute__((fallthrough));`, or attributes that a statement has no use for.
                self.dropped_attributes()?;
                if !self.eat(Tok::Semi) {
                    let inner = self.chained(Self::statement)?;
                    let list = self.cx.program.add_block(&[inner]);
                    self.fill(id, StmtKind::Compound(list));
                }
            }
            Tok::KwElse => return Err(self.error(pos, "'else' without a previous 'if'")),
            Tok::KwLabel => return Err(self.expected("expression")),
            _ => {
                let e = self.expression()?;
                let built = build::discard(&mut self.cx, e, pos);
                let e = self.built(built)?;
                self.expect(Tok::Semi)?;
                self.fill(id, StmtKind::Expr(e));
            }
        }
        Ok(id)
    }

    /// A statement that is part of an `if`, a `switch` or a loop, and a block of its own.
    fn substatement(&mut self) -> Parse<StmtId> {
        self.scoped(|p| p.chained(Self::statement))
    }

    /// Runs a rule in a scope of its own, as selection and iteration statements have since C99 (C17 6.8.4p3,
    /// 6.8.5p5).
    fn scoped<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.cx.program.target.std.edition == Edition::C89 {
            return rule(self);
        }
        self.scopes.enter();
        let result = rule(self);
        self.scopes.leave();
        result
    }

    /// `( expression )` as a condition.
    fn condition(&mut self) -> Parse<ExprId> {
        self.expect(Tok::LParen)?;
        let pos = self.pos();
        let e = self.nested(Self::expression)?;
        let built = build::condition(&mut self.cx, e, pos);
        let e = self.built(built)?;
        self.expect(Tok::RParen)?;
        Ok(e)
    }

    fn if_statement(&mut self, id: StmtId) -> Parse<()> {
        self.bump();
        let cond = self.condition()?;
        let then = self.substatement()?;
        let other = if self.eat(Tok::KwElse) { Some(self.substatement()?) } else { None };
        self.fill(id, StmtKind::If { cond, then, other });
        Ok(())
    }

    fn while_statement(&mut self, id: StmtId) -> Parse<()> {
        self.bump();
        let cond = self.condition()?;
        let body = self.loop_body()?;
        self.fill(id, StmtKind::While { cond, body });
        Ok(())
    }

    fn do_statement(&mut self, id: StmtId) -> Parse<()> {
        self.bump();
        let body = self.loop_body()?;
        self.expect(Tok::KwWhile)?;
        let cond = self.condition()?;
        self.expect(Tok::Semi)?;
        self.fill(id, StmtKind::DoWhile { body, cond });
        Ok(())
    }

    fn for_statement(&mut self, id: StmtId) -> Parse<()> {
        self.bump();
        self.expect(Tok::LParen)?;
        let init = self.for_init()?;
        let cond = match self.tok() {
            Tok::Semi => None,
            _ => {
                let pos = self.pos();
                let e = self.nested(Self::expression)?;
                let built = build::condition(&mut self.cx, e, pos);
                Some(self.built(built)?)
            }
        };
        self.expect(Tok::Semi)?;
        let step = match self.tok() {
            Tok::RParen => None,
            _ => Some(self.discarded()?),
        };
        self.expect(Tok::RParen)?;
        let body = self.loop_body()?;
        self.fill(id, StmtKind::For { init, cond, step, body });
        Ok(())
    }

    /// The first part of a `for` head with its `;`.
    fn for_init(&mut self) -> Parse<Option<StmtId>> {
        if self.eat(Tok::Semi) {
            return Ok(None);
        }
        // It leaves nothing behind.
        if self.tok() == Tok::KwStaticAssert {
            return self.static_assert().map(|()| None);
        }
        let declares = self.starts_declaration();
        let start = self.pos();
        let id = self.reserve();
        if !declares {
            let e = self.discarded()?;
            self.expect(Tok::Semi)?;
            self.fill(id, StmtKind::Expr(e));
            return Ok(Some(id));
        }
        while self.eat(Tok::KwExtension) {}
        let mut decls = Vec::new();
        self.for_declaration(&mut decls)?;
        if decls.is_empty() {
            return Err(self.unsupported(start, "'for' head that declares nothing"));
        }
        for &decl in &decls {
            if let Some(pos) = self.variably_modified(decl) {
                self.enter_region(RegionKind::Variable(pos));
            }
        }
        let list = self.cx.program.add_block(&decls);
        self.fill(id, StmtKind::Decls(list));
        Ok(Some(id))
    }

    /// An expression evaluated for its effects.
    fn discarded(&mut self) -> Parse<ExprId> {
        let pos = self.pos();
        let e = self.nested(Self::expression)?;
        let built = build::discard(&mut self.cx, e, pos);
        self.built(built)
    }

    fn loop_body(&mut self) -> Parse<StmtId> {
        if let Some(function) = &mut self.function {
            function.loops += 1;
        }
        let body = self.substatement();
        if let Some(function) = &mut self.function {
            function.loops -= 1;
        }
        body
    }

    fn switch_statement(&mut self, id: StmtId) -> Parse<()> {
        self.bump();
        self.expect(Tok::LParen)?;
        let pos = self.pos();
        let e = self.nested(Self::expression)?;
        let built = build::switch_value(&mut self.cx, e, pos);
        let value = self.built(built)?;
        self.expect(Tok::RParen)?;
        let ty = self.cx.program.ty(value);
        let region = self.region();
        if let Some(function) = &mut self.function {
            function.switches.push(SwitchCx { ty, cases: BTreeMap::new(), default: None, region });
        }
        let body = self.substatement();
        if let Some(function) = &mut self.function {
            function.switches.pop();
        }
        self.fill(id, StmtKind::Switch { value, body: body? });
        Ok(())
    }

    fn goto_statement(&mut self, id: StmtId, pos: Pos) -> Parse<()> {
        self.bump();
        if self.eat(Tok::Star) {
            self.extension(pos, "ISO C forbids 'goto *expr;'");
            let at = self.pos();
            let e = self.nested(Self::expression)?;
            let built = build::value(&mut self.cx, e);
            let e = self.built(built)?;
            if self.cx.program.types.pointee(self.cx.program.ty(e)).is_none() {
                return Err(self.error(at, "computed goto must be pointer type"));
            }
            let types = &mut self.cx.program.types;
            let to = types.qualified(Type::VOID, Quals::CONST);
            let to = types.pointer(to);
            let built = build::convert_as_if_assigned(&mut self.cx, Purpose::Assign, e, to, at);
            let e = self.built(built)?;
            self.expect(Tok::Semi)?;
            self.fill(id, StmtKind::GotoComputed(e));
            return Ok(());
        }
        if self.tok() != Tok::Ident {
            return Err(self.expected("identifier or '*'"));
        }
        let name = self.bump().symbol();
        let label = self.label_used(name, pos);
        self.record_jump(label, pos);
        self.fill(id, StmtKind::Goto(label));
        self.expect(Tok::Semi)?;
        Ok(())
    }

    fn break_or_continue(&mut self, id: StmtId, pos: Pos) -> Parse<()> {
        let tok = self.bump().kind;
        let (in_loop, in_switch) =
            self.function.as_ref().map_or((false, false), |f| (f.loops > 0, !f.switches.is_empty()));
        if tok == Tok::KwBreak {
            if !in_loop && !in_switch {
                self.error(pos, "break statement not within loop or switch");
            }
            self.fill(id, StmtKind::Break);
        } else {
            if !in_loop {
                self.error(pos, "continue statement not within a loop");
            }
            self.fill(id, StmtKind::Continue);
        }
        self.expect(Tok::Semi)?;
        Ok(())
    }

    fn return_statement(&mut self, id: StmtId, pos: Pos) -> Parse<()> {
        self.bump();
        let ret = self.function.as_ref().map_or(Type::VOID, |function| function.ret);
        let void = self.cx.program.types.is_void(ret);
        if self.eat(Tok::Semi) {
            if !void {
                self.pedantic(pos, "'return' with no value, in function returning non-void")?;
            }
            self.fill(id, StmtKind::Return(None));
            return Ok(());
        }
        let at = self.pos();
        let e = self.expression()?;
        let built = if void {
            if !self.cx.program.types.is_void(self.cx.program.ty(e)) {
                self.pedantic(at, "'return' with a value, in function returning void")?;
                // The value is computed and dropped.
                build::cast(&mut self.cx, Type::VOID, e, at)
            } else {
                self.extension(at, "ISO C forbids 'return' with expression, in function returning void");
                Ok(e)
            }
        } else {
            build::convert_as_if_assigned(&mut self.cx, Purpose::Return, e, ret, at)
        };
        let e = self.built(built)?;
        self.expect(Tok::Semi)?;
        self.fill(id, StmtKind::Return(Some(e)));
        Ok(())
    }
}
