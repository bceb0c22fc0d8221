//! The maker of one program: what it has made so far, and what is known at the point where it is.

use howler_choices::Choices;
use howler_lang::build::{self, Violation};
use howler_lang::compose::{Composer, Value};
use howler_lang::program::{ExprId, FuncId, Linkage, StmtId};
use howler_lang::source::Pos;
use howler_lang::ty::{Len, Type, TypeKind};

use crate::effects::{Log, Touched};
use crate::facts::{Facts, Initial};
use crate::options::Options;
use crate::place::{Part, Places, Slot, Step, Var};
use crate::safe::Wrappers;
use crate::sets::{Set, Sets};

/// What was made, or why `lang` refuses it, which is a fault of the maker.
pub(crate) type Made<T> = Result<T, Box<Violation>>;

/// A block under construction.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) vars: Vec<Var>,
    /// The declarations, which come before all else.
    pub(crate) declared: Vec<StmtId>,
}

/// A function under construction.
pub(crate) struct Frame {
    pub(crate) scopes: Vec<Scope>,
    /// Parts with smaller numbers were there before the call.
    pub(crate) before: Part,
    /// The facts at its beginning.
    pub(crate) entry: Facts,
    /// The pointers of others that it reads, and those it assigns to.
    pub(crate) needs: Vec<Slot>,
    pub(crate) assigns: Vec<Slot>,
    pub(crate) touched: Touched,
    /// The facts at its returns.
    pub(crate) exits: Option<Facts>,
    pub(crate) func: FuncId,
    /// Steps that one run of it takes, as far as it is made.
    pub(crate) cost: u64,
    /// How often the point where the maker is runs for each run of the function.
    pub(crate) times: u64,
    /// Loops around that point.
    pub(crate) loops: u32,
}

/// A loop, or a label that is jumped back to: what holds at its head holds in every round.
pub(crate) struct Head {
    /// Parts with smaller numbers were there before.
    pub(crate) before: Part,
    /// The pointers that may be assigned to, with what they may point to.
    pub(crate) free: Vec<(Slot, Set)>,
}

/// A function that is made.
pub(crate) struct Done {
    pub(crate) func: FuncId,
    pub(crate) params: Vec<(Type, Set)>,
    /// What it takes pointers to point to, and what they point to after it.
    pub(crate) needs: Vec<(Slot, Set)>,
    pub(crate) leaves: Vec<(Slot, Set)>,
    pub(crate) touched: Touched,
    pub(crate) cost: u64,
}

pub(crate) struct Maker<'o> {
    pub(crate) options: &'o Options,
    pub(crate) choices: Choices,
    pub(crate) out: Composer,
    pub(crate) places: Places,
    pub(crate) sets: Sets,
    pub(crate) initial: Initial,
    pub(crate) facts: Facts,
    pub(crate) globals: Vec<Var>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) heads: Vec<Head>,
    pub(crate) done: Vec<Done>,
    pub(crate) log: Log,
    /// The expressions around the calls whose functions are under construction: what they do has no order with these.
    pub(crate) ambient: Vec<Log>,
    pub(crate) wrappers: Wrappers,
    pub(crate) records: Vec<Type>,
    /// Tokens still to be written, about.
    pub(crate) left: i64,
    /// Steps that the program may still take, about.
    pub(crate) steps: u64,
    pub(crate) names: u32,
}

impl<'o> Maker<'o> {
    pub(crate) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}_{}", self.names)
    }

    pub(crate) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is under construction")
    }

    /// The point where the maker is costs so many steps each time it is reached.
    pub(crate) fn costs(&mut self, steps: u64) {
        let all = self.times().saturating_mul(steps);
        self.steps = self.steps.saturating_sub(all);
        if let Some(frame) = self.frames.last_mut() {
            frame.cost = frame.cost.saturating_add(frame.times.saturating_mul(steps));
        }
    }

    pub(crate) fn one_in(&mut self, name: &'static str, count: u32) -> bool {
        self.choices.chance(name, 1, count)
    }

    /// Adds the parts of a variable.
    fn grow(&mut self, var: Var, parent: Option<Part>, step: Step, (ty, bit_field): (Type, bool)) {
        let types = &self.out.program.types;
        match types.kind(ty) {
            TypeKind::Record(id) => {
                let fields: Vec<_> = (types.records[id].fields.iter())
                    .filter_map(|field| Some((field.name?, field.ty, field.bits.is_some())))
                    .collect();
                let part = self.places.add_part(var, parent, step, (ty, false), (false, false));
                for (name, ty, bits) in fields {
                    self.grow(var, Some(part), Step::Member(name), (ty, bits));
                }
                self.places.close(part);
            }
            TypeKind::Array { elem, len: Len::Fixed(len) } => {
                let part = self.places.add_part(var, parent, step, (ty, false), (false, false));
                let len = u32::try_from(len).unwrap_or(u32::MAX);
                self.grow(var, Some(part), Step::Element(len), (elem, false));
                self.places.close(part);
            }
            TypeKind::Pointer(_) => {
                self.places.add_part(var, parent, step, (ty, bit_field), (true, true));
            }
            _ => {
                self.places.add_part(var, parent, step, (ty, bit_field), (true, false));
            }
        }
    }

    /// A new variable of file scope.
    pub(crate) fn global(&mut self, ty: Type) -> Made<Var> {
        let name = self.name("g");
        let (value, sets) = self.initial_value(ty, true)?;
        let object = self.out.global(&name, ty, Linkage::Internal, Some(&value))?;
        let var = self.places.add_var(object, true);
        self.grow(var, None, Step::Whole, (ty, false));
        self.begin_facts(var, &sets);
        self.globals.push(var);
        Ok(var)
    }

    /// A new variable of the block that is so many blocks further out.
    pub(crate) fn local(&mut self, ty: Type, out: usize) -> Made<Var> {
        let name = self.name("l");
        let (value, sets) = self.initial_value(ty, false)?;
        let (object, declared) = self.out.local(&name, ty, Some(&value))?;
        let var = self.places.add_var(object, false);
        self.grow(var, None, Step::Whole, (ty, false));
        self.begin_facts(var, &sets);
        let frame = self.frame();
        let at = frame.scopes.len() - 1 - out;
        frame.scopes[at].vars.push(var);
        frame.scopes[at].declared.push(declared);
        self.costs(2);
        self.left -= 6;
        Ok(var)
    }

    /// What the pointers in a new variable point to, in the order of its leaves.
    fn begin_facts(&mut self, var: Var, sets: &[Set]) {
        let first = self.places.var(var).root;
        let mut at = 0;
        for part in first.0..self.places.parts.len() as u32 {
            if let Some(slot) = self.places.part(Part(part)).slot {
                let set = sets.get(at).copied().unwrap_or(Sets::NULL);
                self.initial.set(slot, set);
                at += 1;
            }
        }
    }

    /// A value to begin with, and what its pointers point to.
    fn initial_value(&mut self, ty: Type, global: bool) -> Made<(Value, Vec<Set>)> {
        let types = &self.out.program.types;
        Ok(match types.kind(ty) {
            TypeKind::Record(id) => {
                let fields: Vec<(Type, Option<u8>)> = (types.records[id].fields.iter())
                    .filter(|field| field.name.is_some())
                    .map(|field| (field.ty, field.bits))
                    .collect();
                let (mut list, mut sets) = (Vec::new(), Vec::new());
                for (ty, bits) in fields {
                    let (value, more) = match bits {
                        Some(width) => {
                            let bits = self.choices.bits("bit-field", u32::from(width));
                            (Value::Bits(bits), Vec::new())
                        }
                        None => self.initial_value(ty, global)?,
                    };
                    list.push(value);
                    sets.extend(more);
                }
                (Value::List(list), sets)
            }
            TypeKind::Array { elem, len: Len::Fixed(len) } => {
                let count = len.min(self.choices.range("elements", 1..=4));
                let (mut list, mut all) = (Vec::new(), Vec::new());
                for _ in 0..count {
                    let (value, sets) = self.initial_value(elem, global)?;
                    list.push(value);
                    // All elements are one part: what one points to, any may.
                    all.resize(sets.len().max(all.len()), Sets::NONE);
                    for (known, set) in all.iter_mut().zip(sets) {
                        *known = self.sets.union(*known, set);
                    }
                }
                if count < len {
                    all.iter_mut().for_each(|set| *set = self.sets.union(*set, Sets::NULL));
                }
                (Value::List(list), all)
            }
            TypeKind::Pointer(to) => {
                let target = if self.one_in("null", 8) { None } else { self.target_for(to, global) };
                match target {
                    Some(part) => {
                        let e = self.path(part)?;
                        let set = self.sets.one(part);
                        (Value::Expr(self.out.address(e)?), vec![set])
                    }
                    None => (Value::Zero, vec![Sets::NULL]),
                }
            }
            _ => (Value::Bits(self.number(ty)), Vec::new()),
        })
    }

    /// Something of this type whose address can be taken, to point to: of file scope if the pointer is. Made if need be.
    pub(crate) fn target_for(&mut self, ty: Type, global: bool) -> Option<Part> {
        let found = self.find(
            |maker, part| {
                let data = maker.places.part(part);
                data.ty == ty && !data.bit_field && !maker.has_element(part) && !maker.places.of(part).fixed
            },
            global,
        );
        if found.is_some() {
            return found;
        }
        // One that would need another that would need another is null.
        let depth = self.indirections(ty);
        if self.globals.len() > self.options.most_globals || depth > 2 {
            return None;
        }
        let var = if global { self.global(ty).ok()? } else { self.local(ty, 0).ok()? };
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

    /// Whether it is reached through an element of an array.
    pub(crate) fn has_element(&self, part: Part) -> bool {
        let mut at = Some(part);
        while let Some(part) = at {
            let data = self.places.part(part);
            if matches!(data.step, Step::Element(_)) {
                return true;
            }
            at = data.parent;
        }
        false
    }

    /// A part of a variable that can be named here for which `wanted` holds: a few are drawn, so that this costs the same
    /// however many there are.
    pub(crate) fn find(&mut self, wanted: impl Fn(&Maker, Part) -> bool, global: bool) -> Option<Part> {
        for _ in 0..TRIES {
            let Some(var) = self.some_var(global) else { continue };
            let mut part = self.places.var(var).root;
            loop {
                let kids = self.places.part(part).kids.len();
                let stop = wanted(self, part) && (kids == 0 || !self.one_in("deeper", 2));
                if stop {
                    return Some(part);
                }
                if kids == 0 {
                    break;
                }
                let kid = self.choices.range("part", 0..=kids - 1);
                part = self.places.part(part).kids[kid];
            }
        }
        None
    }

    /// A variable that can be named here.
    fn some_var(&mut self, global: bool) -> Option<Var> {
        let local = !global && !self.frames.is_empty() && self.choices.chance("local", 60, 100);
        if local {
            let scopes = self.frame().scopes.len();
            let scope = self.choices.range("scope", 0..=scopes - 1);
            let vars = self.frame().scopes[scope].vars.len();
            if vars > 0 {
                let var = self.choices.range("variable", 0..=vars - 1);
                return Some(self.frame().scopes[scope].vars[var]);
            }
        }
        let count = self.globals.len();
        if count == 0 {
            return None;
        }
        Some(self.globals[self.choices.range("global", 0..=count - 1)])
    }

    /// The lvalue of a part, without elements of arrays.
    pub(crate) fn path(&mut self, part: Part) -> Made<ExprId> {
        let data = self.places.part(part);
        let (parent, step, var) = (data.parent, data.step, data.var);
        match (parent, step) {
            (Some(parent), Step::Member(name)) => {
                let base = self.path(parent)?;
                build::member(&mut self.out.cx(), base, name, false, Pos::NONE)
            }
            (Some(parent), Step::Element(len)) => {
                let base = self.path(parent)?;
                let index = self.index(len)?;
                self.out.index(base, index)
            }
            _ => {
                let object = self.places.var(var).object;
                Ok(self.out.lvalue(object))
            }
        }
    }

    /// An index below a length.
    fn index(&mut self, len: u32) -> Made<ExprId> {
        if !self.frames.is_empty() && self.choices.chance("by a counter", 2, 3) {
            let counter = self.counter_below(len);
            if let Some(var) = counter {
                let object = self.places.var(var).object;
                return Ok(self.out.lvalue(object));
            }
        }
        let index = self.choices.range("index", 0..=len - 1);
        self.out.int(i128::from(index))
    }

    fn counter_below(&mut self, len: u32) -> Option<Var> {
        let frame = self.frames.last()?;
        let fits = |var: &&Var| {
            let data = self.places.var(**var);
            data.below > 0 && data.below <= len
        };
        frame.scopes.iter().rev().flat_map(|scope| &scope.vars).find(fits).copied()
    }

    /// The bits of a number of an integer type: small ones, edges, and any.
    pub(crate) fn number(&mut self, ty: Type) -> u128 {
        let program = &self.out.program;
        let Some(num) = howler_lang::arith::num_of(&program.types, &program.target, ty) else { return 0 };
        let width = num.width();
        match self.choices.range("number", 0..=7u32) {
            0 => 0,
            1 => 1,
            2 => num.bits(-1),
            3 => num.bits(1 << (width - 1)) & ((1u128 << width) - 1),
            4 => (1u128 << (width - 1)) - 1,
            5 | 6 => self.choices.bits("small", 8.min(width)) & ((1u128 << (width - 1)) - 1),
            _ => self.choices.bits("any", width),
        }
    }
}

/// How many variables are looked at for a purpose before another way is taken.
const TRIES: u32 = 6;
