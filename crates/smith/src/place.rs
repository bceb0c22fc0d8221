//! Places: everything of a program that can be read, written or pointed to, as a tree of parts.
//!
//! A variable is a tree: a struct has a part for each member, an array one for all its elements together. Scalars are the
//! leaves; effects are sets of leaves, and a pointer's targets are parts.

use howler_lang::program::ObjId;
use howler_lang::symbol::Symbol;
use howler_lang::ty::Type;

/// A part of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Part(pub(crate) u32);

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Var(pub(crate) u32);

/// A scalar part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Leaf(pub(crate) u32);

/// A pointer that is somewhere: what it points to is a fact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Slot(pub(crate) u32);

/// How a part is reached from what it is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// It is the variable itself.
    Whole,
    /// A member.
    Member(Symbol),
    /// Any element of an array with so many.
    Element(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct PartData {
    pub(crate) ty: Type,
    pub(crate) step: Step,
    pub(crate) parent: Option<Part>,
    pub(crate) var: Var,
    /// The parts that it has, which follow each other.
    pub(crate) kids: Vec<Part>,
    /// The leaves in it: from here to there.
    pub(crate) leaves: (Leaf, Leaf),
    /// The pointer that it is, if it is one.
    pub(crate) slot: Option<Slot>,
    /// A bit-field has no address.
    pub(crate) bit_field: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct VarData {
    pub(crate) object: ObjId,
    pub(crate) root: Part,
    /// It has static storage duration: it is there before and after all else.
    pub(crate) global: bool,
    /// Nothing may assign to it: a counter of a loop, a constant.
    pub(crate) fixed: bool,
    /// For a counter of a loop: its values are below this.
    pub(crate) below: u32,
    /// Its scope has ended.
    pub(crate) dead: bool,
}

/// All of them.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) parts: Vec<PartData>,
    pub(crate) vars: Vec<VarData>,
    /// The part of each pointer.
    pub(crate) slots: Vec<Part>,
    leaves: u32,
    /// The part of each leaf.
    pub(crate) leaf_parts: Vec<Part>,
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

    pub(crate) fn is_global_leaf(&self, leaf: Leaf) -> bool {
        self.is_global(self.leaf_parts[leaf.0 as usize])
    }

    /// A new variable, without parts: [`Places::grow`] adds them.
    pub(crate) fn add_var(&mut self, object: ObjId, global: bool) -> Var {
        let var = Var(self.vars.len() as u32);
        let root = Part(self.parts.len() as u32);
        self.vars.push(VarData { object, root, global, fixed: false, below: 0, dead: false });
        var
    }

    /// A new part of a variable; `scalar` ones are leaves, pointers have a slot.
    pub(crate) fn add_part(
        &mut self,
        var: Var,
        parent: Option<Part>,
        step: Step,
        (ty, bit_field): (Type, bool),
        (scalar, pointer): (bool, bool),
    ) -> Part {
        let part = Part(self.parts.len() as u32);
        let first = Leaf(self.leaves);
        if scalar {
            self.leaves += 1;
            self.leaf_parts.push(part);
        }
        let slot = pointer.then(|| {
            self.slots.push(part);
            Slot(self.slots.len() as u32 - 1)
        });
        let leaves = (first, Leaf(self.leaves));
        self.parts.push(PartData { ty, step, parent, var, kids: Vec::new(), leaves, slot, bit_field });
        if let Some(parent) = parent {
            self.parts[parent.0 as usize].kids.push(part);
        }
        part
    }

    /// All leaves of a part are known now.
    pub(crate) fn close(&mut self, part: Part) {
        self.parts[part.0 as usize].leaves.1 = Leaf(self.leaves);
    }
}
