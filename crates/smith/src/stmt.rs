//! Statements and blocks.

use howler_lang::compose::{Head as ForHead, Value};
use howler_lang::program::{BinaryOp, StmtId, UnaryOp};
use howler_lang::ty::Type;

use crate::maker::{Head, Made, Maker, Scope};
use crate::place::{Part, Slot, Step};
use crate::sets::Set;

impl Maker<'_> {
    /// The scope of a block has ended.
    pub(crate) fn end(&mut self, scope: &Scope) {
        for &var in &scope.vars {
            self.places.var_mut(var).dead = true;
        }
        let Maker { facts, sets, places, .. } = self;
        facts.bury(sets, places);
        for frame in &mut self.frames {
            if let Some(exits) = &mut frame.exits {
                exits.bury(&mut self.sets, &self.places);
            }
        }
    }

    /// A block with its own scope.
    pub(crate) fn block(&mut self, depth: u32) -> Made<Vec<StmtId>> {
        self.frame().scopes.push(Scope::default());
        let body = self.block_body(depth)?;
        let scope = self.frame().scopes.pop().unwrap_or_default();
        self.end(&scope);
        let mut all = scope.declared;
        all.extend(body);
        Ok(all)
    }

    /// The statements of a block, in the scope that is open.
    pub(crate) fn block_body(&mut self, depth: u32) -> Made<Vec<StmtId>> {
        let most = self.options.block_size;
        let count = self.choices.range("statements", 1..=most);
        let mut all = Vec::new();
        for _ in 0..count {
            if self.left < 0 {
                break;
            }
            self.log.clear();
            all.push(self.statement(depth)?);
        }
        Ok(all)
    }

    fn statement(&mut self, depth: u32) -> Made<StmtId> {
        self.left -= 2;
        self.costs(4);
        let nest = depth < self.options.block_depth && self.left > 20;
        // Table 3.1 of the thesis.
        match self.choices.range("statement", 0..=99u32) {
            0..=14 if nest => self.branch(depth),
            15..=29 if nest => self.counted(depth),
            30..=33 if self.frame().loops > 0 => self.leave(),
            34..=36 => self.early_return(),
            37..=51 if self.options.pointers => self.repoint(),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) -> Made<StmtId> {
        let depth = self.options.expression_depth;
        let e = self.int_assign(depth)?;
        self.out.expr(e)
    }

    /// A pointer is made to point elsewhere.
    fn repoint(&mut self) -> Made<StmtId> {
        let Some(place) = self.writable_pointer()? else { return self.assignment() };
        let part = place.parts[0];
        let Some(slot) = self.places.part(part).slot else { return self.assignment() };
        // Mostly to what lives as long.
        let global = self.places.is_global(part) && !self.one_in("short-lived", 10);
        let (value, set) = self.pointer_value(place.ty, global)?;
        if !self.may_point(slot, set) {
            return self.assignment();
        }
        let leaves = self.places.part(part).leaves;
        self.writes(leaves);
        self.point(slot, set, !place.exact);
        self.left -= 4;
        let e = self.out.assign(place.e, value)?;
        self.out.expr(e)
    }

    fn branch(&mut self, depth: u32) -> Made<StmtId> {
        let cond = self.int_expr(self.options.expression_depth)?;
        let before = self.facts.clone();
        let then = self.block(depth + 1)?;
        if self.choices.chance("else", 1, 2) {
            let after = std::mem::replace(&mut self.facts, before);
            let other = self.block(depth + 1)?;
            self.join(after);
            return self.out.either(cond, &then, &other);
        }
        self.join(before);
        self.out.when(cond, &then)
    }

    /// `break` or `continue`, if something says so.
    fn leave(&mut self) -> Made<StmtId> {
        let cond = self.int_expr(2)?;
        let stmt = if self.choices.chance("break", 1, 2) { self.out.breaks() } else { self.out.continues() };
        self.out.when(cond, &[stmt])
    }

    fn early_return(&mut self) -> Made<StmtId> {
        let cond = self.int_expr(2)?;
        self.log.clear();
        let before = self.facts.clone();
        let value = self.int_expr(2)?;
        let after = std::mem::replace(&mut self.facts, before);
        let mut exits = match self.frame().exits.take() {
            Some(exits) => exits,
            None => after.clone(),
        };
        exits.join(&after, &mut self.sets, &self.initial);
        self.frame().exits = Some(exits);
        let func = self.frame().func;
        let returns = self.out.returns(func, Some(value))?;
        self.out.when(cond, &[returns])
    }

    /// A loop with a counter that nothing else assigns to.
    fn counted(&mut self, depth: u32) -> Made<StmtId> {
        let most = self.rounds();
        if most < 2 {
            return self.assignment();
        }
        let rounds = self.choices.range("rounds", 1..=most);
        let step = self.choices.range("step", 1..=3u32);
        let ty = *self.choices.one_of("counter", &[Type::INT, Type::UINT, Type::SHORT, Type::UCHAR]);
        let end = rounds * step;
        self.frame().scopes.push(Scope::default());
        let name = self.name("i");
        let (object, declared) = self.out.local(&name, ty, Some(&Value::Int(0)))?;
        let var = self.places.add_var(object, false);
        self.places.add_part(var, None, Step::Whole, (ty, false), (true, false));
        let data = self.places.var_mut(var);
        (data.fixed, data.below) = (true, end);
        self.frame().scopes.last_mut().expect("pushed above").vars.push(var);
        let now = self.out.lvalue(object);
        let limit = self.out.int(i128::from(end))?;
        let cond = self.out.binary(BinaryOp::Lt, now, limit)?;
        let now = self.out.lvalue(object);
        let advance = if step == 1 {
            self.out.unary(UnaryOp::PostInc, now)?
        } else {
            let by = self.out.int(i128::from(step))?;
            self.out.compound_assign(BinaryOp::Add, now, by)?
        };
        self.left -= 16;
        let head = self.head();
        self.heads.push(head);
        let facts = self.facts.clone();
        let times = self.frame().times;
        let frame = self.frame();
        (frame.times, frame.loops) = (times.saturating_mul(u64::from(rounds)), frame.loops + 1);
        let body = self.block(depth + 1)?;
        let frame = self.frame();
        (frame.times, frame.loops) = (times, frame.loops - 1);
        self.heads.pop();
        // What held at the head holds after it: nothing in the body could change that.
        self.facts = facts;
        let scope = self.frame().scopes.pop().unwrap_or_default();
        self.end(&scope);
        let mut before = scope.declared;
        let for_loop =
            self.out.for_loop(ForHead::Declarations(&[declared]), Some(cond), Some(advance), &body)?;
        if before.is_empty() {
            return Ok(for_loop);
        }
        before.push(for_loop);
        Ok(self.out.block(&before))
    }

    /// How many rounds a loop may have here.
    fn rounds(&self) -> u32 {
        // A body of a few hundred steps must fit, so many times.
        let room = self.steps / 600 / self.times().max(1);
        u32::try_from(room.min(12)).unwrap_or(12)
    }

    /// What holds at the head of a loop in every round: some pointers may be assigned to in it, and then may point to what
    /// is chosen here; all others stay as they are.
    fn head(&mut self) -> Head {
        let before = Part(self.places.parts.len() as u32);
        let mut free: Vec<(Slot, Set)> = Vec::new();
        if self.options.pointers {
            for _ in 0..self.choices.range("free pointers", 0..=3u32) {
                let wanted = |maker: &Maker, part: Part| {
                    maker.places.part(part).slot.is_some() && !maker.places.of(part).fixed
                };
                let Some(part) = self.find(wanted, false) else { continue };
                let Some(slot) = self.places.part(part).slot else { continue };
                if free.iter().any(|(known, _)| *known == slot) {
                    continue;
                }
                let global = self.places.is_global(part);
                let to = self.out.program.types.pointee(self.places.part(part).ty).unwrap_or(Type::INT);
                let mut set = self.facts.get(&self.initial, slot);
                for _ in 0..self.choices.range("targets", 1..=3u32) {
                    if let Some(target) = self.target_for(to, global) {
                        let one = self.sets.one(target);
                        set = self.sets.union(set, one);
                    }
                }
                // Around this loop there may be others, which have a say too.
                if !self.may_point(slot, set) {
                    continue;
                }
                free.push((slot, set));
            }
        }
        for &(slot, set) in &free {
            self.point(slot, set, true);
        }
        Head { before, free }
    }
}
