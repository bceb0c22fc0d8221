//! Functions that test functions call: with numbers, for a number, inside of expressions; or with arrays, as a statement.
//!
//! A function has many callers, so nothing is known of its arguments and of what others change: what would be undefined in
//! it is found like in loops. What is called in an expression changes nothing, as its order is nobody's.

use howler_lang::compose::{Value, signature};
use howler_lang::program::{FuncId, Linkage, ObjId, StmtId};
use howler_lang::scalar::Ty;
use howler_lang::ty::{Quals, Type};

use crate::maker::{Built, Made, Maker};
use crate::options::Feature;
use crate::parameters::Row;
use crate::space::Space;
use crate::tree::{Arguments, Node};
use crate::variable::{Array, Category, Cell, CellId, TYPES, Way};

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Param {
    /// A number.
    Number(Ty),
    /// The first element of so many.
    Array { elem: Ty, len: u32, restrict: bool, changed: bool },
    /// How many of the elements are looked at: as many at most.
    Bound(u32),
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub(crate) struct Helper {
    func: FuncId,
    params: Vec<Param>,
    /// What it gives; nothing if it works on arrays.
    ret: Option<Ty>,
    /// What of file scope it changes.
    writes: Vec<CellId>,
    /// Steps that a call takes, about.
    cost: u64,
}

/// Tokens of a function's body, about.
const BODY: i64 = 120;

/// Steps of loops in a function.
const STEPS: u64 = 2500;

impl Maker<'_> {
    /// Some functions, each of which may call those before it.
    pub(crate) fn helpers(&mut self) -> Made<()> {
        if self.has(Feature::Calls) {
            for _ in 0..self.choices.range("helpers", 0..=2u32) {
                if self.left > 4 * BODY {
                    self.helper()?;
                }
            }
        }
        if self.has(Feature::Kernels) {
            for _ in 0..self.choices.range("kernels", 0..=2u32) {
                if self.left > 4 * BODY {
                    self.kernel()?;
                }
            }
        }
        Ok(())
    }

    /// Makes a body that any number of callers may have.
    fn shared_body(
        &mut self,
        quiet: bool,
        make: impl FnOnce(&mut Self) -> Made<Vec<StmtId>>,
    ) -> Made<(Vec<StmtId>, Vec<CellId>, u64)> {
        let (left, steps) = (self.left, self.steps);
        let mark = self.log.len();
        (self.left, self.steps) = (BODY, STEPS);
        (self.shared, self.quiet) = (true, quiet);
        let body = self.scope(make);
        (self.shared, self.quiet) = (false, false);
        let used = (BODY - self.left).max(1);
        let cost = STEPS.saturating_sub(self.steps) + used.unsigned_abs();
        (self.left, self.steps) = (left - used, steps);
        let writes = self.undo(mark);
        Ok((body?, writes, cost))
    }

    /// `T h(U a, V b) { … return …; }`
    fn helper(&mut self) -> Made<()> {
        let count = self.choices.range("parameters", 1..=3usize);
        let types: Vec<Ty> = (0..count).map(|_| TYPES[self.draw(Row::Type)]).collect();
        let ret = TYPES[self.draw(Row::Type)];
        let declared: Vec<Type> = types.iter().map(|ty| ty.declared()).collect();
        let name = self.name("h");
        let linkage = if self.choices.chance("static", 2, 3) { Linkage::Internal } else { Linkage::External };
        let func = self.out.function(&name, signature(ret.declared(), &declared), linkage)?;
        let mut params = Vec::new();
        for &ty in &types {
            let name = self.name("p");
            params.push(self.out.param(&name, ty.declared()));
        }
        let objects = params.clone();
        let (body, writes, cost) = self.shared_body(true, |maker| {
            for (&object, &ty) in objects.iter().zip(&types) {
                maker.local(object, ty, None);
            }
            let mut body = maker.statements(3)?;
            let node = maker.expression();
            let value = maker.lower(node)?;
            let value = maker.fitted(value, ret)?;
            body.push(maker.out.returns(func, Some(value.e))?);
            Ok(body)
        })?;
        self.out.define(func, params, &body)?;
        let params = types.into_iter().map(Param::Number).collect();
        self.helpers.push(Helper { func, params, ret: Some(ret), writes, cost });
        Ok(())
    }

    /// `void k(T *restrict a, const U *b, int n) { for (…; i < n; …) … }`
    fn kernel(&mut self) -> Made<()> {
        let count = self.choices.range("arrays", 1..=3usize);
        let mut params = Vec::new();
        for at in 0..count {
            let changed = at == 0 || self.choices.chance("changed", 1, 4);
            let fits: Vec<usize> = (0..self.vars.arrays.len())
                .filter(|&at| {
                    let array = &self.vars.arrays[at];
                    let wrong = if changed { Category::Input } else { Category::Output };
                    array.dims.len() == 1 && array.category != wrong
                })
                .collect();
            let Some(&array) = self.choices.pick("array", &fits) else { continue };
            let (elem, len) = (self.vars.arrays[array].elem, self.vars.arrays[array].dims[0]);
            let restrict = self.choices.chance("restrict", 1, 2);
            params.push(Param::Array { elem, len, restrict, changed });
        }
        if !matches!(params.first(), Some(Param::Array { changed: true, .. })) {
            return Ok(());
        }
        let least = params.iter().filter_map(Param::len).min().unwrap_or(1);
        let bound = self.choices.chance("bound", 2, 3);
        params.extend(bound.then_some(Param::Bound(least)));
        params.extend(self.choices.chance("number", 1, 2).then_some(Param::Number(Ty::INT)));
        let mut objects = Vec::new();
        let mut types = Vec::new();
        for &param in &params {
            let ty = self.param_type(param)?;
            let name = self.name("p");
            objects.push(self.out.param(&name, ty));
            types.push(ty);
        }
        let name = self.name("k");
        let func = self.out.function(&name, signature(Type::VOID, &types), Linkage::External)?;
        let given: Vec<(Param, ObjId)> = params.iter().copied().zip(objects.iter().copied()).collect();
        // No other way leads to the elements, which `restrict` may forbid.
        let arrays = std::mem::take(&mut self.vars.arrays);
        let pointers = std::mem::take(&mut self.vars.pointers);
        let made = self.shared_body(false, |maker| maker.kernel_body(&given, least));
        (self.vars.arrays, self.vars.pointers) = (arrays, pointers);
        let (body, writes, cost) = made?;
        // What its parameters point to is told apart at each call.
        let file = writes.into_iter().filter(|&cell| !objects.contains(&self.cell(cell).object)).collect();
        self.out.define(func, objects, &body)?;
        self.helpers.push(Helper { func, params, ret: None, writes: file, cost });
        Ok(())
    }

    fn param_type(&mut self, param: Param) -> Made<Type> {
        Ok(match param {
            Param::Number(ty) => ty.declared(),
            Param::Bound(_) => Type::INT,
            Param::Array { elem, restrict, changed, .. } => {
                let elem = elem.declared();
                let elem = if changed { elem } else { self.out.qualified(elem, Quals::CONST) };
                let ty = self.out.pointer(elem)?;
                if restrict { self.out.qualified(ty, Quals::RESTRICT) } else { ty }
            }
        })
    }

    fn kernel_body(&mut self, given: &[(Param, ObjId)], least: u32) -> Made<Vec<StmtId>> {
        let mut bound = None;
        for &(param, object) in given {
            match param {
                Param::Number(ty) => self.local(object, ty, None),
                Param::Bound(_) => bound = Some(object),
                Param::Array { elem, len, changed, .. } => {
                    let category = if changed { Category::Mixed } else { Category::Input };
                    let first = CellId(self.vars.cells.len() as u32);
                    for at in 0..len {
                        let way = Way::Element(at);
                        self.new_cell(Cell {
                            object,
                            way,
                            ty: elem,
                            category,
                            value: None,
                            enumerated: false,
                        });
                    }
                    let dims = vec![len];
                    self.vars.arrays.push(Array { object, elem, dims, category, first, local: true });
                }
            }
        }
        let edge = i128::from(self.choices.range("edge", 0..=2u32.min(least / 3)));
        // Elements beside the last one are there for all bounds.
        let last = i128::from(least) - 1 - if bound.is_none() { edge } else { 0 };
        let space = Space { ty: Ty::INT, first: edge, last: last.max(edge), step: 1, bound };
        let made = self.counted(space, None)?;
        let mut body = vec![made];
        if self.left > BODY / 2 && self.has(Feature::Runs) {
            body.push(self.counted(space, None)?);
        }
        Ok(body)
    }

    /// Functions that others call.
    pub(crate) fn functions(&self) -> impl Iterator<Item = FuncId> {
        self.helpers.iter().map(|helper| helper.func)
    }

    /// Whether some function can be called here that gives a number.
    pub(crate) fn may_call(&self) -> bool {
        self.helpers.iter().any(|helper| helper.ret.is_some() && self.affords(helper))
    }

    fn affords(&self, helper: &Helper) -> bool {
        self.steps > self.times.saturating_mul(helper.cost).saturating_mul(4)
    }

    fn charge(&mut self, cost: u64) {
        self.steps = self.steps.saturating_sub(self.times.saturating_mul(cost));
        self.left -= 4;
    }

    /// A call as a leaf.
    pub(crate) fn call_leaf(&mut self) -> Option<Node> {
        let fits: Vec<usize> = (0..self.helpers.len())
            .filter(|&at| self.helpers[at].ret.is_some() && self.affords(&self.helpers[at]))
            .collect();
        let &at = self.choices.pick("function", &fits)?;
        let (count, cost) = (self.helpers[at].params.len(), self.helpers[at].cost);
        self.charge(cost);
        let arguments: Vec<_> = (0..count).map(|_| self.drawn(1)).collect();
        let first = Arguments(self.tree.arguments.len() as u32);
        self.tree.arguments.extend(arguments);
        Some(Node::Call(at as u32, first))
    }

    /// The same as an expression.
    pub(crate) fn call_of(&mut self, helper: usize, arguments: Arguments) -> Made<Built> {
        let Helper { func, params, ret, .. } = self.helpers[helper].clone();
        let mut values = Vec::new();
        for (at, param) in params.iter().enumerate() {
            let value = self.lower(self.tree.arguments[arguments.0 as usize + at])?;
            let value = match param {
                Param::Number(ty) => self.fitted(value, *ty)?,
                _ => value,
            };
            values.push(value.e);
        }
        let e = self.out.call_of(func, &values)?;
        Ok(Built::new(e, ret.unwrap_or(Ty::INT), None))
    }

    /// A call of a function that works on arrays.
    pub(crate) fn call_statement(&mut self) -> Made<Option<StmtId>> {
        let fits: Vec<usize> = (0..self.helpers.len())
            .filter(|&at| self.helpers[at].ret.is_none() && self.affords(&self.helpers[at]))
            .collect();
        let Some(&at) = self.choices.pick("function", &fits) else { return Ok(None) };
        // Two parameters may be the same array: nobody promises more of them.
        if self.shared {
            return Ok(None);
        }
        let Helper { func, params, writes, cost, .. } = self.helpers[at].clone();
        let mut args = Vec::new();
        let mut given: Vec<(usize, bool, bool)> = Vec::new();
        for param in &params {
            args.push(match *param {
                Param::Number(ty) => {
                    let node = self.drawn(2);
                    let value = self.lower(node)?;
                    self.fitted(value, ty)?.e
                }
                Param::Bound(least) => {
                    let full = self.choices.chance("all", 2, 3);
                    let bound = if full { least } else { self.choices.range("bound", 0..=least) };
                    self.out.int(i128::from(bound))?
                }
                Param::Array { elem, len, restrict, changed } => {
                    let good = |at: usize| {
                        let array = &self.vars.arrays[at];
                        let wrong = if changed { Category::Input } else { Category::Output };
                        // What `restrict` forbids is an element that another one reaches and somebody changes.
                        let apart = given.iter().all(|&(other, promised, written)| {
                            other != at || !(restrict || promised) || !(written || changed)
                        });
                        array.elem == elem
                            && array.dims.len() == 1
                            && array.dims[0] >= len
                            && array.category != wrong
                            && apart
                    };
                    let fits: Vec<usize> = (0..self.vars.arrays.len()).filter(|&at| good(at)).collect();
                    let Some(&at) = self.choices.pick("array", &fits) else { return Ok(None) };
                    given.push((at, restrict, changed));
                    self.out.lvalue(self.vars.arrays[at].object)
                }
            });
        }
        self.charge(cost);
        for (at, _, changed) in given {
            if changed {
                self.forget_array(at);
            }
        }
        writes.into_iter().for_each(|cell| self.set(cell, None));
        self.out.call(func, &args).map(Some)
    }

    /// What its elements are is not known any more.
    pub(crate) fn forget_array(&mut self, at: usize) {
        let (first, count) = (self.vars.arrays[at].first.0, self.vars.arrays[at].count());
        (first..first + count).for_each(|cell| self.set(CellId(cell), None));
    }

    /// A value for an object of a function.
    pub(crate) fn as_values(bits: &[u128]) -> Vec<Value> {
        bits.iter().map(|&bits| Value::Bits(bits)).collect()
    }
}

impl Param {
    fn len(&self) -> Option<u32> {
        match self {
            Param::Array { len, .. } => Some(*len),
            _ => None,
        }
    }
}
