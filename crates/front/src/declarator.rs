//! Declarators (C17 6.7.6): pointers, arrays, functions, names, and the types they derive.
//!
//! The parts of a declarator are collected from the name outwards on one stack and applied to the base type from
//! the other end, so only parentheses recurse.

use crate::attribute::Attributes;
use crate::parser::{Parse, Parser};
use crate::scope::{Name, Tag};
use crate::spec::qualifier;
use crate::token::Tok;
use howler_lang::build;
use howler_lang::fold;
use howler_lang::program::{Attr, Duration, ExprId, Linkage, ObjId, Object, ParamBound, Storage};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::ty::{Len, Quals, Signature, Type, TypeKind};

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
        Ok(Declarator { name: head.name, pos, ty, attrs: head.attrs, params, bound })
    }

    fn declarator_parts(&mut self, want: Want, head: &mut Head) -> Parse<()> {
        let stars = self.decl.stars.len();
        if self.tok() == Tok::KwAttribute {
            let attrs = self.attributes()?;
            head.attrs.merge(attrs);
        }
        while self.eat(Tok::Star) {
            let quals = self.pointer_qualifiers()?;
            self.decl.stars.push(quals);
        }
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
        while self.decl.stars.len() > stars {
            if let Some(quals) = self.decl.stars.pop() {
                self.decl.parts.push(Part::Pointer(quals));
            }
        }
        Ok(())
    }

    fn pointer_qualifiers(&mut self) -> Parse<Quals> {
        let mut quals = Quals::NONE;
        loop {
            if self.tok().is_qualifier() {
                quals = quals.union(qualifier(self.tok()));
                self.bump();
            } else if self.tok() == Tok::KwAttribute {
                // Attributes of the pointer type itself change nothing that is modelled.
                self.attributes()?;
            } else {
                return Ok(quals);
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
                Tok::KwAttribute => {
                    self.attributes()?;
                }
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
                match fold::integer(program, expr) {
                    Some(value) if fold::is_integer_constant_expr(program, expr) => Size::Constant(value),
                    _ => Size::Variable,
                }
            }
        };
        self.expect(Tok::RBracket)?;
        Ok(Part::Array(size, bound))
    }

    fn function_suffix(&mut self) -> Parse<Params> {
        self.expect(Tok::LParen)?;
        if self.eat(Tok::RParen) {
            return Ok(Params::default());
        }
        self.scopes.enter();
        self.decl.prototypes += 1;
        let result = self.parameters();
        self.decl.prototypes -= 1;
        let (names, tags) = self.scopes.leave_keeping();
        let mut params = result?;
        params.names = names;
        params.tags = tags;
        self.expect(Tok::RParen)?;
        Ok(params)
    }

    fn parameters(&mut self) -> Parse<Params> {
        let mut params = Params::default();
        let identifiers = self.tok() == Tok::Ident
            && !self.is_type_at(0)
            && matches!(self.peek(1), Tok::Comma | Tok::RParen);
        if identifiers {
            loop {
                if self.tok() != Tok::Ident {
                    return Err(self.expected("identifier"));
                }
                let token = self.bump();
                let pos = self.pos_of(token);
                params.idents.push((token.symbol(), pos));
                if !self.eat(Tok::Comma) {
                    return Ok(params);
                }
            }
        }
        params.prototype = true;
        loop {
            if self.tok() == Tok::Ellipsis {
                if params.list.is_empty() {
                    return Err(self.error(self.pos(), "ISO C requires a named argument before '...'"));
                }
                self.bump();
                params.variadic = true;
                return Ok(params);
            }
            let param = self.parameter()?;
            let only = params.list.is_empty() && self.tok() == Tok::RParen;
            if only && param.name.is_none() && param.ty == Type::VOID {
                return Ok(params);
            }
            if matches!(self.cx.program.types.kind(param.ty), TypeKind::Void) {
                return Err(match param.name {
                    None if only => self.error(param.pos, "'void' as only parameter may not be qualified"),
                    None => self.error(param.pos, "'void' must be the only parameter"),
                    Some(name) => {
                        let message =
                            format!("parameter '{}' has incomplete type", self.cx.program.name(name));
                        self.error(param.pos, message)
                    }
                });
            }
            params.list.push(param);
            match self.tok() {
                Tok::Comma => {
                    self.bump();
                }
                // GNU forward declarations of parameters: `int n; int a[n]`.
                Tok::Semi => {
                    self.bump();
                    params.list.clear();
                    self.decl.forward = true;
                    if self.tok() == Tok::RParen {
                        return Ok(params);
                    }
                }
                _ => {
                    self.decl.forward = false;
                    return Ok(params);
                }
            }
        }
    }

    /// One parameter declaration, adjusted and bound in the prototype's scope.
    fn parameter(&mut self) -> Parse<Param> {
        let specs = self.specifiers()?;
        if !specs.any {
            return Err(match self.tok() {
                Tok::Ident => {
                    let message =
                        format!("unknown type name '{}'", self.cx.program.name(self.token().symbol()));
                    self.error(self.pos(), message)
                }
                _ => self.expected("declaration specifiers or '...'"),
            });
        }
        if !matches!(specs.storage, Storage::None | Storage::Register) || specs.typedef || specs.thread {
            return Err(self.error(specs.pos, "storage class specified for parameter"));
        }
        if specs.auto_type {
            return Err(self.error(specs.pos, "'__auto_type' used for a parameter"));
        }
        self.name_unnamed(specs.unnamed, None);
        let base = self.apply_type_attributes(specs.ty, &specs.attrs)?;
        let mut declarator = self.declarator(base, Want::Either, Place::Param)?;
        let trailing = self.attributes()?;
        declarator.attrs.merge(trailing);
        if !specs.typed {
            let what = match declarator.name {
                Some(name) => format!("declaration of '{}'", self.cx.program.name(name)),
                None => "declaration of parameter".to_owned(),
            };
            self.implicit_int(declarator.pos, &what)?;
        }
        let mut attrs = specs.attrs;
        let written = self.apply_type_attributes(declarator.ty, &declarator.attrs)?;
        attrs.merge(declarator.attrs);
        let (ty, bound) = self.adjust_parameter(written, declarator.bound)?;
        let mut param = Param {
            name: declarator.name,
            ty,
            obj: None,
            bound,
            register: specs.storage == Storage::Register,
            attrs: attrs.kept,
            align: attrs.align.max(specs.align),
            pos: declarator.pos,
        };
        if let Some(name) = param.name {
            if self.scopes.name_here(name).is_some() && !self.decl.forward {
                let message = format!("redefinition of parameter '{}'", self.cx.program.name(name));
                return Err(self.error(param.pos, message));
            }
            let obj = self.parameter_object(&mut param);
            self.scopes.bind_name(name, Name::Object(obj));
        }
        Ok(param)
    }

    /// The object of a parameter, made on first use.
    pub(crate) fn parameter_object(&mut self, param: &mut Param) -> ObjId {
        if let Some(obj) = param.obj {
            return obj;
        }
        let obj = self.cx.program.objects.push(Object {
            name: param.name,
            ty: param.ty,
            linkage: Linkage::None,
            duration: Duration::Parameter,
            literal: false,
            register: param.register,
            init: None,
            align: param.align,
            attrs: param.attrs.clone(),
            param_bound: param.bound,
            defined: true,
            unit: self.unit,
            linked: None,
            pos: param.pos,
        });
        param.obj = Some(obj);
        obj
    }

    /// Arrays and functions become pointers (C17 6.7.6.3p7, p8).
    pub(crate) fn adjust_parameter(
        &mut self,
        ty: Type,
        bound: Option<Bound>,
    ) -> Parse<(Type, Option<ParamBound>)> {
        let types = &mut self.cx.program.types;
        match types.kind(ty) {
            TypeKind::Array { elem, .. } => {
                let quals = types.strip(ty).quals();
                let elem = types.qualified(elem, quals);
                let mut pointer = types.pointer(elem);
                let mut kept = None;
                if let Some(bound) = bound {
                    pointer = self.qualify(pointer, bound.quals, bound.pos)?;
                    kept = bound.expr.map(|len| ParamBound { len, at_least: bound.at_least });
                }
                Ok((pointer, kept))
            }
            TypeKind::Function(_) => Ok((types.pointer(ty), None)),
            _ => Ok((ty, None)),
        }
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
                    ty = self.cx.program.types.pointer(ty);
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

    #[allow(clippy::too_many_arguments, reason = "all of it goes into one check or another")]
    fn array_of(
        &mut self,
        elem: Type,
        size: Size,
        bound: Bound,
        name: Option<Symbol>,
        place: Place,
        nearest: bool,
        pos: Pos,
    ) -> Parse<Type> {
        let kind = self.cx.program.types.kind(elem);
        match kind {
            TypeKind::Void => {
                let what = self.quoted(name, "type name");
                return Err(self.error(pos, format!("declaration of {what} as array of voids")));
            }
            TypeKind::Function(_) => {
                let what = self.quoted(name, "type name");
                return Err(self.error(pos, format!("declaration of {what} as array of functions")));
            }
            _ => {}
        }
        if !self.is_complete(elem) {
            let shown = self.show(elem);
            return Err(self.error(pos, format!("array type has incomplete element type '{shown}'")));
        }
        if self.cx.program.types.variant(elem).is_some_and(|variant| variant.align > 0) {
            let program = &self.cx.program;
            let size = program.size_of(elem).unwrap_or(0);
            let align = program.layouts.align_of(&program.types, elem).unwrap_or(1);
            if align > size && size > 0 {
                return Err(self.error(pos, "alignment of array elements is greater than element size"));
            }
            if size % align != 0 {
                return Err(self.error(pos, "size of array element is not a multiple of its alignment"));
            }
        }
        let outermost = nearest && place == Place::Param;
        if (bound.at_least || !bound.quals.is_empty()) && !outermost {
            return Err(self.error(bound.pos, "static or type qualifiers in non-parameter array declarator"));
        }
        let len = match size {
            Size::Unknown => Len::Unknown,
            Size::Star if self.decl.prototypes == 0 => {
                return Err(self.error(bound.pos, "'[*]' not allowed in other than function prototype scope"));
            }
            Size::Star => {
                self.decl.star_bounds = true;
                Len::Star
            }
            Size::Constant(value) => Len::Fixed(self.constant_bound(value, elem, name, pos)?),
            // The bound of the parameter itself is evaluated but is not part of its type.
            Size::Variable if outermost => Len::Unknown,
            Size::Variable => {
                let folded = bound.expr.and_then(|expr| fold::integer(self.cx.program, expr));
                if self.function.is_none() && self.decl.prototypes == 0 {
                    let what = self.quoted(name, "type");
                    let message = format!("variably modified {what} at file scope");
                    match folded {
                        Some(value) if place != Place::TypeName => {
                            self.pedantic(pos, message)?;
                            Len::Fixed(self.constant_bound(value, elem, name, pos)?)
                        }
                        Some(value) => Len::Fixed(self.constant_bound(value, elem, name, pos)?),
                        None if place == Place::TypeName => match bound.expr {
                            Some(expr) => Len::Variable(self.cx.program.types.vlas.push(expr)),
                            None => Len::Star,
                        },
                        None => return Err(self.error(pos, message)),
                    }
                } else {
                    match (folded, place) {
                        (Some(value), Place::Field) => {
                            Len::Fixed(self.constant_bound(value, elem, name, pos)?)
                        }
                        (None, Place::Field) => {
                            return Err(self.unsupported(pos, "variable length array in a struct or union"));
                        }
                        _ => match bound.expr {
                            Some(expr) => Len::Variable(self.cx.program.types.vlas.push(expr)),
                            None => Len::Star,
                        },
                    }
                }
            }
        };
        Ok(self.cx.program.types.array(elem, len))
    }

    fn constant_bound(&mut self, value: i128, elem: Type, name: Option<Symbol>, pos: Pos) -> Parse<u64> {
        let program = &self.cx.program;
        if value < 0 {
            let what = self.quoted(name, "unnamed array");
            return Err(self.error(pos, format!("size of array {what} is negative")));
        }
        let limit = (1i128 << (u32::from(program.target.layout().pointer) * 8 - 1)) - 1;
        // Bounds of one declarator come one after the other: the size found for the last is used for the next.
        let size = match self.decl.array_size {
            Some((known, size)) if known == elem => size,
            _ => i128::from(program.size_of(elem).unwrap_or(1)),
        };
        if value.checked_mul(size.max(1)).is_none_or(|total| total > limit) {
            let what = self.quoted(name, "unnamed array");
            return Err(self.error(pos, format!("size of array {what} is too large")));
        }
        let len = value as u64;
        let array = self.cx.program.types.array(elem, Len::Fixed(len));
        self.decl.array_size = Some((array, value * size));
        Ok(len)
    }

    fn function_returning(
        &mut self,
        ret: Type,
        params: &Params,
        name: Option<Symbol>,
        pos: Pos,
    ) -> Parse<Type> {
        match self.cx.program.types.kind(ret) {
            TypeKind::Function(_) => {
                let what = self.quoted(name, "type name");
                return Err(self.error(pos, format!("{what} declared as function returning a function")));
            }
            TypeKind::Array { .. } => {
                let what = self.quoted(name, "type name");
                return Err(self.error(pos, format!("{what} declared as function returning an array")));
            }
            _ => {}
        }
        // Qualifiers of a returned value mean nothing (C17 6.7.6.3p5).
        let ret = self.starred(ret.bare());
        let list: Vec<Type> = params.list.iter().map(|param| param.ty.bare()).collect();
        let list: Box<[Type]> = list.into_iter().map(|ty| self.starred(ty)).collect();
        let signature =
            Signature { ret, params: list, variadic: params.variadic, prototype: params.prototype };
        Ok(self.cx.program.types.function(signature))
    }

    /// `ty` with every variable bound replaced by `[*]`: in a signature the bounds of one declaration mean nothing.
    pub(crate) fn starred(&mut self, ty: Type) -> Type {
        if self.cx.program.types.vlas.is_empty() || !self.is_variably_modified(ty) {
            return ty;
        }
        let mut layers = Vec::new();
        let mut bottom = ty;
        loop {
            let next = match self.cx.program.types.kind(bottom) {
                TypeKind::Pointer(to) => to,
                TypeKind::Array { elem, .. } => elem,
                _ => break,
            };
            layers.push(bottom);
            bottom = next;
        }
        let types = &mut self.cx.program.types;
        let mut made = bottom;
        for layer in layers.into_iter().rev() {
            let new = match types.kind(layer) {
                TypeKind::Array { len: Len::Variable(_), .. } => types.array(made, Len::Star),
                TypeKind::Array { len, .. } => types.array(made, len),
                _ => types.pointer(made),
            };
            made = types.qualified(new, layer.quals());
        }
        made
    }

    /// Whether a variable bound is anywhere in the derivation of `ty` (C17 6.7.6p3).
    pub(crate) fn is_variably_modified(&self, mut ty: Type) -> bool {
        let types = &self.cx.program.types;
        // Types can be derived very often, and most programs have no such bound at all.
        if types.vlas.is_empty() && !self.decl.star_bounds {
            return false;
        }
        loop {
            match types.kind(ty) {
                TypeKind::Pointer(to) => ty = to,
                TypeKind::Array { len: Len::Variable(_) | Len::Star, .. } => return true,
                TypeKind::Array { elem, .. } => ty = elem,
                TypeKind::Function(id) => ty = types.signature(id).ret,
                _ => return false,
            }
        }
    }

    /// Whether `[*]` is in the derivation of `ty`.
    pub(crate) fn has_star_bound(&self, mut ty: Type) -> bool {
        let types = &self.cx.program.types;
        while self.decl.star_bounds {
            match types.kind(ty) {
                TypeKind::Array { len: Len::Star, .. } => return true,
                TypeKind::Pointer(next) | TypeKind::Array { elem: next, .. } => ty = next,
                _ => return false,
            }
        }
        false
    }

    /// Whether an object of type `ty` has variable size.
    pub(crate) fn is_vla(&self, mut ty: Type) -> bool {
        let types = &self.cx.program.types;
        loop {
            match types.kind(ty) {
                TypeKind::Array { len: Len::Variable(_) | Len::Star, .. } => return true,
                TypeKind::Array { elem, .. } => ty = elem,
                _ => return false,
            }
        }
    }

    /// Whether the size of `ty` is known, at run time at least (C17 6.2.5p1).
    pub(crate) fn is_complete(&self, ty: Type) -> bool {
        let types = &self.cx.program.types;
        match types.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => false,
            // Arrays are made of complete elements only.
            TypeKind::Array { len, .. } => len != Len::Unknown,
            TypeKind::Record(id) => types.records[id].complete,
            TypeKind::Enum(id) => types.enums[id].complete,
            _ => true,
        }
    }

    /// `'name'`, or `without` if there is none.
    pub(crate) fn quoted(&self, name: Option<Symbol>, without: &str) -> String {
        match name {
            Some(name) => format!("'{}'", self.cx.program.name(name)),
            None => without.to_owned(),
        }
    }
}
