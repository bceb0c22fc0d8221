//! What is known of integers of which a part is open: the sign of `strcmp`'s result, the exponent of a NaN's bits, that
//! `puts` returns no negative value. An operation that looks at the known part only has a known result.

use crate::value::{Choice, Marks, Value};
use howler_lang::arith::Num;
use howler_lang::program::{BinaryOp, UnaryOp};

/// What an integer can be. It has one of the values between `low` and `high`, and only its `open` bits vary.
#[derive(Clone, Copy)]
struct Known {
    bits: u64,
    open: u64,
    low: i128,
    high: i128,
    nonzero: bool,
}

impl Known {
    /// `None` if nothing is known, or if it depends on more than what a library may choose.
    fn of(kind: Num, value: &Value) -> Option<Known> {
        let Num::Int { width, signed } = kind else { return None };
        let other = Marks::UNINIT.union(Marks::UNSPECIFIED).union(Marks::ADDRESS);
        let pointer = Marks::PROVENANCE.union(Marks::FRAGMENT);
        if width > 64 || width == 0 || value.marks.has(other.union(pointer)) {
            return None;
        }
        let (all, sign) = (ones(width), 1 << (width - 1));
        let number = |bits: u64| kind.number(u128::from(bits));
        let bits = value.low & all;
        let (least, most) = if signed { (sign, sign - 1) } else { (0, all) };
        if !value.marks.has(Marks::LIBRARY) {
            let exact = number(bits);
            return Some(Known { bits, open: 0, low: exact, high: exact, nonzero: exact != 0 });
        }
        match value.marks.choice() {
            Choice::Whole => return None,
            Choice::Nonzero => {
                return Some(Known {
                    bits,
                    open: all,
                    low: number(least),
                    high: number(most),
                    nonzero: true,
                });
            }
            Choice::Magnitude => {
                let (low, high) = if bits & sign == 0 { (1, sign - 1) } else { (sign, all) };
                let (low, high) = (number(low), number(high));
                return Some(Known { bits, open: all & !sign, low, high, nonzero: true });
            }
            Choice::Bits => {}
        }
        let open = value.open_bits()? & all;
        let (mut low, mut high) = (bits & !open, bits | open);
        if signed && open & sign != 0 {
            (low, high) = (low | sign, high & !sign);
        }
        Some(Known { bits, open, low: number(low), high: number(high), nonzero: bits & !open != 0 })
    }

    /// The bits that are 1 for certain.
    fn set(&self) -> u64 {
        self.bits & !self.open
    }

    fn exact(&self) -> Option<i128> {
        (self.open == 0).then_some(self.low)
    }
}

fn ones(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Whether a comparison holds, if that is certain.
fn compare(op: BinaryOp, a: &Known, b: &Known) -> Option<bool> {
    let less = |a: &Known, b: &Known| match () {
        () if a.high < b.low => Some(true),
        () if a.low >= b.high => Some(false),
        () => None,
    };
    let equal = || {
        let apart = (a.bits ^ b.bits) & !(a.open | b.open) != 0 || a.high < b.low || b.high < a.low;
        let zero = a.nonzero && b.exact() == Some(0) || b.nonzero && a.exact() == Some(0);
        match (a.exact(), b.exact()) {
            (Some(x), Some(y)) => Some(x == y),
            _ => (apart || zero).then_some(false),
        }
    };
    match op {
        BinaryOp::Lt => less(a, b),
        BinaryOp::Gt => less(b, a),
        BinaryOp::Ge => less(a, b).map(|holds| !holds),
        BinaryOp::Le => less(b, a).map(|holds| !holds),
        BinaryOp::Eq => equal(),
        BinaryOp::Ne => equal().map(|holds| !holds),
        _ => None,
    }
}

/// The result of an operation on integers of which a part is open, if it is known or a part of it is.
#[cold]
pub(super) fn binary(op: BinaryOp, kind: Num, x: &Value, y: &Value, bits: u128) -> Option<Value> {
    let (a, b) = (Known::of(kind, x)?, Known::of(kind, y)?);
    let result = Value::bits(bits);
    let sign = |value: &Value| value.marks.choice() == Choice::Magnitude;
    let open = match op {
        BinaryOp::BitAnd => a.open & b.open | a.open & b.set() | b.open & a.set(),
        BinaryOp::BitOr if a.nonzero || b.nonzero => {
            let open = a.open & !b.set() | b.open & !a.set();
            let certain = (a.set() | b.set()) & !open != 0;
            return Some(if certain {
                result.with_open_bits(open)
            } else {
                result.marked(Marks::library(Choice::Nonzero))
            });
        }
        BinaryOp::BitOr => a.open & !b.set() | b.open & !a.set(),
        BinaryOp::BitXor => a.open | b.open,
        // The other sign, or the same: compilers negate so too.
        BinaryOp::Mul if sign(x) && matches!(b.exact(), Some(1 | -1)) => {
            return Some(result.marked(Marks::library(Choice::Magnitude)));
        }
        BinaryOp::Mul if sign(y) && matches!(a.exact(), Some(1 | -1)) => {
            return Some(result.marked(Marks::library(Choice::Magnitude)));
        }
        BinaryOp::Sub if sign(y) && a.exact() == Some(0) => {
            return Some(result.marked(Marks::library(Choice::Magnitude)));
        }
        _ => return compare(op, &a, &b).map(|holds| Value::int(u64::from(holds))),
    };
    Some(result.with_open_bits(open))
}

/// The same for a shift.
#[cold]
pub(super) fn shift(op: BinaryOp, kind: Num, count: Num, x: &Value, y: &Value, bits: u128) -> Option<Value> {
    let Num::Int { width, signed } = kind else { return None };
    let (a, by) = (Known::of(kind, x)?, Known::of(count, y)?.exact()?);
    let by = u32::try_from(by).ok().filter(|&by| by < u32::from(width))?;
    let open = match op {
        BinaryOp::Shl => a.open << by,
        // Copies of a sign that is open are open.
        _ if signed => (kind.number(u128::from(a.open)) >> by) as u64,
        _ => a.open >> by,
    };
    Some(Value::bits(bits).with_open_bits(open & ones(width)))
}

/// The same for `~`, `-` and `+`.
#[cold]
pub(super) fn unary(op: UnaryOp, kind: Num, x: &Value, bits: u128) -> Option<Value> {
    let known = Known::of(kind, x)?;
    match op {
        UnaryOp::Plus => Some(Value { low: bits as u64, ..*x }),
        UnaryOp::Neg if matches!(x.marks.choice(), Choice::Magnitude | Choice::Nonzero) => {
            Some(Value::bits(bits).marked(x.marks.open()))
        }
        UnaryOp::BitNot => Some(Value::bits(bits).with_open_bits(known.open)),
        _ => None,
    }
}

/// The same for a conversion between integer types.
#[cold]
pub(super) fn convert(from: Num, to: Num, x: &Value, bits: u128) -> Option<Value> {
    let Num::Int { width, signed } = to else { return None };
    let known = Known::of(from, x)?;
    let from_signed = matches!(from, Num::Int { signed: true, .. });
    let result = Value::bits(bits);
    let kept = match x.marks.choice() {
        Choice::Nonzero => true,
        Choice::Magnitude => signed && from_signed,
        Choice::Whole | Choice::Bits => false,
    };
    if kept && to.width() >= from.width() {
        return Some(result.marked(x.marks.open()));
    }
    // Bits of a wider type are copies of the sign, or 0.
    let open = if from_signed { from.number(u128::from(known.open)) as u64 } else { known.open };
    (width <= 64).then(|| result.with_open_bits(open & ones(width)))
}

/// What is open if nothing but a value's truth is asked for.
#[inline]
pub(super) fn truth_marks(value: &Value, float: bool) -> Marks {
    match value.open_bits() {
        Some(open) if !float && value.low & !open != 0 => Marks::NONE,
        _ => value.marks.of_truth(float),
    }
}

/// Whether a value may be one of these, `case` labels of a `switch`. If nothing is known of it, it may.
#[cold]
pub(super) fn may_be_in(kind: Num, value: &Value, cases: &[(i128, i128, u32)]) -> bool {
    let Some(known) = Known::of(kind, value) else { return true };
    cases.iter().any(|&(low, high, _)| {
        let zero_only = low == 0 && high == 0 && known.nonzero;
        high >= known.low && low <= known.high && !zero_only
    })
}
