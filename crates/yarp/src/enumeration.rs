//! Enumerations: constants with names, and variables that hold any number of the type that compilers give them.

use howler_lang::arith::num_of;
use howler_lang::compose::Value;
use howler_lang::program::Linkage;
use howler_lang::scalar::Ty;
use howler_lang::ty::{EnumeratorId, Type};

use crate::maker::{Built, Made, Maker};
use crate::variable::{Category, Cell, Way};

/// An enumeration.
#[derive(Clone, Debug)]
pub(crate) struct Enumeration {
    ty: Type,
    /// The type it is computed as.
    plain: Ty,
    constants: Vec<(EnumeratorId, i128)>,
}

impl Maker<'_> {
    /// One or two of them.
    pub(crate) fn enumerations(&mut self) -> Made<()> {
        for _ in 0..self.choices.range("enumerations", 1..=2u32) {
            let tag = self.name("e");
            let count = self.choices.range("constants", 2..=5u32);
            let names: Vec<String> = (0..count).map(|_| self.name("E")).collect();
            let least = *self.choices.one_of("least", &[0i128, 0, 1, -1, -3]);
            let mut next = least;
            let mut values = Vec::new();
            for _ in 0..count {
                values.push(next);
                next += *self.choices.one_of("gap", &[1i128, 1, 1, 2, 7, 1000]);
            }
            let list: Vec<(&str, Option<i128>)> =
                names.iter().zip(&values).map(|(name, &value)| (name.as_str(), Some(value))).collect();
            let (ty, made) = self.out.enumeration(&tag, &list)?;
            let num = num_of(&self.out.program.types, &self.out.program.target, ty);
            let plain = if num == Some(self.rules.num(Ty::INT)) { Ty::INT } else { Ty::UINT };
            self.vars.enums.push(Enumeration {
                ty,
                plain,
                constants: made.into_iter().zip(values).collect(),
            });
        }
        Ok(())
    }

    /// A variable.
    pub(crate) fn enumerated(&mut self, category: Category) -> Made<()> {
        let Some(known) = self.choices.pick("enumeration", &self.vars.enums).cloned() else { return Ok(()) };
        let Some(&(constant, number)) = self.choices.pick("constant", &known.constants) else {
            return Ok(());
        };
        let name = self.name("g");
        let ty = self.qualified(known.ty, category);
        let first = Value::Expr(self.out.enumerator(constant));
        let object = self.out.global(&name, ty, Linkage::External, Some(&first))?;
        let value = Some(self.rules.num(known.plain).bits(number));
        let way = Way::Object;
        let cell = self.new_cell(Cell { object, way, ty: known.plain, category, value, enumerated: true });
        self.vars.scalars.push(cell);
        Ok(())
    }

    /// A constant, by the number of its enumeration and its own.
    pub(crate) fn enumerator_leaf(&mut self) -> Option<(u32, u32)> {
        let at = self.choices.range("enumeration", 0..=self.vars.enums.len().checked_sub(1)?);
        let constant = self.choices.range("constant", 0..=self.vars.enums[at].constants.len() - 1);
        Some((at as u32, constant as u32))
    }

    /// The same as an expression.
    pub(crate) fn enumerator(&mut self, (at, constant): (u32, u32)) -> Built {
        let (constant, number) = self.vars.enums[at as usize].constants[constant as usize];
        let e = self.out.enumerator(constant);
        Built::new(e, Ty::INT, Some(self.rules.num(Ty::INT).bits(number)))
    }
}
