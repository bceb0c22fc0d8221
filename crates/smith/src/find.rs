//! Finding things that can be named here: variables, their parts, and what pointers lead to.
//!
//! A few are drawn and looked at, so that this costs the same however many there are.

use howler_lang::build;
use howler_lang::program::{BinaryOp, ExprId};
use howler_lang::source::Pos;
use howler_lang::ty::{Quals, Type};

use crate::features::Feature;
use crate::maker::{Made, Maker};
use crate::place::{Part, Shape, Step, Var};
use crate::plant::Fault;
use crate::sets::{Set, Target};
use crate::weights::Origin;

/// How many variables are looked at for a purpose before another way is taken.
const TRIES: u32 = 6;

/// Whether something of a type is wanted.
type Wanted<'w> = &'w dyn Fn(&Maker, Type) -> bool;

/// What an lvalue is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Read,
    /// To store what was made since this place of the log.
    Store(usize),
    /// To read it and to write it.
    Update,
}

/// An lvalue: how it is written, and which parts it may be.
#[derive(Debug)]
pub(crate) struct Lvalue {
    pub(crate) e: ExprId,
    /// One part if no pointer is followed, or if there is one thing only that it can point to.
    pub(crate) parts: Vec<Part>,
    /// Whether an assignment is one to the only part, all of it.
    pub(crate) exact: bool,
    /// Without qualifiers.
    pub(crate) ty: Type,
    pub(crate) volatile: bool,
}

/// An lvalue that was found, and is not written yet.
struct Plan {
    root: Root,
    /// The ways from the root down, by number among the kids.
    way: Vec<usize>,
    parts: Vec<Part>,
    quals: Quals,
    ty: Type,
}

enum Root {
    Var(Part),
    /// What a pointer points to, and what that may be.
    Through(Box<Plan>, Vec<Part>),
}

impl Maker<'_> {
    /// Something of a wanted type that may be used so here, or none. It is not used yet: see [`Maker::read`] and
    /// [`Maker::wrote`].
    pub(crate) fn lvalue(
        &mut self,
        wanted: &dyn Fn(&Maker, Type) -> bool,
        purpose: Use,
    ) -> Made<Option<Lvalue>> {
        for _ in 0..TRIES {
            if let Some(plan) = self.plan(wanted, purpose, 0) {
                return self.write_down(&plan).map(Some);
            }
        }
        Ok(None)
    }

    fn plan(&mut self, wanted: &dyn Fn(&Maker, Type) -> bool, purpose: Use, depth: u32) -> Option<Plan> {
        let follow =
            depth < 2 && self.has(Feature::Pointers) && self.choices.chance("through a pointer", 1, 4);
        let (root, view, quals, ty) = if follow {
            let pointer = self.plan(&|maker, ty| maker.leads_to(ty, wanted), Use::Read, depth + 1)?;
            let to = self.out.program.types.pointee(pointer.ty)?;
            let mut set = crate::sets::Sets::NONE;
            for &part in &pointer.parts {
                let state = self.peek(self.places.part(part).slot?);
                set = self.sets.union(set, state);
            }
            let view = self.followed(set, to)?;
            (Root::Through(Box::new(pointer), view.clone()), view, to.quals(), to.bare())
        } else {
            let var = self.some_var(purpose != Use::Read)?;
            let root = self.places.var(var).root;
            let data = self.places.part(root);
            (Root::Var(root), vec![root], data.quals, data.ty)
        };
        self.descend(root, view, (quals, ty), (wanted, purpose))
    }

    /// What a pointer leads to, if it may be followed; or if a fault is to be planted, and it may not.
    fn followed(&mut self, set: Set, to: Type) -> Option<Vec<Part>> {
        let parts: Vec<Part> = self.sets.parts(set).collect();
        if self.sets.is_sound(set) || !self.options.analysis && !parts.is_empty() {
            return Some(parts);
        }
        let plant = self.options.plant;
        let (chance, fault) = if self.sets.has(set, Target::NULL) {
            (plant.null, Fault::Null)
        } else {
            (plant.dangling, Fault::Dangling)
        };
        if chance == 0 || !self.choices.chance("plant", chance, 100) {
            return None;
        }
        let part = self.target_for(to, false)?;
        self.planted.push(fault);
        Some(vec![part])
    }

    /// Goes down from a root to something that is wanted.
    fn descend(
        &mut self,
        root: Root,
        mut view: Vec<Part>,
        (quals, mut ty): (Quals, Type),
        (wanted, purpose): (Wanted<'_>, Use),
    ) -> Option<Plan> {
        if purpose != Use::Read && quals.contains(Quals::CONST) {
            return None;
        }
        let volatile = quals.contains(Quals::VOLATILE);
        let mut way = Vec::new();
        loop {
            let kids = self.places.part(view[0]).kids.len();
            let scalar = kids == 0;
            if wanted(self, ty)
                && self.has_name(view[0])
                && (scalar || !volatile)
                && (scalar || !self.one_in("deeper", 2))
                && view.iter().all(|&part| self.may_use(part, volatile, purpose))
            {
                return Some(Plan { root, way, parts: view, quals, ty });
            }
            if scalar {
                return None;
            }
            let kid = if kids == 1 { 0 } else { self.choices.range("part", 0..=kids - 1) };
            way.push(kid);
            for part in &mut view {
                *part = *self.places.part(*part).kids.get(kid)?;
            }
            ty = self.places.part(view[0]).ty;
        }
    }

    fn may_use(&mut self, part: Part, volatile: bool, purpose: Use) -> bool {
        match purpose {
            Use::Read => self.may_read(part, volatile),
            Use::Store(start) => self.may_write(part, volatile, Some(start)),
            Use::Update => self.may_read(part, volatile) && self.may_write(part, volatile, None),
        }
    }

    /// Whether a pointer of this type may lead to something wanted.
    fn leads_to(&self, ty: Type, wanted: &dyn Fn(&Maker, Type) -> bool) -> bool {
        let types = &self.out.program.types;
        types.pointee(ty).is_some_and(|to| wanted(self, to.bare()) || types.as_record(to).is_some())
    }

    /// Writes an lvalue down; the pointers on its way are read.
    fn write_down(&mut self, plan: &Plan) -> Made<Lvalue> {
        let start = self.log.len();
        let (mut e, mut at) = match &plan.root {
            Root::Var(root) => {
                let object = self.places.of(*root).object;
                (self.out.lvalue(object), *root)
            }
            Root::Through(pointer, view) => {
                let lvalue = self.write_down(pointer)?;
                for &part in &lvalue.parts {
                    if let Some(slot) = self.places.part(part).slot {
                        self.state(slot);
                    }
                }
                let e = self.read(&lvalue);
                self.left -= 1;
                (self.out.deref(e)?, view[0])
            }
        };
        for &kid in &plan.way {
            at = self.places.part(at).kids[kid];
            // Indices stand beside what is indexed.
            self.log.beside(start);
            e = self.down(e, self.places.part(at).step)?;
            self.log.with();
        }
        let exact = plan.parts.len() == 1 && !self.places.part(plan.parts[0]).of_array;
        let volatile = plan.quals.contains(Quals::VOLATILE);
        Ok(Lvalue { e, parts: plan.parts.clone(), exact, ty: plan.ty, volatile })
    }

    /// One step down from an lvalue.
    fn down(&mut self, e: ExprId, step: Step) -> Made<ExprId> {
        self.left -= 2;
        match step {
            Step::Member(name, _) => build::member(&mut self.out.cx(), e, name, false, Pos::NONE),
            Step::Element(len) => {
                let index = self.index(len)?;
                self.out.index(e, index)
            }
            Step::Whole | Step::Inner(_) => Ok(e),
        }
    }

    /// Reads an lvalue.
    pub(crate) fn read(&mut self, lvalue: &Lvalue) -> ExprId {
        for &part in &lvalue.parts {
            self.note_read(part, lvalue.volatile);
        }
        lvalue.e
    }

    /// The states of what is read from an lvalue.
    pub(crate) fn states_of(&mut self, lvalue: &Lvalue) -> Vec<Set> {
        let mut sets = self.states(lvalue.parts[0]);
        for &part in &lvalue.parts[1..] {
            let more = self.states(part);
            sets = self.either(&sets, &more);
        }
        sets
    }

    /// An lvalue was assigned to.
    pub(crate) fn wrote(&mut self, lvalue: &Lvalue) {
        for &part in &lvalue.parts {
            self.note_write(part, lvalue.volatile, lvalue.exact);
        }
    }

    /// A part of a variable that can be named here for which `wanted` holds.
    pub(crate) fn find(&mut self, wanted: impl Fn(&Maker, Part) -> bool, global: bool) -> Option<Part> {
        for _ in 0..TRIES {
            let var = if global { self.some_global() } else { self.some_var(false) };
            let Some(var) = var else { continue };
            let mut part = self.places.var(var).root;
            loop {
                let kids = self.places.part(part).kids.len();
                if wanted(self, part) && self.has_name(part) && (kids == 0 || !self.one_in("deeper", 2)) {
                    return Some(part);
                }
                if kids == 0 {
                    break;
                }
                let kid = if kids == 1 { 0 } else { self.choices.range("part", 0..=kids - 1) };
                part = self.places.part(part).kids[kid];
            }
        }
        None
    }

    /// Whether a part can be written as an expression: what has no name cannot, though its parts can.
    fn has_name(&self, part: Part) -> bool {
        !matches!(self.places.part(part).step, Step::Inner(_))
    }

    fn some_global(&mut self) -> Option<Var> {
        let count = self.globals.len();
        if count == 0 {
            return None;
        }
        Some(self.globals[self.choices.range("global", 0..=count - 1)])
    }

    /// A variable that can be named here. To write to, those of file scope are the better ones: the checksum sees them.
    fn some_var(&mut self, write: bool) -> Option<Var> {
        let Some(frame) = self.frames.last() else { return self.some_global() };
        let params = !frame.params.is_empty();
        let possible = |origin: Origin| match origin {
            Origin::Parameter => params && !write,
            Origin::New => false,
            Origin::Global | Origin::Local => true,
        };
        match self.tables.draw_origin(&mut self.choices, possible).unwrap_or(Origin::Global) {
            Origin::Local => {
                let scopes = self.frame().scopes.len();
                let scope = self.choices.range("scope", 0..=scopes - 1);
                let vars = self.frame().scopes[scope].vars.len();
                if vars == 0 {
                    return self.some_global();
                }
                let var = self.choices.range("variable", 0..=vars - 1);
                Some(self.frame().scopes[scope].vars[var])
            }
            Origin::Parameter => {
                let count = self.frame().params.len();
                let param = self.choices.range("parameter", 0..=count - 1);
                Some(self.frame().params[param])
            }
            Origin::Global | Origin::New => self.some_global(),
        }
    }

    /// Something whose address a pointer to this type may have: of static duration if the pointer has. Made if need be.
    pub(crate) fn target_for(&mut self, to: Type, global: bool) -> Option<Part> {
        let found = self.find(
            |maker, part| {
                let data = maker.places.part(part);
                data.ty == to.bare()
                    && data.addressable
                    && to.quals().contains(data.quals)
                    && data.shape != Shape::Array
            },
            global,
        );
        if found.is_some() {
            return found;
        }
        // One that would need another that would need another is null.
        if self.globals.len() > self.limits.globals as usize || self.indirections(to) > 2 {
            return None;
        }
        // What is made has fewer qualifiers, or all of them.
        let ty = if self.one_in("bare", 2) { to.bare() } else { to };
        let var =
            if global || self.frames.is_empty() { self.global(ty).ok()? } else { self.local(ty).ok()? };
        Some(self.places.var(var).root)
    }

    pub(crate) fn indirections(&self, ty: Type) -> u32 {
        let mut depth = 0;
        let mut ty = ty;
        while let Some(to) = self.out.program.types.pointee(ty) {
            ty = to;
            depth += 1;
        }
        depth
    }

    /// The lvalue of a part by its name.
    pub(crate) fn path(&mut self, part: Part) -> Made<ExprId> {
        let start = self.log.len();
        self.path_with(part, &mut |maker, len| {
            maker.log.beside(start);
            let index = maker.index(len);
            maker.log.with();
            index
        })
    }

    /// The lvalue of a part by its name, with constants as indices.
    pub(crate) fn constant_path(&mut self, part: Part) -> Made<ExprId> {
        self.path_with(part, &mut |maker, len| {
            let index = maker.choices.range("index", 0..=len - 1);
            maker.out.int(i128::from(index))
        })
    }

    pub(crate) fn path_with(
        &mut self,
        part: Part,
        index: &mut dyn FnMut(&mut Self, u32) -> Made<ExprId>,
    ) -> Made<ExprId> {
        let data = self.places.part(part);
        let (parent, step, var) = (data.parent, data.step, data.var);
        let Some(parent) = parent else {
            let object = self.places.var(var).object;
            return Ok(self.out.lvalue(object));
        };
        let base = self.path_with(parent, index)?;
        match step {
            Step::Member(name, _) => build::member(&mut self.out.cx(), base, name, false, Pos::NONE),
            Step::Element(len) => {
                let index = index(self, len)?;
                self.out.index(base, index)
            }
            Step::Whole | Step::Inner(_) => Ok(base),
        }
    }

    /// An index below a length.
    pub(crate) fn index(&mut self, len: u32) -> Made<ExprId> {
        if len == 1 {
            return self.out.int(0);
        }
        if !self.frames.is_empty() {
            if self.choices.chance("by a counter", 2, 3)
                && let Some(e) = self.index_by_counter(len)?
            {
                return Ok(e);
            }
            if self.has(Feature::Div)
                && self.one_in("by a remainder", 5)
                && let Some(e) = self.index_by_remainder(len)?
            {
                return Ok(e);
            }
        }
        let plant = self.options.plant.bounds;
        if plant > 0 && self.choices.chance("plant", plant, 100) {
            self.planted.push(Fault::Bounds);
            return self.out.int(i128::from(len));
        }
        let index = self.choices.range("index", 0..=len - 1);
        self.out.int(i128::from(index))
    }

    /// A counter of a loop, or a sum or difference of one and a constant.
    fn index_by_counter(&mut self, len: u32) -> Made<Option<ExprId>> {
        let len = i128::from(len);
        let frame = self.frames.last().expect("the caller asked");
        let fits: Vec<_> = frame.counters.iter().filter(|c| c.is_below(len)).copied().collect();
        let Some(&counter) = self.choices.pick("counter", &fits) else { return Ok(None) };
        let e = self.path(counter.part)?;
        self.left -= 2;
        if self.one_in("backwards", 4) {
            // c - i, from 0 to len - 1
            let constant = self.choices.range("offset", counter.high..=len - 1 + counter.low);
            let constant = self.out.int(constant)?;
            return self.out.binary(BinaryOp::Sub, constant, e).map(Some);
        }
        let offset = self.choices.range("offset", -counter.low..=len - 1 - counter.high);
        if offset == 0 {
            return Ok(Some(e));
        }
        let (op, size) = if offset < 0 { (BinaryOp::Sub, -offset) } else { (BinaryOp::Add, offset) };
        let size = self.out.int(size)?;
        self.out.binary(op, e, size).map(Some)
    }

    /// An unsigned number and its remainder by the length.
    fn index_by_remainder(&mut self, len: u32) -> Made<Option<ExprId>> {
        let unsigned = [Type::UCHAR, Type::USHORT, Type::UINT, Type::ULONG];
        let wanted = |_: &Maker, ty: Type| unsigned.contains(&ty);
        let Some(lvalue) = self.lvalue(&wanted, Use::Read)? else { return Ok(None) };
        // A bit-field narrower than int becomes an int.
        let e = self.read(&lvalue);
        self.left -= 2;
        if len.is_power_of_two() && self.one_in("mask", 2) {
            let mask = self.out.int(i128::from(len - 1))?;
            return self.out.binary(BinaryOp::BitAnd, e, mask).map(Some);
        }
        let len = self.out.int(i128::from(len))?;
        self.out.binary(BinaryOp::Rem, e, len).map(Some)
    }
}
