//! Variably modified types: each bound is evaluated once, where it is written, and lives in a register from then on.
//!
//! A typedef name, `typeof` and the types of expressions share the bounds of what they name (C17 6.7.8p3). Functions are
//! lowered in the order of their text, so the first place where a bound is met is the one that evaluates it.

use super::{Lower, Lowerer};
use crate::facts;
use crate::op::{Op, Reg};
use crate::ub::UbKind;
use howler_lang::compat;
use howler_lang::program::{Conv, ExprId, ExprKind, ObjId, Program, UnaryOp};
use howler_lang::ty::{Len, Type, TypeKind, VlaId};

impl Lowerer<'_> {
    /// Evaluates the bounds that a declaration writes. They are one full expression, in which the bounds are not
    /// sequenced with each other (C17 6.8p4).
    pub fn bounds(&mut self, ty: Type) -> Lower<()> {
        let own = self.own_bounds(ty);
        let exprs: Vec<ExprId> = own.iter().map(|&vla| self.program.types.vlas[vla]).collect();
        if !facts::any_conflict(&self.facts, &exprs) {
            for (vla, e) in own.into_iter().zip(exprs) {
                let value = self.full(e, true)?;
                self.set_bound(vla, value)?;
            }
            return Ok(());
        }
        let outer = std::mem::replace(&mut self.f.tracked, true);
        self.emit(Op::SeqBegin);
        let temporaries = exprs.iter().any(|&e| self.facts.effects(e).has_temporaries());
        let scope = temporaries.then(|| self.open_scope());
        self.own_operands(&own, None)?;
        if let Some(scope) = scope {
            self.close_scope(scope);
        }
        self.emit(Op::SeqEnd);
        self.f.tracked = outer;
        self.finish_enclosed();
        Ok(())
    }

    /// Evaluates the bounds that a type name in an expression writes, as operands of that expression.
    pub fn type_name_bounds(&mut self, ty: Type) -> Lower<()> {
        let own = self.own_bounds(ty);
        self.own_operands(&own, None).map(|_| ())
    }

    /// A cast that is written: nothing orders the bounds of its type and its operand.
    pub fn cast(&mut self, conv: Conv, a: ExprId, to: Type) -> Lower<Reg> {
        let own = self.own_bounds(to);
        match self.own_operands(&own, Some((conv, a, to)))? {
            Some(value) => Ok(value),
            None => self.conversion(conv, a, to),
        }
    }

    /// Evaluates bounds and the operand of a cast beside them, in this run's order.
    fn own_operands(&mut self, own: &[VlaId], cast: Option<(Conv, ExprId, Type)>) -> Lower<Option<Reg>> {
        if own.is_empty() {
            return Ok(None);
        }
        let mut exprs: Vec<ExprId> = own.iter().map(|&vla| self.program.types.vlas[vla]).collect();
        exprs.extend(cast.map(|(_, a, _)| a));
        let join = self.open_join(&exprs);
        let mut order: Vec<usize> = (0..exprs.len()).collect();
        if self.right_first() {
            order.reverse();
        }
        let mut converted = None;
        for (place, &index) in order.iter().enumerate() {
            if place > 0 {
                self.next_operand(join);
            }
            match (own.get(index), cast) {
                (Some(&vla), _) => {
                    let value = self.value(exprs[index])?;
                    self.set_bound(vla, value)?;
                }
                (None, Some((conv, a, to))) => converted = Some(self.conversion(conv, a, to)?),
                (None, None) => {}
            }
        }
        self.close_join(join, exprs.len() as u32);
        Ok(converted)
    }

    fn set_bound(&mut self, vla: VlaId, value: Reg) -> Lower<()> {
        let num = self.num(self.program.ty(self.program.types.vlas[vla]))?;
        let dst = self.reg();
        self.f.vlas.insert(vla, dst);
        self.emit(Op::Bound { num, dst, a: value });
        Ok(())
    }

    /// Expressions whose side effects may happen or not: they do when operands are taken from the left.
    pub fn skippable(&mut self, exprs: &[ExprId]) -> Lower<()> {
        for &e in exprs {
            let effects = self.facts.effects(e);
            if !effects.has_side_effects() || self.right_first() {
                continue;
            }
            self.emit(Op::SeqGroup);
            self.full(e, false)?;
            self.emit(Op::SeqSkippable { always: effects.writes() });
        }
        Ok(())
    }

    /// The bounds of a type that nothing has evaluated yet, the outermost first.
    fn own_bounds(&self, ty: Type) -> Vec<VlaId> {
        let mut own = Vec::new();
        facts::for_each_vla(self.program, ty, &mut |vla| {
            if !self.has_bound(vla) {
                own.push(vla);
            }
        });
        own
    }

    fn has_bound(&self, vla: VlaId) -> bool {
        self.f.vlas.contains_key(&vla) || self.has_outer_vla(vla)
    }

    /// Evaluates the bounds in the types of parameters, the outermost ones included: those belong to no type any more
    /// but are evaluated (C17 6.9.1p10), and must be positive. Nothing orders different parameters.
    pub fn param_bounds(&mut self, params: &[ObjId]) -> Lower<()> {
        let program = self.program;
        let exprs: Vec<Vec<ExprId>> =
            params.iter().map(|&param| facts::param_bounds(program, param)).collect();
        let conflict = facts::any_group_conflict(&self.facts, &exprs);
        let mut order: Vec<usize> = (0..params.len()).filter(|&index| !exprs[index].is_empty()).collect();
        if conflict {
            if self.right_first() {
                order.reverse();
            }
            self.emit(Op::SeqBegin);
        }
        for &index in &order {
            if conflict {
                self.emit(Op::SeqOpen);
                self.emit(Op::SeqGroup);
            }
            self.bounds_of_param(params[index])?;
            if conflict {
                self.emit(Op::SeqGroupEnd);
            }
        }
        if conflict {
            self.emit(Op::SeqJoin { operands: order.len() as u32 });
            self.emit(Op::SeqEnd);
        }
        for (index, &object) in params.iter().enumerate() {
            let to = program.types.pointee(program.objects[object].ty);
            if let Some(to) = to.filter(|&to| program.types.is_vla(to)) {
                let size = self.vla_size(to)?;
                self.emit(Op::ParamSize { param: index as u32, size });
            }
        }
        Ok(())
    }

    fn bounds_of_param(&mut self, object: ObjId) -> Lower<()> {
        let declared = &self.program.objects[object];
        let (ty, bound) = (declared.ty, declared.param_bound);
        self.f.pos = declared.pos;
        let Some(bound) = bound else { return self.bounds(ty) };
        let len = if facts::any_conflict(&self.facts, &facts::param_bounds(self.program, object)) {
            self.bounds_beside(ty, bound.len)?
        } else {
            self.bounds(ty)?;
            self.full(bound.len, true)?
        };
        let num = self.num(self.program.ty(bound.len))?;
        self.emit(Op::ParamBound { num, a: len });
        if !bound.at_least {
            return Ok(());
        }
        let Some(elem) = self.program.types.pointee(ty) else { return Ok(()) };
        let lv = self.object(object);
        let base = self.load(&lv)?;
        let step = self.step_of(elem)?;
        self.emit(Op::StaticBound { num, base, len, step });
        Ok(())
    }

    /// Evaluates the bounds of a type and that of the array around it, which nothing orders.
    fn bounds_beside(&mut self, ty: Type, len: ExprId) -> Lower<Reg> {
        let own = self.own_bounds(ty);
        let outer = std::mem::replace(&mut self.f.tracked, true);
        let scope = self.open_scope();
        self.emit(Op::SeqBegin);
        self.emit(Op::SeqOpen);
        let value;
        if self.right_first() {
            self.own_operands(&own, None)?;
            self.emit(Op::SeqNext);
            value = self.value(len)?;
        } else {
            value = self.value(len)?;
            self.emit(Op::SeqNext);
            self.own_operands(&own, None)?;
        }
        self.emit(Op::SeqJoin { operands: 2 });
        self.emit(Op::SeqEnd);
        self.close_scope(scope);
        self.f.tracked = outer;
        Ok(value)
    }

    /// The size in bytes of a variable length array type, in a register.
    pub fn vla_size(&mut self, ty: Type) -> Lower<Reg> {
        let TypeKind::Array { elem, len } = self.program.types.kind(ty) else {
            let size = self.size(ty)?;
            return Ok(self.constant(u128::from(size)));
        };
        let elem_size = self.vla_size(elem)?;
        let Some(count) = self.count(len) else {
            return Ok(self.unsupported("the size of an array whose bound was never evaluated"));
        };
        let dst = self.reg();
        self.emit(Op::VlaSize { dst, count, elem: elem_size });
        Ok(dst)
    }

    /// The number of elements of an array, in a register.
    fn count(&mut self, len: Len) -> Option<Reg> {
        match len {
            Len::Fixed(count) => Some(self.constant(u128::from(count))),
            Len::Variable(vla) => self.f.vlas.get(&vla).copied().or_else(|| self.outer_vla(vla)),
            Len::Unknown | Len::Star => None,
        }
    }

    /// Where types must be compatible, bounds that correspond must be equal (C17 6.7.6.2p6).
    pub fn same_bounds(&mut self, from: Type, to: Type) {
        let types = &self.program.types;
        if from == to || !(types.is_variably_modified(from) || types.is_variably_modified(to)) {
            return;
        }
        if !compat::compatible_unqualified(types, from, to) {
            return;
        }
        for (a, b) in facts::bounds_side_by_side(self.program, from, to) {
            if a != b
                && (matches!(a, Len::Variable(_)) || matches!(b, Len::Variable(_)))
                && let (Some(a), Some(b)) = (self.count(a), self.count(b))
            {
                self.emit(Op::SameSize { a, b });
            }
        }
    }

    /// The operand of `sizeof` is evaluated if it is a variable length array (C17 6.5.3.4p2). No compiler reads a
    /// pointer for that: `int (*p)[n] = malloc(sizeof *p)` is common. So what only leads to the array is left out.
    pub fn vla_operand(&mut self, of: ExprId) -> Lower<()> {
        let program = self.program;
        let mut e = of;
        let plain = loop {
            e = match program.exprs[e].kind {
                ExprKind::Object(_) => break !self.facts.effects(of).has_side_effects(),
                ExprKind::Unary(UnaryOp::Deref, a) | ExprKind::Convert(_, a) => a,
                ExprKind::Member { base, .. } | ExprKind::Index { base, .. } => base,
                _ => break false,
            };
        };
        if plain { Ok(()) } else { self.lvalue(of).map(|_| ()) }
    }

    /// Two arms of a conditional meet in one type: bounds that are known must be equal. Says which are bad to take.
    pub fn arms(&mut self, a: ExprId, b: ExprId) -> (bool, bool) {
        let bad = self.bad_arms(a, b);
        if bad == (false, false) && !self.program.types.vlas.is_empty() {
            self.same_bounds(unconverted(self.program, a), unconverted(self.program, b));
        }
        bad
    }

    /// Which arms of a conditional are undefined to take: the type of the whole would need a bound of the other arm,
    /// which is not evaluated then (C17 6.2.7p3).
    pub fn bad_arms(&self, a: ExprId, b: ExprId) -> (bool, bool) {
        let program = self.program;
        let (a, b) = (unconverted(program, a), unconverted(program, b));
        let types = &program.types;
        if !types.is_variably_modified(a) || !types.is_variably_modified(b) {
            return (false, false);
        }
        if !compat::compatible_unqualified(types, a, b) {
            return (false, false);
        }
        let open = |len: Len| matches!(len, Len::Variable(vla) if !self.has_bound(vla));
        let mut bad = (false, false);
        for (a, b) in facts::bounds_side_by_side(program, a, b) {
            let fixed = matches!(a, Len::Fixed(_)) || matches!(b, Len::Fixed(_));
            bad.0 |= !fixed && a != b && open(b);
            bad.1 |= !fixed && a != b && open(a);
        }
        bad
    }

    /// Says so where a bad arm is taken.
    pub fn bad_arm(&mut self, bad: bool) {
        if bad {
            self.undefined(UbKind::VlaUnevaluated, "");
        }
    }
}

/// The type of an arm of a conditional before it was converted to the type of the whole.
fn unconverted(program: &Program, e: ExprId) -> Type {
    match program.exprs[e].kind {
        ExprKind::Convert(Conv::Same | Conv::PointerToPointer, of) => program.ty(of),
        _ => program.ty(e),
    }
}
