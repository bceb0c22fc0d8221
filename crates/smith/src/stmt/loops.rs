//! Loops: each ends after so many rounds, whatever happens in it. What holds at its head is chosen before its body.

use howler_lang::arith::{Num, num_of};
use howler_lang::compose::{Head as ForHead, Value};
use howler_lang::program::{BinaryOp, ExprId, ObjId, StmtId, UnaryOp};
use howler_lang::target::Edition;
use howler_lang::ty::Type;

use crate::features::Feature;
use crate::find::Lvalue;
use crate::maker::{Breaks, Counter, Head, Made, Maker};
use crate::place::{Part, Shape, Slot};
use crate::safe::Op;
use crate::sets::Set;

/// How a loop counts.
pub(crate) struct Count {
    pub(crate) first: i128,
    /// The step, up or down.
    pub(crate) by: i128,
    pub(crate) rounds: u32,
}

impl Count {
    /// The value in the last round.
    fn last(&self) -> i128 {
        self.first + self.by * i128::from(self.rounds - 1)
    }

    /// The value after the last round.
    fn end(&self) -> i128 {
        self.first + self.by * i128::from(self.rounds)
    }
}

impl Maker<'_> {
    /// How many rounds a loop may have here.
    pub(crate) fn rounds(&mut self) -> u32 {
        // A body of a few hundred steps must fit, so many times.
        let room = self.steps / 600 / self.times().max(1);
        let most = u32::try_from(room).unwrap_or(u32::MAX).min(self.limits.rounds);
        if most < 2 { 0 } else { self.choices.range("rounds", 1..=most) }
    }

    /// A `for` with a counter that nothing in the body assigns to: one of its own, or a variable that is there.
    pub(crate) fn for_loop(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let rounds = self.rounds();
        if rounds == 0 {
            return Ok(None);
        }
        self.left -= 14;
        if self.has(Feature::GlobalCounters)
            && self.one_in("a variable", 2)
            && let Some(stmt) = self.for_over_variable(rounds, depth)?
        {
            return Ok(Some(stmt));
        }
        if self.one_in("computed", 4) {
            return self.computed_for(depth);
        }
        self.own_for(rounds, |maker| maker.block(depth + 1))
    }

    /// A counter and its values that fit a type.
    fn count(&mut self, ty: Type, rounds: u32) -> Option<Count> {
        let program = &self.out.program;
        let Some(Num::Int { width, signed }) = num_of(&program.types, &program.target, ty) else {
            return None;
        };
        if width < 8 {
            return None;
        }
        let (least, most) = if signed {
            (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
        } else if width >= 127 {
            (0, i128::MAX)
        } else {
            (0, (1i128 << width) - 1)
        };
        let step = *self.choices.one_of("step", &[1, 1, 1, 2, 3, 4, 5, 7, 9]);
        let span = step * i128::from(rounds);
        if span > most {
            return None;
        }
        let up = self.choices.chance("up", 2, 3);
        let near = match self.choices.range("first", 0..=5u32) {
            0..=2 => 0,
            3 => self.choices.range("near", -30..=30i128),
            4 => {
                if up {
                    most - span
                } else {
                    least + span
                }
            }
            _ => i128::from(self.choices.range("far", -128..=127i32)),
        };
        let first = if up { near.clamp(least, most - span) } else { (near + span).clamp(least + span, most) };
        Some(Count { first, by: if up { step } else { -step }, rounds })
    }

    /// `for (T i = a; i < b; i += c)`
    pub(crate) fn own_for(
        &mut self,
        rounds: u32,
        body: impl FnOnce(&mut Self) -> Made<Vec<StmtId>>,
    ) -> Made<Option<StmtId>> {
        let ty = self.counter_type();
        let Some(count) = self.count(ty, rounds) else { return Ok(None) };
        self.for_with(ty, &count, body).map(Some)
    }

    /// A `for` with a counter of its own that takes these values.
    pub(crate) fn for_with(
        &mut self,
        ty: Type,
        count: &Count,
        body: impl FnOnce(&mut Self) -> Made<Vec<StmtId>>,
    ) -> Made<StmtId> {
        self.open();
        let name = self.name("i");
        let (object, declared) = self.out.local(&name, ty, Some(&Value::Int(count.first)))?;
        let part = self.locked_variable(object, ty);
        let now = self.out.lvalue(object);
        let cond = self.goes_on(now, ty, count)?;
        let advance = self.advance(object, ty, count)?;
        let body = self.looped(part, count, body)?;
        self.own_loop(declared, (Some(cond), Some(advance)), body)
    }

    fn counter_type(&mut self) -> Type {
        *self.choices.one_of(
            "counter",
            &[
                Type::INT,
                Type::INT,
                Type::UINT,
                Type::SHORT,
                Type::USHORT,
                Type::SCHAR,
                Type::UCHAR,
                Type::LONG,
                Type::ULONG,
            ],
        )
    }

    /// A variable of the block that is open, made already, that nothing may assign to.
    fn locked_variable(&mut self, object: ObjId, ty: Type) -> Part {
        let var = self.variable(object, ty, false);
        self.frame().scopes.last_mut().expect("a block is open").vars.push(var);
        let root = self.places.var(var).root;
        let leaves = self.places.part(root).leaves;
        self.places.lock(leaves, true);
        self.places.hide(root);
        root
    }

    /// The body of a loop with a counter.
    fn looped<T>(&mut self, part: Part, count: &Count, body: impl FnOnce(&mut Self) -> Made<T>) -> Made<T> {
        let (low, high) = (count.first.min(count.last()), count.first.max(count.last()));
        self.rounds_with(count.rounds, |maker| {
            maker.frame().counters.push(Counter { part, low, high });
            let body = body(maker)?;
            maker.frame().counters.pop();
            Ok(body)
        })
    }

    /// The body of a loop with so many rounds. What held at the head holds after it: nothing in the body could change that.
    pub(crate) fn rounds_with<T>(&mut self, rounds: u32, body: impl FnOnce(&mut Self) -> Made<T>) -> Made<T> {
        let head = self.head(false);
        self.heads.push(head);
        let facts = self.facts.clone();
        let frame = self.frame();
        let times = frame.times;
        frame.times = times.saturating_mul(u64::from(rounds));
        frame.loops += 1;
        frame.breaks.push(Breaks::Loop);
        let body = body(self)?;
        let frame = self.frame();
        frame.breaks.pop();
        (frame.times, frame.loops) = (times, frame.loops - 1);
        self.heads.pop();
        self.facts = facts;
        Ok(body)
    }

    /// A `for` with its own counter, whose scope ends here.
    fn own_loop(
        &mut self,
        declared: StmtId,
        (cond, advance): (Option<ExprId>, Option<ExprId>),
        body: Vec<StmtId>,
    ) -> Made<StmtId> {
        let mut before = self.close(Vec::new());
        let stmt = if self.out.program.target.std.edition == Edition::C89 {
            before.push(declared);
            self.out.for_loop(ForHead::Nothing, cond, advance, &body)?
        } else {
            self.out.for_loop(ForHead::Declarations(&[declared]), cond, advance, &body)?
        };
        if before.is_empty() {
            return Ok(stmt);
        }
        before.push(stmt);
        Ok(self.out.block(&before))
    }

    /// The condition of a loop: one of the comparisons that end it after the right number of rounds.
    fn goes_on(&mut self, now: ExprId, ty: Type, count: &Count) -> Made<ExprId> {
        let (last, end, up) = (count.last(), count.end(), count.by > 0);
        let way = self.choices.range("test", 0..=5u32);
        // The value after the last round may be one that the type does not have.
        if way == 0 && end == 0 {
            return Ok(now);
        }
        let (op, bound) = match way {
            0 | 1 => (BinaryOp::Ne, end),
            2 => (if up { BinaryOp::Le } else { BinaryOp::Ge }, last),
            3 => {
                // Anything from the last value on, but not the next.
                let slack = count.by.abs() - 1;
                let more = self.choices.range("slack", 0..=slack);
                if up { (BinaryOp::Le, last + more) } else { (BinaryOp::Ge, last - more) }
            }
            _ => (if up { BinaryOp::Lt } else { BinaryOp::Gt }, end),
        };
        let bound = self.bound(ty, bound)?;
        self.out.binary(op, now, bound)
    }

    /// The bound of a loop: a constant, or a variable that nothing changes.
    fn bound(&mut self, ty: Type, bound: i128) -> Made<ExprId> {
        if self.has(Feature::Const) && self.one_in("in a variable", 6) {
            let name = self.name("c");
            let quals = howler_lang::ty::Quals::CONST;
            let constant = self.out.qualified(ty, quals);
            let (object, declared) = self.out.local(&name, constant, Some(&Value::Int(bound)))?;
            let var = self.variable(object, constant, false);
            let frame = self.frame();
            // Beside the counter, or around it.
            let scope = frame.scopes.last_mut().expect("a block is open");
            scope.vars.push(var);
            scope.declared.push(declared);
            return Ok(self.out.lvalue(object));
        }
        self.out.constant(ty, &Value::Int(bound))
    }

    /// What is done after each round.
    fn advance(&mut self, object: ObjId, ty: Type, count: &Count) -> Made<ExprId> {
        let now = self.out.lvalue(object);
        self.advance_with(now, |maker| Ok(maker.out.lvalue(object)), ty, count)
    }

    fn advance_with(
        &mut self,
        now: ExprId,
        again: impl FnOnce(&mut Self) -> Made<ExprId>,
        ty: Type,
        count: &Count,
    ) -> Made<ExprId> {
        let (size, up) = (count.by.abs(), count.by > 0);
        let steps = self.has(Feature::Step);
        match self.choices.range("advance", 0..=5u32) {
            0..=3 if size == 1 && steps => {
                let ops = if up {
                    [UnaryOp::PostInc, UnaryOp::PreInc]
                } else {
                    [UnaryOp::PostDec, UnaryOp::PreDec]
                };
                let op = *self.choices.one_of("side", &ops);
                self.out.unary(op, now)
            }
            4 if ty != Type::CHAR && ty != Type::BOOL => {
                let value = again(self)?;
                let by = self.out.int(size)?;
                let sum = self.safe_in(if up { Op::Add } else { Op::Sub }, ty, &[value, by])?;
                self.out.assign(now, sum)
            }
            _ if self.has(Feature::Compound) => {
                let by = self.out.int(size)?;
                self.out.compound_assign(if up { BinaryOp::Add } else { BinaryOp::Sub }, now, by)
            }
            _ => {
                let value = again(self)?;
                let by = self.out.int(size)?;
                let sum = self.out.binary(if up { BinaryOp::Add } else { BinaryOp::Sub }, value, by)?;
                self.out.assign(now, sum)
            }
        }
    }

    /// A `for` over a variable that is there already: one of file scope, or of a block around.
    fn for_over_variable(&mut self, rounds: u32, depth: u32) -> Made<Option<StmtId>> {
        let Some(place) = self.counting_place()? else { return Ok(None) };
        let Some(count) = self.count(place.ty, rounds) else { return Ok(None) };
        let part = place.parts[0];
        self.open();
        let bits = self.out.constant(place.ty, &Value::Int(count.first))?;
        self.wrote(&place);
        let first = self.out.assign(place.e, bits)?;
        let now = self.path(part)?;
        let cond = self.goes_on(now, place.ty, &count)?;
        let now = self.path(part)?;
        let advance = self.advance_with(now, |maker| maker.path(part), place.ty, &count)?;
        self.note_read(part, false);
        let leaves = self.places.part(part).leaves;
        self.places.lock(leaves, true);
        let body = self.looped(part, &count, |maker| maker.block(depth + 1))?;
        self.places.lock(leaves, false);
        let before = self.close(Vec::new());
        let stmt = self.out.for_loop(ForHead::Expr(first), Some(cond), Some(advance), &body)?;
        if before.is_empty() {
            return Ok(Some(stmt));
        }
        let mut all = before;
        all.push(stmt);
        Ok(Some(self.out.block(&all)))
    }

    /// An integer that a loop may count with.
    fn counting_place(&mut self) -> Made<Option<Lvalue>> {
        let types = [
            Type::SCHAR,
            Type::UCHAR,
            Type::SHORT,
            Type::USHORT,
            Type::INT,
            Type::UINT,
            Type::LONG,
            Type::ULONG,
        ];
        self.log.clear();
        let wanted = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            types.contains(&data.ty)
                && data.quals.is_empty()
                && matches!(data.shape, Shape::Number(None))
                && !data.of_array
                && !data.of_union
        };
        let Some(part) = self.find(wanted, false) else { return Ok(None) };
        if !self.may_write(part, false, None) {
            return Ok(None);
        }
        let e = self.path(part)?;
        let ty = self.places.part(part).ty;
        Ok(Some(Lvalue { e, parts: vec![part], exact: true, ty, volatile: false }))
    }

    /// `for (int i = 0; i < (x & 7); i += 2)`: a bound that may be another in each round.
    fn computed_for(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let step = *self.choices.one_of("step", &[1, 1, 2, 3]);
        let mask = *self.choices.one_of("mask", &[3i128, 7, 15]);
        let rounds = (mask as u32).div_ceil(step);
        if !self.affords(u64::from(rounds) * 400) {
            return Ok(None);
        }
        let count = Count { first: 0, by: i128::from(step), rounds };
        let ty = *self.choices.one_of("counter", &[Type::INT, Type::UCHAR, Type::SHORT, Type::LONG]);
        self.open();
        let name = self.name("i");
        let (object, declared) = self.out.local(&name, ty, Some(&Value::Int(0)))?;
        let part = self.locked_variable(object, ty);
        // What the bound reads changes nothing, and it is asked for in each round, so it holds at the head.
        let mut cond = None;
        let body = self.rounds_with(rounds, |maker| {
            maker.log.clear();
            let bound = maker.int_leaf()?;
            let mask = maker.out.int(mask)?;
            let bound = maker.out.binary(BinaryOp::BitAnd, bound, mask)?;
            let now = maker.out.lvalue(object);
            cond = Some(maker.out.binary(BinaryOp::Lt, now, bound)?);
            maker.frame().counters.push(Counter { part, low: 0, high: count.last() });
            let body = maker.block(depth + 1)?;
            maker.frame().counters.pop();
            Ok(body)
        })?;
        let advance = self.advance(object, ty, &count)?;
        self.own_loop(declared, (cond, Some(advance)), body).map(Some)
    }

    /// `while (… && n-- > 0)`, or `for (x = …; x; x >>= 3)`.
    pub(crate) fn while_loop(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let rounds = self.rounds();
        if rounds == 0 {
            return Ok(None);
        }
        self.left -= 12;
        if self.one_in("digits", 3) {
            return self.digits(depth);
        }
        let mut cond = None;
        self.open();
        let name = self.name("n");
        let (object, declared) = self.out.local(&name, Type::INT, Some(&Value::Int(i128::from(rounds))))?;
        self.locked_variable(object, Type::INT);
        let body = self.rounds_with(rounds, |maker| {
            maker.log.clear();
            let wish = maker.condition(3)?;
            let now = maker.out.lvalue(object);
            let now = maker.out.unary(UnaryOp::PostDec, now)?;
            let zero = maker.out.int(0)?;
            let fuel = maker.out.binary(BinaryOp::Gt, now, zero)?;
            cond = Some(if maker.one_in("fuel first", 2) {
                maker.out.binary(BinaryOp::And, fuel, wish)?
            } else {
                maker.out.binary(BinaryOp::And, wish, fuel)?
            });
            maker.block(depth + 1)
        })?;
        let mut list = self.close(Vec::new());
        list.push(declared);
        let cond = match cond {
            Some(cond) => cond,
            None => self.out.int(0)?,
        };
        list.push(self.out.while_loop(cond, &body)?);
        Ok(Some(self.out.block(&list)))
    }

    /// A loop over the digits of a number: as many rounds as it has.
    fn digits(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let (ty, width) = *self.choices.one_of(
            "digits of",
            &[(Type::UINT, 32u32), (Type::USHORT, 16), (Type::ULONG, 64), (Type::UCHAR, 8)],
        );
        let bits = *self.choices.one_of("bits", &[3u32, 4, 5, 7, 8, 11]);
        let rounds = width.div_ceil(bits);
        if !self.affords(u64::from(rounds) * 400) {
            return Ok(None);
        }
        self.log.clear();
        let first = self.int_expr(3)?;
        self.open();
        let name = self.name("i");
        let (object, declared) = self.out.local(&name, ty, Some(&Value::Expr(first)))?;
        self.locked_variable(object, ty);
        let body = self.rounds_with(rounds, |maker| maker.block(depth + 1))?;
        let now = self.out.lvalue(object);
        let zero = self.out.int(0)?;
        let cond = match self.one_in("compared", 2) {
            true => self.out.binary(BinaryOp::Ne, now, zero)?,
            false => now,
        };
        let now = self.out.lvalue(object);
        let by = self.out.int(i128::from(bits))?;
        let advance = if self.has(Feature::Compound) {
            self.out.compound_assign(BinaryOp::Shr, now, by)?
        } else {
            let again = self.out.lvalue(object);
            let shifted = self.out.binary(BinaryOp::Shr, again, by)?;
            self.out.assign(now, shifted)?
        };
        self.own_loop(declared, (Some(cond), Some(advance)), body).map(Some)
    }

    /// `do … while (… && ++n < k);`
    pub(crate) fn do_loop(&mut self, depth: u32) -> Made<Option<StmtId>> {
        let rounds = self.rounds();
        if rounds == 0 {
            return Ok(None);
        }
        self.left -= 12;
        self.open();
        let name = self.name("n");
        let (object, declared) = self.out.local(&name, Type::INT, Some(&Value::Int(0)))?;
        self.locked_variable(object, Type::INT);
        let (body, cond) = self.rounds_with(rounds, |maker| {
            let head = maker.facts.clone();
            let body = maker.block(depth + 1)?;
            // A `continue` leads here, too.
            maker.facts = head;
            maker.log.clear();
            let wish = maker.condition(3)?;
            let now = maker.out.lvalue(object);
            let now = maker.out.unary(UnaryOp::PreInc, now)?;
            let most = maker.out.int(i128::from(rounds))?;
            let fuel = maker.out.binary(BinaryOp::Lt, now, most)?;
            let cond = if maker.one_in("fuel first", 2) {
                maker.out.binary(BinaryOp::And, fuel, wish)?
            } else {
                maker.out.binary(BinaryOp::And, wish, fuel)?
            };
            Ok((body, cond))
        })?;
        let mut list = self.close(Vec::new());
        list.push(declared);
        list.push(self.out.do_loop(&body, cond)?);
        Ok(Some(self.out.block(&list)))
    }

    /// What holds at the head of a loop in every round: some states may change in it, and then may be what is chosen here;
    /// all others stay as they are. With
    /// `lasting`, pointers may point only to what is there for the whole run.
    pub(crate) fn head(&mut self, lasting: bool) -> Head {
        let mut free: Vec<(Slot, Set)> = Vec::new();
        if self.has(Feature::Pointers) || self.has(Feature::Unions) {
            for _ in 0..self.choices.range("free", 0..=4u32) {
                let wanted = |maker: &Maker, part: Part| maker.places.part(part).slot.is_some();
                let Some(part) = self.find(wanted, false) else { continue };
                let Some(slot) = self.places.part(part).slot else { continue };
                if free.iter().any(|(known, _)| *known == slot) {
                    continue;
                }
                let set = self.allowed(part, slot, lasting);
                // Around this loop there may be others, which have a say too.
                if self.may_become(slot, set) {
                    free.push((slot, set));
                }
            }
        }
        for &(slot, set) in &free {
            self.becomes(slot, set, true);
        }
        // Targets were made for them, perhaps: those are there before the loop.
        Head { before: Part(self.places.parts.len() as u32), free }
    }

    /// The states that a pointer or a union may have in a loop: as it is, and some more.
    fn allowed(&mut self, part: Part, slot: Slot, lasting: bool) -> Set {
        let mut set = self.peek(slot);
        let data = self.places.part(part);
        if data.shape == Shape::Union {
            let members = data.kids.len() as u32;
            let member = self.choices.range("member", 0..=members - 1);
            let one = self.sets.member(member);
            return self.sets.union(set, one);
        }
        let global = lasting || self.places.is_global(part);
        let to = self.out.program.types.pointee(data.ty).unwrap_or(Type::INT);
        for _ in 0..self.choices.range("targets", 1..=3u32) {
            if let Some(target) = self.target_for(to, global) {
                let one = self.sets.one(target);
                set = self.sets.union(set, one);
            }
        }
        set
    }
}
