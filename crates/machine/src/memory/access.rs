//! Typed accesses: what a load or store checks, and what it does.

use super::alias::{self, Fault, Root};
use super::{Memory, Slot, Stored, shadow};
use crate::outcome::{Run, ub, ub_about, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Choice, Marks, Prov, Value};
use howler_lang::arith;
use howler_lang::program::Program;
use howler_lang::ty::Type;

/// How bytes become a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rep {
    /// `_Bool`.
    Bool,
    /// A character: may be copied whatever it holds.
    Byte,
    /// A character of a local whose address nobody takes: may be copied only if something was stored (C17 6.3.2.1p2).
    OwnByte,
    /// An integer or floating value.
    Number,
    /// A pointer.
    Pointer,
    /// A struct, union, array, complex value or vector.
    Aggregate,
}

/// A kind of access: everything that is known before the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The lvalue's type.
    pub ty: Type,
    /// The type of the lvalue a pointer was dereferenced to; none if the access starts from a variable's name.
    pub root: Option<Type>,
    /// That type without qualifiers.
    pub root_bare: Option<Type>,
    /// How many bytes are touched.
    pub size: u32,
    /// The alignment the access may assume.
    pub align: u32,
    /// How bytes become a value.
    pub rep: Rep,
    /// The lvalue is volatile.
    pub volatile: bool,
    /// The path goes through a union's member: reading is punning, storing sets what the bytes are.
    pub punned: bool,
    /// The union's member it is a part of, and how far from that member's start.
    pub member: Option<(Type, u32)>,
    /// The lvalue is a restrict pointer.
    pub restrict: bool,
    /// An initialiser: const objects may be written.
    pub initial: bool,
    /// The part of the bytes, if it is a bit-field.
    pub bits: Option<Bits>,
    /// The update that it is a part of, if the value of that is not used.
    pub update: Update,
}

/// An update of an object as those of its kind see it: they commute, so that calls that make them do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Update {
    /// None that commutes with others.
    #[default]
    None,
    /// A sum that wraps.
    WrappedSum,
    /// A sum that must not overflow.
    SignedSum,
    /// `|=`.
    Or,
    /// `^=`.
    Xor,
    /// `&=`.
    And,
}

/// Which bits a bit-field has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The first bit in the first byte touched.
    pub shift: u8,
    /// How many.
    pub width: u8,
    /// Whether it is signed.
    pub signed: bool,
    /// The width of the type the value is given in.
    pub value_width: u8,
    /// How many bits of the same memory location come before it: all bit-fields beside each other are one (C17 3.14p3).
    pub before: u32,
    /// How many come after it.
    pub after: u32,
}

/// A place that was checked: where the bytes are, in the arena and in their allocation.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// In the arena.
    pub at: u32,
    /// In the allocation.
    pub offset: u32,
    /// The allocation.
    pub slot: u32,
}

impl Memory {
    /// Where a pointer's bytes are: alive, within bounds, aligned.
    #[inline]
    pub fn place(&self, pointer: &Value, size: u32, align: u32) -> Run<Place> {
        let prov = pointer.prov;
        if !pointer.has_prov() || pointer.marks.has(Marks::UNINIT) {
            return self.no_object(pointer);
        }
        let Some(slot) = self.live(prov) else { return ub_about(self.dead_kind(prov), prov, String::new()) };
        let offset = pointer.low.wrapping_sub(slot.address);
        let (lo, hi) = if prov.wide { (0, slot.size) } else { (prov.lo, prov.hi) };
        if offset < u64::from(lo) || offset.saturating_add(u64::from(size)) > u64::from(hi) {
            return self.out_of_bounds(pointer, slot, offset, size);
        }
        if !self.is_aligned(slot, pointer, align) {
            return ub_about(UbKind::MisalignedAccess, prov, String::new());
        }
        let offset = offset as u32;
        Ok(Place { at: slot.data + offset, offset, slot: prov.slot })
    }

    #[cold]
    fn no_object<T>(&self, pointer: &Value) -> Run<T> {
        if pointer.marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        if pointer.low == 0 {
            return ub(UbKind::NullDeref);
        }
        if pointer.marks.has(Marks::OPEN) {
            return unsupported("a pointer made from an integer or from bytes whose object is not certain");
        }
        ub(UbKind::InvalidDeref)
    }

    #[cold]
    fn out_of_bounds<T>(&self, pointer: &Value, slot: &Slot, offset: u64, size: u32) -> Run<T> {
        let prov = pointer.prov;
        if matches!(slot.kind, AllocKind::Function | AllocKind::Label) {
            return ub_about(UbKind::InvalidDeref, prov, "it points to a function".to_owned());
        }
        let hi = if prov.wide { slot.size } else { prov.hi };
        if offset == u64::from(hi) {
            return ub_about(UbKind::OnePastDeref, prov, String::new());
        }
        let detail = format!("{size} bytes at offset {offset} of an object of {} bytes", slot.size);
        if offset < u64::from(hi) {
            return ub_about(UbKind::SmallObject, prov, detail);
        }
        ub_about(UbKind::BoundsObject, prov, detail)
    }

    /// Reads a scalar. `root` is the pointer that was dereferenced on the way.
    #[inline]
    pub fn load(&mut self, program: &Program, pointer: &Value, root: &Value, access: &Access) -> Run<Value> {
        let place = self.place(pointer, access.size, access.align)?;
        self.check_read(program, &place, root, access)?;
        if self.slots[place.slot as usize].stores.is_some() {
            self.note_read(program, &place, access);
        }
        if let Some(bits) = access.bits {
            return self.load_bits(&place, access, bits);
        }
        let value = match access.rep {
            Rep::Pointer => self.read_pointer(place.at),
            _ => self.read_number(place.at, access.size),
        };
        if !value.marks.is_empty() {
            if value.marks.has(Marks::UNINIT) {
                let may_copy = match access.rep {
                    Rep::Byte => true,
                    Rep::OwnByte => self.holds_copy(place.at),
                    _ => false,
                };
                if !may_copy {
                    return ub_about(UbKind::Uninit, pointer.prov, String::new());
                }
                return Ok(Value { marks: value.marks.copied(), ..value });
            }
            if value.marks.has(Marks::LIBRARY) && access.size <= 8 && is_integer(program, access) {
                return Ok(self.known_bits(&place, access, value));
            }
        }
        if access.rep == Rep::Bool && value.low > 1 {
            return ub_about(UbKind::BoolValue, pointer.prov, format!("it holds {}", value.low));
        }
        Ok(value)
    }

    /// What reading demands of the object.
    #[inline]
    pub fn check_read(&self, program: &Program, place: &Place, root: &Value, access: &Access) -> Run<()> {
        let slot = &self.slots[place.slot as usize];
        if !access.volatile && self.shadow_of(place.at, access.size) & shadow::VOLATILE != 0 {
            return ub_about(UbKind::VolatilePlain, root.prov, String::new());
        }
        let Some(ty) = access.root else { return Ok(()) };
        let root_at = Root { ty, offset: root.low.wrapping_sub(slot.address) as u32 };
        if !slot.retypable && is_element(slot, access, root_at.offset) {
            return Ok(());
        }
        self.check_type(program, slot, place, root_at, access).or_else(|fault| match fault {
            Fault::Undefined(UbKind::AliasPointer) if self.letter => Ok(()),
            Fault::Undefined(kind) => ub_about(kind, root.prov, String::new()),
            // Defined with the union in scope (6.5.2.3p6); no compiler keeps to it.
            Fault::CommonInitial => unsupported("the common initial sequence of structs in a union"),
        })
    }

    fn check_type(
        &self,
        program: &Program,
        slot: &Slot,
        place: &Place,
        root: Root,
        access: &Access,
    ) -> Result<(), Fault> {
        if alias::accesses_all(program, root.ty) || matches!(slot.kind, AllocKind::String) {
            return Ok(());
        }
        if let Some(declared) = slot.ty {
            alias::check_declared(program, declared, root).map_err(Fault::Undefined)?;
        }
        if slot.retypable && !access.punned {
            alias::check_stored(program, slot, place.offset, access.size, root)?;
        }
        Ok(())
    }

    /// An integer whose bits a library left open in part.
    #[cold]
    fn known_bits(&self, place: &Place, access: &Access, value: Value) -> Value {
        let pointer = Marks::PROVENANCE.union(Marks::FRAGMENT);
        let known = matches!(value.marks.choice(), Choice::Magnitude | Choice::Nonzero);
        if known || value.marks.has(pointer) {
            return value;
        }
        let open = self.library_bits(place.at, access.size);
        Value { marks: value.marks.minus(Marks::LIBRARY), ..value }.with_open_bits(open)
    }

    fn load_bits(&self, place: &Place, access: &Access, bits: Bits) -> Run<Value> {
        let raw = self.read_bits(place.at, access.size);
        let mask = arith::mask(u32::from(bits.width));
        let mut marks = Marks::NONE;
        for index in 0..access.size {
            let field = field_byte(bits, index);
            let (unset, loose) = self.loose_bits(place.at + index);
            if unset & field != 0 {
                return ub(UbKind::Uninit);
            }
            if loose & field != 0 {
                marks = marks.union(Marks::UNSPECIFIED);
            }
            let mut other = self.shadow_at(place.at + index) & (shadow::ADDRESS | shadow::LIBRARY);
            if other & shadow::LIBRARY != 0 && self.library_bits(place.at + index, 1) & u64::from(field) == 0
            {
                other &= !shadow::LIBRARY;
            }
            marks = marks.union(Marks::of_shadow(other));
        }
        let mut value = raw >> bits.shift & mask;
        if bits.signed && bits.width < 128 && value >> (bits.width - 1) & 1 == 1 {
            value |= !mask;
        }
        Ok(Value::bits(value & arith::mask(u32::from(bits.value_width))).marked(marks))
    }

    /// Writes a scalar.
    #[inline]
    pub fn store(
        &mut self,
        program: &Program,
        pointer: &Value,
        root: &Value,
        access: &Access,
        value: &Value,
    ) -> Run<()> {
        let place = self.place(pointer, access.size, access.align)?;
        self.check_write(program, &place, root, access)?;
        match access.bits {
            Some(bits) => self.store_bits(&place, access, bits, value),
            None => self.write(place.at, access.size, value),
        }
        if value.has_prov() {
            self.note_pointer(&place, value.prov);
        }
        Ok(())
    }

    /// What writing demands of the object; remembers the type where that counts.
    #[inline]
    pub fn check_write(
        &mut self,
        program: &Program,
        place: &Place,
        root: &Value,
        access: &Access,
    ) -> Run<()> {
        let all = self.shadow_of(place.at, access.size);
        let slot = &self.slots[place.slot as usize];
        if all & shadow::CONST != 0 && !access.initial {
            let kind = match slot.kind {
                AllocKind::String => UbKind::StringModified,
                AllocKind::Temporary => UbKind::TemporaryModified,
                _ => UbKind::ConstModified,
            };
            return ub_about(kind, root.prov, String::new());
        }
        if all & shadow::VOLATILE != 0 && !access.volatile && !access.initial {
            return ub_about(UbKind::VolatilePlain, root.prov, String::new());
        }
        let root_at = access.root.map(|ty| Root { ty, offset: root.low.wrapping_sub(slot.address) as u32 });
        if let (Some(root), Some(declared)) = (root_at, slot.ty)
            && !is_element(slot, access, root.offset)
            && !alias::accesses_all(program, root.ty)
            && let Err(kind) = alias::check_declared(program, declared, root)
            && !(self.letter && kind == UbKind::AliasPointer)
        {
            return ub_about(kind, Prov { slot: place.slot, ..Prov::default() }, String::new());
        }
        if slot.retypable {
            let union = slot.ty.is_some();
            self.note_store(place.slot);
            if let (Some(old), Some(now)) = (self.record_type(program, place, root_at, access), root_at) {
                return self.retype(program, union, old, now, root);
            }
        }
        Ok(())
    }

    /// Bytes were given another type through pointers. In a union both compilers may have it that the two never meet;
    /// of allocated memory the last store decides (C17 6.5p6), to who keeps to it.
    #[cold]
    fn retype(&mut self, program: &Program, union: bool, old: Stored, now: Root, root: &Value) -> Run<()> {
        if !union {
            self.retyped = true;
            return Ok(());
        }
        if alias::is_common(program, old, now) {
            return unsupported("the common initial sequence of structs in a union");
        }
        ub_about(UbKind::AliasUnion, root.prov, String::new())
    }

    /// Remembers the type of a store; the one the bytes had, if it gave them another.
    fn record_type(
        &mut self,
        program: &Program,
        place: &Place,
        root: Option<Root>,
        access: &Access,
    ) -> Option<Stored> {
        let leaf = match access.member {
            Some((ty, delta)) => Root { ty, offset: place.offset.wrapping_sub(delta) },
            None => Root { ty: access.ty, offset: place.offset },
        };
        // Behind a union's member, what counts is the member; elsewhere the whole it was reached from.
        let stored = if access.punned { leaf } else { root.unwrap_or(leaf) };
        let ty = (!alias::accesses_all(program, stored.ty)).then_some(stored.ty);
        let direct = root.is_some() && !access.punned;
        let slot = &mut self.slots[place.slot as usize];
        let base = if ty.is_some() { stored.offset } else { 0 };
        let new = Stored { ty, base, direct: direct && ty.is_some() };
        alias::record_store(program, slot, place.offset, access.size, new)
    }

    /// A read through a pointer keeps its place before a store of another type, as a store does.
    fn note_read(&mut self, program: &Program, place: &Place, access: &Access) {
        if access.punned || access.root.is_none_or(|ty| alias::accesses_all(program, ty)) {
            return;
        }
        let slot = &mut self.slots[place.slot as usize];
        if let Some(stores) = &mut slot.stores {
            stores.change(place.offset, access.size, |_, stored| stored.direct |= stored.ty.is_some());
        }
    }

    fn store_bits(&mut self, place: &Place, access: &Access, bits: Bits, value: &Value) {
        let mask = arith::mask(u32::from(bits.width)) << bits.shift;
        let old = self.read_bits(place.at, access.size);
        let new = old & !mask | value.to_bits() << bits.shift & mask;
        let loose: Vec<(u8, u8)> = (0..access.size).map(|index| self.loose_bits(place.at + index)).collect();
        let others = self.shadow_of(place.at, access.size);
        let kept = Marks::of_shadow(others & (shadow::ADDRESS | shadow::LIBRARY));
        let own = value.marks.intersection(Marks::OPEN);
        self.write(
            place.at,
            access.size,
            &Value::bits(new).marked(kept.union(own.minus(Marks::UNSPECIFIED))),
        );
        for (index, (unset, loose)) in (0..).zip(loose) {
            let field = field_byte(bits, index);
            let loose = if own.has(Marks::UNSPECIFIED) { loose | field } else { loose & !field };
            let unset = unset & !field;
            if unset | loose != 0 {
                self.set_loose_bits(place.at + index, unset, loose);
            }
        }
    }

    /// Copies an aggregate: `*to = *from`.
    pub fn copy_object(
        &mut self,
        program: &Program,
        to: (&Value, &Value, &Access),
        from: (&Value, &Value, &Access),
    ) -> Run<()> {
        let (to_pointer, to_root, to_access) = to;
        let (from_pointer, from_root, from_access) = from;
        let size = to_access.size;
        let source = self.place(from_pointer, size, from_access.align)?;
        self.check_read(program, &source, from_root, from_access)?;
        let target = self.place(to_pointer, size, to_access.align)?;
        self.check_write(program, &target, to_root, to_access)?;
        let distance = source.at.abs_diff(target.at);
        if distance != 0 && distance < size {
            return ub(UbKind::OverlapAssign);
        }
        self.copy(source.at, target.at, size);
        self.note_pointers(&target, size);
        Ok(())
    }

    /// Copies bytes as `memcpy` does: types of stores go along.
    pub fn copy_bytes(&mut self, program: &Program, to: &Place, from: &Place, len: u32) {
        self.copy(from.at, to.at, len);
        self.note_pointers(to, len);
        if !self.slots[to.slot as usize].retypable {
            return;
        }
        let source = &self.slots[from.slot as usize];
        let mut runs: Vec<(u32, u32, Stored)> = Vec::new();
        let mut carry = |at: u32, ty: Type, base: u32| {
            let now = to.offset + (at - from.offset);
            let stored = alias::carried(program, ty, u64::from(at.wrapping_sub(base)), now);
            match runs.last_mut() {
                Some((start, len, known)) if *known == stored && *start + *len == now => *len += 1,
                _ => runs.push((now, 1, stored)),
            }
        };
        match (&source.stores, source.ty) {
            (Some(stores), _) => {
                stores.typed(from.offset, len, &mut carry);
            }
            // A declared object hands on its own type, where no store to a union says more.
            (None, Some(ty)) if from.offset <= to.offset => {
                let base = to.offset - from.offset;
                runs.push((to.offset, len, Stored { ty: Some(ty), base, direct: false }));
            }
            (None, Some(ty)) => (from.offset..from.offset + len).for_each(|at| carry(at, ty, 0)),
            (None, None) => {}
        }
        let slot = &mut self.slots[to.slot as usize];
        alias::record_store(program, slot, to.offset, len, Stored::NOTHING);
        for (start, len, stored) in runs {
            alias::stores_of(slot).fill(start, len, stored);
        }
    }

    /// The allocation at a place.
    pub fn slot(&self, index: u32) -> &Slot {
        &self.slots[index as usize]
    }

    /// The undefined behaviour of accessing a dead object.
    pub fn dead_kind(&self, prov: Prov) -> UbKind {
        match prov.kind {
            AllocKind::Heap => UbKind::UseAfterFree,
            AllocKind::Vla => UbKind::DeadVla,
            AllocKind::Temporary => UbKind::DeadTemporary,
            AllocKind::Literal => UbKind::DeadLiteral,
            AllocKind::Alloca => UbKind::DeadAlloca,
            AllocKind::Parameter => UbKind::UseAfterReturn,
            _ => {
                let returned =
                    self.dead(prov).and_then(|slot| slot.death).is_some_and(|death| death.returned);
                if returned { UbKind::UseAfterReturn } else { UbKind::UseAfterScope }
            }
        }
    }

    /// Forgets the types stored in a range: bytes were set as bytes.
    pub fn forget_types(&mut self, place: &Place, len: u32) {
        let slot = &mut self.slots[place.slot as usize];
        if let Some(stores) = &mut slot.stores {
            stores.fill(place.offset, len, Stored::NOTHING);
        }
    }
}

/// Whether an access starts from an element of the declared type: the common case of `alias::contains`.
#[inline(always)]
fn is_element(slot: &Slot, access: &Access, offset: u32) -> bool {
    match (slot.elem, access.root_bare) {
        (Some((elem, size)), Some(root)) => elem == root && (offset == 0 || offset.is_multiple_of(size)),
        _ => false,
    }
}

/// The bits of byte `index` that belong to the bit-field.
fn field_byte(bits: Bits, index: u32) -> u8 {
    let mask = arith::mask(u32::from(bits.width)) << bits.shift;
    (mask >> (8 * index.min(15))) as u8
}

/// Whether an access is to an integer.
#[cold]
fn is_integer(program: &Program, access: &Access) -> bool {
    matches!(access.rep, Rep::Byte)
        || matches!(
            howler_lang::arith::num_of(&program.types, &program.target, access.ty),
            Some(howler_lang::arith::Num::Int { .. })
        )
}
