//! Another expression in the place of one: everything around it is made again, up to the statement or initialiser.

use super::holder::Holder;
use super::remake::{is_silent, raw, remake};
use super::{Change, Refused};
use crate::build::{self, Cx, Policy, Purpose};
use crate::fold;
use crate::program::{Duration, Entity, ExprId, Init, InitId, Program, StmtId, StmtKind};
use crate::ty::{Type, TypeKind};

impl Change<'_> {
    /// Puts `new` where `old` stands. It is no part of the program yet, except that it may be a part of `old`. Implicit
    /// conversions at its top are not taken along: its new place decides them.
    pub fn replace_expr(&mut self, old: ExprId, new: ExprId) -> Result<(), Refused> {
        let (mut old, mut new) = (old, raw(self.program(), new));
        if !self.may_move(new, old) {
            return Err(Refused::Place("an expression stands in one place"));
        }
        loop {
            let Some(holder) = self.holders().expr(old) else {
                return Err(Refused::Place("not a part of the program"));
            };
            match holder {
                Holder::Expr(e) if is_silent(self.program(), e) => old = e,
                Holder::Expr(e) => {
                    new = remake(self.program_mut(), e, old, new)?;
                    self.note_moved(e, new);
                    old = e;
                }
                Holder::Stmt(s) => return self.replace_in_statement(s, old, new),
                Holder::Init(i) => match self.replace_in_init(i, old, new)? {
                    Some((literal, again)) => (old, new) = (literal, again),
                    None => return Ok(()),
                },
                Holder::Bound(_) | Holder::Parameter(_) => {
                    return Err(Refused::Place("the bound of an array is part of a type"));
                }
                Holder::Decl(..) | Holder::Function(_) => {
                    return Err(Refused::Place("not an expression's place"));
                }
            }
        }
    }

    /// Whether an expression is no part of the program, or one of `old`, which goes away.
    fn may_move(&mut self, new: ExprId, old: ExprId) -> bool {
        let mut at = new;
        loop {
            if at == old {
                return true;
            }
            match self.holders().expr(at) {
                Some(Holder::Expr(outer)) => at = outer,
                None => return at == new,
                Some(_) => return false,
            }
        }
    }

    /// Makes the expressions again that have the statement inside them: a statement expression has the type of its last
    /// statement, and comes after all it is made of.
    pub(super) fn renew_around(&mut self, s: StmtId) -> Result<(), Refused> {
        let mut s = s;
        loop {
            match self.holders().stmt(s) {
                Some(Holder::Stmt(outer)) => s = outer,
                Some(Holder::Expr(e)) => {
                    let again = remake(self.program_mut(), e, e, e)?;
                    self.note_moved(e, again);
                    return self.replace_expr(e, again);
                }
                _ => return Ok(()),
            }
        }
    }

    fn replace_in_statement(&mut self, s: StmtId, old: ExprId, new: ExprId) -> Result<(), Refused> {
        let ret = self.return_type(s);
        let kind = restated(self.program_mut(), s, (old, new), ret)?;
        self.set_stmt(s, kind);
        self.renew_around(s)
    }

    /// What the innermost function around a statement returns.
    fn return_type(&mut self, s: StmtId) -> Option<Type> {
        let func = self.holders().function(s)?;
        let program = self.program();
        match program.types.kind(program.funcs[func].ty) {
            TypeKind::Function(signature) => Some(program.types.signature(signature).ret),
            _ => None,
        }
    }

    /// If the initialiser is a compound literal's, the literal and what it is now.
    fn replace_in_init(
        &mut self,
        i: InitId,
        old: ExprId,
        new: ExprId,
    ) -> Result<Option<(ExprId, ExprId)>, Refused> {
        let ty = self.program().ty(old);
        if let TypeKind::Array { .. } = self.program().types.kind(ty) {
            return Err(Refused::Place("a string literal that is an array's initialiser"));
        }
        let pos = self.program().exprs[old].pos;
        let value = build::convert_as_if_assigned(&mut self.cx(), Purpose::Init, new, ty, pos)?;
        self.set_init(i, Init::Expr(value));
        let mut outer = i;
        let holder = loop {
            match self.holders().init(outer) {
                Some(Holder::Init(list)) => outer = list,
                holder => break holder,
            }
        };
        match holder {
            Some(Holder::Expr(literal)) => {
                let again = remake(self.program_mut(), literal, literal, literal)?;
                self.note_moved(literal, again);
                Ok(Some((literal, again)))
            }
            Some(Holder::Decl(decl, at)) => {
                let program = self.program();
                let constant = match program.decls[decl].entity {
                    Entity::Object(object) => is_static(program.objects[object].duration),
                    _ => false,
                };
                if constant && fold::check_static_init(program, value).is_err() {
                    return Err(Refused::Place("the initialiser of a static object is a constant"));
                }
                match at {
                    Some(s) => self.renew_around(s).map(|()| None),
                    None => Ok(None),
                }
            }
            _ => Err(Refused::Place("not a part of the program")),
        }
    }
}

/// A statement with `new` where it has `old`, made again for its place. `ret` is what its function returns.
pub(super) fn restated(
    program: &mut Program,
    s: StmtId,
    (old, new): (ExprId, ExprId),
    ret: Option<Type>,
) -> Result<StmtKind, Refused> {
    let stmt = program.stmts[s];
    let pos = stmt.pos;
    let was = program.ty(old);
    // What was let pass in the seed may stay.
    let cx = &mut Cx { program, policy: Policy::Lenient, warnings: Vec::new() };
    Ok(match stmt.kind {
        StmtKind::Expr(_) => StmtKind::Expr(build::discard(cx, new, pos)?),
        StmtKind::If { then, other, .. } => {
            StmtKind::If { cond: build::condition(cx, new, pos)?, then, other }
        }
        StmtKind::While { body, .. } => StmtKind::While { cond: build::condition(cx, new, pos)?, body },
        StmtKind::DoWhile { body, .. } => StmtKind::DoWhile { body, cond: build::condition(cx, new, pos)? },
        StmtKind::For { init, cond, step, body } if cond == Some(old) => {
            StmtKind::For { init, cond: Some(build::condition(cx, new, pos)?), step, body }
        }
        StmtKind::For { init, cond, body, .. } => {
            StmtKind::For { init, cond, step: Some(build::discard(cx, new, pos)?), body }
        }
        StmtKind::Switch { body, .. } => {
            let value = build::switch_value(cx, new, pos)?;
            if cx.program.ty(value) != was {
                return Err(Refused::Place("the cases of a switch have its type"));
            }
            StmtKind::Switch { value, body }
        }
        StmtKind::Return(_) => {
            let Some(ret) = ret else { return Err(Refused::Place("not in a function")) };
            let value = if cx.program.types.is_void(ret) {
                build::value(cx, new)?
            } else {
                cx.policy = Policy::Strict;
                build::convert_as_if_assigned(cx, Purpose::Return, new, ret, pos)?
            };
            StmtKind::Return(Some(value))
        }
        StmtKind::GotoComputed(_) => {
            let target = build::value(cx, new)?;
            if cx.program.ty(target) != was {
                return Err(Refused::Place("not an address to go to"));
            }
            StmtKind::GotoComputed(target)
        }
        StmtKind::Case { .. }
        | StmtKind::Asm(_)
        | StmtKind::Empty
        | StmtKind::Item(_)
        | StmtKind::Decls(_)
        | StmtKind::Compound(_)
        | StmtKind::Default(_)
        | StmtKind::Label(..)
        | StmtKind::LabelDecl(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue => return Err(Refused::Place("a constant of the text, or of asm")),
    })
}

pub(super) fn is_static(duration: Duration) -> bool {
    matches!(duration, Duration::Static | Duration::Thread)
}
