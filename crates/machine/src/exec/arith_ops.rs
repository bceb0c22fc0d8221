//! Arithmetic instructions. `lang::arith` computes; this adds what is known about the operands.

use super::{Exec, known};
use crate::memory::align::MOST_KNOWN;
use crate::op::{POINTER, Reg};
use crate::outcome::{Open, Run, ub, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Choice, Marks, Prov, Value};
use howler_lang::arith::{self, Format, Num, word};
use howler_lang::program::{BinaryOp, UnaryOp};
use howler_lang::target::Arch;

impl Exec<'_> {
    #[inline(always)]
    pub(super) fn binary(&mut self, op: BinaryOp, num: u8, dst: Reg, a: Reg, b: Reg) -> Run<()> {
        let (x, y) = (self.get(a), self.get(b));
        if x.marks.union(y.marks).is_empty()
            && let Some(kind) = self.code.words[num as usize]
            && let Some(bits) = word::binary(op, kind, x.low, y.low)
        {
            self.put(dst, bits);
            return Ok(());
        }
        let (x, y) = (*x, *y);
        self.binary_slow(op, self.code.nums[num as usize], dst, &x, &y)
    }

    #[inline(never)]
    fn binary_slow(&mut self, op: BinaryOp, kind: Num, dst: Reg, x: &Value, y: &Value) -> Run<()> {
        let bits = match self.plain_binary(op, kind, x.to_bits(), y.to_bits()) {
            Ok(bits) => bits,
            Err(case) => {
                self.mixed(x, y)?;
                // A quotient has no plain result.
                let plain = match op {
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                        arith::wrapped_binary(op, kind, x.to_bits(), y.to_bits())
                    }
                    _ => None,
                };
                let detail = operands_text(kind, op.symbol(), x, y);
                self.undefined(case, detail, plain.unwrap_or(0))?
            }
        };
        let mut value = Value::bits(bits);
        if !x.marks.is_empty() || !y.marks.is_empty() {
            if x.marks.union(y.marks).has(Marks::LIBRARY)
                && let Some(value) = known::binary(op, kind, x, y, bits)
            {
                self.set(dst, value);
                return Ok(());
            }
            let (x, y) = (known_part(op, kind, x, y), known_part(op, kind, y, x));
            value = self.with_marks(op, value, &x, &y)?;
        }
        if !is_comparison(op)
            && let Num::Float(format) = kind
            && let Some(handed_on) = [x, y].into_iter().find(|value| is_signalling(format, value))
        {
            // A compiler may leave out an operation that changes no number, and the quiet bit stays clear.
            value = Value { low: handed_on.low, high: handed_on.high, ..value };
        }
        self.set(dst, if is_comparison(op) { value } else { any_nan(kind, value) });
        Ok(())
    }

    /// `a * b + c` with one rounding; that two would give something else is noted.
    pub(super) fn fused(&mut self, num: u8, dst: Reg, (a, b, c): (Reg, Reg, Reg)) -> Run<()> {
        let (x, y, z) = (*self.get(a), *self.get(b), *self.get(c));
        let kind = self.code.nums[num as usize];
        let marks = self.mixed(&x, &y)?.union(self.mixed(&z, &z)?);
        let Num::Float(format) = kind else { return unsupported("a fused operation on integers") };
        let bits = arith::fused(format, x.to_bits(), y.to_bits(), z.to_bits());
        let twice = self
            .plain_binary(BinaryOp::Mul, kind, x.to_bits(), y.to_bits())
            .and_then(|product| self.plain_binary(BinaryOp::Add, kind, product, z.to_bits()));
        if twice.is_ok_and(|twice| twice != bits) {
            self.note_open(Open::Contraction);
        }
        self.set(dst, any_nan(kind, Value::bits(bits).marked(marks)));
        Ok(())
    }

    fn mixed(&self, x: &Value, y: &Value) -> Run<Marks> {
        let marks = x.marks.union(y.marks);
        if marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        Ok(marks.intersection(Marks::OPEN))
    }

    /// What is known about the result of an operation on marked operands.
    fn with_marks(&self, op: BinaryOp, value: Value, x: &Value, y: &Value) -> Run<Value> {
        let marks = self.mixed(x, y)?;
        let mut value = value.marked(marks);
        match (x.has_prov(), y.has_prov()) {
            (true, true) if (x.prov.slot, x.prov.generation) == (y.prov.slot, y.prov.generation) => {
                // Differences and comparisons within one object do not depend on its place, nor does `p + -p`.
                let independent = match op {
                    BinaryOp::Add => x.prov.negative != y.prov.negative,
                    BinaryOp::Sub
                    | BinaryOp::Lt
                    | BinaryOp::Gt
                    | BinaryOp::Le
                    | BinaryOp::Ge
                    | BinaryOp::Eq
                    | BinaryOp::Ne => x.prov.negative == y.prov.negative,
                    _ => false,
                };
                if independent {
                    value.marks = value.marks.minus(Marks::ADDRESS);
                }
            }
            // Objects that live are apart; what took the place of a dead one nobody knows.
            (true, true)
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne)
                    && self.memory.live(x.prov).is_some()
                    && self.memory.live(y.prov).is_some()
                    && !x.prov.negative
                    && !y.prov.negative
                    && !self.is_past(x)
                    && !self.is_past(y)
                    // Different labels may stand for one place.
                    && x.prov.kind != AllocKind::Label =>
            {
                value.marks = value.marks.minus(Marks::ADDRESS);
            }
            (true, false) | (false, true) => {
                let (pointer, other) = if x.has_prov() { (x, y) } else { (y, x) };
                let taken_away = op == BinaryOp::Sub && y.has_prov();
                if let Some(mut prov) = self.computed_prov(op, &value, pointer, other) {
                    prov.negative ^= taken_away;
                    value.prov = prov;
                    value.marks = value.marks.union(Marks::PROVENANCE);
                }
                value = self.known_alignment(op, value, pointer, other);
                // No object is at address 0.
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne)
                    && other.to_bits() == 0
                    && !other.marks.has(Marks::OPEN)
                {
                    value.marks = value.marks.minus(Marks::ADDRESS);
                }
            }
            _ => {}
        }
        Ok(value)
    }

    /// The provenance of a number computed from an address and another number, if it still stands for an address.
    fn computed_prov(&self, op: BinaryOp, value: &Value, pointer: &Value, other: &Value) -> Option<Prov> {
        let prov = pointer.prov;
        // What was computed from an address may be all that is missing to a multiple.
        let by_address = if other.marks.has(Marks::ADDRESS) { MOST_KNOWN } else { prov.rounded };
        match op {
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor if prov.negative => None,
            // Tags go into bits that the alignment leaves free; what others do depends on the address.
            BinaryOp::BitOr | BinaryOp::BitXor if !self.is_tag(pointer, other) => None,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitOr | BinaryOp::BitXor => {
                Some(Prov { rounded: by_address, ..prov })
            }
            // A mask that leaves but low bits asks for the alignment; one that clears them rounds.
            BinaryOp::BitAnd => {
                let zeros = other.to_bits().trailing_zeros().min(u32::from(MOST_KNOWN));
                let slot = self.memory.live(prov)?;
                let distance = value.low.wrapping_sub(slot.address).wrapping_add((1 << zeros) - 1);
                let near = distance < u64::from(slot.size) + (1 << zeros);
                let rounded = by_address.max(u8::try_from(zeros).unwrap_or(MOST_KNOWN));
                near.then_some(Prov { rounded, ..prov })
            }
            _ => None,
        }
    }

    /// The number of which an address is known to be a multiple, but for its offset in the object; 0 for a dead one.
    fn known_multiple(&self, pointer: &Value) -> u128 {
        let align = self.memory.live(pointer.prov).map_or(0, |slot| u128::from(slot.align));
        align.max(1 << pointer.prov.rounded.min(MOST_KNOWN))
    }

    /// Whether a number changes no more than the low bits of an address that its object's alignment decides.
    fn is_tag(&self, pointer: &Value, other: &Value) -> bool {
        !other.marks.has(Marks::OPEN) && other.to_bits() < self.known_multiple(pointer)
    }

    /// The low bits of an address follow from its object's alignment.
    fn known_alignment(&self, op: BinaryOp, mut value: Value, pointer: &Value, other: &Value) -> Value {
        if self.memory.live(pointer.prov).is_none() {
            return value;
        }
        let align = self.known_multiple(pointer);
        let known = !other.marks.has(Marks::OPEN)
            && match op {
                BinaryOp::BitAnd => other.to_bits() < align,
                BinaryOp::Rem => other.to_bits() <= align && other.to_bits().is_power_of_two(),
                _ => false,
            };
        if known {
            value.marks = value.marks.minus(Marks::ADDRESS.union(Marks::PROVENANCE));
        }
        value
    }

    pub(super) fn unary(&mut self, op: UnaryOp, num: u8, dst: Reg, a: Reg) -> Run<()> {
        let x = *self.get(a);
        if x.marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        let kind = self.code.nums[num as usize];
        let bits = match self.plain_unary(op, kind, x.to_bits()) {
            Ok(bits) => bits,
            Err(case) => {
                let plain = arith::wrapped_unary(op, kind, x.to_bits()).unwrap_or(0);
                self.undefined(case, negated_text(kind, &x), plain)?
            }
        };
        if x.marks.has(Marks::LIBRARY)
            && let Some(value) = known::unary(op, kind, &x, bits)
        {
            self.set(dst, value);
            return Ok(());
        }
        let marks = match (kind, op) {
            // `!` looks at no more than the truth, `-` and `+` change no more than the sign.
            (_, UnaryOp::Not) => known::truth_marks(&x, matches!(kind, Num::Float(_))),
            (Num::Float(_), _) => x.marks.open(),
            _ => x.marks.intersection(Marks::OPEN),
        };
        let mut value = Value::bits(bits).marked(marks);
        if x.has_prov() && matches!(op, UnaryOp::Plus | UnaryOp::Neg | UnaryOp::BitNot) {
            value.prov = Prov { negative: x.prov.negative ^ (op != UnaryOp::Plus), ..x.prov };
            value.marks = value.marks.union(Marks::PROVENANCE);
        }
        self.set(dst, value);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn shift(&mut self, op: BinaryOp, num: u8, count: u8, dst: Reg, a: Reg, b: Reg) -> Run<()> {
        let (x, y) = (self.get(a), self.get(b));
        if x.marks.union(y.marks).is_empty()
            && let (Some(kind), Some(_)) = (self.code.words[num as usize], self.code.words[count as usize])
            && let Some(bits) = word::shift(op, kind, x.low, y.low)
        {
            self.put(dst, bits);
            return Ok(());
        }
        self.shift_slow(op, num, count, dst, a, b)
    }

    #[inline(never)]
    fn shift_slow(&mut self, op: BinaryOp, num: u8, count: u8, dst: Reg, a: Reg, b: Reg) -> Run<()> {
        let (x, y) = (*self.get(a), *self.get(b));
        let marks = self.mixed(&x, &y)?;
        let (kind, count) = (self.code.nums[num as usize], self.code.nums[count as usize]);
        let bits = match self.plain_shift(op, (kind, x.to_bits()), (count, y.to_bits())) {
            Ok(bits) => bits,
            Err(case) => {
                let plain = arith::wrapped_shift(op, kind, x.to_bits(), count, y.to_bits()).unwrap_or(0);
                self.undefined(case, operands_text(kind, op.symbol(), &x, &y), plain)?
            }
        };
        let value =
            if marks.has(Marks::LIBRARY) { known::shift(op, kind, count, &x, &y, bits) } else { None };
        self.set(dst, value.unwrap_or_else(|| Value::bits(bits).marked(marks)));
        Ok(())
    }

    #[inline(always)]
    pub(super) fn step(&mut self, up: bool, num: u8, dst: Reg, a: Reg) -> Run<()> {
        let x = self.get(a);
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        if x.marks.is_empty()
            && let Some(kind) = self.code.words[num as usize]
            && let Some(bits) = word::binary(op, kind, x.low, 1)
        {
            self.put(dst, bits);
            return Ok(());
        }
        self.step_slow(up, num, dst, a)
    }

    #[inline(never)]
    fn step_slow(&mut self, up: bool, num: u8, dst: Reg, a: Reg) -> Run<()> {
        let x = *self.get(a);
        if x.marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        let kind = self.code.nums[num as usize];
        let bits = match self.plain_step(up, kind, x.to_bits()) {
            Ok(bits) => bits,
            Err(case) => {
                let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
                let plain = arith::wrapped_binary(op, kind, x.to_bits(), 1).unwrap_or(0);
                self.undefined(case, operands_text(kind, op.symbol(), &x, &Value::int(1)), plain)?
            }
        };
        let marks =
            if let Num::Float(_) = kind { x.marks.of_number() } else { x.marks.intersection(Marks::OPEN) };
        self.set(dst, any_nan(kind, Value::bits(bits).marked(marks)));
        Ok(())
    }

    #[inline(always)]
    pub(super) fn convert(&mut self, from: u8, to: u8, dst: Reg, a: Reg) -> Run<()> {
        let x = self.get(a);
        if x.marks.is_empty()
            && let (Some(source), Some(target)) =
                (self.code.narrows[from as usize], self.code.narrows[to as usize])
        {
            let bits = word::convert(source, target, x.low);
            self.put(dst, bits);
            return Ok(());
        }
        self.convert_slow(from, to, dst, a)
    }

    #[inline(never)]
    fn convert_slow(&mut self, from: u8, to: u8, dst: Reg, a: Reg) -> Run<()> {
        let x = *self.get(a);
        let (source, target) = (self.code.nums[from as usize], self.code.nums[to as usize]);
        if x.marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        let bits = match arith::convert(source, target, x.to_bits()) {
            Ok(bits) => bits,
            Err(case) => self.undefined(case, converted_text(source, target, x.to_bits()), 0)?,
        };
        self.check_conversion(source, target, x.to_bits(), bits)?;
        if x.marks.has(Marks::LIBRARY)
            && let Some(value) = known::convert(source, target, &x, bits)
        {
            self.set(dst, value);
            return Ok(());
        }
        let mut value = Value::bits(bits);
        if !x.marks.is_empty() {
            value = value.marked(match (source, target) {
                (Num::Float(_), _) => x.marks.of_number(),
                (_, Num::Bool) => known::truth_marks(&x, false),
                // A wider signed integer has the same sign and truth.
                (Num::Int { signed, .. }, Num::Int { signed: true, .. })
                    if signed && target.width() >= source.width() =>
                {
                    x.marks.open()
                }
                _ => x.marks.intersection(Marks::OPEN),
            });
            // An integer as wide as a pointer keeps where it came from.
            let wide = target.width() >= 8 * self.memory.pointer_size() && matches!(target, Num::Int { .. });
            if x.has_prov() && wide {
                value.prov = x.prov;
                value.marks = value.marks.union(Marks::PROVENANCE);
            }
        }
        self.set(
            dst,
            if source == target {
                Value { marks: value.marks.minus(Marks::OPEN).union(x.marks.open()), ..value }
            } else {
                any_nan(target, value)
            },
        );
        Ok(())
    }

    /// On i386 gcc converts wide integers with the x87 and may leave the result unrounded, SSE arithmetic or not.
    #[inline]
    pub(super) fn check_conversion(&self, from: Num, to: Num, before: u128, after: u128) -> Run<()> {
        let (Num::Int { .. }, Num::Float(Format::F32 | Format::F64)) = (from, to) else { return Ok(()) };
        let unsure = self.program.target.arch == Arch::I386 && from.width() > 32;
        if unsure && arith::convert(to, from, after) != Ok(before) {
            return unsupported("a wide integer that is rounded to a floating type on i386");
        }
        Ok(())
    }

    /// Whether a value compares unequal to 0, as a value.
    pub(super) fn truth(&mut self, num: u8, dst: Reg, a: Reg, not: bool) -> Run<()> {
        let x = *self.get(a);
        if x.marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        let holds = match num {
            POINTER => {
                self.check_alive(&x)?;
                x.low != 0
            }
            _ => arith::truth(self.code.nums[num as usize], x.to_bits()),
        };
        let float = num != POINTER && matches!(self.code.nums[num as usize], Num::Float(_));
        let mut marks = known::truth_marks(&x, float);
        if x.has_prov() {
            // What points into an object is not null.
            marks = marks.minus(Marks::ADDRESS);
        }
        self.set(dst, Value::int(u64::from(holds != not)).marked(marks));
        Ok(())
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne)
}

/// An operand without the marks of what this operation does not look at: the bits of a NaN, the magnitude of
/// `strcmp`'s result where it is compared with 0.
fn known_part(op: BinaryOp, kind: Num, x: &Value, other: &Value) -> Value {
    let marks = match kind {
        Num::Float(_) => x.marks.of_number(),
        _ if is_comparison(op) && other.to_bits() == 0 && !other.marks.has(Marks::OPEN) => {
            x.marks.against_zero(matches!(op, BinaryOp::Eq | BinaryOp::Ne))
        }
        _ => x.marks.intersection(Marks::OPEN),
    };
    Value { marks: x.marks.minus(Marks::OPEN).union(marks), ..*x }
}

/// A result of arithmetic: if it is a NaN, its sign and payload are anybody's.
pub(super) fn any_nan(kind: Num, value: Value) -> Value {
    match kind {
        Num::Float(format) if format.is_nan(value.to_bits()) => value.marked(Marks::library(Choice::Bits)),
        _ => value,
    }
}

/// Whether a value is a NaN whose quiet bit is clear.
pub(super) fn is_signalling(format: Format, value: &Value) -> bool {
    let quiet = format.nan() & !(format.infinity() | format.sign_bit());
    format.is_nan(value.to_bits()) && value.to_bits() & quiet == 0
}

/// What is negated.
fn negated_text(kind: Num, x: &Value) -> String {
    match kind {
        Num::Int { signed: true, .. } => format!("-({})", kind.number(x.to_bits())),
        _ => String::new(),
    }
}

/// What is converted, and to what.
fn converted_text(from: Num, to: Num, bits: u128) -> String {
    let (Num::Float(_), Num::Int { width, signed }) = (from, to) else { return String::new() };
    let Ok(wide) = arith::convert(from, Num::Float(Format::F64), bits) else { return String::new() };
    let number = f64::from_bits(wide as u64);
    let sign = if signed { "a signed" } else { "an unsigned" };
    format!("{number:?} to {sign} type of {width} bits")
}

fn operands_text(kind: Num, op: &str, x: &Value, y: &Value) -> String {
    match kind {
        Num::Int { signed: true, .. } => {
            format!("{} {op} {}", kind.number(x.to_bits()), kind.number(y.to_bits()))
        }
        Num::Int { .. } => format!("{} {op} {}", x.to_bits(), y.to_bits()),
        _ => String::new(),
    }
}
