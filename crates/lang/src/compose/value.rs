//! Constants and initialisers of any type.

use super::{Composed, Composer, refuse};
use crate::arith::{self, Num};
use crate::build::{self, Built, Purpose};
use crate::fold;
use crate::program::{Duration, ExprId, ExprKind, Init, InitEntry, StrUnits};
use crate::source::Pos;
use crate::ty::{Field, Len, RecordKind, Type, TypeKind};
use crate::visit::Walk;

/// The value of a constant or an initialiser.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Zero of any type: a null pointer, all members and elements.
    Zero,
    /// A number, for integers and for floating types that have it exactly.
    Int(i128),
    /// The bits of a value of a real type or a bit-field, as `arith` has them.
    Bits(u128),
    /// An expression, converted as if by assignment. A string literal initialises an array.
    Expr(ExprId),
    /// The first elements or members in order; unnamed bit-fields have none, of a union there is one. What is left out is
    /// zero.
    List(Vec<Value>),
    /// Elements or members by number, all of them counted, each once.
    Parts(Vec<(u64, Value)>),
}

impl Composer {
    /// A constant expression of a scalar type. Integers narrower than `int` come out as `int`, and a pointer is null.
    ///
    /// # Errors
    /// The type has no such value.
    pub fn constant(&mut self, ty: Type, value: &Value) -> Built {
        if let Value::Expr(e) = *value {
            return Ok(e);
        }
        if self.program.types.pointee(ty).is_some() {
            return match value {
                Value::Zero | Value::Int(0) | Value::Bits(0) => self.null(ty.bare()),
                _ => refuse("a constant pointer is null, or an address"),
            };
        }
        self.number(ty, None, value)
    }

    /// A constant of a real type, or of a bit-field of a width that is declared with it.
    fn number(&mut self, ty: Type, width: Option<u8>, value: &Value) -> Built {
        let (num, bits) = self.bits_of(ty, width, value)?;
        let ty = self.program.types.strip(ty).bare();
        // An enumeration has no constants of its own type but those it names.
        let ty = match self.program.types.kind(ty) {
            TypeKind::Enum(id) => self.program.types.enums[id].underlying.ty(),
            _ => ty,
        };
        build::constant(&mut self.cx(), num, ty, bits)
    }

    /// A value as the bits of a real type.
    fn bits_of(&self, ty: Type, width: Option<u8>, value: &Value) -> Composed<(Num, u128)> {
        let num = match (arith::num_of(&self.program.types, &self.program.target, ty), width) {
            (Some(Num::Int { signed, .. }), Some(width)) => Num::Int { width, signed },
            (Some(num), _) => num,
            (None, _) => return refuse("a number needs an arithmetic type"),
        };
        let bits = match (value, num) {
            (Value::Zero, _) => Some(0),
            (Value::Int(number), Num::Float(_)) => {
                let wide = Num::Int { width: 128, signed: true };
                let bits = arith::convert(wide, num, number.cast_unsigned()).ok();
                bits.filter(|&bits| arith::convert(num, wide, bits) == Ok(number.cast_unsigned()))
            }
            (Value::Int(number), _) => Some(num.bits(*number)).filter(|&bits| num.number(bits) == *number),
            (Value::Bits(bits), _) => {
                let width = num.width();
                Some(*bits).filter(|bits| width >= 128 || bits >> width == 0)
            }
            (Value::Expr(_) | Value::List(_) | Value::Parts(_), _) => None,
        };
        match bits {
            // What is not finite has no constant.
            Some(bits) if num_is_finite(num, bits) => Ok((num, bits)),
            _ => refuse(format!("{value:?} is no value of the type")),
        }
    }

    /// The initialiser of an object of a type; with `constant`, of one that lives for the whole run (C17 6.7.9p4).
    ///
    /// # Errors
    /// The value does not fit the type, or is not constant.
    pub fn initialiser(&mut self, ty: Type, value: &Value, constant: bool) -> Composed<Init> {
        // Structs may hold structs that hold structs, without end.
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.initialiser_of(ty, value, constant))
    }

    fn initialiser_of(&mut self, ty: Type, value: &Value, constant: bool) -> Composed<Init> {
        let parts: Vec<(u64, &Value)> = match (self.program.types.kind(ty), value) {
            (TypeKind::Array { .. }, Value::Expr(e)) => return self.text(ty, *e),
            (TypeKind::Array { .. } | TypeKind::Vector { .. }, Value::Zero) => vec![(0, &Value::Zero)],
            (TypeKind::Record(id), Value::Zero) => {
                let first = self.program.types.records[id].fields.iter().position(is_initialised);
                vec![(first.unwrap_or(0) as u64, &Value::Zero)]
            }
            (TypeKind::Array { .. } | TypeKind::Vector { .. }, Value::List(list)) => {
                (0..).zip(list).collect()
            }
            (TypeKind::Record(id), Value::List(list)) => {
                let record = &self.program.types.records[id];
                let fields = (0..).zip(&record.fields).filter(|(_, field)| is_initialised(field));
                let most = if record.kind == RecordKind::Union { 1 } else { usize::MAX };
                let places: Vec<u64> = fields.map(|(at, _)| at).take(most).collect();
                if places.len() < list.len() {
                    return refuse("excess elements in struct or union initializer");
                }
                places.into_iter().zip(list).collect()
            }
            (TypeKind::Array { .. } | TypeKind::Vector { .. } | TypeKind::Record(_), Value::Parts(parts)) => {
                parts.iter().map(|(at, value)| (*at, value)).collect()
            }
            (_, Value::List(_) | Value::Parts(_)) => return refuse("braces around scalar initializer"),
            // A struct from another, and all scalars.
            _ => return self.scalar(ty, None, value, constant),
        };
        if parts.is_empty() {
            return refuse("ISO C forbids empty initializer braces");
        }
        let mut places: Vec<u64> = parts.iter().map(|(at, _)| *at).collect();
        places.sort_unstable();
        if places.windows(2).any(|pair| pair[0] == pair[1]) || self.is_union(ty) && places.len() > 1 {
            return refuse("an initializer for a part that has one");
        }
        let mut entries = Vec::with_capacity(parts.len());
        for (index, value) in parts {
            let init = match self.part(ty, index)? {
                (part, None) => self.initialiser(part, value, constant)?,
                (part, width) => self.scalar(part, width, value, constant)?,
            };
            let init = self.program.inits.push(init);
            entries.push(InitEntry { index, last: index, init });
        }
        Ok(Init::List(self.program.add_entries(&entries)))
    }

    /// Compound literals outside of functions live for the whole run (C17 6.5.2.5p5).
    pub(super) fn make_static(&mut self, value: &Value) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Zero | Value::Int(_) | Value::Bits(_) => {}
                Value::List(list) => open.extend(list),
                Value::Parts(parts) => open.extend(parts.iter().map(|(_, value)| value)),
                Value::Expr(e) => {
                    let inside: Vec<ExprId> = Walk::expr(&self.program, *e).expressions().collect();
                    for e in inside {
                        if let ExprKind::CompoundLiteral(object) = self.program.exprs[e].kind {
                            self.program.objects[object].duration = Duration::Static;
                        }
                    }
                }
            }
        }
    }

    fn is_union(&self, ty: Type) -> bool {
        let types = &self.program.types;
        types.as_record(ty).is_some_and(|id| types.records[id].kind == RecordKind::Union)
    }

    /// The type of an element or member, and the width of a bit-field.
    fn part(&self, ty: Type, index: u64) -> Composed<(Type, Option<u8>)> {
        let types = &self.program.types;
        let part = match types.kind(ty) {
            TypeKind::Array { elem, len: Len::Fixed(len) } => (index < len).then_some((elem, None)),
            TypeKind::Vector { elem, lanes } => (index < u64::from(lanes)).then_some((elem, None)),
            TypeKind::Record(id) => usize::try_from(index)
                .ok()
                .and_then(|index| types.records[id].fields.get(index))
                .filter(|field| is_initialised(field))
                .map(|field| (field.ty, field.bits)),
            _ => None,
        };
        match part {
            Some((part, _)) if matches!(types.kind(part), TypeKind::Array { len: Len::Unknown, .. }) => {
                refuse("initialization of a flexible array member")
            }
            Some(part) => Ok(part),
            None => refuse(format!("there is no part {index} to initialise")),
        }
    }

    fn scalar(&mut self, ty: Type, width: Option<u8>, value: &Value, constant: bool) -> Composed<Init> {
        let e = match *value {
            Value::Expr(e) => e,
            // Conversion makes it null, or zero of a complex type.
            Value::Zero | Value::Int(0) | Value::Bits(0) if !self.program.types.is_real(ty) => self.int(0)?,
            _ => self.number(ty, width, value)?,
        };
        let e = build::convert_as_if_assigned(&mut self.cx(), Purpose::Init, e, ty, Pos::NONE)?;
        // What was made here from a number is a constant.
        if constant && matches!(value, Value::Expr(_)) {
            if fold::check_static_init(&self.program, e).is_err() {
                return refuse("initializer element is not constant");
            }
            if fold::overflows(&self.program, e) {
                return refuse("overflow in constant expression");
            }
        }
        Ok(Init::Expr(e))
    }

    /// A string literal for an array of characters (C17 6.7.9p14).
    fn text(&self, ty: Type, e: ExprId) -> Composed<Init> {
        let types = &self.program.types;
        let (ExprKind::Str(text), TypeKind::Array { elem, len: Len::Fixed(len) }) =
            (self.program.exprs[e].kind, types.kind(ty))
        else {
            return refuse("invalid initializer");
        };
        let fits = match (&self.program.strings[text].units, types.kind(elem)) {
            (StrUnits::Narrow(units), TypeKind::Int(kind)) => {
                kind.is_character() && units.len() as u64 <= len
            }
            _ => false,
        };
        if fits {
            Ok(Init::Expr(e))
        } else {
            refuse("initializer-string for array is too long, or of another type")
        }
    }
}

/// Whether a member takes part in initialisers (C17 6.7.9p9).
fn is_initialised(field: &Field) -> bool {
    field.name.is_some() || field.bits.is_none()
}

fn num_is_finite(num: Num, bits: u128) -> bool {
    match num {
        Num::Float(format) => {
            let magnitude = arith::absolute(format, bits);
            !format.is_nan(bits)
                && arith::binary(crate::program::BinaryOp::Sub, num, magnitude, magnitude) == Ok(0)
        }
        _ => true,
    }
}
