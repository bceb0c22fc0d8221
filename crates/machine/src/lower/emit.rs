//! Instructions, registers and jumps of the function being lowered.

use super::{Lower, Lowerer, Order, Refusal};
use crate::op::{Op, Reg};

impl Lowerer<'_> {
    pub fn emit(&mut self, op: Op) -> u32 {
        if self.watch.is_some() {
            self.watch_operands(&op);
        }
        self.f.ops.push(op);
        self.f.positions.push(self.f.pos);
        self.f.ops.len() as u32 - 1
    }

    pub fn here(&self) -> u32 {
        self.f.ops.len() as u32
    }

    /// Lets a jump go to the next instruction.
    pub fn land(&mut self, jump: u32) {
        let here = self.here();
        self.aim(jump, here);
    }

    /// Lets a jump go to an instruction.
    pub fn aim(&mut self, jump: u32, target: u32) {
        match &mut self.f.ops[jump as usize] {
            Op::Jump { to } | Op::JumpIf { to, .. } | Op::JumpUnless { to, .. } => *to = target,
            _ => {}
        }
    }

    pub fn reg(&mut self) -> Reg {
        self.f.registers += 1;
        self.f.registers - 1
    }

    pub fn refuse<T>(&self, what: impl Into<String>) -> Lower<T> {
        Err(Refusal { what: what.into(), pos: self.f.pos })
    }

    /// What is not modelled but only matters if it is reached.
    pub fn unsupported(&mut self, what: impl Into<String>) -> Reg {
        let message = self.out.messages.len() as u32;
        self.out.messages.push(what.into());
        self.emit(Op::Unsupported { message });
        self.constant(0)
    }

    pub fn undefined(&mut self, kind: crate::ub::UbKind, detail: impl Into<String>) {
        let index = self.out.kinds.len() as u32;
        self.out.kinds.push((kind, detail.into()));
        self.emit(Op::Undefined { kind: index });
    }

    /// Whether the right operand goes first here.
    pub fn right_first(&self) -> bool {
        match self.order {
            Order::LeftToRight => false,
            Order::RightToLeft => true,
            Order::Seeded(seed) => {
                let at =
                    (self.f.ops.len() as u64 - self.f.observing).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed;
                (at ^ at >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 1
            }
        }
    }
}
