//! Arrays and structs of functions, and arrays on the heap.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ObjId, StmtId};
use howler_lang::scalar::Ty;

use crate::maker::{Built, Made, Maker};
use crate::options::Feature;
use crate::space::Space;
use crate::tree::{Subscript, Subscripts};
use crate::variable::{Array, Category, Cell, CellId, Record, Way};

impl Maker<'_> {
    /// An array or a struct of a block, or one struct assigned to another.
    pub(crate) fn aggregate(&mut self) -> Made<StmtId> {
        let records = !self.vars.records.is_empty();
        if records && self.choices.chance("struct", 1, 2) {
            if !self.quiet
                && self.choices.chance("assigned", 1, 2)
                && let Some(made) = self.record_assignment()?
            {
                return Ok(made);
            }
            return self.local_record();
        }
        let (_, declared) = self.local_array()?;
        Ok(declared)
    }

    /// A new array of the function, with what its elements are.
    fn new_array(&mut self, object: ObjId, elem: Ty, values: Option<&[u128]>, count: u32) -> usize {
        let first = CellId(self.vars.cells.len() as u32);
        let unsteady = self.unsteady();
        for at in 0..count {
            let value = values.and_then(|values| values.get(at as usize)).copied();
            let value = value.filter(|_| !unsteady);
            let (way, category) = (Way::Element(at), Category::Mixed);
            self.new_cell(Cell { object, way, ty: elem, category, value, enumerated: false });
        }
        let (dims, category) = (vec![count], Category::Mixed);
        self.vars.arrays.push(Array { object, elem, dims, category, first, local: true });
        self.vars.arrays.len() - 1
    }

    /// `T l[n] = {…};`
    pub(crate) fn local_array(&mut self) -> Made<(usize, StmtId)> {
        let elem = self.element_type();
        let count = self.length().min(24);
        let values = self.elements(elem, count);
        // What is left out is zero.
        let written =
            if self.choices.chance("short", 1, 3) { self.choices.range("written", 1..=count) } else { count };
        let values: Vec<u128> =
            (0..count).map(|at| if at < written { values[at as usize] } else { 0 }).collect();
        let list = Value::List(Self::as_values(&values[..written as usize]));
        let ty = self.out.array(elem.declared(), u64::from(count))?;
        let name = self.name("l");
        let (object, declared) = self.out.local(&name, ty, Some(&list))?;
        self.left -= i64::from(written) * 2;
        Ok((self.new_array(object, elem, Some(&values), count), declared))
    }

    /// `struct s l = …;`: a copy of one of file scope, or with numbers of its own.
    fn local_record(&mut self) -> Made<StmtId> {
        let Some(known) = self.choices.pick("struct", &self.vars.records).cloned() else {
            return self.assign();
        };
        let copied = known.category != Category::Output && self.choices.chance("copied", 1, 2);
        let types: Vec<Ty> = known.members.iter().map(|&cell| self.cell(cell).ty).collect();
        let (value, values): (Value, Vec<Option<u128>>) = if copied {
            let steady = known.category == Category::Input || !self.unsteady();
            let values = known.members.iter().map(|&cell| self.cell(cell).value.filter(|_| steady)).collect();
            (Value::Expr(self.out.lvalue(known.object)), values)
        } else {
            let bits: Vec<u128> = types.iter().map(|&ty| self.number(ty)).collect();
            (Value::List(Self::as_values(&bits)), bits.into_iter().map(Some).collect())
        };
        let name = self.name("l");
        let (object, declared) = self.out.local(&name, known.ty, Some(&value))?;
        let unsteady = self.unsteady();
        let members = (types.into_iter().zip(values).zip(0..))
            .map(|((ty, value), at)| {
                let value = value.filter(|_| !unsteady);
                let (way, category) = (Way::Member(at), Category::Mixed);
                self.new_cell(Cell { object, way, ty, category, value, enumerated: false })
            })
            .collect();
        self.vars.records.push(Record { object, ty: known.ty, category: Category::Mixed, members });
        Ok(declared)
    }

    /// `r1 = r2;`
    fn record_assignment(&mut self) -> Made<Option<StmtId>> {
        let Some(to) = self.choices.pick("to", &self.vars.records).cloned() else { return Ok(None) };
        let others: Vec<Record> = (self.vars.records.iter())
            .filter(|other| {
                other.ty == to.ty && other.object != to.object && other.category != Category::Output
            })
            .cloned()
            .collect();
        let Some(from) = self.choices.pick("from", &others).cloned() else { return Ok(None) };
        if to.category == Category::Input {
            return Ok(None);
        }
        let steady = from.category == Category::Input || !self.unsteady();
        for (&to, &from) in to.members.iter().zip(&from.members) {
            let value = self.cell(from).value.filter(|_| steady);
            self.set(to, value);
        }
        let (a, b) = (self.out.lvalue(to.object), self.out.lvalue(from.object));
        let e = self.out.assign(a, b)?;
        self.left -= 4;
        self.out.expr(e).map(Some)
    }

    /// What a test function declares first: arrays of its own and on the heap. Those on the heap are given back by what
    /// [`Maker::ended`] makes.
    pub(crate) fn beginning(&mut self, body: &mut Vec<StmtId>) -> Made<Vec<(usize, bool)>> {
        let mut own = Vec::new();
        if self.has(Feature::Locals) && self.left > 150 && self.choices.chance("array", 1, 3) {
            let (at, declared) = self.local_array()?;
            body.push(declared);
            own.push((at, false));
        }
        if self.has(Feature::Heap) && self.left > 150 && self.choices.chance("heap", 1, 3) {
            own.push((self.heap_array(body)?, true));
        }
        Ok(own)
    }

    /// `T *l = malloc(n * sizeof(T));` and a loop that fills it, or `calloc`.
    fn heap_array(&mut self, body: &mut Vec<StmtId>) -> Made<usize> {
        let Some(library) = self.library else { return self.local_array().map(|(at, _)| at) };
        let elem = self.element_type();
        let count = self.length();
        let size = self.out.sizeof_type(elem.declared())?;
        let number = self.out.int(i128::from(count))?;
        let zeroed = self.choices.chance("calloc", 1, 2);
        let memory = if zeroed {
            self.out.call_of(library.calloc, &[number, size])?
        } else {
            let bytes = self.out.binary(BinaryOp::Mul, number, size)?;
            self.out.call_of(library.malloc, &[bytes])?
        };
        let ty = self.out.pointer(elem.declared())?;
        // C++ converts no `void *` by itself.
        let memory = self.out.cast(ty, memory)?;
        let name = self.name("h");
        let (object, declared) = self.out.local(&name, ty, Some(&Value::Expr(memory)))?;
        body.push(declared);
        let zeros = vec![0; count as usize];
        let at = self.new_array(object, elem, zeroed.then_some(&zeros[..]), count);
        if !zeroed {
            let first = self.elements(elem, 1).first().copied().unwrap_or(0);
            body.push(self.whole_loop(at, |maker, place, counter| {
                let promoted = maker.rules.promoted(elem);
                let zero = maker.literal(promoted, 0)?;
                let value = if elem.is_float() || elem == Ty::BOOL {
                    let bits = if elem.is_float() { first } else { 0 };
                    maker.literal(elem, bits)?
                } else {
                    // Numbers in a row, or one for all.
                    let counts = maker.choices.chance("row", 1, 2);
                    if counts { Built::new(counter, Ty::INT, None) } else { zero }
                };
                let e = maker.out.assign(place, value.e)?;
                maker.out.expr(e)
            })?);
            self.forget_array(at);
        }
        Ok(at)
    }

    /// A loop over an array of one dimension.
    fn whole_loop(
        &mut self,
        array: usize,
        make: impl FnOnce(&mut Self, howler_lang::program::ExprId, howler_lang::program::ExprId) -> Made<StmtId>,
    ) -> Made<StmtId> {
        let (object, len) = (self.vars.arrays[array].object, self.vars.arrays[array].dims[0]);
        let name = self.name("i");
        let (counter, declared) = self.out.local(&name, Ty::INT.declared(), Some(&Value::Int(0)))?;
        let (root, index, value) =
            (self.out.lvalue(object), self.out.lvalue(counter), self.out.lvalue(counter));
        let place = self.out.index(root, index)?;
        let body = make(self, place, value)?;
        self.walk(counter, declared, len, &[body])
    }

    /// What becomes of the arrays of a test function: some of them are summed, and memory is given back.
    pub(crate) fn ended(&mut self, own: &[(usize, bool)], body: &mut Vec<StmtId>) -> Made<()> {
        for &(at, heap) in own {
            if self.choices.chance("summed", 3, 4) {
                body.push(self.summed(at)?);
            }
            if heap && let Some(library) = self.library {
                let e = self.out.lvalue(self.vars.arrays[at].object);
                body.push(self.out.call(library.free, &[e])?);
            }
        }
        Ok(())
    }

    /// A loop that carries all elements into a number of file scope.
    fn summed(&mut self, at: usize) -> Made<StmtId> {
        let cell = self.vars.scalars[1];
        let len = i128::from(self.vars.arrays[at].dims[0]);
        let space = Space { ty: Ty::INT, first: 0, last: len - 1, step: 1, bound: None };
        let name = self.name("i");
        let (counter, declared) = self.out.local(&name, Ty::INT.declared(), Some(&Value::Int(0)))?;
        let around = crate::maker::Around { counter, ty: space.ty, range: space.range(), walker: None };
        self.loops.push(around);
        let first = Subscripts(self.tree.subscripts.len() as u32);
        let subscript = Subscript::Affine { counter: 0, scale: 1, shift: 0, zero: None };
        self.tree.subscripts.push(subscript);
        let element = self.element_lvalue(at, first)?;
        let element = Built::new(element, self.vars.arrays[at].elem, None);
        let (e, again) = (self.reach(cell)?, self.reach(cell)?);
        let ty = self.cell(cell).ty;
        let op = *self.choices.one_of("op", &[BinaryOp::BitXor, BinaryOp::Add]);
        let sum = self.binary(op, Built::new(again, ty, None), element)?;
        let sum = self.fitted(sum, ty)?;
        let assigned = self.out.assign(e, sum.e)?;
        self.set(cell, None);
        let inner = self.out.expr(assigned)?;
        self.loops.pop();
        self.walk(counter, declared, len as u32, &[inner])
    }
}
