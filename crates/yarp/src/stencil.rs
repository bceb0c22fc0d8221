//! Stencils: an element is computed from those beside it, of the same array or another one.

use howler_lang::program::{BinaryOp, StmtId};

use crate::maker::{Made, Maker};
use crate::parameters::Row;
use crate::tree::{Node, NodeId, Subscript, Subscripts};
use crate::variable::Category;

impl Maker<'_> {
    /// `a[i] = b[i - 1] * x + b[i] - b[i + 1];` and its like.
    pub(crate) fn stencil(&mut self) -> Made<Option<StmtId>> {
        let read: Vec<usize> = (0..self.vars.arrays.len())
            .filter(|&at| self.vars.arrays[at].category != Category::Output)
            .collect();
        let Some(&array) = self.choices.pick("stencil", &read) else { return Ok(None) };
        let Node::Element(_, center) = self.element(array) else { return Ok(None) };
        let count = self.choices.range("points", 2..=4u32);
        let mut sum: Option<NodeId> = None;
        for _ in 0..count {
            let place = self.beside(array, center);
            let mut node = self.tree.push(Node::Element(array as u32, place));
            if self.choices.chance("weighted", 1, 3) {
                let by = self.drawn(0);
                node = self.tree.push(Node::Binary(BinaryOp::Mul, node, by));
            }
            sum = Some(match sum {
                None => node,
                Some(sum) => {
                    let op = self.binary_operator();
                    let op = if op == BinaryOp::Shl { BinaryOp::Add } else { op };
                    self.tree.push(Node::Binary(op, sum, node))
                }
            });
        }
        let Some(sum) = sum else { return Ok(None) };
        self.left -= 6 * i64::from(count);
        let value = self.lower(sum)?;
        let same = self.choices.chance("same array", 1, 4)
            && self.vars.arrays[array].category == Category::Mixed
            && (!self.quiet || self.vars.arrays[array].local);
        let goal = if same {
            let e = self.element_lvalue(array, center)?;
            let ty = self.vars.arrays[array].elem;
            let (cell, part) = (self.element_cell(array, center), crate::stmt::Part::Array(array));
            crate::stmt::Goal { e, ty, cell, part }
        } else {
            match self.element_goal()? {
                Some(goal) => goal,
                None => self.goal()?,
            }
        };
        self.assign_to(goal, value).map(Some)
    }

    /// The subscripts of an element beside another one.
    fn beside(&mut self, array: usize, center: Subscripts) -> Subscripts {
        let dims = self.vars.arrays[array].dims.clone();
        let first = Subscripts(self.tree.subscripts.len() as u32);
        for (dim, len) in dims.into_iter().enumerate() {
            let known = self.tree.subscripts[center.0 as usize + dim];
            let moved = match known {
                Subscript::Affine { counter, scale, shift, zero } => {
                    let (low, high) = self.loops[counter as usize].range;
                    let (least, most) = if scale < 0 { (-high, -low) } else { (low * scale, high * scale) };
                    let (from, to) = (-least, i128::from(len) - 1 - most);
                    let near = (from.max(shift - 2), to.min(shift + 2));
                    let shift =
                        if near.0 <= near.1 { self.choices.range("beside", near.0..=near.1) } else { shift };
                    Subscript::Affine { counter, scale, shift, zero }
                }
                Subscript::Fixed(at) if self.draw(Row::Subscript) == 1 => {
                    Subscript::Fixed(self.choices.range("at", at.saturating_sub(1)..=(at + 1).min(len - 1)))
                }
                other => other,
            };
            self.tree.subscripts.push(moved);
        }
        first
    }
}
