//! Jumps that no block structure shows: `setjmp` and `longjmp`, `goto *p`, and arithmetic on the addresses of labels.

use super::Exec;
use crate::memory::shadow;
use crate::op::{FuncCode, NONE, Reg};
use crate::outcome::{Run, ub, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Prov, Value};
use howler_lang::program::LabelId;

/// A `jmp_buf` that was set.
pub(super) struct JumpBuffer {
    frame: u64,
    pc: u32,
    dst: Reg,
    autos: usize,
    scopes: usize,
    seq: (u32, usize, usize, usize, usize),
    /// How many stores to allocated memory there were.
    heap_stores: u64,
    /// Bytes of the frame's objects, to find those that change.
    objects: Vec<(Prov, Vec<u8>)>,
    /// Filled by `__builtin_setjmp`.
    builtin: bool,
}

impl<'p> Exec<'p> {
    /// `setjmp`: remembers the caller's state.
    pub(super) fn set_jump(&mut self, pc: usize, dst: Reg, builtin: bool) -> Run<u64> {
        let (frame, autos) = self.frames.last().map_or((0, 0), |frame| (frame.id, frame.autos));
        let mut objects = Vec::new();
        for &prov in &self.autos[autos..] {
            if let Some(slot) = self.memory.live(prov)
                && !matches!(slot.kind, AllocKind::Temporary)
            {
                objects.push((prov, self.memory.bytes(slot.data, slot.size).to_vec()));
            }
        }
        // What a buffer keeps lives as long as the run.
        let kept: u64 = objects.iter().map(|(_, bytes)| bytes.len() as u64).sum();
        self.memory.charge(kept);
        self.memory.keep(kept + size_of::<JumpBuffer>() as u64)?;
        self.jump_buffers.push(JumpBuffer {
            frame,
            pc: pc as u32,
            dst,
            autos: self.autos.len(),
            scopes: self.scopes.len(),
            seq: self.seq.snapshot(),
            heap_stores: self.memory.heap_stores,
            objects,
            builtin,
        });
        Ok(self.jump_buffers.len() as u64)
    }

    /// `longjmp`: back to where `setjmp` was called.
    pub(super) fn long_jump(&mut self, id: u64, value: u64) -> Run<()> {
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let Some(index) = index.filter(|&index| index < self.jump_buffers.len()) else {
            return ub(UbKind::LongjmpDead);
        };
        let buffer = &self.jump_buffers[index];
        let (frame, pc, dst, autos, scopes, seq) =
            (buffer.frame, buffer.pc, buffer.dst, buffer.autos, buffer.scopes, buffer.seq);
        let Some(depth) = self.frames.iter().rposition(|open| open.id == frame) else {
            return ub(UbKind::LongjmpDead);
        };
        if buffer.heap_stores != self.memory.heap_stores {
            // Defined by the letter; clang keeps such memory in registers and loses the store.
            return unsupported("allocated memory written between setjmp and longjmp");
        }
        while self.frames.len() > depth + 1 {
            self.pop_frame();
        }
        if self.scopes.len() < scopes || self.autos.len() < autos {
            return ub(UbKind::LongjmpVla);
        }
        self.release_to(autos);
        self.scopes.truncate(scopes);
        self.seq.restore(seq);
        let builtin = self.jump_buffers[index].builtin;
        let objects = std::mem::take(&mut self.jump_buffers[index].objects);
        for (prov, bytes) in &objects {
            self.make_stale(*prov, bytes, builtin);
        }
        self.jump_buffers[index].objects = objects;
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
            self.base = frame.base;
        }
        if dst != NONE {
            self.set(dst, Value::int(value));
        }
        Ok(())
    }

    /// What changed since `setjmp` and is not volatile has no value any more (C17 7.13.2.1p3).
    fn make_stale(&mut self, prov: Prov, bytes: &[u8], builtin: bool) {
        let Some(slot) = self.memory.live(prov) else { return };
        let (data, size) = (slot.data, slot.size);
        let changed: Vec<u32> = (0..size)
            .filter(|&index| {
                let at = data + index;
                self.memory.bytes(at, 1)[0] != bytes.get(index as usize).copied().unwrap_or(0)
                    && self.memory.shadows(at, 1)[0] & shadow::VOLATILE == 0
            })
            .collect();
        if changed.is_empty() {
            return;
        }
        self.stale.insert((prov.slot, prov.generation), builtin);
        for index in changed {
            self.memory.set(data + index, 1, 0, Marks::UNINIT);
        }
    }

    /// `goto *p`.
    pub(super) fn jump_to(&mut self, label: Reg) -> Run<u32> {
        let value = self.usable(label)?;
        if value.marks.has(Marks::OPEN) {
            self.depend(value.marks);
        }
        if value.prov.kind != AllocKind::Label || !value.has_prov() {
            return ub(UbKind::InvalidDeref);
        }
        let Some(&(func, label)) = self.labels.get(&value.prov.slot) else { return ub(UbKind::InvalidDeref) };
        let Some(frame) = self.frames.last() else { return ub(UbKind::InvalidDeref) };
        if frame.func != func {
            return unsupported("a computed jump to a label of another function");
        }
        self.enter_label(func, label)
    }

    /// Leaves and enters scopes of the current function up to a label's; where it is.
    pub(super) fn enter_label(&mut self, func: u32, label: LabelId) -> Run<u32> {
        let code: &'p FuncCode = &self.code.funcs[func as usize];
        let Some(&(at, mut scope)) = code.labels.get(&label) else { return ub(UbKind::InvalidDeref) };
        let mut to = Vec::new();
        while scope != u32::MAX {
            to.push(scope);
            scope = code.scopes[scope as usize].parent.unwrap_or(u32::MAX);
        }
        to.reverse();
        let first = self.frames.last().map_or(0, |frame| frame.scopes);
        let open = self.scopes.get(first..).unwrap_or(&[]);
        let common = open.iter().zip(&to).take_while(|((_, a), b)| a == *b).count();
        for _ in common..open.len() {
            self.leave();
        }
        for &scope in &to[common..] {
            self.enter(scope)?;
        }
        Ok(at)
    }

    /// The difference of two labels' addresses: it depends on where the compiler put them.
    pub(super) fn label_difference(&self, x: &Value, y: &Value) -> Run<Value> {
        let func = |value: &Value| self.labels.get(&value.prov.slot).map(|&(func, _)| func);
        if func(x).is_none() || func(x) != func(y) {
            return unsupported("difference of the addresses of labels of two functions");
        }
        let mask = if self.memory.pointer_size() == 4 { u64::from(u32::MAX) } else { u64::MAX };
        Ok(Value::int(x.low.wrapping_sub(y.low) & mask).marked(Marks::ADDRESS))
    }

    /// A label's address and a difference that was made from two of them: the label that is there. Only gcc's manual
    /// speaks of this ("Labels as Values").
    pub(super) fn label_moved(&self, from: &Value, distance: i128) -> Run<Value> {
        let address = from.low.wrapping_add(distance as u64);
        let func = self.labels.get(&from.prov.slot).map(|&(func, _)| func);
        let mut others = self.labels.iter().filter(|(_, (other, _))| Some(*other) == func);
        let found = others.find_map(|(&slot, _)| {
            let value = self.pool.iter().find(|value| value.has_prov() && value.prov.slot == slot)?;
            (value.low == address).then_some(*value)
        });
        match found {
            Some(value) => Ok(value.marked(Marks::ADDRESS)),
            None => unsupported("an address between labels"),
        }
    }
}
