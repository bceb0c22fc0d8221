//! `switch`, with arms that are reached and others that are not, and some that lead into the next.

use howler_lang::compose::Arm;
use howler_lang::program::{BinaryOp, StmtId};
use howler_lang::scalar::Ty;

use crate::maker::{Built, Made, Maker};
use crate::variable::CellId;

impl Maker<'_> {
    /// `switch (…) { case …: … }`
    pub(crate) fn switch(&mut self) -> Made<StmtId> {
        let value = self.value()?;
        let count = self.choices.range("arms", 2..=5u32);
        let (value, numbers) = self.switched(value, count)?;
        let known = value.value.map(|bits| self.rules.num(value.ty).number(bits));
        let default = self.choices.range("default", 0..=count);
        self.depth += 1;
        let mut arms: Vec<Arm> = Vec::new();
        // Whether the arm before leads here, and what is not known behind all of this.
        let (mut falls, mut running) = (false, false);
        let mut gone: Vec<CellId> = Vec::new();
        let reached = known.map(|number| numbers.iter().position(|&case| case == number));
        for (at, &number) in numbers.iter().enumerate() {
            let here = match reached {
                Some(Some(arm)) => arm == at,
                Some(None) => default as usize == at,
                None => false,
            };
            running = here || falls && running;
            let mark = self.log.len();
            let mut body = self.scope(|maker| maker.statements(3))?;
            // What does not run, or perhaps does not, changes nothing for certain.
            if known.is_none() || !running {
                gone.extend(self.undo(mark));
            }
            if known.is_none() {
                // The next arm may come after this one.
                gone.iter().for_each(|&cell| self.set(cell, None));
            }
            falls = at + 1 < numbers.len() && self.choices.chance("falls through", 1, 5);
            body = vec![self.out.block(&body)];
            if !falls {
                body.push(self.out.breaks());
            }
            arms.push(Arm { values: vec![number], default: default as usize == at, body });
        }
        self.depth -= 1;
        self.out.switch(value.e, &arms)
    }

    /// What is switched on, an `int`, and the numbers of the arms.
    fn switched(&mut self, value: Built, count: u32) -> Made<(Built, Vec<i128>)> {
        let value = self.whole(value)?;
        let int = self.rules.num(Ty::INT);
        let small = |number: i128| (-1000..1000).contains(&number);
        if let Some(bits) = value.value {
            let number = self.rules.num(value.ty).number(bits);
            if self.rules.promoted(value.ty) == Ty::INT && small(number) {
                // An arm for it, mostly, among those beside it.
                let before = i128::from(self.choices.range("before", 0..=count));
                let first = number - before;
                return Ok((value, (0..count).map(|at| first + i128::from(at)).collect()));
            }
        }
        let most = count.next_power_of_two() * 2 - 1;
        let narrow = self.out.cast(Ty::INT.declared(), value.e)?;
        let mask = self.out.int(i128::from(most))?;
        let e = self.out.binary(BinaryOp::BitAnd, narrow, mask)?;
        let bits = self.converted(value, Ty::INT).map(|bits| bits & int.bits(i128::from(most)));
        let gap = self.choices.range("gap", 1..=2i128);
        Ok((Built::new(e, Ty::INT, bits), (0..count).map(|at| i128::from(at) * gap).collect()))
    }
}
