//! What lowering asks about types: elements, qualified parts, and the parts of a struct that no member has.

use crate::op::Padding;
use howler_lang::program::Program;
use howler_lang::ty::{Quals, RecordId, RecordKind, Type, TypeKind};

/// What a type is an array of, through all dimensions, and the size of that.
pub(crate) fn element_of(program: &Program, mut ty: Type) -> Option<(Type, u32)> {
    while let TypeKind::Array { elem, .. } = program.types.kind(ty) {
        ty = elem;
    }
    let size = program.size_of(ty).and_then(|size| u32::try_from(size).ok()).filter(|&size| size > 0)?;
    Some((program.types.strip(ty).bare(), size))
}

/// Whether some part of an object of this type is const or volatile.
pub(crate) fn is_qualified(program: &Program, ty: Type) -> bool {
    has_qualified_part(program, ty, Quals::CONST) || has_qualified_part(program, ty, Quals::VOLATILE)
}

/// Whether some part of an object of this type has a qualifier.
pub(crate) fn has_qualified_part(program: &Program, ty: Type, qual: Quals) -> bool {
    program.types.any_part(ty, |part| program.types.quals(part).contains(qual))
}

/// The parts of a struct that no member has; `whole`: what a store of the whole struct may change. Elements of a flexible
/// array that lie within the struct's size are no padding to its other members, but may go with the whole (C17 6.7.2.1p18).
pub(super) fn padding(program: &Program, record: RecordId, whole: bool) -> Padding {
    let types = &program.types;
    let mut padding = Padding::default();
    if types.records[record].kind == RecordKind::Union {
        return padding;
    }
    let Some(layout) = program.layouts.record(types, record) else { return padding };
    let Ok(size) = usize::try_from(layout.size) else { return padding };
    // A large struct is mostly arrays; its padding is found from its members' ends.
    let mut used: Vec<(u64, u64)> = Vec::new();
    for (field, place) in types.records[record].fields.iter().zip(layout.fields.iter()) {
        let start = place.bit_offset;
        let end = match place.width {
            Some(_) if field.name.is_none() => continue,
            Some(width) => start + u64::from(width),
            None => {
                let flexible = if whole { 0 } else { layout.size - place.byte().min(layout.size) };
                start + 8 * program.size_of(field.ty).unwrap_or(flexible)
            }
        };
        used.push((start, end));
    }
    used.sort_unstable();
    let mut gaps = Vec::new();
    let mut reached = 0;
    for (start, end) in used.into_iter().chain([(8 * size as u64, 8 * size as u64)]) {
        if start > reached {
            gaps.push((reached, start));
        }
        reached = reached.max(end);
    }
    for (start, end) in gaps {
        let (first, last) = (start.div_ceil(8), end / 8);
        if first < last {
            padding.bytes.push((first as u32, (last - first) as u32));
        }
        for byte in [start / 8, end / 8] {
            let lo = start.max(byte * 8) - byte * 8;
            let hi = end.min(byte * 8 + 8).saturating_sub(byte * 8);
            if lo < hi && hi - lo < 8 {
                let mask = ((1u16 << hi) - (1u16 << lo)) as u8;
                if !padding.bits.contains(&(byte as u32, mask)) {
                    padding.bits.push((byte as u32, mask));
                }
            }
        }
    }
    padding
}
