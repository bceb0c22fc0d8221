//! Structs and unions as values.

use howler_lang::program::ExprId;
use howler_lang::ty::Type;

use crate::features::Feature;
use crate::find::Use;
use crate::maker::{Known, Made, Maker};

impl Maker<'_> {
    /// A value of a struct or union type; none if there is no such thing here.
    pub(crate) fn record_value(&mut self, ty: Type, depth: u32) -> Made<Option<Known>> {
        let ty = ty.bare();
        self.left -= 1;
        if depth > 1 && self.left > 20 {
            if self.one_in("call", 4)
                && let Some(known) = self.call(ty, depth - 1)?
            {
                return Ok(Some(known));
            }
            if self.has(Feature::Conditional) && self.one_in("conditional", 8) {
                return self.record_cond(ty, depth - 1);
            }
        }
        let wanted = |_: &Maker, other: Type| other == ty;
        if !self.one_in("literal", 6)
            && let Some(lvalue) = self.lvalue(&wanted, Use::Read)?
        {
            let sets = self.states_of(&lvalue);
            if !self.has_garbage(&sets) {
                let e = self.read(&lvalue);
                return Ok(Some(Known { e, sets }));
            }
        }
        if !self.has(Feature::Literals) {
            return Ok(None);
        }
        let (value, sets) = self.initial_value(ty, false)?;
        self.left -= 6;
        Ok(Some(Known { e: self.out.compound_literal(ty, &value)?, sets }))
    }

    fn record_cond(&mut self, ty: Type, depth: u32) -> Made<Option<Known>> {
        // What is not used in the end never happens.
        let unused = self.facts.clone();
        let c = self.condition(depth)?;
        let before = self.facts.clone();
        let Some(one) = self.record_value(ty, 0)? else {
            self.facts = unused;
            return Ok(None);
        };
        let after = std::mem::replace(&mut self.facts, before);
        let Some(two) = self.record_value(ty, 0)? else {
            self.facts = unused;
            return Ok(None);
        };
        self.join(&after);
        let sets = self.either(&one.sets, &two.sets);
        Ok(Some(Known { e: self.out.cond(c, one.e, two.e)?, sets }))
    }

    /// `f().x`: an integer member of a value that no object holds.
    pub(crate) fn member_of_value(&mut self, depth: u32) -> Made<Option<ExprId>> {
        let Some(&ty) = self.choices.pick("struct", &self.pool.structs) else { return Ok(None) };
        let types = &self.out.program.types;
        let members: Vec<String> = (self.out.members(ty).into_iter())
            .filter(|(_, ty, _)| types.is_integer(*ty))
            .filter_map(|(name, _, _)| Some(name?.to_owned()))
            .collect();
        let Some(member) = self.choices.pick("member", &members).cloned() else { return Ok(None) };
        let value = match self.call(ty, depth)? {
            Some(value) => Some(value),
            None => self.record_value(ty, depth)?,
        };
        let Some(value) = value else { return Ok(None) };
        self.left -= 2;
        self.out.member(value.e, &member).map(Some)
    }
}
