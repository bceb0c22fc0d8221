//! Assignments to vectors.

use howler_lang::program::{BinaryOp, StmtId};

use crate::features::Feature;
use crate::find::Use;
use crate::maker::{Made, Maker};

impl Maker<'_> {
    /// `v = …;`, `v ^= …;`
    pub(crate) fn vector_assignment(&mut self) -> Made<Option<StmtId>> {
        let Some(&ty) = self.choices.pick("vector", &self.pool.vectors) else { return Ok(None) };
        let start = self.log.len();
        let value = self.vector_expr(ty, self.limits.expression_depth.min(4))?;
        let compound = self.has(Feature::Compound) && self.one_in("compound", 4);
        let purpose = if compound { Use::Update } else { Use::Store(start) };
        self.log.beside(start);
        let place = self.lvalue(&|_, other| other == ty, purpose)?;
        self.log.with();
        let Some(place) = place else { return self.out.expr(value).map(Some) };
        self.left -= 2;
        let e = if compound {
            self.read(&place);
            let op = *self.choices.one_of("op", &[BinaryOp::BitXor, BinaryOp::BitOr, BinaryOp::BitAnd]);
            self.out.compound_assign(op, place.e, value)?
        } else {
            self.out.assign(place.e, value)?
        };
        self.wrote(&place);
        self.out.expr(e).map(Some)
    }
}
