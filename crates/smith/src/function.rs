//! Functions: made where they are first called, for what holds there.

use howler_lang::compose::{Value, signature};
use howler_lang::program::{BinaryOp, Entity, ExprId, FuncId, Linkage, ObjId, StmtId};
use howler_lang::ty::{Quals, Signature, Type};

use crate::effects::Touched;
use crate::features::Feature;
use crate::maker::{Done, Form, Frame, Head, Itself, Made, Maker, Param, Scope};
use crate::place::Part;

/// Tokens of a few statements of the first function with all that is in them, about.
const CHAPTER: i64 = 400;

/// Tokens of a function that nobody calls, about.
const DEAD: i64 = 300;

/// Attributes that change nothing but how it is compiled.
const ATTRIBUTES: [&str; 6] = ["noinline", "noclone", "noipa", "cold", "hot", "flatten"];

impl Maker<'_> {
    /// A new function, its body made for parameters in these states. The facts are those after a call of it.
    pub(crate) fn make_function(&mut self, returns: Type, params: Vec<Param>, form: Form) -> Made<usize> {
        let name = self.name("func");
        let named = form.fixed.unwrap_or(params.len());
        let types: Vec<Type> = params[..named].iter().map(|param| param.ty).collect();
        let signature = Signature { variadic: form.fixed.is_some(), ..signature(returns, &types) };
        let func = self.out.function(&name, signature, Linkage::Internal)?;
        if self.has(Feature::Inline) && self.one_in("inline", 6) {
            self.out.make_inline(func);
        }
        self.function(func, returns, params, form)
    }

    /// Makes the body of a function. The facts are those after a call of it.
    pub(crate) fn function(
        &mut self,
        func: FuncId,
        returns: Type,
        params: Vec<Param>,
        form: Form,
    ) -> Made<usize> {
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
            params: Vec::new(),
            before,
            entry: self.facts.clone(),
            needs: Vec::new(),
            assigns: Vec::new(),
            touched: Touched::default(),
            exits: None,
            func,
            returns,
            results: Maker::no_sets(self.count_slots(returns)),
            cost: 4,
            times: form.deepest.map_or(1, |deepest| u64::from(deepest) + 1),
            loops: 0,
            breaks: Vec::new(),
            labels: Vec::new(),
            counters: Vec::new(),
            itself: None,
        });
        let objects = self.parameters(&params, form)?;
        // Now and then it only returns a constant or a variable, which compilers find out.
        let trivial = self.frames.len() > 1 && form.deepest.is_none() && self.one_in("trivial", 12);
        let mut body = if trivial { Vec::new() } else { self.body(form.deepest.is_some())? };
        body.extend(self.last_return(if trivial { 0 } else { 2 })?);
        // All ways out.
        if let Some(exits) = self.frame().exits.take() {
            self.join(&exits);
        }
        let scope = self.frame().scopes.pop().unwrap_or_default();
        self.end(&scope);
        let frame = self.frames.pop().expect("it was pushed above");
        let mut statements = scope.declared;
        statements.extend(body);
        self.out.define(func, objects, &statements)?;
        if self.has(Feature::Attributes) && self.one_in("attribute", 5) {
            let name = *self.choices.one_of("which", &ATTRIBUTES);
            self.out.attribute(Entity::Function(func), name)?;
        }
        let mut touched = frame.touched;
        touched.only_before(|leaf| self.places.is_foreign(leaf, before));
        let needs = frame.needs.iter().map(|&slot| (slot, frame.entry.get(&self.initial, slot))).collect();
        let leaves = frame.assigns.iter().map(|&slot| (slot, self.facts.get(&self.initial, slot))).collect();
        self.done.push(Done {
            func,
            returns,
            results: frame.results,
            params,
            form,
            needs,
            leaves,
            touched,
            cost: frame.cost,
        });
        self.log = self.ambient.pop().unwrap_or_default();
        self.left = whole - (share - self.left);
        Ok(self.done.len() - 1)
    }

    /// Functions that nobody calls. Nothing that a run can see depends on them.
    pub(crate) fn dead_functions(&mut self) -> Made<Vec<FuncId>> {
        let mut made = Vec::new();
        let facts = self.facts.clone();
        for _ in 0..self.options.dead {
            // What they would do is never done.
            self.facts.clone_from(&facts);
            (self.left, self.steps) = (DEAD, 100_000);
            let name = self.name("func");
            let func = self.out.function(&name, signature(Type::INT, &[]), Linkage::External)?;
            self.function(func, Type::INT, Vec::new(), Form::default())?;
            made.push(func);
        }
        self.facts = facts;
        Ok(made)
    }

    fn parameters(&mut self, params: &[Param], form: Form) -> Made<Vec<ObjId>> {
        let mut objects = Vec::new();
        let named = form.fixed.unwrap_or(params.len());
        for (at, param) in params[..named].iter().enumerate() {
            let counts = form.deepest.is_some() && at == 0;
            let name = self.name("p");
            let quals =
                if self.has(Feature::Const) && self.one_in("const", 12) { Quals::CONST } else { Quals::NONE };
            let ty = if counts { param.ty } else { self.out.qualified(param.ty, quals) };
            let object = self.out.param(&name, ty);
            objects.push(object);
            let var = self.variable(object, ty, false);
            self.begin_facts(var, &param.sets);
            let frame = self.frame();
            frame.scopes[0].vars.push(var);
            frame.params.push(var);
            if counts {
                let leaves = self.places.part(self.places.var(var).root).leaves;
                self.places.lock(leaves, true);
                self.frame().itself = Some(Itself { depth: object, params: params.to_vec(), calls: 0 });
            }
        }
        if let (Some(_), Some(&last)) = (form.fixed, objects.last()) {
            self.read_variable(&params[named..], last)?;
        }
        Ok(objects)
    }

    /// The statements of a function. One that calls itself keeps to what is chosen before, as a loop does.
    fn body(&mut self, recursive: bool) -> Made<Vec<StmtId>> {
        if !recursive {
            let mut body = Vec::from_iter(self.plain_first()?);
            body.extend(if self.frames.len() == 1 { self.chapter()? } else { self.block_body(0)? });
            // The first function goes on until the program is as large as it should be.
            while self.frames.len() == 1 && self.left > 0 && self.affords(100) {
                body.extend(self.plain_first()?);
                body.extend(self.chapter()?);
            }
            return Ok(body);
        }
        let before = self.frame().before;
        // Its own variables are new in each call.
        let free = self.head(true).free;
        self.heads.push(Head { before, free });
        let mut body = self.block_body(0)?;
        // if (p > 0) x = itself(p - 1, …);
        let depth = self.frame().itself.as_ref().map(|itself| itself.depth);
        self.log.clear();
        if let (Some(depth), Some(call)) = (depth, self.call_itself()?) {
            let stored = self.local_store(call)?;
            let counter = self.out.lvalue(depth);
            let zero = self.out.int(0)?;
            let cond = self.out.binary(BinaryOp::Gt, counter, zero)?;
            let stmt = self.out.expr(stored)?;
            body.push(self.out.when(cond, &[stmt])?);
        }
        body.extend(self.block_body(0)?);
        self.heads.pop();
        Ok(body)
    }

    /// Some statements of the first function, which may take their part of the steps that are left and little more.
    fn chapter(&mut self) -> Made<Vec<StmtId>> {
        let chapters = (self.left / CHAPTER).max(1) as u64;
        let all = self.steps;
        self.steps = (all / chapters).saturating_mul(3).min(all);
        let given = self.steps;
        let mut body = Vec::new();
        if self.one_in("loop first", 2) {
            body.push(self.loop_first()?);
        }
        body.extend(self.block_body(0)?);
        self.steps = all - (given - self.steps);
        Ok(body)
    }

    /// Stores the result of a call of the function under construction in a new variable: nobody else knows it.
    fn local_store(&mut self, value: ExprId) -> Made<ExprId> {
        let ty = self.int_type();
        let name = self.name("l");
        let (object, declared) = self.out.local(&name, ty, Some(&Value::Int(0)))?;
        let var = self.variable(object, ty, false);
        let scope = self.frame().scopes.last_mut().expect("a block is open");
        scope.vars.push(var);
        scope.declared.push(declared);
        let root = self.places.var(var).root;
        self.note_write(root, false, true);
        let place = self.out.lvalue(object);
        self.out.assign(place, value)
    }

    /// The last statement of a function.
    fn last_return(&mut self, depth: u32) -> Made<Option<StmtId>> {
        self.log.clear();
        let returns = self.frame().returns;
        let value = self.result(returns, depth)?;
        let func = self.frame().func;
        self.out.returns(func, Some(value)).map(Some)
    }

    /// A value to return: it points to nothing that ends with the function.
    pub(crate) fn result(&mut self, returns: Type, depth: u32) -> Made<ExprId> {
        let before = self.frame().before;
        let facts = self.facts.clone();
        for _ in 0..4 {
            let Some(known) = self.value(returns, depth)? else { continue };
            if !self.has_garbage(&known.sets) && self.is_lasting(&known.sets, before) {
                let results = std::mem::take(&mut self.frame().results);
                let results = self.either(&results, &known.sets);
                self.frame().results = results;
                return Ok(known.e);
            }
            // It is dropped, and nothing of what it would have done happens.
            self.facts.clone_from(&facts);
        }
        self.simple_result(returns)
    }

    /// A value that can be had anywhere: null pointers, zeros.
    fn simple_result(&mut self, returns: Type) -> Made<ExprId> {
        let sets = self.zero_sets(returns);
        let results = std::mem::take(&mut self.frame().results);
        self.frame().results = self.either(&results, &sets);
        let types = &self.out.program.types;
        if types.pointee(returns).is_some() {
            return self.out.null(returns);
        }
        if types.as_record(returns).is_some() || self.is_vector(returns) {
            return self.out.compound_literal(returns, &Value::Zero);
        }
        self.out.int(0)
    }
}
