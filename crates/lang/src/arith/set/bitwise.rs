//! `&`, `|` and `^` of ranges, by the bits that all members of a range have in common.

use super::super::int::mask;
use super::image::Image;
use super::run::{Order, Run};
use crate::program::BinaryOp;

/// Adds what `a op b` can be (C17 6.5.10p4, 6.5.11p4, 6.5.12p4).
pub(super) fn bitwise(image: &mut Image, op: BinaryOp, order: Order, a: Run, b: Run) {
    for a in halves(a).into_iter().flatten() {
        for b in halves(b).into_iter().flatten() {
            let Run { low, high } = combine(op, Bits::of(order, a), Bits::of(order, b));
            // The sign bit is known for each operand, so it is for the result, and both ends have it alike.
            image.add(order.key(low), order.key(high));
        }
    }
}

/// A run cut where the highest bit changes that is not the same everywhere. If the sign changes, that is the one: so
/// each half has one sign, and its bits are ordered as its values are.
fn halves(run: Run) -> [Option<Run>; 2] {
    match (run.low ^ run.high).checked_ilog2() {
        None => [Some(run), None],
        Some(bit) => {
            let middle = run.high >> bit << bit;
            [Some(Run { low: run.low, high: middle - 1 }), Some(Run { low: middle, high: run.high })]
        }
    }
}

/// The bits of a range of one sign.
#[derive(Clone, Copy)]
struct Bits {
    /// The smallest member and the largest one.
    range: Run,
    /// The bits that every member has set.
    set: u128,
    /// The bits that may be set in one and clear in another.
    free: u128,
}

impl Bits {
    fn of(order: Order, run: Run) -> Bits {
        let range = Run { low: order.bits(run.low), high: order.bits(run.high) };
        // Members agree above the highest bit in which the ends differ.
        let free = mask(128 - (range.low ^ range.high).leading_zeros());
        Bits { range, set: range.low & !free, free }
    }

    /// The bits that some member may have set.
    fn possible(self) -> u128 {
        self.set | self.free
    }
}

/// The least and the greatest result, or beyond them.
fn combine(op: BinaryOp, a: Bits, b: Bits) -> Run {
    match op {
        BinaryOp::BitAnd => Run {
            low: a.set & b.set,
            high: (a.possible() & b.possible()).min(a.range.high).min(b.range.high),
        },
        BinaryOp::BitOr => {
            Run { low: (a.set | b.set).max(a.range.low).max(b.range.low), high: a.possible() | b.possible() }
        }
        _ => {
            let free = a.free | b.free;
            let low = (a.set ^ b.set) & !free;
            Run { low, high: low | free }
        }
    }
}
