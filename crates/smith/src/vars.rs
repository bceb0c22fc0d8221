//! New variables: their parts, what they are initialised with, and the states of their pointers and unions.

use howler_lang::compose::Value;
use howler_lang::program::{Entity, Linkage, ObjId};
use howler_lang::ty::{Field, Len, Quals, RecordKind, Type, TypeKind};

use crate::features::Feature;
use crate::maker::{Made, Maker};
use crate::place::{Part, Shape, Step, Var};
use crate::sets::{Set, Sets};
use crate::weights::Number;

impl Maker<'_> {
    /// Adds the parts of a variable.
    pub(crate) fn grow(&mut self, var: Var, parent: Option<Part>, step: Step, ty: Type) -> Part {
        let types = &self.out.program.types;
        let quals = types.quals(ty);
        match types.kind(ty) {
            TypeKind::Record(id) => {
                let record = &types.records[id];
                let shape = if record.kind == RecordKind::Union { Shape::Union } else { Shape::Struct };
                let packed = record.packed;
                let fields: Vec<_> = (record.fields.iter())
                    .filter(|field| is_part(field))
                    .map(|field| (field.name, field.ty, field.bits))
                    .collect();
                let part = self.places.add_part(var, parent, step, (ty, quals, shape));
                if packed {
                    self.places.hide(part);
                }
                for (at, (name, ty, bits)) in (0..).zip(fields) {
                    let step = name.map_or(Step::Inner(at), |name| Step::Member(name, at));
                    match bits {
                        Some(width) => {
                            let quals = ty.quals();
                            let shape = Shape::Number(Some(width));
                            self.places.add_part(var, Some(part), step, (ty, quals, shape));
                        }
                        None => {
                            self.grow(var, Some(part), step, ty);
                        }
                    }
                }
                self.places.close(part);
                part
            }
            TypeKind::Array { elem, len: Len::Fixed(len) } => {
                let part = self.places.add_part(var, parent, step, (ty, quals, Shape::Array));
                self.grow(var, Some(part), Step::Element(u32::try_from(len).unwrap_or(u32::MAX)), elem);
                self.places.close(part);
                part
            }
            TypeKind::Vector { elem, lanes } => {
                let part = self.places.add_part(var, parent, step, (ty, quals, Shape::Vector));
                self.places.hide(part);
                self.grow(var, Some(part), Step::Element(lanes), elem);
                self.places.close(part);
                part
            }
            TypeKind::Pointer(_) => self.places.add_part(var, parent, step, (ty, quals, Shape::Pointer)),
            _ => self.places.add_part(var, parent, step, (ty, quals, Shape::Number(None))),
        }
    }

    /// A new variable of file scope.
    pub(crate) fn global(&mut self, ty: Type) -> Made<Var> {
        let name = self.name("g");
        let (value, sets) = self.initial_value(ty, true)?;
        let object = self.out.global(&name, ty, Linkage::Internal, Some(&value))?;
        self.decorate(object, true)?;
        let var = self.variable(object, ty, true);
        self.begin_facts(var, &sets);
        self.globals.push(var);
        // Its declaration, and its part in the checksum.
        let parts = self.places.parts.len() - self.places.var(var).root.0 as usize;
        self.left -= 14 + 8 * parts as i64;
        Ok(var)
    }

    /// A new variable of the block that is open.
    pub(crate) fn local(&mut self, ty: Type) -> Made<Var> {
        let kept = self.has(Feature::Statics) && self.one_in("static", 12);
        // To initialise what is volatile is an access, which may have no place here.
        let quals = self.out.program.types.quals(ty);
        let ty =
            if kept || !quals.contains(Quals::VOLATILE) || self.declares_volatile() { ty } else { ty.bare() };
        let name = self.name(if kept { "s" } else { "l" });
        let (value, sets) = self.initial_value(ty, kept)?;
        let (object, declared) = if kept {
            self.out.static_local(&name, ty, Some(&value))?
        } else {
            self.out.local(&name, ty, Some(&value))?
        };
        self.decorate(object, kept)?;
        let var = self.variable(object, ty, kept);
        self.begin_facts(var, &sets);
        let scope = self.frame().scopes.last_mut().expect("a block is open");
        scope.vars.push(var);
        scope.declared.push(declared);
        self.costs(2);
        self.left -= 6;
        Ok(var)
    }

    /// An attribute or an alignment, which change nothing of what a program means.
    fn decorate(&mut self, object: ObjId, kept: bool) -> Made<()> {
        if !self.has(Feature::Attributes) || !self.one_in("attribute", 8) {
            return Ok(());
        }
        match self.choices.range("which", 0..=2u32) {
            0 => self.out.attribute(Entity::Object(object), "unused"),
            1 if kept => self.out.attribute(Entity::Object(object), "used"),
            _ => {
                let align = *self.choices.one_of("alignment", &[16u32, 32, 64, 128]);
                self.out.align(object, align)
            }
        }
    }

    /// The parts of an object.
    pub(crate) fn variable(&mut self, object: ObjId, ty: Type, global: bool) -> Var {
        let var = self.places.add_var(object, global);
        self.grow(var, None, Step::Whole, ty);
        var
    }

    /// The states of the pointers and unions in a new variable.
    pub(crate) fn begin_facts(&mut self, var: Var, sets: &[Set]) {
        let slots: Vec<_> = self.places.slots_of(self.places.var(var).root).collect();
        for (at, slot) in slots.into_iter().enumerate() {
            self.initial.set(slot, sets.get(at).copied().unwrap_or(Sets::NULL));
        }
    }

    /// A value to begin with, and the states of its pointers and unions; of what lives as long as `global` says.
    pub(crate) fn initial_value(&mut self, ty: Type, global: bool) -> Made<(Value, Vec<Set>)> {
        let types = &self.out.program.types;
        Ok(match types.kind(ty) {
            TypeKind::Record(id) => {
                let record = &types.records[id];
                let union = record.kind == RecordKind::Union;
                let fields: Vec<(u64, Type, Option<u8>)> = (0..)
                    .zip(&record.fields)
                    .filter(|(_, field)| is_part(field))
                    .map(|(at, field)| (at, field.ty, field.bits))
                    .collect();
                // What has no name has no designator.
                let named = record.fields.iter().all(|field| field.name.is_some());
                let designated = named && self.has(Feature::Designated);
                match union {
                    true => self.initial_union(&fields, designated, global)?,
                    false => self.initial_struct(&fields, designated, global)?,
                }
            }
            TypeKind::Array { elem, len: Len::Fixed(len) } => self.initial_array(elem, len, global)?,
            TypeKind::Pointer(to) => {
                let target = if self.one_in("null", 12) { None } else { self.target_for(to, global) };
                match target {
                    Some(part) => {
                        let e = self.constant_path(part)?;
                        let set = self.sets.one(part);
                        (Value::Expr(self.out.address(e)?), vec![set])
                    }
                    None => (Value::Zero, vec![Sets::NULL]),
                }
            }
            TypeKind::Vector { elem, lanes } => {
                let list = (0..lanes).map(|_| self.number_value(elem)).collect();
                (Value::List(list), Vec::new())
            }
            TypeKind::Float(_) => (Value::Int(self.choices.range("float", -200..=200)), Vec::new()),
            _ => (self.number_value(ty), Vec::new()),
        })
    }

    /// A number of an integer type; enumerations have those of their constants, too.
    fn number_value(&mut self, ty: Type) -> Value {
        Value::Bits(self.number(ty))
    }

    fn initial_field(&mut self, ty: Type, bits: Option<u8>, global: bool) -> Made<(Value, Vec<Set>)> {
        match bits {
            Some(width) => Ok((Value::Bits(self.choices.bits("bit-field", u32::from(width))), Vec::new())),
            None => self.initial_value(ty, global),
        }
    }

    fn initial_struct(
        &mut self,
        fields: &[(u64, Type, Option<u8>)],
        designated: bool,
        global: bool,
    ) -> Made<(Value, Vec<Set>)> {
        let designated = designated && self.one_in("designated", 4);
        let (mut parts, mut sets) = (Vec::new(), Vec::new());
        for (number, &(at, ty, bits)) in fields.iter().enumerate() {
            // What is left out is zero; a union that is left out holds its first member.
            let slots = self.has_slots(ty);
            let last = parts.is_empty() && number + 1 == fields.len();
            if designated && !slots && !last && self.one_in("left out", 4) {
                continue;
            }
            let (value, more) = self.initial_field(ty, bits, global)?;
            parts.push((at, value));
            sets.extend(more);
        }
        if designated && !parts.is_empty() {
            return Ok((Value::Parts(parts), sets));
        }
        if parts.len() < fields.len() {
            return Ok((Value::Parts(parts), sets));
        }
        Ok((Value::List(parts.into_iter().map(|(_, value)| value).collect()), sets))
    }

    fn initial_union(
        &mut self,
        fields: &[(u64, Type, Option<u8>)],
        designated: bool,
        global: bool,
    ) -> Made<(Value, Vec<Set>)> {
        let chosen = if designated && self.one_in("designated", 2) {
            self.choices.range("member", 0..=fields.len() - 1)
        } else {
            0
        };
        let mut sets = vec![self.sets.member(chosen as u32)];
        let mut chosen_value = Value::Zero;
        for (at, &(_, ty, bits)) in fields.iter().enumerate() {
            if at == chosen {
                let (value, more) = self.initial_field(ty, bits, global)?;
                chosen_value = value;
                sets.extend(more);
            } else {
                // Nobody reads these before they are written.
                sets.extend(std::iter::repeat_n(Sets::NULL, self.count_slots(ty)));
            }
        }
        let value = if chosen == 0 {
            Value::List(vec![chosen_value])
        } else {
            Value::Parts(vec![(fields[chosen].0, chosen_value)])
        };
        Ok((value, sets))
    }

    fn initial_array(&mut self, elem: Type, len: u64, global: bool) -> Made<(Value, Vec<Set>)> {
        let characters = [Type::CHAR, Type::SCHAR, Type::UCHAR].contains(&elem.bare());
        if characters && len > 1 && self.has(Feature::Strings) && self.one_in("string", 2) {
            let text = self.characters(0, u32::try_from(len - 1).unwrap_or(0).min(12));
            return Ok((Value::Expr(self.out.string(&text)), Vec::new()));
        }
        let slots = self.count_slots(elem);
        let most = if self.left < 200 { 3 } else { 12 };
        let mut count = len.min(self.choices.range("elements", 1..=most));
        // A union that is left out holds its first member, which the elements' common state does not say.
        if slots > 0 && len <= 16 {
            count = len;
        }
        let (mut list, mut all) = (Vec::new(), vec![Sets::NONE; slots]);
        for _ in 0..count {
            let (value, sets) = self.initial_value(elem, global)?;
            list.push(value);
            // All elements are one part: what one points to, any may.
            for (known, set) in all.iter_mut().zip(sets) {
                *known = self.sets.union(*known, set);
            }
        }
        if count < len {
            let zero = self.zero_sets(elem);
            for (known, set) in all.iter_mut().zip(zero) {
                *known = self.sets.union(*known, set);
            }
        }
        self.left -= count as i64;
        Ok((Value::List(list), all))
    }

    /// The states of what is zero.
    pub(crate) fn zero_sets(&mut self, ty: Type) -> Vec<Set> {
        let types = &self.out.program.types;
        match types.kind(ty) {
            TypeKind::Pointer(_) => vec![Sets::NULL],
            TypeKind::Array { elem, .. } => self.zero_sets(elem),
            TypeKind::Record(id) => {
                let record = &types.records[id];
                let union = record.kind == RecordKind::Union;
                let fields: Vec<Type> =
                    record.fields.iter().filter(|field| is_part(field)).map(|field| field.ty).collect();
                let mut sets = if union { vec![self.sets.member(0)] } else { Vec::new() };
                for ty in fields {
                    sets.extend(self.zero_sets(ty));
                }
                sets
            }
            _ => Vec::new(),
        }
    }

    /// How many pointers and unions are in a value of a type.
    pub(crate) fn count_slots(&self, ty: Type) -> usize {
        let types = &self.out.program.types;
        match types.kind(ty) {
            TypeKind::Pointer(_) => 1,
            TypeKind::Array { elem, .. } => self.count_slots(elem),
            TypeKind::Record(id) => {
                let record = &types.records[id];
                let fields = record.fields.iter().filter(|field| is_part(field));
                let inner: usize = fields.map(|field| self.count_slots(field.ty)).sum();
                inner + usize::from(record.kind == RecordKind::Union)
            }
            _ => 0,
        }
    }

    fn has_slots(&self, ty: Type) -> bool {
        self.count_slots(ty) > 0
    }

    /// The bits of a number of an integer type: small ones, edges, and any.
    pub(crate) fn number(&mut self, ty: Type) -> u128 {
        let program = &self.out.program;
        let Some(num) = howler_lang::arith::num_of(&program.types, &program.target, ty) else { return 0 };
        let width = num.width();
        if width < 2 {
            return self.choices.bits("bool", width);
        }
        let greatest = (1u128 << (width - 1)) - 1;
        match self.tables.draw_number(&mut self.choices, |_| true).unwrap_or(Number::Small) {
            Number::Zero => 0,
            Number::One => 1,
            Number::Minus => num.bits(-1),
            Number::Least => 1u128 << (width - 1),
            Number::Greatest => greatest,
            Number::Small => self.choices.bits("small", 8.min(width)) & greatest,
            Number::Run => {
                let ones = self.choices.range("ones", 1..=width);
                let shift = self.choices.range("shift", 0..=width - ones);
                let run = if ones >= 128 { u128::MAX } else { (1u128 << ones) - 1 };
                run << shift
            }
            Number::Any => self.choices.bits("any", width),
        }
    }
}

/// Whether a member has a value: an unnamed bit-field has none (C17 6.7.9p9).
fn is_part(field: &Field) -> bool {
    field.name.is_some() || field.bits.is_none()
}
