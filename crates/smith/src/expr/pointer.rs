//! Pointers: values of them, and what integers can be made of them without asking where things lie.

use howler_lang::program::{BinaryOp, ExprId, UnaryOp};
use howler_lang::ty::Type;

use crate::features::Feature;
use crate::find::{Lvalue, Use};
use crate::maker::{Known, Made, Maker};
use crate::place::Part;
use crate::sets::Sets;

impl Maker<'_> {
    /// A value of a pointer type, for one that lasts as long as `lasting` says.
    pub(crate) fn pointer_value(&mut self, ty: Type, lasting: bool, depth: u32) -> Made<Known> {
        let ty = ty.bare();
        if depth > 1 && self.has(Feature::Conditional) && self.one_in("conditional", 10) && self.left > 20 {
            let c = self.condition(depth - 1)?;
            let before = self.facts.clone();
            let one = self.pointer_value(ty, lasting, 0)?;
            let after = std::mem::replace(&mut self.facts, before);
            let two = self.pointer_value(ty, lasting, 0)?;
            self.join(&after);
            // Targets may have fewer qualifiers than the type says.
            let (one_e, two_e) = (self.out.cast(ty, one.e)?, self.out.cast(ty, two.e)?);
            let sets = self.either(&one.sets, &two.sets);
            return Ok(Known { e: self.out.cond(c, one_e, two_e)?, sets });
        }
        if depth > 1
            && !lasting
            && self.one_in("call", 8)
            && let Some(known) = self.call(ty, depth - 1)?
        {
            return Ok(known);
        }
        if self.choices.chance("another pointer", 1, 3)
            && let Some(known) = self.pointer_variable(&|_, other| other == ty, lasting)?
        {
            return Ok(known);
        }
        let to = self.out.program.types.pointee(ty).unwrap_or(Type::INT);
        if !self.one_in("null", 20)
            && let Some(part) = self.target_for(to, lasting)
        {
            let e = self.path(part)?;
            let set = self.sets.one(part);
            self.left -= 2;
            return Ok(Known { e: self.out.address(e)?, sets: vec![set] });
        }
        Ok(Known { e: self.out.null(ty)?, sets: vec![Sets::NULL] })
    }

    /// The value of a pointer that may be read here.
    fn pointer_variable(
        &mut self,
        wanted: &dyn Fn(&Maker, Type) -> bool,
        lasting: bool,
    ) -> Made<Option<Known>> {
        let Some(lvalue) = self.pointer_lvalue(wanted)? else { return Ok(None) };
        let sets = self.states_of(&lvalue);
        if lasting && !self.is_lasting(&sets, Part(0)) {
            return Ok(None);
        }
        Ok(Some(Known { e: self.read(&lvalue), sets }))
    }

    /// A pointer that may be read here: it does not point to what is no more.
    pub(crate) fn pointer_lvalue(&mut self, wanted: &dyn Fn(&Maker, Type) -> bool) -> Made<Option<Lvalue>> {
        let pointer =
            |maker: &Maker, ty: Type| maker.out.program.types.pointee(ty).is_some() && wanted(maker, ty);
        let Some(lvalue) = self.lvalue(&pointer, Use::Read)? else { return Ok(None) };
        let sets = self.states_of(&lvalue);
        Ok(if self.has_garbage(&sets) { None } else { Some(lvalue) })
    }

    /// An integer made of a pointer: whether it is null, or equal to another.
    pub(crate) fn int_from_pointer(&mut self, depth: u32) -> Made<Option<ExprId>> {
        let start = self.log.len();
        let Some(lvalue) = self.pointer_lvalue(&|_, _| true)? else { return Ok(None) };
        let a = self.read(&lvalue);
        if depth == 0 || self.one_in("null", 3) {
            let zero = self.out.int(0)?;
            let op = *self.choices.one_of("equality", &[BinaryOp::Eq, BinaryOp::Ne]);
            return if self.one_in("not", 2) {
                self.out.unary(UnaryOp::Not, a).map(Some)
            } else {
                self.out.binary(op, a, zero).map(Some)
            };
        }
        self.log.beside(start);
        let b = self.pointer_value(lvalue.ty, false, 0)?;
        self.log.with();
        let op = *self.choices.one_of("equality", &[BinaryOp::Eq, BinaryOp::Ne]);
        let b = self.out.cast(lvalue.ty, b.e)?;
        self.out.binary(op, a, b).map(Some)
    }
}
