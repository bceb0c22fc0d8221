//! Structs, unions, enumerations and derived types.

use super::{Composed, Composer, refuse};
use crate::build::{self, BadType};
use crate::program::{Item, Program, StmtId, StmtKind};
use crate::source::Pos;
use crate::target::Edition;
use crate::ty::{
    Enum, EnumId, Enumerator, EnumeratorId, Field, IntKind, Len, Quals, Record, RecordId, RecordKind, Type,
    TypeKind,
};

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// Its name; none for an unnamed bit-field and for an anonymous struct or union.
    pub name: Option<&'a str>,
    /// Its type.
    pub ty: Type,
    /// The width if it is a bit-field.
    pub bits: Option<u8>,
    /// `__attribute__((aligned(n)))`, or 0.
    pub align: u32,
    /// `__attribute__((packed))`.
    pub packed: bool,
}

impl<'a> Member<'a> {
    /// A plain member.
    pub fn new(name: &'a str, ty: Type) -> Member<'a> {
        Member { name: Some(name), ty, bits: None, align: 0, packed: false }
    }

    /// A bit-field.
    pub fn bits(name: &'a str, ty: Type, width: u8) -> Member<'a> {
        Member { bits: Some(width), ..Member::new(name, ty) }
    }

    /// A bit-field without a name: padding, or with the width 0 the end of a unit.
    pub fn padding(ty: Type, width: u8) -> Member<'a> {
        Member { name: None, ..Member::bits("", ty, width) }
    }

    /// A struct or union without a name, made by [`Composer::anonymous`]: its members are those of what is around it.
    pub fn anonymous(ty: Type) -> Member<'a> {
        Member { name: None, ..Member::new("", ty) }
    }
}

/// What can be said of a struct or union besides its members.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// `__attribute__((packed))`.
    pub packed: bool,
    /// `__attribute__((aligned(n)))`, or 0.
    pub align: u32,
    /// `#pragma pack(n)`, or 0.
    pub pack: u8,
}

impl Composer {
    /// A pointer to a type.
    ///
    /// # Errors
    /// It is derived too often.
    pub fn pointer(&mut self, to: Type) -> Composed<Type> {
        let made = build::pointer_to(&mut self.program, to);
        self.made(made)
    }

    /// An array with so many elements.
    ///
    /// # Errors
    /// It has none, is too large, or its elements have no size.
    pub fn array(&mut self, elem: Type, len: u64) -> Composed<Type> {
        if len == 0 {
            return refuse("ISO C forbids zero-size array");
        }
        if self.has_flexible(elem) {
            return refuse("invalid use of structure with flexible array member");
        }
        let made = build::array_of(&mut self.program, elem, Len::Fixed(len));
        self.made(made)
    }

    /// An array without a bound, for the last member of a struct.
    ///
    /// # Errors
    /// Its elements have no size.
    pub fn flexible(&mut self, elem: Type) -> Composed<Type> {
        let made = build::array_of(&mut self.program, elem, Len::Unknown);
        self.made(made)
    }

    /// A type with qualifiers.
    pub fn qualified(&mut self, ty: Type, quals: Quals) -> Type {
        self.program.types.qualified(ty, quals)
    }

    /// The type of functions with these parameters.
    ///
    /// # Errors
    /// It returns what no function returns.
    pub fn function_type(&mut self, ret: Type, params: &[Type]) -> Composed<Type> {
        let made = build::function_returning(&mut self.program, super::signature(ret, params));
        self.made(made)
    }

    /// A GNU vector.
    ///
    /// # Errors
    /// The element is no integer or real type, or the size of the whole no power of two.
    pub fn vector(&mut self, elem: Type, lanes: u32) -> Composed<Type> {
        vector(&mut self.program, elem, lanes)
    }

    /// The members of a struct or union: name, type, width if it is a bit-field. Nothing of any other type.
    pub fn members(&self, ty: Type) -> Vec<(Option<&str>, Type, Option<u8>)> {
        let types = &self.program.types;
        let Some(id) = types.as_record(ty) else { return Vec::new() };
        let shown = |field: &Field| (field.name, field.ty, field.bits);
        let fields = types.records[id].fields.iter().map(shown);
        fields.map(|(name, ty, bits)| (name.map(|name| self.program.name(name)), ty, bits)).collect()
    }

    fn made(&self, made: Result<Type, BadType>) -> Composed<Type> {
        made.or_else(|bad| refuse(bad.message(&self.program, None)))
    }

    /// Defines a struct or union at file scope.
    ///
    /// # Errors
    /// The constraint that its members violate.
    pub fn record(&mut self, kind: RecordKind, tag: &str, members: &[Member]) -> Composed<Type> {
        self.shaped_record(kind, tag, members, Shape::default())
    }

    /// The same with a shape.
    ///
    /// # Errors
    /// The constraint that its members violate.
    pub fn shaped_record(
        &mut self,
        kind: RecordKind,
        tag: &str,
        members: &[Member],
        shape: Shape,
    ) -> Composed<Type> {
        let id = self.new_record(kind, Some(tag));
        let ty = self.program.types.record(id);
        self.fill(id, members, shape)?;
        self.item(Item::Record(id));
        Ok(ty)
    }

    /// A struct or union in a block, and the statement that defines it.
    ///
    /// # Errors
    /// The constraint that its members violate.
    pub fn local_record(
        &mut self,
        kind: RecordKind,
        tag: &str,
        members: &[Member],
    ) -> Composed<(Type, StmtId)> {
        let id = self.new_record(kind, Some(tag));
        let ty = self.program.types.record(id);
        self.fill(id, members, Shape::default())?;
        Ok((ty, self.stmt(StmtKind::Item(Item::Record(id)))))
    }

    /// Declares a struct or union at file scope whose members come later: what points to itself needs that.
    pub fn incomplete(&mut self, kind: RecordKind, tag: &str) -> Type {
        let id = self.new_record(kind, Some(tag));
        self.item(Item::RecordTag(id));
        self.program.types.record(id)
    }

    /// Gives a struct or union its members, at file scope.
    ///
    /// # Errors
    /// It has them already, or the constraint that they violate.
    pub fn complete(&mut self, ty: Type, members: &[Member], shape: Shape) -> Composed<()> {
        let Some(id) = self.program.types.as_record(ty) else {
            return refuse("only a struct or union has members");
        };
        if self.program.types.records[id].complete {
            return refuse("redefinition of a struct or union");
        }
        self.fill(id, members, shape)?;
        self.item(Item::Record(id));
        Ok(())
    }

    /// A struct or union without a tag, for [`Member::anonymous`] only, and once.
    ///
    /// # Errors
    /// The constraint that its members violate.
    pub fn anonymous(&mut self, kind: RecordKind, members: &[Member]) -> Composed<Type> {
        if self.program.target.std.edition < Edition::C11 {
            return refuse("ISO C99 doesn't support unnamed structs/unions");
        }
        let id = self.new_record(kind, None);
        let ty = self.program.types.record(id);
        self.fill(id, members, Shape::default())?;
        Ok(ty)
    }

    pub(crate) fn new_record(&mut self, kind: RecordKind, tag: Option<&str>) -> RecordId {
        let tag = tag.map(|tag| self.program.symbols.intern(tag));
        let unit = self.current();
        self.program.types.records.push(Record::new(kind, tag, unit))
    }

    /// Sets the members, or leaves the record as it was.
    pub(crate) fn fill(&mut self, id: RecordId, members: &[Member], shape: Shape) -> Composed<()> {
        let kind = self.program.types.records[id].kind;
        let mut fields = Vec::with_capacity(members.len());
        for member in members {
            let name = member.name.map(|name| self.program.symbols.intern(name));
            let Member { ty, bits, align, packed, .. } = *member;
            let field = Field { name, ty, bits, align, packed, pos: Pos::NONE };
            self.check_member(kind, &field)?;
            fields.push(field);
        }
        if !fields.iter().any(|field| field.name.is_some() || field.bits.is_none()) {
            return refuse("a struct or union has no named members");
        }
        if !good_align(shape.align) || !matches!(shape.pack, 0 | 1 | 2 | 4 | 8 | 16) {
            return refuse("alignment is not a small power of 2");
        }
        let before = self.program.types.records[id].clone();
        let record = &mut self.program.types.records[id];
        (record.fields, record.complete) = (fields, true);
        (record.packed, record.align, record.pack) = (shape.packed, shape.align, shape.pack);
        let checked = build::check_record(&self.program, id, Pos::NONE);
        if checked.is_err() {
            self.program.types.records[id] = before;
        }
        checked
    }

    fn check_member(&self, kind: RecordKind, field: &Field) -> Composed<()> {
        let types = &self.program.types;
        if !good_align(field.align) {
            return refuse("alignment is not a small power of 2");
        }
        if field.name.is_none() && field.bits.is_none() {
            let untagged = types.as_record(field.ty).is_some_and(|id| types.records[id].tag.is_none());
            if !untagged {
                return refuse("an unnamed member is an anonymous struct or union");
            }
        }
        if types.is_variably_modified(field.ty) {
            return refuse("a member has a variably modified type");
        }
        // C17 6.7.2.1p3.
        if self.has_flexible(field.ty) {
            return refuse("invalid use of structure with flexible array member");
        }
        build::check_member(&self.program, kind, field)
    }

    /// Whether a type is a struct that ends in a flexible array member, or a union that has one (C17 6.7.2.1p3).
    fn has_flexible(&self, ty: Type) -> bool {
        let types = &self.program.types;
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            let Some(id) = types.as_record(ty) else { continue };
            let record = &types.records[id];
            let fields = match record.kind {
                RecordKind::Struct => record.fields.last().map_or(&[][..], std::slice::from_ref),
                RecordKind::Union => &record.fields[..],
            };
            for field in fields {
                if matches!(types.kind(field.ty), TypeKind::Array { len: Len::Unknown, .. }) {
                    return true;
                }
                open.push(field.ty);
            }
        }
        false
    }

    /// Defines an enumeration at file scope: names, with values where they are not one more than the last.
    ///
    /// # Errors
    /// There are no constants, or a value is no `int` (C17 6.7.2.2p2).
    pub fn enumeration(
        &mut self,
        tag: &str,
        constants: &[(&str, Option<i128>)],
    ) -> Composed<(Type, Vec<EnumeratorId>)> {
        let (id, constants) = self.new_enum(tag, constants, false)?;
        self.item(Item::Enum(id));
        Ok((self.program.types.enumeration(id), constants))
    }

    /// An enumeration in the smallest type that holds its values (`__attribute__((packed))`).
    ///
    /// # Errors
    /// There are no constants, or a value is no `int` (C17 6.7.2.2p2).
    pub fn packed_enumeration(
        &mut self,
        tag: &str,
        constants: &[(&str, Option<i128>)],
    ) -> Composed<(Type, Vec<EnumeratorId>)> {
        let (id, constants) = self.new_enum(tag, constants, true)?;
        self.item(Item::Enum(id));
        Ok((self.program.types.enumeration(id), constants))
    }

    /// An enumeration in a block, and the statement that defines it.
    ///
    /// # Errors
    /// There are no constants, or a value is no `int` (C17 6.7.2.2p2).
    pub fn local_enumeration(
        &mut self,
        tag: &str,
        constants: &[(&str, Option<i128>)],
    ) -> Composed<(Type, Vec<EnumeratorId>, StmtId)> {
        let (id, constants) = self.new_enum(tag, constants, false)?;
        let stmt = self.stmt(StmtKind::Item(Item::Enum(id)));
        Ok((self.program.types.enumeration(id), constants, stmt))
    }

    fn new_enum(
        &mut self,
        tag: &str,
        constants: &[(&str, Option<i128>)],
        packed: bool,
    ) -> Composed<(EnumId, Vec<EnumeratorId>)> {
        if constants.is_empty() {
            return refuse("an enumeration has no constants");
        }
        let target = self.program.target;
        let mut next = 0;
        let mut values = Vec::with_capacity(constants.len());
        for &(name, value) in constants {
            let value = value.unwrap_or(next);
            if !build::holds(&target, IntKind::Int, value) {
                return refuse(format!("ISO C restricts enumerator values to range of 'int': '{name}'"));
            }
            values.push(value);
            next = value + 1;
        }
        let Some(underlying) = build::enum_type(&target, values.iter().copied(), packed) else {
            return refuse("no integer type holds all values of the enumeration");
        };
        let mut made = Vec::with_capacity(constants.len());
        for (&(name, value), number) in constants.iter().zip(values) {
            let name = self.program.symbols.intern(name);
            let explicit = value.is_some();
            let enumerator = Enumerator { name, value: number, ty: Type::INT, explicit, pos: Pos::NONE };
            made.push(self.program.types.enumerators.push(enumerator));
        }
        let tag = self.program.symbols.intern(tag);
        let unit = self.current();
        let id = self.program.types.enums.push(Enum {
            tag,
            written: Some(tag),
            unit,
            constants: made.clone(),
            complete: true,
            packed,
            underlying,
            pos: Pos::NONE,
        });
        Ok((id, made))
    }
}

/// A GNU vector, for whoever has no [`Composer`].
pub(crate) fn vector(program: &mut Program, elem: Type, lanes: u32) -> Composed<Type> {
    let size = program.size_of(elem).unwrap_or(0).saturating_mul(u64::from(lanes));
    let real = matches!(program.types.kind(elem), TypeKind::Int(_) | TypeKind::Float(_));
    if !real || !size.is_power_of_two() || size > MOST_VECTOR {
        return refuse("no vector has such elements");
    }
    Ok(program.types.vector(elem, lanes))
}

/// The largest vector in bytes that both compilers work with.
const MOST_VECTOR: u64 = 256;

/// Alignments that all compilers take.
pub(super) fn good_align(align: u32) -> bool {
    align == 0 || align.is_power_of_two() && align <= 4096
}
