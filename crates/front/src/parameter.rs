//! Parameter lists: prototypes and K&R identifier lists, with the adjustments of C17 6.7.6.3p7 and p8.

use crate::declarator::{Bound, Param, Params, Place, Want};
use crate::parser::{Parse, Parser};
use crate::scope::Name;
use crate::token::Tok;
use howler_lang::program::{Duration, Linkage, ObjId, Object, ParamBound, Storage};
use howler_lang::ty::{Len, Type, TypeKind};

impl Parser<'_> {
    pub(crate) fn function_suffix(&mut self) -> Parse<Params> {
        self.expect(Tok::LParen)?;
        if self.eat(Tok::RParen) {
            return Ok(Params::default());
        }
        self.scopes.enter();
        self.decl.prototypes += 1;
        let result = self.parameters();
        self.decl.prototypes -= 1;
        // Only a body wants the names, and before these there is none.
        let declares = matches!(self.peek(1), Tok::Semi | Tok::Comma | Tok::KwAttribute | Tok::KwAsm);
        if declares && self.tok() == Tok::RParen {
            self.scopes.leave();
            let params = result?;
            self.bump();
            return Ok(params);
        }
        let (names, tags) = self.scopes.leave_keeping();
        let mut params = result?;
        params.names = names;
        params.tags = tags;
        self.expect(Tok::RParen)?;
        Ok(params)
    }

    pub(crate) fn parameters(&mut self) -> Parse<Params> {
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
                // GNU: `int n; int a[n], int n`.
                Tok::Semi => {
                    return Err(self.unsupported(self.pos(), "forward declaration of parameters"));
                }
                _ => return Ok(params),
            }
        }
    }

    /// One parameter declaration, adjusted and bound in the prototype's scope.
    pub(crate) fn parameter(&mut self) -> Parse<Param> {
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
        if specs.align > 0 {
            return Err(self.error(specs.pos, "alignment specified for parameter"));
        }
        self.name_unnamed(specs.unnamed, None);
        let base = self.apply_type_attributes(specs.ty, &specs.attrs)?;
        let mut declarator = self.declarator(base, Want::Either, Place::Param)?;
        self.more_attributes(&mut declarator.attrs)?;
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
        self.refuse_promises(&attrs, declarator.pos)?;
        let (ty, bound) = self.adjust_parameter(written, declarator.bound)?;
        let mut param = Param {
            name: declarator.name,
            ty,
            obj: None,
            bound,
            register: specs.storage == Storage::Register,
            attrs: attrs.kept,
            align: attrs.align,
            star: matches!(self.cx.program.types.kind(written), TypeKind::Array { len: Len::Star, .. }),
            pos: declarator.pos,
        };
        if let Some(name) = param.name {
            if self.scopes.name_here(name).is_some() {
                let message = format!("redefinition of parameter '{}'", self.cx.program.name(name));
                return Err(self.error(param.pos, message));
            }
            let obj = self.parameter_object(&mut param);
            if matches!(self.cx.program.types.kind(written), TypeKind::Array { .. } | TypeKind::Function(_)) {
                self.cx.program.adjusted.insert(obj);
            }
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
}
