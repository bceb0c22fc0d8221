//! Expressions as they are built, from the bottom: with the values they have, as far as those are known, and with
//! something else in the place of what would be undefined.

use howler_lang::arith;
use howler_lang::program::{BinaryOp, ExprId, UnaryOp};
use howler_lang::scalar::{Ty, Typing, constant};

use crate::float::Grain;
use crate::maker::{Built, Made, Maker, Site};
use crate::rules::{self, Fix, Form, Operator, Typed};
use crate::tree::{Node, NodeId, Subscript, Subscripts};
use crate::variable::{Category, CellId};

impl Maker<'_> {
    /// Builds an expression.
    pub(crate) fn lower(&mut self, node: NodeId) -> Made<Built> {
        match self.tree.node(node) {
            Node::Constant(ty, bits) => self.literal(ty, bits),
            Node::Cell(cell) => {
                let e = self.reach(cell)?;
                Ok(self.read(cell, e))
            }
            Node::Pointed(at) => {
                let pointer = self.vars.pointers[at as usize];
                let e = self.out.lvalue(pointer.object);
                let e = self.out.deref(e)?;
                Ok(self.read(pointer.to, e))
            }
            Node::Counter(at) => {
                let around = self.loops[at as usize];
                let e = self.out.lvalue(around.counter);
                let most = around.range.1.unsigned_abs().try_into().unwrap_or(u64::MAX);
                Ok(Built { grain: Grain { most, scale: 0 }, ..Built::new(e, around.ty, None) })
            }
            Node::Lane(vector, subscripts) => {
                let e = self.lane_lvalue(vector as usize, subscripts)?;
                Ok(Built::new(e, self.vars.vectors[vector as usize].kind.elem, None))
            }
            Node::Walk(around, shift) => self.walked(around as usize, shift),
            Node::Enumerator(constant) => Ok(self.enumerator(constant)),
            Node::Call(helper, arguments) => self.call_of(helper as usize, arguments),
            Node::Element(array, subscripts) => self.read_element(array as usize, subscripts),
            Node::Unary(op, a) => {
                let a = self.lower(a)?;
                self.unary(op, a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.lower(a)?, self.lower(b)?);
                self.binary(op, a, b)
            }
            Node::Ternary(c, a, b) => {
                let (c, a, b) = (self.lower(c)?, self.lower(a)?, self.lower(b)?);
                self.ternary(c, a, b)
            }
            Node::Cast(ty, a) => {
                let a = self.lower(a)?;
                if ty.is_float() || a.ty.is_float() {
                    return self.float_cast(a, ty);
                }
                let e = self.out.cast(ty.declared(), a.e)?;
                Ok(Built::new(e, ty, self.converted(a, ty)))
            }
        }
    }

    pub(crate) fn literal(&mut self, ty: Ty, bits: u128) -> Made<Built> {
        let e = constant(&mut self.out.cx(), ty, bits)?;
        Ok(Built::new(e, ty, Some(bits)))
    }

    /// What is read from a cell.
    fn read(&self, cell: CellId, e: ExprId) -> Built {
        let cell = self.cell(cell);
        // What a loop assigns later, it reads in its next round.
        let steady = cell.category == Category::Input || !self.unsteady();
        Built::new(e, cell.ty, if steady { cell.value } else { None })
    }

    fn read_element(&mut self, array: usize, subscripts: Subscripts) -> Made<Built> {
        let e = self.element_lvalue(array, subscripts)?;
        match self.element_cell(array, subscripts) {
            Some(cell) => Ok(self.read(cell, e)),
            None => Ok(Built::new(e, self.vars.arrays[array].elem, None)),
        }
    }

    /// The cell of an element, if its subscripts are all fixed.
    pub(crate) fn element_cell(&self, array: usize, subscripts: Subscripts) -> Option<CellId> {
        let array = &self.vars.arrays[array];
        let mut at = 0;
        for (dim, &len) in array.dims.iter().enumerate() {
            match self.tree.subscripts[subscripts.0 as usize + dim] {
                Subscript::Fixed(index) => at = at * len + index,
                _ => return None,
            }
        }
        Some(CellId(array.first.0 + at))
    }

    pub(crate) fn element_lvalue(&mut self, array: usize, subscripts: Subscripts) -> Made<ExprId> {
        let mut e = self.out.lvalue(self.vars.arrays[array].object);
        for dim in 0..self.vars.arrays[array].dims.len() {
            let index = self.subscript_value(self.tree.subscripts[subscripts.0 as usize + dim])?;
            e = self.out.index(e, index)?;
        }
        Ok(e)
    }

    pub(crate) fn subscript_value(&mut self, subscript: Subscript) -> Made<ExprId> {
        match subscript {
            Subscript::Fixed(index) => self.out.int(i128::from(index)),
            Subscript::Affine { counter, scale, shift, zero } => {
                let e = self.affine(counter, scale, shift)?;
                let Some(zero) = zero else { return Ok(e) };
                let zero = self.out.lvalue(zero);
                self.out.binary(BinaryOp::Add, e, zero)
            }
            Subscript::Sum { counter, other, shift } => {
                let one = self.out.lvalue(self.loops[counter as usize].counter);
                let other = self.out.lvalue(self.loops[other as usize].counter);
                let e = self.out.binary(BinaryOp::Add, one, other)?;
                self.shifted(e, shift)
            }
            Subscript::Computed { value, length } => {
                let value = self.lower(value)?;
                let value = self.whole(value)?;
                let e = self.out.cast(Ty::UINT.declared(), value.e)?;
                let power = length.is_power_of_two();
                let op = if power { BinaryOp::BitAnd } else { BinaryOp::Rem };
                let by = self.out.int(i128::from(length) - i128::from(power))?;
                self.out.binary(op, e, by)
            }
        }
    }

    /// `counter * scale + shift`, which is an index, so nothing in it overflows.
    fn affine(&mut self, counter: u32, scale: i128, shift: i128) -> Made<ExprId> {
        let now = self.out.lvalue(self.loops[counter as usize].counter);
        if scale < 0 {
            let from = self.out.int(shift)?;
            return self.out.binary(BinaryOp::Sub, from, now);
        }
        let mut e = now;
        if scale > 1 {
            let factor = self.out.int(scale)?;
            e = self.out.binary(BinaryOp::Mul, e, factor)?;
        }
        self.shifted(e, shift)
    }

    fn shifted(&mut self, e: ExprId, shift: i128) -> Made<ExprId> {
        if shift == 0 {
            return Ok(e);
        }
        let op = if shift < 0 { BinaryOp::Sub } else { BinaryOp::Add };
        let by = self.out.int(shift.abs())?;
        self.out.binary(op, e, by)
    }

    /// The value that something has as another type.
    pub(crate) fn converted(&self, a: Built, ty: Ty) -> Option<u128> {
        arith::convert(self.rules.num(a.ty), self.rules.num(ty), a.value?).ok()
    }

    pub(crate) fn truth(&self, a: Built) -> Option<bool> {
        a.value.map(|value| arith::truth(self.rules.num(a.ty), value))
    }

    fn unary(&mut self, op: UnaryOp, a: Built) -> Made<Built> {
        if op == UnaryOp::Not {
            let e = self.out.unary(op, a.e)?;
            return Ok(Built::new(e, Ty::INT, self.truth(a).map(|truth| u128::from(!truth))));
        }
        if a.ty.is_float() {
            return self.float_unary(op, a);
        }
        let ty = self.rules.promoted(a.ty);
        let num = self.rules.num(ty);
        if op == UnaryOp::Neg {
            let typing = Typing { left: ty, right: ty, result: ty };
            let zero = Built::new(a.e, ty, Some(0));
            return self.operation(Operator::Neg, typing, a, zero);
        }
        let e = self.out.unary(op, a.e)?;
        let value = self.converted(a, ty).and_then(|value| arith::unary(op, num, value).ok());
        Ok(Built::new(e, ty, value))
    }

    pub(crate) fn ternary(&mut self, c: Built, a: Built, b: Built) -> Made<Built> {
        if a.ty.is_float() || b.ty.is_float() {
            return self.float_ternary(c, a, b);
        }
        let e = self.out.cond(c.e, a.e, b.e)?;
        let ty = self.rules.common(a.ty, b.ty);
        let value = self.truth(c).and_then(|truth| self.converted(if truth { a } else { b }, ty));
        Ok(Built::new(e, ty, value))
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: Built, b: Built) -> Made<Built> {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let e = self.out.binary(op, a.e, b.e)?;
            let decides = op == BinaryOp::Or;
            let value = match (self.truth(a), self.truth(b)) {
                (Some(first), _) if first == decides => Some(decides),
                (Some(_), second) => second,
                (None, _) => None,
            };
            return Ok(Built::new(e, Ty::INT, value.map(u128::from)));
        }
        if a.ty.is_float() || b.ty.is_float() {
            return self.float_binary(op, a, b);
        }
        let typing = self.rules.binary(op, a.ty, b.ty);
        if !rules::rules(Operator::Binary(op)).is_empty() {
            return self.operation(Operator::Binary(op), typing, a, b);
        }
        let e = self.out.binary(op, a.e, b.e)?;
        let value = match (self.converted(a, typing.left), self.converted(b, typing.right)) {
            (Some(x), Some(y)) => arith::binary(op, self.rules.num(typing.left), x, y).ok(),
            _ => None,
        };
        Ok(Built::new(e, typing.result, value))
    }

    /// An operation that may be undefined.
    fn operation(&mut self, operator: Operator, typing: Typing, a: Built, b: Built) -> Made<Built> {
        let typed = Typed { left: self.rules.num(typing.left), right: self.rules.num(typing.right) };
        let ty = typing.result;
        let (x, y) = (self.converted(a, typing.left), self.converted(b, typing.right));
        if let (Some(x), Some(y)) = (x, y) {
            return match rules::plain(operator, typed, (x, y)) {
                Ok(value) => {
                    let e = self.bare(operator, a.e, b.e)?;
                    Ok(Built::new(e, ty, Some(value)))
                }
                Err(_) => {
                    let fix = self.fix(operator, typed, (x, y));
                    let (e, _) = self.mended(operator, fix, typing, a.e, b.e)?;
                    self.replaced += 1;
                    let value = rules::replaced(operator, fix, typed, (x, y)).ok();
                    Ok(Built::new(e, ty, value))
                }
            };
        }
        if never(operator, typed, y) {
            let e = self.bare(operator, a.e, b.e)?;
            return Ok(Built::new(e, ty, None));
        }
        let (e, watched) = match self.plan.get(&self.sites.len()).copied() {
            Some(fix) => self.mended(operator, fix, typing, a.e, b.e)?,
            None => {
                let e = self.bare(operator, a.e, b.e)?;
                (e, vec![e])
            }
        };
        self.sites.push(Site { operator, typed, watched });
        Ok(Built::new(e, ty, None))
    }

    fn bare(&mut self, operator: Operator, a: ExprId, b: ExprId) -> Made<ExprId> {
        match operator {
            Operator::Neg => self.out.unary(UnaryOp::Neg, a),
            Operator::Binary(op) => self.out.binary(op, a, b),
        }
    }

    /// The rule for an operation whose operands are known: mostly the first that helps.
    fn fix(&mut self, operator: Operator, typed: Typed, pair: rules::Pair) -> Fix {
        let mending = &mut self.mending;
        let found = rules::fixes(operator, typed, &[pair], |range| mending.range("count", range));
        let mut at = 0;
        while at + 1 < found.len() && mending.chance("next", 1, 5) {
            at += 1;
        }
        let last = rules::always(operator).unwrap_or(Fix { form: Form::Plus, by: 0 });
        found.get(at).copied().unwrap_or(last)
    }

    /// What stands in the place of an operation, and what in it may be undefined again.
    fn mended(
        &mut self,
        operator: Operator,
        fix: Fix,
        typing: Typing,
        a: ExprId,
        b: ExprId,
    ) -> Made<(ExprId, Vec<ExprId>)> {
        let op = match operator {
            Operator::Binary(op) => op,
            Operator::Neg => BinaryOp::Sub,
        };
        let wide = unsigned(typing.left).declared();
        let result = typing.result.declared();
        let mut watched = Vec::new();
        let e = match fix.form {
            Form::Plus => self.out.unary(UnaryOp::Plus, a)?,
            Form::Other(op) => {
                let e = self.out.binary(op, a, b)?;
                watched.push(e);
                e
            }
            Form::Moved(op) => {
                let count = self.moved(typing.right, b, fix.by)?;
                let e = self.out.binary(op, a, count)?;
                watched.extend([count, e]);
                e
            }
            Form::Masked(op) => {
                let count = self.masked(typing.left, b)?;
                let e = self.out.binary(op, a, count)?;
                watched.push(e);
                e
            }
            Form::Odd(op) => {
                let b = self.odd(b)?;
                let e = self.out.binary(op, a, b)?;
                watched.push(e);
                e
            }
            Form::Unsigned if operator == Operator::Neg => {
                let a = self.out.cast(wide, a)?;
                let e = self.out.unary(UnaryOp::Neg, a)?;
                self.out.cast(result, e)?
            }
            Form::Unsigned | Form::UnsignedOdd => {
                let b = if fix.form == Form::UnsignedOdd { self.odd(b)? } else { b };
                let (a, b) = (self.out.cast(wide, a)?, self.out.cast(wide, b)?);
                let e = self.out.binary(op, a, b)?;
                self.out.cast(result, e)?
            }
            Form::UnsignedMasked => {
                let (a, count) = (self.out.cast(wide, a)?, self.masked(typing.left, b)?);
                let e = self.out.binary(op, a, count)?;
                self.out.cast(result, e)?
            }
        };
        Ok((e, watched))
    }

    fn moved(&mut self, ty: Ty, count: ExprId, by: i128) -> Made<ExprId> {
        let op = if by < 0 { BinaryOp::Sub } else { BinaryOp::Add };
        let bits = self.rules.num(ty).bits(by.saturating_abs());
        let by = self.literal(ty, bits)?;
        self.out.binary(op, count, by.e)
    }

    fn masked(&mut self, left: Ty, count: ExprId) -> Made<ExprId> {
        let most = self.out.int(i128::from(self.rules.num(left).width()) - 1)?;
        self.out.binary(BinaryOp::BitAnd, count, most)
    }

    fn odd(&mut self, e: ExprId) -> Made<ExprId> {
        let one = self.out.int(1)?;
        self.out.binary(BinaryOp::BitOr, e, one)
    }
}

/// Whether an operation is never undefined, whatever its left operand is.
fn never(operator: Operator, typed: Typed, right: Option<u128>) -> bool {
    let signed = matches!(typed.left, arith::Num::Int { signed: true, .. });
    let Operator::Binary(op) = operator else { return !signed };
    match op {
        BinaryOp::Div | BinaryOp::Rem => right.is_some_and(|right| {
            let number = typed.right.number(right);
            number != 0 && !(signed && number == -1)
        }),
        BinaryOp::Shl | BinaryOp::Shr => right.is_some_and(|right| {
            let counts = 0..i128::from(typed.left.width());
            counts.contains(&typed.right.number(right)) && (op == BinaryOp::Shr || !signed)
        }),
        _ => !signed,
    }
}

/// The unsigned type of the same width as a promoted one.
fn unsigned(ty: Ty) -> Ty {
    match ty {
        Ty::INT => Ty::UINT,
        Ty::LONG => Ty::ULONG,
        Ty::LLONG => Ty::ULLONG,
        Ty::INT128 => Ty::UINT128,
        other => other,
    }
}
