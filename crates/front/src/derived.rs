//! The types that declarators derive, their constraints (C17 6.7.6.2, 6.7.6.3), and questions about derived types.

use crate::declarator::{Bound, Params, Place, Size};
use crate::parser::{Parse, Parser};
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
            if !size.is_multiple_of(align) {
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
            Size::Constant(value) => {
                if value == 0 {
                    self.extension(pos, "ISO C forbids zero-size array");
                }
                Len::Fixed(self.constant_bound(value, elem, name, pos)?)
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

    pub(crate) fn constant_bound(
        &mut self,
        value: i128,
        elem: Type,
        name: Option<Symbol>,
        pos: Pos,
    ) -> Parse<u64> {
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

    pub(crate) fn function_returning(
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
        let ret = ret.bare();
        let ret = if self.decl.prototypes > 0 { self.starred(ret) } else { ret };
        let list: Box<[Type]> = params.list.iter().map(|param| self.starred(param.ty.bare())).collect();
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
