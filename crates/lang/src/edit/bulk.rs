//! Many statements changed or taken away in one step: who removes hundreds does not want to look for each of them anew.

use super::holder::Holder;
use super::{Change, Now, Refused, Remaking};
use crate::build::{self, Built, Cx};
use crate::program::{Expr, ExprId, ExprKind, Init, InitEntry, InitId, Item, Program, StmtId, StmtKind};
use crate::verify;
use rustc_hash::FxHashSet;

impl Change<'_> {
    /// Takes statements away as [`remove`](Change::remove) does, each of them a part of the program.
    pub fn remove_statements(&mut self, stmts: &[StmtId]) -> Result<(), Refused> {
        let gone: FxHashSet<StmtId> = stmts.iter().copied().collect();
        let (mut blocks, mut seen) = (Vec::new(), FxHashSet::default());
        let (mut single, mut values) = (Vec::new(), Vec::new());
        let holders = self.holders();
        for &s in stmts {
            let Some(Holder::Stmt(holder)) = holders.stmt(s) else {
                return Err(Refused::Place("not a statement of a block"));
            };
            let value = holders.stmt(holder).filter(|outer| matches!(outer, Holder::Expr(_)));
            single.push((holder, s));
            if value.is_some() && !values.contains(&holder) {
                values.push(holder);
            }
        }
        single.retain(|&(holder, _)| match self.program().stmts[holder].kind {
            StmtKind::Compound(list) => {
                if seen.insert(holder) {
                    blocks.push((holder, list));
                }
                false
            }
            _ => true,
        });
        for (block, list) in blocks {
            let all = self.program().block(list).to_vec();
            let rest: Vec<StmtId> = all.into_iter().filter(|s| !gone.contains(s)).collect();
            let list = self.program_mut().add_block(&rest);
            self.set_stmt(block, StmtKind::Compound(list));
        }
        for (holder, s) in single {
            self.remove_from(holder, s, &gone);
        }
        // The value of a statement expression is that of its last statement.
        values.into_iter().try_for_each(|block| self.renew_around(block))
    }

    /// Takes away a statement that does not stand in a block.
    fn remove_from(&mut self, holder: StmtId, s: StmtId, gone: &FxHashSet<StmtId>) {
        match self.program().stmts[holder].kind {
            StmtKind::For { init: Some(head), cond, step, body } if head == s => {
                self.set_stmt(holder, StmtKind::For { init: None, cond, step, body });
            }
            StmtKind::Decls(list) => {
                let all = self.program().block(list).to_vec();
                let rest: Vec<StmtId> = all.into_iter().filter(|other| !gone.contains(other)).collect();
                let list = self.program_mut().add_block(&rest);
                self.set_stmt(holder, StmtKind::Decls(list));
                if rest.is_empty()
                    && let Some(Holder::Stmt(outer)) = self.holders().stmt(holder)
                    && let StmtKind::For { init: Some(_), cond, step, body } =
                        self.program().stmts[outer].kind
                {
                    self.set_stmt(outer, StmtKind::For { init: None, cond, step, body });
                }
            }
            StmtKind::If { cond, then, other: Some(other) } if other == s => {
                self.set_stmt(holder, StmtKind::If { cond, then, other: None });
            }
            _ => self.set_stmt(s, StmtKind::Empty),
        }
    }

    /// Takes every one of these items out of the units.
    pub fn remove_items(&mut self, gone: &[Item]) -> Result<(), Refused> {
        if gone.iter().any(|item| matches!(item, Item::Include(_) | Item::IncludeEnd)) {
            return Err(Refused::Place("what a header gives comes and goes as a whole"));
        }
        for unit in 0..self.program().units.len() {
            let before = &self.program().units[unit].items;
            let rest: Vec<Item> = before.iter().copied().filter(|item| !gone.contains(item)).collect();
            if rest.len() != before.len() {
                self.set_items(unit, rest);
            }
        }
        Ok(())
    }
}

/// Statement expressions whose last statement may be another one.
struct Values;

impl Remaking for Values {
    fn wants(&self, program: &Program, e: ExprId) -> bool {
        matches!(program.exprs[e].kind, ExprKind::StmtExpr(_))
    }

    fn make(&mut self, cx: &mut Cx<'_>, e: ExprId, _: &Now) -> Option<Built> {
        let Expr { kind: ExprKind::StmtExpr(body), pos, .. } = cx.program.exprs[e] else { return None };
        Some(Ok(build::stmt_expr(cx, body, pos)))
    }

    fn keeps(&self) -> bool {
        false
    }
}

impl Change<'_> {
    /// Makes every one of these statements something else where it stands: an `if` its own branch, a block its only
    /// statement. What is a part of it now is so nowhere else any more.
    pub fn restate(&mut self, new: &[(StmtId, StmtKind)]) -> Result<(), Refused> {
        for &(s, kind) in new {
            self.set_stmt(s, kind);
        }
        let program = self.program();
        // A statement inside itself would be walked for ever.
        if !verify::cycles(program).is_empty() {
            return Err(Refused::Place("a statement inside itself"));
        }
        if program.exprs.iter().any(|(e, _)| Values.wants(program, e)) {
            self.rebuild(&mut Values)?;
        }
        Ok(())
    }

    /// Puts the value of a statement expression in its place, and returns the statements before it, which have no place
    /// any more.
    pub fn open(&mut self, e: ExprId) -> Result<Vec<StmtId>, Refused> {
        const NOT: Refused = Refused::Place("not a statement expression with a value");
        let program = self.program();
        let ExprKind::StmtExpr(body) = program.exprs[e].kind else { return Err(NOT) };
        let StmtKind::Compound(list) = program.stmts[body].kind else { return Err(NOT) };
        let mut stmts = program.block(list).to_vec();
        let Some(StmtKind::Expr(value)) = stmts.pop().map(|last| program.stmts[last].kind) else {
            return Err(NOT);
        };
        // What is moved may stand nowhere else.
        self.set_stmt(body, StmtKind::Empty);
        self.replace_expr(e, value)?;
        Ok(stmts)
    }

    /// Gives a braced initialiser other entries, of those that it has.
    pub fn set_entries(&mut self, init: InitId, entries: &[InitEntry]) -> Result<(), Refused> {
        let list = self.program_mut().add_entries(entries);
        match self.program().inits[init] {
            Init::List(_) => self.set_init(init, Init::List(list)),
            _ => return Err(Refused::Place("not a braced initialiser")),
        }
        Ok(())
    }
}
