//! The shapes of all types but structs and unions.

use super::integers::int_width;
use super::{Layouts, MAX_SIZE, Mode, Shape};
use crate::target::{Arch, Compiler, Target};
use crate::ty::{FloatKind, IntKind, Len, Quals, Type, TypeKind, Types};

/// gcc's `__BIGGEST_ALIGNMENT__` without AVX: `_Alignof` of a larger vector stays here.
const BIGGEST_ALIGN: u64 = 16;

/// What i386 gives 8-byte integers and `double` inside structs.
const NARROW_ALIGN: u64 = 4;

impl Shape {
    /// A scalar that is aligned to its size.
    const fn scalar(size: u64) -> Shape {
        Shape { size: Some(size), align: size, user_align: false, narrow: false, mode: Mode::Narrow }
    }

    /// The alignment of a member of this type that has no attribute of its own.
    pub(super) fn field_align(&self) -> u64 {
        if self.narrow && !self.user_align { self.align.min(NARROW_ALIGN) } else { self.align }
    }

    /// `_Alignof`.
    pub(super) fn min_align(&self, target: &Target) -> u64 {
        match target.compiler {
            Compiler::Gcc if !self.user_align => self.field_align().min(BIGGEST_ALIGN),
            _ => self.align,
        }
    }

    /// `__alignof__`.
    pub(super) fn preferred_align(&self, target: &Target) -> u64 {
        match target.compiler {
            Compiler::Clang if self.narrow && !self.user_align => self.align.max(8),
            _ => self.align,
        }
    }
}

impl Layouts {
    /// The shape of any type; `None` if it is an incomplete record or enumeration, or too large.
    pub(super) fn shape(&self, types: &Types, ty: Type) -> Option<Shape> {
        let shape = match types.variant(ty) {
            Some(variant) => {
                let base = self.nested(types, variant.base)?;
                match variant.align {
                    0 => base,
                    align => Shape { align: u64::from(align), user_align: true, ..base },
                }
            }
            None => self.unqualified_shape(types, ty)?,
        };
        Some(if ty.quals().contains(Quals::ATOMIC) { self.atomic(shape) } else { shape })
    }

    /// The shape of a part of a type; parts may be nested deeply.
    fn nested(&self, types: &Types, ty: Type) -> Option<Shape> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.shape(types, ty))
    }

    fn unqualified_shape(&self, types: &Types, ty: Type) -> Option<Shape> {
        let table = self.target.layout();
        let no_object = |align| Shape { size: None, mode: Mode::Block, align, ..Shape::scalar(1) };
        Some(match types.kind(ty) {
            TypeKind::Void => no_object(1),
            TypeKind::Function(_) => no_object(match self.target.compiler {
                Compiler::Gcc => 1,
                Compiler::Clang => 4,
            }),
            TypeKind::Bool => Shape::scalar(1),
            TypeKind::Int(kind) => self.int(kind),
            TypeKind::Float(kind) => self.float(kind),
            TypeKind::Pointer(_) => Shape::scalar(u64::from(table.pointer)),
            // What gcc says of an expression with a bit-field's own type: the smallest integer that holds it.
            TypeKind::Bits { width, .. } => {
                Shape::scalar(u64::from(width).div_ceil(8).checked_next_power_of_two()?)
            }
            TypeKind::Enum(id) => {
                let enumeration = &types.enums[id];
                if !enumeration.complete {
                    return None;
                }
                self.int(enumeration.underlying)
            }
            TypeKind::Complex(elem) => {
                let elem = self.nested(types, elem)?;
                Shape { size: Some(elem.size?.checked_mul(2)?), ..elem }
            }
            TypeKind::Vector { elem, lanes } => {
                let integer =
                    matches!(types.kind(elem), TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_));
                let bytes = self.nested(types, elem)?.size?.checked_mul(u64::from(lanes))?;
                let size = bytes.checked_next_power_of_two().filter(|&size| size <= MAX_SIZE)?;
                // Without a register of its size a vector of integers is held as one integer, any other in memory.
                let mode = match size {
                    16 => Mode::Wide,
                    8 if integer => Mode::Wide,
                    0..8 if integer => Mode::Narrow,
                    _ => Mode::Block,
                };
                Shape { size: Some(size), align: size, mode, ..Shape::scalar(1) }
            }
            TypeKind::Array { elem, len } => {
                let elem = match self.target.compiler {
                    // gcc qualifies an array after laying it out, so it misses the alignment `_Atomic` adds to its
                    // elements.
                    Compiler::Gcc if elem.quals().contains(Quals::ATOMIC) => {
                        let narrow = self.nested(types, elem)?.narrow;
                        Shape { narrow, ..self.nested(types, elem.bare())? }
                    }
                    _ => self.nested(types, elem)?,
                };
                let size = match len {
                    Len::Fixed(len) => match elem.size {
                        Some(size) => Some(size.checked_mul(len).filter(|&size| size <= MAX_SIZE)?),
                        None => None,
                    },
                    Len::Unknown | Len::Variable(_) | Len::Star => None,
                };
                let mode = match elem.mode {
                    Mode::Block => Mode::Block,
                    mode if size == elem.size => mode,
                    _ => Mode::of_integer(size.unwrap_or(0)),
                };
                Shape { size, mode, ..elem }
            }
            TypeKind::Record(id) => self.record_shape(types, id)?,
            // `kind` looks through variants.
            TypeKind::Variant(_) => return None,
        })
    }

    fn int(&self, kind: IntKind) -> Shape {
        let size = u64::from(int_width(&self.target, kind) / 8);
        if size == 8 { self.eight_bytes() } else { Shape::scalar(size) }
    }

    fn float(&self, kind: FloatKind) -> Shape {
        let table = self.target.layout();
        match kind {
            FloatKind::Float16 => Shape { mode: Mode::Wide, ..Shape::scalar(2) },
            FloatKind::Float | FloatKind::Float32 => Shape { mode: Mode::Wide, ..Shape::scalar(4) },
            FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => self.eight_bytes(),
            FloatKind::LongDouble | FloatKind::Float64x => Shape {
                align: u64::from(table.long_double_align),
                mode: Mode::Wide,
                ..Shape::scalar(u64::from(table.long_double))
            },
            FloatKind::Float128 => Shape { mode: Mode::Wide, ..Shape::scalar(16) },
        }
    }

    /// `long long`, `double` and whatever else i386 aligns differently inside structs.
    fn eight_bytes(&self) -> Shape {
        let narrow = self.target.arch == Arch::I386;
        let align = match self.target.compiler {
            Compiler::Gcc => 8,
            Compiler::Clang => u64::from(self.target.layout().field_align_8),
        };
        Shape { align, narrow, ..Shape::scalar(8) }
    }

    /// The shape of `_Atomic` of a type of this shape. gcc raises the alignment of what fits an atomic instruction;
    /// clang also pads other small types to the next power of two.
    fn atomic(&self, shape: Shape) -> Shape {
        let Some(size) = shape.size else { return shape };
        match self.target.compiler {
            Compiler::Gcc if matches!(size, 1 | 2 | 4 | 8 | 16) => {
                Shape { align: shape.align.max(size), narrow: false, ..shape }
            }
            Compiler::Gcc => shape,
            Compiler::Clang if size == 0 => Shape { size: Some(1), narrow: false, ..shape },
            Compiler::Clang if size <= u64::from(self.target.layout().atomic_promotion) => {
                let rounded = size.next_power_of_two();
                Shape { size: Some(rounded), align: rounded, narrow: false, ..shape }
            }
            Compiler::Clang => Shape { narrow: false, ..shape },
        }
    }
}

impl Mode {
    /// The mode of an aggregate of `size` bytes that is held as one integer if there is one of its size.
    pub(super) fn of_integer(size: u64) -> Mode {
        if matches!(size, 1 | 2 | 4 | 8) { Mode::Narrow } else { Mode::Block }
    }
}
