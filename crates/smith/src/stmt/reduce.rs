//! Short loops that carry a number along: sums, shifts, truncations, with early ends. These are what loop passes look for.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, ObjId, StmtId};
use howler_lang::ty::Type;

use crate::find::Use;
use crate::maker::{Made, Maker};
use crate::place::Part;
use crate::safe::Op;

impl Maker<'_> {
    /// `T a = …; for (…) { a = a op …; if (…) break; } x = a;`
    pub(crate) fn reduction(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let rounds = self.rounds();
        if rounds < 2 {
            return Ok(None);
        }
        self.left -= 20;
        let ty = self.operation_type();
        self.log.clear();
        let first = self.int_expr(2)?;
        self.open();
        let name = self.name("a");
        let (object, declared) = self.out.local(&name, ty, Some(&Value::Expr(first)))?;
        let var = self.variable(object, ty, false);
        self.frame().scopes.last_mut().expect("opened above").vars.push(var);
        let root = self.places.var(var).root;
        let made = self.own_for(rounds, |maker| {
            maker.open();
            let mut body = vec![maker.carry(object, root, ty)?];
            if maker.one_in("early end", 3) {
                maker.log.clear();
                let cond = maker.condition(2)?;
                let stop = maker.out.breaks();
                body.push(maker.out.when(cond, &[stop])?);
            }
            if maker.one_in("more", 2) {
                body.push(maker.statement(depth + 2)?);
            }
            Ok(maker.close(body))
        })?;
        let mut list = vec![declared];
        list.extend(made);
        list.extend(self.keep_carried(object, root)?);
        // Declarations of the block, made on the way, stand before all else.
        let list = self.close(list);
        Ok(Some(self.out.block(&list)))
    }

    /// `x = a;` after the loop: what was carried through it is stored somewhere.
    pub(crate) fn keep_carried(&mut self, object: ObjId, root: Part) -> Made<Option<StmtId>> {
        self.log.clear();
        let wanted = |maker: &Maker, ty: Type| maker.out.program.types.is_integer(ty);
        self.log.beside(0);
        let place = self.lvalue(&wanted, Use::Store(0))?;
        self.log.with();
        let Some(place) = place else { return Ok(None) };
        self.note_read(root, false);
        self.wrote(&place);
        let value = self.out.lvalue(object);
        let e = self.out.assign(place.e, value)?;
        self.out.expr(e).map(Some)
    }

    /// One step of what is carried: an operation on it and something else.
    fn carry(&mut self, object: ObjId, root: Part, ty: Type) -> Made<StmtId> {
        self.log.clear();
        self.costs(10);
        self.note_read(root, false);
        self.log.beside(0);
        let value = self.int_expr(3)?;
        self.log.with();
        if !self.may_write(root, false, None) {
            return self.out.expr(value);
        }
        self.note_write(root, false, true);
        let e = self.carried(object, ty, value)?;
        let place = self.out.lvalue(object);
        let e = self.out.assign(place, e)?;
        self.out.expr(e)
    }

    fn carried(&mut self, object: ObjId, ty: Type, value: ExprId) -> Made<ExprId> {
        let now = self.out.lvalue(object);
        match self.choices.range("carried", 0..=6u32) {
            0 | 1 => self.safe(Op::Add, ty, &[now, value]),
            2 => {
                // Truncated on the way.
                let sum = self.safe(Op::Sub, ty, &[now, value])?;
                let narrow = self.operation_type();
                self.out.cast(narrow, sum)
            }
            3 => self.safe(Op::Mul, ty, &[now, value]),
            4 => {
                let places = self.choices.range("places", 1..=7i128);
                let places = self.out.int(places)?;
                let op = if self.one_in("left", 2) { Op::Shl } else { Op::Shr };
                let shifted = self.safe(op, ty, &[now, places])?;
                self.out.binary(BinaryOp::BitXor, shifted, value)
            }
            5 => {
                // The greater or the lesser of both.
                let op = *self.choices.one_of("which", &[BinaryOp::Lt, BinaryOp::Gt]);
                let value = self.out.cast(ty, value)?;
                let other = self.out.lvalue(object);
                let limit = self.number(ty);
                let limit = self.out.constant(ty, &Value::Bits(limit))?;
                let test = self.out.binary(op, now, limit)?;
                self.out.cond(test, other, value)
            }
            _ => {
                let op = *self.choices.one_of("op", &[BinaryOp::BitXor, BinaryOp::BitOr, BinaryOp::BitAnd]);
                self.out.binary(op, now, value)
            }
        }
    }
}
