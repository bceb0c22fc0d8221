//! Pointers that walk through an array while a loop counts.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, ObjId, StmtId, UnaryOp};

use crate::maker::{Built, Made, Maker};
use crate::space::Space;
use crate::tree::Node;
use crate::variable::Category;

/// A pointer that walks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Walker {
    pub(crate) object: ObjId,
    pub(crate) array: usize,
    /// The least and the greatest place that it has in the body.
    places: (i128, i128),
}

/// A pointer, its declaration, and what moves it after each round.
pub(crate) type Walking = (Walker, StmtId, ExprId);

impl Maker<'_> {
    /// A pointer for a loop.
    pub(crate) fn walker(&mut self, space: Space) -> Made<Option<Walking>> {
        let rounds = i128::from(space.rounds());
        let fits: Vec<usize> = (0..self.vars.arrays.len())
            .filter(|&at| {
                let array = &self.vars.arrays[at];
                let own = !self.quiet || array.local;
                array.dims.len() == 1
                    && i128::from(array.dims[0]) >= rounds
                    && array.category == Category::Mixed
                    && own
            })
            .collect();
        let Some(&at) = self.choices.pick("walked", &fits) else { return Ok(None) };
        let (object, len) = (self.vars.arrays[at].object, i128::from(self.vars.arrays[at].dims[0]));
        let step = *self.choices.one_of("stride", &[1i128, 1, 1, 2, -1]);
        let step = if step.abs() * rounds > len { step.signum() } else { step };
        // It may stand behind the last element after the last round, but not before the first.
        let (from, to) = if step > 0 { (0, len - step * rounds) } else { (rounds, len - 1) };
        if from > to {
            return Ok(None);
        }
        let start = self.choices.range("start", from..=to);
        let end = start + step * (rounds - 1);
        let array = self.out.lvalue(object);
        let first = if start == 0 {
            array
        } else {
            let start = self.out.int(start)?;
            if self.choices.chance("address", 1, 2) {
                let element = self.out.index(array, start)?;
                self.out.address(element)?
            } else {
                self.out.binary(BinaryOp::Add, array, start)?
            }
        };
        let elem = self.vars.arrays[at].elem.declared();
        let ty = self.out.pointer(elem)?;
        let name = self.name("w");
        let (pointer, declared) = self.out.local(&name, ty, Some(&Value::Expr(first)))?;
        let now = self.out.lvalue(pointer);
        let moved = match step {
            1 => self.out.unary(UnaryOp::PostInc, now)?,
            -1 => self.out.unary(UnaryOp::PreDec, now)?,
            _ => {
                let by = self.out.int(step)?;
                self.out.compound_assign(BinaryOp::Add, now, by)?
            }
        };
        let walker = Walker { object: pointer, array: at, places: (start.min(end), start.max(end)) };
        Ok(Some((walker, declared, moved)))
    }

    /// A place beside one that a loop around has, the innermost first.
    pub(crate) fn walk_place(&mut self) -> Option<(usize, i128)> {
        let at = self.loops.iter().rposition(|around| around.walker.is_some())?;
        let walker = self.loops[at].walker?;
        let last = i128::from(self.vars.arrays[walker.array].dims[0]) - 1;
        let (from, to) = ((-walker.places.0).max(-2), (last - walker.places.1).min(2));
        let beside = self.choices.chance("beside", 1, 3);
        Some((at, if beside { self.choices.range("shift", from..=to) } else { 0 }))
    }

    pub(crate) fn walk_leaf(&mut self) -> Option<Node> {
        self.walk_place().map(|(at, shift)| Node::Walk(at as u32, shift))
    }

    /// What is there.
    pub(crate) fn walked(&mut self, around: usize, shift: i128) -> Made<Built> {
        let Some(walker) = self.loops[around].walker else {
            return self.literal(howler_lang::scalar::Ty::INT, 0);
        };
        let e = self.walked_lvalue(walker, shift)?;
        Ok(Built::new(e, self.vars.arrays[walker.array].elem, None))
    }

    pub(crate) fn walked_lvalue(&mut self, walker: Walker, shift: i128) -> Made<ExprId> {
        let pointer = self.out.lvalue(walker.object);
        if shift == 0 {
            return self.out.deref(pointer);
        }
        if self.choices.chance("subscript", 1, 2) {
            let by = self.out.int(shift)?;
            return self.out.index(pointer, by);
        }
        let op = if shift < 0 { BinaryOp::Sub } else { BinaryOp::Add };
        let by = self.out.int(shift.abs())?;
        let place = self.out.binary(op, pointer, by)?;
        self.out.deref(place)
    }
}
