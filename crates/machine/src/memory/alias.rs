//! Which types may access which objects (C17 6.5p6-7).
//!
//! An access is judged by its root: the type of the lvalue that a pointer was dereferenced to, and where that lvalue
//! starts; what is selected from it by `.member` and `[index]` is right by construction.

use super::stores::Stores;
use super::{Slot, Stored};
use crate::ub::UbKind;
use howler_lang::correspond;
use howler_lang::layout::integers::to_unsigned;
use howler_lang::program::Program;
use howler_lang::ty::{Len, Record, RecordId, RecordKind, Type, TypeKind};
use rustc_hash::FxHashSet;

/// Whether an lvalue of this type may access anything: a character type, `may_alias`.
pub fn accesses_all(program: &Program, ty: Type) -> bool {
    use howler_lang::ty::IntKind::{Char, SChar, UChar};
    let types = &program.types;
    if types.variant(ty).is_some_and(|variant| variant.may_alias) {
        return true;
    }
    match types.kind(ty) {
        TypeKind::Int(Char | SChar | UChar) | TypeKind::Void => true,
        TypeKind::Record(id) => types.records[id].may_alias,
        TypeKind::Array { elem, .. } => accesses_all(program, elem),
        _ => false,
    }
}

/// How close two types must be to stand for one object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Close {
    /// As the standard says: compatible but for qualifiers and sign (C17 6.5p7).
    Letter,
    /// As gcc and clang say: they do not tell pointers apart by the qualifiers of what they point to, nor `void *` from
    /// any other pointer.
    Practice,
}

/// Whether two types may stand for one object.
fn same(program: &Program, a: Type, b: Type, close: Close) -> bool {
    let types = &program.types;
    let (a, b) = (types.strip(a).bare(), types.strip(b).bare());
    if a == b || close == Close::Practice && are_alike(program, a, b) {
        return true;
    }
    let twin = |ty: Type| match types.kind(ty) {
        TypeKind::Int(kind) => Some(to_unsigned(kind)),
        TypeKind::Enum(id) => Some(to_unsigned(types.enums[id].underlying)),
        _ => None,
    };
    match (twin(a), twin(b)) {
        (Some(a), Some(b)) => a == b,
        _ => correspond::compatible_unqualified(program, a, b),
    }
}

/// Whether both are pointers that no compiler tells apart.
fn are_alike(program: &Program, a: Type, b: Type) -> bool {
    let types = &program.types;
    let (Some(mut a), Some(mut b)) = (types.pointee(a), types.pointee(b)) else { return false };
    if types.is_void(a) || types.is_void(b) {
        return true;
    }
    while let (Some(to_a), Some(to_b)) = (types.pointee(a), types.pointee(b)) {
        (a, b) = (to_a, to_b);
    }
    correspond::compatible_unqualified(program, a, b)
}

/// Whether a member reaches to the end of its allocation: a last array of no, one or an unknown number of elements.
fn is_flexible(program: &Program, record: &Record, index: usize) -> bool {
    let last = index + 1 == record.fields.len();
    last && matches!(
        program.types.kind(record.fields[index].ty),
        TypeKind::Array { len: Len::Unknown | Len::Fixed(0 | 1), .. }
    )
}

/// Whether an object of type `whole` has an object that `part` may access `offset` bytes from its start.
pub fn contains(program: &Program, whole: Type, offset: u64, part: Type, close: Close) -> bool {
    let types = &program.types;
    // A vector may access objects of its element's type in GNU C: gcc and clang give both one alias set.
    let part = match types.kind(part) {
        TypeKind::Vector { elem, .. } if !same(program, whole, part, close) => elem,
        _ => part,
    };
    let mut ways = Ways::from(whole, offset);
    while let Some((ty, offset)) = ways.next() {
        if offset == 0 && same(program, ty, part, close) {
            return true;
        }
        match types.kind(ty) {
            TypeKind::Array { elem, .. } => match program.size_of(elem) {
                Some(0) => {}
                Some(size) => ways.go(elem, offset % size),
                None if types.is_vla(elem) => return true,
                None => {}
            },
            // Complex values are laid out as arrays (6.2.5p13); vectors are accessed by element in GNU C.
            TypeKind::Complex(elem) | TypeKind::Vector { elem, .. } => {
                if let Some(size) = program.size_of(elem).filter(|&size| size > 0) {
                    ways.go(elem, offset % size);
                }
            }
            TypeKind::Record(id) => {
                let Some(layout) = program.layouts.record(types, id) else { continue };
                let record = &types.records[id];
                // Several members hold the offset in a union, and where an empty one shares that of the next.
                for (index, (field, place)) in record.fields.iter().zip(layout.fields.iter()).enumerate() {
                    let start = place.byte();
                    let end = start + program.size_of(field.ty).unwrap_or(0);
                    let holds = offset < end || start == offset || is_flexible(program, record, index);
                    if place.width.is_none() && offset >= start && holds {
                        ways.go(field.ty, offset - start);
                    }
                }
            }
            _ => {}
        }
    }
    false
}

/// Ways into a type that are still to be gone. Where there are several, none is gone twice: the number of ways through
/// nested unions or empty structs doubles with each level.
struct Ways {
    open: Vec<(Type, u64)>,
    next: Option<(Type, u64)>,
    seen: FxHashSet<(Type, u64)>,
}

impl Ways {
    fn from(ty: Type, offset: u64) -> Ways {
        Ways { open: Vec::new(), next: Some((ty, offset)), seen: FxHashSet::default() }
    }

    fn next(&mut self) -> Option<(Type, u64)> {
        self.next.take().or_else(|| self.open.pop())
    }

    fn go(&mut self, ty: Type, offset: u64) {
        if self.next.is_none() && self.open.is_empty() {
            self.next = Some((ty, offset));
        } else if self.seen.insert((ty, offset)) {
            self.open.push((ty, offset));
        }
    }
}

/// The innermost type of an object at an offset.
fn leaf_at(program: &Program, whole: Type, offset: u64) -> Option<Type> {
    let types = &program.types;
    let (mut ty, mut offset) = (whole, offset);
    loop {
        match types.kind(ty) {
            TypeKind::Array { elem, .. } => {
                offset %= program.size_of(elem).filter(|&size| size > 0)?;
                ty = elem;
            }
            TypeKind::Record(id) => {
                let layout = program.layouts.record(types, id)?;
                let fields = types.records[id].fields.iter().zip(layout.fields.iter());
                let mut inside = fields.filter(|(field, place)| {
                    let end = place.byte() + program.size_of(field.ty).unwrap_or(0);
                    place.width.is_none() && offset >= place.byte() && offset < end
                });
                let (field, place) = inside.next()?;
                offset -= place.byte();
                ty = field.ty;
            }
            _ => return Some(ty),
        }
    }
}

/// Whether a type has a union in it whose members can be told apart.
pub fn has_union(program: &Program, ty: Type) -> bool {
    let types = &program.types;
    types.any_part(ty, |part| match types.kind(part) {
        TypeKind::Record(id) => {
            types.records[id].kind == RecordKind::Union && types.records[id].fields.len() > 1
        }
        _ => false,
    })
}

/// The type an access starts from, and where that object would be.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// The type.
    pub ty: Type,
    /// Its offset in the allocation.
    pub offset: u32,
}

/// What is wrong with an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It is undefined.
    Undefined(UbKind),
    /// It reads the common initial sequence of two structs in a union.
    CommonInitial,
}

/// Whether memory with a declared type may be accessed from this root.
pub fn check_declared(program: &Program, declared: Type, root: Root) -> Result<(), UbKind> {
    let has = |close| contains(program, declared, u64::from(root.offset), root.ty, close);
    if has(Close::Letter) || is_over_elements(program, declared, root) {
        return Ok(());
    }
    if has(Close::Practice) {
        return Err(UbKind::AliasPointer);
    }
    Err(
        if leaf_at(program, declared, u64::from(root.offset)).is_some_and(|leaf| accesses_all(program, leaf))
        {
            UbKind::AliasBytes
        } else if matches!(program.types.kind(root.ty), TypeKind::Record(_)) {
            UbKind::AliasStruct
        } else {
            UbKind::AliasScalar
        },
    )
}

/// Whether an array is accessed as a GNU vector of its elements, which gcc and clang both let alias. A struct of such
/// elements is another matter.
fn is_over_elements(program: &Program, declared: Type, root: Root) -> bool {
    let types = &program.types;
    let TypeKind::Vector { elem, .. } = types.kind(root.ty) else { return false };
    let mut ty = declared;
    while let TypeKind::Array { elem, .. } = types.kind(ty) {
        ty = elem;
    }
    let whole = program.size_of(ty).is_some_and(|size| size > 0 && u64::from(root.offset) % size == 0);
    whole && same(program, ty, elem, Close::Letter)
}

/// Whether bytes that were stored with one type may be read with another.
pub fn check_stored(program: &Program, slot: &Slot, at: u32, len: u32, root: Root) -> Result<(), Fault> {
    let Some(stores) = &slot.stores else { return Ok(()) };
    let mut checked = None;
    for stored in stores.within(at, len) {
        if checked == Some(stored) {
            continue;
        }
        checked = Some(stored);
        if !fits(program, stored, root, Close::Letter) {
            if fits(program, stored, root, Close::Practice) {
                return Err(Fault::Undefined(UbKind::AliasPointer));
            }
            let record = |ty: Type| matches!(program.types.kind(ty), TypeKind::Record(_));
            let kind = if slot.ty.is_some() {
                UbKind::AliasUnion
            } else if record(root.ty) && stored.ty.is_some_and(record) {
                UbKind::AliasStruct
            } else {
                UbKind::AliasHeap
            };
            let common = slot.ty.is_some() && is_common(program, stored, root);
            return Err(if common { Fault::CommonInitial } else { Fault::Undefined(kind) });
        }
    }
    Ok(())
}

/// Whether an access may be one to the common initial sequence of two structs in a union.
pub fn is_common(program: &Program, stored: Stored, root: Root) -> bool {
    stored.base == root.offset && stored.ty.is_some_and(|ty| shares_beginning(program, ty, root.ty))
}

/// Whether two structs begin with members of compatible types (C17 6.5.2.3p6).
fn shares_beginning(program: &Program, a: Type, b: Type) -> bool {
    let types = &program.types;
    let first =
        |ty: Type| types.as_record(ty).and_then(|id| types.records[id].fields.first().map(|field| field.ty));
    match (first(a), first(b)) {
        (Some(a), Some(b)) => correspond::compatible_unqualified(program, a, b),
        _ => false,
    }
}

fn fits(program: &Program, stored: Stored, root: Root, close: Close) -> bool {
    let Some(ty) = stored.ty else { return true };
    if ty == root.ty && stored.base == root.offset || accesses_all(program, ty) {
        return true;
    }
    if let Some(inside) = root.offset.checked_sub(stored.base).map(u64::from)
        && contains(program, ty, inside, root.ty, close)
    {
        return true;
    }
    let Some(inside) = stored.base.checked_sub(root.offset).map(u64::from) else { return false };
    contains(program, root.ty, inside, ty, close) || has_bits(program, root.ty, inside, ty)
}

/// Whether an object of type `whole` has a bit-field of type `part` that begins in the byte at `offset`.
fn has_bits(program: &Program, whole: Type, offset: u64, part: Type) -> bool {
    let types = &program.types;
    let mut ways = Ways::from(whole, offset);
    while let Some((ty, offset)) = ways.next() {
        match types.kind(ty) {
            TypeKind::Array { elem, .. } => {
                if let Some(size) = program.size_of(elem).filter(|&size| size > 0) {
                    ways.go(elem, offset % size);
                }
            }
            TypeKind::Record(id) => {
                let Some(layout) = program.layouts.record(types, id) else { continue };
                for (field, place) in types.records[id].fields.iter().zip(layout.fields.iter()) {
                    match (place.width, offset.checked_sub(place.byte())) {
                        (Some(_), Some(0)) if same(program, field.ty, part, Close::Letter) => return true,
                        (None, Some(inner)) if inner < program.size_of(field.ty).unwrap_or(0) => {
                            ways.go(field.ty, inner);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    false
}

/// Whether a store gives the byte at `at` another type: a compiler that lets the types decide may put it before what
/// was there. A character is a character in whatever struct it is.
fn retypes(program: &Program, at: u32, old: Stored, new: Stored) -> bool {
    let (Some(was), Some(ty)) = (old.ty, new.ty) else { return false };
    let is_byte = |ty: Type, base: u32| {
        leaf_at(program, ty, u64::from(at.wrapping_sub(base))).is_some_and(|leaf| accesses_all(program, leaf))
    };
    old.direct
        && new.direct
        && !fits(program, old, Root { ty, offset: new.base }, Close::Practice)
        && !is_byte(was, old.base)
        && !is_byte(ty, new.base)
}

/// Remembers the type of a store; the one the bytes had, if it gave them another.
pub fn record_store(program: &Program, slot: &mut Slot, at: u32, len: u32, new: Stored) -> Option<Stored> {
    if slot.stores.is_none() && new.ty.is_none() {
        return None;
    }
    if new.ty.is_none() {
        stores_of(slot).fill(at, len, new);
        return None;
    }
    let (mut seen, mut retyped) = (None, None);
    let stores = stores_of(slot);
    stores.make(at, len);
    stores.change(at, len, |place, old| {
        if *old == new {
            return;
        }
        // Bytes of one store are alike, but for structs of which some bytes are characters.
        let whole = old.ty.is_none_or(|ty| program.types.as_record(ty).is_none());
        if retyped.is_none() && !(whole && seen == Some(*old)) {
            seen = Some(*old);
            if retypes(program, place, *old, new) {
                retyped = seen;
            }
        }
        *old = new;
    });
    retyped
}

/// The types of stores to an allocation, to change them.
pub fn stores_of(slot: &mut Slot) -> &mut Stores {
    slot.stores.get_or_insert_with(|| Stores::new(slot.size))
}

/// What bytes copied out of an object of type `ty` carry along: `from` is where they were in it, `to` where they are
/// now. Where the whole object cannot begin at or after 0, the part of it that the byte is in stands for it.
pub fn carried(program: &Program, ty: Type, from: u64, to: u32) -> Stored {
    let types = &program.types;
    let (mut ty, mut inside) = (ty, from);
    while inside > u64::from(to) {
        let part = match types.kind(ty) {
            TypeKind::Array { elem, .. } | TypeKind::Complex(elem) | TypeKind::Vector { elem, .. } => {
                program.size_of(elem).filter(|&size| size > 0).map(|size| (elem, inside % size))
            }
            TypeKind::Record(id) => part_at(program, id, inside),
            _ => None,
        };
        match part {
            Some(part) if part != (ty, inside) => (ty, inside) = part,
            _ => return Stored::NOTHING,
        }
    }
    let base = to - u32::try_from(inside).unwrap_or(0);
    Stored { ty: Some(ty), base, direct: false }
}

/// The only member that a byte of a record belongs to, and how far from that member's start the byte is.
fn part_at(program: &Program, record: RecordId, offset: u64) -> Option<(Type, u64)> {
    let layout = program.layouts.record(&program.types, record)?;
    let fields = &program.types.records[record].fields;
    let mut holds = fields.iter().zip(layout.fields.iter()).filter(|(field, place)| {
        let end = place.byte() + program.size_of(field.ty).unwrap_or(0);
        place.width.is_none() && offset >= place.byte() && offset < end
    });
    match (holds.next(), holds.next()) {
        (Some((field, place)), None) => Some((field.ty, offset - place.byte())),
        _ => None,
    }
}
