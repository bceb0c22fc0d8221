//! How gcc 12 places members on x86 (its `PCC_BITFIELD_TYPE_MATTERS` rules). Nothing but numbers: shapes in, layout
//! out.
//!
//! Four of its habits are not the ABI's and have to be followed all the same:
//! - a bit-field of exactly 8, 16, 32 or 64 bits that happens to lie on a multiple of its width is no bit-field any
//!   more, and has at least the alignment of the integer type of that width;
//! - a zero-width bit-field ignores `packed` and `#pragma pack`;
//! - any `#pragma pack` lets bit-fields cross the boundaries of their type;
//! - on i386 a record held in an 8-byte integer register loses an alignment of 8 when it is a member.

use super::{FieldLayout, Mode, RecordLayout, Shape, round_up};
use crate::target::{Arch, Target};
use crate::ty::{Field, Record, RecordKind};

/// All numbers are in bits.
struct Placement<'a> {
    record: &'a Record,
    /// The first free bit (struct), or the size so far (union).
    end: u64,
    align: u64,
    user_align: bool,
    /// What a position's base is a multiple of.
    unit: u64,
}

pub(super) fn lay_out(target: &Target, record: &Record, shapes: &[Shape]) -> Option<RecordLayout> {
    let asked = 8 * u64::from(record.align.max(1));
    let mut placement =
        Placement { record, end: 0, align: asked, user_align: record.align != 0, unit: asked.max(128) };
    let mut fields = Vec::with_capacity(record.fields.len());
    for (field, shape) in record.fields.iter().zip(shapes) {
        fields.push(FieldLayout { bit_offset: placement.place(field, shape)?, width: field.bits });
    }
    let Placement { end, align, user_align, .. } = placement;
    let size = round_up(round_up(end, 8)?, align)? / 8;
    let mode = mode(record, shapes, size);
    let narrow = target.arch == Arch::I386 && mode == Mode::Narrow;
    let shape = Shape { size: Some(size), align: align / 8, user_align, narrow, mode };
    Some(RecordLayout {
        size,
        align: shape.min_align(target),
        preferred_align: shape.preferred_align(target),
        fields: fields.into_boxed_slice(),
        shape,
    })
}

impl Placement<'_> {
    /// Places one member and returns its first bit.
    fn place(&mut self, field: &Field, shape: &Shape) -> Option<u64> {
        let is_struct = self.record.kind == RecordKind::Struct;
        // What has no alignment to lose is not packed.
        let packed = (self.record.packed || field.packed) && (field.bits.is_some() || shape.align > 1);
        // The alignment the next free bit has; 0 means any.
        let known = if is_struct { lowest_bit(self.end) } else { 0 };
        let wanted = self.decide_align(field, shape, packed, known);
        self.raise(field, shape, packed, &wanted);
        if !is_struct {
            let bytes = match field.bits {
                Some(width) => u64::from(width).div_ceil(8),
                None => shape.size.unwrap_or(0),
            };
            self.end = self.end.max(bytes.checked_mul(8)?);
            return Some(0);
        }
        // The position is kept as this base and a remainder.
        let mut base = self.end / self.unit * self.unit;
        if known < wanted.align {
            self.end = round_up(self.end, wanted.align)?;
            if wanted.align >= self.unit {
                base = self.end;
            }
        }
        if let Some(width @ 1..) = field.bits
            && wanted.bit_field
            && !packed
            && self.record.pack == 0
        {
            self.keep_in_unit(base, u64::from(width), shape)?;
            self.user_align |= shape.user_align;
        }
        let start = self.end;
        let bits = match field.bits {
            Some(width) => u64::from(width),
            None => shape.size.unwrap_or(0).checked_mul(8)?,
        };
        self.end = start.checked_add(bits)?;
        Some(start)
    }

    /// The alignment the member asks for.
    fn decide_align(&self, field: &Field, shape: &Shape, packed: bool, known: u64) -> Wanted {
        let mut wanted = Wanted {
            align: if field.align == 0 { 1 } else { 8 * u64::from(field.align) },
            user_align: field.align != 0,
            bit_field: field.bits.is_some(),
        };
        let zero_width = field.bits == Some(0);
        let packed = packed && !zero_width;
        match field.bits {
            Some(0) => wanted.at_least(shape),
            Some(width) => {
                let natural = u64::from(width);
                if matches!(width, 8 | 16 | 32 | 64 | 128)
                    && !(packed && natural > 8)
                    && (known == 0 || known >= natural)
                {
                    wanted.align = wanted.align.max(natural);
                    wanted.bit_field = false;
                }
            }
            // An `aligned` of a packed member's own counts as it stands; its type's does not.
            None if packed && field.align != 0 => {}
            None => wanted.at_least(shape),
        }
        if packed && field.align == 0 {
            wanted.align = wanted.align.min(8);
        }
        if !packed && !wanted.user_align && shape.narrow {
            wanted.align = wanted.align.min(32);
        }
        if self.record.pack != 0 && !zero_width {
            wanted.align = wanted.align.min(self.pack_bits());
        }
        wanted
    }

    /// Raises the record's own alignment.
    fn raise(&mut self, field: &Field, shape: &Shape, packed: bool, wanted: &Wanted) {
        self.user_align |= wanted.user_align;
        if field.bits.is_some() {
            // An unnamed bit-field leaves the record's alignment alone.
            if field.name.is_none() {
                return;
            }
            let mut of_type = 8 * shape.field_align();
            if self.record.pack != 0 {
                of_type = of_type.min(self.pack_bits());
            } else if packed {
                of_type = of_type.min(8);
            }
            self.align = self.align.max(of_type);
            self.user_align |= shape.user_align;
        }
        self.align = self.align.max(wanted.align);
    }

    /// A bit-field may not span more units of its type's alignment than its type does.
    fn keep_in_unit(&mut self, base: u64, width: u64, shape: &Shape) -> Option<()> {
        let align = 8 * shape.field_align();
        let size = 8 * shape.size.unwrap_or(0);
        let spanned = (self.end % align).checked_add(width)?.div_ceil(align);
        if spanned > size / align {
            // Only the remainder is rounded, which shows when the alignment is above the unit.
            self.end = base.checked_add(round_up(self.end - base, align)?)?;
        }
        Some(())
    }

    fn pack_bits(&self) -> u64 {
        8 * u64::from(self.record.pack)
    }
}

/// The alignment a member asks for, in bits.
struct Wanted {
    align: u64,
    /// Whether an attribute asked for it.
    user_align: bool,
    /// Whether it still counts as a bit-field.
    bit_field: bool,
}

impl Wanted {
    fn at_least(&mut self, shape: &Shape) {
        if 8 * shape.align > self.align {
            self.align = 8 * shape.align;
            self.user_align = shape.user_align;
        }
    }
}

/// The lowest bit that is set, or 0.
fn lowest_bit(value: u64) -> u64 {
    value & value.wrapping_neg()
}

/// What gcc holds a record of `size` bytes in: what its only member is held in, else an integer of its size.
fn mode(record: &Record, shapes: &[Shape], size: u64) -> Mode {
    let members = || record.fields.iter().zip(shapes);
    let in_memory = |(field, shape): (&Field, &Shape)| {
        field.bits.is_none() && shape.mode == Mode::Block && shape.size != Some(0)
    };
    if members().any(in_memory) {
        return Mode::Block;
    }
    let whole =
        members().find(|(field, shape)| field.bits.is_none() && shape.size == Some(size) && size != 0);
    match whole {
        Some((_, shape)) if record.kind == RecordKind::Struct => shape.mode,
        _ => Mode::of_integer(size),
    }
}
