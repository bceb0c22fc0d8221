//! Declarators (C17 6.7.6): pointers, arrays, functions, names, and the types they derive.
//!
//! The parts of a declarator are collected from the name outwards on one stack and applied to the base type from
//! the other end, so only parentheses recurse.

use crate::attribute::Attributes;
use crate::parser::{Parse, Parser};
use crate::scope::{Name, Tag};
use crate::spec::qualifier;
use crate::token::Tok;
use howler_lang::build::{self, BadType, Policy};
use howler_lang::fold;
use howler_lang::program::{Attr, ExprId, ObjId, ParamBound};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::target::Compiler;
use howler_lang::ty::{Quals, Type, TypeKind};

/// The types of all declarations of a unit may name this many types.
const MAX_SPELLED: u64 = 20_000_000;

/// Whether a declarator must, may or must not have a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    Name,
    Either,
    Abstract,
}

/// What the declarator belongs to: it decides what an array bound may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    File,
    Block,
    Param,
    Field,
    TypeName,
}

/// A declarator applied to its base type.
#[derive(Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Option<Symbol>,
    /// Where the name stands, or where it would.
    pub(crate) pos: Pos,
    pub(crate) ty: Type,
    pub(crate) attrs: Attributes,
    /// The parameters if the declared thing itself is a function.
    pub(crate) params: Option<Box<Params>>,
    /// The bound if the declared thing itself is an array.
    pub(crate) bound: Option<Bound>,
}

/// The brackets next to a declared name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    /// The bound's expression.
    pub(crate) expr: Option<ExprId>,
    /// Qualifiers inside the brackets.
    pub(crate) quals: Quals,
    /// `static` inside the brackets.
    pub(crate) at_least: bool,
    pub(crate) pos: Pos,
}

/// The parentheses of a function declarator.
#[derive(Debug, Default)]
pub(crate) struct Params {
    pub(crate) list: Vec<Param>,
    /// A K&R identifier list.
    pub(crate) idents: Vec<(Symbol, Pos)>,
    pub(crate) variadic: bool,
    pub(crate) prototype: bool,
    /// What the parameter list declared, for the body of a definition.
    pub(crate) names: Vec<(Symbol, Name)>,
    pub(crate) tags: Vec<(Symbol, Tag)>,
}

/// A parameter of a prototype, adjusted (C17 6.7.6.3p7, p8).
#[derive(Debug)]
pub(crate) struct Param {
    pub(crate) name: Option<Symbol>,
    /// With its qualifiers.
    pub(crate) ty: Type,
    pub(crate) obj: Option<ObjId>,
    pub(crate) bound: Option<ParamBound>,
    pub(crate) register: bool,
    pub(crate) attrs: Vec<Attr>,
    pub(crate) align: u32,
    /// Written `[*]`.
    pub(crate) star: bool,
    pub(crate) pos: Pos,
}

/// One derivation, nearest to the name first on the stack.
#[derive(Debug)]
pub(crate) enum Part {
    Pointer(Quals),
    Array(Size, Bound),
    Function(Box<Params>),
}

/// An array bound before the element type is known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    Unknown,
    Star,
    /// An integer constant expression.
    Constant(i128),
    /// Anything else of integer type.
    Variable,
}

/// The name part of a declarator being read.
struct Head {
    name: Option<Symbol>,
    pos: Option<Pos>,
    attrs: Attributes,
}

impl Parser<'_> {
    /// A declarator applied to `base`.
    pub(crate) fn declarator(&mut self, base: Type, want: Want, place: Place) -> Parse<Declarator> {
        if want != Want::Abstract
            && let Some(plain) = self.plain_declarator(base)?
        {
            return Ok(plain);
        }
        let start = self.decl.parts.len();
        let stars = self.decl.stars.len();
        let pos = self.pos();
        let mut head = Head { name: None, pos: None, attrs: Attributes::default() };
        let result =
            self.declarator_parts(want, &mut head).and_then(|()| self.derive(start, base, &head, place, pos));
        self.decl.parts.truncate(start);
        self.decl.stars.truncate(stars);
        let (ty, params, bound) = result?;
        let pos = head.pos.unwrap_or(pos);
        self.check_size(ty, pos)?;
        Ok(Declarator { name: head.name, pos, ty, attrs: head.attrs, params, bound })
    }

    /// The short way for a name behind stars, or with none, and nothing else: most declarators.
    fn plain_declarator(&mut self, base: Type) -> Parse<Option<Declarator>> {
        let mut stars = 0;
        while self.peek(stars) == Tok::Star {
            stars += 1;
        }
        let ends = matches!(self.peek(stars + 1), Tok::Semi | Tok::Comma | Tok::RParen | Tok::Assign);
        if self.peek(stars) != Tok::Ident || !ends || stars > 8 {
            return Ok(None);
        }
        let mut ty = base;
        for _ in 0..stars {
            ty = self.cx.program.types.pointer(ty);
        }
        self.at += stars;
        let pos = self.pos();
        let name = Some(self.bump().symbol());
        self.check_size(ty, pos)?;
        Ok(Some(Declarator { name, pos, ty, attrs: Attributes::default(), params: None, bound: None }))
    }

    /// Refuses types too long to work with, and programs whose types are too long when spelled out: typedef names
    /// are not kept, so a short text could stand for any length.
    pub(crate) fn check_size(&mut self, ty: Type, pos: Pos) -> Parse<()> {
        self.decl.spelled += u64::from(self.cx.program.types.weight(ty));
        if self.cx.program.types.is_oversized(ty) || self.decl.spelled > MAX_SPELLED {
            return Err(self.bad_type(BadType::Unwieldy, None, pos));
        }
        Ok(())
    }

    fn declarator_parts(&mut self, want: Want, head: &mut Head) -> Parse<()> {
        let stars = self.decl.stars.len();
        if self.tok() == Tok::KwAttribute {
            self.more_attributes(&mut head.attrs)?;
        }
        let mut on_pointer = None;
        while self.eat(Tok::Star) {
            let at = self.pos();
            let (quals, attrs) = self.pointer_qualifiers()?;
            self.decl.stars.push(quals);
            if attrs.align != 0 || attrs.packed || attrs.mode.is_some() || attrs.vector_size.is_some() {
                let last = self.tok() != Tok::Star;
                on_pointer = Some((attrs, last && on_pointer.is_none(), at));
            }
        }
        let plain = self.tok() != Tok::LParen;
        let parts = self.decl.parts.len();
        match self.tok() {
            Tok::Ident if want != Want::Abstract => {
                head.pos = Some(self.pos());
                head.name = Some(self.bump().symbol());
            }
            Tok::LParen if want == Want::Name || self.is_grouping() => {
                self.bump();
                self.nested(|p| p.declarator_parts(want, head))?;
                self.expect(Tok::RParen)?;
            }
            _ if want == Want::Name => return Err(self.expected("identifier or '('")),
            _ => {}
        }
        loop {
            match self.tok() {
                Tok::LBracket if self.peek(1) == Tok::LBracket => return Err(self.bracket_attribute()),
                Tok::LBracket => {
                    let part = self.nested(Self::array_suffix)?;
                    self.decl.parts.push(part);
                }
                Tok::LParen => {
                    let params = self.nested(Self::function_suffix)?;
                    self.decl.parts.push(Part::Function(Box::new(params)));
                }
                _ => break,
            }
        }
        if let Some((attrs, last, at)) = on_pointer {
            self.attributes_of_pointer(attrs, last && plain && parts == self.decl.parts.len(), head, at)?;
        }
        while self.decl.stars.len() > stars {
            if let Some(quals) = self.decl.stars.pop() {
                self.decl.parts.push(Part::Pointer(quals));
            }
        }
        Ok(())
    }

    /// What attributes after a `*` mean: gcc gives them to the pointer type, clang to what is declared. That is the
    /// same if the pointer is the whole type.
    fn attributes_of_pointer(
        &mut self,
        attrs: Attributes,
        whole: bool,
        head: &mut Head,
        pos: Pos,
    ) -> Parse<()> {
        let gcc = self.cx.program.target.compiler == Compiler::Gcc;
        if attrs.mode.is_some() || (attrs.align != 0 && gcc && !whole) {
            return Err(self.unsupported(pos, "attribute of a pointer type inside a declarator"));
        }
        self.refuse_promises(&attrs, pos)?;
        // To gcc a pointer cannot be packed.
        let packed = attrs.packed && !gcc;
        let Attributes { align, vector_size, .. } = attrs;
        head.attrs.merge(Attributes { align, packed, vector_size, ..Attributes::default() });
        Ok(())
    }

    fn pointer_qualifiers(&mut self) -> Parse<(Quals, Attributes)> {
        let mut quals = Quals::NONE;
        let mut attrs = Attributes::default();
        loop {
            if self.tok().is_qualifier() {
                quals = quals.union(qualifier(self.tok()));
                self.bump();
            } else if self.tok() == Tok::KwAttribute {
                attrs.merge(self.attributes()?);
            } else {
                return Ok((quals, attrs));
            }
        }
    }

    /// In a declarator that may be abstract: whether `(` groups rather than begins parameters (C17 6.7.6.3p11: a
    /// typedef name there is a parameter's type).
    fn is_grouping(&self) -> bool {
        let ahead = self.past_attributes(1);
        let attributes = ahead > 1;
        match self.peek(ahead) {
            Tok::RParen | Tok::Ellipsis => false,
            Tok::Ident => !self.is_type_at(ahead) && (attributes || !self.is_unknown_parameter(ahead)),
            Tok::KwExtension => false,
            tok => !tok.is_declaration_specifier(),
        }
    }

    /// An undeclared name followed by another one can only be a wrong parameter type.
    fn is_unknown_parameter(&self, ahead: usize) -> bool {
        self.peek(ahead + 1) == Tok::Ident
    }

    fn array_suffix(&mut self) -> Parse<Part> {
        let pos = self.pos();
        self.expect(Tok::LBracket)?;
        let mut bound = Bound { expr: None, quals: Quals::NONE, at_least: false, pos };
        loop {
            match self.tok() {
                Tok::KwStatic if !bound.at_least => {
                    bound.at_least = true;
                    self.bump();
                }
                Tok::KwAttribute => self.dropped_attributes()?,
                tok if tok.is_qualifier() => {
                    bound.quals = bound.quals.union(qualifier(tok));
                    self.bump();
                }
                _ => break,
            }
        }
        let size = match self.tok() {
            Tok::RBracket if bound.at_least => {
                return Err(self.error(self.pos(), "'static' may not be used without an array size"));
            }
            Tok::RBracket => Size::Unknown,
            Tok::Star if self.peek(1) == Tok::RBracket => {
                self.bump();
                Size::Star
            }
            _ => {
                let at = self.pos();
                let expr = self.assignment_expression()?;
                let built = build::value(&mut self.cx, expr);
                let expr = self.built(built)?;
                bound.expr = Some(expr);
                bound.pos = at;
                let program = &self.cx.program;
                let ty = program.ty(expr);
                if !matches!(program.types.kind(ty), TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_)) {
                    return Err(self.error(at, "size of array has non-integer type"));
                }
                let strict = self.cx.policy == Policy::Strict;
                if strict && fold::overflows(program, expr) {
                    return Err(self.error(at, "overflow in constant expression"));
                }
                let constant = match strict {
                    true => fold::exact_integer(program, expr),
                    false => fold::strict_integer(program, expr),
                };
                match constant {
                    Some(value) => Size::Constant(value),
                    // For some compilers it is an array of variable length, for others one of this or that length.
                    None if fold::depends_on_level(program, expr) => {
                        return Err(self.unsupported(at, crate::expr::DIFFERS));
                    }
                    None => Size::Variable,
                }
            }
        };
        self.expect(Tok::RBracket)?;
        Ok(Part::Array(size, bound))
    }

    /// Applies the parts above `start` to `base`.
    #[allow(clippy::type_complexity, reason = "the three results of a derivation")]
    fn derive(
        &mut self,
        start: usize,
        base: Type,
        head: &Head,
        place: Place,
        pos: Pos,
    ) -> Parse<(Type, Option<Box<Params>>, Option<Bound>)> {
        let mut ty = base;
        let pos = head.pos.unwrap_or(pos);
        while self.decl.parts.len() > start {
            let Some(part) = self.decl.parts.pop() else { break };
            let nearest = self.decl.parts.len() == start;
            match part {
                Part::Pointer(quals) => {
                    let made = build::pointer_to(self.cx.program, ty);
                    ty = made.map_err(|bad| self.bad_type(bad, head.name, pos))?;
                    if !quals.is_empty() {
                        ty = self.qualify(ty, quals, pos)?;
                    }
                }
                Part::Array(size, bound) => {
                    ty = self.array_of(ty, size, bound, head.name, place, nearest, pos)?;
                    if nearest {
                        return Ok((ty, None, Some(bound)));
                    }
                }
                Part::Function(params) => {
                    ty = self.function_returning(ty, &params, head.name, pos)?;
                    if nearest {
                        return Ok((ty, Some(params), None));
                    }
                }
            }
        }
        Ok((ty, None, None))
    }
}
