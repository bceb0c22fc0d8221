//! Pointers to functions: variables, arrays of them, and calls through them.
//!
//! What one may point to is said when it is made: functions of one type that are there by then. A call through it may
//! reach any of these, so it may stand only where each of them may be called. Nobody else finds these variables: they
//! are not among those of a block or a file, and have no state.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, Linkage, StmtId};
use howler_lang::ty::{Quals, Type};

use crate::features::Feature;
use crate::maker::{Known, Made, Maker};
use crate::place::{Part, Shape, Step};

/// A variable that points to functions.
#[derive(Clone, Debug)]
pub(crate) struct Pointed {
    /// All of it: the elements of an array are read and written together.
    root: Part,
    /// Elements, if it is an array.
    len: Option<u32>,
    constant: bool,
    /// What it may point to, among the functions that are made.
    targets: Vec<usize>,
}

/// How many such variables a program has.
const MOST: usize = 12;

impl Maker<'_> {
    /// A call through a pointer that gives a value of a type; none if there is nothing to call here.
    pub(crate) fn call_pointed(&mut self, ty: Type, depth: u32) -> Made<Option<Known>> {
        let Some(at) = self.some_pointed(ty)? else { return Ok(None) };
        let pointed = self.pointed[at].clone();
        if !self.may_read(pointed.root, false) {
            return Ok(None);
        }
        let other = if self.has(Feature::Conditional) && self.one_in("conditional", 4) {
            Some(self.alike(pointed.targets[0]))
        } else {
            None
        };
        let mut targets = pointed.targets.clone();
        targets.extend(other);
        targets.sort_unstable();
        targets.dedup();
        self.call_one_of(&targets, depth, &mut |maker| {
            let Some(other) = other else { return maker.pointer_read(&pointed) };
            let cond = maker.condition(1)?;
            if !maker.may_read(pointed.root, false) {
                return maker.designated(other);
            }
            let one = maker.pointer_read(&pointed)?;
            let two = maker.designated(other)?;
            maker.out.cond(cond, one, two)
        })
    }

    /// What one of these points to now, to call it.
    fn pointer_read(&mut self, pointed: &Pointed) -> Made<ExprId> {
        self.note_read(pointed.root, false);
        let e = self.pointer_place(pointed)?;
        self.left -= 3;
        // `(*p)()` is `p()`.
        if self.one_in("star", 3) { self.out.deref(e) } else { Ok(e) }
    }

    fn pointer_place(&mut self, pointed: &Pointed) -> Made<ExprId> {
        let object = self.places.of(pointed.root).object;
        let e = self.out.lvalue(object);
        match pointed.len {
            Some(len) => {
                let index = self.index(len)?;
                self.out.index(e, index)
            }
            None => Ok(e),
        }
    }

    /// A function by its name, or its address.
    fn designated(&mut self, at: usize) -> Made<ExprId> {
        let designator = self.out.designator(self.done[at].func);
        if self.one_in("address", 3) { self.out.address(designator) } else { Ok(designator) }
    }

    /// One of them that can be named here, with functions that give a value of a type; made if need be.
    fn some_pointed(&mut self, ty: Type) -> Made<Option<usize>> {
        let fits = self.visible(|maker, pointed| maker.gives(maker.done[pointed.targets[0]].returns, ty));
        if !fits.is_empty() && !self.one_in("new", 4) {
            return Ok(self.choices.pick("pointer", &fits).copied());
        }
        let possible: Vec<usize> =
            (0..self.done.len()).filter(|&at| self.gives(self.done[at].returns, ty)).collect();
        match self.choices.pick("function", &possible) {
            Some(&at) if self.pointed.len() < MOST => self.new_pointed(at).map(Some),
            _ => Ok(None),
        }
    }

    /// Those that can be named here.
    fn visible(&self, wanted: impl Fn(&Maker, &Pointed) -> bool) -> Vec<usize> {
        let local = self.frames.last().map_or(&[][..], |frame| &frame.scopes[..]);
        let local = local.iter().flat_map(|scope| &scope.pointed);
        let global = self.pointed_globals.iter();
        global.chain(local).copied().filter(|&at| wanted(self, &self.pointed[at])).collect()
    }

    /// A function of the same type, perhaps the same.
    fn alike(&mut self, at: usize) -> usize {
        let same = self.all_alike(at);
        self.choices.pick("alike", &same).copied().unwrap_or(at)
    }

    /// The functions of its type that are given the same arguments: what `...` stands for is not in the type.
    fn all_alike(&self, at: usize) -> Vec<usize> {
        let ty = |at: usize| self.out.program.funcs[self.done[at].func].ty;
        let given = |at: usize| self.done[at].params.iter().map(|param| param.ty);
        (0..self.done.len()).filter(|&other| ty(other) == ty(at) && given(other).eq(given(at))).collect()
    }

    /// A new one for functions like this.
    fn new_pointed(&mut self, at: usize) -> Made<usize> {
        let mut targets = vec![at];
        for _ in 0..self.choices.range("more targets", 0..=3u32) {
            let other = self.alike(at);
            if !targets.contains(&other) {
                targets.push(other);
            }
        }
        let len = if self.one_in("array", 3) {
            Some(*self.choices.one_of("length", &[1u32, 2, 2, 4, 4, 3, 8]))
        } else {
            None
        };
        let constant = self.has(Feature::Const) && self.one_in("const", 2);
        let ty = self.out.program.funcs[self.done[at].func].ty;
        let ty = self.out.pointer(ty)?;
        let quals = if constant { Quals::CONST } else { Quals::NONE };
        let mut ty = self.out.qualified(ty, quals);
        let value = match len {
            Some(len) => {
                ty = self.out.array(ty, u64::from(len))?;
                let list: Made<Vec<Value>> = (0..len).map(|_| self.target_value(&targets)).collect();
                Value::List(list?)
            }
            None => self.target_value(&targets)?,
        };
        let global = self.one_in("of file scope", 2);
        let name = self.name("fp");
        let object = if global {
            self.out.global(&name, ty, Linkage::Internal, Some(&value))?
        } else {
            let (object, declared) = self.out.local(&name, ty, Some(&value))?;
            self.costs(u64::from(len.unwrap_or(1)) + 1);
            self.frame().scopes.last_mut().expect("a block is open").declared.push(declared);
            object
        };
        let var = self.places.add_var(object, global);
        let root = self.places.add_part(var, None, Step::Whole, (ty, quals, Shape::Number(None)));
        let made = self.pointed.len();
        self.pointed.push(Pointed { root, len, constant, targets });
        if global {
            self.pointed_globals.push(made);
        } else {
            self.frame().scopes.last_mut().expect("a block is open").pointed.push(made);
        }
        self.left -= 12;
        Ok(made)
    }

    fn target_value(&mut self, targets: &[usize]) -> Made<Value> {
        let at = *self.choices.pick("target", targets).expect("there is one");
        self.designated(at).map(Value::Expr)
    }

    /// `p = f;`, `p[i] = c ? f : g;`
    pub(crate) fn aim(&mut self) -> Made<Option<StmtId>> {
        let fits = self.visible(|_, pointed| !pointed.constant);
        let Some(&at) = self.choices.pick("pointer", &fits) else { return Ok(None) };
        let pointed = self.pointed[at].clone();
        if !self.may_write(pointed.root, false, None) {
            return Ok(None);
        }
        self.left -= 5;
        let targets = &pointed.targets[..];
        let one = *self.choices.pick("target", targets).expect("there is one");
        let value = if self.has(Feature::Conditional) && self.one_in("conditional", 3) {
            let cond = self.condition(2)?;
            let two = *self.choices.pick("target", targets).expect("there is one");
            let (one, two) = (self.designated(one)?, self.designated(two)?);
            self.out.cond(cond, one, two)?
        } else {
            self.designated(one)?
        };
        // What the condition calls may have to do with the place, but is done when that is written.
        self.note_write(pointed.root, false, false);
        let place = self.pointer_place(&pointed)?;
        let e = self.out.assign(place, value)?;
        self.out.expr(e).map(Some)
    }

    /// `p == f`, which tells functions apart.
    pub(crate) fn int_from_pointed(&mut self) -> Made<Option<ExprId>> {
        let all = self.visible(|_, _| true);
        let Some(&at) = self.choices.pick("pointer", &all) else { return Ok(None) };
        let pointed = self.pointed[at].clone();
        if !self.may_read(pointed.root, false) {
            return Ok(None);
        }
        self.note_read(pointed.root, false);
        let place = self.pointer_place(&pointed)?;
        let other = self.alike(pointed.targets[0]);
        let other = self.designated(other)?;
        let op = *self.choices.one_of("equality", &[BinaryOp::Eq, BinaryOp::Ne]);
        self.out.binary(op, place, other).map(Some)
    }
}
