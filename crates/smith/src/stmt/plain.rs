//! What stands in loops over arrays that vectorisers take: no calls, no branches but selections, nothing volatile.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, StmtId};
use howler_lang::ty::{Quals, Type};

use crate::expr::COMPARISONS;
use crate::maker::{Counter, Made, Maker};
use crate::place::{Part, Shape};
use crate::safe::Op;

/// Where a plain loop is: its counters and how far each goes.
pub(crate) struct Walk<'w> {
    pub(crate) counters: &'w [Counter],
    pub(crate) lengths: &'w [u32],
}

/// Types whose operations never overflow.
const WRAPPING: [Type; 5] = [Type::UINT, Type::UINT, Type::ULONG, Type::USHORT, Type::UCHAR];

impl Maker<'_> {
    /// `a[i] = …;`
    pub(crate) fn plain_body(&mut self, walk: &Walk<'_>, leaf: Part) -> Made<Vec<StmtId>> {
        self.log.clear();
        self.costs(12);
        let start = self.log.len();
        let depth = self.choices.range("plain depth", 1..=3u32);
        let value = self.plain_expr(walk, depth)?;
        self.log.beside(start);
        let free = self.may_write(leaf, false, Some(start));
        self.log.with();
        if !free {
            return Ok(vec![self.out.expr(value)?]);
        }
        let e = self.element(walk, leaf, false)?;
        self.note_write(leaf, false, false);
        let e = self.out.assign(e, value)?;
        Ok(vec![self.out.expr(e)?])
    }

    /// `T a = …; for (…) a = a op b[i]; x = a;`
    pub(crate) fn plain_fold(&mut self, leaf: Part, lengths: &[u32], depth: u32) -> Made<StmtId> {
        let ty = *self.choices.one_of("sum of", &WRAPPING);
        self.log.clear();
        let first = self.number(ty);
        self.open();
        let name = self.name("a");
        let (object, declared) = self.out.local(&name, ty, Some(&Value::Bits(first)))?;
        let var = self.variable(object, ty, false);
        self.frame().scopes.last_mut().expect("opened above").vars.push(var);
        let root = self.places.var(var).root;
        let how = self.choices.range("fold", 0..=5u32);
        let made = self.nest(lengths, &mut Vec::new(), depth, &mut |maker, counters, _| {
            maker.log.clear();
            maker.costs(8);
            let walk = Walk { counters, lengths };
            maker.note_read(root, false);
            let now = maker.out.lvalue(object);
            maker.note_read(leaf, false);
            let value = maker.element(&walk, leaf, false)?;
            let e = match how {
                0 | 1 => maker.safe_in(Op::Add, ty, &[now, value])?,
                2 => maker.safe_in(Op::Mul, ty, &[now, value])?,
                3 => {
                    let op = *maker.choices.one_of("which", &[BinaryOp::Lt, BinaryOp::Gt]);
                    let value = maker.out.cast(ty, value)?;
                    let test = maker.out.binary(op, now, value)?;
                    let now = maker.out.lvalue(object);
                    let again = maker.element(&walk, leaf, false)?;
                    let again = maker.out.cast(ty, again)?;
                    maker.out.cond(test, now, again)?
                }
                _ => {
                    let ops = [BinaryOp::BitXor, BinaryOp::BitOr, BinaryOp::BitAnd];
                    let op = *maker.choices.one_of("op", &ops);
                    maker.out.binary(op, now, value)?
                }
            };
            maker.note_write(root, false, true);
            let place = maker.out.lvalue(object);
            let e = maker.out.assign(place, e)?;
            Ok(vec![maker.out.expr(e)?])
        })?;
        let mut list = vec![declared, made];
        list.extend(self.keep_carried(object, root)?);
        let list = self.close(list);
        Ok(self.out.block(&list))
    }

    fn plain_expr(&mut self, walk: &Walk<'_>, depth: u32) -> Made<ExprId> {
        self.left -= 2;
        self.costs(4);
        if depth == 0 || self.left < 0 {
            return self.plain_leaf(walk);
        }
        let a = self.plain_expr(walk, depth - 1)?;
        match self.choices.range("plain", 0..=8u32) {
            0..=2 => {
                let b = self.plain_expr(walk, depth - 1)?;
                let op = *self.choices.one_of("op", &[BinaryOp::BitXor, BinaryOp::BitOr, BinaryOp::BitAnd]);
                self.out.binary(op, a, b)
            }
            3..=5 => {
                let b = self.plain_expr(walk, depth - 1)?;
                let op = *self.choices.one_of("arithmetic", &[Op::Add, Op::Add, Op::Sub, Op::Mul]);
                let ty = *self.choices.one_of("wraps in", &WRAPPING);
                self.safe_in(op, ty, &[a, b])
            }
            6 => {
                let op = *self.choices.one_of("comparison", &COMPARISONS);
                let b = self.plain_leaf(walk)?;
                let test = self.out.binary(op, a, b)?;
                let then = self.plain_expr(walk, depth - 1)?;
                let other = self.plain_leaf(walk)?;
                self.out.cond(test, then, other)
            }
            7 => {
                let places = self.choices.range("places", 0..=7i128);
                let places = self.out.int(places)?;
                let op = if self.one_in("left", 2) { Op::Shl } else { Op::Shr };
                self.safe_in(op, Type::UINT, &[a, places])
            }
            _ => {
                let ty = self.int_type();
                self.out.cast(ty, a)
            }
        }
    }

    /// A number, a counter, an element of an array that is walked along, or a variable.
    fn plain_leaf(&mut self, walk: &Walk<'_>) -> Made<ExprId> {
        match self.choices.range("leaf", 0..=5u32) {
            0 => {}
            1 => {
                let counter = *self.choices.pick("counter", walk.counters).expect("there is a loop");
                return self.path(counter.part);
            }
            2 => {
                if let Some(e) = self.plain_variable()? {
                    return Ok(e);
                }
            }
            _ => {
                if let Some(e) = self.element_beside(walk)? {
                    return Ok(e);
                }
            }
        }
        let ty = self.int_type();
        let bits = self.number(ty);
        self.out.constant(ty, &Value::Bits(bits))
    }

    fn plain_variable(&mut self) -> Made<Option<ExprId>> {
        let wanted = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            matches!(data.shape, Shape::Number(None))
                && !data.quals.contains(Quals::VOLATILE)
                && !data.of_array
                && maker.out.program.types.is_integer(data.ty)
        };
        let Some(part) = self.find(wanted, false) else { return Ok(None) };
        if !self.may_read(part, false) {
            return Ok(None);
        }
        self.note_read(part, false);
        self.path(part).map(Some)
    }

    /// An element of some array that is at least as long, perhaps not the one of this round.
    fn element_beside(&mut self, walk: &Walk<'_>) -> Made<Option<ExprId>> {
        let Some((leaf, lengths)) = self.some_elements() else { return Ok(None) };
        let fits = lengths.len() == walk.lengths.len()
            && lengths.iter().zip(walk.lengths).all(|(&has, &goes)| has >= goes);
        if !fits || !self.may_read(leaf, false) {
            return Ok(None);
        }
        self.note_read(leaf, false);
        self.element(walk, leaf, true).map(Some)
    }

    /// The element of this round; if others are allowed, where the array has more than the loop goes over perhaps one
    /// further on.
    fn element(&mut self, walk: &Walk<'_>, leaf: Part, others: bool) -> Made<ExprId> {
        let mut at = 0;
        self.path_with(leaf, &mut |maker, len| {
            let now = maker.path(walk.counters[at].part)?;
            let more = len - walk.lengths[at].min(len);
            at += 1;
            if !others || more == 0 || maker.one_in("this one", 3) {
                return Ok(now);
            }
            let more = maker.choices.range("further", 1..=more);
            let more = maker.out.int(i128::from(more))?;
            maker.out.binary(BinaryOp::Add, now, more)
        })
    }
}
