//! Arithmetic as this run's options have it: `lang::arith` decides what is undefined, this decides what goes on.

use super::Exec;
use howler_lang::arith::{self, Num, Operand, Strength, Undefined};
use howler_lang::program::{BinaryOp, UnaryOp};
use howler_lang::target::Edition;

impl Exec<'_> {
    /// [`arith::binary`]; with `wrapv` a sum, difference or product that overflows is taken modulo 2^N. A quotient that
    /// overflows is not: gcc's manual says "addition, subtraction and multiplication", and the division traps.
    pub(super) fn plain_binary(&self, op: BinaryOp, num: Num, a: u128, b: u128) -> Result<u128, Undefined> {
        arith::binary(op, num, a, b).or_else(|case| match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if self.limits.wrapv => {
                arith::wrapped_binary(op, num, a, b).ok_or(case)
            }
            _ => Err(case),
        })
    }

    /// [`arith::unary`], or the wrapped result.
    pub(super) fn plain_unary(&self, op: UnaryOp, num: Num, a: u128) -> Result<u128, Undefined> {
        arith::unary(op, num, a).or_else(|case| match arith::wrapped_unary(op, num, a) {
            Some(bits) if self.limits.wrapv => Ok(bits),
            _ => Err(case),
        })
    }

    /// [`arith::increment`] or [`arith::decrement`], or the wrapped result. Only types as wide as `int` overflow.
    pub(super) fn plain_step(&self, up: bool, num: Num, a: u128) -> Result<u128, Undefined> {
        let (result, op) = match up {
            true => (arith::increment(num, a), BinaryOp::Add),
            false => (arith::decrement(num, a), BinaryOp::Sub),
        };
        result.or_else(|case| match arith::wrapped_binary(op, num, a, 1) {
            Some(bits) if self.limits.wrapv => Ok(bits),
            _ => Err(case),
        })
    }

    /// [`arith::shift`], or the plain result where the run goes on after letter kinds. C90 6.3.7 says of `<<` no more
    /// than that the bits move; that a signed result must fit came with C99.
    pub(super) fn plain_shift(
        &self,
        op: BinaryOp,
        (num, a): (Num, u128),
        (count_num, count): (Num, u128),
    ) -> Result<u128, Undefined> {
        let plain = self.limits.letter || self.program.target.std.edition == Edition::C89;
        arith::shift(op, num, a, count_num, count).or_else(|case| match case.strength() {
            Strength::Letter if plain => arith::wrapped_shift(op, num, a, count_num, count).ok_or(case),
            _ => Err(case),
        })
    }

    /// [`arith::complex_binary`]; parts that are integers wrap as scalars do.
    pub(super) fn plain_complex(
        &self,
        op: BinaryOp,
        num: Num,
        a: Operand,
        b: Operand,
    ) -> Result<[u128; 2], Undefined> {
        let (Num::Int { .. }, true) = (num, self.limits.wrapv) else {
            return arith::complex_binary(op, num, a, b);
        };
        let ([w, x], [y, z]) = (a.parts(), b.parts());
        let plain = |op, a, b| self.plain_binary(op, num, a, b);
        match op {
            BinaryOp::Add | BinaryOp::Sub => Ok([plain(op, w, y)?, plain(op, x, z)?]),
            BinaryOp::Mul => Ok([
                plain(BinaryOp::Sub, plain(op, w, y)?, plain(op, x, z)?)?,
                plain(BinaryOp::Add, plain(op, w, z)?, plain(op, x, y)?)?,
            ]),
            _ => arith::complex_binary(op, num, a, b),
        }
    }

    /// [`arith::complex_unary`]; parts that are integers wrap as scalars do.
    pub(super) fn plain_complex_unary(
        &self,
        op: UnaryOp,
        num: Num,
        parts: [u128; 2],
    ) -> Result<[u128; 2], Undefined> {
        let [real, imaginary] = parts;
        let negated = |part| self.plain_unary(UnaryOp::Neg, num, part);
        match (op, num) {
            (UnaryOp::Neg, Num::Int { .. }) => Ok([negated(real)?, negated(imaginary)?]),
            // gcc's conjugate.
            (UnaryOp::BitNot, Num::Int { .. }) => Ok([real, negated(imaginary)?]),
            _ => arith::complex_unary(op, num, parts),
        }
    }
}
