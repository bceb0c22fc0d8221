//! Calls: of functions that are made, if what they rely on holds here; otherwise of new ones, made on the spot.

use howler_lang::program::{BinaryOp, ExprId, FuncId};
use howler_lang::ty::Type;

use crate::effects::{self, Deed, Touched};
use crate::features::Feature;
use crate::maker::{Form, Known, Made, Maker, Param};
use crate::place::Part;
use crate::sets::{Set, Target};

/// How deep calls of functions under construction go.
const DEEPEST: usize = 8;

impl Maker<'_> {
    /// A call that gives a value of a type, any integer type if it is one; none if there is no function to call here.
    pub(crate) fn call(&mut self, ty: Type, depth: u32) -> Made<Option<Known>> {
        let count = self.done.len();
        let new = self.room_for_function();
        if count > 0 && (self.choices.chance("known function", 2, 3) || !new) {
            for _ in 0..4 {
                let at = self.choices.range("function", 0..=count - 1);
                if self.gives(self.done[at].returns, ty)
                    && let Some(known) = self.call_known(at, depth)?
                {
                    return Ok(Some(known));
                }
            }
        }
        if new { self.call_new(ty, depth).map(Some) } else { Ok(None) }
    }

    pub(crate) fn gives(&self, returns: Type, ty: Type) -> bool {
        let types = &self.out.program.types;
        returns == ty.bare() || types.is_integer(returns) && types.is_integer(ty)
    }

    fn room_for_function(&self) -> bool {
        let share = u64::from(self.limits.functions) + 1;
        self.done.len() + self.frames.len() < self.limits.functions as usize
            && self.frames.len() < DEEPEST
            && self.left > 60
            && self.times().saturating_mul(400 * share) < self.steps
    }

    /// Whether a function may be called here, as far as effects go.
    fn may_call(&self, touched: &Touched) -> bool {
        if touched.writes_one(self.places.locked_leaves()) {
            return false;
        }
        if !self.options.analysis {
            return true;
        }
        let clashes = |func: u32, other: &Touched| effects::clash(&self.done[func as usize].touched, other);
        self.log.may_call(touched, clashes) && self.ambient.iter().all(|log| log.may_call(touched, clashes))
    }

    /// A call of a function that is made, if it may stand here.
    fn call_known(&mut self, at: usize, depth: u32) -> Made<Option<Known>> {
        let func = self.done[at].func;
        self.call_one_of(&[at], depth, &mut |maker| maker.callee(func))
    }

    /// A call that reaches one of these functions, which have the same type, if each of them may be called here.
    pub(crate) fn call_one_of(
        &mut self,
        targets: &[usize],
        depth: u32,
        callee: &mut dyn FnMut(&mut Self) -> Made<ExprId>,
    ) -> Made<Option<Known>> {
        let all: Vec<Touched> = targets.iter().map(|&at| self.done[at].touched.clone()).collect();
        for (&at, touched) in targets.iter().zip(&all) {
            if !self.affords(self.done[at].cost.saturating_mul(3))
                || !self.may_call(touched)
                || !self.needs_hold(at)
                || !self.may_leave(at)
            {
                return Ok(None);
            }
        }
        let before = self.facts.clone();
        let start = self.log.len();
        // What is called is found out beside the arguments.
        let callee = callee(self)?;
        let (params, form) = self.common(targets);
        self.log.beside(start);
        let args = self.arguments(&params, form, depth)?;
        self.log.with();
        // The arguments may have changed what the functions rely on.
        let Some(args) = args.filter(|_| targets.iter().all(|&at| self.needs_hold(at))) else {
            // They are dropped, and nothing of what they would have done happens.
            self.facts = before;
            return Ok(None);
        };
        let mut cost = 0;
        let mut sets = Maker::no_sets(self.done[targets[0]].results.len());
        for (&at, touched) in targets.iter().zip(&all) {
            for (slot, set) in self.done[at].leaves.clone() {
                self.becomes(slot, set, true);
            }
            self.called(at as u32, touched);
            cost = self.done[at].cost.max(cost);
            let results = self.done[at].results.clone();
            sets = self.either(&sets, &results);
        }
        self.costs(cost + 6);
        self.left -= 3;
        Ok(Some(Known { e: self.out.call_through(callee, &args)?, sets }))
    }

    /// Whether what a function leaves behind is allowed here.
    fn may_leave(&mut self, at: usize) -> bool {
        let leaves = std::mem::take(&mut self.done[at].leaves);
        let may = leaves.iter().all(|&(slot, set)| self.may_become(slot, set));
        self.done[at].leaves = leaves;
        may
    }

    /// What all of these functions take: their parameters' states, and how deep they may go.
    fn common(&mut self, targets: &[usize]) -> (Vec<Param>, Form) {
        let mut params = self.done[targets[0]].params.clone();
        let mut form = self.done[targets[0]].form;
        for &at in &targets[1..] {
            for (param, other) in params.iter_mut().zip(&self.done[at].params) {
                for (set, &other) in param.sets.iter_mut().zip(&other.sets) {
                    *set = self.sets.common(*set, other);
                }
            }
            form.deepest = match (form.deepest, self.done[at].form.deepest) {
                (Some(one), Some(two)) => Some(one.min(two)),
                (one, two) => one.or(two),
            };
        }
        (params, form)
    }

    /// Whether all that a function relies on is so here. Then all that it does is sound here as well.
    fn needs_hold(&mut self, at: usize) -> bool {
        let needs = std::mem::take(&mut self.done[at].needs);
        let hold = needs.iter().all(|&(slot, set)| {
            let here = self.state(slot);
            self.sets.is_below(here, set)
        });
        self.done[at].needs = needs;
        hold
    }

    /// A function, to call it.
    fn callee(&mut self, func: FuncId) -> Made<ExprId> {
        let designator = self.out.designator(func);
        if self.has(Feature::FunctionPointers) && self.one_in("through a pointer", 8) {
            let pointer = self.out.address(designator)?;
            return self.out.deref(pointer);
        }
        Ok(designator)
    }

    /// Arguments that are within what a function was made for; none if there are none.
    fn arguments(&mut self, params: &[Param], form: Form, depth: u32) -> Made<Option<Vec<ExprId>>> {
        let start = self.log.len();
        let mut args = Vec::with_capacity(params.len());
        for (at, param) in params.iter().enumerate() {
            self.log.beside(start);
            let arg = match form.deepest {
                Some(deepest) if at == 0 => {
                    let depth = self.choices.range("deep", 0..=i128::from(deepest));
                    Some(self.out.int(depth)?)
                }
                _ => self.argument(param, depth)?,
            };
            self.log.with();
            match arg {
                Some(arg) => args.push(self.passed(at, arg, param.ty, form)?),
                None => return Ok(None),
            }
        }
        Ok(Some(args))
    }

    fn argument(&mut self, param: &Param, depth: u32) -> Made<Option<ExprId>> {
        let types = &self.out.program.types;
        if types.is_integer(param.ty) {
            return self.int_expr(depth.clamp(1, 3) - 1).map(Some);
        }
        if let ([set], Some(_)) = (&param.sets[..], types.pointee(param.ty)) {
            return self.pointer_within(param.ty, *set);
        }
        let Some(known) = self.value(param.ty, depth.clamp(1, 3) - 1)? else { return Ok(None) };
        let fits = known.sets.iter().zip(&param.sets).all(|(&have, &may)| self.sets.is_below(have, may));
        Ok(fits.then_some(known.e))
    }

    /// What a call does is done here.
    fn called(&mut self, at: u32, touched: &Touched) {
        self.log.push(Deed::Call(at));
        self.frames.iter_mut().for_each(|frame| frame.touched.add(touched));
    }

    /// A pointer that points to nothing but what a set has.
    fn pointer_within(&mut self, ty: Type, set: Set) -> Made<Option<ExprId>> {
        let here: Vec<Part> = self.sets.parts(set).filter(|&part| self.can_name(part)).collect();
        let Some(&part) = self.choices.pick("target", &here) else {
            return if self.sets.has(set, Target::NULL) { self.out.null(ty).map(Some) } else { Ok(None) };
        };
        let e = self.path(part)?;
        self.out.address(e).map(Some)
    }

    /// Whether a part can be named here.
    pub(crate) fn can_name(&self, part: Part) -> bool {
        let var = self.places.part(part).var;
        if self.places.var(var).dead {
            return false;
        }
        let Some(frame) = self.frames.last() else { return self.globals.contains(&var) };
        frame.scopes.iter().any(|scope| scope.vars.contains(&var)) || self.globals.contains(&var)
    }

    /// A new function and its first call.
    fn call_new(&mut self, ty: Type, depth: u32) -> Made<Known> {
        let (returns, types, form) = self.new_form(ty)?;
        // The arguments come first: what is in them is known when the body is made.
        let start = self.log.len();
        let (mut args, mut params) = (Vec::new(), Vec::new());
        for (at, &ty) in types.iter().enumerate() {
            self.log.beside(start);
            let known = match form.deepest {
                Some(deepest) if at == 0 => Known { e: self.out.int(i128::from(deepest))?, sets: Vec::new() },
                _ => match self.value(ty, depth.clamp(1, 3) - 1)? {
                    Some(known) => known,
                    None => Known { e: self.out.int(0)?, sets: Vec::new() },
                },
            };
            self.log.with();
            args.push(self.passed(at, known.e, ty, form)?);
            params.push(Param { ty, sets: known.sets });
        }
        let at = self.make_function(returns, params, form)?;
        let touched = self.done[at].touched.clone();
        self.called(at as u32, &touched);
        // What one run of it costs here was counted while it was made; who calls here costs that, too.
        let (cost, func) = (self.done[at].cost, self.done[at].func);
        let frame = self.frame();
        frame.cost = frame.cost.saturating_add(frame.times.saturating_mul(cost + 6));
        self.left -= 3;
        let sets = self.done[at].results.clone();
        let callee = self.callee(func)?;
        Ok(Known { e: self.out.call_through(callee, &args)?, sets })
    }

    /// What a new function returns, its parameters, and how it is called.
    fn new_form(&mut self, ty: Type) -> Made<(Type, Vec<Type>, Form)> {
        // Pointers to functions need some of the same type.
        if self.has(Feature::FunctionPointers) && !self.done.is_empty() && self.one_in("a known signature", 3)
        {
            let at = self.choices.range("function", 0..=self.done.len() - 1);
            let done = &self.done[at];
            if self.gives(done.returns, ty) && done.form.deepest.is_none() {
                let types = done.params.iter().map(|param| param.ty).collect();
                return Ok((done.returns, types, done.form));
            }
        }
        let integer = self.out.program.types.is_integer(ty);
        let returns = if integer { self.int_type() } else { ty.bare() };
        let mut types = Vec::new();
        let mut form = Form::default();
        if self.has(Feature::Recursion) && self.times() < 20 && self.one_in("recursive", 6) {
            form.deepest = Some(self.choices.range("deepest", 1..=5u32));
            types.push(Type::INT);
        }
        for _ in 0..self.choices.range("parameters", 0..=4u32) {
            let ty = self.parameter_type()?;
            types.push(ty);
        }
        if form.deepest.is_none() && self.has(Feature::Varargs) && self.one_in("variable arguments", 4) {
            form.fixed = Some(self.variadic(&mut types)?);
        }
        Ok((returns, types, form))
    }

    /// The type of a parameter. Of structs and unions there must be a value wherever one is asked for.
    pub(crate) fn parameter_type(&mut self) -> Made<Type> {
        let records = self.has(Feature::RecordValues) && self.has(Feature::Literals);
        Ok(match self.choices.range("parameter", 0..=11u32) {
            0..=2 if self.has(Feature::Pointers) => self.pointer_type(1)?,
            3 if records && !self.pool.structs.is_empty() => {
                *self.choices.pick("struct", &self.pool.structs).expect("asked")
            }
            4 if records && !self.pool.unions.is_empty() => {
                *self.choices.pick("union", &self.pool.unions).expect("asked")
            }
            5 if self.has(Feature::Float) => self.float_type(),
            6 if !self.pool.vectors.is_empty() => {
                *self.choices.pick("vector", &self.pool.vectors).expect("asked")
            }
            _ => self.int_type(),
        })
    }

    /// A call of the function under construction by itself, as a statement's value: one level less deep.
    pub(crate) fn call_itself(&mut self) -> Made<Option<ExprId>> {
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        let (func, returns) = (frame.func, frame.returns);
        let Some(itself) = &mut frame.itself else { return Ok(None) };
        if itself.calls > 0 || !self.out.program.types.is_integer(returns) {
            return Ok(None);
        }
        itself.calls += 1;
        let (counter, params) = (itself.depth, itself.params.clone());
        let counter = self.out.lvalue(counter);
        let one = self.out.int(1)?;
        let less = self.out.binary(BinaryOp::Sub, counter, one)?;
        let mut args = vec![less];
        let start = self.log.len();
        for param in &params[1..] {
            self.log.beside(start);
            let arg = self.argument(param, 2)?;
            self.log.with();
            match arg {
                Some(arg) => args.push(arg),
                None => return Ok(None),
            }
        }
        // The other run may leave behind all that is allowed.
        let free = self.heads.last().map(|head| head.free.clone()).unwrap_or_default();
        for (slot, set) in free {
            self.becomes(slot, set, true);
        }
        self.left -= 3;
        self.out.call_of(func, &args).map(Some)
    }
}
