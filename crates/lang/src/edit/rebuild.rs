//! Many expressions in one step: those that are asked for are made again, and with them everything around them. Who changes
//! hundreds of operands, or the type that an object has everywhere, does not want to do it one by one.

use super::holder::Holders;
use super::operand::{is_static, restated};
use super::remake::{is_silent, raw, remake_with};
use super::{Change, Refused};
use crate::build::{self, Built, Cx, Purpose};
use crate::fold;
use crate::id::Id;
use crate::program::{ExprId, ExprKind, Init, InitId, IntForm, Program, StmtId, StmtKind};
use crate::source::Pos;
use crate::ty::{Type, TypeKind};
use crate::visit::{self, Node, Role};
use rustc_hash::FxHashMap;

/// What is to be made of the expressions of a program.
pub trait Remaking {
    /// Whether something else may stand for an expression; the others are made again if what they are made of is.
    fn wants(&self, program: &Program, e: ExprId) -> bool;

    /// What stands for an expression that it wants; none if it is made again with its operands as they are now. Operands
    /// come first, and [`Now`] knows them.
    fn make(&mut self, cx: &mut Cx<'_>, e: ExprId, now: &Now) -> Option<Built>;

    /// Whether a statement is to be made again even if none of its expressions is.
    fn renews(&self, _: &Program, _: StmtId) -> bool {
        false
    }

    /// The type that an initialiser has to have, if it is another than it had.
    fn target(&self, _: InitId) -> Option<Type> {
        None
    }

    /// Whether an expression, statement or initialiser that cannot be what it would have to be stays as it was. Otherwise
    /// the whole change is refused.
    fn keeps(&self) -> bool {
        true
    }
}

/// What stands for expressions that were made again.
#[derive(Default)]
pub struct Now(FxHashMap<ExprId, ExprId>);

impl Now {
    /// An operand as the grammar has it, and as it is now.
    pub fn operand(&self, program: &Program, e: ExprId) -> ExprId {
        let raw = raw(program, e);
        self.0.get(&raw).copied().unwrap_or(raw)
    }
}

/// What was made again, by id.
struct Dirty {
    exprs: Vec<bool>,
    stmts: Vec<bool>,
    inits: Vec<bool>,
}

impl Dirty {
    fn has(&self, node: Node) -> bool {
        match node {
            Node::Expr(e) => self.exprs[e.index()],
            Node::Stmt(s) => self.stmts[s.index()],
            Node::Init(i) => self.inits[i.index()],
            Node::Function(_) => false,
        }
    }

    fn set(&mut self, node: Node) {
        match node {
            Node::Expr(e) => self.exprs[e.index()] = true,
            Node::Stmt(s) => self.stmts[s.index()] = true,
            Node::Init(i) => self.inits[i.index()] = true,
            Node::Function(_) => {}
        }
    }
}

impl Change<'_> {
    /// Makes expressions again, all over the program. Returns how many statements and initialisers are others now.
    pub fn rebuild(&mut self, by: &mut dyn Remaking) -> Result<usize, Refused> {
        let program = self.program();
        let holders = Holders::of(program);
        let mut nodes = Vec::new();
        visit::each(program, |part| nodes.push(part.node));
        let mut dirty = Dirty {
            exprs: vec![false; program.exprs.len()],
            stmts: vec![false; program.stmts.len()],
            inits: vec![false; program.inits.len()],
        };
        let (mut now, mut changed) = (Now::default(), 0);
        // A node comes before its parts, so backwards each finds its parts done.
        for &node in nodes.iter().rev() {
            let mut below = false;
            visit::parts(self.program(), node, |part| {
                below |= !matches!(part.role, Role::Bound(_) | Role::Constant) && dirty.has(part.node);
            });
            match node {
                Node::Expr(e) => dirty.exprs[e.index()] = self.renew_expr(e, below, by, &mut now)?,
                Node::Stmt(s) if below || by.renews(self.program(), s) => {
                    dirty.set(node);
                    changed += self.renew_stmt(s, (&dirty, &holders), by, &now)?;
                }
                Node::Init(i) if below || by.target(i).is_some() => {
                    dirty.set(node);
                    changed += self.renew_init(i, &holders, by, &now)?;
                }
                _ => {}
            }
        }
        match self.values_agree() {
            true => Ok(changed),
            false => Err(Refused::Place("the value of a statement expression is of another type")),
        }
    }

    /// Whether every statement expression has the type of its last statement: where it had to stay as it was, that may be
    /// another one by now.
    fn values_agree(&mut self) -> bool {
        let program = self.program();
        let is = |e: ExprId| matches!(program.exprs[e].kind, ExprKind::StmtExpr(_));
        if !program.exprs.ids().any(is) {
            return true;
        }
        let mut found = Vec::new();
        visit::each(program, |part| {
            if let Node::Expr(e) = part.node
                && let ExprKind::StmtExpr(body) = program.exprs[e].kind
            {
                found.push((body, program.ty(e)));
            }
        });
        found.into_iter().all(|(body, ty)| {
            let again = build::stmt_expr(&mut self.cx(), body, Pos::NONE);
            self.program().ty(again) == ty
        })
    }

    /// Returns whether the expression is another one now.
    fn renew_expr(
        &mut self,
        e: ExprId,
        below: bool,
        by: &mut dyn Remaking,
        now: &mut Now,
    ) -> Result<bool, Refused> {
        if is_silent(self.program(), e) {
            return Ok(below);
        }
        let mut made = None;
        if by.wants(self.program(), e) {
            made = by.make(&mut self.cx(), e, now);
            if let Some(Err(violation)) = made {
                if !by.keeps() {
                    return Err(violation.into());
                }
                made = None;
            }
        }
        let made = match made {
            Some(made) => made,
            None if below => remake_with(self.program_mut(), e, &|program, slot| now.operand(program, slot)),
            None => return Ok(false),
        };
        match made {
            Ok(new) => {
                let new = raw(self.program(), new);
                now.0.insert(e, new);
                Ok(new != e)
            }
            Err(_) if by.keeps() => Ok(false),
            Err(violation) => Err(violation.into()),
        }
    }

    fn renew_stmt(
        &mut self,
        s: StmtId,
        (dirty, holders): (&Dirty, &Holders),
        by: &dyn Remaking,
        now: &Now,
    ) -> Result<usize, Refused> {
        let mut slots = Vec::new();
        let all = by.renews(self.program(), s);
        visit::parts(self.program(), Node::Stmt(s), |part| {
            if let (Node::Expr(e), Role::Evaluated) = (part.node, part.role)
                && (all || dirty.exprs[e.index()])
            {
                slots.push(e);
            }
        });
        let mut changed = 0;
        for old in slots {
            let new = now.operand(self.program(), old);
            let ret = match self.program().stmts[s].kind {
                StmtKind::Return(_) => self.returned(s, holders),
                _ => None,
            };
            match restated(self.program_mut(), s, (old, new), ret) {
                Ok(kind) => {
                    self.set_stmt(s, kind);
                    changed += 1;
                }
                Err(_) if by.keeps() => {}
                Err(refused) => return Err(refused),
            }
        }
        Ok(changed)
    }

    /// What the function around a statement returns.
    fn returned(&self, s: StmtId, holders: &Holders) -> Option<Type> {
        let program = self.program();
        match program.types.kind(program.funcs[holders.function(s)?].ty) {
            TypeKind::Function(signature) => Some(program.types.signature(signature).ret),
            _ => None,
        }
    }

    fn renew_init(
        &mut self,
        i: InitId,
        holders: &Holders,
        by: &dyn Remaking,
        now: &Now,
    ) -> Result<usize, Refused> {
        let Init::Expr(old) = self.program().inits[i] else { return Ok(0) };
        let new = now.operand(self.program(), old);
        let target = by.target(i);
        let mut made = self.converted_init(i, (old, new), target.unwrap_or(self.program().ty(old)), holders);
        if made.is_err()
            && let Some(target) = target
        {
            let zero = build::int(&mut self.cx(), 0, IntForm::Decimal, Type::INT, Pos::NONE);
            made = self.converted_init(i, (old, zero), target, holders);
        }
        match made {
            Ok(value) => {
                self.set_init(i, Init::Expr(value));
                Ok(1)
            }
            Err(_) if by.keeps() => Ok(0),
            Err(refused) => Err(refused),
        }
    }

    fn converted_init(
        &mut self,
        i: InitId,
        (old, new): (ExprId, ExprId),
        ty: Type,
        holders: &Holders,
    ) -> Result<ExprId, Refused> {
        if let TypeKind::Array { .. } = self.program().types.kind(ty) {
            return Err(Refused::Place("a string literal that is an array's initialiser"));
        }
        let pos = self.program().exprs[old].pos;
        let value = build::convert_as_if_assigned(&mut self.cx(), Purpose::Init, new, ty, pos)?;
        if self.is_static_init(i, holders) && fold::check_static_init(self.program(), value).is_err() {
            return Err(Refused::Place("the initialiser of a static object is a constant"));
        }
        Ok(value)
    }

    fn is_static_init(&self, mut i: InitId, holders: &Holders) -> bool {
        use super::holder::Holder;
        let program = self.program();
        loop {
            return match holders.init(i) {
                Some(Holder::Init(outer)) => {
                    i = outer;
                    continue;
                }
                Some(Holder::Decl(decl, _)) => match program.decls[decl].entity {
                    crate::program::Entity::Object(object) => is_static(program.objects[object].duration),
                    _ => false,
                },
                Some(Holder::Expr(literal)) => match program.exprs[literal].kind {
                    ExprKind::CompoundLiteral(object) => is_static(program.objects[object].duration),
                    _ => false,
                },
                _ => false,
            };
        }
    }
}
