//! The lists of an initialiser being read: frames, parts by place, and the way into the program.

use super::{Frame, List, Node, PartNode, Shape};
use crate::parser::{Parse, Parser};
use crate::token::Tok;
use howler_lang::build;
use howler_lang::program::{EntryList, Init, InitEntry, InitId};
use howler_lang::ty::{IntKind, Len, RecordId, Type, TypeKind};
use rustc_hash::FxHashMap;

/// How many ranges of one list may be looked through for what covers a part.
const MAX_RANGES: usize = 10_000;

/// What the part that is to be entered was given before.
enum Before {
    /// Nothing in it has a value.
    Nothing,
    /// This list, which can take more.
    Same(u32),
    /// An expression, or a range of parts of which this is one.
    Other,
    /// It is a member of a union, and another one was initialised after it.
    Replaced,
}

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
            let popped = self.decl.init.frames.pop();
            let empty = popped.as_ref().is_some_and(|frame| !frame.used);
            if let Some(Shape::Struct(id)) = popped.filter(|frame| !frame.used).map(|frame| frame.shape) {
                self.decl.init.hollow.insert(id);
            }
            self.advance();
            if empty {
                self.leave_empty_elements();
            }
        }
    }

    /// An element of the array that is open, if one is, took nothing: the others will take nothing either, however many.
    pub(super) fn leave_empty_elements(&mut self) {
        if let Some(frame) = self.decl.init.frames.last_mut()
            && let Shape::Elements(..) = frame.shape
        {
            frame.next = u64::MAX;
            frame.last = u64::MAX;
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

    pub(super) fn new_list(&mut self, update: bool) -> u32 {
        self.decl.init.lists.push(List { first: 0, last: 0, end: 0, update });
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
        let Some(frame) = state.frames.last() else { return Ok(()) };
        let around = state.lists[frame.list as usize];
        let again = frame.next < around.end;
        let range = frame.next != frame.last;
        if again && frame.ranges.len() > MAX_RANGES {
            return Err(self.unsupported(self.pos(), "so many overlapping range designators"));
        }
        let before = if again { self.before() } else { Before::Nothing };
        let list = match before {
            Before::Same(list) => list,
            Before::Other => self.attach_list(true),
            // Another member of the union lost its value: there is nothing to keep.
            Before::Replaced => self.attach_list(false),
            // For gcc braces of a range are a value with an identity of their own if they have side effects.
            Before::Nothing => self.attach_list(around.update || range),
        };
        self.push_frame(shape, list);
        Ok(())
    }

    fn attach_list(&mut self, update: bool) -> u32 {
        let list = self.new_list(update);
        self.attach(Node::List(list));
        list
    }

    /// What initialised the current part of the innermost frame last.
    fn before(&mut self) -> Before {
        let state = &mut self.decl.init;
        let Some(frame) = state.frames.last_mut() else { return Before::Nothing };
        let latest = state.lists[frame.list as usize].last;
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
        let single = frame.next == frame.last;
        let covering = |&&at: &&u32| {
            let part = state.parts[at as usize - 1];
            part.index <= frame.next && frame.next <= part.last
        };
        let range = if single { frame.ranges.iter().rev().find(covering).copied() } else { None };
        if let Shape::Union(_) = frame.shape
            && exact != Some(latest)
        {
            return if latest == 0 { Before::Nothing } else { Before::Replaced };
        }
        let Some(at) = exact.filter(|&at| if single { Some(at) > range } else { at == latest }) else {
            // Which elements of a range have a value already is not worth finding out.
            return if single && range.is_none() { Before::Nothing } else { Before::Other };
        };
        match state.parts[at as usize - 1].node {
            Node::List(list) => Before::Same(list),
            Node::Done(init) | Node::Ready(init) => match self.cx.program.inits[init] {
                Init::Expr(_) => Before::Other,
                Init::List(entries) => self.reopen(at, entries, false),
                Init::Update(entries) => self.reopen(at, entries, true),
            },
            Node::Expr(_) => Before::Other,
        }
    }

    /// Makes the stored value of a part a list that can grow.
    fn reopen(&mut self, at: u32, entries: EntryList, update: bool) -> Before {
        let list = self.new_list(update);
        let state = &mut self.decl.init;
        for entry in self.cx.program.init_entries(entries) {
            let node = self.cx.program.inits[entry.init];
            let node = if let Init::Expr(expr) = node { Node::Expr(expr) } else { Node::Done(entry.init) };
            append(&mut state.lists, &mut state.parts, list, entry.index, entry.last, node);
        }
        state.parts[at as usize - 1].node = Node::List(list);
        Before::Same(list)
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
        // All elements of an array have one type; the members of these structs and unions are scalars.
        let scalars = match shape {
            Shape::Elements(elem, _) => self.shape(elem).is_none(),
            Shape::Struct(_) | Shape::Union(_) => true,
        };
        let integers = match shape {
            Shape::Elements(elem, _) => match self.cx.program.types.kind(elem) {
                TypeKind::Int(kind) => Some(kind),
                _ => None,
            },
            _ => None,
        };
        loop {
            if let (Some(kind), Shape::Elements(_, len)) = (integers, shape) {
                index = self.integer_elements(kind, index, len)?;
            }
            let tok = self.tok();
            match tok {
                Tok::RBrace => break,
                Tok::Dot | Tok::LBracket => return Ok(None),
                Tok::Ident if self.peek(1) == Tok::Colon => return Ok(None),
                _ => {}
            }
            if let Shape::Struct(id) | Shape::Union(id) = shape {
                index = self.member_from(id, index);
            }
            let Some(ty) = self.part_type(shape, index) else { return Ok(None) };
            let braces = tok == Tok::LBrace;
            if braces == scalars {
                return Ok(None);
            }
            let node = if braces {
                self.nested(|p| p.braced(ty))?.0
            } else {
                let expr = self.assignment_expression()?;
                self.scalar(ty, expr)?
            };
            let init = match node {
                Node::Expr(expr) => self.cx.program.inits.push(Init::Expr(expr)),
                other => self.flatten(other),
            };
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

    /// Reads constants for elements of an integer type from `index` on, each with the comma behind it, as long as
    /// there are any, and returns the index of the next element.
    fn integer_elements(&mut self, kind: IntKind, mut index: u64, len: u64) -> Parse<u64> {
        while index < len && self.tok() == Tok::Int && matches!(self.peek(1), Tok::Comma | Tok::RBrace) {
            let pos = self.pos();
            let token = self.bump();
            let expr = self.integer(token, pos)?;
            // Imaginary ones are no integers.
            if !self.cx.program.types.is_integer(self.cx.program.ty(expr)) {
                self.at -= 1;
                return Ok(index);
            }
            let expr = build::convert_integer(&mut self.cx, expr, kind);
            let init = self.cx.program.inits.push(Init::Expr(expr));
            self.decl.init.flat.push(InitEntry { index, last: index, init });
            index += 1;
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        Ok(index)
    }

    /// Gives the innermost frame what the short way has read.
    pub(super) fn take_over(&mut self, mark: usize) {
        for at in mark..self.decl.init.flat.len() {
            let init = self.decl.init.flat[at].init;
            self.add(match self.cx.program.inits[init] {
                Init::Expr(expr) => Node::Expr(expr),
                Init::List(_) | Init::Update(_) => Node::Done(init),
            });
        }
        self.decl.init.flat.truncate(mark);
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
        let update = self.decl.init.lists[list as usize].update;
        self.cx.program.inits.push(if update { Init::Update(entries) } else { Init::List(entries) })
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
