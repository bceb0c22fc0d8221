//! Jumps that no block structure shows: `setjmp` and `longjmp`, `goto *p`, and arithmetic on the addresses of labels.

use super::Exec;
use super::objects::Ending;
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
    /// The frame's open scopes, with the objects of each.
    scopes: Vec<(usize, u32)>,
    autos: Vec<Prov>,
    seq: (u32, usize, usize, usize, usize),
    /// When it was set, as memory counts, and how many allocations there were.
    time: u32,
    serial: u64,
    /// Bytes of the frame's objects and their shadows, to find those that change.
    objects: Vec<(Prov, Vec<u8>, Vec<u8>)>,
    /// Filled by `__builtin_setjmp`.
    builtin: bool,
    /// Its `jmp_buf` was filled again.
    replaced: bool,
}

impl<'p> Exec<'p> {
    /// `setjmp`: remembers the caller's state.
    pub(super) fn set_jump(&mut self, buffer: &Value, pc: usize, dst: Reg, builtin: bool) -> Run<()> {
        // The buffer itself is set before the jump is marked: it does not change between the calls.
        self.write_id(buffer, self.jump_buffers.len() as u64 + 1)?;
        self.leave_buffer_open(buffer, builtin);
        let (frame, autos, scopes) =
            self.frames.last().map_or((0, 0, 0), |frame| (frame.id, frame.autos, frame.scopes));
        let mut objects = Vec::new();
        for &prov in &self.autos[autos..] {
            if let Some(slot) = self.memory.live(prov)
                && !matches!(slot.kind, AllocKind::Temporary)
            {
                let bytes = self.memory.bytes(slot.data, slot.size).to_vec();
                let shadows = self.memory.shadows(slot.data, slot.size).collect();
                objects.push((prov, bytes, shadows));
            }
        }
        // What a buffer keeps lives as long as the run.
        let kept: u64 = objects.iter().map(|(_, bytes, _)| 2 * bytes.len() as u64).sum();
        self.memory.charge(kept);
        self.memory.keep(kept + size_of::<JumpBuffer>() as u64)?;
        let time = self.memory.mark_jump(buffer.prov);
        self.jump_buffers.push(JumpBuffer {
            frame,
            pc: pc as u32,
            dst,
            scopes: self.scopes[scopes..].to_vec(),
            autos: self.autos[autos..].to_vec(),
            seq: self.seq.snapshot(),
            time,
            serial: self.memory.serial,
            objects,
            builtin,
            replaced: false,
        });
        Ok(())
    }

    /// What a buffer holds is nobody's business but that of who filled it (C17 7.13p2): a program that reads it depends
    /// on a choice. glibc fills 200 bytes at most, `__builtin_setjmp` five words.
    fn leave_buffer_open(&mut self, buffer: &Value, builtin: bool) {
        let most = if builtin { 5 * self.memory.pointer_size() } else { 200 };
        let Some(slot) = self.memory.live(buffer.prov) else { return };
        let end = if buffer.prov.wide { slot.size } else { buffer.prov.hi.min(slot.size) };
        let start = u32::try_from(buffer.low.wrapping_sub(slot.address)).unwrap_or(end);
        let (at, len) = (slot.data.saturating_add(start), end.saturating_sub(start).min(most));
        for word in 1..len / 4 {
            self.memory.write(at + 4 * word, 4, &Value::int(0).marked(Marks::LIBRARY));
        }
        self.memory.flag(at, len.min(4), 0, shadow::LIBRARY);
    }

    /// A `jmp_buf` was filled again: what it was filled with before can only be in a copy of it.
    pub(super) fn replace_jump(&mut self, id: u64) {
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        if let Some(buffer) = index.and_then(|index| self.jump_buffers.get_mut(index)) {
            let objects = std::mem::take(&mut buffer.objects);
            buffer.replaced = true;
            self.memory.give_up(objects.iter().map(|(_, bytes, _)| 2 * bytes.len() as u64).sum());
        }
    }

    /// `longjmp`: back to where `setjmp` was called.
    pub(super) fn long_jump(&mut self, id: u64, value: u64) -> Run<()> {
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let Some(index) = index.filter(|&index| index < self.jump_buffers.len()) else {
            return ub(UbKind::LongjmpDead);
        };
        let buffer = &self.jump_buffers[index];
        if buffer.replaced {
            return unsupported("longjmp with a copy of a jmp_buf that was filled again");
        }
        let (pc, dst, seq, time, serial) = (buffer.pc, buffer.dst, buffer.seq, buffer.time, buffer.serial);
        let Some(depth) = self.frames.iter().rposition(|open| open.id == buffer.frame) else {
            return ub(UbKind::LongjmpDead);
        };
        let frame = &self.frames[depth];
        let (scopes, autos) = (frame.scopes + buffer.scopes.len(), frame.autos + buffer.autos.len());
        if self.memory.may_lose_stores(time, frame.serial, serial) {
            return unsupported(
                "allocated memory that only the caller of setjmp could reach, written between setjmp and longjmp",
            );
        }
        self.watch_jump(depth + 1)?;
        while self.frames.len() > depth + 1 {
            self.pop_frame();
        }
        self.check_scopes(index)?;
        self.release_to(autos, Ending::Block);
        self.scopes.truncate(scopes);
        self.seq.restore(seq);
        let builtin = self.jump_buffers[index].builtin;
        let objects = std::mem::take(&mut self.jump_buffers[index].objects);
        for (prov, bytes, shadows) in &objects {
            self.make_stale(*prov, bytes, shadows, builtin);
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

    /// The blocks around `setjmp` must not have been left since, at least not those with variably modified types (C17
    /// 7.13.2.1p2).
    fn check_scopes(&self, index: usize) -> Run<()> {
        let buffer = &self.jump_buffers[index];
        let Some(frame) = self.frames.last() else { return ub(UbKind::LongjmpDead) };
        let (open, autos) = (&self.scopes[frame.scopes..], &self.autos[frame.autos..]);
        let same = |at: usize| {
            let (mark, id) = buffer.scopes[at];
            let end = buffer.scopes.get(at + 1).map_or(frame.autos + buffer.autos.len(), |next| next.0);
            let own = mark - frame.autos..end - frame.autos;
            open.get(at) == Some(&(mark, id)) && autos.get(own.clone()) == buffer.autos.get(own)
        };
        let left = (0..buffer.scopes.len()).find(|&at| !same(at)).unwrap_or(buffer.scopes.len());
        let code: &FuncCode = self.function();
        if buffer.scopes[left..].iter().any(|&(_, id)| code.scopes[id as usize].variably_modified) {
            return ub(UbKind::LongjmpVla);
        }
        if left < buffer.scopes.len() {
            // Nothing says what becomes of the block's objects.
            return unsupported("longjmp into a block that was left");
        }
        Ok(())
    }

    /// What changed since `setjmp` and is not volatile has no value any more (C17 7.13.2.1p3).
    fn make_stale(&mut self, prov: Prov, bytes: &[u8], shadows: &[u8], builtin: bool) {
        let Some(slot) = self.memory.live(prov) else { return };
        let (data, size) = (slot.data, slot.size);
        let now = self.memory.bytes(data, size).iter().zip(self.memory.shadows(data, size));
        let changed: Vec<u32> = (0..)
            .zip(now.zip(bytes.iter().zip(shadows)))
            .filter(|(_, ((byte, mark), (old, old_mark)))| {
                let same = byte == old && *mark & shadow::VALUE == *old_mark & shadow::VALUE;
                !same && *mark & shadow::VOLATILE == 0
            })
            .map(|(index, _)| index)
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
            // It is this label wherever the compiler put them; its value as a number is not known, as ever.
            Some(value) => Ok(value),
            None => unsupported("an address between labels"),
        }
    }
}
