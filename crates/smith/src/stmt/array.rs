//! Loops over all elements of an array, one counter for each dimension.

use howler_lang::program::{BinaryOp, StmtId};
use howler_lang::ty::Type;

use super::loops::Count;
use crate::features::Feature;
use crate::maker::{Counter, Made, Maker};
use crate::place::{Part, Shape, Step};

impl Maker<'_> {
    /// Every element, or every second one, is computed from others.
    pub(crate) fn array_loop(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let wanted = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            matches!(data.shape, Shape::Array | Shape::Vector)
                && data.quals.is_empty()
                && !data.of_array
                && !data.of_union
        };
        let Some(array) = self.find(wanted, false) else { return Ok(None) };
        let Some((leaf, lengths)) = self.elements(array) else { return Ok(None) };
        let all: u64 = lengths.iter().map(|&len| u64::from(len)).product();
        if !self.affords(all * 60) || depth + lengths.len() as u32 > self.limits.block_depth + 2 {
            return Ok(None);
        }
        self.log.clear();
        if !self.may_write(leaf, false, None) {
            return Ok(None);
        }
        self.left -= 14 * lengths.len() as i64;
        self.nest(&lengths, &mut Vec::new(), leaf, depth).map(Some)
    }

    /// An integer in the elements of an array, and the lengths on the way to it.
    fn elements(&mut self, array: Part) -> Option<(Part, Vec<u32>)> {
        let mut lengths = Vec::new();
        let mut part = array;
        loop {
            let data = self.places.part(part);
            match data.shape {
                Shape::Number(_) => {
                    let integer = self.out.program.types.is_integer(data.ty);
                    return Some((part, lengths)).filter(|_| integer);
                }
                Shape::Array | Shape::Vector => {
                    part = data.kids[0];
                    let Step::Element(len) = self.places.part(part).step else { return None };
                    lengths.push(len);
                }
                Shape::Struct => {
                    let kids = data.kids.len();
                    part = self.places.part(part).kids[self.choices.range("member", 0..=kids - 1)];
                }
                Shape::Pointer | Shape::Union => return None,
            }
        }
    }

    fn nest(&mut self, lengths: &[u32], counters: &mut Vec<Counter>, leaf: Part, depth: u32) -> Made<StmtId> {
        let Some((&len, rest)) = lengths.split_first() else {
            let body = self.element_body(counters, leaf, depth)?;
            return Ok(self.out.block(&body));
        };
        let step = if len > 2 && self.one_in("every second", 5) { 2 } else { 1 };
        let rounds = len.div_ceil(step);
        let down = self.one_in("down", 4);
        let count = if down {
            let last = i128::from((rounds - 1) * step);
            Count { first: last, by: -i128::from(step), rounds }
        } else {
            Count { first: 0, by: i128::from(step), rounds }
        };
        // Downwards the value after the last round is negative.
        let ty = if down {
            *self.choices.one_of("counter", &[Type::INT, Type::LONG, Type::SHORT, Type::SCHAR])
        } else {
            *self.choices.one_of("counter", &[Type::INT, Type::UINT, Type::LONG, Type::UCHAR, Type::SHORT])
        };
        self.for_with(ty, &count, |maker| {
            let counter = *maker.frame().counters.last().expect("the loop has pushed it");
            counters.push(counter);
            maker.open();
            let inner = maker.nest(rest, counters, leaf, depth + 1)?;
            Ok(maker.close(vec![inner]))
        })
    }

    /// What is done for each element.
    fn element_body(&mut self, counters: &[Counter], leaf: Part, depth: u32) -> Made<Vec<StmtId>> {
        self.open();
        let mut body = Vec::new();
        if self.one_in("before", 4) {
            body.push(self.statement(depth + 1)?);
        }
        self.log.clear();
        self.costs(6);
        let start = self.log.len();
        let value = self.int_expr(self.limits.expression_depth.min(3))?;
        let compound = self.has(Feature::Compound) && self.one_in("compound", 3);
        self.log.beside(start);
        let free = if compound {
            self.may_read(leaf, false) && self.may_write(leaf, false, None)
        } else {
            self.may_write(leaf, false, Some(start))
        };
        self.log.with();
        if !free {
            body.push(self.out.expr(value)?);
            return Ok(self.close(body));
        }
        let mut at = 0;
        let e = self.path_with(leaf, &mut |maker, _| {
            at += 1;
            maker.path(counters[at - 1].part)
        })?;
        self.note_write(leaf, false, false);
        let assign = if compound {
            self.note_read(leaf, false);
            let op = self.tables.draw_compound(&mut self.choices, |_| true).map(|op| op.op());
            self.out.compound_assign(op.unwrap_or(BinaryOp::BitXor), e, value)?
        } else {
            self.out.assign(e, value)?
        };
        body.push(self.out.expr(assign)?);
        if self.one_in("after", 4) {
            body.push(self.statement(depth + 1)?);
        }
        Ok(self.close(body))
    }
}
