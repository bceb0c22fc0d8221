//! The lists of an initialiser being read: frames, parts by place, and the way into the program.

use super::{Frame, List, Node, PartNode, Shape};
use crate::parser::{Parse, Parser};
use crate::token::Tok;
use howler_lang::program::{Init, InitEntry, InitId};
use howler_lang::ty::{Len, RecordId, Type, TypeKind};
use rustc_hash::FxHashMap;

/// How many parts a text may copy because ranges overlap.
const MAX_COPIED: usize = 1_000_000;

/// How many ranges of one list may be looked through for what covers a part.
const MAX_RANGES: usize = 10_000;

impl Parser<'_> {
    /// The type of the part that comes next, leaving aggregates that are full.
    pub(super) fn current(&mut self, base: usize) -> Option<Type> {
        loop {
            let frames = &self.decl.init.frames;
            if let Some(ty) = frames.last().and_then(|frame| self.part_type(frame.shape, frame.next)) {
                return Some(ty);
            }
            if frames.len() <= base + 1 {
                return None;
            }
            let empty = self.decl.init.frames.pop().is_some_and(|frame| !frame.used);
            self.advance();
            // The other elements of an array of empty things will take nothing either.
            if empty
                && let Some(frame) = self.decl.init.frames.last_mut()
                && let Shape::Elements(..) = frame.shape
            {
                frame.next = u64::MAX;
                frame.last = u64::MAX;
            }
        }
    }

    pub(super) fn part_type(&self, shape: Shape, index: u64) -> Option<Type> {
        match shape {
            Shape::Elements(elem, len) => (index < len).then_some(elem),
            Shape::Struct(id) | Shape::Union(id) => {
                let fields = &self.cx.program.types.records[id].fields;
                fields.get(usize::try_from(index).ok()?).map(|field| field.ty)
            }
        }
    }

    /// The first member from `index` on that can be initialised: unnamed bit-fields cannot (C17 6.7.9p9).
    pub(super) fn member_from(&self, id: RecordId, index: u64) -> u64 {
        let fields = &self.cx.program.types.records[id].fields;
        let rest = fields.iter().enumerate().skip(usize::try_from(index).unwrap_or(usize::MAX));
        let mut named = rest.filter(|(_, field)| field.name.is_some() || field.bits.is_none());
        named.next().map_or(u64::MAX, |(at, _)| at as u64)
    }

    /// Moves the innermost frame to the part after the current one.
    pub(super) fn advance(&mut self) {
        let Some(frame) = self.decl.init.frames.last() else { return };
        let next = match frame.shape {
            Shape::Elements(..) => frame.last.saturating_add(1),
            Shape::Struct(id) => self.member_from(id, frame.last.saturating_add(1)),
            Shape::Union(_) => u64::MAX,
        };
        if let Some(frame) = self.decl.init.frames.last_mut() {
            frame.next = next;
            frame.last = next;
        }
    }

    pub(super) fn push_frame(&mut self, shape: Shape, list: u32) {
        let next = match shape {
            Shape::Elements(..) => 0,
            Shape::Struct(id) | Shape::Union(id) => self.member_from(id, 0),
        };
        let frame = Frame { shape, list, next, last: next, used: false, seen: None, ranges: Vec::new() };
        self.decl.init.frames.push(frame);
    }

    pub(super) fn new_list(&mut self) -> u32 {
        self.decl.init.lists.push(List { first: 0, last: 0, end: 0 });
        self.decl.init.lists.len() as u32 - 1
    }

    /// Adds a value for the current part and moves on.
    pub(super) fn add(&mut self, node: Node) {
        self.attach(node);
        self.advance();
        // Around an aggregate in use all others are in use too.
        for frame in self.decl.init.frames.iter_mut().rev() {
            if std::mem::replace(&mut frame.used, true) {
                break;
            }
        }
    }

    /// Adds a value for the current part.
    pub(super) fn attach(&mut self, node: Node) {
        let state = &mut self.decl.init;
        let Some(frame) = state.frames.last_mut() else { return };
        let id = append(&mut state.lists, &mut state.parts, frame.list, frame.next, frame.last, node);
        if let Some(seen) = &mut frame.seen {
            seen.insert((frame.next, frame.last), id);
            if frame.next != frame.last {
                frame.ranges.push(id);
            }
        }
    }

    /// Goes into the current part, an aggregate without braces. If something in it was initialised before, the rest
    /// of that stays (C17 6.7.9p19).
    pub(super) fn enter(&mut self, shape: Shape) -> Parse<()> {
        let state = &self.decl.init;
        let known = match state.frames.last() {
            Some(frame) if frame.next < state.lists[frame.list as usize].end => self.find_part(),
            _ => None,
        };
        let list = match known {
            Some((list, true)) => list,
            Some((list, false)) => {
                let before = self.decl.init.parts.len();
                let copy = self.copy_list(list);
                let state = &mut self.decl.init;
                state.copied += state.parts.len() - before;
                let ranges = state.frames.last().map_or(0, |frame| frame.ranges.len());
                // Each range may cover all before it, and what it covers is copied.
                if state.copied > MAX_COPIED || ranges > MAX_RANGES {
                    return Err(self.unsupported(self.pos(), "so many overlapping range designators"));
                }
                self.attach(Node::List(copy));
                copy
            }
            None => {
                let list = self.new_list();
                self.attach(Node::List(list));
                list
            }
        };
        self.push_frame(shape, list);
        Ok(())
    }

    /// The list that initialised the current part of the innermost frame last, and whether it is for this part
    /// alone (else a copy is wanted).
    pub(super) fn find_part(&mut self) -> Option<(u32, bool)> {
        let state = &mut self.decl.init;
        let frame = state.frames.last_mut()?;
        if frame.seen.is_none() {
            let mut seen = FxHashMap::default();
            let mut at = state.lists[frame.list as usize].first;
            while at != 0 {
                let part = state.parts[at as usize - 1];
                seen.insert((part.index, part.last), at);
                if part.index != part.last {
                    frame.ranges.push(at);
                }
                at = part.next;
            }
            frame.seen = Some(seen);
        }
        let exact = frame.seen.as_ref().and_then(|seen| seen.get(&(frame.next, frame.last)).copied());
        let covers = |&&at: &&u32| {
            let part = state.parts[at as usize - 1];
            part.index <= frame.next && frame.last <= part.last
        };
        let range = frame.ranges.iter().rev().find(covers).copied();
        let at = exact.max(range)?;
        match state.parts[at as usize - 1].node {
            Node::List(list) => Some((list, exact == Some(at))),
            Node::Done(init) => {
                let list = self.reopen(init);
                if exact == Some(at) {
                    self.decl.init.parts[at as usize - 1].node = Node::List(list);
                }
                Some((list, exact == Some(at)))
            }
            Node::Expr(_) | Node::Ready(_) => None,
        }
    }

    /// A list like the one that was stored as `init`.
    fn reopen(&mut self, init: InitId) -> u32 {
        let list = self.new_list();
        if let Init::List(entries) = self.cx.program.inits[init] {
            let state = &mut self.decl.init;
            for entry in self.cx.program.init_entries(entries) {
                let node = match self.cx.program.inits[entry.init] {
                    Init::Expr(expr) => Node::Expr(expr),
                    Init::List(_) => Node::Done(entry.init),
                };
                append(&mut state.lists, &mut state.parts, list, entry.index, entry.last, node);
            }
        }
        list
    }

    /// Whether the short way may be tried: for arrays and small structs and unions of scalars, and arrays of these.
    pub(super) fn has_short_way(&self, shape: Shape) -> bool {
        let record = match shape {
            Shape::Elements(mut elem, _) => {
                while let TypeKind::Array { elem: inner, len: Len::Fixed(_) } =
                    self.cx.program.types.kind(elem)
                {
                    elem = inner;
                }
                match self.shape(elem) {
                    None => return true,
                    Some(Shape::Struct(id) | Shape::Union(id)) => id,
                    Some(Shape::Elements(..)) => return false,
                }
            }
            Shape::Struct(id) | Shape::Union(id) => id,
        };
        let fields = &self.cx.program.types.records[record].fields;
        fields.len() <= 16 && fields.iter().all(|field| self.shape(field.ty).is_none())
    }

    /// The short way through braces, for most long initialisers: values, or braces, one after the other. Returns none
    /// where something else follows; the values so far are in `flat` then.
    pub(super) fn plain_elements(&mut self, shape: Shape) -> Parse<Option<(Node, u64)>> {
        // A string may stand for the whole array.
        if self.tok() == Tok::Str
            || (self.tok() == Tok::LParen && matches!(self.peek(1), Tok::Str | Tok::LParen))
        {
            return Ok(None);
        }
        let mark = self.decl.init.flat.len();
        let mut index = 0;
        loop {
            match self.tok() {
                Tok::RBrace => break,
                Tok::Dot | Tok::LBracket => return Ok(None),
                Tok::Ident if self.peek(1) == Tok::Colon => return Ok(None),
                _ => {}
            }
            if let Shape::Struct(id) | Shape::Union(id) = shape {
                index = self.member_from(id, index);
            }
            let Some(ty) = self.part_type(shape, index) else { return Ok(None) };
            let braces = self.tok() == Tok::LBrace;
            if braces == self.shape(ty).is_none() {
                return Ok(None);
            }
            let node = if braces {
                self.nested(|p| p.braced(ty))?.0
            } else {
                let expr = self.assignment_expression()?;
                self.scalar(ty, expr)?
            };
            let init = self.flatten(node);
            self.decl.init.flat.push(InitEntry { index, last: index, init });
            // Only one member of a union has a value.
            index = if let Shape::Union(_) = shape { u64::MAX } else { index + 1 };
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace)?;
        let entries = self.cx.program.add_entries(&self.decl.init.flat[mark..]);
        self.decl.init.flat.truncate(mark);
        Ok(Some((Node::Done(self.cx.program.inits.push(Init::List(entries))), index)))
    }

    /// Gives the innermost frame what the short way has read.
    pub(super) fn take_over(&mut self, mark: usize) {
        for at in mark..self.decl.init.flat.len() {
            let init = self.decl.init.flat[at].init;
            self.add(match self.cx.program.inits[init] {
                Init::Expr(expr) => Node::Expr(expr),
                Init::List(_) => Node::Done(init),
            });
        }
        self.decl.init.flat.truncate(mark);
    }

    pub(super) fn copy_list(&mut self, list: u32) -> u32 {
        let copy = self.new_list();
        let mut at = self.decl.init.lists[list as usize].first;
        while at != 0 {
            let part = self.decl.init.parts[at as usize - 1];
            let node = match part.node {
                Node::List(inner) => {
                    Node::List(stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.copy_list(inner)))
                }
                other => other,
            };
            let state = &mut self.decl.init;
            append(&mut state.lists, &mut state.parts, copy, part.index, part.last, node);
            at = part.next;
        }
        copy
    }

    /// Stores a value in the program.
    pub(super) fn flatten(&mut self, node: Node) -> InitId {
        let list = match node {
            Node::Expr(expr) => return self.cx.program.inits.push(Init::Expr(expr)),
            Node::Ready(init) | Node::Done(init) => return init,
            Node::List(list) => list,
        };
        let mark = self.decl.init.flat.len();
        let mut at = self.decl.init.lists[list as usize].first;
        while at != 0 {
            let part = self.decl.init.parts[at as usize - 1];
            let init = match part.node {
                Node::List(_) => stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.flatten(part.node)),
                leaf => self.flatten(leaf),
            };
            self.decl.init.flat.push(InitEntry { index: part.index, last: part.last, init });
            at = part.next;
        }
        let entries = self.cx.program.add_entries(&self.decl.init.flat[mark..]);
        self.decl.init.flat.truncate(mark);
        self.cx.program.inits.push(Init::List(entries))
    }
}

/// Adds a part to the end of a list and returns its index plus 1.
fn append(
    lists: &mut [List],
    parts: &mut Vec<PartNode>,
    list: u32,
    index: u64,
    last: u64,
    node: Node,
) -> u32 {
    parts.push(PartNode { index, last, node, next: 0 });
    let id = parts.len() as u32;
    let list = &mut lists[list as usize];
    if list.last == 0 {
        list.first = id;
    } else {
        parts[list.last as usize - 1].next = id;
    }
    list.last = id;
    list.end = list.end.max(last.saturating_add(1));
    id
}
