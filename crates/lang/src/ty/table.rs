//! The table of types: each is made once.

use super::{
    BASIC, Enum, EnumId, Enumerator, EnumeratorId, Len, QUAL_BITS, Quals, Record, RecordId, Signature,
    SignatureId, Type, TypeKind, Variant, VariantId, VlaId,
};
use crate::id::{Arena, Id};
use crate::program::ExprId;
use crate::symbol::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Structs and unions that are known to have no `const` member, wherever it may be inside.
    pub(crate) without_const: FxHashSet<RecordId>,
}

/// How many types there were.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    kinds: usize,
    signatures: usize,
    variants: usize,
    records: usize,
    enums: usize,
    enumerators: usize,
    vlas: usize,
    untagged: usize,
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
            without_const: FxHashSet::default(),
            vlas: Arena::new(),
        }
    }

    /// How many types there are, for [`Types::cut_back`].
    pub(crate) fn cut(&self) -> Cut {
        Cut {
            kinds: self.kinds.len(),
            signatures: self.signatures.len(),
            variants: self.variants.len(),
            records: self.records.len(),
            enums: self.enums.len(),
            enumerators: self.enumerators.len(),
            vlas: self.vlas.len(),
            untagged: self.untagged.len(),
        }
    }

    /// Forgets the types that were added since, if those before are what they were.
    pub(crate) fn cut_back(&mut self, cut: &Cut) {
        for kind in self.kinds.drain(cut.kinds..) {
            self.ids.remove(&kind);
        }
        self.shapes.truncate(cut.kinds);
        self.pointers.truncate(cut.kinds);
        let gone = |ty: Type| ty.index() >= cut.kinds;
        for known in self.pointers.iter_mut() {
            *known = known.filter(|&(to, pointer)| !gone(to) && !gone(pointer));
        }
        for index in cut.signatures..self.signatures.len() {
            self.signature_ids.remove(&self.signatures[SignatureId::from_index(index)]);
        }
        for index in cut.variants..self.variants.len() {
            self.variant_ids.remove(&self.variants[VariantId::from_index(index)]);
        }
        self.signatures.truncate(cut.signatures);
        self.variants.truncate(cut.variants);
        self.records.truncate(cut.records);
        self.enums.truncate(cut.enums);
        self.enumerators.truncate(cut.enumerators);
        self.vlas.truncate(cut.vlas);
        if self.untagged.len() > cut.untagged {
            self.untagged.retain(|&ty, _| !gone(ty));
        }
        self.without_const.retain(|record| record.index() < cut.records);
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
    /// `build` checks when it makes a derived type of what somebody else says.
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

    /// The type of this kind without qualifiers, if it was made.
    pub fn known(&self, kind: TypeKind) -> Option<Type> {
        self.ids.get(&kind).map(|&index| Type::basic(index))
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
            // The elements of an array with a variant around it have theirs inside the variant.
            TypeKind::Variant(id) => {
                let variant = self.variants[id];
                let base = self.unqualified(variant.base);
                if base == variant.base { ty.bare() } else { self.make_variant(Variant { base, ..variant }) }
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
    use crate::ty::{FloatKind, IntKind};

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
    fn qualifiers_inside_a_variant_are_found_and_removed() {
        let mut types = Types::new();
        let array = types.array(Type::INT, Len::Fixed(3));
        let aligned = |base| Variant { base, align: 16, may_alias: false, name: None };
        let plain = types.make_variant(aligned(array));
        let constant = types.qualified(plain, Quals::CONST);
        assert_ne!(constant, plain);
        assert_eq!(types.quals(constant), Quals::CONST);
        assert_eq!(types.unqualified(constant), plain);
        assert_eq!(types.unqualified(plain), plain);
        // An array of such arrays, and of qualified variants of scalars.
        let (outer, bare) = (types.array(constant, Len::Fixed(2)), types.array(plain, Len::Fixed(2)));
        assert_eq!(types.unqualified(outer), bare);
        let scalar = types.make_variant(aligned(Type::INT));
        let volatile = types.qualified(scalar, Quals::VOLATILE);
        let (outer, bare) = (types.array(volatile, Len::Fixed(2)), types.array(scalar, Len::Fixed(2)));
        assert_eq!(types.quals(outer), Quals::VOLATILE);
        assert_eq!(types.unqualified(outer), bare);
        let atomic = types.qualified(Type::INT, Quals::ATOMIC);
        let atomic = types.make_variant(aligned(atomic));
        assert_eq!(types.unqualified(atomic), scalar);
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
