//! Types: interned, compared by identity, qualifiers at every level.
//!
//! Typedef names are not types here: a typedef is replaced by what it names, except where the name itself carries
//! something ([`TypeKind::Variant`]: an alignment, `may_alias`, or array bounds that must not be evaluated again).
//! Sizes are not stored either: they are a function of type and target (`layout`).

mod parts;
mod table;

pub(crate) use table::Cut;
pub use table::Types;

use crate::define_id;
use crate::source::Pos;
use crate::symbol::Symbol;
use std::fmt;
use std::num::NonZeroU32;

define_id! {
    /// A struct or union.
    RecordId;
    /// An enumeration.
    EnumId;
    /// A function type's signature.
    SignatureId;
    /// The bound of a variable length array: one evaluation of one size expression.
    VlaId;
}

/// A type: an entry of [`Types`] and the qualifiers on top of it. Types of one table are equal exactly when they
/// are the same type (use `compat` for C's compatibility).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type(NonZeroU32);

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Type#{}{:?}", self.index(), self.quals())
    }
}

const QUAL_BITS: u32 = 4;

impl Type {
    const fn basic(index: u32) -> Type {
        Type(NonZeroU32::new((index + 1) << QUAL_BITS).expect("index + 1 is not zero"))
    }

    fn index(self) -> usize {
        (self.0.get() >> QUAL_BITS) as usize - 1
    }

    /// The qualifiers at the top level. Those of an array are on its element type.
    #[inline]
    pub fn quals(self) -> Quals {
        Quals((self.0.get() & ((1 << QUAL_BITS) - 1)) as u8)
    }

    /// The same type without top-level qualifiers. Of an array type this removes nothing: see
    /// [`Types::unqualified`].
    #[inline]
    pub fn bare(self) -> Type {
        self.with(Quals::NONE)
    }

    #[inline]
    fn with(self, quals: Quals) -> Type {
        let bare = self.0.get() >> QUAL_BITS << QUAL_BITS;
        Type(NonZeroU32::new(bare | u32::from(quals.0)).expect("the index part is not zero"))
    }

    /// `void`.
    pub const VOID: Type = Type::basic(0);
    /// `_Bool`.
    pub const BOOL: Type = Type::basic(1);
    /// `char`.
    pub const CHAR: Type = Type::basic(2);
    /// `signed char`.
    pub const SCHAR: Type = Type::basic(3);
    /// `unsigned char`.
    pub const UCHAR: Type = Type::basic(4);
    /// `short`.
    pub const SHORT: Type = Type::basic(5);
    /// `unsigned short`.
    pub const USHORT: Type = Type::basic(6);
    /// `int`.
    pub const INT: Type = Type::basic(7);
    /// `unsigned`.
    pub const UINT: Type = Type::basic(8);
    /// `long`.
    pub const LONG: Type = Type::basic(9);
    /// `unsigned long`.
    pub const ULONG: Type = Type::basic(10);
    /// `long long`.
    pub const LLONG: Type = Type::basic(11);
    /// `unsigned long long`.
    pub const ULLONG: Type = Type::basic(12);
    /// `__int128`.
    pub const INT128: Type = Type::basic(13);
    /// `unsigned __int128`.
    pub const UINT128: Type = Type::basic(14);
    /// `float`.
    pub const FLOAT: Type = Type::basic(15);
    /// `double`.
    pub const DOUBLE: Type = Type::basic(16);
    /// `long double`.
    pub const LDOUBLE: Type = Type::basic(17);
    /// `_Float128` (`__float128`).
    pub const FLOAT128: Type = Type::basic(18);
    /// `_Float16`.
    pub const FLOAT16: Type = Type::basic(19);
    /// `_Float32`, distinct from `float`.
    pub const FLOAT32: Type = Type::basic(20);
    /// `_Float64`, distinct from `double`.
    pub const FLOAT64: Type = Type::basic(21);
    /// `_Float32x`, distinct from `double`.
    pub const FLOAT32X: Type = Type::basic(22);
    /// `_Float64x`, distinct from `long double`.
    pub const FLOAT64X: Type = Type::basic(23);
}

/// The kinds of the types at the fixed places above, in their order.
const BASIC: [TypeKind; 24] = [
    TypeKind::Void,
    TypeKind::Bool,
    TypeKind::Int(IntKind::Char),
    TypeKind::Int(IntKind::SChar),
    TypeKind::Int(IntKind::UChar),
    TypeKind::Int(IntKind::Short),
    TypeKind::Int(IntKind::UShort),
    TypeKind::Int(IntKind::Int),
    TypeKind::Int(IntKind::UInt),
    TypeKind::Int(IntKind::Long),
    TypeKind::Int(IntKind::ULong),
    TypeKind::Int(IntKind::LLong),
    TypeKind::Int(IntKind::ULLong),
    TypeKind::Int(IntKind::Int128),
    TypeKind::Int(IntKind::UInt128),
    TypeKind::Float(FloatKind::Float),
    TypeKind::Float(FloatKind::Double),
    TypeKind::Float(FloatKind::LongDouble),
    TypeKind::Float(FloatKind::Float128),
    TypeKind::Float(FloatKind::Float16),
    TypeKind::Float(FloatKind::Float32),
    TypeKind::Float(FloatKind::Float64),
    TypeKind::Float(FloatKind::Float32x),
    TypeKind::Float(FloatKind::Float64x),
];

/// A set of qualifiers. `_Atomic` counts as one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Quals(u8);

impl Quals {
    /// No qualifier.
    pub const NONE: Quals = Quals(0);
    /// `const`.
    pub const CONST: Quals = Quals(1);
    /// `volatile`.
    pub const VOLATILE: Quals = Quals(2);
    /// `restrict`.
    pub const RESTRICT: Quals = Quals(4);
    /// `_Atomic`.
    pub const ATOMIC: Quals = Quals(8);

    /// Whether every qualifier of `other` is here too.
    #[inline]
    pub fn contains(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of either.
    #[inline]
    pub fn union(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }

    /// Those here that are not in `other`.
    #[inline]
    pub fn minus(self, other: Quals) -> Quals {
        Quals(self.0 & !other.0)
    }
}

impl fmt::Debug for Quals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (flag, name) in [
            (Quals::CONST, " const"),
            (Quals::VOLATILE, " volatile"),
            (Quals::RESTRICT, " restrict"),
            (Quals::ATOMIC, " _Atomic"),
        ] {
            if self.contains(flag) {
                f.write_str(name)?;
            }
        }
        Ok(())
    }
}

/// The shape of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// A standard integer type, `char` or `__int128`.
    Int(IntKind),
    /// A real floating type.
    Float(FloatKind),
    /// `_Complex` of an unqualified real type (integers too, as GNU C has them).
    Complex(Type),
    /// A GNU vector.
    Vector {
        /// The unqualified element type.
        elem: Type,
        /// How many elements.
        lanes: u32,
    },
    /// A pointer to this type.
    Pointer(Type),
    /// An array.
    Array {
        /// The element type, with the array's qualifiers.
        elem: Type,
        /// The bound.
        len: Len,
    },
    /// A function.
    Function(SignatureId),
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// The type gcc gives a bit-field whose width is that of no standard type (`unsigned long long b : 40`).
    /// Expressions have it; nothing can be declared with it.
    Bits {
        /// The width in bits.
        width: u8,
        /// Whether it is signed.
        signed: bool,
    },
    /// Another name for `base` that carries something of its own. [`Types::kind`] looks through it.
    Variant(VariantId),
}

define_id! {
    /// A [`Variant`].
    VariantId;
}

/// A typedef that is more than a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    /// What it stands for.
    pub base: Type,
    /// An alignment in bytes that replaces the base's own, or 0.
    pub align: u32,
    /// `__attribute__((may_alias))`.
    pub may_alias: bool,
    /// The typedef's name if the base's array bounds were evaluated at its declaration.
    pub name: Option<Symbol>,
}

/// The bound of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Len {
    /// `[]`: incomplete, or a flexible array member.
    Unknown,
    /// A constant number of elements; 0 is a GNU extension.
    Fixed(u64),
    /// Evaluated at run time.
    Variable(VlaId),
    /// `[*]`, and any variable bound in a declaration that is not a definition.
    Star,
}

/// The integer types with keywords of their own, except `_Bool`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntKind {
    /// `char`, whose sign is the target's.
    Char,
    /// `signed char`.
    SChar,
    /// `unsigned char`.
    UChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UShort,
    /// `int`.
    Int,
    /// `unsigned`.
    UInt,
    /// `long`.
    Long,
    /// `unsigned long`.
    ULong,
    /// `long long`.
    LLong,
    /// `unsigned long long`.
    ULLong,
    /// `__int128`.
    Int128,
    /// `unsigned __int128`.
    UInt128,
}

impl IntKind {
    /// Whether it is a character type (C17 6.2.5p15).
    #[inline]
    pub const fn is_character(self) -> bool {
        matches!(self, IntKind::Char | IntKind::SChar | IntKind::UChar)
    }

    /// The type of this kind.
    #[inline]
    pub fn ty(self) -> Type {
        Type::basic(Type::CHAR.index() as u32 + self as u32)
    }
}

/// The real floating types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `long double`, x87's 80 bits on both targets.
    LongDouble,
    /// `_Float128`.
    Float128,
    /// `_Float16`.
    Float16,
    /// `_Float32`.
    Float32,
    /// `_Float64`.
    Float64,
    /// `_Float32x`, the format of double.
    Float32x,
    /// `_Float64x`, the format of long double.
    Float64x,
}

impl FloatKind {
    /// The type of this kind.
    #[inline]
    pub fn ty(self) -> Type {
        Type::basic(Type::FLOAT.index() as u32 + self as u32)
    }
}

/// A function type's return type and parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// What it returns.
    pub ret: Type,
    /// The parameters' types after adjustment, without top-level qualifiers. Empty without a prototype.
    pub params: Box<[Type]>,
    /// Ends in `...`.
    pub variadic: bool,
    /// Has a prototype; `int f()` and K&R definitions have none.
    pub prototype: bool,
}

/// Struct or union.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    /// `struct`.
    Struct,
    /// `union`.
    Union,
}

/// A struct or union type.
#[derive(Clone, Debug)]
pub struct Record {
    /// Struct or union.
    pub kind: RecordKind,
    /// The tag, unique in its translation unit. Only the type of an anonymous member has none.
    pub tag: Option<Symbol>,
    /// The tag in the source, which may be that of other types of the unit, or none.
    pub written: Option<Symbol>,
    /// The unit it belongs to, as an index into [`Program::units`](crate::program::Program::units).
    pub unit: u32,
    /// The members in order, unnamed bit-fields included. Empty while incomplete.
    pub fields: Vec<Field>,
    /// Whether the member list has been seen.
    pub complete: bool,
    /// `__attribute__((packed))` on the whole.
    pub packed: bool,
    /// `__attribute__((aligned(n)))` on the whole, or 0.
    pub align: u32,
    /// The `#pragma pack` value in force at the definition, or 0.
    pub pack: u8,
    /// `__attribute__((transparent_union))`.
    pub transparent: bool,
    /// `__attribute__((may_alias))`.
    pub may_alias: bool,
    /// Whether it is the struct that `__builtin_va_list` is an array of: it has no name in C.
    pub va_list_tag: bool,
    /// Where it was defined, or first named.
    pub pos: Pos,
}

impl Record {
    /// A struct or union whose members are not known yet, with a tag that its unit has for itself and without attributes.
    pub fn new(kind: RecordKind, tag: Option<Symbol>, unit: u32) -> Record {
        Record {
            kind,
            tag,
            written: tag,
            unit,
            fields: Vec::new(),
            complete: false,
            packed: false,
            align: 0,
            pack: 0,
            transparent: false,
            may_alias: false,
            va_list_tag: false,
            pos: Pos::NONE,
        }
    }

    /// The same, complete with these members.
    pub fn with(self, fields: Vec<Field>) -> Record {
        Record { fields, complete: true, ..self }
    }
}

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name; an unnamed bit-field and an anonymous struct or union have none.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: Type,
    /// The width if it is a bit-field.
    pub bits: Option<u8>,
    /// `aligned(n)` or `_Alignas` on the member, or 0.
    pub align: u32,
    /// `__attribute__((packed))` on the member.
    pub packed: bool,
    /// Where it was declared.
    pub pos: Pos,
}

impl Field {
    /// A member that is no bit-field and has no attributes.
    pub fn new(name: Option<Symbol>, ty: Type) -> Field {
        Field { name, ty, bits: None, align: 0, packed: false, pos: Pos::NONE }
    }
}

define_id! {
    /// An enumeration constant.
    EnumeratorId;
}

/// An enumerated type.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The tag, unique in its translation unit.
    pub tag: Symbol,
    /// The tag in the source, which may be that of other types of the unit, or none.
    pub written: Option<Symbol>,
    /// The unit it belongs to, as an index into [`Program::units`](crate::program::Program::units).
    pub unit: u32,
    /// The constants in order.
    pub constants: Vec<EnumeratorId>,
    /// Whether the list has been seen.
    pub complete: bool,
    /// `__attribute__((packed))`: the smallest integer type that fits.
    pub packed: bool,
    /// The compatible integer type.
    pub underlying: IntKind,
    /// Where it was defined, or first named.
    pub pos: Pos,
}

/// An enumeration constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumerator {
    /// Its name.
    pub name: Symbol,
    /// Its value.
    pub value: i128,
    /// Its type as an expression: `int` unless the value does not fit.
    pub ty: Type,
    /// Whether the source gave the value (`A = 3`): the printer writes those.
    pub explicit: bool,
    /// Where it was declared.
    pub pos: Pos,
}
