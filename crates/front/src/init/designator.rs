//! Designations (C17 6.7.9p6, p7) with GNU's ranges and its two obsolete forms.

use super::Shape;
use crate::parser::{Parse, Parser};
use crate::token::Tok;
use howler_lang::source::Pos;

impl Parser<'_> {
    /// A designation and its `=`, if there is one: moves the frames to the designated part.
    pub(super) fn designation(&mut self, base: usize) -> Parse<bool> {
        let obsolete = self.tok() == Tok::Ident && self.peek(1) == Tok::Colon;
        if !obsolete && !matches!(self.tok(), Tok::Dot | Tok::LBracket) {
            return Ok(false);
        }
        let mut depth = base;
        let mut brackets;
        loop {
            let shape = self.decl.init.frames[depth].shape;
            let pos = self.pos();
            if self.tok() == Tok::LBracket {
                brackets = true;
                let (low, high) = self.index_designator(shape, pos)?;
                depth = self.designate(depth, low, high, matches!(self.tok(), Tok::Dot | Tok::LBracket))?;
            } else {
                brackets = false;
                if !obsolete {
                    self.bump();
                }
                let way = self.member_designator(shape, pos)?;
                for (at, &index) in way.iter().enumerate() {
                    let more =
                        at + 1 < way.len() || (!obsolete && matches!(self.tok(), Tok::Dot | Tok::LBracket));
                    depth = self.designate(depth, u64::from(index), u64::from(index), more)?;
                }
            }
            if depth == usize::MAX {
                break;
            }
            if self.decl.init.frames.len() <= depth {
                let dot = self.tok() == Tok::Dot;
                return Err(if dot {
                    self.error(self.pos(), "field name not in record or union initializer")
                } else {
                    self.error(self.pos(), "array index in non-array initializer")
                });
            }
        }
        if obsolete {
            self.expect(Tok::Colon)?;
        } else if !self.eat(Tok::Assign) {
            if !brackets {
                return Err(self.expected("'='"));
            }
            self.pedantic_only(self.pos(), "obsolete use of designated initializer without '='")?;
        }
        Ok(true)
    }

    /// Makes `low ... high` the current part of frame `depth`. With `more`, goes into it and returns the new depth;
    /// else returns `usize::MAX`.
    pub(super) fn designate(&mut self, depth: usize, low: u64, high: u64, more: bool) -> Parse<usize> {
        let frames = &mut self.decl.init.frames;
        let same = frames[depth].next == low && frames[depth].last == high;
        if more && same && frames.len() > depth + 1 {
            return Ok(depth + 1);
        }
        frames.truncate(depth + 1);
        frames[depth].next = low;
        frames[depth].last = high;
        if !more {
            return Ok(usize::MAX);
        }
        let shape = frames[depth].shape;
        if let Some(inner) = self.part_type(shape, low).and_then(|ty| self.shape(ty)) {
            self.enter(inner)?;
        }
        Ok(depth + 1)
    }

    pub(super) fn member_designator(&mut self, shape: Shape, pos: Pos) -> Parse<Vec<u32>> {
        if self.tok() != Tok::Ident {
            return Err(self.expected("identifier"));
        }
        let token = self.bump();
        let name = token.symbol();
        let (Shape::Struct(id) | Shape::Union(id)) = shape else {
            return Err(self.error(pos, "field name not in record or union initializer"));
        };
        match self.cx.program.layouts.find_field(&self.cx.program.types, id, name) {
            Some(way) => Ok(way),
            None => {
                let ty = self.cx.program.types.record(id);
                let shown = self.show(ty);
                let hint = self.did_you_mean_member(name, id);
                let message = format!("'{shown}' has no member named '{}'{hint}", self.cx.program.name(name));
                Err(self.error(self.pos_of(token), message))
            }
        }
    }

    pub(super) fn index_designator(&mut self, shape: Shape, pos: Pos) -> Parse<(u64, u64)> {
        self.expect(Tok::LBracket)?;
        let Shape::Elements(_, len) = shape else {
            return Err(self.error(pos, "array index in non-array initializer"));
        };
        let message = "nonconstant array index in initializer";
        let (low, high) = self.nested(|p| {
            let (_, low) = p.constant_integer(message)?;
            if !p.eat(Tok::Ellipsis) {
                return Ok((low, low));
            }
            p.extension(pos, "ISO C forbids specifying range of elements to initialize");
            let (_, high) = p.constant_integer(message)?;
            Ok((low, high))
        })?;
        self.expect(Tok::RBracket)?;
        if high < low {
            return Err(self.error(pos, "empty index range in initializer"));
        }
        // The largest bound leaves room for a count.
        if low < 0 || high >= i128::from(len.min(i64::MAX as u64)) {
            return Err(self.error(pos, "array index in initializer exceeds array bounds"));
        }
        Ok((low as u64, high as u64))
    }
}
