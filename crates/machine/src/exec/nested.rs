//! GNU C's nested functions: pointers to them, the frames they belong to, and jumps out of them.

use super::Exec;
use crate::memory::Death;
use crate::op::Reg;
use crate::outcome::{Run, ub, ub_about, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Value};
use howler_lang::program::FuncId;

impl Exec<'_> {
    /// The frame that many functions further out.
    fn frame_out(&self, level: u32) -> Run<usize> {
        let mut index = self.frames.len().saturating_sub(1);
        for _ in 0..level {
            match self.frames.get(index).and_then(|frame| frame.outer) {
                Some(outer) => index = outer,
                None => return unsupported("a nested function without its frame"),
            }
        }
        Ok(index)
    }

    /// A register of an enclosing function.
    pub(super) fn outer(&mut self, dst: Reg, level: u32, src: Reg) -> Run<()> {
        let frame = self.frame_out(level)?;
        let value = self.regs[self.frames[frame].base + src as usize];
        self.set(dst, value);
        Ok(())
    }

    /// A pointer to a nested function: one for each call of the function around it.
    pub(super) fn closure(&mut self, dst: Reg, func: Reg) -> Run<()> {
        let plain = *self.get(func);
        let Some(func) = self.memory.live(plain.prov).and_then(|slot| slot.func) else {
            return unsupported("a pointer to such a nested function");
        };
        let parent = self.program.funcs[func].parent;
        let mut index = self.frames.len().saturating_sub(1);
        while Some(self.code.funcs[self.frames[index].func as usize].func) != parent {
            match self.frames[index].outer {
                Some(outer) => index = outer,
                None => return unsupported("a nested function without its frame"),
            }
        }
        let known =
            self.frames[index].closures.iter().find(|(known, _)| *known == func).map(|&(_, value)| value);
        let value = match known {
            Some(value) => value,
            None => {
                let value = self.memory.allocate_code(
                    AllocKind::Function,
                    Some(func),
                    1,
                    self.program.funcs[func].pos,
                );
                self.closures.insert(value.prov.slot, (index, self.frames[index].id));
                self.frames[index].closures.push((func, value));
                value
            }
        };
        self.set(dst, value);
        Ok(())
    }

    /// The frame a function that is called through this pointer belongs to.
    pub(super) fn environment(&self, callee: &Value, func: FuncId) -> Run<Option<usize>> {
        if self.program.funcs[func].parent.is_none() {
            return Ok(None);
        }
        match self.closures.get(&callee.prov.slot) {
            Some(&(frame, id)) if self.frames.get(frame).is_some_and(|open| open.id == id) => Ok(Some(frame)),
            // `exit` ends the program without ending calls.
            Some(_) => unsupported("a nested function called at exit"),
            None => ub_about(
                UbKind::UseAfterReturn,
                callee.prov,
                "the function around it has returned".to_owned(),
            ),
        }
    }

    /// The frame ends, and with it the pointers to functions inside.
    pub(super) fn end_closures(&mut self, closures: &[(FuncId, Value)]) {
        for (_, value) in closures {
            self.closures.remove(&value.prov.slot);
            self.memory.release(value.prov, Death { pos: self.pos, returned: true });
        }
    }

    /// `goto` to a label of an enclosing function.
    pub(super) fn jump_out(&mut self, label: Reg) -> Run<()> {
        let value = self.usable(label)?;
        let Some(&(func, label)) = self.labels.get(&value.prov.slot) else { return ub(UbKind::InvalidDeref) };
        let mut index = self.frames.len().saturating_sub(1);
        while self.frames[index].func != func {
            match self.frames[index].outer {
                Some(outer) => index = outer,
                None => return unsupported("a nested function without its frame"),
            }
        }
        if self.callbacks > 0 {
            return unsupported("a jump out of a function called by the library");
        }
        while self.frames.len() > index + 1 {
            self.pop_frame();
        }
        self.seq.abandon();
        let at = self.enter_label(func, label)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = at;
        }
        Ok(())
    }
}
