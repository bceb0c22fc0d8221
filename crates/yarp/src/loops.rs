//! Loops, written freely: what is assigned in them is read in the next round, and branches depend on it. What would be
//! undefined in some round is found by running the program, and replaced ([`crate::repair`]).

use howler_lang::compose::{Head, Value};
use howler_lang::program::{BinaryOp, ExprId, ObjId, StmtId, UnaryOp};
use howler_lang::scalar::Ty;

use crate::float::{Grain, exact};
use crate::maker::{Around, Built, Made, Maker};
use crate::options::Feature;
use crate::parameters::Row;
use crate::space::Space;
use crate::tree::NodeId;
use crate::variable::{Category, CellId};

/// How deep loops are nested.
const DEEPEST: usize = 3;

/// A floating sum that a loop carries, which is exact in any order of its parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum {
    object: ObjId,
    ty: Ty,
    /// How much may still be added, in the steps of variables of the type.
    left: u64,
    /// How often the loop is reached.
    times: u64,
}

impl Maker<'_> {
    /// Whether there may be a loop here.
    pub(crate) fn may_loop(&self) -> bool {
        let deep = self.loops.len();
        self.has(Feature::Loops)
            && deep < DEEPEST
            && (deep == 0 || self.has(Feature::Nests))
            && self.steps > self.times * 40
    }

    /// A loop with a counter, or some of the same space.
    pub(crate) fn loop_statement(&mut self) -> Made<StmtId> {
        let (space, tidy) = match self.tidy_space() {
            Some((space, elem)) => (space, Some(elem)),
            None => (self.draw_space(), None),
        };
        let outer = std::mem::replace(&mut self.tidy, tidy);
        let mut list = Vec::new();
        self.one_loop(space, &mut list)?;
        while self.has(Feature::Runs)
            && self.left > 60
            && self.steps > self.times.saturating_mul(space.rounds()).saturating_mul(60)
            && self.choices.chance("another", 1, 4)
        {
            self.one_loop(space, &mut list)?;
        }
        self.space = Some(space);
        self.tidy = outer;
        Ok(if let [one] = list[..] { one } else { self.out.block(&list) })
    }

    fn one_loop(&mut self, space: Space, list: &mut Vec<StmtId>) -> Made<()> {
        let sums = self.sums.len();
        if self.has(Feature::Floats) && !self.quiet && self.choices.chance("sum", 1, 5) {
            list.push(self.new_sum()?);
        }
        let walks = self.has(Feature::Walks) && self.choices.chance("walk", 1, 4);
        let walking = if walks { self.walker(space)? } else { None };
        list.extend(walking.map(|(_, declared, _)| declared));
        list.push(self.counted(space, walking.map(|(walker, _, moved)| (walker, moved)))?);
        while self.sums.len() > sums
            && let Some(sum) = self.sums.pop()
        {
            list.push(self.end_sum(sum)?);
        }
        Ok(())
    }

    /// A loop over a space.
    pub(crate) fn counted(
        &mut self,
        space: Space,
        walking: Option<(crate::walk::Walker, ExprId)>,
    ) -> Made<StmtId> {
        let Space { ty, first, last, step, bound } = space;
        let name = self.name("i");
        let (counter, declared) = self.out.local(&name, ty.declared(), Some(&Value::Int(first)))?;
        let now = self.out.lvalue(counter);
        let (op, end) = match (step > 0, bound.is_none() && self.choices.chance("or equal", 1, 3)) {
            (true, false) => (BinaryOp::Lt, last + 1),
            (true, true) => (BinaryOp::Le, last),
            (false, false) => (BinaryOp::Gt, last - 1),
            (false, true) => (BinaryOp::Ge, last),
        };
        let end = match bound {
            Some(bound) => self.out.lvalue(bound),
            None => {
                let end = self.out.int(end)?;
                match self.hidden_zero() {
                    Some(zero) => {
                        let zero = self.out.lvalue(zero);
                        self.out.binary(BinaryOp::Add, end, zero)?
                    }
                    None => end,
                }
            }
        };
        let cond = self.out.binary(op, now, end)?;
        let now = self.out.lvalue(counter);
        let mut stepped = match step {
            1 => self.out.unary(UnaryOp::PostInc, now)?,
            -1 => self.out.unary(UnaryOp::PostDec, now)?,
            _ => {
                let op = if step > 0 { BinaryOp::Add } else { BinaryOp::Sub };
                let by = self.out.int(step.abs())?;
                self.out.compound_assign(op, now, by)?
            }
        };
        if let Some((_, moved)) = walking {
            stepped = self.out.comma(stepped, moved)?;
        }
        let times = self.times;
        self.times = times.saturating_mul(space.rounds());
        let walker = walking.map(|(walker, _)| walker);
        self.loops.push(Around { counter, ty, range: space.range(), walker });
        self.depth += 1;
        let body = self.scope(|maker| maker.body());
        self.depth -= 1;
        self.loops.pop();
        self.times = times;
        let made = self.out.for_loop(Head::Declarations(&[declared]), Some(cond), Some(stepped), &body?)?;
        self.hint(made);
        Ok(made)
    }

    fn body(&mut self) -> Made<Vec<StmtId>> {
        let before = self.left;
        let nested = self.depth < self.options.block_depth && self.may_loop() && self.draw(Row::Nest) == 1;
        let body = match self.tidy {
            _ if nested => vec![self.loop_statement()?],
            Some(_) => self.statements(3)?,
            None => self.statements(5)?,
        };
        let tokens = (before - self.left).max(1).unsigned_abs();
        self.steps = self.steps.saturating_sub(self.times.saturating_mul(tokens));
        Ok(body)
    }

    /// `if (…) break;` or `continue`.
    pub(crate) fn leave(&mut self) -> Made<StmtId> {
        let node = self.drawn(2);
        let cond = self.lower(node)?;
        // What is known holds in every round: it would make the rest dead, or be dead.
        if cond.value.is_some() {
            return self.assign();
        }
        let leave = if self.choices.chance("break", 1, 2) { self.out.breaks() } else { self.out.continues() };
        self.out.when(cond.e, &[leave])
    }

    /// A number that a loop carries along: `x = x + y;` and its like, or `x = x < y ? x : y;`.
    pub(crate) fn reduction(&mut self) -> Made<StmtId> {
        let node = self.drawn(2);
        self.carry(node)
    }

    /// The same for what is given.
    pub(crate) fn carry(&mut self, node: NodeId) -> Made<StmtId> {
        let y = self.lower(node)?;
        if let Some(sum) = self.sums.last().copied().filter(|sum| self.is_around(*sum)) {
            return self.add_to_sum(sum, y);
        }
        let cell = match self.choices.pick("carried", &self.locals).copied() {
            Some(cell) if self.quiet || self.tidy.is_some() || self.choices.chance("local", 1, 2) => cell,
            _ => self.carried(),
        };
        let (e, again) = (self.reach(cell)?, self.reach(cell)?);
        let ty = self.cell(cell).ty;
        let x = Built::new(again, ty, None);
        let value = match self.draw(Row::Reduction) {
            at @ (6 | 7) => {
                let op = if at == 6 { BinaryOp::Lt } else { BinaryOp::Gt };
                let less = self.binary(op, x, y)?;
                let x = self.reach(cell)?;
                let y = self.lower(node)?;
                self.ternary(less, Built::new(x, ty, None), y)?
            }
            at => {
                let op = [
                    BinaryOp::Add,
                    BinaryOp::Sub,
                    BinaryOp::Mul,
                    BinaryOp::BitAnd,
                    BinaryOp::BitOr,
                    BinaryOp::BitXor,
                ][at];
                self.binary(op, x, y)?
            }
        };
        let value = self.fitted(value, ty)?;
        let assigned = self.out.assign(e, value.e)?;
        self.set(cell, None);
        self.out.expr(assigned)
    }

    /// A number of file scope that is read and written.
    fn carried(&mut self) -> CellId {
        let at = self.choices.range("carried", 0..=self.vars.scalars.len() - 1);
        let cell = self.vars.scalars[at];
        if self.cell(cell).category == Category::Mixed { cell } else { self.vars.scalars[1] }
    }

    fn new_sum(&mut self) -> Made<StmtId> {
        let ty = *self.choices.one_of("sum", &[Ty::FLOAT, Ty::DOUBLE]);
        let name = self.name("f");
        let (object, declared) = self.out.local(&name, ty.declared(), Some(&Value::Int(0)))?;
        self.sums.push(Sum { object, ty, left: exact(ty), times: self.times });
        Ok(declared)
    }

    /// Whether a sum belongs to a loop around, and not to one that is over.
    fn is_around(&self, sum: Sum) -> bool {
        sum.left > exact(sum.ty) / 64 && self.in_loop()
    }

    /// `sum += y;` and its like, if it stays exact in all rounds.
    fn add_to_sum(&mut self, Sum { object, ty, left, times }: Sum, y: Built) -> Made<StmtId> {
        let y = self.fitted(y, ty)?;
        let scale = Grain::of_variable(ty).scale;
        let rounds = self.times / times.max(1);
        let most = self.grain(y).and_then(|grain| grain.at(scale)).and_then(|most| most.checked_mul(rounds));
        let Some(most) = most.filter(|&most| most <= left) else {
            let goal = self.goal()?;
            return self.assign_to(goal, y);
        };
        if let Some(sum) = self.sums.last_mut() {
            sum.left -= most;
        }
        let now = self.out.lvalue(object);
        let e = match self.choices.range("how", 0..=4u32) {
            0 => self.out.compound_assign(BinaryOp::Sub, now, y.e)?,
            1 => {
                let again = self.out.lvalue(object);
                let sum = self.out.binary(BinaryOp::Add, again, y.e)?;
                self.out.assign(now, sum)?
            }
            _ => self.out.compound_assign(BinaryOp::Add, now, y.e)?,
        };
        self.out.expr(e)
    }

    /// What becomes of a sum.
    fn end_sum(&mut self, sum: Sum) -> Made<StmtId> {
        let e = self.out.lvalue(sum.object);
        let grain = Grain { most: exact(sum.ty) - sum.left, scale: Grain::of_variable(sum.ty).scale };
        let goal = self.goal()?;
        self.assign_to(goal, Built { e, ty: sum.ty, value: None, grain })
    }
}
