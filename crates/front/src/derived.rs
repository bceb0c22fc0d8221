//! The types that declarators derive, their constraints (C17 6.7.6.2, 6.7.6.3), and questions about derived types.

use crate::declarator::{Bound, Params, Place, Size};
use crate::parser::{Failed, Parse, Parser};
use howler_lang::build::{self, BadType};
use howler_lang::fold;
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::ty::{Len, Signature, Type, TypeKind};

impl Parser<'_> {
    #[allow(clippy::too_many_arguments, reason = "all of it goes into one check or another")]
    pub(crate) fn array_of(
        &mut self,
        elem: Type,
        size: Size,
        bound: Bound,
        name: Option<Symbol>,
        place: Place,
        nearest: bool,
        pos: Pos,
    ) -> Parse<Type> {
        // Bounds of one declarator come one after the other: the size found for the last is used for the next.
        let size_of_element = match self.decl.array_size {
            Some((known, size)) if known == elem => size,
            _ => build::element_size(self.cx.program, elem).map_err(|bad| self.bad_type(bad, name, pos))?,
        };
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
            Size::Constant(value) => {
                if value == 0 {
                    self.extension(pos, "ISO C forbids zero-size array");
                }
                self.constant_bound(value, name, pos)?
            }
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
                            self.constant_bound(value, name, pos)?
                        }
                        Some(value) => self.constant_bound(value, name, pos)?,
                        None if place == Place::TypeName => match bound.expr {
                            Some(expr) => Len::Variable(self.cx.program.types.vlas.push(expr)),
                            None => Len::Star,
                        },
                        None => return Err(self.error(pos, message)),
                    }
                } else {
                    match (folded, place) {
                        (Some(value), Place::Field) => self.constant_bound(value, name, pos)?,
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
        let made = build::array_of_size(self.cx.program, elem, size_of_element, len);
        let array = made.map_err(|bad| self.bad_type(bad, name, pos))?;
        if let Len::Fixed(len) = len {
            self.decl.array_size = Some((array, len * size_of_element));
        }
        Ok(array)
    }

    /// Reports a type that cannot be made.
    #[cold]
    pub(crate) fn bad_type(&mut self, bad: BadType, name: Option<Symbol>, pos: Pos) -> Failed {
        let program = &self.cx.program;
        let message = bad.message(program, name.map(|name| program.name(name)));
        match bad {
            BadType::Unwieldy => self.unsupported(pos, message),
            _ => self.error(pos, message),
        }
    }

    /// A bound that is a number; whether the array is too large is seen when it is made.
    fn constant_bound(&mut self, value: i128, name: Option<Symbol>, pos: Pos) -> Parse<Len> {
        if value < 0 {
            return Err(self.bad_type(BadType::Negative, name, pos));
        }
        u64::try_from(value).map(Len::Fixed).map_err(|_| self.bad_type(BadType::Large, name, pos))
    }

    pub(crate) fn function_returning(
        &mut self,
        ret: Type,
        params: &Params,
        name: Option<Symbol>,
        pos: Pos,
    ) -> Parse<Type> {
        // Qualifiers of a returned value mean nothing (C17 6.7.6.3p5).
        let ret = ret.bare();
        let ret = if self.decl.prototypes > 0 { self.starred(ret) } else { ret };
        let list: Box<[Type]> = params.list.iter().map(|param| self.starred(param.ty.bare())).collect();
        let signature =
            Signature { ret, params: list, variadic: params.variadic, prototype: params.prototype };
        build::function_returning(self.cx.program, signature).map_err(|bad| self.bad_type(bad, name, pos))
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
        if !self.decl.star_bounds {
            return false;
        }
        loop {
            match types.kind(ty) {
                TypeKind::Array { len: Len::Star, .. } => return true,
                TypeKind::Pointer(next) | TypeKind::Array { elem: next, .. } => ty = next,
                _ => return false,
            }
        }
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
