//! GNU C's nested functions: which function a label or a variable belongs to, and how an inner function reaches it.

use super::outline::Outlines;
use super::{Lower, Lowerer};
use crate::facts::{self, Facts};
use crate::op::{Op, PoolItem, Reg};
use howler_lang::program::{Duration, ExprKind, FuncId, LabelId, ObjId, Program, StmtId};
use howler_lang::ty::VlaId;
use howler_lang::visit::Node;
use rustc_hash::FxHashMap;

/// Where the variables of lowered functions are, for the functions inside them.
#[derive(Default)]
pub(crate) struct Homes {
    /// The function each label is in.
    labels: FxHashMap<LabelId, FuncId>,
    objects: FxHashMap<ObjId, (FuncId, Reg)>,
    vlas: FxHashMap<VlaId, (FuncId, Reg)>,
    /// Whether any function is nested in another.
    nested: bool,
}

impl Homes {
    pub fn of(program: &Program, outlines: &Outlines) -> Homes {
        let nested = program.funcs.iter().any(|(_, function)| function.parent.is_some());
        let owners = program
            .funcs
            .ids()
            .flat_map(|func| outlines.of_function(func).labels.iter().map(move |&label| (label, func)));
        Homes { labels: owners.collect(), nested, ..Homes::default() }
    }
}

/// How many functions are around this one.
pub(crate) fn level(program: &Program, func: FuncId) -> u32 {
    let mut level = 0;
    let mut outer = program.funcs[func].parent;
    while let Some(parent) = outer {
        level += 1;
        outer = program.funcs[parent].parent;
    }
    level
}

/// Functions with a body, outer ones before those inside them.
pub(crate) fn in_order(program: &Program) -> Vec<(FuncId, StmtId)> {
    let bodies = program.funcs.iter().filter_map(|(func, function)| function.body.map(|body| (func, body)));
    let mut order: Vec<(FuncId, StmtId)> = bodies.collect();
    order.sort_by_key(|&(func, _)| level(program, func));
    order
}

/// What an inner function names lives in memory.
pub(crate) fn expose_shared(program: &Program, facts: &mut Facts) {
    for (_, function) in program.funcs.iter() {
        let (Some(_), Some(body)) = (function.parent, function.body) else { continue };
        for e in facts::evaluated(program, Node::Stmt(body)) {
            if let ExprKind::Object(object) = program.exprs[e].kind
                && matches!(program.objects[object].duration, Duration::Automatic | Duration::Parameter)
            {
                facts.set_memory(object);
            }
        }
    }
}

impl Lowerer<'_> {
    /// `&&label`, wherever it stands.
    pub fn label_value(&mut self, label: LabelId) -> Lower<Reg> {
        let index = self.homes.labels.get(&label).and_then(|owner| self.out.func_index.get(owner)).copied();
        match index {
            Some(index) => Ok(self.pool(PoolItem::Label(index, label))),
            None => self.refuse("the address of a label that is not in a function"),
        }
    }

    /// A `goto` to a label that is not in this function: it is in one around it.
    pub fn goto_outer(&mut self, jump: u32, label: LabelId) -> Lower<()> {
        let owner = self.homes.labels.get(&label).copied();
        if owner.and_then(|owner| self.levels_up(owner)).is_none() {
            return self.refuse("a jump to a label of another function");
        }
        let label = self.label_value(label)?;
        self.f.ops[jump as usize] = Op::JumpOut { label };
        Ok(())
    }

    /// Remembers where this function's variables are.
    pub fn settle(&mut self, func: FuncId) {
        if !self.homes.nested {
            return;
        }
        for (&object, &reg) in &self.f.objects {
            self.homes.objects.insert(object, (func, reg));
        }
        for (&vla, &reg) in &self.f.vlas {
            self.homes.vlas.insert(vla, (func, reg));
        }
    }

    /// The pointer to a variable of an enclosing function.
    pub fn outer_object_reg(&mut self, object: ObjId) -> Option<Reg> {
        let &(func, src) = self.homes.objects.get(&object)?;
        if !self.facts.is_in_memory(object) {
            return None;
        }
        self.outer_reg(func, src)
    }

    /// Whether an enclosing function evaluates a bound.
    pub fn has_outer_vla(&self, vla: VlaId) -> bool {
        self.homes.vlas.contains_key(&vla)
    }

    /// The bound of an enclosing function's variable length array.
    pub fn outer_vla(&mut self, vla: VlaId) -> Option<Reg> {
        let &(func, src) = self.homes.vlas.get(&vla)?;
        self.outer_reg(func, src)
    }

    fn outer_reg(&mut self, func: FuncId, src: Reg) -> Option<Reg> {
        let level = self.levels_up(func)?;
        let dst = self.reg();
        self.emit(Op::Outer { dst, level, src });
        Some(dst)
    }

    /// How many functions lie between the current one and `func`, if that is around it.
    fn levels_up(&self, func: FuncId) -> Option<u32> {
        let mut level = 0;
        let mut at = self.f.func?;
        while at != func {
            at = self.program.funcs[at].parent?;
            level += 1;
        }
        Some(level)
    }
}
