//! Assignments, and calls whose value nobody wants.

use howler_lang::program::{ExprId, StmtId};
use howler_lang::ty::Type;

use crate::features::Feature;
use crate::find::{Lvalue, Use};
use crate::maker::{Known, Made, Maker};

impl Maker<'_> {
    /// An assignment to a number.
    pub(crate) fn assignment(&mut self) -> Made<StmtId> {
        self.log.clear();
        let depth = self.limits.expression_depth;
        if self.has(Feature::Float)
            && self.one_in("float", 12)
            && let Some(stmt) = self.float_assignment(depth)?
        {
            return Ok(stmt);
        }
        match self.int_assign(depth)? {
            Some(e) => self.out.expr(e),
            None => Ok(self.out.nothing()),
        }
    }

    fn float_assignment(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let ty = self.float_type();
        let start = self.log.len();
        let value = self.float_for(ty, depth)?;
        let Some(place) = self.place_beside(start, &|_, other| other == ty)? else {
            return self.out.expr(value).map(Some);
        };
        self.wrote(&place);
        self.stored(&place, value).map(Some)
    }

    /// A place for what was made since `start`.
    fn place_beside(&mut self, start: usize, wanted: &dyn Fn(&Maker, Type) -> bool) -> Made<Option<Lvalue>> {
        self.log.beside(start);
        let place = self.lvalue(wanted, Use::Store(start))?;
        self.log.with();
        Ok(place)
    }

    fn stored(&mut self, place: &Lvalue, value: ExprId) -> Made<StmtId> {
        let e = self.out.assign(place.e, value)?;
        self.out.expr(e)
    }

    /// A pointer is made to point elsewhere.
    pub(crate) fn repoint(&mut self) -> Made<Option<StmtId>> {
        // The place comes first here, for its type, and the value stands beside it.
        let wanted = |maker: &Maker, ty: Type| maker.out.program.types.pointee(ty).is_some();
        let start = self.log.len();
        let place = self.place_beside(start, &wanted)?;
        let Some(place) = place else { return Ok(None) };
        // Mostly to what lives as long.
        let global = self.places.is_global(place.parts[0]) && !self.one_in("short-lived", 10);
        self.log.beside(start);
        let known = self.pointer_value(place.ty, global, 2)?;
        self.log.with();
        self.assign_known(start, &place, &known).map(Some)
    }

    /// A struct or a union is copied.
    pub(crate) fn copy(&mut self) -> Made<Option<StmtId>> {
        let wanted = |maker: &Maker, ty: Type| maker.out.program.types.as_record(ty).is_some();
        let start = self.log.len();
        let Some(place) = self.place_beside(start, &wanted)? else { return Ok(None) };
        self.log.beside(start);
        let known = self.record_value(place.ty, 3)?;
        self.log.with();
        match known {
            Some(known) => self.assign_known(start, &place, &known).map(Some),
            None => Ok(None),
        }
    }

    /// Stores a value whose states are known, if the loops around allow them; else it is computed for nothing.
    fn assign_known(&mut self, start: usize, place: &Lvalue, known: &Known) -> Made<StmtId> {
        // What was made since the place was found may have touched it.
        self.log.beside(start);
        let free = place.parts.iter().all(|&part| {
            self.may_take(part, &known.sets) && self.may_write(part, place.volatile, Some(start))
        });
        self.log.with();
        if !free {
            return self.out.expr(known.e);
        }
        self.wrote(place);
        for &part in &place.parts {
            self.takes(part, &known.sets, !place.exact);
        }
        self.left -= 4;
        self.stored(place, known.e)
    }

    /// A call as a statement.
    pub(crate) fn call_statement(&mut self) -> Made<Option<StmtId>> {
        let known = self.call(Type::INT, 3)?;
        match known {
            Some(known) => self.out.expr(known.e).map(Some),
            None => Ok(None),
        }
    }
}
