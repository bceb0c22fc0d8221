//! Loops as people write them for vectorisers: one step at a time over a whole array, elements of one type, short
//! expressions, sums in local variables, and nothing that depends on what is not in the loop.

use howler_lang::program::{BinaryOp, StmtId, UnaryOp};
use howler_lang::scalar::Ty;

use crate::maker::{Made, Maker};
use crate::options::Feature;
use crate::parameters::Row;
use crate::space::Space;
use crate::stmt::{Goal, Part};
use crate::tree::{Node, NodeId, Subscript, Subscripts};
use crate::variable::Category;

/// Operators of such loops, in the order of their row.
const OPERATORS: [BinaryOp; 7] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Shr,
];

impl Maker<'_> {
    /// A space for such a loop, and the type of the elements.
    pub(crate) fn tidy_space(&mut self) -> Option<(Space, Ty)> {
        if !self.has(Feature::Tidy) || !self.choices.chance("tidy", 1, 2) {
            return None;
        }
        let fits: Vec<(Ty, u32)> = (self.vars.arrays.iter())
            .filter_map(|array| Some((array.elem, *array.dims.last()?)))
            .filter(|&(_, len)| len >= 4)
            .collect();
        // What is short is unrolled before any vectoriser sees it.
        let (&one, &other) = (self.choices.pick("theme", &fits)?, self.choices.pick("theme", &fits)?);
        let (elem, len) = if one.1 < other.1 { other } else { one };
        let edge = *self.choices.one_of("edge", &[0i128, 0, 0, 1, 1, 2]);
        let (first, last) = (edge.min(1), i128::from(len) - 1 - edge);
        let ty = *self.choices.one_of("counter", &[Ty::INT, Ty::INT, Ty::INT, Ty::UINT, Ty::LONG, Ty::ULONG]);
        let space = Space { ty, first, last, step: 1, bound: None };
        let affordable = self.steps > self.times.saturating_mul(space.rounds()).saturating_mul(20);
        (affordable && last > first).then_some((space, elem))
    }

    /// A statement of such a loop; none if nothing fits.
    pub(crate) fn tidy_statement(&mut self, theme: Ty) -> Made<Option<StmtId>> {
        self.left -= 4;
        match self.draw(Row::Tidy) {
            1 => {
                let node = self.tidy_expression(theme, 1);
                Ok(Some(self.carry(node)?))
            }
            2 if self.has(Feature::If) => {
                let a = self.tidy_leaf(theme);
                let b = self.tidy_leaf(theme);
                let op = *self
                    .choices
                    .one_of("comparison", &[BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Ne, BinaryOp::Eq]);
                let node = self.tree.push(Node::Binary(op, a, b));
                let cond = self.lower(node)?;
                let inner = match self.tidy_assignment(theme)? {
                    Some(made) => made,
                    None => {
                        let node = self.tidy_expression(theme, 1);
                        self.carry(node)?
                    }
                };
                self.out.when(cond.e, &[inner]).map(Some)
            }
            _ => self.tidy_assignment(theme),
        }
    }

    /// `a[i] = b[i] * c[i + 1] + 3;`
    fn tidy_assignment(&mut self, theme: Ty) -> Made<Option<StmtId>> {
        let depth = self.choices.range("depth", 1..=2u32);
        let node = self.tidy_expression(theme, depth);
        let value = self.lower(node)?;
        let Some((array, subscripts)) = self.tidy_place(theme, true) else {
            let goal = self.goal()?;
            return self.assign_to(goal, value).map(Some);
        };
        let e = self.element_lvalue(array, subscripts)?;
        let ty = self.vars.arrays[array].elem;
        let goal = Goal { e, ty, cell: self.element_cell(array, subscripts), part: Part::Array(array) };
        self.assign_to(goal, value).map(Some)
    }

    fn tidy_expression(&mut self, theme: Ty, depth: u32) -> NodeId {
        self.left -= 2;
        if depth == 0 {
            return self.tidy_leaf(theme);
        }
        let a = self.tidy_expression(theme, depth - 1);
        match self.choices.range("tidy", 0..=11u32) {
            0 if self.has(Feature::Conditional) => {
                let b = self.tidy_leaf(theme);
                let c = self.tree.push(Node::Binary(BinaryOp::Lt, a, b));
                let (x, y) = if self.choices.chance("least", 1, 2) { (a, b) } else { (b, a) };
                self.tree.push(Node::Ternary(c, x, y))
            }
            1 => self.tree.push(Node::Unary(UnaryOp::Neg, a)),
            2 if self.has(Feature::Casts) => {
                let ty = *self.choices.one_of("cast", &[Ty::INT, Ty::SHORT, Ty::UINT, Ty::LLONG, Ty::UCHAR]);
                self.tree.push(Node::Cast(ty, a))
            }
            _ => {
                let b = self.tidy_expression(theme, depth - 1);
                let op = OPERATORS[self.draw(Row::TidyOperator)];
                let op = if theme.is_float() && howler_lang::scalar::integers_only(op) {
                    BinaryOp::Mul
                } else {
                    op
                };
                let b = if op == BinaryOp::Shr { self.tree.push(Node::Constant(Ty::INT, 3)) } else { b };
                self.tree.push(Node::Binary(op, a, b))
            }
        }
    }

    fn tidy_leaf(&mut self, theme: Ty) -> NodeId {
        let node = match self.choices.range("leaf", 0..=9u32) {
            0 => {
                let promoted = self.rules.promoted(theme);
                let bits = self.choices.bits("small", 3);
                let small = |bits| Node::Constant(Ty::INT, bits);
                if theme.is_float() || promoted == Ty::INT {
                    Some(small(bits))
                } else {
                    Some(Node::Constant(promoted, bits))
                }
            }
            1 => Some(Node::Counter(self.loops.len() as u32 - 1)),
            2 => self.choices.pick("local", &self.locals).copied().map(Node::Cell),
            3 => self.walk_leaf(),
            _ => None,
        };
        let node = node.or_else(|| {
            let (array, subscripts) = self.tidy_place(theme, false)?;
            Some(Node::Element(array as u32, subscripts))
        });
        self.tree.push(node.unwrap_or(Node::Counter(self.loops.len() as u32 - 1)))
    }

    /// An element that the innermost loop walks over.
    fn tidy_place(&mut self, theme: Ty, write: bool) -> Option<(usize, Subscripts)> {
        let around = *self.loops.last()?;
        let (low, high) = around.range;
        let wrong = if write { Category::Input } else { Category::Output };
        let fits = |array: &crate::variable::Array| {
            array.category != wrong
                && array.dims.last().is_some_and(|&len| i128::from(len) > high)
                && !(write && self.quiet && !array.local)
        };
        let all: Vec<usize> = (0..self.vars.arrays.len()).filter(|&at| fits(&self.vars.arrays[at])).collect();
        let same: Vec<usize> = all.iter().copied().filter(|&at| self.vars.arrays[at].elem == theme).collect();
        let from = if same.is_empty() || self.choices.chance("other type", 1, 6) { &all } else { &same };
        let array = *self.choices.pick("array", from)?;
        let dims = self.vars.arrays[array].dims.clone();
        let inner = self.loops.len() as u32 - 1;
        let mut list = Vec::new();
        for (dim, &len) in dims.iter().enumerate() {
            let last = i128::from(len) - 1;
            if dim + 1 == dims.len() {
                let (from, to) = ((-low).max(-2), (last - high).min(2));
                let beside = self.choices.chance("beside", 1, 4);
                let shift = if beside { self.choices.range("shift", from..=to) } else { 0 };
                list.push(Subscript::Affine { counter: inner, scale: 1, shift, zero: None });
            } else {
                let outer = (0..inner).rev().find(|&at| self.loops[at as usize].range.1 <= last);
                list.push(match outer {
                    Some(counter) => Subscript::Affine { counter, scale: 1, shift: 0, zero: None },
                    None => Subscript::Fixed(self.choices.range("row", 0..=len - 1)),
                });
            }
        }
        // `a[j][i]` for `a[i][j]`, where both have room.
        if let [one, other] = list[..]
            && dims[0] == dims[1]
            && self.choices.chance("transposed", 1, 4)
        {
            list = vec![other, one];
        }
        let first = Subscripts(self.tree.subscripts.len() as u32);
        self.tree.subscripts.extend(list);
        Some((array, first))
    }
}
