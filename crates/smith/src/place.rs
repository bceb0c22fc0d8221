//! Places: everything of a program that can be read, written or pointed to, as a tree of parts.
//!
//! A variable is a tree: a struct has a part for each member, an array one for all its elements together. Scalars are the
//! leaves; effects are sets of leaves, and a pointer's targets are parts. All members of a union share its leaves.

use howler_lang::program::ObjId;
use howler_lang::symbol::Symbol;
use howler_lang::ty::{Quals, Type};

/// A part of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Part(pub(crate) u32);

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Var(pub(crate) u32);

/// A scalar part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Leaf(pub(crate) u32);

/// Leaves that follow each other: the first, and the one after the last.
pub(crate) type Leaves = (Leaf, Leaf);

/// The order of volatile accesses, as if each of them wrote something.
pub(crate) const ORDER: Leaves = (Leaf(0), Leaf(1));

/// Something whose state is a fact: what a pointer points to, which member a union holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Slot(pub(crate) u32);

/// How a part is reached from what it is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// It is the variable itself.
    Whole,
    /// A member, with its place among those that have names.
    Member(Symbol, u32),
    /// A member without a name, by its place among the members: what it has is named as if it were around it.
    Inner(u32),
    /// Any element of an array with so many.
    Element(u32),
}

/// What kind of a part it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A number; with the width if it is a bit-field.
    Number(Option<u8>),
    Pointer,
    Struct,
    Union,
    Array,
    /// Its elements are read and written one by one, or all at once; nothing points to them.
    Vector,
}

#[derive(Clone, Debug)]
pub(crate) struct PartData {
    /// Without qualifiers.
    pub(crate) ty: Type,
    /// Its own qualifiers and those of all around it.
    pub(crate) quals: Quals,
    pub(crate) shape: Shape,
    pub(crate) step: Step,
    pub(crate) parent: Option<Part>,
    pub(crate) var: Var,
    /// The parts that it has. Each is followed by its own parts.
    pub(crate) kids: Vec<Part>,
    /// The part after all of its own.
    pub(crate) end: Part,
    /// The leaves that it is, or overlaps with.
    pub(crate) leaves: Leaves,
    /// The state that it has, if it is a pointer or a union.
    pub(crate) slot: Option<Slot>,
    /// Its address can be taken: it is no bit-field, not in a union, and not in anything packed.
    pub(crate) addressable: bool,
    /// It is an element of an array, or part of one.
    pub(crate) of_array: bool,
    /// It is part of a union.
    pub(crate) of_union: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct VarData {
    pub(crate) object: ObjId,
    pub(crate) root: Part,
    /// It has static storage duration: it is there before and after all else.
    pub(crate) global: bool,
    /// Its scope has ended.
    pub(crate) dead: bool,
}

/// All of them.
pub(crate) struct Places {
    pub(crate) parts: Vec<PartData>,
    pub(crate) vars: Vec<VarData>,
    /// The part of each slot.
    pub(crate) slots: Vec<Part>,
    /// The variable of each leaf but the first, which is [`ORDER`].
    leaf_vars: Vec<Var>,
    /// Leaves that nothing may write: counters of loops.
    locked: Vec<bool>,
}

impl Default for Places {
    fn default() -> Places {
        Places {
            parts: Vec::new(),
            vars: Vec::new(),
            slots: Vec::new(),
            leaf_vars: vec![Var(u32::MAX)],
            locked: vec![false],
        }
    }
}

impl Places {
    pub(crate) fn part(&self, part: Part) -> &PartData {
        &self.parts[part.0 as usize]
    }

    pub(crate) fn var(&self, var: Var) -> &VarData {
        &self.vars[var.0 as usize]
    }

    pub(crate) fn var_mut(&mut self, var: Var) -> &mut VarData {
        &mut self.vars[var.0 as usize]
    }

    pub(crate) fn of(&self, part: Part) -> &VarData {
        self.var(self.part(part).var)
    }

    pub(crate) fn is_global(&self, part: Part) -> bool {
        self.of(part).global
    }

    /// Whether a leaf was there before the part with this number.
    pub(crate) fn is_foreign(&self, leaf: Leaf, before: Part) -> bool {
        if leaf == ORDER.0 {
            return true;
        }
        let var = self.var(self.leaf_vars[leaf.0 as usize]);
        var.global || var.root < before
    }

    /// A new variable, without parts.
    pub(crate) fn add_var(&mut self, object: ObjId, global: bool) -> Var {
        let var = Var(self.vars.len() as u32);
        let root = Part(self.parts.len() as u32);
        self.vars.push(VarData { object, root, global, dead: false });
        var
    }

    /// A new part of a variable. Numbers and pointers are leaves; [`Places::close`] tells the leaves of others.
    pub(crate) fn add_part(
        &mut self,
        var: Var,
        parent: Option<Part>,
        step: Step,
        (ty, quals, shape): (Type, Quals, Shape),
    ) -> Part {
        let part = Part(self.parts.len() as u32);
        let first = Leaf(self.leaf_vars.len() as u32);
        if matches!(shape, Shape::Number(_) | Shape::Pointer) {
            self.leaf_vars.push(var);
            self.locked.push(false);
        }
        let slot = matches!(shape, Shape::Pointer | Shape::Union).then(|| {
            self.slots.push(part);
            Slot(self.slots.len() as u32 - 1)
        });
        let leaves = (first, Leaf(self.leaf_vars.len() as u32));
        let around = parent.map(|parent| self.part(parent));
        let bit_field = matches!(shape, Shape::Number(Some(_)));
        let in_union = around.is_some_and(|parent| parent.shape == Shape::Union || parent.of_union);
        let data = PartData {
            ty: ty.bare(),
            quals: quals.union(around.map_or(Quals::NONE, |parent| parent.quals)),
            shape,
            step,
            parent,
            var,
            kids: Vec::new(),
            end: Part(part.0 + 1),
            leaves,
            slot,
            addressable: !bit_field && !in_union && around.is_none_or(|parent| parent.addressable),
            of_array: matches!(step, Step::Element(_)) || around.is_some_and(|parent| parent.of_array),
            of_union: in_union,
        };
        self.parts.push(data);
        if let Some(parent) = parent {
            self.parts[parent.0 as usize].kids.push(part);
        }
        part
    }

    /// Nothing may point to a part, or into it.
    pub(crate) fn hide(&mut self, part: Part) {
        self.parts[part.0 as usize].addressable = false;
    }

    /// All parts of a part are known now.
    pub(crate) fn close(&mut self, part: Part) {
        let end = Part(self.parts.len() as u32);
        let leaves = (self.part(part).leaves.0, Leaf(self.leaf_vars.len() as u32));
        let data = &mut self.parts[part.0 as usize];
        (data.end, data.leaves) = (end, leaves);
        if data.shape == Shape::Union {
            for inner in part.0 + 1..end.0 {
                self.parts[inner as usize].leaves = leaves;
            }
        }
    }

    pub(crate) fn lock(&mut self, leaves: Leaves, locked: bool) {
        self.locked[leaves.0.0 as usize..leaves.1.0 as usize].fill(locked);
    }

    pub(crate) fn is_locked(&self, leaves: Leaves) -> bool {
        self.locked[leaves.0.0 as usize..leaves.1.0 as usize].contains(&true)
    }

    /// All locked leaves, to ask functions about.
    pub(crate) fn locked_leaves(&self) -> impl Iterator<Item = Leaf> + '_ {
        self.locked.iter().enumerate().filter(|(_, locked)| **locked).map(|(at, _)| Leaf(at as u32))
    }

    /// The pointers and unions of a part, itself included, in order.
    pub(crate) fn slots_of(&self, part: Part) -> impl Iterator<Item = Slot> + '_ {
        let end = self.part(part).end;
        self.parts[part.0 as usize..end.0 as usize].iter().filter_map(|data| data.slot)
    }
}
