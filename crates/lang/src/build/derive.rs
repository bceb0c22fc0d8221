//! Types made of other types: the constraints of C17 6.7.6, and the bounds that whatever walks a type relies on.
//!
//! [`Types`](crate::ty::Types) interns what it is given. Who makes types of what somebody else says, a text or a
//! generator's choices, comes through here.

use crate::print;
use crate::program::Program;
use crate::ty::{Len, Signature, Type, TypeKind};

/// Why a type cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadType {
    /// It is derived too often, or too long: a limit of ours, not a rule of C.
    Unwieldy,
    /// An array of `void`.
    ArrayOfVoid,
    /// An array of functions.
    ArrayOfFunctions,
    /// An array of what has no size yet.
    IncompleteElement(Type),
    /// The elements of an array are aligned to more than their size.
    AlignedElement,
    /// The size of an element is not a multiple of its alignment.
    UnevenElement,
    /// An array with a negative bound.
    Negative,
    /// An array larger than any object can be.
    Large,
    /// A function that returns a function.
    ReturnsFunction,
    /// A function that returns an array.
    ReturnsArray,
}

impl BadType {
    /// A compiler's words for it. `name` is what is declared with the type, if it has a name.
    pub fn message(self, program: &Program, name: Option<&str>) -> String {
        let what = |without: &str| name.map_or(without.to_owned(), |name| format!("'{name}'"));
        match self {
            BadType::Unwieldy => "type with more than 1000 derivations, or too long to spell".to_owned(),
            BadType::ArrayOfVoid => format!("declaration of {} as array of voids", what("type name")),
            BadType::ArrayOfFunctions => {
                format!("declaration of {} as array of functions", what("type name"))
            }
            BadType::IncompleteElement(elem) => {
                format!("array type has incomplete element type '{}'", print::type_name(program, elem))
            }
            BadType::AlignedElement => "alignment of array elements is greater than element size".to_owned(),
            BadType::UnevenElement => "size of array element is not a multiple of its alignment".to_owned(),
            BadType::Negative => format!("size of array {} is negative", what("unnamed array")),
            BadType::Large => format!("size of array {} is too large", what("unnamed array")),
            BadType::ReturnsFunction => {
                format!("{} declared as function returning a function", what("type name"))
            }
            BadType::ReturnsArray => format!("{} declared as function returning an array", what("type name")),
        }
    }
}

/// The size of the largest object of a program's target: differences of pointers fit their type.
pub fn largest_object(program: &Program) -> u64 {
    (1 << (u32::from(program.target.layout().pointer) * 8 - 1)) - 1
}

/// A pointer to `to`.
///
/// # Errors
/// The type would be unwieldy.
#[inline]
pub fn pointer_to(program: &mut Program, to: Type) -> Result<Type, BadType> {
    let made = program.types.pointer(to);
    bounded(program, made)
}

/// An array of `elem` (C17 6.7.6.2).
///
/// # Errors
/// The constraint that is violated, or the bound.
pub fn array_of(program: &mut Program, elem: Type, len: Len) -> Result<Type, BadType> {
    let size = element_size(program, elem)?;
    array_of_size(program, elem, size, len)
}

/// What an array of `elem` needs to know of it: its size, 0 if that is known at run time only. Asked before a bound is
/// read, and not again for each bound of `a[1][1]…`.
///
/// # Errors
/// It cannot be the element of an array.
pub fn element_size(program: &Program, elem: Type) -> Result<u64, BadType> {
    match program.types.kind(elem) {
        TypeKind::Void => return Err(BadType::ArrayOfVoid),
        TypeKind::Function(_) => return Err(BadType::ArrayOfFunctions),
        // Arrays are made of complete elements only.
        TypeKind::Array { len: Len::Unknown, .. } => return Err(BadType::IncompleteElement(elem)),
        TypeKind::Array { .. } => {}
        _ if !program.types.is_complete(elem) => return Err(BadType::IncompleteElement(elem)),
        _ => {}
    }
    let size = program.size_of(elem);
    if program.types.variant(elem).is_some_and(|variant| variant.align > 0) {
        let size = size.unwrap_or(0);
        let align = program.layouts.align_of(&program.types, elem).unwrap_or(1);
        if align > size && size > 0 {
            return Err(BadType::AlignedElement);
        }
        if !size.is_multiple_of(align) {
            return Err(BadType::UnevenElement);
        }
    }
    Ok(size.unwrap_or(0))
}

/// An array of `elem`, whose size is known.
///
/// # Errors
/// The array is too large, or unwieldy.
pub fn array_of_size(program: &mut Program, elem: Type, size: u64, len: Len) -> Result<Type, BadType> {
    if let Len::Fixed(len) = len {
        let total = u128::from(len) * u128::from(size.max(1));
        if total > u128::from(largest_object(program)) {
            return Err(BadType::Large);
        }
    }
    let made = program.types.array(elem, len);
    bounded(program, made)
}

/// A function type (C17 6.7.6.3p1).
///
/// # Errors
/// The constraint that is violated, or the bound.
pub fn function_returning(program: &mut Program, signature: Signature) -> Result<Type, BadType> {
    match program.types.kind(signature.ret) {
        TypeKind::Function(_) => return Err(BadType::ReturnsFunction),
        TypeKind::Array { .. } => return Err(BadType::ReturnsArray),
        _ => {}
    }
    let made = program.types.function(signature);
    bounded(program, made)
}

#[inline]
fn bounded(program: &Program, ty: Type) -> Result<Type, BadType> {
    if program.types.is_oversized(ty) { Err(BadType::Unwieldy) } else { Ok(ty) }
}
