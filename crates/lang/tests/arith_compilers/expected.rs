//! What `arith` says: the result of each operation, or that it must not be run.

use crate::kernels::{Kernel, Mixed, Operation, Slot};
use howler_lang::arith::{
    Operand, Strength, Undefined, binary, complex_binary, complex_equal, complex_unary, convert, decrement,
    increment, shift, unary, wrapped_binary, wrapped_shift, wrapped_unary,
};
use howler_lang::program::BinaryOp;

/// Whether undefined operations are left out, or wrap as `-fwrapv` promises.
#[derive(Clone, Copy, PartialEq)]
pub enum Overflow {
    Skipped,
    Wraps,
}

/// The result of an operation (the second part is 0 unless it is complex), or `None` if it must not be run.
pub fn expected(kernel: &Kernel, slot: &Slot, overflow: Overflow, operands: &[u128; 4]) -> Option<[u128; 2]> {
    let [p0, p1, p2, p3] = *operands;
    let compute = kernel.compute;
    let left = || convert(kernel.a.num, compute, p0).expect("a promotion is defined");
    let right = || convert(kernel.b.num, kernel.b.promoted(), p1).expect("a promotion is defined");
    let lenient = |result: Result<u128, Undefined>, wrapped: &dyn Fn() -> Option<u128>| match result {
        Ok(value) => Some(value),
        Err(undefined) if undefined.strength() == Strength::Letter => wrapped(),
        // The processor traps on these, whatever the compiler promises.
        Err(Undefined::DivOverflow | Undefined::RemOverflow) => None,
        Err(_) if overflow == Overflow::Wraps => wrapped(),
        Err(_) => None,
    };
    let real = match slot.operation {
        Operation::Binary(op) => {
            let (a, b) = (left(), convert(kernel.b.num, compute, p1).expect("a promotion is defined"));
            lenient(binary(op, compute, a, b), &|| wrapped_binary(op, compute, a, b))
        }
        Operation::Unary(op) => {
            let a = left();
            lenient(unary(op, compute, a), &|| wrapped_unary(op, compute, a))
        }
        Operation::Increment => {
            lenient(increment(slot.num, p0), &|| wrapped_binary(BinaryOp::Add, slot.num, p0, 1))
        }
        Operation::Decrement => {
            lenient(decrement(slot.num, p0), &|| wrapped_binary(BinaryOp::Sub, slot.num, p0, 1))
        }
        Operation::Shift(op, count) => {
            let (a, b) = (left(), right());
            lenient(shift(op, compute, a, count, b), &|| wrapped_shift(op, compute, a, count, b))
        }
        Operation::Convert(to) => convert(kernel.a.num, to, p0).ok(),
        Operation::BitField(field, to) => {
            convert(kernel.a.num, field, p0).ok().map(|value| convert(field, to, value).expect("widening"))
        }
        Operation::Complex(op, mixed) => {
            let a = Operand::Complex([p0, p1]);
            let (a, b) = match mixed {
                Mixed::Complex => (a, Operand::Complex([p2, p3])),
                Mixed::RealRight => (a, Operand::Real(p2)),
                Mixed::RealLeft => (Operand::Real(p2), a),
            };
            return complex_binary(op, compute, a, b).ok();
        }
        Operation::ComplexUnary(op) => return complex_unary(op, compute, [p0, p1]).ok(),
        Operation::ComplexEqual => {
            let (a, b) = (Operand::Complex([p0, p1]), Operand::Complex([p2, p3]));
            Some(u128::from(complex_equal(compute, a, b)))
        }
    };
    real.map(|value| [value, 0])
}
