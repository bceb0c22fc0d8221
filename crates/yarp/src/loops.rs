//! Loops, written freely: what is assigned in them is read in the next round, and branches depend on it. What would be
//! undefined in some round is found by running the program, and replaced ([`crate::repair`]).

use howler_lang::compose::{Head, Value};
use howler_lang::program::{BinaryOp, StmtId, UnaryOp};
use howler_lang::scalar::Ty;

use crate::maker::{Around, Built, Made, Maker};
use crate::options::Feature;
use crate::parameters::Row;

/// The types of counters, in the order of their row.
const COUNTERS: [Ty; 10] = [
    Ty::SCHAR,
    Ty::UCHAR,
    Ty::SHORT,
    Ty::USHORT,
    Ty::INT,
    Ty::UINT,
    Ty::LONG,
    Ty::ULONG,
    Ty::LLONG,
    Ty::ULLONG,
];

/// How deep loops are nested.
const DEEPEST: usize = 3;

impl Maker<'_> {
    /// Whether there may be a loop here.
    pub(crate) fn may_loop(&self) -> bool {
        let deep = self.loops.len();
        self.has(Feature::Loops)
            && deep < DEEPEST
            && (deep == 0 || self.has(Feature::Nests))
            && self.steps > self.times * 40
    }

    /// A loop with a counter.
    pub(crate) fn loop_statement(&mut self) -> Made<StmtId> {
        let ty = COUNTERS[self.draw(Row::Counter)];
        let most = match self.draw(Row::Rounds) {
            0 => self.options.rounds.min(5),
            1 => self.options.rounds.min(12),
            _ => self.options.rounds,
        };
        let affordable = (self.steps / (self.times * 20)).clamp(1, u64::from(u32::MAX)) as u32;
        let rounds = self.choices.range("rounds", 1..=most.max(1)).min(affordable);
        let step = match self.draw(Row::Step) {
            at @ 0..=3 => at as i128 + 1,
            _ => -*self.choices.one_of("down", &[1, 1, 1, 2]),
        };
        let span = step.abs() * i128::from(rounds - 1);
        // Most begin or end at 0. All of it fits the narrowest type.
        let low = if self.choices.chance("at 0", 3, 4) { 0 } else { self.choices.range("from", 0..=6i128) };
        let high = low + span;
        let (first, last) = if step > 0 { (low, high) } else { (high, low) };
        // Counting down below 0 would not end an unsigned loop.
        let last = if step < 0 { last.max(step.abs()) } else { last };
        let (first, low) = if step < 0 { (first.max(last), last) } else { (first, low) };
        self.counted(ty, (first, last), step, (low, high.max(low)))
    }

    fn counted(
        &mut self,
        ty: Ty,
        (first, last): (i128, i128),
        step: i128,
        range: (i128, i128),
    ) -> Made<StmtId> {
        let name = self.name("i");
        let (counter, declared) = self.out.local(&name, ty.declared(), Some(&Value::Int(first)))?;
        let now = self.out.lvalue(counter);
        let (op, end) = match (step > 0, self.choices.chance("or equal", 1, 3)) {
            (true, false) => (BinaryOp::Lt, last + 1),
            (true, true) => (BinaryOp::Le, last),
            (false, false) => (BinaryOp::Gt, last - 1),
            (false, true) => (BinaryOp::Ge, last),
        };
        let end = self.out.int(end)?;
        let cond = self.out.binary(op, now, end)?;
        let now = self.out.lvalue(counter);
        let step = match step {
            1 => self.out.unary(UnaryOp::PostInc, now)?,
            -1 => self.out.unary(UnaryOp::PostDec, now)?,
            _ => {
                let op = if step > 0 { BinaryOp::Add } else { BinaryOp::Sub };
                let by = self.out.int(step.abs())?;
                self.out.compound_assign(op, now, by)?
            }
        };
        let rounds = (range.1 - range.0).unsigned_abs() as u64 + 1;
        let times = self.times;
        self.times = times.saturating_mul(rounds);
        self.loops.push(Around { counter, ty, range });
        self.depth += 1;
        let body = self.scope(|maker| maker.body());
        self.depth -= 1;
        self.loops.pop();
        self.times = times;
        self.out.for_loop(Head::Declarations(&[declared]), Some(cond), Some(step), &body?)
    }

    fn body(&mut self) -> Made<Vec<StmtId>> {
        let before = self.left;
        let nested = self.depth < self.options.block_depth && self.may_loop() && self.draw(Row::Nest) == 1;
        let body = if nested { vec![self.loop_statement()?] } else { self.statements(5)? };
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
        let y = self.lower(node)?;
        let cell = match self.choices.pick("carried", &self.locals).copied() {
            Some(cell) if self.choices.chance("local", 1, 2) => cell,
            _ => self.carried(),
        };
        let (e, again) = (self.reach(cell)?, self.reach(cell)?);
        let ty = self.cell(cell).ty;
        let x = Built { e: again, ty, value: None };
        let value = match self.draw(Row::Reduction) {
            at @ (6 | 7) => {
                let op = if at == 6 { BinaryOp::Lt } else { BinaryOp::Gt };
                let less = self.binary(op, x, y)?;
                let (x, node) = (self.reach(cell)?, node);
                let y = self.lower(node)?;
                let e = self.out.cond(less.e, x, y.e)?;
                Built { e, ty: self.rules.common(ty, y.ty), value: None }
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
        let assigned = self.out.assign(e, value.e)?;
        self.set(cell, None);
        self.out.expr(assigned)
    }

    /// A number of file scope that is read and written.
    fn carried(&mut self) -> crate::variable::CellId {
        let at = self.choices.range("carried", 0..=self.vars.scalars.len() - 1);
        let cell = self.vars.scalars[at];
        if self.cell(cell).category == crate::variable::Category::Mixed { cell } else { self.vars.scalars[1] }
    }
}
