//! Loops over all elements of an array, one counter for each dimension.

use howler_lang::program::{BinaryOp, StmtId};
use howler_lang::ty::Type;

use super::loops::Count;
use super::plain::Walk;
use crate::features::Feature;
use crate::maker::{Counter, Made, Maker};
use crate::place::{Part, Shape, Step};

/// Makes what is done in the innermost loop of a nest: from the counters and the depth.
type Inside<'i, 'o> = dyn FnMut(&mut Maker<'o>, &[Counter], u32) -> Made<Vec<StmtId>> + 'i;

impl<'o> Maker<'o> {
    /// Every element, or every second one, is computed from others; or they are added up.
    pub(crate) fn array_loop(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let plain = self.has(Feature::PlainLoops) && self.one_in("plain", 2);
        self.array_loop_of(depth, plain)
    }

    /// A plain loop over an array now and then, where nothing is around it: there it is not unrolled with its
    /// surroundings.
    pub(crate) fn plain_first(&mut self) -> Made<Option<StmtId>> {
        let on = self.has(Feature::PlainLoops) && self.has(Feature::Arrays);
        if !on || self.left < 60 || !self.one_in("plain first", 3) {
            return Ok(None);
        }
        self.array_loop_of(0, true)
    }

    fn array_loop_of(&mut self, depth: u32, plain: bool) -> Made<Option<StmtId>> {
        let found = if plain && self.one_in("another array", 3) { None } else { self.some_elements() };
        let (leaf, mut lengths) = match found {
            Some(found) => found,
            None if plain && self.left > 60 => self.long_array()?,
            None => return Ok(None),
        };
        if plain {
            self.like_another(&mut lengths)?;
        }
        let all: u64 = lengths.iter().map(|&len| u64::from(len)).product();
        if !self.affords(all * 60) || depth + lengths.len() as u32 > self.limits.block_depth + 2 {
            return Ok(None);
        }
        self.log.clear();
        if !self.may_write(leaf, false, None) {
            return Ok(None);
        }
        self.left -= 14 * lengths.len() as i64;
        if !plain {
            let body = &mut |maker: &mut Self, counters: &[Counter], depth| {
                maker.element_body(counters, leaf, depth)
            };
            return self.nest(&lengths, &mut Vec::new(), depth, body).map(Some);
        }
        if self.one_in("fold", 3) {
            return self.plain_fold(leaf, &lengths, depth).map(Some);
        }
        // Not to the end, so that elements further on can be read.
        if let Some(last) = lengths.last_mut()
            && *last > 4
            && self.one_in("not all", 3)
        {
            *last -= self.choices.range("fewer", 1..=3u32);
        }
        let goes = lengths.clone();
        let body = &mut |maker: &mut Self, counters: &[Counter], _| {
            maker.plain_body(&Walk { counters, lengths: &goes }, leaf)
        };
        self.nest(&lengths, &mut Vec::new(), depth, body).map(Some)
    }

    /// A new array to walk along. Short loops are unrolled; those that are long enough for many vectors are not.
    fn long_array(&mut self) -> Made<(Part, Vec<u32>)> {
        let mut lengths = Vec::new();
        if self.limits.dimensions > 1 && self.one_in("two dimensions", 5) {
            lengths.push(self.choices.range("rows", 2..=4u32));
        }
        let most = if self.affords(20_000) { 140 } else { 30 };
        lengths.push(self.choices.range("long length", 8..=most));
        let leaf = self.new_array(&lengths)?;
        Ok((leaf, lengths))
    }

    /// Goes only as far as some other array does too, if there is one, so that it can be walked beside.
    fn like_another(&mut self, lengths: &mut [u32]) -> Made<()> {
        match self.some_elements() {
            Some((_, other)) if other.len() == lengths.len() && other.iter().all(|&len| len > 3) => {
                for (len, other) in lengths.iter_mut().zip(other) {
                    *len = other.min(*len);
                }
            }
            _ if self.left > 100 && self.one_in("one like it", 3) => {
                self.new_array(lengths)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The elements of a new array.
    fn new_array(&mut self, lengths: &[u32]) -> Made<Part> {
        let mut ty = self.int_type();
        for &len in lengths.iter().rev() {
            ty = self.out.array(ty, u64::from(len))?;
        }
        let var = self.global(ty)?;
        let mut part = self.places.var(var).root;
        for _ in lengths {
            part = self.places.part(part).kids[0];
        }
        Ok(part)
    }

    /// The elements of some array that can be named here, and the lengths on the way to them.
    pub(crate) fn some_elements(&mut self) -> Option<(Part, Vec<u32>)> {
        let wanted = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            matches!(data.shape, Shape::Array | Shape::Vector)
                && data.quals.is_empty()
                && !data.of_array
                && !data.of_union
        };
        let array = self.find(wanted, false)?;
        self.elements(array)
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

    /// A loop in a loop for each length, and what is done in the innermost.
    pub(crate) fn nest(
        &mut self,
        lengths: &[u32],
        counters: &mut Vec<Counter>,
        depth: u32,
        inside: &mut Inside<'_, 'o>,
    ) -> Made<StmtId> {
        let Some((&len, rest)) = lengths.split_first() else {
            let body = inside(self, counters, depth)?;
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
        let ty = if down && len > 120 {
            *self.choices.one_of("counter of many", &[Type::INT, Type::LONG, Type::SHORT])
        } else if down {
            *self.choices.one_of("counter", &[Type::INT, Type::LONG, Type::SHORT, Type::SCHAR])
        } else {
            *self.choices.one_of("counter", &[Type::INT, Type::UINT, Type::LONG, Type::UCHAR, Type::SHORT])
        };
        self.for_with(ty, &count, |maker| {
            let counter = *maker.frame().counters.last().expect("the loop has pushed it");
            counters.push(counter);
            maker.open();
            let inner = maker.nest(rest, counters, depth + 1, inside)?;
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
