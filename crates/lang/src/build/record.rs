//! Structs, unions and enumerations: the constraints on their members (C17 6.7.2.1, 6.7.2.2), and their bounds.

use super::{Violation, largest_object};
use crate::arith;
use crate::id::Id;
use crate::layout::integers;
use crate::print;
use crate::program::Program;
use crate::source::Pos;
use crate::symbol::Symbol;
use crate::target::Target;
use crate::ty::{Field, IntKind, Len, RecordId, RecordKind, Type, TypeKind};

type Checked = Result<(), Box<Violation>>;

fn reject(pos: Pos, message: impl Into<String>) -> Checked {
    Err(Box::new(Violation { pos, message: message.into() }))
}

/// Whether a struct or union may have this member, wherever it stands in it.
///
/// # Errors
/// The constraint that is violated.
pub fn check_member(program: &Program, kind: RecordKind, field: &Field) -> Checked {
    let (types, pos) = (&program.types, field.pos);
    let shown = |without: &str| match field.name {
        Some(name) => format!("'{}'", program.name(name)),
        None => without.to_owned(),
    };
    if let Some(width) = field.bits {
        return check_bit_field(program, field, i128::from(width));
    }
    match types.kind(field.ty) {
        TypeKind::Function(_) => reject(pos, format!("field {} declared as a function", shown("member"))),
        // A flexible array member, if it is the last: checked at the end.
        TypeKind::Array { len: Len::Unknown, .. } if kind == RecordKind::Struct => Ok(()),
        TypeKind::Array { len: Len::Unknown, .. } => reject(pos, "flexible array member in union"),
        _ if !types.is_complete(field.ty) => {
            reject(pos, format!("field {} has incomplete type", shown("member")))
        }
        _ => Ok(()),
    }
}

/// Whether a bit-field may have this type and width (C17 6.7.2.1p4, p5); the one in `field` is not looked at.
///
/// # Errors
/// The constraint that is violated.
pub fn check_bit_field(program: &Program, field: &Field, width: i128) -> Checked {
    let types = &program.types;
    let shown = field.name.map_or("<anonymous>", |name| program.name(name));
    let of_type = || program.size_of(field.ty).map_or(0, |size| size * 8);
    let limit = match types.kind(field.ty) {
        TypeKind::Bool => 1,
        TypeKind::Int(_) => of_type(),
        TypeKind::Enum(id) if types.enums[id].complete => of_type(),
        _ => return reject(field.pos, format!("bit-field '{shown}' has invalid type")),
    };
    if width < 0 {
        return reject(field.pos, format!("negative width in bit-field '{shown}'"));
    }
    if width > i128::from(limit) {
        return reject(field.pos, format!("width of '{shown}' exceeds its type"));
    }
    if width == 0 && field.name.is_some() {
        return reject(field.pos, format!("zero width for bit-field '{shown}'"));
    }
    Ok(())
}

/// Constraints on the members of a struct or union as a whole: flexible ones last, names different, a size that an
/// object can have. `pos` is where its tag stands.
///
/// # Errors
/// The constraint that is violated.
pub fn check_record(program: &Program, id: RecordId, pos: Pos) -> Checked {
    let record = &program.types.records[id];
    for (at, field) in record.fields.iter().enumerate() {
        if !matches!(program.types.kind(field.ty), TypeKind::Array { len: Len::Unknown, .. }) {
            continue;
        }
        if at + 1 != record.fields.len() {
            return reject(field.pos, "flexible array member not at end of struct");
        }
        if !record.fields[..at].iter().any(|f| f.name.is_some() || f.bits.is_none()) {
            return reject(field.pos, "flexible array member in a struct with no named members");
        }
    }
    let mut names = member_names(program, id);
    names.sort_unstable_by_key(|&(name, pos)| (name.index(), pos));
    if let Some(pair) = names.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let (name, pos) = pair[1];
        return reject(pos, format!("duplicate member '{}'", program.name(name)));
    }
    let largest = u128::from(largest_object(program));
    let ty = program.types.known(TypeKind::Record(id));
    let size = ty.and_then(|ty| program.size_of(ty));
    if size.map_or_else(|| sum_of_members(program, id), u128::from) > largest {
        let shown = ty.map_or(String::new(), |ty| format!(" '{}'", print::type_name(program, ty)));
        return reject(pos, format!("type{shown} is too large"));
    }
    Ok(())
}

/// The names one can use with `.`, those of anonymous members included.
fn member_names(program: &Program, id: RecordId) -> Vec<(Symbol, Pos)> {
    let types = &program.types;
    let mut names = Vec::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        for field in &types.records[id].fields {
            match (field.name, types.kind(field.ty)) {
                (Some(name), _) => names.push((name, field.pos)),
                (None, TypeKind::Record(inner)) if field.bits.is_none() => open.push(inner),
                _ => {}
            }
        }
    }
    names
}

/// At least the size of a record that is too large for its layout to be computed. A member whose own size is not
/// known has at least the size of its parts.
fn sum_of_members(program: &Program, id: RecordId) -> u128 {
    let size = |ty: Type| program.size_of(ty).map_or(1 << 60, u128::from);
    let sizes = program.types.records[id].fields.iter().map(|field| match program.types.kind(field.ty) {
        TypeKind::Array { elem, len: Len::Fixed(len) } => size(elem) * u128::from(len),
        TypeKind::Array { len: Len::Unknown, .. } => 0,
        _ => size(field.ty),
    });
    match program.types.records[id].kind {
        RecordKind::Struct => sizes.sum(),
        RecordKind::Union => sizes.max().unwrap_or(0),
    }
}

/// Whether an integer type can represent `value`.
pub fn holds(target: &Target, kind: IntKind, value: i128) -> bool {
    // Values beyond i128 are not represented at all.
    let num = arith::int_num(target, kind);
    num.number(num.bits(value)) == value && (value >= 0 || integers::is_signed(target, kind))
}

/// The type that gcc and clang give an enumeration with these values (gcc's finish_enum): `unsigned` unless one is
/// negative or does not fit, then what fits. None if no type of 64 bits does.
pub fn enum_type(target: &Target, values: impl IntoIterator<Item = i128>, packed: bool) -> Option<IntKind> {
    let (low, high) = values.into_iter().fold((0, 0), |(low, high), value| (value.min(low), value.max(high)));
    let unsigned = low >= 0;
    let bits = if unsigned {
        128 - high.leading_zeros()
    } else {
        129 - (!low).leading_zeros().min(high.leading_zeros())
    };
    let least = if packed { 1 } else { integers::int_width(target, IntKind::Int) };
    (bits <= 64).then(|| integers::of_width(target, bits.max(least), !unsigned))
}
