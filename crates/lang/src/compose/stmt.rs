//! Statements. Bodies are lists, and become blocks: no `else` can be read as another's.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Composed, Composer, Value, refuse};
use crate::build::{self, Purpose};
use crate::fold;
use crate::program::{BinaryOp, ExprId, FuncId, Label, LabelId, ObjId, StmtId, StmtKind, UnaryOp};
use crate::source::Pos;
use crate::target::Edition;
use crate::ty::{Type, TypeKind};

/// The cases of a `switch` that share statements.
#[derive(Clone, Debug, Default)]
pub struct Arm {
    /// The values.
    pub values: Vec<i128>,
    /// Whether it is also where all other values go.
    pub default: bool,
    /// The statements. Without a `break` at the end those of the next arm follow.
    pub body: Vec<StmtId>,
}

/// The first part of a `for`.
#[derive(Clone, Copy, Debug)]
pub enum Head<'a> {
    /// Nothing.
    Nothing,
    /// An expression.
    Expr(ExprId),
    /// Declarations, of one type but for pointers and arrays.
    Declarations(&'a [StmtId]),
}

impl Composer {
    /// An expression as a statement.
    ///
    /// # Errors
    /// It has no value that could be dropped.
    pub fn expr(&mut self, e: ExprId) -> Composed<StmtId> {
        let e = build::discard(&mut self.cx(), e, Pos::NONE)?;
        Ok(self.stmt(StmtKind::Expr(e)))
    }

    /// A compound statement.
    pub fn block(&mut self, stmts: &[StmtId]) -> StmtId {
        let list = self.program.add_block(stmts);
        self.stmt(StmtKind::Compound(list))
    }

    fn condition(&mut self, e: ExprId) -> Composed<ExprId> {
        build::condition(&mut self.cx(), e, Pos::NONE)
    }

    /// `if (cond) { … }`
    ///
    /// # Errors
    /// The condition is no scalar.
    pub fn when(&mut self, cond: ExprId, then: &[StmtId]) -> Composed<StmtId> {
        let cond = self.condition(cond)?;
        let then = self.block(then);
        Ok(self.stmt(StmtKind::If { cond, then, other: None }))
    }

    /// `if (cond) { … } else { … }`
    ///
    /// # Errors
    /// The condition is no scalar.
    pub fn either(&mut self, cond: ExprId, then: &[StmtId], other: &[StmtId]) -> Composed<StmtId> {
        let cond = self.condition(cond)?;
        let then = self.block(then);
        let other = Some(self.block(other));
        Ok(self.stmt(StmtKind::If { cond, then, other }))
    }

    /// `while (cond) { … }`
    ///
    /// # Errors
    /// The condition is no scalar.
    pub fn while_loop(&mut self, cond: ExprId, body: &[StmtId]) -> Composed<StmtId> {
        let cond = self.condition(cond)?;
        let body = self.block(body);
        Ok(self.stmt(StmtKind::While { cond, body }))
    }

    /// `do { … } while (cond);`
    ///
    /// # Errors
    /// The condition is no scalar.
    pub fn do_loop(&mut self, body: &[StmtId], cond: ExprId) -> Composed<StmtId> {
        let cond = self.condition(cond)?;
        let body = self.block(body);
        Ok(self.stmt(StmtKind::DoWhile { body, cond }))
    }

    /// `for (head; cond; step) { … }`
    ///
    /// # Errors
    /// The condition is no scalar, or the head declares what it may not.
    pub fn for_loop(
        &mut self,
        head: Head,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: &[StmtId],
    ) -> Composed<StmtId> {
        let init = match head {
            Head::Nothing => None,
            Head::Expr(e) => Some(self.expr(e)?),
            Head::Declarations(_) if self.program.target.std.edition == Edition::C89 => {
                return refuse("'for' loop initial declarations are only allowed in C99");
            }
            Head::Declarations(list) => {
                let decls = |stmt: &StmtId| matches!(self.program.stmts[*stmt].kind, StmtKind::Item(_));
                if list.is_empty() || !list.iter().all(decls) {
                    return refuse("the head of a 'for' declares objects");
                }
                let list = self.program.add_block(list);
                Some(self.stmt(StmtKind::Decls(list)))
            }
        };
        let cond = cond.map(|cond| self.condition(cond)).transpose()?;
        let step = step.map(|step| build::discard(&mut self.cx(), step, Pos::NONE)).transpose()?;
        let body = self.block(body);
        Ok(self.stmt(StmtKind::For { init, cond, step, body }))
    }

    /// `for (ty name = first; name < end; name++) { … }`, with the counter for the body. In C89, where a `for` declares
    /// nothing, it is a block around it that does.
    ///
    /// # Errors
    /// The counter's type does not hold the range, or what the body's maker says.
    pub fn counted(
        &mut self,
        name: &str,
        ty: Type,
        range: Range<i128>,
        body: impl FnOnce(&mut Composer, ObjId) -> Composed<Vec<StmtId>>,
    ) -> Composed<StmtId> {
        let (counter, declared) = self.local(name, ty, Some(&Value::Int(range.start)))?;
        let end = self.constant(ty, &Value::Int(range.end))?;
        let now = self.lvalue(counter);
        let cond = self.binary(BinaryOp::Lt, now, end)?;
        let now = self.lvalue(counter);
        let step = self.unary(UnaryOp::PostInc, now)?;
        let body = body(self, counter)?;
        if self.program.target.std.edition == Edition::C89 {
            let each = self.for_loop(Head::Nothing, Some(cond), Some(step), &body)?;
            return Ok(self.block(&[declared, each]));
        }
        self.for_loop(Head::Declarations(&[declared]), Some(cond), Some(step), &body)
    }

    /// `switch (value) { case …: … }`
    ///
    /// # Errors
    /// The value is no integer, a case is not of its type after promotion, or there twice (C17 6.8.4.2p3).
    pub fn switch(&mut self, value: ExprId, arms: &[Arm]) -> Composed<StmtId> {
        let value = build::switch_value(&mut self.cx(), value, Pos::NONE)?;
        let ty = self.program.ty(value);
        let mut seen: BTreeMap<i128, ()> = BTreeMap::new();
        let mut list = Vec::new();
        if arms.iter().filter(|arm| arm.default).count() > 1 {
            return refuse("multiple default labels in one switch");
        }
        for arm in arms {
            if arm.values.is_empty() && !arm.default {
                return refuse("an arm of a switch that no value reaches");
            }
            let mut cases = Vec::new();
            for &number in &arm.values {
                let case = self.constant(ty, &Value::Int(number))?;
                let case =
                    build::convert_as_if_assigned(&mut self.cx(), Purpose::Assign, case, ty, Pos::NONE)?;
                let folded = fold::integer(&self.program, case).unwrap_or(number);
                if seen.insert(folded, ()).is_some() {
                    return refuse(format!("duplicate case value {number}"));
                }
                cases.push(case);
            }
            // A label stands before a statement, which a declaration is not (C17 6.8.1).
            let (mut first, rest) = match arm.body.split_first() {
                Some((first, rest)) if !self.declares(*first) => (*first, rest),
                _ => (self.stmt(StmtKind::Empty), &arm.body[..]),
            };
            if arm.default {
                first = self.stmt(StmtKind::Default(first));
            }
            for case in cases.into_iter().rev() {
                first = self.stmt(StmtKind::Case { lo: case, hi: None, body: first });
            }
            list.push(first);
            list.extend_from_slice(rest);
        }
        let body = self.block(&list);
        Ok(self.stmt(StmtKind::Switch { value, body }))
    }

    /// `break;`
    pub fn breaks(&mut self) -> StmtId {
        self.stmt(StmtKind::Break)
    }

    /// `continue;`
    pub fn continues(&mut self) -> StmtId {
        self.stmt(StmtKind::Continue)
    }

    /// `;`
    pub fn nothing(&mut self) -> StmtId {
        self.stmt(StmtKind::Empty)
    }

    /// A label, not placed yet.
    pub fn label(&mut self, name: &str) -> LabelId {
        let name = self.program.symbols.intern(name);
        self.program.labels.push(Label { name, local: false, pos: Pos::NONE })
    }

    /// `name: stmt`
    ///
    /// # Errors
    /// It is a declaration, which is no statement (C17 6.8.1).
    pub fn labelled(&mut self, label: LabelId, stmt: StmtId) -> Composed<StmtId> {
        if self.declares(stmt) {
            return refuse("a label can only be part of a statement and a declaration is not a statement");
        }
        Ok(self.stmt(StmtKind::Label(label, stmt)))
    }

    /// Whether a statement is a declaration.
    fn declares(&self, stmt: StmtId) -> bool {
        matches!(self.program.stmts[stmt].kind, StmtKind::Item(_) | StmtKind::LabelDecl(_))
    }

    /// `goto name;`
    pub fn goto(&mut self, label: LabelId) -> StmtId {
        self.stmt(StmtKind::Goto(label))
    }

    /// `return value;` in a function.
    ///
    /// # Errors
    /// It does not convert to what the function returns, or there is one too many or too few (C17 6.8.6.4p1).
    pub fn returns(&mut self, func: FuncId, value: Option<ExprId>) -> Composed<StmtId> {
        let ret = match self.program.types.kind(self.program.funcs[func].ty) {
            TypeKind::Function(id) => self.program.types.signature(id).ret,
            _ => Type::VOID,
        };
        let value = match (value, self.program.types.is_void(ret)) {
            (None, true) => None,
            (None, false) => return refuse("'return' with no value, in function returning non-void"),
            (Some(_), true) => return refuse("'return' with a value, in function returning void"),
            (Some(value), false) => {
                Some(build::convert_as_if_assigned(&mut self.cx(), Purpose::Return, value, ret, Pos::NONE)?)
            }
        };
        Ok(self.stmt(StmtKind::Return(value)))
    }
}
