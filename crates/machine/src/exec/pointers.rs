//! Pointer instructions: arithmetic within bounds, comparison, conversion.

use super::Exec;
use crate::op::Reg;
use crate::outcome::{Run, ub, ub_about, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Prov, Value};
use howler_lang::arith::word::{self, Narrow};
use howler_lang::program::BinaryOp;

impl Exec<'_> {
    /// A pointer's value may be used only while its object lives (C17 6.2.4p2).
    #[inline]
    pub(super) fn check_alive(&self, value: &Value) -> Run<()> {
        if value.has_prov() && self.memory.live(value.prov).is_none() {
            return ub_about(UbKind::DeadPointer, value.prov, String::new());
        }
        Ok(())
    }

    /// Moves a pointer within bounds by a plain index; false if it takes a closer look.
    #[inline(always)]
    pub(super) fn ptr_add_fast(
        &mut self,
        back: bool,
        num: u8,
        dst: Reg,
        base: Reg,
        index: Reg,
        step: u32,
    ) -> bool {
        let (pointer, index) = (self.get(base), self.get(index));
        let step = &self.code.steps[step as usize];
        let Some(from) = self.code.narrows[num as usize] else { return false };
        if !index.marks.is_empty()
            || pointer.marks != Marks::PROVENANCE
            || back
            || step.reg != crate::op::NONE
        {
            return false;
        }
        let count = word::convert(from, Narrow::I64, index.low);
        let Some(slot) = self.memory.live(pointer.prov) else { return false };
        let prov = pointer.prov;
        let offset = pointer.low.wrapping_sub(slot.address);
        let (lo, hi) = if prov.wide { (0, slot.size) } else { (prov.lo, prov.hi) };
        // Within 32 bits nothing here overflows.
        if count > u64::from(u32::MAX)
            || step.size > u64::from(u32::MAX)
            || prov.kind == AllocKind::Function
            || prov.kind == AllocKind::Label
        {
            return false;
        }
        let moved = offset + count * step.size;
        if moved < u64::from(lo) || moved > u64::from(hi) {
            return false;
        }
        let low = slot.address + moved;
        let value = Value { low, ..*pointer };
        self.set(dst, value);
        true
    }

    pub(super) fn ptr_add(
        &mut self,
        back: bool,
        num: u8,
        dst: Reg,
        base: Reg,
        index: Reg,
        step: u32,
    ) -> Run<()> {
        let (pointer, index) = (self.usable(base)?, self.usable(index)?);
        let step = self.code.steps[step as usize];
        let size = match step.reg {
            crate::op::NONE => step.size,
            reg => self.usable(reg)?.low,
        };
        let label = pointer.has_prov() && pointer.prov.kind == AllocKind::Label;
        // A label and a distance between labels make a label, wherever they are.
        let among_labels = label && index.marks.has(Marks::ADDRESS);
        if index.marks.has(Marks::OPEN) && !among_labels {
            self.depend(index.marks);
        }
        let count = self.code.nums[num as usize].number(index.to_bits());
        let count = if back { count.wrapping_neg() } else { count };
        let distance = count.saturating_mul(i128::from(size));
        if count == 0 && pointer.has_prov() {
            self.check_alive(&pointer)?;
            self.set(dst, pointer);
            return Ok(());
        }
        let moved = if among_labels {
            self.label_moved(&pointer, distance)?
        } else {
            self.moved(&pointer, distance, step.row)?
        };
        self.set(dst, moved);
        Ok(())
    }

    /// A pointer `distance` bytes further on.
    pub(super) fn moved(&self, pointer: &Value, distance: i128, row: bool) -> Run<Value> {
        let prov = pointer.prov;
        if !pointer.has_prov() {
            if pointer.marks.has(Marks::OPEN) {
                return unsupported(
                    "arithmetic on a pointer made from an integer whose object is not certain",
                );
            }
            if pointer.low == 0 && distance == 0 {
                // C2y defines it.
                self.letter(UbKind::NullZero, prov)?;
                return Ok(*pointer);
            }
            if pointer.low == 0 {
                return ub(UbKind::NullArith);
            }
            return ub_about(UbKind::BoundsObject, prov, "it points to no object".to_owned());
        }
        let Some(slot) = self.memory.live(prov) else {
            return ub_about(UbKind::DeadPointer, prov, String::new());
        };
        if matches!(prov.kind, AllocKind::Function | AllocKind::Label) {
            return unsupported("arithmetic on a pointer to a function or label");
        }
        let offset = i128::from(pointer.low.wrapping_sub(slot.address)) + distance;
        let (lo, hi) = if prov.wide { (0, slot.size) } else { (prov.lo, prov.hi) };
        if offset < i128::from(lo) || offset > i128::from(hi) {
            let kind = if prov.flexible && offset > 0 {
                UbKind::FlexibleBeyond
            } else if offset < 0 || offset > i128::from(slot.size) || lo == 0 && hi == slot.size {
                UbKind::BoundsObject
            } else if row || self.is_row(slot.ty) {
                UbKind::BoundsRow
            } else {
                UbKind::BoundsMember
            };
            let detail = format!("offset {offset} is outside {lo} to {hi}");
            return ub_about(kind, prov, detail);
        }
        Ok(Value { low: pointer.low.wrapping_add(distance as u64), ..*pointer })
    }

    fn is_row(&self, ty: Option<howler_lang::ty::Type>) -> bool {
        use howler_lang::ty::TypeKind;
        let types = &self.program.types;
        ty.is_some_and(|ty| match types.kind(ty) {
            TypeKind::Array { elem, .. } => matches!(types.kind(elem), TypeKind::Array { .. }),
            _ => false,
        })
    }

    pub(super) fn member(&mut self, dst: Reg, base: Reg, member: u32) -> Run<()> {
        let member = self.code.members[member as usize];
        let pointer = self.usable(base)?;
        if !pointer.has_prov() {
            if pointer.low == 0 {
                return ub(UbKind::NullMember);
            }
            // An access says why it is not possible.
            let low = pointer.low.wrapping_add(u64::from(member.offset));
            self.set(dst, Value { low, ..pointer });
            return Ok(());
        }
        let prov = pointer.prov;
        let Some(slot) = self.memory.live(prov) else {
            return ub_about(self.memory.dead_kind(prov), prov, String::new());
        };
        let offset = pointer.low.wrapping_sub(slot.address);
        let (lo, hi) = if prov.wide { (0, slot.size) } else { (prov.lo, prov.hi) };
        if member.through_pointer {
            let end = offset.saturating_add(u64::from(member.record));
            if offset < u64::from(lo) || end > u64::from(hi) {
                let kind = if offset == u64::from(hi) { UbKind::OnePastDeref } else { UbKind::SmallObject };
                let detail = format!(
                    "{} bytes are left of {} for a struct of {}",
                    u64::from(hi).saturating_sub(offset),
                    hi - lo,
                    member.record
                );
                return ub_about(kind, prov, detail);
            }
            if !self.memory.is_aligned(slot, &pointer, member.align) {
                return ub_about(UbKind::MisalignedAccess, prov, String::new());
            }
        }
        let start = offset + u64::from(member.offset);
        let end = match member.size {
            Some(size) => start + u64::from(size),
            // The bounds around it: a flexible member ends with its allocation.
            None => u64::from(slot.size),
        };
        let Ok(lo) = u32::try_from(start) else { return ub(UbKind::BoundsObject) };
        let hi = u32::try_from(end).unwrap_or(u32::MAX).min(slot.size).max(lo);
        let prov = Prov { lo, hi, wide: false, flexible: member.size.is_none(), ..prov };
        self.set(dst, Value { low: pointer.low + u64::from(member.offset), prov, ..pointer });
        Ok(())
    }

    /// The bounds become the `size` bytes from the pointer on.
    pub(super) fn narrow(&mut self, dst: Reg, base: Reg, size: u64) {
        let mut pointer = *self.get(base);
        if pointer.has_prov()
            && let Some(slot) = self.memory.live(pointer.prov)
        {
            let start = pointer.low.wrapping_sub(slot.address);
            // One past the last row of an array inside something else is not what comes next there.
            let most = if pointer.prov.wide || pointer.prov.flexible { slot.size } else { pointer.prov.hi };
            let end = start.saturating_add(size).min(u64::from(most.min(slot.size)));
            if let (Ok(lo), Ok(hi)) = (u32::try_from(start), u32::try_from(end))
                && lo <= hi
            {
                pointer.prov = Prov { lo, hi, wide: false, flexible: false, ..pointer.prov };
            }
        }
        self.set(dst, pointer);
    }

    /// `*` on a pointer one past the end gives no array, though all that happens to it is that it becomes a pointer.
    pub(super) fn array_at(&mut self, base: Reg) -> Run<()> {
        let pointer = self.get(base);
        if pointer.has_prov()
            && !pointer.prov.wide
            && let Some(slot) = self.memory.live(pointer.prov)
            && pointer.prov.hi > pointer.prov.lo
            && pointer.low.wrapping_sub(slot.address) == u64::from(pointer.prov.hi)
        {
            return self.letter(UbKind::PastArray, pointer.prov);
        }
        Ok(())
    }

    pub(super) fn ptr_diff(&mut self, dst: Reg, a: Reg, b: Reg, step: u32) -> Run<()> {
        let (x, y) = (self.usable(a)?, self.usable(b)?);
        let step = self.code.steps[step as usize];
        let size = match step.reg {
            crate::op::NONE => step.size,
            reg => self.usable(reg)?.low,
        };
        if !x.has_prov() || !y.has_prov() {
            if x.marks.union(y.marks).has(Marks::OPEN) {
                return unsupported("difference of pointers made from integers");
            }
            self.letter(UbKind::SubNull, Prov::default())?;
        }
        self.check_alive(&x)?;
        self.check_alive(&y)?;
        if !x.has_prov() || !y.has_prov() {
            let null = !x.has_prov() && !y.has_prov();
            let difference = self.difference(&x, &y, size);
            self.set(dst, if null { difference } else { difference.marked(Marks::ADDRESS) });
            return Ok(());
        }
        if x.prov.kind == AllocKind::Label && y.prov.kind == AllocKind::Label {
            let difference = self.label_difference(&x, &y)?;
            self.set(dst, difference);
            return Ok(());
        }
        if !same_object(&x, &y) {
            return ub_about(UbKind::SubDifferent, x.prov, String::new())
                .map_err(|stop| self.about_object(stop, y.prov));
        }
        if matches!(x.prov.kind, AllocKind::Function | AllocKind::Label) {
            return unsupported("difference of pointers to functions or labels");
        }
        let narrow = !x.prov.wide && !y.prov.wide;
        if narrow && (x.prov.lo, x.prov.hi) != (y.prov.lo, y.prov.hi) && !self.within_each_other(&x, &y) {
            // Within one object the distance is what it is, but compilers divide as if nothing were left over.
            if size == 0 || x.low.abs_diff(y.low) % size != 0 {
                let detail = format!("their distance is no multiple of {size} bytes");
                return ub_about(UbKind::SubDifferent, x.prov, detail);
            }
            self.letter(UbKind::SubPart, x.prov)?;
        }
        if size == 0 {
            return ub(UbKind::SubDifferent);
        }
        let difference = self.difference(&x, &y, size);
        self.set(dst, difference);
        Ok(())
    }

    fn difference(&self, x: &Value, y: &Value, size: u64) -> Value {
        let bytes = i128::from(x.low) - i128::from(y.low);
        let result = bytes / i128::from(size.max(1));
        let mask = if self.memory.pointer_size() == 8 { u64::MAX } else { u64::from(u32::MAX) };
        Value::int(result as u64 & mask)
    }

    /// Whether one pointer's bounds contain the other's place: an element and the array it is in.
    fn within_each_other(&self, x: &Value, y: &Value) -> bool {
        let place = |value: &Value| {
            self.memory.live(value.prov).map_or(0, |slot| value.low.wrapping_sub(slot.address))
        };
        let holds =
            |bounds: &Value, at: u64| at >= u64::from(bounds.prov.lo) && at <= u64::from(bounds.prov.hi);
        let nested =
            |outer: &Value, inner: &Value| outer.prov.lo <= inner.prov.lo && outer.prov.hi >= inner.prov.hi;
        nested(x, y) && holds(x, place(y)) || nested(y, x) && holds(y, place(x))
    }

    pub(super) fn ptr_compare(&mut self, op: BinaryOp, dst: Reg, a: Reg, b: Reg) -> Run<()> {
        let (x, y) = (self.usable(a)?, self.usable(b)?);
        self.check_alive(&x)?;
        self.check_alive(&y)?;
        let mut marks = Marks::NONE;
        let holds = match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let equal = x.low == y.low;
                if x.has_prov() && y.has_prov() && !same_object(&x, &y) {
                    // One past one object may or may not be another's address.
                    if self.is_past(&x) || self.is_past(&y) {
                        marks = Marks::ADDRESS;
                    }
                    // Different labels may stand for one place, even ones that no code is between.
                    if x.prov.kind == AllocKind::Label && y.prov.kind == AllocKind::Label {
                        marks = Marks::ADDRESS;
                    }
                    if self.is_text(&x) && self.is_text(&y) && self.rest_of_text(&x) == self.rest_of_text(&y)
                    {
                        // Whether equal string literals are one object is not known (6.4.5p7).
                        marks = Marks::LIBRARY;
                        self.remember_choice(super::wording::SAME_LITERALS);
                    }
                } else if x.has_prov() != y.has_prov() {
                    let other = if x.has_prov() { &y } else { &x };
                    if other.low != 0 {
                        marks = Marks::ADDRESS;
                    }
                }
                marks = marks.union(x.marks.union(y.marks).intersection(Marks::OPEN));
                equal == (op == BinaryOp::Eq)
            }
            _ => {
                if !(x.has_prov() && y.has_prov()) {
                    if x.marks.union(y.marks).has(Marks::OPEN) {
                        return unsupported("relational comparison of pointers made from integers");
                    }
                    return ub(UbKind::CompareDifferent);
                }
                if !same_object(&x, &y) {
                    return ub_about(UbKind::CompareDifferent, x.prov, String::new())
                        .map_err(|stop| self.about_object(stop, y.prov));
                }
                match op {
                    BinaryOp::Lt => x.low < y.low,
                    BinaryOp::Gt => x.low > y.low,
                    BinaryOp::Le => x.low <= y.low,
                    _ => x.low >= y.low,
                }
            }
        };
        self.set(dst, Value::int(u64::from(holds)).marked(marks));
        Ok(())
    }

    pub(super) fn is_past(&self, value: &Value) -> bool {
        self.memory.live(value.prov).is_some_and(|slot| {
            let code = matches!(slot.kind, AllocKind::Function | AllocKind::Label);
            !code && value.low.wrapping_sub(slot.address) == u64::from(slot.size)
        })
    }

    fn is_text(&self, value: &Value) -> bool {
        // Const compound literals may be shared as well (6.5.2.5p7).
        let literal = |slot: &crate::memory::Slot| {
            let marked = slot.object.is_some_and(|object| self.program.objects[object].literal);
            marked && slot.size > 0 && self.memory.shadow_at(slot.data) & crate::memory::shadow::CONST != 0
        };
        value.prov.kind == AllocKind::String || self.memory.live(value.prov).is_some_and(literal)
    }

    /// The bytes of a string literal from a pointer on: literals are one object only if these are the same.
    fn rest_of_text(&self, value: &Value) -> &[u8] {
        let Some(slot) = self.memory.live(value.prov) else { return &[] };
        let offset = value.low.wrapping_sub(slot.address).min(u64::from(slot.size)) as u32;
        self.memory.bytes(slot.data + offset, slot.size - offset)
    }

    pub(super) fn ptr_convert(&mut self, dst: Reg, a: Reg, to: u32) -> Run<()> {
        let target = self.code.pointers[to as usize];
        let mut value = self.usable(a)?;
        // Whether it is dead is a question for what uses the result: `free` has its own answer.
        if value.has_prov() {
            if target.align > 1 && !self.is_code(&value) {
                self.check_alignment(&value, target.align)?;
            }
            if target.widens && !self.is_code(&value) {
                value.prov.wide = true;
            }
        }
        self.set(dst, value);
        Ok(())
    }

    /// Whether a pointer is aligned in every run. One whose object has ended is judged where it is used.
    pub(super) fn is_aligned(&self, pointer: &Value, align: u32) -> bool {
        self.memory.live(pointer.prov).is_none_or(|slot| self.memory.is_aligned(slot, pointer, align))
    }

    /// A conversion to a pointer to what needs this alignment. The conversion alone changes nothing in compilers, but that
    /// clang takes the alignment for granted in `memcpy`, which counts from 16 on: no smaller one matters to x86.
    fn check_alignment(&self, pointer: &Value, align: u32) -> Run<()> {
        if self.is_aligned(pointer, align) {
            return Ok(());
        }
        if align >= 16 {
            return ub_about(UbKind::MisalignedWide, pointer.prov, String::new());
        }
        self.letter(UbKind::MisalignedPointer, pointer.prov)
    }

    pub(super) fn is_code(&self, value: &Value) -> bool {
        matches!(value.prov.kind, AllocKind::Function | AllocKind::Label)
    }

    pub(super) fn ptr_to_int(&mut self, num: u8, dst: Reg, a: Reg) -> Run<()> {
        let value = self.usable(a)?;
        self.check_alive(&value)?;
        let kind = self.code.nums[num as usize];
        let width = kind.width();
        let mask = if width >= 64 { u64::MAX } else { (1u64 << width) - 1 };
        let mut result = Value::int(value.low & mask).marked(value.marks.intersection(Marks::OPEN));
        if value.has_prov() {
            result.marks = result.marks.union(Marks::ADDRESS);
            if width >= 8 * self.memory.pointer_size() {
                result.prov = value.prov;
                result.marks = result.marks.union(Marks::PROVENANCE);
            }
        }
        self.set(dst, result);
        Ok(())
    }

    pub(super) fn int_to_ptr(&mut self, num: u8, dst: Reg, a: Reg, to: u32) -> Run<()> {
        let value = self.usable(a)?;
        let kind = self.code.nums[num as usize];
        let target = self.code.pointers[to as usize];
        let size = self.memory.pointer_size();
        // Narrower integers are extended by their sign; wider ones are cut.
        let address = kind.number(value.to_bits()) as u64;
        let address = if size == 4 { address & u64::from(u32::MAX) } else { address };
        let mut pointer = Value::int(address).marked(value.marks.intersection(Marks::OPEN));
        if value.has_prov() {
            let Some(slot) = self.memory.live(value.prov) else {
                return ub_about(UbKind::DeadPointer, value.prov, String::new());
            };
            let offset = address.wrapping_sub(slot.address);
            let points = !value.prov.negative && offset <= u64::from(slot.size);
            if points || self.is_code(&value) {
                pointer.prov = Prov { wide: true, ..value.prov };
                pointer.marks = Marks::PROVENANCE;
                if target.align > 1 && !self.is_code(&value) {
                    self.check_alignment(&pointer, target.align)?;
                }
            }
        }
        self.set(dst, pointer);
        Ok(())
    }

    pub(super) fn static_bound(&mut self, num: u8, base: Reg, len: Reg, step: u32) -> Run<()> {
        let (pointer, len) = (self.usable(base)?, self.usable(len)?);
        let step = self.code.steps[step as usize];
        let count = self.code.nums[num as usize].number(len.to_bits());
        let wanted = count.saturating_mul(i128::from(step.size));
        if let Some(frame) = self.frames.len().checked_sub(2).and_then(|caller| self.frames.get(caller)) {
            // The fault is the caller's.
            let function = &self.code.funcs[frame.func as usize];
            self.pos = function.positions[(frame.pc as usize).saturating_sub(1)];
            self.keep_pos = true;
        }
        if !pointer.has_prov() {
            return ub(UbKind::StaticBound);
        }
        let Some(slot) = self.memory.live(pointer.prov) else {
            return ub_about(UbKind::DeadPointer, pointer.prov, String::new());
        };
        let hi = if pointer.prov.wide { slot.size } else { pointer.prov.hi };
        let left = i128::from(hi) - i128::from(pointer.low.wrapping_sub(slot.address));
        if left < wanted {
            return ub_about(
                UbKind::StaticBound,
                pointer.prov,
                format!("{left} bytes are left of {wanted} promised"),
            );
        }
        self.keep_pos = false;
        Ok(())
    }
}

pub(super) fn same_object(x: &Value, y: &Value) -> bool {
    x.prov.slot == y.prov.slot && x.prov.generation == y.prov.generation
}
