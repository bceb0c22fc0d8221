//! Statements: declarations, assignments, conditions.

use howler_lang::arith;
use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, StmtId, UnaryOp};
use howler_lang::scalar::Ty;

use crate::maker::{Built, Made, Maker};
use crate::options::Feature;
use crate::parameters::Row;
use crate::tree::Node;
use crate::variable::{Array, Category, CellId, TYPES};

/// Where an assignment goes: the lvalue, and the cell if it is always the same.
pub(crate) struct Goal {
    pub(crate) e: ExprId,
    pub(crate) ty: Ty,
    pub(crate) cell: Option<CellId>,
    /// What has it, if the element differs.
    pub(crate) part: Part,
}

/// What an element belongs to that is not always the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Nothing, or it is known which it is.
    Known,
    /// An array.
    Array(usize),
    /// A vector.
    Vector(usize),
}

/// How many numbers are remembered that were assigned last.
const RECENT: usize = 6;

/// Operators before an `=` that are never undefined on integers.
const BITWISE: [BinaryOp; 3] = [BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor];

impl Maker<'_> {
    /// The statements of a block.
    pub(crate) fn statements(&mut self, most: u32) -> Made<Vec<StmtId>> {
        let mut list = Vec::new();
        let count = self.choices.range("statements", 1..=most.max(1));
        for _ in 0..count {
            if self.left <= 0 {
                break;
            }
            let made = self.within(|maker| maker.statement())?;
            list.push(made);
        }
        if list.is_empty() {
            list.push(self.assign()?);
        }
        Ok(list)
    }

    fn statement(&mut self) -> Made<StmtId> {
        if let Some(theme) = self.tidy
            && let Some(made) = self.tidy_statement(theme)?
        {
            return Ok(made);
        }
        self.left -= 4;
        let deeper = self.depth < self.options.block_depth && self.left > 60;
        let looping = deeper && self.may_loop();
        let inside = self.in_loop();
        let row = if inside { Row::Inner } else { Row::Statement };
        let on = [
            (2, self.has(Feature::Compound)),
            (3, self.has(Feature::Step)),
            (4, deeper && self.has(Feature::If)),
            (5, looping),
            (6, inside),
            (7, inside),
            (8, inside && self.has(Feature::Leave)),
            (9, deeper && self.has(Feature::Switch)),
            (10, self.has(Feature::Memory)),
            (11, self.has(Feature::Vectors)),
            (12, self.has(Feature::Kernels)),
            (13, self.has(Feature::Locals)),
            (14, inside && self.has(Feature::Stencils)),
        ];
        let drawn = self.draw_of(row, |at| on.iter().all(|&(item, on)| item != at || on));
        let made = match drawn {
            Some(0) => Some(self.declare()?),
            Some(2) => Some(self.compound()?),
            Some(3) => Some(self.step()?),
            Some(4) => Some(self.condition()?),
            Some(5) => Some(self.loop_statement()?),
            Some(6) => Some(self.element_statement()?),
            Some(7) => Some(self.reduction()?),
            Some(8) => Some(self.leave()?),
            Some(9) => Some(self.switch()?),
            Some(10) => self.memory()?,
            Some(11) => self.vector_statement()?,
            Some(12) => self.call_statement()?,
            Some(13) => Some(self.aggregate()?),
            Some(14) => self.stencil()?,
            _ => None,
        };
        match made {
            Some(made) => Ok(made),
            None => self.assign(),
        }
    }

    /// A number of a type as an initialiser or the right side of an assignment.
    pub(crate) fn value(&mut self) -> Made<Built> {
        let node = self.expression();
        self.lower(node)
    }

    fn declare(&mut self) -> Made<StmtId> {
        let value = self.value()?;
        let ty = TYPES[self.draw(Row::Type)];
        let value = self.fitted(value, ty)?;
        let name = self.name("l");
        let (object, declared) = self.out.local(&name, ty.declared(), Some(&Value::Expr(value.e)))?;
        let value = self.converted(value, ty);
        self.local(object, ty, value);
        Ok(declared)
    }

    pub(crate) fn assign(&mut self) -> Made<StmtId> {
        let value = self.value()?;
        let goal = self.goal()?;
        self.assign_to(goal, value)
    }

    /// An element of an array that the loops around walk.
    fn element_statement(&mut self) -> Made<StmtId> {
        let value = self.value()?;
        let goal = match self.element_goal()? {
            Some(goal) => goal,
            None => self.goal()?,
        };
        self.assign_to(goal, value)
    }

    pub(crate) fn assign_to(&mut self, goal: Goal, value: Built) -> Made<StmtId> {
        let value =
            if self.is_output(&goal) { self.roughly(value, goal.ty)? } else { self.fitted(value, goal.ty)? };
        let e = self.out.assign(goal.e, value.e)?;
        let value = self.converted(value, goal.ty);
        self.write(&goal, value);
        self.out.expr(e)
    }

    /// Notes an assignment.
    fn write(&mut self, goal: &Goal, value: Option<u128>) {
        match (goal.cell, goal.part) {
            (Some(cell), _) => {
                self.set(cell, value);
                self.note_recent(cell);
            }
            (None, Part::Array(array)) => self.forget_array(array),
            (None, Part::Vector(vector)) => self.set_lanes(vector, None),
            (None, Part::Known) => {}
        }
    }

    /// Something that may be assigned.
    pub(crate) fn goal(&mut self) -> Made<Goal> {
        let walks = self.loops.iter().any(|around| around.walker.is_some());
        let lanes = !self.vars.vectors.is_empty();
        let kind = self.draw_of(Row::Target, |at| match at {
            5 => lanes,
            6 => walks,
            _ => true,
        });
        let own = if self.quiet { Some(0) } else { kind };
        let found = match own {
            Some(0) => self.choices.pick("local", &self.locals).copied(),
            Some(2) => {
                if let Some(goal) = self.element_goal()? {
                    return Ok(goal);
                }
                None
            }
            Some(3) => self.member_goal(),
            Some(4) => {
                if let Some(goal) = self.pointer_goal()? {
                    return Ok(goal);
                }
                None
            }
            Some(5) => match self.lane_goal()? {
                Some(Ok(cell)) => Some(cell),
                Some(Err((e, vector))) => {
                    let ty = self.vars.vectors[vector].kind.elem;
                    return Ok(Goal { e, ty, cell: None, part: Part::Vector(vector) });
                }
                None => None,
            },
            Some(6) => {
                if let Some(goal) = self.walk_goal()? {
                    return Ok(goal);
                }
                None
            }
            _ => None,
        };
        let cell = found.unwrap_or_else(|| self.global_goal());
        self.cell_goal(cell)
    }

    fn walk_goal(&mut self) -> Made<Option<Goal>> {
        let Some((at, shift)) = self.walk_place() else { return Ok(None) };
        let Some(walker) = self.loops[at].walker else { return Ok(None) };
        let e = self.walked_lvalue(walker, shift)?;
        let ty = self.vars.arrays[walker.array].elem;
        Ok(Some(Goal { e, ty, cell: None, part: Part::Array(walker.array) }))
    }

    pub(crate) fn cell_goal(&mut self, cell: CellId) -> Made<Goal> {
        let e = self.reach(cell)?;
        Ok(Goal { e, ty: self.cell(cell).ty, cell: Some(cell), part: Part::Known })
    }

    fn global_goal(&mut self) -> CellId {
        // The second is both read and written.
        let mut found = self.vars.scalars[1];
        for _ in 0..4 {
            let at = self.choices.range("global", 0..=self.vars.scalars.len() - 1);
            let cell = self.vars.scalars[at];
            if self.cell(cell).category != Category::Input {
                found = cell;
                // What was assigned just now is read first.
                if !self.recent.contains(&cell) {
                    break;
                }
            }
        }
        found
    }

    /// Remembers that a number of file scope was assigned.
    fn note_recent(&mut self, cell: CellId) {
        let scalar = self.vars.scalars.binary_search(&cell).is_ok();
        if scalar && self.cell(cell).category == Category::Mixed {
            self.recent.retain(|&other| other != cell);
            if self.recent.len() >= RECENT {
                self.recent.remove(0);
            }
            self.recent.push(cell);
        }
    }

    fn member_goal(&mut self) -> Option<CellId> {
        let at = self.choices.range("struct", 0..=self.vars.records.len().checked_sub(1)?);
        let record = &self.vars.records[at];
        if record.category == Category::Input {
            return None;
        }
        self.choices.pick("member", &record.members).copied()
    }

    fn pointer_goal(&mut self) -> Made<Option<Goal>> {
        let Some(&pointer) = self.choices.pick("pointer", &self.vars.pointers) else { return Ok(None) };
        let cell = *self.cell(pointer.to);
        if cell.category == Category::Input {
            return Ok(None);
        }
        let e = self.out.lvalue(pointer.object);
        let e = self.out.deref(e)?;
        Ok(Some(Goal { e, ty: cell.ty, cell: Some(pointer.to), part: Part::Known }))
    }

    pub(crate) fn element_goal(&mut self) -> Made<Option<Goal>> {
        let count = self.vars.arrays.len();
        if count == 0 {
            return Ok(None);
        }
        let at = self.choices.range("array", 0..=count - 1);
        let Array { category, local, .. } = self.vars.arrays[at];
        if category == Category::Input || self.quiet && !local {
            return Ok(None);
        }
        let Node::Element(_, subscripts) = self.element(at) else { return Ok(None) };
        let e = self.element_lvalue(at, subscripts)?;
        let cell = self.element_cell(at, subscripts);
        Ok(Some(Goal { e, ty: self.vars.arrays[at].elem, cell, part: Part::Array(at) }))
    }

    /// Something that may be read and assigned.
    fn mixed_goal(&mut self) -> Made<Goal> {
        let goal = self.goal()?;
        if self.is_output(&goal) { self.cell_goal(self.vars.scalars[1]) } else { Ok(goal) }
    }

    /// Whether nobody reads what is assigned.
    fn is_output(&self, goal: &Goal) -> bool {
        match (goal.cell, goal.part) {
            (Some(cell), _) => self.cell(cell).category == Category::Output,
            (None, Part::Array(array)) => self.vars.arrays[array].category == Category::Output,
            (None, Part::Vector(vector)) => self.vars.vectors[vector].category == Category::Output,
            (None, Part::Known) => false,
        }
    }

    /// `x op= y`, with an operator that is defined here.
    fn compound(&mut self) -> Made<StmtId> {
        let value = self.value()?;
        let goal = self.mixed_goal()?;
        let drawn = self.binary_operator();
        let plain = match drawn {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => true,
            BinaryOp::Shl | BinaryOp::Shr => true,
            other => BITWISE.contains(&other),
        };
        let value = if goal.ty.is_float() { self.fitted(value, goal.ty)? } else { self.whole(value)? };
        let op = if plain { drawn } else { BITWISE[self.choices.range("bitwise", 0..=2usize)] };
        let before = goal.cell.filter(|_| !self.unsteady()).and_then(|cell| self.cell(cell).value);
        match self.combined(op, goal.ty, before, value) {
            Some(result) => {
                let e = self.out.compound_assign(op, goal.e, value.e)?;
                self.write(&goal, result);
                self.out.expr(e)
            }
            None => self.assign_to(goal, value),
        }
    }

    /// What `x op= y` gives, if it is certainly defined; the value itself may not be known.
    fn combined(&mut self, op: BinaryOp, ty: Ty, before: Option<u128>, value: Built) -> Option<Option<u128>> {
        if ty.is_float() {
            return self.float_combined(op, ty, before, value).map(Some);
        }
        let typing = self.rules.binary(op, ty, value.ty);
        let (left, right) = (self.rules.num(typing.left), self.rules.num(typing.right));
        let x = before.and_then(|before| arith::convert(self.rules.num(ty), left, before).ok());
        let y = self.converted(value, typing.right);
        if let (Some(x), Some(y)) = (x, y) {
            let result = match op {
                BinaryOp::Shl | BinaryOp::Shr => arith::shift(op, left, x, right, y),
                _ => arith::binary(op, left, x, y),
            };
            let result = result.and_then(|bits| arith::convert(left, self.rules.num(ty), bits));
            return result.ok().map(Some);
        }
        let wraps = matches!(left, arith::Num::Int { signed: false, .. })
            && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
        (wraps || BITWISE.contains(&op)).then_some(None)
    }

    /// `++x;` and its like, where it is defined.
    fn step(&mut self) -> Made<StmtId> {
        let goal = self.mixed_goal()?;
        if goal.ty.is_float() {
            let value = self.value()?;
            return self.assign_to(goal, value);
        }
        let num = self.rules.num(goal.ty);
        let before = goal.cell.filter(|_| !self.unsteady()).and_then(|cell| self.cell(cell).value);
        let up = self.choices.chance("up", 1, 2);
        let after =
            before.map(|bits| if up { arith::increment(num, bits) } else { arith::decrement(num, bits) });
        // What is narrower than `int` is computed in `int`, and what is unsigned wraps around.
        let wraps =
            self.rules.promoted(goal.ty) != goal.ty || !matches!(num, arith::Num::Int { signed: true, .. });
        let after = match after {
            Some(Ok(bits)) => Some(bits),
            None if wraps => None,
            _ => {
                let value = self.value()?;
                return self.assign_to(goal, value);
            }
        };
        let op = match (up, self.choices.chance("postfix", 1, 2)) {
            (true, true) => UnaryOp::PostInc,
            (true, false) => UnaryOp::PreInc,
            (false, true) => UnaryOp::PostDec,
            (false, false) => UnaryOp::PreDec,
        };
        let e = self.out.unary(op, goal.e)?;
        self.write(&goal, after);
        self.out.expr(e)
    }

    /// `if`, with the values that hold behind it.
    fn condition(&mut self) -> Made<StmtId> {
        let c = self.value()?;
        let truth = self.truth(c);
        let both = self.choices.chance("else", 1, 2);
        self.depth += 1;
        let mark = self.log.len();
        let then = self.scope(|maker| maker.statements(4))?;
        let mut gone = if truth == Some(true) { Vec::new() } else { self.undo(mark) };
        let mut made = None;
        if both {
            let mark = self.log.len();
            made = Some(self.scope(|maker| maker.statements(4))?);
            if truth != Some(false) {
                gone.extend(self.undo(mark));
            }
        }
        self.depth -= 1;
        if truth.is_none() {
            gone.into_iter().for_each(|cell| self.set(cell, None));
        }
        match made {
            Some(other) => self.out.either(c.e, &then, &other),
            None => self.out.when(c.e, &then),
        }
    }
}
