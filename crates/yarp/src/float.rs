//! Floats whose results are all exact, so that no compiler may compute others, whatever precision it has in between, whether
//! it contracts `a * b + c` and in which order it sums (C17 6.5p8, 5.2.4.2.2p9).
//!
//! A floating value is a whole number of some power of two, and it is known how large that number may get: of every
//! variable, as only so much is ever assigned, and of every result. What could get too large for its format goes through a
//! narrow integer type first. Nothing here depends on what is known of values, so loops have floats like other code.

use howler_lang::arith::{self, Num};
use howler_lang::program::{BinaryOp, UnaryOp};
use howler_lang::scalar::{Ty, constant, integers_only, is_comparison};

use crate::maker::{Built, Made, Maker};

/// What is known of a floating value: it is `n / 2^scale` for a whole number of at most this magnitude.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grain {
    pub(crate) most: u64,
    pub(crate) scale: u8,
}

impl Grain {
    /// That of integers, which need none.
    pub(crate) const NONE: Grain = Grain { most: 0, scale: 0 };

    /// What variables of a type hold. A product of two, and something more, is exact.
    pub(crate) const fn of_variable(ty: Ty) -> Grain {
        match ty {
            Ty::FLOAT => Grain { most: 1 << 11, scale: 2 },
            Ty::DOUBLE => Grain { most: 1 << 24, scale: 4 },
            Ty::LDOUBLE => Grain { most: 1 << 29, scale: 6 },
            _ => Grain::NONE,
        }
    }

    /// The same value in finer steps.
    pub(crate) fn at(self, scale: u8) -> Option<u64> {
        let by = u32::from(scale.checked_sub(self.scale)?);
        self.most.checked_mul(1u64.checked_shl(by)?)
    }

    fn both(self, other: Grain) -> Option<(u8, u64, u64)> {
        let scale = self.scale.max(other.scale);
        Some((scale, self.at(scale)?, other.at(scale)?))
    }

    /// That of either.
    fn join(self, other: Grain) -> Option<Grain> {
        let (scale, a, b) = self.both(other)?;
        Some(Grain { most: a.max(b), scale })
    }

    fn sum(self, other: Grain) -> Option<Grain> {
        let (scale, a, b) = self.both(other)?;
        Some(Grain { most: a.checked_add(b)?, scale })
    }

    fn product(self, other: Grain) -> Option<Grain> {
        Some(Grain { most: self.most.checked_mul(other.most)?, scale: self.scale + other.scale })
    }

    /// Whether a variable of a type may have it.
    pub(crate) fn is_of(self, ty: Ty) -> bool {
        let variable = Grain::of_variable(ty);
        self.at(variable.scale).is_some_and(|most| most <= variable.most)
    }

    /// The magnitude of the number, about.
    fn whole(self) -> u64 {
        self.most >> self.scale.min(63)
    }
}

/// The greatest whole number up to which a type has all.
pub(crate) const fn exact(ty: Ty) -> u64 {
    match ty {
        Ty::FLOAT => 1 << 23,
        Ty::DOUBLE => 1 << 52,
        _ => 1 << 62,
    }
}

/// The finest steps that what is only written has.
pub(crate) const OUTPUT: u8 = 8;

/// The finest steps that anything has.
const FINEST: u8 = 40;

impl Maker<'_> {
    /// A number that a variable of a floating type may have.
    pub(crate) fn floating(&mut self, ty: Ty) -> u128 {
        let Grain { most, scale } = Grain::of_variable(ty);
        let (scale, most) = match self.choices.range("floating", 0..=5u32) {
            0 => return 0,
            1 => (0, 16),
            2 => (0, most >> scale),
            3 => (scale, 16),
            _ => (scale, most),
        };
        let number = self.choices.range("number", 0..=most);
        let number =
            if self.choices.chance("negative", 1, 3) { -i128::from(number) } else { i128::from(number) };
        self.scaled(ty, number, scale)
    }

    /// `number / 2^scale`
    fn scaled(&self, ty: Ty, number: i128, scale: u8) -> u128 {
        let num = self.rules.num(ty);
        let bits = arith::convert(WIDE, num, WIDE.bits(number)).unwrap_or(0);
        let by = arith::convert(WIDE, num, 1 << scale).unwrap_or(1);
        arith::binary(BinaryOp::Div, num, bits, by).unwrap_or(bits)
    }

    /// What is known of a value that is known itself.
    fn grain_of(&self, ty: Ty, bits: u128) -> Option<Grain> {
        let num = self.rules.num(ty);
        if !ty.is_float() {
            let signed = matches!(num, Num::Int { signed: true, .. });
            let most = u64::try_from(if signed { num.number(bits).unsigned_abs() } else { bits }).ok()?;
            return Some(Grain { most, scale: 0 });
        }
        let two = arith::convert(WIDE, num, 2).ok()?;
        let mut now = bits;
        for scale in 0..=FINEST {
            let number = arith::convert(num, WIDE, now).ok()?;
            if arith::binary(BinaryOp::Eq, num, arith::convert(WIDE, num, number).ok()?, now) == Ok(1) {
                let most = u64::try_from(WIDE.number(number).unsigned_abs()).ok()?;
                return Some(Grain { most, scale });
            }
            now = arith::binary(BinaryOp::Mul, num, now, two).ok()?;
        }
        None
    }

    /// What is known of a value of any type.
    pub(crate) fn grain(&self, a: Built) -> Option<Grain> {
        if let Some(grain) = a.value.and_then(|value| self.grain_of(a.ty, value)) {
            return Some(grain);
        }
        match self.rules.num(a.ty) {
            Num::Int { .. } if a.grain != Grain::NONE => Some(a.grain),
            Num::Float(_) => Some(a.grain),
            Num::Bool => Some(Grain { most: 1, scale: 0 }),
            Num::Int { width, signed } => {
                let bits = u32::from(width) - u32::from(signed);
                Some(Grain { most: 1u64.checked_shl(bits)?, scale: 0 })
            }
        }
    }

    /// The same as an integer that has room for it.
    pub(crate) fn whole(&mut self, a: Built) -> Made<Built> {
        if !a.ty.is_float() {
            return Ok(a);
        }
        let small = self.grain(a).is_some_and(|grain| grain.whole() < 1 << 31);
        let ty = if small { Ty::INT } else { Ty::LLONG };
        let e = self.out.cast(ty.declared(), a.e)?;
        Ok(Built::new(e, ty, self.converted(a, ty)))
    }

    /// A value that may be converted to another type as it is.
    pub(crate) fn fitted(&mut self, a: Built, ty: Ty) -> Made<Built> {
        if ty.is_float() {
            if self.grain(a).is_some_and(|grain| grain.is_of(ty)) {
                return Ok(a);
            }
            let Grain { most, scale } = Grain::of_variable(ty);
            return self.narrowed(a, ty, most >> scale);
        }
        if !a.ty.is_float() || self.converted(a, ty).is_some() {
            return Ok(a);
        }
        let whole = self.grain(a).map_or(u64::MAX, Grain::whole);
        let fits = match self.rules.num(ty) {
            Num::Bool => true,
            Num::Int { width, signed: true } => width > 64 || whole < 1 << (width - 1),
            _ => false,
        };
        if fits { Ok(a) } else { self.whole(a) }
    }

    /// A value for a variable that nobody reads but the checksum: it may be larger and finer.
    pub(crate) fn roughly(&mut self, a: Built, ty: Ty) -> Made<Built> {
        let rough =
            |grain: Grain| grain.most <= exact(ty) && grain.scale <= OUTPUT && grain.whole() <= 1 << 52;
        if ty.is_float() && self.grain(a).is_some_and(rough) { Ok(a) } else { self.fitted(a, ty) }
    }

    /// A value of a floating type that is whole and no larger than this.
    fn narrowed(&mut self, a: Built, ty: Ty, most: u64) -> Made<Built> {
        let a = self.whole(a)?;
        let narrow = match most {
            0x8000_0000.. => Ty::INT,
            0x8000.. => Ty::SHORT,
            0x80.. => Ty::SCHAR,
            _ => Ty::BOOL,
        };
        let e = self.out.cast(narrow.declared(), a.e)?;
        let a = Built::new(e, narrow, self.converted(a, narrow));
        let e = self.out.cast(ty.declared(), a.e)?;
        let grain = self.grain(a).unwrap_or(Grain { most, scale: 0 });
        Ok(Built { e, ty, value: self.converted(a, ty), grain })
    }

    /// An operand of an operation in a floating type, with what is known of it there.
    fn operand(&mut self, a: Built, ty: Ty) -> Made<(Built, Grain)> {
        let a = match self.grain(a) {
            Some(grain) if grain.most <= exact(ty) => a,
            _ => self.narrowed(a, ty, exact(ty))?,
        };
        let grain = self.grain(a).unwrap_or(Grain::of_variable(ty));
        Ok((a, grain))
    }

    fn floats(&mut self, a: Built, b: Built) -> Ty {
        let ty = self.rules.common(a.ty, b.ty);
        if ty.is_float() { ty } else { Ty::DOUBLE }
    }

    /// `-a`, `+a` and what stands for `~a`.
    pub(crate) fn float_unary(&mut self, op: UnaryOp, a: Built) -> Made<Built> {
        let op = if op == UnaryOp::BitNot { UnaryOp::Neg } else { op };
        let e = self.out.unary(op, a.e)?;
        let value = a.value.and_then(|value| arith::unary(op, self.rules.num(a.ty), value).ok());
        Ok(Built { e, value, ..a })
    }

    /// An operation with a floating operand.
    pub(crate) fn float_binary(&mut self, op: BinaryOp, a: Built, b: Built) -> Made<Built> {
        if integers_only(op) {
            let (a, b) = (self.whole(a)?, self.whole(b)?);
            return self.binary(op, a, b);
        }
        let ty = self.floats(a, b);
        let ((a, one), (b, other)) = (self.operand(a, ty)?, self.operand(b, ty)?);
        if op == BinaryOp::Div {
            return self.halved(a, b, ty, one);
        }
        let (a, b, grain) = if is_comparison(op) {
            (a, b, Grain::NONE)
        } else {
            let product = op == BinaryOp::Mul;
            let of = |one: Grain, other| if product { one.product(other) } else { one.sum(other) };
            let good = |grain: &Grain| grain.most <= exact(ty) && grain.scale <= FINEST;
            match of(one, other).filter(good) {
                Some(grain) => (a, b, grain),
                None => {
                    let most = if product { 1 << (exact(ty).trailing_zeros() / 2) } else { exact(ty) >> 2 };
                    let (a, b) = (self.narrowed(a, ty, most)?, self.narrowed(b, ty, most)?);
                    let grain =
                        of(a.grain, b.grain).filter(good).unwrap_or(Grain { most: exact(ty), scale: 0 });
                    (a, b, grain)
                }
            }
        };
        let e = self.out.binary(op, a.e, b.e)?;
        let value = match (self.converted(a, ty), self.converted(b, ty)) {
            (Some(x), Some(y)) => arith::binary(op, self.rules.num(ty), x, y).ok(),
            _ => None,
        };
        let ty = if is_comparison(op) { Ty::INT } else { ty };
        Ok(Built { e, ty, value, grain })
    }

    /// What stands for `a / b`: `a / (b ? c : -c)`, with a power of two that divides exactly.
    fn halved(&mut self, a: Built, b: Built, ty: Ty, grain: Grain) -> Made<Built> {
        let power = self.choices.range("power", 0..=FINEST.saturating_sub(grain.scale).min(4));
        let [one, other] = [1, -1].map(|sign: i128| self.scaled(ty, sign << power, 0));
        let (yes, no) = (constant(&mut self.out.cx(), ty, one)?, constant(&mut self.out.cx(), ty, other)?);
        let by = self.out.cond(b.e, yes, no)?;
        let e = self.out.binary(BinaryOp::Div, a.e, by)?;
        let by = self.truth(b).map(|truth| if truth { one } else { other });
        let value = match (self.converted(a, ty), by) {
            (Some(a), Some(by)) => arith::binary(BinaryOp::Div, self.rules.num(ty), a, by).ok(),
            _ => None,
        };
        Ok(Built { e, ty, value, grain: Grain { scale: grain.scale + power, ..grain } })
    }

    /// `c ? a : b` where one is a floating value.
    pub(crate) fn float_ternary(&mut self, c: Built, a: Built, b: Built) -> Made<Built> {
        let ty = self.floats(a, b);
        let ((a, one), (b, other)) = (self.operand(a, ty)?, self.operand(b, ty)?);
        let (a, b, grain) = match one.join(other).filter(|grain| grain.most <= exact(ty)) {
            Some(grain) => (a, b, grain),
            None => {
                let (a, b) = (self.narrowed(a, ty, 1 << 15)?, self.narrowed(b, ty, 1 << 15)?);
                (a, b, Grain { most: 1 << 15, scale: 0 })
            }
        };
        let e = self.out.cond(c.e, a.e, b.e)?;
        let value = self.truth(c).and_then(|truth| self.converted(if truth { a } else { b }, ty));
        Ok(Built { e, ty, value, grain })
    }

    /// A cast to or from a floating type.
    pub(crate) fn float_cast(&mut self, a: Built, ty: Ty) -> Made<Built> {
        let a = self.fitted(a, ty)?;
        let e = self.out.cast(ty.declared(), a.e)?;
        let grain = self.grain(a).filter(|grain| grain.is_of(ty)).unwrap_or(Grain::of_variable(ty));
        Ok(Built { e, ty, value: self.converted(a, ty), grain })
    }

    /// What `x op= y` gives if both are known and a variable may have it.
    pub(crate) fn float_combined(
        &self,
        op: BinaryOp,
        ty: Ty,
        before: Option<u128>,
        value: Built,
    ) -> Option<u128> {
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) || value.ty != ty {
            return None;
        }
        let result = arith::binary(op, self.rules.num(ty), before?, value.value?).ok()?;
        // Both have few bits, so what is in range was not rounded.
        self.grain_of(ty, result).filter(|grain| grain.is_of(ty)).map(|_| result)
    }
}

/// The integers that numbers are computed with.
const WIDE: Num = Num::Int { width: 128, signed: true };
