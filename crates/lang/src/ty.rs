//! Types: interned, compared by identity, qualifiers at every level.
//!
//! Typedef names are not types here: a typedef is replaced by what it names, except where the name itself carries
//! something ([`TypeKind::Variant`]: an alignment, `may_alias`, or array bounds that must not be evaluated again).
//! Sizes are not stored either: they are a function of type and target (`layout`).

use crate::define_id;
use crate::id::Arena;
use crate::program::ExprId;
use crate::source::Pos;
use crate::symbol::Symbol;
use rustc_hash::FxHashMap;
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
    /// `__attribute__((ms_struct))` or its opposite is not modelled; this is `__builtin_va_list`'s own struct.
    pub va_list_tag: bool,
    /// Where it was defined, or first named.
    pub pos: Pos,
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

define_id! {
    /// An enumeration constant.
    EnumeratorId;
}

/// An enumerated type.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The tag, unique in its translation unit.
    pub tag: Symbol,
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

/// What is known of a type from its parts, kept because asking again would walk them.
#[derive(Clone, Copy)]
struct Shape {
    /// How many derivations deep.
    depth: u32,
    /// How many types its spelling names, counted each time.
    weight: u32,
    variably_modified: bool,
}

impl Shape {
    const LEAF: Shape = Shape { depth: 1, weight: 1, variably_modified: false };

    fn over(self, parts: impl IntoIterator<Item = Shape>) -> Shape {
        parts.into_iter().fold(self, |all, part| Shape {
            depth: all.depth.max(part.depth.saturating_add(1)),
            weight: all.weight.saturating_add(part.weight),
            variably_modified: all.variably_modified || part.variably_modified,
        })
    }
}

/// The table of all types of a program.
#[derive(Clone)]
pub struct Types {
    kinds: Vec<TypeKind>,
    shapes: Vec<Shape>,
    /// For each type the pointee and the pointer asked for last: every `&` and every decay asks.
    pointers: Vec<Option<(Type, Type)>>,
    ids: FxHashMap<TypeKind, u32>,
    signatures: Arena<SignatureId, Signature>,
    signature_ids: FxHashMap<Signature, SignatureId>,
    variants: Arena<VariantId, Variant>,
    variant_ids: FxHashMap<Variant, VariantId>,
    /// Structs and unions.
    pub records: Arena<RecordId, Record>,
    /// Enumerations.
    pub enums: Arena<EnumId, Enum>,
    /// Enumeration constants.
    pub enumerators: Arena<EnumeratorId, Enumerator>,
    /// The typedef that names a struct, union or enumeration whose text has no tag: the tag it has here is made up, and
    /// where its definition stays in a header only this name can be written.
    pub untagged: FxHashMap<Type, Symbol>,
    /// The size expression of each variable bound; evaluated once, where its declaration is reached.
    pub vlas: Arena<VlaId, ExprId>,
}

impl Default for Types {
    fn default() -> Self {
        Self::new()
    }
}

impl Types {
    /// A table with the basic types only.
    pub fn new() -> Types {
        let ids = BASIC.iter().zip(0..).map(|(&kind, index)| (kind, index)).collect();
        Types {
            kinds: BASIC.to_vec(),
            shapes: vec![Shape::LEAF; BASIC.len()],
            pointers: vec![None; BASIC.len()],
            ids,
            signatures: Arena::new(),
            signature_ids: FxHashMap::default(),
            variants: Arena::new(),
            variant_ids: FxHashMap::default(),
            records: Arena::new(),
            enums: Arena::new(),
            enumerators: Arena::new(),
            untagged: FxHashMap::default(),
            vlas: Arena::new(),
        }
    }

    fn intern(&mut self, kind: TypeKind) -> Type {
        let next = self.kinds.len() as u32;
        let index = *self.ids.entry(kind).or_insert(next);
        if index == next {
            assert!(next < u32::MAX >> (QUAL_BITS + 1), "fewer than 2^27 types");
            self.shapes.push(self.shape_of(kind));
            self.kinds.push(kind);
            self.pointers.push(None);
        }
        Type::basic(index)
    }

    fn shape_of(&self, kind: TypeKind) -> Shape {
        let shape = |ty: Type| self.shapes[ty.index()];
        match kind {
            TypeKind::Pointer(to) => Shape::LEAF.over([shape(to)]),
            TypeKind::Array { elem, len } => {
                let variably_modified = matches!(len, Len::Variable(_) | Len::Star);
                Shape { variably_modified, ..Shape::LEAF }.over([shape(elem)])
            }
            TypeKind::Function(id) => {
                let signature = &self.signatures[id];
                let params =
                    signature.params.iter().map(|&param| Shape { variably_modified: false, ..shape(param) });
                Shape::LEAF.over(params).over([shape(signature.ret)])
            }
            TypeKind::Complex(elem) | TypeKind::Vector { elem, .. } => Shape::LEAF.over([shape(elem)]),
            TypeKind::Variant(id) => Shape::LEAF.over([shape(self.variants[id].base)]),
            _ => Shape::LEAF,
        }
    }

    /// Whether `ty` is too deep or too long to work with: everything that walks a type relies on this bound, which
    /// the front end and generators check when they make a derived type.
    pub fn is_oversized(&self, ty: Type) -> bool {
        let shape = self.shapes[ty.index()];
        shape.depth > 1_000 || shape.weight > 100_000
    }

    /// How many types the spelling of `ty` names, counted each time.
    pub fn weight(&self, ty: Type) -> u32 {
        self.shapes[ty.index()].weight
    }

    /// The shape of `ty`, looking through variants. Qualifiers are `ty.quals()`.
    #[inline]
    pub fn kind(&self, ty: Type) -> TypeKind {
        match self.kinds[ty.index()] {
            TypeKind::Variant(id) => self.kind_of_variant(id),
            kind => kind,
        }
    }

    /// Apart, so that [`Types::kind`] is small where it is inlined.
    #[cold]
    fn kind_of_variant(&self, id: VariantId) -> TypeKind {
        self.kind(self.variants[id].base)
    }

    /// The variant `ty` is, if it is one.
    #[inline]
    pub fn variant(&self, ty: Type) -> Option<&Variant> {
        match self.kinds[ty.index()] {
            TypeKind::Variant(id) => Some(&self.variants[id]),
            _ => None,
        }
    }

    /// `ty` with any variant at its top level replaced by its base (qualifiers of both kept).
    #[inline]
    pub fn strip(&self, ty: Type) -> Type {
        match self.kinds[ty.index()] {
            TypeKind::Variant(id) => self.base_of_variant(id, ty.quals()),
            _ => ty,
        }
    }

    /// Apart, so that [`Types::strip`] is small where it is inlined.
    #[cold]
    fn base_of_variant(&self, id: VariantId, quals: Quals) -> Type {
        let base = self.strip(self.variants[id].base);
        base.with(base.quals().union(quals))
    }

    /// A variant of `base`. `_Atomic` stays with the base: an alignment that replaces the base's own replaces what
    /// `_Atomic` made of it. Other qualifiers are the result's, so that variants that differ in these only are one.
    pub fn make_variant(&mut self, variant: Variant) -> Type {
        let quals = variant.base.quals();
        let outer = quals.minus(Quals::ATOMIC);
        let bare = Variant { base: variant.base.with(quals.minus(outer)), ..variant };
        let id = match self.variant_ids.get(&bare) {
            Some(&id) => id,
            None => {
                let id = self.variants.push(bare);
                self.variant_ids.insert(bare, id);
                id
            }
        };
        self.intern(TypeKind::Variant(id)).with(outer)
    }

    /// A pointer to `to`.
    #[inline]
    pub fn pointer(&mut self, to: Type) -> Type {
        // The slot is the type's without qualifiers; those must agree as well.
        if let Some((known, pointer)) = self.pointers[to.index()]
            && known == to
        {
            return pointer;
        }
        let pointer = self.intern(TypeKind::Pointer(to));
        self.pointers[to.index()] = Some((to, pointer));
        pointer
    }

    /// An array of `elem`.
    pub fn array(&mut self, elem: Type, len: Len) -> Type {
        self.intern(TypeKind::Array { elem, len })
    }

    /// A vector of `lanes` elements.
    pub fn vector(&mut self, elem: Type, lanes: u32) -> Type {
        self.intern(TypeKind::Vector { elem: elem.bare(), lanes })
    }

    /// `_Complex elem`.
    pub fn complex(&mut self, elem: Type) -> Type {
        self.intern(TypeKind::Complex(elem.bare()))
    }

    /// gcc's type for a bit-field of an unusual width.
    pub fn bits(&mut self, width: u8, signed: bool) -> Type {
        self.intern(TypeKind::Bits { width, signed })
    }

    /// A function type.
    pub fn function(&mut self, signature: Signature) -> Type {
        let id = match self.signature_ids.get(&signature) {
            Some(&id) => id,
            None => {
                let id = self.signatures.push(signature.clone());
                self.signature_ids.insert(signature, id);
                id
            }
        };
        self.intern(TypeKind::Function(id))
    }

    /// The type of a struct or union.
    pub fn record(&mut self, id: RecordId) -> Type {
        self.intern(TypeKind::Record(id))
    }

    /// The type of an enumeration.
    pub fn enumeration(&mut self, id: EnumId) -> Type {
        self.intern(TypeKind::Enum(id))
    }

    /// A signature's contents.
    #[inline]
    pub fn signature(&self, id: SignatureId) -> &Signature {
        &self.signatures[id]
    }

    /// `ty` with `quals` added; on an array they go to the element (C17 6.7.3p9).
    pub fn qualified(&mut self, ty: Type, quals: Quals) -> Type {
        if quals.is_empty() {
            return ty;
        }
        match self.kinds[ty.index()] {
            TypeKind::Array { elem, len } => {
                let elem = self.qualified(elem, quals);
                self.array(elem, len)
            }
            TypeKind::Variant(id) if matches!(self.kind(ty), TypeKind::Array { .. }) => {
                let variant = self.variants[id];
                let base = self.qualified(variant.base, quals);
                self.make_variant(Variant { base, ..variant })
            }
            _ => ty.with(ty.quals().union(quals)),
        }
    }

    /// `ty` without qualifiers, those of array elements included.
    pub fn unqualified(&mut self, ty: Type) -> Type {
        match self.kinds[ty.index()] {
            TypeKind::Array { elem, len } => {
                let bare = self.unqualified(elem);
                if bare == elem { ty } else { self.array(bare, len) }
            }
            _ => ty.bare(),
        }
    }

    /// Whether `ty` is an integer type: `_Bool`, enumerations and gcc's bit-field types included.
    #[inline]
    pub fn is_integer(&self, ty: Type) -> bool {
        matches!(self.kind(ty), TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Bits { .. })
    }

    /// Whether `ty` is a real floating type.
    #[inline]
    pub fn is_float(&self, ty: Type) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_))
    }

    /// Whether `ty` is an integer or real floating type.
    #[inline]
    pub fn is_real(&self, ty: Type) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    /// Whether `ty` is arithmetic: real or complex.
    #[inline]
    pub fn is_arithmetic(&self, ty: Type) -> bool {
        self.is_real(ty) || matches!(self.kind(ty), TypeKind::Complex(_))
    }

    /// Whether `ty` is arithmetic or a pointer.
    #[inline]
    pub fn is_scalar(&self, ty: Type) -> bool {
        self.is_arithmetic(ty) || self.pointee(ty).is_some()
    }

    /// What `ty` points to, if it is a pointer.
    #[inline]
    pub fn pointee(&self, ty: Type) -> Option<Type> {
        match self.kind(ty) {
            TypeKind::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// Whether `ty` is `void`, qualified or not.
    #[inline]
    pub fn is_void(&self, ty: Type) -> bool {
        matches!(self.kind(ty), TypeKind::Void)
    }

    /// Whether `ty` is a function type.
    #[inline]
    pub fn is_function(&self, ty: Type) -> bool {
        matches!(self.kind(ty), TypeKind::Function(_))
    }

    /// The record `ty` is, if it is one.
    #[inline]
    pub fn as_record(&self, ty: Type) -> Option<RecordId> {
        match self.kind(ty) {
            TypeKind::Record(id) => Some(id),
            _ => None,
        }
    }

    /// Whether the size of `ty` is known here (C17 6.2.5p1): not `void`, not a function, no unknown bound, no struct
    /// without its members.
    #[inline]
    pub fn is_complete(&self, ty: Type) -> bool {
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => false,
            TypeKind::Array { elem, len } => len != Len::Unknown && self.is_complete(elem),
            TypeKind::Record(id) => self.records[id].complete,
            TypeKind::Enum(id) => self.enums[id].complete,
            _ => true,
        }
    }

    /// Whether `ty` has a variable bound somewhere (C17 6.7.6p3).
    pub fn is_variably_modified(&self, ty: Type) -> bool {
        self.shapes[ty.index()].variably_modified
    }

    /// Whether an object of type `ty` has a size only known at run time.
    pub fn is_vla(&self, ty: Type) -> bool {
        match self.kind(ty) {
            TypeKind::Array { elem, len } => matches!(len, Len::Variable(_) | Len::Star) || self.is_vla(elem),
            _ => false,
        }
    }

    /// The qualifiers that apply to an object of type `ty`: an array has its elements'.
    pub fn quals(&self, ty: Type) -> Quals {
        match self.kind(ty) {
            TypeKind::Array { elem, .. } => ty.quals().union(self.quals(elem)),
            _ => self.strip(ty).quals(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_types_are_identical() {
        let mut types = Types::new();
        let a = types.pointer(Type::INT);
        let b = types.pointer(Type::INT);
        assert_eq!(a, b);
        let constant = types.qualified(Type::INT, Quals::CONST);
        assert_ne!(types.pointer(constant), a);
        assert_eq!(constant.bare(), Type::INT);
        assert_eq!(IntKind::ULLong.ty(), Type::ULLONG);
        assert_eq!(FloatKind::Float64x.ty(), Type::FLOAT64X);
    }

    #[test]
    fn qualifiers_of_an_array_are_its_elements() {
        let mut types = Types::new();
        let array = types.array(Type::INT, Len::Fixed(3));
        let constant = types.qualified(array, Quals::CONST);
        assert!(constant.quals().is_empty());
        assert_eq!(types.quals(constant), Quals::CONST);
        assert_eq!(types.unqualified(constant), array);
    }

    #[test]
    fn a_variant_is_looked_through() {
        let mut types = Types::new();
        let variant = Variant { base: Type::INT, align: 1, may_alias: false, name: None };
        let ty = types.make_variant(variant);
        assert_ne!(ty, Type::INT);
        assert_eq!(types.kind(ty), TypeKind::Int(IntKind::Int));
        assert_eq!(types.strip(ty), Type::INT);
    }
}
