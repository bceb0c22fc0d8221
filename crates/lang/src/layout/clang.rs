//! How clang places members on x86: System V as its record layout builder reads it. Nothing but numbers: shapes in,
//! layout out.
//!
//! Where it differs from gcc: a bit-field's width never gives it an alignment, a bit-field that would cross the end
//! of its type's unit moves to the next multiple of its alignment whatever that is, `packed` bit-fields under
//! `#pragma pack(n)` count as aligned to n, and 8-byte types on i386 have an alignment of 4 everywhere.

use super::{FieldLayout, Mode, RecordLayout, Shape, round_up};
use crate::target::Target;
use crate::ty::{Field, Record, RecordKind};

/// All numbers are in bits.
struct Placement<'a> {
    record: &'a Record,
    /// The first free bit (struct), or the size so far (union).
    end: u64,
    align: u64,
    /// The `#pragma pack` in force, or 0.
    pack: u64,
}

pub(super) fn lay_out(target: &Target, record: &Record, shapes: &[Shape]) -> Option<RecordLayout> {
    let mut placement = Placement {
        record,
        end: 0,
        align: 8 * u64::from(record.align.max(1)),
        pack: 8 * u64::from(record.pack),
    };
    let mut fields = Vec::with_capacity(record.fields.len());
    for (field, shape) in record.fields.iter().zip(shapes) {
        let bit_offset = match field.bits {
            Some(width) => placement.place_bits(field, shape, u64::from(width))?,
            None => placement.place(field, shape)?,
        };
        fields.push(FieldLayout { bit_offset, width: field.bits });
    }
    let size = round_up(round_up(placement.end, 8)?, placement.align)? / 8;
    let align = placement.align / 8;
    let shape =
        Shape { size: Some(size), align, user_align: record.align != 0, narrow: false, mode: Mode::Block };
    Some(RecordLayout {
        size,
        align: shape.min_align(target),
        preferred_align: shape.preferred_align(target),
        fields: fields.into_boxed_slice(),
        shape,
    })
}

impl Placement<'_> {
    /// Places a member that is no bit-field.
    fn place(&mut self, field: &Field, shape: &Shape) -> Option<u64> {
        let packed = self.record.packed || field.packed;
        let mut align = if packed { 8 } else { 8 * shape.align };
        align = align.max(8 * u64::from(field.align));
        if self.pack != 0 {
            align = align.min(self.pack);
        }
        self.align = self.align.max(align);
        let bits = shape.size.unwrap_or(0).checked_mul(8)?;
        self.reserve(align, bits)
    }

    /// Places a bit-field.
    fn place_bits(&mut self, field: &Field, shape: &Shape, width: u64) -> Option<u64> {
        let packed = self.record.packed || field.packed;
        let explicit = 8 * u64::from(field.align);
        let unit = shape.size.unwrap_or(0).checked_mul(8)?;
        let unpacked = (8 * shape.align).max(explicit);
        let mut align = if packed && width != 0 { explicit.max(1) } else { unpacked };
        // `#pragma pack` wins over `aligned`, but not for a zero-width bit-field.
        if self.pack != 0 && width != 0 {
            align = if packed { unpacked.min(self.pack) } else { align.min(self.pack) };
        }
        let crosses = |start: u64| Some((start % align).checked_add(width)? > unit);
        let is_struct = self.record.kind == RecordKind::Struct;
        let start = if is_struct { self.end } else { 0 };
        let padded_to = if width == 0 || (self.pack == 0 && crosses(start)?) {
            align
        } else if explicit != 0 && (self.pack == 0 || explicit <= self.pack) {
            explicit
        } else {
            1
        };
        // An unnamed bit-field leaves the record's alignment alone.
        if field.name.is_some() {
            self.align = self.align.max(align);
        }
        if is_struct { self.reserve_bits(padded_to, width) } else { self.reserve(padded_to, width) }
    }

    /// Takes `bits` from the next multiple of `align` on, after whole bytes.
    fn reserve(&mut self, align: u64, bits: u64) -> Option<u64> {
        match self.record.kind {
            RecordKind::Struct => {
                self.end = round_up(self.end, 8)?;
                self.reserve_bits(align, bits)
            }
            RecordKind::Union => {
                self.end = self.end.max(round_up(bits, 8)?);
                Some(0)
            }
        }
    }

    fn reserve_bits(&mut self, align: u64, bits: u64) -> Option<u64> {
        let start = round_up(self.end, align)?;
        self.end = start.checked_add(bits)?;
        Some(start)
    }
}
