//! Initialisers (C17 6.7.9): from text with braces left out and designators in any order to a structured [`Init`].
//!
//! The list being read is a stack of frames: the first is the aggregate whose braces are open, the others are
//! aggregates whose braces were left out. Parts are kept in linked lists until the outermost initialiser ends,
//! because a designator may come back to any of them. The work is per written element, never per array element.

mod designator;
mod list;

use crate::parser::{Parse, Parser};
use crate::token::Tok;
use howler_lang::build::{self, Policy, Purpose};
use howler_lang::compat;
use howler_lang::fold;
use howler_lang::layout;
use howler_lang::program::{
    Duration, Expr, ExprId, ExprKind, Init, InitEntry, InitId, Linkage, ObjId, Object, StmtKind, StrUnits,
};
use howler_lang::source::Pos;
use howler_lang::target::Compiler;
use howler_lang::ty::{Len, RecordId, RecordKind, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of initialisers being read; nested ones share it as a stack.
#[derive(Default)]
pub(crate) struct InitState {
    lists: Vec<List>,
    parts: Vec<PartNode>,
    frames: Vec<Frame>,
    flat: Vec<InitEntry>,
    /// Everything must be constant.
    constant: bool,
    /// Where the frames of the initialiser being read begin.
    outermost: usize,
    /// Structs that were gone through and have nothing that takes a value: their number doubles with each level.
    hollow: FxHashSet<RecordId>,
}

/// A value in the making.
#[derive(Clone, Copy)]
enum Node {
    Expr(ExprId),
    /// An initialiser that exists already: that of a compound literal.
    Ready(InitId),
    /// Braces read by the short way, stored already.
    Done(InitId),
    List(u32),
}

/// Braces: first and last part as indices plus 1, 0 for none; one more than the highest place initialised.
#[derive(Clone, Copy)]
struct List {
    first: u32,
    last: u32,
    end: u64,
    /// Not braces but designators into what earlier parts gave: [`Init::Update`].
    update: bool,
}

#[derive(Clone, Copy)]
struct PartNode {
    index: u64,
    last: u64,
    node: Node,
    next: u32,
}

/// The parts an aggregate has.
#[derive(Clone, Copy)]
enum Shape {
    /// An array or vector; an unknown bound is `u64::MAX`.
    Elements(Type, u64),
    Struct(RecordId),
    Union(RecordId),
}

struct Frame {
    shape: Shape,
    list: u32,
    /// The part to be initialised next, up to `last` if a range was designated.
    next: u64,
    last: u64,
    /// Something was found to initialise in it.
    used: bool,
    /// Parts by place; made when a part is looked for the first time.
    seen: Option<FxHashMap<(u64, u64), u32>>,
    ranges: Vec<u32>,
}

impl Parser<'_> {
    /// An initialiser for an object of type `ty`, and the type with its bound completed. With `constant` every
    /// expression must be a constant one.
    pub(crate) fn initializer(&mut self, ty: Type, constant: bool) -> Parse<(InitId, Type)> {
        let state = &mut self.decl.init;
        let marks = (state.lists.len(), state.parts.len(), state.frames.len(), state.flat.len());
        let outer = std::mem::replace(&mut state.constant, constant);
        let outermost = std::mem::replace(&mut state.outermost, marks.2);
        let result = self.structured(ty).map(|(node, ty)| (self.flatten(node), ty));
        let state = &mut self.decl.init;
        state.constant = outer;
        state.outermost = outermost;
        state.lists.truncate(marks.0);
        state.parts.truncate(marks.1);
        state.frames.truncate(marks.2);
        state.flat.truncate(marks.3);
        result
    }

    /// The object of a compound literal; the current token is its `{` (C17 6.5.2.5).
    pub(crate) fn compound_literal(&mut self, ty: Type, pos: Pos) -> Parse<ObjId> {
        match self.cx.program.types.kind(ty) {
            TypeKind::Function(_) => return Err(self.error(pos, "compound literal has function type")),
            TypeKind::Array { len: Len::Unknown, .. } => {}
            _ if self.is_vla(ty) => return Err(self.error(pos, "compound literal has variable size")),
            _ if !self.is_complete(ty) => {
                let shown = self.show(ty);
                return Err(self.error(pos, format!("compound literal has incomplete type '{shown}'")));
            }
            _ => {}
        }
        let at_file = self.function.is_none();
        let (init, ty) = self.initializer(ty, at_file)?;
        Ok(self.cx.program.objects.push(Object {
            name: None,
            ty,
            linkage: Linkage::None,
            duration: if at_file { Duration::Static } else { Duration::Literal },
            literal: true,
            register: false,
            init: Some(init),
            align: 0,
            attrs: Vec::new(),
            param_bound: None,
            defined: true,
            unit: self.unit,
            linked: None,
            pos,
        }))
    }

    /// An expression as the initialiser of an object of type `ty` without braces.
    pub(crate) fn initialize_with(&mut self, ty: Type, expr: ExprId, constant: bool) -> Parse<InitId> {
        let outer = std::mem::replace(&mut self.decl.init.constant, constant);
        let node = self.unbraced(ty, expr);
        self.decl.init.constant = outer;
        let (node, _) = node?;
        Ok(self.flatten(node))
    }

    fn structured(&mut self, ty: Type) -> Parse<(Node, Type)> {
        if self.is_vla(ty) {
            return Err(self.error(self.pos(), "variable-sized object may not be initialized"));
        }
        if self.tok() != Tok::LBrace {
            let expr = self.assignment_expression()?;
            return self.unbraced(ty, expr);
        }
        let pos = self.pos();
        let (node, end) = self.nested(|p| p.braced(ty))?;
        Ok((node, self.complete_array(ty, end, pos)?))
    }

    fn complete_array(&mut self, ty: Type, end: u64, pos: Pos) -> Parse<Type> {
        let TypeKind::Array { elem, len: Len::Unknown } = self.cx.program.types.kind(ty) else {
            return Ok(ty);
        };
        let array = build::array_of(self.cx.program, elem, Len::Fixed(end))
            .map_err(|_| self.error(pos, "size of array is too large"))?;
        let quals = ty.quals();
        let types = &mut self.cx.program.types;
        Ok(types.qualified(array, quals))
    }

    fn unbraced(&mut self, ty: Type, expr: ExprId) -> Parse<(Node, Type)> {
        let pos = self.cx.program.exprs[expr].pos;
        if let TypeKind::Array { .. } = self.cx.program.types.kind(ty) {
            if let Some(units) = self.string_length(ty, expr)? {
                self.check_string(ty, units, pos);
                return Ok((Node::Expr(expr), self.complete_array(ty, units + 1, pos)?));
            }
            if let Some((init, literal)) = self.literal_for(ty, expr) {
                let end = match self.cx.program.types.kind(literal) {
                    TypeKind::Array { len: Len::Fixed(end), .. } => end,
                    _ => 0,
                };
                return Ok((Node::Ready(init), self.complete_array(ty, end, pos)?));
            }
            return Err(self.error(pos, "invalid initializer"));
        }
        Ok((self.scalar(ty, expr)?, ty))
    }

    /// The value of `expr` converted to `ty`.
    #[inline]
    fn scalar(&mut self, ty: Type, expr: ExprId) -> Parse<Node> {
        // GNU C takes a compound literal as a constant that it copies.
        let Expr { kind, pos, .. } = self.cx.program.exprs[expr];
        if self.decl.init.constant
            && let ExprKind::CompoundLiteral(_) = kind
            && let Some((init, _)) = self.literal_for(ty, expr)
        {
            return Ok(Node::Ready(init));
        }
        let built = build::convert_as_if_assigned(&mut self.cx, Purpose::Init, expr, ty, pos);
        let expr = self.built(built)?;
        if self.decl.init.constant
            && let Err(at) = fold::check_static_init(self.cx.program, expr)
        {
            if self.is_lone_statement_expression(expr) {
                return Err(self.unsupported(at, "statement expression as a constant"));
            }
            if fold::depends_on_level(self.cx.program, expr) {
                return Err(
                    self.unsupported(at, "a constant with '__builtin_constant_p' of what is no literal")
                );
            }
            return Err(self.error(at, "initializer element is not constant"));
        }
        // 6.6p4 is for all constant expressions; only those of integers are looked at.
        if self.decl.init.constant
            && self.cx.policy == Policy::Strict
            && fold::overflows(self.cx.program, expr)
        {
            return Err(self.error(pos, "overflow in constant expression"));
        }
        Ok(Node::Expr(expr))
    }

    /// Whether `expr` is `({ value; })`, converted or not, which gcc takes for the value alone.
    fn is_lone_statement_expression(&self, expr: ExprId) -> bool {
        let program = &self.cx.program;
        let mut kind = program.exprs[expr].kind;
        if let ExprKind::Convert(_, of) = kind {
            kind = program.exprs[of].kind;
        }
        let ExprKind::StmtExpr(body) = kind else { return false };
        let StmtKind::Compound(list) = program.stmts[body].kind else { return false };
        match *program.block(list) {
            [only] => {
                matches!(program.stmts[only].kind, StmtKind::Expr(value) if fold::check_static_init(program, value).is_ok())
            }
            _ => false,
        }
    }

    /// The initialiser and type of `expr` if it is a compound literal of an aggregate type like `ty`.
    fn literal_for(&self, ty: Type, expr: ExprId) -> Option<(InitId, Type)> {
        let program = &self.cx.program;
        let ExprKind::CompoundLiteral(obj) = program.exprs[expr].kind else { return None };
        let types = &program.types;
        if !matches!(types.kind(ty), TypeKind::Array { .. } | TypeKind::Record(_) | TypeKind::Vector { .. }) {
            return None;
        }
        let object = &program.objects[obj];
        if self.decl.init.constant
            && object.duration != Duration::Static
            && !object.init.is_some_and(|init| self.is_constant(init))
        {
            return None;
        }
        let init = object.init.filter(|_| compat::compatible_unqualified(types, ty, object.ty))?;
        Some((init, object.ty))
    }

    /// Whether every expression of an initialiser may stand in one of static storage duration.
    fn is_constant(&self, init: InitId) -> bool {
        let mut open = vec![init];
        while let Some(init) = open.pop() {
            match self.cx.program.inits[init] {
                Init::Expr(expr) if fold::check_static_init(self.cx.program, expr).is_err() => return false,
                Init::Expr(_) => {}
                Init::List(list) | Init::Update(list) => {
                    open.extend(self.cx.program.init_entries(list).iter().map(|entry| entry.init));
                }
            }
        }
        true
    }

    fn shape(&self, ty: Type) -> Option<Shape> {
        let program = &self.cx.program;
        match program.types.kind(ty) {
            TypeKind::Array { elem, len: Len::Fixed(len) } => Some(Shape::Elements(elem, len)),
            TypeKind::Array { elem, .. } => Some(Shape::Elements(elem, u64::MAX)),
            TypeKind::Vector { elem, lanes } => Some(Shape::Elements(elem, u64::from(lanes))),
            // To gcc a complex number is a scalar; clang takes both parts in braces.
            TypeKind::Complex(elem) if program.target.compiler == Compiler::Clang => {
                Some(Shape::Elements(elem, 2))
            }
            TypeKind::Record(id) => Some(match program.types.records[id].kind {
                RecordKind::Struct => Shape::Struct(id),
                RecordKind::Union => Shape::Union(id),
            }),
            _ => None,
        }
    }

    /// Braces around the initialiser of a `ty`: its value, and for an array how many elements it reaches.
    fn braced(&mut self, ty: Type) -> Parse<(Node, u64)> {
        let Some(shape) = self.shape(ty) else { return self.braced_scalar(ty) };
        self.expect(Tok::LBrace)?;
        if self.tok() == Tok::RBrace {
            self.extension(self.pos(), "ISO C forbids empty initializer braces");
        }
        let mark = self.decl.init.flat.len();
        if self.has_short_way(shape)
            && let Some(done) = self.plain_elements(shape)?
        {
            return Ok(done);
        }
        let base = self.decl.init.frames.len();
        let list = self.new_list(false);
        self.push_frame(shape, list);
        let mut first = self.decl.init.flat.len() == mark;
        self.take_over(mark);
        while self.tok() != Tok::RBrace {
            let designated = self.designation(base)?;
            if self.tok() == Tok::LBrace {
                self.braced_part(base)?;
            } else {
                let expr = self.assignment_expression()?;
                // A string in braces is the string (C17 6.7.9p14).
                if first
                    && !designated
                    && let Some(units) = self.string_length(ty, expr)?
                {
                    let pos = self.cx.program.exprs[expr].pos;
                    self.check_string(ty, units, pos);
                    if self.eat(Tok::Comma) && self.tok() != Tok::RBrace {
                        self.tolerated(self.pos(), "excess elements in 'char' array initializer");
                        self.skip_to_closing_brace();
                    }
                    self.expect(Tok::RBrace)?;
                    self.decl.init.frames.truncate(base);
                    return Ok((Node::Expr(expr), units + 1));
                }
                self.place(base, expr)?;
            }
            first = false;
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace)?;
        let end = self.decl.init.lists[list as usize].end;
        self.decl.init.frames.truncate(base);
        Ok((Node::List(list), end))
    }

    fn braced_scalar(&mut self, ty: Type) -> Parse<(Node, u64)> {
        let open = self.expect(Tok::LBrace)?;
        let node = match self.tok() {
            Tok::RBrace => return Err(self.error(open, "empty scalar initializer")),
            Tok::LBrace => {
                self.warning(self.pos(), "braces around scalar initializer");
                self.nested(|p| p.braced(ty))?.0
            }
            Tok::Dot => return Err(self.error(self.pos(), "field name not in record or union initializer")),
            Tok::LBracket => return Err(self.error(self.pos(), "array index in non-array initializer")),
            _ => {
                let expr = self.assignment_expression()?;
                self.scalar(ty, expr)?
            }
        };
        if self.eat(Tok::Comma) && self.tok() != Tok::RBrace {
            self.tolerated(self.pos(), "excess elements in scalar initializer");
            self.skip_to_closing_brace();
        }
        self.expect(Tok::RBrace)?;
        Ok((node, 0))
    }

    /// Braces inside an open list: they initialise the current part as a whole.
    fn braced_part(&mut self, base: usize) -> Parse<()> {
        let Some(ty) = self.current(base) else {
            if !matches!(self.decl.init.frames[base].shape, Shape::Elements(..)) {
                return Err(self.error(self.pos(), "extra brace group at end of initializer"));
            }
            self.excess(base);
            self.bump();
            self.skip_to_closing_brace();
            self.eat(Tok::RBrace);
            return Ok(());
        };
        self.check_unnamed()?;
        let string = self.peek(1) == Tok::Str && self.peek(2) == Tok::RBrace;
        self.check_flexible(ty, string)?;
        let (node, _) = self.nested(|p| p.braced(ty))?;
        self.add(node);
        Ok(())
    }

    /// Braces for an unnamed member, behind designators into a value given before: no other order says the same.
    fn check_unnamed(&mut self) -> Parse<()> {
        let state = &self.decl.init;
        let Some(frame) = state.frames.last() else { return Ok(()) };
        if let Shape::Struct(id) = frame.shape
            && state.lists[frame.list as usize].update
            && self.cx.program.types.records[id]
                .fields
                .get(frame.next as usize)
                .is_some_and(|f| f.name.is_none())
        {
            return Err(self.unsupported(self.pos(), "braces for an unnamed member of a value given before"));
        }
        Ok(())
    }

    /// Gives `expr` to the current part, going into aggregates whose braces were left out (C17 6.7.9p20).
    fn place(&mut self, base: usize, expr: ExprId) -> Parse<()> {
        loop {
            let Some(ty) = self.current(base) else {
                self.excess(base);
                return Ok(());
            };
            let Some(shape) = self.shape(ty) else {
                let node = self.scalar(ty, expr)?;
                self.add(node);
                return Ok(());
            };
            let string = matches!(self.cx.program.exprs[expr].kind, ExprKind::Str(_));
            self.check_flexible(ty, string)?;
            if let Some(units) = self.string_length(ty, expr)? {
                let pos = self.cx.program.exprs[expr].pos;
                self.check_string(ty, units, pos);
                self.add(Node::Expr(expr));
                return Ok(());
            }
            let types = &self.cx.program.types;
            let of = self.cx.program.ty(expr);
            let whole = match types.kind(ty) {
                TypeKind::Record(_) => compat::compatible_unqualified(types, ty, of),
                TypeKind::Vector { .. } => matches!(types.kind(of), TypeKind::Vector { .. }),
                TypeKind::Complex(_) => true,
                _ => false,
            };
            if whole {
                let node = self.scalar(ty, expr)?;
                self.add(node);
                return Ok(());
            }
            if let TypeKind::Array { .. } = types.kind(ty)
                && let Some((init, _)) = self.literal_for(ty, expr)
            {
                self.add(Node::Ready(init));
                return Ok(());
            }
            if let Shape::Struct(id) = shape
                && types.as_record(of).is_none()
                && self.decl.init.hollow.contains(&id)
            {
                self.advance();
                self.leave_empty_elements();
                continue;
            }
            self.enter(shape)?;
        }
    }

    /// A flexible array member takes elements only in an object that will never move (a GNU extension).
    /// To gcc a string is fine inside another struct too, but not inside an array.
    fn check_flexible(&mut self, ty: Type, string: bool) -> Parse<()> {
        if !matches!(self.cx.program.types.kind(ty), TypeKind::Array { len: Len::Unknown, .. }) {
            return Ok(());
        }
        let pos = self.pos();
        if self.tok() == Tok::LBrace && self.peek(1) == Tok::RBrace {
            return Ok(());
        }
        let around = &self.decl.init.frames[self.decl.init.outermost..];
        let in_array = around.iter().any(|frame| matches!(frame.shape, Shape::Elements(..)));
        if in_array || (around.len() > 1 && !string) {
            return Err(self.error(pos, "initialization of flexible array member in a nested context"));
        }
        if !self.decl.init.constant {
            return Err(self.error(pos, "non-static initialization of a flexible array member"));
        }
        Ok(())
    }

    /// The number of units if `expr` is a string literal that can initialise an array like `ty`.
    fn string_length(&mut self, ty: Type, expr: ExprId) -> Parse<Option<u64>> {
        let program = &self.cx.program;
        let ExprKind::Str(id) = program.exprs[expr].kind else { return Ok(None) };
        let types = &program.types;
        let TypeKind::Array { elem, .. } = types.kind(ty) else { return Ok(None) };
        let TypeKind::Array { elem: unit, .. } = types.kind(program.ty(expr)) else { return Ok(None) };
        let is_char = |ty: Type| matches!(types.kind(ty), TypeKind::Int(kind) if kind.is_character());
        let pos = program.exprs[expr].pos;
        match (is_char(elem), is_char(unit)) {
            (true, true) => {}
            (true, false) => return Err(self.error(pos, "char-array initialized from wide string")),
            (false, false) if compat::compatible_unqualified(types, elem, unit) => {}
            _ => {
                let wide = self.is_wide_unit(elem);
                if wide {
                    return Err(self.error(pos, "wide character array initialized from non-wide string"));
                }
                return Ok(None);
            }
        }
        Ok(Some(match &program.strings[id].units {
            StrUnits::Narrow(bytes) => bytes.len() as u64,
            StrUnits::Wide(units) => units.len() as u64,
        }))
    }

    fn is_wide_unit(&self, ty: Type) -> bool {
        let program = &self.cx.program;
        compat::compatible_unqualified(&program.types, ty, layout::integers::wchar_type(&program.target))
    }

    fn check_string(&mut self, ty: Type, units: u64, pos: Pos) {
        if let TypeKind::Array { elem, len: Len::Fixed(len) } = self.cx.program.types.kind(ty)
            && units > len
        {
            let shown = self.show(elem);
            self.tolerated(pos, format!("initializer-string for array of '{shown}' is too long"));
        }
    }

    fn excess(&mut self, base: usize) {
        let what = match self.decl.init.frames[base].shape {
            Shape::Elements(..) => "array",
            Shape::Struct(_) => "struct",
            Shape::Union(_) => "union",
        };
        self.tolerated(self.pos(), format!("excess elements in {what} initializer"));
    }

    /// Skips balanced tokens up to the `}` that closes the current list.
    fn skip_to_closing_brace(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.tok() {
                Tok::Eof => return,
                Tok::LBrace => depth += 1,
                Tok::RBrace if depth == 0 => return,
                Tok::RBrace => depth -= 1,
                _ => {}
            }
            self.bump();
        }
    }
}
