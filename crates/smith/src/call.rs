//! Calls: of functions that are made, if what they take for granted holds here; otherwise of new ones, made on the spot.

use howler_lang::compose::signature;
use howler_lang::program::{ExprId, FuncId, Linkage};
use howler_lang::ty::Type;

use crate::effects::{self, Deed, Touched};
use crate::maker::{Done, Frame, Made, Maker, Scope};
use crate::place::{Part, Step};
use crate::sets::{Set, Sets};

/// How deep calls go.
const DEEPEST: usize = 8;

impl Maker<'_> {
    /// A call that gives an integer; none if there is no function to call here.
    pub(crate) fn call(&mut self, depth: u32) -> Made<Option<ExprId>> {
        let count = self.done.len();
        if count > 0 && (self.choices.chance("known function", 1, 2) || !self.room_for_function()) {
            for _ in 0..4 {
                let at = self.choices.range("function", 0..=count - 1);
                if let Some(e) = self.call_known(at, depth)? {
                    return Ok(Some(e));
                }
            }
        }
        if self.room_for_function() { self.call_new(depth).map(Some) } else { Ok(None) }
    }

    fn room_for_function(&self) -> bool {
        self.done.len() + self.frames.len() < self.options.functions as usize
            && self.frames.len() < DEEPEST
            && self.left > 40
            && self.times() < 200
    }

    /// How often the point where the maker is runs in a run of the program, at most.
    pub(crate) fn times(&self) -> u64 {
        self.frames.iter().fold(1u64, |all, frame| all.saturating_mul(frame.times))
    }

    /// A call of a function that is made, if it may stand here.
    fn call_known(&mut self, at: usize, depth: u32) -> Made<Option<ExprId>> {
        let done = &self.done[at];
        if self.times().saturating_mul(done.cost) > self.steps / 2 {
            return Ok(None);
        }
        let touched = done.touched.clone();
        let clashes = |func: u32, other: &Touched| effects::clash(&self.done[func as usize].touched, other);
        if !self.log.may_call(&touched, clashes)
            || !self.ambient.iter().all(|log| log.may_call(&touched, clashes))
        {
            return Ok(None);
        }
        // Whatever it was made for must hold: then all that it does is sound here as well.
        let needs = done.needs.clone();
        for (slot, set) in needs {
            let here = self.points_to(slot);
            if !self.sets.is_below(here, set) {
                return Ok(None);
            }
        }
        let leaves = self.done[at].leaves.clone();
        for &(slot, set) in &leaves {
            if !self.may_point(slot, set) {
                return Ok(None);
            }
        }
        // Pointers are handed over as they were the first time, or by another that points to no more.
        let params = self.done[at].params.clone();
        let mut pointers = Vec::with_capacity(params.len());
        for &(ty, set) in &params {
            let arg = if self.places_pointer(ty) { self.pointer_within(ty, set)? } else { None };
            if self.places_pointer(ty) && arg.is_none() {
                return Ok(None);
            }
            pointers.push(arg);
        }
        let before = self.facts.clone();
        let start = self.log.len();
        let mut args = Vec::with_capacity(params.len());
        for pointer in pointers {
            self.log.beside(start);
            let arg = match pointer {
                Some(arg) => arg,
                None => self.int_expr(depth.min(2) - 1)?,
            };
            self.log.with();
            args.push(arg);
        }
        // The arguments may have changed what the function needs.
        let needs = self.done[at].needs.clone();
        for (slot, set) in needs {
            let here = self.points_to(slot);
            if !self.sets.is_below(here, set) {
                // They are dropped, and nothing of what they would have done happens.
                self.facts = before;
                return Ok(None);
            }
        }
        for (slot, set) in leaves {
            self.point(slot, set, true);
        }
        self.called(at as u32, &touched);
        let cost = self.done[at].cost;
        self.costs(cost + 6);
        let func = self.done[at].func;
        self.left -= 3;
        self.out.call_of(func, &args).map(Some)
    }

    fn called(&mut self, at: u32, touched: &Touched) {
        self.log.push(Deed::Call(at));
        self.frames.iter_mut().for_each(|frame| frame.touched.add(touched));
    }

    fn places_pointer(&self, ty: Type) -> bool {
        self.out.program.types.pointee(ty).is_some()
    }

    /// A pointer that points to nothing but what a set has.
    fn pointer_within(&mut self, ty: Type, set: Set) -> Made<Option<ExprId>> {
        let here: Vec<Part> = self.sets.parts(set).filter(|&part| self.can_name(part)).collect();
        let Some(&part) = self.choices.pick("target", &here) else {
            return if self.sets.has(set, crate::sets::Target::NULL) {
                self.out.null(ty).map(Some)
            } else {
                Ok(None)
            };
        };
        if self.has_element(part) {
            return Ok(None);
        }
        let e = self.path(part)?;
        self.out.address(e).map(Some)
    }

    /// Whether a part can be named here.
    fn can_name(&self, part: Part) -> bool {
        let var = self.places.part(part).var;
        let data = self.places.var(var);
        if data.dead {
            return false;
        }
        data.global
            || self
                .frames
                .last()
                .is_some_and(|frame| frame.scopes.iter().any(|scope| scope.vars.contains(&var)))
    }

    /// A new function and its first call.
    fn call_new(&mut self, depth: u32) -> Made<ExprId> {
        let name = self.name("func");
        let returns = self.int_type();
        let count = self.choices.range("parameters", 0..=4u32);
        let mut types = Vec::new();
        for _ in 0..count {
            let int = self.int_type();
            types.push(if self.options.pointers && self.one_in("pointer parameter", 4) {
                self.out.pointer(int)?
            } else {
                int
            });
        }
        // The arguments come first: what is in them is known when the body is made.
        let start = self.log.len();
        let (mut args, mut sets) = (Vec::new(), Vec::new());
        for &ty in &types {
            self.log.beside(start);
            let (arg, set) = if self.places_pointer(ty) {
                self.pointer_value(ty, false)?
            } else {
                (self.int_expr(depth.min(2) - 1)?, Sets::NONE)
            };
            self.log.with();
            args.push(arg);
            sets.push(set);
        }
        let func = self.out.function(&name, signature(returns, &types), Linkage::Internal)?;
        let at = self.function(func, &types, &sets)?;
        let touched = self.done[at].touched.clone();
        self.called(at as u32, &touched);
        // What one run of it costs here was counted while it was made; who calls here costs that, too.
        let cost = self.done[at].cost;
        let frame = self.frame();
        frame.cost = frame.cost.saturating_add(frame.times.saturating_mul(cost + 6));
        self.left -= 3;
        self.out.call_of(func, &args)
    }

    /// Makes the body of a function for arguments that point to this. The facts are those after a call of it.
    pub(crate) fn function(&mut self, func: FuncId, types: &[Type], sets: &[Set]) -> Made<usize> {
        let log = std::mem::take(&mut self.log);
        self.ambient.push(log);
        // A part of what is left: who calls has something to say, too.
        let whole = self.left;
        if !self.frames.is_empty() {
            let part = self.choices.range("share", 15..=50i64);
            self.left = (whole * part / 100).max(60);
        }
        let share = self.left;
        let before = Part(self.places.parts.len() as u32);
        self.frames.push(Frame {
            scopes: vec![Scope::default()],
            before,
            entry: self.facts.clone(),
            needs: Vec::new(),
            assigns: Vec::new(),
            touched: Touched::default(),
            exits: None,
            func,
            cost: 4,
            times: 1,
            loops: 0,
        });
        let mut params = Vec::new();
        for (&ty, &set) in types.iter().zip(sets) {
            let name = self.name("p");
            let object = self.out.param(&name, ty);
            params.push(object);
            let var = self.places.add_var(object, false);
            let pointer = self.places_pointer(ty);
            let part = self.places.add_part(var, None, Step::Whole, (ty, false), (true, pointer));
            if let Some(slot) = self.places.part(part).slot {
                self.initial.set(slot, set);
            }
            self.frame().scopes[0].vars.push(var);
        }
        let mut body = self.block_body(0)?;
        // The first function goes on until the program is as large as it should be.
        while self.frames.len() == 1 && self.left > 0 {
            body.extend(self.block_body(0)?);
        }
        self.log.clear();
        let value = self.int_expr(2)?;
        body.push(self.out.returns(func, Some(value))?);
        // All ways out.
        if let Some(exits) = self.frame().exits.take() {
            self.join(exits);
        }
        let frame = self.frames.pop().expect("it was pushed above");
        let scope = frame.scopes.into_iter().next().unwrap_or_default();
        self.end(&scope);
        let mut statements = scope.declared;
        statements.extend(body);
        self.out.define(func, params, &statements)?;
        let mut touched = frame.touched;
        let places = &self.places;
        touched.only_before(|leaf| effects::is_foreign(places, leaf, before.0));
        let needs = frame.needs.iter().map(|&slot| (slot, frame.entry.get(&self.initial, slot))).collect();
        let leaves = frame.assigns.iter().map(|&slot| (slot, self.facts.get(&self.initial, slot))).collect();
        self.done.push(Done {
            func,
            params: types.iter().copied().zip(sets.iter().copied()).collect(),
            needs,
            leaves,
            touched,
            cost: frame.cost,
        });
        self.log = self.ambient.pop().unwrap_or_default();
        self.left = whole - (share - self.left);
        Ok(self.done.len() - 1)
    }
}
